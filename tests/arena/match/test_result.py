"""What a match comes to."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Match, Seating, hands, play
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Rules, limit_holdem, no_limit_holdem
from railbird.histories import HandRecord, read

MATCH = Match(
    players=("random", "always-call"),
    rules=HEADS_UP_LIMIT,
    deals=150,
    seed=7,
    seating=Seating.DUPLICATE,
    chunk=60,
)


@pytest.mark.parametrize("player", ["always-call", "always-raise", "always-raise:max", "baseline"])
@pytest.mark.parametrize(
    "rules", [HEADS_UP_LIMIT, limit_holdem(5), no_limit_holdem(3, blinds=(1, 2), stack=50)]
)
def test_nobody_wins_from_himself_in_duplicate(player: str, rules: Rules) -> None:
    match = Match(
        players=(player,) * rules.seats,
        rules=rules,
        deals=40,
        seed=3,
        seating=Seating.DUPLICATE,
    )
    result = play(match)
    assert result.payoffs.any()
    for index in range(rules.seats):
        assert np.abs(result.per_deal(index)).max() < 1e-6


def test_what_one_wins_another_loses() -> None:
    rules = limit_holdem(4)
    match = Match(players=("random",) * 4, rules=rules, deals=500, seed=1)
    result = play(match)
    assert result.payoffs.shape == (1, 500, 4)
    assert (result.payoffs.sum(axis=2) == 0).all()
    assert (result.payoffs != 0).any(axis=2).all()


def test_always_call_and_always_raise_come_to_the_published_spread() -> None:
    # Kan (2007), section 4.2: the money of always-call against always-raise has a standard
    # deviation of 6.856 sb a hand; both put in 14 or 15 bets and the cards decide.
    match = Match(
        players=("always-call", "always-raise"), rules=HEADS_UP_LIMIT, deals=200_000, seed=1
    )
    won = play(match).per_deal(0) / 10
    # The standard error of a standard deviation is below sd / sqrt(n) here.
    assert abs(won.std() - 6.856) < 4 * 6.856 / np.sqrt(won.size)
    assert abs(won.mean()) < 4 * won.std() / np.sqrt(won.size)


def test_records_are_the_hands_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    result = play(MATCH, log=path)
    played = list(hands(MATCH))
    assert played == [hand for hand in read(path) if isinstance(hand, HandRecord)]
    first = played[0].players.index("random")
    assert played[0].payoffs[first] == Fraction(result.payoffs[0, 0, 0])


def test_records_of_any_game() -> None:
    rules = limit_holdem(11)  # more seats than an ACPC log can have
    match = Match(players=("random",) * 11, rules=rules, deals=20, seed=1)
    assert [hand.number for hand in hands(match)] == list(range(20))
    with pytest.raises(BadInput, match="no player"):
        hands(replace(MATCH, players=("nobody", "random")))


def test_speed_counts_the_hands_of_this_run(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    assert play(MATCH, log=path).hands_per_s > 0
    again = play(MATCH, log=path)
    assert (again.resumed, again.hands_per_s) == (MATCH.hands, 0)
