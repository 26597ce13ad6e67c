"""What a public function does where it fails."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass

import pytest

from railbird._arguments import checked, choice
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
