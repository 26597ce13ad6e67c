"""Values decisions of heads-up no-limit after the flop by solving the spot.

`graded_decisions` uses it, beside judges of other decisions in any hold'em. Two players must be
left in the hand; more may have been dealt in.

A decision is judged by what was public at the time, and by the player's own cards:

* Both players' ranges at the beginning of the street follow from the betting before it. Nobody
  knows how these players bet, so two unrelated models derive the ranges: the reading of the player
  `tight`, and frequencies counted on other people's hands. The player's own range is derived in the
  same way, since the opponent knows no more. With the second model, the opponent's range is also
  read as if he bluffed more, had the best of it, or bet with any hand
  (`railbird.modelling.betting_ranges.RETOLD`).
* The rest of the hand is solved from there (`railbird.solve.spot`). The tree has the bets that were
  really made on the street, beside a menu of other sizes; a second menu shows how much the sizes
  matter. How the betting on the street narrows the ranges is then part of the solution.
* At the decision every action has two values: what the holding gets if it continues as in the
  solution, and what it gets at best, both against the opponent's part of the solution. In a perfect
  solution they are equal. Their distance, and how far they moved in the last part of the search,
  measure what the solver's gap leaves open for this holding. Half a per cent of the pot is added
  for sizes that are in no menu.

Each pair of a range and a menu is a `SpotReading`, with a lowest and a highest cost of the
decision. A decision is a mistake only if every reading says so, and good only if none finds that it
cost anything.

The judgement assumes an opponent who plays well from here on: against one who never folds, or
always does, another action may earn more. The solution gives no meaningful answer to an action that
the player never takes in it, so such a decision has no value.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from railbird._files import atomic_write
from railbird.cards import Card, Holding, Range
from railbird.errors import BadInput
from railbird.game import Betting, Call, Fold, HandState, Raise, Street, act
from railbird.game.actions import betting_action
from railbird.modelling.betting_ranges import RETOLD, Shares, range_left, retold
from railbird.modelling.reweighting import Weights
from railbird.modelling.tracker import ObservedAction
from railbird.players.tight import ActionInHand, Habits, HandRanges
from railbird.solve.nolimit.following import CHECK_OR_CALL, with_line
from railbird.solve.spot import Spot, SpotSolution, resume, solve_spot
from railbird.solve.spot.kernels import AVERAGE, BEST
from railbird.solve.spot.solution import SpotPoint
from railbird.solve.spot.spot import Betting as Sizes
from railbird.solve.spot.spot import Kind
from railbird.solve.spot.tree import ActKind, Ends, Node
from railbird.units import Seat

MENUS: Final[dict[Street, tuple[str, ...]]] = {
    Street.FLOP: (
        "flop_bets = 50%\nflop_raises = 60%\nturn_bets = 66%\nturn_raises = a\n"
        "river_bets = 75%\nriver_raises = a",
    ),
    Street.TURN: (
        "turn_bets = 66%\nturn_raises = 60%\nriver_bets = 75%, a\nriver_raises = a",
        "turn_bets = 40%, 100%\nturn_raises = 60%\nriver_bets = 60%\nriver_raises = a",
    ),
    Street.RIVER: (
        "river_bets = 40%, 80%, 150%, a\nriver_raises = 60%, a",
        "river_bets = 60%, 120%, a\nriver_raises = 100%, a",
    ),
}
"""By the street of the decision, the sizes added to those that were bet."""
FORCE_ALL_IN: Final = 0.3
"""A bet becomes all-in if a call of it would leave at most so many pots behind."""
GAPS: Final = {Street.FLOP: 2.0, Street.TURN: 1.0, Street.RIVER: 0.1}
"""The gaps at which a spot counts as solved here, in per cent of the pot."""
LOOKS: Final = (4.0, 2.0)
"""Multiples of the gap at which values are also read, before the end.

How far they move afterwards shows what the search leaves open in a rarely played line, about which
the gap says little. Values swing while they settle, so two of them may agree by chance: a single
earlier look was not enough.
"""
MARGIN: Final = 0.005
"""Share of the pot by which costs are widened, since sizes in neither menu move values as well. Of
200 costs by finer solutions and other sizes, 184 are covered without it and 194 with it; see
``docs/report.md``."""
ITERATIONS: Final = {Street.FLOP: 200, Street.TURN: 300, Street.RIVER: 1_000}
ALIKE: Final = 1.6
"""A size of the menu within this factor of a real bet is removed."""
LEAST_WEIGHT: Final = 0.02
"""Holdings of a smaller weight, where the likeliest has 1, are left out of a range: hundreds of
them are together one part in a hundred, and would take most of the time."""
OWN_WEIGHT: Final = 1e-3
"""The least weight of the player's own holding, since it has to be valued however unlikely it
is."""
STORE: Final = {Street.FLOP: 16, Street.TURN: 32, Street.RIVER: 32}
"""Bits of the solver's numbers. On the flop 16 halve the memory and still reach the gap."""
LEAST_REACH: Final = 0.01
"""Share of a range that the solution has to bring along the betting of the street, and into the
action that was taken, or else nothing is said: what hardly ever happens is answered by nothing."""

