"""Options that are fields of a dataclass: read, written and refused by what the field says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated

import pytest

from railbird._option_fields import (
    Between,
    Description,
    check_options,
    option_fields,
    read_options,
)
from railbird.errors import BadInput
from railbird.solve.spot import Spot
from railbird.solve.spot.spot import rules_of


class Order(Enum):
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True)
class Settings:
    count: Annotated[int, Between(0, 9, "cards"), Description("cards drawn", example="3")]
    share: Annotated[float, Between(0), "part of the pot"] = 0.5
    is_open: Annotated[bool, "whether cards are open"] = False
    order: Annotated[Order, Description("who begins", key="begins")] = Order.FIRST
    names: Annotated[tuple[str, ...], "who plays"] = ()
    seed: int = 1

    def __post_init__(self) -> None:
        check_options(self)


TEXTS = {"count": "3", "share": "25%", "is_open": "on", "begins": "last", "names": "a  b; c"}


def test_text_becomes_values_and_values_text() -> None:
    settings = Settings(**read_options(Settings, TEXTS))
    assert settings == Settings(
        count=3, share=0.25, is_open=True, order=Order.LAST, names=("a b", "c")
    )
    lines = [
        line
        for option in option_fields(Settings)
        for line in option.lines(getattr(settings, option.name))
    ]
    assert lines == [
        *("count = 3", "share = 0.25", "is_open = on", "begins = last"),
        *("names = a b", "names = c"),
    ]


def test_a_default_is_not_written() -> None:
    settings = Settings(count=0)
    written = [
        option.key
        for option in option_fields(Settings)
        if [*option.lines(getattr(settings, option.name))]
    ]
    assert written == ["count"]


@pytest.mark.parametrize(
    ("key", "text", "refused"),
    [
        ("count", "1.5", "count: '1.5'; allowed: 0 to 9 cards, such as 3"),
        ("count", "inf", "count: 'inf'; allowed: 0 to 9 cards, such as 3"),
        ("count", "10", "count: 10; allowed: 0 to 9 cards, such as 3"),
        ("share", "x", "share: 'x'; allowed: 0 or more"),
        ("share", "nan", "share: nan; allowed: 0 or more"),
        ("is_open", "yes", "is_open: 'yes'; allowed: on, off"),
        ("begins", "third", "begins: 'third'; allowed: first, last"),
    ],
)
def test_what_is_refused(key: str, text: str, refused: str) -> None:
    with pytest.raises(BadInput) as error:
        Settings(**read_options(Settings, TEXTS | {key: text}))
    assert str(error.value) == refused


def test_what_an_option_says_of_itself() -> None:
    words = {
        option.key: (option.label, option.allowed, option.default_text)
        for option in option_fields(Settings)
    }
    assert words == {
        "count": ("Count", "0 to 9 cards", ""),
        "share": ("Share", "0 or more", "0.5"),
        "is_open": ("Is open", "on, off", "off"),
        "begins": ("Begins", "first, last", "first"),
        "names": ("Names", "", ""),
    }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CappedSpot(Spot):
    """What somebody who adds a rule to `Spot` writes, and nothing else."""

    most_raises: Annotated[int, Between(0, 9, "raises"), "most raises on a street"] = 4


def test_a_rule_of_a_spot_is_its_field_alone() -> None:
    text = "board = Ks7d2c\noop = AA\nip = QQ\npot = 10\nstack = 20\nmost_raises = 2"
    spot = CappedSpot.parse(text)
    assert spot.most_raises == 2
    assert str(spot).splitlines()[-1] == "most_raises = 2"
    assert "most_raises" not in str(replace(spot, most_raises=4))
    assert CappedSpot.parse(str(spot)).digest == spot.digest
    assert [option.key for option in rules_of(CappedSpot)][-1] == "most_raises"
    with pytest.raises(BadInput, match="most_raises: 10; allowed: 0 to 9 raises"):
        CappedSpot.parse(text.replace("most_raises = 2", "most_raises = 10"))
