"""What may be said about a Loki: its versions, and every part that can be switched."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from railbird.modelling import LOW, Checks, Ranking, Sigma
from railbird.players.loki.rules.preflop import Tightness


class Modelling(Enum):
    """Where the weights of the opponents' holdings come from."""

    NONE = "none"
    """Fixed weights, whatever anybody does."""
    GENERIC = "generic"
    """Weights follow actions, as if everybody acted with the default frequencies."""
    SPECIFIC = "specific"
    """Weights follow actions by each opponent's own frequencies."""


class FixedWeights(Enum):
    """What the opponents are taken to hold where nothing is modelled."""

    UNIFORM = "uniform"
    """Anything."""
    TYPICAL = "typical"
    """More likely what has a better income rate, as of a player who has called a bet."""


class Checkers(Enum):
    """Whether opponents who have checked on this street count among those to be ahead of."""

    COUNT = "count"
    IGNORE = "ignore"
    """Checks teach the model nothing, and so Loki would fear everyone for ever."""


class Opponents(Enum):
    """Which opponents a hand must be ahead of."""

    ALL = "all"
    """As many as there are of the mean opponent, whom the field array describes."""
    EACH = "each"
    """Every one, by what is believed of it: the product of the chances."""
    ONE = "one"
    """However many there are: the source's loose player of the showdown odds experiment."""


class Decider(Enum):
    """Who plays after the flop."""

    RULES = "rules"
    SIMULATION = "simulation"


@dataclass(frozen=True, slots=True, kw_only=True)
class LokiSettings:
    """One Loki. The defaults are those of the generic opponent modeller."""

    modelling: Modelling = Modelling.GENERIC
    decider: Decider = Decider.RULES
    tightness: Tightness = Tightness.LOOSE
    offset: float = 0.0
    """Added to every income rate that is asked for, in thousandths of a small bet."""
    weights: FixedWeights = FixedWeights.TYPICAL
    checkers: Checkers = Checkers.IGNORE
    opponents: Opponents = Opponents.ALL

    make1: float = 0.50
    """EHS' that is worth a bet."""
    make2: float = 0.85
    """EHS' that is worth a raise."""
    jitter: float = 0.0
    """Both thresholds are moved by up to this, drawn anew for each decision."""
    lookahead: int = 1
    """Cards that potential looks ahead."""
    potential: bool = True
    """Bet by EHS' rather than by HS."""
    semi_bluff: bool = True
    pot_odds: bool = True
    showdown_odds: bool = True

    check_raise: float = 0.0
    """Chance to check a hand worth a raise, in order to raise."""
    balancing_raise: float = 0.0
    """Chance to raise with a hand that is worth a call."""
    river_bluff: float = 0.0
    """Chance to bet one of the weakest hands on the river."""
    bluff_below: float = 0.10
    """HS of the weakest hands."""

    scale: Ranking = Ranking.ANYTHING
    """How opponents are taken to rank their holdings."""
    checks: Checks = Checks.IGNORED
    """What an opponent's check says."""
    sigma: Sigma = Sigma.FIXED
    """How far opponents' thresholds vary."""
    floor: float = LOW
    """The least weight that actions leave to a holding."""
    decay: float = 1.0
    """What an observation still counts for after the next one; 1 never forgets."""
    memory: Path | None = None
    """The file in which what is learned of people is kept; nothing is forgotten then."""
    trials: int = 400
    """Hands that the simulation plays out for each action."""

    @property
    def learns(self) -> bool:
        """Whether anything is learned of people that would be of use another time."""
        return self.modelling is Modelling.SPECIFIC or (
            self.modelling is Modelling.GENERIC and self.sigma is Sigma.LEARNED
        )


_OFFSET = 100.0

VERSIONS = {
    "basic": LokiSettings(potential=False, semi_bluff=False, pot_odds=False, showdown_odds=False),
    "bpt": LokiSettings(modelling=Modelling.NONE, tightness=Tightness.TIGHT, offset=_OFFSET),
    "bpm": LokiSettings(modelling=Modelling.NONE, tightness=Tightness.MODERATE),
    "bpl": LokiSettings(modelling=Modelling.NONE, tightness=Tightness.LOOSE, offset=-_OFFSET),
    "gom": LokiSettings(),
    "som": LokiSettings(modelling=Modelling.SPECIFIC),
    "sim": LokiSettings(modelling=Modelling.SPECIFIC, decider=Decider.SIMULATION),
}
"""By the name that a spec gives: ``loki:gom``."""
