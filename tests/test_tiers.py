"""Which tests run when: `helpers.tiers`, `rewriting` and `resuming`, tried on small projects."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

from helpers.rewriting import rewrite_file

HELPERS = Path(__file__).parent
CASES = """
import pytest

@pytest.mark.slow
def test_long(): pass

@pytest.mark.slow(but=["two"])
@pytest.mark.parametrize("seats", [2, 9], ids=["two", "nine"])
def test_smallest_case_stays(seats): pass

@pytest.mark.slow(only=["nine"])
@pytest.mark.parametrize("seats", [2, 9], ids=["two", "nine"])
def test_largest_case_goes(seats): pass
"""
SKIPS = """
import pytest

def test_passes(): pass

@pytest.mark.skip(reason="no ../shared/data here")
def test_on_real_logs(): pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers = slow: long\ntestpaths = test_it.py\naddopts = -p helpers.tiers\n"
    )
    return tmp_path


def run(
    project: Path, tests: str, *options: str, ci: bool = False
) -> subprocess.CompletedProcess[str]:
    (project / "test_it.py").write_text(tests)
    unwanted = ("CI", "PYTEST_")
    environment = {key: v for key, v in os.environ.items() if not key.startswith(unwanted)}
    environment |= {"PYTHONPATH": str(HELPERS), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment |= {"CI": "true"} if ci else {}
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *options]
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )


