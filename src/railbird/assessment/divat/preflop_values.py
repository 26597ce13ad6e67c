"""Values of two holdings before the flop in heads-up limit: by table, sample or enumeration.

After the flop every value is an exact sum (`kernels`). Before it there are 34 million ways to deal
the board, too many to sum for each hand of a match.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._files import UNREADABLE, read_arrays, write_arrays
from railbird._paths import cache_folder
from railbird.assessment.divat.kernels import BaselineArrays, Ranks
from railbird.assessment.divat.preflop_kernels import (
    MOST,
    number_pairs,
    sample_position,
    sample_values,
    sum_deals,
    sum_over_flops,
)
from railbird.baseline import (
    CAP,
    BaselineClass,
    BaselineSettings,
    OpponentHoldings,
    SettingsLike,
    baseline_line,
    cutoffs,
    settings_from,
)
from railbird.baseline.kernels import class_of_rank, preflop_rank
from railbird.cards import CLASS_OF_HOLDING, HOLDINGS, format_holding
from railbird.errors import BadInput, DamagedFile
from railbird.estimates.estimate import Estimate
from railbird.game.rules import Street
from railbird.odds.rank_tables import Tables, open_tables

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from railbird.cards import Holding

SAMPLES = 512
"""Boards for each pair of holdings in sampled preflop values."""

POSITION_SAMPLES = 200_000
"""Deals for the value of position; each is played from both seats."""


Int16s = npt.NDArray[np.int16]

WHOLE = comb(48, 3) * 45 * 44
"""The 34,246,080 ways to deal flop, turn and river after two holdings."""

BASELINE_MOST = 6 * CAP
"""The most small bets that the baseline can put in during a hand."""

_SEED = 20071


class PreflopEstimates(NamedTuple):
    """Values of pairs of holdings, in small bets for player 1."""

    value: Floats
    """(n, k) values by pair and contribution."""
    covariance: Floats
    """(n, k, k) covariance of the errors of a pair's values; zeros if they are exact."""


class PreflopValues(Protocol):
    """A source of values of two holdings while the flop is still to be dealt."""

    @property
    def settings(self) -> BaselineSettings:
        """The baseline that plays on."""

    def values(self, first: Int16s, second: Int16s, contribution: Int16s) -> PreflopEstimates:
        """Return the values of pairs of holdings when both players have put in ``contribution``.

        ``first`` and ``second`` (n,) are holdings of players 1 and 2 without a common card.
        ``contribution`` (n, k) are small bets of each player, 1 or more.
        """

    def position(self) -> Estimate:
        """Value of a hand to player 1, the big blind, before the deal."""


class SampledPreflopValues:
    """Preflop values from random boards, always the same for the same holdings and seed.

    >>> from railbird.baseline import STANDARD
    >>> from railbird.cards import parse_holding
    >>> from railbird.odds.rank_tables import open_tables
    >>> sampled = SampledPreflopValues(STANDARD, open_tables())
    >>> aces, kings = (np.array([parse_holding(h)], np.int16) for h in ("AsAh", "KdKc"))
    >>> value, covariance = sampled.values(aces, kings, np.array([[1, 4]], np.int16))
    >>> value.shape, covariance.shape, bool(value[0, 1] > value[0, 0] > 0)
    ((1, 2), (1, 2, 2), True)
    """

    def __init__(
        self,
        settings: BaselineSettings,
        tables: Tables,
        *,
        samples: int = SAMPLES,
        seed: int = _SEED,
    ) -> None:
        self._settings = settings
        self._ranks = rank_arrays(tables)
        self._classes = preflop_classes(settings, tables)
        self._samples = samples
        self._seed = np.uint64(seed)
        self._position: Estimate | None = None

    @property
    def settings(self) -> BaselineSettings:
        """The baseline that plays on."""
        return self._settings

    def values(self, first: Int16s, second: Int16s, contribution: Int16s) -> PreflopEstimates:
        """See `PreflopValues.values`."""
        n, k = contribution.shape
        estimates = PreflopEstimates(np.empty((n, k)), np.empty((n, k, k)))
        sample_values(
            0,
            n,
            first,
            second,
            contribution,
            self._samples,
            self._seed,
            self._ranks,
            policy_arrays(self._settings, int(contribution.max(initial=0)) + BASELINE_MOST),
            *estimates,
        )
        return estimates

    def position(self) -> Estimate:
        """See `PreflopValues.position`; computed on the first call, in a fraction of a second."""
        if self._position is None:
            n = POSITION_SAMPLES
            policy = policy_arrays(self._settings, BASELINE_MOST)
            total, squares = sample_position(0, n, self._seed, self._classes, self._ranks, policy)
            mean = total / n
            self._position = Estimate(mean, math.sqrt((squares / n - mean * mean) / (n - 1)), n)
        return self._position


