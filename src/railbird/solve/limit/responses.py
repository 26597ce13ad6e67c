"""Counter-strategies in heads-up limit to a player's observed play.

A frequentist best response wins the most from the player as observed, but may lose as much to
others. A restricted Nash response is an equilibrium of a game in which the opponent plays the
observed frequencies in a share p of all hands and freely in the others (Johanson, Zinkevich and
Bowling, "Computing robust counter-strategies", 2007). For a data-biased response that share is set
at each decision and grows with its observations (Johanson and Bowling, "Data biased robust counter
strategies", 2009). All need abstractions with perfect recall.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.errors import BadInput, NothingUsable
from railbird.game import BOARD_CARDS, kind_of
from railbird.histories import HandRecord
from railbird.progress import Progress
from railbird.solve.abstraction.card_abstraction import CardAbstraction, States
from railbird.solve.limit.betting_tree import CALL, BettingTree, betting_tree, same_game
from railbird.solve.limit.matrix_cfr import MatrixSolver, PartlyFixed, Reach
from railbird.solve.limit.settings import FIRST_LOOK, TRUSTED
from railbird.solve.limit.strategy import StateGame
from railbird.solve.settings import MB, check_goal

# What a player did in recorded hands of heads-up limit, by state and betting sequence.
#
# Only hands in which the player's cards are known are counted. In a log that hides folded hands
# these are the stronger ones, and the player seems never to fold: logs with all cards are needed.


# The counter-strategies.


Table = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class ObservedPlay:
    """Counts of a player's actions in both seats."""

    tree: BettingTree
    abstraction: CardAbstraction
    counts: tuple[Table, ...]
    """By street (states, lanes) numbers of actions."""
    hands: int
    hidden: int
    """Hands of the player that were left out because the cards are unknown."""

    def decisions(self) -> tuple[Table, ...]:
        """Return by street how often each decision was faced, (states, decisions)."""
        tables = []
        for betting_round, table in zip(self.tree.rounds, self.counts, strict=True):
            by_slot = table.reshape(len(table), betting_round.slots, betting_round.sequences)
            faced = np.add.reduceat(by_slot, betting_round.first_slot[:-1], axis=1)
            tables.append(np.ascontiguousarray(faced.reshape(len(table), -1)))
        return tuple(tables)

    def frequencies(self) -> tuple[Table, ...]:
        """Return by street the frequencies of actions, (states, lanes); calls if unobserved."""
        tables = []
        for betting_round, table, faced in zip(
            self.tree.rounds, self.counts, self.decisions(), strict=True
        ):
            states = len(table)
            by_slot = table.reshape(states, betting_round.slots, betting_round.sequences)
            total = faced.reshape(states, betting_round.nodes, betting_round.sequences)[
                :, betting_round.node
            ]
            calls = np.broadcast_to((betting_round.kind == CALL)[:, np.newaxis], by_slot.shape)
            shares = np.where(total > 0, by_slot / np.maximum(total, 1), calls)
            tables.append(np.ascontiguousarray(shares.reshape(states, -1), dtype=np.float32))
        return tuple(tables)


@checked
def observe_play(
    records: Iterable[HandRecord], player: str, abstraction: CardAbstraction
) -> ObservedPlay:
    """Count a player's actions in recorded hands.

    Raises `BadInput` for hands of another game or of several games, and `NothingUsable` if no hand
    shows the player's cards.
    """
    tree: BettingTree | None = None
    tables: list[Table] = []
    hands = hidden = 0
    rules = None
    for record in records:
        if player not in record.players:
            continue
        if record.rules != rules:
            rules, record_tree = record.rules, betting_tree(record.rules)
            if tree is None:
                tree = record_tree
                tables = [
                    np.zeros((states, betting_round.lanes), dtype=np.float32)
                    for states, betting_round in zip(abstraction.states, tree.rounds, strict=True)
                ]
            elif not same_game(tree.betting, record_tree.betting):
                raise BadInput("hands by several rules; allowed: one game, at any stakes")
        assert tree is not None
        if record.holes[record.players.index(player)] is None:
            hidden += 1
            continue
        hands += 1
        _count(tree, abstraction, record, record.players.index(player), tables)
    if tree is None or not hands:
        why = f"{hidden} with hidden cards" if hidden else "none of this player"
        raise NothingUsable(f"no hand of {player} to learn from: {why}")
    return ObservedPlay(tree, abstraction, tuple(tables), hands, hidden)


def _count(
    tree: BettingTree,
    abstraction: CardAbstraction,
    record: HandRecord,
    seat: int,
    tables: list[Table],
) -> None:
    holding, states = record.holes[seat], list[States]()
    board = np.array(record.board, dtype=np.uint8)
    decision = tree.root
    for action in record.actions:
        kind = kind_of(action)
        betting_round = tree.rounds[decision.street]
        if betting_round.player[decision.node] == seat:
            while len(states) <= decision.street:
                before = states[-1] if states else None
                cards = board[: BOARD_CARDS[len(states)]]
                states.append(abstraction.next_states(cards, before))
            lane = betting_round.lane(tree.slot(decision, kind), decision.sequence)
            tables[decision.street][states[decision.street][holding], lane] += 1
        following = tree.step(decision, kind)
        if following is None:
            return
        decision = following


_SEATS = (0, 1)


class ResponseKind(Enum):
    """How a response uses the observed play."""

    FREQUENTIST = "fbr"
    DATA_BIASED = "dbr"
    RESTRICTED = "rnr"


