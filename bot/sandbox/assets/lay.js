// lay puts new HTML over the old and changes only what differs, so that what a
// person has typed, opened, focused or scrolled stays as it is.
export function lay(part, html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  children(part, fresh.content);
}

const key = (node) => node.nodeType === 1 ? node.id || "" : "";

function children(old, fresh) {
  const named = new Map();
  for (const child of old.childNodes) if (key(child)) named.set(key(child), child);
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    let match = key(next) ? named.get(key(next)) : at;
    while (!key(next) && match && key(match)) match = match.nextSibling;
    if (match && match.nodeType === next.nodeType && match.nodeName === next.nodeName && key(match) === key(next)) {
      if (match !== at) old.insertBefore(match, at); else at = at.nextSibling;
      one(match, next);
    } else {
      old.insertBefore(next, at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function one(old, fresh) {
  if (old.nodeType !== 1) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  if (old.isEqualNode(fresh)) return;
  const own = old.matches("details, dialog") ? ["open"] : ["aria-busy"];
  for (const { name, value } of [...fresh.attributes]) if (!own.includes(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!own.includes(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  if (old.matches(".chosen, textarea, .completion") || old.querySelector(":scope > .editing")) return;
  children(old, fresh);
}