_LEAST_MET: Final = 1e-9


class SpotReading(NamedTuple):
    """The costs of a decision by one model of ranges and one menu of sizes."""

    best: str
    """The best action, such as ``bet 120``; amounts are the street's totals in chips."""
    low: float
    """The least cost of the decision in chips, against the opponent's part of the solution."""
    high: float
    """The largest cost in chips."""
    reach: float
    """The smallest share of a range that follows the betting, and takes the action taken."""
    retold: str = ""
    """One of `railbird.modelling.betting_ranges.RETOLD`; empty for a model as it stands."""


@dataclass(frozen=True, slots=True, eq=False)
class _Street:
    """The betting of a street between two players, up to a decision."""

    board: tuple[Card, ...]
    pot: int
    stack: int
    players: tuple[Seat, Seat]
    totals: tuple[int, ...]
    """The actions before the decision: totals of the street in chips, or `CHECK_OR_CALL`."""
    taken: int | None
    """The action taken; None for a fold."""


def why_not_solved(state: HandState, seen: Sequence[ObservedAction]) -> str:
    """Return why a decision is no spot that can be solved; empty if it is one."""
    if state.rules.betting is not Betting.NO_LIMIT:
        return "not no-limit, with more betting to come"
    if state.street is Street.PREFLOP:
        return "before the flop, with more betting to come"
    here = [observed for observed in seen if observed.before.street is state.street]
    start = here[0].before if here else state
    if len(start.in_hand) != 2:
        return "more than two players, with more betting to come"
    if start.stacks is None or min(start.stacks[seat] for seat in start.in_hand) <= 0:
        return "nobody can bet"
    return ""


@dataclass(slots=True)
class SpotValues:
    """Values decisions by solving spots, and caches the values in files.

    ``folder`` keeps values by a digest of the spot, the decision and the holding; None keeps
    nothing. ``finer`` divides the gaps at which spots count as solved.
    """

    folder: Path | None = None
    first: Street = Street.RIVER
    """The first street on which decisions are solved."""
    seconds: float | None = None
    """Processor time after which nothing more is solved, in seconds."""
    shares: Shares | None = None
    """As for `railbird.modelling.betting_ranges.range_left`."""
    finer: float = 1.0
    threads: int | None = None
    menus: dict[Street, tuple[str, ...]] | None = None
    """Menus by street, instead of `MENUS`."""
    retells: bool = True
    """Whether the opponent's range is also read in other ways (`RETOLD`)."""
    solved: int = 0
    """Number of spots that were solved, not read from files."""
    cpu_s: float = 0.0
    """Processor time that they took."""

    def why_not(self, state: HandState, seen: Sequence[ObservedAction]) -> str:
        """Return why a decision is not valued; empty if it is."""
        why = why_not_solved(state, seen)
        if not why and state.street < self.first:
            return f"not solved on the {state.street.name.lower()}"
        if not why and self.seconds is not None and self.cpu_s > self.seconds:
            return "not solved: no time was left"
        return why

    def readings(
        self, observed: ObservedAction, holding: Holding, seen: Sequence[ObservedAction]
    ) -> list[SpotReading]:
        """Value a decision for which `why_not_solved` gives no reason.

        ``seen`` are the actions before it. Raises `BadInput` if a spot cannot be solved.
        """
        street = _street(observed, seen)
        earlier = [
            seen_action
            for seen_action in seen
            if seen_action.before.street is not observed.before.street
        ]
        spot_readings = []
        bets = [*(seen_action for seen_action in seen if seen_action not in earlier), observed]
        menus = [
            replace(rules, sizes=_without_alike(rules.sizes, bets, street.players))
            for rules in map(_rules, (self.menus or MENUS)[observed.before.street])
        ]
        models = [*_ranges(earlier, street.players, observed.before.rules.seats, self.shares)]
        for ranges in models:
            for rules in menus:
                spot_readings.append(self._reading(street, ranges, rules, holding, observed))
        if not self.retells:
            return spot_readings
        other = 1 - street.players.index(observed.act.seat)
        for name in RETOLD:
            pair = list(models[-1])
            pair[other] = retold(pair[other], name, street.board)
            reading = self._reading(street, (pair[0], pair[1]), menus[0], holding, observed)
            if reading.reach >= LEAST_REACH:
                spot_readings.append(reading._replace(retold=name))
        return spot_readings

    def _reading(
        self,
        street: _Street,
        ranges: tuple[Weights, Weights],
        rules: Spot,
        holding: Holding,
        observed: ObservedAction,
    ) -> SpotReading:
        spot = _spot(street, ranges, rules, observed, holding)
        when = observed.before.street
        gap, most = GAPS[when] / self.finer, int(ITERATIONS[when] * max(1.0, self.finer))
        path = None
        if self.folder is not None:
            key = f"9\n{spot.key()}\n{gap:g}\n{street.totals}\n{street.taken}\n{int(holding)}"
            name = sha256(key.encode()).hexdigest()
            path = self.folder / name[:2] / f"{name[2:26]}.json"
            if (kept := _kept(path)) is not None:
                return kept
        start = time.process_time()
        solution = solve_spot(
            spot,
            gap_percent=LOOKS[0] * gap,
            iterations=most,
            threads=self.threads,
            store=STORE[when],
        )
        looks = [_read(solution, street, holding)]
        for times in (*LOOKS[1:], 1.0):
            solution = resume(solution, gap_percent=times * gap, iterations=most)
            looks.append(_read(solution, street, holding))
        *earlier, last = looks
        # What the last part of the search changed, a further part might change again: the distance
        # to earlier looks widens the bounds, as does a margin for sizes that are in no menu.
        moved = max(max(abs(last.low - look.low), abs(last.high - look.high)) for look in earlier)
        moved += MARGIN * float(observed.before.pot)
        reading = last._replace(low=max(last.low - moved, 0.0), high=last.high + moved)
        self.solved += 1
        self.cpu_s += time.process_time() - start
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as temporary:
                temporary.write_text(json.dumps(reading._asdict()), encoding="utf-8")
        return reading


