"""Comparisons of Loki's versions (Papp 1998, chapter 8), and two fields of our own."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from importlib import resources
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird.arena import Match, Seating
from railbird.arena.match_runner import logged_hands
from railbird.arena.names import names_of
from railbird.assessment.player_statistics import Statistic, statistics_of
from railbird.cards import CLASS_NAMES, parse_class
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.estimates.bounded_mean import Proportion
from railbird.estimates.distributions import student_t
from railbird.estimates.estimate import estimate
from railbird.game import Street, acpc_rules, limit_holdem
from railbird.histories import HandRecord, read
from railbird.players import make_player
from railbird.players.advice import answers
from railbird.players.loki import LokiPlayer, LokiRule, Preflop
from railbird.report import number_format
from railbird.report.charts import (
    DASH_DOTTED,
    DASHED,
    DOTTED,
    LINES_HEIGHT,
    SOLID,
    RowMark,
    layered,
    over_hands,
    rows,
    variable,
    zero_row,
)
from railbird.report.document import Figure
from railbird.report.number_format import counted
from railbird.report.running_sums import Curves
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import (
    Row,
    beside,
    claimed,
    measured,
    must_exceed_zero,
    published_as_positive,
)

if TYPE_CHECKING:
    from pathlib import Path

    from railbird_papers.framework.workspace import Workspace


# Numbers as Papp (1998) prints them.


GENERIC_WINNINGS: Final = (("GOM", "0.07"),)
SPECIFIC_WINNINGS: Final = (("SOM", "0.08"), ("GOM", "0.07"))
"""Small bets per hand against people on the IRC server, by version (section 8.4.2, node71 of the
thesis's HTML pages)."""


@cache
def published_income_rates(opponents: int) -> NDArray[np.float64]:
    """Return the published table by class, (169,) in thousandths of a bet.

    >>> float(published_income_rates(1)[parse_class("22")])
    7.0
    """
    file = resources.files("railbird_papers.papp1998").joinpath("published_income_rates.csv")
    table = pl.read_csv(io.StringIO(file.read_text("utf-8")))
    rates = np.full(len(CLASS_NAMES), math.nan)
    for players, hand, rate in table.iter_rows():
        if players == opponents + 1:
            rates[parse_class(hand)] = rate
    rates.flags.writeable = False
    return rates


# Versions of a player at one table of ten: every deal is played ten times, with new seats.
#
# In round r player p sits in seat r * p modulo 11 (Papp 1998, table of seating assignments), so
# that everybody holds every hand once, in every seat, and sits as often to the left of anybody else
# as to the right. A version's result on a deal is the mean over its copies and the ten rounds.


SEATS = 10
DEALS = 10_000
"""Deals of a whole experiment, each played ten times."""

_SMALL_BET = 10
_RULES = acpc_rules(limit_holdem(SEATS, small_bet=_SMALL_BET))
_LONGEST, _SHORTEST, _CHUNKS = 1000, 20, 10


@dataclass(frozen=True, slots=True)
class Version:
    """One kind of player at the table."""

    label: str
    spec: str
    copies: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Results of the versions at one table."""

    versions: tuple[Version, ...]
    won: NDArray[np.float64]
    """(deals, versions) small bets per hand."""
    log: Path
    """Log of all hands, with everybody's cards."""
    block: int
    """Number of deals between two resets of the players."""
    faults: int
    """Actions that the arena had to replace; our own players should cause none."""

    @property
    def deals(self) -> int:
        """Number of deals, each played once in every round."""
        return len(self.won)

    @property
    def hands(self) -> int:
        """Number of hands."""
        return self.deals * SEATS

    def of(self, label: str) -> Estimate:
        """Estimate a version's winnings per hand, from independent deals."""
        return estimate(self._column(label))

    def lead(self, label: str, rival_label: str) -> Estimate:
        """Estimate a version's lead over another per hand, on the same deals."""
        return estimate(self._column(label) - self._column(rival_label))

    def margin(self, label: str, rival_label: str | None = None) -> float:
        """Half the width of a 95 % interval that treats blocks of deals as independent values.

        What players learn carries over between deals of a block and no further, so this accounts
        for all dependence; but blocks are few (Student's t). Infinite with fewer than two.
        """
        values = self._column(label) - (0.0 if rival_label is None else self._column(rival_label))
        blocks = values[: len(values) // self.block * self.block].reshape(-1, self.block)
        if len(blocks) < 2:
            return math.inf
        by_block = estimate(blocks.mean(axis=1))
        return student_t(0.975, len(blocks) - 1) * by_block.stderr

    @property
    def label_of_name(self) -> dict[str, str]:
        """The versions' labels by the players' names in the log."""
        specs = [version.spec for version in self.versions for _ in range(version.copies)]
        labels = [version.label for version in self.versions for _ in range(version.copies)]
        return dict(zip(names_of(specs), labels, strict=True))

    def _column(self, label: str) -> NDArray[np.float64]:
        labels = [version.label for version in self.versions]
        column: NDArray[np.float64] = self.won[:, labels.index(label)]
        return column


def match_of(
    versions: Sequence[Version], deals: int, *, seed: int, memory: int | None = None
) -> Match:
    """Return the match of a table of versions; ``memory`` is the deals between two resets.

    Raises `BadInput` unless ten seats are taken.

    >>> match_of([Version("caller", "always-call", 10)], 50, seed=1).hands
    500
    """
    players = tuple(version.spec for version in versions for _ in range(version.copies))
    if len(players) != SEATS:
        raise BadInput(f"{len(players)} players at a table of {SEATS}")
    chunk = memory or min(_LONGEST, max(_SHORTEST, deals // _CHUNKS))
    return Match(
        players=players,
        rules=_RULES,
        deals=deals,
        seed=seed,
        seating=Seating.PERMUTED,
        chunk=chunk,
    )


def play_versions(
    workspace: Workspace, versions: Sequence[Version], *, deals: int | None = None
) -> Standings:
    """Seat the versions and play, resuming from the table's log."""
    deals = workspace.hands(DEALS, least=2 * _SHORTEST) if deals is None else deals
    match = match_of(versions, deals, seed=workspace.seed)
    played = workspace.play(match)
    by_player = played.result.payoffs.mean(axis=0) / _SMALL_BET
    firsts = np.cumsum([0, *(version.copies for version in versions)])
    won = [by_player[:, a:b].mean(axis=1) for a, b in pairwise(firsts)]
    return Standings(
        versions=tuple(versions),
        won=np.stack(won, axis=1),
        log=played.log,
        block=match.chunk,
        faults=sum(sum(tally.counts.values()) for tally in played.result.faults),
    )


# Figures of the experiments: estimates with intervals, and running averages.


def interval_chart(
    name: str, title: str, of: Sequence[Row], *, amount: str, subtitle: str, decimals: int = 2
) -> Drawing:
    """Draw the results of rows; ``amount`` names their unit."""
    values = [
        {
            "row": row.name,
            "value": row.ours.value,
            "low": row.ours.low,
            "high": row.ours.high,
            "shown": number_format.signed(row.ours.value, decimals),
            "interval": number_format.interval(row.ours.low, row.ours.high, decimals),
        }
        for row in of
    ]
    words = "; ".join(f"{value['row']} {value['shown']}" for value in values)
    colours = ["money"] * len(values)
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"{title}, in {amount}: {words}.",
            note="Lines are 95 % intervals.",
            chart=rows(values, mark=RowMark.POINT, amount=amount, colours=colours),
        ),
        data={},
        subtitle=subtitle,
    )


# Figure of a comparison of versions: the running average of each one's winnings per hand.


DATA = "averages"
"""Name of the figure's data."""

_POINTS = 250
_WILD = 0.02
"""Initial share of the deals that is not plotted: averages of a few deals are noise."""
_COLOURS = ("skill", "money", "luck", "position", "preflop", "turn", "river", "ink")
_DASHES = (SOLID, DASHED, DOTTED, DASH_DOTTED)
_AMOUNT = "small bets a hand, average so far"


def averages(name: str, title: str, standings: Standings, *, subtitle: str, note: str) -> Drawing:
    """Plot each version's running average, with its 95 % interval at the end."""
    estimates = {version.label: standings.of(version.label) for version in standings.versions}
    ends = {
        label: f"{label} "
        f"{number_format.signed(average.value, number_format.decimals_for(average.stderr))}"
        for label, average in estimates.items()
    }
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"Line chart of the average small bets a hand of each version over "
            f"{standings.hands:,} hands; at the end {', '.join(ends.values())}.",
            note=note,
            chart=_chart(estimates, ends, hands=standings.hands),
        ),
        data={DATA: Curves(table=_table(standings), stride=_stride(standings.deals) * SEATS)},
        subtitle=subtitle,
    )


