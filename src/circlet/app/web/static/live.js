// Forms and links of the search page without a page load: fetch the same address, swap the view,
// keep the history. Each history entry keeps its view and its place, so Back is instant and exact.
import { announce, busy, insist, tell } from "./news.js";

const kept = new Map();
const MOST_KEPT = 20;
// After these, what you look at stays where it is on the screen.
const IN_PLACE = new Set(["like", "dislike", "more", "less", "strike", "turn", "open", "balance", "method", "rerank"]);
// The request under way, all that was pressed and not answered yet, and the promise that it will be.
let current = null;
let pressed = new Set();
let answered = Promise.resolve();

const cards = () => [...document.querySelectorAll("#grid > .card")];
const view = () => document.getElementById("view");
const parse = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("view");

// Whether the person waits for an answer.
export const waiting = () => pressed.size > 0;

// Another page takes the place of whatever was asked for before.
function leave() {
  current?.abort();
  pressed = new Set();
  busy(false);
}

function go(address, options) {
  leave();
  queue("go", () => visit(address, options));
}

// What is pressed while an answer is under way is said to the session that comes of it, so it waits
// for that answer.
function queue(what, run) {
  const mine = pressed;
  mine.add(what);
  busy(true);
  const turn = async () => {
    if (mine === pressed) await run();
    mine.delete(what);
    if (!waiting()) busy(false);
  };
  answered = answered.then(turn, turn);
}

async function visit(address, { body, replace = false, inPlace = false, sent = "", form = "" } = {}) {
  const mine = (current = Object.assign(new AbortController(), { form }));
  try {
    const options = { headers: { "X-Circlet": "view" }, signal: mine.signal };
    const answer = await insist(address, body ? { ...options, method: "POST", body } : options);
    const html = await answer.text();
    if (mine.signal.aborted) return;
    if (!answer.ok) return tell(html);
    const fresh = parse(html);
    if (!fresh) return location.assign(answer.url);
    if (replace) history.replaceState(history.state, "", answer.url);
    else { keep(); history.pushState({ id: Date.now() + Math.random() }, "", answer.url); }
    show(fresh, { top: !inPlace && !replace, sent });
  } catch (error) {
    if (!mine.signal.aborted) reportError(error);
  }
}

// Sends a form as it is when its turn comes, with what the person said in it when they pressed.
export function submit(form, said, options = {}) {
  const told = [...said.values()].map((one) => (one instanceof File ? `${one.name} ${one.size}` : one));
  const what = [form.id, ...said.keys(), ...told].join("\n");
  if (pressed.has(what)) return; // a double click
  // The options say all of themselves each time: while a slider moves, only its last place counts.
  if (form.id === "options" && current?.form === "options") current.abort();
  queue(what, () => {
    const now = document.getElementById(form.id) ?? form;
    const fields = new FormData(now);
    for (const name of new Set(said.keys())) fields.delete(name);
    for (const [name, value] of said) fields.append(name, value);
    const more = { ...options, form: form.id };
    if (form.method === "post") return visit(form.action, { ...more, body: fields, sent: said.get("text") });
    return visit(`${form.getAttribute("action")}?${new URLSearchParams(fields)}`, more);
  });
}

// What a person can say in a form: all but the hidden fields, which belong to the page.
export function spoken(form) {
  const said = new FormData(form);
  for (const field of form.querySelectorAll("input[type=hidden]")) said.delete(field.name);
  return said;
}

function keep() {
  const id = history.state?.id;
  if (!id || !view()) return;
  kept.set(id, { node: view(), left: seen() });
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
}

function show(fresh, { top, left, sent = "" }) {
  const focus = remembered();
  carry(document.getElementById("words"), fresh.querySelector("#words"), sent);
  // Whoever works with what is under Advanced finds it open again.
  const advanced = fresh.querySelector("#advanced");
  if (advanced && document.querySelector("#advanced[open]")) advanced.open = true;
  view().replaceWith(fresh);
  document.title = fresh.dataset.title;
  document.getElementById("compare").href = fresh.dataset.compare;
  document.dispatchEvent(new Event("circlet:view"));
  atEnd();
  if (left) settle(left);
  else if (top) scrollTo(0, 0);
  refocus(focus);
  announce(document.getElementById("results")?.textContent ?? "");
}

// A long way shows its end, where one is; what came before is a swipe away.
function atEnd() {
  const way = document.querySelector(".way ol");
  if (way) way.scrollLeft = way.scrollWidth;
}

