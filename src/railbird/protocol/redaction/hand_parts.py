"""Parts of messages that stay the same during a hand, encoded once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from railbird.game import HandState, pots

if TYPE_CHECKING:
    from railbird.protocol.messages.game import HistoryEntry
    from railbird.protocol.redaction.events import SeatHolder


_ANYTHING = TypeAdapter(object)


def json(value: object) -> str:
    r"""Return a value as the encoder of messages writes it.

    >>> json(["a", 'b"', 3])
    '["a","b\\"",3]'
    """
    return _ANYTHING.dump_json(value, exclude_none=True).decode()


class HandParts:
    """Encoded parts of a hand that do not depend on the viewer; its moments share one.

    The history of a later moment continues that of an earlier one, so each entry is encoded once.
    Asked with other objects than before, a part is encoded anew: none goes stale.
    """

    __slots__ = ("_ends", "_entries", "_history", "_pots", "_pots_of", "_seats", "_seats_of")

    def __init__(self) -> None:
        self._history = ""
        self._entries: list[HistoryEntry] = []
        self._ends = [0]
        """Length of the text after so many entries."""
        self._seats: tuple[str, ...] = ()
        self._seats_of: tuple[SeatHolder, ...] | None = None
        self._pots = ""
        self._pots_of: HandState | None = None

    def history(self, entries: Sequence[HistoryEntry]) -> str:
        """Return a history without its brackets."""
        self._encode(entries)
        return self._history[: self._ends[len(entries)]]

    def last(self, entries: Sequence[HistoryEntry]) -> str:
        """Return the last entry of a history."""
        self._encode(entries)
        before, end = self._ends[len(entries) - 1], self._ends[len(entries)]
        return self._history[before:end].removeprefix(",")

    def _encode(self, entries: Sequence[HistoryEntry]) -> None:
        both = min(len(entries), len(self._entries))
        if both and entries[both - 1] is not self._entries[both - 1]:
            self._history, self._entries, self._ends = "", [], [0]
        for entry in entries[len(self._entries) :]:
            self._history += f"{',' if self._entries else ''}{json(entry)}"
            self._entries.append(entry)
            self._ends.append(len(self._history))

    def seats(self, holders: tuple[SeatHolder, ...]) -> tuple[str, ...]:
        """Return what is said of each seat before its chips, without the closing brace."""
        if holders is not self._seats_of:
            self._seats_of = holders
            self._seats = tuple(
                json(
                    {
                        "name": holder.name,
                        "kind": holder.kind,
                        "chair": holder.chair,
                        "presence": holder.presence,
                    }
                )[:-1]
                for holder in holders
            )
        return self._seats

    def pots(self, state: HandState) -> str:
        """Return the pots as a list."""
        if state is not self._pots_of:
            self._pots_of = state
            self._pots = json([{"amount": amount, "seats": seats} for amount, seats in pots(state)])
        return self._pots
