"""The settings of Loki for any hold'em: its versions, and each part that can be switched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Annotated

from railbird._option_fields import Between, Description
from railbird.modelling import LOW, Checks, Ranking, Sigma
from railbird.players.loki.preflop import Tightness
from railbird.players.protocol import MemoryPlace, memory_description


class Modelling(Enum):
    """Where the weights of opponents' holdings come from."""

    NONE = "none"
    """Fixed weights, whatever the opponents do."""
    GENERIC = "generic"
    """Weights updated by actions, with the default frequencies for everybody."""
    SPECIFIC = "specific"
    """Weights updated by actions, with each opponent's own frequencies."""


class Model(Enum):
    """How the holding behind an action is inferred."""

    THRESHOLDS = "thresholds"
    """As in the source, by a threshold that follows from the action's frequency."""
    LEARNED = "learned"
    """By the probabilities of actions, from a model learned from other players."""


class FixedWeights(Enum):
    """Which holdings opponents are assumed to have if they are not modelled."""

    UNIFORM = "uniform"
    """Any holding, all equally likely."""
    TYPICAL = "typical"
    """Weights that rise with the income rate, like those of a player who has called a bet."""


class Checkers(Enum):
    """How opponents who have checked on this street are treated."""

    COUNT = "count"
    IGNORE = "ignore"
    """They do not count. The model learns nothing from checks, so Loki would fear them for ever."""


class Opponents(Enum):
    """Which opponents a hand must be ahead of."""

    ALL = "all"
    """All of them, each taken for the average opponent that the field array describes."""
    EACH = "each"
    """All of them, each with its own weights; the probabilities are multiplied."""
    ONE = "one"
    """One, whatever their number, like the source's loose player in the showdown-odds
    experiment."""


class PreflopThresholds(Enum):
    """The thresholds before the flop."""

    EXPERT = "expert"
    """The source's, as far as they are known."""
    MEASURED = "measured"
    """Those from which a bolder strategy was measured to gain; also by blind and raises."""


class RaiseTo(Enum):
    """Number of bets up to which a hand that is worth a raise is raised, from the flop on."""

    TWO = "two"
    """As in the source, which calls it a historical artifact."""
    CAP = "cap"
    """As many as the rules allow."""


class Decider(Enum):
    """How decisions after the flop are made."""

    RULES = "rules"
    SIMULATION = "simulation"


@dataclass(frozen=True, slots=True, kw_only=True)
class LokiSettings:
    """The settings of one Loki; the defaults are those of the generic opponent modeller."""

    modelling: Modelling = Modelling.GENERIC
    decider: Decider = Decider.RULES
    preflop: Annotated[PreflopThresholds, "thresholds before the flop"] = PreflopThresholds.EXPERT
    tightness: Annotated[Tightness, "how many hands the expert's table plays"] = Tightness.LOOSE
    offset: Annotated[
        float, Between(-1000, 1000), "added to every required income rate, in thousandths"
    ] = 0.0
    """In thousandths of a small bet."""
    model: Annotated[Model, "inference from actions to holdings"] = Model.THRESHOLDS
    actions: Annotated[
        Path | None,
        Description("a model by railbird train loki, for model=learned", allowed="a file"),
    ] = None
    """The learned model's file; None for the one that comes with the program."""
    weights: Annotated[FixedWeights, "beliefs about opponents that are not modelled"] = (
        FixedWeights.TYPICAL
    )
    checkers: Annotated[Checkers, "whether those who have checked count as opponents"] = (
        Checkers.IGNORE
    )
    opponents: Annotated[Opponents, "the opponents that a hand must be ahead of"] = Opponents.ALL

    make1: Annotated[float, Between(0, 1.5), "EHS' that is worth a bet"] = 0.50
    make2: Annotated[float, Between(0, 1.5), "EHS' that is worth a raise"] = 0.85
    raise_to: Annotated[RaiseTo, "number of bets up to which a hand worth a raise is raised"] = (
        RaiseTo.TWO
    )
    jitter: Annotated[float, Between(0, 0.5), "random shift of make1 and make2, at most"] = 0.0
    """Drawn for each decision."""
    lookahead: Annotated[int, Between(1, 2), "number of cards that potential looks ahead"] = 1
    potential: Annotated[bool, "bet by EHS' rather than HS"] = True
    semi_bluff: Annotated[bool, "bet draws that nobody has bet against"] = True
    fold_equity: Annotated[bool, "semi-bluff by the learned probability that all fold"] = True
    """If that is learned; otherwise the source's odds decide."""
    pot_odds: Annotated[bool, "call for the next card if the odds suffice"] = True
    showdown_odds: Annotated[bool, "call down if the odds suffice"] = True

    check_raise: Annotated[float, Between(0, 1), "probability of checking a hand worth a raise"] = (
        0.0
    )
    fake_check_raise: Annotated[
        float, Between(0, 1), "probability of checking a hand worth a bet, to raise a bet"
    ] = 0.0
    balancing_raise: Annotated[
        float, Between(0, 1), "probability of raising a hand worth a call"
    ] = 0.0
    river_bluff: Annotated[
        float, Between(0, 1), "probability of betting the weakest hands on the river"
    ] = 0.0
    bluff_below: Annotated[float, Between(0, 1), "HS of the weakest hands"] = 0.10

    scale: Annotated[Ranking, "what opponents are assumed to rank their holdings against"] = (
        Ranking.ANYTHING
    )
    checks: Annotated[Checks, "what an opponent's check implies"] = Checks.IGNORED
    sigma: Annotated[Sigma, "how far the thresholds of an opponent vary"] = Sigma.FIXED
    floor: Annotated[
        float, Between(1e-9, 1), "the smallest weight of a holding after any actions"
    ] = LOW
    decay: Annotated[float, Between(0.5, 1), "factor on earlier observations at each new one"] = 1.0
    """1 never forgets."""
    database: Annotated[MemoryPlace | None, memory_description(former="memory")] = None
    """The database that keeps models of opponents between sessions."""
    trials: Annotated[int, Between(1, 100_000), "hands simulated for each action"] = 400

    @property
    def uses_fold_equity(self) -> bool:
        """Whether semi-bluffs depend on the learned probability that everybody folds."""
        return self.semi_bluff and self.fold_equity and self.model is Model.LEARNED

    @property
    def draws(self) -> bool:
        """Whether some decisions from the flop on are random."""
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
        """Whether anything is learned about opponents that later sessions can use."""
        return self.model is Model.THRESHOLDS and (
            self.modelling is Modelling.SPECIFIC
            or (self.modelling is Modelling.GENERIC and self.sigma is Sigma.LEARNED)
        )


_OFFSET = 100.0
"""The source adds an offset to the thresholds of BPT and subtracts it from those of BPL. How large
it is was not found."""

_DECEPTIVE = LokiSettings(check_raise=0.3, balancing_raise=0.1, river_bluff=0.1)
"""The source gave its second GOM and SOM these three (Papp 1998, 8.2), but with which probabilities
was not found. Nor does it say whether they also check-raised mediocre hands, as 6.7 suggests."""

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
"""Settings by the name of the version, as in ``loki:gom``.

The source's versions are ``papp``, its specific modeller, ``papp-gom`` and ``papp-bpl``; the others
are ours. ``papp-bpl`` equals ``bpl``, because without modelling no opponent's holdings are ranked.
"""
