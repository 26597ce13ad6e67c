"""Decisions in no-limit hold'em, drawn by a seed, with a known cost for every action.

`examination` asks them. There are three kinds, with costs from different sources:

* the big blind's answer to an all-in bet heads-up, valued against the push/fold equilibrium;
* the same at tables of three and four that play for prizes, valued by the independent chip model
  against a solution of the table's push/fold;
* rivers between two players. `railbird.solve.drill_store` has a thousand of them, with the error
  of every cost. A bet size that a river's tree lacks is added to it, and the river is solved again
  in the same way.

All decisions of a kind are sorted by what an action at random costs and cut into as many strata as
are drawn, one decision from each. Where more is at stake the strata are smaller, because answers
differ more there; a decision counts in proportion to the size of its stratum, so that the weighted
mean is that of all decisions (optimal allocation, Neyman 1934). A cost is in thousandths of a big
blind. What is worth prizes counts as the big blinds that are worth as much on the average of all
chips.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird.arena.settings import EXAM_DECISIONS, EXAM_FEWEST, EXAM_MOST
from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    Holding,
    Range,
    cards_of,
    holding_of,
    parse_cards,
)
from railbird.errors import BadInput, DamagedFile
from railbird.game import (
    Action,
    Call,
    Fold,
    HandDealer,
    Raise,
    Rules,
    Step,
    no_limit_holdem,
)
from railbird.progress import Progress
from railbird.solve.drill_store import UNIT, DrillDecision, DrillStore
from railbird.solve.nolimit.following import CHECK_OR_CALL, with_line
from railbird.solve.spot import DiscountSchedule, Spot, SpotNode, SpotSolver, begun, resume
from railbird.solve.spot.presets import BIG_BLIND, PRESETS
from railbird.solve.spot.spot import Kind
from railbird.units import Chips, Seat

LEAST_DIFFERENCE, MOST_DIFFERENCE = 20.0, 3_000.0
"""Bounds of the difference between calling an all-in bet and folding, in thousandths of a big
blind: smaller ones do not matter, and larger ones are too easy to ask."""
MOST_POT: Final = 30
"""The largest pot of a river that is asked, in big blinds: one mistake in a pot of two hundred
would outweigh a hundred others."""
LEAST_LOSS: Final = 0.01
"""The least cost of the second best action on a river, as a share of the pot."""
PRIZES_ERROR: Final = 2.0
"""Error of a cost at tables of several, in thousandths of a big blind: card removal is
approximate."""
APART, MARGIN = 1.5, 0.005
"""The error of a cost on the river, as in the store: the difference between two solutions times the
first number, plus the second as a share of the pot."""
ALIKE: Final = 1.6
"""A size of a river within this factor of an added size is removed from the tree."""
GAP: Final = 0.05
"""The gap, in per cent of the pot, to which a river is solved for an added size."""
ITERATIONS: Final = 2_000
_MBB: Final = 1_000
_SMALL_BLIND: Final = BIG_BLIND // 2
_BETS: Final = Path(__file__).parent / "data" / "all_in_bets.csv"


class ExamKind(StrEnum):
    """A kind of decision."""

    RIVER = "river"
    HEADS_UP = "all-in heads-up"
    PRIZES = "all-in for prizes"


WEIGHTS: Final = {ExamKind.RIVER: 0.6, ExamKind.HEADS_UP: 0.2, ExamKind.PRIZES: 0.2}
"""The weight of each kind in the mean."""
SHARES: Final = {ExamKind.RIVER: 0.7, ExamKind.HEADS_UP: 0.1, ExamKind.PRIZES: 0.2}
"""The share of each kind among the decisions asked; costs differ most on rivers."""
FOCUS: Final = 0.75
"""The size of a stratum falls with this power of the cost of a random action."""
SHARED_ERROR, SHARED_ERROR_OF_SIZES = 0.1, 0.3
"""Shares of the errors of river costs that remain in a mean of many, where errors of either sign
cancel: for listed actions, and for added sizes. Against rivers solved ten times as far, the mean
error of three players' answers was 0.03 to 0.05 of the mean bound, and 0.03 and 0.14 for added
sizes."""


class ExamCost(NamedTuple):
    """The cost of an action in thousandths of a big blind, with its error."""

    value: float
    low: float
    """The least that it costs."""
    high: float
    """The most."""
    mean_low: float
    """What a mean of many such costs is at least."""
    mean_high: float
    """What a mean of many such costs is at most."""

    @classmethod
    def of(cls, value: float, low: float, high: float, shared: float = 1.0) -> ExamCost:
        """Return a cost of whose error a mean of many keeps a part."""
        least, most = value - shared * (value - low), value + shared * (high - value)
        return cls(value, low, high, least, most)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExamQuestion:
    """A decision of an examination."""

    kind: ExamKind
    stratum: int
    """Its stratum among the decisions of its kind, from the easiest."""
    weight: float
    """What it counts in a mean; the weights of an examination add up to 1."""
    name: str
    """Its name, the same in all examinations."""
    rules: Rules
    cards: npt.NDArray[np.uint8]
    """A deal; its hidden cards are arbitrary."""
    before: tuple[Action, ...]
    """The actions before the decision."""
    prizes: tuple[float, ...]
    """Prizes from the first place on; empty if the game is for chips."""
    costs: Mapping[Action, ExamCost]
    """Costs of all actions except bet sizes that the river's tree lacks."""
    river: DrillDecision | None = None

    @property
    def note(self) -> str:
        """What the hand itself does not show, such as prizes; empty if there is nothing."""
        if not self.prizes:
            return ""
        prizes = ", ".join(f"{prize:g}" for prize in self.prizes)
        return (
            f"A tournament with {self.rules.seats} players left; prizes in per cent from the first "
            f"place on: {prizes}. Only prizes count."
        )

    def steps(self) -> Iterator[Step]:
        """Yield all steps of the hand up to the decision."""
        dealer = HandDealer.of_row(self.rules, self.cards)
        yield from dealer.begin()
        for action in self.before:
            yield from dealer.act(action)

    def best(self) -> Action:
        """Return the action of the highest value."""
        return min(self.costs, key=lambda action: self.costs[action].value)

    def cost_of(self, action: Action) -> ExamCost:
        """Return the cost of a legal action; a size that the tree lacks is solved for."""
        known = self.costs.get(action)
        if known is not None:
            return known
        if self.river is None or not isinstance(action, Raise):
            raise BadInput(f"{action} at {self.name}; allowed: {', '.join(map(str, self.costs))}")
        cost, worst = _solved_cost(self.river.name, int(action.to))
        # A solution leaves open how a size is answered with holdings that hardly take it, and two
        # solutions may agree by chance. But a size is worth about what those beside it are; above
        # them all the worst answer to it is taken.
        listed = [
            (int(size.to) if isinstance(size, Raise) else 0, listed_cost)
            for size, listed_cost in self.costs.items()
            if not isinstance(size, Fold)
        ]
        below = max(size for size, _ in listed if size < action.to)
        above = min((size for size, _ in listed if size > action.to), default=None)
        if above is None:
            return ExamCost.of(cost.value, 0.0, max(cost.high, worst), shared=SHARED_ERROR_OF_SIZES)
        beside = [listed_cost for size, listed_cost in listed if size in (below, above)]
        return ExamCost.of(
            cost.value,
            min(cost.low, *(listed_cost.low for listed_cost in beside)),
            max(cost.high, *(listed_cost.high for listed_cost in beside)),
            shared=SHARED_ERROR_OF_SIZES,
        )


