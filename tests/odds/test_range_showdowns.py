"""What holdings win from a range, beside the equity of each against each of it."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS, HOLDINGS, parse_cards, parse_holding
from railbird.errors import BadInput
from railbird.odds import equity
from railbird.odds.range_showdowns import RangeShowdowns, met, met_by_many


@pytest.mark.parametrize("board", ["", "Td5hTh", "Td5hTh2d", "Td5hTh2d2h"])
def test_they_are_sums_of_equities(board: str) -> None:
    showdowns = RangeShowdowns(parse_cards(board))
    range_ = {"JdJc": 1.0, "8s7s": 0.5, "AcAd": 0.25, "Ks6s": 2.0}
    reach = np.zeros(HOLDINGS)
    for text, weight in range_.items():
        reach[parse_holding(text)] = weight
    won = showdowns.won(reach)
    for own in ("AsJh", "Js8d", "6s6c", "JdJc"):
        others = [text for text in range_ if not set(parse_cards(text)) & set(parse_cards(own))]
        wanted = sum(
            range_[text] * equity([own, text], board=board).players[0].equity for text in others
        )
        assert won[parse_holding(own)] == pytest.approx(wanted, abs=1e-9)
        assert met(reach)[parse_holding(own)] == pytest.approx(
            sum(range_[text] for text in others), abs=1e-12
        )


def test_what_the_board_blocks_wins_nothing() -> None:
    board = parse_cards("Td5hTh2d2h")
    showdowns = RangeShowdowns(board)
    blocked = np.isin(HOLDING_CARDS, board).any(axis=1)
    assert np.array_equal(showdowns.live, (~blocked).astype(np.float64))
    assert (showdowns.won(showdowns.live)[blocked] == 0).all()
    # All of what is won is won from somebody: half of all pairs.
    pairs = met(showdowns.live)[~blocked].sum()
    assert showdowns.won(showdowns.live).sum() == pytest.approx(pairs / 2)


def test_several_ranges_side_by_side_are_met_as_each_alone() -> None:
    reach = np.random.default_rng(0).random((HOLDINGS, 3))
    alone = np.stack([met(reach[:, number]) for number in range(3)], axis=1)
    assert np.allclose(met_by_many(reach), alone)


def test_wins_and_ties_are_counted_from_the_flop_on() -> None:
    with pytest.raises(BadInput, match="3 to 5 cards"):
        RangeShowdowns(()).counts()
    won, tied = RangeShowdowns(parse_cards("AsKsQsJsTs")).counts()  # everybody plays the board
    assert won.sum() == 0
    assert set(tied.tolist()) == {0, 990}
