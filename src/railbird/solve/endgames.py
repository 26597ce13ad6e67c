"""A hundred heads-up no-limit endgames on which to try algorithms, as arrays of numbers.

`railbird.solve.toy_games` has games small enough to be written down as trees, and
`railbird.solve.spot` solves any spot.

Forty endgames begin on the river, forty on the turn and twenty on the flop, with 100 big blinds of
100 chips. ``release/endgames.py`` draws them from a seed: a blueprint of no-limit plays against
itself, and when a hand reaches the street, its board, its pot and both players' ranges become an
endgame. The ranges are in hundredths.

An `Endgame` shows the game to an algorithm as arrays of *numbers*, one for each board, decision,
action and holding of the player who acts. A strategy is such an array, and so are regrets. Boards
that differ by suits alone are one board, as in `railbird.solve.spot.kernels`, whose passes do the
work. The arrays have that module's layout, so some numbers are padding: `Endgame.sets` is negative
there.

    >>> game = endgame("river-1")
    >>> strategy = cfr_plus(game, 20)
    >>> game.gap_percent(strategy) < game.gap_percent(game.uniform()) / 4
    True
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._files import read_arrays
from railbird.cards import Card, Range
from railbird.errors import BadInput, unknown_name
from railbird.solve.spot import Spot, SpotSolver
from railbird.solve.spot.kernels import AVERAGE, BEST, UPDATE, StepFactors
from railbird.solve.spot.solution import check_memory
from railbird.solve.spot.tree import Ends, Node

Numbers = npt.NDArray[np.float64]

STREETS: Final[Mapping[str, int]] = {"river": 40, "turn": 40, "flop": 20}
"""How many endgames begin on each street."""

MENUS: Final[Mapping[str, str]] = {
    "river": "bets = 33%, 75%, 150%, a\nraises = 60%, a",
    "turn": "bets = 60%, 150%, a\nraises = a",
    "flop": "bets = 60%\nraises = a\nforce_all_in = 0.4",
}
"""The bet sizes of the endgames, by the street on which they begin."""

STACK: Final = 10_000
"""Chips of both players at the beginning of the hand, 100 big blinds."""

PART: Final = 0.01
"""The unit of the weights in ranges, as a share of a holding."""

_AS_THEY_ARE: Final = StepFactors(1.0, 1.0, 1.0, 0.0, 1.0, 0.0)
"""Factors with which a pass adds to regrets without discounting and leaves averages alone."""


@dataclass(eq=False)
class Endgame:
    """An endgame, as algorithms see it. Memory is allocated when it is first needed."""

    name: str
    spot: Spot
    deck: tuple[int, ...] = tuple(range(52))

    @cached_property
    def solver(self) -> SpotSolver:
        """The spot's own solver, whose arrays and passes are used here.

        Raises `TooLarge` for a spot that does not fit into the free memory.
        """
        solver = SpotSolver(self.spot, deck=self.deck, threads=1)
        check_memory(solver.size())
        solver.allocate()
        return solver

    @property
    def size(self) -> int:
        """How many numbers a strategy has."""
        return sum(street.numbers for street in self.solver.streets)

    def _decisions(self) -> Iterator[tuple[int, int, Node, int, int, int]]:
        """Yield the street, board and node of each decision, and where its numbers are.

        These are the first number, the count of holdings, and the distance between two actions.
        """
        for level, (forest, street) in enumerate(
            zip(self.solver.forests, self.solver.streets, strict=True)
        ):
            nodes = [node for node in forest.nodes() if node.kind is Ends.DECISION]
            for board in range(len(street.cards)):
                for node in nodes:
                    count, padded, _, base = street.boards.sizes[board, node.player].tolist()
                    yield level, board, node, base + node.slot * padded, count, padded

    @cached_property
    def sets(self) -> npt.NDArray[np.int32]:
        """(size,) the information set of each number, from 0 on; -1 for padding."""
        sets = np.full(self.size, -1, dtype=np.int32)
        first_set = 0
        for *_, node, first, count, padded in self._decisions():
            table = sets[first : first + len(node.actions) * padded].reshape(-1, padded)
            table[:, :count] = np.arange(first_set, first_set + count)
            first_set += count
        return sets

    @cached_property
    def players(self) -> npt.NDArray[np.int8]:
        """(size,) the player of each number; 0 is out of position."""
        players = np.zeros(self.size, dtype=np.int8)
        for *_, node, first, _, padded in self._decisions():
            players[first : first + len(node.actions) * padded] = node.player
        return players

    @cached_property
    def holdings(self) -> npt.NDArray[np.int16]:
        """(size,) the holding of each number, 0 to 1325; -1 for padding."""
        holdings = np.full(self.size, -1, dtype=np.int16)
        for level, board, node, first, count, padded in self._decisions():
            table = holdings[first : first + len(node.actions) * padded].reshape(-1, padded)
            table[:, :count] = self.solver.streets[level].held[board][node.player]
        return holdings

    @property
    def set_count(self) -> int:
        """Number of information sets."""
        return int(self.sets.max()) + 1

    def zeros(self) -> Numbers:
        """Return (size,) zeros, with which regrets and sums begin."""
        return np.zeros(self.size)

    def uniform(self) -> Numbers:
        """Return the strategy that plays all actions equally often."""
        return self.normalised(self.zeros())

    def sums(self, numbers: Numbers) -> Numbers:
        """Return (size,) for each number, the sum over all actions of its information set."""
        known = self.sets >= 0
        total = np.bincount(self.sets[known], numbers[known], minlength=self.set_count)
        return np.where(known, total[self.sets], 0.0)

    def normalised(self, weights: Numbers) -> Numbers:
        """Return the strategy in proportion to positive weights, uniform where there are none."""
        positive = np.maximum(weights, 0.0)
        total = self.sums(positive)
        share = np.divide(1.0, self._choices, where=self.sets >= 0, out=self.zeros())
        return np.divide(positive, total, where=total > 0, out=share)

    @cached_property
    def _choices(self) -> Numbers:
        return self.sums(np.ones(self.size))

    def gains(self, player: int, strategy: Numbers) -> Numbers:
        """Return (size,) the regrets of a player's actions: what each wins more than the strategy.

        They come from counterfactual values against the opponent's strategy, and are zero at the
        opponent's numbers. A value is in chips, times the opponent's reach.
        """
        solver = self.solver
        # Regret matching turns the strategy, written as regrets, into itself. A pass with these
        # factors then adds the gains of one iteration to it, so the difference is what that pass
        # added.
        solver.regrets[:] = self._checked(strategy)
        before = solver.regrets.copy()
        solver._pass(player, UPDATE, _AS_THEY_ARE)
        return solver.regrets.astype(np.float64) - before

    def reach(self, strategy: Numbers) -> Numbers:
        """Return (size,) the probability of a player's own actions leading to each number's set."""
        numbers = self._checked(strategy)
        reach = self.zeros()
        for player in (0, 1):
            count = len(self.solver.streets[0].held[0][player])
            self._follow(0, 0, player, np.ones((1, count)), numbers, reach)
        return reach

    def _follow(
        self, level: int, board: int, player: int, roots: Numbers, strategy: Numbers, reach: Numbers
    ) -> None:
        """Fill in the reach on a board of a street, given that of its roots, (roots, holdings)."""
        forest, boards = self.solver.forests[level], self.solver.streets[level].boards
        count, padded, _, base = boards.sizes[board, player].tolist()
        rows = {id(root): row for root, row in zip(forest.roots, roots, strict=True)}
        leaves = np.zeros((len(forest.leaves), count))
        for node in forest.nodes():
            row = rows[id(node)]
            if node.kind is Ends.LATER:
                leaves[node.leaf] = row
            elif node.kind is Ends.DECISION:
                for action, child in enumerate(node.children):
                    first = base + (node.slot + action) * padded
                    rows[id(child)] = row
                    if node.player == player:
                        reach[first : first + count] = row
                        rows[id(child)] = row * strategy[first : first + count]
        if level + 1 == len(self.solver.forests):
            return
        later = self.solver.streets[level + 1].boards
        for child_board in range(*boards.children[board : board + 2].tolist()):
            held, _, first, _ = later.sizes[child_board, player].tolist()
            order = later.order[first : first + held]
            self._follow(level + 1, child_board, player, leaves[:, order], strategy, reach)

    def bounds(self, strategy: Numbers) -> tuple[float, float]:
        """Return a lower and an upper bound of the first player's value, in chips of the pot.

        The lower one is what this strategy wins for the first player against a best response, the
        upper one what a best response wins against the second player's part of it.
        """
        self.solver.averages[:] = self._checked(strategy)
        half = self.spot.pot / 2
        return half - self.solver.value(1, BEST), half + self.solver.value(0, BEST)

    def value(self, strategy: Numbers) -> float:
        """Return the first player's share of the pot, in chips, if both play the strategy."""
        self.solver.averages[:] = self._checked(strategy)
        return self.spot.pot / 2 + self.solver.value(0, AVERAGE)

    def gap_percent(self, strategy: Numbers) -> float:
        """Return the mean gain of both players' best responses, in per cent of the pot."""
        low, high = self.bounds(strategy)
        return 100 * (high - low) / (2 * self.spot.pot)

    def _checked(self, strategy: Numbers) -> Numbers:
        numbers = np.asarray(strategy, dtype=np.float64)
        if numbers.shape != (self.size,):
            raise BadInput(f"a strategy of shape {numbers.shape}; allowed: ({self.size:,},)")
        if not np.isfinite(numbers).all() or (numbers < 0).any():
            raise BadInput("a strategy with other numbers than 0 or more")
        known = self.sets >= 0
        off = np.abs(self.sums(numbers) - 1)[known].max(initial=0.0)
        if off > _ROUNDING:
            raise BadInput(
                f"a strategy whose probabilities are off by up to {off:.3g} from a sum of one"
            )
        return np.where(known, numbers, 0.0)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the arrays that another program needs to read and write strategies.

        ``sets``, ``players`` and ``holdings`` are (size,). ``boards`` (boards, 5) are cards, -1 for
        none, and ``lines`` the betting up to and including an action; ``board_of`` and ``line_of``
        (size,) index them. There are also ``ranges`` (2, 1326), ``pot`` and ``stack``.
        """
        board_of, line_of = np.zeros((2, self.size), dtype=np.int32)
        boards, known = list[tuple[int, ...]](), dict[str, int]()
        starts = np.cumsum([0, *(len(street.cards) for street in self.solver.streets)])
        for street in self.solver.streets:
            boards += [(*cards, *[-1] * (5 - len(cards))) for cards in street.cards]
        line_by_node = dict(self._lines())
        for level, board, node, first, _, padded in self._decisions():
            for action, name in enumerate(node.actions):
                line = f"{line_by_node[id(node)]} {name}".strip()
                known.setdefault(line, len(known))
                place = slice(first + action * padded, first + (action + 1) * padded)
                board_of[place], line_of[place] = starts[level] + board, known[line]
        return {
            "sets": self.sets,
            "players": self.players,
            "holdings": self.holdings,
            "board_of": board_of,
            "line_of": line_of,
            "boards": np.array(boards, dtype=np.int8),
            "lines": np.array(list(known)),
            "ranges": np.array([player_range.weights for player_range in self.spot.ranges]),
            "pot": np.array(self.spot.pot),
            "stack": np.array(self.spot.stack),
        }

    def _lines(self) -> Iterator[tuple[int, str]]:
        """Yield the line of betting that leads to each node, ``/`` for a card."""
        waiting = [(self.solver.forests[0].roots[0], "")]
        while waiting:
            node, line = waiting.pop()
            yield id(node), line
            for number, child in enumerate(node.children):
                word = "/" if node.kind is Ends.LATER else str(node.actions[number])
                waiting.append((child, f"{line} {word}".strip()))


_ROUNDING: Final = 1e-4


# The hundred endgames.


class EndgameValue(NamedTuple):
    """Bounds of an endgame's value, in per cent of the pot."""

    low: float
    """The first player's share of the pot is at least this."""
    high: float
    """The first player's share is at most this; bounds of 0 and 100 would say nothing."""


