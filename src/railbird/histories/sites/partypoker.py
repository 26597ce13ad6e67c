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
from railbird.histories.pokerstars_lines import is_another_game
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import (
    AMOUNT,
    ANY_AMOUNT,
    UNIT,
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
    money_table,
    mucks,
    posts,
    seat,
    shows,
    street,
    wins,
)
from railbird.histories.text_values import (
    CLOCK,
    NUMBER,
    HandNumber,
    hand_number,
    in_zone,
    local_time,
    month_number,
)

_NUMBER: Final = re.compile(rf"Game ({NUMBER}) \*")
_GAME: Final = re.compile(r"(.*?)(?:(NL|PL|FL) +)?(?:Texas )?Hold'?em\b(?:.*\((NL|PL|FL)\))?")
_BEFORE_GAME: Final = re.compile(
    rf"(?:{ANY_AMOUNT}(?: ?/ ?{ANY_AMOUNT})? )?(?:(?:fastforward|Tourney Hand|Tourney) )*"
)
"""Stakes or a buy-in, and words that name no other game."""
_BETTINGS: Final = {
    "NL": Betting.NO_LIMIT,
    "PL": Betting.POT_LIMIT,
    "FL": Betting.LIMIT,
    None: Betting.LIMIT,
}
_STACK: Final = re.compile(r"[Ss]eat [0-9]{1,3}: .{1,60}\(([^()]{1,40})\).*")
_STAKES: Final = re.compile(
    rf"^{AMOUNT} ?/ ?{AMOUNT}"
    rf"|(?:Blinds|Stakes)[^(]{{0,9}}\({AMOUNT}/{AMOUNT}(?:[ -]+{ANY_AMOUNT})?\)"
)
_LEVEL: Final = re.compile(r"(?:Blinds|Stakes)[^(]{0,9}\([^)]{0,40}[0-9].{0,20}")
_TOURNAMENT: Final = re.compile(r"Trny|Tourn|Buy-in|Freeroll")
_MOMENT: Final = re.compile(
    rf"[A-Z]\w+,? ?(\w+) ([0-9]{{1,2}}),? {CLOCK} +(?:([A-Z]+) )?([0-9]{{4}})"
)


def _begin(lines: Sequence[str]) -> SiteHand:
    first, line = lines[0], " ".join(lines[1].split())
    number = _NUMBER.search(first)
    game = _GAME.match(line)
    if game is None or is_another_game(line[game.end() :]):
        raise BadHand(SkipReason.ANOTHER_GAME, repr(line.partition(" - ")[0][:60]))
    if other_words := _BEFORE_GAME.sub("", game[1], count=1):
        named = other_words.replace(" ", "").isalpha()
        reason = SkipReason.ANOTHER_GAME if named else SkipReason.UNREADABLE
        raise BadHand(reason, repr(line.partition(" - ")[0][:60]))
    hand = SiteHand(
        number=hand_number(number[1]) if number else HandNumber(),
        betting=_BETTINGS[game[2] or game[3]],
        currency=currency_in(line.split(" - ")[0].split("Hold")[0]) or _currency(lines),
        played_at=_moment(line),
    )
    _level(hand, line)
    if _TOURNAMENT.search(line):
        _tournament(hand)
    return hand


def _currency(lines: Sequence[str]) -> str:
    """Return the currency of the first stack, which newer texts write there alone."""
    stacks = (stack for line in lines[2:] if (stack := _STACK.fullmatch(line)) is not None)
    return next((currency_in(stack[1]) for stack in stacks), "")


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
    elif level := _LEVEL.search(text):
        raise BadHand(SkipReason.UNREADABLE, repr(level[0]))


def _tournament(hand: SiteHand, *_: str) -> None:
    hand.tournament = True
    hand.currency = ""


def _blinds(hand: SiteHand, text: str) -> None:
    _level(hand, f"Blinds{text}")


def _balance(hand: SiteHand, name: str, text: str) -> None:
    """Take a line of an e-mailed hand's summary: chips bet and collected, and cards."""
    player = hand.player(name)
    if result := _RESULT.match(text):
        balance, lost, _, collected, sign, net = result.groups()
        player.won += hand.amount(collected or "0")
        gained = hand.amount(net) * (-1 if sign == "-" else 1) if net else -hand.amount(lost or "0")
        player.said_result = gained
        if abs(hand.amount(balance) - player.stack - gained) > UNIT * hand.tournament:
            raise BadHand(SkipReason.WRONG_PAYOFF, f"{name[:40]} has {balance} in the end")
    else:
        raise BadHand(SkipReason.UNREADABLE, f"{name[:40]} balance{text[:60]}")
    if cards := _CARDS.search(text):
        shows(hand, name, cards[1])


_RESULT: Final = re.compile(
    rf" ?{AMOUNT}, (?:didn't bet|lost {AMOUNT}"
    rf"|bet {AMOUNT}, collected {AMOUNT}, net ([+-]?) ?{AMOUNT})(?=[ \[]|$)"
)
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


def _all_in(hand: SiteHand, name: str) -> None:
    """Take an all-in told beside its amount, which newer programs round as they do a stack.

    A chip of the stack that they round away for each amount is nobody's to bet.
    """
    player, put_in = hand.player(name), _total_put_in(hand, name)
    if 0 < player.stack - put_in <= UNIT * sum(action.name == name for action in hand.actions):
        player.stack = put_in


def _total_put_in(hand: SiteHand, name: str) -> int:
    """Return the chips that a player put in, also where raises state the total of the street."""
    earlier_streets, street = 0, 0
    for post in hand.posts:
        if post.name == name and post.kind is PostKind.ANTE:
            earlier_streets += post.amount
        elif post.name == name:
            street += post.amount
    for action in hand.actions:
        if not action.name:
            earlier_streets, street = earlier_streets + street, 0
        elif action.name == name:
            paid = action.amount or 0
            street = paid if action.verb is SiteVerb.RAISE_TO else street + paid
    return earlier_streets + street


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
    has_blind_posts = any(post.kind is not PostKind.ANTE for post in hand.posts)
    players = hand.players
    acting = {action.name for action in hand.actions}
    names = [name for name in players if name in acting or players[name].won]
    if has_blind_posts or hand.stakes is None or len(names) < 2:
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
            "is all-In": _all_in,
            "shows {cards}{...}": shows,
            "doesn't show {cards}{...}": mucks,
            "does not show cards.{name} wins {amount}{chips}": _also_wins,
            "wins {amount}{chips}": wins,
            "wins {amount}{chips} {from}.{name} wins {amount}{chips} {from}": _both_win,
            "wins {amount}{chips} {from}": wins,
            "balance {text}": _balance,
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
            "Table {name}{ (Real Money)}{button?}": money_table,
            "Seat {number} is the button": button,
            "Seat {number}: {name} {(}{amount}{)}{no play}": seat,
            "seat {number}: {name} {(}{amount}{)}{no play}": seat,
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
            " (Real Money)": r" *\( ?(Real|Play) Money ?\)",
            "button?": r"(?: -- Seat ([0-9]{1,3}) is the button)?",
            "no play": r"[^\[]*",
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
