"""Accounts: names, passwords, tokens, sessions, bans, deletion and export, on both databases."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher, extract_parameters
from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from helpers.hosted import PATIENCE_S
from helpers.postgres_cluster import Postgres
from railbird.errors import BadInput
from railbird.storage import accounts, only_server, open_database
from railbird.storage import accounts as keys
from railbird.storage import accounts as offences
from railbird.storage.accounts import AccountKind, Forbidden, NameTaken
from railbird.storage.directory import Directory, LogInRefused, TooManyGuesses
from railbird.storage.passwords import Busy, Passwords, WeakPassword
from railbird.storage.settings import (
    GUESSES_S,
    MOST_BOTS,
    MOST_GUESSES,
    MOST_TOKENS,
    MOST_WAITING,
    NAME_KEPT,
    OFFENCES_KEPT,
)
from railbird.storage.tables import (
    AccountRow,
    AccountSessionRow,
    FormerNameRow,
    OffenceRow,
    TokenRow,
)

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse"


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Directory]:
    database = await open_database(address)
    directory = Directory(database, patience_s=PATIENCE_S)
    try:
        yield directory
    finally:
        directory.close()
        await database.close()


async def a_bot(directory: Directory, name: str, owner: accounts.Account) -> accounts.Account:
    return await directory.write(
        accounts.create_account, name, kind=AccountKind.BOT, owner_id=owner.id
    )


@pytest.mark.slow(but=["sqlite"])
async def test_sign_up_and_log_in(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("Ann", PASSWORD)
        assert (ann.kind, ann.name, ann.owner) == (AccountKind.PERSON, "Ann", None)
        bot = await a_bot(directory, "Fold-o-matic", ann)
        assert (bot.kind, bot.name, bot.owner) == (AccountKind.BOT, "Fold-o-matic", "Ann")
        assert await directory.log_in("aNN", PASSWORD) == ann
        for name, password in [
            ("Ann", "wrong horse"),
            ("Bob", PASSWORD),
            ("Ann", ""),
            ("Ann", "x" * 100_000),
            ("Fold-o-matic", PASSWORD),
            ("Fold-o-matic", ""),
        ]:
            with pytest.raises(LogInRefused, match="no account has this name"):
                await directory.log_in(name, password)


async def test_a_log_in_seldom_waits_for_the_event_loop(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # After a restart everybody logs in at once, while the loop is slow with everybody's actions.
    async with opened(sqlite) as directory:
        ann = await directory.sign_up("Ann", PASSWORD)
        bot = await a_bot(directory, "Shark", ann)
        _, token = await directory.write(keys.add_token, bot.id)
        loop, turns = asyncio.get_running_loop(), []
        call = loop.call_soon_threadsafe

        def counted(*arguments: Any, **options: Any) -> asyncio.Handle:
            turns.append(arguments)
            return call(*arguments, **options)

        monkeypatch.setattr(loop, "call_soon_threadsafe", counted)
        assert await directory.log_in_by_token(token) == bot
        assert len(turns) == 1
        assert await directory.log_in("Ann", PASSWORD) == ann
        assert len(turns) == 3, "one for the database, one for the hash"


async def test_passwords_are_stored_as_argon2_hashes_only(database: str) -> None:
    async with opened(database) as directory:
        for name in ("ann", "bob"):
            await directory.sign_up(name, PASSWORD)
        async with directory._database.read() as session:
            hashes = (await session.scalars(select(AccountRow.password_hash))).all()
        assert all(known and known.startswith("$argon2id$") for known in hashes)
        assert len(set(hashes)) == 2, "each has a salt of its own"


@pytest.mark.parametrize("password", ["", "1234567", "x" * 257])
async def test_passwords_that_are_refused(sqlite: str, password: str) -> None:
    async with opened(sqlite) as directory:
        with pytest.raises(BadInput, match="allowed: 8 to 256") as refused:
            await directory.sign_up("ann", password)
        assert not password or password not in str(refused.value)


@pytest.mark.parametrize(
    "password",
    [
        *("password", "PASSWORD", "Password123!", "iloveyou", "railbird-1", "Ann-Smith1"),
        *("aaaaaaaaab", "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44"),  # wide letters
    ],
)
async def test_passwords_that_anybody_tries_first_are_refused(sqlite: str, password: str) -> None:
    async with opened(sqlite) as directory:
        with pytest.raises(WeakPassword, match="choose another") as refused:
            await directory.sign_up("ann-smith", password)
        assert "password" in password or password not in str(refused.value)
        ann = await directory.sign_up("ann-smith", PASSWORD)
        with pytest.raises(WeakPassword, match="choose another"):
            await directory.change_password(ann, password)
        assert await directory.log_in("ann-smith", PASSWORD) == ann


async def test_a_common_password_of_an_older_server_still_opens_its_account(sqlite: str) -> None:
    async with opened(sqlite) as directory:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("password")
        ann = await directory.write(
            accounts.create_account, "ann", kind=AccountKind.PERSON, password_hash=cheap
        )
        assert await directory.log_in("ann", "password") == ann
        assert await directory.read(accounts.password_hash, ann.id) != cheap, "hashed anew"


async def test_of_guesses_at_once_only_ten_are_looked_at(sqlite: str) -> None:
    async with opened(sqlite) as directory:
        directory.guesses.clock = lambda: 0.0
        ann = await directory.sign_up("ann", PASSWORD)
        guesses = [f"guess {number}" for number in range(50)] + [PASSWORD]
        told = await asyncio.gather(
            *(directory.log_in("aNN", guess) for guess in guesses), return_exceptions=True
        )
        kinds = Counter(type(one) for one in told)
        assert kinds == {LogInRefused: MOST_GUESSES, TooManyGuesses: 51 - MOST_GUESSES}
        with pytest.raises(TooManyGuesses):
            await directory.log_in("ann", PASSWORD)
        assert await directory.log_in("ann", PASSWORD, device="a browser of hers") == ann
        directory.guesses.clock = lambda: GUESSES_S / MOST_GUESSES
        for _ in range(3):
            assert await directory.log_in("ann", PASSWORD) == ann, "what is right is given back"
        with pytest.raises(LogInRefused):
            await directory.log_in("ann", "one a minute")
        with pytest.raises(TooManyGuesses):
            await directory.log_in("ann", PASSWORD)


@pytest.mark.slow
async def test_servers_on_one_database_look_at_ten_guesses_together(postgres: Postgres) -> None:
    database = postgres.create("guesses")
    async with opened(database) as one, opened(database) as two:
        ann = await one.sign_up("ann", PASSWORD)
        for _ in range(MOST_GUESSES):
            assert await one.log_in("ann", PASSWORD) == await two.log_in("ann", PASSWORD) == ann
        told = await asyncio.gather(
            *(each.log_in("Ann", f"guess {n}") for n in range(15) for each in (one, two)),
            return_exceptions=True,
        )
        kinds = Counter(type(one) for one in told)
        assert kinds == {LogInRefused: MOST_GUESSES, TooManyGuesses: 30 - MOST_GUESSES}
        for each in (one, two):
            with pytest.raises(TooManyGuesses):
                await each.log_in("ann", PASSWORD)
        assert await two.log_in("ann", PASSWORD, device="a browser of hers") == ann


async def test_who_invents_names_frees_no_locked_one_and_fills_no_memory(sqlite: str) -> None:
    async with opened(sqlite) as directory:
        now = 0.0
        directory.guesses.clock = lambda: now
        for _ in range(MOST_GUESSES):
            assert directory.guesses.take("ann")
        directory.guesses.most = 1000
        admitted = sum(directory.guesses.take(f"name{number}") for number in range(5000))
        assert admitted == len(directory.guesses) - 1 == 999
        assert not directory.guesses.take("ann")
        now = GUESSES_S
        assert directory.guesses.take("zoe")
        assert len(directory.guesses) == 1, "what is full again is forgotten"


@pytest.mark.parametrize("name", ["", "-x", "a b", "x" * 33, "Аnn", "a\n", "a\x00", "../x", "<b>"])
async def test_names_that_are_refused(sqlite: str, name: str) -> None:
    async with opened(sqlite) as directory:
        with pytest.raises(BadInput, match="allowed: 1 to 32 letters") as refused:
            await directory.sign_up(name, PASSWORD)
        assert len(str(refused.value).splitlines()) == 1


async def test_a_name_is_taken_whatever_its_case_and_kind(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("Ann", PASSWORD)
        await a_bot(directory, "Shark", ann)
        for name in ("ANN", "shark"):
            with pytest.raises(NameTaken, match="is taken"):
                await directory.sign_up(name, PASSWORD)
            with pytest.raises(NameTaken, match="is taken"):
                await a_bot(directory, name, ann)


async def test_the_number_of_bots_is_bounded(sqlite: str) -> None:
    async with opened(sqlite) as directory:
        ann = await directory.sign_up("Ann", PASSWORD)
        for number in range(MOST_BOTS):
            await a_bot(directory, f"bot{number}", ann)
        with pytest.raises(Forbidden, match="delete one first"):
            await a_bot(directory, "one-more", ann)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["bots", "tokens"])
async def test_two_servers_do_not_count_at_once_what_an_account_has(
    postgres: Postgres, what: str
) -> None:
    """The second waits for the first one's transaction; else both would see room for one more."""
    async with opened(address := postgres.create(f"at-once-{what}")) as directory:
        ann = await directory.sign_up("Ann", PASSWORD)

        def add(session: Session, number: int) -> None:
            if what == "bots":
                kind = AccountKind.BOT
                accounts.create_account(session, f"bot{number}", kind=kind, owner_id=ann.id)
            else:
                keys.add_token(session, ann.id)

        most = MOST_BOTS if what == "bots" else MOST_TOKENS
        for number in range(most - 1):
            await directory.write(add, number)
        here, there = await open_database(address), await open_database(address)
        watch = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        try:
            async with here.write() as session:
                await session.run_sync(add, most)
                adding = asyncio.create_task(Directory(there).write(add, most + 1))
                while not adding.done() and not await directory.read(lambda s: s.scalar(watch)):
                    await asyncio.sleep(0)
            with pytest.raises(Forbidden, match=f"allowed: {most}"):
                await adding
        finally:
            await here.close()
            await there.close()


