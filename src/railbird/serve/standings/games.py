"""The finished hands of the server's games, as a visitor may see them.

Once a game is over everything is open; before, those who play see their own cards and what was
shown. Practice tables, whose cards are told after every hand, are open to those who play there, as
long as they are there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastapi import Request
from starlette.exceptions import HTTPException

from railbird.errors import RailbirdError
from railbird.histories import HandRecord
from railbird.hosting.formats import ring_format
from railbird.hosting.journal import read_journal
from railbird.hosting.proceedings import hand_records, is_over
from railbird.hosting.records import AnyRecord, Joined, Opened
from railbird.players.equilibrium.known_strategy import is_known
from railbird.serve.api.caller import account_of, directory_of
from railbird.serve.host.access import host_of
from railbird.serve.pauses import with_pauses
from railbird.storage.accounts import accounts

MOST_JOURNAL = 1 << 25
"""Bytes of a journal that is read for a page."""
_KEPT = 4
"""Games whose hands are kept in memory, as one visitor sees them."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game's finished hands for one visitor."""

    id: str
    kind: str
    is_over: bool
    is_open: bool
    """Whether all cards are seen."""
    players: tuple[str, ...]
    own: tuple[str, ...]
    """The players that are the visitor, or the visitor's bots."""
    hands: tuple[HandRecord, ...]
    known: Mapping[str, str]
    """Specs of house players whose strategies are known, by name, where stacks were filled up."""


class Games:
    """Games that were looked at lately."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], Game] = OrderedDict()
        self._lock = asyncio.Lock()

    async def of(self, request: Request, game: str) -> Game:
        """Return a game; refuse one that is not there, or that is not this visitor's to see."""
        host = host_of(request)
        path = None if host is None else host.house.journal_of(game)
        if host is None or path is None:
            raise HTTPException(404, "There is no such game.")
        size = path.stat().st_size
        if size > MOST_JOURNAL:
            raise HTTPException(413, "This game is too long for a page; download its hands.")
        names = await names_of(request)
        key = (game, size, names)
        async with self._lock:
            if key not in self._kept:
                async with host.downloads:
                    found = await asyncio.to_thread(_read, path, game, frozenset(names))
                self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]


async def names_of(request: Request) -> tuple[str, ...]:
    """Return the names of a visitor's account and its bots; none who is not logged in."""
    account = await account_of(request)
    if account is None:
        return ()
    bots = await directory_of(request).read(accounts.bots_of, account.id)
    return (account.name, *(bot.name for bot in bots))


def _read(path: Path, game: str, names: frozenset[str]) -> Game:
    try:
        records = read_journal(path)
        opened = records[0]
        assert isinstance(opened, Opened)
        entrants = [one.name for one in opened.entrants]
        entrants += [one.entrant.name for one in records if isinstance(one, Joined)]
        players = tuple(dict.fromkeys(entrants))
        own = tuple(name for name in players if name in names)
        if opened.kind == "practice" and not own:
            raise HTTPException(404, "There is no such game.")
        over, practice = is_over(records), opened.kind == "practice"
        hands = tuple(with_pauses(hand_records(records, own=players if practice else own)))
    except RailbirdError:
        raise HTTPException(404, "This game has no proceedings.") from None
    return Game(game, opened.kind, over, over or practice, players, own, hands, _known(records))


def _known(records: Sequence[AnyRecord]) -> dict[str, str]:
    opened = records[0]
    assert isinstance(opened, Opened)
    if opened.kind == "tournament" or not ring_format(opened.settings).top_up:
        return {}
    entrants = [one.entrant for one in records if isinstance(one, Joined)]
    return {one.name: one.spec for one in entrants if one.spec and is_known(one.spec)}
