"""The publication's table of standard deviations on Leduc hold'em, by enumeration.

Its values come from sampled self-play: the mean result of an action given one player's knowledge.
Here the same values are exact, so the two entries that consist of the noise of the values become
smaller. A sample of hands shows that no estimator is biased, even with wrong values.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final, NamedTuple

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.extensive_games import (
    CHANCE,
    ExtensiveGame,
    Known,
    Profile,
    either_seat,
    seated,
    unfold,
    unfolded_profile,
)
from railbird.assessment.extensive_games_aivat import (
    GameAivat,
    ObservedGame,
    PlayMoments,
    exact_moments,
    exact_utility,
    imaginary_observations,
    observe,
)
from railbird.estimates import Estimate
from railbird.estimates.bounded_mean import Proportion
from railbird.estimates.confidence_sequences import bounded_path, confidence_sequence
from railbird.estimates.estimate import FEWEST, FIRST_LOOK, LEVEL, TUNED_FOR, Moments
from railbird.extending import Floats
from railbird.report import number_format
from railbird.report.charts import LINES_HEIGHT, layered, variable
from railbird.report.document import Figure
from railbird.solve import leduc, solve
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import (
    Published,
    Row,
    Verdict,
    beside,
    claimed,
    compared,
    measured,
    sigmas_for,
)
from railbird_papers.framework.workspace import Work, Workspace

# Leduc hold'em with seats drawn by a coin, and its players: equilibrium, random, purified.


GAP: Final = 1e-6
"""Exploitability of the equilibrium, in chips."""


@dataclass(frozen=True, slots=True, eq=False)
class Leduc:
    """The game and how each player plays both seats."""

    game: ExtensiveGame
    equilibrium: Profile
    random: Profile
    """Calls or checks as often as it bets or raises, where it may, and never folds."""
    purified: Profile
    """Plays the likeliest action of the equilibrium."""
    self_play: Floats
    """(nodes,) value between two equilibria, to the first player."""
    showdown: Floats
    """(nodes,) 1 at ends without a fold."""

    def seen_by(self, player: int) -> Floats:
        """Return the value in self-play given what a player knows, (nodes,).

        This is what solvers store: the value of an action at an information set.
        """
        profile = seated(self.equilibrium, self.equilibrium)
        known = (None, profile[1]) if player == 0 else (profile[0], None)
        seen = observe(self.game, known)
        averaged: Floats = seen.mean(self.self_play)[seen.class_of]
        return averaged


@cache
def table() -> Leduc:
    """Build the game and solve it, which takes two seconds."""
    small = leduc()
    tree = unfold(small)
    equilibrium = unfolded_profile(small, tree, solve(small, tolerance=GAP).strategy)
    game = either_seat(tree)
    folds = [np.zeros(rows, dtype=np.bool_) for rows in small.rows]
    random: list[Floats] = []
    for player, decisions in enumerate(small.decisions):
        actions = [action for decision in decisions for action in decision.actions]
        folds[player] = np.array([action == "fold" for action in actions])
        chances = [
            (a != "fold") / len(set(d.actions) - {"fold"}) for d in decisions for a in d.actions
        ]
        random.append(np.tile(np.array(chances)[:, None], small.states[player]))
    showdown = np.zeros(len(game.actor))
    for leaf in game.leaves:
        above = game.parent[leaf]
        seat, (row, _) = game.sets[0][game.information[above]]
        showdown[leaf] = not folds[seat][row + game.action[leaf]]
    return Leduc(
        game=game,
        equilibrium=equilibrium,
        random=unfolded_profile(small, tree, random),
        purified=(purified(equilibrium[0]), purified(equilibrium[1])),
        self_play=game.values(seated(equilibrium, equilibrium)),
        showdown=showdown,
    )


def purified(table: Floats) -> Floats:
    """Give the likeliest action of each information set all the probability."""
    pure: Floats = np.eye(table.shape[1])[table.argmax(axis=1)]
    return pure


LEDUC_TABLE_HANDS: Final = 1_000_000
"""Of each pair."""
PUBLISHED_HANDS: Final = 100_000
"""Number of hands behind the published numbers."""
UNIT: Final = "chips"

_ROUNDING: Final = 1e-10
_AT_EQUILIBRIUM: Final = 0.005
_NOISE: Final = 0.01
"""Published deviations below it come from the noise of the values alone."""


class Scored(NamedTuple):
    """An estimator on a pair of players."""

    pair: str
    name: str
    by_node: Floats
    """(nodes,) the estimate of hands that end there."""
    published: str = ""
    note: str = ""
    has_row: bool = True
    """Whether it has a row, or only one in the table of all."""


def leduc_table(workspace: Workspace) -> ExperimentResult:
    """Enumerate every estimator for every pair, then play hands."""
    leduc = table()
    pairs = {
        "self-play": seated(leduc.equilibrium, leduc.equilibrium),
        "equilibrium v random": seated(leduc.equilibrium, leduc.random),
        "purified v random": seated(leduc.purified, leduc.random),
    }
    scored = list(estimators(leduc, pairs))
    exact = {pair: exact_utility(leduc.game, profile) for pair, profile in pairs.items()}
    moments = [
        exact_moments(leduc.game, pairs[estimator.pair], estimator.by_node[leduc.game.leaves])
        for estimator in scored
    ]
    rows = [
        compared(
            "equilibrium v random: result",
            Published(
                text="0.69358",
                stderr=math.sqrt(exact["equilibrium v random"].variance / PUBLISHED_HANDS),
            ),
            _exactly(exact["equilibrium v random"].mean),
            "Chips a hand, as all of these. There are many equilibria, and they win differently.",
        )
    ]
    rows += [
        _spread(estimator, play_moments)
        for estimator, play_moments in zip(scored, moments, strict=True)
        if estimator.has_row
    ]
    rows += _identities(leduc, pairs)
    bias = max(
        abs(play_moments.mean - exact[estimator.pair].mean)
        for estimator, play_moments in zip(scored, moments, strict=True)
    )
    rows.append(
        claimed(
            f"largest bias of these {len(scored)}",
            _exactly(bias),
            bias < _ROUNDING,
            rule="0 but for rounding",
            note="By enumeration.",
        )
    )
    hands = workspace.hands(LEDUC_TABLE_HANDS)
    distances = _distances(leduc, pairs, scored, moments, hands, workspace.seed)
    allowed = sigmas_for(len(scored))
    for pair in pairs:
        far = max(
            abs(z) for estimator, z in zip(scored, distances, strict=True) if estimator.pair == pair
        )
        rows.append(
            claimed(
                f"{pair}: farthest mean of a sample from the exact one, standard errors",
                Estimate(far, 0.0, hands, "standard errors"),
                far <= allowed,
                rule=f"at most {allowed:.3g} standard errors, for {len(scored)} estimators",
                note="Nonsense for values and a purified player too; the table spreads has all.",
            )
        )
    workspace.record(Work("played", hands * len(pairs), 0.0))
    spreads = pl.DataFrame(
        {
            "players": [estimator.pair for estimator in scored],
            "estimator": [estimator.name for estimator in scored],
            "published": [
                float(estimator.published) if estimator.published else None for estimator in scored
            ],
            "ours": [math.sqrt(play_moments.variance) for play_moments in moments],
            "standard errors": distances,
        }
    )
    return ExperimentResult(
        hands=hands * len(pairs),
        rows=tuple(rows),
        drawings=(_leduc_table_drawing(spreads),),
        tables={"spreads": spreads},
    )


def estimators(leduc: Leduc, pairs: dict[str, Profile]) -> Iterator[Scored]:
    """Score by money, MIVAT, imaginary observations and AIVAT with one player or both known."""
    game = leduc.game
    first, second = leduc.seen_by(0), leduc.seen_by(1)
    # At a player's decisions the value given the opponent's card, at others the mean of both.
    mover = np.where(game.parent >= 0, game.actor[game.parent], -1)
    either = np.select([mover == 0, mover == 1], [second, first], (first + second) / 2)
    published = {
        "self-play": ("3.513", "2.327", "1.928", "0.00643", "", "0.00377"),
        "equilibrium v random": ("5.761", "4.412", "4.295", "1.437", "2.983", "1.782"),
    }
    nonsense = np.random.default_rng(1).normal(scale=5.0, size=len(game.actor))
    for pair, profile in pairs.items():
        printed, is_stated = iter(published.get(pair, ("",) * 6)), pair in published
        yield Scored(pair, "money", game.payoff, next(printed), has_row=is_stated)
        mivat = GameAivat(game=game, value=second).by_node()
        yield Scored(pair, "MIVAT", mivat, next(printed), has_row=is_stated)
        first_known: Known = (profile[0], None)
        imagined = imaginary_observations(game, first_known, mivat)
        yield Scored(
            pair, "MIVAT and imaginary observations", imagined, next(printed), has_row=is_stated
        )
        for name, value, known, note in (
            ("AIVAT, first known", second, first_known, ""),
            ("AIVAT, second known", first, (None, profile[1]), ""),
            ("AIVAT, both known", either, profile, _BOTH),
        ):
            by_node = GameAivat(game=game, value=value, known=known).by_node()
            yield Scored(pair, name, by_node, next(printed), note, is_stated)
        for values, value in (
            ("values of both cards", leduc.self_play),
            ("values of the pair that plays", game.values(profile)),
            ("nonsense for values", nonsense),
        ):
            for who, given in _KNOWN.items():
                known = (profile[0] if given[0] else None, profile[1] if given[1] else None)
                by_node = GameAivat(game=game, value=value, known=known).by_node()
                shown = pair == "equilibrium v random" and value is not nonsense
                yield Scored(pair, f"{who}, {values}", by_node, has_row=shown)


_BOTH: Final = (
    "Which card the published values go by is not said where both are known; here that of the "
    "opponent at decisions, and the mean at cards and seats. Other readings give 1.05 to 2.31."
)
_VALUES: Final = (
    "The values are others: the published ones are means of a sample of self-play, and are not "
    "given; ours are exact, of one of the many equilibria."
)
_KNOWN: Final = {
    "MIVAT": (False, False),
    "AIVAT, first known": (True, False),
    "AIVAT, second known": (False, True),
    "AIVAT, both known": (True, True),
}


def _spread(estimator: Scored, play_moments: PlayMoments) -> Row:
    name = f"{estimator.pair}: sd of {estimator.name}"
    spread = math.sqrt(play_moments.variance)
    if not estimator.published:
        return measured(name, _exactly(spread))
    if float(estimator.published) > _NOISE:
        printed = Published(
            text=estimator.published, stderr=play_moments.stderr_of_spread(PUBLISHED_HANDS)
        )
        row = compared(name, printed, _exactly(spread), estimator.note)
        return (
            replace(row, note=estimator.note or _VALUES) if row.verdict is Verdict.DIFFERS else row
        )
    return Row(
        name=name,
        published=Published(text=estimator.published),
        ours=_exactly(spread),
        verdict=Verdict.HOLDS if spread < float(estimator.published) else Verdict.FAILS,
        rule="less than the published number",
        note="What is published is the noise of values from sampled self-play.",
    )


def _identities(leduc: Leduc, pairs: dict[str, Profile]) -> list[Row]:
    """Check the identities that exact values must satisfy."""
    game, rows = leduc.game, []
    for pair, profile in pairs.items():
        value = game.values(profile)
        estimates = GameAivat(game=game, value=value, known=profile).by_node()
        played = game.leaves[game.reach(profile)[game.leaves] > 0]
        farthest = float(np.abs(estimates[played] - value[0]).max())
        rows.append(
            claimed(
                f"{pair}: largest distance of a hand's estimate from the mean, both known",
                _exactly(farthest),
                farthest < _ROUNDING,
                rule="0 but for rounding",
                note="With the values of the pair that plays.",
            )
        )
    profile = pairs["self-play"]
    score = GameAivat(game=game, value=leduc.seen_by(1), known=(profile[0], None))
    spread = math.sqrt(score.exact(profile).variance)
    seat = score.observed.game
    # Without its term, each seat's hands vary about the value of that seat.
    value = score.observed.mean(score.value)
    luck = np.where(seat.parent == 0, value - value[0], 0.0)
    for node in range(1, len(luck)):
        luck[node] += luck[seat.parent[node]]
    without = score.by_node() + luck[score.observed.class_of]
    unseated = math.sqrt(exact_moments(game, profile, without[game.leaves]).variance)
    below = f"below {_AT_EQUILIBRIUM:g}"
    rows += [
        claimed(
            "self-play: sd of AIVAT with exact values, one known",
            _exactly(spread),
            spread < _AT_EQUILIBRIUM,
            rule=below,
        ),
        measured("self-play: the same without the term of the position", _exactly(unseated)),
    ]
    return rows


def _distances(
    leduc: Leduc,
    pairs: dict[str, Profile],
    scored: list[Scored],
    moments: list[PlayMoments],
    hands: int,
    seed: int,
) -> list[float]:
    """Return by estimator how far its mean in a sample is from the exact one, in standard errors.

    All estimators of a pair score the same hands. The standard errors are exact. Near equilibrium
    the remaining variance belongs to hands that are too rare for a sample, so the spread of a
    sample would be too small.
    """
    rng = np.random.default_rng(seed)
    drawn = {pair: leduc.game.sample(profile, hands, rng) for pair, profile in pairs.items()}
    distances = []
    for estimator, exact in zip(scored, moments, strict=True):
        error = float(estimator.by_node[drawn[estimator.pair]].mean()) - exact.mean
        stderr = math.sqrt(exact.variance / hands)
        # Where all variance is gone, rounding is left.
        distances.append(error / stderr if stderr > _ROUNDING else 0.0)
    return distances


def _leduc_table_drawing(spreads: pl.DataFrame) -> Drawing:
    published = spreads.filter(pl.col("published").is_not_null())
    both = published.unpivot(
        ["published", "ours"], index=["players", "estimator"], variable_name="by", value_name="sd"
    )
    chart = (
        alt.Chart(alt.InlineData(values=both.to_dicts()))
        .mark_point()
        .encode(
            x=alt.X("sd:Q", title="standard deviation of a hand, chips", axis=alt.Axis(grid=True)),
            y=alt.Y(
                "estimator:N",
                title=None,
                sort=None,
                axis=alt.Axis(labelLimit=0, labelOverlap=False),
            ),
            shape=alt.Shape("by:N", title=None, legend=alt.Legend(symbolSize=90)),
            color=alt.Color(
                "by:N", title=None, scale=alt.Scale(range=[variable("skill"), variable("money")])
            ),
            row=alt.Row("players:N", title=None, header=alt.Header(labelColor=variable("ink"))),
        )
        .resolve_scale(y="independent")
    )
    large = published.filter(pl.col("published") > _NOISE)
    farthest = np.abs((large["ours"] / large["published"] - 1).to_numpy()).max()
    figure = Figure(
        name="spreads",
        title="Standard deviations of a hand of Leduc hold'em",
        words=f"Points for {published.height} entries, published and ours; the two differ by at "
        f"most {farthest:.1%} where more than noise is published.",
        note="The published ones are of 100,000 hands, ours by enumeration.",
        chart=chart,
    )
    return Drawing(figure=figure, data={}, subtitle="seats drawn by a coin")


def _exactly(value: float) -> Estimate:
    return Estimate(float(value), 0.0, 1, UNIT)


# Intervals under continuous looking: how many matches leave their interval at any hand.
#
# A match is missed if its interval leaves out the true mean at any time. Hands are mixtures: mostly
# small results, seldom one near the bound, and a skew, as in limit hold'em and as AIVAT leaves
# them.


Flags = npt.NDArray[np.bool_]

MATCHES: Final = 2000
ANYTIME_HANDS: Final = TUNED_FOR
BOUND: Final = 24.0
"""Most small bets that a hand of limit can win or lose."""
ANYTIME_RARE: Final = {"often large": 0.3, "seldom large": 0.02}
"""Parts of the hands with a large result."""
SEQUENCES: Final = ("asymptotic", "certain")
"""Intervals that must hold at any time; the asymptotic ones do so in the limit."""
PUBLISHED_NAIVE: Final = "0.6135"
"""False claims by fixed intervals under continuous looking (Li, Chen and Huang 2026)."""

_AT_ONCE: Final = 100
_FIXED: Final = "fixed, looked at all the time"
_COLOURS: Final = ("skill", "luck", "money")
_POINTS: Final = 60


def anytime(workspace: Workspace) -> ExperimentResult:
    """Simulate matches with results of both kinds; count those missed up to every hand."""
    matches = workspace.hands(MATCHES, least=_AT_ONCE)
    rng = np.random.default_rng(workspace.seed)
    started = time.perf_counter()
    rows: list[Row] = []
    curves: dict[str, dict[str, Floats]] = {}
    for place, (kind, rare) in enumerate(ANYTIME_RARE.items()):
        first = {name: np.zeros(ANYTIME_HANDS) for name in (*SEQUENCES, _FIXED)}
        at_the_end = np.zeros(0, dtype=np.bool_)
        for done in range(0, matches, _AT_ONCE):
            workspace.tell(place * matches + done, len(ANYTIME_RARE) * matches, "matches")
            values, true = results(rng, (min(_AT_ONCE, matches - done), ANYTIME_HANDS), rare)
            part = f"anytime-intervals-{kind}-matches-{done}-to-{done + len(values)}"
            outside, last = workspace.kept(part, partial(_first_missed, values, true))
            at_the_end = np.concatenate([at_the_end, np.array(last, np.bool_)])
            for name, hands in outside.items():
                np.add.at(first[name], hands, 1)
        curves[kind] = {name: counts.cumsum() / matches for name, counts in first.items()}
        rows += _rows(kind, curves[kind], at_the_end)
    workspace.record(
        Work(
            "simulated", len(ANYTIME_RARE) * matches * ANYTIME_HANDS, time.perf_counter() - started
        )
    )
    return ExperimentResult(
        hands=len(ANYTIME_RARE) * matches,
        noun="simulation",
        rows=tuple(rows),
        drawings=tuple(
            _anytime_drawing(kind, missed_shares, matches) for kind, missed_shares in curves.items()
        ),
    )


def _first_missed(values: Floats, true: float) -> tuple[dict[str, list[int]], list[bool]]:
    """Return the first hand that each interval misses, and the fixed one's missed matches."""
    outside, last = missed(values, true)
    first = {name: flags[flags.any(axis=1)].argmax(axis=1) for name, flags in outside.items()}
    return {name: hands.tolist() for name, hands in first.items()}, last.tolist()


