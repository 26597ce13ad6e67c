"""What a person may do: prices, sizes of raises, and actions chosen in advance."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from railbird.protocol.messages.client import Verb
from railbird.protocol.messages.game import HandView, Turn
from railbird.serve.table.state import TableState, price_of
from railbird.serve.view.words import amount


@dataclass(frozen=True, slots=True)
class Preset:
    """A size of a raise that a button sets without sending it."""

    label: str
    to: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The buttons of a turn."""

    turn: str
    fold: bool
    is_free: bool
    """Whether checking costs nothing, so that a fold is asked once."""
    call: str
    """Label of the second button, such as ``Call 40``."""
    raises: str
    """Label of the third one, ``Bet`` or ``Raise to``; empty where no raise is allowed."""
    min_to: int = 0
    max_to: int = 0
    big_blind: int = 1
    presets: tuple[Preset, ...] = ()
    price: int = 0


def choices_of(turn: Turn) -> Choices:
    """Return the buttons of a turn."""
    hand, allowed = turn.hand, turn.legal
    assert hand.you is not None
    own = hand.seats[hand.you]
    bet = max(seat.bet for seat in hand.seats)
    big = max(max(hand.blinds), 1)
    call = f"Call {amount(allowed.to_call)}" if allowed.to_call else "Check"
    if allowed.to_call and allowed.to_call >= own.stack:
        call = f"All-in {amount(allowed.to_call)}"
    low, high = allowed.min_to, allowed.max_to
    if low is None or high is None:
        return Choices(
            turn=turn.turn,
            fold=allowed.fold,
            is_free=not allowed.to_call,
            call=call,
            raises="",
            price=allowed.to_call,
        )
    after_call = hand.pot + allowed.to_call
    sizes = (
        ("½ pot", bet + after_call // 2),
        ("¾ pot", bet + 3 * after_call // 4),
        ("Pot", bet + after_call),
        ("All-in" if high >= own.bet + own.stack else "Most", high),
    )
    presets = tuple(
        Preset(label, max(low, min(high, to)), str(place))
        for place, (label, to) in enumerate(sizes, 1)
    )
    return Choices(
        turn=turn.turn,
        fold=allowed.fold,
        is_free=not allowed.to_call,
        call=call,
        raises="Raise to" if bet else "Bet",
        min_to=low,
        max_to=high,
        big_blind=big,
        presets=presets if low < high else (),
        price=allowed.to_call,
    )


class Advance(StrEnum):
    """An action chosen before one's turn."""

    CHECK_FOLD = "check_fold"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Ahead:
    """An action chosen in advance, for one hand, one street and one price; a raise cancels it."""

    what: Advance
    hand: int
    street: str
    price: int


def ahead_of(state: TableState, what: Advance) -> Ahead | None:
    """Return a choice in advance as things stand; None where there is nothing to choose."""
    hand = state.hand
    if not may_choose_ahead(state) or hand is None or hand.you is None:
        return None
    return Ahead(what, hand.hand, hand.street, price_of(hand, hand.you))


def may_choose_ahead(state: TableState) -> bool:
    """Whether the viewer waits for a turn that may come on this street."""
    hand = state.hand
    if hand is None or hand.you is None or state.over is not None or state.turn is not None:
        return False
    own = hand.seats[hand.you]
    able = [seat for seat in hand.seats if not seat.folded and seat.stack > 0]
    is_betting = not any(entry.did in ("show", "muck") for entry in hand.history)
    return own in able and is_betting and (len(able) > 1 or price_of(hand, hand.you) > 0)


def resolved(ahead: Ahead, turn: Turn) -> Verb | None:
    """Return the action for a turn that has come; None where a raise has cancelled it."""
    hand, price = turn.hand, turn.legal.to_call
    if (hand.hand, hand.street) != (ahead.hand, ahead.street) or price > ahead.price:
        return None
    if ahead.what is Advance.CALL:
        return Verb.CALL if price == ahead.price else None
    if not price:
        return Verb.CHECK
    return Verb.FOLD if turn.legal.fold else None


def still_stands(ahead: Ahead | None, hand: HandView | None) -> bool:
    """Whether nothing has cancelled a choice in advance so far."""
    return (
        ahead is not None
        and hand is not None
        and hand.you is not None
        and (hand.hand, hand.street) == (ahead.hand, ahead.street)
        and price_of(hand, hand.you) <= ahead.price
    )
