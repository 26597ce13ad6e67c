from __future__ import annotations

import os
import subprocess
import sys
import zlib
from dataclasses import fields
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from numba import typeof

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS, HOLDINGS, Card
from railbird.cards.isomorphism import board_classes, board_index
from railbird.cards.isomorphism_kernels import CARD_UNDER, COLUMN, HOLDING_UNDER
from railbird.cards.ranges import CLASS_ORDER
from railbird.errors import BadInput, RailbirdError
from railbird.odds import rank_tables
from railbird.odds.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.odds.rank_kernels import ABSENT_16, ABSENT_32
from railbird.odds.rank_tables import (
    HR7_WHOLE,
    IHR_WHOLE,
    Tables,
    blank_tables,
    build,
    cache_folder,
    count_wins_of_pairs,
    open_tables,
    packed_wins,
    read_wins,
    remove_unknown,
    status,
)
from railbird.odds.stored_arrays import Check, Condition

SMALL = ("flop_start", "flop_pattern", "flop_ihr", "preflop_ihr")


@pytest.fixture(scope="module")
def tables() -> Tables:
    return open_tables()


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    return tmp_path / "tables"


def some_rows(cards: int) -> slice:
    return slice(None, None, 17 if cards == 5 else 1)


def boards(cards: int) -> npt.NDArray[np.uint8]:
    """A board of each class, or of some."""
    return board_classes(cards).representative[some_rows(cards)]


def places(tables: Tables, cards: int) -> npt.NDArray[np.int64]:
    """(boards, 1326) where the entries of all holdings stand."""
    street = {3: "flop", 4: "turn", 5: "river"}[cards]
    index = [board_index([Card(card) for card in board]) for board in boards(cards).tolist()]
    start, pattern = (getattr(tables, f"{street}_{what}")[index] for what in ("start", "pattern"))
    found: npt.NDArray[np.int64] = start[:, np.newaxis].astype(np.int64) + COLUMN[pattern]
    return found


def shares_a_card(cards: int) -> npt.NDArray[np.bool_]:
    """(boards, 1326) whether a holding shares a card with the board."""
    board = boards(cards)
    on_board = np.zeros((len(board), 52), dtype=np.bool_)
    on_board[np.arange(len(board))[:, np.newaxis], board] = True
    found = on_board[:, HOLDING_CARDS[:, 0]] | on_board[:, HOLDING_CARDS[:, 1]]
    assert found.shape == (len(board), HOLDINGS)
    return found


def test_wholes() -> None:
    assert IHR_WHOLE == (2450, 2162, 2070, 1980)
    assert HR7_WHOLE == (2_118_760 * 1980, 1081 * 1980, 46 * 1980, 1980)


