"""Strength and potential: Papp, "Dealing with Imperfect Information in Poker" (1998), and the
later pages of the same work that print the numbers (specification of Loki, section 1).
"""

from __future__ import annotations

import pytest

from railbird.cards import parse_cards, parse_holding
from railbird.odds.hand_rank.ranks import hand_rank
from railbird.odds.potential.strength_and_potential import hand_strength, potential

HOLE, FLOP = parse_holding("AdQc"), parse_cards("3h4cJh")


def test_strength_against_one_and_five() -> None:
    assert hand_strength(HOLE, FLOP) == pytest.approx(0.585106, abs=5e-7)
    assert hand_strength(HOLE, FLOP, opponents=5) == pytest.approx(0.068576, abs=5e-7)


def test_potential_with_two_cards_to_come() -> None:
    found = potential(HOLE, FLOP, to_come=2)
    assert found.table == ((449005, 3211, 169504), (0, 8370, 540), (91981, 1036, 346543))
    assert found.ppot == pytest.approx(0.208324, abs=5e-7)
    assert found.npot == pytest.approx(0.273693, abs=5e-7)
    assert found.ehs == pytest.approx(0.511399, abs=5e-7)
    assert found.optimistic_ehs == pytest.approx(0.671539, abs=5e-7)


def test_potential_with_one_card_to_come() -> None:
    found = potential(HOLE, FLOP, to_come=1)
    assert found.ppot == pytest.approx(0.108312, abs=5e-7)
    assert found.npot == pytest.approx(0.145402, abs=5e-7)


def test_a_strong_draw() -> None:
    hole, flop = parse_holding("8d7d"), parse_cards("9d6c2d")
    rank = hand_rank(hole, flop)
    assert (rank.ahead, rank.tied, rank.behind) == (120, 9, 952)
    assert hand_strength(hole, flop) == pytest.approx(0.115171, abs=5e-7)
    assert potential(hole, flop, to_come=2).ppot == pytest.approx(0.6215, abs=5e-5)
    assert potential(hole, flop, to_come=1).ppot == pytest.approx(0.4077, abs=5e-5)
