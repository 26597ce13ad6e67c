"""Loki before the flop: the table of thresholds, the choice of a strategy, what it plays of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest

from railbird.arena import Match, Seating
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.cards import parse_holding
from railbird.game import (
    Act,
    Action,
    Call,
    DealHoles,
    Fold,
    HandState,
    Raise,
    Street,
    initial,
    limit_holdem,
    step,
    view,
)
from railbird.histories import HandRecord
from railbird.players import make_player
from railbird.players.advice import steps
from railbird.players.loki import (
    ExpectedPlayers,
    LokiPlayer,
    LokiRule,
    Preflop,
    PreflopPlan,
    Tightness,
)
from railbird.players.loki.preflop import (
    MEASURED_STRATEGIES,
    ThresholdCell,
    cell_of,
    choose,
    expert_table,
    group_of,
    measured_thresholds,
    preflop_spot,
    spot_of,
)
from railbird.units import Chips, Seat

TABLE = expert_table()
POSITIONS = range(10)


def after(seats: int, *actions: Action, own: str = "AhKh") -> HandState:
    """A hand of limit in which the first so many seats have acted; all hold the same unseen."""
    holdings = (parse_holding(own), *(None,) * (seats - 1))
    state = step(initial(limit_holdem(seats)), DealHoles(holdings))
    for action in actions:
        assert state.actor is not None
        state = step(state, Act(state.actor, action))
    return state


def told(spec: str, state: HandState, seat: Seat) -> tuple[Action, LokiPlayer]:
    player = make_player(spec)
    assert isinstance(player, LokiPlayer)
    player.reset(np.random.default_rng(1))
    seen = view(state, seat)
    player.begin(seen)
    return player.act(seen), player


def test_known_cells_of_the_sources_table() -> None:
    """Papp 1998, ch. 6: tight, three or four players, Make2 = [200, 50]; moderate on the button."""
    for position in POSITIONS:
        tight = dict(
            TABLE.thresholds(
                ExpectedPlayers.THREE_FOUR, Tightness.TIGHT, position, small_blind=False
            )
        )
        assert tight[PreflopPlan.MAKE2] == 200 + 50 * position
    button = TABLE.thresholds(ExpectedPlayers.THREE_FOUR, Tightness.MODERATE, 0, small_blind=False)
    assert button == ((PreflopPlan.MAKE4, 580), (PreflopPlan.MAKE2, 200), (PreflopPlan.MAKE1, 50))


@pytest.mark.parametrize("small_blind", [False, True])
@pytest.mark.parametrize("group", ExpectedPlayers)
def test_thresholds_are_monotone(group: ExpectedPlayers, small_blind: bool) -> None:
    rows = {
        (tightness, position): TABLE.thresholds(group, tightness, position, small_blind=small_blind)
        for tightness in Tightness
        for position in POSITIONS
    }
    for (tightness, position), row in rows.items():
        own = dict(row)
        if not small_blind:  # the small blind's own strategies may not move with position
            assert all(bold >= timid for (_, bold), (_, timid) in pairwise(row))
        if position:
            before = dict(rows[tightness, position - 1])
            assert all(own[strategy] >= before[strategy] for strategy in own)
    for position in POSITIONS:
        tight, moderate, loose = (dict(rows[each, position]) for each in Tightness)
        assert all(tight[each] >= moderate[each] >= loose[each] for each in tight)


def test_only_the_small_blind_has_its_own_strategies() -> None:
    row = dict(TABLE.thresholds(ExpectedPlayers.FIVE_MORE, Tightness.LOOSE, 3, small_blind=False))
    assert row.keys() == {PreflopPlan.MAKE1, PreflopPlan.MAKE2, PreflopPlan.MAKE4}
    own = dict(TABLE.thresholds(ExpectedPlayers.FIVE_MORE, Tightness.LOOSE, 3, small_blind=True))
    assert own.keys() == set(PreflopPlan) - {PreflopPlan.MAKE0}
    assert own[PreflopPlan.CALL1] == own[PreflopPlan.MAKE1] == row[PreflopPlan.MAKE1]
    assert own[PreflopPlan.CALL2] == own[PreflopPlan.MAKE2] == row[PreflopPlan.MAKE2]


def test_choice() -> None:
    row = TABLE.thresholds(ExpectedPlayers.THREE_FOUR, Tightness.MODERATE, 0, small_blind=False)
    chosen = [choose(row, rate) for rate in (49, 50, 199, 200, 579, 580)]
    assert chosen == [
        PreflopPlan.MAKE0,
        PreflopPlan.MAKE1,
        PreflopPlan.MAKE1,
        PreflopPlan.MAKE2,
        PreflopPlan.MAKE2,
        PreflopPlan.MAKE4,
    ]


def test_expected_players() -> None:
    """Papp 1998, ch. 6: both blinds and Loki are in, the button may come: 3 + 0.6, so four."""
    assert TABLE.expected_players(3, 1) == 4
    assert group_of(4) is ExpectedPlayers.THREE_FOUR
    assert [group_of(n) for n in (1, 2, 3, 5, 10)] == [
        ExpectedPlayers.TWO,
        ExpectedPlayers.TWO,
        ExpectedPlayers.THREE_FOUR,
        ExpectedPlayers.FIVE_MORE,
        ExpectedPlayers.FIVE_MORE,
    ]


def test_positions_of_the_source() -> None:
    """Small blind n - 1, big blind n - 2, button 0; those who folded are not counted."""
    everyone = after(10)
    found = [preflop_spot(everyone, Seat(seat)) for seat in range(10)]
    assert [each.position for each in found] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert [each.small_blind for each in found] == [True] + [False] * 9
    first = found[2]
    assert (first.guaranteed, first.others) == (3, 7)
    folded = after(10, *[Fold()] * 6)
    cutoff = preflop_spot(folded, Seat(8))
    assert (cutoff.position, cutoff.guaranteed, cutoff.others) == (1, 3, 1)


def test_bets_to_call_are_rounded_up() -> None:
    small_blind = after(4, Fold(), Fold())
    assert spot_of(small_blind, Seat(0)).bets_to_call == 1
    raised = after(4, Raise(Chips(20)), Fold())
    assert spot_of(raised, Seat(0)).bets_to_call == 2
    assert spot_of(step(raised, Act(Seat(0), Fold())), Seat(1)).bets_to_call == 1


@pytest.mark.parametrize(
    ("own", "raises", "strategy", "action"),
    [
        ("7h2d", 0, PreflopPlan.MAKE0, Fold()),
        ("AhAd", 0, PreflopPlan.MAKE4, Raise(Chips(20))),
        ("AhAd", 1, PreflopPlan.MAKE4, Raise(Chips(30))),
        ("AhAd", 3, PreflopPlan.MAKE4, Call()),
        ("AhQd", 0, PreflopPlan.MAKE2, Raise(Chips(20))),
        ("AhQd", 1, PreflopPlan.MAKE2, Call()),
    ],
)
def test_strategies_at_the_table(
    own: str, raises: int, strategy: PreflopPlan, action: Action
) -> None:
    """On the button of six, behind so many raises and folds."""
    holdings = (*(None,) * 5, parse_holding(own))
    state = step(initial(limit_holdem(6)), DealHoles(holdings))
    for n in range(3):
        state = step(state, Act(Seat(2 + n), Raise(Chips(20 + 10 * n)) if n < raises else Fold()))
    answer, player = told("loki:bpm", state, Seat(5))
    reason = player.explanation.reason
    assert isinstance(reason, Preflop)
    assert reason.strategy is strategy
    assert answer == action
    assert player.explanation.rule is LokiRule.STRATEGY


def test_the_strategy_stays_for_the_street() -> None:
    """A caller of one bet calls the raise behind it, though it would fold to two at once."""
    player = make_player("loki:bpm")
    assert isinstance(player, LokiPlayer)
    player.reset(np.random.default_rng(1))
    own = Seat(5)
    holdings = tuple(parse_holding("AhTd") if seat == own else None for seat in range(6))
    state = step(initial(limit_holdem(6)), DealHoles(holdings))
    player.begin(view(state, own))
    events: list[Action] = [Fold(), Fold(), Fold()]
    for action in events:
        assert state.actor is not None
        state = step(state, Act(state.actor, action))
    first = player.act(view(state, own))
    chosen = player.explanation.reason
    state = step(state, Act(own, first))
    state = reduce(step, [Act(Seat(0), Raise(Chips(state.bet + 10))), Act(Seat(1), Fold())], state)
    assert state.actor == own
    player.act(view(state, own))
    assert player.explanation.reason is chosen


def hands_of(spec: str, deals: int) -> Iterator[HandRecord]:
    match = Match(
        players=(spec,) * 10,
        rules=limit_holdem(10),
        deals=deals,
        seed=11,
        seating=Seating.SINGLE,
        chunk=deals,
    )
    yield from ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=True)).records(0)


def share_played(spec: str, deals: int) -> float:
    """How many of the hands dealt get money put in by choice before the flop."""
    played: Counter[bool] = Counter()
    for record in hands_of(spec, deals):
        chose = set()
        for each in steps(record):
            event = each.event
            if each.before.street is not Street.PREFLOP or not isinstance(event, Act):
                continue
            if isinstance(event.action, Raise) or (
                isinstance(event.action, Call) and each.before.to_call > 0
            ):
                chose.add(event.seat)
        played.update(seat in chose for seat in range(10))
    return played[True] / played.total()


@pytest.mark.slow
def test_hands_played_by_tightness() -> None:
    shares = [
        share_played(f"loki:bpm,tightness={tightness.value}", deals=250) for tightness in Tightness
    ]
    assert shares == sorted(shares)
    for share, tightness in zip(shares, Tightness, strict=True):
        assert share == pytest.approx(TABLE.hands_played[tightness], abs=0.02)


def test_measured_thresholds_are_monotone_in_every_cell() -> None:
    for group in ExpectedPlayers:
        for seat in ("other", "small-blind", "big-blind"):
            for pot in ("unraised", "raised"):
                row = measured_thresholds(ThresholdCell(group, seat, pot), 2, 0.0)
                assert [strategy for strategy, _ in row] == [*reversed(MEASURED_STRATEGIES)]
                assert all(bold >= timid for (_, bold), (_, timid) in pairwise(row))


def test_measured_thresholds_know_blinds_and_raises() -> None:
    """Heads-up the small blind calls with fewer hands than the big blind calls a raise with."""
    state = after(2)
    assert state.actor is not None
    small = cell_of(ExpectedPlayers.TWO, state, state.actor, spot_of(state, state.actor))
    assert small == ThresholdCell(ExpectedPlayers.TWO, "small-blind", "unraised")
    raised = after(2, Raise(Chips(20)))
    assert raised.actor is not None
    big = cell_of(ExpectedPlayers.TWO, raised, raised.actor, spot_of(raised, raised.actor))
    assert big == ThresholdCell(ExpectedPlayers.TWO, "big-blind", "raised")
    least = [dict(measured_thresholds(cell, 0, 0.0))[PreflopPlan.MAKE1] for cell in (small, big)]
    assert least[0] > least[1]
    assert (
        cell_of(ExpectedPlayers.FIVE_MORE, after(10), Seat(2), spot_of(after(10), Seat(2))).seat
        == "other"
    )


def test_the_measured_table_is_an_option() -> None:
    """Heads-up, a hand between the two tables' thresholds for a raise."""
    state = step(initial(limit_holdem(2)), DealHoles((None, parse_holding("Th8d"))))
    expert, measured = (
        told(f"loki:som,preflop={table}", state, Seat(1))[0] for table in ("expert", "measured")
    )
    assert expert == Raise(Chips(20))
    assert measured == Call()
    player = make_player("loki:som,preflop=measured")
    assert isinstance(player, LokiPlayer)
    assert player.policy(limit_holdem(2)) is not None, "a compiled form"
