"""AIVAT of heads-up limit hands between two seats, of which one or both play known strategies.

What an observer can tell of a hand who sees the betting, the board and the holdings of unknown
players is a *class* of histories. Its value is the mean over the holdings that known players may
have, weighted by how likely they would have played so (`_kernels_ranges`). The estimate is the
value of the class in which the hand ended, plus for each card, and each action of a known player,
what the next class is worth on average less what the one is worth that came.

Values may be any numbers. Here they come from a table (`railbird.solve.limit.pair_values`), and
from the river or turn on, if asked for, from the strategies, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.assessment.aivat._kernels_ranges import deal, decide, flop_sums, weighed
from railbird.assessment.aivat._kernels_subgame import round_value, shown_down
from railbird.assessment.aivat.seats import DECK, NO_BOARD, Board, Floats, SeatedPair, Seats
from railbird.assessment.aivat.settings import DEFAULT, Exact
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.cards.isomorphism.boards import board_classes
from railbird.game.rules import BOARD_CARDS
from railbird.solve.abstraction.card_abstraction import States, is_blocked
from railbird.solve.limit.betting_tree import FOLD
from railbird.solve.real_game.opponents import BoardTable

_ALL_CARDS = np.arange(DECK, dtype=np.uint8)


@dataclass(slots=True)
class _Street:
    """What both strategies do on a board, and the states of its holdings in the table."""

    boards: tuple[BoardTable, ...]
    states: States


class SeatedScorer(Seats):
    """Estimates of hands in which the same players sit in the same seats.

    Exact values are for two known players; `one_known.OneKnownScorer` has them for one.
    """

    def __init__(self, pair: SeatedPair, *, exact: Exact = DEFAULT) -> None:
        """Prepare what does not depend on the hand."""
        super().__init__(pair)
        self.exact = exact
        self._first = _Street(pair.on(NO_BOARD, None), pair.abstraction.next_states(NO_BOARD, None))
        self._after_deal = self._deals()
        self._after_flop = self._flops()
        self._opened: dict[tuple[int, ...], tuple[Floats, float]] = {}
        self.root = float(self._after_deal.mean())
        """What seat 0 wins a hand by the table, in small bets."""

    def score(self, holdings: Sequence[int], board: Board, actions: Sequence[int]) -> float:
        """Return a hand's estimate for seat 0, in small bets.

        ``holdings`` are those of the seats, of no matter where known; ``board`` are the cards
        dealt; ``actions`` are 0 fold, 1 check or call, 2 bet or raise. It is nan if a known player
        never plays so.
        """
        rounds, paths = self._tree.rounds, self._paths(actions)
        held = np.array(holdings, dtype=np.int64)
        sides, estimate = self._open(held, paths[0])
        sequence, here = 0, self._first
        for street, path in enumerate(paths):
            part = rounds[street]
            if math.isnan(estimate):
                break
            if street:
                here, came = self._turn_up(here, held, board, street, sequence, sides)
                estimate += came
                if street >= self.exact:
                    return estimate + self._rest(here, board, sequence, sides)
                estimate += self._act(here, street, sequence, sides, path)
            last, node = path[-1], part.node[path[-1]]
            if part.kind[last] == FOLD:
                fold = int(np.searchsorted(part.fold_slot, last))
                lost = int(part.before[sequence] + part.fold_paid[fold]) / self._unit
                return estimate + (lost if part.player[node] else -lost)
            end = int(np.searchsorted(part.end_slot, last))
            if street + 1 == len(rounds):
                stake = int(part.before[sequence] + part.end_paid[end]) / self._unit
                return estimate + stake * shown_down(board, sides)
            sequence = end * part.sequences + sequence
        return math.nan

    def _open(self, held: npt.NDArray[np.int64], path: list[int]) -> tuple[Floats, float]:
        """Return the weights after the first round, and the corrections of deal and actions."""
        key = tuple(path)
        if key in self._opened:
            sides, estimate = self._opened[key]
            return sides.copy(), estimate
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
        self, here: _Street, street: int, sequence: int, sides: Floats, path: Sequence[int]
    ) -> float:
        """Correct the known players' actions, and weigh by them."""
        part, values = self._tree.rounds[street], self.pair.values.after[street]
        total = 0.0
        for slot in path:
            node = int(part.node[slot])
            seat = int(part.player[node])
            if not self._is_known[seat]:
                continue
            first = int(part.first_slot[node])
            lanes = np.arange(first, part.first_slot[node + 1]) * part.sequences + sequence
            table, rows = here.boards[seat]
            total += decide(
                seat,
                sides[0],
                sides[1],
                table,
                rows,
                lanes,
                slot - first,
                here.states,
                values.first[lanes],
                values.second[lanes],
            )
        return total

    def _turn_up(
        self,
        before: _Street,
        held: npt.NDArray[np.int64],
        board: Board,
        street: int,
        sequence: int,
        sides: Floats,
    ) -> tuple[_Street, float]:
        """Return what is done on the next board, and the correction of its cards."""
        start = self.pair.values.start[street]
        plus, minus = start.first[sequence], start.second[sequence]
        cards = board[: BOARD_CARDS[street]]
        here = self._on(before, cards)
        if street == 1:
            sides[:, is_blocked(cards)] = 0.0
            unknown = int(np.argmin(self._is_known))
            column = 0 if self._is_known.all() else CLASS_OF_HOLDING[held[unknown]]
            value, mass = weighed(sides[0], sides[1], here.states, plus, minus)
            return here, float(self._after_flop[sequence, column] - value / mass)
        shorter = cards[:-1]
        states = np.full((DECK, HOLDINGS), -1, dtype=np.int32)
        for card in np.setdiff1d(_ALL_CARDS, shorter):
            longer = np.append(shorter, card)
            states[card] = self.pair.abstraction.next_states(longer, before.states)
        return here, deal(int(cards[-1]), sides[0], sides[1], states, plus, minus)

    def _on(self, before: _Street, board: Board) -> _Street:
        return _Street(
            self.pair.on(board, before.boards),
            self.pair.abstraction.next_states(board, before.states),
        )

    def _rest(self, here: _Street, board: Board, sequence: int, sides: Floats) -> float:
        """Return the exact value from a round on."""
        street = len(BOARD_CARDS) - 1 if self.exact >= Exact.RIVER else int(self.exact)
        cards = board[: BOARD_CARDS[street]]
        is_last = street + 1 == len(self._tree.rounds)
        later = np.empty(0)
        if not is_last:
            later, _ = self._after_turn(here.boards, cards, sequence, sides)
        value = round_value(
            self._parts[street],
            sequence,
            tuple(each.table for each in here.boards),
            np.stack([each.rows for each in here.boards]),
            cards if is_last else NO_BOARD,
            sides,
            later,
        )
        return float(value / self._unit)

    def _deals(self) -> Floats:
        """Return what the deal of each holding to the unknown player is worth; one value if none.

        (1326,) or (1,), in small bets to seat 0.
        """
        start = self.pair.values.start[0]
        plus, minus, states = start.first[0], start.second[0], self._first.states
        if self._is_known.all():
            all_of_them = np.ones(HOLDINGS)
            value, mass = weighed(all_of_them, all_of_them, states, plus, minus)
            return np.array([value / mass])
        found = np.empty(HOLDINGS)
        seat = int(np.argmin(self._is_known))
        sides = np.ones((2, HOLDINGS))
        for holding in range(HOLDINGS):
            sides[seat] = 0.0
            sides[seat, holding] = 1.0
            value, mass = weighed(sides[0], sides[1], states, plus, minus)
            found[holding] = value / mass
        return found

    def _flops(self) -> Floats:
        """Return (sequences, 169) what sequences are worth before the flop comes.

        By the unknown player's hand class; in the first column if there is none.
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
        """Return (sequences, 1326) a seat's weights when the flop comes."""
        part, board = self._tree.rounds[0], self._first.boards[seat]
        found = np.ones((len(part.end_slot), HOLDINGS))
        if not self._is_known[seat]:
            return found
        nodes = {0: np.ones(HOLDINGS)}
        for slot in range(part.slots):
            node = int(part.node[slot])
            weights = nodes[node]
            if part.player[node] == seat:
                some = slice(part.first_slot[node], part.first_slot[node + 1])
                shares = board.table[board.rows].astype(np.float64)
                weights = weights * shares[:, slot] / shares[:, some].sum(axis=1)
            if part.child[slot] >= 0:
                nodes[int(part.child[slot])] = weights
            elif slot in part.end_slot:
                found[int(np.searchsorted(part.end_slot, slot))] = weights
        return found
