"""railbird train: a model of actions from logs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Match, Seating, play
from railbird.cli import run
from railbird.game import ActionKind, acpc_rules, limit_holdem, no_limit_holdem
from railbird.histories import HandRecord, read
from railbird.modelling.learned import read_model
from railbird.players.advice import steps
from railbird.players.loki.action_training import count_actions


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "table.log"
    match = Match(
        players=("baseline", "always-call", "random,fold=1,call=1,raise=8"),
        rules=acpc_rules(limit_holdem(3)),
        deals=100,
        seed=1,
        seating=Seating.PERMUTED,
    )
    play(match, log=path)
    return path


@pytest.mark.slow
def test_players_become_types_and_loki_uses_them(
    capsys: pytest.CaptureFixture[str], log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "model.npz"
    assert run(["train", "loki", str(log), "--out", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found["types"]) == ["always-call", "baseline", "random,fold=1,call=1,raise=8"]
    assert found["actions"] > 1000
    model = read_model(out)
    caller = model.names.index("always-call")
    assert model.preflop[caller, :, :, ActionKind.CALL].mean() > 0.6
    spec = f"loki:som,model=learned,actions={out}"
    assert run(["match", spec, "loki:bpl", "--hands", "20", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert not any(player["faults"] for player in players.values())


def test_players_who_act_alike_share_a_type(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.npz"
    assert run(["train", "loki", str(log), "--types", "2", "--out", str(out)]) == 0
    assert read_model(out).types == 2


def _as_seen(hand: HandRecord) -> HandRecord:
    """The hand without the cards of those who folded."""
    *_, last = steps(hand)
    shown = last.after.in_hand
    holes = tuple(held if seat in shown else None for seat, held in enumerate(hand.holes))
    return replace(hand, holes=holes)


@pytest.mark.slow
def test_hidden_cards_count_in_parts(log: Path) -> None:
    """A site's log has no cards of those who fold; their folds count all the same."""
    hands = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    open_, parts = count_actions(hands), count_actions(map(_as_seen, hands))
    for name, counts in open_.items():
        for known, guessed in (
            (counts.preflop, parts[name].preflop),
            (counts.later, parts[name].later),
        ):
            assert guessed.sum(axis=1) == pytest.approx(known.sum(axis=1))
    folds = parts["baseline"].later[:, :, ActionKind.FOLD]
    assert folds.sum() > 20
    assert np.count_nonzero(folds % 1) > 0.9 * np.count_nonzero(folds)
    low, high = np.array_split(folds.sum(axis=0), 2)
    assert low.sum() > high.sum()


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["--out", "model.txt"], 2, "allowed: .npz"),
        (["--out", "model.npz", "--types", "0"], 2, "--types"),
        ([], 2, "--out"),
    ],
)
def test_wrong_arguments_are_one_line(
    capsys: pytest.CaptureFixture[str], log: Path, args: list[str], code: int, said: str
) -> None:
    assert run(["train", "loki", str(log), *args]) == code
    assert said in capsys.readouterr().err


def test_other_games_teach_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, out = tmp_path / "no-limit.log", tmp_path / "model.npz"
    rules = acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=20_000))
    play(Match(players=("always-call", "always-call"), rules=rules, deals=5, seed=1), log=path)
    args = ["train", "loki", str(path), "--game", "nolimit", "--out", str(out)]
    assert run(args) == 1
    error = capsys.readouterr().err
    assert "no hand of limit hold'em" in error
    assert not out.exists()


@pytest.fixture(scope="module")
def heads_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "match.log"
    play(Match(players=("folder=always-fold", "b=random"), deals=300, seed=2), log=path)
    return path


