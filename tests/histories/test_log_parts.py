"""A text that is read in parts gives the hands of the text read in one go."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from helpers.command_line import call_json
from railbird.cli import _hand_files
from railbird.histories import HandRecord, Skipped, log_parts, read_columns
from railbird.histories.columns import HandBatch, batch_of, records_of
from railbird.histories.log_parts import LogPart, PartHands, read_part

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
SITES = ("academy", "bovada", "full_tilt", "ggpoker", "pacific", "partypoker", "stars", "winamax")
SMALL = 700
"""Characters of a part, so that each has one hand or two."""


def here(parts: Iterator[LogPart | None]) -> Iterator[PartHands | None]:
    for part in parts:
        yield None if part is None else read_part(part)


def told(items: Iterable[HandRecord | HandBatch | Skipped]) -> tuple[list[HandRecord], list[str]]:
    """The hands, and what was skipped, in words, both in their order."""
    records, skipped = list[HandRecord](), list[str]()
    for item in items:
        if isinstance(item, Skipped):
            skipped.append(f"{item.reason} {item.line} {item.detail} {item.hand}")
        else:
            batch = item if isinstance(item, HandBatch) else batch_of([item])
            records += records_of(batch)
    return records, skipped


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many parts were read of each log."""
    numbers: list[int] = []
    cut = log_parts.cut_log

    def counted(*arguments: object) -> Iterator[LogPart]:
        parts = [*cut(*arguments)]  # type: ignore[arg-type]
        numbers.append(len(parts))
        yield from parts

    monkeypatch.setattr("railbird.histories.any_format.cut_log", counted)
    monkeypatch.setattr("railbird.histories.files._PIECE", 256)
    monkeypatch.setattr("railbird.histories.files.BLOCK", 256)
    monkeypatch.setattr(log_parts, "PART", SMALL)
    return numbers


@pytest.mark.parametrize("site", SITES)
def test_the_texts_of_sites(site: str, tmp_path: Path, counts: list[int]) -> None:
    text = (GOLDEN / f"{site}.txt").read_text(encoding="utf-8")
    forms = {
        "plain": text,
        "doubled": f"{text}\n\n{text}",
        "cut": text[: -len(text) // 3],
        "headless": text[len(text) // 5 :],
        "windows": text.replace("\n", "\r\n"),
    }
    for name, form in forms.items():
        path = tmp_path / f"{name}.txt"
        path.write_bytes(form.encode())
        assert told(read_columns(path, spread=here)) == told(read_columns(path)), name
    assert max(counts) > 1


def test_a_folder_of_all_kinds(tmp_path: Path, counts: list[int]) -> None:
    for name in (*(f"{site}.txt" for site in SITES), "limit.log", "hands.phhs", "ipoker.xml"):
        (tmp_path / name).write_bytes((GOLDEN / name).read_bytes())
    (tmp_path / "junk.txt").write_text("nothing here\n")
    packed = gzip.compress((GOLDEN / "stars.txt").read_bytes())
    (tmp_path / "torn.txt.gz").write_bytes(packed[: len(packed) * 2 // 3])
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as file:
        for name in ("hands.phhs", "winamax.txt", "limit.log"):
            file.writestr(name, (GOLDEN / name).read_bytes())
    assert told(read_columns(tmp_path, spread=here)) == told(read_columns(tmp_path))
    assert len(counts) == len(SITES) + 2


def test_a_log_of_nothing_but_other_texts_is_refused_alike(tmp_path: Path) -> None:
    (tmp_path / "junk.txt").write_text("nothing here\n")
    with pytest.raises(Exception, match="none of 1 files is a log") as one:
        [*read_columns(tmp_path)]
    with pytest.raises(type(one.value), match="none of 1 files is a log"):
        [*read_columns(tmp_path, spread=here)]


@pytest.mark.slow
def test_a_verb_says_the_same_on_two_cores_as_on_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for site in SITES:
        (tmp_path / f"{site}.txt").write_bytes((GOLDEN / f"{site}.txt").read_bytes())
    on_one = call_json(capsys, "stats", str(tmp_path))
    monkeypatch.setattr(_hand_files, "_LARGE", 1)
    monkeypatch.setattr(_hand_files, "thread_count", lambda: 2)
    assert call_json(capsys, "stats", str(tmp_path)) == on_one
