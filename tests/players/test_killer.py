"""Hold'em Killer as a player."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Match, Ring, TopUp, play, play_ring
from railbird.assessment import assess
from railbird.cards import CLASSES, Holding, parse_cards, parse_class, parse_holding
from railbird.errors import BadInput
from railbird.game import (
    Act,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Raise,
    Rules,
    View,
    initial,
    limit_holdem,
    no_limit_holdem,
    parse_rake,
    pot_limit_holdem,
    step,
    view,
)
from railbird.odds.flop_book import STEPS, FlopBook, Page, opposition
from railbird.odds.pot_odds import pays, raise_ratio
from railbird.odds.spectra import board_quantiles
from railbird.players import make_player
from railbird.players.killer import (
    HALVED_EVERY,
    FlopPlay,
    KillerPlayer,
    KillerRule,
    Memory,
    OpponentHabits,
    Rates,
    Reflection,
    SeenHand,
    Stereotype,
    decide,
    gain_of_bet,
    giving_up,
    odds_against,
    opening_share,
)
from railbird.units import Chips, Seat

HEADS_UP = limit_holdem(2)


def dealt(mine: str, *, seat: int = 1) -> HandState:
    holdings: list[Holding | None] = [None, None]
    holdings[seat] = parse_holding(mine)
    return step(initial(HEADS_UP), DealHoles(tuple(holdings)))


@pytest.mark.parametrize(
    ("behind", "share"),
    [(9, 0.10), (8, 0.11), (7, 0.12), (6, 0.14), (5, 0.17), (3, 0.26), (2, 0.37)],
)
def test_first_bets_are_those_of_the_source(behind: int, share: float) -> None:
    """Peretz's table of the game with pot odds, which rounds."""
    assert opening_share(behind, 0.4) == pytest.approx(share, abs=0.008)


def test_odds_against_a_range_are_exact() -> None:
    """Against everything, aces win 85.2 % of the time (published all-in equity)."""
    (odds,) = odds_against(parse_holding("AsAh"), [1.0], 0.0)
    assert odds == pytest.approx(0.852, abs=0.0005)


def test_counts_are_halved_in_the_short_term_alone() -> None:
    short, long = OpponentHabits(Memory.SHORT), OpponentHabits(Memory.LONG)
    for _ in range(HALVED_EVERY + 1):
        for habits in (short, long):
            habits.begin_hand()
            habits.see_flop()
    assert long.hands == long.flops == HALVED_EVERY + 1
    assert short.hands < HALVED_EVERY


def test_a_loose_player_keeps_more_holdings() -> None:
    """Twice as loose, twice the share of starting hands: the source's filter."""
    state = dealt("7c2d", seat=1)
    raises = Act(Seat(1), Raise(Chips(20)))
    shares = []
    for flops in (0, 60):
        habits = [OpponentHabits(Memory.LONG), OpponentHabits(Memory.LONG)]
        habits[1].hands, habits[1].flops = 60.0, float(flops)
        hand = SeenHand(habits, Reflection.BOOLEAN)
        hand.learn(raises, state)
        shares.append(hand.filters[1][0].share)
    assert shares[1] > 1.5 * shares[0]


