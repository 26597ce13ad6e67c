"""Bodies of messages, composed of parts that are encoded once for a hand.

`body` returns the bytes of the message that `railbird.protocol.redaction.told.told` returns, and
tests compare the two. A table sends a turn after every action, and a turn repeats the whole hand:
as models, most of its time went into building and encoding what had been sent before. As there,
everything is read from the hand as the viewer sees it.
"""

from __future__ import annotations

from railbird.cards import TEXT_OF_CARD, Card, cards_of
from railbird.game import Act, DealBoard, HandState, legal
from railbird.protocol.encoding import body_of
from railbird.protocol.redaction.events import (
    HandMoment,
    HandStart,
    HandStep,
    TableEvent,
    TurnClock,
    TurnStart,
    Viewer,
)
from railbird.protocol.redaction.hand_parts import json
from railbird.protocol.redaction.hand_view import STREET_NAMES, seat_of, seen
from railbird.protocol.redaction.told import told
from railbird.units import Seat


def body(event: TableEvent, viewer: Viewer) -> bytes | None:
    """Return the body of the message that tells a viewer of an event; None if nothing is told."""
    match event:
        case TurnStart(moment, clock) if (actor := moment.state.actor) is not None:
            mine = viewer == moment.holders[actor].name
            text = _turn(moment, clock, viewer) if mine else _to_act(moment, clock, actor)
        case HandStart(moment):
            table, hand = json(moment.table), _hand(moment, seen(moment, viewer), viewer)
            text = f'{{"type":"hand","table":{table},"hand":{hand}}}'
        case HandStep(event=Act(seat)):
            text = _acted(event, seat)
        case HandStep(event=DealBoard()):
            text = _board(event)
        case _:
            message = told(event, viewer)
            return None if message is None else body_of(message)
    return text.encode()


def _hand(moment: HandMoment, state: HandState, viewer: Viewer) -> str:
    rules, parts, stacks = state.rules, moment.parts, state.stacks
    assert stacks is not None  # tables have stacks
    you = seat_of(moment, viewer)
    alive, mucked, heads = set(state.in_hand), set(state.mucked), parts.seats(moment.holders)
    chips = zip(heads, stacks, state.street_bets, state.spent, state.holdings, strict=True)
    seats = []
    for seat, (head, stack, bet, spent, holding) in enumerate(chips):
        folded = "false" if seat in alive else "true"
        thrown = "true" if seat in mucked else "false"
        cards = "" if holding is None else f',"cards":{_cards(cards_of(holding))}'
        seats.append(
            f'{head},"stack":{stack},"bet":{bet},"spent":{spent}'
            f',"folded":{folded},"mucked":{thrown}{cards}}}'
        )
    antes = rules.antes or (0,) * rules.seats
    own = "" if you is None else f',"you":{you}'
    return (
        f'{{"hand":{moment.hand},"blinds":{_numbers(rules.blinds)},"antes":{_numbers(antes)}'
        f',"button":{rules.seats - 1}{own},"street":"{STREET_NAMES[state.street]}"'
        f',"board":{_cards(state.board)},"pot":{state.pot},"seats":[{",".join(seats)}]'
        f',"history":[{parts.history(moment.history)}]}}'
    )


def _turn(moment: HandMoment, clock: TurnClock, viewer: Viewer) -> str:
    state = seen(moment, viewer)
    allowed = legal(state)
    low, high = allowed.min_raise_to, allowed.max_raise_to
    raises = "" if low is None else f',"min_to":{low},"max_to":{high}'
    fold = "true" if allowed.fold else "false"
    return (
        f'{{"type":"turn","table":{json(moment.table)},"turn":{json(clock.turn)}'
        f',"hand":{_hand(moment, state, viewer)},"pots":{moment.parts.pots(moment.state)}'
        f',"legal":{{"fold":{fold},"to_call":{allowed.to_call}{raises}}}'
        f',"ms":{clock.ms},"bank_ms":{clock.bank_ms}}}'
    )


def _to_act(moment: HandMoment, clock: TurnClock, actor: Seat) -> str:
    return (
        f'{{"type":"to_act","table":{json(moment.table)},"hand":{moment.hand},"seat":{actor}'
        f',"ms":{clock.ms},"bank_ms":{clock.bank_ms}}}'
    )


def _acted(event: HandStep, seat: Seat) -> str:
    moment = event.moment
    state = seen(moment, None)
    stacks = state.stacks
    assert stacks is not None
    return (
        f'{{"type":"acted","table":{json(moment.table)},"hand":{moment.hand}'
        f',"entry":{moment.parts.last(moment.history)},"stack":{stacks[seat]},"pot":{state.pot}'
        f',"by":"{event.by}"}}'
    )


def _board(event: HandStep) -> str:
    moment = event.moment
    state = seen(moment, None)
    return (
        f'{{"type":"board","table":{json(moment.table)},"hand":{moment.hand}'
        f',"entry":{moment.parts.last(moment.history)},"street":"{STREET_NAMES[state.street]}"'
        f',"pots":{moment.parts.pots(moment.state)}}}'
    )


def _cards(cards: tuple[Card, ...]) -> str:
    quoted = [f'"{TEXT_OF_CARD[card]}"' for card in cards]
    return f"[{','.join(quoted)}]"


def _numbers(numbers: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, numbers))}]"
