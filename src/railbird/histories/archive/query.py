"""Queries of an archive: conditions over its columns, checked before anything is read.

Also names of stakes, which determine the amounts that may be added.
"""

from __future__ import annotations

import datetime
import json
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import polars as pl

from railbird.errors import BadInput, unknown_name
from railbird.game import Betting
from railbird.histories.acpc.gamedef import betting_named, resolve_game
from railbird.histories.archive.rows import SCHEMA
from railbird.histories.archive.rules_text import rules_text

_TIME: Final = "played_at"
_LITERAL: Final = r"(?:'(?:[^']|'')*'|[-+.\d]+)"
_COMPARED: Final = re.compile(
    rf"""'(?:[^']|'')*'
    | (?P<column> \b{_TIME}\s* (?: [<>=!]+ | (?i: (?:NOT\s+)? BETWEEN\b ) ) \s*)
      (?P<value> {_LITERAL}) (?: (?P<and> \s+ (?i:AND) \s+) (?P<second> {_LITERAL}) )?""",
    re.VERBOSE,
)
"""Quoted text, which stays as it is, or a comparison of the time with a literal."""

_AGAINST: Final = re.compile(
    rf"""'(?:[^']|'')*'
    | \b(?P<column> {"|".join(SCHEMA.names())} )\s*
      (?: [<>=!]+ | (?i: (?:NOT\s+)? (?:BETWEEN|LIKE|ILIKE|IN)\b ) ) \s* \(? \s*
      (?P<value> {_LITERAL})""",
    re.VERBOSE,
)
"""Quoted text, or a column and the first literal that it is compared with."""
_UNENDED: Final = re.compile(r"([<>=!+*/-]+|\b(?:AND|OR|NOT|BETWEEN|LIKE|ILIKE|IN|IS))\s*$", re.I)
_TIME_WORDS: Final = ("date", "datetime", "day", "time", "timestamp", "when")
"""Names under which the time is looked for."""


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


def stakes_of(
    betting: str, blinds: str, bet_sizes: str, antes: str, denomination: str, currency: str
) -> str:
    """Name stakes: both bets of limit hold'em, else the blinds; then the ante, if any.

    Lists are JSON, as in the column of rules.

    >>> stakes_of("limit", "[5,10]", "[10,10,20,20]", "[0,0]", "1/100", "$")
    '$0.10/$0.20'
    >>> stakes_of("no-limit", "[50,100,0]", "[100,100,100,100]", "[10,10,10]", "1", "")
    '50/100/10'
    """
    sizes = set(json.loads(bet_sizes if betting == Betting.LIMIT.value else blinds)) - {0}
    amounts = [*sorted(sizes), *({max(json.loads(antes), default=0)} - {0})]
    return "/".join(_money(amount * Fraction(denomination), currency) for amount in amounts)


def _money(amount: Fraction, currency: str) -> str:
    whole = amount.denominator == 1
    return f"{currency}{amount}" if whole else f"{currency}{float(amount):.2f}"


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
            raise BadInput(f"condition {where!r}: allowed: what is true or false of a hand")
        _HAND.filter(condition)
    except (pl.exceptions.PolarsError, UnicodeEncodeError) as error:
        raise BadInput(f"condition {where!r}: {_fault(where, error)}") from error
    return condition


def _fault(where: str, error: Exception) -> str:
    """Say what is wrong with which part of a condition that Polars refused."""
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
"""Row of an archive's types, of no hand."""
