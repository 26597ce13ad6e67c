"""A game whose players are seated by chance, so that the value of a seat is luck as well."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railbird.assessment.games.extensive_game import CHANCE, ExtensiveGame, Floats, Profile


def either_seat(game: ExtensiveGame) -> ExtensiveGame:
    """Let a coin, seen by both, decide which of two players moves first in ``game``.

    Payoffs are those of one of the two, who moves first below the root's first child. Either has
    the information sets of the first player, then those of the second.
    """
    size = len(game.actor)
    below = [np.where(game.parent >= 0, game.parent + 1 + size * copy, 0) for copy in (0, 1)]
    other = np.where(game.actor >= 0, 1 - game.actor, game.actor)
    information = np.where(game.actor == 1, game.information + len(game.sets[0]), game.information)
    chance = np.concatenate([[0.5], game.chance[1:]])
    signals = [game.signals.copy(), game.signals[[0, 2, 1]]]
    for copy, labels in enumerate(signals):
        labels[0, 0] = game.signals.max() + 1 + copy
    sets = tuple((seat, knows) for seat in (0, 1) for knows in game.sets[seat])
    actions = np.concatenate(game.actions)
    return ExtensiveGame(
        actor=_joined(CHANCE, game.actor, other),
        parent=_joined(-1, *below),
        action=_joined(0, game.action, np.concatenate([[1], game.action[1:]])),
        chance=_joined(0.0, chance, chance),
        information=_joined(-1, information, information),
        payoff=_joined(0.0, game.payoff, -game.payoff),
        signals=np.concatenate([game.signals[:, :1], *signals], axis=1),
        sets=(sets, sets),
        actions=(actions, actions),
    )


def seated(one: Profile, other: Profile) -> Profile:
    """Write how two players play both seats of a game as a profile of `either_seat` of it."""
    return _stacked(one), _stacked(other)


def _joined(root: float, first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.concatenate([np.array([root], dtype=first.dtype), first, second])


def _stacked(both: Profile) -> Floats:
    width = max(table.shape[1] for table in both)
    return np.concatenate([np.pad(table, ((0, 0), (0, width - table.shape[1]))) for table in both])
