"""A public function that fails says in one line which argument is of the wrong type.

Types are looked at only after the failure: nothing is checked while all goes well, and a call
costs a tenth of a microsecond more. Checking first, as pydantic does, costs several.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import reprlib
import sys
import types
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, wraps
from typing import (
    IO,
    Any,
    BinaryIO,
    Final,
    Literal,
    NewType,
    TextIO,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from railbird.errors import BadInput, RailbirdError, unknown_name

_F = TypeVar("_F", bound=Callable[..., Any])

_OF_CACHES = ("cache_clear", "cache_info", "cache_parameters")
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60


_E = TypeVar("_E", bound=Enum)


def check_commas(what: str, text: str, example: str) -> None:
    """Refuse a comma between two digits, which may be of thousands or of cents, or part amounts.

    ``what`` is the text as it is shown, ``example`` is one that reads. Raises `BadInput`.
    """
    if re.search(r"[0-9],[0-9]", text):
        raise BadInput(f"{what}: commas inside of amounts; allowed: such as {example}")


_DEFINED = re.compile(r"(?<!Array)Like\b|^Annotated\b")


class WrongType(BadInput):
    """An argument of another type than the function takes."""


def checked(function: _F) -> _F:
    """Let a function that fails raise `BadInput` if an argument is of the wrong type.

    Any other failure is passed on unchanged. For a class, the constructor is decorated.
    """
    if isinstance(function, type):
        function.__init__ = checked(function.__init__)  # type: ignore[misc]
        return function

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as problem:
            refusal = explained(problem, function, *args, **kwargs)
            try:
                if refusal is problem:
                    raise
                raise refusal from None
            finally:
                del refusal  # it knows this frame: kept here, only the garbage collector frees it

    for name in _OF_CACHES:
        if hasattr(function, name):
            setattr(call, name, getattr(function, name))
    return cast(_F, call)


def choice(kind: type[_E], value: _E | str) -> _E:
    """Return a member of an enum, given as it is or by its value. Raises `BadInput`.

    >>> from railbird.game import Betting
    >>> choice(Betting, "no-limit")
    <Betting.NO_LIMIT: 'no-limit'>
    """
    try:
        return kind(value)
    except ValueError:
        what = re.sub("(?<=[a-z])(?=[A-Z])", " ", kind.__name__).lower()
        raise unknown_name(what, str(value), [str(member.value) for member in kind]) from None


def explained(
    problem: Exception, function: Callable[..., Any], *args: Any, **kwargs: Any
) -> Exception:
    """Name the first argument that is not what its annotation says; else return ``problem``.

    For functions so short that `checked` would take a good part of their time.
    """
    if isinstance(problem, RailbirdError | OSError) and not isinstance(problem, WrongType):
        return problem
    # The caller of a function knows its arguments, not those of what it calls.
    plain = getattr(function, "__wrapped__", function)
    try:
        given = inspect.signature(plain).bind(*args, **kwargs).arguments
    except TypeError:
        return problem  # too many or too few, of which Python says enough
    for name in filter(plain.__annotations__.__contains__, given):
        for where, value, annotation in _mismatches(name, given[name], plain, name):
            got = " ".join(_SHORT.repr(value).split())
            kind = type(value).__name__
            return WrongType(f"{where} is {got} ({kind}); allowed: {annotation}")
    return problem


def _mismatches(where: str, value: Any, owner: Any, name: str) -> Iterator[tuple[str, Any, str]]:
    """Compare a value with what it is annotated as, and a dataclass field by field."""
    hint = _hint(owner, name)
    if not _fits(value, hint):
        yield where, value, _words(owner.__annotations__[name], hint)
    elif is_dataclass(value):
        for field in fields(value):
            inside = getattr(value, field.name, None)
            yield from _mismatches(f"{where}.{field.name}", inside, type(value), field.name)


def _words(annotation: object, hint: Any) -> str:
    """Describe what is allowed: an annotation as written, an alias by its definition."""
    if not isinstance(annotation, str) or _DEFINED.search(annotation):
        name = str(hint) if get_args(hint) else getattr(hint, "__name__", str(hint))
        return re.sub(r"\b(?:\w+\.)+", "", name)
    return annotation


def _hint(owner: Any, name: str) -> Any:
    """Resolve one annotation of a function or class; `Any` for one that only a reader can."""
    alone = type("_", (), {"__annotations__": {name: owner.__annotations__.get(name, Any)}})
    try:
        return get_type_hints(alone, globalns=_names(owner.__module__))[name]
    except Exception:  # an alias may name what its user does not import
        return Any


def _names(module: str) -> dict[str, Any]:
    """Names of a module, those that it imports for type checkers alone among them."""
    return {**_names_of_type_checkers(module), **vars(sys.modules[module])}


@cache  # reading a module's source takes some milliseconds
def _names_of_type_checkers(module: str) -> dict[str, Any]:
    names = dict(vars(sys.modules[module]))
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), module, "exec"), names)
    return names


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value is of an annotated type, with all its elements."""
    import numpy as np

    kinds = list(_arrays(hint))
    if isinstance(value, np.ndarray) and kinds:
        return any(not isinstance(kind, type) or np.issubdtype(value.dtype, kind) for kind in kinds)
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist() if np.ndim(value) or isinstance(value, np.generic) else object()
    return _is_of(value, hint)


