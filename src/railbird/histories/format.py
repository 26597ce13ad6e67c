"""What a format of hand histories is: a row of the table in `railbird.histories.registry`."""

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
    """What a reader has to know beside the text."""

    file: str = ""
    """The name under which hands say where they were read."""
    folder: Path | None = None
    """Where files lie that the text names."""
    rules: Rules | None = None
    """The table's rules where the user says them; they win over what the text says."""
    rename: Mapping[str, str] = field(default_factory=dict)
    """New names of players by old ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """What a writer may say beside the hands; a format takes what it has a place for."""

    match: str = "railbird"
    hands: int | None = None
    """How many hands the match was to have."""
    seed: int | None = None
    notes: tuple[str, ...] = ()
    """Comment lines for the head, without the comment sign."""
    suits: Suits = Suits.SYMBOLS


def check_text(text: str, what: str) -> None:
    """Raise `railbird.errors.BadInput` for text that a line would not give back as it is."""
    if text != text.strip() or "\n" in text or "\r" in text:
        raise BadInput(f"{what} {text!r}")


def check_name(name: str, *signs: str) -> None:
    """Raise `railbird.errors.BadInput` for a name that is empty or has one of the signs in it."""
    check_text(name, "the name")
    if not name or any(sign in name for sign in signs):
        raise BadInput(f"the name {name!r}")


Reader = Callable[[Iterable[str], ReadOptions], Iterator[HandRecord | Skipped]]
"""Lines with their ends in; hands and what was no hand out, in order.

Raises `railbird.errors.BadInput` only if nothing of the text can be used without being told more.
"""

Writer = Callable[[Iterable[HandRecord], WriteOptions], Iterator[str | Skipped]]
"""Hands in; pieces of text, and hands that the format cannot say, out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to write hands down."""

    name: str
    """What users call it."""
    title: str
    recognises: Callable[[Sequence[str]], bool]
    """Whether lines from the beginning of a text are of this format."""
    read: Reader
    write: Writer | None = None
    """None if the format is only read."""
    suffixes: tuple[str, ...] = ()
    """File names for which it is the format to write."""
    usual_game: str | None = None
    """The game of a single hand whose text does not say it; None if texts say their game."""
