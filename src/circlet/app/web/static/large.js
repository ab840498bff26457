// One picture large, its neighbours by arrow keys; and why it was found.
import { loadMore } from "./grid.js";
import { insist, tell } from "./news.js";

const make = (tag, attributes = {}, ...inside) => {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...inside);
  return node;
};
const SVG = "http://www.w3.org/2000/svg";
const icon = (name) => {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("class", "icon");
  drawn.setAttribute("aria-hidden", "true");
  drawn.append(document.createElementNS(SVG, "use"));
  drawn.firstChild.setAttribute("href", `#i-${name}`);
  return drawn;
};
const round = (words, name, drawing) =>
  make("button", { type: "button", className: "round", ariaLabel: words, title: words, name }, icon(drawing));
const button = (words, name, more = {}) => make("button", { type: "button", textContent: words, name, ...more });

const picture = make("img", { alt: "" });
const film = make("video", { controls: true, preload: "metadata" });
const title = make("div", { className: "title" });
const about = make("p", { className: "facts" });
const link = (words, name, drawing, more = {}) =>
  make("a", { className: "button", title: words, ...more }, icon(drawing), make("span", { textContent: words }));
const open = link("Open", "open", "large", { target: "_blank", rel: "noopener" });
const save = link("Download", "save", "download", { download: "" });
const folder = make("button", { type: "button", name: "folder", title: "Show in folder" }, icon("folder"), make("span", { textContent: "Show in folder" }));
const files = make("div", { className: "files" }, open, save, folder);
const strip = make(
  "div", { className: "strip" },
  round("Picture before", "before", "left"), title, round("Next picture", "next", "right"),
  button("Find similar", "pick", { className: "main" }),
  round("Why this picture?", "why", "why"), round("Like", "like", "like"), round("Dislike", "dislike", "dislike"), round("Close", "close", "close"),
);
const large = make("dialog", { className: "large", ariaLabel: "Large view" },
  make("div", { className: "stage" }, make("figure", {}, picture), make("div", { className: "below-picture" }, about, files, strip)));
const why = make("dialog", { className: "sheet", ariaLabel: "Why this picture" });
document.body.append(large, why);

const cards = () => [...document.querySelectorAll("#grid .card")];
const source = (card) => `/api/v1/pictures/${card.dataset.key}/thumbnail?side=1280`;
let at = 0;

function show(index) {
  const all = cards();
  at = Math.max(0, Math.min(index, all.length - 1));
  const card = all[at];
  const name = card.querySelector(".pick").dataset.name;
  picture.src = source(card);
  picture.alt = name;
  play(null);
  zoom(false);
  title.replaceChildren(name, make("small", { textContent: `${at + 1} of ${all.length}` }));
  tellAbout(card.dataset.key);
  for (const mark of ["like", "dislike"])
    strip.querySelector(`[name="${mark}"]`).ariaPressed = card.querySelector(`[name="${mark}"]`).ariaPressed;
  strip.querySelector('[name="why"]').hidden = !card.querySelector('[name="why"]');
  strip.querySelector('[name="before"]').disabled = at === 0;
  if (all[at + 1]) new Image().src = source(all[at + 1]);
  else loadMore();
}

// Where the picture is, when it was taken, how large it is; and the file itself, where it may be had.
async function tellAbout(key) {
  about.textContent = "\u00a0";
  files.hidden = true;
  const answer = await insist(`/api/v1/pictures/${key}`);
  if (!answer.ok || cards()[at]?.dataset.key !== key) return;
  const known = await answer.json();
  const size = known.bytes < 1e6 ? `${Math.round(known.bytes / 1e3)} kB` : `${(known.bytes / 1e6).toFixed(1)} MB`;
  const when = known.taken ?? `file from ${known.modified.slice(0, 10)}`;
  about.textContent = [known.place, when, `${known.width} × ${known.height} ${known.format}`, size].filter(Boolean).join(" · ");
  files.hidden = false;
  open.hidden = save.hidden = !known.original;
  open.href = known.original ?? "";
  save.href = `${known.original?.split("#")[0]}?download=yes`;
  // A moment of a video: the video itself, from there on.
  if (known.original?.includes("#t=")) play(known.original);
  folder.hidden = !("atHome" in document.body.dataset);
}

// The video in the picture's place, or the picture again; also where the browser cannot play it. A video that
// does not play is not there at all: it would have the keyboard to itself.
function play(address) {
  const held = document.activeElement === film;
  film.pause();
  picture.hidden = Boolean(address);
  if (!address) {
    film.remove();
    film.removeAttribute("src");
    if (held) strip.querySelector('[name="next"]').focus();
    return;
  }
  film.ariaLabel = picture.alt;
  film.poster = picture.src;
  film.onerror = () => play(null);
  film.src = address;
  picture.after(film);
}

// The picture at its own size, to be moved about; where the browser cannot show the file, the large copy.
function zoom(on) {
  large.classList.toggle("zoomed", on);
  const card = cards()[at];
  if (on && !open.hidden && open.href && !open.href.includes("#t=")) picture.src = open.href;
  if (on) picture.onerror = () => { picture.onerror = null; picture.src = source(card); };
}

async function showFolder() {
  const answer = await insist(`/picture/${cards()[at].dataset.key}/folder`, { method: "POST", headers: { "X-Circlet": "view" } });
  if (!answer.ok) tell(await answer.text());
}

function act(name) {
  const card = cards()[at];
  large.close();
  card.querySelector(`[name="${name}"]`)?.click();
}

folder.addEventListener("click", showFolder);
picture.addEventListener("click", () => zoom(!large.classList.contains("zoomed")));
strip.addEventListener("click", (event) => {
  const name = event.target.closest("button")?.name;
  if (name === "before") show(at - 1);
  else if (name === "next") show(at + 1);
  else if (name === "close") large.close();
  else if (name) act(name);
});
large.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (event.key === "z") zoom(!large.classList.contains("zoomed"));
  if (step) { show(at + step); event.preventDefault(); }
});
large.addEventListener("click", (event) => {
  if (event.target === large || event.target.matches(".stage, figure")) large.close();
});
large.addEventListener("close", () => play(null));
large.addEventListener("close", () => cards()[at]?.querySelector(".pick").focus());

document.addEventListener("circlet:view", () => { if (large.open) large.close(); });
document.addEventListener("circlet:view-large", (event) => {
  show(cards().findIndex((card) => card.dataset.key === event.detail.key));
  large.showModal();
});

document.addEventListener("circlet:why", async (event) => {
  const said = new URLSearchParams(new FormData(event.detail.form));
  const answer = await insist(`/why/${event.detail.key}?${said}`, { headers: { "X-Circlet": "view" } });
  const html = await answer.text();
  if (!answer.ok) return tell(html);
  const body = new DOMParser().parseFromString(html, "text/html").querySelector(".why");
  const close = button("Close", "close", { className: "close" });
  close.addEventListener("click", () => why.close());
  why.replaceChildren(body);
  body.prepend(close);
  why.showModal();
});
why.addEventListener("click", (event) => { if (event.target === why) why.close(); });
