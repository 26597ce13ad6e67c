"""The settings of the baseline: when it folds, and how many bets each hand is worth.

Settings are written as text and override the standard ones from left to right:

>>> settings = parse_settings("aggressive-high,turn=loose-low,river.make1=0.6,pot=facing-bet")
>>> settings[Street.FLOP].make
(0.46, 0.775, 0.91, 0.955)
>>> settings[Street.TURN].make, settings[Street.TURN].fold_offset
((0.46, 0.775, 0.91, 0.955), 0.05)

The name of a preset sets the numbers in its table (make thresholds or fold offsets) on the flop and
the turn; ``STREET=PRESET`` sets them on one street. ``STREET.fold``, ``STREET.multiplier`` and
``STREET.make1`` to ``make4`` set a single number, ``multiplier`` that of all streets.
``opponent=typical`` ranks hands against those that people play. The numbers are those of Kan's
thesis (2007), tables 3.2, 4.1 and 4.2. Two ideas from its chapter 6 only matter to hands that are
scored by their decisions. ``sizes=0.5/1/2/all-in`` are the sizes of raises by the number of bets
that the hand is worth (with ``sizes-by-bet`` by the number of the raise).
``folds=0.2/0.3/0.4/0.5`` are the ranks below which a hand folds to one, two, three and four limit
bets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from railbird._arguments import checked
from railbird.errors import BadInput, unknown_name, wrong_value
from railbird.game.rules import Street

if TYPE_CHECKING:
    from collections.abc import Mapping

BET_SIZES = (1, 1, 2, 2)
"""The size of a bet in small bets, by street."""


_MOST_MULTIPLIER = 10


class PotConvention(Enum):
    """What "pot" means in the fold rule bet/(pot + bet) after the flop."""

    ROUND_START = "round-start"
    """The pot before the round's first bet; the source's example: 10 into 50 gives 1/6."""
    FACING_BET = "facing-bet"
    """The pot that the player faces, including the bet."""


class OpponentHoldings(Enum):
    """Which holdings a hand is ranked against after the flop."""

    UNIFORM = "uniform"
    """Any two cards, as in the source."""
    TYPICAL = "typical"
    """Holdings weighted by how likely people play them; the source's idea for later versions
    (3.1.1)."""


class SizedBy(Enum):
    """What chooses among the sizes of a raise."""

    HAND = "hand"
    """The number of bets that the hand is worth."""
    BET = "bet"
    """The number of bets of the street."""


FourNumbers: TypeAlias = tuple[float, float, float, float]


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """One street's thresholds on the scale of the effective hand rank."""

    fold_offset: float
    """Added to bet/(pot + bet): a hand below the sum folds to a bet."""
    make: tuple[float, float, float, float]
    """Ranks from which a hand is worth one, two, three, four bets; above 1 for never."""
    fold_multiplier: float = 1.0
    """Multiplies bet/(pot + bet) before the offset is added; the source's m in mx + b (3.1.2)."""

    def __post_init__(self) -> None:
        if not 0 <= self.fold_multiplier <= _MOST_MULTIPLIER:
            raise BadInput(
                f"fold multiplier {self.fold_multiplier}; allowed: 0 to {_MOST_MULTIPLIER}"
            )
        if not -1 <= self.fold_offset <= 1:
            raise BadInput(f"fold offset {self.fold_offset}; allowed: -1 to 1")
        if not all(0 <= make <= 2 for make in self.make):
            raise BadInput(f"make thresholds {self.make}; allowed: 0 to 2, above 1 for never")
        if list(self.make) != sorted(self.make):
            raise BadInput(f"make thresholds {self.make}; allowed: none below the one before")


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineSettings:
    """Thresholds by street and the meaning of "pot"; comparisons ignore the name."""

    name: str = field(compare=False)
    """The text that `parse_settings` reads."""
    streets: tuple[Thresholds, Thresholds, Thresholds, Thresholds]
    pot: PotConvention = PotConvention.ROUND_START
    opponent: OpponentHoldings = OpponentHoldings.UNIFORM
    sizes: FourNumbers | None = None
    """Raises in pots, infinite for all-in (6.2 of the source); None for the policy's own."""
    sized_by: SizedBy = SizedBy.HAND
    folds: FourNumbers | None = None
    """Ranks below which a hand folds to one to four limit bets (6.1); None to fold by the odds."""

    def __post_init__(self) -> None:
        if self.sizes is not None and not all(size > 0 for size in self.sizes):
            raise BadInput(f"sizes {self.sizes}; allowed: above 0, in pots, or {_ALL_IN}")
        if self.folds is not None and not all(0 <= fold <= 1 for fold in self.folds):
            raise BadInput(f"folds {self.folds}; allowed: 0 to 1")

    def __getitem__(self, street: Street) -> Thresholds:
        """Return the thresholds of one street."""
        return self.streets[street]

    def fold_threshold(self, street: Street, contribution: int) -> Fraction:
        """Return the exact rank below which a hand folds to a bet.

        ``contribution`` is what each player has put in before the round, in small bets. Before the
        flop the pot is always two full bets (1/3 plus the offset).

        >>> STANDARD.fold_threshold(Street.FLOP, 1)
        Fraction(49, 120)
        """
        bet, row = BET_SIZES[street], self[street]
        pot = 2 if street is Street.PREFLOP else 2 * contribution
        if self.pot is PotConvention.FACING_BET and street is not Street.PREFLOP:
            pot += bet
        return exact(row.fold_multiplier) * Fraction(bet, pot + bet) + exact(row.fold_offset)


