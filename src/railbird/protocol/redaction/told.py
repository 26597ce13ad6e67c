"""Redaction: the only way from what happens at a table to a message.

The full state of a hand never reaches an encoder. Every part of a message is read from the hand as
the viewer sees it (`railbird.game.view`), never from the hand itself.
"""

from __future__ import annotations

from typing import assert_never

from railbird.errors import BadInput
from railbird.game import Act, DealBoard, DealHoles, Muck, Show, legal
from railbird.protocol.messages.game import (
    Acted,
    ActionEntry,
    BoardDealt,
    BoardEntry,
    CardsRevealed,
    Explained,
    GameMessage,
    HandBegins,
    HandOver,
    HandVoid,
    LegalActions,
    Mucked,
    MuckEntry,
    ShowEntry,
    Shown,
    Snapshot,
    ToAct,
    Turn,
)
from railbird.protocol.redaction.events import (
    HandAnnulled,
    HandEnd,
    HandMoment,
    HandStart,
    HandStep,
    KnockOut,
    Private,
    Public,
    Reasons,
    Reveal,
    TableEvent,
    TableMoment,
    TournamentEnd,
    TurnClock,
    TurnStart,
    Viewer,
)
from railbird.protocol.redaction.hand_view import (
    entry_of,
    hand_view,
    holding_texts,
    pot_views,
    seat_of,
    seen,
    street_name,
)


def told(event: TableEvent, viewer: Viewer) -> GameMessage | None:
    """Return what a viewer is told of an event; None if nothing.

    ``viewer`` is the name of a player, or None for a spectator.
    """
    match event:
        case HandStart(moment):
            return HandBegins(table=moment.table, hand=hand_view(moment, viewer))
        case HandStep():
            return _step(event)
        case TurnStart(moment, clock):
            return _turn(moment, clock, viewer) or _to_act(moment, clock)
        case HandEnd():
            return _end(event)
        case TableMoment():
            return _snapshot(event, viewer)
        case Reveal() | Reasons() | HandAnnulled():
            return _after_hand(event)
        case _:
            return _of_players(event, viewer)


def told_apart(event: TableEvent) -> tuple[str, ...]:
    """Return the viewers who may be told something else than a spectator is.

    Everybody else's message is the spectators', so it is made and encoded once for all of them.
    """
    match event:
        case HandStart(moment):
            return tuple(holder.name for holder in moment.holders)
        case TurnStart(moment):
            seat = moment.state.actor
            return () if seat is None else (moment.holders[seat].name,)
        case TableMoment(hand=hand):
            return () if hand is None else tuple(holder.name for holder in hand.holders)
        case Private(name):
            return (name,)
        case KnockOut(message):
            return (message.name,)
        case TournamentEnd(reports=reports):
            return tuple(reports)
        case HandStep() | HandEnd() | Reveal() | Reasons() | HandAnnulled() | Public():
            return ()
        case other:
            assert_never(other)


def _step(event: HandStep) -> GameMessage | None:
    moment, before = event.moment, event.before
    table, hand = moment.table, moment.hand
    # Everything that these messages contain is in the spectators' view.
    state = seen(moment, None)
    match event.event, entry_of(event.event, before, state):
        case Act(seat), ActionEntry() as entry:
            stacks = state.stacks
            assert stacks is not None
            return Acted(
                table=table,
                hand=hand,
                entry=entry,
                stack=stacks[seat],
                pot=state.pot,
                by=event.by,
            )
        case DealBoard(), BoardEntry() as entry:
            street = street_name(state.street)
            return BoardDealt(
                table=table, hand=hand, entry=entry, street=street, pots=pot_views(state)
            )
        case Show(), ShowEntry() as entry:
            return Shown(table=table, hand=hand, entry=entry)
        case Muck(), MuckEntry() as entry:
            return Mucked(table=table, hand=hand, entry=entry)
        case DealHoles(), _:
            return None  # `HandStart` tells each viewer of the own cards
        case other:
            raise AssertionError(other)


def _turn(moment: HandMoment, clock: TurnClock, viewer: Viewer) -> Turn | None:
    """Return the turn for the seat to act; None for any other viewer."""
    state = moment.state
    if state.actor is None:
        raise BadInput("nobody is to act")
    if seat_of(moment, viewer) != state.actor:
        return None
    allowed = legal(state)
    return Turn(
        table=moment.table,
        turn=clock.turn,
        hand=hand_view(moment, viewer),
        pots=pot_views(state),
        legal=LegalActions(
            fold=allowed.fold,
            to_call=allowed.to_call,
            min_to=allowed.min_raise_to,
            max_to=allowed.max_raise_to,
        ),
        ms=clock.ms,
        bank_ms=clock.bank_ms,
    )


def _to_act(moment: HandMoment, clock: TurnClock) -> ToAct:
    seat = moment.state.actor
    if seat is None:
        raise BadInput("nobody is to act")
    return ToAct(
        table=moment.table, hand=moment.hand, seat=seat, ms=clock.ms, bank_ms=clock.bank_ms
    )


def _end(event: HandEnd) -> HandOver:
    moment = event.moment
    state = seen(moment, None)
    before = state.rules.stacks
    assert before is not None
    won = [after - had for after, had in zip(event.stacks, before, strict=True)]
    return HandOver(
        table=moment.table,
        hand=moment.hand,
        pots=pot_views(state),
        won=won,
        stacks=list(event.stacks),
        rake=state.raked,
    )


def _after_hand(event: Reveal | Reasons | HandAnnulled) -> GameMessage:
    match event:
        case Reveal(table, hand, holdings):
            cards = [holding_texts(holding) for holding in holdings]
            return CardsRevealed(table=table, hand=hand, cards=cards)
        case Reasons(table, hand, seat, action, text):
            return Explained(table=table, hand=hand, seat=seat, action=action, text=text)
        case HandAnnulled(table, hand, text):
            return HandVoid(table=table, hand=hand, text=text)
        case other:
            assert_never(other)


def _of_players(
    event: Public | Private | KnockOut | TournamentEnd, viewer: Viewer
) -> GameMessage | None:
    match event:
        case Public(message):
            return message
        case Private(name, private):
            return private if viewer is not None and name == viewer else None
        case KnockOut(knocked_out, report):
            own = report if viewer is not None and viewer == knocked_out.name else None
            return knocked_out.model_copy(update={"you": own})
        case TournamentEnd(result, reports):
            own = None if viewer is None else reports.get(viewer)
            return result.model_copy(update={"you": own})
        case other:
            assert_never(other)


def _snapshot(event: TableMoment, viewer: Viewer) -> Snapshot:
    hand, clock = event.hand, event.clock
    turn, to_act = None, None
    if hand is not None and clock is not None:
        turn = _turn(hand, clock, viewer)
        to_act = None if turn is not None else _to_act(hand, clock)
    return Snapshot(
        table=event.info,
        commitment=event.commitment,
        hand=None if hand is None else hand_view(hand, viewer),
        turn=turn,
        to_act=to_act,
    )
