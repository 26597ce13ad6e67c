"""Options of a spec such as ``loki:som,tightness=tight,semi-bluff=off``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any

from railbird.errors import BadInput
from railbird.modelling import Checks, Ranking, Sigma
from railbird.players.loki.player import LokiPlayer
from railbird.players.loki.rules.preflop import Tightness
from railbird.players.loki.settings import (
    VERSIONS,
    Checkers,
    FixedWeights,
    LokiSettings,
    Opponents,
    RaiseTo,
)
from railbird.players.memory import memory_option
from railbird.players.spec import Option, number_between


def make_loki(values: Mapping[str, Any]) -> LokiPlayer:
    """Return the player of a version, changed by the given options."""
    settings: LokiSettings = values["version"]
    given = {
        option.key.replace("-", "_"): values[option.key]
        for option in OPTIONS
        if values[option.key] is not None
    }
    settings = replace(settings, **given)
    if settings.memory is not None and not settings.learns:
        raise BadInput("loki: a memory, but nothing is learned; allowed: som, sigma=learned")
    return LokiPlayer(settings)


def _version(text: str) -> LokiSettings:
    if text not in VERSIONS:
        raise ValueError(text)
    return VERSIONS[text]


VERSION = Option(
    key="version",
    read=_version,
    default=VERSIONS["gom"],
    allowed=", ".join(VERSIONS),
    summary="which of the source's players; default gom",
)


def _option(key: str, read: Callable[[str], Any], allowed: str, summary: str) -> Option:
    return Option(key=key, read=read, default=None, allowed=allowed, summary=summary)


def _switch(key: str, summary: str) -> Option:
    return _option(key, _on_or_off, "on, off", summary)


def _on_or_off(text: str) -> bool:
    return {"on": True, "off": False}[text] if text in ("on", "off") else _refuse(text)


def _refuse(text: str) -> bool:
    raise ValueError(text)


def _choice(key: str, kinds: type[Enum], summary: str) -> Option:
    return _option(key, kinds, ", ".join(kind.value for kind in kinds), summary)


def _number(key: str, low: float, high: float, summary: str) -> Option:
    return _option(key, number_between(low, high), f"{low:g} to {high:g}", summary)


def _whole(key: str, low: int, high: int, summary: str) -> Option:
    def read(text: str) -> int:
        return int(number_between(low, high)(str(int(text))))

    return _option(key, read, f"{low} to {high}", summary)


OPTIONS = (
    _choice("tightness", Tightness, "how many hands to play"),
    _number("offset", -1000, 1000, "added to every required income rate, in thousandths"),
    _choice("weights", FixedWeights, "beliefs about opponents that are not modelled"),
    _choice("checkers", Checkers, "whether those who have checked count as opponents"),
    _choice("opponents", Opponents, "the opponents that a hand must be ahead of"),
    _number("make1", 0, 1.5, "EHS' that is worth a bet"),
    _number("make2", 0, 1.5, "EHS' that is worth a raise"),
    _choice("raise-to", RaiseTo, "number of bets up to which a hand worth a raise is raised"),
    _number("jitter", 0, 0.5, "random shift of both, at most"),
    _whole("lookahead", 1, 2, "number of cards that potential looks ahead"),
    _switch("potential", "bet by EHS' rather than HS"),
    _switch("semi-bluff", "bet draws that nobody has bet against"),
    _switch("pot-odds", "call for the next card if the odds suffice"),
    _switch("showdown-odds", "call down if the odds suffice"),
    _number("check-raise", 0, 1, "probability of checking a hand worth a raise"),
    _number("balancing-raise", 0, 1, "probability of raising a hand worth a call"),
    _number("river-bluff", 0, 1, "probability of betting the weakest hands on the river"),
    _number("bluff-below", 0, 1, "HS of the weakest hands"),
    _choice("scale", Ranking, "what opponents are assumed to rank their holdings against"),
    _choice("checks", Checks, "what an opponent's check implies"),
    _choice("sigma", Sigma, "how far the thresholds of an opponent vary"),
    _number("floor", 1e-9, 1, "the smallest weight of a holding after any actions"),
    _number("decay", 0.5, 1, "factor on earlier observations at each new one"),
    memory_option("memory"),
    _whole("trials", 1, 100_000, "hands simulated for each action"),
)
"""All options except the version, which supplies the defaults."""
