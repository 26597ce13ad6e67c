"""The ACPC's game definitions: `.game` files, the standard ones by name, and changes to them.

The dealer of the Annual Computer Poker Competition describes a game by a few lines of text, and
its logs name that file. The standard files are known here, so such a log needs nothing else.
"""

from __future__ import annotations

import dataclasses
import re
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Final, TypeVar

from railbird._arguments import checked
from railbird.errors import BadInput, NothingUsable, did_you_mean
from railbird.game.rules import (
    LIMIT_RAISES,
    Betting,
    OddChips,
    Rules,
    ShortAllIn,
    UncallableRaise,
    parse_rake,
)
from railbird.units import Chips, Seat

_T = TypeVar("_T")
Fields = dict[str, tuple[int, ...]]
"""Numbers of a definition by key; an empty tuple for a missing key."""

_HOLDEM: Final[Fields] = {
    "numRounds": (4,),
    "numSuits": (4,),
    "numRanks": (13,),
    "numHoleCards": (2,),
    "numBoardCards": (0, 3, 1, 1),
}
_CHANGEABLE: Final = ("stack", "blind", "raiseSize", "firstPlayer", "maxRaises")
_KEYS: Final = {key.lower(): key for key in ("numPlayers", *_CHANGEABLE, *_HOLDEM)}
_BETTINGS: Final = {"limit": Betting.LIMIT, "nolimit": Betting.NO_LIMIT}
_SPELLINGS: Final = {
    "limit": Betting.LIMIT,
    "fixedlimit": Betting.LIMIT,
    "fl": Betting.LIMIT,
    "nolimit": Betting.NO_LIMIT,
    "nl": Betting.NO_LIMIT,
    "potlimit": Betting.POT_LIMIT,
    "pl": Betting.POT_LIMIT,
    "spreadlimit": Betting.SPREAD_LIMIT,
    "spread": Betting.SPREAD_LIMIT,
    "sl": Betting.SPREAD_LIMIT,
}
_BETWEEN_WORDS: Final = re.compile(r"[\s_-]")
_SHORT_NAME: Final = re.compile(
    r"(?:hold'?em[\s._-]?)?((?:fixed|no)?[\s_-]?limit|[fn]l)(?:[\s._-]?([0-9]{1,2})p)?"
    r"(\.reverse_blinds)?(\.game)?",
    re.IGNORECASE,
)
_STREETS: Final = 4
_MOST_SEATS: Final = 10
_KEPT: Final = 256
_LINE: Final = re.compile(r"(\w++)\s*+(?:=\s*+)?([0-9]{1,15}(?:\s+[0-9]{1,15})*)$")
_SHOWN: Final = 60
"""Characters that are quoted of a text that names no game; it may come from a damaged log."""
_LONGEST: Final = 1 << 16
"""Most characters of a definition; the ACPC's own have 300."""


@checked
def parse_game(text: str, *, name: str = "game definition") -> Rules:
    """Read the text of a `.game` file.

    Raises `railbird.errors.BadInput`, one line that begins with ``name``, for text that is no
    game definition and for games other than hold'em.

    >>> parse_game(format_game(STANDARD_GAMES["holdem.limit.3p.game"])).blinds
    (5, 10, 0)
    """
    betting: Betting | None = None
    fields: Fields = {}
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    # Whatever stands before GAMEDEF is passed over, as the dealer does.
    if not any(line.upper() == "GAMEDEF" for _, line in lines):
        raise BadInput(f"{name}: no game definition: it has no line GAMEDEF")
    for number, line in lines:
        word = line.lower()
        if word == "end gamedef":
            break
        if not line or line.startswith("#"):
            continue
        match = _LINE.match(line)
        if word in _BETTINGS:
            betting = _BETTINGS[word]
        elif match and match[1].lower() in _KEYS:
            fields[_KEYS[match[1].lower()]] = tuple(map(int, match[2].split()))
        else:
            raise BadInput(f"{name}, line {number}: a game definition has no line {line!r}")
    if betting is None:
        raise BadInput(f"{name}: a game definition says limit or nolimit, this one neither")
    return _rules(betting, fields, name)


@checked
def format_game(rules: Rules) -> str:
    """Write rules as the text of a `.game` file, laid out as the ACPC's own.

    The format does not express how odd chips and short all-ins are settled; reading back gives
    `acpc_rules`. Raises `railbird.errors.BadInput` for other rules it cannot express.
    """
    fields = _fields(rules)
    order = ("numPlayers", "numRounds", *_CHANGEABLE, *list(_HOLDEM)[1:])
    lines = [f"{key} = {' '.join(map(str, fields[key]))}" for key in order if fields[key]]
    betting = "limit" if rules.betting is Betting.LIMIT else "nolimit"
    return "\n".join(["GAMEDEF", betting, *lines, "END GAMEDEF", ""])