@pytest.mark.slow(but=["sqlite"])
async def test_sign_ups_of_one_name_at_once(database: str) -> None:
    async with opened(database) as directory:
        told = await asyncio.gather(
            *(directory.sign_up("ann", PASSWORD) for _ in range(8)), return_exceptions=True
        )
        assert sum(isinstance(one, accounts.Account) for one in told) == 1
        assert all(isinstance(one, accounts.Account | BadInput) for one in told), told


@pytest.mark.slow
async def test_a_hundred_log_ins_do_not_stall_the_event_loop(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite) as directory:
        await directory.sign_up("ann", PASSWORD)
        directory.guesses.burst = 1000.0
        waiting: list[int] = []
        hashing: Counter[int] = Counter()
        verify = PasswordHasher.verify

        def noted(hasher: PasswordHasher, *words: Any) -> bool:
            hashing[threading.get_ident()] += 1
            return bool(verify(hasher, *words))

        async def watch() -> None:
            while True:
                await asyncio.sleep(0.005)
                waiting.append(directory.passwords.pending)

        monkeypatch.setattr(PasswordHasher, "verify", noted)
        watching = asyncio.create_task(watch())
        await asyncio.gather(*(directory.log_in("ann", PASSWORD) for _ in range(100)))
        watching.cancel()
        assert max(waiting) > 10, "the queue says its length"
        assert directory.passwords.pending == 0
        # On the event loop, each would hold it for 20 ms at least.
        assert sum(hashing.values()) == 100
        assert threading.get_ident() not in hashing


