"""Ctrl-C and SIGTERM, once and twice, to the program alone and to all of its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

import pytest

from helpers.command_line import PATIENCE_S, call, wait_for
from railbird.cli import players, run
from railbird.cli._signals import ending_in_order
from railbird.solve.strategy_files import in_whole_steps

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@contextmanager
def _begun(folder: Path, *args: str) -> Iterator[subprocess.Popen[str]]:
    """Start the program; at the end, nothing of it goes on, whatever a test has found."""
    job = subprocess.Popen(
        [sys.executable, "-m", "railbird", *args],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        restore_signals=True,
        # As in the foreground, whatever this process was started with.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield job
    finally:
        with suppress(ProcessLookupError):
            os.killpg(job.pid, signal.SIGKILL)


def _is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_an_interruption_while_the_compiler_is_being_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A module is listed before it has its functions."""
    monkeypatch.setitem(sys.modules, "railbird._jit", ModuleType("railbird._jit"))
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored in the background
    try:
        with pytest.raises(KeyboardInterrupt), ending_in_order():
            signal.raise_signal(signal.SIGINT)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


THREE = "board = 2c3d7h9sJs\npot = 30\nstacks = 20\nbets = a\n"
THREE += "first = AA,QQ\nsecond = KK,JJ\nthird = TT,A5s\n"
TWO = "board = 2c3d7h9sJs\npot = 30\nstack = 20\noop = AA,QQ\nip = KK,JJ\nbets = a\n"


@pytest.mark.parametrize(
    ("args", "solver"),
    [
        (["three"], "railbird.solve.spot.three.ThreeSolver"),
        (["file"], "railbird.solve.spot.solving.SpotSolver"),
    ],
)
@pytest.mark.parametrize("place", ["__init__", "run"])
def test_an_interruption_of_a_tree_says_what_stays(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    args: list[str],
    solver: str,
    place: str,
) -> None:
    """While a tree is being built, and in the first iteration."""

    def interrupted(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(f"{solver}.{place}", interrupted)
    monkeypatch.chdir(tmp_path)
    Path("x.spot").write_text(THREE if args == ["three"] else TWO)
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored in the background
    try:
        code, _, err = call(
            capsys, "solve", "spot", *args, "x.spot", "--out", "x.solution", "--workers", "1"
        )
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    kept = (
        "interrupted: nothing was written, x.spot is as it was, and the same command begins again"
    )
    assert (code, err.splitlines()[-1]) == (130, f"railbird: {kept}")
    assert not Path("x.solution").exists()


@pytest.mark.slow(but=["signals0-False-0", "signals2-True-200000"])
@pytest.mark.parametrize(
    ("signals", "everybody", "size"),
    [
        pytest.param([signal.SIGINT], False, 0, marks=pytest.mark.slow),
        ([signal.SIGINT], True, 0),
        pytest.param([signal.SIGINT], True, 200_000, marks=pytest.mark.slow),
        ([signal.SIGTERM], False, 200_000),
        ([signal.SIGINT, signal.SIGINT], True, 200_000),
    ],
)
def test_a_match_ends_in_order_and_goes_on(
    tmp_path: Path, signals: list[signal.Signals], everybody: bool, size: int
) -> None:
    """Before the workers have started (the log has 0 bytes or more) as much as later."""
    args = ["match", "always-call", "random", "--workers", "2", "--log", "m.log", "--hands"]
    log = tmp_path / "m.log"
    with _begun(tmp_path, *args, "100000000") as job:
        wait_for(lambda: log.exists() and log.stat().st_size >= size)
        for each in signals:
            (os.killpg if everybody and each is signal.SIGINT else os.kill)(job.pid, each)
            time.sleep(0.05)
        out, err = job.communicate(timeout=PATIENCE_S)
        wait_for(lambda: _is_gone(job.pid))
    # The second one may come when all is done, and end the process itself.
    assert job.returncode in (130, -signal.SIGINT), err
    assert out == ""
    (said,) = [line for line in err.splitlines() if not line.startswith("compiling ")]
    if log.exists():
        assert "kept in m.log; run the same command again to resume" in said
    else:
        nothing = "railbird: stopped after 0 of 100,000,000 hands; nothing is kept"
        assert said in (nothing, "railbird: interrupted")
    assert [path.name for path in tmp_path.iterdir()] in ([], ["m.log"])
    if size:
        hands = sum(line.startswith("STATE") for line in log.read_text().splitlines())
        assert hands > 0
        assert hands % 1000 == 0


def test_ctrl_c_while_the_program_is_being_imported(tmp_path: Path) -> None:
    """A package that is imported first of all presses it."""
    (tmp_path / "click.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "railbird", "--help"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "railbird: interrupted\n")


WAITS_FOR_A_PIPE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import polars
from railbird.histories.files import LogFile
print("opens", flush=True)
LogFile(sys.argv[1])
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Linux tells whether it waits")
def test_ctrl_c_ends_the_wait_for_a_pipe(tmp_path: Path) -> None:
    """Polars has a handler of its own, after which the system would go on with the call."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS_FOR_A_PIPE, str(pipe)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "opens\n"
    status = Path(f"/proc/{process.pid}/stat")
    wait_for(lambda: status.read_text().rpartition(")")[2].split()[0] == "S")
    process.send_signal(signal.SIGINT)
    assert process.communicate()[1].endswith("KeyboardInterrupt\n")


def test_ctrl_c_is_answered_by_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def pressed(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(players.command, "callback", pressed)
    assert run(["players"]) == 130
    assert capsys.readouterr().err == "railbird: interrupted\n"


PRESSED_IN_A_CALLBACK = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from numba.core.codegen import JITCodeLibrary
from railbird.cli import main

whole = JITCodeLibrary._object_compiled_hook.__func__

def pressed(cls, module, code):
    os.kill(os.getpid(), signal.SIGINT)
    whole(cls, module, code)

JITCodeLibrary._object_compiled_hook = classmethod(pressed)
main(["equity", "AsAd", "KsKd", "--board", "2c3c4c", "--json"])
"""


@pytest.mark.slow
def test_ctrl_c_while_llvm_calls_back(tmp_path: Path) -> None:
    """What is raised there would be printed with a traceback, and the code would be lost."""
    done = subprocess.run(
        [sys.executable, "-c", PRESSED_IN_A_CALLBACK],
        env=os.environ | {"RAILBIRD_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 130, done.stderr
    assert done.stdout == ""
    said = [line for line in done.stderr.splitlines() if not line.startswith("compiling ")]
    assert said == ["railbird: interrupted"]


def test_a_verb_says_that_what_a_player_has_solved_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def solve(*_: object, **__: object) -> None:
        def stop() -> None:
            raise KeyboardInterrupt

        in_whole_steps(
            lambda: None, until=lambda: False, write=lambda: None, every=1.0, report=stop
        )

    monkeypatch.setattr("railbird.solve.limit.solving.solve_limit", solve)
    monkeypatch.setattr("railbird.solve.limit.solving.strategy_path", tmp_path.joinpath)
    assert run(["match", "equilibrium:small", "random", "--hands", "20"]) == 130
    words = "interrupted; what was solved is kept; run the same command again to resume"
    assert capsys.readouterr().err.splitlines()[-1] == f"railbird: {words}"
