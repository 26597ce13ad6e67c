"""Hand histories of Bovada, Ignition and Bodog: cash games, Zone Poker, tournaments.

The texts have everybody's cards and nobody's name. The owner of the log is called ``Hero``; the
others go by their position, so that one name is many people. Rake is not stated. The board, and
with it the streets, may stand in the summary only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from railbird.cards import HOLDEM
from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import AMOUNT, Conventions, Uncalled
from railbird.histories.sites.other_games import other_game
from railbird.histories.sites.replay import PostKind, SiteHand, SitePlayer, SiteVerb
from railbird.histories.sites.text import (
    CALLS,
    CHECKS,
    STREETS,
    SUMMARY,
    Acts,
    LineTable,
    SiteText,
    hole_in,
    posts,
    quiet,
    seat_a_dead_button,
    wins,
)
from railbird.histories.text_values import CLOCK, hand_number, in_zone, local_time, read_cards
from railbird.units import Chips

HERO: Final = "Hero"
_HEADER: Final = re.compile(r"(?:Ignition|Bovada|Bodog(?: UK|\S{0,12})) Hand #[0-9]")
_FIRST: Final = re.compile(
    rf"(?:Ignition|Bovada|Bodog(?: UK|\S{{0,12}})) Hand #([0-9]{{1,18}}):? +(.*?) ?-?"
    rf" ([0-9]{{4}})-([0-9]{{1,2}})-([0-9]{{1,2}}) {CLOCK}( UTC)?"
)
_GAME: Final = re.compile(r"(.*?)\bHOLDEM(?:ZonePoker)?\b(.*)")
_BETTINGS: Final = {
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
    "Fixed Limit": Betting.LIMIT,
}
_LIMIT: Final = re.compile("(?:No|Pot|Fixed) Limit")
_TABLE: Final = re.compile(r"(?:TBL|ID)#([0-9]{1,12})")
_LEVEL: Final = re.compile(rf"\({AMOUNT}/{AMOUNT}\)\s*$")
POSITION: Final = r"(?:Dealer|Small Blind|Big Blind|UTG(?:\+[0-9])?)"
_OWN_SEAT: Final = re.compile(rf"Seat [0-9]{{1,4}}: ({POSITION}) +\[ME\]")
_LINE: Final = re.compile(rf"({POSITION}) *(?:\[ME\])? *: ?(.*)")
_SEAT: Final = re.compile(rf"Seat [0-9]{{1,4}}: ({POSITION}) *(?:\[ME\])?( \(.*)")
_TIMEOUT: Final = re.compile(
    r" ?\((?:timeout|auth|disconnect|Blind Disconnected)\)|(?<=raise)-timeout"
)
_BETS: Final = re.compile("Raises|Bets|Call|All-in|Ante|Small|Big|Hand")
_TOLD: Final = ("Board ", "Total Pot", SUMMARY)
"""Beginnings of the lines of a summary that are read."""


def _spelt(lines: Sequence[str]) -> list[str]:
    """Return a hand's lines with ``Hero`` for the owner's position, one sign behind a name.

    Seats are listed in their order, and numbered anew: large tournaments number them through all
    tables, and some texts in no order.
    """
    own = next((own_match[1] for line in lines if (own_match := _OWN_SEAT.match(line))), "")
    spelt, in_summary, seats = list[str](), False, 0
    for line in lines:
        in_summary |= line == SUMMARY
        if in_summary and not line.startswith(_TOLD):
            continue
        if line_match := _LINE.fullmatch(line):
            name, text = line_match.groups()
            line = f"{HERO if name == own else name}: {_TIMEOUT.sub('', text)}"
            if spelt[-1] == line and _BETS.match(text):
                continue  # some texts have a line as often as the program reported it
        elif seat_match := _SEAT.fullmatch(line):
            name, stack = seat_match.groups()
            seats += 1
            line = f"Seat {seats}: {HERO if name == own else name}{stack}"
        spelt.append(line)
    return spelt


def _begin(lines: Sequence[str]) -> SiteHand:
    first = _FIRST.fullmatch(lines[0])
    if first is None:
        raise BadHand(SkipReason.UNREADABLE, repr(lines[0][:60]))
    number, what, *moment, utc = first.groups()
    game = _GAME.fullmatch(what)
    variant, rest = (HOLDEM, game[2]) if game else (other_game(what), what)
    limit, tournament = _LIMIT.search(rest), "Tournament #" in rest
    if limit is None and not tournament:
        raise BadHand(SkipReason.UNREADABLE, repr(what[:60]))
    played_at = local_time(*map(int, moment))
    table = _TABLE.search(what)
    hand = SiteHand(
        number=hand_number(number),
        betting=Betting.NO_LIMIT if limit is None else _BETTINGS[limit[0]],
        currency="$" if not tournament and any("$" in line for line in lines[1:4]) else "",
        tournament=tournament,
        variant=variant,
        table=table[1] if table else "",
        played_at=in_zone(played_at, "UTC") if utc and played_at else played_at,
        site=lines[0].partition(" ")[0],
    )
    level = _LEVEL.search(what)
    if level is not None:
        hand.play_for(hand.units(level[1]), hand.units(level[2]))
    elif not hand.currency:
        hand.notation = hand.notation._replace(scale=1)
    return hand


def _puts_all_in(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    """Take chips put in: a post before the cards are dealt, else an action."""
    if hand.holes_dealt:
        hand.act(player, *SiteVerb.PUT_IN.row(amount))
        return
    antes = any(post.kind is PostKind.ANTE for post in hand.posts)
    paid = any(post.player is player for post in hand.posts)
    if antes and not paid:
        kind = PostKind.ANTE
    else:
        blinds = {post.kind for post in hand.posts}
        is_small = PostKind.SMALL_BLIND not in blinds and PostKind.BIG_BLIND not in blinds
        kind = PostKind.SMALL_BLIND if is_small else PostKind.BIG_BLIND
    hand.post(player, kind, amount, all_in=True)


def _raises_all_in(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    """Take a raise all-in: some old texts give the stack at the beginning, blinds included."""
    is_stack = amount == player.stack
    verb = SiteVerb.RAISE_TO if is_stack else SiteVerb.PUT_IN
    hand.act(player, *verb.row(amount))


def _returned(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    player.returned += amount


def _is_dealer(hand: SiteHand, player: SitePlayer) -> None:
    hand.button = player.number


def _deals_cards(hand: SiteHand, player: SitePlayer, text: str) -> None:
    hole = hole_in(text, hand.notation)
    hand.holes_dealt = True
    if hole is not None:
        player.show(hole)


def _board(hand: SiteHand, text: str) -> None:
    """Take the board of the summary, where streets are not told."""
    cards = hand.notation.cards(text)
    board = read_cards("".join(cards), len(cards))
    if len(board) > len(hand.board):
        hand.streets_told = False
        hand.board = board


def _pot(hand: SiteHand, total: Chips, rake: str | None) -> None:
    hand.total = total
    hand.rake = None if rake is None else hand.amount(rake)


def _finish(hand: SiteHand) -> None:
    """Let the rake be what the winners did not get of the pot that the text states.

    Where nobody has the button, it is at the empty seat before the first blind.
    """
    if not hand.button:
        seat_a_dead_button(hand)
    if hand.rake is None and hand.total is not None:
        hand.rake = hand.total - sum(player.won for player in hand.players.values())


SITE: Final = SiteText(
    header=_HEADER,
    mark="Hand #",
    begin=_begin,
    spelt=_spelt,
    after_name=(": ",),
    players=LineTable(
        {
            "Ante chip {amount}": posts(PostKind.ANTE),
            "{Ante/}Small {b}lind {amount}": posts(PostKind.SMALL_BLIND),
            "Big {b}lind{/Bring in} {amount}": posts(PostKind.BIG_BLIND),
            "Posts dead chip {amount}": posts(PostKind.DEAD_BLIND),
            "Posts chip {amount}": posts(PostKind.EXTRA_BLIND),
            "Fold": Acts(SiteVerb.FOLD_IF_ABLE),
            "Folds": Acts(SiteVerb.FOLD_IF_ABLE),
            "Folds & {S}hows {...}": Acts(SiteVerb.FOLD_IF_ABLE),
            "Checks": CHECKS,
            "Call {amount}": CALLS,
            "Calls {amount}": CALLS,
            "Bets {chip info }{amount}": Acts(SiteVerb.BET),
            "Raises {any amount} to {amount}": Acts(SiteVerb.RAISE_TO),
            "Raises {amount}": Acts(SiteVerb.RAISE_TO),
            "All-in(raise) {any amount} to {amount}": Acts(SiteVerb.RAISE_TO),
            "All-in(raise) {amount}": _raises_all_in,
            "All-in {amount}": _puts_all_in,
            "Card dealt to a spot [{text}]": _deals_cards,
            "Return uncalled portion of bet {amount}": _returned,
            "Hand {r}esult{-Side Pot} {amount}": wins,
            "Set dealer{...}": _is_dealer,
        },
        **{
            "Ante/": "(?:Ante/)?",
            "b": "[Bb]",
            "chip info ": "(?:chip info )?",
            "/Bring in": "(?:/Bring in)?",
            "S": "[Ss]",
            "any amount": r"[^ ]{1,20}",
            "text": r"([^]]*)",
            "r": "[Rr]",
            "-Side Pot": "(?:-Side [Pp]ot)?",
        },
    ),
    unread=re.compile(": (?:Post|Ante|Small|Big [Bb]|Call|Bet|Raise|All-in|Hand [Rr]|Return)"),
    others=LineTable({}),
    streets=STREETS,
    stack=LineTable({"{amount} in chips)": quiet}),
    passed=(),
    summary=LineTable(
        {"Board [{text}]": _board, "Total Pot({amount}){rake}": _pot},
        text="(.*)",
        rake=rf"(?: \| Rake \({AMOUNT}\))?",
    ),
    finish=_finish,
    conventions=Conventions(site="Bovada", uncalled=Uncalled.INCLUDED),
)
