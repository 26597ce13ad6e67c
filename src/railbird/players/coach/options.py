"""What may be said about the coach in a spec: ``A+B+C``, then its own options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from railbird.errors import BadInput
from railbird.game import Street
from railbird.players.coach.choosing import ByChips, Chooser, UpperBounds
from railbird.players.coach.player import CoachPlayer, Expert
from railbird.players.coach.settings import LEAST_TAKEN, LEFT, LOST, STAKE, Switch
from railbird.players.equilibrium.player import StrategyPlayer
from railbird.players.protocol import Player
from railbird.players.simple import WeightedPlayer
from railbird.players.spec import changed_option, choice_option, number_option
from railbird.solve.real_game import OneRowStrategy, StatesStrategy, by_weights

ALLOWED = (
    "two or more players joined by +, then any of switch=chips, stake=, lost=, left=, tricky=flop"
)
_LEAST_EXPERTS = 2
_MOST_CHIPS = 1e6
_STREETS = tuple(street.name.lower() for street in Street if street is not Street.PREFLOP)


def _streets(text: str) -> frozenset[Street]:
    names = text.split("&")
    if not set(names) <= set(_STREETS):
        raise ValueError(text)
    return frozenset(Street[name.upper()] for name in names)


OPTIONS = {
    option.key: option
    for option in (
        choice_option("switch", Switch, "by what the next hand's player is chosen"),
        number_option("stake", 0, _MOST_CHIPS, "small bets to begin with"),
        number_option("lost", 0, _MOST_CHIPS, "small bets lost at which the second takes over"),
        number_option("left", 0, _MOST_CHIPS, "small bets left at which the first comes back"),
        changed_option("tricky", _streets, "&".join(_STREETS), "streets of a trickiness filter"),
    )
}
"""The coach's own options; those for chips go with ``switch=chips``."""


@dataclass(frozen=True, slots=True)
class CoachSettings:
    """A spec's experts, and how the coach chooses."""

    experts: tuple[str, ...]
    switch: Switch = Switch.BOUNDS
    stake: float = STAKE
    lost: float = LOST
    left: float = LEFT
    tricky: frozenset[Street] = frozenset()


def parse_coach(text: str) -> CoachSettings:
    """Parse ``A+B,switch=chips``; the last player's own options come before the coach's.

    >>> parse_coach("loki:som,jitter=0.1+booker:1,tricky=flop&turn").experts
    ('loki:som,jitter=0.1', 'booker:1')

    Raises `BadInput`.
    """
    given: dict[str, str] = {}
    while True:
        rest, comma, piece = text.rpartition(",")
        key, equals, value = (part.strip() for part in piece.partition("="))
        if not (comma and equals and key in OPTIONS):
            break
        if key in given:
            raise BadInput(f"coach: {key} given twice")
        given[key], text = value, rest
    experts = tuple(expert.strip() for expert in text.split("+"))
    if len(experts) < _LEAST_EXPERTS or not all(experts):
        raise BadInput(f"coach:{text}; allowed: {ALLOWED}")
    values = {key: OPTIONS[key].value(text, player="coach") for key, text in given.items()}
    found = CoachSettings(experts, **values)
    if found.switch is Switch.CHIPS:
        if len(experts) > _LEAST_EXPERTS:
            raise BadInput(f"coach: switch=chips of {len(experts)} players; allowed: 2")
    elif extra := given.keys() - {"switch", "tricky"}:
        raise BadInput(f"coach: {min(extra)}= without switch=chips; allowed: both")
    return found


def make_coach(settings: CoachSettings | None, make: Callable[[str], Player]) -> CoachPlayer:
    """Make a coach; ``make`` makes the player of a spec. Raises what it raises, and `BadInput`."""
    if settings is None:
        raise BadInput(f"a coach without players; allowed: {ALLOWED}")
    new_chooser: Callable[[int], Chooser] = UpperBounds
    if settings.switch is Switch.CHIPS:
        new_chooser = partial(_by_chips, settings)
    experts = [_expert(spec, make(spec)) for spec in settings.experts]
    return CoachPlayer(experts, new_chooser, settings.tricky)


def _expert(spec: str, player: Player) -> Expert:
    if type(player) is StrategyPlayer:
        tables = player.strategy.probabilities
        everything = all(float(table.max(axis=0).min()) >= LEAST_TAKEN for table in tables)
        return Expert(spec, player, StatesStrategy(player.strategy), everything)
    if type(player) is WeightedPlayer:
        weights = player.weights.fold, player.weights.call, player.weights.bet
        return Expert(spec, player, OneRowStrategy(by_weights(weights)), min(weights) > 0)
    return Expert(spec, player)


def _by_chips(settings: CoachSettings, _: int) -> Chooser:
    return ByChips(settings.stake, settings.lost, settings.left)
