"""The rules of the verdicts."""

from __future__ import annotations

import pytest

from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.estimates.wilson_proportion import Proportion
from railbird.experiments import Published, Row, Verdict
from railbird.experiments.framework.rows import (
    beside,
    claimed,
    compared,
    measured,
    sigmas_for,
    zero,
)


@pytest.mark.parametrize(
    ("text", "published_stderr", "value", "stderr", "verdict"),
    [
        ("2.913", 0.0, 2.9134, 0.0, Verdict.AGREES),  # printed to three digits
        ("2.913", 0.0, 2.9136, 0.0, Verdict.DIFFERS),
        ("2.913", 0.0, 2.9434, 0.01, Verdict.AGREES),  # 0.0005 and three times 0.01
        ("2.913", 0.0, 2.9436, 0.01, Verdict.DIFFERS),
        ("2.913", 0.01, 2.9436, 0.01, Verdict.AGREES),  # the published one is uncertain too
        ("-0.0069", 0.0, -0.00694, 0.0, Verdict.AGREES),
        ("7", 0.0, 7.4, 0.0, Verdict.AGREES),
    ],
)
def test_a_published_number_counts_as_far_as_it_is_known(
    text: str, published_stderr: float, value: float, stderr: float, verdict: Verdict
) -> None:
    published = Published(text=text, stderr=published_stderr)
    assert compared("x", published, Estimate(value, stderr, 10)).verdict is verdict
    assert published.shown == text.replace("-", "−")


@pytest.mark.parametrize(
    ("value", "stderr", "verdict"),
    [
        (0.0, 0.0, Verdict.HOLDS),
        (0.29, 0.1, Verdict.HOLDS),
        (-0.31, 0.1, Verdict.FAILS),
        (1e-9, 0.0, Verdict.FAILS),
    ],
)
def test_zero_is_within_three_standard_errors(
    value: float, stderr: float, verdict: Verdict
) -> None:
    assert zero("x", Estimate(value, stderr, 10)).verdict is verdict


def test_the_farthest_of_many_is_granted_more() -> None:
    """3 sigma leave 0.27 % outside; the bound for k comparisons leaves a k-th of that."""
    assert sigmas_for(1) == pytest.approx(3.0)
    assert sigmas_for(8) == pytest.approx(3.5847, abs=1e-4)
    assert zero("x", Estimate(3.5, 1.0, 10), sigmas=sigmas_for(8)).verdict is Verdict.HOLDS
    assert zero("x", Estimate(3.7, 1.0, 10), sigmas=sigmas_for(8)).verdict is Verdict.FAILS


def test_what_is_not_compared_has_no_opinion() -> None:
    ours = Estimate(1.0, 0.1, 10)
    assert beside("x", "99", ours).verdict is Verdict.OTHER_PLAYERS
    assert measured("x", ours).verdict is Verdict.MEASURED
    assert claimed("x", ours, False, rule="never").verdict is Verdict.FAILS


def test_json_has_the_keys_that_others_rely_on() -> None:
    row = compared("sd", Published(text="6.856"), Estimate(6.8562, 0.01, 100), note="why")
    found = row.as_json()
    assert found["published"] == 6.856
    assert found["verdict"] == "agrees"
    assert set(found["ours"]) == {"value", "stderr", "low", "high", "n"}
    assert found["note"] == "why"
    assert measured("x", row.ours).as_json()["published"] is None


@pytest.mark.parametrize(
    ("row", "shown", "interval"),
    [
        (
            compared("x", Published(text="47.010"), Estimate(47.0069671, 0.0, 9)),
            "47.006967",
            "exact",
        ),
        (measured("x", Estimate(0.0, 0.0, 9)), "0", "exact"),
        (measured("x", Proportion.of_trials([0, 0, 0])), "0.00", "0.00 to 0.56"),
        (measured("x", estimate([0.5, 0.5])), "0.500000", "too few to say"),
        (measured("x", Estimate(-0.0123, 0.005, 10**6)), "−0.012", "−0.022 to −0.003"),
        (
            compared("x", Published(text="2.913"), Estimate(3.0, 0.5, 10**6)),
            "3.000",
            "2.020 to 3.980",
        ),
    ],
)
def test_numbers_are_shown_as_far_as_they_are_known(row: Row, shown: str, interval: str) -> None:
    assert (row.shown, row.shown_interval) == (shown, interval)


def test_what_rounding_leaves_of_an_exact_zero_is_shown_as_such() -> None:
    shown = [measured("x", Estimate(value, 0.0, 1)).shown for value in (0.0, 3.2e-15, -4e-8, 2e-6)]
    assert shown == ["0", "3e\N{MINUS SIGN}15", "\N{MINUS SIGN}4e\N{MINUS SIGN}08", "0.000002"]