def guess_cost(question: ExamQuestion) -> ExamCost:
    """Return the mean cost of the listed actions."""
    return ExamCost(*np.mean([*question.costs.values()], axis=0).tolist())


# Drawing the decisions.


class _AllInBet(NamedTuple):
    """An all-in bet, and how much more a call is worth than a fold, by the big blind's class."""

    stacks: tuple[int, ...]
    """Stacks in big blinds, in the order of acting."""
    prizes: tuple[float, ...]
    all_in: int
    """The seat that bets, in the order of acting."""
    gains: Floats
    """(169,)"""


@cache
def _all_in_bets() -> tuple[_AllInBet, ...]:
    try:
        with _BETS.open(encoding="ascii", newline="") as file:
            return tuple(
                _AllInBet(
                    tuple(map(int, row["stacks"].split())),
                    tuple(map(float, row["prizes"].split())),
                    int(row["all_in"]),
                    np.array([float(row[name]) for name in CLASS_NAMES]),
                )
                for row in csv.DictReader(file)
            )
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise DamagedFile(f"{_BETS}: cannot be read: {problem}") from None


@cache
def _store() -> DrillStore:
    return DrillStore()


class _Population(NamedTuple):
    """All decisions of a kind, from those in which an action at random costs least."""

    places: npt.NDArray[np.int64]
    """(decisions, 3): the number of a river or a bet, a point or 0, a holding or a class."""
    costs: Floats
    """(decisions,) in proportion to what an action at random costs."""

    def strata(self, count: int) -> npt.NDArray[np.int64]:
        """Return (count + 1,) where strata begin and end; each has a decision at least."""
        most = len(self.places) - count
        mass = np.cumsum(self.costs**FOCUS)
        edges = np.searchsorted(mass, np.linspace(0, mass[-1], count + 1)[1:-1], side="right")
        # In numbers less those of the strata before, equal ones are strata of one decision.
        spare = np.array([0, *(edges - np.arange(1, count)), most])
        return np.maximum.accumulate(np.clip(spare, 0, most)) + np.arange(count + 1)


