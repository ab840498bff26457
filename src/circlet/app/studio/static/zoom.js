// One picture large; arrows lead to the others of the page, Z and Escape back.
const words = document.getElementById("studio-words")?.dataset ?? {};
const picture = Object.assign(document.createElement("img"), { alt: "" });
const title = Object.assign(document.createElement("div"), { className: "title" });
const close = Object.assign(document.createElement("button"), { type: "button", textContent: "×", ariaLabel: words.close });
const large = Object.assign(document.createElement("dialog"), { className: "large", ariaLabel: words.large });
const stage = Object.assign(document.createElement("div"), { className: "stage" });
const figure = document.createElement("figure");
const strip = Object.assign(document.createElement("div"), { className: "strip" });
figure.append(picture);
strip.append(title, close);
stage.append(figure, strip);
large.append(stage);
document.body.append(large);

const all = () => [...document.querySelectorAll("[data-zoom]")];
let at = 0;

function show(place) {
  const links = all();
  at = (place + links.length) % links.length;
  picture.src = links[at].href;
  picture.alt = links[at].dataset.zoom;
  title.textContent = `${links[at].dataset.zoom} · ${at + 1} / ${links.length}`;
}
function open(place) {
  if (!all().length) return;
  show(place);
  large.showModal();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-zoom]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(all().indexOf(link));
});
stage.addEventListener("click", () => large.close());
close.addEventListener("click", () => large.close());
large.addEventListener("close", () => all()[at]?.focus());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (large.open) {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1 }[event.key];
    if (step) { show(at + step); event.preventDefault(); }
    if (event.key === "z") large.close();
    return;
  }
  if (event.key !== "z" || event.target.matches?.("textarea, input[type=text], select")) return;
  const near = event.target.closest?.(".option, li, figure")?.querySelector("[data-zoom]");
  open(Math.max(0, all().indexOf(near ?? event.target.closest?.("[data-zoom]"))));
});
