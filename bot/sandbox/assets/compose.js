// The message field: Enter sends, and / @ # are completed.
import { hints, prefix, send, toast } from "./call.js";

// startCompose makes message fields work; edit opens a message for its author.
export function startCompose(edit) {
  addEventListener("submit", (e) => {
    if (!e.target.matches("[data-compose]") || e.submitter?.hasAttribute("formaction")) return;
    e.preventDefault();
    post(e.target);
  });
  addEventListener("input", (e) => { if (e.target.matches("[data-compose] textarea")) { grow(e.target); offer(e.target); } });
  addEventListener("keydown", (e) => { if (e.target.matches?.("[data-compose] textarea")) press(e, e.target, edit); }, true);
  addEventListener("focusout", (e) => { if (e.target.matches?.("[data-compose] textarea")) setTimeout(() => close(e.target), 150); });
  addEventListener("click", (e) => {
    const insert = e.target.closest("[data-insert]");
    if (!insert) return;
    const area = insert.form.elements.text;
    area.focus();
    area.setRangeText((area.value && !/\s$/.test(area.value) ? " " : "") + insert.dataset.insert, area.selectionStart, area.selectionEnd, "end");
    offer(area);
  });
}

async function post(form) {
  const area = form.elements.text, text = area.value;
  if (!text.trim()) return;
  const data = new FormData(form);
  area.value = "";
  grow(area);
  close(area);
  const answer = await send(`${prefix}/act/post`, data);
  if (answer.ok) return;
  if (!area.value) area.value = text;
  toast(answer.error);
}

function grow(area) {
  area.rows = Math.min(10, area.value.split("\n").length);
}

function press(e, area, edit) {
  const list = box(area), open = !list.hidden, options = [...list.children];
  const at = options.findIndex((o) => o.ariaSelected === "true");
  if (open && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
    choose(area, (at + (e.key === "ArrowDown" ? 1 : -1) + options.length) % options.length);
  } else if (open && (e.key === "Tab" || e.key === "Enter" && !e.shiftKey) && at >= 0 && !done(area, options[at])) {
    take(area, options[at]);
  } else if (open && e.key === "Escape") {
    close(area);
  } else if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
    area.form.requestSubmit();
  } else if (e.key === "ArrowUp" && !area.value) {
    const mine = area.closest(".middle, .thread").querySelectorAll("[data-edit]");
    if (!mine.length) return;
    edit(mine[mine.length - 1].closest("[data-ts]"), mine[mine.length - 1].dataset.edit);
  } else {
    return;
  }
  e.preventDefault();
  e.stopPropagation();
}

// done says whether what is typed is already what the option would put in, so
// that Enter sends it.
const done = (area, option) => area.value.slice(0, area.selectionStart).trimEnd().endsWith(option.dataset.put.trimEnd());

const box = (area) => document.getElementById(area.getAttribute("aria-controls"));

// words finds what can stand where the cursor is: [{put, title, usage, more}].
function words(area) {
  const text = area.value.slice(0, area.selectionStart);
  const command = /^(\/\S*)(?:( +)(\S*))?$/.exec(text);
  if (command && command[2] === undefined) {
    return list(hints.commands, (c) => c.Name.startsWith(command[1]), (c) => ({ from: 0, put: c.Name + " ", title: c.Name, usage: c.Usage, more: c.Description }));
  }
  if (command) {
    const known = (hints.commands ?? []).find((c) => c.Name === command[1]);
    const found = list(known?.Options, (o) => o.Name.startsWith(command[3]), (o) => ({ from: text.length - command[3].length, put: o.Name + " ", title: `${command[1]} ${o.Name}`, usage: o.Usage, more: o.Description }));
    if (found.length) return found;
  }
  const name = /(?:^|\s)([@#])([\p{L}\p{N}._-]*)$/u.exec(text);
  if (!name) return [];
  const wanted = name[2].toLowerCase(), pool = name[1] === "@" ? hints.people : hints.channels;
  return list(pool, (p) => p.name.toLowerCase().startsWith(wanted) || p.label.toLowerCase().split(" ").some((w) => w.startsWith(wanted)),
    (p) => ({ from: text.length - wanted.length - 1, put: name[1] + p.name + " ", title: name[1] + p.name, usage: p.label === p.name ? "" : p.label, more: "" }));
}

const list = (pool, keep, make) => (pool ?? []).filter(keep).slice(0, 40).map(make);

function offer(area) {
  const found = words(area), target = box(area);
  target.replaceChildren(...found.map((word, i) => {
    const option = document.createElement("div");
    option.role = "option";
    option.id = `${target.id}-${i}`;
    option.dataset.put = word.put;
    option.dataset.from = word.from;
    const title = document.createElement("code"), usage = document.createElement("span"), more = document.createElement("span");
    title.textContent = word.title; usage.textContent = word.usage ?? ""; more.textContent = word.more ?? "";
    option.append(title, usage, more);
    option.addEventListener("mousedown", (e) => { e.preventDefault(); take(area, option); });
    return option;
  }));
  target.hidden = !found.length;
  if (found.length) choose(area, 0); else area.removeAttribute("aria-activedescendant");
}

function choose(area, at) {
  for (const [i, option] of [...box(area).children].entries()) {
    option.ariaSelected = String(i === at);
    if (i !== at) continue;
    option.scrollIntoView({ block: "nearest" });
    area.setAttribute("aria-activedescendant", option.id);
  }
}

function take(area, option) {
  area.setRangeText(option.dataset.put, Number(option.dataset.from), area.selectionStart, "end");
  close(area);
  offer(area);
}

function close(area) {
  box(area).hidden = true;
  area.removeAttribute("aria-activedescendant");
}
