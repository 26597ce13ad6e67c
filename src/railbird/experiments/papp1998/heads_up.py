"""Loki heads-up in duplicate, against players that it is not chosen on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from railbird.arena import Match, Seating
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, claimed
from railbird.experiments.papp1998.interval_chart import interval_chart
from railbird.game import acpc_rules, limit_holdem

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

VERSIONS: Final = ("loki:som", "loki:best")
OPPONENTS: Final = {
    "loki:bpl": 0.30,
    "baseline:aggressive-high": 0.40,
    "baseline:tight-low": 0.50,
    "baseline": None,
    "always-call": 1.05,
    "always-raise": 2.9,
    "random": 0.9,
}
"""Opponents, and what the best version must win of each, in small bets per hand."""
DEALS: Final = 5_000
"""Deals of a match, each played twice."""
_SMALL_BET: Final = 10
_RULES: Final = acpc_rules(limit_holdem(2, small_bet=_SMALL_BET))


def perform(workspace: Workspace) -> Result:
    """Play every version against every opponent."""
    deals = workspace.hands(DEALS, least=40)
    rows: list[Row] = []
    for version in VERSIONS:
        for opponent, least in OPPONENTS.items():
            ours = _won(workspace, version, opponent, deals)
            must = least if version == VERSIONS[-1] else None
            rule = "measured" if must is None else f"at least {must:.2f}"
            holds = must is None or ours.value >= must
            rows.append(claimed(f"{version} against {opponent}", ours, holds, rule=rule))
    hands = 2 * deals * len(rows)
    drawing = interval_chart(
        "heads-up",
        "Heads-up in duplicate",
        rows,
        amount="small bets per hand",
        subtitle=f"{2 * deals:,} hands each, seed {workspace.seed}",
    )
    return Result(hands=hands, rows=tuple(rows), drawings=(drawing,))


def _won(workspace: Workspace, version: str, opponent: str, deals: int) -> Estimate:
    match = Match(
        players=(version, opponent),
        rules=_RULES,
        deals=deals,
        seed=workspace.seed,
        seating=Seating.DUPLICATE,
    )
    won = workspace.play(match).result.payoffs.mean(axis=0)[:, 0] / _SMALL_BET
    return estimate(won)
