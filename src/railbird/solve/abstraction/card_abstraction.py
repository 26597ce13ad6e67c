"""The interface of card abstractions for any hold'em, and the one with a single state.

An abstraction gives every holding on a board a *state*, a number below `CardAbstraction.states` of
the street. Holdings in the same state are played in the same way. With perfect recall, a state
determines the states of all earlier streets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import HOLDING_CARDS, HOLDINGS, Card
from railbird.errors import BadInput, DuplicateCard
from railbird.game.rules import BOARD_CARDS

BLOCKED = -1
"""The state of a holding that shares a card with the board."""

States = npt.NDArray[np.int32]
"""(1326,) the state of each holding on one board, or `BLOCKED`."""


class Recall(Enum):
    """What a state remembers of earlier streets."""

    PERFECT = "perfect"
    """It remembers the states of all streets before."""
    IMPERFECT = "imperfect"
    """It forgets some of them; then a best response in the abstraction is not defined."""


class CardAbstraction(Protocol):
    """Assigns a state to each holding on each board. Permuting suits changes no state."""

    @property
    def name(self) -> str:
        """The text that names it, such as ``percentile:5-5-5-5``."""

    @property
    def states(self) -> tuple[int, ...]:
        """Number of states by street."""

    @property
    def recall(self) -> Recall:
        """Whether a state remembers the states of earlier streets."""

    @property
    def record(self) -> dict[str, Any]:
        """Its record in a strategy's file, for JSON; `read_abstraction` reads it."""

    def next_states(self, board: npt.NDArray[np.uint8], previous: States | None) -> States:
        """Return the states on a board of 0, 3, 4 or 5 cards in the order of dealing.

        ``previous`` are the states of the street before, None before the flop.
        """


@checked
def states_on(abstraction: CardAbstraction, board: Sequence[Card]) -> npt.NDArray[np.int32]:
    """Return the states on all streets up to a board, (streets, 1326), in the order of dealing.

    Raises `BadInput` for a board that does not end a street, `DuplicateCard` for a repeated card.

    >>> states_on(CardBlind(), []).shape
    (1, 1326)
    """
    if len(board) not in BOARD_CARDS:
        raise BadInput(f"a board of {len(board)} cards; allowed: 0, 3, 4, 5 cards")
    if len(set(board)) < len(board):
        raise DuplicateCard("a card occurs twice on the board")
    cards = np.array(board, dtype=np.uint8)
    by_street: list[States] = []
    for count in BOARD_CARDS[: BOARD_CARDS.index(len(board)) + 1]:
        by_street.append(
            abstraction.next_states(cards[:count], by_street[-1] if by_street else None)
        )
    return np.array(by_street)


def is_blocked(board: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Return (1326,) whether each holding shares a card with the board."""
    used = np.zeros(52, dtype=np.bool_)
    used[board] = True
    blocked: npt.NDArray[np.bool_] = used[HOLDING_CARDS[:, 0]] | used[HOLDING_CARDS[:, 1]]
    return blocked


@dataclass(frozen=True, slots=True)
class CardBlind:
    """One state on every street: a strategy over it does not use its cards."""

    name: str = "blind"
    states: tuple[int, ...] = (1, 1, 1, 1)
    recall: Recall = Recall.PERFECT

    @property
    def record(self) -> dict[str, Any]:
        """Its name, from which `read_abstraction` restores it."""
        return {"kind": "blind"}

    def next_states(self, board: npt.NDArray[np.uint8], previous: States | None) -> States:
        """Return 0 for every holding that the board does not block."""
        states = np.zeros(HOLDINGS, dtype=np.int32)
        states[is_blocked(board)] = BLOCKED
        return states


# Limits of card abstractions.


MOST_STATES: Final = 4096
"""Most river states of a perfect-recall abstraction; two square matrices over them are kept."""

FLOPS_A_TASK: Final = 9
"""Flops of one task. All 1,755 are 195 tasks, so an interruption costs a second or two."""

CHECKPOINT_SECONDS: Final = 20.0
"""Time after which the counts so far are written to disk."""

MOST_BUCKETS: Final = 1 << 16
"""Most buckets of a street with imperfect recall: tables have two bytes for each entry."""

RANK_STEPS: Final = 32
"""Number of final ranks at which the distributions on the flop and the turn are sampled."""

SAMPLED_ROWS: Final = 100_000
"""Deals from which the first centres of clusters are chosen."""

CLUSTER_PASSES: Final = 10
"""Passes over all rows that improve the centres."""

BUCKET_SIZES: Final[dict[str, tuple[int, ...]]] = {
    "medium": (169, 9_000, 5_000, 5_000),
    "large": (169, 30_000, 20_000, 20_000),
}
"""Buckets by street of imperfect-recall abstractions.

Johanson, Burch, Valenzano and Bowling (2013) compare abstractions with 9,000. Buckets of the flop
cost hardly any memory.
"""
