"""Hand histories of the Winning Poker Network (Americas Cardroom and others), in both grammars.

Since 2019 a hand begins with ``Hand #`` or, in tournaments, ``Game Hand #``, and an uncontested pot
stands in the summary only. Before that it begins with ``Game started at:``; names follow the word
Player, amounts are chips put in, own cards have a line each, and the summary says what everybody
put in and collected. In both the total pot is net of rake and of the jackpot's fee.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from railbird.cards import HOLDEM
from railbird.game import Betting
from railbird.histories.format import ReadOptions
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason
from railbird.histories.sites.money import AMOUNT, ANY_AMOUNT, Conventions, Uncalled, currency_in
from railbird.histories.sites.other_games import other_game, refused_game
from railbird.histories.sites.replay import (
    A_RUN,
    BOARD_SIZES,
    PostKind,
    SiteHand,
    SitePlayer,
    SiteVerb,
)
from railbird.histories.sites.text import (
    CALLS,
    CHECKS,
    FOLDS,
    STREETS,
    SUMMARY,
    Acts,
    LineTable,
    SiteText,
    button,
    dealt,
    posts,
    quiet,
    returned,
    shows,
    wins,
)
from railbird.histories.text_values import CLOCK, hand_number, in_zone, local_time
from railbird.units import Chips

_LIMITS: Final = {
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
    "Fixed Limit": Betting.LIMIT,
}
_FEE: Final = re.compile(rf"(?:Rake|JP [Ff]ee) {AMOUNT}")


def _pot(hand: SiteHand, total: Chips, fees: str) -> None:
    """Take the pot; a text without fees does not state the rake."""
    hand.total = total
    taken = list(map(hand.amount, _FEE.findall(fees)))
    if taken:
        hand.rake, hand.fees = sum(taken), len(taken)


# Texts since 2019.


_FIRST: Final = re.compile(
    r"(?:Game )?Hand #([0-9]{1,18}) - (?:.*(Tournament) #[0-9]+ - )?"
    r"([^()]{2,40})\(([A-Z][a-z]+ Limit)\) - (.*?) ?-"
    rf" ([0-9]{{4}})/([0-9]{{1,2}})/([0-9]{{1,2}}) {CLOCK} UTC"
)
_LEVEL: Final = re.compile(rf"(?:Level [0-9]+ \()?{AMOUNT}/{AMOUNT}\)?")
_TABLE: Final = re.compile(r"(?:Table ')?(.*?)'? [0-9]{1,2}-max Seat #([0-9]{1,2}) is the button")


def _begin(lines: Sequence[str]) -> SiteHand:
    first = _FIRST.fullmatch(lines[0])
    if first is None:
        raise BadHand(SkipReason.UNREADABLE, repr(lines[0][:60]))
    number, tournament, game, limit, level, *moment = first.groups()
    stakes = _LEVEL.fullmatch(level)
    if limit not in _LIMITS:
        raise refused_game(game, limit)
    if stakes is None:
        raise BadHand(SkipReason.UNREADABLE, f"stakes {level[:60]!r}")
    table, played_at = _TABLE.fullmatch(lines[1]), local_time(*map(int, moment))
    hand = SiteHand(
        number=hand_number(number),
        betting=_LIMITS[limit],
        currency=currency_in(level),
        tournament=tournament is not None,
        variant=HOLDEM if game.strip() == "Holdem" else other_game(game, limit),
        table=table[1] if table else "",
        played_at=in_zone(played_at, "UTC") if played_at else None,
        button=int(table[2]) if table else 0,
    )
    hand.play_for(hand.units(stakes[1]), hand.units(stakes[2]))
    return hand


_CAP: Final = 30
"""Big blinds that a player can lose at most where the stakes are capped."""


def _posts_dead(
    hand: SiteHand, player: SitePlayer, amount: Chips, all_in: str | None = None
) -> None:
    """Take a late entrant's post: a dead small blind, or it and a live big blind in one."""
    both = hand.stakes is not None and amount > hand.stakes[0]
    kind = PostKind.BOTH_BLINDS if both else PostKind.DEAD_BLIND
    hand.post(player, kind, amount, all_in=bool(all_in))


