"""Kernels compiled in other processes while a verb goes on, for Numba compiles on one core alone.

Nothing has to be agreed upon: each process keeps what it compiles in the cache, and waits there for
what another one is compiling. One that fails, or is ended, is no harm.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import railbird

WARM_UP: Final = "railbird.warm_up"
"""Entry points of packages with kernels: a package's name, and its function ``warm_up_steps``."""

_MOST = 8
"""Processes at a time; each takes some 250 MB."""
_SECONDS_TO_END = 2.0
_LESS_URGENT = 5
"""Niceness of helpers: there is one more than cores, and what is needed first goes before."""

Step = Callable[[], object]
"""Calls kernels of a room with trivial input."""


def rooms() -> list[str]:
    """Name the rooms that have something to compile: those with a module ``_warm``.

    After them, the packages beside this one that have.
    """
    from importlib.metadata import entry_points  # every verb imports this module

    package = Path(railbird.__path__[0])
    own = sorted(module.parent.name for module in package.glob("*/_warm.py"))
    return [*own, *sorted(entry_points(group=WARM_UP).names)]


def module_of(room: str) -> str:
    """Name the module that has a room's steps."""
    from importlib.metadata import entry_points

    if (Path(railbird.__path__[0]) / room / "_warm.py").is_file():
        return f"railbird.{room}._warm"
    return entry_points(group=WARM_UP)[room].module


def room_steps(room: str) -> dict[str, Step]:
    """Return what compiles a room's kernels, by ``ROOM: WHAT``."""
    named_steps = importlib.import_module(module_of(room)).warm_up_steps()
    return {f"{room}: {what}": step for what, step in named_steps}


@contextmanager
def compiling_ahead() -> Iterator[Callable[[Sequence[str]], None]]:
    """Yield what starts steps, by name, on the cores that are idle; end them after the block."""
    helpers: list[subprocess.Popen[bytes]] = []

    def start(names: Sequence[str]) -> None:
        from railbird import _jit
        from railbird._threads import thread_count

        cores = thread_count()
        # One more than the other cores: each waits now and then for what another one compiles.
        count = min(cores, len(names), _MOST) if cores > 1 else 0
        with contextlib.suppress(OSError):
            _jit.check_cache()  # what cannot be kept is of no use to this process
            helpers.extend(_helper(names[first::count]) for first in range(count))

    try:
        yield start
    finally:
        for helper in helpers:
            _end(helper)


def _helper(names: Sequence[str]) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(filter(None, sys.path))
    run = f"from {__name__} import compile_steps; compile_steps()"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", run, *names],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is the parent's, which ends it
    )


def _end(helper: subprocess.Popen[bytes]) -> None:
    assert helper.stdin is not None
    helper.stdin.close()
    try:
        helper.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        helper.kill()
        helper.wait()