_river_population: list[_Population] = []


def _rivers(progress: Progress | None) -> _Population:
    """Return the decisions on rivers, which are read once."""
    if not _river_population:
        _river_population.append(_read_rivers(progress))
    return _river_population[0]


def _read_rivers(progress: Progress | None) -> _Population:
    store = _store()
    names = list(store.index()["rivers"])
    places, costs = [], []
    for number, name in enumerate(names):
        if progress is not None and number % 20 == 0:
            progress(number, len(names), "rivers")
        for point_number, point in enumerate(store.river(name)["points"]):
            if point["pot"] > MOST_POT * BIG_BLIND:
                continue
            values = np.array([decision[1] for decision in point["decisions"]], np.float64)
            worse = np.sort(values.max(axis=1, keepdims=True) - values, axis=1)
            rows = np.flatnonzero(worse[:, 1] * UNIT >= LEAST_LOSS * point["pot"])
            costs.append(worse[rows].mean(axis=1))
            places.append(np.stack([0 * rows + number, 0 * rows + point_number, rows], axis=1))
    return _sorted(np.concatenate(places), np.concatenate(costs))


def _sorted(places: npt.NDArray[np.int64], costs: Floats) -> _Population:
    order = np.argsort(costs, kind="stable")
    return _Population(places[order], costs[order])


@cache
def _bets(kind: ExamKind) -> _Population:
    """Return the decisions against all-in bets."""
    places, costs = [], []
    for number, bet in enumerate(_all_in_bets()):
        if bool(bet.prizes) is (kind is ExamKind.PRIZES):
            apart = np.abs(bet.gains)
            for hand in np.flatnonzero(
                (apart >= LEAST_DIFFERENCE) & (apart <= MOST_DIFFERENCE)
            ).tolist():
                places.append((number, 0, hand))
                costs.append(float(apart[hand]))
    return _sorted(np.array(places, np.int64), np.array(costs))


@checked
def draw_exam(
    seed: int,
    count: int = EXAM_DECISIONS,
    *,
    kinds: Collection[ExamKind] = tuple(ExamKind),
    progress: Progress | None = None,
) -> tuple[ExamQuestion, ...]:
    """Draw the decisions of an examination, in random order.

    ``kinds`` are the kinds of decisions to ask. Raises `BadInput` for a count outside `EXAM_FEWEST`
    to `EXAM_MOST`, or larger than the number of decisions.
    """
    if not EXAM_FEWEST <= count <= EXAM_MOST:
        raise BadInput(f"{count} decisions; allowed: {EXAM_FEWEST} to {EXAM_MOST:,}")
    if seed < 0:
        raise BadInput(f"seed {seed}; allowed: 0 or more")
    if not kinds:
        raise BadInput(f"no kind of decisions; allowed: {', '.join(ExamKind)}")
    rng = np.random.default_rng([seed, 36])
    chosen = [kind for kind in ExamKind if kind in kinds]
    shares = np.cumsum([SHARES[kind] for kind in chosen])
    total_weight = sum(WEIGHTS[kind] for kind in chosen)
    ends = np.rint(count * shares / shares[-1]).astype(int).tolist()
    questions: list[ExamQuestion] = []
    for kind, wanted in zip(chosen, np.diff([0, *ends]).tolist(), strict=True):
        population = _rivers(progress) if kind is ExamKind.RIVER else _bets(kind)
        if wanted > len(population.places):
            raise BadInput(f"{wanted:,} decisions {kind}; allowed: {len(population.places):,}")
        edges = population.strata(wanted)
        drawn = population.places[rng.integers(edges[:-1], edges[1:])]
        weights = WEIGHTS[kind] / total_weight * np.diff(edges) / edges[-1]
        for stratum in np.argsort(drawn[:, 0], kind="stable").tolist():  # each river read once
            at, point, row = drawn[stratum].tolist()
            place = _Stratum(stratum, float(weights[stratum]))
            questions.append(
                _river_question(at, point, row, place, rng)
                if kind is ExamKind.RIVER
                else _bet_question(kind, at, row, place, rng)
            )
    return tuple(questions[place] for place in rng.permutation(len(questions)))


