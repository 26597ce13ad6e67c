"""Play before the flop with limps and small raises."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from railbird.baseline import STANDARD
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS
from railbird.errors import BadInput, Interrupted
from railbird.game.rules import BOARD_CARDS
from railbird.solve import solve_pushfold
from railbird.solve.kernels import in_order_of_strength
from railbird.solve.limit import DecisionPlace, LimitBetting, limit_tree
from railbird.solve.preflop import (
    CalledPot,
    Postflop,
    PreflopAction,
    PreflopGame,
    gains_of_betting,
    solve_preflop,
)
from railbird.solve.real_game import (
    BaselineStrategy,
    BoardMatch,
    BoardStrategy,
    BoardTable,
    OneRowStrategy,
    always,
)

FOLD, LIMP, MINRAISE, SHOVE = PreflopAction


@pytest.mark.parametrize("stack", [5.0, 10.0])
def test_with_nothing_but_all_in_it_is_push_fold(stack: float) -> None:
    found = solve_preflop(stack, [FOLD, SHOVE], tolerance=1e-6)
    known = solve_pushfold(stack, tolerance=1e-6)
    assert found.solution.value == pytest.approx(known.value_sb_bb, abs=1e-5)
    (_, first), (_, second) = found.decisions
    assert found.shares(first)[1] == pytest.approx(known.push_share, abs=2e-3)
    assert found.shares(second)[1] == pytest.approx(known.call_share, abs=2e-3)


def test_more_actions_are_worth_more_to_who_has_them() -> None:
    push_fold = solve_preflop(10.0, [FOLD, SHOVE], tolerance=1e-4).solution
    everything = solve_preflop(10.0, tolerance=1e-3)
    assert everything.solution.value > push_fold.value + 1e-3
    assert everything.solution.exploitability <= 1e-3
    for decision, frequencies in everything.decisions:
        assert frequencies.shape == (len(decision.actions), 169)
        assert np.allclose(frequencies.sum(axis=0), 1)


def test_tree_of_all_actions() -> None:
    game = PreflopGame(stack=4.0)
    first, second = game.tree().decisions
    by_name = {decision.name: decision.actions for decision in (*first, *second)}
    assert by_name["first"] == ("fold", "limp", "raise to 2", "shove")
    assert by_name["limp"] == ("check", "raise to 2", "shove")
    assert by_name["raise to 2"] == ("fold", "call", "raise to 3", "shove")
    assert by_name["raise to 2, raise to 3"] == ("fold", "call", "shove")
    assert by_name["limp, shove"] == by_name["shove"] == ("fold", "call")


def test_a_limp_and_a_check_are_worth_the_equity() -> None:
    # With limps alone nobody can fold but the small blind, whose limp costs half a blind: every
    # hand that wins more than a quarter of the pot of two is worth it, which is all but a few.
    found = solve_preflop(10.0, [FOLD, LIMP], tolerance=1e-6)
    (decision, chart), (_, check) = found.decisions
    assert decision.actions == ("fold", "limp")
    assert chart[1][CLASS_NAMES.index("32o")] > 0.99
    assert np.allclose(check, 1)
    assert found.solution.value == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("stack", "actions", "words"),
    [
        (1.0, [FOLD, SHOVE], "stack 1; allowed: more than 1"),
        (101.0, [FOLD, SHOVE], "at most 100"),
        (10.0, [LIMP, SHOVE], "allowed: fold and one or more"),
        (10.0, [FOLD], "allowed: fold and one or more"),
    ],
)
def test_refused_games(stack: float, actions: list[PreflopAction], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        solve_preflop(stack, actions)


# Pots played on after the flop by a strategy for fixed limit.


CALL = 1
SMALL_BLIND, BIG_BLIND = 1, 0
LIMIT_POTS = [
    CalledPot(limped, raises, 1.0 + raises)
    for limped in (True, False)
    for raises in range(4)
    if limped or raises
]


class Mixing:
    """Does everything now and then, by the ranks that the baseline tells apart."""

    def __init__(self, seed: int) -> None:
        self._baseline = BaselineStrategy(STANDARD)
        self.tree = self._baseline.tree
        rng = np.random.default_rng(seed)
        none = np.empty(0, dtype=np.uint8)
        board = np.arange(5, dtype=np.uint8)
        self._tables = []
        for part, cards in zip(self.tree.rounds, BOARD_CARDS, strict=True):
            found = self._baseline.on(board[:cards] if cards else none, None).table
            table = rng.exponential(size=(len(found), part.slots, part.sequences))
            total = np.add.reduceat(table, part.first_slot[:-1], axis=1)[:, part.node]
            shares = np.ascontiguousarray((table / total).reshape(len(found), -1), np.float32)
            shares.flags.writeable = False
            self._tables.append(shares)

    def on(self, board: npt.NDArray[np.uint8], before: BoardTable | None) -> BoardTable:
        rows = self._baseline.on(board, before).rows
        return BoardTable(self._tables[max(len(board) - 2, 0)], rows)


def _dealt(postflop: Postflop) -> list[npt.NDArray[np.uint8]]:
    rng = np.random.default_rng(postflop.seed)
    return [rng.choice(52, size=5, replace=False).astype(np.uint8) for _ in range(postflop.boards)]


def _edges(board: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return (1326, 1326) 1 where the row wins, -1 where it loses, 0 for ties and impossible."""
    order, begin = in_order_of_strength(board, board[:0])
    level = np.zeros(1326, dtype=np.int64)
    level[order] = np.searchsorted(begin, np.arange(len(order)), side="right")
    found: npt.NDArray[np.int64] = np.sign(level[:, np.newaxis] - level) * _possible(board)
    return found


