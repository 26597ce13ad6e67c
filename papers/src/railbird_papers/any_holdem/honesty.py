"""How often intervals miss, and verdicts are false, between equal players in any hold'em.

`verdicts` asks the same about one game and eight ways to remove hands. Here each piece goes through
all of `railbird assess`: four forms of hold'em, a heads-up limit match by DIVAT, and real hands in
which the players' names are shuffled in each hand, so that nobody is better than anybody else.
Every player's true result is zero, so an interval that excludes zero has missed.

The hands of a piece are numbered with gaps, as sites number them, so the numbers do not show what
is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import altair as alt
import numpy as np
import polars as pl

from railbird.assessment import assess
from railbird.assessment.any_table import assess_batches
from railbird.assessment.assessment import Assessment
from railbird.assessment.divat.any_game import LIMIT, NO_LIMIT
from railbird.assessment.estimator import EstimatorKind
from railbird.assessment.league import league_table
from railbird.assessment.player_statistics import LogCards, rows_of
from railbird.assessment.season import season_of
from railbird.estimates.bounded_mean import Proportion
from railbird.estimates.confidence_sequences import confidence_sequence
from railbird.estimates.distributions import beta_below
from railbird.estimates.estimate import Moments
from railbird.extending import Floats
from railbird.game import HEADS_UP_LIMIT, Betting, Rules, acpc_rules, limit_holdem, no_limit_holdem
from railbird.histories import read_columns
from railbird.histories.columns import HandBatch, batches_of, concat
from railbird.report.document import Figure
from railbird_papers.any_holdem.missing_hands import ALL_CARDS, OWN_CARDS, without_losers
from railbird_papers.any_holdem.tables import NAMES, PolicyPlayer, play_policies
from railbird_papers.any_holdem.verdicts import REMOVED
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import Row, claimed, measured
from railbird_papers.framework.workspace import Workspace

PIECES: Final = 150
PIECE_HANDS: Final = 1_000
LEVEL: Final = 0.05
"""Largest share of pieces whose interval misses, or whose verdict is false."""
REFUTED: Final = 0.01
"""Probability, over all rows together, of refuting a claim that holds."""
OUT: Final = ("nothing", "the worst 2 %", "losses above 20 bb")
"""Which hands are taken out (see `verdicts.REMOVED`)."""
LOOKS: Final = 10
"""Number of looks at a piece, for intervals that are valid at every look."""
WITHOUT_CONDITION: Final = "verdict without a condition"
REAL: Final = "real hands, names dealt out"

_HERO: Final = NAMES[0]
_FEWEST_PIECES: Final = 2
_BOARDS: Final = 8
_DEVIATION: Final = 0.2
_MOST_GAP: Final = 50
_NO_LIMIT_STACK: Final = 10_000

Outcomes = dict[str, list[int]]
"""For each named event, 1 for each piece in which it happened, otherwise 0."""


_Judged = tuple[str, str, Callable[[], HandBatch], Callable[[HandBatch], Mapping[str, int]]]
"""Names of the hands and of the known cards, the hands, and the function that judges a piece."""


def honesty(workspace: Workspace) -> ExperimentResult:
    """Judge pieces of logs of equal players, both whole and with hands taken out."""
    pieces = max(_FEWEST_PIECES, round(PIECES * min(1.0, workspace.scale)))
    counted = [
        (name, cards, removed, outcome, np.array(happened, np.float64))
        for name, cards, removed, outcomes in _outcomes(workspace, pieces)
        for outcome, happened in outcomes.items()
    ]
    promised = sum(_is_promised(removed, outcome) for _, _, removed, outcome, _ in counted)
    rows = [
        _row(
            f"{name}, {cards}, {removed} taken out: {outcome}",
            happened,
            promised if _is_promised(removed, outcome) else None,
        )
        for name, cards, removed, outcome, happened in counted
    ]
    table = pl.DataFrame(
        [
            {
                "hands": name,
                "cards": cards,
                "taken out": removed,
                "what": outcome,
                "pieces": len(happened),
                "percent": 100 * happened.mean(),
            }
            for name, cards, removed, outcome, happened in counted
        ]
    )
    is_verdict = pl.col("what").str.starts_with("verdict")
    is_look = pl.col("what").str.contains(" look$| apart$")
    is_whole = pl.col("taken out") == OUT[0]
    return ExperimentResult(
        hands=pieces * PIECE_HANDS * table["hands"].n_unique(),
        rows=tuple(rows),
        drawings=(_drawing(table, workspace.seed),),
        tables={"honesty": table},
        printed={
            "percent of pieces with a verdict": _wide(table.filter(is_verdict)),
            "percent of whole pieces whose interval misses": _wide(
                table.filter(is_whole & ~is_verdict & ~is_look).drop("taken out")
            ),
            f"the same at some of {LOOKS} looks, and where a verb tells two players apart": _wide(
                table.filter(is_look).drop("taken out", "cards")
            ),
        },
    )


def _wide(table: pl.DataFrame) -> pl.DataFrame:
    """Give each event a column, with its percentage as text."""
    short = ("'s interval misses", "verdict ", " at some look", " tells a pair apart")
    named = table.drop("pieces").with_columns(
        pl.col("what").str.replace_many(list(short), [""] * len(short)),
        pl.col("percent").map_elements(lambda share: f"{share:.3g}", pl.String),
    )
    index = [column for column in ("hands", "cards", "taken out") if column in named]
    return named.pivot("what", index=index, values="percent").fill_null("")


def _is_promised(removed: str, outcome: str) -> bool:
    """Return whether at most `LEVEL` is promised.

    On whole logs it always is, and on cut logs for verdicts without a condition. With hands missing
    no interval is valid, and a verdict should be withheld, or hold only if the log is whole.
    """
    return removed == OUT[0] or outcome == WITHOUT_CONDITION


def _row(name: str, happened: Floats, promised: int | None) -> Row:
    """Claim a probability of at most `LEVEL`, tested by an exact binomial test among ``promised``.

    With ``promised`` of None it is only measured.
    """
    share = Proportion.of_trials(happened)
    if promised is None:
        return measured(name, share)
    count, trials = int(happened.sum()), len(happened)
    by_chance = beta_below(count, trials - count + 1, LEVEL) if count else 1.0
    return claimed(
        name, share, by_chance >= REFUTED / promised, rule=f"binomial, at most {LEVEL:.0%}"
    )


def _outcomes(workspace: Workspace, pieces: int) -> Iterator[tuple[str, str, str, Outcomes]]:
    """Yield the outcomes of each form, kind of cards and removal."""
    judged: list[_Judged] = []
    for name, rules in _FORMS.items():
        played = partial(_played, rules, pieces, workspace.seed)
        judged.append((name, ALL_CARDS, played, _judge_table))
        judged.append((name, OWN_CARDS, partial(_own_cards, played), _judge_table))
    match = partial(_played, HEADS_UP_LIMIT, pieces, workspace.seed)
    judged.append(("match of two in limit, DIVAT", ALL_CARDS, match, _judge_match))
    if workspace.data is not None:
        real = partial(_renamed, str(workspace.data), pieces, workspace.seed)
        judged.append((REAL, ALL_CARDS, real, _judge_table))
    for name, cards, hands, judge in judged:
        for removed in OUT:
            key = f"honesty-{name}-{cards}-{removed}-{pieces}-pieces"
            compute = partial(_judged_pieces, workspace, hands, removed, judge, name)
            yield name, cards, removed, workspace.kept(key, compute)
        if cards == ALL_CARDS and judge is _judge_table:
            compute = partial(_judged_pieces, workspace, hands, OUT[0], _judge_looks, name)
            key = f"honesty-{name}-looks-{pieces}-pieces"
            yield name, cards, OUT[0], workspace.kept(key, compute)


def _judged_pieces(
    workspace: Workspace,
    hands: Callable[[], HandBatch],
    removed: str,
    judge: Callable[[HandBatch], Mapping[str, int]],
    what: str,
) -> Outcomes:
    """Take hands out of each piece and judge what remains."""
    batch = hands()
    pieces = len(batch) // PIECE_HANDS
    money = _money(batch)
    outcomes: Outcomes = {}
    for number in range(pieces):
        first = number * PIECE_HANDS
        rng = np.random.default_rng([workspace.seed, OUT.index(removed), number])
        remains = REMOVED[removed](money[first : first + PIECE_HANDS], rng)
        piece = batch.rows(first + np.flatnonzero(remains))
        for outcome, happened in judge(_numbered_as_sites_do(piece, rng)).items():
            outcomes.setdefault(outcome, []).append(int(happened))
        workspace.tell(number + 1, pieces, what)
    return outcomes


def _judge_table(piece: HandBatch) -> dict[str, int]:
    assessment = assess_batches([(piece, ())], boards=_BOARDS)
    return _verdicts(assessment) | _misses(assessment)


def _judge_match(piece: HandBatch) -> dict[str, int]:
    assessment = assess([piece], player=_HERO)
    return _verdicts(assessment) | _misses(assessment)


def _verdicts(assessment: Assessment[Any]) -> dict[str, int]:
    """Return whether `railbird assess` gives the first player a verdict."""
    verdict = assessment.integrity.decided(_HERO)
    stands = verdict is not None and assessment.withheld(_HERO) is None
    return {
        "verdict withheld": verdict is not None and not stands,
        "verdict if the log is whole": stands and verdict is not None and verdict.if_whole,
        WITHOUT_CONDITION: stands and verdict is not None and not verdict.if_whole,
    }


def _misses(assessment: Assessment[Any]) -> dict[str, int]:
    """Return which intervals exclude zero, of the unbiased estimators that cover all hands."""
    estimates = assessment.estimates[_HERO]
    return {
        f"{estimator.name}'s interval misses": mean.excludes_zero
        for estimator in assessment.estimators
        if estimator.kind is EstimatorKind.UNBIASED
        and (mean := assessment.estimate(_HERO, estimator.name)) is not None
        and mean.n == estimates["money"].n
    }


def _judge_looks(piece: HandBatch) -> dict[str, int]:
    """Look at a piece `LOOKS` times by its intervals, and once by the verdict for every look."""
    assessment = assess_batches([(piece, ())], boards=_BOARDS, forward=True)
    mine = assessment.form.every.filter(pl.col("player") == assessment.players.index(_HERO))
    missed = {}
    for name in ("money", "fitted"):
        values = mine[name].to_numpy()
        ends = np.linspace(0, len(values), LOOKS + 1).astype(int)[1:]
        missed[f"{name}'s interval misses at some look"] = int(
            any(confidence_sequence(Moments.of(values[:end])).excludes_zero for end in ends)
        )
    counts = rows_of([piece])
    season = season_of(counts, LogCards.of(counts))
    return missed | {
        "league tells a pair apart": any(
            versus.is_decided for versus in league_table(assessment).pairs.values()
        ),
        "night tells a pair apart": any(lead.decided for lead in season.leads),
    }


def _played(rules: Rules, pieces: int, seed: int) -> HandBatch:
    """Play pieces between copies of one value policy, which sometimes draws an action instead."""
    policy = LIMIT if rules.betting is Betting.LIMIT else replace(NO_LIMIT, sizes=(0.75,) * 4)
    players = [
        PolicyPlayer(name=name, policy=policy, deviation=_DEVIATION)
        for name in NAMES[: rules.seats]
    ]
    return play_policies(rules, players, pieces * PIECE_HANDS, seed=seed)


def _own_cards(played: Callable[[], HandBatch]) -> HandBatch:
    return without_losers(played(), _HERO)


def _renamed(source: str, pieces: int, seed: int) -> HandBatch:
    """Read a log with all cards, and shuffle the players' names in each hand.

    A log shorter than the pieces is read again, with other names.
    """
    batch = _one_form(read_columns(source))
    times = -(-pieces * PIECE_HANDS // len(batch))
    chosen = np.tile(np.arange(len(batch)), times)[: pieces * PIECE_HANDS]
    rng = np.random.default_rng([seed, len(batch)])
    seats = batch.player.shape[1]
    names = rng.permuted(np.tile(np.arange(seats, dtype=np.int32), (len(chosen), 1)), axis=1)
    return replace(batch.rows(chosen), player=names, names=NAMES[:seats])


def _one_form(read: Iterable[Any]) -> HandBatch:
    """Return the hands of the log's first number of seats, as one batch."""
    batches = [batch for batch, _ in batches_of(read) if len(batch)]
    return concat(
        [batch for batch in batches if batch.player.shape[1] == batches[0].player.shape[1]]
    )


