"""Records of other games than hold'em: their cards as a row, and their course by the engine.

In such a record the cards of a seat stand in the order of dealing, so that the game's streets say
which of them were down and which up. An unknown one is None. In a draw game the cards that replace
others come behind those first dealt, and the actions say which were thrown away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDEM, Card, Variant, format_card, holding_of
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    Act,
    Action,
    Call,
    DealStreet,
    Discard,
    Fold,
    HandDealer,
    HandState,
    Phase,
    Rules,
    act,
    kernels,
    start,
)
from railbird.game.kernels import UNKNOWN_CARD
from railbird.game.tail import check_in_draw
from railbird.histories.record import BadHand, HandRecord, SkipReason
from railbird.units import Seat

SeatCards = tuple[Card | None, ...]
Board = tuple[Card, ...]


class PlayedCourse(NamedTuple):
    """A hand's actions and where they led."""

    state: HandState
    """After the betting; in a showdown, hands that are not known are mucked."""
    actions: tuple[Action, ...]
    moves: tuple[tuple[int, Seat, Action], ...]
    """The street, the seat and its action; a draw is part of the street that begins with it."""
    before: tuple[HandState, ...]
    """The hand before each action."""


def row_of_cards(
    variant: Variant, cards: Sequence[SeatCards], boards: Sequence[Board]
) -> NDArray[np.uint8]:
    """Return a row as `railbird.game.start` deals it; unknown cards are `UNKNOWN_CARD`.

    Raises `BadHand` for more cards than the game deals.
    """
    size, length = variant.most_cards, variant.board_sizes[-1]
    most = length or 1  # without a board, the last card may be one for all
    if len(boards) != variant.boards or any(len(board) > most for board in boards):
        raise BadHand(SkipReason.WRONG_BOARD, f"{len(boards)} boards; allowed: {variant.boards}")
    if wrong := [own for own in cards if len(own) > size]:
        raise BadHand(
            SkipReason.UNREADABLE, f"{len(wrong[0])} cards in {variant.name}; allowed: {size}"
        )
    row: list[int] = []
    for own in cards:
        known = [UNKNOWN_CARD if card is None else card for card in own]
        row += known + [UNKNOWN_CARD] * (size - len(own))
    for board in boards:
        row += [*board, *[UNKNOWN_CARD] * (length - len(board))]
    return np.array(row, np.uint8)


def course_of_cards(
    rules: Rules,
    cards: Sequence[SeatCards],
    boards: Sequence[Board],
    acts: Iterable[tuple[Seat | None, Action]],
) -> PlayedCourse:
    """Play a hand with these cards; a seat of None is whoever is to act.

    A check where nobody is to act is ignored: pokerkit asks the last player with chips, too. Raises
    `BadHand` for cards and actions that the rules do not allow, and for betting that does not end.
    """
    row = row_of_cards(rules.variant, cards, boards)
    _check_cards(rules.variant, row, may_repeat=_may_repeat(rules.variant, cards))
    moves: list[tuple[int, Seat, Action]] = []
    states_before: list[HandState] = []
    try:
        state = start(rules, row)
        for seat, action in acts:
            actor = state.actor
            if actor is None and isinstance(action, Call):
                continue
            if actor is None or seat not in (None, actor):
                turn = "nobody" if actor is None else f"seat {actor}"
                raise BadHand(SkipReason.ILLEGAL_ACTION, f"{action}, but {turn} is to act")
            draws = state.phase is Phase.DRAW
            if draws and isinstance(action, Call):
                action = Discard(check_in_draw(state))
            moves.append((state.street + draws, actor, action))
            states_before.append(state)
            state = act(state, action, row)
    except IllegalAction as error:
        raise BadHand(SkipReason.ILLEGAL_ACTION, f"action {len(moves) - 1}: {error}") from None
    except BadHand:
        raise
    except BadInput:
        raise _not_dealt(rules.variant, boards) from None
    if state.actor is not None:
        raise BadHand(SkipReason.UNFINISHED, f"seat {state.actor} is to act")
    if any(len(board) != len(state.board) for board in boards):
        raise BadHand(
            SkipReason.WRONG_BOARD,
            f"{len(boards[0])} board cards, not {len(state.board)}",
        )
    return PlayedCourse(
        without_unknown(state),
        tuple(action for _, _, action in moves),
        tuple(moves),
        tuple(states_before),
    )


