"""``railbird rate``: the number, its parts, and no verdict where too little is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command_line import call, call_json

HAND = "Ts6s,Jd5d,Td5hTh/2d/{river}h SlCk/kBrC/bRrC/bC # {number}:Ann|Bob\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text("".join(HAND.format(number=n, river="?23478"[n]) for n in range(1, 4)))
    return path


@pytest.mark.slow
def test_json_has_the_number_and_its_parts(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rating = call_json(capsys, "rate", str(log), "--player", "Bob")
    assert (rating["player"], rating["hands"]) == ("Bob", 3)
    assert set(rating["ev_lost_mbb"]) == {"value", "low", "high"}
    assert rating["judged"] == 3
    assert rating["judged_share"] == pytest.approx(rating["judged"] / rating["decisions"])
    assert "could be judged" in rating["verdict_withheld"]
    for part in ("street", "position", "action"):
        counts = [lost["decisions"] for lost in rating[f"by_{part}"].values()]
        assert sum(counts) == rating["decisions"]
    assert sum(lost["judged"] for lost in rating["by_judge"].values()) == rating["judged"]
    reported = call_json(capsys, "report", str(log), "--player", "Bob", "--ask", "none")
    assert rating["result"] == reported["result"]


@pytest.mark.slow
def test_text_gives_no_verdict_on_a_few(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, "rate", str(log), "--player", "Bob")
    assert code == 0, err
    verdict = out.splitlines()[-1]
    assert verdict.startswith("How good Bob's decisions were is not known: only 3 of ")
    assert "blunders" in out
    code, out, _ = call(capsys, "rate", str(log), "--player", "Ann")
    assert code == 0
    assert "lost" not in out.splitlines()[-1]


@pytest.mark.slow
def test_whose_play_it_is_has_to_be_known(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "rate", str(log))
    assert code == 1
    assert "whose play is it? name one by --player: " in err