def names() -> tuple[str, ...]:
    """Return the names of the hundred: river-1 to flop-20."""
    return tuple(
        f"{street}-{number + 1}" for street, count in STREETS.items() for number in range(count)
    )


@cache
def _drawn() -> dict[str, Spot]:
    file = files("railbird.solve").joinpath("data", "endgames.npz")
    arrays = read_arrays(file, "boards", "pots", "ranges")
    spots = {}
    for number, name in enumerate(names()):
        board = [Card(int(card)) for card in arrays["boards"][number] if card >= 0]
        oop, ip = (Range(np.round(PART * weights, 2)) for weights in arrays["ranges"][number])
        pot = int(arrays["pots"][number])
        menu = Spot.parse(_ANY_SPOT + MENUS[name.partition("-")[0]])
        spots[name] = replace(
            menu, board=tuple(board), ranges=(oop, ip), pot=pot, stack=STACK - pot // 2
        )
    return spots


_ANY_SPOT: Final = "board = 7h3d2c\noop = AA\nip = KK\npot = 2\nstack = 1\n"


@cache
def values() -> dict[str, EndgameValue]:
    """Return the known bounds of the values, by name; see ``release/endgames.py``."""
    text = files("railbird.solve").joinpath("data", "endgames.csv").read_text(encoding="ascii")
    rows = list(csv.reader(text.splitlines()))[1:]
    return {name: EndgameValue(float(low), float(high)) for name, low, high, *_ in rows}


