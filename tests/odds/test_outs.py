"""Outs beside hands whose outs everybody counts."""

from __future__ import annotations

import pytest

from railbird.cards import Category, format_cards
from railbird.errors import BadInput
from railbird.odds import equity, outs


def test_a_flush_draw_with_an_overcard_has_twelve_outs_against_top_pair() -> None:
    found = outs("As5s", "Ks9s2d", "KdQc")
    names = {format_cards([each.card]) for each in found.outs}
    assert names == {f"{rank}s" for rank in "QJT876432"} | {"Ah", "Ad", "Ac"}
    assert found.ahead == 0
    assert found.dangers == ()
    assert {each.category for each in found.outs} == {Category.FLUSH, Category.PAIR}
    assert found.chance() == pytest.approx(12 / 45)


def test_on_the_turn_the_chance_of_an_out_is_the_equity() -> None:
    found = outs("As5s", "Ks9s2d3h", "KdQc")
    exact = equity(["As5s", "KdQc"], "Ks9s2d3h").players[0].equity
    assert len(found.cards) == 44
    assert len(found.outs) == 15  # nine spades, three aces, three other fours for the wheel
    assert found.chance() == pytest.approx(exact)


def test_who_is_ahead_has_dangers_and_no_outs() -> None:
    found = outs("KdQc", "Ks9s2d", "As5s")
    assert found.outs == ()
    assert found.ahead == 1
    assert found.chance() == 0
    assert {format_cards([each.card])[1] for each in found.dangers} == {"s", "h", "d", "c"}
    assert len(found.dangers) == 12


def test_more_opponents_leave_fewer_outs() -> None:
    one, five = (outs("QsJs", "Ts8d2c", "top 40%", opponents=n) for n in (1, 5))
    assert five.ahead < one.ahead
    assert len(five.outs) < len(one.outs)


@pytest.mark.parametrize("board", ["", "Ks9s2dThTc"])
def test_there_are_outs_on_the_flop_and_turn_only(board: str) -> None:
    with pytest.raises(BadInput, match="allowed: 3, 4"):
        outs("As5s", board)
