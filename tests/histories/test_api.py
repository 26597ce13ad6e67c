from __future__ import annotations

import gzip
import io
import tracemalloc
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest

from railbird.errors import BadInput
from railbird.histories import (
    HandRecord,
    Skipped,
    SkipReason,
    WriteOptions,
    convert,
    read,
    read_hand,
    resolve_game,
    state_line,
    write,
)

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


def test_memory_does_not_grow_with_hands_that_never_repeat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("railbird.histories.acpc.read._KEPT", 256)
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


def test_one_hand_of_text() -> None:
    line = LOG.read_text().splitlines()[2]
    assert state_line(read_hand(line), 0) == line + "\n"
    academy = (GOLDEN / "academy.txt").read_text().split("\n\n***")[0]
    assert read_hand(academy).table == "Deadwood"
    for text in ("", "# only a comment", f"{line}\n{line}"):
        with pytest.raises(BadInput, match="one hand is wanted"):
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
        ("out.log", "ohh", "no format"),
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


def test_output_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    hands = [hand for hand in read(LOG) if isinstance(hand, HandRecord)]
    write(hands, "-", format_name="line")
    assert capsys.readouterr().out == (GOLDEN / "limit.txt").read_text()
