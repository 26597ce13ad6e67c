"""The ladder: its intervals contain the truth in simulated fields, where openskill's do not."""

from __future__ import annotations

import itertools
import math
from datetime import timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from openskill.models import PlackettLuce
from scipy.optimize import minimize

from railbird.errors import BadInput
from railbird.tournament.ratings import (
    Pair,
    Rating,
    faded,
    fit_placings,
    new_version,
    newly_established,
    probability_ahead,
    rated,
    rated_pairwise,
)
from railbird.tournament.settings import (
    FEWEST_PLACINGS,
    LADDER_DEVIATION,
    LADDER_DRIFT,
    LADDER_FACTOR,
    LADDER_NOISE,
    STRENGTH_PRIOR_DEVIATION,
)


def simulated(
    *, seats: int, spread: float, each: int, players: int = 30, seed: int = 0
) -> tuple[float, float, float]:
    """Coverage of the intervals, and of openskill's own, and our mean deviation.

    Strengths are normal, ``spread`` of the noise wide; every player plays ``each`` tournaments.
    """
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, spread * LADDER_NOISE, players)
    ours = [Rating() for _ in range(players)]
    usual = PlackettLuce()
    theirs = {player: usual.rating() for player in range(players)}
    for _ in range(each * players // seats):
        field = rng.choice(players, seats, replace=False)
        luck = rng.gumbel(size=seats) * math.sqrt(2) * LADDER_NOISE
        places = ((-(truth[field] + luck)).argsort().argsort() + 1).tolist()
        for player, new in zip(field, rated([ours[p] for p in field], places), strict=True):
            ours[player] = new
        for player, (rating,) in zip(
            field, usual.rate([[theirs[p]] for p in field], ranks=places), strict=True
        ):
            theirs[player] = rating

    def covered(means: list[float], deviations: list[float]) -> float:
        off = np.array(means) - np.mean(means) - (truth - truth.mean())
        return float(np.mean(np.abs(off) <= 2 * np.array(deviations)))

    return (
        covered([one.mean for one in ours], [one.deviation for one in ours]),
        covered([one.mu for one in theirs.values()], [one.sigma for one in theirs.values()]),
        float(np.mean([one.deviation for one in ours])),
    )


@pytest.mark.parametrize("seats", [2, 6, 11])
@pytest.mark.parametrize("tied", [False, True], ids=["apart", "tied"])
def test_an_update_is_openskills_with_our_settings(seats: int, tied: bool) -> None:
    rng = np.random.default_rng(seats)
    for _ in range(20):
        field = [Rating(float(rng.normal(25, 8)), float(rng.uniform(0.5, 9))) for _ in range(seats)]
        field[0] = Rating()
        places = rng.integers(1, 3, seats) if tied else rng.permutation(seats) + 1
        variance = sum(rating.deviation**2 for rating in field)
        noise = (2 * LADDER_NOISE**2 + (2 / seats - 1) * variance) / seats
        model = PlackettLuce(
            beta=math.sqrt(max(noise, 0)), gamma=lambda *_: LADDER_FACTOR, tau=LADDER_DRIFT
        )
        teams = [[model.create_rating([rating.mean, rating.deviation])] for rating in field]
        after = model.rate(teams, ranks=[float(place) for place in places])
        for ours, (theirs,) in zip(rated(field, places.tolist()), after, strict=True):
            assert (ours.mean, ours.deviation) == pytest.approx((theirs.mu, theirs.sigma))


def test_a_field_of_nine_where_the_usual_settings_fail() -> None:
    ours, usual, _ = simulated(seats=9, spread=1.0, each=100, seed=1)
    assert ours >= 0.9
    assert usual < 0.85


@pytest.mark.slow(
    but=[
        "10-0.3-2",
        "10-0.3-6",
        "10-0.3-9",
        "10-1.0-2",
        "10-1.0-6",
        "10-1.0-9",
        "30-0.3-6",
        "30-0.3-9",
        "30-1.0-6",
        "30-1.0-9",
    ]
)
@pytest.mark.parametrize("seats", [2, 6, 9])
@pytest.mark.parametrize("spread", [0.3, 1.0])
@pytest.mark.parametrize("each", [10, 30, 100, 300])
def test_two_deviations_cover_95_percent(seats: int, spread: float, each: int) -> None:
    runs = [simulated(seats=seats, spread=spread, each=each, seed=seed)[0] for seed in range(6)]
    assert np.mean(runs) >= 0.9


@pytest.mark.slow
def test_coverage_over_all_fields_is_95_percent() -> None:
    runs = [
        simulated(seats=seats, spread=spread, each=each, seed=7)[0]
        for seats in (2, 6, 9)
        for spread in (0.3, 1.0)
        for each in (10, 30, 100, 300)
    ]
    assert 0.94 <= np.mean(runs) <= 0.99


def test_uncertainty_falls_with_six_players() -> None:
    ratings = [Rating() for _ in range(6)]
    for number in range(70):
        ratings = rated(ratings, [(seat + number) % 6 + 1 for seat in range(6)])
    assert Rating().provisional
    assert not any(rating.provisional for rating in ratings)
    assert {rating.tournaments for rating in ratings} == {70}


def test_ties_and_order_do_not_matter_to_equals() -> None:
    for one in rated([None] * 4, [1, 1, 1, 1]):
        assert one.mean == pytest.approx(25.0)
        assert one.deviation < Rating().deviation
    first, second, third = rated([None, None, None], [1, 2, 2])
    assert first.mean > 25 > second.mean
    assert second == third
    assert rated([None, None, None], [2, 1, 2]) == [second, first, third]


def test_the_order_of_players_does_not_matter() -> None:
    before = [Rating(22, 2, 3), Rating(27, 1, 9), None]
    forth = rated(before, [1, 2, 3])
    back = rated(before[::-1], [3, 2, 1])[::-1]
    for one, other in zip(forth, back, strict=True):
        assert one.mean == pytest.approx(other.mean)
        assert one.deviation == pytest.approx(other.deviation)


@pytest.mark.parametrize("places", [[1], [1, 2, 3], []])
def test_places_that_do_not_fit(places: list[int]) -> None:
    with pytest.raises(BadInput, match="as many, two or more"):
        rated([None, None], places)
    with pytest.raises(BadInput):
        rated([None], [1])


def test_probabilities_add_up() -> None:
    one, other = Rating(28, 1.0), Rating(24, 2.0)
    assert probability_ahead(one, other) + probability_ahead(other, one) == pytest.approx(1)
    assert probability_ahead(one, other) > 0.5


def traded(games: int, *, takes_turns: bool, days: float = 0.0) -> tuple[float, int]:
    """How far two owners who play only each other move from 25, and the results not rated."""
    one, other = Rating(), Rating()
    met: dict[Pair, float] = {}
    furthest, unrated = 0.0, 0
    for game in range(games):
        places = [2, 1] if takes_turns and game % 2 else [1, 2]
        met = {pair: faded(count, timedelta(days=days)) for pair, count in met.items()}
        after, now = rated_pairwise([one, other], places, ["ann", "bob"], met)
        met |= now
        if after is None:
            unrated += 1
        else:
            one, other = after
        furthest = max(furthest, abs(one.mean - 25), abs(other.mean - 25))
    return furthest, unrated


@pytest.mark.parametrize("takes_turns", [True, False])
@pytest.mark.parametrize("games", [100, 270, 3000])
def test_two_who_trade_wins_move_less_than_a_deviation(games: int, takes_turns: bool) -> None:
    furthest, unrated = traded(games, takes_turns=takes_turns)
    assert furthest < LADDER_DEVIATION
    assert unrated == games - 30


def test_meetings_are_forgotten_within_months() -> None:
    assert traded(12, takes_turns=False, days=30)[1] == 0
    assert faded(8.0, timedelta(days=90)) == 1.0
    assert faded(8.0, timedelta(days=-1)) == 8.0, "results may come in another order"


def test_who_plays_everybody_else_too_is_limited_by_the_partner_who_does_not() -> None:
    met = {("ann", "ann"): 1000.0, ("ann", "bob"): 29.5, ("bob", "bob"): 29.5}
    assert rated_pairwise([None, None], [1, 2], ["ann", "bob"], met)[0] is None
    met["bob", "bob"] = 1000.0
    found, now = rated_pairwise([None, None], [1, 2], ["ann", "bob"], met)
    assert found == rated([None, None], [1, 2])
    assert now == {("ann", "ann"): 1001.0, ("ann", "bob"): 30.5, ("bob", "bob"): 1001.0}


def test_players_of_the_house_and_large_fields_have_no_pairs() -> None:
    met = {("ann", "ann"): 50.0, ("ann", "bob"): 50.0, ("bob", "bob"): 50.0}
    against_house = rated_pairwise([None, None], [1, 2], ["ann", ""], met)
    assert against_house == (rated([None, None], [1, 2]), {})
    owners = ["ann", "bob", *(f"p{n}" for n in range(9))]
    assert rated_pairwise([None] * 11, list(range(1, 12)), owners, met)[1] == {}
    three, _ = rated_pairwise([None] * 3, [1, 2, 3], ["ann", "bob", "cid"], met)
    full = rated([None] * 3, [1, 2, 3])
    assert three is not None
    assert three[2] == full[2], "who met neither often is rated in full"
    assert three[0].mean - 25 == pytest.approx((full[0].mean - 25) / 2)


@pytest.mark.parametrize(
    ("players", "seats", "games", "precision"),
    [(30, 2, 900, 0.0), (30, 6, 300, 0.0), (12, 2, 400, 0.1), (6, 6, 300, 0.0), (6, 2, 300, 0.7)],
)
def test_the_ladder_of_an_honest_population_is_the_same(
    players: int, seats: int, games: int, precision: float
) -> None:
    """In random fields of many no weight falls under 1; of few, heads-up, some do."""
    rng = np.random.default_rng(7)
    truth = rng.normal(0, LADDER_NOISE, players)
    plain: list[Rating | None] = [None] * players
    weighed: list[Rating | None] = [None] * players
    met: dict[Pair, float] = {}
    for _ in range(games):
        field = rng.choice(players, seats, replace=False)
        luck = rng.gumbel(size=seats) * math.sqrt(2) * LADDER_NOISE
        places = ((-(truth[field] + luck)).argsort().argsort() + 1).tolist()
        owners = [f"p{player}" for player in field]
        after, now = rated_pairwise([weighed[p] for p in field], places, owners, met)
        met |= now
        for player, rating in zip(field, after or [weighed[p] for p in field], strict=True):
            weighed[player] = rating
        for player, rating in zip(field, rated([plain[p] for p in field], places), strict=True):
            plain[player] = rating
    for one, other in zip(plain, weighed, strict=True):
        assert one is not None
        assert other is not None
        assert abs(one.mean - other.mean) <= precision
        assert abs(one.deviation - other.deviation) <= precision


class Meetings:
    """A ladder as the house keeps it; without ``weighs_newcomers``, as if all were established."""

    def __init__(self, *, seed: int, weighs_newcomers: bool = True) -> None:
        self.ratings: dict[str, Rating] = {}
        self.strengths: dict[str, float] = {}
        self._met: dict[Pair, float] = {}
        self._established: set[str] | None = set() if weighs_newcomers else None
        self._rng = np.random.default_rng(seed)

    def arrive(self, letter: str, players: int, spread: float = 1.0) -> None:
        for number in range(players):
            self.strengths[f"{letter}{number}"] = self._rng.normal(0, spread * LADDER_NOISE)

    def play_at_random(self, each: int, seats: int) -> None:
        names = sorted(self.strengths)
        for _ in range(each * len(names) // seats):
            field = [str(name) for name in self._rng.choice(names, seats, replace=False)]
            luck = self._rng.gumbel(size=seats) * math.sqrt(2) * LADDER_NOISE
            strengths = np.array([self.strengths[name] for name in field])
            self.play(field, ((-(strengths + luck)).argsort().argsort() + 1).tolist())

    def play(self, field: list[str], places: list[int]) -> None:
        before = [self.ratings.get(name) for name in field]
        after, now = rated_pairwise(before, places, field, self._met, self._established)
        self._met |= now
        if self._established is not None:
            self._established |= newly_established(field, self._met, self._established)
        self.ratings |= zip(field, after or (), strict=False)

    def best(self, letter: str) -> float:
        return max(one.mean for name, one in self.ratings.items() if name.startswith(letter))


def lose_to_a_tenth(ladder: Meetings, seats: int) -> float:
    """Let nine new accounts lose 24 games to a tenth; return its rating."""
    for game in range(24):
        losers = [f"loser{(game * (seats - 1) + seat) % 9}" for seat in range(seats - 1)]
        ladder.play(["tenth", *losers], list(range(1, seats + 1)))
    return ladder.ratings["tenth"].mean


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("spread", [0.3, 1.0])
def test_nine_new_accounts_that_lose_to_a_tenth_do_not_make_it_first(
    seats: int, spread: float
) -> None:
    """It gains 1.5 heads-up and 2.2 with six seats, where it would gain 10.3 and 17.7."""
    ladder, plain = Meetings(seed=1), Meetings(seed=1, weighs_newcomers=False)
    for one in (ladder, plain):
        one.arrive("player", 30, spread)
        one.play_at_random(20, seats)
    assert lose_to_a_tenth(plain, seats) > 35 > ladder.best("player")
    established = {name: ladder.ratings[name] for name in ladder.strengths}
    assert lose_to_a_tenth(ladder, seats) < min(27.3, ladder.best("player"))
    assert {name: ladder.ratings[name] for name in ladder.strengths} == established


@pytest.mark.parametrize(
    ("seats", "honest", "rating"),
    [(2, 0, 26.5), (2, 9, 26.5), (6, 0, 42.7), (6, 9, 42.7), (6, 10, 27.2)],
)
def test_what_new_accounts_gain_until_a_ladder_has_ten_established_owners(
    seats: int, honest: int, rating: float
) -> None:
    """Who founds a ladder is established by anybody, so with six seats it gains all there is."""
    ladder = Meetings(seed=1)
    if honest:
        ladder.arrive("player", honest)
        ladder.play_at_random(20, seats)
    assert lose_to_a_tenth(ladder, seats) == pytest.approx(rating, abs=0.06)


@pytest.mark.parametrize("seats", [2, 6])
def test_an_honest_newcomer_hardly_suffers(seats: int) -> None:
    """Compared with a ladder without newcomers, after ten tournaments of each.

    Their deviations are 3.2 heads-up and 2.4 with six seats.
    """
    for newcomers, precision in ((1, 0.08), (10, 1.1)):
        differences = []
        for seed in range(3):
            weighed, plain = Meetings(seed=seed), Meetings(seed=seed, weighs_newcomers=False)
            for one in (weighed, plain):
                one.arrive("player", 30)
                one.play_at_random(20, seats)
                one.arrive("new", newcomers)
                one.play_at_random(10, seats)
            differences += [
                abs(weighed.ratings[name].mean - rating.mean)
                for name, rating in plain.ratings.items()
                if name.startswith("new")
            ]
        assert max(differences) <= precision
        assert np.mean(differences) <= 0.12


def test_results_among_the_established_are_the_same_to_the_last_digit() -> None:
    rng = np.random.default_rng(5)
    names = [f"p{number}" for number in range(12)]
    met = {(one, other): 4.0 for one in names for other in names if one < other}
    met |= {(name, name): 44.0 for name in names} | {("new", "p0"): 9.0, ("new", "new"): 9.0}
    for seats in (2, 6, 9):
        field = [str(name) for name in rng.choice(names, seats, replace=False)]
        before = [Rating(rng.normal(25, 3), rng.uniform(0.8, 2), 50) for _ in field]
        places = list(range(1, seats + 1))
        assert rated_pairwise(before, places, field, met, names) == rated_pairwise(
            before, places, field, met
        )


def test_who_has_met_two_established_owners_is_established() -> None:
    founders = {f"f{number}" for number in range(10)}
    met = {("f0", "new"): 5.0, ("new", "new"): 9.0, ("new", "other"): 4.0}
    assert newly_established(["new", ""], met, founders) == set()
    assert newly_established(["new", "other"], met | {("f1", "new"): 0.2}, founders) == {"new"}
    assert newly_established(["new"], met, set(sorted(founders)[:9])) == {"new"}


def test_a_new_version_is_known_less_well_and_never_worse_than_a_newcomer() -> None:
    latest = Rating(31.0, 0.8, 200)
    anew = new_version(latest)
    assert (anew.mean, anew.tournaments) == (31.0, 0)
    assert 0.8 < anew.deviation < LADDER_DEVIATION
    for _ in range(10):
        anew = new_version(anew)
    assert anew.deviation == LADDER_DEVIATION


# The batch fit of places: against an exact oracle, a slow twin, and the truth in simulations.


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def fitted(tournaments: list[list[tuple[str, int]]], **options: int) -> dict[str, float]:
    found = fit_placings(tournaments, rng=rng(), **{"samples": 0, **options})
    return {one.player: one.strength for one in found}


def test_two_players_have_the_log_odds_of_their_wins() -> None:
    wins = [[("ann", 1), ("bob", 2)]] * 30 + [[("bob", 1), ("ann", 2)]] * 10
    found = fitted(wins)
    # The prior pulls by a thousandth.
    assert found["ann"] - found["bob"] == pytest.approx(math.log(3), abs=0.01)
    assert found["ann"] + found["bob"] == pytest.approx(0, abs=1e-9)


def test_three_players_and_ties_as_a_slow_twin_fits_them() -> None:
    draw = rng()
    players = "abcd"
    tournaments = []
    for _ in range(40):
        seats = draw.choice(4, 3, replace=False)
        places = draw.choice([[1, 2, 3], [1, 2, 2], [1, 1, 3], [1, 1, 1]])
        tournaments.append([(players[s], int(p)) for s, p in zip(seats, places, strict=True)])

    def negative(strengths: npt.NDArray[np.float64]) -> float:
        total = -0.5 * float(strengths @ strengths) / STRENGTH_PRIOR_DEVIATION**2
        for placings in tournaments:
            for place in {p for _, p in placings}:
                tied = [players.index(n) for n, p in placings if p == place]
                behind = [players.index(n) for n, p in placings if p > place]
                if len(tied) + len(behind) < 2:
                    continue
                for gone, one in enumerate(tied):
                    left = 1 - gone / len(tied)
                    candidates = left * np.exp(strengths[tied]).sum()
                    candidates += np.exp(strengths[behind]).sum()
                    total += strengths[one] - math.log(candidates)
        return -total

    options: Any = {"xatol": 1e-6, "fatol": 1e-9, "maxiter": 5000}
    slow = minimize(negative, np.zeros(4), method="Nelder-Mead", options=options).x
    slow = slow - slow.mean()
    found = fitted(tournaments)
    for player, strength in zip(players, slow, strict=True):
        assert found[player] == pytest.approx(strength, abs=1e-3)


def test_every_order_once_makes_all_equal() -> None:
    orders = itertools.permutations("abc")
    found = fitted([[(name, place) for place, name in enumerate(o, 1)] for o in orders])
    assert list(found.values()) == pytest.approx([0, 0, 0], abs=1e-6)


def test_intervals_cover_the_truth() -> None:
    truth = np.linspace(-1, 1, 8)
    draw = np.random.default_rng(5)
    covered = []
    for _ in range(12):
        tournaments = []
        for _ in range(80):
            seats = draw.choice(8, 6, replace=False)
            order = np.argsort(-(truth[seats] + draw.gumbel(size=6)))
            tournaments.append([(str(seats[s]), place) for place, s in enumerate(order, 1)])
        for one in fit_placings(tournaments, rng=draw, samples=60):
            covered.append(one.low <= truth[int(one.player)] <= one.high)
    assert 0.85 <= np.mean(covered) <= 1


def test_the_same_seed_gives_the_same_numbers() -> None:
    tournaments = [[("a", 1), ("b", 2)], [("b", 1), ("a", 2)], [("a", 1), ("c", 2)]] * 3
    assert fit_placings(tournaments, rng=rng(), samples=20) == fit_placings(
        tournaments, rng=rng(), samples=20
    )


def test_who_always_won_stays_finite_and_few_tournaments_have_no_interval() -> None:
    found = {one.player: one for one in fit_placings([[("a", 1), ("b", 2)]] * 9, rng=rng())}
    assert 2 < found["a"].strength < 20
    few = fit_placings([[("a", 1), ("b", 2)]] * (FEWEST_PLACINGS - 1), rng=rng())
    assert all(one.low == -math.inf and one.high == math.inf for one in few)
    assert fit_placings([], rng=rng()) == []


@pytest.mark.parametrize("placings", [[], [("a", 1)], [("a", 1), ("a", 2)], [("a", 0), ("b", 1)]])
def test_tournaments_that_cannot_be(placings: list[tuple[str, int]]) -> None:
    with pytest.raises(BadInput, match="tournament 2"):
        fit_placings([[("a", 1), ("b", 2)], placings], rng=rng())
