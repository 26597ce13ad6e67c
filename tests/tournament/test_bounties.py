"""Bounties: every order and knock-out played, laws, bubble factors by hand, and the command."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cli import run
from railbird.errors import BadInput
from railbird.tournament import (
    Bounties,
    BountyModel,
    bounty_equities,
    bubble_factors,
    prize_equities,
)
from twins import slow_tournaments

_PLAYERS = st.lists(st.tuples(st.integers(1, 10_000), st.integers(0, 500)), min_size=1, max_size=9)
_RULES = st.fixed_dictionaries(
    {"paid_at_once": st.floats(0, 1), "model": st.sampled_from(BountyModel)}
)


@pytest.mark.parametrize(
    ("stacks", "heads", "paid"),
    [
        pytest.param([7], [5], Fraction(1, 2), id="alone"),
        pytest.param([50, 30, 20, 7], [10, 20, 30, 5], Fraction(1, 4), id="four"),
        pytest.param([10, 20, 30, 40, 50], [3, 0, 8, 1, 1], Fraction(1, 2), id="five"),
        pytest.param([1, 1, 900, 4, 30], [100, 7, 0, 50, 1], Fraction(0), id="nothing at once"),
    ],
)
@pytest.mark.parametrize("model", BountyModel)
def test_every_order_and_every_knock_out(
    stacks: list[int], heads: list[int], paid: Fraction, model: BountyModel
) -> None:
    bounties = Bounties(heads=tuple(heads), paid_at_once=float(paid), model=model)
    slow = slow_tournaments.bounty_equities(stacks, heads, paid, flat=model == BountyModel.FLAT)
    np.testing.assert_allclose(
        bounty_equities(stacks, bounties), [float(each) for each in slow], rtol=1e-12
    )


@given(_PLAYERS, _RULES)
def test_all_bounties_are_won(players: list[tuple[int, int]], rules: dict[str, Any]) -> None:
    stacks, heads = zip(*players, strict=True)
    found = bounty_equities(stacks, Bounties(heads=heads, **rules))
    assert found.sum() == pytest.approx(sum(heads), rel=1e-12, abs=1e-12)
    assert (found >= 0).all()


@given(_PLAYERS, _RULES, st.randoms(use_true_random=False))
def test_the_order_of_the_players_does_not_matter(
    players: list[tuple[int, int]], rules: dict[str, Any], random: Any
) -> None:
    shuffled = random.sample(range(len(players)), len(players))
    stacks, heads = zip(*players, strict=True)
    found = bounty_equities(stacks, Bounties(heads=heads, **rules))
    others = Bounties(heads=tuple(heads[each] for each in shuffled), **rules)
    again = bounty_equities([stacks[each] for each in shuffled], others)
    np.testing.assert_allclose(again, found[shuffled], rtol=1e-9, atol=1e-9)


@given(_RULES, st.integers(1, 9), st.integers(0, 100))
def test_equal_players_win_equal_bounties(rules: dict[str, Any], players: int, head: int) -> None:
    found = bounty_equities([3] * players, Bounties(heads=(head,) * players, **rules))
    np.testing.assert_allclose(found, head, rtol=1e-12)


@given(_RULES, st.integers(1, 1000), st.integers(1, 1000), st.integers(0, 99), st.integers(0, 99))
def test_of_two_players_the_winner_takes_both_bounties(
    rules: dict[str, Any], one: int, other: int, first: int, second: int
) -> None:
    found = bounty_equities([one, other], Bounties(heads=(first, second), **rules))
    assert found[0] == pytest.approx((first + second) * one / (one + other), rel=1e-12)


def test_sixteen_players_with_stacks_of_all_sizes() -> None:
    stacks = [10.0**place for place in range(-8, 8)]
    found = bounty_equities(stacks, Bounties(heads=(1,) * 16))
    assert found.sum() == pytest.approx(16, rel=1e-12)
    assert (np.diff(found) > 0).all()


def test_nobody_without_chips_wins_bounties() -> None:
    found = bounty_equities([5, 0, 3], Bounties(heads=(10, 0, 4)))
    assert found[1] == 0
    np.testing.assert_allclose(found[[0, 2]], bounty_equities([5, 3], Bounties(heads=(10, 4))))


def test_the_bounties_after_a_knock_out() -> None:
    """The first is knocked out by both others in a split pot, the third is still in."""
    taken = np.array([[0, 0.5, 0, 0.5], [0] * 4, [0] * 4, [0] * 4])
    paid, left = Bounties(heads=(20, 6, 7, 0), paid_at_once=0.75).after(taken)
    assert paid.tolist() == [0, 7.5, 0, 7.5]
    assert left.heads == (0, 8.5, 7, 2.5)
    assert left.paid_at_once == 0.75


def test_bubble_factors_count_the_bounty_of_who_is_knocked_out() -> None:
    """By hand, from the values of the stacks after the hand; the first covers the second."""
    stacks, payouts, heads = [5000, 3000, 2000], [50, 30, 20], (20, 15, 30)

    def total(after: list[float], left: tuple[float, ...]) -> Any:
        had = prize_equities(after, payouts, had=stacks)
        return had + bounty_equities(after, Bounties(heads=left))

    now = total([5000, 3000, 2000], heads)
    won = total([8000, 0, 2000], (27.5, 0, 30))
    doubled = total([2000, 6000, 2000], heads)
    factors = bubble_factors(stacks, payouts, bounties=Bounties(heads=heads))
    assert factors[0, 1] == pytest.approx((now[0] - doubled[0]) / (won[0] + 7.5 - now[0]))
    # The second cannot win the bounty of the first, who covers him.
    assert factors[1, 0] == pytest.approx((now[1] - won[1]) / (doubled[1] - now[1]))
    assert (
        factors[[0, 1, 1], [1, 0, 2]] < bubble_factors(stacks, payouts)[[0, 1, 1], [1, 0, 2]]
    ).all()


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=6))
def test_bounties_of_nothing_change_no_bubble_factor(stacks: list[int]) -> None:
    none = bubble_factors(stacks, [50, 30, 20], bounties=Bounties(heads=(0,) * len(stacks)))
    np.testing.assert_array_equal(none, bubble_factors(stacks, [50, 30, 20]))


def test_two_players_who_play_for_prize_and_bounties_alike_play_for_chips() -> None:
    factors = bubble_factors([60, 40], [100], bounties=Bounties(heads=(30, 5)))
    assert factors[0, 1] == pytest.approx(1)
    assert factors[1, 0] == pytest.approx(1)


@pytest.mark.parametrize(
    ("stacks", "given", "said"),
    [
        ([5, 3], {"heads": (1,)}, "1 bounties of 2 players; allowed: one a player"),
        ([5, 3], {"heads": (1, -1)}, "bounty 2 is -1; allowed: 0 or more"),
        ([5, 3], {"heads": (1, math.nan)}, "bounty 2 is nan"),
        ([5, 3], {"heads": (math.inf, 1)}, "bounty 1 is inf"),
        ([5, 0], {"heads": (1, 2)}, "bounty 2 of player 2, who has no chips; allowed: 0"),
        ([5, 3], {"heads": (1, 2), "paid_at_once": 1.5}, "1.5 of a bounty paid at once"),
        ([5, 3], {"heads": (1, 2), "paid_at_once": math.nan}, "nan of a bounty paid at once"),
        ([5, 3], {"heads": (1, 2), "model": "fair"}, "no bounty model 'fair'"),
        ([1] * 17, {"heads": (1,) * 17}, "bounties of 17 players; allowed: up to 16"),
    ],
)
def test_bounties_that_are_none(stacks: list[float], given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        bounty_equities(stacks, Bounties(**given))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["icm", "--stacks", "50,30,20", "--payouts", "50,30", "--bounties", "10,10,10"]
    assert run([*args, "--set", "paid-at-once=1", "--set", "bounty-model=flat", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    heads = Bounties(heads=(10, 10, 10), paid_at_once=1, model=BountyModel.FLAT)
    assert result["bounty_equity"] == bounty_equities([50, 30, 20], heads).tolist()
    assert result["bounties"] == {"heads": [10] * 3, "paid_at_once": 1, "model": "flat"}
    assert sum(result["total_equity"]) == pytest.approx(110)
    assert result["future_equity"] is None
    assert run(args) == 0
    out = capsys.readouterr().out
    assert "bounty   prizes  bounties    total" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--bounties", "5"], "1 bounties of 2 players"),
        (["--bounties", "5,x"], "--bounties 'x'; allowed: amounts such as"),
        (
            ["--set", "paid-at-once=0.5"],
            "--set paid-at-once without --bounties; allowed: with --bounties",
        ),
        (
            ["--set", "bounty-model=flat"],
            "--set bounty-model without --bounties; allowed: with --bounties",
        ),
        (["--bounties", "5,5", "--set", "paid-at-once=-1"], "-1 of a bounty paid at once"),
        (["--bounties", "5,5", "--set", "bounty-model=flt"], "'flt'; did you mean flat?"),
    ],
)
def test_the_command_refuses_in_one_line(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["icm", "--stacks", "5,3", "--payouts", "1", *args]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert said in captured.err
    assert not captured.out
