"""What every format of hand histories keeps to, and `check_format`, which tries one out on a text.

All tries have fixed seeds, so a format that passes once with a text passes again.
"""

# Two contracts are about texts that are wrong, since logs that people send often are: cut when a
# program was closed, or pasted through a mail. A reader that stops there loses an
# evening; one that guesses counts hands that were never played so. Cuts are tried every few
# characters and not at ends of lines, because a number that lost its last digit still reads.
#
# What is written is compared with the hands and not with a text. Formats may write one hand in
# several ways, but a hand that comes back otherwise changes somebody's money. The names tried last
# are those that formats of lines cannot say. To refuse such a hand is right, to write it with
# another name is not, because logs are joined by names.

from __future__ import annotations

import dataclasses
import io
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from railbird.errors import BadInput
from railbird.extending.contract import Contract, require
from railbird.game import payoffs, replay
from railbird.game.play import payoff_parts
from railbird.histories import Format, HandRecord, ReadOptions, Skipped, WriteOptions

DAMAGES: Final = 150
"""Places of a text that are changed, each in a copy of its own."""
CUT_EVERY: Final = 7
"""Characters between two places where the last third of a text is cut off."""
_NOISE: Final = list("rcf/|:0159AKdh# \n$♠-,")
_UNREADABLE_NAMES: Final = ("", "two\nlines", " blank before", "a|b # c")


@dataclass(frozen=True, slots=True)
class TriedFormat:
    """A format, and the text and hands by which it is tried out."""

    format: Format
    text: str
    written: tuple[HandRecord, ...]
    """Hands that it must be able to write."""
    header: int
    """Lines at the beginning that are of no hand, without which nothing can be read."""
    is_one_object: bool
    """Whether a text is one object, such as JSON: of one that is cut nothing may be left."""

    def read(self, text: str, **options: object) -> list[HandRecord | Skipped]:
        """Read a text."""
        return list(self.format.read(io.StringIO(text), ReadOptions(**options)))  # type: ignore[arg-type]

    def hands(self) -> list[HandRecord]:
        """Return the hands of the text."""
        return [hand for hand in self.read(self.text) if isinstance(hand, HandRecord)]


def check_format(
    known: Format,
    text: str,
    *,
    hands: Sequence[HandRecord] | None = None,
    header: int = 0,
    is_one_object: bool = False,
    only: Collection[str] = (),
) -> None:
    """Test a format against `FORMAT_CONTRACTS`; return if it keeps them.

    ``text`` is a log of this format with three valid hands or more. ``hands`` are the hands that
    the format must be able to write, by default those of the text. ``header`` is the number of
    lines before the first hand. ``is_one_object`` says that a text is one object, such as JSON, so
    that a text that was cut has no readable hand. ``only`` names the contracts to check, by
    default all. Raises `BrokenContract` with the first contract that it breaks.
    """
    tried = TriedFormat(known, text, tuple(hands or ()), header, is_one_object)
    if hands is None and known.write is not None:
        tried = replace(tried, written=tuple(tried.hands()))
    require(known.name, tried, FORMAT_CONTRACTS, only)


# The contracts.


def _does_not_recognise(tried: TriedFormat) -> Iterator[str]:
    lines = tried.text.splitlines(keepends=True)
    for what, beginning in (("it", lines), ("it after an empty line", ["\n", *lines])):
        if not tried.format.recognises(beginning):
            yield f"{what} is not recognised by its lines"
    if tried.format.recognises(["hello\n", "world\n"]):
        yield "any text is recognised"


def _skips_good_hands(tried: TriedFormat) -> Iterator[str]:
    items = tried.read(tried.text)
    for item in items:
        if isinstance(item, Skipped):
            yield f"line {item.line} is skipped: {item.reason.value}, {item.detail}"
        else:
            yield from _unfounded(item)
    if len(items) < 3:
        yield f"{len(items)} hands are read of the text; needed: 3 or more"


def _unfounded(hand: HandRecord) -> Iterator[str]:
    """Yield what the rules do not confirm of a hand."""
    where = f"hand {hand.number or hand.number_text or '?'}"
    try:
        boards = (hand.board, *hand.more_boards)
        ends = [replay(hand.rules, hand.holes, board, hand.actions) for board in boards]
    except BadInput as problem:
        yield f"{where} is against its rules: {problem}"
        return
    if hand.rake < 0:
        yield f"{where} pays {-hand.rake} more than was put in"
    if hand.rake == 0 and all(payoff_parts(end) is not None for end in ends):
        due = [sum(of_seat) / len(ends) for of_seat in zip(*map(payoffs, ends), strict=True)]
        odd = len(ends) - 1  # chips that a run may have more than another
        if any(abs(paid - chips) > odd for paid, chips in zip(hand.payoffs, due, strict=True)):
            yield f"{where} pays {_chips(hand.payoffs)}; by its rules: {_chips(due)}"


def _chips(amounts: Sequence[Fraction]) -> str:
    return "/".join(map(str, amounts))


def _misplaces(tried: TriedFormat) -> Iterator[str]:
    lines, last = len(tried.text.splitlines()), 0
    items = tried.read(tried.text, file="some.log")
    for hand in reversed(items) if tried.format.newest_first else items:
        if isinstance(hand, HandRecord):
            source = hand.source
            if source is None or source.file != "some.log":
                yield f"hand {hand.number} has the source {source}; given: some.log"
            elif not max(1, last) <= source.line <= lines:
                yield f"hand {hand.number} is said to be at line {source.line} of {lines}"
            else:
                last = source.line


