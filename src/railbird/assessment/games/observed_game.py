"""A game as an observer sees it who knows some players' strategies but not their private states.

Nodes that differ only in what the known players have alone been shown become one *class*: same
actions, same public cards, same private states of the unknown players. Within a class the unknown
players act alike, so how likely each node is follows from chance and the known strategies alone,
whatever the others play. The classes are a game again, in which the actions of the known players
are chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.assessment.games.extensive_game import CHANCE, ExtensiveGame, Floats, Known
from railbird.errors import BadInput


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
