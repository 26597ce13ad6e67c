"""What a comparison of definitions sees, and what it passes over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from same.definitions import differences

GAME = """
from __future__ import annotations
import numpy as np

MOST = 5

def total(amounts):
    \"\"\"Add up.\"\"\"
    return np.sum(amounts) + MOST
"""
OTHER = "MOST = 7\n"
USER = """
from house.game import total

class Table:
    def pot(self):
        return total(self.bets)
"""
TOGETHER = """
import numpy

from house import other

class Table:
    \"\"\"A table.\"\"\"

    def pot(self):
        from house import rooms
        return rooms.sums.total(self.bets)
"""


def tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / "src" / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def old(tmp_path: Path) -> Path:
    files = {"__init__.py": "", "game.py": GAME, "other.py": OTHER, "user.py": USER}
    return tree(tmp_path / "old", files)


def moved(folder: Path, *, game: str = GAME, other: str = OTHER) -> Path:
    """Write the old definitions in other files, with other imports and docstrings."""
    door = "from house.rooms.sums import total as total\n"
    files = {
        "__init__.py": "",
        "rooms/__init__.py": "import lazy_loader\n__all__ = ['total']\n",
        "rooms/__init__.pyi": door,
        "rooms/sums.py": game.replace("Add up", "Return a sum"),
        "other.py": other,
        "together.py": TOGETHER,
    }
    return tree(folder, files)


def test_a_move_is_silent(old: Path, tmp_path: Path) -> None:
    assert list(differences(old, moved(tmp_path / "new"))) == []


LOCALS = """
def winner(payoffs, least=0):
    best = None
    for seat, payoff in enumerate(payoffs):
        if payoff > least and (best is None or payoff > payoffs[best]):
            best = seat
    def text(seat):
        return f"{seat}: {payoffs[seat]}, {best}"
    try:
        return [text(seat) for seat in range(len(payoffs)) if seat == best]
    except LookupError as error:
        raise ValueError(str(error)) from error
"""


@pytest.mark.parametrize("name", ["payoffs", "least", "best", "payoff", "error", "text"])
def test_a_renamed_local_is_silent(tmp_path: Path, name: str) -> None:
    old = tree(tmp_path / "old", {"play.py": LOCALS})
    new = tree(tmp_path / "new", {"play.py": re.sub(rf"\b{name}\b", "renamed", LOCALS)})
    assert list(differences(old, new)) == []


def test_a_local_of_an_inner_scope_is_renamed_by_itself(tmp_path: Path) -> None:
    old = tree(tmp_path / "old", {"play.py": LOCALS})
    inner = LOCALS.replace("text(seat) for seat in", "text(winner) for winner in")
    new = tree(tmp_path / "new", {"play.py": inner.replace("if seat ==", "if winner ==")})
    assert list(differences(old, new)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("best = seat", "best = payoff"),
        ("text(seat) for", "text(best) for"),
        ("{payoffs[seat]}, {best}", "{payoffs[best]}, {seat}"),
        ("payoffs, least", "least, payoffs"),
        ("str(error)", "str(best)"),
        ("len(payoffs)", "max(payoffs)"),
    ],
)
def test_another_local_is_a_difference(tmp_path: Path, before: str, after: str) -> None:
    old = tree(tmp_path / "old", {"play.py": LOCALS})
    assert before in LOCALS
    new = tree(tmp_path / "new", {"play.py": LOCALS.replace(before, after)})
    assert len(list(differences(old, new))) == 2


def test_a_changed_token_is_told_with_its_place(old: Path, tmp_path: Path) -> None:
    new = moved(tmp_path / "new", game=GAME.replace("+ MOST", "- MOST"))
    assert list(differences(old, new)) == [
        "- src/house/game.py:7 total",
        "+ src/house/rooms/sums.py:7 total",
    ]


def test_a_namesake_from_elsewhere_is_not_taken_for_the_same(old: Path, tmp_path: Path) -> None:
    other = GAME.replace("MOST = 5\n", "from house.other import MOST\n") + "\nFIVE = 5\n"
    new = moved(tmp_path / "new", game=other)
    told = list(differences(old, new))
    assert "- src/house/game.py:7 total" in told
    assert "+ src/house/rooms/sums.py:7 total" in told


def test_a_definition_that_comes_twice_or_goes_is_told(old: Path, tmp_path: Path) -> None:
    twice = moved(tmp_path / "twice", other=OTHER + "\ndef new():\n    pass\n" * 2)
    assert len(list(differences(old, twice))) == 2
    (old / "src/house/other.py").write_text("", encoding="utf-8")
    assert "+ src/house/other.py:1 MOST" in list(differences(old, moved(tmp_path / "gone")))
