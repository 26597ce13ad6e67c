from __future__ import annotations

import dataclasses
import io
import re
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path

import pytest

from helpers.growth import MOST_GROWTH, growth
from railbird.game import Betting, Call, Fold, Raise
from railbird.histories import HandRecord, Skipped, SkipReason, read, write
from railbird.histories.text_values import read_moment

# The program leaves a blank behind every call; `hands` puts it there.
SHOWDOWN = """\
Poker Academy Pro #574,645
Limit Texas Holdem ($10/$20)
Table Bot Warz
November 01, 2010 - 22:05:20 (CET)

 1} Vano    (sitting out)
 2) Mvb1    $19,995  As 8h
 3) Mvb2 *  $20,005  Tc 2d

Mvb2 posts small blind $5
Mvb1 posts big blind $10
Mvb2 calls $5
Mvb1 checks

FLOP:  8s Js Ah
Mvb1 checks
Mvb2 checks

TURN:  8s Js Ah 6d
Mvb1 checks
Mvb2 bets $20
Mvb1 raises $20
Mvb2 calls $20

RIVER:  8s Js Ah 6d Qd
Mvb1 checks
Mvb2 checks
Mvb1 shows As 8h
Mvb2 shows Tc 2d

Mvb1 wins $100 with Two Pair, Aces and Eights

******************************
"""

NO_LIMIT = """\
Poker Academy Pro #7
No Limit Texas Holdem ($0.25/$0.50 NL)
Table Cents

 1) Ann * $40.00  2h 7s
 2) Bob   $10.50  Ks Kd
 4) Cy    $30.00

Bob posts small blind $0.25
Cy posts big blind $0.50
Ann folds
Bob raises $10.00
Cy calls $10.00

FLOP:  2c 3c 8d

TURN:  2c 3c 8d 9s

RIVER:  2c 3c 8d 9s 4h
Bob shows Ks Kd
Cy shows Qs Qd

Bob wins $21.00 with a Pair of Kings

"""


def hands(text: str) -> list[HandRecord | Skipped]:
    text = re.sub(r"(calls \S+)\n", r"\1 \n", text)
    return list(read(io.BytesIO(text.encode())))


def only(text: str) -> HandRecord:
    (hand,) = hands(text)
    assert isinstance(hand, HandRecord), hand
    return hand


@pytest.mark.parametrize(
    ("begin", "piece"), [(" 2) Mvb1", "  "), (" 2) ", "a "), (" 2) Mvb1 ", "* ")]
)
def test_a_player_without_a_stack_is_refused_in_proportion(
    begin: str, piece: str, tmp_path: Path
) -> None:
    path = tmp_path / "hands.txt"

    def refused(times: int) -> None:
        path.write_text(SHOWDOWN.replace(" 2) Mvb1    $19,995  As 8h", begin + piece * times))
        (found,) = read(path)
        assert isinstance(found, Skipped)
        assert found.reason is SkipReason.UNREADABLE

    assert growth(refused, 1000) < MOST_GROWTH


def test_a_limit_hand() -> None:
    hand = only(SHOWDOWN)
    assert hand.players == ("Mvb1", "Mvb2")
    assert hand.rules.blinds == (10, 5)
    assert hand.rules.bet_sizes == (10, 10, 20, 20)
    assert hand.rules.stacks is None, "nobody can run out"
    assert hand.payoffs == (Fraction(50), Fraction(-50))
    assert hand.number == 574_645
    assert hand.table == "Bot Warz"
    zone = timezone(timedelta(hours=1), "CET")
    assert hand.played_at == datetime(2010, 11, 1, 22, 5, 20, tzinfo=zone)
    sizes = [action.to if isinstance(action, Raise) else None for action in hand.actions]
    assert sizes == [None] * 5 + [20, 40, None] + [None] * 2


def test_cents_stacks_and_a_hand_that_is_only_shown_at_the_end() -> None:
    hand = only(NO_LIMIT)
    assert hand.denomination == Fraction(1, 100)
    assert hand.players == ("Bob", "Cy", "Ann")
    assert hand.rules.betting is Betting.NO_LIMIT
    assert hand.rules.stacks == (1050, 3000, 4000)
    assert hand.rules.blinds == (25, 50, 0)
    assert hand.actions == (Fold(), Raise(hand.rules.stacks[0]), Call())
    assert hand.payoffs == (Fraction(1050), Fraction(-1050), Fraction(0))
    assert None not in hand.holes


