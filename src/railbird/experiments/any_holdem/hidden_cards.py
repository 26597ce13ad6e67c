"""Estimators where cards are hidden: their exact bias, and what unshown losers do to them.

The luck that one side's cards tell has a mean that is not quite zero, since opponents' actions tell
of the cards that remain; where all cards are known its mean is computed hand by hand. Then the
cards of losers are taken out of full logs, again and again, and an estimate of what is left is set
against that of the full log: a valid one leaves its own 95 % interval in one of twenty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.all_in.adjusted_winnings import NO_ALL_IN, all_ins_of
from railbird.assessment.control_variate import corrected
from railbird.assessment.decision_divat.estimators import baseline_values, unit_chips
from railbird.assessment.decision_divat.scorer import scorable
from railbird.assessment.decision_divat.settings import LIMIT, NO_LIMIT, baseline_for
from railbird.assessment.estimator import Scoring
from railbird.assessment.fitted.cross_fit import cross_fit
from railbird.assessment.mivat.frozen import frozen_for
from railbird.assessment.own_side.own_luck import own_bias_of, own_luck_of
from railbird.assessment.own_side.settings import BIAS, BIAS_HANDS
from railbird.estimates import Estimate, Moments, paired_difference
from railbird.experiments.any_holdem.play import PolicyPlayer, play_policies
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, claimed, measured
from railbird.experiments.framework.workspace import Workspace
from railbird.game import Betting, Rules, acpc_rules, limit_holdem, no_limit_holdem
from railbird.histories.columns import UNKNOWN, HandBatch
from railbird.report.toolkit.figure import Figure

Floats = npt.NDArray[np.float64]

HANDS: Final = 1_000_000
"""Of each form, for the bias."""
FORMS: Final = tuple(
    [acpc_rules(limit_holdem(seats)) for seats in (2, 3, 6)]
    + [no_limit_holdem(seats, blinds=(50, 100), stack=10_000) for seats in (2, 3, 4, 5, 6, 9)]
)
REPETITIONS: Final = 200
REPEATED_HANDS: Final = 500
MOST_OUTSIDE: Final = 18
"""Of 200 at 5 %: more happens to a valid estimator once in 150 times."""

_PIECE: Final = 10_000
_BOARDS: Final = 8
_DEALS: Final = 100_000
_HEADS_UP: Final = 2
_CARDS: Final = np.array([-1, 0, 3, 4])
_HERO: Final = "hero"


def perform(workspace: Workspace) -> Result:
    """Measure the bias of every form, then take losers' cards away."""
    rows, table = _biases(workspace)
    more, outside = _repetitions(workspace)
    hands = workspace.hands(HANDS, least=2_000) * len(FORMS)
    return Result(
        hands=hands,
        rows=(*rows, *more),
        drawings=(_drawing(table, workspace.seed),),
        tables={"bias": table, "outside": outside},
    )


def players_of(rules: Rules) -> list[PolicyPlayer]:
    """Seat players of different styles: tight, loose and steady, all deviating at times."""
    plain = LIMIT if rules.betting is Betting.LIMIT else NO_LIMIT
    offset = np.array(plain.offset)
    styles = (
        replace(plain, offset=tuple((offset - 0.1).tolist())),
        replace(plain, offset=tuple((offset + 0.1).tolist())),
        replace(plain, fraction=0.5),
    )
    names = [_HERO, *(f"villain {k}" for k in range(1, rules.seats))]
    return [
        PolicyPlayer(name=name, policy=styles[k % len(styles)], deviation=0.1)
        for k, name in enumerate(names)
    ]


def bias_of(batch: HandBatch) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the bias of each hand and seat by luck and by all-in equity, and the two estimates.

    All (n, S) in the unit, at frozen coefficients: the bias of luck from one side's cards; that of
    taking folded cards as uniform; the estimate, and money.
    """
    policy, units = baseline_for(batch.rules[0]), unit_chips(batch)[:, None]
    told, blind = all_ins_of(batch), all_ins_of(batch, folded_known=False)
    closed = np.where(blind.cards == NO_ALL_IN, 5, blind.cards)
    stays = (closed[:, None] > _CARDS)[:, :, None]
    beta = frozen_for(batch.rules[0].betting, batch.player.shape[1]).own_all_in[:, None]
    luck = (own_luck_of(batch, policy) * stays * beta).sum(axis=1)
    mean = (own_bias_of(batch, policy) * stays * beta).sum(axis=1)
    shares = blind.chips - told.chips
    return -mean / units, shares / units, (blind.chips - luck) / units, batch.chips / units


def _biases(workspace: Workspace) -> tuple[list[Row], pl.DataFrame]:
    rows: list[Row] = []
    table = []
    hands = workspace.hands(HANDS, least=2_000)
    for rules in FORMS:
        form, unit = f"{rules.betting.value}-{rules.seats}", rules.result_unit
        sums: dict[str, Moments] = defaultdict(Moments)
        by_player: dict[int, Moments] = defaultdict(Moments)
        for first in range(0, hands, _PIECE):
            size = min(_PIECE, hands - first)
            batch = play_policies(rules, players_of(rules), size, seed=workspace.seed, first=first)
            luck, shares, estimates, money = bias_of(batch)
            sums["shares"] += Moments.of(shares)
            sums["estimate"] += Moments.of(estimates)
            sums["money"] += Moments.of(money)
            for player in range(rules.seats):
                by_player[player] += Moments.of((luck + shares)[batch.player == player])
            workspace.tell(first + size, hands, form)
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


def without_losers(batch: HandBatch, hero: str) -> HandBatch:
    """Leave what the hero's site tells: its own cards, and those of others who won at showdown."""
    holding = np.array(batch.holding)
    other = batch.player != batch.names.index(hero)
    folded_out = batch.action[batch.start[1:] - 1] < 0
    shown = (batch.payoff > 0) & ~folded_out[:, None]
    holding[other & ~shown] = UNKNOWN
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
            batch = play_policies(rules, players_of(rules), REPEATED_HANDS, seed=seed)
            for name, difference in _differences(batch):
                low, high = difference.interval()
                outside[name] += not low <= 0 <= high
            workspace.tell(repetition + 1, count, f"{form} without losers")
        # Of three, all cards are shown too seldom for DIVAT to say anything.
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


def _differences(batch: HandBatch) -> Iterator[tuple[str, Estimate]]:
    """Yield estimates of the log without losers' cards less DIVAT of the full one, of the hero."""
    how = Scoring(boards=_BOARDS, position_deals=_DEALS)
    hand, seat = np.nonzero(batch.player == batch.names.index(_HERO))
    money = (batch.chips / unit_chips(batch)[:, None])[hand, seat]
    full = corrected(money, baseline_values(batch, how).luck[hand, seat])
    left = without_losers(batch, _HERO)
    luck = own_luck_of(left, baseline_for(batch.rules[0])) / unit_chips(left)[:, None, None]
    own = cross_fit(money, luck[hand, :, seat], hand).values
    yield "own side", paired_difference(own, full)
    yield "DIVAT of shown hands", Moments.of(full[scorable(left)] - full.mean()).estimate()


def _drawing(table: pl.DataFrame, seed: int) -> Drawing:
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
