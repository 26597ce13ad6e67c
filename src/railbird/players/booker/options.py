"""Options of a spec such as ``booker:4,aggression=30,pay=0``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any

from railbird.cards.starting_groups import StartingGroups
from railbird.errors import BadInput
from railbird.players.booker.player import BookerPlayer, LearningBooker, NoisyBooker
from railbird.players.booker.settings import (
    OPTIONS_OF,
    ROLL_OUT,
    VERSIONS,
    Amounts,
    BookerSettings,
    Charts,
    Generation,
    Prob,
    Ties,
)
from railbird.players.memory import memory_option
from railbird.players.spec import Option, number_between


def make_booker(values: Mapping[str, Any]) -> BookerPlayer:
    """Return the player of a version, changed by the given options."""
    settings: BookerSettings = values["version"]
    given = {option.key: values[option.key] for option in OPTIONS if values[option.key] is not None}
    allowed = OPTIONS_OF[settings.version]
    if unused := [key for key in given if key not in allowed]:
        raise BadInput(
            f"booker:{settings.version} makes no use of {unused[0]}=; allowed: {', '.join(allowed)}"
        )
    settings = replace(settings, **given)
    if settings.noise:
        return NoisyBooker(settings)
    learns = settings.generation is not Generation.FIRST
    return LearningBooker(settings) if learns else BookerPlayer(settings)


def _version(text: str) -> BookerSettings:
    if text not in VERSIONS:
        raise ValueError(text)
    return VERSIONS[text]


VERSION = Option(
    key="version",
    read=_version,
    default=VERSIONS["4"],
    allowed=", ".join(VERSIONS),
    summary="which of the source's players; default 4",
)


def _option(key: str, read: Callable[[str], Any], allowed: str, summary: str) -> Option:
    return Option(key=key, read=read, default=None, allowed=allowed, summary=summary)


def _choice(key: str, kinds: type[Enum], summary: str) -> Option:
    return _option(key, kinds, ", ".join(kind.value for kind in kinds), summary)


def _number(key: str, low: float, high: float, summary: str) -> Option:
    return _option(key, number_between(low, high), f"{low:g} to {high:g}", summary)


def _whole(key: str, low: int, high: int, summary: str) -> Option:
    def read(text: str) -> int:
        return int(number_between(low, high)(str(int(text))))

    return _option(key, read, f"{low} to {high}", summary)


OPTIONS = (
    _number("aggression", 0, 100, "size of raises against estimated opponents; default 50"),
    _whole("memory", 1, 100_000, "length of the rolling arrays; default 50"),
    memory_option("opponents"),
    _whole("pay", 0, 10_000, "at most so many hands before one is called down; 0 for never"),
    _whole("noise", 0, 10_000, "at most so many hands before one is raised throughout"),
    _choice("charts", Charts, "calls with a better group than the opponents' are free or any"),
    _choice("groups", StartingGroups, "the table of starting hands; default limit"),
    _choice("prob", Prob, "count where possible, or roll out always"),
    _number("ms", 0.1, 60_000, "time limit of a roll-out in milliseconds"),
    _choice("ties", Ties, "value of a tie"),
    _number("multiple", 1, 2, "multiple of the average probability that is worth a raise"),
    _number("size", 0.01, 100, "factor on the raise for such a probability"),
    _whole("trust", 1, 100_000, "shown actions that an estimate of an opponent needs"),
    _number("short", 0, 1000, "big blinds up to which a stack is played all-in or fold"),
    _number("push", 0, 5, "multiple of the average probability with which it goes all-in"),
    _choice("amounts", Amounts, "unit of opponents' bets"),
)

ROLLOUT_OPTIONS = tuple([option for option in OPTIONS if option.key in ("prob", "ms", "ties")])
"""Options of ``rollout``."""


def make_rollout(values: Mapping[str, Any]) -> BookerPlayer:
    """Return the player that compares its probability of winning with the pot odds."""
    given = {key: value for key, value in values.items() if value is not None}
    return BookerPlayer(replace(ROLL_OUT, **given))
