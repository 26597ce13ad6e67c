"""The baseline's betting and its whole-number thresholds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from railbird.baseline.policy import (
    RANK_UNITS,
    BaselineClass,
    baseline_line,
    classify,
    cutoffs,
)
from railbird.baseline.settings import SETTINGS, STANDARD, parse_settings
from railbird.errors import BadInput
from railbird.game.rules import Street

_CLASSES = tuple(BaselineClass)


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
    for first, second, street in product(_CLASSES, _CLASSES, list(Street)[1:]):
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
    for first, second in product(_CLASSES, _CLASSES):
        assert baseline_line(Street.PREFLOP, first, second).text == rows[second][first]


@pytest.mark.parametrize("street", list(Street))
def test_level_is_what_the_letters_say(street: Street) -> None:
    for first, second in product(_CLASSES, _CLASSES):
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
