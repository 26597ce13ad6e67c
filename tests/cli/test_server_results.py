"""``railbird server ratings`` and ``railbird server results`` over a database."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.cli import run
from railbird.serve.results import LADDER
from railbird.storage import accounts, open_blocking
from railbird.storage.accounts import AccountKind
from railbird.storage.results import ResultEntry, TournamentResult, record_result

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
PLAYERS = ("ann", "bob", "carol", "dave")


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """A database with twenty tournaments, a void one and an unrated one."""
    path = tmp_path / "server.sqlite3"
    database = open_blocking(f"sqlite:///{path}")
    rng = np.random.default_rng(1)
    with database.write() as session:
        for name in PLAYERS:
            kind = AccountKind.PERSON if name == "ann" else AccountKind.BOT
            accounts.create_account(session, name, kind=kind)
        for number in range(22):
            luck = np.arange(4) + 2 * rng.normal(size=4)
            places = (luck.argsort().argsort() + 1).tolist()
            entries = [
                ResultEntry(
                    name=name, place=place, kind=AccountKind.BOT, prize=10.0 * (place == 1), fee=2.5
                )
                for name, place in zip(PLAYERS, places, strict=True)
            ]
            record_result(
                session,
                TournamentResult(
                    id=f"t{number}",
                    ladder="nolimit",
                    rated=number != 21,
                    void_reason="chips" if number == 20 else None,
                    started_at=NOON,
                    finished_at=NOON + timedelta(minutes=number),
                    entries=entries,
                ),
                LADDER,
            )
    database.close()
    return path


def told(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_the_ladder(server: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["server", "ratings", str(server), "--json"]) == 0
    found = told(capsys)
    assert found["tournaments"] == 20
    assert list(found["players"]) == sorted(
        PLAYERS, key=lambda name: -found["players"][name]["mean"]
    )
    ann = found["players"]["ann"]
    assert ann["low"] == pytest.approx(ann["mean"] - 2 * ann["deviation"])
    assert (ann["kind"], ann["tournaments"], ann["provisional"]) == ("person", 20, True)
    assert run(["server", "ratings", f"sqlite:///{server}"]) == 0
    text = capsys.readouterr().out
    assert "± 2 deviations" in text
    assert "?" in text


def test_the_batch_fit(server: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["server", "ratings", str(server), "--show", "fit", "--json"]) == 0
    found = told(capsys)["players"]
    ann = found["ann"]["strength"]
    assert ann["low"] < ann["value"] < ann["high"]
    assert ann["n"] == 20
    assert sum(one["strength"]["value"] for one in found.values()) == pytest.approx(0)
    assert run(["server", "ratings", str(server), "--show", "fit", "--json"]) == 0
    assert told(capsys)["players"] == found, "the same results have the same intervals"
    assert run(["server", "ratings", str(server), "--show", "fit"]) == 0
    assert "95 % interval" in capsys.readouterr().out


def test_results(server: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["server", "results", str(server), "--json"]) == 0
    found = told(capsys)["tournaments"]
    assert [one["tournament"] for one in found[:3]] == ["t21", "t20", "t19"]
    assert found[1]["void"] == "chips"
    assert [one["place"] for one in found[2]["entries"]] == [1, 2, 3, 4]
    assert found[2]["entries"][0]["prize"] == 10
    assert run(["server", "results", str(server)]) == 0
    text = capsys.readouterr().out
    assert "void: chips" in text
    assert "2 older tournaments" in text
    assert run(["server", "results", str(server), "--player", "ANN", "--json"]) == 0
    found = told(capsys)
    assert len(found["tournaments"]) == 22
    assert found["series"] == [], "four sat at each table"


@pytest.mark.slow(but=["ratings-4"])
@pytest.mark.parametrize(("verb", "rows"), [("ratings", 4), ("results", 88)])
def test_tables(
    server: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str, rows: int
) -> None:
    out = tmp_path / "x.csv"
    assert run(["server", verb, str(server), "--out", str(out)]) == 0
    found = list(csv.DictReader(io.StringIO(out.read_text())))
    assert len(found) == rows
    assert set(PLAYERS) == {row["player"] for row in found}
    assert run(["server", verb, str(server), "--out", str(out)]) == 2
    assert "exists" in capsys.readouterr().err
    assert run(["server", verb, str(server), "--out", str(tmp_path / "x.txt")]) == 2


@pytest.mark.slow(but=["arguments3-1-ladder"])
@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("server", "ratings", "nowhere.sqlite3"), 1, "there is no nowhere.sqlite3"),
        (("server", "results", "nowhere.sqlite3"), 1, "there is no nowhere.sqlite3"),
        (("server", "ratings", "mysql://x/y"), 2, "allowed: sqlite"),
        (("server", "ratings", "{server}", "--game", "limit"), 1, "ladder"),
        (("server", "results", "{server}", "--player", "zoe"), 1, "no tournament of zoe"),
        (("server", "results", "{empty}"), 1, "no tournament in"),
    ],
)
def test_what_is_not_there_is_told_in_a_line(
    server: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    empty = tmp_path / "empty.sqlite3"
    open_blocking(f"sqlite:///{empty}").close()
    assert run([one.format(server=server, empty=empty) for one in arguments]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
