"""What a public function does where it fails."""

from __future__ import annotations

import gc
import io
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO, Literal, NewType

import pytest
from typeguard import CollectionCheckStrategy, TypeCheckError, check_type

from railbird._arguments import _fits, checked, choice
from railbird.errors import BadInput
from railbird.game import Betting


class Mishap(Exception):
    """Nothing that an argument is to blame for."""


@checked
def halve(number: int, *, label: str = "") -> float:
    """Fail in every way."""
    if number == 13:
        raise BadInput("13 is bad luck")
    if number == 7:
        raise Mishap("an error of our own")
    return len(label) + number / 2


@checked
@dataclass(frozen=True)
class Pair:
    first: int
    second: int

    def __post_init__(self) -> None:
        halve(self.first + self.second)


def test_an_argument_of_the_wrong_type_is_named() -> None:
    assert halve(3) == 1.5
    with pytest.raises(BadInput, match=r"^number is '3' \(str\); allowed: int$"):
        halve("3")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"^label is 5 \(int\); allowed: str$"):
        halve(3, label=5)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"^first is 'a' \(str\); allowed: int$"):
        Pair("a", "b")  # type: ignore[arg-type]


def test_other_failures_are_passed_on_as_they_are() -> None:
    with pytest.raises(BadInput, match="bad luck"):
        halve(13)
    with pytest.raises(Mishap, match="of our own"):
        halve(7)
    with pytest.raises(TypeError, match="missing 1 required"):
        halve()  # type: ignore[call-arg]


def failure(number: int) -> weakref.ref[Exception]:
    try:
        halve(number)
    except Exception as problem:
        return weakref.ref(problem)
    pytest.fail("it did not fail")


@pytest.mark.slow(but=["3"])
@pytest.mark.parametrize("number", [13, 7, "3"])
def test_a_failure_leaves_nothing_to_the_garbage_collector(number: int) -> None:
    """Reading a damaged file fails a million times."""
    gc.collect()
    gc.disable()
    try:
        assert failure(number)() is None
    finally:
        gc.enable()


def test_a_member_of_an_enum_may_be_written() -> None:
    assert choice(Betting, "no-limit") is choice(Betting, Betting.NO_LIMIT) is Betting.NO_LIMIT
    with pytest.raises(BadInput, match="no betting 'no limit'; did you mean no-limit"):
        choice(Betting, "no limit")


Age = NewType("Age", int)
HINTS: list[Any] = [
    *(int, float, str, bytes, object, Any, type(None), type[int], BinaryIO, Age, Betting),
    *(int | None, str | Path | BinaryIO, Literal["a", 1], Callable[..., object]),
    *(list[int], Sequence[int], Sequence[float | None], Sequence[str], frozenset[str]),
    *(tuple[int, str], tuple[int, ...], tuple[tuple[int, int], ...]),
    *(Mapping[str, int], dict[str, Any], Mapping[int, Sequence[str]]),
]
VALUES: list[Any] = [
    *(0, 1.5, True, None, "a", b"a", int, str, len, object(), Betting.LIMIT, Fraction(1, 2)),
    *(Path("a"), io.BytesIO(), io.StringIO(), [], [1], [None, 1.5], ["a"], (1, "a"), (1, 2)),
    *(((1, 2), (3, 4)), {1}, frozenset("a"), {"a": 1}, {"a": None}, {1: ["a"]}, {1: [1]}, {}),
]


@pytest.mark.parametrize("hint", HINTS, ids=str)
def test_a_value_is_of_a_type_where_typeguard_says_so(hint: Any) -> None:
    for value in VALUES:
        try:
            check_type(value, hint, collection_check_strategy=CollectionCheckStrategy.ALL_ITEMS)
        except TypeCheckError:
            assert not _fits(value, hint), value
        else:
            assert _fits(value, hint), value
