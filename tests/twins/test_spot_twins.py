"""Spots on small decks beside their slow form: values, best responses, regrets and averages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from railbird.cards import Card, Range, cards_of
from railbird.cards.isomorphism_kernels import CARD_UNDER
from railbird.solve.spot import BetSizes, Lock, Spot, SpotSolver, Utility
from railbird.solve.spot.kernels import AVERAGE, BEST
from railbird.solve.spot.preflop import FlopShare, PreflopSpot
from twins.slow_spot import SlowSpot

_SUITS = 4


def _random_spot(seed: int, street: int) -> tuple[Spot, tuple[int, ...]]:
    """Draw a spot on a deck of sixteen to twenty cards."""
    rng = np.random.default_rng(seed)
    ranks = rng.choice(13, 4 + seed % 2, replace=False)
    deck = tuple(sorted(int(4 * rank + suit) for rank in ranks for suit in range(_SUITS)))
    board = tuple(Card(int(card)) for card in rng.choice(deck, 3 + street, replace=False))
    holdings = [
        holding
        for holding in range(1326)
        if set(cards_of(holding)) <= set(deck) - set(board)  # type: ignore[arg-type]
    ]
    count = (5, 9, 30)[street]
    ranges = []
    for _ in range(2):
        weights = np.zeros(1326)
        chosen = rng.choice(holdings, min(count, len(holdings)), replace=False)
        weights[chosen] = rng.choice([0.25, 0.5, 1.0], len(chosen))
        ranges.append(Range(weights))
    sizes = [BetSizes.parse(*each) for each in (("50%,a", "2.5x"), ("e", "a"), ("30%,75%", "60%"))]
    betting = tuple((sizes[k], sizes[j]) for k, j in rng.integers(3, size=(3, 2)))
    pot, stack = int(rng.integers(4, 40)), int(rng.integers(5, 80))
    rules: dict[str, Any] = {}
    if seed % 3 == 1:
        rules |= {"rake": 0.1, "rake_cap": 3.0}
    if seed % 3 == 2:
        chips = [0.0, stack * 0.7, stack + pot / 2, 2.0 * stack + pot]
        one = Utility(tuple(chips), tuple(np.cumsum(rng.random(4)).tolist()))
        rules["utilities"] = (one, Utility(tuple(chips), tuple(np.sqrt(chips).tolist())))
    spot = Spot(
        board=board,
        ranges=(ranges[0], ranges[1]),
        pot=pot,
        stack=stack,
        sizes=betting,  # type: ignore[arg-type]
        all_in_threshold=float(rng.choice([0, 1.5])),
        force_all_in=float(rng.choice([0, 0.2])),
        **rules,
    )
    return spot, deck


def _payoff(spot: Spot) -> Callable[[int, Any, str], float]:
    """What a player has more than at the start, half of the pot counted as everybody's."""

    def worth(player: int, node: Any, how: str) -> float:
        matched: int = min(node.paid)
        pot = spot.pot + 2 * matched
        rake = min(spot.rake * pot, spot.rake_cap) if node.street >= 0 else 0.0
        won = {"win": pot - rake, "tie": (pot - rake) / 2, "lose": 0}[how]
        if spot.utilities is None:
            return won - matched - spot.pot / 2
        utility = spot.utilities[player]
        found: float = utility(spot.stack - matched + won) - utility(spot.stack + spot.pot / 2)
        return found

    return worth


def _slow(solver: SpotSolver, spot: Spot, deck: tuple[int, ...]) -> SlowSpot:
    one, other, *folded = (
        {int(h): float(each.weights[h]) for h in np.flatnonzero(each.weights)}
        for each in (*spot.ranges, *spot.folded)
    )
    board = tuple(int(card) for card in spot.board)
    flops = {}
    if isinstance(spot, PreflopSpot):
        whole = comb(len(deck), 3) / sum(each.share for each in spot.flops)
        for each in spot.flops:
            flops[tuple(map(int, each.flop))] = each.share * whole / comb(len(deck) - 4, 3)
    root = solver.forests[0].roots[0]
    return SlowSpot(root, board, (one, other), deck, _payoff(spot), flops, folded)


