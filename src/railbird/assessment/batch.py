"""From records to arrays, and which records can be scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.assessment.divat._kernels_divat import Hands
from railbird.assessment.divat._kernels_rollout import MOST
from railbird.assessment.divat.preflop_values import BASELINE_MOST
from railbird.baseline import BET_SIZES
from railbird.baseline._kernels import CALL, FOLD, RAISE
from railbird.game import Betting, Call, Fold, Raise, Rules
from railbird.histories import HandRecord

UNKNOWN = -1
"""In the arrays: a holding that was not shown."""

_NO_CAP = 32_767
_CODES = {Fold: FOLD, Call: CALL, Raise: RAISE}
_NO_BOARD = bytes(5)


class Unscorable(Enum):
    """Why a hand cannot be scored; the values are what people are told."""

    SEATS = "not heads-up"
    BETTING = "not limit betting"
    STRUCTURE = (
        "not the structure of limit hold'em: blinds of 1/2 and 1 small bet, bets of 1, 1, 2, 2"
    )
    BLINDS = "not with reversed blinds, where the dealer posts the small one"
    STACKS = "stacks too short for the betting"
    DEPTH = "more bets than can be scored"
    PLAYERS = "hands of other players"
    AGAIN = "hands given twice"
    """The same hand by number, players, cards and actions; one of the two is scored."""


def why_unscorable(record: HandRecord) -> Unscorable | None:
    """Say why a hand cannot be scored, or None."""
    game = _game_of(record.rules)
    if game.why_unscorable is not None or game.most is not None:
        return game.why_unscorable
    most = _most_put_in(record)
    if most + BASELINE_MOST > MOST:
        return Unscorable.DEPTH
    stacks = record.rules.stacks
    # Whoever may be all-in may have skipped decisions.
    if stacks is not None and most * record.rules.bet_sizes[0] >= min(stacks):
        return Unscorable.STACKS
    return None


class _Game(NamedTuple):
    """What rules mean for scoring."""

    why_unscorable: Unscorable | None
    cap: tuple[int, ...]
    """Most bets by street, the blind included."""
    most: int | None
    """Most small bets that a player can put in; None where only the hand can tell."""


@lru_cache(maxsize=256)
def _game_of(rules: Rules) -> _Game:
    reason = _unfit_rules(rules)
    if rules.max_raises is None or rules.lift_cap_heads_up:
        return _Game(reason, (_NO_CAP,) * len(BET_SIZES), None)
    preflop, *later = rules.max_raises
    cap = (preflop + 1, *later)
    most = sum(bets * size for bets, size in zip(cap, BET_SIZES, strict=True))
    bounded = rules.stacks is None and most + BASELINE_MOST <= MOST
    return _Game(reason, cap, most if bounded else None)


def _unfit_rules(rules: Rules) -> Unscorable | None:
    if rules.seats != 2:
        return Unscorable.SEATS
    if rules.betting is not Betting.LIMIT:
        return Unscorable.BETTING
    small = rules.bet_sizes[0]
    halves = sorted(2 * blind for blind in rules.blinds)
    sizes = tuple(small * size for size in BET_SIZES)
    if halves != [small, 2 * small] or any(rules.antes) or rules.bet_sizes != sizes:
        return Unscorable.STRUCTURE
    if rules.first_to_act != (1, 0, 0, 0) or rules.blinds[0] != small:
        return Unscorable.BLINDS
    return None


def is_heads_up_limit(rules: Rules) -> bool:
    """Say whether DIVAT by rounds, with its exact tables, is for a game; hands may still be not."""
    return _unfit_rules(rules) is None


def action_codes(record: HandRecord) -> bytes:
    """Write the actions as a kernel reads them, a byte each."""
    return bytes([_CODES[type(action)] for action in record.actions])


def _most_put_in(record: HandRecord) -> int:
    """Small bets that neither player can have exceeded: the blind, and two for each raise."""
    return 1 + 2 * sum(type(action) is Raise for action in record.actions)


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
    """Lay out records that are fit to be scored (`why_unscorable` says None)."""
    n = len(records)
    holes: list[int] = []
    caps: list[tuple[int, ...]] = []
    money: list[float] = []
    start, cards, codes = [0], bytearray(), bytearray()
    most = 0
    for record in records:
        rules, board = record.rules, record.board
        game = _game_of(rules)
        holes += [UNKNOWN if hole is None else hole for hole in record.holes]
        cards += bytes(board) + _NO_BOARD[len(board) :]
        codes += action_codes(record)
        start.append(len(codes))
        caps.append(game.cap)
        won = record.payoffs[0]
        money.append(won.numerator / (won.denominator * rules.bet_sizes[0]))
        most = max(most, _most_put_in(record) if game.most is None else game.most)
    starts, action = np.array(start, dtype=np.int64), np.frombuffer(codes, dtype=np.uint8)
    first, second = np.array(holes, dtype=np.int16).reshape(n, 2).T.copy()
    return Batch(
        hands=Hands(
            first=first,
            second=second,
            board=np.frombuffer(cards, dtype=np.uint8).reshape(n, len(_NO_BOARD)),
            start=starts,
            action=action,
            cap=np.array(caps, dtype=np.int16).reshape(n, len(BET_SIZES)),
        ),
        dealt=np.array([len(record.board) for record in records], dtype=np.uint8),
        money=np.array(money, dtype=np.float64),
        known=(first != UNKNOWN) & (second != UNKNOWN),
        folded=action[starts[1:] - 1] == FOLD,
        most=most + BASELINE_MOST,
    )
