"""Money of hands that are refused, by their text, beside what the engine finds in others."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from railbird.histories import HandRecord, ReadOptions, Skipped, format_named
from railbird.histories.refused_money import refused_money

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
RUN_TWICE = """\
PokerStars Zoom Hand #250000000001:  Hold'em No Limit ($0.25/$0.50) - 2025/03/02 12:00:00 ET
Table 'Alba' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Seat 3: Cid ($50 in chips)
Bob: posts small blind $0.25
Cid: posts big blind $0.50
*** HOLE CARDS ***
Dealt to Cid [As Kd]
Ann: folds
Bob: raises $49.50 to $50 and is all-in
Cid: calls $49.50 and is all-in
*** FIRST FLOP *** [Ah 2h 4c]
*** FIRST TURN *** [Ah 2h 4c] [Kc]
*** FIRST RIVER *** [Ah 2h 4c Kc] [8c]
*** SECOND FLOP *** [2s 7s 3c]
*** SECOND TURN *** [2s 7s 3c] [Ac]
*** SECOND RIVER *** [2s 7s 3c Ac] [9c]
*** FIRST SHOW DOWN ***
Bob: shows [Qd Qs] (a pair of Queens)
Cid: shows [As Kd] (two pair, Aces and Kings)
Cid collected $49 from pot
*** SECOND SHOW DOWN ***
Cid collected $49 from pot
*** SUMMARY ***
Total pot $100 | Rake $2
"""
SOLD = """\
Poker Hand #HD250000004: Hold'em No Limit ($0.05/$0.10) - 2025/08/02 11:26:53
Table 'NLHWhite1' 6-max Seat #3 is the button
Seat 1: a1 ($10 in chips)
Seat 2: b2 ($10 in chips)
Seat 3: Hero ($10 in chips)
a1: posts small blind $0.05
b2: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Hero [Ah Ad]
Hero: raises $0.20 to $0.30
a1: folds
b2: raises $9.70 to $10 and is all-in
Hero: calls $9.70 and is all-in
b2: shows [Kd Ks]
Hero: shows [Ah Ad]
Hero: Chooses to EV Cashout
*** FLOP *** [2s 7s 3c]
*** TURN *** [2s 7s 3c] [Kh]
*** RIVER *** [2s 7s 3c Kh] [9c]
*** SHOWDOWN ***
b2 collected $19.05 from pot
Hero: Receives Cashout ($15.45)
*** SUMMARY ***
Total pot $20.05 | Rake $1 | Jackpot $0 | Bingo $0
"""


@pytest.mark.parametrize(
    ("name", "text", "won"),
    [
        ("pokerstars", RUN_TWICE, {"Bob": -100.0, "Cid": 96.0}),
        ("ggpoker", SOLD, {"Hero": 54.5, "a1": -0.5, "b2": 90.5}),
    ],
)
def test_a_refused_hand_tells_its_money(name: str, text: str, won: dict[str, float]) -> None:
    (found,) = format_named(name).read(io.StringIO(text), ReadOptions())
    assert isinstance(found, Skipped)
    assert found.won == pytest.approx(won)


@pytest.mark.parametrize(
    "changed",
    [
        RUN_TWICE.replace("Hold'em", "Omaha"),
        RUN_TWICE.replace("Cid collected $49", "Cid collected $490"),
        RUN_TWICE.partition("*** SUMMARY")[0],
        RUN_TWICE.replace("posts big blind $0.50", "posts nothing"),
    ],
)
def test_a_text_that_does_not_add_up_tells_nothing(changed: str) -> None:
    assert refused_money(changed.splitlines()) == {}


@pytest.mark.parametrize(("name", "file"), [("pokerstars", "stars"), ("ggpoker", "ggpoker")])
def test_the_words_of_hands_that_are_read_tell_what_the_engine_finds(name: str, file: str) -> None:
    lines = (GOLDEN / f"{file}.txt").read_text(encoding="utf-8").splitlines()
    hands = list(format_named(name).read(iter(f"{line}\n" for line in lines), ReadOptions()))
    starts = [hand.source.line for hand in hands if isinstance(hand, HandRecord) and hand.source]
    assert len(starts) == len(hands) >= 3
    for hand, first, end in zip(hands, starts, [*starts[1:], len(lines) + 1], strict=True):
        assert isinstance(hand, HandRecord)
        block = [line.strip() for line in lines[first - 1 : end - 1] if line.strip()]
        blind = hand.rules.chips_per_unit
        paid = dict(zip(hand.players, hand.payoffs, strict=True))
        told = refused_money(block)
        assert told, block[0]
        assert {name: told.get(name, 0.0) for name in paid} == pytest.approx(
            {name: float(won / blind) for name, won in paid.items()}
        )
