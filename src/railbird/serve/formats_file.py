"""Formats of play from a file in TOML, in the notations of the command line."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final, TypeVar

from railbird._files import bounded_text
from railbird.cards import HOLDEM, Variant, variant_from
from railbird.errors import BadInput, RailbirdError, did_you_mean
from railbird.game import Betting, Rules, parse_rake
from railbird.hosting.formats import Clocks, Freeze, LevelBy, RingFormat, TournamentFormat
from railbird.hosting.house_seats import (
    checked_house_player,
    plays_limit_heads_up,
    remembering,
    why_unseatable,
)
from railbird.players.registry import REGISTRY
from railbird.players.spec import parse_spec
from railbird.tournament import parse_payouts, parse_schedule
from railbird.tournament.schedule import Stages, parse_refill

# What a server plays unless it is told otherwise.


@dataclass(frozen=True, slots=True, kw_only=True)
class Games:
    """Kinds of tournaments and ring games."""

    tournaments: tuple[TournamentFormat, ...]
    rings: tuple[RingFormat, ...] = ()


DEFAULT_GAMES: Final = Games(
    tournaments=(
        TournamentFormat(name="six"),
        TournamentFormat(name="heads-up", seats=2, table_seats=2, payouts=parse_payouts("100")),
    ),
    rings=(
        RingFormat(name="ring-10-20"),
        RingFormat(
            name="ring-50-100",
            blinds=(50, 100),
            buy_ins=(2_000, 10_000),
            opened_by=("ring-10-20", 2_000),
        ),
    ),
)
"""Booker's (2004) six-player tournaments, heads-up ones, and ring games at two stakes."""


def games_of(variant: Variant, betting: Betting) -> Games:
    """Return what a server plays in a game; the tournaments of others than hold'em are unrated.

    Raises `BadInput` for a game that cannot be played.
    """
    if (variant, betting) == (HOLDEM, Betting.NO_LIMIT):
        return DEFAULT_GAMES
    return Games(
        tournaments=tuple(
            replace(
                form,
                variant=variant.name,
                betting=betting,
                rated=form.rated and variant is HOLDEM,
            )
            for form in DEFAULT_GAMES.tournaments
        ),
        rings=tuple(
            replace(form, variant=variant.name, betting=betting) for form in DEFAULT_GAMES.rings
        ),
    )


# The file.


_MOST_BYTES: Final = 1 << 20
_Form = TypeVar("_Form", TournamentFormat, RingFormat)
Reader = Callable[[Any], Any]


def read_formats(path: Path) -> Games:
    """Read a file of ``[[tournament]]`` and ``[[ring]]`` tables.

    Raises `BadInput`, with one mistake in each line of its text.
    """
    text = bounded_text(path, _MOST_BYTES)
    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise BadInput(f"{path}: not TOML: {problem}") from None
    problems = [
        f"{key}: unknown; allowed: [[tournament]] and [[ring]]"
        for key in tables
        if key not in ("tournament", "ring")
    ]
    tournaments = _forms(tables, "tournament", TournamentFormat, _TOURNAMENT, problems)
    rings = _forms(tables, "ring", RingFormat, _RING, problems)
    for form in tournaments:
        stacks = [form.stack] * min(form.seats, form.table_seats)
        problems += _house_problems(form, form.rules(form.schedule.level(0), stacks))
    for ring in rings:
        stacks = [ring.buy_ins[1]] * ring.seats
        problems += _house_problems(ring, ring.rules(stacks), top_up=ring.top_up)
    names = [form.name for form in tournaments] + [form.name for form in rings]
    problems += [f"{name}: two formats of one name" for name in _doubled(names)]
    known = {form.name for form in rings}
    for ring in rings:
        if ring.opened_by is not None and ring.opened_by[0] not in known:
            problems.append(f"{ring.name}: opened-by: no ring game {ring.opened_by[0]!r}")
    if not problems and not names:
        problems.append("no [[tournament]] and no [[ring]]")
    if problems:
        raise BadInput("\n".join(f"{path}: {problem}" for problem in problems))
    return Games(tournaments=tuple(tournaments), rings=tuple(rings))


