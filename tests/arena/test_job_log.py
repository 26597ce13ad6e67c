"""Files that grow by whole parts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import FileIO
from pathlib import Path
from typing import BinaryIO

import pytest

from railbird.arena import job_log
from railbird.arena.job_log import growing
from railbird.errors import BadInput

HEADER = b"header\n"


def _lines(stream: BinaryIO) -> tuple[list[bytes], int]:
    whole = [line for line in stream if line.endswith(b"\n")]
    return whole[1:], sum(map(len, whole))


def test_whole_parts_are_found_again_and_the_rest_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "deep/log"
    with growing(path, HEADER, _lines) as (log, parts):
        assert parts == []
        log.append(b"one\n")
        log.append(b"tw")
    with growing(path, HEADER, _lines) as (log, parts):
        assert parts == [b"one\n"]
        log.append(b"two\n")
    assert path.read_bytes() == b"header\none\ntwo\n"


def test_a_log_of_nothing_goes_again(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), growing(tmp_path / "deep/log", HEADER, _lines):
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())


def test_ctrl_c_just_after_the_log_is_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(path: Path, mode: str) -> FileIO:
        FileIO(path, mode).close()
        raise KeyboardInterrupt

    monkeypatch.setattr(job_log, "FileIO", interrupted)
    with pytest.raises(KeyboardInterrupt), growing(tmp_path / "log", HEADER, _lines):
        pass
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_was_there_stays(tmp_path: Path) -> None:
    def other(stream: BinaryIO) -> tuple[list[bytes], int]:
        raise BadInput("another log")

    (tmp_path / "log").write_text("what it is")
    with pytest.raises(BadInput, match="another log"), growing(tmp_path / "log", HEADER, other):
        pass
    assert (tmp_path / "log").read_text() == "what it is"


def test_a_lock_goes_with_its_holder_and_holds_until_then(tmp_path: Path) -> None:
    """Many at a time: the file that one removes must never be what another one holds."""
    path, inside, held = tmp_path / "log", [], []

    def attempt(number: int) -> None:
        try:
            with growing(path, HEADER, _lines):
                inside.append(number)
                assert inside == [number]
                inside.remove(number)
                held.append(number)
        except BadInput:
            pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(attempt, range(400)))
    assert held
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_made_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "lgos" / "match.log"
    with growing(path, b"header\n", lambda _: ([], 0)) as (log, _):
        log.append(b"part\n")
    assert caplog.messages == [f"{path.parent}: made for the log"]
    with growing(path, b"header\n", lambda stream: ([], len(stream.read()))):
        pass
    assert len(caplog.messages) == 1
