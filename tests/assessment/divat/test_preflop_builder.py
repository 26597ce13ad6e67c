"""The builder: its kernels on single boards against boards played out, and how it is resumed."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from railbird.assessment.divat import preflop_builder
from railbird.assessment.divat._kernels_preflop import add_boards, new_row
from railbird.assessment.divat._kernels_preflop_board import LANES, MOST, new_board
from railbird.assessment.divat._kernels_preflop_pairs import average_pairs
from railbird.assessment.divat.preflop_builder import betting_plan, compute_table, rank_tables
from railbird.assessment.divat.preflop_table import (
    PAIR_CLASSES,
    pair_members,
    pair_rows,
    write_table,
)
from railbird.baseline import CAP, STANDARD, parse_settings
from railbird.cards import HOLDING_CARDS, HOLDINGS, Holding, parse_cards
from railbird.cards.isomorphism.boards import CARD_UNDER, board_classes, canonical_board
from railbird.errors import Interrupted, RailbirdError
from railbird.odds.tables.rank_tables import open_tables
from twins.preflop_by_play import deal, results

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from railbird.baseline import BaselineSettings

# No symmetry, equal unused suits, two pairs of suits, one suit only, paired and unpaired.
BOARDS = ("2c7d9hAs", "2c9cJcKd", "3c3dQcQd", "TcJcQcAc", "5c5d5hKc")
# Folds of hands that would bet, on all streets, and of hands that are not behind.
FOLDS = "flop.fold=0.5,turn.fold=0.5,river.fold=0.4,river.make1=0.5"
CASES = (
    *((board, text) for board in BOARDS for text in ("standard", FOLDS)),
    *((BOARDS[0], text) for text in ("pot=facing-bet", "aggressive-high", "river.fold=1")),
)
NEVER_BET = ",".join(f"{s}.make{n}=2" for s, n in product(("flop", "turn", "river"), (4, 3, 2, 1)))
ALWAYS_RAISE = ",".join(
    ["flop.fold=-1", "turn.fold=-1", "river.fold=-1"]
    + [f"{s}.make{n}=0" for s, n in product(("flop", "turn", "river"), (1, 2, 3, 4))]
)


def _sums_over_class(board: str, settings: BaselineSettings) -> npt.NDArray[np.int32]:
    """Numerators (93769, 4) of one class of boards alone."""
    row = canonical_board(parse_cards(board)).row
    plan, classes = betting_plan(settings), board_classes(4)
    values = np.zeros((HOLDINGS, MOST[0], LANES), dtype=np.int32)
    gains, done = np.zeros_like(values), np.zeros(len(classes.orbit), dtype=np.bool_)
    groups, shapes = len(plan.groups), len(plan.levels)
    for _ in range(2):  # a board that is done is not added again
        add_boards(
            classes.representative,
            classes.orbit,
            row,
            row + 1,
            rank_tables(open_tables()),
            plan,
            new_board(groups, shapes),
            new_row(groups),
            values,
            gains,
            done,
        )
    assert np.flatnonzero(done).tolist() == [row]
    numerators = np.empty((PAIR_CLASSES, MOST[0]), dtype=np.int32)
    assert average_pairs(pair_members(), values, gains, numerators) == 0
    return numerators


def _boards_of_class(board: str) -> set[tuple[int, ...]]:
    cards = np.array(parse_cards(board))
    return {tuple(sorted(under[cards].tolist())) for under in CARD_UNDER}


def _all_deals(
    boards: set[tuple[int, ...]], first: Holding, second: Holding
) -> npt.NDArray[np.uint8]:
    """All flops, turns and rivers (n, 5) of which the first four cards are one of ``boards``."""
    held = HOLDING_CARDS[[first, second]].ravel().tolist()
    deals = [
        [*(card for card in board if card != turn), turn, river]
        for board in boards
        if not set(board) & set(held)
        for turn in board
        for river in range(52)
        if river not in (*board, *held)
    ]
    return np.array(deals, dtype=np.uint8).reshape(-1, 5)


@pytest.mark.parametrize(("board", "text"), CASES)
def test_a_class_of_boards_adds_up_to_its_boards_played_out(board: str, text: str) -> None:
    settings = parse_settings(text)
    numerators, boards = _sums_over_class(board, settings), _boards_of_class(board)
    rng = np.random.default_rng(4)
    for row in rng.integers(0, PAIR_CLASSES, 12).tolist():
        first, second = (Holding(holding) for holding in pair_members()[row].tolist())
        deals = deal(first, second, _all_deals(boards, first, second), settings)
        assert numerators[row].tolist() == results(deals, settings).sum(axis=1).tolist()


def test_without_bets_only_the_showdown_counts() -> None:
    checked = _sums_over_class("2c9cJcKd", parse_settings(NEVER_BET))
    capped = _sums_over_class("2c9cJcKd", parse_settings(ALWAYS_RAISE))
    reverse = pair_rows()[tuple(pair_members().T[::-1])]
    assert np.array_equal(checked, -checked[reverse])
    showdowns = checked[:, 0]
    assert np.count_nonzero(showdowns) > PAIR_CLASSES // 2
    for c in range(1, CAP + 1):
        assert np.array_equal(checked[:, c - 1], c * showdowns)
        # Four bets on each street, of one, two and two small bets.
        assert np.array_equal(capped[:, c - 1], (c + 4 + 8 + 8) * showdowns)


def test_contributions_reach_as_far_as_the_arrays() -> None:
    assert MOST == (CAP, CAP + CAP, CAP + CAP + 2 * CAP)


def _pretend(*arguments: object) -> None:
    """Do what `add_boards` does, only that a board is worth as much as its number."""
    start, stop, done = arguments[2], arguments[3], arguments[-1]
    values, gains = arguments[-3], arguments[-2]
    assert isinstance(start, int)
    assert isinstance(stop, int)
    for array in (values, gains, done):
        assert isinstance(array, np.ndarray)
    for board in range(start, stop):
        if not done[board]:  # type: ignore[index]
            values[:, :, 0] += 24 * board  # type: ignore[index]
            gains[0, 0, :] += 24  # type: ignore[index]
            done[board] = True  # type: ignore[index]


def _interrupt_at(boards: int) -> Callable[[int, int, str], None]:
    def progress(done: int, total: int, what: str) -> None:
        if done >= boards:
            raise KeyboardInterrupt

    return progress


@pytest.fixture
def _quick_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflop_builder, "add_boards", _pretend)
    monkeypatch.setattr(preflop_builder, "_BOARDS", 600)
    monkeypatch.setattr(preflop_builder, "_BATCH", 128)


@pytest.mark.usefixtures("_quick_boards")
def test_an_interrupted_build_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    straight = compute_table(STANDARD, checkpoint=tmp_path / "none").numerators
    checkpoint = tmp_path / "checkpoint"
    for boards in (100, 300):
        with pytest.raises(Interrupted, match=r"of 600 boards, which are kept in .*checkpoint"):
            compute_table(STANDARD, checkpoint=checkpoint, progress=_interrupt_at(boards))
    seen: list[int] = []
    resumed = compute_table(
        STANDARD, checkpoint=checkpoint, progress=lambda done, total, what: seen.append(done)
    )
    assert np.array_equal(resumed.numerators, straight)
    assert seen[0] >= 300
    assert seen[-1] == 600


@pytest.mark.usefixtures("_quick_boards")
def test_checkpoints_of_other_settings_and_damaged_ones_are_not_used(tmp_path: Path) -> None:
    straight = compute_table(STANDARD, checkpoint=tmp_path / "none").numerators
    checkpoint = tmp_path / "checkpoint"
    with pytest.raises(Interrupted):
        compute_table(
            parse_settings("tight-high"), checkpoint=checkpoint, progress=_interrupt_at(100)
        )
    assert np.array_equal(compute_table(STANDARD, checkpoint=checkpoint).numerators, straight)
    with pytest.raises(Interrupted):
        compute_table(STANDARD, checkpoint=checkpoint, progress=_interrupt_at(100))
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100_000])
    assert np.array_equal(compute_table(STANDARD, checkpoint=checkpoint).numerators, straight)


@pytest.mark.usefixtures("_quick_boards")
def test_a_built_table_is_found_and_kept(tmp_path: Path) -> None:
    settings = parse_settings("tight-high")
    built = preflop_builder.build_table(settings, folder=tmp_path)

    def refuse(done: int, total: int, what: str) -> None:
        raise AssertionError("built again")

    again = preflop_builder.build_table(settings, folder=tmp_path, progress=refuse)
    assert np.array_equal(again.numerators, built.numerators)
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".lock", ".npz"]


def test_a_place_that_takes_no_files_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RailbirdError, match=r"cannot use the folder .*file"):
        preflop_builder.build_table(parse_settings("tight-high"), folder=tmp_path / "file")
    with pytest.raises(RailbirdError, match=r"absent.table\.npz: cannot be written: No such file"):
        write_table(preflop_builder.build_table(STANDARD), tmp_path / "absent" / "table.npz")
