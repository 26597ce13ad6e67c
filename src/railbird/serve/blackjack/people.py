"""Visitors at the table, in memory: their rounds are worth no database."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass, field

import numpy as np

from railbird.blackjack.play.training import TrainingRound, Verdict
from railbird.serve.blackjack.settings import MOST_PEOPLE, SHOWN, BlackjackSettings


@dataclass(slots=True)
class Person:
    """What the table knows of a visitor."""

    round: TrainingRound | None = None
    number: int = 0
    """Rounds dealt."""
    step: int = 0
    """Choices taken in all, by which a form that comes twice is known."""
    won: float = 0.0
    cost: float = 0.0
    decisions: int = 0
    mistakes: int = 0
    latest: deque[Verdict] = field(default_factory=lambda: deque(maxlen=SHOWN))
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def deal(self, settings: BlackjackSettings, rng: np.random.Generator) -> None:
        """Deal a new round."""
        self.number += 1
        self.step += 1
        self.round = TrainingRound(settings.rules, rng)
        self._settle()

    def choose(self, choice: str) -> None:
        """Take a choice; raises `IllegalAction`."""
        assert self.round is not None
        verdict = self.round.choose(choice)
        self.step += 1
        self.decisions += 1
        self.mistakes += verdict.cost > 0
        self.cost += verdict.cost
        self.latest.appendleft(verdict)
        self._settle()

    def _settle(self) -> None:
        if self.round is not None and self.round.over:
            self.won += self.round.round.won()


class People:
    """Everybody at the table, by the token in their cookie."""

    def __init__(self, settings: BlackjackSettings) -> None:
        self.settings = settings
        self.rng = np.random.default_rng(settings.seed)
        self._people: OrderedDict[str, Person] = OrderedDict()

    def of(self, token: str | None) -> Person:
        """Return a visitor; one who is not known is new and not remembered."""
        if token is None or token not in self._people:
            return Person()
        self._people.move_to_end(token)
        return self._people[token]

    def remember(self, token: str) -> Person:
        """Return a visitor, and keep what happens to them."""
        self._people.setdefault(token, Person())
        self._people.move_to_end(token)
        if len(self._people) > MOST_PEOPLE:
            self._people.popitem(last=False)
        return self._people[token]
