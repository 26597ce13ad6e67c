"""Exact hand ranks, confirmed by an independent program (specification of DIVAT, section 1).

The source is Billings, "Algorithms and Assessment in Computer Poker" (2006), chapter 3. It prints
0.884692 for the 7cHR of AcKc on Kd9s2h and 0.9980 for T6 on the river of tables 3.3 and 3.4; the
definitions give 0.885692 and 0.9753.
"""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import (
    CLASS_OF_HOLDING,
    class_of,
    parse_cards,
    parse_class,
    parse_holding,
)
from railbird.odds.hand_rank.ranks import ehr, hand_rank
from railbird.odds.tables.rank_tables import HR7_WHOLE, IHR_WHOLE, Tables, open_tables

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
def test_the_example_game(tables: Tables, hole: str, board: str, ihr: float, hr7: float) -> None:
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
