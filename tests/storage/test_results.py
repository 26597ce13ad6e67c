"""Results: once however often they arrive, ratings with them, and names that are deleted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from railbird.storage import Database, open_database
from railbird.storage.accounts import Directory, Kind, accounts
from railbird.storage.results import (
    Entry,
    LadderRating,
    TournamentResult,
    finished_places,
    record_result,
    result_of,
    results,
    standings,
)

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def rate(before: Sequence[LadderRating | None], places: Sequence[int]) -> list[LadderRating]:
    """A rule that shows order and number: the mean halves, and goes up by the place."""
    known = [one or LadderRating(0.0, 8.0) for one in before]
    return [
        LadderRating(one.mean / 2 + place, one.deviation / 2, one.tournaments + 1)
        for one, place in zip(known, places, strict=True)
    ]


def a_result(number: int, *names: str, **options: Any) -> TournamentResult:
    """A tournament that the players finish in this order."""
    entries = [
        Entry(name=name, place=place, kind=Kind.PERSON, prize=float(place == 1), fee=0.5, hands=9)
        for place, name in enumerate(names, start=1)
    ]
    chosen: dict[str, Any] = {
        "id": f"t{number}",
        "ladder": "nolimit",
        "rated": True,
        "started_at": NOON,
        "finished_at": NOON + timedelta(minutes=number),
        "entries": entries,
        "details": {"seats": len(names)},
        **options,
    }
    return TournamentResult(**chosen)


async def with_people(address: str, *names: str) -> tuple[Database, Directory]:
    database = await open_database(address)
    directory = Directory(database)
    for name in names:
        await directory.write(accounts.sign_up, name, kind=Kind.PERSON)
    return database, directory


async def test_a_result_is_stored_and_rated_once(database: str) -> None:
    opened, directory = await with_people(database, "ann", "bob")
    first = a_result(1, "ann", "bob")
    told = await asyncio.gather(*(directory.write(record_result, first, rate) for _ in range(5)))
    assert sorted(told) == [False] * 4 + [True]
    assert not await directory.write(record_result, first, rate)
    ladders = await directory.read(standings)
    assert [(one.name, one.rating) for one in ladders["nolimit"]] == [
        ("bob", LadderRating(2.0, 4.0, 1)),
        ("ann", LadderRating(1.0, 4.0, 1)),
    ]
    await directory.write(record_result, a_result(2, "bob", "ann"), rate)
    ladders = await directory.read(standings, ladder="nolimit")
    assert [(one.name, one.rating) for one in ladders["nolimit"]] == [
        ("ann", LadderRating(2.5, 2.0, 2)),
        ("bob", LadderRating(2.0, 2.0, 2)),
    ]
    stored = await directory.read(result_of, "t1")
    assert stored is not None
    assert stored.details == {"seats": 2}
    assert [(one.name, one.place, one.prize, one.hands) for one in stored.entries] == [
        ("ann", 1, 1.0, 9),
        ("bob", 2, 0.0, 9),
    ]
    assert stored.entries[0].rating == LadderRating(1.0, 4.0)
    assert await directory.read(finished_places, "nolimit") == [
        [("ann", 1), ("bob", 2)],
        [("bob", 1), ("ann", 2)],
    ]
    await opened.close()


@pytest.mark.parametrize(
    "options", [{"void_reason": "chips did not add up"}, {"rated": False}, {"entries": ()}]
)
async def test_what_is_void_or_unrated_changes_no_rating(
    sqlite: str, options: dict[str, Any]
) -> None:
    opened, directory = await with_people(sqlite, "ann", "bob")
    assert await directory.write(record_result, a_result(1, "ann", "bob", **options), rate)
    assert await directory.read(standings) == {}
    assert await directory.read(finished_places, "nolimit") == []
    (stored,) = await directory.read(results)
    assert not stored.rated
    assert stored.void_reason == options.get("void_reason")
    await opened.close()


async def test_versions_of_a_bot_are_rated_apart(sqlite: str) -> None:
    opened, directory = await with_people(sqlite, "ann", "bob")
    for version in ("1", "2"):
        entries = [
            Entry(name="ann", place=1, version=version),
            Entry(name="bob", place=2),
        ]
        await directory.write(record_result, a_result(int(version), entries=entries), rate)
    ladder = (await directory.read(standings))["nolimit"]
    assert {(one.title, one.rating.tournaments) for one in ladder} == {
        ("ann/1", 1),
        ("ann/2", 1),
        ("bob", 2),
    }
    await opened.close()


async def test_players_of_the_house_are_no_persons_of_the_same_name(sqlite: str) -> None:
    opened, directory = await with_people(sqlite, "loki", "ann")
    spec = "loki:som,tightness=loose"
    entries = [
        Entry(name=name, place=place, kind=kind)
        for place, (name, kind) in enumerate(
            [("loki", Kind.HOUSE), (spec, Kind.HOUSE), ("ann", Kind.PERSON)], start=1
        )
    ]
    await directory.write(record_result, a_result(1, entries=entries), rate)
    ladder = (await directory.read(standings))["nolimit"]
    assert [(one.name, one.kind) for one in ladder] == [
        ("ann", Kind.PERSON),
        (spec, Kind.HOUSE),
        ("loki", Kind.HOUSE),
    ]
    person = await directory.read(accounts.find, "loki")
    assert person is not None
    assert person.kind is Kind.PERSON
    await opened.close()


async def test_deletion_leaves_the_others_their_results(database: str) -> None:
    opened, directory = await with_people(database, "ann", "bob")
    ann = await directory.read(accounts.find, "ann")
    assert ann is not None
    await directory.write(accounts.sign_up, "shark", kind=Kind.BOT, owner_id=ann.id)
    for number in (1, 2):
        await directory.write(record_result, a_result(number, "ann", "bob", "shark"), rate)
    exported = await directory.read(accounts.export_account, ann.id)
    assert [one["tournament"] for one in exported["tournaments"]] == ["t1", "t2"]
    assert exported["bots"][0]["ratings"][0]["tournaments"] == 2
    await directory.write(accounts.delete_account, ann.id)
    for name in ("ann", "shark"):
        assert await directory.read(accounts.find, name) is None
        assert await directory.read(results, name=name) == []
    stored = await directory.read(results, name="bob")
    names = [[one.name for one in result.entries] for result in stored]
    assert [one[1] for one in names] == ["bob", "bob"]
    assert names[0] == names[1], "one player is one player still"
    assert all(name.startswith("deleted-") for name in (names[0][0], names[0][2]))
    assert names[0][0] != names[0][2]
    assert [one.name for one in (await directory.read(standings))["nolimit"]] == ["bob"]
    assert "ann" not in json.dumps([one.entries[0].name for one in stored])
    assert not await directory.write(record_result, a_result(1, "ann", "bob", "shark"), rate)
    await opened.close()


async def test_a_result_of_a_deleted_account_names_nobody(sqlite: str) -> None:
    opened, directory = await with_people(sqlite, "bob", "carol")
    await directory.write(record_result, a_result(1, "ann", "bob", "carol"), rate)
    stored = await directory.read(result_of, "t1")
    assert stored is not None
    assert stored.entries[0].name.startswith("deleted-")
    assert len((await directory.read(standings))["nolimit"]) == 2
    await opened.close()


async def test_results_are_listed_in_pages_the_newest_first(sqlite: str) -> None:
    opened, directory = await with_people(sqlite, "ann", "bob", "carol")
    for number in range(5):
        names = ("ann", "bob") if number % 2 else ("bob", "carol")
        await directory.write(record_result, a_result(number, *names), rate)
    assert [one.id for one in await directory.read(results, most=2)] == ["t4", "t3"]
    assert [one.id for one in await directory.read(results, most=2, after=2)] == ["t2", "t1"]
    assert [one.id for one in await directory.read(results, name="ANN")] == ["t3", "t1"]
    await opened.close()
