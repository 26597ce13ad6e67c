"""Decisions of the plain no-limit player, one for each rule and for each number that it takes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from helpers.command_line import action_of, played
from railbird.arena import Tournaments, play_tournaments
from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    HOLDINGS,
    Holding,
    Range,
    format_holding,
    parse_cards,
    parse_class,
    parse_holding,
)
from railbird.game import (
    BOARD_CARDS,
    Act,
    Action,
    DealBoard,
    DealHoles,
    Event,
    Phase,
    Rules,
    View,
    initial,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
    step,
    view,
)
from railbird.odds import Mode, equity
from railbird.players.explanation import Explanation
from railbird.players.pushfold import charts
from railbird.players.tight import (
    ALL,
    Habit,
    TightPlayer,
    TightRule,
    best,
    class_equities,
    defended,
    kept,
    opening,
    order,
)
from railbird.solve import COMBINATIONS, solve_pushfold
from railbird.tournament import parse_schedule
from railbird.units import Seat

SIX = no_limit_holdem(6, blinds=(10, 20), stack=1500)
TWO = no_limit_holdem(2, blinds=(10, 20), stack=1500)
SHORT_TWO = no_limit_holdem(2, blinds=(50, 100), stack=800)
SHORT_SIX = no_limit_holdem(6, blinds=(100, 200), stack=1500)
ANTES = no_limit_holdem(6, blinds=(10, 20), stack=1500, ante=5)
CALLED = "r50 f f f f c"
"""The first of six opens, the big blind calls and acts first on a flop of 110."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer of the player, and what it says about it."""

    player: TightPlayer
    view: View
    action: Action

    @property
    def why(self) -> Explanation:
        return self.player.explain(self.view)

    def number(self, name: str) -> float:
        (value,) = [reading.value for reading in self.why.readings if reading.name == name]
        assert isinstance(value, float | int)
        return value


def ask(rules: Rules, held: str, script: str = "", board: str = "", seed: int = 0) -> Answer:
    """Tell a player a hand, with these cards in the seat to act after the script, and ask it."""
    player = TightPlayer()
    player.reset(np.random.default_rng(seed))
    seat = played(rules, script, board=board).actor
    assert seat is not None
    holes = tuple(parse_holding(held) if other == seat else None for other in range(rules.seats))
    state = step(initial(rules), DealHoles(holes))
    player.begin(view(state, seat))
    waiting = script.split()
    while waiting or state.phase is Phase.DEAL_BOARD:
        if state.phase is Phase.DEAL_BOARD:
            due = slice(BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1])
            event: Event = DealBoard(parse_cards(board)[due])
        else:
            assert state.actor is not None
            event = Act(state.actor, action_of(waiting.pop(0)))
        state = step(state, event)
        player.observe(view(state, seat), event)
    seen = view(state, seat)
    return Answer(player=player, view=seen, action=player.act(seen))