class _Stratum(NamedTuple):
    number: int
    weight: float


def _row(
    rng: np.random.Generator, seats: int, seat: int, holding: Holding, board: Sequence[int] = ()
) -> npt.NDArray[np.uint8]:
    """Return a deal with a seat's holding and a board; the other cards are drawn."""
    own = [int(card) for card in cards_of(holding)]
    rest = rng.permutation([card for card in range(52) if card not in {*own, *board}]).tolist()
    holes = [own if at == seat else [rest.pop(), rest.pop()] for at in range(seats)]
    runout = [*board] or [rest.pop() for _ in range(5)]
    return np.array([*(card for pair in holes for card in pair), *runout], np.uint8)


def _bet_question(
    kind: ExamKind, number: int, hand: int, stratum: _Stratum, rng: np.random.Generator
) -> ExamQuestion:
    bet = _all_in_bets()[number]
    seats = len(bet.stacks)
    # In the order of acting the big blind is last; its seat is 1 at a table and 0 heads-up.
    order = [1, 0] if seats == 2 else [*range(2, seats), 0, 1]
    stacks = [0] * seats
    for seat, stack in zip(order, bet.stacks, strict=True):
        stacks[seat] = stack * BIG_BLIND
    rules = no_limit_holdem(seats, blinds=(_SMALL_BLIND, BIG_BLIND), stack=stacks)
    holding = Holding(int(rng.choice(np.flatnonzero(hand == CLASS_OF_HOLDING))))
    cards = _row(rng, seats, order[-1], holding)
    dealer = HandDealer.of_row(rules, cards)
    dealer.begin()
    actions: list[Action] = []
    for at in range(seats - 1):
        action: Action = Fold()
        if at == bet.all_in:
            most = dealer.state.max_raise_to
            assert most is not None
            action = Raise(most)
        actions.append(action)
        dealer.act(action)
    gain = float(bet.gains[hand])
    error = PRIZES_ERROR if bet.prizes else 0.0
    return ExamQuestion(
        kind=kind,
        stratum=stratum.number,
        weight=stratum.weight,
        name=f"{' '.join(map(str, bet.stacks))} {bet.all_in} {CLASS_NAMES[hand]}",
        rules=rules,
        cards=cards,
        before=tuple(actions),
        prizes=bet.prizes,
        costs={Fold(): _cost(gain, error), Call(): _cost(-gain, error)},
    )


def _cost(worse: float, error: float) -> ExamCost:
    cost = max(worse, 0.0)
    return ExamCost.of(cost, max(worse - error, 0.0), max(worse + error, 0.0))


BEFORE_FLOP: Final = {
    "lj-bb": "25 f f f f c",
    "co-bb": "f f 25 f f c",
    "bu-bb": "f f f 25 f c",
    "sb-bb": "f f f f 30 c",
    "co-bu": "f f 25 c f f",
    "bu-bb-3": "f f f 25 f 110 c",
    "bu-sb-3": "f f f 25 110 f c",
    "co-bu-3": "f f 25 75 f f c",
}
"""For each preset, the actions before the flop at a table of six; raises are given as totals."""
SEATS: Final = {"Small blind": 0, "Big blind": 1, "Lojack": 2, "Cutoff": 4, "Button": 5}
_PRESET_OF: Final = {preset.title: name for name, preset in PRESETS.items()}
_TABLE: Final = 6
_STACK: Final = 100 * BIG_BLIND


def _actions(words: str) -> Iterator[Action]:
    """Read actions as in a preset's or a solver's line; amounts are totals."""
    for word in words.split():
        match word:
            case "f" | "fold":
                yield Fold()
            case "c" | "call" | "check":
                yield Call()
            case "bet" | "raise" | "all-in":
                continue
            case _:
                yield Raise(Chips(int(word)))


