"""Algorithms 1 and 2 of Kan's thesis as they are printed, with fractions and without tables.

Hand ranks are counted over the opponent's holdings one board at a time; nothing here is shared
with the kernels but the strength of seven cards and the (tested) letters of a baseline round.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np

from railbird.assessment.divat.any_game import ValuePolicy, percentiles
from railbird.baseline import (
    BET_SIZES,
    BaselineClass,
    BaselineSettings,
    BettingLine,
    SizedBy,
    baseline_line,
    classify,
    exact,
)
from railbird.cards import Card, Holding, cards_of, strength, strengths
from railbird.game import (
    Action,
    Betting,
    Call,
    DealBoard,
    Fold,
    HandState,
    Phase,
    Raise,
    act,
    legal,
    payoffs,
    step,
)
from railbird.game.rules import Street
from railbird.odds import hand_rank
from railbird.units import Chips, Seat

Board = tuple[Card, ...]
Pair = tuple[Holding, Holding]


def deck_without(*gone: Card) -> list[Card]:
    """The cards that are left."""
    return [Card(card) for card in range(52) if card not in gone]


@lru_cache(maxsize=1 << 16)
def immediate_rank(holding: Holding, board: frozenset[Card]) -> Fraction:
    """IHR after the flop: (ahead + tied / 2) / all against every holding of one opponent."""
    own = cards_of(holding)
    others = np.array(list(combinations(deck_without(*own, *board), 2)), dtype=np.uint8)
    table = np.broadcast_to(np.array(sorted(board), np.uint8), (len(others), len(board)))
    theirs = strengths(np.hstack([others, table]))
    mine = strength([*own, *sorted(board)])
    ahead, tied = int((theirs < mine).sum()), int((theirs == mine).sum())
    return Fraction(2 * ahead + tied, 2 * len(others))


@lru_cache(maxsize=1 << 12)
def final_rank(holding: Holding, board: frozenset[Card]) -> Fraction:
    """7cHR after the flop: the mean IHR over all completions of the board."""
    left = deck_without(*cards_of(holding), *board)
    ranks = [
        immediate_rank(holding, board.union(more)) for more in combinations(left, 5 - len(board))
    ]
    return sum(ranks, Fraction(0)) / len(ranks)


def effective_rank(holding: Holding, board: Board, settings: BaselineSettings) -> Fraction:
    """EHR after the flop."""
    street = Street(len(board) - 2)
    now, later = immediate_rank(holding, frozenset(board)), final_rank(holding, frozenset(board))
    if max(now, later) > exact(settings[street].make[0]):
        return max(now, later)
    return (now + later) / 2 if street is Street.FLOP else later


def baseline_of(
    pair: Pair, board: Board, contribution: int, settings: BaselineSettings
) -> BettingLine:
    """The round that the baseline plays on this board (Algorithm 1, line 11)."""
    street = Street(len(board) - 2)
    first, second = (
        classify(settings, street, effective_rank(holding, board, settings), contribution)
        for holding in pair
    )
    return baseline_line(street, first, second)


def rollout(pair: Pair, board: Board, contribution: int, settings: BaselineSettings) -> Fraction:
    """Player 1's rollout equity at the end of a round after the flop (Algorithm 1)."""
    if len(board) == 5:
        one, two = (strength([*cards_of(holding), *board]) for holding in pair)
        return Fraction((one > two) - (one < two)) * contribution
    total, cards = Fraction(0), deck_without(*cards_of(pair[0]), *cards_of(pair[1]), *board)
    for card in cards:
        total += value_of_deal(pair, (*board, card), contribution, settings)
    return total / len(cards)


def value_of_deal(
    pair: Pair, board: Board, contribution: int, settings: BaselineSettings
) -> Fraction:
    """Rollout equity just after a card: the baseline plays the round, then all that follows."""
    line = baseline_of(pair, board, contribution, settings)
    return after_line(pair, board, contribution, line, settings)


def after_line(
    pair: Pair, board: Board, contribution: int, line: BettingLine, settings: BaselineSettings
) -> Fraction:
    """Rollout equity after a round of betting."""
    paid = contribution + BET_SIZES[len(board) - 2] * line.level
    if line.folded_by is not None:
        return Fraction(paid if line.folded_by else -paid)
    return rollout(pair, board, paid, settings)


def difference(
    pair: Pair, board: Board, contribution: int, actual: BettingLine, settings: BaselineSettings
) -> Fraction:
    """DIVAT difference of one round after the flop for player 1 (Algorithm 2)."""
    base = value_of_deal(pair, board, contribution, settings)
    return after_line(pair, board, contribution, actual, settings) - base


def line_of(street: Street, text: str) -> BettingLine:
    """A finished round of betting from its letters."""
    return baseline_line(street, BaselineClass.CALL, BaselineClass.CALL, after=text)


def dcash(pair: Pair, board: Board, preflop: BettingLine, settings: BaselineSettings) -> Fraction:
    """Player 1's result if the baseline plays from the beginning, on a hand's board.

    ``preflop`` is its round before the flop; what was not dealt is rolled out.
    """
    lines, contribution = [preflop], 0
    for street in Street:
        if street > 0:
            if len(board) < street + 2:
                break
            lines.append(baseline_of(pair, board[: street + 2], contribution, settings))
        contribution += BET_SIZES[street] * lines[-1].level
        if lines[-1].folded_by is not None:
            lost = Fraction(contribution) if contribution else Fraction(1, 2)
            return lost if lines[-1].folded_by else -lost
    return rollout(pair, board, contribution, settings)


# Values of a hand by the readable engine, one card after the other, as the definition has them.


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
    if policy.folds is not None and state.to_call:
        owed = -(-state.to_call // state.rules.bet_sizes[street])
        threshold = policy.folds[min(owed, len(policy.folds)) - 1]
    if state.to_call and strength < threshold:
        return Fold()
    allowed = legal(state)
    if (
        bets < _MOST_BETS
        and allowed.min_raise_to is not None
        and strength >= policy.make[street][bets]
    ):
        worth = sum(strength >= each for each in policy.make[street])
        place = worth - 1 if policy.sized_by is SizedBy.HAND else bets
        return _raise(state, seat, policy, policy.sizes[place])
    return Call()


def _raise(state: HandState, seat: Seat, policy: ValuePolicy, pots: float) -> Raise:
    allowed = legal(state)
    low, high = allowed.min_raise_to, allowed.max_raise_to
    assert low is not None
    assert high is not None
    if state.rules.betting is Betting.LIMIT:
        return Raise(low)
    size = min(pots * (state.pot + state.to_call), high)
    to = min(max(low, state.bet + int(size)), high)
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
