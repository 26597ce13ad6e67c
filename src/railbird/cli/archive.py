"""``railbird archive``: hands of any number and format in one folder of Parquet files."""

from __future__ import annotations

import math
import re
import stat
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from railbird import assessment, histories
from railbird.cli._completion import BETTINGS, FILE, FORMAT, WRITTEN_FORMAT, GameText
from railbird.cli._console import (
    errors,
    json_option,
    log_game_option,
    output,
    print_json,
    print_made,
    print_table,
    progress,
)
from railbird.cli._hand_files import (
    SkipList,
    check_inputs,
    check_output,
    force_option,
    nothing_written,
    reasons,
    records_of_files,
)
from railbird.cli._verbs import Commands
from railbird.errors import BadInput, NothingUsable, absent_player
from railbird.report.document import Table
from railbird.report.number_format import counted, display_name, money_won

_SHOWN = 10
"""Rows of a table that are shown; the rest are counted."""


@click.group(name="archive", cls=Commands)
def command() -> None:
    """Collect any number of hands, from any format, in one folder, and search them.

    Commands that read logs also read archives.

    \b
    Examples:
      railbird archive add hands match.log.gz pokerstars/*.txt
      railbird archive query hands --player Hero
      railbird assess hands
    """


@command.command(name="add")
@click.argument("archive", type=FILE)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option(
    "--from", "source_format", type=FORMAT, help="Format of FILE, if its text does not show it."
)
@log_game_option
@click.option(
    "--watch",
    "follows",
    is_flag=True,
    help="Keep running until Ctrl-C, and add hands that are written to FILE, or into that "
    "folder, from now on.",
)
@json_option
def add_command(
    *,
    archive: str,
    files: Sequence[str],
    source_format: str | None,
    game: str | None,
    follows: bool,
    as_json: bool,
) -> None:
    """Add the hands of logs to ARCHIVE, a folder that is created if necessary.

    A hand that is already in the archive is not added again, but cards that only the new log knows
    are added to it. A log that contradicts a hand is left out for that hand, and named. For hands
    that cannot be read, the archive keeps what their text says about money, and about buy-ins and
    finishes of tournaments.

    \b
    Examples:
      railbird archive add hands match.log.gz
      railbird archive add hands pokerstars/*.txt
      railbird archive add hands pokerstars --watch
    """
    check_inputs(files)
    if follows and (as_json or "-" in files):
        raise BadInput(f"--watch with {'--json' if as_json else '-'}; allowed: files and folders")

    seen = _states(files, but=archive) if follows else {}
    add = _first_added if follows else _add
    added, skips = add(archive, files, source_format, game)
    if as_json:
        print_json(
            {
                "hands": added.hands,
                "duplicates": added.duplicates,
                "completed": added.completed,
                "contradictions": [str(contradiction) for contradiction in added.contradictions],
                "contradicting": added.contradicting,
                "skipped": skips.counts.total(),
            }
        )
    else:
        skips.show()
        for contradiction in added.contradictions:
            errors.print(str(contradiction), soft_wrap=True)
    if not (follows or added.hands + added.duplicates + added.contradicting):
        raise NothingUsable(f"{archive}: no hand was added: {reasons(skips.counts)}")
    if not as_json:
        _say_added(added, skips)
    if follows:
        _follow(archive, files, seen, source_format, game)


def _follow(
    archive: str, files: Sequence[str], seen: _States, source_format: str | None, game: str | None
) -> None:
    """Add hands of new and changed files until Ctrl-C; name files that are no log, or gone."""
    errors.print("following; Ctrl-C ends it")
    for log in _changes(files, seen, but=archive):
        try:
            added, skips = _add(archive, [log], source_format, game)
        except BadInput as problem:
            errors.print(str(problem), soft_wrap=True)
            continue
        if added.hands + added.completed:
            _say_added(added, skips)


def _first_added(
    archive: str, files: Sequence[str], source_format: str | None, game: str | None
) -> tuple[histories.archive.Added, SkipList]:
    """Add the present hands; an empty folder is allowed, since logs may come later."""
    try:
        return _add(archive, files, source_format, game)
    except BadInput as problem:
        errors.print(str(problem), soft_wrap=True)
        return histories.archive.Added(0, 0), SkipList()


