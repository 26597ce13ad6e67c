"""Clusters of what holdings may become: features, exact k-means, tables in the cache folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.cards import (
    CLASS_OF_HOLDING,
    HOLDING_CARDS,
    HOLDINGS,
    Card,
    parse_cards,
    parse_holding,
    strengths,
)
from railbird.cards.isomorphism import board_classes, board_index, rank_classes
from railbird.cards.isomorphism_kernels import CARD_UNDER, COLUMN, HOLDING_UNDER
from railbird.errors import BadInput
from railbird.odds import open_tables
from railbird.solve.abstraction import BLOCKED, buckets, read_abstraction, states_on
from railbird.solve.abstraction import buckets as bucket_building
from railbird.solve.abstraction.buckets import (
    BucketAbstraction,
    Features,
    bucket_abstraction,
    check_states,
    cluster,
    count_rivers,
    distinct,
    fill_pot_shares,
    kept_tables,
    nearest,
)
from railbird.solve.abstraction.kernels import FULL, GROUPS

STEPS = bucket_building.rank_steps()


def test_run_outs_of_a_flop_are_those_of_the_rank_tables() -> None:
    board, holding = parse_cards("2c2d2h"), parse_holding("AsKs")
    (counts,) = bucket_building.run_outs(board_classes(3).representative[:1])
    assert tuple(board_classes(3).representative[0]) == tuple(board)
    ranks = []
    tables = open_tables()
    left = [c for c in range(52) if c not in {*board, *HOLDING_CARDS[holding].tolist()}]
    for number, turn in enumerate(left):
        for river in left[:number]:
            ranks.append(tables.river_ihr[tables.place([*board, Card(turn), Card(river)], holding)])
    expected = np.bincount(STEPS[np.array(ranks)], minlength=counts.shape[1])
    assert len(ranks) == 1081
    assert np.array_equal(counts[holding], expected)
    assert not counts[parse_holding("2c2d")].any()


def test_features_are_shares_that_reach_a_rank() -> None:
    counts = np.array([[1, 0, 45], [0, 23, 23]])
    assert bucket_building._at_least(counts, 46).tolist() == [[249, 249], [128, 255]]


@pytest.mark.parametrize("board", ["Td5hTh2d", "As9s8s3c", "7c7d7h7s"])
def test_rivers_of_a_turn_are_those_of_the_rank_tables(board: str) -> None:
    cards, tables = parse_cards(board), open_tables()
    classes = rank_classes(4)
    start = int(classes.start[board_index(cards)])
    row = int(np.searchsorted(classes.row_start, start))
    counts = np.zeros((buckets.ENTRIES[1], STEPS.max() + 1), dtype=np.uint8)
    weight = np.zeros(len(counts), dtype=np.int64)
    count_rivers(range(row, row + 1), counts, weight)
    assert weight.sum() == np.count_nonzero(classes.start == start) * 1128
    pattern = classes.pattern[board_index(cards)]
    for holding in map(parse_holding, ("AhKh", "Kc4c", "6s3h")):
        left = [c for c in range(52) if c not in {*cards, *HOLDING_CARDS[holding].tolist()}]
        ranks = [tables.river_ihr[tables.place([*cards, Card(c)], holding)] for c in left]
        expected = np.bincount(STEPS[np.array(ranks)], minlength=counts.shape[1])
        assert np.array_equal(counts[start + int(COLUMN[pattern, holding])], expected)


@pytest.mark.slow(only=["Td5hTh2d2h"])
@pytest.mark.parametrize("board", ["Td5hTh2d2h", "As9s8s3c2s", "KhQhJhTh9h"])
def test_shares_of_groups_one_by_one(board: str) -> None:
    """The slow twin: every pair of holdings on a board."""
    cards = np.array(parse_cards(board), dtype=np.uint8)
    classes = rank_classes(5)
    index = board_index([Card(int(card)) for card in cards])
    start = int(classes.start[index])
    row = int(np.searchsorted(classes.row_start, start))
    group = (np.arange(HOLDINGS) % 7).astype(np.int64)  # the last one has nobody
    shares = np.zeros((buckets.ENTRIES[2], GROUPS), dtype=np.uint8)
    weight = np.zeros(len(shares), dtype=np.int64)
    fill_pot_shares(range(row, row + 1), group, shares, weight)
    own = classes.representative[row : row + 1]
    assert weight.sum() == np.count_nonzero(classes.start == start) * 1081
    live = np.flatnonzero(~np.isin(HOLDING_CARDS, own[0]).any(axis=1))
    hands = np.column_stack([HOLDING_CARDS[live], np.tile(own[0], (len(live), 1))])
    rank = strengths(hands.astype(np.uint8)).astype(np.int64)
    low, high = HOLDING_CARDS[live].T
    apart = (low[:, None] != low) & (high[:, None] != high)
    apart &= (low[:, None] != high) & (high[:, None] != low)
    points = ((rank[:, None] > rank) + 0.5 * (rank[:, None] == rank)) * apart
    one_hot = np.eye(GROUPS)[group[live]]
    met = apart @ one_hot
    won = np.where(met > 0, points @ one_hot, points.sum(axis=1, keepdims=True))
    won /= np.where(met > 0, met, apart.sum(axis=1, keepdims=True))
    columns = COLUMN[classes.row_pattern[row]][live].astype(np.int64)
    for column in np.unique(columns):
        expected = FULL * won[columns == column].mean(axis=0)
        assert np.abs(shares[start + column] - expected).max() < 0.51


def test_different_rows() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 3, size=(500, 11), dtype=np.uint8)
    rows[:, :7] = 0
    found, number = distinct(rows)
    assert np.array_equal(found[number], rows)
    assert len(found) == len(np.unique(rows, axis=0)) == 81


def test_nearest_centres_are_exact() -> None:
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 256, size=(700, 9), dtype=np.uint8)
    centres = rng.integers(0, 256, size=(40, 9), dtype=np.uint8)
    centres[7] = centres[3]  # of two alike the first counts
    away = (rows[:, None].astype(np.int64) - centres) ** 2
    assert np.array_equal(nearest(rows, centres), away.sum(axis=2).argmin(axis=1))


def test_clusters_that_lie_apart_are_found() -> None:
    rng = np.random.default_rng(3)
    middle = np.array([[20, 200], [120, 20], [230, 230], [100, 110]])
    rows = np.concatenate([m + rng.integers(-9, 10, size=(50, 2)) for m in middle]).astype(np.uint8)
    weights = np.ones(len(rows), dtype=np.int64)
    weights[0] = 10**9
    heavy = rows[0]
    centres, label = cluster(rows, weights, 4, passes=5, sample=10_000, rng=rng)
    assert np.array_equal(centres.sum(axis=1), np.sort(centres.sum(axis=1)))
    assert heavy.tolist() in centres.tolist()  # what is dealt most often weighs most
    apart, _ = cluster(rows, np.ones_like(weights), 4, passes=5, sample=200, rng=rng)
    expected = middle[np.argsort(middle.sum(axis=1))]
    assert np.abs(apart.astype(np.int64) - expected).max() <= 3
    assert len(np.unique(label)) == 4


@pytest.fixture
def small_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A folder of its own, and features that take no time; the list says which were asked for."""
    monkeypatch.setattr(buckets, "folder", lambda: tmp_path)
    monkeypatch.setattr(bucket_building, "folder", lambda: tmp_path)
    monkeypatch.setattr(buckets, "ENTRIES", (300, 400, 500))
    asked: list[str] = []
    for street, entries in zip(buckets.STREETS, buckets.ENTRIES, strict=True):

        def features(progress: object, street: str = street, entries: int = entries) -> Features:
            asked.append(street)
            number = np.arange(entries) % 200
            return Features(number.astype(np.uint8)[:, np.newaxis], np.ones(entries, np.int64))

        monkeypatch.setattr(bucket_building, f"{street}_features", features)
    return asked


