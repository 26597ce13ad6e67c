"""Hand histories of 888poker and its skins (Pacific, Cassava): cash games and tournaments.

"raises [$5]" states the chips put in. Collected amounts exclude an uncalled bet if its maker
collects nothing else, and include it otherwise. Amounts and cards are in the language of the
program; tournament chips have the sign of money.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from railbird.cards import RANKS
from railbird.game import Betting
from railbird.histories.pokerstars_lines import is_another_game
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import AMOUNT, Conventions, Uncalled, currency_in
from railbird.histories.sites.replay import PostKind, SiteHand, SiteVerb, split_card
from railbird.histories.sites.text import (
    LineTable,
    SiteText,
    acts,
    button,
    checks,
    dealt,
    folds,
    money_table,
    mucks,
    posts,
    seat,
    shows,
    street,
    wins,
)
from railbird.histories.text_values import CLOCK, NUMBER, hand_number, local_time

_HEADER: Final = re.compile(rf"\*{{5}} [^*]{{1,40}} Hand History for Game ({NUMBER}) \*{{5}}")
_GAME: Final = re.compile(
    rf"({AMOUNT} ?/ ?{AMOUNT}) Blinds (No|Pot|Fix) Limit (\w+)\b(.*) - \*\*\*(?: (.*))?"
)
_MOMENT: Final = re.compile(rf"([0-9]{{1,2}}) ([0-9]{{1,2}}) ([0-9]{{4}}) {CLOCK}")
_BETTINGS: Final = {
    "No": Betting.NO_LIMIT,
    "Pot": Betting.POT_LIMIT,
    "Fix": Betting.LIMIT,
}
_CARDS: Final = re.compile(r"\[((?: \w{2,7},?)+) \]")
_RANKS: Final[tuple[Mapping[str, str], ...]] = (
    {},
    {"H": "K", "V": "Q", "B": "J"},
    {"R": "K", "D": "Q", "V": "J"},
    {"D": "Q", "B": "J"},
    {"E": "A", "D": "Q", "Kn": "J"},
    {"E": "A", "D": "Q", "B": "J"},
    {"Т": "A", "К": "K", "Д": "Q", "В": "J"},
    {"Ò": "A", "Ê": "K", "Ä": "Q", "Â": "J"},
)
"""Spellings in English, Dutch, French, German, Swedish, Danish, Russian.

The last are Russian, too: letters of Windows-1251 in a file that is read as Windows-1252.
"""


def _begin(lines: Sequence[str]) -> SiteHand:
    header = _HEADER.fullmatch(lines[0])
    game = _GAME.fullmatch(lines[1])
    if header is None or game is None:
        raise BadHand(SkipReason.UNREADABLE, repr(lines[1][:60]))
    stakes, small, big, limit, name, after, moment = game.groups()
    if name != "Holdem" or is_another_game(after):
        raise BadHand(SkipReason.ANOTHER_GAME, f"{limit} Limit {name}{after}"[:60])
    hand = SiteHand(
        number=hand_number(header[1]),
        betting=_BETTINGS[limit],
        currency=currency_in(stakes),
        played_at=_moment(moment or ""),
        dot_groups=True,
        ranks=_ranks(lines),
    )
    hand.stakes = hand.amount(small), hand.amount(big)
    return hand


def _moment(text: str) -> datetime | None:
    """Return the time on the player's computer, day first."""
    match = _MOMENT.match(text)
    if match is None:
        return None
    day, month, year, *clock = map(int, match.groups())
    return local_time(year, month, day, *clock)


def _ranks(lines: Sequence[str]) -> Mapping[str, str]:
    """Return the ranks of the first language that spells all cards of the hand."""
    texts = [match[1] for line in lines if (match := _CARDS.search(line)) is not None]
    written = {card for cards in texts for card in cards.replace(",", " ").split()}
    strange = {split_card(card)[0] for card in written} - {"10", *RANKS}
    ranks = next((ranks for ranks in _RANKS if strange <= ranks.keys()), {})
    return {**ranks, "10": "T"}


def _tournament(hand: SiteHand, number: str) -> None:
    hand.table = f"Tournament #{number}"
    hand.tournament = True
    hand.currency = ""


def _finish(hand: SiteHand) -> None:
    """Refuse a hand that does not say whether it is of a tournament. Raises `BadHand`."""
    if not hand.table:
        raise BadHand(SkipReason.UNREADABLE, "no line names the table or the tournament")


def _dead_blind(hand: SiteHand, name: str, dead: str, live: str) -> None:
    hand.post(name, PostKind.DEAD_BLIND, hand.amount(dead))
    hand.post(name, PostKind.EXTRA_BLIND, hand.amount(live))


def _folds(hand: SiteHand, name: str) -> None:
    """Take a fold; a "fold" before the cards are dealt declines to post a blind."""
    if hand.holes_dealt:
        folds(hand, name)


def _deal_holes(hand: SiteHand) -> None:
    hand.holes_dealt = True


SITE: Final = SiteText(
    header=_HEADER,
    begin=_begin,
    head=2,
    players=LineTable(
        {
            "posts ante [{amount}]": posts(PostKind.ANTE),
            "posts small blind [{amount}]": posts(PostKind.SMALL_BLIND),
            "posts big blind [{amount}]": posts(PostKind.BIG_BLIND),
            "posts dead blind [{amount} + {amount}]": _dead_blind,
            "posts dead blind [{amount}]": posts(PostKind.DEAD_BLIND),
            "folds": _folds,
            "checks": checks,
            "calls [{amount}]": acts(SiteVerb.CALL),
            "bets [{amount}]": acts(SiteVerb.RAISE_BY),
            "raises [{amount}]": acts(SiteVerb.RAISE_PAYING),
            "shows {cards}": shows,
            "mucks {cards}": mucks,
            "collected [ {amount} ]": wins,
        }
    ),
    others=LineTable(
        {
            "Table {name} ({money})": money_table,
            "Tournament #{number}{...}": _tournament,
            "Seat {number} is the button": button,
            "Seat {number}: {name} ( {amount} )": seat,
            "** Dealing down cards **": _deal_holes,
            "Dealt to {name} {cards}": dealt,
            "** Dealing {street} ** {cards}": street,
        },
        street="(flop|turn|river)",
        money="([^()]*)",
    ),
    finish=_finish,
    conventions=Conventions(uncalled=Uncalled.EXCLUDED, limit_stakes_are_blinds=True),
)
