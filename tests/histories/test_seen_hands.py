"""Hands that are given twice, in one batch or in different ones, are met once."""

from __future__ import annotations

import numpy as np

from railbird.histories import read_hand
from railbird.histories.columns import SeenHands, batch_of

HANDS = batch_of([read_hand(f"Ts6s,Jd5d SlF # {number}:Ann|Bob") for number in range(400)])


def test_each_hand_is_fresh_once_however_it_is_batched() -> None:
    rng = np.random.default_rng(3)
    seen, known = SeenHands(), set[int]()
    for size in rng.integers(0, 40, 60).tolist():
        numbers = rng.integers(0, 400, size)
        fresh = seen.fresh(HANDS.rows(numbers)).tolist()
        expected = []
        for row, number in enumerate(numbers.tolist()):
            if number not in known:
                expected.append(row)
            known.add(number)
        assert fresh == expected
    assert 300 < len(known) < 400
    rest = seen.fresh(HANDS)
    assert rest.tolist() == [number for number in range(400) if number not in known]
