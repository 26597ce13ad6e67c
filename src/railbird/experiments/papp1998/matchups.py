"""Comparisons of Loki's versions (Papp 1998, chapter 8), and two fields of our own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from railbird.experiments.papp1998.published import GENERIC_WINNINGS, SPECIFIC_WINNINGS
from railbird.experiments.papp1998.ten_seats import Version, play_versions
from railbird.experiments.papp1998.version_comparison import (
    Lead,
    Said,
    VersionComparison,
    result_of,
)

if TYPE_CHECKING:
    from railbird.experiments.framework.result import Result
    from railbird.experiments.framework.workspace import Workspace

_MODERATE = "loki:gom,tightness=moderate"
_NO_SHOWDOWN = f"{_MODERATE},showdown-odds=off"

FEATURES = VersionComparison(
    name="features",
    title="Parts of the betting strategy, each left out",
    versions=(
        Version("all features", _MODERATE, 2),
        Version("no showdown odds", _NO_SHOWDOWN, 2),
        Version("no pot odds", f"{_MODERATE},pot-odds=off", 2),
        Version("no semi-bluff", f"{_MODERATE},semi-bluff=off", 2),
        Version("B", "loki:basic,tightness=moderate", 2),
    ),
    leads=(
        Lead(
            "no showdown odds",
            "all features",
            Said.SOURCE,
            "In self-play bets are honest, and calling them down is costly; the source's winner by "
            "a large margin left showdown odds out.",
        ),
        Lead("all features", "no pot odds", Said.SOURCE),
        Lead("all features", "no semi-bluff", Said.SOURCE),
        Lead("all features", "B", Said.SOURCE),
    ),
)
"""All versions have moderate tightness and generic modelling, as in the source."""


def _all_with(comparison: VersionComparison, option: str, title: str) -> VersionComparison:
    versions = tuple(
        replace(version, spec=f"{version.spec},{option}") for version in comparison.versions
    )
    return replace(comparison, name=f"{comparison.name}, {option}", title=title, versions=versions)


FEATURES_BY_THE_FIELD = _all_with(
    FEATURES,
    "scale=field",
    "The same, with opponents assumed to rank their holdings by strength against the field",
)
"""Ranking by the field, as in the source."""
FEATURES_ON_A_LOW_FLOOR = _all_with(
    FEATURES,
    "scale=field,floor=0.0001",
    "The same by the field, with less weight on weak holdings than in the source",
)
"""At the source's floor of 0.01, nine hundred unlikely holdings weigh as much as nine."""

TIGHTNESS = VersionComparison(
    name="tightness",
    title="Tight, moderate and loose, without modelling",
    versions=(
        Version("BPT", "loki:bpt", 3),
        Version("BPM", "loki:bpm", 3),
        Version("BPL", "loki:bpl", 4),
    ),
    leads=(Lead("BPM", "BPT"), Lead("BPL", "BPT"), Lead("BPL", "BPM")),
)

_WITHOUT = (Version("BPL", "loki:bpl", 2), Version("BPM", "loki:bpm", 2))
_TIGHT = Version("BPT", "loki:bpt", 2)

GENERIC = VersionComparison(
    name="generic",
    title="Generic opponent modelling against none",
    versions=(Version("GOM", "loki:gom", 4), *_WITHOUT, _TIGHT),
    leads=tuple(Lead("GOM", other, Said.MUST) for other in ("BPL", "BPM", "BPT")),
    published=GENERIC_WINNINGS,
)

SPECIFIC = VersionComparison(
    name="specific",
    title="Specific opponent modelling, generic, and none",
    versions=(Version("SOM", "loki:som", 2), Version("GOM", "loki:gom", 2), *_WITHOUT, _TIGHT),
    leads=(
        *(
            Lead(ours, other, Said.MUST)
            for ours in ("SOM", "GOM")
            for other in ("BPL", "BPM", "BPT")
        ),
        Lead(
            "SOM",
            "GOM",
            note="The source found no significant difference between the modelling versions.",
        ),
    ),
    published=SPECIFIC_WINNINGS,
)

