"""Booker's decision lists, rule by rule, on hands written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.arena.tournament import Tournaments, TournamentTables
from railbird.cards import parse_cards, parse_holding
from railbird.errors import BadInput
from railbird.game import (
    BOARD_CARDS,
    Act,
    Action,
    Call,
    DealBoard,
    DealHoles,
    Event,
    Fold,
    HandDealer,
    Moment,
    Phase,
    Raise,
    Rules,
    Street,
    View,
    initial,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
    step,
    view,
)
from railbird.modelling.opponent_statistics import LEARNED, HandStage, OpponentStatistics
from railbird.modelling.public_hand import PlayedAction
from railbird.odds.hand_rank import rating
from railbird.odds.win_probability import win_probability
from railbird.players import Distribution, RaiseSizes, make_player
from railbird.players.booker import BookerPlayer, BookerRule, Countdown, LearningBooker, NoisyBooker
from railbird.players.policy import ask_each
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.units import Chips, Seat

TWO = no_limit_holdem(2, blinds=(10, 20), stack=1_500)
"""Seat 0 is the big blind; seat 1, the button, acts first before the flop."""
FLOP = "Kh9d4s"


def to(chips: int) -> Raise:
    return Raise(Chips(chips))


def no_cards(seats: int, seat: int, own: str) -> DealHoles:
    holes = [parse_holding(own) if other == seat else None for other in range(seats)]
    return DealHoles(tuple(holes))


def asked(
    player: Any,
    own: str,
    *actions: Action,
    rules: Rules = TWO,
    board: str = FLOP + "2c8h",
) -> tuple[Action, View]:
    """Play to the seat that acts after the actions, and ask it."""
    cards = parse_cards(board)
    seat = _next_actor(rules, actions, cards)
    state = step(initial(rules), no_cards(rules.seats, seat, own))
    if hasattr(player, "begin"):
        player.begin(view(state, seat))
    for event in _events(rules, actions, cards):
        state = step(state, event)
        if hasattr(player, "observe"):
            player.observe(view(state, seat), event)
    seen = view(state, seat)
    return player.act(seen), seen


def _events(rules: Rules, actions: Sequence[Action], cards: Sequence[Any]) -> list[Event]:
    state = step(initial(rules), DealHoles((None,) * rules.seats))
    events: list[Event] = []
    left = list(actions)
    while True:
        if state.phase is Phase.DEAL_BOARD:
            first, last = BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1]
            events.append(DealBoard(tuple(cards[first:last])))
        elif left and state.actor is not None:
            events.append(Act(state.actor, left.pop(0)))
        else:
            return events
        state = step(state, events[-1])


def _next_actor(rules: Rules, actions: Sequence[Action], cards: Sequence[Any]) -> Seat:
    state = step(initial(rules), DealHoles((None,) * rules.seats))
    for event in _events(rules, actions, cards):
        state = step(state, event)
    assert state.actor is not None
    return state.actor


def rule_of(player: Any) -> BookerRule:
    _, decision = player._last
    return decision.rule  # type: ignore[no-any-return]


def booker(spec: str, **known: OpponentStatistics) -> Any:
    """A player that knows the players in seats 0, 1 and so on, given as s0, s1 …"""
    player = make_player(spec)
    player.reset(np.random.default_rng(0))
    if isinstance(player, LearningBooker):
        player.opponents._met = {int(name[1:]): theirs for name, theirs in known.items()}
    return player


def statistics(**changes: Any) -> OpponentStatistics:
    return OpponentStatistics.from_record({**OpponentStatistics().as_record(), **changes})


def after(stage: HandStage, action: PlayedAction, wins: float, per_chip: float = 0) -> Any:
    """An opponent of whom one hand was shown after such an action."""
    arrays: list[Any] = [[0, []] for _ in range(len(HandStage) * len(LEARNED))]
    arrays[stage * len(LEARNED) + action - 1] = [1, [[wins, per_chip, 20 * per_chip]]]
    return statistics(probabilities=arrays)


def rated(street: Street, action: PlayedAction, mean: float) -> Any:
    arrays: list[Any] = [[0, []] for _ in range(len(Street) * len(LEARNED))]
    arrays[street * len(LEARNED) + action - 1] = [1, [[mean]]]
    return statistics(ratings=arrays)


LIMP = (Call(), Call())
"""The button limps and the big blind checks: the flop, on which the big blind acts first."""


def test_the_first_raises_with_one_and_a_half_times_the_average() -> None:
    """R1 = bankroll (p - 75 %) / (100 % - 75 %) heads-up, above the bet."""
    action, _ = asked(booker("booker:1"), "AsAd")
    share = (win_probability("AsAd").unbeaten - 0.75) / 0.25
    assert action == to(20 + int(share * 1_490))
    action, _ = asked(booker("booker:1"), "KsQd", *LIMP)
    share = (win_probability("KsQd", FLOP).unbeaten - 0.75) / 0.25
    assert action == to(int(share * 1_480))


def test_the_average_is_of_those_who_are_in() -> None:
    """AKs wins 51.7 % against two, more than half, but a half is 1.5 times a third."""
    rules = no_limit_holdem(3, blinds=(10, 20), stack=1_500)
    player = booker("booker:1")
    action, _ = asked(player, "AsKs", rules=rules)
    share = (win_probability("AsKs", opponents=2).unbeaten - 0.5) / 0.5
    assert action == to(20 + int(share * 1_500))
    action, _ = asked(player, "AsKs", Fold(), rules=rules)
    assert (action, rule_of(player)) == (Call(), BookerRule.POT_ODDS)


def test_a_raise_below_the_least_is_the_least() -> None:
    """Tens win 75.3 % of the time: 2 % of the bankroll, when the least raise is 20."""
    rules = no_limit_holdem(2, blinds=(10, 20), stack=500)
    action, seen = asked(booker("booker:1"), "TsTd", rules=rules)
    assert 0 < (win_probability("TsTd").unbeaten - 0.75) / 0.25 * 490 < 20
    assert action == to(40)
    assert seen.legal.min_raise_to == 40


def test_where_no_raise_is_allowed_the_next_rule_decides() -> None:
    """Against an all-in the aces call by pot odds."""
    player = booker("booker:1")
    action, _ = asked(player, "AsAd", to(1_500))
    assert (action, rule_of(player)) == (Call(), BookerRule.POT_ODDS)


@pytest.mark.parametrize(("bet", "action"), [(60, Call()), (400, Fold())])
def test_pot_odds(bet: int, action: Action) -> None:
    """Five-three suited wins two times in five: enough for 40 of 120, too little for 380 of 800."""
    player = booker("booker:1")
    odds = (bet - 20) / (2 * bet)
    assert (win_probability("5s3s").unbeaten >= odds) is (action == Call())
    assert asked(player, "5s3s", to(bet))[0] == action


def test_a_short_stack_s_pot_odds_count_what_it_can_win() -> None:
    """With 60 chips left to call 1,480 it plays for 80 of its opponent's chips, not for 1,500."""
    rules = no_limit_holdem(2, blinds=(10, 20), stack=[80, 1_500])
    player = booker("booker:1")
    action, _ = asked(player, "7s2d", to(1_500), rules=rules)
    assert win_probability("7s2d").unbeaten < 60 / 160
    assert (action, rule_of(player)) == (Fold(), BookerRule.TOO_DEAR)


