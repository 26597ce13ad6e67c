"""Matches put together: pooled by pair, seen from both sides, duplicate pairs counted once."""

from __future__ import annotations

import pytest

from railbird.arena import Match, Seating, hands
from railbird.assessment import Assessment, assess, crosstable
from railbird.assessment.frame import by_deal
from railbird.estimates import Moments
from railbird.game import HEADS_UP_LIMIT


def played(first: str, second: str, *, seed: int = 0, twice: bool = False) -> Assessment:
    match = Match(
        players=(first, second),
        rules=HEADS_UP_LIMIT,
        deals=150,
        seed=seed,
        seating=Seating.DUPLICATE if twice else Seating.SINGLE,
    )
    return assess(hands(match))


@pytest.fixture(scope="module")
def matches() -> list[Assessment]:
    return [
        played("always-call", "always-raise"),
        played("always-raise", "always-call", seed=1),
        played("baseline", "always-call", twice=True),
    ]


def test_a_meeting_stands_from_both_sides(matches: list[Assessment]) -> None:
    table = crosstable(matches)
    mine = table.pairs["always-call", "always-raise"]
    other = table.pairs["always-raise", "always-call"]
    for name in ("money", "divat"):
        assert mine[name].value == pytest.approx(-other[name].value)
        assert mine[name].stderr == pytest.approx(other[name].stderr)
    assert ("baseline", "always-raise") not in table.pairs


def test_meetings_of_the_same_players_are_pooled(matches: list[Assessment]) -> None:
    table = crosstable(matches)
    pooled = table.pairs["always-call", "always-raise"]["money"]
    means = [match.estimates["always-call"]["money"].value for match in matches[:2]]
    assert pooled.n == 300
    assert pooled.value == pytest.approx(sum(means) / 2)
    assert table.totals["always-call"]["money"].n == 300 + 150


def test_the_hands_of_a_duplicate_pair_are_one_value(matches: list[Assessment]) -> None:
    duplicate = matches[2]
    deals = by_deal(duplicate.scores)
    assert (duplicate.hands, deals.height) == (300, 150)
    assert deals["money"].mean() == pytest.approx(duplicate.scores["money"].mean())
    cell = crosstable([duplicate]).pairs[duplicate.players]["money"]
    assert cell.n == 150
    assert cell.stderr == pytest.approx(Moments.of(deals["money"]).estimate().stderr)


def test_the_best_by_divat_comes_first(matches: list[Assessment]) -> None:
    table = crosstable(matches)
    assert table.players[0] == "baseline"
    means = [table.totals[player]["divat"].value for player in table.players]
    assert means == sorted(means, reverse=True)


def test_no_matches_no_players() -> None:
    assert crosstable([]).players == ()
