"""The rake that each player paid in any hold'em, where a log gives only its sum for a hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from railbird._arrays import Floats
from railbird.assessment.all_in import where_all_in
from railbird.assessment.divat.any_game_estimators import unit_chips
from railbird.game import pots, replay
from railbird.histories import HandRecord
from railbird.histories.columns import UNKNOWN, HandBatch, records_of
from railbird.histories.verify import uncalled

_ODD: Final = 1
"""Chips that the division of a pot may leave over."""


def rake_by_seat(batch: HandBatch) -> Floats:
    """Return what the house took of each seat's winnings beyond the rules' rake, (n, S).

    In the unit of the game. One winner pays all. Several pay pot by pot: each what its pots hold,
    less what it got. Where the house took all that was won, those who lost least pay alike.
    """
    stated = np.array([rules.rake is not None for rules in batch.rules], np.bool_)[batch.rules_of]
    taken = np.where(stated, 0.0, batch.rake / unit_chips(batch))
    seated = batch.player != UNKNOWN
    chips = np.where(seated, batch.chips, -np.inf)
    is_best = np.equal(chips, chips.max(axis=1, keepdims=True))
    rake: Floats = taken[:, None] * is_best / is_best.sum(axis=1, keepdims=True)
    rows = np.flatnonzero(taken)
    _, live = where_all_in(batch.rows(rows))
    # Of two who were dealt in, one with a gain won all there was.
    is_shared = (live.sum(axis=1) > 1) & (
        (batch.seats[rows] > 2) | (np.sum(chips[rows] > 0, axis=1) != 1)
    )
    shared = rows[is_shared]
    for row, record in zip(shared.tolist(), records_of(batch.rows(shared)), strict=True):
        paid = paid_by_pots(record)
        rake[row, : len(paid)] = [float(chips) for chips in paid]
        rake[row] /= unit_chips(batch)[row]
    return rake


def paid_by_pots(record: HandRecord) -> Sequence[Fraction]:
    """Return the rake by seat: what the pots that a seat won hold, less what it got, in chips.

    Nobody's cards are needed. The winner of a side pot has beaten everybody in it, and all of them
    are in every smaller pot. So a player who got more than a share of the side pots also has a
    share of the pot below. Of pots that were run more than once each pays for the part that it won.
    """
    state = replay(record.rules, record.holes, record.board, record.actions)
    received = [won + spent for won, spent in zip(record.payoffs, state.spent, strict=True)]
    if record.more_boards:
        shares = [
            max(chips - back, Fraction(0))
            for chips, back in zip(received, uncalled(state), strict=True)
        ]
        return [record.rake * share / sum(shares) for share in shares]
    pot_shares = [Fraction(0)] * len(received)
    for pot in reversed(pots(state)):
        surplus = {seat: received[seat] - pot_shares[seat] for seat in pot.seats}
        winners = [seat for seat in pot.seats if surplus[seat] > _ODD]
        for seat in winners or [max(pot.seats, key=lambda seat: surplus[seat])]:
            pot_shares[seat] += Fraction(pot.amount, max(1, len(winners)))
    return [Fraction(due) - paid for due, paid in zip(pot_shares, received, strict=True)]
