"""Loki: weighted strength and potential, and hands a second of ten players; one core."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter

import numpy as np

from bench.goals import Row
from bench.timing import least
from railbird.arena import play
from railbird.cards import HOLDINGS, Card, parse_cards, parse_holding
from railbird.modelling.reweighting import (
    ANYTHING,
    board_order,
    board_values,
    chances_of,
    field_of,
    field_scale,
    percentile_scale,
    reweight,
)
from railbird.odds import hand_strengths, potential
from railbird.players.loki import worth
from railbird.players.loki.rules import board_strengths
from railbird_papers.papp1998.matchups import SEATS, Version, match_of

FLOP = parse_cards("3h4cJh")
HELD = parse_holding("AdQc")
DEALS = 40
"""Of a table of ten: ten times as many hands, some seconds of play."""
_KEPT = (
    board_order,
    board_strengths,
    board_values,
    chances_of,
    field_of,
    field_scale,
    percentile_scale,
    reweight,
)


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    return [*_one_board(), *_hands()]


def best(call: Callable[[], object], repeats: int = 200) -> float:
    """Least of some timings in seconds: other work on the machine only adds to it."""
    return least(call, times=repeats)


def _one_board() -> Iterator[Row]:
    weights = np.random.default_rng(1).random(HOLDINGS)
    board = tuple(sorted(FLOP))
    strengths = best(partial(hand_strengths, FLOP, weights=weights))
    yield "ours: weighted HS of all holdings on a flop", 1e6 * strengths, "µs"
    for cards, call in (
        (1, partial(worth, HELD, FLOP, weights, opponents=3)),
        (2, partial(potential, HELD, FLOP, to_come=2, weights=weights)),
    ):
        yield f"ours: weighted PPot{cards} and NPot{cards} of one holding", 1e3 * best(call), "ms"

    yield "ours: what all holdings of a new flop are worth", 1e6 * best(partial(_any, board)), "µs"
    yield "ours: the same by the field", 1e6 * best(partial(_field, board)), "µs"


def _forget() -> None:
    """Boards are worked out once in a process; here each row begins without them."""
    for kept in _KEPT:
        kept.cache_clear()


def _any(board: tuple[Card, ...]) -> None:
    _forget()
    percentile_scale(board)


def _field(board: tuple[Card, ...]) -> None:
    _forget()
    field_scale((ANYTHING, ANYTHING), board)


def _hands() -> Iterator[Row]:
    for spec in ("loki:gom", "loki:som", "loki:gom,scale=field", "loki:bpl"):
        versions = [Version("all", spec, SEATS)]
        play(match_of(versions, 2, seed=0))
        _forget()
        match = match_of(versions, DEALS, seed=1)
        start = perf_counter()
        play(match)
        yield f"ours: ten {spec}", match.hands / (perf_counter() - start), "hands/s"
