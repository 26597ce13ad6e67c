"""The baseline's kernels decide as its plain Python does."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from railbird.baseline import (
    RANK_UNITS,
    SETTINGS,
    STANDARD,
    BaselineClass,
    baseline_line,
    classify,
    cutoffs,
    exact,
)
from railbird.baseline._kernels_baseline import (
    class_of_rank,
    flop_rank,
    play_on,
    preflop_rank,
    turn_rank,
)
from railbird.game.rules import Street
from railbird.odds.tables.rank_tables import HR7_WHOLE, IHR_WHOLE

_CLASSES = tuple(BaselineClass)


def _unfinished(street: Street) -> list[str]:
    """All ways to begin a round of at most four bets."""
    opening = "" if street is Street.PREFLOP else "k"
    starts = ["", opening, "C"] if street is Street.PREFLOP else ["", opening]
    blind = street is Street.PREFLOP
    found = []
    for start in starts:
        text = start
        found.append(text)
        for bet in range(1 if blind else 0, 4):
            actor = (len(text) + blind) % 2
            letter = "r" if bet else "b"
            text += letter.upper() if actor else letter
            found.append(text)
    return sorted(set(found))


@pytest.mark.parametrize("street", list(Street))
def test_play_on_is_the_line_of_the_baseline(street: Street) -> None:
    preflop = street is Street.PREFLOP
    for text in _unfinished(street):
        bets = preflop + sum(letter in "bBrR" for letter in text)
        facing = text[-1:] not in ("k", "C") and bets > 0
        actor = (len(text) + preflop) % 2
        for first, second in product(_CLASSES, _CLASSES):
            line = baseline_line(street, first, second, after=text)
            folded_by = -1 if line.folded_by is None else line.folded_by
            found = play_on(first, second, actor, bets, facing, bool(text))
            assert found == (line.level, folded_by), (text, first, second)


@pytest.mark.parametrize("name", ["standard", "aggressive-high", "tight-high"])
def test_classes_of_whole_ranks(name: str) -> None:
    settings = SETTINGS[name]
    numbers = cutoffs(settings)
    rng = np.random.default_rng(3)
    for street, contribution in product(Street, (1, 2, 5)):
        units = RANK_UNITS[street]
        cuts = [*numbers.make[street], numbers.fold[street, contribution]]
        ranks = {int(cut) + d for cut in cuts for d in (-1, 0, 1)} | {
            int(rank) for rank in rng.integers(0, units + 1, size=50)
        }
        for rank in ranks:
            found = class_of_rank(rank, street, contribution, numbers.make, numbers.fold)
            assert found == classify(settings, street, Fraction(rank, units), contribution)


@pytest.mark.parametrize("street", [Street.PREFLOP, Street.FLOP, Street.TURN])
def test_effective_rank_is_the_definition(street: Street) -> None:
    """Spec: the larger rank if either exceeds Make1, else the mean on the flop, else 7cHR."""
    kernel = (preflop_rank, flop_rank, turn_rank)[street]
    make1 = exact(STANDARD[street].make[0])
    bettable = int(cutoffs(STANDARD).bettable[street])
    rng = np.random.default_rng(17)
    for _ in range(500):
        ihr, hr7 = (
            int(rng.integers(IHR_WHOLE[street] + 1)),
            int(rng.integers(HR7_WHOLE[street] + 1)),
        )
        now, later = Fraction(ihr, IHR_WHOLE[street]), Fraction(hr7, HR7_WHOLE[street])
        if now > make1 or later > make1:
            expected = max(now, later)
        else:
            expected = (now + later) / 2 if street is Street.FLOP else later
        assert Fraction(int(kernel(ihr, hr7, bettable)), RANK_UNITS[street]) == expected
