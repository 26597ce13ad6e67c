"""Who is better than whom, for all pairs at once and at every look."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from railbird.assessment import assess_table
from railbird.assessment.any_table import EVERYBODY, assess_batches
from railbird.assessment.league import Versus, _more, league_table
from railbird.assessment.verdict import RefusedMoney, ResultVerdict
from railbird.errors import BadInput
from railbird.estimates import Moments
from railbird.estimates.confidence_sequences import confidence_sequence
from railbird.estimates.estimate import ALPHA, FIRST_LOOK
from railbird.histories import read
from railbird.histories.columns import batches_of

REPLAY = Path(__file__).parents[1] / "golden" / "histories" / "kaggle.json"
FORFEIT = REPLAY.with_name("kaggle_forfeit.json")


@pytest.mark.slow
def test_a_league_needs_coefficients_of_earlier_hands() -> None:
    with pytest.raises(BadInput, match="forward=True"):
        league_table(assess_table(REPLAY, boards=2))


@pytest.mark.slow
def test_parts_add_up_and_few_hands_decide_nothing() -> None:
    found = assess_batches(batches_of(read(REPLAY)), forward=True, boards=2, decisions_of=EVERYBODY)
    table = league_table(found)
    assert set(table.players) == {"loose", "folder"}
    assert table.comparisons == 1
    ((pair, one),) = table.pairs.items()
    assert one.hands == 5
    assert not one.is_decided
    assert one.interval.value == pytest.approx(table.totals[pair[0]].interval.value)
    for name in table.players:
        streets = sum(part.value for part in table.streets[name].values())
        kinds = sum(part.value for _, part in table.kinds[name].values())
        assert streets == pytest.approx(kinds)


def test_what_is_needed_tells_a_stated_difference_whatever_was_seen() -> None:
    seen = [
        confidence_sequence(Moments(n=600, mean=mean, deviations=599 * 4.0), alpha=0.01)
        for mean in (0.0, 0.01, 0.2)
    ]
    (more,) = {_more(before, 2.0) for before in seen}
    assert more is not None
    for n, tells in ((600 + more - 1, False), (600 + more, True)):
        then = confidence_sequence(Moments(n=n, mean=0.0, deviations=(n - 1) * 4.0), alpha=0.01)
        # Four of five means of 0.05 are above what excludes zero.
        assert (0.05 - 0.8416 * 2.0 / n**0.5 >= then.half_width) is tells
    assert _more(seen[0], 0.001) == 0


def test_a_pair_is_better_only_as_far_as_missing_hands_allow() -> None:
    money = np.tile([1.0, -0.8], 2_000)
    moments = Moments.of(money)
    interval = confidence_sequence(moments, alpha=0.01)

    def versus(*, best: float, refused: float = 0.0) -> Versus:
        values = money.copy()
        values[0] = best
        mine, theirs = RefusedMoney(3, refused), RefusedMoney(3, -refused)
        verdict = ResultVerdict(
            result=interval, values=values, money=values, refused=mine.less(theirs)
        )
        return Versus(interval=interval, verdict=verdict)

    beyond = (interval.value - interval.half_width) * len(money)
    assert beyond > 0
    assert versus(best=beyond).verdict.condition == ", if the log is whole"
    assert versus(best=1.0).verdict.undone_by == np.ceil(beyond)
    assert versus(best=1.0).verdict.condition == ""
    assert versus(best=1.0, refused=1 - beyond).is_decided
    assert not versus(best=1.0, refused=-beyond).is_decided


@pytest.mark.slow
def test_the_command_tells_errors_of_protocol_apart() -> None:
    told = json.loads(
        subprocess.run(
            [
                sys.executable,
                "-m",
                "railbird",
                "assess",
                "--show",
                "league",
                REPLAY,
                FORFEIT,
                "--json",
            ],
            capture_output=True,
            check=True,
        ).stdout
    )
    assert told["hands"] == 5
    assert [entry["player"] for entry in told["errors_of_protocol"]] == ["bad"]
    assert [entry["decided"] for entry in told["pairs"]] == [False]
    assert np.isfinite(told["players"][0]["money"]["value"])


@pytest.mark.slow
def test_equal_players_are_rarely_told_apart_whenever_one_looks() -> None:
    """2,000 leagues of four equal players, looked at after every deal from the first look on.

    What a deal brings one of two is as heavy-tailed as a hand of no-limit: mostly a blind or two,
    now and then a stack. A league is wrong if any interval of a pair or a player ever misses 0.
    """
    leagues, deals, pairs = 2_000, 3_000, list(combinations(range(4), 2))
    alpha = ALPHA / (len(pairs) + 4)
    # What a player wins in a round of deals against everybody.
    sides = np.array([[(who == a) - (who == b) for a, b in pairs] for who in range(4)]) / 3
    rng = np.random.default_rng(20_261_126)
    looks = np.arange(FIRST_LOOK, deals + 1)
    # Half widths in standard deviations at each look.
    widths = np.array(
        [
            confidence_sequence(Moments(n, 0.0, float(n - 1)), alpha=alpha).half_width
            for n in looks.tolist()
        ]
    )
    assert np.isfinite(widths).all()
    wrong = 0
    for _ in range(leagues):
        signs = rng.choice([-1.0, 1.0], (len(pairs), deals))
        won = signs * np.minimum(rng.lognormal(0.0, 1.6, (len(pairs), deals)), 100.0)
        values = np.vstack([won, sides @ won])
        means = values.cumsum(axis=1)[:, FIRST_LOOK - 1 :] / looks
        squares = (values**2).cumsum(axis=1)[:, FIRST_LOOK - 1 :] / looks
        sd = np.sqrt((squares - means**2) * looks / (looks - 1))
        wrong += bool((np.abs(means) > widths * sd).any())
    assert wrong <= 0.05 * leagues