def _add(
    archive: str, files: Sequence[str], source_format: str | None, game: str | None
) -> tuple[histories.archive.Added, SkipList]:
    """Add the hands of files, and their lines about tournaments."""
    skips = SkipList()
    with progress() as notify:
        hands = records_of_files(files, game, skips, notify, format_name=source_format)
        added = histories.archive.add(hands, archive)
    if histories.archive.is_archive(archive):
        histories.archive.keep_tournaments([file for file in files if file != "-"], archive)
    return added, skips


def _say_added(added: histories.archive.Added, skips: SkipList) -> None:
    completed = f" ({added.completed:,} now with more cards)" if added.completed else ""
    left_out = f", {added.contradicting:,} left out" if added.contradicting else ""
    errors.print(
        f"{counted(added.hands)} added, {added.duplicates:,} were there already"
        f"{completed}{left_out}, {skips.counts.total():,} skipped"
    )


_POLL_SECONDS = 2.0
"""Seconds between two looks at the files; a changed file is read when it is the same at two
looks."""
_States = dict[str, tuple[int, int]]
"""Size and time of the last change, by path."""


def _states(files: Iterable[str], *, but: str) -> _States:
    """Look at files, and at those of folders and their subfolders; hidden ones are ignored.

    So are those of the folder ``but``, the archive.
    """
    states: _States = {}
    archive = Path(but).resolve()
    for file in files:
        path = Path(file)
        inside = path.rglob("*") if path.is_dir() else [path]
        for log in inside:
            if any(part.startswith(".") for part in log.relative_to(path).parts):
                continue
            try:
                status = log.stat()
            except OSError:  # gone again
                continue
            if stat.S_ISREG(status.st_mode) and not log.resolve().is_relative_to(archive):
                states[str(log)] = (status.st_size, status.st_mtime_ns)
    return states


def _changes(files: Sequence[str], seen: _States, *, but: str) -> Iterator[str]:
    """Yield files that are new or have changed since they were ``seen``, once they rest."""
    previous = seen
    while True:
        time.sleep(_POLL_SECONDS)
        now = _states(files, but=but)
        changed = [
            log
            for log, state in now.items()
            if seen.get(log) != state and previous.get(log) == state
        ]
        previous = now
        seen = seen | {log: now[log] for log in changed}
        yield from changed