@pytest.mark.parametrize(
    ("rules", "held", "script", "board", "rule", "action"),
    [
        (SHORT_TWO, "AsAd", "", "", TightRule.PUSH_FOLD, "r800"),
        (SHORT_TWO, "3c2d", "", "", TightRule.PUSH_FOLD, "f"),
        (SHORT_TWO, "AsAd", "r800", "", TightRule.PUSH_FOLD, "c"),
        (SHORT_TWO, "3c2d", "r800", "", TightRule.PUSH_FOLD, "f"),
        (SIX, "AsAd", "", "", TightRule.OPEN, "r50"),
        (SIX, "AsAd", "c", "", TightRule.OPEN, "r70"),
        (ANTES, "AsAd", "", "", TightRule.OPEN, "r80"),
        (SHORT_SIX, "AsAd", "", "", TightRule.OPEN, "r1500"),
        (SIX, "KcTd", "", "", TightRule.GIVE_UP_PREFLOP, "f"),
        (SIX, "KcTd", "f f f", "", TightRule.OPEN, "r50"),
        (SIX, "7c2d", "c f f f c", "", TightRule.GIVE_UP_PREFLOP, "c"),
        (SIX, "AsAd", "r50", "", TightRule.RERAISE, "r150"),
        (SIX, "AsJd", "r50 r400", "", TightRule.GIVE_UP_PREFLOP, "f"),
        (SIX, "AsAd", "r50 r600", "", TightRule.RERAISE, "r1500"),
        (SIX, "7c7h", "r50 f f f f", "", TightRule.RERAISE, "r150"),
        (SIX, "JsTs", "r50 f f f f", "", TightRule.CALL_PREFLOP, "c"),
        (SIX, "7c2d", "r50 f f f f", "", TightRule.GIVE_UP_PREFLOP, "f"),
        (SIX, "AsAd", "r1500 f f f f", "", TightRule.CALL_ALL_IN, "c"),
        (SIX, "2c7d", "r1500 f f f f", "", TightRule.GIVE_UP_PREFLOP, "f"),
        (TWO, "KsKd", "r50 c", "Kc7h2d", TightRule.VALUE_BET, "r67"),
        (TWO, "KsKd", "r50 c r50", "Kc7h2d", TightRule.VALUE_RAISE, "r183"),
        (SIX, "AsQd", f"{CALLED} c", "9c7h2d", TightRule.CONTINUATION_BET, "r55"),
        (SIX, "4s3d", CALLED, "KcTh8d", TightRule.CHECK, "c"),
        (SIX, "AsTd", f"{CALLED} r60", "KcTh2d", TightRule.CALL, "c"),
        (SIX, "4s4d", f"{CALLED} r110", "KcTh9d", TightRule.FOLD, "f"),
        (SIX, "8s7s", f"{CALLED} c c r90", "KsTs2d9h", TightRule.DRAW, "c"),
        (SIX, "AsKd", f"{CALLED} r1450", "Kc9h2d", TightRule.CALL_ALL_IN, "c"),
    ],
)
def test_every_rule(
    rules: Rules, held: str, script: str, board: str, rule: TightRule, action: str
) -> None:
    asked = ask(rules, held, script, board)
    words = rule.value[0].upper() + rule.value[1:]
    assert (asked.why.rule, asked.action) == (f"{words}.", action_of(action))


def test_an_all_in_bet_is_called_by_exact_equity() -> None:
    """The reading is the equity against the range, which `railbird.odds` computes by a sweep."""
    asked = ask(SIX, "AsKd", f"{CALLED} r1450", "Kc9h2d")
    (belief,) = asked.why.beliefs
    known = [*parse_cards("AsKd"), *parse_cards("Kc9h2d")]
    range_ = Range(belief.stages[-1].weights).without(known)
    exact = equity(["AsKd", range_], "Kc9h2d", mode=Mode.EXACT).players[0].equity
    assert asked.number("equity") == pytest.approx(exact, abs=1e-9)
    assert asked.number("pot odds") == pytest.approx(1450 / (110 + 2 * 1450))


def test_chips_that_cannot_be_won_are_not_in_the_pot_odds() -> None:
    uneven = no_limit_holdem(2, blinds=(10, 20), stack=[300, 3000])
    asked = ask(uneven, "KsKd", "r300")
    assert asked.number("pot odds") == pytest.approx(280 / 600)


@pytest.mark.parametrize(("stack", "ante"), [(300, 0), (800, 0), (800, 10)])
def test_short_and_heads_up_it_is_the_equilibrium(stack: int, ante: int) -> None:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=stack, ante=ante)
    solved = solve_pushfold(stack / 100, ante=ante / 100, tolerance=1e-5)
    for held in ("Ks2d", "Jc9h", "5s4s", "7c2d"):
        kind = CLASS_OF_HOLDING[parse_holding(held)]
        opens, calls = ask(rules, held), ask(rules, held, f"r{stack - ante}")
        for asked, chance in ((opens, solved.push[kind]), (calls, solved.call[kind])):
            told = asked.player.distribution(asked.view)
            assert 1 - told.fold == pytest.approx(chance, abs=0.02)


def test_an_ante_makes_the_equilibrium_looser() -> None:
    assert charts(8.0, 0.2)[0].sum() > charts(8.0)[0].sum()


