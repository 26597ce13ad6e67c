"""Decisions by spot, to show where a player loses: heads-up limit, or one person in any hold'em.

`leaks` does the same with graded decisions of one person.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird.assessment.divat.any_game import HandValueChanges
from railbird.assessment.divat.any_game_estimators import unit_chips
from railbird.assessment.divat.estimators import ROUNDS, LimitScores
from railbird.assessment.limit_rows import MatchPart
from railbird.baseline import CAP, BaselineClass
from railbird.game import ActionName, Street
from railbird.histories.columns import HandBatch


class Facing(IntEnum):
    """Action that a player faces; `Assessment.spots` has the names in lower case."""

    NOTHING = 0
    BLIND = 1
    BET = 2
    RAISE = 3
    RERAISE = 4
    CAP = 5
    """The fourth bet or a later one."""


def _names(kinds: type[IntEnum]) -> tuple[str, ...]:
    return tuple(kind.name.lower() for kind in kinds)


FACINGS, ANSWERS = _names(Facing), _names(ActionName)
CLASSES = tuple(own.label for own in BaselineClass)

_PLAYERS = 2
_SHAPE = (_PLAYERS, len(ROUNDS), len(Facing), len(CLASSES), len(ActionName))


def sum_spots(chunk: MatchPart, limit: LimitScores) -> Floats:
    """Sum up the decisions of a part of a match by spot.

    ``limit`` are the scores of the chunk's hands; those of several settings are averaged, and hands
    are classed by the first. Returns (4, 2, 4, 6, 6, 5): number of decisions, sums of DIVAT, its
    square and EVAT, by player, round, `Facing`, `CLASSES` and
    `railbird.game.ActionName`.
    """
    scores = limit.scores
    answers, hand = chunk.hands.answers, chunk.hands.hand_of
    street, bets, facing = answers.street, answers.bets, answers.to_call > 0
    # The kinds of bets follow each other as the bets of a street do.
    answered = np.where(facing, Facing.BET - 1 + np.minimum(bets, CAP), Facing.NOTHING)
    answered[(street == Street.PREFLOP) & facing & (bets == 1)] = Facing.BLIND
    known = limit.batch.known[hand]
    spot = np.ravel_multi_index(
        (
            (answers.seat != chunk.seat[hand])[known],
            street[known],
            answered[known],
            scores[0].classes[hand, street, answers.seat][known],
            answers.name[known],
        ),
        _SHAPE,
    )
    divat = np.mean([score.divat_by_action for score in scores], axis=0)[known]
    evat = -np.mean([score.evat_loss for score in scores], axis=0)[known]
    weights = (np.ones_like(divat), divat, divat * divat, evat)
    size = int(np.prod(_SHAPE))
    return np.stack([np.bincount(spot, weight, size).reshape(_SHAPE) for weight in weights], axis=0)


def spots_frame(sums: Floats, players: tuple[str, str]) -> pl.DataFrame:
    """Turn the sums of `sum_spots`, of a whole match, into `Assessment.spots`."""
    where = np.nonzero(sums[0])
    decisions, divat, squares, evat = (values[where] for values in sums)
    # Rounding can bring a variance of zero below it; a single decision has none.
    deviations = np.maximum(squares - divat * divat / decisions, 0.0)
    others = np.where(decisions > 1, decisions - 1, np.nan)
    stderr = np.sqrt(decisions * deviations / others)
    player, street, facing, own, action = where
    return pl.DataFrame(
        {
            "player": np.array(players)[player],
            "street": _enum(street, ROUNDS),
            "facing": _enum(facing, FACINGS),
            "class": _enum(own, CLASSES),
            "action": _enum(action, ANSWERS),
            "decisions": decisions.astype(np.int64),
            "divat": divat,
            "stderr": pl.Series(stderr, nan_to_null=True),
            "evat": evat,
        }
    ).sort("divat")


def _enum(index: npt.NDArray[np.intp], names: tuple[str, ...]) -> pl.Series:
    return pl.Series(np.array(names)[index], dtype=pl.Enum(names))


# Decisions of one player, one row each: what was faced, what was done, what it changed.


STREETS = tuple(street.name.lower() for street in Street)


def own_decisions(
    batch: HandBatch,
    player: str,
    first: int,
    known: npt.NDArray[np.bool_],
    values: HandValueChanges | None,
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
            "street": _labels(answers.street[mine], STREETS),
            "facing": _labels(faced[mine], FACINGS),
            "action": _labels(answers.name[mine], ANSWERS),
            "to_call": (answers.to_call / unit)[mine],
            "pot": (answers.pot / unit)[mine],
            "own": pl.Series((changes / unit)[mine], nan_to_null=True),
        }
    )


def _labels(index: npt.NDArray[np.integer], names: tuple[str, ...]) -> pl.Series:
    return pl.Series(np.array(names)[index], dtype=pl.Enum(names))