SettingsLike: TypeAlias = BaselineSettings | str
"""Settings, or their text for `parse_settings`."""


def settings_from(value: SettingsLike) -> BaselineSettings:
    """Return settings, parsing them from text if necessary. Raises `BadInput`.

    >>> settings_from("tight-low")[Street.FLOP].fold_offset
    0.125
    """
    if isinstance(value, BaselineSettings):
        return value
    if isinstance(value, str):
        return parse_settings(value)
    raise wrong_value("settings", value, "text such as tight-low, or BaselineSettings")


@checked
def smoothing_from(value: SettingsLike | Sequence[SettingsLike]) -> tuple[BaselineSettings, ...]:
    """Return settings whose scores are to be averaged, given as such or as text.

    Texts are read by `parse_smoothing`. Raises `BadInput`, also if there are no settings.

    >>> [settings.name for settings in smoothing_from(["standard+tight-low", STANDARD])]
    ['standard', 'tight-low', 'standard']
    """
    if isinstance(value, str):
        return parse_smoothing(value)
    if isinstance(value, BaselineSettings):
        return (value,)
    chosen = tuple(chain.from_iterable(_smoothed(entry) for entry in value))
    if not chosen:
        raise BadInput("no settings; allowed: one or more, which are averaged")
    return chosen


def _smoothed(value: SettingsLike) -> tuple[BaselineSettings, ...]:
    return parse_smoothing(value) if isinstance(value, str) else (settings_from(value),)


@checked
def exact(decimal: float) -> Fraction:
    """Return the decimal number as written, not its binary approximation.

    >>> exact(0.1)
    Fraction(1, 10)
    """
    if not math.isfinite(decimal):
        raise BadInput(f"{decimal} is not a decimal number")
    return Fraction(repr(float(decimal)))


_MOST_DECIMALS = 15
"""Number of decimals that a float can hold."""
_MOST_RAISES = 100
"""Most raises when deriving thresholds; their decimals stop changing long before."""


@checked
def break_even_fractions(raises_left: int) -> tuple[Fraction, ...]:
    """Return the top fractions of a range with which betting into that range breaks even.

    The first is for the bet after which ``raises_left`` raises are possible, the last for the
    capping one. A hand at the threshold x wins one bet from the 1 - x worse hands and loses one to
    the better ones, or two to the fraction r of these that raise: 0 = (1 - x) - x(1 - r) - 2xr, so
    x = 1 / (2 + r). These are ratios of successive Pell numbers.

    >>> [str(x) for x in break_even_fractions(3)]
    ['12/29', '5/12', '2/5', '1/2']
    """
    if not 0 <= raises_left <= _MOST_RAISES:
        raise BadInput(f"{raises_left} raises left; allowed: 0 to {_MOST_RAISES}")
    fractions = [Fraction(1, 2)]
    for _ in range(raises_left):
        fractions.append(1 / (2 + fractions[-1]))
    return tuple(reversed(fractions))


