"""Events at a table, and redaction: the only way from an event to a message.

The full state of a hand never reaches an encoder. Every part of a message is read from the hand as
the viewer sees it (`railbird.game.view`), never from the hand itself.
"""

# Cards leak where a message is made from the full state and something is left out afterwards. Here
# it is the other way round. An event has everybody's cards and no form in which it could be sent;
# `told` makes the message for one viewer; and each part of it that depends on cards is read from
# `seen`, the engine's own view of the hand, which has forgotten what the viewer has not been shown.
# What is not there cannot be sent by mistake.
#
# Most viewers are told the same. `told_apart` names those who may be told something else, and
# everybody else shares the spectators' message, which is encoded once. It may name too many; to
# name too few would show somebody's message to all. So both functions end with `assert_never`: a
# new event has to be decided in both.
#
# `following` is the client's half: the fold of what a viewer was sent is the view that the server
# would send now. It stands here because server and client must agree about it, and it is why a
# message has exactly what changes.
#
# Who would notice: tests/protocol/test_redaction.py deals other unseen cards and compares every
# viewer's stream byte for byte, checks that this comparison would find a leak, and folds all
# streams.

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, assert_never, cast

from msgspec import structs

from railbird.cards import CARD_OF_TEXT, HOLDEM, TEXT_OF_CARD, Card, Holding, cards_of
from railbird.errors import BadInput
from railbird.game import (
    Act,
    DealBoard,
    DealHoles,
    DealStreet,
    Discard,
    Event,
    HandState,
    Muck,
    Phase,
    Raise,
    Show,
    ShowCards,
    legal,
    name_of,
    pots,
    public,
    seen_by,
    view,
)
from railbird.protocol import messages
from railbird.protocol.encoding import AnyServer, body_of
from railbird.protocol.identity import PlayerKind
from railbird.units import Chips, Seat

# What happens at a table, with everybody's cards. Nothing here has a form that can be sent.
#
# `railbird.protocol.redaction` turns an event into the message for one viewer.


Viewer = str | None
"""The name of a player, who sees his own cards; None for a spectator."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The player who holds a seat in a hand."""

    name: str
    kind: PlayerKind
    chair: int
    presence: messages.Presence = messages.Presence.HERE


@dataclass(frozen=True, slots=True)
class SeatDraw:
    """What a seat exchanged in one draw."""

    count: int
    thrown: tuple[Card, ...]
    """Those that are known, in the order of the deck, as a journal has them."""
    dealt: tuple[Card, ...] | None = None
    """None until it is dealt, or if it is not known."""


def in_order(cards: Iterable[Card | None]) -> tuple[Card, ...]:
    """Return those cards that are known, in the order of the deck."""
    return tuple(sorted(card for card in cards if card is not None))


def _replaced(draws: tuple[SeatDraw, ...], dealt: tuple[Card, ...] | None) -> tuple[SeatDraw, ...]:
    """Return a seat's draws after the cards for the last discard, if one waits for them."""
    if not draws or draws[-1].dealt is not None:
        return draws
    return (*draws[:-1], replace(draws[-1], dealt=dealt))


