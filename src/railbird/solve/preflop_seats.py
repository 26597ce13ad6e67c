"""Solves heads-up to six-handed no-limit before the flop, by sampled deals.

`preflop` solves two seats exactly, `pushfold_table` solves all-in or fold at a table, and
`spot.preflop` two seats with play after the flop.

All seats begin with the same stack. There are at most `MOST_RAISES` raises, and at most three
players see the flop: a fourth may not call. Play after the flop is replaced by a *continuation*,
the share of the pot that each of two players wins on average: by their classes, by who acts first,
and by how deep the stacks are compared with the pot; see `blueprint_continuation`. Three players
check their hands down, and so do players who are all-in.

Regrets are found by external sampling (Lanctot and others 2009), for each seat in turn. With more
than two players nothing guarantees that this finds an equilibrium. `SeatsSolver.gains` measures
how much a seat gains by a response that was learned from other deals; that is a lower bound of what
it could gain.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import CLASS_OF_HOLDING, CLASSES
from railbird.errors import BadInput, TooLarge
from railbird.estimates import Estimate, Moments, ResultUnit
from railbird.progress import Progress
from railbird.solve.preflop_seats_kernels import (
    MANY,
    NOBODY,
    PAIR,
    deal_seats,
    measure_seats,
    sample_seats,
)
from railbird.solve.pushfold import showdown_matrices
from railbird.solve.spot.spot import BetSize, Kind

Table = npt.NDArray[np.float32]
"""(actions, 169) numbers, one for each action and class."""

NAMES: Final = ("UTG", "HJ", "CO", "BTN", "SB", "BB")
"""Names of six seats in the order of acting; fewer seats have the last ones."""

MOST_RAISES: Final = 3
MOST_AT_FLOP: Final = 3
MOST_NODES: Final = 3_000_000
_DEALS_AT_ONCE: Final = 1 << 14
_PRIOR: Final = 100.0
"""Weight, in big blinds, of the average strategy in a learned response.

A response leaves the average strategy only where its gains add up to more: what few deals say is
luck.
"""


@dataclass(frozen=True, eq=False)
class Continuation:
    """What two players win of a pot after the flop, on average over all boards."""

    name: str
    depths: npt.NDArray[np.float64]
    """(depths,) chips behind, in pots, in rising order."""
    shares: npt.NDArray[np.float32]
    """(depths, 169, 169) the share of the player who acts first, by his class and the other's."""

    def __repr__(self) -> str:
        """Name it by its numbers too: files of charts are kept under this."""
        digest = hashlib.sha256(self.depths.tobytes() + self.shares.tobytes()).hexdigest()
        return f"Continuation({self.name!r}, {digest[:12]})"


@lru_cache(maxsize=1)
def class_edges() -> npt.NDArray[np.float64]:
    """Return (169, 169) how much more often a class wins a showdown with another than it loses."""
    dealt, won = showdown_matrices()
    return np.divide(won, dealt, out=np.zeros_like(won), where=dealt > 0)


@lru_cache(maxsize=1)
def checked_down() -> Continuation:
    """Return the continuation in which nobody bets after the flop."""
    shares = (0.5 + class_edges() / 2).astype(np.float32)
    return Continuation("checked down", np.zeros(1), shares[np.newaxis])


