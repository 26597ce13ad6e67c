"""Public actions and their cost."""

from __future__ import annotations

from typing import NamedTuple

from railbird.game import Act, Action, Call, Fold, HandState, Raise, Street
from railbird.modelling.action_frequencies import ActionKind

_KINDS: dict[type[Action], ActionKind] = {
    Fold: ActionKind.FOLD,
    Call: ActionKind.CALL,
    Raise: ActionKind.RAISE,
}


class ObservedAction(NamedTuple):
    """An action in its context, shared by all observers.

    Properties are computed on demand, since most actions are never looked at.
    """

    before: HandState
    """A spectator's state before it."""
    act: Act

    @property
    def context(self) -> tuple[Street, int]:
        """Return the street, and the bets to call before the action; half a blind counts as one."""
        before = self.before
        street = before.street
        return street, -(-before.to_call // before.rules.bet_sizes[street])

    @property
    def kind(self) -> ActionKind:
        """Return the kind of action."""
        return _KINDS[type(self.act.action)]


def pot_odds(action: ObservedAction) -> float:
    """Return the share of the pot that an action paid; 1 if potential does not matter.

    That is on the river, and before the flop, where hands are ranked by income rate.
    """
    state = action.before
    street = state.street
    if street is Street.RIVER or street is Street.PREFLOP:
        return 1.0
    size = state.rules.bet_sizes[street]
    paid = state.to_call + (size if action.kind is ActionKind.RAISE else 0)
    return paid / (state.pot + paid)