def results(rng: np.random.Generator, shape: tuple[int, int], rare: float) -> tuple[Floats, float]:
    """Return results of hands (matches, hands), and their mean: a part ``rare`` is large."""
    sizes = np.array([-24.0, -12.0, 7.0, 18.0, -1.0, -0.5, 0.0, 1.5])
    chances = np.array([rare / 4] * 4 + [(1 - rare) / 4] * 4)
    return rng.choice(sizes, shape, p=chances), float(sizes @ chances)


def missed(values: Floats, true: float) -> tuple[dict[str, Flags], Flags]:
    """Return where each interval excludes the mean (matches, hands), the fixed interval last.

    A fixed interval is looked at from the `FEWEST`-th hand on.
    """
    hands = values.shape[1]
    count = np.arange(1, hands + 1)
    mean = values.cumsum(axis=1) / count
    deviations = np.maximum(np.square(values).cumsum(axis=1) - count * np.square(mean), 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sd = np.sqrt(deviations / (count - 1))
        half_width = sd * _unit_widths(hands)
        fixed = np.abs(mean - true) > 1.96 * sd / np.sqrt(count)
    last = fixed[:, -1].copy()
    fixed[:, : FEWEST - 1] = False
    path = bounded_path(values, bound=BOUND)
    return {
        "asymptotic": np.abs(mean - true) > half_width,
        "certain": np.abs(path.centre - true) > path.half_width,
        _FIXED: fixed,
    }, last


@cache
def _unit_widths(hands: int) -> Floats:
    """Return the half-width of `confidence_sequence` after every value of variance 1."""
    widths = np.full(hands, math.inf)
    for n in range(FIRST_LOOK, hands + 1):
        widths[n - 1] = confidence_sequence(Moments(n, 0.0, n - 1.0)).half_width
    return widths


def _rows(kind: str, curves: dict[str, Floats], at_the_end: Flags) -> list[Row]:
    matches = len(at_the_end)
    ever = {name: round(float(curve[-1]) * matches) for name, curve in curves.items()}
    shares = {name: _share(count, matches) for name, count in ever.items()}
    rows = [
        claimed(
            f"{kind}: matches that the {name} interval ever misses",
            shares[name],
            shares[name].low <= 1 - LEVEL,
            rule=f"95 % interval reaches down to {1 - LEVEL:.2g}",
        )
        for name in SEQUENCES
    ]
    once = Proportion.of_trials(at_the_end)
    return [
        *rows,
        beside(
            f"{kind}: by a fixed one, looked at after every hand",
            PUBLISHED_NAIVE,
            shares[_FIXED],
            "Published are false claims about poker agents in matches of other lengths.",
        ),
        claimed(
            f"{kind}: by a fixed one, looked at once at the end",
            once,
            once.low <= 1 - LEVEL <= once.high,
            rule=f"95 % interval contains {1 - LEVEL:.2g}",
        ),
    ]


def _share(count: int, matches: int) -> Proportion:
    return Proportion.of_trials(np.arange(matches) < count)


def _anytime_drawing(kind: str, curves: dict[str, Floats], matches: int) -> Drawing:
    """Plot the part of the matches missed so far by the hands played."""
    shown = np.unique(np.geomspace(FEWEST, ANYTIME_HANDS, _POINTS).astype(int))
    values = [
        {"interval": name, "hands": hand, "missed": round(float(curve[hand - 1]), 5)}
        for name, curve in curves.items()
        for hand in shown.tolist()
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "hands",
            type="quantitative",
            title="hands",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(format="~s", grid=False),
        ),
        y=alt.Y(
            "missed",
            type="quantitative",
            title="matches missed so far",
            axis=alt.Axis(format=".0%"),
        ),
        color=alt.Color(
            "interval",
            type="nominal",
            title=None,
            scale=alt.Scale(domain=[*curves], range=[variable(name) for name in _COLOURS]),
        ),
    )
    level = (
        alt.Chart(alt.InlineData(values=[{"missed": 1 - LEVEL}]))
        .mark_rule(color=variable("ink"), strokeDash=[2, 2])
        .encode(y=alt.Y("missed", type="quantitative"))
    )
    ends = "; ".join(
        f"{name} {number_format.percent(float(curve[-1]))}" for name, curve in curves.items()
    )
    figure = Figure(
        name=kind.replace(" ", "-"),
        title=f"Matches whose interval has left out the mean, results {kind}",
        words=f"Line chart of the part of the matches missed up to each hand; at the end: {ends}.",
        note="The dotted line is at the 5 % that intervals of 95 % promise.",
        chart=layered(level, base.mark_line(strokeWidth=1.8)).properties(
            width="container", height=LINES_HEIGHT
        ),
    )
    return Drawing(
        figure=figure, data={}, subtitle=f"{matches:,} matches of {ANYTIME_HANDS:,} hands"
    )


