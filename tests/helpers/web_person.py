"""Somebody at a browser without a screen, and the server that it speaks to."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal

import httpx
import numpy as np
import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from fastapi import FastAPI
from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import TimeoutError as TooLate

from helpers.hosted import PATIENCE_S
from helpers.made_up_match import made_up_equilibrium
from railbird.hosting.formats import Clocks, RingFormat, TournamentFormat
from railbird.serve import ServerSettings, create_app
from railbird.serve.formats_file import Games
from railbird.serve.host import HostSettings
from railbird.serve.log_ins import LogInSettings
from railbird.serve.mounts import Mount
from railbird.serve.mounts.api import mount as api
from railbird.serve.mounts.host import mount as tournaments
from railbird.serve.mounts.pushfold import PushFoldSettings
from railbird.serve.mounts.pushfold import mount as pushfold
from railbird.serve.mounts.table import mount as tables
from railbird.serve.person import TableSettings
from railbird.tournament import parse_payouts, parse_schedule

KEY = "k" * 64
ORIGIN = "http://localhost"
PASSWORD: Final = "correct horse battery"
_OF_GAME = {field.name for field in fields(PushFoldSettings)}


def app_of(database: str, *instead: Mount, **options: Any) -> FastAPI:
    """A server whose deals are the same every time; ``options`` are its and the game's."""
    rng = np.random.default_rng(2026)
    game: dict[str, Any] = {"generator": lambda: rng, "solver": made_up_equilibrium}
    game |= {name: options.pop(name) for name in _OF_GAME & options.keys()}
    chosen = ServerSettings(key=KEY, database=database, **{"burst": 100_000, **options})
    return create_app(chosen, pushfold(PushFoldSettings(**game)), *instead)


@dataclass
class Person:
    """Somebody at a browser; the forms are found in the page, as a browser finds them."""

    client: httpx.AsyncClient
    page: str = ""

    async def look(self) -> str:
        answer = await self.client.get("/pushfold")
        assert answer.status_code == 200, answer.text
        self.page = answer.text
        return self.page

    def hidden(self, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page)
        assert found, f"no field {name} in the page"
        return found[1]

    @property
    def is_to_act(self) -> bool:
        return 'name="choice"' in self.page

    async def send(self, action: str, **fields: object) -> httpx.Response:
        data = {"token": self.hidden("token"), **{key: str(v) for key, v in fields.items()}}
        return await self.client.post(f"/pushfold/{action}", data=data)

    async def next(self) -> None:
        answer = await self.send("next", after=self.hidden("after"))
        assert answer.status_code == 303, answer.text
        await self.look()

    async def act(self, choice: str) -> None:
        answer = await self.send("act", hand=self.hidden("hand"), choice=choice)
        assert answer.status_code == 303, answer.text
        await self.look()

    async def until_to_act(self) -> None:
        while not self.is_to_act:
            await self.next()


@dataclass
class Served:
    """A running application."""

    app: FastAPI

    @asynccontextmanager
    async def person(self, **options: Any) -> AsyncIterator[Person]:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        headers = {"Origin": ORIGIN, "Accept": "text/html"}
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers=headers, **options
        ) as client:
            person = Person(client)
            await person.look()
            yield person


@asynccontextmanager
async def serving(database: str, **options: Any) -> AsyncIterator[Served]:
    app = app_of(database, **options)
    async with app.router.lifespan_context(app):
        yield Served(app)


# Somebody at the table without Chromium.


class Somebody:
    """A browser without script."""

    def __init__(self, client: httpx.AsyncClient, app: FastAPI) -> None:
        self.client = client
        self.app = app
        self.page = ""

    async def get(self, path: str) -> httpx.Response:
        answer = await self.client.get(path, follow_redirects=True)
        self.page = answer.text
        return answer

    def hidden(self, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page)
        assert found, f"no field {name} in the page"
        return found[1]

    async def post(self, path: str, **fields: str | list[str]) -> httpx.Response:
        data = {"token": self.hidden("token"), **fields}
        return await self.client.post(path, data=data)

    async def sign_up(self, name: str) -> None:
        await self.get("/account")
        answer = await self.post("/account/sign-up", name=name, password=PASSWORD)
        assert (answer.status_code, answer.headers["location"]) == (303, "/play")
        await self.get("/play")

    async def until_turn(self) -> None:
        await self.until_shown('id="do-call"')

    async def until_shown(self, words: str, where: str = "/table") -> None:
        async with asyncio.timeout(PATIENCE_S):
            while words not in (await self.get(where)).text:
                await asyncio.sleep(0.05)


# Somebody who plays in Chromium: by keys, by touch, or without script.


_NUMBERS = itertools.count(1)

