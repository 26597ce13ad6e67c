"""Reading and writing of hand histories in any format."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from railbird._arguments import checked
from railbird.cards import HOLDEM
from railbird.errors import BadInput, NothingUsable, absent_player, wrong_value
from railbird.game import Rules
from railbird.histories.acpc.gamedef import resolve_game
from railbird.histories.files import IRC_HANDS, LogFile, holds_logs, logs_in, write_text
from railbird.histories.format import MARKS, Format, ReadOptions, WriteOptions, unforeseen
from railbird.histories.log_parts import LogPart, Spread, cut_log, site_of
from railbird.histories.record import (
    BadHand,
    HandRecord,
    Skipped,
    SkipReason,
    UnnamedGame,
    line_of,
    not_representable,
    renamed,
)
from railbird.histories.refused_lines import refused_line
from railbird.histories.registry import FORMATS, detect, format_named, writable_format
from railbird.histories.tournament_summaries import is_summary
from railbird.progress import Progress

if TYPE_CHECKING:
    from railbird.histories.columns import HandBatch

_PLAIN: Final = WriteOptions()

OnSkip = Callable[[Skipped], None]

_T = TypeVar("_T")
_Items = Iterator["HandRecord | HandBatch | Skipped"]
_Reader = Callable[[LogFile, ReadOptions], _Items]


@dataclass(frozen=True, slots=True)
class Written:
    """Counts of the hands written and skipped."""

    hands: int
    """Number of hands written."""
    skipped: Mapping[SkipReason, int]
    lost: Mapping[str, int] = field(default_factory=dict)
    """Hands by what the format has no place for, in words."""


@checked
def read(
    source: str | Path | IO[bytes],
    *,
    game: str | Rules | None = None,
    format_name: str | None = None,
    rename: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    variants: bool = False,
) -> Iterator[HandRecord | Skipped]:
    """Read the hands of a log one by one, each verified by the rules engine.

    ``source`` is a path, "-" for standard input, or an open binary stream; gzip, bzip2 and xz are
    unpacked, and the format is detected unless it is named. Of a folder or a zip archive all logs
    are read, whatever their formats; a folder may also be one of Railbird's archives, which know
    their games, or one of the IRC poker database.
    ``game`` is a `.game` file or the name of a standard game with changes
    (`railbird.histories.resolve_game`) for logs that do not name it. ``rename`` maps old names of
    players to new ones. Memory does not grow with the log. Hands of other games than hold'em are
    skipped unless ``variants`` says that they are wanted.

    Unusable hands are yielded as `Skipped`, and reading continues. A summary of a tournament has no
    hands (`railbird.histories.tournament_entries`).

    Raises `railbird.errors.BadInput` for a source that cannot be opened or is of no known format,
    and on the first hand of a log whose game nobody has named; among several, such a log is
    `Skipped`.
    """
    items = _items(source, game, format_name, rename, progress, _RECORDS, variants=variants)
    return cast("Iterator[HandRecord | Skipped]", items)


@checked
def read_columns(
    source: str | Path | IO[bytes],
    *,
    game: str | Rules | None = None,
    format_name: str | None = None,
    rename: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    spread: Spread | None = None,
) -> _Items:
    """Read the hands of a log as `read` does, as columns where that is faster.

    ACPC logs and archives come in batches of some thousand hands, at ten times the speed; hands of
    other formats come one by one. A `Skipped` precedes the batch that it was found in. ``spread``
    reads parts of sites' texts, on several cores for instance; these come in batches, too.
    """
    return _items(source, game, format_name, rename, progress, _COLUMNS, spread=spread)


def _records_reader(log_format: Format) -> _Reader:
    return lambda log, options: log_format.read(log.lines(), options)


def _columns_reader(log_format: Format) -> _Reader:
    if log_format.name == "acpc":
        from railbird.histories.acpc.columns import read_batches  # kernels, which text does without

        return lambda log, options: read_batches(log.pieces(), options)
    return _records_reader(log_format)


def _archived_records(folder: Path, options: ReadOptions, progress: Progress | None) -> _Items:
    from railbird.histories import archive  # Polars, which logs of text do without

    return archive.read(folder, rename=options.rename, progress=progress)


def _archived_columns(folder: Path, options: ReadOptions, progress: Progress | None) -> _Items:
    from railbird.histories import archive

    return archive.read_batches(folder, rename=options.rename, progress=progress)


class _Way(NamedTuple):
    """Way of reading hands: as records or as columns."""

    reader_of: Callable[[Format], _Reader]
    archived: Callable[[Path, ReadOptions, Progress | None], _Items]


_RECORDS: Final = _Way(_records_reader, _archived_records)
_COLUMNS: Final = _Way(_columns_reader, _archived_columns)


def _items(
    source: str | Path | IO[bytes],
    game: str | Rules | None,
    format_name: str | None,
    rename: Mapping[str, str] | None,
    progress: Progress | None,
    way: _Way,
    *,
    variants: bool = False,
    spread: Spread | None = None,
) -> _Items:
    known = None if format_name is None else format_named(format_name)
    rules = resolve_game(game) if isinstance(game, str) else game
    if not isinstance(rules, Rules | None):
        raise wrong_value("game", rules, "Rules, a .game file or the name of a standard game")
    options = ReadOptions(rules=rules, rename=dict(rename or {}), variants=variants)
    if holds_logs(source):
        return _of_many(source, known, options, progress, way, spread)
    log = LogFile(source, progress)
    if known is None and is_summary(log.head):
        return iter(())
    log_format = known or _detected(log)
    if spread is not None and site_of(log_format) is not None:
        return _spread_out([_Spreadable(log, log_format, options)], spread)
    return _hands(log, way.reader_of(log_format), options)


class HoldsHands(Protocol):
    """Anything that has hands as columns: the result of a match, the hands of an assessment."""

    def batches(self) -> Iterator[HandBatch]:
        """Return the hands in order."""


HandsLike: TypeAlias = (
    "str | Path | IO[bytes] | HandRecord | HoldsHands"
    " | Iterable[str | Path | HandRecord | HandBatch | HoldsHands | Skipped]"
)
"""Hands, or what they are in: logs, results of matches; one of either or several."""


@checked
def hands_from(
    source: HandsLike,
    *,
    game: str | Rules | None = None,
    progress: Progress | None = None,
) -> _Items:
    """Iterate over hands, or over a path's hands, which `read_columns` reads.

    ``game`` and ``progress`` are arguments of that function. Raises `railbird.errors.BadInput` as
    it does, and for other objects.
    """
    read_log = partial(read_columns, game=game, progress=progress)
    if isinstance(source, HandRecord):
        return iter((source,))
    if isinstance(source, str | Path) or hasattr(source, "read"):
        return read_log(cast("str | Path | IO[bytes]", source))
    if hasattr(source, "batches"):
        return cast("HoldsHands", source).batches()
    if not isinstance(source, Iterable):
        raise _no_hands(source)
    return chain.from_iterable(_hands_of(inner_source, read_log) for inner_source in source)


def _hands_of(
    item: str | Path | HandRecord | HandBatch | HoldsHands | Skipped,
    read_log: Callable[[str | Path], _Items],
) -> Iterable[HandRecord | HandBatch | Skipped]:
    if isinstance(item, HandRecord | Skipped):
        return (item,)
    if isinstance(item, str | Path):
        return read_log(item)
    if hasattr(item, "batches"):
        return cast("HoldsHands", item).batches()
    from railbird.histories.columns import HandBatch  # kernels, which text does without

    if isinstance(item, HandBatch):
        return (item,)
    raise _no_hands(item)


def _no_hands(value: object) -> BadInput:
    return wrong_value("log", value, "a path, hands, the result of a match, or a list of such")


@checked
def read_hand(text: str, *, game: str | Rules | None = None) -> HandRecord:
    """Read one hand from text: a one-line hand, a STATE line, a block of a site's lines.

    A text that does not name its game is taken for heads-up limit unless ``game`` is given. Raises
    `railbird.errors.BadInput`.

    >>> hand = read_hand("T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC")
    >>> hand.payoffs
    (Fraction(110, 1), Fraction(-110, 1))
    """
    lines = [line + "\n" for line in text.strip().splitlines()]
    log_format = detect(lines) or format_named("line")
    game = game or log_format.usual_game
    rules = resolve_game(game) if isinstance(game, str) else game
    hands = list(log_format.read(lines, ReadOptions(rules=rules)))
    if len(hands) != 1:
        raise BadInput(f"the text must hold one hand, not {len(hands)}")
    match hands[0]:
        case Skipped(reason, _, detail):
            raise BadHand(reason, detail)
        case hand:
            return hand


@checked
def write(
    records: Iterable[HandRecord | Skipped],
    target: str | Path,
    *,
    format_name: str | None = None,
    options: WriteOptions = _PLAIN,
    on_skip: OnSkip | None = None,
) -> Written:
    """Write hands to a path (compressed if it ends in ``.gz``) or to "-", standard output.

    The format follows from the file's name unless it is named. A temporary file is renamed at the
    end; without a hand nothing is written, and an older file stays. A hand that the format cannot
    represent is skipped, as are hands that were skipped in reading, whose money a format with
    comments keeps. Raises `railbird.errors.BadInput` for a format that is unknown or read-only, and
    for a path that cannot be written.
    """
    target = target if target == "-" else Path(target)
    wanted = writable_format(str(target)) if format_name is None else format_named(format_name)
    written = wanted.write
    if written is None:
        raise BadInput(f"format {wanted.name} can only be read")
    unread, unwritten = _Skips(on_skip), _Skips(on_skip)
    hands = 0
    lost: Counter[str] = Counter()
    missing_marks = MARKS.keys() - wanted.carries
    lacking = [(MARKS[mark], attrgetter(mark)) for mark in MARKS if mark in missing_marks]

    def counted() -> Iterator[HandRecord]:
        nonlocal hands
        for record in unread.taken_out(records):
            if not isinstance(record, HandRecord):
                raise wrong_value("hand", record, "a HandRecord")
            hands += 1
            if record.rules.variant is HOLDEM or wanted.variants:
                lost.update(words for words, mark in lacking if mark(record))
                yield record
            else:
                unwritten.take(_without_words(record, wanted))

    def pieces() -> Iterator[str]:
        yield from unwritten.taken_out(written(counted(), options))
        if hands == unwritten.counts.total():
            raise _NoHands
        if wanted.keeps_refused:
            yield from map(refused_line, unread.refused)

    with suppress(_NoHands):
        write_text(pieces(), target)
    skipped = dict(unread.counts + unwritten.counts)
    return Written(hands - unwritten.counts.total(), skipped, dict(lost))


class _Skips:
    """Takes what was skipped out of a stream, counts it and passes it on to who wants to hear."""

    def __init__(self, hear: OnSkip | None) -> None:
        self.counts: Counter[SkipReason] = Counter()
        self.refused: list[Skipped] = []
        """Those with money."""
        self._hear = hear

    def taken_out(self, items: Iterable[_T | Skipped]) -> Iterator[_T]:
        """The rest of the stream, in its order."""
        for item in items:
            if isinstance(item, Skipped):
                self.take(item)
            else:
                yield item

    def take(self, item: Skipped) -> None:
        """Count one."""
        self.counts[item.reason] += 1
        if item.hand.won:
            self.refused.append(item)
        if self._hear is not None:
            self._hear(item)


def _without_words(record: HandRecord, wanted: Format) -> Skipped:
    """Return a hand of a game for which a format has no words as skipped."""
    return not_representable(record, BadInput(f"{record.rules.variant.name} in {wanted.name}"))


@checked
def check_players(names: Iterable[str], sources: Iterable[str | Path]) -> None:
    """Refuse a player who is in none of the logs, before anything is compiled or verified.

    The texts are searched rather than parsed, and no further than the names. Logs that may write a
    name in another way, and standard input, are not checked. Raises
    `railbird.errors.NothingUsable` and `railbird.errors.BadInput`.
    """
    missing = set(names)
    if not missing:
        return
    seen: set[str] = set()
    sources = list(sources)
    for source in sources:
        if str(source) == "-":
            return
        for log in logs_in(source) if holds_logs(source) else [LogFile(source)]:
            if isinstance(log, Skipped):
                continue
            log_players = _players_in(log, missing)
            if log_players is None:
                return
            seen |= log_players
            missing -= seen
            if not missing:
                return
    if seen:
        where = "this log" if len(sources) == 1 else "these logs"
        raise absent_player(min(missing), seen, where=where)


def _players_in(log: LogFile | Path, wanted: Iterable[str]) -> set[str] | None:
    """Return players of a log, with all that are wanted and in it; None if that is not known."""
    if isinstance(log, Path):
        from railbird.histories import archive

        return set(archive.players(log))
    log_format = detect(log.head)
    if log_format is None:
        return set()
    if log_format.players_in is None:
        return None
    seen, missing = set[str](), set(wanted)
    try:
        for line in log.lines():
            seen.update(log_format.players_in(line))
            here = {name for name in missing if name in line}
            seen |= here
            missing -= here
            if not missing:
                break
    finally:
        log.close()
    return seen


@checked
def convert(
    source: str | Path | IO[bytes] | Sequence[str | Path],
    target: str | Path,
    *,
    game: str | Rules | None = None,
    source_format: str | None = None,
    target_format: str | None = None,
    rename: Mapping[str, str] | None = None,
    change: Callable[[Iterator[HandRecord | Skipped]], Iterator[HandRecord | Skipped]] = iter,
    options: WriteOptions = _PLAIN,
    progress: Progress | None = None,
    on_skip: OnSkip | None = None,
) -> Written:
    """Read a log, or several, and write the hands in another format; see `read` and `write`.

    ``change`` gives the hands that are written in place of those that were read and renamed.
    ``on_skip`` is called for every hand that could not be read or written. Raises
    `railbird.errors.NothingUsable`, and writes nothing, if a player to rename is in no hand.
    """
    logs = (
        list(source) if isinstance(source, Sequence) and not isinstance(source, str) else [source]
    )
    only = str(logs[0]) if len(logs) == 1 else ""
    hands: Iterator[HandRecord | Skipped] = chain.from_iterable(
        _named(
            read(log, game=game, format_name=source_format, progress=progress, variants=True), log
        )
        for log in logs
    )
    if rename:
        where = "standard input" if only == "-" else only or "these logs"
        hands = _renamed_hands(hands, rename, where)

    def hear(skip: Skipped) -> None:
        if on_skip is not None:
            on_skip(replace(skip, file="") if skip.file == only else skip)

    changed = change(hands)
    return write(changed, target, format_name=target_format, options=options, on_skip=hear)


def _named(
    hands: Iterable[HandRecord | Skipped], log: str | Path | IO[bytes]
) -> Iterator[HandRecord | Skipped]:
    """Add the file's name to the skipped hands of a log among several."""
    name = str(log) if isinstance(log, str | Path) else ""
    for hand in hands:
        yield replace(hand, file=name) if isinstance(hand, Skipped) and not hand.file else hand


