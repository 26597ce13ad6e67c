"""AIVAT with one thing wrong, on Leduc hold'em."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.assessment.games.extensive_game import CHANCE, Floats, Known
from railbird.assessment.games.observed_game import ObservedGame, observe
from railbird.assessment.games.seats import seated
from railbird.experiments.burch2018.players import Leduc

RARE: Final = 0.01
"""Probability in self-play below which a position has no value in a solver's table."""


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """The corrected events of an observed game, by class."""

    observed: ObservedGame
    after: Floats
    """(classes,) value of the class."""
    step: Floats
    """(classes,) probability of coming here from the class above, if that is an event."""
    corrected: npt.NDArray[np.bool_]
    """(classes,) whether it is."""
    dealt: npt.NDArray[np.bool_]
    """(classes,) whether cards or seats decided."""
    missing: npt.NDArray[np.bool_]
    """(classes,) whether self-play comes here too rarely for a value in a table."""

    def expected(self, weights: Floats) -> Floats:
        """Average the values that can follow an event, (classes,) by what did follow.

        It is nan where all weights are zero.
        """
        above, size = self.observed.game.parent[1:], len(self.after)
        sums = np.bincount(above, (weights * self.after)[1:], minlength=size)
        total = np.bincount(above, weights[1:], minlength=size)
        means = np.divide(sums, total, out=np.full(size, np.nan), where=total > 0)
        return np.concatenate([[0.0], means[above]])

    def estimates(self, changes: Floats) -> Floats:
        """Take the changes by events (classes,) from the result of each node, (nodes,).

        A change of nan counts as none.
        """
        luck, game = np.where(self.corrected, np.nan_to_num(changes), 0.0), self.observed.game
        for node in range(1, len(luck)):
            luck[node] += luck[game.parent[node]]
        estimates: Floats = (game.payoff - luck)[self.observed.class_of]
        return estimates


def events_of(leduc: Leduc, known: Known, value: Floats) -> Events:
    """Find the events that AIVAT corrects, with ``value`` (nodes,)."""
    seen = observe(leduc.game, known)
    game = seen.game
    original = leduc.game.actor[np.unique(seen.class_of, return_index=True)[1]]
    below = np.arange(len(game.actor)) > 0
    often = leduc.game.reach(seated(leduc.equilibrium, leduc.equilibrium))
    return Events(
        observed=seen,
        after=seen.mean(value),
        step=game.chance,
        corrected=below & (game.actor[game.parent] == CHANCE),
        dealt=below & (original[game.parent] == CHANCE),
        missing=np.bincount(seen.class_of, often) < RARE,
    )


def dropping(events: Events) -> Floats:
    """Leave out the correction where the value of what happened is missing."""
    changes = events.after - events.expected(events.step)
    return events.estimates(np.where(events.missing, 0.0, changes))


def found_only(events: Events) -> Floats:
    """Average over the branches that have a value, whichever came."""
    return events.estimates(events.after - events.expected(events.step * ~events.missing))


def found_only_and_dropping(events: Events) -> Floats:
    """Average over the branches that have a value, and correct only if one of them came.

    Both mistakes at once are none: the mean change among these branches is zero.
    """
    changes = events.after - events.expected(events.step * ~events.missing)
    return events.estimates(np.where(events.missing, 0.0, changes))


def equal_cards(events: Events) -> Floats:
    """Average over cards as if each rank were as likely as any other."""
    possible = np.where(events.step > 0, 1.0, 0.0)
    weights = np.where(events.dealt, possible, events.step)
    return events.estimates(events.after - events.expected(weights))


def careless_average(leduc: Leduc, known: Known, estimates: Floats) -> Floats:
    """Average estimates (nodes,) over what the known player could hold, forgetting chance.

    Every rank counts as its play makes it likely, whichever cards the others hold.
    """
    game, seen = leduc.game, observe(leduc.game, known)
    mover = game.actor[game.parent]
    steps = np.where((mover == CHANCE) | np.isnan(game.steps(known)), 1.0, game.steps(known))
    steps[0] = 1.0
    mass = steps.copy()
    for node in range(1, len(mass)):
        mass[node] *= mass[game.parent[node]]
    averaged: Floats = replace(seen, mass=mass).mean(estimates)[seen.class_of]
    return averaged
