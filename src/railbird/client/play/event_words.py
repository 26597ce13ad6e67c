"""What happens at a table, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from railbird.cards import Suits, describe, format_cards, parse_cards, strength
from railbird.protocol.messages.game import (
    ActionEntry,
    BoardEntry,
    HandView,
    HistoryEntry,
    MuckEntry,
    ShowEntry,
)
from railbird.tournament.table_rules import ante_noun


def chips(amount: int) -> str:
    """Return an amount with its thousands apart.

    >>> chips(12500)
    '12,500'
    """
    return f"{amount:,}"


def cards_text(cards: Sequence[str], suits: Suits = Suits.SYMBOLS) -> str:
    """Return cards for people.

    >>> cards_text(["Td", "5h"]), cards_text(["Td", "5h"], Suits.LETTERS)
    ('T♦ 5♥', 'Td 5h')
    """
    return format_cards(parse_cards(" ".join(cards)), suits=suits, separator=" ")


def made_hand(hole: Sequence[str], board: Sequence[str]) -> str:
    """Return the hand that two cards make with a board of three or more, else nothing.

    >>> made_hand(["Ks", "Kd"], ["Kh", "5h", "5s"])
    'full house, kings full of fives'
    """
    if len(hole) + len(board) < 5:
        return ""
    return describe(strength(parse_cards(" ".join([*hole, *board]))))


def action_words(entry: ActionEntry, *, all_in: bool = False, mine: bool = False) -> str:
    """Return an action in the third person, or in the second.

    >>> action_words(ActionEntry(seat=0, verb="raise", to=60, paid=40), all_in=True)
    'raises to 60, all-in'
    >>> action_words(ActionEntry(seat=0, verb="call", paid=40), mine=True)
    'call 40'
    """
    verb = entry.verb if mine else f"{entry.verb}s"
    amount = entry.paid if entry.to is None else entry.to
    words = f" {'to ' if entry.verb == 'raise' else ''}{chips(amount)}" if entry.paid else ""
    return f"{verb}{words}{', all-in' if all_in else ''}"


def entry_words(entry: HistoryEntry, hand: HandView, suits: Suits) -> str:
    """Return a line of a hand's log; ``hand`` is the one that the event led to."""
    match entry:
        case ActionEntry(seat=seat):
            mine, all_in = seat == hand.you, hand.seats[seat].stack == 0 and entry.paid > 0
            return f"{_name(hand, seat)} {action_words(entry, all_in=all_in, mine=mine)}"
        case BoardEntry(cards=cards):
            street = {3: "flop", 4: "turn"}.get(len(hand.board), "river")
            return f"{street} {cards_text(cards, suits)}"
        case ShowEntry(seat=seat, cards=cards):
            made = made_hand(cards, hand.board)
            verb = "show" if seat == hand.you else "shows"
            words = f": {made}" if made else ""
            return f"{_name(hand, seat)} {verb} {cards_text(cards, suits)}{words}"
        case MuckEntry(seat=seat):
            return f"{_name(hand, seat)} {'muck' if seat == hand.you else 'mucks'}"
        case other:
            assert_never(other)


def _name(hand: HandView, seat: int) -> str:
    return "you" if seat == hand.you else hand.seats[seat].name


def posts_words(hand: HandView) -> str:
    """Return a hand's posts.

    >>> from types import SimpleNamespace
    >>> posts_words(SimpleNamespace(blinds=[10, 20, 0], antes=[5, 5, 5]))
    'blinds 10/20, ante 5'
    """
    posts = [chips(post) for post in sorted(post for post in hand.blinds if post)]
    ante = max(hand.antes, default=0)
    antes = f", {ante_noun(hand.antes)} {chips(ante)}" if ante else ""
    return f"blinds {'/'.join(posts)}{antes}"
