// Ten pictures: one of them large, its neighbours by arrows, so that small changes can be seen.
const stage = document.querySelector("[data-stage]");
const frames = stage ? [...document.querySelectorAll(".ten [data-zoom]")] : [];

if (frames.length) {
  const picture = Object.assign(document.createElement("img"), { alt: "" });
  const told = document.createElement("p");
  told.setAttribute("aria-live", "polite");
  stage.append(picture, told);
  stage.hidden = false;
  let at = frames.findIndex((frame) => frame.closest("[data-marked]"));
  const show = (place) => {
    at = (place + frames.length) % frames.length;
    const marked = frames[at].closest("[data-marked]");
    picture.src = frames[at].href;
    picture.alt = frames[at].dataset.zoom;
    told.textContent = `${at + 1} / ${frames.length}${marked ? ` · ${frames[at].dataset.zoom}` : ""}`;
    stage.classList.toggle("on-target", Boolean(marked));
    frames.forEach((frame, place) => frame.closest("li").classList.toggle("now", place === at));
  };
  for (const frame of frames) new Image().src = frame.href;
  show(at);
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.altKey || event.metaKey) return;
    const inText = event.target.matches?.("textarea, input[type=text]");
    const step = { PageDown: 1, PageUp: -1, ...(inText ? {} : { ArrowRight: 1, ArrowLeft: -1 }) }[event.key];
    if (step) { show(at + step); event.preventDefault(); }
  });
}