class EnumeratedPreflopValues:
    """Exact preflop values from all flops, turns and rivers; about a second for each pair.

    They serve single hands under settings without a table. The position is sampled.
    """

    def __init__(self, settings: BaselineSettings, tables: Tables) -> None:
        self._sampled = SampledPreflopValues(settings, tables)
        self._ranks = rank_arrays(tables)

    @property
    def settings(self) -> BaselineSettings:
        """The baseline that plays on."""
        return self._sampled.settings

    def values(self, first: Int16s, second: Int16s, contribution: Int16s) -> PreflopEstimates:
        """See `PreflopValues.values`."""
        n, k = contribution.shape
        policy = policy_arrays(self.settings, int(contribution.max(initial=0)) + BASELINE_MOST)
        total = np.empty((n, k), dtype=np.int64)
        for pair in range(n):
            first_holding, second_holding = int(first[pair]), int(second[pair])
            sum_over_flops(
                first_holding, second_holding, contribution[pair], self._ranks, policy, total[pair]
            )
        return PreflopEstimates(total / WHOLE, np.zeros((n, k, k)))

    def position(self) -> Estimate:
        """See `PreflopValues.position`."""
        return self._sampled.position()


def rank_arrays(tables: Tables) -> Ranks:
    """Return the hand-rank tables, arranged for the kernels."""
    return Ranks(
        flop_class=_start_and_pattern(tables.flop_start, tables.flop_pattern),
        flop_ihr=tables.flop_ihr,
        flop_hr7=tables.flop_hr7,
        turn_class=_start_and_pattern(tables.turn_start, tables.turn_pattern),
        turn_ihr=tables.turn_ihr,
        turn_hr7=tables.turn_hr7,
        river_class=_start_and_pattern(tables.river_start, tables.river_pattern),
        river_ihr=tables.river_ihr,
    )


def _start_and_pattern(
    start: npt.NDArray[np.int32], pattern: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint32]:
    return np.bitwise_or(np.left_shift(start.astype(np.uint32), 6, dtype=np.uint32), pattern)


@lru_cache(maxsize=64)
def policy_arrays(settings: BaselineSettings, most: int) -> BaselineArrays:
    """Return the baseline for the kernels, for contributions of up to ``most`` small bets."""
    numbers = cutoffs(settings, most)
    lines = [[baseline_line(Street.FLOP, a, b) for b in BaselineClass] for a in BaselineClass]
    folders = [[-1 if line.folded_by is None else line.folded_by for line in row] for row in lines]
    contribution = np.arange(most + 1)
    return BaselineArrays(
        *numbers,
        level=np.array([[line.level for line in row] for row in lines]),
        folded_by=np.array(folders),
        stakes=np.stack(
            [*(contribution + 2 * level for level in range(5)), -contribution], axis=1
        ).astype(np.int16),
    )


