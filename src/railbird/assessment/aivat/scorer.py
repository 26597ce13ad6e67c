"""AIVAT for heads-up limit hands in which one or both players play known strategies.

`estimator` applies it to a whole match; `no_limit` serves heads-up no-limit.

An observer who sees the betting, the board and the holdings of unknown players cannot distinguish
some histories of a hand; these form a *class*. Its value is the mean over the holdings that known
players may have, weighted by how likely they would have played so (`kernels`). The estimate is the
value of the class in which the hand ended, plus a correction for each card and for each action of a
known player: the mean value of the possible next classes minus the value of the class that came
(Burch and others 2018).

The corrections have mean zero, so values may be any numbers without biasing the estimate. Here they
come from a table (`railbird.solve.limit.pair_values`) or, on request, exactly from the strategies
from the turn or the river on.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird.assessment.aivat.kernels import (
    add_river,
    deal,
    decide,
    few_lanes,
    flop_sums,
    play_round,
    reach_ends,
    round_value,
    showdown_edges,
    shown_down,
    weighed,
)
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.cards.isomorphism import board_classes
from railbird.cards.isomorphism_kernels import CARD_UNDER
from railbird.errors import BadInput
from railbird.game.rules import BOARD_CARDS
from railbird.odds.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.solve.abstraction.card_abstraction import CardAbstraction, States, is_blocked
from railbird.solve.abstraction.kernels import stabiliser, weights_of_next
from railbird.solve.limit.betting_tree import FOLD
from railbird.solve.limit.matrix_cfr import round_arrays
from railbird.solve.limit.pair_values import PairValues
from railbird.solve.limit.strategy import LimitStrategy
from railbird.solve.real_game.opponents import BoardStrategy, BoardTable, StatesStrategy

# Defaults of AIVAT for limit hold'em.


class Exact(IntEnum):
    """The round from which on values are exact rather than from a table."""

    TURN = 2
    RIVER = 3
    NEVER = 4


DEFAULT: Final = Exact.RIVER
"""A hand takes 2 to 3 ms with an exact river, and ten times as long with an exact turn."""

NAMES: Final = {Exact.NEVER: "aivat_table", Exact.RIVER: "aivat", Exact.TURN: "aivat_turn"}
"""The estimators' names by the round from which values are exact."""

MODEL: Final = "baseline"
"""The player by whose play unknown players' hands are valued if the known player does not use its
cards. A known player that does is itself a good model."""

BUCKETS: Final = (5, 5, 5, 5)
"""The percentile abstraction whose states have values; its counts come with the package."""

BOARDS: Final = 500
"""Random boards over which a strategy of another abstraction is averaged."""

CONTRADICTION: Final = 1e-9
"""Probability below which a player's actions contradict its stated strategy. It is so small because
it is checked after every batch of hands."""

CLAIMS: Final = 1e-3
"""The same for a program, whose strategy is known only from its own statements."""


# What all forms of AIVAT for limit hold'em share: the seats of two players.


Board = npt.NDArray[np.uint8]

DECK: Final = 52
NO_BOARD: Final = np.empty(0, dtype=np.uint8)
_LEFT_FOR_THE_RIVER = 44
_ALL_SUITS = np.ones(len(CARD_UNDER), dtype=np.bool_)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedPair:
    """The seats of the players, and which of their strategies are known."""

    strategies: tuple[BoardStrategy, BoardStrategy]
    """Strategies by seat; an unknown player has a model, which is used only for values."""
    is_known: tuple[bool, bool]
    values: PairValues
    abstraction: CardAbstraction
    """The abstraction over whose states values are given."""

    def __post_init__(self) -> None:
        if not any(self.is_known):
            raise BadInput("AIVAT with no strategy known; allowed: one or both")

    def on(self, board: Board, before: Sequence[BoardTable] | None) -> tuple[BoardTable, ...]:
        """Return both players' tables on a board, given those of the street before."""
        first, second = self.strategies
        earlier = (None, None) if before is None else before
        first_table = first.on(board, earlier[0])
        return first_table, first_table if second is first else second.on(board, earlier[1])


