"""The command line as a contract: what verbs print, and how they end."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from railbird.cli import run
from railbird.cli._verbs import verbs
from railbird.histories import FORMATS
from railbird.players import REGISTRY


def call(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = run(list(args))
    out, err = capsys.readouterr()
    return code, out, err


def call_json(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    code, out, err = call(capsys, *args, "--json")
    assert code == 0, err
    assert out.count("\n") == 1, "one JSON object and nothing else"
    return json.loads(out)


@pytest.mark.parametrize("verb", verbs())
def test_every_verb_has_help_with_an_example(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    code, out, _ = call(capsys, verb, "--help")
    assert code == 0
    nested = [line.split()[0] for line in out.partition("Commands:")[2].splitlines() if line]
    for command in nested:
        out += call(capsys, verb, command, "--help")[1]
    # On a line of its own, without the mark that keeps it there.
    assert f"\n    railbird {verb}" in out.partition("Example")[2]
    assert "\\b" not in out
    assert "\b" not in out


@pytest.mark.parametrize("verb", verbs())
def test_every_option_says_what_it_does(verb: str) -> None:
    found = importlib.import_module(f"railbird.cli.{verb.replace('-', '_')}").command
    commands = found.commands.values() if isinstance(found, click.Group) else [found]
    options = [each for one in commands for each in one.params if isinstance(each, click.Option)]
    assert options
    assert [option.name for option in options if not option.help] == []


def test_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys)
    assert code == 0
    sections = out.partition("Begin here:")[2]
    assert re.findall(r"^  (\S+)  +[A-Z]", sections, re.MULTILINE)[0] == "demo"
    assert sorted(re.findall(r"^  (\S+)  +[A-Z]", sections, re.MULTILINE)) == list(verbs())
    assert "Others:" not in out


def test_help_and_lists_load_neither_numpy_nor_numba() -> None:
    program = (
        "import sys; from railbird.cli import run; from railbird.cli._verbs import verbs; "
        "[run([*verb, '--help']) for verb in ([], *([verb] for verb in verbs()))]; "
        "run(['experiment', 'list']); "
        "sys.exit(sorted({'numpy', 'numba', 'polars', 'altair'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_players_are_listed_with_all_that_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "players")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line[1] != " "] == list(REGISTRY)
    code, out, _ = call(capsys, "players", "loki", "--json")
    (loki,) = json.loads(out)["players"]
    assert [each["form"] for each in loki["forms"]] == [
        "loki:VERSION",
        *(f"{option.key}=" for option in REGISTRY["loki"].options),
    ]
    assert all(each["summary"] and each["allowed"] for each in loki["forms"])


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nonsense"], "no verb 'nonsense'; allowed: acpc-client, archive"),
        (["asess"], "railbird: no verb 'asess'; did you mean assess?"),
        (["tables", "stats"], "railbird tables: no command 'stats'; did you mean status?"),
        (["odds", "AsKs", "--opponent", "2"], "Did you mean one of: '--opponents'"),
        (["players", "lokki"], "no player 'lokki'; did you mean loki?"),
        (["match", "random", "Baselin"], "no player 'Baselin'; did you mean baseline?"),
        (["match", "random", "loki:smo"], "loki: version=smo; did you mean som"),
        (["match", "random", "loki:som,tightnes=tight"], "did you mean tightness"),
        (["match", "random", "baseline:tigth-low"], "no settings 'tigth-low'; did you mean tight-"),
        (["match", "random", "baseline:flop.mkae1=1"], "no threshold 'mkae1'; did you mean make1?"),
        (["match", "random", "random", "--game", "nolimt"], "no game 'nolimt'; did you mean noli"),
        (["experiment", "unbiasd"], "no experiment 'unbiasd'; did you mean unbiased or "),
        (["equity", "AsAh", "--bord", "x"], "No such option"),
        (["equity", "AsAh"], "equity needs 2 to 10 hands, got 1"),
        (["equity", "AsAh", "AsKs"], "holding"),
        (["equity", "AsAh", "QQ+, XX"], "'QQ+, XX' at character 6 ('X')"),
        (["equity", "AsAh", "KK", "--board", "2c"], "board"),
        (["odds", "AsXh"], "not a rank: 'AsXh' at character 3"),
        (["odds", "AsAs"], "comes twice"),
        (["odds", "AsKs", "--make1", "nan"], "allowed: 0 to 1"),
        (["odds", "AsKs", "--pot", "3"], "both --pot and --to-call"),
        (["match", "always-call", "nobody"], "no player 'nobody'; allowed: always-call"),
        (["match", "always-call", "random", "--game", "chess"], "chess"),
        (["match", "random", "random", "--until", "1bb"], "such as 0.02sb"),
        (["match", "random", "random", "--game", "nolimit", "--assess"], "allowed: limit"),
        (["league", "random"], "1 players; allowed: 2 or more"),
        (["players", "nobody"], "no player 'nobody'; allowed: always-call"),
        (["league", "random", "nobody"], "no player 'nobody'"),
        (
            ["league", *["random"] * 3, "--ring", "--game", "holdem.limit.2p.reverse_blinds.game"],
            "is for 2 seats; allowed here: 3",
        ),
        (["tournament", "random"], "1 players; allowed: 2 or more"),
        (["tournament", "random", "random", "--blinds", "10/20"], "SMALL/BIGxHANDS"),
        (["tournament", "random", "random", "--payouts", "50/40"], "add up to 100"),
        (["tournament", "random", "random", "--entry", "much"], "an amount such as 16.66"),
        (["tournament", "random", "random", "--entry", "1e999999999"], "such as 16.66"),
        (["match", "python:", "random"], "allowed: python:MODULE:CLASS,KEY=VALUE"),
        (["match", "random", "random", "--log", "/dev/null"], "/dev/null is not a regular file"),
        (["ring", "random", "random", "--log", "/dev/full"], "/dev/full is not a regular file"),
        (["acpc-client", "random", ".", "1"], "no dealer at . port 1: encoding with 'idna'"),
        (["archive", "add", "archive", "missing.log"], "missing.log: cannot be read"),
        (["equity", "AA", "KK", "--samples", str(1 << 64)], "allowed: 1 to 10,000,000,000"),
        (["convert", "missing.log", "out.txt"], "missing.log"),
        (["equity", "AA", "KK", "--samples", "9", "--seed", "-1"], "-1 is not in the range x>=0"),
        (["tables"], "railbird tables: no command; allowed: build, status"),
        (["tables", "nonsense"], "no command 'nonsense'; allowed: build, status"),
        (["tables", "build", "nonsense"], "no table 'nonsense'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    args: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *args)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert said in err
    assert not list(tmp_path.iterdir()), "nothing half-written"


def test_a_terminal_without_unicode_keeps_the_minus_signs() -> None:
    program = "from railbird.cli import main; main()"
    args = ["score", "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"]
    for more in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *args, *more],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )
        assert done.returncode == 0, done.stderr
        assert b"-0.919" in done.stdout
        assert b"?" not in done.stdout


@pytest.mark.parametrize("args", [["--help"], ["tables", "status"], ["convert", "m.log", "-"]])
def test_a_reader_that_has_gone_is_no_finding(tmp_path: Path, args: list[str]) -> None:
    (tmp_path / "m.log").write_text("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC\n" * 5_000)
    reader, writer = os.pipe()
    os.close(reader)
    options = ["--to", "line", "--from", "line"] if args[0] == "convert" else []
    done = subprocess.run(
        [sys.executable, "-m", "railbird", *args, *options],
        cwd=tmp_path,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_names_are_printed_as_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Brackets are not markup, and colons no signs, in tables as little as in lines."""
    log = tmp_path / "m.log"
    hand = "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:[/red]x|[bold]y :heart:\n"
    log.write_text(f"# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 1 0\n{hand}")
    assert run(["archive", "add", str(tmp_path / "hands"), str(log)]) == 0
    capsys.readouterr()
    assert run(["archive", "query", str(tmp_path / "hands")]) == 0
    said = capsys.readouterr().out
    assert "[/red]x" in said
    assert "[bold]y :heart:" in said
    assert "\N{MINUS SIGN}90 chips" in said
    assert "+90 chips" in said