def preflop_classes(settings: BaselineSettings, tables: Tables) -> npt.NDArray[np.int8]:
    """Return the classes of all holdings before the flop, (1326,)."""
    numbers = cutoffs(settings)
    street = Street.PREFLOP
    bettable = int(numbers.bettable[street])
    by_class = [
        class_of_rank(preflop_rank(ihr, hr7, bettable), street, 1, numbers.make, numbers.fold)
        for ihr, hr7 in zip(tables.preflop_ihr.tolist(), tables.preflop_hr7.tolist(), strict=True)
    ]
    return np.array(by_class, dtype=np.int8)[CLASS_OF_HOLDING]


# The exact preflop table: the value of every pair of holdings before the flop.
#
# A value is player 1's result in small bets, averaged over all flops, turns and rivers, when both
# players have put in the same contribution and play the baseline from the flop on. Player 1 is the
# one who acts first after the flop. All values are whole numbers of 1 / `WHOLE`.
#
# >>> from railbird.baseline import STANDARD
# >>> from railbird.cards import parse_holding
# >>> table = find_table(STANDARD)
# >>> assert table is not None
# >>> sixes, jacks = parse_holding("Ts6s"), parse_holding("Jd5d")
# >>> table.value(sixes, jacks, 1)
# Fraction(-83581, 311328)
#
# Kernels take ``pair_rows()`` and ``table.numerators`` as arguments of the outermost function:
# ``numerators[rows[first, second], contribution - 1] / WHOLE``.


_ANEW = "`railbird machine tables build roe` makes one"

PAIR_CLASSES = 93_769
"""Number of ordered pairs of holdings without a common card, up to permutations of suits."""

_DEALS = HOLDINGS * comb(50, 2)
_VERSION = 1


@cache
def pair_rows() -> npt.NDArray[np.int32]:
    """Return the rows of all ordered pairs of holdings, (1326, 1326); -1 for a common card.

    The array is read-only, and computed once in a hundredth of a second.
    """
    return _pairs()[0]


@cache
def pair_members() -> npt.NDArray[np.int16]:
    """Return the first pair of holdings of each row, (93769, 2) read-only."""
    return _pairs()[1]


@cache
def _pairs() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int16]]:
    rows = np.empty((HOLDINGS, HOLDINGS), dtype=np.int32)
    members = np.empty((PAIR_CLASSES, 2), dtype=np.int16)
    number_pairs(rows, members)
    rows.flags.writeable = members.flags.writeable = False
    return rows, members


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreflopTable:
    """The values of all pairs of holdings under one baseline; a `PreflopValues` without error."""

    settings: BaselineSettings
    numerators: npt.NDArray[np.int32]
    """(93769, 4) by row of `pair_rows` and contribution - 1, in 1 / `WHOLE` sb; read-only."""

    def value(self, first: Holding, second: Holding, contribution: int) -> Fraction:
        """Return player 1's mean result in sb; ``contribution`` is what each has put in, 1 to 4 sb.

        Raises `BadInput` for holdings with a common card and for another contribution.
        """
        if not 1 <= contribution <= CAP:
            raise BadInput(f"contribution {contribution}; allowed before the flop: 1 to {CAP} sb")
        row = pair_rows()[first, second]
        if row < 0:
            hands = f"{format_holding(first)} and {format_holding(second)}"
            raise BadInput(f"{hands} have a card in common")
        return Fraction(int(self.numerators[row, contribution - 1]), WHOLE)

    def values(self, first: Int16s, second: Int16s, contribution: Int16s) -> PreflopEstimates:
        """See `PreflopValues.values`; contributions above 4 sb, without a cap, are sampled."""
        n, k = contribution.shape
        if int(contribution.max(initial=1)) > CAP:
            sampled = SampledPreflopValues(self.settings, open_tables())
            return sampled.values(first, second, contribution)
        rows = pair_rows()[first, second]
        value = self.numerators[rows[:, np.newaxis], contribution - 1] / WHOLE
        return PreflopEstimates(value, np.zeros((n, k, k)))

    def position(self) -> Estimate:
        """See `PreflopValues.position`."""
        return Estimate(float(self.exact_position()), 0.0, _DEALS)

    def exact_position(self) -> Fraction:
        """Return player 1's mean result in sb over all deals if both play the baseline."""
        classes = preflop_classes(self.settings, open_tables())
        played, folded = sum_deals(pair_rows(), self.numerators, classes, *_preflop_rounds())
        return (Fraction(played, WHOLE) + Fraction(folded, 2)) / _DEALS


