"""Hands that a result holds: those of the log, without the log."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from polars.testing import assert_frame_equal

from railbird.arena import League, Loop, Match, Seating, hands, play, play_league
from railbird.assessment import assess, crosstable
from railbird.errors import BadInput, DamagedFile
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, Rules
from railbird.histories import read, read_columns
from railbird.histories.columns import HandBatch, concat, records_of


def match_of(
    deals: int = 250, *, rules: Rules = HEADS_UP_LIMIT, seating: Seating = Seating.DUPLICATE
) -> Match:
    return Match(
        players=("random", "baseline" if rules == HEADS_UP_LIMIT else "always-call"),
        rules=rules,
        deals=deals,
        seed=4,
        seating=seating,
        chunk=60,
    )


def assert_same(one: HandBatch, other: HandBatch) -> None:
    for field in dataclasses.fields(HandBatch):
        was, now = getattr(one, field.name), getattr(other, field.name)
        if field.name == "answers":
            assert all((a == b).all() for a, b in zip(was, now, strict=True))
        elif isinstance(was, np.ndarray):
            assert (was == now).all(), field.name
            assert was.dtype == now.dtype, field.name
        else:
            assert was == now, field.name


def batches_in(log: Path) -> HandBatch:
    return concat([batch for batch in read_columns(log) if isinstance(batch, HandBatch)])


@pytest.mark.parametrize("rules", [HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT])
@pytest.mark.parametrize("seating", [Seating.SINGLE, Seating.DUPLICATE])
def test_kept_hands_are_those_of_the_log(rules: Rules, seating: Seating, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    result = play(match_of(rules=rules, seating=seating), log=log, keep=True)
    logged = batches_in(log)
    names = [[hand.players for hand in records_of(each)] for each in (logged, kept_of(result))]
    assert names[0] == names[1]
    # Readers number the players in the order of their first hand.
    of_log = np.array([logged.names.index(name) for name in result.match.names])
    kept = kept_of(result)
    kept = dataclasses.replace(
        kept, names=logged.names, player=of_log[kept.player].astype(np.int32)
    )
    assert_same(kept, logged)


def kept_of(result: object) -> HandBatch:
    return concat(list(result.batches()))  # type: ignore[attr-defined]


def test_a_result_is_assessed_as_its_log_is(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    kept = assess(play(match_of(), log=log, keep=True))
    for other in (assess(log), assess(play(match_of(), log=log))):
        assert_frame_equal(kept.scores, other.scores)
        assert kept.estimates == other.estimates
        assert kept.sources == other.sources == (str(log),)
    alone = assess(play(match_of(), keep=True), player=kept.players[0])
    assert_frame_equal(alone.scores.drop("file", "line"), kept.scores.drop("file", "line"))


def test_a_resumed_match_keeps_what_its_log_had(tmp_path: Path) -> None:
    log, whole = tmp_path / "match.log", tmp_path / "whole.log"
    play(match_of(120), log=log)
    resumed = play(match_of(), log=log, keep=True, workers=2)
    play(match_of(), log=whole)
    assert resumed.resumed == 240
    assert log.read_bytes() == whole.read_bytes()
    assert list(records_of(kept_of(resumed))) == list(read(log))
    assert kept_of(resumed).line.tolist() == batches_in(log).line.tolist()


@pytest.mark.parametrize("loop", [Loop.PYTHON, Loop.COMPILED])
def test_a_match_that_is_stopped_keeps_what_was_played(loop: Loop, tmp_path: Path) -> None:
    stopped = play(match_of(), loop=loop, keep=True, until=lambda chunk: chunk.index == 1)
    assert stopped.match.hands == len(kept_of(stopped)) == 240
    assert list(records_of(kept_of(stopped))) == list(hands(match_of(120)))
    log = tmp_path / "match.log"
    play(match_of(), log=log)
    shorter = play(match_of(), log=log, until=lambda chunk: chunk.index == 1)
    assert list(records_of(kept_of(shorter))) == list(hands(match_of(120)))


def test_what_is_neither_kept_nor_logged_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not kept; allowed: keep=True"):
        assess(play(match_of(10)))
    log = tmp_path / "match.log"
    result = play(match_of(10), log=log)
    log.write_text(log.read_text().replace(":c", ":x", 1))
    with pytest.raises(DamagedFile, match="has changed since"):
        assess(result)


def test_matches_of_a_league_are_put_together(tmp_path: Path) -> None:
    league = League(
        players=("baseline", "random", "always-call"), rules=HEADS_UP_LIMIT, deals=40, seed=1
    )
    kept = play_league(league, keep=True)
    logged = play_league(league, logs=tmp_path / "logs")
    tables = [crosstable(map(assess, each.matches.values())) for each in (kept, logged)]
    assert tables[0] == tables[1]
    assert tables[0].hands == 120
