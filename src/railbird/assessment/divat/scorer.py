"""Scorer of hands by one baseline: tables opened, settings laid out as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.assessment.divat._kernels_divat import (
    STREETS,
    Preflop,
    Scores,
    score_hands,
)
from railbird.assessment.divat._kernels_rollout import Ranks
from railbird.assessment.divat.preflop_table import find_table
from railbird.assessment.divat.preflop_values import (
    PreflopValues,
    SampledPreflopValues,
    policy_arrays,
    preflop_classes,
    rank_arrays,
)
from railbird.assessment.divat.typical_opponent import tables_for
from railbird.assessment.scorable_batch import Batch, lay_out
from railbird.baseline import CAP, STANDARD, BaselineSettings, SettingsLike, settings_from
from railbird.estimates.estimate import Estimate
from railbird.histories.columns import batch_of
from railbird.odds.equity.preflop_matrix import PAIR_BOARDS, PreflopMatrix, open_matrix
from railbird.odds.tables.rank_tables import Tables, blank_tables
from railbird.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scorer:
    """Scores batches of hands by one baseline. Make one with `open_scorer`."""

    values: PreflopValues
    position: Estimate
    """Value of a hand to player 1 before the deal."""
    tables: Tables
    matrix: PreflopMatrix
    ranks: Ranks
    classes: npt.NDArray[np.int8]
    """(1326,) classes before the flop."""

    @property
    def settings(self) -> BaselineSettings:
        """The baseline's settings."""
        return self.values.settings

    def score(self, batch: Batch) -> Scores:
        """Score the hands whose cards are known; the others keep nan and -1."""
        scores = _no_scores(len(batch.money), len(batch.hands.action))
        order = self._order(batch)
        if order.size:
            self._fill(scores, batch, order)
        return scores

    def _fill(self, scores: Scores, batch: Batch, order: npt.NDArray[np.int64]) -> None:
        policy = policy_arrays(self.settings, _rounded_up(batch.most))
        score_hands(order, batch.hands, self._preflop(batch, order), self.ranks, policy, scores)

    def _order(self, batch: Batch) -> npt.NDArray[np.int64]:
        """List the known hands, those of equal flops together, as they share the look-ups."""
        flop = np.sort(batch.hands.board[:, :3], axis=1).astype(np.int64)
        index = flop[:, 0] + flop[:, 1] * (flop[:, 1] - 1) // 2
        index += flop[:, 2] * (flop[:, 2] - 1) * (flop[:, 2] - 2) // 6
        start = np.where(batch.dealt > 0, self.tables.flop_start[index], -1)
        order = np.argsort(start, kind="stable")
        return order[batch.known[order]]

    def _preflop(self, batch: Batch, order: npt.NDArray[np.int64]) -> Preflop:
        hands, n = batch.hands, len(batch.money)
        bets = batch.preflop_bets
        value = np.full((n, max(CAP, int(bets.max(initial=0)))), np.nan)
        # Nearly all logs have the cap; values beyond it are computed only where they were played.
        for first, last, where in (
            (1, CAP, order),
            (CAP + 1, value.shape[1], order[bets[order] > CAP]),
        ):
            if first > last or not where.size:
                continue
            contribution = np.tile(np.arange(first, last + 1, dtype=np.int16), (len(where), 1))
            value[where, first - 1 : last] = self.values.values(
                hands.first[where], hands.second[where], contribution
            ).value
        wins = self.matrix.wins
        balance = wins[hands.first, hands.second].astype(np.int64) - wins[hands.second, hands.first]
        return Preflop(
            value=value,
            share=balance / PAIR_BOARDS,
            classes=np.stack([self.classes[hands.first], self.classes[hands.second]], axis=1),
        )


@checked
def open_scorer(
    settings: SettingsLike,
    *,
    values: PreflopValues | None = None,
    progress: Progress | None = None,
) -> Scorer:
    """Open the tables, after building what is missing, and make a scorer for the settings.

    ``values`` are where values before the flop come from: by default the exact table if there is
    one for the settings, else a sample.
    """
    settings = settings_from(settings)
    tables = tables_for(settings, progress=progress)
    values = values or find_table(settings) or SampledPreflopValues(settings, tables)
    return Scorer(
        values=values,
        position=values.position(),
        tables=tables,
        matrix=open_matrix(progress=progress),
        ranks=rank_arrays(tables),
        classes=preflop_classes(settings, tables),
    )


def compile_scoring() -> None:
    """Compile the kernel of `Scorer.score`; no tables are needed, which may be built meanwhile."""
    batch = lay_out(batch_of([]))
    order = np.empty(0, dtype=np.int64)
    preflop = Preflop(
        value=np.empty((0, CAP)), share=np.empty(0), classes=np.empty((0, 2), dtype=np.int8)
    )
    policy = policy_arrays(STANDARD, _rounded_up(batch.most))
    score_hands(order, batch.hands, preflop, rank_arrays(blank_tables()), policy, _no_scores(0, 0))


def _rounded_up(most: int) -> int:
    """Round up to a power of two, so that arrays have few different sizes."""
    return max(64, 1 << (most - 1).bit_length())


def _no_scores(hands: int, actions: int) -> Scores:
    return Scores(
        actual=np.full((hands, STREETS), np.nan),
        baseline=np.full((hands, STREETS), np.nan),
        aie_actual=np.full((hands, STREETS), np.nan),
        aie_baseline=np.full((hands, STREETS), np.nan),
        lfat=np.full((hands, STREETS), np.nan),
        classes=np.full((hands, STREETS, 2), -1, dtype=np.int8),
        first_deviator=np.full((hands, STREETS), -1, dtype=np.int8),
        dcash=np.full(hands, np.nan),
        evat=np.full((hands, 2), np.nan),
        divat_by_action=np.full(actions, np.nan),
        evat_loss=np.full(actions, np.nan),
        best=np.zeros(actions, dtype=np.uint8),
    )
