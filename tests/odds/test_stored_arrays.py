from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import RailbirdError
from railbird.odds.stored_arrays import Check, Condition, Layout, condition, mapped, writing

LAYOUT = Layout("numbers", "uint16", (1000, 10))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with writing(tmp_path, LAYOUT) as array:
        array[:] = np.arange(10_000).reshape(1000, 10)
    return tmp_path


def flip_a_bit(path: Path, position: int) -> None:
    with path.open("r+b") as file:
        file.seek(position)
        byte = file.read(1)[0]
        file.seek(position)
        file.write(bytes([byte ^ 1]))


def test_what_was_written_is_mapped_read_only(folder: Path) -> None:
    assert condition(folder, LAYOUT, Check.FULL) is Condition.VALID
    array = mapped(folder, LAYOUT)
    np.testing.assert_array_equal(array, np.arange(10_000).reshape(1000, 10))
    assert type(array) is np.ndarray
    assert not array.flags.writeable
    assert [path.name for path in folder.iterdir()] == ["numbers.table"]


def test_nothing_is_absent(tmp_path: Path) -> None:
    assert condition(tmp_path, LAYOUT) is Condition.ABSENT


@pytest.mark.parametrize(
    "other",
    [
        Layout("numbers", "uint16", (1000, 10), version=2),
        Layout("numbers", "uint16", (10, 1000)),
        Layout("numbers", "int16", (1000, 10)),
    ],
)
def test_another_layout_is_outdated(folder: Path, other: Layout) -> None:
    assert condition(folder, other) is Condition.OUTDATED


@pytest.mark.parametrize("position", [0, 40, 4096, 12_345, 24_095])
def test_a_changed_bit_is_damage(folder: Path, position: int) -> None:
    flip_a_bit(LAYOUT.path(folder), position)
    assert condition(folder, LAYOUT) in (Condition.DAMAGED, Condition.OUTDATED)


@pytest.mark.parametrize("size", [0, 100, 4096, 24_095, 24_097])
def test_a_wrong_size_is_damage(folder: Path, size: int) -> None:
    os.truncate(LAYOUT.path(folder), size)
    assert condition(folder, LAYOUT) is Condition.DAMAGED


def test_decay_that_leaves_the_time_alone_is_found_by_the_full_check(folder: Path) -> None:
    path = LAYOUT.path(folder)
    before = path.stat()
    flip_a_bit(path, 5000)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert condition(folder, LAYOUT) is Condition.VALID
    assert condition(folder, LAYOUT, Check.FULL) is Condition.DAMAGED


def test_a_copy_is_verified_once_and_marked(folder: Path) -> None:
    path = LAYOUT.path(folder)
    marked = path.stat().st_mtime_ns
    path.touch()
    assert path.stat().st_mtime_ns != marked
    assert condition(folder, LAYOUT) is Condition.VALID
    assert path.stat().st_mtime_ns == marked


def test_a_failure_leaves_the_table_before_it(folder: Path) -> None:
    def fail() -> None:
        with writing(folder, LAYOUT) as array:
            array[:] = 7
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert condition(folder, LAYOUT, Check.FULL) is Condition.VALID
    assert mapped(folder, LAYOUT)[0, 1] == 1
    assert [path.name for path in folder.iterdir()] == ["numbers.table"]


def test_a_folder_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(RailbirdError, match=r"^cannot write .*: Not a directory; .* folder$"),
        writing(tmp_path / "file", LAYOUT),
    ):
        pass