def with_shown(
    cards: SeatCards, shown_cards: Board, thrown: Sequence[Card | None], others: Iterable[SeatCards]
) -> SeatCards | None:
    """Return a seat's cards after a showing of those it has at the end; None if they differ.

    Of cards dealt unseen in a draw game, which may have been thrown away, those shown stand where
    the last ones were dealt: it is not known when each was. Last of all stand those that somebody
    else has had, and thrown away.
    """
    elsewhere = {card for own in others for card in own}
    known = Counter(cards) - Counter(thrown)
    hidden = known.pop(None, 0)
    rest = sorted((card for card in shown_cards if card not in known), key=elsewhere.__contains__)
    if len(shown_cards) != known.total() + hidden or len(rest) != hidden:
        return None
    placed = list(cards)
    unseen = [place for place, card in enumerate(cards) if card is None]
    for place, card in zip(reversed(unseen), reversed(rest), strict=False):
        placed[place] = card
    return tuple(placed)


def dealer_of(record: HandRecord) -> HandDealer:
    """Return what deals the cards of a record of any game, before the first of them."""
    if record.rules.variant is HOLDEM:
        return HandDealer(record.rules, record.holes, record.board)
    row = row_of_cards(record.rules.variant, record.cards, first_boards(record))
    return HandDealer.of_row(record.rules, row)


def course_of_record(record: HandRecord) -> PlayedCourse:
    """Play a record of another game than hold'em once more. Raises `BadHand`."""
    acts = ((None, action) for action in record.actions)
    return course_of_cards(record.rules, record.cards, first_boards(record), acts)


def first_boards(record: HandRecord) -> tuple[Board, ...]:
    """Return the boards that a game has; of a hand that was run again, that of the first run."""
    count = record.rules.variant.boards
    boards = (record.board, *record.more_boards)[:count]
    return boards + ((),) * (count - len(boards))  # a hand that ends before a flop has none


def betting_alone(record: HandRecord) -> HandRecord:
    """Return the betting of another game's hand as one of hold'em in which no card is known.

    Its payoffs stay those of the other game, so it is good for what looks at betting and results
    alone. Its board is there for the number of cards that lay on each street.
    """
    first_street = record.rules.variant.board_sizes[0]
    board = record.board if len(record.board) > first_street else ()
    return replace(
        record,
        rules=replace(record.rules, variant=HOLDEM),
        holes=(None,) * record.rules.seats,
        board=board,
        actions=tuple(action for action in record.actions if not isinstance(action, Discard)),
        more_boards=(),
        cards=(),
    )


def _not_dealt(variant: Variant, boards: Sequence[Board]) -> BadHand:
    """Return why cards cannot be dealt as a hand goes on."""
    if variant.draws:
        return BadHand(SkipReason.DUPLICATE_CARD, "a card is dealt that is not in the deck")
    sizes = ", ".join(str(len(board)) for board in boards)
    return BadHand(SkipReason.WRONG_BOARD, f"{sizes} cards on the board are not enough")


def _may_repeat(variant: Variant, cards: Sequence[SeatCards]) -> bool:
    """Return whether cards that were thrown away have had to be dealt once more."""
    return variant.draws and sum(map(len, cards)) > len(variant.deck)


def _check_cards(variant: Variant, row: NDArray[np.uint8], *, may_repeat: bool) -> None:
    """Raise `BadHand` for a card that comes twice or is not in the deck."""
    known = [Card(card) for card in row.tolist() if card != UNKNOWN_CARD]
    if len(set(known)) < len(known) and not may_repeat:
        twice = next(card for card in known if known.count(card) > 1)
        raise BadHand(SkipReason.DUPLICATE_CARD, f"{format_card(twice)} comes twice")
    if strange := set(known) - set(variant.deck):
        raise BadHand(SkipReason.UNREADABLE, f"{format_card(min(strange))} in {variant.name}")


def without_unknown(state: HandState) -> HandState:
    """Return a showdown in which hands that are not known have been mucked, if any is known."""
    vector = state.vector.copy()
    if state.phase is Phase.SHOWDOWN:
        kernels.muck_unknown(vector)
    return HandState(state.rules, vector)


class StreetCards(NamedTuple):
    """What is dealt on a street."""

    own: tuple[SeatCards, ...]
    """By seat; () for a seat that is dealt nothing."""
    boards: tuple[Board, ...]


def dealt_by_street(record: HandRecord, course: PlayedCourse) -> Iterator[StreetCards]:
    """Yield what was dealt on each street that the hand reached."""
    variant, boards = record.rules.variant, first_boards(record)
    folded_on = {seat: street for street, seat, action in course.moves if isinstance(action, Fold)}
    first, on_board = [0] * record.rules.seats, 0
    drawn = course.state.drawn
    reached = variant.streets[: course.state.street + 1]
    common = len(record.board) - sum(street.board for street in reached)
    for number, street in enumerate(reached):
        size, board = street.down + street.up, on_board + street.board
        if common and number == len(reached) - 1:  # instead of a card for each
            size, board = 0, board + common
        own: list[SeatCards] = []
        for seat, cards in enumerate(record.cards):
            count = size + drawn[seat][number]
            is_in = folded_on.get(Seat(seat), number) >= number
            own.append(_padded(cards[first[seat] :][:count], count) if is_in else ())
            first[seat] += count
        yield StreetCards(tuple(own), tuple(cards[on_board:board] for cards in boards))
        on_board = board


