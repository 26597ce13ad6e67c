"""Exact hand ranks, confirmed by an independent program (specification of DIVAT, section 1).

The source is Billings, "Algorithms and Assessment in Computer Poker" (2006), chapter 3. It prints
0.884692 for the 7cHR of AcKc on Kd9s2h and 0.9980 for T6 on the river of tables 3.3 and 3.4; the
definitions give 0.885692 and 0.9753.
"""

from __future__ import annotations

from itertools import chain, combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import (
    CLASS_OF_HOLDING,
    STRENGTHS,
    Category,
    Holding,
    class_of,
    holdings_of_class,
    parse_cards,
    parse_class,
    parse_holding,
    strengths,
)
from railbird.cards.hand_strength import category_counts, strength_counts
from railbird.cards.tables import CATEGORY_OF_STRENGTH
from railbird.odds.all_in_equity import Method, Mode, equity
from railbird.odds.hand_rank import ehr, hand_rank
from railbird.odds.potential import hand_strength, potential
from railbird.odds.preflop_matrix import PAIR_BOARDS, Count, open_matrix
from railbird.odds.rank_tables import HR7_WHOLE, IHR_WHOLE, Tables, open_tables
from railbird.odds.win_probability import win_probability

TABLE_3_3 = [  # hole, board, IHR, 7cHR
    ("Ts6s", "", 0.3857, 0.4894),
    ("Ts6s", "Td5hTh", 0.9672, 0.9273),
    ("Ts6s", "Td5hTh2d", 0.9599, 0.9378),
    ("Ts6s", "Td5hTh2d2h", 0.9753, 0.9753),
    ("Jd5d", "", 0.4771, 0.4999),
    ("Jd5d", "Td5hTh", 0.8483, 0.6767),
    ("Jd5d", "Td5hTh2d", 0.8406, 0.7827),
    ("Jd5d", "Td5hTh2d2h", 0.7091, 0.7091),
]


@pytest.fixture(scope="module")
def tables() -> Tables:
    return open_tables()


@pytest.mark.parametrize(("hole", "board", "ihr", "hr7"), TABLE_3_3)
def test_hand_rank_oracles_the_example_game(
    tables: Tables, hole: str, board: str, ihr: float, hr7: float
) -> None:
    rank = hand_rank(parse_holding(hole), parse_cards(board), tables=tables)
    assert (round(rank.ihr, 4), round(rank.hr7, 4)) == (ihr, hr7)


@pytest.mark.parametrize(("hole", "board", "ihr", "hr7"), TABLE_3_3)
def test_the_example_game_by_direct_index(
    tables: Tables, hole: str, board: str, ihr: float, hr7: float
) -> None:
    holding = parse_holding(hole)
    if not board:
        assert round(tables.preflop_ihr[class_of(holding)] / IHR_WHOLE[0], 4) == ihr
        assert round(tables.preflop_hr7[class_of(holding)] / HR7_WHOLE[0], 4) == hr7
        return
    cards = parse_cards(board)
    place = tables.place(cards, holding)
    street = len(cards) - 2
    ranks = (tables.flop_ihr, tables.turn_ihr, tables.river_ihr)[street - 1]
    means = (tables.flop_hr7, tables.turn_hr7, tables.river_ihr)[street - 1]
    assert round(ranks[place] / IHR_WHOLE[street], 4) == ihr
    assert round(means[place] / HR7_WHOLE[street], 4) == hr7


def test_ace_king_on_a_king_high_flop() -> None:
    rank = hand_rank(parse_holding("AcKc"), parse_cards("Kd9s2h"))
    assert (rank.ahead, rank.tied, rank.behind) == (1044, 6, 31)
    assert rank.ihr == pytest.approx(0.968548, abs=5e-7)
    assert rank.hr7 == pytest.approx(0.885692, abs=5e-7)


def test_the_worst_holding_on_a_flop() -> None:
    rank = hand_rank(parse_holding("3c2c"), parse_cards("KsTh7d"))
    assert rank.ihr == pytest.approx(0.004163, abs=5e-7)
    assert rank.hr7 == pytest.approx(0.150662, abs=5e-7)
    assert ehr(rank.ihr, rank.hr7, 1, 0.58) == pytest.approx(0.077412, abs=5e-7)


def test_ace_queen_on_a_jack_high_flop() -> None:
    rank = hand_rank(parse_holding("AdQc"), parse_cards("3h4cJh"))
    assert (rank.ahead, rank.tied, rank.behind) == (628, 9, 444)
    assert rank.ihr == pytest.approx(0.585106, abs=5e-7)


@pytest.mark.parametrize(
    ("name", "hr7"), [("AA", 0.852037), ("32o", 0.323032), ("42o", 0.331998), ("72o", 0.345836)]
)
def test_before_the_flop(tables: Tables, name: str, hr7: float) -> None:
    found = tables.preflop_hr7 / HR7_WHOLE[0]
    assert found[parse_class(name)] == pytest.approx(hr7, abs=5e-7)


