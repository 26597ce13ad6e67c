"""Archives: hands of any number and format in one folder of Parquet files.

An archive is a folder with a file `ARCHIVE_MARK` and a folder for each kind of game, such as
``limit-2``. These have parts of up to `PART` hands, in the order in which they were added. Parts
are written under a temporary name and renamed. So an archive grows without being rewritten, and an
interruption loses at most the part that was not full. Hands that could not be read are in a
separate file (`railbird.histories.archive_refused`). A hand that is already in the archive is not
added again. If another view of it knows more of the cards, its part is replaced by one that has
them. Entries in tournaments that logs report beside the play are in a separate file
(`keep_tournaments`). Any tool that reads Parquet can read the parts;
`railbird.histories.archive_rows` describes the columns.
"""

from __future__ import annotations

import datetime
import gzip
import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import polars as pl
from filelock import FileLock

from railbird._files import replace_files
from railbird._provenance import KEY, Provenance, current_provenance
from railbird.errors import BadInput, DamagedFile, unknown_name
from railbird.game import Betting
from railbird.histories.acpc.gamedef import betting_named, resolve_game
from railbird.histories.archive_refused import MARK, keep_refused, refused_in
from railbird.histories.archive_rows import SCHEMA, batch_of_rows, rows_of, rules_text
from railbird.histories.columns import UNKNOWN, HandBatch, Numbered, batches_of, records_of
from railbird.histories.files import ARCHIVE_MARK
from railbird.histories.record import HandRecord, Skipped, SkipReason, line_of
from railbird.histories.same_hands import COPY, Contradiction, SeenHands
from railbird.histories.stake_names import stakes_text
from railbird.histories.tournament_entries import TOURNAMENTS_FILE, tournament_lines
from railbird.progress import Progress

# Queries of an archive: conditions over its columns, checked before anything is read.
#
# Also names of stakes, which determine the amounts that may be added.


_TIME: Final = "played_at"
_LITERAL: Final = r"(?:'(?:[^']|'')*'|[-+.\d]+)"
_COMPARED: Final = re.compile(
    rf"""'(?:[^']|'')*'
    | (?P<column> \b{_TIME}\s* (?: [<>=!]+ | (?i: (?:NOT\s+)? BETWEEN\b ) ) \s*)
      (?P<value> {_LITERAL}) (?: (?P<and> \s+ (?i:AND) \s+) (?P<second> {_LITERAL}) )?""",
    re.VERBOSE,
)
"""Pattern for quoted text, which stays as it is, or a comparison of the time with a literal."""

_AGAINST: Final = re.compile(
    rf"""'(?:[^']|'')*'
    | \b(?P<column> {"|".join(SCHEMA.names())} )\s*
      (?: [<>=!]+ | (?i: (?:NOT\s+)? (?:BETWEEN|LIKE|ILIKE|IN)\b ) ) \s* \(? \s*
      (?P<value> {_LITERAL})""",
    re.VERBOSE,
)
"""Pattern for quoted text, or for a column and the first literal that it is compared with."""
_UNENDED: Final = re.compile(r"([<>=!+*/-]+|\b(?:AND|OR|NOT|BETWEEN|LIKE|ILIKE|IN|IS))\s*$", re.I)
_TIME_WORDS: Final = ("date", "datetime", "day", "time", "timestamp", "when")
"""Names that people may use for the time, although the column has another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Selection of hands; the default selects all."""

    player: str | None = None
    """Name of somebody who takes part."""
    game: str | None = None
    """``limit``, ``no-limit``, ``pot-limit``, or a game as `railbird.histories.resolve_game`."""
    where: str | None = None
    """A condition in SQL over the columns, as Polars understands it.

    A time is compared with text such as '2009-07-01' or '2009-07-01 18:30'.
    """


def condition_of(query: Query) -> pl.Expr:
    """Return the condition of a query. Raises `railbird.errors.BadInput` for an invalid one."""
    condition = pl.lit(True)
    if query.player is not None:
        condition &= pl.col("players").list.contains(query.player)
    if query.game is not None and (betting := betting_named(query.game)):
        condition &= pl.col("betting") == betting.value
    elif query.game is not None:
        condition &= pl.col("rules") == rules_text(resolve_game(query.game))
    if query.where is not None:
        condition &= _parsed(query.where)
    return condition


