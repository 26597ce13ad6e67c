"""Documents on remembered opponents in any hold'em: a list of them, and everything about one.

`statistics_document` has the statistics of a log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from railbird.game import ActionKind, Street
from railbird.modelling.opponent_classes import ClassVerdict, OpponentClass
from railbird.modelling.opponent_statistics import HandStage, OpponentStatistics
from railbird.modelling.public_hand import PlayedAction
from railbird.modelling.settings import LEAST_ACTIONS, LEAST_SHOWN, SHOWN_HANDS
from railbird.modelling.tracker import ModelRecord
from railbird.report.document import Document, Figure, KeyFigure, Section, Table
from railbird.report.number_format import TOO_FEW, display_name, number, percent, signed
from railbird.report.opponent_charts import (
    ACTIONS,
    LEARNED,
    STAGE_NAMES,
    OpponentSummary,
    actions_chart,
    aggression_chart,
    classes_chart,
    counts_of,
    folds_by_street,
    folds_chart,
    probabilities_chart,
    ratings_chart,
    shown_charts,
)

_NONE: Final = "–"
_VERBS: Final = {
    PlayedAction.FOLD: "fold",
    PlayedAction.CHECK: "check",
    PlayedAction.CALL: "call",
    PlayedAction.RAISE: "bet, raise",
}


def list_document(summaries: Sequence[OpponentSummary]) -> Document:
    """List everybody, a row for each memory."""
    rows = [
        (
            display_name(stored.name),
            display_name(stored.scope.observer),
            _game_words(summary),
            f"{stored.hands:,}",
            f"{stored.sessions:,}",
            percent(bets.value, 0) if bets.n else _NONE,
            f"{stored.last_met_at:%Y-%m-%d}",
            summary.words,
        )
        for summary in summaries
        for stored, bets in [(summary.stored, summary.bets)]
    ]
    heads = ("opponent", "observer", "game", "hands", "sessions", "bets", "last met", "style")
    return Document(title="Opponents", sections=(Section(table=Table(heads, rows)),))


def opponent_document(summaries: Sequence[OpponentSummary]) -> Document:
    """Say all that is known of one opponent: a part for each memory of it."""
    name = display_name(summaries[0].stored.name)
    sections = [section for summary in summaries for section in _sections(summary, name)]
    return Document(
        title=f"{name}, as others remember it", lead=_lead(summaries), sections=sections
    )


def _lead(summaries: Sequence[OpponentSummary]) -> str:
    phrases = []
    for summary in summaries:
        if class_names := [c.name for c in summary.classes if c.verdict is ClassVerdict.YES]:
            whose = display_name(summary.stored.scope.observer)
            phrases.append(f"{', '.join(class_names)} ({whose}, {_game_words(summary)})")
    if not phrases:
        return "Too little is known to say what kind of player it is."
    return f"{'; '.join(phrases)}."


def _sections(of: OpponentSummary, name: str) -> list[Section]:
    sections = [_key_figures(of)]
    if of.statistics is not None:
        sections += [
            _classes(of, name),
            _play(of.statistics, name),
            Section(heading="Where it folds", table=_folds_table(of.statistics)),
            _shown(of.statistics, name),
            _over_time(of, name),
            _arrays(of.statistics, name),
        ]
    elif of.model is not None:
        sections += [
            Section(
                table=_frequencies_table(of.model),
                heading="Actions",
                words="What it did, by street and by the bets that it had to call.",
            ),
            _over_time(of, name),
        ]
    return sections


def _key_figures(of: OpponentSummary) -> Section:
    stored, bets = of.stored, of.bets
    key = [
        KeyFigure("hands", f"{stored.hands:,}"),
        KeyFigure("sessions", f"{stored.sessions:,}"),
        KeyFigure("bets and raises", percent(bets.value, 0) if bets.n else _NONE),
    ]
    if of.statistics is not None:
        group = of.statistics.mean_group(on_blind=False)
        key += [
            KeyFigure("showdowns", f"{of.statistics.showdowns:,}"),
            KeyFigure(
                "mean group without a blind", _NONE if group is None else number(group.value, 1)
            ),
        ]
    key.append(KeyFigure("last met", f"{stored.last_met_at:%Y-%m-%d}"))
    return Section(
        heading=f"{display_name(stored.scope.observer)}: {_game_words(of)}",
        words=f"First met on {stored.first_met_at:%Y-%m-%d at %H:%M} UTC.",
        key=key,
    )


def _classes(of: OpponentSummary, name: str) -> Section:
    return Section(
        table=_classes_table(of.classes),
        figures=_drawn(classes_chart(of.classes, name)),
        heading="What kind of player it is",
        words="Shares with their exact 95 % intervals, and the threshold (the tick) above"
        " which a class holds. It holds where the whole interval is above, and does not where it is"
        f" below; nothing is said of fewer than {LEAST_ACTIONS} actions or {LEAST_SHOWN} shown"
        " hands. The manual defines every share.",
    )


def _play(of: OpponentStatistics, name: str) -> Section:
    return Section(
        table=_actions_table(of),
        figures=[actions_chart(of, name), folds_chart(of, name)],
        heading="What it does, and where it folds",
        words="Shares of its actions, with their number; and the street on which it folded, of all"
        f" {of.hands:,} hands that it was dealt.",
    )


def _shown(of: OpponentStatistics, name: str) -> Section:
    return Section(
        table=_shown_table(of),
        figures=shown_charts(of, name),
        heading="What it had to show",
        words="Hands by starting cards, suited above the diagonal. Only hands that had to be shown"
        " count: what is shown without need may be chosen to mislead. Those that were raised or"
        f" called before the flop are of the latest {SHOWN_HANDS}.",
    )


def _over_time(of: OpponentSummary, name: str) -> Section:
    charts = _drawn(aggression_chart(of.stored.history, name))
    words = (
        "Bets and raises of all actions, with their exact 95 % interval; short sessions are taken"
        f" together. The latest {len(of.stored.history):,} sessions."
        if charts
        else "There are too few sessions to show how its aggression developed."
    )
    if of.statistics is not None and (ratings := ratings_chart(of.statistics, name)) is not None:
        charts.append(ratings)
        words += (
            " The other picture has the latest shown hands of each action and street after the"
            " flop, in order: by how many standard deviations the hand exceeded the mean of its"
            " board. The lines are running means."
        )
        table = _ratings_table(of.statistics)
        return Section(heading="Over time", words=words, figures=charts, table=table)
    return Section(heading="Over time", words=words, figures=charts)


def _arrays(of: OpponentStatistics, name: str) -> Section:
    return Section(
        table=_probabilities_table(of),
        figures=_drawn(probabilities_chart(of, name)),
        heading="How good its hands were",
        words=f"The fifteen rolling arrays, each of the latest {of.memory} entries: the probability"
        " of winning of a hand that it had to show, at the time of each of its actions. Below, the"
        " means, after a call or raise also in per cent for each big blind put in, and the number"
        " of entries.",
    )


def _game_words(of: OpponentSummary) -> str:
    """Name the game of a memory."""
    scope = of.stored.scope
    return f"{scope.game}, {scope.seats} seats"


def _classes_table(classes: Sequence[OpponentClass]) -> Table:
    """Lay out the classes with their shares, intervals and counts."""
    rows = []
    for opponent_class in classes:
        few = opponent_class.verdict.value == TOO_FEW
        rows.append(
            (
                opponent_class.name,
                opponent_class.verdict.value,
                percent(opponent_class.value, 0) if opponent_class.n else _NONE,
                _NONE
                if few
                else f"{number(100 * opponent_class.low, 0)} to {percent(opponent_class.high, 0)}",
                f"{opponent_class.n:,}",
                percent(opponent_class.threshold, 0),
            )
        )
    return Table(("class", "verdict", "share", "95 % interval", "of", "above"), rows)


def _shares_of(counts: Sequence[int]) -> list[str]:
    """Write counts as shares of their sum."""
    total = sum(counts)
    return [percent(count / total, 0) if total else _NONE for count in counts]


def _actions_table(of: OpponentStatistics) -> Table:
    """Lay out the shares of actions by stage."""
    rows = []
    for stage in HandStage:
        counts = [counts_of(of, stage)[action] for action in ACTIONS]
        rows.append((STAGE_NAMES[stage], *_shares_of(counts), f"{sum(counts):,}"))
    return Table(("stage", *_VERBS.values(), "of"), rows)


def _folds_table(of: OpponentStatistics) -> Table:
    folds = folds_by_street(of)
    row = ("folded", *_shares_of([*folds.values()]), f"{of.hands:,}")
    return Table(("hands", *folds, "of"), [row])


def _shown_table(of: OpponentStatistics) -> Table:
    """Lay out showdowns and the means of shown hands."""
    rows = [
        ("showdowns", f"{of.showdowns:,}", f"{of.hands:,}"),
        ("cards not shown", f"{of.unseen_showdowns:,}", f"{of.showdowns:,}"),
        ("cards shown without need", f"{of.shown_freely:,}", ""),
    ]
    for label, mean, decimals in (
        ("mean starting group on the blind, 1 to 9", of.mean_group(on_blind=True), 1),
        ("mean starting group elsewhere", of.mean_group(on_blind=False), 1),
        ("mean strength shown down, 0 to 7,461", of.showdown_strength, 0),
    ):
        value = _NONE if mean is None else number(mean.value, decimals)
        rows.append((label, value, f"{0 if mean is None else mean.n:,}"))
    return Table(("figure", "value", "of"), rows)


def _ratings_table(of: OpponentStatistics) -> Table:
    """Lay out the mean ratings of shown hands by street and action, with counts."""
    rows = []
    for street in Street:
        means = [of.rating(street, action) for action in LEARNED]
        cells = (_NONE if m is None else f"{signed(m.value, 2)} ({m.n})" for m in means)
        rows.append((street.name.lower(), *cells))
    return Table(("street", *(_VERBS[action] for action in LEARNED)), rows)


def _probabilities_table(of: OpponentStatistics) -> Table:
    """Lay out the fifteen arrays: probability, and behind it per big blind put in; counts."""
    rows = [
        (
            STAGE_NAMES[stage],
            *(_array_words(of.shown_probabilities(stage, action)) for action in LEARNED),
        )
        for stage in HandStage
    ]
    return Table(("stage", *(_VERBS[action] for action in LEARNED)), rows)


def _array_words(entries: Sequence[tuple[float, float, float]]) -> str:
    """Write the means of a rolling array and their count."""
    if not entries:
        return _NONE
    wins, _, per_blind = (sum(column) / len(entries) for column in zip(*entries, strict=True))
    per = f"; {number(100 * per_blind, 1)}" if per_blind else ""
    return f"{percent(wins, 0)}{per} ({len(entries)})"


def _frequencies_table(of: ModelRecord) -> Table:
    """Lay out the counts of Loki's model."""
    names = ("no bet to call", "one bet", "two or more")
    rows = []
    for street in Street:
        for bets, counts in enumerate(of.actions[street]):
            if total := sum(counts):
                parts = [percent(counts[kind] / total, 0) for kind in ActionKind]
                rows.append((street.name.lower(), names[bets], *parts, number(total, 0)))
    return Table(("street", "bets to call", "fold", "call", "raise", "of"), rows, names=2)


def _drawn(figure: Figure | None) -> list[Figure]:
    return [] if figure is None else [figure]
