"""What opponents did as a filter of their holdings, and the odds that follow."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from railbird.cards import (
    HOLDING_CARDS,
    Card,
    CardsLike,
    Category,
    Holding,
    Range,
    cards_of,
    holding_of,
    parse_cards,
    parse_holding,
    strength,
)
from railbird.errors import BadInput, ParseError, RailbirdError
from railbird.odds import (
    Mode,
    Opponent,
    equity,
    hand_rank,
    looseness_of,
    open_matrix,
    raw_odds,
    reflected_weights,
    reflective_odds,
    showdown_odds,
    spectrum,
)
from railbird.odds.arguments import SHARES
from railbird.odds.spectra import (
    ReflectiveOdds,
    board_quantiles,
    compare_run_outs,
    joint_odds,
    power_odds,
)
from railbird.odds.win_probability import win_probability

BOARD = parse_cards("Ts8d2c")


def reflect(hole: str, board: str, *texts: str, softness: float = 0.0) -> ReflectiveOdds:
    opponents = [Opponent.parse(text) for text in texts]
    return reflective_odds(hole, board, opponents, softness=softness)


def test_the_order_on_a_board_is_by_the_better_of_both_ranks() -> None:
    quantiles = board_quantiles(BOARD)
    holdings = [parse_holding(text) for text in ("TdTc", "AsTd", "JhQd", "QsJs", "7c3h")]
    measures = []
    for holding in holdings:
        rank = hand_rank(holding, BOARD)
        measures.append(max(rank.ihr, rank.hr7))
    assert np.argsort(quantiles[holdings]).tolist() == np.argsort(measures)[::-1].tolist()
    live = quantiles[np.isfinite(quantiles)]
    assert len(live) == 1176
    assert np.isnan(quantiles[parse_holding("TsAs")])
    assert live.mean() == pytest.approx(0.5)


@pytest.mark.parametrize("board", [(), BOARD, parse_cards("Ts8d2c4h"), parse_cards("Ts8d2c4h9s")])
@pytest.mark.parametrize("act", ["call", "bet", "raise"])
def test_an_action_keeps_its_share_of_all_holdings(board: tuple[Card, ...], act: str) -> None:
    street = ("preflop", "flop", "turn", "river")[max(0, len(board) - 2)]
    weights = reflected_weights(Opponent.parse(f"{street}:{act}"), board)
    possible = np.isfinite(board_quantiles(board))
    share = SHARES[max(0, len(board) - 2)][act]
    assert weights[possible].mean() == pytest.approx(share, abs=0.02)
    assert not weights[~possible].any()


def test_twice_as_loose_keeps_twice_the_starting_hands() -> None:
    usual, loose, tight = (
        reflected_weights(Opponent.parse(f"preflop:call {more}"), ()).sum()
        for more in ("", "loose=2", "loose=0.5")
    )
    assert loose == pytest.approx(2 * usual, rel=0.03)
    assert tight == pytest.approx(usual / 2, rel=0.05)
    everything = reflected_weights(Opponent.parse("preflop:call loose=4"), ())
    assert everything.sum() == 1326


def test_the_fuzzy_filter_tends_to_the_boolean_one() -> None:
    opponent = Opponent.parse("flop:bet")
    sharp = reflected_weights(opponent, BOARD)
    nearly = reflected_weights(opponent, BOARD, softness=1e-6)
    soft = reflected_weights(opponent, BOARD, softness=0.1)
    assert np.count_nonzero(np.abs(sharp - nearly) > 1e-3) < 20  # at the edge only
    live = np.isfinite(board_quantiles(BOARD))
    assert (soft[live] > 0).all()
    assert soft[parse_holding("TdTc")] > soft[parse_holding("7c3h")] > 0


def test_a_check_says_nothing() -> None:
    odds = reflect("AsTh", "Tc8d2c".replace("Ts", "Tc"), "flop:check")
    assert odds.kept == (1.0,)
    assert odds.reflective == odds.raw


def test_a_bet_and_a_raise_worsen_the_odds_of_a_pair() -> None:
    checked, bet, raised = (
        reflect("AsTh", "Tc8d2c", text).reflective.joint
        for text in ("flop:check", "flop:bet", "flop:bet,raise")
    )
    assert checked > bet > raised


def test_the_filter_is_of_the_range() -> None:
    only = Opponent.parse("flop:raise", dealt="TT, 76s")
    weights = reflected_weights(only, BOARD)
    assert set(np.flatnonzero(weights)) <= set(np.flatnonzero(Range.parse("TT, 76s").weights))
    odds = reflective_odds("AsTh", BOARD, [only])
    assert odds.reflective == showdown_odds("AsTh", BOARD, [weights])


def test_the_nuts_and_the_reflective_nuts() -> None:
    nuts = reflect("AsKs", "QsJsTs2d2c", "river:bet")
    assert nuts.nuts
    assert nuts.reflective_nuts
    assert nuts.better == (0.0,)
    set_of_eights = reflect("8c8h", "Ts8d2c3h4s", "river:bet")
    assert not set_of_eights.nuts
    # A tight player, who came in with a good hand, has no straight and no set of tens...
    behind = reflective_odds("8c8h", "Ts8d2c3h4s", [Opponent(range="AA, KK, AK")])
    assert behind.nuts
    # ...and a loose one may.
    loose = reflective_odds("8c8h", "Ts8d2c3h4s", [Opponent(range="AA, KK, AK, 65s")])
    assert not loose.nuts
    reflected = reflective_odds("8c8h", "Ts8d2c3h4s", [Opponent.parse("preflop:raise loose=0.2")])
    assert not reflected.nuts
    assert reflected.better is not None


def test_before_the_flop_there_are_no_nuts() -> None:
    odds = reflect("AsAh", "", "preflop:raise")
    assert odds.nuts is None
    assert odds.reflective_nuts is None
    assert odds.after.sampled
    assert odds.reflective.stderr == 0


def test_the_spectrum_counts_every_final_hand() -> None:
    draw = spectrum("As5s", "Ks9s2d")
    assert draw.own.sum() == pytest.approx(1)
    assert draw.opponent.sum() == pytest.approx(1)
    own, theirs = draw.bins(50)
    assert own.sum() == pytest.approx(1)
    assert len(theirs) == 50
    categories = draw.by_category()
    flush = 1 - (38 * 37) / (47 * 46)
    made = categories[Category.FLUSH][0] + categories[Category.STRAIGHT_FLUSH][0]
    full = categories[Category.FULL_HOUSE][0] + categories[Category.QUADS][0]
    assert full == 0  # two cards to come pair nothing twice
    assert made == pytest.approx(flush)


def test_on_the_river_the_own_spectrum_is_one_hand() -> None:
    river = spectrum("AsKs", "QsJsTs2d2c")
    assert np.count_nonzero(river.own) == 1
    assert river.medians[0] == 7461
    assert river.separate_odds(3) == pytest.approx(1)


def test_separate_boards_give_other_odds_than_a_common_one() -> None:
    """The source draws the two dots from their own spectra; a pair on the board is everybody's."""
    draw = spectrum("As5s", "Ks9s2d")
    exact = showdown_odds("As5s", "Ks9s2d", ["random"]).joint
    assert draw.separate_odds() == pytest.approx(exact, abs=0.05)
    assert abs(draw.separate_odds() - exact) > 0.01


