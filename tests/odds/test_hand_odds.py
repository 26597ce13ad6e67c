"""Outs beside hands whose outs everybody counts."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, prod

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import (
    HOLDING_CARDS,
    HOLDING_INDEX,
    HOLDINGS,
    Card,
    Category,
    Holding,
    Range,
    cards_of,
    format_cards,
    parse_cards,
    parse_holding,
    strength,
)
from railbird.errors import BadInput, DuplicateCard
from railbird.odds import (
    call_value,
    classes_matrix,
    equity,
    final_ranks,
    hand_odds,
    hand_rank,
    hand_strength,
    hand_strengths,
    implied_odds,
    joint_hand_strength,
    model_odds,
    open_matrix,
    open_tables,
    outs,
    pot_odds,
    potential,
    raw_odds,
)
from railbird.odds.rank_kernels import count_standings

TEST_HAND_ODDS_HOLE = parse_holding("AdQc")


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
    found = hand_odds(TEST_HAND_ODDS_HOLE, parse_cards(board), tables=open_tables())
    values = {name: getattr(found, name) for name in found.__dataclass_fields__}
    assert {name for name, value in values.items() if value is None} == undefined
    assert all(0 <= value <= 1 for value in values.values() if value is not None)


def test_with_and_without_tables_on_a_flop() -> None:
    flop = parse_cards("3h4cJh")
    assert hand_odds(TEST_HAND_ODDS_HOLE, flop) == hand_odds(
        TEST_HAND_ODDS_HOLE, flop, tables=open_tables()
    )


def test_raw_odds_of_a_nut_draw_hold_in_a_crowd() -> None:
    # Peretz's example: the nut flush or nothing, whose odds do not fall with the opponents.
    draw, turn = parse_holding("As2s"), parse_cards("KsQs8d7h")
    one, three = (raw_odds(draw, turn, opponents=n) for n in (1, 3))
    flushes = 9 / 46
    assert one > three > flushes * 0.99
    assert three > one**3 + 0.1


def test_raw_odds_of_one_opponent_are_the_equity() -> None:
    flop = parse_cards("3h4cJh")
    expected = equity([TEST_HAND_ODDS_HOLE, "random"], flop).players[0].equity
    assert raw_odds(TEST_HAND_ODDS_HOLE, flop) == pytest.approx(expected, rel=1e-12)


def test_raw_odds_beside_exact_opponents() -> None:
    # Opponents' holdings are taken as independent; on a river three of them differ little.
    river = parse_cards("3h4cJh2dQs")
    drawn = equity([TEST_HAND_ODDS_HOLE, *["random"] * 3], river, samples=200_000)
    assert raw_odds(TEST_HAND_ODDS_HOLE, river, opponents=3) == pytest.approx(
        drawn.players[0].equity, abs=0.01
    )


def test_final_ranks_count_every_completion() -> None:
    assert final_ranks(TEST_HAND_ODDS_HOLE, parse_cards("3h4cJh")).sum() == 1081
    assert final_ranks(TEST_HAND_ODDS_HOLE, tables=open_tables()).sum() == 2_118_760


def test_strength_by_weights() -> None:
    river = parse_cards("3h4cJh2dQs")
    weights = np.zeros(1326)
    weights[parse_holding("KsKh")] = 3.0  # ahead
    weights[parse_holding("9s9d")] = 1.0  # behind
    weights[parse_holding("AdKd")] = 5.0  # shares a card
    assert hand_strength(TEST_HAND_ODDS_HOLE, river, weights=weights) == 0.25
    assert hand_strength(TEST_HAND_ODDS_HOLE, river, weights=weights, opponents=2) == 0.0625
    assert hand_strength(TEST_HAND_ODDS_HOLE, river, weights=np.zeros(1326)) == 0


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
        potential(TEST_HAND_ODDS_HOLE, parse_cards(board), to_come=to_come)


def test_bad_input() -> None:
    flop = parse_cards("3h4cJh")
    with pytest.raises(DuplicateCard, match="Jh is named twice"):
        hand_rank(parse_holding("JhAs"), flop)
    with pytest.raises(BadInput, match="a board of 6 cards"):
        hand_rank(TEST_HAND_ODDS_HOLE, parse_cards("3h4cJh5d6d7d"))
    with pytest.raises(BadInput, match="no card has the number 52"):
        hand_rank(TEST_HAND_ODDS_HOLE, [*flop[:2], Card(52)])
    with pytest.raises(BadInput, match="not defined"):
        hand_strength(TEST_HAND_ODDS_HOLE, [])
    with pytest.raises(BadInput, match="0 opponents"):
        hand_strength(TEST_HAND_ODDS_HOLE, flop, opponents=0)
    with pytest.raises(BadInput, match="0 opponents"):
        raw_odds(TEST_HAND_ODDS_HOLE, flop, opponents=0)
    for weights in (np.ones(3), -np.ones(1326), np.full(1326, np.nan)):
        with pytest.raises(BadInput, match="1326 finite numbers, none negative"):
            potential(TEST_HAND_ODDS_HOLE, flop, weights=weights)


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


# Strength and potential against given ranges; figures of Papp 1998, chapter 5, for Ad Qc.


TEST_WEIGHTED_ODDS_HOLE, FLOP = parse_holding("AdQc"), parse_cards("3h4cJh")
RANDOM = Range.parse("random")


def test_one_who_may_hold_anything_gives_the_published_figures() -> None:
    found = model_odds(TEST_WEIGHTED_ODDS_HOLE, FLOP, [RANDOM])
    assert found.hs == pytest.approx(0.585106, abs=5e-7)
    assert found.hs_field == pytest.approx(found.hs)
    assert found.ppot1 == pytest.approx(0.108312, abs=5e-7)
    assert found.ppot2 == pytest.approx(0.208324, abs=5e-7)
    assert found.npot1 == pytest.approx(0.145402, abs=5e-7)
    assert found.npot2 == pytest.approx(0.273693, abs=5e-7)
    assert found.ehs == pytest.approx(0.511399, abs=5e-7)
    assert found.optimistic_ehs == pytest.approx(0.671539, abs=5e-7)


def test_five_alike_are_the_fifth_power_by_either_way() -> None:
    found = model_odds(TEST_WEIGHTED_ODDS_HOLE, FLOP, [RANDOM] * 5)
    assert found.hs == pytest.approx(0.068576, abs=5e-7)
    assert found.hs_field == pytest.approx(found.hs)


def test_unequal_ranges_part_the_two_ways() -> None:
    strong, weak = Range.parse("QQ+, AKs"), Range.parse("72o, 83o")
    found = model_odds(TEST_WEIGHTED_ODDS_HOLE, FLOP, [strong, weak])
    by_hand = [
        hand_strength(TEST_WEIGHTED_ODDS_HOLE, FLOP, weights=model.weights)
        for model in (strong, weak)
    ]
    assert found.hs == pytest.approx(by_hand[0] * by_hand[1])
    assert found.hs_field == pytest.approx((sum(by_hand) / 2) ** 2)
    assert found.hs < found.hs_field  # a product lies below the square of the mean


def test_the_streets_define_what_they_can() -> None:
    turn = model_odds(TEST_WEIGHTED_ODDS_HOLE, (*FLOP, *parse_cards("2s")), [RANDOM])
    assert turn.ppot1 is not None
    assert turn.ppot2 is None
    river = model_odds(TEST_WEIGHTED_ODDS_HOLE, (*FLOP, *parse_cards("2s9d")), [RANDOM])
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
def test_weighted_odds_what_cannot_be_is_refused(
    board: tuple[int, ...], models: list[Range], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        model_odds(TEST_WEIGHTED_ODDS_HOLE, board, models)  # type: ignore[arg-type]


# Strength and potential of all holdings at once, beside those of one at a time.


@pytest.mark.parametrize("board", ["3h4cJh", "9d6c2dAs", "TsJsQsKsAs", "2c2d2h2s3c"])
def test_strengths_are_those_of_each_holding(board: str) -> None:
    cards = parse_cards(board)
    rng = np.random.default_rng(5)
    weights = rng.random(HOLDINGS) * (rng.random(HOLDINGS) < 0.5)
    found = hand_strengths(cards, weights=weights)
    blocked = np.isin(HOLDING_CARDS, cards).any(axis=1)
    np.testing.assert_array_equal(np.isnan(found), blocked)
    for holding in rng.choice(np.flatnonzero(~blocked), size=60, replace=False):
        one = hand_strength(Holding(int(holding)), cards, weights=weights)
        assert found[holding] == pytest.approx(one, abs=1e-12)


def test_potential_over_runouts_is_that_of_the_enumeration() -> None:
    rng = np.random.default_rng(6)
    for _ in range(4):
        deck = rng.permutation(52)
        board = deck[:3].astype(np.uint8)
        holding = next(
            h for h in rng.permutation(HOLDINGS) if not np.isin(HOLDING_CARDS[h], board).any()
        )
        weights = rng.random(HOLDINGS)
        slow = np.zeros((3, 3))
        count_standings(int(holding), board, weights, 2, comb(47, 2), slow)
        fast = potential(
            Holding(int(holding)),
            tuple(map(int, board)),  # type: ignore[arg-type]
            to_come=2,
            weights=weights,
        )
        np.testing.assert_allclose(fast.table, slow, rtol=1e-10)


def test_no_strength_before_the_flop() -> None:
    with pytest.raises(BadInput, match="boards of 3 to 5"):
        hand_strengths(())


# Exact strength against two and three, compared with going through all their holdings.


def by_enumeration(
    hole: Holding, board: tuple[Card, ...], *opponents: NDArray[np.float64]
) -> float:
    """The slow twin."""
    known = {*cards_of(hole), *board}
    mine = strength([*cards_of(hole), *board])
    hands = []
    for pair in combinations(sorted(set(range(52)) - known), 2):
        holding = int(HOLDING_INDEX[pair])
        if any(weights[holding] for weights in opponents):
            theirs = strength([Card(pair[0]), Card(pair[1]), *board])
            hands.append((set(pair), holding, 1.0 if mine > theirs else 0.5 * (mine == theirs)))
    won = whole = 0.0
    for held in product(hands, repeat=len(opponents)):
        if len(set.union(*(pair for pair, _, _ in held))) == 2 * len(held):
            likely = prod(weights[i] for weights, (_, i, _) in zip(opponents, held, strict=True))
            whole += likely
            won += likely * prod(ahead for _, _, ahead in held)
    return won / whole


@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_sum_over_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dealt = rng.permutation(52)[: 5 + seed % 3].tolist()
    hole = Holding(int(HOLDING_INDEX[dealt[0], dealt[1]]))
    board = tuple(map(Card, dealt[2:]))
    one, other = (np.where(rng.random(1326) < 0.1, rng.random(1326), 0.0) for _ in range(2))
    assert joint_hand_strength(hole, board, one, other) == pytest.approx(
        by_enumeration(hole, board, one, other)
    )


@pytest.mark.slow(but=["1"])
@pytest.mark.parametrize("seed", range(3))
def test_with_three_it_is_the_sum_over_all_triples(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dealt = rng.permutation(52)[: 5 + seed].tolist()
    hole = Holding(int(HOLDING_INDEX[dealt[0], dealt[1]]))
    board = tuple(map(Card, dealt[2:]))
    three = [np.where(rng.random(1326) < 0.02, rng.random(1326), 0.0) for _ in range(3)]
    assert joint_hand_strength(hole, board, *three) == pytest.approx(
        by_enumeration(hole, board, *three)
    )


def test_opponents_who_cannot_hold_the_same_part_from_the_square() -> None:
    hole, flop = parse_holding("AdQc"), parse_cards("3h4cJh")
    anything = Range.full().weights
    joint = joint_hand_strength(hole, flop, anything, anything)
    square = hand_strength(hole, flop, opponents=2)
    assert joint != pytest.approx(square, abs=1e-5)
    assert joint == pytest.approx(square, abs=0.01)


@pytest.mark.parametrize(
    ("board", "one", "said"),
    [
        ("", "random", "before the flop"),
        ("3h4cJh", "AdQc", "no holdings"),
    ],
)
def test_multiway_strength_what_cannot_be_is_refused(board: str, one: str, said: str) -> None:
    weights = Range.parse(one).weights
    with pytest.raises(BadInput, match=said):
        joint_hand_strength(parse_holding("AdQc"), parse_cards(board), weights, weights)


def test_three_cannot_hold_the_same_two_cards() -> None:
    held = Range.parse("KcKd").weights
    with pytest.raises(BadInput, match="three opponents no holdings"):
        joint_hand_strength(
            parse_holding("AdQc"), parse_cards("3h4cJh"), held, held, Range.full().weights
        )
