"""Files written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from railbird._files import made, replace_files, writing
from railbird.errors import BadInput


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


def test_what_stops_the_writing_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("old")

    def stopped() -> None:
        with writing(tmp_path / "x") as part:
            part.write_text("new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x").read_text() == "old"


def test_a_folder_with_something_in_it_stays(tmp_path: Path) -> None:
    def failing() -> None:
        with made(tmp_path / "a/b/c"):
            (tmp_path / "a/x").touch()
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        failing()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "x"]
