"""The ACPC dealer's transcript of a match: every message to and from the players.

::

    TO 1 at 1795208445.287107 MATCHSTATE:0:0:c:7d3d|
    FROM 1 at 1795208445.287241 MATCHSTATE:0:0:c:7d3d|:r

A message to a player contains the player's seat, the number of the hand, the betting so far and
the cards that this player may see. There are neither names nor payoffs: players are named by the
numbers under which they connected, and payoffs follow from the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from railbird.histories.acpc.log import LogReader
from railbird.histories.format import ReadOptions, attempt, hand_or_skipped
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason, renamed

_TO: Final = re.compile(
    r"TO (\d+) at \S+ MATCHSTATE:([0-9]{1,2}):([0-9]{1,15}):([^:]*):([^:\s]*)\s*$"
)
_LOOKS: Final = re.compile(r"(?:TO|FROM) \d+ at \S+ MATCHSTATE:|STARTED at ")


class _SeenHand:
    """One hand as far as messages have shown it."""

    def __init__(self, number: str, line: int) -> None:
        self.number = number
        self.line = line
        self.seats = 0
        self.betting = ""
        self.board: list[str] = []
        self.holes: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self.contradiction = ""

    def learn(self, player: str, seat: int, betting: str, cards: str) -> None:
        """Take one message, and note if it contradicts an earlier one."""
        holes, *board = cards.split("/")
        by_seat = holes.split("|")
        name = f"player {player}"
        if not (
            betting.startswith(self.betting)
            and board[: len(self.board)] == self.board
            and len(by_seat) == (self.seats or len(by_seat))
            and self.names.get(seat, name) == name
            and all(hole in ("", self.holes.get(s, hole)) for s, hole in enumerate(by_seat))
        ):
            self.contradiction = f"{betting}:{cards} to {name} does not continue {self.betting}"
        self.seats, self.board, self.betting = len(by_seat), board, betting
        self.holes.update((s, hole) for s, hole in enumerate(by_seat) if hole)
        self.names[seat] = name

    def record(self, reader: LogReader, options: ReadOptions) -> HandRecord:
        """Verify the hand. Raises `BadHand`."""
        if self.contradiction:
            raise BadHand(SkipReason.UNREADABLE, self.contradiction)
        seats = range(self.seats)
        if set(seats) != set(self.names):
            raise BadHand(
                SkipReason.CUT, f"messages to {len(self.names)} of {self.seats} players only"
            )
        holes = "|".join(self.holes.get(seat, "") for seat in seats)
        return reader.played(
            number=self.number,
            betting=self.betting,
            cards="/".join([holes, *self.board]),
            logged=None,
            players=renamed(tuple([self.names[seat] for seat in seats]), options.rename),
            line=self.line,
        )


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read a transcript, skipping unfinished hands such as the last of a truncated file.

    Raises `railbird.errors.BadInput` if neither the transcript nor ``options`` names the game.
    """
    reader = LogReader(options)
    hand: _SeenHand | None = None
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#"):
            reader.comment(line)
        message = _TO.match(line)
        if message is None:
            continue
        player, seat, index, betting, cards = message.groups()
        if hand is not None and hand.number != index:
            yield _finished(hand, reader, options)
            hand = None
        hand = hand or _SeenHand(index, number)
        hand.learn(player, int(seat), betting, cards)
    if hand is not None:
        yield _finished(hand, reader, options, at_end=True)


def _finished(
    hand: _SeenHand, reader: LogReader, options: ReadOptions, *, at_end: bool = False
) -> HandRecord | Skipped:
    record = attempt(f"hand {hand.number}", hand.record, reader, options)
    unfinished = isinstance(record, BadHand) and record.reason is SkipReason.UNFINISHED
    return hand_or_skipped(record, hand.line, ended=not (unfinished and at_end))


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines is a message or the start of a match."""
    return any(map(_LOOKS.match, lines))
