"""Who may do what, and why not; the numbers are worked out by hand from the rules of the game."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any

import pytest

from helpers.command_line import action_of, played
from helpers.told_table import rake_due
from railbird.cards import Card, Holding, parse_cards, parse_holding
from railbird.errors import BadInput, DuplicateCard, IllegalAction
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Event,
    Fold,
    HandState,
    Moment,
    Muck,
    NoFlop,
    OddChips,
    OpenFold,
    Phase,
    Pot,
    Raise,
    Rake,
    RakeTier,
    Reason,
    Rules,
    ShortAllIn,
    Show,
    ShowCards,
    Street,
    UncallableRaise,
    acpc_rules,
    act,
    initial,
    is_settled,
    legal,
    limit_holdem,
    no_limit_holdem,
    parse_rake,
    payoffs,
    pot_limit_holdem,
    pots,
    public,
    refusal,
    replay,
    seen_by,
    showdown,
    spread_limit_holdem,
    step,
    view,
)
from railbird.game import kernels as at
from railbird.units import Chips, Seat

TEST_BETTING_SIX = no_limit_holdem(6, blinds=(50, 100), stack=20_000)
UNEVEN = tuple(map(Chips, (10_000, 10_000, 10_000, 150, 10_000, 10_000)))


def sizes(state: HandState) -> tuple[int | None, int | None]:
    return state.min_raise_to, state.max_raise_to


def chips(state: HandState) -> list[float]:
    return [float(amount) for amount in payoffs(state)]


def reason(state: HandState, word: str) -> Reason | None:
    refused = refusal(state, action_of(word))
    return None if refused is None else refused.reason


class TestLimit:
    def test_bets_double_on_the_turn(self) -> None:
        assert sizes(played(HEADS_UP_LIMIT)) == (20, 20)
        assert sizes(played(HEADS_UP_LIMIT, "c c")) == (10, 10)
        assert sizes(played(HEADS_UP_LIMIT, "c c c c")) == (20, 20)
        assert sizes(played(HEADS_UP_LIMIT, "c c c c c c")) == (20, 20)

    def test_three_raises_before_the_flop_four_after_it(self) -> None:
        capped = played(HEADS_UP_LIMIT, "r20 r30 r40")
        assert str(refusal(capped, Raise(Chips(50)))) == (
            "seat 1 cannot raise to 50: no more than 3 bets and raises are allowed (preflop)"
        ).replace("seat 1", f"seat {capped.actor}")
        assert reason(capped, "r50") is Reason.CAPPED
        assert played(HEADS_UP_LIMIT, "c c r10 r20 r30 r40").min_raise_to is None

    def test_a_heads_up_street_may_have_no_cap(self) -> None:
        rules = replace(limit_holdem(3), lift_cap_heads_up=True)
        assert played(rules, "r20 r30 r40").min_raise_to is None
        assert played(rules, "f c c r10 r20 r30 r40").min_raise_to == 50
        assert played(rules, "c c c r10 f r20 r30 r40").min_raise_to is None

    def test_a_short_stack_bets_what_it_has(self) -> None:
        rules = limit_holdem(3, stack=(100, 100, 34))
        state = played(rules, "c c c r10 c")
        assert sizes(state) == (20, 20)
        assert sizes(played(rules, "r20 c c r10 c")) == (14, 14)
        after = played(rules, "r20 c c r10 c r14")
        assert (after.to_call, after.raises) == (4, 1)
        assert reason(after, "r20") is Reason.NOT_REOPENED


class TestNoLimit:
    def test_the_smallest_raise_is_the_last_full_one(self) -> None:
        assert sizes(played(TEST_BETTING_SIX)) == (200, 20_000)
        assert sizes(played(TEST_BETTING_SIX, "r250")) == (400, 20_000)
        assert sizes(played(TEST_BETTING_SIX, "r250 r1000")) == (1_750, 20_000)
        assert sizes(played(TEST_BETTING_SIX, "c c c c c c")) == (100, 19_900)

    def test_refusals_say_what_is_legal(self) -> None:
        state = played(HEADS_UP_NO_LIMIT, "c c c c")
        assert str(refusal(state, Raise(Chips(50)))) == (
            "seat 0 cannot raise to 50: legal 100\N{EN DASH}19900 (turn)"
        )
        assert str(refusal(state, Raise(Chips(10**30)))) == (
            f"seat 0 cannot raise to {10**30}: legal 100\N{EN DASH}19900 (turn)"
        )
        assert reason(state, "r-7") is Reason.TOO_SMALL
        assert reason(state, "r0") is Reason.TOO_SMALL
        assert reason(state, "r19901") is Reason.TOO_LARGE
        assert reason(state, "r100") is None

    def test_an_all_in_may_be_smaller_than_a_raise(self) -> None:
        rules = replace(TEST_BETTING_SIX, stacks=UNEVEN)
        assert sizes(played(rules, "c")) == (150, 150)

    def test_what_the_stack_does_not_exceed_is_a_call(self) -> None:
        rules = no_limit_holdem(3, blinds=(50, 100), stack=(1_000, 1_000, 80))
        state = played(rules)
        assert state.to_call == 80
        assert str(refusal(state, Raise(Chips(80)))) == (
            "seat 2 cannot raise to 80: it has 80 chips left and 100 to match (preflop)"
        )

    def test_nobody_raises_whom_nobody_can_call(self) -> None:
        rules = no_limit_holdem(2, blinds=(50, 100), stack=(500, 900))
        state = played(rules, "c r500")
        assert state.actor == 1
        assert reason(state, "r900") is Reason.NOBODY_TO_CALL
        assert played(rules, "c r500 c").phase is Phase.SHOWDOWN

    def test_the_big_blind_has_the_option(self) -> None:
        state = played(TEST_BETTING_SIX, "f f f f c")
        assert (state.actor, state.to_call) == (1, 0)
        assert sizes(state) == (200, 20_000)
        assert played(TEST_BETTING_SIX, "f f f f c c").street is Street.FLOP


class TestShortAllIn:
    """Seat 2 bets 100 on the flop, seat 3 is all-in for 150, seat 4 calls."""

    CLOSED = replace(TEST_BETTING_SIX, stacks=tuple(Chips(stack + 100) for stack in UNEVEN))
    REOPENS = replace(CLOSED, short_all_in=ShortAllIn.REOPENS)
    SCRIPT = "c c c c c c c c r100 r150 c f f f"

    def test_who_has_acted_may_not_raise_again(self) -> None:
        closed = played(self.CLOSED, self.SCRIPT)
        assert (closed.actor, closed.to_call) == (2, 50)
        assert str(refusal(closed, Raise(Chips(500)))) == (
            "seat 2 cannot raise to 500: a short all-in does not reopen the betting (flop)"
        )

    def test_who_has_not_acted_raises_by_a_full_raise(self) -> None:
        assert sizes(played(self.CLOSED, "c c c c c c c c r100 r150")) == (250, 10_000)

    def test_as_the_acpc_plays_it(self) -> None:
        assert sizes(played(self.REOPENS, self.SCRIPT)) == (200, 10_000)
        assert sizes(played(self.REOPENS, "c c c c c c c c r100 r150")) == (200, 10_000)

    def test_a_full_raise_after_it_reopens(self) -> None:
        state = played(self.CLOSED, "c c c c c c c c r100 r150 r250 f f f")
        assert (state.actor, sizes(state)) == (2, (350, 10_000))

    def test_two_that_add_up_to_a_raise_reopen_for_who_faces_both(self) -> None:
        """Tournament Directors Association, rule on re-opening the bet."""
        stacks = tuple(map(Chips, (1_000, 1_000, 1_000, 250, 1_000, 310)))
        rules = replace(TEST_BETTING_SIX, stacks=stacks)
        script = "c c c c c c c c r100 r150 c r210 f f"
        bettor = played(rules, script)
        assert (bettor.actor, bettor.to_call, sizes(bettor)) == (2, 110, (310, 900))
        caller = played(rules, script + " c")
        assert (caller.actor, caller.to_call) == (4, 60)
        assert reason(caller, "r310") is Reason.NOT_REOPENED

    def test_checkers_may_not_raise_a_short_bet(self) -> None:
        rules = no_limit_holdem(3, blinds=(50, 100), stack=(1_000, 1_000, 160))
        state = played(rules, "c c c c c r60")
        assert (state.actor, state.to_call) == (0, 60)
        assert reason(state, "r500") is Reason.NOT_REOPENED


class TestShortAllInInLimit:
    """Half a bet is a bet: Tournament Directors Association 2022, rule 47 B."""

    def limit(self, *stacks: int, short_all_in: ShortAllIn = ShortAllIn.CLOSED) -> Rules:
        rules = limit_holdem(len(stacks), small_bet=100, stack=stacks)
        return replace(rules, short_all_in=short_all_in)

    def test_99_of_100_reopen_the_betting(self) -> None:
        state = played(self.limit(1_000, 1_000, 1_000, 199), "c r199 c c")
        assert (state.actor, state.to_call, sizes(state)) == (2, 99, (299, 299))
        full = self.limit(1_000, 1_000, 1_000, 199, short_all_in=ShortAllIn.FULL_BET)
        assert reason(played(full, "c r199 c c"), "r299") is Reason.NOT_REOPENED

    @pytest.mark.parametrize(("all_in", "reopens"), [(149, False), (150, True)])
    def test_half_is_the_border(self, all_in: int, reopens: bool) -> None:
        state = played(self.limit(1_000, 1_000, 1_000, all_in), f"c r{all_in} c c")
        assert (state.actor, state.raises) == (2, int(reopens))
        assert sizes(state) == ((250, 250) if reopens else (None, None))

    def test_a_full_raise_goes_a_bet_further(self) -> None:
        """Robert's Rules of Poker: on a $20 betting round, a $15 all-in bet is raised to $35."""
        rules = limit_holdem(3, small_bet=20, stack=(35, 1_000, 1_000))
        assert sizes(played(rules, "c c c r15")) == (35, 35)

    def test_less_than_half_is_completed(self) -> None:
        """Pagat: A checks, B bets 5, C calls, D is all-in for 6: E may complete to 10."""
        rules = replace(
            self.limit(*(1_000,) * 3, 106, 1_000), bet_sizes=(Chips(100), *(Chips(5),) * 3)
        )
        state = played(rules, "c c c c c c r5 c r6")
        assert (state.actor, state.to_call, sizes(state)) == (4, 6, (10, 10))
        full = replace(rules, short_all_in=ShortAllIn.FULL_BET)
        assert sizes(played(full, "c c c c c c r5 c r6")) == (11, 11)

    def test_half_counts_towards_the_cap(self) -> None:
        """An answer in the association's forum: 10, all-in 15, 25, 35 is a bet and three raises."""
        rules = limit_holdem(5, stack=(1_000, 1_000, 1_000, 15, 1_000))
        assert reason(played(rules, "c r15 r25 r35"), "r45") is Reason.CAPPED
        rules = limit_holdem(5, stack=(1_000, 1_000, 1_000, 14, 1_000))
        assert sizes(played(rules, "c r14 r20 r30")) == (40, 40)

    def test_several_add_up(self) -> None:
        """Robert's Rules: they act as a raise if the size to a player then qualifies as one."""
        rules = self.limit(1_000, 1_000, 1_000, 130, 160, 1_000)
        bettor = played(rules, "c r130 r160 c f c")
        assert (bettor.actor, bettor.to_call, sizes(bettor)) == (2, 60, (260, 260))
        assert played(rules, "c r130 r160 c f c").raises == 1
        rules = self.limit(1_000, 1_000, 1_000, 130, 1_000, 160)
        caller = played(rules, "c r130 c r160 f c c")
        assert (caller.actor, caller.to_call) == (4, 30)
        assert reason(caller, "r260") is Reason.NOT_REOPENED

    def test_as_the_acpc_plays_it(self) -> None:
        rules = acpc_rules(self.limit(1_000, 1_000, 1_000, 120))
        state = played(rules, "c r120 c c")
        assert (state.actor, state.raises, sizes(state)) == (2, 1, (220, 220))