def _stakes_of(
    betting: str, blinds: str, bet_sizes: str, antes: str, denomination: str, currency: str
) -> str:
    """Name stakes; lists are JSON, as in the column of rules."""
    chip = Fraction(denomination)
    sizes = json.loads(bet_sizes if betting == Betting.LIMIT.value else blinds)
    ante = max(json.loads(antes), default=0)
    return stakes_text([size * chip for size in sizes], ante * chip, currency)


def _parsed(where: str) -> pl.Expr:
    """Parse a condition and try it on a row, where some mistakes first show."""
    try:
        condition = pl.sql_expr(_COMPARED.sub(_with_time, where))
        for name in condition.meta.root_names():
            if name.lower() in _TIME_WORDS:
                raise BadInput(f"no column {name!r}; did you mean {_TIME}?")
            if name not in SCHEMA:
                raise unknown_name("column", name, SCHEMA.names())
        if _HAND.select(condition).dtypes != [pl.Boolean()]:
            raise BadInput(f"condition {where!r}: allowed: a condition on a hand")
        _HAND.filter(condition)
    except (pl.exceptions.PolarsError, UnicodeEncodeError) as error:
        raise BadInput(f"condition {where!r}: {_fault(where, error)}") from error
    return condition


def _fault(where: str, error: Exception) -> str:
    """Describe the fault in a condition that Polars refused."""
    for match in _AGAINST.finditer(where):
        if match["column"] and (fault := _mismatch(match["column"], match["value"])):
            return fault
    reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
    if "unable to parse" not in reason and "Unterminated" not in reason:
        return reason
    bare = re.sub(r"'(?:[^']|'')*'", "", where)
    allowed = "allowed: such as rake > 0 AND seats = 6"
    if unended := _UNENDED.search(bare) if where.rstrip()[-1:] != "'" else None:
        return f"nothing follows {unended[1]!r}; {allowed}"
    if "'" in bare:
        return f"a quotation mark is not closed; {allowed}"
    if bare.count("(") > bare.count(")"):
        return f"a bracket is not closed; {allowed}"
    return f"not a condition in SQL; {allowed}"


def _mismatch(column: str, literal: str) -> str:
    """Refuse the comparison of a column with a literal of another type; empty if they agree."""
    kind, is_text = SCHEMA[column], literal.startswith("'")
    if isinstance(kind, pl.List):
        some = "'Hero'" if column == "players" else "'AsKd'" if column == "holes" else "10"
        return f"{column} is a list; allowed: array_contains({column}, {some})"
    if kind.is_numeric() and is_text:
        return f"{column} is a number and {literal} is text; allowed: a number without quotes"
    if kind == pl.String() and not is_text:
        return f"{column} is text and {literal} is a number; allowed: text in single quotes"
    return ""


def _with_time(match: re.Match[str]) -> str:
    """Rewrite a comparison of the time with text into one with a TIMESTAMP."""
    if match["column"] is None:
        return match[0]
    second = "" if match["second"] is None else match["and"] + _timestamp(match["second"])
    return match["column"] + _timestamp(match["value"]) + second


def _timestamp(literal: str) -> str:
    try:
        moment = datetime.datetime.fromisoformat(literal.strip("'").strip())
        if "'" not in literal:
            raise ValueError(literal)
    except ValueError:
        raise BadInput(
            f"{_TIME} is compared with {literal}; allowed: '2009-07-01' or '2009-07-01 18:30:00'"
        ) from None
    if moment.tzinfo is not None:
        moment = moment.astimezone(datetime.UTC).replace(tzinfo=None)
    return f"TIMESTAMP '{moment.isoformat(sep=' ', timespec='seconds')}'"


def _example(kind: Any) -> object:
    """Return some value of a column's type."""
    match kind:
        case pl.List():
            return [_example(kind.inner)]
        case pl.String():
            return ""
        case pl.Binary():
            return b""
        case pl.Boolean():
            return False
        case _:
            return 0


_HAND: Final = pl.DataFrame(
    [{name: _example(kind) for name, kind in SCHEMA.items()}], schema=SCHEMA
)
"""A row with the types of an archive, which is of no hand."""


