"""Loki at other numbers of seats than ten.

Heads-up it plays in duplicate against players that it is not chosen on; at two to ten seats SOM
shares the table with as many BPL, and the same deals are played in every seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from railbird.arena import Match, Seating
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, claimed, measured
from railbird.experiments.papp1998.interval_chart import interval_chart
from railbird.game import Rules, acpc_rules, limit_holdem

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

VERSIONS: Final = ("loki:som", "loki:best")
"""Versions that play heads-up."""
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
SEATS: Final = range(2, 11)
HANDS: Final = 50_000
"""Hands played at each number of seats."""
_LEAST_DEALS: Final = 40


def heads_up(workspace: Workspace) -> Result:
    """Play every version against every opponent."""
    deals = workspace.hands(DEALS, least=_LEAST_DEALS)
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
        rules=_rules(2),
        deals=deals,
        seed=workspace.seed,
        seating=Seating.DUPLICATE,
    )
    won = workspace.play(match).result.payoffs.mean(axis=0)[:, 0] / _SMALL_BET
    return estimate(won)


def by_seats(workspace: Workspace) -> Result:
    """Play SOM and BPL at each number of seats, SOM with one more copy where it is odd."""
    rows: list[Row] = []
    hands = 0
    for seats in SEATS:
        deals = workspace.hands(HANDS // seats, least=_LEAST_DEALS)
        match = Match(
            players=("loki:som",) * (seats - seats // 2) + ("loki:bpl",) * (seats // 2),
            rules=_rules(seats),
            deals=deals,
            seed=workspace.seed,
            seating=Seating.PERMUTED,
        )
        won = workspace.play(match).result.payoffs.mean(axis=0) / _SMALL_BET
        som, bpl = (part.mean(axis=1) for part in np.split(won, [seats - seats // 2], axis=1))
        rows.append(measured(f"SOM less BPL, {seats} seats", estimate(som - bpl)))
        hands += match.hands
    drawing = interval_chart(
        "seats",
        "SOM less BPL by number of seats",
        rows,
        amount="small bets per hand",
        subtitle=f"half SOM, half BPL; every deal in every seat, seed {workspace.seed}",
    )
    return Result(hands=hands, rows=tuple(rows), drawings=(drawing,))


def _rules(seats: int) -> Rules:
    return acpc_rules(limit_holdem(seats, small_bet=_SMALL_BET))