class TestSpreadLimit:
    """One to five dollars in dimes, blinds of 1 and 2."""

    RULES = spread_limit_holdem(4, blinds=(10, 20), bets=(10, 50), stack=1_000)

    def test_a_bet_is_within_the_spread_and_a_raise_not_below_the_last(self) -> None:
        assert sizes(played(self.RULES)) == (40, 70)
        assert sizes(played(self.RULES, "r60")) == (100, 110)
        flop = "c c c c"
        assert sizes(played(self.RULES, flop)) == (10, 50)
        assert sizes(played(self.RULES, f"{flop} r10")) == (20, 60)
        assert sizes(played(self.RULES, f"{flop} r10 r45")) == (80, 95)
        assert sizes(played(self.RULES, f"{flop} r10 r60")) == (110, 110)
        assert reason(played(self.RULES, flop), "r51") is Reason.TOO_LARGE
        assert reason(played(self.RULES, f"{flop} r20"), "r30") is Reason.TOO_SMALL

    def test_the_bets_may_be_larger_from_the_turn_on(self) -> None:
        rules = spread_limit_holdem(2, blinds=(1, 2), bets=(2, 6), late_bets=(2, 12))
        assert sizes(played(rules, "c c")) == (2, 6)
        assert sizes(played(rules, "c c c c")) == (2, 12)
        assert rules.stacks is None

    def test_a_bet_and_three_raises(self) -> None:
        assert reason(played(self.RULES, "r40 r60 r80"), "r100") is Reason.CAPPED
        free = spread_limit_holdem(2, blinds=(10, 20), bets=(10, 50), max_raises=None)
        assert sizes(played(free, "r40 r60 r80 r100 r120")) == (140, 170)

    def test_half_of_the_last_raise_reopens(self) -> None:
        """All-in over a bet of 40: to 59 it is no raise, to 60 it is one."""
        for all_in, reopens, smallest in ((59, False, 80), (60, True, 100)):
            rules = replace(
                self.RULES, stacks=tuple(map(Chips, (1_000, 20 + all_in, 1_000, 1_000)))
            )
            state = played(rules, f"c c c c r40 r{all_in}")
            assert (state.actor, sizes(state)) == (2, (smallest, smallest + 10))
            bettor = played(rules, f"c c c c r40 r{all_in} c c")
            assert sizes(bettor) == ((100, 110) if reopens else (None, None))

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"largest_bets": None}, "spread-limit betting without largest bets"),
            ({"betting": Betting.NO_LIMIT}, "no-limit betting with largest bets"),
            ({"largest_bets": (50, 9, 50, 50)}, "bets from 10 to 9 chips"),
            ({"largest_bets": (50, 50)}, "2 largest bets; allowed: 4"),
        ],
    )
    def test_what_no_table_can_play(self, wrong: dict[str, Any], message: str) -> None:
        with pytest.raises(BadInput, match=message):
            replace(self.RULES, **wrong)