def _possible(board: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    held = np.zeros((1326, 52), dtype=np.int64)
    held[np.arange(1326)[:, np.newaxis], HOLDING_CARDS] = 1
    live = held[:, board].sum(axis=1) == 0
    found: npt.NDArray[np.bool_] = (held @ held.T == 0) & np.outer(live, live)
    return found


def _by_class(pairs: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    order = np.argsort(CLASS_OF_HOLDING, kind="stable")
    first = np.searchsorted(CLASS_OF_HOLDING[order], np.arange(CLASSES))
    rows = np.add.reduceat(pairs[order][:, order], first, axis=0)
    found: npt.NDArray[np.float64] = np.add.reduceat(rows, first, axis=1)
    return found / (comb(47, 2) * comb(45, 2))


@pytest.mark.slow
def test_limit_is_what_a_match_of_the_strategy_against_itself_is() -> None:
    strategy = Mixing(1)
    postflop = Postflop(strategy=strategy, boards=2, seed=3)
    gains, counts = gains_of_betting(postflop, LIMIT_POTS, 1_000.0)
    assert counts.tolist() == [1, 1]
    expected = BoardMatch(strategy, strategy).on_boards(np.array(_dealt(postflop)))
    tree = strategy.tree
    preflop = strategy.on(np.empty(0, dtype=np.uint8), None)
    one_of_each = [int(np.flatnonzero(kind == CLASS_OF_HOLDING)[0]) for kind in range(CLASSES)]
    shares = preflop.table[preflop.rows[one_of_each]].astype(np.float64)
    for board, gain, won in zip(_dealt(postflop), gains, expected, strict=True):
        possible, edge = _by_class(_possible(board).astype(float)), _by_class(_edges(board))
        total = 0.0
        pending: list[tuple[DecisionPlace | None, str, npt.NDArray[np.float64]]] = [
            (tree.root, "", np.ones((2, CLASSES)))
        ]
        part = tree.rounds[0]
        while pending:
            place, text, reach = pending.pop()
            assert place is not None
            seat = int(part.player[place.node])
            for slot in range(part.first_slot[place.node], part.first_slot[place.node + 1]):
                taken = reach.copy()
                taken[seat] *= shares[:, slot]
                later = text + "fcr"[part.kind[slot]]
                both = np.outer(taken[SMALL_BLIND], taken[BIG_BLIND])
                if part.child[slot] >= 0:
                    pending.append((DecisionPlace(0, 0, int(part.child[slot])), later, taken))
                elif part.kind[slot] == 0:
                    paid = part.fold_paid[np.searchsorted(part.fold_slot, slot)] / 10
                    lost = paid if seat == SMALL_BLIND else -paid
                    total -= lost * (both * possible).sum()
                else:
                    number = [pot.limit_actions(3) for pot in LIMIT_POTS].index(later)
                    pot = LIMIT_POTS[number]
                    total += (both * (gain[number] + pot.paid * edge)).sum()
        assert total == pytest.approx(won[SMALL_BLIND], abs=2e-5)
        assert -total == pytest.approx(won[BIG_BLIND], abs=2e-5)


def _slow(
    strategy: BoardStrategy,
    tables: list[BoardTable],
    place: DecisionPlace,
    holdings: tuple[int, int],
    paid: list[float],
    stack: float,
    edge: int,
) -> float:
    """Play on with two holdings by seat; who has nothing left acts no more."""
    part = strategy.tree.rounds[place.street]
    seat = int(part.player[place.node])
    if min(paid) >= stack:
        return edge * stack
    table = tables[place.street]
    row = table.table[table.rows[holdings[seat]]].astype(np.float64)
    is_last = place.street + 1 == len(strategy.tree.rounds)
    total = 0.0
    size = strategy.tree.betting.bet_sizes[place.street] / 10
    for slot in range(part.first_slot[place.node], part.first_slot[place.node + 1]):
        share = row[slot * part.sequences + place.sequence]
        kind = int(part.kind[slot])
        level = max(paid)
        after = list(paid)
        if kind == 0:
            total += share * (-paid[seat] if seat == SMALL_BLIND else paid[seat])
            continue
        # Who faces all of the other's stack can raise no more: a raise is a call.
        after[seat] = level if kind == CALL or level >= stack else min(level + size, stack)
        if level >= stack:
            total += share * edge * stack
        elif part.child[slot] >= 0:
            later = DecisionPlace(place.street, place.sequence, int(part.child[slot]))
            total += share * _slow(strategy, tables, later, holdings, after, stack, edge)
        elif is_last:
            total += share * edge * min(after)
        else:
            end = int(np.searchsorted(part.end_slot, slot))
            later = DecisionPlace(place.street + 1, end * part.sequences + place.sequence, 0)
            total += share * _slow(strategy, tables, later, holdings, after, stack, edge)
    return total


@pytest.mark.slow(but=["pot1-9.0"])
@pytest.mark.parametrize(
    ("pot", "stack"), [(CalledPot(True, 0, 1.0), 4.5), (CalledPot(False, 5, 6.0), 9.0)]
)
def test_bets_are_cut_at_the_stacks(pot: CalledPot, stack: float) -> None:
    strategy = Mixing(2)
    postflop = Postflop(strategy=strategy, boards=2, seed=5)
    gains, _ = gains_of_betting(postflop, [pot], stack)
    kinds = [int(CLASS_OF_HOLDING[0]), int(CLASS_OF_HOLDING[700])]  # few holdings, both ways
    for board, gain in zip(_dealt(postflop), gains[:, 0], strict=True):
        tables: list[BoardTable] = []
        for cards in BOARD_CARDS:
            tables.append(strategy.on(board[:cards], tables[-1] if tables else None))
        possible, edges = _possible(board), _edges(board)
        sequence = strategy.tree.after(pot.limit_actions(3)).sequence
        for first, second in (kinds, kinds[::-1]):
            total = 0.0
            for i in np.flatnonzero(first == CLASS_OF_HOLDING).tolist():
                for j in np.flatnonzero(second == CLASS_OF_HOLDING).tolist():
                    if possible[i, j]:
                        edge, place = int(edges[i, j]), DecisionPlace(1, sequence, 0)
                        paid = [pot.paid, pot.paid]
                        won = _slow(strategy, tables, place, (j, i), paid, stack, edge)
                        total += won - pot.paid * edge
            expected = total / (comb(47, 2) * comb(45, 2))
            assert gain[first, second] == pytest.approx(expected, rel=1e-3, abs=1e-8)


def test_calling_always_is_a_check_down() -> None:
    strategy = OneRowStrategy(always(CALL))
    played = solve_preflop(4.0, postflop=Postflop(strategy=strategy, boards=3))
    checked = solve_preflop(4.0)
    assert played.value.value == pytest.approx(checked.solution.value, abs=1e-6)
    assert played.value.stderr == pytest.approx(0, abs=1e-6)
    assert (played.boards, checked.boards, checked.value.stderr) == (3, 0, 0)


@pytest.mark.slow
def test_playing_on_is_worth_something() -> None:
    strategy = BaselineStrategy(STANDARD)
    actions = [PreflopAction.FOLD, PreflopAction.LIMP]
    found = solve_preflop(20.0, actions, postflop=Postflop(strategy=strategy, boards=30))
    # Without betting it is worth nothing; see the test of a limp and a check.
    assert abs(found.value.value) > 3 * found.value.stderr > 0


@pytest.mark.parametrize(
    ("pot", "actions"),
    [
        (CalledPot(True, 0, 1.0), "cc"),
        (CalledPot(True, 1, 2.0), "crc"),
        (CalledPot(False, 1, 2.0), "rc"),
        (CalledPot(False, 3, 4.0), "rrrc"),
        (CalledPot(True, 5, 6.0), "crrrc"),
    ],
)
def test_actions_in_limit(pot: CalledPot, actions: str) -> None:
    assert pot.limit_actions(3) == actions


def test_pots_that_leave_something_to_bet() -> None:
    pots = PreflopGame(stack=3.5).pots()
    assert {(pot.limped, pot.raises, pot.paid) for pot in pots} == {
        (True, 0, 1.0),
        (True, 1, 2.0),
        (True, 2, 3.0),
        (False, 1, 2.0),
        (False, 2, 3.0),
    }


def test_refusals() -> None:
    strategy = OneRowStrategy(always(CALL))
    with pytest.raises(BadInput, match="1 boards; allowed: 2 to"):
        Postflop(strategy=strategy, boards=1)
    betting = LimitBetting(
        posts=(1, 2), bet_sizes=(2, 2, 4, 4), most_raises=(0, 0, 0, 0), first=(0, 1, 1, 1)
    )
    with pytest.raises(BadInput, match="a strategy for another game; allowed: heads-up limit"):
        Postflop(strategy=OneRowStrategy(always(CALL, limit_tree(betting))), boards=2)


def test_nothing_is_left_to_bet() -> None:
    postflop = Postflop(strategy=OneRowStrategy(always(CALL)), boards=2)
    with pytest.raises(BadInput, match="nothing is left to bet; allowed for playing on: limp"):
        solve_preflop(4.0, [PreflopAction.FOLD, PreflopAction.SHOVE], postflop=postflop)


def test_interrupted_it_says_how_far_it_came() -> None:
    def interrupt(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    postflop = Postflop(strategy=OneRowStrategy(always(CALL)), boards=5)
    with pytest.raises(Interrupted, match="stopped after 1 of 5 boards; nothing is kept"):
        solve_preflop(4.0, postflop=postflop, progress=interrupt)
