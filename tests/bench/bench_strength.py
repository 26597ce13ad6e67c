"""Strength of seven cards: enumerated, in random arrays, one by one from Python; one core."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.goals import Goal, Row
from railbird.cards import Card, format_card, strength, strengths
from railbird.cards.hand_strength import category_counts, strength_counts

ALL_HANDS = comb(52, 7)
ENOUGH_SECONDS = 1.5


def best_of(job: Callable[[], object]) -> float:
    """Return the shortest time of a job in seconds, after a first run that may compile."""
    job()
    seconds: list[float] = []
    while sum(seconds) < ENOUGH_SECONDS:
        start = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def random_hands(count: int, size: int) -> NDArray[np.uint8]:
    order = np.random.default_rng(1).random((count, 52), dtype=np.float32).argsort(axis=1)
    return np.ascontiguousarray(order[:, :size], dtype=np.uint8)


def call_each(function: Callable[[Any], object], hands: Iterable[Any]) -> Callable[[], None]:
    def job() -> None:
        for hand in hands:
            function(hand)

    return job


def call_each_with_cards(
    function: Callable[..., object], hands: Iterable[Sequence[Any]]
) -> Callable[[], None]:
    def job() -> None:
        for hand in hands:
            function(*hand)

    return job


def enumerated() -> list[Row]:
    return [
        (
            "ours: all seven-card hands, by category",
            ALL_HANDS / best_of(category_counts),
            "hands/s",
        ),
        (
            "ours: all seven-card hands, by strength",
            ALL_HANDS / best_of(strength_counts),
            "hands/s",
        ),
    ]


def in_arrays() -> list[Row]:
    rows = []
    for size in (7, 6, 5):
        hands = random_hands(1_000_000, size)
        speed = len(hands) / best_of(partial(strengths, hands))
        rows.append((f"ours: {size} random cards, an array", speed, "hands/s"))
    return rows


def called() -> list[Row]:
    hands = [tuple(map(Card, hand)) for hand in random_hands(20_000, 7).tolist()]
    jobs = {"ours": call_each(strength, hands)} | dict(peers(hands))
    return [
        (f"{name}: seven cards, a call from Python", len(hands) / best_of(job), "hands/s")
        for name, job in jobs.items()
    ]


def peers(hands: list[tuple[Card, ...]]) -> Iterable[tuple[str, Callable[[], None]]]:
    """Yield the peers that are installed, each with its own kind of cards made beforehand."""
    if phevaluator := installed("phevaluator"):
        native = installed("phevaluator._pheval")
        yield "phevaluator", call_each_with_cards(phevaluator.evaluate_cards, hands)
        if native:
            yield "phevaluator's C function", call_each_with_cards(native.evaluate_7cards, hands)
    if eval7 := installed("eval7"):
        named = [[eval7.Card(format_card(card)) for card in hand] for hand in hands]
        yield "eval7", call_each(eval7.evaluate, named)
    if treys := installed("treys"):
        split = [[treys.Card.new(format_card(card)) for card in hand] for hand in hands]
        pairs = [(hand[:2], hand[2:]) for hand in split]
        yield "treys", call_each_with_cards(treys.Evaluator().evaluate, pairs)


def installed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def imported() -> list[Row]:
    """Time what the tables add to an import."""
    command = [
        sys.executable,
        "-X",
        "importtime",
        "-c",
        "import railbird.cards.tables",
    ]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    own = re.findall(r"(\d+) \|\s+\d+ \|\s+railbird\.cards\._tables\w*$", report, re.MULTILINE)
    return [("ours: tables built on import", sum(map(int, own)) / 1000, "ms")]


_CALL = "seven cards, a call from Python"
GOALS = tuple(
    Goal(f"ours: {_CALL}", f"{peer}: {_CALL}", times)
    for peer, times in (
        ("eval7", 2.5),
        ("phevaluator", 3.5),
        ("treys", 40),
        ("phevaluator's C function", 0.5),
    )
)


def rows() -> list[Row]:
    return [*enumerated(), *in_arrays(), *called(), *imported()]
