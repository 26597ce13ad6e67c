"""Decisions by simulation on the engine's vector, the same as those of `selective_sampling`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_pots import block_of
from railbird.modelling import _kernels_tracker_layout as tracked
from railbird.modelling._kernels_board_values import RIVER_WHOLE, TURN_WHOLE, BoardTables
from railbird.modelling._kernels_tracker import frequency, learn_until, mask_of_board
from railbird.modelling.learned._kernels_learned_tracker import Learned, mix_later
from railbird.modelling.learned._kernels_situations import (
    IN,
    LEVELS,
    OPPONENTS,
    POTENTIALS,
)
from railbird.players.loki import _kernels_loki_layout as by
from railbird.players.loki.simulation._kernels_simulation import (
    Beliefs,
    Position,
    Ranks,
    RankTable,
    accumulate,
    simulate,
    triple,
)

_KINDS_OF_CLASS = len(POTENTIALS) + 1


class Extensions(NamedTuple):
    """What only Lokis need that learn types or play hands out."""

    learned: Learned
    tables: BoardTables
    space: np.ndarray
    """(1,) of `by.ACTIONS`, for probabilities by frequencies."""
    no_facts: np.ndarray
    """(cells, facts, levels, 3) ones, for the same."""


@kernel
def _fill_actions(
    tracker: np.ndarray, boards: np.ndarray, person: int, first: int, actions: np.ndarray
) -> None:
    """Fill ``actions`` (rows, classes, 3) from a street on, as `triples.actions_by` does."""
    shares = np.empty(tracked.KINDS)
    counts = tracker["counts"][person]
    for street in range(first, 4):
        for bets in range(tracked.BETS):
            for kind in range(tracked.KINDS):
                shares[kind] = boards["defaults"][bets, kind]
                if tracker["is_specific"] != 0:
                    shares[kind] = frequency(
                        counts, shares[kind], float(boards["blended"]), street, bets, kind
                    )
            row = ((street - 1) * tracked.BETS + bets) * OPPONENTS * IN
            for level in range(LEVELS):
                fold, call, bet = triple((level + 0.5) / LEVELS, shares)
                for place in range(row, row + OPPONENTS * IN):
                    for i in range(level * _KINDS_OF_CLASS, (level + 1) * _KINDS_OF_CLASS):
                        actions[place, i, 0] = fold
                        actions[place, i, 1] = call
                        actions[place, i, 2] = bet


@kernel
def simulated_verb(
    hand: np.ndarray,
    table: np.ndarray,
    tracker: np.ndarray,
    boards: np.ndarray,
    extensions: Extensions,
    trials: int,
    number: int,
    streams: np.ndarray,
) -> int:
    """Return the action that wins most in play-outs; see `selective_sampling.expected`."""
    seats, seat, street = hand[at.SEATS], hand[at.ACTOR], hand[at.STREET]
    learned, board = extensions.learned, mask_of_board(hand, street)
    players = 0
    for other in range(seats):
        players += hand[at.ALIVE] >> other & 1
    order, cumulative = np.empty(players, np.int64), np.empty((players, 1326))
    put_in, pending = np.empty(players), np.empty(players, np.bool_)
    raised_before, raised = np.empty(players, np.bool_), np.empty(players, np.bool_)
    known_board = learned.classes[0]
    place, actor = 0, 0
    for step in range(seats):
        other = (hand[at.FIRST + 3] + step) % seats
        if hand[at.ALIVE] >> other & 1:
            order[place] = other
            put_in[place] = hand[block_of(other) + at.IN]
            pending[place] = hand[at.PENDING] >> other & 1 != 0
            raised_before[place] = known_board["raised_before"] >> other & 1 != 0
            raised[place] = known_board["raised"] >> other & 1 != 0
            if other == seat:
                actor = place
            else:
                learn_until(tracker, boards, other, street)
                accumulate(tracker["weights"][other, street + 1], board, cumulative[place])
            place += 1
    actions, facts = extensions.space[0]["actions"], extensions.no_facts
    if tracker["learner"] >= 0:
        known = learned.evidence[tracker["learner"]]
        actions, facts = known["mixed"], learned.facts[known["model"]]
        for place in range(players):
            mix_later(learned, known, order[place], street)
    else:
        for place in range(players):
            other = order[place]
            _fill_actions(tracker, boards, table["seated"][other], street, actions[other])
    cards = np.empty(street + 2, np.uint8)
    sizes, caps = np.empty(4), np.empty(4, np.int64)
    for i in range(street + 2):
        cards[i] = hand[at.BOARD + i]
    for i in range(4):
        sizes[i], caps[i] = hand[at.BET_SIZE + i], table["caps"][i]
    tables = extensions.tables
    position = Position(
        cards,
        actor,
        put_in,
        float(hand[at.POT]),
        hand[at.RAISES],
        sizes,
        caps,
        pending,
        raised_before,
        raised,
    )
    beliefs = Beliefs(hand[block_of(seat) + at.HOLDING], cumulative, actions, order, facts)
    turns = RankTable(tables.turn_start, tables.turn_pattern, tables.turn_ihr, int(TURN_WHOLE))
    rivers = RankTable(tables.river_start, tables.river_pattern, tables.river_ihr, int(RIVER_WHOLE))
    ranks = Ranks(known_board["later"][street], turns, rivers)
    _, call, bet = simulate(streams, number, trials, position, beliefs, ranks)
    verb = by.FOLD
    if bet > call and (bet > 0.0 or hand[at.TO_CALL] == 0):
        verb = by.RAISE
    elif hand[at.TO_CALL] == 0 or call > 0.0:
        verb = by.CALL
    return verb
