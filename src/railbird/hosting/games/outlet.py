"""What a game in play is given: clocks, a place for records, and ears for its news."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from railbird.game import View
from railbird.hosting.records import AnyRecord, Closed
from railbird.protocol.redaction.events import TableEvent


@dataclass(frozen=True, slots=True)
class Time:
    """The two clocks of a game: one for deadlines, one for records."""

    seconds: Callable[[], float] = time.monotonic
    unix_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000


class Writer(Protocol):
    """Where records go before anybody is told."""

    def write(self, record: AnyRecord) -> None:
        """Keep a record, or raise; then none of it counts."""


class Outlet(Protocol):
    """Where news goes."""

    def tell(self, table: int, event: TableEvent) -> None:
        """Tell everybody at a table."""

    def tell_entrants(self, event: TableEvent) -> None:
        """Tell everybody who plays or played in this game."""

    def seated(self, player: int, table: int) -> None:
        """A player has come to a table, first or after a move."""

    def left(self, player: int, table: int, reason: str) -> None:
        """A player has left; the account is free, unless it only moved."""

    def ask_house(self, player: int, shown: View, turn: str) -> None:
        """Ask a house player for its action."""

    def froze(self, player: int) -> None:
        """A player did not act in time; its connection is to be closed."""

    def finished(self, record: Closed) -> None:
        """The game is over."""


class Silence:
    """An outlet that tells nobody, while a journal is read."""

    def tell(self, table: int, event: TableEvent) -> None:
        """Do nothing."""

    def tell_entrants(self, event: TableEvent) -> None:
        """Do nothing."""

    def seated(self, player: int, table: int) -> None:
        """Do nothing."""

    def left(self, player: int, table: int, reason: str) -> None:
        """Do nothing."""

    def ask_house(self, player: int, shown: View, turn: str) -> None:
        """Do nothing."""

    def froze(self, player: int) -> None:
        """Do nothing."""

    def finished(self, record: Closed) -> None:
        """Do nothing."""
