"""Hands of an ACPC log read from bytes, replayed and checked without creating Python objects.

The kernel reads only lines that are exactly as the ACPC's dealer writes them. At any other line it
stops, and the reader of `railbird.histories.acpc.log` decides. So both accept the same hands, and
only one of them explains errors.
"""

# An ACPC log has a hand a line, and matches have millions of them. In Python a line becomes many
# objects; here it is walked once, byte by byte, with the engine stepping along, and its columns are
# written directly (docs/speed.md has both speeds).
#
# The kernel is not a second parser with rules of its own. It accepts a line only if it is exactly
# what the dealer writes and the engine agrees with every action, every card and every payoff;
# anything else (a comment, a cut line, a hand that does not add up, names not met before) stops it
# at the line's beginning. `read` then has that line in Python, where the error is put into words,
# and calls the kernel again for what follows. So to accept less here costs time only. To accept
# more would let hands through that the other reader refuses.
#
# Names are found by a hash of their bytes, and a new field of names stops the kernel too: making a
# string needs Python, and happens once for each such field.
#
# A hand's betting is replayed for the columns of `Answers` as well, so the replay that checks the
# hand is the one that fills them.
#
# The bounds of digits are what an int64 holds. In `pays` twice the payoff is multiplied by a
# million, which fits below 2 ** 42, and an amount has at most twelve digits before and six after
# the point; totals of raises have at most fifteen.
#
# Who would notice: tests/histories/test_columns.py compares both readers on logs, on damaged ones
# and on split pots; tests/oracles/test_acpc_dealer.py reads the dealer's own logs;
# tests/histories/test_real_logs.py reads larger ones.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.tables import HOLDING_INDEX
from railbird.game import kernels as at
from railbird.game.kernels import (
    act_if_allowed,
    begin_street,
    block_of,
    copy,
    muck_unknown,
    next_street,
    take_card,
    take_holding,
)
from railbird.game.walk_kernels import Answers, note_action

# Why the kernel stopped.
END = 0
"""No whole line is left."""
OTHER_LINE = 1
"""A line left to the other reader."""
NEW_NAMES = 2
"""The hand is valid, but its field of names is new."""
FULL = 3
"""No room for another hand."""

_COLON = ord(":")
_BAR = ord("|")
_SLASH = ord("/")
_NEWLINE = ord("\n")
_ZERO = ord("0")
_FIELDS = 5
_MILLION = 1_000_000


def _card_codes() -> np.ndarray:
    """Cards by rank letter * 256 + suit letter; 255 for none."""
    table = np.full(1 << 16, 255, dtype=np.uint8)
    for r, rank in enumerate("23456789TJQKA"):
        for s, suit in enumerate("cdhs"):
            table[ord(rank) << 8 | ord(suit)] = 4 * r + s
    return table


_CARD = _card_codes()


class Log(NamedTuple):
    """A piece of a log and the game it is of."""

    text: np.ndarray
    """(bytes,) uint8."""
    opened: np.ndarray
    """int64, the engine's vector before any card."""
    largest_blind: int
    """Chips."""
    known: np.ndarray
    """(slots,) int64, an open-addressed table of fields of names: index + 1, or 0."""
    known_start: np.ndarray
    """(fields + 1,) int64, where each known field begins in ``known_text``."""
    known_text: np.ndarray
    """uint8, the known fields end to end."""


class Columns(NamedTuple):
    """The hands read, one element each; see `railbird.histories.columns.HandBatch`."""

    start: np.ndarray
    action: np.ndarray
    number: np.ndarray
    holding: np.ndarray
    low_first: np.ndarray
    board: np.ndarray
    dealt: np.ndarray
    payoff: np.ndarray
    names: np.ndarray
    """int32, the index of the known field of names."""
    line: np.ndarray


@inline_kernel
def hash_of(text: np.ndarray, first: int, end: int) -> int:
    """FNV-1a: names are short, and a hash by the byte is as fast as any there."""
    value = np.uint64(14695981039346656037)
    for i in range(first, end):
        value = (value ^ np.uint64(text[i])) * np.uint64(1099511628211)
    return int(value >> np.uint64(1))


@inline_kernel
def find_names(log: Log, first: int, end: int) -> int:
    """Return the number of a field of names, -1 if it is new."""
    slots = len(log.known)
    slot = hash_of(log.text, first, end) % slots
    while log.known[slot] != 0:
        index = int(log.known[slot]) - 1
        begin = log.known_start[index]
        if log.known_start[index + 1] - begin == end - first:
            same = True
            for i in range(end - first):
                if log.known_text[begin + i] != log.text[first + i]:
                    same = False
                    break
            if same:
                return index
        slot = (slot + 1) % slots
    return -1


