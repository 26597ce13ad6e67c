"""Actions in messages: the action that an answer means, and the answer and history of an action.

The server, and any program that checks a bot, converts a client's answer to an action here;
programs convert their actions to answers; and programs that follow a hand convert an entry of its
history to an event. Only `railbird.protocol.redaction` makes messages from events.
"""

from __future__ import annotations

from typing import assert_never

from railbird.cards import HOLDEM, TEXT_OF_CARD, Variant, parse_cards, parse_holding
from railbird.errors import IllegalAction
from railbird.game import (
    Act,
    Action,
    Call,
    DealBoard,
    DealStreet,
    Discard,
    Event,
    Fold,
    HandState,
    Muck,
    Raise,
    Show,
    ShowCards,
    legal,
    refusal,
)
from railbird.protocol import messages
from railbird.units import Chips, Seat


def chosen_action(message: messages.ActMessage, state: HandState) -> Action:
    """Return the action of the seat to act.

    A call counts as a check if that is free, and a bet and a raise are the same; but a check never
    costs chips. Raises `IllegalAction`, naming the legal actions, for any other.
    """
    action = _action(message, state)
    if problem := refusal(state, action):
        raise IllegalAction(str(problem))
    return action


def _action(message: messages.ActMessage, state: HandState) -> Action:
    match message.verb:
        case messages.Verb.FOLD:
            return Fold()
        case messages.Verb.CHECK if state.to_call:
            words = f"seat {state.actor} cannot check: {state.to_call} to call"
            words += f" ({state.street_name})"
            raise IllegalAction(words)
        case messages.Verb.CHECK | messages.Verb.CALL:
            return Call()
        case messages.Verb.BET | messages.Verb.RAISE:
            assert message.to is not None  # the message's own model has checked it
            return Raise(Chips(message.to))
        case messages.Verb.ALL_IN:
            return _all_in(state)
        case messages.Verb.DISCARD:
            assert message.cards is not None  # as above
            if len(set(message.cards)) < len(message.cards):
                words = f"seat {state.actor} cannot throw away {' '.join(message.cards)}"
                raise IllegalAction(f"{words}: a card comes twice")
            return Discard(parse_cards(" ".join(message.cards)))


def _all_in(state: HandState) -> Action:
    """Put in all chips, or as many as the rules allow."""
    allowed = legal(state)
    if allowed.draw:
        verb = "throws away" if allowed.must_discard else "exchanges"
        raise IllegalAction(f"seat {state.actor} {verb} cards now, or checks: up to {allowed.draw}")
    most = allowed.max_raise_to
    return Call() if most is None else Raise(most)


def verb_of(action: Action) -> tuple[messages.Verb, Chips | None, list[str] | None]:
    """Return the protocol's verb for an action, the size of a raise and the cards of a discard.

    >>> verb_of(Raise(Chips(60)))
    (<Verb.RAISE: 'raise'>, 60, None)
    """
    match action:
        case Fold():
            return messages.Verb.FOLD, None, None
        case Call():
            return messages.Verb.CALL, None, None
        case Raise(to):
            return messages.Verb.RAISE, to, None
        case Discard(cards):
            known = [TEXT_OF_CARD[card] for card in cards if card is not None]
            return messages.Verb.DISCARD, None, known


def event_of(entry: messages.HistoryEntry, variant: Variant = HOLDEM) -> Event:
    """Return an entry of a hand's history as the event of the rules of a game.

    Nobody's unseen cards are in it, not even one's own.
    """
    if variant is not HOLDEM and (event := _event_of_cards(entry)) is not None:
        return event
    match entry:
        case messages.ActionEntry(seat=seat, verb="fold"):
            return Act(Seat(seat), Fold())
        case messages.DiscardEntry(seat=seat, count=count):
            return Act(Seat(seat), Discard((None,) * count))
        case messages.ActionEntry(seat=seat, to=to):
            return Act(Seat(seat), Call() if to is None else Raise(Chips(to)))
        case messages.BoardEntry(cards=cards):
            return DealBoard(parse_cards(" ".join(cards)))
        case messages.StreetEntry(up=up, down=down, drawn=drawn):
            return DealStreet(
                down=(None,) * len(up) if down or drawn is not None else (),
                up=tuple(parse_cards(" ".join(cards)) for cards in up) if any(up) else (),
            )
        case messages.ShowEntry(seat=seat, cards=cards):
            return Show(Seat(seat), parse_holding("".join(cards)))
        case messages.MuckEntry(seat=seat):
            return Muck(Seat(seat))
        case other:
            assert_never(other)


def _event_of_cards(entry: messages.HistoryEntry) -> DealStreet | ShowCards | None:
    """Return an entry about cards as an event, in games other than hold'em; in hold'em None."""
    match entry:
        case messages.BoardEntry(cards=cards, second_board=second_board):
            boards = (cards,) if second_board is None else (cards, second_board)
            return DealStreet(boards=tuple(parse_cards(" ".join(board)) for board in boards))
        case messages.ShowEntry(seat=seat, cards=cards):
            return ShowCards(Seat(seat), parse_cards(" ".join(cards)))
        case _:
            return None
