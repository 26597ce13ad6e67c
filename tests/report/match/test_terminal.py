"""What the terminal shows: the source's tables come out, and nothing of a log drives it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console, RenderableType

from helpers.made_up_match import made_up
from railbird.assessment import HandScore, Scorer, open_scorer, score_hand
from railbird.baseline import STANDARD
from railbird.histories import read_hand
from railbird.report import score_table, text
from railbird.report.toolkit.number_format import MINUS

GAME = "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/"


def _shown(part: RenderableType) -> str:
    out = io.StringIO()
    Console(file=out, width=120, force_terminal=True, color_system=None).print(part)
    return out.getvalue().replace(MINUS, "-")


def _rows(score: HandScore) -> list[list[str]]:
    return [words for line in _shown(score_table(score)).splitlines() if (words := line.split())]


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(STANDARD)


def test_table_3_3(scorer: Scorer) -> None:
    """The source's table with the river ranks and the preflop EHR as they are by definition."""
    rows = _rows(score_hand(read_hand(f"{GAME}kBrC/bRrC/bC"), scorer=scorer))
    expected = """
        IHR player 1 0.3857 0.9672 0.9599 0.9753
        player 2 0.4771 0.8483 0.8406 0.7091
        7cHR player 1 0.4894 0.9273 0.9378 0.9753
        player 2 0.4999 0.6767 0.7827 0.7091
        EHR player 1 0.4894 0.9672 0.9599 0.9753
        player 2 0.4999 0.8483 0.8406 0.7091
        Actions SlCk kBrC bRrC bC
        Baseline SlCk bRrC bRrC bC
        AIE actual -0.1487 +2.7576 +5.7273 +11.0000
        baseline -0.1487 +3.6768 +5.7273 +11.0000
        difference 0.0000 -0.9192 0.0000 0.0000
    """
    for line in expected.strip().splitlines():
        assert line.split() in rows


def test_table_3_4(scorer: Scorer) -> None:
    rows = _rows(score_hand(read_hand(f"{GAME}kBc/kBrC/bF"), scorer=scorer))
    expected = """
        Actions SlCk kBc kBrC bF
        Baseline SlCk bRrC bRrC bC
        AIE actual -0.1487 +1.8384 +3.8182 +6.0000
        baseline -0.1487 +3.6768 +5.0909 +8.0000
        difference 0.0000 -1.8384 -1.2727 -2.0000
    """
    for line in expected.strip().splitlines():
        assert line.split() in rows


def test_cards_beside_the_names_and_the_new_cards_of_each_round(scorer: Scorer) -> None:
    record = read_hand(f"{GAME}kBrC/bRrC/bC # 1:Alice|Bob")
    shown = _shown(score_table(score_hand(record, scorer=scorer), holes=record.holes))
    assert "Alice T♠6♠" in shown
    assert "Bob J♦5♦" in shown
    (board,) = (line for line in shown.splitlines() if "Board" in line)
    assert board.split() == ["Board", "T♦5♥T♥", "2♦", "2♥"]


def test_summary() -> None:
    shown = " ".join(_shown(text(made_up(20_000, edge=0.3, skipped={"cut off": 2}))).split())
    assert "Ann won" in shown
    assert "and it was skill" in shown
    assert "DIVAT by round" in shown
    assert "Skipped: 2 cut off." in shown


def test_no_hands() -> None:
    shown = _shown(text(made_up(0, skipped={"another game": 1_234})))
    assert "No hand could be judged." in shown
    assert "1,234 another game" in shown


def test_one_hand_has_no_interval() -> None:
    shown = _shown(text(made_up(1)))
    assert "1 hand:" in shown
    assert "nan" not in shown
    assert "inf" not in shown
    assert "– to" not in shown


def test_names_do_not_drive_the_terminal() -> None:
    shown = _shown(text(made_up(500, players=("[red]Ann[/red]", "Bob\x1b[2J\u202e"))))
    assert "[red]Ann[/red]" in shown
    assert "\x1b[2J" not in shown
    assert "\u202e" not in shown
