"""Leduc hold'em with seats drawn by a coin, and its players: equilibrium, random, purified."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from railbird.assessment.games.extensive_game import (
    ExtensiveGame,
    Floats,
    Profile,
    unfold,
    unfolded_profile,
)
from railbird.assessment.games.observed_game import observe
from railbird.assessment.games.seats import either_seat, seated
from railbird.solve import leduc, solve

GAP: Final = 1e-6
"""Exploitability of the equilibrium, in chips."""


@dataclass(frozen=True, slots=True, eq=False)
class Leduc:
    """The game and how each player plays both seats."""

    game: ExtensiveGame
    equilibrium: Profile
    random: Profile
    """Calls or checks as often as it bets or raises, where it may, and never folds."""
    purified: Profile
    """Plays the likeliest action of the equilibrium."""
    self_play: Floats
    """(nodes,) value between two equilibria, to the first player."""
    showdown: Floats
    """(nodes,) 1 at ends without a fold."""

    def seen_by(self, player: int) -> Floats:
        """Return the value in self-play given what a player knows, (nodes,).

        This is what solvers store: the value of an action at an information set.
        """
        profile = seated(self.equilibrium, self.equilibrium)
        known = (None, profile[1]) if player == 0 else (profile[0], None)
        seen = observe(self.game, known)
        averaged: Floats = seen.mean(self.self_play)[seen.class_of]
        return averaged


@cache
def table() -> Leduc:
    """Build the game and solve it, which takes two seconds."""
    small = leduc()
    tree = unfold(small)
    equilibrium = unfolded_profile(small, tree, solve(small, tolerance=GAP).strategy)
    game = either_seat(tree)
    folds = [np.zeros(rows, dtype=np.bool_) for rows in small.rows]
    random: list[Floats] = []
    for player, decisions in enumerate(small.decisions):
        actions = [action for decision in decisions for action in decision.actions]
        folds[player] = np.array([action == "fold" for action in actions])
        chances = [
            (a != "fold") / len(set(d.actions) - {"fold"}) for d in decisions for a in d.actions
        ]
        random.append(np.tile(np.array(chances)[:, None], small.states[player]))
    showdown = np.zeros(len(game.actor))
    for leaf in game.leaves:
        above = game.parent[leaf]
        seat, (row, _) = game.sets[0][game.information[above]]
        showdown[leaf] = not folds[seat][row + game.action[leaf]]
    return Leduc(
        game=game,
        equilibrium=equilibrium,
        random=unfolded_profile(small, tree, random),
        purified=(purified(equilibrium[0]), purified(equilibrium[1])),
        self_play=game.values(seated(equilibrium, equilibrium)),
        showdown=showdown,
    )


def purified(table: Floats) -> Floats:
    """Give all probability of each information set to its likeliest action."""
    pure: Floats = np.eye(table.shape[1])[table.argmax(axis=1)]
    return pure
