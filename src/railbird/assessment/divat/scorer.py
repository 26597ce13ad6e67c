"""Scores heads-up limit hands by one baseline: tables opened, settings as arrays."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.assessment.divat.kernels import STREETS, PreflopArrays, Ranks, Scores, score_hands
from railbird.assessment.divat.preflop_values import (
    PreflopValues,
    SampledPreflopValues,
    find_table,
    policy_arrays,
    preflop_classes,
    rank_arrays,
)
from railbird.assessment.limit_layout import Batch, lay_out
from railbird.baseline import (
    CAP,
    STANDARD,
    BaselineSettings,
    OpponentHoldings,
    SettingsLike,
    settings_from,
)
from railbird.cards import HOLDING_CARDS
from railbird.estimates.estimate import Estimate
from railbird.histories import HandRecord
from railbird.histories.columns import batch_of
from railbird.odds.preflop_matrix import PAIR_BOARDS, PreflopMatrix, open_matrix
from railbird.odds.rank_tables import Tables, blank_tables, open_tables, weighted_arrays
from railbird.progress import Progress

# Hand ranks against a typical opponent, who holds hands that are played rather than any two cards.
#
# Kan (2007, 3.1.1) proposes this for future versions, as IHS and 7cHS in place of IHR and 7cHR. The
# weights are those that `railbird.players.loki` assumes for an unknown player who has called before
# the flop. They are averaged over the holdings of each pair of ranks, because the tables share
# entries between holdings that differ only in irrelevant suits.
#
# Before the flop ranks remain those against any two cards, since nobody has folded yet.


_LOG = logging.getLogger(__name__)
_ONE_AT_A_TIME = threading.Lock()


def tables_for(settings: BaselineSettings, *, progress: Progress | None = None) -> Tables:
    """Return the hand-rank tables that some settings use."""
    if settings.opponent is OpponentHoldings.TYPICAL:
        return typical_tables()
    return open_tables(progress=progress)


def typical_tables() -> Tables:
    """Rank all holdings on all boards against the typical opponent: takes seconds and 80 MB."""
    with _ONE_AT_A_TIME:  # threads that score ask for them at the same time
        return _typical_tables()


@cache
def _typical_tables() -> Tables:
    _LOG.warning("ranking hands against a typical opponent: some seconds in each run")
    return replace(open_tables(), **weighted_arrays(typical_weights()))


@cache
def typical_weights() -> npt.NDArray[np.float64]:
    """Return the opponent's weights, (1326,) from 0.01 to 1, equal for equal ranks."""
    # Imported here, since loading Loki takes a sixth of a second and is rarely needed.
    from railbird.players.loki.player import fixed_weights
    from railbird.players.loki.settings import FixedWeights

    weights = fixed_weights(FixedWeights.TYPICAL)
    low, high = np.sort(HOLDING_CARDS // 4, axis=1).astype(np.int64).T
    ranks = 13 * high + low
    by_ranks = np.bincount(ranks, weights) / np.maximum(1, np.bincount(ranks))
    even: npt.NDArray[np.float64] = by_ranks[ranks]
    even.flags.writeable = False
    return even


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
        """Score the hands whose cards are known; the others get nan and -1."""
        scores = _no_scores(len(batch.money), len(batch.hands.action))
        order = self._order(batch)
        if order.size:
            self._fill(scores, batch, order)
        return scores

    def value(self, record: HandRecord) -> float:
        """Return player 1's DIVAT difference of a hand plus the value of position.

        Both are in small bets; all cards must be known. `score_hand` returns the full score.
        """
        scores = self.score(lay_out(batch_of([record])))
        return self.position.value + float(np.nansum(scores.actual - scores.baseline))

    def _fill(self, scores: Scores, batch: Batch, order: npt.NDArray[np.int64]) -> None:
        policy = policy_arrays(self.settings, _rounded_up(batch.most))
        score_hands(order, batch.hands, self._preflop(batch, order), self.ranks, policy, scores)

    def _order(self, batch: Batch) -> npt.NDArray[np.int64]:
        """Return the known hands ordered by their flops: hands with equal flops share look-ups."""
        flop = np.sort(batch.hands.board[:, :3], axis=1).astype(np.int64)
        index = flop[:, 0] + flop[:, 1] * (flop[:, 1] - 1) // 2
        index += flop[:, 2] * (flop[:, 2] - 1) * (flop[:, 2] - 2) // 6
        start = np.where(batch.dealt > 0, self.tables.flop_start[index], -1)
        order = np.argsort(start, kind="stable")
        return order[batch.known[order]]

    def _preflop(self, batch: Batch, order: npt.NDArray[np.int64]) -> PreflopArrays:
        hands, n = batch.hands, len(batch.money)
        bets = batch.preflop_bets
        value = np.full((n, max(CAP, int(bets.max(initial=0)))), np.nan)
        # Nearly all logs have the cap, so values beyond it are computed only where they occur.
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
        return PreflopArrays(
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
    """Open the tables, building missing ones first, and make a scorer for the settings.

    ``values`` is the source of values before the flop: by default the exact table if the settings
    have one, else a sample.
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
    preflop = PreflopArrays(
        value=np.empty((0, CAP)), share=np.empty(0), classes=np.empty((0, 2), dtype=np.int8)
    )
    policy = policy_arrays(STANDARD, _rounded_up(batch.most))
    score_hands(order, batch.hands, preflop, rank_arrays(blank_tables()), policy, _no_scores(0, 0))


def _rounded_up(most: int) -> int:
    """Round up to a power of two, so that arrays come in few sizes."""
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