def _renamed_hands(
    hands: Iterable[HandRecord | Skipped], rename: Mapping[str, str], where: str
) -> Iterator[HandRecord | Skipped]:
    """Rename the players; at the end refuse names that no hand has had."""
    seen: set[str] = set()
    for hand in hands:
        if isinstance(hand, Skipped):
            yield hand
            continue
        seen.update(hand.players)
        try:
            yield replace(hand, players=renamed(hand.players, rename))
        except BadHand as problem:
            file = "" if hand.source is None else hand.source.file
            yield Skipped(problem.reason, line_of(hand), problem.detail, file)
    if seen and (absent := [name for name in rename if name not in seen]):
        raise absent_player(absent[0], seen, where=where)


def _detected(log: LogFile) -> Format:
    log_format = detect(log.head)
    if log_format is None:
        problem = _unknown(log) or (
            f"is of no known format; known: {len(FORMATS)} of sites and programs, such as those of "
            "PokerStars, GGPoker, PHH and the ACPC; `railbird convert --help` lists them"
        )
        raise NothingUsable(f"{log.name or 'the text'} {problem}")
    return log_format


def _unknown(log: LogFile) -> str:
    """Describe why a text is of no known format; "" if there is nothing to add."""
    if log.damage:
        return f"cannot be read: {log.damage}"
    if not log.head:
        return "is empty"
    zipped = log.head[0].startswith("PK\x03\x04")
    return "is a zip archive in a pipe; allowed: in a file" if zipped else ""


