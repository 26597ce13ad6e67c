"""Share the rewriting of assertions among a run's workers: a plugin of the root's `conftest.py`.

pytest rewrites a test file when it is imported and keeps the result beside it. Workers that begin
together on a fresh clone would each rewrite every file, which takes longer than importing them.
Here each rewrites its share first, and then mostly finds the others' done.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

_TESTS = Path(__file__).resolve().parents[1]


def pytest_sessionstart(session: pytest.Session) -> None:
    if (worker := os.environ.get("PYTEST_XDIST_WORKER")) and not sys.dont_write_bytecode:
        share = slice(
            int(worker.removeprefix("gw")), None, int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        )
        for file in sorted(_TESTS.rglob("test_*.py"))[share]:
            rewrite_file(file, session.config)


def rewrite_file(file: Path, config: pytest.Config) -> None:
    """Do what pytest's own importer does but for running the file."""
    state = config.stash[rewrite.assertstate_key]
    folder = rewrite.get_cache_dir(file)
    kept = folder / (file.stem + rewrite.PYC_TAIL)
    if rewrite.try_makedirs(folder) and rewrite._read_pyc(file, kept, state.trace) is None:
        source_hash, code = rewrite._rewrite_test(file, config)
        rewrite._write_pyc(state, code, source_hash, kept)
