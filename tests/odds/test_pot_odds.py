"""The decisions of straight play, with the source's own examples and what is wrong in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, nan

import pytest

from railbird.errors import BadInput
from railbird.odds import (
    Play,
    bluffing_frequency,
    draw_value,
    implied_odds,
    pays,
    raise_ratio,
    required_equity,
    risk_ratio,
    showdown_odds,
    straight_play,
)


def test_pot_odds_and_implied_odds_of_the_source() -> None:
    """A bet of 4 into 16 is 25 %; with one more call on the river 8 to 20, 40 %."""
    assert risk_ratio(4, 16 + 4) == 0.25
    assert risk_ratio(8, 20 + 8) == 0.4
    assert required_equity(0.4) == pytest.approx(
        implied_odds(4, 16, future_bets=4, future_winnings=4)
    )


def test_a_flush_draw_with_4_to_call_into_40_calls_and_does_not_raise() -> None:
    """The source's check-or-bet example: 25 % pays 10 % and not the 33 % of a raise against two.

    It compares the hand odds with the ratio of 10 % itself; by its own function the call needs
    9.1 %. The 33 % are right.
    """
    implied = risk_ratio(4, 44)
    assert implied == pytest.approx(0.1)
    assert required_equity(implied) == pytest.approx(1 / 11)
    assert required_equity(raise_ratio(2)) == pytest.approx(1 / 3)
    choose = partial(straight_play, implied=implied, raising=raise_ratio(2))
    assert choose(0.25, facing_bet=True) is Play.CALL
    assert choose(0.25, facing_bet=False) is Play.CHECK
    assert choose(0.34, facing_bet=False) is Play.BET
    assert choose(0.34, facing_bet=True) is Play.RAISE
    assert choose(0.09, facing_bet=True) is Play.FOLD
    assert choose(0.09, facing_bet=False) is Play.CHECK
    assert choose(0.34, facing_bet=True, may_raise=False) is Play.CALL


def test_against_enough_callers_a_draw_is_raised() -> None:
    """In a multiway hand raising the draw often is correct: four callers pay for 25 %."""
    implied = risk_ratio(4, 44)
    assert [
        straight_play(0.25, implied=implied, raising=raise_ratio(n), facing_bet=True)
        for n in (2, 3, 4)
    ] == [Play.CALL, Play.CALL, Play.RAISE]


def test_a_made_hand_gives_no_free_card() -> None:
    """With a loose raiser behind the first bet must cover a raise, except a made hand's."""
    choose = partial(straight_play, implied=0.2, raising=0.5, if_raised=1.5)
    assert choose(0.45, facing_bet=False) is Play.CHECK
    assert choose(0.45, facing_bet=False, is_made=True) is Play.BET
    assert choose(0.65, facing_bet=False) is Play.BET
    assert choose(0.45, facing_bet=True, is_made=True) is Play.CALL


def test_the_nut_flush_draw_keeps_its_odds_against_more_opponents() -> None:
    """The source has 25 % against one, two and three, not 6 % and 1.5 %: only the flush wins.

    On the turn its nine outs are among the 44 cards that one opponent leaves, or the 42 of two.
    """
    two_pairs = ["Kd9d", "Kh9h"]
    one, two = (showdown_odds("As5s", "Ks9s2d8h", two_pairs[:n]).joint for n in (1, 2))
    assert one == pytest.approx(9 / 44)
    assert two == pytest.approx(9 / 42)


def test_a_draw_goes_on_only_while_it_pays() -> None:
    """The twin deals both cards, folds where the second call loses, and averages."""
    outs, unseen, pot, calls, paid = 9, 47, 40.0, [4.0, 8.0], [8.0, 8.0]
    total = 0.0
    for turn in range(unseen):
        for river in range(unseen):
            if river != turn:
                if turn < outs:
                    total += pot + paid[0]
                elif river < outs:
                    total += pot + calls[0] + calls[1] + paid[1]
                else:
                    total -= calls[1]
                total -= calls[0] if turn >= outs else 0
    exact = total / (unseen * (unseen - 1))
    value = draw_value(outs, unseen, pot=pot, calls=calls, paid=paid)
    assert value == pytest.approx(exact)
    alone = draw_value(outs, unseen, pot=pot, calls=calls[:1], paid=paid[:1])
    assert value > alone
    dear = draw_value(outs, unseen, pot=pot, calls=[4, 1000], paid=[8, 0], bettors=0)
    assert dear == pytest.approx(alone)  # the second call is not made


def test_the_value_of_a_first_call_may_be_negative() -> None:
    assert draw_value(4, 47, pot=10, calls=[10], paid=[0]) < 0


@pytest.mark.parametrize(("bet", "bluffs"), [(0.5, 0.25), (1.0, 1 / 3), (2.0, 0.4)])
def test_bluffs_make_hand_odds_equal_to_implied_odds(bet: float, bluffs: float) -> None:
    ratio = risk_ratio(bet, 1 + 2 * bet)
    frequency = bluffing_frequency(ratio)
    assert frequency == pytest.approx(bluffs)
    # He is indifferent: he wins against bluffs alone.
    assert frequency * (1 + bet) - (1 - frequency) * bet == pytest.approx(0)
    some = bluffing_frequency(ratio, odds_against_value=0.1)
    assert some + (1 - some) * 0.1 == pytest.approx(required_equity(ratio))
    assert bluffing_frequency(ratio, odds_against_value=0.9) == 0


def test_a_bet_that_nobody_calls_wins_nothing_more() -> None:
    assert raise_ratio(0) == inf
    assert required_equity(inf) == 1
    assert not pays(1.0, inf)


@pytest.mark.parametrize(
    "call",
    [
        lambda: risk_ratio(4, 4),
        lambda: risk_ratio(-1, 4),
        lambda: risk_ratio(1, inf),
        lambda: required_equity(-0.1),
        lambda: required_equity(nan),
        lambda: pays(1.1, 0.5),
        lambda: pays(nan, 0.5),
        lambda: raise_ratio(-1),
        lambda: raise_ratio(inf),
        lambda: bluffing_frequency(0.5, odds_against_value=1),
        lambda: draw_value(50, 47, pot=1, calls=[1], paid=[1]),
        lambda: draw_value(9, 47, pot=1, calls=[], paid=[]),
        lambda: draw_value(9, 47, pot=-1, calls=[1], paid=[1]),
        lambda: draw_value(9, 47, pot=1, calls=[1], paid=[1, 2]),
        lambda: implied_odds(1e308, 1e308),
    ],
)
def test_what_cannot_be_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(BadInput, match="allowed"):
        call()


@pytest.mark.parametrize("to_call", [0, 4, 100])
@pytest.mark.parametrize("own_raise", [1, 4, 200])
@pytest.mark.parametrize("callers", [0.5, 1, 2, 8])
def test_a_raise_as_a_whole_needs_what_lies_between_the_call_and_the_raise_by_itself(
    to_call: int, own_raise: int, callers: float
) -> None:
    """So who asks for the odds of both (Peretz 2005) has those of his IPOr as well."""
    call = implied_odds(to_call, 40 + to_call, future_winnings=10)
    by_itself = required_equity(raise_ratio(callers))
    together = implied_odds(
        to_call, 40 + to_call, future_winnings=10, own_raise=own_raise, callers=callers
    )
    assert min(call, by_itself) < together < max(call, by_itself)
