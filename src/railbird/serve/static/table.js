"use strict";

// The table works without this file, by forms; here are keys, sizes of raises, the clock and sound.
(() => {
  const box = document.getElementById("table");
  if (!box) return;
  const find = (id) => document.getElementById(id);
  const form = find("settings");

  // Settings, kept in this browser.
  const store = (() => { try { return JSON.parse(localStorage.getItem("table")) || {}; } catch { return {}; } })();
  const settings = { keys: true, sound: false, title: true, motion: true, ...store, key: { ...store.key }, size: { ...store.size } };
  const boxes = ["keys", "sound", "title", "motion"];
  const keyFields = [...form.querySelectorAll("[name^=key-]")];
  function keyOf(what) {
    const field = form.elements[`key-${what}`];
    return settings.key[what] ?? (field ? field.dataset.standard : "");
  }
  function show() {
    for (const name of boxes) form.elements[name].checked = settings[name];
    for (const field of keyFields) field.value = keyOf(field.name.slice(4));
    document.documentElement.classList.toggle("still", !settings.motion);
    for (const street of STREETS) form.elements[`size-${street}`].value = sizesOf(street).join(" ");
    showKeys();
    showSizes();
  }
  function showKeys() {
    for (const place of document.querySelectorAll("[data-shows]")) {
      const key = settings.keys ? keyOf(place.dataset.shows) : "";
      if (place.textContent !== key.toUpperCase()) place.textContent = key.toUpperCase();
      place.hidden = !key;
    }
  }
  function keep() {
    try { localStorage.setItem("table", JSON.stringify(settings)); } catch { /* a private window */ }
    show();
  }
  form.addEventListener("input", (event) => {
    const field = event.target;
    if (boxes.includes(field.name)) settings[field.name] = field.checked;
    else if (field.name.startsWith("size-")) {
      settings.size[field.name.slice(5)] = field.value;
      try { localStorage.setItem("table", JSON.stringify(settings)); } catch { /* a private window */ }
      return showSizes();
    } else if (field.name.startsWith("key-")) settings.key[field.name.slice(4)] = field.value.trim().toLowerCase();
    keep();
  });
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    Object.assign(settings, { keys: true, sound: false, title: true, motion: true, key: {}, size: {} });
    keep();
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  // Speaking: the same words twice are said twice.
  function say(text) {
    const place = find("spoken");
    place.textContent = "";
    setTimeout(() => { place.textContent = text; }, 50);
  }
  // This browser's share of the seed: what it draws, no house can have chosen.
  let shared = "";
  function share() {
    const game = fact("share");
    if (!game || game === shared) return;
    shared = game;
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    fetch("/table/share" + location.search, { method: "POST", body: new URLSearchParams({ token: fact("token"), game, share: text }) });
  }

  const fact = (name) => find("facts").querySelector(`[data-fact="${name}"]`)?.textContent || "";

  // Sizes of raises: buttons and the slider set the amount, and only the button sends it.
  function setAmount(to) {
    const field = find("amount");
    if (!field) return;
    field.value = within(field, to);
    sized();
  }
  const within = (field, to) => "two" in field.dataset ? +(to > +field.min ? field.max : field.min) : Math.max(+field.min, Math.min(+field.max, Math.floor(to + 1e-9)));
  // As the server reads it: chips, big blinds, a part of the pot after a call, or a multiple.
  function amountOf(field, text = field.value) {
    const size = /^\s*([\d,]*\.?\d+)\s*(bb|%|x)?\s*$/i.exec(text), { big, match, pot } = field.dataset;
    if (/^\s*pot\s*$/i.test(text)) return within(field, +match + +pot);
    if (/^\s*(max|all-?in)\s*$/i.test(text)) return +field.max;
    if (!size) return NaN;
    const number = +size[1].replace(/,/g, "");
    switch ((size[2] || "").toLowerCase()) {
      case "bb": return within(field, number * big);
      case "%": return within(field, +match + number / 100 * pot);
      case "x": return within(field, number * (+match || +big));
      default: return number;
    }
  }
  // Sizes by street, which a person may change.
  const STREETS = ["preflop", "flop", "turn", "river"];
  // The streets of other games have the sizes of the flop.
  const sizesOf = (name) => {
    const street = STREETS.includes(name) ? name : "flop";
    return (settings.size[street] ?? form.elements[`size-${street}`].dataset.standard).trim().split(/\s+/).slice(0, 4);
  };
  const named = { "50%": "½ pot", "75%": "¾ pot", "33%": "⅓ pot", pot: "Pot" };
  function showSizes() {
    const field = find("amount");
    if (!field || "two" in field.dataset) return;
    const sizes = sizesOf(field.dataset.street);
    for (const [place, button] of [...document.querySelectorAll("[data-to]")].entries()) {
      const text = sizes[place], to = text === undefined ? NaN : amountOf(field, text);
      if (text === undefined || text === "max" || Number.isNaN(to)) continue;
      button.dataset.to = to;
      const label = named[text.toLowerCase()] ?? text;
      if (button.textContent !== label) button.textContent = label;
    }
  }
  function sized(from) {
    const field = find("amount");
    if (!field) return;
    const big = +field.dataset.big, to = amountOf(field), label = find("raise-to"), slide = find("slide");
    field.setAttribute("aria-invalid", Number.isNaN(to));
    const output = find("in-blinds");
    if (Number.isNaN(to)) { // no other amount than what is typed would be sent
      if (label) label.textContent = "\u2026";
      if (output) output.textContent = "";
      return;
    }
    if (label) label.textContent = to.toLocaleString("en");
    if (output) output.textContent = `${(to / big).toFixed(1).replace(/\.0$/, "")} bb`;
    if (slide && from !== slide) slide.value = Math.ceil((to - +field.min) / big);
    if (slide) slide.setAttribute("aria-valuetext", `${to.toLocaleString("en")}, ${output ? output.textContent : ""}`);
  }
  box.addEventListener("input", (event) => {
    const field = find("amount");
    if (event.target.id === "slide") {
      field.value = Math.min(+field.max, +field.min + event.target.value * +field.dataset.big);
      sized(event.target);
    } else if (event.target.id === "amount") sized(field);
  });
  box.addEventListener("change", (event) => {
    const to = event.target.id === "amount" ? amountOf(event.target) : NaN;
    if (!Number.isNaN(to)) event.target.value = to;
  });
  box.addEventListener("click", (event) => {
    const preset = event.target.closest("[data-to]");
    if (preset) setAmount(+preset.dataset.to);
    if (event.target.closest('#bar[data-bar="elsewhere"] a')) { event.preventDefault(); location.reload(); }
  });

  // Cards to throw away in a draw: a tap on one marks it, here or on the felt, and only the button
  // sends them. What was marked stays so while the turn lasts.
  let thrown = { turn: "", cards: new Set() };
  function showThrown() {
    const words = find("draw-words"), bar = find("bar");
    document.querySelectorAll("#felt .thrown").forEach((card) => card.classList.remove("thrown"));
    if (!words) return;
    if (thrown.turn !== bar.dataset.turn) thrown = { turn: bar.dataset.turn, cards: new Set() };
    for (const field of bar.querySelectorAll("[name=cards]")) {
      field.checked = thrown.cards.has(field.value);
      document.querySelector(`#felt .me .card[id$="${field.value}"]`)?.classList.toggle("thrown", field.checked);
    }
    const least = +words.dataset.least;
    words.textContent = least ? `Throw ${least} away` : thrown.cards.size ? `Draw ${thrown.cards.size}` : "Stand pat";
    words.closest("button").disabled = thrown.cards.size < least;
  }
  box.addEventListener("change", ({ target }) => {
    if (target.name !== "cards") return;
    if (target.checked && thrown.cards.size < +find("draw-words").dataset.most) thrown.cards.add(target.value);
    else thrown.cards.delete(target.value);
    showThrown();
  });
  box.addEventListener("click", ({ target }) => {
    const card = target.closest("#felt .me .card[id]");
    if (card) find(`throw-${card.id.slice(-2)}`)?.click();
  });

  // Buttons belong to a turn and to a price. Where the price changes under somebody's finger they
  // rest for half a second.
  let priced = "", restsUntil = 0;
  function rest() {
    const bar = find("bar"), now = `${bar.dataset.bar} ${bar.dataset.price}`;
    const buttons = ["turn", "ahead"].includes(bar.dataset.bar);
    if (buttons && priced && now !== priced) {
      restsUntil = performance.now() + 500;
      setTimeout(showRest, 510);
    }
    priced = buttons ? now : priced && "nothing";
    showRest(); // any swap of the bar, a hint's for one, takes the class away
  }
  function showRest() { find("bar").classList.toggle("rests", performance.now() < restsUntil); }
  box.addEventListener("submit", (event) => {
    if (!["act", "ahead"].includes(event.target.id)) return;
    if (performance.now() < restsUntil) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);

  // The clock: one step a second, whoever is to act.
  let ends = 0, limitEnds = 0, whole = 0, mine = false, timed = false, warned = false, clockKey = "", timer = 0;
  const RING = 2 * Math.PI * 15;
  function readClock() {
    const clock = find("clock"), key = JSON.stringify(clock.dataset);
    if (key !== clockKey) {
      clockKey = key;
      const now = performance.now();
      timed = clock.dataset.timed === "1";
      mine = clock.dataset.mine === "1";
      whole = +clock.dataset.whole;
      limitEnds = now + +clock.dataset.left;
      ends = limitEnds + +clock.dataset.bank;
      warned = false;
    }
    if (timed && !timer) timer = setInterval(tick, 1000);
    if (!timed && timer) { clearInterval(timer); timer = 0; }
    tick();
  }
  function tick() {
    const place = document.querySelector("#felt .clock");
    if (!timed || !place) return;
    if (!place.firstElementChild || place.firstElementChild.tagName !== "svg") {
      place.innerHTML = '<svg class="ring" viewBox="0 0 36 36" aria-hidden="true"><circle cx="18" cy="18" r="15"/><circle class="left" cx="18" cy="18" r="15"/></svg><span></span>';
    }
    const now = performance.now(), limit = Math.max(0, limitEnds - now), all = Math.max(0, ends - now);
    const share = limit > 0 ? limit / whole : all / Math.max(1, ends - limitEnds);
    const left = place.querySelector(".left");
    left.setAttribute("stroke-dasharray", `${(RING * Math.min(1, share)).toFixed(1)} ${RING.toFixed(1)}`);
    left.classList.toggle("bank", limit <= 0);
    place.lastElementChild.textContent = `${Math.ceil((limit > 0 ? limit : all) / 1000)} s`;
    if (mine && !warned && all < 10500 && all > 0) { warned = true; say(`${Math.round(all / 1000)} seconds left`); }
  }

  // My turn: a sound, and a title that blinks while the page is not seen.
  const title = document.title;
  let turn = find("say").dataset.turn, blinking = 0, audio = null;
  function beep() {
    audio ||= new AudioContext();
    const tone = audio.createOscillator(), volume = audio.createGain(), now = audio.currentTime;
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.15, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.35);
    tone.connect(volume).connect(audio.destination);
    tone.start(now);
    tone.stop(now + 0.36);
  }
  function announceTurn() {
    const now = find("say").dataset.turn;
    if (now === turn) return;
    turn = now;
    if (turn && settings.sound) beep();
    if (blinking) { clearInterval(blinking); blinking = 0; }
    document.title = turn ? `● Your turn · ${title}` : title;
    if (turn && settings.title) {
      blinking = setInterval(() => {
        document.title = document.title.startsWith("●") && document.hidden ? title : `● Your turn · ${title}`;
      }, 1000);
    }
  }

  // Chips travel over the felt once it has changed: nothing waits for them, and what moves beside
  // the felt is no part of it.
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let lay = null; // bets and their places before a swap
  function middle(element) {
    const place = element.getBoundingClientRect();
    return { x: place.x + place.width / 2, y: place.y + place.height / 2 };
  }
  function laid() {
    const felt = find("felt").firstElementChild, bets = new Map();
    for (const chip of felt.querySelectorAll(".chip")) {
      const number = chip.lastChild.textContent;
      bets.set(chip.closest(".pod").id, { chip, number, chips: +number.replace(/,/g, ""), at: middle(chip) });
    }
    return { bets, hand: felt.dataset.hand, over: felt.classList.contains("over") };
  }
  function travel(text, from, to, delay) {
    const chip = document.createElement("span");
    chip.className = "chip travels";
    chip.setAttribute("aria-hidden", "true");
    chip.textContent = text;
    chip.style.left = `${to.x}px`;
    chip.style.top = `${to.y}px`;
    document.body.append(chip);
    const path = [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none", opacity: 1, offset: 0.8 }, { transform: "none", opacity: 0 }];
    const moving = chip.animate(path, { duration: 420, delay, easing: "ease-out", fill: "backwards" });
    moving.onfinish = moving.oncancel = () => chip.remove();
  }
  function moveChips() {
    const before = lay, now = laid();
    lay = now;
    if (!before || calm.matches || !settings.motion || document.hidden) return;
    const pot = middle(document.querySelector("#felt .pots"));
    const isNew = before.hand !== now.hand;
    for (const [seat, bet] of now.bets) {
      const was = isNew ? 0 : before.bets.get(seat)?.chips || 0, pod = find(seat);
      if (bet.chips <= was) continue;
      const from = middle(pod.querySelector(".pod-stack"));
      bet.chip.animate([{ transform: `translate(${from.x - bet.at.x}px, ${from.y - bet.at.y}px)`, opacity: 0.4 }, { transform: "none" }], { duration: 260, easing: "ease-out" });
    }
    if (isNew) return;
    for (const [seat, bet] of before.bets) if (!now.bets.has(seat)) travel(bet.number, bet.at, pot, 0);
    if (!now.over || before.over) return;
    for (const pod of document.querySelectorAll("#felt .pod.won")) {
      const won = pod.querySelector(".gain");
      if (won) travel(won.textContent, pot, middle(won), before.bets.size ? 420 : 0);
    }
  }

  // The log and what is said end with what is new, and show it unless somebody has scrolled back to read.
  const scrolledBack = new Set();
  const ending = () => ["log", "said"].map(find).filter(Boolean);
  function readEnds() {
    scrolledBack.clear();
    for (const box of ending()) if (box.scrollTop + box.clientHeight < box.scrollHeight - 2) scrolledBack.add(box.id);
  }
  function showEnd() { for (const box of ending()) if (!scrolledBack.has(box.id)) box.scrollTop = box.scrollHeight; }
  // The server sends the last lines. Those before stay, or all others would move; so there is more to read.
  // Another table's lines have the same numbers: older ones stay only where what both have is the same.
  const mostOlder = 1000;
  function keepOlder(tasks) {
    const next = tasks.find((task) => task.target?.id === "log")?.fragment.firstElementChild;
    const lines = [...find("log").children], first = lines.findIndex((line) => line.id === next?.firstElementChild?.id);
    if (first < 1 || lines.slice(first).some((line, at) => line.textContent !== next.children[at]?.textContent)) return;
    next.prepend(...lines.slice(Math.max(0, first - mostOlder), first).map((line) => line.cloneNode(true)));
  }

  // Focus: what was focused stays so; where it is gone, the head of the bar has it.
  let inBar = false;
  document.addEventListener("htmx:before:swap", ({ detail }) => { keepOlder(detail.tasks); lay = laid(); readEnds(); inBar = find("bar").contains(document.activeElement); });
  document.addEventListener("htmx:after:swap", () => {
    moveChips();
    showEnd();
    rest();
    readClock();
    announceTurn();
    share();
    showKeys();
    showSizes();
    sized();
    showThrown();
    if (inBar && document.activeElement === document.body) find("bar-head")?.focus({ preventScroll: true });
    if (document.activeElement?.id === "bar-head") inBar = true;
  });

  // What the server said is read with a tap or Escape, and no longer true once something else is tried.
  const unsay = () => find("notice").replaceChildren();
  box.addEventListener("click", ({ target }) => { if (target.closest("#notice") && !target.closest("a")) unsay(); });
  box.addEventListener("submit", unsay);
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") unsay(); });

  // Keys.
  const speaking = { "say-cards": "cards", "say-board": "board", "say-pot": "pot", "say-stacks": "stacks", "say-last": "last" };
  function press(what) {
    if (speaking[what]) return say(fact(speaking[what]));
    if (what === "say-turn") return say(find("say").textContent.trim() || find("bar-head").textContent.trim());
    const field = find("amount");
    if (what === "more" || what === "less") return field && setAmount((amountOf(field) || +field.min) + (what === "more" ? 1 : -1) * +field.dataset.big);
    if (what === "amount") return field && (field.focus(), field.select());
    const button = document.querySelector(`#bar [data-do="${what}"]`);
    if (button) button.click();
    return button;
  }
  document.addEventListener("keydown", (event) => {
    if (!settings.keys || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const at = event.target;
    if (at.id === "amount" && event.key === "Escape") { at.blur(); return; }
    if (at.closest("input:not([type=checkbox]):not([type=range]), select, textarea")) {
      // In the amount, digits are typed; letters are keys as everywhere.
      if (at.id !== "amount" || !/^[a-z]$/i.test(event.key) || /[bx]/i.test(event.key)) return;
    }
    const found = keyFields.map((one) => one.name.slice(4)).find((what) => keyOf(what) === event.key.toLowerCase());
    if (!found) return;
    event.preventDefault();
    press(found);
  });

  // What was said is gone from its field.
  // The address of a private table: to another program on a phone, else to the clipboard, which
  // browsers have for pages by HTTPS and of this machine alone.
  box.addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-copies]");
    if (!button) return;
    const url = new URL(button.dataset.copies, location).href;
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url });
      await navigator.clipboard.writeText(url);
      say(button.textContent = "Copied");
    } catch (problem) {
      if (problem.name !== "AbortError") prompt("The link to this table", url);
    }
  });
  document.addEventListener("htmx:after:request", ({ target }) => { if (target.matches?.("[data-clears]")) target.reset(); });

  // Without its socket the page asks by itself.
  let polling = 0;
  const connected = (on) => {
    box.classList.toggle("offline", !on);
    if (on && polling) { clearInterval(polling); polling = 0; }
    if (!on && !polling) polling = setInterval(() => htmx.trigger("#poll", "poll"), 3000);
  };
  document.addEventListener("htmx:ws:after:connection", () => connected(true));
  document.addEventListener("htmx:ws:close", (event) => {
    if (event.detail?.code !== 4003) connected(false);
  });

  find("open-settings")?.addEventListener("click", () => {
    form.closest("details").open = true;
  });
  // htmx may have begun before its extension was loaded, and then does not know of the socket.
  htmx.process(box);
  show();
  showEnd();
  readClock();
  sized();
  rest();
  share();
  showThrown();
})();
