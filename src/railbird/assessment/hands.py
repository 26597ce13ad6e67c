"""From records to arrays, and which records can be scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from railbird.assessment._kernels_look_ahead import MOST
from railbird.assessment._kernels_score import Hands
from railbird.assessment.values import BASELINE_MOST
from railbird.baseline._kernels import CALL, FOLD, RAISE
from railbird.game import Betting, Call, Fold, Raise, Rules
from railbird.histories import HandRecord

UNKNOWN = -1
"""In the arrays: a holding that was not shown."""

_NO_CAP = 32_767
_CODES = {Fold: FOLD, Call: CALL, Raise: RAISE}
_BOARD = 5


class Unfit(Enum):
    """Why a hand cannot be scored; the values are what people are told."""

    SEATS = "not heads-up"
    BETTING = "not limit betting"
    STRUCTURE = (
        "not the structure of limit hold'em: blinds of 1/2 and 1 small bet, bets of 1, 1, 2, 2"
    )
    BLINDS = "not with reversed blinds, where the dealer posts the small one"
    STACKS = "stacks too short for the betting"
    DEPTH = "more bets than can be scored"
    PLAYERS = "other players"


def unfit(record: HandRecord) -> Unfit | None:
    """Say why a hand cannot be scored, or None."""
    reason = _unfit_rules(record.rules)
    if reason is not None:
        return reason
    most = _most_put_in(record)
    if most + BASELINE_MOST > MOST:
        return Unfit.DEPTH
    stacks = record.rules.stacks
    # Whoever may be all-in may have skipped decisions.
    if stacks is not None and most * record.rules.bet_sizes[0] >= min(stacks):
        return Unfit.STACKS
    return None


@lru_cache(maxsize=256)
def _unfit_rules(rules: Rules) -> Unfit | None:
    if rules.seats != 2:
        return Unfit.SEATS
    if rules.betting is not Betting.LIMIT:
        return Unfit.BETTING
    small = rules.bet_sizes[0]
    halves = sorted(2 * blind for blind in rules.blinds)
    sizes = (small, small, 2 * small, 2 * small)
    if halves != [small, 2 * small] or any(rules.antes) or rules.bet_sizes != sizes:
        return Unfit.STRUCTURE
    if rules.first_to_act != (1, 0, 0, 0) or rules.blinds[0] != small:
        return Unfit.BLINDS
    return None


def _most_put_in(record: HandRecord) -> int:
    """Small bets that neither player can have exceeded: the blind, and two for each raise."""
    return 1 + 2 * sum(type(action) is Raise for action in record.actions)


@lru_cache(maxsize=256)
def _caps(rules: Rules) -> tuple[int, ...]:
    """Most bets by street, the blind included."""
    if rules.max_raises is None or rules.lift_cap_heads_up:
        return (_NO_CAP,) * 4
    preflop, *later = rules.max_raises
    return (preflop + 1, *later)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Hands as arrays, in small bets; player 1 is the big blind, whoever that was."""

    hands: Hands
    dealt: npt.NDArray[np.uint8]
    """(n,) cards on the board."""
    money: npt.NDArray[np.float64]
    """(n,) what player 1 won."""
    known: npt.NDArray[np.bool_]
    """(n,) whether both holdings are known."""
    folded: npt.NDArray[np.bool_]
    """(n,) whether the hand ended by a fold."""
    most: int
    """Small bets that neither player exceeds, however the baseline may go on."""


def batch_of(records: Sequence[HandRecord]) -> Batch:
    """Lay out records that are fit to be scored (`unfit` says None)."""
    n = len(records)
    holes = np.empty((n, 2), dtype=np.int16)
    cap = np.empty((n, 4), dtype=np.int16)
    start = np.zeros(n + 1, dtype=np.int64)
    dealt = np.empty(n, dtype=np.uint8)
    money = np.empty(n)
    cards, codes = bytearray(_BOARD * n), bytearray()
    for i, record in enumerate(records):
        first, second = record.holes
        holes[i] = UNKNOWN if first is None else first, UNKNOWN if second is None else second
        cards[_BOARD * i : _BOARD * i + len(record.board)] = bytes(record.board)
        dealt[i] = len(record.board)
        codes += bytes([_CODES[type(action)] for action in record.actions])
        start[i + 1] = len(codes)
        cap[i] = _caps(record.rules)
        won = record.payoffs[0]
        money[i] = won.numerator / (won.denominator * record.rules.bet_sizes[0])
    action = np.frombuffer(codes, dtype=np.uint8)
    return Batch(
        hands=Hands(
            first=holes[:, 0].copy(),
            second=holes[:, 1].copy(),
            board=np.frombuffer(cards, dtype=np.uint8).reshape(n, _BOARD),
            start=start,
            action=action,
            cap=cap,
        ),
        dealt=dealt,
        money=money,
        known=(holes != UNKNOWN).all(axis=1),
        folded=action[start[1:] - 1] == FOLD,
        most=max(map(_most_put_in, records), default=0) + BASELINE_MOST,
    )