class TestUncallableRaise:
    """Seat 2 raises to 50, seat 3 calls of 283, seat 4 is all-in for 320."""

    ALLOWED = replace(
        no_limit_holdem(5, blinds=(5, 10), stack=(921, 921, 1_042, 283, 320)),
        uncallable_raise=UncallableRaise.ALLOWED,
    )
    SCRIPT = "r50 c r320 f f"

    def test_allowed_while_somebody_is_to_act(self) -> None:
        state = played(self.ALLOWED, self.SCRIPT)
        assert (state.actor, state.to_call, sizes(state)) == (2, 270, (590, 1_042))
        after = played(self.ALLOWED, f"{self.SCRIPT} r590")
        assert (after.actor, after.to_call, sizes(after)) == (3, 233, (None, None))
        over = played(self.ALLOWED, f"{self.SCRIPT} r590 f")
        assert pots(over) == (Pot(Chips(705), (Seat(2), Seat(4))), Pot(Chips(270), (Seat(2),)))

    def test_refused(self) -> None:
        refused = replace(self.ALLOWED, uncallable_raise=UncallableRaise.REFUSED)
        assert reason(played(refused, self.SCRIPT), "r590") is Reason.NOBODY_TO_CALL
        assert sizes(played(refused, "r50 c")) == (90, 320)

    def test_never_once_all_others_are_all_in(self) -> None:
        state = played(self.ALLOWED, "r50 f r320 f f")
        assert (state.actor, reason(state, "r590")) == (2, Reason.NOBODY_TO_CALL)

    def test_origins(self) -> None:
        """The ACPC's dealer allows it (`raiseIsValid` of its game.c); the presets do not."""
        rules = no_limit_holdem(3, blinds=(5, 10), stack=100)
        assert rules.uncallable_raise is UncallableRaise.REFUSED
        assert acpc_rules(rules).uncallable_raise is UncallableRaise.ALLOWED


