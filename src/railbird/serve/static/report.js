"use strict";

// Arrow keys step through a replay; the slider has its own.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, summary, .scroll")) return;
  const step = document.querySelector(`#replay [data-step="${CSS.escape(event.key)}"]`);
  if (!step) return;
  event.preventDefault();
  step.click();
});

document.addEventListener("htmx:after:swap", () => {
  const said = document.querySelector("[data-said]");
  const live = document.getElementById("live");
  if (said && live) live.textContent = said.textContent;
});

// A file may be dropped on the form.
const drop = document.getElementById("drop");
if (drop) {
  const file = document.getElementById("file");
  for (const kind of ["dragenter", "dragover"]) {
    drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  for (const kind of ["dragleave", "drop"]) {
    drop.addEventListener(kind, () => drop.classList.remove("over"));
  }
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length !== 1) return;
    file.files = event.dataTransfer.files;
    file.focus();
  });
}
