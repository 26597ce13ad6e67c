"""For the manual: the doctests of docstrings are code, not quotations three levels deep."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_EXAMPLES = re.compile(r"^( *)>>> (?:.*\S.*(?:\n|\Z))+", re.MULTILINE)


class Doctests(Extension):
    """Puts fences around them."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of whatever has one."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLES.sub(_fenced, obj.docstring.value)


def _fenced(found: re.Match[str]) -> str:
    return f"{found[1]}```pycon\n{found[0].rstrip()}\n{found[1]}```\n"
