"""Decisions summed up by the spot in which they were taken: where a player's small bets go."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment._kernels_score import Scores
from railbird.assessment._kernels_spots import place_actions
from railbird.assessment.frame import ROUNDS
from railbird.assessment.hands import Batch
from railbird.baseline import CAP, BaselineClass
from railbird.baseline._kernels import CALL, FOLD
from railbird.game import Street

FACINGS = ("nothing", "blind", "bet", "raise", "reraise", "cap")
"""What a player has to answer; "cap" is the fourth bet or a later one."""

ACTIONS = ("fold", "check", "call", "bet", "raise")

_CLASSES = tuple(own.label for own in BaselineClass)
_KEYS = ("player", "street", "facing", "class", "action")
_SUMS = ("decisions", "divat", "divat_squared", "evat")


def spots_of(batch: Batch, scores: Sequence[Scores], seat: npt.NDArray[np.uint8]) -> pl.DataFrame:
    """Sum up the decisions of a batch by spot.

    ``scores`` are those of one or more settings, which are averaged; hands are classed by the
    first. ``seat`` (n,) is that of the player who is number 0 in column ``player``.
    """
    start, action = batch.hands.start, batch.hands.action
    n = len(action)
    hand = np.empty(n, dtype=np.int64)
    street, player, bets = (np.empty(n, dtype=np.uint8) for _ in range(3))
    facing = np.empty(n, dtype=np.bool_)
    place_actions(start, action, hand, street, player, bets, facing)
    gain = np.mean([each.gain for each in scores], axis=0)
    regret = np.mean([each.regret for each in scores], axis=0)
    taken = np.select([action == FOLD, action == CALL], [0, 1 + facing], 3 + (bets > 0))
    answered = np.where(facing, np.minimum(bets, CAP) + 1, 0)
    answered[(street == Street.PREFLOP) & facing & (bets == 1)] = 1
    return (
        pl.DataFrame(
            {
                "player": (player != seat[hand]).astype(np.uint8),
                "street": _enum(street, ROUNDS),
                "facing": _enum(answered, FACINGS),
                "class": _enum(scores[0].classes[hand, street, player], _CLASSES),
                "action": _enum(taken, ACTIONS),
                "decisions": np.ones(n, dtype=np.uint32),
                "divat": gain,
                "divat_squared": gain * gain,
                "evat": -regret,
            }
        )
        .filter(batch.known[hand])
        .group_by(_KEYS)
        .agg(pl.col(_SUMS).sum())
    )


def merge_spots(parts: Sequence[pl.DataFrame], players: tuple[str, str]) -> pl.DataFrame:
    """Merge what `spots_of` says of the parts of a match; see `Assessment.spots`."""
    n, total = pl.col("decisions"), pl.col("divat")
    variance = (pl.col("divat_squared") - total * total / n) / (n - 1)
    return (
        pl.concat(parts)
        .group_by(_KEYS)
        .agg(pl.col(_SUMS).sum())
        .with_columns(
            player=pl.col("player").replace_strict({0: players[0], 1: players[1]}),
            # Rounding can bring a variance of zero below it.
            stderr=pl.when(n > 1).then((n * pl.max_horizontal(variance, 0.0)).sqrt()),
        )
        .select(*_KEYS, "decisions", "divat", "stderr", "evat")
        .sort("divat", *_KEYS)
    )


def _enum(index: npt.NDArray[np.integer], names: tuple[str, ...]) -> pl.Series:
    return pl.Series(np.array(names)[index], dtype=pl.Enum(names))
