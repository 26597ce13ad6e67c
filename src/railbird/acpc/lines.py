"""Bytes as they come off a wire, cut into lines. Whoever sends them may mean harm."""

from __future__ import annotations

from railbird.acpc.settings import LONGEST_LINE
from railbird.errors import BadInput


class Lines:
    """What has come and has not been read yet; never much more than one line of it."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def feed(self, data: bytes) -> None:
        """Take what has come."""
        self._waiting += data

    def take(self) -> str | None:
        r"""The next line without its end (``\r\n`` or ``\n``); None if it has not all come.

        Bytes that are no ASCII become question marks, which no message has.

        Raises `BadInput` for a line over `LONGEST_LINE`.
        """
        end = self._waiting.find(b"\n", 0, LONGEST_LINE)
        if end < 0:
            if len(self._waiting) >= LONGEST_LINE:
                raise BadInput(f"a line of more than {LONGEST_LINE} bytes")
            return None
        line = self._waiting[:end]
        del self._waiting[: end + 1]
        return line.removesuffix(b"\r").decode("ascii", errors="replace")
