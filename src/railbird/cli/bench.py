"""``railbird machine bench``: how fast this machine is at the things that take time."""

from __future__ import annotations

import time
from collections.abc import Callable

import click

from railbird import arena, assessment, baseline, cards, game, histories, odds
from railbird.cli._console import json_option, print_json, print_table, progress
from railbird.report.document import Table

_SECONDS = 0.5
"""Each job is repeated for this long, after one run that compiles it."""

Job = tuple[str, str, int, Callable[[], object]]
"""Name, unit, number of units in a run, and the run."""


@click.command(name="bench")
@json_option
def command(*, as_json: bool) -> None:
    """Measure the speed of this machine; `make bench` in a clone adds other libraries.

    \b
    Example:
      railbird machine bench
    """
    with progress() as notify:
        jobs = _jobs()
        rows = []
        for done, (what, unit, count, run) in enumerate(jobs):
            notify(done, len(jobs), "measuring")
            rows.append({"what": what, "value": count / _seconds(run), "unit": f"{unit}/s"})
    if as_json:
        print_json({"rows": rows})
        return
    table_rows = [(str(row["what"]), f"{row['value']:,.0f}", str(row["unit"])) for row in rows]
    print_table(Table(("", "", ""), table_rows))


def _seconds(run: Callable[[], object]) -> float:
    """Best time of one run: what else the machine does can only add to it."""
    run()
    best, start = float("inf"), time.perf_counter()
    while time.perf_counter() - start < _SECONDS:
        before = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - before)
    return best


def _jobs() -> tuple[Job, ...]:
    import numpy as np

    hand = cards.parse_cards("Ts6sTd5hTh2d2h")
    hands = np.ascontiguousarray(game.seeded_deals(np.random.default_rng(0), 2, 1_000_000)[:, 2:])
    match = arena.Match(
        players=("always-call", "always-raise"), rules=game.HEADS_UP_LIMIT, deals=20_000, seed=0
    )
    record = histories.read_hand("T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC")
    scorer = assessment.open_scorer(baseline.STANDARD)
    return (
        ("strength of seven cards, one by one", "hands", 1, lambda: cards.strength(hand)),
        (
            "strength of seven cards, in an array",
            "hands",
            len(hands),
            lambda: cards.strengths(hands),
        ),
        (
            "random v random on a flop, exact",
            "equities",
            1,
            lambda: odds.equity(["random"] * 2, "Ks9s2d"),
        ),
        ("a match of compiled players", "hands", match.hands, lambda: arena.play(match)),
        (
            "one hand scored in full",
            "hands",
            1,
            lambda: assessment.score_hand(record, scorer=scorer),
        ),
    )
