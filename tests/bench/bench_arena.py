"""Hands per second of matches, beside the engines that are installed.

Two games: heads-up limit, always-raise against always-call, who change seats after every hand; and
six-handed no-limit with 200 big blinds, one who always makes the smallest raise and five callers.
The peers play the same actions by their own rules, without players, views, records or logs (rlcard
knows no smallest raise and bets half the pot).
"""

from __future__ import annotations

import importlib
import importlib.util
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.goals import Goal, Row
from bench.peers import rlcard_limit
from bench.timing import least
from railbird.arena import Loop, Match, Seating, play
from railbird.game import HEADS_UP_LIMIT, acpc_rules, no_limit_holdem, seeded_deals

Play = Callable[[int], object]
"""Plays so many hands."""

LIMIT = Match(
    players=("always-raise", "always-call"), rules=HEADS_UP_LIMIT, deals=2_000, seed=1, chunk=1_000
)
SIX = Match(
    players=("always-raise", *("always-call",) * 5),
    rules=acpc_rules(no_limit_holdem(6, blinds=(50, 100), stack=20_000)),
    deals=600,
    seed=1,
    chunk=600,
)
BASELINE = replace(LIMIT, players=("baseline", "random"), seating=Seating.DUPLICATE)

GOALS = (
    Goal("ours: limit, Python players", "OpenSpiel: limit", 1.0),
    Goal("ours: limit, Python players", "rlcard: limit", 10),
    Goal("ours: limit, Python players", "pokerkit: limit", 200),
    Goal("ours: no-limit, six, Python players", "OpenSpiel: no-limit, six", 1.0),
    Goal("ours: no-limit, six, Python players", "rlcard: no-limit, six", 20),
    Goal("ours: no-limit, six, Python players", "pokerkit: no-limit, six", 250),
)


def rows() -> list[Row]:
    """Label, figure and unit; each the best of several runs."""
    return [*_ours(), *_peers()]


def _ours() -> Iterator[Row]:
    for label, match in (("limit", LIMIT), ("no-limit, six", SIX)):
        yield _rate(f"ours: {label}, Python players", match, Loop.PYTHON)
        yield _rate(f"ours: {label}, compiled", _longer(match), Loop.COMPILED)
    yield _rate("ours: baseline v random, Python players", BASELINE, Loop.PYTHON)
    yield _rate("ours: baseline v random, compiled", _longer(BASELINE), Loop.COMPILED)
    with tempfile.TemporaryDirectory() as folder:
        best = max(
            play(replace(LIMIT, deals=20_000), log=Path(folder) / str(run)).hands_per_s
            for run in range(3)
        )
        yield "ours: limit, compiled, with a log", best, "hands/s"
    yield from _workers()


def _longer(match: Match) -> Match:
    return replace(match, deals=100 * match.deals)


def _rate(label: str, match: Match, loop: Loop) -> Row:
    play(replace(match, deals=10), loop=loop)
    return label, max(play(match, loop=loop).hands_per_s for _ in range(5)), "hands/s"


def _workers() -> Iterator[Row]:
    """Python players in one process and in two, from the first chunk that comes back."""
    one, two = (max(_steady(workers) for _ in range(3)) for workers in (1, 2))
    yield "ours: limit, Python players, two workers", two, "hands/s"
    yield "two workers to one", two / one, "times"


def _steady(workers: int) -> float:
    told: list[tuple[float, int]] = []
    play(
        replace(LIMIT, deals=60_000),
        workers=workers,
        loop=Loop.PYTHON,
        progress=lambda done, _total, _what: told.append((time.perf_counter(), done)),
    )
    (begun, first), (ended, last) = told[0], told[-1]
    return (last - first) / (ended - begun)


