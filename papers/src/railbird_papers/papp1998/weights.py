"""Calibration of the weight arrays: their mass on what the opponents actually hold.

An observer, in a different seat in each hand, follows a match with its own tracker. At the end of a
street's betting, the array of each opponent still in is scored on that opponent's cards, which are
in the log but hidden from the observer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import altair as alt
import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird.arena import Match, Seating
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.cards import HOLDING_CARDS, Card, Holding, cards_of
from railbird.errors import DamagedFile
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.game import DealBoard, HandState, Street, acpc_rules, limit_holdem
from railbird.histories import HandRecord, read
from railbird.modelling import Checks, Ranking, Sigma, Tracker
from railbird.modelling.learned import (
    ActionCounts,
    ActionModel,
    LearnedTracker,
    fit_facts,
    fit_types,
)
from railbird.modelling.learned_kernels import MOST_TYPES
from railbird.players.advice import tell
from railbird.players.loki.action_training import count_actions
from railbird.players.protocol import Observer
from railbird.progress import Progress
from railbird.report.charts import layered, variable
from railbird.report.document import Figure
from railbird.units import Seat
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import Row, measured, must_exceed_zero
from railbird_papers.framework.workspace import write_whole
from railbird_papers.papp1998.matchups import DEALS, Version, match_of

if TYPE_CHECKING:
    from railbird_papers.framework.workspace import Workspace


# Calibration of weight arrays against the opponent's true holding: log score and reliability.
#
# Every array is normalised over the holdings compatible with the observer's own cards and the
# board, and so is the uniform one for comparison. The gain is the base-2 logarithm of the array's
# mass on the true holding over the uniform mass: the array's information about the hand in bits.


BINS = 16
"""Bins of the ratio of an array's mass to the uniform mass, each half an octave wide."""
_LOWEST = -6.0
_WIDTH = 0.5
_CARD_BITS = np.uint64(1) << HOLDING_CARDS.astype(np.uint64)
_HOLDING_BITS: NDArray[np.uint64] = _CARD_BITS[:, 0] | _CARD_BITS[:, 1]


@dataclass(slots=True)
class RuleScores:
    """Scores on one street."""

    gains: dict[int, list[float]] = field(default_factory=dict)
    """Gains in bits, by deal: hands of one deal are dependent."""
    predicted: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """Total mass of the arrays on holdings of each bin."""
    uniform: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """Total mass of the uniform array on the same holdings."""
    hits: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """Number of true holdings in each bin."""

    @property
    def count(self) -> int:
        """Arrays scored."""
        return sum(map(len, self.gains.values()))

    @property
    def gain(self) -> Estimate:
        """Mean gain of an array, with the standard error from independent deals."""
        sums = np.array([sum(gains) for gains in self.gains.values()])
        sizes = np.array([len(gains) for gains in self.gains.values()])
        if not sizes.size:
            return Estimate(float("nan"), float("inf"), 0, "bits")
        mean = sums.sum() / sizes.sum()
        spread = estimate((sums - mean * sizes) / sizes.mean(), unit="bits")
        return Estimate(float(mean), spread.stderr, int(sizes.sum()), "bits")

    def lead(self, rival: RuleScores) -> Estimate:
        """Estimate the mean gain less that of other arrays, for the same holdings in order."""
        apart = {
            deal: [ours - theirs for ours, theirs in zip(gains, rival.gains[deal], strict=True)]
            for deal, gains in self.gains.items()
        }
        return RuleScores(gains=apart).gain

    def add(
        self, weights: NDArray[np.float64], known: Sequence[Card], truth: Holding, deal: int
    ) -> None:
        """Score one array; ``known`` are the cards that the opponent cannot hold."""
        free = free_of(known)
        mass = np.where(free, weights, 0.0)
        mass /= mass.sum()
        even = 1.0 / np.count_nonzero(free)
        with np.errstate(divide="ignore"):
            octaves = np.log2(mass / even)
        bins = np.clip((octaves - _LOWEST) / _WIDTH, 0, BINS - 1).astype(np.int64)
        self.predicted += np.bincount(bins[free], mass[free], minlength=BINS)
        self.uniform += np.bincount(bins[free], minlength=BINS) * even
        self.hits[bins[truth]] += 1
        self.gains.setdefault(deal, []).append(float(octaves[truth]))


