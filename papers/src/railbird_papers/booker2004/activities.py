"""The eight cognitive activities of Booker (2004), 7.10, each measured by a number, in no-limit.

The source judges by argument whether an implementation shows an activity. Here each activity is a
behaviour in fixed situations for two with 75 big blinds, after a given experience, and every
holding counts as often as it comes. Nobody pays for information here, because calling down any hand
would look like a change of mind.
"""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from railbird.arena.guarded_player import DEFAULT_FAULTS
from railbird.arena.series import TableSession
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_INDEX, Card, Holding
from railbird.errors import DamagedFile
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.game import (
    Action,
    Call,
    Event,
    Fold,
    HandDealer,
    Raise,
    Rules,
    View,
    no_limit_holdem,
    seeded_deals,
    view,
)
from railbird.odds import classes_matrix, hand_rank, open_tables
from railbird.players import Audience, Observer, Player, make_player
from railbird.solve import COMBINATIONS
from railbird.units import Chips, Seat
from railbird_papers.booker2004.sessions import PROBES, STACK, means_with_intervals
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.rows import Row, Verdict, measured, rank_correlation
from railbird_papers.framework.workspace import Work, write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from railbird_papers.framework.workspace import Workspace


# Decisions of a player with some experience in given situations, whatever it holds.
#
# Asking changes nothing: each question is put to a copy, so what a player does in one situation can
# be compared with what it does in another after the same hands.


BLINDS = (10, 20)
_OF_CLASS = [int(np.flatnonzero(kind == CLASS_OF_HOLDING)[0]) for kind in range(CLASSES)]


def rules(stack: int = STACK) -> Rules:
    """Return the rules of all situations, for two at this stack."""
    return no_limit_holdem(2, blinds=BLINDS, stack=stack)


class Changing:
    """A player that plays as one player for some hands, and as another from then on."""

    def __init__(self, first: str, then: str, hands: int) -> None:
        self._players = (make_player(first), make_player(then))
        self._hands, self._played = hands, 0

    def reset(self, rng: np.random.Generator) -> None:
        """Begin with the first."""
        for player, generator in zip(self._players, rng.spawn(2), strict=True):
            player.reset(generator)
        self._played = 0

    def begin(self, view: View) -> None:
        """Count the hand."""
        self._played += 1
        for player in self._observers():
            player.begin(view)

    def observe(self, view: View, event: Event) -> None:
        """Pass it on."""
        for player in self._observers():
            player.observe(view, event)

    def end(self, view: View) -> None:
        """Pass it on."""
        for player in self._observers():
            player.end(view)

    def act(self, view: View) -> Action:
        """Answer as the player that plays now."""
        return self._players[self._played > self._hands].act(view)

    def _observers(self) -> list[Observer]:
        return [player for player in self._players if isinstance(player, Observer)]


@dataclass(frozen=True, slots=True)
class Experienced:
    """A player with its memory, of which any number of copies can be made."""

    pickled: bytes

    def player(self) -> Player:
        """Make one."""
        player: Player = pickle.loads(self.pickled)  # written by this process
        return player


@lru_cache(maxsize=1 << 10)
def experienced(
    spec: str, opponent: str, hands: int, seed: int, *, second_opponent: str = "", more: int = 0
) -> Experienced:
    """Return a player who has played hands against an opponent, both at full stacks in each.

    After them the opponent may play as ``second_opponent`` for ``more`` hands.
    """
    player, rng = make_player(spec), np.random.default_rng(seed)
    rival = Changing(opponent, second_opponent, hands) if second_opponent else opponent
    table = TableSession((player, rival), DEFAULT_FAULTS, rules())
    try:
        table.reset(f"probe {seed}")
        for number in range(hands + more):
            seats = (0, 1) if number % 2 else (1, 0)
            deals = seeded_deals(rng, 2, 1)
            table.play(seats, [STACK, STACK], rules(), deals, number=number, name="probe")
    finally:
        table.close()
    return Experienced(pickle.dumps(player))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedSituation:
    """A hand for two up to a decision of the player to act."""

    rules: Rules
    actions: tuple[Action, ...] = ()
    board: tuple[Card, ...] = ()


def asked(experience: Experienced, situation: ProbedSituation, holding: Holding) -> Action:
    """Ask a player for its action with a holding, after telling it the hand."""
    player = experience.player()
    seat = _actor(situation)
    holes = tuple(holding if position == seat else None for position in range(2))
    audience = Audience.of([(seat, player)])
    audience.meet((0, 1) if seat == 0 else (1, 0))
    dealer = HandDealer(situation.rules, holes, situation.board)
    audience.notify(dealer.begin())
    for action in situation.actions:
        audience.notify(dealer.act(action))
    return player.act(view(dealer.state, seat))


def share_changed(first: Experienced, second: Experienced, situation: ProbedSituation) -> float:
    """Return the share of the 1,326 holdings that two players fold, call or raise differently."""
    answers = {kind: type(asked(first, situation, Holding(h))) for kind, h in enumerate(_OF_CLASS)}
    return share_right(second, situation, lambda kind, action: type(action) is not answers[kind])


