"""Actions of players: the four of the rules, their codes, and the names that players give them.

The union `Action` is closed: match it exhaustively. An action has one integer code, in the
engine's kernels, in columns of hands and in journals (`code_of`, `action_of`). It has one kind,
which ignores its size and what it faces (`kind_of`), and one of five names, which distinguish a
check from a call and a bet from a raise (`name_of`). `railbird.protocol.actions` converts actions
to and from messages of the server's protocol.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from operator import index
from typing import Final

from railbird._arguments import checked
from railbird.cards import DECK, Card, Holding
from railbird.errors import DuplicateCard, wrong_value
from railbird.game import kernels as at
from railbird.units import Chips, Seat


@dataclass(frozen=True, slots=True)
class Fold:
    """Give up the hand."""


@dataclass(frozen=True, slots=True)
class Call:
    """Check, or call the bet (all-in if the stack is shorter)."""


@dataclass(frozen=True, slots=True)
class Raise:
    """Bet or raise until this street's contribution is ``to`` chips."""

    to: Chips


@dataclass(frozen=True, slots=True)
class Discard:
    """Exchange cards, or none: stand pat. In games with a draw only."""

    cards: tuple[Card | None, ...]
    """None for a card that is not known."""


BettingAction = Fold | Call | Raise
"""An action of the seat whose turn it is to bet: any action in hold'em."""

Action = BettingAction | Discard
"""An action of the seat whose turn it is."""


def betting_action(action: Action) -> BettingAction:
    """Return an action of hold'em. Raises `TypeError` for a discard, which is none."""
    if isinstance(action, Discard):
        raise TypeError(f"{action!r} is not an action of betting")
    return action


def code_of(action: Action) -> int:
    """Return an action's code in betting: -1 for a fold, 0 for a call, and for a raise its total.

    A total that no engine can store has the code of one that is too small, or too large. Raises
    `TypeError` for other objects.

    >>> code_of(Fold()), code_of(Call()), code_of(Raise(Chips(60)))
    (-1, 0, 60)
    """
    if isinstance(action, Call):
        return at.CALL
    if isinstance(action, Raise):
        to = action.to if type(action.to) is int else index(action.to)
        if 0 < to < at.BEYOND:
            return to
        return at.BEYOND if to > 0 else at.BELOW
    if isinstance(action, Fold):
        return at.FOLD
    raise TypeError(f"{action!r} is not an action of betting")


def code_of_any(action: Action) -> int:
    """Return an action's code in any game: below -2 for a discard, else that of `code_of`.

    >>> code_of_any(Discard(())), code_of_any(Discard((Card(0), Card(2))))
    (-3, -8)
    """
    if not isinstance(action, Discard):
        return code_of(action)
    known = {card for card in action.cards if card is not None}
    hidden = action.cards.count(None)
    if len(known) + hidden < len(action.cards):
        raise DuplicateCard(f"{action}: a card that comes twice")
    return at.BELOW - 1 - sum(1 << card for card in known) - (hidden << _HIDDEN)


_HIDDEN: Final = 52
"""The bits of a coded discard from here on are the number of cards that are not known."""


@lru_cache(maxsize=1 << 12)
def action_of(code: int) -> Action:
    """Return the action with a code; the same object for the same code, to compare fast.

    >>> action_of(0), action_of(60), action_of(-8)
    (Call(), Raise(to=60), Discard(cards=(0, 2)))
    """
    if code < at.BELOW:
        coded = at.BELOW - 1 - code
        known = [card for card in DECK if coded >> card & 1]
        return Discard((*known, *(None,) * (coded >> _HIDDEN)))
    if code < 0:
        return Fold()
    return Raise(Chips(code)) if code else Call()


class ActionKind(IntEnum):
    """Kind of an action. The values number rows of learned tables and lanes of betting trees."""

    FOLD = 0
    CALL = 1
    """Or check."""
    RAISE = 2
    """Or bet."""


_KINDS: dict[type[Action], ActionKind] = {
    Fold: ActionKind.FOLD,
    Call: ActionKind.CALL,
    Raise: ActionKind.RAISE,
}


def kind_of(action: Action) -> ActionKind:
    """Return the kind of an action."""
    return _KINDS[type(action)]


