"""Expected values before the flop: amounts, ranges of those who act, the source's claims."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import CLASS_OF_HOLDING, CLASSES, parse_class
from railbird.errors import BadInput, RailbirdError
from railbird.odds import PreflopSituation, Stakes, classes_matrix, preflop_value
from railbird.odds.flop_values import FlopValues
from railbird.odds.positions import seat_names
from railbird.odds.preflop_value import (
    FlopOutcomes,
    cost_of,
    flop_outcomes,
    opponents_of,
    preflop_outcomes,
    raw_value,
    value_of,
)

HOLDINGS = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES) / 1326
HEADS_UP = PreflopSituation(seats=2)


def table(text: str, seats: int = 10, own: str | None = None) -> PreflopSituation:
    return PreflopSituation.parse(text, seats=seats, own=own)


def outcomes(
    text: str, action: str, odds: float, seats: int = 10, stakes: Stakes | None = None
) -> tuple[float, FlopOutcomes]:
    """What an action is worth if the odds are the same on two flops, however many opponents."""
    played = table(text, seats)
    model = opponents_of(played, action)
    powers = model.players_ahead + 1
    values = FlopValues(
        flops=np.array([0.5, 0.5]),
        won=np.full((2, powers), odds, dtype=np.float32),
        whole=np.ones((2, powers), dtype=np.float32),
    )
    found = preflop_outcomes(values, played, action, model, stakes or Stakes(bets=0.0))
    return value_of(found, played, action), found


@pytest.mark.parametrize(
    ("text", "action", "pot", "cost"),
    [
        ("sb:call", "call", 2.0, 0.0),  # the big blind checks
        ("sb:call", "raise", 4.0, 1.0),
        ("btn:raise,sb:fold", "call", 4.5, 1.0),
        ("utg:call,btn:raise,sb:call", "call", 8.0, 1.0),
        ("utg:raise,btn:raise,sb:raise", "call", 16.0, 3.0),
    ],
)
def test_the_pot_of_the_flop_is_what_all_have_paid(
    text: str, action: str, pot: float, cost: float
) -> None:
    """The big blind is last, so nothing is left to chance."""
    value, found = outcomes(text, action, 1.0)
    assert found.no_flop == 0
    assert cost_of(table(text), action) == cost
    assert found.value == pytest.approx(pot)
    assert value == pytest.approx(pot - cost)


def test_everybody_may_fold_to_a_raise() -> None:
    played = table("", 2, "sb")
    model = opponents_of(played, "raise")
    value, found = outcomes("", "raise", 0.0, seats=2)
    assert found.no_flop == pytest.approx(1 - model.enters)
    # The blinds of 1.5 are won, or the raise of 1.5 above the small blind is lost.
    assert value == pytest.approx(found.no_flop * 1.5 - model.enters * 1.5)
    assert found.probability.sum() == pytest.approx(model.enters)


def test_shares_of_those_who_come_in_are_binomial() -> None:
    _, found = outcomes("", "raise", 0.5)
    model = opponents_of(table(""), "raise")
    counts = np.bincount(found.opponents, weights=found.probability)
    assert counts @ np.arange(len(counts)) == pytest.approx(9 * model.enters)
    assert model.enters == pytest.approx((7 * 0.12 + 0.2 + 0.4) / 9)


def test_ranges_are_of_the_action_the_looseness_and_the_seats() -> None:
    def share(text: str, seats: int = 10) -> float:
        return float(opponents_of(table(text, seats), "call").acted[0] @ HOLDINGS)

    assert share("utg:call") == pytest.approx(0.25)
    assert share("utg:raise") == pytest.approx(0.1)
    assert share("utg:call,loose=2") == pytest.approx(0.5)
    assert share("loose=2,utg:call") == pytest.approx(0.5)
    assert share("utg:call,loose=20") == pytest.approx(1)
    assert share("btn:call", seats=5) == pytest.approx(0.5)
    model = opponents_of(table("utg:raise,btn:call"), "call")
    assert [float(each @ HOLDINGS) for each in model.acted] == pytest.approx([0.1, 0.12])
    assert model.players_ahead == 1
    limped = opponents_of(table("", own="btn"), "call")
    assert [float(each @ HOLDINGS) for each in limped.acted] == pytest.approx(
        [1.0]
    )  # the big blind
    assert limped.players_ahead == 1


def test_the_raw_value_is_the_sources() -> None:
    stakes = Stakes(bets=3, paying=0.5, rake=0.05, rake_cap=1)
    for odds in (0.0, 0.3, 1.0):
        final = 4.5 + 3 + 2 * 1.5
        rake = min(0.05 * final, 1)
        expected = odds * (final - 3 - rake) - (1 - odds) * 3
        assert raw_value(np.array([odds]), 4.5, 2, stakes)[0] == pytest.approx(expected)


def test_flops_that_do_not_pay_are_folded() -> None:
    found = flop_outcomes("22", HEADS_UP, "call")
    folded = float(found.probability @ np.maximum(found.raw, 0))
    assert found.value == pytest.approx(folded)
    assert 0.3 < found.bettable < 0.5
    assert found.raw.min() < 0
    assert found.value > found.probability @ found.raw


def test_suited_ace_king_is_worth_more_than_deuces_that_win_as_often() -> None:
    """The source's claim, heads-up: hot and cold the deuces win about half."""
    matrix = classes_matrix()
    hot_and_cold = matrix.equity[parse_class("22"), parse_class("AKs")]
    assert hot_and_cold == pytest.approx(0.5, abs=0.005)
    suited, deuces = (preflop_value(hand, HEADS_UP) for hand in ("AKs", "22"))
    assert suited.call is not None
    assert deuces.call is not None
    assert suited.call > deuces.call + 0.5
    assert suited.best == "raise"


