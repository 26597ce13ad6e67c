"""Compile this room's kernels by calling each on trivial input."""

from __future__ import annotations

from collections.abc import Callable

from railbird.cards import parse_cards
from railbird.modelling.reweighting import ANYTHING, field_scale

_FLOP = tuple(sorted(parse_cards("3h4cJh")))


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """List what compiles the kernels, as (name, function); the hand-rank tables must exist."""
    return [("values of holdings", lambda: field_scale((ANYTHING,), _FLOP))]
