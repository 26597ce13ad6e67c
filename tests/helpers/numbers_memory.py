"""A memory that remembers numbers, so that what is tested is the memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from railbird.errors import DamagedFile
from railbird.modelling.opponent_memory import Learned, OpponentMemory
from railbird.storage.opponents import memory_place


class Numbers:
    """A form whose records are the last three numbers, in order."""

    kind = "numbers"
    version = 2

    def read(self, record: Mapping[str, Any]) -> list[int]:
        if not isinstance(record.get("numbers"), list):
            raise DamagedFile("no numbers")
        return list(record["numbers"])

    def written(self, learned: list[int]) -> dict[str, Any]:
        return {"numbers": learned}

    def after(self, earlier: list[int], later: list[int]) -> list[int]:
        return [*earlier, *later][-3:]

    def former(self, file: Path) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = json.loads(file.read_text())
        return found


def memory(place: str, **options: Any) -> OpponentMemory[list[int]]:
    return OpponentMemory(memory_place(place), Numbers(), **options)


def begin(
    of: OpponentMemory[list[int]], *names: str, seats: int = 2, game: str = "no-limit"
) -> None:
    of.begin(["me", *names], observer="me", game=game, seats=seats)


def taught(*numbers: int, hands: int = 1) -> Learned[list[int]]:
    return Learned(list(numbers), hands=hands, bets=1, actions=2)