@lru_cache(maxsize=1)
def blueprint_continuation() -> Continuation:
    """Return what players of a blueprint of heads-up no-limit win after the flop.

    At each depth the share of who acts first is a constant, plus a multiple of the edge of the
    classes, plus what his class wins beyond its edge, less what the other's class does in the other
    position. They were fitted to 100 big blinds of the blueprint "medium", 80 million deals (hash
    d01eede4), by ``release/flop_shares.py``; there both players hold many more hands than at a
    table of six. Without chips behind nobody can bet.
    """
    file = files("railbird.solve").joinpath("data", "flop_shares.npz")
    with file.open("rb") as opened, np.load(opened) as arrays:
        fit = {name: arrays[name].astype(np.float64) for name in arrays.files}
    shares = (
        0.5
        + fit["constants"][:, None, None]
        + fit["slopes"][:, None, None] * class_edges() / 2
        + fit["first"][:, :, None]
        - fit["last"][:, None, :]
    )
    down = checked_down()
    return Continuation(
        "blueprint",
        np.concatenate([down.depths, fit["depths"]]),
        np.concatenate([down.shares, shares.astype(np.float32)]),
    )


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsGame:
    """The stakes, sizes and continuation, in big blinds. Raises `BadInput` for impossible ones."""

    seats: int = 6
    stack: float = 100.0
    opens: tuple[BetSize, ...] = (BetSize.parse("2.5x"),)
    """Sizes of the first raise: multiples of the big blind, or all-in."""
    reraises: tuple[BetSize, ...] = (BetSize.parse("3x"), BetSize.parse("a"))
    """Sizes of later raises: multiples of the raise before, or all-in."""
    limpers: int = 1
    """How many seats may limp, counted from the small blind backwards."""
    rake: float = 0.0
    """The share of a pot that is taken as rake if there is a flop."""
    rake_cap: float = np.inf
    continuation: Continuation = field(default_factory=blueprint_continuation)

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= len(NAMES):
            raise BadInput(f"{self.seats} seats; allowed: 2 to {len(NAMES)}")
        if not 1 < self.stack <= 1_000:
            raise BadInput(f"stack {self.stack:g}; allowed: more than 1, to 1,000 big blinds")
        if not 0 <= self.limpers < self.seats:
            raise BadInput(f"{self.limpers} limpers; allowed: 0 to {self.seats - 1}")
        if not 0 <= self.rake < 1 or not self.rake_cap >= 0:
            raise BadInput(
                f"rake {self.rake:g}, cap {self.rake_cap:g}; allowed: 0 to below 1, 0 up"
            )
        for size in (*self.opens, *self.reraises):
            if size.kind not in (Kind.PREVIOUS, Kind.ALL_IN):
                raise BadInput(f"size {size}; allowed: 2.5x, a")
            if size.kind is Kind.PREVIOUS and not 1 < size.number <= 100:
                raise BadInput(f"size {size}; allowed: more than 1x, to 100x")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the seats in the order of acting; of two, the dealer is the small blind."""
        return NAMES[-self.seats :]


class _Point(NamedTuple):
    """The state of the betting when a player is to act."""

    bets: tuple[float, ...]
    folded: tuple[bool, ...]
    to_act: tuple[int, ...]
    """The seats that have yet to act, in order."""
    level: float
    increment: float
    """What the last raise, or the big blind, added; a raise adds at least as much, or is all-in."""
    raises: int
    in_pot: int
    """How many players have called or made the last raise."""


@dataclass(eq=False)
class SeatsTree:
    """The betting as arrays; see `railbird.solve.preflop_seats_kernels`."""

    actor: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    slot: npt.NDArray[np.int64]
    paid: npt.NDArray[np.float64]
    left: npt.NDArray[np.bool_]
    pots: npt.NDArray[np.float64]
    flops: npt.NDArray[np.float64]
    actions: list[tuple[str, ...]]
    """The names of each node's actions."""

    @property
    def slots(self) -> int:
        """Number of actions."""
        return int(self.slot[-1])

    def after(self, words: Sequence[str]) -> int:
        """Return the node after some actions. Raises `BadInput`."""
        node = 0
        for word in words:
            if word not in self.actions[node]:
                allowed = ", ".join(self.actions[node]) or "nothing: the betting is over"
                raise BadInput(f"{word!r}; allowed: {allowed}")
            node = int(self.first[node]) + self.actions[node].index(word)
        return node


@checked
def seats_tree(game: SeatsGame) -> SeatsTree:
    """Lay out the betting of a game. Raises `TooLarge` for more than `MOST_NODES` nodes."""
    order = tuple(range(game.seats))
    blinds = [0.0] * game.seats
    blinds[-2:] = [min(0.5, game.stack), min(1.0, game.stack)]
    start = _Point(tuple(blinds), (False,) * game.seats, order, 1.0, 1.0, 0, 0)
    points: list[_Point] = [start]
    actor, first, slot, actions = list[int](), list[int](), list[int](), list[tuple[str, ...]]()
    slots = 0
    for number, point in enumerate(points):  # grows: children follow their parent
        choices = _choices(game, point)
        first.append(len(points))
        slot.append(slots)
        slots += len(choices)
        actions.append(tuple(choices))
        points += choices.values()
        actor.append(point.to_act[0] if choices else _end(point))
        if len(points) > MOST_NODES:
            raise TooLarge(f"the betting has more than {MOST_NODES:,} nodes; fewer sizes help")
        assert number + 1 == len(first)
    bets = np.array([point.bets for point in points])
    folded = np.array([point.folded for point in points])
    pots, at_flop = bets.sum(axis=1), np.zeros((len(points), 3))
    ends = np.array(actor)
    flops = (ends == PAIR) | (ends == MANY)
    pots[flops] -= np.minimum(game.rake * pots[flops], game.rake_cap)
    behind = game.stack - bets.max(axis=1)
    depths = game.continuation.depths
    at_flop[:, 0] = np.interp(behind / np.maximum(pots, 1e-9), depths, np.arange(len(depths)))
    at_flop[:, 1] = _is_reversed(~folded, game.seats)
    at_flop[:, 2] = behind
    return SeatsTree(
        actor=ends.astype(np.int64),
        first=np.array([*first, len(points)], dtype=np.int64),
        slot=np.array([*slot, slots], dtype=np.int64),
        paid=bets,
        left=~folded,
        pots=pots,
        flops=at_flop,
        actions=actions,
    )


