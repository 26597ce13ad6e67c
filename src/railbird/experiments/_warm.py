"""Compile the kernels of this room by calls that do next to nothing."""

from __future__ import annotations

from collections.abc import Callable

from railbird.assessment.decision_divat import LIMIT
from railbird.experiments.any_holdem.tables import PolicyPlayer, play_policies
from railbird.experiments.kan2007.fold_offsets import SEARCHES, sample
from railbird.game import HEADS_UP_LIMIT


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Name and call for each group of kernels."""
    return [("tables of policies", _tables), ("fold offsets", lambda: sample(SEARCHES[0], 2, 0))]


def _tables() -> None:
    players = [PolicyPlayer(name=name, policy=LIMIT) for name in ("one", "two")]
    play_policies(HEADS_UP_LIMIT, players, 1, seed=0)
