"""AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling 2018) for any game that can be enumerated.

The package `aivat` has it for heads-up hold'em.

The paper's estimate of a hand, with P the known players and chance, is

    sum over z' in W of pi(z') v(z') / pi(W)  +  sum over classes H of k_H

where W holds the terminal histories that look like the hand's, pi is their probability by the
actions of P, and k_H is the average value of H's successors less the value of the one that came.
All sums over histories that look alike are means over a class of `ObservedGame`, and there k_H is
the usual correction of an event with known probabilities. So AIVAT is `GameEstimator` on the
observed game. If no player is known, it is MIVAT.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird.assessment.control_variates import corrected, luck_of
from railbird.assessment.estimator import CardsNeeded, EstimatorKind
from railbird.assessment.extensive_games import CHANCE, ExtensiveGame, Known, Profile
from railbird.errors import BadInput

# Control variates for any `ExtensiveGame`: utility less what chance, and known players, changed.
#
# The same formula as for hold'em (`railbird.assessment.control_variates`) on games that can be
# enumerated, so that mean and variance of an estimate are known exactly, not only sampled.


class PlayMoments(NamedTuple):
    """Moments of a play, by enumeration."""

    mean: float
    variance: float
    fourth: float
    """The fourth central moment."""

    def stderr_of_spread(self, plays: int) -> float:
        """Return the standard error of the standard deviation of a sample of plays."""
        spread = math.sqrt(self.variance)
        return math.sqrt((self.fourth - self.variance**2) / plays) / (2 * spread) if spread else 0.0


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
    kind: EstimatorKind = EstimatorKind.UNBIASED
    cards: CardsNeeded = CardsNeeded.ALL

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

    def exact(self, profile: Profile) -> PlayMoments:
        """Return the moments of the estimate if ``profile`` is played, by enumeration."""
        leaves = self.game.leaves
        return exact_moments(self.game, profile, self.score(leaves)[self.name])


def exact_moments(game: ExtensiveGame, profile: Profile, by_leaf: Floats) -> PlayMoments:
    """Return the moments of a quantity of the leaves, by enumeration."""
    chances = game.reach(profile)[game.leaves]
    mean = float(chances @ by_leaf)
    variance, fourth = (float(chances @ (by_leaf - mean) ** power) for power in (2, 4))
    return PlayMoments(mean, max(0.0, variance), fourth)


def exact_utility(game: ExtensiveGame, profile: Profile) -> PlayMoments:
    """Return the moments of what the first player wins."""
    return exact_moments(game, profile, game.payoff[game.leaves])


# A game as an observer sees it who knows some players' strategies but not their private states.
#
# Nodes that differ only in what the known players have alone been shown become one *class*: same
# actions, same public cards, same private states of the unknown players. Within a class the unknown
# players act alike, so how likely each node is follows from chance and the known strategies alone,
# whatever the others play. The classes are a game again, in which the actions of the known players
# are chance.


@dataclass(frozen=True, slots=True, eq=False)
class ObservedGame:
    """A game over classes of nodes; make one with `observe`."""

    game: ExtensiveGame
    """Its nodes are the classes; its payoffs the means over their nodes."""
    class_of: npt.NDArray[np.int64]
    """(nodes,) class of each node of the game behind it."""
    mass: Floats
    """(nodes,) probability of reaching each node if the unknown players always went there."""

    def mean(self, by_node: Floats) -> Floats:
        """Average a quantity of the nodes over each class, (classes,); 0 where none is reached."""
        return _ratio(_sums(self.class_of, self.mass * by_node), _sums(self.class_of, self.mass))


def observe(game: ExtensiveGame, known: Known) -> ObservedGame:
    """Merge the nodes that look alike to an observer who knows the strategies ``known``.

    With no player known the classes are single nodes, with both known what is public. Raises
    `BadInput` for probabilities of another game, and for signals that tell a player less than its
    information sets do.
    """
    for player, table in enumerate(known):
        wanted = (len(game.sets[player]), int(game.actions[player].max(initial=1)))
        if table is not None and table.shape != wanted:
            raise BadInput(f"probabilities of shape {table.shape}; allowed: {wanted}, see Profile")
    hidden = [player for player in (0, 1) if known[player] is None]
    labels = game.signals[[0, *(1 + player for player in hidden)]]
    steps = game.steps(known)
    numbers: dict[tuple[int, ...], int] = {}
    class_of = np.zeros(len(game.actor), dtype=np.int64)
    mass = np.ones(len(game.actor))
    for node in range(len(class_of)):
        above = int(game.parent[node])
        if above >= 0:
            mass[node] = mass[above] * (1.0 if np.isnan(steps[node]) else steps[node])
        key = (class_of[above] if above >= 0 else -1, *labels[:, node])
        class_of[node] = numbers.setdefault(key, len(numbers))
    first = np.unique(class_of, return_index=True)[1]
    lead = first[class_of]
    knows = np.isin(game.actor, hidden) & (game.information != game.information[lead])
    if knows.any() or (game.actor != game.actor[lead]).any():
        # Merged, such nodes would be averaged by weights that depend on the unknown player.
        raise BadInput("signals hide from a player what it knows at a decision; see Signal")
    parent = np.where(game.parent[first] >= 0, class_of[game.parent[first]], -1)
    corrected = np.isin(game.actor[first], [p for p in (0, 1) if p not in hidden])
    actor = np.where(corrected, CHANCE, game.actor[first])
    total = _sums(class_of, mass)
    return ObservedGame(
        game=ExtensiveGame(
            actor=actor,
            parent=parent,
            action=_places(parent),
            chance=np.where(
                np.where(parent >= 0, actor[parent], 0) == CHANCE, _ratio(total, total[parent]), 0.0
            ),
            information=np.where(corrected, -1, game.information[first]),
            payoff=_ratio(_sums(class_of, mass * game.payoff), total),
            signals=game.signals[:, first],
            sets=game.sets,
            actions=game.actions,
        ),
        class_of=class_of,
        mass=mass,
    )


def _places(parent: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Number the children of each node."""
    children: dict[int, int] = {}
    places = []
    for above in parent.tolist():
        places.append(children.get(above, 0))
        children[above] = places[-1] + 1
    return np.array(places)


def _sums(class_of: npt.NDArray[np.int64], amounts: Floats) -> Floats:
    return np.bincount(class_of, amounts).astype(np.float64)


def _ratio(parts: Floats, wholes: Floats) -> Floats:
    return np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes > 0)


# AIVAT.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameAivat:
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
    kind: EstimatorKind = EstimatorKind.UNBIASED
    cards: CardsNeeded = CardsNeeded.ALL
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

    def exact(self, profile: Profile) -> PlayMoments:
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
