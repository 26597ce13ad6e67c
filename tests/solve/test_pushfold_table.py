"""Push/fold at a table: pots, showdowns of three, equilibria against other solvers and charts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS, parse_class
from railbird.cards.tables import HOLDING_MASK
from railbird.cli import run
from railbird.errors import BadInput
from railbird.odds import Mode, equity, open_matrix
from railbird.odds.rank_tables import open_arrays, row_of_pair
from railbird.solve import (
    PushFoldTable,
    TableSolution,
    pushfold_table,
    range_frequencies,
    solve_pushfold,
    solve_pushfold_table,
)
from railbird.solve.pushfold_table import TRIPLE_ORDERS, Evaluator, settled
from railbird.tournament import prize_equities


@pytest.mark.parametrize(
    ("seats", "strengths", "result"),
    [
        ((), (), [0, -0.6, 0.9, -0.1, -0.1, -0.1]),
        ((0,), (0,), None),
        # UTG has 4, the button 10, the big blind 6, with posts of 0.1, 0.6 and 1.1 from others:
        # a main pot of 3 * 4 + 0.6 + 2 * 0.1, a side pot of 2 * 2, and 4 returned.
        ((0, 3, 5), (2, 1, 0), [8.8, -0.1, -0.1, -2, -0.6, -6]),
        ((0, 3, 5), (0, 1, 2), [-4, -0.1, -0.1, -6, -0.6, 10.8]),
        ((0, 3, 5), (1, 1, 0), [2.4, -0.1, -0.1, 4.4, -0.6, -6]),
        ((0, 3, 5), (3, 1, 1), [8.8, -0.1, -0.1, -4, -0.6, -4]),
    ],
)
def test_pots(
    seats: tuple[int, ...], strengths: tuple[int, ...], result: list[float] | None
) -> None:
    table = PushFoldTable(stacks=(4, 20, 20, 10, 20, 6), ante=0.1)
    found, _ = settled(table, seats, strengths)
    assert found.sum() == pytest.approx(0, abs=1e-12)
    if not seats:
        assert found == pytest.approx([-0.1, -0.1, -0.1, -0.1, -0.6, 1.0])
    elif result is not None:
        assert found == pytest.approx(result)
    else:
        assert found[0] == pytest.approx(0.3 + 0.6 + 1.1)


def test_a_stack_shorter_than_the_blind_wins_what_it_covers() -> None:
    table = PushFoldTable(stacks=(0.7, 5, 5))
    assert settled(table, (0,), (0,))[0] == pytest.approx([1.2, -0.5, -0.7])
    assert settled(table, (0, 2), (0, 1))[0] == pytest.approx([-0.7, -0.5, 1.2])


def test_the_big_blind_ante_is_for_the_best_hand_and_matched_by_nobody() -> None:
    table = PushFoldTable(stacks=(10, 10, 10), big_blind_ante=1)
    assert settled(table, (), ())[0] == pytest.approx([0, -0.5, 0.5])
    assert settled(table, (0,), (0,))[0] == pytest.approx([2.5, -0.5, -2])
    # The big blind has nine beside the ante, so that is what a button of ten can lose.
    assert settled(table, (0, 2), (1, 0))[0] == pytest.approx([10.5, -0.5, -10])
    assert settled(table, (0, 2), (0, 1))[0] == pytest.approx([-9, -0.5, 9.5])
    assert settled(table, (0, 2), (0, 0))[0] == pytest.approx([0.75, -0.5, -0.25])
    # Who is all-in for less wins the ante with the main pot: 3 of each, the small blind and it.
    short = PushFoldTable(stacks=(3, 10, 10), big_blind_ante=1)
    assert settled(short, (0, 2), (1, 0))[0] == pytest.approx([4.5, -0.5, -4])
    # What is left of a short big blind behind the blind is all of the ante there is.
    poor = PushFoldTable(stacks=(10, 10, 1.5), big_blind_ante=1)
    assert (poor.dead, poor.forced) == (0.5, (2,))
    assert settled(poor, (0, 2), (0, 1))[0] == pytest.approx([-1, -0.5, 1.5])


_ROUGH = 5e-5


@pytest.mark.slow(but=["stacks3-0.0-payouts3"])
@pytest.mark.parametrize(
    ("stacks", "ante", "payouts"),
    [
        ((10, 10, 1), 0.0, None),
        pytest.param((10, 0.5, 8), 0.0, None, marks=pytest.mark.slow),
        pytest.param((0.1, 10, 10), 0.1, None, marks=pytest.mark.slow),
        ((10, 1), 0.0, (70, 30)),
    ],
)
def test_who_posts_all_he_has_is_as_one_who_posts_nearly_all(
    stacks: tuple[float, ...], ante: float, payouts: tuple[float, ...] | None
) -> None:
    """With a thousandth of a blind behind everybody plays on: that he could fold changes little."""
    table = PushFoldTable(stacks=stacks, ante=ante, payouts=payouts)
    assert table.forced
    behind = tuple(
        stack + 0.001 * (seat in table.forced) for seat, stack in enumerate(table.stacks)
    )
    richer = PushFoldTable(stacks=behind, ante=ante, payouts=payouts)
    assert not richer.forced
    trivial, other = (solve_pushfold_table(each, tolerance=_ROUGH) for each in (table, richer))
    assert trivial.values.seats == pytest.approx(other.values.seats, abs=3e-4 * table.whole)
    for node, played in trivial.strategy.items():
        if node[0] in table.forced:
            assert (played == 1).all()
            assert trivial.values.gains[node[0]] == 0
    assert trivial.worst <= _ROUGH * table.whole
    assert trivial.discrepancy == pytest.approx(0, abs=1e-3)


@pytest.mark.slow
def test_equal_antes_of_all_or_of_the_big_blind_are_nearly_one_game_for_the_button() -> None:
    """The same dead money: it pushes alike, and only who pays for it differs."""
    tables = (
        PushFoldTable(stacks=(10, 10, 10), ante=0.2),
        PushFoldTable(stacks=(10, 10, 10), big_blind_ante=0.6),
    )
    each, one = (solve_pushfold_table(table, tolerance=_ROUGH) for table in tables)
    assert one.share((0, ())) == pytest.approx(each.share((0, ())), abs=0.02)
    assert one.values.seats[0] == pytest.approx(each.values.seats[0] + 0.2, abs=0.02)
    assert one.values.seats.sum() == pytest.approx(0, abs=2e-3)


def test_what_a_place_is_worth_counts_the_stacks_before_the_hand() -> None:
    """Two players go out in one hand: the one who had more takes the better place."""
    table = PushFoldTable(stacks=(4, 6, 10), payouts=(50, 30, 20))
    values = dict(table.ends())[0, 1, 2]
    order = TRIPLE_ORDERS.index((1, 3, 4))  # the big blind beats the small blind, it the button
    equities = prize_equities([0, 0, 20], [50, 30, 20], had=[4, 6, 10])
    assert equities.tolist() == [20, 30, 50]
    assert values[order] == pytest.approx(equities - table.equities)


@pytest.fixture(scope="module")
def triples() -> Any:
    return open_arrays(["preflop_triples"])["preflop_triples"]


@pytest.mark.slow
@pytest.mark.parametrize("names", ["AKs QQ 76s", "A5o A5o 76s", "22 AKo T9o"])
def test_orders_of_classes_give_the_equities_of_independent_deals(names: str, triples: Any) -> None:
    classes = sorted(map(parse_class, names.split()))
    row = triples[row_of_pair()[classes[0], classes[1]] + classes[2] - classes[1]].astype(float)
    orders, holdings = row[:13], row[13]
    masks = [HOLDING_MASK[each == CLASS_OF_HOLDING] for each in classes]
    ways = sum(
        int(a & b == 0 and a & c == 0 and b & c == 0)
        for a in masks[0]
        for b in masks[1]
        for c in masks[2]
    )
    assert holdings == ways
    rng = np.random.default_rng(3)
    sampled = equity(names.split(), mode=Mode.SAMPLED, samples=1_000_000, rng=rng)
    equities = (each.equity for each in sampled.players)
    by_class = dict(zip(map(parse_class, names.split()), equities, strict=True))
    for place, own in enumerate(classes):
        share = sum(
            count * (strengths[place] == max(strengths)) / strengths.count(max(strengths))
            for count, strengths in zip(orders, TRIPLE_ORDERS, strict=True)
        )
        error = 0.5 / np.sqrt(orders.sum())
        assert share / orders.sum() == pytest.approx(by_class[own], abs=4 * error)


def test_order_codes_are_inverse_to_their_strengths() -> None:
    assert [pushfold_table.order_code(each) for each in TRIPLE_ORDERS] == list(range(13))


@pytest.mark.slow
def test_orders_against_two_ranges_are_sums_over_classes(triples: Any) -> None:
    """The slow twin: every class and order, one after the other."""
    rng = np.random.default_rng(5)
    first, second = (np.where(rng.random(169) < 0.03, rng.random(169), 0.0) for _ in range(2))
    start = row_of_pair()
    for hero in range(3):
        fast = pushfold_table.triple_orders(hero, first, second)
        for own in rng.choice(169, 6, replace=False).tolist():
            slow = np.zeros(13)
            for one in np.flatnonzero(first).tolist():
                for two in np.flatnonzero(second).tolist():
                    player = [one, two]
                    player.insert(hero, own)
                    by_class = sorted(range(3), key=lambda each: player[each])
                    low, middle, high = (player[each] for each in by_class)
                    row = triples[start[low, middle] + high - middle].astype(float)
                    weight = first[one] * second[two] * row[13] / max(row[:13].sum(), 1.0) / 1e9
                    for code, strengths in enumerate(TRIPLE_ORDERS):
                        of_player = [strengths[by_class.index(each)] for each in range(3)]
                        slow[
                            pushfold_table.order_code((of_player[0], of_player[1], of_player[2]))
                        ] += weight * row[code]
            np.testing.assert_allclose(fast[own], slow, rtol=1e-4, atol=1e-12)


_ROUGH = 5e-5


@pytest.mark.slow(but=["stacks2-0.0-payouts2"])
@pytest.mark.parametrize(
    ("stacks", "ante", "payouts"),
    [
        ((10, 10), 0.0, None),
        ((5, 80), 0.1, None),
        # Heads-up the second prize is safe, so prizes are chips.
        ((7, 13), 0.0, (70.0, 30.0)),
    ],
)
def test_heads_up_is_the_exact_solver_s(
    stacks: tuple[float, float], ante: float, payouts: tuple[float, float] | None
) -> None:
    exact = solve_pushfold(min(stacks), ante=ante)
    table = PushFoldTable(stacks=stacks, ante=ante, payouts=payouts)
    found = solve_pushfold_table(table, tolerance=2e-6 / sum(stacks))
    big_blind = 1.0 if payouts is None else 40 / sum(stacks)
    assert found.values.seats[0] / big_blind == pytest.approx(exact.value_sb_bb, abs=5e-6)
    assert found.discrepancy == pytest.approx(0, abs=1e-10)
    assert found.share((0, ())) == pytest.approx(exact.push_share, abs=2e-3)
    assert found.share((1, (0,))) == pytest.approx(exact.call_share, abs=2e-3)


@pytest.fixture(scope="module")
def three() -> TableSolution:
    return solve_pushfold_table(PushFoldTable(stacks=(10, 10, 10)))


@pytest.mark.slow
def test_no_seat_gains_by_another_choice(three: TableSolution) -> None:
    assert three.finished
    assert three.worst / 30 <= 2e-6
    for node, push in three.values.push.items():
        gain, played = push - three.values.fold[node], three.strategy[node]
        assert gain[played > 0.999].min() > -0.02
        assert gain[played < 0.001].max() < 0.02


@pytest.mark.slow
def test_three_seats_against_a_published_chart(three: TableSolution) -> None:
    """acepokersolutions.com, "Push/Fold Tournament Charts", ten big blinds without antes.

    The chart is for nine seats; with two or one players left to act it holds for three.
    """
    published = {
        (0, ()): "22+, A2+, K5s+, KTo+, Q8s+, QTo+, J8s+, JTo, T8s+, 97s+, 87s, 76s",
        (1, ()): "22+, A2+, K2+, Q2s+, Q8o+, J3s+, J8o+, T4s+, T8o+, 95s+, 97o+, 85s+, 87o, 74s+, "
        "76o, 64s+, 53s+",
    }
    for node, text in published.items():
        theirs, ours = range_frequencies(text), three.strategy[node]
        gain = three.values.push[node] - three.values.fold[node]
        differ = np.abs(theirs - ours)
        dealt = pushfold_table.class_probabilities()
        assert differ @ dealt < 0.015
        assert np.abs(gain[differ > 0.3]).max() < 0.03  # big blinds, where they differ


@pytest.mark.slow
def test_real_deals_give_the_values_of_three_seats(three: TableSolution) -> None:
    """The twin of all approximations of removal: real holdings for all, folded ones included."""
    rng = np.random.default_rng(8)
    deals, table = 300_000, three.table
    cards = rng.permuted(np.tile(np.arange(52), (deals, 1)), axis=1)[:, :6].reshape(deals, 3, 2)
    index = np.zeros((52, 52), dtype=np.int64)
    index[HOLDING_CARDS[:, 0], HOLDING_CARDS[:, 1]] = np.arange(1326)
    index = np.maximum(index, index.T)
    holding = index[cards[..., 0], cards[..., 1]]
    hand_class = CLASS_OF_HOLDING[holding]
    draw = rng.random((deals, 3))
    inside = np.zeros(deals, dtype=np.int64)
    for seat in range(3):
        for node in three.strategy:
            if node[0] == seat:
                here = inside == sum(1 << each for each in node[1])
                plays = draw[:, seat] < three.strategy[node][hand_class[:, seat]]
                inside = np.where(here & plays, inside | 1 << seat, inside)
    wins = open_matrix().wins.astype(float) / 1_712_304
    results = np.zeros((deals, 3))
    for seats, values in table.ends():
        rows = np.flatnonzero(inside == sum(1 << each for each in seats))
        if len(seats) == 2:
            one, two = (holding[rows, seat] for seat in seats)
            win, lose = wins[one, two], wins[two, one]
            orders = np.array([win, 1 - win - lose, lose])
            results[rows] = orders.T @ values
        elif len(seats) == 3:  # once in seventy deals, by the table of three classes
            for row in rows:
                results[row] = _by_classes(hand_class[row].tolist()) @ values
        else:
            results[rows] = values[0]
    error = results.std(axis=0) / np.sqrt(deals)
    assert results.sum(axis=1) == pytest.approx(0, abs=1e-9)
    assert np.abs(results.mean(axis=0) - three.values.seats).max() < 4 * error.max()
    assert error.max() < 0.006


def _by_classes(classes: list[int]) -> Any:
    first, second = (np.eye(169)[each] for each in classes[1:])
    weights = pushfold_table.triple_orders(0, first, second)[classes[0]]
    return weights / weights.sum()


@pytest.mark.slow
def test_an_interrupted_search_gives_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    def interrupt(done: int, total: int, what: str) -> None:
        if what.startswith("solving"):
            rounds.append(done)
            if len(rounds) == 3:
                raise KeyboardInterrupt

    table = PushFoldTable(stacks=(10, 10))
    found = solve_pushfold_table(table, progress=interrupt, keep=True)
    assert not found.finished
    assert found.iterations == rounds[-1]
    assert found.worst > 2e-6 * 20
    rounds.clear()
    with pytest.raises(KeyboardInterrupt):  # nobody has asked for a part
        solve_pushfold_table(table, progress=interrupt)
    monkeypatch.setattr(Evaluator, "values", _interrupt_at_once)
    with pytest.raises(KeyboardInterrupt):  # nothing has been found
        solve_pushfold_table(table, keep=True)


def _interrupt_at_once(*args: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
@pytest.mark.parametrize(("payouts", "gain"), [(None, 1482.9 / 600), ((50, 30, 20), None)])
def test_a_published_call_on_the_bubble(
    payouts: tuple[float, ...] | None, gain: float | None
) -> None:
    """PokerStrategy.com, "Examples and explanations for ICM": a call that wins chips, not money.

    Four stacks of 5,000 at 300/600; the small blind pushes a range, the big blind has ATo, which
    wins 1,482.9 chips on average. The printed loss of prize money is not that of the plain model.
    """
    table = PushFoldTable(stacks=(5000,) * 4, payouts=payouts, blinds=(300, 600))
    evaluator = Evaluator(table)
    strategy = {node: np.zeros(169) for node in evaluator.nodes}
    strategy[2, ()] = range_frequencies("22+, A2+, K2+, Q2s+, Q6o+, J7s+, J9o+, T8s+, 98s")
    values, hand = evaluator.values(strategy), parse_class("ATo")
    found = values.push[3, (2,)][hand] - values.fold[3, (2,)][hand]
    if gain is None:
        assert -0.5 < found < -0.1
    else:
        assert found == pytest.approx(gain, abs=1e-4)


@pytest.mark.slow
def test_three_stacks_and_three_prizes_against_holdemresources() -> None:
    """PokerStrategy.com, thread 231854: by HoldemResources the button pushes 46 % of hands."""
    table = PushFoldTable(
        stacks=(2000, 1000, 1000), payouts=(50, 30, 20), blinds=(100, 200), ante=15
    )
    found = solve_pushfold_table(table)
    assert found.share((0, ())) == pytest.approx(0.46, abs=0.02)
    for_chips = solve_pushfold_table(PushFoldTable(stacks=(10, 5, 5), ante=0.075))
    assert for_chips.share((1, (0,))) > found.share((1, (0,))) + 0.1


@pytest.mark.slow
def test_nine_seats_against_a_published_chart() -> None:
    """The same chart, whose other rows are for nine seats; half a minute."""
    found = solve_pushfold_table(PushFoldTable(stacks=(10,) * 9))
    published = [
        "99+, ATs+, A5s, AJo+, KTs+, QTs+",
        "88+, A9s+, A5s, AJo+, KTs+, KQo, QTs+, JTs",
        "44+, A9s+, A5s, AJo+, K9s+, KQo, QTs+, JTs",
        "22+, A8s+, A5s, ATo+, K9s+, KQo, Q9s+, J9s+, T9s",
        "22+, A7s+, A5s-A3s, ATo+, K8s+, KJo+, Q8s+, QJo, J8s+, T8s+, 98s",
        "22+, A2s+, A7o+, A5o, K7s+, KTo+, Q8s+, QTo+, J8s+, JTo, T8s+, 98s, 87s",
    ]
    for seat, text in enumerate(published):
        theirs, ours = range_frequencies(text), found.strategy[seat, ()]
        gain = found.values.push[seat, ()] - found.values.fold[seat, ()]
        dealt = pushfold_table.class_probabilities()
        assert np.abs(theirs - ours) @ dealt < 0.04
        assert np.abs((theirs - ours) * gain) @ dealt < 0.001  # big blinds
    assert abs(found.discrepancy) < 0.006
    assert 0.005 < found.crowded < 0.015


def test_an_interrupted_command_prints_what_it_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_on, calls = pushfold_table._Solver.run, []

    def interrupted(self: pushfold_table._Solver, iterations: int) -> None:
        calls.append(iterations)
        if len(calls) == 3:
            raise KeyboardInterrupt
        run_on(self, iterations)

    monkeypatch.setattr(pushfold_table._Solver, "run", interrupted)
    assert run(["solve", "pushfold", "--seats", "2", "--payouts", "60,40"]) == 130
    captured = capsys.readouterr()
    assert "SB first in: " in captured.out
    assert captured.err == "interrupted: the result so far is not an equilibrium yet\n"


@pytest.mark.slow
def test_nobody_calls_for_a_prize_that_he_has() -> None:
    """A satellite with three equal prizes for four players, one of whom has two big blinds left."""
    table = PushFoldTable(stacks=(20, 20, 20, 2), payouts=(1, 1, 1))
    found = solve_pushfold_table(table, most=100)
    assert found.values.seats.sum() == pytest.approx(0, abs=1e-3)
    calls_of_others = [found.share((seat, (0,))) for seat in (1, 2)]
    assert max(calls_of_others) < 0.02


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"stacks": (10,)}, "1 stacks; allowed: 2 to 9"),
        ({"stacks": (10,) * 10}, "10 stacks; allowed: 2 to 9"),
        ({"stacks": (10, 0)}, "stack 0 of BB; allowed: above 0"),
        ({"stacks": (0.2, 0.3, 1), "ante": 0.2}, "BTN, SB, BB are all-in with what they post"),
        ({"stacks": (10, 10), "big_blind_ante": -2}, "ante -2; allowed"),
        ({"stacks": (10, 10), "ante": -1}, "ante -1; allowed"),
        ({"stacks": (10, 10), "blinds": (2, 1)}, "blinds 2/1"),
        ({"stacks": (10, float("nan"))}, "stack nan of BB"),
        ({"stacks": (10, 10), "payouts": ()}, "no payouts"),
    ],
)
def test_tables_that_are_none(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        PushFoldTable(**given)


@pytest.mark.slow
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["solve", "pushfold", "--stacks", "700,1300", "--payouts", "70,30", "--blinds", "50/100"]
    assert run([*args, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["seats"] == ["SB", "BB"]
    assert answer["decisions"][1]["behind"] == ["SB"]
    assert answer["worst_percent"] < 2e-4
    assert range_frequencies(answer["decisions"][0]["range"])[parse_class("AA")] == 1
    for ending in ("html", "png", "csv"):
        assert run([*args, "--out", str(tmp_path / f"out.{ending}")]) == 0
    out = capsys.readouterr().out
    assert "SB first in: " in out
    rows = (tmp_path / "out.csv").read_text().splitlines()
    assert rows[0] == "seat,behind,hand,all_in,all_in_value,fold_value"
    assert len(rows) == 1 + 2 * 169
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert "behind SB" in (tmp_path / "out.html").read_text()


def test_seats_without_a_decision_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["solve", "pushfold", "--stacks", "2000,40", "--blinds", "50/100", "--bb-ante", "100"]
    assert run(args) == 0
    out = capsys.readouterr().out
    assert "big blind ante 100" in out
    assert "BB is all-in with what it posts" in out
    assert "SB first in: " in out
    assert "BB behind" not in out
    assert "gains at most 0.00000 % of the chips" in out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--seats", "3", "--stacks", "5,5"], "--seats 3 with 2 stacks"),
        (["--seats", "3", "--sweep", "1:5:1"], "--sweep of a table"),
        (["--seats", "3", "--seat", "CO"], "no seat 'CO'"),
        (["--seats", "3", "--out", "x.pdf"], "x.pdf"),
        (["--stacks", "5,5", "--blinds", "1"], "--blinds '1'; allowed: SMALL/BIG"),
        (["--seats", "2", "--gap", "0"], "--gap 0.0; allowed: 1e-12 to 1"),
        (["--sweep", "1:5:1", "--bb-ante", "1"], "--sweep of a table"),
    ],
)
def test_the_command_refuses_in_one_line(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", "pushfold", *args]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert said in captured.err
