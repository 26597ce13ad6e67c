"""Models of a tracker's opponents, identified by number, and by name between sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from railbird.game import Betting, Street
from railbird.modelling.action_frequencies import ActionKind, Frequencies
from railbird.modelling.opponent_memory import Learned, OpponentMemory
from railbird.modelling.opponent_memory.model_records import ModelForm, ModelRecord
from railbird.modelling.threshold_spread import ThresholdSpread

if TYPE_CHECKING:
    from railbird.storage.memory_place import MemoryPlace


class OpponentModel:
    """Everything known about one opponent; ``known`` is what a memory has of it."""

    def __init__(
        self, *, decay: float, known: ModelRecord | None = None, remembers: bool = False
    ) -> None:
        self.habits = Frequencies(decay=decay, counts=None if known is None else known.actions)
        self.spreads = ThresholdSpread(None if known is None else known.shown)
        self.hands = 0
        self._known_evidence = self.spreads.evidence
        # Counted apart, because a memory is given what is new and decay hides how much that is.
        self._new_habits = Frequencies(decay=decay) if remembers else None
        self._tally = [0 for _ in ActionKind]

    def count(self, street: Street, bets: int, action: ActionKind) -> None:
        """Count an action."""
        self.habits.count(street, bets, action)
        if self._new_habits is not None:
            self._new_habits.count(street, bets, action)
            self._tally[action] += 1

    @property
    def learned(self) -> Learned[ModelRecord]:
        """What this session taught."""
        assert self._new_habits is not None
        new = np.subtract(self.spreads.evidence, self._known_evidence)
        return Learned(
            ModelRecord(actions=self._new_habits.counts, shown=new.tolist()),
            hands=self.hands,
            bets=self._tally[ActionKind.RAISE],
            actions=sum(self._tally),
        )


class OpponentModels:
    """Models of everybody met since the last reset, begun from what a memory knows of them."""

    def __init__(self, *, decay: float, memory: MemoryPlace | None = None) -> None:
        self._decay = decay
        self._memory = None if memory is None else OpponentMemory(memory, ModelForm(decay))
        self._names: tuple[str, ...] = ()
        self._met: dict[int, OpponentModel] = {}

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set opponents' names by number."""
        self._names = names

    def begin(self, people: Sequence[int], own: int, betting: Betting) -> None:
        """Begin a hand of these players, one of whom is the observer."""
        if self._memory is None or own >= len(self._names):
            return
        named = [self._names[number] for number in people if number < len(self._names)]
        self._memory.begin(named, observer=self._names[own], game=betting.value, seats=len(people))
        for number in people:
            if number != own:
                self[number].hands += 1

    def __getitem__(self, number: int) -> OpponentModel:
        """Return the model of an opponent, who may be new."""
        person = self._met.get(number)
        if person is None:
            person = self._met[number] = self._recognized(number)
        return person

    def forget(self) -> None:
        """End the session: forget everybody, keeping what goes into the memory."""
        if self._memory is not None:
            self._memory.end(self._learned)
        self._met.clear()

    def commit(self) -> None:
        """End the session, and the part of a game that it is of: what goes into the memory is."""
        if self._memory is not None:
            self._memory.commit(self._learned)
        self._met.clear()

    def rollback(self) -> None:
        """Forget everybody, and what was learned since `commit`."""
        if self._memory is not None:
            self._memory.rollback()
        self._met.clear()

    def close(self) -> None:
        """End the last session, and the memory with it."""
        if self._memory is not None:
            self._memory.close(self._learned)
        self._met.clear()

    @property
    def _learned(self) -> dict[str, Learned[ModelRecord]]:
        return {
            self._names[number]: person.learned
            for number, person in self._met.items()
            if number < len(self._names)
        }

    def _recognized(self, number: int) -> OpponentModel:
        known = None
        if self._memory is not None and number < len(self._names):
            known = self._memory.recall(self._names[number])
        remembers = self._memory is not None
        return OpponentModel(decay=self._decay, known=known, remembers=remembers)