class Point(NamedTuple):
    """What a response wins and risks in the abstraction, as means over both seats, in mb a game."""

    p: float
    gain_mb: float
    """Won from the player as observed; unobserved decisions call."""
    exposure_mb: float
    """Lost to a best response."""
    gap_mb: float
    """Gain of a best response to the restricted opponent; 0 for a frequentist response."""
    iterations: int


@dataclass(slots=True, eq=False)
class ResponseSolver:
    """A response that is being solved. `run` continues from the last call, even with another p."""

    game: StateGame
    observed: ObservedPlay
    kind: ResponseKind
    p: float
    """The fixed share of hands or, for data-biased responses, the largest share of a decision."""

    own: MatrixSolver = field(init=False)
    """The response: its regrets and, as its sums, the strategy."""
    _free: MatrixSolver = field(init=False)
    _model: tuple[Table, ...] = field(init=False)
    _modelled: list[Reach] = field(init=False)

    def __post_init__(self) -> None:
        _checked(self.p)
        if not same_game(self.observed.tree.betting, self.game.tree.betting):
            raise BadInput("observations of another game; allowed: equal blinds, bets and caps")
        self.own = MatrixSolver(self.game)
        self._model = self.observed.frequencies()
        self._modelled = [self.own.reach(seat, self._model) for seat in _SEATS]
        self._free = MatrixSolver(self.game, self._partly())
        if self.kind is ResponseKind.FREQUENTIST:
            for seat in _SEATS:
                self.own.take_best_response(seat, self._modelled[1 - seat])

    def run(self, iterations: int) -> None:
        """Add iterations of CFR+; a frequentist response needs none."""
        if self.kind is ResponseKind.FREQUENTIST:
            return
        for _ in range(iterations):
            weight = float((self.own.iterations + 1) ** 2)
            for seat in _SEATS:
                opponent = self._free.reach(1 - seat, self._free.regrets, weight)
                self.own.update(seat, self._restricted(1 - seat, opponent))
                self._free.update(1 - seat, self.own.reach(seat, self.own.regrets, weight))
            self.own.iterations += 1

    def restart(self, p: float) -> None:
        """Begin new averages with another ``p`` but keep the regrets. Raises `BadInput`."""
        # Regrets carry over, since the equilibria of neighbouring p are similar and most of the
        # work is done. Averages do not: they would mix strategies for different games.
        self.p = _checked(p)
        if self.kind is ResponseKind.DATA_BIASED:
            regrets = self._free.regrets
            self._free = MatrixSolver(self.game, self._partly())
            self._free.regrets = regrets
        for solver in (self.own, self._free):
            for table in solver.sums:
                table[:] = 0
        self.own.iterations = 0

    def point(self) -> Point:
        """Return what the average response wins and risks."""
        gain = self._mean(self.own.average_value(seat, self._modelled[1 - seat]) for seat in _SEATS)
        averages = [self.own.reach(seat, self.own.sums) for seat in _SEATS]
        exposure = self._mean(self.own.best_value(1 - seat, averages[seat]) for seat in _SEATS)
        gap = 0.0
        if self.kind is not ResponseKind.FREQUENTIST:
            # For data-biased responses the free solver's sums already include the fixed part.
            opponent = [self.own.reach(seat, self._free.sums) for seat in _SEATS]
            best = self._mean(
                self.own.best_value(seat, self._restricted(1 - seat, opponent[1 - seat]))
                for seat in _SEATS
            )
            lost = self._mean(self._free.best_value(1 - seat, averages[seat]) for seat in _SEATS)
            if self.kind is ResponseKind.RESTRICTED:
                lost = (1 - self.p) * lost - self.p * gain
            gap = best + lost
        return Point(self.p, 1000 * gain, 1000 * exposure, 1000 * gap, self.own.iterations)

    def _partly(self) -> PartlyFixed | None:
        """Return the fixed play of a data-biased response's opponent, None for other responses."""
        if self.kind is not ResponseKind.DATA_BIASED:
            return None
        trust = tuple(
            np.float32(self.p) * np.minimum(1, seen / np.float32(TRUSTED))
            for seen in self.observed.decisions()
        )
        return PartlyFixed(self._model, trust)

    def _restricted(self, player: int, free: Reach) -> Reach:
        """Mix the free reach with the observed player's; data-biased reach is already mixed."""
        if self.kind is ResponseKind.DATA_BIASED:
            return free
        fixed, p = self._modelled[player], np.float32(self.p)
        return Reach(
            tuple(p * a + (1 - p) * b for a, b in zip(fixed.folds, free.folds, strict=True)),
            p * fixed.ends + (1 - p) * free.ends,
        )

    @staticmethod
    def _mean(values: Iterable[float]) -> float:
        return sum(values) / len(_SEATS)


def _checked(p: float) -> float:
    if not 0 <= p <= 1:
        raise BadInput(f"p {p:g}; allowed: 0 to 1")
    return p


@checked
def find_response(
    solver: ResponseSolver,
    *,
    gap_mb: float,
    most: int,
    progress: Progress | None = None,
) -> Point:
    """Iterate until the gap is small or ``most`` iterations are done; return the last point.

    Raises `BadInput` for a gap that is not positive.
    """
    check_goal("a gap of", gap_mb, MB)
    if solver.kind is ResponseKind.FREQUENTIST:
        return solver.point()
    first, step = solver.own.iterations, FIRST_LOOK
    while True:
        solver.run(min(step, most + first - solver.own.iterations))
        point, done = solver.point(), solver.own.iterations - first
        if progress is not None:
            progress(done, 0, f"{solver.kind.value}, p = {solver.p:g}, gap {point.gap_mb:.3g} mb/g")
        if done >= most or point.gap_mb <= gap_mb:
            return point
        step = max(FIRST_LOOK, done // 4)
