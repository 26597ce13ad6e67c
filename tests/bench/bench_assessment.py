"""Scoring, from one hand to a whole log."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from bench.goals import Row
from bench.timing import least
from helpers.random_records import random_hand
from railbird.arena import Match, play
from railbird.assessment import SampledPreflopValues, assess, open_scorer, score_hand
from railbird.assessment._warm import warm_up_steps
from railbird.assessment.any_table import assess_batches
from railbird.assessment.limit_layout import batch_of
from railbird.baseline import STANDARD
from railbird.game import HEADS_UP_LIMIT, acpc_rules, limit_holdem, no_limit_holdem
from railbird.histories import HandRecord, read_columns
from railbird.histories.columns import concat
from railbird.odds.rank_tables import open_tables
from railbird_papers.any_holdem.missing_hands import players_of
from railbird_papers.any_holdem.tables import play_policies

HANDS = 16_384
_PLAYERS = ("random", "baseline")
_START, _LOG = 1_000, 200_000
"""Hands of a log that takes no longer than the start, and of the one in the manual."""
_SIX = 1_000
"""Hands of six players."""


def rows() -> list[Row]:
    """Return what, how much and in which unit. One core, but for what is said to use all."""
    for _, step in warm_up_steps():
        step()
    rng = np.random.default_rng(2007)
    to_showdown = [random_hand(rng, folds=0.0) for _ in range(HANDS)]
    mixed = [random_hand(rng, number=i) for i in range(HANDS)]
    return [*_kernels(to_showdown, mixed), *_matches(mixed), *_single(mixed), *_six_handed()]


def _kernels(to_showdown: list[HandRecord], mixed: list[HandRecord]) -> Iterator[Row]:
    scorer = open_scorer(STANDARD)
    for what, records in (("all to showdown", to_showdown), ("some folded early", mixed)):
        batch = batch_of(records)
        rate = HANDS / least(partial(scorer.score, batch), times=5)
        yield f"score arrays, {what}", rate, "hands/s"
    sampled = SampledPreflopValues(STANDARD, open_tables())
    first, second = (
        np.array([record.holes[seat] for record in mixed[:500]], dtype=np.int16) for seat in (0, 1)
    )
    contribution = np.tile(np.arange(1, 5, dtype=np.int16), (500, 1))
    rate = 500 / least(lambda: sampled.values(first, second, contribution), times=2)
    yield "sample preflop values, 512 boards, four contributions", rate, "pairs/s"


def _matches(mixed: list[HandRecord]) -> Iterator[Row]:
    yield "assess records", HANDS / least(lambda: assess(mixed, threads=1), times=5), "hands/s"
    with tempfile.TemporaryDirectory() as folder:
        logs = {hands: Path(folder) / f"{hands}.log" for hands in (_START, _LOG)}
        for hands, log in logs.items():
            play(Match(players=_PLAYERS, rules=HEADS_UP_LIMIT, deals=hands, seed=1), log=log)
        for threads in dict.fromkeys((1, os.cpu_count() or 1)):
            start, whole = (least(partial(_assess, log, threads), times=3) for log in logs.values())
            what = f"{threads} thread{'s' if threads > 1 else ''}"
            yield f"assess a log of {_START:,} hands, which is the start, {what}", start, "s"
            yield f"assess a log of {_LOG:,} hands, reading included, {what}", whole, "s"
            rate = (_LOG - _START) / (whole - start)
            yield f"the same without the start, {what}", rate, "hands/s"


def _assess(log: Path, threads: int) -> None:
    assess(read_columns(log), threads=threads)


def _six_handed() -> Iterator[Row]:
    """Both values and the crosstable, in one thread; the changing stacks differ in every hand.

    The position of constant stacks is known from a first call, of a second or two; those of
    changing stacks are a part of the time, so that they are timed once.
    """
    stacks = [tuple(8_000 + 5 * (97 * seat + hand) for seat in range(6)) for hand in range(_SIX)]
    games = {
        "no-limit": [no_limit_holdem(6, blinds=(50, 100), stack=10_000)],
        "no-limit, changing stacks": [
            no_limit_holdem(6, blinds=(50, 100), stack=each) for each in stacks
        ],
        "limit": [acpc_rules(limit_holdem(6))],
    }
    for name, rules in games.items():
        size = _SIX // len(rules)
        batch = concat(
            [
                play_policies(each, players_of(each), size, seed=1, first=number * size)
                for number, each in enumerate(rules)
            ]
        )
        times = 3
        if len(rules) > 1:
            times = 1
        else:
            assess_batches([(batch.rows(np.arange(5)), ())], threads=1)
        seconds = least(partial(assess_batches, [(batch, ())], threads=1), times=times)
        yield f"assess six-handed {name}, a hand", 1000 * seconds / _SIX, "ms"


def _single(mixed: list[HandRecord]) -> Iterator[Row]:
    scorer = open_scorer(STANDARD)
    some = mixed[:200]
    seconds = least(lambda: [score_hand(record, scorer=scorer) for record in some], times=5)
    yield "score one hand in full", 1000 * seconds / len(some), "ms"
