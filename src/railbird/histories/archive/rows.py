"""Hands as rows of an archive: the schema, and conversion from and to records.

Everything in a row can be read without Railbird: cards and betting are text, amounts are whole
numbers, and the rules are JSON.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, Final, assert_never

import polars as pl

from railbird.cards import CARD_OF_TEXT, TEXT_OF_CARD
from railbird.errors import DamagedFile
from railbird.game import (
    Action,
    Betting,
    Call,
    Fold,
    OddChips,
    OpenFold,
    Raise,
    Rake,
    Rules,
    ShortAllIn,
    UncallableRaise,
    parse_rake,
)
from railbird.histories.card_text import HOLE_OF_TEXT, TEXT_OF_HOLE, Hole
from railbird.histories.record import HandRecord, Source
from railbird.units import Chips, Seat

SCHEMA: Final = pl.Schema(
    {
        "digest": pl.Binary(),
        "number": pl.Int64(),
        "betting": pl.String(),
        "seats": pl.Int16(),
        "rules": pl.String(),
        "players": pl.List(pl.String()),
        "holes": pl.List(pl.String()),
        "board": pl.String(),
        "actions": pl.String(),
        "payoffs": pl.List(pl.Int64()),
        "parts": pl.Int64(),
        "rake": pl.Float64(),
        "table": pl.String(),
        "played_at": pl.Datetime("us"),
        "zoned": pl.Boolean(),
        "comment": pl.String(),
        "denomination": pl.String(),
        "currency": pl.String(),
        "file": pl.String(),
        "line": pl.Int64(),
    }
)
"""The columns.