@command.command(name="query")
@click.argument("archive", type=FILE)
@click.option("--player", help="Only hands in which this player takes part.")
@click.option(
    "--game",
    type=GameText(*BETTINGS),
    help="limit, nolimit or potlimit; or a .game file or a standard name.",
)
@click.option(
    "--where",
    metavar="CONDITION",
    help="SQL over the columns of the archive, or a spot of --player, as in stats, or both: "
    "spot('3bet pot') AND rake > 0.",
)
@click.option(
    "-o",
    "--out",
    "log",
    type=FILE,
    metavar="FILE",
    help="Write the hands to FILE; - is standard output.",
)
@click.option(
    "--to",
    "target_format",
    type=WRITTEN_FORMAT,
    help="Format of FILE, by default from its name.",
)
@force_option
@json_option
def query_command(
    *,
    archive: str,
    player: str | None,
    game: str | None,
    where: str | None,
    log: str | None,
    target_format: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Count the matching hands of ARCHIVE by game and player, or write them to a file.

    \b
    Examples:
      railbird archive query hands --player Hero --where "rake > 0"
      railbird archive query hands --player Hero --where "3bet pot, in position"
      railbird archive query hands --player Hero --where "did float" --out floats.phhs
      railbird archive query hands --player Hero --where "spot('3bet pot') AND seats = 6"
      railbird archive query hands --game nolimit --where "seats = 6" --out six.phhs
    """
    if log is None and target_format is not None:
        raise BadInput("--to needs --out, the file to write")
    if as_json and log == "-":
        raise BadInput("--json and --out - both want standard output")
    check_inputs([archive])
    if log is not None:
        check_output(log, inputs=[archive], force=force)

    sql, spots = _sql_and_spots(where)
    if spots is not None and player is None:
        raise BadInput(f"--where {where!r} asks for a spot; allowed: with --player")
    query = histories.archive.Query(player=player, game=game, where=sql)
    if log is not None:
        _write(archive, query, log, target_format, spots=spots, as_json=as_json)
        return
    if spots is None or player is None:
        rows = histories.archive.count(archive, query).to_dicts()
    else:
        rows = _counted_in_spots(archive, query, player, spots)
    made = histories.archive.provenance_of(archive)
    if as_json:
        print_json({"made": made and made.as_json(), "players": rows})
    if not rows:
        raise _nobody(archive, query)
    if not as_json:
        _show(rows)
        print_made(made)


@command.command(name="note")
@click.argument("archive", type=FILE)
@click.argument("condition", required=False)
@click.argument("text", required=False)
@json_option
def note_command(*, archive: str, condition: str | None, text: str | None, as_json: bool) -> None:
    """Write a note on the hands of ARCHIVE that fit CONDITION; without TEXT, list all notes.

    CONDITION is SQL over the columns, as in query. A hand has one note; an empty TEXT deletes it.
    Words such as #review are tags: --where "comment LIKE '%#review%'" finds them.

    \b
    Examples:
      railbird archive note hands "number = 2301" "too loose a call #review"
      railbird archive note hands
      railbird archive query hands --where "comment LIKE '%#review%'" --out review.phhs
    """
    check_inputs([archive])
    if condition is not None and text is None:
        raise BadInput(f"a condition, {condition!r}, without a text; allowed: both or none")
    if condition is None or text is None:
        notes = histories.archive.notes_of(archive).to_dicts()
        if as_json:
            print_json({"notes": notes})
        elif not notes:
            output.print(f"{archive} has no notes.", soft_wrap=True)
        else:
            _show_notes(notes)
        return
    count = histories.archive.annotate(archive, histories.archive.Query(where=condition), text)
    if not count:
        raise NothingUsable(f"{archive}: no hand fits {condition}")
    if as_json:
        print_json({"hands": count, "note": text})
    else:
        what = "noted" if text.strip() else "without a note now"
        output.print(f"{counted(count)} {what}")


def _show_notes(notes: Sequence[Mapping[str, Any]]) -> None:
    """Print all notes, with what identifies the hands."""
    rows = [
        (
            str(note["number"] or ""),
            "" if note["played_at"] is None else f"{note['played_at']:%Y-%m-%d %H:%M}",
            ", ".join(map(display_name, note["players"])),
            display_name(note["note"]),
        )
        for note in notes
    ]
    print_table(Table(("hand", "time", "players", "note"), rows))


def _show(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the first rows of a count."""
    table_rows = [
        (
            row["betting"],
            str(row["seats"]),
            row["stakes"],
            row["player"],
            f"{row['hands']:,}",
            money_won({row["currency"]: row["won"]}),
        )
        for row in rows[:_SHOWN]
    ]
    print_table(Table(("game", "seats", "stakes", "player", "hands", "won"), table_rows, names=4))
    if len(rows) > _SHOWN:
        output.print(f"and {len(rows) - _SHOWN:,} more; --json has all")


def _nobody(archive: str, query: histories.archive.Query) -> NothingUsable:
    """Return why a query found no hand."""
    if query.player is not None and query.player not in (
        known := histories.archive.players(archive)
    ):
        return absent_player(query.player, known, where=archive)
    return NothingUsable(f"{archive}: no hand fits them")


def _spots(where: str | None) -> assessment.spot_language.Spots | None:
    """Return the spot that a condition names; None for a condition in SQL."""
    try:
        return assessment.spot_language.spots_from([where] if where else [])
    except BadInput:
        return None


_SPOT_CALL = re.compile(r"spot\s*\(\s*'((?:[^']|'')*)'\s*\)", re.IGNORECASE)
_SQL_PARTS = re.compile(r"'(?:[^']|'')*'|[()]|\b(?:AND|OR)\b", re.IGNORECASE)


def _sql_and_spots(
    where: str | None,
) -> tuple[str | None, assessment.spot_language.Spots | None]:
    """Divide a condition into SQL and a spot, both of which must hold; either may be missing.

    Raises `BadInput` where they cannot be divided.
    """
    if where is None or (spots := _spots(where)) is not None:
        return None, None if where is None else spots
    parts = _conjuncts(where)
    calls = [call for part in parts if (call := _SPOT_CALL.fullmatch(part.strip()))]
    if not _SPOT_CALL.search(where) or where.lstrip().startswith("'"):
        return where, None
    if len(calls) != 1:
        raise BadInput(f"--where {where!r}; allowed: one spot('...'), with AND beside the rest")
    rest = [part for part in parts if not _SPOT_CALL.fullmatch(part.strip())]
    text = calls[0][1].replace("''", "'")
    return " AND ".join(rest) or None, assessment.spot_language.spots_from([text])


def _conjuncts(where: str) -> list[str]:
    """Divide a condition in SQL at AND outside brackets; one with OR there stays whole."""
    depth, cuts = 0, list[tuple[int, int]]()
    for match in _SQL_PARTS.finditer(where):
        word = match[0].upper()
        depth += (word == "(") - (word == ")")
        if depth == 0 and word == "OR":
            return [where]
        if depth == 0 and word == "AND":
            cuts.append(match.span())
    ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(where)]
    return [where[start:end] for start, end in zip(*ends, strict=True)]


