"""The match loop around the engine: one decision at a time, or compiled for whole chunks."""

from __future__ import annotations

import numpy as np

from railbird._jit import brief_kernel, inline_kernel, kernel
from railbird.game.engine import _kernels_betting as engine
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_pots import block_of, copy, hide
from railbird.players.compiled import _kernels_layout as by
from railbird.players.compiled._kernels_policies import (
    Policies,
    RankTables,
    choose_by_rank,
    choose_by_weight,
)

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
    engine.start(frame[0], cards)
    actor: int = show_actor(frame, 1)
    return actor


@brief_kernel
def advance(frame: np.ndarray, row: int, action: int) -> int:
    """Apply an action and show the next actor the hand in a row; return its seat, or `OVER`.

    An illegal action changes nothing and returns `REFUSED`.
    """
    hand, cards = frame[0], frame[-1]
    if engine.act(hand, action) != 0:
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
    before = np.empty_like(streams)
    size = len(empty)
    used = np.int64(0) if first == 0 else ends[first - 1]
    for number in range(first, len(deals)):
        copy(empty, hand, size)
        copy(streams, before, len(streams))
        for i in range(deals.shape[1]):
            cards[i] = deals[number, i]
        engine.take_holes(hand, cards)
        while True:
            engine.open_street(hand)
            while hand[at.PHASE] == at.BETTING_ROUND:
                if used == len(actions):
                    copy(before, streams, len(streams))
                    return number
                player = seated[number, hand[at.ACTOR]]
                if policies.kind[player] == by.WEIGHTED:
                    action = choose_by_weight(hand, policies.weights, streams, player)
                else:
                    action = choose_by_rank(hand, policies, tables, player)
                engine.play(hand, action)
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
