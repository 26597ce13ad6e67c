"""An archive's counts are those of its hands, and the hands are read once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NoReturn

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from helpers.command_line import call, call_json
from helpers.random_records import random_table_hand
from railbird.assessment import counted_archive as module
from railbird.assessment import counted_log as rows_module
from railbird.assessment.counted_archive import counted_archive, is_counted
from railbird.assessment.counted_log import CountedLog, KeptRows, counted_log
from railbird.histories import HandRecord, Skipped, SkipReason, archive
from railbird.histories.columns import batches_of, with_blinds
from railbird.progress import Progress

HANDS = 60


LOOKED_AT = [((), {}), (("P1",), {}), (("P1", "P3"), {"P2": "P1"})]
"""Players, and other names of theirs."""


@pytest.fixture(autouse=True)
def counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what is kept."""
    monkeypatch.setattr(module, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "counts"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive, ``hands``, and a copy of it that no test changes."""
    rng = np.random.default_rng(65)
    folder = tmp_path_factory.mktemp("written")
    refused = Skipped(SkipReason.UNREADABLE, 7, "no hand", file="some.txt")
    archive.add([*(random_table_hand(rng) for _ in range(HANDS)), refused], folder / "copy")
    return folder


@pytest.fixture
def hands(folder: Path) -> Path:
    """The archive as it was written, in the same place and of the same time in each test."""
    shutil.rmtree(folder / "hands", ignore_errors=True)
    return shutil.copytree(folder / "copy", folder / "hands")


@pytest.fixture(scope="module")
def first_counts(folder: Path) -> Path:
    """What counting the archive for the first time leaves: it takes seconds."""
    shutil.copytree(folder / "copy", folder / "hands", dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "cache_folder", lambda: folder / "cache")
        counted_archive(folder / "hands")
    return folder / "cache" / "counts"


@pytest.fixture
def counted(hands: Path, counts: Path, first_counts: Path) -> Path:
    """The archive, once it has been counted."""
    shutil.copytree(first_counts, counts)
    assert is_counted(hands)
    return hands


@pytest.fixture(scope="module")
def expected(folder: Path) -> list[CountedLog]:
    """What the hands give for each of `LOOKED_AT`, in memory."""
    read = [batch for batch, _ in with_blinds(batches_of(archive.read_batches(folder / "copy")))]
    return [counted_log(read, players=players, same=same) for players, same in LOOKED_AT]


def not_again(*_: object, **__: object) -> NoReturn:
    raise AssertionError("the hands were read once more")


@pytest.mark.slow(but=["0-1"])
@pytest.mark.parametrize("waiting", [1, 1 << 18])
@pytest.mark.parametrize("looked_at", range(len(LOOKED_AT)))
def test_the_rows_are_those_that_the_hands_give(
    hands: Path,
    looked_at: int,
    expected: list[CountedLog],
    waiting: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rows_module, "_WAITING", waiting)
    (players, same), rows = LOOKED_AT[looked_at], expected[looked_at]
    first, signs, skipped = counted_archive(hands, players=players, same=same)
    monkeypatch.setattr(archive, "read_batches", not_again)
    again, signs_again, skipped_again = counted_archive(hands, players=players, same=same)
    for mine in (first, again):
        assert_frame_equal(
            mine.rows.with_columns(pl.col("player", "stake", "currency").cast(pl.String)),
            rows.rows.with_columns(pl.col("player", "stake", "currency").cast(pl.String)),
        )
        assert (mine.names, mine.seats, mine.everybody, mine.cards.all_known) == (
            rows.names,
            rows.seats,
            rows.everybody,
            rows.cards.all_known,
        )
        assert mine.cards.weights.tolist() == rows.cards.weights.tolist()
    assert (signs, skipped) == (signs_again, skipped_again)
    assert "no hand" in {skip.detail for skip in skipped}


def test_an_archive_that_has_grown_is_counted_anew_and_the_old_counts_go(
    counted: Path, counts: Path
) -> None:
    before, *_ = counted_archive(counted)
    more: list[HandRecord] = [random_table_hand(np.random.default_rng(7)) for _ in range(5)]
    archive.add(more, counted)
    assert not is_counted(counted)
    after, *_ = counted_archive(counted)
    assert after.seats > before.seats
    assert len([path for path in counts.glob("*/*") if path.is_dir()]) == 1


@pytest.mark.slow
def test_a_large_archive_is_counted_in_a_process_of_its_own(
    hands: Path, counts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LARGE", 0)
    with monkeypatch.context() as patch:  # a script without a guard can start no process
        patch.setattr(module, "_steps_apart", not_again)
        expected, signs, skipped = counted_archive(hands)
    shutil.rmtree(counts)
    monkeypatch.setattr(module, "_steps", not_again)
    told = list[tuple[int, int, str]]()
    counted, *others = counted_archive(hands, apart=True, progress=lambda *step: told.append(step))
    assert_frame_equal(counted.rows, expected.rows)
    assert others == [signs, skipped]
    done, total, what = told[-1]
    assert done == total >= HANDS
    assert what == str(hands)


@pytest.mark.slow
def test_counting_that_is_broken_off_leaves_nothing(
    hands: Path, counts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(kept: KeptRows) -> NoReturn:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(KeptRows, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            counted_archive(hands)
    assert not list(counts.glob("*/*/*"))
    assert not is_counted(hands)
    assert counted_archive(hands)[0].seats


@pytest.mark.slow(but=["log.json"])
@pytest.mark.parametrize("name", ["log.json", "000000.parquet", "refused.parquet"])
def test_damaged_counts_are_made_anew(counted: Path, counts: Path, name: str) -> None:
    before, signs, skipped = counted_archive(counted)
    (path,) = counts.glob(f"*/*/{name}")
    path.write_bytes(path.read_bytes()[:-20])
    after, signs_after, skipped_after = counted_archive(counted)
    assert_frame_equal(after.rows, before.rows)
    assert (signs_after, skipped_after) == (signs, skipped)


def test_progress_counts_hands_the_first_time_alone(hands: Path) -> None:
    told: list[tuple[int, int]] = []
    notify: Progress = lambda done, total, _: told.append((done, total))  # noqa: E731
    counted_archive(hands, progress=notify)
    assert told[-1] == (HANDS, HANDS)
    told.clear()
    counted_archive(hands, progress=notify)
    assert told == []


def test_stats_says_of_an_archive_what_it_says_of_the_log(
    hands: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = tmp_path / "hands.phhs"
    call(capsys, "archive", "query", str(hands), "--out", str(log))
    options = ("--player", "P1", "--where", "blinds or faced flop bet")
    of_log = call_json(capsys, "stats", str(log), *options)
    of_archive = call_json(capsys, "stats", str(hands), *options)
    monkeypatch.setattr(archive, "read_batches", not_again)
    again = call_json(capsys, "stats", str(hands), *options)
    assert json.dumps(again) == json.dumps(of_archive)
    assert json.dumps(again["players"]) == json.dumps(of_log["players"])
