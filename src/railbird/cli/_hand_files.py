"""Checks before any work: inputs can be read, nothing is overwritten unasked."""

# Everything here is asked before the work, because people start commands that take hours and leave.
# A file that cannot be written must be known in the first second and not at the end.

from __future__ import annotations

import os
import re
import stat
import sys
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from railbird import assessment, cards, histories, report
from railbird._files import check_writable
from railbird._threads import thread_count
from railbird.cli._console import errors, said_though_quiet
from railbird.errors import BadInput, NothingUsable
from railbird.report.number_format import display_name, signed_total
from railbird.units import counted, reasons_in_words

if TYPE_CHECKING:
    import altair as alt

    from railbird.progress import Progress

    _Read = tuple[histories.HandBatch, Sequence[histories.Skipped]]

_Item = TypeVar("_Item", bound="histories.HandRecord | histories.HandBatch | histories.Skipped")

_STANDARD = "-"
_HAND = "Ts6s,Jd5d,Td5hTh SlCk/bF"
_FILE_ENDINGS = frozenset(
    (".csv", ".htm", ".html", ".json", ".md", ".parquet", ".pdf", ".png", ".svg", ".txt")
)
"""Endings by which somebody means a file where a folder is asked for."""

same_option = click.option(
    "--same",
    multiple=True,
    metavar="NAME=OTHER,...",
    help="Other names of one person, who is counted under the first; may be repeated.",
)


def same_names(texts: Iterable[str]) -> dict[str, str]:
    """Return the first name of other names. Raises `BadInput` for an option that does not read."""
    names: dict[str, str] = {}
    for text in texts:
        name, equals, others = text.partition("=")
        if not (equals and name and others):
            raise BadInput(f"--same {text}: allowed: NAME=OTHER or NAME=OTHER,ANOTHER")
        names |= {other.strip(): name.strip() for other in others.split(",")}
    return names


force_option = click.option("--force", is_flag=True, help="Replace files that exist.")
deleting_option = click.option("--force", is_flag=True, help="Delete without asking.")


def check_inputs(files: Iterable[str | Path]) -> None:
    """Raise `BadInput` for a file or folder that cannot be read; "-" is standard input."""
    for file in files:
        _check_name(file)
        if str(file) == _STANDARD:
            continue
        try:
            if stat.S_ISREG(Path(file).stat().st_mode):
                with Path(file).open("rb"):
                    pass
        except OSError as error:
            raise BadInput(f"{file}: cannot be read: {error.strerror}") from None


def is_log(text: str) -> bool:
    """Tell a log's path, or - for standard input, from the text of a hand."""
    try:
        return text == _STANDARD or Path(text).exists()
    except (OSError, ValueError):  # too long to be one
        return False


def hand_at(
    text: str, number: int, game: str | None, *, variants: bool = False
) -> tuple[histories.HandRecord, int | None, bool]:
    """Return one hand, its place in a log, and whether another follows; ``text`` is hand or log.

    ``variants`` says whether a log's hand of another game than hold'em is wanted. Places count what
    could not be read, too. Raises `BadInput` for neither a hand nor a log, `NothingUsable` where
    there is no such hand, or none that can be used.
    """
    if not is_log(text):
        if not re.search(r"[\s,:|]", text.strip()):
            raise BadInput(f"{text}: no such file and no hand; allowed: a log, or such as {_HAND}")
        return histories.read_hand(text, game=game), None, False
    check_inputs([text])
    hands = histories.read(text, game=game, variants=variants)
    # The log is read once and only its newest hand is held, so that a hand far into a log of any
    # size costs no memory, and the count is right where the log is shorter.
    count, wanted = next(iter(deque(enumerate(islice(hands, number), 1), maxlen=1)), (0, None))
    if wanted is None:
        raise NothingUsable(f"{text}: no hand is in it")
    if count < number:
        raise NothingUsable(f"hand {number}; allowed: 1 to {count}, the hands of the log")
    if isinstance(wanted, histories.Skipped):
        raise NothingUsable(f"hand {number} cannot be used: {wanted.reason.value}, {wanted.detail}")
    return wanted, number, next(hands, None) is not None