def _is_reversed(left: npt.NDArray[np.bool_], seats: int) -> npt.NDArray[np.bool_]:
    """Tell where the later of two seats that are left acts first after the flop.

    There the blinds act first; with two seats the small blind is the dealer, who acts last.
    """
    if seats == 2:
        return np.ones(len(left), dtype=np.bool_)
    first, last = left.argmax(axis=1), seats - 1 - left[:, ::-1].argmax(axis=1)
    reversed_pairs: npt.NDArray[np.bool_] = (first < seats - 2) & (last >= seats - 2)
    return reversed_pairs


def _end(point: _Point) -> int:
    left = point.folded.count(False)
    return NOBODY if left == 1 else PAIR if left == 2 else MANY


def _choices(game: SeatsGame, point: _Point) -> dict[str, _Point]:
    """Return the possible actions and the state after each; none at an end."""
    if point.folded.count(False) == 1 or not point.to_act:
        return {}
    me, rest = point.to_act[0], point.to_act[1:]
    choices: dict[str, _Point] = {}
    owes = point.bets[me] < point.level
    if owes:
        folded = tuple(gone or seat == me for seat, gone in enumerate(point.folded))
        choices["fold"] = point._replace(folded=folded, to_act=rest)
    may_limp = bool(point.raises) or me >= game.seats - 1 - game.limpers
    if not owes:
        choices["check"] = point._replace(to_act=rest)
    elif may_limp and point.in_pot < MOST_AT_FLOP:
        bets = _with(point.bets, me, point.level)
        choices["call"] = point._replace(bets=bets, to_act=rest, in_pot=point.in_pot + 1)
    if point.raises < MOST_RAISES and point.level < game.stack:
        for to in _raises(game, point):
            # After a raise everybody who has not folded acts again, in order from the raiser on.
            # Nobody else is all-in: stacks are equal, so an all-in would have put the level at the
            # stack.
            others = [
                seat for seat in (*range(me + 1, game.seats), *range(me)) if not point.folded[seat]
            ]
            word = "all-in" if to == game.stack else f"raise {to:g}"
            choices[word] = _Point(
                bets=_with(point.bets, me, to),
                folded=point.folded,
                to_act=tuple(others),
                level=to,
                increment=to - point.level,
                raises=point.raises + 1,
                in_pot=1,
            )
    return choices


def _raises(game: SeatsGame, point: _Point) -> list[float]:
    """Return the amounts of the possible raises, ascending; a smaller one is the least legal."""
    sizes = game.reraises if point.raises else game.opens
    least = point.level + point.increment
    wanted = {
        game.stack
        if size.kind is Kind.ALL_IN
        else min(max(point.level * size.number, least), game.stack)
        for size in sizes
    }
    return sorted(round(to, 6) for to in wanted)


def _with(bets: tuple[float, ...], seat: int, to: float) -> tuple[float, ...]:
    return (*bets[:seat], to, *bets[seat + 1 :])