SIZES: Final[dict[str, dict[str, Any]]] = {
    "360x640": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
    "390x844": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "740x360": {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True},
    "1280x800": {"viewport": {"width": 1280, "height": 800}},
    "1920x1080": {"viewport": {"width": 1920, "height": 1080}},
}

PICTURES: Final = os.environ.get("RAILBIRD_PICTURES", "")
"""Folder for pictures of every state in which axe looks at a page; none if empty."""

STATE: Final = """bars => {
    const bar = document.getElementById("bar");
    return bar?.getClientRects().length && bars.includes(bar.dataset.bar) ? bar.dataset.bar : null;
}"""
"""The state of the table if it is one of some, and is shown."""

RESTING: Final = """() => Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished)).then(() => true)"""
"""Waits for what moves on a page: a card that is half seen has half of its contrast."""


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
        page.locator("#specs > summary").click()
        form = page.locator("#specs form")
        form.locator("select[name=betting]").select_option(betting)
        form.locator("input[name=stack]").fill(str(stack))
        for number, select in enumerate(form.locator("fieldset select").all()):
            select.select_option(opponents[number] if number < len(opponents) else "")
        form.locator("> button").click()
        page.wait_for_url("**/table")

    def press(self, button: Locator, *, by_keyboard: bool) -> None:
        """Press a button as a finger or a keyboard does."""
        if by_keyboard:
            button.focus()
            self.page.keyboard.press("Enter")
        elif self.page.viewport_size and self.page.viewport_size["width"] < 800:
            button.tap()
        else:
            button.click()

    @property
    def bar(self) -> Locator:
        return self.page.locator("#bar")

    def until(self, *bars: str) -> str:
        """Wait for one of some states of the table; return which, though it may pass at once."""
        try:
            seen = self.page.wait_for_function(STATE, arg=list(bars))
        except TooLate:
            state = self.page.locator("main").inner_text()
            pytest.fail(f"none of {bars}, but {self.bar.get_attribute('data-bar')}: {state}")
        return str(seen.json_value())

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
        self.page.evaluate(RESTING)
        if PICTURES:
            self._keep_picture(Path(PICTURES))
        violations = Axe().run(self.page).response["violations"]
        return [f"{rule['id']}: {rule['nodes'][0]['html'][:200]}" for rule in violations]

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


# A web application on loopback, in a thread of its own.


@contextmanager
def threaded_server(
    app: FastAPI, *, ws: Literal["none", "websockets-sansio"] = "none"
) -> Iterator[str]:
    """Serve until the end of the block; the value is the address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", ws=ws))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://localhost:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=120)


# A web application with a tournament server whose games are short, for people in tests.


SIX = TournamentFormat(
    name="six",
    stack=400,
    schedule=parse_schedule("10/20x4,20/40x4,40/80x4,80/160x4,200/400x4"),
    clocks=Clocks(limit=40.0, bank=60.0),
    house_after=0.3,
    house=("tight", "baseline", "random", "always-call"),
)
HEADS_UP = TournamentFormat(
    name="heads-up",
    seats=2,
    table_seats=2,
    payouts=parse_payouts("100"),
    house_after=0.3,
    house=("always-call",),
    rated=False,
)
HASTY = TournamentFormat(
    name="hasty",
    seats=2,
    table_seats=2,
    # Who is frozen plays at once: long enough that a browser sees it.
    stack=20_000,
    schedule=parse_schedule("10/20x100000"),
    payouts=parse_payouts("100"),
    clocks=Clocks(limit=1.5, bank=0.0, refill=None, lag=0.0),
    house_after=0.3,
    house=("always-call",),
)
RING = RingFormat(name="ring-10-20")
WITH_HOUSE = RingFormat(
    name="with-house", seats=3, buy_ins=(2000, 2000), top_up=True, house=("always-call",)
)


def table_app(
    folder: Path,
    *,
    pace: float = 0.0,
    away_s: float = 12.0,
    house: tuple[str, ...] = (),
    games: Games | None = None,
    **options: Any,
) -> FastAPI:
    """An application that plays, with as many accounts as a test wants."""
    generous = LogInSettings(sign_ups_per_address=10_000)
    return app_of(
        f"sqlite:///{folder / 'serve.sqlite3'}",
        tournaments(
            HostSettings(
                journal=folder / "journal",
                pace=pace,
                house=house,
                games=games or Games(tournaments=(SIX, HEADS_UP, HASTY), rings=(RING, WITH_HOUSE)),
            )
        ),
        tables(TableSettings(pace=pace, away_s=away_s)),
        api(),
        **{"requests_per_second": 10_000.0, "log_ins": generous, **options},
    )
