"""AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling 2018) for any `ExtensiveGame`.

The paper's estimate of a hand, with P the known players and chance, is

    sum over z' in W of pi(z') v(z') / pi(W)  +  sum over classes H of k_H

where W holds the terminal histories that look like the hand's, pi is their probability as far as P
is concerned, and k_H is what the value of H's successors is on average less the value of the one
that came. All sums over histories that look alike are means over a class of `ObservedGame`, and k_H
is the usual correction of an event with known probabilities there. So AIVAT is `GameEstimator` on
the observed game. If no player is known, it is MIVAT.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from railbird.assessment.estimator import Cards, Kind
from railbird.assessment.games.estimator import Exact, GameEstimator, exact_moments
from railbird.assessment.games.extensive_game import ExtensiveGame, Floats, Known, Profile
from railbird.assessment.games.observed_game import ObservedGame, observe
from railbird.errors import BadInput


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aivat:
    """Result of the first player less the luck of cards and of the known players' actions."""

    game: ExtensiveGame
    value: Floats
    """(nodes,) any guess of what nodes are worth to the first player. If it is their value when the
    pair plays that is known, no variance is left."""
    known: Known = (None, None)
    """By player the probabilities that it really plays by, or None. Others are a bias."""
    name: str = "aivat"
    title: str = "AIVAT"
    meaning: str = "utility less what chance and known players' actions changed"
    assumes: str = "The unknown players' private states are known once a play is over."
    kind: Kind = Kind.UNBIASED
    cards: Cards = Cards.ALL
    observed: ObservedGame = field(init=False)
    """The game to an observer who knows ``known``."""

    def __post_init__(self) -> None:
        nodes = len(self.game.actor)
        if self.value.shape != (nodes,):
            raise BadInput(f"values of shape {self.value.shape}; allowed: ({nodes},), one a node")
        object.__setattr__(self, "observed", observe(self.game, self.known))

    def needs(self, game: ExtensiveGame) -> str | None:
        """Say why plays of a game cannot be scored; None if they can."""
        return None if game is self.game else "made for another game"

    def by_node(self) -> Floats:
        """Return the estimate of plays that end at each node, (nodes,)."""
        of_classes = GameEstimator(
            name=self.name,
            title=self.title,
            game=self.observed.game,
            value=self.observed.mean(self.value),
        )
        by_class = self.observed.game.payoff - of_classes.luck()
        estimates: Floats = by_class[self.observed.class_of]
        return estimates

    def score(self, plays: npt.NDArray[np.int64]) -> dict[str, Floats]:
        """Fill the columns of plays, (plays,) leaves: ``utility``, ``luck`` and the estimate."""
        utility, estimates = self.game.payoff[plays], self.by_node()[plays]
        return {"utility": utility, "luck": utility - estimates, self.name: estimates}

    def exact(self, profile: Profile) -> Exact:
        """Return mean and variance of the estimate if ``profile`` is played, by enumeration."""
        return exact_moments(self.game, profile, self.by_node()[self.game.leaves])


def imaginary_observations(game: ExtensiveGame, known: Known, estimates: Floats) -> Floats:
    """Average estimates (nodes,) over what the known players could have held (Bowling et al. 2008).

    The weights are the probabilities by which they would have come to the same end. No action is
    corrected.
    """
    seen = observe(game, known)
    averaged: Floats = seen.mean(estimates)[seen.class_of]
    return averaged
