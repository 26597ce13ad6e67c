"""Money in hands that could not be used: of whom it is told, and by which verbs."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command_line import call

HAND = """\
PokerStars Hand #{number}:  Hold'em No Limit ($0.25/$0.50) - 2025/03/02 12:{number}:00 ET
Table 'Alba' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Seat 3: Cid ($50 in chips)
Bob: posts small blind $0.25
Cid: posts big blind $0.50
*** HOLE CARDS ***
Dealt to Cid [As Kd]
Ann: folds
{play}*** SUMMARY ***
Total pot {pot} | Rake $0



"""
RAISED = (
    "Bob: raises $1 to $1.50\nCid: folds\nUncalled bet ($1) returned to Bob\n"
    "Bob collected $1 from pot\nBob: doesn't show hand\n"
)
TWICE = (
    "Bob: raises $49.50 to $50 and is all-in\nCid: calls $49.50 and is all-in\n"
    "*** FIRST FLOP *** [Ah 2h 4c]\n*** SECOND FLOP *** [2s 7s 3c]\nBob collected $100 from pot\n"
)


@pytest.fixture
def log(tmp_path: Path) -> str:
    """Twenty hands of which the third, the largest, was run twice: Cid loses 100 big blinds."""
    hands = [HAND.format(number=number, play=RAISED, pot="$1") for number in range(10, 30)]
    hands[2] = HAND.format(number=12, play=TWICE, pot="$100")
    path = tmp_path / "log.txt"
    path.write_text("".join(hands))
    return str(path)


def test_of_a_person_with_two_names(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("stats", "ledger"):
        code, _, err = call(capsys, verb, log, "--same", "Dan=Cid")
        assert (code, "Dan −100 bb in 1 hand" in err, "Cid" in err) == (0, True, False)
    out = call(capsys, "stats", log, "--player", "Dan", "--same", "Dan=Cid")[1]
    assert "In 1 hand that could not be used, Dan lost 100.0 bb" in " ".join(out.split())


def test_whatever_withholds_the_verdict(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    play = RAISED.replace("$1 to $1.50", "$2 to $2.50").replace("($1)", "($2)")
    with Path(log).open("a") as file:
        file.write(HAND.format(number=11, play=play, pot="$1"))
    for arguments in (["report", log, "--ask", "none"], ["assess", log], ["stats", log]):
        code, out, _ = call(capsys, *arguments, "--player", "Cid")
        assert code == 0
        text = " ".join(out.split())
        assert "contradicts" in text
        assert text.count("that could not be used, Cid lost 100.0 bb by their text") == 1


def test_hands_passed_on_the_way_to_one(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(
        capsys, "explain", log, "--hand", "20", "--player", "Cid", "--ask", "booker:4"
    )
    assert (code, "run twice, with more than one board" in err) == (0, True), err
