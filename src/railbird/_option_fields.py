"""Options as fields of a dataclass, or parameters of a function, declared where the default stands.

A field that is annotated with a sentence is an option::

    merging: Annotated[float, Between(0, 10, "pots"), "drops sizes close to a larger one"] = 0.0

Its line of a file, its option of a command, its entry of a form and its row in the manual all
follow from that. Numbers, switches, enumerations, text, paths, lists and classes with a ``parse``
are *plain*: they are read and written here. What takes several keys, or knows of other fields, is
read by the class itself, whose `Description` of each key stands beside the type all the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

from railbird.errors import BadInput

_MOST_WHOLE: Final = 2**53
"""Up to which all whole numbers are told apart by the floats that they are read as."""
_SWITCH: Final = {"on": True, "off": False}


@dataclass(frozen=True, slots=True)
class Between:
    """Bounds of a number, both of them allowed."""

    low: float
    high: float = math.inf
    unit: str = ""

    def __str__(self) -> str:
        upper = " or more" if self.high == math.inf else f" to {self.high:,.15g}"
        return f"{self.low:,.12g}{upper} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Description:
    """What an option is for, and what it is called; a sentence alone stands for one."""

    summary: str
    key: str = ""
    """Its name in text; the field's if empty."""
    label: str = ""
    """Its name on a page; by the key if empty."""
    example: str = ""
    if_absent: str = ""
    """The text that counts where none is given, for a field without a default."""
    is_plain: bool = True
    """False where the class reads it, though its type has a ``parse``."""
    parse: Callable[[str], Any] | None = None
    """Reads a value instead of its type, raising ValueError for what is none."""
    allowed: str = ""
    """Which values are allowed, where neither bounds nor choices say it."""
    former: str = ""
    """An earlier name, which texts that were written down may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """An option, as its field declares it."""

    name: str
    """Of the field."""
    key: str
    label: str
    summary: str
    """A sentence without its stop, beginning in lower case."""
    example: str
    if_absent: str
    """The text that counts where none is given, for a field without a default."""
    default: Any
    """`MISSING` where a value has to be given."""
    bounds: Between | None
    choices: tuple[str, ...]
    """All values that there are, as text; none for numbers and free text."""
    repeats: bool
    """Whether its plain value is a tuple, of which a text has one entry after another."""
    parse: Callable[[str], Any] | None
    """Reads a value, raising ValueError for what is none; None where the class reads it."""
    limits: str = ""
    """Which values are allowed, where neither bounds nor choices say it."""
    former: str = ""
    """An earlier name, which texts that were written down may have."""

    @property
    def is_plain(self) -> bool:
        """Whether the field is read and written by its type alone."""
        return self.parse is not None

    @property
    def allowed(self) -> str:
        """Which values are allowed; empty where only an example says so."""
        return self.limits or (str(self.bounds) if self.bounds else ", ".join(self.choices))

    @property
    def hint(self) -> str:
        """The allowed values, with an example, as messages state them."""
        example = f"such as {self.example}" if self.example else ""
        return ", ".join(words for words in (self.allowed, example) if words)

    @property
    def default_text(self) -> str:
        """The default as text; empty where there is none, or it is no limit at all."""
        if self.if_absent or self.default in (MISSING, None, (), math.inf):
            return self.if_absent
        is_number = isinstance(self.default, float)
        return f"{self.default:.12g}" if is_number else as_text(self.default)

    def value(self, text: str) -> Any:
        """Read one value of a plain option. Raises ValueError for what is not allowed."""
        assert self.parse is not None
        value = self.parse(text)
        if self.bounds and not self.bounds.low <= value <= self.bounds.high:
            raise ValueError(text)
        return value

    def read(self, text: str) -> Any:
        """Read a value of a plain option. Raises `BadInput`, which names the key."""
        assert self.parse is not None
        try:
            if not self.repeats:
                return self.parse(text)
            entries = (" ".join(entry.split()) for entry in text.split(";"))
            return tuple(self.parse(entry) for entry in entries if entry)
        except BadInput:
            raise
        except ValueError:
            raise BadInput(f"{self.key}: {text!r}; allowed: {self.hint}") from None

    def lines(self, value: Any) -> Iterator[str]:
        """Yield ``key = value`` for what `read` would return; nothing for the default."""
        if value != self.default:
            entries = value if self.repeats else (value,)
            yield from (f"{self.key} = {as_text(entry)}" for entry in entries)

    def check(self, value: Any) -> None:
        """Raise `BadInput` for a number out of its bounds."""
        bounds = self.bounds
        if bounds and value is not None and not bounds.low <= value <= bounds.high:
            raise BadInput(f"{self.key}: {value}; allowed: {self.hint}")


def option_fields(settings: Callable[..., Any]) -> tuple[OptionField, ...]:
    """Return the options of a dataclass in the order of its fields, or of parameters that are some.

    >>> @dataclass
    ... class Settings:
    ...     trials: Annotated[int, Between(1, 1000), "hands simulated for each action"] = 400
    >>> [(option.key, option.allowed, option.default_text) for option in option_fields(Settings)]
    [('trials', '1 to 1,000', '400')]
    """
    return _option_fields(cast(Hashable, settings))


@cache
def _option_fields(settings: Any) -> tuple[OptionField, ...]:
    hints, defaults = _declared(settings)
    options: list[OptionField] = []
    for name, default in defaults.items():
        if get_origin(hints.get(name)) is not Annotated:
            continue
        kind, *marks = get_args(hints[name])
        descriptions = [
            Description(mark) if isinstance(mark, str) else mark
            for mark in marks
            if isinstance(mark, str | Description)
        ]
        parse, choices, repeats = _reading(kind)
        if len(descriptions) > 1 or not all(description.is_plain for description in descriptions):
            parse, repeats = None, False
        options += [
            OptionField(
                name=name,
                key=description.key or name,
                label=description.label or (description.key or name).replace("_", " ").capitalize(),
                summary=description.summary,
                example=description.example,
                if_absent=description.if_absent,
                default=default,
                bounds=next((mark for mark in marks if isinstance(mark, Between)), None),
                choices=choices,
                repeats=repeats,
                parse=description.parse or parse,
                limits=description.allowed,
                former=description.former,
            )
            for description in descriptions
        ]
    return tuple(options)


def _declared(settings: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the types of fields or parameters, and their defaults: None of what is made anew."""
    if is_dataclass(settings):
        defaults = {
            field.name: field.default if field.default_factory is MISSING else None
            for field in fields(settings)
        }
        return get_type_hints(settings, include_extras=True), defaults
    function = settings.__init__ if isinstance(settings, type) else settings  # type: ignore[misc]
    return get_type_hints(function, include_extras=True), {
        parameter.name: MISSING if parameter.default is Parameter.empty else parameter.default
        for parameter in signature(settings).parameters.values()
    }


