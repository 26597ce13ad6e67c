"""The solver on games whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.cli import run
from railbird.errors import BadInput
from railbird.solve import (
    CfrVariant,
    Decision,
    Solver,
    Strategy,
    Terminal,
    best_response,
    best_response_values,
    compile_game,
    exploitability,
    kuhn,
    leduc,
    solve,
    uniform,
    values,
)

# Published to four digits, -0.0856; the others are ours, at an exploitability below 1e-6.
LEDUC_VALUE = -0.085606


@pytest.mark.slow(only=["CfrVariant.CFR_PLUS", "CfrVariant.DISCOUNTED"])
@pytest.mark.parametrize("variant", CfrVariant)
def test_kuhn_is_worth_a_loss_of_an_eighteenth(variant: CfrVariant) -> None:
    # Kuhn (1950).
    tolerance = 1e-3 if variant in {CfrVariant.CFR, CfrVariant.LINEAR} else 1e-6
    found = solve(kuhn(), tolerance=tolerance, variant=variant)
    assert found.exploitability <= tolerance
    assert found.value == pytest.approx(-1 / 18, abs=tolerance)


def test_kuhn_is_played_as_published() -> None:
    # Kuhn (1950): the first player bets a jack with chance a <= 1/3, a king with 3a, never a queen;
    # the second bluffs a jack after a check one time in three, and calls with a queen as often.
    first, second = solve(kuhn(), tolerance=1e-8).strategy
    bet = first[1]
    assert bet[0] <= 1 / 3 + 1e-3
    assert bet[1] == pytest.approx(0, abs=1e-3)
    assert bet[2] == pytest.approx(3 * bet[0], abs=1e-3)
    names = [decision.name for decision in kuhn().decisions[1]]
    bluff = second[2 * names.index("after a check") + 1]
    call = second[2 * names.index("after a bet") + 1]
    assert bluff[0] == pytest.approx(1 / 3, abs=1e-3)
    assert call[1] == pytest.approx(1 / 3, abs=1e-3)


@pytest.mark.parametrize("variant", CfrVariant)
def test_the_curve_is_what_was_looked_at(variant: CfrVariant) -> None:
    found = solve(kuhn(), tolerance=1e-12, variant=variant, most=200, first_check=1)
    assert [check.iterations for check in found.curve[:6]] == [1, 2, 3, 4, 5, 6]
    assert found.curve[-1] == (200, found.exploitability)
    for check in found.curve[::4]:
        solver = Solver(kuhn(), variant)
        solver.run(check.iterations)
        assert exploitability(kuhn(), solver.average()) == check.exploitability
    assert variant.title.endswith(")"), "its paper"


def test_decisions_of_leduc_are_named_by_what_was_done() -> None:
    names = [decision.name for decisions in leduc().decisions for decision in decisions]
    assert len(set(names)) == len(names) == 96
    assert "check, bet, call; board K: check, bet" in names
    assert leduc().state_names == ("J", "Q", "K")


@pytest.mark.slow
def test_leduc() -> None:
    found = solve(leduc(), tolerance=1e-5)
    assert found.value == pytest.approx(LEDUC_VALUE, abs=1e-5)


def test_uniform_leduc_is_exploited_as_much_as_openspiel_says() -> None:
    # OpenSpiel 2.0.2: exploitability(leduc_poker, UniformRandomPolicy) is 2.373611111.
    assert exploitability(leduc(), uniform(leduc())) == pytest.approx(2.373611, abs=1e-6)


def test_going_on_is_the_same_as_going_through() -> None:
    whole, parts = Solver(leduc()), Solver(leduc())
    whole.run(20)
    for _ in range(4):
        parts.run(5)
    for a, b in zip(whole.average(), parts.average(), strict=True):
        np.testing.assert_array_equal(a, b)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_laws_of_any_strategy(seed: int) -> None:
    game = leduc()
    strategy = _drawn(np.random.default_rng(seed))
    first, second = (float(values(game, strategy, player=p).sum()) for p in (0, 1))
    assert first == pytest.approx(-second)
    assert exploitability(game, strategy) >= -1e-12
    for player in (0, 1):
        best = float(best_response_values(game, strategy, player=player).sum())
        response = list(strategy)
        response[player] = best_response(game, strategy, player=player)
        played = values(game, (response[0], response[1]), player=player).sum()
        assert float(played) == pytest.approx(best)


def test_a_terminal_needs_its_matrix() -> None:
    root = Decision(0, "first", ("left", "right"), (Terminal(0, 1.0), Terminal(1, 1.0)))
    with pytest.raises(BadInput, match="allowed: 0 to 0"):
        compile_game(root, [np.eye(2)])


def test_a_tolerance_must_be_positive() -> None:
    with pytest.raises(BadInput, match="1e-12 to 1"):
        solve(kuhn(), tolerance=0.0)


def _drawn(rng: np.random.Generator) -> Strategy:
    game = leduc()
    tables = []
    for player in (0, 1):
        table = np.empty((game.rows[player], game.states[player]))
        for node in np.flatnonzero(game.player == player):
            rows = slice(game.row[node], game.row[node] + game.count[node])
            table[rows] = rng.dirichlet(np.ones(game.count[node]), size=game.states[player]).T
        tables.append(table)
    return tables[0], tables[1]


@pytest.mark.parametrize(
    ("args", "allowed"),
    [
        (["toy", "kuhn"], "1e-12 to 1"),
        (["pushfold", "--stack", "10"], "1e-12 to 1"),
        (["limit", "--size", "blind"], "1e-09 to 1,000"),
        (["preflop"], "1e-12 to 1"),
    ],
)
@pytest.mark.parametrize("gap", ["1e-300", "1e-20", "-1", "nan"])
def test_a_gap_that_rounding_hides_is_refused(
    args: list[str], allowed: str, gap: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", *args, "--gap", gap]) == 2
    said = capsys.readouterr().err
    assert said.endswith(f"allowed: {allowed}\n")
    assert said.count("\n") == 1
