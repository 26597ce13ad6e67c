"""Hands dealt by a solution: what they win, what is played in them, and what a log says of them."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from railbird.cards import format_card, format_holding
from railbird.errors import BadInput
from railbird.estimates import Moments
from railbird.game import Call, Fold, Raise
from railbird.histories import HandRecord, read, write
from railbird.solve.spot import (
    BetSizes,
    Spot,
    SpotSolution,
    SpotTable,
    deal_hands,
    same_sizes,
    solve_spot,
)
from railbird.solve.spot.tree import ActKind, Ends, SpotAction

SIZES = same_sizes(BetSizes.parse("50%", "2.5x,a"))
RIVER = Spot.of(
    "Td9d6hQc2s",
    "QQ,99,AKs,KJs,87s,A5s:0.5",
    "TT,66,KQs,J8s,AJs,76s:0.25,random:0.01",
    pot=20,
    stack=60,
    sizes=SIZES,
)


@pytest.fixture(scope="module")
def river() -> SpotSolution:
    return solve_spot(RIVER, gap_percent=0.5, threads=1)


def won(solution: SpotSolution, hands: list[HandRecord]) -> Moments:
    table = SpotTable.of(solution.spot)
    return Moments.of([table.won(hand, 0) for hand in hands])


def test_the_mean_result_is_the_ev(river: SpotSolution) -> None:
    hands = list(deal_hands(river, 10_000, seed=1))
    mean = won(river, hands).estimate()
    assert abs(mean.value - river.values()[0]) < 4 * mean.stderr
    root = river.node()
    first = [hand.actions[6] for hand in hands]
    bets = np.mean([isinstance(action, Raise) for action in first])
    chance = 1 - root.frequency()[0]
    assert abs(bets - chance) < 4 * np.sqrt(chance * (1 - chance) / len(hands))


def test_pairs_are_dealt_by_the_product_of_their_weights() -> None:
    """AA meets KK in 36 ways, and AK, of weight ½, in 6 times 8."""
    spot = Spot.of("2c3d7h9sJs", "AA", "KK,AK:0.5", pot=2, stack=1)
    solution = solve_spot(spot, gap_percent=1, threads=1)
    hands = list(deal_hands(solution, 4_000))
    kings = np.mean([set(_ranks(hand, 1)) == {"K"} for hand in hands])
    chance = 36 / (36 + 48 / 2)
    assert abs(kings - chance) < 4 * np.sqrt(chance * (1 - chance) / len(hands))
    assert all(set(_ranks(hand, 0)) == {"A"} for hand in hands)


def _ranks(hand: HandRecord, player: int) -> str:
    holding = hand.holes[player]
    assert holding is not None
    return format_holding(holding)[::2]


@pytest.fixture(scope="module")
def turn() -> SpotSolution:
    """Its suits are alike, so most boards are dealt as another one with other suits."""
    spot = replace(RIVER, board=RIVER.board[:4], pot=21, rake=0.05, rake_cap=2.5)
    return solve_spot(spot, iterations=30, threads=1)


@pytest.mark.slow
def test_what_is_played_has_a_chance(turn: SpotSolution) -> None:
    for hand in deal_hands(turn, 60, seed=2):
        line, acted = "", iter(hand.actions[4:])
        while (node := turn.node(line)).kind not in (Ends.FOLD, Ends.SHOWDOWN):
            if node.kind is Ends.LATER:
                line += f" {format_card(hand.board[4])}"
                continue
            action = next(acted)
            index = [_same(each, action) for each in node.actions].index(True)
            assert node.strategy[hand.holes[node.player] or 0, index] > 0
            line += f" {node.actions[index]}"
        assert next(acted, None) is None


def _same(of_spot: SpotAction, action: object) -> bool:
    match action:
        case Fold():
            return of_spot.act is ActKind.FOLD
        case Call():
            return of_spot.act in (ActKind.CHECK, ActKind.CALL)
        case Raise(to):
            return of_spot.amount * 100 == to  # a rake of 5 % needs parts of a chip
        case _:
            return False


@pytest.mark.slow
def test_odd_pots_and_rake(turn: SpotSolution) -> None:
    """An odd chip is an ante, and the rake is exact: a twentieth, at most 2.5 chips."""
    hands = list(deal_hands(turn, 3_000, seed=3))
    mean = won(turn, hands).estimate()
    assert abs(mean.value - turn.values()[0]) < 4 * mean.stderr
    raked = {hand.rake / 100 for hand in hands}
    assert min(raked) == Fraction(21, 20)
    assert max(raked) == Fraction(5, 2)
    assert len(raked) > 2


def test_logs_say_all(turn: SpotSolution, tmp_path: Path) -> None:
    file = tmp_path / "hands.phh"
    hands = list(deal_hands(turn, 300))
    assert write(hands, file, format_name="phh").hands == len(hands)
    assert list(read(file)) == hands
    assert {hand.table for hand in hands} == {f"spot {turn.spot.digest}"}
    assert [hand.number for hand in hands] == list(range(1, 301))


@pytest.mark.slow
def test_a_seed_deals_the_same_hands_however_many(river: SpotSolution) -> None:
    some = list(deal_hands(river, 100, seed=4))
    assert list(islice(deal_hands(river, 9_000, seed=4), 100)) == some
    assert list(deal_hands(river, 100, seed=5)) != some
    later = list(deal_hands(river, 4_200, seed=4))
    assert list(islice(deal_hands(river, 9_000, seed=4), 4_200)) == later


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({"pot": 1}, "pot: 1; hands can be written from 2 chips on"),
        ({"rake": 1 / 3}, "rake: 0.333"),
        ({"rake": 0.05, "rake_cap": 2 / 3}, "rake_cap: 0.666"),
    ],
)
def test_refusals(change: dict[str, float], refused: str) -> None:
    with pytest.raises(BadInput, match=refused):
        SpotTable.of(replace(RIVER, **change))  # type: ignore[arg-type]


@pytest.mark.parametrize("pot", [2, 3, 4, 5])
def test_small_pots(pot: int) -> None:
    spot = Spot.of("2c3d7h9sJs", "AA,QQ", "KK", pot=pot, stack=3, sizes=SIZES)
    solution = solve_spot(spot, gap_percent=0.1, threads=1)
    mean = won(solution, list(deal_hands(solution, 500))).estimate()
    assert abs(mean.value - solution.values()[0]) < 4 * mean.stderr
