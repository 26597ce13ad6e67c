"""How often the check for missing hands is wrong about whole logs and right about cut ones.

A cut is a number of consecutive hands of one player, from a random place in a whole log. The hands
that lost most are then taken out of it. The coefficients of luck are frozen, so a hand's luck is
the same in every cut, except for one-sided all-in equity, which depends on the other all-ins. Cuts
of one log overlap, so a thousand cuts are not a thousand trials. Notes say how many do not overlap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import astuple, replace
from functools import partial
from typing import Any, Final, NamedTuple

import altair as alt
import numpy as np
import polars as pl

from railbird.assessment.all_in import NO_ALL_IN, all_ins_of
from railbird.assessment.any_table import TableAssessment, assess_batches
from railbird.assessment.control_variates import corrected, fit_of_match
from railbird.assessment.divat.any_game import LIMIT, NO_LIMIT, baseline_for, scorable
from railbird.assessment.divat.any_game_estimators import FITTED, baseline_values, unit_chips
from railbird.assessment.estimator import Scoring
from railbird.assessment.frozen_coefficients import frozen_for
from railbird.assessment.integrity import (
    STREET_BOUND,
    SUM_BOUND,
    TOTAL,
    Integrity,
    LuckCheck,
    luck_check,
)
from railbird.assessment.own_side import BIAS, BIAS_HANDS, OWN_SIDE, own_bias_of, own_luck_of
from railbird.errors import NothingUsable
from railbird.estimates import Estimate, Moments, paired_difference
from railbird.estimates.bounded_mean import Proportion
from railbird.extending import Floats
from railbird.game import Betting, Rules, acpc_rules, limit_holdem, no_limit_holdem
from railbird.histories import Skipped, read_columns
from railbird.histories.columns import UNKNOWN, HandBatch, batches_of
from railbird.report.charts import line_scales
from railbird.report.document import Figure
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import Row, claimed, measured
from railbird_papers.framework.workspace import Workspace

CUTS: Final = 1_000
"""Number of cuts of each size."""
SIZES: Final = (1_000, 3_000, 10_000)
"""Number of a player's hands in a cut."""
REMOVED: Final = (0.0, 0.01, 0.02, 0.05)
"""Shares of all hands that are removed, those that lost most."""
MISSING_HANDS_HANDS: Final = 40_000
"""Heads-up no-limit hands that are played if no log is given."""
ALL_CARDS: Final = "all cards"
OWN_CARDS: Final = "own cards"

_TWO: Final = 2
_APART: Final = 3
"""Least number of cuts that do not overlap."""
_LEAST: Final = 20
_MISSING_HANDS_BOARDS: Final = 32
_PIECE: Final = 10_000


class LogCut(NamedTuple):
    """What the check says about a cut from which hands were removed."""

    check: LuckCheck
    error: float
    """How much the removal added to the fitted estimate, in standard errors."""


class PlayerRows(NamedTuple):
    """One player's hands in the order of play."""

    rows: pl.DataFrame
    """The player's rows of `TableAssessment.scores`."""
    taken: pl.DataFrame
    """(hands,) luck taken out if all cards are known, by event."""

    def cut(self, first: int, size: int, removed: float, *, own: bool, how: Scoring) -> LogCut:
        """Check ``size`` hands from ``first`` on, without the ``removed`` share that lost most."""
        log_rows = self.rows[first : first + size]
        worst_last = np.argsort(-log_rows["money"].to_numpy(), kind="stable")
        remaining = np.sort(worst_last[: size - round(removed * size)])
        rows = log_rows[remaining]
        taken = (
            OWN_SIDE.luck_taken(rows, how) if own else self.taken[first : first + size][remaining]
        )
        before, after = log_rows["fitted"].to_numpy(), rows["fitted"].to_numpy()
        error = (after.mean() - before.mean()) / (after.std() / len(after) ** 0.5)
        return LogCut(luck_check(taken, rows["deal"].to_numpy()), float(error))