def test_a_mixed_hand_is_drawn_as_often_as_the_chart_says() -> None:
    push, _ = charts(8.0)
    mixed = [kind for kind in range(169) if 0.2 < push[kind] < 0.8]
    assert mixed, "no mixed hand at this stack: choose another"
    holding = Holding(int(np.flatnonzero(mixed[0] == CLASS_OF_HOLDING)[0]))
    asked = ask(SHORT_TWO, format_holding(holding))
    pushes = sum(asked.player.act(asked.view) != action_of("f") for _ in range(2000))
    assert abs(pushes / 2000 - push[mixed[0]]) < 4 * np.sqrt(0.25 / 2000)


def test_ranges_follow_the_actions() -> None:
    asked = ask(SIX, "AsTd", f"{CALLED} r60", "KcTh2d")
    (belief,) = asked.why.beliefs
    names = [stage.what for stage in belief.stages]
    assert names == ["at the deal", "call 30, before the flop", "bet 60, flop"]
    sizes = [stage.weights.sum() for stage in belief.stages]
    assert sizes[0] > sizes[1] > sizes[2] > 0
    # The big blind pays 30 into 80 before it acts, so it defends 5/8 of its hands.
    assert sizes[1] == pytest.approx(1326 * 5 / 8)
    assert defended(80, 30) == 5 / 8
    called, bet = ({r.name: r.value for r in stage.readings} for stage in belief.stages[1:])
    assert called["share kept"] == 5 / 8
    # Those who would call 60 into 170 are 110/170 of all; half of them are worse than the best.
    assert bet["share kept"] == pytest.approx(110 / 170 / 2)
    assert called["as often as expected, times"] == bet["as often as expected, times"] == 1.0


def test_a_range_is_as_wide_as_habits_say() -> None:
    usual = Habit()
    assert usual.factor == 1.0
    maniac, rock = Habit(), Habit()
    for _ in range(30):
        maniac.count(0.4, happened=True)
        rock.count(0.4, happened=False)
    assert maniac.factor == pytest.approx(33 / 15)
    assert rock.factor == pytest.approx(3 / 15)


def test_habits_last_until_a_reset_and_belong_to_people() -> None:
    """Somebody who raises every hand is given more hands, in whatever seat; another is not."""
    player = TightPlayer()
    player.reset(np.random.default_rng(0))

    def width(people: tuple[int, int], script: str) -> float:
        state = step(initial(TWO), DealHoles((parse_holding("7c2d"), None)))
        player.meet(people)
        player.begin(view(state, Seat(0)))
        for word in script.split():
            assert state.actor is not None
            event = Act(state.actor, action_of(word))
            state = step(state, event)
            player.observe(view(state, Seat(0)), event)
        seen = view(state, Seat(0))
        if state.actor == 0:
            player.act(seen)
        (belief,) = player.explain(seen).beliefs
        player.end(seen)
        return float(belief.stages[-1].weights.sum())

    first = width((5, 7), "r60")
    last = [width((5, 7), "r60") for _ in range(10)][-1]
    assert last > 1.2 * first
    assert width((5, 8), "r60") == pytest.approx(first)
    assert width((5, 7), "r60") > last
    player.reset(np.random.default_rng(0))
    assert width((5, 7), "r60") == pytest.approx(first)


def test_larger_bets_stand_for_better_hands() -> None:
    sizes = []
    for bet in (40, 110, 400):
        (belief,) = ask(SIX, "AsTd", f"{CALLED} r{bet}", "KcTh2d").why.beliefs
        weights = belief.stages[-1].weights
        sizes.append(float((weights == weights.max()).sum()))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 2 * sizes[2]


def test_a_call_into_a_pot_smaller_than_it_leaves_a_range() -> None:
    """Two short blinds are all-in; no hand should call 20 for their 12, but somebody has."""
    rules = no_limit_holdem(4, blinds=(10, 20), stack=[5, 7, 1500, 1500])
    asked = ask(rules, "KsJd", "c")
    for belief in asked.why.beliefs:
        assert belief.stages[-1].weights.sum() > 0
    assert all(np.isfinite(r.value) for r in asked.why.readings if isinstance(r.value, float))


def test_nobody_can_be_asked_why_before_a_decision() -> None:
    with pytest.raises(LookupError, match="not decided anything"):
        TightPlayer().explain(ask(SIX, "AsAd").view)


