"""A player of a strategy for heads-up limit, such as an equilibrium of an abstraction."""

from __future__ import annotations

from typing import Final

import numpy as np

from railbird.errors import BadInput
from railbird.game import Act, Action, Event, Rules, View
from railbird.game.rules import BOARD_CARDS
from railbird.players.explanation import Explanation, Reading, Requirement, street_words
from railbird.players.limit_betting import (
    KIND_WORDS,
    KINDS,
    action_of_kind,
    tree_of,
    why_no_tree,
)
from railbird.players.policy import Distribution
from railbird.solve.abstraction.card_abstraction import States
from railbird.solve.limit.betting_tree import Place, same_game
from railbird.solve.limit.strategy import LimitStrategy

_LEAST_SAID: Final = 0.005
"""Least probability that is said in words."""


class StrategyPlayer:
    """Draws every action with the probability that its strategy gives it.

    It observes the actions of a hand, which tell where in the betting tree it is. What it learns
    ends with the hand.
    """

    def __init__(self, strategy: LimitStrategy) -> None:
        self.strategy = strategy
        self._rng = np.random.default_rng(0)
        self._place: Place | None = strategy.tree.root
        self._states: list[States] = []
        self._drawn: float | None = None
        self._rules: Rules | None = None

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Return why it cannot play by these rules; None if it can."""
        if why := why_no_tree(rules, carries_over=carries_over):
            return why
        if not same_game(tree_of(rules).betting, self.strategy.tree.betting):
            return "its strategy is for other blinds, bets or caps"
        return None

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        self._rng = rng
        self._place, self._states, self._drawn = self.strategy.tree.root, [], None

    def begin(self, view: View) -> None:
        """Begin a hand at the root of the tree. Raises `BadInput` for another game."""
        if view.rules is not self._rules and (why := self.supports(view.rules)):
            raise BadInput(why)
        self._rules = view.rules
        self._place, self._states = self.strategy.tree.root, []

    def observe(self, view: View, event: Event) -> None:
        """Follow an action."""
        if isinstance(event, Act) and self._place is not None:
            self._place = self.strategy.tree.step(self._place, KINDS[type(event.action)])

    def end(self, view: View) -> None:
        """Learn nothing."""

    def act(self, view: View) -> Action:
        """Draw an action."""
        self._drawn = float(self._rng.random())
        left = self._drawn
        chances = self._chances(view)
        for kind, chance in chances:
            left -= chance
            if left < 0:
                return action_of_kind(kind, view)
        return action_of_kind(max(chances, key=lambda each: each[1])[0], view)

    def distribution(self, view: View) -> Distribution:
        """Return the strategy's probabilities."""
        return Distribution.of([(action_of_kind(kind, view), p) for kind, p in self._chances(view)])

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._drawn is None:
            raise LookupError("this player has not decided anything yet")
        abstraction = self.strategy.abstraction
        requirements, least, decided = [], 0.0, False
        chances = self._chances(view)
        for kind, chance in chances:
            now = not decided and self._drawn < least + chance
            requirements.append(
                Requirement(
                    action=KIND_WORDS[kind],
                    needed=f"a draw from {least:.4f} to {least + chance:.4f}",
                    actual=f"{self._drawn:.4f}",
                    decided=now,
                )
            )
            least, decided = least + chance, decided or now
        return Explanation(
            rule=f"{_shares_words(chances)}, by the strategy of the abstraction "
            f"{abstraction.name}, hash {self.strategy.hash[:12]}.",
            readings=self._readings(view),
            requirements=tuple(requirements),
        )

    def _readings(self, view: View) -> tuple[Reading, ...]:
        states = self.strategy.abstraction.states[view.state.street]
        line = self.strategy.tree.text(self._here())
        return (
            Reading(name=f"state {street_words(view.state)}", value=self._state(view)),
            Reading(name="of states", value=states),
            Reading(name="betting so far", value=line or "none"),
        )

    def _chances(self, view: View) -> list[tuple[int, float]]:
        """Return the kinds of actions at this place and their probabilities."""
        place = self._here()
        part = self.strategy.tree.rounds[place.street]
        first, last = part.first_slot[place.node : place.node + 2].tolist()
        chances = self.strategy.at(place, self._state(view)).tolist()
        return list(zip(part.kind[first:last].tolist(), chances, strict=True))

    def _here(self) -> Place:
        """Return its place. Raises `LookupError` where nobody is to act."""
        if self._place is None:
            raise LookupError("nobody is to act")
        return self._place

    def _state(self, view: View) -> int:
        """Return the state of the player's holding, computing those of new streets."""
        board = np.array(view.state.board, dtype=np.uint8)
        abstraction = self.strategy.abstraction
        while len(self._states) <= view.state.street:
            cards = board[: BOARD_CARDS[len(self._states)]]
            before = self._states[-1] if self._states else None
            self._states.append(abstraction.next_states(cards, before))
        return int(self._states[view.state.street][view.holding])


def _shares_words(chances: list[tuple[int, float]]) -> str:
    """Say how often each kind of action is drawn, the likeliest first."""
    order = sorted(chances, key=lambda each: -each[1])
    return ", ".join(f"{KIND_WORDS[kind]} {100 * p:.0f} %" for kind, p in order if p >= _LEAST_SAID)
