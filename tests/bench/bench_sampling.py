"""Random deals before the flop, a second of a thread's processor time: ours, eval7, OMPEval.

OMPEval is C++ and in no package index: it is measured if ``OMPEVAL`` names a folder with its
sources (github.com/zekyll/OMPEval), which are compiled beside.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

from bench.goals import Goal, Row
from railbird.cards import RANKS
from railbird.odds import Mode, equity

PAIRS = ",".join(f"{rank}{rank}" for rank in RANKS)
QUESTIONS = {
    "AsAh v pairs": ["AsAh", PAIRS],
    "AsAh v random": ["AsAh", "random"],
    "three random hands": ["random"] * 3,
    "six random hands": ["random"] * 6,
    "AK four times": ["AK"] * 4,
}
_SAMPLES = 2_000_000
_ROUNDS = 5
_SECONDS = 0.5

GOALS = (
    Goal("ours: AsAh v pairs", "eval7: AsAh v pairs", 3),
    *(Goal(f"ours: {what}", f"OMPEval: {what}", 1.5) for what in QUESTIONS),
)


def rows() -> list[Row]:
    """Return what, how much and in which unit; who is compared takes turns."""
    with tempfile.TemporaryDirectory() as folder:
        ask = _ompeval(Path(folder))
        return [row for what, players in QUESTIONS.items() for row in _compared(what, players, ask)]


def _compared(
    what: str, players: list[str], ask: Callable[[list[str]], float] | None
) -> Iterator[Row]:
    measures: dict[str, Callable[[], float]] = {"ours": lambda: _ours(players)}
    if what == "AsAh v pairs":
        with suppress(ImportError):
            measures["eval7"] = _eval7()
    if ask is not None:
        measures["OMPEval"] = lambda: ask(players)
    best = dict.fromkeys(measures, 0.0)
    for _ in range(_ROUNDS):
        best = {name: max(best[name], measure()) for name, measure in measures.items()}
    for name, speed in best.items():
        yield f"{name}: {what}", speed, "deals/s"


def _ours(players: list[str]) -> float:
    os.environ["NUMBA_NUM_THREADS"] = "1"
    try:
        start = time.process_time()
        equity(players, mode=Mode.SAMPLED, samples=_SAMPLES, rng=np.random.default_rng(1))
        return _SAMPLES / (time.process_time() - start)
    finally:
        del os.environ["NUMBA_NUM_THREADS"]


def _eval7() -> Callable[[], float]:
    # Its exact hand against range is wrong on an incomplete board, so only its sampling.
    import eval7

    hand, samples = [eval7.Card(card) for card in ("As", "Ah")], 1_000_000

    def measure() -> float:
        start = time.process_time()
        eval7.py_hand_vs_range_monte_carlo(hand, eval7.HandRange(PAIRS), [], samples)
        return samples / (time.process_time() - start)

    return measure


def _ompeval(folder: Path) -> Callable[[list[str]], float] | None:
    """Build its calculator with a main program of ours; None without its sources."""
    sources = os.environ.get("OMPEVAL")
    if not sources:
        return None
    copy, program = folder / "OMPEval", folder / "deals"
    shutil.copytree(sources, copy)
    # Newer compilers want these two known while they compile, and one more header.
    header = copy / "omp" / "Random.h"
    header.write_text(
        header.read_text().replace("static uint64_t m", "static constexpr uint64_t m")
    )
    flags = ["-std=c++11", "-O3", "-march=native", "-include", "functional", "-pthread"]
    main = Path(__file__).parent / "ompeval.cpp"
    inputs = [str(path) for path in (*(copy / "omp").glob("*.cpp"), main)]
    subprocess.run(["g++", *flags, f"-I{copy}", *inputs, "-o", str(program)], check=True)

    def ask(players: list[str]) -> float:
        command = [str(program), str(_SECONDS), *players]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return ask
