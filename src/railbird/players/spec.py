"""Specs of players of any game: ``name``, ``name:variant``, ``name:variant,key=value``.

A spec identifies a player on the command line, in a log and in messages to other processes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from railbird._arguments import checked
from railbird._option_fields import Description, OptionField, option_fields
from railbird.errors import BadInput, ParseError, did_you_mean

_FORBIDDEN = re.compile(r"[|\x00-\x1f]|\s#|^\s|\s$")
"""What logs use as separators: bars, ``#`` and line ends; also spaces at either end."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A player's name and the text after it, which each kind of player parses on its own."""

    name: str
    detail: str = ""


@checked
def parse_spec(text: str) -> Spec:
    """Split a spec after its name.

    >>> parse_spec("baseline:loose-low,pot=facing-bet")
    Spec(name='baseline', detail='loose-low,pot=facing-bet')

    Raises `ParseError` if the name is empty, or if logs could not store the text.
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


def options_of(make: Callable[..., Any]) -> tuple[OptionField, ...]:
    """Return the options that a function or a dataclass declares, by their keys in a spec.

    Bounds are written without commas, because commas separate options.

    >>> from typing import Annotated
    >>> def make(*, semi_bluff: Annotated[bool, "bet draws"] = True) -> None: ...
    >>> [(option.key, option.allowed) for option in options_of(make)]
    [('semi-bluff', 'on, off')]
    """
    return tuple(
        [
            replace(
                option,
                key=option.key.replace("_", "-"),
                limits=option.allowed.replace(",", "") if option.bounds else option.limits,
            )
            for option in option_fields(make)
        ]
    )


def read_option(option: OptionField, text: str, *, player: str) -> Any:
    """Read the value of a player's option. Raises `BadInput` with what is allowed."""
    try:
        return option.value(text)
    except BadInput:
        raise
    except ValueError:
        allowed = option.allowed
        hint = did_you_mean(text, allowed.split(", ")) or f"allowed: {allowed}"
        raise BadInput(f"{player}: {option.key}={text}; {hint}") from None


def version_description(versions: Mapping[str, Any], *, default: str) -> Description:
    """Describe the option that names a player's version; its value are that version's settings."""

    def read(text: str) -> Any:
        if text not in versions:
            raise ValueError(text)
        return versions[text]

    return Description(
        "which of the source's players",
        if_absent=default,
        parse=read,
        allowed=", ".join(versions),
    )
