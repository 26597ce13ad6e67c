"""Hands in the words of sites that are only read, so that tests can have as many as they like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from railbird.cards import cards_of, format_card, format_cards
from railbird.game import (
    BOARD_CARDS,
    Act,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    OpenFold,
    Phase,
    Raise,
    Rules,
    Street,
    UncallableRaise,
    initial,
    limit_holdem,
    no_limit_holdem,
    step,
)
from railbird.game.actions import betting_action
from railbird.histories import HandRecord
from railbird.histories.betting import BettingReplay
from railbird.units import Seat

STREETS = ("PREFLOP", "FLOP", "TURN", "RIVER")


class Told(NamedTuple):
    """An action, or with a board the dealing of a street."""

    name: str = ""
    verb: str = ""
    paid: int = 0
    by: int = 0
    to: int = 0
    all_in: bool = False
    street: Street = Street.PREFLOP


@dataclass(frozen=True)
class Words:
    """How a site says things; braces as in `str.format`."""

    head: str
    seat: str
    ante: str
    small: str
    big: str
    late: str
    """A live post of somebody who is not in the blinds."""
    both: str
    """The same with a dead small blind."""
    deal: str
    dealt: str
    street: str
    folds: str = "{name} folds"
    checks: str = "{name} checks"
    calls: str = "{name} calls {paid}"
    bets: str = "{name} bets {paid}"
    raises: str = "{name} raises to {to}"
    shows: str = "{name} shows {cards}"
    wins: str = "{name} collected {amount}"
    returned: str = ""
    """Empty where what is won has an uncalled bet in it."""
    summary: str = ""
    after_shows: str = ""
    between: str = " "
    """Between cards."""
    excluded: bool = False
    """Whether an uncalled bet is left out of what is won without a word."""


def dollars(chips: int) -> str:
    return f"${chips / 100:.2f}" if chips % 100 else f"${chips // 100}"


def euros(chips: int) -> str:
    return f"{chips / 100:.2f}€" if chips % 100 else f"{chips // 100}€"


def plain(chips: int) -> str:
    return f"{chips:,}"


LIMITS = {Betting.LIMIT: 0, Betting.POT_LIMIT: 1, Betting.NO_LIMIT: 2}
WORDS = {
    "winamax": Words(
        head=(
            "Winamax Poker - CashGame - HandId: #{number} - Holdem {limit} limit ({stakes})"
            " - 2017/07/14 02:40:00 UTC\nTable: 'T' 9-max (real money) Seat #{button} is the button"
        ),
        seat="Seat {number}: {name} ({stack})",
        ante="{name} posts ante {amount}{all_in}",
        small="{name} posts small blind {amount}{all_in}",
        big="{name} posts big blind {amount}{all_in}",
        late="{name} posts big blind {live} out of position",
        both=(
            "{name} posts big blind {live} out of position\n"
            "{name} posts small blind {dead} out of position"
        ),
        deal="*** PRE-FLOP *** ",
        dealt="Dealt to {name} [{cards}]",
        street="*** {street} *** [{seen}][{new}]",
        calls="{name} calls {paid}{all_in}",
        bets="{name} bets {paid}{all_in}",
        raises="{name} raises {by} to {to}{all_in}",
        shows="{name} shows [{cards}] (High card : Ace)",
        wins="{name} collected {amount} from pot",
        summary="*** SUMMARY ***\nTotal pot {won} | Rake {rake}\n",
    ),
    "ggpoker": Words(
        head=(
            "Poker Hand #HD{number}: Hold'em {limit} ({stakes}) - 2023/11/02 20:15:07\n"
            "Table 'T' 9-max Seat #{button} is the button"
        ),
        seat="Seat {number}: {name} ({stack} in chips)",
        ante="{name}: posts the ante {amount}{all_in}",
        small="{name}: posts small blind {amount}{all_in}",
        big="{name}: posts big blind {amount}{all_in}",
        late="{name}: posts big blind {live}",
        both="{name}: posts missed blind {dead}\n{name}: posts big blind {live}",
        deal="*** HOLE CARDS ***",
        dealt="Dealt to {name} [{cards}]",
        street="*** {street} *** [{seen}] [{new}]",
        folds="{name}: folds",
        checks="{name}: checks",
        calls="{name}: calls {paid}{all_in}",
        bets="{name}: bets {paid}{all_in}",
        raises="{name}: raises {by} to {to}{all_in}",
        shows="{name}: shows [{cards}] (Ace-High)",
        wins="{name} collected {amount} from pot",
        returned="Uncalled bet ({amount}) returned to {name}",
        summary="*** SUMMARY ***\nTotal pot {pot} | Rake {rake} | Jackpot {nothing}\n",
    ),
    "full-tilt": Words(
        head="Full Tilt Poker Game #{number}: Table T - {limit} Hold'em - {stakes}"
        " - 19:01:12 ET - 2014/01/05",
        seat="Seat {number}: {name} ({stack})",
        ante="{name} antes {amount}{comma_all_in}",
        small="{name} posts the small blind of {amount}{comma_all_in}",
        big="{name} posts the big blind of {amount}{comma_all_in}",
        late="{name} posts {live}",
        both="{name} posts a dead small blind of {dead}\n{name} posts {live}",
        deal="The button is in seat #{button}\n*** HOLE CARDS ***",
        dealt="Dealt to {name} [{cards}]",
        street="*** {street} *** [{seen}] [{new}] (Total Pot: $1, 2 Players)",
        calls="{name} calls {paid}{comma_all_in}",
        bets="{name} bets {paid}{comma_all_in}",
        raises="{name} raises to {to}{comma_all_in}",
        shows="{name} shows [{cards}] Ace high",
        wins="{name} wins the pot ({amount})",
        returned="Uncalled bet of {amount} returned to {name}",
        summary="*** SUMMARY ***\nTotal pot {pot} | Rake {rake}\n",
    ),
    "partypoker": Words(
        head=(
            "***** Hand History for Game {number} *****\n"
            "{stakes} USD {limit} Texas Hold'em - Sunday, January 05, 19:48:45 EST 2014\n"
            "Table T (Real Money)\nSeat {button} is the button"
        ),
        seat="Seat {number}: {name} ( {stack} USD )",
        ante="{name} posts ante [{amount} USD].",
        small="{name} posts small blind [{amount} USD].",
        big="{name} posts big blind [{amount} USD].",
        late="{name} posts big blind [{live} USD].",
        both="{name} posts big blind + dead [{all}].",
        deal="** Dealing down cards **",
        dealt="Dealt to {name} [  {cards} ]",
        street="** Dealing {title} ** [ {new} ]",
        calls="{name} calls [{paid} USD]",
        bets="{name} bets [{paid} USD]",
        raises="{name} raises [{paid} USD]",
        shows="{name} shows [ {cards} ]high card, Ace.",
        wins="{name} wins {amount} USD from the main pot with high card, Ace.",
        between=", ",
    ),
    "pacific": Words(
        head=(
            "***** 888poker Hand History for Game {number} *****\n"
            "{stakes} Blinds {limit} Limit Holdem - *** 06 01 2014 13:39:55\n"
            "Table T 9 Max (Real Money)\nSeat {button} is the button"
        ),
        seat="Seat {number}: {name} ( {stack} )",
        ante="{name} posts ante [{amount}]",
        small="{name} posts small blind [{amount}]",
        big="{name} posts big blind [{amount}]",
        late="{name} posts dead blind [$0 + {live}]",
        both="{name} posts dead blind [{dead} + {live}]",
        deal="** Dealing down cards **",
        dealt="Dealt to {name} [ {cards} ]",
        street="** Dealing {lower} ** [ {new} ]",
        calls="{name} calls [{paid}]",
        bets="{name} bets [{paid}]",
        raises="{name} raises [{paid}]",
        shows="{name} shows [ {cards} ]",
        wins="{name} collected [ {amount} ]",
        after_shows="** Summary **\n",
        between=", ",
        excluded=True,
    ),
}
BETTINGS = {
    "winamax": ("fixed", "pot", "no"),
    "ggpoker": ("Fixed Limit", "Pot Limit", "No Limit"),
    "full-tilt": ("FL", "PL", "NL"),
    "partypoker": ("FL", "PL", "NL"),
    "pacific": ("Fix", "Pot", "No"),
}


def told(hand: HandRecord) -> list[Told]:
    """The actions of a hand and its streets, in order."""
    walk = BettingReplay(hand.rules)
    line: list[Told] = []

    def deal() -> None:
        while walk.board_is_due:
            walk.deal()
            line.append(Told(street=walk.state.street))

    for action in hand.actions:
        deal()
        state = walk.state
        seat = state.actor
        assert seat is not None
        stack = None if state.stacks is None else state.stacks[seat]
        name = hand.players[seat]
        match betting_action(action):
            case Fold():
                line.append(Told(name, "folds"))
            case Call():
                verb, paid = ("calls", state.to_call) if state.to_call else ("checks", 0)
                line.append(Told(name, verb, paid, all_in=bool(paid) and paid == stack))
            case Raise(to):
                paid = to - state.street_bets[seat]
                verb = "raises" if state.bet else "bets"
                by = to - state.bet
                line.append(Told(name, verb, paid, by, to, all_in=paid == stack))
        walk.act(action)
    deal()
    return line


def played(hand: HandRecord) -> HandState:
    """The end of the betting."""
    walk = BettingReplay(hand.rules)
    for action in hand.actions:
        while walk.board_is_due:
            walk.deal()
        walk.act(action)
    return walk.state


def won_and_returned(hand: HandRecord) -> tuple[list[int], list[int]]:
    """What everyone got from the pots, and what nobody called of the highest bet."""
    state = played(hand)
    put_in = state.spent
    rules = hand.rules
    antes = rules.antes or (0,) * rules.seats
    stacks = rules.stacks or put_in
    live = [
        max(antes) + chips - ante if stack >= ante else chips
        for chips, ante, stack in zip(put_in, antes, stacks, strict=True)
    ]
    second = sorted(live)[-2]
    back = [
        max(0, chips - second) if seat in state.in_hand else 0 for seat, chips in enumerate(live)
    ]
    got = [int(p) + s - b for p, s, b in zip(hand.payoffs, put_in, back, strict=True)]
    return got, back


def site_text(site: str, hand: HandRecord, *, money: Callable[[int], str] = dollars) -> str:
    """A hand as the site writes it, for cents."""
    if site == "ipoker":
        return session(hand)
    words, rules = WORDS[site], hand.rules
    money = euros if site == "winamax" else money
    button = rules.seats
    numbers = {name: seat + 1 for seat, name in enumerate(hand.players)}
    big = rules.bet_sizes[1] if rules.betting is not Betting.LIMIT else rules.bet_sizes[0]
    small = rules.bet_sizes[0] if rules.betting is Betting.LIMIT else rules.blinds[0] or big // 2
    small = small if rules.seats > 2 or rules.betting is Betting.LIMIT else min(rules.blinds)
    stakes = (small, rules.bet_sizes[2]) if rules.betting is Betting.LIMIT else (small, big)
    if site == "pacific" and rules.betting is Betting.LIMIT:
        stakes = (big // 2, big)
    base = {
        "number": hand.number,
        "button": button,
        "limit": BETTINGS[site][LIMITS[rules.betting]],
        "stakes": "/".join(map(money, stakes)),
    }
    text = words.head.format(**base) + "\n"
    assert rules.stacks is not None
    for name, stack in zip(hand.players, rules.stacks, strict=True):
        text += words.seat.format(number=numbers[name], name=name, stack=money(stack)) + "\n"
    text += posts(words, hand, money)
    text += words.deal.format(**base) + "\n"
    board = [format_card(card) for card in hand.board]
    for each in told(hand):
        if not each.name:
            seen, up_to = BOARD_CARDS[each.street - 1], BOARD_CARDS[each.street]
            line = (
                words.street if seen else words.street.replace("[{seen}]", "").replace("  [", " [")
            )
            street = STREETS[each.street]
            text += line.format(
                street=street,
                title=street.title(),
                lower=street.lower(),
                seen=words.between.join(board[:seen]),
                new=words.between.join(board[seen:up_to]),
            )
        else:
            text += getattr(words, each.verb).format(
                name=each.name,
                paid=money(each.paid),
                by=money(each.by),
                to=money(each.to),
                all_in=" and is all-in" * each.all_in,
                comma_all_in=", and is all in" * each.all_in,
            )
        text += "\n"
    return text + ending(words, hand, money) + "\n\n"


class Posted(NamedTuple):
    """What somebody posts; ``kind`` is the field of `Words` that says it."""

    name: str
    kind: str
    live: int
    dead: int
    all_in: bool


def posted(hand: HandRecord) -> list[Posted]:
    """The posts of a hand: an ante of everybody, the blinds, those who came late."""
    rules = hand.rules
    antes: tuple[int, ...] = rules.antes or (0,) * rules.seats
    assert rules.stacks is not None
    everybody = all(antes)
    left: list[int] = list(rules.stacks)
    found: list[Posted] = []
    for seat, name in enumerate(hand.players if everybody else ()):
        paid = min(antes[seat], left[seat])
        left[seat] -= paid
        found.append(Posted(name, "ante", paid, 0, not left[seat]))
    small, big = (1, 0) if rules.seats == 2 else (0, 1)
    for seat in [small, big, *range(2, rules.seats)]:
        paid = min(rules.blinds[seat], left[seat])
        dead = 0 if everybody else antes[seat]
        kind = {small: "small", big: "big"}.get(seat, "both" if dead else "late")
        if paid:
            found.append(Posted(hand.players[seat], kind, paid, dead, paid == left[seat]))
    return found


def posts(words: Words, hand: HandRecord, money: Callable[[int], str]) -> str:
    text = ""
    for post in posted(hand):
        line: str = getattr(words, post.kind)
        text += line.format(
            name=post.name,
            amount=money(post.live),
            live=money(post.live),
            dead=money(post.dead),
            all=money(post.live + post.dead),
            all_in=" and is all-in" * post.all_in,
            comma_all_in=", and is all in" * post.all_in,
        )
        text += "\n"
    return text


def ending(words: Words, hand: HandRecord, money: Callable[[int], str]) -> str:
    text = words.after_shows
    got, back = won_and_returned(hand)
    for seat, hole in enumerate(hand.holes):
        if hole is not None:
            low, high = sorted(cards_of(hole))
            pair = (low, high) if hand.low_first >> seat & 1 else (high, low)
            cards = words.between.join(map(format_card, pair))
            text += words.shows.format(name=hand.players[seat], cards=cards) + "\n"
    for name, amount, extra in zip(hand.players, got, back, strict=True):
        if words.returned and extra:
            text += words.returned.format(name=name, amount=money(extra)) + "\n"
        if not words.returned and not words.excluded:
            amount += extra
        if amount:
            text += words.wins.format(name=name, amount=money(amount)) + "\n"
    won, rake = sum(got), int(hand.rake)
    return text + words.summary.format(
        won=money(won + sum(back)), pot=money(won + rake), rake=money(rake), nothing=money(0)
    )


def session(hand: HandRecord) -> str:
    """A hand as a session of iPoker."""
    rules = hand.rules
    got, back = won_and_returned(hand)
    limit = {Betting.LIMIT: "L", Betting.POT_LIMIT: "PL", Betting.NO_LIMIT: "NL"}[rules.betting]
    big = max(rules.bet_sizes[:2]) if rules.betting is Betting.LIMIT else rules.bet_sizes[1]
    stakes = (big, 2 * big) if rules.betting is Betting.LIMIT else (min(rules.blinds[:2]), big)
    assert rules.stacks is not None
    text = (
        '<session sessioncode="1"><general>'
        f"<gametype>Holdem {limit} {'/'.join(map(dollars, stakes))}</gametype>"
        f'<tablename>T</tablename></general>\n<game gamecode="{hand.number}"><general>'
        "<startdate>2014-01-06 17:11:41</startdate><players>\n"
    )
    for seat, name in enumerate(hand.players):
        text += (
            f'<player seat="{seat + 1}" name={quoteattr(name)}'
            f' chips="{dollars(rules.stacks[seat])}" dealer="{int(seat == rules.seats - 1)}"'
            f' win="{dollars(got[seat] + back[seat])}" bet="$0" />\n'
        )
    text += '</players></general>\n<round no="0">\n'
    number = 0

    def action(name: str, kind: int, chips: int) -> str:
        nonlocal number
        number += 1
        return (
            f'<action no="{number}" player={quoteattr(name)} type="{kind}"'
            f' sum="{dollars(chips)}" />\n'
        )

    kinds = {"ante": 15, "small": 1, "big": 2, "late": 2, "both": 2}
    for post in posted(hand):
        text += action(post.name, kinds[post.kind], post.live + post.dead)
    text += '</round>\n<round no="1">\n'
    for seat, hole in enumerate(hand.holes):
        pair = () if hole is None else cards_of(hole)
        if hole is not None:
            low, high = sorted(pair)
            pair = (low, high) if hand.low_first >> seat & 1 else (high, low)
        cards = " ".join(map(suit_first, map(format_card, pair))) or "X X"
        text += f'<cards type="Pocket" player={quoteattr(hand.players[seat])}>{cards}</cards>\n'
    board = [suit_first(format_card(card)) for card in hand.board]
    for each in told(hand):
        if not each.name:
            seen, up_to = BOARD_CARDS[each.street - 1], BOARD_CARDS[each.street]
            text += f'</round>\n<round no="{each.street + 1}">\n'
            text += f'<cards type="{STREETS[each.street].title()}" player="">'
            text += f"{' '.join(board[seen:up_to])}</cards>\n"
            continue
        kind = {"folds": 0, "checks": 4, "calls": 3, "bets": 5, "raises": 23}[each.verb]
        kind = 7 if each.all_in else kind
        text += action(each.name, kind, each.to if kind == 23 else each.paid)
    return f"{text}</round>\n</game></session>\n"


def suit_first(card: str) -> str:
    """The seven of hearts as H7."""
    return card[1].upper() + card[0].replace("T", "10")


# Hands as the IRC poker database tells them, so that its reader can be tested at length.


def irc_rules(rng: np.random.Generator, *, betting: Betting = Betting.LIMIT) -> Rules:
    """A table; heads-up too the small blind may act first, as the bot on IRC dealt it."""
    seats = int(rng.integers(2, 10))
    stacks = rng.integers(300, 2000, seats).tolist()
    rules = (
        limit_holdem(seats, max_raises=None, stack=stacks)
        if betting is Betting.LIMIT
        else no_limit_holdem(seats, blinds=(5, 10), stack=stacks)
    )
    rules = replace(rules, open_fold=OpenFold.ALLOWED, uncallable_raise=UncallableRaise.ALLOWED)
    if rng.integers(2):
        return rules
    blinds = tuple(sorted(rules.blinds[:2])) + rules.blinds[2:]
    return replace(
        rules,
        blinds=blinds,
        first_to_act=(Seat(2 % seats), Seat(0), Seat(0), Seat(0)),
    )


def irc_text(hand: HandRecord, time: int) -> str:
    """The three files' lines of a hand, one file's after the other's."""
    rules = hand.rules
    assert rules.stacks is not None
    state = step(initial(rules), DealHoles((None,) * rules.seats))
    deeds = [["B" if blind else "", "", "", ""] for blind in rules.blinds]
    pots: list[str] = []
    actions = iter(hand.actions)
    while state.phase in (Phase.BETTING, Phase.DEAL_BOARD):
        if state.phase is Phase.DEAL_BOARD:
            pots.append(f"{len(state.in_hand)}/{state.pot}")
            size, more = BOARD_CARDS[state.street : state.street + 2]
            state = step(state, DealBoard(hand.board[size:more]))
            continue
        assert state.actor is not None
        action = next(actions)
        match action:
            case Fold():
                letter = "f"
            case Call():
                letter = "c" if state.to_call else "k"
            case _:
                letter = "r" if state.bet else "b"
        street, seat = state.street, state.actor
        state = step(state, Act(seat, action))
        if state.stacks is not None and letter in "cbr" and state.stacks[seat] == 0:
            letter = "A"
        deeds[seat][street] += letter
    if len(state.in_hand) > 1:
        pots.append(f"{len(state.in_hand)}/{state.pot}")
    pots += ["0/0"] * (4 - len(pots))
    board = format_cards(hand.board, separator=" ")
    head = f"{time} 1 {hand.number} {rules.seats} {' '.join(pots)} {board}".rstrip()
    lines = [head, f"{time} {rules.seats} {' '.join(hand.players)}"]
    for place, name in enumerate(hand.players):
        streets = " ".join(text or "-" for text in deeds[place])
        won = hand.payoffs[place] + state.spent[place]
        line = f"{name} {time} {rules.seats} {place + 1} {streets}"
        line += f" {rules.stacks[place]} {state.spent[place]} {won}"
        hole = hand.holes[place]
        if hole is not None:
            low, high = sorted(cards_of(hole))
            cards = (low, high) if hand.low_first >> place & 1 else (high, low)
            line += f" {format_card(cards[0])} {format_card(cards[1])}"
        lines.append(line)
    return "\n".join([*lines, ""])


# What of a page's text is beside the window, where nobody can read it.


CUT = """() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  const beside = ({ left, right, width }) => width && (left < -0.5 || right > innerWidth + 0.5);
  // It can be read all the same where it scrolls, and where that can be seen: by a shadow.
  const scrolls = (box) => {
    const style = getComputedStyle(box);
    return style.overflowX === "auto" && style.backgroundImage.includes("gradient")
      && box.scrollWidth > box.clientWidth && !beside(box.getBoundingClientRect());
  };
  const cut = [];
  for (const element of document.querySelectorAll("main *, body > header *")) {
    if (!element.checkVisibility() || element.closest(".unseen, .skip, thead[role]")) continue;
    const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    for (const text of own) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const box = element.closest(".scroll");
      if ([...range.getClientRects()].some(beside) && !(box && scrolls(box))) cut.push(text.data);
    }
  }
  return cut;
}"""
