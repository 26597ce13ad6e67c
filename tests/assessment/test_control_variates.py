"""The regression with a prior, against its formula, and where least squares loses."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from helpers.random_records import random_hand
from railbird._arrays import Floats
from railbird.arena import Match, Seating, hands, play
from railbird.assessment import MatchAssessment, assess
from railbird.assessment.control_variates import CoefficientPrior, fit_of_match, fit_of_sums
from railbird.assessment.divat.estimators import CALL_LUCK, FITTED_BY_ROUNDS, LUCK
from railbird.assessment.estimator import Scoring
from railbird.assessment.frozen_coefficients import IN_THE_FIT, frozen_for
from railbird.estimates.estimate import FEWEST, Moments
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Betting,
    DealBoard,
    DealHoles,
    Fold,
    Phase,
    Rules,
    act,
    initial,
    step,
)
from railbird.histories import HandRecord, read_columns
from railbird.histories.columns import HandBatch
from railbird.odds import equity
from railbird.report import summarise_match
from railbird.report.match_summary import Finding

PRIOR = frozen_for(Betting.NO_LIMIT, 2).prior(pl.DataFrame({IN_THE_FIT: [0.0]}))


def made_up(hands: int, seed: int) -> tuple[Floats, Floats]:
    """Luck as in deep no-limit: two values that nearly agree, and pots of very different sizes.

    A pot's size stretches its luck and all else in it, so that few hands have most of both.
    """
    rng = np.random.default_rng(seed)
    pot = rng.lognormal(0, 1.3, (hands, 1))
    event = rng.normal(size=(hands, 4)) * pot * (rng.random((hands, 1)) < [1, 0.6, 0.4, 0.3])
    luck = np.hstack([event, event]) + 0.2 * pot * rng.normal(size=(hands, 8))
    return luck[:, 4:].sum(axis=1) + pot[:, 0] * rng.normal(size=hands), luck


def by_formula(money: Floats, luck: Floats, prior: CoefficientPrior) -> Floats:
    """Coefficients from all these hands, as the formula is written."""
    residual = money - luck @ prior.mean
    residual = residual - residual.mean()
    q = (luck**2).sum(axis=1)
    noise = np.mean(residual**2)
    noise *= max(1, np.sum(q * residual**2) / (noise * np.sum(q)))
    precision = luck.T @ luck / noise + np.linalg.inv(prior.covariance)
    return prior.mean + np.linalg.solve(precision, luck.T @ residual / noise)


def test_coefficients_are_those_of_the_other_folds() -> None:
    money, luck = made_up(400, seed=1)
    deal = np.arange(400) // 2
    fit = fit_of_match(money, luck, deal, PRIOR)
    assert (fit.part[::2] == fit.part[1::2]).all()
    for fold, coefficients in enumerate(fit.coefficients):
        others = fit.part != fold
        expected = by_formula(money[others], luck[others], PRIOR)
        assert coefficients == pytest.approx(expected, abs=1e-9)
        assert fit.values[~others] == pytest.approx(money[~others] - luck[~others] @ coefficients)


def test_forward_coefficients_are_those_of_earlier_deals_and_start_with_the_prior() -> None:
    money, luck = made_up(400, seed=1)
    fit = fit_of_match(money, luck, None, PRIOR, forward=True)
    assert (np.diff(fit.part.astype(int)) >= 0).all()
    assert fit.coefficients[0] == pytest.approx(PRIOR.mean)
    for block in (1, 7, 49):
        before = fit.part < block
        expected = by_formula(money[before], luck[before], PRIOR)
        assert fit.coefficients[block] == pytest.approx(expected, abs=1e-9)


def test_among_few_hands_it_loses_little_to_the_best_candidate() -> None:
    """Least squares loses much to DIVAT, for a few large pots decide on its coefficients."""
    divat, ours, least = [], [], []
    for seed in range(60):
        money, luck = made_up(150, seed)
        divat.append(money - luck[:, 4:].sum(axis=1))
        fit = fit_of_match(money, luck, None, PRIOR)
        ours.append(fit.values)
        values = money.copy()
        for fold in range(10):
            inside = fit.part == fold
            beta = np.linalg.lstsq(luck[~inside], money[~inside], rcond=None)[0]
            values[inside] -= luck[inside] @ beta
        least.append(values)
    variance = [np.concatenate(each).var() for each in (divat, ours, least)]
    assert variance[1] < 1.2 * variance[0] < 1.4 * variance[0] < variance[2]


def test_few_hands_and_none() -> None:
    money, luck = made_up(400, seed=2)
    for rows in (0, 1, 2, 5):
        for forward in (False, True):
            fit = fit_of_match(money[:rows], luck[:rows], None, PRIOR, forward=forward)
            assert np.isfinite(fit.values).all()
            assert fit.values.shape == (rows,)
    alone = fit_of_match(money[:1], luck[:1], None, PRIOR)
    assert alone.values == pytest.approx(money[:1] - luck[:1] @ PRIOR.mean)
    assert fit_of_sums(money, 0 * luck, None, PRIOR).values == pytest.approx(money)


def test_money_that_is_nothing_but_luck() -> None:
    """There is no noise then, and least squares has no single solution."""
    _, luck = made_up(200, seed=3)
    luck[:, :4] = luck[:, 4:]
    fit = fit_of_match(3 + luck @ PRIOR.mean, luck, None, PRIOR)
    assert fit.values == pytest.approx(np.full(200, 3.0))


# Intervals of real winnings and scores hold the mean about as often as they say, or say nothing.
#
# The populations are matches of players in the registry; samples are drawn from them.


SAMPLES = 2_000
MATCHES = [
    ("baseline", "always-call", HEADS_UP_LIMIT),
    ("baseline", "baseline:loose-high", HEADS_UP_LIMIT),
    ("baseline:tight-high", "baseline:loose-high", HEADS_UP_LIMIT),
    ("random", "always-call", HEADS_UP_NO_LIMIT),
]


def coverage(values: NDArray[np.float64], n: int, seed: int = 0) -> tuple[float, float]:
    """Count how often an interval of ``n`` values misses their mean, and how often there is one."""
    samples = np.random.default_rng(seed).choice(values, (SAMPLES, n))
    ends = np.array([Moments.of(sample).estimate().interval() for sample in samples])
    mean = float(values.mean())
    missed = (mean < ends[:, 0]) | (ends[:, 1] < mean)
    return float(missed.mean()), float(np.isfinite(ends[:, 0]).mean())


@pytest.mark.slow(
    but=[
        "random-always-call-rules3-Seating.DUPLICATE",
        "random-always-call-rules3-Seating.PERMUTED",
    ]
)
@pytest.mark.parametrize("seating", Seating)
@pytest.mark.parametrize(("first", "second", "rules"), MATCHES)
def test_money(first: str, second: str, rules: Rules, seating: Seating) -> None:
    match = Match(players=(first, second), rules=rules, deals=40_000, seed=3, seating=seating)
    won = play(match).per_deal(0)
    assert coverage(won, 2) == coverage(won, FEWEST - 1) == (0.0, 0.0)
    for n in (20, 30, 50, 100):
        assert coverage(won, n)[0] < 0.07, n
    missed, said = coverage(won, 500)
    assert missed == pytest.approx(0.05, abs=0.015)
    assert said == 1


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [match[:2] for match in MATCHES[:3]])
def test_divat(first: str, second: str) -> None:
    """Zero wherever both do what the baseline does: nine hands of ten between near relatives."""
    match = Match(players=(first, second), rules=HEADS_UP_LIMIT, deals=20_000, seed=3)
    scores = assess(hands(match)).scores["divat"].to_numpy()
    for n in (20, 50, 100, 200):
        assert coverage(scores, n)[0] < 0.075, n
    missed, said = coverage(scores, 500)
    assert missed == pytest.approx(0.055, abs=0.02)
    assert said > 0.99


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [match[:2] for match in MATCHES[:3]])
def test_fitted(first: str, second: str) -> None:
    """Samples without replacement: two copies of a hand would tell of each other."""
    match = Match(players=(first, second), rules=HEADS_UP_LIMIT, deals=20_000, seed=3)
    scores = assess(hands(match)).scores
    money = scores.select(pl.col("money") - pl.col("position")).to_series().to_numpy()
    luck = scores.select(*CALL_LUCK, *LUCK).to_numpy()
    # In the population that samples are drawn from, luck has to have mean zero.
    luck = luck - luck.mean(axis=0)
    prior = frozen_for(Betting.LIMIT, 2).prior_by_rounds(scores)
    told = scores["divat"].to_numpy() != 0
    rng = np.random.default_rng(0)
    for n, samples in ((50, 2_000), (200, 2_000), (499, 1_000), (500, 1_000), (2_000, 1_000)):
        missed = 0
        for _ in range(samples):
            rows = rng.choice(len(money), n, replace=False)
            fit = fit_of_sums(money[rows], luck[rows], None, prior)
            mean = replace(Moments.of(fit.values).estimate(), nonzero=int(told[rows].sum()))
            missed += not mean.low <= money.mean() <= mean.high
        assert missed / samples < 0.075, n


# The fitted estimator of heads-up limit, from the luck terms of its exact tables.


PLAYERS = ("Ann", "Bob")


def _match(n: int, seed: int = 1) -> list[HandRecord]:
    rng = np.random.default_rng(seed)
    return [
        random_hand(rng, players=PLAYERS if i % 2 else PLAYERS[::-1], number=i) for i in range(n)
    ]


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    return _match(900)


@pytest.fixture(scope="module")
def found(records: list[HandRecord]) -> MatchAssessment:
    return assess(records, player="Ann")


def _luckless(scores: pl.DataFrame) -> np.ndarray:
    """Money before rake less position, from which luck is taken."""
    luckless = scores.select(pl.col("money") + pl.col("rake") - pl.col("position"))
    return luckless.to_series().to_numpy()


def test_luck_of_calling_down_is_the_change_of_equity(
    records: list[HandRecord], found: MatchAssessment
) -> None:
    """After the deal each has one bet in; a card moves the share of what both have put in."""
    for row, record in zip(found.scores.head(40).iter_rows(named=True), records, strict=False):
        sign = 1 if record.players[0] == "Ann" else -1
        dealt = [cards for cards in (0, 3, 4, 5) if cards <= len(record.board)]
        shares = [0.0, *(_share(record, cards) for cards in dealt)]
        put_in = [1.0, *_put_in(record)]
        luck = [sign * x * (b - a) for x, (a, b) in zip(put_in, pairwise(shares), strict=False)]
        luck += [0.0] * (4 - len(luck))
        assert [row[name] for name in CALL_LUCK] == pytest.approx(luck, abs=1e-12)


def _share(record: HandRecord, cards: int) -> float:
    """Share of the boards that the first seat wins less the second's, by the equity calculator."""
    return (
        2
        * equity([hole for hole in record.holes if hole is not None], record.board[:cards])
        .players[0]
        .equity
        - 1
    )