@pytest.mark.parametrize(
    ("rules", "action"),
    [
        (pot_limit_holdem(3, blinds=(10, 20), stack=1500), "r50"),
        (pot_limit_holdem(3, blinds=(10, 20), stack=110), "r70"),
        (limit_holdem(3, small_bet=20), "r40"),
    ],
)
def test_in_other_betting_it_takes_the_nearest_size(rules: Rules, action: str) -> None:
    assert ask(rules, "AsAd").action == action_of(action)


# Starting hands in order, and the ranges of the plain no-limit player.


def test_each_class_is_the_worst_against_those_that_remain() -> None:
    best_first = order().tolist()
    assert sorted(best_first) == list(range(169))
    for place in (168, 120, 60, 20, 5):
        remain = np.zeros(169)
        remain[best_first[: place + 1]] = 1.0
        equities = np.where(remain > 0, class_equities(remain), np.inf)
        assert int(np.argmin(equities)) == best_first[place]


def test_the_best_and_the_worst_hands_are_those_that_everybody_names() -> None:
    names = [CLASS_NAMES[kind] for kind in order()]
    assert names[:2] == ["AA", "KK"]
    assert set(names[:8]) == {"AA", "KK", "QQ", "JJ", "TT", "AKs", "AKo", "AQs"}
    assert names[-1] == "32o"
    # By equity against any two cards it would be the other way round.
    assert names.index("JTs") < names.index("K4o")
    assert class_equities(ALL)[parse_class("K5o")] < class_equities(ALL)[parse_class("K6o")]


def test_equity_against_a_range_is_exact() -> None:
    tens_up = np.zeros(169)
    for name in ("AA", "KK", "QQ", "JJ", "TT", "AKs", "AKo"):
        tens_up[parse_class(name)] = 1.0
    for hand in ("AQs", "77", "T9s"):
        exact = equity([Range.parse(hand), Range.parse("TT+, AK")]).players[0].equity
        assert class_equities(tens_up)[parse_class(hand)] == pytest.approx(exact, abs=1e-12)


def test_more_players_behind_open_fewer_hands() -> None:
    ranges = [opening(behind) for behind in range(1, 10)]
    for looser, tighter in itertools.pairwise(ranges):
        assert (tighter <= looser).all()
        assert tighter.sum() < looser.sum()


def test_the_opening_share_keeps_better_hands_away_often_enough() -> None:
    for behind in range(1, 10):
        share = float(opening(behind) @ COMBINATIONS) / HOLDINGS
        # A class is opened whole, so the share is within half a class of twelve holdings.
        assert abs((1 - share) ** behind - 0.40) < behind * 6 / HOLDINGS


def test_a_share_of_a_range_has_that_weight() -> None:
    for share in (0.0, 0.01, 0.25, 0.5, 1.0):
        top = best(ALL, share)
        assert float(top @ COMBINATIONS) == pytest.approx(share * HOLDINGS)
    half = best(best(ALL, 0.5), 0.5)
    assert half == pytest.approx(best(ALL, 0.25))


def test_a_class_of_little_weight_is_kept_whole_before_the_next() -> None:
    ranking, counts = np.array([2, 0, 1]), np.ones(3)
    assert kept(np.array([1.0, 1.0, 0.5]), ranking, counts, 0.4).tolist() == [0.5, 0.0, 0.5]


# The plain no-limit player beats players without skill, in tournaments for two and for six.


SCHEDULE = parse_schedule("10/20x10,15/30x10,25/50x10,50/100x10,75/150x10,100/200x10")


def tournaments(*players: str, count: int) -> Tournaments:
    return Tournaments(players=players, count=count, seed=1, stack=1500, schedule=SCHEDULE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opponent", "count"), [("always-call", 40), ("always-raise:random", 600), ("random", 60)]
)
def test_heads_up_more_than_half_are_won(opponent: str, count: int) -> None:
    played = play_tournaments(tournaments("tight:nolimit", opponent, count=count))
    assert played.standing(0).win_rate.low > 0.5
    assert played.faults(0).as_json() == {}


@pytest.mark.slow
def test_among_six_more_than_a_sixth_are_won() -> None:
    six = ("tight:nolimit", *["always-call"] * 2, *["always-raise:random"] * 2, "random")
    played = play_tournaments(tournaments(*six, count=60))
    assert played.standing(0).win_rate.low > 1 / 6
