"use strict";

// Before anything is drawn, so that nothing moves when what needs a script appears: not deferred.
document.documentElement.classList.add("keys");

// One key for each button; the buttons work without this file.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, select, textarea, summary")) return;
  const button = document.querySelector(`#game button[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!button || button.disabled) return;
  event.preventDefault();
  button.click();
});

// The button that was pressed is gone after a swap. Its focus goes to the next hand's button, but
// to no choice: one that Enter makes unasked would be made too often.
document.addEventListener("htmx:after:swap", () => {
  if (document.activeElement !== document.body) return;
  const next = document.querySelector("#game button[data-key=n], #headline");
  if (next) next.focus({ preventScroll: true });
});

// A card that was touched is drawn anew: the focus stays on it, and the address says what is set.
let touched = "";
document.addEventListener("htmx:before:swap", () => { touched = document.activeElement.id; });
document.addEventListener("htmx:after:swap", () => {
  const set = document.querySelector("[data-address]");
  if (set) history.replaceState(null, "", set.dataset.address);
  if (document.activeElement !== document.body || !touched) return;
  const again = document.getElementById(touched);
  if (again) again.focus({ preventScroll: true });
});

// A form that loads another page is sent once, and where that takes long, this is said. Browsers do
// not tell that somebody stopped it, so it may be sent again after a while.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.ariaBusy) return event.preventDefault();
  form.ariaBusy = "true";
  const words = document.createElement("p");
  words.className = "unseen"; // until it says something, or all below would move
  words.role = "status";
  form.append(words);
  const late = setTimeout(() => { words.className = "note"; words.textContent = "Please wait: this takes a moment."; }, 1500);
  const done = () => { clearTimeout(late); words.remove(); form.ariaBusy = null; };
  setTimeout(done, 20_000);
  addEventListener("pageshow", done, { once: true }); // back to a page that the browser had kept
});

// Said for as long as it is true: until a request is answered.
const UNANSWERED = "The server does not respond. Please try again.";
document.addEventListener("htmx:error", () => {
  document.getElementById("notice").textContent = UNANSWERED;
});
document.addEventListener("htmx:after:swap", () => {
  const notice = document.getElementById("notice");
  if (notice?.textContent === UNANSWERED) notice.textContent = "";
});
