"""A solved heads-up no-limit spot: its values, and the strategy at each decision."""

from __future__ import annotations

import contextlib
import csv
import io
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird._provenance import Provenance
from railbird._threads import threads_limited
from railbird.cards import (
    CLASS_OF_HOLDING,
    CLASSES,
    HOLDING_CARDS,
    HOLDINGS,
    TEXT_OF_CARD,
    Card,
    Holding,
    Range,
    format_card,
    format_holding,
)
from railbird.cards.isomorphism_kernels import CARD_UNDER, HOLDING_UNDER
from railbird.errors import BadInput, TooLarge
from railbird.progress import Progress
from railbird.solve import settings
from railbird.solve.spot.boards import expected_bytes, expected_numbers
from railbird.solve.spot.kernels import AVERAGE, BEST
from railbird.solve.spot.solving import CHECK_EVERY, SpotNeeds, SpotSolver
from railbird.solve.spot.spot import PLAYERS, Spot, met_by
from railbird.solve.spot.tree import Ends, Node, SpotAction, action_index, build_tree, read_line

if TYPE_CHECKING:
    import polars as pl

Values = npt.NDArray[np.float64]

GAP_PERCENT: Final = 0.3
"""The gap at which a spot counts as solved, in per cent of the pot."""

MOST_ITERATIONS: Final = 1_000

STALLED: Final = 200
"""Iterations without a smaller gap after which a solver with 16 bits stops."""

_HALF: Final = 16
"""The bits of a half-precision number."""

_LEAST_MET: Final = 1e-12

_WHOLE_BOARD: Final = 5
_RIVER_GAP: Final = 0.1
"""The gap to which a river that was left out is solved when it is shown, in per cent of the pot."""

Checked = Callable[["SpotSolution"], object]
"""A function that is called each time the gap has been computed."""


