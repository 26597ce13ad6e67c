"""The eight cognitive activities of Booker (2004), 7.10, each with a number that can be measured.

The source judges by argument whether an implementation shows an activity. Here each activity is a
behaviour in fixed situations for two with 75 big blinds, after a given experience, and every
holding counts as often as it comes. Nobody pays for information here: a hand that is called down
whatever it is would look like a change of mind.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.stats import spearmanr

from railbird._files import replace_files
from railbird.cards import Holding
from railbird.errors import DamagedFile
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.experiments.booker2004.curves import means_with_intervals
from railbird.experiments.booker2004.probes import (
    Experienced,
    Situation,
    asked,
    called,
    experienced,
    random_flops,
    rules,
    share_changed,
    share_played,
    share_right,
)
from railbird.experiments.booker2004.setting import PROBES, STACK
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, Verdict, measured
from railbird.experiments.framework.workspace import Work
from railbird.game import Action, Call, Raise
from railbird.odds import classes_matrix, hand_rank, open_tables
from railbird.units import Chips

if TYPE_CHECKING:
    from pathlib import Path

    from railbird.experiments.framework.workspace import Workspace

AGENTS: Final = {
    "Booker 1": "booker:1",
    "Booker 2": "booker:2",
    "Booker 3": "booker:3,pay=0",
    "Booker 4": "booker:4,pay=0",
    "tight": "tight:nolimit",
}
MANIAC: Final = "always-raise:random"
ROCK: Final = "booker:1"
"""Heads-up it raises tens or better before the flop, and nothing else."""
HANDS: Final = 200
"""Hands of experience: four times what the learners remember of an action."""
AFTER_CHANGE: Final = 100
FLOPS: Final = 60
"""Holdings with flops behind a number of one repetition."""

_OPENED: Final = Situation(rules=rules(), actions=(Raise(Chips(60)),))
_OPENED_LARGE: Final = Situation(rules=rules(), actions=(Raise(Chips(300)),))
_ALL_IN: Final = Situation(rules=rules(), actions=(Raise(Chips(STACK)),))
_SHORT: Final = 60
_LIMPED: Final = (Call(), Call())


@dataclass(frozen=True, slots=True)
class Activity:
    """One activity and its measurement."""

    name: str
    what: str
    """What the number is, and how it is read."""
    measure: Callable[[str, int], float]
    """From a player's spec and a seed."""
    shown: tuple[bool, ...]
    """By implementation 1 to 4: does the source say that it shows the activity?"""
    none: float = 0.0
    """The number of a player without it."""


def _right_against_any_two(spec: str, seed: int) -> float:
    player = experienced(spec, MANIAC, HANDS, seed)
    worth = classes_matrix()
    equity = (worth.wins + worth.ties / 2).sum(axis=1) / worth.boards.sum(axis=1)
    odds = (STACK - 20) / (2 * STACK)
    return share_right(
        player, _ALL_IN, lambda kind, action: called(action) == bool(equity[kind] >= odds)
    )


def _right_on_flops(spec: str, seed: int) -> float:
    player, rng = experienced(spec, MANIAC, HANDS, seed), np.random.default_rng(seed)
    tables, right = open_tables(), 0
    behind = _SHORT - 20
    for holding, flop in random_flops(FLOPS, rng):
        situation = Situation(
            rules=rules(_SHORT), actions=(*_LIMPED, Raise(Chips(behind))), board=flop
        )
        equity = hand_rank(holding, flop, tables=tables).hr7
        odds = behind / (2 * _SHORT)
        right += called(asked(player, situation, holding)) == (equity >= odds)
    return right / FLOPS


def _first_bets(player: Experienced, seed: int) -> list[tuple[float, int | None]]:
    """Return the equity against any two cards and the bet, where it may bet first on a flop."""
    rng, tables = np.random.default_rng(seed), open_tables()
    answers = []
    for holding, flop in random_flops(FLOPS, rng):
        situation = Situation(rules=rules(), actions=_LIMPED, board=flop)
        action: Action = asked(player, situation, Holding(holding))
        bet = int(action.to) if isinstance(action, Raise) else None
        answers.append((hand_rank(holding, flop, tables=tables).hr7, bet))
    return answers


def _sizes_follow_strength(spec: str, seed: int) -> float:
    bets = [
        (equity, bet)
        for equity, bet in _first_bets(experienced(spec, ROCK, HANDS, seed), seed)
        if bet is not None
    ]
    if len(bets) < 3 or len({bet for _, bet in bets}) < 2:
        return 0.0
    equities, sizes = np.array(bets).T
    return float(spearmanr(equities, sizes).statistic)


def _bluffs(spec: str, seed: int) -> float:
    bets = [
        equity
        for equity, bet in _first_bets(experienced(spec, ROCK, HANDS, seed), seed)
        if bet is not None
    ]
    return sum(equity < 0.5 for equity in bets) / len(bets) if bets else 0.0


def _tells_styles_apart(spec: str, seed: int) -> float:
    return share_changed(
        experienced(spec, MANIAC, HANDS, seed), experienced(spec, ROCK, HANDS, seed), _OPENED_LARGE
    )


def _respects_size(spec: str, seed: int) -> float:
    player = experienced(spec, ROCK, HANDS, seed)

    def raises(_: int, action: Action) -> bool:
        return isinstance(action, Raise)

    return share_right(player, _OPENED, raises) - share_right(player, _OPENED_LARGE, raises)


def _notices_change(spec: str, seed: int) -> float:
    before = experienced(spec, ROCK, HANDS, seed)
    after = experienced(spec, ROCK, HANDS, seed, then=MANIAC, more=AFTER_CHANGE)
    return share_changed(after, before, _OPENED_LARGE)


