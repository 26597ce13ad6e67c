"""Strength and potential against given ranges; figures of Papp 1998, chapter 5, for Ad Qc."""

from __future__ import annotations

import pytest

from railbird.cards import Range, parse_cards, parse_holding
from railbird.errors import BadInput
from railbird.odds import hand_strength, model_odds

HOLE, FLOP = parse_holding("AdQc"), parse_cards("3h4cJh")
RANDOM = Range.parse("random")


def test_one_who_may_hold_anything_gives_the_published_figures() -> None:
    found = model_odds(HOLE, FLOP, [RANDOM])
    assert found.hs == pytest.approx(0.585106, abs=5e-7)
    assert found.hs_field == pytest.approx(found.hs)
    assert found.ppot1 == pytest.approx(0.108312, abs=5e-7)
    assert found.ppot2 == pytest.approx(0.208324, abs=5e-7)
    assert found.npot1 == pytest.approx(0.145402, abs=5e-7)
    assert found.npot2 == pytest.approx(0.273693, abs=5e-7)
    assert found.ehs == pytest.approx(0.511399, abs=5e-7)
    assert found.optimistic_ehs == pytest.approx(0.671539, abs=5e-7)


def test_five_alike_are_the_fifth_power_by_either_way() -> None:
    found = model_odds(HOLE, FLOP, [RANDOM] * 5)
    assert found.hs == pytest.approx(0.068576, abs=5e-7)
    assert found.hs_field == pytest.approx(found.hs)


def test_unequal_ranges_part_the_two_ways() -> None:
    strong, weak = Range.parse("QQ+, AKs"), Range.parse("72o, 83o")
    found = model_odds(HOLE, FLOP, [strong, weak])
    by_hand = [hand_strength(HOLE, FLOP, weights=model.weights) for model in (strong, weak)]
    assert found.hs == pytest.approx(by_hand[0] * by_hand[1])
    assert found.hs_field == pytest.approx((sum(by_hand) / 2) ** 2)
    assert found.hs < found.hs_field  # a product lies below the square of the mean


def test_the_streets_define_what_they_can() -> None:
    turn = model_odds(HOLE, (*FLOP, *parse_cards("2s")), [RANDOM])
    assert turn.ppot1 is not None
    assert turn.ppot2 is None
    river = model_odds(HOLE, (*FLOP, *parse_cards("2s9d")), [RANDOM])
    assert river.ppot1 is None
    assert river.ehs == river.hs == river.optimistic_ehs


@pytest.mark.parametrize(
    ("board", "models", "said"),
    [
        ((), [RANDOM], "from the flop on"),
        (FLOP, [], "no model"),
        (FLOP, [Range.parse("AdQc")], "leave nothing of the range AdQc"),
    ],
)
def test_what_cannot_be_is_refused(board: tuple[int, ...], models: list[Range], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        model_odds(HOLE, board, models)  # type: ignore[arg-type]
