"""How long the manual's sentences are: prose alone, without code, tables and headings."""

from __future__ import annotations

import re
from typing import Final

_NO_PROSE: Final = re.compile(
    r"^(```.*?^```|<!--.*?-->|\|.*?$|#.*?$|!\[.*?$|\?\?\? .*?$|!!! .*?$)", re.MULTILINE | re.DOTALL
)
_CODE: Final = re.compile(r"`[^`]*`")
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS: Final = re.compile(r"^\s*([-*]|\d+\.)\s+|^>\s*|[*_]{1,2}", re.MULTILINE)
_END: Final = re.compile(r"(?<=[.!?:])[\")»]?\s+(?=[A-Z`\"(«])|\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)")
_WORD: Final = re.compile(r"[\w`][\w'’.,–-]*")


def sentences(page: str) -> list[str]:
    """Return the sentences of a page in Markdown; code in a line counts as one word."""
    text = _CODE.sub("code", _LINK.sub(r"\1", _NO_PROSE.sub("\n\n", page)))
    parts = (_MARKS.sub("", part).strip() for part in _END.split(text))
    return [" ".join(part.split()) for part in parts if len(_WORD.findall(part)) > 1]


def words(sentence: str) -> int:
    return len(_WORD.findall(sentence))


def mean_length(page: str) -> float:
    """Return the mean number of words of a page's sentences, 0 for a page without any."""
    lengths = [words(sentence) for sentence in sentences(page)]
    return sum(lengths) / len(lengths) if lengths else 0.0
