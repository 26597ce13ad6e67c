"""Reads and writes ranges of two players in the notations of other programs.

Equilab and PokerStars' tools put a weight around hands, ``[50]KK-QQ[/50]``; solvers put it after
each hand, ``AA:50`` or ``AA@50``; programs exchange JSON, ``{"AA": 0.5}``. Weights are shares of 1,
or per cent if one of them is above 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import numpy as np

from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, Holding, Range, format_holding
from railbird.errors import BadInput

_BRACKETS: Final = re.compile(
    r"\[\s*(\d{1,3}(?:\.\d{0,9})?)\s*%?\s*\]([^\[\]]*)\[\s*/\s*(\d{1,3}(?:\.\d{0,9})?)?\s*%?\s*\]"
)
_WEIGHTED: Final = re.compile(r"^([^:@\s]+)\s*[:@]\s*(\d{0,3}(?:\.\d{0,9})?)\s*%?$")
_SEPARATORS: Final = re.compile(r"[,;\s]+")
_AROUND_WEIGHT: Final = re.compile(r"\s*([:@])\s*")
_PERCENT: Final = 100.0
_MOST_TEXT: Final = 1 << 16
_DIGITS: Final = 6

Weighted = tuple[str, float | None]
"""Hands as written, and their weight if they have one."""


def house_notation(text: str) -> str:
    """Return a range in the notation of `Range.parse`; text in no other notation is unchanged.

    Raises `BadInput` for invalid weights, and for brackets or braces that do not close.

    >>> house_notation("AA,[50]KK-QQ, AKs[/50]")
    'AA,KK-QQ:0.5,AKs:0.5'
    >>> house_notation("AA:100, KK:50"), house_notation("AA@50"), house_notation('{"AA": 1}')
    ('AA:1,KK:0.5', 'AA:0.5', 'AA:1')
    """
    if len(text) > _MOST_TEXT:
        raise BadInput(f"a range of {len(text):,} characters; allowed: up to {_MOST_TEXT:,}")
    stripped = text.strip()
    if stripped.startswith("{"):
        return _in_house(_of_json(stripped))
    if "[" in text or "]" in text:
        return _in_house(_of_brackets(text))
    weighted = list(_of_tokens(text))
    # A share written too large, such as 1.5, is not a percentage, which would be next to nothing.
    is_foreign = any(weight is not None and weight >= 2 for _, weight in weighted)
    if is_foreign or re.search(r"[^\s,;]\s*@", text):
        return _in_house(weighted)
    return text


def _of_json(text: str) -> list[Weighted]:
    try:
        hands = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"a range in braces that is no JSON: {str(error)[:80]}") from None
    if not isinstance(hands, Mapping):
        raise BadInput('a range in braces; such as {"AA": 1, "AKs": 0.5}')
    for name, weight in hands.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise BadInput(f"weight {str(weight)[:20]!r} of {name[:20]}; allowed: a number")
        if not 0 <= weight <= _PERCENT:
            raise BadInput(f"weight {weight:g} of {name[:20]}; allowed: 0 to 1, or 0 to 100 %")
    return [(name, float(weight)) for name, weight in hands.items()]


def _of_brackets(text: str) -> list[Weighted]:
    weighted: list[Weighted] = []
    unit = _unit(_of_tokens(_BRACKETS.sub(",", text)))
    end = 0
    for match in _BRACKETS.finditer(text):
        weighted += _of_tokens(text[end : match.start()], unit)
        begun, hands, ended = match.groups()
        if ended and float(ended) != float(begun):
            raise BadInput(f"[{begun}] that ends with [/{ended}]; such as [50]KK-QQ[/50]")
        # Weights in brackets are always per cent, so 1 is one per cent.
        if float(begun) > _PERCENT:
            raise BadInput(f"weight [{begun}]; allowed: 0 to 100 %")
        inner = list(_of_tokens(hands))
        if any(weight is not None for _, weight in inner):
            raise BadInput(f"a weight inside [{begun}] as well; such as [50]KK-QQ[/50]")
        weighted += [(name, float(begun) / _PERCENT) for name, _ in inner]
        end = match.end()
    rest = text[end:]
    if "[" in rest or "]" in rest or any("[" in name or "]" in name for name, _ in weighted):
        raise BadInput("a bracket that does not close; such as [50]KK-QQ[/50]")
    return weighted + list(_of_tokens(rest, unit))


def _of_tokens(text: str, unit: float = 1.0) -> Iterable[Weighted]:
    """Yield hands and their weights, as written unless ``unit`` says how many are the whole."""
    for token in filter(None, _SEPARATORS.split(_AROUND_WEIGHT.sub(r"\1", text.strip()))):
        match = _WEIGHTED.match(token)
        if match is None or match[2] in ("", "."):
            yield token, None
        else:
            yield match[1], float(match[2]) / unit


def _unit(weighted: Iterable[Weighted]) -> float:
    """Return the weight of a whole hand: 100 if a weight is above 1. Raises `BadInput`."""
    most = max((weight for _, weight in weighted if weight is not None), default=0.0)
    if most > _PERCENT:
        raise BadInput(f"weight {most:g}; allowed: 0 to 1, or 0 to 100 %")
    return _PERCENT if most > 1 else 1.0


def _in_house(weighted: Iterable[Weighted]) -> str:
    weighted = list(weighted)
    unit = _unit(weighted)
    return ",".join(
        name if weight is None else f"{name}:{round(weight / unit, _DIGITS):g}"
        for name, weight in weighted
        if weight != 0
    )


def _brackets(groups: list[tuple[float, list[str]]]) -> str:
    return ",".join(
        ",".join(names)
        if weight == 1
        else f"[{_percent(weight)}]{','.join(names)}[/{_percent(weight)}]"
        for weight, names in groups
    )


def _behind(sign: str) -> Callable[[list[tuple[float, list[str]]]], str]:
    def written(groups: list[tuple[float, list[str]]]) -> str:
        return ",".join(
            name if weight == 1 else f"{name}{sign}{_percent(weight)}"
            for weight, names in groups
            for name in names
        )

    return written


def _as_json(groups: list[tuple[float, list[str]]]) -> str:
    return json.dumps({name: weight for weight, names in groups for name in names})


def _percent(weight: float) -> str:
    return f"{round(_PERCENT * weight, 4):g}"


NOTATIONS: Final[Mapping[str, Callable[[list[tuple[float, list[str]]]], str]]] = {
    "[50]KK[/50]": _brackets,
    "KK:50": _behind(":"),
    "KK@50": _behind("@"),
    '{"KK":0.5}': _as_json,
}
"""For an example of each notation, the function that writes groups of hands of equal weight."""


def in_notation(player_range: Range, example: str) -> str:
    """Write a range in one of `NOTATIONS`, as hand classes, or as holdings where suits differ.

    >>> in_notation(Range.parse("AA,KK-QQ:0.5"), "[50]KK[/50]")
    'AA,[50]KK,QQ[/50]'
    >>> in_notation(Range.parse("AA,KK:0.5"), "KK@50")
    'AA,KK@50'
    """
    weights = player_range.weights
    groups: dict[float, list[str]] = {}
    for number, name in enumerate(CLASS_NAMES):
        held = np.flatnonzero(number == CLASS_OF_HOLDING)
        if np.all(weights[held] == weights[held[0]]):
            groups.setdefault(float(weights[held[0]]), []).append(name)
            continue
        for holding in held.tolist():
            groups.setdefault(float(weights[holding]), []).append(format_holding(Holding(holding)))
    groups.pop(0.0, None)
    return NOTATIONS[example](sorted(groups.items(), key=lambda group: -group[0]))
