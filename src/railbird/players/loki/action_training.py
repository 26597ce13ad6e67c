"""Counting who did what with which hands in limit hold'em, to train a model of actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from railbird.cards import Card, Holding
from railbird.errors import BadInput
from railbird.game import Act, ActionKind, Betting, DealBoard, Street
from railbird.histories import HandRecord
from railbird.modelling.learned import (
    ActionCounts,
    LearnedSituation,
    classes_of,
    shipped_model,
    situation_to_act,
)
from railbird.modelling.reweighting import ANYTHING, weights_given_board
from railbird.modelling.tracker import ObservedAction
from railbird.players.advice import steps
from railbird.units import Seat


class ReplayedAction(NamedTuple):
    """An action in a replayed hand."""

    seat: Seat
    situation: LearnedSituation
    board: tuple[Card, ...]
    kind: ActionKind


def count_actions(records: Iterable[HandRecord]) -> dict[str, ActionCounts]:
    """Count the actions of each player in hands of limit hold'em.

    If a player's cards are known, its actions count for that holding. If it folded or mucked, they
    count in parts for all holdings, by the probability of each given all its actions, according to
    the shipped model. If such hands were left out, nobody would ever seem to fold. Raises
    `BadInput` for hands of other games.
    """
    counts: dict[str, ActionCounts] = {}
    for record in records:
        if record.rules.betting is not Betting.LIMIT:
            raise BadInput("a hand without fixed bets; a model of actions is of limit hold'em")
        by_seat: dict[Seat, list[ReplayedAction]] = {}
        for decision in decisions(record):
            by_seat.setdefault(decision.seat, []).append(decision)
        for seat, made in by_seat.items():
            name = record.players[seat]
            if name not in counts:
                counts[name] = ActionCounts()
            own = counts[name]
            _add(own, made, record.holes[seat], all_known=None not in record.holes)
    return counts


def decisions(record: HandRecord) -> Iterator[ReplayedAction]:
    """Yield the actions of a hand with their situations."""
    board: tuple[Card, ...] = ()
    raised_before = raised = 0
    for step in steps(record):
        match step.event:
            case DealBoard(cards):
                board = tuple(sorted((*board, *cards)))
                raised_before, raised = raised, 0
            case Act() as act:
                kind = ObservedAction(step.before, act).kind
                yield ReplayedAction(
                    act.seat, situation_to_act(step.before, raised_before), board, kind
                )
                raised |= (kind is ActionKind.RAISE) << act.seat
            case _:
                pass


def _add(
    counts: ActionCounts, made: list[ReplayedAction], holding: Holding | None, *, all_known: bool
) -> None:
    """Count a player's actions in a hand; ``all_known`` says that everybody's cards are known."""
    held = None
    if holding is None:
        model, held = shipped_model(), weights_given_board(ANYTHING, made[-1].board).copy()
        for replayed in made:
            table = model.preflop if replayed.situation.street is Street.PREFLOP else model.later
            shares = table[:, replayed.situation.row, :, replayed.kind].mean(axis=0)
            held *= shares[classes_of(replayed.situation, replayed.board)]
        held /= held.sum()
    for replayed in made:
        table = counts.preflop if replayed.situation.street is Street.PREFLOP else counts.later
        classes = classes_of(replayed.situation, replayed.board)
        if held is None:
            table[replayed.situation.row, classes[holding], replayed.kind] += 1
            if all_known and replayed.situation.street is not Street.PREFLOP:
                seen = (
                    replayed.situation.row,
                    int(classes[holding]),
                    replayed.situation.fact,
                    replayed.kind,
                )
                counts.known.extend(seen)
        else:
            by_class = np.bincount(classes, held, minlength=table.shape[1])
            table[replayed.situation.row, :, replayed.kind] += by_class
