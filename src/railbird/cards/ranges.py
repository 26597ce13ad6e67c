"""Ranges: a weight for each of the 1,326 holdings, in the notation of players.

| written | means |
|---|---|
| `QQ`, `AKs`, `AKo`, `AK` | a class; without a letter, both suited and offsuit |
| `QQ+`, `A5s+` | this and better pairs; this and better kickers |
| `QQ-99`, `A5s-A2s`, `JTs-76s` | from the one to the other, a rank at a time |
| `AsKd` | one holding |
| `random` | every holding |
| `20%`, `top 20%` | as many of the best classes as fit into a fifth of all holdings |
| `KTo:0.5`, `KTo:50%` | any of these with a weight from 0 to 1; the default is 1 |

Items are separated by commas or spaces; if two include a holding, the later one counts. The best
classes are those that win most at showdown against a random hand (7cHR before the flop).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.cards.card import (
    CLASS_NAMES,
    CLASSES,
    HOLDINGS,
    RANKS,
    SUIT_CHARACTERS,
    CardsLike,
    HandClass,
    Holding,
    HoldingLike,
    cards_from,
    format_card,
    format_holding,
    holding_from,
    holding_of,
    parse_class,
    parse_holding,
    read_card,
    read_rank,
)
from railbird.cards.tables import CLASS_OF_HOLDING, HOLDING_CARDS
from railbird.errors import BadInput, DuplicateCard, ParseError

# The 169 classes by probability of winning at showdown, the order used for percent ranges.


_NAMES: Final = """
AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55
QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s
A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o
T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o
96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o
65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s
54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""

CLASS_ORDER: Final = tuple(parse_class(name) for name in _NAMES.split())
"""Best first: by the exact preflop seven-card hand rank of `railbird.odds`, without ties."""

_HOLDINGS_UP_TO = np.cumsum(
    [np.count_nonzero(hand_class == CLASS_OF_HOLDING) for hand_class in CLASS_ORDER]
)


def best_classes(share: float) -> tuple[HandClass, ...]:
    """Return as many of the best classes as fit into a share, 0 to 1, of the 1,326 holdings.

    >>> from railbird.cards.card import class_name
    >>> [class_name(best) for best in best_classes(0.03)]
    ['AA', 'KK', 'QQ', 'JJ', 'TT', '99']
    """
    count = int(np.searchsorted(_HOLDINGS_UP_TO, share * CLASS_OF_HOLDING.size + 1e-9, "right"))
    return CLASS_ORDER[:count]


# Parsing and formatting of ranges.
#
# A *line* is a run of classes on the 13 x 13 chart, which one item of a range names:
# ``QQ+`` and ``JJ-88`` run along the diagonal, ``A5s-A2s`` along a row, ``JTs-76s`` beside the
# diagonal. A single class is a line of length one.


_SEPARATORS = frozenset(",; \t\r\n")
_RANDOM = "random"
_SHARE = re.compile(r"(?:top\s*)?(\d+(?:\.\d+)?)\s*%", re.IGNORECASE)
_ALLOWED = "items such as QQ+, A5s-A2s, AK, AsKd, random, 20%, KTo:0.5"
_ACE = len(RANKS) - 1
_SIZES = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES)
"""Holdings of each class: 6 of a pair, 4 suited, 12 offsuit."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A class and ``steps`` classes below it, ranks 0..12; ``suits`` is s, o or empty for both."""

    high: int
    low: int
    suits: str
    steps: int = 0
    high_falls: bool = False

    @property
    def is_pair(self) -> bool:
        return self.high == self.low

    @property
    def last(self) -> _Line:
        fall = self.steps if self.high_falls else 0
        return _Line(self.high - fall, self.low - self.steps, self.suits)

    def classes(self) -> Iterator[HandClass]:
        """Yield the chart's cells; the line must be pairs, suited or offsuit."""
        for step in range(self.steps + 1):
            row, column = _ACE - self.high + step * self.high_falls, _ACE - self.low + step
            yield HandClass(13 * column + row if self.suits == "o" else 13 * row + column)

    def __str__(self) -> str:
        name = RANKS[self.high] + RANKS[self.low] + self.suits
        if not self.steps:
            return name
        reaches_top = self.high == _ACE if self.is_pair else self.low == self.high - 1
        if reaches_top and self.is_pair is self.high_falls:
            return f"{self.last}+"
        return f"{name}-{self.last}"


