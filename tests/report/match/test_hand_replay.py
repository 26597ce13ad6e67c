"""Hands replayed in words."""

from __future__ import annotations

import pytest

from helpers.made_up_match import HAND, made_up
from railbird.assessment import Scorer, open_scorer, score_hand
from railbird.baseline import STANDARD
from railbird.game import Street, limit_holdem
from railbird.histories import read_hand
from railbird.report.match.hand_replay import betting_words, largest, rounds_of

NAMES = ("Ann", "Bob")


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(STANDARD)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("SlCk", "Bob calls, Ann checks"),
        ("SlRrC", "Bob raises, Ann re-raises, Bob calls"),
        ("SlF", "Bob folds"),
        ("kK", "Ann checks, Bob checks"),
        ("bRrRc", "Ann bets, Bob raises, Ann re-raises, Bob re-raises, Ann calls"),
        ("", "no betting"),
    ],
)
def test_betting_in_words(line: str, words: str) -> None:
    assert betting_words(line, NAMES, Street.FLOP) == words


def test_rounds_of_the_example(scorer: Scorer) -> None:
    score = score_hand(HAND, scorer=scorer)
    preflop, flop, turn, river = rounds_of(score, NAMES, 1.0)
    assert preflop.actions == "Bob calls, Ann checks"
    assert flop.actions == "Ann checks, Bob bets, Ann raises, Bob calls"
    assert flop.baseline == "Ann bets, Bob raises, Ann re-raises, Bob calls"
    assert flop.classes == "Ann make4 (0.967), Bob make2 (0.848)"
    assert flop.difference == pytest.approx(-0.9192, abs=1e-4)  # table 3.3; AIE and ROE agree here
    assert turn.difference == river.difference == 0
    assert [d.action for d in flop.decisions] == ["checks", "bets", "raises", "calls"]
    assert flop.decisions[0].baseline == "bets"
    assert [d.best for d in flop.decisions] == ["bets", "checks", "raises", "folds"]


def test_decisions_add_up_to_the_round(scorer: Scorer) -> None:
    score = score_hand(read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBc/kBrC/bF"), scorer=scorer)
    for side in (1.0, -1.0):
        for row in rounds_of(score, NAMES, side):
            signs = (side if d.player == "Ann" else -side for d in row.decisions)
            total = sum(s * d.divat for s, d in zip(signs, row.decisions, strict=True))
            assert total == pytest.approx(row.difference, abs=1e-9)


def test_the_largest_come_first_and_unknown_cards_are_left_out() -> None:
    assessment = made_up(40, unknown=39)
    (story,) = largest(assessment, 10)
    row = assessment.scores.row(39, named=True)
    assert story.divat == row["divat"]
    assert story.name == "Hand 39"
    assert story.place == "match.log, line 40"
    # hand 39 is one of those in which the first player had the dealer's seat
    assert (
        story.holes.replace("\ufe0e", "") == "Bob T♠\u202f6♠ (big blind), Ann J♦\u202f5♦ (dealer)"
    )
    sizes = [abs(each.divat) for each in largest(made_up(40), 10)]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 10


def test_a_hand_is_replayed_by_its_own_rules() -> None:
    five_bets = read_hand("Ts6s,Jd5d SlRrRrF", game=limit_holdem(max_raises=None))
    (story,) = largest(made_up(1, hand=five_bets), 10)
    assert story.rounds[0].actions.endswith("Ann re-raises, Bob folds")
    assert story.line == "T♠-6♠,J♦-5♦ SlRrRrF"


def test_none() -> None:
    assert largest(made_up(0), 10) == ()
    assert largest(made_up(5), 0) == ()