def test_an_uncalled_bet_is_not_won() -> None:
    text = SHOWDOWN.replace("Mvb1 raises $20\nMvb2 calls $20\n", "Mvb1 raises $20\nMvb2 folds\n")
    text = text.split("\nRIVER")[0] + "\nMvb1 wins $60 uncontested\n\n" + "*" * 30 + "\n"
    assert only(text).payoffs == (Fraction(30), Fraction(-30))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Limit Texas Holdem", "Limit Omaha", SkipReason.ANOTHER_GAME),
        ("($10/$20)", "($10/$20?)", SkipReason.ANOTHER_GAME),
        ("($10/$20)", "($1,0/$20)", SkipReason.ANOTHER_GAME),
        ("Mvb1 raises $20", "Mvb1 raises $10", SkipReason.ILLEGAL_ACTION),
        ("Mvb2 calls $20", "Mvb2 calls $10", SkipReason.ILLEGAL_ACTION),
        ("Mvb2 bets $20", "Mvb1 bets $20", SkipReason.ILLEGAL_ACTION),
        ("Mvb2 bets $20", "Mvb3 bets $20", SkipReason.UNREADABLE),
        ("Mvb2 bets $20", "Mvb2 dances", SkipReason.UNREADABLE),
        ("Mvb2 bets $20\nMvb1 raises $20\nMvb2 calls $20\n", "", SkipReason.WRONG_BOARD),
        ("Mvb1 shows As 8h", "Mvb1 shows As 9h", SkipReason.UNREADABLE),
        ("wins $100", "wins $90", SkipReason.WRONG_PAYOFF),
        ("As 8h\n 3", "As As\n 3", SkipReason.DUPLICATE_CARD),
        ("As 8h\n 3", "As 9h\n 3", SkipReason.UNREADABLE),
        ("8s Js Ah 6d Qd", "8s Js Ah 6c Qd", SkipReason.WRONG_BOARD),
        ("8s Js Ah 6d Qd", "8s Js Ah 6d As", SkipReason.DUPLICATE_CARD),
        (" 3) Mvb2 *  $20,005  Tc 2d\n", "", SkipReason.UNREADABLE),
        ("Mvb2 *  $", "Mvb2    $", SkipReason.UNREADABLE),
        ("Mvb1 wins", "nobody wins", SkipReason.UNREADABLE),
        ("Mvb1 wins $100 with Two Pair, Aces and Eights\n", "", SkipReason.CUT),
        ("Poker Academy Pro #574,645\n", "", SkipReason.UNREADABLE),
        ("Mvb2 posts small blind", "Mvb2 posts ante", SkipReason.UNREADABLE),
    ],
)
def test_what_is_no_good_is_skipped_with_its_reason(old: str, new: str, reason: SkipReason) -> None:
    assert old in SHOWDOWN
    before, bad, after = hands(SHOWDOWN + SHOWDOWN.replace(old, new, 1) + SHOWDOWN)
    assert isinstance(before, HandRecord)
    assert isinstance(bad, Skipped)
    assert bad.reason is reason, bad
    assert bad.line == SHOWDOWN.count("\n") + 1
    assert isinstance(after, HandRecord)


def test_another_game_than_the_one_that_is_asked_for() -> None:
    source = io.BytesIO(SHOWDOWN.encode())
    (other,) = read(source, game="holdem.limit.3p.game")
    assert isinstance(other, Skipped)
    assert other.reason is SkipReason.WRONG_SEATS


def test_a_hand_cut_by_the_next_one() -> None:
    cut, whole = hands(SHOWDOWN[:400] + "\n" + SHOWDOWN)
    assert isinstance(cut, Skipped)
    assert isinstance(whole, HandRecord)


def test_text_without_ends_does_not_end_up_in_memory() -> None:
    found = hands(SHOWDOWN + "some line\n" * 5000)
    assert isinstance(found[0], HandRecord)
    assert {hand.reason for hand in found[1:] if isinstance(hand, Skipped)} == {
        SkipReason.UNREADABLE,
        SkipReason.CUT,
    }


def test_parts_of_a_cent_are_not_written(tmp_path: Path) -> None:
    hand = dataclasses.replace(only(NO_LIMIT), denomination=Fraction(1, 1000))
    written = write([hand], tmp_path / "out", format_name="poker-academy")
    assert written.skipped == {SkipReason.NOT_REPRESENTABLE: 1}


def test_moments() -> None:
    assert read_moment("November 01, 2010 - 22:05:20") == datetime(2010, 11, 1, 22, 5, 20)
    assert read_moment("November 01, 2010 - 22:05:20 (XYZ)") == datetime(2010, 11, 1, 22, 5, 20)
    for text in ("Brumaire 01, 2010 - 22:05:20", "November 31, 2010 - 22:05:20", "Table 7"):
        assert read_moment(text) is None
    for digits in ("9" * 20, "9" * 5000):
        assert read_moment(f"November {digits}, 2010 - 22:05:20") is None
