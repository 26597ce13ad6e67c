from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import Card, Holding, parse_cards, parse_holding
from railbird.errors import BadInput, DuplicateCard
from railbird.odds import (
    call_value,
    classes_matrix,
    equity,
    final_ranks,
    hand_odds,
    hand_rank,
    hand_strength,
    implied_odds,
    open_matrix,
    open_tables,
    pot_odds,
    potential,
    raw_odds,
)

HOLE = parse_holding("AdQc")


@pytest.mark.parametrize(
    ("board", "undefined"),
    [
        ("", {"hs", "ppot1", "ppot2", "npot1", "npot2"}),
        ("3h4cJh", set()),
        ("3h4cJh2d", {"ppot2", "npot2"}),
        ("3h4cJh2dKs", {"ppot1", "ppot2", "npot1", "npot2"}),
    ],
)
def test_what_a_street_does_not_define(board: str, undefined: set[str]) -> None:
    found = hand_odds(HOLE, parse_cards(board), tables=open_tables())
    values = {name: getattr(found, name) for name in found.__dataclass_fields__}
    assert {name for name, value in values.items() if value is None} == undefined
    assert all(0 <= value <= 1 for value in values.values() if value is not None)


def test_with_and_without_tables_on_a_flop() -> None:
    flop = parse_cards("3h4cJh")
    assert hand_odds(HOLE, flop) == hand_odds(HOLE, flop, tables=open_tables())


def test_raw_odds_of_a_nut_draw_hold_in_a_crowd() -> None:
    # Peretz's example: the nut flush or nothing, whose odds do not fall with the opponents.
    draw, turn = parse_holding("As2s"), parse_cards("KsQs8d7h")
    one, three = (raw_odds(draw, turn, opponents=n) for n in (1, 3))
    flushes = 9 / 46
    assert one > three > flushes * 0.99
    assert three > one**3 + 0.1


def test_raw_odds_of_one_opponent_are_the_equity() -> None:
    flop = parse_cards("3h4cJh")
    expected = equity([HOLE, "random"], flop).players[0].equity
    assert raw_odds(HOLE, flop) == pytest.approx(expected, rel=1e-12)


def test_raw_odds_beside_exact_opponents() -> None:
    # Opponents' holdings are taken as independent; on a river three of them differ little.
    river = parse_cards("3h4cJh2dQs")
    drawn = equity([HOLE, *["random"] * 3], river, samples=200_000)
    assert raw_odds(HOLE, river, opponents=3) == pytest.approx(drawn.players[0].equity, abs=0.01)


def test_final_ranks_count_every_completion() -> None:
    assert final_ranks(HOLE, parse_cards("3h4cJh")).sum() == 1081
    assert final_ranks(HOLE, tables=open_tables()).sum() == 2_118_760


def test_strength_by_weights() -> None:
    river = parse_cards("3h4cJh2dQs")
    weights = np.zeros(1326)
    weights[parse_holding("KsKh")] = 3.0  # ahead
    weights[parse_holding("9s9d")] = 1.0  # behind
    weights[parse_holding("AdKd")] = 5.0  # shares a card
    assert hand_strength(HOLE, river, weights=weights) == 0.25
    assert hand_strength(HOLE, river, weights=weights, opponents=2) == 0.0625
    assert hand_strength(HOLE, river, weights=np.zeros(1326)) == 0


def test_the_nuts_have_no_potential_left() -> None:
    found = potential(parse_holding("AsAh"), parse_cards("AcAd2h"), to_come=2)
    assert found.hs == 1
    assert found.ppot == 0  # never behind
    assert 0 < found.npot < 0.001  # a straight flush


@pytest.mark.parametrize(
    ("board", "to_come"),
    [("", 1), ("3h4cJh", 3), ("3h4cJh", 0), ("3h4cJh2d", 2), ("3h4cJh2d5s", 1)],
)
def test_potential_of_cards_that_do_not_come(board: str, to_come: int) -> None:
    with pytest.raises(BadInput, match="allowed: 1 or 2 on the flop, 1 on the turn"):
        potential(HOLE, parse_cards(board), to_come=to_come)


def test_bad_input() -> None:
    flop = parse_cards("3h4cJh")
    with pytest.raises(DuplicateCard, match="Jh is named twice"):
        hand_rank(parse_holding("JhAs"), flop)
    with pytest.raises(BadInput, match="a board of 6 cards"):
        hand_rank(HOLE, parse_cards("3h4cJh5d6d7d"))
    with pytest.raises(BadInput, match="no card has the number 52"):
        hand_rank(HOLE, [*flop[:2], Card(52)])
    with pytest.raises(BadInput, match="not defined"):
        hand_strength(HOLE, [])
    with pytest.raises(BadInput, match="0 opponents"):
        hand_strength(HOLE, flop, opponents=0)
    with pytest.raises(BadInput, match="0 opponents"):
        raw_odds(HOLE, flop, opponents=0)
    for weights in (np.ones(3), -np.ones(1326), np.full(1326, np.nan)):
        with pytest.raises(BadInput, match="1326 finite numbers, none negative"):
            potential(HOLE, flop, weights=weights)


def test_pot_odds() -> None:
    # Four to call into forty, the published example of a flush draw's price.
    assert pot_odds(4, 40) == pytest.approx(1 / 11)
    assert implied_odds(4, 40, future_winnings=20) == pytest.approx(4 / 64)
    assert implied_odds(4, 40, future_bets=8, future_winnings=8) == pytest.approx(12 / 60)
    assert call_value(1 / 11, 4, 40) == pytest.approx(0)
    for wrong in ((-1, 40), (4, -40), (float("nan"), 1), (0, 0)):
        with pytest.raises(BadInput):
            pot_odds(*wrong)
    with pytest.raises(BadInput, match="equity of 2"):
        call_value(2, 4, 40)


def test_matrix_refuses_a_shared_card() -> None:
    with pytest.raises(DuplicateCard, match="AsAh and AhKs share a card"):
        open_matrix().count(parse_holding("AsAh"), parse_holding("KsAh"))


def test_matrix_of_holdings_and_of_classes() -> None:
    matrix, classes = open_matrix(), classes_matrix()
    assert matrix.disjoint.sum() == 1326 * 1225
    assert np.isnan(matrix.equity[Holding(7), Holding(7)])
    np.testing.assert_allclose(np.nan_to_num(matrix.equity + matrix.equity.T, nan=1.0), 1.0)
    np.testing.assert_array_equal(classes.wins + classes.wins.T + classes.ties, classes.boards)
    assert classes.boards.sum() == 1326 * 1225 * 1_712_304
    np.testing.assert_allclose(classes.equity + classes.equity.T, 1.0)