def test_few_hands_say_little_about_looseness() -> None:
    assert looseness_of(0, 0) == 1
    assert 1 < looseness_of(1, 2) < 1.2
    assert looseness_of(4000, 10_000) == pytest.approx(2, abs=0.01)
    with pytest.raises(BadInput, match="allowed: 0 up to the hands"):
        looseness_of(2, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("flop", "no action"),
        ("flob:bet", "street"),
        ("flop:bets", "action"),
        ("flop:", "action"),
        ("loose=x", "not a number"),
        ("loose=0", "looseness"),
        ("loose=nan", "looseness"),
        ("loose=inf", "looseness"),
    ],
)
def test_what_does_not_read_is_refused(text: str, said: str) -> None:
    with pytest.raises(RailbirdError, match=said) as refusal:
        Opponent.parse(text)
    assert "\n" not in str(refusal.value)


def test_texts_are_read_and_written() -> None:
    text = "preflop:raise flop:bet flop:call loose=2"
    assert str(Opponent.parse("flop:bet,call;preflop:raise loose=2")) == text
    assert Opponent.parse(text) == Opponent.parse(str(Opponent.parse(text)))
    with pytest.raises(ParseError, match="at character 7"):
        Opponent.parse("      x")


def test_actions_to_come_and_impossible_ones_are_refused() -> None:
    with pytest.raises(BadInput, match="an action on the turn"):
        reflect("AsTh", "Tc8d2c", "turn:bet")
    with pytest.raises(BadInput, match="no holding is worth"):
        reflective_odds("AsTh", "Tc8d2c", [Opponent.parse("flop:raise", dealt="7c3h")])
    with pytest.raises(BadInput, match="softness"):
        reflect("AsTh", "Tc8d2c", "flop:raise", softness=2)