@checked
def derived_thresholds(
    raises_left: int = 3,
    *,
    folded: Fraction = Fraction(0),
    decimals: int | None = None,
) -> tuple[Fraction, ...]:
    """Derive the make thresholds from the number of raises left and the opponent's folds.

    The first threshold leaves the first of `break_even_fractions` of the ``1 - folded`` hands that
    do not fold. Each further one leaves the next fraction of the hands above its predecessor. With
    ``decimals`` the first is rounded down, and the others follow from it exactly. That is how the
    standard settings arose, with their "convenient" first thresholds.

    >>> [float(x) for x in derived_thresholds(decimals=2)]
    [0.58, 0.825, 0.93, 0.965]
    >>> [float(x) for x in derived_thresholds(folded=Fraction(1, 7), decimals=2)]
    [0.64, 0.85, 0.94, 0.97]
    >>> [round(float(x), 4) for x in derived_thresholds(folded=Fraction(1, 7))]
    [0.6453, 0.8522, 0.9409, 0.9704]
    """
    if decimals is not None and not 0 <= decimals <= _MOST_DECIMALS:
        raise BadInput(f"{decimals} decimals; allowed: 0 to {_MOST_DECIMALS}")
    first, *rest = break_even_fractions(raises_left)
    make = 1 - first * (1 - folded)
    if decimals is not None:
        make = Fraction(math.floor(make * 10**decimals), 10**decimals)
    thresholds = [make]
    for fraction in rest:
        thresholds.append(1 - fraction * (1 - thresholds[-1]))
    return tuple(thresholds)


_BEFORE_RIVER = (0.58, 0.825, 0.93, 0.965)

STANDARD = BaselineSettings(
    name="standard",
    streets=(
        Thresholds(fold_offset=0.0, make=_BEFORE_RIVER),
        Thresholds(fold_offset=0.075, make=_BEFORE_RIVER),
        Thresholds(fold_offset=0.1, make=_BEFORE_RIVER),
        Thresholds(fold_offset=0.0, make=(0.64, 0.85, 0.94, 0.97)),
    ),
)
"""Table 3.2 of the source."""

# Two cells violate the table's own rule (each threshold leaves 5/12, 2/5, 1/2 of the hands above
# its predecessor): 0.965 of "moderate-conservative" should be 0.9675, 0.945 of "conservative-high"
# should be 0.95. They are kept as printed, because the source used them.
_MAKE = {
    "aggressive-high": (0.46, 0.775, 0.91, 0.955),
    "aggressive-medium": (0.49, 0.7875, 0.915, 0.9575),
    "aggressive-low": (0.52, 0.8, 0.92, 0.96),
    "moderate-aggressive": (0.55, 0.8125, 0.925, 0.9625),
    "moderate": (0.58, 0.825, 0.93, 0.965),
    "moderate-conservative": (0.61, 0.8375, 0.935, 0.965),
    "conservative-low": (0.64, 0.85, 0.94, 0.97),
    "conservative-medium": (0.67, 0.8625, 0.945, 0.9725),
    "conservative-high": (0.7, 0.875, 0.945, 0.975),
}
_FOLD_FLOP_TURN = {
    "loose-high": (-0.025, 0.0),
    "loose-medium": (0.0, 0.025),
    "loose-low": (0.025, 0.05),
    "moderate-loose": (0.05, 0.075),
    "normal": (0.075, 0.1),
    "moderate-tight": (0.1, 0.125),
    "tight-low": (0.125, 0.15),
    "tight-medium": (0.15, 0.175),
    "tight-high": (0.175, 0.2),
}

AGGRESSIVENESS = tuple(_MAKE)
"""Names of the presets of the bets, most aggressive first (table 4.1)."""
TIGHTNESS = tuple(_FOLD_FLOP_TURN)
"""Names of the presets of the fold offsets, loosest first (table 4.2)."""

_PRESET_STREETS = (Street.FLOP, Street.TURN)
_MAKES = ("make1", "make2", "make3", "make4")
_ALL_IN = "all-in"
_NUMBERS = ("fold", "multiplier", *_MAKES)
_STREETS = {street.name.lower(): street for street in Street}
_OF_ALL_STREETS = ("pot", "opponent", "multiplier", "sizes", "sizes-by-bet", "folds")


@checked
def parse_settings(text: str) -> BaselineSettings:
    """Parse settings such as ``standard,flop.fold=0.1,pot=facing-bet``.

    Raises `BadInput` that names the invalid item and the allowed ones.
    """
    items = [item.strip().lower().replace("_", "-") for item in text.split(",")]
    draft = _Draft()
    for item in items:
        draft.apply(item)
    return draft.finish(",".join(items))


@checked
def parse_smoothing(text: str) -> tuple[BaselineSettings, ...]:
    """Parse one or more settings joined by ``+``, whose scores are averaged.

    >>> [settings.name for settings in parse_smoothing("standard + turn=tight-low")]
    ['standard', 'turn=tight-low']
    """
    return tuple(parse_settings(part) for part in text.split("+"))


