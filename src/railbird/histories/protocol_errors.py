"""Errors of protocol in the comment of a hand: which actions a program did not choose.

An arena replaces an action that is illegal, late or missing. The comment of a hand numbers these
actions among those of the hand, which also identifies their players, so an assessment need not take
them for play.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from railbird.histories.files import STANDARD, LogFile, logs_in

_PREFIX: Final = "errors of protocol: "
_ERROR: Final = "[0-9]{1,5} [a-z]{1,20}"
_PART: Final = re.compile(r"# railbird [a-z]+ (\{.*\})\s*")
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


def recorded_errors(source: str | Path) -> dict[str, Counter[tuple[str, str]]]:
    """Count the errors of protocol that an arena's logs state after each part, by log.

    Each count is by player and kind. Such logs count errors in all hands of a part together, those
    of a player who only watched among them. A pipe, which gives its lines only once, has none.
    """
    counts: dict[str, Counter[tuple[str, str]]] = {}
    if str(source) == STANDARD or not (Path(source).is_file() or Path(source).is_dir()):
        return counts
    for log in logs_in(source):
        if not isinstance(log, LogFile):
            continue
        try:
            if log.head and _PART.fullmatch(log.head[0]):
                parts = dict.fromkeys(
                    line for line in log.lines() if line.startswith("# railbird ")
                )
                total: Counter[tuple[str, str]] = Counter()
                counts[log.name] = total
                for line in parts:
                    total.update(_faults_in(line))
        finally:
            log.close()
    return counts


def _faults_in(line: str) -> dict[tuple[str, str], int]:
    """Read the faults of a part; none from a line that was changed or says another thing."""
    match = _PART.fullmatch(line)
    try:
        part = json.loads(match[1]) if match else {}
    except (ValueError, RecursionError):
        return {}
    players = part.get("faults", {})
    return {
        (player, kind): fault["count"]
        for player, kinds in (players.items() if isinstance(players, Mapping) else ())
        for kind, fault in (kinds.items() if isinstance(kinds, Mapping) else ())
        if isinstance(fault, Mapping) and type(fault.get("count")) is int and fault["count"] > 0
    }
