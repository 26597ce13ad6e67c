"""Estimators for any hold'em from one side's cards alone: all-in equity, and luck from one side.

`divat.any_game_estimators` has those that need all cards.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird._threads import in_slices
from railbird.assessment import own_luck_kernels as kernels
from railbird.assessment.all_in import (
    ASSUMES,
    MOST_SEATS,
    SEEN,
    all_ins_of,
    kernel_hands,
    seen_of,
    taken_at_mean,
)
from railbird.assessment.all_in_kernels import AllInHands
from railbird.assessment.control_variates import (
    CARD_EVENTS,
    STREETS,
    CoefficientPrior,
    FittedValues,
    fit_of_match,
    taken_by_event,
)
from railbird.assessment.divat.any_game import ValuePolicy, baseline_for, percentiles
from railbird.assessment.divat.any_game_estimators import unit_chips
from railbird.assessment.estimator import CardsNeeded, Columns, Contest, EstimatorKind, Scoring
from railbird.assessment.frozen_coefficients import frozen_for
from railbird.cards import CLASS_OF_HOLDING, CLASSES
from railbird.game import Betting, Rules
from railbird.histories.columns import UNKNOWN, HandBatch
from railbird.players.compiled import rank_tables

# Forms of hold'em in which the bias of luck from one side's cards was measured.
#
# The experiment ``hidden-cards`` measures it: the exact mean of each hand's luck given all cards.
# Opponents who stay in hold good cards, so those that remain help less often than the player's own
# view says, and the estimate is too high. Over 20,000 hands of our own players it was 0.0035 ±
# 0.0006 small bets a hand in limit of two, 0.0049 ± 0.0006 of three, and in no-limit 0.0026 ±
# 0.0005 big blinds of two and 0.0046 ± 0.0011 of six: three to four tenths of the standard error at
# 100,000 hands (0.15 in no-limit of six). So it is given only if asked for and never decides.
# No-limit of seven, eight and ten was measured in the same way, outside the experiment: 0.0059 ±
# 0.0014, 0.0050 ± 0.0015 and 0.0037 ± 0.0017, or 0.11 to 0.19 of that standard error; a test has
# it for fewer hands. In limit of four to ten it was up to 0.7 of it, so these are not offered.


BIAS: Final = 0.1
"""Bias with which it could decide, in standard errors at `BIAS_HANDS` hands."""
BIAS_HANDS: Final = 100_000

MEASURED: Final = {
    Betting.LIMIT: (2, 3, 6),
    Betting.NO_LIMIT: (2, 3, 4, 5, 6, 7, 8, 9, 10),
}
"""Seats by betting."""


def why_not_offered(rules: Rules) -> str | None:
    """Say why the estimator is not offered; None if it is."""
    if rules.seats in MEASURED.get(rules.betting, ()):
        return None
    return f"its bias was not measured for {rules.betting.value} with {rules.seats} seats"


# Luck of one seat from its own player's knowledge, and the bias of its mean.
#
# With only one side's cards, as in hand histories from sites, the value of a hand to all players is
# unknown. But one seat's share of the pot can be estimated from its own holding, the board and the
# number of live opponents. The change of this estimate at a card event, less its mean over all
# cards that the player has not seen, is luck with a mean of nearly zero: the unseen cards are not
# quite uniform, since opponents' actions reveal something about their holdings. `own_bias_of`
# computes the exact bias if all cards are known.


_SLICE = 64
_FEW_CLASSES = 8


def own_luck_of(batch: HandBatch, policy: ValuePolicy, moments: Floats | None = None) -> Floats:
    """Return the luck of each seat by its own cards, (n, 4, S) chips: deal, flop, turn, river.

    ``moments`` (n, 4, S, 2), if given, are filled with the second and third ones of the luck of the
    boards, over the cards that could have come.

    Zero if a seat's cards are unknown. ``policy`` supplies the exponent for several opponents
    (``gamma``) and the thresholds for betting. Hands have at most ten seats.
    """
    luck = np.zeros((len(batch), 4, batch.player.shape[1]))
    _of_flops(policy)  # once, not in every thread
    if moments is None:
        moments = np.empty((*luck.shape, 2))
    work = partial(_luck, kernel_hands(batch), policy, luck, moments)
    in_slices(work, len(batch), size=_SLICE, what="")
    return luck


def own_bias_of(batch: HandBatch, policy: ValuePolicy) -> Floats:
    """Return the mean of `own_luck_of` given all cards dealt, (n, 4, S) chips.

    Whatever the betting, the cards to come are uniform over those that nobody holds, so this is
    exact. It is zero for the deal. All cards of the hands must be known (`scorable`).
    """
    bias = np.zeros((len(batch), 4, batch.player.shape[1]))
    _of_flops(policy)
    in_slices(partial(_bias, kernel_hands(batch), policy, bias), len(batch), size=_SLICE, what="")
    return bias


def _luck(
    hands: AllInHands, policy: ValuePolicy, luck: Floats, moments: Floats, first: int, end: int
) -> None:
    kernels.own_luck(
        first,
        end,
        hands,
        CLASS_OF_HOLDING,
        percentiles(),
        _of_deals(policy),
        _of_flops(policy),
        rank_tables(),
        _space(policy),
        luck,
        moments,
    )


def _bias(hands: AllInHands, policy: ValuePolicy, bias: Floats, first: int, end: int) -> None:
    kernels.own_bias(
        first,
        end,
        hands,
        CLASS_OF_HOLDING,
        _of_flops(policy),
        rank_tables(),
        _space(policy),
        bias,
    )


def _of_deals(policy: ValuePolicy) -> Floats:
    """Return the mean estimate over all holdings, by the number of opponents, (10,)."""
    opponents = np.arange(MOST_SEATS)
    powers = 1 + policy.gamma * (opponents - 1)
    means: Floats = (percentiles()[:, None] ** powers).mean(axis=0)
    return means


@lru_cache(maxsize=8)
def _of_flops(policy: ValuePolicy) -> Floats:
    """Return moments of the estimate over all flops, (169, 10, 3), by class and opponents."""
    holdings = np.unique(CLASS_OF_HOLDING, return_index=True)[1].astype(np.int64)
    moments = np.zeros((CLASSES, MOST_SEATS, 3))

    def work(first: int, end: int) -> None:
        kernels.tabulate_flops(
            holdings[first:end], _space(policy), rank_tables(), moments[first:end]
        )

    in_slices(work, CLASSES, size=_FEW_CLASSES, what="flops")
    return moments


def _space(policy: ValuePolicy) -> npt.NDArray[np.void]:
    space = np.zeros(1, kernels.SPACE)
    space["gamma"] = policy.gamma
    space["bettable"] = [make[0] for make in policy.make]
    return space


OWN_LUCK: Final = tuple(f"own_luck_{name}" for name in CARD_EVENTS)
ALL_IN_CARDS: Final = "all_in_cards"
"""Column: cards on the board when the player was all-in with cards to come; nan elsewhere."""
ALL_IN_MEAN: Final = "all_in_mean"
"""Column: money, or in such a hand whose live cards are known its mean over all boards."""
BOARD_MOMENTS: Final = ("own_board_square", "own_board_cross", "own_board_cube")
"""Columns: moments of the luck of the boards over the cards that could have come (`_of_boards`)."""
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
        ALL_IN_MEAN: all_ins.chips / units,
        ALL_IN_CARDS: cards,
        SEEN: seen_of(all_ins, batch),
        OWN_CARDS: (batch.holding != UNKNOWN).astype(np.float64),
    }


def own_luck_in(batch: HandBatch, units: Floats) -> tuple[Floats, Columns]:
    """Return `own_luck_of` of hands of any betting, (n, 4, S), and their `BOARD_MOMENTS`, (n, S).

    In ``units`` (n,) of chips. Nan for seats whose cards are not known, and in forms in which luck
    is not offered.
    """
    luck = np.full((len(batch), STREETS, batch.player.shape[1]), np.nan)
    moments = np.full((len(BOARD_MOMENTS), *batch.player.shape), np.nan)
    offered = np.array([why_not_offered(rules) is None for rules in batch.rules], np.bool_)
    bettings = np.array([rules.betting is Betting.LIMIT for rules in batch.rules], np.bool_)
    for is_limit in (False, True):
        rows = (offered & (bettings == is_limit))[batch.rules_of]
        if rows.any():
            hands = batch if rows.all() else batch.rows(rows)
            luck[rows], moments[:, rows] = _luck_and_moments(hands, hands.rules[hands.rules_of[0]])
    return luck / units[:, None, None], _in_units(moments, units[:, None])


def _luck_and_moments(batch: HandBatch, rules: Rules) -> tuple[Floats, Floats]:
    """Return what `own_luck_of_forms` does of hands of the betting of ``rules``."""
    of_streets = np.zeros((len(batch), STREETS, batch.player.shape[1], 2))
    luck = own_luck_of(batch, baseline_for(rules), of_streets)
    weights = frozen_for(rules.betting, int(batch.seats.max(initial=2))).own_all_in
    moments = _of_boards(luck, of_streets, weights)
    unknown = batch.holding == UNKNOWN
    luck[np.repeat(unknown[:, None], STREETS, axis=1)] = np.nan
    moments[:, unknown] = np.nan
    return luck, moments


def _of_boards(luck: Floats, moments: Floats, weights: Floats) -> Floats:
    """Return moments of the luck of whole boards, (3, n, S), from those of the streets.

    They are the sums over the streets of the variance, of the luck of earlier streets of the board
    times the variance, which is above zero where lucky flops lead to larger pots, and of the third
    moment.
    """
    of_street = np.where(np.arange(STREETS) > 0, weights, 0.0)[:, None]
    taken = luck * of_street
    earlier = np.cumsum(taken, axis=1) - taken
    squares, cubes = moments[..., 0] * of_street**2, moments[..., 1] * of_street**3
    return np.stack([part.sum(axis=1) for part in (squares, earlier * squares, cubes)])


def board_moments(rows: pl.DataFrame) -> Floats:
    """Return the `BOARD_MOMENTS` of rows, (rows, 3)."""
    return rows.select(pl.col(BOARD_MOMENTS).cast(pl.Float64)).to_numpy()


def _own_luck(batch: HandBatch) -> Columns:
    luck, moments = _luck_and_moments(batch, batch.rules[0])
    units = unit_chips(batch)[:, None]
    return {
        **{name: luck[:, k] / units for k, name in enumerate(OWN_LUCK)},
        **_in_units(moments, units),
    }


def _in_units(moments: Floats, units: Floats) -> Columns:
    powers = (2, 3, 3)
    columns = zip(BOARD_MOMENTS, moments, powers, strict=True)
    return {name: values / units**power for name, values, power in columns}


class AllInEquity:
    """Money, with all-ins at their mean where the log's others show that losers show.

    Elsewhere it is the money: whether live hands are known then depends on who won.
    """

    name = "allin"
    title = "All-in equity"
    kind = EstimatorKind.UNBIASED
    meaning = (
        "money, with the share of the pots that the cards give where nobody could act any more"
    )
    assumes = (
        "Losing hands that were all-in are always shown, or never; "
        f"{ASSUMES} unless they are known."
    )
    forms = Contest.TABLE
    cards = CardsNeeded.OWN
    listed = False
    in_crosstable = False

    def needs(self, rules: Rules) -> str | None:
        """Score tables of up to ten seats."""
        if rules.seats <= MOST_SEATS:
            return None
        return f"{rules.seats} seats; allowed: up to {MOST_SEATS}"

    def score(self, batch: HandBatch, how: Scoring) -> Columns:
        """Fill what `taken_at_mean` needs, and the means."""
        return _columns(batch, how)

    def values(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row, (rows,)."""
        taken = pl.when(at_mean(all_known=how.all_known)).then(ALL_IN_MEAN).otherwise("money")
        return rows.select(taken.alias(self.name)).to_series()

    def others(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row for the other player."""
        return -self.values(rows, how)


class OwnSide:
    """All-in equity less the luck visible in the player's own cards, with fitted coefficients.

    All-ins that do not count by their mean keep the luck of all their cards.
    """

    name = "own_side"
    title = "Own side"
    kind = EstimatorKind.BIASED
    meaning = "all-in equity less the luck that the player's own cards and the board tell"
    assumes = (
        "The player's own cards are known in all hands; cards not seen are taken as uniform, which "
        "made it too high by 0.003 to 0.005 small bets or big blinds a hand among our own players."
    )
    forms = Contest.TABLE
    cards = CardsNeeded.OWN
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

    def luck_taken(self, rows: pl.DataFrame, how: Scoring) -> pl.DataFrame:
        """Return the luck of every row by event, at coefficients fixed before the match.

        Its mean is nearly zero in a log that is whole; see `taken_by_event`. The column ``all_in``
        is what the boards gave beyond all-in equity. Earlier all-ins tell which rows count by it.
        """
        return own_luck_taken(rows, _taken_rows(rows, how, in_order=True), _prior(how).mean)

    def fit(self, rows: pl.DataFrame, how: Scoring) -> FittedValues:
        """Fit the coefficients on the rows of players whose own cards are always known."""
        result = ALL_IN.values(rows, how).to_numpy()
        luck = still_open(rows, _taken_rows(rows, how))
        return fit_of_match(result, luck, rows["deal"].to_numpy(), _prior(how), seed=how.seed)

    def others(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row for the other player."""
        return -self.values(rows, how)


def is_told_by_own_cards(rows: pl.DataFrame, own_cards: int) -> bool:
    """Return whether a player's own cards are known in all hands, which are of measured forms."""
    if own_cards < rows.height or OWN_LUCK[0] not in rows.columns:
        return False
    return not any(rows[name].has_nulls() for name in OWN_LUCK)


def own_luck_taken(
    rows: pl.DataFrame, taken: npt.NDArray[np.bool_], weights: Floats
) -> pl.DataFrame:
    """Return `OwnSide.luck_taken` of rows of which those ``taken`` count by their mean, (rows,).

    ``rows`` has `OWN_LUCK`, `ALL_IN_CARDS`, `ALL_IN_MEAN` and ``money``; ``weights`` (4,) are the
    coefficients of `CARD_EVENTS`.
    """
    luck = taken_by_event(still_open(rows, taken), weights)
    boards = (rows["money"] - rows[ALL_IN_MEAN]).to_numpy()
    return luck.with_columns(all_in=pl.Series(np.where(taken, boards, 0.0)))


def _prior(how: Scoring) -> CoefficientPrior:
    return (how.frozen or frozen_for(Betting.NO_LIMIT, 2)).own_prior


def at_mean(*, all_known: bool, in_order: bool = False) -> pl.Expr:
    """Return whether a row counts by its mean over all boards; see `taken_at_mean`."""
    return taken_at_mean(pl.col(OWN_CARDS) == 1, all_known=all_known, in_order=in_order)


def _taken_rows(
    rows: pl.DataFrame, how: Scoring, *, in_order: bool = False
) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows that count by their mean."""
    taken = at_mean(all_known=how.all_known, in_order=in_order)
    return rows.select(taken).to_series().to_numpy()


def still_open(rows: pl.DataFrame, taken: npt.NDArray[np.bool_]) -> Floats:
    """Return the luck of rows, (rows, 4), without cards over which all-in equity averages."""
    luck = rows.select(OWN_LUCK).to_numpy(writable=True)
    cards = rows[ALL_IN_CARDS].fill_null(np.inf).to_numpy()
    closed = taken[:, None] & (cards[:, None] <= _CARDS_BEFORE)
    luck[closed] = 0.0
    return luck


ALL_IN: Final = AllInEquity()
OWN_SIDE: Final = OwnSide()

BY_OWN_CARDS: Final = (ALL_IN, OWN_SIDE)
