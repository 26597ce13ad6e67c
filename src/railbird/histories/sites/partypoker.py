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

from railbird.cards import HOLDEM
from railbird.game import Betting
from railbird.game.reported import NOT_STATED
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import (
    AMOUNT,
    ANY_AMOUNT,
    Conventions,
    LateSmallBlind,
    Uncalled,
    currency_in,
)
from railbird.histories.sites.other_games import other_game, refused_game
from railbird.histories.sites.pokerstars_head import is_another_game
from railbird.histories.sites.replay import (
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
    Acts,
    LineTable,
    SiteText,
    button,
    dealt,
    hole_in,
    money_table,
    mucks,
    posts,
    quiet,
    shows,
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
from railbird.units import Chips

_NUMBER: Final = re.compile(rf"Game ({NUMBER}) \*")
_GAME: Final = re.compile(
    r"(.*?)(?:(NL|PL|FL) +)?((?:Texas )?Hold'?em|(?:[56][ -]Card )?Omaha(?: ?Hi[-/ ]?Lo)?)\b"
    r"(?:.*\((NL|PL|FL)\))?"
)
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
        raise refused_game(line.partition(" - ")[0])
    if other_words := _BEFORE_GAME.sub("", game[1], count=1):
        if other_words.replace(" ", "").isalpha():
            raise refused_game(line.partition(" - ")[0])
        raise BadHand(SkipReason.UNREADABLE, repr(line.partition(" - ")[0][:60]))
    hand = SiteHand(
        number=hand_number(number[1]) if number else HandNumber(),
        betting=_BETTINGS[game[2] or game[4]],
        variant=HOLDEM if "old" in game[3] else other_game(game[3], game[2] or game[4] or ""),
        currency=currency_in(line.split(" - ")[0].split("Hold")[0]) or _currency(lines),
        played_at=_moment(line),
    )
    if _TOURNAMENT.search(line):
        _tournament(hand)
    _level(hand, line)
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
        hand.play_for(hand.units(small), hand.units(big))
    elif level := _LEVEL.search(text):
        raise BadHand(SkipReason.UNREADABLE, repr(level[0]))


def _tournament(hand: SiteHand, *_: str) -> None:
    hand.not_for_money()
    hand.tournament = True


def _blinds(hand: SiteHand, text: str) -> None:
    _level(hand, f"Blinds{text}")


def _balance(hand: SiteHand, player: SitePlayer, text: str) -> None:
    """Take a line of an e-mailed hand's summary: chips bet and collected, and cards."""
    name = player.name
    if result := _RESULT.match(text):
        balance, lost, _, collected, sign, net = result.groups()
        player.won += hand.amount(collected or "0")
        gained = hand.amount(net) * (-1 if sign == "-" else 1) if net else -hand.amount(lost or "0")
        player.said_result = gained
        hand.results_said = True
        if (
            abs(hand.amount(balance) - player.stack - gained)
            > hand.notation.scale * hand.tournament
        ):
            raise BadHand(SkipReason.WRONG_PAYOFF, f"{name[:40]} has {balance} in the end")
    else:
        raise BadHand(SkipReason.UNREADABLE, f"{name[:40]} balance{text[:60]}")
    if cards := _CARDS.search(text):
        shows(hand, player, hole_in(cards[1], hand.notation))


_RESULT: Final = re.compile(
    rf" ?{AMOUNT}, (?:didn't bet|lost {AMOUNT}"
    rf"|bet {AMOUNT}, collected {AMOUNT}, net ([+-]?) ?{AMOUNT})(?=[ \[]|$)"
)
_CARDS: Final = re.compile(r"\[ ?([^] ]{2,3}(?:, [^] ]{2,3}){1,5}) ?\]")


def _rake(hand: SiteHand, text: str) -> None:
    rakes = _RAKE.findall(text)
    if rakes:
        hand.rake = (hand.rake or 0) + sum(map(hand.amount, rakes))


_RAKE: Final = re.compile(rf"Rake: {AMOUNT}")


def _also_wins(hand: SiteHand, _: SitePlayer, name: str, amount: Chips) -> None:
    wins(hand, hand.player(name), amount)


def _both_win(hand: SiteHand, player: SitePlayer, amount: Chips, other: str, others: Chips) -> None:
    wins(hand, player, amount)
    wins(hand, hand.player(other), others)


def _puts_all_in(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    hand.act(player, *SiteVerb.PUT_IN.row(amount))
    player.all_in = True


def _all_in(hand: SiteHand, player: SitePlayer) -> None:
    """Take an all-in told beside its amount, which newer programs round as they do a stack.

    A chip of the stack that they round away for each amount is nobody's to bet.
    """
    put_in = _total_put_in(hand, player)
    acts = sum(action.player is player for action in hand.actions)
    if 0 < player.stack - put_in <= hand.notation.scale * acts:
        player.stack = Chips(put_in)


def _total_put_in(hand: SiteHand, player: SitePlayer) -> int:
    """Return the chips that a player put in, also where raises state the total of the street."""
    earlier_streets, street = 0, 0
    for post in hand.posts:
        if post.player is player and post.kind is PostKind.ANTE:
            earlier_streets += post.amount
        elif post.player is player:
            street += post.amount
    for action in hand.actions:
        if action.player is None:
            earlier_streets, street = earlier_streets + street, 0
        elif action.player is player:
            paid = max(action.amount, 0)
            street = street + paid if action.to == NOT_STATED else action.to
    return earlier_streets + street


def _joins(hand: SiteHand, name: str) -> None:
    """Let in a player who comes after the list of seats, and mostly waits for the next hand."""
    if name not in hand.players:
        hand.take_seat(name, 0, Chips(0))


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
    players = hand.players.values()
    came = [player for player in players if player.dealt_in and not player.stack]
    if not came:
        return
    deepest = max(player.stack for player in players)
    acting = [action.player for action in hand.actions if action.player is not None]
    order = list(dict.fromkeys([*acting, *[post.player for post in hand.posts]]))
    taken = {player.number for player in players if player.dealt_in}
    for player in sorted(came, key=order.index):
        put_in = _put_in(hand, player)
        player.stack = Chips(put_in if player.all_in else max(deepest, put_in))
        if player.number == 0:
            before = order[order.index(player) - 1].number
            player.number = before + 1
            if before == 0 or player.number in taken:
                detail = f"{player.name[:40]!r} joins, but no seat is free"
                raise BadHand(SkipReason.UNREADABLE, detail)
            taken.add(player.number)


def _put_in(hand: SiteHand, player: SitePlayer) -> int:
    """Return the chips that a player put in; in these texts all amounts are such chips."""
    posted = sum(post.amount for post in hand.posts if post.player is player)
    paid = [max(action.amount, 0) for action in hand.actions if action.player is player]
    return posted + sum(paid)


def _posts_unsaid(hand: SiteHand) -> None:
    """Let the seats left of the button post a tournament's blinds if no line tells who does.

    Players who neither act nor win were not dealt in: they have left, or not yet arrived.
    """
    has_blind_posts = any(post.kind is not PostKind.ANTE for post in hand.posts)
    acting = {action.player for action in hand.actions}
    players = [player for player in hand.players.values() if player in acting or player.won]
    if has_blind_posts or hand.stakes is None or len(players) < 2:
        return
    players.sort(key=lambda player: (player.number <= hand.button, player.number))
    if len(players) == 2 and players[1].number == hand.button:
        players.reverse()
    small, big = hand.stakes
    if hand.betting is Betting.LIMIT:
        small, big = Chips(small // 2), small
    antes = {post.player: post.amount for post in hand.posts}
    blinds = ((PostKind.SMALL_BLIND, small), (PostKind.BIG_BLIND, big))
    for player, (kind, amount) in zip(players, blinds, strict=False):
        left = player.stack - antes.get(player, 0)
        hand.post(player, kind, Chips(min(amount, left)), all_in=left <= amount)


SITE: Final = SiteText(
    header=re.compile(r"\*{5} Hand History [Ff]or Game [0-9]"),
    mark="Game ",
    begin=_begin,
    head=2,
    players=LineTable(
        {
            "posts ante {of}{[}{amount}{]}": posts(PostKind.ANTE),
            "posts small blind {[}{amount}{]}": posts(PostKind.SMALL_BLIND),
            "posts big blind {[}{amount}{]}": posts(PostKind.BIG_BLIND),
            "posts big blind + dead {[}{amount}{]}": posts(PostKind.BOTH_BLINDS),
            "posts dead {blind}{[}{amount}{]}": posts(PostKind.DEAD_BLIND),
            "folds": FOLDS,
            "checks": CHECKS,
            "calls {[}{amount}{]}": CALLS,
            "bets {[}{amount}{]}": Acts(SiteVerb.RAISE_BY),
            "raises {[}{amount}{]}": Acts(SiteVerb.PUT_IN),
            "raises {any amount} to {amount}": Acts(SiteVerb.RAISE_TO),
            "is all-In {[}{amount}{]}": _puts_all_in,
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
            "Table {name}{ (Real Money)}{number?}": money_table,
            "Seat {number} is the button": button,
            "{name} has joined the table{.}": _joins,
            "Trny:{...}": _tournament,
            "Blinds{text}": _blinds,
            "Stakes{text}": _blinds,
            "Main Pot: {text}": _rake,
            "Side Pot {text}": _rake,
            "Dealt to {name} {cards}": dealt,
        },
        **{
            " (Real Money)": r" *\( ?(Real|Play) Money ?\)",
            "number?": r"(?: -- Seat ([0-9]{1,3}) is the button)?",
            "text": "(.*)",
            ".": r"\.?",
        },
    ),
    streets={f"** Dealing {street.title()} **": size for street, size in BOARD_SIZES.items()},
    stack=LineTable(
        {"{ }{amount}{)}{no play}": quiet}, **{" ": " *", ")": r" *\)", "no play": r"[^\[]*"}
    ),
    finish=_finish,
    conventions=Conventions(
        site="partypoker", uncalled=Uncalled.INCLUDED, late_small_blind=LateSmallBlind.LIVE
    ),
)
