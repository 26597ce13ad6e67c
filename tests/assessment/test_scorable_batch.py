"""Which hands are fit to be scored, and how they are laid out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from helpers.random_records import random_hand
from railbird.assessment import Unscorable, score_hand, why_unscorable
from railbird.assessment.limit_layout import batch_of
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Call,
    Raise,
    Rules,
    limit_holdem,
    no_limit_holdem,
)
from railbird.histories import HandRecord, read_hand
from railbird.units import Chips, Seat


@pytest.fixture(scope="module")
def hand() -> HandRecord:
    return read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC")


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (HEADS_UP_LIMIT, None),
        (limit_holdem(small_bet=2), None),
        (limit_holdem(max_raises=None), None),
        (limit_holdem(stack=1000), None),
        (limit_holdem(stack=100), Unscorable.STACKS),
        (limit_holdem(3), Unscorable.SEATS),
        (HEADS_UP_NO_LIMIT, Unscorable.BETTING),
        (no_limit_holdem(3, blinds=(1, 2), stack=200), Unscorable.SEATS),
        (limit_holdem(ante=1), Unscorable.STRUCTURE),
    ],
)
def test_structure(hand: HandRecord, rules: Rules, reason: Unscorable | None) -> None:
    assert why_unscorable(replace(hand, rules=rules)) is reason


def test_money_is_counted_before_rake(hand: HandRecord) -> None:
    """So both players' money adds up to nothing, as their scores do."""
    won, lost = hand.payoffs
    assert won > 0
    split = replace(hand, payoffs=(Fraction(-1), Fraction(-1)))
    hands = [hand, replace(hand, payoffs=(won - 3, lost)), replace(hand, payoffs=(lost, won - 3))]
    small = hand.rules.bet_sizes[0]
    money = batch_of([*hands, split]).money
    assert (money * small).tolist() == [float(won), float(won), -float(won), 0]


def test_other_bets_and_blinds(hand: HandRecord) -> None:
    bets = (Chips(10), Chips(10), Chips(10), Chips(10))
    assert (
        why_unscorable(replace(hand, rules=replace(HEADS_UP_LIMIT, bet_sizes=bets)))
        is Unscorable.STRUCTURE
    )
    blinds = (Chips(10), Chips(4))
    assert (
        why_unscorable(replace(hand, rules=replace(HEADS_UP_LIMIT, blinds=blinds)))
        is Unscorable.STRUCTURE
    )
    turned = replace(
        HEADS_UP_LIMIT,
        blinds=(Chips(5), Chips(10)),
        first_to_act=(Seat(0), Seat(1), Seat(1), Seat(1)),
    )
    assert why_unscorable(replace(hand, rules=turned)) is Unscorable.BLINDS


def test_depth_has_an_end(hand: HandRecord) -> None:
    """Sums of 16 bits bound what can be scored; nobody raises that often."""
    rules = limit_holdem(max_raises=None)
    raises = tuple(Raise(Chips(20 + 10 * i)) for i in range(400))
    deep = replace(hand, rules=rules, actions=(*raises[:330], Call()))
    assert why_unscorable(deep) is None
    assert why_unscorable(replace(deep, actions=(*raises, Call()))) is Unscorable.DEPTH


def test_many_raises_are_scored() -> None:
    rng = np.random.default_rng(2)
    rules = limit_holdem(max_raises=None)
    deep = max(
        (random_hand(rng, rules=rules, folds=0.0, raises=0.9) for _ in range(20)),
        key=lambda record: len(record.actions),
    )
    assert sum(isinstance(action, Raise) for action in deep.actions) > 60
    score = score_hand(deep)
    assert score.divat + score.luck + score.position == pytest.approx(score.money, abs=1e-9)


def test_layout(hand: HandRecord) -> None:
    folded = read_hand("Ts6s,Jd5d SlF")
    hidden = replace(hand, holes=(None, hand.holes[1]))
    batch = batch_of([hand, folded, hidden])
    assert batch.hands.first.tolist() == [hand.holes[0], folded.holes[0], -1]
    assert batch.hands.board[0].tolist() == list(hand.board)
    assert batch.dealt.tolist() == [5, 0, 5]
    assert batch.hands.start.tolist() == [0, 12, 13, 25]
    assert batch.hands.action[12] == 0
    assert batch.hands.cap[0].tolist() == [4, 4, 4, 4]
    assert batch.money.tolist() == [11.0, 0.5, 11.0]
    assert batch.known.tolist() == [True, True, False]
    assert batch.folded.tolist() == [False, True, False]
