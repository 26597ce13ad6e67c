"use strict";

// Cards and hands are set here at once, and the server is told what was touched: ranges are read
// and written there alone. Without this file each touch sends the form.
const form = document.getElementById("spot");
const board = document.getElementById("board");
const notice = document.getElementById("notice");
const PAUSE_MS = 300;

async function ask(address, { edit, signal } = {}) {
  const body = new URLSearchParams(new FormData(form));
  if (edit) body.set("edit", edit);
  const answer = await fetch(address, { method: "POST", body, headers: { "HX-Request": "true" }, signal });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  notice.textContent = "";
  return text;
}

// The size of the tree, once nothing has changed for a moment. A question that a change has
// overtaken is withdrawn: six that wait for a slow answer are all the connections that a browser
// has for a server, and touches would wait behind them.
let sizeWaits;
let sizeQuestion = new AbortController();
function askSize() {
  clearTimeout(sizeWaits);
  sizeQuestion.abort();
  const { signal } = (sizeQuestion = new AbortController());
  sizeWaits = setTimeout(async () => {
    const text = await ask("/spots/size", { signal }).catch((problem) => { if (!signal.aborted) notice.textContent = problem.message; });
    if (text && !signal.aborted) showSize(text);
  }, PAUSE_MS);
}

function showSize(text) {
  const isOpen = document.getElementById("detail-table")?.open;
  document.getElementById("size").outerHTML = text;
  const table = document.getElementById("detail-table");
  if (table && isOpen) table.open = true;
}

// All trees are on the page already: the slider chooses what is shown, and what is solved.
form.addEventListener("input", (event) => {
  if (event.target.id !== "detail") return;
  for (const step of form.querySelectorAll(".detail-step")) step.hidden = step.id !== `detail-${event.target.value}`;
  event.target.setAttribute("aria-describedby", `detail-${event.target.value}`);
  form.querySelectorAll(".steps tbody tr").forEach((row, number) => row.classList.toggle("me", number === Number(event.target.value)));
});

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
const sending = {};
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

// Sends what was painted until all of it is in the text, or the server refuses.
function send(player) {
  return sending[player] ??= sendAll(player).finally(() => { delete sending[player]; });
}

async function sendAll(player) {
  const text = document.getElementById(player);
  do {
    const cells = painted[player];
    painted[player] = new Map();
    const edit = [player, ...[...cells].map(([hand, share]) => `${hand}:${share}`)].join(" ");
    const before = text.value;
    try {
      const made = document.createRange().createContextualFragment(await ask("/spots/edit", { edit }));
      // What was typed meanwhile counts more.
      if (text.value === before) text.value = made.getElementById(player).value;
      for (const name of ["count", "problem", "notations"]) {
        const was = document.getElementById(`${player}-${name}`);
        const now = made.getElementById(`${player}-${name}`);
        if (was && now) {
          now.open = was.open;
          was.replaceWith(now);
        }
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
      painted[player] = new Map([...cells, ...painted[player]]);  // sent with the next touch
      notice.textContent = problem.message;
      return;
    }
  } while (painted[player].size);
}

// A form that leaves takes every touch along.
form.addEventListener("submit", async (event) => {
  const players = Object.keys(painted).filter((player) => painted[player].size || sending[player]);
  if (!players.length) return;
  event.preventDefault();
  await Promise.all(players.map(send));
  if (!players.some((player) => painted[player].size)) form.requestSubmit(event.submitter);
});

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
  else if (!["brush", "detail"].includes(event.target.name)) askSize();
});
board.addEventListener("input", () => { showBoard(); askSize(); });
if (board.value) askSize();
