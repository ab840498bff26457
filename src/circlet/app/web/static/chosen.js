// Chosen pictures stay chosen while the page changes under them; and the link to what is seen, copied.
import { announce, tell } from "./news.js";

const chosen = new Set();
const boxes = () => document.querySelectorAll('#grid [name="chosen"]');

document.addEventListener("change", (event) => {
  if (event.target.name !== "chosen") return;
  chosen[event.target.checked ? "add" : "delete"](event.target.value);
  announce(`${chosen.size} chosen`);
});
document.addEventListener("reset", () => chosen.clear());
document.addEventListener("circlet:view", () => {
  for (const box of boxes()) box.checked = chosen.has(box.value);
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "x" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  event.target.closest?.("#grid .card")?.querySelector('[name="chosen"]').click();
});

document.addEventListener("click", async (event) => {
  if (!event.target.closest?.("#copy")) return;
  try {
    await navigator.clipboard.writeText(location.href);
    tell("The link is copied.");
  } catch {
    // Only a page that came by a safe way, or from this machine, may write there.
    tell(`The browser does not let this page copy: the link is the page's own address.`);
  }
});
