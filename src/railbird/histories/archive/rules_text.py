"""Rules as JSON, in which an archive keeps them."""

from __future__ import annotations

import json
from enum import Enum
from functools import lru_cache
from typing import Final

from railbird.errors import DamagedFile
from railbird.game import (
    Betting,
    OddChips,
    OpenFold,
    Rake,
    Rules,
    ShortAllIn,
    UncallableRaise,
    parse_rake,
)
from railbird.units import Seat

_KEPT: Final = 1 << 14
_ENUMS: Final = {
    "betting": Betting,
    "short_all_in": ShortAllIn,
    "uncallable_raise": UncallableRaise,
    "odd_chips": OddChips,
    "open_fold": OpenFold,
}
_FIELDS: Final = tuple(Rules.__slots__)


@lru_cache(_KEPT)
def rules_text(rules: Rules) -> str:
    """Format rules as JSON; `parse_rules` reads them."""
    values = {name: getattr(rules, name) for name in _FIELDS}
    return json.dumps(values, default=_plain, separators=(",", ":"))


def _plain(value: Enum | Rake) -> str:
    return str(value) if isinstance(value, Rake) else value.value


@lru_cache(_KEPT)
def parse_rules(text: str) -> Rules:
    """Parse rules. Raises `railbird.errors.DamagedFile`."""
    try:
        values = json.loads(text)
        for name, value in values.items():
            if name in _ENUMS:
                values[name] = _ENUMS[name](value)
            elif name == "rake":
                values[name] = None if value is None else parse_rake(value)
            elif isinstance(value, list):
                values[name] = tuple(value)
        values["first_to_act"] = tuple(map(Seat, values["first_to_act"]))
        return Rules(**values)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedFile(f"no rules: {text[:60]!r}") from error
