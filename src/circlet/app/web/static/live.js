// Forms and links of the search page without a page load: fetch the same address, swap the view,
// keep the history. Each history entry keeps its view and its place, so Back is instant and exact.
import { announce, busy, insist, tell } from "./news.js";

const kept = new Map();
const MOST_KEPT = 20;
// After these, what you look at stays where it is on the screen.
const IN_PLACE = new Set(["like", "dislike", "more", "less", "open", "balance", "method"]);
let current = null;

const view = () => document.getElementById("view");
const parse = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("view");

export async function visit(address, { body, replace = false, inPlace = false } = {}) {
  current?.abort();
  const mine = (current = new AbortController());
  busy(true);
  try {
    const options = { headers: { "X-Circlet": "view" }, signal: mine.signal };
    const answer = await insist(address, body ? { ...options, method: "POST", body } : options);
    const html = await answer.text();
    if (!answer.ok) return tell(html);
    const fresh = parse(html);
    if (!fresh) return location.assign(answer.url);
    if (replace) history.replaceState(history.state, "", answer.url);
    else { keep(); history.pushState({ id: Date.now() + Math.random() }, "", answer.url); }
    show(fresh, { top: !inPlace && !replace });
  } catch (error) {
    if (!mine.signal.aborted) throw error;
  } finally {
    if (current === mine) busy(false);
  }
}

function keep() {
  const id = history.state?.id;
  if (!id || !view()) return;
  kept.set(id, { node: view(), place: scrollY });
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
}

function show(fresh, { top, place }) {
  const focus = remembered();
  view().replaceWith(fresh);
  document.title = fresh.dataset.title;
  const session = fresh.dataset.session;
  document.getElementById("compare").href = session ? `/compare?s=${session}` : "/compare";
  document.dispatchEvent(new Event("circlet:view"));
  if (place !== undefined) scrollTo(0, place);
  else if (top) scrollTo(0, 0);
  refocus(focus);
  announce(document.getElementById("results")?.textContent ?? "");
}

// What had the focus, in words that find it again in the next view.
function remembered() {
  const at = document.activeElement;
  if (!at || at === document.body || !view().contains(at)) return null;
  if (at.id) return `#${at.id}`;
  return at.name && at.value ? `[name="${at.name}"][value="${CSS.escape(at.value)}"]` : "#results";
}

function refocus(selector) {
  if (!selector) return;
  const target = document.querySelector(selector) ?? document.getElementById("words");
  target?.focus({ preventScroll: true });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!view()?.contains(form)) return;
  event.preventDefault();
  const button = event.submitter;
  // Buttons may belong to the form from outside it, so name and value come from the button itself.
  const said = new FormData(form);
  if (button?.name) said.append(button.name, button.value);
  if (button?.name === "why" || button?.name === "view") {
    document.dispatchEvent(new CustomEvent(`circlet:${button.name === "view" ? "view-large" : "why"}`, { detail: { key: button.value, said } }));
    return;
  }
  if (form.method === "post") {
    visit(form.action, { body: said });
    return;
  }
  const inPlace = IN_PLACE.has(button?.name ?? form.dataset.changed);
  visit(`${form.getAttribute("action")}?${new URLSearchParams(said)}`, { inPlace });
});

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form?.id === "options" && (event.target.name === "balance" || event.target.name === "method")) {
    form.dataset.changed = event.target.name;
    form.requestSubmit();
  }
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  const where = new URL(link.href);
  const here = view() && where.origin === location.origin && (where.pathname === "/" || where.pathname === "/act");
  if (!here || link.rel === "prev" || link.rel === "next") return;
  event.preventDefault();
  visit(link.href);
});

addEventListener("popstate", (event) => {
  if (!view()) return;
  current?.abort();
  busy(false);
  const old = kept.get(event.state?.id);
  if (old) show(old.node, { place: old.place });
  else visit(location.href, { replace: true });
});

if (view()) {
  history.scrollRestoration = "manual";
  const place = history.state?.place;
  history.replaceState({ id: Date.now() + Math.random() }, "");
  if (place) scrollTo(0, place);
  // Leaving for another page or reloading: the place comes back with the history entry.
  addEventListener("pagehide", () => history.replaceState({ ...history.state, place: scrollY }, ""));
}
