"""The match loop around the engine, for any hold'em: step by step, or compiled for whole chunks.

`hand_loop` is the loop for Python players.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import brief_kernel, inline_kernel, kernel, uncounted_kernel
from railbird.game import kernels as at
from railbird.game import kernels as engine
from railbird.game.kernels import block_of, copy, hide
from railbird.modelling.kernels import CONTEXTS, BoardTables, know_board, record_action
from railbird.modelling.learned_kernels import know_classes, learn_types, observe_by_types
from railbird.players import compiled_kernels as by
from railbird.players.compiled_kernels import Policies, RankTables, choose_by_rank, choose_by_weight
from railbird.players.loki import kernels as loki
from railbird.players.loki.kernels import Extensions, Loki

OVER = -1
"""Nobody is left to act: the betting is over and the payoffs are known."""
REFUSED = -2


# A frame is an array of vectors: the hand in row 0, then the views given to its players. The last
# row has the deal's cards, because passing them with every decision costs time.


@inline_kernel
def show_actor(frame: np.ndarray, row: int) -> int:
    """Fill a row with what the actor sees; return its seat, or `OVER`."""
    actor = OVER
    if frame[0, at.PHASE] == at.BETTING_ROUND:
        actor = frame[0, at.ACTOR]
        copy(frame[0], frame[row], frame.shape[1])
        hide(frame[row], actor)
    return actor


@brief_kernel
def start(frame: np.ndarray, empty: np.ndarray, cards: np.ndarray) -> int:
    """Deal a row of cards, show it in row 1; return the seat to act first, or `OVER`."""
    copy(empty, frame[0], len(empty))
    copy(cards, frame[-1], len(cards))
    engine.start_row(frame[0], cards)
    actor: int = show_actor(frame, 1)
    return actor


@brief_kernel
def advance(frame: np.ndarray, row: int, action: int) -> int:
    """Apply an action and show the next actor the hand in a row; return its seat, or `OVER`.

    An illegal action changes nothing and returns `REFUSED`.
    """
    hand, cards = frame[0], frame[-1]
    if engine.act_if_allowed(hand, action) != 0:
        return REFUSED
    while hand[at.PHASE] == at.DEALING_BOARD:
        engine.take_street(hand, cards)
        engine.begin_street(hand)
    actor: int = show_actor(frame, row)
    return actor


@kernel
def play_hands(
    policies: Policies,
    tables: RankTables,
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
    """Play compiled players from hand ``first`` until all hands are played or ``actions`` is full.

    Returns the first hand that was not played, with the random streams as they were before it.

    ``scratch`` is one `SCRATCH` record of the engine's; its fields carry no reference counts, so
    the caller must keep it alive. ``empty`` is the vector of an undealt hand; ``deals`` (hands,
    2 * seats + 5) and ``seated`` (hands, seats) are the cards and the players by seat. Outputs are
    ``actions`` of all hands end to end and, by hand, ``ends`` (where its actions end), ``streets``
    (the last one dealt) and ``payoffs`` (hands, players) times the denominator.
    """
    hand = scratch[0]["hand"]
    cards = scratch[0]["cards"]
    saved_streams = np.empty_like(streams)
    size = len(empty)
    used = np.int64(0) if first == 0 else ends[first - 1]
    for number in range(first, len(deals)):
        copy(empty, hand, size)
        copy(streams, saved_streams, len(streams))
        for i in range(deals.shape[1]):
            cards[i] = deals[number, i]
        engine.take_holes(hand, cards)
        while True:
            engine.open_street(hand)
            while hand[at.PHASE] == at.BETTING_ROUND:
                if used == len(actions):
                    copy(saved_streams, streams, len(streams))
                    return number
                player = seated[number, hand[at.ACTOR]]
                if policies.kind[player] == by.WEIGHTED:
                    action = choose_by_weight(hand, policies.weights, streams, player)
                else:
                    action = choose_by_rank(hand, policies, tables, player)
                engine.apply_action(hand, action)
                actions[used] = action
                used += 1
            if hand[at.PHASE] != at.DEALING_BOARD:
                break
            engine.take_street(hand, cards)
        ends[number] = used
        streets[number] = hand[at.STREET]
        for seat in range(hand[at.SEATS]):
            payoffs[number, seated[number, seat]] = hand[block_of(seat) + at.PAYOFF]
    return len(deals)


# The match loop for tables with players who observe every action: Lokis.
#
# Separate from `play_hands`, so that others need not compile what these need; nor need
# Lokis that neither learn types nor play hands out compile what others need for that.


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


@uncounted_kernel
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
    record_action(table.trackers, table.boards[0], hand, person, action)
    if extensions is not None:
        observe_by_types(
            table.trackers, table.boards[0], extensions.learned, hand, table.table[0]["blinds"],
            action,
        )  # fmt: skip
    engine.apply_action(hand, action)
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
    """Play as `play_hands` does, with the ``table`` of its Lokis."""
    hand, cards = scratch[0]["hand"], scratch[0]["cards"]
    saved_streams = np.empty_like(streams)
    counts = np.empty((len(table.trackers), len(kind), CONTEXTS))
    size = len(empty)
    used = np.int64(0) if first == 0 else ends[first - 1]
    for number in range(first, len(deals)):
        copy(empty, hand, size)
        copy(streams, saved_streams, len(streams))
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
                    copy(saved_streams, streams, len(streams))
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


@uncounted_kernel
def choose_once(scratch: np.ndarray, table: Loki, streams: np.ndarray) -> int:
    """Let the first player choose: on another core, this compiles half of the loop meanwhile."""
    return loki.choose(scratch[0]["hand"], table, None, 0, streams)
