"""What is known of people survives sessions and crashes, adds up, and never stops play."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from helpers.numbers_memory import begin, memory, taught
from railbird.arena import Match, Seating, play
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Betting, Street
from railbird.modelling import ActionKind
from railbird.modelling.opponent_memory import Learned, OpponentMemory
from railbird.modelling.tracker import FORMER_FORMAT, ModelForm, ModelRecord, OpponentModels
from railbird.players import make_player
from railbird.storage import open_blocking
from railbird.storage.opponents import StoredOpponent, memory_place, opponents

MANIAC = "random,fold=0,call=1,raise=5"


def stored(address: str) -> dict[str, StoredOpponent]:
    database = open_blocking(address)
    with database.read() as session:
        found, problems = opponents(session)
    database.close()
    assert problems == []
    assert len({each.name for each in found}) == len(found)
    return {each.name: each for each in found}


def session(place: object, hands: int, *, seed: int, version: str = "som") -> None:
    players = (f"loki:{version},database={place}", MANIAC)
    play(Match(players=players, rules=HEADS_UP_LIMIT, deals=hands, seed=seed))


def raises(known: StoredOpponent) -> float:
    return float(np.array(known.record["actions"])[..., ActionKind.RAISE].sum())


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "notes.sqlite3")


@pytest.fixture
def address(place: str) -> str:
    return f"sqlite:///{place}"


def test_a_second_session_goes_on_from_the_first(place: str, address: str) -> None:
    session(place, 20, seed=1)
    first = stored(address)[MANIAC]
    assert raises(first) > 20
    assert (first.scope.observer, first.scope.game, first.scope.seats) == ("loki:som", "limit", 2)
    assert (first.hands, first.sessions) == (20, 1)
    session(place, 20, seed=2)
    second = stored(address)[MANIAC]
    assert raises(second) > raises(first) + 20
    assert (second.hands, second.sessions) == (40, 2)
    assert [each.hands for each in second.history] == [20, 20]
    assert sum(each.actions for each in second.history) == np.sum(second.record["actions"])
    assert sum(each.bets for each in second.history) == raises(second)


def test_every_chunk_of_a_match_is_a_session(place: str, address: str) -> None:
    players = (f"loki:som,database={place}", MANIAC)
    play(Match(players=players, rules=HEADS_UP_LIMIT, deals=20, seed=1, seating=Seating.DUPLICATE))
    known = stored(address)[MANIAC]
    assert (known.hands, known.sessions) == (40, 2), "one for each direction"


def test_who_keeps_a_memory_plays_in_one_process(tmp_path: Path, place: str) -> None:
    match = Match(
        players=(f"loki:som,database={place}", MANIAC), rules=HEADS_UP_LIMIT, deals=20, seed=1
    )
    with pytest.raises(BadInput, match=r"kept by one process; allowed: 1 worker"):
        play(match, workers=2)
    assert not Path(place).exists()


def test_frequencies_of_a_remembered_person_count_from_the_first_hand(place: str) -> None:
    actions = [[[0.0, 0.0, 0.0] for _ in range(3)] for _ in Street]
    actions[Street.PREFLOP][0] = [0.0, 10.0, 30.0]
    known = ModelRecord(actions=actions, shown=[[0.0] * 8 + [5.0]] * 2)
    before = OpponentMemory(memory_place(place), ModelForm())
    before.begin(["ann", "me"], observer="me", game="limit", seats=2)
    before.end({"ann": Learned(known, hands=40, bets=30, actions=40)})
    before.close({})

    people = OpponentModels(decay=1.0, memory=memory_place(place))
    people.introduce(("me", "ann", "bob"))
    people.begin((1, 0), 0, Betting.LIMIT)
    assert people[1].habits.of(Street.PREFLOP, 0) == (0.0, 0.25, 0.75)
    assert people[1].spreads.of(postflop=True) > 2
    assert people[2].habits.of(Street.PREFLOP, 0) == (0.0, 0.5, 0.5)
    people[1].count(Street.PREFLOP, 0, ActionKind.RAISE)
    people.close()
    found = stored(f"sqlite:///{place}")
    assert found.keys() == {"ann"}, "who was not met is not kept"
    assert found["ann"].record["actions"][0][0] == [0.0, 10.0, 31.0]
    assert found["ann"].record["shown"] == known.shown
    assert (found["ann"].hands, found["ann"].history[-1].bets) == (41, 1)


@pytest.mark.parametrize("decay", [1.0, 0.9, 0.5])
def test_sessions_with_decay_add_up_to_one_without_a_break(place: str, decay: float) -> None:
    whole = OpponentModels(decay=decay)
    rng = np.random.default_rng(7)
    for number in range(3):
        people = OpponentModels(decay=decay, memory=memory_place(place))
        people.introduce(("me", "ann"))
        people.begin((1, 0), 0, Betting.LIMIT)
        for _ in range(20 + 40 * number):
            street, bets, kind = rng.integers((4, 3, 3)).tolist()
            seen = Street(street), bets, ActionKind(kind)
            whole[1].count(*seen)
            people[1].count(*seen)
        assert people[1].habits.counts == pytest.approx(np.array(whole[1].habits.counts))
        people.close()


def test_spreads_are_remembered_as_well(place: str, address: str) -> None:
    session(place, 30, seed=3, version="som,sigma=learned")
    first = np.array(stored(address)[MANIAC].record["shown"])
    assert first.any()
    session(place, 30, seed=4, version="som,sigma=learned")
    assert (np.array(stored(address)[MANIAC].record["shown"]) != first).any()


def test_people_without_names_are_not_kept(place: str) -> None:
    people = OpponentModels(decay=1.0, memory=memory_place(place))
    people.begin((0, 1), 0, Betting.LIMIT)
    people[1].count(Street.FLOP, 0, ActionKind.CALL)
    people.close()
    assert stored(f"sqlite:///{place}") == {}


def test_who_has_no_memory_remembers_nobody() -> None:
    people = OpponentModels(decay=1.0)
    people.introduce(("me", "ann"))
    people.begin((1, 0), 0, Betting.LIMIT)
    people[1].count(Street.FLOP, 0, ActionKind.CALL)
    assert np.sum(people[1].habits.counts) == 1
    people.forget()
    assert np.sum(people[1].habits.counts) == 0


def test_games_do_not_mix(place: str) -> None:
    kept = memory(place)
    for game, seats, number in (("limit", 2, 1), ("no-limit", 2, 2), ("no-limit", 6, 3)):
        begin(kept, "ann", game=game, seats=seats)
        assert kept.recall("ann") is None
        kept.end({"ann": taught(number)})
    for game, seats, number in (("limit", 2, 1), ("no-limit", 2, 2), ("no-limit", 6, 3)):
        begin(kept, "ann", game=game, seats=seats)
        assert kept.recall("ann") == [number]
        kept.end({})
    kept.begin(["ann"], observer="you", game="limit", seats=2)
    assert kept.recall("ann") is None, "each player has a memory of its own"
    kept.close({})


def test_only_those_at_the_table_are_in_memory(place: str) -> None:
    kept = memory(place)
    begin(kept, "ann", "bob")
    kept.end({"ann": taught(1), "bob": taught(2), "eve": taught(3)})
    begin(kept, "ann")
    assert (kept.recall("ann"), kept.recall("bob"), kept.recall("eve")) == ([1], None, None)
    begin(kept, "ann", "bob")  # who sits down in the middle of a session
    assert kept.recall("bob") == [2]
    kept.end({})
    assert kept.recall("ann") is None
    kept.close({})
    assert stored(f"sqlite:///{place}").keys() == {"ann", "bob"}, "eve was never at the table"


@pytest.mark.slow(but=["sqlite"])
def test_two_that_play_at_once_add_up(database: str) -> None:
    one, other = memory(database), memory(database)
    begin(one, "ann")
    begin(other, "ann")
    one.end({"ann": taught(1, 2, hands=10)})
    other.end({"ann": taught(3, 4, hands=5)})
    begin(one, "ann")
    assert one.recall("ann") == [2, 3, 4], "the last three, in the order of writing"
    one.close({})
    other.close({})
    known = stored(database)["ann"]
    assert (known.hands, known.sessions, len(known.history)) == (15, 2, 2)


WRITER = """
import sys
from helpers.numbers_memory import begin, memory, taught
kept = memory(sys.argv[1])
for _ in range(20):
    begin(kept, "ann", "bob")
    kept.end({"ann": taught(1, hands=3), "bob": taught(2, hands=5)})