def _peers() -> Iterator[Row]:
    peers: dict[str, list[tuple[str, Play, int]]] = {
        "pokerkit": [
            ("pokerkit: limit", _pokerkit_limit, 30),
            ("pokerkit: no-limit, six", _pokerkit_six, 10),
        ],
        "rlcard": [
            ("rlcard: limit", rlcard_limit, 400),
            ("rlcard: no-limit, six", _rlcard_six, 100),
        ],
        "pyspiel": [
            ("OpenSpiel: limit", _spiel_limit, 3_000),
            ("OpenSpiel: no-limit, six", _spiel_six, 2_000),
        ],
    }
    for module, games in peers.items():
        if importlib.util.find_spec(module):
            yield from ((label, _speed(run, hands), "hands/s") for label, run, hands in games)


def _speed(run: Play, hands: int) -> float:
    """Hands a second of the fastest run; the first may compile."""
    return hands / least(lambda: run(hands), times=6)


def _pokerkit_limit(hands: int) -> None:
    from pokerkit import Automation, FixedLimitTexasHoldem

    for hand in range(hands):
        state = FixedLimitTexasHoldem.create_state(
            tuple(Automation), True, 0, (5, 10), 10, 20, 10_000, 2
        )
        while state.status:
            if state.actor_index == hand % 2 and state.can_complete_bet_or_raise_to():
                state.complete_bet_or_raise_to()
            else:
                state.check_or_call()


def _pokerkit_six(hands: int) -> None:
    from pokerkit import Automation, NoLimitTexasHoldem

    for hand in range(hands):
        state = NoLimitTexasHoldem.create_state(
            tuple(Automation), True, 0, (50, 100), 100, 20_000, 6
        )
        while state.status:
            if state.actor_index == hand % 6 and state.can_complete_bet_or_raise_to():
                state.complete_bet_or_raise_to()
            else:
                state.check_or_call()


def _rlcard_six(hands: int) -> None:
    from rlcard.games.nolimitholdem import Game
    from rlcard.games.nolimitholdem.round import Action

    for hand in range(hands):
        game = Game(num_players=6)
        _, player = game.init_game()
        stage, raised = None, False
        while not game.is_over():
            raised = raised and stage == game.stage
            stage = game.stage
            raises = (
                player == hand % 6
                and not raised
                and Action.RAISE_HALF_POT in game.get_legal_actions()
            )
            raised = raised or raises
            _, player = game.step(Action.RAISE_HALF_POT if raises else Action.CHECK_CALL)


def _spiel_limit(hands: int) -> None:
    game = _spiel_game("limit", 2, "blind=10 5,firstPlayer=2 1 1 1,raiseSize=10 10 20 20")
    for hand, deck in enumerate(_decks(2, hands)):
        state, cards = game.new_initial_state(), iter(deck)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(next(cards))
            else:
                raises = state.current_player() == hand % 2 and 2 in state.legal_actions()
                state.apply_action(2 if raises else 1)
        state.returns()


def _spiel_six(hands: int) -> None:
    """To ask for the legal actions is left out: there are up to 19,900 each time."""
    game = _spiel_game("nolimit", 6, f"blind=50 100{4 * ' 0'},firstPlayer=3 1 1 1")
    for hand, deck in enumerate(_decks(6, hands)):
        state, cards = game.new_initial_state(), iter(deck)
        to, raised = 100, False
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(next(cards))
                raised = False
            elif state.current_player() == hand % 6 and not raised:
                to, raised = to + 100, True
                state.apply_action(to)
            else:
                state.apply_action(1)
        state.returns()


def _spiel_game(betting: str, seats: int, more: str) -> Any:
    return importlib.import_module("pyspiel").load_game(
        f"universal_poker(betting={betting},numPlayers={seats},{more},maxRaises=3 4 4 4,"
        f"stack={' '.join(['20000'] * seats)},bettingAbstraction=fullgame,numSuits=4,numRanks=13,"
        "numHoleCards=2,numRounds=4,numBoardCards=0 3 1 1)"
    )


def _decks(seats: int, hands: int) -> list[list[int]]:
    decks: list[list[int]] = seeded_deals(np.random.default_rng(1), seats, hands).tolist()
    return decks
