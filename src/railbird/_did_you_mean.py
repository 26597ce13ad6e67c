"""The known names nearest to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_NEAREST: Final = 3
_NEAR: Final = 0.65
"""The least similarity of a misspelt name, as `difflib` measures it."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Ask for the known names nearest to a misspelt one; an empty text where none is near.

    >>> did_you_mean("Tight-hihg", ["tight-high", "tight-low", "standard"])
    'did you mean tight-high?'
    """
    from difflib import get_close_matches  # not before something is misspelt

    by_lower = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), by_lower, n=_NEAREST, cutoff=_NEAR)
    return f"did you mean {' or '.join(by_lower[each] for each in near)}?" if near else ""
