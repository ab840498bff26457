// A picture by drop, by paste or by choosing a file: all three fill the same form.
import { spoken, submit } from "./live.js";
import { tell } from "./news.js";

const form = () => document.getElementById("ask");

function send(file) {
  const field = document.getElementById("file");
  const most = Number(field.dataset.most);
  const said = spoken(form());
  // A file that was refused must not go along with the next words.
  field.value = "";
  if (!file.type.startsWith("image/")) return tell(`${file.name} is not a picture.`);
  if (file.size > most) return tell(`${file.name} is too large: a picture may have ${Math.floor(most / 1e6)} MB.`);
  said.set("picture", file);
  submit(form(), said);
}

document.addEventListener("change", (event) => {
  if (event.target.id === "file" && event.target.files.length) send(event.target.files[0]);
});

document.addEventListener("paste", (event) => {
  const [file] = event.clipboardData?.files ?? [];
  if (!file || !form()) return;
  event.preventDefault();
  send(file);
});

// A picture dragged from the grid is one of the collection: its key stands in its address.
const keyIn = (words) => /\/pictures\/([\w-]{11,25})\/thumbnail/.exec(words)?.[1];

document.addEventListener("dragover", (event) => {
  if (!form()) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  if (!form()) return;
  event.preventDefault();
  const key = keyIn(event.dataTransfer.getData("text/uri-list"));
  const [file] = event.dataTransfer.files;
  if (key) document.querySelector(`.card[data-key="${key}"] .pick`)?.click();
  else if (file) send(file);
});