def _strategy(solver: SpotSolver) -> Callable[[Any, tuple[int, ...], int], Any]:
    """The solver's averages by node, board and holding."""
    number = [{cards: k for k, cards in enumerate(street.cards)} for street in solver.streets]
    streets = len(solver.streets)
    tables: dict[tuple[int, tuple[int, ...]], dict[int, Any]] = {}

    def find(node: Any, board: tuple[int, ...], holding: int) -> Any:
        key = id(node), board
        if key not in tables:
            level = streets - 1 - (5 - len(board) if board else 3)
            index = number[level][board]
            held = solver.streets[level].held[index][node.player].tolist()
            rows = solver.chances(level, index, node).tolist()
            tables[key] = dict(zip(held, rows, strict=True))
        return tables[key].get(holding) or [0.0] * len(node.actions)

    return find


def _solver(spot: Spot, deck: tuple[int, ...], iterations: int) -> SpotSolver:
    solver = SpotSolver(spot, isomorphism=False, deck=deck, threads=1)
    solver.allocate()
    solver.run(iterations)
    return solver


@pytest.mark.slow(but=["1-2", "2-0", "2-1", "2-2"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("street", [pytest.param(0, marks=pytest.mark.slow), 1, 2])
def test_values_and_best_responses(seed: int, street: int) -> None:
    spot, deck = _random_spot(10 * seed + street, street)
    solver = _solver(spot, deck, 7)
    slow, strategy = _slow(solver, spot, deck), _strategy(solver)
    scale = spot.pot + 2 * spot.stack
    if spot.utilities is not None:
        scale = 4
    for player in (0, 1):
        for mode in (AVERAGE, BEST):
            fast = solver.root_values(player, mode)
            found = slow.values(player, strategy, best=mode == BEST, locked={})
            meets = sum(slow.ranges[1 - player].values())
            for holding, value in found.items():
                assert fast[holding] == pytest.approx(value, abs=1e-6 * scale * meets)


@pytest.mark.slow(but=["0"])
@pytest.mark.parametrize("seed", range(2))
def test_iterations(seed: int) -> None:
    """Regrets and averages themselves, which rounding changes little in a few iterations."""
    spot, deck = _random_spot(100 + seed, 1 + seed % 2)
    solver = _solver(spot, deck, 4)
    slow = _slow(solver, spot, deck)
    for t in range(4):
        slow.iterate(t)
    strategy = _strategy(solver)
    nodes = [node for forest in solver.forests for node in forest.nodes()]
    by_id = {id(node): node for node in nodes}
    apart = compared = 0
    for (node, board, holding), sums in slow.averages.items():
        # Where actions are worth the same, as for one who meets nobody, rounding decides.
        if min(map(abs, slow.regrets[node, board, holding])) < 1e-3:
            continue
        found = strategy(by_id[node], board, holding)
        expected = np.array(sums) / sum(sums)
        compared += 1
        apart += not np.allclose(found, expected, atol=1e-3)
    assert compared > 100
    assert apart <= compared * 0.01


@pytest.mark.slow(but=["2-1"])
@pytest.mark.parametrize(("street", "players"), [(1, 1), (1, 2), (2, 3), (2, 1)])
def test_folded_cards(street: int, players: int) -> None:
    """Every pair of holdings, and every card, weighted by what others can have folded."""
    spot, deck = _random_spot(10 * players + street, street)
    rng = np.random.default_rng(players)
    free = [h for h in range(1326) if set(cards_of(h)) <= set(deck) - set(map(int, spot.board))]  # type: ignore[arg-type]
    folded = []
    for _ in range(players):
        weights = np.zeros(1326)
        weights[rng.choice(free, 12, replace=False)] = rng.choice([0.25, 0.5, 1.0], 12)
        folded.append(Range(weights))
    spot = replace(spot, folded=tuple(folded))
    solver = _solver(spot, deck, 7)
    slow, strategy = _slow(solver, spot, deck), _strategy(solver)
    assert solver.chance_of_folded == pytest.approx(
        slow.mean / np.prod([each.weights.sum() for each in folded])
    )
    scale = 4.0 if spot.utilities is not None else spot.pot + 2 * spot.stack
    for player in (0, 1):
        for mode in (AVERAGE, BEST):
            fast = solver.root_values(player, mode)
            found = slow.values(player, strategy, best=mode == BEST, locked={})
            meets = sum(slow.ranges[1 - player].values())
            for holding, value in found.items():
                assert fast[holding] == pytest.approx(value, abs=2e-6 * scale * meets)


def test_locks() -> None:
    spot, deck = _random_spot(3, 1)
    root = SpotSolver(spot, isomorphism=False, deck=deck).forests[0].roots[0]
    free = spot.ranges[0]
    some = Range(np.where(np.arange(1326) % 2, free.weights > 0, 0).astype(float))
    last = str(root.actions[-1])
    locks = (Lock("", some, (("check", 0.75), (last, 0.25))),)
    locked = replace(spot, locks=locks)
    solver = _solver(locked, deck, 30)
    slow, strategy = _slow(solver, locked, deck), _strategy(solver)
    at_root = solver.forests[0].roots[0]
    board = tuple(int(card) for card in spot.board)
    kept = {int(h) for h in np.flatnonzero(some.weights)}
    for holding in kept:
        mix = strategy(at_root, board, holding)
        assert mix[0] == pytest.approx(0.75)
        assert mix[-1] == pytest.approx(0.25)
    best = slow.values(
        0, strategy, best=True, locked={(id(at_root), holding): True for holding in kept}
    )
    fast = solver.root_values(0, BEST)
    meets = sum(slow.ranges[1].values())
    for holding, value in best.items():
        assert fast[holding] == pytest.approx(value, abs=1e-6 * (spot.pot + spot.stack) * meets)
    assert solver.gap() >= -1e-6


_SMALL_DECK = tuple(4 * rank + suit for rank in (2, 11, 12) for suit in range(_SUITS))


def _preflop(flops: str, **rest: str) -> PreflopSpot:
    lines = {
        "stack": "30",
        "small_blind": "1",
        "big_blind": "2",
        "dead": "3",
        "oop": "AA:0.5, AKs, 44",
        "ip": "KK, A4s, K4s:0.25",
        "opens": "2.5x, a",
        "reraises": "3x, a",
        "flop_bets": "60%",
        "flop_raises": "a",
        "turn_bets": "a",
        "flops": flops,
    }
    return PreflopSpot.parse("\n".join(f"{key} = {value}" for key, value in (lines | rest).items()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "rest",
    [
        {},
        {"rake": "0.05", "rake_cap": "2"},
        {"river_bets": "50%"},
        {"oop_utility": "0 0, 30 1, 63 1.5", "ip_utility": "0 0, 20 2, 63 3"},
        {"lock": "raise 5 > AA > fold 0.25, call 0.75"},
    ],
)
def test_before_the_flop(rest: dict[str, str]) -> None:
    """Values and best responses of all four streets on three flops of a deck of twelve cards."""
    spot = _preflop("AsKs4d:3, AdAh4s, KcKh4c:0.5", **rest)
    solver = _solver(spot, _SMALL_DECK, 7)
    slow, strategy = _slow(solver, spot, _SMALL_DECK), _strategy(solver)
    locked = {
        (id(node), int(holding)): True
        for lock, node, *_ in solver.locked
        for holding in np.flatnonzero(lock.holdings.weights)
    }
    for player in (0, 1):
        for mode in (AVERAGE, BEST):
            fast = solver.root_values(player, mode)
            for holding, value in slow.values(
                player, strategy, best=mode == BEST, locked=locked
            ).items():
                assert fast[holding] == pytest.approx(value, abs=1e-4)


@pytest.mark.slow
def test_flops_that_suits_make_equal() -> None:
    """A flop in all its suits is each of them dealt, and all flops together are the whole game."""
    every = [tuple(map(Card, flop)) for flop in combinations(_SMALL_DECK, 3)]
    classes: dict[tuple[Any, ...], list[tuple[Card, ...]]] = {}
    for flop in every:
        images = [tuple(sorted(CARD_UNDER[suits, list(flop)].tolist())) for suits in range(24)]
        classes.setdefault(min(images), []).append(flop)
    assert len(classes) < len(every) / 5
    spot = _preflop("AsKs4d")
    alike = replace(
        spot, flops=tuple(FlopShare(flops[0], len(flops)) for flops in classes.values())
    )
    apart = replace(spot, flops=tuple(FlopShare(flop, 1.0) for flop in every))
    found = []
    for each, isomorphism in ((alike, True), (apart, False)):
        solver = SpotSolver(each, isomorphism=isomorphism, deck=_SMALL_DECK, threads=1)
        solver.allocate()
        solver.run(4)
        found.append((solver.gap(), solver.value(0, AVERAGE)))
        assert -solver.value(1, AVERAGE) == pytest.approx(found[-1][1], abs=1e-4)
    # Rounding breaks ties another way, the more iterations the further.
    assert found[0] == pytest.approx(found[1], abs=1e-4)