def _put_in(record: HandRecord) -> list[float]:
    """Small bets of each player at the end of every round that ended without a fold."""
    after, state = [], step(initial(record.rules), DealHoles(record.holes))
    actions, shown = iter(record.actions), 0
    for cards in (0, 3, 1, 1):
        if cards:
            after.append(float(state.pot) / 2 / record.rules.bet_sizes[0])
            state = step(state, DealBoard(record.board[shown : shown + cards]))
            shown += cards
        while state.phase is Phase.BETTING and (action := next(actions, None)) is not None:
            state = act(state, action)
        if state.phase is Phase.OVER:
            break
    return after


def test_money_less_position_and_the_luck_of_other_deals(found: MatchAssessment) -> None:
    scores = found.scores
    luck = scores.select(*CALL_LUCK, *LUCK).to_numpy()
    money = _luckless(scores)
    fit = fit_of_match(money, luck, None, frozen_for(Betting.LIMIT, 2).prior_by_rounds(scores))
    assert scores["fitted"].to_numpy() == pytest.approx(fit.values, abs=1e-12)
    assert found.coefficients == pytest.approx(fit.coefficients.mean(axis=0))
    ann, bob = (found.estimates[player]["fitted"] for player in PLAYERS)
    assert ann.value == -bob.value == pytest.approx(scores["fitted"].mean())
    assert found.variance_reduction["Ann"]["fitted"] > found.variance_reduction["Ann"]["divat"]