def _does_not_rename(tried: TriedFormat) -> Iterator[str]:
    hands = tried.hands()
    name = hands[0].players[0] if hands else ""
    renamed = tried.read(tried.text, rename={name: "Somebody", "nobody": "Else"})
    for hand, renamed_hand in zip(hands, renamed, strict=False):
        players = tuple("Somebody" if player == name else player for player in hand.players)
        if not isinstance(renamed_hand, HandRecord) or renamed_hand != replace(
            hand, players=players
        ):
            yield f"hand {hand.number} with {name} renamed is {_brief(renamed_hand)}"


def _loses_hands_before_a_cut(tried: TriedFormat) -> Iterator[str]:
    text, hands = tried.text, tried.read(tried.text)
    if tried.is_one_object:
        if [type(item) for item in tried.read(text[:-10])] != [Skipped]:
            yield "its text without the last ten characters is not one thing that is skipped"
        return
    onward = -1 if tried.format.newest_first else 1
    hands = hands[::onward]
    for end in range(len(text) * 2 // 3, len(text), CUT_EVERY):
        items = tried.read(text[:end])[::onward]
        good = [hand for hand in items if isinstance(hand, HandRecord)]
        where = f"cut after {end:,} of {len(text):,} characters"
        if items[: len(good)] != good or len(items) - len(good) > 1:
            skips = ", ".join(_brief(item) for item in items if isinstance(item, Skipped))
            yield f"{where} more than the end is skipped: {skips}"
        before = [hand.payoffs for hand in hands[: len(good)] if isinstance(hand, HandRecord)]
        if [hand.payoffs for hand in good] != before or len(good) < len(hands) // 3:
            yield f"{where} it has {len(good)} hands, not those before the cut"


def _stops_at_damage(tried: TriedFormat) -> Iterator[str]:
    rng, text = np.random.default_rng(5), tried.text
    head = len("".join(text.splitlines(keepends=True)[: tried.header]))
    hands = len(tried.read(text))
    least = 1 if tried.is_one_object else hands - 2
    for _ in range(DAMAGES):
        place, length = int(rng.integers(head, len(text))), int(rng.integers(0, 4))
        noise = "".join(rng.choice(_NOISE) for _ in range(rng.integers(4)))
        where = f"with {noise!r} for {text[place : place + length]!r} at character {place + 1:,}"
        try:
            items = tried.read(text[:place] + noise + text[place + length :])
        except Exception as problem:
            yield f"{where} reading ends: {type(problem).__name__}: {problem}"
            continue
        if len(items) < least:
            yield f"{where} {len(items)} of {hands} hands are read or skipped"
        for item in items:
            if isinstance(item, Skipped) and (item.line < 1 or "\n" in item.detail):
                yield f"{where} it says {item.detail!r} of line {item.line}"


def _writes_what_reads_otherwise(tried: TriedFormat) -> Iterator[str]:
    if tried.format.write is None:
        return
    pieces = list(tried.format.write(tried.written, WriteOptions()))
    for piece in pieces:
        if isinstance(piece, Skipped):
            yield f"it does not write a hand: {piece.detail}"
    back = tried.read("".join(piece for piece in pieces if isinstance(piece, str)))
    if len(back) != len(tried.written):
        yield f"of {len(tried.written)} hands that it writes {len(back)} are read"
    for hand, written_back in zip(tried.written, back, strict=False):
        if written_back != hand or written_back.low_first != hand.low_first:
            fields = (
                _different(hand, written_back)
                if isinstance(written_back, HandRecord)
                else _brief(written_back)
            )
            yield f"hand {hand.number} that it writes is read otherwise: {fields}"


def _writes_unreadable_names(tried: TriedFormat) -> Iterator[str]:
    if tried.format.write is None or not tried.written:
        return
    hand = tried.written[0]
    for name in _UNREADABLE_NAMES:
        record = replace(hand, players=(name, *hand.players[1:]))
        pieces = list(tried.format.write([record], WriteOptions()))
        text = "".join(piece for piece in pieces if isinstance(piece, str))
        if text and tried.read(text) != [record]:
            yield f"a hand of a player named {name!r} is written, and not read back"


FORMAT_CONTRACTS: Final[Sequence[Contract[TriedFormat]]] = (
    Contract("recognised", "recognises its texts by their first lines", _does_not_recognise),
    Contract(
        "hands",
        "reads good hands, which the rules confirm and which pay what the text says",
        _skips_good_hands,
    ),
    Contract("sources", "says in which file and line a hand was read", _misplaces),
    Contract("names", "renames players, and changes nothing else", _does_not_rename),
    Contract(
        "cut text",
        "reads the hands before a cut, and skips at most the one that is cut",
        _loses_hands_before_a_cut,
    ),
    Contract(
        "damaged text",
        "reads on after damage, and says in a line what it skips",
        _stops_at_damage,
    ),
    Contract(
        "written text", "reads the hands that it writes as they were", _writes_what_reads_otherwise
    ),
    Contract(
        "strange names", "skips a hand whose names it could not read back", _writes_unreadable_names
    ),
)
"""In the order of checking. The last two are for formats that are written."""


def _brief(item: HandRecord | Skipped) -> str:
    if isinstance(item, Skipped):
        return f"skipped, {item.reason.value}: {item.detail}"
    return f"a hand of {', '.join(item.players)}"


def _different(hand: HandRecord, rival: HandRecord) -> str:
    """Name the fields in which two hands differ."""
    names = [field.name for field in dataclasses.fields(hand) if field.name != "source"]
    return ", ".join(name for name in names if getattr(hand, name) != getattr(rival, name))