def _reading(kind: Any) -> tuple[Callable[[str], Any] | None, tuple[str, ...], bool]:
    """Return what reads a value of a type, all values if they are few, and if it is a list."""
    if get_origin(kind) in (Union, UnionType):
        kinds = [entry for entry in get_args(kind) if entry is not NoneType]
        return _reading(kinds[0]) if len(kinds) == 1 else (None, (), False)
    if get_origin(kind) is Literal:
        return partial(_one_of, get_args(kind)), get_args(kind), False
    if get_origin(kind) is tuple:
        entry, *rest = get_args(kind)
        parse = _reading(entry)[0] if rest == [...] else None
        return parse, (), parse is not None
    if kind is bool:
        return _switch, tuple(_SWITCH), False
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind, tuple(str(member.value) for member in kind), False
    readers: dict[Any, Callable[[str], Any]] = {int: _whole, float: _number, str: str, Path: Path}
    return readers.get(kind) or getattr(kind, "parse", None), (), False


def _one_of(words: tuple[str, ...], text: str) -> str:
    if text not in words:
        raise ValueError(text)
    return text


def _switch(text: str) -> bool:
    if text not in _SWITCH:
        raise ValueError(text)
    return _SWITCH[text]


def _whole(text: str) -> int:
    number = float(text)
    if not abs(number) < _MOST_WHOLE or number != int(number):
        raise ValueError(text)
    return int(number)


def _number(text: str) -> float:
    """Read a number, or one in per cent without the digits that a division adds.

    >>> _number("5.34%"), _number("0.25")
    (0.0534, 0.25)
    """
    return float(f"{text[:-1]}e-2" if text.endswith("%") else text)


def as_text(value: Any) -> str:
    """Write a value as its option reads it; numbers with all their digits."""
    match value:
        case bool():
            return "on" if value else "off"
        case Enum():
            return str(value.value)
        case float():
            return repr(value)
        case _:
            return str(value)


def read_options(settings: type, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the plain values that texts give by key, by the names of the fields.

    Raises `BadInput`.
    """
    return {
        option.name: option.read(texts[option.key])
        for option in option_fields(settings)
        if option.is_plain and option.key in texts
    }


def check_options(settings: object) -> None:
    """Raise `BadInput` for the first number of a dataclass that is out of its bounds."""
    for option in option_fields(type(settings)):
        option.check(getattr(settings, option.name))