@pytest.mark.parametrize("acts", ["flop:bet,check", "flop:call,bet", "turn:bet flop:bet,bet"])
def test_a_check_or_a_bet_comes_first_on_a_street(acts: str) -> None:
    with pytest.raises(BadInput, match=r"^flop:(bet|check) after an action"):
        Opponent.parse(acts)
    assert len(Opponent.parse("flop:check,raise turn:bet,call river:check,call").acts) == 6


# Odds against weighted opponents on every run-out, beside independent counts of the same.


TIGHT, LOOSE = "QQ+, AK:0.5, 76s", "top 30%"


def random_state(rng: np.random.Generator, board: int) -> tuple[Holding, tuple[Card, ...]]:
    cards = [Card(card) for card in rng.permutation(52)[: 2 + board].tolist()]
    return holding_of(cards[0], cards[1]), tuple(cards[2:])


def against_one(rng: np.random.Generator, states: int) -> None:
    """Compare with counts by ranks and suits, which evaluate no holding one by one."""
    for _ in range(states):
        holding, board = random_state(rng, int(rng.choice([3, 4, 5])))
        odds = showdown_odds(holding, board, ["random"])
        exact = win_probability(holding, board).share
        assert odds.joint == pytest.approx(exact, abs=1e-12), (holding, board)
        assert odds.power == pytest.approx(exact, abs=1e-12)


def test_against_one_the_odds_are_the_exact_equity_with_ties_half() -> None:
    against_one(np.random.default_rng(1), 60)
    matrix = open_matrix()
    rng = np.random.default_rng(2)
    for holding in rng.integers(0, 1326, 20):
        mean = np.nanmean(matrix.equity[holding])
        assert showdown_odds(holding, (), ["random"]).joint == pytest.approx(mean, abs=1e-12)


@pytest.mark.slow
def test_in_ten_thousand_states_the_odds_are_the_exact_equity() -> None:
    against_one(np.random.default_rng(3), 10_000)


@pytest.mark.parametrize(
    ("board", "wide"),
    [
        ("Ks9s2d", TIGHT),
        pytest.param("Ks9s2d", LOOSE, marks=pytest.mark.slow),
        ("Ks9s2dTh", LOOSE),
        ("Ks9s2dTh4c", LOOSE),
        ("KsQsJsTs9s", LOOSE),
    ],
)
def test_against_one_or_two_ranges_the_odds_are_those_of_all_deals(board: str, wide: str) -> None:
    """Both loose on a flop are 100 million deals."""
    for ranges in ([TIGHT], [wide], [TIGHT, wide], [wide, wide]):
        exact = equity(["As5d", *ranges], board, mode=Mode.EXACT).players[0].equity
        assert showdown_odds("As5d", board, ranges).joint == pytest.approx(exact, abs=1e-12)


