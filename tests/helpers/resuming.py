"""Let a long run that was stopped go on where it stopped: a plugin of the root's `conftest.py`.

With ``--resume``, as in ``make test-all``, a run writes down each file of which every test has
passed, and the next run of the same command on the same commit leaves these out. Nothing is left
out where a file has changed since, nor after a failure: what fails now and then would pass whole by
its parts.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

_PASSED: Final = pytest.StashKey[frozenset[str]]()
"""Files that a stopped run has finished, which this one leaves out."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--resume", action="store_true", help="Go on with a run that was stopped on this commit."
    )


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("resume"):
        return
    if hasattr(config, "workerinput"):
        config.stash[_PASSED] = frozenset(config.workerinput["passed_files"])
    elif commit := _commit(config.rootpath):
        record = config.rootpath / ".pytest_cache" / "passed_files.txt"
        # With other options a file may have passed of which only some tests were run.
        run = " ".join([commit, *map(repr, config.invocation_params.args)])
        first, *files = record.read_text().splitlines() if record.exists() else [""]
        passed = frozenset(files if first == run else ())
        config.stash[_PASSED] = passed
        config.pluginmanager.register(_Recorder(record, run, passed))


def _commit(root: Path) -> str | None:
    """Return the commit of a checkout in which nothing is changed."""
    told = []
    for command in ("rev-parse HEAD", "status --porcelain"):
        git = ["git", *command.split()]
        done = subprocess.run(git, cwd=root, capture_output=True, text=True, check=False)
        told.append(done.stdout.strip() if done.returncode == 0 else None)
    commit, changes = told
    return commit if changes == "" else None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker what to leave out: all must find the same tests, whenever they begin."""
    node.workerinput["passed_files"] = sorted(node.config.stash.get(_PASSED, ()))


def pytest_report_header(config: pytest.Config) -> str | None:
    passed = config.stash.get(_PASSED, frozenset())
    return f"resumed: {len(passed)} files passed before on this commit" if passed else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    passed = config.stash.get(_PASSED, frozenset())
    left_out = [item for item in items if _file(item.nodeid) in passed]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _file(item.nodeid) not in passed]


class _Recorder:
    """Writes down which files have passed; on the process that hears of all tests."""

    def __init__(self, record: Path, run: str, passed: Iterable[str]) -> None:
        self._record = record
        self._left: Counter[str] = Counter()
        """Tests of each file that have not ended."""
        self._failed = False
        record.parent.mkdir(exist_ok=True)
        record.write_text("".join(f"{line}\n" for line in (run, *sorted(passed))))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._left = Counter(_file(item.nodeid) for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Iterable[str]) -> None:
        if not self._left:
            self._left = Counter(map(_file, ids))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed
        if report.when != "teardown" or self._failed:
            return
        file = _file(report.nodeid)
        self._left[file] -= 1
        if not self._left[file]:
            with self._record.open("a") as record:
                record.write(f"{file}\n")

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Begin anew after a run that is whole, or that has failed."""
        if self._failed or exitstatus != pytest.ExitCode.INTERRUPTED:
            self._record.unlink(missing_ok=True)


def _file(nodeid: str) -> str:
    return nodeid.split("::")[0]
