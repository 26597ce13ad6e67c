"""Estimators for heads-up limit, all computed in one pass of one kernel.

`railbird.assessment.divat.any_game_estimators` has the estimators for any hold'em.

They work by rounds, as in the source (Kan 2007, chapters 3 to 6): each round as it was played is
compared with the round as the baseline would have played it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird.assessment.control_variates import FittedValues, fit_of_sums, taken_by_event
from railbird.assessment.divat.kernels import STREETS, Scores
from railbird.assessment.estimator import (
    OTHERS_MONEY,
    CardsNeeded,
    ColumnEstimator,
    Columns,
    Contest,
    EstimatorKind,
    Scoring,
)
from railbird.assessment.frozen_coefficients import IN_THE_FIT, frozen_for
from railbird.assessment.limit_layout import Batch, is_heads_up_limit, lay_out
from railbird.assessment.limit_rows import HandKind, deals_of_pairs, in_pieces_of
from railbird.game import Betting, Rules, Street
from railbird.histories.columns import HandBatch

if TYPE_CHECKING:
    from railbird.assessment.aivat.estimator import Aivat

ROUNDS: Final = tuple(street.name.lower() for street in Street)
LUCK: Final = tuple(f"luck_{name}" for name in ROUNDS)
"""Columns of luck by the baseline's values; with the prefix ``call_``, by calling down."""
CALL_LUCK: Final = tuple(f"call_{name}" for name in LUCK)
_BLINDS_SHARE: Final = 0.75
"""Half the blinds: LFAT uses them as the pot at the deal, while calling down plays for one bet."""


@dataclass(frozen=True, slots=True)
class LimitScores:
    """A batch in small bets, with its scores under each of the settings."""

    batch: Batch
    scores: tuple[Scores, ...]


def limit_scores(hands: HandBatch, how: Scoring) -> LimitScores:
    """Run the kernel, once per batch."""

    def score() -> LimitScores:
        batch = lay_out(hands)
        return LimitScores(batch, tuple(scorer.score(batch) for scorer in how.scorers))

    return how.once("heads-up limit", score)


def _columns(hands: HandBatch, how: Scoring) -> Columns:
    """Fill the columns of all estimators of this module, (n, 2)."""
    return how.once("columns of heads-up limit", partial(_both_sides, hands, how))


def _both_sides(hands: HandBatch, how: Scoring) -> Columns:
    scored = limit_scores(hands, how)
    of_settings = [
        _of_player_1(scored.batch, scores, scorer.position.value)
        for scores, scorer in zip(scored.scores, how.scorers, strict=True)
    ]
    amounts = {
        name: np.mean([of_setting[name] for of_setting in of_settings], axis=0)
        for name in of_settings[0]
    }
    redgreen = np.stack([amounts.pop("redgreen_1"), amounts.pop("redgreen_2")], axis=1)
    sides = np.array([1.0, -1.0])
    inside = frozen_for(Betting.LIMIT, 2).holds(hands).astype(np.float64)
    return {name: amount[:, None] * sides for name, amount in amounts.items()} | {
        "redgreen": redgreen,
        IN_THE_FIT: np.stack([inside, inside], axis=1),
    }


def _of_player_1(batch: Batch, scores: Scores, position: float) -> dict[str, Floats]:
    """Return a batch's scores by name, (n,) each, for the big blind; nan if cards are unknown."""
    difference = scores.actual - scores.baseline
    # A round begins with the value that the last one ended with as it was played, so position, luck
    # and DIVAT add up to the money without a rest.
    before = np.concatenate(
        [np.full((len(batch.money), 1), position), scores.actual[:, : STREETS - 1]], axis=1
    )
    luck = scores.baseline - before
    # LFAT is half the change of the share of the pot, times the pot: at the deal the blinds, later
    # all that both players have put in.
    call_luck = np.concatenate([scores.lfat[:, :1] / _BLINDS_SHARE, scores.lfat[:, 1:]], axis=1)
    unknown = np.where(batch.known, 0.0, np.nan)
    by_street = {
        # Streets that were not reached are nan and count as zero; in a hand with hidden cards
        # everything is nan.
        f"{what}_{name}": np.nan_to_num(values[:, street]) + unknown
        for what, values in (("divat", difference), ("luck", luck), ("call_luck", call_luck))
        for street, name in enumerate(ROUNDS)
    }
    divat = np.nansum(difference, axis=1)
    return {
        "divat": np.where(batch.known, divat, batch.money),
        **by_street,
        "position": position + unknown,
        "aie": np.nansum(scores.aie_actual - scores.aie_baseline, axis=1) + unknown,
        "dcash": scores.dcash,
        "redgreen_1": _credit(difference, scores.first_deviator == 0) + unknown,
        "redgreen_2": _credit(-difference, scores.first_deviator == 1) + unknown,
        "evat": scores.evat[:, 0] - scores.evat[:, 1],
        "lfat": np.nansum(scores.lfat, axis=1) + unknown,
    }


