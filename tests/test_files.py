"""Files written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from railbird._files import (
    UNREADABLE,
    atomic_write,
    bounded_text,
    created_folder,
    kept_arrays,
    read_arrays,
    replace_files,
    write_arrays,
)
from railbird.errors import BadInput, WriteFailed


def test_all_files_and_the_folders_that_they_need(tmp_path: Path) -> None:
    replace_files({tmp_path / "a/b/x": b"1", tmp_path / "a/y": b"2"})
    assert (tmp_path / "a/b/x").read_bytes() == b"1"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "b", "x", "y"]


def test_all_or_none(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("kept")
    (tmp_path / "file").touch()
    contents = {tmp_path / "old": b"new", tmp_path / "a/x": b"", tmp_path / "file/y": b""}
    with pytest.raises(BadInput, match=r"file: cannot be written: (Not a|File exists)"):
        replace_files(contents)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "old"]
    assert (tmp_path / "old").read_text() == "kept"


def test_what_writes_itself_is_as_whole_as_bytes(tmp_path: Path) -> None:
    def fails(file: BinaryIO) -> None:
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    replace_files({tmp_path / "x": lambda file: file.write(b"1"), tmp_path / "y": b"2"})
    assert [(tmp_path / name).read_bytes() for name in "xy"] == [b"1", b"2"]
    with pytest.raises(WriteFailed, match="x: cannot be written: No space left"):
        replace_files({tmp_path / "y": b"3", tmp_path / "x": fails})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x", "y"]
    assert [(tmp_path / name).read_bytes() for name in "xy"] == [b"1", b"2"]


def test_what_stops_the_writing_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("old")

    def stopped() -> None:
        with atomic_write(tmp_path / "x") as part:
            part.write_text("new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x").read_text() == "old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_what_is_no_regular_file_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_files({pipe: b"told"})
    assert os.read(reader, 10) == b"told"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path, there: bool) -> None:
    (tmp_path / "deep").mkdir()
    file, link = tmp_path / "deep/file", tmp_path / "link"
    link.symlink_to(Path("deep") / "file")
    if there:
        file.write_text("old")
        file.chmod(0o600)
    replace_files({link: b"new"})
    assert link.is_symlink()
    assert file.read_text() == "new"
    if there:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["file"]


def test_a_link_to_itself_is_named(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(BadInput, match="link: cannot be written"):
        replace_files({link: b""})
    assert link.is_symlink()


def test_a_folder_with_something_in_it_stays(tmp_path: Path) -> None:
    def failing() -> None:
        with created_folder(tmp_path / "a/b/c"):
            (tmp_path / "a/x").touch()
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        failing()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "x"]


def test_an_archive_of_arrays_is_read_as_written_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "arrays.npz"
    numbers = np.arange(1000.0)
    for compressed in (False, True):
        write_arrays(path, {"key": "of these", "numbers": numbers}, compressed=compressed)
        arrays = read_arrays(path)
        assert str(arrays["key"]) == "of these"
        assert np.array_equal(arrays["numbers"], numbers)
        assert list(read_arrays(path, "numbers")) == ["numbers"]
        assert kept_arrays(path, "numbers", "others") is None
        sound = path.read_bytes()
        for place in range(0, len(sound), 7):
            path.write_bytes(sound[:place])
            assert kept_arrays(path) is None
    single = BytesIO()
    np.save(single, numbers)
    path.write_bytes(single.getvalue())
    with pytest.raises(UNREADABLE, match="not an archive"):
        read_arrays(path)
    path.unlink()
    assert kept_arrays(path) is None


def test_what_is_no_text_is_said_in_plain_words(tmp_path: Path) -> None:
    path = tmp_path / "spot.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert bounded_text(path, 100) == "one\ntwo\nthree\n"
    path.write_bytes(b"\xad\x00")
    with pytest.raises(BadInput, match=r"spot.txt: no text; allowed: a file of UTF-8$"):
        bounded_text(path, 100)
    with pytest.raises(BadInput, match="longer than 0 bytes"):
        bounded_text(path, 0)
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        bounded_text(tmp_path, 100)