def _chart(
    estimates: Mapping[str, Estimate], ends: Mapping[str, str], *, hands: int
) -> alt.LayerChart:
    """Return lines by version, with final values in the legend and final intervals as bars."""
    labels = list(estimates)
    columns = _columns(labels)
    versions = dict(zip(columns, labels, strict=True))
    scale = alt.Scale(
        domain=labels,
        range=[variable(_COLOURS[i % len(_COLOURS)]) for i in range(len(labels))],
    )
    dashes = alt.Scale(
        domain=labels, range=[list(_DASHES[i % len(_DASHES)]) for i in range(len(labels))]
    )
    legend = alt.Legend(labelExpr=f"({dict(ends)!r})[datum.value]", columns=2)
    height = alt.Y(
        "average", type="quantitative", title=_AMOUNT, axis=alt.Axis(format="+.2f", tickCount=6)
    )
    lines = (
        over_hands(DATA, "hands")
        .transform_fold([*columns], as_=["column", "average"])
        .transform_calculate(version=f"({versions!r})[datum.column]")
        .mark_line(strokeWidth=1.8, strokeJoin="round")
        .encode(
            y=height,
            color=alt.Color("version", type="nominal", title=None, scale=scale, legend=legend),
            strokeDash=alt.StrokeDash("version", type="nominal", title=None, scale=dashes),
        )
    )
    spans = (
        alt.Chart(
            alt.InlineData(
                values=[
                    {"hand": hands, "version": label, "low": average.low, "high": average.high}
                    for label, average in estimates.items()
                ]
            )
        )
        .mark_rule(strokeWidth=3, opacity=0.6)
        .encode(
            x=alt.X("hand", type="quantitative"),
            xOffset=alt.value(0),
            y=alt.Y("low", type="quantitative"),
            y2="high",
            color=alt.Color("version", type="nominal", scale=scale, legend=None),
        )
    )
    return layered(zero_row(), lines, spans).properties(width="container", height=LINES_HEIGHT)