class TestPotLimit:
    RULES = pot_limit_holdem(3, blinds=(5, 10), stack=1_000, ante=2)

    def test_the_pot_is_counted_after_the_call(self) -> None:
        # 21 in the pot, 10 to call: the pot is then 31, and the raise goes to 10 + 31.
        assert sizes(played(self.RULES)) == (20, 41)
        # 62 in the pot, 36 more to call for the small blind: 41 + 98.
        assert sizes(played(self.RULES, "r41")) == (72, 139)

    def test_a_pot_smaller_than_the_smallest_bet(self) -> None:
        rules = replace(self.RULES, bet_sizes=(Chips(10), Chips(100), Chips(10), Chips(10)))
        assert sizes(played(rules, "c c c")) == (100, 100)


class TestBlinds:
    def test_a_short_big_blind_is_called_in_full(self) -> None:
        rules = no_limit_holdem(4, blinds=(50, 100), stack=(1_000, 60, 1_000, 1_000))
        assert played(rules).to_call == 100
        assert sizes(played(rules)) == (200, 1_000)

    def test_but_not_by_the_only_one_left(self) -> None:
        rules = no_limit_holdem(4, blinds=(50, 100), stack=(1_000, 60, 1_000, 1_000))
        state = played(rules, "f f")
        assert (state.actor, state.to_call) == (0, 10)
        assert played(rules, "f f c").pot == 120

    def test_nothing_is_asked_of_who_has_covered_everybody(self) -> None:
        rules = no_limit_holdem(2, blinds=(50, 100), stack=(1_000, 30))
        assert played(rules).phase is Phase.SHOWDOWN
        rules = no_limit_holdem(3, blinds=(50, 100), stack=(40, 1_000, 1_000))
        assert played(rules, "f").phase is Phase.SHOWDOWN

    def test_a_straddle_may_raise_itself(self) -> None:
        rules = no_limit_holdem(4, blinds=(50, 100), stack=10_000, straddle=200)
        state = played(rules, "c c c")
        assert (state.actor, sizes(state)) == (2, (400, 10_000))

    def test_without_blinds_the_first_bet_is_free(self) -> None:
        rules = replace(TEST_BETTING_SIX, blinds=(Chips(0),) * 6, antes=(Chips(10),) * 6)
        state = played(rules)
        assert (state.to_call, sizes(state)) == (0, (100, 19_990))


