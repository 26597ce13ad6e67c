"""What Vexbot has seen of its opponent: counts of actions and of hands shown, by context.

An action counts on every level of its decision context, and a hand in a showdown, by its rank on
the river, on every level of its showdown context. A hand that was folded counts in no showdown: it
is unknown, not weak. One that was mucked in a showdown was beaten, and counts in parts for what it
may have been: if only hands that are shown counted, opponents would seem to win with everything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from railbird.players.vexbot._kernels_vexbot import estimate_rows
from railbird.players.vexbot.contexts import Contexts, Rows
from railbird.players.vexbot.prior import Prior
from railbird.players.vexbot.settings import (
    DETAILED_STRENGTH,
    RANK_CELLS,
    SEARCH_STRENGTH,
    STRENGTHS,
)

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_KINDS = 3
_STRENGTHS = np.array(STRENGTHS)
_LEAST = 1e-6


@dataclass(slots=True, eq=False)
class OpponentModel:
    """Counts of one opponent; starts with none."""

    contexts: Contexts
    prior: Prior
    detail: Prior
    kept: float = 0.0
    """What each observation at one level leaves to the coarser ones; 0 finds out how much."""
    detailed: bool = False
    """Whether ``detail`` is the prior, of all levels, or ``prior``, of the coarsest alone; see
    `choose_detail`."""
    observations: int = field(default=0, init=False)
    """Actions and hands that were shown."""
    actions: Counts = field(init=False)
    """(groups of all levels, 3)."""
    ranks: Floats = field(init=False)
    """(groups of all levels, `RANK_CELLS`)."""
    _expected: Floats | None = field(default=None, init=False)
    _foretold: tuple[Floats, Floats] | None = field(default=None, init=False)
    """What is expected of actions without and with the prior's detail, when last compared."""
    _scores: list[float] = field(default_factory=lambda: [0.0, 0.0], init=False)
    """Logarithms of what each of them gave to all that was seen since."""

    def __post_init__(self) -> None:
        decisions, showdowns = self.contexts.decision_rows, self.contexts.showdown_rows
        self.actions = np.zeros((len(decisions.parent), _KINDS), dtype=np.int64)
        self.ranks = np.zeros((len(showdowns.parent), RANK_CELLS))

    def saw_action(self, decision: int, kind: int) -> None:
        """Count an action in a decision context."""
        if self._foretold is not None:
            for way, expected in enumerate(self._foretold):
                self._scores[way] += math.log(max(expected[decision, kind], _LEAST))
        self.actions[self.contexts.decisions[:, decision], kind] += 1
        self.observations += 1

    def saw_rank(self, showdown: int, cell: int) -> None:
        """Count a hand that was shown in a showdown context."""
        self.ranks[self.contexts.showdowns[:, showdown], cell] += 1
        self.observations += 1

    def saw_beaten(self, showdown: int, cell: int) -> None:
        """Count a hand that was mucked because one in this cell beat it.

        Its part in each cell is the one that `rank_chances` gave it when it was last asked.
        """
        if self._expected is None:
            self._expected = self.rank_chances()
        parts = self._expected[showdown, : cell + 1].copy()
        parts[cell] /= 2  # half of those in the same cell are worse
        if (total := parts.sum()) > 0:
            self.ranks[self.contexts.showdowns[:, showdown], : cell + 1] += parts / total
            self.observations += 1

    def choose_detail(self) -> None:
        """Begin with the detailed prior if by it actions have been foretold better.

        It tells much of a player who is like an equilibrium, and misleads about one who is not.
        """
        self.detailed = self._scores[1] >= self._scores[0]
        self._foretold = self._actions(None), self._actions(DETAILED_STRENGTH)

    def foretold(self) -> Floats:
        """Return (decisions, 3) how often the opponent does what, as it is foretold best."""
        return self._actions(DETAILED_STRENGTH if self.detailed else None)

    def action_chances(self) -> Floats:
        """Return (decisions, 3) what the opponent is expected to do, as far as it is to be used."""
        return self._actions(SEARCH_STRENGTH if self.detailed else None)

    def rank_chances(self) -> Floats:
        """Return (2 * showdowns, `RANK_CELLS`) what the opponent is expected to show."""
        rows = self.contexts.showdown_rows
        strength, prior = (SEARCH_STRENGTH, self.detail) if self.detailed else (None, self.prior)
        self._expected = self._estimates(self.ranks, rows, prior.ranks, strength)
        return self._expected

    def _actions(self, strength: float | None) -> Floats:
        """Return (decisions, 3) what is expected, of a detailed prior by ``strength``."""
        prior = self.prior if strength is None else self.detail
        return self._estimates(self.actions, self.contexts.decision_rows, prior.actions, strength)

    def _estimates(
        self, counts: Counts | Floats, rows: Rows, prior: Floats, strength: float | None
    ) -> Floats:
        """Return the estimates of the finest level, whose rows are the contexts.

        With a detailed prior a coarser group counts for ``strength`` observations.
        """
        found = np.empty(counts.shape)
        detailed = strength is not None
        strengths = _STRENGTHS if strength is None else np.array([strength])
        estimate_rows(counts, rows.parent, rows.start, prior, detailed, self.kept, strengths, found)
        return found[: rows.start[1]]

    def seen(self, decision: int) -> list[int]:
        """Return how often the opponent acted in a decision context, by level."""
        seen: list[int] = self.actions[self.contexts.decisions[:, decision]].sum(axis=1).tolist()
        return seen
