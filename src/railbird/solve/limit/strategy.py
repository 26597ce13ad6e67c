"""Strategies of heads-up limit over the states of a card abstraction: their games and files.

`railbird.solve.nolimit.strategy` has strategies of heads-up no-limit.

A file has a header of `railbird.solve.strategy_files`, then the probabilities of the four streets
in single precision. They are memory-mapped, so that a file of any size opens at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._provenance import Provenance
from railbird.errors import BadInput, DamagedFile
from railbird.solve.abstraction.card_abstraction import CardAbstraction
from railbird.solve.abstraction.records import read_abstraction
from railbird.solve.limit.betting_tree import BettingTree, DecisionPlace, LimitBetting, limit_tree
from railbird.solve.strategy_files import StrategyFormat, training_of

FORMAT = StrategyFormat(b"railbird limit strategy 1\n", "limit hold'em", np.dtype("<f4"))
"""How the files begin."""


@dataclass(frozen=True, slots=True, eq=False)
class LimitStrategy:
    """Both players' probabilities of their actions."""

    tree: BettingTree
    abstraction: CardAbstraction
    probabilities: tuple[npt.NDArray[np.float32], ...]
    """By street (states, lanes): the probability of each lane's action (`BettingRound.lane`)."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it was found: algorithm, iterations, gap, seconds."""
    made: Provenance | None = None
    """The program that found it; None before it is written."""
    hash: str = ""
    """SHA-256 of what determines its play, from its file; older files have that of the whole file.
    Empty if there is no file."""

    def at(self, decision: DecisionPlace, state: int) -> npt.NDArray[np.float64]:
        """Return the probabilities of the actions at a decision, in the order of its slots.

        Raises `DamagedFile` if the strategy's file has no probabilities there.
        """
        betting_round = self.tree.rounds[decision.street]
        first, last = betting_round.first_slot[decision.node : decision.node + 2]
        lanes = np.arange(first, last) * betting_round.sequences + decision.sequence
        weights = self.probabilities[decision.street][state, lanes].astype(np.float64)
        total = weights.sum()
        if not (weights.min() >= 0 and 0 < total < np.inf):  # also true for NaN
            line = self.tree.text(decision) or "the first decision"
            raise DamagedFile(f"the strategy has no probabilities in state {state} at {line}")
        shares: npt.NDArray[np.float64] = weights / total
        return shares


def uniform_strategy(tree: BettingTree, abstraction: CardAbstraction) -> LimitStrategy:
    """Return the strategy that takes all actions equally often."""
    tables = []
    for betting_round, states in zip(tree.rounds, abstraction.states, strict=True):
        share = 1 / np.diff(betting_round.first_slot)[betting_round.node]
        row = np.repeat(share.astype(np.float32), betting_round.sequences)
        tables.append(np.broadcast_to(row, (states, betting_round.lanes)))
    return LimitStrategy(tree, abstraction, tuple(tables), {"algorithm": "uniform"})


@checked
def write_strategy(path: Path, strategy: LimitStrategy) -> str:
    """Write a strategy's file; return its hash. Raises `BadInput` if it cannot be written."""
    header: dict[str, Any] = {
        "rules": asdict(strategy.tree.betting),
        "abstraction": strategy.abstraction.record,
        "shapes": [list(table.shape) for table in strategy.probabilities],
    }
    tables = [np.ascontiguousarray(table, dtype="<f4") for table in strategy.probabilities]
    return FORMAT.write(path, header, tables, strategy.training, strategy.made)


@checked
def open_strategy(path: Path, *, verify: bool = False) -> LimitStrategy:
    """Map a strategy's file; ``verify`` reads all of it to check its digest.

    Raises `BadInput` for a file that cannot be read or is no strategy, and `DamagedFile` for one
    that was cut short or, if it is verified, changed.
    """
    header, start, size = FORMAT.header(path)
    try:
        rules: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in header["rules"].items()
        }
        tree = limit_tree(LimitBetting(**rules))
        abstraction = read_abstraction(header["abstraction"])
        shapes = [tuple(map(int, shape)) for shape in header["shapes"]]
        wanted = [
            (states, betting_round.lanes)
            for states, betting_round in zip(abstraction.states, tree.rounds, strict=True)
        ]
        training, made = training_of(header)
        plays = str(header.get("plays", header["sha256"]))
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"{path}: no strategy: {error}") from None
    if shapes != wanted or size != start + 4 * sum(a * b for a, b in wanted):
        raise DamagedFile(f"{path}: a strategy that was cut, or of another shape")
    tables = []
    for shape in wanted:
        mapped = np.memmap(path, dtype="<f4", mode="r", offset=start, shape=shape)
        tables.append(mapped.view(np.ndarray))
        start += mapped.nbytes
    if verify:
        FORMAT.verify(path)
    return LimitStrategy(tree, abstraction, tuple(tables), training, made, plays)


