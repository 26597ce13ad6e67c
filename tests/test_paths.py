"""The cache folder, where it can be written and where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from railbird._paths import VARIABLE, cache_folder, is_kept

SHOWS = """
import logging, os
from railbird._paths import VARIABLE, cache_folder, is_kept
folder = cache_folder()
print(folder, folder.is_dir(), is_kept(), folder == cache_folder(), os.environ.get(VARIABLE))
"""


def shown(cache: Path) -> tuple[list[str], str]:
    """What a process with this folder for caches prints, and what it warns of."""
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", SHOWS],
        env={**environment, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split(), done.stderr


def test_the_variable_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "there"))
    assert cache_folder() == tmp_path / "there"
    assert is_kept()


@pytest.mark.skipif(sys.platform != "linux", reason="the variable of caches is Linux's")
def test_where_nothing_can_be_written_it_lasts_as_long_as_the_process(tmp_path: Path) -> None:
    usual, warned = shown(tmp_path)
    assert usual == [str(tmp_path / "railbird"), "False", "True", "True", "None"]
    assert not warned
    (tmp_path / "file").touch()
    (folder, *rest, for_children), warned = shown(tmp_path / "file")
    assert rest == ["True", "False", "True"]
    assert folder == for_children
    assert not Path(folder).exists()
    (line,) = warned.splitlines()
    assert f"nothing can be kept in {tmp_path}/file/railbird" in line
    assert VARIABLE in line
