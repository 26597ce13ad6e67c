"""Definition of a format of hand histories: a row of the table in `railbird.histories.registry`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, Protocol, TypeVar

from railbird.cards import Suits
from railbird.errors import BadInput
from railbird.game import Rules
from railbird.histories.record import (
    BadHand,
    HandRecord,
    RefusedHand,
    Skipped,
    SkipReason,
    UnnamedGame,
)

_T = TypeVar("_T")
_Told = TypeVar("_Told")

_AT_A_TIME: Final = 32
"""Hands that are read together; with more of them their data no longer stay in the cache."""


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
    variants: bool = False
    """Whether hands of other games than hold'em are wanted, by somebody who knows them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """Information for a writer beyond the hands; a format uses those parts that it can express."""

    match: str = "railbird"
    hands: int | None = None
    """Number of hands planned for the match."""
    seed: int | None = None
    notes: tuple[str, ...] = ()
    """Comment lines for the head, without the comment sign."""
    suits: Suits = Suits.SYMBOLS


MARKS: Final[Mapping[str, str]] = {
    "tournament": "the mark of a tournament",
    "play_money": "the mark of play money",
    "currency": "the currency",
    "table": "the table",
    "number_text": "numbers with letters",
    "capped": "stacks beyond the game's cap",
}
"""What a hand may have that changes nobody's result at the table, by attribute of `HandRecord`."""


def check_text(text: str, what: str) -> None:
    """Raise `railbird.errors.BadInput` for text that would not survive in a line."""
    if text != text.strip() or "\n" in text or "\r" in text:
        raise BadInput(f"{what} {text!r}")


def check_name(name: str, *signs: str) -> None:
    """Raise `railbird.errors.BadInput` for a name that is empty or contains one of the signs."""
    check_text(name, "the name")
    if not name or any(sign in name for sign in signs):
        raise BadInput(f"the name {name!r}")


_SEATED: Final = re.compile(
    r"seat +#?[0-9]{1,3}: (?!.* (?:folded|showed|mucked|collected|won|lost)\b)(.{1,200}?) *\(",
    re.IGNORECASE,
)
"""A player's place at the table, but not in the summary."""


def seated_in(line: str) -> Sequence[str]:
    """Find the player in a line such as ``Seat 3: Ann ($5 in chips)``, without reading it."""
    seat_match = _SEATED.match(line.strip())
    return () if seat_match is None else (seat_match[1],)


class Block(Protocol):
    """Lines of one hand."""

    @property
    def first(self) -> int:
        """Number of the first line in the text."""

    @property
    def lines(self) -> Sequence[str]:
        """The lines."""


_Block = TypeVar("_Block", bound=Block)


def _own_reason(_: Block, problem: BadHand) -> SkipReason:
    return problem.reason


def read_in_stages(
    blocks: Iterable[_Block],
    parse: Callable[[_Block], _Told],
    verify: Callable[[_Block, _Told], HandRecord],
    refused: Callable[[_Block, _Told | None], RefusedHand],
    reason: Callable[[_Block, BadHand], SkipReason] = _own_reason,
) -> Iterator[HandRecord | Skipped]:
    """Parse and verify the blocks of a text, one hand each, some at a time.

    A hand runs through more code than stays in a processor's nearest cache: parsing some and then
    verifying them is up to a quarter faster. ``reason`` says why a block is no hand, from what
    either stage raises, and ``refused`` what the text tells of it, given what was parsed.
    """
    waiting = iter(blocks)
    while batch := list(islice(waiting, _AT_A_TIME)):
        parsed = [attempt(block.lines[0], parse, block) for block in batch]
        for block, story in zip(batch, parsed, strict=True):
            hand = (
                story
                if isinstance(story, BadHand)
                else attempt(block.lines[0], verify, block, story)
            )
            if isinstance(hand, BadHand):
                parsed_story = None if isinstance(story, BadHand) else story
                refused_hand = attempt(block.lines[0], refused, block, parsed_story)
                yield _skipped(reason(block, hand), block.first, hand.detail, refused_hand)
            else:
                yield hand


def attempt(text: str, stage: Callable[..., _T], *arguments: object) -> _T | BadHand:
    """Call a stage of reading a hand; return its result, or why the hand is refused.

    All readers do so here. ``text`` is the beginning of the hand, which is quoted if the reader
    itself is at fault. Logs come from anywhere, and one that nobody has foreseen must not end the
    reading of the others. Raises only `railbird.histories.record.UnnamedGame`.
    """
    try:
        return stage(*arguments)
    except UnnamedGame:
        raise
    except BadHand as problem:
        return problem
    except BadInput as problem:  # posts, stacks and bets that no table has
        return BadHand(SkipReason.ANOTHER_GAME, str(problem))
    except Exception as fault:
        return unforeseen(fault, text)


def unforeseen(fault: Exception, text: str) -> BadHand:
    """Return the refusal of a text over which a reader has failed."""
    return BadHand(SkipReason.UNREADABLE, f"{text.strip()[:60]!r}: {type(fault).__name__}: {fault}")


def hand_or_skipped(
    hand: HandRecord | Skipped | BadHand,
    line: int,
    *,
    ended: bool = True,
    refused: Callable[[], RefusedHand] = RefusedHand,
) -> HandRecord | Skipped:
    """Return a hand, or where and why there is none: cut off, if its text has not ``ended``.

    ``refused`` says what the text tells of a hand that there is not.
    """
    if isinstance(hand, BadHand):
        reason = hand.reason if ended else SkipReason.CUT
        return _skipped(reason, line, hand.detail, attempt("", refused))
    return hand


def _skipped(
    reason: SkipReason, line: int, detail: str, refused_hand: RefusedHand | BadHand
) -> Skipped:
    if isinstance(refused_hand, BadHand):  # of a text that does not read, either
        return Skipped(reason, line, detail)
    return Skipped(reason, line, detail, hand=refused_hand)


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
    players_in: Callable[[str], Sequence[str]] | None = None
    """Function that finds players' names in a line, unread; None if a text spells names its way."""
    variants: bool = False
    """Whether it has words for other games than hold'em."""
    carries: frozenset[str] = frozenset(MARKS) - {"capped"}
    """Those of `MARKS` that it has a place for, if it is written."""
    keeps_refused: bool = False
    """Whether its logs have comments, in which hands that were refused are kept."""
    newest_first: bool = False
    """Whether its texts begin with the last hand, though hands are read in the order of play."""
    usual_game: str | None = None
    """Game of a single hand whose text does not name it; None if texts name their game."""