_Hands = Iterable["histories.HandRecord | histories.Skipped"]


def _counted_in_spots(
    archive: str,
    query: histories.archive.Query,
    player: str,
    spots: assessment.spot_language.Spots,
) -> list[dict[str, Any]]:
    """Count a player's hands in a spot as `histories.archive.count` does all."""
    with progress() as notify:
        if query.game is None and query.where is None:
            counted_log, *_ = assessment.counted_archive.counted_archive(
                archive, players=[player], apart=True, progress=notify
            )
        else:
            hands = histories.archive.read_batches(archive, query, progress=notify)
            blinded = histories.columns.with_blinds(histories.batches_of(hands))
            counted_log = assessment.counted_log.counted_log(
                (batch for batch, _ in blinded), players=[player]
            )
    rows = counted_log.rows.filter(spots.condition)
    by_stake = rows.group_by("stake", "currency", "seats", "player", maintain_order=True).agg(
        hands="hand", money="money"
    )
    return [
        {
            "betting": row["stake"].rpartition(" ")[2],
            "seats": row["seats"],
            "stakes": row["stake"].rpartition(" ")[0],
            "currency": row["currency"],
            "player": row["player"],
            "hands": len(row["hands"]),
            "won": math.fsum(row["money"]),
        }
        for row in by_stake.sort("seats", "stake").to_dicts()
    ]


def _in_spots(
    hands: _Hands, player: str, spots: assessment.spot_language.Spots
) -> Iterator[histories.HandRecord]:
    """Yield the hands in which the player was in a spot."""
    batches = (batch for batch, _ in histories.batches_of(hands))
    for batch in assessment.player_statistics.hands_in_spots(batches, player, spots):
        yield from histories.columns.records_of(batch)


def _write(
    archive: str,
    query: histories.archive.Query,
    log: str,
    target_format: str | None,
    *,
    spots: assessment.spot_language.Spots | None,
    as_json: bool,
) -> None:
    skips = SkipList()
    with progress() as notify:
        hands = histories.archive.read(archive, query, progress=notify)
        if spots is not None and query.player is not None:
            hands = _in_spots(hands, query.player, spots)
        written = histories.write(hands, log, format_name=target_format, on_skip=skips.add)
    if as_json:
        print_json({"hands": written.hands, "skipped": skips.counts})
    else:
        skips.show()
    if not written.hands and not skips.counts:
        raise _nobody(archive, query)
    if not written.hands:
        raise nothing_written(log, target_format, skips.counts)
    if not as_json:
        errors.print(f"{counted(written.hands)} written, {skips.counts.total():,} skipped")
