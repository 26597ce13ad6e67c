"""The range that a player's betting leaves, in no-limit and pot-limit.

Each action multiplies a holding's weight by the probability with which people take it in such a
context with a holding of such a rank: frequencies over hands in which everybody's cards are known.
No probability is zero, since nobody always does the same. The frequencies are frozen: nothing is
learned from the hands that they judge, so a judgement depends only on what could be seen when a
decision was taken.

The frequencies that come with the program were counted on the 10,000 six-handed no-limit hands that
Pluribus played against professionals (Brown and Sandholm 2019), as the PHH data set has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import IO, Final

import numpy as np
import numpy.typing as npt

from railbird._files import read_arrays
from railbird.cards import HOLDINGS, Card
from railbird.game import Act, Action, Call, HandDealer, Raise, Street
from railbird.histories import HandRecord
from railbird.modelling.reweighting import Weights
from railbird.modelling.tracker import ObservedAction
from railbird.odds.rank_tables import built_tables
from railbird.odds.spectra import board_quantiles
from railbird.units import Seat

RANKS: Final = 10
"""Classes of holdings by their rank on the board of the street, from the best tenth to the last."""
_BETS: Final = 4
"""Bets and raises on the street so far: 0 to 3 or more; blinds do not count."""
_PRICES: Final = (0.0, 0.34, 0.45)
"""Limits between prices, the cost of a call as a share of the pot: nothing, a third, a little less
than half."""
_LARGE: Final = 0.8
"""Raises by more than this share of the pot after a call are large."""
_KINDS: Final = 4
"""Kinds of actions: fold, check or call, raise, large raise."""
_STREET_COUNTS: Final = 10.0
_CONTEXT_COUNTS: Final = 20.0
"""Actions that the frequencies of a street count for in a number of bets, and these in a context:
contexts that are rare say little of their own."""
_SHAPE: Final = (len(Street), _BETS, len(_PRICES) + 1, 2, RANKS, _KINDS)
"""Sizes of the table by street, bets, price, whether the player raised last before the street,
rank, and action."""

Counts = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BettingFrequencies:
    """How often people act how, by context and by the rank of what they hold."""

    counts: Counts
    """Counts of actions, in the shape ``_SHAPE``."""

    @property
    def shares(self) -> Shares:
        """Probabilities of actions, of the same shape, those of rare contexts blended."""
        every: Counts = self.counts.sum(axis=(1, 2, 3))
        street = _blended(every, np.full(_KINDS, 1 / _KINDS), _KINDS)
        bets = _blended(self.counts.sum(axis=(2, 3)), street[:, np.newaxis], _STREET_COUNTS)
        return _blended(self.counts, bets[:, :, np.newaxis, np.newaxis], _CONTEXT_COUNTS)

    def write(self, file: IO[bytes]) -> None:
        """Write the counts."""
        np.savez_compressed(file, counts=self.counts.astype(np.int32))


def _blended(counts: Counts, wider: Shares, weight: float) -> Shares:
    shares: Shares = (counts + weight * wider) / (counts.sum(axis=-1, keepdims=True) + weight)
    return shares


def count_betting(hands: Iterable[HandRecord]) -> BettingFrequencies:
    """Count the actions of everybody whose cards a record shows."""
    counts = np.zeros(_SHAPE, np.int64)
    for record in hands:
        for observed, context in _in_context(observed_actions(record)):
            holding = record.holes[observed.act.seat]
            if holding is not None:
                rank = _ranks(observed.before.board)[holding]
                counts[(*context, rank, _kind(observed))] += 1
    return BettingFrequencies(counts)


def range_left(seen: Sequence[ObservedAction], seat: Seat, shares: Shares | None = None) -> Weights:
    """Return the weights (1326,) of a seat's holdings after the actions of a hand in their order.

    ``shares`` are `BettingFrequencies.shares`, by default of those that come with the program.
    Cards in sight are not taken out.
    """
    shares = _shipped() if shares is None else shares
    weights = np.ones(HOLDINGS)
    for observed, context in _in_context(seen):
        if observed.act.seat == seat:
            weights *= shares[context][:, _kind(observed)][_ranks(observed.before.board)]
    return weights


RETOLD: Final = ("half", "best", "any")
"""Other readings of a range (`retold`): of somebody who bluffs more than those who were counted, of
somebody who has the best of it, and of somebody who bets with any hand."""
_BEST: Final = 1 / 3
"""Share of a range that is the best of it. Raises on the river are often the best hands there are,
and a class by rank is a tenth of all: by the better half of their ranges, six folds of Pluribus and
professionals in 10,000 hands would have been mistakes, which were right with the real cards."""


def retold(weights: Weights, reading: str, board: tuple[Card, ...]) -> Weights:
    """Return weights (1326,) as another reading of the betting has them.

    ``half`` takes the square root, as if the betting told half as much; ``best`` leaves the best
    third on the board; ``any`` makes all holdings alike.
    """
    if reading == "any":
        return np.ones(HOLDINGS)
    if reading == "half":
        likely: Weights = np.sqrt(weights / weights.max())
        return likely
    worse = board_quantiles(board, tables=built_tables())
    ranking = np.argsort(worse, kind="stable")  # those that the board excludes come last
    mass = np.where(np.isnan(worse), 0.0, weights)[ranking]
    left = np.clip(_BEST * mass.sum() - (mass.cumsum() - mass), 0.0, mass)
    best = np.zeros(HOLDINGS)
    best[ranking] = left
    return best


def observed_actions(record: HandRecord) -> Iterator[ObservedAction]:
    """Yield the actions of a hand; cards that a showdown needs may be hidden."""
    dealer = HandDealer(record.rules, record.holes, record.board)
    dealer.begin()
    for number, action in enumerate(record.actions, 1):
        before = dealer.state
        assert before.actor is not None
        yield ObservedAction(before, Act(before.actor, action))
        if number < len(record.actions):
            dealer.act(action)


def _in_context(
    seen: Iterable[ObservedAction],
) -> Iterator[tuple[ObservedAction, tuple[int, int, int, int]]]:
    """Yield actions with street, bets, price and whether the player raised last before."""
    street, raiser, last = Street.PREFLOP, None, None
    for observed in seen:
        state = observed.before
        if state.street is not street:
            street, raiser = state.street, last
        price = int(np.searchsorted(_PRICES, state.to_call / max(state.pot, 1)))
        bets = min(state.raises, _BETS - 1)
        yield observed, (int(street), bets, price, int(raiser == observed.act.seat))
        if isinstance(observed.act.action, Raise):
            last = observed.act.seat


def _kind(observed: ObservedAction) -> int:
    action: Action = observed.act.action
    state = observed.before
    if isinstance(action, Raise):
        return 2 + (action.to - state.bet > _LARGE * (state.pot + state.to_call))
    return int(isinstance(action, Call))


@lru_cache(maxsize=1 << 9)
def _ranks(board: tuple[Card, ...]) -> npt.NDArray[np.int64]:
    """Return the class of each holding (1326,); of those that share a card with the board, 0."""
    quantiles = board_quantiles(board, tables=built_tables())
    ranks: npt.NDArray[np.int64] = np.nan_to_num(quantiles * RANKS).astype(np.int64)
    return np.minimum(ranks, RANKS - 1)


@cache
def _shipped() -> Shares:
    arrays = read_arrays(files("railbird.modelling") / "data" / "betting_counts.npz")
    return BettingFrequencies(arrays["counts"]).shares
