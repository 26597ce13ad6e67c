from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import re
import shutil
import tracemalloc
import zipfile
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest

from railbird.errors import BadInput, NothingUsable
from railbird.histories import (
    BadHand,
    HandRecord,
    Skipped,
    SkipReason,
    WriteOptions,
    archive,
    convert,
    read,
    read_columns,
    read_hand,
    resolve_game,
    state_line,
    write,
)
from railbird.histories.files import LogFile
from railbird.histories.sites import pokerstars
from railbird.histories.sites.pokerstars_head import Head, read_head
from railbird.histories.sites.text import SiteText

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
LOG = GOLDEN / "limit.log"


def test_reading_opens_and_recognises_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read(tmp_path / "missing.log")
    (tmp_path / "other.log").write_text("nothing of poker\n")
    with pytest.raises(BadInput, match="no known format"):
        read(tmp_path / "other.log")
    with pytest.raises(BadInput, match="no game"):
        read(LOG, game="whist")


def test_a_reading_that_is_not_finished_leaves_nothing_open() -> None:
    read(LOG)
    next(read(LOG))


@pytest.mark.slow
def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    lines = LOG.read_text().splitlines(keepends=True)

    def peak(times: int) -> int:
        path = tmp_path / f"{times}.log.gz"
        path.write_bytes(gzip.compress("".join([lines[0], *lines[2:-1] * times]).encode()))
        tracemalloc.start()
        deque(read(path), maxlen=0)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)  # whatever is remembered is remembered now
    assert peak(900) < 2 * peak(300)


@pytest.mark.slow
def test_memory_does_not_grow_with_hands_that_never_repeat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("railbird.histories.acpc.log._KEPT", 256)
    rules = resolve_game("holdem.nolimit.2p.reverse_blinds.game")

    def lines(count: int) -> Iterator[str]:
        for number in range(count):
            yield f"STATE:{number}:r{300 + number}f:Ad3s|8d5d:-100|100:B|A # {number}\n"

    class Endless(io.RawIOBase):
        def __init__(self, count: int) -> None:
            self._lines = lines(count)

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            line = next(self._lines, "").encode()
            buffer[: len(line)] = line
            return len(line)

    tracemalloc.start()
    hands = read(io.BufferedReader(Endless(4_000), 1 << 10), format_name="acpc", game=rules)
    sizes = []
    for count, hand in enumerate(hands, 1):
        assert isinstance(hand, HandRecord)
        if count in (500, 3_900):
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[1] < sizes[0] + 500_000


