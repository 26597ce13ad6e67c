"""Parsing and formatting of ranges.

A *line* is a run of classes on the 13 x 13 chart, which one item of a range names:
``QQ+`` and ``JJ-88`` run along the diagonal, ``A5s-A2s`` along a row, ``JTs-76s`` beside the
diagonal. A single class is a line of length one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards.card import RANKS, SUIT_CHARACTERS, format_card, read_card, read_rank
from railbird.cards.holding import (
    CLASS_OF_HOLDING,
    CLASSES,
    HOLDINGS,
    HandClass,
    Holding,
    format_holding,
    holding_of,
)
from railbird.cards.ranges._class_order import best_classes
from railbird.errors import DuplicateCard, ParseError

_SEPARATORS = frozenset(",; \t\r\n")
_RANDOM = "random"
_SHARE = re.compile(r"(?:top\s*)?(\d+(?:\.\d+)?)\s*%", re.IGNORECASE)
_ALLOWED = "items such as QQ+, A5s-A2s, AK, AsKd, random, 20%, KTo:0.5"
_ACE = len(RANKS) - 1


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
        members, position = _read_members(text, position)
        weights[members], position = _read_weight(text, position)
    return weights


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
    return np.isin(CLASS_OF_HOLDING, [each for line in lines for each in line.classes()]), end


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


def _between(one: _Line, other: _Line, text: str, position: int) -> _Line:
    best, last = sorted((one, other), key=lambda line: (line.high, line.low), reverse=True)
    steps, high_steps = best.low - last.low, best.high - last.high
    if best.suits != last.suits or best.is_pair != last.is_pair or high_steps not in (0, steps):
        raise ParseError(
            f"not on a line with {one}",
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
    try:
        weight = float(text[start + 1 : end])
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise ParseError("not a weight", text=text, position=start + 1, allowed="0 to 1")
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
    missing = np.bincount(CLASS_OF_HOLDING[~members], minlength=CLASSES)
    whole = frozenset(HandClass(each) for each in np.flatnonzero(missing == 0).tolist())
    yield from map(str, _cover(whole, _lines("")))
    suited, offsuit = _suited_cover(whole, "s"), _suited_cover(whole, "o")
    both = [replace(line, suits="") for line in suited if replace(line, suits="o") in offsuit]
    yield from map(str, both)
    yield from (str(line) for line in suited + offsuit if replace(line, suits="") not in both)
    for holding in np.flatnonzero(members)[::-1].tolist():
        if CLASS_OF_HOLDING[holding] not in whole:
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


def _suited_cover(whole: frozenset[HandClass], suits: str) -> list[_Line]:
    """Cover classes by rows of the chart, isolated ones by diagonals, unless fewer lines suffice.

    The smallest cover overlaps in ways that nobody would write; starting with rows reads better and
    is seldom longer.
    """
    lines = _lines(suits)
    rows = _cover(whole, [each for each in lines if not each[0].high_falls])
    lone = frozenset(hand_class for row in rows if not row.steps for hand_class in row.classes())
    tidy = [row for row in rows if row.steps] + _cover(lone, lines)
    fewest = min(tidy, _cover(whole, lines), key=len)
    return sorted(fewest, key=lambda line: (-line.high, -line.low))


def _cover(
    whole: frozenset[HandClass], lines: Iterable[tuple[_Line, frozenset[HandClass]]]
) -> list[_Line]:
    """Return few lines that together cover these classes and no others, as far as lines can."""
    if not whole:
        return []
    usable = [(line, classes) for line, classes in lines if classes <= whole]
    left = frozenset[HandClass]().union(*(classes for _, classes in usable))
    cover = []
    while left:
        line, classes = max(usable, key=lambda each: (len(each[1] & left), -each[0].steps))
        cover.append(line)
        left -= classes
    return cover
