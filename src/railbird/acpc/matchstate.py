"""The lines of the protocol: what each kind looks like, read and written.

::

    VERSION:2.0.0                                  the player, once
    MATCHSTATE:0:3:crrc/r:7d3d|/5sKs7s             the dealer, whenever something has happened
    MATCHSTATE:0:3:crrc/r:7d3d|/5sKs7s:c           the player to act: the same again, and an action
    # anything, ; anything                         a comment, of either side

A message says the seat that it is meant for, the number of the hand, the betting and the cards
that the seat may see: holes by seat, then each street's. A raise of a no-limit game is the sum
that the seat has then put in during the whole hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, assert_never

from railbird._arguments import checked
from railbird.acpc.settings import SHOWN_CHARACTERS
from railbird.cards import CARD_OF_TEXT, TEXT_OF_CARD, Card
from railbird.errors import BadInput, IllegalAction
from railbird.game import Action, Betting, Call, Fold, HandState, Raise
from railbird.units import Chips, Seat

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
"""Two cards in the order in which they were dealt."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """What one seat is told at one moment of a hand.

    >>> parse_state("MATCHSTATE:1:7:c:|2hAc").seat
    1
    >>> str(parse_state("MATCHSTATE:1:7:c:|2hAc"))
    'MATCHSTATE:1:7:c:|2hAc'
    """

    seat: Seat
    """The one that is told."""
    hand: int
    """The hand's number."""
    betting: str
    holes: tuple[Hole | None, ...]
    """By seat; None where they are not to be seen."""
    board: tuple[Card, ...]

    def __str__(self) -> str:
        holes = "|".join(["" if hole is None else _text(hole) for hole in self.holes])
        streets = [self.board[:3], self.board[3:4], self.board[4:]]
        cards = "/".join([holes, *(_text(street) for street in streets if street)])
        return f"MATCHSTATE:{self.seat}:{self.hand}:{self.betting}:{cards}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player sent: the state that it speaks of, and what it would do, both unread."""

    state: str
    action: str


@checked
def is_comment(line: str) -> bool:
    """Whether a line is to be passed over."""
    return line.startswith(("#", ";"))


@checked
def is_version(line: str) -> bool:
    """Whether a line is the greeting of a player of this protocol."""
    return _VERSION.fullmatch(line) is not None


@checked
def parse_state(text: str) -> MatchState:
    """Read a dealer's message. Raises `BadInput` for anything else."""
    found = _STATE.fullmatch(text)
    if found is None:
        raise BadInput(f"no message of an ACPC dealer: {text[:SHOWN_CHARACTERS]!r}")
    holes = [_cards(hole) for hole in found["holes"].split("|")]
    return MatchState(
        seat=Seat(int(found["seat"])),
        hand=int(found["hand"]),
        betting=found["betting"],
        holes=tuple([(hole[0], hole[1]) if hole else None for hole in holes]),
        board=_cards("".join(street or "" for street in found.group("flop", "turn", "river"))),
    )


@checked
def parse_answer(line: str) -> Answer | None:
    """Take a player's line apart; None for a line that is no answer to anything.

    >>> parse_answer("MATCHSTATE:1:0::|2hAc:c")
    Answer(state='MATCHSTATE:1:0::|2hAc', action='c')
    """
    state, colon, action = line.rstrip().rpartition(":")
    return Answer(state, action) if colon and _STATE.fullmatch(state) else None


@checked
def action_text(state: HandState, action: Action) -> str:
    """An action of the seat to act, as the protocol writes it."""
    match action:
        case Fold():
            return "f"
        case Call():
            return "c"
        case Raise(to):
            sized = state.rules.betting is not Betting.LIMIT
            return f"r{_before(state) + to}" if sized else "r"
        case other:
            assert_never(other)


@checked
def read_action(state: HandState, text: str) -> Action:
    """What the seat to act would do, be it legal or not.

    Raises `IllegalAction` for a text that is no action of this game.
    """
    found = _ACTION.fullmatch(text)
    limit = state.rules.betting is Betting.LIMIT
    if found is None or (text == "r" and not limit):
        allowed = "f, c or r" if limit else "f, c or r with a sum"
        raise IllegalAction(f"{text[:SHOWN_CHARACTERS]!r} is no action; allowed: {allowed}")
    if text in ("f", "c"):
        return Fold() if text == "f" else Call()
    if limit:
        return Raise(state.min_raise_to or Chips(state.bet + state.rules.bet_sizes[state.street]))
    return Raise(Chips(int(found[1]) - _before(state)))


def _before(state: HandState) -> Chips:
    """What the seat to act put in on earlier streets."""
    assert state.actor is not None
    return Chips(state.spent[state.actor] - state.street_bets[state.actor])


def _text(cards: tuple[Card, ...]) -> str:
    return "".join([TEXT_OF_CARD[card] for card in cards])


def _cards(text: str) -> tuple[Card, ...]:
    return tuple([CARD_OF_TEXT[text[i : i + 2]] for i in range(0, len(text), 2)])
