"""Variants of poker as data: what is dealt on each street, and which hands share the pot.

Nothing else in this package knows a variant by its name. Who deals, bets or evaluates reads a
variant's streets and shares, so a further variant is a further entry of `VARIANTS`. Two codes say
which variant a record is of: PHH's (Kim 2023, arXiv 2312.11753) without its first letter, which is
the betting limit, for the eleven variants that the format has; letters of our own for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Any, Final, TypeAlias

from railbird.cards.card import DECK, Card
from railbird.errors import BadInput, unknown_name, wrong_value


class HandRanking(Enum):
    """An order of hands."""

    HIGH = "high"
    SHORT_DECK = "short deck"
    """Of 36 cards: a flush beats a full house, and A6789 is the lowest straight."""
    SHORT_DECK_TRIPS = "short deck, trips beat a straight"
    """The same, but three of a kind beats a straight."""
    ACE_TO_FIVE = "ace to five"
    """Low: aces are low; straights and flushes do not count; the best hand is 5432A."""
    DEUCE_TO_SEVEN = "deuce to seven"
    """Low: aces are high; straights and flushes count; the best hand is 75432 of several suits."""
    BADUGI = "badugi"
    """Low: up to four cards of different ranks and suits; more cards first, then lower ones."""


class Opener(Enum):
    """How the first to act on a street is determined."""

    SEAT = "seat"
    """By the button."""
    LOW_CARD = "low card"
    """The lowest up card brings it in; suits break ties, clubs lowest."""
    HIGH_CARD = "high card"
    """The highest up card brings it in; aces are low, and suits break ties, spades highest."""
    HIGH_BOARD = "high board"
    """The best hand of up cards: four, three, two pairs, a pair; of two alike the first seat."""
    LOW_BOARD = "low board"
    """The best low hand of up cards, in which pairs are bad and aces low; as before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetDeal:
    """What is dealt on one street, in this order, and its betting."""

    discard: int = 0
    """Cards that every player first has to throw away."""
    down: int = 0
    """Cards to each player that only he sees."""
    up: int = 0
    """Cards to each player that everybody sees."""
    board: int = 0
    """Cards to each board."""
    draw: int = 0
    """Most cards that a player may exchange."""
    opener: Opener = Opener.SEAT
    bet: int = 1
    """Bet of a fixed limit, in small bets."""
    pair_doubles: bool = False
    """Whether somebody's pair of up cards allows the next street's bet, too, in fixed limit."""


@dataclass(frozen=True, slots=True)
class PotShare:
    """A part of the pot, and the hands that compete for it."""

    ranking: HandRanking
    use: int | None = None
    """Number of own cards in a hand, the rest being from the board; None for any number."""
    qualifier: int | None = None
    """Highest rank in a low hand that can win: 8 for eight or better."""

    @property
    def name(self) -> str:
        """The share's name among those of one variant: high or low."""
        high = (HandRanking.HIGH, HandRanking.SHORT_DECK, HandRanking.SHORT_DECK_TRIPS)
        return "high" if self.ranking in high else "low"


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of poker, whatever its betting limit."""

    name: str
    code: str
    deck: tuple[Card, ...]
    streets: tuple[StreetDeal, ...]
    shares: tuple[PotShare, ...]
    """Equal parts of the pot of each board; the first also gets the part that nobody wins."""
    boards: int = 1
    """Boards that each have an equal part of the pot; their number is irrelevant without boards."""
    street_names: tuple[str, ...] = ("preflop", "flop", "turn", "river")
    betting: str = "no-limit"
    """The structure by which it is customarily played: a value of `railbird.game.Betting`."""
    setting_of: str = ""
    """The name of the variant whose hands also count as its own, as only one rule differs."""
    title: str = ""
    """What people call it, as it follows the betting in a sentence; the name if none is given."""

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name)

    def __hash__(self) -> int:
        return hash(self.name)  # the rest takes a hundred times as long, and rarely differs alone

    def __reduce__(self) -> Any:
        """Pickle a variant of `VARIANTS` as its name, so that there is one object of it."""
        if VARIANTS.get(self.name) is self:
            return variant_from, (self.name,)
        values = (getattr(self, field.name) for field in fields(self))
        return type(self), tuple(values)

    @property
    def counted_as(self) -> Variant:
        """The variant among whose hands its own count: itself, or that of which it is a setting."""
        return VARIANTS[self.setting_of] if self.setting_of else self

    @property
    def hand_size(self) -> int:
        """Cards that a player holds at showdown."""
        return sum(street.down + street.up - street.discard for street in self.streets)

    @property
    def board_sizes(self) -> tuple[int, ...]:
        """Cards on each board after each street."""
        sizes = [0]
        for street in self.streets:
            sizes.append(sizes[-1] + street.board)
        return tuple(sizes[1:])

    def row_length(self, seats: int) -> int:
        """Return the length of a row: the cards of each seat, then those of each board.

        If the deck has fewer, or if cards are exchanged, it is the whole deck, of which cards are
        dealt as they are needed.
        """
        return len(self.deck) if self.is_row_of_deck(seats) else self._cards(seats)

    def is_row_of_deck(self, seats: int) -> bool:
        """Return whether a row is the whole deck, in which no seat's cards have a place."""
        return self.draws or self.may_run_out(seats)

    def may_run_out(self, seats: int) -> bool:
        """Return whether the deck has too few cards even if none is exchanged and nobody folds."""
        return self._cards(seats) > len(self.deck)

    def _cards(self, seats: int) -> int:
        return seats * self.dealt_size + self.boards * self.board_sizes[-1]

    @property
    def has_bring_in(self) -> bool:
        """Whether a card decides who has to open the first street."""
        return self.streets[0].opener is not Opener.SEAT

    @property
    def draws(self) -> bool:
        """Whether cards are exchanged."""
        return any(street.draw for street in self.streets)

    @property
    def most_cards(self) -> int:
        """Most cards that a player is dealt, those included that he exchanges."""
        return self.dealt_size + sum(street.draw for street in self.streets)

    @property
    def dealt_size(self) -> int:
        """Cards that a player is dealt, without those that he exchanges."""
        return self.hand_size + self.discards

    @property
    def discards(self) -> int:
        """Cards that every player has to throw away."""
        return sum(street.discard for street in self.streets)

    @property
    def throws_away(self) -> bool:
        """Whether players choose cards to throw away, exchanged or not."""
        return self.draws or self.discards > 0

    @property
    def undiscarded(self) -> Variant:
        """The variant in which the cards that have to go are kept, and as many used as are left.

        Of Irish it is Omaha, but for its name.
        """
        streets = tuple(replace(street, discard=0) for street in self.streets)
        shares = tuple(replace(share, use=self.hand_size) for share in self.shares)
        return replace(self, streets=streets, shares=shares) if self.discards else self

    @property
    def most_seats(self) -> int:
        """Players whom the deck serves to the end without a card exchanged.

        If the last street deals to the seats and too few cards are left, it deals one to all.
        """
        cards, last = self.dealt_size, self.streets[-1]
        own = last.down + last.up
        # The last street's own cards are set aside once and not for each seat, since one card for
        # all may take their place.
        left = len(self.deck) - self.boards * self.board_sizes[-1] - own
        return left // (cards - own)

    @property
    def most_players(self) -> int:
        """The same, ten at most."""
        return min(MOST_PLAYERS, self.most_seats)


