"""Hand histories of GGPoker: cash games, Rush & Cash, tournaments.

Texts resemble PokerStars'. Players other than the hero appear under codes that change from table to
table. The house's share is stated in several amounts: rake, jackpot, bingo, fortune, tax.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from railbird.cards import HOLDEM
from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import AMOUNT, Conventions, Uncalled, currency_in
from railbird.histories.sites.other_games import other_game, refused_game
from railbird.histories.sites.pokerstars_head import (
    is_another_game,
    is_of_tournament,
    is_plain,
    is_title,
)
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
    drops,
    folds_showing,
    from_house,
    posts,
    quiet,
    returned,
    run_times,
    sells,
    shows,
    table,
    to_house,
    wins,
)
from railbird.histories.text_values import CLOCK, hand_number, local_time
from railbird.units import Chips

_FIRST: Final = re.compile(
    r"Poker Hand #[A-Z]{0,4}([0-9]\w{0,59}): ?(.*) -"
    rf" ([0-9]{{4}})/([0-9]{{1,2}})/([0-9]{{1,2}}) {CLOCK}"
)
_GAME: Final = re.compile(r"(.*)Hold'em (No Limit|Pot Limit|Fixed Limit|Limit)\b(.*)")
_OMAHA: Final = re.compile(
    r".*Omaha(?: Hi/?Lo)? (No Limit|Pot Limit|Fixed Limit|Limit)\b|.*\b(PLO)"
)
_BETTINGS: Final = {
    "PLO": Betting.POT_LIMIT,
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
    "Fixed Limit": Betting.LIMIT,
    "Limit": Betting.LIMIT,
}
_STAKES: Final = re.compile(rf"\({AMOUNT}/{AMOUNT}(?:\({AMOUNT}\))?\)\s*$")
_FEE: Final = re.compile(rf"[A-Z][a-z]+:? {AMOUNT}")
_ALL_IN: Final = "(?: and is all-in)?"


def _begin(lines: Sequence[str]) -> SiteHand:
    line = lines[0]
    first = _FIRST.fullmatch(line)
    if first is None:
        raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
    number, what, *moment = first.groups()
    tournament = is_of_tournament(what)
    game = _GAME.fullmatch(what)
    plain = game is not None and (is_plain(game[1]) or (tournament and is_title(game[1])))
    if game is not None and plain and not is_another_game(game[3]):
        variant, limit = HOLDEM, game[2]
    elif omaha := _OMAHA.match(what):
        variant, limit = other_game(what), omaha[1] or omaha[2]
    else:
        raise refused_game(what)
    stakes = _STAKES.search(what)
    if stakes is None:
        raise BadHand(SkipReason.UNREADABLE, f"no stakes in {line[:60]!r}")
    hand = SiteHand(
        number=hand_number(number),
        betting=_BETTINGS[limit],
        variant=variant,
        currency="" if tournament else currency_in(stakes[0]),
        tournament=tournament,
        played_at=local_time(*map(int, moment)),
    )
    hand.play_for(hand.units(stakes[1]), hand.units(stakes[2]))
    return hand


def _pot(hand: SiteHand, total: Chips, fees: str) -> None:
    """Take the pot; a text without fees does not state the rake."""
    hand.total = total
    taken = list(map(hand.amount, _FEE.findall(fees)))
    if taken:
        hand.rake = sum(taken)
        hand.fees = sum(map(bool, taken))


def _throws_away(hand: SiteHand, player: SitePlayer) -> None:
    """Take the cards of a player whose last bet was called, and who shows none."""
    player.mucked = True


SITE: Final = SiteText(
    header=re.compile("Poker Hand #[A-Z]{0,4}[0-9]"),
    begin=_begin,
    after_name=(": ", " "),
    players=LineTable(
        {
            "posts the ante {amount}{all in}": posts(PostKind.ANTE),
            "posts small blind {amount}{all in}": posts(PostKind.SMALL_BLIND),
            "posts big blind {amount}{all in}": posts(PostKind.BIG_BLIND),
            "posts missed blind {amount}": posts(PostKind.DEAD_BLIND),
            "posts dead blind {amount}": posts(PostKind.DEAD_BLIND),
            "posts dead small blind {amount}": posts(PostKind.DEAD_BLIND),
            "straddle {amount}{all in}": posts(PostKind.STRADDLE),
            "posts straddle {amount}{all in}": posts(PostKind.STRADDLE),
            "folds": FOLDS,
            "folds {cards}": folds_showing(SiteVerb.FOLD),
            "checks": CHECKS,
            "calls {amount}{quiet all in}": CALLS,
            "Bet & Muck {amount}{quiet all in}": Acts(SiteVerb.RAISE_BY),
            "Bet & Muck folds": _throws_away,
            "bets {amount}{quiet all in}": Acts(SiteVerb.RAISE_BY),
            "raises {amount} to {amount}{quiet all in}": RAISES_BY_TO,
            "shows {cards}{...}": shows,
            "collected {amount} from {...}": wins,
            "Chooses to {EV}Cashout": sells,
            "Receives {EV}Cashout ({amount})": from_house,
            "Pays {EV}Cashout Risk ({amount})": to_house,
            "get an all-in insurance {...}": sells,
            "pay premium of all-in insurance ({amount})": to_house,
            "receive {...} of all-in insurance ({amount})": from_house,
        },
        **{
            "all in": "( and is all-in)?",
            "quiet all in": _ALL_IN,
            "EV": "(?:EV )?",
        },
    ),
    others=LineTable(
        {
            "Table '{name}' {...} Seat #{number} is the button": table,
            "Dealt to {name} {cards}": dealt,
            "Cash Drop to Pot{colon}total {amount}": drops,
            "Uncalled bet ({amount}) returned to {name}": returned,
        },
        colon=" ?: ?",
    ),
    streets=STREETS,
    stack=LineTable({"{amount} in chips{...})": quiet}),
    summary=LineTable(
        {"Total pot{:} {amount}{fees}": _pot, "Hand was run {times}": run_times},
        fees=r"((?: \| .*)?)",
        times="(.*)",
    ),
    conventions=Conventions(site="GGPoker", uncalled=Uncalled.INCLUDED),
)
