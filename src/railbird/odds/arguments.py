"""Validates arguments: cards, opponents, weights of holdings."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from railbird.cards import (
    HOLDINGS,
    Card,
    CardsLike,
    Holding,
    HoldingLike,
    Range,
    cards_from,
    cards_of,
    format_card,
    holding_from,
)
from railbird.errors import BadInput, DuplicateCard

WeightsLike: TypeAlias = npt.ArrayLike | Range
"""Weights of holdings, (1326,) in any unit, or a range as an object or text."""


def check_cards(known: Sequence[Card], *, board: Sequence[Card]) -> None:
    """Check the size of the board, and that cards are valid and distinct.

    Raises `BadInput` and `DuplicateCard`.
    """
    if len(board) not in (0, 3, 4, 5):
        raise BadInput(f"a board of {len(board)} cards; allowed: 0, 3, 4, 5")
    seen: set[Card] = set()
    for card in known:
        if not 0 <= card < 52:
            raise BadInput(f"no card has the number {card}; allowed: 0 to 51")
        if card in seen:
            raise DuplicateCard(f"{format_card(card)} is named twice")
        seen.add(card)


def known_cards(hole: HoldingLike, board: CardsLike) -> tuple[Holding, tuple[Card, ...]]:
    """Parse the hole cards and the board. Raises the same errors as `check_cards`."""
    holding, cards = holding_from(hole), cards_from(board)
    check_cards([*cards_of(holding), *cards], board=cards)
    return holding, cards


def check_opponents(opponents: int) -> None:
    """Raise `BadInput` unless there is one opponent or more."""
    if index(opponents) < 1:
        raise BadInput(f"{opponents} opponents; allowed: 1 or more")


def weights_from(weights: WeightsLike | None) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
    """Return weights of holdings, (1326,); None gives equal integer weights.

    Raises `BadInput` for another shape and for negative or infinite weights.
    """
    if weights is None:
        return np.ones(HOLDINGS, dtype=np.int64)
    if isinstance(weights, str):
        weights = Range.parse(weights)
    if isinstance(weights, Range):
        return weights.weights.copy()  # kernels would compile anew for a read-only array
    try:
        chances = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(
            f"weights of type {type(weights).__name__}; allowed: {HOLDINGS} numbers, or a range"
        ) from None
    if chances.shape != (HOLDINGS,) or not np.all(chances >= 0) or not np.all(np.isfinite(chances)):
        raise BadInput(
            f"weights of shape {chances.shape}; allowed: {HOLDINGS} finite numbers, none negative"
        )
    return np.ascontiguousarray(chances)


# Defaults and limits of exact and sampled equity.


WORK_LIMIT: Final = 10.0
"""Approximate seconds of one core up to which `Mode.AUTO` computes exactly."""

SAMPLES: Final = 1_000_000
"""Default number of deals in a sample."""

MOST_SAMPLES: Final = 10**10
"""Maximum number of trials."""

MOST_DEALS: Final = 1 << 22
"""Maximum number of deals that are listed; for ten players they take 80 MB."""

CACHED_STATES: Final = 1 << 15
"""Entries of each cache of strengths or probabilities, which take about ten megabytes."""

ROLL_OUTS: Final = 2_500
"""Deals of a roll-out against several opponents: a standard error of one per cent at most."""

PREFLOP_BOARDS: Final = 20_000
"""Boards of a sample before the flop: all opposing holdings are counted on each, so that a share of
the pot has a standard error of 0.25 % at most."""

MOST_BOARDS: Final = 10**6
"""Maximum size of a sample of boards before the flop."""

CACHED_BOARDS: Final = 1 << 10
"""Boards whose order of holdings is cached, at ten kilobytes each."""

FLOPS_SEEN: Final = 0.2
"""The ideal share of flops seen at a full table (Peretz 2005, "Opponent Modeling")."""

LOOSENESS_HANDS: Final = 20
"""Weight, in hands, of the ideal rate in an estimate of looseness: two rounds of a full table."""

MOST_LOOSENESS: Final = 20.0
"""Looseness at which everybody plays everything, whatever the action."""

SHARES: Final[tuple[dict[str, float], ...]] = (
    {"check": 1.0, "call": 0.25, "bet": 0.1, "raise": 0.1},
    {"check": 1.0, "call": 0.45, "bet": 0.35, "raise": 0.15},
    {"check": 1.0, "call": 0.35, "bet": 0.3, "raise": 0.1},
    {"check": 1.0, "call": 0.3, "bet": 0.25, "raise": 0.08},
)
"""The share of the best holdings that are worth an action, by street. The source gives the quarter
that is played before the flop and leaves the rest to the program. A check gives no information."""

CACHED_VALUES: Final = 128
"""Files of hand classes' values on all flops that are cached, at about a megabyte each."""

TABLE_SEATS: Final = 10
"""Seats of a table before the flop, as the source counts them."""

COLD_CALL_SHARE: Final = 0.12
"""The share of starting hands worth calling a raise: half of those that call the blind, since a
raise to the right turns many playable hands into folds, as the source says."""

SMALL_BLIND_SHARE: Final = 0.2
"""The same for the small blind, which has paid a quarter of the raise."""

BIG_BLIND_SHARE: Final = 0.4
"""The same for the big blind, which has paid half and closes the round."""

RERAISE_SHARE: Final = 0.04
"""Share of starting hands worth a second raise, or a call of it: QQ and better, AK."""

EXPECTED_BETS: Final = 3.0
"""Big blinds in limit that a hand bets from the flop on: the bets of flop and turn. All three
rounds would be 5, but some hands fold before."""

PAYING_SHARE: Final = 0.5
"""Share of these bets that an opponent pays."""

MOST_AT_TABLE: Final = 9
"""Opponents of a full table."""
