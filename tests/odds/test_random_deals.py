"""Sampled equities, held against exact ones; and what a standard error promises of them."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from railbird.cards import HOLDINGS, Card, Range, format_cards
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK
from railbird.errors import BadInput
from railbird.odds import Equity, Mode, equity
from railbird.odds.equity import _random_deals as random_deals
from railbird.odds.equity._kernels_random_deals import BLOCK, alias_table, draw_cards, fill_random

FAR = 4.5
"""Standard errors that chance exceeds once in 150,000 times."""

CASES = {
    "hand v range": (["AsAh", "22+"], ""),
    "hand v any": (["AsKs", "random"], "2s7d9h"),
    "clashing ranges": (["AsAh:0.25,KsKh", "AsKd,QsQd"], "2c7d9h"),
    "three, ties": (["2c3c", "2d3d", "2h3h"], "AsKsQsJs"),
    "weights": (["AK,QQ:0.125", "22-66:0.5,A5s"], ""),
    "any v any": (["random", "random"], "Td5hThQs"),
    "four of few": (["AK", "AK", "QQ+", "JTs"], "Ah7c2d"),
}


def drawn(players: list[str], board: str, samples: int, seed: int, dead: str = "") -> Equity:
    return equity(
        players,
        board,
        dead=dead,
        mode=Mode.SAMPLED,
        samples=samples,
        rng=np.random.default_rng(seed),
    )


def assert_near(found: Equity, exact: Equity) -> None:
    """Compare equities, and the shares of trials won and tied."""
    assert sum(player.equity for player in found.players) == pytest.approx(1, abs=1e-12)
    for ours, true in zip(found.players, exact.players, strict=True):
        assert abs(ours.equity - true.equity) <= FAR * ours.stderr + 1e-12
        for count, exactly in ((ours.win, true.win), (ours.tie, true.tie)):
            chance = max(exactly, 0) / exact.trials  # a sum of floats may be -1e-15
            error = (chance * (1 - chance) / found.trials) ** 0.5
            assert abs(count / found.trials - chance) <= FAR * error + 1e-12


@pytest.mark.parametrize("case", CASES)
def test_a_sample_is_near_the_exact_equity(case: str) -> None:
    players, board = CASES[case]
    exact = equity(players, board, mode=Mode.EXACT)
    assert_near(drawn(players, board, 400_000, seed=1), exact)


@pytest.mark.parametrize("seed", range(40))
def test_samples_of_random_questions_are_near_the_exact_equity(seed: int) -> None:
    """Two to five players with weighted ranges, boards of any size, dead cards."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 6))
    deck = [Card(card) for card in rng.permutation(52).tolist()]
    size = int(rng.choice([0, 3, 4, 5] if count == 2 else [3, 4, 5]))
    board, dead = deck[:size], deck[size : size + int(rng.integers(0, 4))]
    players = [some_range(rng, 40 if count == 2 else 6, [*board, *dead]) for _ in range(count)]
    try:
        exact = equity(players, board, dead=dead, mode=Mode.EXACT)
    except BadInput as error:
        with pytest.raises(BadInput, match=str(error)):
            equity(players, board, dead=dead, mode=Mode.SAMPLED)
        return
    found = equity(players, board, dead=dead, mode=Mode.SAMPLED, samples=100_000, rng=rng)
    assert_near(found, exact)


def some_range(rng: np.random.Generator, most: int, gone: list[Card]) -> Range:
    free = np.flatnonzero(HOLDING_MASK & CARD_MASK[gone].sum(dtype=np.uint64) == 0)
    weights = np.zeros(HOLDINGS)
    held = rng.choice(free, int(rng.integers(1, most)), replace=False)
    weights[held] = rng.choice([1.0, 1.0, 0.5, 0.01], len(held))
    return Range(weights)


@pytest.mark.parametrize("case", CASES)
def test_intervals_cover_as_often_as_they_say(case: str) -> None:
    """Deals are independent, so 95 % of the 95 % intervals hold the exact equity."""
    players, board = CASES[case]
    exact = equity(players, board, mode=Mode.EXACT).players[0].equity
    repeats = 1000
    held, varies = 0, False
    for seed in range(repeats):
        first = drawn(players, board, 1000, seed).players[0]
        varies = varies or first.stderr > 0
        held += abs(first.equity - exact) <= 1.96 * first.stderr + 1e-12
    # One standard error is 0.007; a walk or a stratified sample would be far outside.
    assert 0.92 < held / repeats < 0.975 if varies else held == repeats


