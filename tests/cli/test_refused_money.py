"""Money in hands that could not be used: of whom it is told, and by which verbs."""

from __future__ import annotations

import json
import re
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
    """Twenty hands; the third, run twice on boards cut short, is refused: Cid loses 100 bb."""
    hands = [HAND.format(number=number, play=RAISED, pot="$1") for number in range(10, 30)]
    hands[2] = HAND.format(number=12, play=TWICE, pot="$100")
    path = tmp_path / "log.txt"
    path.write_text("".join(hands))
    return str(path)


def test_of_a_person_with_two_names(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("stats", "ledger"):
        code, _, err = call(capsys, verb, log, "--same", "Dan=Cid")
        assert (code, "Dan -100 bb in 1 hand" in err, "Cid" in err) == (0, True, False)
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
    assert (code, "board does not fit the betting: 3 cards on the board are not enough" in err) == (
        0,
        True,
    ), err


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, ...]:
    """What ``stats`` says of hands that were refused: counts, checks, and on standard error."""
    code, out, err = call(capsys, "stats", *arguments, "--json")
    assert code == 0, err
    answer = json.loads(out)
    err = call(capsys, "stats", *arguments)[2]
    return answer["skipped"], answer["integrity"], [line for line in err.splitlines() if line]


def test_an_archive_says_the_same_as_its_files(
    log: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    archive = str(tmp_path / "archive")
    assert call(capsys, "archive", "add", archive, log)[0] == 0
    assert told(capsys, archive) == told(capsys, log)
    assert told(capsys, archive)[0] == {"board does not fit the betting": 1}
    assert call(capsys, "archive", "add", archive, log)[0] == 0, "and of a hand but once"
    assert told(capsys, archive) == told(capsys, log)
    assert told(capsys, log, log)[::2] == told(capsys, log)[::2]
    code, _, err = call(capsys, "archive", "query", archive, "--log", str(tmp_path / "out.phhs"))
    assert (code, "Cid -100 bb in 1 hand" in err) == (0, True)
    assert "Cid -100 bb in 1 hand" in call(capsys, "stats", str(tmp_path / "out.phhs"))[2]


def test_an_older_archive_does_not_know_what_was_refused(
    log: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    assert call(capsys, "archive", "add", str(archive), log)[0] == 0
    (archive / "refused.parquet").unlink()
    (archive / "railbird-archive.json").write_text('{"railbird archive": 1}')
    skipped, _, lines = told(capsys, str(archive))
    assert skipped == {"archive that does not tell refused hands": 1}
    assert f"{archive}: archive that does not tell refused hands: " in str(lines)
    assert call(capsys, "archive", "add", str(archive), log)[0] == 0
    skipped, _, lines = told(capsys, str(archive))
    assert skipped == {
        "archive that does not tell refused hands": 1,
        "board does not fit the betting": 1,
    }
    assert "Cid -100 bb in 1 hand" in str(lines)


@pytest.mark.parametrize("name", ["out.phhs", "out.txt"])
def test_a_converted_log_keeps_the_money_or_says_so(
    log: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    out = tmp_path / name
    code, _, err = call(
        capsys, "convert", log, str(out), "--to", "phh" if "phh" in name else "pokerstars"
    )
    assert code == 0
    keeps = name == "out.phhs"
    assert ("has no place for that" in err) is not keeps
    skipped, integrity, _ = told(capsys, str(out))
    assert (skipped, integrity) == (told(capsys, log)[:2] if keeps else ({}, integrity))


@pytest.mark.parametrize(
    ("options", "is_among"),
    [
        (("--since", "2025-03-02T12:13"), True),
        (("--since", "2025-03-02T17:13"), False),
        (("--until", "2025-03-02T17:12"), False),
        (("--until", "2025-03-02T17:13"), True),
        (("--stake", "$0.25/$0.50 no-limit"), True),
        (("--stake", "$0.50/$1 no-limit"), False),
        (("--where", "big-blind"), None),
    ],
)
def test_filters_choose_refused_hands_as_they_choose_others(
    log: str,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    is_among: bool | None,
) -> None:
    """The refused hand is of 12:12 in New York, 17:12 in Universal Time."""
    with Path(log).open("a") as file:
        hand = HAND.format(number=31, play=RAISED, pot="$1")
        hand = re.sub(r"\$([0-9.]+)", lambda dollars: f"${2 * float(dollars[1]):.2f}", hand)
        file.write(hand)
    skipped, _, lines = told(capsys, log, *options)
    assert skipped == ({} if is_among is False else {"board does not fit the betting": 1})
    assert ("Cid -100 bb in 1 hand" in str(lines)) is (is_among is not False)
    assert ("the text lacks what is asked for" in str(lines)) is (is_among is None)
