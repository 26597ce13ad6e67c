"""A hand as one viewer sees it: made by the server from the hand, by a client from messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, assert_never

from railbird.cards import TEXT_OF_CARD, Card, Holding, cards_of
from railbird.errors import BadInput
from railbird.game import (
    Act,
    DealBoard,
    DealHoles,
    Event,
    HandState,
    Muck,
    Raise,
    Show,
    Street,
    pots,
    public,
    view,
)
from railbird.game.notation import name_of
from railbird.protocol.encoding import AnyServer
from railbird.protocol.messages.game import (
    Acted,
    ActionEntry,
    BoardDealt,
    BoardEntry,
    HandBegins,
    HandOver,
    HandView,
    HandVoid,
    HistoryEntry,
    Mucked,
    MuckEntry,
    PotView,
    PresenceChanged,
    SeatView,
    ShowEntry,
    Shown,
    Snapshot,
    Turn,
)
from railbird.protocol.redaction.events import HandMoment, Viewer
from railbird.units import Seat

STREET_NAMES: tuple[Literal["preflop", "flop", "turn", "river"], ...] = (
    "preflop",
    "flop",
    "turn",
    "river",
)


def seat_of(moment: HandMoment, viewer: Viewer) -> Seat | None:
    """Return a viewer's seat in a hand; None for a spectator and for who is not dealt in."""
    if viewer is not None:
        for seat, holder in enumerate(moment.holders):
            if holder.name == viewer:
                return Seat(seat)
    return None


def seen(moment: HandMoment, viewer: Viewer) -> HandState:
    """Return the hand without what the viewer has not seen."""
    seat = seat_of(moment, viewer)
    return public(moment.state) if seat is None else view(moment.state, seat).state


def hand_view(moment: HandMoment, viewer: Viewer) -> HandView:
    """Return a hand as a viewer sees it."""
    state = seen(moment, viewer)
    rules, stacks = state.rules, state.stacks
    assert stacks is not None  # tables have stacks
    alive, mucked = set(state.in_hand), set(state.mucked)
    street_bets, spent, holdings = state.street_bets, state.spent, state.holdings
    seats = []
    for seat, holder in enumerate(moment.holders):
        holding = holdings[seat]
        seats.append(
            SeatView(
                name=holder.name,
                kind=holder.kind,
                chair=holder.chair,
                presence=holder.presence,
                stack=stacks[seat],
                bet=street_bets[seat],
                spent=spent[seat],
                folded=seat not in alive,
                mucked=seat in mucked,
                cards=None if holding is None else texts(cards_of(holding)),
            )
        )
    return HandView(
        hand=moment.hand,
        blinds=list(rules.blinds),
        antes=list(rules.antes or (0,) * rules.seats),
        button=rules.seats - 1,
        you=seat_of(moment, viewer),
        street=STREET_NAMES[state.street],
        board=texts(state.board),
        pot=state.pot,
        seats=seats,
        history=list(moment.history),
    )


def entry_of(event: Event, before: HandState, after: HandState) -> HistoryEntry | None:
    """Return a public event as the history has it; None for the deal of the hole cards."""
    match event:
        case Act(seat, action):
            name = name_of(action, to_call=before.to_call, bet=before.bet)
            return ActionEntry(
                seat=seat,
                verb=name.word,  # type: ignore[arg-type]
                to=after.street_bets[seat] if isinstance(action, Raise) else None,
                paid=after.spent[seat] - before.spent[seat],
            )
        case DealBoard(cards):
            return BoardEntry(cards=texts(cards))
        case Show(seat, holding):
            return ShowEntry(seat=seat, cards=holding_texts(holding))
        case Muck(seat):
            return MuckEntry(seat=seat)
        case DealHoles():
            return None
        case other:
            assert_never(other)


def pot_views(state: HandState) -> list[PotView]:
    """Return the pots as everybody sees them."""
    return [PotView(amount=pot.amount, seats=list(pot.seats)) for pot in pots(state)]


def texts(cards: Iterable[Card]) -> list[str]:
    """Return cards as text."""
    return [TEXT_OF_CARD[card] for card in cards]


def holding_texts(holding: Holding) -> list[str]:
    """Return a holding's two cards as text."""
    return texts(cards_of(holding))


def following(hand: HandView | None, message: AnyServer) -> HandView | None:
    """Return a client's view of the hand after one more message; None between hands.

    The fold of what a viewer was sent since the hand began, or since any snapshot, equals the view
    that the server would send now.

    Raises `BadInput` for a message that does not continue the hand.
    """
    match message:
        case HandBegins() | Turn() | Snapshot():
            return message.hand
        case HandOver() | HandVoid():
            return None
        case PresenceChanged(name=name, presence=presence) if hand is not None:
            seats = [
                seat.model_copy(update={"presence": presence}) if seat.name == name else seat
                for seat in hand.seats
            ]
            return hand.model_copy(update={"seats": seats})
        case Acted() | BoardDealt() | Shown() | Mucked():
            if hand is None or hand.hand != message.hand:
                number = None if hand is None else hand.hand
                raise BadInput(f"news of hand {message.hand} in hand {number}")
            return _after_step(hand, message)
        case _:
            return hand


def _after_step(hand: HandView, message: Acted | BoardDealt | Shown | Mucked) -> HandView:
    changes: dict[str, Any] = {"history": [*hand.history, message.entry]}
    match message:
        case BoardDealt(entry=entry, street=street):
            changes["board"] = [*hand.board, *entry.cards]
            changes["street"] = street
            changes["seats"] = [seat.model_copy(update={"bet": 0}) for seat in hand.seats]
        case Acted(entry=entry):
            now = hand.seats[entry.seat]
            changes["pot"] = message.pot
            changes["seats"] = _changed(
                hand,
                entry.seat,
                stack=message.stack,
                bet=now.bet + entry.paid,
                spent=now.spent + entry.paid,
                folded=entry.verb == "fold",
            )
        case Shown(entry=entry):
            changes["seats"] = _changed(hand, entry.seat, cards=entry.cards)
        case Mucked(entry=entry):
            changes["seats"] = _changed(hand, entry.seat, mucked=True)
    return hand.model_copy(update=changes)


def _changed(hand: HandView, seat: int, **changes: object) -> list[SeatView]:
    seats = list(hand.seats)
    seats[seat] = seats[seat].model_copy(update=changes)
    return seats


def street_name(street: Street) -> Literal["flop", "turn", "river"]:
    """Return the name of a street on which cards are dealt to the board."""
    name = STREET_NAMES[street]
    if name == "preflop":
        raise BadInput("no card is dealt to the board before the flop")
    return name
