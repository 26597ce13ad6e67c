"""The values of states to two strategies of heads-up limit, after every betting sequence.

`railbird.solve.nolimit.values` values blueprints for heads-up no-limit.

The value of a state is a mean over all states of the opponent, weighted by how often the opponent
gets there with each. Values of pairs of states are not kept, since there are too many pairs. The
two players' values together come close to them: they are the part that depends on one state at a
time, like the main effects in an analysis of variance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.errors import BadInput
from railbird.solve.limit.betting_tree import BettingRound
from railbird.solve.limit.settings import TREMBLE
from railbird.solve.limit.strategy import LimitStrategy, StateGame, by_parents

Table = npt.NDArray[np.float32]
Values = npt.NDArray[np.float64]

_SEQUENCES_AT_A_TIME = 63
"""Betting sequences that are computed together. With this many the river's tables take 100 MB; all
at once they would take a gigabyte."""


class ShowdownLines(NamedTuple):
    """Values at the start of a round as a function of showdown strength: a line for each sequence.

    If a holding's edge is e, that is, if without further bets it wins a share of showdowns against
    the opponent's range that is larger by e than the share it loses, it is worth ``constant + slope
    * e`` small bets to its player.
    """

    constant: Values
    """(sequences,) the value at an edge of 0."""
    slope: Values
    """(sequences,) how the value grows with the edge."""


class Effects(NamedTuple):
    """Values to seat 0 by round, in small bets: ``first[.., a] - second[.., b]``.

    a is the state of seat 0 and b that of seat 1. Both tables are (lanes, states), or (sequences,
    states) at the start of a round.
    """

    first: Table
    second: Table


@dataclass(frozen=True, slots=True, eq=False)
class PairValues:
    """What seat 0 wins on average with one strategy in seat 0 and another in seat 1."""

    after: tuple[Effects, ...]
    """By round: after the action of each lane (`BettingRound.lane`), before the next card."""
    start: tuple[Effects, ...]
    """By round: once its cards are dealt, for each betting sequence that led there."""

    value: float
    """What seat 0 wins a game, in small bets."""

    lines: tuple[tuple[ShowdownLines, ...], tuple[ShowdownLines, ...]]
    """By seat and round: least-squares lines of the states' values by their edges."""


class _Reach(NamedTuple):
    """A player's own probability of a round's lanes."""

    shares: Table
    """(states, slots, sequences) the probability of each action at its decision."""
    lanes: Table
    """(states, slots, sequences) the reach after each action; unchanged by the other's actions."""


class _Worth(NamedTuple):
    """Sums over the opponent's states."""

    value: Table
    """(states, ..., sequences) of its reach times what is won, in chips."""
    mass: Table
    """(states, ..., sequences) of its reach."""


