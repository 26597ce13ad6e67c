"""A stand-in for the person of section 9: it learns which way of playing wins.

It chooses among whole players by Thompson sampling: every twenty hands it draws a mean for each
from a normal posterior of what its stretches won, and plays the one with the highest draw.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from railbird.game import Action, Event, View, payoffs
from railbird.players import KnowsOpponents, Observer, Player, make_player

ARMS: Final = {
    "Booker 1": "booker:1",
    "tight": "tight:nolimit",
    "maniac": "random,fold=0.5,call=4.5,raise=5",
    "rock": "loki:bpt,make1=0.75,make2=0.95",
}
STRETCH: Final = 20
"""Hands after which it chooses again; the source's person had no such rhythm, but must see some."""

_PRIOR_SD: Final = 0.25
"""Spread of a stretch's money before any is seen, in starting stacks of the hand."""


class Bandit:
    """Plays one of `ARMS` for `STRETCH` hands, then chooses again by what each has won."""

    def __init__(self) -> None:
        self._arms: list[Player] = [make_player(spec) for spec in ARMS.values()]
        self.reset(np.random.default_rng(0))

    def reset(self, rng: np.random.Generator) -> None:
        """Forget everything."""
        self._rng, *own = rng.spawn(1 + len(self._arms))
        for arm, generator in zip(self._arms, own, strict=True):
            arm.reset(generator)
        self._won: list[list[float]] = [[] for _ in self._arms]
        self._hands, self._money, self._chosen = 0, 0.0, self._choose()

    @property
    def stretches(self) -> dict[str, int]:
        """How often each way of playing was chosen and played to the end of its stretch."""
        return {name: len(won) for name, won in zip(ARMS, self._won, strict=True)}

    def meet(self, people: tuple[int, ...]) -> None:
        """Tell all ways of playing who sits where."""
        for arm in self._arms:
            if isinstance(arm, KnowsOpponents):
                arm.meet(people)

    def begin(self, view: View) -> None:
        """Begin a hand, perhaps with another way of playing."""
        if self._hands == STRETCH:
            self._won[self._chosen].append(self._money)
            self._hands, self._money, self._chosen = 0, 0.0, self._choose()
        for arm in self._observers():
            arm.begin(view)

    def observe(self, view: View, event: Event) -> None:
        """Tell all ways of playing what happened, so that none has missed anything."""
        for arm in self._observers():
            arm.observe(view, event)

    def end(self, view: View) -> None:
        """Count the money."""
        for arm in self._observers():
            arm.end(view)
        stacks = view.rules.stacks
        assert stacks is not None
        won = float(payoffs(view.state)[view.seat])
        self._hands += 1
        self._money += won / (sum(stacks) / len(stacks))

    def act(self, view: View) -> Action:
        """Answer as the chosen player does."""
        return self._arms[self._chosen].act(view)

    def _observers(self) -> list[Observer]:
        return [arm for arm in self._arms if isinstance(arm, Observer)]

    def _choose(self) -> int:
        draws = []
        for won in self._won:
            n, mean = len(won), sum(won) / (len(won) + 1)  # the prior counts as one stretch of zero
            draws.append(mean + _PRIOR_SD / math.sqrt(n + 1) * float(self._rng.standard_normal()))
        return int(np.argmax(draws))