MOST_PLAYERS: Final = 10
"""Players of one hand, in any variant."""

SHORT_DECK_CARDS: Final = DECK[16:]
"""Sixes and higher."""

_HIGH = PotShare(HandRanking.HIGH)
_TWO_HIGH = PotShare(HandRanking.HIGH, use=2)
_TWO_LOW = PotShare(HandRanking.ACE_TO_FIVE, use=2, qualifier=8)
_EIGHT = PotShare(HandRanking.ACE_TO_FIVE, qualifier=8)


def _flop_streets(holes: int, *, discard: int = 0) -> tuple[StreetDeal, ...]:
    return (
        StreetDeal(down=holes),
        StreetDeal(board=3),
        StreetDeal(discard=discard, board=1, bet=2),
        StreetDeal(board=1, bet=2),
    )


_COURCHEVEL = (
    StreetDeal(down=5, board=1),
    StreetDeal(board=2),
    StreetDeal(board=1, bet=2),
    StreetDeal(board=1, bet=2),
)


def _stud_streets(bring_in: Opener, board: Opener) -> tuple[StreetDeal, ...]:
    return (
        StreetDeal(down=2, up=1, opener=bring_in),
        StreetDeal(up=1, opener=board),
        StreetDeal(up=1, opener=board, bet=2),
        StreetDeal(up=1, opener=board, bet=2),
        StreetDeal(down=1, opener=board, bet=2),
    )


_STUD_NAMES = ("third street", "fourth street", "fifth street", "sixth street", "seventh street")
_STUD = _stud_streets(Opener.LOW_CARD, Opener.HIGH_BOARD)
_STUD_OPEN_PAIR = (_STUD[0], replace(_STUD[1], pair_doubles=True), *_STUD[2:])
_RAZZ = _stud_streets(Opener.HIGH_CARD, Opener.LOW_BOARD)


def _draw_streets(cards: int, draws: int) -> tuple[StreetDeal, ...]:
    """Deal some cards, then draw; of three draws the last two are followed by big bets."""
    first_big = 1 if draws == 1 else 2
    streets = (StreetDeal(draw=cards, bet=1 + (draw >= first_big)) for draw in range(1, draws + 1))
    return StreetDeal(down=cards), *streets


def _draw_game(
    name: str,
    code: str,
    ranking: HandRanking,
    *,
    draws: int,
    cards: int = 5,
    betting: str = "limit",
    title: str = "",
) -> Variant:
    return Variant(
        name,
        code,
        DECK,
        _draw_streets(cards, draws),
        (PotShare(ranking),),
        street_names=_ONE_DRAW if draws == 1 else _THREE_DRAWS,
        betting=betting,
        title=title,
    )


def _pot_limit(
    name: str, code: str, title: str, streets: tuple[StreetDeal, ...], shares: tuple[PotShare, ...]
) -> Variant:
    return Variant(name, code, DECK, streets, shares, betting="pot-limit", title=title)


