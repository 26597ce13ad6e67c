"""Tables from nothing, the preflop matrix, and equities."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np

from bench.goals import Row
from bench.timing import least
from railbird._threads import thread_count
from railbird.cards import HOLDINGS, Range, parse_cards, parse_holding
from railbird.odds._warm import warm_up_steps
from railbird.odds.all_in_equity import equity
from railbird.odds.hand_rank import hand_rank
from railbird.odds.potential import potential
from railbird.odds.preflop_matrix import classes_matrix, open_matrix
from railbird.odds.rank_tables import open_tables, status
from railbird.odds.stored_arrays import Check
from railbird.serve.mounts.odds import OddsQuestion, odds_view

FLOP = parse_cards("Td5hTh")


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    for _, step in warm_up_steps():
        step()
    return [*_from_nothing(), *_equities(), *_one_holding(), *_page()]


def best_ms(call: Callable[[], object], repeats: int = 15) -> float:
    """Least of some timings: other work on the machine only adds to it."""
    return 1000 * least(call, times=repeats)


@contextmanager
def _empty_cache() -> Iterator[None]:
    before = os.environ.get("RAILBIRD_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RAILBIRD_CACHE"] = folder
        try:
            yield
        finally:
            del os.environ["RAILBIRD_CACHE"]
            if before is not None:
                os.environ["RAILBIRD_CACHE"] = before


def _from_nothing() -> Iterator[Row]:
    threads = f"{thread_count()} threads"
    with _empty_cache():
        yield f"ours: all hand-rank tables from nothing, {threads}", _seconds(open_tables), "s"
        yield f"ours: the 1326 x 1326 matrix from nothing, {threads}", _seconds(open_matrix), "s"
        yield "ours: opening all tables", best_ms(open_tables), "ms"
        yield "ours: verifying all tables", best_ms(lambda: status(check=Check.FULL), 3), "ms"
    yield (
        "ours: the matrix folded to 169 x 169",
        best_ms(lambda: classes_matrix(open_matrix())),
        "ms",
    )


def _seconds(call: Callable[[], object]) -> float:
    return best_ms(call, 1) / 1000


def _top_fifth() -> Range:
    """The 20 % of holdings that do best against any two cards."""
    ranks = open_matrix().equity
    order = np.argsort(-np.nanmean(ranks, axis=1), kind="stable")
    weights = np.zeros(HOLDINGS)
    weights[order[: HOLDINGS // 5]] = 1
    return Range(weights)


def _equities() -> Iterator[Row]:
    full, strong, fifth = Range.full(), Range.parse("QQ+,AK"), _top_fifth()
    cases: list[tuple[str, Callable[[], object]]] = [
        ("random v random on a flop", lambda: equity([full, full], FLOP)),
        ("QQ+,AK v a 20 % range on a flop", lambda: equity([strong, fifth], FLOP)),
        ("AsAh v random before the flop", lambda: equity(["AsAh", full])),
        ("random v random before the flop", lambda: equity([full, full])),
        ("three hands before the flop", lambda: equity(["AsAh", "KsKh", "7c2d"])),
        ("ten hands on a flop", lambda: equity(TEN, "2c7d9h")),
    ]
    for what, call in cases:
        yield f"ours: {what}, exact", best_ms(call), "ms"


TEN = ["AsAh", "KsKh", "QsQh", "JsJh", "TsTh", "9s8s", "7s6s", "5s4s", "AdKd", "3c3d"]


def _page() -> Iterator[Row]:
    """An answer of the page of odds."""
    spot = {"hole": "AsTh", "o1p": "raise", "o1f": "bet"}
    for n in ("1", "9"):
        for name, board in (("before the flop", ""), ("on a flop", "Tc8d2c")):
            question = OddsQuestion.parse(spot | {"n": n, "board": board})
            odds_view(question)  # compiles
            words = f"ours: the page of odds {name}, {n} opponent{'s' if n != '1' else ''}"
            yield words, best_ms(partial(odds_view, question)), "ms"


def _one_holding() -> Iterator[Row]:
    hole, tables = parse_holding("AdQc"), open_tables()
    yield (
        "ours: IHR and 7cHR on a flop, by table",
        best_ms(lambda: hand_rank(hole, FLOP, tables=tables)),
        "ms",
    )
    yield "ours: IHR and 7cHR on a flop, enumerated", best_ms(lambda: hand_rank(hole, FLOP)), "ms"
    yield (
        "ours: potential with two cards to come",
        best_ms(lambda: potential(hole, FLOP, to_come=2)),
        "ms",
    )