def test_a_rake_lowers_every_value() -> None:
    plain, raked = (preflop_value("AKs", HEADS_UP, stakes=Stakes(rake=rate)) for rate in (0.0, 0.1))
    assert plain.call is not None
    assert raked.call is not None
    assert raked.call < plain.call


def test_checking_the_big_blind_costs_nothing_and_is_never_worth_less() -> None:
    value, found = outcomes("sb:call", "call", 0.05, seats=2, stakes=Stakes())
    assert found.raw.max() < 0
    assert cost_of(table("sb:call", seats=2), "call") == 0
    assert value == 0


@pytest.mark.parametrize(
    ("text", "seats", "own", "said"),
    [
        ("xx:raise", 10, None, "seat"),
        ("utg:rise", 10, None, "action"),
        ("utg:raise,loose=x", 10, None, "loose=x"),
        ("utg:raise,loose=0", 10, None, "looseness"),
        ("utg:raise,loose=nan", 10, None, "looseness"),
        ("btn:raise,utg:call", 10, None, "out of turn"),
        ("btn:raise,btn:call", 10, None, "twice"),
        ("btn:raise", 10, "utg", "does not act"),
        ("bb:raise", 10, None, "everybody has acted"),
        ("", 10, "bb", "folded to the big blind"),
        ("", 1, None, "seats"),
        ("", 11, None, "seats"),
        ("utg:raise,utg+1:raise,utg+2:raise,lj:raise", 10, None, "4 raises"),
        ("lj:raise", 4, None, "seat"),
    ],
)
def test_tables_that_cannot_be_are_refused(
    text: str, seats: int, own: str | None, said: str
) -> None:
    with pytest.raises(RailbirdError, match=said):
        PreflopSituation.parse(text, seats=seats, own=own)


def test_seats_have_other_names_too() -> None:
    assert table("UTG:Raise, Button:CALL").acted == {0: "raise", 7: "call"}
    assert seat_names(10)[0] == "UTG"
    assert table("utg:raise", seats=6).acted == {0: "raise"}
    assert seat_names(2) == ("SB", "BB")


@pytest.mark.parametrize(
    "stakes", [{"bets": -1}, {"paying": 2}, {"rake": 1}, {"rake_cap": -1}, {"rake": float("nan")}]
)
def test_stakes_that_cannot_be_are_refused(stakes: dict[str, float]) -> None:
    with pytest.raises(BadInput, match="allowed"):
        Stakes(**stakes)