@dataclass(frozen=True, slots=True, eq=False)
class SpotNode(HasTable):
    """A point of a solved spot. Arrays have a row for each of the 1,326 holdings.

    Values of blocked holdings, and of holdings that no opposing holding can meet, are NaN.
    """

    line: str
    board: tuple[Card, ...]
    kind: Ends
    player: int
    """The player to act, 0 out of position; -1 for nobody."""
    pot: int
    """Chips in the pot, bets included."""
    paid: tuple[int, int]
    """Chips that each has put in since the spot began."""
    actions: tuple[SpotAction, ...]
    strategy: Values
    """(1326, actions) the strategy of the player to act."""
    reach: Values
    """(2, 1326) weights with which both players get here."""
    met: Values
    """(2, 1326) the weight of the opponent's holdings that each holding can meet."""
    values: Values
    """(2, 1326) chips that each holding gets from here on, not counting what was put in before;
    with a utility, what the holding has at the end of the hand, in its unit."""
    equity: Values
    """(2, 1326) the share of the pot that each holding would get if nobody bet any more."""
    action_values: Values
    """(actions, 1326) the actor's ``values`` after each action, in the same unit; the chips that
    the action puts in are subtracted."""

    @property
    def losses(self) -> Values:
        """How much less each action is worth than the best one, (actions, 1326)."""
        if not len(self.actions):
            return self.action_values
        losses: Values = self.action_values.max(axis=0) - self.action_values
        return losses

    @property
    def regrets(self) -> Values:
        """How much less the mix is worth than the best action, (1326,)."""
        regrets: Values = (np.nan_to_num(self.strategy).T * self.losses).sum(axis=0)
        return regrets

    @property
    def realisation(self) -> Values:
        """Share of its equity that each holding realises, (2, 1326): value over pot times equity.

        NaN where the equity is 0. It has no meaning if values are not in chips.
        """
        share = self.pot * self.equity
        parts: Values = self.values / np.where(share > 0, share, np.nan)
        return parts

    def blockers(self) -> Values:
        """Change of each action's frequency if the opponent has a card, (52, actions).

        The card removes the actor's holdings that contain it; the others keep the weights of
        `frequency`. NaN for cards on the board, and where nothing is left.
        """
        weights = self.reach[self.player] * self.met[self.player]
        played = weights[:, np.newaxis] * np.nan_to_num(self.strategy)
        changes = np.full((len(TEXT_OF_CARD), len(self.actions)), np.nan)
        usual = self.frequency()
        for card in set(range(len(changes))) - set(map(int, self.board)):
            has_card = np.equal(HOLDING_CARDS, card).any(axis=1)
            left = weights[~has_card].sum()
            if left > 0:
                changes[card] = played[~has_card].sum(axis=0) / left - usual
        return changes

    def curve(self, values: Values, player: int, points: int = 21) -> Values:
        """Return ``values`` or ``equity`` at even steps through a range, the weakest first.

        The shape is (points,); holdings count by their weight and the opposing reach that they
        meet. NaN where the player has no holding.
        """
        weights = self.reach[player] * self.met[player]
        known = np.isfinite(values[player]) & (weights > 0)
        if not known.any():
            return np.full(points, np.nan)
        order = np.argsort(values[player][known], kind="stable")
        sorted_values, sorted_weights = values[player][known][order], weights[known][order]
        ends = np.cumsum(sorted_weights)
        places = np.searchsorted(ends, np.linspace(0, ends[-1], points))
        at: Values = sorted_values[np.minimum(places, len(sorted_values) - 1)]
        return at

    def frequency(self) -> Values:
        """Return the frequency of each action over the actor's whole range, (actions,).

        Holdings are weighted by the opponent's reach that they can meet.
        """
        weights = self.reach[self.player] * self.met[self.player]
        total = weights.sum()
        shares: Values = weights @ np.nan_to_num(self.strategy) / (total if total > 0 else np.nan)
        return shares

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each holding of both players that gets here, the actor's first.

        The keys are ``player``, ``holding``, ``reach``, ``ev``, ``equity`` and ``realisation``. The
        actor's rows also have the probability of each action under its name, its value under ``ev``
        and its name, and ``regret``, how much more the best action is worth than the mix.
        """
        first = max(self.player, 0)
        numbers = {player: self._numbers(player) for player in range(2)}
        return [
            self._row(player, format_holding(Holding(holding)), numbers[player][:, holding])
            for player in (first, 1 - first)
            for holding in np.flatnonzero(self.reach[player] > 0)[::-1].tolist()
        ]

    def mean_row(self, player: int, chosen: npt.NDArray[np.bool_], name: str) -> dict[str, object]:
        """Return a row as in `rows` for ``chosen`` holdings (1326,) together, under a name.

        Each holding counts by the pairs that it makes with the other player's range; the reach is
        the sum. Raises `BadInput` if the player has none of them here.
        """
        here = chosen & (self.reach[player] > 0)
        if not here.any():
            raise BadInput(f"{name}: {PLAYERS[player]} does not come here with it")
        numbers = self._numbers(player)[:, here]
        weights = self.reach[player, here] * self.met[player, here]
        weights = weights if weights.sum() > 0 else np.ones_like(weights)
        known = np.isfinite(numbers)
        parts = known * weights
        totals = parts.sum(axis=1)
        sums = (parts * np.where(known, numbers, 0.0)).sum(axis=1)
        means = np.full(len(numbers), np.nan)
        np.divide(sums, totals, out=means, where=totals > 0)
        means[0] = self.reach[player, here].sum()
        ev, equity = means[1:3]
        means[-1] = ev / (self.pot * equity) if equity > 0 else np.nan
        return self._row(player, name, means)

    def _numbers(self, player: int) -> Values:
        """Return the numbers of the rows of all holdings, (numbers, 1326), in their order."""
        of_actor = (
            [np.nan_to_num(self.strategy).T, self.action_values, self.regrets[np.newaxis]]
            if player == self.player
            else []
        )
        both = [self.reach, self.values, self.equity]
        rows: Values = np.vstack(
            [*(array[player] for array in both), *of_actor, self.realisation[player]]
        )
        return rows

    def _row(self, player: int, name: str, numbers: Values) -> dict[str, object]:
        keys = ["reach", "ev", "equity"]
        if player == self.player:
            names = [*map(str, self.actions)]
            keys += [*names, *(f"ev {action}" for action in names), "regret"]
        keys.append("realisation")
        named: dict[str, object] = {"player": PLAYERS[player], "holding": name}
        return named | dict(zip(keys, numbers.tolist(), strict=True))

    def to_polars(self) -> pl.DataFrame:
        """Return `rows` as a data frame; actions are null for the player who does not act."""
        return table_of(self.rows())

    def mean(self, values: Values) -> tuple[float, float]:
        """Return the mean of ``values`` or ``equity`` over both ranges."""
        both = []
        for player in range(2):
            weights = self.reach[player] * self.met[player]
            known = np.isfinite(values[player]) & (weights > 0)
            total = weights[known].sum()
            mean = float(weights[known] @ values[player][known] / total) if total > 0 else np.nan
            both.append(mean)
        return both[0], both[1]


@dataclass(frozen=True, slots=True, eq=False)
class SpotPoint:
    """A point of a solution, with the solver's board that represents its board."""

    node: Node
    cards: tuple[Card, ...]
    """The board, in the order of dealing."""
    level: int
    """Streets since the spot began."""
    board: int
    """The solver's number of the board that represents this one."""
    holding_of: npt.NDArray[np.int64]
    """(1326,) the holding here that corresponds to each holding on the solver's board."""
    card_of: npt.NDArray[np.int64]
    """(52,) the card here that corresponds to each card on the solver's board."""

    def after(self, action: int) -> SpotPoint:
        """Return the point after an action, given by its number."""
        return replace(self, node=self.node.children[action])


