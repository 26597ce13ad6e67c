"""The signature of golden files, and commits that say that they change none, in a small history."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from golden.signature import (
    GOLDEN,
    broken_claims,
    golden_files,
    golden_files_here,
    signature,
)


class History:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._git("init", "--quiet", "--initial-branch=main")

    def commit(self, message: str, **files: str) -> str:
        """Write files of the golden folder, ``_py`` at the end of a name standing for ``.py``."""
        for name, text in files.items():
            path = self.folder / GOLDEN / name.replace("_py", ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self._git("add", ".")
        self._git("commit", "--quiet", "--allow-empty", "-m", message)
        return self._git("rev-parse", "HEAD").strip()

    def _git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        command = ["git", "-C", str(self.folder), *identity, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path)


def test_a_signature_is_of_what_golden_files_hold(history: History) -> None:
    first = history.commit("Answers", answer="1\n", test_py="old")
    tests_only = history.commit("Tests alone", test_py="new")
    other = history.commit("Another answer", answer="2\n")
    numbers = [signature(golden_files(each, history.folder)) for each in (first, tests_only, other)]
    assert numbers[0] == numbers[1] != numbers[2]
    assert signature(golden_files_here(history.folder)) == numbers[2]
    (history.folder / GOLDEN / "answer").write_text("1\n")
    assert signature(golden_files_here(history.folder)) == numbers[0]
    (history.folder / GOLDEN / "new").write_text("")
    assert golden_files_here(history.folder).keys() == {f"{GOLDEN}/answer", f"{GOLDEN}/new"}


def test_a_commit_that_says_that_it_changes_nothing_is_taken_at_its_word(history: History) -> None:
    history.commit("Answers", answer="1\n")
    history.commit("A name is better\n\nNo functional change.", test_py="new")
    assert list(broken_claims(history.folder)) == []
    broken = history.commit("Another name\n\nNo functional change", answer="2\n")
    history.commit("It says so in a sentence: No functional change. Not.", answer="3\n")
    (line,) = broken_claims(history.folder)
    assert line == f"{broken[:9]} says that no function changes, but changes {GOLDEN}/answer"


def test_a_shallow_clone_has_claims_without_parents(history: History, tmp_path: Path) -> None:
    history.commit("Answers", answer="1\n")
    history.commit("Another\n\nNo functional change.", answer="2\n")
    clone = tmp_path / "clone"
    source = history.folder.as_uri()
    subprocess.run(["git", "clone", "--quiet", "--depth=1", source, str(clone)], check=True)
    assert list(broken_claims(clone)) == []
