"""Hand histories read with every hand verified, and written; one core, hands a second.

Random players hardly ever bet in the same way twice; people and programs do, so that logs of real
matches read faster. Real logs lie beside a development checkout; elsewhere their rows are left out.
"""

from __future__ import annotations

import importlib
import io
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.goals import Goal, Row
from railbird.game import Rules
from railbird.histories import (
    FORMATS,
    HandRecord,
    WriteOptions,
    archive,
    read,
    read_columns,
    resolve_game,
)
from railbird.histories.columns import HandBatch
from twins.slow_histories import random_record

ENOUGH_SECONDS = 2.0
LIMIT = "holdem.limit.2p.reverse_blinds.game"
SIX = "holdem.nolimit.6p.game,stack=10000"
DATA = Path(__file__).resolve().parents[3] / "shared/data"


def hands_per_second(job: Callable[[], int]) -> float:
    """Return the best rate of a job that says how many hands it did, after one that may compile."""
    job()
    rates: list[float] = []
    start = time.perf_counter()
    while time.perf_counter() - start < ENOUGH_SECONDS:
        before = time.perf_counter()
        hands = job()
        rates.append(hands / (time.perf_counter() - before))
    return max(rates)


def reading(source: Path | bytes, **options: Any) -> Callable[[], int]:
    def job() -> int:
        hands = 0
        for hand in read(source if isinstance(source, Path) else io.BytesIO(source), **options):
            assert isinstance(hand, HandRecord)
            hands += 1
        return hands

    return job


def in_columns(source: Path) -> Iterator[HandBatch]:
    """The hands of a log or an archive, in batches."""
    return (batch for batch in read_columns(source) if isinstance(batch, HandBatch))


def writing(format_name: str, records: list[HandRecord]) -> Callable[[], int]:
    (write,) = (known.write for known in FORMATS if known.name == format_name)
    assert write is not None

    def job() -> int:
        deque(write(records, WriteOptions()), maxlen=0)
        return len(records)

    return job


def random_match(rules: Rules, count: int) -> list[HandRecord]:
    rng = np.random.default_rng(7)
    return [random_record(rng, rules, number=number) for number in range(count)]


def text_of(format_name: str, records: list[HandRecord]) -> bytes:
    (write,) = (known.write for known in FORMATS if known.name == format_name)
    assert write is not None
    return "".join(map(str, write(records, WriteOptions()))).encode()


def peers(log: bytes, hands: int) -> list[Row]:
    """pokerkit reads the same lines and plays them, without comparing what they pay."""
    try:
        pokerkit = importlib.import_module("pokerkit")
    except ImportError:
        return []
    game = pokerkit.FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20)
    lines = "\n".join(log.decode().splitlines()[1 : hands + 1])

    def job() -> int:
        return len(list(pokerkit.HandHistory.from_acpc_protocol(game, 10_000, lines)))

    return [("pokerkit: the same log, read and played", hands_per_second(job), "hands/s")]


GOALS = (
    Goal("ours: read a limit log, random players", "pokerkit: the same log, read and played", 40),
)


def rows() -> list[Row]:
    """Reading and writing of made-up matches, real logs, and the peer."""
    limit, six = (random_match(resolve_game(game), 3000) for game in (LIMIT, SIX))
    limit_log = text_of("acpc", limit)
    jobs = {
        "read a limit log, random players": reading(limit_log),
        "read a six-handed no-limit log, random players": reading(text_of("acpc", six)),
        "read one-line hands": reading(text_of("line", limit)),
        "read Poker Academy's text": reading(text_of("poker-academy", limit[:500])),
        "read PHHS, six-handed no-limit": reading(text_of("phh", six[:1000])),
        "read PokerStars, heads-up limit": reading(text_of("pokerstars", limit[:500])),
        "write a limit log": writing("acpc", limit),
        "write one-line hands": writing("line", limit),
        "write PHHS, six-handed no-limit": writing("phh", six[:1000]),
        "write PokerStars, heads-up limit": writing("pokerstars", limit[:500]),
    }
    if DATA.exists():
        log = DATA / "poker_academy/mvb1_mvb2.acpc.log.gz"
        jobs["read a limit log of two programs, 36,454 hands"] = reading(log)
        jobs["read PHHS of Pluribus, 10,000 hands"] = reading(
            DATA / "pluribus/pluribus_10000.phhs.gz"
        )
        samples = sorted((DATA / "sites/pokerstars").glob("*.txt"))
        text = b"\n\n\n".join(path.read_bytes() for path in samples)
        jobs["read samples of PokerStars, 100 times"] = reading(b"\n\n\n".join([text] * 100))
    with tempfile.TemporaryDirectory() as folder:
        log, kept = Path(folder) / "limit.log", Path(folder) / "archive"
        log.write_bytes(limit_log)
        archive.add(in_columns(log), kept)
        archived = {
            "read a limit log into columns": lambda: sum(map(len, in_columns(log))),
            "read an archive into columns": lambda: sum(map(len, in_columns(kept))),
            "look a log's hands up in an archive": lambda: (
                archive.add(in_columns(log), kept).duplicates
            ),
        }
        speeds = [(name, hands_per_second(job)) for name, job in archived.items()]
    columns = [(f"ours: {label}", rate, "hands/s") for label, rate in speeds]
    ours = [(f"ours: {label}", hands_per_second(job), "hands/s") for label, job in jobs.items()]
    return ours + columns + peers(limit_log, 300)
