"""The exception tree. Every message is one line: what was got, what is allowed, where."""

from __future__ import annotations

import os
import re
import reprlib
import traceback
from collections.abc import Iterable
from typing import Final

# The known names nearest to a misspelt one.


_NEAREST: Final = 3
_NEAR: Final = 0.65
"""The least similarity of a misspelt name, as `difflib` measures it."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Ask for the known names nearest to a misspelt one; an empty text where none is near.

    >>> did_you_mean("Tight-hihg", ["tight-high", "tight-low", "standard"])
    'did you mean tight-high?'
    """
    from difflib import get_close_matches  # not before something is misspelt

    by_lower = {known_name.lower(): known_name for known_name in known}
    near = get_close_matches(name.lower(), by_lower, n=_NEAREST, cutoff=_NEAR)
    return (
        f"did you mean {' or '.join(by_lower[known_name] for known_name in near)}?" if near else ""
    )


DEBUG_VARIABLE: Final = "RAILBIRD_DEBUG"
"""Environment variable that, set to 1, has the tracebacks of players' errors printed."""

_CALLERS: Final = ("railbird.arena", "railbird.players.registry", "importlib")
"""Modules that call players and import them."""
_LISTED: Final = 10
_WINDOW: Final = 60
"""Characters that are shown of a text that does not read."""
_LONGEST_REASON: Final = 200
_LONGEST_NAME: Final = 200
"""Characters that are shown of a name that is not known."""
_NO_SUCH_FIELD: Final = re.compile("Object (missing|contains) .*field `(.*)`", re.DOTALL)


class RailbirdError(Exception):
    """Anything that Railbird refuses; the command line prints it as one line."""


class BadInput(RailbirdError, ValueError):
    """A value, a file or an option that cannot be used as it is."""


class ParseError(BadInput):
    """Text that does not read; points at the character.

    >>> print(ParseError("not a card", text="TsXx", position=2, allowed="ranks 2-9TJQKA"))
    not a card: 'TsXx' at character 3 ('X'); allowed: ranks 2-9TJQKA
    >>> len(str(ParseError("not a card", text="x" * 5_000, position=2_500)))
    100
    """

    def __init__(self, problem: str, *, text: str, position: int, allowed: str = "") -> None:
        excerpt = text if len(text) <= _WINDOW else _around(text, position)
        self.problem = problem
        self.text = text
        self.position = position
        self.allowed = allowed
        character = f" ({text[position]!r})" if position < len(text) else " (the end)"
        hint = f"; allowed: {allowed}" if allowed else ""
        super().__init__(f"{problem}: {excerpt!r} at character {position + 1}{character}{hint}")


