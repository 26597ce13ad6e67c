"""DIVAT's idea in other games: Kuhn and Leduc poker, and a battle with random damage.

The source proposes the battle (6.4) and gives no figures. All three games are enumerated, so a bias
is exactly zero or not, and variances need no sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import polars as pl

from railbird.arena import Match
from railbird.assessment import (
    PreflopEstimates,
    PreflopValues,
    SampledPreflopValues,
    assess,
    find_table,
)
from railbird.assessment.any_table import TableAssessment, assess_batches
from railbird.assessment.extensive_games import (
    ExtensiveGame,
    Profile,
    battle,
    rash,
    steady,
    unfold,
    unfolded_profile,
)
from railbird.assessment.extensive_games_aivat import GameEstimator, exact_utility
from railbird.errors import BadInput
from railbird.estimates import Estimate, paired_difference
from railbird.estimates.estimate import estimate
from railbird.extending import Floats
from railbird.game import acpc_rules, limit_holdem
from railbird.game.rules import Street
from railbird.histories import read_columns
from railbird.histories.columns import batches_of
from railbird.odds.rank_kernels import ABSENT_16, ABSENT_32
from railbird.odds.rank_tables import HR7_WHOLE, IHR_WHOLE, Tables, open_tables
from railbird.players.coach import UpperBounds
from railbird.report import number_format
from railbird.report.charts import crosstable_chart
from railbird.report.document import Figure
from railbird.solve import Game, kuhn, leduc, solve
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing, running_sums
from railbird_papers.framework.rows import Row, claimed, measured, reduction, sigmas_for, zero
from railbird_papers.framework.workspace import Work, Workspace

if TYPE_CHECKING:
    import numpy.typing as npt

    from railbird.baseline import BaselineSettings


BATTLES: Final = 10_000
_TOLERANCE: Final = 1e-5
_ROUNDING: Final = 1e-9


def other_games(workspace: Workspace) -> ExperimentResult:
    """Enumerate the poker games, enumerate and sample the battle."""
    rows: list[Row] = []
    for name, poker in (("Kuhn", kuhn()), ("Leduc", leduc())):
        rows += _poker(name, poker)
    plays = workspace.hands(BATTLES)
    game = battle()
    skilled: Profile = (game.profile(steady)[0], game.profile(rash)[1])
    equal = game.profile(rash)
    score = GameEstimator(
        name="divat",
        title="DIVAT",
        game=game,
        value=game.values(game.profile(steady)),
    )
    frames = []
    for label, profile in (("steady v rash", skilled), ("rash v rash", equal)):
        drawn = game.sample(profile, plays, np.random.default_rng(workspace.seed))
        columns = score.score(drawn)
        rows += _battle(label, game, profile, score, columns["utility"], columns["divat"])
        frames.append(pl.DataFrame({"money": columns["utility"], "divat": columns["divat"]}))
    workspace.record(Work("played", 2 * plays, 0.0))
    return ExperimentResult(
        hands=2 * plays,
        noun="battle",
        rows=tuple(rows),
        drawings=(
            running_sums(
                "battle",
                "A battle with random damage: result and decisions",
                frames[0],
                player="steady",
                subtitle=f"steady against rash, {plays:,} battles, seed {workspace.seed}",
                note="Money is the difference of damage, DIVAT the same without the luck of "
                "armies and dice, in units of damage. Both lines have one slope.",
                counted="battles",
                unit="points of damage",
            ),
        ),
    )


def _poker(name: str, game: Game) -> list[Row]:
    tree = unfold(game)
    equilibrium = unfolded_profile(game, tree, solve(game, tolerance=_TOLERANCE).strategy)
    players = {"equilibrium": equilibrium, "uniform": tree.uniform()}
    rows, largest = [], 0.0
    for (first_player, first), (second_player, second) in product(players.items(), repeat=2):
        profile = first[0], second[1]
        utility = exact_utility(tree, profile)
        for value, guess in players.items():
            values = tree.values(guess)
            for corrected, known in (("cards", (None, None)), ("cards and both players", profile)):
                score = GameEstimator(
                    name="corrected", title="Corrected", game=tree, value=values, known=known
                )
                result = score.exact(profile)
                largest = max(largest, abs(result.mean - utility.mean))
                rows.append(
                    measured(
                        f"{name}, {first_player} v {second_player}: variance left, "
                        f"{corrected} corrected, {value} values",
                        _exactly(result.variance / utility.variance, "share"),
                    )
                )
    bias = claimed(
        f"{name}: largest bias of {len(rows)} corrections",
        _exactly(largest),
        largest < _ROUNDING,
        rule="0 but for rounding",
        note="By enumeration, for every pair of players, guess of values and set of events.",
    )
    return [bias, *rows]


def _battle(
    label: str,
    game: ExtensiveGame,
    profile: Profile,
    score: GameEstimator,
    money: Floats,
    divat: Floats,
) -> list[Row]:
    truth = exact_utility(game, profile)
    exact = score.exact(profile)
    return [
        measured(f"battle, {label}: result by enumeration", _exactly(truth.mean, "damage")),
        zero(
            f"battle, {label}: result of the sample less that",
            estimate(money - truth.mean, unit="damage"),
        ),
        zero(
            f"battle, {label}: DIVAT of the sample less that",
            estimate(divat - truth.mean, unit="damage"),
        ),
        measured(f"battle, {label}: DIVAT of the sample", estimate(divat, unit="damage")),
        measured(f"battle, {label}: variance ÷ in the sample", reduction(money, divat)),
        measured(
            f"battle, {label}: variance ÷ by enumeration",
            _exactly(truth.variance / exact.variance, "times"),
            note="Also the factor by which DIVAT needs fewer battles.",
        ),
    ]


def _exactly(value: float, unit: str = "chips") -> Estimate:
    return Estimate(float(value), 0.0, 1, unit)


# The bias of runtime DIVAT, which the source leaves open (3.3).
#
# A bot at the table does not see the cards of who folds. The source's runtime DIVAT therefore takes
# DIVAT (with the value of the seat) for hands whose cards are shown and money for the others. It
# would be without bias if a showdown told nothing of the luck before it; but who gets to a showdown
# has had cards to get there with. All cards of these matches are known, so the difference to the
# money is measured hand by hand, and the truth is the mean of either unbiased estimator.
#
# Shown are all cards at a showdown, or, where the loser need not show, an opponent's only if it
# wins or ties.


HANDS: Final = 200_000
PAIRS: Final = (
    ("baseline", "baseline:tight-high"),
    ("baseline", "baseline:loose-high"),
    ("baseline", "always-call"),
    ("baseline", "random"),
)


COACHED: Final = ("baseline:tight-high", "baseline:loose-high")
"""The two players among whom a coach chooses, the better one first; both play ``baseline``
above."""
COACHES: Final = 20
COACHED_HANDS: Final = 10_000


def runtime(workspace: Workspace) -> ExperimentResult:
    """Play each pair, and compare its runtime DIVAT with its money."""
    rows: list[Row] = []
    drawings: list[Drawing] = []
    hands = workspace.hands(HANDS)
    sigmas = sigmas_for(len(PAIRS))
    counted: dict[str, dict[str, Floats]] = {}
    for first, second in PAIRS:
        match = workspace.match(first, second, hands)
        played = workspace.play(match)
        scores = assess(
            read_columns(played.log),
            player=match.names[0],
            threads=workspace.workers,
            progress=workspace.progress,
        ).scores
        workspace.record(Work("scored", scores.height, 0.0))
        money, by_shown_cards, winners = runtime_divat(scores)
        full = (scores["divat"] + scores["position"]).to_numpy()
        label = f"{first} v {second}"
        theirs, as_shown, as_won = runtime_divat(
            scores.with_columns(-pl.col("money", "divat", "position"))
        )
        counted[second] = {
            "money": theirs,
            "runtime DIVAT": as_shown,
            "runtime DIVAT where only winners show": as_won,
            "DIVAT with all cards known": -full,
        }
        rows += [
            measured(f"{label}: money", estimate(money)),
            zero(
                f"{label}: bias of DIVAT with all cards known",
                paired_difference(full, money),
                sigmas=sigmas,
            ),
            _bias(f"{label}: bias of runtime DIVAT", by_shown_cards, money),
            _bias(f"{label}: the same where only winners show", winners, money),
            measured(
                f"{label}: variance of money ÷ runtime DIVAT's", reduction(money, by_shown_cards)
            ),
        ]
        drawings.append(
            running_sums(
                f"runtime-{len(drawings)}",
                f"Money and runtime DIVAT of {first}",
                pl.DataFrame({"money": money, "divat": by_shown_cards}),
                player=first,
                subtitle=f"{first} against {second}, {hands:,} hands, seed {workspace.seed}",
                note="Were runtime DIVAT without bias, both lines would have one slope.",
            )
        )
    rows += _coached([counted[name] for name in COACHED], workspace.seed)
    return ExperimentResult(hands=hands * len(PAIRS), rows=tuple(rows), drawings=tuple(drawings))


def _coached(experts: Sequence[Mapping[str, Floats]], seed: int) -> list[Row]:
    """Let a coach choose between two players whose hands against one opponent are known.

    Nobody's play depends on earlier hands, so drawing a player's hands at random is the same as
    playing them. The first player is the better one.
    """
    rows = []
    gap = estimate(experts[0]["money"]).value - estimate(experts[1]["money"]).value
    for feed in experts[0]:
        shares = []
        for rng in np.random.default_rng(seed).spawn(COACHES):
            drawn = [rng.choice(expert[feed], size=COACHED_HANDS) for expert in experts]
            chooser = UpperBounds(len(experts))
            played = [0] * len(experts)
            for _ in range(COACHED_HANDS):
                number = chooser.choose()
                rewards: list[float | None] = [None] * len(experts)
                rewards[number] = float(drawn[number][played[number]])
                played[number] += 1
                chooser.learn(0.0, rewards)
            shares.append(played[0] / COACHED_HANDS)
        share = estimate(np.array(shares), unit="share")
        rows.append(
            measured(
                f"coach of {' and '.join(COACHED)} against {PAIRS[0][0]}, fed by {feed}: hands "
                f"given to the better one",
                share,
                note=f"{COACHES} coaches of {COACHED_HANDS:,} hands; the others cost "
                f"{gap * (1 - share.value):.3f} sb a hand.",
            )
        )
    return rows


def runtime_divat(scores: pl.DataFrame) -> tuple[Floats, Floats, Floats]:
    """Return money and runtime DIVAT by hand, the latter also where only winners show.

    ``scores`` are those of an assessment with all cards known, from the side of the player at whose
    runtime it would be computed.
    """
    money = scores["money"].to_numpy()
    full = (scores["divat"] + scores["position"]).to_numpy()
    showdown = (scores["kind"] == "showdown").to_numpy()
    shown: Floats = np.where(showdown, full, money)
    winners: Floats = np.where(showdown & (money <= 0), full, money)
    return money, shown, winners


def _bias(name: str, runtime: Floats, money: Floats) -> Row:
    difference = paired_difference(runtime, money)
    small = "No bias is seen." if difference.low <= 0 <= difference.high else ""
    return measured(name, difference, note=small or "The interval leaves zero: biased.")


# DIVAT for several players, which the source leaves as future work (section 6.1), in limit.
#
# Money and both estimators have the same expectation, so the mean of their paired difference must
# be zero; the reduction of variance depends on the players. Nothing comparable was published.


class _Table(NamedTuple):
    players: tuple[str, ...]
    hands: int


TABLES: Final = (
    _Table(("loki", "baseline"), 20_000),
    _Table(("loki", "baseline", "always-call"), 20_000),
    _Table(("loki", "baseline", "always-call", "random", "loki:bpl", "baseline:tight-low"), 12_000),
)


def several_players(workspace: Workspace) -> ExperimentResult:
    """Play tables of two, three and six players, and assess each."""
    rows: list[Row] = []
    total = 0
    tests = sum(2 * len(table.players) for table in TABLES)
    cells, drawings = [], []
    for table in TABLES:
        hands = workspace.hands(table.hands)
        match = Match(
            players=table.players,
            rules=acpc_rules(limit_holdem(len(table.players))),
            deals=hands,
            seed=workspace.seed,
        )
        played = workspace.play(match)
        assessment = assess_batches(
            batches_of(read_columns(played.log)), progress=workspace.progress
        )
        rows += _rows(assessment, sigmas=sigmas_for(tests))
        cells.append(_cells(assessment))
        drawings.append(_drawing(assessment, workspace.seed))
        total += assessment.hands
    return ExperimentResult(
        hands=total,
        rows=tuple(rows),
        drawings=tuple(drawings),
        tables={"crosstables": pl.concat(cells)},
    )


def _rows(assessment: TableAssessment, *, sigmas: float) -> list[Row]:
    size = f"{len(assessment.players)} players"
    scores = assessment.scores
    money = scores["money"].to_numpy()
    rows = [
        measured(
            f"{size}: variance of money ÷ that of {name}",
            reduction(money, scores[name].to_numpy()),
            note="All seats pooled.",
        )
        for name in ("divat", "fitted")
    ]
    for number, player in enumerate(assessment.players):
        mine = scores.filter(pl.col("player") == number)
        for name in ("divat", "fitted"):
            rows.append(
                zero(
                    f"{size}: money less {name} of {player}, paired",
                    paired_difference(mine["money"].to_numpy(), mine[name].to_numpy()),
                    sigmas=sigmas,
                )
            )
    return rows


def _drawing(assessment: TableAssessment, seed: int) -> Drawing:
    players = assessment.players
    own = ", ".join(
        f"{name} {number_format.signed(assessment.form.crosstable.cells[name, name].value, 3)}"
        for name in players
    )
    figure = Figure(
        name=f"crosstable-{len(players)}",
        title=f"Whose decisions changed whose result, {len(players)} players",
        words=f"Table of the mean change of each player's result by each player's decisions. "
        f"By their own decisions: {own} small bets a hand.",
        note="A row adds up to zero, a column to DIVAT less position. The diagonal says better "
        "than the baseline, not well played.",
        chart=crosstable_chart(assessment.form.crosstable.cells, players, assessment.unit),
    )
    return Drawing(
        figure=figure, data={}, subtitle=f"{assessment.hands:,} hands of limit, seed {seed}"
    )


def _cells(assessment: TableAssessment) -> pl.DataFrame:
    """Return the crosstable with a row for each cell, in thousandths of a small bet per hand."""
    return pl.DataFrame(
        [
            {
                "players": len(assessment.players),
                "decisions_of": actor,
                "result_of": receiver,
                "value_msb": 1000 * cell.value,
                "stderr_msb": 1000 * cell.stderr,
                "hands": cell.n,
            }
            for (actor, receiver), cell in assessment.form.crosstable.cells.items()
        ],
        schema_overrides={"value_msb": pl.Float64, "stderr_msb": pl.Float64},
    )


# Preflop values as in the source: rolled out by 7cHR instead of the defined EHR.
#
# The source (Kan 2007, footnote 10) classified hands by 7cHR alone in its preflop table, and
# expected the bias to be small. Here the same boards are rolled out under both ranks and the
# difference is added to the exact value, which removes most of the sampling noise.


SAMPLES = 512
"""Boards for each pair of holdings."""


class SevenCardValues:
    """Preflop values from roll-outs that classify hands by 7cHR.

    Raises `BadInput` for settings without an exact table.
    """

    def __init__(self, settings: BaselineSettings, *, samples: int = SAMPLES) -> None:
        table = find_table(settings)
        if table is None:
            raise BadInput(f"settings {settings.name!r} have no exact preflop table")
        tables = open_tables()
        self._exact: PreflopValues = table
        self._by_ehr = SampledPreflopValues(settings, tables, samples=samples)
        self._by_hr7 = SampledPreflopValues(settings, ranked_by_hr7(tables), samples=samples)

    @property
    def settings(self) -> BaselineSettings:
        """The baseline of the roll-outs."""
        return self._exact.settings

    def values(
        self,
        first: npt.NDArray[np.int16],
        second: npt.NDArray[np.int16],
        contribution: npt.NDArray[np.int16],
    ) -> PreflopEstimates:
        """See `PreflopValues.values`; sampling errors are ignored."""
        exact, by_ehr, by_hr7 = (
            source.values(first, second, contribution).value
            for source in (self._exact, self._by_ehr, self._by_hr7)
        )
        _, k = contribution.shape
        return PreflopEstimates(exact + by_hr7 - by_ehr, np.zeros((len(first), k, k)))

    def position(self) -> Estimate:
        """See `PreflopValues.position`; the exact table's value."""
        return self._exact.position()


def ranked_by_hr7(tables: Tables) -> Tables:
    """Replace IHR by 7cHR, rounded to a whole number, so that EHR equals 7cHR."""
    return replace(
        tables,
        flop_ihr=_as_ihr(tables.flop_hr7, Street.FLOP),
        turn_ihr=_as_ihr(tables.turn_hr7, Street.TURN),
    )


def _as_ihr(hr7: npt.NDArray[np.uint32], street: Street) -> npt.NDArray[np.uint16]:
    scale = HR7_WHOLE[street] // IHR_WHOLE[street]
    rounded = hr7 + np.uint32(scale // 2)
    rounded //= scale
    ihr = rounded.astype(np.uint16)
    ihr[hr7 == ABSENT_32] = ABSENT_16
    ihr.flags.writeable = False  # like mapped tables, for which the kernels are compiled
    return ihr
