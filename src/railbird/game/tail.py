"""The tail of the engine's vector, seen from Python: the cards of other games than hold'em.

`tail_kernels` has the layout and deals; it is imported, with its tables, once such a game is
played.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK, Card, Opener, Variant
from railbird.errors import BadInput
from railbird.game import kernels as at
from railbird.game.actions import DealStreet, ShowCards
from railbird.game.rules import Rules
from railbird.units import Seat

if TYPE_CHECKING:
    from railbird.game.state import HandState

Cards = tuple[Card, ...]
_FIVE: Final = 5
_BITS: Final[list[int]] = at.CARD_BIT.tolist()


def append_to(vector: list[int], rules: Rules) -> None:
    """Append the tail to the vector of a hand before any card."""
    variant, seats = rules.variant, rules.seats
    vector[at.LAST_STREET] = len(variant.streets) - 1
    vector[at.TAIL] = len(vector)
    vector += [*_header(variant), *_BLOCK * seats]
    if rules.bring_in:
        from railbird.game import tail_kernels as place

        vector[vector[at.TAIL] + place.BRING_IN] = rules.bring_in


_OPENERS: Final = tuple(Opener)
_BLOCK: Final = [-1] * 5 + [0] * 4
"""A seat's: no strength is known, and no card."""


@lru_cache(maxsize=64)
def _header(variant: Variant) -> list[int]:
    from railbird.cards.rankings import RANKING_NUMBER, least_strength
    from railbird.game import tail_kernels as place

    header = [0] * at.TAIL_HEADER
    header[at.BOARDS] = variant.boards
    header[at.SHARES] = len(variant.shares)
    header[place.DECK] = _mask(variant.deck)
    header[place.HAND_SIZE] = variant.most_cards
    header[place.LEFT] = len(variant.deck)
    header[place.BOARD_CARDS] = variant.board_sizes[-1]
    for number, share in enumerate(variant.shares):
        header[place.RANKING + number] = RANKING_NUMBER[share.ranking]
        header[place.LEAST + number] = least_strength(share)
        header[place.TWO_HOLES] = share.use is not None
    header[place.MORE_BOARDS : place.DEALS] = [-1] * (place.DEALS - place.MORE_BOARDS)
    for number, street in enumerate(variant.streets):
        first = place.DEALS + place.DEAL * number
        opener = _OPENERS.index(street.opener)
        dealt = street.down, street.up, street.board, opener, street.draw
        header[first : first + place.DEAL] = *dealt, street.discard, street.pair_doubles
    return header


def boards_of(state: HandState) -> tuple[Cards, ...]:
    """Return every board."""
    from railbird.game import tail_kernels as place

    vector = state.vector
    first, size = vector.item(at.TAIL) + place.MORE_BOARDS, vector.item(at.BOARD_SIZE)
    more = (first + _FIVE * number for number in range(state.rules.variant.boards - 1))
    return (state.board, *(tuple(map(Card, vector[i : i + size].tolist())) for i in more))


def cards_by_seat(state: HandState) -> tuple[Cards, ...]:
    """Return the known cards of each seat."""
    from railbird.game import tail_kernels as place

    down, up = _column(state, place.DOWN), _column(state, place.UP)
    return tuple(_cards_in(own | public) for own, public in zip(down, up, strict=True))


def up_cards_by_seat(state: HandState) -> tuple[Cards, ...]:
    """Return the cards of each seat that everybody sees."""
    from railbird.game import tail_kernels as place

    return tuple(map(_cards_in, _column(state, place.UP)))


def discarded_by_seat(state: HandState) -> tuple[Cards, ...]:
    """Return the known cards that each seat has thrown away and that are not in the deck again."""
    from railbird.game import tail_kernels as place

    return tuple(map(_cards_in, _column(state, place.DISCARDED)))


def drawn_by_seat(state: HandState) -> tuple[tuple[int, ...], ...]:
    """Return how many cards each seat has thrown away on each street."""
    from railbird.game import tail_kernels as place

    streets = range(len(state.rules.variant.streets))
    return tuple(
        tuple(drawn >> 3 * street & 7 for street in streets)
        for drawn in _column(state, place.DRAWN)
    )


def most_discarded(state: HandState) -> int:
    """Return how many cards the actor may throw away now."""
    if state.phase != at.DRAWING:
        return 0
    street = state.rules.variant.streets[street_due(state)]
    return street.draw + street.discard