def test_ties_are_wins_or_shares() -> None:
    """On a royal flush everybody ties: the source's list goes all-in, the share checks."""
    board = "AsKsQsJsTs"
    to_river = (*LIMP, Call(), Call(), Call(), Call())
    action, _ = asked(booker("booker:1"), "2c3d", *to_river, board=board)
    assert action == to(1_480)
    action, _ = asked(booker("booker:1,ties=share"), "2c3d", *to_river, board=board)
    assert action == Call()


@pytest.mark.parametrize("spec", ["booker:2", "booker:3,pay=0"])
def test_group_one_goes_all_in_and_group_two_puts_in_half(spec: str) -> None:
    assert asked(booker(spec), "AsKs")[0] == to(1_500)
    assert asked(booker(spec), "AsKs", to(1_500))[0] == Call()
    player = booker(spec)
    assert asked(player, "TsTd")[0] == to(750)
    assert asked(player, "TsTd", to(100))[0] == to(750)
    assert asked(player, "TsTd", to(800))[0] == Call()
    assert asked(player, "TsTd", to(60), to(100), to(1_500))[0] == Call()
    assert rule_of(player) is BookerRule.GROUP_2


def test_groups_with_the_revised_table() -> None:
    """Queens are in its group 1, which is shifted to 2, because aces are in group 0."""
    assert asked(booker("booker:2,groups=revised"), "QsQd")[0] == to(750)
    assert asked(booker("booker:2,groups=revised"), "AsAd")[0] == to(1_500)
    assert asked(booker("booker:2"), "QsQd")[0] == to(1_500)


