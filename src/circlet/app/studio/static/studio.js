// Everything here makes quick what already works without it: forms and links stay the truth.
import "./zoom.js";
import "./stage.js";

document.documentElement.classList.add("js");
const form = document.getElementById("answer");
const writing = (node) => node?.matches?.("textarea, select, input:not([type=radio]):not([type=checkbox]):not([type=hidden])");

// What was begun is there again after a lost connection or a reload, until it is sent.
const field = form?.querySelector("textarea[name=text]");
const draft = form && `circlet-draft-${form.dataset.item}`;
if (field) {
  const kept = sessionStorage.getItem(draft);
  if (kept && !field.value) field.value = kept;
  field.addEventListener("input", () => sessionStorage.setItem(draft, field.value));
  form.addEventListener("submit", () => { if (form.checkValidity()) setTimeout(() => sessionStorage.removeItem(draft), 2000); });
  field.setSelectionRange(field.value.length, field.value.length);
}

// The guidelines, while somebody types: the same rules that the review goes by.
const told = document.getElementById("breaches");
let pause = 0, asked = "";
async function check() {
  asked = field.value;
  const query = new URLSearchParams({ task: field.dataset.check, text: asked });
  try {
    const answer = await fetch(`/studio/check?${query}`);
    if (!answer.ok || asked !== field.value) return;
    const rules = field.value.trim().includes(" ") ? await answer.json() : [];
    told.replaceChildren(...rules.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
  } catch { /* it is checked again when it is sent and looked at */ }
}
if (field?.dataset.check) {
  field.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(check, 400); });
  if (field.value) check();
}

// Words belong to one line of several: writing them chooses it.
for (const part of document.querySelectorAll("[data-kind]"))
  part.addEventListener("input", () => {
    const line = form.querySelector(`[name="${part.dataset.kind}"][value="${part.dataset.value ?? "words"}"]`);
    if (part.value.trim()) line.checked = true;
  });

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    const button = (event.target.closest?.("form") ?? form)?.querySelector("button.main");
    if (button) { event.preventDefault(); button.click(); }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || writing(event.target) || document.querySelector("dialog[open]")) return;
  if (/^[0-9]$/.test(event.key)) {
    const number = event.key === "0" ? "10" : event.key;
    const radio = form?.querySelector(`input[data-number="${number}"]`);
    if (radio) { radio.checked = true; radio.focus(); event.preventDefault(); }
  }
  if (event.key === "u") document.getElementById("undo")?.click();
  if (event.key === "?") { const keys = document.getElementById("keys"); keys.open = !keys.open; }
});
