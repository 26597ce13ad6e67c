"""Preparation before the first hand: compiling every kernel and opening the tables."""

from __future__ import annotations

from functools import cache

import numpy as np

from railbird.cards import Card, Holding
from railbird.modelling import Frequencies
from railbird.modelling.learned.action_model import NO_FACTS
from railbird.modelling.learned.situations import later_classes
from railbird.modelling.reweighting import ANYTHING, field_scale
from railbird.players.loki.simulation._kernels_simulation import (
    Beliefs,
    Position,
    Ranks,
    simulate,
)
from railbird.players.loki.simulation.selective_sampling import rank_tables
from railbird.players.loki.simulation.triples import actions_by
from railbird.players.loki.strength import worth

_HELD = Holding(0)
_BOARD = tuple(map(Card, (20, 25, 30, 35, 40)))


@cache
def make_ready() -> None:
    """Call every kernel once; build the hand-rank tables if they are missing."""
    anything = ANYTHING.weights
    for known in (3, 4, 5):
        worth(_HELD, _BOARD[:known], anything, opponents=1)
        field_scale((ANYTHING,), _BOARD[:known])
    position = Position(
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
    beliefs = Beliefs(
        holding=_HELD,
        cumulative=np.cumsum([anything, anything], axis=1),
        actions=np.array([actions_by(Frequencies())] * 2),
        seats=np.arange(2),
        facts=NO_FACTS,
    )
    ranks = Ranks(later_classes(_BOARD), *rank_tables())
    simulate(np.zeros(1, np.uint64), 0, 1, position, beliefs, ranks)
