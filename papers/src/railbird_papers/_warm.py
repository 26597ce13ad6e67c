"""Compile the kernels of this package by calls that do next to nothing."""

from __future__ import annotations

from collections.abc import Callable

from railbird.assessment.divat.any_game import LIMIT
from railbird.game import HEADS_UP_LIMIT
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies
from railbird_papers.kan2007.fold_offsets import SEARCHES, sample


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Name and call for each group of kernels."""
    return [("tables of policies", _tables), ("fold offsets", lambda: sample(SEARCHES[0], 2, 0))]


def _tables() -> None:
    players = [PolicyPlayer(name=name, policy=LIMIT) for name in ("one", "two")]
    play_policies(HEADS_UP_LIMIT, players, 1, seed=0)
