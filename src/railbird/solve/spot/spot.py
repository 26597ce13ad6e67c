"""A heads-up no-limit spot after the flop: ranges, pot, stacks, and the bets allowed.

It is written as ``key = value`` lines; `Spot.parse` reads what ``str`` writes. The keys of bet
sizes may begin with a player and a street, ``ip_river_raises``; the most specific one counts.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final, Self, TypeVar

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._files import bounded_text
from railbird._option_fields import (
    Between,
    Description,
    OptionField,
    check_options,
    option_fields,
    read_options,
)
from railbird.cards import (
    HOLDING_CARDS,
    Card,
    CardsLike,
    Range,
    RangeLike,
    cards_from,
    format_cards,
    range_from,
)
from railbird.errors import BadInput, unknown_name
from railbird.solve.spot.notations import house_notation

PLAYERS: Final = ("oop", "ip")
"""Out of position, acting first on every street, and in position."""

STREETS: Final = ("flop", "turn", "river")

_Read = TypeVar("_Read")
MOST_CHIPS: Final = 2**30
_MOST_POTS: Final = 1_000_000
_MOST_FOLDED: Final = 4
"""The most folded players, those of a table of six; more would need too many sets of cards."""
_MOST_TEXT: Final = 1 << 20
_FLOP, _RIVER = 3, 5


class Kind(Enum):
    """The quantity of which a bet size is a multiple."""

    POT = "of the pot after a call"
    PREVIOUS = "times the bet that is raised"
    CHIPS = "chips"
    GEOMETRIC = "the same part of the pot on each street, the last bet all-in"
    ALL_IN = "all-in"


@dataclass(frozen=True, slots=True)
class BetSize:
    """One bet size.

    >>> BetSize.parse("60%"), str(BetSize.parse("e")), str(BetSize.parse("2e200%"))
    (BetSize(kind=<Kind.POT: 'of the pot after a call'>, number=0.6, most=0), 'e', '2e200%')
    """

    kind: Kind
    number: float = 0.0
    """The multiple of the kind; for a geometric size the largest share of the pot, 0 for any."""
    most: int = 0
    """The last raise of a street that may have this size, by number, 0 for any; for a geometric
    size the number of streets, 0 for all that are left."""

    @classmethod
    def parse(cls, text: str) -> BetSize:
        """Read one size. Raises `BadInput`."""
        for pattern, kind in _PATTERNS:
            match = pattern.fullmatch(text.strip().lower())
            if match is None:
                continue
            number, most = (match.groupdict().get(name) for name in ("number", "most"))
            scale = 0.01 if kind in (Kind.POT, Kind.GEOMETRIC) else 1.0
            value = 0.0 if number is None else float(number) * scale
            if value == 0 and kind in (Kind.POT, Kind.CHIPS):
                break
            if kind is Kind.PREVIOUS and value <= 1:
                break
            return cls(kind, round(value, 12), 0 if most is None else int(most))
        raise BadInput(f"{text[:20]!r} is no bet size; allowed: 60%, 2.5x (raises), 120c, e, 2e, a")

    def __str__(self) -> str:
        raises = f"{self.most}r" if self.most else ""
        match self.kind:
            case Kind.POT:
                return f"{self.number * 100:.10g}%{raises}"
            case Kind.PREVIOUS:
                return f"{self.number:.10g}x{raises}"
            case Kind.CHIPS:
                return f"{self.number:.10g}c{raises}"
            case Kind.GEOMETRIC:
                most = f"{self.number * 100:.10g}%" if self.number else ""
                return f"{self.most or ''}e{most}"
            case Kind.ALL_IN:
                return "a"


_NUMBER = r"(?P<number>\d{1,9}(?:\.\d{1,9})?)"
_RAISES: Final = r"(?:(?P<most>[1-9]\d{0,2})r)?"
_PATTERNS: Final = (
    (re.compile(_NUMBER + "%" + _RAISES), Kind.POT),
    (re.compile(_NUMBER + "x" + _RAISES), Kind.PREVIOUS),
    (re.compile(r"(?P<number>\d{1,10})c" + _RAISES), Kind.CHIPS),
    (re.compile(rf"(?P<most>[1-9]\d{{0,2}})?e(?:{_NUMBER}%)?"), Kind.GEOMETRIC),
    (re.compile("a|all-?in"), Kind.ALL_IN),
)


def read_sizes(text: str) -> tuple[BetSize, ...]:
    """Read sizes separated by commas or spaces; an empty text or ``-`` means none."""
    return tuple(
        BetSize.parse(word) for word in re.split(r"[,\s]+", text.strip()) if word not in "-"
    )


@checked
@dataclass(frozen=True, slots=True)
class BetSizes:
    """The bets and raises allowed to one player on one street.

    >>> str(BetSizes.parse("60%, a", "2.5x"))
    'bets 60%, a; raises 2.5x'
    """

    bets: tuple[BetSize, ...] = ()
    raises: tuple[BetSize, ...] = ()
    donks: tuple[BetSize, ...] | None = None
    """Bets of the first to act after calling on the street before; None for the same as
    ``bets``."""

    def __post_init__(self) -> None:
        for size in (*self.bets, *(self.donks or ())):
            if size.kind is Kind.PREVIOUS:
                raise BadInput(f"{size} for a first bet; allowed: 60%, 120c, e, a")

    @classmethod
    def parse(cls, bets: str = "", raises: str = "", donks: str | None = None) -> BetSizes:
        """Read sizes as in ``60%, e, a``. Raises `BadInput`."""
        none = None if donks is None else read_sizes(donks)
        return cls(read_sizes(bets), read_sizes(raises), none)

    def __str__(self) -> str:
        parts = {"bets": self.bets, "raises": self.raises, "donk": self.donks}
        return "; ".join(f"{name} {_joined(sizes)}" for name, sizes in parts.items() if sizes)


def _joined(sizes: Sequence[BetSize]) -> str:
    return ", ".join(map(str, sizes)) or "-"


@checked
@dataclass(frozen=True, slots=True, eq=False)
class Utility:
    """The value of chips at the end of the hand, linear between given points."""

    chips: tuple[float, ...]
    values: tuple[float, ...]
    lines: tuple[str, ...] = ()
    """Lines of a file that give the same utility by prizes; without them, points are written."""

    def __post_init__(self) -> None:
        if len(self.chips) != len(self.values) or len(self.chips) < 2:
            raise BadInput("a utility needs two or more chips and as many values")
        if not np.all(np.isfinite([*self.chips, *self.values])):
            raise BadInput("a utility of something that is not a number")
        if not (np.all(np.diff(self.chips) > 0) and np.all(np.diff(self.values) >= 0)):
            raise BadInput("utility: chips must rise and values must not fall, as in 0 0, 100 1")

    def __call__(self, chips: float) -> float:
        """Return the value of some chips."""
        return float(np.interp(chips, self.chips, self.values))


@checked
@dataclass(frozen=True, slots=True)
class Lock:
    """A mix that some holdings must play at one decision, whatever its value.

    >>> str(Lock.parse("check bet 50 > QQ+, AK:0.5 > fold 0.25, call 0.75"))
    'check bet 50 > QQ+, AK > fold 0.25, call 0.75'
    """

    line: str
    """The line that leads to the decision; ``*`` is any card."""
    holdings: Range
    """The holdings with a weight above zero; its size does not matter."""
    mix: tuple[tuple[str, float], ...]
    """Actions and their probabilities, which sum to 1; other actions have probability 0."""

    def __post_init__(self) -> None:
        chances = [chance for _, chance in self.mix]
        full_range = Range(np.where(self.holdings.weights > 0, 1.0, 0.0))
        object.__setattr__(self, "holdings", full_range)
        names = [action for action, _ in self.mix]
        if len(set(names)) < len(names):
            raise BadInput(f"lock: an action twice in {self._mix()}; such as fold 0.25, call 0.75")
        if not all(0 <= chance <= 1 for chance in chances) or abs(sum(chances) - 1) > _ROUNDING:
            raise BadInput(f"lock: {self._mix()} sums to {sum(chances):g}; allowed: 1")

    @classmethod
    def parse(cls, text: str) -> Lock:
        """Read ``LINE > RANGE > ACTION CHANCE, ACTION CHANCE``. Raises `BadInput`."""
        parts = [" ".join(field.split()) for field in text.split(">")]
        try:
            line, holdings, mix = parts
            actions = [action.strip().rpartition(" ") for action in mix.split(",")]
            chances = tuple((action.strip(), float(chance)) for action, _, chance in actions)
        except ValueError:
            raise BadInput(
                f"lock: {text!r}; such as lock = check bet 50 > QQ+ > fold 0.25, call 0.75"
            ) from None
        return cls(line, Range.parse(holdings), chances)

    def _mix(self) -> str:
        return ", ".join(f"{action} {chance!r}" for action, chance in self.mix)

    def __str__(self) -> str:
        return f"{self.line} > {self.holdings} > {self._mix()}"


_ROUNDING: Final = 1e-6

Betting = tuple[tuple[BetSizes, BetSizes], tuple[BetSizes, BetSizes], tuple[BetSizes, BetSizes]]
"""Sizes by street, flop to river, and by player."""


def same_sizes(sizes: BetSizes) -> Betting:
    """Return betting with the same sizes for both players on all streets."""
    return ((sizes, sizes),) * 3


@checked
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Spot:
    """A spot after the flop, heads-up.

    Raises `BadInput` for a spot that cannot be played, naming the field.

    >>> sizes = same_sizes(BetSizes.parse("50%", "3x"))
    >>> spot = Spot.of("Ks7d2c", "QQ+,AK", "22-JJ,AQ", pot=60, stack=970, sizes=sizes)
    >>> print(spot.street, format_cards(spot.board))
    flop Ks7d2c
    """

    board: Annotated[tuple[Card, ...], Description("three to five cards", example="Ks7d2c")]
    ranges: Annotated[
        tuple[Range, Range],
        Description(
            "range of the first to act", key="oop", label="First to act", example="QQ+,AKs,A5s:0.5"
        ),
        Description(
            "range of the player in position", key="ip", label="In position", example="22-JJ,AQ"
        ),
    ]
    """Holdings that the board blocks are left out."""
    pot: Annotated[
        int,
        Between(1, MOST_CHIPS, "whole chips"),
        Description("chips in the pot", label="In the pot", example="180"),
    ]
    stack: Annotated[
        int,
        Between(1, MOST_CHIPS, "whole chips"),
        Description(
            "chips that both still have; of unequal stacks the shorter",
            label="Behind, of the shorter stack",
            example="970",
        ),
    ]
    big_blind: Annotated[
        int,
        Between(0, MOST_CHIPS, "whole chips"),
        Description("chips of a big blind, in which EVs are then written, too", example="10"),
    ] = 0
    """0 if nobody knows it."""
    sizes: Annotated[
        Betting,
        Description(
            "sizes of bets: 60% of the pot, 120c chips, e geometric, a all-in",
            key="bets",
            example="60%,e,a",
        ),
        Description("sizes of raises: the same, and 2.5x the bet", key="raises", example="2.5x"),
        Description(
            "bets of the first to act who called on the street before; as bets if not given, "
            "none with -",
            key="donk",
            example="33%",
        ),
    ] = field(default_factory=lambda: same_sizes(BetSizes()))
    all_in_threshold: Annotated[
        float,
        Between(0, _MOST_POTS, "pots"),
        Description(
            "all-in is added to the sizes where it is at most so many pots",
            label="All-in threshold",
            example="1.5",
        ),
    ] = 0.0
    force_all_in: Annotated[
        float,
        Between(0, _MOST_POTS, "pots"),
        Description(
            "a size becomes all-in where at most so many pots are left after a call",
            label="Force all-in",
            example="0.2",
        ),
    ] = 0.0
    merging: Annotated[
        float,
        Between(0, _MOST_POTS, "pots"),
        Description(
            "drops a size of y pots close to one of x: m does where y >= (x - m) / (1 + m)",
            example="0.1",
        ),
    ] = 0.0
    rake: Annotated[
        float, Between(0, 1), Description("part of the pot that the house takes", example="5%")
    ] = 0.0
    rake_cap: Annotated[
        float, Between(0, unit="chips"), Description("the most rake of a pot", example="3")
    ] = math.inf
    utilities: Annotated[
        tuple[Utility, Utility] | None,
        Description("prizes, in which chips then count", key="payouts", example="50, 30, 20"),
        Description(
            "stacks of up to 18 players who are not in the hand, for prizes",
            key="other_stacks",
            example="1500, 900",
        ),
        Description(
            "any other worth of the first player's chips at the end, as points",
            key="oop_utility",
            example="0 0, 900 1, 2000 1.5",
        ),
        Description("that of the player in position", key="ip_utility", example="0 0, 2000 1"),
    ] = None
    """The value of both players' chips at the end; None for chips themselves."""
    added: Annotated[
        tuple[str, ...],
        Description("line that is added to the tree", key="add", example="check bet 50"),
    ] = ()
    removed: Annotated[
        tuple[str, ...],
        Description("line that is taken out of the tree", key="remove", example="bet 120"),
    ] = ()
    locks: Annotated[
        tuple[Lock, ...],
        Description(
            "mix that holdings keep at a decision: LINE > HOLDINGS > ACTION CHANCE, ...",
            key="lock",
            example="check > QQ+ > check 1",
        ),
    ] = ()
    """The solution is one of the game with these locks."""
    folded: Annotated[
        tuple[Range, ...],
        Description(
            "what another player has folded; after ! what that player would have played",
            example="!22+,A2s+,ATo+",
            is_plain=False,
        ),
    ] = ()
    """The ranges of players who have folded, at most four."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        board = self.board
        if not _FLOP <= len(board) <= _RIVER:
            raise BadInput(f"board: {len(board)} cards; allowed: 3 to 5, such as Ks7d2c")
        if len(set(board)) < len(board):
            raise BadInput(f"board: a card twice in {format_cards(board)}; such as Ks7d2c")
        ranges = tuple(player_range.without(board) for player_range in self.ranges)
        put(self, "ranges", ranges)
        for name, player_range in zip(PLAYERS, ranges, strict=True):
            if not len(player_range):
                raise BadInput(f"{name}: no holding that the board allows; such as QQ+,AKs:0.5")
        check_options(self)
        if len(self.folded) > _MOST_FOLDED:
            raise BadInput(f"folded: {len(self.folded)} ranges; allowed: up to {_MOST_FOLDED}")
        if not all(len(folded_range.without(board)) for folded_range in self.folded):
            raise BadInput("folded: no holding that the board allows; such as !22+,A2s+,ATo+")
        if self.pairs() <= 0:
            raise BadInput("oop and ip: every pair of holdings shares a card; such as AA and KK")

    @classmethod
    @checked
    def of(
        cls, board: CardsLike, oop: RangeLike, ip: RangeLike, *, pot: int, stack: int, **rest: Any
    ) -> Spot:
        """Return a spot from a board and ranges, which may be text; ``rest`` are other fields."""
        cards = tuple(Card(card) for card in cards_from(board))
        ranges = range_from(oop), range_from(ip)
        return cls(board=cards, ranges=ranges, pot=pot, stack=stack, **rest)

    @property
    def street(self) -> str:
        """The street on which the spot begins."""
        return STREETS[len(self.board) - _FLOP]

    @property
    def at_stake(self) -> int:
        """Chips in the pot at the beginning."""
        return self.pot

    @property
    def is_zero_sum(self) -> bool:
        """Whether one player's winnings are the other's losses."""
        return self.rake == 0 and self.utilities is None

    @property
    def digest(self) -> str:
        """Identifier of the spot: 16 hexadecimal digits of the SHA-256 of its lines."""
        return hashlib.sha256(str(self).encode()).hexdigest()[:16]

    def pairs(self) -> float:
        """Sum of the weights of all pairs of holdings that share no card."""
        return compatible(self.ranges[0].weights, self.ranges[1].weights)

    @classmethod
    def parse(cls, text: str, *, name: str = "spot", files: bool = False) -> Self:
        r"""Read ``key = value`` lines; a remark follows ``#``. Raises `BadInput`.

        With ``files``, a range may be ``@FILE``, a file of 1,326 weights in the order of `Holding`.

        >>> spot = Spot.parse("board = Ks7d2c9h3d\noop = AA\nip = KK\npot = 10\nstack = 20")
        >>> Spot.parse(str(spot)).stack
        20
        """
        try:
            return cls._of(read_fields(text), files=files)
        except BadInput as problem:
            raise BadInput(f"{name}: {problem}") from None

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Read a file of the lines that `parse` reads. Raises `BadInput`."""
        return cls.parse(read_text(Path(path)), name=str(path), files=True)

    @classmethod
    def _of(cls, fields: Mapping[str, str], *, files: bool) -> Self:
        check_keys(cls, fields)
        plain = read_options(cls, fields)
        others: dict[str, Any] = {
            "board": named("board", lambda text: tuple(cards_from(text)), fields),
            "ranges": tuple(
                named(player, lambda text: read_range(text, files=files), fields)
                for player in PLAYERS
            ),
            "sizes": betting_from(fields),
            "utilities": utilities_of(fields, plain["pot"], plain["stack"]),
            "folded": named(
                "folded", lambda text: read_folded(text, files=files), {"folded": "", **fields}
            ),
        }
        return cls(**plain, **others)

    def __str__(self) -> str:
        """Return the lines that `parse` reads."""
        ranges = [
            f"{name} = {player_range}"
            for name, player_range in zip(PLAYERS, self.ranges, strict=True)
        ]
        return "\n".join([*ranges, *self._lines_without_ranges()]) + "\n"

    def key(self) -> str:
        """Return a hexadecimal key of the spot, the same for equal spots.

        It avoids writing the ranges as text, which takes longer than solving a small spot.
        """
        made = hashlib.sha256("\n".join(self._lines_without_ranges()).encode())
        for player_range in self.ranges:
            made.update(player_range.weights.tobytes())
        return made.hexdigest()

    def _lines_without_ranges(self) -> Iterator[str]:
        yield f"board = {format_cards(self.board)}"
        yield f"pot = {self.pot}"
        yield f"stack = {self.stack}"
        yield from self._rest_of_lines()
        yield from self._more_lines()

    def _more_lines(self) -> Iterator[str]:
        """Write utilities, and the keys that may be repeated."""
        utilities = self.utilities or ()
        if utilities and utilities[0] is utilities[1] and self._has_all_chips(utilities[0]):
            yield from utilities[0].lines
            utilities = ()
        for name, utility in zip(PLAYERS, utilities, strict=False):
            points = zip(utility.chips, utility.values, strict=True)
            yield f"{name}_utility = {', '.join(f'{x!r} {y!r}' for x, y in points)}"
        for option in option_fields(type(self)):
            if option.repeats:
                yield from option.lines(getattr(self, option.name))
        yield from (f"folded = {folded_range}" for folded_range in self.folded)

    def _has_all_chips(self, utility: Utility) -> bool:
        """Whether prizes were computed for this spot's chips, not for those of an earlier spot."""
        return bool(utility.lines) and utility.chips[-1] == self.pot + 2 * self.stack

    def _rest_of_lines(self) -> Iterator[str]:
        """Write the sizes, and the rules that differ from their defaults."""
        yield from _betting_lines(self.sizes)
        for option in rules_of(type(self)):
            yield from option.lines(getattr(self, option.name))

    def with_sizes(self, sizes: BetSizes) -> Spot:
        """Return the spot with the same sizes for both players on all streets."""
        return replace(self, sizes=same_sizes(sizes))


