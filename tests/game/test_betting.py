"""Who may do what, and why not; the numbers are worked out by hand from the rules of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from helpers.scripts import action_of, played
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Betting,
    Call,
    Fold,
    HandState,
    OpenFold,
    Phase,
    Pot,
    Raise,
    Reason,
    Rules,
    ShortAllIn,
    Street,
    UncallableRaise,
    acpc_rules,
    act,
    initial,
    legal,
    limit_holdem,
    no_limit_holdem,
    payoffs,
    pot_limit_holdem,
    pots,
    refusal,
    spread_limit_holdem,
)
from railbird.units import Chips, Seat

SIX = no_limit_holdem(6, blinds=(50, 100), stack=20_000)
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
        assert sizes(played(SIX)) == (200, 20_000)
        assert sizes(played(SIX, "r250")) == (400, 20_000)
        assert sizes(played(SIX, "r250 r1000")) == (1_750, 20_000)
        assert sizes(played(SIX, "c c c c c c")) == (100, 19_900)

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
        rules = replace(SIX, stacks=UNEVEN)
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
        state = played(SIX, "f f f f c")
        assert (state.actor, state.to_call) == (1, 0)
        assert sizes(state) == (200, 20_000)
        assert played(SIX, "f f f f c c").street is Street.FLOP


class TestShortAllIn:
    """Seat 2 bets 100 on the flop, seat 3 is all-in for 150, seat 4 calls."""

    CLOSED = replace(SIX, stacks=tuple(Chips(stack + 100) for stack in UNEVEN))
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
        rules = replace(SIX, stacks=stacks)
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
        rules = replace(SIX, blinds=(Chips(0),) * 6, antes=(Chips(10),) * 6)
        state = played(rules)
        assert (state.to_call, sizes(state)) == (0, (100, 19_990))


class TestFolding:
    def test_a_fold_where_checking_is_free(self) -> None:
        state = played(SIX, "c c c c c c")
        assert str(refusal(state, Fold())) == "seat 0 cannot fold: checking is free (flop)"
        assert not legal(state).fold
        free = played(replace(SIX, open_fold=OpenFold.ALLOWED), "c c c c c c")
        assert legal(free).fold
        assert act(free, Fold()).in_hand == (1, 2, 3, 4, 5)

    def test_the_last_one_takes_the_pot(self) -> None:
        state = played(SIX, "f f f f f")
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
            refusal(played(SIX), Raise(250.5))  # type: ignore[arg-type]

    def test_legal_actions(self) -> None:
        state = played(SIX, "r250")
        allowed = legal(state)
        assert allowed.actions() == (Fold(), Call(), Raise(Chips(400)), Raise(Chips(20_000)))
        assert Raise(Chips(399)) not in allowed
        assert Raise(Chips(401)) in allowed
        assert legal(played(HEADS_UP_LIMIT, "c c")).actions() == (Call(), Raise(Chips(10)))