def missing_hands(workspace: Workspace) -> ExperimentResult:
    """Cut the given log, or one of our own players."""
    assessment = _assessed(workspace)
    betting = Betting.LIMIT if assessment.unit == "sb" else Betting.NO_LIMIT
    how = Scoring(frozen=frozen_for(betting, assessment.form.seats[1]))
    players = list(_players(assessment, how))
    rows: list[Row] = []
    table = []
    for size in SIZES:
        apart = sum(player.rows.height // size for player in players)
        if apart < _APART:
            continue
        for known in (ALL_CARDS, OWN_CARDS):
            cuts = _cuts(workspace, players, size, own=known == OWN_CARDS, how=how)
            for removed, log_cuts in cuts.items():
                more, shares = _rows_of(log_cuts, f"{known}, {size:,} hands", removed, apart)
                rows += more
                table.append({"cards": known, "hands": size, "removed": removed, **shares})
        if len(players) > 1:
            alarms = _for_everybody(workspace, players, size, assessment.hands)
            name = f"{ALL_CARDS}, {size:,} hands of the table, whole: no verdict on anybody"
            rows.append(_share(name, alarms, f"{len(alarms):,} cuts"))
    if not rows:
        raise NothingUsable(f"no player has {_APART * SIZES[0]:,} hands with all cards known")
    caught = pl.DataFrame(table)
    return ExperimentResult(
        hands=assessment.hands,
        rows=tuple(rows),
        drawings=(_missing_hands_drawing(caught, workspace.seed),),
        tables={"caught": caught},
    )


def _assessed(workspace: Workspace) -> TableAssessment:
    hands = (
        _own_hands(workspace)
        if workspace.data is None
        else batches_of(read_columns(workspace.data))
    )
    return assess_batches(
        hands, boards=_MISSING_HANDS_BOARDS, seed=workspace.seed, progress=workspace.progress
    )


def _own_hands(workspace: Workspace) -> Iterator[tuple[HandBatch, tuple[Skipped, ...]]]:
    policy = replace(NO_LIMIT, sizes=(0.75,) * 4)
    players = [PolicyPlayer(name=name, policy=policy, deviation=0.2) for name in ("one", "two")]
    rules, hands = (
        no_limit_holdem(2, blinds=(50, 100), stack=10_000),
        workspace.hands(MISSING_HANDS_HANDS),
    )
    for first in range(0, hands, _PIECE):
        count = min(_PIECE, hands - first)
        yield play_policies(rules, players, count, seed=workspace.seed, first=first), ()


def _players(assessment: TableAssessment, how: Scoring) -> Iterator[PlayerRows]:
    """Yield all players, but only the first of two, since the second has the same luck, negated."""
    names = assessment.players[:1] if assessment.form.seats[1] == _TWO else assessment.players
    for number, _ in enumerate(names):
        rows = assessment.scores.filter(pl.col("player") == number)
        yield PlayerRows(rows, FITTED.luck_taken(rows, how))


def _cuts(
    workspace: Workspace, players: list[PlayerRows], size: int, *, own: bool, how: Scoring
) -> dict[float, list[LogCut]]:
    """Check cuts at random places, which are the same for each share removed."""
    rng = np.random.default_rng([workspace.seed, size])
    places = np.array([max(0, player.rows.height - size + 1) for player in players])
    count = _count(workspace)
    cuts_by_share: dict[float, list[LogCut]] = {removed: [] for removed in REMOVED}
    for done in range(count):
        chosen = players[rng.choice(len(players), p=places / places.sum())]
        first = int(rng.integers(chosen.rows.height - size + 1))
        for removed, cuts in cuts_by_share.items():
            cuts.append(chosen.cut(first, size, removed, own=own, how=how))
        workspace.tell(done + 1, count, f"cuts of {size:,} hands")
    return cuts_by_share


def _for_everybody(
    workspace: Workspace, players: list[PlayerRows], size: int, hands: int
) -> list[bool]:
    """Return the stretches of the table's hands in which nobody would get a verdict."""
    rng = np.random.default_rng([workspace.seed, size])
    numbers = [player.rows["row"].to_numpy() for player in players]
    alarms = []
    for first in rng.integers(max(0, hands - size) + 1, size=_count(workspace)).tolist():
        luck = {}
        for name, (player, row) in enumerate(zip(players, numbers, strict=True)):
            here = slice(*np.searchsorted(row, [first, first + size]))
            if here.start < here.stop:
                luck[str(name)] = luck_check(
                    player.taken[here], player.rows["deal"].to_numpy()[here]
                )
        alarms.append(Integrity(luck=luck).withheld() is not None)
    return alarms


def _count(workspace: Workspace) -> int:
    return max(_LEAST, round(CUTS * min(1.0, workspace.scale)))


def _rows_of(
    cuts: list[LogCut], where: str, removed: float, apart: int
) -> tuple[list[Row], dict[str, float]]:
    """Return how many cuts get no verdict, and why; for whole logs, by each event."""
    failing = [cut.check.failing() for cut in cuts]
    error = float(np.mean([cut.error for cut in cuts]))
    shares = {
        "withheld": float(np.mean([failed_event is not None for failed_event in failing])),
        "error": error,
    }
    note = f"{len(cuts):,} cuts, {apart} of them apart"
    if removed:
        name = f"{where}, largest {removed:.0%} of losses removed: no verdict"
        note += f"; the estimate rose by {error:.1f} standard errors"
    else:
        name = f"{where}, whole: no verdict"
    rows = [_share(name, [failed_event is not None for failed_event in failing], note)]
    for event in cuts[0].check.z:
        bound = SUM_BOUND if event == TOTAL else STREET_BOUND
        beyond = [abs(cut.check.z[event]) >= bound for cut in cuts]
        shares[event] = float(np.mean(beyond))
        if not removed:
            rows.append(_share(f"{where}, whole: {event} beyond {bound:g}", beyond, note))
    return rows, shares


def _share(name: str, cases: list[bool], note: str) -> Row:
    return measured(name, Proportion.of_trials(cases), note=f"{note}.")


def _missing_hands_drawing(table: pl.DataFrame, seed: int) -> Drawing:
    colours, dashes = line_scales(table["hands"].unique().sort().to_list())
    points = (
        alt.Chart(alt.InlineData(values=table.to_dicts()))
        .mark_line(point=True)
        .encode(
            x=alt.X("removed:Q", title="share of hands removed: the largest losses"),
            y=alt.Y("withheld:Q", title="share without a verdict"),
            color=alt.Color(
                "hands:O", title="hands", scale=colours, legend=alt.Legend(format=",d")
            ),
            strokeDash=alt.StrokeDash("hands:O", title="hands", scale=dashes),
            row=alt.Row("cards:N", title="cards known"),
        )
    )
    figure = Figure(
        name="missing-hands",
        title="How often missing hands are noticed",
        words="Lines of the share of cuts without a verdict over the share of hands that were "
        "removed, for several sizes, with all cards known and with the player's own.",
        note="At zero these are false alarms.",
        chart=points,
    )
    return Drawing(figure=figure, data={}, subtitle=f"seed {seed}")


# Estimators with hidden cards: their exact bias, and what losers who do not show do to them.
#
# The luck that follows from one side's cards does not quite have mean zero, because opponents'
# actions say something about the cards that remain. If all cards are known, its mean is computed
# hand by hand. Then losers' cards are taken out of full logs, again and again, and the estimate of
# the rest is compared with that of the full log. A valid estimator is outside its own 95 % interval
# one time in twenty.


HIDDEN_CARDS_HANDS: Final = 1_000_000
"""Number of hands of each form, for the bias."""
FORMS: Final = tuple(
    [acpc_rules(limit_holdem(seats)) for seats in (2, 3, 6)]
    + [no_limit_holdem(seats, blinds=(50, 100), stack=10_000) for seats in (2, 3, 4, 5, 6, 9)]
)
REPETITIONS: Final = 200
REPEATED_HANDS: Final = 500
MOST_OUTSIDE: Final = 18
"""Most misses out of 200 at 5 %: a valid estimator has more once in 150 times."""

_HIDDEN_CARDS_BOARDS: Final = 8
_DEALS: Final = 100_000
_HEADS_UP: Final = 2
_CARDS: Final = np.array([-1, 0, 3, 4])
_HERO: Final = "hero"


def hidden_cards(workspace: Workspace) -> ExperimentResult:
    """Measure the bias for each form, then take losers' cards away."""
    rows, table = _biases(workspace)
    more, outside = _repetitions(workspace)
    hands = workspace.hands(HIDDEN_CARDS_HANDS, least=2_000) * len(FORMS)
    return ExperimentResult(
        hands=hands,
        rows=(*rows, *more),
        drawings=(_hidden_cards_drawing(table, workspace.seed),),
        tables={"bias": table, "outside": outside},
    )


def players_of(rules: Rules) -> list[PolicyPlayer]:
    """Return players of different styles (tight, loose and steady), who all deviate at times."""
    plain = LIMIT if rules.betting is Betting.LIMIT else NO_LIMIT
    offset = np.array(plain.offset)
    styles = (
        replace(plain, offset=tuple((offset - 0.1).tolist())),
        replace(plain, offset=tuple((offset + 0.1).tolist())),
        replace(plain, sizes=(0.5,) * 4),
    )
    names = [_HERO, *(f"villain {k}" for k in range(1, rules.seats))]
    return [
        PolicyPlayer(name=name, policy=styles[k % len(styles)], deviation=0.1)
        for k, name in enumerate(names)
    ]


def bias_of(batch: HandBatch) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the bias of each hand and seat by luck and by all-in equity, and the two estimates.

    All are (n, S) in the unit, with frozen coefficients: the bias of one-sided luck, the bias of
    treating folded cards as uniform, the estimate, and money.
    """
    policy, units = baseline_for(batch.rules[0]), unit_chips(batch)[:, None]
    all_ins, blind = all_ins_of(batch), all_ins_of(batch, folded_known=False)
    closed = np.where(blind.cards == NO_ALL_IN, 5, blind.cards)
    stays = (closed[:, None] > _CARDS)[:, :, None]
    beta = frozen_for(batch.rules[0].betting, batch.player.shape[1]).own_all_in[:, None]
    luck = (own_luck_of(batch, policy) * stays * beta).sum(axis=1)
    mean = (own_bias_of(batch, policy) * stays * beta).sum(axis=1)
    shares = blind.chips - all_ins.chips
    return -mean / units, shares / units, (blind.chips - luck) / units, batch.chips / units


def _biases(workspace: Workspace) -> tuple[list[Row], pl.DataFrame]:
    rows: list[Row] = []
    table = []
    hands = workspace.hands(HIDDEN_CARDS_HANDS, least=2_000)
    for rules in FORMS:
        form, unit = f"{rules.betting.value}-{rules.seats}", rules.result_unit
        sums: dict[str, Moments] = defaultdict(Moments)
        by_player: dict[int, Moments] = defaultdict(Moments)
        for first in range(0, hands, _PIECE):
            end = min(first + _PIECE, hands)
            by_name, of_players = workspace.kept(
                f"hidden-cards-{form}-hands-{first}-to-{end}",
                partial(_bias_moments, rules, first, end, workspace.seed),
            )
            for name, moments in by_name.items():
                sums[name] += Moments(*moments)
            for player, moments in enumerate(of_players):
                by_player[player] += Moments(*moments)
            workspace.tell(end, hands, form)
        allowed = BIAS * sums["estimate"].sd / BIAS_HANDS**0.5
        worst = max(by_player.values(), key=lambda moments: abs(moments.mean)).estimate(unit)
        rows += [
            measured(
                f"{form}: largest exact bias of a player's own side, {unit} a hand",
                worst,
                note=f"It could decide with less than {allowed:.2g}, a tenth of the standard error "
                f"at {BIAS_HANDS:,} hands.",
            ),
            measured(
                f"{form}: variance of money ÷ that of the own side",
                Estimate(
                    sums["money"].variance / sums["estimate"].variance,
                    0.0,
                    sums["money"].n,
                    "times",
                ),
                note="At frozen coefficients.",
            ),
        ]
        if sums["shares"].sd > 0:
            rows.append(
                measured(
                    f"{form}: folded cards taken as uniform, size of a hand's difference",
                    Estimate(sums["shares"].sd, 0.0, sums["shares"].n, unit),
                    note="Standard deviation over all hands and seats.",
                )
            )
        table.append(
            {"form": form, "bias": worst.value, "stderr": worst.stderr, "allowed": allowed}
        )
    return rows, pl.DataFrame(table)


def _bias_moments(
    rules: Rules, first: int, end: int, seed: int
) -> tuple[dict[str, list[Any]], list[list[Any]]]:
    """Return the fields of `Moments` of some hands: of each sum, and of each player's bias."""
    batch = play_policies(rules, players_of(rules), end - first, seed=seed, first=first)
    luck, shares, estimates, money = bias_of(batch)
    by_name = {"shares": shares, "estimate": estimates, "money": money}
    bias = luck + shares
    return (
        {name: [*astuple(Moments.of(values))] for name, values in by_name.items()},
        [[*astuple(Moments.of(bias[batch.player == player]))] for player in range(rules.seats)],
    )


def without_losers(batch: HandBatch, hero: str) -> HandBatch:
    """Keep what the hero's site shows: its own cards, and those of others who won at showdown."""
    holding = np.array(batch.holding)
    opponents = batch.player != batch.names.index(hero)
    folded_out = batch.action[batch.start[1:] - 1] < 0
    shown = (batch.payoff > 0) & ~folded_out[:, None]
    holding[opponents & ~shown] = UNKNOWN
    return replace(batch, holding=holding)


def _repetitions(workspace: Workspace) -> tuple[list[Row], pl.DataFrame]:
    """Count how often estimates without losers' cards miss those of the full log."""
    rows: list[Row] = []
    table = []
    count = max(20, round(REPETITIONS * min(1.0, workspace.scale * 10)))
    most = MOST_OUTSIDE if count == REPETITIONS else count * MOST_OUTSIDE // REPETITIONS + 2
    for rules in (FORMS[0], FORMS[3], FORMS[1]):
        form = f"{rules.betting.value}-{rules.seats}"
        outside: dict[str, int] = defaultdict(int)
        for repetition in range(count):
            seed = workspace.seed * REPETITIONS + repetition + 1
            misses = workspace.kept(
                f"hidden-cards-{form}-repetition-{repetition}", partial(_misses, rules, seed)
            )
            for name, is_outside in misses.items():
                outside[name] += is_outside
            workspace.tell(repetition + 1, count, f"{form} without losers")
        # With three players, all cards are shown too rarely for DIVAT to say anything.
        shown = [("DIVAT of shown hands", False)] if rules.seats == _HEADS_UP else []
        for name, valid in [("own side", True), *shown]:
            times = Estimate(float(outside[name]), 0.0, count, "repetitions")
            holds = (outside[name] <= most) if valid else (outside[name] > most)
            rows.append(
                claimed(
                    f"{form}: times of {count} that {name} without losers' cards leaves its "
                    "interval",
                    times,
                    holds,
                    rule=f"at most {most}" if valid else f"more than {most}",
                    note="" if valid else "Shown hands are not a representative sample.",
                )
            )
            table.append({"form": form, "estimator": name, "outside": outside[name], "of": count})
    return rows, pl.DataFrame(table)


def _misses(rules: Rules, seed: int) -> dict[str, bool]:
    """Return which estimates of one repetition lie outside their interval."""
    batch = play_policies(rules, players_of(rules), REPEATED_HANDS, seed=seed)
    misses = {}
    for name, difference in _differences(batch):
        low, high = difference.interval()
        misses[name] = not low <= 0 <= high
    return misses


def _differences(batch: HandBatch) -> Iterator[tuple[str, Estimate]]:
    """Yield the hero's estimates without losers' cards, minus DIVAT of the full log."""
    how = Scoring(boards=_HIDDEN_CARDS_BOARDS, position_deals=_DEALS)
    hand, seat = np.nonzero(batch.player == batch.names.index(_HERO))
    money = (batch.chips / unit_chips(batch)[:, None])[hand, seat]
    full = corrected(money, baseline_values(batch, how).luck[hand, seat])
    left = without_losers(batch, _HERO)
    luck = own_luck_of(left, baseline_for(batch.rules[0])) / unit_chips(left)[:, None, None]
    prior = frozen_for(batch.rules[0].betting, batch.player.shape[1]).own_prior
    own = fit_of_match(money, luck[hand, :, seat], hand, prior).values
    yield "own side", paired_difference(own, full)
    yield "DIVAT of shown hands", Moments.of(full[scorable(left)] - full.mean()).estimate()


def _hidden_cards_drawing(table: pl.DataFrame, seed: int) -> Drawing:
    values = alt.InlineData(
        values=table.with_columns(
            low=pl.col("bias") - 2 * pl.col("stderr"), high=pl.col("bias") + 2 * pl.col("stderr")
        ).to_dicts()
    )
    base = alt.Chart(values).encode(y=alt.Y("form:N", title=None))
    span = base.mark_rule().encode(x=alt.X("low:Q", title="bias a hand"), x2="high:Q")
    chart = span + base.mark_point(filled=True).encode(x="bias:Q")
    chart += base.mark_tick().encode(x="allowed:Q")
    figure = Figure(
        name="hidden-cards",
        title="Bias of luck from one side's cards",
        words="For each form of hold'em a point with two standard errors about it, the largest "
        "bias of a player, and a tick at what is allowed, a tenth of the standard error at 100,000 "
        "hands.",
        note="Exact in every hand; what is left of chance is which hands were dealt.",
        chart=chart,
    )
    return Drawing(figure=figure, data={}, subtitle=f"own players, seed {seed}")
