"""OpenSpiel's bots at our tables and our players at its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.arena import Match
from railbird.arena.exploitability import local_best_response
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.cards import cards_of
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Action,
    Call,
    Event,
    Moment,
    Phase,
    Raise,
    Rules,
    View,
    acpc_rules,
    due,
    initial,
    legal,
    limit_holdem,
    no_limit_holdem,
    payoffs,
    seeded_deals,
    step,
)
from railbird.players import Distribution, RangeDistribution, make_player
from railbird.players.policy import ask_each

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra railbird[openspiel]")

GAMES = [
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    acpc_rules(limit_holdem(3)),
    acpc_rules(no_limit_holdem(3, blinds=(5, 10), stack=(50, 300, 120))),
]


@pytest.mark.parametrize("rules", GAMES)
def test_both_engines_play_the_same_game(rules: Rules) -> None:
    from railbird.adapters.openspiel import from_spiel, to_spiel, universal_poker

    rng = np.random.default_rng(2)
    game = universal_poker(rules)
    for cards in seeded_deals(rng, rules.seats, 40):
        theirs, ours = game.new_initial_state(), initial(rules)
        chance = iter(cards.tolist())
        while not theirs.is_terminal():
            while ours.phase in (Phase.DEAL_HOLES, Phase.DEAL_BOARD):
                ours = step(ours, due(ours, cards))
            if theirs.is_chance_node():
                theirs.apply_action(next(chance))
                continue
            numbers = theirs.legal_actions()
            allowed = legal(ours)
            ends = {to_spiel(ours, action) for action in allowed.actions()}
            assert theirs.current_player() == ours.actor
            assert ends <= set(numbers)
            assert {min(numbers), max(numbers)} <= ends
            number = int(rng.choice([*ends, rng.choice(numbers)]))
            action = from_spiel(ours, number)
            assert to_spiel(ours, action) == number
            theirs.apply_action(number)
            ours = step(ours, Act(allowed.seat, action))
        while ours.phase is Phase.DEAL_BOARD:
            ours = step(ours, due(ours, cards))
        assert theirs.returns() == pytest.approx([float(chips) for chips in payoffs(ours)])


@pytest.mark.parametrize("rules", GAMES)
def test_a_bot_plays_at_our_table(
    rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bots_of_test.py").write_text(
        "import pyspiel\n"
        "from railbird.adapters.openspiel import SpielPlayer\n"
        "def uniform():\n"
        "    return SpielPlayer(lambda game, seat, seed:"
        " pyspiel.make_uniform_random_bot(seat, seed))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    others = ("random",) * (rules.seats - 1)
    match = Match(players=("python:bots_of_test:uniform", *others), rules=rules, deals=60, seed=1)
    played = [ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=True)).play(0) for _ in range(2)]
    assert played[0].faults[0].as_json() == {}
    assert played[0].text == played[1].text
    assert "r" in played[0].text.decode()


class Witness:
    """Calls, and keeps what it is told."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.events: list[Event] = []
        self.begun = 0

    def reset(self, rng: np.random.Generator) -> None:
        self.views.clear()

    def begin(self, view: View) -> None:
        self.begun += 1

    def observe(self, view: View, event: Event) -> None:
        self.views.append(view)
        self.events.append(event)

    def end(self, view: View) -> None:
        raise AssertionError("a bot is not told that a hand is over")

    def act(self, view: View) -> Any:
        self.views.append(view)
        return make_player("always-call").act(view)