@dataclass(eq=False)
class SpotSolution(HasTable):
    """A solved spot: its average strategies and their gap; see `solve_spot`."""

    solver: SpotSolver
    gap: float = np.inf
    """Gain of a best response, averaged over the players, in chips or the utility's unit."""
    finished: bool = False
    """Whether the gap that was asked for has been reached."""
    interrupted: bool = False
    resumable: bool = True
    """Whether regrets are known; a file may have been written without them."""
    made: Provenance | None = None
    """The program and arguments that made the file from which it was read."""

    @property
    def spot(self) -> Spot:
        """The spot that was solved."""
        return self.solver.spot

    @property
    def iterations(self) -> int:
        """Iterations so far."""
        return self.solver.iterations

    @property
    def gap_percent_of_pot(self) -> float:
        """The gap in per cent of the pot or, with a utility, of what winning the pot is worth."""
        return 100 * self.gap / self._pot_value

    @property
    def _pot_value(self) -> float:
        spot = self.spot
        if spot.utilities is None:
            return float(spot.at_stake)
        worth = [
            utility(spot.stack + spot.at_stake) - utility(spot.stack) for utility in spot.utilities
        ]
        return sum(worth) / 2

    def values(self) -> tuple[float, float]:
        """Return both players' mean shares of the pot, in chips or the utility's unit."""
        first, second = (self.solver.value(p, AVERAGE) + self._base(p, 0) for p in range(2))
        return first, second

    def _base(self, player: int, paid: int) -> float:
        """Return what turns payoffs into values: half of the pot, and the chips put in since."""
        spot = self.spot
        if spot.utilities is None:
            return spot.pot / 2 + paid
        return spot.utilities[player](spot.stack + spot.pot / 2)

    def best_response(self, player: int) -> Values:
        """Return a best response's value for each holding, (1326,), in the unit of `values`."""
        held = self.solver.streets[0].held[0]
        root_values, best = self.solver.root_values(player, BEST), np.full(HOLDINGS, np.nan)
        reach = self.spot.ranges[1 - player].weights[held[1 - player]]
        met = self.solver.met(0, 0, player, reach)
        some, chosen = met > _LEAST_MET, held[player]
        best[chosen[some]] = root_values[chosen[some]] / met[some] + self._base(player, 0)
        return best

    @property
    def pairs(self) -> float:
        """Sum of the weights of all pairs of holdings, folded players' ranges included."""
        return self.spot.pairs() * self.solver.chance_of_folded

    def to_polars(self) -> pl.DataFrame:
        """Return a row: both players' values, the equity, the iterations and the gap."""
        return table_of(
            [
                {
                    **{
                        f"ev_{player}": ev
                        for player, ev in zip(PLAYERS, self.values(), strict=True)
                    },
                    f"equity_{PLAYERS[0]}": self.equity,
                    "gap_percent_of_pot": self.gap_percent_of_pot,
                    "iterations": self.iterations,
                    "finished": self.finished,
                }
            ]
        )

    @cached_property
    def equity(self) -> float:
        """The first player's share of the pot if nobody bets."""
        root = self.node("")
        return root.mean(root.equity)[0]

    @checked
    def node(self, line: str = "") -> SpotNode:
        """Return the point after a line from the beginning, such as ``check bet 120 call Td``.

        Raises `BadInput` for an impossible action or card.
        """
        solution, point, scale = self, self.start(), np.ones((2, 1))
        reach = np.array([player_range.weights for player_range in self.spot.ranges])
        for word in read_line(line):
            node = point.node
            if isinstance(word, int):
                if node.kind is not Ends.LATER:
                    raise BadInput(f"a card in {line!r} where none is dealt")
                if word in point.cards or word not in self.solver.deck:
                    raise BadInput(f"{format_card(Card(word))} in {line!r} is on the board")
                point = self.after_card(point, Card(word))
                reach[:, np.equal(HOLDING_CARDS, word).any(axis=1)] = 0
                if self.solver.kept is not None and len(point.cards) == _WHOLE_BOARD:
                    scale = np.maximum(reach.max(axis=1, keepdims=True), np.finfo(float).tiny)
                    reach /= scale
                    solution = self._river(point, reach, line)
                    point = solution.start()
                continue
            if node.kind is not Ends.DECISION:
                expected = "a card" if node.kind is Ends.LATER else "nothing: the hand is over"
                raise BadInput(f"{word} in {line!r}; allowed: {expected}")
            index = action_index(node, word, line)
            reach[node.player] *= np.nan_to_num(solution.strategy(point)[:, index])
            point = point.after(index)
        view = solution._view(line, point, reach)
        return replace(view, reach=reach * scale, met=view.met * scale[::-1])

    def _river(self, point: SpotPoint, reach: Values, line: str) -> SpotSolution:
        """Solve a river that was left out, from the ranges that get there."""
        try:
            spot = replace(
                self.spot,
                board=point.cards,
                ranges=(Range(reach[0]), Range(reach[1])),
                added=(),
                removed=(),
                locks=(),
            )
        except BadInput:
            raise BadInput(
                f"no hand reaches the river of {line!r}, so it cannot be solved"
            ) from None
        solver = SpotSolver(spot, deck=self.solver.deck, threads=1, root=point.node)
        return resume(begun(solver), gap_percent=min(self.gap_percent_of_pot, _RIVER_GAP))

    def start(self) -> SpotPoint:
        """Return the point at which the spot begins."""
        root = self.solver.forests[0].roots[0]
        return SpotPoint(root, self.spot.board, 0, 0, np.arange(HOLDINGS), np.arange(52))

    def after_card(self, point: SpotPoint, card: Card) -> SpotPoint:
        """Return the first point of the next street, after a card that is not yet on the board."""
        alike = int(np.flatnonzero(point.card_of == card)[0])
        board, suits = self._deal(point.level, point.board, alike)
        return SpotPoint(
            point.node.children[0],
            (*point.cards, card),
            point.level + 1,
            board,
            point.holding_of[HOLDING_UNDER[suits]],
            point.card_of[CARD_UNDER[suits]],
        )

    def strategy(self, point: SpotPoint) -> Values:
        """Return the mix at a decision, (1326, actions); NaN for holdings outside the range."""
        solver, node = self.solver, point.node
        mix = np.full((HOLDINGS, len(node.actions)), np.nan)
        if node.kind is Ends.DECISION:
            held = solver.streets[point.level].held[point.board][node.player]
            mix[point.holding_of[held]] = solver.chances(point.level, point.board, node)
        return mix

    def _deal(self, level: int, board: int, card: int) -> tuple[int, int]:
        """Return the board that represents a card, and the permutation of suits to the card."""
        streets = self.solver.streets
        first, last = streets[level].boards.children[board : board + 2]
        for child in range(first, last):
            for suits in streets[level + 1].permutations[child]:
                if CARD_UNDER[suits, streets[level + 1].cards[child][-1]] == card:
                    return child, suits
        raise AssertionError(card)

    def _view(self, line: str, point: SpotPoint, reach: Values) -> SpotNode:
        solver, node, level, board = self.solver, point.node, point.level, point.board
        held = [point.holding_of[holdings] for holdings in solver.streets[level].held[board]]
        values, equity = np.full((2, 2, HOLDINGS), np.nan)
        every = np.zeros((2, HOLDINGS))
        action_values = np.full((len(node.actions), HOLDINGS), np.nan)
        for player in range(2):
            met = solver.met(level, board, player, reach[1 - player][held[1 - player]])
            every[player, held[player]] = met
            some = met > 1e-9 * max(1.0, met.max(initial=0.0))
            node_values = solver.node_values(level, board, node, player)
            base = self._base(player, node.paid[player])
            per_pair = node_values[:, some] / met[some] + base
            values[player, held[player][some]] = per_pair[0]
            if node.kind is Ends.DECISION and player == node.player:
                action_values[:, held[player][some]] = per_pair[1:]
            won = solver.equities(level, board, reach[1 - player][held[1 - player]], player)
            equity[player, held[player][some]] = (won[some] / met[some] + 1) / 2
        return SpotNode(
            line=line,
            board=point.cards,
            kind=node.kind,
            player=node.player if node.kind is Ends.DECISION else -1,
            pot=self.spot.pot + sum(node.paid),
            paid=node.paid,
            actions=tuple(node.actions),
            strategy=self.strategy(point),
            reach=reach,
            met=every,
            values=values,
            equity=equity,
            action_values=action_values,
        )


