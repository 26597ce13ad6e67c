"""Hand histories of Winamax: cash games, Go Fast, tournaments.

"raises 1.50€ to 2.50€" states the difference and the total. The pot and collected amounts include
an uncalled bet, and the pot is net of rake.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC
from typing import Final

from railbird.cards import HOLDEM
from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import (
    AMOUNT,
    ANY_AMOUNT,
    Conventions,
    Uncalled,
    currency_in,
)
from railbird.histories.sites.other_games import other_game
from railbird.histories.sites.replay import PostKind, SiteHand, SitePlayer, SiteVerb
from railbird.histories.sites.text import (
    CALLS,
    CHECKS,
    FOLDS,
    RAISES_BY_TO,
    STREETS,
    Acts,
    LineTable,
    SiteText,
    dealt,
    money_table,
    posts,
    quiet,
    shows,
    wins,
)
from railbird.histories.text_values import CLOCK, NUMBER, HandNumber, hand_number, local_time
from railbird.units import Chips

_FIRST: Final = re.compile(
    rf"Winamax Poker - (.*?) ?-? HandId: #({NUMBER}) - (.+?) (no|pot|fixed) limit"
    rf" \(([^()]+)\) - ([0-9]{{4}})/([0-9]{{1,2}})/([0-9]{{1,2}}) {CLOCK}(?: UTC)?"
)
_BETTINGS: Final = {
    "no": Betting.NO_LIMIT,
    "pot": Betting.POT_LIMIT,
    "fixed": Betting.LIMIT,
}
_STAKES: Final = re.compile(rf"(?:{ANY_AMOUNT}/)?{AMOUNT}/{AMOUNT}")
"""The blinds; an ante stands before them."""
_TOURNAMENT: Final = re.compile(r"Tournament|buyIn|level:")
_DIGITS: Final = 18
"""Maximum digits of a hand's number."""


def _begin(lines: Sequence[str]) -> SiteHand:
    line = lines[0]
    first = _FIRST.fullmatch(line)
    if first is None:
        raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
    what, number, game, limit, stakes, *numbers = first.groups()
    blinds = _STAKES.fullmatch(stakes)
    if blinds is None:
        raise BadHand(SkipReason.UNREADABLE, f"stakes ({stakes[:60]})")
    tournament = _TOURNAMENT.search(what) is not None
    moment = local_time(*map(int, numbers))
    hand = SiteHand(
        number=_number(number),
        betting=_BETTINGS[limit],
        currency="" if tournament else currency_in(stakes),
        tournament=tournament,
        variant=HOLDEM if game == "Holdem" else other_game(game, f"{limit} limit"),
        played_at=None if moment is None else moment.replace(tzinfo=UTC),
    )
    hand.play_for(hand.units(blinds[1]), hand.units(blinds[2]))
    return hand


def _number(text: str) -> HandNumber:
    """Return the hand's number at its table, with its time where the table's is too long.

    Where that is too long as well, or has letters, it is all of it, as text.
    """
    digits = [part for part in text.split("-") if part]
    table, hand, time = ["", *digits][-3:] if len(digits) >= 2 else ("", *digits, "")
    number = table + hand if len(table + hand) <= _DIGITS else hand + time
    return hand_number(number if number.isdecimal() and len(number) <= _DIGITS else text)


def _pot(hand: SiteHand, total: str, thousands: str | None, rake: str | None) -> None:
    hand.total = None if thousands else hand.amount(total)
    hand.rake = hand.amount(rake) if rake else 0


def _late_small_blind(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    """Take a post out of position, a large one as both blinds in one."""
    both = hand.stakes is not None and amount > hand.stakes[1]
    hand.post(player, PostKind.BOTH_BLINDS if both else PostKind.DEAD_BLIND, amount)


SITE: Final = SiteText(
    header=re.compile("Winamax Poker - .{0,300}HandId: #"),
    begin=_begin,
    players=LineTable(
        {
            "posts ante {amount}{all in}": posts(PostKind.ANTE),
            "posts small blind {amount} out of position": _late_small_blind,
            "posts big blind {amount} out of position": posts(PostKind.EXTRA_BLIND),
            "posts small blind {amount}{all in}": posts(PostKind.SMALL_BLIND),
            "posts big blind {amount}{all in}": posts(PostKind.BIG_BLIND),
            "posts dead small blind {amount}": posts(PostKind.DEAD_BLIND),
            "folds": FOLDS,
            "checks": CHECKS,
            "calls {amount}{quiet all in}": CALLS,
            "bets {amount}{quiet all in}": Acts(SiteVerb.RAISE_BY),
            "raises {amount} to {amount}{quiet all in}": RAISES_BY_TO,
            "shows {cards}{...}": shows,
            "collected {amount} from {...}": wins,
        },
        **{
            "all in": "( and is all-in)?",
            "quiet all in": "(?: and is all-in)?",
        },
    ),
    others=LineTable(
        {
            "Table: '{name}' {money} Seat{#}{number} is the button": money_table,
            "Table '{name}' {money} Seat{#}{number} is the button": money_table,
            "Dealt to {name} {cards}": dealt,
        },
        **{
            "#": " #?",
            "money": "(.*)",
        },
    ),
    streets=STREETS | {"*** PRE-FLOP ***": 0, "*** ANTE/BLINDS ***": 0},
    stack=LineTable({"{amount}{bounty})": quiet}, bounty=r"(?:, [^()]*)?"),
    summary=LineTable(
        {"Total pot{:} {total}{k} | {rake}": _pot},
        total=AMOUNT,
        k="(k)?",
        rake=f"(?:No rake|Rake:? {AMOUNT})",
    ),
    conventions=Conventions(site="Winamax", uncalled=Uncalled.INCLUDED),
)
