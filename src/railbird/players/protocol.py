"""The protocols of players of any game: a player can be reset, and answers views with actions.

`policy` has optional capabilities.

The arena needs nothing else. A player that wants to learn is also an `Observer`, and is shown what
happens. A player simple enough for a kernel is also `railbird.players.Compiled`, and plays millions
of hands per second.
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
    MemoryPlace = Any  # imported only when needed


class Player(Protocol):
    """Plays one seat at a time."""

    def reset(self, rng: np.random.Generator) -> None:
        """Forget everything seen and decided, and from now on draw only from ``rng``.

        Called before the first hand, and whenever memory must not carry over, such as between the
        directions of a duplicate match. After a reset, the same views must get the same actions.
        """

    def act(self, view: View) -> Action:
        """Choose one of ``view.legal``. Anything else is a fault, which the arena counts.

        A player that waits for another program raises `TimeoutError` if no answer comes, and
        `NotAnAction` if the answer is not an action. Any other exception counts as a failure.
        """


@runtime_checkable
class Observer(Protocol):
    """Sees every hand as its seat does, even after it has folded."""

    def begin(self, view: View) -> None:
        """A hand begins; ``view`` shows the rules, the seat and its cards."""

    def observe(self, view: View, event: Event) -> None:
        """An event happened, maybe the player's own action; ``view`` is the state after it."""

    def end(self, view: View) -> None:
        """The hand is over; ``view`` has the cards that were shown, and who won."""


@runtime_checkable
class KnowsOpponents(Observer, Protocol):
    """An observer that is told who sits where, so it can recognise players in other seats."""

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who plays the next hand: a number for each player, by seat.

        A player keeps its number from hand to hand. Without this call, each seat is a player of its
        own.
        """


@runtime_checkable
class KnowsNames(KnowsOpponents, Protocol):
    """An observer that is told names, so it may recognise people in another session."""

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set the names of the players in `meet`, by number; more may come later."""


@runtime_checkable
class SeesShown(KnowsOpponents, Protocol):
    """An observer that is told who shows cards by choice after a hand."""

    def shown_by_choice(self, person: int) -> None:
        """Note that somebody has shown cards; ``person`` is a number as in `meet`."""


def introduce(players: Iterable[Player], names: Iterable[str]) -> None:
    """Tell the names of all players, by number, to those that use names."""
    everybody = tuple(names)
    for player in players:
        if isinstance(player, KnowsNames):
            player.introduce(everybody)


def meet(player: Player, names: Iterable[str], numbers: dict[str, int]) -> None:
    """Tell a player who sits in each seat in the next hand, if it uses that.

    ``numbers`` has the numbers of the players met so far; new players are added to it.
    """
    known = len(numbers)
    people = tuple(numbers.setdefault(name, len(numbers)) for name in names)
    if len(numbers) > known:
        introduce([player], numbers)
    if isinstance(player, KnowsOpponents):
        player.meet(people)


@runtime_checkable
class RemotePlayer(Observer, Protocol):
    """A player that relays its seat to another program, for which it is the dealer.

    Like a dealer it gets the whole deal, and must show the other side only its part.
    """

    def allow(self, seconds: float | None) -> None:
        """Set the time limit for decisions in seconds; None leaves it to the relay."""

    def deal(self, cards: NDArray[np.uint8]) -> None:
        """Take the whole deal of the hand that begins next, a row of cards in dealing order."""


class NotAnAction(RailbirdError):
    """An answer that is not an action."""


class IllegalAnswer(NotAnAction):
    """An answer that may only be replaced by a check or a fold, whatever the policy."""


# The option that gives a player a memory of its opponents.


def memory_description(former: str = "") -> Description:
    """Describe the option ``database=``, which some players had under the name ``former``.

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
"""The key of that option in a spec."""


def read_place(text: str) -> MemoryPlace:
    """Return the place that a text names. Raises `BadInput` if it names none."""
    from railbird.storage.opponents import memory_place  # imported only when needed

    return memory_place(text)
