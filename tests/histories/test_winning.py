"""Texts of the Winning Poker Network in both grammars."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from railbird.histories import HandRecord, ReadOptions, Skipped, SkipReason, format_named

FOLDER = Path(__file__).parents[1] / "golden" / "histories"
NEW, OLD = ((FOLDER / name).read_text("utf-8") for name in ("winning.txt", "winning_old.txt"))


def items(text: str) -> list[HandRecord | Skipped]:
    return list(format_named("winning").read(io.StringIO(text), ReadOptions()))


def hands(text: str) -> list[HandRecord]:
    return [item for item in items(text) if isinstance(item, HandRecord)]


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def payoffs(text: str) -> list[list[int]]:
    return [[int(chips) for chips in hand.payoffs] for hand in hands(text)]


def test_both_grammars() -> None:
    assert payoffs(NEW) == [[-5, -1030, 955], [10, -10, 0], [-600, -690, 1290]]
    assert [hand.rake for hand in hands(NEW)] == [80, 0, 0], "with the jackpot's fee"
    assert [hand.tournament for hand in hands(NEW)] == [False, False, True]
    assert payoffs(OLD) == [[-100, -6143, 5957], [200, -200, 0], [-1480, 1480]]
    assert [hand.currency for hand in hands(OLD)] == ["$", "$", ""]
    assert None not in hands(OLD)[2].holes


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    [
        (NEW, "Holdem(No Limit)", "Omaha H/L(Pot Limit)", SkipReason.ANOTHER_GAME),
        (NEW, "Cy calls $0.12", "Cy calls $0.22", SkipReason.ILLEGAL_ACTION),
        (NEW, "and won $19.85", "and won $19.86", SkipReason.WRONG_PAYOFF),
        (NEW, "Rake $0.75 | JP", "Rake $0.70 | JP", SkipReason.WRONG_PAYOFF),
        (OLD, "(Hold'em)", "(Omaha)", SkipReason.ANOTHER_GAME),
        (OLD, "Player Cy has big", "Player  has big", SkipReason.UNREADABLE),
        (OLD, "Collects: 121", "Collects: 120", SkipReason.WRONG_PAYOFF),
        (OLD, "Player Cy bets (43.43)", "Player Cy bets (43.4)", SkipReason.ILLEGAL_ACTION),
    ],
)
def test_what_is_wrong_is_refused(text: str, old: str, new: str, reason: SkipReason) -> None:
    (skip,) = [item for item in items(changed(text, old, new)) if isinstance(item, Skipped)]
    assert skip.reason is reason


def test_two_runs() -> None:
    text = NEW.partition("Hand #80000002")[0]
    runs = """*** RUN IT TWICE ***
*** TURN 1 *** [6h 3d Kc] [2s]
*** RIVER 1 *** [6h 3d Kc 2s] [9d]
*** TURN 2 *** [6h 3d Kc] [6d]
*** RIVER 2 *** [6h 3d Kc 6d] [9h]
*** SHOW DOWN ***
Cy shows [6s 6c] (three of a kind, Sixes)
Ann shows [Kd Ks] (three of a kind, Kings)
Ann collected $9.93 from main pot 1
Cy collected $9.92 from main pot 2
*** SUMMARY ***
Total pot $19.85 | Rake $0.75 | JP Fee $0.05
"""
    head, _, _ = text.partition("*** TURN")
    (hand,) = hands(head + runs)
    assert len(hand.more_boards) == 1
    assert [int(chips) for chips in hand.payoffs] == [-5, -38, -37]