def read_weights(text: str) -> NDArray[np.float64]:
    """Return the weights of a range's text, (1326,).

    Raises `railbird.errors.ParseError`, which points at the character.
    """
    weights = np.zeros(HOLDINGS)
    position = 0
    while position < len(text):
        if text[position] in _SEPARATORS:
            position += 1
            continue
        start = position
        members, position = _read_members(text, position)
        _check_apart(text, start, position)
        weights[members], position = _read_weight(text, position)
    return weights


def _check_apart(text: str, start: int, end: int) -> None:
    """Refuse a share after an item without a weight or a comma: it may be meant as the weight."""
    before = text[:start].rstrip(" ")
    last = before[max(map(before.rfind, _SEPARATORS)) + 1 :]
    if text[end - 1] == "%" and last and ":" not in last:
        allowed = "a comma between items, KQo, 50%, or a weight, KQo:50%"
        raise ParseError("a share beside another item", text=text, position=start, allowed=allowed)


def _read_members(text: str, start: int) -> tuple[NDArray[np.bool_] | Holding, int]:
    """Read an item without its weight; return its holdings and the position after it."""
    if text[start : start + len(_RANDOM)].lower() == _RANDOM:
        return np.ones(HOLDINGS, dtype=np.bool_), start + len(_RANDOM)
    if share := _SHARE.match(text, start):
        if float(share[1]) > 100:
            raise ParseError("not a share", text=text, position=start, allowed="0% to 100%")
        return np.isin(CLASS_OF_HOLDING, best_classes(float(share[1]) / 100)), share.end()
    _, after = read_rank(text, start, allowed=_ALLOWED)
    if text[after : after + 1] in SUIT_CHARACTERS:
        first, after = read_card(text, start)
        second, end = read_card(text, after)
        if first == second:
            raise DuplicateCard(
                f"{format_card(first)} comes twice: {text!r} at character {after + 1}"
            )
        return holding_of(first, second), end
    line, end = _read_line(text, start)
    both = not (line.is_pair or line.suits)
    lines = [replace(line, suits=suits) for suits in (("s", "o") if both else (line.suits,))]
    return np.isin(
        CLASS_OF_HOLDING, [hand_class for line in lines for hand_class in line.classes()]
    ), end


def _read_line(text: str, start: int) -> tuple[_Line, int]:
    first, end = _read_class(text, start)
    match text[end : end + 1]:
        case "+":
            return _upwards(first, text, end), end + 1
        case "-":
            last, after = _read_class(text, end + 1)
            return _between(first, last, text, end + 1), after
        case _:
            return first, end


def _read_class(text: str, start: int) -> tuple[_Line, int]:
    first, after = read_rank(text, start, allowed=_ALLOWED)
    second, after = read_rank(text, after, allowed=_ALLOWED)
    suits = text[after : after + 1].lower()
    if suits not in ("s", "o"):
        suits = ""
    elif first == second:
        raise ParseError("no pair is suited or offsuit", text=text, position=after, allowed="QQ")
    return _Line(max(first, second), min(first, second), suits), after + len(suits)


def _upwards(line: _Line, text: str, position: int) -> _Line:
    if line.is_pair:
        return _Line(_ACE, _ACE, "", _ACE - line.high, high_falls=True)
    if line.low == line.high - 1 and line.high < _ACE:
        # some mean only KQs, some KQs and AKs, so it is refused
        top = _Line(_ACE, _ACE - 1, line.suits)
        raise ParseError(
            f"{line}+ is ambiguous", text=text, position=position, allowed=f"{top}-{line}"
        )
    return replace(line, low=line.high - 1, steps=line.high - 1 - line.low)


def _between(first: _Line, second: _Line, text: str, position: int) -> _Line:
    best, last = sorted((first, second), key=lambda line: (line.high, line.low), reverse=True)
    steps, high_steps = best.low - last.low, best.high - last.high
    if best.suits != last.suits or best.is_pair != last.is_pair or high_steps not in (0, steps):
        raise ParseError(
            f"not on a line with {first}",
            text=text,
            position=position,
            allowed="QQ-99, A5s-A2s, JTs-76s",
        )
    return replace(best, steps=steps, high_falls=high_steps > 0)


