"""Abstractions as strategies' files keep them."""

from __future__ import annotations

from collections.abc import Mapping

from railbird.errors import BadInput, unknown_name
from railbird.solve.abstraction.card_abstraction import CardAbstraction, CardBlind


def read_abstraction(record: object) -> CardAbstraction:
    """Return the abstraction of a `CardAbstraction.record`. Raises `BadInput` for another text."""
    kind = record.get("kind") if isinstance(record, Mapping) else None
    match kind:
        case "blind":
            return CardBlind()
        case str():
            raise unknown_name("abstraction", kind, ["blind"])
        case _:
            raise BadInput("an abstraction without a kind")