# AIVAT with one thing wrong, on Leduc hold'em.


WRONG_ESTIMATORS_RARE: Final = 0.01
"""Probability in self-play below which a position has no value in a solver's table."""


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """The corrected events of an observed game, by class."""

    observed: ObservedGame
    after: Floats
    """(classes,) value of the class."""
    step: Floats
    """(classes,) probability of coming here from the class above, if that is an event."""
    corrected: npt.NDArray[np.bool_]
    """(classes,) whether it is such an event."""
    dealt: npt.NDArray[np.bool_]
    """(classes,) whether cards or seats decided."""
    missing: npt.NDArray[np.bool_]
    """(classes,) whether self-play comes here too rarely for a value in a table."""

    def expected(self, weights: Floats) -> Floats:
        """Average the values that can follow an event, (classes,) by the outcome that did follow.

        It is nan where all weights are zero.
        """
        above, size = self.observed.game.parent[1:], len(self.after)
        sums = np.bincount(above, (weights * self.after)[1:], minlength=size)
        total = np.bincount(above, weights[1:], minlength=size)
        means = np.divide(sums, total, out=np.full(size, np.nan), where=total > 0)
        return np.concatenate([[0.0], means[above]])

    def estimates(self, changes: Floats) -> Floats:
        """Take the changes by events (classes,) from the result of each node, (nodes,).

        A change of nan counts as none.
        """
        luck, game = np.where(self.corrected, np.nan_to_num(changes), 0.0), self.observed.game
        for node in range(1, len(luck)):
            luck[node] += luck[game.parent[node]]
        estimates: Floats = (game.payoff - luck)[self.observed.class_of]
        return estimates