class TestFolding:
    def test_a_fold_where_checking_is_free(self) -> None:
        state = played(TEST_BETTING_SIX, "c c c c c c")
        assert str(refusal(state, Fold())) == "seat 0 cannot fold: checking is free (flop)"
        assert not legal(state).fold
        free = played(replace(TEST_BETTING_SIX, open_fold=OpenFold.ALLOWED), "c c c c c c")
        assert legal(free).fold
        assert act(free, Fold()).in_hand == (1, 2, 3, 4, 5)

    def test_the_last_one_takes_the_pot(self) -> None:
        state = played(TEST_BETTING_SIX, "f f f f f")
        assert state.phase is Phase.OVER
        assert chips(state) == [-50, 50, 0, 0, 0, 0]


class TestTurns:
    def test_before_and_after_the_betting_nobody_acts(self) -> None:
        first = initial(HEADS_UP_LIMIT)
        with pytest.raises(IllegalAction, match="nobody is to act: the cards are not dealt"):
            act(first, Call())
        with pytest.raises(BadInput, match="nobody is to act"):
            legal(first)
        over = played(HEADS_UP_LIMIT, "f")
        assert reason(over, "c") is Reason.NOBODY_TO_ACT
        assert str(refusal(over, Call())) == "nobody is to act: the betting is over"

    def test_the_turn_passes_seats_that_cannot_act(self) -> None:
        rules = no_limit_holdem(4, blinds=(50, 100), stack=(1_000, 100, 1_000, 1_000))
        state = played(rules, "r300 c c")
        assert (state.street, state.actor, state.in_hand) == (Street.FLOP, 0, (0, 1, 2, 3))
        assert played(rules, "r300 c c c").actor == 2

    def test_amounts_that_are_no_numbers_are_refused(self) -> None:
        with pytest.raises(BadInput, match=r"action.to is 250.5 \(float\)"):
            refusal(played(TEST_BETTING_SIX), Raise(250.5))  # type: ignore[arg-type]

    def test_legal_actions(self) -> None:
        state = played(TEST_BETTING_SIX, "r250")
        allowed = legal(state)
        assert allowed.actions() == (Fold(), Call(), Raise(Chips(400)), Raise(Chips(20_000)))
        assert Raise(Chips(399)) not in allowed
        assert Raise(Chips(401)) in allowed
        assert legal(played(HEADS_UP_LIMIT, "c c")).actions() == (Call(), Raise(Chips(10)))


THREE = no_limit_holdem(3, blinds=(1, 2), stack=100)
HOLES = "AsAd KsKd QsQd"
CHECKED = "c c c c c c c c c c c c"


