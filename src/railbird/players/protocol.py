"""Protocols of players of any game: reset one to forget, and it answers views with actions.

`policy` has the optional capabilities.

The arena asks nothing else. A player that wants to learn is an `Observer` as well and receives what
happens. A player whose rule is simple enough for a kernel is `railbird.players.Compiled` as well
and plays millions of hands a second.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from railbird._option_fields import Description
from railbird.errors import RailbirdError
from railbird.game import Action, Event, View

if TYPE_CHECKING:
    from railbird.storage.opponents import MemoryPlace as MemoryPlace
else:
    MemoryPlace = Any  # what nobody asked for is not loaded


class Player(Protocol):
    """Plays one seat at a time."""

    def reset(self, rng: np.random.Generator) -> None:
        """Forget everything seen and decided; from now on draw from ``rng`` alone.

        Called before the first hand, and whenever memory must not carry over, as between the
        directions of a duplicate match. After a reset, the same views get the same actions.
        """

    def act(self, view: View) -> Action:
        """Choose one of ``view.legal``; anything else is a fault, which the arena counts.

        A player that waits for another program raises `TimeoutError` if no answer came, and
        `NotAnAction` if the answer is no action; any other exception is a failure of the player.
        """


@runtime_checkable
class Observer(Protocol):
    """Sees every hand as its seat does, even after it has folded."""

    def begin(self, view: View) -> None:
        """A hand starts; ``view`` shows the rules, the seat and its cards."""

    def observe(self, view: View, event: Event) -> None:
        """An event happened, perhaps the player's own action; ``view`` is the state after it."""

    def end(self, view: View) -> None:
        """The hand is over; ``view`` shows the cards that were shown, and who won."""


@runtime_checkable
class KnowsOpponents(Observer, Protocol):
    """An observer that learns who sits where, and so recognises players in other seats."""

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the players of the next hand: a number for each, by seat.

        A player keeps its number from hand to hand. Without this call, each seat is one player.
        """


@runtime_checkable
class KnowsNames(KnowsOpponents, Protocol):
    """An observer that learns names, and so may recognise people in another session."""

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set the names of the players in `meet`, by number; more may follow later."""


@runtime_checkable
class SeesShown(KnowsOpponents, Protocol):
    """An observer that learns who shows cards by choice, after the end of the hand."""

    def shown_by_choice(self, person: int) -> None:
        """Take note of it; ``person`` is a number as in `meet`."""


def introduce(players: Iterable[Player], names: Iterable[str]) -> None:
    """Give the names of all players, by number, to those that use names."""
    everybody = tuple(names)
    for player in players:
        if isinstance(player, KnowsNames):
            player.introduce(everybody)


def meet(player: Player, names: Iterable[str], numbers: dict[str, int]) -> None:
    """Give a player the number of the player in each seat of the next hand, if it uses them.

    ``numbers`` holds the numbers of the players met so far; new ones are added.
    """
    known = len(numbers)
    people = tuple(numbers.setdefault(name, len(numbers)) for name in names)
    if len(numbers) > known:
        introduce([player], numbers)
    if isinstance(player, KnowsOpponents):
        player.meet(people)


@runtime_checkable
class RemotePlayer(Observer, Protocol):
    """A player that relays its seat to another program, for which it acts as the dealer.

    Like a dealer it receives the whole deal, and must show the other side only its part.
    """

    def allow(self, seconds: float | None) -> None:
        """Set the time limit of decisions; None leaves it to the relay."""

    def deal(self, cards: NDArray[np.uint8]) -> None:
        """Receive the whole deal of the next `begin`, a row of cards in the order of dealing."""


class NotAnAction(RailbirdError):
    """An answer that is not an action."""


class IllegalAnswer(NotAnAction):
    """An answer that only a check or a fold may replace, whatever the policy."""


# The option that gives a player a memory of its opponents.


def memory_description(former: str = "") -> Description:
    """Describe the option ``database=``, which a player may have had under an earlier name.

    Its value is a `railbird.storage.opponents.MemoryPlace`, or None.
    """
    return Description(
        "database in which opponents are remembered between sessions",
        key=MEMORY_KEY,
        parse=read_place,
        allowed="default, a file, sqlite:///FILE or postgresql://USER@HOST/NAME",
        former=former,
    )


MEMORY_KEY = "database"
"""Key of the option that gives a player a memory of its opponents."""


def read_place(text: str) -> MemoryPlace:
    """Return the place that a text names. Raises `BadInput`."""
    from railbird.storage.opponents import memory_place  # what nobody asked for is not loaded

    return memory_place(text)
