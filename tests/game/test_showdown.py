from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce

import pytest

from helpers.scripts import played
from railbird.cards import parse_holding
from railbird.errors import BadInput, DuplicateCard, IllegalAction
from railbird.game import (
    HandState,
    Muck,
    OddChips,
    Phase,
    Pot,
    Show,
    is_settled,
    no_limit_holdem,
    payoffs,
    pots,
    public,
    showdown,
    step,
    view,
)
from railbird.units import Seat

THREE = no_limit_holdem(3, blinds=(1, 2), stack=100)
HOLES = "AsAd KsKd QsQd"
CHECKED = "c c c c c c c c c c c c"


def chips(state: HandState) -> list[float]:
    return [float(amount) for amount in payoffs(state)]


def who(events: tuple[Show | Muck, ...]) -> list[tuple[int, str]]:
    return [(event.seat, type(event).__name__) for event in events]


class TestOrder:
    def test_the_last_aggressor_shows_first(self) -> None:
        state = played(THREE, "c c c c c c c c c c r10 c c", holes="8s8h KsKd AsAd")
        assert state.aggressor == state.shower == 1
        assert who(showdown(state)) == [(1, "Show"), (2, "Show"), (0, "Muck")]

    def test_without_a_bet_on_the_river_the_seat_left_of_the_button(self) -> None:
        state = played(THREE, "c c c r10 c c c c c c c c", holes=HOLES)
        assert state.aggressor is None
        assert who(showdown(state)) == [(0, "Show"), (1, "Muck"), (2, "Muck")]

    def test_folded_seats_are_passed(self) -> None:
        state = played(THREE, "c c c c c c c c c c c r10 f c", holes=HOLES)
        assert who(showdown(state)) == [(2, "Show"), (1, "Show")]

    def test_after_an_all_in_its_aggressor_still_shows_first(self) -> None:
        state = played(THREE, "c r100 c c", holes=HOLES)
        assert state.shower == 0
        assert who(showdown(state)) == [(0, "Show"), (1, "Muck"), (2, "Muck")]


class TestMucking:
    STATE = played(THREE, CHECKED, holes="KsKd AsAd QsQd")

    def test_the_first_must_show(self) -> None:
        with pytest.raises(IllegalAction, match="no shown hand beats"):
            step(self.STATE, Muck(Seat(0)))

    def test_out_of_turn(self) -> None:
        with pytest.raises(IllegalAction, match="not due: seat 0 is to show or to muck"):
            step(self.STATE, Show(Seat(1), parse_holding("AsAd")))

    def test_the_best_hand_cannot_be_thrown_away(self) -> None:
        shown = step(self.STATE, Show(Seat(0), parse_holding("KsKd")))
        with pytest.raises(IllegalAction, match="no shown hand beats"):
            step(shown, Muck(Seat(1)))

    def test_other_cards_than_were_dealt(self) -> None:
        with pytest.raises(IllegalAction, match="the seat has other cards"):
            step(self.STATE, Show(Seat(0), parse_holding("3s3d")))

    def test_a_hand_that_wins_a_side_pot_is_shown(self) -> None:
        """Seat 0 beats everybody but reaches the main pot only."""
        rules = no_limit_holdem(3, blinds=(1, 2), stack=(20, 100, 100))
        state = played(rules, "c r20 c c r10 c c c c c", holes="AsAd KsKd QsQd")
        assert pots(state) == (Pot(60, (0, 1, 2)), Pot(20, (1, 2)))  # type: ignore[arg-type]
        assert who(showdown(state)) == [(0, "Show"), (1, "Show"), (2, "Muck")]
        assert chips(state) == [40, -10, -30]

    def test_what_was_shown_is_public_and_what_was_mucked_is_not(self) -> None:
        end = reduce(step, showdown(self.STATE), self.STATE)
        assert end.phase is Phase.OVER
        assert end.shown == (0, 1)
        assert end.mucked == (2,)
        kings, aces, queens = map(parse_holding, ("KsKd", "AsAd", "QsQd"))
        assert public(end).holdings == (kings, aces, None)
        assert view(end, Seat(2)).state.holdings == (kings, aces, queens)
        assert chips(public(end)) == chips(end) == [-2, 4, -2]

    def test_a_winner_may_show_without_having_to(self) -> None:
        over = played(THREE, "f f", holes=HOLES)
        shown = step(over, Show(Seat(1), parse_holding("KsKd")))
        assert public(shown).holdings == (None, parse_holding("KsKd"), None)
        with pytest.raises(IllegalAction, match="not due: the hand is over"):
            step(shown, Show(Seat(1), parse_holding("KsKd")))


