"""Counts by which an opponent's deception and adaptation show (Booker 2004, section 3.3)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from railbird.game import Street
from railbird.modelling.opponent_statistics.public_hand import (
    ObservedHand,
    PlayedAction,
    SeenAction,
)
from railbird.modelling.settings import AGGRESSIVE_TABLE, TABLE_HANDS

_CHECK_RAISES = 0
_QUIET = 2
_AGGRESSIVE = 4
COUNTS = 6
"""Numbers in a record."""


class Share(NamedTuple):
    """How often something was done out of the times that it could be."""

    done: int
    n: int


class Cues:
    """Check-raises, and hands played at quiet and at aggressive tables."""

    def __init__(self, counts: Sequence[int] = (0,) * COUNTS) -> None:
        self.counts = list(counts)
        self._table: deque[tuple[int, int]] = deque()
        """Of the latest hands, bets and actions of the others."""
        self._bets = self._others = 0
        """The sums of the same."""

    def learn(self, hand: ObservedHand, actions: Sequence[SeenAction]) -> None:
        """Learn from a hand and one seat's actions in it."""
        after_flop = [seen for seen in actions if seen.street is not Street.PREFLOP]
        if len(after_flop) > 1:
            for street in (Street.FLOP, Street.TURN, Street.RIVER):
                self._learn_check_raise([seen for seen in after_flop if seen.street is street])
        self._learn_table(hand, actions)

    @property
    def check_raises(self) -> Share:
        """Raises out of answers to a bet behind its own check, from the flop on."""
        return self._share(_CHECK_RAISES)

    @property
    def played_when_quiet(self) -> Share:
        """Hands called or raised before the flop, where the others had bet little of late."""
        return self._share(_QUIET)

    @property
    def played_when_aggressive(self) -> Share:
        """The same where the others had bet a lot."""
        return self._share(_AGGRESSIVE)

    def followed_by(self, later: Cues) -> Cues:
        """Return the counts of both."""
        return Cues([a + b for a, b in zip(self.counts, later.counts, strict=True)])

    def since(self, earlier: Cues) -> Cues:
        """Return what came after a former state."""
        return Cues([a - b for a, b in zip(self.counts, earlier.counts, strict=True)])

    def _share(self, first: int) -> Share:
        n, done = self.counts[first : first + 2]
        return Share(done, n)

    def _count(self, first: int, *, done: bool) -> None:
        self.counts[first] += 1
        self.counts[first + 1] += done

    def _learn_check_raise(self, actions: Sequence[SeenAction]) -> None:
        if len(actions) < 2:
            return
        first, answer = actions[:2]
        if first.action is PlayedAction.CHECK:
            self._count(_CHECK_RAISES, done=answer.action is PlayedAction.RAISE)

    def _learn_table(self, hand: ObservedHand, actions: Sequence[SeenAction]) -> None:
        before_flop = [seen.action for seen in actions if seen.street is Street.PREFLOP]
        if before_flop and len(self._table) == TABLE_HANDS:
            played = any(a in (PlayedAction.CALL, PlayedAction.RAISE) for a in before_flop)
            is_aggressive = self._bets > AGGRESSIVE_TABLE * self._others
            self._count(_AGGRESSIVE if is_aggressive else _QUIET, done=played)
        bets = _bets_in(hand.actions) - _bets_in(actions)
        others = len(hand.actions) - len(actions)
        self._table.append((bets, others))
        self._bets += bets
        self._others += others
        if len(self._table) > TABLE_HANDS:
            bets, others = self._table.popleft()
            self._bets -= bets
            self._others -= others


def _bets_in(actions: Sequence[SeenAction]) -> int:
    return [seen.action for seen in actions].count(PlayedAction.RAISE)
