"""Where the players of a logged game were reset: the sessions between which nothing is remembered.

A log that the arena wrote says after each part how many hands it has. A tournament and a session of
a ring game are one session; a chunk of a match is one for each direction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from railbird.arena.match.seating import Seating
from railbird.histories.files.logs import LogFile, logs_in

_MARK: Final = "# railbird "
_KINDS: Final = {"match": "chunk", "tournaments": "tournament", "ring": "session"}
"""Kinds of logs and of their parts."""
_FAULTS: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def first_of_session(source: str | Path, number: int) -> int:
    """Return the number of the first hand, from 1, of the session that the given one is in.

    ``source`` is a log or a folder of logs, read up to there. If any was not written by the arena,
    or its comments were changed, everything is one session, as it is in a log that ends before.
    """
    if not (Path(source).is_file() or Path(source).is_dir()):
        return 1  # a pipe, which gives its lines only once
    first = 1
    try:
        for hands in _sessions(logs_in(source)):
            if first + hands > number:
                return first
            first += hands
    except _FAULTS:
        pass
    return 1


def _sessions(logs: Iterable[object]) -> Iterator[int]:
    """Yield the hands of each session. Raises one of `_FAULTS` for a log that does not say."""
    for log in logs:
        if not isinstance(log, LogFile):
            raise TypeError("no log")
        try:
            kind, header = _comment(log.head[0] if log.head else "")
            part = _KINDS[kind]
            for line in log.lines():
                if line.startswith(f"{_MARK}{part} "):
                    yield from _hands(_comment(line)[1], header)
        finally:
            log.close()


def _comment(line: str) -> tuple[str, dict[str, Any]]:
    kind, _, text = line.removeprefix(_MARK).partition(" ")
    return kind, json.loads(text)


def _hands(footer: dict[str, Any], header: dict[str, Any]) -> Iterator[int]:
    if "deals" not in footer:
        yield int(footer["hands"])
        return
    first, end = footer["deals"]
    single = Seating(header["seating"]) is Seating.SINGLE
    yield from [end - first] * (1 if single else len(header["players"]))
