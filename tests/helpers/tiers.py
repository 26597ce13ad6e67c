"""Which tests run when, and what a run says of itself: a plugin of the root's `conftest.py`.

There are two tiers and one marker. ``make test`` runs what is not `slow`, ``make test-all`` both.
Of a parametrized test some cases may be slow and others not::

    @pytest.mark.slow                     # every case
    @pytest.mark.slow(but=["2-seats"])    # all but the case of this id, the smallest
    @pytest.mark.slow(only=["9-seats"])   # this case alone

Where the environment says ``CI``, whatever a run needs is there: a test that is skipped for another
reason than real data that is no part of the project makes the run fail.
"""

from __future__ import annotations

import os
import signal
from collections import Counter, defaultdict, deque
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

MISSING_DATA = "../shared/data"
"""In the reason of a skip that is allowed everywhere."""

_SLOW_TIMEOUT_S = 7200
"""That only a hang reaches, on any machine; `timeout` in pyproject.toml is that of the others."""

_LAST = 5
"""Tests before a failed one that its report names."""


def pytest_configure() -> None:
    """Let the programs that tests start be interrupted where a script has begun this run.

    A shell lets what it starts in the background ignore Ctrl-C, and so would all that this starts.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_slow(mark: pytest.Mark, case: str) -> bool:
    if unknown := set(mark.kwargs) - {"but", "only"} or set(mark.args):
        raise pytest.UsageError(f"slow takes but= or only=, not {', '.join(map(str, unknown))}")
    if "only" in mark.kwargs:
        return case in mark.kwargs["only"]
    return case not in mark.kwargs.get("but", ())


def _case(item: pytest.Item) -> str:
    """The id of an item among those of its function."""
    return (
        item.callspec.id if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ""
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, None, None]:
    """Take the mark `slow` from the cases that are not, before pytest selects by it.

    What is slow, whoever has marked it, is given its time.
    """
    named: dict[str, set[str]] = defaultdict(set)
    found: dict[str, set[str]] = defaultdict(set)
    for item in items:
        function = item.nodeid.split("[")[0]
        found[function].add(_case(item))
        for mark in [mark for mark in item.own_markers if mark.name == "slow"]:
            named[function].update(mark.kwargs.get("but", ()), mark.kwargs.get("only", ()))
            if not _is_slow(mark, _case(item)):
                item.own_markers.remove(mark)
    if config.args == config.getini("testpaths"):  # otherwise cases may be missing on purpose
        for function, cases in named.items():
            if missing := cases - found[function]:
                raise pytest.UsageError(f"{function} has no case {', '.join(sorted(missing))}")
    yield
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(_SLOW_TIMEOUT_S))
    if "PYTEST_XDIST_WORKER" in os.environ:
        _order_for_workers(items)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests only where there are any.

    Six files in seven have none, and each worker would import them and look through every object.
    """
    collectors = yield
    if file_path.suffix != ".py" or ">>>" in file_path.read_text(encoding="utf-8"):
        return collectors
    return [collector for collector in collectors if not isinstance(collector, DoctestModule)]


def _order_for_workers(items: list[pytest.Item]) -> None:
    """Put first the files that hold up the end of a run: those with slow tests, and few of them.

    Workers take one file after another. A test of a quarter of an hour that is begun last would
    leave one worker busy and the others idle; many short tests at the end fill what time is left.
    """
    tests = Counter(_file(item) for item in items)
    slow = {_file(item) for item in items if item.get_closest_marker("slow")}

    def place(item: pytest.Item) -> tuple[bool, int]:
        file = _file(item)
        return file not in slow, tests[file] if file in slow else -tests[file]

    items.sort(key=place)


def _file(item: pytest.Item) -> str:
    return item.nodeid.split("::")[0]


_ran: deque[str] = deque(maxlen=_LAST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say with a failure what is needed to repeat it; seeds of Hypothesis it says itself."""
    report = yield
    if report.failed:
        before = [*_ran, item.nodeid] if item.nodeid not in _ran else list(_ran)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "the only process")
        text = f"On {worker}, after others; to repeat:\n.venv/bin/pytest -m 'slow or not slow' \\\n"
        report.sections.append(("to repeat", text + " \\\n".join(f"  '{name}'" for name in before)))
    if call.when == "teardown":
        _ran.append(item.nodeid)
    return report


_skips: list[str] = []


def _note_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if MISSING_DATA not in reason:
            _skips.append(f"{report.nodeid}: {reason}")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note_skip(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note_skip(report)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything is installed, let no test be left out in silence."""
    if os.environ.get("CI") and _skips and "PYTEST_XDIST_WORKER" not in os.environ:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get("CI") and _skips:
        terminalreporter.section("skipped, which CI does not allow")
        for line in _skips:
            terminalreporter.line(line)
