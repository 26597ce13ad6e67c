"""The baseline player plays what the baseline is defined to play, and goes on where it is not."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from railbird.arena import Match
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.baseline import (
    BET_SIZES,
    BaselineClass,
    BaselineSettings,
    baseline_line,
    classify,
    exact,
    parse_settings,
)
from railbird.cards import CLASS_OF_HOLDING, Card, Holding, parse_cards, parse_holding
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    Raise,
    Street,
    initial,
    limit_holdem,
    no_limit_holdem,
    step,
    view,
)
from railbird.histories import HandRecord, ReadOptions, betting_line, format_named
from railbird.odds.hand_rank import final_ranks, hand_rank
from railbird.odds.rank_tables import HR7_WHOLE, IHR_WHOLE, Tables, open_tables
from railbird.players import make_player
from railbird.units import Chips, Seat
from twins.slow_divat import baseline_of

SETTINGS = [
    "standard",
    "aggressive-high,pot=facing-bet",
    "tight-high,turn=loose-high",
    "river.make1=0.5,preflop.make2=0.7,flop.fold=0.2,pot=facing-bet",
    "multiplier=1.3,turn.multiplier=0.6",
]


@pytest.fixture(scope="module")
def tables() -> Tables:
    return open_tables()


def played(settings: str, *, deals: int, seed: int = 1) -> list[HandRecord]:
    match = Match(
        players=(f"baseline:{settings}", f"baseline:{settings}"),
        rules=HEADS_UP_LIMIT,
        deals=deals,
        seed=seed,
    )
    text = ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=True)).play(0).text.decode()
    hands = format_named("acpc").read(
        text.splitlines(keepends=True), ReadOptions(rules=HEADS_UP_LIMIT)
    )
    return [hand for hand in hands if isinstance(hand, HandRecord)]


def rank(tables: Tables, hole: Holding, board: tuple[Card, ...], make1: Fraction) -> Fraction:
    """The effective hand rank, after the flop from counts and not from the tables of ranks."""
    if not board:
        kind = CLASS_OF_HOLDING[hole]
        ihr = Fraction(int(tables.preflop_ihr[kind]), IHR_WHOLE[0])
        hr7 = Fraction(int(tables.preflop_hr7[kind]), HR7_WHOLE[0])
    else:
        now = hand_rank(hole, board, tables=tables)
        counts = final_ranks(hole, board, tables=tables)
        ihr = Fraction(2 * now.ahead + now.tied, 2 * (now.ahead + now.tied + now.behind))
        hr7 = Fraction(int(counts @ np.arange(1981)), 1980 * int(counts.sum()))
    if max(ihr, hr7) > make1:
        return max(ihr, hr7)
    return (ihr + hr7) / 2 if len(board) == 3 else hr7


def rounds(
    hand: HandRecord, settings: BaselineSettings, tables: Tables
) -> Iterator[tuple[str, str]]:
    """The round as it was played, and as the classes of both hands say; street by street."""
    contribution = 0
    for street, actual in zip(
        Street, betting_line(hand.rules, hand.actions)[2:].split("/"), strict=False
    ):
        board = hand.board[: (0, 3, 4, 5)[street]]
        make1 = exact(settings[street].make[0])
        first, second = (
            classify(settings, street, rank(tables, hole, board, make1), contribution)
            for hole in hand.holes
            if hole is not None
        )
        line = baseline_line(street, first, second)
        yield actual, line.text
        contribution += BET_SIZES[street] * line.level


@pytest.mark.parametrize("name", SETTINGS)
def test_every_round_is_the_baselines(name: str, tables: Tables) -> None:
    seen = 0
    for hand in played(name, deals=150):
        for actual, expected in rounds(hand, parse_settings(name), tables):
            assert actual == expected, hand
            seen += 1
    assert seen > 300


def test_a_player_ranks_against_any_two_cards() -> None:
    with pytest.raises(BadInput, match="opponent=typical is for assessment"):
        make_player("baseline:opponent=typical")


@pytest.mark.slow
def test_a_few_hands_ranked_without_tables() -> None:
    settings = parse_settings("standard")
    flops = [hand for hand in played("standard", deals=8, seed=3) if hand.board]
    assert len(flops) >= 4
    for hand in flops[:4]:
        first, second = (hole for hole in hand.holes if hole is not None)
        lines = betting_line(hand.rules, hand.actions)[2:].split("/")
        contribution = baseline_level(lines[0])
        line = baseline_of((first, second), hand.board[:3], contribution, settings)
        assert lines[1] == line.text


def baseline_level(preflop: str) -> int:
    """Small bets that each has put in before the flop."""
    return baseline_line(
        Street.PREFLOP, BaselineClass.CALL, BaselineClass.CALL, after=preflop
    ).level


def test_no_limit_folds_below_the_pot_odds() -> None:
    # Two players have 10 in each; the dealer bets 60 into 20 on the river: a caller needs
    # 60 / (80 + 60) = 0.4286 of the hands.
    rules = no_limit_holdem(2, blinds=(5, 10), stack=200)
    board = parse_cards("2c7d9hJsQc")
    player = make_player("baseline")
    for hole, expected in (("3d4s", Fold()), ("7s4h", Call())):
        state = step(initial(rules), DealHoles((parse_holding(hole), None)))
        for action in (Call(), Call()):
            assert state.actor is not None
            state = step(state, Act(state.actor, action))
        for cards in (board[:3], board[3:4]):
            state = step(state, DealBoard(tuple(cards)))
            state = step(step(state, Act(Seat(0), Call())), Act(Seat(1), Call()))
        state = step(state, DealBoard(tuple(board[4:])))
        state = step(step(state, Act(Seat(0), Call())), Act(Seat(1), Raise(Chips(60))))
        assert player.act(view(state, Seat(0))) == expected


def test_no_limit_bets_the_pot() -> None:
    rules = no_limit_holdem(2, blinds=(5, 10), stack=200)
    state = step(initial(rules), DealHoles((None, parse_holding("AsAh"))))
    # Facing the blind: to call 5 makes a pot of 20, and a raise of the pot goes to 30.
    assert make_player("baseline").act(view(state, Seat(1))) == Raise(Chips(30))


def test_a_ring_game_is_played_by_the_same_rank() -> None:
    rules = limit_holdem(4, small_bet=10)
    state = step(initial(rules), DealHoles((None, None, parse_holding("AsAh"), None)))
    assert state.actor == 2
    assert make_player("baseline").act(view(state, Seat(2))) == Raise(Chips(20))
    state = step(initial(rules), DealHoles((None, None, parse_holding("3s2h"), None)))
    assert make_player("baseline").act(view(state, Seat(2))) == Fold()
