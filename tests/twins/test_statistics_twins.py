"""Every statistic of players against a count from its definition, to the hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from helpers.random_records import random_table_hand
from railbird.assessment.player_statistics import Statistic, counts_of
from railbird.errors import NothingUsable
from railbird.histories import HandRecord, Skipped, read
from railbird.histories.columns import batch_of
from twins.slow_statistics import STATISTICS, slow_statistics


def assert_same_counts(records: Sequence[HandRecord]) -> None:
    rows = counts_of(batch_of(records))
    fast = rows.select(
        "hand", *(name for one in Statistic for name in (one.key, f"{one.key}_chances"))
    ).to_dicts()
    slow = [by_seat for record in records for by_seat in slow_statistics(record)]
    for of_seat, expected in zip(fast, slow, strict=True):
        counts = {one.key: (of_seat[one.key], of_seat[f"{one.key}_chances"]) for one in Statistic}
        assert counts == expected, records[of_seat["hand"]]


def test_every_statistic_has_a_slow_form() -> None:
    assert STATISTICS.keys() == {statistic.key for statistic in Statistic}


def test_random_hands_of_any_betting() -> None:
    rng = np.random.default_rng(31)
    assert_same_counts([random_table_hand(rng) for _ in range(60)])


@pytest.mark.slow
def test_many_random_hands() -> None:
    rng = np.random.default_rng(32)
    assert_same_counts([random_table_hand(rng) for _ in range(3000)])


@pytest.mark.slow
def test_the_hands_of_pluribus(shared_data: Path) -> None:
    path = shared_data / "pluribus" / "pluribus_10000.phhs.gz"
    records = [record for record in read(path) if isinstance(record, HandRecord)]
    assert len(records) == 10_000
    assert_same_counts(records)


@pytest.mark.slow
def test_hands_of_a_limit_game(shared_data: Path) -> None:
    path = shared_data / "poker_academy" / "mvb1_mvb2.acpc.log.gz"
    records = list(islice(read(path, game="holdem.limit.2p.reverse_blinds.game"), 14_000))
    assert_same_counts([record for record in records if not isinstance(record, Skipped)])


@pytest.mark.slow
def test_hands_of_real_sites(shared_data: Path) -> None:
    records = []
    for path in sorted((shared_data / "sites").rglob("*.txt")):
        try:
            records += [record for record in read(path) if isinstance(record, HandRecord)]
        except NothingUsable:
            continue
    assert len(records) >= 60
    assert_same_counts(records)