async def test_log_ins_beyond_the_queue_are_told_that_it_is_busy() -> None:
    passwords = Passwords(threads=1, most_waiting=3)
    told = await asyncio.gather(
        *(passwords.hash(PASSWORD) for _ in range(10)), return_exceptions=True
    )
    passwords.close()
    assert [type(one) for one in told] == [str] * 4 + [Busy] * 6
    assert MOST_WAITING > 100


async def test_an_unknown_name_takes_as_much_work_as_a_wrong_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passwords = Passwords(threads=1)
    known = await passwords.hash(PASSWORD)
    verify, costs = PasswordHasher.verify, []

    def noted(hasher: PasswordHasher, hashed: str, password: str) -> bool:
        costs.append(extract_parameters(hashed))
        return bool(verify(hasher, hashed, password))

    monkeypatch.setattr(PasswordHasher, "verify", noted)
    for each in (known, None):
        assert await passwords.check(each, "wrong horse") == (False, None)
    one, other = costs
    assert one == other
    passwords.close()


async def test_a_hash_of_other_costs_is_made_anew_at_the_next_log_in(sqlite: str) -> None:
    async with opened(sqlite) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
        await directory.write(accounts.set_password_hash, ann.id, cheap)
        assert await directory.log_in("ann", PASSWORD) == ann
        assert await directory.read(accounts.password_hash, ann.id) != cheap
        assert await directory.log_in("ann", PASSWORD) == ann