def test_three_deuce_is_the_lowest_before_the_flop(tables: Tables) -> None:
    assert np.argmin(tables.preflop_hr7) == parse_class("32o")
    assert np.argmin(tables.preflop_ihr[CLASS_OF_HOLDING]) in (
        parse_holding("3c2c"),
        parse_holding("3d2c"),
    )


@pytest.mark.parametrize(
    ("ihr", "hr7", "street", "expected"),
    [
        (0.6, 0.5, 1, 0.6),
        (0.5, 0.6, 2, 0.6),
        (0.58, 0.5, 1, 0.54),  # not above the threshold
        (0.58, 0.5, 2, 0.5),
        (0.3, 0.4, 0, 0.4),
    ],
)
def test_effective_hand_rank(ihr: float, hr7: float, street: int, expected: float) -> None:
    assert ehr(ihr, hr7, street, 0.58) == pytest.approx(expected)


# All-in equities whose exact values are known.
#
# Tables 3.3 and 3.4 of Billings (2006) for the example game; the counts of the preflop matrix were
# found by independent programs (specification of push/fold, section 2).


PAIRS = [
    ("AsAh", "KsKh", (1_410_336, 9_308, 292_660)),
    ("AsKs", "2c2d", (852_207, 10_775, 849_322)),
    ("Ts6s", "Jd5d", (717_731, 22_162, 972_411)),
]


@pytest.mark.parametrize(("mine", "other", "counts"), PAIRS)
def test_the_preflop_matrix(mine: str, other: str, counts: tuple[int, int, int]) -> None:
    assert open_matrix().count(parse_holding(mine), parse_holding(other)) == Count(*counts)


@pytest.mark.parametrize(("mine", "other", "counts"), PAIRS)
def test_preflop_equity_of_two_hands(mine: str, other: str, counts: tuple[int, int, int]) -> None:
    result = equity([mine, other])
    first, second = result.players
    assert (first.win, first.tie, first.lose) == counts
    assert (second.lose, second.tie, second.win) == counts
    assert result.trials == PAIR_BOARDS


@pytest.mark.parametrize(("board", "share"), [("Td5hTh", 0.959596), ("Td5hTh2d", 0.818182)])
def test_equity_oracles_the_example_game(board: str, share: float) -> None:
    assert equity(["Ts6s", "Jd5d"], board).players[0].equity == pytest.approx(share, abs=5e-7)


def test_the_example_game_before_the_flop() -> None:
    # Each player has put in one small bet; the all-in equity is the share of the pot less that.
    share = equity(["Ts6s", "Jd5d"]).players[0].equity
    assert 2 * share - 1 == pytest.approx(-0.1487, abs=5e-5)


def test_aces_against_anything() -> None:
    result = equity(["AsAh", "random"])
    assert result.method is Method.MATRIX
    assert result.players[0].equity == pytest.approx(0.852037, abs=5e-7)
    assert result.trials == 1225 * PAIR_BOARDS


def test_anything_against_anything() -> None:
    result = equity(["random", "random"])
    assert result.trials == 1326 * 1225 * PAIR_BOARDS
    assert result.players[0].win == result.players[1].win
    assert result.players[0].equity == 0.5


def test_ace_queen_against_anything_is_its_seven_card_rank() -> None:
    # The effective hand strength of Papp (1998) with all cards to come is the exact equity.
    result = equity([Holding(parse_holding("AdQc")), "random"], "3h4cJh")
    assert result.players[0].equity == pytest.approx(0.511399, abs=5e-7)


def test_three_hands_before_the_flop_share_every_board() -> None:
    result = equity(["AsKs", "QhQd", "7c2d"], mode=Mode.EXACT)
    assert result.trials == 1_370_754  # C(46, 5)
    assert all(isinstance(player.win, int) for player in result.players)
    assert sum(player.equity for player in result.players) == pytest.approx(1, abs=1e-15)


# Strength and potential: Papp, "Dealing with Imperfect Information in Poker" (1998), and the
# later pages of the same work that print the numbers (specification of Loki, section 1).


HOLE, FLOP = parse_holding("AdQc"), parse_cards("3h4cJh")


def test_strength_against_one_and_five() -> None:
    assert hand_strength(HOLE, FLOP) == pytest.approx(0.585106, abs=5e-7)
    assert hand_strength(HOLE, FLOP, opponents=5) == pytest.approx(0.068576, abs=5e-7)


def test_potential_with_two_cards_to_come() -> None:
    found = potential(HOLE, FLOP, to_come=2)
    assert found.table == ((449005, 3211, 169504), (0, 8370, 540), (91981, 1036, 346543))
    assert found.ppot == pytest.approx(0.208324, abs=5e-7)
    assert found.npot == pytest.approx(0.273693, abs=5e-7)
    assert found.ehs == pytest.approx(0.511399, abs=5e-7)
    assert found.optimistic_ehs == pytest.approx(0.671539, abs=5e-7)


