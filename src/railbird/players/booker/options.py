"""Options of a spec such as ``booker:4,aggression=30,pay=0``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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
from railbird.players.spec import (
    changes,
    choice_option,
    number_option,
    version_option,
    whole_option,
)


def make_booker(values: Mapping[str, Any]) -> BookerPlayer:
    """Return the player of a version, changed by the given options."""
    settings: BookerSettings = values["version"]
    given = changes(OPTIONS, values)
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


VERSION = version_option(VERSIONS, default="4")

OPTIONS = (
    number_option("aggression", 0, 100, "size of raises against estimated opponents; default 50"),
    replace(
        whole_option("memory", 1, 100_000, "length of the rolling arrays; default 50"),
        allowed="1 to 100000; a file is named by database=",
    ),
    memory_option(former="opponents"),
    whole_option("pay", 0, 10_000, "at most so many hands before one is called down; 0 for never"),
    whole_option("noise", 0, 10_000, "at most so many hands before one is raised throughout"),
    choice_option(
        "charts", Charts, "calls with a better group than the opponents' are free or any"
    ),
    choice_option("groups", StartingGroups, "the table of starting hands; default limit"),
    choice_option("prob", Prob, "count where possible, or roll out always"),
    number_option("ms", 0.1, 60_000, "time limit of a roll-out in milliseconds"),
    choice_option("ties", Ties, "value of a tie"),
    number_option("multiple", 1, 2, "multiple of the average probability that is worth a raise"),
    number_option("size", 0.01, 100, "factor on the raise for such a probability"),
    whole_option("trust", 1, 100_000, "shown actions that an estimate of an opponent needs"),
    number_option("short", 0, 1000, "big blinds up to which a stack is played all-in or fold"),
    number_option("push", 0, 5, "multiple of the average probability with which it goes all-in"),
    choice_option("amounts", Amounts, "unit of opponents' bets"),
)

ROLLOUT_OPTIONS = tuple([option for option in OPTIONS if option.key in ("prob", "ms", "ties")])
"""Options of ``rollout``."""


def make_rollout(values: Mapping[str, Any]) -> BookerPlayer:
    """Return the player that compares its probability of winning with the pot odds."""
    return BookerPlayer(replace(ROLL_OUT, **changes(ROLLOUT_OPTIONS, values)))