class HandPlaces:
    """Places of hands in logs, from 1, as ``--hand`` takes them: what could not be read counts."""

    def __init__(self) -> None:
        self._keys: dict[str, array[int]] = {}
        """By file as it was named, a number for the file and the first line of each hand in it."""

    def noted(self, file: str, hands: Iterable[_Item]) -> Iterator[_Item]:
        """Yield what is read of a file, and note where each hand stands."""
        keys = self._keys.setdefault(file, array("q"))
        for item in hands:
            if isinstance(item, histories.HandBatch):
                logs = [item.sources[number] for number in item.file.tolist()]
                # A hash of the file and the line takes eight bytes for a hand, where a log has
                # millions; two hands whose hashes agree would merely give a place wrong in a note.
                keys.extend(map(hash, zip(logs, item.line.tolist(), strict=True)))
            elif isinstance(item, histories.Skipped) or item.source is None:
                keys.append(0)
            else:
                keys.append(hash(item.source[:2]))
            yield item

    def place_at(self, log: str, line: int | None) -> int | None:
        """Return the place of the hand that begins at a line of a log; None if not known."""
        of_file = self._of_file(hash((log, line)))
        return None if of_file is None else of_file[1]

    def place(self, record: histories.HandRecord) -> tuple[str, int] | None:
        """Return the file, as it was named, and the place of a hand in it; None if not known."""
        return None if record.source is None else self._of_file(hash(record.source[:2]))

    def _of_file(self, key: int) -> tuple[str, int] | None:
        for file, keys in self._keys.items():
            if key in keys:
                return file, keys.index(key) + 1
        return None

    def name(self, record: histories.HandRecord) -> str:
        """Name a hand by its place, and by its file where there are several."""
        file, place = self.place(record) or ("", "?")
        return f"{place} of {file}" if len(self._keys) > 1 else f"{place}"


def check_output(
    target: str | Path,
    *,
    inputs: Iterable[str | Path] = (),
    force: bool = False,
    makes_folder: bool = False,
) -> None:
    """Raise `BadInput` where a verb must not or cannot write; nothing stays of the attempt.

    It must not write a file that it reads, nor into a folder that it reads, nor unless ``force`` a
    file that exists. Its folder must be there, unless the verb makes it (``makes_folder``) as those
    of the cache. What is no regular file, such as a pipe or /dev/null, is written through.
    """
    _check_name(target)
    status = _output_status(target)
    check_kind(target, folder=False)
    # Asking --force for /dev/null, or refusing to write a pipe that is read too, would protect
    # nothing.
    if status is not None and not stat.S_ISREG(status.st_mode):
        return
    for source in inputs:
        _check_apart(source, target, status)
    if str(target) == _STANDARD:
        return
    if status is not None and not force:
        raise BadInput(f"{target} exists; --force replaces it")
    if not (makes_folder or Path(target).parent.is_dir()):
        raise BadInput(f"{target}: cannot be written: no folder {Path(target).parent}")
    _check_place(Path(target))
    if Path(target).parent.is_dir():
        check_writable(Path(target))