def _read_weight(text: str, start: int) -> tuple[float, int]:
    """Read an optional weight; return it and the position after the item."""
    end = next((i for i in range(start, len(text)) if text[i] in _SEPARATORS), len(text))
    if start == end:
        return 1.0, end
    if text[start] != ":":
        raise ParseError("more than an item", text=text, position=start, allowed="a comma or :0.5")
    number = text[start + 1 : end]
    try:
        weight = float(number[:-1]) / 100 if number.endswith("%") else float(number)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise ParseError(
            "not a weight", text=text, position=start + 1, allowed="0 to 1, 0% to 100%"
        )
    return weight, end


def write_weights(weights: NDArray[np.float64]) -> str:
    """Return a short text for these weights, always the same for the same weights."""
    items = [
        item if weight == 1 else f"{item}:{weight!r}"
        for weight in sorted(set(weights.tolist()) - {0.0}, reverse=True)
        for item in _items(np.equal(weights, weight))
    ]
    return ", ".join(items)


def _items(members: NDArray[np.bool_]) -> Iterator[str]:
    """Yield items for holdings of one weight: pairs, other classes, the rest one by one."""
    if members.all():
        yield _RANDOM
        return
    held = np.bincount(CLASS_OF_HOLDING[members], minlength=CLASSES)
    full_classes = frozenset(
        HandClass(hand_class) for hand_class in np.flatnonzero(held == _SIZES).tolist()
    )
    if (
        full_classes
    ):  # where each holding has a weight of its own, covers of nothing would take long
        yield from map(str, _cover(full_classes, _lines("")))
        suited, offsuit = _suited_cover(full_classes, "s"), _suited_cover(full_classes, "o")
        both = [replace(line, suits="") for line in suited if replace(line, suits="o") in offsuit]
        yield from map(str, both)
        yield from (str(line) for line in suited + offsuit if replace(line, suits="") not in both)
    for holding in np.flatnonzero(members)[::-1].tolist():
        if CLASS_OF_HOLDING[holding] not in full_classes:
            yield format_holding(Holding(holding))


@cache
def _lines(suits: str) -> tuple[tuple[_Line, frozenset[HandClass]], ...]:
    """Return all lines of pairs, suited or offsuit classes; of equal lines the preferred first."""
    if not suits:
        pairs = [_Line(rank, rank, "", high_falls=True) for rank in range(_ACE, -1, -1)]
        lines = [replace(top, steps=steps) for top in pairs for steps in range(top.low + 1)]
    else:
        tops = [_Line(high, low, suits) for high in range(_ACE, 0, -1) for low in range(high)]
        lines = [replace(top, steps=steps) for top in tops for steps in range(top.low + 1)]
        lines += [replace(line, high_falls=True) for line in lines if line.steps]
    return tuple((line, frozenset(line.classes())) for line in lines)


def _suited_cover(classes: frozenset[HandClass], suits: str) -> list[_Line]:
    """Cover classes by rows of the chart, isolated ones by diagonals, unless fewer lines suffice.

    The smallest cover overlaps in ways that nobody would write; starting with rows reads better and
    is seldom longer.
    """
    lines = _lines(suits)
    rows = _cover(classes, [entry for entry in lines if not entry[0].high_falls])
    lone = frozenset(hand_class for row in rows if not row.steps for hand_class in row.classes())
    tidy = [row for row in rows if row.steps] + _cover(lone, lines)
    fewest = min(tidy, _cover(classes, lines), key=len)
    return sorted(fewest, key=lambda line: (-line.high, -line.low))


def _cover(
    wanted: frozenset[HandClass], lines: Iterable[tuple[_Line, frozenset[HandClass]]]
) -> list[_Line]:
    """Return few lines that together cover these classes and no others, as far as lines can."""
    if not wanted:
        return []
    usable = [(line, classes) for line, classes in lines if classes <= wanted]
    left = frozenset[HandClass]().union(*(classes for _, classes in usable))
    cover = []
    while left:
        line, classes = max(usable, key=lambda entry: (len(entry[1] & left), -entry[0].steps))
        cover.append(line)
        left -= classes
    return cover


# A range and its arithmetic.


_LONGEST_REPR: Final = 200
"""Characters of a range's text beyond which ``repr`` says only how large the range is."""


