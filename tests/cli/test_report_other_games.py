"""``railbird report`` of other games: the result, the luck in it, and the hands that cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird import arena, assessment, histories, report
from railbird.cards import VARIANTS
from railbird.game import in_variant, limit_holdem, pot_limit_holdem
from railbird.histories import HandRecord

DEALS = 40


@pytest.fixture(scope="module")
def hands() -> list[HandRecord]:
    rules = replace(pot_limit_holdem(3, blinds=(1, 2), stack=100), variant=VARIANTS["omaha-hilo"])
    match = arena.Match(
        players=("always-call", "random", "b=random"), rules=rules, deals=DEALS, seed=3
    )
    return list(arena.hands(match))


def test_a_report_has_the_luck_and_the_hands_that_cost(
    hands: list[HandRecord], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log, page = tmp_path / "log.phhs", tmp_path / "mine.html"
    histories.write(hands, log)
    code, out, err = call(capsys, "report", str(log), "--player", "always-call", "--out", str(page))
    assert (code, err) == (0, "")
    assert "always-call in pot-limit Omaha hi-lo" in out
    assert "without luck, bb/100" in out
    assert "Hands that lost most and won most" in out
    won = [float(hand.payoffs[hand.players.index("always-call")]) / 2 for hand in hands]
    assert f"{min(won):.1f}".lstrip("-") in out
    text = page.read_text("utf-8")
    assert text.count("<details") >= 2 * report.LISTED
    assert "low, " in text, "hands are told street by street"
    told = call_json(capsys, "report", str(log), "--player", "always-call")
    money = told["players"]["always-call"]["money"]["value"]
    fitted = told["players"]["always-call"]["fitted"]["value"]
    assert money == pytest.approx(sum(won) / DEALS)
    assert told["luck"]["total"]["total"] / DEALS == pytest.approx(money - fitted)


def test_without_everybodys_cards_there_is_the_money_alone(hands: list[HandRecord]) -> None:
    hidden = [replace(hand, cards=(hand.cards[0], (), ())) for hand in hands[:3]]
    hidden = [one for one in hidden if "random" in one.players[:1]]
    assessed = assessment.assess_other_game(hidden)
    assert report.luck_in_other_game(assessed, "random") is None
    records = dict(enumerate(hidden))
    document = report.other_game_document(assessed, "random", records, lambda _: "1")
    (table,) = (section.table for section in document.sections if section.table is not None)
    assert len(table.columns) == 4


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "whose play is it? name one by --player"),
        (("--player", "nobody"), "nobody"),
        (("--player", "random", "--where", "3bet pot"), "--where in Omaha hi-lo; allowed"),
        (("--player", "random", "--ask", "tight"), "--ask in Omaha hi-lo; allowed"),
    ],
    ids=["nobody named", "absent", "where", "ask"],
)
def test_what_is_refused_is_a_line(
    hands: list[HandRecord],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    options: tuple[str, ...],
    says: str,
) -> None:
    log, page = tmp_path / "log.phhs", tmp_path / "mine.html"
    histories.write(hands[:5], log)
    code, out, err = call(capsys, "report", str(log), "--out", str(page), *options)
    assert code != 0
    assert out == ""
    assert says in err
    assert len(err.strip().splitlines()) == 1
    assert not page.exists()


def test_a_game_without_a_board_has_no_column_of_boards() -> None:
    rules = in_variant(limit_holdem(2, small_bet=2, stack=100), VARIANTS["razz"])
    match = arena.Match(players=("always-call", "random"), rules=rules, deals=3, seed=1)
    records = list(arena.hands(match))
    assessed = assessment.assess_other_game(records)
    document = report.other_game_document(
        assessed, "random", dict(enumerate(records)), lambda _: "1"
    )
    tables = [section.table for section in document.sections if section.table is not None]
    (hands_table,) = (table for table in tables if "hand" in table.columns)
    assert "board" not in hands_table.columns
    assert "cards" in hands_table.columns