_WITH_ODDS = Version("showdown odds", _MODERATE, 2)
_WITHOUT_ODDS = Version("no showdown odds", _NO_SHOWDOWN, 2)
MANIAC = "random,fold=0.5,call=4.5,raise=5"
"""Raises half the time and hardly ever folds, whatever it holds."""
ROCK = "loki:bpt,make1=0.75,make2=0.95"
"""Tight before the flop; after it bets only hands that are ahead three times in four."""

SELF_PLAY = VersionComparison(
    name="self-play",
    title="Showdown odds among players like oneself",
    versions=(
        Version("showdown odds", _MODERATE, 5),
        Version("no showdown odds", _NO_SHOWDOWN, 5),
    ),
    leads=(Lead("no showdown odds", "showdown odds", Said.MUST),),
)
LOOSE = VersionComparison(
    name="loose field",
    title="Showdown odds against loose players who bet as if they had one opponent",
    versions=(_WITH_ODDS, _WITHOUT_ODDS, Version("BPL", "loki:bpl,opponents=one", 6)),
    leads=(Lead("showdown odds", "no showdown odds", Said.SOURCE),),
)
"""The source's own field."""
BLUFFING = VersionComparison(
    name="bluffing field",
    title="Showdown odds against players who bet whatever they hold",
    versions=(_WITH_ODDS, _WITHOUT_ODDS, Version("maniac", MANIAC, 6)),
    leads=(Lead("showdown odds", "no showdown odds", Said.MUST),),
)

STYLES = VersionComparison(
    name="styles",
    title="Two maniacs and two rocks, modelled by their own frequencies or not",
    versions=(
        Version("SOM", "loki:som", 3),
        Version("GOM", "loki:gom", 3),
        Version("maniac", MANIAC, 2),
        Version("rock", ROCK, 2),
    ),
    leads=(Lead("SOM", "GOM", Said.MUST),),
)

BEYOND = VersionComparison(
    name="beyond",
    title="Specific modelling that uses checks, learns spreads, or ranks by the field",
    versions=(
        Version("SOM", "loki:som", 2),
        Version("inverse checks", "loki:som,checks=inverse", 2),
        Version("learned spreads", "loki:som,sigma=learned", 2),
        Version("by the field", "loki:som,scale=field", 2),
        Version("BPT", "loki:bpt", 2),
    ),
    leads=tuple(
        Lead(label, "SOM") for label in ("inverse checks", "learned spreads", "by the field")
    ),
)
"""The source names the use of checks and the learning of spreads as future work."""

AMONG_OTHERS = VersionComparison(
    name="among others",
    title="Decisions by simulation, by rules, and without modelling",
    versions=(Version("SIM", "loki:sim", 2), Version("GOM", "loki:gom", 2), *_WITHOUT, _TIGHT),
    leads=(Lead("SIM", "GOM"),),
)
FIVE_AND_FIVE = VersionComparison(
    name="five and five",
    title="Decisions by simulation against decisions by rules",
    versions=(Version("SIM", "loki:sim", 5), Version("GOM", "loki:gom", 5)),
    leads=(Lead("SIM", "GOM"),),
)


def features(workspace: Workspace) -> Result:
    """Play the comparison of features with our opponent model, and with two others."""
    return _perform((FEATURES, FEATURES_BY_THE_FIELD, FEATURES_ON_A_LOW_FLOOR), workspace)


def showdown_odds(workspace: Workspace) -> Result:
    """Play the three comparisons in which showdown odds lose and gain."""
    return _perform((SELF_PLAY, LOOSE, BLUFFING), workspace)


def simulation(workspace: Workspace) -> Result:
    """Play the two comparisons of decisions by simulation and by rules."""
    return _perform((AMONG_OTHERS, FIVE_AND_FIVE), workspace)


def _perform(comparisons: tuple[VersionComparison, ...], workspace: Workspace) -> Result:
    played = [
        (comparison, play_versions(workspace, comparison.versions)) for comparison in comparisons
    ]
    return result_of(played, workspace.seed)
