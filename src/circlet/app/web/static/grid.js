// The grid by keyboard, and more pictures as the end comes near.
import { announce, insist, tell } from "./news.js";

const picks = () => [...document.querySelectorAll("#grid .pick")];
const ACTS = { l: "like", d: "dislike", w: "why", v: "view" };

// The card in the next or previous row that lies closest sideways.
function beside(all, at, down) {
  const here = all[at].getBoundingClientRect();
  const others = all.filter((pick) => {
    const top = pick.getBoundingClientRect().top;
    return down ? top > here.top + 4 : top < here.top - 4;
  });
  const rows = others.map((pick) => pick.getBoundingClientRect().top);
  const row = down ? Math.min(...rows) : Math.max(...rows);
  return others
    .filter((_, i) => Math.abs(rows[i] - row) < 4)
    .sort((a, b) => Math.abs(a.getBoundingClientRect().left - here.left) - Math.abs(b.getBoundingClientRect().left - here.left))[0];
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "/" && !typing) {
    document.getElementById("words")?.select();
    return event.preventDefault();
  }
  if (event.key === "?" && !typing) {
    const keys = document.getElementById("keys");
    keys.open = !keys.open;
    return event.preventDefault();
  }
  const all = picks();
  if (!all.length) return;
  if (event.key === "ArrowDown" && (event.target.id === "words" || event.target === document.body)) {
    all[0].focus();
    return event.preventDefault();
  }
  const card = event.target.closest?.(".card");
  if (typing || !card) return;
  const act = ACTS[event.key.toLowerCase()];
  if (act) {
    card.querySelector(`[name="${act}"]`)?.click();
    return event.preventDefault();
  }
  const at = all.indexOf(card.querySelector(".pick"));
  const target = {
    ArrowRight: () => all[at + 1],
    ArrowLeft: () => all[at - 1],
    ArrowDown: () => beside(all, at, true),
    ArrowUp: () => beside(all, at, false) ?? document.getElementById("words"),
    Home: () => all[0],
    End: () => all.at(-1),
  }[event.key]?.();
  if (target) {
    target.focus();
    target.scrollIntoView({ block: "nearest" });
    event.preventDefault();
  }
});

// Opening a folded picture comes back to as many as were seen.
function remember(shown) {
  const form = document.getElementById("act");
  let field = form.querySelector('[name="shown"]');
  if (!field) {
    field = Object.assign(document.createElement("input"), { type: "hidden", name: "shown" });
    form.append(field);
  }
  field.value = shown;
}

let loading = false;

export async function loadMore() {
  const link = document.getElementById("more");
  const grid = document.getElementById("grid");
  if (!link || loading) return;
  loading = true;
  near.disconnect();
  try {
    const answer = await insist(link.href, { headers: { "X-Circlet": "cards" } });
    const html = await answer.text();
    if (!link.isConnected) return watch();
    // Asking again is left to the person: what was refused once would be refused for ever.
    if (!answer.ok) return tell(html);
    const fresh = new DOMParser().parseFromString(`<ol>${html}</ol>`, "text/html");
    grid.append(...fresh.querySelectorAll("ol > li"));
    const shown = grid.querySelectorAll(":scope > .card").length;
    const here = new URL(location.href);
    if (!here.searchParams.get("start")) {
      // A reload, or a link sent now, shows as many as were seen.
      here.searchParams.set("shown", shown);
      history.replaceState(history.state, "", here);
      remember(shown);
    }
    const next = answer.headers.get("x-circlet-more");
    if (next) link.href = next;
    else link.remove();
    announce(`${shown} pictures shown`);
    watch();
  } finally {
    loading = false;
  }
}

const near = new IntersectionObserver((seen) => {
  if (seen.some((one) => one.isIntersecting)) loadMore();
}, { rootMargin: "900px" });

// Observing anew reports at once, so a tall screen goes on until it is full.
function watch() {
  near.disconnect();
  const link = document.getElementById("more");
  if (link) near.observe(link);
}
document.addEventListener("circlet:view", watch);
document.addEventListener("click", (event) => {
  if (event.target.closest?.("#more")) {
    event.preventDefault();
    loadMore();
  }
});
watch();