def pair_values(game: StateGame, pair: tuple[LimitStrategy, LimitStrategy]) -> PairValues:
    """Evaluate one strategy in seat 0 against another in seat 1, in the states' game.

    Every action gets at least a little probability, `TREMBLE`, so that values exist where the
    strategies never go. Raises `BadInput` for strategies with other states or betting.
    """
    rounds = game.tree.rounds
    for strategy in pair:
        shapes = [table.shape for table in strategy.probabilities]
        wanted = [
            (count, betting_round.lanes)
            for count, betting_round in zip(game.states, rounds, strict=True)
        ]
        if shapes != wanted:
            raise BadInput(f"a strategy with tables of {shapes}; allowed: {wanted}")
    starts = [_starts(game, strategy, seat) for seat, strategy in enumerate(pair)]
    edges = [game.edge]
    # Edges are given between states of the last round. Between those of an earlier round they are
    # sums over the states that follow.
    for parents in reversed(game.parents[1:]):
        edges.insert(0, by_parents(edges[0], parents))
    after: list[Effects] = []
    start: list[Effects] = []
    lines: tuple[list[ShowdownLines], list[ShowdownLines]] = ([], [])
    later: list[_Worth] | None = None
    unit = np.float32(game.tree.chips_per_unit)
    # Backwards, since what a state is worth at the end of a round is what its next states are
    # worth.
    for street in range(len(rounds) - 1, -1, -1):
        betting_round = rounds[street]
        lanes = tuple(
            np.empty((betting_round.lanes, game.states[street]), np.float32) for _ in pair
        )
        begin = tuple(
            np.empty((betting_round.sequences, game.states[street]), np.float32) for _ in pair
        )
        worths = [
            _Worth(
                *(
                    np.empty((game.states[street], betting_round.sequences), np.float32)
                    for _ in "vm"
                )
            )
            for _ in pair
        ]
        for sequence in range(0, betting_round.sequences, _SEQUENCES_AT_A_TIME):
            some = slice(sequence, min(sequence + _SEQUENCES_AT_A_TIME, betting_round.sequences))
            reached = [
                _follow(
                    betting_round, strategy.probabilities[street], starts[seat][street], seat, some
                )
                for seat, strategy in enumerate(pair)
            ]
            inner = [
                _back(game, street, seat, reached, None if later is None else later[seat], some)
                for seat in range(2)
            ]
            rows = [slot * betting_round.sequences for slot in range(betting_round.slots)]
            means = [_means(inner[seat], reached[seat].lanes, unit) for seat in range(2)]
            for slot, row in enumerate(rows):
                where = slice(row + some.start, row + some.stop)
                # Both players' means contain the mean of all pairs of states. It is taken off one
                # of them, so that the difference has it once.
                lanes[0][where] = (means[0][0][:, slot] - means[0][1][slot]).T
                lanes[1][where] = means[1][0][:, slot].T
            roots = [
                _Worth(*_node(betting_round, 0, seat, reached[seat], *inner[seat]))
                for seat in range(2)
            ]
            for seat in range(2):
                worths[seat].value[:, some] = roots[seat].value
                worths[seat].mass[:, some] = roots[seat].mass
                own = starts[seat][street][:, np.newaxis, some]
                root = _Worth(*(x[:, np.newaxis] for x in roots[seat]))
                mean, overall = _means(root, own, unit)
                begin[seat][some] = mean[:, 0].T - (overall[0][:, np.newaxis] if seat == 0 else 0)
        for seat in range(2):
            here, against = (starts[side][street].astype(np.float64) for side in (seat, 1 - seat))
            lines[seat].insert(0, _lines(worths[seat], here, edges[street] @ against, unit))
        after.insert(0, Effects(*lanes))
        start.insert(0, Effects(*begin))
        later = [_to_parents(game, street, worth) for worth in worths]
    assert later is not None
    value = float(later[0].value.sum() / later[0].mass.sum() / unit)
    return PairValues(tuple(after), tuple(start), value, (tuple(lines[0]), tuple(lines[1])))


def _lines(worth: _Worth, own: Values, won: Values, unit: np.float32) -> ShowdownLines:
    """Fit lines to the values of states, weighted by how often both players get there.

    ``own`` and ``won`` (states, sequences) are the player's reach, and the opponent's reach summed
    with the sign of the showdown.
    """
    mass = worth.mass.astype(np.float64)
    weight = own * mass / (own * mass).sum(axis=0)
    edge, value = won / mass, worth.value / mass / unit
    mean_edge, mean_value = ((weight * variable).sum(axis=0) for variable in (edge, value))
    far = edge - mean_edge
    spread = (weight * far**2).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = np.where(spread > 0, (weight * far * value).sum(axis=0) / spread, 0.0)
    return ShowdownLines(mean_value - slope * mean_edge, slope)


def _starts(game: StateGame, strategy: LimitStrategy, seat: int) -> list[Table]:
    """Return by round (states, sequences) a player's own probability of reaching its start."""
    starts = [np.ones((game.states[0], 1), dtype=np.float32)]
    for street, betting_round in enumerate(game.tree.rounds[:-1]):
        table = strategy.probabilities[street]
        lanes = _follow(
            betting_round, table, starts[-1], seat, slice(0, betting_round.sequences)
        ).lanes
        ends = lanes[:, betting_round.end_slot].reshape(len(lanes), -1)
        starts.append(np.ascontiguousarray(ends[game.parents[street + 1]]))
    return starts


