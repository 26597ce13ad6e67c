"""Shares of hands in games of one chip, beside the source's formula solved otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from railbird.errors import BadInput
from railbird.odds.preflop_value.reduced_games import (
    call_share,
    first_bet_share,
    needed_in_whole_hand,
    needed_to_win,
)


@pytest.mark.parametrize("needed", [0.25, 0.4, 0.5])
@pytest.mark.parametrize("ahead", range(1, 10))
def test_the_share_solves_the_sources_equation(ahead: int, needed: float) -> None:
    assert (1 - first_bet_share(ahead, needed)) ** ahead == pytest.approx(needed)


def test_a_hand_at_the_share_beats_that_part_of_the_bettor() -> None:
    first = first_bet_share(5, 0.4)
    # The hand at the share of the call lies in the first (1 - needed) of the bettor's hands.
    assert 1 - call_share(first, 0.3) / first == pytest.approx(0.3)


def test_later_bets_wash_out_the_blinds() -> None:
    assert needed_in_whole_hand(1.5, 1, later_bets=0) == needed_to_win(1.5, 1) == 0.4
    assert needed_in_whole_hand(1.5, 1, later_bets=1e9) == pytest.approx(0.5)
    several = needed_in_whole_hand(1.5, 1, later_bets=5, payers=3)
    assert several < needed_to_win(1.5, 1)


def test_the_last_to_act_needs_nothing() -> None:
    assert first_bet_share(0, 0.5) == 1


def test_what_cannot_be_is_refused() -> None:
    calls: tuple[Callable[[], float], ...] = (
        lambda: needed_to_win(0, 0),
        lambda: needed_to_win(-1, 1),
        lambda: first_bet_share(-1, 0.5),
        lambda: first_bet_share(2, 1.5),
        lambda: call_share(2, 0.5),
        lambda: needed_in_whole_hand(1, 1, later_bets=-1),
    )
    for call in calls:
        with pytest.raises(BadInput, match="allowed"):
            call()
