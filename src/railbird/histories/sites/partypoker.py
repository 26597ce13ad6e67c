"""Hand histories of partypoker: cash games and tournaments, in files and in e-mails.

"raises [$0.30 USD]" states the chips put in, "raises 0.06 to 0.08" in e-mails also the total.
Winnings include an uncalled bet, which is a side pot of its own after an all-in. Tournaments do not
state who posts the blinds. Who joins a table after the seats are listed may play in the same hand,
without a seat and a stack in the text, or with a stack of zero.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import (
    AMOUNT,
    ANY_AMOUNT,
    Conventions,
    LateSmallBlind,
    Uncalled,
    currency_in,
)
from railbird.histories.sites.replay import PostKind, SiteHand, SitePlayer, SiteVerb
from railbird.histories.sites.text import (
    LineTable,
    SiteText,
    acts,
    button,
    checks,
    dealt,
    folds,
    mucks,
    posts,
    seat,
    shows,
    street,
    table,
    wins,
)
from railbird.histories.text_values import in_zone, local_time, month_number

_NUMBER: Final = re.compile(r"Game ([0-9]{1,18}) \*")
_GAME: Final = re.compile(
    r"(?:^|[A-Z]{3} |[0-9] |^Tourney Hand |fastforward |Tourney )"
    r"(?:(NL|PL|FL) +)?(?:Texas )?Hold'?em\b(?:.*\((NL|PL|FL)\))?"
)
_BETTINGS: Final = {
    "NL": Betting.NO_LIMIT,
    "PL": Betting.POT_LIMIT,
    "FL": Betting.LIMIT,
    None: Betting.LIMIT,
}
_STAKES: Final = re.compile(
    rf"^{AMOUNT} ?/ ?{AMOUNT}|(?:Blinds|Stakes)[^(]{{0,9}}\({AMOUNT}/{AMOUNT}"
)
_TOURNAMENT: Final = re.compile(r"Trny|Tourn|Buy-in|Freeroll")
_MOMENT: Final = re.compile(
    r"[A-Z]\w+,? ?(\w+) ([0-9]{1,2}),? ([0-9]{1,2}):([0-9]{2}):([0-9]{2}) +(?:([A-Z]+) )?([0-9]{4})"
)


def _begin(lines: Sequence[str]) -> SiteHand:
    first, line = lines[0], " ".join(lines[1].split())
    number = _NUMBER.search(first)
    game = _GAME.search(line)
    if game is None:
        raise BadHand(SkipReason.ANOTHER_GAME, repr(line.partition(" - ")[0][:60]))
    hand = SiteHand(
        number=int(number[1]) if number else None,
        betting=_BETTINGS[game[1] or game[2]],
        currency=currency_in(line.split(" - ")[0].split("Hold")[0]),
        played_at=_moment(line),
    )
    _level(hand, line)
    if _TOURNAMENT.search(line):
        _tournament(hand)
    return hand


def _moment(line: str) -> datetime | None:
    match = _MOMENT.search(line)
    if match is None:
        return None
    name, day, hour, minute, second, zone, year = match.groups()
    month = month_number(name) or 0
    local = local_time(int(year), month, int(day), int(hour), int(minute), int(second))
    return None if local is None else in_zone(local, zone or "")


def _level(hand: SiteHand, text: str) -> None:
    """Take current stakes from among the lines; those in the head may be the last hand's."""
    stakes = _STAKES.search(text)
    if stakes is not None:
        small, big = (stakes[1], stakes[2]) if stakes[1] else (stakes[3], stakes[4])
        hand.stakes = hand.amount(small), hand.amount(big)


def _tournament(hand: SiteHand, *_: str) -> None:
    hand.tournament = True
    hand.currency = ""


def _blinds(hand: SiteHand, text: str) -> None:
    _level(hand, f"Blinds{text}")


def _balance(hand: SiteHand, name: str, text: str) -> None:
    """Take a line of an e-mailed hand's summary: chips bet and collected, and cards."""
    player = hand.player(name)
    if collected := _COLLECTED.search(text):
        player.won += hand.amount(collected[1])
    if cards := _CARDS.search(text):
        shows(hand, name, cards[1])


_COLLECTED: Final = re.compile(rf"\bcollected {AMOUNT},")
_CARDS: Final = re.compile(r"\[ ?([^] ]{2,3}, [^] ]{2,3}) ?\]")


def _rake(hand: SiteHand, text: str) -> None:
    rakes = _RAKE.findall(text)
    if rakes:
        hand.rake = (hand.rake or 0) + sum(map(hand.amount, rakes))


_RAKE: Final = re.compile(rf"Rake: {AMOUNT}")


def _also_wins(hand: SiteHand, _: str, name: str, amount: str) -> None:
    wins(hand, name, amount)


def _both_win(hand: SiteHand, name: str, amount: str, other: str, others: str) -> None:
    wins(hand, name, amount)
    wins(hand, other, others)


def _joins(hand: SiteHand, name: str) -> None:
    """Let in a player who comes after the list of seats, and mostly waits for the next hand."""
    if name not in hand.players:
        hand.players[name] = SitePlayer(number=0, stack=0)


def _finish(hand: SiteHand) -> None:
    """Add what the lines omit. Raises `BadHand`."""
    if hand.tournament:
        _posts_unsaid(hand)
    else:
        _settle_in(hand)


