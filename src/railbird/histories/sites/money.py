"""Amounts and cards, such as ``$1,234.50``, ``0,02 $``, ``€5 EUR``, ``RSD61``, ``1 123 698``.

Amounts are read exactly, as whole numbers of hundred-millionths: sites that play in fractions of a
coin write up to eight decimals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips

DECIMALS: Final = 8
UNIT: Final = 10**DECIMALS
"""Units in one dollar, euro or chip."""

SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥", "BRL": "R$"}
"""Signs of currencies by code, the same for all sites."""
CODES: Final = {sign: code for code, sign in SIGNS.items()}
"""Codes of currencies by sign."""

_BLANK: Final = "[ \xa0\u202f]"
LETTERS: Final = r"(?<![^\W\d_])(?:kr|zł|Kč|SC|GC)(?![^\W\d_])"
"""Currencies that texts write in letters, sweepstake coins among them."""
_SIGN: Final = rf"(?:[$¢-¥฿₠-\u20cf＄￡￥￦]|[A-Z]{{1,2}}\$|{LETTERS})"
"""Sign of a currency; letters before a dollar make it another, as in R$ and in T$ for tickets."""
_CODE: Final = r"[A-Z]{3}"
_NUMBER: Final = (
    r"(?:[0-9]{1,15}|(?=\.[0-9]))"
    rf"(?:[.,'][0-9]{{1,15}}|Â?{_BLANK}[0-9]{{3}}(?![0-9])){{0,6}}"
)
"""Number, with groups of thousands; ``Â`` is the trace of a space that was encoded twice."""

_BEFORE: Final = rf"(?:(?:{_SIGN}|{_CODE}){_BLANK}?)?"
_AFTER: Final = rf"(?:{_BLANK}{{0,2}}(?:{_SIGN}|{_CODE}\b)){{0,2}}"

AMOUNT: Final = f"{_BEFORE}({_NUMBER}){_AFTER}"
"""Pattern for an amount with the signs of its currency; its one group is the number."""

ANY_AMOUNT: Final = f"{_BEFORE}{_NUMBER}{_AFTER}"
"""`AMOUNT` without a group."""


def amount_as(name: str) -> str:
    """Return `AMOUNT` with its group named."""
    return f"{_BEFORE}(?P<{name}>{_NUMBER}){_AFTER}"


def signed_amount_as(name: str) -> str:
    """Return `AMOUNT` as a group with the signs of its currency."""
    return f"(?P<{name}>{ANY_AMOUNT})"


_CURRENCY: Final = re.compile(rf"{_SIGN}|(?<![A-Za-z])[mµ]?{_CODE}(?![A-Za-z])")
"""Sign or code of a currency; thousandths of a coin are another."""
_PARTS: Final = re.compile(r"[^0-9]+")
_DIGITS: Final = 16
"""Maximum digits of an amount before its point."""
_KEPT: Final = 1 << 14


@lru_cache(_KEPT)
def read_amount(text: str, *, dot_groups: bool = False) -> int:
    """Return a number, as matched by `AMOUNT`, in units of `UNIT`. Raises `BadHand`.

    With ``dot_groups`` a dot before three final digits separates thousands, as a comma always does.

    >>> [read_amount(text) // 10**6 for text in ("1,234.5", "0,02", "3 023,50", "1.234,50")]
    [123450, 2, 302350, 123450]
    >>> read_amount("2.000") // UNIT, read_amount("2.000", dot_groups=True) // UNIT
    (2, 2000)
    """
    digits = _PARTS.split(text)
    marks = [mark.strip("Â \xa0\u202f") for mark in _PARTS.findall(text)]
    last = marks[-1] if marks else ""
    grouped = len(digits[-1]) == 3 and digits[0] != "0"
    repeated = marks.count(last) > 1
    divides = last in (",", ".") and not repeated
    if divides and len(marks) == 1 and grouped:
        divides = last == "." and not dot_groups
    cents = digits.pop() if divides else ""
    integer_digits = "".join(digits)
    if any(len(group) != 3 for group in digits[1:]) or len(integer_digits) > _DIGITS:
        raise BadHand(SkipReason.UNREADABLE, f"{text[:40]!r} is no amount")
    if len(cents) > DECIMALS:
        raise BadHand(SkipReason.UNREADABLE, f"{text[:40]!r}: more than {DECIMALS} decimals")
    return int(integer_digits or 0) * UNIT + int(f"{cents:0<{DECIMALS}}")


_BETWEEN_CARDS: Final = re.compile(r"[ ,\[\]]+")
_SUITS: Final = {"Kreuz": "c", "Karo": "d", "Herz": "h", "Pik": "s"}
"""Names of suits in German, which some programs write out."""


def split_card(card: str) -> tuple[str, str]:
    """Return the rank of a card as it is spelt, and its suit.

    >>> split_card("10h"), split_card("QPik")
    (('10', 'h'), ('Q', 's'))
    """
    if len(card) > 3:
        for word, suit in _SUITS.items():
            if card.endswith(word):
                return card.removesuffix(word), suit
    return card[:-1], card[-1:]


class FinerChips(BadHand):
    """An amount is of less than a chip: the hand is read in chips of which a coin has more."""

    def __init__(self, text: str, scale: int) -> None:
        super().__init__(SkipReason.UNREADABLE, f"{text} chips")
        self.scale = scale
        """Chips per coin that may do."""


class Notation(NamedTuple):
    """How a text writes amounts and cards."""

    scale: int = 0
    """Chips per coin; 0 before the stakes tell."""
    dot_groups: bool = False
    """True if amounts are written as 2.000,50."""
    finest: int = UNIT
    """Chips per coin at most."""
    ranks: tuple[tuple[str, str], ...] = (("10", "T"),)
    """Ranks by the site's spelling, where it differs."""
    two_cards: bool = True
    """Whether a hand is two cards, as in hold'em; in other games all that are shown are its."""

    def units(self, text: str) -> int:
        """Parse an amount in units of `UNIT`. Raises `BadHand`."""
        return read_amount(text, dot_groups=self.dot_groups)

    def chips(self, text: str) -> Chips:
        """Parse an amount in chips. Raises `BadHand`, and `FinerChips` for a part of one."""
        if text.isdecimal():
            return Chips(int(text) * self.scale)
        return self.chips_of(self.units(text))

    def chips_of(self, units: int) -> Chips:
        """Return the chips of an amount in units of `UNIT`. Raises `FinerChips`."""
        chips, rest = divmod(units * self.scale, UNIT)
        if rest and self.scale >= self.finest:
            raise BadHand(SkipReason.UNREADABLE, f"{units / UNIT:g}, less than a chip")
        if rest:
            raise FinerChips(f"{units / UNIT:g}", 10 * self.scale)
        return Chips(chips)

    def cards(self, text: str) -> list[str]:
        """Return cards as two characters each: ``Th`` and ``9c`` of ``[ 10h, 9c ]``."""
        ranks = dict(self.ranks)
        parts = [split_card(card) for card in _BETWEEN_CARDS.split(text) if card]
        return [ranks.get(rank, rank) + suit for rank, suit in parts]


_HOUSE: Final = (
    (r"\bcash(?:es|ed|ing)?[ -]?out\b", "a player sells the hand to the house"),
    (r"\binsur(?:e|es|ed|ance)\b", "a player insures the hand with the house"),
    (
        r"\bsplash|\bcash ?drop|\bstp added|\badd(?:s|ed)? (?:.* )?to (?:the )?pot"
        r"|\b(?:wins?|won|receive[sd]?|awarded|paid)\b.*\b(?:jackpot|bonus|fortune)\b"
        r"|\b(?:jackpot|bonus|fortune)\b.*\b(?:wins?|won|receive[sd]?)\b",
        "the house adds money to the pot",
    ),
    (r"\bpays\b.*\bbounty\b|\brabbit hunt\b.*\bpays\b", "players pay each other beside the pot"),
)
"""Words for money that passes between a player and the house outside the pot."""
_HOUSE_WORDS: Final = re.compile("cash|insur|splash|stp |add(?:s|ed) |jackpot|bonus|fortune|pays ")
"""Parts of words that all of them have, for most lines have none, and patterns take time."""
_DECLINED: Final = re.compile(
    r"\b(?:declin|refus|reject|did not\b|does not\b|doesn't|didn't|no insurance|joins\b|leaves\b)",
    re.IGNORECASE,
)


_SALE: Final = r"(?:All-?In )?(?:Cash ?[Oo]ut|Insurance)\b"
_OF_PROGRAM: Final = re.compile(
    rf"(?:Chooses(?: to)?|Receives|Pays|Buys|Takes) (?:EV )?{_SALE}|EV {_SALE}|{_SALE}.*[0-9]"
)
"""Words of a program after a player's name and a colon: capitals, with a verb or an amount."""


def is_of_program(text: str) -> bool:
    """Return whether a text after a colon, where players chat, is the program's, of a hand's sale.

    >>> is_of_program("Chooses to EV Cashout"), is_of_program("Insurance ($0.05)")
    (True, True)
    >>> is_of_program("cashed out $500"), is_of_program("Insurance is expensive")
    (False, False)
    """
    return _OF_PROGRAM.match(text) is not None


def refuse_house_money(text: str, line: str = "") -> None:
    """Refuse a line that tells of money between a player and the house outside the pot.

    Such a hand's payoffs are not those of its play, whatever the site: hands sold or insured, pots
    that the house adds to. Chat must be left out before, and the player's name, with which
    ``line`` may quote it. Raises `BadHand` with this reason.
    """
    words = text.lower()
    if not _HOUSE_WORDS.search(words) or _DECLINED.search(words):
        return
    for pattern, what in _HOUSE:
        if re.search(pattern, words):
            raise BadHand(SkipReason.ANOTHER_GAME, f"{what}: {(line or text)[:60]!r}")


def currency_in(text: str) -> str:
    """Return the sign or the code of the currency in a text, "" if there is none.

    >>> currency_in("€5 EUR"), currency_in("0.10/0.20"), currency_in("RSD1/RSD2")
    ('€', '', 'RSD')
    >>> currency_in("R$0.05/R$0.10 BRL"), currency_in("US$5"), currency_in("USD$5")
    ('R$', 'US$', '$')
    """
    signs = _CURRENCY.findall(text)
    known = [sign for sign in map(sign_of, signs) if sign in SIGNS.values()]
    return (known or signs or [""])[0]


def sign_of(code: str) -> str:
    """Return the sign of a currency by its code; the code itself if there is no sign."""
    return SIGNS.get(code, code)


def read_currency(text: str) -> str:
    """Return the sign of a currency that a text names by its sign or its code, "" for none.

    Raises `BadHand` for any other text.

    >>> [read_currency(text) for text in ("EUR", "$", "mBTC", "SEK", "")]
    ['€', '$', 'mBTC', 'SEK', '']
    """
    if text and not _CURRENCY.fullmatch(text):
        detail = f"currency {text[:40]!r}; allowed: a sign or a code, such as $ or USD"
        raise BadHand(SkipReason.UNREADABLE, detail)
    return sign_of(text)


def check_stakes(small: int, big: int, text: str) -> None:
    """Raise `BadHand` if the first of two blinds, or of two bets in limit, is the larger one."""
    if small > big:
        raise BadHand(SkipReason.UNREADABLE, f"stakes {text.strip()[:60]!r}")


# Conventions in which sites differ.


class Uncalled(Enum):
    """Treatment of an uncalled bet in the amounts stated as won."""

    INCLUDED = "included"
    EXCLUDED = "excluded"


class LateSmallBlind(Enum):
    """Treatment of a second small blind."""

    DEAD = "dead"
    LIVE = "live"


class LargerBigBlind(Enum):
    """Meaning of a second big blind that is larger than the first."""

    BOTH_BLINDS = "both blinds in one"
    STRADDLE = "straddle"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Conventions:
    """Conventions of a site."""

    uncalled: Uncalled = Uncalled.INCLUDED
    """Assumption to try first where a text does not mention uncalled bets."""
    late_small_blind: LateSmallBlind = LateSmallBlind.DEAD
    larger_big_blind: LargerBigBlind = LargerBigBlind.BOTH_BLINDS
    limit_stakes_are_blinds: bool = False
    """True if stated stakes of a limit game are its blinds, False if they are its bets."""
    stakes_bind: bool = False
    """True if a blind other than the stated one is a fault of the text."""
    site: str = ""
    """The site's name, for a text that names none."""
    complete: bool = False
    """True if the text omits nothing: who sits out, who wins, and cards that were mucked."""
