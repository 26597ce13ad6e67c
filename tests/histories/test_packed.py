"""Hands packed and taken out again by row."""

from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pytest

from helpers.random_records import random_hand
from railbird.game import no_limit_holdem
from railbird.histories import HandRecord, read, read_hand
from railbird.histories.columns import PackedHands, batch_of, concat, pack, records_of

FOUR_SEATS = Path(__file__).parent / "formats" / "pokerstars_tournaments.txt"


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    """Hands of two games and of tables of different sizes, some far apart in number."""
    rng = np.random.default_rng(8)
    found = [random_hand(rng, number=i * 10**12) for i in range(50)]
    return [*found, *(hand for hand in read(FOUR_SEATS) if isinstance(hand, HandRecord))]


def test_every_column_comes_back(records: list[HandRecord]) -> None:
    parts = [batch_of(records[:20]), batch_of([]), batch_of(records[20:21]), batch_of(records[21:])]
    packed = PackedHands(map(pack, parts))
    assert len(packed) == len(records)
    whole = concat([part for part in parts if len(part)])
    again = concat(list(packed.batches()))
    for field in dataclasses.fields(whole):
        was, now = getattr(whole, field.name), getattr(again, field.name)
        if isinstance(was, np.ndarray):
            assert (was == now).all()
            assert was.dtype == now.dtype
        elif field.name == "answers":
            assert all((a == b).all() for a, b in zip(was, now, strict=True))
        else:
            assert was == now


def test_rows_come_in_the_order_that_is_asked_for(records: list[HandRecord]) -> None:
    parts = np.array_split(np.arange(len(records)), 4)
    packed = PackedHands(pack(batch_of([records[i] for i in part])) for part in parts)
    rng = np.random.default_rng(0)
    chosen = rng.integers(len(records), size=30).tolist()
    assert list(records_of(packed.rows(chosen))) == [records[i] for i in chosen]
    assert list(records_of(packed.rows([]))) == []
    assert list(records_of(PackedHands().rows([]))) == []
    assert len(PackedHands()) == 0


def test_a_column_that_differs_in_no_row_is_kept_once() -> None:
    hand = random_hand(np.random.default_rng(1), folds=0.0)
    piece = pack(batch_of([hand]).rows(np.zeros(1000, np.int64)))
    assert [len(narrow) for narrow, _ in piece.columns.values()] == [1] * len(piece.columns)
    assert len(pickle.dumps(piece)) < 60_000
    assert list(records_of(piece.rows(np.array([999])))) == [hand]


def test_large_amounts_are_kept_whole() -> None:
    deep = no_limit_holdem(blinds=(1, 2), stack=10**12)
    hand = read_hand(f"STATE:7:r{10**12}f:AsAd|KcQc:-2|2:Ann|Bob", game=deep)
    packed = PackedHands([pack(batch_of([hand]))])
    assert list(records_of(packed.rows([0]))) == [hand]
