"""Push/fold: the equilibria of the specification, the sweep, the source's sampled solver."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, parse_class
from railbird.errors import BadInput
from railbird.solve import (
    PushFold,
    best_response_call,
    best_response_push,
    pushfold_ev,
    range_frequencies,
    solve_pushfold,
    sweep_stacks,
)
from railbird.solve.pushfold import (
    exact_edge,
    holding_values,
    holdings_exploitability,
    mean_by_class,
    sample_pushfold,
    sampled_edge,
)


def test_ten_big_blinds() -> None:
    # spec/pushfold.md, on which two independent solvers agree.
    found = solve_pushfold(10, tolerance=1e-9)
    assert found.value_sb_bb == pytest.approx(-0.045371, abs=1e-6)
    assert found.push_share == pytest.approx(0.58284, abs=5e-6)
    assert found.call_share == pytest.approx(0.37376, abs=1e-5)
    assert found.exploitability_bb < 1e-6
    assert _mixed(found.push) == {"43s": 0.71}
    assert _mixed(found.call) == {"Q6s": 0.40}


@pytest.mark.parametrize(("stack", "value"), [(5, 0.0562), (15, -0.1272)])
def test_other_stacks(stack: float, value: float) -> None:
    # spec/pushfold.md
    assert solve_pushfold(stack).value_sb_bb == pytest.approx(value, abs=5e-5)


def test_classes_lose_nothing() -> None:
    # The slow twin: best responses of all 1,326 holdings gain what those of the classes do.
    found = solve_pushfold(10, tolerance=1e-4)
    strategy = np.stack([found.push[CLASS_OF_HOLDING], found.call[CLASS_OF_HOLDING]])
    gap = holdings_exploitability(found.game, strategy, exact_edge())
    assert gap == pytest.approx(found.exploitability_bb, rel=1e-6)


def test_values_of_an_equilibrium() -> None:
    found = solve_pushfold(10)
    judged = pushfold_ev(found.push, found.call, stack=10)
    assert judged.sb_value == pytest.approx(found.value_sb_bb)
    aces = parse_class("AA")
    assert judged.push_ev[aces] == judged.push_ev.max()
    assert judged.fold_ev_sb == -0.5
    # Nobody gains by another choice: what is always shoved earns at least the fold, and so on.
    gain = judged.push_ev - judged.fold_ev_sb
    assert gain[found.push > 0.999].min() > -1e-4
    assert gain[found.push < 0.001].max() < 1e-4


def test_best_responses() -> None:
    everything, nothing = np.ones(169), np.zeros(169)
    assert best_response_push(nothing, stack=10).sum() == 169
    called = best_response_call(everything, stack=10)
    assert called[parse_class("AA")] == 1
    assert called[parse_class("32o")] == 0
    # The threshold of a call: 9 to win 11, equity 0.45 against any two.
    assert called[parse_class("Q4o")] == 1


def test_an_ante_loosens() -> None:
    plain, with_ante = solve_pushfold(10), solve_pushfold(10, ante=0.125)
    assert with_ante.push_share > plain.push_share
    assert with_ante.call_share > plain.call_share


@pytest.mark.slow
def test_sweep_has_spans_and_gaps() -> None:
    found = sweep_stacks([9.4, 9.5, 9.6, 10.1, 10.2, 10.3])
    largest = found.largest(found.call)
    # The source's comparison with printed charts, spec/pushfold.md section 3.
    assert largest[parse_class("K5o")] == 10.2
    assert largest[parse_class("J9o")] == 9.5
    spans = found.spans(found.call)[parse_class("J9o")]
    assert [str(span) for span in spans] == ["9.4-9.5"]
    assert found.spans(found.call)[parse_class("32o")] == ()
    # Aces are called with at the last stack, and surely beyond.
    assert [str(span) for span in found.spans(found.call)[parse_class("AA")]] == ["≥9.4"]


@pytest.mark.slow
def test_gaps_are_named_with_their_spans() -> None:
    found = sweep_stacks([7.5, 8.5, 10.0])
    # spec/pushfold.md: 43s is pushed .71 at 10; it is mostly folded at 8.5.
    assert "43s 7.5, ≥10" in found.gaps(found.push)
    assert found.gaps(found.call) == ()


def test_ranges_by_class() -> None:
    found = range_frequencies("22+, A2+, K5o+:0.5")
    assert found[parse_class("A2s")] == found[parse_class("22")] == 1
    assert found[parse_class("K5o")] == found[parse_class("KQo")] == 0.5
    assert found[parse_class("K4o")] == found[parse_class("K5s")] == 0
    assert range_frequencies("random").sum() == 169
    assert range_frequencies("AKs, AsKs")[parse_class("AKs")] == 1
    with pytest.raises(BadInput, match="a part of AKs"):
        range_frequencies("QQ+, AsKs")


def test_the_sampled_solver_comes_near() -> None:
    first, last = sample_pushfold(10, rng=np.random.default_rng(1), snapshots=[500, 20_000])
    assert (first.iterations, last.iterations) == (500, 20_000)
    assert last.current_exploitability_bb < 0.01 < first.current_exploitability_bb
    exact = solve_pushfold(10)
    assert np.abs(mean_by_class(last.current_push) - exact.push).mean() < 0.1


def test_holdings_are_judged_as_classes_are() -> None:
    push, call = np.linspace(0, 1, 169), np.linspace(1, 0, 169)
    own = push[CLASS_OF_HOLDING], call[CLASS_OF_HOLDING]
    values = holding_values(PushFold(stack=10, ante=0.5), *own, exact_edge())
    earned = [
        float(fold @ (1 - share) + play @ share)
        for (fold, play), share in zip(values, own, strict=True)
    ]
    judged = pushfold_ev(push, call, stack=10, ante=0.5)
    assert earned == pytest.approx([judged.sb_value, judged.bb_value], abs=1e-7)


@pytest.mark.slow
def test_boards_are_drawn_by_their_chances() -> None:
    exact, drawn = exact_edge(), sampled_edge(np.random.default_rng(3))
    np.testing.assert_array_equal(np.isnan(drawn), np.isnan(exact))
    np.testing.assert_array_equal(drawn, -drawn.T)
    tenths = np.nan_to_num(drawn) * 10
    np.testing.assert_allclose(tenths, np.round(tenths), atol=1e-6)
    # Over all opponents a holding's boards are some 12,000, so its mean is known to a hundredth.
    np.testing.assert_allclose(np.nanmean(drawn, axis=1), np.nanmean(exact, axis=1), atol=0.05)
    assert np.nanstd(drawn - exact) == pytest.approx(0.286, abs=0.01)


def test_the_sampled_solver_repeats_itself() -> None:
    once, again = (
        sample_pushfold(10, rng=np.random.default_rng(5), snapshots=[50])[0] for _ in range(2)
    )
    np.testing.assert_array_equal(once.push, again.push)


@pytest.mark.parametrize(
    ("stack", "ante", "message"),
    [(0.5, 0, "allowed: 1 to 100"), (float("nan"), 0, "allowed: 1"), (2, 1.5, "allowed: 0 to 1")],
)
def test_stakes_out_of_range(stack: float, ante: float, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        PushFold(stack=stack, ante=ante)


def test_frequencies_out_of_range() -> None:
    with pytest.raises(BadInput, match=r"call frequency 1\.5 of AA"):
        best_response_push(np.full(169, 1.5), stack=10)


def _mixed(frequencies: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> dict[str, float]:
    return {
        name: round(float(value), 2)
        for name, value in zip(CLASS_NAMES, frequencies, strict=True)
        if 1e-3 < value < 1 - 1e-3
    }