def passed(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stdout
    return passed_of(done)


def passed_of(done: subprocess.CompletedProcess[str]) -> list[str]:
    lines = done.stdout.splitlines()
    return [line.split("::")[1].split()[0] for line in lines if " PASSED" in line]


MARKED_LATE = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    items[0].add_marker(pytest.mark.slow)

def pytest_collection_finish(session):
    for item in session.items:
        print(item.name, *[mark.args[0] for mark in item.iter_markers("timeout")])
"""


def test_what_is_slow_has_its_time_whoever_marks_it(project: Path) -> None:
    (project / "conftest.py").write_text(MARKED_LATE)
    done = run(project, SKIPS, "--collect-only", "-m", "slow or not slow")
    assert {"test_passes 7200", "test_on_real_logs"} <= set(done.stdout.splitlines())


def test_cases_are_slow_one_by_one(project: Path) -> None:
    few = ["test_smallest_case_stays[two]", "test_largest_case_goes[two]"]
    assert passed(run(project, CASES, "-m", "not slow")) == few
    assert passed(run(project, CASES, "-m", "slow")) == [
        "test_long",
        "test_smallest_case_stays[nine]",
        "test_largest_case_goes[nine]",
    ]


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        ('but=["ten"]', "test_smallest_case_stays has no case ten"),
        ('without=["two"]', "slow takes but= or only=, not without"),
        ('"two"', "slow takes but= or only=, not two"),
    ],
)
def test_a_case_that_is_not_there_is_an_error(project: Path, mark: str, says: str) -> None:
    refused = run(project, CASES.replace('but=["two"]', mark))
    assert refused.returncode == pytest.ExitCode.USAGE_ERROR
    assert says in refused.stdout + refused.stderr


def test_only_missing_data_is_a_reason_to_skip(project: Path) -> None:
    assert passed(run(project, SKIPS, ci=True)) == ["test_passes"]
    tests = SKIPS.replace("no ../shared/data here", "no browser here")
    assert passed(run(project, tests)) == ["test_passes"]
    refused = run(project, tests, ci=True)
    assert refused.returncode == pytest.ExitCode.TESTS_FAILED
    assert "test_it.py::test_on_real_logs: Skipped: no browser here" in refused.stdout


def test_a_failure_says_how_to_repeat_it(project: Path) -> None:
    failed = run(project, SKIPS + "\ndef test_fails(): assert False\n")
    assert failed.returncode == pytest.ExitCode.TESTS_FAILED
    said = failed.stdout.split("On the only process, after others; to repeat:")[1]
    assert said.index("'test_it.py::test_passes'") < said.index("'test_it.py::test_fails'")


def test_workers_begin_with_files_of_few_slow_tests(project: Path) -> None:
    (project / "pytest.ini").write_text(
        "[pytest]\nmarkers = slow: long\naddopts = -p helpers.tiers -p xdist.plugin\n"
    )
    slow = "import pytest\npytestmark = pytest.mark.slow\ndef test_{0}(): pass\n"
    (project / "test_a.py").write_text("def test_short(): pass\n")
    (project / "test_b.py").write_text("def test_of_two(): pass\ndef test_of_the_same(): pass\n")
    (project / "test_c.py").write_text(slow.format("slow") + "def test_slow_too(): pass\n")
    options = ("-n1", "--dist=loadscope", "--no-loadscope-reorder", "-m", "slow or not slow")
    done = run(project, slow.format("slowest"), *options)
    assert passed(done) == [
        "test_slowest",
        "test_slow",
        "test_slow_too",
        "test_of_two",
        "test_of_the_same",
        "test_short",
    ]


def test_a_rewritten_file_is_not_rewritten_again(
    tmp_path: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "test_wrong.py"
    file.write_text("def test_sum(): assert 1 + 1 == 3\n")
    rewrite_file(file, pytestconfig)
    monkeypatch.delattr(rewrite, "_rewrite_test")
    rewrite_file(file, pytestconfig)
    hook = rewrite.AssertionRewritingHook(pytestconfig)
    spec = spec_from_file_location("test_wrong", file, loader=hook)
    assert spec is not None
    module = module_from_spec(spec)
    hook.exec_module(module)
    with pytest.raises(AssertionError, match=r"\(1 \+ 1\) == 3"):
        module.test_sum()


def test_what_tests_start_can_be_interrupted(project: Path) -> None:
    asks = "import signal; print(signal.getsignal(signal.SIGINT) is not signal.SIG_IGN)"
    tests = (
        "import subprocess, sys\n"
        "def test_interrupt():\n"
        f"    assert subprocess.check_output([sys.executable, '-c', {asks!r}]) == b'True\\n'\n"
    )
    ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        done = run(project, tests)
    finally:
        signal.signal(signal.SIGINT, ignored)
    assert passed(done) == ["test_interrupt"]


STOPPED = """
import os, pathlib, signal, time
def test_begun(): pass
def test_stopped():
    if "STOP" in os.environ:
        while "test_a.py" not in pathlib.Path(".pytest_cache/passed_files.txt").read_text():
            time.sleep(0.01)
        process = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
        os.kill(process, int(os.environ["STOP"]))
        signal.pause()
"""
FAILS = """
import os
def test_fails_now_and_then(): assert "FAIL" not in os.environ
"""


@pytest.mark.slow(only=["killed"])
@pytest.mark.parametrize(
    ("how", "options"),
    [(signal.SIGINT, ()), (signal.SIGKILL, ("-n1", "--dist=loadscope", "--no-loadscope-reorder"))],
    ids=["interrupted", "killed"],
)
def test_a_stopped_run_goes_on_after_the_files_that_passed(
    project: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals, options: tuple[str, ...]
) -> None:
    (project / "pytest.ini").write_text(
        "[pytest]\naddopts = -p helpers.resuming -p xdist.plugin --resume\n"
    )
    (project / ".gitignore").write_text("*cache*\n")
    (project / "test_a.py").write_text("def test_short(): pass\n")
    (project / "test_it.py").write_text(STOPPED)
    (project / "test_z.py").write_text(FAILS)
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "all")
    every = ["test_short", "test_begun", "test_stopped", "test_fails_now_and_then"]
    record = project / ".pytest_cache" / "passed_files.txt"
    monkeypatch.setenv("STOP", str(int(how)))
    stopped = run(project, STOPPED, *options)
    assert stopped.returncode in (pytest.ExitCode.INTERRUPTED, -how)
    kept = record.read_text()
    assert kept.splitlines()[1:] == ["test_a.py"]
    monkeypatch.delenv("STOP")
    assert passed(run(project, STOPPED, *options, "-k", "test_")) == every, "another selection"
    record.write_text(kept)
    monkeypatch.setenv("FAIL", "1")
    resumed = run(project, STOPPED, *options)
    assert "resumed: 1 files passed before on this commit" in resumed.stdout
    assert passed_of(resumed) == every[1:3]
    assert not record.exists(), "what failed is begun anew"
    monkeypatch.delenv("FAIL")
    assert passed(run(project, STOPPED, *options)) == every
    assert not record.exists()
    record.write_text(kept)
    assert passed(run(project, STOPPED + "def test_new(): pass\n", *options))[0] == "test_short"


def git(project: Path, *arguments: str) -> str:
    name = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(
        ["git", *name, *arguments], cwd=project, capture_output=True, text=True, check=True
    )
    return done.stdout