kept.close({})
"""


def _python(code: str, *arguments: str) -> subprocess.Popen[str]:
    tests = Path(__file__).resolve().parents[1]
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import sys; sys.path.insert(0, {str(tests)!r})\n{code}",
            *arguments,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.slow
def test_processes_that_write_at_once_add_up(database: str) -> None:
    open_blocking(database).close()
    writers = [_python(WRITER, database) for _ in range(2)]
    try:
        for writer in writers:
            said, _ = writer.communicate(timeout=60)
            assert (writer.returncode, said) == (0, "")
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    known = stored(database)
    assert (known["ann"].hands, known["bob"].hands) == (120, 200)
    assert (known["ann"].sessions, known["bob"].sessions) == (40, 40)


ENDLESS = """
import sys
from helpers.numbers_memory import begin, memory, taught
kept = memory(sys.argv[1])
number = 0
while True:
    number += 1
    begin(kept, "ann", "bob")
    print(number, flush=True)
    kept.end({name: taught(number) for name in ("ann", "bob")})
"""


@pytest.mark.slow
def test_a_killed_process_loses_its_last_session_at_most(place: str, address: str) -> None:
    for more in (0, 7):
        player = _python(ENDLESS, place)
        try:
            assert player.stdout is not None
            for _ in range(5 + more):
                player.stdout.readline()
            player.send_signal(signal.SIGKILL)
            begun = 5 + more + len(player.stdout.read().splitlines())
        finally:
            player.kill()
            player.communicate(timeout=120)
        known = stored(address)
        assert known["ann"].sessions == known["bob"].sessions, "all of a session or nothing"
        assert known["ann"].record["numbers"][-1] in (begun - 1, begun)
        with closing(sqlite3.connect(place)) as connection, connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            connection.execute("DELETE FROM opponent")


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [record.getMessage() for record in caplog.records]
    assert all("\n" not in line for line in found)
    return found


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("text", "file is not a database"),
        ("newer", "of version 9999, from a newer Railbird"),
        ("locked", "database is locked"),
        ("folder", "is no folder"),
        ("away", "onnection"),
    ],
)
def test_a_database_that_cannot_be_used_does_not_stop_play(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str, says: str
) -> None:
    place = tmp_path / "notes.sqlite3"
    lock = None
    match kind:
        case "text":
            place.write_text("nothing here is a database, " * 100)
        case "newer":
            database = open_blocking(f"sqlite:///{place}")
            with database.write() as rows:
                rows.execute(text("UPDATE alembic_version SET version_num = '9999'"))
            database.close()
        case "locked":
            lock = sqlite3.connect(place)
            lock.execute("BEGIN EXCLUSIVE")
        case "folder":
            (tmp_path / "file").touch()
            place = tmp_path / "file" / "notes.sqlite3"
    where = "postgresql://ann@127.0.0.1:1/nothing" if kind == "away" else str(place)
    content = place.read_bytes() if kind in ("text", "newer") else b""
    kept = memory(where, patience_s=0.2)
    for _ in range(3):
        begin(kept, "ann")
        assert kept.recall("ann") is None
        kept.end({"ann": taught(1)})
    kept.close({})
    if lock is not None:
        lock.close()
    [line] = lines(caplog)
    assert says in line
    assert line.endswith("playing on without memory")
    if content:
        assert place.read_bytes() == content, "it is left as it is"


def test_what_cannot_be_written_is_written_at_the_end(
    place: str, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    kept = memory(place, patience_s=0.2)
    begin(kept, "ann")
    lock = sqlite3.connect(place)
    lock.execute("BEGIN IMMEDIATE")
    kept.end({"ann": taught(1, hands=4)})
    begin(kept, "ann", "bob")
    kept.end({"ann": taught(2), "bob": taught(3)})
    lock.close()
    assert stored(address) == {}
    kept.close({})
    [line] = lines(caplog)
    assert line.endswith("playing on without memory, to be written later")
    known = stored(address)
    assert (known["ann"].record, known["ann"].hands) == ({"numbers": [1, 2]}, 5)
    assert (known["ann"].sessions, known["bob"].sessions) == (2, 1)


def test_a_database_that_is_back_is_used_again(
    place: str, address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    kept = memory(place, patience_s=0.1)
    begin(kept, "ann")
    lock = sqlite3.connect(place)
    lock.execute("BEGIN IMMEDIATE")
    kept.end({"ann": taught(1)})
    lock.close()
    for number, passed in ((2, 59.0), (3, 2.0)):
        now += passed
        begin(kept, "ann")
        assert kept.recall("ann") is None
        kept.end({"ann": taught(number)})
    assert stored(address)["ann"].record == {"numbers": [1, 2, 3]}, "without waiting for the end"
    begin(kept, "ann")
    assert kept.recall("ann") == [1, 2, 3]
    kept.close({})
    assert len(lines(caplog)) == 1


def test_what_is_never_written_is_said_to_be_lost(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    kept = memory(place, patience_s=0.1)
    begin(kept, "ann")
    lock = sqlite3.connect(place)
    lock.execute("BEGIN IMMEDIATE")
    kept.end({"ann": taught(1)})
    kept.close({})
    lock.close()
    assert [line.partition("; ")[2] for line in lines(caplog)] == [
        "playing on without memory, to be written later",
        "what was learned of opponents is lost",
    ]


@pytest.mark.slow(only=["record = '[1, 2'-what me remembers of ann: not JSON"])
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("record = '[1, 2'", "what me remembers of ann: not JSON"),
        ("record = '[]'", "what me remembers of ann: not a record"),
        ("record = '{}'", "what me remembers of ann: no numbers"),
        ("version = 3", "what me remembers of ann: version 3, from a newer Railbird"),
    ],
)
def test_a_damaged_record_is_left_alone_and_the_others_are_used(
    place: str, caplog: pytest.LogCaptureFixture, change: str, says: str
) -> None:
    kept = memory(place)
    begin(kept, "ann", "bob")
    kept.end({"ann": taught(1), "bob": taught(2)})
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute(f"UPDATE opponent SET {change} WHERE name = 'ann'")
        before = connection.execute("SELECT * FROM opponent WHERE name = 'ann'").fetchone()
    begin(kept, "ann", "bob")
    assert (kept.recall("ann"), kept.recall("bob")) == (None, [2])
    kept.end({"ann": taught(3), "bob": taught(4)})
    begin(kept, "bob")
    assert kept.recall("bob") == [2, 4]
    kept.close({})
    with closing(sqlite3.connect(place)) as connection:
        assert connection.execute("SELECT * FROM opponent WHERE name = 'ann'").fetchone() == before
    said = lines(caplog)
    assert says in said[0]
    assert said[0].endswith("playing on without it")
    assert len(said) <= 2


def test_the_last_session_is_tried_once(place: str, caplog: pytest.LogCaptureFixture) -> None:
    kept = memory(place, patience_s=0.1)
    begin(kept, "ann")
    lock = sqlite3.connect(place)
    lock.execute("BEGIN IMMEDIATE")
    kept.close({"ann": taught(1)})
    lock.close()
    [line] = lines(caplog)
    assert line.endswith("what was learned of opponents is lost")


def test_a_damaged_history_is_left_alone(place: str, caplog: pytest.LogCaptureFixture) -> None:
    kept = memory(place)
    begin(kept, "ann")
    kept.end({"ann": taught(1)})
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("UPDATE opponent SET history = '{'")
    begin(kept, "ann")
    assert kept.recall("ann") == [1]
    kept.end({"ann": taught(2)})
    begin(kept, "ann")
    assert kept.recall("ann") == [1]
    kept.close({})
    assert lines(caplog) == ["memory: what me remembers of ann: not JSON; left as it is"]


def test_what_another_has_written_since_is_read_again(database: str) -> None:
    one, other = memory(database), memory(database)
    for number in (1, 2):
        for kept in (one, other):
            begin(kept, "ann")
            kept.end({"ann": taught(number)})
    begin(one, "ann")
    begin(other, "ann")
    assert one.recall("ann") == other.recall("ann") == [1, 2, 2]
    one.close({})
    other.close({})


def test_names_that_no_database_takes(database: str, caplog: pytest.LogCaptureFixture) -> None:
    kept = memory(database)
    begin(kept, "x" * 300, "a\x00b", 'ann\'s "cat"; --🙂')
    kept.end({name: taught(1) for name in ("x" * 300, "a\x00b", 'ann\'s "cat"; --🙂')})
    kept.close({})
    assert stored(database).keys() == {'ann\'s "cat"; --🙂'}
    assert len(lines(caplog)) == 2


@pytest.mark.slow
def test_a_history_has_an_end(place: str, address: str) -> None:
    kept = memory(place)
    for number in range(205):
        begin(kept, "ann")
        kept.end({"ann": taught(number, hands=number + 1)})
    kept.close({})
    known = stored(address)["ann"]
    assert (known.sessions, len(known.history), known.history[-1].hands) == (205, 200, 205)


FORMER = {
    "format": FORMER_FORMAT,
    "people": {MANIAC: {"actions": [[[0, 1, 2]] * 3] * 4, "shown": [[0.5] * 9] * 2}},
}


def former_of(entry: object) -> str:
    return json.dumps({**FORMER, "people": {"ann": entry}})


def test_a_file_of_an_earlier_version_is_taken_over_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "notes.json"
    file.write_text(json.dumps(FORMER))
    session(file, 5, seed=1)
    address = f"sqlite:///{tmp_path / 'notes.sqlite3'}"
    first = stored(address)[MANIAC]
    assert raises(first) > 2 * 3 * 4
    assert first.scope.observer == "loki:som"
    session(file, 5, seed=2)
    assert raises(stored(address)[MANIAC]) < 2 * raises(first)
    [line] = lines(caplog)
    assert "1 opponents taken over" in line
    assert json.loads(file.read_text()) == FORMER
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for each in tmp_path.glob("notes.*"):
        shutil.move(each, moved)
    session(moved / "notes.json", 5, seed=3)
    assert len(lines(caplog)) == 1, "also where both have moved"


def test_a_file_of_another_name_is_known_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "people").write_text(json.dumps(FORMER))
    session(tmp_path / "people", 5, seed=1)
    assert stored(f"sqlite:///{tmp_path / 'people.sqlite3'}").keys() == {MANIAC}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"form', "not JSON"),
        pytest.param("{" * 200_000, "not JSON", id="deep"),
        ("[]", "not a memory"),
        ('{"format": "other", "people": {}}', "not a memory"),
        (former_of(3), "'ann': actions"),
        (former_of({"actions": [10**400]}), "'ann': actions"),
        (former_of({"actions": [[["x"]]]}), "4 x 3 x 3 numbers"),
        (
            json.dumps(
                {
                    **FORMER,
                    "people": {"ann": {"actions": [[[-1] * 3] * 3] * 4, "shown": [[0] * 9] * 2}},
                }
            ),
            "'ann': actions below 0",
        ),
        (
            json.dumps(
                {**FORMER, "people": {"ann": {"actions": [[[1] * 3] * 3] * 4, "shown": []}}}
            ),
            "'ann': shown; expected 2 x 9 numbers",
        ),
    ],
)
def test_a_damaged_file_is_told_in_one_line_and_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, says: str
) -> None:
    file = tmp_path / "notes.json"
    file.write_text(text)
    session(file, 5, seed=1)
    [line] = lines(caplog)
    assert says in line
    assert len(line) < 400
    assert line.endswith("playing on without it")
    assert stored(f"sqlite:///{tmp_path / 'notes.sqlite3'}")[MANIAC].hands == 5
    assert file.read_text() == text


def test_specs_that_are_refused_before_the_first_hand(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="but nothing is learned"):
        make_player(f"loki:gom,database={tmp_path / 'notes.sqlite3'}")
    with pytest.raises(BadInput, match="'mysql'"):
        make_player("loki:som,database=mysql://ann@example.org/x")
    with pytest.raises(BadInput, match="a password in a player's spec") as refused:
        make_player("loki:som,database=postgresql://ann:swordfish@example.org/x")
    assert "swordfish" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_the_users_own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    session("default", 5, seed=1)
    assert MANIAC in stored(f"sqlite:///{tmp_path / 'railbird' / 'railbird.sqlite3'}")
