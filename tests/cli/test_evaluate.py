"""``railbird evaluate``, and verbs that record what they measure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird.arena.evaluations import VARIABLE, read_evaluations
from railbird.solve.nolimit.settings import BlueprintSize
from railbird.solve.nolimit.solving import solve_nolimit

MENU = "opens = 2x, a; reraises = a; bets = 60%, a; raises = a"


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("blueprint") / "some.strategy"
    solve_nolimit(path, BlueprintSize(MENU, (169, 1, 1, 1), 2_000), stacks=(10,))
    return f"equilibrium:{path}"


@pytest.mark.slow
def test_what_stands_is_not_measured_again(
    spec: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("railbird.solve.nolimit.values.DEALS", 50)
    ledger = tmp_path / "evaluations.jsonl"
    arguments = ("evaluate", spec, "--stacks", "10", "--hands", "60", "--out", str(ledger))
    narrow = (*arguments, "--against", "always-call", "--against", "always-fold")
    lines = call_json(capsys, *narrow)["evaluations"]
    assert [line["opponent"] for line in lines] == ["always-call", "always-fold"]
    assert {line["method"] for line in lines} == {"aivat"}
    assert len(lines[0]["player_hash"]) == 64
    assert lines[0]["made"]["program"] == "railbird"
    written = ledger.read_bytes()
    assert call_json(capsys, *narrow)["evaluations"] == lines
    assert ledger.read_bytes() == written
    match = ("match", spec, "always-call", "--game", "nolimit", "--stack", "10bb", "--duplicate")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "other.jsonl"))
    played = call_json(capsys, *match, "--hands", "60", "--show", "aivat")
    aivat = played["players"][spec]["aivat"]
    assert lines[0]["deals"] == aivat["n"]
    for name in ("value", "stderr", "low", "high"):
        assert lines[0][name] == pytest.approx(aivat[name], abs=1e-9), name
    recorded = read_evaluations(tmp_path / "other.jsonl")
    assert [line.method for line in recorded] == ["money", "aivat"]
    assert recorded[1].key == read_evaluations(ledger)[0].key
    code, out, _ = call(capsys, "evaluate", "--out", str(ledger))
    assert code == 0
    assert "10 big blinds" in out
    assert "AIVAT" in out


@pytest.mark.slow
def test_local_best_responses_stand_in_four_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who always folds loses 750 to whoever bets, and 250 to who never does, as published."""
    monkeypatch.setattr("railbird.cli.evaluate.HOUSE", ())
    ledger = tmp_path / "evaluations.jsonl"
    arguments = ("evaluate", "always-fold", "--samples", "20", "--out", str(ledger))
    lines = call_json(capsys, *arguments)["evaluations"]
    assert [line["opponent"] for line in lines] == [
        "fc on preflop,flop,turn,river",
        "fcpa on turn,river",
        "56 on turn,river",
        "56 on flop",
    ]
    assert [line["value"] for line in lines] == pytest.approx([-0.25, -0.75, -0.75, -0.75])
    monkeypatch.setenv(VARIABLE, str(ledger))
    exploit = ("exploit", "always-fold", "--game", "nolimit", "--stack", "100bb")
    call_json(capsys, *exploit, "--method", "local", "--samples", "20", "--menu", "fc")
    last = json.loads(ledger.read_text().splitlines()[-1])
    assert last | {"made": ""} == lines[0] | {"made": ""}


@pytest.mark.slow
def test_a_plan_is_measured_entry_by_entry(
    spec: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What an entry leaves out is as the options say; what the ledger has is passed over."""
    monkeypatch.setattr("railbird.solve.nolimit.values.DEALS", 50)
    plan, ledger = tmp_path / "some.toml", tmp_path / "evaluations.jsonl"
    plan.write_text(
        f"""
        [[evaluations]]
        player = "{spec}"
        against = ["always-fold"]
        stacks = [10, 5]
        seed = 4

        [[evaluations]]
        player = "always-fold"
        responses = ["fcpa on turn,river"]
        samples = 20
        """
    )
    arguments = ("evaluate", str(plan), "--hands", "40", "--out", str(ledger))
    lines = call_json(capsys, *arguments)["evaluations"]
    assert [(line["opponent"], line["deals"], line["seed"]) for line in lines] == [
        ("always-fold", 20, 4),
        ("always-fold", 20, 4),
        ("fcpa on turn,river", 20, 0),
    ]
    assert [line["game"].rpartition("=")[2] for line in lines] == ["1000", "500", "10000"]
    assert lines[2]["value"] == pytest.approx(-0.75)
    written = ledger.read_bytes()
    code, out, _ = call(capsys, *arguments)
    assert (code, ledger.read_bytes()) == (0, written)
    assert "10 big blinds: it beats always-fold (+" in out
    assert "a local best response wins fcpa on turn,river 750 (up to 750)" in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no plan; allowed: [[evaluations]]"),
        ("evaluations = 3", "no plan; allowed"),
        ("[[evaluations]", "no plan: "),
        ("[" * 5_000, "no plan: "),
        (b"\xff\xfe\x00", "no text; allowed: a file of UTF-8"),
        ("[[evaluations]]\nhands = 3", "entry 1 names no player"),
        ("[[evaluations]]\nplayer = 3", "entry 1: player = 3; allowed"),
        ("[[evaluations]]\nplayer = 'killer'\nhand = 3", "entry 1: 'hand'; allowed: against"),
        ("[[evaluations]]\nplayer = 'killer'\nhands = true", "hands = True; allowed"),
        ("[[evaluations]]\nplayer = 'killer'\nhands = 1", "hands 1, samples 2000"),
        ("[[evaluations]]\nplayer = 'killer'\nseed = -1", "seed -1; allowed"),
        ("[[evaluations]]\nplayer = 'killer'\nstacks = ['a']", "stacks = ['a']; allowed"),
        ("[[evaluations]]\nplayer = 'killer'\nstacks = []", "stacks ; allowed: different"),
        ("[[evaluations]]\nplayer = 'killer'\nresponses = ['x']", "response 'x'; allowed"),
        ("[[evaluations]]\nplayer = 'nobody'", "no player 'nobody'"),
    ],
    ids=range(15),
)
def test_what_is_no_plan_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str | bytes, words: str
) -> None:
    plan, ledger = tmp_path / "a.toml", tmp_path / "none.jsonl"
    plan.write_bytes(text if isinstance(text, bytes) else text.encode())
    code, out, err = call(capsys, "evaluate", str(plan), "--out", str(ledger))
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1
    assert not ledger.exists()
    plan.unlink()
    code, _, err = call(capsys, "evaluate", str(plan), "--out", str(ledger))
    assert (code, "No such file" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["always-call", "--stacks", "0"], "allowed: different whole big blinds"),
        (["always-call", "--samples", "15"], "in tens"),
        (["nobody"], "no player 'nobody'"),
        (
            ["killer", "--against", "tight:nolimit"],
            "killer against tight:nolimit: killer: its play depends",
        ),
        (["--out", "."], "is a folder; allowed: a file"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    code, out, err = call(capsys, "evaluate", *arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_an_empty_ledger_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = call(capsys, "evaluate", "--out", str(tmp_path / "none.jsonl"))
    assert code == 0
    assert "has no evaluations yet" in out
    assert not (tmp_path / "none.jsonl").exists()
