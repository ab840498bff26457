// The bar of an indexing run: asked for once a second while it runs, then the page is fetched anew.
import { visit } from "./live.js";
import { insist } from "./news.js";

let following = "";

async function follow() {
  const note = document.getElementById("indexing");
  if (!note || following === note.dataset.job) return;
  following = note.dataset.job;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const job = await (await insist(`/api/v1/jobs/${following}`)).json();
    const now = document.getElementById("indexing");
    if (job.state !== "running") break;
    if (!now || !job.total) continue;
    const bar = now.querySelector("progress");
    bar.max = job.total;
    bar.value = job.done;
    now.querySelector(".told").textContent = `${job.done} of ${job.total}`;
  }
  following = "";
  const status = document.getElementById("status");
  if (status) status.innerHTML = await (await insist("/status", { headers: { "X-Circlet": "view" } })).text();
  else visit(location.href, { replace: true });
}

document.addEventListener("circlet:view", follow);
follow();
