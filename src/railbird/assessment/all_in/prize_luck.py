"""Prizes of tournaments less the luck of all-ins, with prize equity as the value of a hand.

Once nobody can act any more only chance is left: the cards to come. The luck of such a hand is the
prize equity of the stacks after it, less its mean over all boards that the known cards allow, for
every player still in the tournament. Its mean is zero whatever the players do and however wrong the
independent chip model is, so prizes less luck have the mean of the prizes (see
`railbird.assessment.control_variate`), and the better the model, the smaller their variance.

All-ins of five or more hands, which have too many orders, are left as they are, and with more than
40 players left a stack is worth its share of all prizes. Both are decided before the board, so
nothing is biased.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._threads import in_slices
from railbird.assessment.all_in import _kernels_all_in as kernels
from railbird.assessment.all_in.adjusted_winnings import NO_ALL_IN, kernel_hands, where_all_in
from railbird.assessment.control_variate import luck_of
from railbird.errors import BadInput
from railbird.histories.columns import UNKNOWN, HandBatch
from railbird.odds.equity.preflop_matrix import open_matrix
from railbird.tournament import prize_equities

Floats = npt.NDArray[np.float64]

_MOST_ORDERS = 75
"""Orders of four hands."""
_MOST_LIVE = 4
_MANY = 40
"""Players beyond whom a stack is worth its share of the prizes: the model would take milliseconds a
hand to say nearly the same, and any value leaves the estimate unbiased."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrizeLuck:
    """Luck of the all-ins in T tournaments of P players."""

    luck: Floats
    """(T, P) prize money that the boards gave beyond their mean; every row adds up to zero."""
    all_ins: int
    """Hands whose luck this is."""
    left: int
    """All-ins with cards to come that were left as they are: five hands or more."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Results of a hand in which only cards are to come."""

    share: Floats
    """(orders,) share of the boards."""
    chips: Floats
    """(orders, seats) results in chips."""


@checked
def all_in_prize_luck(
    batches: Iterable[HandBatch],
    *,
    names: Sequence[str],
    tournaments: int,
    stack: int,
    prizes: Sequence[float],
) -> PrizeLuck:
    """Add up the luck of all-ins by tournament and player.

    ``batches`` are the hands of knock-out tournaments as `railbird.arena` plays and logs them, each
    to its end, with all cards; ``prizes`` is prize money from the first place on.

    Raises `BadInput` for hands that are not of these tournaments.
    """
    luck = np.zeros((tournaments, len(names)))
    done = left = 0
    place_of = {name: place for place, name in enumerate(names)}
    index, stacks = -1, np.empty(0)
    for batch in batches:
        outcomes, few = outcomes_of(batch)
        left += few
        chips = batch.chips
        tables = [each.table for each in batch.circumstances]
        for row in range(len(batch)):
            number = _tournament_of(tables[batch.circumstances_of[row]])
            if number != index:
                index, stacks = number, np.full(len(names), float(stack))
            seats = int(batch.seats[row])
            try:
                players = [place_of[batch.names[each]] for each in batch.player[row, :seats]]
                luck_so_far = luck[index]
            except (KeyError, IndexError):
                raise BadInput("hands of other tournaments; allowed: those of the result") from None
            if row in outcomes:
                luck_so_far += _luck(stacks, players, chips[row, :seats], outcomes[row], prizes)
                done += 1
            stacks[players] += chips[row, :seats]
    return PrizeLuck(luck=luck, all_ins=done, left=left)


def _luck(
    stacks: Floats,
    players: list[int],
    result: Floats,
    outcomes: Outcomes,
    prizes: Sequence[float],
) -> Floats:
    """Return the luck of one hand (players,): zero for those who are out."""
    playing = np.flatnonzero(stacks > 0)
    had = stacks[playing]
    at_table = np.searchsorted(playing, players)

    def value(chips: Floats) -> Floats:
        after = had.copy()
        after[at_table] += chips
        if len(playing) > _MANY:
            shares: Floats = after / after.sum() * sum(prizes)
            return shares
        return prize_equities(after.tolist(), prizes, had=had.tolist())

    expected = sum(
        share * value(chips) for share, chips in zip(outcomes.share, outcomes.chips, strict=True)
    )
    luck = np.zeros(len(stacks))
    luck[playing] = luck_of(value(result), expected)
    return luck


def outcomes_of(batch: HandBatch) -> tuple[dict[int, Outcomes], int]:
    """Return the outcomes of the all-ins of a batch by row, and the number of those left out."""
    cards, live = where_all_in(batch)
    dealt_in = batch.player != UNKNOWN
    known = ((batch.holding != UNKNOWN) | ~dealt_in).all(axis=1)
    all_in = cards != NO_ALL_IN
    wanted = all_in & known & (live.sum(axis=1) <= _MOST_LIVE)
    rows = np.flatnonzero(wanted)
    if not rows.size:
        return {}, int(all_in.sum())
    hands, wins = kernel_hands(batch), open_matrix().wins

    def settle(first: int, end: int) -> list[Outcomes]:
        work = np.zeros(1, kernels.WORK)
        found = []
        for row in rows[first:end].tolist():
            counts = np.zeros(_MOST_ORDERS, dtype=np.int64)
            chips = np.zeros((_MOST_ORDERS, batch.player.shape[1]))
            orders = kernels.orders_of_all_in(
                hands, row, int(cards[row]), wins, work, counts, chips
            )
            boards = counts[:orders].sum()
            seats = int(batch.seats[row])
            found.append(Outcomes(counts[:orders] / boards, chips[:orders, :seats].copy()))
        return found

    slices = in_slices(settle, rows.size, size=1, what="all-ins")
    found = [each for part in slices for each in part]
    return dict(zip(rows.tolist(), found, strict=True)), int(all_in.sum()) - rows.size


def _tournament_of(table: str) -> int:
    """Return the index of a tournament, from the name ``TOURNAMENT.TABLE`` of a table."""
    number, _, rest = table.partition(".")
    if not (number.isdecimal() and rest.isdecimal() and int(number) > 0):
        raise BadInput(f"table {table!r}; allowed: those of tournaments, such as 3.1")
    return int(number) - 1
