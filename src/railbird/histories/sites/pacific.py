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

from railbird.cards import HOLDEM, RANKS
from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import (
    AMOUNT,
    Conventions,
    Notation,
    Uncalled,
    currency_in,
    split_card,
)
from railbird.histories.sites.other_games import other_game
from railbird.histories.sites.pokerstars_head import is_another_game
from railbird.histories.sites.replay import BOARD_SIZES, PostKind, SiteHand, SitePlayer, SiteVerb
from railbird.histories.sites.text import (
    CALLS,
    CHECKS,
    Acts,
    LineTable,
    SiteText,
    button,
    dealt,
    money_table,
    mucks,
    posts,
    quiet,
    shows,
    wins,
)
from railbird.histories.text_values import CLOCK, NUMBER, hand_number, local_time
from railbird.units import Chips

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
_TOURNAMENT: Final = re.compile(r"Tournament #[0-9]{1,9}")
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
    is_holdem = name == "Holdem" and not is_another_game(after)
    hand = SiteHand(
        number=hand_number(header[1]),
        betting=_BETTINGS[limit],
        variant=HOLDEM if is_holdem else other_game(f"{name}{after}", f"{limit} Limit"),
        currency="" if any(map(_TOURNAMENT.match, lines[2:])) else currency_in(stakes),
        played_at=_moment(moment or ""),
        notation=Notation(dot_groups=True, ranks=_ranks(lines)),
    )
    hand.play_for(hand.units(small), hand.units(big))
    return hand


def _moment(text: str) -> datetime | None:
    """Return the time on the player's computer, day first."""
    match = _MOMENT.match(text)
    if match is None:
        return None
    day, month, year, *clock = map(int, match.groups())
    return local_time(year, month, day, *clock)


def _ranks(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the ranks of the first language that spells all cards of the hand."""
    texts = [match[1] for line in lines if (match := _CARDS.search(line)) is not None]
    written = {card for cards in texts for card in cards.replace(",", " ").split()}
    strange = {split_card(card)[0] for card in written} - {"10", *RANKS}
    ranks = next((ranks for ranks in _RANKS if strange <= ranks.keys()), {})
    return (*ranks.items(), ("10", "T"))


def _tournament(hand: SiteHand, number: int) -> None:
    hand.table = f"Tournament #{number}"
    hand.tournament = True


def _finish(hand: SiteHand) -> None:
    """Refuse a hand that does not say whether it is of a tournament. Raises `BadHand`."""
    if not hand.table:
        raise BadHand(SkipReason.UNREADABLE, "no line names the table or the tournament")


def _dead_blind(hand: SiteHand, player: SitePlayer, dead: Chips, live: Chips) -> None:
    hand.post(player, PostKind.DEAD_BLIND, dead)
    hand.post(player, PostKind.EXTRA_BLIND, live)


def _folds(hand: SiteHand, player: SitePlayer) -> None:
    """Take a fold; a "fold" before the cards are dealt declines to post a blind."""
    if hand.holes_dealt:
        hand.act(player, *SiteVerb.FOLD.row())


def _deal_holes(hand: SiteHand) -> None:
    hand.holes_dealt = True


SITE: Final = SiteText(
    header=_HEADER,
    mark="Game ",
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
            "checks": CHECKS,
            "calls [{amount}]": CALLS,
            "bets [{amount}]": Acts(SiteVerb.RAISE_BY),
            "raises [{amount}]": Acts(SiteVerb.PUT_IN),
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
            "** Dealing down cards **": _deal_holes,
            "Dealt to {name} {cards}": dealt,
        },
        money="([^()]*)",
    ),
    streets={f"** Dealing {street.lower()} **": size for street, size in BOARD_SIZES.items()},
    stack=LineTable({" {amount} )": quiet}),
    finish=_finish,
    conventions=Conventions(
        site="888poker", uncalled=Uncalled.EXCLUDED, limit_stakes_are_blinds=True
    ),
)