def test_the_luck_taken_at_frozen_coefficients(found: MatchAssessment) -> None:
    taken = FITTED_BY_ROUNDS.luck_taken(found.scores, Scoring())
    assert taken.columns == ["deal", "flop", "turn", "river"]
    luck = found.scores.select(*CALL_LUCK, *LUCK).to_numpy()
    assert taken.sum_horizontal().to_numpy() == pytest.approx(
        luck @ frozen_for(Betting.LIMIT, 2).prior_by_rounds(found.scores).mean
    )
    # Before the flop alone there is no other luck.
    folded = found.scores["luck_flop"].to_numpy() == 0
    assert folded.any()
    assert (taken["river"].to_numpy()[folded] == 0).all()


def test_a_hand_has_no_say_in_its_own_coefficients(found: MatchAssessment) -> None:
    scores = found.scores
    money, luck = _luckless(scores), scores.select(*CALL_LUCK, *LUCK).to_numpy()
    other = np.array(money)
    other[17] += 1_000
    prior = frozen_for(Betting.LIMIT, 2).prior_by_rounds(scores)
    one, two = (fit_of_match(each, luck, None, prior).values for each in (money, other))
    assert two[17] - one[17] == pytest.approx(1_000)
    assert not np.allclose(np.delete(one, 17), np.delete(two, 17))