class PreflopDecision(NamedTuple):
    """A decision before the flop."""

    line: str
    player: int
    actions: tuple[SpotAction, ...]
    frequency: Values
    """(actions,) frequencies over all hands that get here."""
    strategy: Values
    """(actions, 169) frequencies by hand class."""


def preflop_decisions(solution: SpotSolution) -> Iterator[PreflopDecision]:
    """Yield the preflop decisions of a solved `PreflopSpot`, each before those that follow it."""
    waiting = [
        (
            "",
            solution.start(),
            np.array([player_range.weights for player_range in solution.spot.ranges]),
        )
    ]
    while waiting:
        line, point, reach = waiting.pop()
        node = point.node
        if node.kind is not Ends.DECISION:
            continue
        chances = solution.strategy(point)
        weights = reach[node.player] * met_by(reach[1 - node.player])
        total = weights.sum()
        held = np.flatnonzero(np.isfinite(chances[:, 0]))
        strategy = np.full((len(node.actions), CLASSES), np.nan)
        strategy[:, CLASS_OF_HOLDING[held]] = chances[held].T
        frequency = weights @ np.nan_to_num(chances) / (total if total > 0 else np.nan)
        yield PreflopDecision(line, node.player, tuple(node.actions), frequency, strategy)
        for index in reversed(range(len(node.actions))):
            after = reach.copy()
            after[node.player] *= np.nan_to_num(chances[:, index])
            waiting.append((f"{line} {node.actions[index]}".strip(), point.after(index), after))