class Seats:
    """The betting tree in the kernels' form, and the exact values after a turn."""

    def __init__(self, pair: SeatedPair) -> None:
        self.pair = pair
        self._tree = pair.strategies[0].tree
        self._unit = self._tree.chips_per_unit
        self._is_known = np.array(pair.is_known)
        self._parts = [round_arrays(betting_round) for betting_round in self._tree.rounds]
        self._slots = [
            [
                {
                    int(betting_round.kind[s]): s
                    for s in range(betting_round.first_slot[n], betting_round.first_slot[n + 1])
                }
                for n in range(betting_round.nodes)
            ]
            for betting_round in self._tree.rounds
        ]
        turn, river = self._tree.rounds[2:]
        vectors = river.nodes + 2 * (len(river.end_slot) + len(river.fold_slot)) + 1
        self._room_size = vectors * HOLDINGS * len(turn.end_slot)
        self._rooms = threading.local()

    def _paths(self, actions: Sequence[int]) -> list[list[int]]:
        """Return the slots of some actions, by street."""
        paths: list[list[int]] = []
        street = node = 0
        for kind in actions:
            if street == len(paths):
                paths.append([])
            slot = self._slots[street][node][kind]
            paths[-1].append(slot)
            node = int(self._tree.rounds[street].child[slot])
            if node < 0:
                street, node = street + 1, 0
        return paths

    def decisions(
        self, seat: int, holding: int, board: Board, actions: Sequence[int]
    ) -> Iterator[tuple[int, Floats]]:
        """Yield the action of each decision of a seat, and (3,) the probabilities of all kinds.

        Decisions that its strategy never reaches with this holding are left out.
        """
        sequence, boards = 0, None
        for street, path in enumerate(self._paths(actions)):
            betting_round, node = self._tree.rounds[street], 0
            boards = self.pair.on(board[: BOARD_CARDS[street]], boards)
            row = boards[seat].table[boards[seat].rows[holding]]
            for slot in path:
                slots = np.arange(
                    betting_round.first_slot[node], betting_round.first_slot[node + 1]
                )
                shares = row[slots * betting_round.sequences + sequence].astype(np.float64)
                if betting_round.player[node] == seat and shares.sum() > 0:
                    chances = np.zeros(3)
                    chances[betting_round.kind[slots]] = shares / shares.sum()
                    yield int(betting_round.kind[slot]), chances
                node = int(betting_round.child[slot])
            if betting_round.kind[path[-1]] != FOLD:
                sequence += (
                    int(np.searchsorted(betting_round.end_slot, path[-1])) * betting_round.sequences
                )

    def _after_turn(
        self, turn: Sequence[BoardTable], board: Board, sequence: int, sides: Floats
    ) -> tuple[Floats, npt.NDArray[np.float32]]:
        """Return (ends of the turn,) sums of values over pairs of holdings, and the weights there.

        ``sides`` (2, 1326) are the weights at the beginning of the turn; the weights returned,
        (2, 1326, ends), are those at its ends. Sums are winnings of seat 0, in chips.
        """
        part, river = self._tree.rounds[2], self._tree.rounds[3]
        ends = len(part.end_slot)
        lanes = np.arange(ends) * part.sequences + sequence
        end_weights = np.zeros((2, HOLDINGS, ends), dtype=np.float32)
        reach_ends(
            self._parts[2],
            sequence,
            tuple(board_table.table for board_table in turn),
            np.stack([board_table.rows for board_table in turn]),
            self._is_known,
            sides,
            end_weights,
        )
        few = (river.before[lanes], *self._parts[3][1:])
        if not hasattr(self._rooms, "room"):
            self._rooms.room = np.empty(self._room_size, dtype=np.float32)
        tables: list[npt.NDArray[np.float32]] = []
        values, weights = np.zeros(ends), np.ones(DECK, dtype=np.int64)
        if self._is_known.all():
            weights_of_next(
                board, stabiliser(board[3:], stabiliser(board[:3], _ALL_SUITS)), weights
            )
        else:
            weights[board] = 0
        for card in np.flatnonzero(weights).astype(np.uint8):
            river_board = np.append(board, card)
            boards = self.pair.on(river_board, turn)
            # The strategies' tables are the same on all river cards, only the rows change: the
            # columns of the few sequences that are reached are copied once.
            if not tables:
                tables = [
                    self._few(board_table.table, lanes, river.sequences) for board_table in boards
                ]
            add_river(
                few,
                tuple(tables),
                np.stack([board_table.rows for board_table in boards]),
                river_board,
                end_weights,
                self._rooms.room,
                float(weights[card]),
                values,
            )
        return values / _LEFT_FOR_THE_RIVER, end_weights

    def _few(
        self, table: npt.NDArray[np.float32], lanes: npt.NDArray[np.int64], stride: int
    ) -> npt.NDArray[np.float32]:
        few = np.empty((len(table), table.shape[1] // stride * len(lanes)), dtype=np.float32)
        few_lanes(table, lanes, stride, few)
        few.flags.writeable = False
        return few


# The scorer of two seats.


_ALL_CARDS = np.arange(DECK, dtype=np.uint8)


@dataclass(slots=True)
class _Street:
    """Both strategies' tables on a board, and the abstraction's states of its holdings."""

    boards: tuple[BoardTable, ...]
    states: States


class SeatedScorer(Seats):
    """Estimates hands in which the same players sit in the same seats.

    Its exact values are for two known players; `OneKnownScorer` has them for one.
    """

    def __init__(self, pair: SeatedPair, *, exact: Exact = DEFAULT) -> None:
        """Prepare everything that does not depend on the hand."""
        super().__init__(pair)
        self.exact = exact
        self._first = _Street(pair.on(NO_BOARD, None), pair.abstraction.next_states(NO_BOARD, None))
        self._after_deal = self._deals()
        self._after_flop = self._flops()
        self._opened: dict[tuple[int, ...], tuple[Floats, float]] = {}
        self.root = float(self._after_deal.mean())
        """What seat 0 wins a hand according to the table of values, in small bets."""

    def score(self, holdings: Sequence[int], board: Board, actions: Sequence[int]) -> float:
        """Return a hand's estimate for seat 0, in small bets.

        ``holdings`` are the seats' holdings; those of known players are ignored. ``board`` are the
        cards dealt. ``actions`` are 0 fold, 1 check or call, 2 bet or raise. The result is NaN if a
        known player never plays so.
        """
        rounds, paths = self._tree.rounds, self._paths(actions)
        held = np.array(holdings, dtype=np.int64)
        sides, estimate = self._open(held, paths[0])
        sequence, current = 0, self._first
        for street, path in enumerate(paths):
            betting_round = rounds[street]
            if math.isnan(estimate):
                break
            if street:
                current, came = self._turn_up(current, held, board, street, sequence, sides)
                estimate += came
                if street >= self.exact:
                    return estimate + self._rest(current, board, sequence, sides)
                estimate += self._act(current, street, sequence, sides, path)
            last, node = path[-1], betting_round.node[path[-1]]
            if betting_round.kind[last] == FOLD:
                fold = int(np.searchsorted(betting_round.fold_slot, last))
                lost = (
                    int(betting_round.before[sequence] + betting_round.fold_paid[fold]) / self._unit
                )
                return estimate + (lost if betting_round.player[node] else -lost)
            end = int(np.searchsorted(betting_round.end_slot, last))
            if street + 1 == len(rounds):
                stake = (
                    int(betting_round.before[sequence] + betting_round.end_paid[end]) / self._unit
                )
                return estimate + stake * shown_down(board, sides)
            sequence = end * betting_round.sequences + sequence
        return math.nan

    def _open(self, held: npt.NDArray[np.int64], path: list[int]) -> tuple[Floats, float]:
        """Return the weights after the first round, and the corrections for deal and actions."""
        key = tuple(path)
        if key in self._opened:
            sides, estimate = self._opened[key]
            return sides.copy(), estimate
        # A known player's side is its whole range, weighted by its probabilities; an unknown
        # player's side is the one holding that it had. Everything is averaged over the known
        # player's range, even the showdown, which takes out the luck of its own cards too.
        sides = np.ones((2, HOLDINGS))
        for seat in np.flatnonzero(~self._is_known):
            sides[seat] = 0.0
            sides[seat, held[seat]] = 1.0
        unknown = None if self._is_known.all() else held[int(np.argmin(self._is_known))]
        estimate = 0.0 if unknown is None else self.root - self._after_deal[unknown]
        estimate += self._act(self._first, 0, 0, sides, path)
        if unknown is None:
            self._opened[key] = sides.copy(), estimate
        return sides, estimate

    def _act(
        self, current: _Street, street: int, sequence: int, sides: Floats, path: Sequence[int]
    ) -> float:
        """Return the correction for the known players' actions, and weight their ranges by them."""
        betting_round, values = self._tree.rounds[street], self.pair.values.after[street]
        total = 0.0
        for slot in path:
            node = int(betting_round.node[slot])
            seat = int(betting_round.player[node])
            if not self._is_known[seat]:
                continue
            first = int(betting_round.first_slot[node])
            lanes = (
                np.arange(first, betting_round.first_slot[node + 1]) * betting_round.sequences
                + sequence
            )
            table, rows = current.boards[seat]
            total += decide(
                seat,
                sides[0],
                sides[1],
                table,
                rows,
                lanes,
                slot - first,
                current.states,
                values.first[lanes],
                values.second[lanes],
            )
        return total

    def _turn_up(
        self,
        previous: _Street,
        held: npt.NDArray[np.int64],
        board: Board,
        street: int,
        sequence: int,
        sides: Floats,
    ) -> tuple[_Street, float]:
        """Return the strategies on the next board, and the correction for its cards."""
        start = self.pair.values.start[street]
        plus, minus = start.first[sequence], start.second[sequence]
        cards = board[: BOARD_CARDS[street]]
        current = self._on(previous, cards)
        if street == 1:
            sides[:, is_blocked(cards)] = 0.0
            unknown = int(np.argmin(self._is_known))
            column = 0 if self._is_known.all() else CLASS_OF_HOLDING[held[unknown]]
            value, mass = weighed(sides[0], sides[1], current.states, plus, minus)
            return current, float(self._after_flop[sequence, column] - value / mass)
        shorter = cards[:-1]
        states = np.full((DECK, HOLDINGS), -1, dtype=np.int32)
        for card in np.setdiff1d(_ALL_CARDS, shorter):
            longer = np.append(shorter, card)
            states[card] = self.pair.abstraction.next_states(longer, previous.states)
        return current, deal(int(cards[-1]), sides[0], sides[1], states, plus, minus)

    def _on(self, before: _Street, board: Board) -> _Street:
        return _Street(
            self.pair.on(board, before.boards),
            self.pair.abstraction.next_states(board, before.states),
        )

    def _rest(self, current: _Street, board: Board, sequence: int, sides: Floats) -> float:
        """Return the exact value of a hand from a round on."""
        street = len(BOARD_CARDS) - 1 if self.exact >= Exact.RIVER else int(self.exact)
        cards = board[: BOARD_CARDS[street]]
        is_last = street + 1 == len(self._tree.rounds)
        later = np.empty(0)
        if not is_last:
            later, _ = self._after_turn(current.boards, cards, sequence, sides)
        value = round_value(
            self._parts[street],
            sequence,
            tuple(board_table.table for board_table in current.boards),
            np.stack([board_table.rows for board_table in current.boards]),
            cards if is_last else NO_BOARD,
            sides,
            later,
        )
        return float(value / self._unit)

    def _deals(self) -> Floats:
        """Return the value of each deal to the unknown player, or one value if there is none.

        The shape is (1326,) or (1,); values are seat 0's winnings in small bets.
        """
        start = self.pair.values.start[0]
        plus, minus, states = start.first[0], start.second[0], self._first.states
        if self._is_known.all():
            all_of_them = np.ones(HOLDINGS)
            value, mass = weighed(all_of_them, all_of_them, states, plus, minus)
            return np.array([value / mass])
        worth = np.empty(HOLDINGS)
        seat = int(np.argmin(self._is_known))
        sides = np.ones((2, HOLDINGS))
        for holding in range(HOLDINGS):
            sides[seat] = 0.0
            sides[seat, holding] = 1.0
            value, mass = weighed(sides[0], sides[1], states, plus, minus)
            worth[holding] = value / mass
        return worth

    def _flops(self) -> Floats:
        """Return (sequences, 169) the mean value of each betting sequence before the flop is dealt.

        Columns are the unknown player's hand classes; without one, the first column has the value.
        """
        start = self.pair.values.start[1]
        first, second = (self._weights_before_flop(seat) for seat in range(2))
        values, masses = np.zeros((2, len(first), CLASSES))
        flops = board_classes(3)
        for flop, orbit in zip(flops.representative, flops.orbit, strict=True):
            states = self.pair.abstraction.next_states(flop, self._first.states)
            flop_sums(
                first,
                second,
                self._is_known,
                states,
                float(orbit),
                CLASS_OF_HOLDING,
                start.first,
                start.second,
                values,
                masses,
            )
        with np.errstate(invalid="ignore"):
            means: Floats = values / masses
        return means

    def _weights_before_flop(self, seat: int) -> Floats:
        """Return (sequences, 1326) a seat's weights when the flop is dealt."""
        betting_round, board = self._tree.rounds[0], self._first.boards[seat]
        end_weights = np.ones((len(betting_round.end_slot), HOLDINGS))
        if not self._is_known[seat]:
            return end_weights
        nodes = {0: np.ones(HOLDINGS)}
        for slot in range(betting_round.slots):
            node = int(betting_round.node[slot])
            weights = nodes[node]
            if betting_round.player[node] == seat:
                some = slice(betting_round.first_slot[node], betting_round.first_slot[node + 1])
                shares = board.table[board.rows].astype(np.float64)
                weights = weights * shares[:, slot] / shares[:, some].sum(axis=1)
            if betting_round.child[slot] >= 0:
                nodes[int(betting_round.child[slot])] = weights
            elif slot in betting_round.end_slot:
                end_weights[int(np.searchsorted(betting_round.end_slot, slot))] = weights
        return end_weights


# Strategies over other states, converted to the states that have values.


def on_states(
    strategy: BoardStrategy, abstraction: CardAbstraction, *, boards: int = BOARDS, seed: int = 0
) -> LimitStrategy:
    """Return the mean of a strategy over the holdings of each state of an abstraction.

    It is exact for a strategy over the same states, else a mean over random ``boards``. States that
    none of these has get the mean of all states.
    """
    if isinstance(strategy, StatesStrategy) and _same(strategy.strategy.abstraction, abstraction):
        return strategy.strategy
    streets = len(BOARD_CARDS)
    # A row of a table plays alike on every board, so it is enough to count rows.
    counts: list[dict[int, Floats]] = [{} for _ in range(streets)]
    tables: dict[int, npt.NDArray[np.float32]] = {}
    rng = np.random.default_rng(seed)
    for _ in range(boards):
        cards = rng.choice(52, BOARD_CARDS[-1], replace=False).astype(np.uint8)
        table: BoardTable | None = None
        states: States | None = None
        for street, count in enumerate(BOARD_CARDS):
            board = cards[:count]
            table = strategy.on(board, table)
            states = abstraction.next_states(board, states)
            tables[id(table.table)] = table.table
            shape = abstraction.states[street], len(table.table)
            met = counts[street].setdefault(id(table.table), np.zeros(shape))
            live = ~is_blocked(board)
            np.add.at(met, (states[live], table.rows[live]), 1.0)
    means = []
    for street in range(streets):
        rows = list(counts[street].items())
        total = np.sum([sums.sum(axis=1, keepdims=True) for _, sums in rows], axis=0)
        mean = np.sum([sums @ tables[key] for key, sums in rows], axis=0)
        anywhere = mean.sum(axis=0) / total.sum()
        with np.errstate(invalid="ignore"):
            shares = np.where(total > 0, mean / total, anywhere)
        means.append(shares.astype(np.float32))
    return LimitStrategy(strategy.tree, abstraction, tuple(means))


def _same(first: CardAbstraction, second: CardAbstraction) -> bool:
    return first.record == second.record


# AIVAT of heads-up limit hands in which one of the players is known.
#
# The unknown player's holding is seen; the known player has a range. After a card, the value of the
# holding against the range is taken from a line for each betting sequence
# (`railbird.solve.limit.pair_values.ShowdownLines`): a function of its edge, that is, of how it
# would do in a showdown if nobody bet any more. The edge is exact, and its mean over the next card
# equals the edge before the card, so the luck of a card is known without looking at the other
# cards. From a card to the end of its round all actions are followed; the ends are valued by lines
# or exactly. On the river all ends are showdowns and folds.
#
# The estimate is therefore the mean value of the deal, plus after each card the value of the round
# minus the value by the line, plus the changes that the unknown player's actions made.


class _Played(NamedTuple):
    """A round, seen by the unknown player, in small bets."""

    value: float
    """The mean value of everything that may happen in it and after it."""
    deviation: float
    """The change of value by the unknown player's actions."""
    weights: Floats
    """(1326,) weights of the known player's holdings at its end."""


class OneKnownScorer(Seats):
    """Estimates hands in which the same players sit in the same seats, one of them known."""

    def __init__(self, pair: SeatedPair, *, exact: Exact = DEFAULT) -> None:
        """Prepare what does not depend on the hand. Raises `BadInput` unless one is known."""
        super().__init__(pair)
        if all(pair.is_known) or exact is Exact.NEVER:
            raise BadInput("AIVAT by one player's range; allowed: one known, an exact river")
        self.exact = exact
        self._unknown = int(np.argmin(pair.is_known))
        self._lines = pair.values.lines[self._unknown]
        self._sign = 1 if self._unknown == 0 else -1
        self._first = pair.on(NO_BOARD, None)
        matrix = open_matrix()
        self._wins, self._disjoint = matrix.wins, matrix.disjoint
        holdings = [int(np.argmax(hand_class == CLASS_OF_HOLDING)) for hand_class in range(CLASSES)]
        dealt = np.array([self._play_first(holding, []).value for holding in holdings])
        self.root = self._sign * float(dealt[CLASS_OF_HOLDING].mean())
        """What seat 0 wins a hand according to these values, in small bets."""

    def score(self, holdings: Sequence[int], board: Board, actions: Sequence[int]) -> float:
        """Return a hand's estimate for seat 0, in small bets.

        ``holdings`` are the seats' holdings; the known player's is ignored. ``board`` are the cards
        dealt. ``actions`` are 0 fold, 1 check or call, 2 bet or raise. The result is NaN if the
        known player never plays so.
        """
        held = int(holdings[self._unknown])
        paths = self._paths(actions)
        played = self._play_first(held, paths[0])
        deviation, sequence, boards = played.deviation, 0, self._first
        for street, part in enumerate(self._tree.rounds):
            last = paths[street][-1]
            if street + 1 == len(self._tree.rounds) or part.kind[last] == FOLD:
                break
            sequence += int(np.searchsorted(part.end_slot, last)) * part.sequences
            cards = board[: BOARD_CARDS[street + 1]]
            boards = self.pair.on(cards, boards)
            edges = np.empty(HOLDINGS)
            showdown_edges(held, cards, edges)
            weights = np.where(is_blocked(cards), 0.0, played.weights)
            if not weights.any():
                return math.nan
            played = self._play(street + 1, sequence, boards, held, weights, edges, cards, paths)
            deviation += played.deviation
            if street + 1 <= self.exact:
                constant, slope = (
                    coefficients[sequence] for coefficients in self._lines[street + 1]
                )
                deviation += played.value - constant - slope * (weights @ edges) / weights.sum()
        return self.root + self._sign * deviation if played.weights.any() else math.nan

    def _play_first(self, held: int, path: Sequence[int]) -> _Played:
        """Value the betting before the flop."""
        wins = self._wins[held].astype(np.int64) - self._wins[:, held]
        weights = self._disjoint[held].astype(np.float64)
        edges = wins / PAIR_BOARDS
        return self._play(0, 0, self._first, held, weights, edges, NO_BOARD, [path])

    def _play(
        self,
        street: int,
        sequence: int,
        boards: Sequence[BoardTable],
        held: int,
        weights: Floats,
        edges: Floats,
        board: Board,
        paths: Sequence[Sequence[int]],
    ) -> _Played:
        """Value a round by following its betting, with values for its ends."""
        known, model = boards[1 - self._unknown], boards[self._unknown]
        constant, slope = self._ends(street, sequence, boards, held, weights, board)
        after = weights.copy()
        path = np.array(paths[street], dtype=np.int64)
        value, deviation = play_round(
            self._parts[street],
            sequence,
            known.table,
            known.rows,
            model.table,
            int(model.rows[held]),
            self._unknown,
            weights,
            edges,
            constant,
            slope,
            path,
            after,
        )
        return _Played(value / self._unit, deviation / self._unit, after)

    def _ends(
        self,
        street: int,
        sequence: int,
        boards: Sequence[BoardTable],
        held: int,
        weights: Floats,
        board: Board,
    ) -> tuple[Floats, Floats]:
        """Return (ends,) constants and slopes of the values of a round's ends, in chips."""
        betting_round = self._tree.rounds[street]
        if street + 1 == len(self._tree.rounds):
            stakes = (betting_round.before[sequence] + betting_round.end_paid).astype(np.float64)
            return np.zeros(len(stakes)), stakes
        if street == self.exact:
            sides = np.zeros((2, HOLDINGS))
            sides[self._unknown, held] = 1.0
            sides[1 - self._unknown] = weights
            sums, reached = self._after_turn(boards, board, sequence, sides)
            mass = reached[1 - self._unknown].sum(axis=0, dtype=np.float64)
            values = np.divide(self._sign * sums, mass, out=np.zeros(len(sums)), where=mass > 0)
            return values, np.zeros(len(sums))
        lanes = np.arange(len(betting_round.end_slot)) * betting_round.sequences + sequence
        constant, slope = self._lines[street + 1]
        return constant[lanes] * self._unit, slope[lanes] * self._unit
