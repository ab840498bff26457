// The bar of an indexing run, asked for once a second. Nothing that somebody looks at, types or has
// chosen is moved by it: an empty page fills itself, any other offers what is new.
import { waiting } from "./live.js";
import { announce, insist } from "./news.js";

let following = "";

const empty = () => document.getElementById("grid") && !document.querySelector("#grid .card");

async function follow() {
  const note = document.getElementById("indexing");
  if (!note || following === note.dataset.job) return;
  following = note.dataset.job;
  let job;
  do {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    job = await (await insist(`/api/v1/jobs/${following}`)).json();
    if (job.state === "running" && job.total) advance(job);
    if (job.done && empty()) await fill();
  } while (job.state === "running");
  following = "";
  const status = document.getElementById("status");
  if (status) status.innerHTML = await (await insist("/status", { headers: { "X-Circlet": "view" } })).text();
  else if (empty()) await fill();
  finish(job);
}

function advance(job) {
  const note = document.getElementById("indexing");
  if (!note) return;
  const bar = note.querySelector("progress");
  bar.max = job.total;
  bar.value = job.done;
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

function finish(job) {
  const note = document.getElementById("indexing");
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
