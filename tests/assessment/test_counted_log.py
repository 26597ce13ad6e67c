"""What is said of players, some at a time, is what all rows say together, to the last digit."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from helpers.command_line import call
from helpers.random_records import random_table_hand
from railbird import histories
from railbird.assessment import counted_log as module
from railbird.assessment.log import Log
from railbird.assessment.player_statistics import counts_of
from railbird.errors import DamagedFile
from railbird.histories.columns import HandBatch, batch_of

HANDS = 240
_START = datetime(2024, 1, 1, 20)


@pytest.fixture(scope="module")
def written_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands with times: some players know their own cards alone, others sit out for hours."""
    rng = np.random.default_rng(34)
    hands = []
    for number in range(HANDS):
        hand = random_table_hand(rng)
        shown = (hand.holes[0], *(None for _ in hand.holes[1:])) if number % 3 else hand.holes
        time = _START + timedelta(minutes=7 * number + 400 * (number // 50))
        hands.append(replace(hand, holes=shown, played_at=time, number=number + 1))
    path = tmp_path_factory.mktemp("log") / "hands.phhs"
    histories.write(hands, path)
    return path


@pytest.mark.parametrize(
    "options",
    [
        ["--json"],
        ["--json", "--same", "P1=P2", "--where", "blinds or faced flop bet", "--hands"],
        pytest.param(
            ["--json", "--by", "session", "--set", "definitions=trackers"], marks=pytest.mark.slow
        ),
        pytest.param(["--json", "--player", "P1", "--show", "field"], marks=pytest.mark.slow),
        pytest.param(["--by", "hand", "--out", "page.html", "--force"], marks=pytest.mark.slow),
        pytest.param(
            ["--out", "page.html", "--force", "--bankroll", "500"], marks=pytest.mark.slow
        ),
    ],
)
def test_people_by_people_says_what_all_together_say(
    written_log: Path,
    options: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    answers = []
    for most in (1 << 30, 1):
        monkeypatch.setattr(module, "_TOGETHER", most)
        monkeypatch.setattr(module, "_WAITING", most)
        code, said, errors = call(capsys, "stats", str(written_log), *options)
        assert code == 0, errors
        answers.append((said, [path.read_text() for path in tmp_path.glob("*.html")]))
    assert answers[0] == answers[1]


def test_a_file_that_is_damaged_within_is_named(tmp_path: Path) -> None:
    kept = module.KeptRows(tmp_path)
    for batch in _batches(34):
        kept.add(counts_of(batch))
    kept.write()
    (file,) = tmp_path.iterdir()
    size = file.stat().st_size
    with file.open("r+b") as written:
        written.seek(4)
        written.write(bytes(size // 2))
    with pytest.raises(DamagedFile, match=r"000000\.parquet: .*cache clear counts"):
        module.KeptRows.of_folder(tmp_path).of()


def _batches(seed: int) -> list[HandBatch]:
    rng = np.random.default_rng(seed)
    return [batch_of([random_table_hand(rng) for _ in range(30)]) for _ in range(4)]


def test_each_person_is_in_one_part_and_files_go_with_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(module, "_WAITING", 100)
    monkeypatch.setattr(module, "_TOGETHER", 100)
    counted = module.counted_log(_batches(35))
    assert list(tmp_path.glob("*/*.parquet"))
    people = [set(part["player"].unique()) for part in counted.parts()]
    assert len(people) > 1
    assert sum(map(len, people)) == len(set.union(*people)) == len(counted.sizes)
    assert sum(part.height for part in counted.parts()) == counted.seats
    for part in counted.parts():
        assert part[module.PLACE].is_sorted()
    statistics = module.statistics_of_log(counted, Log())
    assert statistics.rows == counted.seats
    del counted
    assert not list(tmp_path.iterdir())