@checked
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Range:
    """A weight from 0 to 1 for each holding, as a read-only array (1326,) of float64.

    `Range.parse` reads a text. Raises `railbird.errors.BadInput` for another shape or weights
    outside 0 to 1.

    >>> opening = Range.parse("QQ+, A5s-A2s, KTo:0.5")
    >>> len(opening), opening.combinations
    (46, 40.0)
    >>> str(opening)
    'QQ+, A5s-A2s, KTo:0.5'

    A range behaves like a set. Its members are the holdings with a nonzero weight. ``in``, ``|``,
    ``&`` and ``-`` take a text or a range, and ``in`` a holding, too. A weight below 1 on the left
    of ``in`` has to be reached.

    >>> "KcTd" in opening, "A5s-A3s" in opening, "AK" in opening
    (True, True, False)
    >>> "KTo:0.5" in opening, "KTo:0.7" in opening
    (True, False)

    A union has the larger of two weights, an intersection the smaller one. A difference has what
    is left of the first weight, so the intersection and the difference add up to the first range.

    >>> opening | "AK"
    Range.parse('QQ+, AK, A5s-A2s, KTo:0.5')
    >>> opening & "KK+, KTo"
    Range.parse('KK+, KTo:0.5')
    >>> opening - "KK+:0.25, KTo"
    Range.parse('QQ, A5s-A2s, KK+:0.75')

    >>> from railbird.cards import format_holding
    >>> [(format_holding(holding), weight) for holding, weight in (opening & "AdAc, KcTd").items()]
    [('KcTd', 0.5), ('AdAc', 1.0)]
    """

    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        if isinstance(self.weights, str):
            raise BadInput(f"a range of a text; allowed: Range.parse({self.weights!r})")
        weights = np.array(self.weights, dtype=np.float64)
        if weights.shape != (HOLDINGS,):
            raise BadInput(f"a range of shape {weights.shape}; allowed: ({HOLDINGS},)")
        if not np.all((weights >= 0) & (weights <= 1)):
            raise BadInput("a range's weights must lie between 0 and 1")
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)

    @classmethod
    @checked
    def parse(cls, text: str) -> Range:
        """Parse a range; the empty text is the empty range.

        Raises `railbird.errors.ParseError`, which points at the character.
        """
        return cls(read_weights(text))

    @classmethod
    def full(cls) -> Range:
        """Return the range of all holdings with weight 1."""
        return cls(np.ones(HOLDINGS))

    @classmethod
    @checked
    def of(cls, holdings: Iterable[HoldingLike]) -> Range:
        """Return the range of these holdings with weight 1."""
        weights = np.zeros(HOLDINGS)
        weights[[holding_from(holding) for holding in holdings]] = 1
        return cls(weights)

    @checked
    def without(self, dead: CardsLike) -> Range:
        """Return the range without holdings that contain these cards."""
        blocked = np.isin(HOLDING_CARDS, cards_from(dead)).any(axis=1)
        return Range(np.where(blocked, 0, self.weights))

    @property
    def combinations(self) -> float:
        """Sum of the weights, at most 1,326."""
        return float(self.weights.sum())

    def items(self) -> Iterator[tuple[Holding, float]]:
        """Yield each holding with nonzero weight and that weight, in the order of holdings."""
        for holding in self:
            yield holding, float(self.weights[holding])

    def __iter__(self) -> Iterator[Holding]:
        """Yield the holdings with nonzero weight."""
        return map(Holding, np.flatnonzero(self.weights).tolist())

    def __len__(self) -> int:
        """Return the number of holdings with nonzero weight."""
        return int(np.count_nonzero(self.weights))

    def __contains__(self, value: RangeLike) -> bool:
        """Return whether all holdings of a range, a text or a holding are members.

        Those with a weight below 1 there have at least that weight here.
        """
        least = range_from(value).weights
        members = least > 0
        least = np.where(least < 1, least, np.nextafter(0, 1))
        return bool(np.all(self.weights[members] >= least[members]))

    def __or__(self, value: Range | str) -> Range:
        """Return the larger of both weights of each holding."""
        if not isinstance(value, Range | str):
            return NotImplemented
        return Range(np.maximum(self.weights, range_from(value).weights))

    def __and__(self, value: Range | str) -> Range:
        """Return the smaller of both weights of each holding."""
        if not isinstance(value, Range | str):
            return NotImplemented
        return Range(np.minimum(self.weights, range_from(value).weights))

    def __sub__(self, value: Range | str) -> Range:
        """Return what the other weights leave of these, at least 0."""
        if not isinstance(value, Range | str):
            return NotImplemented
        return Range(np.maximum(self.weights - range_from(value).weights, 0))

    def __rsub__(self, value: Range | str) -> Range:
        if not isinstance(value, Range | str):
            return NotImplemented
        return range_from(value) - self

    __ror__ = __or__
    __rand__ = __and__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __str__(self) -> str:
        """Return a short text that parses to the same weights."""
        return write_weights(self.weights)

    def __repr__(self) -> str:
        """Return the call that makes this range or, if that is long, how large the range is."""
        text = str(self)
        if len(text) <= _LONGEST_REPR:
            return f"Range.parse({text!r})"
        return f"<Range: {len(self)} holdings, {self.combinations:g} combinations>"