def _stud(
    name: str, code: str, title: str, streets: tuple[StreetDeal, ...], shares: tuple[PotShare, ...]
) -> Variant:
    return Variant(
        name, code, DECK, streets, shares, street_names=_STUD_NAMES, betting="limit", title=title
    )


_ONE_DRAW = ("deal", "draw")
_THREE_DRAWS = ("deal", "first draw", "second draw", "third draw")


HOLDEM: Final = Variant("holdem", "T", DECK, _flop_streets(2), (_HIGH,), title="hold'em")
OMAHA: Final = _pot_limit("omaha", "O", "Omaha", _flop_streets(4), (_TWO_HIGH,))
_SHORT_DECK = Variant(
    "short-deck",
    "S",
    SHORT_DECK_CARDS,
    _flop_streets(2),
    (PotShare(HandRanking.SHORT_DECK),),
    title="short-deck hold'em",
)
_STUD_HIGH = _stud("stud", "7S", "seven-card stud", _STUD, (_HIGH,))
_BOTH = (_TWO_HIGH, _TWO_LOW)
_LOWBALL = HandRanking.DEUCE_TO_SEVEN

_ALL: Final = (
    HOLDEM,
    replace(
        HOLDEM,
        name="double-board-holdem",
        code="T2",
        boards=2,
        title="double-board hold'em",
    ),
    _SHORT_DECK,
    replace(
        _SHORT_DECK,
        name="short-deck-trips",
        code="ST",
        shares=(PotShare(HandRanking.SHORT_DECK_TRIPS),),
        title="short-deck hold'em (trips)",
    ),
    OMAHA,
    _pot_limit("omaha-hilo", "O/8", "Omaha hi-lo", _flop_streets(4), _BOTH),
    _pot_limit("omaha5", "O5", "five-card Omaha", _flop_streets(5), (_TWO_HIGH,)),
    _pot_limit("omaha5-hilo", "O5/8", "five-card Omaha hi-lo", _flop_streets(5), _BOTH),
    _pot_limit("omaha6", "O6", "six-card Omaha", _flop_streets(6), (_TWO_HIGH,)),
    _pot_limit("omaha6-hilo", "O6/8", "six-card Omaha hi-lo", _flop_streets(6), _BOTH),
    replace(OMAHA, name="double-board-omaha", code="O2", boards=2, title="double-board Omaha"),
    _pot_limit("courchevel", "C", "Courchevel", _COURCHEVEL, (_TWO_HIGH,)),
    _pot_limit("courchevel-hilo", "C/8", "Courchevel hi-lo", _COURCHEVEL, _BOTH),
    _pot_limit("irish", "I", "Irish", _flop_streets(4, discard=2), (_HIGH,)),
    _STUD_HIGH,
    replace(
        _STUD_HIGH,
        name="stud-open-pair",
        code="7SP",
        streets=_STUD_OPEN_PAIR,
        setting_of="stud",
        title="seven-card stud (open pair)",
    ),
    _stud("stud-hilo", "7S/8", "seven-card stud hi-lo", _STUD, (_HIGH, _EIGHT)),
    _stud("razz", "R", "razz", _RAZZ, (PotShare(HandRanking.ACE_TO_FIVE),)),
    _draw_game("five-card-draw", "5D", HandRanking.HIGH, draws=1, title="five-card draw"),
    _draw_game("27-single", "2L1D", _LOWBALL, draws=1, betting="no-limit", title="2-7 single draw"),
    _draw_game("27-triple", "2L3D", _LOWBALL, draws=3, title="2-7 triple draw"),
    _draw_game("a5-triple", "A5L3D", HandRanking.ACE_TO_FIVE, draws=3, title="A-5 triple draw"),
    _draw_game("badugi", "B", HandRanking.BADUGI, draws=3, cards=4),
)

VARIANTS: Final = {variant.name: variant for variant in _ALL}
"""Variants by name."""

REFUSED: Final = {
    "drawmaha": "half a pot for a draw hand",
    "badeucey": "badugi and deuce to seven in one hand",
    "badacey": "badugi and ace to five in one hand",
    "27-razz": "stud for the worst hand of seven cards with straights and flushes",
    "telesina": "a stud of 32 to 40 cards",
}
"""Variants that are known and not supported, and what they are."""

VariantLike: TypeAlias = Variant | str
"""A variant or its name."""


def variant_from(value: VariantLike) -> Variant:
    """Return the variant of a name; case, spaces and underscores do not matter.

    Raises `railbird.errors.BadInput` for another name, with the nearest ones.

    >>> variant_from("Omaha HiLo").shares[1].qualifier
    8
    """
    if isinstance(value, Variant):
        return value
    if not isinstance(value, str):
        raise wrong_value("variant", value, "a name such as omaha")
    name = "-".join(value.lower().replace("_", " ").replace("-", " ").split())
    if name in REFUSED:
        raise BadInput(f"{name} is not supported: it is {REFUSED[name]}")
    if name not in VARIANTS:
        raise unknown_name("variant", value, VARIANTS)
    return VARIANTS[name]
