"""A season among friends: equal players are told apart, or get awards, once in twenty at most."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from functools import cache

import numpy as np
import polars as pl
import pytest

from railbird.assessment.divat.any_game import NO_LIMIT
from railbird.assessment.player_statistics import LogCards, Statistic, rows_of
from railbird.assessment.season import (
    AWARDS,
    DIFFERENCES,
    MOST_PLAYERS,
    awards_of,
    hands_to_decide,
    hands_worth_telling,
    leads_of,
    season_of,
)
from railbird.estimates.estimate import ALPHA, FIRST_LOOK, hands_to_tell
from railbird.game import no_limit_holdem
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Flo")
PAIRS = math.comb(len(NAMES), 2)
NIGHT = 200


def played(
    hands: int, *, deviations: tuple[float, ...] = (0.2,) * 6, seed: int = 4
) -> pl.DataFrame:
    rules = no_limit_holdem(len(NAMES), blinds=(50, 100), stack=10_000)
    players = [
        PolicyPlayer(name=name, policy=NO_LIMIT, deviation=deviation)
        for name, deviation in zip(NAMES, deviations, strict=True)
    ]
    return rows_of([play_policies(rules, players, hands, seed=seed)])


@cache
def pool() -> pl.DataFrame:
    """Hands of six who play alike, a row for each hand and seat, six of a hand together."""
    return played(3_000).sort("hand", maintain_order=True)


def drawn(rng: np.random.Generator, hands: int) -> np.ndarray:
    """Rows of drawn hands, (hands, 6), of each hand in an order drawn at random.

    Whoever gets the result of any seat is as good as everybody else, whatever position is worth.
    """
    first = len(NAMES) * rng.integers(0, pool().height // len(NAMES), hands)
    seats = rng.permuted(np.tile(np.arange(len(NAMES)), (hands, 1)), axis=1)
    rows: np.ndarray = first[:, None] + seats
    return rows


@pytest.mark.parametrize("result", ["won", "without"])
@pytest.mark.parametrize(
    "seasons", [150, pytest.param(2_000, marks=pytest.mark.slow)], ids=["few", "2000"]
)
def test_equal_players_are_rarely_told_apart(seasons: int, result: str) -> None:
    """Somebody looks after each of twelve nights, and one look that decides is enough."""
    rows, rng = pool(), np.random.default_rng(11)
    values = rows["won"].to_numpy()
    if result == "without":
        events = LogCards.of(rows).events(rows)
        assert events is not None
        values = values - events.select(pl.sum_horizontal(pl.all())).to_series().to_numpy()
    decided = 0
    for _ in range(seasons):
        season = values[drawn(rng, 12 * NIGHT)]
        decided += any(
            lead.decided
            for end in range(FIRST_LOOK // NIGHT * NIGHT, len(season) + 1, NIGHT)
            for lead in leads_of(NAMES, season[:end])[0]
        )
    assert decided <= ALPHA * seasons


@pytest.mark.parametrize(
    "nights", [60, pytest.param(2_000, marks=pytest.mark.slow)], ids=["few", "2000"]
)
def test_equal_players_rarely_get_awards(nights: int) -> None:
    columns = [
        name for rule in AWARDS for name in (rule.statistic.key, f"{rule.statistic.key}_chances")
    ]
    rows, rng = pool().select(list(dict.fromkeys(columns))), np.random.default_rng(12)
    given = 0
    for _ in range(nights):
        night = rows[drawn(rng, NIGHT).ravel()].with_columns(
            hand=pl.Series(np.repeat(np.arange(NIGHT), len(NAMES))),
            player=pl.Series(NAMES * NIGHT),
        )
        given += bool(awards_of(night, NAMES))
    assert given <= ALPHA * nights


def test_those_who_play_differently_get_the_awards_and_fall_behind() -> None:
    rows = played(4_000, deviations=(0.0, 0.0, 0.0, 0.0, 0.0, 0.95))
    season = season_of(rows, LogCards.of(rows))
    flo = {award.rule.title for award in season.awards if award.player == "Flo"}
    assert flo
    assert {lead.behind for lead in season.leads if lead.decided} == {"Flo"}
    assert season.standings[-1].player == "Flo"
    assert season.all_cards
    assert all(standing.luck is not None for standing in season.standings)
    assert season.nights == []
    told = season.as_json()
    assert told["leads"][0].keys() == {"ahead", "behind", "difference", "decided"}


def test_a_lead_is_of_hands_played_together() -> None:
    results = np.full((1_200, 3), np.nan)
    rng = np.random.default_rng(3)
    results[:600, 0] = rng.normal(3, 1, 600)
    results[:, 1] = rng.normal(0, 1, 1_200)
    results[600:, 2] = 99.0
    leads, deviations = leads_of(("Ann", "Bob", "Cid"), results)
    by_pair = {(lead.ahead, lead.behind): lead for lead in leads}
    assert by_pair["Ann", "Bob"].decided
    assert by_pair["Ann", "Bob"].interval.n == 600
    assert by_pair["Cid", "Bob"].decided
    assert by_pair["Ann", "Cid"].interval.n == 0
    assert not by_pair["Ann", "Cid"].decided
    assert len(deviations) == 2
    few, _ = leads_of(("Ann", "Bob"), results[: FIRST_LOOK - 1, :2])
    assert not few[0].decided


def test_hands_to_decide_are_more_than_for_one_look() -> None:
    for difference in DIFFERENCES:
        once = hands_to_tell(difference / 100, 12.0)
        always = hands_to_decide(difference / 100, 12.0, alpha=ALPHA)
        assert once is not None
        assert always is not None
        assert always > once
    wide, narrow = (hands_to_decide(1.0, 12.0, alpha=ALPHA / pairs) for pairs in (15, 1))
    assert wide is not None
    assert narrow is not None
    assert wide > narrow
    assert hands_to_decide(1e-9, 12.0, alpha=ALPHA) is None
    assert hands_to_decide(1e9, 1.0, alpha=ALPHA) == FIRST_LOOK


def test_the_stated_hands_decide_in_four_of_five_seasons() -> None:
    hands = hands_to_decide(0.5, 5.0, alpha=ALPHA)
    assert hands is not None
    rng = np.random.default_rng(8)
    results = np.stack([rng.normal(0.5, 5.0, (400, hands)), np.zeros((400, hands))], axis=2)
    decided = sum(leads_of(("Ann", "Bob"), season)[0][0].decided for season in results)
    assert 0.75 <= decided / 400 <= 0.85


def test_a_night_ends_with_a_long_pause() -> None:
    rows = pool().head(6 * 40)
    begun = datetime(2026, 11, 27, 20, 0)
    times = [begun + timedelta(minutes=2 * hand, days=7 * (hand >= 25)) for hand in range(40)]
    rows = rows.with_columns(played_at=pl.Series([time for time in times for _ in NAMES]))
    nights = season_of(rows, LogCards.of(rows)).nights
    assert [night.hands for night in nights] == [25, 15]
    assert nights[1].begun == begun + timedelta(minutes=50, days=7)
    assert sum(nights[0].won.values()) == pytest.approx(0)
    amounts = list(nights[0].won.values())
    assert amounts == sorted(amounts, reverse=True)


def test_three_different_hands_are_told() -> None:
    rows = pool().head(6 * 300)
    told = hands_worth_telling(rows)
    assert len({hand for _, hand, _, _ in told}) == 3
    (_, first, winner, won), *_ = told
    assert won == rows["won"].max()
    assert rows.filter((pl.col("hand") == first) & (pl.col("player") == winner))["won"][0] == won
    quiet = rows.with_columns(won=pl.lit(0.0), adjusted=pl.lit(value=False))
    assert hands_worth_telling(quiet) == []
    assert len(hands_worth_telling(rows.head(6))) <= 1


def test_a_crowd_is_compared_by_those_who_played_most() -> None:
    rows = pool().head(6 * 10)
    crowd = pl.concat(
        [
            rows.with_columns(player=pl.lit(f"{name}{number}"))
            for number in range(9)
            for name in "AB"
        ]
        + [rows.head(6).with_columns(player=pl.lit(f"rare{number}")) for number in range(9)]
    )
    season = season_of(crowd, LogCards.of(crowd))
    assert len(season.standings) == MOST_PLAYERS
    assert sum(standing.player.startswith("rare") for standing in season.standings) == 2


def test_every_award_goes_by_a_share() -> None:
    assert len({(rule.statistic, rule.above) for rule in AWARDS}) == len(AWARDS)
    assert all(rule.statistic in Statistic for rule in AWARDS)