_WIDER: Final = {float: (int, float), complex: (int, float, complex)}
"""Numbers that PEP 484 lets stand for others."""


def _is_of(value: Any, hint: Any) -> bool:
    """Compare a value with a hint; True for what cannot be looked at, such as what it returns."""
    inside = get_args(hint)
    if isinstance(hint, NewType):
        return _is_of(value, hint.__supertype__)
    if isinstance(hint, TypeVar):
        inside, hint = hint.__constraints__ or (hint.__bound__ or object,), Union
    match get_origin(hint) or hint:
        case origin if origin is Any:
            return True
        case origin if origin in (Union, types.UnionType):
            return any(_fits(value, member) for member in inside)
        case origin if origin is Literal:
            return any(value == member and type(value) is type(member) for member in inside)
        case origin if origin in (IO, BinaryIO, TextIO):
            is_text = origin is TextIO or inside == (str,)
            return isinstance(value, io.IOBase) and isinstance(value, io.TextIOBase) is is_text
        case type() as kind if getattr(kind, "_is_protocol", False):
            return all(hasattr(value, name) for name in _members(kind))
        case type() as kind:
            return isinstance(value, _WIDER.get(kind, kind)) and _elements_fit(value, kind, inside)
        case _:
            return True


def _elements_fit(value: Any, kind: type, hints: tuple[Any, ...]) -> bool:
    """Compare what is in a value of a kind with the hints for it."""
    if not hints:
        return True
    if kind is type:
        return not isinstance(hints[0], type) or issubclass(value, hints[0])
    if kind is tuple and hints[-1] is not Ellipsis:
        return len(value) == len(hints) and all(map(_fits, value, hints))
    if isinstance(value, Mapping) and len(hints) == 2:
        return all(_fits(key, hints[0]) and _fits(of, hints[1]) for key, of in value.items())
    if isinstance(value, Collection):
        return all(_fits(element, hints[0]) for element in value)
    return True


def _members(protocol: type) -> set[str]:
    """Names of what a protocol asks for."""
    bases = [base for base in protocol.__mro__ if getattr(base, "_is_protocol", False)]
    methods = {
        name
        for base in bases
        for name, value in vars(base).items()
        if callable(value) or isinstance(value, property)
    }
    fields_ = {name for base in bases for name in inspect.get_annotations(base)}
    return {name for name in methods - {*dir(object)} | fields_ if "annotate" not in name}


def _arrays(hint: Any) -> Iterator[Any]:
    """The kinds of numbers of the arrays in a hint, such as ``NDArray[np.uint8] | None``."""
    import numpy as np

    if get_origin(hint) is np.ndarray:
        yield get_args(get_args(hint)[1])[0]
    elif get_origin(hint) in (Union, types.UnionType):
        for member in get_args(hint):
            yield from _arrays(member)
