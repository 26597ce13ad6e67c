"""The rules of a blackjack table, cards and shoes, as data and as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.errors import BadInput, ParseError, unknown_name

# The room's defaults and limits, with their reasons.


MOST_DECKS: Final = 1_000
"""Most decks, far more than at any table; infinitely many decks are a rule of their own."""

MOST_OF_A_RANK: Final = 1_000_000
"""Most cards of one rank in a shoe that is typed in."""

MOST_RESPLITS: Final = 8
"""Most re-splits. Casinos allow two or three, and each adds two evaluations to a split's value."""

PENETRATION: Final = 0.75
"""Share of a shoe that is dealt before it is shuffled; the usual cut is 4.5 of 6 decks."""

MOST_SEATS: Final = 7
"""Number of boxes at a table."""

CHUNK: Final = 1_000_000
"""Number of rounds simulated between two reports of progress."""

HIGHEST_INDEX: Final = 10
"""Largest true count for which play is computed; one shoe in a thousand goes beyond."""

LEAST_AFTER_CUT: Final = 10
"""Cards per player, dealer included, that must be left for a shoe's last round."""

SCORED_AT_ONCE: Final = 2_000
"""Number of rounds that a thread scores between two reports; a round from a partly dealt shoe takes
a millisecond."""

MOST_ROUNDS: Final = 1_000_000
"""Most rounds in a file: they take 300 MB of memory."""

MOST_WAGER: Final = 1e9
"""Largest wager in a file, in any unit."""

ROUNDS: Final = 1_000_000
"""Rounds in a simulation: an error of 0.1 % of a wager, in half a second."""

MOST_SIMULATED: Final = 10**10
"""Rounds in the longest simulation: a quarter of an hour on one core."""

MATCH_ROUNDS: Final = 20_000
"""Rounds that each player plays in a match."""

LOGGED_ROUNDS: Final = 100_000
"""Most rounds of a table written to a file: 140 MB of memory for seven seats."""


class Soft17(Enum):
    """What the dealer does on a soft 17."""

    HIT = "H17"
    STAND = "S17"


class HoleCard(Enum):
    """When the dealer gets the second card, and which bets a dealer's blackjack takes."""

    PEEK = "peek"
    """At once; under an ace or a ten it is checked for a blackjack before anybody plays."""
    NONE = "enhc"
    """After the players (European no hole card); a blackjack also takes doubled and split bets."""


class Surrender(Enum):
    """When half of the bet may be surrendered."""

    NONE = "nosur"
    LATE = "ls"
    """After the dealer's check; a blackjack takes the whole bet."""
    EARLY = "es"
    """Before the dealer checks for a blackjack."""


class Doubles(Enum):
    """Which hands of two cards may be doubled; totals are hard totals."""

    ANY = "any"
    NINE_TO_ELEVEN = "9-11"
    TEN_OR_ELEVEN = "10-11"


INFINITE: Final = 0
"""Stands for infinitely many decks: a shoe that dealt cards do not change."""