def _forms(
    tables: Mapping[str, Any],
    kind: str,
    form: type[_Form],
    fields: Mapping[str, tuple[str, Reader]],
    problems: list[str],
) -> list[_Form]:
    entries = tables.get(kind, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        problems.append(f"{kind}: allowed: [[{kind}]], with two brackets")
        return []
    made = []
    for number, entry in enumerate(entries, 1):
        where = f"{kind} {number}"
        if isinstance(name := entry.get("name"), str) and name.isprintable():
            where += f" ({name[:40]})"
        values, wrong = _values(entry, fields)
        if "betting" not in values and "variant" in values:
            values["betting"] = Betting(variant_from(values["variant"]).betting)
        if not wrong:
            try:
                made.append(form(**values))
            except RailbirdError as problem:
                wrong = [str(problem)]
        problems += [f"{where}: {words}" for words in wrong]
    return made


def _values(
    entry: Mapping[str, Any], fields: Mapping[str, tuple[str, Reader]]
) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments in a table of the file, and its mistakes."""
    values, problems = {}, []
    for key, value in entry.items():
        if key not in fields:
            meant = did_you_mean(key, fields) or f"allowed: {', '.join(fields)}"
            problems.append(f"{key}: unknown; {meant}")
            continue
        name, read = fields[key]
        try:
            values[name] = read(value)
        except RailbirdError as problem:
            problems.append(f"{key}: {problem}")
    if "name" in fields and "name" not in entry:
        problems.append("name: missing")
    if values.pop(_REMEMBER, False):
        try:
            values["house"] = tuple(map(remembering, values.get("house") or _nobody()))
        except RailbirdError as problem:
            problems.append(f"{_REMEMBER}: {problem}")
    return values, problems


def _nobody() -> tuple[str, ...]:
    raise BadInput('allowed: with players who keep a memory, house = ["booker:4"]')


def _doubled(names: list[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})


def _house_problems(
    form: TournamentFormat | RingFormat, rules: Rules, *, top_up: bool = False
) -> list[str]:
    """Return the mistakes in the house players, for the rules of the first hand."""
    reasons = [
        why_unseatable(spec, rules, top_up=top_up) or _why_unmade(spec) for spec in form.house
    ]
    if isinstance(form, TournamentFormat) and form.rated:
        reasons += [_why_unrated(spec) for spec in form.house]
    return [f"{form.name}: house: {why}" for why in reasons if why is not None]


def _why_unrated(spec: str) -> str | None:
    """Return why a player cannot be met for ratings: a prize won from a dummy says nothing."""
    entry = REGISTRY.get(parse_spec(spec).name)
    if entry is None or not entry.fit.is_drill:
        return None
    return f"{spec} is for drills; allowed where rated = false"


def _why_unmade(spec: str) -> str | None:
    """Return why a player of the betting tree, which was asked by the rules alone, is none."""
    try:
        if plays_limit_heads_up(spec):
            checked_house_player(spec)
    except RailbirdError as problem:
        return str(problem)
    return None


# Readers of values. TOML has types, so that none is guessed: a whole number is no text, nor true.


def _a(kind: type, words: str) -> Reader:
    def read(value: object) -> object:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BadInput(f"{value!r}; allowed: {words}")
        return value

    return read


_TEXT = _a(str, "text in quotes")
_WHOLE = _a(int, "a whole number")
_FLAG = _a(bool, "true or false")


def _read(parse: Reader) -> Reader:
    """Return a reader of text in the notation of the command line."""
    return lambda value: parse(_TEXT(value))


def _one_of(kind: type[Enum]) -> Reader:
    choices = {member.value: member for member in kind}

    def read(value: object) -> Enum:
        if not isinstance(value, str) or value not in choices:
            raise BadInput(f"{value!r}; allowed: {', '.join(choices)}")
        return choices[value]

    return read


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 86_400:
        raise BadInput(f"{value!r}; allowed: 0 to 86,400 seconds")
    return float(value)


def _or(word: str, read: Reader) -> Reader:
    """Return a reader that takes a word for none."""
    return lambda value: None if value == word else read(value)


def _clocks(value: object) -> Clocks:
    values, problems = _values(_a(dict, "a table of its own")(value), _CLOCKS)
    if problems:
        raise BadInput("; ".join(problems))
    return Clocks(**values)


def _specs(value: object) -> tuple[str, ...]:
    return tuple(map(_TEXT, _a(list, 'a list such as ["tight", "booker:4"]')(value)))


def _pair(value: object) -> tuple[int, int]:
    numbers = _a(list, "two whole numbers, as in [10, 20]")(value)
    if len(numbers) != 2:
        raise BadInput(f"{value!r}; allowed: two whole numbers, as in [10, 20]")
    return _WHOLE(numbers[0]), _WHOLE(numbers[1])


def _opened_by(value: object) -> tuple[str, int]:
    values, problems = _values(
        _a(dict, '{ game = "ring-10-20", won = 2000 }')(value),
        {"game": ("game", _TEXT), "won": ("won", _WHOLE)},
    )
    if problems or len(values) < 2:
        raise BadInput("; ".join(problems) or 'allowed: { game = "ring-10-20", won = 2000 }')
    return values["game"], values["won"]


_CLOCKS: Final[Mapping[str, tuple[str, Reader]]] = {
    "limit": ("limit", _seconds),
    "bank": ("bank", _seconds),
    "refill": ("refill", _or("none", _read(parse_refill))),
    "lag": ("lag", _seconds),
}
_REMEMBER: Final = "remember"
"""House players remember people from game to game, in the server's database."""

_BOTH: Final[Mapping[str, tuple[str, Reader]]] = {
    "name": ("name", _TEXT),
    "betting": ("betting", _one_of(Betting)),
    "variant": ("variant", _read(lambda name: variant_from(name).name)),
    "seats": ("seats", _WHOLE),
    "clocks": ("clocks", _clocks),
    "freeze": ("freeze", _one_of(Freeze)),
}
_TOURNAMENT: Final[Mapping[str, tuple[str, Reader]]] = {
    **_BOTH,
    "table-seats": ("table_seats", _WHOLE),
    "stack": ("stack", _WHOLE),
    "blinds": ("schedule", _read(parse_schedule)),
    "level-by": ("level_by", _one_of(LevelBy)),
    "stages": ("stages", _one_of(Stages)),
    "fee": ("fee", _WHOLE),
    "payouts": ("payouts", _read(parse_payouts)),
    "rated": ("rated", _FLAG),
    "house-after": ("house_after", _or("never", _seconds)),
    "house": ("house", _specs),
    _REMEMBER: (_REMEMBER, _FLAG),
    "starts-at": ("starts_at", _a(datetime, "a moment such as 2030-01-31T20:00:00Z")),
}
_RING: Final[Mapping[str, tuple[str, Reader]]] = {
    **_BOTH,
    "blinds": ("blinds", _pair),
    "ante": ("ante", _WHOLE),
    "buy-ins": ("buy_ins", _pair),
    "top-up": ("top_up", _FLAG),
    "house": ("house", _specs),
    _REMEMBER: (_REMEMBER, _FLAG),
    "rake": ("rake", _read(parse_rake)),
    "opened-by": ("opened_by", _opened_by),
}
