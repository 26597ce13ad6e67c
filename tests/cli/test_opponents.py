"""``railbird opponents``: what is remembered, in the terminal, as JSON, CSV and a page."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.shell_completion import ShellComplete

from helpers.random_hands import random_log
from railbird.cli import _railbird, run
from railbird.cli._completion import COMPLETE_VARIABLE
from railbird.game import DealHoles, Street, initial, no_limit_holdem, step, view
from railbird.modelling.opponent_memory import Learned, OpponentMemory
from railbird.modelling.opponent_statistics import OpponentObserver
from railbird.modelling.tracker import ModelForm, ModelRecord
from railbird.storage import open_blocking
from railbird.storage.opponents import memory_place
from railbird.units import Seat

EVIL = "<b>eve</b>\x1b[31m & Söhne"
HANDS = 120


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which alice remembers two opponents from six sessions, and bob one."""
    path = tmp_path_factory.mktemp("opponents") / "people.sqlite3"
    place = memory_place(str(path))
    observer, rng = OpponentObserver(place=place), np.random.default_rng(3)
    observer.introduce(("alice", "tom", EVIL))
    for number in range(HANDS):
        if number % 20 == 0:
            observer.reset()
        state = initial(no_limit_holdem(3, blinds=(10, 20), stack=1_500))
        for event in random_log(rng, state.rules):
            state = step(state, event)
            seen = view(state, Seat(0))
            if isinstance(event, DealHoles):
                observer.begin(seen)
            else:
                observer.observe(seen, event)
        observer.end(view(state, Seat(0)))
    observer.close()
    model = OpponentMemory(place, ModelForm())
    model.begin(["bob", "tom"], observer="bob", game="limit", seats=2)
    counts = [[[1.0, 2.0, 5.0]] * 3 for _ in Street]
    known = ModelRecord(actions=counts, shown=[[0.0] * 9] * 2)
    model.end({"tom": Learned(known, hands=20, bets=60, actions=96)})
    model.close({})
    return path


@pytest.fixture
def people(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(written, tmp_path))


