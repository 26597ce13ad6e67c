"""The exception tree. Every message is one line: what was got, what is allowed, where."""

from __future__ import annotations


class RailbirdError(Exception):
    """Anything that Railbird refuses; the command line prints it as one line."""


class BadInput(RailbirdError, ValueError):
    """A value, a file or an option that cannot be used as it is."""


class ParseError(BadInput):
    """Text that does not read; points at the character.

    >>> print(ParseError("not a card", text="TsXx", position=2, allowed="ranks 2-9TJQKA"))
    not a card: 'TsXx' at character 3 ('X'); allowed: ranks 2-9TJQKA
    """

    def __init__(self, problem: str, *, text: str, position: int, allowed: str = "") -> None:
        self.problem = problem
        self.text = text
        self.position = position
        self.allowed = allowed
        found = f" ({text[position]!r})" if position < len(text) else " (the end)"
        hint = f"; allowed: {allowed}" if allowed else ""
        super().__init__(f"{problem}: {text!r} at character {position + 1}{found}{hint}")


class DuplicateCard(BadInput):
    """The same card twice where a deck has it once."""


class IllegalAction(BadInput):
    """An action that the rules do not allow at this point of a hand."""


class NothingUsable(BadInput):
    """Input that was read and of which nothing came, such as a log without one usable hand."""


class DamagedFile(NothingUsable):
    """A file whose checksum, version or shape is not what it must be."""


class WriteFailed(BadInput):
    """A file that the system began to write and could not, as on a full disk."""


class Interrupted(RailbirdError):
    """A long job that was stopped; the message says how to resume it."""