def _caps(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    """Take an action by which all is in that can be."""
    if hand.stakes is not None:
        hand.cap = Chips(_CAP * hand.stakes[1])
    hand.act(player, *SiteVerb.PUT_IN.row(amount))


_WORDS: Final = {
    "all in": "( and is all-in)?",
    "quietly": "(?: and is all-in)?",
    "the": "(?:the )?",
}
_MODERN: Final = SiteText(
    header=re.compile(r"(?:Game )?Hand #[0-9]{1,18} - "),
    mark="Hand #",
    begin=_begin,
    head=2,
    players=LineTable(
        {
            "posts {the}small blind {amount}{all in}": posts(PostKind.SMALL_BLIND),
            "posts {the}big blind {amount}{all in}": posts(PostKind.BIG_BLIND),
            "posts {the}straddle {amount}{all in}": posts(PostKind.STRADDLE),
            "posts {the}ante {amount}{all in}": posts(PostKind.ANTE),
            "posts dead {blind}{amount}{all in}": _posts_dead,
            "posts {amount}{all in}": posts(PostKind.EXTRA_BLIND),
            "folds": FOLDS,
            "checks": CHECKS,
            "calls {amount}{quietly}": CALLS,
            "bets {amount}{quietly}": Acts(SiteVerb.BET),
            "raises {any amount} to {amount}{quietly}": Acts(SiteVerb.RAISE_TO),
            "caps {amount}": _caps,
            "shows {cards}{...}": shows,
            "mucks hand": quiet,
            "does not show": quiet,
            "collected {amount} from {...}": wins,
        },
        **_WORDS,
        **{"any amount": ANY_AMOUNT, "blind": "(?:blind )?"},
    ),
    others=LineTable(
        {
            "Dealt to {name} {cards}": dealt,
            "Uncalled bet ({amount}) returned to {name}": returned,
        }
    ),
    streets=STREETS
    | {
        f"*** {street} {run} ***": size + A_RUN * run
        for street, size in BOARD_SIZES.items()
        for run in (1, 2, 3)
    }
    | {"*** RUN IT TWICE ***": 0, "*** RUN IT THRICE ***": 0},
    stack=LineTable({"{amount}){absence}": quiet}, absence="(.*)"),
    summary=LineTable({"Total pot {amount}{fees}": _pot}, fees=r"((?: \| .*)?)"),
    conventions=Conventions(site="Winning Poker Network", uncalled=Uncalled.EXCLUDED),
)


# Texts before 2019.


_START: Final = re.compile(rf"Game started at: ([0-9]{{4}})/([0-9]{{1,2}})/([0-9]{{1,2}}) {CLOCK}")
_GAME_LINE: Final = re.compile(rf"Game ID: ([0-9]{{1,18}}) {AMOUNT}/{AMOUNT} (.*) \((.*)\).*")
_FATE: Final = re.compile(
    r"\*?Player (.{1,40}?) (?:shows|mucks|does(?: not|n't) show|folds)\b(.*?)\. ?"
    rf"Bets: {AMOUNT}\. Collects: {AMOUNT}\. (?:Wins|Loses): {ANY_AMOUNT}\.?"
)
_BLIND: Final = re.compile(rf" has big blind \({AMOUNT}\)")
_CARD: Final = re.compile(r"Player (.{1,40}) received card: \[(.{2,3})\]")
_CARDS: Final = re.compile(r"\[([^]]{5,26})\]")
_OLD_SUMMARY: Final = "------ Summary ------"


def _spelt(lines: Sequence[str]) -> list[str]:
    """Return an older hand's lines with names in front, own cards in one line, and collections."""
    spelt, summary, cards = list[str](), list[str](), dict[str, list[str]]()
    for line in lines:
        if fate := _FATE.fullmatch(line):
            name, text, _, collected = fate.groups()
            if shown := _CARDS.search(text):
                spelt.append(f"{name} shows [{shown[1]}]")
            spelt.append(f"{name} collected {collected}")
        elif card := _CARD.fullmatch(line):
            own = cards.setdefault(card[1], [])
            own.append(card[2])
            if len(own) > 2:
                spelt.pop()
            if len(own) > 1:
                spelt.append(f"{card[1]} holds [{' '.join(own)}]")
        elif line.startswith(("Pot: ", "Board: ")):
            summary.append(line)
        elif line != _OLD_SUMMARY:
            spelt.append(line.removeprefix("Player "))
    return [*spelt, SUMMARY, *summary] if summary else spelt


def _begin_old(lines: Sequence[str]) -> SiteHand:
    start, game = _START.fullmatch(lines[0]), _GAME_LINE.fullmatch(lines[1])
    if start is None or game is None:
        raise BadHand(SkipReason.UNREADABLE, repr(f"{lines[0]} {lines[1]}"[:60]))
    number, small, big, table, name = game.groups()
    variant = HOLDEM if name == "Hold'em" else other_game(name)
    # The program wrote no sign of money and no word on the betting. Of limit the stakes are bets.
    betting = Betting.NO_LIMIT if variant is HOLDEM else Betting.POT_LIMIT
    posted = next((blind_match[1] for line in lines if (blind_match := _BLIND.search(line))), big)
    if posted == small != big:
        betting = Betting.LIMIT
    chips = "-Max, Table" in table or "Tournament" in table
    in_cents = not chips and not table.startswith("PM")
    hand = SiteHand(
        number=hand_number(number),
        betting=betting,
        variant=variant,
        currency="$" if in_cents else "",
        tournament=chips,
        play_money=table.startswith("PM"),
        table=table,
        played_at=local_time(*map(int, start.groups())),
    )
    hand.play_for(hand.units(small), hand.units(big))
    return hand


def _is_dealt(hand: SiteHand, player: SitePlayer) -> None:
    player.dealt_in = True


_OLD: Final = SiteText(
    header=re.compile("Game started at: [0-9]"),
    mark="Game started at:",
    begin=_begin_old,
    head=2,
    spelt=_spelt,
    last="Game ended at:",
    players=LineTable(
        {
            "has small blind ({amount})": posts(PostKind.SMALL_BLIND),
            "has big blind ({amount})": posts(PostKind.BIG_BLIND),
            "straddle ({amount})": posts(PostKind.STRADDLE),
            "ante ({amount})": posts(PostKind.ANTE),
            "posts ante ({amount})": posts(PostKind.ANTE),
            "posts ({amount}) as a dead bet": posts(PostKind.DEAD_BLIND),
            "posts ({amount})": posts(PostKind.EXTRA_BLIND),
            "received a card": _is_dealt,
            "holds {cards}": shows,
            "folds": FOLDS,
            "checks": CHECKS,
            "calls ({amount})": CALLS,
            "bets ({amount})": Acts(SiteVerb.BET),
            "raises ({amount})": Acts(SiteVerb.PUT_IN),
            "allin ({amount})": Acts(SiteVerb.PUT_IN),
            "caps ({amount})": _caps,
            "shows {cards}": shows,
            "collected {amount}": wins,
            "mucks {...}": quiet,
            "sitting out": quiet,
            "wait BB": quiet,
            "is {...}": quiet,
        }
    ),
    others=LineTable(
        {
            "Seat {number} is the button": button,
            "Uncalled bet ({amount}) returned to {name}": returned,
        }
    ),
    streets=STREETS,
    stack=LineTable({"{amount}).": quiet}),
    summary=LineTable({"Pot: {amount}.{fees}": _pot}, fees="(.*)"),
    conventions=Conventions(site="Winning Poker Network", uncalled=Uncalled.EXCLUDED),
)


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines begins a hand in either grammar."""
    return _MODERN.recognises(lines) or _OLD.recognises(lines)


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories, hand by hand; the first hand's grammar is that of the text."""
    head, rest = list[str](), iter(lines)
    for line in rest:
        head.append(line)
        if recognises([line]):
            break
    site = _OLD if _OLD.recognises(head) else _MODERN
    yield from site.read(chain(head, rest), options)
