"""`railbird explain`: a decision's beliefs, rule and numbers, as text, JSON and a page."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from railbird.arena import (
    Match,
    Ring,
    Seating,
    Tournaments,
    play,
    play_ring,
    play_tournaments,
)
from railbird.arena.job_log import first_of_session
from railbird.cards import CLASS_NAMES
from railbird.cli import run
from railbird.game import HEADS_UP_NO_LIMIT, Act, Street
from railbird.histories import HandRecord, read
from railbird.players.advice import steps
from railbird.players.booker import VERSIONS as BOOKERS
from railbird_papers.papp1998.matchups import Version, match_of

WHO = "loki:gom"
EHS = "EHS'"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "log"
    versions = [Version("G", WHO, 1), Version("B", "loki:bpl", 8), Version("C", "always-call", 1)]
    play(match_of(versions, 20, seed=3), log=path)
    return path


@pytest.fixture(scope="module")
def hand(log: Path) -> int:
    """A hand in which the player acts after the flop, somebody having bet.

    Of those the one with the fewest opponents: each is charts, and drawing them takes time.
    """
    found = []
    for number, record in enumerate(read(log), 1):
        assert isinstance(record, HandRecord)
        seat = record.players.index(WHO)
        own = [
            step.before
            for step in steps(record)
            if isinstance(step.event, Act) and step.event.seat == seat
        ]
        if own and own[-1].street > Street.PREFLOP and own[-1].to_call:
            found.append((len(own[-1].in_hand), number))
    return min(found)[1]


def test_json_has_the_rule_the_numbers_and_the_weights(
    capsys: pytest.CaptureFixture[str], log: Path, hand: int
) -> None:
    assert run(["explain", str(log), "--hand", str(hand), "--player", WHO, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["player"] == WHO
    assert found["action"] == found["played"]  # it is asked again what it answered
    assert found["rule"]
    assert 0 <= found["numbers"]["EHS'"] <= 1
    assert found["opponents"]
    for opponent in found["opponents"]:
        for stage in opponent["stages"]:
            assert set(stage["weights"]) == set(CLASS_NAMES)
            assert 1 <= stage["holdings"] <= 1225
            assert all(w is None or 0 < w <= 1 for w in stage["weights"].values())
    taught = [each["stages"] for each in found["opponents"] if len(each["stages"]) > 1]
    assert taught
    assert taught[0][0]["what"] == "at the deal"
    assert taught[0][-1]["holdings"] < taught[0][0]["holdings"]


def test_json_has_the_odds_that_decided_and_frequencies_with_their_counts(
    capsys: pytest.CaptureFixture[str], log: Path, hand: int
) -> None:
    args = ["explain", str(log), "--hand", str(hand), "--player", WHO, "--json"]
    assert run([*args, "--ask", "loki:som"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(rule["decided"] for rule in found["rules"]) == 1
    assert [rule["action"] for rule in found["rules"]][:2] == ["make2", "make1"]
    asked = found["rules"][0]
    assert asked["needed"] == "EHS' of 0.8500"
    assert asked["actual"] == f"{found['numbers'][EHS]:.4f}"
    assert found["numbers"]["semi-bluff flag"] in ("set", "not set")
    assert found["estimates"]
    for about in found["estimates"]:
        numbers = about["numbers"]
        where = [name.removeprefix("seen ") for name in numbers if name.startswith("seen ")]
        assert where
        for context in where:
            shares = [numbers[f"{kind} {context}"] for kind in ("folds", "calls", "raises")]
            assert sum(shares) == pytest.approx(1)
            assert numbers[f"seen {context}"] >= 1


def test_a_learned_model_tells_the_likeliest_types(
    capsys: pytest.CaptureFixture[str], log: Path, hand: int
) -> None:
    args = ["explain", str(log), "--hand", str(hand), "--player", WHO, "--json"]
    assert run([*args, "--ask", "loki:som,model=learned"]) == 0
    found = json.loads(capsys.readouterr().out)
    for about in found["estimates"]:
        chances = list(about["numbers"].values())
        assert len(chances) == 3
        assert chances == sorted(chances, reverse=True)
    stages = [stage for each in found["opponents"] for stage in each["stages"]]
    assert any(0 < stage["numbers"].get("expected", 0) <= 1 for stage in stages)


def test_checks_that_teach_are_named(
    capsys: pytest.CaptureFixture[str], log: Path, hand: int
) -> None:
    who = ["--player", WHO, "--ask", "loki:som,checks=inverse,sigma=learned"]
    numbers = range(hand, 200)
    found: list[str] = []
    for number in numbers:
        code = run(["explain", str(log), "--hand", str(number), *who, "--json"])
        text = capsys.readouterr().out
        if not code:
            opponents = json.loads(text)["opponents"]
            found += [stage["what"] for each in opponents for stage in each["stages"]]
        if any(what.startswith("check, ") for what in found):
            break
    assert "check, flop" in found or "check, turn" in found or "check, river" in found
    assert "check, before the flop" not in found


@pytest.mark.slow
def test_text_and_page_say_the_same(
    capsys: pytest.CaptureFixture[str], log: Path, hand: int, tmp_path: Path
) -> None:
    page = tmp_path / "why.html"
    args = ["explain", str(log), "--hand", str(hand), "--player", WHO, "--ask", "loki:som"]
    assert run([*args, "--out", str(page)]) == 0
    out = capsys.readouterr().out
    assert "Decided by loki:som" in " ".join(out.split())
    cards, board = (
        re.search(rf'<p class="verdict">{part}', page.read_text())
        for part in (r"(\w{4}) on \w+:", r"\w{4} on (\w+):")
    )
    assert cards is not None
    assert board is not None
    assert f"{cards[1]} on {board[1]}: " in out
    assert "The pot is " in out
    assert re.search(r"\n(call|bet|raise to) \d+, .*\n    A   K   Q", out)  # charts by action
    html = page.read_text()
    assert "<script" not in html
    assert "http" not in html.replace("http-equiv", "").replace("http://www.w3.org", "")
    assert html.count("<figure>") >= out.count("suited above the diagonal") >= 1


@pytest.mark.slow
def test_what_was_played_out_is_told(
    capsys: pytest.CaptureFixture[str], log: Path, hand: int
) -> None:
    args = ["explain", str(log), "--hand", str(hand), "--player", WHO, "--ask"]
    assert run([*args, "loki:sim,trials=30", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rule"] == "The better of the simulated actions."
    numbers = found["numbers"]
    assert numbers["deals played out"] == 30
    gains = [value for name, value in numbers.items() if name.endswith(" gains")]
    best = "fold" if max(gains) <= 0 else ("call", "raise")[gains.index(max(gains))]
    assert found["action"].startswith(best)
    assert numbers["by the rules"] in ("fold", "call", "raise")
    assert "without deception" not in numbers


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["--hand", "999", "--seat", "0"], 1, "hand 999; allowed: 1 to 200"),
        (["--hand", "1"], 2, "name one: --seat or --player"),
        (["--hand", "1", "--seat", "0", "--out", "x.pdf"], 2, "x.pdf: .pdf; allowed: .html"),
        (["--hand", "1", "--seat", "10"], 1, "seat 10; allowed: 0 to 9"),
        (["--hand", "1", "--player", "nobody"], 1, "no player 'nobody' in this hand; players: "),
        (["--hand", "1", "--player", WHO, "--ask", "always-call"], 2, "does not explain itself"),
        (["--hand", "1", "--player", WHO, "--decision", "9"], 1, "decision 9; allowed: 1"),
    ],
)
def test_bad_questions_are_one_line(
    capsys: pytest.CaptureFixture[str], log: Path, args: list[str], code: int, said: str
) -> None:
    assert run(["explain", str(log), *args]) == code
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.fixture(scope="module")
def tournaments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "tournaments.phhs"
    players = ["random", "booker:4", "always-raise:random"]
    assert run(["tournament", *players, "--count", "3", "--log", str(path), "--seed", "2"]) == 0
    return path


def asked(
    log: Path, capsys: pytest.CaptureFixture[str], spec: str, hands: Sequence[int] = range(1, 13)
) -> list[dict[str, Any]]:
    """What a player says of the last decisions of booker:4 in some hands of the log."""
    said = []
    for number in hands:
        args = ["explain", str(log), "--hand", str(number), "--player", "booker:4", "--ask", spec]
        if run([*args, "--json"]) == 0:
            said.append(json.loads(capsys.readouterr().out))
        capsys.readouterr()
    assert len(said) > 5
    return said


@pytest.mark.parametrize(
    "spec",
    [*(f"booker:{version}" for version in BOOKERS), "rollout", "baseline", "pushfold"],
)
def test_a_list_of_rules_has_one_that_decided(
    spec: str, tournaments: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for said in asked(tournaments, capsys, spec):
        if said["rule"] == "After the flop it checks and calls.":
            continue
        (decided,) = [rule for rule in said["rules"] if rule["decided"]]
        action, rule = said["action"], decided["action"]
        if rule in ("raise", "bet", "all-in", "raise to half"):
            assert action.split()[0] in ("raise", "bet", "call"), (rule, action)
        else:
            assert action.split()[0] == rule.split()[0], (rule, action)


def test_what_booker_knew_of_others_with_its_counts(
    tournaments: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = asked(tournaments, capsys, "booker:4", [1, *range(16, 28)])
    assert all(each["numbers"]["probability that nobody is ahead"] <= 1 for each in said)
    others = [about["numbers"] for each in said for about in each["estimates"]]
    assert others[0]["hands seen"] == 0
    assert others[0]["aggression"] is None
    assert re.fullmatch(r"\d+\.\d % from \d+ actions", others[-1]["aggression"])
    estimated = [about["probability after it"] for about in others if about["probability after it"]]
    assert all(re.fullmatch(r"\d+\.\d % from (1 entry|\d+ entries)", each) for each in estimated)
    assert estimated


def test_the_rules_in_text_and_on_a_page(
    tournaments: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "why.html"
    args = ["explain", str(tournaments), "--hand", "8", "--player", "booker:4", "--out", str(page)]
    assert run([*args, "--ask", "booker:1"]) == 0
    text = capsys.readouterr().out
    assert "asks for" in text
    assert text.count("(decided)") == 1
    html = page.read_text("utf-8")
    assert "<h2>The rules</h2>" in html
    assert html.count("(decided)") == 1
    assert "What it believed" not in html


def hands_seen(capsys: pytest.CaptureFixture[str], log: Path, hand: int, seat: int) -> list[int]:
    """How many hands a Booker in a seat has seen of each of its opponents."""
    question = ["explain", str(log), "--hand", str(hand), "--seat", str(seat)]
    assert run([*question, "--ask", "booker:4,pay=0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return [about["numbers"]["hands seen"] for about in found["estimates"]]


def test_a_player_knows_what_it_has_seen_since_it_was_reset(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """In matches of several chunks and directions, tournaments and ring games, and in a league."""
    players = ("always-call", "always-raise")
    duplicate = Match(
        players=players,
        rules=HEADS_UP_NO_LIMIT,
        deals=20,
        seed=1,
        chunk=10,
        seating=Seating.DUPLICATE,
    )
    match = tmp_path / "match.log"
    play(duplicate, log=match)
    ring = tmp_path / "ring.phhs"
    play_ring(Ring(players=players, hands=20, seed=1, buy_in=100, session=10), log=ring)
    series = tmp_path / "tournaments.phhs"
    finishes = play_tournaments(
        Tournaments(players=players, count=3, seed=1, stack=300), log=series
    ).finishes
    third = finishes[0].hands + finishes[1].hands + 1

    found = dict.fromkeys((7, 13, 27, 35), 0)
    for hand in found:
        (found[hand],) = set(hands_seen(capsys, match, hand, 0))
    assert found == {7: 6, 13: 2, 27: 6, 35: 4}
    assert set(hands_seen(capsys, ring, 14, 0)) == {3}
    assert set(hands_seen(capsys, series, third, 0)) == {0}
    assert first_of_session(series, third) == third
    assert first_of_session(series, third - 1) == finishes[0].hands + 1

    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("1-2.log", "1-3.log"):
        (folder / name).write_bytes(match.read_bytes())
    assert [first_of_session(folder, hand) for hand in (1, 40, 41, 55)] == [1, 31, 41, 51]


def test_hands_from_elsewhere_are_one_session(tmp_path: Path, log: Path) -> None:
    text = log.read_text().splitlines(keepends=True)
    other = tmp_path / "other.log"
    other.write_text("".join(line for line in text if not line.startswith("#")))
    assert first_of_session(other, 120) == 1
    for damage in ('{"chunk": 0}', '{"deals": 7}', "[]", "nothing", "[" * 100_000):
        other.write_text("".join(text[:50]) + f"# railbird chunk {damage}\n")
        assert first_of_session(other, 120) == 1
    assert first_of_session("-", 7) == 1


def test_explaining_writes_no_memory(
    capsys: pytest.CaptureFixture[str], tournaments: Path, tmp_path: Path
) -> None:
    people = tmp_path / "people.sqlite3"
    spec = f"booker:4,pay=0,database={people}"
    question = ["explain", str(tournaments), "--hand", "8", "--player", "booker:4", "--json"]

    def seen() -> list[int]:
        assert run([*question, "--ask", spec]) == 0
        found = json.loads(capsys.readouterr().out)
        return [about["numbers"]["hands seen"] for about in found["estimates"]]

    without = seen()
    assert list(tmp_path.iterdir()) == []
    players = ["random", f"booker:4,database={people}", "always-raise:random"]
    assert run(["tournament", *players, "--count", "2"]) == 0
    capsys.readouterr()
    before = people.read_bytes()
    assert min(seen()) > max(without), "it is read"
    assert people.read_bytes() == before
    for asked_as, said in ((spec, True), ("booker:4,pay=0", False)):
        page = tmp_path / f"{said}.html"
        assert run([*question[:-1], "--ask", asked_as, "--out", str(page)]) == 0
        words = " ".join(capsys.readouterr().out.split())
        for text in (words, page.read_text(encoding="utf-8")):
            assert ("all that its database holds now" in text) is said


def test_numbers_below_zero_have_one_sign(
    tournaments: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the numbers, in the rules and in what was known: a minus sign, never a hyphen."""
    said = asked(tournaments, capsys, "booker:3", range(1, 31))
    texts = [
        text
        for each in said
        for text in (
            *(part for rule in each["rules"] for part in (rule["needed"], rule["actual"])),
            *(str(about["numbers"].get("rating after it")) for about in each["estimates"]),
        )
    ]
    assert any("\N{MINUS SIGN}0." in text for text in texts)
    assert not any(re.search(r"-\d", text) for text in texts)
    assert not any("from 1 entries" in text for text in texts)
