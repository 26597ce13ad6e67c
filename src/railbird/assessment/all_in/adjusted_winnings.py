"""All-in equity: the money won, with hands that only cards decided at their mean.

If nobody can act any more, board cards are to come, and the cards of every live seat are known, the
result is replaced by the mean over all boards of each seat's share of every pot, including side
pots and rake. That is exact and unbiased if all cards dealt are known, or two players were dealt
in; otherwise the unknown cards of players who folded are treated as uniform over the unseen cards,
which is only approximate: people fold low cards more often.

Losing hands are often not shown, so if some live cards are unknown, the known ones are selected by
their outcome, and the adjusted hands favour the losers. `AllIns.unknown` marks these hands; with
any of them all-in equity is not a valid estimate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.assessment.all_in import _kernels_all_in as kernels
from railbird.histories.columns import UNKNOWN, HandBatch, batch_of, opened_vectors
from railbird.odds.equity.preflop_matrix import open_matrix

ASSUMES = "folded cards taken as uniform"
"""Caveat for the estimate if not all cards dealt are known."""
MOST_SEATS = kernels.MOST_SEATS

NO_ALL_IN = -1
"""In `AllIns.cards`."""

_SLICE = 256
_FEW_HANDS = 8
"""Hands with many boards that a thread takes at a time."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AllIns:
    """All-ins with cards to come in a batch of n hands with S seats."""

    cards: npt.NDArray[np.int8]
    """(n,) cards on the board when nobody could act any more; -1 without an all-in."""
    live: npt.NDArray[np.bool_]
    """(n, S) the seats that had not folded at the end of the betting."""
    known: npt.NDArray[np.bool_]
    """(n,) an all-in with the cards of all live seats known."""
    chips: Floats
    """(n, S) the mean result over all boards if ``known``, otherwise the money."""

    @property
    def unknown(self) -> npt.NDArray[np.bool_]:
        """(n,) True for an all-in with unknown cards of a live seat."""
        unknown: npt.NDArray[np.bool_] = (self.cards != NO_ALL_IN) & ~self.known
        return unknown


def all_ins_of(batch: HandBatch, *, folded_known: bool = True) -> AllIns:
    """Replace the results of hands decided by cards alone with their mean over all boards.

    ``folded_known`` removes known cards of players who folded from the deck; otherwise only those
    of the live seats are removed. Hands with more than ten seats are unchanged.
    """
    cards, live = where_all_in(batch)
    known = (cards != NO_ALL_IN) & ((batch.holding != UNKNOWN) | ~live).all(axis=1)
    chips = np.array(batch.chips)
    rows = np.flatnonzero(known)
    if rows.size:
        share = _sharing(batch, rows, cards, chips, folded_known=folded_known)
        in_slices(share, rows.size, size=_FEW_HANDS, what="all-ins")
    return AllIns(cards=cards, live=live, known=known, chips=chips)


def where_all_in(batch: HandBatch) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.bool_]]:
    """Return ``cards`` and ``live`` of `AllIns`, which do not depend on the cards."""
    n, seats = batch.player.shape
    cards, live = np.full(n, NO_ALL_IN, dtype=np.int8), np.zeros((n, seats), dtype=np.bool_)
    usual = batch.seats <= MOST_SEATS
    hands = kernel_hands(batch if usual.all() else batch.rows(usual))
    usual_cards, masks = (
        np.full(int(usual.sum()), NO_ALL_IN, np.int8),
        np.zeros(int(usual.sum()), int),
    )
    in_slices(
        partial(_walk, hands, usual_cards, masks), len(usual_cards), size=_SLICE, what="hands"
    )
    cards[usual], live[usual] = usual_cards, masks[:, None] >> np.arange(seats) & 1
    return cards, live


def kernel_hands(batch: HandBatch) -> kernels.Hands:
    """Return a batch's columns for kernels that replay hands with unknown cards."""
    return kernels.Hands(
        opened=opened_vectors(batch.rules),
        rules_of=batch.rules_of,
        start=batch.start,
        action=batch.action,
        holding=batch.holding,
        board=np.array(batch.board),  # writable, as kernels are compiled for
        rake=batch.rake,
    )


def _walk(
    hands: kernels.Hands,
    cards: npt.NDArray[np.int8],
    masks: npt.NDArray[np.int64],
    first: int,
    end: int,
) -> None:
    kernels.walk_to_the_end(first, end, hands, np.zeros(1, kernels.WORK), cards, masks)


def compile_sharing() -> None:
    """Compile what `all_ins_of` does with all-ins."""
    rows, cards = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int8)
    _sharing(batch_of([]), rows, cards, np.empty((0, 2)), folded_known=True)(0, 0)


def _sharing(
    batch: HandBatch,
    rows: npt.NDArray[np.int64],
    cards: npt.NDArray[np.int8],
    chips: Floats,
    *,
    folded_known: bool,
) -> Callable[[int, int], None]:
    """Return what shares the pots of a slice of the rows."""
    hands, wins = kernel_hands(batch), open_matrix().wins

    def share(first: int, end: int) -> None:
        work = np.zeros(1, kernels.WORK)
        kernels.share_pots(rows, first, end, hands, cards, int(folded_known), wins, work, chips)

    return share
