"""Sampled equities, held against exact ones; and what a standard error promises of them."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from railbird.cards import HOLDINGS, Card, Holding, Range, format_cards, parse_holding
from railbird.cards.tables import CARD_MASK, HOLDING_MASK
from railbird.errors import BadInput, DuplicateCard
from railbird.odds import Equity, Method, Mode, equity
from railbird.odds import all_in_equity as random_deals
from railbird.odds.equity_kernels import BLOCK, alias_table, draw_cards, fill_random

WIDE = ["22+,A2s+,K9s+", "TT+,AQ", "random"]


@pytest.mark.parametrize(
    ("players", "board", "message"),
    [
        (["AsAh"], "", "equity needs 2 to 10 hands, got 1"),
        (["random"] * 11, "", "equity needs 2 to 10 hands, got 11"),
        (["AsAh", "KsKh"], "2c3c", "a board of 2 cards; allowed: 0, 3, 4, 5"),
        (["AsAh", "AsKh"], "", "no deal gives every player a holding"),
        (["AsAh", "AsKh"], "2c3c4c", "no deal gives every player a holding"),
        (["AsAh", "AsKh", "QQ"], "2c3c4c", "no deal gives every player a holding"),
        (["AA", "random"], "AsAhAd", "range of player 1, AA, shares cards with the known ones"),
        (["", "random"], "", "range of player 1, , is empty"),
        ([1326, "random"], "", "no holding has the number 1326"),
    ],
)
def test_what_cannot_be_answered(
    players: list[Range | Holding | str], board: str, message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        equity(players, board)


def test_a_card_that_is_known_twice() -> None:
    with pytest.raises(DuplicateCard, match="As is named twice"):
        equity(["KK", "QQ"], "As2c3d", dead="As")


def test_seven_players_cannot_share_three_pairs() -> None:
    with pytest.raises(BadInput, match="no deal"):
        equity(["QQ+"] * 7, mode=Mode.SAMPLED, samples=10)


def test_too_few_samples() -> None:
    with pytest.raises(BadInput, match="0 samples; allowed: 1 to "):
        equity(["QQ+"] * 2, mode=Mode.SAMPLED, samples=0)


def test_an_exact_answer_out_of_reach_is_refused_and_estimated_by_default() -> None:
    with pytest.raises(BadInput, match="too many to enumerate"):
        equity(["random"] * 3, mode=Mode.EXACT)
    assert equity(["random"] * 3, samples=1000).method is Method.SAMPLED


def test_the_work_limit_decides() -> None:
    exact = equity(WIDE[:2], "Kh7c2d")
    assert exact.method is Method.SWEEP
    assert exact.exact
    drawn = equity(WIDE[:2], "Kh7c2d", work_limit=1e-9, samples=1000)
    assert drawn.method is Method.SAMPLED
    assert drawn.players[0].stderr > 0


def test_hands_and_cards_are_read_in_any_way() -> None:
    written = [
        equity(["Ts6s", "Jd5d"], "Td5hTh"),
        equity(["T♠-6♠", "5d Jd"], "Td, 5h, Th"),
        equity([parse_holding("Ts6s"), Range.parse("JdTd:0,Jd5d")], "10d 5h 10h"),
    ]
    assert written[0] == written[1] == written[2]


def test_counts_are_integers_unless_there_are_weights() -> None:
    whole = equity(["QQ+", "AK"], "Kh7c2d").players[0]
    assert isinstance(whole.win, int)
    assert isinstance(whole.tie, int)
    assert isinstance(whole.lose, int)
    halves = equity(["QQ+:0.5", "AK:0.5"], "Kh7c2d").players[0]
    assert (halves.win, halves.tie, halves.lose) == (whole.win / 4, whole.tie / 4, whole.lose / 4)
    assert halves.equity == pytest.approx(whole.equity, abs=1e-15)


@pytest.mark.parametrize("board", ["", "Kh7c2d"])
def test_equities_of_parts_add_up_by_weight(board: str) -> None:
    parts = [equity([hand, "JJ"], board) for hand in ("AKs", "QQ")]
    both = equity(["AKs:0.25,QQ", "JJ"], board)
    assert both.trials == pytest.approx(parts[0].trials / 4 + parts[1].trials)
    assert both.players[0].win == pytest.approx(
        parts[0].players[0].win / 4 + parts[1].players[0].win
    )


def test_the_matrix_and_all_boards_agree_on_weighted_ranges() -> None:
    by_matrix = equity(["AsKs:0.5,QhQd", "JcJd,Th9h:0.25"])
    assert by_matrix.method is Method.MATRIX
    pairs = [("AsKs", 0.5), ("QhQd", 1.0)], [("JcJd", 1.0), ("Th9h", 0.25)]
    share = total = 0.0
    for mine, weight in pairs[0]:
        for other, its_weight in pairs[1]:
            share += weight * its_weight * equity([mine, other]).players[0].equity
            total += weight * its_weight
    assert by_matrix.players[0].equity == pytest.approx(share / total)


def test_ties_of_three_share_the_pot() -> None:
    result = equity(["2c3c", "2d3d", "2h3h"], "AsKsQsJsTs")
    assert [player.tie for player in result.players] == [1, 1, 1]
    assert [player.equity for player in result.players] == pytest.approx([1 / 3] * 3)


def test_dead_cards_change_what_comes() -> None:
    # With the other two aces gone a set is out of reach.
    alive = equity(["AsKs", "QhQd"], "2c2d3h7h")
    drawn = equity(["AsKs", "QhQd"], "2c2d3h7h", dead="AcAd")
    assert (alive.trials, drawn.trials) == (44, 42)
    assert (alive.players[0].win, drawn.players[0].win) == (6, 4)


@pytest.mark.slow(only=["players1-2c3d4h-Mode.EXACT"])
@pytest.mark.parametrize(
    ("players", "board", "mode"),
    [
        (["random", "random"], "2c3d4h", Mode.EXACT),
        (["TT+", "AQ", "77"], "2c3d4h", Mode.EXACT),
        (["TT+", "AQ", "77"], "", Mode.SAMPLED),
    ],
)
def test_long_jobs_tell_and_can_be_stopped(players: list[str], board: str, mode: Mode) -> None:
    calls: list[tuple[int, int, str]] = []
    equity(players, board, mode=mode, samples=70_000, progress=lambda *call: calls.append(call))
    assert calls
    assert calls[-1][0] == calls[-1][1]

    def stop(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        equity(players, board, mode=mode, samples=70_000, progress=stop)


def test_ranges_are_not_touched() -> None:
    weights = np.ones(HOLDINGS)
    given = Range(weights)
    equity([given, given], "2c3d4h5s6c")
    assert given == Range.full()


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


@pytest.mark.slow(only=["35"])
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


@pytest.mark.slow(but=["any v any"])
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
