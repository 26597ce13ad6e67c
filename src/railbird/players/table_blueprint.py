"""A player of no-limit for two to six seats: charts before the flop, then a heads-up blueprint.

`blueprint` plays only heads-up, by one strategy from the deal to the river.

Nobody knows how to find an equilibrium for more than two players, and this is not one. Before the
flop it plays the average strategies that `railbird.solve.preflop_seats` finds by sampling; they
model what comes after the flop by a straight line. If two players see the flop, or a later street
begins with two, it plays the heads-up blueprint from the place where stacks, counted in pots, are
nearest. From there on the ranges are those of two players who began heads-up. With three or more
players it follows a simple rule, based on equities against the ranges from the charts.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.errors import BadInput
from railbird.game import (
    Act,
    Action,
    Betting,
    Call,
    DealBoard,
    Event,
    Fold,
    HandState,
    Raise,
    Rules,
    Street,
    View,
)
from railbird.odds.range_showdowns import RangeShowdowns, met
from railbird.players.blueprint import ActionChoice, BlueprintPlayer, done_of
from railbird.players.explanation import Reading, street_words
from railbird.solve.nolimit.betting import next_decision
from railbird.solve.nolimit.following import Line, LinePosition, weight_of_lower
from railbird.solve.nolimit.settings import BIG_BLIND
from railbird.solve.nolimit.strategy import Depth, NoLimitStrategy
from railbird.solve.preflop_seats import (
    CHART_DEALS,
    CHART_STACKS,
    NAMES,
    SeatsCharts,
    blueprint_continuation,
    nearest_chart,
    seats_charts,
)
from railbird.solve.spot.tree import Ends, Node
from railbird.units import Chips, Seat

_MOST_POINTS: Final = 8
_LEAST_POINT: Final = 0.01
_LEAST_REACH: Final = 1e-3
"""Weight that a class keeps after an action that its chart never takes."""

# The simple rule: for pots of three and more, and where charts and blueprint say nothing.

BETTING_CHANCE: Final = 0.5
"""Probability of having the best hand from which it bets."""
RAISING_CHANCE: Final = 0.65
"""The same for raising a bet."""
BET_OF_MANY: Final = 2 / 3
"""Size of its bets and raises, as a share of the pot."""
_KEPT_BY: Final = {"raise": 0.5, "call": 2 / 3}
"""The best part of a range that is assumed to bet or raise, and to call."""
_WEAKER: Final = 0.25
"""Weight of the rest of the range after such an action."""


class _ChartPoint(NamedTuple):
    """A decision in the charts at which the hand may be."""

    node: int
    weight: float


class _Pressure(NamedTuple):
    """A seat that has bet or called after the flop."""

    seat: int
    kept: float


def why_no_charts(rules: Rules) -> str | None:
    """Return why the charts cannot be played by these rules; None if they can."""
    if not 2 <= rules.seats <= len(NAMES) or rules.betting is not Betting.NO_LIMIT:
        return f"it plays no-limit of 2 to {len(NAMES)} seats"
    if rules.stacks is None:
        return "its charts are for stacks"
    order = _order(rules)
    blinds = [rules.blinds[seat] for seat in order]
    usual = [*[0] * (rules.seats - 2), rules.big_blind // 2, rules.big_blind]
    if blinds != usual or 2 * usual[-2] != usual[-1] or any(rules.antes):
        return "its charts are for a small blind of half the big one, without antes"
    later = order[-1] if rules.seats == 2 else order[-2]
    if set(rules.first_to_act[1:]) != {later}:
        return "its charts are for blinds that act first after the flop"
    return None


def _order(rules: Rules) -> tuple[Seat, ...]:
    """Return the seats in the order of acting before the flop."""
    first = rules.first_to_act[0]
    return tuple(Seat((first + number) % rules.seats) for number in range(rules.seats))


class TableBlueprintPlayer(BlueprintPlayer):
    """Draws its actions from charts, then from a blueprint; otherwise it follows a simple rule.

    It forgets everything at the end of the hand. The probabilities that it reports are those that
    it plays.
    """

    def __init__(
        self, strategy: NoLimitStrategy, *, choice: ActionChoice = ActionChoice.SAMPLED
    ) -> None:
        super().__init__(strategy, choice=choice)
        self._charts: SeatsCharts | None = None
        self._points: tuple[_ChartPoint, ...] = ()
        self._reach: tuple[Floats, ...] = ()
        self._limpers = 0
        self._aggressor: Seat | None = None
        self._pressures: tuple[_Pressure, ...] = ()

    @property
    def strategy_hash(self) -> str:
        """Hash of the blueprint and of how the charts are solved."""
        charts = f"{CHART_STACKS} {CHART_DEALS} {blueprint_continuation()}"
        record = f"{self.strategy.hash} {charts}"
        return hashlib.sha256(record.encode()).hexdigest()

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Return why it cannot play by these rules; None if it can. Stacks may differ by hand."""
        return why_no_charts(rules)

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        super().reset(rng)
        self._points, self._reach, self._pressures = (), (), ()

    def begin(self, view: View) -> None:
        """Begin a hand. Raises `BadInput` for a game that it does not play."""
        rules = view.rules
        if why := why_no_charts(rules):
            raise BadInput(why)
        assert rules.stacks is not None
        others = max(stack for seat, stack in enumerate(rules.stacks) if seat != view.seat)
        deep = min(rules.stacks[view.seat], others) / rules.big_blind
        self._charts = seats_charts(rules.seats, nearest_chart(deep))
        self._points = (_ChartPoint(0, 1.0),)
        self._reach = tuple(np.ones(CLASSES) for _ in range(rules.seats))
        self._limpers, self._aggressor, self._pressures = 0, None, ()
        self._line, self._before, self._states = Line(()), view.state, []

    def observe(self, view: View, event: Event) -> None:
        """Follow an action; if a street begins, find its place in the blueprint."""
        state = self._before
        if isinstance(event, Act) and state is not None:
            if state.street is Street.PREFLOP:
                self._follow(state, event.seat, event.action)
            elif self._line.places:
                self._line = self._line.after(*done_of(state, event.action))
            if state.street is not Street.PREFLOP and not isinstance(event.action, Fold):
                kind = "raise" if isinstance(event.action, Raise) else "call"
                if kind == "raise" or state.to_call:
                    pressure = _Pressure(event.seat, _KEPT_BY[kind])
                    self._pressures = (*self._pressures, pressure)
        elif isinstance(event, DealBoard) and not self._line.places:
            self._line = self._beginning(view.state)
        self._before = view.state

    # Before the flop.

    def _index(self, rules: Rules, seat: Seat) -> int:
        return (seat - rules.first_to_act[0]) % rules.seats

    def _follow(self, state: HandState, seat: Seat, action: Action) -> None:
        """Follow an action through the charts, and narrow the seat's range by it."""
        charts = self._charts
        assert charts is not None
        if isinstance(action, Raise):
            self._aggressor = seat
        index = self._index(state.rules, seat)
        weights: dict[int, float] = {}
        likely, acting = np.zeros(CLASSES), 0.0
        for point in self._points:
            if charts.tree.actor[point.node] != index:  # the seat has folded in the charts
                weights[point.node] = weights.get(point.node, 0.0) + point.weight
                continue
            acting += point.weight
            shares = charts.at(point.node)
            for number, part in self._translated(charts, point.node, state, action).items():
                child = int(charts.tree.first[point.node]) + number
                weights[child] = weights.get(child, 0.0) + point.weight * part
                likely += point.weight * part * shares[number]
        words = {word for point in self._points for word in charts.tree.actions[point.node]}
        if isinstance(action, Call) and acting and not words & {"check", "call"}:
            self._limpers += int(state.raises == 0)  # the charts contain no limps
        elif acting:
            narrowed = np.maximum(likely / acting, _LEAST_REACH) * self._reach[index]
            self._reach = (*self._reach[:index], narrowed, *self._reach[index + 1 :])
        heaviest = sorted(weights.items(), key=lambda item: -item[1])[:_MOST_POINTS]
        heaviest = [item for item in heaviest if item[1] >= _LEAST_POINT * heaviest[0][1]]
        total = sum(weight for _, weight in heaviest)
        self._points = tuple(_ChartPoint(node, weight / total) for node, weight in heaviest)

    def _translated(
        self, charts: SeatsCharts, node: int, state: HandState, action: Action
    ) -> dict[int, float]:
        """Return which actions of a chart stand for a real action, with their weights."""
        words = charts.tree.actions[node]
        if not isinstance(action, Raise):
            wanted = ("fold", "check") if isinstance(action, Fold) else ("check", "call", "fold")
            return {words.index(next(word for word in wanted if word in words)): 1.0}
        pot = state.pot + state.to_call
        size = (action.to - state.bet) / pot
        most = (_everything_of_many(state) - state.bet) / pot
        sizes = {
            number: most if words[number] == "all-in" else part
            for number, part in self._sizes(charts, node).items()
        }
        if not sizes:
            return {}
        low = max((number for number in sizes if sizes[number] <= size), default=-1)
        high = min((number for number in sizes if sizes[number] >= size), default=-1)
        if low < 0 or high < 0 or low == high or sizes[low] >= sizes[high]:
            return {max(low, high): 1.0}
        weight = weight_of_lower(size, sizes[low], sizes[high])
        return {low: weight, high: 1 - weight}

    def _sizes(self, charts: SeatsCharts, node: int) -> dict[int, float]:
        """Return the raises at a decision in the charts, in parts of the pot after a call."""
        tree = charts.tree
        level, actor = tree.paid[node].max(), int(tree.actor[node])
        pot = tree.paid[node].sum() + level - tree.paid[node, actor]
        return {
            number: float((tree.paid[int(tree.first[node]) + number].max() - level) / pot)
            for number, word in enumerate(tree.actions[node])
            if word not in ("fold", "check", "call")
        }

    def _charted(self, view: View, holdings: npt.NDArray[np.integer]) -> dict[Action, Floats]:
        """Return how often the charts take each action, (holdings,); empty if off the charts."""
        charts, state = self._charts, view.state
        assert charts is not None
        index = self._index(state.rules, view.seat)
        points = [point for point in self._points if charts.tree.actor[point.node] == index]
        total = sum(point.weight for point in points)
        classes = CLASS_OF_HOLDING[holdings]
        columns: dict[Action, Floats] = {}
        for point in points:
            shares = charts.at(point.node)[:, classes]
            level = charts.tree.paid[point.node].max()
            for number, word in enumerate(charts.tree.actions[point.node]):
                child = int(charts.tree.first[point.node]) + number
                ratio = float(charts.tree.paid[child].max() / level)
                action = self._real(view, word, ratio)
                columns[action] = columns.get(action, 0.0) + point.weight / total * shares[number]
        return columns

    def _real(self, view: View, word: str, ratio: float) -> Action:
        """Turn an action of the charts into one of the hand."""
        if word == "fold":
            return Fold() if view.legal.fold else Call()
        low, high = view.legal.min_raise_to, view.legal.max_raise_to
        if word in ("check", "call") or low is None or high is None:
            return Call()
        state = view.state
        most = min(high, max(low, _everything_of_many(state)))
        if word == "all-in":
            return Raise(Chips(most))
        to = round(state.bet * ratio) + (0 if state.raises else self._limpers * state.bet)
        return Raise(Chips(min(max(low, to), most)))

    # From the flop on.

    def _beginning(self, state: HandState) -> Line:
        """Return the place in the blueprint if a street begins with two players; otherwise none."""
        if state.stacks is None or len(state.in_hand) != 2:
            return Line(())
        behind = min(state.stacks[seat] for seat in state.in_hand)
        if behind <= 0 or state.street is Street.PREFLOP:
            return Line(())
        first = state.rules.first_to_act[state.street]
        out = min(state.in_hand, key=lambda seat: (seat - first) % state.rules.seats)
        raiser = -1
        if self._aggressor in state.in_hand:
            raiser = int(self._aggressor != out)
        deep = np.log(behind / state.pot)
        starts = [
            (abs(start.deep - deep) + (start.raiser != raiser), depth, start)
            for depth in self.strategy.depths
            for start in street_starts(depth, int(state.street))
        ]
        _, depth, start = min(starts, key=lambda item: item[0])
        return Line((LinePosition(depth, start.node, 1.0),))

    def _table(self, view: View, holdings: npt.NDArray[np.integer]) -> tuple[list[Action], Floats]:
        state = view.state
        if state.street is Street.PREFLOP:
            if columns := self._charted(view, holdings):
                return list(columns), np.stack(list(columns.values()), axis=1)
        elif self._line.places and len(state.in_hand) == 2:
            return super()._table(view, holdings)
        return self._by_rule(view, holdings)

    def _by_rule(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> tuple[list[Action], Floats]:
        """Return the actions of the simple rule, by the probability of having the best hand."""
        state = view.state
        chance = self._chances_of_best(view)[holdings]
        stacks = state.stacks
        assert stacks is not None
        asked = min(state.to_call, stacks[view.seat])
        low, high = view.legal.min_raise_to, view.legal.max_raise_to
        raises = chance >= (RAISING_CHANCE if asked else BETTING_CHANCE)
        actions: list[Action] = [Call()]
        if low is not None and high is not None:
            to = round(state.bet + BET_OF_MANY * (state.pot + asked))
            actions.append(Raise(Chips(min(max(low, to), high))))
        else:
            raises = np.zeros(len(holdings), dtype=bool)
        folds = np.zeros(len(holdings), dtype=bool)
        if asked and view.legal.fold:
            folds = ~raises & (chance < asked / (state.pot + asked))
            actions.append(Fold())
        table = np.zeros((len(holdings), len(actions)))
        table[:, 0] = ~raises & ~folds
        for number, action in enumerate(actions[1:], 1):
            table[:, number] = folds if isinstance(action, Fold) else raises
        return actions, table

    def _chances_of_best(self, view: View) -> Floats:
        """Return each holding's probability of beating all who are left, (1326,), as a product."""
        state = view.state
        showdowns = _showdowns(np.array(state.board, dtype=np.uint8).tobytes())
        strength = showdowns.won(showdowns.live) if self._pressures else np.zeros(HOLDINGS)
        chances = np.ones(HOLDINGS)
        for seat in state.in_hand:
            if seat == view.seat:
                continue
            reach = self._reach[self._index(state.rules, seat)][CLASS_OF_HOLDING] * showdowns.live
            for pressure in self._pressures:
                if pressure.seat == seat:
                    reach = _narrowed(reach, strength, pressure.kept)
            weight = met(reach)
            won = showdowns.won(reach)
            chances *= np.divide(won, weight, out=np.full(HOLDINGS, 0.5), where=weight > 1e-9)
        return chances

    # What it says about a decision.

    def _source_words(self, view: View) -> str:
        if view.state.street is Street.PREFLOP and self._points:
            charts = self._charts
            assert charts is not None
            return f"the charts of {charts.game.seats} seats, {charts.game.stack:g} big blinds"
        if self._line.places and len(view.state.in_hand) == 2:
            return super()._source_words(view)
        return "the rule for pots of many players"

    def _readings(self, view: View) -> tuple[Reading, ...]:
        state = view.state
        if state.street is not Street.PREFLOP and self._line.places and len(state.in_hand) == 2:
            return super()._readings(view)
        index = self._index(state.rules, view.seat)
        readings = [Reading(name=f"opponents {street_words(state)}", value=len(state.in_hand) - 1)]
        if state.street is Street.PREFLOP:
            last = len(NAMES) - state.rules.seats
            name = f"seat before the flop, {NAMES[last + index]}"
            readings.append(Reading(name=name, value=index + 1))
        else:
            chance = float(self._chances_of_best(view)[view.holding])
            readings.append(Reading(name="chance of the best hand", value=chance, decimals=2))
        return tuple(readings)


class StreetStart(NamedTuple):
    """A place in a blueprint where a street begins."""

    node: Node
    deep: float
    """Logarithm of the stacks, counted in pots."""
    raiser: int
    """Who raised last preflop: 0 for the player first to act after the flop, 1, or -1 for
    nobody."""


@lru_cache(maxsize=64)
def street_starts(depth: Depth, street: int) -> tuple[StreetStart, ...]:
    """Return the places in a blueprint where a street begins."""
    tree = depth.tree
    raisers: dict[int, int] = {}
    todo = [(tree.root, -1)]
    while todo:
        node, raiser = todo.pop()
        level = max(node.paid)
        for child in node.children:
            last = node.player if max(child.paid) > level else raiser
            if child.kind is Ends.DECISION:
                todo.append((child, last))
            elif (after := next_decision(child)) is not None:
                raisers[id(after)] = last
    forest, nodes = tree.forests[street], tree.decisions[street]
    starts = []
    for first in forest.root[:-1]:
        node = nodes[first]
        behind, pot = depth.stack * BIG_BLIND - node.paid[0], 2 * node.paid[0]
        # Nodes of later streets do not record who raised before the flop.
        starts.append(StreetStart(node, float(np.log(behind / pot)), raisers.get(id(node), -1)))
    return tuple(starts)


def _narrowed(reach: Floats, strength: Floats, kept: float) -> Floats:
    """Return a range in which all but the best part weighs less."""
    ranked = np.argsort(-strength, kind="stable")
    before = np.cumsum(reach[ranked]) - reach[ranked]
    narrowed = reach.copy()
    narrowed[ranked[before > kept * reach.sum()]] *= _WEAKER
    return narrowed


@lru_cache(maxsize=4)
def _showdowns(board: bytes) -> RangeShowdowns:
    return RangeShowdowns(np.frombuffer(board, dtype=np.uint8))


def _everything_of_many(state: HandState) -> int:
    """Return the street's total of a bet of everything that the deepest opponent can call."""
    assert state.stacks is not None
    both = [state.street_bets[seat] + state.stacks[seat] for seat in state.in_hand]
    return sorted(both)[-2] if len(both) > 1 else both[0]
