"""Whether a player's last hands tell more of his looseness than all of them.

The source models opponents "in the current sitting", halving its counts of flops seen from time to
time, and expects less of a database of all their hands. Given hands decide: both predict whether a
player enters the pot, before every hand, and the logarithmic loss says who predicts better.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.estimates import Moments
from railbird.experiments.framework.rows import Row, published_as_positive
from railbird.experiments.framework.workspace import Workspace
from railbird.experiments.peretz2005.common import GAME
from railbird.histories import read_columns
from railbird.histories.columns import HandBatch, batches_of
from railbird.odds.settings import FLOPS_SEEN, LOOSENESS_HANDS

HALVED_AFTER: Final = (50, 200, 800)
"""Hands after which the counts are halved."""


def model_rows(workspace: Workspace) -> list[Row]:
    """Compare both models on the hands that were given; no rows without any."""
    if workspace.data is None:
        return []
    entered = entries(workspace.data)
    long = np.concatenate([losses(each, None) for each in entered.values()])
    rows = []
    for halved in HALVED_AFTER:
        short = np.concatenate([losses(each, halved) for each in entered.values()])
        gain = replace(Moments.of(long - short).estimate(), unit="nats")
        rows.append(
            published_as_positive(
                f"looseness by all hands less halved after {halved}: loss",
                gain,
                "above zero the last hands predict better whether a player enters the pot",
            )
        )
    return rows


def entries(data: Path) -> dict[str, npt.NDArray[np.bool_]]:
    """Return for each player whether he entered the pot, in the order of the hands.

    A big blind that nobody raised did not have to decide, and does not count.
    """
    read = read_columns(data, game=GAME if ".log" in data.suffixes else None)
    found: dict[str, list[bool]] = {}
    for batch, _ in batches_of(read):
        for name, entered in _decisions(batch):
            found.setdefault(name, []).append(entered)
    return {name: np.array(each) for name, each in found.items()}


def _decisions(batch: HandBatch) -> list[tuple[str, bool]]:
    """Return who decided before the flop, and whether he put money in, in order of the hands."""
    hand = np.repeat(np.arange(len(batch)), np.diff(batch.start))
    before = batch.answers.street == 0
    paid = (batch.action > 0) | ((batch.action == 0) & (batch.answers.to_call > 0))
    free = (batch.action == 0) & (batch.answers.to_call == 0)
    entered: dict[tuple[int, int], bool] = {}
    for place in np.flatnonzero(before & ~free).tolist():
        key = int(hand[place]), int(batch.answers.seat[place])
        entered[key] = entered.get(key, False) or bool(paid[place])
    return [
        (batch.names[batch.player[at, seat]], did) for (at, seat), did in sorted(entered.items())
    ]


def losses(entered: npt.NDArray[np.bool_], halved_after: int | None) -> npt.NDArray[np.float64]:
    """Return the logarithmic loss of each prediction from the hands before it.

    Both counts begin with `LOOSENESS_HANDS` hands at the ideal rate, which are not halved.
    """
    seen = hands = 0.0
    lost = np.empty(len(entered))
    for place, did in enumerate(entered.tolist()):
        rate = (seen + LOOSENESS_HANDS * FLOPS_SEEN) / (hands + LOOSENESS_HANDS)
        lost[place] = -np.log(rate if did else 1 - rate)
        seen, hands = seen + did, hands + 1
        if halved_after is not None and (place + 1) % halved_after == 0:
            seen, hands = seen / 2, hands / 2
    return lost
