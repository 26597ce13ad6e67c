"""What makes two records the same hand, in any hold'em, and what was played, in words.

`hand_replay` draws a hand.
"""

from __future__ import annotations

import hashlib

from railbird.histories import HandRecord


def digest_of(record: HandRecord) -> str:
    """Return 32 hexadecimal digits of a hand: its number, table, players, stacks and actions.

    Whose cards are known does not matter, nor how the hand was written.
    """
    identity = (
        record.number_text or record.number,
        record.table,
        record.players,
        record.rules.stacks,
        tuple(map(repr, record.actions)),
        record.board,
    )
    return hashlib.sha256(repr(identity).encode()).hexdigest()[:32]


def number_apart(record: HandRecord, place: int | None = None) -> str:
    """Return the log's own number of a hand in brackets; nothing where it is the place, or none."""
    number = record.number_text or record.number
    return "" if number in (None, place) else f" (number {number} in the log)"


def stakes_in_words(record: HandRecord) -> str:
    """Say what was played: the stakes where chips are money, else only the betting."""
    betting = record.rules.betting.value
    if record.tournament or not record.currency:
        return f"{betting}, {'tournaments' if record.tournament else 'chips'}"
    big_blind = float(max(record.rules.blinds) * record.denomination)
    return f"{betting}, big blind {record.currency}{big_blind:g}"
