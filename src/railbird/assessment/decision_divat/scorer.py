"""Hands of any hold'em scored decision by decision: what cards and what actions changed.

V(h) is what each seat wins on average if a plain policy plays on for everybody (`settings`). A
hand's money is then exactly position + luck + decisions: the value before the deal, its changes
when cards fall, and its changes when somebody does other than the policy. An action that agrees
with the policy changes nothing and is not evaluated. Luck has mean zero whoever plays, so position
+ decisions is an unbiased estimate of money (Kan 2007, chapter 6, asked for it; the form for
several players is of our own making).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.assessment.decision_divat import _kernels_value as kernels
from railbird.assessment.decision_divat._kernels_policy import MOST_SEATS, SPACE
from railbird.assessment.decision_divat.settings import BOARDS, ValuePolicy
from railbird.assessment.divat.typical_opponent import typical_tables
from railbird.baseline import Opponent
from railbird.cards import CLASS_OF_HOLDING
from railbird.game import Rules
from railbird.histories.columns import UNKNOWN, HandBatch, opened_vectors
from railbird.odds.tables.rank_tables import open_tables
from railbird.players.compiled._kernels_policies import RankTables
from railbird.players.compiled.policies import rank_tables

_SLICE = 64
_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandValues:
    """Changes of the values of hands, in chips; n hands, m actions, S seats."""

    deal: Floats
    """(n, S) the value after the deal."""
    luck: Floats
    """(n, 3, S) changes by flop, turn and river."""
    decisions: Floats
    """(m, S) changes by each action; zero where it is the policy's."""
    expected: npt.NDArray[np.int64]
    """(m,) what the policy would have done, in the engine's codes."""


def scorable(batch: HandBatch) -> npt.NDArray[np.bool_]:
    """Return a mask of hands with all cards known and no more seats than can be scored, (n,)."""
    dealt_in = batch.player != UNKNOWN
    known = (batch.holding != UNKNOWN) | ~dealt_in
    scored: npt.NDArray[np.bool_] = known.all(axis=1) & (dealt_in.sum(axis=1) <= MOST_SEATS)
    return scored


def values_of(
    batch: HandBatch,
    policy: ValuePolicy,
    *,
    seed: int = 0,
    first: int = 0,
    boards: int = BOARDS,
) -> HandValues:
    """Follow the values of hands whose cards are all known (`scorable`).

    ``first`` is the number of the batch's first hand in its match: boards before the flop are drawn
    by seed and number, not by the cards, so a batch may be cut anywhere.
    """
    n, seats = batch.player.shape
    hands = kernels.Hands(
        opened=opened_vectors(batch.rules),
        rules_of=batch.rules_of,
        start=batch.start,
        action=batch.action,
        holding=batch.holding,
        board=batch.board,
        seed=_seeds(seed, first, n),
    )
    luck = np.zeros((n, 4, seats))
    delta = np.zeros((len(batch.action), seats))
    expected = np.zeros(len(batch.action), dtype=np.int64)
    work = partial(_score, hands, policy, boards, luck, delta, expected)
    in_slices(work, n, size=_SLICE, what="hands")
    return HandValues(deal=luck[:, 0], luck=luck[:, 1:], decisions=delta, expected=expected)


def _score(
    hands: kernels.Hands,
    policy: ValuePolicy,
    boards: int,
    luck: Floats,
    delta: Floats,
    expected: npt.NDArray[np.int64],
    first: int,
    end: int,
) -> None:
    kernels.score_hands(
        first,
        end,
        hands,
        percentiles(),
        ranks_for(policy),
        _boards(boards),
        space_of(policy),
        luck,
        delta,
        expected,
    )


def space_of(policy: ValuePolicy) -> npt.NDArray[np.void]:
    """Make a kernel's working space that holds a policy."""
    space = np.zeros(1, SPACE)
    space["calls_down"] = policy.calls_down
    space["gamma"] = policy.gamma
    space["fraction"] = policy.fraction
    space["commit"] = policy.commit
    space["fold_multiplier"] = policy.fold_multiplier
    space["offset"] = policy.offset
    space["make"] = policy.make
    space["bettable"] = [make[0] for make in policy.make]
    return space


def ranks_for(policy: ValuePolicy) -> RankTables:
    """Open the hand-rank tables that a policy uses."""
    return typical_ranks() if policy.opponent is Opponent.TYPICAL else rank_tables()


@lru_cache(maxsize=1)
def typical_ranks() -> RankTables:
    """Arrange the tables against a typical opponent for kernels."""
    tables = typical_tables()
    return RankTables(*(np.asarray(getattr(tables, name)) for name in RankTables._fields))


@lru_cache(maxsize=1)
def percentiles() -> Floats:
    """Rank holdings before the flop by 7cHR, (1326,) 0..1: uniform, ties in the middle.

    7cHR itself must not be raised to a power: aces have 0.852, and 0.852 ** 5 is 0.45.
    """
    by_holding = open_tables().preflop_hr7[CLASS_OF_HOLDING].astype(np.float64)
    below = np.searchsorted(np.sort(by_holding), by_holding, side="left")
    up_to = np.searchsorted(np.sort(by_holding), by_holding, side="right")
    ranks: Floats = (below + up_to) / (2 * len(by_holding))
    return ranks


@dataclass(frozen=True, slots=True)
class Position:
    """The value of a hand before the deal, in chips."""

    mean: Floats
    """(S,) by seat."""
    covariance: Floats
    """(S, S) of the means."""


@lru_cache(maxsize=1 << 12)
def position_of(rules: Rules, policy: ValuePolicy, *, deals: int, seed: int = 0) -> Position:
    """Sample what each seat wins on average if the policy plays from the blinds on."""
    seats = rules.seats
    totals, products = np.zeros((2, seats)), np.zeros((2, seats, seats))
    opened = opened_vectors([rules])[0]
    size = 10_000
    pieces = -(-deals // size)
    totals, products = np.zeros((pieces, seats)), np.zeros((pieces, seats, seats))

    def work(first: int, end: int) -> None:
        for piece in range(first, end):
            many = min(size, deals - piece * size)
            start = np.uint64(_mixed(seed ^ _GOLDEN * (piece + 1)))
            kernels.play_positions(
                many,
                opened,
                start,
                percentiles(),
                ranks_for(policy),
                _boards(1),
                space_of(policy),
                totals[piece],
                products[piece],
            )

    in_slices(work, pieces, size=1, what="position")
    mean = totals.sum(axis=0) / deals
    spread = products.sum(axis=0) / deals - np.outer(mean, mean)
    return Position(mean, spread / max(1, deals - 1))


def _boards(count: int) -> kernels.Boards:
    return kernels.Boards(
        np.zeros((count, 5), np.uint8),
        np.zeros((3 * count, MOST_SEATS)),
        np.zeros(3 * count, np.int64),
    )


def _seeds(seed: int, first: int, hands: int) -> npt.NDArray[np.uint64]:
    key = _mixed(seed)
    numbers = np.arange(first, first + hands, dtype=np.uint64)
    seeds: npt.NDArray[np.uint64] = np.uint64(key) ^ (numbers * np.uint64(_GOLDEN))
    return seeds


def _mixed(state: int) -> int:
    """SplitMix64's output function in Python's own integers."""
    state &= _MASK
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    state = (state ^ state >> 27) * 0x94D049BB133111EB & _MASK
    return state ^ state >> 31
