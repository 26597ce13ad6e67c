"""Games other than hold'em that sites' texts name, and the refusal of a hand of one.

Sites write one game in many ways, such as "Omaha Pot Limit", "PLO", "GAME_OMA" and "Omaha PL". A
refusal says it in one.
"""

from __future__ import annotations

import re
from typing import Final

from railbird.histories.record import BadHand, SkipReason

_LIMITS: Final = (
    ("no-limit", r"no[ _-]?limit|\bNL"),
    ("pot-limit", r"pot[ _-]?limit|\bPL"),
    ("limit", r"limit|\bFL|\bnormal"),
)
_HI_LO: Final = r"hi[ /_-]*low?|\bh/?l\b|OMAHL|omahaHL|omaha8|\bPLO8"
_GAMES: Final = (
    ("Courchevel", "courchevel"),
    ("five-card Omaha hi-lo", r"\bbig o\b"),
    ("Omaha", r"omaha|GAME_OMA|\bPLO"),
    ("razz", "razz"),
    ("seven-card stud", "stud"),
    ("badugi", "badugi"),
    ("short-deck hold'em", r"short[ -]?deck|six[ -]plus|(?<!\S)6\+"),
    ("deuce-to-seven triple draw", r"(?:2-7|deuce).*triple|triple.*(?:2-7|deuce)"),
    ("deuce-to-seven single draw", "2-7|deuce"),
    ("five-card draw", r"5[ -]card draw"),
)
"""The words for a game, and its pattern; the first that fits."""
_CARDS: Final = re.compile(r"([5-7])[ -]?card|(?:omaha|PLO)[ -]?([5-7])\b", re.IGNORECASE)
_NUMBERS: Final = {"5": "five", "6": "six", "7": "seven"}


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
    game = next((words for words, pattern in _GAMES if _has(pattern, named)), "")
    if game == "Omaha":
        cards = _CARDS.search(text)
        game = f"{_NUMBERS[cards[1] or cards[2]]}-card Omaha" if cards else game
    if game and "hi-lo" not in game and _has(_HI_LO, named):
        game += " hi-lo"
    betting = next((words for words, pattern in _LIMITS if _has(pattern, named)), "")
    words = (betting, game) if game else (betting and f"{betting},", repr(text.strip()[:60]))
    return BadHand(SkipReason.ANOTHER_GAME, " ".join(filter(None, words)))


def _has(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
