"""Every public function, with every argument in turn replaced by what it is not.

It answers, or it refuses in one line: no `AttributeError`, `IndexError` or `TypeError` from inside.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.good_calls import GOOD, HAND
from railbird.errors import RailbirdError

ROOMS = (
    "cards",
    "odds",
    "game",
    "baseline",
    "blackjack",
    "histories",
    "acpc",
    "solve",
    "modelling",
    "players",
    "arena",
    "tournament",
    "estimates",
    "assessment",
    "report",
)
WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    3.5,
    10**30,
    float("nan"),
    "",
    "x",
    b"x",
    [],
    (),
    ["x"],
    [3.5],
    [None],
    (1, 2, 3, 4, 5, 6, 7, 8),
    {"a": 1},
    Path("nowhere/there.log"),
    np.zeros((2, 2)),
    np.array("x"),
    object(),
    print,
    iter(()),
)
"""What somebody may hand in by mistake."""


LONG = {
    "arena.League",
    "arena.Match",
    "arena.play",
    "arena.play_league",
    "arena.play_ring",
    "arena.play_tournaments",
    "assessment.assess",
    "game.view",
    "modelling.roll_out",
    "odds.classes_matrix",
    "odds.final_ranks",
    "odds.flop_outcomes",
    "odds.hand_odds",
    "odds.hand_rank",
    "odds.odds_by_opponents",
    "odds.preflop_value",
    "odds.raw_odds",
    "odds.reflective_odds",
    "odds.spectrum",
    "report.export",
    "report.summarise_match",
    "report.write",
    "solve.best_response",
}
"""Whose work takes a second or more, as often as a wrong argument was not wrong after all."""
FEW: tuple[Any, ...] = (None, "x", 3.5, -1, ["x"], (1, 2), Path("nowhere/there.log"), object())


def public() -> Iterator[Any]:
    """Yield every function with its good arguments and what to put in their place."""
    modules = {room: importlib.import_module(f"railbird.{room}") for room in ROOMS}
    modules["papers"] = importlib.import_module("railbird_papers")
    for room, module in modules.items():
        for name in module.__all__:
            good = GOOD.get(f"{room}.{name}", GOOD.get(name))
            if good is not None:
                given = (getattr(module, name), good)
                one = f"{room}.{name}"
                if one in LONG:
                    yield pytest.param(*given, FEW, id=f"{one}-few")
                many = f"{one}-many" if one in LONG else one
                yield pytest.param(*given, WRONG, id=many)


@pytest.mark.slow(
    only=[
        "odds.classes_matrix-many",
        "odds.hand_odds-many",
        "odds.odds_by_opponents-many",
        "odds.reflective_odds-many",
        "odds.spectrum-many",
        "modelling.roll_out-many",
        "assessment.assess-many",
        "report.export-many",
        "report.write-few",
        "report.write-many",
    ]
)
@pytest.mark.parametrize(("function", "good", "wrongs"), list(public()))
def test_what_does_not_fit_is_refused_in_a_line(
    function: Callable[..., Any],
    good: Mapping[str, Any],
    wrongs: tuple[Any, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hand.txt").write_text(HAND)
    problems = []
    for parameter in good:
        for wrong in wrongs:
            try:
                found = function(**{**good, parameter: wrong})
                if isinstance(found, Iterator):
                    list(islice(found, 3))
            except (RailbirdError, OSError) as refusal:
                if "\n" in str(refusal):
                    problems.append(f"{parameter}={wrong!r}: more than a line: {refusal}")
            except Exception as problem:
                problems.append(f"{parameter}={wrong!r}: {type(problem).__name__}: {problem}")
    assert not problems