def found(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["opponents", *map(str, arguments), "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def refused(capsys: pytest.CaptureFixture[str], code: int, *arguments: object) -> str:
    capsys.readouterr()
    assert run(["opponents", *map(str, arguments)]) == code
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    return line


def test_everybody(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = found(capsys, "list", "--database", people)["players"]
    assert players.keys() == {"tom", EVIL}
    [theirs, ours] = sorted(players["tom"], key=lambda memory: str(memory["observer"]))
    assert (theirs["observer"], theirs["game"], theirs["seats"]) == ("alice", "no-limit", 3)
    assert (theirs["hands"], theirs["sessions"], len(theirs["history"])) == (HANDS, 6, 6)
    assert (ours["observer"], ours["kind"], ours["hands"]) == ("bob", "loki", 20)
    assert ours["aggression"]["value"] == 60 / 96
    assert found(capsys, "list", "--database", people, "--observer", "bob")["players"] == {
        "tom": [ours]
    }


@pytest.mark.slow
def test_numbers_agree_with_each_other(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [tom] = found(capsys, "show", "tom", "--database", people, "--observer", "alice")["players"][
        "tom"
    ]
    counts = [stage.values() for stage in tom["actions"].values()]
    raises = sum(stage["raise"] for stage in tom["actions"].values())
    assert tom["aggression"]["n"] == sum(map(sum, counts))
    assert tom["aggression"]["value"] == pytest.approx(raises / tom["aggression"]["n"])
    assert sum(session["bets"] for session in tom["history"]) == raises
    assert sum(tom["folds"].values()) == tom["hands"] == HANDS
    shown = sum(each["n"] for each in tom["shown_classes"])
    assert 0 < shown <= tom["showdowns"] - tom["unseen_showdowns"]
    assert tom["showdown_strength"]["n"] == shown
    assert len(tom["probabilities"]) * len(tom["probabilities"]["flop"]) == 15
    assert {each["verdict"] for each in tom["classes"]} <= {
        *("yes", "no", "undecided", "too few to say")
    }


@pytest.mark.slow
def test_the_screen_fits_eighty_columns(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (["list"], ["show", "tom"], ["show", EVIL]):
        assert run(["opponents", *arguments, "--database", str(people)]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    for words in ("pot stealer", "bets its strength", "Where it folds", "preflop, on the blind"):
        assert words in text
    assert "tom, as others remember it" in text
    assert "bob: limit, 2 seats" in text
    assert "hands 20 · sessions 1 · " in text


@pytest.mark.slow
def test_a_page(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "eve.html"
    told = found(capsys, "show", EVIL, "--database", people, "--out", page)
    assert told["page"] == str(page)
    text = page.read_text()
    assert "&lt;b&gt;eve&lt;/b&gt;" in text
    assert "<b>eve" not in text
    assert "\x1b" not in text
    assert "<script" not in text
    assert "></th>" not in text, "every column and row has a name"
    # Classes, actions, folds; shown without a blind, as it has the button, raised, called; two over
    # time, arrays.
    assert text.count("<svg") == 9
    assert "raised before the flop" in text
    assert "exists; --force replaces it" in refused(
        capsys, 2, "show", "tom", "--database", people, "--out", page
    )
    assert page.read_text() == text
    assert "allowed: .html" in refused(
        capsys, 2, "show", "tom", "--database", people, "--out", tmp_path / "tom.pdf"
    )


def test_a_page_of_counts_alone(people: Path, tmp_path: Path) -> None:
    page = tmp_path / "tom.html"
    arguments = ["show", "tom", "--observer", "bob", "--database", str(people), "--out", str(page)]
    assert run(["opponents", *arguments]) == 0
    assert "no bet to call" in page.read_text()


def test_export(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["opponents", "export", "--database", str(people)]) == 0
    text = capsys.readouterr().out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {(row["opponent"], row["observer"]) for row in rows} == {
        ("tom", "alice"),
        (EVIL.replace("\x1b", "\ufffd"), "alice"),
        ("tom", "bob"),
    }
    tom = next(row for row in rows if row["observer"] == "bob")
    assert (tom["bets"], tom["actions"], tom["seats"]) == ("60", "96", "2")
    out = tmp_path / "people.csv"
    assert run(["opponents", "export", "--database", str(people), "--out", str(out)]) == 0
    assert out.read_text() == text
    whole = tmp_path / "people.json"
    assert run(["opponents", "export", "--database", str(people), "--out", str(whole)]) == 0
    assert json.loads(whole.read_text()) == found(capsys, "export", "--database", people)


def test_forgetting_asks(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--force forgets without asking" in refused(
        capsys, 2, "forget", "tom", "--database", people
    )
    for answer, code, left in (("n\n", 1, 2), ("y\n", 0, 0)):
        answers = io.StringIO(answer)
        monkeypatch.setattr(answers, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", answers)
        assert run(["opponents", "forget", "tom", "--database", str(people)]) == code
        assert "Forget tom, whom alice, bob" in capsys.readouterr().err
        with closing(sqlite3.connect(people)) as connection:
            query = "SELECT count(*) FROM opponent WHERE name = 'tom'"
            assert connection.execute(query).fetchone() == (left,)


def test_forgetting_by_one_observer(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("forget", "tom", "--database", people, "--observer", "bob", "--force")
    assert found(capsys, *arguments)["forgotten"] == {"tom": 1}
    left = found(capsys, "list", "--database", people)["players"]["tom"]
    assert [memory["observer"] for memory in left] == ["alice"]
    assert "no observer 'bob'" in refused(capsys, 1, *arguments)


def test_names_that_are_not_there(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for verb in (["show"], ["forget", "--force"]):
        line = refused(capsys, 1, *verb, "tmo", "--database", people)
        assert line.endswith("no opponent 'tmo'; did you mean tom?")
    line = refused(capsys, 1, "list", "--database", people, "--observer", "alcie")
    assert line.endswith("no observer 'alcie'; did you mean alice?")


def test_databases_that_have_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.sqlite3"
    assert "nobody is remembered: there is no" in refused(capsys, 1, "list", "--database", missing)
    assert not missing.exists(), "it is not made only to be found empty"
    open_blocking(f"sqlite:///{missing}").close()
    assert "nobody is remembered in" in refused(capsys, 1, "list", "--database", missing)
    (tmp_path / "text").write_text("no database " * 100)
    assert "file is not a database" in refused(capsys, 2, "list", "--database", tmp_path / "text")
    said = refused(capsys, 2, "list", "--database", "postgresql://ann:swordfish@127.0.0.1:1/x")
    assert "swordfish" not in said


def test_damaged_records_are_left_out_and_can_be_forgotten(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(people)) as connection, connection:
        connection.execute("UPDATE opponent SET record = '[' WHERE observer = 'bob'")
        connection.execute("""UPDATE opponent SET record = '{"version": 1}' WHERE name <> 'tom'""")
    assert run(["opponents", "list", "--database", str(people), "--json"]) == 0
    out, err = capsys.readouterr()
    assert {name: len(of) for name, of in json.loads(out)["players"].items()} == {"tom": 1}
    assert len(err.splitlines()) == 2
    assert "left out: what bob remembers of tom: not JSON" in err
    line = refused(capsys, 1, "show", "tom", "--observer", "bob", "--database", people)
    assert "not JSON" in line
    assert found(capsys, "forget", "tom", "--force", "--database", people)["forgotten"] == {
        "tom": 2
    }


def test_names_are_completed(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def completed(*words: str) -> list[str]:
        shell = ShellComplete(_railbird, {}, "railbird", COMPLETE_VARIABLE)
        return [item.value for item in shell.get_completions([*words[:-1]], words[-1])]

    assert completed("opponents", "show", "--database", str(people), "t") == ["tom"]
    assert completed("opponents", "forget", "--database", str(people), "x") == []
    nowhere = people.parent / "nowhere"
    assert completed("opponents", "show", "--database", str(nowhere), "") == []
    assert not nowhere.exists()