def _preflop_rounds() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return by classes (6, 6) contributions before the flop (0 for a fold), and half bets won."""
    level = np.zeros((len(BaselineClass), len(BaselineClass)), dtype=np.int64)
    halves = np.zeros_like(level)
    for first in BaselineClass:
        for second in BaselineClass:
            line = baseline_line(Street.PREFLOP, first, second)
            if line.folded_by is None:
                level[first, second] = line.level
            else:
                # Counted in half bets, since the dealer's blind is half a bet.
                lost = max(1, 2 * line.level)
                halves[first, second] = lost if line.folded_by == 1 else -lost
    return level, halves


def table_key(settings: BaselineSettings) -> str:
    """Return the key of the table that the settings need: 16 hexadecimal digits.

    Settings that divide hand ranks after the flop at the same whole numbers share a table.
    """
    digest = hashlib.sha256(f"preflop {_VERSION}".encode())
    bettable, make, fold = cutoffs(settings)
    digest.update(bettable[1:].astype("<i8").tobytes())
    digest.update(make[1:].astype("<i8").tobytes())
    for street, most in zip((Street.FLOP, Street.TURN, Street.RIVER), MOST, strict=True):
        digest.update(fold[street, 1 : most + 1].astype("<i8").tobytes())
    return digest.hexdigest()[:16]


def table_name(settings: BaselineSettings) -> str:
    """Return the name of a table's file."""
    return f"preflop-{table_key(settings)}.npz"


def table_folder() -> Path:
    """Return the folder of the tables that the user has built."""
    return cache_folder() / "preflop"


@checked
def find_table(settings: SettingsLike, *, folder: Path | str | None = None) -> PreflopTable | None:
    """Read the table for the settings, built or shipped; None if there is none.

    Built tables are looked up in ``folder``, by default `table_folder`. Raises `DamagedFile` for a
    file that is not such a table.
    """
    settings = settings_from(settings)
    if settings.opponent is not OpponentHoldings.UNIFORM:
        return None  # tables use ranks against any two cards
    built = table_folder() if folder is None else Path(folder)
    for place in (built, resources.files("railbird.assessment.divat") / "data"):
        file = place / table_name(settings)
        if file.is_file():
            return read_table(file, settings)
    return None


def read_table(file: Traversable, settings: BaselineSettings) -> PreflopTable:
    """Read a table from a file, and check its version, settings, shape and checksum."""
    try:
        arrays = read_arrays(file, "header", "numerators")
        header, numerators = json.loads(str(arrays["header"])), arrays["numerators"]
    except UNREADABLE as error:
        raise DamagedFile(f"{file} is no preflop table: {error}; {_ANEW}") from error
    numerators.flags.writeable = False
    if header != _header(numerators, settings) | {"settings": header.get("settings")}:
        raise DamagedFile(f"{file} is damaged or holds another preflop table; {_ANEW}")
    return PreflopTable(settings=settings, numerators=numerators)


def write_table(table: PreflopTable, file: Path) -> None:
    """Write a table. Raises `BadInput` if that is impossible."""
    header = json.dumps(_header(table.numerators, table.settings), sort_keys=True)
    write_arrays(file, {"header": header, "numerators": table.numerators}, compressed=True)


def _header(numerators: npt.NDArray[np.int32], settings: BaselineSettings) -> dict[str, object]:
    return {
        "version": _VERSION,
        "settings": settings.name,
        "key": table_key(settings),
        "unit": f"1/{WHOLE} sb",
        "shape": list(numerators.shape),
        "sha256": hashlib.sha256(numerators.astype("<i4").tobytes()).hexdigest(),
    }