@dataclass(frozen=True, slots=True)
class HandMoment:
    """A hand at one moment."""

    table: str
    hand: int
    """Number at this table, from 1."""
    state: HandState
    holders: tuple[SeatHolder, ...]
    """By seat."""
    history: tuple[messages.HistoryEntry, ...] = ()
    """Public events so far (`railbird.protocol.redaction.entry_of`)."""
    shares: tuple[str, ...] | None = None
    """By seat, the shares of its seed; None in games of older versions."""
    later: tuple[Card, ...] = ()
    """Everybody's cards of later streets than the first, in the order of dealing."""
    draws: tuple[tuple[SeatDraw, ...], ...] = ()
    """By seat, what was exchanged, as far as it is known; empty before the first discard."""
    reshuffled: tuple[tuple[Card, ...], ...] = ()
    """By seat, the cards of folded hands that are in the deck again; empty for no seat's."""

    def next_moment(self, event: Event, before: HandState, state: HandState) -> HandMoment:
        """Return the moment after one more event, which led from one state to another."""
        entry = self.entry(event, before, state)
        if entry is None:
            return replace(self, state=state)
        later, draws = self.later, self.draws or ((),) * state.rules.seats
        reshuffled = self.reshuffled
        match event:
            case Act(seat, Discard(cards)):
                own = (*draws[seat], SeatDraw(len(cards), in_order(cards)))
                draws = (*draws[:seat], own, *draws[seat + 1 :])
            case DealStreet(down, up):
                later = (*later, *(card for cards in (*down, *up) for card in cards or ()))
                if isinstance(entry, messages.StreetEntry) and entry.drawn is not None:
                    draws = tuple(map(_replaced, draws, down))
                    kept = zip(self.cards_known(), state.cards, strict=True)
                    gone = [() if held else tuple(cards) for cards, held in kept]
                    reshuffled = tuple(gone) if any(gone) else ()
            case _:
                draws = self.draws
        history = (*self.history, entry)
        return replace(
            self, state=state, history=history, later=later, draws=draws, reshuffled=reshuffled
        )

    def entry(
        self, event: Event, before: HandState, state: HandState
    ) -> messages.HistoryEntry | None:
        """Return an event as the history has it, with shown cards in the order of dealing."""
        entry = entry_of(event, before, state)
        if isinstance(entry, messages.ShowEntry):
            return structs.replace(entry, cards=texts(self.cards_seen(state)[entry.seat]))
        return entry

    def cards_seen(self, state: HandState) -> list[list[Card]]:
        """Return the cards that a state of this moment has, by seat in the order of dealing."""
        place = {card: number for number, card in enumerate(self.later, 1)}
        return [
            sorted(cards, key=lambda card, up=up: (place.get(card, 0), card in up))  # type: ignore[misc]
            for cards, up in zip(state.cards, state.up_cards, strict=True)
        ]

    def cards_known(self) -> list[list[Card]]:
        """Return everybody's cards at this moment, those of folded hands included."""
        cards = self.cards_seen(self.state)
        if not self.reshuffled:
            return cards
        return [own or [*gone] for own, gone in zip(cards, self.reshuffled, strict=True)]

    def cards_dealt(self) -> list[list[Card]]:
        """Return the cards that each seat was dealt, those thrown away included, in their order."""
        dealt = self.cards_known()
        for seat, draws in enumerate(self.draws):
            later: list[Card] = []
            for draw in reversed(draws):
                new = draw.dealt or ()
                dealt[seat] = [*(card for card in dealt[seat] if card not in new), *draw.thrown]
                later = [*new, *later]
            dealt[seat] += later
        return dealt


@dataclass(frozen=True, slots=True)
class TurnClock:
    """Time of a turn."""

    turn: str
    ms: int
    bank_ms: int


@dataclass(frozen=True, slots=True)
class HandStart:
    """A hand begins; its cards are dealt."""

    moment: HandMoment


@dataclass(frozen=True, slots=True)
class HandStep:
    """An event of a hand, and the ``moment`` after it."""

    moment: HandMoment
    event: Event
    before: HandState
    by: Literal["player", "clock", "absence"] = "player"


@dataclass(frozen=True, slots=True)
class TurnStart:
    """The seat to act is asked."""

    moment: HandMoment
    clock: TurnClock


@dataclass(frozen=True, slots=True)
class HandEnd:
    """A hand is paid out."""

    moment: HandMoment
    stacks: tuple[Chips, ...]
    """By seat, afterwards."""
    show_ms: int | None = None
    """Time in which cards that nobody has seen may still be shown."""
    second_board: tuple[Card, ...] = ()
    """The board of the second run; empty if the board came once."""