def _credit(difference: Floats, deviated: npt.NDArray[np.bool_]) -> Floats:
    """Sum the rounds in which a player was the first to depart from the baseline."""
    credit: Floats = np.nansum(np.where(deviated, difference, 0.0), axis=1)
    return credit


def _why_not(rules: Rules) -> str | None:
    return None if is_heads_up_limit(rules) else "for heads-up limit hold'em alone"


@dataclass(frozen=True, kw_only=True)
class FittedByRounds:
    """Money minus position and the luck by both values, with coefficients from other deals.

    ``beside`` is AIVAT: its luck becomes a ninth term, and its position replaces the baseline's.
    Either estimator may be much better than the other; both together are about as good as the
    better one, or better still.
    """

    beside: Aivat | None = None
    kind: EstimatorKind = EstimatorKind.UNBIASED
    forms: Contest = Contest.MATCH
    cards: CardsNeeded = CardsNeeded.ALL
    listed: bool = True
    in_crosstable: bool = True

    @property
    def name(self) -> str:
        """Key in JSON and on the command line."""
        return "fitted" if self.beside is None else f"fitted_{self.beside.name}"

    @property
    def title(self) -> str:
        """Heading in tables and reports."""
        return "Fitted" if self.beside is None else f"Fitted with {self.beside.title}"

    @property
    def meaning(self) -> str:
        """Description of the quantity, which follows the title."""
        what = "money less luck and position, luck at the coefficients that other hands give it"
        return what if self.beside is None else f"{what}, {self.beside.title}'s included"

    @property
    def assumes(self) -> str:
        """One sentence on the assumptions behind `kind`."""
        also = "" if self.beside is None else f" {self.beside.assumes}"
        return f"All cards are known; hands of different deals do not depend on each other.{also}"

    def grounds(self, players: Sequence[str]) -> str | None:
        """Return why it decides between two players, by their names alone; None if it does not."""
        return None if self.beside is None else self.beside.grounds(players)

    def needs(self, rules: Rules) -> str | None:
        """Return why hands by these rules cannot be scored; None if they can."""
        return _why_not(rules) if self.beside is None else self.beside.needs(rules)

    def score(self, batch: HandBatch, how: Scoring) -> Columns:
        """Fill the luck by both values; ``beside`` fills its own."""
        return _columns(batch, how)

    def fit(self, rows: pl.DataFrame, how: Scoring) -> FittedValues:
        """Fit the coefficients of a match to the hands whose cards are known, once."""
        return how.once(self.name, partial(self._fit, rows, how))

    def luck_taken(self, rows: pl.DataFrame, how: Scoring) -> pl.DataFrame:
        """Return the luck of every row by event, at coefficients fixed before the match.

        Its mean is zero by construction in a log that is whole; see `taken_by_event`.
        """
        prior = frozen_for(Betting.LIMIT, 2).prior_by_rounds(rows)
        return taken_by_event(rows.select(*CALL_LUCK, *LUCK).to_numpy(), prior.mean)

    def values(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row, (rows,), before rake.

        If cards are unknown the value is the money or, with AIVAT beside, null as AIVAT is.
        """
        if self.name in rows.columns:
            return rows[self.name]
        known = self._known(rows).to_numpy()
        values = self.fit(rows, how).values
        if not known.all():
            fitted, values = values, np.full(rows.height, np.nan)
            if self.beside is None:
                values = (rows["money"] + rows["rake"]).to_numpy(writable=True)
            values[known] = fitted
        valued = pl.Series(self.name, values, dtype=pl.Float64, nan_to_null=True)
        return in_pieces_of(rows, valued)

    def others(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row for the other player."""
        return -self.values(rows, how)

    def _known(self, rows: pl.DataFrame) -> pl.Series:
        known = rows["position"].is_not_null()
        return known if self.beside is None else known & rows[self.beside.name].is_not_null()

    def _fit(self, rows: pl.DataFrame, how: Scoring) -> FittedValues:
        deal = None if rows["pair"].null_count() == rows.height else deals_of_pairs(rows["pair"])
        known = self._known(rows)
        if not known.all():
            rows = rows.filter(known)
            deal = None if deal is None else deal[known.to_numpy()]
        luck = rows.select(*CALL_LUCK, *LUCK)
        position = rows["position"]
        if self.beside is not None:
            position = rows[self.beside.position]
            # The luck that AIVAT takes off, so that the fit can choose how much of it to take.
            others = rows["money"] + rows["rake"] - position - rows[self.beside.name]
            luck = luck.with_columns(others.alias(self.beside.name))
        return fit_of_sums(
            (rows["money"] + rows["rake"] - position).to_numpy(),
            luck,
            deal,
            frozen_for(Betting.LIMIT, 2).prior_by_rounds(rows, beside=self.beside is not None),
            forward=how.forward,
            seed=how.seed,
        )


FITTED_BY_ROUNDS: Final = FittedByRounds()

_ByRounds = partial(ColumnEstimator, forms=Contest.MATCH, fill=_columns, why_not=_why_not)

BY_ROUNDS: Final = (
    _ByRounds(
        name="divat",
        title="DIVAT",
        kind=EstimatorKind.UNBIASED,
        meaning="value of the bets made less value of the baseline's bets",
        assumes="All cards are known; nothing is assumed of how anybody plays.",
        in_crosstable=True,
    ),
    FITTED_BY_ROUNDS,
    _ByRounds(
        name="money_minus_dcash",
        title="Money − Dcash",
        kind=EstimatorKind.UNBIASED,
        meaning="money less the baseline's money",
        assumes="All cards are known; nothing is assumed of how anybody plays.",
        value=pl.col("money") - pl.col("dcash"),
        other=OTHERS_MONEY + pl.col("dcash"),
    ),
    _ByRounds(
        name="runtime",
        title="Runtime DIVAT (biased)",
        kind=EstimatorKind.BIASED,
        meaning="DIVAT and position at showdowns with all cards known, money elsewhere: what a "
        "player at the table could count",
        assumes="Who gets to a showdown was not luckier before it, which is not so: between our "
        "own players it was off by up to 0.2 small bets a hand. Where losers muck it would be off "
        "by 0.7 to 1.6, and is not given.",
        listed=False,
        value=pl.when(pl.col("kind") == HandKind.SHOWDOWN)
        .then(pl.col("divat") + pl.col("position"))
        .otherwise(pl.col("money") + pl.col("rake")),
    ),
    _ByRounds(
        name="aie",
        title="AIE (biased)",
        kind=EstimatorKind.BIASED,
        meaning="DIVAT with the share of the pot for the value; biased, for the pot does not stay "
        "as it is",
        assumes="No money goes in after the round, which is seldom so.",
    ),
    _ByRounds(
        name="redgreen",
        title="RedGreen",
        kind=EstimatorKind.PLAY,
        meaning="rounds in which this player was the first to leave the baseline",
        assumes="Who leaves the baseline first answers for the round.",
        # Each player's luck has its own coefficients; the value combines both into the difference.
        other=pl.col("redgreen") - pl.col("divat"),
    ),
    _ByRounds(
        name="evat",
        title="EVAT",
        kind=EstimatorKind.PLAY,
        meaning="losses against the best actions had all cards been seen, the opponent's less "
        "one's own",
        assumes="The best action is judged by all cards, which no player sees.",
    ),
    _ByRounds(
        name="dcash",
        title="Dcash",
        kind=EstimatorKind.LUCK,
        meaning="what two baseline players would have won",
        assumes="All cards are known, also those never dealt: their mean stands for them.",
    ),
    _ByRounds(
        name="lfat",
        title="LFAT",
        kind=EstimatorKind.LUCK,
        meaning="change of the pot share when cards fall",
        assumes="The pot stays as it is when the cards fall.",
    ),
    _ByRounds(
        name="luck",
        title="Luck",
        kind=EstimatorKind.LUCK,
        meaning="change of value when cards fall",
        assumes="Values are those of the baseline's play.",
        value=pl.sum_horizontal((f"luck_{name}" for name in ROUNDS), ignore_nulls=False),
    ),
    _ByRounds(
        name="position",
        title="Position",
        kind=EstimatorKind.LUCK,
        meaning="what the seats are worth",
        assumes="Values are those of the baseline's play.",
    ),
)