def compile_steps() -> None:
    """Take the steps that the command line names, as long as the parent lives."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_LESS_URGENT)
    for name in sys.argv[1:]:
        with contextlib.suppress(Exception):
            room_steps(name.partition(":")[0])[name]()


def _end_with_parent() -> None:
    from railbird import _jit

    sys.stdin.buffer.read()
    with _jit.SAVING:
        os._exit(0)


# What verbs compile when nothing is compiled yet, so that it can be said before.


WORTH_SAYING: Final = 2.0
"""Seconds of compiling from which on it is said."""


SLOWEST: Final = 3
"""How many times as long as on the machine of the table it may take: 2.7 on a rented core."""


class FirstUse(NamedTuple):
    """What a verb compiles in one case."""

    seconds: int
    """On two idle cores."""
    alone: int
    """The same on a single core."""
    megabytes: int
    """Written to the cache."""
    ahead: tuple[str, ...] = ()
    """Steps of `railbird machine warm` for the other cores; the first core begins elsewhere."""
    begins_with: str = ""
    """The kernel by which the case is known; any if none is named."""
    no_limit: bool = False
    """True for no-limit games only."""


_LOKI: Final = FirstUse(13, 20, 18, ("arena: Python players",), begins_with="fill_strengths")
_LOKIS: Final = FirstUse(
    13, 22, 20, ("arena: Loki's decisions",), begins_with="play_observed_hands"
)
_DRAWING_LOKIS: Final = FirstUse(
    21, 32, 43, ("arena: Loki's decisions",), begins_with="fill_strengths"
)
"""Those that play hands out; of those that only draw, a third less is compiled."""
_SIMPLE_PLAYERS: Final = FirstUse(8, 8, 8)
_PUSH_FOLD: Final = FirstUse(5, 6, 1, begins_with="iterate")
_ROUNDS: Final = ("assessment: scores by rounds", "odds: hand-rank tables")
_DECISIONS: Final = (
    "assessment: values of any hold'em",
    "assessment: luck from one side's cards",
    "assessment: position of any hold'em",
    "odds: hand-rank tables",
    "assessment: pots of all-ins",
)
_REPLAY: Final = ("game: replay", "game: actions", "game: events")

FIRST_USE: Final[Mapping[str, tuple[FirstUse, ...]]] = {
    "assess": (
        FirstUse(22, 35, 26, _DECISIONS, no_limit=True),
        FirstUse(17, 21, 14, _ROUNDS),
    ),
    "blackjack": (FirstUse(6, 6, 7, begins_with="solve"), FirstUse(25, 25, 39)),
    "demo": (FirstUse(33, 33, 22, (*_ROUNDS, "histories: columns")),),
    "equity": (FirstUse(4, 4, 2, begins_with="play_random_deals"),),
    "experiment": (_PUSH_FOLD, FirstUse(22, 34, 22, _ROUNDS)),
    "explain": (FirstUse(20, 26, 24, _REPLAY),),
    "exploit": (FirstUse(6, 6, 4),),
    "league": (_LOKIS, _DRAWING_LOKIS, _SIMPLE_PLAYERS),
    "match": (_LOKIS, _DRAWING_LOKIS, FirstUse(13, 15, 13, ("arena: compiled players",))),
    "odds": (FirstUse(9, 9, 13, begins_with="strength_of_all"), FirstUse(4, 4, 5)),
    "play": (FirstUse(12, 12, 15),),
    "odds preflop": (FirstUse(3, 3, 2),),
    "pushfold": (_PUSH_FOLD,),
    "report": (FirstUse(25, 38, 32, _DECISIONS),),
    "ring": (_LOKI, _SIMPLE_PLAYERS),
    "score": (FirstUse(18, 20, 18, _ROUNDS),),
    "serve": (_PUSH_FOLD,),
    "solve": (
        FirstUse(15, 15, 5, begins_with="in_order_of_strength"),
        FirstUse(16, 16, 3, begins_with="deal"),
        FirstUse(5, 5, 1),
    ),
    "stats": (FirstUse(11, 12, 7, ("assessment: statistics of players", "assessment: all-ins")),),
    "tournament": (_LOKI, _SIMPLE_PLAYERS),
}
"""By verb, as ``python tests/bench first_use`` measures it; the first case that fits."""

_NO_LIMIT: Final = re.compile(rb"no.?limit", re.IGNORECASE)
_FIRST_LINE: Final = 4096


def first_use_of(
    verb: str, kernel: str, options: Mapping[str, Any] | None = None
) -> FirstUse | None:
    """What a verb compiles that begins with a kernel, if it is known to take long.

    ``options`` are those of the verb, which may tell whether the game is no-limit.
    """
    cases = [case for case in FIRST_USE.get(verb, ()) if case.begins_with in ("", kernel)]
    no_limit = any(case.no_limit for case in cases) and _is_no_limit(options or {})
    return next((case for case in cases if no_limit or not case.no_limit), None)


def _is_no_limit(options: Mapping[str, Any]) -> bool:
    """Guess it from the game's name, or from the first line of the first log."""
    text = str(options.get("game") or "").encode()
    first = Path(next(iter(options.get("files") or ()), ""))
    if not text and first.is_file():  # a pipe can be read only once
        with contextlib.suppress(OSError), first.open("rb") as file:
            text = file.readline(_FIRST_LINE)
    return _NO_LIMIT.search(text) is not None
