"""What every player of ours keeps to that says how likely its actions are.

A player that does not is named in `SILENT`, so a new one has to choose.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from contracts.test_players_contract import PLAYERS
from railbird.arena import Match
from railbird.arena.match.chunk_player import ChunkPlayer, Job, Loop
from railbird.game import Action, Call, Fold, Rules, View, limit_holdem, no_limit_holdem
from railbird.players import (
    Closable,
    Distribution,
    Player,
    Policy,
    RaiseSizes,
    Selective,
    distribution_of,
    make_player,
)
from railbird.players.policy import why_not
from railbird.units import Chips

SILENT = {"loki:sim", "loki:best"}
"""Players that decide by playing out random hands after the flop."""
HANDS = 400
MOST_SIGMAS = 4.5
KINDS = 3


def games() -> Iterator[Rules]:
    yield limit_holdem(2)
    yield limit_holdem(3)
    yield no_limit_holdem(2, blinds=(1, 2), stack=20)


class Asking:
    """Asks a player for its probabilities before each of its actions."""

    def __init__(self, spec: str) -> None:
        self._player = make_player(spec)
        self.expected = np.zeros(KINDS)
        self.variance = np.zeros(KINDS)
        self.seen = np.zeros(KINDS)
        self.silent = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.__dict__["_player"], name)

    def act(self, view: View) -> Action:
        said = distribution_of(self._player, view)
        again = distribution_of(self._player, view)
        assert said == again
        action = self._player.act(view)
        if said is None:
            self.silent += 1
            return action
        assert said.probability(action) > 0
        for sizes in said.raises:
            assert view.legal.min_raise_to is not None
            assert view.legal.max_raise_to is not None
            assert view.legal.min_raise_to <= sizes.low
            assert sizes.high <= view.legal.max_raise_to
        assert view.legal.fold or not said.fold
        chances = np.array([said.fold, said.call, sum(s.probability for s in said.raises)])
        self.expected += chances
        self.variance += chances * (1 - chances)
        self.seen[0 if action == Fold() else 1 if action == Call() else 2] += 1
        return action


def played(rules: Rules, player: str | Player) -> tuple[np.ndarray, ChunkPlayer]:
    match = Match(
        players=(player, *["random"] * (rules.seats - 1)), rules=rules, deals=HANDS, seed=5
    )
    table = ChunkPlayer(Job(match, Loop.PYTHON, logged=False))
    return table.play(0).payoffs, table


@pytest.mark.parametrize("spec", [spec for spec in PLAYERS if spec not in SILENT])
def test_actions_come_as_often_as_is_said(spec: str) -> None:
    for rules in games():
        asking = Asking(spec)
        if why_not(asking, rules):
            continue
        payoffs, _ = played(rules, asking)  # type: ignore[arg-type]
        assert asking.silent == 0
        off = np.abs(asking.seen - asking.expected)
        assert (off <= MOST_SIGMAS * np.sqrt(asking.variance) + 1e-6).all()
        # Asking changes nothing.
        assert np.array_equal(payoffs, played(rules, f"asking={spec}")[0])


def test_who_plays_hands_out_says_nothing_after_the_flop() -> None:
    asking = Asking("loki:sim,trials=20")
    played(limit_holdem(2), asking)  # type: ignore[arg-type]
    assert asking.silent > 0
    assert asking.expected.sum() > 0


def test_probabilities_add_up() -> None:
    with pytest.raises(Exception, match="allowed: sum 1"):
        Distribution(fold=0.5, call=0.4)
    with pytest.raises(Exception, match="from low to high"):
        Distribution(raises=(RaiseSizes(Chips(5), Chips(4), 1.0),))


def test_what_is_drawn_is_as_likely_as_is_said() -> None:
    mixed = Distribution(fold=0.2, call=0.3, raises=(RaiseSizes(Chips(4), Chips(5), 0.5),))
    rng = np.random.default_rng(1)
    drawn = [mixed.draw(rng) for _ in range(20_000)]
    for action in set(drawn):
        chance = mixed.probability(action)
        sigma = np.sqrt(chance * (1 - chance) / len(drawn))
        assert abs(drawn.count(action) / len(drawn) - chance) < 4 * sigma
    assert len(set(drawn)) == 4


def test_parts_of_a_player_are_told_by_its_methods() -> None:
    class Plain:
        def reset(self, rng: np.random.Generator) -> None: ...

        def act(self, view: View) -> Action:
            return Call()

    assert not isinstance(Plain(), Policy | Closable | Selective)
    assert isinstance(make_player("loki:som"), Policy)
    assert isinstance(make_player("loki:som"), Closable)
