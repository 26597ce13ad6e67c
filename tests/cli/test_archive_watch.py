"""`railbird archive add --watch`: what is written while it runs is added."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helpers.command_line import call

HAND = "Ts6s,Jd5d,Td5hTh/2d/{river}h SlCk/kBrC/bRrC/bC # {number}:Ann|Bob\n"


def played(*numbers: int) -> str:
    return "".join(HAND.format(number=number, river="?34678"[number]) for number in numbers)


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """What happens between two looks, in order; then somebody presses Ctrl-C."""
    happening: list[Callable[[], object]] = []

    def sleep(_: float) -> None:
        if not happening:
            raise KeyboardInterrupt
        happening.pop(0)()

    monkeypatch.setattr("railbird.cli.archive.time.sleep", sleep)
    return happening


def hands_in(capsys: pytest.CaptureFixture[str], archive: Path) -> int:
    rows = json.loads(call(capsys, "archive", "query", str(archive), "--json")[1])["players"]
    return next(int(row["hands"]) for row in rows if row["player"] == "Ann")


def clock() -> Iterator[int]:
    moment = 1_700_000_000_000_000_000
    while True:
        moment += 10**9
        yield moment


TIMES = clock()


def write(path: Path, text: str) -> None:
    """Write a file whose time of change is never that of the last one."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    moment = next(TIMES)
    os.utime(path, ns=(moment, moment))


def test_new_and_growing_files_are_added(
    moments: list[Callable[[], object]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs, archive = tmp_path / "logs", tmp_path / "logs" / "archive"
    write(logs / "one.txt", played(1))
    moments += [
        lambda: write(logs / "one.txt", played(1, 2)),
        lambda: write(logs / "one.txt", played(1, 2, 3)),  # it does not rest yet
        lambda: None,
        lambda: write(logs / "night" / "two.txt", played(4)),
        lambda: write(logs / ".hidden.txt", played(5)),
        lambda: write(logs / "letter.txt", "Dear Ann"),
        lambda: None,
        lambda: None,
    ]
    code, _, err = call(capsys, "archive", "add", str(archive), str(logs), "--watch")
    assert code != 0  # as after every Ctrl-C
    assert not moments
    assert "Traceback" not in err
    assert err.count("added, ") == 3
    assert "2 hands added, 1 were there already" in err
    assert hands_in(capsys, archive) == 4


def test_an_empty_folder_is_followed_too(
    moments: list[Callable[[], object]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs, archive = tmp_path / "logs", tmp_path / "archive"
    logs.mkdir()
    moments += [lambda: write(logs / "one.txt", played(1)), lambda: None, lambda: None]
    call(capsys, "archive", "add", str(archive), str(logs), "--watch")
    assert hands_in(capsys, archive) == 1


@pytest.mark.parametrize("options", [("--json",), ("-",)], ids=["json", "stdin"])
def test_what_cannot_be_followed(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "one.txt", played(1))
    arguments = ("archive", "add", str(tmp_path / "a"), str(tmp_path / "one.txt"), "--watch")
    code, _, err = call(capsys, *arguments, *options)
    assert code == 2
    assert "--watch with" in err
    assert not (tmp_path / "a").exists()
