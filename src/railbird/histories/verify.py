"""Verification of hands: replay by the rules engine, comparison with the payoffs of the log.

The outcome of a course of betting depends on the cards only through who beats whom. Betting
repeats, so an `Ending` is cached with its betting, and most hands cost a comparison of strengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from railbird.cards import HOLDING_CARDS, Card, Holding, format_card, strength
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    BOARD_CARDS,
    Action,
    HandState,
    Phase,
    Rules,
    is_settled,
    payoffs,
    replay,
)
from railbird.game.engine.reported import replay_reported
from railbird.histories.amounts import Amounts, amounts_of, format_amounts, unrounded
from railbird.histories.record import BadHand, HandRecord, SkipReason
from railbird.histories.stakes import same_stakes
from railbird.units import Seat

Holes = tuple[Holding | None, ...]
Board = tuple[Card, ...]
Payoffs = tuple[Fraction, ...]
Order = tuple[int, ...]

_CARDS_OF: Final = [tuple(map(Card, pair)) for pair in HOLDING_CARDS.tolist()]


@dataclass(frozen=True, slots=True)
class Ending:
    """Outcome of one course of betting."""

    actions: tuple[Action, ...]
    contenders: tuple[Seat, ...]
    """Seats at showdown; empty if all but one folded."""
    state: HandState
    """Final state of one hand that was played so."""
    _paid: dict[Order, Amounts | None] = field(default_factory=dict, compare=False, repr=False)

    def settle(self, holes: Holes, board: Board, logged: Amounts | None) -> Payoffs:
        """Return the exact payoffs of a hand with this betting, compared with the log.

        A log rounds fractions of a chip to six decimals. Where unknown cards decide, the log is
        trusted if its payoffs are possible. Raises `BadHand`.
        """
        self._check_cards(holes, board)
        computed = self._payoffs(holes, board)
        if logged is None:
            if computed is None:
                raise BadHand(SkipReason.UNREADABLE, "unknown cards decide the pot")
            return computed.exact
        if computed is not None and computed.millionths == logged.millionths:
            return computed.exact
        believed = unrounded(logged.exact, self.state.rules.denominator)
        hidden = any(holes[seat] is None for seat in self.contenders)
        if hidden and self._may_pay(believed):
            return believed
        expected = "" if computed is None else f", the rules pay {format_amounts(computed.exact)}"
        raise BadHand(
            SkipReason.WRONG_PAYOFF, f"the log pays {format_amounts(logged.exact)}{expected}"
        )

    def _check_cards(self, holes: Holes, board: Board) -> None:
        street = self.state.street
        if len(board) != BOARD_CARDS[street]:
            raise BadHand(
                SkipReason.WRONG_BOARD,
                f"{len(board)} cards, but the betting reached the {street.name.lower()}",
            )
        _check_twice(holes, board)

    def learn(self, order: Order, state: HandState) -> Amounts | None:
        """Cache the payoffs of one hand with this betting, for all of the same ranking."""
        self._paid[order] = amounts_of(payoffs(state)) if is_settled(state) else None
        return self._paid[order]

    def _payoffs(self, holes: Holes, board: Board) -> Amounts | None:
        """Return the payoffs by seat; None if unknown cards decide them."""
        order = self._order(holes, board)
        if order in self._paid:
            return self._paid[order]
        return self.learn(order, replay(self.state.rules, holes, board, self.actions))

    def _order(self, holes: Holes, board: Board) -> Order:
        """Return the contenders' ranks, 0 for the weakest; -1 for unknown cards."""
        strengths = [
            -1 if (hole := holes[seat]) is None else strength((*_CARDS_OF[hole], *board))
            for seat in self.contenders
        ]
        if len(strengths) == 2 and -1 not in strengths:  # most hands: the same without a sort
            first, second = strengths
            return int(first > second), int(second > first)
        ladder = sorted({-1, *strengths})
        return tuple([ladder.index(strength) - 1 for strength in strengths])

    def _may_pay(self, amounts: Payoffs) -> bool:
        """Return whether some cards of the contenders could lead to these payoffs."""
        return sum(amounts) == -self.state.raked and all(
            amount >= -spent if seat in self.contenders else amount == -spent
            for seat, (amount, spent) in enumerate(zip(amounts, self.state.spent, strict=True))
        )


def ending_of(rules: Rules, actions: tuple[Action, ...], holes: Holes, board: Board) -> Ending:
    """Play a hand to its end. Raises `BadHand` if it is illegal or does not end."""
    _check_twice(holes, board)
    try:
        state = replay(rules, holes, board, actions)
    except IllegalAction as error:
        raise BadHand(SkipReason.ILLEGAL_ACTION, str(error)) from None
    except BadInput as error:
        raise BadHand(SkipReason.WRONG_BOARD, str(error)) from None
    ending = _ended(actions, state)
    ending.learn(ending._order(holes, board), state)
    return ending


def reported_ending(
    rules: Rules, report: Sequence[int], holes: Holes, board: Board, names: Sequence[str] = ()
) -> Ending:
    """Play a reported hand (`railbird.game.engine.reported`) to its end.

    ``names`` stand for the seats in messages. Raises `BadHand` as `ending_of` does, and for amounts
    that differ from the engine's.
    """
    try:
        state, actions = replay_reported(rules, holes, board, report, names)
    except IllegalAction as error:
        raise BadHand(SkipReason.ILLEGAL_ACTION, str(error)) from None
    except BadInput as error:
        _check_twice(holes, board)
        raise BadHand(SkipReason.WRONG_BOARD, str(error)) from None
    return _ended(actions, state)


def _ended(actions: tuple[Action, ...], state: HandState) -> Ending:
    match state.phase:
        case Phase.SHOWDOWN | Phase.OVER:
            in_hand = state.in_hand
            return Ending(actions, in_hand if len(in_hand) > 1 else (), state)
        case Phase.DEAL_BOARD:
            raise BadHand(
                SkipReason.WRONG_BOARD, f"{len(state.board)} cards on the board are not enough"
            )
        case _:
            raise BadHand(
                SkipReason.UNFINISHED,
                f"seat {state.actor} is to act ({state.street.name.lower()})",
            )


def _check_twice(holes: Holes, board: Board) -> None:
    cards = [*board]
    for hole in holes:
        if hole is not None:
            cards += _CARDS_OF[hole]
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise BadHand(SkipReason.DUPLICATE_CARD, f"{format_card(twice)} comes twice")


def confirm(record: HandRecord, rules: Rules) -> None:
    """Raise `BadHand` unless a hand pays the same under other rules."""
    if record.rake and rules.rake is None:
        raise BadHand(SkipReason.NOT_REPRESENTABLE, f"a rake of {record.rake}")
    if rules == record.rules:
        return
    if not same_stakes(rules, record.rules):
        raise BadHand(SkipReason.NOT_REPRESENTABLE, "antes or stakes that it does not express")
    ending = ending_of(rules, record.actions, record.holes, record.board)
    ending.settle(record.holes, record.board, amounts_of(record.payoffs))
