"""What a player did in recorded hands of heads-up limit, by state and betting sequence.

Only hands count in which the player's cards are known. Where folded hands are hidden, that leaves
out the weak ones, and the player seems never to fold: logs with everybody's cards are needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.errors import BadInput, NothingUsable
from railbird.game import BOARD_CARDS, Call, Fold, Raise
from railbird.histories import HandRecord
from railbird.solve.abstraction.card_abstraction import CardAbstraction, States
from railbird.solve.limit.betting_tree import (
    CALL,
    FOLD,
    RAISE,
    BettingTree,
    betting_tree,
    same_game,
)

Table = npt.NDArray[np.float32]

_KINDS = {Fold: FOLD, Call: CALL, Raise: RAISE}


@dataclass(frozen=True, slots=True, eq=False)
class ObservedPlay:
    """Counts of a player's actions in both seats."""

    tree: BettingTree
    abstraction: CardAbstraction
    counts: tuple[Table, ...]
    """By street (states, lanes)."""
    hands: int
    hidden: int
    """Hands of the player that were left out because its cards are not known."""

    def decisions(self) -> tuple[Table, ...]:
        """Return by street (states, decisions) how often each was faced, as nodes of sequences."""
        found = []
        for part, table in zip(self.tree.rounds, self.counts, strict=True):
            by_slot = table.reshape(len(table), part.slots, part.sequences)
            faced = np.add.reduceat(by_slot, part.first_slot[:-1], axis=1)
            found.append(np.ascontiguousarray(faced.reshape(len(table), -1)))
        return tuple(found)

    def frequencies(self) -> tuple[Table, ...]:
        """Return by street (states, lanes) the shares of actions; calls where nothing was seen."""
        found = []
        for part, table, faced in zip(self.tree.rounds, self.counts, self.decisions(), strict=True):
            states = len(table)
            by_slot = table.reshape(states, part.slots, part.sequences)
            total = faced.reshape(states, part.nodes, part.sequences)[:, part.node]
            calls = np.broadcast_to((part.kind == CALL)[:, np.newaxis], by_slot.shape)
            shares = np.where(total > 0, by_slot / np.maximum(total, 1), calls)
            found.append(np.ascontiguousarray(shares.reshape(states, -1), dtype=np.float32))
        return tuple(found)


@checked
def observe_play(
    records: Iterable[HandRecord], player: str, abstraction: CardAbstraction
) -> ObservedPlay:
    """Count a player's actions.

    Raises `BadInput` for hands of another game, or of several; `NothingUsable` if there is no hand
    of the player in which its cards are known.
    """
    tree: BettingTree | None = None
    tables: list[Table] = []
    hands = hidden = 0
    rules = None
    for record in records:
        if player not in record.players:
            continue
        if record.rules != rules:
            rules, other = record.rules, betting_tree(record.rules)
            if tree is None:
                tree = other
                tables = [
                    np.zeros((states, part.lanes), dtype=np.float32)
                    for states, part in zip(abstraction.states, tree.rounds, strict=True)
                ]
            elif not same_game(tree.betting, other.betting):
                raise BadInput("hands by several rules; allowed: one game, at any stakes")
        assert tree is not None
        if record.holes[record.players.index(player)] is None:
            hidden += 1
            continue
        hands += 1
        _count(tree, abstraction, record, record.players.index(player), tables)
    if tree is None or not hands:
        why = f"{hidden} with hidden cards" if hidden else "none of this player"
        raise NothingUsable(f"no hand of {player} to learn from: {why}")
    return ObservedPlay(tree, abstraction, tuple(tables), hands, hidden)


def _count(
    tree: BettingTree,
    abstraction: CardAbstraction,
    record: HandRecord,
    seat: int,
    tables: list[Table],
) -> None:
    holding, states = record.holes[seat], list[States]()
    board = np.array(record.board, dtype=np.uint8)
    place = tree.root
    for action in record.actions:
        kind = _KINDS[type(action)]
        part = tree.rounds[place.street]
        if part.player[place.node] == seat:
            while len(states) <= place.street:
                before = states[-1] if states else None
                cards = board[: BOARD_CARDS[len(states)]]
                states.append(abstraction.next_states(cards, before))
            lane = part.lane(tree.slot(place, kind), place.sequence)
            tables[place.street][states[place.street][holding], lane] += 1
        following = tree.step(place, kind)
        if following is None:
            return
        place = following
