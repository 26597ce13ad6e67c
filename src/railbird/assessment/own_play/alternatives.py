"""Values of everything that one could have done in a decision, by the baseline with all cards seen.

The value of an action does not depend on what came after it, so each alternative is scored in a
hand that goes on in any legal way: everybody checks, or folds to a bet.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from railbird.assessment.decision_divat.scorer import scorable, values_of
from railbird.assessment.decision_divat.settings import baseline_for
from railbird.cards import DECK, Card, cards_of
from railbird.game import (
    Action,
    Betting,
    Call,
    Fold,
    HandDealer,
    HandState,
    Raise,
    legal,
    payoffs,
)
from railbird.histories import HandRecord
from railbird.histories.columns import batch_of
from railbird.players.explanation import action_words
from railbird.units import Chips

_BOARDS = 1_000
"""Boards before the flop; the same for all alternatives."""


class Alternative(NamedTuple):
    """Something that one could have done."""

    action: Action
    words: str
    value: float
    """In the unit of the game, beside the baseline's choice."""


def alternatives(record: HandRecord, act: int) -> list[Alternative]:
    """Value the actions that were possible in place of action ``act``, counted from 0.

    The sizes of a bet or raise are the one that was played, the smallest, the pot and all-in. Empty
    where some card of the hand is not known.
    """
    if not bool(scorable(batch_of([record]))[0]):
        return []
    state = _before(record, act)
    seat = state.actor
    assert seat is not None
    policy = baseline_for(record.rules)
    unit = float(record.rules.chips_per_unit)
    found = []
    for action in _possible(state, record.actions[act]):
        batch = batch_of([_gone_on(record, act, action)])
        values = values_of(batch, policy, boards=_BOARDS)
        worth = float(values.decisions[act, seat]) / unit
        found.append(Alternative(action, action_words(action, state), worth))
    return found


def _before(record: HandRecord, act: int) -> HandState:
    dealer = HandDealer(record.rules, record.holes, record.board)
    dealer.begin()
    for action in record.actions[:act]:
        dealer.act(action)
    return dealer.state


def _possible(state: HandState, played: Action) -> list[Action]:
    allowed = legal(state)
    found: list[Action] = [Fold()] if state.to_call else []
    found.append(Call())
    low, high = allowed.min_raise_to, allowed.max_raise_to
    if low is None or high is None:
        return found
    sizes = {low}
    if state.rules.betting is not Betting.LIMIT:
        pot = state.bet + state.pot + state.to_call
        sizes |= {min(max(low, Chips(pot)), high), high}
    if isinstance(played, Raise):
        sizes.add(played.to)
    return [*found, *(Raise(size) for size in sorted(sizes))]


def _gone_on(record: HandRecord, act: int, action: Action) -> HandRecord:
    """Return the hand with another action, after which nobody bets."""
    held = {card for hole in record.holes if hole is not None for card in cards_of(hole)}
    rest = (Card(card) for card in range(len(DECK)))
    unseen = [card for card in rest if card not in held and card not in record.board]
    board = (*record.board, *unseen)[:5]
    dealer = HandDealer(record.rules, record.holes, board)
    dealer.begin()
    actions = [*record.actions[:act], action]
    for one in actions:
        dealer.act(one)
    while dealer.asks is not None:
        then: Action = Fold() if dealer.state.to_call else Call()
        dealer.act(then)
        actions.append(then)
    dealt = tuple(dealer.state.board)
    paid = tuple(map(Fraction, payoffs(dealer.state)))
    return replace(record, actions=tuple(actions), board=dealt, payoffs=paid)