class ActionName(IntEnum):
    """Players' name for an action; the values are those in columns of hands."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    BET = 3
    RAISE = 4

    @property
    def word(self) -> str:
        """The verb: ``fold``, ``check``, ``call``, ``bet`` or ``raise``."""
        return _WORDS[self]

    @property
    def past(self) -> str:
        """The past tense: ``folded``, ``checked``, ``called``, ``bet`` or ``raised``."""
        return _PAST[self]

    @property
    def letter(self) -> str:
        """One letter: ``f``, ``k``, ``c``, ``b`` or ``r``, as in ``b/r/c`` or ``kbf``."""
        return _LETTERS[self]

    @property
    def acpc(self) -> str:
        """The ACPC's letter, which does not distinguish check from call or bet from raise."""
        return _ACPC[self]

    @property
    def is_aggressive(self) -> bool:
        """True for bets and raises."""
        return self >= ActionName.BET


_WORDS = ("fold", "check", "call", "bet", "raise")
_PAST = ("folded", "checked", "called", "bet", "raised")
_LETTERS = "fkcbr"
_ACPC = "fccrr"


def name_of(action: Action | ActionKind, *, to_call: int, bet: int) -> ActionName:
    """Name an action, or one of its kind.

    ``to_call`` is the cost of a call to the actor, 0 for a check; ``bet`` is what a seat must have
    put in on this street to stay, 0 if nobody has bet. Both are in chips.

    >>> name_of(Call(), to_call=0, bet=20).word  # the big blind's option
    'check'
    >>> name_of(Raise(60), to_call=0, bet=20).word, name_of(Raise(60), to_call=0, bet=0).word
    ('raise', 'bet')
    """
    match action if isinstance(action, ActionKind) else kind_of(action):
        case ActionKind.FOLD:
            return ActionName.FOLD
        case ActionKind.CALL:
            return ActionName.CALL if to_call else ActionName.CHECK
        case ActionKind.RAISE:
            return ActionName.RAISE if bet else ActionName.BET


def acpc_text(action: Action, earlier_chips: int | None) -> str:
    """Return an action in the ACPC's notation.

    A raise is written with the total that its seat has put in, which is its own total and
    ``earlier_chips``, those of earlier streets; without a total where that is None, as in limit
    games.

    >>> acpc_text(Call(), None), acpc_text(Raise(Chips(60)), 20), acpc_text(Raise(Chips(60)), None)
    ('c', 'r80', 'r')
    """
    if isinstance(action, Raise) and earlier_chips is not None:
        return f"r{earlier_chips + action.to}"
    return "fcr"[kind_of(action)]


# The events of a hand. The union is closed: match it exhaustively.
#
# A hand is its rules and its events; folding them gives a `railbird.game.HandState`. Posts are not
# events, because they follow from the rules.


@dataclass(frozen=True, slots=True)
class DealHoles:
    """Every seat is dealt two cards."""

    holdings: tuple[Holding | None, ...]
    """By seat; None if hidden or unknown."""


@dataclass(frozen=True, slots=True)
class DealBoard:
    """The flop (three cards), the turn or the river (one each) is dealt."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """A seat folds, calls, raises or exchanges cards."""

    seat: Seat
    action: Action


@dataclass(frozen=True, slots=True)
class Show:
    """A seat shows its cards, in the showdown or voluntarily afterwards."""

    seat: Seat
    holding: Holding


@dataclass(frozen=True, slots=True)
class Muck:
    """A seat mucks its beaten hand."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealStreet:
    """A street's cards are dealt, in another game than hold'em."""

    down: tuple[tuple[Card, ...] | None, ...] = ()
    """By seat, what only it sees: () for nothing, None if hidden. Empty if none is dealt."""
    up: tuple[tuple[Card, ...], ...] = ()
    """By seat, what everybody sees. Empty if none is dealt."""
    boards: tuple[tuple[Card, ...], ...] = ()
    """By board. Empty if none is dealt."""


@dataclass(frozen=True, slots=True)
class ShowCards:
    """A seat shows all its cards, in another game than hold'em; as `Show`."""

    seat: Seat
    cards: tuple[Card, ...]


Event = DealHoles | DealBoard | Act | Show | Muck | DealStreet | ShowCards
"""An event of a hand."""


@checked
def seen_by(event: Event, seat: Seat | None) -> Event:
    """Return an event as one seat sees it; a spectator (None) sees hole cards only when shown."""
    match event:
        case DealHoles(holdings):
            own = (holding if s == seat else None for s, holding in enumerate(holdings))
            return DealHoles(tuple(own))
        case DealStreet(down, up, boards):
            seen = (cards if s == seat or not cards else None for s, cards in enumerate(down))
            return DealStreet(tuple(seen), up, boards)
        case Act(actor, Discard(cards)) if actor != seat:
            return Act(actor, Discard((None,) * len(cards)))
        case DealBoard() | Act() | Show() | Muck() | ShowCards():
            return event
        case _:
            raise wrong_value("event", event, "one of a hand")