@dataclass(eq=False)
class SeatsSolver:
    """A game that is being solved. Each call of `run` continues from the last."""

    game: SeatsGame
    seed: int = 0
    deals: int = field(default=0, init=False)
    tree: SeatsTree = field(init=False)
    regrets: Table = field(init=False)
    sums: Table = field(init=False)

    def __post_init__(self) -> None:
        self.tree = seats_tree(self.game)
        self.regrets, self.sums = np.zeros((2, self.tree.slots, CLASSES), dtype=np.float32)
        self._rng = np.random.default_rng(self.seed)
        self._stream = self._rng.integers(1, 1 << 63, size=1, dtype=np.uint64)
        nodes = len(self.tree.actor)
        self._room = np.zeros(nodes, dtype=np.int64), np.zeros(nodes), np.zeros(self.tree.slots)

    def _arrays(self) -> tuple[Any, ...]:
        tree = self.tree
        layout = tree.actor, tree.first, tree.slot, tree.paid, tree.left, tree.pots, tree.flops
        return (*layout, self.game.continuation.shares)

    def _deal(self, rng: np.random.Generator, deals: int) -> tuple[Any, ...]:
        classes, strengths = np.zeros((2, deals, self.game.seats), dtype=np.int64)
        deal_seats(rng.random((deals, 2 * self.game.seats + 5)), classes, strengths)
        return classes, strengths

    def run(self, deals: int) -> None:
        """Deal so many more hands, and update every seat on each of them."""
        for begin in range(0, deals, _DEALS_AT_ONCE):
            dealt = self._deal(self._rng, min(_DEALS_AT_ONCE, deals - begin))
            arguments: list[Any] = [
                *self._arrays(),
                *dealt,
                -1,
                self.regrets,
                self.regrets,
                self.sums,
                self.deals,
                self._stream,
                *self._room,
            ]
            sample_seats(*arguments)
            self.deals += len(dealt[0])

    def gains(
        self, seat: int, *, learn: int, measure: int, seed: int = 0
    ) -> tuple[Estimate, Estimate]:
        """Return what a seat wins a hand, and how much more a learned response to the others wins.

        The response learns from ``learn`` deals what each action wins against the average
        strategies, and is measured on ``measure`` other deals. It is one response, not the best.
        """
        rng = np.random.default_rng([self.seed, seed, seat])
        stream = rng.integers(1, 1 << 63, size=1, dtype=np.uint64)
        # Learned and measured on different deals: on its own deals a response would also gain from
        # their luck.
        response = (_PRIOR * self.shares()).astype(np.float32)
        for begin in range(0, learn, _DEALS_AT_ONCE):
            dealt = self._deal(rng, min(_DEALS_AT_ONCE, learn - begin))
            arguments: list[Any] = [
                *self._arrays(),
                *dealt,
                seat,
                response,
                self.sums,
                self.sums,
                0,
                stream,
                *self._room,
            ]
            sample_seats(*arguments)
        won = []
        for begin in range(0, measure, _DEALS_AT_ONCE):
            dealt = self._deal(rng, min(_DEALS_AT_ONCE, measure - begin))
            out = np.zeros((len(dealt[0]), 2))
            better = np.zeros(len(self.tree.actor))
            arguments = [
                *self._arrays(),
                *dealt,
                seat,
                response,
                self.sums,
                stream,
                *self._room[:2],
                better,
                out,
            ]
            measure_seats(*arguments)
            won.append(out)
        both = np.concatenate(won)
        unit = ResultUnit.BIG_BLINDS
        return (
            Moments.of(both[:, 0]).estimate(unit),
            Moments.of(both[:, 1] - both[:, 0]).estimate(unit),
        )

    def shares(self) -> npt.NDArray[np.float64]:
        """Return the average strategies, (actions, 169); uniform where nothing was summed."""
        starts = np.unique(self.tree.slot[:-1][self.tree.actor >= 0])
        counts = np.diff([*starts, self.tree.slots])
        sums = self.sums.astype(np.float64)
        total = np.repeat(np.add.reduceat(sums, starts, axis=0), counts, axis=0)
        alike = np.repeat(1 / counts, counts)[:, np.newaxis]
        shares: npt.NDArray[np.float64] = np.broadcast_to(alike, sums.shape).copy()
        np.divide(sums, total, out=shares, where=total > 0)
        return shares

    def chart(self, words: Sequence[str] = ()) -> tuple[str, Mapping[str, npt.NDArray[np.float64]]]:
        """Return the seat to act after some actions, and for each action (169,) its frequencies.

        Raises `BadInput` if nobody acts there.
        """
        node = self.tree.after(words)
        seat = int(self.tree.actor[node])
        if seat < 0:
            raise BadInput(f"nobody acts after {' '.join(words)!r}")
        first, last = self.tree.slot[node : node + 2]
        shares = self.shares()[first:last]
        return self.game.names[seat], dict(zip(self.tree.actions[node], shares, strict=True))


def first_in(game: SeatsGame) -> dict[str, tuple[str, ...]]:
    """Return for each seat but the big blind the actions after which it can open the pot."""
    return {name: ("fold",) * number for number, name in enumerate(game.names[:-1])}


