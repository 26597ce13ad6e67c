"""The house's share in matches, leagues and ring games, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from railbird.cli import run
from railbird.histories import HandRecord, read


def played(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    match = ("match", "always-call", "random", "--hands", "200", "--log", str(log))
    found = played(capsys, *match, "--rake", "5%,cap=3")
    won = sum(player["money"]["value"] for player in found["players"].values())
    assert (found["rake"], found["raked_sb"]) == ("5%,cap=3", pytest.approx(-200 * won))
    hands = list(read(log))
    assert found["raked_sb"] == pytest.approx(
        sum(float(hand.rake) / 10 for hand in hands if isinstance(hand, HandRecord))
    )
    again = played(capsys, *match, "--game", "limit,rake=5%+cap=3")
    assert again["players"] == found["players"]
    assert run([*match]) == 2
    assert "another match: it differs in rules" in capsys.readouterr().err


def test_a_league(capsys: pytest.CaptureFixture[str]) -> None:
    players = ("always-call", "always-raise", "random")
    for ring in ((), ("--ring",)):
        found = played(capsys, "league", *players, *ring, "--hands", "200", "--rake", "5%")
        money = [player["money"]["value"] for player in found["players"].values()]
        assert sum(money) < 0


def test_a_ring_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = played(
        capsys,
        *("ring", "random", "random", "always-call", "--hands", "200"),
        *("--game", "spread-limit", "--bets", "2,10", "--rake", "5%,cap=3,2:5%,cap=1"),
    )
    assert found["rake"] == "5%,cap=3,2:5%,cap=1"
    assert found["raked_bb"] > 0
    assert found["raked_bb"] == pytest.approx(
        -sum(player["won_bb"] for player in found["players"].values())
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "random", "random", "--rake", "5"], "rake '5': '5'; allowed: 5%,cap=300"),
        (["match", "random", "random", "--rake", "5%,step=0"], "a rake in steps of 0; allowed: "),
        (["ring", "random", "random", "--game", "nolimit.2p"], "as many sit down as players are"),
        (["match", "random", "random", "--rake", "5%", "--assess"], "--assess with a rake of 5%"),
        (["match", "random", "random", "--rake", "5%", "--until", "1sb"], "--until with a rake"),
        (["league", "random", "random", "--rake", "5%", "--until", "1sb"], "--until with a rake"),
        (["ring", "random", "random", "--game", "spread"], "spread limit without bets"),
        (["ring", "random", "random", "--bets", "2,10"], "allowed: in spread limit"),
        (
            ["ring", "random", "random", "--game", "spread", "--bets", "10,2"],
            "bets from 10 to 2 chips; allowed: the smallest first",
        ),
        (["tournament", "random", "random", "--game", "spread"], "no betting 'spread'"),
    ],
)
def test_what_cannot_be_played(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert message in capsys.readouterr().err