def test_both_hands_of_a_deal_are_in_one_fold_and_count_as_their_sum() -> None:
    rng = np.random.default_rng(4)
    n = 600
    deal = np.tile(np.arange(n), 2)
    luck = rng.normal(size=(n, 1))
    # The luck of a deal cancels; what its two hands do not share is worth three times as much.
    own = rng.normal(size=(2 * n, 1))
    both = np.concatenate([luck, -luck]) * 5 + own
    money = both[:, 0] + 2 * own[:, 0]
    wide = CoefficientPrior(np.zeros(1), 100 * np.eye(1))
    fit = fit_of_sums(money, both, deal, wide)
    assert (fit.part[:n] == fit.part[n:]).all()
    assert fit.coefficients == pytest.approx(np.full((10, 1), 3.0), abs=0.03)
    single = fit_of_match(money, both, deal, wide)
    assert single.coefficients == pytest.approx(np.full((10, 1), 1.08), abs=0.1)
    ours, theirs = (one.values[:n] + one.values[n:] for one in (fit, single))
    assert ours.std() < theirs.std() / 50


def test_a_short_match_is_fitted_like_a_long_one(records: list[HandRecord]) -> None:
    """Its coefficients are near what was expected; no number of hands changes the rule."""
    short = assess(records[:60], player="Ann")
    prior = frozen_for(Betting.LIMIT, 2).prior_by_rounds(short.scores)
    assert short.coefficients == pytest.approx(prior.mean, abs=0.5)
    assert short.coefficients != pytest.approx(prior.mean, abs=0.05)
    assert (short.headline, short.overall.reason) == (
        "fitted",
        "all cards of 60 hands are known",
    )


