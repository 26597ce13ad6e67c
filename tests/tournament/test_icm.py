"""Prize equities: published examples, all orders enumerated, and laws."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit.analysis import calculate_icm

from railbird.cli import run
from railbird.errors import BadInput
from railbird.tournament import (
    bubble_factors,
    icm,
    place_probabilities,
    prize_curve,
    prize_equities,
)
from railbird.tournament.icm import places_of

stacks = st.lists(st.integers(1, 10_000), min_size=1, max_size=7)
prizes = st.lists(st.integers(0, 1000), min_size=1, max_size=9).filter(any)


@pytest.mark.parametrize(
    ("chips", "payouts", "published", "digits"),
    [
        # Wikipedia, "Independent Chip Model", the example of the section "Model"; 45, 32 and 22
        # are what the table's rounded products give.
        ([50, 30, 20], [70, 30], [45, 32, 22], 0.6),
        # flopturnriver.com, forum thread 133454: "the big stack expects to win 38.4 %".
        # pailiku.com's calculator prints the other two.
        ([5000, 3000, 2000], [50, 30, 20], [38.39, 32.75, 28.86], 0.006),
        # The README of poker-apprentice/icm-calculator.
        (
            [150_000, 98_750, 45_500, 13_250],
            [425, 280, 130, 75],
            [323.2, 278.12, 195.79, 112.89],
            0.006,
        ),
    ],
)
def test_published_examples(
    chips: list[float], payouts: list[float], published: list[float], digits: float
) -> None:
    assert prize_equities(chips, payouts) == pytest.approx(published, abs=digits)


def by_orders(chips: list[int], places: int) -> npt.NDArray[np.float64]:
    """Add the probability of every order of the players, as Harville defines it."""
    found = np.zeros((len(chips), places))
    for order in itertools.permutations(range(len(chips))):
        rest, chance = sum(chips), 1.0
        for player in order:
            chance *= chips[player] / rest
            rest -= chips[player]
        for place, player in enumerate(order[:places]):
            found[player, place] += chance
    return found


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=6), st.data())
def test_the_subsets_are_the_sum_over_all_orders(chips: list[int], data: st.DataObject) -> None:
    places = data.draw(st.integers(1, len(chips)))
    np.testing.assert_allclose(
        place_probabilities(chips, places), by_orders(chips, places), rtol=1e-12
    )


@pytest.mark.slow
@given(stacks.filter(lambda chips: len(chips) > 1), prizes)
def test_pokerkit_agrees(chips: list[int], payouts: list[int]) -> None:
    paid = payouts[: len(chips)]
    theirs = calculate_icm(paid, chips)
    np.testing.assert_allclose(prize_equities(chips, payouts), theirs, atol=1e-9 * max(payouts))


@given(st.lists(st.floats(1e-3, 1e6), min_size=2, max_size=12))
def test_the_integral_over_time_is_the_sum_over_subsets(chips: list[float]) -> None:
    array = np.array(chips)
    exact, integral = (icm._places(array, len(chips), None, most) for most in (20, 1))
    np.testing.assert_allclose(integral, exact, atol=1e-12)


@pytest.mark.parametrize("players", [21, 64, 65, 150])
def test_many_players_share_every_place(players: int) -> None:
    chips = np.random.default_rng(players).pareto(1.2, players) + 0.01
    probabilities = place_probabilities(chips.tolist())
    np.testing.assert_allclose(probabilities.sum(axis=0), 1, atol=1e-11)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-11)
    np.testing.assert_allclose(probabilities[:, 0], chips / chips.sum(), atol=1e-12)


@given(stacks, prizes)
def test_the_equities_are_the_prizes_of_the_places_that_are_left(
    chips: list[int], payouts: list[int]
) -> None:
    equities = prize_equities(chips, payouts)
    assert equities.sum() == pytest.approx(sum(payouts[: len(chips)]), rel=1e-12)


@given(st.integers(1, 25), prizes)
def test_equal_stacks_have_equal_equities(players: int, payouts: list[int]) -> None:
    equities = prize_equities([7] * players, payouts)
    np.testing.assert_allclose(equities, sum(payouts[:players]) / players, rtol=1e-11)


def test_one_prize_makes_chips_money() -> None:
    np.testing.assert_allclose(prize_equities([5, 3, 2], [100]), [50, 30, 20])
    factors = bubble_factors([5, 3, 2], [100])
    np.testing.assert_allclose(factors[~np.eye(3, dtype=bool)], 1, rtol=1e-9)


@pytest.mark.parametrize("others", [[], [400, 70], list(range(50, 65))])
def test_a_curve_is_the_equities_of_its_points(others: list[float]) -> None:
    """Fifteen others are counted by the integral there, and by the subsets here."""
    chips = [1, 250, 999]
    curve = prize_curve(chips, 1000, others, [50, 30, 20])
    for each, value in zip(chips, curve, strict=True):
        (expected, *_) = prize_equities([each, 1000 - each, *others], [50, 30, 20])
        assert value == pytest.approx(expected, rel=1e-9)


def test_players_without_chips_take_the_last_places_by_what_they_had() -> None:
    payouts = [50, 30, 15, 5]
    assert prize_equities([1, 0, 0, 0], payouts)[1:] == pytest.approx([50 / 3] * 3)
    assert prize_equities([1, 0, 0, 0], payouts, had=[9, 2, 3, 2]) == pytest.approx(
        [50, 10, 30, 10]
    )
    assert prize_equities([4, 6, 0], [50, 30]) == pytest.approx([38, 42, 0])


def test_the_bubble_factor_of_the_bubble() -> None:
    """Four equal stacks, three prizes: a doubled stack against an eliminated one, by hand."""
    now = 25.0
    doubled = prize_equities([2, 0, 1, 1], [50, 30, 20])[0]
    assert bubble_factors([1] * 4, [50, 30, 20])[0, 1] == pytest.approx(now / (doubled - now))
    # 2+2, "Average Bubble Factors", after "Kill Everyone": three equal stacks for two seats.
    assert bubble_factors([1] * 3, [300, 300])[0, 1] == pytest.approx(2)
    # A satellite: two equal prizes for three players, and the two big stacks gain nothing by
    # knocking each other out but the short stack's hope.
    assert bubble_factors([10, 10, 1], [1, 1])[0, 1] > 5
    assert math.isinf(bubble_factors([1, 1], [1, 1])[0, 1])


def test_twenty_players_with_twenty_prizes() -> None:
    """Orders of finishing are 2.4e18: who went through them would never end."""
    chips = np.random.default_rng(1).integers(1, 10_000, 20).tolist()
    equities = prize_equities(chips, range(20, 0, -1))
    assert equities.sum() == pytest.approx(210, rel=1e-12)


@pytest.mark.parametrize(
    ("chips", "payouts", "said"),
    [
        ([], [1], "0 stacks; allowed: 1 to 500"),
        ([1] * 501, [1], "501 stacks; allowed: 1 to 500"),
        ([1, -1], [1], "stack 2 is -1; allowed: 0 or more"),
        ([1, math.nan], [1], "stack 2 is nan"),
        ([0, 0], [1], "no chips in the stacks"),
        ([1], [], "no payouts"),
        ([1], [0], "no payout above 0"),
        ([1], [1, math.inf], "payout 2 is inf"),
    ],
)
def test_what_cannot_be_valued_is_refused(
    chips: list[float], payouts: list[float], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        prize_equities(chips, payouts)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["icm", "--stacks", "5000,3000,2000", "--payouts", "50/30/20"]
    assert run([*args, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["equity"] == pytest.approx([38.392857, 32.75, 28.857143])
    assert result["bubble_factors"][0][0] is None
    assert run(args) == 0
    assert "38.3929    38.39" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--stacks", "5,x", "--payouts", "1"], "--stacks 'x'; allowed: amounts such as"),
        (["--stacks", "5,,3", "--payouts", "1"], "--stacks ''; allowed: amounts"),
        (["--stacks", "5,3", "--payouts", "-1"], "--payouts '-1'; allowed: amounts"),
        (["--stacks", ",".join(["1"] * 2000), "--payouts", "1"], "2,000 amounts in --stacks"),
        (["--stacks", "0,0", "--payouts", "1"], "no chips in the stacks"),
    ],
)
def test_the_command_refuses_in_one_line(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["icm", *args]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert said in captured.err
    assert not captured.out


# Finishing places of players who are knocked out in the same hand.


def test_who_had_more_chips_is_placed_higher() -> None:
    assert places_of([0, 2], had=[100, 900, 300], left=1) == {0: 3, 2: 2}
    assert places_of([0, 2], had=[300, 900, 300], left=1) == {0: 2, 2: 2}
    assert places_of([], had=[300, 900], left=2) == {}
