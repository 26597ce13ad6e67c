"""Hand histories of Poker Academy, a training program with research bots (2003-2013).

A hand is a block of lines that ends with a row of stars: number, game, table and time, the players
with stacks and all cards, then the actions. "raises $10" gives the increase, not the total, and
winnings exclude an uncalled bet. There is no chat, so every line must be read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import Conventions, Notation, Uncalled
from railbird.histories.sites.other_games import refused_game
from railbird.histories.sites.replay import (
    BOARD_SIZES,
    PostKind,
    SiteHand,
    SiteVerb,
)
from railbird.histories.sites.text import (
    CALLS,
    CHECKS,
    FOLDS,
    Acts,
    LineTable,
    SiteText,
    posts,
    quiet,
    shows,
    wins,
)
from railbird.histories.text_values import HandNumber, read_hole, read_moment
from railbird.units import Chips

BETTINGS: Final = {
    "Limit": Betting.LIMIT,
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
}
_CENTS: Final = re.compile(r"\$[0-9,]+\.[0-9]{2}")
_FIRST: Final = re.compile(r"Poker Academy[^#]*#([0-9]{1,18}|[0-9]{1,3}(?:,[0-9]{3}){1,5})\s*$")
_AMOUNT: Final = r"\$((?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?![0-9,])(?:\.[0-9]{2})?)"
_GAME: Final = re.compile(
    rf"(Limit|No Limit|Pot Limit) Texas Hold'?em \({_AMOUNT}/{_AMOUNT}(?: [NPF]L)?\)"
)


def _begin(lines: Sequence[str]) -> SiteHand:
    header, game = _FIRST.match(lines[0]), _GAME.match(lines[1])
    if game is None or header is None:
        raise refused_game(lines[1])
    hand = SiteHand(
        number=HandNumber(int(header[1].replace(",", ""))),
        betting=BETTINGS[game[1]],
        notation=Notation(100 if any(map(_CENTS.search, lines)) else 1),
        rake=0,
    )
    hand.play_for(hand.units(game[2]), hand.units(game[3]))
    return hand


def _table(hand: SiteHand, name: str) -> None:
    if hand.players:
        raise BadHand(SkipReason.UNREADABLE, f"a table among the players: {name[:60]!r}")
    hand.table = name


def _sits(hand: SiteHand, name: str, button: str | None, stack: Chips, cards: str) -> None:
    player = hand.take_seat(name, len(hand.players) + 1, stack)
    player.dealt_in = True
    if cards.strip(" ?"):
        player.hole = read_hole("".join(cards.split()))
    if button:
        if hand.button:
            raise BadHand(SkipReason.UNREADABLE, "two players on the button")
        hand.button = player.number


def _street(hand: SiteHand, name: str, cards: str) -> None:
    hand.deal(hand.notation.cards(cards), BOARD_SIZES[name])


def _moment(hand: SiteHand, text: str) -> None:
    """Take the time, which all lines are that are nothing else. Raises `BadHand`."""
    hand.played_at = read_moment(text)
    if hand.played_at is None:
        raise BadHand(SkipReason.UNREADABLE, repr(text[:60]))


SITE: Final = SiteText(
    header=_FIRST,
    begin=_begin,
    head=2,
    last="*" * 10,
    players=LineTable(
        {
            "posts small blind {amount}": posts(PostKind.SMALL_BLIND),
            "posts big blind {amount}": posts(PostKind.BIG_BLIND),
            "folds{more}": FOLDS,
            "checks{more}": CHECKS,
            "calls {amount}{more}": CALLS,
            "bets {amount}{more}": Acts(SiteVerb.RAISE_BY),
            "raises {amount}{more}": Acts(SiteVerb.RAISE_BY),
            "shows {cards}{more}": shows,
            "mucks{more}": quiet,
            "does not show{more}": quiet,
            "doesn't show{more}": quiet,
            "wins {amount}{more}": wins,
        },
        amount=_AMOUNT,
        cards=r"(\S\S \S\S)",
        more="(?: .*)?",
    ),
    others=LineTable(
        {
            "Table {name}": _table,
            "{street}: {board}": _street,
            "{place}{player}{button}{amount}{hole}": _sits,
            "{place}{...}(sitting out)": quiet,
            "{text}": _moment,
        },
        street="(FLOP|TURN|RIVER)",
        board="(.+)",
        place=r"[0-9]+[)}] ",
        player="([^ ]+(?: +[^ ]+)*?) +",
        button=r"(\* *)?",
        amount=_AMOUNT,
        hole="(.*)",
        text="(.*)",
    ),
    is_whole=lambda _: False,
    conventions=Conventions(site="Poker Academy", uncalled=Uncalled.EXCLUDED, stakes_bind=True),
)