def test_pairs_of_holdings_on_a_river_are_those_that_can_be_dealt() -> None:
    """Three opponents too, whose odds are only corrected: the twin deals all their holdings."""
    hole, board = parse_holding("AsTh"), parse_cards("Ts8d2c7h3s")
    ranges = [Range.parse(text).weights for text in ("T9s, 88, AA", "ATo, 98s, KK", "77, 65s")]
    known = {*cards_of(hole), *board}
    mine = strength([*cards_of(hole), *board])
    share = whole = 0.0
    holdings = [
        [
            (tuple(HOLDING_CARDS[h].tolist()), weights[h])
            for h in np.flatnonzero(weights)
            if known.isdisjoint(HOLDING_CARDS[h].tolist())
        ]
        for weights in ranges
    ]
    for one, first in holdings[0]:
        for two, second in holdings[1]:
            for three, third in holdings[2]:
                if len({*one, *two, *three}) == 6:
                    ways = first * second * third
                    best = [strength([*cards, *board]) for cards in (one, two, three)]
                    whole += ways
                    if mine >= max(best):
                        share += ways / (1 + best.count(mine))
    assert showdown_odds(hole, board, ranges).joint == pytest.approx(share / whole, abs=0.002)


@pytest.mark.parametrize(
    ("opponents", "deals"),
    [(3, 60_000), (6, 400_000), (9, 60_000)],
)
def test_the_correction_by_pairs_halves_the_error_of_independence(
    opponents: int, deals: int
) -> None:
    """Queens lose most by independence: whoever holds no card above them leaves it to others."""
    hole, board = parse_holding("QdQh"), parse_cards("Jc7d2s")
    run_outs = compare_run_outs(hole, board, [np.ones(1326)] * opponents)
    dealt = win_probability(hole, board, opponents=opponents, deals=deals)
    error = abs(joint_odds(run_outs) - dealt.share)
    assert error < 0.01
    assert error < abs(power_odds(run_outs) - dealt.share) / 2


def test_the_power_is_that_of_the_hand_ranks() -> None:
    for opponents in (1, 2, 5):
        ours = showdown_odds("As5s", "Ks9s2d", ["random"] * opponents).power
        assert ours == pytest.approx(raw_odds("As5s", "Ks9s2d", opponents=opponents), abs=1e-12)


def test_before_the_flop_boards_are_a_sample_with_a_standard_error() -> None:
    odds = showdown_odds("AsKs", "", ["random", "random"])
    dealt = equity(["AsKs", "random", "random"], samples=300_000, rng=np.random.default_rng(5))
    assert 0 < odds.stderr < 0.004
    assert odds.joint == pytest.approx(
        dealt.players[0].equity, abs=4 * odds.stderr + 4 * dealt.players[0].stderr
    )
    assert showdown_odds("AsKs", "", ["QQ"]).stderr == 0
    exact = equity(["AsKs", "QQ"]).players[0].equity
    assert showdown_odds("AsKs", "", ["QQ"]).joint == pytest.approx(exact, abs=1e-12)


def test_weights_scale_freely() -> None:
    weights = np.random.default_rng(6).random(1326)
    one, two = (showdown_odds("AsTh", "Ts8d2c", [w, w]) for w in (weights, weights * 1e6))
    assert one.joint == pytest.approx(two.joint, abs=1e-12)


def test_two_who_hold_the_same_two_aces_are_impossible() -> None:
    assert showdown_odds("KsKh", "Ts8d2c", ["AA", "AA"]).joint < 0.12
    with pytest.raises(BadInput, match="together"):
        showdown_odds("KsKh", "Ts8d2c", ["AsAd", "AsAd"])
    with pytest.raises(BadInput, match="together"):
        showdown_odds("KsKh", "Ts8d2c", ["AsAd", "AsAd", "random"])


@pytest.mark.parametrize(
    ("opponents", "said"),
    [
        ([], "0 opponents"),
        (["random"] * 23, "23 opponents"),
        (["AsAd"], "no holdings of the range"),
    ],
)
def test_what_cannot_be_is_refused(opponents: list[str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        showdown_odds("AsKs", "Ts8d2c", opponents)


def test_all_boards_are_listed_once() -> None:
    from railbird.odds.spectra import run_out_boards

    board: CardsLike = parse_cards("Ts8d2c")
    hole = parse_holding("AsKs")
    boards = run_out_boards(hole, parse_cards("Ts8d2c"))
    left = set(range(52)) - {*cards_of(hole), *board}
    expected = {frozenset({*board, *come}) for come in combinations(left, 2)}
    assert {frozenset(each) for each in boards.tolist()} == expected
    assert len(boards) == 1081