class _Draft:
    """Settings during parsing; thresholds need not be in order until the end."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._pot = STANDARD.pot
        self._opponent = STANDARD.opponent
        self._sizes, self._sized_by, self._folds = STANDARD.sizes, STANDARD.sized_by, STANDARD.folds
        self._numbers = {
            street: dict(
                zip(_NUMBERS, (row.fold_offset, row.fold_multiplier, *row.make), strict=True)
            )
            for street, row in zip(Street, STANDARD.streets, strict=True)
        }

    def apply(self, item: str) -> None:
        key, equals, value = (part.strip() for part in item.partition("="))
        street, dot, number = key.partition(".")
        if key in _OF_ALL_STREETS and equals:
            self._apply_to_all_streets(key, value, item)
        elif dot and equals:
            self._set_number(_street(street), number, value, item)
        elif equals:
            self._apply_preset(_street(street), value)
        elif key == STANDARD.name:
            self._reset()
        else:
            for street_of_table in _PRESET_STREETS:
                self._apply_preset(street_of_table, key)

    def _apply_to_all_streets(self, key: str, value: str, item: str) -> None:
        match key:
            case "pot":
                self._pot = _member(PotConvention, key, value)
            case "opponent":
                self._opponent = _member(OpponentHoldings, key, value)
            case "folds":
                self._folds = _four(item, value)
            case "sizes" | "sizes-by-bet":
                self._sizes = _four(item, value.replace(_ALL_IN, "inf"))
                self._sized_by = SizedBy.HAND if key == "sizes" else SizedBy.BET
            case _:
                for street in Street:
                    self._set_number(street, key, value, item)

    def finish(self, name: str) -> BaselineSettings:
        rows = [
            Thresholds(
                fold_offset=n["fold"],
                fold_multiplier=n["multiplier"],
                make=(n["make1"], n["make2"], n["make3"], n["make4"]),
            )
            for n in self._numbers.values()
        ]
        preflop, flop, turn, river = rows
        return BaselineSettings(
            name=name,
            streets=(preflop, flop, turn, river),
            pot=self._pot,
            opponent=self._opponent,
            sizes=self._sizes,
            sized_by=self._sized_by,
            folds=self._folds,
        )

    def _apply_preset(self, street: Street, name: str) -> None:
        if name not in _MAKE and name not in _FOLD_FLOP_TURN:
            raise unknown_name("settings", name, (STANDARD.name, *_MAKE, *_FOLD_FLOP_TURN))
        if street not in _PRESET_STREETS:
            raise BadInput(f"preset {name!r} on the {street.name.lower()}; allowed: flop, turn")
        if name in _MAKE:
            self._numbers[street].update(zip(_MAKES, _MAKE[name], strict=True))
        else:
            self._numbers[street]["fold"] = _FOLD_FLOP_TURN[name][street - Street.FLOP]

    def _set_number(self, street: Street, number: str, value: str, item: str) -> None:
        if number not in _NUMBERS:
            raise unknown_name("threshold", number, _NUMBERS)
        try:
            self._numbers[street][number] = float(value)
        except ValueError:
            raise BadInput(f"{item!r}: {value!r} is not a number") from None


def _street(name: str) -> Street:
    if name not in _STREETS:
        raise unknown_name("street", name, (*_STREETS, *_OF_ALL_STREETS))
    return _STREETS[name]


def _four(item: str, value: str) -> FourNumbers:
    """Read four numbers separated by slashes, or one number that stands for all four."""
    try:
        numbers = [float(part) for part in value.split("/")]
    except ValueError:
        numbers = []
    if len(numbers) == 1:
        numbers *= 4
    if len(numbers) != 4 or any(map(math.isnan, numbers)):
        raise BadInput(f"{item!r}; allowed: one number, or four with slashes between them")
    return (numbers[0], numbers[1], numbers[2], numbers[3])


_E = TypeVar("_E", bound=Enum)


def _member(kind: type[_E], key: str, value: str) -> _E:
    for member in kind:
        if value == member.value:
            return member
    allowed = ", ".join(member.value for member in kind)
    raise BadInput(f"{key}={value}; allowed: {allowed}")


SETTINGS: Mapping[str, BaselineSettings] = MappingProxyType(
    {name: parse_settings(name) for name in (STANDARD.name, *AGGRESSIVENESS, *TIGHTNESS)}
)
"""The standard settings and the presets, applied to flop and turn, by name."""
