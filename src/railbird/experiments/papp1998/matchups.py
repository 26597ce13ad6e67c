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
MANIAC = "random,fold=0.5,call=4.5,raise=5"
"""Raises half the time and hardly ever folds, whatever it holds."""
ROCK = "loki:bpt,make1=0.75,make2=0.95"
"""Tight before the flop; after it bets only hands that are ahead three times in four."""
LOOSE_PLAYER = "loki:bpl,opponents=one"
"""The source's own loose player, who bets as if it had one opponent."""

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


def _against(name: str, title: str, *others: Version) -> VersionComparison:
    """Return the comparison of features with one copy of each in a field of others."""
    alone = tuple(replace(version, copies=1) for version in FEATURES.versions)
    leads = tuple(replace(lead, said=Said.NOTHING, note="") for lead in FEATURES.leads)
    return replace(FEATURES, name=name, title=title, versions=(*alone, *others), leads=leads)


FEATURES_AMONG_LOOSE = _against(
    "features, loose field",
    "The same among loose players who bet as if they had one opponent",
    Version("loose", LOOSE_PLAYER, 3),
    Version("BPL", "loki:bpl", 2),
)
FEATURES_AMONG_MANIACS = _against(
    "features, maniacs",
    "The same among maniacs and loose players",
    Version("maniac", MANIAC, 3),
    Version("BPL", "loki:bpl", 2),
)
FEATURES_AMONG_ROCKS = _against(
    "features, rocks",
    "The same among rocks and loose players",
    Version("rock", ROCK, 3),
    Version("BPL", "loki:bpl", 2),
)


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
FEATURES_BY_THE_MODEL = _all_with(
    FEATURES,
    "model=learned,checkers=count",
    "The same, with learned probabilities of actions of players who stay strangers",
)

_LEARNED = "loki:som,model=learned,checkers=count"
_FIELDS = {
    "self-play": (),
    "loose field": (Version("loose", LOOSE_PLAYER, 2), Version("BPL", "loki:bpl", 2)),
    "maniacs": (Version("maniac", MANIAC, 2), Version("BPL", "loki:bpl", 2)),
    "rocks": (Version("rock", ROCK, 2), Version("BPL", "loki:bpl", 2)),
}


def _with_and_without(rule: str, field: str) -> VersionComparison:
    """Return the table of a field with and without a rule, by learned probabilities."""
    others = _FIELDS[field]
    words, copies = rule.replace("-", " "), 3 if others else 5
    without = f"no {words}"
    return VersionComparison(
        name=f"{words}, {field}",
        title=f"Learned probabilities of actions with {words} and without, {field}",
        versions=(
            Version("all", _LEARNED, copies),
            Version(without, f"{_LEARNED},{rule}=off", copies),
            *others,
        ),
        leads=(Lead("all", without, Said.NOTHING if others else Said.MUST),),
    )


LEARNED_RULES = tuple(
    _with_and_without(rule, field) for rule in ("semi-bluff", "pot-odds") for field in _FIELDS
)

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
    versions=(_WITH_ODDS, _WITHOUT_ODDS, Version("BPL", LOOSE_PLAYER, 6)),
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
    title="Two maniacs and two rocks, modelled by their own frequencies, by the usual ones or not",
    versions=(
        Version("SOM", "loki:som", 2),
        Version("GOM", "loki:gom", 2),
        Version("BPL", "loki:bpl", 2),
        Version("maniac", MANIAC, 2),
        Version("rock", ROCK, 2),
    ),
    leads=(Lead("SOM", "GOM", Said.MUST), Lead("SOM", "BPL", Said.MUST)),
)


def _among_maniacs(label: str, spec: str, title: str) -> VersionComparison:
    """Return the table with another version in the place of GOM."""
    first = STYLES.versions[0]
    return VersionComparison(
        name=f"maniacs, {label}",
        title=title,
        versions=(Version(label, spec, 2), first, *STYLES.versions[2:]),
        leads=(Lead(label, "BPL", Said.MUST), Lead("SOM", "BPL", Said.MUST)),
    )


MANIACS = (
    _among_maniacs(
        "learned",
        _LEARNED,
        "Two maniacs and two rocks, modelled by learned probabilities, by frequencies or not",
    ),
    _among_maniacs(
        "best",
        "loki:best",
        "Two maniacs and two rocks, with the best version, modelling by frequencies, or none",
    ),
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

LEARNED = VersionComparison(
    name="learned",
    title="Learned probabilities of actions, by rules and by simulation",
    versions=(
        Version("SOM", "loki:som", 4),
        Version("learned", _LEARNED, 3),
        Version("best", "loki:best", 3),
    ),
    leads=(Lead("learned", "SOM", Said.MUST), Lead("best", "SOM", Said.MUST)),
)
BEST = VersionComparison(
    name="best, five and five",
    title="The best version against specific modelling",
    versions=(Version("best", "loki:best", 5), Version("SOM", "loki:som", 5)),
    leads=(Lead("best", "SOM", Said.MUST),),
)

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
    """Play the comparison of features in four fields, and by two other opponent models."""
    fields = (FEATURES, FEATURES_AMONG_LOOSE, FEATURES_AMONG_MANIACS, FEATURES_AMONG_ROCKS)
    return _perform((*fields, FEATURES_BY_THE_FIELD, FEATURES_BY_THE_MODEL), workspace)


def learned_rules(workspace: Workspace) -> Result:
    """Play the tables with and without a rule, by learned probabilities."""
    return _perform(LEARNED_RULES, workspace)


def styles(workspace: Workspace) -> Result:
    """Play the three tables with maniacs."""
    return _perform((STYLES, *MANIACS), workspace)


def best(workspace: Workspace) -> Result:
    """Play the tables of the learned model and the best version."""
    return _perform((LEARNED, BEST), workspace)


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
