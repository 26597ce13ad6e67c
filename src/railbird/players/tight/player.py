"""The plain no-limit player."""

from __future__ import annotations

import numpy as np

from railbird.game import Act, Action, Event, View
from railbird.players.compiled.splitmix import SplitMix64
from railbird.players.explanation import Belief, Explanation
from railbird.players.policy import Distribution
from railbird.players.pushfold import charts
from railbird.players.tight.holding_equities import make_ready
from railbird.players.tight.opponent_ranges import Habits, HandRanges, SeenAction
from railbird.players.tight.rules import Decision, decide
from railbird.players.tight.settings import SHORT
from railbird.players.tight.starting_hands import order


class TightPlayer:
    """Plays hold'em by thirteen rules for no-limit, counting how often others raise, bet and call.

    It observes the actions of a hand, from which it infers everybody's range; nothing else that it
    sees teaches it anything. In other betting
    structures its bets are the nearest legal ones. The constructor opens the hand-rank tables, and
    builds them if they are missing.
    """

    def __init__(self) -> None:
        make_ready()
        order()
        charts(SHORT)
        self._stream = SplitMix64(0)
        self._views: list[View] = []
        self._acts: list[tuple[int, Act]] = []
        self._ranges = HandRanges(())
        self._habits: dict[int, Habits] = {}
        self._people: tuple[int, ...] | None = None
        self._decision: Decision | None = None

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws, and forget everybody's habits."""
        self._stream = SplitMix64(int(rng.integers(1 << 64, dtype=np.uint64)))
        self._views, self._acts, self._decision = [], [], None
        self._habits, self._people = {}, None

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the player in each seat of the next hand."""
        self._people = people

    def begin(self, view: View) -> None:
        """Begin a hand with everybody holding anything."""
        self._views, self._acts = [view], []
        people = self._people or range(view.rules.seats)
        self._ranges = HandRanges([self._habits.setdefault(who, Habits()) for who in people])

    def observe(self, view: View, event: Event) -> None:
        """Note an action; what it tells is worked out only when a decision needs it."""
        self._views.append(view)
        if isinstance(event, Act):
            self._acts.append((len(self._views) - 1, event))

    def end(self, view: View) -> None:
        """Count the actions since the last decision."""
        self._learn(over=True)

    def act(self, view: View) -> Action:
        """Decide by the first rule that applies."""
        decision = self._decide(view)
        self._decision = decision
        if not decision.mixed:
            return decision.action
        left = self._stream.fraction()
        for action, chance in decision.mixed:
            left -= chance
            if left < 0:
                return action
        return decision.action

    def distribution(self, view: View) -> Distribution:
        """Return the equilibrium's probabilities short and heads-up; else one action is certain."""
        return self._decide(view).distribution

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._decision is None:
            raise LookupError("this player has not decided anything yet")
        words = self._decision.rule.value
        rivals = [seat for seat in view.state.in_hand if seat != view.seat]
        return Explanation(
            rule=f"{words[0].upper()}{words[1:]}.",
            readings=self._decision.readings,
            beliefs=tuple(Belief(seat=seat, stages=self._ranges.stages(seat)) for seat in rivals),
        )

    def _decide(self, view: View) -> Decision:
        """Bring the ranges up to date, then decide."""
        self._learn()
        return decide(view, self._ranges)

    def _learn(self, *, over: bool = False) -> None:
        for place, act in self._acts:
            before, after = self._views[place - 1].state, self._views[place].state
            self._ranges.learn(SeenAction(act, before, after), over=over)
        self._acts = []
