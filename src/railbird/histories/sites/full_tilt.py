"""Hand histories of Full Tilt Poker up to 2016: hold'em, Omaha, Irish, stud and draw.

"raises to $16" states the total of the street. Uncalled bets are stated. Texts of 2016 and later
have the form of PokerStars, whose reader reads them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from railbird.cards import HOLDEM
from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import AMOUNT, ANY_AMOUNT, Conventions, currency_in
from railbird.histories.sites.other_games import named_game, refused_game
from railbird.histories.sites.replay import PostKind, SiteHand, SitePlayer, SiteVerb
from railbird.histories.sites.text import (
    CALLS,
    CHECKS,
    FOLDS,
    STREETS,
    Acts,
    LineTable,
    SiteText,
    another_game,
    brings_in,
    button,
    dealt,
    exchanges_cards,
    posts,
    quiet,
    returned,
    shows,
    stands_pat,
    wins,
)
from railbird.histories.text_values import (
    NUMBER,
    hand_number,
    in_zone,
    local_time,
    month_number,
    read_cards,
)
from railbird.histories.variant_hands import SeatCards
from railbird.units import Chips

_FIRST: Final = re.compile(rf"Full ?Tilt ?Poker Game #({NUMBER}): (.*)")
_STAKES: Final = re.compile(
    rf"(?: - |^){AMOUNT}([KMB]?)/{AMOUNT}([KMB]?)(?: Ante {ANY_AMOUNT}[KMB]?)?(?= - |$)"
)
_GAME: Final = re.compile(
    rf"(?: - |^)(?:{AMOUNT} (?:Cap )?|CAP )?(NL|PL|FL|No Limit|Pot Limit|Limit) (.+?)(?= - |$)"
)
_BETTINGS: Final = {
    "NL": Betting.NO_LIMIT,
    "PL": Betting.POT_LIMIT,
    "FL": Betting.LIMIT,
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
    "Limit": Betting.LIMIT,
}
_THOUSANDS: Final = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9}
_PLAY_MONEY: Final = "Play Chip "
"""How the names of tables for play money begin."""
_TABLE: Final = re.compile(r"(?:(.*), )?(Table (.+?)|Match .+?)(?: \([^()]*\))?(?= - )")
_MOMENT: Final = re.compile(
    r"([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2}))? ([A-Z]+) - "
    r"(?:([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})|\w{3}, (\w+) ([0-9]{1,2}), ([0-9]{4}))"
)


def _begin(lines: Sequence[str]) -> SiteHand:
    line = lines[0]
    first = _FIRST.fullmatch(line)
    if first is None:
        raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
    number, text = first.groups()
    table = _TABLE.match(text)
    if table is None:
        raise BadHand(SkipReason.UNREADABLE, f"no table in {text[:60]!r}")
    rest = text[table.end() :]
    game = _GAME.search(rest)
    if game is None:
        raise refused_game(rest.split(" - ")[1])
    stakes = _STAKES.search(rest)
    if stakes is None:
        raise BadHand(SkipReason.UNREADABLE, f"no stakes in {text[:60]!r}")
    betting = _BETTINGS[game[2]]
    variant = HOLDEM if game[3] == "Hold'em" else named_game(game[3])
    if variant is None or (variant.has_bring_in and betting is not Betting.LIMIT):
        raise refused_game(game[3], game[2])
    tournament = table[1] is not None
    hand = SiteHand(
        number=hand_number(number),
        betting=betting,
        currency="" if tournament else currency_in(stakes[0]),
        tournament=tournament,
        variant=variant,
        table=table[3] or table[2],
        played_at=_moment(rest),
    )
    if hand.table.startswith(_PLAY_MONEY):
        hand.for_play_money()
    small, thousands, big, more = stakes.groups()
    hand.play_for(
        hand.units(small) * _THOUSANDS[thousands],
        hand.units(big) * _THOUSANDS[more],
        hand.units(game[1] or "0"),
    )
    return hand


def _moment(text: str) -> datetime | None:
    """Return the time in the player's zone; the site's own clock follows in brackets."""
    match = _MOMENT.search(text)
    if match is None:
        return None
    hour, minute, second, zone, year, month, day, name, named_day, named_year = match.groups()
    local = local_time(
        int(year or named_year),
        int(month or month_number(name) or 0),
        int(day or named_day),
        int(hour),
        int(minute),
        int(second or 0),
    )
    return None if local is None else in_zone(local, zone)


def _pot(hand: SiteHand, total: Chips, rake: Chips) -> None:
    hand.total, hand.rake = total, rake


def _throws_away(hand: SiteHand, player: SitePlayer, text: str | None = None) -> None:
    """Take the cards that have to go in Irish, the hero's by name. Raises `BadHand`."""
    count = hand.variant.discards
    cards: SeatCards = (None,) * count
    if text is not None:
        cards = read_cards("".join(hand.notation.cards(text)), count)
    player.thrown += (cards,)


SITE: Final = SiteText(
    header=re.compile(rf"Full ?Tilt ?Poker Game #{NUMBER}: "),
    begin=_begin,
    players=LineTable(
        {
            "antes {amount}{all in}": posts(PostKind.ANTE),
            "posts the small blind of {amount}{all in}": posts(PostKind.SMALL_BLIND),
            "posts the big blind of {amount}{all in}": posts(PostKind.BIG_BLIND),
            "posts a dead small blind of {amount}": posts(PostKind.DEAD_BLIND),
            "posts a straddle of {amount}{all in}": posts(PostKind.STRADDLE),
            "posts {amount}{all in}": posts(PostKind.EXTRA_BLIND),
            "folds": FOLDS,
            "checks": CHECKS,
            "calls {amount}{capped}": CALLS,
            "bets {amount}{capped}": Acts(SiteVerb.BET),
            "raises to {amount}{capped}": Acts(SiteVerb.RAISE_TO),
            "is {end} with {cards}": quiet,
            "brings in for {amount}{capped}": brings_in,
            "completes it to {amount}{capped}": Acts(SiteVerb.RAISE_TO),
            "discards{thrown}": _throws_away,
            "discards {number} card{s}{thrown}": exchanges_cards,
            "is dealt {number} card{s}": quiet,
            "stands pat{...}": stands_pat,
            "shows {cards}{...}": shows,
            "wins {...}pot{...} ({amount}){...}": wins,
            "ties for {...}pot{...} ({amount}){...}": wins,
        },
        **{
            "all in": "(, and is all in)?",
            "capped": "(?:, and is (?:all in|capped))?",
            "end": "(?:high|low)",
            "s": "s?",
            "thrown": r"(?: \[([^]]*)\])?",
        },
    ),
    others=LineTable(
        {
            "The button is in seat #{number}": button,
            "Dealt to {name} {cards}": dealt,
            "*** {any street} 1 *** {...}": another_game,
            "*** DISCARD ROUND *** {...}": quiet,
            "*** {street dealt to players} ***{...}": quiet,
            "Players agree to Run It Twice": another_game,
            "Uncalled bet of {amount} returned to {name}": returned,
        },
        **{
            "any street": "(?:FLOP|TURN|RIVER)",
            "street dealt to players": r"(?:[3-7]\w\w STREET|(?:\w+ )?DRAW)",
        },
    ),
    streets={"*** FLOPET ***": 1} | STREETS,
    stack=LineTable({"{amount}){...}": quiet}),
    summary=LineTable(
        {"Total pot{:} {amount}{pots} | Rake{:} {amount}": _pot},
        pots=r"(?: .*)?",
    ),
    conventions=Conventions(site="Full Tilt Poker", stakes_bind=True),
)
