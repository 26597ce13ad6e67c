"""An equilibrium of an abstraction against itself, each deal played from both sides.

The source's player was PsOpti4, of the same kind: it plays an equilibrium of an abstract game.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import altair as alt
import numpy as np
from numpy.typing import NDArray

from railbird.arena import Seating
from railbird.arena.exploitability import exploitability, win_on_rivers
from railbird.arena.settings import SOLVING_CHUNK
from railbird.baseline import STANDARD
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate, paired_difference
from railbird.report.charts import LINES_HEIGHT, layered, variable
from railbird.report.document import Figure
from railbird.solve.limit.settings import CHECK_GROWTH, CHECKPOINT_SECONDS, SIZES
from railbird.solve.limit.solving import (
    Algorithm,
    holdem_game,
    kept_strategies,
    new_solver,
    solve_limit,
    strategy_path,
)
from railbird.solve.limit.strategy import LimitStrategy, open_strategy, write_strategy
from railbird.solve.strategy_files import in_whole_steps, read_checkpoint, write_checkpoint
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import BY_ROUND, Drawing, round_lines, running_sums
from railbird_papers.framework.rows import (
    SIGMAS,
    Row,
    beside,
    claimed,
    measured,
    must_exceed,
    reduction,
    sd,
    zero,
)
from railbird_papers.kan2007.matches import (
    DUPLICATE_PAIRS_DIVAT_SD,
    DUPLICATE_PAIRS_MONEY_SD,
    SELF_PLAY,
    SELF_PLAY_MONEY_SD,
)
from railbird_papers.kan2007.robustness import SHORT, SWEEPS, sweep_drawing, sweep_rows
from railbird_papers.limit_players.matches import HYPERBOREAN_FROM_GS2, judged, pairs_of

if TYPE_CHECKING:
    from railbird_papers.framework.workspace import Workspace


PLAYER = "equilibrium:small"
EQUILIBRIUM_SELF_PLAY_HANDS = 20_000
MONEY_SD = (4.4, 5.6)
REDUCTION = (5.0, 7.5)
"""Variance reduction that equilibrium players should show if they are like the source's."""
LEAST_REDUCTION = 5.0
"""Least reduction of variance by AIVAT with both players known, compared with DIVAT."""


def equilibrium_self_play(workspace: Workspace) -> ExperimentResult:
    """Play the match and set the estimators side by side, by hands and by pairs."""
    deals = workspace.hands(EQUILIBRIUM_SELF_PLAY_HANDS) // 2
    match = workspace.match(PLAYER, PLAYER, deals, seating=Seating.DUPLICATE)
    assessment = judged(workspace, workspace.play(match), dict.fromkeys(match.names, PLAYER))
    names = ["money", "divat", "aivat"]
    pairs = pairs_of(assessment.scores, names)
    money, divat, aivat = (assessment.scores[name].to_numpy() for name in names)
    money2, divat2, aivat2 = (pairs[name].to_numpy() for name in names)
    subtitle = f"{PLAYER} against itself, {match.hands:,} hands, seed {workspace.seed}"
    by_divat, by_aivat = reduction(money, divat), reduction(divat, aivat)
    return ExperimentResult(
        hands=match.hands,
        rows=(
            _within("money sd", sd(money), MONEY_SD),
            beside("money sd of PsOpti4", SELF_PLAY_MONEY_SD, sd(money)),
            beside("DIVAT sd", SELF_PLAY.divat_sd, sd(divat)),
            measured("AIVAT sd", sd(aivat)),
            _within("variance reduction by DIVAT", by_divat, REDUCTION),
            beside("variance reduction, PsOpti4's", SELF_PLAY.variance_reduction, by_divat),
            must_exceed(
                LEAST_REDUCTION,
                "variance of DIVAT over that of AIVAT",
                by_aivat,
                "Both strategies are known.",
            ),
            beside("money sd, pairs averaged", DUPLICATE_PAIRS_MONEY_SD, sd(money2)),
            beside("DIVAT sd, pairs averaged", DUPLICATE_PAIRS_DIVAT_SD, sd(divat2)),
            measured("AIVAT sd, pairs averaged", sd(aivat2)),
            zero("money, pairs averaged", estimate(money2)),
            zero("DIVAT, pairs averaged", estimate(divat2)),
            zero("AIVAT, pairs averaged", estimate(aivat2)),
            zero("money less AIVAT, paired", paired_difference(money2, aivat2)),
        ),
        drawings=(
            running_sums(
                "hands",
                "Figure 4.5: an equilibrium against itself",
                assessment.scores,
                player=PLAYER,
                subtitle=subtitle,
                note="The true result is zero.",
            ),
            running_sums(
                "pairs",
                "The two plays of each deal averaged",
                pairs,
                player=PLAYER,
                subtitle=subtitle,
                counted="pairs",
                note="The luck of the deal cancels in the money too.",
            ),
        ),
    )


