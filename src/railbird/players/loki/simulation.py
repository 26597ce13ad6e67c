"""Selective sampling in limit hold'em: simulate a call and a raise, and take the better one.

Opponents' holdings are sampled by their weights in the model, so that likely hands are simulated
(Billings et al. 1999). Later actions are drawn from what is believed about each player. For the
actor, calling down is tried as well, and the better of the two counts (parallel roll-outs; Chang,
Givan and Chong 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.cards import HOLDINGS, Card, Holding
from railbird.cards.tables import CARD_MASK
from railbird.errors import BadInput
from railbird.game import ActionKind, Betting, HandState, Rules, Street
from railbird.modelling.learned import NO_FACTS, Facts, Table, later_classes
from railbird.modelling.learned_kernels import IN, LEVELS, OPPONENTS, POTENTIALS
from railbird.modelling.reweighting import ANYTHING, field_scale
from railbird.modelling.tracker import BETS, Frequencies, Shares
from railbird.odds.rank_tables import IHR_WHOLE, open_tables
from railbird.players.loki import simulation_kernels
from railbird.players.loki.preflop import most_raises
from railbird.players.loki.rules import LokiRule, RuleDecision, worth
from railbird.players.loki.simulation_kernels import (
    PublicState,
    RankTable,
    TrialBeliefs,
    TrialRanks,
    accumulate,
    simulate,
)
from railbird.players.seeds import SplitMix64
from railbird.units import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The expected gain of each action from here on, in chips; folding gains 0."""

    call: float
    bet: float
    """The expected gain of a bet or a raise."""
    trials: int
    """How many deals were simulated."""

    def decision(self, *, to_call: int) -> RuleDecision:
        """Return the better action; a call that costs something must gain more than 0."""
        if self.bet > self.call and (self.bet > 0 or not to_call):
            return RuleDecision(ActionKind.RAISE, LokiRule.SIMULATION)
        stays = not to_call or self.call > 0
        return RuleDecision(ActionKind.CALL if stays else ActionKind.FOLD, LokiRule.SIMULATION)


class FurtherFacts(NamedTuple):
    """The factors of further facts on everybody's actions, and who has raised."""

    facts: Facts
    raised_before: int
    """Mask of the seats that bet or raised on the previous street."""
    raised: int
    """Mask of the seats that have bet or raised on this street."""


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

    ``weights`` (1326,) and ``actions`` (as in `ActionModel.later` for one type) are given for each
    seat still in, in order; the actor's own weights are ignored. ``further`` are the factors of
    further facts.
    """
    order = _in_turn(state)
    places = [state.in_hand.index(player) for player in order]
    pending = state.pending
    put_in = state.street_bets
    position = PublicState(
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
    beliefs = TrialBeliefs(
        holding=holding,
        cumulative=cumulative,
        actions=np.array(actions),
        seats=np.array(places),
        facts=further.facts,
    )
    ranks = TrialRanks(later_classes(tuple(sorted(state.board))), *rank_tables())
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
    """Return the seats still in, in the order in which they act after the flop."""
    first, seats = state.rules.first_to_act[Street.RIVER], state.rules.seats
    return tuple(sorted(state.in_hand, key=lambda seat: (seat - first) % seats))


# Probability triples: the probabilities of fold, call and raise (Billings et al. 1999).


@dataclass(frozen=True, slots=True)
class Triple:
    """Probabilities of fold, call and bet, which sum to one."""

    fold: float
    call: float
    bet: float
    """Probability of a bet or a raise."""


def triple(rank: float, frequencies: ArrayLike) -> Triple:
    """Return the probabilities of a player's actions with a hand that beats ``rank`` of the others.

    ``frequencies`` (3,) are those of fold, call and raise in this context, over all hands. This is
    the opponent model turned around: the best hands raise and the next best call, and the
    boundaries between them are as wide as the model's spread.

    >>> triple(0.97, [0.5, 0.3, 0.2])
    Triple(fold=0.0, call=0.0, bet=1.0)
    >>> triple(0.65, [0.5, 0.3, 0.2]).call
    0.875

    Raises `BadInput` if the frequencies are not three shares that sum to one.
    """
    shares = np.array(frequencies, np.float64)
    if shares.shape != (3,) or shares.min() < 0 or not np.isclose(shares.sum(), 1):
        raise BadInput(f"frequencies {shares}; allowed: three that add up to 1")
    return Triple(*map(float, simulation_kernels.triple(rank, shares)))


def actions_by(habits: Frequencies) -> Table:
    """Return the triples for every situation and strength class from the flop on.

    The table is (rows, classes, 3), like `ActionModel.later` for one type. Potential and the number
    of opponents do not matter, and a class is represented by its middle rank.
    """
    contexts = [(street, bets) for street in list(Street)[1:] for bets in range(BETS)]
    return np.concatenate([_rows_of(habits.of(*context)) for context in contexts])


@lru_cache(maxsize=1 << 10)
def _rows_of(shares: Shares) -> Table:
    """Return the rows of one street and number of bets to call, (rows, classes, 3)."""
    given = np.array(shares)
    levels = [simulation_kernels.triple((level + 0.5) / LEVELS, given) for level in range(LEVELS)]
    by_class = np.repeat(levels, len(POTENTIALS) + 1, axis=0)
    return np.broadcast_to(by_class, (OPPONENTS * IN, len(by_class), len(ActionKind)))


# Getting ready before the first hand: compiling every kernel, and opening the tables.


_HELD = Holding(0)
_BOARD = tuple(map(Card, (20, 25, 30, 35, 40)))


@cache
def make_ready() -> None:
    """Call every kernel once, and build the hand-rank tables if they are missing."""
    anything = ANYTHING.weights
    for known in (3, 4, 5):
        worth(_HELD, _BOARD[:known], anything, opponents=1)
        field_scale((ANYTHING,), _BOARD[:known])
    position = PublicState(
        board=np.array(_BOARD, np.uint8),
        actor=0,
        put_in=np.zeros(2),
        pot=1.0,
        bets=0,
        sizes=np.ones(4),
        caps=np.full(4, 4),
        pending=np.ones(2, np.bool_),
        raised_before=np.zeros(2, np.bool_),
        raised=np.zeros(2, np.bool_),
    )
    beliefs = TrialBeliefs(
        holding=_HELD,
        cumulative=np.cumsum([anything, anything], axis=1),
        actions=np.array([actions_by(Frequencies())] * 2),
        seats=np.arange(2),
        facts=NO_FACTS,
    )
    ranks = TrialRanks(later_classes(_BOARD), *rank_tables())
    simulate(np.zeros(1, np.uint64), 0, 1, position, beliefs, ranks)
