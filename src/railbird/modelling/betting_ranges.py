"""A player's range after its betting, in no-limit and pot-limit.

Each action multiplies the weight of a holding by how often people take that action with a holding
of that rank, in that context. The frequencies were counted over hands in which all cards are known.
None of them is zero, because nobody always does the same thing. They never change: nothing is
learned from the hands that are being judged, so a judgement rests only on what could be seen when
the decision was taken.

The frequencies that come with the program come from the 10,000 six-handed no-limit hands that
Pluribus played against professionals (Brown and Sandholm 2019), in the PHH data set's edition.
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
"""Number of classes of holdings: tenths by rank on the street's board, the best first."""
_BETS: Final = 4
"""Number of classes by bets and raises on the street so far: 0, 1, 2, 3 or more. Blinds do not
count."""
_PRICES: Final = (0.0, 0.34, 0.45)
"""Limits between the classes of prices. A price is what a call costs as a share of the pot; the
limits are nothing, a third, and a little less than half."""
_LARGE: Final = 0.8
"""A raise by more than this share of the pot, counted after the call, is a large one."""
_KINDS: Final = 4
"""Kinds of actions: fold, check or call, raise, large raise."""
_STREET_COUNTS: Final = 10.0
_CONTEXT_COUNTS: Final = 20.0
"""How many actions a wider class counts as when it is blended in: the street into a number of bets,
and that number of bets into a single context. A rare context therefore says little of its own."""
_SHAPE: Final = (len(Street), _BETS, len(_PRICES) + 1, 2, RANKS, _KINDS)
"""Sizes of the table by street, bets, price, whether the player raised last before the street,
rank, and action."""

Counts = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BettingFrequencies:
    """How often people take each action, by context and by the rank of their holding."""

    counts: Counts
    """Counts of actions, in the shape ``_SHAPE``."""

    @property
    def shares(self) -> Shares:
        """Probabilities of the actions, in the same shape, blended with those of wider contexts."""
        # From wide to narrow: each level is blended with the one above it, and the widest with
        # equal chances. No probability can therefore be zero, however rare the context is.
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
    """Count the actions of every player whose cards are in the record."""
    counts = np.zeros(_SHAPE, np.int64)
    for record in hands:
        for observed, context in _in_context(observed_actions(record)):
            holding = record.holes[observed.act.seat]
            if holding is not None:
                rank = _ranks(observed.before.board)[holding]
                counts[(*context, rank, _kind(observed))] += 1
    return BettingFrequencies(counts)


def range_left(seen: Sequence[ObservedAction], seat: Seat, shares: Shares | None = None) -> Weights:
    """Return the weights (1326,) of a seat's holdings after the actions of a hand, given in order.

    ``shares`` are `BettingFrequencies.shares`; the default are those that come with the program.
    Holdings that share a card with the board keep their weight.
    """
    shares = _shipped() if shares is None else shares
    weights = np.ones(HOLDINGS)
    for observed, context in _in_context(seen):
        if observed.act.seat == seat:
            weights *= shares[context][:, _kind(observed)][_ranks(observed.before.board)]
    return weights


RETOLD: Final = ("half", "best", "any")
"""Other ways to read the same betting (`retold`): as that of a player who bluffs more than the
people counted, of one who holds the best of the range, and of one who bets with any hand."""
_BEST: Final = 1 / 3
"""Share of a range that ``best`` keeps. A half was too much. Raises on the river are often made
with the very best hands, and a class by rank is as coarse as a tenth. With half, six folds of
Pluribus and the professionals in 10,000 hands would have been called mistakes, and the real cards
show that all six were right."""


def retold(weights: Weights, reading: str, board: tuple[Card, ...]) -> Weights:
    """Return the weights (1326,) under another reading of the same betting.

    ``half`` takes the square root of each weight, as if the betting said half as much. ``best``
    keeps only the best third of the range on this board. ``any`` gives all holdings one weight.
    """
    if reading == "any":
        return np.ones(HOLDINGS)
    if reading == "half":
        likely: Weights = np.sqrt(weights / weights.max())
        return likely
    worse = board_quantiles(board, tables=built_tables())
    ranking = np.argsort(worse, kind="stable")  # excluded holdings (NaN) come last
    # The best third is a share of the weight and not of the holdings, so the last holding to be
    # kept may keep only a part of its weight.
    mass = np.where(np.isnan(worse), 0.0, weights)[ranking]
    left = np.clip(_BEST * mass.sum() - (mass.cumsum() - mass), 0.0, mass)
    best = np.zeros(HOLDINGS)
    best[ranking] = left
    return best


def observed_actions(record: HandRecord) -> Iterator[ObservedAction]:
    """Yield the actions of a hand, even if cards that its showdown needs are unknown."""
    dealer = HandDealer(record.rules, record.holes, record.board)
    dealer.begin()
    for number, action in enumerate(record.actions, 1):
        before = dealer.state
        assert before.actor is not None
        yield ObservedAction(before, Act(before.actor, action))
        # The last action is not played on the engine: it may lead to a showdown, for which the
        # engine would need cards that the record does not have.
        if number < len(record.actions):
            dealer.act(action)


def _in_context(
    seen: Iterable[ObservedAction],
) -> Iterator[tuple[ObservedAction, tuple[int, int, int, int]]]:
    """Yield each action with its context.

    A context is (street, bets, price, whether the player made the last raise before this street).
    """
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
    """Return the class of each holding, (1326,); 0 if it shares a card with the board."""
    quantiles = board_quantiles(board, tables=built_tables())
    ranks: npt.NDArray[np.int64] = np.nan_to_num(quantiles * RANKS).astype(np.int64)
    return np.minimum(ranks, RANKS - 1)


@cache
def _shipped() -> Shares:
    arrays = read_arrays(files("railbird.modelling") / "data" / "betting_counts.npz")
    return BettingFrequencies(arrays["counts"]).shares
