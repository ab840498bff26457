// The bar of an indexing run, asked for once a second. Nothing that somebody looks at, types or has
// chosen is moved by it: an empty page fills itself, any other offers what is new.
import { waiting } from "./live.js";
import { announce, insist } from "./news.js";

let following = "";

// The bar of this run and of no other: while one ends, the page may already show the next.
const bar = (id) => document.querySelector(`#indexing[data-job="${id}"]`);
const empty = () => document.getElementById("grid") && !document.querySelector("#grid .card");

async function follow() {
  const id = document.getElementById("indexing")?.dataset.job;
  if (!id || following === id) return;
  following = id;
  let job;
  do {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    job = await (await insist(`/api/v1/jobs/${id}`)).json();
    if (job.state === "running" && job.total) advance(bar(id), job);
    if (job.done && empty()) await fill();
  } while (job.state === "running");
  if (following === id) following = "";
  const status = document.getElementById("status");
  if (status) {
    status.innerHTML = await (await insist("/status", { headers: { "X-Circlet": "view" } })).text();
    return follow();
  }
  if (empty()) await fill();
  finish(bar(id), job);
}

function advance(note, job) {
  if (!note) return;
  const progress = note.querySelector("progress");
  progress.max = job.total;
  progress.value = job.done;
  note.querySelector(".told").textContent = `${job.done} of ${job.total}`;
}

// The first pictures, where none were; the form above them stays as it is.
async function fill() {
  const where = location.href;
  const html = await (await insist(where, { headers: { "X-Circlet": "view" } })).text();
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (!fresh.querySelector("#grid .card") || location.href !== where || waiting() || !empty()) return;
  document.getElementById("act").replaceWith(fresh.getElementById("act"));
  document.querySelector(".pages").replaceWith(fresh.querySelector(".pages"));
  document.dispatchEvent(new Event("circlet:view"));
}

function finish(note, job) {
  if (!note) return;
  const counts = job.report ?? {};
  const changed = ["added", "updated", "moved", "forgotten"].filter((name) => counts[name]);
  const told = changed.map((name) => `${counts[name]} ${name}`).join(", ");
  const words = job.error || (told ? `Your pictures are read: ${told}.` : "Your pictures are read: nothing is new.");
  note.replaceChildren(words);
  if (told) {
    const link = Object.assign(document.createElement("a"), { href: location.href, textContent: "Show what is new" });
    note.append(" ", link);
  }
  announce(words);
}

document.addEventListener("circlet:view", follow);
follow();
