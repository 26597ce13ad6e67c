"""The exact preflop table: the value of every pair of holdings before the flop.

A value is player 1's result in small bets, averaged over all flops, turns and rivers, when both
players have put in the same contribution and play the baseline from the flop on. Player 1 is the
one who acts first after the flop. All values are whole numbers of 1 / `WHOLE`.

>>> from railbird.baseline import STANDARD
>>> from railbird.cards import parse_holding
>>> table = find_table(STANDARD)
>>> assert table is not None
>>> sixes, jacks = parse_holding("Ts6s"), parse_holding("Jd5d")
>>> table.value(sixes, jacks, 1)
Fraction(-83581, 311328)

Kernels take ``pair_rows()`` and ``table.numerators`` as arguments of the outermost function:
``numerators[rows[first, second], contribution - 1] / WHOLE``.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from railbird._arguments import checked
from railbird._files import atomic_write
from railbird._paths import cache_folder
from railbird.assessment.divat._kernels_preflop_board import MOST
from railbird.assessment.divat._kernels_preflop_pairs import number_pairs
from railbird.assessment.divat.preflop_values import (
    PreflopEstimates,
    SampledPreflopValues,
    preflop_classes,
)
from railbird.baseline import (
    CAP,
    BaselineClass,
    Opponent,
    SettingsLike,
    baseline_line,
    cutoffs,
    settings_from,
)
from railbird.cards import HOLDINGS, format_holding
from railbird.errors import BadInput, DamagedFile
from railbird.estimates.estimate import Estimate
from railbird.game.rules import Street
from railbird.odds.tables.rank_tables import open_tables

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    import numpy.typing as npt

    from railbird.assessment.divat.preflop_values import Int16s
    from railbird.baseline import BaselineSettings
    from railbird.cards import Holding

WHOLE = comb(48, 3) * 45 * 44
"""34,246,080 ways to deal flop, turn and river to two holdings: the unit of the numerators."""

UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    NotImplementedError,  # a method of compression that nobody has
    zipfile.BadZipFile,
    zlib.error,
)
"""Exceptions that NumPy raises for a damaged file."""

_ANEW = "`railbird tables build roe` makes one"

PAIR_CLASSES = 93_769
"""Ordered pairs of holdings without a common card, up to the names of the suits."""

_DEALS = HOLDINGS * comb(50, 2)
_VERSION = 1


@cache
def pair_rows() -> npt.NDArray[np.int32]:
    """Rows of all ordered pairs of holdings, (1326, 1326) read-only; -1 for a common card.

    Computed once, in a hundredth of a second.
    """
    return _pairs()[0]


@cache
def pair_members() -> npt.NDArray[np.int16]:
    """One pair of holdings, the first, of each row, (93769, 2) read-only."""
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
        """Player 1's mean result in sb; ``contribution`` is what each has put in, 1 to 4 sb.

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
        """See `PreflopValues.values`; contributions above 4 sb, in games without a cap, sample."""
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
        """Player 1's mean result in sb over all deals, if both play the baseline throughout."""
        classes = preflop_classes(self.settings, open_tables())
        pairs = classes[:, np.newaxis], classes[np.newaxis, :]
        level, halves = (outcome[pairs] for outcome in _preflop_rounds())
        rows = pair_rows()
        dealt, played = rows >= 0, level > 0
        values = self.numerators[rows[dealt & played], level[dealt & played] - 1]
        folds = halves[dealt & ~played]
        total = Fraction(int(values.sum(dtype=np.int64)), WHOLE) + Fraction(int(folds.sum()), 2)
        return total / _DEALS


def _preflop_rounds() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """By classes (6, 6): contributions before the flop, 0 after a fold; half bets won by it."""
    level = np.zeros((len(BaselineClass), len(BaselineClass)), dtype=np.int64)
    halves = np.zeros_like(level)
    for first in BaselineClass:
        for second in BaselineClass:
            line = baseline_line(Street.PREFLOP, first, second)
            if line.folded_by is None:
                level[first, second] = line.level
            else:
                # The dealer's blind is half a bet.
                lost = max(1, 2 * line.level)
                halves[first, second] = lost if line.folded_by == 1 else -lost
    return level, halves


def table_key(settings: BaselineSettings) -> str:
    """Name the table that the settings need: 16 hexadecimal digits.

    Settings that cut the hand ranks after the flop at the same whole numbers share a table.
    """
    digest = hashlib.sha256(f"preflop {_VERSION}".encode())
    bettable, make, fold = cutoffs(settings)
    digest.update(bettable[1:].astype("<i8").tobytes())
    digest.update(make[1:].astype("<i8").tobytes())
    for street, most in zip((Street.FLOP, Street.TURN, Street.RIVER), MOST, strict=True):
        digest.update(fold[street, 1 : most + 1].astype("<i8").tobytes())
    return digest.hexdigest()[:16]


def table_name(settings: BaselineSettings) -> str:
    """Name of the file of a table."""
    return f"preflop-{table_key(settings)}.npz"


def table_folder() -> Path:
    """Folder of the tables that the user builds."""
    return cache_folder() / "preflop"


@checked
def find_table(settings: SettingsLike, *, folder: Path | str | None = None) -> PreflopTable | None:
    """Read the table for the settings, built or shipped; None if it has not been built.

    Tables that have been built are looked for in ``folder``, by default `table_folder`. Raises
    `DamagedFile` if a file is there and is not what it must be.
    """
    settings = settings_from(settings)
    if settings.opponent is not Opponent.UNIFORM:
        return None  # tables are of ranks against any two cards
    built = table_folder() if folder is None else Path(folder)
    for place in (built, resources.files("railbird.assessment.divat") / "data"):
        file = place / table_name(settings)
        if file.is_file():
            return read_table(file, settings)
    return None


def read_table(file: Traversable, settings: BaselineSettings) -> PreflopTable:
    """Read a table from a file, checking its version, settings, shape and checksum."""
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            header = json.loads(str(archive["header"]))
            numerators = archive["numerators"]
    except UNREADABLE as error:
        raise DamagedFile(f"{file} is no preflop table: {error}; {_ANEW}") from error
    numerators.flags.writeable = False
    if header != _header(numerators, settings) | {"settings": header.get("settings")}:
        raise DamagedFile(f"{file} is damaged or holds another preflop table; {_ANEW}")
    return PreflopTable(settings=settings, numerators=numerators)


def write_table(table: PreflopTable, file: Path) -> None:
    """Write a table; `BadInput` if the place cannot take it."""
    header = json.dumps(_header(table.numerators, table.settings), sort_keys=True)
    with atomic_write(file) as part, part.open("wb") as stream:
        np.savez_compressed(stream, header=np.array(header), numerators=table.numerators)


def _header(numerators: npt.NDArray[np.int32], settings: BaselineSettings) -> dict[str, object]:
    return {
        "version": _VERSION,
        "settings": settings.name,
        "key": table_key(settings),
        "unit": f"1/{WHOLE} sb",
        "shape": list(numerators.shape),
        "sha256": hashlib.sha256(numerators.astype("<i4").tobytes()).hexdigest(),
    }