@pytest.mark.parametrize(
    ("spec", "to_a_bet"), [("", BookerRule.TOO_DEAR), (",charts=loosen", BookerRule.BETTER_GROUP)]
)
def test_a_better_group_than_opponents_show(spec: str, to_a_bet: BookerRule) -> None:
    """Five-three suited is in group 7; they have shown seven-deuce on the blind, group 9."""
    loose = statistics(shown_classes=[["72o", 1, 4]])
    player = booker(f"booker:2{spec}", s0=loose, s1=loose)
    action, _ = asked(player, "5s3s", to(1_500))
    assert rule_of(player) is to_a_bet
    assert action == (Call() if to_a_bet is BookerRule.BETTER_GROUP else Fold())
    action, _ = asked(player, "5s3s", Call())
    assert (action, rule_of(player)) == (Call(), BookerRule.BETTER_GROUP)


@pytest.mark.parametrize(
    ("shown", "rule"), [(1_000, BookerRule.STRENGTH), (6_000, BookerRule.TOO_DEAR)]
)
def test_stronger_than_what_was_shown_down(shown: int, rule: BookerRule) -> None:
    """A pair of deuces, weaker than what is usually shown down, against an all-in on high cards."""
    known = statistics(showdown_strengths=[2, 2 * shown])
    player = booker("booker:2", s0=known, s1=known)
    asked(player, "2s2d", *LIMP, to(1_480), board="KhQhJh")
    assert rule_of(player) is rule


@pytest.mark.parametrize(
    ("theirs", "rule"),
    [(-2.0, BookerRule.RATING_RAISE), (-0.5, BookerRule.RATING_CALL), (2.0, BookerRule.POT_ODDS)],
)
def test_ratings_are_compared(theirs: float, rule: BookerRule) -> None:
    """A pair of nines; they bet the flop, and have shown such hands after it."""
    mine = rating("9c8c", FLOP)
    known = rated(Street.FLOP, PlayedAction.RAISE, mine + theirs)
    player = booker("booker:3,pay=0,aggression=40", s0=known, s1=known)
    action, _ = asked(player, "9c8c", *LIMP, to(40))
    assert rule_of(player) is rule
    if rule is BookerRule.RATING_RAISE:
        assert action == to(40 + int(2.0 * 40 / 200 * 1_480))
    else:
        assert action == Call()


def test_the_third_bets_by_value_only_where_nothing_is_to_call() -> None:
    player = booker("booker:3,pay=0")
    asked(player, "KsKd", *LIMP)
    assert rule_of(player) is BookerRule.VALUE
    asked(player, "KsKd", *LIMP, to(40))
    assert rule_of(player) is BookerRule.POT_ODDS


@pytest.mark.parametrize(
    ("per_chip", "rule"),
    [(0.001, BookerRule.ESTIMATE), (0.02, BookerRule.POT_ODDS), (0.0, BookerRule.POT_ODDS)],
)
def test_the_estimate_is_the_mean_per_chip_times_the_bet(per_chip: float, rule: BookerRule) -> None:
    """A bet of 40 with 0.1 % a chip is worth 4 %; with 2 % a chip it is worth 80 %."""
    known = after(HandStage.FLOP, PlayedAction.RAISE, 0.5, per_chip) if per_chip else statistics()
    player = booker("booker:4,pay=0,aggression=30", s0=known, s1=known)
    action, _ = asked(player, "9c8c", *LIMP, to(40))
    assert rule_of(player) is rule
    if rule is BookerRule.ESTIMATE:
        above = win_probability("9c8c", FLOP).unbeaten - 0.04
        assert action == to(40 + int(0.3 * above * 1_480))


@pytest.mark.parametrize(("trust", "rule"), [(1, BookerRule.ESTIMATE), (2, BookerRule.POT_ODDS)])
def test_an_estimate_from_too_few_hands_is_none(trust: int, rule: BookerRule) -> None:
    known = after(HandStage.FLOP, PlayedAction.RAISE, 0.5, 0.001)
    player = booker(f"booker:5,pay=0,trust={trust}", s0=known, s1=known)
    asked(player, "9c8c", *LIMP, to(40))
    assert rule_of(player) is rule
    player = booker(f"booker:5,pay=0,trust={trust},memory=1", s0=known, s1=known)
    asked(player, "9c8c", *LIMP, to(40))
    assert rule_of(player) is BookerRule.ESTIMATE  # a full array