def who(events: tuple[Show | ShowCards | Muck, ...]) -> list[tuple[int, str]]:
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


class TestShowdownTestPots:
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


# What the house takes, and of which pots.


TEST_RAKE_SIX = no_limit_holdem(3, blinds=(50, 100), stack=10_000)


def raked(rules: Rules, rake: str) -> Rules:
    return replace(rules, rake=parse_rake(rake))


def won(state: HandState) -> list[int]:
    return [int(amount) for amount in payoffs(state)]


class TestText:
    @pytest.mark.parametrize(
        "text",
        ["5%", "4.25%,cap=3", "5%,cap=300,4:5%,cap=200,2:4.5%,cap=50", "2:5%", "5%,step=5,preflop"],
    )
    def test_reads_back(self, text: str) -> None:
        assert str(parse_rake(text)) == text
        assert parse_rake(text.replace(",", "+")) == parse_rake(text)

    @pytest.mark.parametrize(
        "text", ["", "5", "5%,3", "cap=3", "5%,cap=3,cap=4", "101%", "-5%", "5%,step=0", "1:5%"]
    )
    def test_refuses(self, text: str) -> None:
        with pytest.raises(BadInput, match="allowed"):
            parse_rake(text)

    def test_refuses_what_would_not_fit_the_engine(self) -> None:
        with pytest.raises(BadInput, match="two decimals"):
            Rake(tiers=(RakeTier(share=Fraction(1, 3)),))
        with pytest.raises(BadInput, match="10\\^12"):
            parse_rake("5%,step=999999999999999")
        with pytest.raises(BadInput, match="one number of players twice"):
            parse_rake("5%,4%")
        with pytest.raises(BadInput, match="chips on one table"):
            raked(replace(TEST_RAKE_SIX, stacks=(Chips(2**50),) * 3), "5%")

    def test_the_fewest_players_that_cover_a_table_count(self) -> None:
        rake = parse_rake("5%,cap=300,4:5%,cap=200,2:4.5%,cap=50")
        caps = [rake.tier(players).cap for players in (2, 3, 4, 5, 23)]
        assert caps == [50, 200, 200, 300, 300]
        assert rake_due(parse_rake("2:5%"), 1_000, players=3) == 0


class TestRakeTestPots:
    def test_net_payoffs_are_exact(self) -> None:
        rules = raked(HEADS_UP_LIMIT, "5%,cap=30")
        state = played(rules, "c c r10 c c c c c", holes="AcKd 8s8h", board="Ad 7d 9h Js 4c")
        assert (state.pot, state.raked) == (40, 2)
        assert won(state) == [18, -20]

    def test_it_is_rounded_down_and_capped(self) -> None:
        flop = "f c c r100 c c c c c"
        assert played(raked(TEST_RAKE_SIX, "3.33%"), flop).raked == 13
        assert played(raked(TEST_RAKE_SIX, "3.33%,step=5"), flop).raked == 10
        assert played(raked(TEST_RAKE_SIX, "3.33%,cap=9"), flop).raked == 9

    def test_no_flop_no_drop(self) -> None:
        assert played(raked(TEST_RAKE_SIX, "5%"), "r300 f f").raked == 0
        assert played(raked(TEST_RAKE_SIX, "5%"), "r300 f c r100 f").raked == 32
        called = raked(TEST_RAKE_SIX, "5%,preflop")
        assert called.rake is not None
        assert called.rake.no_flop is NoFlop.DROP
        state = played(called, "r300 f f")
        assert state.raked == 12  # of 250: nobody called the last 200
        assert won(state) == [-50, -100, 138]

    def test_a_board_that_is_only_dealt_counts_as_a_flop(self) -> None:
        rules = raked(replace(TEST_RAKE_SIX, stacks=(Chips(500),) * 3), "5%")
        assert played(rules, "r500 c f").raked == 55

    def test_what_nobody_called_goes_back_first(self) -> None:
        state = played(raked(TEST_RAKE_SIX, "5%"), "f c c r1000 f")
        assert (state.pot, state.raked) == (1_200, 10)

    def test_halves_of_what_is_left(self) -> None:
        rules = raked(replace(HEADS_UP_LIMIT, odd_chips=OddChips.FRACTION), "10%,step=1")
        state = played(rules, "c c c c c c c c", holes="AcKd AhKs", board="2c3d7h8s9d")
        assert state.raked == 2
        assert won(state) == [-1, -1]

    @pytest.mark.parametrize(
        ("rake", "stacks", "script", "before", "after"),
        [
            # Two hands of PokerStars, in cents: "Total pot $6.73 Main pot $3. Side pot $3.43. |
            # Rake $0.30" with five cents for every dollar, and "Total pot $39.78 Main pot $30.37.
            # Side pot $7.91. | Rake $1.50" with 4.5 % and a cap.
            ("5%,step=5", (105, 284, 284), "r105 c c r179 c", (315, 358), (300, 343)),
            ("4.5%,cap=150", (1_060, 1_459, 1_459), "r1060 c c r399 c", (3_180, 798), (3_037, 791)),
        ],
    )
    def test_the_main_pot_is_charged_first(
        self,
        rake: str,
        stacks: tuple[int, ...],
        script: str,
        before: tuple[int, ...],
        after: tuple[int, ...],
    ) -> None:
        rules = raked(no_limit_holdem(3, blinds=(5, 10), stack=stacks), rake)
        state = played(rules, script, holes="AcKd KhKs 8s8h", board="Ad 7d 9h Js 4c")
        assert tuple(pot.amount for pot in pots(state)) == before
        assert state.raked == sum(before) - sum(after)
        main, side = after
        assert won(state) == [main - stacks[0], side - stacks[1], -stacks[2]]

    def test_a_small_side_pot_is_not_charged_more_than_it_has(self) -> None:
        rules = raked(no_limit_holdem(3, blinds=(1, 2), stack=(6, 7, 7)), "14%,step=3")
        state = played(rules, "r7 c c", holes="AcKd KhKs 8s8h", board="Ad 7d 9h Js 4c")
        assert [pot.amount for pot in pots(state)] == [18, 2]
        assert rake_due(rules.rake or parse_rake("0%"), 20, players=3) == 0
        steep = replace(rules, rake=parse_rake("16%,step=3"))
        state = played(steep, "r7 c c", holes="AcKd KhKs 8s8h", board="Ad 7d 9h Js 4c")
        assert (state.raked, won(state)) == (2, [12, -7, -7])


