"""What the house takes, and of which pots."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from helpers.rake_due import rake_due
from helpers.scripts import played
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HandState,
    NoFlop,
    OddChips,
    Rake,
    RakeTier,
    Rules,
    no_limit_holdem,
    parse_rake,
    payoffs,
    pots,
)
from railbird.units import Chips

SIX = no_limit_holdem(3, blinds=(50, 100), stack=10_000)


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
            raked(replace(SIX, stacks=(Chips(2**50),) * 3), "5%")

    def test_the_fewest_players_that_cover_a_table_count(self) -> None:
        rake = parse_rake("5%,cap=300,4:5%,cap=200,2:4.5%,cap=50")
        caps = [rake.tier(players).cap for players in (2, 3, 4, 5, 23)]
        assert caps == [50, 200, 200, 300, 300]
        assert rake_due(parse_rake("2:5%"), 1_000, players=3) == 0


class TestPots:
    def test_net_payoffs_are_exact(self) -> None:
        rules = raked(HEADS_UP_LIMIT, "5%,cap=30")
        state = played(rules, "c c r10 c c c c c", holes="AcKd 8s8h", board="Ad 7d 9h Js 4c")
        assert (state.pot, state.raked) == (40, 2)
        assert won(state) == [18, -20]

    def test_it_is_rounded_down_and_capped(self) -> None:
        flop = "f c c r100 c c c c c"
        assert played(raked(SIX, "3.33%"), flop).raked == 13
        assert played(raked(SIX, "3.33%,step=5"), flop).raked == 10
        assert played(raked(SIX, "3.33%,cap=9"), flop).raked == 9

    def test_no_flop_no_drop(self) -> None:
        assert played(raked(SIX, "5%"), "r300 f f").raked == 0
        assert played(raked(SIX, "5%"), "r300 f c r100 f").raked == 32
        called = raked(SIX, "5%,preflop")
        assert called.rake is not None
        assert called.rake.no_flop is NoFlop.DROP
        state = played(called, "r300 f f")
        assert state.raked == 12  # of 250: nobody called the last 200
        assert won(state) == [-50, -100, 138]

    def test_a_board_that_is_only_dealt_counts_as_a_flop(self) -> None:
        rules = raked(replace(SIX, stacks=(Chips(500),) * 3), "5%")
        assert played(rules, "r500 c f").raked == 55

    def test_what_nobody_called_goes_back_first(self) -> None:
        state = played(raked(SIX, "5%"), "f c c r1000 f")
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
