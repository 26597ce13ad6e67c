"""Text from outside made safe to show: control characters in it could drive a terminal."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Final

REPLACEMENT: Final = "\ufffd"
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_BEYOND_ASCII: Final = re.compile(r"[^ -~]")


def is_hidden(character: str) -> bool:
    r"""Tell whether a character acts rather than shows: controls, direction marks, other line ends.

    >>> is_hidden("\x1b"), is_hidden("\u202e"), is_hidden("\n"), is_hidden("é")
    (True, True, True, False)
    """
    return unicodedata.category(character) in _HIDDEN


def visible(text: str, *, layout: str = "\n\t") -> str:
    r"""Put a replacement character for each that is hidden, but for those of the ``layout``.

    >>> ascii(visible("a\x1b[31mb\tc"))
    "'a\\ufffd[31mb\\tc'"
    """
    if text.isprintable():
        return text
    return "".join(REPLACEMENT if is_hidden(c) and c not in layout else c for c in text)


def visible_json(text: str) -> str:
    r"""Escape the hidden characters of JSON text, which means the same.

    >>> visible_json('"\x9b1m"') == '"' + r"\u009b" + '1m"'
    True
    """
    return _BEYOND_ASCII.sub(
        lambda match: json.dumps(match[0])[1:-1] if is_hidden(match[0]) else match[0], text
    )
