"""Players of any game as all others know them: names, kinds and owners."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final


class PlayerKind(StrEnum):
    """Nature of a player, which every table shows."""

    PERSON = "person"
    BOT = "bot"
    HOUSE = "house"
    """A player of the registry, seated by the server."""


FURTHER: Final = "+"
"""A character that no account's name has: a person's seat at a further ring table is ``ann+2``."""


def account_name(name: str) -> str:
    """Return the name of the account to which a seat belongs; for a house player its own name.

    >>> account_name("ann"), account_name("ann+2"), account_name("coach:small+vexbot")
    ('ann', 'ann', 'coach:small+vexbot')
    """
    account, _, number = name.rpartition(FURTHER)
    return account if account and number.isdecimal() else name


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
    """The account to which a bot, or a person's seat at a further ring table, belongs. Two seats of
    one owner never share a rated or a ring table."""
    account: int = 0
    """The account's number in the database, which is never given to another account, even if the
    name is; 0 if there is none."""

    def further(self, number: int) -> Identity:
        """Return a person at a further ring table, the second being 2.

        >>> Identity("ann").further(2).name, Identity("ann").further(2).interest
        ('ann+2', 'ann')
        """
        return replace(self, name=f"{self.name}{FURTHER}{number}", owner=self.interest)

    @property
    def rated_as(self) -> str:
        """Name under which results are rated."""
        return f"{self.name} {self.version}" if self.version else self.name

    @property
    def interest(self) -> str:
        """Name of the account that gains if this player does: its owner's, or its own."""
        return self.owner or self.name
