"""Assessments on a Ray cluster: the same to the last digit."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from polars.testing import assert_frame_equal

from railbird.arena import Match, hands
from railbird.assessment import MatchAssessment, TableAssessment, assess, assess_table
from railbird.assessment.any_table import _Chunk, _scored, assess_batches
from railbird.cli import run
from railbird.errors import BadInput, RailbirdError
from railbird.game import HEADS_UP_LIMIT, no_limit_holdem
from railbird.histories import HandRecord, write
from railbird.histories.columns import HandBatch
from railbird.jobs.scheduler import play_in_order
from railbird.jobs.workers import PiecePlayer
from railbird_papers.any_holdem.missing_hands import players_of, without_losers
from railbird_papers.any_holdem.tables import play_policies

RULES = no_limit_holdem(3, blinds=(50, 100), stack=10_000)


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    match = Match(players=("always-call", "baseline"), rules=HEADS_UP_LIMIT, deals=700, seed=4)
    return list(hands(match))


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """Ray with a cluster of this machine, which the jobs then share."""
    module = pytest.importorskip("ray", reason="needs the extra ray")
    module.init(address="local", include_dashboard=False, log_to_driver=False, num_cpus=2)
    yield module
    module.shutdown()


def ring() -> list[HandBatch]:
    """Hands with all cards, and with the losers' hidden, in batches."""
    parts = [
        play_policies(RULES, players_of(RULES), 150, seed=3, first=first) for first in (0, 150, 300)
    ]
    return [*parts[:2], without_losers(parts[2], "hero")]


def same_match(one: MatchAssessment, other: MatchAssessment) -> None:
    assert_frame_equal(one.scores, other.scores, check_exact=True)
    assert_frame_equal(one.form.spots, other.form.spots, check_exact=True)
    assert one.as_json() == other.as_json()


def same_table(one: TableAssessment, other: TableAssessment) -> None:
    assert_frame_equal(one.scores, other.scores, check_exact=True)
    assert one.as_json() == other.as_json()


@pytest.mark.slow
def test_a_match_on_ray_is_assessed_to_the_last_digit(
    ray: Any, records: list[HandRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("railbird.assessment.limit_pair.CHUNK", 100)
    same_match(assess(records), assess(records, threads=2, on="ray"))


@pytest.mark.slow
def test_a_table_on_ray_is_assessed_to_the_last_digit(ray: Any) -> None:
    batches = [(batch, ()) for batch in ring()]
    here = assess_batches(batches, boards=4)
    there = assess_batches(batches, boards=4, threads=2, on="ray")
    assert (here.hands, here.hidden > 0) == (300 + 150, True)
    same_table(here, there)


@pytest.mark.slow
def test_the_command_line_on_ray(
    ray: Any, records: list[HandRecord], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "m.log"
    write(records, log)
    for kind in ([], ["--show", "crosstable"]):
        told = []
        for options in ([], ["--on", "ray", "--workers", "2"]):
            assert run(["assess", str(log), "--json", *kind, *options]) == 0
            told.append(json.loads(capsys.readouterr().out))
        assert told[0] == told[1]


@pytest.mark.slow
def test_items_come_back_in_order_and_errors_are_raised(ray: Any) -> None:
    def squares(numbers: Iterable[Any]) -> list[int]:
        items = ((number,) for number in numbers)
        return list(play_in_order(_Squares, items, workers=2, on="ray", ahead=1))

    assert squares(range(40)) == [n * n for n in range(40)]
    assert squares([]) == []
    with pytest.raises(RailbirdError, match="a worker failed: "):
        squares(["a"])


class _Squares(PiecePlayer[int]):
    def play(self, number: Any) -> int:
        return int(number**2)


@pytest.mark.slow
def test_a_part_says_all_that_a_worker_needs() -> None:
    """What is sent is scored the same after a round trip, wherever that is."""
    import pickle

    from railbird.assessment.any_table import _Intake
    from railbird.assessment.estimator import Contest
    from railbird.assessment.log import Log
    from railbird.assessment.registry import estimators_of
    from railbird.baseline import STANDARD

    intake = _Intake(
        everybody=estimators_of(Contest.TABLE),
        policies=(),
        settings=(STANDARD,),
        forward=False,
        boards=4,
        seed=0,
        log=Log(),
    )
    for part in filter(None, map(intake.part, ring())):
        sent: _Chunk = pickle.loads(pickle.dumps(part))
        here, there = _scored(part), pickle.loads(pickle.dumps(_scored(sent)))
        assert_frame_equal(here.every, there.every, check_exact=True)
        if here.rows is not None:
            assert_frame_equal(here.rows, there.rows, check_exact=True)
            assert here.piece is not None
            assert len(here.piece) == len(there.piece)


@pytest.mark.slow
def test_without_the_extra_it_is_one_line(
    records: list[HandRecord],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for job in (assess, assess_table):
        with pytest.raises(BadInput, match=r"install .*\[ray\]'"):
            job(records[:20], on="ray")
    log = tmp_path / "m.log"
    write(records[:20], log)
    for kind in ([], ["--show", "crosstable"]):
        assert run(["assess", str(log), *kind, "--on", "ray"]) == 2
        assert "[ray]'" in capsys.readouterr().err
