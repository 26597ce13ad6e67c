"""Hands that were played as spots: what is kept of them, and that every one becomes one."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from helpers.played_hand import HAND
from railbird import histories
from railbird.assessment import hand_spots
from railbird.cards import Range, parse_holding
from railbird.errors import BadInput
from railbird.solve.spot import solve_spot


def _record(text: str) -> histories.HandRecord:
    (record,) = histories.read(BytesIO(text.encode()))
    assert isinstance(record, histories.HandRecord), record
    return record


def test_a_hand_keeps_its_board_chips_and_bets() -> None:
    """A bet into a flop's raiser, sizes that no menu has, and one beyond the shorter stack."""
    hand = hand_spots.hand_spot(_record(HAND))
    spot = hand.spot
    assert (hand.street, hand.players) == ("flop", ("Bob", "Fay"))
    assert (spot.pot, spot.stack) == (550, 3750)
    assert hand.line == "bet 200 raise 700 call Tc check all-in 3050 call"
    assert [(d.player, d.line, d.action) for d in hand.decisions[:2]] == [
        (0, "", "bet 200"),
        (1, "bet 200", "raise 700"),
    ]
    assert hand.decisions[-1].line == "bet 200 raise 700 call Tc check all-in 3050"
    assert [decision.act for decision in hand.decisions] == [6, 7, 8, 9, 10, 11]
    acted = [hand_spots.street_of(_record(HAND), act) for act in range(6, 12)]
    assert acted == ["flop"] * 3 + ["turn"] * 3
    for act in (-1, 0, 5, 12, 10**9):
        with pytest.raises(BadInput, match="no part of a spot"):
            hand_spots.street_of(_record(HAND), act)
    assert "button raises" not in hand.text
    assert "# oop: BB calls a raise of BTN: as oop in preset bu-bb" in hand.text
    assert spot.ranges[0].weights[parse_holding("7d2h")] == hand_spots.OWN_WEIGHT
    assert "the holding shown was not in it" in hand.text.splitlines()[1]


def test_a_later_street_narrows_the_ranges() -> None:
    """Who raises on the flop has more of a set than of a hand that missed."""
    first = hand_spots.hand_spot(_record(HAND)).spot
    hand = hand_spots.hand_spot(_record(HAND), street="turn")
    assert (hand.spot.pot, hand.spot.stack) == (1950, 3050)
    assert hand.line == "check all-in 3050 call"
    better, worse = parse_holding("JdJc"), parse_holding("9d8d")
    before, after = (one.ranges[1].weights for one in (first, hand.spot))
    assert after[better] / after[worse] > 1.5 * before[better] / before[worse]
    assert "narrowed by the betting after the flop" in hand.text
    steps = np.unique(Range.parse(hand.text.split("ip = ")[1].splitlines()[0]).weights) / 0.05
    assert steps == pytest.approx(np.round(steps), abs=1e-6)
    assert not re.search(r":0\.\d{3}", hand.text), "two digits say a twentieth"


def test_every_decision_has_values_in_the_solution() -> None:
    hand = hand_spots.hand_spot(_record(HAND), street="turn")
    solution = solve_spot(hand.spot, gap_percent=5, threads=1)
    for decision in hand.decisions:
        node = solution.node(decision.line)
        assert node.player == decision.player
        assert decision.action in map(str, node.actions)
        assert np.isfinite(node.action_values[:, parse_holding(decision.holding)]).all()


@pytest.mark.parametrize(
    ("street", "refused"),
    [("river", "allowed for this hand: flop, turn"), ("preflop", "allowed: flop, turn, river")],
)
def test_streets_that_are_no_spot_are_refused(street: str, refused: str) -> None:
    with pytest.raises(BadInput, match=refused):
        hand_spots.hand_spot(_record(HAND), street=street)


def test_hands_that_are_no_spot_are_refused() -> None:
    folded = HAND.split("Bob: calls 150")[0] + (
        "Bob: folds\nUncalled bet (150) returned to Fay\nFay collected 250 from pot\n"
        "*** SUMMARY ***\nTotal pot 250 | Rake 0\n"
    )
    assert hand_spots.streets_of(_record(folded)) == ()
    with pytest.raises(BadInput, match="no street on which two players are left"):
        hand_spots.hand_spot(_record(folded))


@pytest.mark.slow
def test_every_hand_of_two_players_becomes_a_spot(shared_data: Path) -> None:
    """The first 1,000 of Pluribus's hands that two see, each from the last street that can be."""
    count = 0
    for record in histories.read(shared_data / "pluribus" / "pluribus_10000.phhs.gz"):
        assert isinstance(record, histories.HandRecord)
        streets = hand_spots.streets_of(record)
        if not streets:
            continue
        hand = hand_spots.hand_spot(record, street=streets[-1])
        assert hand.spot.pairs() > 0
        first = len(record.actions) - len(hand.decisions)
        assert first > 0
        count += 1
        if count == 1_000:
            break
    assert count == 1_000