def _within(name: str, ours: Estimate, limits: tuple[float, float]) -> Row:
    least, most = limits
    slack = SIGMAS * (ours.stderr if np.isfinite(ours.stderr) else 0.0)
    holds = least - slack <= ours.value <= most + slack
    rule = f"{least:g} to {most:g}, within {SIGMAS:g} standard errors"
    return claimed(f"{name}, {least:g} to {most:g} expected", ours, holds, rule=rule)


# Best responses in the real game to strategies that were solved for longer and longer.
#
# In-abstraction gaps fall as long as one solves. In the real game a strategy may become easier to
# exploit meanwhile (Johanson, Waugh, Bowling and Zinkevich 2011), so both are shown. All strategies
# meet the same flops and the same boards. A strategy that is kept, and every flop, is computed
# once.


FLOPS: Final = 40
BOARDS: Final = 1_000
SOLVED, SAMPLED = "small", "medium"
"""Sizes: one solved here, and one whose strategies `railbird solve limit` has kept."""
GAPS: Final = (300.0, 100.0, 30.0, 10.0, 3.0, 1.0)
"""In mb/g, in the abstraction, at which strategies of `SOLVED` are kept."""

_MB, _UNIT = 1000, "mb/g"
_FEWEST = 4
_LEAST = 1.0
"""End of bars that would leave a logarithmic axis."""
_COLOURS = {SOLVED: "skill", SAMPLED: "money", "gap in the abstraction": "luck"}


@dataclass(frozen=True, slots=True)
class Trained:
    """A strategy on the way."""

    size: str
    label: str
    path: Path
    cpu_seconds: float
    gap: float | None
    """Gap in the abstraction, mb/g; None if it is not defined."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Winnings from a strategy, in mb/g; both bounds are for the same flops."""

    trained: Trained
    lower: Estimate
    upper: Estimate
    on_rivers: NDArray[np.float64]
    """By board."""