def least_discarded(state: HandState) -> int:
    """Return how many cards the actor has to throw away now."""
    is_due = state.phase == at.DRAWING
    return state.rules.variant.streets[street_due(state)].discard if is_due else 0


def check_in_draw(state: HandState) -> tuple[Card | None, ...]:
    """Return the cards that a check throws away: none, or the lowest if some have to go."""
    known, due = state.cards[state.vector.item(at.ACTOR)], least_discarded(state)
    return (*known, *(None,) * due)[:due]


def why_not_between(state: HandState, code: int) -> int:
    """Return the reason why a raise may not be between two bets, else 0."""
    from railbird.game import tail_kernels

    return int(tail_kernels.why_no_next_bet(state.vector, code))


def why_not_discarded(state: HandState, code: int) -> int:
    """Return the reason why the actor may not throw cards away, else 0."""
    from railbird.game import tail_kernels

    return int(tail_kernels.why_no_discard(state.vector, code))


def own_cards(state: HandState) -> int:
    """Return the number of cards of a seat that has not folded, so far."""
    from railbird.game import tail_kernels

    return int(tail_kernels.own_size(state.vector))


def _column(state: HandState, field: int) -> list[int]:
    vector = state.vector
    first = vector.item(at.TAIL) + at.TAIL_HEADER + field
    column: list[int] = vector[first :: at.TAIL_STRIDE].tolist()
    return column


def _cards_in(mask: int) -> Cards:
    return tuple([card for card in DECK if mask & _BITS[card]])


def _mask(cards: Sequence[int]) -> int:
    return sum(_BITS[card] for card in cards)


# Dealing and showing, for `railbird.game.play`.


def street_due(state: HandState) -> int:
    """Return the number of the street that is to be dealt."""
    vector = state.vector
    return int(vector.item(at.STREET) + (vector.item(at.PHASE) in (at.DEALING_BOARD, at.DRAWING)))


def deal_of_row(state: HandState, row: Sequence[int]) -> DealStreet:
    """Return the deal that a hand waits for, from a row of cards; unknown ones are hidden."""
    variant, seats = state.rules.variant, state.rules.seats
    number = street_due(state)
    street, earlier = variant.streets[number], variant.streets[:number]
    if street.draw:
        return _replacements(state, row, street.draw)
    per_seat = street.down + street.up
    starts, common = _starts_in_row(state, len(row), number)
    if common is not None:
        return DealStreet(boards=(tuple(map(Card, row[common : common + per_seat])),))
    down: list[Cards | None] = []
    up: list[Cards] = []
    for seat in range(seats):
        start = starts.get(Seat(seat))
        own = () if start is None else tuple(map(Card, row[start : start + per_seat]))
        is_hidden = at.UNKNOWN_CARD in own[: street.down]
        down.append(None if is_hidden else own[: street.down])
        up.append(own[street.down :])
    size, on_board = variant.board_sizes[-1], sum(dealt.board for dealt in earlier)
    first = variant.most_cards * seats + on_board
    boards = tuple(
        tuple(map(Card, row[start : start + street.board]))
        for start in range(first, first + size * variant.boards, size or 1)
    )
    return DealStreet(
        down=tuple(down) if street.down else (),
        up=tuple(up) if street.up else (),
        boards=boards if street.board else (),
    )


def _replacements(state: HandState, row: Sequence[int], most: int) -> DealStreet:
    """Return the cards that are dealt for those thrown away."""
    from railbird.game import tail_kernels

    cards = tail_kernels.replacements(state.vector.copy(), np.array(row, np.uint8), most)
    down: list[Cards | None] = []
    for seat, drawn in enumerate(drawn_by_seat(state)):
        count = drawn[street_due(state)] if Seat(seat) in state.in_hand else 0
        own = cards[seat, :count].tolist()
        down.append(None if at.UNKNOWN_CARD in own else tuple(map(Card, own)))
    return DealStreet(down=tuple(down))


