"""Estimators of any game: columns of a batch of hands, and a value for every row of a match.

Hands are scored in two steps. `Estimator.score` takes a single batch and fills columns, so batches
can be scored in sequence or in parallel; `Scoring.once` shares what several estimators need.
`Estimator.values` turns the columns of all hands into one number per row, which may depend on other
hands, for example through fitted coefficients.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast, runtime_checkable

import polars as pl

from railbird._arrays import Floats

if TYPE_CHECKING:
    from railbird.assessment.divat.any_game import ValuePolicy
    from railbird.assessment.divat.scorer import Scorer
    from railbird.assessment.frozen_coefficients import FrozenCoefficients
    from railbird.game import Rules
    from railbird.histories.columns import HandBatch


Columns = dict[str, Floats]
"""By name, (n, S) float64: the amount of each hand for the player in each seat.

In the unit of the game (`railbird.game.Rules.chips_per_unit`: small bets in limit, big blinds
elsewhere); nan if undefined, as for unknown cards. Empty seats are ignored.
"""

OTHERS_MONEY: Final = -(pl.col("money") + pl.col("rake")) - pl.col("other_rake")
"""In a `Contest.MATCH`, what the other player won: both lose what the house takes."""

_T = TypeVar("_T")


class EstimatorKind(Enum):
    """Kind of quantity that an estimator measures."""

    UNBIASED = "unbiased"
    """Its expectation is the expected result of a hand, except for the value of position."""
    BIASED = "biased"
    """It estimates the expected result of a hand with a bias."""
    LUCK = "luck"
    """It measures the effect of cards and seats."""
    PLAY = "play"
    """It measures play on a scale of its own."""


class Contest(Flag):
    """Origin of an estimator's rows."""

    MATCH = auto()
    """A match of two in heads-up limit: one row a hand,
    `railbird.assessment.limit_pair.LimitPair`."""
    TABLE = auto()
    """Any hold'em: one row a hand and seat,
    `railbird.assessment.any_table.AnyTable`."""
    TOURNAMENT = auto()
    """Knock-out tournaments: one row a tournament and player,
    `railbird.assessment.prizes.PrizeAssessment`."""


class CardsNeeded(Enum):
    """Cards that an estimator needs."""

    NONE = "none"
    OWN = "own"
    """Those of the row's player, and those that were shown."""
    ALL = "all"
    """Everybody's; hands with a card unknown have no row."""


@dataclass(slots=True, kw_only=True)
class Scoring:
    """Scoring of a batch, or of the match that contains it; created for each."""

    scorers: tuple[Scorer, ...] = ()
    """Heads-up limit: scorers of the settings, whose scores are averaged."""
    policies: tuple[ValuePolicy, ...] = ()
    """Any hold'em: the baseline, whose values are means if there are several."""
    boards: int = 0
    """Number of sampled boards before the flop."""
    position_deals: int = 0
    """Number of deals behind the value of a position."""
    seed: int = 0
    first: int = 0
    """Number of the batch's first hand in its match."""
    frozen: FrozenCoefficients | None = None
    """Any hold'em: coefficients of luck fixed before the match."""
    all_known: bool = False
    """Any hold'em: True if everybody's cards are known in all hands of the log, so that no showdown
    decides what is known."""
    forward: bool = False
    """True if a fitted estimator's coefficients come from earlier hands only."""
    results: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    """Cache of `once`."""

    def once(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return the result of ``make``, cached by ``key``."""
        if key not in self.results:
            self.results[key] = make()
        return cast(_T, self.results[key])


class Estimator(Protocol):
    """One line of every table of results; `railbird.assessment.registry` lists them all."""

    @property
    def name(self) -> str:
        """Key in JSON and on the command line; unique within its `Contest`."""

    @property
    def title(self) -> str:
        """Heading in tables and reports."""

    @property
    def kind(self) -> EstimatorKind:
        """The quantity measured."""

    @property
    def meaning(self) -> str:
        """Description of the quantity, which follows the title."""

    @property
    def assumes(self) -> str:
        """One sentence on the assumptions behind `kind`."""

    @property
    def forms(self) -> Contest:
        """The places in which it is listed."""

    @property
    def cards(self) -> CardsNeeded:
        """Cards of a hand that must be known."""

    @property
    def listed(self) -> bool:
        """True if a terminal's table includes it by default."""

    @property
    def in_crosstable(self) -> bool:
        """True if the crosstable of many matches has it."""

    def needs(self, rules: Rules) -> str | None:
        """Return why hands by these rules cannot be scored; None if they can."""

    def score(self, batch: HandBatch, how: Scoring) -> Columns:
        """Fill columns; a name shared with another estimator must mean the same."""

    def values(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row of a match, (rows,), null if undefined.

        ``rows`` has the columns of all estimators, ``money``, ``rake``, in a `Contest.MATCH`
        ``other_rake``, and in a `Contest.TABLE` ``row`` (the hand's number), ``deal`` (equal for
        hands that are not independent), ``player`` and ``seat``. In a `Contest.TOURNAMENT` they are
        ``set`` (equal for tournaments that share their cards), ``player``, ``place``, ``prize`` and
        ``prize_luck`` (null where a card is unknown).
        """

    def others(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row of a `Contest.MATCH` for the other player."""


@runtime_checkable
class Sourced(Protocol):
    """An estimator that takes values from elsewhere."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Sentences on where they come from, for reports."""


@runtime_checkable
class Deciding(Protocol):
    """An estimator that may decide a match where it is given, in place of the fitted one."""

    def grounds(self, players: Sequence[str]) -> str | None:
        """Return why it decides between two players, by their names alone; None if it does not."""


def _no_columns(_batch: HandBatch, _how: Scoring) -> Columns:
    return {}


def _any_game(_rules: Rules) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnEstimator:
    """An `Estimator` of independent hands: an expression over columns."""

    name: str
    title: str
    kind: EstimatorKind
    meaning: str
    assumes: str
    forms: Contest
    cards: CardsNeeded = CardsNeeded.ALL
    listed: bool = True
    in_crosstable: bool = False
    fill: Callable[[HandBatch, Scoring], Columns] = _no_columns
    why_not: Callable[[Rules], str | None] = _any_game
    value: pl.Expr | None = None
    """Column; by default the one of its name."""
    other: pl.Expr | None = None
    """In a match of two, the other player's; by default the negative."""

    def needs(self, rules: Rules) -> str | None:
        """Return why hands by these rules cannot be scored; None if they can."""
        return self.why_not(rules)

    def score(self, batch: HandBatch, how: Scoring) -> Columns:
        """Fill columns."""
        return self.fill(batch, how)

    def values(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row, (rows,)."""
        return rows.select(self._expression).to_series().alias(self.name)

    def others(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row for the other player."""
        expression = -self._expression if self.other is None else self.other
        return rows.select(expression).to_series().alias(self.name)

    @property
    def _expression(self) -> pl.Expr:
        return pl.col(self.name) if self.value is None else self.value