@checked
def resolve_game(spec: str, *, beside: Path | None = None, seats: int = 2) -> Rules:
    """Return rules from a file, or from a standard name with changes: ``NAME,stack=10000``.

    A standard name may be short, and its betting spelt in any way: ``nolimit``, ``no-limit.6p``;
    ``seats`` is the number of seats if the name does not say it.

    A change is ``KEY=VALUE`` with a key of the `.game` format (stack, blind, raiseSize,
    firstPlayer, maxRaises), one value for every seat or street or several joined by ``/``; or it is
    a rake, ``rake=5%+cap=3`` (`railbird.game.parse_rake`). A file is looked up as given, then in
    the folder ``beside``; only the last part of a standard name's path counts.

    Raises `railbird.errors.BadInput` for an unknown name.

    >>> resolve_game("holdem.nolimit.6p.game,stack=10000").stacks
    (10000, 10000, 10000, 10000, 10000, 10000)
    """
    if _is_file(Path(spec)):
        return read_game(Path(spec))
    base, *changes = spec.split(",")
    name = PurePath(base).name
    for path in [Path(base)] + ([] if beside is None else [beside / name]):
        if _is_file(path):
            return _changed(read_game(path), changes, spec)
    standard = _standard_name(name, seats)
    if standard is None and betting_named(base) is not None:
        raise BadInput(
            f"no game {base!r} in the ACPC's format, in which matches are kept; allowed: limit,"
            " nolimit, or `railbird ring` and `railbird tournament`, which play it"
        )
    if standard is None:
        hint = did_you_mean(base[:_SHOWN], ("limit", "nolimit", *STANDARD_GAMES)) or (
            "allowed: limit, nolimit, a .game file, holdem.{limit,nolimit}.2p.reverse_blinds.game"
            f" or holdem.{{limit,nolimit}}.Np.game with N from 3 to {_MOST_SEATS}"
        )
        raise BadInput(f"no game {base[:_SHOWN]!r}; {hint}")
    return _changed(STANDARD_GAMES[standard], changes, spec)


def betting_named(text: str) -> Betting | None:
    """Return the betting that a word stands for in any spelling; None for other words.

    >>> [betting_named(text) for text in ("nolimit", "No-Limit", "NL")] == [Betting.NO_LIMIT] * 3
    True
    """
    return _SPELLINGS.get(_BETWEEN_WORDS.sub("", text).lower())


def _standard_name(text: str, seats: int) -> str | None:
    """The ACPC's name of a game that is named so or shorter, such as nolimit or limit.3p."""
    match = _SHORT_NAME.fullmatch(text)
    betting = None if match is None else betting_named(match[1])
    if match is None or betting not in _BETTINGS.values():
        return None
    count = int(match[2] or seats)
    dealer_first = count == 2  # the dealer posts the small blind and acts first before the flop
    if match[4] and bool(match[3]) != dealer_first:
        return None  # another file of the ACPC's
    word = "limit" if betting is Betting.LIMIT else "nolimit"
    name = f"holdem.{word}.{count}p{'.reverse_blinds' * dealer_first}.game"
    return name if name in STANDARD_GAMES else None


@checked
def read_game(path: Path | str) -> Rules:
    """Return the rules in a `.game` file. Raises `railbird.errors.BadInput`."""
    path = Path(path)
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(_LONGEST)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from error
    try:
        return parse_game(text, name=str(path))
    except BadInput as error:
        raise NothingUsable(str(error)) from None


@checked
@lru_cache(_KEPT)
def game_spec(rules: Rules) -> str:
    """Return the shortest text that `resolve_game` resolves to ``acpc_rules(rules)``.

    Raises `railbird.errors.BadInput` for rules that a `.game` file cannot express, but for a rake,
    and for more than 10 seats.

    >>> game_spec(resolve_game("holdem.nolimit.6p.game,stack=10000"))
    'holdem.nolimit.6p.game,stack=10000'
    """
    wanted = _fields(dataclasses.replace(rules, rake=None))
    # Changes are separated by commas, what a rake consists of by plus signs.
    rake = [] if rules.rake is None else [f"rake={rules.rake}".replace(",", "+")]
    for name, standard in STANDARD_GAMES.items():
        if (standard.seats, standard.betting) == (rules.seats, rules.betting):
            given = _fields(standard)
            keys = [key for key in _CHANGEABLE if wanted[key] != given[key]]
            return ",".join([name, *(f"{key}={_short(wanted[key])}" for key in keys), *rake])
    raise BadInput(f"the ACPC's games have 2 to {_MOST_SEATS} seats, not {rules.seats}")


def _rules(betting: Betting, fields: Fields, name: str) -> Rules:
    for key, value in _HOLDEM.items():
        if fields.get(key) != value:
            raise BadInput(
                f"{name}: not hold'em: {key} is {_short(fields.get(key, ())) or 'missing'},"
                f" hold'em has {_short(value)}"
            )
    if len(fields.get("numPlayers", ())) != 1:
        raise BadInput(f"{name}: numPlayers must be one number")
    (seats,) = fields["numPlayers"]
    limit = betting is Betting.LIMIT
    blinds = _sized(fields, "blind", seats, name, default=0)
    stacks = _sized(fields, "stack", seats, name) if "stack" in fields or not limit else None
    caps = _sized(fields, "maxRaises", _STREETS, name) if "maxRaises" in fields else None
    first = _sized(fields, "firstPlayer", _STREETS, name, default=1)
    sizes = _sized(fields, "raiseSize", _STREETS, name) if limit else (max(blinds),) * _STREETS
    try:
        return Rules(
            betting=betting,
            blinds=tuple(map(Chips, blinds)),
            stacks=None if stacks is None else tuple(map(Chips, stacks)),
            bet_sizes=_by_street(tuple(map(Chips, sizes))),
            max_raises=None if caps is None else _by_street(caps),
            first_to_act=_by_street(tuple(Seat(seat - 1) for seat in first)),
            short_all_in=ShortAllIn.REOPENS,
            uncallable_raise=UncallableRaise.ALLOWED,
            odd_chips=OddChips.FRACTION,
        )
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None