def _columns(labels: list[str]) -> list[str]:
    return [f"line_{i}" for i in range(len(labels))]


def _stride(deals: int) -> int:
    return max(1, -(-deals // _POINTS))


def _table(standings: Standings) -> pl.DataFrame:
    """Return thinned running averages by hands played, without the noisy beginning."""
    deals = standings.deals
    first = max(1, round(deals * _WILD))
    measured_deals = np.unique([*range(first, deals, _stride(deals)), deals])
    sums = np.cumsum(standings.won, axis=0)[measured_deals - 1] / measured_deals[:, None]
    labels = [version.label for version in standings.versions]
    return pl.DataFrame(
        {
            "hand": measured_deals * SEATS,
            **{column: sums[:, i].round(5) for i, column in enumerate(_columns(labels))},
        }
    )


# Loki's versions against each other in ten seats, compared with the source's statements.
#
# The numbers in the source's figures are lost; its statements about who won remain.


class Said(Enum):
    """Kind of claim about one version's lead over another."""

    MUST = "it must lead"
    SOURCE = "it led in the source"
    NOTHING = "nothing"


_ROW_OF: dict[Said, Callable[[str, Estimate, str], Row]] = {
    Said.MUST: must_exceed_zero,
    Said.SOURCE: published_as_positive,
    Said.NOTHING: measured,
}


@dataclass(frozen=True, slots=True)
class Lead:
    """A version's lead over another at one table, paired by deal."""

    label: str
    other: str
    said: Said = Said.NOTHING
    note: str = ""

    def row(self, standings: Standings) -> Row:
        """Return the lead as a row of results."""
        ours = standings.lead(self.label, self.other)
        note = f"{self.note} {_blocks(standings, self.label, self.other)}".strip()
        return _ROW_OF[self.said](f"{self.label} less {self.other}", ours, note)


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionComparison:
    """Ten seats, and the leads to examine."""

    name: str
    """Name of its figure."""
    title: str
    versions: tuple[Version, ...]
    leads: tuple[Lead, ...]
    published: tuple[tuple[str, str], ...] = ()
    """Labels with published winnings, in games against other players."""
    note: str = ""

    def perform(self, workspace: Workspace) -> ExperimentResult:
        """Play it."""
        return result_of([(self, play_versions(workspace, self.versions))], workspace.seed)


def result_of(played: list[tuple[VersionComparison, Standings]], seed: int) -> ExperimentResult:
    """Return the rows and figures of one experiment's comparisons."""
    several = len(played) > 1
    rows = [
        row
        for comparison, standings in played
        for row in _rows(comparison, standings, several=several)
    ]
    drawings = [
        averages(
            comparison.name,
            comparison.title,
            standings,
            subtitle=f"{_seated(comparison)}; {standings.deals:,} deals in all ten seats, "
            f"seed {seed}",
            note="Each deal is played in all ten seats, so lines soon settle; the bars at the "
            f"right are 95 % intervals. {comparison.note}".strip(),
        )
        for comparison, standings in played
    ]
    hands = sum(standings.hands for _, standings in played)
    return ExperimentResult(hands=hands, rows=tuple(rows), drawings=tuple(drawings))


def _rows(comparison: VersionComparison, standings: Standings, *, several: bool) -> list[Row]:
    printed = dict(comparison.published)
    rows = [
        beside(label, printed[label], standings.of(label), f"{_IRC} {_blocks(standings, label)}")
        if label in printed
        else measured(label, standings.of(label), _blocks(standings, label))
        for label in (version.label for version in comparison.versions)
    ]
    rows += [lead.row(standings) for lead in comparison.leads]
    faults = Estimate(float(standings.faults), 0.0, standings.hands, unit="faults")
    rows.append(claimed("illegal or failed answers", faults, standings.faults == 0, rule="none"))
    return (
        [replace(row, name=f"{comparison.name}: {row.name}") for row in rows] if several else rows
    )


def _blocks(standings: Standings, label: str, rival_label: str | None = None) -> str:
    """Return the interval that accounts for what players remember between deals."""
    which = label if rival_label is None else f"{label} less {rival_label}"
    margin = number_format.number(standings.margin(label, rival_label), 3)
    return f"{which}: ± {margin} by blocks of {standings.block:,} deals."


_IRC = "The source's players won it against people on the IRC server."


def _seated(comparison: VersionComparison) -> str:
    return ", ".join(f"{version.copies} {version.label}" for version in comparison.versions)


_MODERATE = "loki:papp-gom,tightness=moderate"
_NO_SHOWDOWN = f"{_MODERATE},showdown-odds=off"
MANIAC = "random,fold=0.5,call=4.5,raise=5"
"""A maniac: raises half the time and hardly ever folds, with any hand."""
ROCK = "loki:bpt,make1=0.75,make2=0.95"
"""A rock: tight before the flop; after it bets only hands that are ahead three times in four."""
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
        Version("B", "loki:basic,tightness=moderate,scale=field", 2),
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
"""All versions have moderate tightness and generic modelling, as in the source, and its scale."""


def _all_with(comparison: VersionComparison, option: str, title: str) -> VersionComparison:
    versions = tuple(
        replace(version, spec=f"{version.spec},{option}") for version in comparison.versions
    )
    return replace(comparison, name=f"{comparison.name}, {option}", title=title, versions=versions)


def _ours(comparison: VersionComparison, title: str) -> VersionComparison:
    """Return the comparison with our scale, on which holdings are ranked against any hand."""
    versions = tuple(
        replace(
            version,
            spec=version.spec.replace("papp-gom", "gom")
            .replace("papp", "som")
            .replace(",scale=field", ""),
        )
        for version in comparison.versions
    )
    return replace(comparison, name=f"{comparison.name}, ours", title=title, versions=versions)


OUR_FEATURES = _ours(
    FEATURES, "The same, with opponents assumed to rank their holdings against any hand"
)
FEATURES_BY_THE_MODEL = _all_with(
    OUR_FEATURES,
    "model=learned,checkers=count",
    "The same, with learned probabilities of actions of players who stay strangers",
)


def _against(name: str, title: str, *others: Version) -> VersionComparison:
    """Return the comparison of features with one copy of each in a field of others."""
    alone = tuple(replace(version, copies=1) for version in OUR_FEATURES.versions)
    leads = tuple(replace(lead, said=Said.NOTHING, note="") for lead in OUR_FEATURES.leads)
    return replace(OUR_FEATURES, name=name, title=title, versions=(*alone, *others), leads=leads)


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
    versions=(Version("GOM", "loki:papp-gom", 4), *_WITHOUT, _TIGHT),
    leads=tuple(Lead("GOM", rival, Said.MUST) for rival in ("BPL", "BPM", "BPT")),
    published=GENERIC_WINNINGS,
)

SPECIFIC = VersionComparison(
    name="specific",
    title="Specific opponent modelling, generic, and none",
    versions=(
        Version("SOM", "loki:papp", 2),
        Version("GOM", "loki:papp-gom", 2),
        *_WITHOUT,
        _TIGHT,
    ),
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

OUR_GENERIC = _ours(GENERIC, "Our generic opponent modelling against none")
OUR_SPECIFIC = _ours(SPECIFIC, "Our specific opponent modelling, generic, and none")

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
    leads=(
        Lead("SOM", "GOM", Said.MUST),
        Lead("SOM", "BPL", Said.MUST),
        Lead("GOM", "BPL", Said.SOURCE, "Expected of other styles as well (8.4.1), not played."),
    ),
)


def _among_maniacs(label: str, spec: str, title: str) -> VersionComparison:
    """Return the table with another version in GOM's place."""
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

_SECOND_SOM: Final = "loki:som2,scale=field"
DISGUISE = VersionComparison(
    name="disguise",
    title="The second SOM with and without check-raises of mediocre hands",
    versions=(
        Version("disguised", f"{_SECOND_SOM},fake-check-raise=0.3", 5),
        Version("second SOM", _SECOND_SOM, 5),
    ),
    leads=(Lead("disguised", "second SOM"),),
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


def features(workspace: Workspace) -> ExperimentResult:
    """Play the source's comparison of features, then ours, in other fields and by a model."""
    fields = (FEATURES_AMONG_LOOSE, FEATURES_AMONG_MANIACS, FEATURES_AMONG_ROCKS)
    return _perform((FEATURES, OUR_FEATURES, *fields, FEATURES_BY_THE_MODEL), workspace)


def learned_rules(workspace: Workspace) -> ExperimentResult:
    """Play the tables with and without a rule, by learned probabilities."""
    return _perform(LEARNED_RULES, workspace)


def styles(workspace: Workspace) -> ExperimentResult:
    """Play the three tables with maniacs."""
    return _perform((STYLES, *MANIACS), workspace)


def best(workspace: Workspace) -> ExperimentResult:
    """Play the tables of the learned model and the best version, and count check-raises."""
    return _with_check_raises((LEARNED, BEST), workspace)


def disguise(workspace: Workspace) -> ExperimentResult:
    """Play the second SOM with and without check-raises of mediocre hands, and count them."""
    return _with_check_raises((DISGUISE,), workspace)


def _with_check_raises(
    comparisons: Sequence[VersionComparison], workspace: Workspace
) -> ExperimentResult:
    played = [
        (comparison, play_versions(workspace, comparison.versions)) for comparison in comparisons
    ]
    result = result_of(played, workspace.seed)
    counted = [
        row
        for comparison, standings in played
        for row in check_raises(
            f"{comparison.name}: ", standings.log, standings.hands, standings.label_of_name
        )
    ]
    return replace(result, rows=(*result.rows, *counted))


def check_raises(where: str, log: Path, hands: int, label_of_name: Mapping[str, str]) -> list[Row]:
    """Return how often each version raised when its check had met a bet.

    A player that decides by rules checks no hand worth a raise. The source expects that
    check-raises emerge from simulation (chapter 9).
    """
    counts = Counter[tuple[str, float]]()
    for name, player in statistics_of(logged_hands(log, hands)).items():
        share = player.shares[Statistic.CHECK_RAISE]
        for level, count in zip(share.levels, share.counts, strict=True):
            counts[label_of_name[name], level] += count
    return [
        measured(
            f"{where}check-raises of {label}, of its checks that met a bet",
            Proportion.of_trials(np.repeat((0.0, 1.0), (counts[label, 0.0], counts[label, 1.0]))),
            f"{label}: {counts[label, 1.0]:,} times.",
        )
        for label in dict.fromkeys(label_of_name.values())
    ]


def showdown_odds(workspace: Workspace) -> ExperimentResult:
    """Play the three comparisons in which showdown odds lose and gain, by either scale.

    In the source's three, the winnings of each such call are counted as well, in the first hands.
    """
    source = (SELF_PLAY, LOOSE, BLUFFING)
    comparisons = (*source, *(_ours(comparison, comparison.title) for comparison in source))
    played = [
        (comparison, play_versions(workspace, comparison.versions)) for comparison in comparisons
    ]
    result = result_of(played, workspace.seed)
    calls = [
        row
        for comparison, standings in played[: len(source)]
        for row in odds_calls(comparison, standings)
    ]
    return replace(result, rows=(*result.rows, *calls))


_CALLS_OF_HANDS: Final = 10_000
"""Hands of a log in which every decision is taken once more."""


def odds_calls(comparison: VersionComparison, standings: Standings) -> list[Row]:
    """Return how often showdown odds made a possible call, and how much such a call won.

    They decide on the flop and the turn, if no other rule has a reason to stay. A call wins what
    the hand wins from there on, where folding wins nothing (8.3, node68).
    """
    label = comparison.versions[0].label
    of_label = [name for name, seat_label in standings.label_of_name.items() if seat_label == label]
    hands = min(standings.hands, _CALLS_OF_HANDS)
    records = [
        record for record in islice(read(standings.log), hands) if isinstance(record, HandRecord)
    ]
    chances, won = 0, list[float]()
    for name in of_label:
        player = make_player(comparison.versions[0].spec)
        assert isinstance(player, LokiPlayer)
        for _, answer in answers(player, records, name):
            explanation = player.explanation
            if isinstance(explanation.reason, Preflop) or answer.view.state.street is Street.RIVER:
                continue
            if explanation.rule is LokiRule.SHOWDOWN_ODDS:
                spent = answer.view.state.spent[answer.seat]
                won.append(float(answer.record.payoffs[answer.seat] + spent) / _SMALL_BET)
            chances += explanation.rule in (LokiRule.SHOWDOWN_ODDS, LokiRule.FOLD)
    share = Proportion.of_trials(np.repeat((0.0, 1.0), (chances - len(won), len(won))))
    note = f"{counted(len(won), 'call')} of {chances:,} in {counted(hands, 'hand')}."
    if len(won) < 2:
        return []
    return [
        beside(
            f"{comparison.name}: calls by showdown odds, of the decisions they were asked for",
            "0.139",
            share,
            f"{note} The source: 123 of 883, on IRC.",
        ),
        beside(
            f"{comparison.name}: what a call by showdown odds won, in small bets",
            "1.64",
            estimate(won, unit="sb"),
            f"{note} The source: on IRC.",
        ),
    ]


def generic(workspace: Workspace) -> ExperimentResult:
    """Play generic modelling against none, the source's and ours."""
    return _perform((GENERIC, OUR_GENERIC), workspace)


def specific(workspace: Workspace) -> ExperimentResult:
    """Play specific and generic modelling against none, the source's and ours."""
    return _perform((SPECIFIC, OUR_SPECIFIC), workspace)


def simulation(workspace: Workspace) -> ExperimentResult:
    """Play the two comparisons of decisions by simulation and by rules."""
    return _perform((AMONG_OTHERS, FIVE_AND_FIVE), workspace)


def _perform(comparisons: tuple[VersionComparison, ...], workspace: Workspace) -> ExperimentResult:
    played = [
        (comparison, play_versions(workspace, comparison.versions)) for comparison in comparisons
    ]
    return result_of(played, workspace.seed)
