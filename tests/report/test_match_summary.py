"""The verdict's rules: every case of the two estimates, and what its sentences must not say."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.arena import Match, hands
from railbird.assessment import MatchAssessment, assess
from railbird.assessment.estimator import Contest
from railbird.assessment.registry import names_of
from railbird.estimates import Estimate
from railbird.game import HEADS_UP_LIMIT, Fold
from railbird.histories import HandRecord
from railbird.report import summarise_match, write
from railbird.report.assessment_report import result_rows
from railbird.report.match_charts import match_figures
from railbird.report.match_document import costly
from railbird.report.match_summary import Finding, MatchVerdict, find, verdict
from railbird.report.number_format import MINUS

TEST_VERDICT_PLAYERS = ("Ann", "Bob")
HANDS = 10_000


def _money(value: float, stderr: float = 0.05, n: int = HANDS) -> Estimate:
    return Estimate(value, stderr, n)


def _skill(value: float, stderr: float = 0.02, n: int = HANDS) -> Estimate:
    return Estimate(value, stderr, n)


def _plain(text: str) -> str:
    return text.replace(MINUS, "-")


def _judge(
    money: Estimate, skill: Estimate, *, hidden: int = 0, same_play: bool = False
) -> MatchVerdict:
    return verdict(
        TEST_VERDICT_PLAYERS,
        money,
        skill,
        hands=money.n,
        hidden=hidden,
        same_play=same_play,
    )


@pytest.mark.parametrize(
    ("money", "skill", "finding"),
    [
        (0.20, 0.10, Finding.BOTH),
        (-0.20, -0.10, Finding.BOTH),
        (0.05, 0.10, Finding.SKILL),
        (-0.05, -0.10, Finding.SKILL),
        (-0.05, 0.10, Finding.UNLUCKY),
        (0.0, 0.10, Finding.UNLUCKY),
        (0.20, -0.10, Finding.CONTRADICTION),
        (0.20, 0.01, Finding.MONEY_ONLY),
        (0.20, -0.01, Finding.MONEY_ONLY),
        (0.05, 0.01, Finding.NEITHER),
        (0.0, 0.0, Finding.NEITHER),
    ],
)
def test_finding(money: float, skill: float, finding: Finding) -> None:
    assert find(_money(money), _skill(skill)) is finding


def test_too_few_hands_give_no_interval() -> None:
    judged = _judge(_money(4.0, 0.1, 9), _skill(3.0, 0.1, 9))
    assert judged.finding is Finding.TOO_FEW
    assert (
        judged.headline
        == "Ann won 36.0 small bets in 9 hands, far too few to tell skill from luck."
    )
    assert not judged.reasons


def test_one_hand_has_no_standard_error() -> None:
    judged = _judge(_money(4.0, math.inf, 1), _skill(3.0, math.inf, 1))
    assert (
        judged.headline == "Ann won 4.0 small bets in 1 hand, far too few to tell skill from luck."
    )


def test_no_hands() -> None:
    judged = _judge(Estimate(math.nan, math.inf, 0), Estimate(math.nan, math.inf, 0))
    assert judged.finding is Finding.NO_HANDS
    assert judged.headline == "No hand could be judged."


def test_same_play_is_all_luck() -> None:
    judged = _judge(_money(0.2), _skill(1e-17, 1e-17), same_play=True)
    assert judged.finding is Finding.SAME_PLAY
    assert "all of it luck" in judged.headline


def test_money_and_skill_for_the_same_player() -> None:
    assert _judge(_money(0.2), _skill(0.1)).headline == (
        "Ann won 0.20 small bets a hand (95\u202f% interval 0.10 to 0.30), and it was skill: "
        "Ann played better, +0.100 (0.061 to 0.139), with the luck of the cards taken out."
    )


def test_the_loser_of_the_money_played_better() -> None:
    assert _plain(_judge(_money(0.05), _skill(-0.1)).headline) == (
        "Ann won 0.05 small bets a hand (95\u202f% interval -0.05 to 0.15), but Bob played better, "
        "-0.100 (-0.139 to -0.061) for Ann, with the luck of the cards taken out."
    )


def test_all_numbers_are_the_first_players() -> None:
    judged = _judge(_money(-0.2), _skill(-0.1))
    assert _plain(judged.headline) == (
        "Ann lost: -0.20 small bets a hand (95\u202f% interval -0.30 to -0.10), and it was skill: "
        "Bob played better, -0.100 (-0.139 to -0.061) for Ann, with the luck of the cards taken "
        "out."
    )
    said = _plain(" ".join(judged.reasons))
    assert "Ann lost 2,000 small bets in 10,000 hands." in said
    assert "For Ann, play was worth -1,000, cards and position -1,000." in said


def test_hidden_cards_leave_no_verdict_but_the_moneys() -> None:
    """Twenty thousand hands of a loose player seen where it won: DIVAT would be sure, and wrong."""
    money, skill = _money(0.2), _skill(-0.084, 0.009)
    judged = _judge(money, skill, hidden=1)
    assert judged.finding is Finding.HIDDEN
    assert judged.headline.startswith(
        "No verdict on skill: the cards of 1 of 10,000 hands were not shown, and those that were "
        "are not a representative sample. Ann won 0.20 small bets a hand"
    )
    said = " ".join((judged.headline, *judged.reasons))
    assert "fitted" not in said
    assert "played better" not in said
    assert "takes about 78,000 hands by the money;" in said


def test_undecided_gives_the_bound() -> None:
    judged = _judge(_money(0.05), _skill(0.01))
    assert _plain(judged.headline) == (
        "Ann won 0.05 small bets a hand (95\u202f% interval -0.05 to 0.15), which luck alone could "
        "explain; the data do not show who is better: +0.010 (-0.029 to 0.049), with the luck of "
        "the cards taken out."
    )
    assert "is below 0.049 small bets a hand either way" in " ".join(judged.reasons)


@pytest.mark.parametrize(("money", "skill"), [(0.05, 0.01), (0.2, 0.1), (2.0, 2.0), (0.0, 0.0)])
def test_the_hands_to_tell_a_stated_difference_do_not_depend_on_what_was_seen(
    money: float, skill: float
) -> None:
    said = " ".join(_judge(_money(money), _skill(skill)).reasons)
    # sd 2 a hand with luck taken out, 5 by the money: (2.80 · sd / 0.05)² hands
    assert (
        "To tell a difference of 0.05 small bets a hand from none in four matches of five takes "
        "about 13,000 hands with the luck of the cards taken out, 78,000 hands by the money; half "
        "the difference takes four times as many hands."
    ) in said
    assert "decided" not in said


def test_luck_is_money_less_skill() -> None:
    said = " ".join(_judge(_money(0.05), _skill(0.1)).reasons)
    assert "Ann won 500 small bets in 10,000 hands." in said
    assert "For Ann, play was worth +1,000, cards and position -500." in _plain(said)


def test_duplicate_pairs_are_counted_as_two_hands() -> None:
    judged = verdict(TEST_VERDICT_PLAYERS, _money(0.2, n=5_000), _skill(0.1, n=5_000), hands=10_000)
    said = " ".join(judged.reasons)
    assert "Ann won 2,000 small bets in 10,000 hands, 5,000 deals." in said
    # sd 1.414 a pair, mean 0.1: 769 pairs
    assert "takes about 13,000 hands with the luck" in said


def test_level_money_is_not_called_luck() -> None:
    headline = _judge(_money(0.0, 0.0), _skill(0.01)).headline
    assert headline.startswith("Ann and Bob finished level; the data do not show who is better")


def test_names_from_a_log_are_shown_harmlessly() -> None:
    judged = verdict(("\x1b[31mred\u202e", "Bob"), _money(0.2), _skill(0.1), hands=HANDS)
    assert "\x1b" not in judged.headline
    assert "\u202e" not in judged.headline


def test_scores_that_are_nearly_all_zero_are_too_few_to_say() -> None:
    """Five deviations in 400 hands give an interval that is far too sure of itself."""
    skill = replace(_skill(0.01, 0.002, 400), nonzero=5)
    judged = _judge(_money(0.05, n=400), skill)
    assert judged.finding is Finding.NEITHER
    assert "do not show who is better: +0.0100 (too few to say), with the luck" in judged.headline
    assert "hands with the luck" not in " ".join(judged.reasons)


values = st.integers(-2000, 2000).map(lambda thousandths: thousandths / 1000)
errors = st.floats(1e-4, 1)


@given(values, errors, values, errors, st.integers(1, 10**7))
def test_exchanging_the_players_finds_the_same(
    money: float, money_error: float, skill: float, skill_error: float, n: int
) -> None:
    a, b = Estimate(money, money_error, n), Estimate(skill, skill_error, n)
    one = verdict(("Ann", "Bob"), a, b, hands=n)
    other = verdict(("Bob", "Ann"), -a, -b, hands=n)
    assert one.finding is other.finding
    for name in ("Ann played better", "Bob played better"):
        if skill:
            assert (name in one.headline) == (name in other.headline)


@given(values, errors, values, errors)
def test_skill_is_claimed_only_where_the_interval_excludes_zero(
    money: float, money_error: float, skill: float, skill_error: float
) -> None:
    a, b = Estimate(money, money_error, HANDS), Estimate(skill, skill_error, HANDS)
    headline = verdict(TEST_VERDICT_PLAYERS, a, b, hands=HANDS).headline
    assert ("played better" in headline) == b.excludes_zero


# Cards that are not shown turn DIVAT round, so nothing may be concluded from it then.


TEST_HIDDEN_CARDS_PLAYERS = ("baseline:tight-high", "baseline:loose-high")


def as_a_site_shows_it(record: HandRecord) -> HandRecord:
    """Take away the cards of whoever folded."""
    if record.actions[-1] != Fold():
        return record
    loser = 0 if record.payoffs[0] < 0 else 1
    holes = tuple(None if seat == loser else hole for seat, hole in enumerate(record.holes))
    return replace(record, holes=holes)


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    match = Match(players=TEST_HIDDEN_CARDS_PLAYERS, rules=HEADS_UP_LIMIT, deals=8_000, seed=0)
    return list(hands(match))


@pytest.fixture(scope="module")
def shown(records: list[HandRecord]) -> MatchAssessment:
    return assess(
        (as_a_site_shows_it(record) for record in records), player=TEST_HIDDEN_CARDS_PLAYERS[0]
    )


@pytest.mark.slow
def test_the_sample_of_shown_hands_says_the_opposite_with_certainty(
    records: list[HandRecord], shown: MatchAssessment
) -> None:
    whole = assess(records, player=TEST_HIDDEN_CARDS_PLAYERS[0]).estimates[
        TEST_HIDDEN_CARDS_PLAYERS[0]
    ]["divat"]
    selected = shown.estimates[TEST_HIDDEN_CARDS_PLAYERS[0]]["divat"]
    assert whole.low > 0
    assert selected.high < 0


def test_no_table_shows_the_selected_sample(shown: MatchAssessment) -> None:
    """Not even with an interval of hands that can score only money."""
    facts = summarise_match(shown)
    for row in (*(row for row in facts.rows if row.name != "money"), *facts.rounds):
        assert (row.shown, row.shown_interval, row.shown_sd, row.shown_total) == ("–",) * 4
    assert facts.money.shown_interval != "–"
    assert {figure.name for figure in match_figures(facts)} == {"money", "estimators"}
    mine = shown.as_json()["players"][TEST_HIDDEN_CARDS_PLAYERS[0]]
    assert {key for key in names_of(Contest.MATCH) if mine[key] is not None} == {"money"}
    assert mine["divat_sd"] is None
    assert set(mine["rounds"].values()) == {None}
    assert mine["money"]["n"] == shown.hands
    assert {row.estimator for row in result_rows(shown, None, ("money", "divat"))} == {"money"}


@pytest.mark.slow
def test_nor_the_spots_that_cost_most_in_it(
    records: list[HandRecord], shown: MatchAssessment, tmp_path: Path
) -> None:
    every = assess(records[:500])
    assert costly(every, TEST_HIDDEN_CARDS_PLAYERS[0])
    assert shown.form.spots.height
    assert not any(costly(shown, player) for player in TEST_HIDDEN_CARDS_PLAYERS)
    page = write(shown, tmp_path / "hidden").read_text()
    assert "spots that cost most" not in page
    assert "hands that decisions changed most, of those whose cards were shown, replayed" in page


def test_so_there_is_no_verdict(shown: MatchAssessment) -> None:
    facts = summarise_match(shown)
    assert facts.verdict.finding is Finding.HIDDEN
    assert facts.skill.estimate.excludes_zero
    said = " ".join((facts.verdict.headline, *facts.verdict.reasons))
    assert said.startswith("No verdict on skill: the cards of ")
    assert f"{shown.hidden:,} of 8,000 hands were not shown" in said
    assert "better" not in said
    assert shown.headline == "money"
