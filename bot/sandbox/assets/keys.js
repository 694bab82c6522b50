// The keyboard: Ctrl/Cmd+K jumps, Escape closes, arrows walk; and the emoji picker.
import { hints, prefix, send, toast } from "./call.js";

export function startKeys() {
  const switcher = document.getElementById("switcher"), input = switcher.querySelector("input"), target = document.getElementById("switcher-list");
  const find = () => {
    const wanted = input.value.toLowerCase().replace(/^#/, "");
    const found = hints.channels.filter((c) => c.name.toLowerCase().includes(wanted)).slice(0, 12);
    target.replaceChildren(...found.map((c, i) => {
      const option = document.createElement("div"), name = document.createElement("code");
      option.role = "option"; option.id = `jump-${i}`; option.ariaSelected = String(i === 0);
      name.textContent = `#${c.name}`;
      option.append(name);
      option.onclick = () => location.assign(c.url);
      return option;
    }));
    if (!found.length) target.textContent = hints.words.nothing_found;
    input.setAttribute("aria-activedescendant", "jump-0");
  };
  const open = () => { input.value = ""; find(); switcher.showModal(); input.focus(); };
  input.addEventListener("input", find);
  input.addEventListener("keydown", (e) => {
    const options = [...target.children], at = options.findIndex((o) => o.ariaSelected === "true");
    if (e.key === "Enter") { options[at]?.click(); e.preventDefault(); }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp" || !options.length) return;
    e.preventDefault();
    const next = (at + (e.key === "ArrowDown" ? 1 : -1) + options.length) % options.length;
    options.forEach((o, i) => { o.ariaSelected = String(i === next); });
    options[next].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", `jump-${next}`);
  });
  document.querySelector("[data-switcher]").addEventListener("click", open);
  for (const box of document.querySelectorAll("#switcher, #picker")) box.addEventListener("click", (e) => { if (e.target === box) box.close(); });

  addEventListener("keydown", (e) => {
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k") { e.preventDefault(); if (!document.querySelector(":modal")) open(); return; }
    if (e.key === "Escape" && !document.querySelector(":modal")) {
      const menu = document.querySelector("details.menu[open]"), thread = document.querySelector("[data-close-thread]");
      if (menu) { menu.open = false; menu.querySelector("summary").focus(); } else thread?.click();
      return;
    }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    const group = e.target.closest?.(".lists, .popup, .messages") ?? (e.target.matches?.(".log") ? e.target.querySelector(".messages") : null);
    if (!group || e.target.matches("input, textarea, select")) return;
    walk(group, e);
  });

  const picker = document.getElementById("picker"), search = picker.querySelector("input");
  search.addEventListener("input", () => {
    for (const b of picker.querySelectorAll("[data-emoji]")) b.hidden = !b.dataset.emoji.includes(search.value.toLowerCase().replaceAll(" ", "_"));
  });
  search.addEventListener("keydown", (e) => {
    if (e.key === "Enter") { e.preventDefault(); picker.querySelector("[data-emoji]:not([hidden])")?.click(); }
  });
  picker.addEventListener("click", async (e) => {
    const chosen = e.target.closest("[data-emoji]");
    if (!chosen) return;
    picker.close();
    const data = new FormData();
    data.set("ts", picker.dataset.ts);
    data.set("emoji", chosen.dataset.emoji);
    const answer = await send(`${prefix}/act/react`, data);
    if (!answer.ok) toast(answer.error);
  });
}

// walk moves the focus to the next or previous line of a list, menu or log.
function walk(group, e) {
  const stops = group.matches(".messages") ? [...group.querySelectorAll(".message")] : [...group.querySelectorAll("a, button, summary, label input")].filter((s) => s.checkVisibility());
  const at = stops.findIndex((s) => s === e.target || s.contains(e.target));
  const next = at < 0 ? stops.at(-1) : stops[at + (e.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  e.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

export function openPicker(ts) {
  const picker = document.getElementById("picker");
  picker.dataset.ts = ts;
  picker.showModal();
  picker.querySelector("input").focus();
}
