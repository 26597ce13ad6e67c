"""Players as all others know them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PlayerKind(StrEnum):
    """Nature of a player, which every table shows."""

    PERSON = "person"
    BOT = "bot"
    HOUSE = "house"
    """A player of the registry, seated by the server."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A logged-in account.

    >>> Identity("stella", PlayerKind.BOT, version="7", owner="ann").rated_as
    'stella 7'
    """

    name: str
    """Unique among all accounts, and unchanged for the length of a tournament."""
    kind: PlayerKind = PlayerKind.PERSON
    version: str = ""
    """A bot's version: another version is rated as another player."""
    owner: str = ""
    """The account that a bot belongs to; two bots of one owner never
    share a rated or a ring table."""
    account: int = 0
    """The account's number in the database, which no other gets, whatever becomes of the name; 0
    where there is none."""

    @property
    def rated_as(self) -> str:
        """Name under which results are rated."""
        return f"{self.name} {self.version}" if self.version else self.name

    @property
    def interest(self) -> str:
        """Name of the account that gains if this player does: its owner's, or its own."""
        return self.owner or self.name
