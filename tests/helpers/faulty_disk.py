"""A disk that fails when it is told to, under the journals of a house in this process."""

from __future__ import annotations

import errno
import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


class FaultyDisk:
    """The functions of the system that journals are written with; each may fail.

    ``fails`` is asked before each of them, by its name: ``open``, ``write``, ``tear``, ``sync``,
    ``copy``, ``rename``. A write that tears takes a part of the line only.
    """

    def __init__(self, fails: Callable[[str], bool]) -> None:
        self.fails = fails
        self.faults: Counter[str] = Counter()
        """What has failed so far."""

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Put it under the journals."""
        rename = Path.rename

        def renamed(path: Path, target: Path) -> Path:
            self._may("rename", errno.EROFS)
            return rename(path, target)

        for module in ("journal", "openings"):
            patch.setattr(f"railbird.hosting.{module}.os", self)
        patch.setattr("railbird.hosting.openings.shutil", self)
        patch.setattr(Path, "rename", renamed)

    def open(self, *arguments: Any) -> int:
        self._may("open", errno.ENOSPC)
        return os.open(*arguments)

    def write(self, file: int, data: bytes) -> int:
        self._may("write", errno.ENOSPC)
        if self._has_fault("tear"):
            return os.write(file, data[: len(data) // 2])
        return os.write(file, data)

    def fdatasync(self, file: int) -> None:
        self._may("sync", errno.EIO)
        os.fdatasync(file)

    def copyfile(self, source: Path, target: Path) -> None:
        self._may("copy", errno.ENOSPC)
        shutil.copyfile(source, target)

    def _may(self, what: str, code: int) -> None:
        if self._has_fault(what):
            raise OSError(code, os.strerror(code))

    def _has_fault(self, what: str) -> bool:
        if not self.fails(what):
            return False
        self.faults[what] += 1
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(shutil if name == "rmtree" else os, name)
