"""A place where a game is played, as a person's screen knows it: this process, or a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from railbird.protocol import AnyServer
from railbird.protocol.messages.client import GameRequest


class LinkState(StrEnum):
    """Whether the game can be reached."""

    CONNECTING = "connecting"
    OPEN = "open"
    WAITING = "waiting"
    """Closed until the person asks to come back: frozen, or logged in elsewhere."""
    OVER = "over"
    """Closed for good."""


@dataclass(frozen=True, slots=True)
class LinkNews:
    """The game can be reached, or no longer."""

    state: LinkState
    text: str = ""
    """A sentence for the person."""
    is_failure: bool = False


News = AnyServer | LinkNews


class Source(Protocol):
    """Where a game is played. No method waits for anybody; news comes from another thread."""

    is_server: bool

    def start(self, hear: Callable[[News], object]) -> None:
        """Begin; ``hear`` is called in another thread with everything that the person may know."""

    def send(self, request: GameRequest) -> None:
        """Say what the person wants."""

    def come_back(self) -> None:
        """Connect again after `LinkState.WAITING`."""

    def hurry(self) -> None:
        """Go on at once, where a pause was only for the person to read."""

    def close(self) -> None:
        """End; what is played to its end is kept."""
