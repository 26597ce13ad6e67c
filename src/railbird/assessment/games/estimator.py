"""Control variates for any `ExtensiveGame`: utility less what chance, and known players, changed.

The same formula as for hold'em (`railbird.assessment.control_variate`) on games that can be
enumerated, so that mean and variance of an estimate are known exactly, not only sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.assessment.control_variate import corrected, luck_of
from railbird.assessment.estimator import Cards, Kind
from railbird.assessment.games.extensive_game import ExtensiveGame, Floats, Known, Profile


class Exact(NamedTuple):
    """Moments of a play, by enumeration."""

    mean: float
    variance: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameEstimator:
    """Utility of the first player less luck; a member of the family of `Estimator`.

    ``value`` (nodes,) is any guess of what nodes are worth: the mean stays that of the utility
    whatever it is, and the better the guess, the smaller the variance. Corrected are chance and the
    decisions of ``known`` players, whose probabilities must be those that they play by.
    """

    name: str
    title: str
    game: ExtensiveGame
    value: Floats
    known: Known = (None, None)
    meaning: str = "utility less what chance changed"
    assumes: str = "All hidden information is known once a play is over."
    kind: Kind = Kind.UNBIASED
    cards: Cards = Cards.ALL

    def needs(self, game: ExtensiveGame) -> str | None:
        """Say why plays of a game cannot be scored; None if they can."""
        return None if game is self.game else "made for another game"

    def luck(self) -> Floats:
        """Sum the changes made by the corrected events on the way to each node, (nodes,)."""
        game = self.game
        steps = game.steps(self.known)
        expected = np.zeros(len(steps))
        known = ~np.isnan(steps)
        known[0] = False
        np.add.at(expected, game.parent[known], (steps * self.value)[known])
        change = np.zeros(len(steps))
        change[known] = luck_of(self.value[known], expected[game.parent[known]])
        for node in range(1, len(steps)):
            change[node] += change[game.parent[node]]
        return change

    def score(self, plays: npt.NDArray[np.int64]) -> dict[str, Floats]:
        """Fill the columns of plays, (plays,) leaves: ``utility``, ``luck`` and the estimate."""
        utility, luck = self.game.payoff[plays], self.luck()[plays]
        estimate = corrected(utility, luck[:, None])
        return {"utility": utility, "luck": luck, self.name: estimate}

    def exact(self, profile: Profile) -> Exact:
        """Return mean and variance of the estimate if ``profile`` is played, by enumeration."""
        leaves = self.game.leaves
        return exact_moments(self.game, profile, self.score(leaves)[self.name])


def exact_moments(game: ExtensiveGame, profile: Profile, by_leaf: Floats) -> Exact:
    """Return mean and variance of a quantity of the leaves, by enumeration."""
    chances = game.reach(profile)[game.leaves]
    mean = float(chances @ by_leaf)
    return Exact(mean, max(0.0, float(chances @ (by_leaf - mean) ** 2)))


def exact_utility(game: ExtensiveGame, profile: Profile) -> Exact:
    """Return mean and variance of what the first player wins."""
    return exact_moments(game, profile, game.payoff[game.leaves])
