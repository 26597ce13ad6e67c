"""The log of a person's game: each hand is written when it ends, and nothing else changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

from railbird.arena.jobs.append_log import AppendLog, growing
from railbird.errors import BadInput, RailbirdError
from railbird.game import Act, Action
from railbird.histories import HandRecord, Skipped, WriteOptions, format_named
from railbird.protocol.redaction.events import HandEnd, HandStart, HandStep, TableEvent

_HEADER = b"# railbird play\n"
_LONGEST_LINE = 1 << 20


class FinishedHands:
    """Turns what happens at tables into records of hands, with everybody's cards."""

    def __init__(self) -> None:
        self._actions: dict[str, list[Action]] = {}
        self._began: dict[str, datetime] = {}

    def hears(self, event: TableEvent) -> HandRecord | None:
        """Follow an event; return the hand if that was its end."""
        match event:
            case HandStart(moment):
                self._actions[moment.table] = []
                self._began[moment.table] = datetime.now(UTC).replace(microsecond=0)
            case HandStep(moment=moment, event=Act(action=action)):
                self._actions[moment.table].append(action)
            case HandEnd(moment, stacks):
                state = moment.state
                before = state.rules.stacks or ()
                return HandRecord(
                    rules=state.rules,
                    players=tuple(holder.name for holder in moment.holders),
                    holes=state.holdings,
                    board=state.board,
                    actions=tuple(self._actions.pop(moment.table)),
                    payoffs=tuple(Fraction(a - b) for a, b in zip(stacks, before, strict=True)),
                    number=moment.hand,
                    table=moment.table,
                    played_at=self._began.pop(moment.table),
                )
            case _:
                pass
        return None


class HandLog:
    """A PHHS file that hands are added to; get one from `open_hand_log`."""

    def __init__(self, file: AppendLog, hands: int) -> None:
        self._file = file
        self.hands = hands
        """Hands in the file."""

    def append(self, record: HandRecord) -> None:
        """Write a hand, wholly or not at all. Raises `RailbirdError` if that is impossible."""
        write = format_named("phh").write
        assert write is not None
        for text in write([record], WriteOptions()):
            if isinstance(text, Skipped):
                raise RailbirdError(f"the hand cannot be written: {text.detail}")
            self._file.append(f"[{self.hands + 1}]\n{text}\n".encode())
            self.hands += 1


@contextmanager
def open_hand_log(path: Path, *, append: bool = False) -> Iterator[HandLog]:
    """Create a log, or with ``append`` go on with one; without a hand in it no new file stays.

    Raises `BadInput` for a file that exists, unless it is to be appended to; then for one that is
    no log of this kind.
    """
    if path.exists() and not append:
        raise BadInput(f"{path} exists; --append goes on with it, --force replaces it")

    def complete(stream: BinaryIO) -> tuple[list[int], int]:
        return _complete(stream, path)

    with growing(path, _HEADER, complete) as (file, hands):
        yield HandLog(file, len(hands))


def _complete(stream: BinaryIO, path: Path) -> tuple[list[int], int]:
    """Return the offsets of the hands that are whole, and the end of the last one."""
    first = stream.readline(_LONGEST_LINE)
    if len(first) < len(_HEADER) and _HEADER.startswith(first):
        return [], 0  # new, or killed within the header
    if first != _HEADER:
        raise BadInput(f"{path} is not a log of `railbird play`; allowed: one, or another name")
    hands: list[int] = []
    end = begin = stream.tell()
    for line in stream:
        if line.startswith(b"["):
            begin = end
        elif line == b"\n":
            hands.append(begin)
            end = stream.tell()
    return hands, end
