"""First line of a PokerStars hand: its game, stakes and time."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from railbird.cards import HOLDEM, Variant
from railbird.errors import BadInput
from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import AMOUNT as MONEY
from railbird.histories.sites.money import (
    ANY_AMOUNT,
    LETTERS,
    Notation,
    check_stakes,
    currency_in,
)
from railbird.histories.sites.other_games import named_game, refused_game
from railbird.histories.text_values import (
    NUMBER,
    HandNumber,
    hand_number,
    in_zone,
    is_new_york_summer,
    local_time,
)
from railbird.units import Chips

# Header of a PokerStars hand (game, stakes, time, table), and its amounts of money.


_KEPT: Final = 1 << 14
NO_TABLE: Final = "Unnamed"
"""Written where hands have no table, for every table of the site has a name."""
BETTINGS: Final = {
    "Fixed Limit": Betting.LIMIT,
    "Limit": Betting.LIMIT,
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
}
TOURNAMENT: Final = "Tournament #"
"""Mark of a tournament in the first line of its hands."""
HEADER: Final = re.compile(
    r"(?:PokerStars (?:Zoom |Home Game )?|Full Tilt (?:Rush )?"
    r"|Run It Once Poker |PokerBros |PokerMaster )(?:Game|Hand)"
    rf" #({NUMBER}):\s+(.+)",
    re.IGNORECASE,
)
"""First line of a hand, in which the rooms differ that write the rest as PokerStars does.

From 2016 on the hands of Full Tilt Poker were dealt and written by PokerStars.
"""
_SITES: Final = {
    "Full Tilt": "Full Tilt Poker",
    "Run It Once": "Run It Once",
    "PokerBros": "PokerBros",
    "PokerMaster": "PokerMaster",
}
"""The rooms by how their first lines begin."""
_ANY_TIME: Final = re.compile(
    r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2}) (?:- )?([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2}))?"
)
_TIMES: Final = tuple(
    (re.compile(rf"{_ANY_TIME.pattern} \(?{zone}\b"), zone) for zone in ("ET", "UTC")
)
"""Zones that are read, in the order of preference where a line has its time in several."""
_LIMITS: Final = "No Limit|Pot Limit|Fixed Limit|Limit"
_BETTING: Final = re.compile(
    rf"(?:({_LIMITS})\s+)?(?:Texas\s+)?Hold'em(?:\s+({_LIMITS})\b)?", re.IGNORECASE
)
"""Pattern of the game; converters write the betting before its name."""
_OTHER_GAME: Final = re.compile(
    r"((?:[56] Card )?(?:Omaha|Courchevel)(?: Hi/Lo)?|7 Card Stud(?: Hi/Lo)?|Razz|Badugi"
    rf"|5 Card Draw|(?:Single|Triple) Draw 2-7 Lowball|Split Hold'em) +({_LIMITS})\b",
    re.IGNORECASE,
)
_ENTRY: Final = (
    rf"(?:[A-Z]{{0,2}}[^\w\s+#-]|[A-Z]{{3}}|{LETTERS})?[0-9](?:[0-9.,]*[0-9])?(?: ?{LETTERS})?"
)
_ENTRIES: Final = rf"{_ENTRY}(?:\+{_ENTRY})*"
"""Parts of a buy-in: ``$5+$0.50``, ``T$5+T$0.50``, ``80`` of points."""
_PLAIN: Final = re.compile(
    rf"(?:\S+ )?(?:[A-Z]{{3}}|{LETTERS}|StarsCoin|Freeroll|\S*[,:}})-]|{_ENTRIES}[A-Z]{{0,3}})"
    rf"|{_ENTRIES} [A-Z]{{2}}"
)
"""Last two words before the game's name that leave it plain, such as the end of a buy-in.