@uncounted_kernel
def add_names(known: np.ndarray, text: np.ndarray, first: int, end: int, index: int) -> None:
    """Enter a field of names, the bytes from ``first`` to ``end``, under its number."""
    slots = len(known)
    slot = hash_of(text, first, end) % slots
    while known[slot] != 0:
        slot = (slot + 1) % slots
    known[slot] = index + 1


@inline_kernel
def read_card(text: np.ndarray, i: int, end: int) -> int:
    """Return the card at a place, 255 if there is none."""
    card = 255
    if i + 1 < end:
        card = int(_CARD[np.int64(text[i]) << 8 | np.int64(text[i + 1])])
    return card


@inline_kernel
def read_cards(text: np.ndarray, first: int, end: int, hand: np.ndarray, cards: np.ndarray) -> int:
    """Give every seat its holding and put the board into ``cards``.

    Returns the board's size plus 8 times a mask of who got the lower card first, or -1.
    """
    seats = hand[at.SEATS]
    i = first
    low_first = 0
    for seat in range(seats):
        if i < end and text[i] != _BAR and text[i] != _SLASH:
            first_card = read_card(text, i, end)
            second_card = read_card(text, i + 2, end)
            if first_card == 255 or second_card == 255 or first_card == second_card:
                return -1
            if take_holding(hand, seat, int(HOLDING_INDEX[first_card, second_card])) != 0:
                return -1
            low_first |= (first_card < second_card) << seat
            i += 4
        if seat + 1 < seats:
            if i >= end or text[i] != _BAR:
                return -1
            i += 1
    size = 0
    while i < end:
        if text[i] != _SLASH or size == 5:
            return -1
        i += 1
        for _ in range(3 if size == 0 else 1):
            card = read_card(text, i, end)
            if card == 255:
                return -1
            cards[size] = card
            size += 1
            i += 2
    return size + 8 * low_first


@inline_kernel
def read_betting(
    log: Log,
    first: int,
    end: int,
    hand: np.ndarray,
    cards: np.ndarray,
    size: int,
    out: Columns,
    answers: Answers,
    used: int,
) -> int:
    """Replay a betting text; return where the hand's actions end, or -1."""
    text = log.text
    sized = hand[at.BETTING] != at.LIMIT
    total = log.largest_blind
    earlier_total = 0
    begin_street(hand)
    i = first
    while i < end:
        letter = text[i]
        i += 1
        if letter == _SLASH:
            if hand[at.PHASE] != at.DEALING_BOARD:
                return -1
            dealt = hand[at.BOARD_SIZE]
            due = max(dealt + 1, 3)
            if due > size:
                return -1
            for k in range(dealt, due):
                if take_card(hand, int(cards[k])) != 0:
                    return -1
            next_street(hand)
            begin_street(hand)
            earlier_total = total
            continue
        if hand[at.PHASE] != at.BETTING_ROUND:
            return -1
        action = at.CALL
        if letter == ord("f"):
            action = at.FOLD
        elif letter == ord("r"):
            if sized:
                # The log writes what a seat has put in during the hand, the engine counts by
                # street.
                total = 0
                digits = 0
                while i < end and _ZERO <= text[i] <= _ZERO + 9:
                    total = 10 * total + int(text[i]) - _ZERO
                    digits += 1
                    i += 1
                if digits == 0 or digits > 15 or total <= earlier_total:
                    return -1
                action = total - earlier_total
            else:
                action = int(hand[at.LOW_TO])
        elif letter != ord("c"):
            return -1
        note_action(hand, action, answers, used)
        if act_if_allowed(hand, action) != 0:
            return -1
        out.action[used] = action
        used += 1
    if hand[at.PHASE] < at.SHOWDOWN or hand[at.BOARD_SIZE] != size:
        return -1
    if hand[at.PHASE] == at.SHOWDOWN:
        muck_unknown(hand)
    if hand[at.SETTLED] == 0:
        return -1
    return used


