"""Opponents in both kinds of database: the same functions, awaited by the server or not."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from railbird.errors import BadInput
from railbird.storage import Database, open_blocking, open_database
from railbird.storage.opponents import (
    Increment,
    add_up,
    forget_opponent,
    import_once,
    observer_names,
    opponent_names,
    opponents,
    recalled,
)
from railbird.storage.tables import MemoryScope

SCOPE = MemoryScope(observer="me", kind="numbers", game="limit", seats=2)
OTHERS = MemoryScope(observer="you", kind="numbers", game="limit", seats=2)


def merged(name: str, before: str | None) -> str:
    numbers = json.loads(before)["numbers"] if before else []
    return json.dumps({"numbers": [*numbers, name]})


def written(address: str, *names: str, scope: MemoryScope = SCOPE) -> None:
    database = open_blocking(address)
    with database.write() as session:
        increments = {name: Increment(hands=3, bets=1, actions=4) for name in names}
        assert add_up(session, scope, increments, version=1, merged=merged) == []
    database.close()


@pytest.mark.anyio
async def test_the_server_calls_the_same_functions(database: str) -> None:
    written(database, "ann")
    opened: Database = await open_database(database)
    async with opened.write() as session:
        increments = {"ann": Increment(hands=2), "bob": Increment(hands=1)}
        assert not await session.run_sync(add_up, SCOPE, increments, version=1, merged=merged)
    async with opened.read() as session:
        known, problems = await session.run_sync(recalled, SCOPE, ["ann", "bob"], version=1)
        [ann, bob], more = await session.run_sync(opponents)
    await opened.close()
    assert known == {
        "ann": '{"numbers": ["ann", "ann"]}',
        "bob": '{"numbers": ["bob"]}',
    }
    assert problems == more == []
    assert (ann.hands, ann.sessions, [each.hands for each in ann.history]) == (5, 2, [3, 2])
    assert ann.first_met_at <= ann.last_met_at <= datetime.now(UTC)
    assert ann.first_met_at.tzinfo is not None
    assert datetime.fromisoformat(ann.history[-1].ended_at).utcoffset() is not None
    assert (bob.name, bob.record, bob.scope) == ("bob", {"numbers": ["bob"]}, SCOPE)


@pytest.mark.slow(but=["postgresql"])
def test_forgetting(database: str) -> None:
    written(database, "ann", "bob")
    written(database, "ann", scope=OTHERS)
    opened = open_blocking(database)
    with opened.read() as session:
        assert opponent_names(session) == ["ann", "bob"]
        assert opponent_names(session, observer="you") == ["ann"]
        assert observer_names(session, name="ann") == ["me", "you"]
        assert observer_names(session, name="bob") == ["me"]
    with opened.write() as session:
        assert forget_opponent(session, "ann", observer="you") == 1
    with opened.write() as session:
        assert forget_opponent(session, "ann") == 1
        assert forget_opponent(session, "nobody") == 0
    with opened.read() as session:
        assert opponent_names(session) == ["bob"]
    opened.close()


def test_a_file_is_imported_once_and_replaces_nobody(database: str) -> None:
    written(database, "ann")
    opened = open_blocking(database)
    records = {"ann": "{}", "bob": '{"numbers": [1]}'}
    for fresh in (True, False):
        with opened.write() as session:
            assert import_once(session, "a.json", SCOPE, records, version=1) is fresh
    with opened.read() as session:
        known, _ = recalled(session, SCOPE, ["ann", "bob"], version=1)
    opened.close()
    assert known == {"ann": '{"numbers": ["ann"]}', "bob": '{"numbers": [1]}'}


def test_a_transaction_that_fails_adds_nothing(database: str) -> None:
    written(database, "ann")
    opened = open_blocking(database)

    def fails(name: str, before: str | None) -> str:
        if name == "bob":
            raise RuntimeError
        return merged(name, before)

    with pytest.raises(RuntimeError), opened.write() as session:
        add_up(session, SCOPE, {"ann": Increment(), "bob": Increment()}, version=1, merged=fails)
    with opened.read() as session:
        [ann], _ = opponents(session)
    opened.close()
    assert (ann.sessions, ann.record) == (1, {"numbers": ["ann"]})


def test_who_writes_does_not_wait_for_ever(database: str) -> None:
    holder, impatient = open_blocking(database), open_blocking(database, patience_s=0.3)
    with holder.write() as session:
        add_up(session, SCOPE, {"ann": Increment()}, version=1, merged=merged)
        session.flush()
        with pytest.raises(BadInput, match="lock") as refused, impatient.write() as other:
            add_up(other, SCOPE, {"ann": Increment()}, version=1, merged=merged)
        assert "\n" not in str(refused.value)
        with impatient.read() as reading:
            assert opponent_names(reading) == [], "readers neither wait nor see what is not done"
            assert reading.scalar(text("SELECT 1")) == 1
    holder.close()
    impatient.close()