class _NoHands(Exception):
    """Signal to abandon a file that would be empty."""


def _hands(log: LogFile, read_log: _Reader, options: ReadOptions) -> _Items:
    try:
        yield from read_log(log, replace(options, file=log.name, folder=log.folder))
    except (BadInput, OSError):
        raise
    except Exception as fault:  # in dividing the text, which leaves nothing to go on from
        problem = unforeseen(fault, log.head[0] if log.head else "")
        yield Skipped(problem.reason, 0, f"{problem.detail}; the rest is not read")
    finally:
        log.close()  # also where a reader has failed, whose traceback keeps its lines
    yield from (replace(skip, file="") for skip in _damage_of(log))


def _of_many(
    source: str | Path | IO[bytes],
    known: Format | None,
    options: ReadOptions,
    progress: Progress | None,
    way: _Way,
    spread: Spread | None,
) -> _Items:
    """Read all logs of a folder or a zip archive. Raises `NothingUsable` if there is none."""
    is_all = isinstance(source, str | Path) and (Path(source) / IRC_HANDS).is_file()
    parts = (
        _opened(log, known, options, progress, way, is_all=is_all, spread=spread)
        for log in logs_in(source, progress)
    )
    useless = list[_NoLog]()
    for part in parts:
        if not isinstance(part, _NoLog):
            rest = chain(useless, [part], parts)
            return chain.from_iterable(rest) if spread is None else _spread_out(rest, spread)
        useless.append(part)
    where = source if isinstance(source, str | Path) else "the zip archive"
    if not useless:
        raise NothingUsable(f"{where} is empty")
    raise NothingUsable(f"{where}: none of {len(useless):,} files is a log of a known format")


