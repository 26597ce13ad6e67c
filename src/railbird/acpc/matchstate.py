"""Reading and writing the protocol's lines.

::

    VERSION:2.0.0                                  the player, once
    MATCHSTATE:0:3:crrc/r:7d3d|/5sKs7s             the dealer, after every event
    MATCHSTATE:0:3:crrc/r:7d3d|/5sKs7s:c           the player to act: the same plus an action
    # anything, ; anything                         a comment, from either side

A message contains the seat it is meant for, the number of the hand, the betting, and the cards that
the seat may see: hole cards by seat, then the board by street. In no-limit a raise is the seat's
total for the whole hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from railbird._arguments import checked
from railbird.cards import CARD_OF_TEXT, TEXT_OF_CARD, Card
from railbird.errors import BadInput, IllegalAction
from railbird.game import Action, Betting, Call, Fold, HandState, Raise, acpc_text
from railbird.units import Chips, Seat

# Time limits, sizes and addresses of the ACPC protocol, on either side of the connection.


HOST: Final = "127.0.0.1"
"""Address at which a locally started program finds its dealer."""

PROGRAM_CONNECT_SECONDS: Final = 60.0
"""Limit for a program to start and greet; large ones load their strategies first."""

QUIET_SECONDS: Final = 2.0
"""Time for a program to connect before a warning is logged."""

DEALER_CONNECT_SECONDS: Final = 30.0
"""Limit for our player to connect to an external dealer."""

DECISION_SECONDS: Final = 600.0
"""Default limit for a decision, the same as the competition's dealer's."""

SEND_SECONDS: Final = 10.0
"""Limit for sending; exceeded only if the other side has stopped reading."""

CONNECT_POLL_SECONDS: Final = 0.1
"""Interval of checks that a program that has not connected is still running."""

MOST_LATE: Final = 3
"""Consecutive late decisions after which a program is ended."""

MOST_PASSED_OVER: Final = 1000
"""Irrelevant lines during one decision after which a program is ended."""

MOST_STRANGERS: Final = 16
"""Maximum number of connections that have not greeted; any more are refused."""

LONGEST_LINE: Final = 1 << 16
"""Maximum bytes in a line; the longest messages of real matches have a few hundred."""

READ_BYTES: Final = 1 << 14
"""Bytes read from a connection at once."""

SHOWN_CHARACTERS: Final = 80
"""Characters of a received line that an error message quotes."""


VERSION_LINE: Final = "VERSION:2.0.0"

_VERSION: Final = re.compile(r"VERSION:2\.0\.[0-9]{1,5}\s*")
_CARD: Final = "[2-9TJQKA][cdhs]"
_STATE: Final = re.compile(
    r"MATCHSTATE:(?P<seat>[0-9]{1,2}):(?P<hand>[0-9]{1,10})"
    r":(?P<betting>(?:[fc/]|r[0-9]{0,15})*)"
    rf":(?P<holes>(?:{_CARD}{_CARD})?(?:\|(?:{_CARD}{_CARD})?)*)"
    rf"(?:/(?P<flop>(?:{_CARD}){{3}})(?:/(?P<turn>{_CARD})(?:/(?P<river>{_CARD}))?)?)?"
)
_ACTION: Final = re.compile(r"f|c|r([0-9]{0,15})")

Hole = tuple[Card, Card]
"""Two hole cards in the order of dealing."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """A dealer's message to one seat.

    >>> parse_state("MATCHSTATE:1:7:c:|2hAc").seat
    1
    >>> str(parse_state("MATCHSTATE:1:7:c:|2hAc"))
    'MATCHSTATE:1:7:c:|2hAc'
    """

    seat: Seat
    """The recipient."""
    hand: int
    """The hand's number."""
    betting: str
    holes: tuple[Hole | None, ...]
    """Hole cards by seat; None if hidden."""
    board: tuple[Card, ...]

    def __str__(self) -> str:
        holes = "|".join(["" if hole is None else _text(hole) for hole in self.holes])
        streets = [self.board[:3], self.board[3:4], self.board[4:]]
        cards = "/".join([holes, *(_text(street) for street in streets if street)])
        return f"MATCHSTATE:{self.seat}:{self.hand}:{self.betting}:{cards}"


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's line, split into the state it refers to and its action, both unparsed."""

    state: str
    action: str


@checked
def is_comment(line: str) -> bool:
    """Return whether a line is a comment."""
    return line.startswith(("#", ";"))


@checked
def is_version(line: str) -> bool:
    """Return whether a line is a player's greeting in this protocol."""
    return _VERSION.fullmatch(line) is not None


@checked
def parse_state(text: str) -> MatchState:
    """Read a dealer's message. Raises `BadInput` for anything else."""
    match = _STATE.fullmatch(text)
    if match is None:
        raise BadInput(f"not a message of an ACPC dealer: {text[:SHOWN_CHARACTERS]!r}")
    holes = [_cards(hole) for hole in match["holes"].split("|")]
    return MatchState(
        seat=Seat(int(match["seat"])),
        hand=int(match["hand"]),
        betting=match["betting"],
        holes=tuple([(hole[0], hole[1]) if hole else None for hole in holes]),
        board=_cards("".join(street or "" for street in match.group("flop", "turn", "river"))),
    )


@checked
def parse_answer(line: str) -> Answer | None:
    """Split a player's line; return None for a line that is not an answer.

    >>> parse_answer("MATCHSTATE:1:0::|2hAc:c")
    Answer(state='MATCHSTATE:1:0::|2hAc', action='c')
    """
    state, colon, action = line.rstrip().rpartition(":")
    return Answer(state, action) if colon and _STATE.fullmatch(state) else None


@checked
def action_text(state: HandState, action: Action) -> str:
    """Return an action of the seat to act in the protocol's notation."""
    sized = state.rules.betting is not Betting.LIMIT
    return acpc_text(action, _before(state) if sized else None)


@checked
def read_action(state: HandState, text: str) -> Action:
    """Parse an action of the seat to act, without checking that it is legal.

    Raises `IllegalAction` for a text that is not an action in this game.
    """
    match = _ACTION.fullmatch(text)
    limit = state.rules.betting is Betting.LIMIT
    if match is None or (text == "r" and not limit):
        allowed = "f, c or r" if limit else "f, c or r with a total"
        raise IllegalAction(f"{text[:SHOWN_CHARACTERS]!r} is not an action; allowed: {allowed}")
    if text in ("f", "c"):
        return Fold() if text == "f" else Call()
    if limit:
        return Raise(state.min_raise_to or Chips(state.bet + state.rules.bet_sizes[state.street]))
    return Raise(Chips(int(match[1]) - _before(state)))


def _before(state: HandState) -> Chips:
    """Return the chips that the seat to act put in on earlier streets."""
    assert state.actor is not None
    return Chips(state.spent[state.actor] - state.street_bets[state.actor])


def _text(cards: tuple[Card, ...]) -> str:
    return "".join([TEXT_OF_CARD[card] for card in cards])


def _cards(text: str) -> tuple[Card, ...]:
    return tuple([CARD_OF_TEXT[text[i : i + 2]] for i in range(0, len(text), 2)])
