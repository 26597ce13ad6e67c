"""Hands replayed in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helpers.made_up_match import HAND, made_up
from railbird.assessment import Scorer, open_scorer, score_hand
from railbird.baseline import STANDARD
from railbird.game import Street, limit_holdem
from railbird.histories import HandRecord, read_hand
from railbird.report.document import Document
from railbird.report.hand_replay import betting_words, hand_document, largest
from railbird.report.number_format import MINUS, signed

NAMES = ("Ann", "Bob")


def _document(record: HandRecord, scorer: Scorer) -> Document:
    named = replace(record, players=NAMES)
    return hand_document(named, score_hand(named, scorer=scorer))


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
    ((hand,),) = (section.hands for section in _document(HAND, scorer).sections)
    preflop, flop, turn, river = hand.sections[1:]
    assert preflop.words == "Bob calls, Ann checks."
    assert flop.words == "Ann checks, Bob bets, Ann raises, Bob calls."
    baseline, difference, classes = flop.note.split(". ", 2)
    assert baseline == "Baseline: Ann bets, Bob raises, Ann re-raises, Bob calls"
    assert classes == "Hands: Ann make4 (0.967), Bob make2 (0.848)."
    assert difference == f"Difference {MINUS}0.92"  # table 3.3: 0.9192; AIE and ROE agree here
    assert all("Difference 0.00" in part.note for part in (turn, river))
    assert flop.table is not None
    actions = ["Ann checks", "Bob bets", "Ann raises", "Bob calls"]
    assert [row[0] for row in flop.table.rows] == actions
    assert flop.table.rows[0][1] == "bets"
    assert [row[2] for row in flop.table.rows] == ["bets", "checks", "raises", "folds"]


def test_decisions_add_up_to_the_round(scorer: Scorer) -> None:
    score = score_hand(read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBc/kBrC/bF"), scorer=scorer)
    for row in score.rounds:
        signed = (d.divat if d.player == 0 else -d.divat for d in row.decisions)
        assert sum(signed) == pytest.approx(row.roe.difference, abs=1e-9)


def test_differences_are_those_of_the_player_who_is_named() -> None:
    by_seat = {row["seat"]: row for row in made_up(40).scores.iter_rows(named=True)}
    for seat, row in by_seat.items():
        name = f"Hand {row['number']}"
        hand = next(each for each in largest(made_up(40), 40) if each.name == name)
        flop = next(part for part in hand.sections if part.heading.startswith("Flop"))
        # Ann is the big blind in seat 0, who checks a hand that is worth a bet.
        assert ("+" if seat else MINUS) + "0.92" in flop.note


def test_the_largest_come_first_and_unknown_cards_are_left_out() -> None:
    assessment = made_up(40, unknown=39)
    (story,) = largest(assessment, 10)
    row = assessment.scores.row(39, named=True)
    assert story.amount == f"{signed(row['divat'], 2)} sb"
    assert story.name == "Hand 39"
    assert story.sections[0].note.endswith(". match.log, line 40")
    # hand 39 is one of those in which the first player had the dealer's seat
    assert (
        story.cards.replace("\ufe0e", "").partition(";")[0]
        == "Bob T♠\u202f6♠ (big blind), Ann J♦\u202f5♦ (dealer)"
    )
    shown = (each.amount.removesuffix(" sb") for each in largest(made_up(40), 10))
    sizes = [abs(float(amount.replace(MINUS, "-"))) for amount in shown]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 10


def test_a_hand_is_replayed_by_its_own_rules() -> None:
    five_bets = read_hand("Ts6s,Jd5d SlRrRrF", game=limit_holdem(max_raises=None))
    (story,) = largest(made_up(1, hand=five_bets), 10)
    assert story.sections[1].words.endswith("Ann re-raises, Bob folds.")
    assert story.sections[0].note.startswith("T♠-6♠,J♦-5♦ SlRrRrF. ")


def test_none() -> None:
    assert largest(made_up(0), 10) == ()
    assert largest(made_up(5), 0) == ()