class _NoLog(tuple[Skipped]):
    """Report on a file without hands."""


def _opened(
    log: LogFile | Path | Skipped,
    known: Format | None,
    options: ReadOptions,
    progress: Progress | None,
    way: _Way,
    *,
    is_all: bool,
    spread: Spread | None,
) -> Iterable[HandRecord | HandBatch | Skipped]:
    """Return the hands of one log among several, or why it has none."""
    match log:
        case Skipped():
            return _NoLog([log])
        case Path():
            return way.archived(log, options, progress)
    if known is None and is_summary(log.head):
        return ()
    log_format = known or detect(log.head)
    if log_format is None:
        return _NoLog([Skipped(SkipReason.NO_LOG, 0, _unknown(log), file=log.name)])
    if spread is not None and site_of(log_format) is not None:
        return _Spreadable(log, log_format, options)
    hands = _with_file(_hands(log, way.reader_of(log_format), options), log.name, is_all=is_all)
    # A member of a zip archive is open only until the next one is, and parts are cut in advance.
    return hands if spread is None or log.folder is not None else list(hands)


@dataclass(frozen=True, slots=True)
class _Spreadable:
    """A log whose hands are read in parts, by whoever has the time."""

    log: LogFile
    log_format: Format
    options: ReadOptions

    def __iter__(self) -> _Items:
        """Return no hands: they come from the parts."""
        return iter(())

    def parts(self) -> Iterator[LogPart]:
        """Cut the log into parts."""
        site, log = site_of(self.log_format), self.log
        assert site is not None
        options = replace(self.options, file=log.name, folder=log.folder)
        try:
            yield from cut_log(log, self.log_format, site, options)
        finally:
            log.close()