def test_an_estimate_of_the_last_action_on_an_earlier_street() -> None:
    """Three players; the first bets the flop. The one behind has only limped so far."""
    rules = no_limit_holdem(3, blinds=(10, 20), stack=1_500)
    limper = after(HandStage.PREFLOP, PlayedAction.CALL, 0.5, 0.9 / 20)
    player = booker("booker:4,pay=0", s2=limper)
    asked(player, "9c8c", Call(), Call(), Call(), to(40), rules=rules)
    beliefs, decision = player._last
    estimates = dict(beliefs.estimates)
    assert estimates[Seat(0)] is None
    assert estimates[Seat(2)].value == pytest.approx(0.9)
    assert decision.rule is not BookerRule.ESTIMATE


def test_a_lone_aggressive_opponent_is_called_with_sixty_per_cent() -> None:
    counts = [0] * 96
    counts[3], counts[1] = 6, 4
    maniac = statistics(actions=counts)
    player = booker("booker:4,pay=0", s0=maniac, s1=maniac)
    action, _ = asked(player, "AsJd", to(1_500))
    assert (action, rule_of(player)) == (Call(), BookerRule.AGGRESSIVE)
    asked(player, "9s8s", to(60))
    assert rule_of(player) is BookerRule.POT_ODDS


def test_paying_for_information() -> None:
    """pay=0 never calls down; a chosen hand is called, except for all the chips."""
    player = booker("booker:4,pay=1")
    rules = []
    for _ in range(40):
        action, _ = asked(player, "7s2d", to(400))
        assert action == (Call() if rule_of(player) is BookerRule.PAY else Fold())
        rules.append(rule_of(player))
        player.end(_last_view(player))
    assert 10 < rules.count(BookerRule.PAY) < 35
    player = booker("booker:4,pay=1")
    for _ in range(20):
        asked(player, "7s2d", to(1_500))
        assert rule_of(player) is BookerRule.TOO_DEAR


def test_the_source_pays_with_all_its_chips() -> None:
    """The source: "the bot will call through to the showdown, regardless"."""
    player = booker("booker:4,pay=1,pay-all=on")
    rules = []
    for _ in range(40):
        action, _ = asked(player, "7s2d", to(1_500))
        assert action == (Call() if rule_of(player) is BookerRule.PAY else Fold())
        rules.append(rule_of(player))
        player.end(_last_view(player))
    assert 10 < rules.count(BookerRule.PAY) < 35


def _last_view(player: Any) -> View:
    situation = player._last[0].situation
    return view(situation.state, situation.seat)


def test_intervals_between_chosen_hands() -> None:
    """After 0 to 20 hands comes the one that is chosen, all intervals equally often."""
    countdown = Countdown(20, np.random.default_rng(1))
    lengths: list[int] = []
    length = 0
    while len(lengths) < 4_000:
        if countdown.next_hand():
            countdown.done()
            lengths.append(length)
            length = 0
        else:
            length += 1
    counts = np.bincount(lengths, minlength=21)
    assert len(counts) == 21
    assert ((counts - 4_000 / 21) ** 2 / (4_000 / 21)).sum() < 45  # chi-squared, 20 d.f., p = 0.001


def test_opponents_are_remembered_in_a_database(tmp_path: Path) -> None:
    """In a later session tom is known, though in another seat; ann is new."""
    spec = f"booker:4,database={tmp_path / 'people.sqlite3'}"
    tables = TournamentTables(
        Tournaments(players=(f"b={spec}", "tom=random"), count=1, seed=3, stack=400)
    )
    hands = tables.play(0)[0].hands
    tables.close()
    player: Any = make_player(spec)
    player.reset(np.random.default_rng(0))
    player.introduce(("ann", "tom", "b"))
    for people, known in (((1, 2), hands), ((0, 2), 0)):
        player.meet(people)
        state = step(initial(TWO), no_cards(2, 1, "AsAd"))
        player.begin(view(state, Seat(1)))
        assert player.opponents[Seat(0)].hands == known
    player.close()


