"""Rows that need no server of their own: the slow tests of chips, crashes and secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from hosting.test_chips import MANY_HANDS as CHIPS_HANDS
from hosting.test_chips import play_hands
from hosting.test_kill import check
from load.rows import Row
from oracles.test_pokerkit import check_all_ins
from protocol.test_redaction import MANY_HANDS, check_non_interference

KILLS: Final = 100
ALL_INS: Final = 100_000


def chips(folder: Path) -> list[Row]:
    """Play many hands, whose chips are checked after every event."""
    del folder
    tournaments = play_hands(CHIPS_HANDS, seed=2)
    found = f"none in {tournaments:,} tournaments of all kinds"
    return [Row(f"chips in {CHIPS_HANDS:,} hands", "no violation", found, True)]


def all_ins(folder: Path) -> list[Row]:
    """Compare side pots and payoffs with pokerkit's; it plays some 130 such hands a second."""
    del folder
    many = check_all_ins(ALL_INS, seed=8)
    found = f"none differs; {many:,} have three contested pots or more"
    return [Row(f"{ALL_INS:,} all-ins of three to nine players", "pokerkit's pots", found, True)]


def crash(folder: Path) -> list[Row]:
    """Kill a server again and again."""
    check(folder, KILLS)
    goal = "no accepted action, no result lost or doubled"
    return [Row(f"{KILLS} kill -9 at random moments", goal, "none", True)]


def secrets(folder: Path) -> list[Row]:
    """Permute what a viewer has not seen."""
    del folder
    compared = check_non_interference(MANY_HANDS, seed=6)
    what = f"{MANY_HANDS:,} random hands, every viewer, unseen cards permuted"
    return [Row(what, "streams are byte-equal", f"equal in all {compared:,} comparisons", True)]


LONG: Final[Mapping[str, Callable[[Path], list[Row]]]] = {
    "chips": chips,
    "all-ins": all_ins,
    "crash": crash,
    "secrets": secrets,
}