@pytest.mark.slow
def test_a_damaged_archive_gives_its_hands_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.log.gz"
    lines = LOG.read_text().splitlines(keepends=True)
    content = gzip.compress("".join([lines[0], *lines[2:-1] * 3000]).encode())
    path.write_bytes(content[: len(content) * 3 // 4])
    found = list(read(path))
    *hands, last = found
    assert len(hands) > 5_000
    assert isinstance(last, Skipped)
    assert last.reason is SkipReason.CUT
    assert "compressed data" in last.detail
    assert last.line >= len(hands)
    assert sum(isinstance(hand, Skipped) for hand in hands) <= 1


def test_a_folder_of_logs_of_any_format(tmp_path: Path) -> None:
    logs = sorted(path for path in GOLDEN.iterdir() if path.suffix in (".log", ".phhs"))
    (tmp_path / "sub").mkdir()
    for path in logs:
        (tmp_path / "sub" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "README").write_text("nothing of poker")
    hands = list(read(tmp_path))
    assert hands[0] == Skipped(SkipReason.NO_LOG, 0, "", file=str(tmp_path / "README"))
    assert hands[1:] == [hand for path in logs for hand in read(path)]
    last = hands[-1]
    assert isinstance(last, HandRecord)
    assert last.source is not None
    assert last.source.file == str(tmp_path / "sub" / logs[-1].name)
    packed = Path(shutil.make_archive(str(tmp_path / "all"), "zip", tmp_path / "sub"))
    assert list(read(packed)) == hands[1:]
    with packed.open("rb") as stream:
        assert list(read(stream)) == hands[1:]
    assert convert(packed, tmp_path / "out.phhs").hands == len(hands) - 1


def test_what_ends_one_log_of_a_folder_does_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that nobody has named, and a disk that fails."""
    (tmp_path / "nolimit").mkdir()
    (tmp_path / "nolimit" / "hdb").write_text((GOLDEN / "irc.txt").read_text())
    logs = _fifty(tmp_path)
    lines = LogFile.lines

    def fail(log: LogFile) -> Iterator[str]:
        if log.name == str(logs[0]):
            raise OSError(errno.EIO, "Input/output error")
        return lines(log)

    monkeypatch.setattr(LogFile, "lines", fail)
    items = list(read(tmp_path))
    lost = [item for item in items if isinstance(item, Skipped)]
    assert [(skip.file, skip.reason) for skip in lost] == [
        (str(logs[0]), SkipReason.CUT),
        (str(tmp_path / "nolimit" / "hdb"), SkipReason.NO_GAME),
    ]
    assert len(items) == 51


def test_what_cannot_be_used_in_a_folder_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(LOG.read_text().replace(":70|-70:Annie", ":71|-71:Annie"))
    archive.add([hand for hand in read(LOG) if isinstance(hand, HandRecord)], tmp_path / "kept")
    (bad,) = [hand for hand in read(tmp_path) if isinstance(hand, Skipped)]
    assert (bad.reason, bad.file) == (SkipReason.WRONG_PAYOFF, str(tmp_path / "a.log"))
    assert len(list(read(tmp_path))) == 24


def _fifty(folder: Path) -> list[Path]:
    """Fifty logs of one hand; that of every tenth is number 666."""
    text = (GOLDEN / "stars.txt").read_text().partition("\n\n\n")[0]
    for number in range(50):
        header = f"PokerStars Hand #{666 if number % 10 == 0 else 1000 + number}:"
        log = re.sub(r"^PokerStars \w+ #[0-9]+:", header, text)
        (folder / f"{number:02}.txt").write_text(log)
    return [folder / f"{number}0.txt" for number in range(5)]


@pytest.mark.parametrize("how", [read, read_columns])
def test_five_hands_of_fifty_are_lost_by_themselves(
    how: Callable[[Path], Iterator[object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = _fifty(tmp_path)

    def fail(line: str) -> Head:
        if "#666:" in line:
            raise IndexError(line)
        return read_head(line)

    monkeypatch.setattr(pokerstars, "read_head", fail)
    items = list(how(tmp_path))
    lost = [item for item in items if isinstance(item, Skipped)]
    assert [(skip.file, skip.line) for skip in lost] == [(str(path), 1) for path in broken]
    assert all("PokerStars Hand #666:" in skip.detail for skip in lost)
    assert len(items) == 50


def test_a_log_that_cannot_be_divided_is_lost_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = _fifty(tmp_path)
    divided = SiteText._divided

    def fail(site: SiteText, text: str, *, ended: bool) -> list[str]:
        if "#666:" in text:
            raise IndexError(text)
        return divided(site, text, ended=ended)

    monkeypatch.setattr(SiteText, "_divided", fail)
    items = list(read(tmp_path))
    lost = [item for item in items if isinstance(item, Skipped)]
    assert [skip.file for skip in lost] == list(map(str, broken))
    assert all(skip.detail.endswith("; the rest is not read") for skip in lost)
    assert len(items) == 50


def test_what_cannot_be_written_names_its_file_only_among_several(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    log = tmp_path / "sub" / "winamax.txt"
    log.write_text((GOLDEN / "winamax.txt").read_text())
    found = list[Skipped]()
    convert(tmp_path / "sub", tmp_path / "all.log", target_format="acpc", on_skip=found.append)
    assert [(each.file, each.line) for each in found] == [(str(log), n) for n in (1, 37, 85)]
    found.clear()
    convert(log, tmp_path / "one.log", target_format="acpc", on_skip=found.append)
    assert [(each.file, each.line) for each in found] == [("", n) for n in (1, 37, 85)]


@pytest.mark.parametrize(
    ("names", "message"),
    [([], " is empty"), (["a", "b"], "none of 2 files is a log of a known")],
)
def test_folders_without_logs(names: list[str], message: str, tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).write_text("x")
    with pytest.raises(NothingUsable, match=message):
        read(tmp_path)


def test_no_name_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty name, which a path would take for the current folder, is refused."""
    shutil.copy(LOG, tmp_path / "log")
    monkeypatch.chdir(tmp_path)
    assert next(iter(read("."))) is not None
    with pytest.raises(BadInput, match="a log without a name"):
        next(iter(read("")))


def test_packed_data_that_are_cut_at_once_are_not_empty(tmp_path: Path) -> None:
    (tmp_path / "cut.gz").write_bytes(gzip.compress(LOG.read_bytes())[:12])
    with pytest.raises(NothingUsable, match=r"cut\.gz cannot be read: .* damaged or cut off"):
        read(tmp_path / "cut.gz")


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zip"])
def test_every_cut_archive_is_called_damaged(kind: str, tmp_path: Path) -> None:
    data, packed = LOG.read_bytes(), io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("a.log", data)
    else:
        pack: dict[str, Callable[[bytes], bytes]] = {
            "gz": gzip.compress,
            "bz2": bz2.compress,
            "xz": lzma.compress,
        }
        packed.write(pack[kind](data))
    path = tmp_path / f"cut.{kind}"
    path.write_bytes(packed.getvalue()[:60])
    with pytest.raises(NothingUsable, match=rf"cut\.{kind} cannot be read: .* damaged or cut off"):
        read(path)


def test_a_zip_archive_cannot_come_through_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.log").write_bytes(LOG.read_bytes())
    packed = Path(shutil.make_archive(str(tmp_path / "all"), "zip", tmp_path / "logs"))
    os.mkfifo(tmp_path / "pipe")
    writer = Thread(target=(tmp_path / "pipe").write_bytes, args=(packed.read_bytes(),))
    writer.start()
    with pytest.raises(NothingUsable, match=r"pipe is a zip archive in a pipe; allowed: in a file"):
        read(tmp_path / "pipe")
    writer.join()


def test_lines_may_be_indented(tmp_path: Path) -> None:
    """As logs are that were pasted into a message."""
    for name in ("limit.log", "limit.txt", "transcript.txt"):
        text = (GOLDEN / name).read_text()
        (tmp_path / name).write_text("  " + text.replace("\n", "\n  "))
        expected = read(GOLDEN / name)
        if name == "transcript.txt":
            continue
        assert list(read(tmp_path / name)) == list(expected)


def test_details_are_one_line_of_bounded_length() -> None:
    long = Skipped(SkipReason.UNREADABLE, 1, "a" * 5000 + "\nb")
    assert len(long.detail) == 200
    assert Skipped(SkipReason.UNREADABLE, 1, "two\n lines").detail == "two lines"


def test_raw_bytes_of_a_broken_log_are_in_no_detail() -> None:
    raw, shown = "a\x1b[31m\x00\x9b\u202e\udc80b", f"a\ufffd[31m{4 * chr(0xFFFD)}b"
    assert Skipped(SkipReason.UNREADABLE, 1, raw).detail == shown
    problem = BadHand(SkipReason.SAME_NAME, raw)
    assert (problem.detail, str(problem)) == (shown, f"one name in two seats: {shown}")


def test_one_hand_of_text() -> None:
    line = LOG.read_text().splitlines()[2]
    assert state_line(read_hand(line), 0) == line + "\n"
    academy = (GOLDEN / "academy.txt").read_text().split("\n\n***")[0]
    assert read_hand(academy).table == "Deadwood"
    for text in ("", "# only a comment", f"{line}\n{line}"):
        with pytest.raises(BadInput, match="must hold one hand"):
            read_hand(text)


def test_conversion_to_and_fro(tmp_path: Path) -> None:
    """From a log to lines to Poker Academy's text and back to the same log."""
    lines, academy, back = tmp_path / "a.txt", tmp_path / "b", tmp_path / "c.log"
    assert convert(LOG, lines).hands == 12
    assert convert(lines, academy, target_format="poker-academy").hands == 12
    options = WriteOptions(match="golden", hands=12, seed=1876, notes=("--t_response 600000",))
    assert convert(academy, back, options=options).hands == 12
    assert back.read_text() == LOG.read_text()


def test_conversion_of_damaged_hands_into_a_narrower_format(tmp_path: Path) -> None:
    source = tmp_path / "in.log"
    text = LOG.read_text().replace(":70|-70:Annie", ":71|-71:Annie").replace("STATE:1:", "STATE:")
    source.write_text(text + (GOLDEN / "six.log").read_text())
    heard: list[Skipped] = []
    written = convert(source, tmp_path / "out.txt", on_skip=heard.append)
    assert written.hands == 10
    assert written.skipped == {
        SkipReason.WRONG_PAYOFF: 1,
        SkipReason.CUT: 1,
        SkipReason.NOT_REPRESENTABLE: 8,
    }
    assert len(heard) == 10
    unsayable = [skipped for skipped in heard if skipped.reason is SkipReason.NOT_REPRESENTABLE]
    first = source.read_text().splitlines()[unsayable[0].line - 1]
    assert first.startswith("STATE:0:r10000c")


def test_conversion_tells_how_far_it_is(tmp_path: Path) -> None:
    calls: list[tuple[int, int, str]] = []
    convert(LOG, tmp_path / "out.txt", progress=lambda *call: calls.append(call))
    assert calls[-1] == (LOG.stat().st_size, LOG.stat().st_size, str(LOG))


def test_a_file_may_be_converted_onto_itself(tmp_path: Path) -> None:
    path = tmp_path / "same.log"
    path.write_bytes(LOG.read_bytes())
    convert(path, path, rename={"Annie": "Zoe"})
    assert path.read_text().count("Zoe") == 13
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("target", "target_format", "message"),
    [
        ("out.csv", None, "does not tell the format; allowed: acpc, poker-academy,"),
        ("-", None, "does not tell the format"),
        ("out.log", "transcript", "can only be read"),
        ("out.log", "xhh", "no format"),
        ("out.log", "winamax", "can only be read"),
    ],
)
def test_a_target_of_no_format(
    target: str, target_format: str | None, message: str, tmp_path: Path
) -> None:
    place = target if target == "-" else tmp_path / target
    with pytest.raises(BadInput, match=message):
        convert(LOG, place, target_format=target_format)
    assert not list(tmp_path.iterdir())


def test_what_stops_the_reading_leaves_no_half_file(tmp_path: Path) -> None:
    source = tmp_path / "in.log"
    source.write_text("".join(LOG.read_text().splitlines(keepends=True)[2:]))
    with pytest.raises(BadInput, match="--game"):
        convert(source, tmp_path / "out.log")
    assert [path.name for path in tmp_path.iterdir()] == ["in.log"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="looks up open files in /proc")
def test_what_stops_the_reading_leaves_no_file_open(tmp_path: Path) -> None:
    source = tmp_path / "in.log"
    source.write_text("".join(LOG.read_text().splitlines(keepends=True)[2:]))
    with pytest.raises(BadInput, match="--game") as stopped:
        convert(source, tmp_path / "out.log")
    assert stopped.tb is not None, "it keeps what was read by then"
    assert str(source) not in map(os.path.realpath, Path("/proc/self/fd").iterdir())


def test_output_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    hands = [hand for hand in read(LOG) if isinstance(hand, HandRecord)]
    write(hands, "-", format_name="line")
    assert capsys.readouterr().out == (GOLDEN / "limit.txt").read_text()
