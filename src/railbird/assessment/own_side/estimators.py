"""Estimators that need only one side's cards: all-in equity, and luck from one side."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
import polars as pl

from railbird.assessment.all_in.adjusted_winnings import ASSUMES, MOST_SEATS, all_ins_of
from railbird.assessment.decision_divat.estimators import unit_chips
from railbird.assessment.decision_divat.settings import baseline_for
from railbird.assessment.estimator import (
    Cards,
    ColumnEstimator,
    Columns,
    Floats,
    Form,
    Kind,
    Scoring,
)
from railbird.assessment.fitted.cross_fit import Fit, cross_fit, frozen_fit
from railbird.assessment.mivat.frozen import frozen_for
from railbird.assessment.own_side.own_luck import own_luck_of
from railbird.assessment.own_side.settings import why_not_offered
from railbird.assessment.settings import FEWEST_HANDS
from railbird.game import Betting, Rules
from railbird.histories.columns import UNKNOWN, HandBatch

OWN_LUCK: Final = tuple(f"own_luck_{name}" for name in ("deal", "flop", "turn", "river"))
ALL_IN_CARDS: Final = "all_in_cards"
"""Column: cards on the board when the player was all-in with cards to come; nan elsewhere."""
ALL_IN_UNKNOWN: Final = "all_in_unknown"
"""Column: 1 if the player was in such a hand and a live hand is unknown, else 0."""
OWN_CARDS: Final = "own_cards"
"""Column: 1 if the player's own cards are known, else 0."""

_CARDS_BEFORE: Final = np.array([-1, 0, 3, 4])
"""Cards on the board before the deal, the flop, the turn and the river."""


def _columns(batch: HandBatch, how: Scoring) -> Columns:
    return how.once("one side", partial(_one_side, batch))


def _one_side(batch: HandBatch) -> Columns:
    all_ins, units = all_ins_of(batch), unit_chips(batch)[:, None]
    cards = np.where(all_ins.live, all_ins.cards[:, None], np.nan)
    cards[cards < 0] = np.nan
    return {
        "allin": all_ins.chips / units,
        ALL_IN_CARDS: cards,
        ALL_IN_UNKNOWN: (all_ins.unknown[:, None] & all_ins.live).astype(np.float64),
        OWN_CARDS: (batch.holding != UNKNOWN).astype(np.float64),
    }


def _own_luck(batch: HandBatch) -> Columns:
    luck = own_luck_of(batch, baseline_for(batch.rules[0])) / unit_chips(batch)[:, None, None]
    luck[~np.repeat((batch.holding != UNKNOWN)[:, None], 4, axis=1)] = np.nan
    return {name: luck[:, k] for k, name in enumerate(OWN_LUCK)}


def _why_no_all_in(rules: Rules) -> str | None:
    if rules.seats <= MOST_SEATS:
        return None
    return f"{rules.seats} seats; allowed: up to {MOST_SEATS}"


ALL_IN: Final = ColumnEstimator(
    name="allin",
    title="All-in equity",
    kind=Kind.UNBIASED,
    meaning="money, with the share of the pots that the cards give where nobody could act any more",
    assumes=f"The cards of every live hand are known; {ASSUMES} unless they are known.",
    forms=Form.TABLE,
    cards=Cards.OWN,
    listed=False,
    fill=_columns,
    why_not=_why_no_all_in,
)


class OwnSide:
    """All-in equity less the luck visible in the player's own cards, with fitted coefficients.

    If a live hand remained unknown in any all-in of a player, money replaces all-in equity for that
    player, because whether hands are shown depends on their outcome.
    """

    name = "own_side"
    title = "Own side"
    kind = Kind.BIASED
    meaning = "all-in equity less the luck that the player's own cards and the board tell"
    assumes = (
        "The player's own cards are known in all hands; cards not seen are taken as uniform, which "
        "made it too high by 0.003 to 0.005 small bets or big blinds a hand among our own players."
    )
    forms = Form.TABLE
    cards = Cards.OWN
    listed = False
    in_crosstable = False

    def needs(self, rules: Rules) -> str | None:
        """Score the forms of hold'em whose bias was measured and is small."""
        return why_not_offered(rules)

    def score(self, batch: HandBatch, how: Scoring) -> Columns:
        """Fill the luck of each side, and the columns of all-in equity."""
        return _columns(batch, how) | _own_luck(batch)

    def values(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row, (rows,), null for players whose own cards are not always known."""
        filled = pl.all_horizontal(pl.col(name).is_not_null() for name in OWN_LUCK)
        usable = rows.select(filled.min().over("player")).to_series().to_numpy()
        values = np.full(len(rows), np.nan)
        if usable.any():
            values[usable] = self.fit(rows.filter(usable), how).values
        return pl.Series(self.name, values, nan_to_null=True)

    def fit(self, rows: pl.DataFrame, how: Scoring) -> Fit:
        """Fit the coefficients on the rows of players whose own cards are always known."""
        told = rows.select(pl.col(ALL_IN_UNKNOWN).max().over("player") == 0).to_series().to_numpy()
        result = np.where(told, rows["allin"].to_numpy(), rows["money"].to_numpy())
        luck = still_open(rows, told)
        if rows["row"].n_unique() < FEWEST_HANDS:
            frozen = how.frozen or frozen_for(Betting.NO_LIMIT, 2)
            return frozen_fit(result, luck, frozen.own_all_in if told.all() else frozen.own)
        return cross_fit(result, luck, rows["deal"].to_numpy(), seed=how.seed)

    def others(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row for the other player."""
        return -self.values(rows, how)


def still_open(rows: pl.DataFrame, told: np.ndarray) -> Floats:
    """Return the luck of rows, (rows, 4), without cards over which all-in equity averages."""
    luck = rows.select(OWN_LUCK).to_numpy(writable=True)
    cards = rows[ALL_IN_CARDS].fill_null(np.inf).to_numpy()
    closed = told[:, None] & (cards[:, None] <= _CARDS_BEFORE)
    luck[closed] = 0.0
    return luck


OWN_SIDE: Final = OwnSide()

BY_OWN_CARDS: Final = (ALL_IN, OWN_SIDE)
