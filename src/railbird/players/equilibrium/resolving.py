"""A player that solves the turn and the river, or the river alone, while it plays."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS
from railbird.errors import BadInput
from railbird.game import Act, Event, View
from railbird.game.rules import BOARD_CARDS
from railbird.players.equilibrium.player import StrategyPlayer
from railbird.players.explanation import Reading
from railbird.players.limit_betting import KINDS
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit.betting_tree import Place
from railbird.solve.limit.settings import SUBGAME_ITERATIONS
from railbird.solve.limit.solving import open_equilibrium
from railbird.solve.limit.strategy import LimitStrategy
from railbird.solve.limit.subgame import Subgame, solve_subgame

_TURN, _RIVER = 2, 3


class Resolve(Enum):
    """From where on the rest of a hand is solved while playing."""

    TURN = "turn"
    """Turn and river when the turn comes, and the river again when it comes."""
    RIVER = "river"


class _Taken(NamedTuple):
    """An action of the hand."""

    place: Place
    action: int
    """Its number among those of the decision."""


class ResolvingPlayer(StrategyPlayer):
    """Plays its strategy up to a street, and from there on what it solves for the hand.

    On a street that it solves no holdings share a state. The ranges of both players are those that
    its strategy comes with; from an opponent with another strategy nothing protects it.
    What it solves depends on the public cards and actions alone, so that the same hand is played
    with the same probabilities.
    """

    def __init__(self, strategy: LimitStrategy, resolve: Resolve) -> None:
        super().__init__(strategy)
        self._first = _TURN if resolve is Resolve.TURN else _RIVER
        self._actions: list[_Taken] = []
        self._solved: dict[int, Subgame | None] = {}

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        super().reset(rng)
        self._forget()

    def begin(self, view: View) -> None:
        """Begin a hand at the root of the tree. Raises `BadInput` for another game."""
        super().begin(view)
        self._forget()

    def observe(self, view: View, event: Event) -> None:
        """Follow an action, and keep it."""
        if isinstance(event, Act) and self._place is not None:
            part = self.strategy.tree.rounds[self._place.street]
            slot = self.strategy.tree.slot(self._place, KINDS[type(event.action)])
            self._actions.append(_Taken(self._place, slot - int(part.first_slot[self._place.node])))
        super().observe(view, event)

    def _forget(self) -> None:
        self._actions, self._solved = [], {}

    def _chances(self, view: View) -> list[tuple[int, float]]:
        found = super()._chances(view)
        place = self._here()
        if (solved := self._subgame(view, place.street)) is None:
            return found
        own = solved.shares(place.node)[view.holding]
        return [(kind, float(p)) for (kind, _), p in zip(found, own / own.sum(), strict=True)]

    def _readings(self, view: View) -> tuple[Reading, ...]:
        solved = self._subgame(view, self._here().street)
        iterations = "the strategy's own" if solved is None else solved.iterations
        return (
            *super()._readings(view),
            Reading(name="iterations of solving this hand", value=iterations),
        )

    def _shares(self, view: View, place: Place) -> npt.NDArray[np.float64]:
        """Return (1326, actions) what all holdings do at a decision."""
        subgame = self._subgame(view, place.street)
        if subgame is not None:
            return subgame.shares(place.node)
        part = self.strategy.tree.rounds[place.street]
        first, last = part.first_slot[place.node : place.node + 2]
        lanes = np.arange(first, last) * part.sequences + place.sequence
        rows = np.maximum(self._states[place.street], 0)
        return self.strategy.probabilities[place.street][rows][:, lanes].astype(np.float64)

    def _subgame(self, view: View, street: int) -> Subgame | None:
        """Return the solution that a street is played by; None if there is none."""
        if street < self._first:
            return None
        if street not in self._solved:
            self._solved[street] = self._solve(view, street)
        return self._solved[street]

    def _solve(self, view: View, street: int) -> Subgame | None:
        board = np.array(view.state.board, dtype=np.uint8)[: BOARD_CARDS[street]]
        sequence = next(
            (each.place.sequence for each in self._actions if each.place.street == street),
            self._here().sequence,
        )
        try:
            return solve_subgame(
                self.strategy.tree,
                board,
                self._ranges(view, board, street),
                sequence=sequence,
                iterations=SUBGAME_ITERATIONS[len(board)],
                abstraction=self.strategy.abstraction,
                seed=int(np.dot(board.astype(np.int64) + 1, 53 ** np.arange(len(board)))),
            )
        except BadInput:  # the strategy never comes here
            return None

    def _ranges(
        self, view: View, board: npt.NDArray[np.uint8], street: int
    ) -> npt.NDArray[np.float64]:
        """Return (2, 1326) the reach of a street by every holding of both players."""
        ranges = np.ones((2, HOLDINGS))
        ranges[:, is_blocked(board)] = 0.0
        self._state(view)  # so that the states of all streets are known
        for place, action in self._actions:
            if place.street < street:
                player = int(self.strategy.tree.rounds[place.street].player[place.node])
                ranges[player] *= self._shares(view, place)[:, action]
        return ranges


def read_resolve(text: str) -> Resolve:
    """Read the value of the option ``resolve``. Raises `ValueError`."""
    return Resolve(text)


def make_equilibrium(name: str, resolve: Resolve | None) -> StrategyPlayer:
    """Return the player of a size or a file, which solves while it plays if asked to."""
    strategy = open_equilibrium(name)
    return StrategyPlayer(strategy) if resolve is None else ResolvingPlayer(strategy, resolve)
