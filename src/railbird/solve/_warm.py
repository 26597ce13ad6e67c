"""Compile the kernels of this room for any game, each by a call that does almost nothing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from railbird.baseline import STANDARD
from railbird.cards import CLASSES, HOLDINGS
from railbird.cards.isomorphism import board_classes
from railbird.game.rules import BOARD_CARDS
from railbird.solve.abstraction.buckets import (
    BucketAbstraction,
    count_rivers,
    fill_pot_shares,
    run_outs,
)
from railbird.solve.abstraction.card_abstraction import CardBlind
from railbird.solve.abstraction.kernels import GROUPS, river_histogram, turn_histogram
from railbird.solve.abstraction.percentile import (
    SHIFTS,
    PercentileAbstraction,
    count_showdowns_after,
    open_values,
)
from railbird.solve.cfr import solve
from railbird.solve.kernels import ORDER_WIDTH, ORDERS, orders_against, visit_deals
from railbird.solve.limit.betting_tree import CALL, BettingTree, LimitBetting, limit_tree
from railbird.solve.limit.matrix_cfr import MatrixSolver
from railbird.solve.limit.sampling import PublicChanceSolver, SampledSolver
from railbird.solve.limit.solving import holdem_game
from railbird.solve.limit.strategy import kuhn_states
from railbird.solve.nolimit.betting import nolimit_tree
from railbird.solve.nolimit.solving import Dealer
from railbird.solve.nolimit.strategy import Depth
from railbird.solve.nolimit.values import find_lines
from railbird.solve.preflop import Postflop, solve_preflop
from railbird.solve.preflop_seats import SeatsGame, SeatsSolver
from railbird.solve.real_game.card_blind import after_flops, always
from railbird.solve.real_game.opponents import BaselineStrategy, OneRowStrategy
from railbird.solve.real_game.public_tree import public_best_response
from railbird.solve.spot import PreflopSpot, Spot, solve_spot
from railbird.solve.spot.three import ThreeSpot, solve_three
from railbird.solve.toy_games import kuhn


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Return names and functions to call, each of which compiles some of the room's kernels."""
    return [
        ("regrets and best response", lambda: solve(kuhn(), tolerance=1.0)),
        ("sampled deals", _visit_none),
        ("showdowns of three", _meet_nobody),
        ("matrix regrets", lambda: MatrixSolver(kuhn_states()).run(1)),
        ("states of holdings", _count_one_flop),
        ("features of holdings", _find_features),
        ("external sampling", _sample_once),
        ("seats before the flop", _seat_once),
        ("deals in buckets", _deal_none),
        ("values of blueprints", _follow_one),
        ("public chance sampling", _deal_once),
        ("best responses in the real game", _respond_once),
        ("pots played on after the flop", _play_pots_on),
        ("no-limit spots", _solve_spots),
    ]


def _sample_once() -> None:
    # The tables are tuples of arrays, so each number of rounds has its own machine code.
    SampledSolver(holdem_game((1, 1, 1, 1))[0], np.random.default_rng(1)).run(1)


def _seat_once() -> None:
    solver = SeatsSolver(SeatsGame(seats=2, stack=2.0))
    solver.run(1)
    solver.gains(0, learn=1, measure=1)


def _deal_none() -> None:
    table = np.zeros(1, dtype=np.uint16)
    table.flags.writeable = False
    Dealer(BucketAbstraction((CLASSES, 1, 1, 1), ("",) * 3, (table,) * 3))(
        np.random.default_rng(1), 0
    )


def _follow_one() -> None:
    tree = nolimit_tree("opens = a; reraises = a; bets = a", 2)
    tables = tuple(np.ones((1, actions), np.uint8) for actions in tree.actions)
    for table in tables:
        table.flags.writeable = False  # as in files: read-only arrays are a type of their own
    find_lines(Depth(tree.menu, tree.stack, tables), CardBlind(), deals=1)


def _without_raises() -> BettingTree:
    return limit_tree(
        LimitBetting(
            posts=(1, 2), bet_sizes=(2, 2, 4, 4), most_raises=(0, 0, 0, 0), first=(0, 1, 1, 1)
        )
    )


def _deal_once() -> None:
    tree = _without_raises()
    PublicChanceSolver(tree, CardBlind(), seed=1).run(1)


def _respond_once() -> None:
    strategy = always(CALL, _without_raises())
    after_flops(strategy, 0, 0, np.arange(1))
    public_best_response(OneRowStrategy(strategy), player=0, missing=tuple(range(9, 52)))
    baseline, table = BaselineStrategy(STANDARD), None
    for cards in BOARD_CARDS:
        table = baseline.on(np.arange(cards, dtype=np.uint8), table)


def _play_pots_on() -> None:
    play = Postflop(strategy=OneRowStrategy(always(CALL)), boards=2)
    solve_preflop(2.0, postflop=play, tolerance=1.0)


def _solve_spots() -> None:
    boards = ("2c3d7h", "2c3d7hJs", "2c3d7hJsTs")
    spots = [Spot.of(board, "AsAh", "KsKh", pot=1, stack=1) for board in boards]
    for spot, store in product(spots, (32, 16)):
        solve_spot(spot, iterations=1, threads=1, store=store).node()
    lines = "board = 2c3d7h9sJs\npot = 1\nstacks = 1\nfirst = AA\nsecond = KK\nthird = QQ"
    solve_three(ThreeSpot.parse(lines), iterations=1)
    preflop_spot = PreflopSpot.parse(
        "stack = 200; oop = AA; ip = KK; opens = a; flops = 7h3d2c", name="warm"
    )
    for store in (32, 16):
        solve_spot(preflop_spot, iterations=1, threads=1, store=store)


def _count_one_flop() -> None:
    none = np.zeros((1, 0), dtype=np.int64)
    abstraction = PercentileAbstraction((1, 1, 1, 1), np.zeros(CLASSES, np.int32), (none,) * 3)
    count_showdowns_after(abstraction)(range(1))
    flop = board_classes(3).representative[0]  # read-only arrays are a type of their own
    values, states = open_values(), np.zeros(HOLDINGS, np.int32)
    turn = values.turn_start, values.turn_pattern, values.turn_hr7_squares, SHIFTS[1]
    turn_histogram(flop, 1, states, *turn, np.zeros((1, 1 << 16), dtype=np.int64))
    river = values.river_start, values.river_pattern, values.river_ihr
    river_histogram(flop, 1, states, *turn, none, *river, np.zeros((1, 1981), dtype=np.int64))


def _find_features() -> None:
    run_outs(board_classes(3).representative[:1])
    none, weight = np.zeros((0, GROUPS), dtype=np.uint8), np.zeros(0, dtype=np.int64)
    count_rivers(range(0), none, weight)
    fill_pot_shares(range(0), np.zeros(HOLDINGS, dtype=np.int64), none, weight)


def _visit_none() -> None:
    deals, edge = np.empty((0, 2), dtype=np.int64), np.empty((0, 0), dtype=np.float32)
    regrets, current = np.empty((2, 2, 0)), np.empty((2, 0))
    visits = np.empty((2, 0), dtype=np.int64)
    visit_deals(deals, edge, (0.0, 0.0, 0.0), regrets, current, current.copy(), visits)


def _meet_nobody() -> None:
    table, start = np.empty((0, ORDER_WIDTH), dtype=np.float32), np.empty((0, 0), dtype=np.int64)
    codes, nobody = np.empty((6, ORDERS), dtype=np.int64), np.zeros(CLASSES)
    orders_against(table, start, nobody, nobody, codes, 0, np.empty((CLASSES, ORDERS)))
