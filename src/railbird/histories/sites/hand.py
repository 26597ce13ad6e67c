"""What the text of a site says of one hand, before anybody asks whether it can be."""

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
    """What a player does, and how its amount is to be understood."""

    FOLD = "folds"
    CHECK = "checks"
    CALL = "calls"
    """For what the player puts in now; no amount if the text gives none."""
    RAISE_TO = "raises to"
    """To the street's total. A bet is a raise of nothing."""
    RAISE_BY = "raises by"
    """By so much above the bet that is to be called."""
    RAISE_PAYING = "raises with"
    """For what the player puts in now."""
    ALL_IN = "is all-in with"
    """For what the player puts in now: a call, a bet or a raise."""


class Post(Enum):
    """What is posted; the values are the words of `railbird.histories.pokerstars.rules`."""

    ANTE = "the ante"
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    BOTH_BLINDS = "small & big blinds"
    """What is above a big blind is dead."""
    DEAD_BLIND = "dead blind"
    EXTRA_BLIND = "extra blind"
    """Live, by somebody who is not in the blinds."""
    STRADDLE = "straddle"


class TextAction(NamedTuple):
    """What a player did; without a name, that a street was dealt."""

    name: str
    verb: Verb
    amount: int | None = None


STREET_DEALT: Final = TextAction("", Verb.CHECK)


class TextPost(NamedTuple):
    """What a player posted."""

    name: str
    kind: Post
    amount: int
    all_in: bool = False


@dataclass(slots=True)
class SitePlayer:
    """A seat of the table. Amounts here and below are in units of `money.UNIT`."""

    number: int
    """The table's own number of the seat."""
    stack: int
    hole: Hole = UNKNOWN
    dealt_in: bool = False
    """Whether anything shows that the player was in the hand: a post, an action, cards."""
    mucked: bool = False
    """Whether the cards were thrown away in the showdown, so that they may win no pot."""
    away: bool = False
    """Whether a player who has posted leaves, and so folds when the turn comes."""
    won: int = 0
    returned: int = 0
    """What nobody called, if the text says so."""
    said_to_win: int | None = None
    """What a summary says was won."""


@dataclass(slots=True)
class SiteHand:
    """One hand as its text tells it."""

    number: int | None
    betting: Betting
    currency: str = ""
    """The sign; empty for chips that are no money."""
    stakes: tuple[int, int] | None = None
    """Blinds, or in limit the small and the big bet; None if the text does not say them."""
    cap: int | None = None
    """The most that anyone can lose in the hand."""
    tournament: bool = False
    """Whether no rake can be taken from a pot."""
    table: str = ""
    played_at: datetime | None = None
    scale: int | None = None
    """Chips to a coin, or more if the amounts need it; None for cents, or chips as such."""
    dot_groups: bool = False
    """Whether amounts are written as 2.000,50."""
    ranks: Mapping[str, str] = field(default_factory=lambda: _TEN)
    """Ranks that are written otherwise than here."""
    button: int = 0
    players: dict[str, SitePlayer] = field(default_factory=dict)
    posts: list[TextPost] = field(default_factory=list)
    actions: list[TextAction] = field(default_factory=list)
    board: tuple[Card, ...] = ()
    rake: int | None = None
    """What the text says that the house took; None if it does not."""
    total: int | None = None
    """The pot as the text gives it; None if it does not, or rounds it."""
    holes_dealt: bool = False
    in_summary: bool = False

    def amount(self, text: str) -> int:
        """Read an amount in the hand's way of writing them. Raises `BadHand`."""
        return read_amount(text, dot_groups=self.dot_groups)

    def cards(self, text: str) -> str:
        """Return cards as two characters each: ``[ 10h, 9c ]`` is ``Th9c``."""
        cards = [card for card in _BETWEEN_CARDS.split(text) if card]
        return "".join([self.ranks.get(card[:-1], card[:-1]) + card[-1] for card in cards])

    def player(self, name: str) -> SitePlayer:
        """Return a player by name. Raises `BadHand` for somebody who has no seat."""
        found = self.players.get(name)
        if found is None:
            raise BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} plays without a seat and a stack")
        return found

    def take_seat(self, name: str, number: int, stack: int) -> None:
        """Add a player. Raises `BadHand` if the name or the seat is taken."""
        if name in self.players or any(p.number == number for p in self.players.values()):
            raise BadHand(SkipReason.SAME_NAME, f"seat {number} or {name[:40]!r} twice")
        self.players[name] = SitePlayer(number, stack)

    def post(self, name: str, kind: Post, amount: int, *, all_in: bool = False) -> None:
        """Add what somebody posts; nothing is no post."""
        if amount:
            self.player(name).dealt_in = True
            self.posts.append(TextPost(name, kind, amount, all_in))

    def act(self, name: str, verb: Verb, amount: int | None = None) -> None:
        """Add what somebody does."""
        self.player(name).dealt_in = True
        self.actions.append(TextAction(name, verb, amount))

    def deal(self, cards: str, size: int) -> None:
        """Deal a street: its cards, or the whole board; ``size`` is the board's. Raises `BadHand`.

        Cards are two characters each. A street that comes twice is a board that was run twice.
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
        """Take somebody's two cards. Raises `BadHand` for other cards than before."""
        player = self.player(name)
        player.dealt_in = True
        player.mucked |= mucked
        player.hole = after_showing(player.hole, read_hole(cards), f"seat {player.number}")
