"""The match loop for tables with players who observe every action: Lokis.

Separate from `_kernels_play_hands`, so that others need not compile what these need; nor need Lokis
that neither learn types nor play hands out compile what others need for that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.game.engine import _kernels_betting as engine
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_pots import block_of, copy
from railbird.modelling._kernels_board_values import BoardTables
from railbird.modelling._kernels_tracker import know_board, observe
from railbird.modelling._kernels_tracker_layout import CONTEXTS
from railbird.modelling.learned._kernels_learned_tracker import (
    know_classes,
    learn_types,
    observe_by_types,
)
from railbird.players.compiled import _kernels_layout as by
from railbird.players.compiled._kernels_policies import (
    Policies,
    RankTables,
    choose_by_rank,
    choose_by_weight,
)
from railbird.players.loki import _kernels_loki as loki
from railbird.players.loki._kernels_loki import Loki
from railbird.players.loki.simulation._kernels_simulated_decision import Extensions


class Baselines(NamedTuple):
    """Baseline players among the others."""

    policies: Policies
    tables: RankTables


@inline_kernel
def _copy_counts(trackers: np.ndarray, counts: np.ndarray) -> None:
    for tracker in range(counts.shape[0]):
        for person in range(counts.shape[1]):
            copy(trackers[tracker]["counts"][person], counts[tracker, person], counts.shape[2])


@inline_kernel
def _restore_counts(counts: np.ndarray, trackers: np.ndarray) -> None:
    for tracker in range(counts.shape[0]):
        for person in range(counts.shape[1]):
            copy(counts[tracker, person], trackers[tracker]["counts"][person], counts.shape[2])


@kernel
def _act(
    hand: np.ndarray,
    person: int,
    kind: np.ndarray,
    weights: np.ndarray,
    baselines: Baselines | None,
    table: Loki,
    extensions: Extensions | None,
    streams: np.ndarray,
) -> int:
    """Let the actor choose, let everybody see it, and play it; return the action."""
    if kind[person] == by.LOKI:
        action = loki.choose(hand, table, extensions, person, streams)
    elif kind[person] == by.WEIGHTED:
        action = choose_by_weight(hand, weights, streams, person)
    else:
        action = at.CALL
        if baselines is not None:  # without them it is not compiled
            action = choose_by_rank(hand, baselines.policies, baselines.tables, person)
    observe(table.trackers, table.boards[0], hand, person, action)
    if extensions is not None:
        observe_by_types(
            table.trackers, table.boards[0], extensions.learned, hand, table.table[0]["blinds"],
            action,
        )  # fmt: skip
    engine.play(hand, action)
    return action


@kernel
def play_observed_hands(
    table: Loki,
    extensions: Extensions | None,
    boards: BoardTables,
    baselines: Baselines | None,
    kind: np.ndarray,
    weights: np.ndarray,
    scratch: np.ndarray,
    empty: np.ndarray,
    deals: np.ndarray,
    seated: np.ndarray,
    streams: np.ndarray,
    first: int,
    actions: np.ndarray,
    ends: np.ndarray,
    streets: np.ndarray,
    payoffs: np.ndarray,
) -> int:
    """Play as `_kernels_play_hands.play_hands` does, with the ``table`` of its Lokis."""
    hand, cards = scratch[0]["hand"], scratch[0]["cards"]
    before = np.empty_like(streams)
    counts = np.empty((len(table.trackers), len(kind), CONTEXTS))
    size = len(empty)
    used = np.int64(0) if first == 0 else ends[first - 1]
    for number in range(first, len(deals)):
        copy(empty, hand, size)
        copy(streams, before, len(streams))
        _copy_counts(table.trackers, counts)
        for i in range(deals.shape[1]):
            cards[i] = deals[number, i]
        loki.begin(table, seated[number])
        if extensions is not None:
            loki.begin_learned(table, extensions.learned, seated[number])
        engine.take_holes(hand, cards)
        while True:
            engine.begin_street(hand)
            if hand[at.STREET] > 0 and hand[at.PHASE] == at.BETTING_ROUND:
                know_board(table.boards[0], boards, hand)
                if extensions is not None:
                    know_classes(extensions.learned, table.boards[0], hand[at.STREET])
            while hand[at.PHASE] == at.BETTING_ROUND:
                if used == len(actions):
                    copy(before, streams, len(streams))
                    _restore_counts(counts, table.trackers)
                    return number
                person = seated[number, hand[at.ACTOR]]
                actions[used] = _act(
                    hand, person, kind, weights, baselines, table, extensions, streams
                )
                used += 1
            if hand[at.PHASE] != at.DEALING_BOARD:
                break
            engine.take_street(hand, cards)
        ends[number] = used
        streets[number] = hand[at.STREET]
        for seat in range(hand[at.SEATS]):
            payoffs[number, seated[number, seat]] = hand[block_of(seat) + at.PAYOFF]
        if extensions is not None:
            learn_types(table.trackers, extensions.learned, hand, seated[number])
    return len(deals)


@kernel
def choose_once(scratch: np.ndarray, table: Loki, streams: np.ndarray) -> int:
    """Let the first player choose: on another core, this compiles half of the loop meanwhile."""
    return loki.choose(scratch[0]["hand"], table, None, 0, streams)