@pytest.mark.slow(but=["3"])
@pytest.mark.parametrize("cards", [3, 4, 5])
def test_every_board_shares_out_all_comparisons(tables: Tables, cards: int) -> None:
    # Each ordered pair of holdings adds 2 to one side, or 1 to both.
    ranks = {3: tables.flop_ihr, 4: tables.turn_ihr, 5: tables.river_ihr}[cards]
    ranks = ranks[places(tables, cards)]
    absent = shares_a_card(cards)
    assert not (ranks == ABSENT_16)[~absent].any()
    sums = np.where(absent, 0, ranks).sum(axis=1, dtype=np.int64)
    holdings = HOLDINGS - absent.sum(axis=1)
    assert (holdings == (52 - cards) * (51 - cards) // 2).all()
    assert (sums == holdings * (IHR_WHOLE[cards - 2] // 2)).all()


@pytest.mark.slow(but=["3"])
@pytest.mark.parametrize("cards", [3, 4])
def test_seven_card_ranks_share_out_all_comparisons(tables: Tables, cards: int) -> None:
    sums = {3: tables.flop_hr7, 4: tables.turn_hr7}[cards][places(tables, cards)]
    absent = shares_a_card(cards)
    assert not (sums == ABSENT_32)[~absent].any()
    total = np.where(absent, 0, sums).sum(axis=1, dtype=np.int64)
    holdings = (52 - cards) * (51 - cards) // 2
    assert (total == holdings * HR7_WHOLE[cards - 2] // 2).all()


def test_preflop_ranks_are_the_means_of_the_matrix(tables: Tables) -> None:
    matrix = open_matrix()
    wins = matrix.wins.astype(np.int64)
    points = np.where(matrix.disjoint, PAIR_BOARDS + wins - wins.T, 0).sum(axis=1)
    np.testing.assert_array_equal(tables.preflop_hr7[CLASS_OF_HOLDING], points)


@pytest.mark.slow
def test_what_holdings_win_is_what_counting_gives() -> None:
    assert np.array_equal(read_wins(), count_wins_of_pairs())


def test_what_holdings_win_is_packed_as_it_is_read() -> None:
    wins = read_wins()
    assert np.array_equal(wins, open_matrix().wins)
    packed = Path(rank_tables.__file__).parent / "data" / "preflop_wins.z"
    assert zlib.decompress(packed_wins(wins)) == zlib.decompress(packed.read_bytes())


def test_the_order_of_the_classes_is_that_of_their_hand_ranks(tables: Tables) -> None:
    assert tuple(np.argsort(tables.preflop_hr7)[::-1].tolist()) == CLASS_ORDER


def test_preflop_immediate_ranks_balance(tables: Tables) -> None:
    assert tables.preflop_ihr.shape == (CLASSES,)
    assert int(tables.preflop_ihr[CLASS_OF_HOLDING].sum(dtype=np.int64)) == 1326 * 1225


@pytest.mark.slow(but=["3"])
@pytest.mark.parametrize("cards", [3, 4])
def test_suits_that_a_board_leaves_alike_do_not_matter(tables: Tables, cards: int) -> None:
    classes = board_classes(cards)
    values = {3: tables.flop_hr7, 4: tables.turn_hr7}[cards][places(tables, cards)]
    values[shares_a_card(cards)] = ABSENT_32
    seen = 0
    for row in range(0, len(classes.orbit), 97):
        board = classes.representative[row]
        for cards_under, holdings_under in zip(CARD_UNDER[1:], HOLDING_UNDER[1:], strict=True):
            if np.array_equal(np.sort(cards_under[board]), board):
                seen += 1
                np.testing.assert_array_equal(values[row][holdings_under], values[row])
    assert seen > 10


def test_all_are_built_and_valid() -> None:
    build()
    found = status(check=Check.FULL)
    assert {table.condition for table in found} == {Condition.VALID}
    assert all(table.path.stat().st_size == table.size for table in found)


def test_what_is_missing_is_built_with_what_it_needs(empty_cache: Path) -> None:
    assert {table.condition for table in status()} == {Condition.ABSENT}
    calls: list[tuple[int, int, str]] = []
    assert set(build(SMALL, progress=lambda *call: calls.append(call))) == set(SMALL)
    assert calls[-1][0] == calls[-1][1]
    assert build(SMALL) == ()
    valid = {table.name for table in status() if table.condition is Condition.VALID}
    assert valid == set(SMALL)
    assert cache_folder() == empty_cache
    assert not list(empty_cache.glob("*.part"))


@pytest.mark.slow
def test_large_tables_are_announced_before_they_are_built(
    empty_cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    build(SMALL)
    assert not caplog.messages
    build(["river_start", "river_pattern"])
    assert caplog.messages == [f"building tables, once: some seconds, 13 MB in {empty_cache}"]


def test_a_damaged_table_is_rebuilt(empty_cache: Path) -> None:
    build(SMALL)
    path = empty_cache / "flop_ihr.table"
    good = path.read_bytes()
    path.write_bytes(good[:-1] + bytes([good[-1] ^ 255]))
    assert build(SMALL) == ("flop_ihr",)
    assert path.read_bytes()[4096:] == good[4096:]


@pytest.mark.slow
def test_tables_beside_the_package_are_used_unless_they_are_damaged(
    tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = tmp_path / "package" / "tables"
    rank_tables.share_tables(beside)
    monkeypatch.setattr(rank_tables, "FOLDER", beside.parent)
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path / "cache"))
    for file in beside.iterdir():  # as pip unpacks them
        os.utime(file, ns=(1, 1))
    assert build(["river_start", "turn_ihr"]) == ()
    found = open_tables()
    assert (found.turn_ihr == tables.turn_ihr).all()
    assert not (tmp_path / "cache").exists()
    damaged = beside / "river_start.table"
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:-1] + bytes([whole[-1] ^ 255]))
    assert build(["river_start", "turn_ihr"]) == ("river_start",)
    assert [each.name for each in (tmp_path / "cache/tables").glob("*.table")] == [damaged.name]


def test_leftovers_of_a_killed_builder_are_removed(empty_cache: Path) -> None:
    empty_cache.mkdir()
    (empty_cache / "flop_ihr.123.part").write_bytes(b"half")
    build(["flop_ihr"])
    assert not list(empty_cache.glob("*.part"))


def test_an_interrupted_build_goes_on_where_it_was(empty_cache: Path) -> None:
    def interrupt(done: int, total: int, what: str) -> None:
        del done, total, what
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(SMALL, progress=interrupt)
    assert not list(empty_cache.glob("*.part"))
    assert "flop_ihr" in build(SMALL)
    assert build(SMALL) == ()


@pytest.mark.slow
def test_two_processes_build_once(tmp_path: Path) -> None:
    """The folder of tables is empty, that of machine code, which takes seconds, is not."""
    code = (
        "from pathlib import Path; from railbird.odds import rank_tables; "
        f"rank_tables.cache_folder = lambda: Path({str(tmp_path)!r}); "
        f"print(len(rank_tables.build({SMALL!r})))"
    )
    builders = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    try:
        built = [builder.communicate(timeout=1200)[0].strip() for builder in builders]
    finally:
        for builder in builders:
            builder.kill()
    assert [builder.returncode for builder in builders] == [0, 0]
    assert sorted(built) == ["0", str(len(SMALL))]


def test_kernels_compiled_with_blank_tables_are_those_of_the_real_ones() -> None:
    real, blank = open_tables(), blank_tables()
    for field in fields(Tables):
        types = [typeof(getattr(each, field.name)) for each in (real, blank)]  # type: ignore[no-untyped-call]
        assert types[0] == types[1], field.name


def test_tables_of_other_versions_are_removed(empty_cache: Path) -> None:
    build(["flop_pattern"])
    (empty_cache / "river_permutation.table").write_bytes(b"of another version")
    assert remove_unknown() == 1
    assert [path.name for path in empty_cache.glob("*.table")] == ["flop_pattern.table"]


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^no table 'ladder'; allowed: flop_start, "):
        build(["ladder"])


@pytest.mark.skipif(os.name == "nt", reason="needs a path that cannot be a folder")
def test_a_cache_folder_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILBIRD_CACHE", "/dev/null")
    with pytest.raises(RailbirdError, match="/dev/null"):
        build(SMALL)
