"""What the house tells reaches the database once, whatever the database does meanwhile."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from sqlalchemy import text

from railbird.hosting.interfaces import (
    Finish,
    Latency,
    Offence,
    SessionOutcome,
    TournamentOutcome,
    Unavailable,
)
from railbird.protocol import Identity, PlayerKind
from railbird.serve.results import StoredResults
from railbird.storage import accounts, open_database
from railbird.storage.accounts import AccountKind
from railbird.storage.directory import Directory
from railbird.storage.results import result_of, standings

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SESSION = SessionOutcome(
    session="r1",
    game="10/20",
    player=Identity("ann"),
    began=NOON,
    ended=NOON + timedelta(hours=1),
    hands=90,
    won=-250,
    rake=31,
    big_blind=20,
    latency=Latency(decisions=0),
)


def tournament(number: int) -> TournamentOutcome:
    latency = Latency(decisions=3, p50=10.0, p95=20.0, worst=30.0)
    players = (
        Identity("shark", PlayerKind.BOT, version="2", owner="ann"),
        Identity("loki:som", PlayerKind.HOUSE),
        Identity("bob"),
    )
    return TournamentOutcome(
        tournament=f"t{number}",
        queue="sit-and-go",
        began=NOON,
        ended=NOON + timedelta(minutes=number),
        rated=True,
        void=False,
        hands=40,
        fee=10,
        finishes=tuple(
            Finish(
                player=player,
                place=place,
                prize=Fraction(50, place),
                latency=latency,
                offences={Offence.TIME_OUT: 1},
            )
            for place, player in enumerate(players, start=1)
        ),
        commitment="c" * 64,
        seed="5" * 64,
        journal="t.jsonl",
    )


async def test_outcomes_are_kept_once_with_ratings(database: str) -> None:
    opened = await open_database(database)
    directory = Directory(opened)
    ann = await directory.write(accounts.create_account, "ann", kind=AccountKind.PERSON)
    await directory.write(accounts.create_account, "bob", kind=AccountKind.PERSON)
    await directory.write(accounts.create_account, "shark", kind=AccountKind.BOT, owner_id=ann.id)
    kept = StoredResults(directory, "s")
    for outcome in (tournament(1), tournament(1), replace(tournament(2), void=True)):
        await kept.record(outcome)
    ladder = (await directory.read(standings))["sit-and-go"]
    assert [(one.title, one.rating.tournaments) for one in ladder] == [
        ("shark/2", 1),
        ("loki:som", 1),
        ("bob", 1),
    ]
    stored = await directory.read(result_of, "s.t1")
    assert stored is not None
    assert stored.entries[0].service == {
        "decisions": 3,
        "p50_ms": 10.0,
        "p95_ms": 20.0,
        "worst_ms": 30.0,
        "time_out": 1,
    }
    assert stored.details["seed"] == "5" * 64
    void = await directory.read(result_of, "s.t2")
    assert void is not None
    assert (void.void_reason, void.rated, void.entries[0].place) == ("void", False, None)
    directory.close()
    await opened.close()


async def test_ring_sessions_add_up_by_game(database: str) -> None:
    opened = await open_database(database)
    directory = Directory(opened)
    ann = await directory.write(accounts.create_account, "ann", kind=AccountKind.PERSON)
    kept = StoredResults(directory, "s")
    for outcome in (SESSION, SESSION, replace(SESSION, session="r2", won=1000)):
        await kept.record(outcome)
    await kept.record(replace(SESSION, session="r3", game="25/50", won=2**40))
    assert await kept.won("Ann") == {"10/20": 750, "25/50": 2**40}
    assert await kept.won("bob") == {}
    exported = await directory.read(accounts.export_account, ann.id)
    assert [one["session"] for one in exported["ring_sessions"]] == ["s.r1", "s.r2", "s.r3"]
    await directory.write(accounts.delete_account, ann.id)
    assert await kept.won("ann") == {}
    directory.close()
    await opened.close()


async def test_an_absent_database_is_unavailable_and_nothing_is_lost(sqlite: str) -> None:
    opened = await open_database(sqlite)
    directory = Directory(opened)
    kept = StoredResults(directory, "s")
    async with opened.write() as session:
        await session.execute(text("ALTER TABLE tournament RENAME TO gone"))
        await session.execute(text("ALTER TABLE ring_session RENAME TO gone_too"))
    for outcome in (tournament(1), SESSION):
        with pytest.raises(Unavailable, match="the database does not answer"):
            await kept.record(outcome)
    with pytest.raises(Unavailable):
        await kept.won("ann")
    async with opened.write() as session:
        await session.execute(text("ALTER TABLE gone RENAME TO tournament"))
        await session.execute(text("ALTER TABLE gone_too RENAME TO ring_session"))
    await kept.record(tournament(1))
    await kept.record(SESSION)
    assert await directory.read(result_of, "s.t1") is not None
    directory.close()
    await opened.close()
