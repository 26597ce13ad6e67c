"""Hold'em Killer as a player."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from railbird.game import Act, Action, DealBoard, Event, Street, View
from railbird.players.explanation import Belief, Explanation
from railbird.players.killer.final_hands import final_hands, own_final_hands
from railbird.players.killer.habits import Habits
from railbird.players.killer.preload import make_ready
from railbird.players.killer.seen_hand import SeenHand
from railbird.players.killer.settings import LEARN, Memory, Reflection
from railbird.players.killer.straight import Decision, decide
from railbird.players.policy import Distribution
from railbird.units import Seat


class KillerPlayer:
    """Plays straight: reflective odds against implied odds, and raise odds for every raise.

    It observes everybody's actions, from which it infers what they may hold, and how often each
    opponent sees flops, bets and goes on. ``looseness`` is that of all opponents, or `LEARN`. The
    constructor opens the tables, and builds them if they are missing.
    """

    def __init__(
        self,
        *,
        memory: Memory = Memory.LONG,
        looseness: float | str = LEARN,
        reflection: Reflection = Reflection.FUZZY,
        bluffs: bool = True,
    ) -> None:
        self._memory, self._reflection, self._bluffs = memory, reflection, bluffs
        self._looseness = None if isinstance(looseness, str) else looseness
        self._habits: dict[int, Habits] = {}
        self._people: tuple[int, ...] | None = None
        self._hand = SeenHand((), reflection)
        self._before: View | None = None
        self._decision: Decision | None = None
        self._foreseen: tuple[View, Decision] | None = None
        make_ready()

    def reset(self, rng: np.random.Generator) -> None:
        """Forget everybody; nothing is drawn."""
        self._habits, self._people = {}, None
        self._before = self._decision = self._foreseen = None

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the player in each seat of the next hand."""
        self._people = people

    def begin(self, view: View) -> None:
        """Begin a hand with everybody holding anything."""
        self._foreseen = None
        people = self._people or tuple(range(view.rules.seats))
        habits = [
            self._habits.setdefault(who, Habits(self._memory, self._looseness)) for who in people
        ]
        for one in habits:
            one.begin_hand()
        self._hand = SeenHand(habits, self._reflection)
        self._before = view

    def observe(self, view: View, event: Event) -> None:
        """Note what an action tells."""
        self._foreseen = None
        before, self._before = self._before, view
        if isinstance(event, Act) and before is not None:
            self._hand.learn(event, before.state)
        elif isinstance(event, DealBoard) and view.state.street is Street.FLOP:
            for seat in view.state.in_hand:
                self._hand.habits[seat].see_flop()

    def end(self, view: View) -> None:
        """Learn nothing more: few holdings are shown, and not by chance."""

    def act(self, view: View) -> Action:
        """Decide by reflective odds."""
        self._decision = self._decide(view)
        return self._decision.action

    def distribution(self, view: View) -> Distribution:
        """Return the one action that is certain: nothing is drawn."""
        return Distribution.certain(self._decide(view).action)

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._decision is None:
            raise LookupError("this player has not decided anything yet")
        words = self._decision.rule.value
        rivals = [seat for seat in view.state.in_hand if seat != view.seat]
        return Explanation(
            rule=f"{words[0].upper()}{words[1:]}.",
            readings=self._decision.readings + own_final_hands(view),
            beliefs=tuple(self._belief(seat, view) for seat in rivals),
        )

    def _decide(self, view: View) -> Decision:
        """Decide once for a view: whoever asks for probabilities asks for the action, too."""
        if self._foreseen is None or self._foreseen[0] is not view:
            self._foreseen = view, decide(view, self._hand, may_bluff=self._bluffs)
        return self._foreseen[1]

    def _belief(self, seat: Seat, view: View) -> Belief:
        stages = self._hand.stages(seat, view.state.board)
        return Belief(
            seat=seat,
            stages=tuple(
                replace(stage, readings=final_hands(view, stage.weights)) for stage in stages
            ),
        )
