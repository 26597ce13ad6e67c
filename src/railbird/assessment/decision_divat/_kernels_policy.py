"""The baseline that finishes a hand in place of its players, for any seats and any betting.

A bet of b into a pot (which holds the bet already) is folded to below b / pot: that is Kan's rule
bet / (pot before the bet + bet) and the minimum-defence frequency of no-limit at once, so no bet
size has to be translated into another. Pot odds b / (pot + b) in its place, other offsets and menus
of raise sizes were measured and gain nothing.
"""

from __future__ import annotations

import math

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_betting import begin_street, play
from railbird.game.engine._kernels_pots import block_of

MOST_SEATS = 10
STREETS = 4
BETS = 4
_LENGTH = at.HEADER + at.STRIDE * MOST_SEATS

# Rows of the fields "board_rank" and "known".
FLOP = 0
TURNS = 1
"""And the card."""
RIVERS = TURNS + 52
"""And 52 times the lower card of turn and river, and the higher one."""
_BOARDS = RIVERS + 52 * 52

# Rows of the field "state".
NOW = 0
"""The hand as it was played so far."""
STREET_DONE = 1
"""After the street that stands, finished by the baseline."""
FIRST_NEXT, SECOND_NEXT, THIRD_NEXT = 2, 3, 4
"""After one, two and three more streets."""

SPACE = np.dtype(
    [
        ("state", np.int64, (5, _LENGTH)),
        ("total", np.int64, (MOST_SEATS,)),
        ("rank", np.float64, (STREETS, MOST_SEATS)),
        ("deck", np.uint8, (52,)),
        ("board_rank", np.float64, (_BOARDS, MOST_SEATS)),
        ("known", np.int64, (_BOARDS,)),
        ("calls_down", np.int64),
        ("gamma", np.float64),
        ("fraction", np.float64),
        ("commit", np.float64),
        ("fold_multiplier", np.float64, (STREETS,)),
        ("bettable", np.float64, (STREETS,)),
        ("offset", np.float64, (STREETS,)),
        ("make", np.float64, (STREETS, BETS)),
    ]
)
"""What one thread works on. Fields of a record carry no reference counts, as plain arrays do.

``state`` are vectors of the engine; ``total`` sums of payoffs; ``rank`` the ranks against one
opponent by street and seat, as far as streets are played. ``board_rank`` remembers these by seat
for the flop that lies, each turn card and each pair of turn and river, and ``known`` says for which
seats, as a mask. The rest is the policy, see
`railbird.assessment.decision_divat.settings.ValuePolicy`.
"""


@inline_kernel
def against_all(rank: float, others: int, gamma: float) -> float:
    """Return rank ** (1 + gamma * (others - 1)); halves and whole powers without a logarithm."""
    power = 1.0 + gamma * (others - 1)
    twice = int(2 * power)
    if twice != 2 * power:
        return float(rank**power)
    result = math.sqrt(rank) if twice & 1 else 1.0
    for _ in range(twice >> 1):
        result *= rank
    return result


@inline_kernel
def count_seats(mask: int) -> int:
    """Count the seats of a mask."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@inline_kernel
def choose(hand: np.ndarray, space: np.ndarray) -> int:
    """Return what the policy does for the seat to act, in the engine's codes."""
    if space[0]["calls_down"]:
        return at.CALL
    seat = hand[at.ACTOR]
    street = hand[at.STREET]
    owed = hand[at.TO_CALL]
    pot = hand[at.POT]
    others = count_seats(hand[at.ALIVE]) - 1
    strength = against_all(space[0]["rank"][street, seat], others, space[0]["gamma"])
    action = at.CALL
    bets = hand[at.RAISES] + (street == 0)
    threshold = space[0]["fold_multiplier"][street] * owed / pot + space[0]["offset"][street]
    if owed > 0 and strength < threshold:
        action = at.FOLD
    elif bets < BETS and hand[at.NO_RAISE] == 0 and strength >= space[0]["make"][street, bets]:
        action = raise_to(hand, seat, space[0]["fraction"], space[0]["commit"])
    return action


@inline_kernel
def raise_to(hand: np.ndarray, seat: int, fraction: float, commit: float) -> int:
    """Return where the policy's raise goes: a fraction of the pot, or all that is left."""
    to = hand[at.LOW_TO]
    if hand[at.BETTING] != at.LIMIT:
        block = block_of(seat)
        size = fraction * (hand[at.POT] + hand[at.TO_CALL])
        to = min(max(to, hand[at.BET] + int(size)), hand[at.HIGH_TO])
        if to - hand[block + at.IN] > commit * hand[block + at.BEHIND]:
            to = hand[at.HIGH_TO]
    return int(to)


@kernel
def finish_street(hand: np.ndarray, space: np.ndarray) -> None:
    """Let the policy act for everybody until the street is over."""
    while hand[at.PHASE] == at.BETTING_ROUND:
        play(hand, choose(hand, space))


@kernel
def play_street(hand: np.ndarray, space: np.ndarray) -> None:
    """Open a street whose cards lie, and let the policy play it."""
    begin_street(hand)
    finish_street(hand, space)
