"""Results: once however often they arrive, ratings with them, and names that are deleted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete
from sqlalchemy.orm import Session

from railbird.storage import Database, accounts, open_database
from railbird.storage.accounts import AccountKind
from railbird.storage.directory import Directory
from railbird.storage.results import (
    LadderRating,
    Meetings,
    Met,
    ResultEntry,
    Standing,
    StoredSession,
    TournamentResult,
    finished_places,
    frequent_pairs,
    record_result,
    record_ring_session,
    result_of,
    results,
    standings,
    won_by_game,
)
from railbird.storage.tables import FormerNameRow

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


class Halving:
    """A rule that shows order and number: the mean halves, and goes up by the place.

    Two who have met five times change nothing.
    """

    def rate(
        self,
        before: Sequence[LadderRating | None],
        places: Sequence[int],
        owners: Sequence[str],
        met: Met,
        established: Collection[str],
    ) -> tuple[list[LadderRating] | None, Met]:
        known = [one or LadderRating(0.0, 8.0) for one in before]
        pairs = [(one, other) for one in owners for other in owners if "" < one <= other]
        now = {pair: met.get(pair, 0.0) + 1 for pair in pairs}
        if max(now.values(), default=0) > 5:
            return None, now
        after = [
            LadderRating(one.mean / 2 + place, one.deviation / 2, one.tournaments + 1)
            for one, place in zip(known, places, strict=True)
        ]
        return after, now

    def new_version(self, latest: LadderRating) -> LadderRating:
        return LadderRating(latest.mean, latest.deviation + 1)

    def faded(self, met: float, elapsed: timedelta) -> float:
        return met if elapsed < timedelta(days=1) else 0.0

    def newly_established(
        self, owners: Collection[str], met: Met, established: Collection[str]
    ) -> set[str]:
        return set(owners) - {""}

    def newcomers(self, owners: Collection[str], established: Collection[str]) -> set[str]:
        return set()

    def weight(self, met: float, one: float, other: float) -> float:
        return 0.25 if met > 5 else 1.0

    def newcomer_weight(self, met_new: float, met_all: float) -> float:
        return 1.0


rate = Halving()


def a_result(number: int, *names: str, **options: Any) -> TournamentResult:
    """A tournament that the players finish in this order."""
    entries = [
        ResultEntry(
            name=name,
            place=place,
            kind=AccountKind.PERSON,
            prize=float(place == 1),
            fee=0.5,
            hands=9,
        )
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
        await directory.write(accounts.create_account, name, kind=AccountKind.PERSON)
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


async def test_a_new_version_goes_on_from_the_latest_and_takes_its_place(sqlite: str) -> None:
    opened, directory = await with_people(sqlite, "ann", "bob")
    ladder: list[Standing] = []
    for number, version in enumerate(("1", "1", "2", "1")):
        entries = [
            ResultEntry(name="ann", place=1, version=version),
            ResultEntry(name="bob", place=2),
        ]
        await directory.write(record_result, a_result(number, entries=entries), rate)
        ladder = (await directory.read(standings))["nolimit"]
        assert {one.title for one in ladder} == {f"ann/{version}", "bob"}
    ann = next(one for one in ladder if one.name == "ann")
    # 1, 1.5, then 1.75 as another, and 1.875 as the first again: no version is left behind.
    assert ann.rating == LadderRating(1.875, ((8 / 4 + 1) / 2 + 1) / 2, 3)
    exported = await directory.read(accounts.find_account, "ann")
    assert exported is not None
    data = await directory.read(accounts.export_account, exported.id)
    assert {(one["version"], one["tournaments"]) for one in data["ratings"]} == {("1", 3), ("2", 1)}
    await opened.close()


@pytest.mark.slow(but=["sqlite"])
async def test_who_meets_too_often_is_not_rated_and_is_shown(database: str) -> None:
    opened, directory = await with_people(database, "ann", "bob", "cid")
    ann = await directory.read(accounts.find_account, "ann")
    assert ann is not None
    for bot in ("shark", "whale"):
        await directory.write(accounts.create_account, bot, kind=AccountKind.BOT, owner_id=ann.id)
    shown: list[Meetings] = []
    for number in range(7):
        bot = ("shark", "whale")[number % 2]
        await directory.write(record_result, a_result(number, bot, "bob"), rate)
        shown = await directory.read(frequent_pairs, rate, at=NOON)
        assert bool(shown) is (number > 4)
    stored = await directory.read(results)
    assert [one.rated for one in stored] == [True] * 7, "as they were to be"
    assert [one.counts for one in stored] == [False] * 2 + [True] * 5
    assert stored[0].entries[0].owner == "ann"
    assert len(await directory.read(finished_places, "nolimit")) == 5
    assert shown == [
        Meetings(
            ladder="nolimit",
            owners=("ann", "bob"),
            tournaments=7,
            ahead=(7, 0),
            share=(1.0, 1.0),
            weight=0.25,
        )
    ]
    later = a_result(8, "shark", "bob", finished_at=NOON + timedelta(days=3))
    await directory.write(record_result, later, rate)
    assert (await directory.read(results, most=1))[0].counts, "it is forgotten"
    await directory.write(record_result, a_result(9, "bob", "cid"), rate)
    await directory.write(accounts.delete_account, ann.id)
    assert await directory.read(frequent_pairs, rate) == []
    await opened.close()


async def test_players_of_the_house_are_no_persons_of_the_same_name(sqlite: str) -> None:
    opened, directory = await with_people(sqlite, "loki", "ann")
    spec = "loki:som,tightness=loose"
    entries = [
        ResultEntry(name=name, place=place, kind=kind)
        for place, (name, kind) in enumerate(
            [("loki", AccountKind.HOUSE), (spec, AccountKind.HOUSE), ("ann", AccountKind.PERSON)],
            start=1,
        )
    ]
    await directory.write(record_result, a_result(1, entries=entries), rate)
    ladder = (await directory.read(standings))["nolimit"]
    assert [(one.name, one.kind) for one in ladder] == [
        ("ann", AccountKind.PERSON),
        (spec, AccountKind.HOUSE),
        ("loki", AccountKind.HOUSE),
    ]
    person = await directory.read(accounts.find_account, "loki")
    assert person is not None
    assert person.kind is AccountKind.PERSON
    await opened.close()


async def test_results_belong_to_accounts_by_number_whoever_has_the_name(sqlite: str) -> None:
    """Ann is deleted while she plays; whoever has her name at the end has not played."""
    opened, directory = await with_people(sqlite, "ann", "bob")
    bob, ann = [await directory.read(accounts.find_account, name) for name in ("bob", "ann")]
    assert ann is not None
    assert bob is not None
    await directory.write(accounts.delete_account, ann.id)

    def newcomer(session: Session) -> None:
        session.execute(delete(FormerNameRow))
        accounts.create_account(session, "ann", kind=AccountKind.PERSON)

    await directory.write(newcomer)
    entries = [
        ResultEntry(name="ann", place=1, kind=AccountKind.PERSON, account=ann.id),
        ResultEntry(name="bob", place=2, kind=AccountKind.PERSON, account=bob.id),
    ]
    await directory.write(record_result, a_result(1, entries=entries), rate)
    (stored,) = await directory.read(results)
    assert [entry.name.partition("-")[0] for entry in stored.entries] == ["deleted", "bob"]
    assert await directory.read(standings) == {}
    session_of_ann = StoredSession(
        id="r1",
        game="ring",
        name="ann",
        account=ann.id,
        started_at=NOON,
        finished_at=NOON,
        hands=1,
        won=5,
        rake=0,
        big_blind=2,
    )
    await directory.write(record_ring_session, session_of_ann)
    assert await directory.read(won_by_game, "ann") == {}
    await opened.close()


@pytest.mark.slow(but=["sqlite"])
async def test_deletion_leaves_the_others_their_results(database: str) -> None:
    opened, directory = await with_people(database, "ann", "bob")
    ann = await directory.read(accounts.find_account, "ann")
    assert ann is not None
    await directory.write(accounts.create_account, "shark", kind=AccountKind.BOT, owner_id=ann.id)
    for number in (1, 2):
        await directory.write(record_result, a_result(number, "ann", "bob", "shark"), rate)
    exported = await directory.read(accounts.export_account, ann.id)
    assert [one["tournament"] for one in exported["tournaments"]] == ["t1", "t2"]
    assert exported["bots"][0]["ratings"][0]["tournaments"] == 2
    await directory.write(accounts.delete_account, ann.id)
    for name in ("ann", "shark"):
        assert await directory.read(accounts.find_account, name) is None
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