def test_an_interrupted_build_goes_on_with_the_next_street(
    small_tables: list[str], tmp_path: Path
) -> None:
    def interrupt(done: int, total: int, what: str) -> None:
        if "turn" in what:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bucket_abstraction((169, 6, 5, 4), progress=interrupt)
    assert [(row.street, row.buckets) for row in kept_tables()] == [("flop", 6)]
    found = bucket_abstraction((169, 6, 5, 4))
    assert small_tables == ["flop", "turn", "turn", "river"]
    assert found.states == (169, 6, 5, 4)
    assert [table.max() for table in found.tables] == [5, 4, 3]
    again = bucket_abstraction((169, 6, 5, 4))
    assert again.digests == found.digests
    assert len(small_tables) == 4
    # What a strategy's file keeps of it leads to the same tables, and to no others.
    read = read_abstraction(found.record)
    assert isinstance(read, BucketAbstraction)
    assert read.name == "buckets:169-6-5-4"
    with pytest.raises(BadInput, match="of other tables"):
        read_abstraction(found.record | {"sha256": ["0" * 64] * 3})
    (tmp_path / "river-4.npy").write_bytes(b"nonsense")
    with pytest.raises(BadInput, match="railbird machine abstraction build 169-6-5-4 makes them"):
        read_abstraction(found.record)


def test_states_do_not_depend_on_names_of_suits() -> None:
    rng = np.random.default_rng(4)
    tables = tuple(rng.integers(0, 900, size=n).astype(np.uint16) for n in buckets.ENTRIES)
    found = BucketAbstraction((169, 900, 900, 900), ("", "", ""), tables)
    board = parse_cards("Td5h2s2d2h")  # a flop that no exchange of suits leaves as it is
    states = states_on(found, board)
    assert np.array_equal(states[0], CLASS_OF_HOLDING)
    assert [(each == BLOCKED).sum() for each in states] == [0, 150, 198, 245]
    for permutation in range(0, 24, 5):
        renamed = [Card(int(CARD_UNDER[permutation, card])) for card in board]
        assert np.array_equal(states_on(found, renamed)[:, HOLDING_UNDER[permutation]], states)
    # Nor on the order in which the same cards came.
    assert np.array_equal(
        states_on(found, [board[3], *board[1:3], board[0], board[4]])[3], states[3]
    )


@pytest.mark.parametrize("states", [(169, 1, 1), (5, 5, 5, 5), (169, 0, 1, 1), (169, 1, 1, 99_999)])
def test_refused_numbers(states: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="169 and three numbers up to 65,536"):
        check_states(states)


@pytest.mark.parametrize("damage", ["missing", "cut short", "another table"])
def test_a_table_whose_digest_alone_is_left_is_built_anew(
    small_tables: list[str], damage: str
) -> None:
    made = bucket_abstraction((169, 6, 5, 4))
    path = buckets.table_path(1, 5)
    digests = made.digests
    del made
    if damage == "missing":
        path.unlink()
    elif damage == "cut short":
        path.write_bytes(path.read_bytes()[:50])
    else:
        np.save(path, np.zeros(3, np.uint16))
    assert bucket_abstraction((169, 6, 5, 4)).digests == digests
    assert small_tables == ["flop", "turn", "river", "turn"]