def _around(text: str, position: int) -> str:
    """The part of a long text that has the character in it."""
    start = max(0, min(position - _WINDOW // 2, len(text) - _WINDOW))
    end = start + _WINDOW
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


class DuplicateCard(BadInput):
    """The same card twice where a deck has it once."""


class IllegalAction(BadInput):
    """An action that the rules do not allow at this point of a hand."""


class NothingUsable(BadInput):
    """Input that was read and of which nothing came, such as a log without one usable hand."""


class TooLarge(BadInput):
    """Something that does not fit into the memory that is free or allowed."""


class DamagedFile(NothingUsable):
    """A file whose checksum, version or shape is not what it must be."""


class WriteFailed(BadInput):
    """A file that the system began to write and could not, as on a full disk."""


class Interrupted(RailbirdError):
    """A long job that was stopped; the message says how to resume it."""


RESUME: Final = "run the same command again to resume"


def interruption_words(stopped: BaseException, *remains: str) -> str:
    """Say what an interruption left of the work: its notes, what else is kept, and how to go on.

    Whoever catches one, keeps something and raises it again adds a note. Nothing is said where
    nothing is kept.
    """
    cause = stopped.__cause__ or stopped  # click raises another one from it
    parts = [*getattr(cause, "__notes__", ()), *remains]
    return "; ".join([*parts, RESUME]) if parts else ""


class PlayerFault(RailbirdError):
    """The fault of a player that stopped a game in which no fault is allowed."""

    def __init__(self, player: str, words: str, trace: str = "", after: str = "") -> None:
        super().__init__(player, words, trace, after)  # what is sent from process to process
        self.player = player
        self.words = words
        self.trace = trace
        """The traceback of the player's code; empty where it did not raise."""
        self.after = after
        """Description of what was played before, and where it is kept."""

    def __str__(self) -> str:
        return f"{self.player}: {self.words}" + (f"; {self.after}" if self.after else "")


def wrong_value(what: str, value: object, allowed: str) -> BadInput:
    """Raise an error for a value of the wrong kind.

    >>> print(wrong_value("card", 3.5, "0 to 51"))
    3.5 (float) is no card; allowed: 0 to 51
    """
    got = " ".join(reprlib.repr(value).split())
    return BadInput(f"{got} ({type(value).__name__}) is no {what}; allowed: {allowed}")


def unknown_name(what: str, name: str, known: Iterable[str]) -> BadInput:
    """Refuse a name: say the nearest known ones or, where none is near, all of them.

    >>> print(unknown_name("player", "basline", ["always-call", "baseline"]))
    no player 'basline'; did you mean baseline?
    >>> print(unknown_name("player", "x", ["always-call", "baseline"]))
    no player 'x'; allowed: always-call, baseline
    """
    names = list(known)
    hint = did_you_mean(str(name), names) or f"allowed: {', '.join(names) or 'none'}"
    excerpt = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
    return BadInput(f"no {what} {excerpt!r}; {hint}")


def placed(problem: Exception) -> str:
    """Say in one line why msgspec refuses JSON, after the place where it does.

    >>> import msgspec
    >>> try:
    ...     msgspec.json.decode('[[1], [2, "x"]]', type=list[list[int]])
    ... except msgspec.ValidationError as problem:
    ...     print(placed(problem))
    1.1: Expected `int`, got `str`
    """
    from msgspec import ValidationError  # not before something is refused

    if not isinstance(problem, ValidationError):
        return f"not valid JSON: {str(problem).removeprefix('JSON is malformed: ')}"
    words, _, path = str(problem).partition(" - at `$")
    place = re.sub(r"\[(.*?)\]", r".\1", path.removesuffix("`"))
    if field := _NO_SUCH_FIELD.fullmatch(words):
        words = "Field required" if field[1] == "missing" else "Field not allowed"
        place = f"{place}.{field[2]}"
    text = f"{place[1:80]}: {words}" if place else words
    return "".join(c if c.isprintable() else " " for c in text[:_LONGEST_REASON])


def absent_player(name: str, players: Iterable[str], *, where: str) -> NothingUsable:
    """Refuse a player who does not take part; ``where`` is what was read, such as "this log".

    >>> print(absent_player("tmo", ["tom", "baseline"], where="this log"))
    no player 'tmo' in this log; players: baseline, tom
    """
    names = sorted(players)
    those = f"players: {', '.join(names) or 'none'}"
    if len(names) > _LISTED:
        those = did_you_mean(name, names) or f"it has {len(names):,} players"
    return NothingUsable(f"no player {name!r} in {where}; {those}")


def is_debugging() -> bool:
    """Return whether the tracebacks of players' errors are asked for."""
    return os.environ.get(DEBUG_VARIABLE) == "1"


def traceback_of(problem: BaseException) -> str:
    """Format what a player raised, without the frames of the arena that called it.

    Empty for a refusal by Railbird's own code alone, as of a program that has gone: no line of the
    player's is in it.
    """
    trace = problem.__traceback__
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(trace)]
    if isinstance(problem, RailbirdError) and all(name.startswith("railbird.") for name in modules):
        return ""
    while trace is not None and trace.tb_frame.f_globals.get("__name__", "").startswith(_CALLERS):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(problem), problem, trace))