def _river_question(
    number: int, place: int, row: int, stratum: _Stratum, rng: np.random.Generator
) -> ExamQuestion:
    name = f"{list(_store().index()['rivers'])[number]}.{place}.{row}"
    decision = _store().decision(name)
    river, point = _river_of(name)
    preset = _PRESET_OF[river["story"]]
    seat = Seat(SEATS[decision.seats[decision.player]])
    rules = no_limit_holdem(_TABLE, blinds=(_SMALL_BLIND, BIG_BLIND), stack=_STACK)
    board = [int(card) for card in parse_cards(decision.board)]
    first, second = parse_cards(decision.holding)
    line = f"{BEFORE_FLOP[preset]} check check {river['turn']} {point['line']}"
    return ExamQuestion(
        kind=ExamKind.RIVER,
        stratum=stratum.number,
        weight=stratum.weight,
        name=name,
        rules=rules,
        cards=_row(rng, _TABLE, seat, holding_of(first, second), board),
        before=tuple(_actions(line)),
        prizes=(),
        costs=_costs_of(decision),
        river=decision,
    )


def _costs_of(decision: DrillDecision) -> dict[Action, ExamCost]:
    """Return the costs of a river's actions; the best one costs 0 if all others cost something."""
    best = decision.best
    is_sure = all(action.low > 0 for action in decision.actions if action is not best)
    return {
        next(_actions(action.name)): ExamCost.of(0.0, 0.0, 0.0)
        if action is best and is_sure
        else ExamCost.of(
            _MBB * action.cost, _MBB * action.low, _MBB * action.high, shared=SHARED_ERROR
        )
        for action in decision.actions
    }


def _river_of(name: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the river and the point of a decision."""
    river, point, _ = name.split(".")
    content = _store().river(river)
    return content, content["points"][int(point)]


@lru_cache(maxsize=4_096)
def _solved_cost(name: str, total: int) -> tuple[ExamCost, float]:
    """Solve a river with a size that it lacks; return what that costs in a decision.

    Beside it stands the most that it can cost.
    """
    river, point = _river_of(name)
    spot = _without_alike(Spot.parse(river["spot"]), point, total)
    spot = with_line(spot, [*_totals(point["line"]), total])
    holding = int(Range.parse(_store().decision(name).holding).weights.argmax())
    nodes = [_solved_node(spot, point["line"], schedule) for schedule in _SCHEDULES]
    losses, again = (float(node.losses[_index(node, total), holding]) for node in nodes)
    error = APART * abs(losses - again) + MARGIN * nodes[0].pot
    node = nodes[0]
    player, best = node.player, float(node.action_values[:, holding].max())
    equity = float(node.equity[player, holding])
    # At worst it is called by all that beat it, and by nothing else.
    least = equity * node.pot - (1 - equity) * (total - node.paid[player])
    worst = (best - least) * _MBB / BIG_BLIND
    costs = (losses, max(losses - error, 0.0), losses + error)
    return ExamCost.of(*(cost * _MBB / BIG_BLIND for cost in costs)), worst


def _totals(line: str) -> Iterator[int]:
    for action in _actions(line):
        yield int(action.to) if isinstance(action, Raise) else CHECK_OR_CALL


def _without_alike(spot: Spot, point: Mapping[str, Any], total: int) -> Spot:
    """Return a river without those sizes of the acting player that are close to an added one.

    Of two similar sizes a solution may never use one, and then gives it no meaningful value.
    """
    faced = "call" in point["actions"]
    amounts = [int(word.split()[1]) for word in point["actions"] if word[:3] in ("bet", "rai")]
    if not any(total / ALIKE < amount < total * ALIKE for amount in amounts):
        return spot
    *earlier, (first, second) = spot.sizes
    pair = [first, second]
    own = pair[point["player"]]
    if faced:
        own = replace(own, raises=tuple(size for size in own.raises if size.kind is Kind.ALL_IN))
    else:
        pots = total / point["pot"]
        own = replace(
            own,
            bets=tuple(
                size
                for size in own.bets
                if size.kind is not Kind.POT or not pots / ALIKE < size.number < pots * ALIKE
            ),
        )
    pair[point["player"]] = own
    flop, turn = earlier
    return replace(spot, sizes=(flop, turn, (pair[0], pair[1])))


_SCHEDULES: Final = (DiscountSchedule(), DiscountSchedule(1.5, 0.0, 4.0))


@lru_cache(maxsize=64)
def _solved_node(spot: Spot, line: str, schedule: DiscountSchedule) -> SpotNode:
    solution = begun(SpotSolver(spot, threads=1, schedule=schedule))
    return resume(solution, gap_percent=GAP, iterations=ITERATIONS).node(line)


def _index(node: SpotNode, total: int) -> int:
    for number, action in enumerate(node.actions):
        if action.amount == total:
            return number
    raise BadInput(f"a bet of {total} is not in the tree")