def _check_place(target: Path) -> None:
    """Raise `BadInput` where a file or a folder that is not there cannot be made."""
    # Folders that are missing are made when the file is written, so the permission that counts is
    # that of the nearest one that exists.
    folder = next(parent for parent in target.absolute().parents if parent.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadInput(f"{target}: cannot be written: {folder} is read-only")


def _check_name(file: str | Path) -> None:
    """Refuse an empty name, which the system takes for the current folder."""
    if not str(file):
        raise BadInput("a file without a name; allowed: a file or a folder")


def check_kind(target: str | Path, *, folder: bool) -> None:
    """Raise `BadInput` for a folder where a file is to be written, and the other way about."""
    status = _output_status(target)
    if status is not None and stat.S_ISDIR(status.st_mode) is not folder:
        is_, allowed = ("file", "folder") if folder else ("folder", "file")
        raise BadInput(f"{target} is a {is_}; allowed: a {allowed}")


def is_folder(target: Path) -> bool:
    """Tell a folder that exists; the current one does not count, for an empty name is it too.

    Raises `BadInput` for what cannot be looked at.
    """
    status = _output_status(target)
    return status is not None and stat.S_ISDIR(status.st_mode) and target != Path()


def check_ending(target: Path, endings: Sequence[str]) -> None:
    """Raise `BadInput` for a file whose name promises another format than those written."""
    if target.suffix.lower() not in endings:
        got = target.suffix or "no ending"
        raise BadInput(f"{target}: {got}; allowed: {', '.join(endings)}")
    # Pictures need an optional program; to miss it after an hour of computing would lose the hour.
    if target.suffix.lower() in (".png", ".svg"):
        report.check_pictures()


def check_folder(
    folder: Path,
    files: Sequence[str],
    *,
    endings: Sequence[str] = (),
    inputs: Iterable[str | Path] = (),
    force: bool = False,
) -> None:
    """Check every file of a folder that a verb may write; ``files`` are patterns.

    ``endings`` are those of files that the verb writes instead of a folder.
    """
    if folder.suffix.lower() in _FILE_ENDINGS and not folder.is_dir():
        allowed = ", ".join([f"a folder for {files[0]}", *endings])
        raise BadInput(f"{folder}: {folder.suffix}; allowed: {allowed}")
    check_kind(folder, folder=True)
    _check_place(folder / files[0])
    sources = list(inputs)
    for pattern in files:
        for target in sorted(folder.glob(pattern)):
            check_output(target, inputs=sources, force=force)


def _check_apart(source: str | Path, target: str | Path, written: os.stat_result | None) -> None:
    read = _descriptor_status(0) if str(source) == _STANDARD else Path(source).stat()
    if read is None:
        return
    # Two names may lead to one file, by a link or another spelling of the path, so the files are
    # compared and not the names. Truncating an output that is the input would destroy it before it
    # is read.
    if written is not None and os.path.samestat(read, written):
        raise BadInput(f"{source} and {target} are the same file; allowed: another one to write")
    # A file that appears in a folder while it is read may be read in turn, or be refused as no log.
    if stat.S_ISDIR(read.st_mode) and str(target) != _STANDARD:
        real_target = Path(os.path.realpath(target))
        if real_target.is_relative_to(os.path.realpath(source)):
            raise BadInput(f"{target} is in {source}, which is read; allowed: a file elsewhere")


def _output_status(target: str | Path) -> os.stat_result | None:
    """The status of an output, of standard output for "-"; None where there is no file."""
    if str(target) == _STANDARD:
        return None if sys.stdout is None else _descriptor_status(1)
    try:
        return Path(target).stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"{target}: cannot be written: {error.strerror}") from None


def _descriptor_status(descriptor: int) -> os.stat_result | None:
    try:
        return os.fstat(descriptor)
    except OSError:  # closed
        return None


# One chart as a page or a picture.


def write_chart(
    chart: alt.LayerChart, path: Path, *, size: tuple[int, int], title: str, words: str
) -> None:
    """Write a chart; the ending says the format. A page has the ``words``, too."""
    width, height = size
    figure = report.Figure(chart.properties(width=width, height=height), words)
    report.html_page.write(
        report.Document(title=title, sections=(report.Section(words=words, figures=(figure,)),)),
        path,
    )


# Unusable hands of a log: the first ones described, the rest counted.


_SHOWN = 10
_NAMED = 3
"""Players whose money in refused hands is told."""
_LONGEST = 200
"""Characters of one line; a log can have lines of any length."""


