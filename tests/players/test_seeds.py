"""The generator of the players, and its twin in the kernels."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from railbird._jit import kernel
from railbird.players.compiled_kernels import next_number
from railbird.players.seeds import SplitMix64


@kernel
def _fill(streams: np.ndarray, numbers: np.ndarray) -> None:
    for i in range(len(numbers)):
        numbers[i] = next_number(streams, 0)


def test_the_published_stream() -> None:
    # The first numbers for the seed 1234567, as in S. Vigna's splitmix64.c (2015, public domain)
    # and in the implementations of many languages that are tested against it.
    stream = SplitMix64(1234567)
    assert [stream.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(0, 2**64 - 1))
def test_the_kernel_draws_the_same(seed: int) -> None:
    streams = np.array([seed], np.uint64)
    numbers = np.empty(20, np.uint64)
    _fill(streams, numbers)
    stream = SplitMix64(seed)
    assert [stream.next() for _ in range(20)] == numbers.tolist()
    assert stream.state == int(streams[0])


def test_numbers_between_are_even() -> None:
    stream = SplitMix64(1)
    counts = np.bincount([stream.between(3, 8) for _ in range(60_000)])
    assert counts[:3].sum() == 0
    # 10,000 expected with sd 91: five sds.
    assert np.abs(counts[3:] - 10_000).max() < 456


def test_fractions_are_below_one() -> None:
    stream = SplitMix64(0)
    drawn = [stream.fraction() for _ in range(10_000)]
    assert 0 <= min(drawn) < max(drawn) < 1
    assert abs(np.mean(drawn) - 0.5) < 0.015  # five standard errors
