"""Rules of a hand at a tournament's table, and the ante that the big blind posts for all."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from railbird.arena import Tournaments
from railbird.arena.tournament import TournamentTables
from railbird.cards import parse_cards, parse_holding
from railbird.game import Betting, Call, Fold, HandState, Raise, initial, payoffs, replay
from railbird.histories import HandRecord, read, write
from railbird.players.tight import ante_in_blinds
from railbird.protocol import PlayerKind
from railbird.protocol.messages import HandView
from railbird.protocol.redaction import HandMoment, SeatHolder, hand_view
from railbird.table.advice import rules_of
from railbird.tournament import parse_schedule
from railbird.tournament.schedule import hand_rules
from railbird.units import Chips

TEXAS = Betting.NO_LIMIT


@pytest.mark.parametrize(
    ("stacks", "antes"),
    [
        ([5000, 5000, 5000], (0, 1000, 0)),
        ([5000, 5000], (1000, 0)),  # the button posts the small blind
        ([5000, 1100, 5000], (0, 100, 0)),  # the blind comes first
        ([5000, 1000, 5000], ()),
        ([5000, 300, 5000], ()),
    ],
)
def test_the_big_blind_posts_for_all(stacks: list[int], antes: tuple[int, ...]) -> None:
    rules = hand_rules(TEXAS, blinds=(500, 1000), ante=0, stacks=stacks, big_blind_ante=1000)
    assert rules.antes == antes
    state = initial(rules)
    seat = 0 if len(stacks) == 2 else 1
    assert state.spent[seat] == min(stacks[seat], 1000 + sum(antes))
    assert state.bet == 1000
    assert state.pot == 500 + state.spent[seat]


def played(stacks: list[int], actions: list[Call | Fold | Raise]) -> tuple[Fraction, ...]:
    rules = hand_rules(TEXAS, blinds=(500, 1000), ante=0, stacks=stacks, big_blind_ante=1000)
    holes = [parse_holding(text) for text in ("2c7d", "3h8s", "AsAh")]
    return payoffs(replay(rules, holes, parse_cards("KdQs9c5h4d"), actions))


def test_a_short_stack_wins_the_whole_ante() -> None:
    """It is dead money, so unlike the blind it is not matched."""
    won = played([5000, 5000, 300], [Call(), Fold()])
    # 300 of each blind, its own, and all of the ante. The other 200 of the small blind and 700 of
    # its own go to the big blind.
    assert list(map(int, won)) == [-500, 200 + 700 - 2000, 3 * 300 + 1000 - 300]


def test_a_big_blind_all_in_with_part_of_the_ante_can_win_its_blind_from_everybody() -> None:
    rules = hand_rules(
        TEXAS, blinds=(500, 1000), ante=0, stacks=[5000, 1100, 5000], big_blind_ante=1000
    )
    holes = [parse_holding(text) for text in ("2c7d", "AsAh", "3h8s")]
    board = parse_cards("KdQs9c5h4d")
    end = replay(rules, holes, board, [Raise(Chips(3000)), Fold()])
    assert list(map(int, payoffs(end))) == [-500, 1500, -1000]


def contents(hand: HandRecord) -> tuple[object, ...]:
    rules = hand.rules
    return rules.antes, rules.blinds, rules.stacks, hand.actions, hand.payoffs


def test_antes_of_the_big_blind_are_logged_and_read(tmp_path: Path) -> None:
    series = Tournaments(
        players=("random:fold=0.3", "always-call", "random", "tight"),
        count=2,
        seed=4,
        stack=400,
        schedule=parse_schedule("10/20/bb20x4,20/40/bb40x4"),
    )
    tables = TournamentTables(series)
    hands = [hand for index in range(2) for hand in tables.play(index)[1]]
    chips: dict[str, int] = {}
    for hand in hands:
        if hand.number == 1:
            chips = dict.fromkeys(series.names, 400)
        for name, stack in zip(hand.players, hand.rules.stacks or (), strict=True):
            assert chips[name] == stack
        for name, won in zip(hand.players, hand.payoffs, strict=True):
            chips[name] += int(won)
        assert sum(chips.values()) == 1600
    assert any(len(set(hand.rules.antes)) == 2 for hand in hands)
    for format_name in ("phh", "ohh"):
        log = tmp_path / f"hands.{format_name}"
        write(hands, log, format_name=format_name)
        again = [hand for hand in read(log) if isinstance(hand, HandRecord)]
        assert [contents(one) for one in again] == [contents(one) for one in hands]


@pytest.mark.parametrize("stacks", [[900, 500, 700, 30], [500, 400], [30, 400], [900, 25, 300]])
def test_a_client_reads_the_rules_from_the_posts(stacks: list[int]) -> None:
    rules = hand_rules(TEXAS, blinds=(10, 20), ante=0, stacks=stacks, big_blind_ante=20)
    assert rules_of(TEXAS, shown(initial(rules))) == rules


def shown(state: HandState) -> HandView:
    holders = tuple(
        [SeatHolder(f"p{seat}", PlayerKind.BOT, seat + 1) for seat in range(state.rules.seats)]
    )
    return hand_view(HandMoment("t.1", 1, state, holders), "p0")


def test_charts_take_the_antes_of_all_and_of_one_for_all_alike() -> None:
    each = hand_rules(TEXAS, blinds=(10, 20), ante=10, stacks=[200, 200])
    for_all = hand_rules(TEXAS, blinds=(10, 20), ante=0, stacks=[200, 200], big_blind_ante=20)
    assert ante_in_blinds(initial(each)) == ante_in_blinds(initial(for_all)) == 0.5
