"""Equity in other games beside poker-equity (PyPI), spot by spot, with all threads of both.

Where both count all deals, both do; else both deal as many at random. Equities must agree.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from bench.goals import Goal, Row
from bench.timing import least
from railbird.odds import Mode, variant_equity

DEALS: Final = 200_000
"""Random deals of a spot that is too large to count."""
_OMAHA: Final = ("AsAhKsKh", "QdQcJdJc")
_FIVE: Final = ("AsAhKsKh2c", "QdQcJdJc3h")
_SIX: Final = ("AsAhKsKh2c7d", "QdQcJdJc3h7s")
_STUD: Final = ("AsAhKs", "KdQd2c")

SPOTS: Final = (
    ("holdem", "holdem", ("AsAh", "KsKd"), "", True),
    ("short-deck", "short_deck", ("AsAh", "KsKd"), "", True),
    ("omaha", "omaha", _OMAHA, "", True),
    ("omaha5", "omaha_five", _FIVE, "", True),
    ("omaha6", "omaha_six", _SIX, "", True),
    ("omaha-hilo", "omaha_hi_lo", _OMAHA, "", True),
    ("omaha5-hilo", "omaha_five_hi_lo", _FIVE, "", True),
    ("courchevel", "courchevel", _FIVE, "5c", True),
    ("courchevel-hilo", "courchevel_hi_lo", _FIVE, "5c", True),
    ("stud", "stud", _STUD, "", False),
    ("stud-hilo", "stud_hi_lo", _STUD, "", False),
    ("razz", "razz", _STUD, "", False),
    ("27-single", "deuce_seven", ("2s3s4d", "8d7c6s"), "", False),
    ("five-card-draw", "five_card_draw", ("AsAhKs", "QdQcJd"), "", False),
    ("badugi", "badugi", ("As2h3d", "Kd2c"), "", False),
)
"""Our game, theirs, hands, board, and whether all deals are counted."""

GOALS: Final = tuple(
    Goal(
        f"ours: equity in {name}",
        f"poker-equity: equity in {name}",
        {"badugi": 1.5}.get(name, 25 if name.startswith("omaha") else 7),
    )
    for name, *_ in SPOTS
)


def rows() -> list[Row]:
    """Return the milliseconds of each spot."""
    try:
        peer = importlib.import_module("poker_equity")
    except ImportError:
        peer = None
    return [row for spot in SPOTS for row in _spot(peer, *spot)]


def _spot(
    peer: Any, name: str, key: str, hands: tuple[str, ...], board: str, exact: bool
) -> Iterator[Row]:
    boards = [board] if board else []
    if exact:
        ours = partial(variant_equity, name, hands, boards, mode=Mode.EXACT)
    else:
        ours = partial(variant_equity, name, hands, boards, mode=Mode.SAMPLED, samples=DEALS)
    answer = ours()
    yield f"ours: equity in {name}", 1000 * least(ours, times=7), "ms"
    if peer is None:
        return
    if exact:
        theirs = partial(peer.exact_from_text, key, list(hands), board)
    else:
        theirs = partial(peer.chunk_from_text, key, list(hands), board, samples=DEALS)
    first, expected = answer.players[0], theirs()["players"][0]
    assert (
        abs(first.equity - expected["equity"]) < 6 * (first.stderr + expected["std_error"]) + 1e-9
    )
    yield f"poker-equity: equity in {name}", 1000 * least(theirs, times=3), "ms"
