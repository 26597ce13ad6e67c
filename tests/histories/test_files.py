from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest

from railbird.errors import BadInput
from railbird.histories import Skipped, SkipReason
from railbird.histories.files import LogFile, holds_logs, logs_in, write_text

TEXT = "first\nsecond ♠\nlast without an end"
LINES = ["first\n", "second ♠\n", "last without an end"]


class Pipe(io.RawIOBase):
    """Neither seekable nor of known length, and gives little at a time."""

    def __init__(self, content: bytes) -> None:
        self._rest = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        return self._rest.readinto(buffer[:5])


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
    class Stdin:
        buffer = io.BufferedReader(Pipe(content))

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


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("pack", PACKED.values(), ids=PACKED)
def test_packed_texts_read_as_plain_ones(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """Also where the data come in pieces, and where two files were joined into one."""
    data = pack(TEXT.encode() + b"\n") + pack(TEXT.encode())
    (tmp_path / "log").write_bytes(data)
    lines = [*LINES[:2], LINES[2] + "\n", *LINES]
    assert list(LogFile(tmp_path / "log").lines()) == lines
    assert list(LogFile(io.BytesIO(data)).lines()) == lines
    assert list(LogFile(io.BufferedReader(Pipe(data))).lines()) == lines


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz"])
def test_packed_data_that_are_cut_or_damaged_give_what_is_whole(name: str) -> None:
    lines = [f"line {number} {number * 7919 % 1009}\n" for number in range(150_000)]
    data = PACKED[name]("".join(lines).encode())
    for bad in (data[: len(data) * 3 // 4], data[:-9], data[:-9] + b"123456789", data + b"tail"):
        log = LogFile(io.BytesIO(bad))
        found = list(log.lines())
        assert found[:-1] == lines[: len(found) - 1]
        assert len(found) > 20_000
        assert "the compressed data are damaged or cut off" in log.damage
    for length in (7, 12):
        log = LogFile(io.BytesIO(data[:length]))
        assert log.head == []
        assert log.damage


@pytest.mark.slow
def test_data_that_unpack_to_far_more_than_a_log_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.histories.files._LARGE", 1 << 20)
    bomb = bz2.compress(bytes(1 << 26))
    log = LogFile(io.BytesIO(bomb))
    assert sum(map(len, log.lines())) < 1 << 21
    assert "more than 1,000 times their size when decompressed" in log.damage
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.log", bytes(1 << 26))
    with pytest.raises(BadInput, match="cannot be read: more than 1,000 times"):
        list(logs_in(packed))


@pytest.mark.slow
def test_xz_may_not_ask_for_any_memory() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29, "mode": lzma.MODE_FAST}]
    data = lzma.compress(b"line\n" * 10, filters=filters)
    log = LogFile(io.BytesIO(data))
    assert list(log.lines()) == []
    assert "emory" in log.damage


EURO = "a \u20ac1\nb \u00e4\n"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"\xef\xbb\xbfone\r\n\xffB\n", ["one\r\n", "\xffB\n"]),
        (EURO.encode("cp1252"), EURO.splitlines(keepends=True)),
        (EURO.encode() + EURO.encode("cp1252"), EURO.splitlines(keepends=True) * 2),
        (b"\x81\n", ["\ufffd\n"]),
        (EURO.encode("utf-16"), EURO.splitlines(keepends=True)),
        (EURO.encode("utf-16-le"), EURO.splitlines(keepends=True)),
        (EURO.encode("utf-16-be"), EURO.splitlines(keepends=True)),
        (b"\xfe\xff" + EURO.encode("utf-16-be"), EURO.splitlines(keepends=True)),
        (gzip.compress(EURO.encode("utf-16")), EURO.splitlines(keepends=True)),
        (b"one\rtwo\r", ["one\n", "two\n"]),
        (b"one\r\ntwo\x0b\x1c\xc2\x85\xe2\x80\xa8\r", ["one\r\n", "two\x0b\x1c\x85\u2028\r"]),
        (b"\0\0\0\0one\0\n", ["    one \n"]),
        (b"", []),
    ],
    ids=[
        "utf-8-sig",
        "cp1252",
        "both",
        "undefined",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "utf-16-be-mark",
        "utf-16-gzip",
        "cr",
        "separators",
        "nul",
        "empty",
    ],
)
def test_encodings_and_line_ends(data: bytes, lines: list[str]) -> None:
    log = LogFile(io.BytesIO(data))
    assert list(log.lines()) == lines
    assert not log.damage


def test_long_texts_are_cut_where_lines_end() -> None:
    """Characters of several bytes lie across the blocks that are decoded at a time."""
    lines = [f"{number} \u2660\u00e4 {'x' * (number % 300)}\n" for number in range(20_000)]
    for codec in ("utf-8", "utf-16"):
        assert list(LogFile(io.BytesIO("".join(lines).encode(codec))).lines()) == lines


def zipped(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def test_the_logs_of_folders_and_zip_archives(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.log").write_text("b\n")
    (tmp_path / "sub" / "c.log.gz").write_bytes(gzip.compress(b"c\n"))
    (tmp_path / ".hidden").write_text("h\n")
    (tmp_path / "back").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    members = {
        "x/d.log": b"d\n",
        "x/": b"",
        "__MACOSX/x/._d.log": b"?",
        "e.xz": lzma.compress(b"e\n"),
    }
    (tmp_path / "a.zip").write_bytes(zipped(members))
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 no archive")
    found = {}
    skipped = []
    for log in logs_in(tmp_path):
        if isinstance(log, LogFile):
            found[log.name.removeprefix(f"{tmp_path}/")] = list(log.lines())
        else:
            skipped.append(log)
    assert found == {
        "a.zip/e.xz": ["e\n"],
        "a.zip/x/d.log": ["d\n"],
        "b.log": ["b\n"],
        "sub/c.log.gz": ["c\n"],
    }
    (bad,) = skipped
    assert isinstance(bad, Skipped)
    assert bad.reason is SkipReason.NO_LOG
    assert bad.file == str(tmp_path / "bad.zip")
    assert "cannot be read" in bad.detail
    assert holds_logs(tmp_path)
    assert holds_logs(tmp_path / "a.zip")
    assert holds_logs(io.BytesIO(zipped(members)))
    assert not holds_logs(tmp_path / "b.log")
    with pytest.raises(BadInput, match=r"bad\.zip cannot be read: .* damaged or cut"):
        list(logs_in(tmp_path / "bad.zip"))


def test_a_zip_archive_that_is_damaged_or_locked(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.log": os.urandom(20_000).hex().encode()}))
    data[10_000] ^= 255
    (log,) = logs_in(io.BytesIO(bytes(data)))
    assert isinstance(log, LogFile)
    data = bytearray(zipped({"a.log": b"line\n"}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(BadInput, match=r"cannot be read: a\.log is encrypted"):
        list(logs_in(io.BytesIO(bytes(data))))


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
