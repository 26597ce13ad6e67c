"""Which share of holdings players bet, call and raise after the flop, beside the filter's.

The source leaves the "is-bettable" heuristic to the program. Given hands in which all cards are
known measure it: of the holdings that came to a decision, ordered on the board, the filter's share
should be as many as were bet (or called, or raised). What a share is worth also shows in how many
of those actions were taken by holdings within it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import Card
from railbird.estimates import Estimate
from railbird.experiments.framework.rows import Row, measured
from railbird.experiments.framework.workspace import Workspace
from railbird.experiments.peretz2005.common import GAME
from railbird.histories import read_columns
from railbird.histories.columns import HandBatch, batches_of
from railbird.odds import open_tables
from railbird.odds.settings import SHARES
from railbird.odds.spectra.bettable import board_quantiles

_STREETS: Final = ("preflop", "flop", "turn", "river")
_BOARD: Final = (0, 3, 4, 5)
_RESAMPLED: Final = 200


class Decisions(NamedTuple):
    """Decisions of one kind."""

    quantile: npt.NDArray[np.float64]
    """(n,) share of better holdings on the board."""
    taken: npt.NDArray[np.bool_]
    """(n,) whether the action was taken, or a stronger one."""

    @property
    def share(self) -> float:
        """Share of the best holdings on a board that would have taken the action as often."""
        return float(np.quantile(self.quantile, self.taken.mean()))

    @property
    def within(self) -> float:
        """Share of the actions that were taken by these holdings."""
        return float((self.quantile[self.taken] <= self.share).mean())


def share_rows(workspace: Workspace) -> list[Row]:
    """Measure the shares on the hands that were given; no rows without any."""
    if workspace.data is None:
        return []
    rows = []
    rng = np.random.default_rng(workspace.seed)
    for (street, act), found in decisions(workspace.data).items():
        ours = SHARES[street][act]
        rows.append(
            measured(
                f"holdings worth a {act} on the {_STREETS[street]}",
                _estimate(found, rng),
                f"the filter's share is {100 * ours:.0f} %; {100 * found.within:.0f} % of these "
                "actions were by holdings within what was measured",
            )
        )
    return rows


def decisions(data: Path) -> dict[tuple[int, str], Decisions]:
    """Return the decisions after the flop by street and action, of players whose cards are known.

    A bet is decided where nothing is to call, a call or a raise where there is; who raises would
    have called.
    """
    read = read_columns(data, game=GAME if ".log" in data.suffixes else None)
    quantiles: dict[tuple[int, str], list[float]] = {}
    taken: dict[tuple[int, str], list[bool]] = {}
    for batch, _ in batches_of(read):
        for street, act, quantile, did in _of_batch(batch):
            quantiles.setdefault((street, act), []).append(quantile)
            taken.setdefault((street, act), []).append(did)
    return {
        key: Decisions(np.array(quantiles[key]), np.array(taken[key])) for key in sorted(quantiles)
    }


def _of_batch(batch: HandBatch) -> Iterator[tuple[int, str, float, bool]]:
    hand = np.repeat(np.arange(len(batch)), np.diff(batch.start))
    tables = open_tables()
    known: dict[tuple[int, int], npt.NDArray[np.float64]] = {}
    for place in np.flatnonzero(batch.answers.street > 0).tolist():
        at, street = int(hand[place]), int(batch.answers.street[place])
        holding = int(batch.holding[at, batch.answers.seat[place]])
        if holding < 0:
            continue
        if (at, street) not in known:
            board = [Card(card) for card in batch.board[at, : _BOARD[street]].tolist()]
            known[at, street] = board_quantiles(board, tables=tables)
        quantile, action = float(known[at, street][holding]), int(batch.action[place])
        if batch.answers.to_call[place] == 0:
            yield street, "bet", quantile, action > 0
        else:
            yield street, "call", quantile, action >= 0
            yield street, "raise", quantile, action > 0


def _estimate(found: Decisions, rng: np.random.Generator) -> Estimate:
    """Return the share in per cent, its standard error by resampling decisions."""
    n = len(found.taken)
    again = [
        Decisions(found.quantile[chosen], found.taken[chosen]).share
        for chosen in (rng.integers(0, n, n) for _ in range(_RESAMPLED))
    ]
    return Estimate(100 * found.share, 100 * float(np.std(again)), n, unit="%")
