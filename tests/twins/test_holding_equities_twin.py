"""Equity of a holding against every other one at once, and by the general enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import (
    HOLDINGS,
    Card,
    Holding,
    cards_of,
    format_holding,
    parse_cards,
    parse_holding,
)
from railbird.odds import Mode, equity
from railbird.players.tight.holding_equities import equities_of, mean_equity, possible


@pytest.mark.parametrize(
    ("held", "board"),
    [
        ("AcKh", "Kd9s2h"),
        ("8c7c", "Kc9c2h"),
        ("QdQs", "7h7d7s"),
        ("2c2d", "AhKhQh"),
        ("Ts9s", "8s7s2dKh"),
        ("Ac4d", "5c6c7c8c"),
        ("AsAd", "AcAhKd"),
        ("5d4d", "KcQcJcTc9c"),
        ("Ah3d", "KhQh7h2h9c"),
    ],
)
def test_against_each_holding_as_by_enumeration(held: str, board: str) -> None:
    holding, cards = parse_holding(held), tuple(parse_cards(board))
    free = possible(holding, cards)
    equities = equities_of(holding, cards, free)
    rng = np.random.default_rng(len(board))
    for other in map(Holding, rng.choice(np.flatnonzero(free), 40, replace=False).tolist()):
        pair = equity([held, format_holding(other)], board, mode=Mode.EXACT)
        assert equities[other] == pytest.approx(pair.players[0].equity, abs=1e-12)


def test_every_completion_of_random_flops() -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        drawn = rng.permutation(52)[:5].tolist()
        low, high = sorted(drawn[:2])
        board = tuple(map(Card, drawn[2:]))
        holding = next(h for h in map(Holding, range(HOLDINGS)) if set(cards_of(h)) == {low, high})
        free = possible(holding, board)
        mean = mean_equity(equities_of(holding, board, free), free.astype(np.float64))
        exact = equity([holding, "random"], board, mode=Mode.EXACT).players[0].equity
        assert mean == pytest.approx(exact, abs=1e-12)


def test_only_what_is_wanted_is_filled() -> None:
    holding, board = parse_holding("AcKh"), tuple(parse_cards("Kd9s2h"))
    wanted = np.zeros(HOLDINGS, np.bool_)
    wanted[parse_holding("QsQd")] = True
    assert np.flatnonzero(equities_of(holding, board, wanted)).tolist() == [parse_holding("QsQd")]