# The folder of files.


VERSION: Final = 1
PART: Final = 100_000
"""Maximum number of hands in a file."""
_BATCH: Final = 32_768
"""Number of hands looked up in the archive at a time."""
_SLICE: Final = 16_384
"""Number of rows converted to columns at a time."""


@dataclass(frozen=True, slots=True)
class Added:
    """Counts of the hands added and of duplicates."""

    hands: int
    duplicates: int
    """Hands already in the archive, or given twice, perhaps seen from another side."""
    completed: int = 0
    """Hands that got more cards from such a view."""
    contradictions: tuple[Contradiction, ...] = ()
    """The first views left out because they cannot be right if the hand that is there is."""
    contradicting: int = 0
    """Their number."""


_ALL: Final = Query()


def is_archive(folder: str | Path) -> bool:
    """Return whether a path is the folder of an archive."""
    return (Path(folder) / ARCHIVE_MARK).is_file()


def add(hands: Iterable[HandRecord | HandBatch | Skipped], folder: str | Path) -> Added:
    """Add hands to an archive, which is created with the first hand if there is none.

    They may come as records or, which is faster, in batches. What was skipped among them is kept,
    too, with the file that it names. Raises `railbird.errors.BadInput` for a folder that cannot be
    one.
    """
    root = Path(folder)
    _check_folder(root)
    refused = list[Skipped]()
    batches = _new_rows(hands, refused)
    first = list(itertools.islice(batches, 1))  # before a new folder: they may fail to be read
    if not first and not (refused and is_archive(root)):
        return Added(0, 0)
    _make(root)
    with FileLock(root / ".lock"):
        try:
            return _add_rows(itertools.chain(first, batches), root)
        finally:
            keep_refused(refused, root)


def keep_tournaments(sources: Sequence[str | Path], folder: str | Path) -> None:
    """Add the lines of logs that tell of entries in tournaments to an archive.

    Raises `railbird.errors.BadInput` as `read`.
    """
    root = Path(folder)
    with FileLock(root / ".lock"):
        lines = tournament_lines([root, *sources])
        if lines:
            text = "".join(f"{line}\n" for line in lines)
            replace_files({root / TOURNAMENTS_FILE: gzip.compress(text.encode(), mtime=0)})


def _add_rows(batches: Iterable[pl.DataFrame], root: Path) -> Added:
    """Add rows to an archive that is locked."""
    added = duplicates = 0
    known, views, shared = _known(root), list[pl.DataFrame](), 0
    waiting: dict[str, list[pl.DataFrame]] = {}
    for rows in batches:
        rows = rows.with_row_index("row")
        fresh = rows.unique("digest", keep="first", maintain_order=True)
        fresh = fresh.join(known, on="digest", how="anti", maintain_order="left")
        twice = rows.join(fresh, on="row", how="anti", maintain_order="left")
        duplicates += twice.height
        fresh = fresh.with_columns(_PLAYED, _PLACE)
        known = pl.concat([known, fresh.select("digest", *_ALIKE)])
        before = known[: -fresh.height or None]
        of_copies = pl.col("file").is_in(_copies(twice).implode())
        timed_or_copied = pl.col("played_at").is_not_null() | of_copies
        beside = _is_in(fresh, before, "place") & fresh.select(timed_or_copied).to_series()
        looked_at = fresh.filter(_is_in(fresh, before, "played") | beside)
        alone = fresh.join(looked_at, on="row", how="anti", maintain_order="left")
        if looked_at.select(of_copies.any()).item():
            # What a copy shares with a log tells what the hands are in which it differs.
            twice = twice.filter(of_copies)
            shared += twice.height
            looked_at = pl.concat([looked_at.drop(_ALIKE), twice])
        views.append(rows.join(looked_at, on="row", how="semi", maintain_order="left").drop("row"))
        added += alone.height
        _write_full_parts(root, alone.drop("row", *_ALIKE), waiting)
    _write_rest(root, waiting)
    if any(part.height for part in views):
        met, others = _join_views(root, pl.concat(views))
        _write_full_parts(root, others, waiting)
        _write_rest(root, waiting)
        added += others.height
        duplicates += met.duplicates - shared
        return replace(met, hands=added, duplicates=duplicates)
    return Added(added, duplicates)