def free_of(known: Sequence[Card]) -> NDArray[np.bool_]:
    """Return a mask of the holdings without any of the known cards, (1326,).

    >>> from railbird.cards import parse_cards
    >>> int(free_of(parse_cards("AsKs2c3d4h")).sum())
    1081
    """
    blocked = np.uint64(sum(1 << card for card in known))
    free: NDArray[np.bool_] = (_HOLDING_BITS & blocked) == 0
    return free


def new_scores() -> dict[Street, RuleScores]:
    """Return empty scores for every street."""
    return {street: RuleScores() for street in Street}


TABLE = (
    Version("GOM", "loki:gom", 4),
    Version("BPL", "loki:bpl", 2),
    Version("BPM", "loki:bpm", 2),
    Version("BPT", "loki:bpt", 2),
)
"""The observed players."""

KINDS: tuple[tuple[str, bool, type[Tracker | LearnedTracker]], ...] = (
    ("generic", False, Tracker),
    ("specific", True, Tracker),
    ("learned, strangers", False, LearnedTracker),
    ("learned", True, LearnedTracker),
)
"""Trackers; the learned model has seen none of the observed players."""

VARIANTS: dict[str, dict[str, Any]] = {
    "scale=field": {"ranking": Ranking.FIELD},
    "checks=inverse": {"checks": Checks.INVERSE},
    "sigma=learned": {"sigma": Sigma.LEARNED},
}
"""Alternative trackers, scored on the same holdings."""

_REPORT = 200
_LEAST = 20
"""Minimum number of true holdings in a plotted bin."""


class WeightWatcher(Observer, Protocol):
    """An observer with a weight array for each opponent."""

    def weights(self, seat: Seat) -> NDArray[np.float64]:
        """Return the array of one seat, (1326,)."""


def perform(workspace: Workspace) -> ExperimentResult:
    """Play a table with generic modellers, and observe it with both kinds of trackers."""
    deals = workspace.hands(DEALS, least=40)
    match = match_of(TABLE, deals, seed=workspace.seed)
    log = workspace.play(match).log
    rows: list[Row] = []
    drawings: list[Drawing] = []
    tables: dict[str, pl.DataFrame] = {}
    for kind, specific, tracker_type in KINDS:
        scores = calibrate(
            log, match, partial(tracker_type, specific=specific), progress=workspace.tell
        )
        rows += [
            must_exceed_zero(f"{kind}, gain of an array, {street.name.lower()}", score.gain)
            for street, score in scores.items()
        ]
        for what, options in VARIANTS.items() if tracker_type is Tracker else ():
            make = partial(Tracker, specific=specific, **options)
            alternative = calibrate(log, match, make, progress=workspace.tell)
            rows += [
                measured(
                    f"{kind}, {what}: gain more, {street.name.lower()}", score.lead(scores[street])
                )
                for street, score in alternative.items()
            ]
        drawings.append(
            reliability(
                kind,
                f"What {kind} weights said and what was",
                scores,
                subtitle=f"{match.hands:,} hands of ten seats, seed {workspace.seed}",
            )
        )
        tables[kind] = table(scores)
    return ExperimentResult(
        hands=match.hands, rows=tuple(rows), drawings=tuple(drawings), tables=tables
    )


def calibrate(
    log: Path, match: Match, make: Callable[[], WeightWatcher], *, progress: Progress
) -> dict[Street, RuleScores]:
    """Observe a match and score every array at the end of every street.

    The observer is reset whenever the players are.
    """
    scores = new_scores()
    watcher = make()
    numbers = {name: number for number, name in enumerate(match.names)}
    hands = read(log)
    for number, (fresh, deal) in enumerate(order_of_play(match)):
        record = next(hands)
        if not isinstance(record, HandRecord):
            raise DamagedFile(f"{log}: {record.detail}")
        if fresh:
            watcher = make()
        people = tuple(numbers[name] for name in record.players)
        watch(watcher, record, Seat(number % match.rules.seats), deal, scores, people)
        if number % _REPORT == 0:
            progress(number, match.hands, "watching")
    return scores