# Games in information-set form: a betting tree, and the probabilities of pairs of private states.
#
# An information set is a betting sequence and a state of the player to act. The small games of
# `railbird.solve.cfr` have a payoff matrix for each end of the game. Here, up to the size of the
# pot, all showdowns share one matrix and so do all folds of a round, which allows thousands of ends
# and hundreds of states. Recall is perfect: each state has one parent in the round before.


Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class StateGame:
    """A two-player zero-sum game in which both seats are dealt in the same way."""

    tree: BettingTree
    parents: tuple[npt.NDArray[np.int32], ...]
    """By round (states,): each state's parent in the round before, ascending; 0 in the first."""
    meet: tuple[Matrix, ...]
    """By round (states, states): the probability that seat 0 is in the row's state and seat 1 in
    the column's; symmetric."""
    edge: Matrix
    """(states, states) in the last round: the probability of the two states and a win of seat 0,
    minus that of a win of seat 1; antisymmetric."""

    @property
    def states(self) -> tuple[int, ...]:
        """Number of states by round."""
        return tuple(len(parents) for parents in self.parents)


@checked
def state_game(
    tree: BettingTree,
    parents: tuple[npt.NDArray[np.int32], ...],
    wins: npt.ArrayLike,
    ties: npt.ArrayLike,
) -> StateGame:
    """Build a game from the counts of final states' meetings: ``wins`` of the row, and ``ties``.

    Raises `BadInput` if shapes do not fit, or if there are no deals.
    """
    won, tied = (np.asarray(counts, dtype=np.float64) for counts in (wins, ties))
    states = len(parents[-1])
    if len(parents) != len(tree.rounds) or won.shape != (states, states) or tied.shape != won.shape:
        raise BadInput(f"counts {won.shape} and {tied.shape}; allowed: {(states, states)}")
    for parent, before in zip(parents[1:], parents, strict=False):
        if np.any(np.diff(parent) < 0) or set(parent.tolist()) != set(range(len(before))):
            raise BadInput("states whose parents are not all the states before, in order")
    both = won + won.T + tied
    if not (total := both.sum()) > 0:
        raise BadInput("counts of meetings that are all 0; allowed: some above 0")
    meet = [both / total]
    for parent in reversed(parents[1:]):
        meet.insert(0, by_parents(meet[0], parent))
    return StateGame(tree, parents, tuple(meet), (won - won.T) / total)


def by_parents(pairs: Matrix, parents: npt.NDArray[np.int32]) -> Matrix:
    """Sum (states, states) over the states that have the same parents."""
    first = np.flatnonzero(np.diff(parents, prepend=-1))
    summed: Matrix = np.add.reduceat(np.add.reduceat(pairs, first, axis=0), first, axis=1)
    return summed


class DealtStates(NamedTuple):
    """A deal: both players' states, and who wins."""

    states: tuple[tuple[int, ...], tuple[int, ...]]
    """States of both players, by seat and round."""
    result: int
    """1 if seat 0 wins the showdown, -1 if seat 1 does, 0 for a tie."""


@checked
def enumerated_game(
    tree: BettingTree, states: tuple[int, ...], deals: Iterable[DealtStates]
) -> StateGame:
    """Build a game from a list of all its deals, which are equally likely."""
    parents = [np.zeros(states[0], dtype=np.int32)]
    parents += [np.full(count, -1, dtype=np.int32) for count in states[1:]]
    wins, ties = (np.zeros((states[-1],) * 2) for _ in range(2))
    for (first, second), result in deals:
        for mine in (first, second):
            for street in range(1, len(states)):
                parents[street][mine[street]] = mine[street - 1]
        # The list also has each deal with the seats exchanged, so losses are counted there.
        table = wins if result > 0 else ties
        if result >= 0:
            table[first[-1], second[-1]] += 1
    return state_game(tree, tuple(parents), wins, ties)


def kuhn_states() -> StateGame:
    """Kuhn poker in information-set form; the game of `railbird.solve.toy_games`."""
    betting = LimitBetting(posts=(0, 0), bet_sizes=(1,), most_raises=(1,), first=(0,), ante=1)
    deals = [DealtStates(((a,), (b,)), 1 if a > b else -1) for a, b in permutations(range(3), 2)]
    return enumerated_game(limit_tree(betting), (3,), deals)


def leduc_states() -> StateGame:
    """Leduc hold'em in information-set form; the game of `railbird.solve.toy_games`."""
    betting = LimitBetting(posts=(0, 0), bet_sizes=(2, 4), most_raises=(2, 2), first=(0, 0), ante=1)
    deals = []
    for cards in permutations(range(6), 3):
        mine, other, board = (card // 2 for card in cards)
        strengths = [rank + 3 * (rank == board) for rank in (mine, other)]
        states = ((mine, 3 * mine + board), (other, 3 * other + board))
        deals.append(DealtStates(states, int(np.sign(strengths[0] - strengths[1]))))
    return enumerated_game(limit_tree(betting), (3, 9), deals)