def _join_views(root: Path, views: pl.DataFrame) -> tuple[Added, pl.DataFrame]:
    """Give hands of the archive the cards that other views of them know.

    ``views`` are rows that were played like some of the archive, or like each other. Returns what
    came of them, and the rows that are other hands after all.
    """
    seen, keyed = SeenHands(), views.select(_PLAYED, _PLACE)
    alike = pl.any_horizontal(
        pl.col(name).is_in(keyed[name].drop_nulls().unique().implode()) for name in _ALIKE
    )
    parts = []
    for path in _parts(root):
        lazy = _scan(path).with_row_index("row").with_columns(_PLAYED, _PLACE)
        like = _collected(lazy.filter(alike), path)
        if like.height:
            parts.append((path, like["row"], batch_of_rows(like), seen.taken))
            seen.fresh(parts[-1][2])
    # From archives of before views were recognised.
    merged_before, contradicted_before, listed_before = (
        seen.merged,
        seen.contradictions,
        len(seen.told),
    )
    first, hands = seen.taken, batch_of_rows(views)
    fresh = seen.fresh(hands)
    for path, row, batch, number in parts:
        completed = seen.completed(batch, number + np.arange(len(batch)))
        changed = (completed.holding != batch.holding).any(axis=1)
        if changed.any():
            rows = rows_of(completed.rows(changed)).with_columns(row=row.filter(pl.Series(changed)))
            part = _collected(_scan(path).with_row_index("row"), path)
            _replace_part(path, part.update(rows, on="row", how="left").drop("row"))
    others = rows_of(seen.completed(hands.rows(fresh), first + fresh))
    met = Added(
        hands=0,
        duplicates=seen.merged - merged_before,
        completed=seen.completions,
        contradictions=tuple(seen.told[listed_before:]),
        contradicting=seen.contradictions - contradicted_before,
    )
    return met, others


def _copies(twice: pl.DataFrame) -> pl.Series:
    """Return the files many of whose hands were there already."""
    files = twice.group_by("file").len()
    return files.filter((pl.col("len") >= COPY) & (pl.col("file") != ""))["file"]


def _is_in(rows: pl.DataFrame, before: pl.DataFrame, key: str) -> pl.Series:
    """Return which rows have a key, not null, that others had before or that comes twice."""
    met = rows[key].is_in(before[key].implode()) | ~rows[key].is_first_distinct()
    return met.fill_null(value=False) & rows[key].is_not_null()


