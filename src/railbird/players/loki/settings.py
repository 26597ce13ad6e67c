"""Settings of Loki: its versions, and every part that can be switched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from railbird.modelling import LOW, Checks, Ranking, Sigma
from railbird.players.loki.rules.preflop import Tightness

if TYPE_CHECKING:
    from railbird.storage.memory_place import MemoryPlace


class Modelling(Enum):
    """Source of the weights of opponents' holdings."""

    NONE = "none"
    """Fixed weights, whatever the actions."""
    GENERIC = "generic"
    """Weights updated by actions, assuming the default frequencies for everybody."""
    SPECIFIC = "specific"
    """Weights updated by actions, using each opponent's own frequencies."""


class Model(Enum):
    """Inference from an action to the holding behind it."""

    THRESHOLDS = "thresholds"
    """The source's: by a threshold from the frequency of the action."""
    LEARNED = "learned"
    """By the probabilities of actions in a model learned from other players."""


class FixedWeights(Enum):
    """Assumed holdings of opponents that are not modelled."""

    UNIFORM = "uniform"
    """Anything."""
    TYPICAL = "typical"
    """Weights that increase with the income rate, as of a player who has called a bet."""


class Checkers(Enum):
    """Treatment of opponents who have checked on this street."""

    COUNT = "count"
    IGNORE = "ignore"
    """They do not count: the model learns nothing from checks, so Loki would fear them for ever."""


class Opponents(Enum):
    """Opponents that a hand must be ahead of."""

    ALL = "all"
    """All, each assumed to be the average opponent, which the field array describes."""
    EACH = "each"
    """All, each with its own weights: the product of the probabilities."""
    ONE = "one"
    """One, whatever their number: the source's loose player in the showdown-odds experiment."""


class PreflopTable(Enum):
    """Thresholds before the flop."""

    EXPERT = "expert"
    """The source's, as far as they are known."""
    MEASURED = "measured"
    """Those at which a bolder strategy was measured to gain, by blind and raises as well."""


class RaiseTo(Enum):
    """Number of bets up to which a hand worth a raise is raised from the flop on."""

    TWO = "two"
    """As in the source, which calls it a historical artifact."""
    CAP = "cap"
    """As many as the rules allow."""


class Decider(Enum):
    """Method of deciding after the flop."""

    RULES = "rules"
    SIMULATION = "simulation"


@dataclass(frozen=True, slots=True, kw_only=True)
class LokiSettings:
    """Settings of one Loki; the defaults are the generic opponent modeller's."""

    modelling: Modelling = Modelling.GENERIC
    model: Model = Model.THRESHOLDS
    actions: Path | None = None
    """The learned model's file; None for the one that comes with the program."""
    decider: Decider = Decider.RULES
    preflop: PreflopTable = PreflopTable.EXPERT
    tightness: Tightness = Tightness.LOOSE
    """Of the expert's table."""
    offset: float = 0.0
    """Added to every required income rate, in thousandths of a small bet."""
    weights: FixedWeights = FixedWeights.TYPICAL
    checkers: Checkers = Checkers.IGNORE
    opponents: Opponents = Opponents.ALL

    make1: float = 0.50
    """EHS' that is worth a bet."""
    make2: float = 0.85
    """EHS' that is worth a raise."""
    raise_to: RaiseTo = RaiseTo.TWO
    jitter: float = 0.0
    """Maximum random shift of both thresholds, drawn for each decision."""
    lookahead: int = 1
    """Cards that potential looks ahead."""
    potential: bool = True
    """Bet by EHS' rather than by HS."""
    semi_bluff: bool = True
    fold_equity: bool = True
    """Semi-bluff by the probability that everybody folds where it is learned, instead of the
    source's odds."""
    pot_odds: bool = True
    showdown_odds: bool = True

    check_raise: float = 0.0
    """Probability of checking a hand worth a raise, in order to raise."""
    balancing_raise: float = 0.0
    """Probability of raising a hand worth a call."""
    river_bluff: float = 0.0
    """Probability of betting one of the weakest hands on the river."""
    bluff_below: float = 0.10
    """HS of the weakest hands."""

    scale: Ranking = Ranking.ANYTHING
    """Assumed ranking of opponents' holdings."""
    checks: Checks = Checks.IGNORED
    """Evidence of an opponent's check."""
    sigma: Sigma = Sigma.FIXED
    """Variation of opponents' thresholds."""
    floor: float = LOW
    """The smallest weight of a holding after any actions."""
    decay: float = 1.0
    """Factor on earlier observations at each new one; 1 never forgets."""
    database: MemoryPlace | None = None
    """Database in which models of opponents are kept between sessions."""
    trials: int = 400
    """Hands simulated for each action."""

    @property
    def uses_fold_equity(self) -> bool:
        """True if semi-bluffs depend on the learned probability that everybody folds."""
        return self.semi_bluff and self.fold_equity and self.model is Model.LEARNED

    @property
    def draws(self) -> bool:
        """True if some decisions from the flop on are random."""
        return max(self.jitter, self.check_raise, self.balancing_raise, self.river_bluff) > 0

    @property
    def learns(self) -> bool:
        """True if anything learned about opponents is useful in later sessions."""
        return self.model is Model.THRESHOLDS and (
            self.modelling is Modelling.SPECIFIC
            or (self.modelling is Modelling.GENERIC and self.sigma is Sigma.LEARNED)
        )


_OFFSET = 100.0
"""The source adds to the thresholds of BPT and subtracts from those of BPL; how much is lost."""

_DECEPTIVE = LokiSettings(check_raise=0.3, balancing_raise=0.1, river_bluff=0.1)
"""The source gave its second GOM and SOM these three; its probabilities are lost."""

VERSIONS = {
    "basic": LokiSettings(potential=False, semi_bluff=False, pot_odds=False, showdown_odds=False),
    "bpt": LokiSettings(modelling=Modelling.NONE, tightness=Tightness.TIGHT, offset=_OFFSET),
    "bpm": LokiSettings(modelling=Modelling.NONE, tightness=Tightness.MODERATE),
    "bpl": LokiSettings(modelling=Modelling.NONE, tightness=Tightness.LOOSE, offset=-_OFFSET),
    "gom": LokiSettings(),
    "som": LokiSettings(modelling=Modelling.SPECIFIC),
    "gom2": _DECEPTIVE,
    "som2": replace(_DECEPTIVE, modelling=Modelling.SPECIFIC),
    "sim": LokiSettings(modelling=Modelling.SPECIFIC, decider=Decider.SIMULATION),
    "best": LokiSettings(
        modelling=Modelling.SPECIFIC,
        model=Model.LEARNED,
        checkers=Checkers.COUNT,
        decider=Decider.SIMULATION,
    ),
}
"""Settings by the version's name in a spec, as in ``loki:gom``."""