def _settle_in(hand: SiteHand) -> None:
    """Find the seats and stacks of players who joined and were dealt in. Raises `BadHand`.

    The seat follows from the order in which the players first act. The stack is what somebody who
    is all-in put in; else it is unknown, and taken to be the deepest at the table, so that it
    limits nobody's bets.
    """
    players = hand.players
    came = [name for name, player in players.items() if player.dealt_in and not player.stack]
    if not came:
        return
    deepest = max(player.stack for player in players.values())
    order = list(dict.fromkeys(action.name for action in hand.actions if action.name))
    order += [post.name for post in hand.posts if post.name not in order]
    taken = {player.number for player in players.values() if player.dealt_in}
    for name in sorted(came, key=order.index):
        player, put_in = players[name], _put_in(hand, name)
        all_in = any(action[:2] == (name, SiteVerb.ALL_IN) for action in hand.actions)
        player.stack = put_in if all_in else max(deepest, put_in)
        if player.number == 0:
            before = players[order[order.index(name) - 1]].number
            player.number = before + 1
            if before == 0 or player.number in taken:
                raise BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} joins, but no seat is free")
            taken.add(player.number)


def _put_in(hand: SiteHand, name: str) -> int:
    """Return the chips that a player put in; in these texts all amounts are such chips."""
    posted = sum(post.amount for post in hand.posts if post.name == name)
    return posted + sum(action.amount or 0 for action in hand.actions if action.name == name)


def _posts_unsaid(hand: SiteHand) -> None:
    """Let the seats left of the button post a tournament's blinds if no line tells who does.

    Players who neither act nor win were not dealt in: they have left, or not yet arrived.
    """
    told = any(post.kind is not PostKind.ANTE for post in hand.posts)
    players = hand.players
    acting = {action.name for action in hand.actions}
    names = [name for name in players if name in acting or players[name].won]
    if told or hand.stakes is None or len(names) < 2:
        return
    names.sort(key=lambda name: (players[name].number <= hand.button, players[name].number))
    if len(names) == 2 and players[names[1]].number == hand.button:
        names.reverse()
    small, big = hand.stakes
    if hand.betting is Betting.LIMIT:
        small, big = small // 2, small
    antes = {post.name: post.amount for post in hand.posts}
    blinds = ((PostKind.SMALL_BLIND, small), (PostKind.BIG_BLIND, big))
    for name, (kind, amount) in zip(names, blinds, strict=False):
        left = players[name].stack - antes.get(name, 0)
        hand.post(name, kind, min(amount, left), all_in=left <= amount)


SITE: Final = SiteText(
    header=re.compile(r"\*{5} Hand History [Ff]or Game [0-9]"),
    begin=_begin,
    head=2,
    players=LineTable(
        {
            "posts ante {of}{[}{amount}{]}": posts(PostKind.ANTE),
            "posts small blind {[}{amount}{]}": posts(PostKind.SMALL_BLIND),
            "posts big blind {[}{amount}{]}": posts(PostKind.BIG_BLIND),
            "posts big blind + dead {[}{amount}{]}": posts(PostKind.BOTH_BLINDS),
            "posts dead {blind}{[}{amount}{]}": posts(PostKind.DEAD_BLIND),
            "folds": folds,
            "checks": checks,
            "calls {[}{amount}{]}": acts(SiteVerb.CALL),
            "bets {[}{amount}{]}": acts(SiteVerb.RAISE_BY),
            "raises {[}{amount}{]}": acts(SiteVerb.RAISE_PAYING),
            "raises {any amount} to {amount}": acts(SiteVerb.RAISE_TO),
            "is all-In {[}{amount}{]}": acts(SiteVerb.ALL_IN),
            "shows {cards}{...}": shows,
            "doesn't show {cards}{...}": mucks,
            "does not show cards.{name} wins {amount}{chips}": _also_wins,
            "wins {amount}{chips}": wins,
            "wins {amount}{chips} {from}.{name} wins {amount}{chips} {from}": _both_win,
            "wins {amount}{chips} {from}": wins,
            "balance {text}": _balance,
            "Cashed out balance {text}": _balance,
        },
        **{
            "[": r" *[\[(] *",
            "]": r" *[\])]",
            "of": "(?:of )?",
            "blind": "(?:blind )?",
            "chips": r"(?: chips)?",
            "from": " *from .*",
            "text": "(.*)",
            "any amount": ANY_AMOUNT,
        },
    ),
    others=LineTable(
        {
            "Table {name}{ (Real Money)}{button?}": table,
            "Seat {number} is the button": button,
            "Seat {number}: {name} {(}{amount}{)}{...}": seat,
            "seat {number}: {name} {(}{amount}{)}{...}": seat,
            "{name} has joined the table{.}": _joins,
            "Trny:{...}": _tournament,
            "Blinds{text}": _blinds,
            "Stakes{text}": _blinds,
            "Main Pot: {text}": _rake,
            "Side Pot {text}": _rake,
            "Dealt to {name} {cards}": dealt,
            "** Dealing {street} **{colon}{cards}": street,
        },
        **{
            " (Real Money)": r" *\( ?(?:Real|Play) Money ?\)",
            "button?": r"(?: -- Seat ([0-9]{1,3}) is the button)?",
            "(": r"\( *",
            ")": r" *\)",
            "text": "(.*)",
            "street": "(Flop|Turn|River)",
            ".": r"\.?",
            "colon": " *:? *",
        },
    ),
    finish=_finish,
    conventions=Conventions(uncalled=Uncalled.INCLUDED, late_small_blind=LateSmallBlind.LIVE),
)