def compatible(own: npt.NDArray[np.float64], opponent: npt.NDArray[np.float64]) -> float:
    """Return the sum of the products of two players' weights over holdings that share no card."""
    return float(own @ met_by(opponent))


def met_by(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return (1326,) the opponent's weight that shares no card with each holding."""
    by_card = np.bincount(HOLDING_CARDS.ravel(), np.repeat(weights, 2), minlength=52)
    met: npt.NDArray[np.float64] = weights.sum() - by_card[HOLDING_CARDS].sum(axis=1) + weights
    return met


_LEAST_WEIGHT: Final = 1e-6
"""The smallest weight: products of two smaller ones would vanish beside others in 32 bits."""
_SIZE_KEYS: Final = ("bets", "raises", "donk")


def rules_of(kind: type[Spot]) -> tuple[OptionField, ...]:
    """Return the options that have a single value and a default: thresholds, rake and so on."""
    return tuple(
        option
        for option in option_fields(kind)
        if option.is_plain and not option.repeats and option.default is not MISSING
    )


def check_keys(kind: type[Spot], fields: Mapping[str, str]) -> None:
    """Raise `BadInput` for an unknown key, and for a missing option without a default."""
    options = {option.key: option for option in option_fields(kind)}
    for key in fields:
        if key not in options and not is_size_key(key):
            raise unknown_name("key", key, options)
    for key, option in options.items():
        if option.default is MISSING and key not in fields:
            raise BadInput(f"no {key}; such as {key} = {option.example}")


def read_range(text: str, *, files: bool) -> Range:
    """Read a range; with ``files``, ``@FILE`` is a file of 1,326 weights. Raises `BadInput`."""
    if files and text.startswith("@"):
        path = Path(text[1:])
        lines = read_text(path).splitlines()
        try:
            player_range = Range(np.loadtxt(lines, dtype=np.float64).ravel())
        except ValueError as error:
            raise BadInput(f"{path}: cannot be read: {error}") from None
    else:
        player_range = Range.parse(house_notation(text))
    some = player_range.weights[player_range.weights > 0]
    if some.size and some.min() < _LEAST_WEIGHT:
        allowed = f"0, or from {_LEAST_WEIGHT:f} to 1"
        raise BadInput(f"weight {some.min():g}; allowed: {allowed}")
    return player_range


def read_folded(text: str, *, files: bool) -> tuple[Range, ...]:
    """Read the ranges of folded players; ``!RANGE`` is everything but RANGE. Raises `BadInput`.

    >>> [folded.combinations for folded in read_folded("72o; !AA:0.5,22+,A2+", files=False)]
    [12.0, 1056.0]
    """
    ranges = []
    for entry in filter(None, map(str.strip, text.split(";"))):
        of = read_range(entry.lstrip("! "), files=files)
        ranges.append(Range(1 - of.weights) if entry.startswith("!") else of)
    return tuple(ranges)


def read_text(path: Path) -> str:
    """Return the text of a file with a spot, weights or boards. Raises `BadInput`."""
    return bounded_text(path, _MOST_TEXT)


LISTS: Final = ("folded", *(option.key for option in option_fields(Spot) if option.repeats))
"""Keys that may be repeated."""


def read_fields(text: str) -> dict[str, str]:
    """Return the values of ``key = value`` lines; repeated lists are joined by semicolons."""
    fields: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.split("#")[0].strip()
        if not content:
            continue
        key, equals, value = (token.strip() for token in content.partition("="))
        if not equals:
            raise BadInput(f"line {number}: {content!r}; allowed: key = value")
        if key in fields and key not in LISTS:
            raise BadInput(f"line {number}: {key} for the second time")
        fields[key] = f"{fields[key]};{value}" if key in fields else value
    return fields


@contextmanager
def naming(key: str) -> Iterator[None]:
    """Prefix the message of a `BadInput` with the name of a field."""
    try:
        yield
    except BadInput as problem:
        raise BadInput(f"{key}: {problem}") from None


def named(key: str, read: Callable[[str], _Read], fields: Mapping[str, str]) -> _Read:
    """Read a field; an error message names it."""
    with naming(key):
        return read(fields[key])


def is_size_key(key: str) -> bool:
    """Return whether a key is one of bet sizes, perhaps after a player and a street."""
    *parts, last = key.split("_")
    players = [part for part in parts if part in PLAYERS]
    streets = [part for part in parts if part in STREETS]
    known = last in _SIZE_KEYS and len(parts) == len(players) + len(streets)
    return known and max(len(players), len(streets)) < 2


def _first_bets(text: str) -> tuple[BetSize, ...]:
    """Read sizes of first bets, which cannot be multiples of an earlier bet."""
    return BetSizes(read_sizes(text)).bets


def betting_from(fields: Mapping[str, str]) -> Betting:
    """Return the sizes in ``key = value`` lines. Raises `BadInput`."""

    def find(player: str, street: str, key: str) -> tuple[BetSize, ...] | None:
        names = (f"{player}_{street}_", f"{street}_{player}_", f"{player}_", f"{street}_", "")
        for prefix in names:
            if (name := prefix + key) in fields:
                return named(name, read_sizes if key == "raises" else _first_bets, fields)
        return None

    def sizes(player: str, street: str) -> BetSizes:
        bets, raises, donks = (find(player, street, key) for key in _SIZE_KEYS)
        return BetSizes(bets or (), raises or (), donks if player == PLAYERS[0] else None)

    flop, turn, river = (
        (sizes(PLAYERS[0], street), sizes(PLAYERS[1], street)) for street in STREETS
    )
    return flop, turn, river


def _betting_lines(sizes: Betting) -> Iterator[str]:
    """Write sizes in as few lines as possible: once for all streets if they are the same."""
    for key, name in zip(_SIZE_KEYS, ("bets", "raises", "donks"), strict=True):
        parts = [
            (f"{player}_{street}_{key}", getattr(sizes[number][seat], name))
            for number, street in enumerate(STREETS)
            for seat, player in enumerate(PLAYERS)
            if name != "donks" or seat == 0
        ]
        if all(street_sizes == parts[0][1] for _, street_sizes in parts):
            parts = [(key, parts[0][1])]
        for full, street_sizes in parts:
            if street_sizes or (street_sizes is not None and name == "donks"):
                yield f"{full} = {_joined(street_sizes)}"


def utilities_of(fields: Mapping[str, str], pot: int, stack: int) -> tuple[Utility, Utility] | None:
    """Return the utilities in the lines of a file, None for chips. Raises `BadInput`."""
    keys = [f"{player}_utility" for player in PLAYERS if f"{player}_utility" in fields]
    if "payouts" in fields:
        if keys:
            raise BadInput("payouts and a utility; allowed: one of them")
        return icm_utilities(pot, stack, fields["payouts"], fields.get("other_stacks", ""))
    if "other_stacks" in fields:
        raise BadInput("other_stacks without payouts; such as payouts = 50, 30, 20")
    if not keys:
        return None
    if len(keys) < len(PLAYERS):
        raise BadInput("a utility of one player; allowed: oop_utility and ip_utility")
    oop, ip = (_points(fields[key], key) for key in keys)
    return oop, ip


def _points(text: str, key: str) -> Utility:
    try:
        points = [tuple(map(float, pair.split())) for pair in text.split(",")]
        return Utility(tuple(x for x, _ in points), tuple(y for _, y in points))
    except BadInput as problem:
        raise BadInput(f"{key}: {problem}") from None
    except ValueError:
        raise BadInput(f"{key}: {text!r}; allowed: chips and values, such as 0 0, 100 1") from None


def icm_utilities(pot: int, stack: int, payouts: str, other_stacks: str) -> tuple[Utility, Utility]:
    """Return the value of chips in prizes, by the independent chip model.

    ``other_stacks`` are the stacks of players who are not in the hand. Raises `BadInput`.
    """
    from railbird.tournament import parse_payouts, prize_curve

    prizes = [float(payout) for payout in parse_payouts("".join(payouts.split()))]
    try:
        others = [float(token) for token in re.split(r"[,\s]+", other_stacks.strip()) if token]
    except ValueError:
        raise BadInput(f"other_stacks: {other_stacks!r}; such as 1500, 900") from None
    if wrong := [other_stack for other_stack in others if not 0 <= other_stack < math.inf]:
        raise BadInput(f"other_stacks: {wrong[0]:g}; allowed: 0 or more chips, such as 1500")
    if len(others) > _MOST_OTHERS:
        raise BadInput(f"other_stacks: {len(others)} stacks; allowed: up to {_MOST_OTHERS}")
    all_chips = pot + 2 * stack
    chips = np.unique(np.linspace(0, all_chips, min(all_chips, _ICM_POINTS) + 1)).tolist()
    values = np.maximum.accumulate(prize_curve(chips, all_chips, others, prizes))
    lines = [f"payouts = {payouts}"]
    if others:
        lines.append(f"other_stacks = {other_stacks}")
    utility = Utility(tuple(chips), tuple(values.tolist()), tuple(lines))
    return utility, utility


_ICM_POINTS: Final = 400
_MOST_OTHERS: Final = 18
"""The most stacks outside the hand. A curve for twenty players takes half a second of processor
time, and the time grows with the square of their number."""
