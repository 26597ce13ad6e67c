"""Published values of blackjack: Kan's examples, the Wizard of Odds' tables, Farmer's splits."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.blackjack import (
    AfterSplit,
    basic_strategy,
    chart_of,
    differences,
    game_value,
    hand_values,
    optimal_strategy,
    parse_ranks,
    parse_rules,
    parse_shoe,
    source_chart,
)
from railbird.blackjack import exact_kernels as kernels
from railbird.blackjack.counting import SYSTEMS, expected_shoe, insurance_index, strategies_by_count
from railbird.blackjack.exact import kernel_table

TENS = "A-9:10,T:55"


@pytest.mark.parametrize(
    ("player", "upcard", "shoe", "values"),
    [
        # Kan (2007), section 2.4, to the five digits that an independent program found
        ("4,5", "7", None, {"hit": 0.17858, "double": 0.12516}),
        ("4,5", "7", TENS, {"hit": 0.23885, "double": 0.29107}),
        # the cells of Kan's table 2.1 that a computation must get right, to four digits
        ("T,6", "T", None, {"hit": -0.5321, "stand": -0.5412}),
        ("A,8", "6", None, {"double": 0.4626, "stand": 0.4518}),
        ("6,5", "A", None, {"double": 0.1345, "hit": 0.1117}),
    ],
)
def test_values_of_the_source(
    player: str, upcard: str, shoe: str | None, values: dict[str, float]
) -> None:
    found = hand_values(
        parse_ranks(player),
        parse_ranks(upcard)[0],
        parse_rules("decks=4,H17,peek,das"),
        shoe=None if shoe is None else parse_shoe(shoe),
    )
    for action, value in values.items():
        digits = len(str(value).split(".")[1])
        assert round(getattr(found, action), digits) == value


def test_the_source_rounds_its_terms_before_it_subtracts() -> None:
    fresh = hand_values((3, 4), 6, parse_rules(""))
    rich = hand_values((3, 4), 6, parse_rules(""), shoe=parse_shoe(TENS))
    assert round(fresh.double - fresh.hit, 4) == -0.0534
    assert round(rich.double - rich.hit, 4) == 0.0522  # the source prints 0.0523


@pytest.mark.slow
def test_exactly_six_cells_of_the_source_s_table_differ() -> None:
    for strategy in (basic_strategy(parse_rules("")), optimal_strategy(parse_rules(""))):
        found = {
            (row, up): (printed, ours[:1])
            for row, up, printed, ours in differences(source_chart(), chart_of(strategy))
        }
        assert found == {
            **{("10", up): ("H", "D") for up in "2789"},
            **{("A,7", up): ("H", "S") for up in "78"},
        }


# Wizard of Odds, Blackjack Appendix 9 (pages updated October 2019), "Expected return of game" with
# and without doubles after a split. Four hands, aces split once, one card each. There the play
# after a split knows how many hands there are, so it is better than ours by up to 0.002 %.
WIZARD = {
    "decks=1,S17": (0.001839, 0.000423),
    "decks=1,H17": (-0.000072, -0.001513),
    "decks=2,H17": (-0.003797, -0.005252),
    "decks=5,H17": (-0.005918, -0.007366),
    "decks=5,S17": (-0.003804, -0.005225),
    "decks=6,H17,enhc": (-0.0072705, -0.0086975),
    "decks=8,H17,enhc": (-0.007562, -0.0089865),
}


@pytest.mark.slow(but=["decks=1,H17"])
@pytest.mark.parametrize("rules", WIZARD)
def test_house_edges_agree_with_the_published_ones(rules: str) -> None:
    for words, published in zip(("das", "nodas"), WIZARD[rules], strict=True):
        value = game_value(optimal_strategy(parse_rules(f"{rules},resplit=2,{words}"))).mean
        assert value == pytest.approx(published, abs=0.00003)


# The same pages: stand, hit and double of hands without a pair, no dealer blackjack.
WIZARD_HANDS = {
    ("decks=1,S17", "3,2", "A"): (-0.659375, -0.291565, -1.318751),
    ("decks=1,S17", "6,5", "A"): (-0.634013, 0.172946, 0.240259),
    ("decks=1,H17", "5,4", "A"): (-0.581270, -0.121173, -0.419143),
    ("decks=1,H17", "7,A", "A"): (-0.223909, -0.173175, -0.414678),
    ("decks=2,H17", "6,4", "A"): (-0.587412, 0.038312, -0.003909),
    ("decks=5,S17", "6,A", "A"): (-0.478961, -0.183653, -0.535696),
    ("decks=5,H17", "4,2", "A"): (-0.595694, -0.345069, -1.179218),
    ("decks=6,H17,enhc", "2,A", "A"): (-0.722356, -0.379910, -1.024099),
    ("decks=8,H17,enhc", "6,5", "A"): (-0.721201, -0.235977, -0.537869),
}


@pytest.mark.parametrize(("rules", "player", "upcard"), WIZARD_HANDS)
def test_hands_agree_with_the_published_ones(rules: str, player: str, upcard: str) -> None:
    found = hand_values(parse_ranks(player), parse_ranks(upcard)[0], parse_rules(rules))
    published = WIZARD_HANDS[rules, player, upcard]
    assert (found.stand, found.hit, found.double) == pytest.approx(published, abs=1.1e-6)


@pytest.mark.slow
def test_the_dealer_s_outcomes_agree_with_the_published_ones() -> None:
    """Wizard of Odds, Blackjack Appendix 2B: one deck, S17, before the peek."""
    published = {
        0: (0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.11654, 0.313726),
        1: (0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0.352973, 0.0),
        4: (0.119687, 0.123483, 0.116909, 0.104694, 0.106321, 0.428905, 0.0),
        6: (0.372345, 0.138583, 0.0773344, 0.0788967, 0.072987, 0.259854, 0.0),
    }
    table = kernel_table(parse_rules("decks=1,S17"))
    for upcard, outcomes in published.items():
        shoe = np.array([4.0] * 9 + [16.0])
        shoe[upcard] -= 1
        found = np.empty(7)
        kernels.dealer_outcomes(shoe, 51.0, upcard, table, found)
        assert found == pytest.approx(np.array(outcomes), abs=1e-6)


def test_a_split_of_deuces_agrees_with_farmer_to_every_digit() -> None:
    """E. Farmer, blackjacktheforum.com thread 42312: one deck, S17, no double after the split."""
    found = hand_values((1, 1), 5, parse_rules("decks=1,S17,nodas"))
    assert found.split == pytest.approx(0.1189818683947885, abs=1e-13)
    best = hand_values((1, 1), 5, parse_rules("decks=1,S17,nodas"), after_split=AfterSplit.BEST)
    assert best.split >= found.split


@pytest.mark.slow
def test_infinitely_many_decks_are_the_limit() -> None:
    limit = game_value(optimal_strategy(parse_rules("decks=inf,S17"))).mean
    many = [game_value(optimal_strategy(parse_rules(f"decks={n},S17"))).mean for n in (50, 500)]
    assert abs(many[1] - limit) < abs(many[0] - limit) / 9
    assert many[1] == pytest.approx(limit, abs=2e-5)


# Schlesinger, Blackjack Attack: the Illustrious 18 and the Fab 4 of the Hi-Lo count for several
# decks, S17: the true count from which the first play is better than the second. Both pairs of tens
# split with doubles after a split.
SCHLESINGER = [
    ("T,6", "T", "stand", "hit", 0),
    ("T,5", "T", "stand", "hit", 4),
    ("T,T", "5", "split", "stand", 5),
    ("T,T", "6", "split", "stand", 4),
    ("6,4", "T", "double", "hit", 4),
    ("T,2", "3", "stand", "hit", 2),
    ("T,2", "2", "stand", "hit", 3),
    ("6,5", "A", "double", "hit", 1),
    ("5,4", "2", "double", "hit", 1),
    ("6,4", "A", "double", "hit", 4),
    ("5,4", "7", "double", "hit", 3),
    ("9,7", "9", "stand", "hit", 5),
    ("T,3", "2", "stand", "hit", -1),
    ("T,2", "4", "stand", "hit", 0),
    ("T,2", "5", "stand", "hit", -2),
    ("T,2", "6", "stand", "hit", -1),
    ("T,3", "3", "stand", "hit", -2),
    ("T,4", "T", "surrender", "hit", 3),
    ("T,5", "9", "surrender", "hit", 2),
    ("T,5", "T", "surrender", "hit", 0),
    ("T,5", "A", "surrender", "hit", 1),
]


def test_index_plays_agree_with_the_published_ones() -> None:
    """What the count says of the cards left makes both plays worth the same near the index.

    The published ones are whole numbers, and which way they are rounded is not said: the exact
    counts are up to three quarters away from them.
    """
    rules = parse_rules("decks=6,S17,ls")

    def gain(cards: tuple[int, ...], upcard: int, plays: tuple[str, str], count: float) -> float:
        shoe = expected_shoe(SYSTEMS["hi-lo"], count, 3.0)
        np.add.at(shoe, [*cards, upcard], 1.0)
        values = hand_values(cards, upcard, rules, shoe=shoe)
        return float(getattr(values, plays[0]) - getattr(values, plays[1]))

    for player, up, play, other, count in SCHLESINGER:
        hand, upcard = parse_ranks(player), parse_ranks(up)[0]
        below, above = (gain(hand, upcard, (play, other), count + by) for by in (-0.75, 0.75))
        assert below < 0 < above, f"{player} v {up}"
    assert insurance_index(rules, SYSTEMS["hi-lo"]) == 3


@pytest.mark.slow
def test_strategies_by_count_change_where_the_index_plays_do() -> None:
    """Played by total, at counts rounded down to whole numbers: within one of the published."""
    rules = parse_rules("decks=6,S17,ls")
    known = strategies_by_count(rules, SYSTEMS["hi-lo"])
    charts = {count: chart_of(known(count)) for count in (-2, 0, 2)}
    for row, up, cells in (
        ("9", "2", "HHD"), ("11", "A", "HHD"), ("12", "3", "HHS"), ("12", "4", "HSS"),
        ("13", "2", "HSS"), ("15", "T", "HRR"), ("15", "9", "HHR"), ("16", "7", "HHH"),
    ):  # fmt: skip
        assert "".join(charts[count][row][up][0] for count in (-2, 0, 2)) == cells, f"{row} v {up}"
