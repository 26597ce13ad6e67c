from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Betting,
    OddChips,
    Rules,
    initial,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
)
from railbird.units import Chips


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"blinds": (10,)}, "1 blinds; allowed: one for each of 2 to 23 seats"),
        ({"blinds": (0,) * 24}, "24 blinds"),
        ({"blinds": (10, -5)}, "blinds (10, -5); allowed: whole numbers from 0"),
        ({"blinds": (10, 2.5)}, "blinds (10, 2.5); allowed: whole numbers"),
        ({"antes": (1,)}, "1 antes; allowed: 2"),
        ({"stacks": (100, 0)}, "stacks (100, 0); allowed: whole numbers from 1"),
        ({"bet_sizes": (10, 10, 20)}, "3 bet sizes; allowed: 4"),
        ({"bet_sizes": (10, 10, 20, 0)}, "bet sizes"),
        ({"max_raises": (3, 4, 4, -1)}, "raise caps"),
        ({"first_to_act": (1, 0, 0, 2)}, "first seats (1, 0, 0, 2); allowed: 0 to 1"),
        ({"stacks": (2**62, 1)}, "chips on one table"),
        ({"stacks": (200, 200), "blinds": (2**61, 5)}, "chips on one table"),
        ({"stacks": (200, 200), "antes": (2**61, 0)}, "chips on one table"),
        ({"stacks": (200, 200), "bet_sizes": (10, 10, 20, 2**61)}, "chips on one table"),
        ({"stacks": (200, 200), "max_raises": (10**30, 4, 4, 4)}, "from 0 to 2^62"),
    ],
)
def test_what_no_table_can_play(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as raised:
        replace(HEADS_UP_LIMIT, **changes)
    assert message in str(raised.value)


@pytest.mark.parametrize("betting", list(Betting))
@pytest.mark.parametrize("asked", [{"blinds": (2**59, 5)}, {"antes": (2**59, 2**59)}])
def test_posts_beyond_all_stacks_are_counted_right(betting: Betting, asked: dict[str, Any]) -> None:
    stacks = (Chips(2**58), Chips(2**58))
    largest = HEADS_UP_LIMIT.bet_sizes if betting is Betting.SPREAD_LIMIT else None
    rules = replace(HEADS_UP_LIMIT, betting=betting, largest_bets=largest, stacks=stacks, **asked)
    state = initial(rules)
    assert state.spent[0] == 2**58
    assert state.pot == sum(state.spent)


def test_big_bet_games_need_stacks() -> None:
    with pytest.raises(BadInput, match="no-limit betting without stacks; allowed: one a seat"):
        replace(HEADS_UP_NO_LIMIT, stacks=None)


def test_heads_up_the_button_posts_the_small_blind() -> None:
    assert HEADS_UP_LIMIT.blinds == (10, 5)
    assert HEADS_UP_LIMIT.first_to_act == (1, 0, 0, 0)
    assert HEADS_UP_LIMIT.bet_sizes == (10, 10, 20, 20)
    assert HEADS_UP_LIMIT.max_raises == (3, 4, 4, 4)


def test_a_straddle_is_a_third_blind_and_the_smallest_raise() -> None:
    rules = no_limit_holdem(6, blinds=(1, 2), stack=200, straddle=4)
    assert rules.blinds == (1, 2, 4, 0, 0, 0)
    assert rules.first_to_act == (3, 0, 0, 0)
    assert rules.bet_sizes == (4, 2, 2, 2)


def test_the_unit_is_the_big_blind_whoever_straddles() -> None:
    plain = no_limit_holdem(6, blinds=(1, 2), stack=200)
    straddled = no_limit_holdem(6, blinds=(1, 2), stack=200, straddle=4)
    assert (plain.big_blind, plain.straddle, plain.chips_per_unit) == (2, 0, 2)
    assert (straddled.big_blind, straddled.straddle, straddled.chips_per_unit) == (2, 4, 2)
    # A log may give the straddle as the smallest bet of every street, or post it on the button.
    none, small, big, straddle = map(Chips, (0, 1, 2, 4))
    as_bet = replace(straddled, bet_sizes=(straddle, straddle, straddle, straddle))
    assert (as_bet.big_blind, as_bet.straddle) == (2, 4)
    button = replace(straddled, blinds=(small, big, none, none, none, straddle))
    assert (button.big_blind, button.straddle) == (2, 4)
    # Whoever comes in late posts a big blind, and the small one may be missing.
    assert replace(plain, blinds=(small, big, none, big, none, none)).straddle == 0
    assert replace(plain, blinds=(none, big, none, big, none, none)).big_blind == 2
    assert (HEADS_UP_LIMIT.big_blind, HEADS_UP_LIMIT.chips_per_unit) == (10, 10)


def test_antes_by_seat_or_for_all() -> None:
    assert pot_limit_holdem(3, blinds=(1, 2), stack=9, ante=1).antes == (1, 1, 1)
    assert no_limit_holdem(3, blinds=(1, 2), stack=9, ante=(0, 2, 0)).antes == (0, 2, 0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: limit_holdem(small_bet=5),
        lambda: no_limit_holdem(2, blinds=(1, 2), stack=9, straddle=4),
        lambda: no_limit_holdem(3, blinds=(1, 2), stack=9, straddle=2),
    ],
)
def test_presets_refuse(make: Any) -> None:
    with pytest.raises(BadInput, match="allowed"):
        make()


@pytest.mark.parametrize(("seats", "denominator"), [(2, 2), (3, 6), (6, 60), (9, 2520)])
def test_split_chips_come_in_parts_that_any_split_makes(seats: int, denominator: int) -> None:
    rules = replace(limit_holdem(seats), odd_chips=OddChips.FRACTION)
    assert rules.denominator == denominator
    assert limit_holdem(seats).denominator == 1


def test_equal_rules_are_one_key() -> None:
    assert limit_holdem(4) == limit_holdem(4)
    assert hash(limit_holdem(4)) == hash(limit_holdem(4))
    assert initial(limit_holdem(4)) is initial(limit_holdem(4))
    other = replace(limit_holdem(4), lift_cap_heads_up=True)
    assert initial(other) != initial(limit_holdem(4))


def test_posts(  # antes first, then what is left of the blind
) -> None:
    rules = no_limit_holdem(4, blinds=(5, 10), stack=(100, 7, 3, 50), ante=4)
    state = initial(rules)
    assert state.street_bets == (5, 3, 0, 0)
    assert state.spent == (9, 7, 3, 4)
    assert state.stacks == (91, 0, 0, 46)
    assert state.pot == 23
    assert state.bet == 10


def test_23_seats_is_the_most() -> None:
    rules: Rules = limit_holdem(23)
    assert initial(rules).pot == 15
    with pytest.raises(BadInput, match="24 seats; allowed: 2 to 23"):
        limit_holdem(24)
