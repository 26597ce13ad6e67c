"""The tables behind strength: unique codes, an index without a gap, nothing to overwrite."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from railbird.cards.hand_strength import _tables as tables


def multisets(size: int) -> list[tuple[int, ...]]:
    ranks = combinations_with_replacement(range(13), size)
    return [hand for hand in ranks if all(hand.count(rank) <= 4 for rank in set(hand))]


@pytest.mark.parametrize(
    ("limits", "codes"),
    [
        ((1,) * 4, [0, 1, 2, 4]),
        ((4, 4, 4), [0, 1, 5]),
        ((7, 4, 4), [0, 1, 5]),
    ],
)
def test_sum_codes_are_the_smallest(limits: tuple[int, ...], codes: list[int]) -> None:
    found, sums = tables.sum_codes(limits)
    assert found == codes
    assert all(
        len(some) == count for some, count in zip(sums, multiset_counts(limits), strict=True)
    )


def multiset_counts(limits: tuple[int, ...]) -> list[int]:
    sizes = Counter(map(sum, product(*(range(limit + 1) for limit in limits))))
    return [sizes[size] for size in range(8)]


def test_every_multiset_has_its_own_place() -> None:
    code_of = tables.RANK_CODE.astype(np.int64)
    places = []
    for size in (5, 6, 7):
        code = code_of[np.array(multisets(size))].sum(axis=1)
        code += int(tables.KEY_BIAS) & 0xFFFF_FFFF
        row, column = code >> 16 & 0xFFFF, code & 0xFFFF
        places += (tables.ROW_START[row] + tables.COLUMN_PLACE[column]).tolist()
    assert len(places) == 6_175 + 18_395 + 49_205
    assert sorted(places) == list(range(len(places)))


def test_tables_are_read_only() -> None:
    for name in ("CARD_KEY", "CARD_MASK", "ROW_START", "PLAIN_STRENGTH", "FLUSH_STRENGTH"):
        assert not getattr(tables, name).flags.writeable