def order_of_play(match: Match) -> Iterator[tuple[bool, int]]:
    """Yield for each hand of the log whether players were just reset, and the deal's number."""
    for chunk in range(match.chunks):
        deals = match.deals_of(chunk)
        for _ in range(match.directions):
            for deal in deals:
                yield deal == deals.start, deal


def watch(
    watcher: WeightWatcher,
    record: HandRecord,
    seat: Seat,
    deal: int,
    scores: dict[Street, RuleScores],
    people: tuple[int, ...] | None = None,
) -> None:
    """Observe one hand from a seat and score the beliefs at the end of each street."""
    last: HandState | None = None
    for _, step in tell(watcher, record, seat, people):
        if isinstance(step.event, DealBoard):
            continue
        if last is not None and _is_over(step.after, last):
            _score(watcher, record, seat, deal, step.after, scores)
        last = step.after


def _is_over(now: HandState, before: HandState) -> bool:
    return before.actor is not None and now.actor is None


def _score(
    watcher: WeightWatcher,
    record: HandRecord,
    seat: Seat,
    deal: int,
    state: HandState,
    scores: dict[Street, RuleScores],
) -> None:
    own = record.holes[seat]
    assert own is not None
    known = (*cards_of(own), *state.board)
    for opponent in state.in_hand:
        truth = record.holes[opponent]
        if opponent != seat and truth is not None:
            scores[state.street].add(watcher.weights(opponent), known, truth, deal)


def reliability(
    name: str, title: str, scores: dict[Street, RuleScores], *, subtitle: str
) -> Drawing:
    """Plot how often a holding was the true one against its believed probability."""
    ratios = {street.name.lower(): _ratios(score) for street, score in scores.items()}
    points = [
        {"street": street, "said": said, "was": was, "found": count}
        for street, rows in ratios.items()
        for said, was, count in rows
    ]
    streets = list(ratios)
    believed = [said for rows in ratios.values() for said, _, _ in rows] or [1.0]
    ends = [min(believed), max(believed)]
    scale = alt.Scale(type="log", base=2)
    diagonal = (
        alt.Chart(alt.InlineData(values=[{"x": end, "y": end} for end in ends]))
        .mark_line(color=variable("muted"), strokeWidth=1)
        .encode(
            x=alt.X("x", type="quantitative", scale=scale),
            y=alt.Y("y", type="quantitative", scale=scale),
        )
    )
    colours = alt.Scale(domain=streets, range=[variable(street) for street in streets])
    base = alt.Chart(alt.InlineData(values=points)).encode(
        x=alt.X(
            "said",
            type="quantitative",
            scale=scale,
            title="believed probability ÷ uniform",
            axis=alt.Axis(format=".2~g"),
        ),
        y=alt.Y(
            "was",
            type="quantitative",
            scale=scale,
            title="true frequency ÷ uniform",
            axis=alt.Axis(format=".2~g", grid=True),
        ),
        color=alt.Color("street", type="nominal", title=None, scale=colours),
    )
    words = "; ".join(f"{street.name.lower()} {score.gain}" for street, score in scores.items())
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"Lines by street of the true frequency of holdings against the one believed, "
            f"both as multiples of the uniform; gains over the uniform array: {words}.",
            note="On the diagonal beliefs are as strong as they should be; flatter lines believe "
            "too much, steeper ones too little. Bins with fewer than "
            f"{_LEAST} true holdings are left out.",
            chart=layered(
                diagonal, base.mark_line(strokeWidth=1.8), base.mark_point(filled=True)
            ).properties(width="container", height=340),
        ),
        data={},
        subtitle=subtitle,
    )


