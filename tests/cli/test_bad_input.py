"""Bad input is one line and exit code 2, whatever the verb."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command_line import call


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nonsense"], "no verb 'nonsense'; allowed: abstraction, acpc-client"),
        (["asess"], "railbird: no verb 'asess'; did you mean assess?"),
        (["tables", "stats"], "railbird tables: no command 'stats'; did you mean status?"),
        (
            ["odds", "AsKs", "--opponent", "2"],
            "one of: '--by-opponents', '--opponents'",
        ),
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
        (["match", "random", "random", "--game", "potlimit"], "`railbird ring`"),
        (["match", "random", "random", "--dealer", "acpd"], "did you mean acpc?"),
        (["stats", "table.log", "--position", "buton"], "did you mean button?"),
        (["icm", "--stacks", "5,3", "--payouts", "30,70"], "place 2 gets 70, the one before it 30"),
        (["solve", "pushfold", "--stacks", "9,9", "--payouts", "0,5"], "that do not increase"),
        (["league", "random"], "1 players; allowed: 2 or more"),
        (["players", "nobody"], "no player 'nobody'; allowed: always-call"),
        (["league", "random", "nobody"], "no player 'nobody'"),
        (
            ["league", *["random"] * 3, "--ring", "--game", "holdem.limit.2p.reverse_blinds.game"],
            "is for 2 seats; allowed here: 3",
        ),
        (["tournament", "random"], "1 players; allowed: 2 or more"),
        (["tournament", "random", "random", "--blinds", "10/20"], "SMALL/BIGxHANDS"),
        (["tournament", "random", "random", "--blinds", "20/40x9,10/20x9"], "blinds never fall"),
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
