"""Contents of a site's text about one hand, before any check of legality."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Final, NamedTuple

from railbird.cards import Card
from railbird.game import Betting
from railbird.histories.card_text import UNKNOWN, Hole, after_showing, read_cards, read_hole
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import read_amount

BOARD_SIZES: Final = {"FLOP": 3, "TURN": 4, "RIVER": 5}
_BETWEEN_CARDS: Final = re.compile(r"[ ,\[\]]+")
_TEN: Final = {"10": "T"}


class Verb(Enum):
    """Kind of an action, and with it the meaning of its amount."""

    FOLD = "folds"
    CHECK = "checks"
    CALL = "calls"
    """Amount: the chips put in now; None if the text gives none."""
    RAISE_TO = "raises to"
    """Amount: the total of the street. A bet is a raise from zero."""
    RAISE_BY = "raises by"
    """Amount: the difference to the bet that must be called."""
    RAISE_PAYING = "raises with"
    """Amount: the chips put in now."""
    ALL_IN = "is all-in with"
    """Amount: the chips put in now, in a call, a bet or a raise."""


class Post(Enum):
    """Kind of a post; the values are the words of `railbird.histories.pokerstars.rules`."""

    ANTE = "the ante"
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    BOTH_BLINDS = "small & big blinds"
    """Both in one, of which the part above a big blind is dead."""
    DEAD_BLIND = "dead blind"
    EXTRA_BLIND = "extra blind"
    """Live blind out of position."""
    STRADDLE = "straddle"


class TextAction(NamedTuple):
    """Action of a player; without a name, the deal of a street."""

    name: str
    verb: Verb
    amount: int | None = None


STREET_DEALT: Final = TextAction("", Verb.CHECK)


class TextPost(NamedTuple):
    """Post of a player."""

    name: str
    kind: Post
    amount: int
    all_in: bool = False


@dataclass(slots=True)
class SitePlayer:
    """Player at the table. Amounts here and below are in units of `money.UNIT`."""

    number: int
    """Seat number of the table."""
    stack: int
    hole: Hole = UNKNOWN
    dealt_in: bool = False
    """True if a post, an action or cards show that the player was in the hand."""
    mucked: bool = False
    """True if the cards were mucked at showdown, so that they may win no pot."""
    away: bool = False
    """True if the player leaves after posting, and so folds when it is his turn."""
    won: int = 0
    returned: int = 0
    """Uncalled bet, if the text states it."""
    said_to_win: int | None = None
    """Amount won according to a summary."""


@dataclass(slots=True)
class SiteHand:
    """One hand as its text describes it."""

    number: int | None
    betting: Betting
    currency: str = ""
    """Sign of the money; empty for chips that are not money."""
    stakes: tuple[int, int] | None = None
    """Blinds, or in limit the small and the big bet; None if the text does not state them."""
    cap: int | None = None
    """Most that a player can lose in the hand."""
    tournament: bool = False
    """True if no rake can be taken from a pot."""
    table: str = ""
    played_at: datetime | None = None
    scale: int | None = None
    """Chips per coin, or more if the amounts need it; None for cents, or tournament chips."""
    dot_groups: bool = False
    """True if amounts are written as 2.000,50."""
    ranks: Mapping[str, str] = field(default_factory=lambda: _TEN)
    """Ranks by the site's spelling, where it differs."""
    button: int = 0
    players: dict[str, SitePlayer] = field(default_factory=dict)
    posts: list[TextPost] = field(default_factory=list)
    actions: list[TextAction] = field(default_factory=list)
    board: tuple[Card, ...] = ()
    rake: int | None = None
    """Rake; None if the text does not state it."""
    total: int | None = None
    """Pot; None if the text does not state it, or rounds it."""
    holes_dealt: bool = False
    in_summary: bool = False

    def amount(self, text: str) -> int:
        """Parse an amount in the hand's notation. Raises `BadHand`."""
        return read_amount(text, dot_groups=self.dot_groups)

    def cards(self, text: str) -> str:
        """Return cards as two characters each: ``Th9c`` for ``[ 10h, 9c ]``."""
        cards = [card for card in _BETWEEN_CARDS.split(text) if card]
        return "".join([self.ranks.get(card[:-1], card[:-1]) + card[-1] for card in cards])

    def player(self, name: str) -> SitePlayer:
        """Return a player by name. Raises `BadHand` for somebody who has no seat."""
        seat = self.players.get(name)
        if seat is None:
            raise BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} plays without a seat and a stack")
        return seat

    def take_seat(self, name: str, number: int, stack: int) -> None:
        """Add a player. Raises `BadHand` if the name or the seat is taken."""
        if name in self.players or any(p.number == number for p in self.players.values()):
            raise BadHand(SkipReason.SAME_NAME, f"seat {number} or {name[:40]!r} twice")
        self.players[name] = SitePlayer(number, stack)

    def post(self, name: str, kind: Post, amount: int, *, all_in: bool = False) -> None:
        """Add a post, unless it is of zero."""
        if amount:
            self.player(name).dealt_in = True
            self.posts.append(TextPost(name, kind, amount, all_in))

    def act(self, name: str, verb: Verb, amount: int | None = None) -> None:
        """Add an action."""
        self.player(name).dealt_in = True
        self.actions.append(TextAction(name, verb, amount))

    def deal(self, cards: str, size: int) -> None:
        """Deal a street: its cards, or the whole board of ``size`` cards. Raises `BadHand`.

        Cards are two characters each. A street that is dealt twice means a board run twice.
        """
        seen = len(self.board)
        if size <= seen:
            raise BadHand(SkipReason.ANOTHER_GAME, "more than one board")
        dealt = read_cards(cards, len(cards) // 2)
        whole = dealt if len(dealt) == size else (*self.board, *dealt)
        if len(whole) != size or set(whole[:seen]) != set(self.board):
            raise BadHand(SkipReason.WRONG_BOARD, f"{cards[:40]!r} does not continue the board")
        self.board = (*self.board, *[card for card in whole if card not in self.board])
        if len(self.board) != size:
            raise BadHand(SkipReason.DUPLICATE_CARD, f"{cards[:40]!r} with a card of the board")
        self.actions.append(STREET_DEALT)

    def show(self, name: str, cards: str, *, mucked: bool = False) -> None:
        """Take a player's two cards. Raises `BadHand` for other cards than before."""
        player = self.player(name)
        player.dealt_in = True
        player.mucked |= mucked
        player.hole = after_showing(player.hole, read_hole(cards), f"seat {player.number}")
