"""All-in equity in any hold'em: the money won, with hands that only cards decided at their mean.

`own_side` makes an estimator of it; `prizes` does the same with prize money in tournaments.

If nobody can act any more, board cards are to come, and the cards of every live seat are known, the
result is replaced by the mean over all boards of each seat's share of every pot, including side
pots and rake. That is exact and unbiased if all cards dealt are known, or if two players were dealt
in. Otherwise the unknown cards of players who folded are treated as uniform over the unseen cards,
which is only approximate: people fold low cards more often.

Losing hands are often not shown, so the all-ins whose live cards are known are selected by their
outcome. `taken_at_mean` says which of them a log may count at their mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird._threads import in_slices
from railbird.assessment import all_in_kernels as kernels
from railbird.histories.columns import UNKNOWN, HandBatch, batch_of, opened_vectors
from railbird.odds.preflop_matrix import open_matrix

ASSUMES = "folded cards taken as uniform"
"""Caveat for the estimate if not all cards dealt are known."""
MOST_SEATS = kernels.MOST_SEATS

NO_ALL_IN = -1
"""In `AllIns.cards`."""

_SLICE = 256
_FEW_HANDS = 8
"""Hands with many boards that a thread takes at a time."""


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
    stakes: npt.NDArray[np.int64]
    """(n, S) the chips that a seat loses if it wins nothing back, if ``known``, otherwise 0."""

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
    stakes = np.zeros(chips.shape, dtype=np.int64)
    rows = np.flatnonzero(known)
    if rows.size:
        share = _sharing(batch, rows, cards, chips, stakes, folded_known=folded_known)
        in_slices(share, rows.size, size=_FEW_HANDS, what="all-ins")
    return AllIns(cards=cards, live=live, known=known, chips=chips, stakes=stakes)


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


def kernel_hands(batch: HandBatch) -> kernels.AllInHands:
    """Return a batch's columns for kernels that replay hands with unknown cards."""
    return kernels.AllInHands(
        opened=opened_vectors(batch.rules),
        rules_of=batch.rules_of,
        start=batch.start,
        action=batch.action,
        holding=batch.holding,
        board=np.array(batch.board),  # writable, as kernels are compiled for
        rake=batch.rake,
    )


def _walk(
    hands: kernels.AllInHands,
    cards: npt.NDArray[np.int8],
    masks: npt.NDArray[np.int64],
    first: int,
    end: int,
) -> None:
    kernels.walk_to_the_end(first, end, hands, np.zeros(1, kernels.WORK), cards, masks)


def compile_sharing() -> None:
    """Compile what `all_ins_of` does with all-ins."""
    rows, cards = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int8)
    chips, stakes = np.empty((0, 2)), np.empty((0, 2), dtype=np.int64)
    _sharing(batch_of([]), rows, cards, chips, stakes, folded_known=True)(0, 0)


def _sharing(
    batch: HandBatch,
    rows: npt.NDArray[np.int64],
    cards: npt.NDArray[np.int8],
    chips: Floats,
    stakes: npt.NDArray[np.int64],
    *,
    folded_known: bool,
) -> Callable[[int, int], None]:
    """Return what shares the pots of a slice of the rows."""
    hands, wins = kernel_hands(batch), open_matrix().wins

    def share(first: int, end: int) -> None:
        work = np.zeros(1, kernels.WORK)
        folded = int(folded_known)
        kernels.share_pots(rows, first, end, hands, cards, folded, wins, work, chips, stakes)

    return share


# Which all-ins are taken at their mean, where losing hands need not be shown.
#
# Callers who lose may muck, so which live hands are known depends on the boards: the all-ins of a
# player that are known to the last card are then those that he lost. Taking the known ones at their
# mean gives back bad luck and keeps the good, and so does doing it only where all happen to be
# known, for that is so where none was won. So whether an all-in is adjusted is told by the *other*
# all-ins of the log. They must show that losers show: at least `PROOFS` of them were won with a
# loser's cards known, and in none is a live hand unknown. The board of the all-in itself then
# decides nothing, whether losers always show or never do. The same holds the other way round for a
# player whose own cards are known only if he showed them: `PROOFS` others must have been lost with
# these known.
#
# Of a player who won exactly `PROOFS` of them, this takes the lost ones at their mean and not the
# won ones: right on average, but no sum of independent terms. Among 2,000 players with six all-ins
# each, the places of such sums among sums by chance had a distance of 0.04 from uniform (Kolmogorov
# and Smirnov). Where a place is told, earlier all-ins alone are the proof (``in_order``): each
# term's mean is zero given all before it, and the distance is 0.02, which chance gives.
#
# Where losers show at times, a log without an unknown hand is still one with few won all-ins. That
# bias remains, and nothing in the log can take it out.
#
# Logs with all cards are not concerned.


PROOFS: Final = 2
"""Other all-ins that must show that losers show."""

SEEN: Final = "all_in_seen"
"""Column: what a player's all-in with cards to come says of who shows (`Seen`); null elsewhere."""


class Seen(IntEnum):
    """Knowledge of an all-in, from the side of one of its players."""

    UNKNOWN = 0
    """A live hand is unknown."""
    NEITHER = 1
    """All live hands are known, and each won something back."""
    WON = 2
    """All live hands are known; the player won something back, and another nothing."""
    LOST = 3
    """All live hands are known, and the player won nothing back."""


def seen_of(all_ins: AllIns, batch: HandBatch) -> Floats:
    """Return what each all-in says of who shows, (n, S) `Seen`; nan for those who are not in it."""
    # Compared with the chips at stake, for after rake a shared pot costs each of its winners chips.
    live = all_ins.live & all_ins.known[:, None]
    lost = live & (batch.payoff == -all_ins.stakes * batch.parts[:, None])
    seen = np.full(batch.player.shape, np.nan)
    seen[live] = Seen.NEITHER
    seen[live & lost.any(axis=1, keepdims=True)] = Seen.WON
    seen[lost] = Seen.LOST
    seen[all_ins.live & all_ins.unknown[:, None]] = Seen.UNKNOWN
    return seen


def taken_at_mean(own_known: pl.Expr, *, all_known: bool, in_order: bool = False) -> pl.Expr:
    """Return whether the row of a hand and ``player`` counts by its mean over all boards.

    Rows are those of a whole log and have `SEEN`; ``own_known`` says whether the player's own cards
    are known. ``all_known`` are the cards of everybody in all hands: no showdown decides then what
    is known. With ``in_order`` those all-ins alone prove that losers show which come earlier.
    """
    in_all_in = pl.col(SEEN).is_not_null()
    known = in_all_in & (pl.col(SEEN) != Seen.UNKNOWN)
    if all_known:
        return known
    # Told by hands without an all-in, for the boards of all-ins must not decide on it.
    hero = (own_known | in_all_in).all() & (~in_all_in).any()
    none_unknown = _others(Seen.UNKNOWN) == 0
    losers_show = _others(Seen.WON, in_order=in_order) >= PROOFS
    shows_lost = hero.over("player") | (_others(Seen.LOST) >= PROOFS)
    return known & none_unknown & losers_show & shows_lost


def _others(kind: Seen, *, in_order: bool = False) -> pl.Expr:
    """Count the player's other all-ins of this kind, or those before."""
    here = (pl.col(SEEN) == kind).fill_null(value=False).cast(pl.Int64)
    return (here.cum_sum() if in_order else here.sum()).over("player") - here
