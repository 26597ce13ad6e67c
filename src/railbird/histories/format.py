"""Definition of a format of hand histories: a row of the table in `railbird.histories.registry`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from railbird.cards import Suits
from railbird.errors import BadInput
from railbird.game import Rules
from railbird.histories.record import HandRecord, Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Information for a reader beyond the text."""

    file: str = ""
    """Name of the log in the hands' `Source`."""
    folder: Path | None = None
    """Folder of the files that the text refers to."""
    rules: Rules | None = None
    """The table's rules where the user gives them; they override the text."""
    rename: Mapping[str, str] = field(default_factory=dict)
    """New names of players by old ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """Information for a writer beyond the hands; a format uses what it has a place for."""

    match: str = "railbird"
    hands: int | None = None
    """Number of hands planned for the match."""
    seed: int | None = None
    notes: tuple[str, ...] = ()
    """Comment lines for the head, without the comment sign."""
    suits: Suits = Suits.SYMBOLS


def check_text(text: str, what: str) -> None:
    """Raise `railbird.errors.BadInput` for text that would not survive in a line."""
    if text != text.strip() or "\n" in text or "\r" in text:
        raise BadInput(f"{what} {text!r}")


def check_name(name: str, *signs: str) -> None:
    """Raise `railbird.errors.BadInput` for a name that is empty or contains one of the signs."""
    check_text(name, "the name")
    if not name or any(sign in name for sign in signs):
        raise BadInput(f"the name {name!r}")


Reader = Callable[[Iterable[str], ReadOptions], Iterator[HandRecord | Skipped]]
"""Function from lines, with their ends, to hands and what was skipped, in order.

Raises `railbird.errors.BadInput` only if none of the text is usable without further options.
"""

Writer = Callable[[Iterable[HandRecord], WriteOptions], Iterator[str | Skipped]]
"""Function from hands to pieces of text, and hands that the format cannot represent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format of hand histories."""

    name: str
    """Name for users."""
    title: str
    recognises: Callable[[Sequence[str]], bool]
    """Function that tells whether lines from the beginning of a text are of this format."""
    read: Reader
    write: Writer | None = None
    """Writer; None if the format is read-only."""
    suffixes: tuple[str, ...] = ()
    """File suffixes for which this is the format to write."""
    usual_game: str | None = None
    """Game of a single hand whose text does not name it; None if texts name their game."""
