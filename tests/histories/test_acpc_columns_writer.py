"""STATE lines of batches are those of single hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.random_hands import random_rules
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Rules,
    acpc_rules,
    limit_holdem,
    no_limit_holdem,
)
from railbird.histories import HandRecord
from railbird.histories.acpc.write import state_line
from railbird.histories.acpc.write_columns import state_lines
from railbird.histories.columns import batch_of
from twins.slow_histories import random_record

GAMES = (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    acpc_rules(limit_holdem(3)),
    acpc_rules(no_limit_holdem(6, blinds=(50, 100), stack=[700, 20_000, 3000, 90, 5000, 100])),
    acpc_rules(no_limit_holdem(3, blinds=(5, 10), stack=400, ante=3)),
    acpc_rules(no_limit_holdem(2, blinds=(5, 10), stack=[3, 10])),
)


def lines_of(hands: list[HandRecord]) -> bytes:
    return "".join(state_line(hand, hand.number or 0) for hand in hands).encode()


@pytest.mark.parametrize("rules", GAMES)
def test_lines_of_a_game(rules: Rules) -> None:
    rng = np.random.default_rng(3)
    hands = [random_record(rng, rules, number=3 * i**3) for i in range(150)]
    assert state_lines(batch_of(hands)) == lines_of(hands)


@given(st.integers(0, 2**32 - 1))
def test_lines_of_any_games(seed: int) -> None:
    """Tables of different sizes beside each other, cards that are not shown, comments."""
    rng = np.random.default_rng(seed)
    hands = []
    for i in range(6):
        rules = replace(acpc_rules(random_rules(rng)), rake=None)
        hand = random_record(rng, rules, number=i)
        if i % 2:
            hidden = (None, *hand.holes[1:])
            hand = replace(hand, holes=hidden, low_first=hand.low_first & ~1)
        hands.append(replace(hand, comment=["", "a note", "Zoë"][i % 3]))
    assert state_lines(batch_of(hands)) == lines_of(hands)


def test_no_hands() -> None:
    assert state_lines(batch_of([])) == b""


def _named(hand: HandRecord) -> HandRecord:
    return replace(hand, players=("A|B", "C"))


def _commented(hand: HandRecord) -> HandRecord:
    return replace(hand, comment="two\nlines")


def _by_other_rules(hand: HandRecord) -> HandRecord:
    return replace(hand, rules=limit_holdem())


def _empty_byte(hand: HandRecord) -> HandRecord:
    return replace(hand, comment="a\0b")


@pytest.mark.parametrize("spoilt", [_empty_byte, _named, _commented, _by_other_rules])
def test_what_would_not_read_back_is_refused(spoilt: Callable[[HandRecord], HandRecord]) -> None:
    hand = random_record(np.random.default_rng(1), HEADS_UP_LIMIT, number=1)
    with pytest.raises(BadInput):
        state_lines(batch_of([hand, spoilt(hand)]))