All others name another game: Split, Swap, 6+, and what comes next.
"""
_GAMES: Final = (
    r"(?:Split|Swap|Showtime|Unfold|Tempest|Fusion|Crazy|Irish|Super|Royal|Double|Pineapple|[0-9]\+"
    r"|Card|Deck|Board|Burst|Flop|Limit|Hi/?Lo|Side|Short|Bomb)"
)
_OTHER_GAMES: Final = re.compile(rf"{_GAMES}$", re.IGNORECASE)
"""Last words before "Hold'em" that no title of a tournament should end with."""
_GAME_AFTER: Final = re.compile(rf"\W*{_GAMES}(?!\w)", re.IGNORECASE)
_AFTER: Final = re.compile(r" *(?:[(,)]| - )")
"""What follows the game's name and its betting: a word there names another game, as before it."""
_STAKES: Final = re.compile(rf"[(,] ?{MONEY}/{MONEY}([^()]*)\)", re.IGNORECASE)
"""Pattern of the stakes, in parentheses, or after a comma where the parentheses enclose the game of
a mix."""
_AFTER_STAKES: Final = re.compile(
    rf"(?:/{ANY_AMOUNT})?(?: - {MONEY} Cap)?"
    rf"(?:[ ,-]+(?:[mµ]?[A-Z]{{3}}|Ante:? {ANY_AMOUNT})){{0,3}} ?",
    re.IGNORECASE,
)
"""All that may follow them: a third amount, a cap, a currency, an ante."""
_OF_TOURNAMENT: Final = re.compile(r"tournament #|[0-9]\+|\blevel ?[0-9ivxl]", re.IGNORECASE)
"""Marks of a tournament, which has several: one that is garbled does not make its chips money."""
PLAY_MONEY: Final = "(Play Money)"
"""Mark of play money in the line of the table."""
TABLE: Final = re.compile(r"Table (?:ID )?'(.*)'[^']*?(?: Seat #([0-9]{1,3}) is the button)?")


class GameLine(NamedTuple):
    """Game and stakes."""

    betting: Betting
    stakes: tuple[Chips, Chips]
    """Small and big bet in limit, otherwise the blinds."""
    cap: Chips | None
    """Most that a player can lose in the hand."""
    currency: str
    notation: Notation
    """How amounts are written: money is counted in cents."""
    tournament: bool
    variant: Variant


class Head(NamedTuple):
    """First line of a hand."""

    number: HandNumber
    game: GameLine
    played_at: datetime | None


def site_in(line: str) -> str:
    """Return whose hand a first line begins.

    >>> site_in("Run It Once Poker Hand #7: Hold'em No Limit"), site_in("Full Tilt Rush Hand #7:")
    ('Run It Once', 'Full Tilt Poker')
    """
    return next((name for begins, name in _SITES.items() if line.startswith(begins)), "")


def scale_of(currency: str) -> int:
    """Return the chips per unit of a currency; "" stands for tournament or play chips."""
    return 100 if currency else 1


def read_head(line: str) -> Head:
    """Read the first line. Raises `BadHand`."""
    header = HEADER.fullmatch(line)
    if header is None:
        raise BadHand(SkipReason.UNREADABLE, f"no hand: {line[:60]!r}")
    number, text = header.groups()
    what, _, when = text.rpartition(" - ")  # games repeat and are cached, times do not repeat
    game, end = _game_in(what or text)
    return Head(hand_number(number), game, read_time(f"{what[end:]} {when}"))


@lru_cache(_KEPT)
def _game_in(text: str) -> tuple[GameLine, int]:
    """Return the game in a first line, and where its text ends. Raises `BadHand`."""
    variant, limit, ends = _variant_in(text)
    stakes_said = list(_STAKES.finditer(text, ends))
    if not stakes_said:
        if variant is HOLDEM:
            raise BadHand(SkipReason.UNREADABLE, f"no stakes: {text[:60]!r}")
        raise refused_game(text)
    *amounts, after = stakes_said[-1].groups()
    after_stakes = _AFTER_STAKES.fullmatch(after)
    if after_stakes is None:
        raise BadHand(SkipReason.UNREADABLE, f"stakes {stakes_said[-1][0][:60]!r}")
    cap = after_stakes[1]
    currency = currency_in(stakes_said[-1][0].partition(" - ")[0])
    # These texts have no more than two decimals: a dot before three digits separates thousands.
    scale = scale_of(currency)
    notation = Notation(scale, dot_groups=True, finest=scale)
    small, big = map(notation.chips, amounts)
    check_stakes(small, big, stakes_said[-1][0])
    betting = BETTINGS[limit.title()]
    if variant.has_bring_in and betting is not Betting.LIMIT:
        raise refused_game(text)
    game = GameLine(
        betting=betting,
        stakes=(small, big),
        cap=notation.chips(cap) if cap else None,
        currency=currency,
        notation=notation,
        tournament=is_of_tournament(text),
        variant=variant,
    )
    return game, stakes_said[-1].end()