def exploitability_by_training(workspace: Workspace) -> ExperimentResult:
    """Judge all strategies, and draw the winnings from them by the time that they took."""
    flops = max(_FEWEST, round(FLOPS * workspace.scale) // 2 * 2)
    boards = workspace.hands(BOARDS, least=_FEWEST)
    judged = [
        _judge(trained, flops, boards, workspace)
        for trained in [*_solved(workspace), *_sampled(strategy_path(SAMPLED))]
    ]
    rows: list[Row] = []
    previous: Judged | None = None
    for judgement in judged:
        name = f"{judgement.trained.size}, {judgement.trained.label}"
        note = f"{judgement.trained.cpu_seconds:,.0f} s of processor"
        rows.append(measured(f"{name}: at least", judgement.lower, note=note))
        rows.append(measured(f"{name}: at most", judgement.upper))
        rows.append(
            measured(f"{name}: by the river alone", estimate(judgement.on_rivers, unit=_UNIT))
        )
        if previous is not None and previous.trained.size == judgement.trained.size:
            more = paired_difference(judgement.on_rivers, previous.on_rivers, unit=_UNIT)
            rows.append(measured(f"{name}: more by the river than before", more))
        previous = judgement
    return ExperimentResult(
        hands=flops, noun="flop", rows=tuple(rows), drawings=(_drawing(judged, workspace.seed),)
    )


def _solved(workspace: Workspace) -> list[Trained]:
    """Solve until the last of `GAPS`, and keep a strategy at each, unless a file has them."""
    folder = strategy_path(SOLVED).parent
    paths = [folder / f"limit-{SOLVED}-gap-{gap:g}.strategy" for gap in GAPS]
    if not all(path.exists() for path in paths):
        folder.mkdir(parents=True, exist_ok=True)
        run = _GapRun(dict(zip(GAPS, paths, strict=True)), workspace)
        run.resume()
        in_whole_steps(
            run.step,
            until=lambda: not run.wanted,
            write=run.write,
            every=CHECKPOINT_SECONDS,
            report=lambda: workspace.tell(run.solver.iterations, 0, run.words()),
        )
        run.part.unlink(missing_ok=True)
    return [_trained(SOLVED, path) for path in paths]


class _GapRun:
    """A solver that writes its average strategy at each of some gaps, and the file it is kept in.

    The gap is computed after `CHECK_GROWTH` times as many iterations as the time before.
    """

    def __init__(self, paths: Mapping[float, Path], workspace: Workspace) -> None:
        self.game, self.abstraction = holdem_game(SIZES[SOLVED], progress=workspace.progress)
        self.solver = new_solver(Algorithm.CFR_PLUS, self.game, self.abstraction, seed=1)
        self.wanted = dict(paths)
        """The missing strategies, by their gaps, the largest first."""
        self.part = min(paths.items())[1].with_suffix(".part.npz")
        self.seconds, self.gap, self._next = 0.0, np.inf, 1
        self._record = json.dumps([self.abstraction.record, *paths])

    def words(self) -> str:
        """Return the algorithm and the last gap, for reports of progress."""
        return f"CFR+, gap {self.gap:.3g} mb/g" if self.gap < np.inf else "CFR+"

    def step(self) -> None:
        """Iterate; when the gap is computed, write the strategy that was wanted at this gap."""
        begun = time.process_time()
        self.solver.step(self._next)
        self.seconds += time.process_time() - begun
        count = self.solver.iterations
        if count < self._next:
            return
        self._next = max(count + 1, round(CHECK_GROWTH * count))
        average = self.solver.averaged()
        self.gap = _MB * average.exploitability()
        if self.gap > next(iter(self.wanted)):
            return
        training = {
            "algorithm": Algorithm.CFR_PLUS.words,
            "iterations": count,
            "gap_mb": self.gap,
            "cpu_seconds": round(self.seconds, 1),
        }
        path = self.wanted.pop(next(iter(self.wanted)))
        strategy = LimitStrategy(self.game.tree, self.abstraction, average.average(), training)
        write_strategy(path, strategy)

    def write(self) -> None:
        """Write everything that `resume` needs."""
        state = {
            "record": self._record,
            "seconds": self.seconds,
            "gap": self.gap,
            "next": self._next,
            "wanted": [*self.wanted],
        }
        write_checkpoint(self.part, state | self.solver.state, self.solver.tables)

    def resume(self) -> None:
        """Continue where an earlier run stopped; start again if its file is of another game."""
        read_checkpoint(self.part, self._record, self.solver.tables, self._take)

    def _take(self, state: dict[str, Any]) -> None:
        wanted = {float(gap): self.wanted[gap] for gap in state["wanted"]}
        seconds, gap, following = float(state["seconds"]), float(state["gap"]), int(state["next"])
        self.solver.resume(state)
        self.wanted, self.seconds, self.gap, self._next = wanted, seconds, gap, following


def _sampled(path: Path) -> list[Trained]:
    """Return the strategies that the solver has kept so far; none if it has not begun."""
    kept = [strategy.path for strategy in kept_strategies(path)]
    if path.exists():
        last = open_strategy(path).training["boards"]
        if last not in [open_strategy(kept_path).training["boards"] for kept_path in kept]:
            kept.append(path)
    return [_trained(SAMPLED, kept_path) for kept_path in kept]


def _trained(size: str, path: Path) -> Trained:
    training = open_strategy(path).training
    gap = training.get("gap_mb")
    label = f"{training['boards']:,} boards" if gap is None else f"gap {gap:.3g} mb/g"
    return Trained(size, label, path, float(training["cpu_seconds"]), gap)


def _judge(trained: Trained, flops: int, boards: int, workspace: Workspace) -> Judged:
    spec, seed = f"equilibrium:{trained.path}", workspace.seed
    progress, what = workspace.progress, f"{trained.size}, {trained.label}"
    workspace.tell(0, flops, what)
    on_rivers = _MB * win_on_rivers(spec, boards=boards, seed=seed, progress=progress)
    bounds = exploitability(
        spec, flops=flops, seed=seed, workers=workspace.workers, progress=progress
    )
    return Judged(trained, _in_mb(bounds.lower), _in_mb(bounds.upper), on_rivers)


def _in_mb(in_small_bets: Estimate) -> Estimate:
    return Estimate(
        _MB * in_small_bets.value, _MB * in_small_bets.stderr, in_small_bets.n, unit=_UNIT
    )


def _drawing(judged: list[Judged], seed: int) -> Drawing:
    """Plot bounds and gaps by the time that a strategy took."""
    values = [
        {
            "what": judgement.trained.size,
            "seconds": judgement.trained.cpu_seconds,
            "won": round((judgement.lower.value + judgement.upper.value) / 2, 2),
            "low": round(max(judgement.lower.low, _LEAST), 2),
            "high": round(judgement.upper.high, 2),
        }
        for judgement in judged
    ]
    gaps = [
        {
            "what": "gap in the abstraction",
            "seconds": trained.cpu_seconds,
            "won": round(trained.gap, 3),
        }
        for trained in (judgement.trained for judgement in judged)
        if trained.gap is not None
    ]
    x = alt.X(
        "seconds",
        type="quantitative",
        title="seconds of processor",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(format="~s", grid=False),
    )
    y = alt.Y(
        "won",
        type="quantitative",
        title="mb/g",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(values=[10.0**power for power in range(-1, 5)]),
    )
    present = [
        name for name in _COLOURS if any(point["what"] == name for point in [*values, *gaps])
    ]
    colour = alt.Color(
        "what",
        type="nominal",
        title=None,
        scale=alt.Scale(domain=present, range=[variable(_COLOURS[name]) for name in present]),
        legend=alt.Legend(columns=3),
    )
    curves = (
        alt.Chart(alt.InlineData(values=[*values, *gaps]))
        .encode(x=x, y=y, color=colour)
        .mark_line(strokeWidth=1.8, point=True)
    )
    bars = (
        alt.Chart(alt.InlineData(values=values))
        .encode(x=x, y=alt.Y("low", type="quantitative"), y2="high", color=colour)
        .mark_rule(strokeWidth=2)
    )
    bounds_text = "; ".join(
        f"{judgement.trained.size}, {judgement.trained.label}: {judgement.lower.value:.0f} to "
        f"{judgement.upper.value:.0f}"
        for judgement in judged
    )
    return Drawing(
        figure=Figure(
            name="exploitability-by-time",
            title="What a best response wins, by the time a strategy was solved",
            words=f"Line chart of thousandths of a small bet a game by seconds; {bounds_text}.",
            note="Bars from where the lower bound's 95 % interval begins to where the upper "
            "bound's ends; all are of the same flops, so differences are more certain. The gap is "
            "what a best response wins in the abstraction, where it is defined.",
            chart=layered(bars, curves).properties(width="container", height=LINES_HEIGHT),
        ),
        data={},
        subtitle=f"{len(judged)} strategies, seed {seed}",
    )


# An equilibrium against one that solves turn and river while it plays, each deal from both sides.
#
# The source's GS2 (5.4.3) solved the rest of a hand from the turn on by a linear program, from
# ranges that it assumed, and then called where the second solution did not fit the first. Ours
# solves by CFR+ for every holding, from the ranges that its own strategy brings there.


STRATEGY: Final = "equilibrium:small"
SOLVING: Final = f"{STRATEGY},resolve=turn"
SOLVING_WHILE_PLAYING_HANDS: Final = 1000
"""Hands of the match; the solver takes some seconds for each hand that reaches the turn."""


def solving_while_playing(workspace: Workspace) -> ExperimentResult:
    """Play the match in duplicate, and judge it by the strategy that is known."""
    deals = workspace.hands(SOLVING_WHILE_PLAYING_HANDS, least=40) // 2
    match = replace(
        workspace.match(STRATEGY, SOLVING, deals, seating=Seating.DUPLICATE), chunk=SOLVING_CHUNK
    )
    assessment = judged(workspace, workspace.play(match), {match.names[0]: STRATEGY})
    pairs = pairs_of(assessment.scores, ["money", "divat", "aivat", *BY_ROUND])
    money, divat, aivat = (pairs[name].to_numpy() for name in ("money", "divat", "aivat"))
    subtitle = f"{STRATEGY} against {SOLVING}, {match.hands:,} hands in duplicate, seed "
    subtitle += str(workspace.seed)
    by_street = {name: estimate(pairs[name].to_numpy()) for name in BY_ROUND}
    note = "Hyperborean from GS2, which solved so too."
    return ExperimentResult(
        hands=match.hands,
        rows=(
            beside("duplicate money", HYPERBOREAN_FROM_GS2, estimate(money), note),
            measured("DIVAT", estimate(divat)),
            measured("AIVAT, one known", estimate(aivat)),
            *(
                measured(f"DIVAT, {name.removeprefix('divat_')}", street_estimate)
                for name, street_estimate in by_street.items()
            ),
            measured("money sd, pairs averaged", sd(money)),
            measured("DIVAT sd, pairs averaged", sd(divat)),
            measured("AIVAT sd, pairs averaged", sd(aivat)),
            zero("money less AIVAT, paired", paired_difference(money, aivat)),
        ),
        drawings=(
            running_sums(
                "figure-5.20",
                "Figure 5.20: against an equilibrium that solves while it plays",
                pairs,
                player=STRATEGY,
                subtitle=subtitle,
                counted="pairs",
                note="The two plays of each deal averaged.",
            ),
            round_lines(
                "figure-5.21",
                "Figure 5.21: DIVAT by betting round",
                pairs,
                player=STRATEGY,
                subtitle=subtitle,
                counted="pairs",
                note="The two plays of each deal averaged. DIVAT judges by a baseline that bets "
                "its hand for value.",
            ),
        ),
    )


# Robustness of DIVAT to its settings, in a match of two equilibria as in the source.
#
# The source's players were PsOpti4 and PsOpti6, two solutions of much the same game. Ours are the
# strategy of `SIZE` and one of the same abstraction that was solved for a shorter time. Neither
# plays the baseline before the flop, so each settings' preflop values are sampled.


TWO_EQUILIBRIA_HANDS: Final = 100_000
SIZE: Final = "small"
GAP_MB: Final = 20.0
"""Winnings of a best response in the abstraction from the strategy that was solved in less time."""


def two_equilibria(workspace: Workspace) -> ExperimentResult:
    """Solve the second strategy, play the match, and score it by the settings of the sweeps."""
    names = f"equilibrium:{SIZE}", f"one with a gap of {GAP_MB:g} mb/g"
    specs = names[0], _solved_in_less_time(workspace)
    played = workspace.play(workspace.match(*specs, workspace.hands(TWO_EQUILIBRIA_HANDS)))
    every = dict.fromkeys(
        [STANDARD, *(preset for group in SWEEPS for preset in group.settings.values())]
    )
    judged = {
        settings: workspace.scores(played, settings=settings)["divat"].to_numpy()
        for settings in every
    }
    start = {settings: divat[: min(SHORT, len(divat) // 2)] for settings, divat in judged.items()}
    rows: list[Row] = []
    drawings = []
    for group in SWEEPS:
        for figure, some in ((group.figure, judged), (group.short_figure, start)):
            rows += sweep_rows(group, some)
            players = f"{names[0]} against {names[1]}, seed {workspace.seed}"
            drawings.append(sweep_drawing(group, figure, some, players))
    return ExperimentResult(hands=played.match.hands, rows=tuple(rows), drawings=tuple(drawings))


def _solved_in_less_time(workspace: Workspace) -> str:
    path = workspace.results_file(f"{SIZE}-gap-{GAP_MB:g}.strategy").absolute()
    if not path.exists():
        solve_limit(path, SIZES[SIZE], gap_mb=GAP_MB, progress=workspace.progress)
    return f"equilibrium:{path}"
