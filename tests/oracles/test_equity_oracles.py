"""All-in equities whose exact values are known.

Tables 3.3 and 3.4 of Billings (2006) for the example game; the counts of the preflop matrix were
found by independent programs (specification of push/fold, section 2).
"""

from __future__ import annotations

import pytest

from railbird.cards import Holding, parse_holding
from railbird.odds.equity.all_in_equity import Method, Mode, equity
from railbird.odds.equity.preflop_matrix import PAIR_BOARDS, Count, open_matrix

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
def test_the_example_game(board: str, share: float) -> None:
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
