"""Selective sampling: simulate the hand after a call and after a raise, and take the better.

The opponents' holdings are sampled by their weights in the model, so that likely hands are
simulated (Billings et al. 1999). Later actions are drawn from what is believed of each player; of
the actor, calling down is tried as well, and the better counts (parallel roll-outs, Chang, Givan
and Chong 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDINGS, Holding
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK
from railbird.game import Betting, HandState, Rules, Street
from railbird.modelling.learned.action_model import Facts, Table
from railbird.modelling.learned.situations import later_classes
from railbird.odds.tables.rank_tables import IHR_WHOLE, open_tables
from railbird.players.compiled.splitmix import SplitMix64
from railbird.players.loki.rules.betting import Rule, RuleDecision
from railbird.players.loki.rules.spot import Verb, most_raises
from railbird.players.loki.simulation._kernels_simulation import (
    Beliefs,
    Position,
    Ranks,
    RankTable,
    accumulate,
    simulate,
)
from railbird.units import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Expected gains of actions from here on, in chips; folding gains 0."""

    call: float
    bet: float
    """Or raise."""
    trials: int
    """Number of deals simulated."""

    def decision(self, *, to_call: int) -> RuleDecision:
        """Return the better action; a call that costs something must have a positive gain."""
        if self.bet > self.call and (self.bet > 0 or not to_call):
            return RuleDecision(Verb.RAISE, Rule.SIMULATION)
        stays = not to_call or self.call > 0
        return RuleDecision(Verb.CALL if stays else Verb.FOLD, Rule.SIMULATION)


class FurtherFacts(NamedTuple):
    """What further facts say of everybody's actions, and who has raised."""

    facts: Facts
    raised_before: int
    """Mask of the seats that bet or raised on the street before."""
    raised: int
    """The same on this street."""


def can_simulate(rules: Rules) -> bool:
    """Return whether the simulation supports the rules: limit, with unlimited stacks."""
    return rules.betting is Betting.LIMIT and rules.stacks is None


def expected(
    state: HandState,
    seat: Seat,
    holding: Holding,
    weights: Sequence[NDArray[np.float64]],
    actions: Sequence[Table],
    further: FurtherFacts,
    *,
    trials: int,
    stream: SplitMix64,
) -> Expected:
    """Simulate ``trials`` deals for the seat to act, from the flop on.

    ``weights`` (1326,) and ``actions``, as `ActionModel.later` has them for each type, are those of
    each seat still in, in order; the actor's own weights are ignored. ``further`` is what further
    facts say of the actions.
    """
    order = _in_turn(state)
    places = [state.in_hand.index(player) for player in order]
    pending = state.pending
    put_in = state.street_bets
    position = Position(
        board=np.array(state.board, np.uint8),
        actor=order.index(seat),
        put_in=np.array([float(put_in[player]) for player in order]),
        pot=float(state.pot),
        bets=state.raises,
        sizes=np.array(state.rules.bet_sizes, np.float64),
        caps=np.array([most_raises(state.rules, street) for street in Street]),
        pending=np.array([player in pending for player in order]),
        raised_before=np.array([further.raised_before >> player & 1 != 0 for player in order]),
        raised=np.array([further.raised >> player & 1 != 0 for player in order]),
    )
    cumulative = np.empty((len(order), HOLDINGS))
    for place, sums in zip(places, cumulative, strict=True):
        accumulate(weights[place], CARD_MASK[list(state.board)].sum(), sums)
    beliefs = Beliefs(
        holding=holding,
        cumulative=cumulative,
        actions=np.array(actions),
        seats=np.array(places),
        facts=further.facts,
    )
    ranks = Ranks(later_classes(tuple(sorted(state.board))), *rank_tables())
    streams = np.array([stream.state], np.uint64)
    done, call, bet = simulate(streams, 0, trials, position, beliefs, ranks)
    stream.state = int(streams[0])
    return Expected(call=call, bet=bet, trials=done)


@cache
def rank_tables() -> tuple[RankTable, RankTable]:
    """Return the tables for boards of four and of five cards."""
    tables = open_tables()
    return (
        RankTable(tables.turn_start, tables.turn_pattern, tables.turn_ihr, IHR_WHOLE[Street.TURN]),
        RankTable(
            tables.river_start, tables.river_pattern, tables.river_ihr, IHR_WHOLE[Street.RIVER]
        ),
    )


def _in_turn(state: HandState) -> tuple[Seat, ...]:
    """Return the seats still in, in the order of action after the flop."""
    first, seats = state.rules.first_to_act[Street.RIVER], state.rules.seats
    return tuple(sorted(state.in_hand, key=lambda seat: (seat - first) % seats))