def _money(batch: HandBatch) -> Floats:
    """Return what the first player won in each hand, in units of the game (hands,)."""
    seat = np.argmax(batch.player == batch.names.index(_HERO), axis=1)
    won = batch.payoff[np.arange(len(batch)), seat] / batch.parts
    chips: Floats = won / batch.rules[0].chips_per_unit
    return chips


def _numbered_as_sites_do(piece: HandBatch, rng: np.random.Generator) -> HandBatch:
    return replace(piece, number=np.cumsum(rng.integers(1, _MOST_GAP, len(piece))))


_FORMS: Final[Mapping[str, Rules]] = {
    "heads-up limit": acpc_rules(limit_holdem(2)),
    "six-handed limit": acpc_rules(limit_holdem(6)),
    "heads-up no-limit": no_limit_holdem(2, blinds=(50, 100), stack=_NO_LIMIT_STACK),
    "six-handed no-limit": no_limit_holdem(6, blinds=(50, 100), stack=_NO_LIMIT_STACK),
}


def _drawing(table: pl.DataFrame, seed: int) -> Drawing:
    chart = (
        alt.Chart(alt.InlineData(values=table.to_dicts()))
        .mark_point(filled=True)
        .encode(
            x=alt.X("percent:Q", title="% of pieces"),
            y=alt.Y("what:N", title=None),
            color=alt.Color("taken out:N", title="taken out", sort=list(OUT)),
            row=alt.Row("cards:N", title="cards known"),
            column=alt.Column("hands:N", title=None),
        )
    )
    figure = Figure(
        name="honesty",
        title="Intervals that miss and verdicts on equal players",
        words="Points of the share of pieces of a thousand hands in which an interval has no zero, "
        "or somebody has a verdict, though all players are equal.",
        note=f"At most {LEVEL:.0%} are promised.",
        chart=chart,
    )
    return Drawing(figure=figure, data={}, subtitle=f"equal players, seed {seed}")