def free_memory_mb() -> float:
    """Return the memory that is still available to a process, as far as the system says."""
    with contextlib.suppress(OSError), Path("/proc/meminfo").open(encoding="ascii") as lines:
        for line in lines:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) / 1024
    with contextlib.suppress(ValueError, OSError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20
    return np.inf


def check_memory(size: SpotNeeds, most_mb: float | None = None, *, store: int = 32) -> None:
    """Raise `TooLarge` for a spot that does not fit; the message says what would help.

    ``store`` is the number of bits of a regret and of an average.
    """
    most, are = most_memory(most_mb)
    if size.memory_mb > most:
        spared = 0 if store == _HALF else 2 * size.numbers * (store - _HALF) / 8 / 2**20
        raise _too_large(f"{megabytes(size.memory_mb)} MB", most, are, size.memory_mb - spared)


def check_boards(spot: Spot, most_mb: float | None = None, *, store: int = 32) -> None:
    """Raise `TooLarge` for a spot whose tree or boards do not fit, before they are dealt.

    ``store`` is the number of bits of a regret and of an average; the tree has both for each action
    of a holding. `check_memory` adds what is needed besides.
    """
    needed = expected_bytes(spot) / 2**20
    most, are = most_memory(most_mb)
    if needed > most:
        raise TooLarge(
            f"the boards need {megabytes(needed)} MB, and {megabytes(most)} are {are}; "
            "fewer flops or hands make them fewer"
        )
    numbers = expected_numbers(spot, [forest.slots for forest in build_tree(spot)])
    tree = 2 * numbers * store / 8 / 2**20
    if tree > most:
        # Half of the bits help only if the boards then fit as well.
        least = needed + tree if store == _HALF else needed + tree * _HALF / store
        raise _too_large(f"at least {megabytes(tree)} MB", most, are, least)


def _too_large(needs: str, most: float, are: str, least_mb: float) -> TooLarge:
    """Return the refusal of a tree; it proposes half of the bits only if that would fit."""
    half = "--store 16, which takes half, or " if least_mb <= most else ""
    return TooLarge(
        f"the tree needs {needs}, and {megabytes(most)} are {are}; {half}fewer sizes make it "
        "smaller: `railbird solve spot fit` says which, and what they cost"
    )


def most_memory(given_mb: float | None) -> tuple[float, str]:
    """Return the megabytes that may be used, and the word for them: free or allowed."""
    if given_mb is None:
        return free_memory_mb(), "free"
    if not 0 < given_mb < np.inf:
        raise BadInput(f"memory: {given_mb:g}; allowed: more than 0 MB, such as 2000")
    return given_mb, "allowed"


def megabytes(value: float) -> str:
    """Format megabytes, small numbers with more digits.

    >>> megabytes(1234.5), megabytes(12.34), megabytes(0.0123)
    ('1,234', '12.3', '0.012')
    """
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def rows_as_csv(rows: Sequence[Mapping[str, object]]) -> str:
    """Return the rows of `SpotNode.rows` as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for row in rows for key in row)))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@checked
def solve_spot(
    spot: Spot,
    *,
    gap_percent: float = GAP_PERCENT,
    iterations: int = MOST_ITERATIONS,
    threads: int | None = None,
    memory_mb: float | None = None,
    store: int = 32,
    isomorphism: bool = True,
    seconds: float | None = None,
    on_check: Checked | None = None,
    keep: bool = False,
) -> SpotSolution:
    """Solve a spot until its gap is ``gap_percent`` of the pot, or for so many ``iterations``.

    Solving also ends at the first check after ``seconds`` of wall time. The gap is exact. It is
    computed every ten iterations, and earlier if it is about to be reached; ``on_check`` is then
    called. With ``keep``, a `KeyboardInterrupt` after the first iteration ends the solving, and the
    result so far is returned as `SpotSolution.interrupted`; otherwise it is passed on.

    ``store`` is the number of bits of a regret and of an average. 16 bits take half of the memory
    and are as fast, but cannot reach gaps below some 0.03 % of the pot; the solving ends when
    `STALLED` iterations have not reduced the gap. Raises `BadInput`, before any memory is
    allocated, for a spot that needs more than ``memory_mb``, by default the free memory.

    >>> from railbird.solve.spot import BetSizes, same_sizes
    >>> sizes = same_sizes(BetSizes.parse("a"))
    >>> spot = Spot.of("2c3d7h9sJs", "AA,QQ", "KK", pot=2, stack=1, sizes=sizes)
    >>> round(solve_spot(spot, gap_percent=0.01).values()[0], 2)
    1.33
    """
    check_spot_goal(gap_percent, iterations)
    if store not in (16, 32):
        raise BadInput(f"store: {store}; allowed: 16 or 32 bits")
    check_boards(spot, memory_mb, store=store)
    solver = SpotSolver(spot, isomorphism=isomorphism, threads=threads, store=store)
    solution = begun(solver, memory_mb)
    return resume(
        solution,
        gap_percent=gap_percent,
        iterations=iterations,
        seconds=seconds,
        on_check=on_check,
        keep=keep,
    )


def check_spot_goal(gap_percent: float, iterations: int = 1) -> None:
    """Raise `BadInput` for a gap or a number of iterations that cannot be asked for."""
    settings.check_goal("gap:", gap_percent, settings.PERCENT)
    if iterations < 1:
        raise BadInput(f"iterations: {iterations}; allowed: 1 or more")


def begun(
    solver: SpotSolver, memory_mb: float | None = None, *, progress: Progress | None = None
) -> SpotSolution:
    """Return a solution before its first iteration. Raises `BadInput` if it needs too much memory.

    ``progress`` reports the counting of folded players' cards, which comes first.
    """
    check_memory(solver.size(), memory_mb, store=solver.store)
    solver.allocate(progress)
    return SpotSolution(solver)


def _iterations_to_look(
    iterations: int, look: tuple[int, float], former_look: tuple[int, float], gap_percent: float
) -> int:
    """Return how many iterations to make before the gap is computed again.

    That is up to the next multiple of ten, or less if the goal is likely to be reached before. The
    last two looks (iterations and gap) are extrapolated, taking the gap to be a power of the
    iterations.
    """
    most = CHECK_EVERY - iterations % CHECK_EVERY
    (number, gap), (former_number, former_gap) = look, former_look
    if not (0 < former_number < number and 0 < gap_percent < gap < former_gap):
        return most
    power = math.log(former_gap / gap) / math.log(number / former_number)
    # If gap = c n^-power, the goal is reached after n exp(log(gap / goal) / power) iterations.
    factor = math.log(gap / gap_percent) / power
    return min(most, max(math.ceil(number * math.expm1(min(factor, 1.0))), 1))


def resume(
    solution: SpotSolution,
    *,
    gap_percent: float = GAP_PERCENT,
    iterations: int = MOST_ITERATIONS,
    seconds: float | None = None,
    on_check: Checked | None = None,
    keep: bool = False,
) -> SpotSolution:
    """Continue to solve, as `solve_spot` does, up to a total number of iterations."""
    check_spot_goal(gap_percent, iterations)
    solver = solution.solver
    if not solution.resumable:
        raise BadInput(
            "this solution cannot be resumed; allowed: one solved and written with --resumable"
        )
    solution.finished = solution.interrupted = False
    least, least_at = solution.gap, solver.iterations
    look, former_look = (0, math.inf), (0, math.inf)
    end = np.inf if seconds is None else time.monotonic() + seconds
    with threads_limited(solver.threads):
        try:
            while solver.iterations < iterations:
                to_look = _iterations_to_look(solver.iterations, look, former_look, gap_percent)
                solver.run(min(to_look, iterations - solver.iterations))
                solution.gap = solver.gap()
                look, former_look = (solver.iterations, solution.gap_percent_of_pot), look
                if on_check is not None:
                    on_check(solution)
                if solution.gap_percent_of_pot <= gap_percent or time.monotonic() >= end:
                    break
                if solution.gap < least:
                    least, least_at = solution.gap, solver.iterations
                elif solver.store < 32 and solver.iterations - least_at >= STALLED:
                    break  # with 16 bits rounding makes the gap grow from here on
        except KeyboardInterrupt:
            if not keep or solver.iterations == 0:
                raise
            solution.gap = solver.gap()
            solution.interrupted = True
    solution.finished = solution.gap_percent_of_pot <= gap_percent
    return solution
