"""One hand as every format of this room reads and writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple

from railbird.cards import Card, Holding
from railbird.errors import BadInput
from railbird.game.actions import Action
from railbird.game.rules import Rules

LONGEST_DETAIL: Final = 200
"""Characters of what is said of something skipped; logs have lines of any length."""


class Source(NamedTuple):
    """Where a hand was read."""

    file: str
    """The path as it was given, "-" for standard input, "" for text in memory."""
    line: int
    """The hand's first line, counted from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """A finished hand. A reader makes only verified ones: legal, and leading to these payoffs.

    Tuples "by seat" follow `railbird.units.Seat`. Two records are equal if the same was played by
    the same people, wherever it was read and in whichever order a seat's two cards stood.
    """

    rules: Rules
    players: tuple[str, ...]
    """Names by seat."""
    holes: tuple[Holding | None, ...]
    """By seat; None where the log does not show the cards."""
    board: tuple[Card, ...]
    """As dealt: 0, 3, 4 or 5 cards."""
    actions: tuple[Action, ...]
    """Without the posts, which the rules state."""
    payoffs: tuple[Fraction, ...]
    """Chips won (lost, if negative) by seat; exact where a pot was split into parts of a chip.

    After the house has taken its `rake`.
    """
    number: int | None = None
    """The log's own number of the hand."""
    table: str = ""
    played_at: datetime | None = None
    """Without a zone where the log's is not known."""
    comment: str = ""
    """What the log says beside the hand, without the comment sign."""
    denomination: Fraction = Fraction(1)
    """Money per chip: 1/100 where the log counts dollars and chips are cents."""
    currency: str = ""
    """The sign of the money, such as ``$``; empty for chips that are no money."""
    low_first: int = field(default=0, compare=False)
    """Bit s is set if seat s was dealt its lower card first.

    No rule depends on it; it lets a log be written back as it was read.
    """
    source: Source | None = field(default=None, compare=False)

    @property
    def rake(self) -> Fraction:
        """Chips that left the table: what the players lost together."""
        return -sum(self.payoffs, Fraction(0))


def line_of(record: HandRecord) -> int:
    """Return the line where a hand was read; 0 if it was not read."""
    return 0 if record.source is None else record.source.line


class SkipReason(Enum):
    """Why something in a log became no `HandRecord`; the values are for people."""

    CUT = "cut off"
    UNREADABLE = "unreadable"
    ANOTHER_GAME = "another game"
    WRONG_SEATS = "wrong number of seats"
    SAME_NAME = "one name in two seats"
    DUPLICATE_CARD = "duplicate card"
    ILLEGAL_ACTION = "illegal action"
    UNFINISHED = "betting not finished"
    WRONG_BOARD = "board does not fit the betting"
    WRONG_PAYOFF = "wrong payoff"
    WRONG_SCORE = "final score differs from the hands"
    """The only one that is no hand: the hands stand, the log's own sum does not."""
    NO_LOG = "file of no known format"
    """Only in folders and zip archives, where other files may lie."""
    NOT_REPRESENTABLE = "cannot be written in this format"
    """Only in writing."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that could not be used; reading goes on after it."""

    reason: SkipReason
    line: int
    """Counted from 1; 0 where nothing was read."""
    detail: str
    """One line of at most `LONGEST_DETAIL` characters: what was found, what is allowed."""
    file: str = ""
    """The log among several; "" where only one is read."""

    def __post_init__(self) -> None:
        if len(self.detail) > LONGEST_DETAIL or not self.detail.isprintable():
            detail = " ".join(self.detail.split())
            cut = detail if len(detail) <= LONGEST_DETAIL else f"{detail[: LONGEST_DETAIL - 1]}…"
            object.__setattr__(self, "detail", cut)


class BadHand(BadInput):
    """A hand that cannot be used, and why."""

    def __init__(self, reason: SkipReason, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason.value}: {detail}" if detail else reason.value)


def not_representable(record: HandRecord, error: BadInput) -> Skipped:
    """Skip a hand that a format cannot hold, for the reason that a writer found."""
    said = isinstance(error, BadHand) and error.reason is SkipReason.NOT_REPRESENTABLE
    detail = error.detail if said and isinstance(error, BadHand) else str(error)
    file = "" if record.source is None else record.source.file
    return Skipped(SkipReason.NOT_REPRESENTABLE, line_of(record), detail, file)


def renamed(players: tuple[str, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the players under their new names. Raises `BadHand` if two then have one name."""
    if names:
        players = tuple([names.get(player, player) for player in players])
    if len(set(players)) < len(players):
        raise BadHand(SkipReason.SAME_NAME, "|".join(players))
    return players