def _spread_out(
    logs: Iterable[Iterable[HandRecord | HandBatch | Skipped]], spread: Spread
) -> _Items:
    """Have parts of logs read by ``spread``, and read what has none here, all in their order."""
    here: deque[Iterable[HandRecord | HandBatch | Skipped]] = deque()

    def todo() -> Iterator[LogPart | None]:
        for log in logs:
            if isinstance(log, _Spreadable):
                for part in log.parts():
                    here.append(())
                    yield part
                log = _damage_of(log.log)
            here.append(log)
            yield None

    for part_hands in spread(todo()):
        if part_hands is not None:
            yield from part_hands.skipped
            if len(part_hands.hands):
                yield part_hands.hands
        yield from here.popleft()


def _damage_of(log: LogFile) -> list[Skipped]:
    """Return that a log's data are damaged where it ends, if they are."""
    if not log.damage:
        return []
    return [Skipped(SkipReason.CUT, log.lines_read + 1, log.damage, file=log.name)]


def _with_file(hands: _Items, file: str, *, is_all: bool) -> _Items:
    """Name the file of what is skipped, and of a log that does not say what game it is of.

    Of one that is all there is (``is_all``) that is raised.
    """
    try:
        for hand in hands:
            yield replace(hand, file=file) if isinstance(hand, Skipped) else hand
    except UnnamedGame as problem:
        if is_all:
            raise
        yield Skipped(SkipReason.NO_GAME, 0, str(problem).removeprefix(f"{file}: "), file=file)
    except OSError as problem:
        yield Skipped(SkipReason.CUT, 0, f"cannot be read: {problem.strerror}", file=file)
