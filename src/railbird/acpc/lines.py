"""Lines from a byte stream whose sender may be hostile."""

from __future__ import annotations

from railbird.acpc.settings import LONGEST_LINE
from railbird.errors import BadInput


class Lines:
    """A buffer of bytes received but not yet read, never much longer than one line."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._waiting += data

    def take(self) -> str | None:
        r"""Return the next line without its end (``\r\n`` or ``\n``); None if it is incomplete.

        Bytes outside ASCII become question marks, which occur in no message.

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
