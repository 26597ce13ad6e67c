"""Push/fold with bounties and hands to come: pots by hand, linear programs, and other verbs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS, parse_class
from railbird.cli import run
from railbird.errors import BadInput
from railbird.odds import PAIR_BOARDS, classes_matrix, open_matrix
from railbird.solve import (
    PushFoldTable,
    TableSolution,
    future_equities,
    pushfold_table,
    solve_pushfold,
    solve_pushfold_table,
)
from railbird.solve.pushfold_table import TRIPLE_ORDERS, Evaluator, settled
from railbird.tournament import (
    Bounties,
    BountyModel,
    bounty_equities,
    bubble_factors,
    prize_equities,
)
from twins import slow_tournaments


@pytest.mark.parametrize(
    ("strengths", "takers"),
    [
        # UTG has 4 chips, the big blind 6, the button 10. Who wins the last chips of another one
        # knocks him out: those of UTG are in the main pot, the big blind's in the side pot.
        ((2, 1, 0), {5: {3: 1}}),
        ((0, 1, 2), {0: {5: 1}}),
        ((0, 2, 1), {0: {3: 1}, 5: {3: 1}}),
        ((1, 2, 2), {0: {3: 0.5, 5: 0.5}}),
        ((1, 1, 0), {5: {3: 1}}),
        ((0, 1, 1), {0: {3: 0.5, 5: 0.5}}),
    ],
)
def test_who_wins_the_last_chips_wins_the_bounty(
    strengths: tuple[int, ...], takers: dict[int, dict[int, float]]
) -> None:
    table = PushFoldTable(
        stacks=(4, 20, 20, 10, 20, 6),
        payouts=(50, 30, 20),
        bounties=Bounties(heads=(8, 0, 0, 2, 0, 6), paid_at_once=1),
    )
    payoffs, won = settled(table, (0, 3, 5), strengths)
    out = [seat for seat in range(6) if table.stacks[seat] + payoffs[seat] == 0]
    assert {seat: {int(to): won[seat, to] for to in np.flatnonzero(won[seat])} for seat in out} == (
        takers
    )


_HEADS = Bounties(heads=(10, 4, 25, 1), paid_at_once=0.25)


@pytest.mark.parametrize("order", TRIPLE_ORDERS)
def test_no_bounty_is_lost_in_a_pot(order: tuple[int, int, int]) -> None:
    table = PushFoldTable(stacks=(4, 9, 5, 5), payouts=(50, 30, 20), ante=0.3, bounties=_HEADS)
    for seats in ((0, 1, 3), (1, 2, 3), (0, 2, 3)):
        assert table.values(*settled(table, seats, order)).sum() == pytest.approx(0, abs=1e-9)


def test_bounties_of_nothing_and_no_hands_to_come_are_a_plain_table() -> None:
    plain = solve_pushfold_table(PushFoldTable(stacks=(9, 11), payouts=(60, 40)))
    nothing = PushFoldTable(stacks=(9, 11), payouts=(60, 40), bounties=Bounties(heads=(0, 0)))
    np.testing.assert_array_equal(solve_pushfold_table(nothing).values.seats, plain.values.seats)


def test_of_two_players_bounties_change_nothing() -> None:
    """The winner gets the prize and both bounties: chips are in proportion to money."""
    bounties = Bounties(heads=(50, 3), paid_at_once=0.5)
    table = PushFoldTable(stacks=(10, 10), payouts=(47,), bounties=bounties)
    found, chips = solve_pushfold_table(table, tolerance=1e-7), solve_pushfold(10)
    assert found.share((0, ())) == pytest.approx(chips.push_share, abs=1e-3)
    assert found.share((1, (0,))) == pytest.approx(chips.call_share, abs=1e-3)
    assert found.values.seats[0] == pytest.approx(100 / 20 * chips.value_sb_bb, abs=1e-4)


@pytest.mark.parametrize("stacks", [(1000, 3000, 2000), (1000, 2000, 2000), (500, 2000, 3000)])
@pytest.mark.parametrize("heads", [(0, 0, 0), (30, 10, 20)])
def test_calls_are_those_of_the_bubble_factors(
    stacks: tuple[int, ...], heads: tuple[int, ...]
) -> None:
    """With blinds of next to nothing a hand calls if it wins more often than the factor says."""
    payouts, bounties = (50, 30, 20), Bounties(heads=heads)
    table = PushFoldTable(stacks=stacks, payouts=payouts, bounties=bounties, blinds=(0.5, 0.5))
    evaluator = Evaluator(table)
    strategy = {node: np.zeros(169) for node in evaluator.nodes}
    strategy[1, ()] = np.ones(169)
    values = evaluator.values(strategy)
    gain = values.push[2, (1,)] - values.fold[2, (1,)]
    factor = bubble_factors(stacks, payouts, bounties=bounties)[2, 1]
    counts = classes_matrix()
    won = (counts.wins.sum(axis=1) + counts.ties.sum(axis=1) / 2) / counts.boards.sum(axis=1)
    sure = np.abs(won - factor / (1 + factor)) > 0.01  # of a tie that is not half of each
    assert sure.sum() > 140
    np.testing.assert_array_equal((gain > 0)[sure], (won > factor / (1 + factor))[sure])


def test_a_published_call_for_a_bounty() -> None:
    """CardRunnersEV's manual, "Bounties: Example": everybody's any two cards, and 2.38 dollars.

    They value bounties to come by shares of the chips: 5, 10 and 10, and 9.90 of who folds. The
    model here, and so the answer, is another; with their values it is theirs.
    """
    table = PushFoldTable(
        stacks=(3000, 1000, 2000),
        payouts=(50, 30, 20),
        blinds=(10, 20),
        bounties=Bounties(heads=(10, 10, 10), paid_at_once=1),
    )
    evaluator = Evaluator(table)
    strategy = {node: np.zeros(169) for node in evaluator.nodes}
    strategy[1, ()] = strategy[2, (1,)] = np.ones(169)
    values, dealt = evaluator.values(strategy), pushfold_table.class_probabilities()
    call = (values.push[2, (1,)] - values.fold[2, (1,)]) @ dealt
    assert call == pytest.approx(2.15, abs=5e-3)
    shares = {(2000, 1000, 3000): 5, (1000, 2000, 3000): 10, (1020, 1980, 3000): 9.9}
    after = (0.47966, 0.04067, -1)
    heads = Bounties(heads=(10, 10, 10), paid_at_once=1)
    other = sum(
        weight * (share - bounty_equities(stacks, heads)[1])
        for weight, (stacks, share) in zip(after, shares.items(), strict=True)
    )
    assert call + other == pytest.approx(2.38, abs=5e-3)


# Hands to come, heads-up, by linear programs.


@pytest.mark.slow(but=["one"])
@pytest.mark.parametrize(
    ("stacks", "heads", "hands"),
    [
        pytest.param((6, 9), (0, 0), 1, id="one"),
        pytest.param((6, 9), (20, 12), 2, id="two"),
        pytest.param((8, 8), (0, 0), 3, id="three"),
    ],
)
def test_hands_to_come_heads_up_are_linear_programs(
    stacks: tuple[float, float], heads: tuple[float, float], hands: int
) -> None:
    table = PushFoldTable(
        stacks=stacks,
        payouts=(100,),
        bounties=Bounties(heads=heads),
        most_in=2,
        future_hands=hands - 1,
    )
    slow = slow_tournaments.by_linear_programs(stacks, 100, heads, hands)
    found = future_equities(table)
    assert found[0] == pytest.approx(slow, abs=5e-3)
    assert found.sum() == pytest.approx(100 + sum(heads), abs=1e-9)


def test_the_button_moves_to_the_next_player_with_chips() -> None:
    table = PushFoldTable(stacks=(5, 6, 7, 8), payouts=(50, 30), future_hands=1, most_in=2)

    def following(*stacks: float) -> tuple[list[int], tuple[str, ...]] | None:
        found = table._next(np.array(stacks), None)
        return found and (found[0], found[1].seats)

    assert following(5, 6, 7, 8) == ([1, 2, 3, 0], ("CO", "BTN", "SB", "BB"))
    assert following(0, 6, 7, 13) == ([2, 3, 1], ("BTN", "SB", "BB"))
    assert following(13, 6, 7, 0) == ([1, 2, 0], ("BTN", "SB", "BB"))
    assert following(0, 13, 0, 13) == ([3, 1], ("SB", "BB"))
    assert following(0, 26, 0, 0) is None


def test_what_a_table_cannot_play_is_valued_at_once() -> None:
    """Three who are all-in with their antes decide nothing, and nobody solves that."""
    table = PushFoldTable(
        stacks=(0.4, 20, 20), payouts=(50, 30), ante=0.5, future_hands=1, most_in=2
    )
    assert table._next(np.array([0.5, 0.4, 0.5]), None) is None


@pytest.mark.slow
def test_a_second_caller_in_hands_to_come_hardly_matters() -> None:
    for stacks in ((8, 11, 14), (8, 11, 14, 6)):
        one, two = (
            future_equities(PushFoldTable(stacks=stacks, payouts=(50, 30, 20), most_in=most_in))
            for most_in in (2, 3)
        )
        assert np.abs(one - two).max() < 0.01  # of 100, beside 1.7 between the positions


def test_who_is_next_in_the_big_blind_is_worth_less() -> None:
    """A short stack, by his distance to the big blind; the model does not tell these apart."""
    worth = {}
    for seat in range(3):
        stacks = [12.0] * 3
        stacks[seat] = 3.0
        table = PushFoldTable(
            stacks=tuple(stacks), payouts=(65, 35), most_in=2, future_hands=0, ante=0.1
        )
        worth[table.seats[seat]] = future_equities(table)[seat]
        assert table.equities[seat] == pytest.approx(13.44, abs=0.01)
    assert worth["BB"] < worth["SB"] < worth["BTN"]


@pytest.mark.slow
def test_hands_to_come_change_the_hand() -> None:
    """The button of four big blinds is in the big blind next: now is the time."""
    table = PushFoldTable(stacks=(4, 9, 12), payouts=(50, 50))
    now = solve_pushfold_table(table)
    ahead = solve_pushfold_table(replace(table, future_hands=1))
    first_in = 0, ()
    assert ahead.share(first_in) > now.share(first_in) + 0.08
    assert abs(ahead.discrepancy) < 0.01


def test_an_interrupt_ends_hands_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    run_on, calls = pushfold_table._Solver.run, []

    def interrupted(self: pushfold_table._Solver, iterations: int) -> None:
        calls.append(iterations)
        if len(calls) == 4:
            raise KeyboardInterrupt
        run_on(self, iterations)

    monkeypatch.setattr(pushfold_table._Solver, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        future_equities(PushFoldTable(stacks=(9, 7), payouts=(60, 40), future_hands=1))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"bounties": Bounties(heads=(1, 2))}, "without payouts; allowed: with payouts"),
        ({"future_hands": 1}, "without payouts; allowed: with payouts"),
        ({"payouts": (1,), "bounties": Bounties(heads=(1,))}, "1 bounties of 2 players"),
        ({"payouts": (1,), "future_hands": -1}, "-1 hands to come; allowed: 0 to 9"),
        ({"payouts": (1,), "future_hands": 10**9}, "hands to come; allowed: 0 to 9"),
        ({"payouts": (1,), "future_hands": 9}, "9 more hands of 2 seats are up to 10,077,696"),
        ({"payouts": (1,), "most_in": 4}, "4 players all-in; allowed: 2 or 3"),
    ],
)
def test_tables_that_are_none(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        PushFoldTable(stacks=(10, 10), **given)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = [
        "--stacks",
        "7,13",
        "--payouts",
        "70,30",
        "--bounties",
        "20,10",
        "--set",
        "future-game=1",
    ]
    page = tmp_path / "page.html"
    assert run(["solve", "pushfold", *args, "--set", "paid-at-once=1", "--out", str(page)]) == 0
    printed = capsys.readouterr().out
    words = " ".join(printed.split())
    assert "bounties 20/10, a hand to come" in words
    assert "a knock-out pays the whole bounty; each later one is by one of those" in words
    assert "in hands to come everybody goes all-in or folds" in words
    assert "of the prizes and bounties" in words
    text = page.read_text()
    assert "bounties 20/10" in text
    assert "A knock-out pays the whole bounty" in text
    assert run(["solve", "pushfold", *args, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["bounties"] == {
        "heads": [20, 10],
        "paid_at_once": 0.5,
        "model": BountyModel.PROPORTIONAL,
    }
    assert answer["future_hands"] == 1
    assert answer["unit"] == "prize"
    # One more hand ahead, before this one, is what `icm` answers; its second stack has the button.
    look = [
        "--stacks",
        "13,7",
        "--payouts",
        "70,30",
        "--bounties",
        "10,20",
        "--set",
        "future-game=2",
    ]
    assert run(["icm", *look, "--blinds", "0.5/1", "--button", "2", "--json"]) == 0
    other = json.loads(capsys.readouterr().out)
    assert other["future_equity"][1] - other["total_equity"][1] == pytest.approx(
        answer["value"][0], abs=5e-3
    )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--set", "future-game=1"], "--set future-game; allowed: with --blinds and --button"),
        (["--set", "future-game=1", "--blinds", "5/10"], "allowed: with --blinds and --button"),
        (
            ["--blinds", "5/10"],
            "--blinds without --set future-game; allowed: with --set future-game",
        ),
        (["--button", "1"], "--button without --set future-game; allowed: with --set future-game"),
        (
            ["--set", "future-game=1", "--blinds", "5", "--button", "1"],
            "--blinds '5'; allowed: SMALL/",
        ),
        (
            ["--set", "future-game=1", "--blinds", "5/10", "--button", "4"],
            "--button 4; allowed: the",
        ),
        (
            ["--set", "future-game=1", "--blinds", "5/10", "--button", "3"],
            "--button 3; allowed: the",
        ),
        (
            ["--set", "future-game=9", "--blinds", "5/10", "--button", "1"],
            "8 more hands of 2 seats",
        ),
        (["--set", "future-game=-1"], "-1; allowed: 0 to 9"),
    ],
)
def test_icm_refuses_in_one_line(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["icm", "--stacks", "50,30,0", "--payouts", "1", *args]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert said in captured.err
    assert not captured.out


def test_the_blinds_of_icm_are_for_whom_the_button_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    args = [
        "icm",
        "--stacks",
        "30,0,120,120",
        "--payouts",
        "65,35",
        "--set",
        "future-game=1",
        "--json",
    ]
    worth = []
    for button in (1, 4, 3):  # the first one then has the button, the small blind, the big blind
        assert run([*args, "--blinds", "5/10", "--ante", "1", "--button", str(button)]) == 0
        worth.append(json.loads(capsys.readouterr().out)["future_equity"])
    table = PushFoldTable(
        stacks=(30, 120, 120), payouts=(65, 35), blinds=(5, 10), ante=1, most_in=2
    )
    assert [worth[0][player] for player in (0, 2, 3)] == future_equities(table).tolist()
    assert worth[0][0] > worth[1][0] > worth[2][0]
    assert all(row[1] == 0 for row in worth)


def test_a_class_that_calls_only_for_the_bounty() -> None:
    """On the bubble, a big blind with a weak ace: he covers the small blind, who has a bounty."""
    stacks, hand = (2000, 1000, 2000, 3000), parse_class("A5o")
    gains = []
    for head in (0, 60):
        table = PushFoldTable(
            stacks=stacks,
            payouts=(50, 30, 20),
            blinds=(50, 100),
            bounties=Bounties(heads=(0, 0, head, 0)),
        )
        evaluator = Evaluator(table)
        strategy = {node: np.zeros(169) for node in evaluator.nodes}
        strategy[2, ()] = np.ones(169)
        values = evaluator.values(strategy)
        gains.append(values.push[3, (2,)][hand] - values.fold[3, (2,)][hand])
    assert gains[0] < 0 < gains[1]


def _deal(deals: int, seats: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """(deals, seats) real holdings that share no card."""
    cards = rng.random((deals, 52)).argsort(axis=1)[:, : 2 * seats]
    index = np.zeros((52, 52), dtype=np.int64)
    index[HOLDING_CARDS[:, 0], HOLDING_CARDS[:, 1]] = np.arange(1326)
    index = np.maximum(index, index.T)
    return index[cards[:, 0::2], cards[:, 1::2]]


def _played(found: TableSolution, deals: int, rng: np.random.Generator) -> dict[Any, int]:
    """Deal and play, with one caller at most; count who was all-in and how their hands compared."""
    count = len(found.table.stacks)
    holding = _deal(deals, count, rng)
    inside = np.zeros(deals, dtype=np.int64)
    for (seat, before), plays in found.strategy.items():
        here = inside == sum(1 << each for each in before)
        pushes = rng.random(deals) < plays[CLASS_OF_HOLDING[holding[:, seat]]]
        inside = np.where(here & pushes, inside | 1 << seat, inside)
    wins, played = open_matrix().wins, {}
    for mask in np.unique(inside).tolist():
        rows = np.flatnonzero(inside == mask)
        seats = tuple(seat for seat in range(count) if mask >> seat & 1)
        if len(seats) < 2:
            played[seats, (0,) * len(seats)] = len(rows)
            continue
        one, other = (holding[rows, seat] for seat in seats)
        win, lose = wins[one, other] / PAIR_BOARDS, wins[other, one] / PAIR_BOARDS
        drawn = rng.random(len(rows))
        played[seats, (1, 0)] = int((drawn < win).sum())
        played[seats, (0, 1)] = int((drawn > 1 - lose).sum())
        played[seats, (0, 0)] = len(rows) - played[seats, (1, 0)] - played[seats, (0, 1)]
    return played


@pytest.mark.slow
def test_two_hands_of_real_deals() -> None:
    """Three seats, bounties, two hands with the strategies found, and ICM only at the end."""
    payouts, heads, deals = (50, 30), (10.0, 0.0, 25.0), 200_000
    table = PushFoldTable(
        stacks=(5, 8, 6),
        payouts=payouts,
        bounties=Bounties(heads=heads),
        most_in=2,
        future_hands=1,
    )
    rng = np.random.default_rng(28)
    sums, squares = np.zeros((2, 3))
    for (seats, order), count in _played(solve_pushfold_table(table), deals, rng).items():
        first, money = np.array([5.0, 8.0, 6.0]), np.zeros(3)
        stacks, bounty = _paid(first, np.array(heads), money, seats, order, table)
        left = [seat for seat in (0, 1, 2) if stacks[seat] > 0]
        if len(left) > 1:
            # Clockwise from the old big blind, seat 2, the first with chips is the new one.
            big = left[0]
            small = left[left.index(big) - 1]
            acting = [seat for seat in left if seat not in (small, big)] + [small, big]
            following = PushFoldTable(
                stacks=tuple(stacks[acting].tolist()),
                payouts=payouts,
                bounties=Bounties(heads=tuple(bounty[acting].tolist())),
                most_in=2,
            )
            ends = _played(solve_pushfold_table(following, tolerance=2e-5), count, rng)
        else:
            acting, ends, following = left, {((), ()): count}, None
        for (inside, strengths), times in ends.items():
            last, earned, on_heads = stacks.copy(), money.copy(), bounty.copy()
            if following is not None:
                part = earned[acting]
                last[acting], on_heads[acting] = _paid(
                    stacks[acting], bounty[acting], part, inside, strengths, following
                )
                earned[acting] = part
            had = np.where(stacks > 0, stacks, first / 1e3)  # who was out before is behind
            value = prize_equities(last.tolist(), payouts, had=had.tolist()) + earned
            value += bounty_equities(last.tolist(), Bounties(heads=tuple(on_heads.tolist())))
            sums += times * value
            squares += times * value**2
    mean = sums / deals
    error = np.sqrt((squares / deals - mean**2) / deals)
    assert mean.sum() == pytest.approx(80 + 35)
    assert (np.abs(mean - future_equities(table)) < 4 * error).all()
    assert error.max() < 0.08


def _paid(
    stacks: npt.NDArray[np.float64],
    heads: npt.NDArray[np.float64],
    money: npt.NDArray[np.float64],
    seats: tuple[int, ...],
    strengths: tuple[int, ...],
    table: PushFoldTable,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return stacks and heads after a hand of two all-in at most, and add half bounties."""
    payoffs, _ = settled(table, seats, strengths)
    after = (stacks + payoffs).round(9)
    heads = heads.copy()
    for out in np.flatnonzero(after == 0).tolist():
        if stacks[out] > 0:
            (winner,) = set(seats) - {out}
            money[winner] += heads[out] / 2
            heads[winner] += heads[out] / 2
            heads[out] = 0
    return after, heads


def test_prizes_that_are_not_at_stake_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    said = "2 players are left: lower prizes are not at stake"
    for payouts, told in (("50,30,20", True), ("50,30", False)):
        assert run(["icm", "--stacks", "50,30", "--payouts", payouts]) == 0
        assert (said in capsys.readouterr().out) is told
