"""The baseline's betting and its whole-number thresholds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from railbird.baseline import exact
from railbird.baseline.kernels import class_of_rank, flop_ehr, play_on, preflop_rank, turn_ehr
from railbird.baseline.policy import RANK_UNITS, BaselineClass, baseline_line, classify, cutoffs
from railbird.baseline.settings import SETTINGS, STANDARD, parse_settings
from railbird.errors import BadInput
from railbird.game.rules import Street
from railbird.odds.rank_tables import HR7_WHOLE, IHR_WHOLE

_TEST_POLICY_CLASSES = tuple(BaselineClass)


def test_table_3_1() -> None:
    """Kan 2007, table 3.1: all 36 rounds after the flop; a row for each class of player 2."""
    table = """
        kK  kK  bF  bF  bF    bF
        kK  kK  bC  bC  bC    bC
        kBf kBc bC  bC  bC    bC
        kBf kBc bRc bRc bRrC  bRrC
        kBf kBc bRc bRc bRrC  bRrC
        kBf kBc bRc bRc bRrRc bRrRc
    """
    rows = [line.split() for line in table.strip().splitlines()]
    for first, second, street in product(
        _TEST_POLICY_CLASSES, _TEST_POLICY_CLASSES, list(Street)[1:]
    ):
        assert baseline_line(street, first, second).text == rows[second][first]


def test_preflop_rounds() -> None:
    """The dealer, player 2, faces half a bet; the blind is the first bet and has the option."""
    table = """
        F   F   F   F   F    F
        Ck  Ck  Ck  CrC CrC  CrC
        Ck  Ck  Ck  CrC CrC  CrC
        Rf  Rc  Rc  Rc  RrC  RrC
        Rf  Rc  Rc  Rc  RrC  RrC
        Rf  Rc  Rc  Rc  RrRc RrRc
    """
    rows = [line.split() for line in table.strip().splitlines()]
    for first, second in product(_TEST_POLICY_CLASSES, _TEST_POLICY_CLASSES):
        assert baseline_line(Street.PREFLOP, first, second).text == rows[second][first]


@pytest.mark.parametrize("street", list(Street))
def test_level_is_what_the_letters_say(street: Street) -> None:
    for first, second in product(_TEST_POLICY_CLASSES, _TEST_POLICY_CLASSES):
        line = baseline_line(street, first, second)
        raises = sum(letter in "bBrR" for letter in line.text)
        bets = raises + (street is Street.PREFLOP)
        assert line.level == (bets if line.folded_by is None else bets - 1)
        assert (line.folded_by is not None) == (line.text[-1] in "fF")
        assert line.level <= 4


def test_the_rest_of_a_round_follows_what_was_done() -> None:
    make4, call, fold = BaselineClass.MAKE4, BaselineClass.CALL, BaselineClass.FOLD
    assert baseline_line(Street.FLOP, make4, call, after="k").text == "kK"
    assert baseline_line(Street.FLOP, make4, call, after="kB").text == "kBrC"
    assert baseline_line(Street.FLOP, fold, make4, after="b").text == "bRf"
    assert baseline_line(Street.FLOP, make4, make4, after="bRrRrR").text == "bRrRrRc"
    assert baseline_line(Street.PREFLOP, make4, call, after="C").text == "CrC"
    assert baseline_line(Street.PREFLOP, call, make4, after="Cr").text == "CrRc"
    with pytest.raises(BadInput, match="no action 'x'"):
        baseline_line(Street.FLOP, call, call, after="x")


@pytest.mark.parametrize("name", [*SETTINGS, "standard,pot=facing-bet", "turn.make4=2"])
def test_whole_numbers_decide_as_the_exact_fractions_do(name: str) -> None:
    settings = parse_settings(name)
    numbers = cutoffs(settings, 24)
    for street, contribution in product(Street, (1, 2, 3, 7, 24)):
        units = RANK_UNITS[street]
        near = {
            rank
            for cutoff in (*numbers.make[street], numbers.fold[street, contribution])
            for rank in (int(cutoff) - 1, int(cutoff), int(cutoff) + 1)
        }
        for rank in near:
            expected = classify(settings, street, Fraction(rank, units), contribution)
            makes = int((rank >= numbers.make[street]).sum())
            found = 0 if rank < numbers.fold[street, contribution] else 1 + makes
            assert found == expected


def test_thresholds_that_are_ranks_belong_to_the_upper_class() -> None:
    """0.85 of 1,980 is the whole number 1,683; 0.85 in binary must not decide otherwise."""
    assert classify(STANDARD, Street.RIVER, Fraction(1683, 1980), 4) is BaselineClass.MAKE2
    assert cutoffs(STANDARD).make[Street.RIVER, 1] == 1683
    assert cutoffs(STANDARD).fold[Street.RIVER, 1] == 990


# The baseline's kernels decide as its plain Python does.


_TEST_POLICY_KERNELS_CLASSES = tuple(BaselineClass)


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
        for first, second in product(_TEST_POLICY_KERNELS_CLASSES, _TEST_POLICY_KERNELS_CLASSES):
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
    kernel = (preflop_rank, flop_ehr, turn_ehr)[street]
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
