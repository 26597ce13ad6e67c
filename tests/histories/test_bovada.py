"""Texts of Bovada, Ignition and Bodog: all cards, positions for names."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from railbird.cards import format_cards
from railbird.game import Betting
from railbird.histories import HandRecord, ReadOptions, Skipped, SkipReason, format_named

GOLDEN = (Path(__file__).parents[1] / "golden" / "histories" / "bovada.txt").read_text("utf-8")


def items(text: str) -> list[HandRecord | Skipped]:
    return list(format_named("bovada").read(io.StringIO(text), ReadOptions()))


def hands(text: str) -> list[HandRecord]:
    return [item for item in items(text) if isinstance(item, HandRecord)]


def changed(old: str, new: str) -> str:
    assert old in GOLDEN
    return GOLDEN.replace(old, new, 1)


def test_everybodys_cards_and_one_persons_name() -> None:
    zone, limit, tournament = hands(GOLDEN)
    assert zone.players == ("Hero", "Big Blind", "UTG", "Dealer")
    assert None not in zone.holes
    assert (zone.table, zone.currency, int(zone.rake)) == ("1208", "$", 10)
    assert [int(chips) for chips in zone.payoffs] == [100, -10, 0, -100]
    assert limit.players == ("Small Blind", "Hero", "Dealer")
    assert tournament.players == ("Small Blind", "Big Blind", "Hero", "Dealer")
    assert [int(chips) for chips in tournament.payoffs] == [1820, -300, -1500, -20]
    assert tournament.tournament


def test_streets_that_the_text_does_not_tell_follow_from_the_betting() -> None:
    _, limit, _ = hands(GOLDEN)
    assert (limit.rules.betting, limit.rules.bet_sizes) == (Betting.LIMIT, (200, 200, 400, 400))
    assert format_cards(limit.board) == "9sQh5c5sKd"
    assert [int(chips) for chips in limit.payoffs] == [950, -1000, 0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Dealer : Calls $0.70", "Dealer : Calls $0.70\nDealer : Calls $0.70"),
        ("Folds(timeout)", "Fold(Blind Disconnected)"),
        ("Folds(timeout)", "Folds & Shows [9c 9d] Show1 [9c]"),
        ("Dealer : Set dealer [1]\n", ""),
        ("Ignition Hand", "Bodog.com Hand"),
        ("No Limit - 2019", "No Limit [MVS] - 2019"),
    ],
)
def test_other_spellings_are_read_alike(old: str, new: str) -> None:
    assert hands(changed(old, new)) == hands(GOLDEN)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("HOLDEMZonePoker", "OMAHA HiLo", SkipReason.ANOTHER_GAME),
        ("Dealer : Calls $0.70", "Dealer : Calls $0.60", SkipReason.ILLEGAL_ACTION),
        ("Hand result $2\n", "Hand result $2.20\n", SkipReason.WRONG_PAYOFF),
        ("Hand result $2\n", "Hand result $1\n", SkipReason.WRONG_PAYOFF),
        ("Total Pot($2.10)", "Total Pot($2.20)", SkipReason.WRONG_PAYOFF),
        ("[Qs Jd]", "[Ah Jd]", SkipReason.DUPLICATE_CARD),
        ("Small Blind $0.05", "Small Blind $NaN", SkipReason.UNREADABLE),
        ("Board [9s Qh 5c 5s Kd]", "Board [9s Qh 5c]", SkipReason.WRONG_BOARD),
    ],
)
def test_what_is_wrong_is_refused(old: str, new: str, reason: SkipReason) -> None:
    (skip,) = [item for item in items(changed(old, new)) if isinstance(item, Skipped)]
    assert skip.reason is reason