async def test_tokens_open_and_are_revoked_one_by_one(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        bob = await directory.sign_up("bob", PASSWORD)
        one, first = await directory.write(keys.add_token, ann.id, "laptop")
        two, second = await directory.write(keys.add_token, ann.id, "server")
        assert first != second
        assert first.startswith("railbird_")
        assert await directory.log_in_by_token(first) == ann
        async with directory._database.read() as session:
            stored = (await session.scalars(select(TokenRow.hash))).all()
        assert not {first, second} & set(stored)
        assert not await directory.write(keys.delete_token, bob.id, one.id), "somebody else's"
        assert await directory.write(keys.delete_token, ann.id, one.id)
        with pytest.raises(LogInRefused, match="no account has this token"):
            await directory.log_in_by_token(first)
        assert await directory.log_in_by_token(second) == ann
        assert await directory.read(keys.tokens_of, ann.id) == [two]
        for odd in ("", "railbird_", "\ud800", "x" * 100_000):
            with pytest.raises(LogInRefused):
                await directory.log_in_by_token(odd)


async def test_the_number_of_tokens_is_bounded(sqlite: str) -> None:
    async with opened(sqlite) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        for _ in range(MOST_TOKENS):
            await directory.write(keys.add_token, ann.id)
        with pytest.raises(Forbidden, match="revoke one first"):
            await directory.write(keys.add_token, ann.id)


async def test_sessions_end(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        first = await directory.write(keys.start_session, ann.id)
        second = await directory.write(keys.start_session, ann.id)
        assert await directory.read(keys.by_session, first) == ann
        await directory.write(keys.end_session, first)
        assert await directory.read(keys.by_session, first) is None
        assert await directory.read(keys.by_session, second) == ann
        async with directory._database.write() as session:
            past = datetime.now(UTC) - timedelta(seconds=1)
            await session.execute(update(AccountSessionRow).values(ends_at=past))
        assert await directory.read(keys.by_session, second) is None
        await directory.write(keys.start_session, ann.id)
        async with directory._database.read() as session:
            assert len((await session.scalars(select(AccountSessionRow))).all()) == 1


async def test_a_changed_password_ends_every_session(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        key = await directory.write(keys.start_session, ann.id)
        await directory.change_password(ann, "battery staple")
        assert await directory.read(keys.by_session, key) is None
        assert await directory.log_in("ann", "battery staple") == ann
        with pytest.raises(LogInRefused):
            await directory.log_in("ann", PASSWORD)


@pytest.mark.slow(only=["postgresql"])
async def test_bans_keep_an_account_and_its_bots_out(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        bot = await a_bot(directory, "shark", ann)
        _, token = await directory.write(keys.add_token, bot.id)
        await directory.write(accounts.ban, ann.id, reason="collusion")
        with pytest.raises(LogInRefused, match="banned: collusion"):
            await directory.log_in("ann", PASSWORD)
        with pytest.raises(LogInRefused, match="banned: collusion"):
            await directory.log_in_by_token(token)
        with pytest.raises(LogInRefused, match="no account"):  # tells nothing to others
            await directory.log_in("ann", "wrong horse")
        await directory.write(accounts.unban, ann.id)
        assert await directory.log_in_by_token(token) == bot
        soon = datetime.now(UTC) + timedelta(hours=1)
        await directory.write(accounts.ban, ann.id, reason="", ends_at=soon)
        with pytest.raises(LogInRefused, match=r"banned until"):
            await directory.log_in("ann", PASSWORD)
        await directory.write(accounts.ban, ann.id, reason="", ends_at=soon - timedelta(hours=2))
        assert await directory.log_in("ann", PASSWORD) == ann


async def test_offences_are_counted_by_account(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        long_ago = datetime.now(UTC) - timedelta(days=1)
        for code in ("malformed", "flood", "malformed"):
            await directory.write(offences.add_offence, ann.id, code, "x" * 500)
        counted = await directory.read(offences.count_offences, ann.id, long_ago)
        assert counted == {"flood": 1, "malformed": 2}
        later = datetime.now(UTC) + timedelta(days=1)
        assert await directory.read(offences.count_offences, ann.id, later) == {}


async def test_old_offences_are_forgotten(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        await directory.write(offences.add_offence, ann.id, "flood")
        long_ago = datetime.now(UTC) - OFFENCES_KEPT - timedelta(days=1)
        async with directory._database.write() as session:
            await session.execute(update(OffenceRow).values(at=long_ago))
        await directory.write(offences.add_offence, ann.id, "malformed")
        counted = await directory.read(offences.count_offences, ann.id, long_ago)
        assert counted == {"malformed": 1}


async def test_floods_ban_for_a_while_but_never_shorten_a_ban(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("ann", PASSWORD)

        async def floods() -> None:
            within = timedelta(seconds=600)
            await directory.write(offences.note_flood, "ann", most=2, within=within)

        await floods()
        assert await directory.log_in("ann", PASSWORD) == ann
        await floods()
        with pytest.raises(LogInRefused, match=r"banned until .* UTC: 2 floods"):
            await directory.log_in("ann", PASSWORD)
        await directory.write(accounts.ban, ann.id, reason="because")
        await floods()
        with pytest.raises(LogInRefused, match=r"^banned: because$"):
            await directory.log_in("ann", PASSWORD)


async def test_export_has_everything_but_hashes(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        bot = await a_bot(directory, "shark", ann)
        _, token = await directory.write(keys.add_token, bot.id, "laptop")
        await directory.write(offences.add_offence, ann.id, "flood", "200 lines")
        await directory.write(accounts.ban, ann.id, reason="because")
        exported = await directory.read(accounts.export_account, ann.id)
        known = json.dumps(exported)
        assert exported["bots"][0]["tokens"][0]["label"] == "laptop"
        assert exported["offences"][0]["detail"] == "200 lines"
        assert exported["ban"] == {"reason": "because", "ends_at": None}
        assert "argon2" not in known
        assert token not in known


async def test_a_rename_keeps_the_account_and_its_name_for_itself(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("ann", PASSWORD)
        await directory.sign_up("bob", PASSWORD)
        with pytest.raises(BadInput, match="is taken"):
            await directory.write(accounts.rename, ann.id, "Bob")
        assert (await directory.write(accounts.rename, ann.id, "carol")).name == "carol"
        assert (await directory.log_in("carol", PASSWORD)).id == ann.id
        with pytest.raises(NameTaken):
            await directory.sign_up("Ann", PASSWORD)
        assert (await directory.write(accounts.rename, ann.id, "ann")).name == "ann"
        await directory.write(accounts.rename, ann.id, "carol")
        await until_names_are_free(directory)
        await directory.sign_up("ann", PASSWORD)


async def until_names_are_free(directory: Directory) -> None:
    """Let so much time have passed that former names are free."""

    def age(session: Session) -> None:
        session.execute(update(FormerNameRow).values(ended_at=datetime.now(UTC) - NAME_KEPT))

    await directory.write(age)


async def test_nobody_else_gets_the_name_or_the_number_of_a_deleted_account(database: str) -> None:
    async with opened(database) as directory:
        ann = await directory.sign_up("Ann", PASSWORD)
        shark = await a_bot(directory, "shark", ann)
        await directory.write(accounts.delete_account, ann.id)
        bob = await directory.sign_up("bob", PASSWORD)
        for name in ("ann", "Shark"):
            with pytest.raises(NameTaken, match="is taken"):
                await directory.sign_up(name, PASSWORD)
            with pytest.raises(NameTaken, match="is taken"):
                await directory.write(accounts.rename, bob.id, name)
        await until_names_are_free(directory)
        newcomer = await directory.sign_up("ann", PASSWORD)
        assert len({ann.id, shark.id, bob.id, newcomer.id}) == 4, "numbers are never given anew"


async def test_while_the_database_is_away_log_in_says_busy(sqlite: str) -> None:
    async with opened(sqlite) as directory:
        await directory.sign_up("ann", PASSWORD)
        async with directory._database.write() as session:
            await session.execute(text("ALTER TABLE account RENAME TO gone"))
        with pytest.raises(Busy, match="the database does not answer"):
            await directory.log_in("ann", PASSWORD)


@pytest.mark.slow
async def test_a_database_that_no_longer_answers_is_busy_soon(postgres: Postgres) -> None:
    database = await open_database(postgres.create("silent"))
    directory = Directory(database, patience_s=0.5)

    def sleeps(session: Session) -> None:
        session.execute(text("SELECT pg_sleep(30)"))

    for ask in (directory.read, directory.write):
        with pytest.raises(Busy, match="the database does not answer"):
            await ask(sleeps)  # which would come back without an error
    await directory.sign_up("ann", PASSWORD)
    directory.close()
    await database.close()


def test_the_second_server_on_a_file_ends(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'x.sqlite3'}"
    with only_server(address):
        with (
            pytest.raises(BadInput, match="another server uses it") as refused,
            only_server(address),
        ):
            pass
        assert len(str(refused.value).splitlines()) == 1
    with only_server(address):
        pass
