"""The rules of a blackjack table, as data and as text such as ``decks=6,S17,peek,das,ls``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any, Final

from railbird._arguments import checked
from railbird.blackjack.settings import MOST_DECKS, MOST_RESPLITS
from railbird.errors import BadInput, unknown_name


class Soft17(Enum):
    """What the dealer does with a soft 17."""

    HIT = "H17"
    STAND = "S17"


class HoleCard(Enum):
    """When the dealer takes the second card, and who pays for its being a blackjack."""

    PEEK = "peek"
    """At once; an ace or a ten is checked for a blackjack before anybody plays."""
    NONE = "enhc"
    """After the players (European no hole card): a blackjack takes doubled and split bets, too."""


class Surrender(Enum):
    """When half of the bet may be given up."""

    NONE = "nosur"
    LATE = "ls"
    """Unless the dealer has a blackjack, which takes the whole bet."""
    EARLY = "es"
    """Before the dealer checks for a blackjack."""


class Doubles(Enum):
    """Hands of two cards that may be doubled; totals are hard ones."""

    ANY = "any"
    NINE_TO_ELEVEN = "9-11"
    TEN_OR_ELEVEN = "10-11"


INFINITE: Final = 0
"""The number of decks of a shoe that no dealt card changes."""

CHARLIES: Final = range(5, 12)


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything in which tables differ.

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
    """Split aces may be played on; otherwise each gets one card."""
    surrender: Surrender = Surrender.NONE
    doubles: Doubles = Doubles.ANY
    payout: Fraction = Fraction(3, 2)
    """What a blackjack wins, in wagers."""
    charlie: int | None = None
    """Number of cards, up to 21, that wins at once; None if there is no such rule."""

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
        """The largest number of hands of one wager."""
        return 2 + self.resplits

    def text(self) -> str:
        """Write the rules as `parse_rules` reads them, the usual ones included."""
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
    found = re.fullmatch(r"(\d{1,3})(?::|to)(\d{1,3})", value, re.ASCII)
    if found is None or int(found[2]) == 0:
        raise BadInput(f"bj={value}; allowed: odds such as 3:2 or 6:5")
    return {"payout": Fraction(int(found[1]), int(found[2]))}


def _doubles(value: str) -> dict[str, Any]:
    known = {each.value: each for each in Doubles}
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


def parse_rules(text: str, *, base: Rules | None = None) -> Rules:
    """Read words separated by commas or spaces, in any order and case, on top of ``base``.

    Raises `BadInput` for an unknown word, and for two that contradict each other.

    >>> parse_rules("S17, das, resplit=2, bj=6:5").text()
    'decks=4,S17,peek,das,resplit=2,bj=6:5,dbl=any'
    """
    given: dict[str, Any] = {}
    said: dict[str, str] = {}
    for word in text.lower().replace(",", " ").split():
        name, equals, value = word.partition("=")
        if equals and name in _VALUES:
            read = _VALUES[name](value)
        elif word in _WORDS:
            read = _WORDS[word]
        else:
            names = [*_WORDS, *(f"{each}=" for each in _VALUES)]
            raise unknown_name("rule", word, names)
        for field in read:
            if field in given and given[field] != read[field]:
                raise BadInput(f"{said[field]} and {word}; allowed: one of them")
            said[field] = word
        given |= read
    return replace(base or Rules(), **given)
