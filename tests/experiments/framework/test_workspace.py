"""Playing and scoring in a folder: resumed, in pieces, by scale."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from railbird.arena import Seating
from railbird.assessment import assess
from railbird.errors import BadInput, DamagedFile
from railbird.experiments import Workspace
from railbird.experiments.framework.workspace import COLUMNS, log_name, pieces
from railbird.experiments.kan2007.duplicate import directions
from railbird.histories import read
from railbird.histories.columns import records_of


def test_scale_shrinks_but_not_to_nothing() -> None:
    assert Workspace(scale=0.01).hands(400_000) == 4000
    assert Workspace(scale=1e-9).hands(400_000, least=300) == 300


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), 1e9])
def test_a_scale_must_be_one(scale: float) -> None:
    with pytest.raises(BadInput, match="scale"):
        Workspace(scale=scale)


def test_logs_are_told_apart_by_their_names() -> None:
    workspace = Workspace(seed=3)
    matches = [
        workspace.match("random", "baseline", 50),
        workspace.match("random", "baseline", 50, seed=4),
        workspace.match("random", "baseline", 50, seating=Seating.DUPLICATE),
        workspace.match("random", "baseline", 60),
        workspace.match("random", "baseline:river.make1=0.6", 50),
    ]
    assert len({log_name(match) for match in matches}) == len(matches)


def test_pieces_are_the_stream(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    log = workspace.play(workspace.match("always-call", "random", 25)).log
    cut = [list(records_of(piece)) for piece in pieces(log, 23, 10)]
    assert [len(piece) for piece in cut] == [10, 10, 3]
    assert [hand for piece in cut for hand in piece] == list(read(log))[:23]
    with pytest.raises(DamagedFile, match="2 hands less"):
        list(pieces(log, 27, 10))


def test_scoring_in_pieces_is_scoring_at_once(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    workspace = Workspace(folder=tmp_path, progress=lambda *report: told.append(report))
    match = workspace.match("random", "baseline", 100)
    played = workspace.play(match)
    found = workspace.scores(played, piece=37)
    whole = assess(read(played.log), player="random").scores
    assert_frame_equal(found, whole.select(COLUMNS))
    assert_frame_equal(workspace.scores(played, hands=40, piece=37), found.head(40))
    assert told[-1] == (40, 40, "scoring")
    assert [part.what for part in workspace.work] == ["played", "scored", "scored"]
    assert [part.hands for part in workspace.work] == [100, 100, 40]


def test_a_match_played_before_is_not_played_again(tmp_path: Path) -> None:
    first, second = Workspace(folder=tmp_path), Workspace(folder=tmp_path)
    match = first.match("random", "always-call", 30)
    played = first.play(match)
    text = played.log.read_bytes()
    again = second.play(match)
    assert (again.log, again.match) == (played.log, match)
    assert again.result.resumed == match.hands
    assert played.log.read_bytes() == text
    assert second.work[0].hands == 0
    second.discard_logs()
    assert not list(tmp_path.iterdir())


def test_what_was_done_cannot_be_changed_from_outside(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    match = workspace.match("random", "always-call", 30)
    other = workspace.match("random", "always-call", 30, seed=1)
    first, second = workspace.play(match), workspace.play(other)
    assert first.log != second.log
    assert first.match is match, "each match with its own log, whatever was played last"
    assert isinstance(workspace.work, tuple)


def test_a_damaged_log_is_no_result(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    match = workspace.match("random", "always-call", 30)
    played = workspace.play(match)
    log = played.log
    lines = log.read_text().splitlines(keepends=True)
    hand = next(i for i, line in enumerate(lines) if line.startswith("STATE:"))
    lines[hand] = lines[hand].replace("STATE:0:", "STATE:0:x")
    log.write_text("".join(lines))
    with pytest.raises(DamagedFile, match="has changed"):
        workspace.scores(played)


def test_directions_hold_the_same_deals_with_seats_exchanged(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    match = workspace.match("random", "baseline", 2500, seating=Seating.DUPLICATE)
    scores = workspace.scores(workspace.play(match))
    one, two = directions(scores)
    assert one["number"].to_list() == two["number"].to_list() == list(range(2500))
    assert (one["seat"] + two["seat"] == 1).all()
    assert one["seat"].head(4).to_list() == [0, 1, 0, 1]
    single = workspace.match("random", "baseline", 2500)
    alone = workspace.scores(workspace.play(single))
    assert_frame_equal(one, alone.select(pl.all()))
