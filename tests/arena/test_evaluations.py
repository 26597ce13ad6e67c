"""The ledger of evaluations: lines that are appended, and matches scored chunk by chunk."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.arena import Match, Seating, evaluations, play
from railbird.arena.evaluations import (
    MONEY,
    VARIABLE,
    Evaluation,
    append_evaluations,
    match_subject,
    play_scored,
    read_evaluations,
    record_match,
)
from railbird.errors import BadInput, DamagedFile, Interrupted
from railbird.estimates import Estimate
from railbird.game import acpc_rules, no_limit_holdem
from railbird.histories.columns import HandBatch

RULES = acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=2_000))
MATCH = Match(
    players=("baseline", "random"),
    rules=RULES,
    deals=50,
    seed=3,
    seating=Seating.DUPLICATE,
    chunk=20,
)


@cache
def first_line() -> Evaluation:
    return match_subject(MATCH, MONEY).measured(Estimate(0.25, 0.125, 50, "bb"))


def line(**changes: Any) -> Evaluation:
    return replace(first_line(), **changes)


def money() -> Callable[[HandBatch], np.ndarray]:
    """Make the score that is what the first player really won."""

    def score(batch: HandBatch) -> np.ndarray:
        seat = np.argmax(batch.player == 0, axis=1)
        return np.array(batch.chips[np.arange(len(batch)), seat]) / RULES.chips_per_unit

    return score


def test_lines_are_read_as_they_were_appended(tmp_path: Path) -> None:
    ledger = tmp_path / "new" / "evaluations.jsonl"
    assert read_evaluations(ledger) == ()
    append_evaluations(ledger, [line(), line(seed=4)])
    first = ledger.read_bytes()
    append_evaluations(ledger, [line(value=-0.5, low=None, high=None)])
    assert ledger.read_bytes().startswith(first)
    evaluations = read_evaluations(ledger)
    assert evaluations == (line(), line(seed=4), line(value=-0.5, low=None, high=None))
    assert evaluations[0].key == evaluations[2].key != evaluations[1].key
    assert evaluations[0].key == match_subject(MATCH, MONEY).key
    assert (evaluations[0].game, evaluations[0].won.value) == (
        "holdem.nolimit.2p.reverse_blinds.game,stack=2000",
        0.25,
    )


@pytest.mark.parametrize("text", ["no line\n", "[]\n", '{"player": "killer"}\n', '{"a": \n'])
def test_what_is_no_line_is_named(tmp_path: Path, text: str) -> None:
    ledger = tmp_path / "evaluations.jsonl"
    append_evaluations(ledger, [line()])
    with ledger.open("a") as file:
        file.write(text)
    with pytest.raises(DamagedFile, match=r"evaluations.jsonl: line 2 is no evaluation"):
        read_evaluations(ledger)
    with pytest.raises(BadInput):
        read_evaluations(tmp_path)
    with pytest.raises(BadInput, match="cannot be written"):
        append_evaluations(tmp_path, [line()])


def test_a_failed_write_cuts_off_nobody_elses_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is cut off is what was written since the last line, so nobody writes in between."""
    ledger = tmp_path / "evaluations.jsonl"
    append_evaluations(ledger, [line()])
    monkeypatch.setattr(evaluations, "_TURN", 0.0)

    class FullDisk(FileIO):
        def write(self, text: Any, /) -> int:
            if len(text) < 100:
                with pytest.raises(BadInput, match="another process is writing it"):
                    append_evaluations(ledger, [line(seed=5)])
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(text[:-50])

    with monkeypatch.context() as full:
        full.setattr(evaluations, "FileIO", FullDisk)
        with pytest.raises(BadInput, match="No space left"):
            append_evaluations(ledger, [line(seed=4)])
    append_evaluations(ledger, [line(seed=5)])
    assert read_evaluations(ledger) == (line(), line(seed=5))


@pytest.mark.parametrize("deals", [6, 50])
def test_a_scored_match_is_the_match_however_often_it_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deals: int
) -> None:
    """Also if a chunk of twenty deals is scored in four pieces."""
    monkeypatch.setattr(evaluations, "_DEALS_A_PIECE", deals)
    log = tmp_path / "a.log"
    played = play(MATCH).money(0)

    def stop(done: int, total: int, words: str) -> None:
        raise KeyboardInterrupt

    how: dict[str, Any] = {"scorer": money, "scored_by": "money", "log": log}
    with pytest.raises(Interrupted, match="they are kept in"):
        play_scored(MATCH, **how, progress=stop)
    kept = log.read_bytes()
    assert kept.count(b"\n") == 2, "a header and the first piece"
    resumed = play_scored(MATCH, **how)
    assert log.read_bytes().startswith(kept)
    assert (resumed.n, resumed.unit) == (played.n, played.unit)
    assert resumed.value == pytest.approx(played.value, rel=1e-12)
    assert resumed.stderr == pytest.approx(played.stderr, rel=1e-12)
    with pytest.raises(BadInput, match="it differs in scored_by"):
        play_scored(MATCH, **how | {"scored_by": "other"})


def test_a_match_is_recorded_where_a_ledger_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = play(MATCH)
    monkeypatch.delenv(VARIABLE, raising=False)
    record_match(result)
    ledger = tmp_path / "evaluations.jsonl"
    monkeypatch.setenv(VARIABLE, str(ledger))
    record_match(result, Estimate(0.5, 0.25, 50, "bb"))
    of_money, of_aivat = read_evaluations(ledger)
    assert (of_money.player, of_money.opponent, of_money.duplicate) == ("baseline", "random", True)
    assert of_money.won == replace(result.money(0), nonzero=None)
    assert (of_aivat.method, of_aivat.value) == ("aivat", 0.5)