class SkipList:
    """Skipped hands, counted by reason, and the words for the first ten.

    Where verbs count some hands only, ``is_chosen`` says which of these are; None where that is not
    known. What is counted is of the ``log``, if there is one.
    """

    def __init__(
        self,
        log: assessment.Log | None = None,
        *,
        is_chosen: Callable[[histories.Skipped], bool | None] = lambda _: True,
    ) -> None:
        self._is_chosen = is_chosen
        self.counts: Counter[str] = Counter() if log is None else log.skipped
        self.beside: Counter[str] = Counter()
        """Those that are none of the hands that count."""
        self.refused = assessment.RefusedTally() if log is None else log.refused
        self._unplaced = 0
        """Hands with money of which it is not known whether they count; they do."""
        self._listed: list[str] = []
        self.unlisted: Counter[str] = Counter()
        """Of all, those of which there is no more to say than the reason."""

    def add(self, skipped: histories.Skipped, file: str = "") -> None:
        """Count one; ``file`` stands before its line where there are several."""
        chosen = self._is_chosen(skipped)
        if chosen is False:
            self.beside[skipped.reason.value] += 1
            return
        # A hand that stands in two logs is refused in both, but its money was won or lost once.
        if not self.refused.new((skipped,)):
            return
        self._unplaced += chosen is None and bool(skipped.hand.won)
        self.counts[skipped.reason.value] += 1
        file = skipped.file or file
        if len(self._listed) < _SHOWN:
            where = f"{file} line {skipped.line}" if skipped.line else file
            parts = (where.strip(), skipped.reason.value, skipped.detail)
            words = ": ".join(filter(None, parts))
            self._listed.append(words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…")

    def leave_out(self, reason: str, hands: int) -> None:
        """Count hands of which there is no more to say than the reason."""
        self.counts[reason] += hands
        self.unlisted[reason] += hands

    def show(self, players: Sequence[str] = ()) -> None:
        """List the first ones on standard error, and say how many more there are.

        Money is told of these ``players`` alone, if there are any. With --quiet one line says how
        many hands were lost, since that is no mere note.
        """
        # Hands that are missing change every figure below, so even a quiet run must say so.
        if errors.quiet and self.counts:
            with said_though_quiet():
                errors.print(f"skipped: {reasons(self.counts)}", soft_wrap=True)
        for line in self._listed:
            errors.print(line, soft_wrap=True)
        listed = self.counts.total() - self.unlisted.total()
        if (more := listed - len(self._listed)) > 0:
            errors.print(f"and {more:,} more")
        asked = {name: of for name, of in self.refused.items() if not players or name in players}
        if words := refused_words(asked):
            errors.print(words)
        if self._unplaced:
            hands = counted(self._unplaced)
            errors.print(f"{hands} of them counted though the text lacks what is asked for")
        if self.unlisted:
            errors.print(f"skipped: {reasons(self.unlisted)}")


def records_of_files(
    files: Sequence[str],
    game: str | None,
    skips: SkipList,
    notify: Progress,
    *,
    format_name: str | None = None,
    places: HandPlaces | None = None,
) -> Iterator[histories.HandRecord | histories.HandBatch | histories.Skipped]:
    """Read files one after another, adding skipped hands, with their file, to the list.

    Large texts of sites are read on all cores. Of a folder ``notify`` hears how far all of it is.
    Where hands stand is noted in ``places``.
    """
    for file in files:
        size = 0 if file == _STANDARD or histories.archive.is_archive(file) else _bytes_in(file)
        hands = histories.read_columns(
            file,
            game=game,
            format_name=format_name,
            progress=_of_folder(file, size, notify) if Path(file).is_dir() and size else notify,
            spread=partial(_on_cores, cores)
            if (cores := thread_count()) > 1 and size >= _LARGE
            else None,
        )
        for hand in hands if places is None else places.noted(file, hands):
            if isinstance(hand, histories.Skipped):
                hand = replace(hand, file=hand.file or file)
                skips.add(hand)
            yield hand


_LARGE: Final = 1 << 24
"""Bytes from which on other processes are worth their start: some 16,000 hands."""


def _bytes_in(file: str) -> int:
    """Return the bytes of a file, or of all files in a folder."""
    path = Path(file)
    inside = path.rglob("*") if path.is_dir() else [path]
    return sum(log.stat().st_size for log in inside if log.is_file())


def _of_folder(folder: str, total: int, notify: Progress) -> Progress:
    """Return what tells of a folder's files how far the folder is, by bytes."""
    done_of: dict[str, int] = {}
    read = 0

    def tell(done: int, _: int, what: str) -> None:
        nonlocal read
        # Each file reports how far it is itself; what the folder has done is the sum of the
        # differences.
        read += done - done_of.get(what, 0)
        done_of[what] = done
        # A log that grows while it is read would show more than all of it.
        notify(min(read, total), total, f"{folder}, {Path(what).name}")

    return tell


def _on_cores(
    cores: int, parts: Iterator[histories.log_parts.LogPart | None]
) -> Iterator[histories.log_parts.PartHands | None]:
    from railbird.jobs.scheduler import play_in_order

    todo = ([part] for part in parts)
    return play_in_order(_PartReader, todo, workers=cores, ahead=2)


class _PartReader:
    """What reads parts of texts in a process of its own."""

    def play(
        self, part: histories.log_parts.LogPart | None, /
    ) -> histories.log_parts.PartHands | None:
        """Read a part; None is a place in the order."""
        return None if part is None else histories.log_parts.read_part(part)

    def rollback(self) -> None:
        """Reading leaves nothing behind."""

    def close(self) -> None:
        """Nothing is open."""


def is_of_other_games(files: Sequence[str], skips: SkipList) -> bool:
    """Return whether what was left out are hands of other games, which can be read once more."""
    return "-" not in files and bool(skips.counts[histories.SkipReason.ANOTHER_GAME.value])


def other_game_of(files: Sequence[str], game: str | None) -> cards.Variant | None:
    """Return the first game that is not hold'em; None if no hand of one can be read."""
    for file in files:
        for hand in histories.read(file, game=game, variants=True):
            if isinstance(hand, histories.HandRecord) and hand.rules.variant is not cards.HOLDEM:
                return hand.rules.variant.counted_as
    return None


def betting_of_files(
    files: Sequence[str],
    game: str | None,
    variant: cards.Variant,
    skips: SkipList,
    notify: Progress,
    *,
    places: HandPlaces | None = None,
) -> Iterator[histories.HandRecord | histories.Skipped]:
    """Read the hands of a game that is not hold'em, as their betting alone."""
    for file in files:
        hands = histories.read(file, game=game, progress=notify, variants=True)
        for hand in hands if places is None else places.noted(file, hands):
            if isinstance(hand, histories.Skipped):
                hand = replace(hand, file=hand.file or file)
            elif hand.rules.variant.counted_as is variant:
                hand = histories.betting_alone(hand)
            else:
                what = f"{hand.rules.variant.name}, not {variant.name}"
                line = 0 if hand.source is None else hand.source.line
                reason = histories.SkipReason.ANOTHER_GAME
                hand = histories.Skipped(reason, line, what, file=file)
            if isinstance(hand, histories.Skipped):
                skips.add(hand)
            yield hand


def errors_in_files(files: Iterable[str]) -> Counter[tuple[str, str]]:
    """Count the errors of protocol that logs state apart from their hands, by player and kind."""
    total: Counter[tuple[str, str]] = Counter()
    # Errors have no identity by which a copy could be left out, so a file named twice counts once.
    for file in dict.fromkeys(files):
        for counts in histories.recorded_errors(file).values():
            total += counts
    return total


def batches_of_files(
    files: Sequence[str],
    game: str | None,
    log: assessment.Log,
    skips: SkipList,
    notify: Progress,
    *,
    selector: Callable[[Iterable[_Read]], Iterable[_Read]] = iter,
    variant: cards.Variant | None = None,
    places: HandPlaces | None = None,
) -> Iterator[histories.HandBatch]:
    """Read files one after another, each hand once, and note what is left out.

    ``skips`` are those of the ``log``; ``selector`` may leave out further hands. Of another
    ``variant`` than hold'em, which is the default, the hands are their betting alone. Where hands
    stand is noted in ``places``.
    """
    read = histories.batches_of(
        records_of_files(files, game, skips, notify, places=places)
        if variant is None or variant is cards.HOLDEM
        else betting_of_files(files, game, variant, skips, notify, places=places)
    )

    def listed(batches: Iterable[_Read]) -> Iterator[_Read]:
        for batch, skipped in selector(batches):
            # The log's own tally of what was skipped is the same object as the list's; passing the
            # hands on, too, would count them twice.
            for skip in skipped:
                skips.add(skip)
            yield batch, ()

    for batch in log.hands(((batch, ()) for batch, _ in read), selector=listed):
        log.take(batch)
        yield batch
    # Only at the end are all copies known.
    skips.unlisted.update(assessment.copies_left_out(log.seen))


def refused_words(refused: Mapping[str, assessment.RefusedMoney]) -> str:
    """Say what the text of refused hands tells of the money of those who played most of them."""
    most = sorted(refused.items(), key=lambda of: (-of[1].hands, of[0]))[:_NAMED]
    phrases = [
        f"{display_name(name)} {signed_total(money.total)} bb in {counted(money.hands)}"
        for name, money in most
    ]
    more = f", {len(refused) - len(most):,} others" if len(refused) > len(most) else ""
    return f"won in them, by their text: {', '.join(phrases)}{more}" if phrases else ""


def reasons(counts: Mapping[str, int]) -> str:
    """Return why nothing came of an input.

    >>> reasons({"unreadable": 1200, "cut off": 1}), reasons({})
    ('1,200 unreadable, 1 cut off', 'there are none')
    """
    return reasons_in_words(counts) or "there are none"


def nothing_written(
    target: str, target_format: str | None, skipped: Mapping[str, int]
) -> NothingUsable:
    """Return why a file was not written; where its name chose a format in vain, name the others."""
    refused = skipped.get(histories.SkipReason.NOT_REPRESENTABLE.value, 0)
    if target_format is not None or not refused:
        return NothingUsable(f"{target}: no hand was written: {reasons(skipped)}")
    chosen = histories.writable_format(target)
    others = [
        other.name for other in histories.FORMATS if other.write is not None and other is not chosen
    ]
    return NothingUsable(
        f"{target}: no hand fits the format {chosen.name} ({chosen.title}); "
        f"name another by --to: {', '.join(others)}"
    )