def _minds_stacks(spec: str, seed: int) -> float:
    player = experienced(spec, ROCK, HANDS, seed)
    all_in = Situation(rules=rules(300), actions=_OPENED_LARGE.actions)
    return abs(share_played(player, all_in) - share_played(player, _OPENED_LARGE))


ACTIVITIES: Final = (
    Activity(
        "1 reasoning under uncertainty",
        "share of holdings called or folded rightly against the all-in bet of a player known to "
        "raise anything; calling with all gets 0.5",
        _right_against_any_two,
        (True, True, True, True),
        0.5,
    ),
    Activity(
        "2 probabilistic outcomes",
        "share of holdings called or folded rightly, by the exact chance of winning, against an "
        "all-in bet of the pot on the flop by the same player; calling with all gets 0.7",
        _right_on_flops,
        (True, True, True, True),
        0.7,
    ),
    Activity(
        "3 several options",
        "rank correlation of first bets on the flop with the chance of winning; 0 for one size",
        _sizes_follow_strength,
        (True, True, True, True),
    ),
    Activity(
        "4 individual differences",
        "share of holdings answered differently, by a fold, a call or a raise, against an opening "
        "raise of 15 big blinds by a known maniac than by a known rock",
        _tells_styles_apart,
        (False, True, True, True),
    ),
    Activity(
        "5 inference of intent",
        "holdings raised against an opening raise of 3 big blinds, less against one of 15; what a "
        "call costs plays no part in a raise",
        _respects_size,
        (False, False, True, True),
    ),
    Activity(
        "6 deception",
        "share of first bets on the flop made with the worse hand against any two cards",
        _bluffs,
        (False, False, True, True),
    ),
    Activity(
        "7 pattern recognition",
        "share of holdings answered differently 100 hands after a rock has turned maniac than "
        "before, against an opening raise of 15 big blinds",
        _notices_change,
        (False, False, False, False),
    ),
    Activity(
        "8 economic behaviour",
        "change in the share of holdings played against an opening raise of 15 big blinds if that "
        "is all the chips rather than a fifth of them",
        _minds_stacks,
        (False, False, False, False),
    ),
)


def perform(workspace: Workspace) -> Result:
    """Measure all activities of all agents, by independent repetitions."""
    count = max(2, round(PROBES * workspace.scale))
    rows: list[Row] = []
    means: dict[str, dict[str, Estimate]] = {activity.name: {} for activity in ACTIVITIES}
    values = _measured(workspace, count)
    for activity in ACTIVITIES:
        for place, (label, spec) in enumerate(AGENTS.items()):
            ours = _mean([values[_key(activity, spec, seed)] for seed in _seeds(workspace, count)])
            means[activity.name][label] = ours
            name = f"{activity.name}, {label}"
            said = activity.shown[place] if place < len(activity.shown) else None
            note = f"{activity.name}: {activity.what}."
            rows.append(
                measured(name, ours, note) if said is None else _row(activity, name, ours, said)
            )
    return Result(
        hands=count,
        noun="repetition",
        rows=tuple(rows),
        drawings=tuple(
            means_with_intervals(
                activity.name.replace(" ", "-"),
                f"Activity {activity.name}",
                means[activity.name],
                amount="measured",
                subtitle=f"{count} repetitions, seed {workspace.seed}",
                note=f"The {activity.what}.",
            )
            for activity in ACTIVITIES
        ),
    )


def _measured(workspace: Workspace, count: int) -> dict[str, float]:
    """Measure what the workspace's file lacks, one repetition of one agent after the other."""
    path = workspace.results_file(f"booker-activities-seed-{workspace.seed}.json")
    values = _read(path)
    started, total = time.perf_counter(), count * len(AGENTS)
    for done, (seed, spec) in enumerate(product(_seeds(workspace, count), AGENTS.values())):
        workspace.tell(done, total, "measuring activities")
        lacking = [one for one in ACTIVITIES if _key(one, spec, seed) not in values]
        if lacking:
            values |= {_key(one, spec, seed): one.measure(spec, seed) for one in lacking}
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_files({path: json.dumps(values).encode()})
    workspace.record(Work("measured", total, time.perf_counter() - started))
    return values


def _seeds(workspace: Workspace, count: int) -> range:
    first = workspace.seed * PROBES
    return range(first, first + count)


def _key(activity: Activity, spec: str, seed: int) -> str:
    return f"{activity.name}, {spec}, {seed}"


def _read(path: Path) -> dict[str, float]:
    try:
        values = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as problem:
        raise DamagedFile(f"{path}: {problem}; delete it to measure again") from None
    if not isinstance(values, dict) or not all(isinstance(v, float) for v in values.values()):
        raise DamagedFile(f"{path} holds no measurements; delete it to measure again")
    return values


def _mean(values: list[float]) -> Estimate:
    if len(set(values)) == 1:  # nothing that is drawn matters
        return Estimate(values[0], 0.0, len(values), unit="")
    # A repetition without a change is a value like any other, so zeros count.
    return replace(estimate(values, unit=""), nonzero=None)


def _row(activity: Activity, name: str, ours: Estimate, said: bool) -> Row:
    """Compare the source's statement with whether the number exceeds that of a player without."""
    low, high = ours.interval()
    shows, lacks = low > activity.none, high <= activity.none + 1e-9
    if shows or lacks:
        verdict = Verdict.AGREES if shows is said else Verdict.DIFFERS
    else:
        verdict = Verdict.UNDECIDED
    rule = f"the source says {'yes' if said else 'no'}; yes is an interval above {activity.none:g}"
    return Row(
        name=name, ours=ours, verdict=verdict, rule=rule, note=f"{activity.name}: {activity.what}."
    )
