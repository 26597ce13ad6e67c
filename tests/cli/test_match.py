"""``railbird match``, ``league``, ``tournament`` and ``ring``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.command_line import call, call_json
from railbird.arena.settings import CHUNK, SOLVING_CHUNK
from railbird.cli import run
from railbird.cli._play import chunk_for
from railbird.histories import HandRecord, read


def test_match_until_decided_and_assessed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "m.log"
    args = ("match", "baseline", "random", "--duplicate", "--show", "assessment", "--stop")
    found = call_json(capsys, *args, "decided", "--log", str(log))
    assert found["reached"] is True
    assert found["interval"]["low"] > 0
    assert found["hands"] == found["assessment"]["hands"] == 2 * found["interval"]["n"] < 10_000
    assert found["assessment"]["players"]["baseline"]["divat"]["value"] > 0
    played_again = call_json(capsys, *args, "decided")
    assert played_again["assessment"] == found["assessment"]
    code, out, _ = call(capsys, *args[:-3], "--stop", "0.001sb", "--hands", "4000")
    assert code == 0
    assert "0.001sb not reached: baseline wins" in out


@pytest.mark.parametrize(
    ("players", "options", "verdict"),
    [
        (
            ("always-call", "always-fold"),
            ["--hands", "100"],
            "always-call wins; luck alone gives as much",
        ),
        (("random", "random"), ["--hands", "3"], "3 hands are too few to tell random"),
        (
            ("baseline", "baseline"),
            ["--hands", "200", "--seed", "1"],
            "are not told apart: luck could explain",
        ),
        (("baseline", "baseline"), ["--hands", "200", "--duplicate"], "all hands ended alike"),
    ],
)
def test_the_verdict_is_the_last_line(
    players: tuple[str, str],
    options: list[str],
    verdict: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = call(capsys, "match", *players, *options)
    assert code == 0
    assert verdict in out.splitlines()[-1]


@pytest.mark.slow
def test_no_limit_match_assessed(capsys: pytest.CaptureFixture[str]) -> None:
    args = (
        "match",
        "always-call",
        "random",
        "--game",
        "nolimit",
        "--hands",
        "20",
        "--show",
        "assessment",
    )
    found = call_json(capsys, *args)
    judged = found["assessment"]
    assert [judged["hands"], judged["unit"]] == [20, "bb"]
    for name in ("always-call", "random"):
        money = judged["players"][name]["money"]["value"]
        assert money == pytest.approx(found["players"][name]["money"]["value"])
    _, out, _ = call(capsys, *args)
    assert "whose decisions changed whose result" in out or "Luck taken out decides" in out


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


@pytest.mark.slow
def test_league_by_aivat(capsys: pytest.CaptureFixture[str]) -> None:
    players = ("always-call", "caller=always-call", "tight", "loki:basic")
    args = ("league", *players, "--hands", "12", "--duplicate", "--show", "aivat")
    found = call_json(capsys, *args)
    assert set(found["known"]) == {"always-call", "caller"}
    by_pair = {tuple(pair["players"]): pair["aivat"] for pair in found["pairs"]}
    assert by_pair["always-call", "caller"]["value"] == pytest.approx(0, abs=1e-4)
    assert by_pair["tight", "loki:basic"] is None
    assert found["players"]["tight"]["aivat"] is None
    of_first = [by_pair[pair]["value"] for pair in by_pair if pair[0] == "always-call"]
    assert found["players"]["always-call"]["aivat"]["value"] == pytest.approx(sum(of_first) / 3)
    _, out, _ = call(capsys, "league", *players[:2], *args[-5:])
    assert "AIVAT, sb a hand, 95 % intervals; known: always-call, caller" in out
    code, _, err = call(capsys, *args, "--stop", "decided")
    assert (code, "--show aivat with --ring or --stop" in err) == (2, True)
    code, _, err = call(capsys, "league", "loki:basic", "tight", "--show", "aivat")
    assert (code, "--show aivat with no player known: loki:basic" in err) == (2, True)


def test_league_until_decided(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("league", "a=baseline", "b=random", "c=always-fold", "--duplicate", "--stop")
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
    assert (code, "--stop with --ring; allowed: matches of two" in err) == (2, True)


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
    assert f"30 tournaments of no-limit, {found['hands']:,} hands, 0 a second" in out


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
    assert "300 hands of no-limit in 10 sessions, 0 a second" in out


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


@pytest.mark.slow
def test_match_assessed_by_the_strategies_that_are_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    players = ("always-call", "caller=always-call")
    found = call_json(
        capsys, "match", *players, "--hands", "30", "--show", "assessment", "--show", "aivat"
    )
    assert found["assessment"]["players"]["caller"]["aivat_sd"] < 0.01
    code, _, errors = call(
        capsys, "match", "killer", "tight", "--show", "assessment", "--show", "aivat"
    )
    assert code == 2
    assert "--show aivat with no player known: killer" in errors


# The house's share in matches, leagues and ring games, from the command line.


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
        *("--game", "spread-limit,bets=2/10", "--rake", "5%,cap=3,2:5%,cap=1"),
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


@pytest.mark.slow
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
            assert (f"- rake {rake[0]:.2f};" in told) is (loser == 1)


def test_a_page_of_one_hand(raked: Path, tmp_path: Path) -> None:
    hands = [hand for hand in read(raked) if isinstance(hand, HandRecord)]
    number = next(i for i, hand in enumerate(hands) if hand.rake and hand.payoffs[0] > 0)
    page = tmp_path / "hand.html"
    assert run(["score", str(raked), "--hand", str(number + 1), "--out", str(page)]) == 0
    rake = f"{float(hands[number].rake) / 10:.2f}"
    assert f"rake \N{MINUS SIGN}{rake}. The house took {rake} from" in page.read_text()


@pytest.mark.slow(but=["options3-money is net of it, all else is before rake"])
@pytest.mark.parametrize(
    ("options", "net"),
    [
        ((), "all else is before rake"),
        (("--sweep", "standard,tight-low"), "all else is before rake"),
        (("--sweep", "standard", "--method", "decisions"), "every figure is net of it"),
        (
            (
                "--show",
                "crosstable",
            ),
            "money is net of it, all else is before rake",
        ),
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
    assert house_of(raked) in said(capsys, "assess", "--show", "crosstable", str(raked), str(raked))


@pytest.mark.slow(only=["options2-.md", "options2-.tex"])
@pytest.mark.parametrize("ending", [".md", ".tex"])
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--sweep", "standard"),
        (
            "--method",
            "decisions",
        ),
    ],
)
def test_a_table_for_a_paper_says_what_the_house_took(
    raked: Path, tmp_path: Path, options: tuple[str, ...], ending: str
) -> None:
    table = tmp_path / f"table{ending}"
    assert run(["assess", str(raked), *options, "--out", str(table)]) == 0
    assert house_of(raked) in table.read_text()


def test_a_raked_match_is_assessed_as_its_log_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "match.log"
    match = ["match", "always-call", "random", "--hands", "60", "--rake", "5%,cap=3"]
    assert run([*match, "--log", str(log), "--show", "assessment", "--json"]) == 0
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
        (["match", "random", "random", "--rake", "5%", "--stop", "1sb"], "--stop with a rake"),
        (["league", "random", "random", "--rake", "5%", "--stop", "1sb"], "--stop with a rake"),
        (["ring", "random", "random", "--game", "spread"], "spread limit without bets"),
        (["ring", "random", "random", "--game", "nl,bets=2/10"], "allowed: in spread limit"),
        (
            ["ring", "random", "random", "--game", "spread,bets=2"],
            "SMALLEST/LARGEST, as in bets=2/10",
        ),
        (["match", "random", "random", "--clock", "0"], "'0' leaves no time; allowed: more than 0"),
        (
            ["ring", "random", "random", "--game", "spread,bets=10/2"],
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


@pytest.mark.slow  # a strategy is read, or solved where there is none
@pytest.mark.parametrize(
    ("opponent", "options", "chunks"),
    [
        ("always-fold", [], 3),
        ("always-fold", ["--session", "25"], 1),
        ("vexbot", [], 1),  # which learns, and is to remember the whole match
    ],
)
def test_the_log_of_a_player_that_solves_is_written_every_ten_deals_unless_one_remembers(
    tmp_path: Path, opponent: str, options: list[str], chunks: int
) -> None:
    solving, log = "solver=equilibrium:small,resolve=river", tmp_path / "match.log"
    match = ["match", opponent, solving, "--hands", "25", "--log", str(log), *options]
    assert run(match) == 0
    assert _chunks(log) == chunks


@pytest.mark.slow
@pytest.mark.parametrize(("third", "chunks"), [("always-call", 3), ("vexbot", 1)])
def test_so_are_the_logs_of_a_league(tmp_path: Path, third: str, chunks: int) -> None:
    entrants = ["solver=equilibrium:small,resolve=river", "always-fold", third]
    assert run(["league", *entrants, "--hands", "25", "--log", str(tmp_path / "logs")]) == 0
    assert [_chunks(log) for log in sorted((tmp_path / "logs").iterdir())] == 3 * [chunks]


def _chunks(log: Path) -> int:
    return sum(line.startswith("# railbird chunk") for line in log.read_text().splitlines())


def test_whoever_is_played_against_counts_among_those_who_remember() -> None:
    solving = "equilibrium:small,resolve=river"
    assert chunk_for((solving, "always-fold", "always-call")) == SOLVING_CHUNK
    assert chunk_for((solving, "always-fold", "vexbot")) == CHUNK
    assert chunk_for(("always-fold", "always-call")) == CHUNK