def _ratios(scores: RuleScores) -> list[tuple[float, float, int]]:
    frequent = (scores.hits >= _LEAST) & (scores.uniform > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        said = scores.predicted / scores.uniform
        was = scores.hits / scores.uniform
    return [
        (said[i], was[i], scores.hits[i]) for i in np.flatnonzero(frequent & (scores.uniform > 0))
    ]


def table(scores: dict[Street, RuleScores]) -> pl.DataFrame:
    """Return the bins as a table, for other plots."""
    return pl.DataFrame(
        [
            {
                "street": street.name.lower(),
                "predicted": float(score.predicted[i]),
                "uniform": float(score.uniform[i]),
                "found": int(score.hits[i]),
            }
            for street, score in scores.items()
            for i in range(len(score.hits))
        ]
    )


# The fit behind the shipped model of actions, and the players that it is learned from.
#
# ``python -m railbird_papers.papp1998.weights FILE`` writes the model anew, from
# the matches listed here and nothing else. None of these players takes part in an experiment. What
# further facts say is fitted to other hands than the tables, so that the tables' expectations of
# them are none of what they were fitted to.


SEED: Final = 1998

PLAYERS: Final = (
    "loki:gom,make1=0.42,make2=0.75,tightness=moderate,offset=-60",
    "loki:som,make1=0.58,make2=0.9,tightness=tight,jitter=0.1",
    "loki:bpm,make1=0.45,make2=0.8,offset=-250,jitter=0.15,river-bluff=0.2",
    "loki:gom,jitter=0.2,raise-to=cap,checks=inverse,offset=-150,balancing-raise=0.1",
    "loki:bpl,make1=0.62,make2=0.88,offset=-300,opponents=one,jitter=0.1",
    "loki:bpt,make1=0.55,make2=0.8,offset=60,raise-to=cap,jitter=0.05",
    "loki:som,make1=0.47,make2=0.7,offset=-100,check-raise=0.3,river-bluff=0.15",
    "loki:bpm,make1=0.68,make2=0.95,offset=-400,jitter=0.2",
    "loki:gom,make1=0.52,make2=0.82,raise-to=cap,semi-bluff=off",
    "loki:basic,make1=0.4,make2=0.7,offset=-200,jitter=0.1",
    "loki:bpl,make1=0.35,make2=0.6,offset=-500,opponents=one,raise-to=cap,jitter=0.1",
    "loki:bpt,make1=0.78,make2=0.93,offset=150,jitter=0.03",
    "loki:bpl,make1=0.55,make2=0.8,offset=-700,jitter=0.25,raise-to=cap",
    "random,fold=1,call=6,raise=3",
    "random,fold=2,call=7,raise=1",
    "random,fold=0.1,call=9.5,raise=0.4",
    "random,fold=0.2,call=1.5,raise=8.3",
)
"""Lokis with other thresholds than the versions', and players who look at no cards."""

TABLES: Final = ((10, 12_000), (6, 12_000), (4, 10_000), (3, 16_000), (2, 60_000))
"""Seats of a table, and hands played there, by players drawn anew every 200 hands."""
FACTS_SEED: Final = 2026
FACTS_TABLES: Final = ((10, 2_000), (6, 2_000), (4, 2_000), (3, 3_000), (2, 12_000))
"""The same for the effects of further facts."""
_HANDS: Final = 200
_NAME: Final = "type"


def hands(seed: int, tables: Sequence[tuple[int, int]]) -> Iterator[HandRecord]:
    """Play hands that the model is learned from."""
    rng = np.random.default_rng(seed)
    for seats, played in tables:
        for number in range(played // _HANDS):
            names = rng.permutation(len(PLAYERS))[:seats]
            match = Match(
                players=tuple(f"{_NAME}{name}={PLAYERS[name]}" for name in names.tolist()),
                rules=acpc_rules(limit_holdem(seats)),
                deals=_HANDS,
                seed=seed + 1000 * seats + number,
                seating=Seating.SINGLE,
                chunk=_HANDS,
            )
            yield from ChunkPlayer(ChunkJob(match, Loop.COMPILED, logged=True)).records(0)


def with_facts(model: ActionModel) -> ActionModel:
    """Return a model of `PLAYERS` with the effects of further facts, given its tables."""
    counts = _counts(FACTS_SEED, FACTS_TABLES)
    actions = [np.array(counts[name].known, np.int64).reshape(-1, 4) for name in model.names]
    facts = fit_facts(model.later, actions)
    assert facts is not None
    return replace(model, facts=facts)


def _counts(seed: int, tables: Sequence[tuple[int, int]]) -> dict[str, ActionCounts]:
    counts = count_actions(hands(seed, tables))
    return {
        PLAYERS[int(name.removeprefix(_NAME))]: player_counts
        for name, player_counts in counts.items()
    }


def main(path: Path) -> None:
    """Write the model."""
    model = with_facts(fit_types(_counts(SEED, TABLES), types=MOST_TYPES))
    write_whole(path, model.write)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
