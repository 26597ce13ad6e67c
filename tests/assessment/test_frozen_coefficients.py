"""Frozen coefficients: what the files say, and what they refuse."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files

import numpy as np
import polars as pl
import pytest

from railbird.assessment.any_table import assess_batches
from railbird.assessment.divat.any_game_estimators import FITTED
from railbird.assessment.estimator import Contest, Scoring
from railbird.assessment.frozen_coefficients import (
    FrozenCoefficients,
    fingerprints_of,
    frozen_for,
    frozen_forms,
)
from railbird.assessment.own_side import OWN_SIDE
from railbird.assessment.registry import estimator_named
from railbird.game import HEADS_UP_LIMIT, Betting, limit_holdem, no_limit_holdem
from railbird.histories.columns import HandBatch
from railbird_papers.any_holdem import pluribus as the_fit
from railbird_papers.any_holdem.tables import play_policies
from railbird_papers.framework.workspace import Workspace

LARGEST = 100_000


def in_the_fit() -> HandBatch:
    """The first hands of a match of the heads-up no-limit fit."""
    form = the_fit.FORMS[3]
    assert form.rules.betting is Betting.NO_LIMIT
    match = replace(form.matches[0], hands=300)
    short = replace(form, matches=(match,))
    return the_fit.hands_of(Workspace(seed=the_fit.SEED), short, 0)


def test_every_form_has_its_file() -> None:
    forms = {(form.rules.betting, form.rules.seats) for form in the_fit.FORMS}
    assert set(frozen_forms()) == forms
    assert forms == {
        (Betting.LIMIT, 2),
        (Betting.LIMIT, 3),
        (Betting.LIMIT, 6),
        (Betting.NO_LIMIT, 2),
        (Betting.NO_LIMIT, 6),
    }


def test_files_are_small_and_say_where_they_come_from() -> None:
    for file in (files("railbird.assessment") / "coefficients").iterdir():
        if not file.name.endswith(".json"):
            continue
        text = file.read_text(encoding="utf-8")
        assert len(text) < LARGEST
        read = FrozenCoefficients.from_json(json.loads(text))
        assert f"{read.name}.json" == file.name
        assert read.as_json() == json.loads(text)
        assert len(read.date) == len("2009-06-14")
        assert read.hands == pytest.approx(len(read.fingerprints), rel=2e-3)
        form = next(
            one
            for one in the_fit.FORMS
            if (one.rules.betting, one.rules.seats) == (read.betting, read.seats)
        )
        assert read.players == tuple(match.name for match in form.matches)
        assert read.hands == sum(match.hands for match in form.matches)
        assert np.abs(read.luck).max() < 5
        assert read.luck.shape == (8,)


def test_what_is_expected_of_other_matches() -> None:
    """Halfway between DIVAT and the frozen ones, and about as uncertain as what lies around.

    The frozen ones know the luck of the hands that they were fitted on.
    """
    others, inside = (pl.DataFrame({"in_the_fit": [each] * 9}) for each in (0.0, 1.0))
    divat, call_down, money = [0] * 4 + [1] * 4, [1] * 4 + [0] * 4, [0] * 8
    for frozen in frozen_forms().values():
        half = (np.array(divat) + frozen.luck) / 2
        for rows, mean, candidates in (
            (others, half, [divat, frozen.luck.tolist(), call_down, money]),
            (inside, np.array(divat), [divat, call_down, money]),
        ):
            prior = frozen.prior(rows)
            assert prior.mean == pytest.approx(mean)
            for i, j in np.ndindex(8, 8):
                products = [(each[i] - mean[i]) * (each[j] - mean[j]) for each in candidates]
                expected = sum(products) / len(candidates) + (0.01 if i == j else 0)
                assert prior.covariance[i, j] == pytest.approx(expected)
        assert frozen.own_prior.mean == pytest.approx(frozen.own_all_in)
        assert np.diag(frozen.own_prior.covariance) == pytest.approx(np.full(4, 0.25))


@pytest.mark.slow
def test_the_luck_taken_is_what_one_column_a_card_event_adds_up_to() -> None:
    batch = play_policies(
        no_limit_holdem(2, blinds=(50, 100), stack=10_000),
        [one for one in the_fit.FORMS[3].matches[0].players if not isinstance(one, str)],
        200,
        seed=1,
    )
    found = assess_batches([(batch, ())], boards=2)
    how = Scoring(frozen=frozen_for(Betting.NO_LIMIT, 2), all_known=True)
    taken = FITTED.luck_taken(found.scores, how)
    assert taken.columns == ["deal", "flop", "turn", "river"]
    weights = (np.repeat([0.0, 1.0], 4) + frozen_for(Betting.NO_LIMIT, 2).luck) / 2
    for k, name in enumerate(taken.columns):
        called, luck = (found.scores[f"{value}luck_{name}"] for value in ("call_", ""))
        assert taken[name].to_numpy() == pytest.approx(
            weights[k] * called.to_numpy() + weights[k + 4] * luck.to_numpy()
        )
    own = OWN_SIDE.luck_taken(found.form.every, how)
    assert own.columns == [*taken.columns, "all_in"]
    assert own["all_in"].to_numpy() == pytest.approx(
        (found.form.every["money"] - found.form.every["allin"]).to_numpy()
    )
    assert (own["all_in"] != 0).any()


@pytest.mark.slow
def test_hands_of_the_fit_are_refused() -> None:
    batch = in_the_fit()
    frozen = frozen_for(Betting.NO_LIMIT, 2)
    assert frozen.holds(batch).all()
    other = play_policies(
        batch.rules[0],
        [one for one in the_fit.FORMS[3].matches[0].players if not isinstance(one, str)],
        300,
        seed=1,
    )
    assert not frozen.holds(other).any()
    inside, outside = (assess_batches([(each, ())], boards=2) for each in (batch, other))
    assert all("mivat" not in row for row in inside.estimates.values())
    assert all(row["mivat"].n == 300 for row in outside.estimates.values())
    both = assess_batches([(batch, ()), (other, ())], boards=2)
    assert all("mivat" not in row for row in both.estimates.values())


def test_a_hand_is_known_again_under_other_names_and_beside_larger_tables() -> None:
    batch = in_the_fit()
    renamed = replace(batch, names=("A", "B"), number=batch.number + 7)
    wider = replace(
        batch,
        holding=np.column_stack([batch.holding, np.full((len(batch), 3), -1, np.int16)]),
    )
    expected = fingerprints_of(batch)
    assert np.array_equal(fingerprints_of(renamed), expected)
    assert np.array_equal(fingerprints_of(wider), expected)
    other = replace(batch, action=np.where(batch.action > 0, batch.action + 1, batch.action))
    assert (fingerprints_of(other) != expected).any()


def test_forms_without_a_fit_are_named() -> None:
    mivat = estimator_named(Contest.TABLE, "mivat")
    assert mivat.needs(HEADS_UP_LIMIT) is None
    assert mivat.needs(limit_holdem(4)) == (
        "no coefficients were fitted for limit-4; there are those for limit-2, limit-3, limit-6, "
        "no-limit-2, no-limit-6"
    )
    assert frozen_for(Betting.LIMIT, 4).name == "limit-3"
    assert frozen_for(Betting.SPREAD_LIMIT, 9).name == "no-limit-6"


@pytest.mark.slow
def test_few_hands_do_not_lose_to_money() -> None:
    """Eight coefficients of the hands themselves lose at 30; frozen ones gain at any number."""
    players = [one for one in the_fit.FORMS[4].matches[0].players if not isinstance(one, str)]
    batch = play_policies(the_fit.FORMS[4].rules, players[:3] + players[3:], 1200, seed=77)
    rows = the_fit.Regression.of(batch)
    luck = frozen_for(Betting.NO_LIMIT, 6).luck
    fitted = rows.money - rows.luck @ luck
    seats = 6
    for hands in (30, 50, 100, 300):
        pieces = len(fitted) // (hands * seats)
        used = pieces * hands * seats
        money, luckless = (each[:used].reshape(pieces, -1) for each in (rows.money, fitted))
        assert np.median(money.var(axis=1) / luckless.var(axis=1)) > 1, hands
