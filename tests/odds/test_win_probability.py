"""Probability of winning: exact counts, roll-outs, the table before the flop."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from railbird.cards import (
    CLASS_NAMES,
    HOLDING_INDEX,
    Card,
    Holding,
    holdings_of_class,
    parse_class,
    parse_holding,
)
from railbird.errors import BadInput
from railbird.odds import Mode, equity, hand_rank
from railbird.odds.rank_tables import read_wins
from railbird.odds.win_probability import TABLE_DEALS, range_probabilities, win_probability
from railbird.solve.abstraction.card_abstraction import is_blocked


def states(cards: int, count: int) -> list[tuple[Holding, tuple[Card, ...]]]:
    """Draw holdings and boards, half of them with many cards of one suit."""
    rng, drawn = np.random.default_rng(cards), []
    for number in range(count):
        pool = rng.permutation(52 if number % 2 else [*range(0, 52, 4), *range(1, 52, 8)]).tolist()
        board = tuple(map(Card, pool[2 : 2 + cards]))
        drawn.append((Holding(int(HOLDING_INDEX[pool[0], pool[1]])), board))
    return drawn


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_the_share_against_one_is_the_seven_card_hand_rank(cards: int) -> None:
    for holding, board in states(cards, 60):
        counted = win_probability(holding, board)
        assert counted.share == pytest.approx(hand_rank(holding, board).hr7, abs=1e-12)
        assert counted.deals == counted.stderr == 0


def test_wins_and_ties_on_the_river() -> None:
    """Flushes of three, four and five cards on the board, straights, pairs: all ranks compared."""
    for holding, board in states(5, 200):
        rank = hand_rank(holding, board)
        counted = win_probability(holding, board)
        assert counted.unbeaten == pytest.approx((rank.ahead + rank.tied) / comb(45, 2), abs=1e-12)


def test_a_tie_is_a_win_but_half_the_pot() -> None:
    plays_the_board = win_probability("2c3d", "AsKsQsJsTs")
    assert (plays_the_board.unbeaten, plays_the_board.share) == (1, 0.5)
    three = win_probability("2c3d", "AsKsQsJsTs", opponents=2)
    assert three.unbeaten == 1
    assert three.share == pytest.approx(1 / 3)


@pytest.mark.parametrize("opponents", [1, 2, 5, 9])
@pytest.mark.parametrize("board", ["", "Kd9s2h", "Kd9s2hTs", "Kd9s2hTs3c"])
def test_a_roll_out_agrees_with_equity_within_its_error(board: str, opponents: int) -> None:
    rolled = win_probability("AsQs", board, opponents=opponents, deals=40_000)
    assert rolled.deals == 40_000
    players = ["AsQs", *["random"] * opponents]
    dealt = equity(players, board, mode=Mode.SAMPLED, samples=400_000)
    mine = dealt.players[0]
    assert abs(rolled.share - mine.equity) < 4 * (rolled.share_stderr + mine.stderr)
    unbeaten = (mine.win + mine.tie) / dealt.trials
    assert abs(rolled.unbeaten - unbeaten) < 4 * (rolled.stderr + mine.stderr)


def test_a_roll_out_depends_on_nothing_but_the_state() -> None:
    one = win_probability("AsQs", "Kd9s2h", opponents=3)
    assert one == win_probability("QhAh", "2d9hKc", opponents=3)
    assert one.deals == 2_500
    assert one.stderr <= 0.01


def test_a_roll_out_ends_in_time() -> None:
    short = win_probability("AsQs", "Kd9s2h", opponents=9, deals=10_000_000, seconds=0.002)
    assert 250 <= short.deals < 1_000_000


def test_before_the_flop_against_one_it_is_the_matrix() -> None:
    wins = read_wins().astype(np.int64)
    whole = comb(50, 2) * comb(48, 5)
    for name in CLASS_NAMES:
        holding = holdings_of_class(parse_class(name))[0]
        won, lost = wins[holding].sum(), wins[:, holding].sum()
        result = win_probability(holding)
        assert result.unbeaten == pytest.approx(1 - lost / whole, abs=5.1e-7)
        assert result.share == pytest.approx((whole + won - lost) / whole / 2, abs=5.1e-7)


def test_before_the_flop_against_several() -> None:
    """The table against roll-outs of other deals, four standard errors apart at most."""
    for name in ("AA", "AKs", "T9s", "72o", "22"):
        holding = holdings_of_class(parse_class(name))[0]
        for opponents in range(2, 10):
            table = win_probability(holding, opponents=opponents)
            rolled = win_probability(holding, opponents=opponents, deals=20_000)
            assert table.deals == TABLE_DEALS
            assert abs(table.share - rolled.share) < 4 * rolled.share_stderr
            assert abs(table.unbeaten - rolled.unbeaten) < 4 * rolled.stderr


def test_shares_before_the_flop_add_up() -> None:
    """All hands together win as often as anybody: 1 in so many players."""
    sizes = np.array([len(holdings_of_class(parse_class(name))) for name in CLASS_NAMES])
    for opponents in range(1, 10):
        shares = [
            win_probability(holdings_of_class(parse_class(name))[0], opponents=opponents).share
            for name in CLASS_NAMES
        ]
        assert sizes @ shares / 1326 == pytest.approx(1 / (opponents + 1), abs=1e-4)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(BadInput, match="0 opponents; allowed: 1 to 22"):
        win_probability("AsQs", opponents=0)
    with pytest.raises(BadInput, match="0 deals"):
        win_probability("AsQs", deals=0)
    with pytest.raises(BadInput, match="As is named twice"):
        win_probability(parse_holding("AsQs"), "AsKd2c")


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_all_holdings_are_counted_as_one_by_one(cards: int) -> None:
    for _, board in states(cards, 4):
        holdings = np.flatnonzero(~is_blocked(np.array(board, np.uint8)))
        some = holdings[:: 1 if cards == 5 else 40]
        alone = [win_probability(Holding(holding), board) for holding in some.tolist()]
        assert range_probabilities(some, board, 1) == alone