@pytest.mark.parametrize("players", [3, 6, 10])
def test_equal_players_share_equally(players: int) -> None:
    found = drawn(["random"] * players, "", 300_000, seed=players)
    for player in found.players:
        assert abs(player.equity - 1 / players) < FAR * player.stderr


def test_ten_players_with_the_last_cards() -> None:
    """Twenty cards and five are dealt of twenty-six: what is left is drawn often in vain."""
    dead = format_cards([Card(card) for card in range(26)])
    found = drawn(["random"] * 10, "", 50_000, seed=3, dead=dead)
    for player in found.players:
        assert abs(player.equity - 0.1) < FAR * player.stderr


def test_known_hands_take_their_cards_from_ranges() -> None:
    """The second can only have the last two aces, which leaves the third the kings."""
    found = drawn(["AsAh", "AA", "AdKd,KsKh"], "2c7d9h", 20_000, seed=4)
    exact = equity(["AsAh", "AdAc", "KsKh"], "2c7d9h", mode=Mode.EXACT)
    assert_near(found, exact)


@pytest.mark.parametrize("players", [["AsAh", "22+"], ["random"] * 3, ["22+", "A2s+", "T9s"]])
def test_the_seed_alone_decides(players: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    samples = 3 * random_deals._AT_ONCE + 7
    results = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(drawn(players, "", samples, seed=5))
    assert results[0] == results[1] == results[2]
    assert results[0].trials == samples
    assert results[0] != drawn(players, "", samples, seed=6)


def test_xoshiro_draws_what_its_authors_publish() -> None:
    """The first numbers of xoshiro256++ from the state 1, 2, 3, 4, computed with integers."""
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    numbers = np.empty(1000, dtype=np.uint64)
    fill_random(state, numbers, len(numbers))
    s = [1, 2, 3, 4]
    bits = (1 << 64) - 1

    def turned(x: int, by: int) -> int:
        return (x << by | x >> 64 - by) & bits

    for number in numbers.tolist():
        assert number == (turned((s[0] + s[3]) & bits, 23) + s[0]) & bits
        shifted = s[1] << 17 & bits
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = turned(s[3], 45)
    assert state.tolist() == s


def test_all_boards_are_equally_likely() -> None:
    """Two cards and then two others of eight, of which two are out: 15 and 6 ways."""
    masks = np.array(
        [CARD_MASK[a] | CARD_MASK[b] for a in range(8) for b in range(a)], dtype=np.uint64
    )
    out = CARD_MASK[0] | CARD_MASK[1]
    numbers = np.empty(BLOCK, dtype=np.uint64)
    halves, pending = numbers.view(np.uint32), np.empty(BLOCK, dtype=np.uint32)
    first, second = np.empty(BLOCK, dtype=np.uint32), np.empty(BLOCK, dtype=np.uint32)
    state = np.random.default_rng(7).integers(2**64, size=4, dtype=np.uint64)
    counts: dict[tuple[int, int], int] = {}
    blocks = 400
    for _ in range(blocks):
        used = np.full(BLOCK, out)
        for places in (first, second):
            draw_cards(state, masks, BLOCK, numbers, halves, pending, places, used)
        assert (used == out | masks[first] | masks[second]).all()
        assert (np.bitwise_count(used) == 6).all()
        for pair in zip(first.tolist(), second.tolist(), strict=True):
            counts[pair] = counts.get(pair, 0) + 1
    ways = comb(6, 2) * comb(4, 2)
    expected = blocks * BLOCK / ways
    chi = sum((count - expected) ** 2 / expected for count in counts.values())
    assert len(counts) == ways
    assert chi < 150  # 89 degrees of freedom; more than 150 once in 20,000 times


@pytest.mark.parametrize("size", [1, 2, 7, 300])
def test_an_alias_table_gives_each_place_its_weight(size: int) -> None:
    weights = np.random.default_rng(size).random(size) + 0.01
    keep, other = np.empty(size), np.empty(size, dtype=np.int64)
    alias_table(weights, keep, other)
    kept = np.minimum(keep, 1)
    chance = (kept + np.bincount(other, 1 - kept, size)) / size
    np.testing.assert_allclose(chance, weights / weights.sum(), rtol=1e-12)
