"""Betting sequences as contexts, from exact to coarse: rows of one flat table of counts.

A *decision* context is a decision of the opponent, a *showdown* context a way to one, from the
opponent's seat. Each belongs to a group on every level, and the groups of all levels are rows of
one array, the finest first, so that each row's parent comes after it::

    counts[groups[level, context]]

Levels, from fine to coarse: the exact sequence; as many raises by each player on each street; as
many by each in all; and for decisions the place in the street, for showdowns the opponent's raises.
The board is in none of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from railbird.solve.limit.betting_tree import RAISE, BettingRound, BettingTree, Place

Groups = npt.NDArray[np.int32]
Raises = tuple[tuple[int, int], ...]
"""By street: raises by seat 0, by seat 1."""

LEVELS = 4
_LETTERS = "fcr"


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The groups of all levels."""

    parent: Groups
    """(rows,) the group of the next level that a group is part of; -1 on the coarsest."""
    start: Groups
    """(levels + 1,) the first row of each level."""
    labels: tuple[Hashable, ...]
    """What the rows of the coarsest level stand for."""


@dataclass(frozen=True, slots=True, eq=False)
class Contexts:
    """The contexts of a betting tree."""

    tree: BettingTree
    first: tuple[int, ...]
    """By street: the first of its decision contexts, which are nodes, each of all sequences."""
    decisions: Groups
    """(levels, decisions): rows of counts of actions."""
    showdowns: Groups
    """(levels, 2 * showdowns), those from seat 0 first: rows of counts of hands shown."""
    decision_rows: Rows
    showdown_rows: Rows

    def decision(self, place: Place) -> int:
        """Return the context of a decision."""
        sequences = self.tree.rounds[place.street].sequences
        return self.first[place.street] + place.node * sequences + place.sequence

    def showdown(self, place: Place, slot: int, seat: int) -> int:
        """Return the context of the showdown after a slot, from a seat."""
        part = self.tree.rounds[place.street]
        end = int(np.searchsorted(part.end_slot, slot))
        return seat * part.ends + end * part.sequences + place.sequence


@lru_cache(maxsize=8)
def contexts_of(tree: BettingTree) -> Contexts:
    """Lay out the contexts of a tree."""
    decisions: list[tuple[Hashable, ...]] = []
    showdowns: tuple[list[tuple[Hashable, ...]], ...] = ([], [])
    first: list[int] = []
    histories: list[Raises] = [()]
    for street, part in enumerate(tree.rounds):
        first.append(len(decisions))
        inside = _raises_in(part)
        for node in range(part.nodes):
            seat = int(part.player[node])
            for sequence, history in enumerate(histories):
                own, other = _totals((*history, inside[node]), seat)
                detail = street, node, *history
                decisions.append(
                    ((street, node, sequence), detail, (street, node, own, other), (street, node))
                )
        ends = [inside[part.node[slot]] for slot in part.end_slot]
        # Continuation c of sequence s is c * sequences + s of the next street.
        histories = [(*history, end) for end in ends for history in histories]
    for seat in (0, 1):
        for number, history in enumerate(histories):
            seen = tuple((raises[seat], raises[1 - seat]) for raises in history)
            own, other = _totals(history, seat)
            showdowns[seat].append(((seat, number), seen, (own, other), (own,)))
    decision_groups, decision_rows = _grouped(decisions)
    showdown_groups, showdown_rows = _grouped([*showdowns[0], *showdowns[1]])
    return Contexts(
        tree=tree,
        first=tuple(first),
        decisions=decision_groups,
        showdowns=showdown_groups,
        decision_rows=decision_rows,
        showdown_rows=showdown_rows,
    )


def betting_texts(tree: BettingTree) -> tuple[list[str], list[str]]:
    """Return the actions before each decision context, and of each way to a showdown."""
    decisions: list[str] = []
    histories = [""]
    for part in tree.rounds:
        inside = [""] * part.nodes
        for slot in range(part.slots):
            if (child := int(part.child[slot])) >= 0:
                inside[child] = inside[part.node[slot]] + _LETTERS[part.kind[slot]]
        decisions += [history + node for node in inside for history in histories]
        ends = [inside[part.node[slot]] + _LETTERS[part.kind[slot]] for slot in part.end_slot]
        histories = [history + end + "/" for end in ends for history in histories]
    return decisions, histories


def _raises_in(part: BettingRound) -> list[tuple[int, int]]:
    """Return by node the raises of both seats that led to it in its round."""
    found = [(0, 0)] * part.nodes
    for slot in range(part.slots):
        if (child := int(part.child[slot])) >= 0:
            node = int(part.node[slot])
            raises = list(found[node])
            raises[part.player[node]] += part.kind[slot] == RAISE
            found[child] = raises[0], raises[1]
    return found


def _totals(history: Raises, seat: int) -> tuple[int, int]:
    """Return the raises of a seat in all, and those of the other."""
    return sum(each[seat] for each in history), sum(each[1 - seat] for each in history)


def _grouped(keys: Sequence[tuple[Hashable, ...]]) -> tuple[Groups, Rows]:
    """Number the groups of all levels."""
    levels, starts = [], [0]
    labels: tuple[Hashable, ...] = ()
    for column in zip(*keys, strict=True):
        labels = tuple(sorted(set(column)))
        number = {label: row for row, label in enumerate(labels)}
        rows = np.array([number[label] for label in column], dtype=np.int32)
        levels.append(rows + starts[-1])
        starts.append(starts[-1] + len(labels))
    groups = np.array(levels, dtype=np.int32)
    parent = np.full(starts[-1], -1, dtype=np.int32)
    for level in range(LEVELS - 1):
        parent[groups[level]] = groups[level + 1]
    return groups, Rows(parent, np.array(starts, dtype=np.int32), labels)
