"""Terminals without Unicode: ASCII replaces signs, so that no minus is lost."""

from __future__ import annotations

import codecs
import io
import sys

_HANDLER = "railbird.plain"
_PLAIN = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{PLUS-MINUS SIGN}": "+/-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{DIVISION SIGN}": "/",
    "\N{MIDDLE DOT}": "*",
    "\N{THIN SPACE}": " ",
    "\N{NO-BREAK SPACE}": " ",
    "\N{NARROW NO-BREAK SPACE}": " ",
    "\N{VARIATION SELECTOR-15}": "",
    "\N{BLACK CLUB SUIT}": "c",
    "\N{BLACK DIAMOND SUIT}": "d",
    "\N{BLACK HEART SUIT}": "h",
    "\N{BLACK SPADE SUIT}": "s",
}


def speak_plainly() -> None:
    """Let standard output and error replace what their encoding lacks by ASCII."""
    codecs.register_error(_HANDLER, _in_plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def _in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_PLAIN.get(letter, "?") for letter in lost), error.end
