"""Ranges: a weight for each of the 1,326 holdings, written the way players write them.

| written | means |
|---|---|
| `QQ`, `AKs`, `AKo`, `AK` | a class; without a letter both suited and offsuit |
| `QQ+`, `A5s+` | this and better pairs; this and better second cards |
| `QQ-99`, `A5s-A2s`, `JTs-76s` | from the one to the other, a rank at a time |
| `AsKd` | one holding |
| `random` | every holding |
| `KTo:0.5` | any of these with a weight, 0 to 1; 1 without one |

Items are separated by commas or spaces; where two name a holding the later one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.cards.card import RANKS, read_card
from railbird.cards.holding import (
    CLASS_OF_HOLDING,
    HOLDINGS,
    HandClass,
    Holding,
    format_holding,
    holding_of,
    parse_class,
)
from railbird.errors import BadInput, ParseError

_ITEM = re.compile(r"[^\s,]+")
_CLASS = re.compile(r"([2-9TJQKA])([2-9TJQKA])([SO]?)", re.IGNORECASE)
_ALLOWED = "items such as QQ+, A5s-A2s, AKo, AsKd, random, KTo:0.5"
_RANDOM = "random"

_Shape = tuple[int, int, str]
"""High rank, low rank, and s, o or nothing for both."""


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """A weight from 0 to 1 for each holding, as a read-only array (1326,) of float64.

    Raises `railbird.errors.BadInput` for another shape or weights outside 0 to 1.

    >>> pairs = Range.parse("QQ+, A5s-A2s, KTo:0.5")
    >>> pairs.combinations
    40.0
    >>> str(pairs)
    'QQ+, A5s-A2s, KTo:0.5'
    """

    weights: npt.NDArray[np.float64]

    def __post_init__(self) -> None:
        weights = np.array(self.weights, dtype=np.float64)
        if weights.shape != (HOLDINGS,):
            raise BadInput(f"a range of shape {weights.shape}; allowed: ({HOLDINGS},)")
        if not np.all((weights >= 0) & (weights <= 1)):
            raise BadInput("a range's weights must lie between 0 and 1")
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)

    @classmethod
    def parse(cls, text: str) -> Range:
        """Read a range; the empty text is the empty range.

        Raises `railbird.errors.ParseError`, which points at the character.
        """
        weights = np.zeros(HOLDINGS)
        for match in _ITEM.finditer(text):
            item, weight = _split_weight(text, match.start(), match.group())
            weights[_members(text, match.start(), item)] = weight
        return cls(weights)

    @classmethod
    def full(cls) -> Range:
        """Every holding with weight 1."""
        return cls(np.ones(HOLDINGS))

    @classmethod
    def of(cls, holdings: Iterable[Holding]) -> Range:
        """These holdings with weight 1."""
        weights = np.zeros(HOLDINGS)
        weights[list(holdings)] = 1
        return cls(weights)

    @property
    def combinations(self) -> float:
        """Sum of the weights, at most 1,326."""
        return float(self.weights.sum())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __str__(self) -> str:
        """Write the range so that ``Range.parse`` reads the same weights."""
        if np.all(self.weights == 1):
            return _RANDOM
        items: list[str] = []
        for weight in sorted(set(self.weights.tolist()) - {0.0}, reverse=True):
            suffix = "" if weight == 1 else f":{weight!r}"
            items += (item + suffix for item in _write(self.weights == weight))
        return ", ".join(items)


def _split_weight(text: str, start: int, item: str) -> tuple[str, float]:
    name, colon, number = item.partition(":")
    if not colon:
        return item, 1.0
    try:
        weight = float(number)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise ParseError(
            "not a weight", text=text, position=start + len(name) + 1, allowed="numbers from 0 to 1"
        )
    return name, weight


def _members(text: str, start: int, item: str) -> npt.NDArray[np.intp]:
    if item.lower() == _RANDOM:
        return np.arange(HOLDINGS)
    first = _CLASS.match(item)
    if first is None or item[first.end() :][:1] not in ("", "+", "-"):
        return np.array([_holding(text, start, item)])
    shape = _shape(first)
    rest = item[first.end() :]
    if not rest:
        shapes = [shape]
    elif rest == "+":
        shapes = list(_better(shape))
    else:
        last = _CLASS.fullmatch(rest[1:]) if rest[0] == "-" else None
        if last is None:
            raise ParseError(
                "not an end of a range", text=text, position=start + first.end(), allowed=_ALLOWED
            )
        shapes = _between(shape, _shape(last), text, start + first.end())
    if any(high == low and suited for high, low, suited in shapes):
        raise ParseError(
            "no pair is suited or offsuit", text=text, position=start + 2, allowed="such as QQ"
        )
    classes = [c for high, low, suited in shapes for c in _classes(high, low, suited)]
    return np.flatnonzero(np.isin(CLASS_OF_HOLDING, classes))


def _holding(text: str, start: int, item: str) -> Holding:
    end = start + len(item)
    first, after = read_card(text, start)
    second, after = read_card(text, after)
    if after != end:
        raise ParseError("more than a holding", text=text, position=after, allowed=_ALLOWED)
    return holding_of(first, second)


def _shape(match: re.Match[str]) -> _Shape:
    ranks = sorted((RANKS.index(match[1].upper()), RANKS.index(match[2].upper())))
    return ranks[1], ranks[0], match[3].lower()


def _better(shape: _Shape) -> Iterator[_Shape]:
    high, low, suited = shape
    if high == low:
        return ((rank, rank, suited) for rank in range(high, len(RANKS)))
    return ((high, kicker, suited) for kicker in range(low, high))


def _between(first: _Shape, last: _Shape, text: str, position: int) -> list[_Shape]:
    (high, low, suited), (high_2, low_2, suited_2) = sorted((first, last), reverse=True)
    steps = low - low_2
    same_step = high - high_2 in (0, steps) and (high == low) == (high_2 == low_2)
    if suited != suited_2 or steps < 0 or not same_step:
        raise ParseError(
            "the ends do not lie on one line",
            text=text,
            position=position,
            allowed="QQ-99, A5s-A2s, JTs-76s",
        )
    both = high != high_2
    return [(high - step * both, low - step, suited) for step in range(steps + 1)]


def _classes(high: int, low: int, suited: str) -> list[HandClass]:
    name = RANKS[high] + RANKS[low]
    letters = [""] if high == low else [suited] if suited else ["s", "o"]
    return [parse_class(name + letter) for letter in letters]


def _write(members: npt.NDArray[np.bool_]) -> Iterator[str]:
    """Write holdings as few items: pairs, whole classes, suited, offsuit, then one by one."""
    whole = {
        HandClass(c)
        for c in np.unique(CLASS_OF_HOLDING).tolist()
        if members[c == CLASS_OF_HOLDING].all()
    }
    written: set[HandClass] = set()
    pairs = [rank for rank in range(len(RANKS)) if _classes(rank, rank, "")[0] in whole]
    yield from _runs(pairs, [rank * 2 for rank in RANKS])
    for letter in ("", "s", "o"):
        for high in range(len(RANKS) - 1, 0, -1):
            names = [RANKS[high] + kicker + letter for kicker in RANKS[:high]]
            kickers = [
                low for low in range(high) if whole - written >= {*_classes(high, low, letter)}
            ]
            written.update(c for low in kickers for c in _classes(high, low, letter))
            yield from _runs(kickers, names)
    for holding in np.flatnonzero(members)[::-1].tolist():
        if CLASS_OF_HOLDING[holding] not in whole:
            yield format_holding(Holding(holding))


def _runs(ranks: list[int], names: list[str]) -> Iterator[str]:
    """Write ascending ranks as runs from the top; a run that ends the names gets a plus sign."""
    left = list(ranks)
    while left:
        last = first = left.pop()
        while left and left[-1] == first - 1:
            first = left.pop()
        if first == last:
            yield names[first]
        elif last == len(names) - 1:
            yield names[first] + "+"
        else:
            yield f"{names[last]}-{names[first]}"
