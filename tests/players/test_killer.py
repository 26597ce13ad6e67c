"""Hold'em Killer as a player."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.arena import Match, Ring, TopUp, play, play_ring
from railbird.assessment import assess
from railbird.cards import Holding, parse_cards, parse_holding
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
    initial,
    limit_holdem,
    no_limit_holdem,
    parse_rake,
    pot_limit_holdem,
    step,
    view,
)
from railbird.odds.spectra.bettable import board_quantiles
from railbird.odds.straight_play import pays, raise_ratio
from railbird.players import make_player
from railbird.players.killer import KillerPlayer
from railbird.players.killer.bluffs import gain_of_bet, giving_up
from railbird.players.killer.habits import Habits, Rates
from railbird.players.killer.preflop import odds_against, opening_share
from railbird.players.killer.seen_hand import SeenHand
from railbird.players.killer.settings import HALVED_EVERY, Memory, Reflection
from railbird.players.killer.straight import Rule, decide
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
    short, long = Habits(Memory.SHORT), Habits(Memory.LONG)
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
        habits = [Habits(Memory.LONG), Habits(Memory.LONG)]
        habits[1].hands, habits[1].flops = 60.0, float(flops)
        hand = SeenHand(habits, Reflection.BOOLEAN)
        hand.learn(raises, state)
        shares.append(hand.filters[1][0].share)
    assert shares[1] > 1.5 * shares[0]


def test_a_looseness_that_is_given_is_not_learnt() -> None:
    learnt, given = Habits(Memory.LONG), Habits(Memory.LONG, 2.0)
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
    ],
)
def test_options_that_it_does_not_have_are_refused(spec: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        make_player(spec)


@pytest.mark.parametrize("reflection", [Reflection.BOOLEAN, Reflection.FUZZY])
def test_a_bet_narrows_what_a_seat_may_hold(reflection: Reflection) -> None:
    board = parse_cards("Ts 8d 2c")
    state = dealt("AsTh", seat=0)
    hand = SeenHand([Habits(), Habits()], reflection)
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
    habits = [Habits(Memory.LONG), Habits(Memory.LONG)]
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
    assert (decision.rule is Rule.BLUFF) is bluffs
    assert decide(view(state, Seat(0)), hand, may_bluff=False).rule is Rule.CHECK


@pytest.mark.parametrize(
    ("seen", "rule"),
    [
        (Rates(decisions=60.0, passive=6.0), Rule.STEAL),
        (Rates(), Rule.CHECK),
        (Rates(decisions=60.0, passive=60.0), Rule.CHECK),
    ],
)
def test_any_hand_bets_at_who_is_seen_to_give_up(seen: Rates, rule: Rule) -> None:
    """Jack high wins something by a check, and is none of the worst hands, which bluff."""
    habits = [Habits(Memory.LONG), Habits(Memory.LONG)]
    habits[1].rates[2][True] = seen  # on the turn: it tells of the flop as well
    hand = SeenHand(habits, Reflection.FUZZY)
    state = dealt("Jc8d", seat=0)
    for act in (Act(Seat(1), Call()), Act(Seat(0), Call())):
        state = step(state, act)
    state = step(state, DealBoard(parse_cards("As Kd 9h")))
    assert decide(view(state, Seat(0)), hand, may_bluff=True).rule is rule
    assert decide(view(state, Seat(0)), hand, may_bluff=False).rule is Rule.CHECK


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_bluff_at_strangers_is_worth_nothing(seats: int) -> None:
    state = _all_call(no_limit_holdem(seats, blinds=(1, 2), stack=200))
    hand = SeenHand([Habits() for _ in range(seats)], Reflection.FUZZY)
    others = [Seat(seat) for seat in range(1, seats)]
    for size in (2, state.pot // 2, 3 * state.pot):
        fold = giving_up(hand, others, state, size)
        assert fold * state.pot == pytest.approx((1 - fold) * size)


def test_who_is_all_in_cannot_give_up() -> None:
    state = _all_call(no_limit_holdem(3, blinds=(1, 2), stack=[200, 200, 2]))
    habits = [Habits(Memory.LONG) for _ in range(3)]
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
@pytest.mark.parametrize("spec", ["killer", "killer,reflect=boolean,bluff=off,looseness=2"])
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
