// One of a few without a page load: the same links and forms, their answer put in the page's place.
import { announce, busy, insist, tell } from "./news.js";

const pile = () => document.getElementById("pile");
// One after the other: a key that is pressed while an answer is under way is said to what comes of it.
let answered = Promise.resolve();

async function visit(address, { body, step = false, back = false } = {}) {
  const options = { headers: { "X-Circlet": "view" } };
  const answer = await insist(address, body ? { ...options, method: "POST", body } : options);
  const html = await answer.text();
  if (!answer.ok) return tell(html);
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("pile");
  if (!fresh) return location.assign(answer.url);
  const focus = found(document.activeElement);
  pile().replaceWith(fresh);
  if (!back) history[step ? "replaceState" : "pushState"]({ pile: true }, "", answer.url);
  if (focus) document.querySelector(focus)?.focus({ preventScroll: true });
  announce([...document.querySelectorAll(".two figcaption")].map((one) => one.textContent.trim()).join(" beside "));
  const following = document.querySelector('[data-step="next"]');
  if (following) ahead(new URL(following.href).searchParams.get("right"));
}

// The next one is there when it is asked for.
function ahead(key) {
  new Image().src = `/api/v1/pictures/${key}/thumbnail?side=1280`;
}

// What had the focus, in words that find it again.
function found(at) {
  if (!pile().contains(at)) return "";
  if (at.id) return `#${at.id}`;
  if (at.dataset.step) return `[data-step="${at.dataset.step}"]`;
  const side = at.closest("figure")?.dataset.side;
  return at.value ? `${side ? `[data-side="${side}"]` : ".few"} button[value="${CSS.escape(at.value)}"]` : "";
}

function queue(run) {
  busy(true);
  answered = answered.then(run).catch(reportError).finally(() => busy(false));
}

const follow = (name) => {
  const link = document.querySelector(`#pile [data-step="${name}"]`);
  return link && visit(link.href, { step: true });
};

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#pile .few a[href], #pile a[data-step]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  queue(() => (link.dataset.step ? follow(link.dataset.step) : visit(link.href, { step: true })));
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!pile()?.contains(form)) return;
  event.preventDefault();
  const said = new FormData(form, event.submitter);
  if (form.method === "post") queue(() => visit(form.action, { body: said, step: true }));
  else queue(() => visit(`${form.getAttribute("action")}?${new URLSearchParams(said)}`));
});

const KEYS = { ArrowLeft: "before", ArrowRight: "next", ArrowUp: "better" };
document.addEventListener("keydown", (event) => {
  if (!pile() || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  if (KEYS[event.key]) queue(() => follow(KEYS[event.key]));
  else if (event.key.toLowerCase() === "k") queue(keepLeft);
  else if (event.key === "/") document.getElementById("which-words").select();
  else return;
  event.preventDefault();
});

// The same as a press on its button, with the page as it is when its turn comes.
function keepLeft() {
  const button = document.querySelector('[data-side="left"] :is([name="keep"], [name="drop"])');
  return visit("/keep", { body: new FormData(button.form, button), step: true });
}

addEventListener("popstate", () => {
  if (pile()) queue(() => visit(location.href, { back: true }));
});
