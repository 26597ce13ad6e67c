"""The coach: before each hand it chooses one of several players, who plays it.

Kan (2007, sections 5.3 and 5.4.1) describes two such programs, one that changed its player by the
chips that were left and one by what each had won. All players are told of all hands, so those that
learn do so from each other's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from railbird.game import Act, Action, Event, Muck, Rules, Show, Street, View
from railbird.game.engine.play import payoff_parts
from railbird.players.coach.choosing import Chooser, UpperBounds
from railbird.players.coach.imaginary import Decided, Ending, Floats, estimates, reach
from railbird.players.coach.trickiness import filtered, mixed
from railbird.players.explanation import Explanation, Reading
from railbird.players.limit_betting import KINDS, tree_of, why_no_tree
from railbird.players.policy import Distribution, Explaining, close, distribution_of, why_not
from railbird.players.protocol import KnowsOpponents, Observer, Player
from railbird.solve.limit.betting_tree import BettingTree, Place, same_game
from railbird.solve.real_game.opponents import BoardStrategy
from railbird.units import Seat


@dataclass(frozen=True, slots=True)
class Expert:
    """One who can play."""

    name: str
    player: Player
    known: BoardStrategy | None = None
    """What it does with every holding, if that is known."""
    tells_of_others: bool = False
    """Whether it takes every action at times, so that all that others may do is seen of it."""


class CoachPlayer:
    """Lets one of its experts play each hand."""

    def __init__(
        self,
        experts: Sequence[Expert],
        new_chooser: Callable[[int], Chooser] = UpperBounds,
        tricky: frozenset[Street] = frozenset(),
    ) -> None:
        """Create a coach; ``new_chooser`` is given the number of experts."""
        self.team = tuple(experts)
        self.names = tuple(expert.name for expert in experts)
        self.experts = tuple(expert.player for expert in experts)
        self.tricky = tricky
        self._new_chooser = new_chooser
        self.chooser = new_chooser(len(experts))
        self.hands = [0] * len(experts)
        """Hands that each has played since the reset."""
        self._known = [None if tricky else expert.known for expert in experts]
        self._tells = [expert.tells_of_others for expert in experts]
        self._rng = np.random.default_rng(0)
        self._playing = 0
        self._tree: BettingTree | None = None
        self._place: Place | None = None
        self._decided: list[Decided] = []
        self._shows: list[Seat] = []

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Return why one of its experts cannot play by these rules; None if all can."""
        for name, player in zip(self.names, self.experts, strict=True):
            if why := why_not(player, rules, carries_over=carries_over):
                return f"{name}: {why}"
        return None

    def reset(self, rng: np.random.Generator) -> None:
        """Forget what the experts have won, and let them forget."""
        self._rng = rng
        self.chooser = self._new_chooser(len(self.experts))
        self.hands = [0] * len(self.experts)
        for player in self.experts:
            # A seed for each: generators of others' libraries may not be spawned.
            player.reset(np.random.default_rng(rng.integers(2**63)))

    def close(self) -> None:
        """Let the experts end."""
        for player in self.experts:
            close(player)

    def meet(self, people: tuple[int, ...]) -> None:
        """Tell the experts who sits where."""
        for player in self.experts:
            if isinstance(player, KnowsOpponents):
                player.meet(people)

    def begin(self, view: View) -> None:
        """Choose who plays the hand."""
        self._playing = self.chooser.choose()
        self.hands[self._playing] += 1
        known = not self.tricky and why_no_tree(view.rules, carries_over=False) is None
        self._tree = tree_of(view.rules) if known else None
        self._place = self._tree.root if self._tree is not None else None
        self._decided, self._shows = [], []
        for player in self._observers():
            player.begin(view)

    def observe(self, view: View, event: Event) -> None:
        """Tell the experts, and follow the betting."""
        for player in self._observers():
            player.observe(view, event)
        if isinstance(event, (Show, Muck)):
            self._shows.append(event.seat)
        if self._tree is None or self._place is None or not isinstance(event, Act):
            return
        kind = KINDS[type(event.action)]
        if event.seat == view.seat:
            self._decided.append(Decided(self._place, self._tree.slot(self._place, kind)))
        self._place = self._tree.step(self._place, kind)

    def end(self, view: View) -> None:
        """Tell the experts, and learn what each would have won."""
        for player in self._observers():
            player.end(view)
        parts = payoff_parts(view.state)
        if parts is None:
            return
        unit = view.rules.denominator * (view.rules.bet_sizes or view.rules.blinds)[0]
        won = parts[view.seat] / unit
        board = np.array(view.state.board, dtype=np.uint8)
        reaches: list[Floats | None] = [None] * len(self.experts)
        if self._tree is not None and self._is_known(self._playing):
            reaches = [
                reach(known, board, self._decided)
                if known is not None and self._tells_of(number)
                else None
                for number, known in enumerate(self._known)
            ]
        ending = Ending(
            board=board,
            holding=view.holding,
            won=won,
            staked=view.state.pot * view.rules.denominator / (2 * unit),
            at_showdown=bool(self._shows),
            shown=view.state.holdings[1 - view.seat] if self._tree is not None else None,
            opponent_first=self._shows[:1] == [1 - view.seat],
        )
        self.chooser.learn(won, estimates(ending, reaches, self._playing))

    def act(self, view: View) -> Action:
        """Let the chosen expert act."""
        action = self.experts[self._playing].act(view)
        return filtered(action, view, self.tricky, self._rng) if self.tricky else action

    def distribution(self, view: View) -> Distribution | None:
        """Return the chosen expert's probabilities, filtered; None if it does not know them."""
        said = distribution_of(self.experts[self._playing], view)
        return said if said is None or not self.tricky else mixed(said, view, self.tricky)

    def explain(self, view: View) -> Explanation:
        """Explain who plays, and what the expert says. Raises `LookupError` before an answer."""
        expert, name = self.experts[self._playing], self.names[self._playing]
        rule, readings = f"{name} plays this hand.", self._readings()
        if not isinstance(expert, Explaining):
            return Explanation(rule=rule, readings=readings)
        said = expert.explain(view)
        return replace(said, rule=f"{rule} {said.rule}", readings=readings)

    def _readings(self) -> tuple[Reading, ...]:
        """Return what is known of the experts."""
        known: list[Reading] = []
        for number, name in enumerate(self.names):
            known.append(Reading(name=f"{name}, hands", value=self.hands[number]))
            if isinstance(self.chooser, UpperBounds):
                interval = self.chooser.intervals()[number]
                told = interval.value if interval.n else None
                high = interval.high if interval.n and math.isfinite(interval.high) else None
                known.append(Reading(name="small bets a hand", value=told))
                known.append(Reading(name="at most", value=high))
        return tuple(known)

    def _observers(self) -> list[Observer]:
        return [player for player in self.experts if isinstance(player, Observer)]

    def _tells_of(self, number: int) -> bool:
        """Return whether the one that plays tells what an expert would have won."""
        return (number == self._playing or self._tells[self._playing]) and self._is_known(number)

    def _is_known(self, number: int) -> bool:
        """Return whether an expert's strategy is known, and of the game that is played."""
        known, tree = self._known[number], self._tree
        return (
            known is not None and tree is not None and same_game(known.tree.betting, tree.betting)
        )
