"""Somebody who plays in Chromium: by keys, by touch, or without script."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page

PASSWORD: Final = "correct horse battery"
_NUMBERS = itertools.count(1)

SIZES: Final[dict[str, dict[str, Any]]] = {
    "360x640": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
    "390x844": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "1280x800": {"viewport": {"width": 1280, "height": 800}},
}

PICTURES: Final = os.environ.get("RAILBIRD_PICTURES", "")
"""Folder for pictures of every state in which axe looks at a page; none if empty."""

PATIENCE: Final = 30_000
"""Milliseconds for the house players on a busy machine."""


class TablePerson:
    """A person with a browser of one size."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        self.name = f"ann{next(_NUMBERS)}"
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self.pictures = 0
        self.context = browser.new_context(**options)
        self.page = self.new_page()

    def new_page(self) -> Page:
        """Another tab."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "request",
            lambda asked: None if asked.url.startswith(self.address) else self._outside(asked.url),
        )
        return page

    def _outside(self, url: str) -> None:
        if not url.startswith(self.address.replace("http", "ws", 1)):
            self.foreign.append(url)

    def sign_up(self) -> None:
        page = self.page
        page.goto(f"{self.address}/account")
        page.fill("#sign-up-name", self.name)
        page.fill("#sign-up-password", PASSWORD)
        page.locator("#sign-up-password").press("Enter")
        page.wait_for_url("**/play")

    def enter(self, queue: str, *, by_keyboard: bool = False) -> None:
        """Wait for a tournament until it begins."""
        self.press(self.page.locator(f"#queue-{queue}"), by_keyboard=by_keyboard)
        self.page.wait_for_url("**/table")

    def practise(self, *opponents: str, betting: str = "no-limit", stack: int = 2000) -> None:
        """Open a practice table."""
        page = self.page
        page.goto(f"{self.address}/play")
        page.select_option("select[name=betting]", betting)
        page.fill("input[name=stack]", str(stack))
        for number, select in enumerate(page.locator("fieldset select").all()):
            select.select_option(opponents[number] if number < len(opponents) else "")
        page.locator("#practice button").first.click()
        page.wait_for_url("**/table")

    def press(self, button: Locator, *, by_keyboard: bool) -> None:
        """Press a button as a finger or a keyboard does."""
        if by_keyboard:
            button.focus()
            self.page.keyboard.press("Enter")
        elif self.page.viewport_size and self.page.viewport_size["width"] < 500:
            button.tap()
        else:
            button.click()

    @property
    def bar(self) -> Locator:
        return self.page.locator("#bar")

    def until(self, *bars: str) -> str:
        """Wait for one of some states of the table; return which."""
        wanted = ", ".join(f"#bar[data-bar={bar}]" for bar in bars)
        self.page.locator(wanted).wait_for()
        return self.bar.get_attribute("data-bar") or ""

    @property
    def turn(self) -> str:
        return self.bar.get_attribute("data-turn") or ""

    def act(self, what: str, *, by_keyboard: bool = False) -> None:
        """Act once the buttons are awake, and wait until the turn is over."""
        turn = self.turn
        self.page.locator("#bar:not(.rests)").wait_for()
        if by_keyboard:
            self.page.keyboard.press({"fold": "f", "call": "c", "raise": "r"}[what])
        else:
            self.press(self.page.locator(f"#do-{what}"), by_keyboard=False)
        self.page.wait_for_function(
            "turn => document.getElementById('bar').dataset.turn !== turn", arg=turn
        )

    def axe(self) -> list[str]:
        """What axe complains about; a picture of what it saw is kept where that is wanted."""
        if PICTURES:
            self._keep_picture(Path(PICTURES))
        found = Axe().run(self.page).response["violations"]
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]

    def _keep_picture(self, folder: Path) -> None:
        size = self.page.viewport_size or {"width": 0, "height": 0}
        is_dark = self.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        bar = self.bar.get_attribute("data-bar") if self.bar.count() else "page"
        test = os.environ["PYTEST_CURRENT_TEST"].split("::")[1].split("[")[0].split(" ")[0]
        self.pictures += 1
        scheme = "dark" if is_dark else "light"
        name = f"{size['width']}-{scheme}-{bar}-{test}-{self.name}-{self.pictures}.png"
        folder.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=folder / name, full_page=True)

    def close(self) -> None:
        self.context.close()


FITS = """() => {
  const bar = document.getElementById("bar").getBoundingClientRect();
  const felt = document.getElementById("felt").getBoundingClientRect();
  return {bottom: bar.bottom, top: felt.top, height: innerHeight,
          wide: document.documentElement.scrollWidth - innerWidth};
}"""


CONTRASTS = """() => {
  // axe cannot judge text on a gradient: here it is compared with both ends of the felt's.
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = (top, below) => {
    const a = top[3] ?? 1;
    return [0, 1, 2].map((i) => a * top[i] + (1 - a) * below[i]);
  };
  const luminance = (rgb) => {
    const linear = (c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
    const [r, g, b] = rgb.map((c) => linear(c / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ratio = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + .05) / (low + .05);
  };
  const felt = document.querySelector(".felt");
  const probe = document.createElement("i");
  felt.append(probe);
  const ends = ["--felt", "--felt-deep"].map((name) => {
    probe.style.color = `var(${name})`;
    return channels(getComputedStyle(probe).color);
  });
  probe.remove();
  const found = [];
  for (const element of felt.querySelectorAll("*")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || element.closest(".unseen, .card, noscript")) continue;
    for (const end of ends) {
      const layers = [];
      for (let at = element; at !== felt; at = at.parentElement) {
        layers.unshift(channels(getComputedStyle(at).backgroundColor));
      }
      const ground = layers.reduce((below, top) => over(top, below), end);
      const ink = over(channels(getComputedStyle(element).color), ground);
      found.push([ratio(ink, ground), element.className, element.textContent]);
    }
  }
  return found.sort((a, b) => a[0] - b[0]);
}"""
"""Contrast of each text on the felt with what is behind it, the lowest first."""
