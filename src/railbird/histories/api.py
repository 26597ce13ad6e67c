"""Reading and writing of hand histories in any format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast

from railbird.errors import BadInput, NothingUsable
from railbird.game import Rules
from railbird.histories.acpc.gamedef import resolve_game
from railbird.histories.files import LogFile, holds_logs, logs_in, write_text
from railbird.histories.format import Format, ReadOptions, WriteOptions
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason
from railbird.histories.registry import FORMATS, detect, format_named, writable_format
from railbird.progress import Progress

if TYPE_CHECKING:
    from railbird.histories.columns import HandBatch

_PLAIN: Final = WriteOptions()

OnSkip = Callable[[Skipped], None]

_Items = Iterator["HandRecord | HandBatch | Skipped"]
_Reader = Callable[[Iterable[str], ReadOptions], _Items]


@dataclass(frozen=True, slots=True)
class Written:
    """Counts of the hands written and skipped."""

    hands: int
    """Number of hands written."""
    skipped: Mapping[SkipReason, int]


def read(
    source: str | Path | IO[bytes],
    *,
    game: str | Rules | None = None,
    format_name: str | None = None,
    rename: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Iterator[HandRecord | Skipped]:
    """Read the hands of a log one by one, each verified by the rules engine.

    ``source`` is a path, "-" for standard input, or an open binary stream; gzip, bzip2 and xz are
    unpacked, and the format is detected unless it is named. Of a folder or a zip archive all logs
    are read, whatever their formats; a folder may also be one of Railbird's archives, which know
    their games, or one of the IRC poker database.
    ``game`` is a `.game` file or the name of a standard game with changes
    (`railbird.histories.resolve_game`) for logs that do not name it. ``rename`` maps old names of
    players to new ones. Memory does not grow with the log.

    Unusable hands are yielded as `Skipped`, and reading continues. Raises
    `railbird.errors.BadInput` for a source that cannot be opened or is of no known format, and on
    the first hand of a log whose game nobody has named.
    """
    items = _items(source, game, format_name, rename, progress, lambda found: found.read)
    return cast("Iterator[HandRecord | Skipped]", items)


def read_columns(
    source: str | Path | IO[bytes],
    *,
    game: str | Rules | None = None,
    format_name: str | None = None,
    rename: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> _Items:
    """Read the hands of a log as `read` does, as columns where that is faster.

    ACPC logs come in batches of some thousand hands, at ten times the speed; hands of other
    formats come one by one. A `Skipped` precedes the batch that it was found in.
    """
    return _items(source, game, format_name, rename, progress, _columns_reader)


def _columns_reader(found: Format) -> _Reader:
    if found.name == "acpc":
        from railbird.histories.acpc.columns import read_batches  # kernels, which text does without

        return read_batches
    return found.read


def _items(
    source: str | Path | IO[bytes],
    game: str | Rules | None,
    format_name: str | None,
    rename: Mapping[str, str] | None,
    progress: Progress | None,
    reader_of: Callable[[Format], _Reader],
) -> _Items:
    known = None if format_name is None else format_named(format_name)
    options = ReadOptions(
        rules=resolve_game(game) if isinstance(game, str) else game, rename=rename or {}
    )
    if holds_logs(source):
        return _of_many(source, known, options, progress, reader_of)
    log = LogFile(source, progress)
    return _hands(log, reader_of(known or _detected(log)), options)


def read_hand(text: str, *, game: str | Rules | None = None) -> HandRecord:
    """Read one hand from text: a one-line hand, a STATE line, a block of a site's lines.

    A text that does not name its game is taken for heads-up limit unless ``game`` is given. Raises
    `railbird.errors.BadInput`.

    >>> hand = read_hand("T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC")
    >>> hand.payoffs
    (Fraction(110, 1), Fraction(-110, 1))
    """
    lines = [line + "\n" for line in text.strip().splitlines()]
    found = detect(lines) or format_named("line")
    game = game or found.usual_game
    rules = resolve_game(game) if isinstance(game, str) else game
    hands = list(found.read(lines, ReadOptions(rules=rules)))
    if len(hands) != 1:
        raise BadInput(f"the text must hold one hand, not {len(hands)}")
    match hands[0]:
        case Skipped(reason, _, detail):
            raise BadHand(reason, detail)
        case hand:
            return hand


def write(
    records: Iterable[HandRecord],
    target: str | Path,
    *,
    format_name: str | None = None,
    options: WriteOptions = _PLAIN,
    on_skip: OnSkip | None = None,
) -> Written:
    """Write hands to a path (compressed if it ends in ``.gz``) or to "-", standard output.

    The format follows from the file's name unless it is named. A temporary file is renamed at the
    end; without a hand nothing is written, and an older file stays. A hand that the format cannot
    represent is skipped. Raises `railbird.errors.BadInput` for a format that is unknown or
    read-only, and for a path that cannot be written.
    """
    wanted = writable_format(str(target)) if format_name is None else format_named(format_name)
    if wanted.write is None:
        raise BadInput(f"format {wanted.name} can only be read")
    hands = 0
    skipped: Counter[SkipReason] = Counter()

    def counted() -> Iterator[HandRecord]:
        nonlocal hands
        for record in records:
            hands += 1
            yield record

    def pieces(items: Iterator[str | Skipped]) -> Iterator[str]:
        for item in items:
            if isinstance(item, str):
                yield item
                continue
            skipped[item.reason] += 1
            if on_skip is not None:
                on_skip(item)
        if hands == skipped.total():
            raise _NoHands

    with suppress(_NoHands):
        write_text(pieces(wanted.write(counted(), options)), target)
    return Written(hands - skipped.total(), dict(skipped))


def convert(
    source: str | Path | IO[bytes],
    target: str | Path,
    *,
    game: str | Rules | None = None,
    source_format: str | None = None,
    target_format: str | None = None,
    rename: Mapping[str, str] | None = None,
    options: WriteOptions = _PLAIN,
    progress: Progress | None = None,
    on_skip: OnSkip | None = None,
) -> Written:
    """Read a log and write its hands in another format; see `read` and `write`.

    ``on_skip`` is called for every hand that could not be read or written.
    """
    only = str(source)
    unread: Counter[SkipReason] = Counter()
    hands = read(source, game=game, format_name=source_format, rename=rename, progress=progress)

    def good() -> Iterator[HandRecord]:
        for hand in hands:
            if isinstance(hand, HandRecord):
                yield hand
                continue
            unread[hand.reason] += 1
            if on_skip is not None:
                on_skip(hand)

    def refused(hand: Skipped) -> None:
        if on_skip is not None:
            on_skip(replace(hand, file="") if hand.file == only else hand)

    written = write(good(), target, format_name=target_format, options=options, on_skip=refused)
    return Written(written.hands, dict(unread + Counter(written.skipped)))


def _detected(log: LogFile) -> Format:
    found = detect(log.head)
    if found is None:
        known = ", ".join(known.name for known in FORMATS)
        problem = _unknown(log) or "is of no known format"
        raise NothingUsable(f"{log.name or 'the text'} {problem}; known: {known}")
    return found


def _unknown(log: LogFile) -> str:
    """Describe why a text is of no known format; "" if there is nothing to add."""
    if log.damage and not log.head:
        return f"cannot be unpacked: {log.damage}"
    return "" if log.head else "is empty"


class _NoHands(Exception):
    """Signal to abandon a file that would be empty."""


def _hands(log: LogFile, read_text: _Reader, options: ReadOptions) -> _Items:
    yield from read_text(log.lines(), replace(options, file=log.name, folder=log.folder))
    if log.damage:
        yield Skipped(SkipReason.CUT, log.lines_read + 1, log.damage)


def _of_many(
    source: str | Path | IO[bytes],
    known: Format | None,
    options: ReadOptions,
    progress: Progress | None,
    reader_of: Callable[[Format], _Reader],
) -> _Items:
    """Read all logs of a folder or a zip archive. Raises `NothingUsable` if there is none."""
    parts = (_opened(log, known, options, progress, reader_of) for log in logs_in(source, progress))
    useless = list[_NoLog]()
    for part in parts:
        if not isinstance(part, _NoLog):
            return chain.from_iterable(chain(useless, [part], parts))
        useless.append(part)
    where = source if isinstance(source, str | Path) else "the zip archive"
    problem = (
        f"none of {len(useless):,} files is a log of a known format" if useless else "is empty"
    )
    raise NothingUsable(f"{where}: {problem}")


class _NoLog(tuple[Skipped]):
    """Report on a file without hands."""


def _opened(
    log: LogFile | Path | Skipped,
    known: Format | None,
    options: ReadOptions,
    progress: Progress | None,
    reader_of: Callable[[Format], _Reader],
) -> Iterable[HandRecord | HandBatch | Skipped]:
    """Return the hands of one log among several, or why it has none."""
    match log:
        case Skipped():
            return _NoLog([log])
        case Path():
            from railbird.histories import archive  # Polars, which logs of text do without

            return archive.read(log, rename=options.rename, progress=progress)
    found = known or detect(log.head)
    if found is None:
        return _NoLog([Skipped(SkipReason.NO_LOG, 0, _unknown(log), file=log.name)])
    return (
        replace(hand, file=log.name) if isinstance(hand, Skipped) else hand
        for hand in _hands(log, reader_of(found), options)
    )