@pytest.mark.parametrize("rules", GAMES)
def test_our_player_is_a_bot_at_theirs_and_sees_its_own_cards_only(rules: Rules) -> None:
    from railbird.adapters.openspiel import SpielBot, universal_poker

    game = universal_poker(rules)
    witness = Witness()
    bots = [SpielBot(witness, rules, 0)]
    bots += [SpielBot(make_player("random"), rules, seat, seed=seat) for seat in range(1, 2)]
    bots += [pyspiel.make_uniform_random_bot(seat, 5) for seat in range(2, rules.seats)]
    rng = np.random.RandomState(3)
    for hand in range(20):
        state = game.new_initial_state()
        for bot in bots:
            bot.restart_at(state)
        while not state.is_terminal():
            if state.is_chance_node():
                numbers, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(numbers, p=weights)))
            else:
                number = bots[state.current_player()].step(state)
                assert number in state.legal_actions()
                state.apply_action(number)
        assert sum(state.returns()) == pytest.approx(0)
        assert witness.begun <= hand + 1
    assert witness.begun > 5
    assert witness.views
    for view in witness.views:
        assert view.seat == 0
        assert [seat for seat, held in enumerate(view.state.holdings) if held is not None] == [0]


def test_closing_a_bot_closes_its_player() -> None:
    from railbird.adapters.openspiel import SpielBot

    class Keeper(Witness):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    keeper = Keeper()
    SpielBot(keeper, HEADS_UP_LIMIT, 0).close()
    assert keeper.closed == 1
    SpielBot(Witness(), HEADS_UP_LIMIT, 1).close()


class FoldsWeakCards:
    """A policy by OpenSpiel's information states alone, which have the cards as text."""

    def action_probabilities(self, state: Any) -> dict[int, float]:
        private = state.information_state_string().partition("[Private: ")[2][:4]
        strong = "A" in private or private[0] == private[2]
        actions = state.legal_actions()
        if not strong and 0 in actions:
            return {0: 0.75, 1: 0.25}
        return {1: 0.5, actions[-1]: 0.5} if strong and len(actions) > 2 else {1: 1.0}


class WeakCardsFolder:
    """The same as our player."""

    strategy_hash = "weak"

    def reset(self, rng: np.random.Generator) -> None:
        pass

    def act(self, view: View) -> Action:
        raise AssertionError("it is asked, and never acts")

    def distribution(self, view: View) -> Distribution:
        low, high = sorted(card // 4 for card in cards_of(view.holding))
        strong, legal_now = high == 12 or low == high, view.legal
        if not strong and legal_now.fold:
            return Distribution(fold=0.75, call=0.25)
        if not strong or legal_now.max_raise_to is None:
            return Distribution(call=1.0)
        return Distribution.of([(Call(), 0.5), (Raise(legal_now.max_raise_to), 0.5)])

    def range_distribution(self, view: View, holdings: np.ndarray) -> RangeDistribution:
        return ask_each(self, view, holdings)


def folds_weak_cards() -> Any:
    from railbird.adapters.openspiel import SpielPolicyPlayer

    return SpielPolicyPlayer(lambda game: FoldsWeakCards(), strategy_hash="weak")


def test_a_policy_is_asked_with_any_cards() -> None:
    policy, ours = folds_weak_cards(), WeakCardsFolder()
    rules = acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=1_000))
    cards = next(iter(seeded_deals(np.random.default_rng(1), 2, 1)))
    dealt = due(initial(rules), cards)
    state = step(initial(rules), dealt)
    assert state.actor is not None
    view = Moment(state).view(state.actor)
    policy.begin(view)
    holdings = np.arange(0, 1326, 50)
    said, wanted = (one.range_distribution(view, holdings) for one in (policy, ours))
    assert said.fold == pytest.approx(wanted.fold)
    assert said.call == pytest.approx(wanted.call)
    assert said.sizes == wanted.sizes
    assert said.raises == pytest.approx(wanted.raises)


@pytest.mark.slow
def test_a_local_best_response_wins_the_same_from_policy_and_player() -> None:
    rules = acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=1_000))
    specs = [f"python:{__name__}:{name}" for name in ("folds_weak_cards", "WeakCardsFolder")]
    of_policy, of_ours = (
        local_best_response(spec, rules, menu="fc", deals=20, seed=1) for spec in specs
    )
    assert of_policy.won.value == pytest.approx(of_ours.won.value, abs=1e-9)
    assert of_policy.won.value > 0
