from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from railbird.errors import BadInput
from railbird.histories.files import LogFile, write_text

TEXT = "first\nsecond ♠\nlast without an end"
LINES = ["first\n", "second ♠\n", "last without an end"]


def test_plain_and_compressed_files_read_the_same(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.log", tmp_path / "no-telling-name"
    plain.write_text(TEXT, encoding="utf-8")
    packed.write_bytes(gzip.compress(TEXT.encode()))
    for path in (plain, packed):
        log = LogFile(path)
        assert log.head == LINES
        assert list(log.lines()) == LINES
        assert log.name == str(path)
        assert log.folder == tmp_path
        assert not log.damage


@pytest.mark.parametrize(
    "content", [TEXT.encode(), gzip.compress(TEXT.encode(), mtime=0)], ids=["plain", "gzip"]
)
def test_standard_input(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pipe(io.RawIOBase):
        """Neither seekable nor of known length."""

        def __init__(self) -> None:
            self._rest = io.BytesIO(content)

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            return self._rest.readinto(buffer[:5])

    class Stdin:
        buffer = io.BufferedReader(Pipe())

    monkeypatch.setattr("sys.stdin", Stdin())
    log = LogFile("-")
    assert log.name == "-"
    assert log.folder is None
    assert list(log.lines()) == LINES


@pytest.mark.parametrize(
    "content", [TEXT.encode(), gzip.compress(TEXT.encode(), mtime=0)], ids=["plain", "gzip"]
)
def test_a_pipe_is_read_once(content: bytes, tmp_path: Path) -> None:
    """As a shell gives one for ``railbird assess <(some program)``."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    log = LogFile(pipe)
    writer.join()
    assert log.head == LINES
    assert list(log.lines()) == LINES


def test_an_open_stream_stays_open() -> None:
    stream = io.BytesIO(TEXT.encode())
    assert list(LogFile(stream).lines()) == LINES
    assert not stream.closed


def test_byte_order_mark_and_broken_bytes() -> None:
    log = LogFile(io.BytesIO(b"\xef\xbb\xbfone\r\n\xff\n"))
    assert list(log.lines()) == ["one\r\n", "�\n"]


def test_a_cut_compressed_file_gives_its_lines_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    lines = [f"line {number}\n" for number in range(100_000)]
    content = gzip.compress("".join(lines).encode())
    path.write_bytes(content[: len(content) // 2])
    log = LogFile(path)
    read = list(log.lines())
    assert 10_000 < len(read) < 100_000
    assert read[:-1] == lines[: len(read) - 1]
    assert "cut off" in log.damage


def test_a_file_without_line_ends_does_not_end_up_in_memory() -> None:
    class Zeros(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            buffer[:] = bytes(len(buffer))
            return len(buffer)

    log = LogFile(io.BufferedReader(Zeros()))
    assert max(map(len, log.head)) <= 1 << 16


def test_progress_is_told_in_bytes_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("line\n" * 5000)
    calls: list[tuple[int, int, str]] = []
    list(LogFile(path, lambda *call: calls.append(call)).lines())
    assert calls[-1] == (25_000, 25_000, str(path))


@pytest.mark.parametrize("name", ["missing", "."])
def test_what_cannot_be_opened(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        LogFile(tmp_path / name)


def test_writing_plain_and_compressed(tmp_path: Path) -> None:
    for name in ("out.log", "out.log.gz"):
        write_text(LINES, tmp_path / name)
        assert list(LogFile(tmp_path / name).lines()) == LINES
    first = (tmp_path / "out.log.gz").read_bytes()
    write_text(LINES, tmp_path / "out.log.gz")
    assert (tmp_path / "out.log.gz").read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.log", "out.log.gz"]


@pytest.mark.parametrize("name", ["out.log", "out.log.gz"])
def test_a_stopped_writing_leaves_the_older_file(name: str, tmp_path: Path) -> None:
    def stopped() -> Iterator[str]:
        yield "half"
        raise KeyboardInterrupt

    (tmp_path / name).write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_text(stopped(), tmp_path / name)
    assert (tmp_path / name).read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        write_text(LINES, tmp_path / "no" / "such" / "folder")


def test_writing_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    write_text(LINES, "-")
    assert capsys.readouterr().out == TEXT


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(BadInput, match="standard input is closed"):
        LogFile("-")
