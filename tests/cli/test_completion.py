"""What the shell completes, asked as a shell asks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from railbird.cli import _railbird
from railbird.cli._completion import COMPLETE_VARIABLE, complete
from railbird.cli._verbs import GROUPS, verbs
from railbird.histories import FORMATS
from railbird.players import REGISTRY
from railbird.players.loki import VERSIONS
from railbird_papers import EXPERIMENTS


def completed(line: str) -> list[str]:
    """What may stand in place of the last word; files as such."""
    *args, incomplete = line.split(" ")
    shell = ShellComplete(_railbird, {}, "railbird", COMPLETE_VARIABLE)
    items = shell.get_completions(args, incomplete)
    return [item.value if item.type == "plain" else f"<{item.type}>" for item in items]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", sorted({verb.split()[0] for verb in verbs()} | {*GROUPS})),
        ("a", ["acpc-client", "archive", "assess"]),
        ("archive ", ["add", "note", "query"]),
        ("solve toy k", ["kuhn"]),
        ("match --dup", ["--duplicate"]),
        ("match ", list(REGISTRY)),
        ("match always-", ["always-call", "always-raise", "always-fold"]),
        (
            "match random lok",
            ["loki", *(f"loki:{version}" for version in VERSIONS)],
        ),
        ("match loki:s", ["loki:som", "loki:som2", "loki:sim"]),
        ("match alice=loki:s", ["alice=loki:som", "alice=loki:som2", "alice=loki:sim"]),
        ("match loki:som,tightness=l", ["loki:som,tightness=loose"]),
        ("match loki:som,tightness=tight,scale=f", ["loki:som,tightness=tight,scale=field"]),
        ("match random,si", ["random,size="]),
        ("match always-raise:m", ["always-raise:min", "always-raise:max"]),
        ("match baseline:tight-l", ["baseline:tight-low"]),
        ("match baseline:tight-low,loose-l", ["baseline:tight-low,loose-low"]),
        ("league random alw", ["always-call", "always-raise", "always-fold"]),
        ("match python:x", []),
        ("match nobody:", []),
        ("match random random --game n", ["<file>", "nolimit"]),
        ("assess --settings standard+tight-l", ["standard+tight-low"]),
        ("assess --settings turn=tight-l", ["turn=tight-low"]),
        ("assess --estimators money,div", ["money,divat"]),
        ("assess ma", ["<file>"]),
        ("convert in --from wi", ["winamax", "winning"]),
        ("convert in --to acp", ["acpc"]),
        ("archive query hands --game no", ["<file>", "nolimit"]),
        ("experiment ", ["list", "all", *EXPERIMENTS]),
        ("machine tables build turn_i", ["turn_ihr"]),
        ("tables build turn_i", ["turn_ihr"]),
        ("machine ", list(GROUPS["machine"])),
        ("server r", ["ratings", "results"]),
        ("odds ", list(GROUPS["odds"])),
        ("help odds pre", ["preflop"]),
        ("solve spot file --set fo", ["force-all-in=", "folded="]),
        ("solve spot file --set force_a", ["force-all-in="]),
        ("blackjack ev --set after_split=CDP", ["after-split=CDP1"]),
        ("icm --set bounty-m", ["bounty-model=proportional", "bounty-model=flat"]),
        ("solve spot file --ra", ["--raises", "--rake"]),
        ("odds preflop --se", ["--seat", "--seats", "--set"]),
        ("players loki:s", ["loki:som", "loki:som2", "loki:sim"]),
        ("explain log --ask loki:g", ["loki:gom", "loki:gom2"]),
    ],
)
def test_what_is_completed(line: str, words: list[str]) -> None:
    assert completed(line) == words


def test_only_formats_that_are_written_complete_to() -> None:
    assert completed("convert in --to ") == [each.name for each in FORMATS if each.write]
    assert completed("convert in --from ") == [each.name for each in FORMATS]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("railbird match loki:so", ["som", "som2"]),
        ("railbird match 'loki:so", ["som", "som2"]),
        ("railbird match alice=loki:som,tightness=l", ["loose"]),
        ("railbird assess --settings=tight-l", ["tight-low"]),
        ("railbird  archive ", ["add", "note", "query"]),
    ],
)
def test_bash_gets_what_stands_behind_colons_and_equals_signs(line: str, words: list[str]) -> None:
    """It takes these signs for the beginnings of words, of which it replaces the last."""
    script = f"""
        railbird() {{ {sys.executable} -m railbird "$@"; }}
        env() {{ while [[ $1 == *=* ]]; do export "$1"; shift; done; "$@"; }}
        compopt() {{ :; }}
        eval "$({COMPLETE_VARIABLE}=bash_source {sys.executable} -m railbird)"
        COMP_LINE=$LINE COMP_POINT=${{#LINE}}
        _railbird_completion railbird
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "LINE": line},
    )
    assert (done.stdout.split(), done.stderr) == (words, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_a_script(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "railbird"],
        capture_output=True,
        text=True,
        env={**os.environ, COMPLETE_VARIABLE: f"{shell}_source"},
    )
    assert done.returncode == 0
    assert f"{COMPLETE_VARIABLE}={shell}_complete" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_without_a_line_there_is_nothing_to_complete(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(COMPLETE_VARIABLE, f"{shell}_complete")
    with pytest.raises(SystemExit) as ended:
        complete(_railbird)
    err = capsys.readouterr().err
    assert (ended.value.code, err.count("\n")) == (2, 1)
    assert f"{shell}_complete without COMP_" in err


def test_verbs_are_completed_without_numba() -> None:
    program = (
        "import sys; from click.shell_completion import ShellComplete as S; "
        "from railbird.cli import _railbird; S(_railbird, {}, 'railbird', 'X')"
        ".get_completions([], ''); sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
