"""The option that gives a player a memory of its opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railbird.players.spec import Option

if TYPE_CHECKING:
    from railbird.storage.memory_place import MemoryPlace


class MemoryOption(Option):
    """An option whose value is a `railbird.storage.memory_place.MemoryPlace`, or None."""


def memory_option(former: str = "") -> MemoryOption:
    """Return the option ``database=``, which a player may have had under an earlier name."""
    return MemoryOption(
        key="database",
        former=former,
        read=_place,
        default=None,
        allowed="default, a file, sqlite:///FILE or postgresql://USER@HOST/NAME",
        summary="database in which opponents are remembered between sessions",
    )


def _place(text: str) -> MemoryPlace:
    from railbird.storage.memory_place import memory_place  # what nobody asked for is not loaded

    return memory_place(text)
