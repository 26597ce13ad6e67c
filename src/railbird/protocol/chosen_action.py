"""The action that a client's answer to a turn stands for."""

from __future__ import annotations

from railbird.errors import IllegalAction
from railbird.game import Action, Call, Fold, HandState, Raise, legal, refusal
from railbird.protocol.messages.client import ActMessage, Verb
from railbird.units import Chips


def chosen_action(message: ActMessage, state: HandState) -> Action:
    """Return the action of the seat to act.

    A call is a check where that is free, and a bet and a raise are the same; but a check never
    costs chips. Raises `IllegalAction`, with what is allowed, for what the rules refuse.
    """
    action = _action(message, state)
    if problem := refusal(state, action):
        raise IllegalAction(str(problem))
    return action


def _action(message: ActMessage, state: HandState) -> Action:
    match message.verb:
        case Verb.FOLD:
            return Fold()
        case Verb.CHECK if state.to_call:
            raise IllegalAction(f"cannot check: {state.to_call} to call")
        case Verb.CHECK | Verb.CALL:
            return Call()
        case Verb.BET | Verb.RAISE:
            assert message.to is not None  # the message's own model has checked it
            return Raise(Chips(message.to))
        case Verb.ALL_IN:
            return _all_in(state)


def _all_in(state: HandState) -> Action:
    """Put in all chips, or as many as the rules allow."""
    most = legal(state).max_raise_to
    return Call() if most is None else Raise(most)
