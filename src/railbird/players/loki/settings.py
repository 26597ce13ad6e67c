"""Settings of Loki for any hold'em: its versions, and every part that can be switched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from railbird.modelling import LOW, Checks, Ranking, Sigma
from railbird.players.loki.preflop import Tightness
from railbird.players.protocol import memory_option
from railbird.players.spec import changed_option, setting, setting_by

if TYPE_CHECKING:
    from railbird.storage.opponents import MemoryPlace


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
    """All of them; each is taken for the average opponent, which the field array describes."""
    EACH = "each"
    """All of them, each with its own weights: the probabilities are multiplied."""
    ONE = "one"
    """One, whatever their number, as of the source's loose player in the showdown-odds
    experiment."""


class PreflopThresholds(Enum):
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
    decider: Decider = Decider.RULES
    preflop: PreflopThresholds = setting(PreflopThresholds.EXPERT, "thresholds before the flop")
    tightness: Tightness = setting(Tightness.LOOSE, "how many hands the expert's table plays")
    offset: float = setting(
        0.0, "added to every required income rate, in thousandths", low=-1000, high=1000
    )
    """In thousandths of a small bet."""
    model: Model = setting(Model.THRESHOLDS, "inference from actions to holdings")
    actions: Path | None = setting_by(
        changed_option("", Path, "a file", "a model by railbird train loki, for model=learned")
    )
    """The learned model's file; None for the one that comes with the program."""
    weights: FixedWeights = setting(
        FixedWeights.TYPICAL, "beliefs about opponents that are not modelled"
    )
    checkers: Checkers = setting(
        Checkers.IGNORE, "whether those who have checked count as opponents"
    )
    opponents: Opponents = setting(Opponents.ALL, "the opponents that a hand must be ahead of")

    make1: float = setting(0.50, "EHS' that is worth a bet", low=0, high=1.5)
    make2: float = setting(0.85, "EHS' that is worth a raise", low=0, high=1.5)
    raise_to: RaiseTo = setting(
        RaiseTo.TWO, "number of bets up to which a hand worth a raise is raised"
    )
    jitter: float = setting(0.0, "random shift of make1 and make2, at most", low=0, high=0.5)
    """Drawn for each decision."""
    lookahead: int = setting(1, "number of cards that potential looks ahead", low=1, high=2)
    potential: bool = setting(True, "bet by EHS' rather than HS")
    semi_bluff: bool = setting(True, "bet draws that nobody has bet against")
    fold_equity: bool = setting(True, "semi-bluff by the learned probability that all fold")
    """Where it is learned, instead of the source's odds."""
    pot_odds: bool = setting(True, "call for the next card if the odds suffice")
    showdown_odds: bool = setting(True, "call down if the odds suffice")

    check_raise: float = setting(0.0, "probability of checking a hand worth a raise", low=0, high=1)
    fake_check_raise: float = setting(
        0.0, "probability of checking a hand worth a bet, to raise a bet", low=0, high=1
    )
    balancing_raise: float = setting(
        0.0, "probability of raising a hand worth a call", low=0, high=1
    )
    river_bluff: float = setting(
        0.0, "probability of betting the weakest hands on the river", low=0, high=1
    )
    bluff_below: float = setting(0.10, "HS of the weakest hands", low=0, high=1)

    scale: Ranking = setting(
        Ranking.ANYTHING, "what opponents are assumed to rank their holdings against"
    )
    checks: Checks = setting(Checks.IGNORED, "what an opponent's check implies")
    sigma: Sigma = setting(Sigma.FIXED, "how far the thresholds of an opponent vary")
    floor: float = setting(
        LOW, "the smallest weight of a holding after any actions", low=1e-9, high=1
    )
    decay: float = setting(1.0, "factor on earlier observations at each new one", low=0.5, high=1)
    """1 never forgets."""
    database: MemoryPlace | None = setting_by(memory_option(former="memory"))
    """Database in which models of opponents are kept between sessions."""
    trials: int = setting(400, "hands simulated for each action", low=1, high=100_000)

    @property
    def uses_fold_equity(self) -> bool:
        """True if semi-bluffs depend on the learned probability that everybody folds."""
        return self.semi_bluff and self.fold_equity and self.model is Model.LEARNED

    @property
    def draws(self) -> bool:
        """True if some decisions from the flop on are random."""
        return (
            max(
                self.jitter,
                self.check_raise,
                self.fake_check_raise,
                self.balancing_raise,
                self.river_bluff,
            )
            > 0
        )

    @property
    def learns(self) -> bool:
        """True if anything learned about opponents is useful in later sessions."""
        return self.model is Model.THRESHOLDS and (
            self.modelling is Modelling.SPECIFIC
            or (self.modelling is Modelling.GENERIC and self.sigma is Sigma.LEARNED)
        )


_OFFSET = 100.0
"""The source adds to the thresholds of BPT and subtracts from those of BPL; how much
was not found."""

_DECEPTIVE = LokiSettings(check_raise=0.3, balancing_raise=0.1, river_bluff=0.1)
"""The source gave its second GOM and SOM these three (Papp 1998, 8.2); its probabilities were not
found. Whether they check-raised mediocre hands too, as 6.7 suggests, it does not say."""

_PAPP = LokiSettings(scale=Ranking.FIELD)
"""Opponents rank their holdings as Loki ranks its own, against the field (Papp 1998, 7.2)."""

VERSIONS = {
    "papp": replace(_PAPP, modelling=Modelling.SPECIFIC),
    "papp-gom": _PAPP,
    "papp-bpl": LokiSettings(modelling=Modelling.NONE, offset=-_OFFSET),
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
"""Settings by the version's name in a spec, as in ``loki:gom``.

Those of the source are ``papp``, its specific modeller, ``papp-gom`` and ``papp-bpl``; the rest are
ours. ``papp-bpl`` is ``bpl``, for without modelling nobody's holdings are ranked.
"""
