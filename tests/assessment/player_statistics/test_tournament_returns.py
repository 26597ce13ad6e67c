"""Return on investment from the lines of tournament hands."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from railbird.assessment.player_statistics.tournament_returns import returns_of
from railbird.cli import run
from railbird.histories.pokerstars.tournaments import Entry, entries_of

HAND = """PokerStars Game #{hand}: Tournament #{number}, {buy_in} Hold'em No Limit - Level II
Table '{number} 1' 9-max Seat #1 is the button
Seat 1: Ann (1500 in chips)
Seat 2: Bob (1500 in chips) is sitting out
Seat 3: Cy (2) (1500 in chips)
Dealt to Ann [4s 7h]
Ann said, "Ann finished the tournament in 1st place and received $99.00."
{said}
*** SUMMARY ***
Seat 1: Ann (button) folded before Flop (didn't bet)


"""


def _hand(hand: int, number: int, buy_in: str, *said: str) -> str:
    return HAND.format(hand=hand, number=number, buy_in=buy_in, said="\n".join(said))


def _written(tmp_path: Path, *hands: str) -> Path:
    log = tmp_path / "hands.txt"
    log.write_text("".join(hands), encoding="utf-8")
    return log


def test_buy_ins_finishes_and_bounties(tmp_path: Path) -> None:
    log = _written(
        tmp_path,
        _hand(1, 7, "$5.00+$0.50", "Cy (2) finished the tournament in 3rd place"),
        _hand(
            2,
            7,
            "$5.00+$0.50",
            "Ann wins the $0.25 bounty for eliminating Bob",
            "Bob finished the tournament in 2nd place and received $1,004.50.",
            "Ann wins the tournament and receives $20.00 - congratulations!",
        ),
        _hand(3, 8, "€1.00+€0.25+€0.15 EUR"),
        _hand(4, 9, "$1,000", "Ann finished the tournament in 12th place and received $1,500."),
        _hand(5, 10, "$1+$0.10", "Ann finished the tournament"),
    )
    expected = [
        Entry(7, "Ann", "$", Fraction("5.5"), Fraction("20.25"), 1, True),
        Entry(8, "Ann", "€", Fraction("1.4"), Fraction(0), None, False),
        Entry(9, "Ann", "$", Fraction(1000), Fraction(1500), 12, True),
        Entry(10, "Ann", "$", Fraction("1.1"), Fraction(0), None, True),
    ]
    assert entries_of([log]) == expected
    assert entries_of([log, log]) == expected, "hands given again count once"


def test_two_finishes_are_two_entries_and_later_hands_are_none(tmp_path: Path) -> None:
    log = _written(
        tmp_path,
        _hand(3, 7, "$5.00+$0.50", "Ann finished the tournament in 3rd place"),
        _hand(2, 7, "$5.00+$0.50"),
        _hand(1, 7, "$5.00+$0.50", "Ann finished the tournament in 90th place"),
    )
    assert [entry.place for entry in entries_of([log])] == [3, 90]


def test_a_return_is_of_told_finishes_and_of_one_currency() -> None:
    entries = [
        Entry(1, "Ann", "$", Fraction(10), Fraction(25), 2, True),
        Entry(2, "ann2", "$", Fraction(30), Fraction(0), 9, True),
        Entry(3, "Ann", "$", Fraction(50), Fraction(0), None, False),
        Entry(4, "Ann", "€", Fraction(5), Fraction(0), None, False),
    ]
    found = returns_of(entries, {"ann2": "Ann"})["Ann"]
    dollars, euros = found["$"], found["€"]
    assert (dollars.entered, dollars.finished) == (3, 2)
    assert (dollars.buy_ins, dollars.prizes) == (40, 25)
    assert dollars.roi is not None
    assert dollars.roi.value == pytest.approx(25 / 40 - 1)
    assert not dollars.roi.enough
    assert (euros.entered, euros.finished, euros.roi) == (1, 0, None)


def test_twenty_finishes_have_an_interval_even_if_most_bring_nothing() -> None:
    entries = [
        Entry(n, "Ann", "$", Fraction(10), Fraction(50 if n % 10 == 0 else 0), None, True)
        for n in range(40)
    ]
    roi = returns_of(entries, {})["Ann"]["$"].roi
    assert roi is not None
    assert roi.value == pytest.approx(-0.5)
    assert roi.low < -0.5 < roi.high


@pytest.mark.parametrize(("finishes", "prize"), [(3, 20), (19, 20), (30, 0)])
def test_prizes_that_are_all_alike_are_not_exact(finishes: int, prize: int) -> None:
    entries = [
        Entry(n, "Ann", "$", Fraction(10), Fraction(prize), None, True) for n in range(finishes)
    ]
    roi = returns_of(entries, {})["Ann"]["$"].roi
    assert roi is not None
    assert roi.value == pytest.approx(prize / 10 - 1)
    assert roi.as_json()["low"] is roi.as_json()["high"] is None


def test_no_buy_in_and_no_tournament_is_no_entry(tmp_path: Path) -> None:
    assert entries_of([_written(tmp_path, _hand(1, 7, "Freeroll "))]) == []
    cash = "PokerStars Game #9: Hold'em No Limit ($1/$2 USD) - 2014/01/06 6:15:36 ET\n"
    assert entries_of([_written(tmp_path, cash, "Seat 1: Ann (15 in chips)\n")]) == []


def test_a_real_tournament_hand_on_the_command_line(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Read as text: 1.00 + 0.25 + 0.15 to enter; 6th and 7th leave with 4.72 and 3.82."""
    text = (shared_data / "faults" / "short_bb.txt").read_text(encoding="utf-8-sig")
    log = tmp_path / "own.txt"
    log.write_text(text.replace("Hero", "~").replace("stefan_bg_46", "Hero").replace("~", "other"))
    text = log.read_text()
    assert "Hero finished the tournament in 6th place and received $4.72." in text
    log.write_text(re.sub(r"Dealt to other \[.*\]", "Dealt to Hero [Kh Kc]", text))
    (one,) = entries_of([log])
    assert (one.buy_in, one.prize, one.place) == (Fraction("1.4"), Fraction("4.72"), 6)
    assert run(["stats", str(log), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["tournaments"]
    assert set(told) == {"Hero"}
    assert told["Hero"]["$"]["roi"]["value"] == pytest.approx(4.72 / 1.40 - 1)
    assert run(["stats", str(log), "--player", "Hero"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 tournament entered, 1 with a finish in the hands: buy-ins $1.40, prizes $4.72" in out
    for options in (["--since", "2001-01-01"], ["--by", "stake"]):
        assert run(["stats", str(log), "--json", *options]) == 0
        assert json.loads(capsys.readouterr().out)["tournaments"] == {}
    whole = shared_data / "faults" / "short_bb.txt"
    assert run(["stats", str(whole), "--player", "Hero"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 tournament entered; no hand tells a finish" in out
