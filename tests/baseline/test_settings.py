"""Named settings, their text and their derivation."""

from __future__ import annotations

from fractions import Fraction

import pytest

from railbird.baseline import cutoffs
from railbird.baseline.settings import (
    AGGRESSIVENESS,
    SETTINGS,
    STANDARD,
    TIGHTNESS,
    OpponentHoldings,
    PotConvention,
    break_even_fractions,
    derived_thresholds,
    exact,
    parse_settings,
    parse_smoothing,
)
from railbird.errors import BadInput
from railbird.game.rules import Street

_MISPRINTED = {"moderate-conservative": {3: 0.9675}, "conservative-high": {2: 0.95}}


def test_standard_settings_are_table_3_2() -> None:
    assert [row.fold_offset for row in STANDARD.streets] == [0.0, 0.075, 0.1, 0.0]
    assert [row.make for row in STANDARD.streets] == [(0.58, 0.825, 0.93, 0.965)] * 3 + [
        (0.64, 0.85, 0.94, 0.97)
    ]
    assert SETTINGS["standard"] == SETTINGS["moderate"] == SETTINGS["normal"] == STANDARD


def test_nine_and_nine_presets_change_flop_and_turn_only() -> None:
    assert len(AGGRESSIVENESS) == len(TIGHTNESS) == 9
    for name in AGGRESSIVENESS + TIGHTNESS:
        settings = SETTINGS[name]
        assert settings.name == name
        assert settings[Street.PREFLOP] == STANDARD[Street.PREFLOP]
        assert settings[Street.RIVER] == STANDARD[Street.RIVER]
    assert [SETTINGS[n][Street.FLOP].fold_offset for n in TIGHTNESS] == pytest.approx(
        [-0.025 + 0.025 * i for i in range(9)]
    )
    assert [SETTINGS[n][Street.TURN].fold_offset for n in TIGHTNESS] == pytest.approx(
        [0.025 * i for i in range(9)]
    )


@pytest.mark.parametrize("name", AGGRESSIVENESS)
def test_table_4_1_follows_from_its_first_column_but_for_two_misprints(name: str) -> None:
    """Each threshold leaves 5/12, 2/5 and 1/2 of the hands above the one before."""
    row = SETTINGS[name][Street.FLOP].make
    threshold = exact(row[0])
    for i, fraction in enumerate((Fraction(5, 12), Fraction(2, 5), Fraction(1, 2)), start=1):
        threshold = 1 - fraction * (1 - threshold)
        derived = _MISPRINTED.get(name, {}).get(i, row[i])
        assert threshold == exact(derived)


def test_pell_numbers() -> None:
    """Kan 2007, 3.1.2: t(n)/t(n + 1) of 1, 2, 5, 12, 29, 70."""
    pell = [1, 2, 5, 12, 29, 70]
    assert break_even_fractions(4) == tuple(
        Fraction(pell[n], pell[n + 1]) for n in range(4, -1, -1)
    )


def test_derivation_gives_the_standard_settings() -> None:
    assert derived_thresholds() == tuple(1 - Fraction(top, 29) for top in (12, 5, 2, 1))
    for street, folded in [(Street.FLOP, Fraction(0)), (Street.RIVER, Fraction(1, 7))]:
        derived = derived_thresholds(3, folded=folded, decimals=2)
        assert derived == tuple(exact(make) for make in STANDARD[street].make)
    assert derived_thresholds(0) == (Fraction(1, 2),)


def test_sizes_of_raises_are_four_or_one_for_all() -> None:
    assert parse_settings("sizes=0.5/1/2/all-in").sizes == (0.5, 1, 2, float("inf"))
    assert parse_settings("sizes=0.15").sizes == (0.15,) * 4
    assert parse_settings("sizes=0.5,standard") == STANDARD


def test_what_tables_cannot_hold_is_refused() -> None:
    for text in ("sizes=0.5", "folds=0.3"):
        with pytest.raises(BadInput, match="decision by decision"):
            cutoffs(parse_settings(text))


def test_fold_rule_of_the_worked_example() -> None:
    """Kan 2007, 3.1.2: pot 50 at the start of the river, bet 10: 0.167."""
    assert STANDARD.fold_threshold(Street.RIVER, 5) == Fraction(10, 60)
    facing = parse_settings("standard,pot=facing-bet")
    assert facing.fold_threshold(Street.RIVER, 5) == Fraction(10, 70)


def test_preflop_folds_below_a_third_whatever_pot_means() -> None:
    for pot in PotConvention:
        settings = parse_settings(f"pot={pot.value}")
        assert settings.fold_threshold(Street.PREFLOP, 1) == Fraction(1, 3)


def test_text_is_read_from_left_to_right() -> None:
    settings = parse_settings(" Tight-High, flop=moderate-loose ,river.make1 = 0.6,pot=facing_bet")
    assert settings.name == "tight-high,flop=moderate-loose,river.make1 = 0.6,pot=facing-bet"
    assert settings[Street.FLOP].fold_offset == 0.05
    assert settings[Street.TURN].fold_offset == 0.2
    assert settings[Street.RIVER].make == (0.6, 0.85, 0.94, 0.97)
    assert settings.pot is PotConvention.FACING_BET
    assert parse_settings("aggressive-high,standard") == STANDARD
    assert parse_settings("turn.make1=0.9,turn.make2=0.95,turn.make3=1,turn.make4=2")[
        Street.TURN
    ].make == (0.9, 0.95, 1.0, 2.0)


def test_the_fold_multiplier_is_that_of_the_footnote() -> None:
    settings = parse_settings("multiplier=1.5,turn.multiplier=0.5,turn.fold=0.2")
    # m x + b (Kan 2007, 3.1.2, footnote 4): the example bets 10 into 50.
    assert settings.fold_threshold(Street.RIVER, 5) == Fraction(3, 2) * Fraction(2, 12)
    assert settings.fold_threshold(Street.TURN, 2) == Fraction(1, 2) * Fraction(2, 6) + Fraction(
        1, 5
    )
    assert settings.opponent is OpponentHoldings.UNIFORM
    assert parse_settings("multiplier=1") == STANDARD
    assert parse_settings("opponent=typical") != STANDARD


def test_smoothing_is_several_settings() -> None:
    assert parse_smoothing("standard+loose-high") == (STANDARD, SETTINGS["loose-high"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("agressive-high", "no settings 'agressive-high'; did you mean aggressive-high"),
        ("river=tight-low", "preset 'tight-low' on the river; allowed: flop, turn"),
        ("trun.fold=0.1", "no street 'trun'; did you mean turn"),
        ("turn.fold=much", "'turn.fold=much': 'much' is not a number"),
        ("turn.fold=nan", "fold offset nan; allowed: -1 to 1"),
        ("turn.make5=0.9", "no threshold 'make5'; did you mean make4 or make3 or make2"),
        ("turn.make1=0.9", "allowed: none below the one before"),
        ("turn.make4=3", "allowed: 0 to 2"),
        ("opponent=loose", "opponent=loose; allowed: uniform, typical"),
        ("sizes=1/2", "one number, or four"),
        ("sizes=0", "above 0"),
        ("folds=2", "allowed: 0 to 1"),
        ("flop.multiplier=-1", "fold multiplier -1.0; allowed: 0 to 10"),
        ("pot=half", "pot=half; allowed: round-start, facing-bet"),
        ("", "no settings ''; allowed: standard, aggressive-high"),
    ],
)
def test_what_does_not_read_is_named(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_settings(text)
