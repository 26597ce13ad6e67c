"""The responder's play before the flop, from the values of flops: hand by hand.

Values are linear in those of the flops as long as the play is fixed, so that play chosen on some
flops can be judged on others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.solve.limit.betting_tree import BettingRound

Values = npt.NDArray[np.float64]

Shares = npt.NDArray[np.float64]
"""(slots, hands) how often the responder takes each action; of no matter for the opponent's."""


@dataclass(frozen=True, slots=True, eq=False)
class BeforeFlop:
    """What happens before the flop to a responder. Hands are those that no suits tell apart."""

    part: BettingRound
    player: int
    """The responder's seat."""
    holdings: Values
    """(hands,) holdings of each hand."""
    met: Values
    """(folds, hands) the mean over a hand's holdings of the opponent's reach of a fold."""
    games: float
    """Pairs of holdings, times the chips in a small bet."""
    own: Shares | None
    """The responder's play, if it is a strategy of its own."""

    def response(self, after: Values) -> Shares:
        """Return the best play if the flop is worth ``after``, or its own strategy's.

        ``after`` (hands, sequences) are the mean values of what the opponent's holdings leave of
        the flops, in chips times the opponent's reach.
        """
        if self.own is not None:
            return self.own
        shares = np.zeros((self.part.slots, len(self.holdings)))
        self._values(after, shares, chooses=True)
        return shares

    def value(self, after: Values, shares: Shares) -> float:
        """Return the small bets a game that some play wins."""
        total = self._values(after, shares, chooses=False) @ self.holdings
        return float(total) / self.games

    def _values(self, after: Values, shares: Shares, *, chooses: bool) -> Values:
        """Return the values of the first decision; fill in the shares of the best play."""
        part = self.part
        values = np.zeros((part.nodes, len(self.holdings)))
        for node in range(part.nodes - 1, -1, -1):
            slots = range(part.first_slot[node], part.first_slot[node + 1])
            found = np.array([self._action(slot, after, values) for slot in slots])
            if part.player[node] != self.player:
                values[node] = found.sum(axis=0)
                continue
            here = shares[slots.start : slots.stop]
            if chooses:
                np.put_along_axis(here, found.argmax(axis=0)[np.newaxis], 1.0, axis=0)
            values[node] = (here * found).sum(axis=0)
        first: Values = values[0]
        return first

    def _action(self, slot: int, after: Values, values: Values) -> Values:
        part = self.part
        if part.child[slot] >= 0:
            later: Values = values[part.child[slot]]
            return later
        if slot in part.fold_slot:
            fold = int(np.searchsorted(part.fold_slot, slot))
            lost = float(part.before[0] + part.fold_paid[fold])
            sign = -1 if part.player[part.node[slot]] == self.player else 1
            folded: Values = sign * lost * self.met[fold]
            return folded
        ended: Values = after[:, np.searchsorted(part.end_slot, slot)]
        return ended
