"""Errors of protocol in the comment of a hand: which actions a program did not choose.

An arena plays another action in place of one that is illegal, late or missing. A hand says which,
so that whoever judges it need not take that action for play; by their number among the actions of
the hand it is known whose they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_PREFIX: Final = "errors of protocol: "
_ERROR: Final = "[0-9]{1,5} [a-z]{1,20}"
_COMMENT: Final = re.compile(f"{_PREFIX}({_ERROR}(?:, {_ERROR}){{0,999}})")


def error_comment(errors: Iterable[tuple[int, str]]) -> str:
    """Write the errors of a hand: the number of the action, from 0, and a word for the error.

    >>> error_comment([(3, "illegal"), (5, "late")]), error_comment([])
    ('errors of protocol: 3 illegal, 5 late', '')
    """
    words = ", ".join(f"{action} {error}" for action, error in errors)
    return f"{_PREFIX}{words}" if words else ""


def errors_in(comment: str) -> tuple[tuple[int, str], ...]:
    """Read the errors of a hand from its comment; none from any other comment.

    >>> errors_in("errors of protocol: 3 illegal, 5 late"), errors_in("a fine hand")
    (((3, 'illegal'), (5, 'late')), ())
    """
    match = _COMMENT.fullmatch(comment)
    if match is None:
        return ()
    parts = (part.split(" ") for part in match[1].split(", "))
    return tuple((int(action), error) for action, error in parts)
