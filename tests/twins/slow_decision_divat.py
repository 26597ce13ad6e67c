"""Values of a hand by the readable engine, one card after the other, as the definition has them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from railbird.assessment.decision_divat.scorer import percentiles
from railbird.assessment.decision_divat.settings import ValuePolicy
from railbird.cards import Card, Holding, cards_of
from railbird.game import (
    Action,
    Betting,
    Call,
    DealBoard,
    Fold,
    HandState,
    Phase,
    Raise,
    Street,
    act,
    legal,
    payoffs,
    step,
)
from railbird.odds import hand_rank
from railbird.units import Chips, Seat

Board = tuple[Card, ...]
_MOST_BETS = 4


@lru_cache(maxsize=1 << 16)
def rank_of(holding: Holding, board: Board, bettable: float) -> float:
    """Percentile before the flop, effective hand rank on flop and turn, IHR on the river."""
    if not board:
        return float(percentiles()[holding])
    found = hand_rank(holding, board)
    if len(board) == 5:
        return float(found.ihr)
    larger = max(found.ihr, found.hr7)
    if larger > bettable:
        return float(larger)
    return float((found.ihr + found.hr7) / 2 if len(board) == 3 else found.hr7)


def choice(state: HandState, policy: ValuePolicy) -> Action:
    """What the policy does for the seat to act."""
    if policy.calls_down:
        return Call()
    seat, street = state.actor, state.street
    assert seat is not None
    holding = state.holdings[seat]
    assert holding is not None
    board = tuple(sorted(state.board))
    rank = rank_of(holding, board, policy.make[street][0])
    strength = rank ** (1 + policy.gamma * (len(state.in_hand) - 2))
    bets = state.raises + (street is Street.PREFLOP)
    threshold = (
        policy.fold_multiplier[state.street] * state.to_call / state.pot + policy.offset[street]
    )
    if state.to_call and strength < threshold:
        return Fold()
    allowed = legal(state)
    if (
        bets < _MOST_BETS
        and allowed.min_raise_to is not None
        and strength >= policy.make[street][bets]
    ):
        return _raise(state, seat, policy)
    return Call()


def _raise(state: HandState, seat: Seat, policy: ValuePolicy) -> Raise:
    allowed = legal(state)
    low, high = allowed.min_raise_to, allowed.max_raise_to
    assert low is not None
    assert high is not None
    if state.rules.betting is Betting.LIMIT:
        return Raise(low)
    size = int(policy.fraction * (state.pot + state.to_call))
    to = min(max(low, state.bet + size), high)
    assert state.stacks is not None
    all_in = to - state.street_bets[seat] > policy.commit * state.stacks[seat]
    return Raise(Chips(high if all_in else to))


def value(state: HandState, policy: ValuePolicy) -> tuple[Fraction, ...]:
    """The mean payoff by seat if the policy plays on, over every card that may come."""
    while state.phase is Phase.BETTING:
        state = act(state, choice(state, policy))
    if state.phase is not Phase.DEAL_BOARD:
        return payoffs(state)
    gone = {card for hole in state.holdings if hole is not None for card in cards_of(hole)}
    left = [Card(card) for card in range(52) if card not in gone.union(state.board)]
    values = [value(step(state, DealBoard((card,))), policy) for card in left]
    return tuple(sum(column, Fraction(0)) / len(left) for column in zip(*values, strict=True))


def changes(
    states: Mapping[int, HandState], after: Mapping[int, HandState], policy: ValuePolicy
) -> dict[int, tuple[Fraction, ...]]:
    """By action, what it changed: the value after it less the value before it."""
    return {
        i: tuple(
            new - old
            for new, old in zip(value(after[i], policy), value(states[i], policy), strict=True)
        )
        for i in states
    }
