"""Decisions of one player, one row each: what was faced, what was done, what it changed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.costly_spots import ANSWERS, FACINGS, Facing
from railbird.assessment.decision_divat.estimators import unit_chips
from railbird.assessment.decision_divat.scorer import HandValues
from railbird.baseline import CAP
from railbird.game import Street
from railbird.histories.columns import HandBatch

STREETS = tuple(street.name.lower() for street in Street)


def own_decisions(
    batch: HandBatch,
    player: str,
    first: int,
    known: npt.NDArray[np.bool_],
    values: HandValues | None,
) -> pl.DataFrame:
    """Return the decisions of a player in a batch whose first hand has the row ``first``.

    ``act`` counts the actions of the hand from 0; ``to_call`` and ``pot``, what lay in front of
    the player, are in the unit of the game. ``own`` is what the decision changed for the player by
    the baseline's ``values``, which are those of the hands that are ``known``; null in others.
    """
    answers, hand = batch.answers, batch.hand_of
    who = batch.names.index(player) if player in batch.names else len(batch.names)
    mine = batch.player[hand, answers.seat] == who
    changes = np.full(len(batch.action), np.nan)
    if values is not None:
        scored = known[hand]
        seats = answers.seat[scored]
        changes[scored] = values.decisions[np.arange(len(seats)), seats]
    unit = unit_chips(batch)[hand]
    facing = answers.to_call > 0
    faced = np.where(facing, Facing.BET - 1 + np.minimum(answers.bets, CAP), Facing.NOTHING)
    faced[(answers.street == Street.PREFLOP) & facing & (answers.bets == 1)] = Facing.BLIND
    return pl.DataFrame(
        {
            "row": first + hand[mine],
            "act": (np.arange(len(hand)) - batch.start[hand])[mine],
            "seat": answers.seat[mine].astype(np.uint8),
            "street": _enum(answers.street[mine], STREETS),
            "facing": _enum(faced[mine], FACINGS),
            "action": _enum(answers.name[mine], ANSWERS),
            "to_call": (answers.to_call / unit)[mine],
            "pot": (answers.pot / unit)[mine],
            "own": pl.Series((changes / unit)[mine], nan_to_null=True),
        }
    )


def _enum(index: npt.NDArray[np.integer], names: tuple[str, ...]) -> pl.Series:
    return pl.Series(np.array(names)[index], dtype=pl.Enum(names))