def test_a_looseness_that_is_given_is_not_learnt() -> None:
    learnt, given = OpponentHabits(Memory.LONG), OpponentHabits(Memory.LONG, 2.0)
    for habits in (learnt, given):
        habits.hands, habits.flops = 200.0, 0.0
    assert learnt.looseness(6) < 0.2
    assert given.looseness(6) == 2.0


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("killer,looseness=half", "learn, 0.1 to 10"),
        ("killer,looseness=nan", "learn, 0.1 to 10"),
        ("killer,looseness=0", "learn, 0.1 to 10"),
        ("killer,model=mid", "short, long, off"),
        ("killer,bluff=yes", "on, off"),
        ("killer:flop", "did you mean flops?"),
        ("killer,callers=near", "callers=; allowed: with killer:flops alone"),
        ("killer:groups,book=idle", "book=; allowed: with killer:flops alone"),
    ],
)
def test_options_that_it_does_not_have_are_refused(spec: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        make_player(spec)


@pytest.mark.parametrize("reflection", [Reflection.BOOLEAN, Reflection.FUZZY])
def test_a_bet_narrows_what_a_seat_may_hold(reflection: Reflection) -> None:
    board = parse_cards("Ts 8d 2c")
    state = dealt("AsTh", seat=0)
    hand = SeenHand([OpponentHabits(), OpponentHabits()], reflection)
    for event in (Act(Seat(1), Call()), Act(Seat(0), Call()), DealBoard(board)):
        if isinstance(event, Act):
            hand.learn(event, state)
        state = step(state, event)
    hand.learn(Act(Seat(0), Call()), state)
    before = hand.weights(Seat(1), board)
    hand.learn(Act(Seat(1), Raise(Chips(10))), step(state, Act(Seat(0), Call())))
    after = hand.weights(Seat(1), board)
    assert after.sum() < 0.7 * before.sum()
    quantiles = board_quantiles(board)
    alive = np.isfinite(quantiles)
    mean = [np.average(quantiles[alive], weights=one[alive]) for one in (before, after)]
    assert mean[1] < mean[0]


@pytest.mark.parametrize(("calls", "bluffs"), [(False, True), (True, False)])
@pytest.mark.parametrize("street", [1, 2, 3])
def test_the_worst_hand_bluffs_whoever_folds(street: int, calls: bool, bluffs: bool) -> None:
    """The source: as often as makes a call worth nothing; a bluff that is always called loses."""
    river = parse_cards("As Ks Qd 9h 7c")
    habits = [OpponentHabits(Memory.LONG), OpponentHabits(Memory.LONG)]
    if calls:
        habits[1].rates[street][True] = Rates(decisions=200.0, passive=200.0)
    hand = SeenHand(habits, Reflection.FUZZY)
    state = dealt("3c2d", seat=0)
    called = (Act(Seat(1), Call()), Act(Seat(0), Call()))
    checked = (Act(Seat(0), Call()), Act(Seat(1), Call()))
    rounds = ((called, river[:3]), (checked, river[3:4]), (checked, river[4:]))
    for acts, cards in rounds[:street]:
        for act in acts:
            hand.learn(act, state)
            state = step(state, act)
        state = step(state, DealBoard(cards))
    decision = decide(view(state, Seat(0)), hand, may_bluff=True)
    assert (decision.rule is KillerRule.BLUFF) is bluffs
    assert decide(view(state, Seat(0)), hand, may_bluff=False).rule is KillerRule.CHECK


@pytest.mark.parametrize(
    ("seen", "rule"),
    [
        (Rates(decisions=60.0, passive=6.0), KillerRule.STEAL),
        (Rates(), KillerRule.CHECK),
        (Rates(decisions=60.0, passive=60.0), KillerRule.CHECK),
    ],
)
def test_any_hand_bets_at_who_is_seen_to_give_up(seen: Rates, rule: KillerRule) -> None:
    """Jack high wins something by a check, and is none of the worst hands, which bluff."""
    habits = [OpponentHabits(Memory.LONG), OpponentHabits(Memory.LONG)]
    habits[1].rates[2][True] = seen  # on the turn: it tells of the flop as well
    hand = SeenHand(habits, Reflection.FUZZY)
    state = dealt("Jc8d", seat=0)
    for act in (Act(Seat(1), Call()), Act(Seat(0), Call())):
        state = step(state, act)
    state = step(state, DealBoard(parse_cards("As Kd 9h")))
    assert decide(view(state, Seat(0)), hand, may_bluff=True).rule is rule
    assert decide(view(state, Seat(0)), hand, may_bluff=False).rule is KillerRule.CHECK


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_bluff_at_strangers_is_worth_nothing(seats: int) -> None:
    state = _all_call(no_limit_holdem(seats, blinds=(1, 2), stack=200))
    hand = SeenHand([OpponentHabits() for _ in range(seats)], Reflection.FUZZY)
    others = [Seat(seat) for seat in range(1, seats)]
    for size in (2, state.pot // 2, 3 * state.pot):
        fold = giving_up(hand, others, state, size)
        assert fold * state.pot == pytest.approx((1 - fold) * size)


def test_who_is_all_in_cannot_give_up() -> None:
    state = _all_call(no_limit_holdem(3, blinds=(1, 2), stack=[200, 200, 2]))
    habits = [OpponentHabits(Memory.LONG) for _ in range(3)]
    for one in habits:
        one.rates[1][True] = Rates(decisions=50.0)
    hand = SeenHand(habits, Reflection.FUZZY)
    assert giving_up(hand, [Seat(1)], state, 4) > 0.8
    assert giving_up(hand, [Seat(1), Seat(2)], state, 4) == 0


def _all_call(rules: Rules) -> HandState:
    state = step(initial(rules), DealHoles((None,) * rules.seats))
    while (actor := state.actor) is not None:
        state = step(state, Act(actor, Call()))
    return step(state, DealBoard(parse_cards("As Kd 9h")))


@pytest.mark.parametrize("callers", [1.0, 1.4, 3.0])
def test_without_folds_the_gain_of_a_bet_is_by_the_raise_odds(callers: float) -> None:
    for odds in np.linspace(0.01, 0.99, 50).tolist():
        gain = gain_of_bet(odds, called=odds, callers=callers, all_fold=0.0, size=7, pot=40)
        assert (gain > 0) is pays(odds, raise_ratio(callers))


def test_the_flush_draw_calls_and_does_not_raise() -> None:
    """The source's example: 25 % against two, four to call into forty."""
    assert pays(0.25, 4 / 40)
    assert not pays(0.25, 1 / 2)


@pytest.mark.parametrize(
    "rules",
    [
        limit_holdem(6),
        pot_limit_holdem(10, blinds=(5, 10), stack=[7, 40, 900, 100, 15, 3_000, 60, 500, 5, 200]),
        no_limit_holdem(2, blinds=(1, 2), stack=60),
        no_limit_holdem(9, blinds=(1, 2), stack=[5, 60, 200, 3, 40, 90, 17, 300, 60], ante=1),
    ],
)
@pytest.mark.parametrize(
    "spec",
    [
        "killer",
        "killer,reflect=boolean,bluff=off,looseness=2",
        "killer:groups,draws=on,types=on",
    ],
)
def test_it_plays_every_game_without_a_fault(rules: object, spec: str) -> None:
    others = ("random",) * (rules.seats - 1)  # type: ignore[attr-defined]
    result = play(Match(players=(spec, *others), rules=rules, deals=25, seed=4))  # type: ignore[arg-type]
    assert not any(tally.counts for tally in result.faults)


def test_it_explains_its_odds_and_what_others_hold() -> None:
    player = make_player("killer")
    assert isinstance(player, KillerPlayer)
    player.reset(np.random.default_rng(1))
    state = dealt("AsKs", seat=1)
    player.begin(view(state, Seat(1)))
    action = player.act(view(state, Seat(1)))
    assert isinstance(action, Raise)
    explanation = player.explain(view(state, Seat(1)))
    assert "Bets first" in explanation.rule
    assert {reading.name for reading in explanation.readings} >= {"share of better holdings"}
    assert [belief.seat for belief in explanation.beliefs] == [0]


def test_it_explains_the_final_hands_of_everybody() -> None:
    """Its spectra: a set ends as a set, a full house or quads, whatever the other one has."""
    player = KillerPlayer()
    player.reset(np.random.default_rng(1))
    state = dealt("8c8h", seat=0)
    player.begin(view(state, Seat(0)))
    flop = DealBoard(parse_cards("As 8d 2s"))
    for event in (Act(Seat(1), Raise(Chips(20))), Act(Seat(0), Call()), flop):
        state = step(state, event)
        player.observe(view(state, Seat(0)), event)
    player.act(view(state, Seat(0)))
    explanation = player.explain(view(state, Seat(0)))
    own = {each.name: each.value for each in explanation.readings if "ends with" in each.name}
    assert own.keys() == {f"ends with {name}" for name in ("trips", "full house", "quads")}
    assert sum(float(value or 0) for value in own.values()) == pytest.approx(1)
    (belief,) = explanation.beliefs
    dealt_cards, raised = ({r.name: r.value for r in stage.readings} for stage in belief.stages)
    assert sum(float(value or 0) for value in raised.values()) == pytest.approx(1, abs=0.01)
    assert raised["pair"] != dealt_cards["pair"]


def test_the_worst_hand_folds_to_a_raise_of_a_tight_player() -> None:
    rules = limit_holdem(6)
    state = initial(rules)
    holdings: list[Holding | None] = [None] * 6
    holdings[5] = parse_holding("7c2d")
    state = step(state, DealHoles(tuple(holdings)))
    player = KillerPlayer()
    player.reset(np.random.default_rng(1))
    player.begin(view(state, Seat(5)))
    for event in (Act(Seat(2), Raise(Chips(20))), Act(Seat(3), Fold()), Act(Seat(4), Fold())):
        state = step(state, event)
        player.observe(view(state, Seat(5)), event)
    assert player.act(view(state, Seat(5))) == Fold()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opponent", "deals"),
    [("always-call", 300), ("random", 600), ("booker:1", 300), ("loki:basic", 2_000)],
)
def test_it_beats_simple_players(opponent: str, deals: int) -> None:
    """Limit, heads-up, in duplicate: the interval of fitted skill is clear of zero."""
    match = Match(players=("killer", opponent), deals=deals, seating="duplicate", seed=11)  # type: ignore[arg-type]
    skill = assess(play(match, keep=True), player="killer").estimates["killer"]["fitted"]
    assert skill.interval()[0] > 0


@pytest.mark.slow
def test_it_beats_a_no_limit_table_that_gives_up_too_often() -> None:
    """Five of the same, after a rake: money in big blinds by sessions is clear of zero."""
    ring = Ring(
        players=("killer", *("loki:basic",) * 5),
        hands=4_000,
        seed=5,
        session=100,
        buy_in=200,
        blinds=(1, 2),
        top_up=TopUp.EACH_HAND,
        rake=parse_rake("5%,cap=3"),
    )
    assert play_ring(ring).money(0).interval()[0] > 0


# Before the flop by all flops, or by groups.


def book_of(odds: dict[str, float], *, seats: int = 2) -> FlopBook:
    """Return a book in which a class has the same odds on every flop, .3 where none are given."""
    book = FlopBook(waits=False)
    weight, won = np.zeros((seats, CLASSES, 1)), np.zeros((seats, CLASSES, 1))
    weight[:] = 1.0
    won[:] = 0.3
    for name, each in odds.items():
        won[:, parse_class(name)] = each
    for step_, _ in enumerate(STEPS):
        for certain in range(seats):
            which, _ = opposition(seats, certain, STEPS[step_], seats - 1 - certain, STEPS[step_])
            book._pages[which] = Page(weight=weight, odds=won)
    return book


@pytest.mark.parametrize(
    ("mine", "rule"),
    [
        ("AsAh", KillerRule.FLOPS_RAISE),
        ("7c2d", KillerRule.FLOPS_FOLD),
        ("9h8h", KillerRule.FLOPS_CALL),
    ],
)
def test_before_the_flop_the_action_of_the_highest_value_is_taken(
    mine: str, rule: KillerRule
) -> None:
    """Facing a raise: a call costs 10 of a pot of 40, and 30 more are bet, of which 15 are paid.

    So a flop is worth odds * 85 - 30 after a call, which costs 10: .9 is worth 36.5, .48 .8 and .3
    nothing. A raise is worth odds * 105 - 30 less 20: the same or more only from one half on.
    """
    state = step(dealt(mine, seat=0), Act(Seat(1), Raise(Chips(20))))
    caller = OpponentHabits(Memory.LONG)  # who goes on whatever happens
    caller.rates[0][True] = Rates(decisions=2000.0, passive=2000.0)
    hand = SeenHand([OpponentHabits(), caller], Reflection.FUZZY)
    hand.learn(Act(Seat(1), Raise(Chips(20))), dealt(mine, seat=0))
    play_ = FlopPlay(book_of({"AA": 0.9, "98s": 0.48}))
    decision = decide(view(state, Seat(0)), hand, may_bluff=False, flops=play_)
    assert decision.rule is rule
    call = {reading.name: reading.value for reading in decision.readings}[
        "a call is worth, big blinds"
    ]
    expected = {"AsAh": 3.65, "7c2d": -1.0, "9h8h": 0.08}[mine]
    assert call == pytest.approx(expected)


def test_a_rake_takes_from_every_flop() -> None:
    values = []
    for rules in (HEADS_UP, replace(HEADS_UP, rake=parse_rake("10%"))):
        state = step(initial(rules), DealHoles((parse_holding("AsAh"), None)))
        before, raises = state, Act(Seat(1), Raise(Chips(20)))
        hand = SeenHand([OpponentHabits(), OpponentHabits()], Reflection.FUZZY)
        hand.learn(raises, before)
        shown = view(step(state, raises), Seat(0))
        found = decide(shown, hand, may_bluff=False, flops=FlopPlay(book_of({"AA": 0.9}))).readings[
            0
        ]
        assert isinstance(found.value, float)
        values.append(found.value)
    assert values[0] - values[1] == pytest.approx(0.9 * 8.5 / 10)


def test_without_its_page_it_plays_the_game_of_one_chip(tmp_path: Path) -> None:
    missing = FlopPlay(FlopBook(waits=False, folder=tmp_path))
    missing.book._busy = True  # nothing is computed here
    state = dealt("AsKs")
    hand = SeenHand([OpponentHabits(), OpponentHabits()], Reflection.FUZZY)
    decision = decide(view(state, Seat(1)), hand, may_bluff=False, flops=missing)
    assert decision.rule is KillerRule.OPEN
    assert missing.book._wanted


@pytest.mark.parametrize(
    ("mine", "acts", "rule"),
    [
        ("AsKd", "", KillerRule.GROUP_RAISE),
        ("7d6d", "", KillerRule.GROUP_FOLD),
        ("7d6d", "ffff", KillerRule.GROUP_RAISE),
        ("AsKd", "r", KillerRule.GROUP_CALL),
        ("AsAd", "r", KillerRule.GROUP_RAISE),
        ("JdTd", "r", KillerRule.GROUP_CALL),
        ("9d8d", "r", KillerRule.GROUP_FOLD),
    ],
)
def test_groups_are_played_by_position(mine: str, acts: str, rule: KillerRule) -> None:
    """At a table of eight the first seat is early, the fifth late and those between middle."""
    state = initial(limit_holdem(8))
    first = state.rules.first_to_act[0]
    own = (first + len(acts)) % 8
    holdings: list[Holding | None] = [None] * 8
    holdings[own] = parse_holding(mine)
    state = step(state, DealHoles(tuple(holdings)))
    for letter in acts:
        assert state.actor is not None
        action = Fold() if letter == "f" else Raise(Chips(state.min_raise_to or 0))
        state = step(state, Act(state.actor, action))
    hand = SeenHand([OpponentHabits() for _ in range(8)], Reflection.FUZZY)
    assert decide(view(state, Seat(own)), hand, may_bluff=False, by_groups=True).rule is rule


@pytest.mark.parametrize(
    ("spec", "rule"),
    [("killer", "Bets first"), ("killer:groups", "Raises before the flop: the group")],
)
def test_the_spec_says_how_it_plays_before_the_flop(spec: str, rule: str) -> None:
    player = make_player(spec)
    assert isinstance(player, KillerPlayer)
    player.reset(np.random.default_rng(1))
    shown = view(dealt("AsKs", seat=1), Seat(1))
    player.begin(shown)
    player.act(shown)
    assert rule in player.explain(shown).rule


# Draws and stereotypes.


def facing_three_in(mine: str, flop: str) -> tuple[View, SeenHand]:
    """Return the button's view of a bet of 300 into 400 that two have called, and what was seen."""
    rules = no_limit_holdem(4, blinds=(50, 100), stack=100_000)
    state = step(initial(rules), DealHoles((None, None, None, parse_holding(mine))))
    hand = SeenHand([OpponentHabits() for _ in range(4)], Reflection.BOOLEAN)
    for _ in range(4):
        assert state.actor is not None
        state = step(state, Act(state.actor, Call()))
    state = step(state, DealBoard(parse_cards(flop)))
    for action in (Raise(Chips(300)), Call(), Call()):
        assert state.actor is not None
        act = Act(state.actor, action)
        hand.learn(act, state)
        state = step(state, act)
    return view(state, Seat(3)), hand


@pytest.mark.parametrize(
    ("mine", "follows", "rule"),
    [
        ("5s4d", False, KillerRule.FOLD),
        ("5s4d", True, KillerRule.DRAW),
        ("7s6d", True, KillerRule.FOLD),
    ],
)
def test_a_draw_is_called_for_what_it_wins_when_it_hits(
    mine: str, follows: bool, rule: KillerRule
) -> None:
    """Four outs to a wheel for 300 into 1,300, and what three pay later; seven-six has none."""
    shown, hand = facing_three_in(mine, "Ah Kh 2c")
    assert decide(shown, hand, may_bluff=False, follows_draws=follows).rule is rule


@pytest.mark.parametrize(
    ("flops", "bets", "calls", "kind"),
    [
        (1, 0, 0, Stereotype.ROCK),
        (8, 8, 8, Stereotype.MANIAC),
        (8, 0, 9, Stereotype.STATION),
    ],
)
def test_a_stereotype_is_chosen_after_a_few_hands(
    flops: int, bets: int, calls: int, kind: Stereotype
) -> None:
    plain, typed = OpponentHabits(Memory.LONG), OpponentHabits(Memory.LONG, has_types=True)
    for one in (plain, typed):
        for _ in range(2):
            one.begin_hand()
        assert one.stereotype is Stereotype.NEUTRAL
        one.flops, one.hands = float(flops), 19.0
        one.rates[1][False] = Rates(decisions=10.0, aggressive=float(bets))
        one.rates[1][True] = Rates(decisions=10.0, passive=float(calls))
        one.begin_hand()
    assert (plain.stereotype, typed.stereotype) == (Stereotype.NEUTRAL, kind)
    loose = typed.looseness(10) - plain.looseness(10)
    assert (loose > 0) is (kind.value[0] > 1)
