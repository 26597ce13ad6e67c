"""Pictures of what is remembered of an opponent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import Final

import altair as alt
import numpy as np

from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING
from railbird.game import Street
from railbird.modelling.opponent_statistics import OpponentStatistics, PlayedAction, Stage
from railbird.modelling.opponent_statistics.classes import OpponentClass, Verdict
from railbird.modelling.settings import LEAST_SHOWN
from railbird.report.opponents.summary import (
    ACTIONS,
    LEARNED,
    STAGE_NAMES,
    counts_of,
    folds_of,
    share,
)
from railbird.report.pushfold.range_chart import RangeScale, range_chart
from railbird.report.toolkit.charts_page import Chart
from railbird.report.toolkit.number_format import counted
from railbird.report.toolkit.palette import variable
from railbird.storage.opponent_tables import SessionFigures

VERBS: Final = {
    PlayedAction.FOLD: "fold",
    PlayedAction.CHECK: "check",
    PlayedAction.CALL: "call",
    PlayedAction.RAISE: "bet or raise",
}
_COLOURS: Final = {
    PlayedAction.FOLD: "muted",
    PlayedAction.CHECK: "luck",
    PlayedAction.CALL: "skill",
    PlayedAction.RAISE: "money",
}
_PREFLOP: Final = ("raised", "called")
"""What was done with a hand before the flop; a blind that checks has called."""
_WIDTH: Final = 420
_ROW: Final = 30
_LINES: Final = 170
_LETTER: Final = 7.5
"""Width of a letter in a label."""
_LEAST: Final = 60
"""Actions of a point over time: sessions with fewer are taken together."""


def actions_chart(of: OpponentStatistics, heading: str) -> Chart:
    """Draw the shares of actions, a bar for each stage."""
    labels, values = [], []
    for stage in Stage:
        counts = counts_of(of, stage)
        label = f"{STAGE_NAMES[stage]} ({sum(counts.values()):,})"
        labels.append(label)
        values += [
            {"row": label, "action": VERBS[action], "n": n, "order": int(action)}
            for action, n in counts.items()
            if n
        ]
    bars = (
        alt.Chart(alt.InlineData(values=values))
        .mark_bar(height=18)
        .encode(
            x=alt.X(
                "n:Q",
                stack="normalize",
                title="share of actions",
                axis=alt.Axis(format=".0%", tickCount=5),
            ),
            y=_rows(labels),
            color=_action_colour(ACTIONS),
            order=alt.Order("order:Q"),
        )
    )
    chart = alt.LayerChart(layer=[bars]).properties(width=_WIDTH, height=_ROW * len(labels))
    return Chart(chart, f"Bars: what {heading} does before the flop and on each street.")


def folds_chart(of: OpponentStatistics, heading: str) -> Chart:
    """Draw where hands are folded, a bar for each street."""
    folds = folds_of(of)
    labels = [f"{name} ({n:,})" for name, n in folds.items()]
    values = [
        {"row": label, "value": n / of.hands if of.hands else 0.0}
        for label, n in zip(labels, folds.values(), strict=True)
    ]
    bars = (
        alt.Chart(alt.InlineData(values=values))
        .mark_bar(height=18, color=variable("muted"))
        .encode(
            x=alt.X("value:Q", title="share of hands", axis=alt.Axis(format=".0%", tickCount=5)),
            y=_rows(labels),
        )
    )
    chart = alt.LayerChart(layer=[bars]).properties(width=_WIDTH, height=_ROW * len(labels))
    return Chart(chart, f"Bars: on which street {heading} folds.")


def classes_chart(classes: Sequence[OpponentClass], heading: str) -> Chart | None:
    """Draw shares with their intervals, and the thresholds; None without enough of anything."""
    known = [each for each in classes if each.verdict is not Verdict.TOO_FEW]
    if not known:
        return None
    labels = [each.name for each in known]
    values = [
        {
            "row": each.name,
            "value": each.value,
            "low": each.low,
            "high": each.high,
            "threshold": each.threshold,
            "verdict": each.verdict.value,
        }
        for each in known
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(y=_rows(labels))
    verdicts = [Verdict.YES, Verdict.UNDECIDED, Verdict.NO]
    colour = alt.Color(
        "verdict:N",
        title=None,
        scale=alt.Scale(
            domain=[verdict.value for verdict in verdicts],
            range=[variable(name) for name in ("money", "ink", "muted")],
        ),
        legend=alt.Legend(symbolType="circle", symbolStrokeWidth=0),
    )
    x = alt.X("value:Q", title="share", axis=alt.Axis(format=".0%", grid=True, tickCount=5))
    layers = [
        base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high:Q", color=colour),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, color=colour),
        base.mark_tick(thickness=2, size=18, color=variable("ink"), opacity=1).encode(
            x=alt.X("threshold:Q")
        ),
    ]
    chart = alt.LayerChart(layer=layers).properties(width=_WIDTH, height=26 * len(labels))
    return Chart(
        chart, f"Points with intervals: by which classes {heading} can be told; ticks: thresholds."
    )


def shown_charts(of: OpponentStatistics, heading: str) -> tuple[Chart, ...]:
    """Draw the hands that had to be shown, 13 by 13, by situation.

    On the blind and elsewhere they are all hands; those that were raised or called before the flop
    are the latest, which are kept with their actions, and drawn where they are enough.
    """
    blinds: dict[str, Counter[int]] = {}
    for (number, on_blind), n in sorted(of.shown_classes.items(), reverse=True):
        where = "on the blind" if on_blind else "without a blind"
        blinds.setdefault(where, Counter())[number] += n
    latest: dict[str, Counter[int]] = {f"{verb} before the flop": Counter() for verb in _PREFLOP}
    for hand in of.shown_hands:
        before_flop = [seen.action for seen in hand.actions if seen.street is Street.PREFLOP]
        if before_flop:
            verb = "raised" if PlayedAction.RAISE in before_flop else "called"
            latest[f"{verb} before the flop"][CLASS_OF_HOLDING.item(hand.holding)] += 1
    enough = {when: counts for when, counts in latest.items() if counts.total() >= LEAST_SHOWN}
    return tuple(
        _shown_chart(where, counts, heading) for where, counts in (blinds | enough).items()
    )


def _shown_chart(where: str, counts: Counter[int], heading: str) -> Chart:
    values = np.zeros(len(CLASS_NAMES))
    for number, n in counts.items():
        values[number] = n
    most = 4 * ceil(values.max() / 4)  # so that all of the legend's five are whole
    title = f"shown, {where}: {counted(counts.total())}"
    chart = range_chart(values, title=title, scale=RangeScale(full=most, legend="hands"))
    return Chart(chart, f"The kinds of starting hands that {heading} had to show, {where}.")


def aggression_chart(history: Sequence[SessionFigures], heading: str) -> Chart | None:
    """Draw aggression over the sessions, with its interval; None for fewer than two points."""
    values = []
    bets = actions = 0
    for session, each in enumerate(history, 1):
        bets, actions = bets + each.bets, actions + each.actions
        if actions >= _LEAST:
            mean = share(bets, actions)
            values.append(
                {"session": session, "value": mean.value, "low": mean.low, "high": mean.high}
            )
            bets = actions = 0
    if len(values) < 2:
        return None
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "session:Q",
            title="session",
            axis=alt.Axis(tickCount=5, tickMinStep=1, format=",d"),
            scale=alt.Scale(nice=False),
        )
    )
    y = alt.Y("value:Q", title="bets and raises", axis=alt.Axis(format=".0%", tickCount=4))
    band = base.mark_area(color=variable("money"), opacity=0.15).encode(
        y=alt.Y("low:Q"), y2="high:Q"
    )
    line = base.mark_line(color=variable("money"), strokeWidth=1.75).encode(y=y)
    chart = alt.LayerChart(layer=[band, line]).properties(width=_WIDTH, height=_LINES)
    return Chart(chart, f"Line: {heading}’s share of bets and raises, session by session.")


def ratings_chart(of: OpponentStatistics, heading: str) -> Chart | None:
    """Draw the latest ratings of hands shown after the flop, in order, by action."""
    values = [
        {"at": place + 1, "rating": round(rating, 3), "action": VERBS[action]}
        for street in (Street.FLOP, Street.TURN, Street.RIVER)
        for action in LEARNED
        for place, rating in enumerate(of.shown_ratings(street, action))
    ]
    if not values:
        return None
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "at:Q",
            title="shown hand of its kind, the oldest first",
            axis=alt.Axis(tickCount=5, tickMinStep=1),
            scale=alt.Scale(nice=False),
        ),
        color=_action_colour(LEARNED),
    )
    points = base.mark_point(filled=True, size=22, opacity=0.45).encode(
        y=alt.Y("rating:Q", title="rating", axis=alt.Axis(tickCount=5))
    )
    means = base.transform_window(
        mean="mean(rating)", frame=[-15, 15], sort=[{"field": "at"}], groupby=["action"]
    )
    line = means.mark_line(strokeWidth=2).encode(y=alt.Y("mean:Q"))
    chart = alt.LayerChart(layer=[points, line]).properties(width=_WIDTH, height=_LINES + 40)
    return Chart(chart, f"Points and running means: ratings of {heading}’s hands, by action.")


def probabilities_chart(of: OpponentStatistics, heading: str) -> Chart | None:
    """Draw the fifteen arrays: a tick for each shown hand, a point for the mean."""
    values, means, labels = [], [], []
    for stage in Stage:
        for action in LEARNED:
            entries = of.shown_probabilities(stage, action)
            if not entries:
                continue
            label = f"{STAGE_NAMES[stage]}, {VERBS[action]} ({len(entries)})"
            labels.append(label)
            wins = [entry[0] for entry in entries]
            values += [{"row": label, "wins": round(p, 4), "action": VERBS[action]} for p in wins]
            means.append({"row": label, "wins": sum(wins) / len(wins), "action": VERBS[action]})
    if not values:
        return None
    x = alt.X(
        "wins:Q",
        title="probability of winning when it acted",
        axis=alt.Axis(format=".0%", grid=True, tickCount=5),
        scale=alt.Scale(domain=[0, 1]),
    )
    colour = _action_colour(LEARNED)
    ticks = (
        alt.Chart(alt.InlineData(values=values))
        .mark_tick(thickness=1.5, size=14, opacity=0.45)
        .encode(x=x, y=_rows(labels), color=colour)
    )
    points = (
        alt.Chart(alt.InlineData(values=means))
        .mark_point(filled=True, size=60, opacity=1)
        .encode(x=x, y=_rows(labels), color=colour)
    )
    chart = alt.LayerChart(layer=[ticks, points]).properties(width=_WIDTH, height=22 * len(labels))
    return Chart(
        chart, f"Ticks: how likely {heading}’s shown hands were to win, by stage and action."
    )


def _rows(labels: Sequence[str]) -> alt.Y:
    return alt.Y(
        "row:N",
        sort=list(labels),
        title=None,
        axis=alt.Axis(
            labelColor=variable("ink"),
            labelLimit=0,
            grid=False,
            # A reader's font may be wider than the one that the picture is laid out with.
            minExtent=_LETTER * max(map(len, labels)),
        ),
    )


def _action_colour(actions: Sequence[PlayedAction]) -> alt.Color:
    return alt.Color(
        "action:N",
        title=None,
        scale=alt.Scale(
            domain=[VERBS[action] for action in actions],
            range=[variable(_COLOURS[action]) for action in actions],
        ),
        legend=alt.Legend(symbolType="square", symbolStrokeWidth=0, symbolOpacity=1),
    )
