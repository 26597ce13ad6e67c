"""Games other than hold'em that sites' texts name, and the refusal of a hand of one.

Sites write one game in many ways, such as "Omaha Pot Limit", "PLO", "GAME_OMA" and "Omaha PL". A
refusal says it in one, and a reader of several games finds its rules here.
"""

from __future__ import annotations

import re
from typing import Final

from railbird.cards import VARIANTS, Variant
from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason

_LIMITS: Final = (
    ("no-limit", r"no[ _-]?limit|\bNL"),
    ("pot-limit", r"pot[ _-]?limit|\bPL"),
    ("limit", r"limit|\bFL|\bnormal"),
)
_HI_LO: Final = r"hi[ /_-]*low?|\bh/?l\b|OMAHL|omahaHL|omaha8|\bPLO8"
_TWO_BOARDS: Final = VARIANTS["double-board-holdem"].title
_GAMES: Final = (
    (_TWO_BOARDS, r"split hold['’]?-?em"),
    ("Courchevel", "courchevel"),
    ("five-card Omaha hi-lo", r"\bbig o\b"),
    ("Omaha", r"omaha|GAME_OMA|\bPLO"),
    ("2-7 razz", r"(?:2-?7|deuce).*razz"),
    ("razz", "razz"),
    ("Irish", r"\birish\b"),
    ("five-card stud", r"(?:5|five)[ -]card stud"),
    ("seven-card stud", "stud"),
    ("badugi", "badugi"),
    ("short-deck hold'em", r"short[ -]?deck|six[ -]plus|(?<!\S)6\+"),
    ("2-7 triple draw", r"(?:2-7|deuce).*triple|triple.*(?:2-7|deuce)"),
    ("2-7 single draw", "2-7|deuce"),
    ("A-5 triple draw", r"\bA-5.*triple"),
    ("five-card draw", r"5[ -]card draw"),
)
"""The title of a game, and its pattern; the first that fits."""
_CARDS: Final = re.compile(r"([5-7])[ -]?card|(?:omaha|PLO)[ -]?([5-7])\b", re.IGNORECASE)
_NUMBERS: Final = {"5": "five", "6": "six", "7": "seven"}


READ: Final = tuple(
    VARIANTS[name]
    for name in (
        "double-board-holdem",
        "omaha",
        "omaha-hilo",
        "omaha5",
        "omaha5-hilo",
        "omaha6",
        "omaha6-hilo",
        "courchevel",
        "courchevel-hilo",
        "stud",
        "stud-hilo",
        "razz",
        "five-card-draw",
        "27-single",
        "27-triple",
        "a5-triple",
        "badugi",
        "irish",
    )
)
"""The games that are read."""
_BY_TITLE: Final = {variant.title: variant for variant in READ}
_CHANGED: Final = re.compile(
    r"\b(?:double|two boards?|bomb|split|fusion|swap|drawmaha|sviten"
    r"|irish.*(?:omaha|plo)\w*|(?:omaha|plo).*irish)\b|hold['’]?-?em",
    re.IGNORECASE,
)
"""Words by which a game becomes another one, which no refusal's name says."""


def other_game(text: str, limit: str = "") -> Variant:
    """Return the game with a board that a text names. Raises `BadHand` for any other.

    >>> [other_game(text).name for text in ("OMAHA HiLo Pot Limit", "PLO-5", "Split Hold'em")]
    ['omaha-hilo', 'omaha5', 'double-board-holdem']
    """
    variant = named_game(text)
    if variant is None or not variant.board_sizes[-1]:
        raise refused_game(text, limit)
    return variant


def named_game(text: str) -> Variant | None:
    """Return the game other than hold'em that a text names; None for one that nobody reads here."""
    title = _game_in(text)
    if title != _TWO_BOARDS and _CHANGED.search(text):
        return None
    return _BY_TITLE.get(title)


def unwanted_game(variant: Variant, betting: Betting) -> BadHand:
    """Return the refusal of a hand whose game can be read and is not wanted."""
    return BadHand(SkipReason.ANOTHER_GAME, f"{betting.value} {variant.title}")


def of_hand_size(variant: Variant, cards: int) -> Variant:
    """Return the game of a hand that says less than its cards: of five, five-card Omaha.

    Raises `BadHand` for a number of cards that no such game has.
    """
    if cards <= variant.hand_size or variant.draws or variant.has_bring_in:
        return variant
    for larger in READ:
        same = (larger.shares, larger.board_sizes) == (variant.shares, variant.board_sizes)
        if same and larger.hand_size == cards:
            return larger
    raise BadHand(SkipReason.ANOTHER_GAME, f"{variant.title} with a hand of {cards} cards")


def refused_game(text: str, limit: str = "") -> BadHand:
    """Return the refusal of a hand of another game: its limit and name, else the text's words.

    ``limit`` is a text's word for the betting, where it stands apart from the game.

    >>> refused_game("5 Card Omaha Hi/Lo Pot Limit ($0.10/$0.25 USD)").detail
    'pot-limit five-card Omaha hi-lo'
    >>> refused_game("GAME_OMA", "PL").detail, refused_game("7 Card Stud", "Normal").detail
    ('pot-limit Omaha', 'limit seven-card stud')
    >>> refused_game("Guts").detail, refused_game("PL Guts").detail
    ("'Guts'", "pot-limit, 'PL Guts'")
    """
    named = f"{limit} {text}"
    game = _game_in(named)
    betting = next((words for words, pattern in _LIMITS if _has(pattern, named)), "")
    words = (betting, game) if game else (betting and f"{betting},", repr(text.strip()[:60]))
    return BadHand(SkipReason.ANOTHER_GAME, " ".join(filter(None, words)))


def _game_in(text: str) -> str:
    """Return the title of the game that a text names; empty for a game without a name."""
    game = next((title for title, pattern in _GAMES if _has(pattern, text)), "")
    if game == "Omaha":
        cards = _CARDS.search(text)
        game = f"{_NUMBERS[cards[1] or cards[2]]}-card Omaha" if cards else game
    hi_lo = game and "hi-lo" not in game and _has(_HI_LO, text)
    return f"{game} hi-lo" if hi_lo else game


def _has(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