def _padded(cards: SeatCards, size: int) -> SeatCards:
    return (*cards, *(None,) * (size - len(cards)))


def cards_in_record(
    state: HandState,
    seats: Collection[int],
    second_board: Board = (),
    *,
    held: Sequence[Sequence[Card]],
    dealt: Sequence[Sequence[Card]],
    acts: Sequence[Act],
    with_discards: Collection[int],
) -> dict[str, Any]:
    """Return the fields of a record that have the cards and actions of a finished hand.

    It may be of any game. Cards are known of these seats alone, and up cards of all; those thrown
    away only of the seats ``with_discards``. ``second_board`` is that of a second run; ``held`` has
    everybody's cards at the end, ``dealt`` all cards in the order of dealing.
    """
    is_holdem, throws_away = state.rules.variant is HOLDEM, state.rules.variant.throws_away
    board, *more = state.boards
    known = with_discards if throws_away else seats
    own = [
        tuple(card if seat in known or card in up else None for card in cards)
        for seat, (cards, up) in enumerate(zip(dealt, state.up_cards, strict=True))
    ]
    for seat in {*seats} - {*known}:
        thrown = [None] * (len(dealt[seat]) - len(held[seat]))
        others = (cards for other, cards in enumerate(own) if other != seat)
        own[seat] = with_shown(own[seat], tuple(held[seat]), thrown, others) or ()
    actions = (
        Discard((None,) * len(act.action.cards))
        if isinstance(act.action, Discard) and act.seat not in known
        else act.action
        for act in acts
    )
    return {
        "actions": tuple(actions),
        "holes": tuple(
            holding_of(*cards) if is_holdem and seat in seats and cards else None
            for seat, cards in enumerate(state.cards)
        ),
        "cards": ()
        if is_holdem
        else tuple(cards if any(card is not None for card in cards) else () for cards in own),
        "board": board,
        "more_boards": (second_board,) if second_board else tuple(more),
    }


def cards_of_row(
    rules: Rules, row: NDArray[np.uint8], street: int, actions: Sequence[Action]
) -> tuple[tuple[Board, ...], tuple[Board, ...]]:
    """Return the cards by seat and the boards that were dealt from a row, up to a street.

    Where later streets deal to seats, the actions say to whom.
    """
    if any(deal.down or deal.up or deal.draw for deal in rules.variant.streets[1:]):
        own, boards, _ = _dealt_to_seats(rules, row, actions)
        return own, boards
    variant, seats = rules.variant, rules.seats
    size, length = variant.dealt_size, variant.board_sizes[-1]
    dealt = sum(deal.down + deal.up for deal in variant.streets[: street + 1])
    cards = [Card(card) for card in row.tolist()]
    own = tuple(tuple(cards[size * seat : size * seat + dealt]) for seat in range(seats))
    board_size = variant.board_sizes[street]
    first = size * seats
    starts = range(first, first + length * variant.boards, length)
    return own, tuple(tuple(cards[start : start + board_size]) for start in starts)


def fields_of_row(
    rules: Rules, row: NDArray[np.uint8], street: int, actions: Sequence[Action]
) -> dict[str, Any]:
    """Return the fields of a record that have the cards and actions of a hand of any game."""
    if rules.variant.throws_away:
        own, boards, actions = _dealt_to_seats(rules, row, actions)
    else:
        own, boards = cards_of_row(rules, row, street, actions)
    is_holdem = rules.variant is HOLDEM
    return {
        "holes": tuple(holding_of(*cards) if is_holdem else None for cards in own),
        "cards": () if is_holdem else own,
        "board": boards[0],
        "more_boards": boards[1:],
        "actions": tuple(actions),
    }


def _dealt_to_seats(
    rules: Rules, row: NDArray[np.uint8], actions: Iterable[Action]
) -> tuple[tuple[Board, ...], tuple[Board, ...], tuple[Action, ...]]:
    """Return the cards by seat, in the order of dealing, the boards and the actions of a hand."""
    own: list[Board] = [()] * rules.seats
    boards: list[Board] = [()] * rules.variant.boards
    dealer = HandDealer.of_row(rules, row)
    steps = dealer.begin()
    for action in actions:
        steps += dealer.act(action)
    taken: list[Action] = []
    for event, *_ in steps:
        if isinstance(event, Act):
            taken.append(event.action)
        if isinstance(event, DealStreet):
            for dealt in (event.down, event.up):
                for seat, cards in enumerate(dealt):
                    own[seat] += cards or ()
            for number, cards in enumerate(event.boards):
                boards[number] += cards
    return tuple(own), tuple(boards), tuple(taken)
