"""The named opponents: who they are, and where they may sit."""

from __future__ import annotations

from pathlib import Path

import pytest

from railbird.game import Betting
from railbird.hosting import house_game
from railbird.hosting.house_seats import (
    HousePlayers,
    HouseSeat,
    house_specs,
    known_as,
    unsolved,
    why_unseatable,
)
from railbird.hosting.ladder import BY_NAME, BY_SPEC, LADDER, NamedOpponent
from railbird.players.registry import REGISTRY
from railbird.tournament.schedule import hand_rules

IDS = [who.name for who in LADDER]


def test_names_and_specs_are_each_of_one_opponent() -> None:
    assert len(BY_NAME) == len(BY_SPEC) == len(LADDER) == 7
    assert not {name.lower() for name in BY_NAME} & set(REGISTRY)


@pytest.mark.parametrize("who", LADDER, ids=IDS)
def test_each_has_one_sentence_and_sits_where_it_is_offered(who: NamedOpponent) -> None:
    assert who.character.endswith(".")
    assert who.character.count(".") == 1
    assert known_as(who.spec) == who.name
    if who.plays_a_solution:
        return
    for betting in (Betting.NO_LIMIT, Betting.POT_LIMIT, Betting.LIMIT):
        rules = hand_rules(betting, blinds=(10, 20), ante=0, stacks=[2000] * 6)
        assert why_unseatable(who.spec, rules) is None
    assert HousePlayers().spec_of(who.name) == who.spec


def test_ratings_put_them_in_this_order() -> None:
    ratings = [who.no_limit for who in LADDER if not who.heads_up_only]
    means = [rating[0] for rating in ratings if rating is not None]
    assert len(means) == len(ratings)
    assert means == sorted(means)


def test_rated_games_draw_from_the_middle_upwards() -> None:
    rules = hand_rules(Betting.NO_LIMIT, blinds=(10, 20), ante=0, stacks=[1500] * 6)
    drawn = house_specs(rules)
    assert {known_as(spec) for spec in drawn} < set(IDS[2:])
    assert len(drawn) > 1


def test_nobody_who_plays_a_solution_is_made_before_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To make a player whose solution is missing would be to solve it, for minutes."""
    made: list[str] = []

    class Seat(HouseSeat):
        def load(self) -> None:
            made.append(self._name)

    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    monkeypatch.setattr(house_game, "HouseSeat", Seat)
    house_game.load_players(tmp_path)
    assert len(made) == 5
    assert [unsolved(spec) for spec in made] == [None] * 5
