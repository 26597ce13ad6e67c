"""Specs of players of any game: ``name``, ``name:variant``, ``name:variant,key=value``.

A spec identifies a player on the command line, in a log and in messages to other processes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any

from railbird._arguments import checked
from railbird.errors import BadInput, ParseError, did_you_mean

_FORBIDDEN = re.compile(r"[|\x00-\x1f]|\s#|^\s|\s$")
"""Characters that logs use as separators: bars, ``#`` and line ends."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A player's name, and the text after it, which each kind of player parses itself."""

    name: str
    detail: str = ""


@checked
def parse_spec(text: str) -> Spec:
    """Split a spec after its name.

    >>> parse_spec("baseline:loose-low,pot=facing-bet")
    Spec(name='baseline', detail='loose-low,pot=facing-bet')

    Raises `ParseError` for an empty name and for text that logs cannot store.
    """
    if wrong := _FORBIDDEN.search(text):
        raise ParseError(
            "no player",
            text=text,
            position=wrong.start(),
            allowed="no bars, breaks, spaces at the ends or before #",
        )
    name, *rest = re.split("[:,]", text, maxsplit=1)
    if not name.strip():
        raise ParseError("a player without a name", text=text, position=0, allowed="name:variant")
    return Spec(name.strip(), "".join(rest).strip())


def parse_arguments(spec: Spec) -> tuple[str, dict[str, str]]:
    """Parse the text after a name as ``variant,key=value,...``; every piece is optional.

    >>> parse_arguments(parse_spec("random,raise=0.5"))
    ('', {'raise': '0.5'})

    Raises `ParseError` for any other piece, and for a key given twice.
    """
    variant, options, position = "", dict[str, str](), 0
    for piece in spec.detail.split(",") if spec.detail else ():
        key, equals, value = (part.strip() for part in piece.partition("="))
        if not equals and position == 0:
            variant = key
        elif key and value and key not in options:
            options[key] = value
        else:
            problem = "no option"
            if equals and key:
                problem = f"{key} given twice" if value else f"no value of {key}"
            raise ParseError(
                f"{spec.name}: {problem}", text=spec.detail, position=position, allowed="key=value"
            )
        position += len(piece) + 1
    return variant, options


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option of a player."""

    key: str
    read: Callable[[str], Any]
    """Parses a value; raises ValueError for a value that is not allowed."""
    default: Any
    """The default value."""
    allowed: str
    """Description of allowed values, for help and error messages."""
    summary: str
    former: str = ""
    """An earlier name of the key, which specs in logs may have."""

    def value(self, text: str, *, player: str) -> Any:
        """Parse a value. Raises `BadInput` that lists the allowed ones."""
        if not text:
            return self.default
        try:
            return self.read(text)
        except BadInput:
            raise
        except ValueError:
            hint = did_you_mean(text, self.allowed.split(", ")) or f"allowed: {self.allowed}"
            raise BadInput(f"{player}: {self.key}={text}; {hint}") from None


def number_between(low: float, high: float) -> Callable[[str], float]:
    """Return a parser of numbers from ``low`` to ``high``."""

    def read(text: str) -> float:
        value = float(text)
        if not low <= value <= high:  # also refuses what is not a number
            raise ValueError(text)
        return value

    return read


def version_option(versions: Mapping[str, Any], *, default: str) -> Option:
    """Return the variant that names one of a player's versions, whose value are its settings."""

    def read(text: str) -> Any:
        if text not in versions:
            raise ValueError(text)
        return versions[text]

    return Option(
        key="version",
        read=read,
        default=versions[default],
        allowed=", ".join(versions),
        summary=f"which of the source's players; default {default}",
    )


def changed_option(key: str, read: Callable[[str], Any], allowed: str, summary: str) -> Option:
    """Return an option that changes a version's setting: None, unless it is given."""
    return Option(key=key, read=read, default=None, allowed=allowed, summary=summary)


def choice_option(key: str, kinds: type[Enum], summary: str) -> Option:
    """Return an option that takes one value of an enumeration."""
    return changed_option(key, kinds, ", ".join(kind.value for kind in kinds), summary)


def switch_option(key: str, summary: str) -> Option:
    """Return an option that is on or off."""

    def read(text: str) -> bool:
        if text not in ("on", "off"):
            raise ValueError(text)
        return text == "on"

    return changed_option(key, read, "on, off", summary)


def number_option(key: str, low: float, high: float, summary: str) -> Option:
    """Return an option that takes a number from ``low`` to ``high``."""
    return changed_option(key, number_between(low, high), f"{low:g} to {high:g}", summary)


def whole_option(key: str, low: int, high: int, summary: str) -> Option:
    """Return an option that takes a whole number from ``low`` to ``high``."""

    def read(text: str) -> int:
        return int(number_between(low, high)(str(int(text))))

    return changed_option(key, read, f"{low} to {high}", summary)


# Settings of a player as fields of a dataclass, which its options change.


def setting(
    default: Any, summary: str, *, low: float | None = None, high: float | None = None
) -> Any:
    """Return a field of a dataclass that an option of the spec changes (`options_of`).

    The kind of the option follows from the default: a switch from a bool, one of its values from an
    Enum, a whole number or any number from ``low`` to ``high``.

    >>> @dataclass(frozen=True)
    ... class Settings:
    ...     semi_bluff: bool = setting(True, "bet draws")
    ...     trials: int = setting(400, "hands simulated", low=1, high=1000)
    >>> [(option.key, option.allowed) for option in options_of(Settings)]
    [('semi-bluff', 'on, off'), ('trials', '1 to 1000')]
    """
    if isinstance(default, bool):
        option = switch_option("", summary)
    elif isinstance(default, Enum):
        option = choice_option("", type(default), summary)
    elif low is None or high is None:
        raise TypeError(f"{summary}: a number without bounds")
    elif isinstance(default, int):
        option = whole_option("", int(low), int(high), summary)
    else:
        option = number_option("", low, high, summary)
    return setting_by(option, default)


def setting_by(option: Option, default: Any = None) -> Any:
    """Return a field that an option of another kind changes; the field's name becomes its key."""
    return field(default=default, metadata={"option": option})


def options_of(settings: type, *names: str) -> tuple[Option, ...]:
    """Return the options of the fields made by `setting`: all, or those of these names.

    An option that is not given is None: the player's version has the value.
    """
    return tuple(
        [
            replace(setting_field.metadata["option"], key=setting_field.name.replace("_", "-"))
            for setting_field in fields(settings)
            if "option" in setting_field.metadata and (not names or setting_field.name in names)
        ]
    )


def changes(options: Iterable[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the options that were given, by the name of their setting."""
    return {
        option.key.replace("-", "_"): values[option.key]
        for option in options
        if values[option.key] is not None
    }
