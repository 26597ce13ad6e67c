"""Options of a spec such as ``loki:som,tightness=tight,semi-bluff=off``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
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
    Model,
    Modelling,
    Opponents,
    PreflopTable,
    RaiseTo,
)
from railbird.players.memory import memory_option
from railbird.players.spec import (
    changed_option,
    changes,
    choice_option,
    number_option,
    switch_option,
    version_option,
    whole_option,
)


def make_loki(values: Mapping[str, Any]) -> LokiPlayer:
    """Return the player of a version, changed by the given options."""
    settings: LokiSettings = values["version"]
    given = changes(OPTIONS, values)
    settings = replace(settings, **given)
    if settings.database is not None and not settings.learns:
        raise BadInput("loki: database=, but nothing is learned; allowed: som, sigma=learned")
    if "fold_equity" in given and settings.model is not Model.LEARNED:
        raise BadInput("loki: fold-equity without model=learned")
    if settings.actions is not None and settings.model is not Model.LEARNED:
        raise BadInput("loki: actions without model=learned")
    if settings.model is Model.LEARNED:
        if settings.modelling is Modelling.NONE:
            raise BadInput("loki: model=learned, but opponents are not modelled; allowed: gom, som")
        if unused := [name for name in _OF_THRESHOLDS if name in given]:
            raise BadInput(f"loki: {unused[0]} with model=learned, which does not use it")
    return LokiPlayer(settings)


_OF_THRESHOLDS = ("scale", "checks", "sigma", "floor", "decay")
"""Options of inferences by thresholds."""

VERSION = version_option(VERSIONS, default="gom")

OPTIONS = (
    choice_option("preflop", PreflopTable, "thresholds before the flop"),
    choice_option("tightness", Tightness, "how many hands the expert's table plays"),
    number_option("offset", -1000, 1000, "added to every required income rate, in thousandths"),
    choice_option("model", Model, "inference from actions to holdings"),
    changed_option("actions", Path, "a file", "a model by railbird train loki, for model=learned"),
    choice_option("weights", FixedWeights, "beliefs about opponents that are not modelled"),
    choice_option("checkers", Checkers, "whether those who have checked count as opponents"),
    choice_option("opponents", Opponents, "the opponents that a hand must be ahead of"),
    number_option("make1", 0, 1.5, "EHS' that is worth a bet"),
    number_option("make2", 0, 1.5, "EHS' that is worth a raise"),
    choice_option("raise-to", RaiseTo, "number of bets up to which a hand worth a raise is raised"),
    number_option("jitter", 0, 0.5, "random shift of make1 and make2, at most"),
    whole_option("lookahead", 1, 2, "number of cards that potential looks ahead"),
    switch_option("potential", "bet by EHS' rather than HS"),
    switch_option("semi-bluff", "bet draws that nobody has bet against"),
    switch_option("fold-equity", "semi-bluff by the learned probability that all fold"),
    switch_option("pot-odds", "call for the next card if the odds suffice"),
    switch_option("showdown-odds", "call down if the odds suffice"),
    number_option("check-raise", 0, 1, "probability of checking a hand worth a raise"),
    number_option("balancing-raise", 0, 1, "probability of raising a hand worth a call"),
    number_option("river-bluff", 0, 1, "probability of betting the weakest hands on the river"),
    number_option("bluff-below", 0, 1, "HS of the weakest hands"),
    choice_option("scale", Ranking, "what opponents are assumed to rank their holdings against"),
    choice_option("checks", Checks, "what an opponent's check implies"),
    choice_option("sigma", Sigma, "how far the thresholds of an opponent vary"),
    number_option("floor", 1e-9, 1, "the smallest weight of a holding after any actions"),
    number_option("decay", 0.5, 1, "factor on earlier observations at each new one"),
    memory_option(former="memory"),
    whole_option("trials", 1, 100_000, "hands simulated for each action"),
)
"""All options except the version, which supplies the defaults."""
