"""Cards of matches: made anew from the log they are the same, and whatever was changed is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.erring_players import Erring
from railbird.arena import Match, Ring, Seating, play, play_ring
from railbird.cli import run
from railbird.errors import BadInput, DamagedFile, NothingUsable
from railbird.game import HEADS_UP_LIMIT, acpc_rules, no_limit_holdem
from railbird.report.run_card import card_document, differences, read_card, run_card

NO_LIMIT = acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=2_000))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "match.log"
    play(Match(players=("random", "always-call"), rules=NO_LIMIT, deals=60, seed=7), log=path)
    return path


@pytest.fixture(scope="module")
def card(log: Path) -> dict[str, Any]:
    return run_card(log)


def test_a_card_names_what_was_played_and_what_it_showed(card: dict[str, Any]) -> None:
    assert card["log"]["hands"] == 60
    assert card["match"]["players"] == ["random", "always-call"]
    assert card["match"]["seed"] == 7
    assert card["verdict"]["evidence"]["verdict_by"] == "fitted"
    assert {row["estimator"] for row in card["anytime"]} >= {"money", "fitted"}
    assert card["models"] is None
    assert card_document(card).title == "random against always-call"


@pytest.mark.parametrize("seating", [Seating.SINGLE, Seating.DUPLICATE])
@pytest.mark.parametrize("rules", [HEADS_UP_LIMIT, NO_LIMIT], ids=["limit", "no-limit"])
def test_a_card_made_anew_is_the_same(rules: Any, seating: Seating, tmp_path: Path) -> None:
    """Also of several chunks, the last of which is shorter."""
    path = tmp_path / "match.log"
    players = ("random", "always-raise")
    play(Match(players=players, rules=rules, deals=25, chunk=10, seed=3, seating=seating), log=path)
    first = run_card(path)
    assert first["log"]["hands"] == 25 * (2 if seating is Seating.DUPLICATE else 1)
    assert differences(json.loads(json.dumps(first)), run_card(path)) == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda card: card["verdict"]["players"]["random"]["fitted"].update(value=9.0), "fitted"),
        (lambda card: card["match"].update(seed=8), "match.seed"),
        (lambda card: card["log"].update(hands=61), "log.hands"),
        (lambda card: card.update(faults=[{"player": "random", "count": 1}]), "faults"),
        (lambda card: card.pop("anytime"), "anytime"),
        (lambda card: card.update(price=1), "price"),
        (lambda card: card.update(models={"usage": []}), "models"),
    ],
)
def test_whatever_was_changed_is_named(change: Any, place: str, card: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(card))
    change(changed)
    (problem,) = differences(changed, card)
    assert place in problem.partition(":")[0]


def test_when_it_was_made_does_not_matter(card: dict[str, Any]) -> None:
    assert differences({**card, "made": {"program": "railbird", "time": "2020-01-01"}}, card) == []


def test_a_card_in_the_log_that_the_seed_does_not_deal_is_refused(
    log: Path, tmp_path: Path
) -> None:
    lines = log.read_text().splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if line.startswith("STATE:17:"))
    fields = lines[place].split(":")
    held = fields[3]
    unused = next(card for card in ("2c", "2d", "2h", "2s") if card not in held)
    fields[3] = unused + held[2:]
    lines[place] = ":".join(fields)
    changed = tmp_path / "changed.log"
    changed.write_text("".join(lines))
    with pytest.raises(DamagedFile, match="hand 18 does not have the cards of seed 7"):
        run_card(changed)


def test_another_seed_in_the_header_is_refused(log: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.log"
    changed.write_text(log.read_text().replace('"seed": 7', '"seed": 8', 1))
    with pytest.raises(DamagedFile, match="hand 1 does not have the cards of seed 8"):
        run_card(changed)


RING = Ring(players=("random", "always-call", "c=random"), hands=40, seed=1, buy_in=100, session=15)


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "ring.phhs"
    play_ring(RING, log=path)
    return path


def test_a_ring_game_has_a_card_of_all_its_players_and_pairs(ring: Path) -> None:
    card = run_card(ring)
    assert (card["ring"]["seed"], card["log"]["hands"]) == (1, 40)
    assert {*card["verdict"]["players"]} == {*RING.names}
    assert len(card["league"]["pairs"]) == 3
    assert differences(json.loads(json.dumps(card)), run_card(ring)) == []
    document = card_document(card)
    assert "Nobody is shown to play better" in document.lead
    assert [section.heading for section in document.sections] == [
        "Results",
        "Each two players",
        "What was played",
    ]
    card["league"]["pairs"][0]["decided"] = True
    assert card_document(card).lead.startswith("Better whenever the game was stopped: ")


def test_a_ring_game_with_a_card_that_its_seed_does_not_deal_is_refused(
    ring: Path, tmp_path: Path
) -> None:
    """In the second session, whose cards are dealt anew."""
    text = ring.read_text()
    place = text.index("d dh p1 ", text.index("table = '2'")) + len("d dh p1 ")
    held = text[place : place + 4]
    line = text[place : text.index("]", place)]
    unused = next(card for card in ("2c", "3d", "4h", "5s", "6c", "7d") if card not in line)
    changed = tmp_path / "changed.phhs"
    changed.write_text(text[:place] + unused + held[2:] + text[place + 4 :])
    with pytest.raises(DamagedFile, match="hand 16 does not have the cards of seed 1"):
        run_card(changed)
    changed.write_text(text.replace('"seed": 1,', '"seed": 2,', 1))
    with pytest.raises(DamagedFile, match="hand 1 does not have the cards of seed 2"):
        run_card(changed)


def test_what_is_no_log_of_a_match_is_refused(tmp_path: Path) -> None:
    empty, text = tmp_path / "empty.log", tmp_path / "text.log"
    empty.write_text("")
    assert run(["run-card", str(empty)]) == 1
    text.write_text('# railbird match {"seed": "x"}\nSTATE:0:f:AhKh|2c2d:-1|1:a|b\n')
    with pytest.raises(NothingUsable, match="is not the log of a match or ring game"):
        run_card(empty)
    with pytest.raises(BadInput):
        run_card(text)


def test_a_log_is_known_by_its_digest_not_by_its_name(
    log: Path, card: dict[str, Any], tmp_path: Path
) -> None:
    renamed = tmp_path / "another.log"
    renamed.write_bytes(log.read_bytes())
    assert differences(card, run_card(renamed)) == []


def test_players_of_the_first_line_are_those_of_the_hands(log: Path, tmp_path: Path) -> None:
    first, _, hands = log.read_text().partition("\n")
    said = json.dumps(["random", "always-call"])
    assert said in first
    path = tmp_path / "match.log"
    others = first.replace(said, json.dumps(["always-fold", "always-call"]))
    path.write_text(f"{others}\n{hands}")
    with pytest.raises(DamagedFile, match="its first line names always-fold and"):
        run_card(path)
    path.write_text(f"{first}\n{hands.replace('random', 'always-fold', 8)}")
    with pytest.raises(BadInput, match="its hands name 3 players"):
        run_card(path)


def test_the_page_has_both_kinds_of_intervals(card: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(card))
    (row,) = (row for row in changed["anytime"] if row["estimator"] == "money")
    row["asymptotic"].update(low=-0.25, high=0.75)
    table = card_document(changed).sections[0].table
    assert table is not None
    assert table.columns[-2:] == ("95 %, one look", "at every look")
    rows = {(cells[0], cells[1]): cells[-1] for cells in table.rows}
    first, second = card["verdict"]["players"]
    assert rows[first, "money"] == "−0.250 to +0.750"
    assert rows[second, "money"] == "−0.750 to +0.250"
    assert rows[first, "fitted"] == "–"  # too few deals


@pytest.mark.parametrize(
    ("low", "high", "says"),
    [
        (0.1, 0.5, "random won more than luck explains, whenever the match was stopped"),
        (-0.5, -0.1, "always-call won more than luck explains, whenever the match was stopped"),
        (-0.1, 0.5, "Who plays better is not decided after 60 hands."),
        (None, None, "60 hands are too few for a result."),
    ],
)
def test_the_verdict_is_by_the_interval_that_holds_at_every_look(
    low: float | None, high: float | None, says: str, card: dict[str, Any]
) -> None:
    """A card does not show why its match was stopped: an interval for one look says too much."""
    changed = json.loads(json.dumps(card))
    fixed = changed["verdict"]["players"]["random"]["fitted"]
    fixed.update(value=0.3, low=0.2, high=0.4)
    row = next(row for row in changed["anytime"] if row["estimator"] == "fitted")
    middle = None if low is None or high is None else (low + high) / 2
    row["asymptotic"].update(value=middle, low=low, high=high)
    assert card_document(changed).lead.startswith(says)


class Errs(Erring):
    def __init__(self) -> None:
        super().__init__(0.3)


def test_errors_of_protocol_are_on_the_card(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    play(Match(players=(Errs, "random"), rules=NO_LIMIT, deals=40, seed=1), log=path)
    (fault,) = run_card(path)["faults"]
    assert (fault["player"], fault["kind"]) == ("Errs", "illegal")
    assert fault["count"] > 5


@pytest.mark.parametrize("text", ["", "{", "[]", '{"railbird run": 2}', "[" * 100_000])
def test_what_is_no_card_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    path.write_text(text)
    with pytest.raises(BadInput, match="not a card written by"):
        read_card(path)


def test_the_record_of_a_model_is_on_the_card(
    log: Path, card: dict[str, Any], tmp_path: Path
) -> None:
    record = tmp_path / "questions.jsonl"
    question = {"model": "small", "prompt_tokens": 90, "completion_tokens": 10, "seconds": 0.5}
    record.write_text(f"{json.dumps({**question, 'price': 0.01})}\n" * 3)
    asked = run_card(log, record)
    assert asked["models"]["usage"][0]["questions"] == 3
    assert asked["models"]["usage"][0]["price"] == pytest.approx(0.03)
    assert [problem.partition(":")[0] for problem in differences(asked, card)] == ["models"]


def test_the_verbs_write_and_check(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.json"
    assert run(["run-card", str(log), "--out", str(path)]) == 0
    assert run(["run-card", str(log), "--out", str(tmp_path / "run.html")]) == 0
    capsys.readouterr()
    assert run(["verify-run", str(path), str(log)]) == 0
    assert "60 hands with the cards of their seed" in capsys.readouterr().out
    path.write_text(path.read_text().replace('"hands": 60', '"hands": 66'))
    assert run(["verify-run", str(path), str(log), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["problems"]