def share_played(experience: Experienced, situation: ProbedSituation) -> float:
    """Return the share of the 1,326 holdings with which a player does not fold before the flop."""
    return share_right(experience, situation, lambda _, action: not isinstance(action, Fold))


def share_right(
    experience: Experienced, situation: ProbedSituation, right: Callable[[int, Action], bool]
) -> float:
    """Return the share of the 1,326 holdings with the right answer for their class."""
    answers = [
        right(kind, asked(experience, situation, Holding(holding)))
        for kind, holding in enumerate(_OF_CLASS)
    ]
    return float(np.array(answers, np.float64) @ COMBINATIONS / COMBINATIONS.sum())


def random_flops(count: int, rng: np.random.Generator) -> list[tuple[Holding, tuple[Card, ...]]]:
    """Draw holdings with flops."""
    drawn = [rng.permutation(52)[:5].tolist() for _ in range(count)]
    return [
        (Holding(int(HOLDING_INDEX[cards[0], cards[1]])), tuple(map(Card, cards[2:])))
        for cards in drawn
    ]


def called(action: Action) -> bool:
    """Return whether an action stays in the hand."""
    return isinstance(action, Call | Raise)


def _actor(situation: ProbedSituation) -> Seat:
    dealer = HandDealer(situation.rules, (None, None), situation.board)
    dealer.begin()
    for action in situation.actions:
        dealer.act(action)
    assert dealer.asks is not None
    return dealer.asks


AGENTS: Final = {
    "Booker 1": "booker:1",
    "Booker 2": "booker:2",
    "Booker 3": "booker:3,pay=0",
    "Booker 4": "booker:4,pay=0",
    "tight": "tight:nolimit",
}
MANIAC: Final = "always-raise:random"
ROCK: Final = "booker:1"
"""A rock: heads-up it raises tens or better before the flop, and plays nothing else."""
HANDS: Final = 200
"""Hands of experience: four times what the learners remember of an action."""
AFTER_CHANGE: Final = 100
FLOPS: Final = 60
"""Holdings with flops behind a number of one repetition."""

_OPENED: Final = ProbedSituation(rules=rules(), actions=(Raise(Chips(60)),))
_OPENED_LARGE: Final = ProbedSituation(rules=rules(), actions=(Raise(Chips(300)),))
_ALL_IN: Final = ProbedSituation(rules=rules(), actions=(Raise(Chips(STACK)),))
_SHORT: Final = 60
_LIMPED: Final = (Call(), Call())


@dataclass(frozen=True, slots=True)
class Activity:
    """One activity and its measurement."""

    name: str
    what: str
    """The meaning of the number."""
    measure: Callable[[str, int], float]
    """A function from a player's spec and a seed to the number."""
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
        situation = ProbedSituation(
            rules=rules(_SHORT), actions=(*_LIMPED, Raise(Chips(behind))), board=flop
        )
        equity = hand_rank(holding, flop, tables=tables).hr7
        odds = behind / (2 * _SHORT)
        right += called(asked(player, situation, holding)) == (equity >= odds)
    return right / FLOPS


def _first_bets(player: Experienced, seed: int) -> list[tuple[float, int | None]]:
    """Return the equity against any two cards and the size of the first bet on a flop."""
    rng, tables = np.random.default_rng(seed), open_tables()
    answers = []
    for holding, flop in random_flops(FLOPS, rng):
        situation = ProbedSituation(rules=rules(), actions=_LIMPED, board=flop)
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
    return rank_correlation(equities, sizes)


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
    after = experienced(spec, ROCK, HANDS, seed, second_opponent=MANIAC, more=AFTER_CHANGE)
    return share_changed(after, before, _OPENED_LARGE)


def _minds_stacks(spec: str, seed: int) -> float:
    player = experienced(spec, ROCK, HANDS, seed)
    all_in = ProbedSituation(rules=rules(300), actions=_OPENED_LARGE.actions)
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


def perform(workspace: Workspace) -> ExperimentResult:
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
    return ExperimentResult(
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
    """Measure the repetitions that the workspace's file lacks, one agent after the other."""
    path = workspace.results_file(f"booker-activities-seed-{workspace.seed}.json")
    values = _read(path)
    started, total = time.perf_counter(), count * len(AGENTS)
    for done, (seed, spec) in enumerate(product(_seeds(workspace, count), AGENTS.values())):
        workspace.tell(done, total, "measuring activities")
        lacking = [activity for activity in ACTIVITIES if _key(activity, spec, seed) not in values]
        if lacking:
            values |= {
                _key(activity, spec, seed): activity.measure(spec, seed) for activity in lacking
            }
            write_whole(path, json.dumps(values).encode())
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


def _row(activity: Activity, name: str, ours: Estimate, stated: bool) -> Row:
    """Compare the source's statement with our number, and that of a player without the activity."""
    low, high = ours.interval()
    shows, lacks = low > activity.none, high <= activity.none + 1e-9
    if shows or lacks:
        verdict = Verdict.AGREES if shows is stated else Verdict.DIFFERS
    else:
        verdict = Verdict.UNDECIDED
    rule = (
        f"the source says {'yes' if stated else 'no'}; yes is an interval above {activity.none:g}"
    )
    return Row(
        name=name, ours=ours, verdict=verdict, rule=rule, note=f"{activity.name}: {activity.what}."
    )