def _follow(
    betting_round: BettingRound, table: Table, start: Table, seat: int, some: slice
) -> _Reach:
    """Follow a player through a round, for some of its sequences."""
    choices = np.diff(betting_round.first_slot)[betting_round.node].astype(np.float32)
    shares = table.reshape(len(table), betting_round.slots, betting_round.sequences)[:, :, some]
    shares = (1 - TREMBLE) * shares + (TREMBLE / choices)[:, np.newaxis]
    lanes = np.empty_like(shares)
    nodes = {0: start[:, some]}
    for slot in range(betting_round.slots):
        node = int(betting_round.node[slot])
        own = betting_round.player[node] == seat
        lanes[:, slot] = nodes[node] * shares[:, slot] if own else nodes[node]
        if betting_round.child[slot] >= 0:
            nodes[int(betting_round.child[slot])] = lanes[:, slot]
    return _Reach(shares, lanes)


def _back(
    game: StateGame,
    street: int,
    seat: int,
    reached: list[_Reach],
    later: _Worth | None,
    some: slice,
) -> _Worth:
    """Return the values of a player's lanes, from the next round's values or from showdowns."""
    betting_round, met = game.tree.rounds[street], game.meet[street].astype(np.float32)
    edge = game.edge.astype(np.float32)
    others = reached[1 - seat].lanes
    value, mass = np.empty_like(others), np.empty_like(others)
    chips = betting_round.before[some].astype(np.float32)
    for slot in range(betting_round.slots - 1, -1, -1):
        child = int(betting_round.child[slot])
        if child >= 0:
            value[:, slot], mass[:, slot] = _node(
                betting_round, child, seat, reached[seat], value, mass
            )
        elif slot in betting_round.fold_slot:
            lost = chips + betting_round.fold_paid[np.searchsorted(betting_round.fold_slot, slot)]
            mass[:, slot] = met @ others[:, slot]
            folds = betting_round.player[betting_round.node[slot]] == seat
            value[:, slot] = mass[:, slot] * (-lost if folds else lost)
        else:
            end = int(np.searchsorted(betting_round.end_slot, slot))
            if later is None:
                mass[:, slot] = met @ others[:, slot]
                value[:, slot] = edge @ others[:, slot]
                value[:, slot] *= chips + betting_round.end_paid[end]
            else:
                columns = slice(
                    end * betting_round.sequences + some.start,
                    end * betting_round.sequences + some.stop,
                )
                value[:, slot], mass[:, slot] = (x[:, columns] for x in later)
    return _Worth(value, mass)


def _node(
    betting_round: BettingRound, node: int, seat: int, reach: _Reach, value: Table, mass: Table
) -> tuple[Table, Table]:
    """Return value and mass of a node from those of its actions."""
    some = slice(betting_round.first_slot[node], betting_round.first_slot[node + 1])
    if betting_round.player[node] != seat:
        return value[:, some].sum(axis=1), mass[:, some].sum(axis=1)
    # The player's own actions do not change the opponent's reach: its mass is the first's.
    shares = reach.shares[:, some] / reach.shares[:, some].sum(axis=1, keepdims=True)
    return (shares * value[:, some]).sum(axis=1), mass[:, some.start]


def _means(worth: _Worth, own: Table, unit: np.float32) -> tuple[Table, Values]:
    """Return the mean winnings of each state, and over all of a player's states."""
    reach = own.astype(np.float64)  # in single precision the product of both would vanish
    overall = (reach * worth.value).sum(axis=0) / (reach * worth.mass).sum(axis=0) / unit
    return worth.value / worth.mass / unit, overall


def _to_parents(game: StateGame, street: int, worth: _Worth) -> _Worth:
    """Sum over the states of a round that have the same parent."""
    first = np.flatnonzero(np.diff(game.parents[street], prepend=-1))
    return _Worth(*(np.add.reduceat(table, first, axis=0) for table in worth))
