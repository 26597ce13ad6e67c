"""A web application with a tournament server whose games are short, for people in tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI

from helpers.web_person import app_of
from railbird.hosting.formats import Clocks, RingFormat, TournamentFormat
from railbird.serve.api.mount import mount as api
from railbird.serve.api.settings import ApiSettings
from railbird.serve.host.formats import Games
from railbird.serve.host.host import HostSettings
from railbird.serve.host.mount import mount as tournaments
from railbird.serve.table.mount import mount as tables
from railbird.serve.table.settings import TableSettings
from railbird.tournament import parse_payouts, parse_schedule

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
    **options: Any,
) -> FastAPI:
    """An application that plays, with as many accounts as a test wants."""
    generous = ApiSettings(log_ins_per_address=10_000, sign_ups_per_address=10_000)
    return app_of(
        f"sqlite:///{folder / 'serve.sqlite3'}",
        tournaments(
            HostSettings(
                journal=folder / "journal",
                pace=pace,
                house=house,
                games=Games(tournaments=(SIX, HEADS_UP, HASTY), rings=(RING, WITH_HOUSE)),
            )
        ),
        tables(TableSettings(pace=pace, away_s=away_s)),
        api(generous),
        **{"requests_per_second": 10_000.0, **options},
    )
