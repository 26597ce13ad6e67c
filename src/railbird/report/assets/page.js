"use strict";

const { figures, datasets } = JSON.parse(document.getElementById("figures").textContent);

// Columns to rows: the page carries each shared table once, as columns.
const tables = Object.fromEntries(
  Object.entries(datasets).map(([name, columns]) => {
    const fields = Object.keys(columns);
    const length = columns[fields[0]].length;
    const row = (i) => Object.fromEntries(fields.map((field) => [field, columns[field][i]]));
    return [name, Array.from({ length }, (_, i) => row(i))];
  }),
);

const options = {
  renderer: "svg",
  actions: false,
  ast: true, // the expression interpreter: the page's policy forbids eval
  tooltip: { disableDefaultStyle: true },
};

for (const [name, spec] of Object.entries(figures)) {
  const full = { ...spec, datasets: { ...spec.datasets, ...tables } };
  const drawn = vegaEmbed(document.getElementById(`figure-${name}`), full, options);
  // A legend has as many columns as the width has room for, which is known only once it is drawn.
  drawn.then(({ view }) => view.resize().runAsync()).catch((error) => {
    document.getElementById(`figure-${name}`).textContent = `This figure failed: ${error.message}`;
    console.error(error);
  });
}

const button = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
const label = () => { button.textContent = isDark() ? "Light" : "Dark"; };
button.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  label();
});
dark.addEventListener("change", label);
label();
button.hidden = false;

// A printed report shows its hands.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const hand of opened) hand.open = true;
});
addEventListener("afterprint", () => {
  for (const hand of opened) hand.open = false;
});
