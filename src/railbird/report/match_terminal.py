"""A heads-up match on the terminal: intervals that hold at any time, the table of a limit hand.

The table is the source's (Kan 2007).
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from railbird._arguments import checked
from railbird.assessment import SmoothedScore
from railbird.cards import Suits, cards_of, format_cards
from railbird.errors import BadInput
from railbird.report import number_format
from railbird.report.document import Table, terminal_table
from railbird.report.hand_replay import house_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from railbird.assessment import Comparison, HandScore, RoundScore
    from railbird.assessment.anytime import AnytimeEstimate
    from railbird.cards import Holding
    from railbird.estimates.confidence_sequences import AnytimeInterval

_RANK_DECIMALS = 4
_NARROW = 0.01


@checked
def anytime_table(rows: Sequence[AnytimeEstimate], player: str) -> RenderableType:
    """Lay out intervals that hold at any time, from a player's side."""
    unit = rows[0].asymptotic.unit if rows else ""
    table_rows = []
    for row in rows:
        interval, certain = row.asymptotic, row.certain
        decimals = 4 if interval.half_width < _NARROW else 2
        table_rows.append(
            (
                row.title,
                number_format.signed(interval.value, decimals),
                *(_ends(estimate, decimals) for estimate in (interval, certain)),
                "–" if row.bound is None else f"±{row.bound:g}",
            )
        )
    title = f"95 % at any time, {unit} a hand for {number_format.display_name(player)}"
    heads = ("", "mean", "asymptotic", "certain", "values within")
    return Group(Text(), terminal_table(Table(heads, table_rows, title=title)))


def _ends(interval: AnytimeInterval | None, decimals: int) -> str:
    if interval is None or math.isinf(interval.half_width):
        return "–"
    return number_format.interval(interval.low, interval.high, decimals)


@checked
def score_table(
    score: HandScore, *, holes: Sequence[Holding | None] | None = None
) -> RenderableType:
    """Lay out one hand as tables 3.3 and 3.4 of Kan (2007), with both equities below.

    Amounts are player 1's, the big blind's; ``holes`` (players 1 and 2) are shown if given.
    """
    if holes is not None and len(holes) != len(score.players):
        raise BadInput(f"{len(holes)} holdings; allowed: {len(score.players)}, or none")
    names = _names(score.players, holes)
    rows: list[tuple[str, ...]] = []

    def add(label: str, cell: Callable[[RoundScore], str], name: str = "") -> None:
        rows.append((label, name, *(cell(row) for row in score.rounds)))

    def part() -> None:
        rows.append(("",) * (2 + len(score.rounds)))

    add("Board", _board)
    part()
    for label, metric in (("IHR", "ihr"), ("7cHR", "hr7"), ("EHR", "ehr")):
        for player, name in enumerate(names):
            add(label if player == 0 else "", _rank(metric, player), name)
    for player, name in enumerate(names):
        add("Class" if player == 0 else "", _class(player), name)
    part()
    add("Actions", lambda row: row.actual)
    add("Baseline", lambda row: row.baseline)
    for label, equity in (("AIE", _aie), ("ROE", _roe)):
        part()
        add(label, _amount(equity, "actual"), "actual")
        add("", _amount(equity, "baseline"), "baseline")
        add("", _amount(equity, "difference"), "difference")
    if any(row.roe.stderr for row in score.rounds):
        add("", _stderr, "std. error")
    streets = (row.street.name.capitalize() for row in score.rounds)
    table = Table(("", "", *streets), rows, names=2, is_right=True)
    result = _summands(SmoothedScore((score,)))
    settings = f"settings {score.settings.name}"
    caption = f"{result}; small bets, {settings}.{_sampled(score.position_stderr)}{_house(score)}"
    return Group(terminal_table(table), Text(caption))


@checked
def smoothed_line(smoothed: SmoothedScore) -> RenderableType:
    """Return a line on one hand, by its averages under several settings."""
    names = " and ".join(score.settings.name for score in smoothed.scores)
    sentence = f"{_summands(smoothed)}; small bets, mean of the settings {names}."
    # All settings see the same random cards, so their errors do not cancel.
    sampled = _sampled(smoothed.mean(attrgetter("position_stderr")))
    return Text(sentence + sampled + _house(smoothed.scores[0]))


def _summands(smoothed: SmoothedScore) -> str:
    first = smoothed.scores[0]
    rake = first.rake[0]
    skill, luck, position = (
        number_format.signed(smoothed.mean(attrgetter(amount)), 4)
        for amount in ("divat", "luck", "position")
    )
    return (
        f"{number_format.display_name(first.players[0])}: "
        f"money {number_format.signed(first.money, 2)} = skill {skill} (DIVAT) + luck {luck}"
        f" + position {position}"
        + (f" {number_format.MINUS} rake {number_format.number(rake, 2)}" if rake else "")
    )


def _sampled(stderr: float) -> str:
    """State the standard error of position; luck has the same, with the opposite sign."""
    if not stderr:
        return ""
    return f" Luck and position have a standard error of {number_format.number(stderr, 4)}."


def _house(score: HandScore) -> str:
    """Say what the house took, after a space; nothing without rake."""
    first, second = (number_format.display_name(name) for name in score.players)
    words = house_words((first, second), score.rake)
    return words and f" {words}"


def _names(players: tuple[str, str], holes: Sequence[Holding | None] | None) -> tuple[str, str]:
    first, second = (number_format.display_name(name) for name in players)
    first_cards, second_cards = (
        "" if hole is None else f" {format_cards(cards_of(hole), suits=Suits.SYMBOLS)}"
        for hole in (holes or (None, None))
    )
    return first + first_cards, second + second_cards


def _board(row: RoundScore) -> str:
    return format_cards(
        row.board[-3:] if len(row.board) == 3 else row.board[-1:], suits=Suits.SYMBOLS
    )


def _rank(metric: str, player: int) -> Callable[[RoundScore], str]:
    return lambda row: f"{getattr(row, metric)[player]:.{_RANK_DECIMALS}f}"


def _class(player: int) -> Callable[[RoundScore], str]:
    return lambda row: row.classes[player].label


def _aie(row: RoundScore) -> Comparison:
    return row.aie


def _roe(row: RoundScore) -> Comparison:
    return row.roe


def _amount(equity: Callable[[RoundScore], Comparison], part: str) -> Callable[[RoundScore], str]:
    return lambda row: number_format.signed(getattr(equity(row), part), _RANK_DECIMALS)


def _stderr(row: RoundScore) -> str:
    return number_format.number(row.roe.stderr, _RANK_DECIMALS) if row.roe.stderr else ""
