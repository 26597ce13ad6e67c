"""Hints: the probability of winning, the pot odds, and what a house player would do and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from railbird.cards import parse_holding
from railbird.game import HEADS_UP_LIMIT, Betting, DealHoles, initial, step, view
from railbird.hosting.games.house_seats import so_far
from railbird.protocol.messages.game import ActionEntry, BoardEntry, HistoryEntry
from railbird.serve.table.hints import Decision, hint
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import betting_tree, write_strategy
from railbird.solve.limit.strategy import uniform_strategy
from railbird.tournament.table_rules import table_rules
from railbird.units import Seat

HISTORY: list[HistoryEntry] = [
    ActionEntry(seat=1, verb="call", paid=20),
    ActionEntry(seat=0, verb="check", paid=0),
    BoardEntry(cards=["Kc", "8d", "3s"]),
    ActionEntry(seat=0, verb="check", paid=0),
    ActionEntry(seat=1, verb="bet", to=40, paid=40),
]
"""Heads-up on the flop: a bet of 40 into 80."""


def _facing_a_bet(betting: Betting, *specs: str) -> Decision:
    """Top pair, to act; the other one's cards are unknown."""
    rules = table_rules(betting, blinds=(20, 40), ante=0, stacks=[2000, 2000])
    holdings = (parse_holding("AsKd"), parse_holding("2c7h"))
    dealt = view(step(initial(rules), DealHoles(holdings)), Seat(0))
    return Decision(Seat(0), so_far(dealt, HISTORY), specs)


@pytest.mark.parametrize("betting", [Betting.NO_LIMIT, Betting.LIMIT])
def test_a_hint_has_odds_and_the_advice_of_a_house_player(betting: Betting) -> None:
    decision = _facing_a_bet(betting, "always-call", "tight")
    assert decision.view.state.holdings[1] is None
    chance, price, advice = hint(decision)
    assert chance.startswith("You win 8")
    assert chance.endswith("against one opponent with any two cards.")
    assert price == "Calling 40 for a pot of 120 needs 25.0 %."
    assert advice.startswith("tight would ")
    assert ": " in advice


def test_where_stacks_are_filled_up_an_equilibrium_says_what_it_draws(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    write_strategy(path, uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind()))
    decision = _facing_a_bet(Betting.LIMIT, f"equilibrium:{path}")
    advice = hint(replace(decision, top_up=True))[-1]
    assert advice.startswith("equilibrium:mine.strategy would ")
    assert "fold 33 %, call or check 33 %, bet or raise 33 %, by the strategy" in advice
    assert not any("equilibrium" in line for line in hint(decision)), "it cannot play there"


def test_advice_comes_from_a_house_player_that_can_say_why() -> None:
    lines = hint(_facing_a_bet(Betting.NO_LIMIT, "always-call"))
    assert len(lines) == 3
    assert not any("always-call" in line for line in lines)
