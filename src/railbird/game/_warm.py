"""Compile this room's kernels by calling each on trivial input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from railbird.cards import Holding, parse_cards, parse_holding
from railbird.game.actions import Act, Call, DealBoard, DealHoles, Event
from railbird.game.deal import AcpcDealer, seeded_deals
from railbird.game.play import act, replay, showdown, start, step
from railbird.game.reported import FOLD, NOT_STATED, replay_reported
from railbird.game.rules import HEADS_UP_LIMIT, no_limit_holdem
from railbird.game.state import initial, pots, refusal
from railbird.game.view import public
from railbird.units import Seat

_HOLES = (parse_holding("2c2d"), parse_holding("AcAd"))
_FOLD = (1, FOLD, NOT_STATED, NOT_STATED)
_BOARD = parse_cards("3h6s8hTcKs")


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Return names and functions; calling each compiles some of the room's kernels."""
    return [
        ("dealing", _deal),
        # The first hand is shown; the other is mucked if it is worse.
        ("events", lambda: (_events(_HOLES), _events(_HOLES[::-1]))),
        ("actions", _actions),
        ("replay", lambda: replay(HEADS_UP_LIMIT, _HOLES, _BOARD, (Call(),) * 8)),
        ("reported hands", lambda: replay_reported(HEADS_UP_LIMIT, _HOLES, (), _FOLD)),
        ("side pots", _side_pots),
    ]


def _deal() -> object:
    return seeded_deals(np.random.default_rng(0), 2, 1), AcpcDealer(0).deals(2, 1)


def _events(holes: tuple[Holding, Holding]) -> object:
    checks = [Act(Seat(0), Call()), Act(Seat(1), Call())]
    log: list[Event] = [DealHoles(holes), *reversed(checks)]
    for street in (_BOARD[:3], _BOARD[3:4], _BOARD[4:]):
        log += [DealBoard(street), *checks]
    state = initial(HEADS_UP_LIMIT)
    for event in log:
        state = step(state, event)
    for shown in showdown(state):
        state = step(state, shown)
    return public(state)


def _actions() -> object:
    row = seeded_deals(np.random.default_rng(0), 2, 1)[0]
    state = start(HEADS_UP_LIMIT, row)
    return refusal(state, Call()), act(state, Call()), act(state, Call(), row)


def _side_pots() -> object:
    short = no_limit_holdem(3, blinds=(50, 100), stack=(1000, 60, 1000))
    return pots(step(initial(short), DealHoles((None,) * 3)))