def _kept(path: Path) -> SpotReading | None:
    """Return the reading in a file; None if there is no file, or it is damaged."""
    try:
        return SpotReading(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _street(observed: ObservedAction, seen: Sequence[ObservedAction]) -> _Street:
    state = observed.before
    on_street = [seen_action for seen_action in seen if seen_action.before.street is state.street]
    start = on_street[0].before if on_street else state
    first = start.actor
    assert first is not None
    assert start.stacks is not None
    (second,) = (seat for seat in start.in_hand if seat != first)
    stack = min(start.stacks[first], start.stacks[second])
    done = [_total(seen_action, stack) for seen_action in (*on_street, observed)]
    if any(total is None for total in done[:-1]):
        raise BadInput("a fold, and the hand goes on")
    return _Street(
        board=state.board,
        pot=int(start.pot),
        stack=int(stack),
        players=(first, second),
        totals=tuple(total for total in done[:-1] if total is not None),
        taken=done[-1],
    )


def _total(observed: ObservedAction, stack: int) -> int | None:
    match betting_action(observed.act.action):
        case Raise(to):
            return min(int(to), stack)  # the opponent can call no more than this
        case Call():
            return CHECK_OR_CALL
        case Fold():
            return None


def _ranges(
    earlier: Sequence[ObservedAction], players: tuple[Seat, Seat], seats: int, shares: Shares | None
) -> Iterator[tuple[Weights, Weights]]:
    """Yield both players' ranges, as each model reads them."""
    first, second = players
    plain = HandRanges([Habits() for _ in range(seats)])
    for observed in earlier:
        plain.learn(
            ActionInHand(observed.act, observed.before, act(observed.before, observed.act.action))
        )
    yield plain.holdings(first), plain.holdings(second)
    yield range_left(earlier, first, shares), range_left(earlier, second, shares)


@cache
def _rules(menu: str) -> Spot:
    """Return a spot with the sizes and rules of a menu; its cards are placeholders."""
    cards = "board = Ks7d2c\noop = random\nip = random\npot = 1\nstack = 1"
    return Spot.parse(f"{cards}\nforce_all_in = {FORCE_ALL_IN}\n{menu}", name="menu")


def _without_alike(
    sizes: Sizes, bets: Sequence[ObservedAction], players: tuple[Seat, Seat]
) -> Sizes:
    """Return the sizes of a street without those close to a bet that was really made.

    Of two similar sizes a solution may never choose one, and then gives it no meaningful value.
    """
    remaining = [list(street_sizes) for street_sizes in sizes]
    for observed in bets:
        state, action = observed.before, observed.act.action
        if not isinstance(action, Raise):
            continue
        street, player = int(state.street) - 1, players.index(observed.act.seat)
        fraction = (action.to - state.bet) / (state.pot + state.to_call)
        key = "raises" if state.raises else "bets"
        old = remaining[street][player]
        sizes_left = tuple(
            size
            for size in getattr(old, key)
            if size.kind is not Kind.POT or not fraction / ALIKE < size.number < fraction * ALIKE
        )
        remaining[street][player] = replace(old, **{key: sizes_left})
    flop, turn, river = ((first, second) for first, second in remaining)
    return flop, turn, river


def _spot(
    street: _Street,
    ranges: tuple[Weights, Weights],
    rules: Spot,
    observed: ObservedAction,
    holding: Holding,
) -> Spot:
    state, weights = observed.before, []
    for seat, range_weights in zip(street.players, ranges, strict=True):
        free = Range(np.asarray(range_weights, dtype=np.float64)).without(street.board).weights
        most = free.max()
        if not most > 0:
            raise BadInput("a player without a holding that the board allows")
        # Rounded, so that the same betting gives the same digest on every machine.
        likely: Weights = np.where(free >= LEAST_WEIGHT * most, free / most, 0.0)
        kept: Weights = np.round(likely, 4)
        if seat == observed.act.seat:
            kept[holding] = max(kept[holding], OWN_WEIGHT)
        weights.append(Range(kept))
    rake = state.rules.rake
    tier = None if rake is None else rake.tier(state.rules.seats)
    spot = replace(
        rules,
        board=street.board,
        ranges=(weights[0], weights[1]),
        pot=street.pot,
        stack=street.stack,
        rake=0.0 if tier is None else float(tier.share),
        rake_cap=np.inf if tier is None or tier.cap is None else float(tier.cap),
    )
    done = street.totals if street.taken is None else (*street.totals, street.taken)
    return with_line(spot, done)


def _read(solution: SpotSolution, street: _Street, holding: Holding) -> SpotReading:
    """Read the costs of a decision from a solution."""
    point, reach = solution.start(), [1.0, 1.0]
    weights = [player_range.weights.copy() for player_range in solution.spot.ranges]
    totals = [player_weights.sum() for player_weights in weights]
    for total in street.totals:
        number = _number(point.node, total)
        weights[point.node.player] *= np.nan_to_num(solution.strategy(point)[:, number])
        point = point.after(number)
    node = point.node
    player = node.player
    taken = _number(node, street.taken)
    mix = np.nan_to_num(solution.strategy(point))
    reach[1 - player] = weights[1 - player].sum() / totals[1 - player]
    if node.children[taken].kind in (Ends.DECISION, Ends.LATER):
        took = float(weights[player] @ mix[:, taken])
        reach[player] = took / max(float(weights[player].sum()), 1e-12)
    going_on, at_best = (
        _values(solution, point, weights[1 - player], holding, mode) for mode in (AVERAGE, BEST)
    )
    # A best response is never worse, but with 32 bits rounding may make it seem so.
    at_best = np.maximum(going_on, at_best)
    best = int(np.argmax(going_on + at_best))
    # The least cost: the best that another action gets by the solution, minus the most that the
    # action taken can get. The largest cost exchanges the two.
    low = float(going_on.max() - at_best[taken])
    high = float(at_best.max() - going_on[taken])
    return SpotReading(str(node.actions[best]), max(low, 0.0), max(high, 0.0), float(min(reach)))


def _values(
    solution: SpotSolution, point: SpotPoint, theirs: Weights, holding: Holding, mode: int
) -> Weights:
    """Return (actions,) chips that a holding gets by each action, relative to folding now."""
    solver, node = solution.solver, point.node
    player = node.player
    held = solver.streets[0].held[0][player]
    (row,) = np.flatnonzero(held == holding)
    met = solver.met(0, 0, player, theirs[solver.streets[0].held[0][1 - player]])[row]
    if met <= _LEAST_MET:
        raise BadInput("the opponent has no holding beside the player's")
    values = solver.all_values(0, 0, player, mode=mode)[:, row]
    averages = np.array([float(values[child.number]) for child in node.children]) / met
    # Payoffs count from the beginning of the spot with half of the pot as the player's own: add
    # that half and what the player has paid since, to count from a fold at this decision.
    worth: Weights = averages + solution.spot.pot / 2 + node.paid[player]
    return worth


def _number(node: Node, total: int | None) -> int:
    """Return the number of an action of a decision."""
    for number, action in enumerate(node.actions):
        if total is None:
            if action.act is ActKind.FOLD:
                return number
        elif action.act in (ActKind.CHECK, ActKind.CALL):
            if total == CHECK_OR_CALL:
                return number
        elif action.act >= ActKind.BET and action.amount == total:
            return number
    raise BadInput(f"{total} is not in the tree")
