"""The lectures: notebooks are those of the pages, and exercises mark answers rightly."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from helpers.notebooks import LECTURES, notebook_of, notebook_text
from railbird import cards, solve, tournament
from railbird.assessment.extensive_games_aivat import GameAivat, exact_utility
from railbird.errors import BadInput
from railbird.lessons import EXERCISES, check, leduc_equilibrium

PAGES: Final = [pytest.param(page, id=page.stem) for page in LECTURES]


@pytest.mark.parametrize("page", PAGES)
def test_a_notebook_is_made_of_its_page(page: Path) -> None:
    """``PYTHONPATH=tests python -m helpers.notebooks`` writes them anew."""
    assert notebook_of(page).read_text(encoding="utf-8") == notebook_text(page)


@pytest.mark.parametrize("page", PAGES)
def test_a_lecture_has_steps_exercises_and_its_notebook(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    steps, _, exercises = text.partition("\n## Exercises\n")
    assert 6 <= len(re.findall(r"^## \d+\. ", steps, re.MULTILINE)) <= 10
    assert 3 <= len(re.findall(r"^\*\*\d+\. ", exercises, re.MULTILINE)) <= 5
    assert f"]({notebook_of(page).name})" in steps
    assert "Not yet: " in exercises, "the page shows what is said of a wrong answer"
    assert "Right: " not in exercises, "and gives no answer away"


def test_every_exercise_stands_in_one_lecture() -> None:
    texts = [page.read_text(encoding="utf-8") for page in LECTURES]
    named = re.findall(r'check\("([^"]+)"', "".join(texts))
    assert sorted(named) == sorted(EXERCISES)
    for text in texts:
        assert len({name.partition(":")[0] for name in re.findall(r'check\("([^"]+)"', text)}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_notebook_runs(page: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(notebook_of(page), tmp_path))
    execute = shutil.which("jupyter-execute", path=sysconfig.get_path("scripts"))
    assert execute
    done = subprocess.run(
        [execute, "--inplace", copy], cwd=tmp_path, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stderr
    cells = json.loads(copy.read_text(encoding="utf-8"))["cells"]
    shown = [cell["outputs"] for cell in cells if cell["cell_type"] == "code"]
    assert sum(map(bool, shown)) >= 10
    marks = ["".join(out[-1].get("data", {}).get("text/plain", "")) for out in shown if out]
    assert sum(mark.startswith("Not yet: ") for mark in marks) >= 3


def _matched(regrets: np.ndarray) -> np.ndarray:
    positive = np.clip(regrets, 0, None)
    return positive / positive.sum() if positive.sum() else np.ones(len(regrets)) / len(regrets)


def _family(a: float) -> dict[str, Sequence[float]]:
    """Kuhn (1950): the equilibria, by how often the first player bets a jack."""
    return {
        "first_bets": (a, 0, 3 * a),
        "first_calls": (0, a + 1 / 3, 1),
        "second_bets": (1 / 3, 0, 1),
        "second_calls": (0, 1 / 3, 1),
    }


def _harville(stacks: Sequence[float], payouts: Sequence[float]) -> list[float]:
    """Every order of finishing, one after the other."""
    equities = [0.0] * len(stacks)

    def place(chance: float, left: tuple[int, ...], place_index: int) -> None:
        if place_index == len(payouts) or not left:
            return
        chips = sum(stacks[player] for player in left)
        for player in left:
            here = chance * stacks[player] / chips
            equities[player] += here * payouts[place_index]
            place(here, tuple(other for other in left if other != player), place_index + 1)

    place(1.0, tuple(range(len(stacks))), 0)
    return equities


def _leduc_values() -> np.ndarray:
    tree, equilibrium = leduc_equilibrium()
    return tree.values(equilibrium)


def _worth_of_a_push() -> float:
    hand = cards.parse_class("72o")
    values = solve.pushfold_ev(np.ones(169), solve.solve_pushfold(10).call, stack=10)
    return float(values.push_ev[hand]) - values.fold_ev_sb


def _calls_of_a_maniac() -> str:
    call = solve.best_response_call(np.ones(169), stack=10)
    return ", ".join(name for name, share in zip(cards.CLASS_NAMES, call, strict=True) if share)


def _bubble_factor() -> float:
    return float(tournament.bubble_factors([5000, 3000, 2000], [50, 30, 20])[2, 0])


def _random_against_equilibrium() -> float:
    tree, equilibrium = leduc_equilibrium()
    return float(tree.values((tree.uniform()[0], equilibrium[1]))[0])


def _plays_by_a_guess() -> float:
    tree, equilibrium = leduc_equilibrium()
    aivat = GameAivat(game=tree, value=tree.values(tree.uniform()), known=(equilibrium[0], None))
    return exact_utility(tree, equilibrium).variance / aivat.exact(equilibrium).variance


RIGHT: Final[list[tuple[str, Callable[[], Any]]]] = [
    ("blackjack: standing", lambda: 0.5412 - 0.5321),  # Kan (2007), section 2.4
    (
        "blackjack: skill",
        lambda: lambda values, action, other: values.of(action) - values.of(other),
    ),
    (
        "blackjack: rounds",
        lambda: lambda first, second, difference: (2 * math.hypot(first, second) / difference) ** 2,
    ),
    ("blackjack: baseline", lambda: "never-bust"),
    # It wins the ante with a king, and loses it with the other two: a bet after its check is free.
    ("kuhn: careful", lambda: 1 / 3 - 2 / 3),
    ("kuhn: regret matching", lambda: _matched),
    ("kuhn: equilibrium", lambda: _family(0.0)),
    ("kuhn: equilibrium", lambda: _family(0.2)),
    ("kuhn: equilibrium", lambda: _family(1 / 3)),
    # A king wins two chips, a queen calls and breaks even, a jack checks and folds.
    ("kuhn: exploiter", lambda: (2 + 0 - 1) / 3),
    ("leduc: correction", lambda: lambda utility, after, before: utility - sum(after - before)),
    ("leduc: bias", _random_against_equilibrium),
    ("leduc: plays", _plays_by_a_guess),
    ("leduc: values", _leduc_values),
    ("pushfold: chip model", lambda: _harville),
    ("pushfold: bubble", lambda: _bubble_factor() / (1 + _bubble_factor())),
    ("pushfold: push", _worth_of_a_push),
    ("pushfold: calls", _calls_of_a_maniac),
]
WRONG: Final[list[tuple[str, Callable[[], Any], str]]] = [
    ("blackjack: standing", lambda: None, "no answer"),
    ("blackjack: standing", lambda: "a lot", "'a lot' is not a number"),
    ("blackjack: standing", lambda: 0.5321 - 0.5412, "a cost is what is lost"),
    ("blackjack: standing", lambda: -0.5412, "the value of standing"),
    ("blackjack: standing", lambda: 0.02, "too large"),
    ("blackjack: skill", lambda: lambda values, action, other: 0.0, "your function gives 0 for"),
    ("blackjack: skill", lambda: lambda *values: None, "gives None for (the values, stand, hit)"),
    (
        "blackjack: skill",
        lambda: lambda values, action, other: values.of(other) - values.of(action),
        "the sign is turned",
    ),
    ("blackjack: rounds", lambda: 52_716, "52716 is not a function"),
    (
        "blackjack: rounds",
        lambda: lambda first, second, difference: first / difference,
        "not 105432.32",
    ),
    (
        "blackjack: rounds",
        lambda: lambda first, second, difference: math.nan,
        "your function gives nan",
    ),
    ("blackjack: rounds", lambda: lambda *numbers: 1 / 0, "raises ZeroDivisionError"),
    ("blackjack: baseline", lambda: "basic", "the decisions of never-bust are worth"),
    ("blackjack: baseline", lambda: "nobody", "allowed: "),
    ("kuhn: careful", lambda: 1 / 3, "what the second player wins"),
    ("kuhn: careful", lambda: 0.25, "the exploitability"),
    ("kuhn: careful", lambda: -1 / 18, "play perfectly"),
    ("kuhn: careful", lambda: math.nan, "not a number"),
    (
        "kuhn: regret matching",
        lambda: lambda regrets: regrets / sum(regrets),
        "your function gives",
    ),
    ("kuhn: regret matching", lambda: lambda regrets: np.ones(2) / 2, "your function gives"),
    (
        "kuhn: equilibrium",
        lambda: _family(1 / 3) | {"second_bets": (0, 0, 1)},
        "first player gains",
    ),
    (
        "kuhn: equilibrium",
        lambda: _family(0.3) | {"first_bets": (0.3, 0, 0)},
        "second player gains",
    ),
    ("kuhn: equilibrium", lambda: _family(0.5), "between 0 and 1"),
    ("kuhn: equilibrium", lambda: _family(math.nan), "between 0 and 1"),
    ("kuhn: equilibrium", lambda: {"first_bets": (0, 0, 1)}, "an answer is a dictionary"),
    ("kuhn: exploiter", lambda: 0.5, "from uniform play"),
    ("kuhn: exploiter", lambda: 0.0, "a better answer"),
    ("leduc: correction", lambda: lambda utility, after, before: utility, "your function gives"),
    ("leduc: bias", lambda: 0, "does not break even"),
    ("leduc: bias", lambda: -_random_against_equilibrium(), "the second player’s"),
    ("leduc: bias", lambda: -0.0856, "both play the equilibrium"),
    ("leduc: plays", lambda: 1 / _plays_by_a_guess(), "its inverse"),
    ("leduc: plays", lambda: _plays_by_a_guess() ** 0.5, "standard deviations"),
    ("leduc: plays", lambda: 1 / 0.291, "step 5"),
    ("leduc: values", lambda: np.zeros(3), "an array of"),
    ("leduc: values", lambda: math.nan * _leduc_values(), "a finite value"),
    ("leduc: values", lambda: 0 * _leduc_values(), "of the variance is left"),
    (
        "pushfold: chip model",
        lambda: lambda stacks, prizes: [sum(prizes) * one / sum(stacks) for one in stacks],
        "your function gives [50, 30, 20]",
    ),
    ("pushfold: bubble", lambda: 0.5, "what chips would ask for"),
    ("pushfold: bubble", _bubble_factor, "is the bubble factor"),
    ("pushfold: bubble", lambda: 100 * _bubble_factor() / (1 + _bubble_factor()), "in percent"),
    ("pushfold: bubble", lambda: 1.549 / 2.549, "the second player's call"),
    ("pushfold: push", lambda: -_worth_of_a_push(), "negative"),
    ("pushfold: push", lambda: _worth_of_a_push() - 0.5, "a fold, too, costs the small blind"),
    ("pushfold: calls", lambda: "AA", "the most costly mistake is to fold"),
    ("pushfold: calls", lambda: "random", "a call loses "),
    ("pushfold: calls", lambda: "XX", "at character 1"),
    ("pushfold: calls", lambda: ["AA"], "['AA'] is not a text"),
    ("blackjack: baseline", lambda: ["mimic"], "['mimic'] is not a text"),
    ("leduc: values", lambda: [[1], [2, 3]], "an array of"),
]


def _ids(entries: Sequence[tuple[Any, ...]]) -> list[str]:
    return [f"{entry[0]} {number}" for number, entry in enumerate(entries)]


def _quick(ids: Sequence[str]) -> list[str]:
    """Name the cases of games that are solved in no time."""
    return [case for case in ids if case.startswith("kuhn")]


@pytest.mark.slow(but=_quick(_ids(RIGHT)))
@pytest.mark.parametrize(("exercise", "answer"), RIGHT, ids=_ids(RIGHT))
def test_a_right_answer_is_right(exercise: str, answer: Callable[[], Any]) -> None:
    mark = check(exercise, answer())
    assert mark, mark
    assert repr(mark).startswith("Right: ")


@pytest.mark.slow(but=_quick(_ids(WRONG)))
@pytest.mark.parametrize(("exercise", "answer", "words"), WRONG, ids=_ids(WRONG))
def test_of_a_wrong_answer_it_is_said_why(
    exercise: str, answer: Callable[[], Any], words: str
) -> None:
    mark = check(exercise, answer())
    assert not mark, mark
    assert words in mark.words


ODD: Final = [
    *(["AA"], {"a": 1}, {1, 2}, b"AA", 10**400, math.nan, 1j, np.array("AA"), [[1], [2, 3]]),
    *(object(), type, int, range(3), "", "x" * 100_000, {"first_bets": "abc"}),
    *(lambda: 1, lambda *_: "x" * 100_000, lambda *_: [[1], [1, 2]], lambda *_: range(10**6)),
]
"""What nobody should hand in."""


@pytest.mark.slow(but=_quick([*EXERCISES]))
@pytest.mark.parametrize("exercise", EXERCISES)
def test_whatever_is_handed_in_gets_a_line(exercise: str) -> None:
    for answer in ODD:
        mark = check(exercise, answer)
        assert not mark
        assert len(mark.words) < 500
        assert "\n" not in mark.words


def test_every_exercise_has_a_right_and_a_wrong_answer() -> None:
    assert {entry[0] for entry in RIGHT} == {entry[0] for entry in WRONG} == {*EXERCISES}


def test_an_exercise_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match=r"kuhn: carefull.*did you mean kuhn: careful"):
        check("kuhn: carefull", 0)