RangeLike: TypeAlias = Range | HoldingLike
"""A range, its text, ``"QQ+, AKs"``, or one holding."""


def range_from(value: RangeLike) -> Range:
    """Return a range given as an object, a text or a holding.

    Raises `railbird.errors.BadInput`.

    >>> range_from("QQ+") == Range.parse("QQ+"), len(range_from("K♦-A♠"))
    (True, 1)
    """
    if isinstance(value, Range):
        return value
    if not isinstance(value, str):
        return Range.of([holding_from(value)])
    try:
        return Range.of([parse_holding(value)])
    except (ParseError, DuplicateCard):  # "AhKh, AhQh" are two holdings that share a card
        return Range.parse(value)


# Starting hands in groups of falling strength: Sklansky and Malmuth's, and a no-limit revision.
#
# Both are printed by Booker (2004), section 3.3. The first eight groups are those of Sklansky and
# Malmuth, *Hold'em Poker for Advanced Players* (1988), made for limit; Booker dates them to 1976.
# Two versions of the book's table are in circulation, which differ in three hands: this one, and
# one that has 66 in group 5, 65s in group 6 and K9s in group 7. The revision splits the best hands
# once more and begins with group 0. A hand that is in no group has the number after the last.


_LIMIT: Final = (
    "AA KK QQ JJ AKs",
    "TT AQs AJs KQs AKo",
    "99 JTs QJs KJs ATs AQo",
    "T9s KQo 88 QTs 98s J9s AJo KTs",
    "77 87s Q9s T8s KJo QJo JTo 76s 97s A9s A8s A7s A6s A5s A4s A3s A2s 65s",
    "66 ATo 55 86s KTo QTo 54s K9s J8s 75s",
    "44 J9o 64s T9o 53s 33 98o 43s 22 K8s K7s K6s K5s K4s K3s K2s T7s Q8s",
    "87o A9o Q9o 76o 42s 32s 96s 85s J8o J7s 65o 54o 74s K9o T8o",
)
_REVISED: Final = (
    "AA KK",
    "QQ JJ AKs",
    "TT AKo AQs AJs KQs",
    "AQo 99 ATs KJs QJs KTs",
    "88 AJo KQo QTs A9s JTs ATo A8s",
    "KJo 77 QJo KTo QTo JTo A7s K9s Q9s T9s J9s",
    "66 55 44 33 22 A5s A6s A4s A3s A2s",
)


class StartingGroups(Enum):
    """A division of the 169 classes of hands."""

    LIMIT = "limit"
    """Groups 1 to 8; 9 for the rest."""
    REVISED = "revised"
    """Groups 0 to 6; 7 for the rest."""

    @property
    def first(self) -> int:
        """Number of the best group."""
        return 1 if self is StartingGroups.LIMIT else 0

    @property
    def rest(self) -> int:
        """Group number of the hands that are in no group."""
        return self.first + len(_GROUPS[self])


_GROUPS: Final = {StartingGroups.LIMIT: _LIMIT, StartingGroups.REVISED: _REVISED}


@cache
def starting_groups(groups: StartingGroups) -> npt.NDArray[np.int64]:
    """Return the group of each class of hands, (169,), read-only.

    >>> limit = starting_groups(StartingGroups.LIMIT)
    >>> [int(limit[parse_class(name)]) for name in ("AKs", "AKo", "A2s", "72o")]
    [1, 2, 5, 9]
    """
    numbers = np.full(len(CLASS_NAMES), groups.rest)
    for number, names in enumerate(_GROUPS[groups], groups.first):
        numbers[[parse_class(name) for name in names.split()]] = number
    numbers.flags.writeable = False
    return numbers
