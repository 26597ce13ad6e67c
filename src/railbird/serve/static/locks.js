"use strict";

// Locks painted on the grid of a solution: a mix is set with sliders, then drawn over hands by mouse
// or finger. Without this file each hand has links that lock it alone. The page of a spot that is
// still being solved is replaced when it is done, so everything listens on the document.
const painted = new Map();  // by class of hands: the mix, as in the lines of a spot
let drawing = null;

const locks = () => document.getElementById("locks");
const isPainting = () => locks()?.dataset.painting === "true";
const weights = () => [...locks().querySelectorAll("input[type=range]")];

// The shares in hundredths that sum to 1: what is rounded off goes to the largest.
function shares() {
  const all = weights().map((input) => Number(input.value));
  const sum = all.reduce((one, two) => one + two, 0);
  if (!sum) return null;
  const rounded = all.map((weight) => Math.round((100 * weight) / sum));
  const largest = rounded.indexOf(Math.max(...rounded));
  rounded[largest] += 100 - rounded.reduce((one, two) => one + two, 0);
  return rounded;
}

function mixOf(parts) {
  return weights().map((input, number) => [input.dataset.action, parts[number]])
    .filter(([, share]) => share > 0).map(([action, share]) => `${action} ${share / 100}`).join(", ");
}

function showMix() {
  const parts = shares();
  weights().forEach((input, number) => {
    const words = parts ? `${parts[number]} %` : "–";
    input.nextElementSibling.textContent = words;
    input.setAttribute("aria-valuetext", words);
  });
}

function cellAt(event) {
  const where = document.elementFromPoint(event.clientX, event.clientY);
  return where?.closest("#grid a[data-hand]");
}

function draw(cell) {
  cell.querySelector(".paint")?.remove();
  const mix = painted.get(cell.dataset.hand);
  if (!mix) return;
  const rect = cell.querySelector(".cell");
  const group = document.createElementNS(rect.namespaceURI, "g");
  group.setAttribute("class", "paint");
  let left = Number(rect.getAttribute("x"));
  weights().forEach((input, number) => {
    const width = (25 * mix.parts[number]) / 100;
    const bar = document.createElementNS(rect.namespaceURI, "rect");
    for (const [name, value] of Object.entries({ x: left, y: rect.getAttribute("y"), width, height: 25, class: input.dataset.style })) bar.setAttribute(name, value);
    group.append(bar);
    left += width;
  });
  const frame = rect.cloneNode();
  frame.setAttribute("class", "locked");
  group.append(frame);
  cell.insertBefore(group, cell.querySelector("text"));
}

function paintCell(cell) {
  const { hand } = cell.dataset;
  if (drawing.erases) painted.delete(hand);
  else painted.set(hand, { text: drawing.text, parts: drawing.parts });
  draw(cell);
  showPainted();
}

// Hands by their mix, in the order in which the mixes were first painted.
function byMix() {
  const groups = new Map();
  for (const [hand, mix] of painted) groups.set(mix.text, [...(groups.get(mix.text) ?? []), hand]);
  return groups;
}

function showPainted() {
  const list = document.getElementById("locks-painted");
  list.replaceChildren(...[...byMix()].map(([mix, hands]) => {
    const item = document.createElement("li");
    item.textContent = `${hands.join(", ")}: ${mix}`;
    return item;
  }));
  locks().querySelector(".main").disabled = !painted.size;
}

function begin(cell) {
  const parts = shares();
  if (!parts) return;
  const text = mixOf(parts);
  drawing = { parts, text, erases: painted.get(cell.dataset.hand)?.text === text };
  paintCell(cell);
}

document.addEventListener("input", (event) => {
  if (event.target.closest("#locks") && event.target.type === "range") showMix();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("#locks-begin");
  if (button) {
    const paints = !isPainting();
    locks().dataset.painting = paints;
    button.setAttribute("aria-pressed", paints);
    document.getElementById("locks-mix").hidden = !paints;
    document.getElementById("grid").classList.toggle("paints", paints);
    if (paints) showMix();
    return;
  }
  const cell = event.target.closest("#grid a[data-hand]");
  if (!cell || !isPainting()) return;
  event.preventDefault();
  if (event.detail) return;  // a mouse or a finger has painted it already
  begin(cell);
  drawing = null;
});
document.addEventListener("pointerdown", (event) => {
  const cell = event.target.closest("#grid a[data-hand]");
  if (!cell || !isPainting() || event.button) return;
  event.preventDefault();
  if (cell.hasPointerCapture?.(event.pointerId)) cell.releasePointerCapture(event.pointerId);
  begin(cell);
});
document.addEventListener("pointermove", (event) => {
  const cell = drawing && cellAt(event);
  if (cell && (drawing.erases ? painted.has(cell.dataset.hand) : painted.get(cell.dataset.hand)?.text !== drawing.text)) paintCell(cell);
});
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => { drawing = null; });
document.addEventListener("dragstart", (event) => { if (isPainting() && event.target.closest("#grid")) event.preventDefault(); });
document.addEventListener("submit", (event) => {
  if (event.target.id !== "locks") return;
  for (const old of event.target.querySelectorAll("input[name=lock]")) old.remove();
  for (const [mix, hands] of byMix()) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name: "lock", value: `${event.target.dataset.line} > ${hands.join(",")} > ${mix}` });
    event.target.append(input);
  }
});
if (locks()) locks().hidden = false;
document.addEventListener("htmx:after:swap", () => { painted.clear(); if (locks()) locks().hidden = false; });
