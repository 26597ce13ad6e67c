"""Folders of a user: of files that can be rebuilt, and of those that cannot."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

import platformdirs

VARIABLE: Final = "RAILBIRD_CACHE"
"""Environment variable that names the cache folder."""
_LOG: Final = logging.getLogger(__name__)
_PASSING = set[Path]()
"""Cache folders that go when this process ends."""


def cache_folder() -> Path:
    """Return the user's cache folder, or the one that the variable ``RAILBIRD_CACHE`` names.

    If the user's folder is not writable, it is a temporary folder of this process.
    """
    named = os.environ.get(VARIABLE)
    return Path(named) if named else _usable(Path(platformdirs.user_cache_dir("railbird")))


def is_kept() -> bool:
    """Return whether the cache folder keeps its contents when this process ends."""
    return cache_folder() not in _PASSING


@lru_cache(maxsize=4)
def _usable(folder: Path) -> Path:
    there = next(ancestor for ancestor in (folder, *folder.parents) if ancestor.exists())
    if os.access(there, os.W_OK | os.X_OK):
        return folder
    try:
        instead = Path(tempfile.mkdtemp(prefix="railbird-"))
    except OSError:  # whoever writes to the folder says what is wrong with it
        return folder
    _PASSING.add(instead)
    atexit.register(_remove, instead, os.getpid())
    os.environ[VARIABLE] = str(instead)  # for the processes that this one starts
    _LOG.warning(
        "nothing can be kept in %s: what is computed is lost at the end; %s names another folder",
        folder,
        VARIABLE,
    )
    return instead


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # and no copy of it
        shutil.rmtree(folder, ignore_errors=True)


def data_folder() -> Path:
    """Return the platform's folder for user data, for what cannot be computed again."""
    return Path(platformdirs.user_data_dir("railbird"))