def _sized(
    fields: Fields, key: str, count: int, name: str, *, default: int | None = None
) -> tuple[int, ...]:
    """Return exactly ``count`` numbers; a missing key is filled with ``default``."""
    values = fields.get(key, () if default is None else (default,) * count)
    if len(values) != count:
        raise BadInput(f"{name}: {key} must be {count} numbers, not {len(values)}")
    return values


def _by_street(values: tuple[_T, ...]) -> tuple[_T, _T, _T, _T]:
    preflop, flop, turn, river = values
    return preflop, flop, turn, river


def _fields(rules: Rules) -> Fields:
    """Invert `_rules`, refusing what a definition cannot express."""
    limit = rules.betting is Betting.LIMIT
    foreign = {
        f"{rules.betting.value} betting": rules.betting not in _BETTINGS.values(),
        "antes": any(rules.antes),
        "rake": rules.rake is not None,
        "a cap that is lifted heads-up": rules.lift_cap_heads_up,
        "a smallest bet other than the largest blind": (
            not limit and set(rules.bet_sizes) != {max(rules.blinds)}
        ),
        "no-limit betting without stacks": not limit and rules.stacks is None,
    }
    for what, present in foreign.items():
        if present:
            raise BadInput(f"an ACPC game definition cannot say {what}")
    return {
        "numPlayers": (rules.seats,),
        "stack": rules.stacks or (),
        "blind": rules.blinds,
        "raiseSize": rules.bet_sizes if limit else (),
        "firstPlayer": tuple(seat + 1 for seat in rules.first_to_act),
        "maxRaises": rules.max_raises or (),
        **_HOLDEM,
    }


def _changed(rules: Rules, changes: list[str], spec: str) -> Rules:
    fields = _fields(rules)
    rake = None
    for change in changes:
        if change.strip().startswith("rake="):
            rake = parse_rake(change.partition("=")[2])
            continue
        match = re.fullmatch(r"\s*(\w+)=([0-9]{1,15}(?:/[0-9]{1,15})*)\s*", change)
        key = _KEYS.get(match[1].lower()) if match else None
        if match is None or key not in _CHANGEABLE:
            allowed = ", ".join(f"{key}=N" for key in _CHANGEABLE)
            raise BadInput(f"{spec!r}: {change!r} is no change to a game; allowed: {allowed}")
        values = tuple(map(int, match[2].split("/")))
        count = rules.seats if key in ("stack", "blind") else _STREETS
        fields[key] = values * count if len(values) == 1 else values
    changed = _rules(rules.betting, {key: value for key, value in fields.items() if value}, spec)
    return changed if rake is None else dataclasses.replace(changed, rake=rake)


def _short(values: tuple[int, ...]) -> str:
    """Abbreviate equal numbers: ``100/100`` to ``100``, but ``5/10`` stays."""
    return "/".join(map(str, values[:1] if len(set(values)) == 1 else values))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a zero byte
        return False


def _standard_games() -> dict[str, Rules]:
    """Return the definitions shipped with the dealer, extended to every number of seats.

    Limit is 10/20 without stacks, no-limit has blinds of 50 and 100 and stacks of 20,000.
    """
    games: dict[str, Rules] = {}
    for seats in range(2, _MOST_SEATS + 1):
        dealer_first = seats == 2  # the dealer posts the small blind and acts first before the flop
        suffix = ".reverse_blinds" if dealer_first else ""
        blinds = (2, 1) if dealer_first else (1, 2, *(0,) * (seats - 2))
        common: Fields = {
            "numPlayers": (seats,),
            "firstPlayer": (2 if dealer_first else 3, 1, 1, 1),
            **_HOLDEM,
        }
        limit: Fields = {
            "blind": tuple(5 * blind for blind in blinds),
            "raiseSize": (10, 10, 20, 20),
            "maxRaises": LIMIT_RAISES,
        }
        no_limit: Fields = {
            "blind": tuple(50 * blind for blind in blinds),
            "stack": (20_000,) * seats,
        }
        for word, fields in (("limit", limit), ("nolimit", no_limit)):
            name = f"holdem.{word}.{seats}p{suffix}.game"
            games[name] = _rules(_BETTINGS[word], common | fields, name)
    return games


STANDARD_GAMES: Final = _standard_games()
"""Rules by the ACPC's file name, such as ``holdem.limit.2p.reverse_blinds.game``."""
