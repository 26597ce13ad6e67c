"""Lines from a byte stream whose sender may be hostile."""

from __future__ import annotations

from collections.abc import Iterator

from railbird.errors import BadInput
from railbird.protocol.settings import LONGEST_LINE


class LineTooLong(BadInput):
    """A line over the maximum."""


class Lines:
    r"""A buffer of received bytes, never longer than a line and one reading.

    >>> lines = Lines()
    >>> list(lines.feed(b'{"type":')), list(lines.feed(b'"bye"}\r\n{}\n\n{'))
    ([], [b'{"type":"bye"}', b'{}'])
    """

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._waiting = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        r"""Add bytes; yield the complete lines without their ends (``\n`` or ``\r\n``).

        Empty lines are skipped. Raises `LineTooLong`, also before the end of the line has come.
        """
        searched = len(self._waiting)
        self._waiting += data
        start = 0
        while (end := self._waiting.find(b"\n", max(start, searched))) >= 0:
            if end - start > self._longest:
                raise LineTooLong(f"a line of more than {self._longest} bytes")
            line = bytes(self._waiting[start:end]).removesuffix(b"\r")
            start = end + 1
            if line:
                yield line
        del self._waiting[:start]
        if len(self._waiting) > self._longest:
            raise LineTooLong(f"a line of more than {self._longest} bytes")
