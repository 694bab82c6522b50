// What the pages do beyond plain HTML: keys, and parts that follow changes.
"use strict";
document.documentElement.classList.add("script");

// Keys. They are off while somebody types, and with Ctrl, Alt or Meta.
const places = { o: "/", i: "/incidents", p: "/postmortems", a: "/actions", m: "/gaps", u: "/audit" };
let afterG = false;
const typing = (e) => e.target.closest("input, textarea, select, [contenteditable]");
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || typing(e)) return;
  const search = document.getElementById("search");
  const keys = document.getElementById("keys");
  if (!search || !keys || keys.open) return;
  if (afterG) {
    afterG = false;
    if (places[e.key]) location.href = places[e.key];
    return;
  }
  switch (e.key) {
    case "/": e.preventDefault(); search.focus(); search.select(); break;
    case "?": e.preventDefault(); keys.showModal(); break;
    case "g": afterG = true; setTimeout(() => { afterG = false; }, 1500); break;
    case "j": step(1); break;
    case "k": step(-1); break;
  }
});

// step moves the focus to the next or the previous thing that can be opened.
function step(by) {
  const list = [...document.querySelectorAll("main a.go, main .timeline .at")];
  if (list.length === 0) return;
  const now = list.indexOf(document.activeElement);
  list[Math.min(Math.max(now + by, 0), list.length - 1)].focus();
}

// Live: when told that something has changed, the page is fetched again as it
// would be by hand, and its parts are put in place of the old ones.
const stream = document.body.dataset.live;
if (stream && window.EventSource) follow(stream);

function follow(address) {
  const state = document.querySelector(".live");
  const show = (name) => {
    if (!state || state.dataset.state === name) return;
    state.dataset.state = name;
    state.textContent = state.getAttribute("data-word-" + name);
  };
  let source;
  const connect = () => {
    source = new EventSource(address);
    source.addEventListener("open", () => show("on"));
    source.addEventListener("changed", () => refresh());
    source.addEventListener("error", () => {
      show("off");
      // The browser tries again by itself unless an error page was sent.
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, 10000);
    });
  };
  connect();
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (e) => { if (e.persisted) { connect(); refresh(); } });
}

let refreshing = false, again = false;
async function refresh() {
  if (refreshing) { again = true; return; }
  refreshing = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) { if (answer.redirected) location.reload(); return; }
    replaceParts(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch { // the next change, or the next connection, tries again
  } finally {
    refreshing = false;
    if (again) { again = false; refresh(); }
  }
}

function replaceParts(fresh) {
  const known = new Set([...document.querySelectorAll(".entry")].map((e) => e.id));
  const focused = document.activeElement && document.activeElement.closest("[data-part]")
    ? document.activeElement.getAttribute("href") : null;
  const names = new Set([...fresh.querySelectorAll("[data-part]")].map((part) => part.id));
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = document.getElementById(part.id);
    if (!old) { location.reload(); return; } // a part that is new here
    if (old.innerHTML !== part.innerHTML) old.replaceWith(part);
  }
  for (const old of document.querySelectorAll("[data-part]")) if (!names.has(old.id)) old.remove();
  document.title = fresh.title;
  if (focused) document.querySelector(`[data-part] a[href="${CSS.escape(focused)}"]`)?.focus();
  for (const entry of document.querySelectorAll(".entry")) if (!known.has(entry.id)) entry.classList.add("fresh");
}

// The editor: a preview while one types, and a question before leaving with
// something unsaved.
const editor = document.getElementById("editor");
if (editor) {
  let unsaved = editor.querySelector(".clash") !== null;
  const mark = editor.querySelector("[data-unsaved]");
  const waiting = new Map();
  editor.addEventListener("input", (e) => {
    unsaved = true;
    mark.textContent = mark.dataset.unsaved;
    const name = e.target.dataset.preview;
    if (!name) return;
    clearTimeout(waiting.get(name));
    waiting.set(name, setTimeout(() => preview(name, e.target.value), 250));
  });
  editor.addEventListener("submit", () => { unsaved = false; });
  addEventListener("beforeunload", (e) => { if (unsaved) e.preventDefault(); });
  editor.addEventListener("keydown", (e) => {
    if (e.key === "s" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); editor.requestSubmit(); }
  });
}

async function preview(name, text) {
  const answer = await fetch("/preview", { method: "POST", body: new URLSearchParams({ text }) });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById(name).replaceChildren(...fresh.body.childNodes);
}