class TestUnknownCards:
    def test_a_spectator_does_not_know_who_won_until_it_is_shown(self) -> None:
        seen = played(THREE, CHECKED)
        assert not is_settled(seen)
        with pytest.raises(BadInput, match="the hand is undecided"):
            payoffs(seen)
        seen = step(seen, Show(Seat(0), parse_holding("KsKd")))
        seen = step(seen, Show(Seat(1), parse_holding("AsAd")))
        assert not is_settled(seen)
        assert chips(step(seen, Muck(Seat(2)))) == [-2, 4, -2]

    def test_shown_cards_cannot_be_out_already(self) -> None:
        seen = played(THREE, CHECKED)
        with pytest.raises(DuplicateCard):
            step(seen, Show(Seat(0), parse_holding("4c4d")))

    def test_someone_must_show(self) -> None:
        with pytest.raises(BadInput, match="seat 0 has to show, but its cards are not known"):
            showdown(played(THREE, CHECKED))


class TestPots:
    RULES = no_limit_holdem(4, blinds=(1, 2), stack=(10, 30, 60, 100))

    @pytest.mark.parametrize(
        ("holes", "result"),
        [
            ("AsAd KsKd QsQd JhJd", [-10, -30, -60, 100]),
            ("AsAd KsKd QsQd 8h8d", [30, 30, 0, -60]),
            ("3s5d KsKd QsQd AhAd", [-10, -30, -60, 100]),
            ("3s5d 8s8h QsQd 6h6s", [-10, -30, 100, -60]),
        ],
    )
    def test_three_all_ins(self, holes: str, result: list[int]) -> None:
        state = played(self.RULES, "r60 c c c", holes=holes)
        assert [(pot.amount, pot.seats) for pot in pots(state)] == [
            (40, (0, 1, 2, 3)),
            (60, (1, 2, 3)),
            (60, (2, 3)),
        ]
        assert chips(state) == result

    def test_what_folded_seats_put_in_stays_in_the_pots(self) -> None:
        rules = no_limit_holdem(3, blinds=(1, 2), stack=(10, 100, 100))
        state = played(rules, "c r10 c c r20 f", holes="AsAd QsQd KsKd")
        assert [(pot.amount, pot.seats) for pot in pots(state)] == [(30, (0, 1)), (20, (1,))]
        assert chips(state) == [20, -10, -10]

    def test_a_short_ante_wins_as_much_from_each(self) -> None:
        rules = no_limit_holdem(3, blinds=(5, 10), stack=(3, 100, 100), ante=4)
        state = played(rules, "c", holes="AsAd QsQd 8s8h")
        assert [(pot.amount, pot.seats) for pot in pots(state)] == [(9, (0, 1, 2)), (22, (1, 2))]

    def test_a_big_blind_ante_is_for_everybody(self) -> None:
        rules = no_limit_holdem(3, blinds=(5, 10), stack=(100, 100, 8), ante=(0, 10, 0))
        state = played(rules, "c c c", holes="QsQd 8s8h AsAd")
        assert [(pot.amount, pot.seats) for pot in pots(state)] == [(34, (0, 1, 2)), (4, (0, 1))]


class TestOddChips:
    """Seats 0, 2 and 3 split; the folded seat 1 leaves a chip or two that do not divide."""

    BOARD = "Tc Jd Qh Ks Ac"
    HOLES = "2s3s 4s5s 6s7s 8s9h"

    def rest(self, small: int, big: int, odd: OddChips) -> list[Fraction]:
        rules = replace(no_limit_holdem(4, blinds=(small, big), stack=1_000), odd_chips=odd)
        script = f"r{3 * big} c c f c c c c c c c c c"
        return list(payoffs(played(rules, script, holes=self.HOLES, board=self.BOARD)))

    def test_from_the_first_seat_left_of_the_button(self) -> None:
        assert self.rest(2, 4, OddChips.FIRST_LEFT) == [2, -4, 1, 1]
        assert self.rest(2, 5, OddChips.FIRST_LEFT) == [2, -5, 2, 1]

    def test_or_split_exactly(self) -> None:
        third = Fraction(1, 3)
        assert self.rest(2, 4, OddChips.FRACTION) == [4 * third, -4, 4 * third, 4 * third]