@dataclass(frozen=True, slots=True)
class ShownByChoice:
    """A seat shows its cards after the hand, which ``moment`` has."""

    moment: HandMoment
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """The cards of a finished hand at a practice table, for everybody."""

    table: str
    hand: int
    cards: tuple[tuple[Card, ...], ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """A house player's reasons for an action, after the hand, at a practice table."""

    table: str
    hand: int
    seat: Seat
    action: int
    text: str


@dataclass(frozen=True, slots=True)
class HandAnnulled:
    """A hand does not count."""

    table: str
    hand: int
    text: str


@dataclass(frozen=True, slots=True)
class Public:
    """Something without secrets, for everybody."""

    message: (
        messages.PresenceChanged
        | messages.RunsTwice
        | messages.PlayerLeft
        | messages.PlayerSat
        | messages.Paused
        | messages.SeedRevealed
        | messages.AskShare
    )


@dataclass(frozen=True, slots=True)
class Private:
    """Something that concerns one account only, and no cards."""

    name: str
    message: (
        messages.Queued
        | messages.Unqueued
        | messages.Seated
        | messages.AskShare
        | messages.Left
        | messages.SessionReport
        | messages.Lobby
    )


@dataclass(frozen=True, slots=True)
class KnockOut:
    """Somebody has no chips left."""

    message: messages.KnockedOut
    report: messages.PlayReport | None


@dataclass(frozen=True, slots=True)
class TournamentEnd:
    """A tournament is over."""

    message: messages.Result
    reports: Mapping[str, messages.PlayReport]
    """By name."""


@dataclass(frozen=True, slots=True)
class TableMoment:
    """A whole table at one moment."""

    info: messages.TableInfo
    commitment: str | None = None
    hand: HandMoment | None = None
    clock: TurnClock | None = None


TableEvent = (
    HandStart
    | HandStep
    | TurnStart
    | HandEnd
    | ShownByChoice
    | Reveal
    | Reasons
    | HandAnnulled
    | Public
    | Private
    | KnockOut
    | TournamentEnd
    | TableMoment
)


# A hand as one viewer sees it: made by the server from the hand, by a client from messages.


def seat_of(moment: HandMoment, viewer: Viewer) -> Seat | None:
    """Return a viewer's seat in a hand; None for a spectator and a player who is not dealt in."""
    if viewer is not None:
        for seat, holder in enumerate(moment.holders):
            if holder.name == viewer:
                return Seat(seat)
    return None


def seen(moment: HandMoment, viewer: Viewer) -> HandState:
    """Return the part of the hand that the viewer has seen."""
    seat = seat_of(moment, viewer)
    return public(moment.state) if seat is None else view(moment.state, seat).state


def hand_view(moment: HandMoment, viewer: Viewer) -> messages.HandView:
    """Return a hand as a viewer sees it."""
    state = seen(moment, viewer)
    rules, stacks = state.rules, state.stacks
    assert stacks is not None  # tables have stacks
    alive, mucked = set(state.in_hand), set(state.mucked)
    street_bets, spent, cards = state.street_bets, state.spent, moment.cards_seen(state)
    board, *more = state.boards
    you = seat_of(moment, viewer)
    if you is not None and moment.reshuffled and not cards[you]:
        cards[you] = [*moment.reshuffled[you]]
    up = [
        [card for card in own if card in public_cards]
        for own, public_cards in zip(cards, state.up_cards, strict=True)
    ]
    seats = []
    for seat, holder in enumerate(moment.holders):
        seats.append(
            messages.SeatView(
                name=holder.name,
                kind=holder.kind,
                chair=holder.chair,
                presence=holder.presence,
                stack=stacks[seat],
                bet=street_bets[seat],
                spent=spent[seat],
                folded=seat not in alive,
                mucked=seat in mucked,
                cards=texts(cards[seat]) if len(cards[seat]) > len(up[seat]) else None,
                up=texts(up[seat]) if rules.bring_in else None,
                draws=draw_views(moment, seat, is_own=seat == you)
                if rules.variant.throws_away
                else None,
            )
        )
    return messages.HandView(
        hand=moment.hand,
        blinds=list(rules.blinds),
        antes=list(rules.antes or (0,) * rules.seats),
        button=rules.seats - 1,
        you=you,
        street=street_name(state),
        board=texts(board),
        pot=state.pot,
        seats=seats,
        history=list(moment.history),
        variant=None if rules.variant is HOLDEM else rules.variant.name,
        second_board=texts(more[0]) if more else None,
        bring_in=rules.bring_in or None,
        small_bet=rules.bet_sizes[0] if rules.bring_in else None,
    )


def draw_views(moment: HandMoment, seat: int, *, is_own: bool) -> list[messages.DrawView]:
    """Return a seat's draws as everybody sees them, or as its owner does."""
    draws = moment.draws[seat] if moment.draws else ()
    if not is_own:
        return [messages.DrawView(count=draw.count) for draw in draws]
    return [
        messages.DrawView(
            count=draw.count,
            thrown=texts(draw.thrown),
            cards=None if draw.dealt is None else texts(draw.dealt),
        )
        for draw in draws
    ]


def first_cards(seat: messages.SeatView) -> list[str]:
    """Return a seat's known cards without what it has exchanged: in draw games, the first ones."""
    cards = list(seat.cards or ())
    for draw in reversed(seat.draws or ()):
        dealt = draw.cards or ()
        cards = [*(card for card in cards if card not in dealt), *(draw.thrown or ())]
    return sorted(cards, key=CARD_OF_TEXT.__getitem__) if seat.draws else cards


def entry_of(
    event: Event, state_before: HandState, state_after: HandState
) -> messages.HistoryEntry | None:
    """Return a public event as an entry of the history; None for the deal of the hole cards."""
    match event:
        case Act(seat, Discard(thrown)):
            return messages.DiscardEntry(seat=seat, count=len(thrown))
        case Act(seat, action):
            name = name_of(action, to_call=state_before.to_call, bet=state_before.bet)
            return messages.ActionEntry(
                seat=seat,
                verb=name.word,  # type: ignore[arg-type]
                to=state_after.street_bets[seat] if isinstance(action, Raise) else None,
                paid=state_after.spent[seat] - state_before.spent[seat],
                opening=_opening(state_before, is_raise=isinstance(action, Raise)),
            )
        case DealBoard(cards):
            return messages.BoardEntry(cards=texts(cards))
        case Show(seat, holding):
            return messages.ShowEntry(seat=seat, cards=holding_texts(holding))
        case ShowCards(seat, cards):
            return messages.ShowEntry(seat=seat, cards=texts(cards))
        case Muck(seat):
            return messages.MuckEntry(seat=seat)
        case DealStreet():
            return _deal_entry(event, state_before, state_after)
        case DealHoles():
            return None
        case other:
            assert_never(other)


def _deal_entry(
    event: DealStreet, state_before: HandState, state_after: HandState
) -> messages.BoardEntry | messages.StreetEntry | None:
    """Return the deal of a street as an entry of the history; None for the first cards."""
    if event.boards and not event.down:
        board, *more = event.boards
        second_board = texts(more[0]) if more else None
        return messages.BoardEntry(cards=texts(board), second_board=second_board)
    if state_before.phase is Phase.DEAL_HOLES:
        return None
    if state_after.rules.variant.draws:
        drawn = [of_seat[state_after.street] for of_seat in state_after.drawn]
        return messages.StreetEntry(up=[[] for _ in drawn], drawn=drawn)
    unseen = max((len(cards) for cards in event.down if cards is not None), default=0)
    by_seat = event.up or ((),) * state_before.rules.seats
    return messages.StreetEntry(up=[*map(texts, by_seat)], down=unseen)


def _opening(before: HandState, *, is_raise: bool) -> Literal["bring-in", "completion"] | None:
    """Return what an action of the first street is called where a card opens it."""
    if is_raise:
        return "completion" if before.completes else None
    return "bring-in" if before.must_bring_in else None


def pot_views(state: HandState) -> list[messages.PotView]:
    """Return the pots as everybody sees them."""
    return [messages.PotView(amount=pot.amount, seats=list(pot.seats)) for pot in pots(state)]


def texts(cards: Iterable[Card]) -> list[str]:
    """Return cards as text."""
    return [TEXT_OF_CARD[card] for card in cards]


def holding_texts(holding: Holding) -> list[str]:
    """Return a holding's two cards as text."""
    return texts(cards_of(holding))


def following(hand: messages.HandView | None, message: AnyServer) -> messages.HandView | None:
    """Return a client's view of the hand after one more message; None between hands.

    The fold of a viewer's messages since the hand began, or since any snapshot, equals the view
    that the server would send now.

    Raises `BadInput` for a message that does not continue the hand.
    """
    match message:
        case messages.HandBegins() | messages.Turn() | messages.Snapshot():
            return message.hand
        case messages.HandOver() | messages.HandVoid():
            return None
        case messages.PresenceChanged(name=name, presence=presence) if hand is not None:
            seats = [
                structs.replace(seat, presence=presence) if seat.name == name else seat
                for seat in hand.seats
            ]
            return structs.replace(hand, seats=seats)
        case (
            messages.Acted()
            | messages.BoardDealt()
            | messages.StreetDealt()
            | messages.Shown()
            | messages.Mucked()
        ):
            if hand is None or hand.hand != message.hand:
                number = None if hand is None else hand.hand
                raise BadInput(f"news of hand {message.hand} in hand {number}")
            return _after_step(hand, message)
        case _:
            return hand


def _after_step(
    hand: messages.HandView,
    message: messages.Acted
    | messages.BoardDealt
    | messages.StreetDealt
    | messages.Shown
    | messages.Mucked,
) -> messages.HandView:
    changes: dict[str, Any] = {"history": [*hand.history, message.entry]}
    match message:
        case messages.BoardDealt(entry=entry, street=street):
            changes["board"] = [*hand.board, *entry.cards]
            if hand.second_board is not None:
                changes["second_board"] = [*hand.second_board, *(entry.second_board or ())]
            changes["street"] = street
            changes["seats"] = [structs.replace(seat, bet=0) for seat in hand.seats]
        case messages.StreetDealt(street=street):
            changes["street"] = street
            changes["seats"] = _dealt_to(hand, message)
        case messages.Acted(entry=messages.DiscardEntry(seat=seat, count=count)):
            draw = messages.DrawView(count=count, thrown=message.thrown)
            left = [c for c in hand.seats[seat].cards or () if c not in (message.thrown or ())]
            draws = [*(hand.seats[seat].draws or ()), draw]
            changes["seats"] = _changed(hand, seat, cards=left or None, draws=draws)
        case messages.Acted(entry=messages.ActionEntry() as entry):
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
        case messages.Shown(entry=entry):
            changes["seats"] = _changed(hand, entry.seat, cards=entry.cards)
        case messages.Mucked(entry=entry):
            changes["seats"] = _changed(hand, entry.seat, mucked=True)
    return structs.replace(hand, **changes)


def _dealt_to(hand: messages.HandView, message: messages.StreetDealt) -> list[messages.SeatView]:
    """Return the seats after a street's cards, of which the viewer sees the own ones."""
    seats = []
    for number, seat in enumerate(hand.seats):
        up = message.entry.up[number]
        own = (message.cards or []) if number == hand.you else []
        cards = seat.cards
        if cards is not None or own:
            cards = [*(cards or ()), *own, *up]
        changes: dict[str, Any] = {"bet": 0, "cards": cards}
        if message.entry.drawn is None:
            changes["up"] = [*(seat.up or ()), *up]
        elif number == hand.you and seat.draws and seat.draws[-1].cards is None:
            changes["draws"] = [*seat.draws[:-1], structs.replace(seat.draws[-1], cards=own)]
        seats.append(structs.replace(seat, **changes))
    return seats


def _changed(hand: messages.HandView, seat: int, **changes: object) -> list[messages.SeatView]:
    seats = list(hand.seats)
    seats[seat] = structs.replace(seats[seat], **changes)
    return seats


def street_name(state: HandState) -> messages.StreetName:
    """Return the name of the current street."""
    return cast("messages.StreetName", state.street_name)


# What each viewer is told.


def told(event: TableEvent, viewer: Viewer) -> messages.GameMessage | None:
    """Return a viewer's message about an event; None if there is none.

    ``viewer`` is the name of a player, or None for a spectator.
    """
    match event:
        case HandStart(moment):
            return messages.HandBegins(
                table=moment.table, hand=hand_view(moment, viewer), shares=_shares(moment)
            )
        case HandStep():
            return _step(event, viewer)
        case TurnStart(moment, clock):
            return _turn(moment, clock, viewer) or _to_act(moment, clock)
        case HandEnd():
            return _end(event)
        case TableMoment():
            return _snapshot(event, viewer)
        case ShownByChoice() | Reveal() | Reasons() | HandAnnulled():
            return _after_hand(event)
        case _:
            return _of_players(event, viewer)


def told_body(event: TableEvent, viewer: Viewer) -> bytes | None:
    """Return the body of a viewer's message about an event; None if there is none."""
    message = told(event, viewer)
    return None if message is None else body_of(message)


def told_apart(event: TableEvent) -> tuple[str, ...]:
    """Return the viewers whose message may differ from a spectator's.

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
        case HandStep(moment, event=DealStreet(down=down)) if any(down):
            return tuple(holder.name for holder in moment.holders)
        case HandStep(moment, event=Act(seat, Discard())):
            return (moment.holders[seat].name,)
        case (
            HandStep()
            | HandEnd()
            | ShownByChoice()
            | Reveal()
            | Reasons()
            | HandAnnulled()
            | Public()
        ):
            return ()
        case other:
            assert_never(other)


def _step(event: HandStep, viewer: Viewer) -> messages.GameMessage | None:
    moment, before = event.moment, event.before
    table, hand = moment.table, moment.hand
    # All else that these messages contain is in the spectators' view.
    state = seen(moment, None)
    match event.event, moment.entry(event.event, before, state):
        case Act(seat), (messages.ActionEntry() | messages.DiscardEntry()) as entry:
            stacks = state.stacks
            assert stacks is not None
            return messages.Acted(
                table=table,
                hand=hand,
                entry=entry,
                stack=stacks[seat],
                pot=state.pot,
                by=event.by,
                thrown=_thrown(event, viewer),
            )
        case DealBoard() | DealStreet(), messages.BoardEntry() as entry:
            street = street_name(state)
            return messages.BoardDealt(
                table=table, hand=hand, entry=entry, street=street, pots=pot_views(state)
            )
        case DealStreet(), messages.StreetEntry() as entry:
            return messages.StreetDealt(
                table=table,
                hand=hand,
                entry=entry,
                street=street_name(state),
                pots=pot_views(state),
                cards=_new_cards(event, viewer),
            )
        case Show() | ShowCards(), messages.ShowEntry() as entry:
            return messages.Shown(table=table, hand=hand, entry=entry)
        case Muck(), messages.MuckEntry() as entry:
            return messages.Mucked(table=table, hand=hand, entry=entry)
        case DealHoles() | DealStreet(), _:
            return None  # `HandStart` tells each viewer of the own cards
        case other:
            raise AssertionError(other)


def _thrown(event: HandStep, viewer: Viewer) -> list[str] | None:
    """Return the cards that the viewer threw away in a step; None if that was not the step."""
    seat = seat_of(event.moment, viewer)
    match seen_by(event.event, seat):
        case Act(actor, Discard(cards)) if seat is not None and actor == seat:
            return texts(in_order(cards))
        case _:
            return None


def _new_cards(event: HandStep, viewer: Viewer) -> list[str] | None:
    """Return what a viewer sees of the cards of a step that nobody else sees; None if nothing."""
    seat = seat_of(event.moment, viewer)
    match seen_by(event.event, seat):
        case DealStreet(down=down) if seat is not None and down:
            return texts(down[seat] or ()) or None
        case _:
            return None


def _turn(moment: HandMoment, clock: TurnClock, viewer: Viewer) -> messages.Turn | None:
    """Return the turn for the seat to act; None for any other viewer."""
    state = moment.state
    if state.actor is None:
        raise BadInput("nobody is to act")
    if seat_of(moment, viewer) != state.actor:
        return None
    allowed = legal(state)
    return messages.Turn(
        table=moment.table,
        turn=clock.turn,
        hand=hand_view(moment, viewer),
        pots=pot_views(state),
        legal=messages.LegalActions(
            fold=allowed.fold,
            to_call=allowed.to_call,
            min_to=allowed.min_raise_to,
            max_to=allowed.max_raise_to,
            opening=_opening(state, is_raise=not state.must_bring_in),
            two_sizes=allowed.two_sizes or None,
            draw=allowed.draw or None,
            must_discard=allowed.must_discard or None,
        ),
        ms=clock.ms,
        bank_ms=clock.bank_ms,
    )


def _to_act(moment: HandMoment, clock: TurnClock) -> messages.ToAct:
    seat = moment.state.actor
    if seat is None:
        raise BadInput("nobody is to act")
    return messages.ToAct(
        table=moment.table, hand=moment.hand, seat=seat, ms=clock.ms, bank_ms=clock.bank_ms
    )


def _end(event: HandEnd) -> messages.HandOver:
    moment = event.moment
    state = seen(moment, None)
    before = state.rules.stacks
    assert before is not None
    won = [after - had for after, had in zip(event.stacks, before, strict=True)]
    return messages.HandOver(
        table=moment.table,
        hand=moment.hand,
        pots=pot_views(state),
        won=won,
        stacks=list(event.stacks),
        rake=state.raked,
        show_ms=event.show_ms,
        second_board=texts(event.second_board) or None,
    )


def _after_hand(
    event: ShownByChoice | Reveal | Reasons | HandAnnulled,
) -> messages.GameMessage:
    match event:
        case ShownByChoice(moment, seat, cards):
            return messages.Showed(
                table=moment.table,
                hand=moment.hand,
                seat=seat,
                name=moment.holders[seat].name,
                cards=texts(cards),
            )
        case Reveal(table, hand, by_seat):
            return messages.CardsRevealed(table=table, hand=hand, cards=[*map(texts, by_seat)])
        case Reasons(table, hand, seat, action, text):
            return messages.Explained(table=table, hand=hand, seat=seat, action=action, text=text)
        case HandAnnulled(table, hand, text):
            return messages.HandVoid(table=table, hand=hand, text=text)
        case other:
            assert_never(other)


def _of_players(
    event: Public | Private | KnockOut | TournamentEnd, viewer: Viewer
) -> messages.GameMessage | None:
    match event:
        case Public(message):
            return message
        case Private(name, private):
            return private if viewer is not None and name == viewer else None
        case KnockOut(knocked_out, report):
            own = report if viewer is not None and viewer == knocked_out.name else None
            return structs.replace(knocked_out, you=own)
        case TournamentEnd(result, reports):
            own = None if viewer is None else reports.get(viewer)
            return structs.replace(result, you=own)
        case other:
            assert_never(other)


def _snapshot(event: TableMoment, viewer: Viewer) -> messages.Snapshot:
    hand, clock = event.hand, event.clock
    turn, to_act = None, None
    if hand is not None and clock is not None:
        turn = _turn(hand, clock, viewer)
        to_act = None if turn is not None else _to_act(hand, clock)
    return messages.Snapshot(
        table=event.info,
        commitment=event.commitment,
        hand=None if hand is None else hand_view(hand, viewer),
        turn=turn,
        to_act=to_act,
        shares=None if hand is None else _shares(hand),
    )


def _shares(moment: HandMoment) -> list[str] | None:
    return None if moment.shares is None else list(moment.shares)