// The words that were said stay in the field; those that were typed and not sent yet go along instead.
function carry(from, to, sent) {
  if (from.value !== sent && from.value !== from.defaultValue) {
    to.value = from.value;
    to.setSelectionRange(from.selectionStart, from.selectionEnd);
  }
  from.value = from.defaultValue;
}

// What had the focus, in words that find it again in the next view.
function remembered() {
  const at = document.activeElement;
  if (!at || at === document.body || !view().contains(at)) return null;
  if (at.id) return { found: `#${at.id}` };
  // What was heard is worded anew: the focus stays among it.
  if (at.closest("#heard")) return { found: `#heard [name="${at.name}"]` };
  // A step that was changed or deleted: the focus goes to where the way ends now.
  if (at.closest(".way form") || at.name === "drop") return { found: ".way [aria-current]" };
  const found = at.name && at.value ? `[name="${at.name}"][value="${CSS.escape(at.value)}"]` : "#results";
  const card = at.closest("#grid .card");
  return card ? { found, name: at.name, place: cards().indexOf(card) } : { found };
}

// A card that is gone leaves its place, and the focus, to the one that came up.
function refocus(was) {
  if (!was) return;
  const next = was.place === undefined ? null : cards()[Math.min(was.place, cards().length - 1)];
  const target =
    document.querySelector(was.found) ?? next?.querySelector(`[name="${was.name}"]`) ?? document.getElementById("words");
  target?.focus({ preventScroll: true });
  // What was said stays in the field; whoever types goes on with other words.
  if (target?.id === "words" && target.value === target.defaultValue) target.select();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!view()?.contains(form)) return;
  const button = event.submitter;
  if (button?.name === "export") return; // a file comes, the page stays
  event.preventDefault();
  const said = spoken(form);
  // Buttons may belong to the form from outside it, so name and value come from the button itself.
  if (button?.name) said.append(button.name, button.value);
  if (button?.name === "why" || button?.name === "view") {
    document.dispatchEvent(new CustomEvent(`circlet:${button.name === "view" ? "view-large" : "why"}`, { detail: { key: button.value, form } }));
    return;
  }
  const inPlace = IN_PLACE.has(button?.name ?? form.dataset.changed);
  submit(form, said, { inPlace });
});

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form?.id === "options" && (event.target.name === "balance" || event.target.name === "method")) {
    form.dataset.changed = event.target.name;
    form.requestSubmit();
  }
});

// While it moves, the slider says what it will mean.
document.addEventListener("input", (event) => {
  if (event.target.id !== "balance") return;
  const percent = Math.round(100 * event.target.value);
  const [words, picture] = event.target.parentElement.querySelectorAll("b");
  words.textContent = `${100 - percent} %`;
  picture.textContent = `${percent} %`;
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  const where = new URL(link.href);
  const here = view() && where.origin === location.origin && (where.pathname === "/" || where.pathname === "/act");
  if (!here || where.hash || link.rel === "prev" || link.rel === "next") return;
  event.preventDefault();
  go(link.href, { replace: link.href === location.href });
});

addEventListener("popstate", (event) => {
  // An entry without a state is a place on this same page: a skip link was followed.
  if (!view() || !event.state) return;
  const old = kept.get(event.state.id);
  if (!old) return go(location.href, { replace: true });
  leave();
  show(old.node, { left: old.left });
});

// What is seen: the first card in sight and how far up it stands, since heights are guessed at first.
function seen() {
  const card = cards().find((one) => one.getBoundingClientRect().bottom > 0);
  return { place: scrollY, key: scrollY && card?.dataset.key, top: card?.getBoundingClientRect().top };
}

function settle({ place, key, top }, times = 12) {
  const card = key && document.querySelector(`#grid > .card[data-key="${key}"]`);
  if (!card) return scrollTo(0, place);
  const off = card.getBoundingClientRect().top - top;
  if (Math.abs(off) >= 1) scrollBy(0, off);
  if (times) requestAnimationFrame(() => settle({ place, key, top }, times - 1));
}

if (view()) {
  atEnd();
  history.scrollRestoration = "manual";
  history.replaceState({ id: Date.now() + Math.random() }, "");
  // Leaving for another page or reloading: who comes back to this address comes back to the place.
  const left = JSON.parse(sessionStorage.getItem("left") ?? "null");
  const [came] = performance.getEntriesByType("navigation");
  if (left?.address === location.href && came?.type !== "navigate") settle(left);
  addEventListener("pagehide", () => sessionStorage.setItem("left", JSON.stringify({ address: location.href, ...seen() })));
}
