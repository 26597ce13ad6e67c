"""The player of every game: what it makes of its cards, and whom it beats."""

from __future__ import annotations

import numpy as np
import pytest

from railbird import arena
from railbird.cards import HOLDEM, VARIANTS, parse_cards
from railbird.game import (
    HEADS_UP_LIMIT,
    Call,
    Discard,
    Fold,
    HandDealer,
    Phase,
    Raise,
    View,
    in_variant,
    pot_limit_holdem,
    seeded_deals,
    view,
)
from railbird.players.sensible import SensiblePlayer
from railbird.units import Seat


def views(name: str, *, hands: int, seats: int = 3) -> list[View]:
    """Return every view of hands in which all call what the first of each street bets."""
    rules = in_variant(pot_limit_holdem(seats, blinds=(1, 2), stack=100), VARIANTS[name])
    seen = []
    for row in seeded_deals(np.random.default_rng(5), seats, hands, rules.variant):
        dealer = HandDealer.of_row(rules, row)
        dealer.begin()
        while dealer.asks is not None:
            seen.append(view(dealer.state, dealer.asks))
            low = dealer.state.min_raise_to
            dealer.act(Call() if low is None or dealer.state.raises else Raise(low))
    return seen


@pytest.mark.parametrize(
    "name",
    [
        "holdem",
        "omaha-hilo",
        "double-board-omaha",
        "irish",
        "short-deck",
        "stud-hilo",
        "27-triple",
    ],
)
def test_the_same_view_has_the_same_answer_and_its_explanation_says_so(name: str) -> None:
    answers = set()
    for seen in views(name, hands=20 if VARIANTS[name].throws_away else 6):
        player, again = SensiblePlayer(), SensiblePlayer()
        player.reset(np.random.default_rng(1))
        action = player.act(seen)
        assert action == again.act(seen)
        assert player.distribution(seen).probability(action) == 1
        decided = [row for row in player.explain(seen).requirements if row.decided]
        assert len(decided) == 1
        assert (
            decided[0].action.split()[0]
            in {
                Fold: ("fold",),
                Call: ("call", "check", "bring"),
                Discard: ("draw", "stand", "throw"),
                Raise: ("raise", "bet"),
            }[type(action)]
        )
        answers.add(type(action))
    assert answers - {Discard} == {Fold, Call, Raise}
    assert (Discard in answers) == VARIANTS[name].throws_away


def test_it_never_folds_what_is_free() -> None:
    for seen in views("omaha", hands=20):
        if not seen.state.to_call:
            assert SensiblePlayer().act(seen) != Fold()


def test_more_raises_ask_for_more() -> None:
    """With the same cards, who calls after two raises also calls after one."""
    seen = [seen for seen in views("omaha", hands=20) if seen.state.raises == 1]
    player = SensiblePlayer()
    raised = [isinstance(player.act(view), Raise) for view in seen]
    bet = [isinstance(player.act(view), Raise) for view in views("omaha", hands=20)]
    assert np.mean(raised) < np.mean(bet)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["random", "always-call"])
@pytest.mark.parametrize("name", VARIANTS)
def test_it_wins_from_those_who_look_at_no_card(name: str, opponent: str) -> None:
    rules = in_variant(HEADS_UP_LIMIT, VARIANTS[name])
    players = ("sensible", opponent)
    result = arena.play(arena.Match(players=players, rules=rules, deals=400, seed=2))
    won = result.payoffs[..., 0].ravel()
    assert won.mean() > 2 * won.std() / len(won) ** 0.5


def test_of_cards_that_have_to_go_it_keeps_what_wins_most() -> None:
    rules = in_variant(pot_limit_holdem(2, blinds=(1, 2), stack=100), VARIANTS["irish"])
    row = np.array(parse_cards("AhKd7c2sQhQd3c3sQsJc9c4h5d"), np.uint8)
    dealer = HandDealer.of_row(rules, row)
    dealer.begin()
    while dealer.state.phase is not Phase.DRAW:
        dealer.act(Call())
    dealer.act(Call())
    seen = view(dealer.state, Seat(1))
    assert SensiblePlayer().act(seen) == Discard(parse_cards("3c3s"))
    (row_of_reasons,) = SensiblePlayer().explain(seen).requirements
    assert row_of_reasons.action == "throw away 2: 3c3s"


def test_hold_em_is_a_game_like_the_others() -> None:
    assert SensiblePlayer().plays(HOLDEM)