def test_the_source_s_memory_lasts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the source: written to a file after a game, and read again before the next."""
    monkeypatch.setattr("railbird.storage.settings.data_folder", lambda: tmp_path)
    spec = "booker:4,memory=source"
    player: Any = None
    for game in range(2):
        player = make_player(spec)
        player.reset(np.random.default_rng(0))
        player.introduce(("ann", "b"))
        player.meet((0, 1))
        state = step(initial(TWO), no_cards(2, 1, "AsAd"))
        player.begin(view(state, Seat(1)))
        assert player.opponents[Seat(0)].hands == game
        folded = Act(Seat(1), Fold())
        state = step(state, folded)
        player.observe(view(state, Seat(1)), folded)
        player.end(view(state, Seat(1)))
        player.close()
    assert player.settings.memory == 50
    assert [file.name for file in tmp_path.glob("*.sqlite3")] == ["railbird.sqlite3"]


def test_noise_raises_whatever_it_holds() -> None:
    player = booker("booker:1n,noise=1")
    assert isinstance(player, NoisyBooker)
    sizes = []
    for _ in range(60):
        action, seen = asked(player, "7s2d", to(60))
        if rule_of(player) is BookerRule.NOISE:
            assert isinstance(action, Raise)
            assert player.distribution(seen) == Distribution(
                raises=(RaiseSizes(Chips(100), Chips(1_500), 1.0),)
            )
            sizes.append(action.to)
        else:
            assert action == Call()
    assert 25 < len(sizes) < 55
    assert min(sizes) < 400
    assert max(sizes) > 1_100


def test_rollout_never_raises() -> None:
    player = make_player("rollout")
    assert isinstance(player, BookerPlayer)
    assert asked(player, "AsAd")[0] == Call()
    assert asked(player, "7s2d", Call())[0] == Call()
    assert asked(player, "7s2d", to(1_500))[0] == Fold()


def test_limit_and_pot_limit() -> None:
    limit = limit_holdem(2, stack=1_500)
    assert asked(booker("booker:2"), "AsAd", rules=limit)[0] == to(limit.bet_sizes[0] * 2)
    unlimited = limit_holdem(2)
    assert asked(booker("booker:1"), "AsAd", rules=unlimited)[0] == to(unlimited.bet_sizes[0] * 2)
    assert isinstance(asked(booker("booker:2"), "TsTd", rules=unlimited)[0], Raise)
    pot = pot_limit_holdem(2, blinds=(10, 20), stack=1_500)
    assert asked(booker("booker:2"), "AsAd", rules=pot)[0] == to(60)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("booker:6", "booker: version=6; did you mean|allowed: 1, 1n, 2, 3, 4, 5"),
        ("booker:1,aggression=50", "booker:1 makes no use of aggression=; allowed: prob, ms, ties"),
        ("booker:4,charts=loosen", "booker:4 makes no use of charts="),
        ("booker:3,aggression=101", "aggression=101; allowed: 0 to 100"),
        ("booker:3,memory=0", "memory=0; allowed: 1 to"),
        ("booker:3,pay=x", "pay=x; allowed"),
        ("booker:2,groups=mine", "groups=mine"),
        ("random:size", "amount=size; allowed: amount"),
        ("rollout,pay=3", "option of rollout"),
    ],
)
def test_specs_that_name_nobody(spec: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make_player(spec)


def test_a_booker_without_a_version_is_the_fourth() -> None:
    player = make_player("booker,aggression=7")
    assert isinstance(player, LearningBooker)
    assert (player.settings.version, player.settings.aggression) == ("4", 7)
    assert type(make_player("booker:1")) is BookerPlayer


@pytest.mark.slow(but=["rollout-4"])
@pytest.mark.parametrize("cards", [0, 3, 4, 5])
@pytest.mark.parametrize("spec", ["booker:1", "booker:1,ties=share", "rollout", "booker:4,pay=0"])
def test_all_holdings_together_do_what_each_does_alone(spec: str, cards: int) -> None:
    """A bet to call and a free check; on each, every holding is asked by itself as well."""
    player = make_player(spec)
    assert isinstance(player, BookerPlayer)
    for opened in (False, True):
        dealer = HandDealer(
            TWO, (parse_holding("AsAh"), parse_holding("2c3d")), parse_cards("Kh9d4s9c2h")
        )
        dealer.begin()
        while len(dealer.state.board) < cards:
            dealer.act(Call())
        if opened:
            dealer.act(to(60))
        state = dealer.state
        assert state.actor is not None
        view = Moment(state).view(state.actor)
        holdings = np.flatnonzero(~is_blocked(np.array(state.board, np.uint8)))
        together, alone = (
            player.range_distribution(view, holdings),
            ask_each(player, view, holdings),
        )
        assert together.sizes == alone.sizes
        for field in ("fold", "call", "raises"):
            assert np.array_equal(getattr(together, field), getattr(alone, field))