def test_standard_output_that_is_closed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "m.log"
    log.write_text("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        code = run(["convert", str(log), "-", "--to", "line"])
    assert code == 2
    assert capsys.readouterr().err == "railbird: standard output is closed\n"


def test_equity(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "equity", "Ts6s", "Jd5d", "--board", "Td5hTh")
    first = found["players"][0]
    assert (first["hand"], first["win"], first["tie"], first["lose"]) == ("Ts6s", 950, 0, 40)
    assert found["boards"] == 990
    assert found["exact"] is True


def test_sampled_equity_repeats_for_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("equity", "AsAh", "random", "random", "--samples", "20000", "--seed", "3")
    first = call_json(capsys, *args)
    assert first == call_json(capsys, *args)
    assert first["exact"] is False
    assert abs(first["players"][0]["equity"] - 0.7343) < 5 * first["players"][0]["stderr"]


def test_odds(capsys: pytest.CaptureFixture[str]) -> None:
    """Papp 1998, the running example: AdQc on 3h4cJh against five opponents."""
    found = call_json(
        capsys, "odds", "AdQc", "3h4cJh", "--opponents", "5", "--pot", "40", "--to-call", "10"
    )
    assert found["ihr"] == pytest.approx(0.585106, abs=5e-7)
    assert found["hs"] == pytest.approx(0.068576, abs=5e-7)
    assert found["ppot2"] == pytest.approx(0.208324, abs=5e-7)
    assert found["npot2"] == pytest.approx(0.273693, abs=2e-6)
    assert found["pot_odds"] == 0.2


def test_odds_before_the_flop_leave_potential_undefined(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = call_json(capsys, "odds", "AsAd")
    assert found["hr7"] == pytest.approx(0.852037, abs=5e-7)
    assert found["ppot1"] is None


def test_match_log_converts_to_text_and_back(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log, text, again = tmp_path / "m.log", tmp_path / "m.txt", tmp_path / "again.log"
    played = call_json(
        capsys, "match", "random", "baseline", "--hands", "60", "--duplicate", "--log", str(log)
    )
    assert played["hands"] == 60
    money = [player["money"]["value"] for player in played["players"].values()]
    assert money[0] == -money[1]
    assert call_json(capsys, "convert", str(log), str(text)) == {"hands": 60, "skipped": {}}
    assert call_json(capsys, "convert", str(text), str(again)) == {"hands": 60, "skipped": {}}
    hands = [line for line in log.read_text().splitlines() if line.startswith("STATE:")]
    assert [line for line in again.read_text().splitlines() if line.startswith("STATE:")] == hands


def test_convert_names_the_formats_that_it_writes(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "convert", "--help")
    words = set(re.findall(r"[a-z-]+", out))
    assert {known.name for known in FORMATS if known.write is not None} <= words


def test_convert_writes_utf_8_whatever_the_terminal(tmp_path: Path) -> None:
    log = tmp_path / "m.log"
    log.write_text(MATCH.replace("Alice", "Zoë"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "railbird", "convert", str(log), "-", "--to", "acpc"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode("utf-8").count("|Zoë") == 2


def test_a_folder_without_logs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = call(capsys, "assess", str(tmp_path))
    assert (code, out) == (1, "")
    assert f"{tmp_path}: is empty" in err


def test_assess_gives_the_error_by_pairs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "m.log"
    args = ("match", "baseline", "random", "--hands", "400", "--log", str(log), "--duplicate")
    assert call(capsys, *args)[0] == 0
    found = call_json(capsys, "assess", str(log), "--estimators", "money,divat")
    for player in found["players"].values():
        pairs = player["pairs"]
        assert set(pairs) == {"money", "divat"}
        assert pairs["money"]["n"] == 200
        assert pairs["money"] == pytest.approx(player["money"])
        of_hands = player["money_sd"] / 400**0.5
        assert pairs["money"]["stderr"] < of_hands, "the luck of the deal cancels"
    _, out, _ = call(capsys, "assess", str(log), "--estimators", "money,divat")
    table = out.partition("sd of a deal")[2].partition("DIVAT by round")[0]
    assert [line.split()[0] for line in table.splitlines() if "to" in line] == [
        "mean",
        "Money",
        "DIVAT",
    ]


def test_convert_names_the_damaged_hand(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "cut.log"
    log.write_text(
        "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 3 0\n"
        "STATE:0:rf:Ah4c|Tc9d:-10|10:A|B\n"
        "STATE:1:rrf:TdQs|4c9d:30|-30:A|B\n"
        "STATE:2:cc/cc/crr"
    )
    code, _, err = call(capsys, "convert", str(log), str(tmp_path / "out.txt"))
    assert code == 0
    assert "line 3: wrong payoff" in err
    assert "line 4: " in err
    assert "1 hand written, 2 skipped" in err


def test_tables_status(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "tables", "status")
    assert {"river_ihr", "turn_hr7"} <= {table["name"] for table in found["tables"]}


def test_match_until_decided_and_assessed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "m.log"
    args = ("match", "baseline", "random", "--duplicate", "--assess", "--until")
    found = call_json(capsys, *args, "decided", "--log", str(log))
    assert found["reached"] is True
    assert found["interval"]["low"] > 0
    assert found["hands"] == found["assessment"]["hands"] == 2 * found["interval"]["n"] < 10_000
    assert found["assessment"]["players"]["baseline"]["divat"]["value"] > 0
    played_again = call_json(capsys, *args, "decided")
    assert played_again["assessment"] == found["assessment"]
    code, out, _ = call(capsys, *args[:-2], "--until", "0.001sb", "--hands", "4000")
    assert code == 0
    assert "0.001sb not reached: baseline wins" in out


def test_league(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    args = ("league", "always-fold", "baseline", "random", "--hands", "200", "--duplicate")
    found = call_json(capsys, *args, "--log", str(tmp_path))
    assert [found["hands"], len(found["pairs"]), found["unit"]] == [600, 3, "sb"]
    ranks = {name: player["rank"] for name, player in found["players"].items()}
    assert ranks == {"baseline": 1, "random": 2, "always-fold": 3}
    money = {name: player["money"]["value"] for name, player in found["players"].items()}
    assert sum(money.values()) == pytest.approx(0)
    ones = [pair["money"]["value"] for pair in found["pairs"] if "always-fold" in pair["players"]]
    assert money["always-fold"] == pytest.approx(sum(ones) / 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1-2.log", "1-3.log", "2-3.log"]
    _, out, _ = call(capsys, *args)
    assert out.index("baseline") < out.index("random") < out.index("always-fold")


def test_league_until_decided(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("league", "a=baseline", "b=random", "c=always-fold", "--duplicate", "--until")
    found = call_json(capsys, *args, "decided")
    assert found["until"] == "decided"
    for pair in found["pairs"]:
        low, high = pair["interval"]["low"], pair["interval"]["high"]
        assert pair["reached"]
        assert low > 0 or high < 0
        assert pair["hands"] == 2 * pair["interval"]["n"]
    assert found["hands"] == sum(pair["hands"] for pair in found["pairs"])
    _, out, _ = call(capsys, *args, "0.001sb", "--hands", "1000")
    assert "intervals that hold 95 % together, at any time; 3,000 hands" in " ".join(out.split())
    assert "1,000 hands" in out
    assert "0.001sb reached in 0 of 3 matches" in out
    code, _, err = call(capsys, *args, "decided", "--ring")
    assert (code, "--until with --ring; allowed: matches of two" in err) == (2, True)


def test_league_at_one_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    args = ("league", "always-call", "random", "random", "random", "--ring", "--duplicate")
    found = call_json(capsys, *args, "--hands", "200", "--log", str(tmp_path), "--game", "nolimit")
    assert (found["hands"], found["log"]) == (200, str(tmp_path / "ring.log"))
    assert list(found["players"]) == ["always-call", "random", "random#2", "random#3"]
    money = [player["money"]["value"] for player in found["players"].values()]
    assert sum(money) == pytest.approx(0, abs=1e-6)


def test_tournament(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "t.phhs"
    args = ("tournament", "always-call", "random", "random", "--count", "30", "--log", str(log))
    options = ("--payouts", "70/30", "--entry", "16.66", "--blinds", "10/20x5,20/40/5x5")
    found = call_json(capsys, *args, *options)
    players = found["players"].values()
    assert list(found["players"]) == ["always-call", "random", "random#2"]
    assert sum(player["wins"] for player in players) == found["tournaments"] == 30
    assert sum(player["prize"]["value"] for player in players) == pytest.approx(3 * 16.66)
    assert sum(player["profit"]["value"] for player in players) == pytest.approx(0)
    few = call_json(capsys, "tournament", "always-call", "random", "random", "--count", "3")
    for player in few["players"].values():
        assert player["win_rate"]["high"] - player["win_rate"]["low"] > 0.5
        assert player["prize"]["high"] - player["prize"]["low"] > 0.5
    assert call_json(capsys, "convert", str(log), str(tmp_path / "again.phhs")) == {
        "hands": found["hands"],
        "skipped": {},
    }
    _, out, _ = call(capsys, *args, *options)
    assert f"30 tournaments, {found['hands']:,} hands, 0 a second" in out


def test_ring(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, text = tmp_path / "r.phhs", tmp_path / "r.txt"
    args = ("ring", "tom=always-call", "random", "random", "--hands", "300", "--stack", "50")
    options = ("--blinds", "1,2", "--session", "30", "--rebuy", "below=0.5", "--log", str(log))
    found = call_json(capsys, *args, *options)
    players = found["players"]
    assert list(players) == ["tom", "random", "random#2"]
    assert [found["hands"], found["sessions"], found["unit"], found["buy_in_bb"]] == [
        300,
        10,
        "bb",
        25,
    ]
    for player in players.values():
        assert player["money"]["n"] == 10
        assert player["money"]["value"] == pytest.approx(player["won_bb"] / player["hands"])
        assert player["per_100"]["value"] == pytest.approx(100 * player["money"]["value"])
        assert player["bought_bb"] >= 250
    assert sum(player["won_bb"] for player in players.values()) == 0
    assert call_json(capsys, "convert", str(log), str(text), "--to", "pokerstars") == {
        "hands": 300,
        "skipped": {},
    }
    _, out, _ = call(capsys, *args, *options)
    assert "300 hands in 10 sessions, 0 a second" in out


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--blinds", "1", "blinds '1'; allowed: SMALL,BIG or SMALL,BIG,ANTE, as in 1,2"),
        ("--rebuy", "often", "re-buys 'often'; allowed: always, never, or below=0.5"),
        ("--stack", "1", "a buy-in of 1; allowed: 2, the big blind, or more"),
    ],
)
def test_a_ring_that_cannot_be_is_bad_input(
    capsys: pytest.CaptureFixture[str], option: str, value: str, said: str
) -> None:
    code, _, err = call(capsys, "ring", "random", "random", option, value)
    assert code == 2
    assert said in err


TABLE_3_3 = "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC"


def test_score_of_the_source_s_example(capsys: pytest.CaptureFixture[str]) -> None:
    """Kan 2007, table 3.3, with the river's IHR of T♠6♠ as it is (0.9753, printed 0.9980)."""
    found = call_json(capsys, "score", TABLE_3_3)
    assert [row["actual"] for row in found["rounds"]] == ["SlCk", "kBrC", "bRrC", "bC"]
    assert [row["baseline"] for row in found["rounds"]] == ["SlCk", "bRrC", "bRrC", "bC"]
    aie = [row["aie"] for row in found["rounds"]]
    assert [round(row["actual"], 4) for row in aie] == [-0.1487, 2.7576, 5.7273, 11.0]
    assert [round(row["difference"], 4) for row in aie] == [0, -0.9192, 0, 0]
    assert [round(rank, 4) for rank in found["rounds"][3]["ihr"]] == [0.9753, 0.7091]
    assert found["rounds"][0]["roe"]["stderr"] == 0, "exact before the flop too"
    assert found["money_sb"] == 11


MATCH = (
    "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 4 0\n"
    "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n"
    "STATE:1:rc/rrrrc/cc/rc:9h6s|3d3h/5s3s8h/9d/5c:-80|80:Bob|Alice\n"
    "STATE:2:rrrrrf:Ad3s|8d5d:-30|30:Alice|Bob\n"
    "STATE:3:crrf:2sQd|8h4d:-20|20:Bob|Alice\n"
)


def test_assess_counts_what_it_leaves_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "m.log").write_text(MATCH)
    found = call_json(
        capsys, "assess", str(tmp_path / "m.log"), "--out", str(tmp_path / "out"), "--player", "Bob"
    )
    assert (found["hands"], found["skipped"]) == (3, {"illegal action": 1})
    assert found["players"]["Bob"]["money"]["value"] == pytest.approx((-9 - 8 - 2) / 3)
    assert {"divat", "divat_sd", "variance_reduction", "rounds"} <= found["players"]["Bob"].keys()
    assert Path(found["report"]).read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "out" / "scores.parquet").exists()


def test_assess_of_no_limit_goes_by_decisions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "match.log"
    log.write_text(
        "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 1 0\n"
        "STATE:8:r6695f:5d6c|Js7c:-100|100:Alice|Bob\n"
    )
    code, out, _ = call(capsys, "assess", str(log))
    assert code == 0
    assert out.startswith("Too few hands to say who is better. Fitted decides: all cards of 1 hand")
    assert "too few to say" in out


def test_score_under_several_settings(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "score", TABLE_3_3, "--settings", "standard+pot=facing-bet")
    assert set(found["by_settings"]) == {"standard", "pot=facing-bet"}
    code, out, _ = call(capsys, "score", TABLE_3_3, "--settings", "standard+pot=facing-bet")
    assert code == 0
    assert out.count("Baseline") == 2
    assert "mean of 2 settings." in " ".join(out.split())


def test_demo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = call_json(capsys, "demo", "--out", str(tmp_path), "--hands", "200")
    assert found["hands"] == 200
    assert Path(found["report"]).exists()


def test_the_money_of_the_demo_points_the_wrong_way(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = call_json(capsys, "demo", "--out", str(tmp_path))["log"]
    players = call_json(capsys, "assess", log, "--player", "baseline")["players"]
    assert players["baseline"]["money"]["value"] == pytest.approx(-0.113, abs=5e-4)
    assert players["baseline"]["divat"]["low"] > 0.05


def test_crosstable_of_several_matches(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    logs = [tmp_path / f"{name}.log" for name in "ab"]
    call_json(capsys, "match", "baseline", "random", "--hands", "40", "--log", str(logs[0]))
    call_json(capsys, "match", "baseline", "always-call", "--hands", "40", "--log", str(logs[1]))
    found = call_json(capsys, "assess", "--crosstable", *map(str, logs))
    assert set(found["players"]) == {"baseline", "random", "always-call"}
    assert [len(pair["players"]) for pair in found["pairs"]] == [2, 2]
    assert found["hands"] == 80
    assert found["players"]["baseline"]["money"]["n"] == 40, "both matches have the same cards"
    code, out, err = call(capsys, "assess", "--crosstable", *map(str, logs), str(logs[0]))
    assert code == 0
    assert out.count("sb a hand") == 2
    assert "skipped: 40 hands given twice" in err
    (tmp_path / "notes.md").write_text("no log")
    whole = call_json(capsys, "assess", "--crosstable", str(tmp_path))
    assert whole["pairs"] == found["pairs"]
    assert whole["skipped"] == {"file of no known format": 1}


def test_a_log_given_twice_counts_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, copy = tmp_path / "a.log", tmp_path / "b.log"
    call_json(capsys, "match", "baseline", "random", "--hands", "200", "--log", str(log))
    copy.write_bytes(b"# a copy\n" + log.read_bytes())
    once = call_json(capsys, "assess", str(log))
    for files in ((log, copy), (log, log)):
        found = call_json(capsys, "assess", *map(str, files))
        assert found["players"] == once["players"]
        assert found["skipped"] == {"hands given twice": 200}
    _, out, _ = call(capsys, "assess", str(log), str(copy))
    assert "Skipped: 200 hands given twice." in out


def test_cards_not_shown_leave_no_verdict(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As a site writes them down: who folds does not show."""
    log = tmp_path / "a.log"
    call_json(capsys, "match", "baseline", "random", "--hands", "300", "--log", str(log))
    hidden = re.sub(r"(STATE:\d+:[^:]*f:)[^|:]*\|", r"\1|", log.read_text())
    log.write_text(hidden)
    found = call_json(capsys, "assess", str(log))
    assert found["evidence"]["verdict_by"] == "money"
    assert found["evidence"]["own_cards"] > 0
    assert found["players"]["baseline"]["variance_reduction"] == {}
    _, out, _ = call(capsys, "assess", str(log))
    assert " ".join(out.split()).startswith("No verdict on skill: the cards of ")
    assert "hands" in out.partition("seen from")[2].partition("Money")[0], "different n say theirs"
    _, out, _ = call(capsys, "assess", "--crosstable", str(log))
    assert out.startswith("No verdict on skill: the cards of ")
    assert "divat" not in out


def test_two_hands_are_too_few_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    players = ("baseline:tight-high", "baseline:loose-high")
    found = call_json(capsys, "match", *players, "--hands", "2")
    assert found["players"]["baseline:tight-high"]["money"]["low"] is None
    _, out, _ = call(capsys, "match", *players, "--hands", "2")
    assert out.count("too few to say") == 2


@pytest.mark.parametrize(
    "command",
    [
        "match always-call random --hands 4",
        "league always-call random always-raise --hands 4",
        "tournament always-call random",
        "ring always-call random --hands 4",
    ],
)
def test_every_verb_spells_games_alike(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = [
        call_json(capsys, *command.split(), "--seed", "3", "--game", game)
        for game in ("nolimit", "No-Limit", "no_limit")
    ]
    for each in found:
        for key in [key for key in each if key.endswith("_per_s")]:
            del each[key]
    assert found[0] == found[1] == found[2]
    code, _, err = call(capsys, *command.split(), "--game", "no-limmit")
    assert code == 2
    assert "did you mean nolimit" in err


def test_logs_and_archives_spell_games_alike(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "a.log"
    args = ("match", "always-call", "random", "--hands", "9", "--game", "no-limit")
    call_json(capsys, *args, "--log", str(log))
    bare = tmp_path / "bare.log"
    bare.write_text(
        "".join(line + "\n" for line in log.read_text().splitlines() if "#" not in line)
    )
    for game in ("nolimit", "No-Limit", "holdem.no-limit"):
        hands = call_json(capsys, "archive", "add", str(tmp_path / game), str(bare), "--game", game)
        assert hands["hands"] == 9
        rows = call_json(capsys, "archive", "query", str(tmp_path / game), "--game", game)
        assert sum(row["hands"] for row in rows["players"]) == 18