_SHARE: Final = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES) / len(CLASS_OF_HOLDING)
"""(169,) the share of each class among all holdings."""


def frequencies(chart: Mapping[str, npt.NDArray[np.float64]]) -> dict[str, float]:
    """Return how often each action of a chart is taken, over all holdings."""
    return {action: float(shares @ _SHARE) for action, shares in chart.items()}


def solve_seats(
    game: SeatsGame, deals: int, *, seed: int = 0, progress: Progress | None = None
) -> SeatsSolver:
    """Solve a game by so many deals. Ctrl-C ends the run and returns what was learned so far."""
    solver = SeatsSolver(game, seed)
    try:
        while solver.deals < deals:
            solver.run(min(_DEALS_AT_ONCE, deals - solver.deals))
            if progress is not None:
                progress(solver.deals, deals, "deals")
    except KeyboardInterrupt:
        if not solver.deals:
            raise
    return solver


# Charts that ship, of some stacks, for players and for the grades of decisions before the flop.


_LOG = logging.getLogger(__name__)

CHART_STACKS: Final = (20, 50, 100, 200)
"""Stacks in big blinds; a stack between two of them uses the chart of the nearer one."""

CHART_DEALS: Final = 20_000_000
"""Deals by which the charts were solved (``release/charts.py``)."""

CHART_OPENS: Final = (BetSize.parse("2.5x"), BetSize.parse("a"))
"""Opening sizes of the charts. All-in is one, so that a real shove has a counterpart."""

_ALL: Final = 255
_CHARTS_VERSION: Final = 1


@dataclass(frozen=True, eq=False)
class SeatsCharts:
    """The average strategies of a game that was solved."""

    game: SeatsGame
    tree: SeatsTree
    table: npt.NDArray[np.uint8]
    """(actions, 169) weights of the actions, whose sum for a class is about 255."""
    deals: int
    """Deals by which they were solved."""

    def at(self, node: int) -> npt.NDArray[np.float64]:
        """Return (actions, 169) how often each class takes each action of a decision."""
        first, last = self.tree.slot[node : node + 2]
        weights = self.table[first:last].astype(np.float64)
        shares: npt.NDArray[np.float64] = weights / weights.sum(axis=0)
        return shares


def nearest_chart(stack: float) -> int:
    """Return the element of `CHART_STACKS` that is nearest to a stack, by the logarithm.

    >>> [nearest_chart(stack) for stack in (1, 30, 33, 100, 1_000)]
    [20, 20, 50, 100, 200]
    """
    distances = np.abs(np.log(max(stack, 1e-9)) - np.log(CHART_STACKS))
    return CHART_STACKS[int(distances.argmin())]


@lru_cache(maxsize=64)
def seats_charts(
    seats: int, stack: int, *, continuation: Continuation | None = None
) -> SeatsCharts:
    """Return the charts of two to six seats with one of `CHART_STACKS`; all of them ship.

    ``continuation`` is that of the blueprint by default; the other one is `checked_down`.
    """
    game = chart_game(seats, stack, continuation or blueprint_continuation())
    path = files("railbird.solve").joinpath("data", "charts", charts_file(game))
    with path.open("rb") as opened, np.load(opened) as archive:
        table = archive["table"]
        table.flags.writeable = False
        return SeatsCharts(game, seats_tree(game), table, int(archive["deals"]))


def chart_game(seats: int, stack: int, continuation: Continuation) -> SeatsGame:
    """Return the game of the charts of a table."""
    return SeatsGame(seats=seats, stack=float(stack), opens=CHART_OPENS, continuation=continuation)


def charts_file(game: SeatsGame) -> str:
    """Return the name of the file of a game's charts."""
    digest = hashlib.sha256(repr((_CHARTS_VERSION, game)).encode()).hexdigest()[:16]
    return f"seats-{game.seats}-{game.stack:g}-{digest}.npz"


def solve_charts(game: SeatsGame, deals: int, progress: Progress) -> npt.NDArray[np.uint8]:
    """Solve a game by so many deals, and return the table of `SeatsCharts`."""
    solver = SeatsSolver(game)
    while solver.deals < deals:
        solver.run(min(_DEALS_AT_ONCE, deals - solver.deals))
        progress(solver.deals, deals, "deals")
    return np.rint(_ALL * solver.shares()).astype(np.uint8)
