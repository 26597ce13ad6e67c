"use strict";

// Locks painted on the grid of a solution: a mix is set with sliders, then drawn over hands by mouse
// or finger. Without this file each hand has links that lock it alone. The page of a spot that is
// still being solved is replaced when it is done, so everything listens on the document.
const painted = new Map();  // by class of hands: the mix, as in the lines of a spot
let drawing = null;

const locks = () => document.getElementById("locks");
const isPainting = () => locks()?.dataset.painting === "true";
const weights = () => [...locks().querySelectorAll("input[type=range]")];

// Each slider is the share of its action, so all of them sum to 100. One that is moved keeps what it
// is set to, and the others give way in proportion to what they had when it was taken hold of.
let former = null;

function balance(moved) {
  const rest = weights().filter((input) => input !== moved);
  former ??= rest.map((input) => Number(input.value));
  if (!rest.length) moved.value = 100;
  const left = 100 - Number(moved.value);
  const sum = former.reduce((one, two) => one + two, 0);
  const parts = former.map((share) => Math.floor(sum ? (left * share) / sum : left / rest.length));
  if (rest.length) parts[former.indexOf(Math.max(...former))] += left - parts.reduce((one, two) => one + two, 0);
  rest.forEach((input, number) => { input.value = parts[number]; });
}

const shares = () => weights().map((input) => Number(input.value));

function mixOf(parts) {
  return weights().map((input, number) => [input.dataset.action, parts[number]])
    .filter(([, share]) => share > 0).map(([action, share]) => `${action} ${share / 100}`).join(", ");
}

function showMix() {
  const parts = shares();
  weights().forEach((input, number) => {
    const words = `${parts[number]} %`;
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
  const text = mixOf(parts);
  drawing = { parts, text, erases: painted.get(cell.dataset.hand)?.text === text };
  paintCell(cell);
}

document.addEventListener("input", (event) => {
  if (!event.target.closest("#locks") || event.target.type !== "range") return;
  balance(event.target);
  showMix();
});
document.addEventListener("change", (event) => { if (event.target.closest("#locks")) former = null; });
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