def test_potential_with_one_card_to_come() -> None:
    found = potential(HOLE, FLOP, to_come=1)
    assert found.ppot == pytest.approx(0.108312, abs=5e-7)
    assert found.npot == pytest.approx(0.145402, abs=5e-7)


def test_a_strong_draw() -> None:
    hole, flop = parse_holding("8d7d"), parse_cards("9d6c2d")
    rank = hand_rank(hole, flop)
    assert (rank.ahead, rank.tied, rank.behind) == (120, 9, 952)
    assert hand_strength(hole, flop) == pytest.approx(0.115171, abs=5e-7)
    assert potential(hole, flop, to_come=2).ppot == pytest.approx(0.6215, abs=5e-5)
    assert potential(hole, flop, to_come=1).ppot == pytest.approx(0.4077, abs=5e-5)


# How often hands occur: published counts, all of them enumerated here.


# High card to straight flush. Five and seven cards: any table of poker probabilities, for example
# Wikipedia's "Poker probability"; six: B. Alspach, "6-Card Poker Hands" (2000).
FIVE_CARDS = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
SIX_CARDS = [6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844]
SEVEN_CARDS = [
    *(23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020),
    *(4_047_644, 3_473_184, 224_848, 41_584),
]
# Distinct strengths: Cactus Kev's 7,462 classes of five cards; Wikipedia's 4,824 of seven.
DISTINCT_OF_FIVE = [1_277, 2_860, 858, 858, 10, 1_277, 156, 156, 10]
DISTINCT_OF_SEVEN = [407, 1_470, 763, 575, 10, 1_277, 156, 156, 10]


def by_category(counts: NDArray[np.int64]) -> list[int]:
    sums = np.zeros(len(Category), dtype=np.int64)
    np.add.at(sums, CATEGORY_OF_STRENGTH, counts)
    return [int(count) for count in sums]


def all_hands(size: int) -> NDArray[np.uint8]:
    cards = chain.from_iterable(combinations(range(52), size))
    return np.fromiter(cards, dtype=np.uint8, count=size * comb(52, size)).reshape(-1, size)


def counts_of(size: int) -> NDArray[np.int64]:
    return np.bincount(strengths(all_hands(size)), minlength=STRENGTHS)


def test_the_published_counts_are_complete() -> None:
    assert sum(FIVE_CARDS) == comb(52, 5)
    assert sum(SIX_CARDS) == comb(52, 6)
    assert sum(SEVEN_CARDS) == comb(52, 7) == 133_784_560
    assert sum(DISTINCT_OF_FIVE) == STRENGTHS
    assert sum(DISTINCT_OF_SEVEN) == 4_824


def test_all_hands_of_five_cards() -> None:
    counts = counts_of(5)
    assert by_category(counts) == FIVE_CARDS
    assert by_category((counts > 0).astype(np.int64)) == DISTINCT_OF_FIVE


@pytest.mark.slow
def test_all_hands_of_six_cards() -> None:
    assert by_category(counts_of(6)) == SIX_CARDS


def test_all_hands_of_seven_cards() -> None:
    counts = strength_counts()
    assert by_category(counts) == SEVEN_CARDS
    assert by_category((counts > 0).astype(np.int64)) == DISTINCT_OF_SEVEN


def test_the_fast_census_of_seven_cards() -> None:
    assert list(category_counts().values()) == SEVEN_CARDS


# Win probabilities before the flop against published ones.


AGAINST_ONE = {
    "AA": 85.2,
    "KK": 82.4,
    "QQ": 79.9,
    "JJ": 77.5,
    "TT": 75.0,
    "99": 72.1,
    "88": 69.2,
    "AKs": 67.0,
    "77": 66.2,
    "AQs": 66.2,
    "AJs": 65.4,
    "AKo": 65.3,
    "ATs": 64.6,
    "AQo": 64.4,
    "AJo": 63.6,
    "KQs": 63.4,
    "66": 63.3,
    "A9s": 62.8,
    "ATo": 62.7,
    "KJs": 62.6,
    "55": 60.3,
    "JTs": 57.5,
    "44": 57.0,
    "K6s": 56.6,
    "K8o": 56.0,
    "QTo": 57.3,
    "A2s": 57.4,
    "Q9s": 57.7,
}
"""Share of the pot in per cent, to a decimal: forums.replaypoker.com/t/22406, "Hand Equity v Random
Hand"."""


@pytest.mark.parametrize("name", AGAINST_ONE)
def test_against_one(name: str) -> None:
    share = 100 * win_probability(holdings_of_class(parse_class(name))[0]).share
    assert share == pytest.approx(AGAINST_ONE[name], abs=0.08)


def test_aces_against_several() -> None:
    """pokerfortress.com, "Odds of winning with pocket aces" (by Equilab): 85, 73.5 and 64 %."""
    for opponents, published, digits in ((1, 85.0, 0.5), (2, 73.5, 0.06), (3, 64.0, 0.5)):
        share = 100 * win_probability("AsAh", opponents=opponents).share
        assert share == pytest.approx(published, abs=digits)
