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


@pytest.fixture(scope="module")
def raked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = tmp_path_factory.mktemp("raked") / "raked.log"
    match = ("match", "always-call", "random", "--hands", "200", "--log", str(log))
    assert run([*match, "--rake", "5%,cap=3"]) == 0
    return log


def house_of(log: Path) -> str:
    """Sum up the rake of a log, in small bets."""
    taken = (hand.rake for hand in read(log) if isinstance(hand, HandRecord))
    return f"The house took {float(sum(taken)) / 10:.1f} sb"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run([*arguments]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_one_hand_adds_up_after_rake(raked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = [hand for hand in read(raked) if isinstance(hand, HandRecord)]
    for loser in (0, 1):
        number = next(i for i, hand in enumerate(hands) if hand.rake and hand.payoffs[loser] < 0)
        hand, name = hands[number], hands[number].players[1 - loser]
        score = ("score", str(raked), "--hand", str(number + 1))
        found = played(capsys, *score)
        rake = found["rake_sb"]
        assert found["money_sb"] == pytest.approx(float(hand.payoffs[0]) / 10)
        assert sum(rake) == pytest.approx(float(hand.rake) / 10)
        assert rake[loser] == 0
        parts = found["divat_sb"] + found["luck_sb"] + found["position_sb"]
        assert found["money_sb"] == pytest.approx(parts - rake[0])
        for settings in ("standard", "standard+tight-low"):
            told = said(capsys, *score, "--settings", settings)
            assert f"The house took {sum(rake):.2f} from {name}; all but the money is" in told
            assert (f"\N{MINUS SIGN} rake {rake[0]:.2f};" in told) is (loser == 1)


def test_a_page_of_one_hand(raked: Path, tmp_path: Path) -> None:
    hands = [hand for hand in read(raked) if isinstance(hand, HandRecord)]
    number = next(i for i, hand in enumerate(hands) if hand.rake and hand.payoffs[0] > 0)
    page = tmp_path / "hand.html"
    assert run(["score", str(raked), "--hand", str(number + 1), "--out", str(page)]) == 0
    rake = f"{float(hands[number].rake) / 10:.2f}"
    assert f"rake \N{MINUS SIGN}{rake}. The house took {rake} from" in page.read_text()


@pytest.mark.parametrize(
    ("options", "net"),
    [
        ((), "DIVAT and luck are before rake"),
        (("--sweep", "standard,tight-low"), "fitted and DIVAT are before rake"),
        (("--sweep", "standard", "--by-decisions"), "every figure is net of it"),
        (("--crosstable",), "money is net of it, all else is before rake"),
    ],
)
def test_every_assessment_says_what_the_house_took(
    raked: Path, options: tuple[str, ...], net: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = said(capsys, "assess", str(raked), *options)
    assert house_of(raked) in told
    assert net in told
    found = played(capsys, "assess", str(raked), *options)
    assert f"The house took {found['raked_sb']:.1f} sb" == house_of(raked)


def test_a_log_given_twice_is_raked_once(raked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert house_of(raked) in said(capsys, "assess", "--crosstable", str(raked), str(raked))


@pytest.mark.parametrize("ending", [".md", ".tex"])
@pytest.mark.parametrize("options", [(), ("--sweep", "standard"), ("--by-decisions",)])
def test_a_table_for_a_paper_says_what_the_house_took(
    raked: Path, tmp_path: Path, options: tuple[str, ...], ending: str
) -> None:
    table = tmp_path / f"table{ending}"
    assert run(["assess", str(raked), *options, "--table", str(table)]) == 0
    assert house_of(raked) in table.read_text()


def test_a_raked_match_is_assessed_as_its_log_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "match.log"
    match = ["match", "always-call", "random", "--hands", "60", "--rake", "5%,cap=3"]
    assert run([*match, "--log", str(log), "--assess", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert run(["assess", str(log), "--player", "always-call", "--json"]) == 0
    of_log = json.loads(capsys.readouterr().out)
    assert told["assessment"]["raked_sb"] == of_log["raked_sb"] > 0
    ours, theirs = ({**each, "files": [], "report": None} for each in (told["assessment"], of_log))
    assert ours == {key: theirs[key] for key in ours}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "random", "random", "--rake", "5"], "rake '5': '5'; allowed: 5%,cap=300"),
        (["match", "random", "random", "--rake", "5%,step=0"], "a rake in steps of 0; allowed: "),
        (["ring", "random", "random", "--game", "nolimit.2p"], "as many sit down as players are"),
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