ACES, KINGS = parse_holding("AsAd"), parse_holding("KsKd")
FIRST = initial(HEADS_UP_LIMIT)
DEALT = step(FIRST, DealHoles((ACES, KINGS)))
FLOP_DUE = step(step(DEALT, Act(Seat(1), Call())), Act(Seat(0), Call()))


@pytest.mark.parametrize(
    ("state", "event", "error", "message"),
    [
        (FIRST, Act(Seat(1), Call()), IllegalAction, "the hole cards are to be dealt"),
        (FIRST, DealBoard(parse_cards("2c3c4c")), IllegalAction, "the hole cards are to be dealt"),
        (FIRST, DealHoles((ACES,)), BadInput, "1 holdings for 2 seats"),
        (FIRST, DealHoles((ACES, ACES)), DuplicateCard, "already been dealt"),
        (FIRST, DealHoles((ACES, Holding(1326))), BadInput, "no such card"),
        (FIRST, DealHoles((ACES, Holding(-2))), BadInput, "no such card"),
        (DEALT, DealHoles((ACES, KINGS)), IllegalAction, "not due: seat 1 is to act"),
        (DEALT, Act(Seat(0), Call()), IllegalAction, "seat 0 cannot act: seat 1 is to act"),
        (DEALT, Act(Seat(1), Raise(Chips(30))), IllegalAction, "cannot raise to 30: legal 20"),
        (DEALT, DealBoard(parse_cards("2c3c4c")), IllegalAction, "not due: seat 1 is to act"),
        (DEALT, Show(Seat(1), KINGS), IllegalAction, "not due"),
        (DEALT, Muck(Seat(1)), IllegalAction, "not due"),
        (DEALT, Muck(Seat(2)), BadInput, "allowed are seats 0 to 1"),
        (FLOP_DUE, Act(Seat(0), Call()), IllegalAction, "the flop is to be dealt"),
        (FLOP_DUE, DealBoard(parse_cards("2c")), BadInput, "the flop has three cards"),
        (FLOP_DUE, DealBoard(parse_cards("2c3c")), BadInput, "the flop has three cards"),
        (FLOP_DUE, DealBoard(parse_cards("2c3cAs")), DuplicateCard, "already been dealt"),
        (FLOP_DUE, DealBoard((Card(1), Card(2), Card(1))), DuplicateCard, "already been dealt"),
        (FLOP_DUE, DealBoard((Card(1), Card(2), Card(52))), BadInput, "no such card"),
    ],
)
def test_what_is_not_due(
    state: HandState, event: Event, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        step(state, event)


def test_what_a_seat_sees() -> None:
    deal = DealHoles((ACES, KINGS))
    assert seen_by(deal, Seat(1)) == DealHoles((None, KINGS))
    assert seen_by(deal, None) == DealHoles((None, None))
    assert seen_by(Act(Seat(0), Call()), Seat(1)) == Act(Seat(0), Call())


def test_a_view() -> None:
    own = view(DEALT, Seat(1))
    assert own.holding == KINGS
    assert own.rules == HEADS_UP_LIMIT
    assert own.state.holdings == (None, KINGS)
    assert own.legal == legal(DEALT)
    with pytest.raises(BadInput, match="seat 1 is to act, not seat 0"):
        _ = view(DEALT, Seat(0)).legal
    with pytest.raises(BadInput, match="seat 0 has no cards yet"):
        _ = view(FIRST, Seat(0)).holding
    with pytest.raises(BadInput, match="no seat 2; allowed: 0 to 1"):
        view(DEALT, Seat(2))


def test_what_a_moment_shows() -> None:
    moment = Moment(DEALT)
    for seat in (Seat(0), Seat(1)):
        shown = moment.view(seat)
        assert shown == view(DEALT, seat)
        assert shown.state.holdings[1 - seat] is None
        assert shown.public == view(DEALT, seat).public == public(DEALT)
        assert shown.public is moment.public
        sent = pickle.loads(pickle.dumps(shown))
        assert sent == shown
        assert sent.state.holdings[1 - seat] is None


def test_a_state_says_what_it_is() -> None:
    assert repr(DEALT) == "<hand, preflop: betting, seat 1 to act, pot 15>"
    assert repr(FLOP_DUE) == "<hand, preflop: deal_board, pot 20>"
    assert DEALT.stacks is None
    assert DEALT != FIRST
    assert DEALT != "a hand"


class TestReplay:
    BOARD = parse_cards("2c 7d 9h Js Kc")

    def test_names_the_action(self) -> None:
        with pytest.raises(IllegalAction) as raised:
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD, (Call(), Call(), Raise(Chips(20))))
        assert str(raised.value) == "action 2: seat 0 cannot raise to 20: legal 10 (flop)"

    def test_too_many_actions(self) -> None:
        with pytest.raises(IllegalAction, match="action 8: nobody is to act"):
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD, (Call(),) * 9)

    def test_a_board_that_does_not_fit(self) -> None:
        with pytest.raises(BadInput, match="a board of 3 cards, but the turn is to be dealt"):
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD[:3], (Call(),) * 8)
        with pytest.raises(BadInput, match="a board of 5 cards, but seat 0 is to act"):
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD, (Call(),) * 4)
        with pytest.raises(BadInput, match="allowed: 2 holdings"):
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD[:2], ())

    def test_cards_twice(self) -> None:
        with pytest.raises(DuplicateCard):
            replay(HEADS_UP_LIMIT, (ACES, ACES), (), ())
        with pytest.raises(DuplicateCard):
            replay(HEADS_UP_LIMIT, (ACES, parse_holding("KcKd")), self.BOARD, (Call(),) * 8)

    def test_may_stop_anywhere(self) -> None:
        assert replay(HEADS_UP_LIMIT, (ACES, KINGS), (), ()) == DEALT
        state = replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD[:4], (Call(),) * 4)
        assert state == played(HEADS_UP_LIMIT, "c c c c", holes="AsAd KsKd")

    def test_unknown_cards_have_mucked(self) -> None:
        state = replay(HEADS_UP_LIMIT, (None, KINGS), self.BOARD, (Call(),) * 8)
        assert state.mucked == (0,)
        assert state.shower == 1
        unknown = replay(HEADS_UP_LIMIT, (None, None), self.BOARD, (Call(),) * 8)
        assert unknown.mucked == ()


def test_legal_takes_the_vector_apart_in_its_order() -> None:
    order = ("PHASE", "STREET", "ACTOR", "TO_CALL", "LOW_TO", "HIGH_TO", "NO_RAISE", "OPEN_FOLDS")
    assert [getattr(at, name) for name in (*order, "LEGAL")] == [*range(9)]