@inline_kernel
def pays(text: np.ndarray, first: int, end: int, hand: np.ndarray) -> bool:
    """Return whether a field of amounts is what the rules pay, rounded to six decimals."""
    seats = hand[at.SEATS]
    denominator = hand[at.DENOMINATOR]
    i = first
    for seat in range(seats):
        negative = i < end and text[i] == ord("-")
        i += negative
        amount = np.int64(0)
        digits = 0
        while i < end and _ZERO <= text[i] <= _ZERO + 9:
            amount = 10 * amount + np.int64(text[i]) - _ZERO
            digits += 1
            i += 1
        if digits == 0 or digits > 12:
            return False
        amount *= _MILLION
        if i < end and text[i] == ord("."):
            i += 1
            worth = _MILLION // 10
            while i < end and _ZERO <= text[i] <= _ZERO + 9 and worth > 0:
                amount += (np.int64(text[i]) - _ZERO) * worth
                worth //= 10
                i += 1
        if negative:
            amount = -amount
        paid = hand[block_of(seat) + at.PAYOFF]
        if abs(paid) >= 1 << 42:  # twice as much times a million still fits 64 bits
            return False
        # Rounding half up in integers: a float would be wrong in the last decimals of large
        # amounts.
        if (2 * paid * _MILLION + denominator) // (2 * denominator) != amount:
            return False
        if seat + 1 < seats:
            if i >= end or text[i] != _BAR:
                return False
            i += 1
    return i == end


@kernel
def read_hands(
    log: Log,
    position: int,
    line: int,
    scratch: np.ndarray,
    hands: int,
    out: Columns,
    answers: Answers,
) -> tuple[int, int, int, int]:
    """Read hands from ``position`` on, appending them to the ``hands`` already in the columns.

    ``line`` is the number of the line there, ``scratch`` one `SCRATCH` record of the engine's.
    Returns why it stopped, where, at which line, and how many hands the columns now hold.
    """
    text = log.text
    seats = log.opened[at.SEATS]
    hand = scratch[0]["hand"][:]  # a plain array, for which the engine is compiled anyway
    cards = scratch[0]["cards"]
    width = len(log.opened)
    colon = np.zeros(_FIELDS, dtype=np.int64)
    length = len(text)
    while True:
        end = position
        fields = 0
        while end < length and text[end] != _NEWLINE:
            if text[end] == _COLON and fields < _FIELDS:
                colon[fields] = end
                fields += 1
            end += 1
        if end == length:
            return END, position, line, hands
        # The columns are lengthened outside, and this function goes on at the same line.
        if hands == len(out.number):
            return FULL, position, line, hands
        # A kernel reads plain hands alone. Any other line is left to the slower reader, which says
        # what is wrong with it.
        if (
            fields < _FIELDS
            or colon[0] - position != 5
            or text[position] != ord("S")
            or text[position + 1] != ord("T")
            or text[position + 2] != ord("A")
            or text[position + 3] != ord("T")
            or text[position + 4] != ord("E")
            or not 1 < colon[1] - colon[0] <= 19  # the colon and up to 18 digits fit 64 bits
        ):
            return OTHER_LINE, position, line, hands
        number = np.int64(0)
        for i in range(colon[0] + 1, colon[1]):
            if not _ZERO <= text[i] <= _ZERO + 9:
                return OTHER_LINE, position, line, hands
            number = 10 * number + np.int64(text[i]) - _ZERO
        last = end
        while last > colon[4] + 1 and text[last - 1] <= ord(" "):
            last -= 1
        copy(log.opened, hand, width)
        dealt = read_cards(text, colon[2] + 1, colon[3], hand, cards)
        if dealt < 0:
            return OTHER_LINE, position, line, hands
        size = dealt & 7
        used = out.start[hands]
        stop = read_betting(log, colon[1] + 1, colon[2], hand, cards, size, out, answers, used)
        if stop < 0 or not pays(text, colon[3] + 1, colon[4], hand):
            return OTHER_LINE, position, line, hands
        names = find_names(log, colon[4] + 1, last)
        if names < 0:
            return NEW_NAMES, position, line, hands
        out.start[hands + 1] = stop
        out.number[hands] = number
        out.low_first[hands] = dealt >> 3
        out.dealt[hands] = size
        out.names[hands] = names
        out.line[hands] = line
        for i in range(5):
            out.board[hands, i] = cards[i] if i < size else 0
        for seat in range(seats):
            out.holding[hands, seat] = hand[block_of(seat) + at.HOLDING]
            out.payoff[hands, seat] = hand[block_of(seat) + at.PAYOFF]
        hands += 1
        line += 1
        position = end + 1
