"""Everybody against everybody in duplicate, by money, duplicate money, DIVAT and AIVAT.

The source's competitions were ranked by all winnings (*bankroll*) and by matches won (*series*).
So are these players, by the estimator that tells most of each meeting: all four are unbiased, and
the one with the smallest standard error counts. These differ so much that it is no choice by the
result: mostly it is AIVAT where a player's strategy is known, and DIVAT elsewhere.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from railbird.arena import Seating
from railbird.estimates import Estimate
from railbird.estimates.estimate import Z_95, estimate, paired_difference
from railbird.experiments.framework.figures import Drawing, significance_chart
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, beside, measured, sigmas_for, zero
from railbird.experiments.limit_players import published
from railbird.experiments.limit_players.scores import judged, known_of, pairs_of
from railbird.report.toolkit import number_format

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

PLAYERS = (
    "equilibrium:small",
    "baseline",
    "loki:basic",
    "killer",
    "booker:1",
    "vexbot",
    "always-call",
    "always-raise",
)
HANDS = 2000
"""In each match."""

_Meeting = dict[str, Estimate]
"""By money, duplicate, divat and, where a player is known, aivat: of the first player, a hand."""
_Results = dict[tuple[str, str], Estimate]
"""Of the first player of each meeting."""


def perform(workspace: Workspace) -> Result:
    """Play all matches and rank the players in both ways, see above."""
    deals = workspace.hands(HANDS) // 2
    meetings: dict[tuple[str, str], _Meeting] = {}
    rows: list[Row] = []
    everybody = list(combinations(PLAYERS, 2))
    for one, other in everybody:
        match = workspace.match(one, other, deals, seating=Seating.DUPLICATE)
        known = known_of({one: one, other: other})
        found = judged(workspace, workspace.play(match), known)
        names = ["money", "divat", *(["aivat"] if known else [])]
        pairs = pairs_of(found.scores, names)
        meetings[one, other] = {
            "money": estimate(found.scores["money"].to_numpy()),
            "duplicate": estimate(pairs["money"].to_numpy()),
            **{name: estimate(pairs[name].to_numpy()) for name in names[1:]},
        }
        less = paired_difference(pairs["money"].to_numpy(), pairs[names[-1]].to_numpy())
        title = "AIVAT" if known else "DIVAT"
        sigmas = sigmas_for(len(everybody))
        rows.append(zero(f"duplicate less {title}, {one} from {other}", less, sigmas=sigmas))
    return Result(
        hands=len(everybody) * 2 * deals,
        rows=(*_ranking_rows(meetings), *rows),
        drawings=_drawings(
            meetings, f"In standard errors; {2 * deals:,} hands each, seed {workspace.seed}"
        ),
        tables={"crosstable": _crosstable(meetings)},
    )


def _surest(meeting: _Meeting) -> str:
    """Return the name of the estimate with the smallest standard error, the last one of several."""
    return min(reversed(meeting), key=lambda name: meeting[name].stderr)


def _against(results: _Results, player: str) -> list[Estimate]:
    """Return a player's results against each of the others."""
    return [
        result if player == pair[0] else -result
        for pair, result in results.items()
        if player in pair
    ]


def _average(results: list[Estimate]) -> Estimate:
    """Average results; the cards of all matches are the same, so errors do not shrink for sure."""
    return replace(
        results[0],
        value=fmean(each.value for each in results),
        stderr=fmean(each.stderr for each in results),
    )


def _ranking_rows(meetings: dict[tuple[str, str], _Meeting]) -> list[Row]:
    surest: _Results = {pair: meeting[_surest(meeting)] for pair, meeting in meetings.items()}
    money: _Results = {pair: meeting["duplicate"] for pair, meeting in meetings.items()}
    bankroll, by_money = (
        {player: _average(_against(results, player)) for player in PLAYERS}
        for results in (surest, money)
    )
    series = {p: sum(each.value > 0 for each in _against(surest, p)) for p in PLAYERS}
    by_bankroll = sorted(PLAYERS, key=lambda p: -bankroll[p].value)
    by_series = sorted(PLAYERS, key=lambda p: (-series[p], -bankroll[p].value))
    moved = sum(p != q for p, q in zip(by_bankroll, by_series, strict=True))
    by_luck = sorted(PLAYERS, key=lambda p: -by_money[p].value)
    misplaced = sum(p != q for p, q in zip(by_bankroll, by_luck, strict=True))
    first = by_bankroll[0]
    rows = [
        beside(
            f"the first by winnings, {first}",
            published.HYPERBOREAN_AVERAGE,
            bankroll[first],
            note="Hyperborean's average in the source's fast event.",
        ),
        measured(
            "places that differ by matches won",
            Estimate(float(moved), 0.0, len(PLAYERS), unit="places"),
            note=f"First by matches won: {by_series[0]}, {series[by_series[0]]} of "
            f"{len(PLAYERS) - 1}.",
        ),
    ]
    rows.append(
        measured(
            "places that differ by duplicate money",
            Estimate(float(misplaced), 0.0, len(PLAYERS), unit="places"),
            note=f"First by duplicate money: {by_luck[0]}.",
        )
    )
    for place, player in enumerate(by_bankroll, start=1):
        rows.append(
            measured(
                f"{place}. {player}, winnings a hand",
                bankroll[player],
                note=f"{series[player]} matches won; duplicate money "
                f"{number_format.signed(by_money[player].value, 3)} "
                f"± {by_money[player].stderr * Z_95:.3f}.",
            )
        )
    return rows


def _drawings(meetings: dict[tuple[str, str], _Meeting], subtitle: str) -> tuple[Drawing, ...]:
    drawings = []
    for name, title in (("duplicate", "Duplicate money"), ("divat", "DIVAT"), ("aivat", "AIVAT")):
        cells = {}
        for player in PLAYERS:
            for (one, other), meeting in meetings.items():
                if player not in (one, other) or name not in meeting:
                    continue
                result = meeting[name] if player == one else -meeting[name]
                away = result.value / result.stderr if result.stderr else 0.0
                cells[player, other if player == one else one] = float(np.clip(away, -99, 99))
        drawings.append(
            significance_chart(
                name,
                f"Tables 5.1 and 5.2: {title}",
                cells,
                subtitle=subtitle,
                note="What the player of the row won from that of the column, in standard errors."
                + (" Empty where neither strategy is known." if name == "aivat" else ""),
            )
        )
    return tuple(drawings)


def _crosstable(meetings: dict[tuple[str, str], _Meeting]) -> pl.DataFrame:
    """Lay out both sides of every meeting: which estimate counts, and all with standard errors."""
    rows = []
    for (one, other), meeting in meetings.items():
        for player, opponent, sign in ((one, other, 1.0), (other, one, -1.0)):
            row: dict[str, object] = {"player": player, "opponent": opponent}
            row["surest"] = _surest(meeting)
            for name in ("money", "duplicate", "divat", "aivat"):
                found = meeting.get(name)
                row[name] = None if found is None else sign * found.value
                row[f"{name}_stderr"] = None if found is None else found.stderr
            rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)
