"""Limit hands played out to the end with everybody acting by probability triples.

Players stand in the order in which they act after the flop; amounts are chips. `simulate` gives
what the actor gains on average by calling and by raising, both on the same sampled cards.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards._kernels import HOLDING_MASK
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.players.loki._kernels import NOWHERE, fill_strengths

FOLD, CALL, RAISE = 0, 1, 2
RIVER = 3
CAP = 4
_TRIES = 64
"""To sample a holding that shares no card with those sampled before."""


@inline_kernel
def ramp(value: float, mean: float, spread: float) -> float:
    """Rise from 0 at ``mean - spread`` to 1 at ``mean + spread``."""
    return min(max((value - mean + spread) / max(2.0 * spread, 1e-9), 0.0), 1.0)


@kernel
def triple(value: float, frequencies: np.ndarray) -> tuple[float, float, float]:
    """Chances to fold, call and raise with a hand that beats ``value`` of the others.

    ``frequencies`` (3,) are those of the same actions with all hands. The best hands raise, the
    next best call; each border is as wide as the opponent model takes it to be.
    """
    raises = 1.0 - frequencies[RAISE]
    calls = 1.0 - frequencies[RAISE] - frequencies[CALL]
    may_raise = ramp(value, raises, 0.4 * (1.0 - raises))
    stays = 1.0 if calls <= 0.0 else ramp(value, calls, 0.4 * (1.0 - calls))
    stays = max(stays, may_raise)
    return 1.0 - stays, stays - may_raise, may_raise


@kernel
def _sample(rng: np.random.Generator, cumulative: np.ndarray, used: np.uint64) -> int:
    """Draw a holding by weight that shares no card with ``used``; -1 if none is found."""
    for _ in range(_TRIES):
        drawn = np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right")
        holding = min(int(drawn), 1325)
        if HOLDING_MASK[holding] & used == 0:
            return holding
    return -1


@kernel
def _rank(strengths: np.ndarray, holding: int) -> float:
    """Share of the holdings on a board that a holding beats, ties halved."""
    mine = strengths[holding]
    below, tied, whole = 0, 0, 0
    for theirs in strengths:
        below += int(theirs < mine)
        tied += int(theirs == mine)
        whole += int(theirs != NOWHERE)
    return (below + 0.5 * tied) / whole


@kernel
def _play_out(
    rng: np.random.Generator,
    first: int,
    actor: int,
    street: int,
    start: np.ndarray,
    pot: float,
    bets: int,
    sizes: np.ndarray,
    alive: np.ndarray,
    pending: np.ndarray,
    ranks: np.ndarray,
    final: np.ndarray,
    frequencies: np.ndarray,
) -> float:
    """Play one hand on; what the actor gains from here if it begins with ``first``.

    ``start`` has what each player has put in on this street, ``ranks`` (players, 4) the hand ranks
    by street, ``final`` the strengths at showdown, ``frequencies`` (players, 4, 3, 3) the default
    actions by street and bets to call.
    """
    players = len(start)
    put_in, alive, pending = start.copy(), alive.copy(), pending.copy()
    me, turn, forced, paid = actor, actor, True, 0.0
    left = int(np.sum(alive))
    while True:
        if alive[turn] and pending[turn]:
            size = sizes[street]
            to_call = np.max(put_in) - put_in[turn]
            action = first
            if not forced:
                steps = min(int(to_call / size + 0.999), 2)
                fold, call, _ = triple(ranks[turn, street], frequencies[turn, street, steps])
                draw = rng.random()
                action = FOLD if draw < fold else CALL if draw < fold + call else RAISE
            forced = False
            if action == FOLD and to_call <= 0:
                action = CALL
            if action == RAISE and bets >= CAP:
                action = CALL
            pending[turn] = False
            if action == FOLD:
                if turn == me:
                    return -paid
                alive[turn] = False
                left -= 1
                if left == 1:
                    return pot - paid  # nobody but me: I return as soon as I fold
            else:
                more = to_call + (size if action == RAISE else 0.0)
                put_in[turn] += more
                pot += more
                paid += more if turn == me else 0.0
                if action == RAISE:
                    bets += 1
                    for other in range(players):
                        pending[other] = alive[other] and other != turn
        turn = (turn + 1) % players
        if np.any(pending & alive):
            continue
        if street == RIVER:
            break
        street += 1
        bets, turn = 0, 0
        put_in[:] = 0.0
        pending[:] = alive
    best, winners = 0, 0
    for player in range(players):
        if alive[player] and final[player] >= best:
            winners = winners + 1 if final[player] == best else 1
            best = final[player]
    return (pot / winners if final[me] == best else 0.0) - paid


@kernel
def simulate(
    rng: np.random.Generator,
    trials: int,
    board: np.ndarray,
    holding: int,
    cumulative: np.ndarray,
    actor: int,
    put_in: np.ndarray,
    pot: float,
    bets: int,
    sizes: np.ndarray,
    pending: np.ndarray,
    frequencies: np.ndarray,
    gains: np.ndarray,
) -> int:
    """Add up what calling and raising gain: ``gains`` (2, trials). Returns the trials that count.

    ``cumulative`` (players, 1326) are the running sums of the players' weights; the actor's are
    not read. In a trial without a possible deal nothing is played.
    """
    players, known, street = len(put_in), len(board), len(board) - 2
    alive = np.ones(players, np.bool_)
    held = np.empty(players, np.int64)
    ranks = np.zeros((players, 4))
    final = np.zeros(players, np.int64)
    longer = np.empty(5, np.uint8)
    longer[:known] = board
    now = np.empty(1326, np.uint16)
    strengths = np.empty(1326, np.uint16)
    fill_strengths(board, now)
    taken = np.zeros(52, np.bool_)
    done = 0
    for _ in range(trials):
        used = HOLDING_MASK[holding]
        taken[:] = False
        for card in board:
            taken[card] = True
        held[actor] = holding
        possible = True
        shift = int(rng.random() * players)
        for step in range(players):
            player = (step + shift) % players
            if player != actor:
                held[player] = _sample(rng, cumulative[player], used)
                possible = possible and held[player] >= 0
                used |= HOLDING_MASK[held[player]] if held[player] >= 0 else np.uint64(0)
        if not possible:
            continue
        for player in range(players):
            taken[HOLDING_CARDS[held[player], 0]] = True
            taken[HOLDING_CARDS[held[player], 1]] = True
            ranks[player, street] = _rank(now, held[player])
        if street == RIVER:
            strengths[:] = now
        for place in range(known, 5):
            card = int(rng.random() * 52)
            while taken[card]:
                card = int(rng.random() * 52)
            taken[card] = True
            longer[place] = card
            fill_strengths(longer[: place + 1], strengths)
            for player in range(players):
                ranks[player, place - 1] = _rank(strengths, held[player])
        for player in range(players):
            final[player] = strengths[held[player]]
        for action in (CALL, RAISE):
            gains[action - 1, done] = _play_out(
                rng,
                action,
                actor,
                street,
                put_in,
                pot,
                bets,
                sizes,
                alive,
                pending,
                ranks,
                final,
                frequencies,
            )
        done += 1
    return done