def events_of(leduc: Leduc, known: Known, value: Floats) -> Events:
    """Find the events that AIVAT corrects, with ``value`` (nodes,)."""
    seen = observe(leduc.game, known)
    game = seen.game
    original = leduc.game.actor[np.unique(seen.class_of, return_index=True)[1]]
    below = np.arange(len(game.actor)) > 0
    often = leduc.game.reach(seated(leduc.equilibrium, leduc.equilibrium))
    return Events(
        observed=seen,
        after=seen.mean(value),
        step=game.chance,
        corrected=below & (game.actor[game.parent] == CHANCE),
        dealt=below & (original[game.parent] == CHANCE),
        missing=np.bincount(seen.class_of, often) < WRONG_ESTIMATORS_RARE,
    )


def dropping(events: Events) -> Floats:
    """Leave out the correction where the value of what happened is missing."""
    changes = events.after - events.expected(events.step)
    return events.estimates(np.where(events.missing, 0.0, changes))


def found_only(events: Events) -> Floats:
    """Average only over the branches that have a value, even if another one came."""
    return events.estimates(events.after - events.expected(events.step * ~events.missing))


def found_only_and_dropping(events: Events) -> Floats:
    """Average over the branches that have a value, and correct only if one of them came.

    Both mistakes together cause no bias: the mean change among these branches is zero.
    """
    changes = events.after - events.expected(events.step * ~events.missing)
    return events.estimates(np.where(events.missing, 0.0, changes))


def equal_cards(events: Events) -> Floats:
    """Average over cards as if each rank were as likely as any other."""
    possible = np.where(events.step > 0, 1.0, 0.0)
    weights = np.where(events.dealt, possible, events.step)
    return events.estimates(events.after - events.expected(weights))


def careless_average(leduc: Leduc, known: Known, estimates: Floats) -> Floats:
    """Average estimates (nodes,) over the known player's possible cards, forgetting chance.

    Every rank counts as its play makes it likely, regardless of the cards that the others hold.
    """
    game, seen = leduc.game, observe(leduc.game, known)
    mover = game.actor[game.parent]
    steps = np.where((mover == CHANCE) | np.isnan(game.steps(known)), 1.0, game.steps(known))
    steps[0] = 1.0
    mass = steps.copy()
    for node in range(1, len(mass)):
        mass[node] *= mass[game.parent[node]]
    averaged: Floats = replace(seen, mass=mass).mean(estimates)[seen.class_of]
    return averaged
