"""Percentile abstractions: boards in the order of dealing, states, showdowns between them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import HOLDING_CARDS, HOLDINGS, Card, parse_cards, parse_holding
from railbird.cards.isomorphism import board_classes
from railbird.cards.isomorphism_kernels import CARD_UNDER, HOLDING_UNDER
from railbird.errors import BadInput
from railbird.odds import HR7_WHOLE, open_tables
from railbird.solve.abstraction import BLOCKED, read_abstraction, states_on
from railbird.solve.abstraction import percentile as percentile_building
from railbird.solve.abstraction.kernels import stabiliser, weights_of_next
from railbird.solve.abstraction.percentile import (
    SHIFTS,
    PartialCount,
    PercentileAbstraction,
    _thresholds,
    check_buckets,
    count_showdowns_after,
    counted_abstraction,
    kept_counts,
    open_values,
    pack_abstraction,
    read_shipped,
    unpack,
)

FLOP = 0
"""The class of 222, whose suits can be permuted in six ways."""


@pytest.fixture(scope="module")
def abstraction() -> PercentileAbstraction:
    """Thresholds near those of 5-5-5-5, with fewer buckets."""
    flop = np.array([[8161, 23514], [13846, 31590]])
    turn = np.array([[1799], [2443], [4843]] * 2)
    river = np.array([[113 + 50 * state] for state in range(12)])
    preflop = (np.arange(169) % 13 < 6).astype(np.int32)
    return PercentileAbstraction((2, 3, 2, 2), preflop, (flop, turn, river))


@pytest.mark.slow
def test_canonical_boards_in_the_order_of_dealing() -> None:
    # Counted in the literature on exploitability: 1,755 flops, 63,193 turns, 2,554,656 rivers.
    everything = np.ones(24, dtype=np.bool_)
    weight = np.empty(52, dtype=np.int64)
    turns = rivers = 0
    flops = board_classes(3)
    for flop, orbit in zip(flops.representative, flops.orbit, strict=True):
        kept = stabiliser(flop, everything)
        assert kept.sum() * orbit == 24
        weights_of_next(flop, kept, weight)
        assert weight.sum() == 49
        next_cards = np.flatnonzero(weight)
        turns += len(next_cards)
        for turn in next_cards.astype(np.uint8):
            board = np.append(flop, turn)
            weights_of_next(board, stabiliser(board[3:], kept), weight)
            rivers += int(np.count_nonzero(weight))
    assert (turns, rivers) == (63_193, 2_554_656)


@pytest.mark.slow
def test_states_remember(abstraction: PercentileAbstraction) -> None:
    states = states_on(abstraction, parse_cards("Td5hTh2d2h"))
    assert abstraction.states == (2, 6, 12, 24)
    for street, buckets in ((1, 3), (2, 2), (3, 2)):
        live = states[street] != BLOCKED
        assert np.array_equal(states[street][live] // buckets, states[street - 1][live])
    assert (states[3] == BLOCKED).sum() == HOLDINGS - 1081


def test_states_do_not_depend_on_names_of_suits(abstraction: PercentileAbstraction) -> None:
    board = parse_cards("Td5hTh2d2h")
    states = states_on(abstraction, board)
    for permutation in range(24):
        renamed = [Card(int(CARD_UNDER[permutation, card])) for card in board]
        assert np.array_equal(
            states_on(abstraction, renamed)[:, HOLDING_UNDER[permutation]], states
        )


def test_the_value_is_the_mean_square_of_the_final_rank() -> None:
    board, holding = parse_cards("Td5hTh2d"), parse_holding("JhJs")
    values, tables = open_values(), open_tables()
    place = tables.place(board, holding)
    ranks = [
        int(tables.river_ihr[tables.place([*board, Card(card)], holding)])
        for card in range(52)
        if card not in {*board, *HOLDING_CARDS[holding].tolist()}
    ]
    assert sum(ranks) == tables.turn_hr7[place]
    assert sum(rank**2 for rank in ranks) == values.turn_hr7_squares[place]
    assert sum(ranks) / HR7_WHOLE[2] < (sum(r**2 for r in ranks) / 46) ** 0.5 / 1980
    assert int(values.turn_hr7_squares[place]) >> SHIFTS[1] < 1 << 16


def test_squares_on_a_flop_are_sums_over_turns_and_rivers() -> None:
    board, holding = parse_cards("Td5hTh"), parse_holding("JhJs")
    values, tables = open_values(), open_tables()
    turns = [
        int(values.turn_hr7_squares[tables.place([*board, Card(card)], holding)])
        for card in range(52)
        if card not in {*board, *HOLDING_CARDS[holding].tolist()}
    ]
    assert sum(turns) / 2 == values.flop_hr7_squares[tables.place(board, holding)]


def test_showdowns_add_up_to_the_rank_tables(abstraction: PercentileAbstraction) -> None:
    wins, ties = count_showdowns_after(abstraction)(range(FLOP, FLOP + 1))
    flops = board_classes(3)
    board, orbit = flops.representative[FLOP], int(flops.orbit[FLOP])
    states = states_on(abstraction, [Card(int(card)) for card in board])[1]
    sums = open_tables().flop_hr7.reshape(len(flops.orbit), HOLDINGS)[FLOP]
    assert np.array_equal(ties, ties.T)
    # Twice what is beaten and once what is tied, with turn and river in both orders.
    rows = (2 * wins + ties).sum(axis=1).reshape(6, 4).sum(axis=1)
    for state in range(6):
        assert rows[state] == 2 * orbit * sums[states == state].sum(dtype=np.int64)
    # Pairs of holdings without a card in common, and the turns and rivers that they leave.
    both = (wins + wins.T + ties).reshape(6, 4, 6, 4).sum(axis=(1, 3))
    low, high = HOLDING_CARDS.T
    shares = low[:, None] == low
    for a, b in ((low, high), (high, low), (high, high)):
        shares |= a[:, None] == b
    for i in range(6):
        for j in range(6):
            pairs = np.count_nonzero(~shares[np.ix_(states == i, states == j)])
            assert both[i, j] == orbit * pairs * 45 * 44


def pairs_that_meet(one_hot: NDArray[np.float32], live: NDArray[np.int64]) -> NDArray[np.int64]:
    """By the states of both: all pairs but those that share a card, a holding and itself once."""
    members = one_hot.sum(axis=0)
    cards = one_hot.T @ np.eye(52, dtype=np.float32)[HOLDING_CARDS[live]].sum(axis=1)
    met = np.outer(members, members) - cards @ cards.T + np.diag(members)
    whole: NDArray[np.int64] = np.rint(met).astype(np.int64)
    return whole


@pytest.mark.slow
def test_showdowns_one_by_one(abstraction: PercentileAbstraction) -> None:
    """The slow twin: all pairs of holdings on all boards after one flop."""
    from railbird.cards import strengths

    wins, ties = count_showdowns_after(abstraction)(range(FLOP, FLOP + 1))
    flops = board_classes(3)
    flop = [Card(int(card)) for card in flops.representative[FLOP]]
    slow_wins, slow_ties = np.zeros_like(wins), np.zeros_like(ties)
    low, high = HOLDING_CARDS.T
    shares = (low[:, None] == low) | (high[:, None] == high)
    shares |= (low[:, None] == high) | (high[:, None] == low)
    for last in combinations([Card(card) for card in range(52) if card not in flop], 2):
        # States depend on which of the two cards came first, strengths do not.
        orders = [states_on(abstraction, [*flop, *cards])[3] for cards in (last, last[::-1])]
        live = np.flatnonzero(orders[0] != BLOCKED)
        hands = np.column_stack([HOLDING_CARDS[live], np.tile([*flop, *last], (len(live), 1))])
        rank = strengths(hands.astype(np.uint8)).astype(np.int64)
        apart = ~shares[np.ix_(live, live)]
        won = ((rank[:, None] > rank) & apart).astype(np.float32)
        one_hot = np.eye(24, dtype=np.float32)[[states[live] for states in orders]]
        by_state = np.vstack([each.T for each in one_hot]) @ won
        for each, rows in zip(one_hot, np.vsplit(by_state, 2), strict=True):
            of_board = np.rint(rows @ each).astype(np.int64)
            slow_wins += of_board
            slow_ties += pairs_that_meet(each, live) - of_board - of_board.T
    orbit = int(flops.orbit[FLOP])
    assert np.array_equal(wins, orbit * slow_wins)
    assert np.array_equal(ties, orbit * slow_ties)


def test_thresholds_divide_evenly() -> None:
    histogram = np.zeros((3, 100), dtype=np.int64)
    histogram[0] = 7
    histogram[1, 50] = 3
    found = _thresholds(histogram, 4)
    assert found[0].tolist() == [25, 50, 75]
    assert (np.diff(found[1]) >= 0).all()
    buckets = (np.arange(100)[:, None] >= found[0]).sum(axis=1)
    assert np.bincount(buckets).tolist() == [25] * 4


def test_a_record_keeps_all_of_it(abstraction: PercentileAbstraction) -> None:
    read = read_abstraction(abstraction.record)
    board = parse_cards("AsKd2c9h9s")
    assert np.array_equal(states_on(read, board), states_on(abstraction, board))
    assert read.name == "percentile:2-3-2-2"


@pytest.mark.parametrize(
    "change",
    [
        {"buckets": [2, 3]},
        {"buckets": [2, 3, 2, "x"]},
        {"buckets": [9, 9, 9, 9]},
        {"preflop": [0]},
        {"preflop": [7] * 169},
        {"thresholds": []},
        {"thresholds": [[[1]], [[1]], [[1]]]},
        {"thresholds": 3},
    ],
)
def test_damaged_records(abstraction: PercentileAbstraction, change: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        read_abstraction(abstraction.record | change)


def test_refused_buckets() -> None:
    with pytest.raises(BadInput, match="whose product is at most 4096"):
        check_buckets([9, 9, 9, 9])


@pytest.mark.slow
def test_an_interrupted_count_goes_on(
    abstraction: PercentileAbstraction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flops = 4
    monkeypatch.setattr(percentile_building, "_FLOPS", flops)
    monkeypatch.setattr(percentile_building, "FLOPS_A_TASK", 1)
    monkeypatch.setattr(percentile_building, "percentile_folder", lambda: tmp_path)
    buckets = abstraction.buckets
    part = percentile_building.abstraction_path(buckets).with_suffix(".part.npz")
    zeros = np.zeros((24, 24), dtype=np.int64)
    PartialCount(abstraction, 0, zeros, zeros).write(part)

    def interrupt(done: int, total: int, what: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counted_abstraction(buckets, progress=interrupt)
    (kept,) = kept_counts()
    assert kept.share == 0.5
    numbers: list[int] = []
    found = counted_abstraction(buckets, progress=lambda done, *_: numbers.append(done))
    assert numbers == [3, 4]
    assert not part.exists()
    wins, ties = count_showdowns_after(abstraction)(range(flops))
    assert np.array_equal(found.wins, wins)
    assert np.array_equal(found.ties, ties)
    assert np.array_equal(counted_abstraction(buckets).wins, wins)


def test_counts_are_packed_without_loss(abstraction: PercentileAbstraction) -> None:
    wins, ties = count_showdowns_after(abstraction)(range(FLOP, FLOP + 1))
    read, read_wins, read_ties = unpack(pack_abstraction(abstraction, wins, ties))
    assert read.record == abstraction.record
    assert np.array_equal(read_wins, wins)
    assert np.array_equal(read_ties, ties)


@pytest.mark.slow
def test_shipped_counts_add_up_to_the_rank_tables() -> None:
    """What every state on the flop wins over all flops, turns, rivers and opponents, exactly."""
    shipped = read_shipped((5, 5, 5, 5))
    assert shipped is not None
    abstraction, wins, ties = shipped
    flops, sums = board_classes(3), open_tables().flop_hr7.reshape(1755, HOLDINGS)
    before = abstraction.next_states(np.empty(0, dtype=np.uint8), None)
    won = np.zeros(25, dtype=np.int64)
    for flop, orbit, ranks in zip(flops.representative, flops.orbit, sums, strict=True):
        states = abstraction.next_states(flop, before)
        live = states != BLOCKED
        np.add.at(won, states[live], 2 * int(orbit) * ranks[live].astype(np.int64))
    assert np.array_equal((2 * wins + ties).sum(axis=1).reshape(25, 25).sum(axis=1), won)
    assert (2 * wins + ties).sum() == 22_100 * 49 * 48 * 1081 * 990
    # Equal parts of the deals: a fifth of every state, but for whole classes before the flop.
    held = (wins + wins.T + ties).sum(axis=1) / (22_100 * 49 * 48 * 1081 * 990)
    assert held.reshape(5, -1).sum(axis=1) == pytest.approx([0.2] * 5, abs=0.01)
    assert (held.reshape(5, 5, -1).sum(axis=2).std(axis=1) < 0.001).all()
    assert read_shipped((1, 2, 3, 4)) is None