``digest`` names what was played (`digest_of`); ``players``, ``holes`` (two cards in the order of
dealing, null if unknown) and ``payoffs`` are by seat; ``actions`` is ``f``, ``c``, and ``r`` with
the street's total; a payoff is chips times ``parts``, which is 1 unless a pot was split into parts
of a chip; ``rake`` is chips; ``played_at`` is UTC if ``zoned``, else the log's own clock.
"""

_ACTION: Final = re.compile(r"f|c|r([0-9]+)")
_KEPT: Final = 1 << 14
_FOLD: Final = Fold()
_CALL: Final = Call()
_ENUMS: Final = {
    "betting": Betting,
    "short_all_in": ShortAllIn,
    "uncallable_raise": UncallableRaise,
    "odd_chips": OddChips,
    "open_fold": OpenFold,
}
_FIELDS: Final = tuple(Rules.__slots__)


def rows_of(records: Sequence[HandRecord]) -> pl.DataFrame:
    """Return hands as rows, in order."""
    return pl.DataFrame([_row(record) for record in records], SCHEMA, orient="row")


def records_of(rows: pl.DataFrame) -> Iterator[HandRecord]:
    """Return the hands of rows, in order.

    Raises `railbird.errors.DamagedFile` for rows that are not an archive's, and for a hand that
    does not match its stored digest: Parquet as Polars writes it has no checksums.
    """
    try:
        for row in rows.select(SCHEMA.names()).iter_rows():
            record = _record(row)
            if digest_of(record) != row[0]:
                raise DamagedFile(f"hand {record.number} from {record.source} has changed")
            yield record
    except DamagedFile:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise DamagedFile(f"no rows of an archive: {type(error).__name__} {error}") from error
    except pl.exceptions.PolarsError as error:
        raise DamagedFile(f"no rows of an archive: {str(error).partition(chr(10))[0]}") from error


def digest_of(record: HandRecord) -> bytes:
    """Return 16 bytes that identify a hand: players, cards, betting, payoffs and number.

    A hand has the same digest whichever format it was read from, though formats differ in what
    they tell about the table and its rules.
    """
    holes = ",".join(["" if hole is None else str(hole) for hole in record.holes])
    payoffs = ",".join(map(str, record.payoffs))
    text = "\x1f".join(
        [
            "" if record.number is None else str(record.number),
            *record.players,
            holes,
            bytes(record.board).hex(),
            actions_text(record.actions),
            payoffs,
        ]
    )
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@lru_cache(_KEPT)
def rules_text(rules: Rules) -> str:
    """Format rules as JSON; `parse_rules` reads them."""
    values = {name: getattr(rules, name) for name in _FIELDS}
    return json.dumps(values, default=_plain, separators=(",", ":"))


def _plain(value: Enum | Rake) -> str:
    return str(value) if isinstance(value, Rake) else value.value


@lru_cache(_KEPT)
def parse_rules(text: str) -> Rules:
    """Parse rules. Raises `railbird.errors.DamagedFile`."""
    try:
        values = json.loads(text)
        for name, value in values.items():
            if name in _ENUMS:
                values[name] = _ENUMS[name](value)
            elif name == "rake":
                values[name] = None if value is None else parse_rake(value)
            elif isinstance(value, list):
                values[name] = tuple(value)
        values["first_to_act"] = tuple(map(Seat, values["first_to_act"]))
        return Rules(**values)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedFile(f"no rules: {text[:60]!r}") from error


@lru_cache(_KEPT)
def actions_text(actions: tuple[Action, ...]) -> str:
    """Format actions as ``cr20cf``."""
    pieces: list[str] = []
    for action in actions:
        match action:
            case Fold():
                pieces.append("f")
            case Call():
                pieces.append("c")
            case Raise(to):
                pieces.append(f"r{to}")
            case other:
                assert_never(other)
    return "".join(pieces)


@lru_cache(_KEPT)
def _parse_actions(text: str) -> tuple[Action, ...]:
    actions: list[Action] = []
    for match in _ACTION.finditer(text):
        if match[1] is not None:
            actions.append(Raise(Chips(int(match[1]))))
        else:
            actions.append(_FOLD if match[0] == "f" else _CALL)
    return tuple(actions)


def _row(record: HandRecord) -> tuple[Any, ...]:
    parts = lcm(*[payoff.denominator for payoff in record.payoffs])
    moment = record.played_at
    zoned = moment is not None and moment.tzinfo is not None
    if moment is not None and zoned:
        moment = moment.astimezone(datetime.UTC).replace(tzinfo=None)
    holes = [
        None if hole is None else TEXT_OF_HOLE[Hole(hole, record.low_first >> seat & 1)]
        for seat, hole in enumerate(record.holes)
    ]
    source = record.source or Source("", 0)
    return (
        digest_of(record),
        record.number,
        record.rules.betting.value,
        record.rules.seats,
        rules_text(record.rules),
        list(record.players),
        holes,
        "".join([TEXT_OF_CARD[card] for card in record.board]),
        actions_text(record.actions),
        [payoff.numerator * (parts // payoff.denominator) for payoff in record.payoffs],
        parts,
        float(record.rake),
        record.table,
        moment,
        zoned,
        record.comment,
        str(record.denomination),
        record.currency,
        source.file,
        source.line,
    )


def _record(row: tuple[Any, ...]) -> HandRecord:
    (_, number, _, _, rules, players, holes, board, actions, payoffs, parts, _) = row[:12]
    table, moment, zoned, comment, denomination, currency, file, line = row[12:]
    found = [HOLE_OF_TEXT[text or ""] for text in holes]
    return HandRecord(
        rules=parse_rules(rules),
        players=tuple(players),
        holes=tuple([hole.holding for hole in found]),
        board=tuple([CARD_OF_TEXT[board[i : i + 2]] for i in range(0, len(board), 2)]),
        actions=_parse_actions(actions),
        payoffs=tuple([_amount(payoff, parts) for payoff in payoffs]),
        number=number,
        table=table,
        played_at=moment.replace(tzinfo=datetime.UTC) if zoned else moment,
        comment=comment,
        denomination=_denomination(denomination),
        currency=currency,
        low_first=sum([hole.low_first << seat for seat, hole in enumerate(found)]),
        source=Source(file, line) if line else None,
    )


@lru_cache(_KEPT)
def _amount(payoff: int, parts: int) -> Fraction:
    return Fraction(payoff, parts)


@lru_cache(_KEPT)
def _denomination(text: str) -> Fraction:
    return Fraction(text)
