"""Statistics of opponents, from hands written by hand and from random ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.random_hands import random_log, random_rules
from railbird.cards import CLASS_OF_HOLDING, Holding, parse_cards, parse_class, parse_holding
from railbird.cards.ranges import StartingGroups
from railbird.errors import BadInput, DamagedFile
from railbird.game import (
    BOARD_CARDS,
    Act,
    Action,
    Call,
    DealBoard,
    DealHoles,
    Event,
    Fold,
    Muck,
    Phase,
    Raise,
    Rules,
    Show,
    Street,
    initial,
    no_limit_holdem,
    showdown,
    step,
    view,
)
from railbird.modelling.opponent_statistics import (
    HandStage,
    OpponentObserver,
    OpponentStatistics,
    RollingArray,
)
from railbird.modelling.public_hand import ObservedHand, PlayedAction, PublicHand
from railbird.odds.hand_rank import final_strength, rating
from railbird.odds.win_probability import win_probability
from railbird.storage.opponents import memory_place
from railbird.units import Chips, Seat

THREE = no_limit_holdem(3, blinds=(10, 20), stack=1_500)
"""Seat 0 has the small blind, seat 1 the big blind, seat 2 the button."""
HOLES = tuple(map(parse_holding, ("AsAd", "KcQc", "7h2s")))
BOARD = parse_cards("Kh9d4s2c8h")


def to(chips: int) -> Raise:
    return Raise(Chips(chips))


def events_of(
    rules: Rules,
    holes: Sequence[Holding],
    actions: Sequence[Action],
    *,
    board: Sequence[Any] = BOARD,
    freely: Sequence[int] = (),
) -> list[Event]:
    """A hand with its showdown; ``freely`` are seats that show after it."""
    log: list[Event] = [DealHoles(tuple(holes))]
    state, left = step(initial(rules), log[0]), list(actions)
    while state.phase is not Phase.OVER:
        match state.phase:
            case Phase.BETTING if state.actor is not None:
                log.append(Act(state.actor, left.pop(0)))
            case Phase.DEAL_BOARD:
                first, last = BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1]
                log.append(DealBoard(tuple(board[first:last])))
            case _:
                log.append(showdown(state)[0])
        state = step(state, log[-1])
    assert not left
    return log + [Show(Seat(seat), holes[seat]) for seat in freely]


def tell(observer: OpponentObserver, rules: Rules, events: Sequence[Event], seat: int) -> None:
    state = initial(rules)
    for event in events:
        state = step(state, event)
        seen = view(state, Seat(seat))
        if isinstance(event, DealHoles):
            observer.begin(seen)
        else:
            observer.observe(seen, event)
    observer.end(view(state, Seat(seat)))


def hand_of(rules: Rules, events: Sequence[Event]) -> ObservedHand:
    hand, state = PublicHand(), initial(rules)
    for event in events:
        state = step(state, event)
        if isinstance(event, DealHoles):
            hand.begin(view(state, Seat(0)))
        else:
            hand.observe(view(state, Seat(0)), event)
    return hand.end(view(state, Seat(0)))


def learned(*hands: Sequence[Event], rules: Rules = THREE, seat: int, memory: int = 50) -> Any:
    statistics = OpponentStatistics(memory=memory)
    for events in hands:
        statistics.learn(hand_of(rules, events), Seat(seat))
    return statistics


CALLED_DOWN: tuple[Action, ...] = (
    *(Fold(), Call(), to(60), Call()),  # the button folds, the small blind limps and calls a raise
    *(Call(), to(80), Call()),  # check, bet, call on the flop
    *(to(200), Call()),
    *(Call(), Call()),
)
"""The aces slow-played against a pair of kings; the aces bet the turn and win."""
SHOWDOWN = events_of(THREE, HOLES, CALLED_DOWN)


def test_actions_are_counted_by_street_blind_and_bets() -> None:
    small = learned(SHOWDOWN, seat=0)
    assert small.hands == 1
    assert small.count() == 6
    assert small.count(street=Street.PREFLOP, on_blind=True) == 2
    assert small.count(street=Street.PREFLOP, on_blind=False) == 0
    assert small.count(street=Street.PREFLOP, bets=1, action=PlayedAction.CALL) == 1
    assert small.count(street=Street.FLOP, bets=0, action=PlayedAction.CHECK) == 1
    assert small.count(street=Street.FLOP, bets=1, action=PlayedAction.CALL) == 1
    assert small.count(action=PlayedAction.RAISE) == 1
    assert small.aggression == (pytest.approx(1 / 6), 6)
    button = learned(SHOWDOWN, seat=2)
    assert button.count(street=Street.PREFLOP, on_blind=False, action=PlayedAction.FOLD) == 1
    assert button.count() == 1
    assert (button.showdowns, button.unseen_showdowns) == (0, 0)


def test_what_a_call_and_a_raise_put_in() -> None:
    paid = [seen.paid for seen in hand_of(THREE, SHOWDOWN).actions]
    assert paid == [0, 10, 40, 40, 0, 80, 80, 200, 200, 0, 0]
    opponents = [seen.opponents for seen in hand_of(THREE, SHOWDOWN).actions]
    assert opponents == [2] + [1] * 10


def test_who_has_to_show_is_learned_from_and_who_mucks_is_not() -> None:
    """Nobody bets the river, so the first seat shows; the kings see that they are beaten."""
    winner, loser = learned(SHOWDOWN, seat=0), learned(SHOWDOWN, seat=1)
    assert (winner.showdowns, winner.unseen_showdowns) == (1, 0)
    assert (loser.showdowns, loser.unseen_showdowns) == (1, 1)
    assert winner.shown_classes == {(parse_class("AA"), True): 1}
    assert not loser.shown_classes
    assert winner.showdown_strength == (final_strength(HOLES[0], BOARD), 1)
    assert loser.showdown_strength is None


def test_a_beaten_hand_that_has_to_show_first_teaches() -> None:
    """The last to bet shows first, whatever it holds."""
    actions: list[Action] = [*CALLED_DOWN[:-2], Call(), to(300), Call()]
    events = events_of(THREE, HOLES, actions)
    assert [event for event in events if isinstance(event, Show)] == [
        Show(Seat(1), HOLES[1]),
        Show(Seat(0), HOLES[0]),
    ]
    assert learned(events, seat=1).shown_classes == {(parse_class("KQs"), True): 1}


@pytest.mark.parametrize("actions", [CALLED_DOWN, (Fold(), to(60), Fold())])
def test_cards_shown_without_need_teach_nothing(actions: Sequence[Action]) -> None:
    """The kings are turned over after they were beaten, the seven-deuce after it had folded."""
    events = events_of(THREE, HOLES, actions, freely=(1, 2))
    for seat in (1, 2):
        statistics = learned(events, seat=seat)
        assert statistics.shown_freely == 1
        assert not statistics.shown_classes
        assert statistics.probability(HandStage.ON_BLIND, PlayedAction.CALL, 100) is None
        assert statistics.rating(Street.FLOP, PlayedAction.RAISE) is None


def test_a_beaten_hand_shown_in_its_turn_is_shown_without_need() -> None:
    events: list[Event] = [*SHOWDOWN]
    assert events[-1] == Muck(Seat(1))
    events[-1] = Show(Seat(1), HOLES[1])
    statistics = learned(events, seat=1)
    assert (statistics.shown_freely, statistics.unseen_showdowns) == (1, 0)
    assert not statistics.shown_classes


def test_a_tied_hand_has_to_be_shown() -> None:
    holes = tuple(map(parse_holding, ("AsAd", "AcAh", "7h2s")))
    statistics = learned(events_of(THREE, holes, CALLED_DOWN), seat=1)
    assert (statistics.shown_freely, statistics.unseen_showdowns) == (0, 0)
    assert statistics.shown_classes == {(parse_class("AA"), True): 1}


def test_the_fifteen_arrays() -> None:
    """Each action of a shown hand adds its probability of winning, per chip for calls and bets."""
    statistics = learned(SHOWDOWN, seat=0)
    preflop = win_probability(HOLES[0]).unbeaten
    flop, turn, river = (win_probability(HOLES[0], BOARD[:n]).unbeaten for n in (3, 4, 5))
    called = (preflop / 10 + preflop / 40) / 2
    estimate = statistics.probability(HandStage.ON_BLIND, PlayedAction.CALL, 8)
    assert estimate == (pytest.approx(called * 8), 2)
    in_blinds = (preflop * 20 / 10 + preflop * 20 / 40) / 2
    estimate = statistics.probability(HandStage.ON_BLIND, PlayedAction.CALL, 8, big_blind=Chips(40))
    assert estimate == (pytest.approx(in_blinds * 8 / 40), 2)
    assert statistics.probability(HandStage.FLOP, PlayedAction.CHECK, 0) == (pytest.approx(flop), 1)
    assert statistics.probability(HandStage.FLOP, PlayedAction.CALL, 40) == (
        pytest.approx(flop / 2),
        1,
    )
    assert statistics.probability(HandStage.TURN, PlayedAction.RAISE, 100) == (
        pytest.approx(turn / 2),
        1,
    )
    assert statistics.probability(HandStage.TURN, PlayedAction.RAISE, 1_000) == (1, 1)
    assert statistics.probability(HandStage.RIVER, PlayedAction.CHECK, 0) == (
        pytest.approx(river),
        1,
    )
    assert statistics.probability(HandStage.PREFLOP, PlayedAction.CALL, 8) is None


def test_the_probability_is_against_those_left_at_the_time() -> None:
    actions: list[Action] = [to(60), *[Call()] * 11]
    events = events_of(THREE, HOLES, actions)
    statistics = learned(events, seat=0)
    three_way = win_probability(HOLES[0], opponents=2).unbeaten
    assert statistics.probability(HandStage.ON_BLIND, PlayedAction.CALL, 50) == (
        pytest.approx(three_way),
        1,
    )


def test_ratings_are_of_the_street_of_the_action() -> None:
    statistics = learned(SHOWDOWN, seat=0)
    assert statistics.rating(Street.TURN, PlayedAction.RAISE) == (
        pytest.approx(rating(HOLES[0], BOARD[:4])),
        1,
    )
    assert statistics.rating(Street.PREFLOP, PlayedAction.CALL) == (
        pytest.approx(rating(HOLES[0])),
        2,
    )
    assert statistics.rating(Street.TURN, PlayedAction.CHECK) is None


def test_arrays_roll() -> None:
    """Of three calls of ten chips, memory=2 keeps those with queens and sevens."""
    deals = [tuple(map(parse_holding, (own, "6c3s", "7h2s"))) for own in ("AsAd", "QsQd", "7s7d")]
    call_down: list[Action] = [Fold(), *[Call()] * 8]
    hands = [events_of(THREE, holes, call_down, board=parse_cards("Kh9d4sJc8h")) for holes in deals]
    statistics = learned(*hands, seat=0, memory=2)
    expected = np.mean([win_probability(holes[0]).unbeaten for holes in deals[1:]]) / 10
    assert statistics.probability(HandStage.ON_BLIND, PlayedAction.CALL, 1) == (
        pytest.approx(expected),
        2,
    )


def test_an_entry_is_worked_out_when_it_is_asked_for_and_only_once() -> None:
    asked: list[float] = []

    def pending(value: float) -> Callable[[], tuple[float]]:
        def entry() -> tuple[float]:
            asked.append(value)
            return (value,)

        return entry

    early, later = RollingArray(2), RollingArray(2)
    for value in (1.0, 2.0, 3.0):
        early.add(pending(value))
    later.add(pending(4.0))
    both = early.followed_by(later)
    new = both.since(early)
    assert (len(early), early.total, len(both), both.total, len(new)) == (2, 3, 2, 4, 1)
    assert asked == []
    assert both.entries == [(3.0,), (4.0,)]
    assert both.mean() == (3.5,)
    assert both.as_record() == [4, [[3.0], [4.0]]]
    assert asked == [3.0, 4.0]
    both.add((6.0,))
    assert both.mean() == (5.0,)
    assert new.mean() == (4.0,)


def test_mean_groups_on_and_off_the_blind() -> None:
    statistics = learned(SHOWDOWN, seat=0)
    assert statistics.mean_group(on_blind=True) == (1, 1)
    assert statistics.mean_group(StartingGroups.REVISED, on_blind=True) == (0, 1)
    assert statistics.mean_group(on_blind=False) is None


def test_first_bets_from_late_positions() -> None:
    """The button opens; then the blinds check the flop and it bets, last to act."""
    actions = (to(60), Call(), Call(), Call(), Call(), to(100), Fold(), Fold())
    events = events_of(THREE, HOLES, actions)
    assert learned(events, seat=2).late == [1, 1, 1, 1]
    assert learned(events, seat=0).late == [0, 0, 0, 0]
    limps = events_of(THREE, HOLES, (Call(), Call(), Call(), *[Call()] * 9))
    assert learned(limps, seat=2).late == [1, 0, 3, 0]
    assert learned(limps, seat=0).late == [0, 0, 0, 0]


def hands(seed: int, count: int) -> list[tuple[Rules, list[Event]]]:
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        rules = random_rules(rng, most_seats=6)
        found.append((rules, random_log(rng, rules)))
    return found


def watched(logs: Sequence[tuple[Rules, list[Event]]], seat: int = 1) -> OpponentStatistics:
    statistics = OpponentStatistics()
    for rules, events in logs:
        statistics.learn(hand_of(rules, events), Seat(seat))
    return statistics


def test_records_keep_everything() -> None:
    statistics = watched(hands(1, 150))
    record = statistics.as_record()
    assert json.loads(json.dumps(record)) == record
    again = OpponentStatistics.from_record(record)
    assert again.as_record() == record
    assert statistics.count() > 100
    assert len(statistics.shown_hands) > 20
    more = hands(2, 30)
    for rules, events in more:
        statistics.learn(hand_of(rules, events), Seat(1))
        again.learn(hand_of(rules, events), Seat(1))
    assert without_table(again) == without_table(statistics)


def without_table(statistics: OpponentStatistics) -> dict[str, Any]:
    """Everything but what depends on the hands before: each session has a table of its own."""
    record = statistics.as_record()
    return {**record, "cues": record["cues"][:2]}


def test_two_sessions_add_up() -> None:
    """What one process saw after a common beginning is added to what the other saw."""
    first, second, third = hands(3, 60), hands(4, 60), hands(5, 200)
    base, one = watched(first), watched([*first, *second])
    assert base.followed_by(one.since(base)).as_record() == one.as_record()
    whole = watched([*first, *second, *third])
    both = one.followed_by(watched(third))
    assert without_table(both) == without_table(whole)
    assert sum(both.cues.counts) < sum(whole.cues.counts), "the first ten hands of the third"
    assert one.since(one).count() == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "version 2; allowed: 1"),
        ({"hands": -1}, "-1; allowed: whole numbers from 0"),
        ({"hands": 1.5}, "1.5; allowed: whole numbers from 0"),
        ({"actions": [0] * 5}, "5 numbers; allowed: 96"),
        ({"ratings": []}, "0 arrays; allowed: 12"),
        ({"ratings": [[0, [[1.0]]]] * 12}, "array of 0 entries"),
        ({"ratings": [[1, [[float("nan")]]]] * 12}, "not 1 finite numbers"),
        ({"probabilities": [[1, [[1.0]]]] * 15}, "not 3 finite numbers"),
        ({"shown_classes": [["XX", 0, 1]]}, "XX"),
        ({"shown_hands": [[1326, [], 0, 20, []]]}, "1326; allowed"),
        ({"shown_hands": [1]}, "int"),
        ({"late": None}, "NoneType"),
        ({"cues": [0] * 5}, "5 numbers; allowed: 6"),
        ({"memory": 0}, "memory of 0 hands"),
    ],
)
def test_records_that_are_none(change: dict[str, Any], message: str) -> None:
    record = {**OpponentStatistics().as_record(), **change}
    with pytest.raises(DamagedFile, match=message):
        OpponentStatistics.from_record(record)
    with pytest.raises(DamagedFile):
        OpponentStatistics.from_record({})


def test_memory_of_nothing() -> None:
    with pytest.raises(BadInput, match="memory of 0 hands; allowed: 1 or more"):
        OpponentStatistics(memory=0)


def test_an_observer_knows_people_in_other_seats() -> None:
    observer = OpponentObserver()
    observer.introduce(("me", "tom", "ann"))
    observer.meet((1, 0, 2))
    tell(observer, THREE, SHOWDOWN, seat=1)
    observer.meet((0, 2, 1))
    tell(observer, THREE, SHOWDOWN, seat=0)
    met = observer.met
    assert sorted(met) == ["ann", "tom"]
    assert met["tom"].hands == met["ann"].hands == 2
    assert met["tom"].shown_classes == {(CLASS_OF_HOLDING[HOLES[0]], True): 1}
    assert met["ann"].unseen_showdowns == 1
    observer.reset()
    assert not observer.met


def test_an_observer_remembers_names_from_session_to_session(tmp_path: Path) -> None:
    place = memory_place(str(tmp_path / "people.sqlite3"))

    def session(memory: int = 50) -> OpponentObserver:
        observer = OpponentObserver(memory=memory, place=place)
        observer.introduce(("me", "tom", "ann"))
        observer.meet((1, 0, 2))
        tell(observer, THREE, SHOWDOWN, seat=1)
        return observer

    first = session()
    once = first.met["tom"].as_record()
    first.close()
    second = session()
    both = OpponentStatistics.from_record(once).followed_by(OpponentStatistics.from_record(once))
    assert second.met["tom"].as_record() == both.as_record()
    second.reset()
    assert not second.met
    tell(second, THREE, SHOWDOWN, seat=1)  # seats are people again, and nobody changed the names
    second.close()
    third = session(memory=1)
    tom = third.met["tom"]
    assert (tom.hands, tom.memory) == (3, 1)
    rated = tom.rating(Street.FLOP, PlayedAction.CALL)
    assert rated is not None
    assert rated.n == 1, "the length of rolling arrays is the observer's own"


def test_check_raises_are_counted_where_a_bet_came_behind_a_check() -> None:
    actions = (*(Fold(), Call(), Call()), *(Call(), to(40), to(120), Fold()))
    small = learned(SHOWDOWN, events_of(THREE, HOLES, actions), seat=0)
    # Checked twice and bet at: called once, raised once; the river, checked through, is none.
    assert small.cues.check_raises == (1, 2)
    big = learned(SHOWDOWN, events_of(THREE, HOLES, actions), seat=1)
    assert big.cues.check_raises == (0, 0), "who bets first has not checked"


def test_played_hands_are_counted_by_how_much_the_others_bet() -> None:
    quiet = events_of(THREE, HOLES, (Fold(), Call(), Call(), *(Call(), Call()) * 3))
    aggressive = events_of(THREE, HOLES, (to(60), to(200), to(600), Fold(), Fold()))
    statistics = learned(*[quiet] * 11, *[aggressive] * 12, seat=0)
    cues = statistics.cues
    # The others' last ten hands decide: nothing counts before there are ten.
    assert cues.played_when_quiet.n + cues.played_when_aggressive.n == 13
    assert cues.played_when_quiet == (8, 8)
    assert cues.played_when_aggressive == (5, 5)
    folder = learned(*[quiet] * 12, seat=2)
    assert folder.cues.played_when_quiet == (0, 2)


def test_the_last_action_in_a_hand() -> None:
    observer, state = OpponentObserver(), initial(THREE)
    for event in SHOWDOWN[:7]:
        state = step(state, event)
        seen = view(state, Seat(1))
        if isinstance(event, DealHoles):
            observer.begin(seen)
        else:
            observer.observe(seen, event)
    last = observer.last_action(Seat(0))
    assert last is not None
    assert (last.street, last.action, last.paid) == (Street.FLOP, PlayedAction.CHECK, 0)
    assert observer.last_action(Seat(1)) is not None


def test_every_seat_learns_the_same() -> None:
    """Nothing is learned from cards that only one seat knows."""
    for rules, events in hands(7, 60):
        seen = []
        for seat in range(rules.seats):
            observer = OpponentObserver()
            tell(observer, rules, events, seat)
            others = [Seat(other) for other in range(rules.seats) if other != seat]
            seen.append({other: observer[other].as_record() for other in others})
        for seat in range(rules.seats):
            records = [known[Seat(seat)] for known in seen if Seat(seat) in known]
            assert all(record == records[0] for record in records)