def _variant_in(text: str) -> tuple[Variant, str, int]:
    """Return the game, its betting, and where both end in the text. Raises `BadHand`."""
    for match in _BETTING.finditer(text):  # "Mixed Hold'em (Hold'em Limit)" names two
        limits = [*filter(None, match.groups())]
        if limits and len(limits) == 1 and _is_whole_name(text, match):
            return HOLDEM, limits[0], match.end()
        if limits:
            break
    for match in _OTHER_GAME.finditer(text):
        variant = named_game(match[1])
        if variant is not None and _is_whole_name(text, match):
            return variant, match[2], match.end()
    raise refused_game(text)


def _is_whole_name(text: str, game: re.Match[str]) -> bool:
    """Return whether no word before the game's name or behind it makes it another game."""
    return is_plain(text[: game.start()]) and _AFTER.match(text, game.end()) is not None


def is_of_tournament(game: str) -> bool:
    """Return whether the text of a hand's game is of a tournament.

    >>> [is_of_tournament(text) for text in ("Hold'em No Limit ($1/$2)", "Trnament #7, $5+$0.50 X")]
    [False, True]
    """
    return _OF_TOURNAMENT.search(game) is not None


def is_plain(prefix: str) -> bool:
    """Return whether "Hold'em" after this text is plain hold'em, and no game named after it.

    >>> [is_plain(text) for text in ("", "Tournament #7, $5+$0.50 USD ", "HORSE (", "Split ", "6+")]
    [True, True, True, False, False]
    >>> [is_plain(text) for text in ("#7, 300 SC ", "#7, T$5+T$0.50 ", "#7, 2500 PM ", "#7, XL ")]
    [True, True, True, False]
    """
    if prefix == "" or prefix[-1] == "(":
        return True
    last = " ".join(prefix.split()[-2:])
    return not last or (prefix[-1].isspace() and _PLAIN.fullmatch(last) is not None)


def is_another_game(after: str) -> bool:
    """Return whether words after "Hold'em" and its betting name another game.

    >>> [is_another_game(text) for text in (" 6+ ($1)", " Double Board", " - Level 2", " ($1)")]
    [True, True, False, False]
    """
    return _GAME_AFTER.match(after) is not None


def is_title(before: str) -> bool:
    """Return whether words before "Hold'em" may end a tournament's title and name no other game."""
    return before[-1:].isspace() and not _OTHER_GAMES.search(before.rstrip())


def money_text(chips: Fraction | int, currency: str) -> str:
    """Write an amount: ``$5``, ``$0.50``, ``1500``.

    Raises `railbird.errors.BadInput` for fractions of a chip.
    """
    if chips != int(chips):
        raise BadInput(f"{chips} chips; allowed: whole ones")
    units, cents = divmod(int(chips), scale_of(currency))
    return f"{currency}{units}.{cents:02}" if cents else f"{currency}{units}"


def time_text(moment: datetime) -> str:
    """Write a time as the site does, in New York time; unchanged if it has no zone."""
    if moment.tzinfo is None:
        return f"{moment:%Y/%m/%d} {moment.hour}:{moment:%M:%S}"
    standard = moment.astimezone(timezone(timedelta(hours=-5)))
    local = standard.replace(tzinfo=None)
    if is_new_york_summer(local):
        local += timedelta(hours=1)
    return f"{local:%Y/%m/%d} {local.hour}:{local:%M:%S} ET"


def read_time(text: str) -> datetime | None:
    """Return the time in ET or UTC if the text has one; other zones are ignored."""
    for pattern, zone in _TIMES:
        if match := pattern.search(text):
            moment = _moment(match)
            return None if moment is None else in_zone(moment, zone)
    match = _ANY_TIME.search(text)
    return None if match is None else _moment(match)


def _moment(match: re.Match[str]) -> datetime | None:
    year, month, day, *clock = [int(part or 0) for part in match.groups()]
    hour, minute, second = clock
    return local_time(year, month, day, hour, minute, second)
