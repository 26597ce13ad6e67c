"""Models of a tracker's opponents, identified by number, and by name between sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from railbird.modelling.frequencies import Frequencies
from railbird.modelling.saved_opponents import SavedOpponent, read_opponents, write_opponents
from railbird.modelling.threshold_spread import ThresholdSpread

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentModel:
    """Everything known about one opponent."""

    habits: Frequencies
    spreads: ThresholdSpread


class OpponentModels:
    """Models of everybody met since the last reset and of everybody in a file.

    Raises `BadInput` for a file that cannot be read or written, and `DamagedFile` for one in
    another format.
    """

    def __init__(self, *, decay: float, memory: Path | None = None) -> None:
        self._decay = decay
        self._memory = memory
        self._known: Mapping[str, SavedOpponent] = {}
        if memory is not None:
            self._known = read_opponents(memory)
            # Fails now rather than after a night of play if the file cannot be written.
            write_opponents(memory, self._known)
        self._names: tuple[str, ...] = ()
        self._met: dict[int, OpponentModel] = {}

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set opponents' names by number."""
        self._names = names

    def __getitem__(self, number: int) -> OpponentModel:
        """Return the model of an opponent, who may be new."""
        person = self._met.get(number)
        if person is None:
            person = self._met[number] = self._recognized(number)
        return person

    def forget(self) -> None:
        """Forget everybody, keeping what goes into the file."""
        self.save()
        self._met.clear()

    def save(self) -> None:
        """Write the file, if there is one and a named opponent was met."""
        if self._memory is None:
            return
        met = {
            self._names[number]: SavedOpponent(
                actions=person.habits.counts, shown=person.spreads.evidence
            )
            for number, person in self._met.items()
            if number < len(self._names)
        }
        if met:
            self._known = {**self._known, **met}
            write_opponents(self._memory, self._known)

    def _recognized(self, number: int) -> OpponentModel:
        known = self._known.get(self._names[number]) if number < len(self._names) else None
        if known is None:
            return OpponentModel(habits=Frequencies(decay=self._decay), spreads=ThresholdSpread())
        return OpponentModel(
            habits=Frequencies(decay=self._decay, counts=known.actions),
            spreads=ThresholdSpread(known.shown),
        )