@checked
def endgame(name: str) -> Endgame:
    """Return one of the hundred endgames. Raises `BadInput` for an unknown name."""
    known = _drawn()
    if name not in known:
        raise unknown_name("endgame", name, known)
    return Endgame(name, known[name])


# Published algorithms, as examples of how to use the arrays. They update the players in turn.


def cfr_plus(
    game: Endgame, iterations: int, on_check: Callable[[int, Numbers], bool] | None = None
) -> Numbers:
    """Return a strategy by CFR+: regrets never fall below zero, and later strategies weigh more.

    Tammelin, Burch, Johanson and Bowling, "Solving heads-up limit Texas hold'em" (2015).
    ``on_check`` gets each iteration's number and the average so far; it ends the run by true.
    """
    regrets, total = game.zeros(), game.zeros()
    for t in range(1, iterations + 1):
        for player in (0, 1):
            gains = game.gains(player, game.normalised(regrets))
            regrets = np.maximum(regrets + gains, 0.0)
        strategy = game.normalised(regrets)
        # The average strategy weighs an action by the player's own reach; weights t are CFR+'s
        # linear averaging.
        total += t * game.reach(strategy) * strategy
        if on_check is not None and on_check(t, game.normalised(total)):
            break
    return game.normalised(total)


def dcfr(
    game: Endgame, iterations: int, on_check: Callable[[int, Numbers], bool] | None = None
) -> Numbers:
    """Return a strategy by discounted CFR, with the powers 1.5, 0 and 2.

    Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization"
    (2019).
    """
    regrets, total = game.zeros(), game.zeros()
    for t in range(1, iterations + 1):
        discount = t**1.5 / (t**1.5 + 1)
        for player in (0, 1):
            gains = game.gains(player, game.normalised(regrets))
            own = game.players == player
            discounted = np.where(regrets > 0, regrets * discount, regrets * 0.5)
            regrets = np.where(own, discounted + gains, regrets)
        strategy = game.normalised(regrets)
        total = total * (t / (t + 1)) ** 2 + game.reach(strategy) * strategy
        if on_check is not None and on_check(t, game.normalised(total)):
            break
    return game.normalised(total)


def scheduled(
    game: Endgame, iterations: int, on_check: Callable[[int, Numbers], bool] | None = None
) -> Numbers:
    """Return a strategy by the solver of spots itself, with its own schedule of discounting."""
    solver = SpotSolver(game.spot, deck=game.deck, threads=1)
    solver.allocate()
    for t in range(1, iterations + 1):
        solver.run(1)
        if on_check is not None and on_check(t, game.normalised(solver.averages.astype(float))):
            break
    return game.normalised(solver.averages.astype(float))


ALGORITHMS: Final = {"cfr+": cfr_plus, "dcfr": dcfr, "railbird": scheduled}
"""The algorithms, by their names in `railbird endgames`."""
