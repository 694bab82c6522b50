// What every part of the page needs to call the server and to tell the person.
export const prefix = document.body.dataset.prefix;
export const hints = JSON.parse(document.getElementById("hints").textContent);
// place is what the page's address says.
export const place = () => new URLSearchParams(location.search);
// query tells the server who sits here and what is shown.
export const query = () => {
  const q = place();
  q.set("as", document.getElementById("as")?.value ?? "");
  q.set("c", document.body.dataset.place);
  q.set("n", document.body.dataset.since);
  return q;
};

// send posts a form and gives {ok, error, go}.
export async function send(action, data) {
  for (const [name, value] of query()) if (!data.has(name)) data.append(name, value);
  try {
    const answer = await fetch(action, { method: "POST", body: data, headers: { Accept: "application/json" } });
    if (!answer.ok) return { ok: false, error: await answer.text() };
    return answer.headers.get("Content-Type")?.startsWith("application/json") ? await answer.json() : { ok: true };
  } catch {
    return { ok: false, error: hints.words.lost };
  }
}

export function toast(text) {
  const t = document.getElementById("toast");
  t.textContent = text;
  t.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { t.hidden = true; }, 7000);
}
