// The page keeps itself current: the server tells each part's version, and a part
// whose version is not shown is fetched and laid over the old one.
import { place, prefix, query, send, toast } from "./call.js";
import { lay } from "./lay.js";
import { startCompose } from "./compose.js";
import { startKeys, openPicker } from "./keys.js";

// refresh fetches one part. Several calls for the same part follow one another.
const running = {};
async function refresh(name, version) {
  if (running[name]) { running[name] = { again: version }; return; }
  running[name] = {};
  try {
    const answer = await fetch(`${prefix}/part/${name}?${query()}`);
    if (!answer.ok) return;
    show(name, await answer.text(), answer.headers.get("X-Part-Version"));
  } finally {
    const again = running[name].again;
    delete running[name];
    if (again) refresh(name, again);
  }
}

function show(name, html, version) {
  const part = document.getElementById(`part-${name}`);
  const log = part.matches("[data-scroll]") ? part : part.querySelector("[data-scroll]");
  const atEnd = log && log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  lay(part, html);
  part.dataset.version = version;
  const now = part.matches("[data-scroll]") ? part : part.querySelector("[data-scroll]");
  if (now && (atEnd || !log)) now.scrollTop = now.scrollHeight;
  if (name === "modal") openModal();
  if (name === "main") read();
  countChosen();
}

// read tells the server that the person sees the channel.
function read() {
  if (document.visibilityState === "visible" && document.hasFocus()) send(`${prefix}/act/read`, new FormData());
}

function listen() {
  const events = new EventSource(`${prefix}/events?${query()}`);
  events.onmessage = (e) => {
    const state = JSON.parse(e.data);
    document.title = state.title;
    for (const name of Object.keys(state)) {
      const part = document.getElementById(`part-${name}`);
      if (part && part.dataset.version !== state[name]) refresh(name, state[name]);
    }
    document.body.dataset.live = "true";
  };
  return events;
}
let events = listen();

// go shows another thread of the same channel without loading the page anew.
function showThread(address) {
  history.pushState(null, "", address);
  const open = place().has("t");
  document.getElementById("part-thread").hidden = !open;
  document.querySelector(".shell").classList.toggle("threaded", open);
  events.close();
  events = listen();
  return refresh("thread", "").then(() => document.getElementById(open ? "reply" : "text")?.focus());
}
addEventListener("popstate", () => location.reload());

// ask shows a confirmation and gives whether the person said yes.
function ask(raw) {
  const words = JSON.parse(raw), box = document.getElementById("ask");
  box.querySelector("h2").textContent = words.title;
  box.querySelector("p").textContent = words.text;
  const yes = box.querySelector("[data-yes]"), no = box.querySelector("[data-no]");
  yes.textContent = words.yes; no.textContent = words.no;
  yes.classList.toggle("danger", words.style === "danger");
  box.showModal();
  return new Promise((done) => {
    yes.onclick = () => { done(true); box.close(); };
    no.onclick = () => box.close();
    box.onclose = () => done(false);
  });
}

// A form marked data-act is sent without leaving the page.
addEventListener("submit", async (e) => {
  const form = e.target, by = e.submitter;
  if (form.matches(".prefs") && place().has("t")) keepThread(form);
  if (!form.matches("[data-act]") || form.matches("[data-compose]") && !by?.hasAttribute("formaction")) return;
  e.preventDefault();
  if (by?.getAttribute("aria-busy") === "true") return;
  const data = new FormData(form);
  if (by?.name) data.set(by.name, by.value);
  if (by?.dataset.confirm && !await ask(by.dataset.confirm)) return;
  by?.closest("details.menu")?.removeAttribute("open");
  by?.setAttribute("aria-busy", "true");
  by?.classList.add("busy");
  const answer = await send(by?.hasAttribute("formaction") ? by.formAction : form.action, data);
  by?.removeAttribute("aria-busy");
  by?.classList.remove("busy");
  if (!answer.ok) toast(answer.error);
  else if (answer.go) location.assign(answer.go);
});

// keepThread lets the page come back with the thread that is open now.
function keepThread(form) {
  const field = form.elements.t ?? form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name: "t" }));
  field.value = place().get("t");
}

// Menus and pickers outside inputs act when they are changed.
addEventListener("change", async (e) => {
  const control = e.target;
  if (control.form?.matches("[data-auto]")) { control.form.requestSubmit(); return; }
  countChosen();
  if (!control.dataset.pick || control.value === "" && control.type !== "checkbox") return;
  const form = control.form, press = JSON.parse(control.dataset.pick);
  const picked = control.type === "checkbox" ? [...form.querySelectorAll("input:checked")].filter((c) => c.name === control.name).map((c) => c.value) : [control.value];
  press.v = picked.join(",");
  const data = new FormData();
  for (const name of ["ts", "view"]) if (form.elements[name]) data.set(name, form.elements[name].value);
  data.set("press", JSON.stringify(press));
  const answer = await send(`${prefix}/act/click`, data);
  if (!answer.ok) toast(answer.error);
});

function countChosen() {
  for (const menu of document.querySelectorAll(".multi")) {
    const n = menu.querySelectorAll("input:checked").length;
    menu.querySelector(".chosen").textContent = n ? String(n) : "";
  }
}

// The server draws a modal open; here it becomes one that keeps the focus inside.
function openModal() {
  for (const box of document.querySelectorAll("dialog[data-modal]")) {
    if (box.matches(":modal")) continue;
    box.removeAttribute("open");
    box.showModal();
    (box.querySelector("[autofocus]") ?? box.querySelector(".body :is(input, textarea, select)"))?.focus();
    box.addEventListener("cancel", (e) => { e.preventDefault(); box.querySelector("footer [formaction]").click(); });
  }
}

addEventListener("click", (e) => {
  const at = e.target;
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(at)) menu.open = false;
  const thread = at.closest("[data-thread], [data-close-thread]");
  if (thread && !e.ctrlKey && !e.metaKey) { e.preventDefault(); showThread(thread.href); }
  const pick = at.closest("[data-picker]");
  if (pick) openPicker(pick.closest("[data-ts]").dataset.ts);
  const edit = at.closest("[data-edit]");
  if (edit) editMessage(edit.closest("[data-ts]"), edit.dataset.edit);
  const press = at.closest("a[data-press]");
  if (press) { const data = new FormData(press.closest("form")); data.set("press", press.dataset.press); send(`${prefix}/act/click`, data); }
});

function editMessage(message, text) {
  const form = document.createElement("form"), area = document.createElement("textarea");
  form.className = "editing";
  area.value = text; area.name = "text"; area.rows = 2;
  form.append(area);
  message.querySelector("details[open]")?.removeAttribute("open");
  message.querySelector(".text").replaceChildren(form);
  area.focus();
  area.addEventListener("keydown", async (e) => {
    if (e.key !== "Escape" && (e.key !== "Enter" || e.shiftKey)) return;
    e.preventDefault(); e.stopPropagation();
    if (e.key === "Enter") {
      const data = new FormData(form);
      data.set("ts", message.dataset.ts);
      const answer = await send(`${prefix}/act/edit`, data);
      if (!answer.ok) toast(answer.error);
    }
    form.remove();
    document.getElementById("part-main").dataset.version = "";
    refresh("main", "");
  });
}

for (const log of document.querySelectorAll("[data-scroll]")) log.scrollTop = log.scrollHeight;
addEventListener("visibilitychange", read);
addEventListener("focus", read);
openModal();
countChosen();
startCompose(editMessage);
startKeys();
if (!document.querySelector("dialog[open]")) document.getElementById(place().has("t") ? "reply" : "text")?.focus();
