"""Matches put together: pooled by pair, seen from both sides, duplicate pairs counted once."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from railbird.arena import League, Match, Seating, hands, play_league
from railbird.assessment import HandKind, MatchAssessment, assess, crosstable
from railbird.assessment.verdict import RefusedMoney
from railbird.estimates.estimate import Estimate, estimate
from railbird.game import HEADS_UP_LIMIT


def played(first: str, second: str, *, seed: int = 0, twice: bool = False) -> MatchAssessment:
    match = Match(
        players=(first, second),
        rules=HEADS_UP_LIMIT,
        deals=150,
        seed=seed,
        seating=Seating.DUPLICATE if twice else Seating.SINGLE,
    )
    return assess(hands(match))


@pytest.fixture(scope="module")
def matches() -> list[MatchAssessment]:
    return [
        played("always-call", "always-raise"),
        played("always-raise", "always-call", seed=1),
        played("baseline", "always-call", twice=True),
    ]


def test_a_meeting_stands_from_both_sides(matches: list[MatchAssessment]) -> None:
    table = crosstable(matches)
    mine = table.pairs["always-call", "always-raise"]
    other = table.pairs["always-raise", "always-call"]
    for name in ("money", "divat"):
        assert mine[name].value == pytest.approx(-other[name].value)
        assert mine[name].stderr == pytest.approx(other[name].stderr)
    assert ("baseline", "always-raise") not in table.pairs


def test_meetings_of_the_same_players_are_pooled(matches: list[MatchAssessment]) -> None:
    table = crosstable(matches)
    pooled = table.pairs["always-call", "always-raise"]["money"]
    means = [match.estimates["always-call"]["money"].value for match in matches[:2]]
    assert pooled.n == 300
    assert pooled.value == pytest.approx(sum(means) / 2)
    # Its match with the baseline has the cards of the first match, which so count once.
    assert table.totals["always-call"]["money"].n == 300


def test_the_hands_of_a_duplicate_pair_are_one_value(matches: list[MatchAssessment]) -> None:
    duplicate = matches[2]
    first, second = duplicate.players
    cell = crosstable([duplicate]).pairs[first, second]["money"]
    assert (duplicate.hands, cell.n) == (300, 150)
    pairs = duplicate.form.pairs[first]["money"]
    assert cell.value == pytest.approx(pairs.value)
    assert cell.stderr == pytest.approx(pairs.stderr)


@pytest.mark.slow(but=["Seating.DUPLICATE"])
@pytest.mark.parametrize("seating", Seating)
def test_matches_of_a_league_share_their_deals(seating: Seating) -> None:
    """All pairs play the same cards: the table's intervals are those of the league itself."""
    players = ("baseline", "baseline:loose-high", "random")
    league = League(players=players, rules=HEADS_UP_LIMIT, deals=120, seed=1, seating=seating)
    result = play_league(league)
    table = crosstable(assess(hands(league.match(pair))) for pair in league.pairs)
    for number, name in enumerate(league.names):
        expected = estimate(result.per_deal(number) / 10)
        found = table.totals[name]["money"]
        assert (found.value, found.stderr) == pytest.approx((expected.value, expected.stderr))
        assert found.n == 120


def test_a_match_given_twice_counts_once(matches: list[MatchAssessment]) -> None:
    once, twice = crosstable(matches), crosstable([*matches, matches[2]])
    assert (once.again, twice.again) == (0, 300)
    assert twice.totals == once.totals
    assert twice.hands == once.hands == 600


def test_hidden_cards_leave_the_money_alone(matches: list[MatchAssessment]) -> None:
    kinds = pl.lit(HandKind.UNKNOWN, dtype=pl.Enum(HandKind))
    scores = matches[0].scores.with_columns(kind=kinds)
    hidden = replace(matches[0], scores=scores, hidden=scores.height)
    table = crosstable([hidden, matches[2]])
    assert table.hidden == 150
    assert table.estimators == ("money",)
    assert all(row.keys() == {"money"} for row in table.totals.values())
    money = [table.totals[player]["money"].value for player in table.players]
    assert money == sorted(money, reverse=True)


def test_the_best_by_divat_comes_first(matches: list[MatchAssessment]) -> None:
    table = crosstable(matches)
    assert table.players[0] == "baseline"
    means = [table.totals[player]["divat"].value for player in table.players]
    assert means == sorted(means, reverse=True)


def test_a_result_has_the_condition_of_the_match_alone() -> None:
    one = played("baseline", "always-call")
    player, opponent = one.players
    for missing, turned in (({}, False), ({player: RefusedMoney(9, -1e6)}, True)):
        integrity = replace(one.integrity, consecutive=False, refused=missing)
        judged = integrity.verdicts[player]
        assert isinstance(judged.result, Estimate)
        integrity = integrity.judging({player: (judged.result, judged.values, judged.money)})
        table = crosstable([replace(one, integrity=integrity)])
        verdict = table.verdicts[player, opponent]
        assert verdict.decided
        assert verdict.undone_by == integrity.verdicts[player].undone_by
        assert verdict.condition == integrity.condition(player)
        assert (verdict.turned, integrity.verdicts[player].turned) == (turned, turned)
        assert table.verdicts[player,].undone_by == verdict.undone_by


def test_no_matches_no_players() -> None:
    assert crosstable([]).players == ()