@pytest.mark.slow
def test_forward_knows_nothing_of_later_hands(records: list[HandRecord]) -> None:
    later = _match(900, seed=2)[-1]
    other = [*records[:-1], later]
    one, two = (assess(each, player="Ann", forward=True) for each in (records, other))
    assert one.forward
    assert one.scores["fitted"][:-1].equals(two.scores["fitted"][:-1])
    usual = assess(other, player="Ann")
    assert not usual.scores["fitted"][:-1].equals(
        assess(records, player="Ann").scores["fitted"][:-1]
    )
    # The first of fifty blocks is at what is expected before any hand.
    prior = frozen_for(Betting.LIMIT, 2).prior_by_rounds(one.scores)
    luck = one.scores.select(*CALL_LUCK, *LUCK).to_numpy()
    begun = (_luckless(one.scores) - luck @ prior.mean)[:18]
    assert one.scores["fitted"].to_numpy()[:18] == pytest.approx(begun, abs=1e-12)


def test_a_hand_whose_cards_are_missing_counts_its_money(records: list[HandRecord]) -> None:
    """The winner's cards are gone, which says nothing of the others."""
    place = next(
        i
        for i, one in enumerate(records)
        if one.payoffs[0] > 0 and len(one.board) == 5 and Fold() not in one.actions
    )
    masked = replace(records[place], holes=(None, records[place].holes[1]))
    result = assess([*records[:place], masked, *records[place + 1 :]], player="Ann")
    assert not result.hidden
    row = result.scores.row(place, named=True)
    assert row["fitted"] == row["divat"] == row["money"]
    assert result.headline == "fitted"


@pytest.mark.slow
def test_players_of_the_baseline_play_alike_and_near_relatives_say_nothing() -> None:
    """Fitted leaves next to nothing of luck there, and a few hands would seem to decide."""
    alike = assess(
        hands(Match(players=("baseline", "baseline"), rules=HEADS_UP_LIMIT, deals=600, seed=1))
    )
    assert summarise_match(alike).verdict.finding is Finding.SAME_PLAY
    near = ("baseline", "baseline:river.make4=0.9701")
    found = assess(hands(Match(players=near, rules=HEADS_UP_LIMIT, deals=2_000, seed=1)))
    deviations = int((found.scores["divat"] != 0).sum())
    assert deviations < 20
    estimate = found.estimates["baseline"]["fitted"]
    assert estimate.nonzero == deviations
    assert not estimate.enough


def test_a_duplicate_match_does_not_lose_to_divat() -> None:
    match = Match(
        players=("loki", "baseline:loose-high"),
        rules=HEADS_UP_LIMIT,
        deals=500,
        seed=2,
        seating=Seating.DUPLICATE,
    )
    rows = summarise_match(assess(hands(match)))
    assert rows.decisive.reduction is not None
    assert rows.skill.reduction is not None
    assert rows.decisive.reduction > rows.skill.reduction > 1


def test_poker_academys_bots_where_divat_is_noisier_than_money(shared_data: Path) -> None:
    """The first 20,000 of the log; the prototype had 1.30 where DIVAT alone has 0.87."""
    log = shared_data / "poker_academy" / "mvb1_mvb2.acpc.log.gz"
    found = assess(_first(log, 20_000))
    reduced = found.variance_reduction[found.players[0]]
    assert reduced["divat"] == 0.8713592875283442
    assert reduced["fitted"] == pytest.approx(1.30, abs=0.01)
    rest = found.scores.select(pl.col("money") - pl.col("position") - pl.col("fitted"))
    luck = Moments.of(rest.to_series())
    assert abs(luck.mean) < 3 * luck.sd / luck.n**0.5


def _first(log: Path, count: int) -> list[HandBatch]:
    left, taken = count, list[HandBatch]()
    for batch in read_columns(log):
        if isinstance(batch, HandBatch):
            taken.append(batch.rows(np.arange(min(left, len(batch)))))
            left -= len(taken[-1])
        if not left:
            break
    return taken


@pytest.mark.slow
def test_loki_against_the_baseline() -> None:
    """The prototype divided the variance by 11.5 where DIVAT did by 6.25, for an earlier Loki."""
    match = Match(players=("loki:gom", "baseline"), rules=HEADS_UP_LIMIT, deals=20_000, seed=3)
    reduced = assess(hands(match)).variance_reduction["loki:gom"]
    assert reduced["fitted"] / reduced["divat"] == pytest.approx(11.5 / 6.25, rel=0.1)
