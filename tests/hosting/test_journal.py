"""Journals: every prefix is a state to play on from; damage is told from a torn last line."""

from __future__ import annotations

import json
import os
import random
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from helpers.command_line import call, call_json
from helpers.hosted import (
    Listening,
    Player,
    Records,
    bots,
    hosting,
    lines_of,
    opened,
    play_on,
    played_records,
    ticking,
)
from railbird.errors import BadInput, DamagedFile, NothingUsable, RailbirdError, WriteFailed
from railbird.histories import HandRecord, hands_from
from railbird.hosting.formats import LevelBy, TournamentFormat, format_text
from railbird.hosting.house_game import hand_records, log, phh, published
from railbird.hosting.journal import (
    AnyRecord,
    Closed,
    Entrant,
    HandDealt,
    Joined,
    Journal,
    Opened,
    Paid,
    Placed,
    Resumed,
    Took,
    mend,
    parse_record,
    read_journal,
    record_line,
)
from railbird.hosting.tournament_play import TournamentPlay
from railbird.hosting.verify import verify
from railbird.protocol import Identity, PlayerKind
from railbird.protocol.messages import Watch
from railbird.tournament.schedule import Stages

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


@pytest.mark.slow(but=["one-table", "minutes"])
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


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"r":"resumed"}', "at: Field required"),
        ('{"at":"x","r":"resumed"}', "at: Expected `int`, got `str`"),
        ('{"at":1,"r":"resumed","why":""}', "why: Field not allowed"),
        ('{"at":1}', "r: Field required"),
        ('{"at":1,"r":"begun"}', "r: no record 'begun'; allowed: opened, shared, drawn, "),
        ('{"at":1,"r":"present","player":1,"presence":"gone"}', "presence: Invalid enum value"),
        ('{"at":1,"r":"placed","places":[[1,1],[2]]}', "places.1: Expected `array` of length 2"),
        ('{"at":1,"r":"resumed"', "not valid JSON: Input data was truncated"),
        ("[]", "Expected `object`, got `array`"),
    ],
)
def test_a_line_that_is_no_record_is_refused_with_its_place(line: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_record(line.encode())
    assert str(refused.value).startswith(words)


def test_the_lines_of_a_journal_stay_the_same(tmp_path: Path) -> None:
    entrant = Entrant(name="Zoë \u2028", kind=PlayerKind.HOUSE, spec='a "b"\n')
    journal = Journal(tmp_path / "x.1.journal")
    journal.write(Joined(at=5, player=0, entrant=entrant, chair=1, chips=100))
    journal.write(Placed(at=6, places=((0, 1), (3, 2))))
    journal.close()
    assert journal.path.read_text(encoding="utf-8") == (
        '{"at":5,"r":"joined","player":0,"entrant":{"name":"Zoë \u2028","kind":"house",'
        '"version":"","owner":"","spec":"a \\"b\\"\\n","account":0},'
        '"chair":1,"chips":100,"waits":false}\n'
        '{"at":6,"r":"placed","places":[[0,1],[3,2]]}\n'
    )


def test_a_journal_that_breaks_the_rules_does_not_replay() -> None:
    form = FORMS[0]
    records, listening = Records(), Listening()
    play = TournamentPlay(opened(form, 6), ticking())
    play.attach(records, listening)
    play_on(play, listening, random.Random(2))
    for place, record in enumerate(records.written):
        if isinstance(record, Took):
            wrong = structs.replace(record, turn=record.turn + 1)
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


# Proceedings: every finished hand, nothing more while it is played, and cards that check.


FORM = TournamentFormat(name="six", seats=6, table_seats=4, house_after=None)


def lines(records: list[AnyRecord]) -> list[bytes]:
    return [record_line(record).removesuffix(b"\n") for record in records]


@pytest.fixture(scope="module")
def records() -> list[AnyRecord]:
    return played_records(FORM, random.Random(8), folds=8)


def test_the_proceedings_are_read_back_as_the_same_hands(
    records: list[AnyRecord], tmp_path: Path
) -> None:
    path = tmp_path / "six.1.phhs"
    path.write_text("".join(phh(records)))
    read = [hand for hand in hands_from(path) if isinstance(hand, HandRecord)]
    written = list(hand_records(records))
    assert len(read) == len(written) == sum(isinstance(record, Paid) for record in records) > 3
    for one, other in zip(read, written, strict=True):
        assert (one.players, one.actions, one.payoffs) == (
            other.players,
            other.actions,
            other.payoffs,
        )
        assert (one.holes, one.board) == (other.holes, other.board)
        assert None not in one.holes
    last = written[-1]
    ends = [had + won for had, won in zip(last.rules.stacks or (), last.payoffs, strict=True)]
    assert max(ends) == 9000


def test_where_the_operator_keeps_a_database_is_not_published(records: list[AnyRecord]) -> None:
    secret = "booker:4,database=/srv/poker/notes.sqlite3"
    entrant = Entrant(name="house:booker:4", kind=PlayerKind.HOUSE, spec=secret)
    opened, *later = records
    assert isinstance(opened, Opened)
    settings = format_text(replace(FORM, house=(secret, "equilibrium:/srv/poker/my.strategy")))
    ours = structs.replace(opened, settings=settings, entrants=(entrant, *opened.entrants[1:]))
    joined = Joined(at=1, player=0, entrant=entrant, chair=1, chips=100)
    told = [*published([ours, joined, *later]), *log([ours, *later])]
    assert "poker" not in "".join(told)
    assert "notes" not in "".join(told)
    assert '"house":["booker:4","equilibrium:my.strategy"]' in told[0].replace("\\", "")
    whole = [line.encode() for line in (told[0], *published(later))]
    assert verify(whole)[0].problems == [], "it can be checked as before"
    assert [line.encode() for line in published(records)] == [one + b"\n" for one in lines(records)]


def test_a_hand_has_the_time_at_which_it_was_dealt(records: list[AnyRecord]) -> None:
    dealt = {(one.table, one.hand): one.at for one in records if isinstance(one, HandDealt)}
    for hand in hand_records(records):
        assert hand.played_at is not None
        table = int(hand.table.rpartition("-")[2])
        assert hand.played_at.timestamp() * 1000 == dealt[table, hand.number or 0]


@pytest.mark.slow
def test_while_it_is_played_only_finished_hands_and_shown_cards_are_told(
    records: list[AnyRecord],
) -> None:
    opened = records[0]
    assert isinstance(opened, Opened)
    ends = [place for place, record in enumerate(records) if isinstance(record, Paid)]
    for cut in random.Random(2).sample(range(len(records) - 2), 20):
        running = records[:cut]
        if not running:
            continue
        told = list(hand_records(running))
        assert len(told) == sum(end < cut for end in ends)
        text = "\n".join(log(running))
        assert opened.seed not in text
        whole = list(hand_records(records))
        for part, full in zip(told, whole, strict=False):
            assert part.actions == full.actions
            for hole, known in zip(part.holes, full.holes, strict=True):
                assert hole in (None, known)
        assert text.count("hand ") == len(told)
    hidden = sum(hole is None for hand in hand_records(records[:-1]) for hole in hand.holes)
    assert hidden
    assert opened.seed in "\n".join(log(records))


def test_the_log_for_readers_tells_who_won(records: list[AnyRecord]) -> None:
    text = "\n".join(log(records))
    assert "place 1: p" in text
    assert text.count("place ") == 6
    assert text.rstrip().endswith("over")


def test_a_journal_verifies_and_a_changed_one_does_not(records: list[AnyRecord]) -> None:
    resumed = [records[0], Resumed(at=1), *records[1:]]  # before the seats were drawn
    (checked,) = verify(lines(resumed))
    assert not checked.problems
    assert checked.hands == sum(isinstance(record, Paid) for record in records)
    place = next(n for n, record in enumerate(records) if isinstance(record, Paid))
    paid = records[place]
    assert isinstance(paid, Paid)
    swapped = (paid.cards[1], paid.cards[0], *paid.cards[2:])
    for changed in (
        [*records[:place], structs.replace(paid, cards=swapped), *records[place + 1 :]],
        [structs.replace(records[0], commitment="0" * 64), *records[1:]],
        [structs.replace(records[0], seed="ab" * 32), *records[1:]],
    ):
        (wrong,) = verify(lines(changed))
        assert wrong.problems


def test_a_game_in_play_cannot_be_checked_yet(records: list[AnyRecord]) -> None:
    with pytest.raises(NothingUsable, match="not over"):
        verify(lines(records[:-1]))
    assert isinstance(records[-1], Closed)


@pytest.mark.anyio
async def test_what_a_player_and_a_spectator_were_sent_verifies(tmp_path: Path) -> None:
    async with hosting(tmp_path, FORM) as house:
        players = bots(house, 6)
        rail = Player(house, Identity("rail"), chooses=None)
        for player in players:
            player.queue("six")
        await players[0].until("hand")
        rail.send(Watch(table="six.1-1"))
        for player in (*players, rail):
            await player.until("result")
    for player in (*players, rail):
        kept = lines_of(player)
        (checked,) = verify(json.dumps(line).encode() for line in kept)
        assert not checked.problems
        assert checked.cards
        for line in kept:
            if line["type"] == "hand" and player is not rail:
                own = line["hand"]["seats"][line["hand"]["you"]]["cards"]
                own[:] = ["2c", "2d"] if "2c" not in own else ["3c", "3d"]
        (wrong,) = verify(json.dumps(line).encode() for line in kept)
        assert bool(wrong.problems) is (player is not rail)


def test_the_verb_says_what_it_checked(
    records: list[AnyRecord], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "six.1.journal"
    journal = Journal(path)
    for record in records:
        journal.write(record)
    journal.close()
    assert read_journal(path) == records
    told = call(capsys, "server", "verify-deal", str(path))
    count = sum(isinstance(record, Paid) for record in records)
    assert told[0] == 0
    assert told[1].startswith(f"six.1: {count} hands, ")
    verdict, *words = told[1].splitlines()
    assert verdict.endswith(" cards, as committed")
    assert f"the chips follow in {count} hands" in " ".join(words)
    assert f"drew the seed of {count} hands at random" in " ".join(words)
    (game,) = call_json(capsys, "server", "verify-deal", str(path))["games"]
    assert (game["game"], game["payouts"], game["problems"]) == ("six.1", count, [])
    path.write_bytes(path.read_bytes().replace(b'"commitment":"', b'"commitment":"00'))
    code, out, _ = call(capsys, "server", "verify-deal", str(path))
    assert code == 1
    assert "NOT as committed" in out
    other = tmp_path / "other.txt"
    other.write_text("hello\n")
    code, out, err = call(capsys, "server", "verify-deal", str(other))
    assert (code, out) == (1, "")
    assert "neither a journal" in err
