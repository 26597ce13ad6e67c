"""Reads abstractions for any hold'em from the records in strategies' files."""

from __future__ import annotations

from collections.abc import Mapping

from railbird.errors import BadInput, unknown_name
from railbird.solve.abstraction.buckets import read_buckets
from railbird.solve.abstraction.card_abstraction import CardAbstraction, CardBlind
from railbird.solve.abstraction.percentile import read_percentile


def read_abstraction(record: object) -> CardAbstraction:
    """Return the abstraction of a `CardAbstraction.record`.

    Raises `BadInput` for another record, or if tables that it needs have not been built.
    """
    if not isinstance(record, Mapping):
        raise BadInput("an abstraction without a record")
    match kind := record.get("kind"):
        case "blind":
            return CardBlind()
        case "percentile":
            return read_percentile(dict(record))
        case "buckets":
            return read_buckets(record)
        case str():
            raise unknown_name("abstraction", kind, ["blind", "percentile", "buckets"])
        case _:
            raise BadInput("an abstraction without a kind")