@pytest.mark.slow
def test_a_response_wins_from_who_was_observed(
    capsys: pytest.CaptureFixture[str], heads_up: Path, tmp_path: Path
) -> None:
    """Who always folds loses its blinds, 0.75 small bets a hand, to any raise."""
    out, curve = tmp_path / "counter.strategy", tmp_path / "curve.svg"
    args = ["train", "response", str(heads_up), "--player", "folder", "--buckets", "1-1-1-1"]
    shared = [*args, "--json", "--gap", "1"]
    assert run([*shared, "--method", "fbr", "--out", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)
    (point,) = found["points"]
    assert (found["hands"], found["hidden"], found["strategy"]) == (300, 0, str(out))
    assert point["gain_mb"] == pytest.approx(750)
    assert point["gap_mb"] == 0
    assert run(["match", f"equilibrium:{out}", "always-fold", "--hands", "200", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert players[f"equilibrium:{out}"]["money"]["value"] == pytest.approx(0.75, abs=0.01)
    judged = ["assess", str(heads_up), "--known", "b=random", "--model", f"equilibrium:{out}"]
    assert run(judged) == 2
    assert "was found from 300 of these hands" in " ".join(capsys.readouterr().err.split())
    assert run([*shared, "--p", "0", "--p", "0.5", "--out", str(curve)]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    assert [each["p"] for each in points] == [0, 0.5]
    assert max(each["gap_mb"] for each in points) <= 1
    assert points[1]["exposure_mb"] <= point["exposure_mb"]
    assert curve.read_text().startswith("<svg")


def test_a_response_says_where_iterations_were_too_few(
    capsys: pytest.CaptureFixture[str], heads_up: Path, tmp_path: Path
) -> None:
    given = ["train", "response", str(heads_up), "--player", "folder", "--buckets", "1-1-1-1"]
    given += ["--p", "0.5", "--gap", "1", "--out", str(tmp_path / "x.strategy"), "--json"]
    assert run([*given, "--iterations", "2"]) == 0
    out, error = capsys.readouterr()
    (point,) = json.loads(out)["points"]
    assert point["gap_mb"] > 1
    said = " ".join(error.split())
    assert f"the gap is still {point['gap_mb']:,.1f} mb/g after 2 iterations with p = 0.5" in said
    assert run([*given, "--force"]) == 0
    assert "the gap is still" not in capsys.readouterr().err


def test_a_response_says_what_was_skipped(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log, out = tmp_path / "match.log", tmp_path / "x.strategy"
    rules = acpc_rules(no_limit_holdem(2, blinds=(1, 2), stack=20))
    play(Match(players=("a=random", "always-call"), rules=rules, deals=3), log=log)
    given = ["train", "response", str(log), "--player", "a", "--buckets", "1-1-1-1"]
    assert run([*given, "--out", str(out)]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "without fixed bets" in said
    assert "none of this player" in said


def test_a_response_learns_from_tables_of_other_games_and_stakes(
    capsys: pytest.CaptureFixture[str], heads_up: Path, tmp_path: Path
) -> None:
    """Each hand of heads-up limit counts once, whatever a small bet is worth in chips."""
    three, dear, out = tmp_path / "three.log", tmp_path / "dear.log", tmp_path / "x.strategy"
    players = ("folder=always-fold", "b=random", "c=random")
    play(Match(players=players, rules=acpc_rules(limit_holdem(3)), deals=6), log=three)
    rules = acpc_rules(limit_holdem(2, small_bet=40))
    play(Match(players=players[:2], rules=rules, deals=50, seed=9), log=dear)
    logs = [str(three), str(heads_up), str(heads_up), str(dear)]
    given = ["train", "response", *logs, "--player", "folder", "--buckets", "1-1-1-1"]
    capsys.readouterr()
    assert run([*given, "--method", "fbr", "--out", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hands"] == 350
    assert found["skipped"] == {"with more than two seats": 6, "given twice": 300}
    (point,) = found["points"]
    assert point["gain_mb"] == pytest.approx(750)


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["--player", "nobody", "--out", "x.strategy"], 1, "in this log; players: b, folder"),
        (["--player", "b"], 2, "no --out; allowed"),
        (
            ["--player", "b", "--method", "fbr", "--p", "1", "--out", "x.strategy"],
            2,
            "allowed: rnr",
        ),
        (["--player", "b", "--p", "1", "--p", "0", "--out", "x.strategy"], 2, "2 times --p"),
        (["--player", "b", "--p", "1.5", "--out", "x.strategy"], 2, "1.5"),
        (["--player", "b", "--out", "x.pdf"], 2, "allowed: .html, .svg, .png"),
        (["--player", "b", "--buckets", "5", "--out", "x.strategy"], 2, "four numbers"),
        (["--player", "b", "--gap", "0", "--out", "x.strategy"], 2, "allowed: 1e-09 to 1,000"),
        (["--player", "b", "--out", "."], 2, "a regular file"),
        (["--player", "b", "--out", "nowhere/x.strategy"], 2, "no folder nowhere"),
    ],
)
def test_refused_responses(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    heads_up: Path,
    tmp_path: Path,
    args: list[str],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["train", "response", str(heads_up), *args]
    assert run([*given, *([] if "--buckets" in args else ["--buckets", "1-1-1-1"])]) == code
    assert words in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.iterdir())
