"""What may be said about Vexbot in a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from railbird.players.spec import Option, changes, number_option, switch_option
from railbird.players.vexbot.player import VexbotPlayer
from railbird.players.vexbot.settings import TEMPERATURE, Choice

VARIANT: Final = Option(
    key="search",
    read=Choice,
    default=Choice.MIXIMAX,
    allowed=", ".join(choice.value for choice in Choice),
    summary="takes the best action, or mixes those that beat folding; default miximax",
)

OPTIONS: Final[tuple[Option, ...]] = (
    number_option(
        "temperature",
        0.01,
        10,
        f"small bets that make an action e times as likely, miximix; default {TEMPERATURE:g}",
    ),
    number_option(
        "kept",
        0.5,
        0.9999,
        "share that each observation leaves to coarser ones, the source's 0.95; by default learnt",
    ),
    switch_option(
        "ranges",
        "expect of the opponent on each board what its likely holdings do; by default on; the "
        "source's did not look at the board",
    ),
)


def make_vexbot(values: Mapping[str, Any]) -> VexbotPlayer:
    """Make a player of the values of the options."""
    return VexbotPlayer(values["search"], **changes(OPTIONS, values))
