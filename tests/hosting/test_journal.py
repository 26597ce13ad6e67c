"""Journals: every prefix is a state to play on from; damage is told from a torn last line."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

import pytest

from helpers.tournament_journals import Listening, Records, opened, play_on, ticking
from railbird.errors import DamagedFile, RailbirdError, WriteFailed
from railbird.hosting.formats import LevelBy, TournamentFormat
from railbird.hosting.games.tournament_play import TournamentPlay
from railbird.hosting.journal import Journal, mend, read_journal
from railbird.hosting.records import AnyRecord, Closed, Resumed, Took
from railbird.tournament.stages import Stages

FORMS = [
    TournamentFormat(name="one-table", seats=6, house_after=None),
    TournamentFormat(name="many-tables", seats=14, table_seats=4, house_after=None),
    TournamentFormat(
        name="shoot-out", seats=14, table_seats=4, stages=Stages.SHOOT_OUT, house_after=None
    ),
    TournamentFormat(name="minutes", seats=4, level_by=LevelBy.MINUTES, house_after=None),
]


def state_of(play: TournamentPlay) -> object:
    hands = {table: (hand.moment, hand.turn) for table, hand in play.hands.items()}
    clocks = [(player.clock.left, player.lag_left, player.times) for player in play.players]
    return hands, play.stacks, play.places, play.tables, play.playing_ms, clocks, play.closed


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_prefix_of_a_journal_plays_on_to_an_end(form: TournamentFormat) -> None:
    head = opened(form, form.seats)
    records, listening = Records(), Listening()
    whole = TournamentPlay(head, ticking())
    whole.attach(records, listening)
    play_on(whole, listening, random.Random(3))
    assert sorted(whole.places) == list(range(form.seats))
    assert sum(finish.prize for finish in whole.outcome("j").finishes) == 10 * form.seats
    again = TournamentPlay(head)
    again.read(records.written)
    assert state_of(again) == state_of(whole)
    places = random.Random(5).sample(range(len(records.written)), 12)
    for end in (*places, len(records.written) - 1):
        cut = TournamentPlay(head, ticking())
        cut.read(records.written[:end])
        more, turns = Records(), Listening()
        cut.attach(more, turns)
        cut.resume()
        play_on(cut, turns, random.Random(7))
        assert sorted(cut.places) == list(range(form.seats))
        assert sum(cut.stacks) % form.stack == 0
        refolded = TournamentPlay(head)
        refolded.read([*records.written[:end], *more.written])
        assert state_of(refolded) == state_of(cut)


def test_nothing_happens_that_was_not_written_before() -> None:
    form = FORMS[0]
    for after in (1, 2, 3, 5, 8):
        records = Records(after)
        play = TournamentPlay(opened(form, 6), ticking())
        listening = Listening()
        play.attach(records, listening)
        with pytest.raises(WriteFailed):
            play_on(play, listening, random.Random(1))
        folded = TournamentPlay(opened(form, 6))
        folded.read(records.written)
        assert state_of(folded) == state_of(play)


def test_a_journal_is_its_owners_alone_and_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.1.journal"
    journal = Journal(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(WriteFailed, match="File exists"):
        Journal(path)
    journal.close()


def written(path: Path) -> list[AnyRecord]:
    form = FORMS[0]
    records: list[AnyRecord] = [opened(form, 6), Resumed(at=5), Closed(at=6, void=True, why="é")]
    journal = Journal(path)
    for record in records:
        journal.write(record)
    journal.sync()
    journal.close()
    return records


def test_a_torn_last_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "x.1.journal"
    records = written(path)
    data = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    for cut in sorted({*range(0, len(data), 41), *ends, *(end - 1 for end in ends), len(data)}):
        path.write_bytes(data[:cut])
        kept = sum(end <= cut for end in ends)
        assert mend(path) == records[:kept]
        assert path.read_bytes() == data[: ends[kept - 1] if kept else 0]
    journal = Journal(path, resume=True)
    journal.write(Resumed(at=9))
    journal.close()
    assert read_journal(path)[-1] == Resumed(at=9)


def test_damage_in_the_middle_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.1.journal"
    written(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], lines[1][3:], lines[2]]))
    with pytest.raises(DamagedFile, match="line 2"):
        mend(path)
    path.write_bytes(b"".join(lines[1:]))
    with pytest.raises(DamagedFile, match="no journal"):
        read_journal(path)


def test_a_journal_that_breaks_the_rules_does_not_replay() -> None:
    form = FORMS[0]
    records, listening = Records(), Listening()
    play = TournamentPlay(opened(form, 6), ticking())
    play.attach(records, listening)
    play_on(play, listening, random.Random(2))
    for place, record in enumerate(records.written):
        if isinstance(record, Took):
            wrong = record.model_copy(update={"turn": record.turn + 1})
            bad = [*records.written[:place], wrong, *records.written[place + 1 :]]
            with pytest.raises(RailbirdError, match="does not replay"):
                TournamentPlay(opened(form, 6)).read(bad)
            break
    with pytest.raises(RailbirdError, match="does not replay"):
        TournamentPlay(opened(form, 6)).read(records.written[2:])


def test_a_full_disk_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.1.journal"
    records = written(path)
    journal = Journal(path, resume=True)
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:7]))
    with pytest.raises(WriteFailed, match="full"):
        journal.write(Resumed(at=9))
    monkeypatch.undo()
    journal.write(Resumed(at=10))
    journal.close()
    assert read_journal(path) == [*records, Resumed(at=10)]
