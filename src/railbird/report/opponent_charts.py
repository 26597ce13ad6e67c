"""Charts of remembered opponents' statistics, in any hold'em.

`opponent_document` puts them on a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import ceil
from typing import Any, Final

import numpy as np

from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING
from railbird.errors import DamagedFile
from railbird.estimates import BoundedMean
from railbird.game import Street
from railbird.modelling.opponent_classes import (
    ClassVerdict,
    OpponentClass,
    counted_classes,
    opponent_classes,
)
from railbird.modelling.opponent_statistics import KIND, HandStage, Mean, OpponentStatistics
from railbird.modelling.public_hand import PlayedAction
from railbird.modelling.settings import LEAST_SHOWN
from railbird.modelling.tracker import ModelForm, ModelRecord
from railbird.report.altair import alt
from railbird.report.charts import variable
from railbird.report.document import Figure
from railbird.report.number_format import counted
from railbird.report.range_chart import RangeScale, range_chart
from railbird.storage.opponents import StoredOpponent
from railbird.storage.tables import SessionFigures

# What one player remembers of one opponent, in numbers for all forms in which they are shown.


ACTIONS: Final = tuple(PlayedAction)
LEARNED: Final = (PlayedAction.CHECK, PlayedAction.CALL, PlayedAction.RAISE)
STAGE_NAMES: Final = {
    HandStage.ON_BLIND: "preflop, on the blind",
    HandStage.PREFLOP: "preflop",
    HandStage.FLOP: "flop",
    HandStage.TURN: "turn",
    HandStage.RIVER: "river",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentSummary:
    """A stored opponent, its record read; one of ``statistics`` and ``model`` is None."""

    stored: StoredOpponent
    statistics: OpponentStatistics | None = None
    model: ModelRecord | None = None

    @property
    def bets(self) -> BoundedMean:
        """Share of bets and raises among all actions."""
        if self.statistics is not None:
            total = self.statistics.count()
            done = self.statistics.count(action=PlayedAction.RAISE)
        else:
            total = sum(session_figures.actions for session_figures in self.stored.history)
            done = sum(session_figures.bets for session_figures in self.stored.history)
        return share(done, total)

    @property
    def words(self) -> str:
        """The classes that apply, among those decided by counts alone; empty if none does."""
        if self.statistics is None:
            return ""
        classes = counted_classes(self.statistics, self.stored.scope.seats)
        return ", ".join(
            opponent_class.name
            for opponent_class in classes
            if opponent_class.verdict is ClassVerdict.YES
        )

    @property
    def classes(self) -> tuple[OpponentClass, ...]:
        """All classes; none where the memory has no statistics."""
        if self.statistics is None:
            return ()
        return opponent_classes(self.statistics, self.stored.scope.seats)

    def as_json(self) -> dict[str, Any]:
        """Return the whole record, unrounded."""
        stored = self.stored
        known: Mapping[str, Any] = {}
        if self.statistics is not None:
            known = _statistics(self.statistics)
        elif self.model is not None:
            known = {"actions": self.model.actions, "shown": self.model.shown}
        return {
            **asdict(stored.scope),
            "version": stored.version,
            "sessions": stored.sessions,
            "hands": stored.hands,
            "first_met_at": stored.first_met_at.isoformat(),
            "last_met_at": stored.last_met_at.isoformat(),
            "aggression": self.bets.as_json(),
            **known,
            "classes": [opponent_class.as_json() for opponent_class in self.classes],
            "history": [asdict(session_figures) for session_figures in stored.history],
        }


def summarise(stored: StoredOpponent) -> OpponentSummary:
    """Read a stored opponent's record.

    Raises `railbird.errors.DamagedFile`, also for a kind of record that nobody here knows.
    """
    kind = stored.scope.kind
    try:
        if kind == KIND:
            statistics = OpponentStatistics.from_record(stored.record)
            return OpponentSummary(stored=stored, statistics=statistics)
        if kind == ModelForm().kind:
            return OpponentSummary(stored=stored, model=ModelForm().read(stored.record))
    except DamagedFile as problem:
        where = f"what {stored.scope.observer} remembers of {stored.name}"
        raise DamagedFile(f"{where}: {problem}") from None
    raise DamagedFile(
        f"what {stored.scope.observer} remembers of {stored.name}: a record of kind {kind!r};"
        f" allowed: {KIND}, {ModelForm().kind}"
    )


def share(done: int, n: int) -> BoundedMean:
    """Return a share with its exact interval."""
    return BoundedMean.of_counts({0.0: n - done, 1.0: done}, least=0, most=1, unit="share")


def counts_of(statistics: OpponentStatistics, stage: HandStage) -> dict[PlayedAction, int]:
    """Count the actions of a stage."""
    street = Street.PREFLOP if stage <= HandStage.PREFLOP else Street(stage - 1)
    on_blind = {HandStage.ON_BLIND: True, HandStage.PREFLOP: False}.get(stage)
    return {
        action: statistics.count(street=street, on_blind=on_blind, action=action)
        for action in ACTIONS
    }


def folds_by_street(statistics: OpponentStatistics) -> dict[str, int]:
    """Count hands by the street of the fold; the rest were not folded."""
    folds = {
        street.name.lower(): statistics.count(street=street, action=PlayedAction.FOLD)
        for street in Street
    }
    return {**folds, "not folded": statistics.hands - sum(folds.values())}


def _statistics(statistics: OpponentStatistics) -> dict[str, Any]:
    return {
        "actions": {
            stage.name.lower(): {
                action.name.lower(): n for action, n in counts_of(statistics, stage).items()
            }
            for stage in HandStage
        },
        "folds": folds_by_street(statistics),
        "showdowns": statistics.showdowns,
        "unseen_showdowns": statistics.unseen_showdowns,
        "shown_freely": statistics.shown_freely,
        "shown_classes": [
            {"hand": CLASS_NAMES[number], "on_blind": on_blind, "n": n}
            for (number, on_blind), n in sorted(statistics.shown_classes.items())
        ],
        "group_on_blind": _mean(statistics.mean_group(on_blind=True)),
        "group_off_blind": _mean(statistics.mean_group(on_blind=False)),
        "showdown_strength": _mean(statistics.showdown_strength),
        "ratings": {
            street.name.lower(): {
                action.name.lower(): _mean(statistics.rating(street, action)) for action in LEARNED
            }
            for street in Street
        },
        "probabilities": {
            stage.name.lower(): {
                action.name.lower(): _columns(statistics.shown_probabilities(stage, action))
                for action in LEARNED
            }
            for stage in HandStage
        },
    }


def _mean(mean: Mean | None) -> dict[str, float | int | None]:
    return {"value": None, "n": 0} if mean is None else {"value": mean.value, "n": mean.n}


def _columns(entries: tuple[tuple[float, float, float], ...]) -> dict[str, Any]:
    """The means of a rolling array and their count."""
    n = len(entries)
    names = ("value", "per_chip", "per_big_blind")
    means = [sum(column) / n for column in zip(*entries, strict=True)] if n else [None] * 3
    return {**dict(zip(names, means, strict=True)), "n": n}


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
"""The play of a hand before the flop; a blind that checks has called."""
_WIDTH: Final = 420
_ROW: Final = 30
_LINES: Final = 170
_LETTER: Final = 7.5
"""Width of a letter in a label."""
_LEAST: Final = 60
"""Actions of a point over time: sessions with fewer are taken together."""


def actions_chart(of: OpponentStatistics, heading: str) -> Figure:
    """Draw the shares of actions, a bar for each stage."""
    labels, values = [], []
    for stage in HandStage:
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
    return Figure(chart, f"Bars: what {heading} does before the flop and on each street.")


def folds_chart(of: OpponentStatistics, heading: str) -> Figure:
    """Draw where hands are folded, a bar for each street."""
    folds = folds_by_street(of)
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
    return Figure(chart, f"Bars: on which street {heading} folds.")


def classes_chart(classes: Sequence[OpponentClass], heading: str) -> Figure | None:
    """Draw shares with their intervals, and the thresholds; None without enough of anything."""
    known = [
        opponent_class
        for opponent_class in classes
        if opponent_class.verdict is not ClassVerdict.TOO_FEW
    ]
    if not known:
        return None
    labels = [opponent_class.name for opponent_class in known]
    values = [
        {
            "row": opponent_class.name,
            "value": opponent_class.value,
            "low": opponent_class.low,
            "high": opponent_class.high,
            "threshold": opponent_class.threshold,
            "verdict": opponent_class.verdict.value,
        }
        for opponent_class in known
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(y=_rows(labels))
    verdicts = [ClassVerdict.YES, ClassVerdict.UNDECIDED, ClassVerdict.NO]
    colour = alt.Color(
        "verdict:N",
        title=None,
        scale=alt.Scale(
            domain=[verdict.value for verdict in verdicts],
            range=[variable(name) for name in ("money", "ink", "muted")],
        ),
        legend=alt.Legend(symbolType="circle", symbolStrokeWidth=0),
    )
    x = alt.X(
        "value:Q",
        title="share; upright lines: bounds of the classes",
        axis=alt.Axis(format=".0%", grid=True, tickCount=5),
    )
    layers = [
        base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high:Q", color=colour),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, color=colour),
        base.mark_tick(thickness=2, size=18, color=variable("ink"), opacity=1).encode(
            x=alt.X("threshold:Q")
        ),
    ]
    chart = alt.LayerChart(layer=layers).properties(width=_WIDTH, height=26 * len(labels))
    return Figure(
        chart, f"Points with intervals: by which classes {heading} can be told; ticks: thresholds."
    )


def shown_charts(of: OpponentStatistics, heading: str) -> tuple[Figure, ...]:
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


def _shown_chart(where: str, counts: Counter[int], heading: str) -> Figure:
    values = np.zeros(len(CLASS_NAMES))
    for number, n in counts.items():
        values[number] = n
    most = 4 * ceil(values.max() / 4)  # so that all of the legend's five are whole
    title = f"shown, {where}: {counted(counts.total())}"
    scale = RangeScale(full=most, legend="hands")
    chart = partial(range_chart, values, title=title, scale=scale)
    return Figure(chart, f"The kinds of starting hands that {heading} had to show, {where}.")


def aggression_chart(history: Sequence[SessionFigures], heading: str) -> Figure | None:
    """Draw aggression over the sessions, with its interval; None for fewer than two points."""
    values = []
    bets = actions = 0
    for session, session_figures in enumerate(history, 1):
        bets, actions = bets + session_figures.bets, actions + session_figures.actions
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
    return Figure(chart, f"Line: {heading}’s share of bets and raises, session by session.")


def ratings_chart(of: OpponentStatistics, heading: str) -> Figure | None:
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
    return Figure(chart, f"Points and running means: ratings of {heading}’s hands, by action.")


def probabilities_chart(of: OpponentStatistics, heading: str) -> Figure | None:
    """Draw the fifteen arrays: a tick for each shown hand, a point for the mean."""
    values, means, labels = [], [], []
    for stage in HandStage:
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
    return Figure(
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
