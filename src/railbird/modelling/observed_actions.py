"""Actions as everybody at the table sees them, and what they cost."""

from __future__ import annotations

from typing import NamedTuple

from railbird.game import Act, Action, Call, Fold, HandState, Raise, Street
from railbird.modelling.frequencies import ActionKind

_KINDS: dict[type[Action], ActionKind] = {
    Fold: ActionKind.FOLD,
    Call: ActionKind.CALL,
    Raise: ActionKind.RAISE,
}


class ObservedAction(NamedTuple):
    """An action in its context, for all who saw it.

    Everything else is worked out when it is asked for: of most actions nobody asks.
    """

    before: HandState
    """What a spectator saw before it."""
    act: Act

    @property
    def context(self) -> tuple[Street, int]:
        """The street on which it was done, and the bets to call before it; half a blind is one."""
        before = self.before
        street = before.street
        return street, -(-before.to_call // before.rules.bet_sizes[street])

    @property
    def kind(self) -> ActionKind:
        """What was done."""
        return _KINDS[type(self.act.action)]


def pot_odds(action: ObservedAction) -> float:
    """Share of the pot that an action paid; 1 where nothing is drawn to.

    That is on the river, and before the flop, where hands are ranked otherwise.
    """
    state = action.before
    street = state.street
    if street is Street.RIVER or street is Street.PREFLOP:
        return 1.0
    size = state.rules.bet_sizes[street]
    paid = state.to_call + (size if action.kind is ActionKind.RAISE else 0)
    return round(paid / (state.pot + paid), 2)
