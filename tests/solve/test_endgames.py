"""A hundred endgames: their arrays, the algorithms on them, and what is said of their values."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS, HOLDINGS, Range, parse_cards
from railbird.errors import BadInput
from railbird.solve import endgames
from railbird.solve.endgames import Endgame, cfr_plus, dcfr, endgame
from railbird.solve.spot import BetSizes, Spot, same_sizes
from twins.slow_endgames import best_response_shares


def small_turn() -> Endgame:
    """Return a turn with ten river cards, some of them alike."""
    board, rivers = parse_cards("Ks7d2c9h"), parse_cards("AsAhKdQdQc9s8d7c4s4h")
    weights = np.isin(HOLDING_CARDS, rivers).all(axis=1) * np.linspace(0.2, 1, HOLDINGS)
    ranges = Range(weights), Range(weights[::-1] * (weights > 0) + (weights > 0) * 0.1)
    sizes = same_sizes(BetSizes.parse("60%, a", "a"))
    spot = Spot(board=board, ranges=ranges, pot=10, stack=30, sizes=sizes)
    return Endgame("small", spot, tuple(sorted((*board, *rivers))))


@pytest.mark.slow
def test_there_are_a_hundred_of_real_hands() -> None:
    assert len(endgames.names()) == len(set(endgames.names())) == 100
    for name in endgames.names():
        spot = endgame(name).spot
        assert spot.street == name.partition("-")[0]
        assert spot.pot + 2 * spot.stack == 2 * endgames.STACK
        assert spot.pot >= 300
        assert min(map(len, spot.ranges)) >= 20
        assert Spot.parse(str(spot)).key() == spot.key()


def test_numbers_are_those_of_the_holdings() -> None:
    game = small_turn()
    known = game.sets >= 0
    assert known.any()
    assert not known.all()
    assert ((game.holdings >= 0) == known).all()
    strategy = game.uniform()
    assert game.sums(strategy)[known] == pytest.approx(np.ones(known.sum()))
    assert (strategy[~known] == 0).all()
    arrays = game.arrays()
    assert {len(arrays[key]) for key in ("sets", "players", "holdings", "board_of")} == {game.size}
    for number in np.flatnonzero(known)[::997]:
        cards = arrays["boards"][arrays["board_of"][number]]
        assert not set(cards.tolist()) & set(HOLDING_CARDS[game.holdings[number]].tolist())
        line = str(arrays["lines"][arrays["line_of"][number]])
        assert ("/" in line) == (cards[-1] >= 0), line
    in_a_set = np.flatnonzero(game.sets == game.sets[known][0])
    assert len({arrays["line_of"][number] for number in in_a_set}) == len(in_a_set) > 1


def test_gains_are_what_actions_win_more_than_their_mean() -> None:
    game = small_turn()
    rng = np.random.default_rng(1)
    strategy = game.normalised(rng.random(game.size))
    for player in (0, 1):
        gains = game.gains(player, strategy)
        assert (gains[game.players != player] == 0).all()
        assert game.sums(gains * strategy) == pytest.approx(0, abs=2e-3)
        assert np.abs(gains).max() > 10
    # One step along the gains wins what they say: the value is linear in a single set's mix.
    first = game.sets == game.sets[np.argmax(np.abs(game.gains(0, strategy)))]
    best = np.flatnonzero(first)[np.argmax(game.gains(0, strategy)[first])]
    better = strategy.copy()
    better[first], better[best] = 0.0, 1.0
    weight = game.spot.ranges[0].weights[game.holdings[best]]
    expected = weight * game.reach(strategy)[best] * game.gains(0, strategy)[best]
    more = (game.value(better) - game.value(strategy)) * game.spot.pairs()
    assert more == pytest.approx(expected, rel=0.02, abs=0.02)


@pytest.mark.parametrize("algorithm", [cfr_plus, dcfr, endgames.scheduled])
def test_algorithms_come_to_the_same_value(algorithm: Any) -> None:
    game = small_turn()
    gaps: list[float] = []

    def check(t: int, strategy: np.ndarray) -> bool:
        if t in (10, 40, 160):
            gaps.append(game.gap_percent(strategy))
        return t == 160

    strategy = algorithm(game, 1_000, check)
    assert all(later < earlier / 2 for earlier, later in pairwise(gaps))
    assert gaps[-1] < 0.6
    low, high = game.bounds(strategy)
    assert low - 1e-3 <= game.value(strategy) <= high + 1e-3


def test_reach_is_what_averages_need() -> None:
    """Its own actions before it, on the turn and on the river, times each other."""
    game = small_turn()
    strategy = game.normalised(np.random.default_rng(2).random(game.size))
    reach, arrays = game.reach(strategy), game.arrays()
    lines = [str(line) for line in arrays["lines"]]
    compared = 0
    for number in np.flatnonzero(game.sets >= 0)[::499]:
        words = re.findall(r"/|[a-z-]+(?: [0-9]+)?", lines[arrays["line_of"][number]])
        board = arrays["boards"][arrays["board_of"][number]]
        if board[-1] < 0:
            continue
        expected, line = 1.0, ""
        for word in words[:-1]:
            line = f"{line} {word}".strip()
            if word == "/":
                continue
            cards = board if "/" in line else np.array([*board[:4], -1])
            here = (
                (arrays["line_of"] == lines.index(line))
                & (arrays["holdings"] == game.holdings[number])
                & (arrays["boards"][arrays["board_of"]] == cards).all(axis=1)
            )
            (place,) = np.flatnonzero(here)
            if game.players[place] == game.players[number]:
                expected *= strategy[place]
        assert reach[number] == pytest.approx(expected)
        compared += 1
    assert compared > 20


def test_a_second_program_finds_the_same_best_responses() -> None:
    game = endgame("river-2")
    for strategy in (game.uniform(), cfr_plus(game, 15)):
        low, high = game.bounds(strategy)
        oop, ip = best_response_shares(game.arrays(), strategy)
        assert (game.spot.pot - ip, oop) == pytest.approx((low, high), rel=1e-5)


def test_values_are_as_narrow_as_is_said() -> None:
    for name, value in endgames.values().items():
        assert name in endgames.names()
        assert 0 < value.low < value.high < 100
        assert value.high - value.low < (0.021 if name.startswith("river") else 1.0)


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        (np.zeros(3), "shape"),
        (None, "off by up to 1"),
        (-1.0, "other numbers"),
        (np.nan, "other numbers"),
        (10.0**30, "off by"),
    ],
    ids=["short", "zero", "below", "nan", "huge"],
)
def test_what_is_no_strategy(strategy: Any, words: str) -> None:
    game = small_turn()
    numbers = game.zeros() if strategy is None else strategy
    if isinstance(strategy, float):
        numbers = np.full(game.size, strategy)
    with pytest.raises(BadInput, match=words):
        game.gap_percent(numbers)


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(BadInput, match="did you mean river-1"):
        endgame("river_1")


def test_the_manual_counts_what_is_known() -> None:
    text = (Path(__file__).parents[2] / "docs" / "endgames.md").read_text("utf-8")
    known = [name.partition("-")[0] for name in endgames.values()]
    for street in endgames.STREETS:
        assert f"{known.count(street)} of the {endgames.STREETS[street]} {street}s" in text