def _starts_in_row(
    state: HandState, length: int, number: int
) -> tuple[dict[Seat, int], int | None]:
    """Return where the cards of each seat in the hand begin in a row, and a card for all of them.

    As `tail_kernels.deal_from` does: a whole deck is dealt in its order; a row with a card more
    than the seats and boards need has a common card for the last street.
    """
    variant, seats = state.rules.variant, state.rules.seats
    size, last = variant.most_cards, len(variant.streets) - 1
    needed = size * seats + variant.boards * variant.board_sizes[-1]
    street = variant.streets[number]
    per_seat = street.down + street.up
    if length >= needed and not (variant.draws and length == len(variant.deck)):
        first = sum(dealt.down + dealt.up for dealt in variant.streets[:number])
        common = needed if length > needed and number == last else None
        return {seat: size * seat + first for seat in state.in_hand}, common
    position = state.vector.item(at.CARDS).bit_count()
    starts = {seat: position + per_seat * place for place, seat in enumerate(state.in_hand)}
    return starts, position if position + per_seat * len(starts) > length else None


def deal_event(state: HandState, event: DealStreet) -> tuple[NDArray[np.int64], int]:
    """Return the vector after a deal, and the reason why it is refused, else 0.

    Raises `BadInput` for another number of cards than the street has.
    """
    from railbird.game import tail_kernels

    vector = state.vector.copy()
    if vector.item(at.PHASE) not in (at.DEALING_HOLES, at.DEALING_BOARD):
        return vector, at.WRONG_PHASE
    variant, seats = state.rules.variant, state.rules.seats
    street = variant.streets[street_due(state)]
    is_common = bool(event.boards and not (event.down or event.up or street.board))
    is_common &= vector.item(at.STREET) + 2 == len(variant.streets)
    alive = set(() if is_common else state.in_hand)
    drawn = [by_street[street_due(state)] for by_street in drawn_by_seat(state)]
    if {len(event.down), len(event.up)} - {0, seats}:
        raise BadInput(f"{event}: allowed: cards for each of {seats} seats")
    row: list[int] = []
    step = street.down + street.up + street.draw
    on_board = step if is_common else street.board
    for seat in range(seats):
        own = _dealt_to(event, event.down, seat, street.down + drawn[seat] if seat in alive else 0)
        public = _dealt_to(event, event.up, seat, street.up if seat in alive else 0)
        hidden = (at.UNKNOWN_CARD,) * (step - len(own) - len(public))
        row += [*own, *hidden, *public]
    boards = event.boards or ((),) * variant.boards
    if [len(cards) for cards in boards] != [on_board] * variant.boards:
        raise BadInput(f"{event}: allowed: {on_board} cards for each of {variant.boards} boards")
    own_cards = len(row)
    row += [card for cards in boards for card in cards]
    cards = np.array(row, np.uint8)
    code = tail_kernels.deal_next(vector, cards, 0, step, own_cards, street.board, is_common)
    return vector, int(code)


def _dealt_to(
    event: DealStreet, dealt: Sequence[Cards | None], seat: int, due: int
) -> Sequence[Card]:
    """Return what a seat is dealt of cards down or up; nothing if hidden. Raises `BadInput`."""
    cards = dealt[seat] if dealt else ()
    if cards is None:
        return ()
    if len(cards) != due:
        raise BadInput(f"{event}: {len(cards)} cards for seat {seat}; allowed: {due}")
    if any(not 0 <= card < len(DECK) for card in cards):
        raise BadInput(f"{event}: no such card")
    return cards


def begin_row(vector: NDArray[np.int64], cards: NDArray[np.uint8]) -> int:
    """Deal from a row; return the reason why not, else 0."""
    from railbird.game import tail_kernels

    return int(tail_kernels.start_cards(vector, cards))


def take_action(vector: NDArray[np.int64], code: int, cards: NDArray[np.uint8] | None) -> int:
    """Apply an action, and deal what is due from a row, if any; return why not, else 0."""
    from railbird.game import tail_kernels

    if cards is None:
        return int(tail_kernels.act_and_weigh(vector, code))
    return int(tail_kernels.act_and_deal_from(vector, code, cards))


def show_event(state: HandState, event: ShowCards) -> tuple[NDArray[np.int64], int]:
    """Return the vector after cards are shown, and the reason why that is refused, else 0."""
    from railbird.game import tail_kernels

    vector = state.vector.copy()
    if len(set(event.cards)) < len(event.cards):
        return vector, at.CARD_TWICE
    if any(not 0 <= card < len(DECK) for card in event.cards):
        return vector, at.NO_SUCH_CARD
    return vector, int(tail_kernels.reveal_cards(vector, event.seat, _mask(event.cards)))