def read(
    folder: str | Path,
    query: Query = _ALL,
    *,
    rename: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Iterator[HandRecord | Skipped]:
    """Read the hands of an archive that match a query, game by game, in the order of adding.

    What was refused for it comes first. One part at a time is in memory. ``progress`` counts hands.
    Raises `railbird.errors.BadInput` for an invalid query, and for a part that cannot be read.
    """
    return _records(read_batches(folder, query, rename=rename, progress=progress))


def read_batches(
    folder: str | Path,
    query: Query = _ALL,
    *,
    rename: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Iterator[HandBatch | Skipped]:
    """Read hands as `read` does, as columns, in batches of some thousands."""
    parts = _parts(Path(folder))
    condition = condition_of(query)
    hands = _hands(parts, condition, str(folder), rename or {}, progress)
    return itertools.chain(_refused(Path(folder), query, rename or {}), hands)


def _refused(folder: Path, query: Query, rename: Mapping[str, str]) -> Iterator[Skipped]:
    """Yield the hands refused for an archive, for which no game's rules are known."""
    for skip in refused_in(folder, condition_of(replace(query, game=None))):
        won = {rename.get(name, name): amount for name, amount in skip.hand.won.items()}
        yield replace(skip, hand=skip.hand._replace(won=won)) if rename else skip


def _records(batches: Iterable[HandBatch | Skipped]) -> Iterator[HandRecord | Skipped]:
    for batch in batches:
        if isinstance(batch, Skipped):
            yield batch
        else:
            yield from records_of(batch)


def count(folder: str | Path, query: Query = _ALL) -> pl.DataFrame:
    """Count hands by game, seats, stakes and player; incommensurable amounts stay apart.

    The columns are ``betting``, ``seats``, ``stakes`` (`stakes_text`), ``currency``, ``player``,
    ``hands``, and ``won``: money, or chips where there is no currency, after the rake. Raises
    `railbird.errors.BadInput` as `read`.
    """
    parts = _parts(Path(folder))
    lazy = _scan(parts) if parts else pl.LazyFrame(schema=SCHEMA)
    rules = pl.col("rules").str
    kind = ("betting", "blinds", "bet_sizes", "antes", "denomination", "currency")
    by_player = (
        lazy.filter(condition_of(query))
        .select(
            *("betting", "seats", "denomination", "currency", "parts"),
            *(rules.json_path_match(f"$.{key}").alias(key) for key in kind[1:4]),
            player=pl.col("players"),
            won=pl.col("payoffs"),
        )
        .explode("player", "won")
        .group_by(*kind, "seats", "player", "parts")
        .agg(hands=pl.len(), won=pl.col("won").sum())
    )
    rows = _collected(by_player, Path(folder), engine="streaming")
    # Few stakes, whose names are made only once.
    kinds = rows.select(kind).unique()
    names = [_stakes_of(*values) for values in kinds.iter_rows()]
    named = kinds.with_columns(stakes=pl.Series(names, dtype=pl.String))
    return (
        rows.join(named, on=kind)
        .group_by("betting", "seats", "stakes", "currency", "player")
        .agg(pl.col("hands").sum(), pl.struct("won", "parts", "denomination").alias("won"))
        .with_columns(pl.col("won").map_elements(_money_of, return_dtype=pl.Float64))
        .sort(
            *("betting", "seats", "hands", "player", "stakes"),
            descending=[False, False, True, False, False],
        )
    )


def _money_of(sums: pl.Series) -> float:
    """Add up in fractions: a sum of cents is a number of cents, without a float's last digits."""
    money = [
        Fraction(player_sum["won"], player_sum["parts"]) * Fraction(player_sum["denomination"])
        for player_sum in sums
    ]
    return float(sum(money, Fraction(0)))


def players(folder: str | Path) -> list[str]:
    """Return the names of all players in an archive. Raises `railbird.errors.BadInput`."""
    parts = _parts(Path(folder))
    if not parts:
        return []
    names = _scan(parts).select(pl.col("players").explode().unique().sort())
    return _collected(names, Path(folder), engine="streaming")["players"].to_list()


# Notes: behind a sign in the comments of hands, where conditions and all that reads comments find
# them. A part with noted hands is written anew.


MOST_NOTED: Final = 1000
"""Hands that get a note at a time."""
LONGEST_NOTE: Final = 500
_NOTE_SIGN: Final = "// "
_NOTE: Final = rf"(?s)(?:^| ){_NOTE_SIGN}(.*)$"
"""Pattern for a note at the end of a comment."""


def annotate(folder: str | Path, query: Query, text: str) -> int:
    """Write a note on hands of an archive, in place of their last one; return how many there are.

    Words such as #review serve as tags: a condition finds them in the column ``comment``. An empty
    text takes notes away. Raises `railbird.errors.BadInput` for more than `MOST_NOTED` hands, a
    text of several lines or of more than `LONGEST_NOTE` characters, and as `read`.
    """
    root = Path(folder)
    if len(text) > LONGEST_NOTE or not text.isprintable():
        shown = repr(text[:40])
        raise BadInput(f"note {shown}; allowed: a line of up to {LONGEST_NOTE} characters")
    condition = condition_of(query)
    comment = pl.col("comment").fill_null("").str.replace(_NOTE, "")
    note = pl.lit(f"{_NOTE_SIGN}{text}" if text.strip() else "")
    joined = pl.concat_str(comment, note, separator=" ").str.strip_chars(" ")
    with FileLock(root / ".lock"):
        noted = []
        for path in _parts(root):
            lazy = _scan(path).with_row_index("row").filter(condition)
            rows = _collected(lazy.select("row", joined.alias("comment")), path)
            noted += [(path, rows)] if rows.height else []
        count = sum(rows.height for _, rows in noted)
        if count > MOST_NOTED:
            raise BadInput(f"a note on {count:,} hands; allowed: up to {MOST_NOTED:,} at a time")
        for path, rows in noted:
            part = _collected(_scan(path).with_row_index("row"), path)
            _replace_part(path, part.update(rows, on="row", how="left").drop("row"))
    return count


def notes_of(folder: str | Path) -> pl.DataFrame:
    """Return the hands with a note: ``number``, ``played_at``, ``players`` and ``note``."""
    parts = _parts(Path(folder))
    lazy = _scan(parts) if parts else pl.LazyFrame(schema=SCHEMA)
    number = pl.coalesce("number_text", pl.col("number").cast(pl.String)).alias("number")
    note = pl.col("comment").str.extract(_NOTE).alias("note")
    noted = lazy.select(number, "played_at", "players", note).filter(pl.col("note").is_not_null())
    return _collected(noted, Path(folder), engine="streaming")


def _check_folder(root: Path) -> None:
    """Raise `BadInput` for a folder that neither is an archive nor can become one."""
    try:
        if is_archive(root):
            _mark(root)
        elif root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise BadInput(f"{root}: neither an archive nor an empty folder")
    except OSError as error:
        raise BadInput(f"{root}: cannot be read: {error.strerror}") from error


def _make(root: Path) -> None:
    if not is_archive(root):
        mark = {"railbird archive": VERSION, MARK: True, KEY: current_provenance().as_json()}
        replace_files({root / ARCHIVE_MARK: json.dumps(mark).encode() + b"\n"})


def provenance_of(folder: str | Path) -> Provenance | None:
    """Return what made an archive, if its mark says so. Raises `railbird.errors.BadInput`."""
    return Provenance.from_json(_mark(Path(folder)).get(KEY))


def _mark(root: Path) -> dict[str, Any]:
    """Read an archive's mark. Raises `DamagedFile` for that of another version, or none."""
    try:
        mark: dict[str, Any] = json.loads((root / ARCHIVE_MARK).read_text(encoding="utf-8"))
        version = mark["railbird archive"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
        raise DamagedFile(f"{root / ARCHIVE_MARK}: does not say an archive's version") from error
    if version != VERSION:
        raise DamagedFile(f"{root}: an archive of version {version!r}, this is {VERSION}")
    return mark


def _parts(root: Path) -> list[Path]:
    """Return the files of an archive, game by game, in the order of adding."""
    if not is_archive(root):
        raise BadInput(f"{root} is no archive; allowed: a folder that `railbird archive add` made")
    _mark(root)
    return sorted(root.glob("*/[0-9]*.parquet"))


_SHORT: Final = pl.col("board").str.len_chars() < len("2c3d4h5s")
_LACKS: Final = pl.col("holes").list.contains(None)
_NUMBER: Final = pl.coalesce(pl.col("number").cast(pl.String), "number_text")
_IN_LOG: Final = pl.concat_str("table", pl.coalesce(_NUMBER, pl.col("digest").bin.encode("hex")))
_PLAYED: Final = (
    pl.struct(
        "players",
        "actions",
        "board",
        pl.when(_SHORT).then(_IN_LOG),
        # Matches without a table are often numbered alike; of known cards there is nothing to join.
        pl.when(_SHORT & (pl.col("table") == "") & ~_LACKS).then(pl.col("digest")),
    )
    .hash()
    .alias("played")
)
"""Number that is the same for all views of a hand, and for few others, which `SeenHands` tells
apart."""


_PLACE: Final = (
    pl.when(_NUMBER.is_not_null())
    .then(pl.struct(_NUMBER, "table", "players", "played_at").hash())
    .alias("place")
)
"""Number that is the same for all views of a hand, however they say that it was played, and for
few others: null where hands have no number."""
_ALIKE: Final = ("played", "place")


def _known(root: Path) -> pl.DataFrame:
    """Return ``digest``, ``played`` and ``place`` of all hands in an archive."""
    parts = _parts(root)
    if not parts:
        keys = {name: pl.UInt64() for name in _ALIKE}
        return pl.DataFrame(schema=pl.Schema({"digest": SCHEMA["digest"], **keys}))
    return _collected(_scan(parts).select("digest", _PLAYED, _PLACE), root)


def _scan(parts: Path | list[Path]) -> pl.LazyFrame:
    """Scan files of an archive; older ones lack columns, which are then null."""
    return pl.scan_parquet(parts, schema=SCHEMA, missing_columns="insert")


def _new_rows(
    hands: Iterable[HandRecord | HandBatch | Skipped], refused: list[Skipped]
) -> Iterator[pl.DataFrame]:
    """Yield rows of hands, and append skipped ones to ``refused``."""
    for batch, skipped in batches_of(hands, _BATCH):
        refused += skipped
        if len(batch):
            yield rows_of(batch)


def _write_full_parts(
    root: Path, rows: pl.DataFrame, waiting: dict[str, list[pl.DataFrame]]
) -> None:
    """Sort rows by game, and write parts that are full; the rest are ``waiting``."""
    for (betting, seats), group in rows.group_by("betting", "seats", maintain_order=True):
        kind = f"{betting}-{seats}"
        waiting[kind] = _write_full(root / kind, [*waiting.get(kind, []), group])


def _write_rest(root: Path, waiting: dict[str, list[pl.DataFrame]]) -> None:
    for kind, parts in waiting.items():
        if parts:
            _write_part(root / kind, pl.concat(parts))
    waiting.clear()


def _write_full(folder: Path, parts: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """Write full parts; return the rest."""
    if sum(part.height for part in parts) < PART:
        return parts
    rows = pl.concat(parts)
    for start in range(0, rows.height - PART + 1, PART):
        _write_part(folder, rows.slice(start, PART))
    rest = rows.height % PART
    return [rows.tail(rest)] if rest else []


def _write_part(folder: Path, rows: pl.DataFrame) -> None:
    last = max((int(path.stem) for path in folder.glob("[0-9]*.parquet")), default=0)
    _replace_part(folder / f"{last + 1:06}.parquet", rows)


def _replace_part(path: Path, rows: pl.DataFrame) -> None:
    packed = io.BytesIO()  # Polars says of a full disk neither its name nor the file's
    rows.rechunk().write_parquet(packed, compression="zstd")
    replace_files({path: packed.getvalue()})


def _hands(
    parts: list[Path],
    condition: pl.Expr,
    name: str,
    rename: Mapping[str, str],
    progress: Progress | None,
) -> Iterator[HandBatch | Skipped]:
    sizes = [_rows_in(path) for path in parts] if progress is not None else []
    for place, path in enumerate(parts):
        if progress is not None:
            progress(sum(sizes[:place]), sum(sizes), name)
        rows = _collected(_scan(path).filter(condition), path)
        try:
            for piece in rows.iter_slices(_SLICE):
                hands = batch_of_rows(piece)
                if rename:
                    hands, skipped = _renamed(hands, rename)
                    yield from skipped
                if len(hands):
                    yield hands
        except DamagedFile as error:
            raise DamagedFile(f"{path}: {error}") from error
    if progress is not None and sizes:
        progress(sum(sizes), sum(sizes), name)


def _rows_in(path: Path) -> int:
    return int(_collected(pl.scan_parquet(path).select(pl.len()), path).item())


def _collected(
    lazy: pl.LazyFrame, path: Path, *, engine: Literal["auto", "streaming"] = "auto"
) -> pl.DataFrame:
    """Run a query. Raises `DamagedFile`; a damaged file can also make Polars panic."""
    try:
        return lazy.collect(engine=engine)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise DamagedFile(f"{path}: {_line(error)}") from error


def _renamed(hands: HandBatch, rename: Mapping[str, str]) -> tuple[HandBatch, list[Skipped]]:
    """Return the hands under other names; those in which two then have one name are skipped."""
    numbers: Numbered[str] = Numbered()
    to = np.array([numbers(rename.get(name, name)) for name in hands.names] + [UNKNOWN], np.int32)
    hands = replace(hands, names=numbers.values(), player=to[hands.player])
    order = np.sort(hands.player, axis=1)
    twice = ((order[:, 1:] == order[:, :-1]) & (order[:, 1:] != UNKNOWN)).any(axis=1)
    if not twice.any():
        return hands, []
    skipped = [
        Skipped(SkipReason.SAME_NAME, line_of(record), "|".join(record.players))
        for record in records_of(hands.rows(twice))
    ]
    return hands.rows(~twice), skipped


def _line(error: BaseException) -> str:
    """Return the first line of an error of Polars."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
