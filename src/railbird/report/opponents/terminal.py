"""Tables of remembered opponents for the terminal, readable at 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table

from railbird.game import Street
from railbird.modelling.action_frequencies import ActionKind
from railbird.modelling.opponent_memory.model_records import ModelRecord
from railbird.modelling.opponent_statistics import OpponentStatistics, PlayedAction, Stage
from railbird.modelling.opponent_statistics.classes import OpponentClass
from railbird.report.opponents.summary import (
    ACTIONS,
    LEARNED,
    STAGE_NAMES,
    OpponentSummary,
    counts_of,
    folds_of,
)
from railbird.report.toolkit.number_format import (
    TOO_FEW,
    counted,
    display_name,
    number,
    percent,
    signed,
)

_NONE = "–"
_VERBS = {
    PlayedAction.FOLD: "fold",
    PlayedAction.CHECK: "check",
    PlayedAction.CALL: "call",
    PlayedAction.RAISE: "bet, raise",
}


def list_table(summaries: Iterable[OpponentSummary]) -> Table:
    """Lay out everybody, a row for each memory."""
    table = _table("", ("opponent", "observer", "game"), ("hands", "sessions", "bets", "last met"))
    table.add_column("style", overflow="fold")
    for each in summaries:
        stored = each.stored
        bets = each.bets
        table.add_row(
            display_name(stored.name),
            display_name(stored.scope.observer),
            game_words(each),
            f"{stored.hands:,}",
            f"{stored.sessions:,}",
            percent(bets.value, 0) if bets.n else _NONE,
            f"{stored.last_met_at:%Y-%m-%d}",
            each.words,
        )
    return table


def game_words(of: OpponentSummary) -> str:
    """Name the game of a memory."""
    scope = of.stored.scope
    return f"{scope.game}, {scope.seats} seats"


def headline(of: OpponentSummary) -> str:
    """Say in a line whose memory of whom it is."""
    stored = of.stored
    return (
        f"{display_name(stored.name)}, as {display_name(stored.scope.observer)} knows it:"
        f" {game_words(of)}, {counted(stored.hands)} in {counted(stored.sessions, 'session')}"
    )


def opponent_tables(of: OpponentSummary) -> list[Table]:
    """Lay out all that is known of one opponent."""
    if of.statistics is not None:
        return [
            classes_table(of.classes),
            actions_table(of.statistics),
            _folds(of.statistics),
            shown_table(of.statistics),
            ratings_table(of.statistics),
            probabilities_table(of.statistics),
        ]
    return [] if of.model is None else [frequencies_table(of.model)]


def classes_table(classes: Sequence[OpponentClass]) -> Table:
    """Lay out the classes with their shares, intervals and counts."""
    table = _table("Classes", ("class", "verdict"), ("share", "95 % interval", "of", "above"))
    for each in classes:
        few = each.verdict.value == TOO_FEW
        table.add_row(
            each.name,
            each.verdict.value,
            percent(each.value, 0) if each.n else _NONE,
            _NONE if few else f"{number(100 * each.low, 0)} to {percent(each.high, 0)}",
            f"{each.n:,}",
            percent(each.threshold, 0),
        )
    return table


def shares_of(counts: Sequence[int]) -> list[str]:
    """Write counts as shares of their sum."""
    total = sum(counts)
    return [percent(count / total, 0) if total else _NONE for count in counts]


def actions_table(of: OpponentStatistics) -> Table:
    """Lay out the shares of actions by stage."""
    table = _table("Actions", ("stage",), (*_VERBS.values(), "of"))
    for stage in Stage:
        counts = [counts_of(of, stage)[action] for action in ACTIONS]
        table.add_row(STAGE_NAMES[stage], *shares_of(counts), f"{sum(counts):,}")
    return table


def _folds(of: OpponentStatistics) -> Table:
    folds = folds_of(of)
    table = _table("Where it folds", ("street",), (*folds, "of"))
    table.add_row("hands", *shares_of([*folds.values()]), f"{of.hands:,}")
    return table


def shown_table(of: OpponentStatistics) -> Table:
    """Lay out showdowns and the means of shown hands."""
    table = _table("Showdowns", ("figure",), ("value", "of"))
    table.add_row("showdowns", f"{of.showdowns:,}", f"{of.hands:,}")
    table.add_row("cards not shown", f"{of.unseen_showdowns:,}", f"{of.showdowns:,}")
    table.add_row("cards shown without need", f"{of.shown_freely:,}", "")
    for label, mean, decimals in (
        ("mean starting group on the blind, 1 to 9", of.mean_group(on_blind=True), 1),
        ("mean starting group elsewhere", of.mean_group(on_blind=False), 1),
        ("mean strength shown down, 0 to 7,461", of.showdown_strength, 0),
    ):
        value = _NONE if mean is None else number(mean.value, decimals)
        table.add_row(label, value, f"{0 if mean is None else mean.n:,}")
    return table


def ratings_table(of: OpponentStatistics) -> Table:
    """Lay out the mean ratings of shown hands by street and action, with counts."""
    verbs = [_VERBS[action] for action in LEARNED]
    table = _table(
        "Ratings of shown hands, in standard deviations above the board", ("street",), verbs
    )
    for street in Street:
        means = [of.rating(street, action) for action in LEARNED]
        cells = [_NONE if m is None else f"{signed(m.value, 2)} ({m.n})" for m in means]
        table.add_row(street.name.lower(), *cells)
    return table


def probabilities_table(of: OpponentStatistics) -> Table:
    """Lay out the fifteen arrays: probability, and behind it per big blind put in; counts."""
    verbs = [_VERBS[action] for action in LEARNED]
    table = _table("Win probability of shown hands; per big blind put in; hands", ("stage",), verbs)
    for stage in Stage:
        table.add_row(
            STAGE_NAMES[stage],
            *(array_words(of.shown_probabilities(stage, action)) for action in LEARNED),
        )
    return table


def array_words(entries: Sequence[tuple[float, float, float]]) -> str:
    """Write the means of a rolling array and their count."""
    if not entries:
        return _NONE
    wins, _, per_blind = (sum(column) / len(entries) for column in zip(*entries, strict=True))
    per = f"; {number(100 * per_blind, 1)}" if per_blind else ""
    return f"{percent(wins, 0)}{per} ({len(entries)})"


def frequencies_table(of: ModelRecord) -> Table:
    """Lay out the counts of Loki's model."""
    names = ("no bet to call", "one bet", "two or more")
    table = _table("Actions", ("street", "bets to call"), ("fold", "call", "raise", "of"))
    for street in Street:
        for bets, counts in enumerate(of.actions[street]):
            if total := sum(counts):
                parts = [percent(counts[kind] / total, 0) for kind in ActionKind]
                table.add_row(street.name.lower(), names[bets], *parts, number(total, 0))
    return table


def _table(title: str, words: Iterable[str], numbers: Iterable[str]) -> Table:
    table = Table(title=title or None, title_justify="left", box=None)
    for word in words:
        table.add_column(word, overflow="fold")
    for each in numbers:
        table.add_column(each, justify="right", no_wrap=True)
    return table