CHARLIES: Final = range(5, 12)


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules in which tables differ.

    The defaults are those of Kan (2007), section 2.4.

    >>> Rules(decks=6, surrender=Surrender.LATE).text()
    'decks=6,H17,peek,das,resplit=0,ls,bj=3:2,dbl=any'
    """

    decks: int = 4
    """Number of decks, or `INFINITE`."""
    soft_17: Soft17 = Soft17.HIT
    hole_card: HoleCard = HoleCard.PEEK
    double_after_split: bool = True
    resplits: int = 0
    """How often a pair may be split again: 2 makes up to four hands."""
    resplit_aces: bool = False
    hit_split_aces: bool = False
    """Whether split aces may be played on; otherwise each gets one card."""
    surrender: Surrender = Surrender.NONE
    doubles: Doubles = Doubles.ANY
    payout: Fraction = Fraction(3, 2)
    """What a blackjack pays, in wagers."""
    charlie: int | None = None
    """Number of cards with up to 21 points that wins at once; None if there is no such rule."""

    def __post_init__(self) -> None:
        if not 0 <= self.decks <= MOST_DECKS:
            raise BadInput(f"{self.decks} decks; allowed: 1 to {MOST_DECKS}, or inf")
        if not 0 <= self.resplits <= MOST_RESPLITS:
            raise BadInput(f"{self.resplits} re-splits; allowed: 0 to {MOST_RESPLITS}")
        if not 0 < self.payout <= 10:
            raise BadInput(f"a blackjack that pays {self.payout}; allowed: more than 0, to 10:1")
        if self.charlie is not None and self.charlie not in CHARLIES:
            raise BadInput(f"a charlie of {self.charlie} cards; allowed: 5 to 11")

    @property
    def most_hands(self) -> int:
        """The most hands that can come from one wager."""
        return 2 + self.resplits

    def text(self) -> str:
        """Write the rules for `parse_rules`, including those that are usual."""
        words = [
            f"decks={self.decks or 'inf'}",
            self.soft_17.value,
            self.hole_card.value,
            "das" if self.double_after_split else "nodas",
            f"resplit={self.resplits}",
            *(["rsa"] if self.resplit_aces else []),
            *(["hsa"] if self.hit_split_aces else []),
            *([] if self.surrender is Surrender.NONE else [self.surrender.value]),
            f"bj={self.payout.numerator}:{self.payout.denominator}",
            f"dbl={self.doubles.value}",
            *([] if self.charlie is None else [f"charlie={self.charlie}"]),
        ]
        return ",".join(words)

    @property
    def words(self) -> str:
        """The rules in words, as in the heading of a chart.

        >>> Rules(decks=1, surrender=Surrender.LATE, doubles=Doubles.TEN_OR_ELEVEN).words
        '1 deck, dealer hits soft 17, double 10-11, after splits too, late surrender, pays 3:2'
        """
        decks = {INFINITE: "infinite decks", 1: "1 deck"}.get(self.decks, f"{self.decks} decks")
        doubles = "any hand" if self.doubles is Doubles.ANY else self.doubles.value
        words = [
            decks,
            f"dealer {'hits' if self.soft_17 is Soft17.HIT else 'stands on'} soft 17",
            *([] if self.hole_card is HoleCard.PEEK else ["no hole card"]),
            f"double {doubles}",
            "after splits too" if self.double_after_split else "not after splits",
            *([f"{self.most_hands} hands by splits"] if self.resplits else []),
            *(["aces split again"] if self.resplit_aces else []),
            *(["split aces hit"] if self.hit_split_aces else []),
            *(
                []
                if self.surrender is Surrender.NONE
                else [f"{self.surrender.name.lower()} surrender"]
            ),
            f"pays {self.payout.numerator}:{self.payout.denominator}",
            *([] if self.charlie is None else [f"{self.charlie} cards win"]),
        ]
        return ", ".join(words)


_WORDS: Final[dict[str, dict[str, Any]]] = {
    "h17": {"soft_17": Soft17.HIT},
    "s17": {"soft_17": Soft17.STAND},
    "peek": {"hole_card": HoleCard.PEEK},
    "enhc": {"hole_card": HoleCard.NONE},
    "das": {"double_after_split": True},
    "nodas": {"double_after_split": False},
    "rsa": {"resplit_aces": True},
    "nrsa": {"resplit_aces": False},
    "hsa": {"hit_split_aces": True},
    "ls": {"surrender": Surrender.LATE},
    "es": {"surrender": Surrender.EARLY},
    "nosur": {"surrender": Surrender.NONE},
}


def _decks(value: str) -> dict[str, Any]:
    return {"decks": INFINITE if value == "inf" else _positive("decks", value)}


def _positive(name: str, value: str) -> int:
    number = _whole(name, value)
    if number == 0:
        raise BadInput(f"{name}=0; allowed: 1 or more")
    return number


def _whole(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 7):
        raise BadInput(f"{name}={value}; allowed: a whole number")
    return int(value)


def _payout(value: str) -> dict[str, Any]:
    match = re.fullmatch(r"(\d{1,3})(?::|to)(\d{1,3})", value, re.ASCII)
    if match is None or int(match[2]) == 0:
        raise BadInput(f"bj={value}; allowed: odds such as 3:2 or 6:5")
    return {"payout": Fraction(int(match[1]), int(match[2]))}


def _doubles(value: str) -> dict[str, Any]:
    known = {option.value: option for option in Doubles}
    if value not in known:
        raise BadInput(f"dbl={value}; allowed: {', '.join(known)}")
    return {"doubles": known[value]}


_VALUES: Final[dict[str, Callable[[str], dict[str, Any]]]] = {
    "decks": _decks,
    "resplit": lambda value: {"resplits": _whole("resplit", value)},
    "bj": _payout,
    "dbl": _doubles,
    "charlie": lambda value: {"charlie": _whole("charlie", value)},
}


@checked
def parse_rules(text: str, *, base: Rules | None = None) -> Rules:
    """Read words separated by commas or spaces, in any order and case, on top of ``base``.

    Raises `BadInput` for an unknown word, and for two that contradict each other.

    >>> parse_rules("S17, das, resplit=2, bj=6:5").text()
    'decks=4,S17,peek,das,resplit=2,bj=6:5,dbl=any'
    """
    settings: dict[str, Any] = {}
    word_of: dict[str, str] = {}
    for word in text.lower().replace(",", " ").split():
        name, equals, value = word.partition("=")
        if equals and name in _VALUES:
            read = _VALUES[name](value)
        elif word in _WORDS:
            read = _WORDS[word]
        else:
            names = [*_WORDS, *(f"{setting}=" for setting in _VALUES)]
            raise unknown_name("rule", word, names)
        # The same thing said twice is harmless; two words that contradict each other have no order
        # by which one would win.
        for field in read:
            if field in settings and settings[field] != read[field]:
                raise BadInput(f"{word_of[field]} and {word}; allowed: one of them")
            word_of[field] = word
        settings |= read
    return replace(base or Rules(), **settings)


# Cards and shoes as text: ``A27``, ``10,6``, ``A:10,2-9:10,T:55``.


RANKS: Final = "A23456789T"
"""The ranks 0 to 9 as they are written; ten, jack, queen and king are one rank."""

_TENS: Final = str.maketrans("JQK", "TTT")

Shoe = npt.NDArray[np.float64]
"""Number of unseen cards by rank (10,); whole numbers for real shoes."""


@checked
def full_shoe(rules: Rules) -> Shoe:
    """Return the full shoe; for infinitely many decks, that of one deck."""
    decks = float(rules.decks or 1)
    return np.array([4.0] * 9 + [16.0]) * decks


@checked
def parse_ranks(text: str, *, least: int = 1, most: int = 21) -> tuple[int, ...]:
    """Read ranks in either case, maybe with commas, spaces and suits. Raises `ParseError`.

    >>> parse_ranks("4,5"), parse_ranks("AsKd"), parse_ranks("10 6")
    ((3, 4), (0, 9), (9, 5))
    """
    ranks: list[int] = []
    position = 0
    while position < len(text):
        match = re.compile(r"(10|[A2-9TJQK])[cdhs♣♦♥♠]?|[\s,;-]+", re.IGNORECASE).match(
            text, position
        )
        if match is None:
            raise ParseError(
                "not a card", text=text, position=position, allowed="A, 2-9, T, J, Q, K"
            )
        if match[1]:
            ranks.append(_rank(match[1]))
        position = match.end()
    if not least <= len(ranks) <= most:
        allowed = str(least) if least == most else f"{least} to {most}"
        raise BadInput(f"{text!r}: {len(ranks)} cards; allowed: {allowed}")
    return tuple(ranks)


def _rank(text: str) -> int:
    return RANKS.index("T" if text == "10" else text.upper().translate(_TENS))


def cards_text(ranks: Iterable[int], separator: str = "") -> str:
    """Write ranks.

    >>> cards_text([0, 9, 3], ",")
    'A,T,4'
    """
    return separator.join(RANKS[rank] for rank in ranks)


@checked
def parse_shoe(text: str) -> Shoe:
    """Read counts by rank or by range of ranks; a rank that is not named has no cards.

    Raises `BadInput` for anything else, and for a rank named twice.

    >>> parse_shoe("A-9:10, T:55").tolist()
    [10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 55.0]
    """
    shoe = np.zeros(len(RANKS))
    named: set[int] = set()
    for item in re.split(r"[\s,]+", text.strip()):
        match = re.fullmatch(r"(10|[A2-9TJQK])(?:-(10|[A2-9TJQK]))?:(\d{1,7})", item, re.I | re.A)
        if match is None:
            raise BadInput(f"shoe {item!r}; allowed: ranks and counts such as A:4,2-9:4,T:16")
        first, last = _rank(match[1]), _rank(match[2] or match[1])
        ranks = range(first, last + 1)
        twice = named.intersection(ranks)
        if not ranks or twice:
            raise BadInput(f"shoe {item!r}: {'rank twice' if twice else 'no rank'}")
        if int(match[3]) > MOST_OF_A_RANK:
            raise BadInput(f"shoe {item!r}; allowed: up to {MOST_OF_A_RANK:,} cards of a rank")
        named.update(ranks)
        shoe[first : last + 1] = int(match[3])
    return shoe


def shoe_text(shoe: Sequence[float] | Shoe) -> str:
    """Write a shoe for `parse_shoe`."""
    return ",".join(f"{rank}:{count:g}" for rank, count in zip(RANKS, shoe, strict=True))


def without(shoe: Shoe, ranks: Iterable[int]) -> Shoe:
    """Return the shoe without these cards. Raises `BadInput` if it does not have them."""
    left = shoe.copy()
    for rank in ranks:
        left[rank] -= 1
        if left[rank] < 0:
            raise BadInput(f"too many cards {RANKS[rank]}; allowed: {shoe[rank]:g}, as in the shoe")
    return left


def check_shoe(shoe: Shoe, rules: Rules) -> None:
    """Raise `BadInput` for a shoe that a round could use up, since values would be meaningless.

    Also for an array that is not ten counts of 0 or more, one for each rank.
    """
    if shoe.shape != (len(RANKS),) or not bool((shoe >= 0).all()):
        raise BadInput(f"a shoe of shape {shoe.shape}; allowed: ten counts of 0 or more")
    if not rules.decks:
        return
    cards = [rank + 1 for rank, count in enumerate(shoe) for _ in range(min(int(count), 300))]
    # Without two cards of a rank nothing can be split.
    pairs = bool((shoe >= 2).any())
    needed = 0
    # The most cards that a round can take: the lowest cards, each hand drawing until it busts.
    for limit in [*[22] * (rules.most_hands if pairs else 1), 17]:
        total = 0
        while total < limit:
            total += cards[needed] if needed < len(cards) else limit
            needed += 1
    if needed > len(cards):
        raise BadInput(f"a shoe of {shoe.sum():g} cards; allowed: enough for any round")
