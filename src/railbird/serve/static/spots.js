"use strict";

// Cards and hands are set here at once, and the server is told what was touched: ranges are read
// and written there alone. Without this file each touch sends the form.
const form = document.getElementById("spot");
const board = document.getElementById("board");
const notice = document.getElementById("notice");
const PAUSE_MS = 300;

async function ask(address, edit) {
  const body = new URLSearchParams(new FormData(form));
  if (edit) body.set("edit", edit);
  const answer = await fetch(address, { method: "POST", body, headers: { "HX-Request": "true" } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  notice.textContent = "";
  return text;
}

// The size of the tree, once nothing has changed for a moment; the last answer counts.
let sizeWaits;
let asked = 0;
function askSize() {
  clearTimeout(sizeWaits);
  sizeWaits = setTimeout(async () => {
    const number = ++asked;
    const text = await ask("/spots/size").catch((problem) => { notice.textContent = problem.message; });
    if (number === asked && text) document.getElementById("size").outerHTML = text;
  }, PAUSE_MS);
}

const cardsOf = (text) => (text.match(/[2-9TJQKA][cdhs]/gi) || []).map((card) => card[0].toUpperCase() + card[1].toLowerCase());

function showBoard() {
  const cards = cardsOf(board.value);
  for (const button of form.querySelectorAll("#board-set button")) {
    button.setAttribute("aria-pressed", String(cards.includes(button.value.split(" ")[1])));
  }
}

function touchCard(card) {
  const cards = cardsOf(board.value);
  if (cards.includes(card)) cards.splice(cards.indexOf(card), 1);
  else if (cards.length < 5) cards.push(card);
  board.value = cards.join("");
  showBoard();
  askSize();
}

// What was painted and is not yet in the text of the range.
const painted = { oop: new Map(), ip: new Map() };
const isSending = {};
const waits = {};

function show(button, share) {
  button.className = `w${Math.ceil(share / 10)}`;
  button.dataset.share = share;
  button.setAttribute("aria-label", `${button.textContent}, ${share} %`);
}

function paint(button, share) {
  const [player, hand] = button.value.split(" ");
  show(button, share);
  painted[player].set(hand, share);
  clearTimeout(waits[player]);
  waits[player] = setTimeout(() => send(player), PAUSE_MS);
}

function shareFor(button) {
  const brush = Number(form.elements.brush.value);
  return Number(button.dataset.share) === brush ? 0 : brush;
}

async function send(player) {
  if (isSending[player]) return;
  isSending[player] = true;
  const edit = [player, ...[...painted[player]].map(([hand, share]) => `${hand}:${share}`)].join(" ");
  painted[player].clear();
  const text = document.getElementById(player);
  const before = text.value;
  try {
    const made = document.createRange().createContextualFragment(await ask("/spots/edit", edit));
    // What was typed meanwhile counts more.
    if (text.value === before) text.value = made.getElementById(player).value;
    for (const name of ["count", "problem"]) {
      const was = document.getElementById(`${player}-${name}`);
      const now = made.getElementById(`${player}-${name}`);
      if (was && now) was.replaceWith(now);
      else if (was) was.remove();
      else if (now) text.after(now);
    }
    if (document.getElementById(`${player}-problem`)) text.setAttribute("aria-invalid", "true");
    else text.removeAttribute("aria-invalid");
    for (const cell of made.querySelectorAll(".grid169 button")) {
      if (painted[player].has(cell.value.split(" ")[1])) continue;
      show(form.querySelector(`[value="${cell.value}"]`), Number(cell.dataset.share));
    }
    askSize();
  } catch (problem) {
    notice.textContent = problem.message;
  } finally {
    isSending[player] = false;
    if (painted[player].size) send(player);
  }
}

// A mouse paints as it is drawn over hands; a finger touches one at a time, so that pages scroll.
let brush = null;
let pressed = null;
form.addEventListener("pointerdown", (event) => {
  const button = event.target.closest(".grid169 button");
  if (!button || event.pointerType !== "mouse" || event.button) return;
  brush = shareFor(button);
  pressed = button;
  paint(button, brush);
});
form.addEventListener("pointerover", (event) => {
  const button = event.target.closest(".grid169 button");
  if (brush !== null && button && Number(button.dataset.share) !== brush) paint(button, brush);
});
document.addEventListener("pointerup", () => {
  brush = null;
  setTimeout(() => { pressed = null; });  // after the click
});

form.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=edit]");
  if (!button || !/^(board|oop|ip) /.test(button.value)) return;
  event.preventDefault();
  if (button.value.startsWith("board ")) touchCard(button.value.split(" ")[1]);
  else if (pressed === null) paint(button, shareFor(button));
  pressed = null;
});
form.addEventListener("change", (event) => {
  if (event.target.id in painted) send(event.target.id);
  else if (event.target.name !== "brush") askSize();
});
board.addEventListener("input", () => { showBoard(); askSize(); });
if (board.value) askSize();
