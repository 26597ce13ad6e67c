"""All-in equity beside boards played out one by one, and what is done about hidden cards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from helpers.random_records import random_table_hand
from railbird.assessment.all_in.adjusted_winnings import NO_ALL_IN, all_ins_of, where_all_in
from railbird.cards import Card, cards_of, parse_cards, parse_holding
from railbird.game import (
    Action,
    Call,
    Fold,
    Raise,
    Rules,
    no_limit_holdem,
    payoffs,
    replay,
)
from railbird.histories import HandRecord
from railbird.histories.columns import batch_of
from railbird.odds import equity
from railbird.units import Chips


@pytest.fixture(scope="module")
def all_in_hands() -> list[HandRecord]:
    """Hands at random tables in which only cards were left to come after the flop."""
    rng = np.random.default_rng(7)
    records = [random_table_hand(rng, all_cards=True) for _ in range(1500)]
    cards, _ = where_all_in(batch_of(records))
    late = [record for record, dealt in zip(records, cards, strict=True) if dealt >= 3]
    assert len(late) > 15
    return late[:30]


def played_out(record: HandRecord, dealt: int, *, folded_known: bool) -> np.ndarray:
    """Mean of the results on all boards, each replayed by the rules."""
    batch = all_ins_of(batch_of([record]))
    held = [
        card
        for seat, hole in enumerate(record.holes)
        if hole is not None and (folded_known or batch.live[0, seat])
        for card in cards_of(hole)
    ]
    out = {*held, *record.board[:dealt]}
    left = [Card(card) for card in range(52) if Card(card) not in out]
    total, boards = np.zeros(record.rules.seats), 0
    live = batch.live[0]
    holes = tuple(
        hole if folded_known or live[seat] else None for seat, hole in enumerate(record.holes)
    )
    for rest in combinations(left, 5 - dealt):
        board = (*record.board[:dealt], *rest)
        state = replay(record.rules, holes, board, record.actions)
        total += np.array([float(each) for each in payoffs(state)])
        boards += 1
    return total / boards


@pytest.mark.parametrize("folded_known", [True, False])
def test_the_mean_of_all_boards(all_in_hands: list[HandRecord], folded_known: bool) -> None:
    batch = batch_of(all_in_hands)
    found = all_ins_of(batch, folded_known=folded_known)
    assert found.known.all()
    turns = [i for i, dealt in enumerate(found.cards) if dealt == 4]
    flops = [i for i, dealt in enumerate(found.cards) if dealt == 3][:3]
    assert turns
    assert flops
    for i in turns + flops:
        record = all_in_hands[i]
        slow = played_out(record, int(found.cards[i]), folded_known=folded_known)
        assert found.chips[i, : record.rules.seats] == pytest.approx(slow, abs=1e-9)


def test_nobody_wins_what_nobody_lost(all_in_hands: list[HandRecord]) -> None:
    found = all_ins_of(batch_of(all_in_hands))
    assert np.abs(found.chips.sum(axis=1)).max() < 1e-9


def heads_up(board: str = "2c7d9hJsKd", stack: int = 1000, *, folds: bool = False) -> HandRecord:
    rules = no_limit_holdem(2, blinds=(10, 20), stack=stack)
    holes = (parse_holding("AsAh"), parse_holding("KsKh"))
    actions = (Raise(Chips(stack)), Fold() if folds else Call())
    cards = () if folds else parse_cards(board)
    return HandRecord(
        rules=rules,
        players=("Ann", "Bob"),
        holes=holes,
        board=cards,
        actions=actions,
        payoffs=payoffs(replay(rules, holes, cards, actions)),
    )


def test_two_hands_before_the_flop() -> None:
    found = all_ins_of(batch_of([heads_up()]))
    share = equity(["AsAh", "KsKh"]).players[0].equity
    assert found.cards.tolist() == [0]
    assert found.chips[0] == pytest.approx([1000 * (2 * share - 1), 1000 * (1 - 2 * share)])


def three_handed(rules: Rules, folder: str) -> HandRecord:
    holes = (parse_holding("AsAh"), parse_holding("KsKh"), parse_holding(folder))
    board = parse_cards("2c7d9hJsTd")
    first = rules.first_to_act[0]
    assert first == 2
    actions = (Fold(), Raise(Chips(1000)), Call())
    return HandRecord(
        rules=rules,
        players=("Ann", "Bob", "Cy"),
        holes=holes,
        board=board,
        actions=actions,
        payoffs=payoffs(replay(rules, holes, board, actions)),
    )


def test_folded_cards_are_off_the_deck_or_uniform() -> None:
    rules = no_limit_holdem(3, blinds=(10, 20), stack=1000)
    batch = batch_of([three_handed(rules, "KdKc")])
    told, blind = all_ins_of(batch), all_ins_of(batch, folded_known=False)
    two = all_ins_of(batch_of([heads_up()]))
    assert blind.chips[0, 0] == pytest.approx(two.chips[0, 0])
    assert told.chips[0, 0] > blind.chips[0, 0] + 100  # no king is left
    share = equity(["AsAh", "KsKh"], dead=parse_cards("KdKc")).players[0].equity
    assert told.chips[0, 0] == pytest.approx(1000 * (2 * share - 1))


def test_a_live_hand_that_was_not_shown() -> None:
    record = heads_up()
    hidden = replace(record, holes=(record.holes[0], None))
    batch = batch_of([hidden, record, heads_up(folds=True)])
    found = all_ins_of(batch)
    assert found.unknown.tolist() == [True, False, False]
    assert found.known.tolist() == [False, True, False]
    assert found.chips[0].tolist() == batch.chips[0].tolist()
    assert found.chips[2].tolist() == [-20, 20]
    assert found.cards[2] == -1


def test_a_rake_without_a_rule_is_taken_from_the_pots() -> None:
    record = heads_up()
    raked = replace(record, payoffs=(Fraction(960), Fraction(-1000)))
    plain = all_ins_of(batch_of([record])).chips[0]
    net = all_ins_of(batch_of([raked])).chips[0]
    assert net.sum() == pytest.approx(-40)
    assert net == pytest.approx((plain + 1000) * (1 - 40 / 2000) - 1000)


def test_what_nobody_called_is_not_raked() -> None:
    rules = no_limit_holdem(2, blinds=(10, 20), stack=(400, 1000))
    holes = (parse_holding("AsAh"), parse_holding("KsKh"))
    board = parse_cards("2c7d9hJsTd")
    actions = (Raise(Chips(1000)), Call())
    first, second = payoffs(replay(rules, holes, board, actions))
    record = HandRecord(
        rules=rules,
        players=("Ann", "Bob"),
        holes=holes,
        board=board,
        actions=actions,
        payoffs=(first, second),
    )
    raked = replace(record, payoffs=(first - 16, second))
    plain, net = all_ins_of(batch_of([record, raked])).chips
    assert net == pytest.approx((plain + 400) * (1 - 16 / 800) - 400)


def test_hands_of_more_than_ten_seats_are_left_alone() -> None:
    eleven = no_limit_holdem(11, blinds=(10, 20), stack=20)
    holes = tuple(parse_holding(text) for text in ("AsAh", "KsKh")) + (None,) * 9
    board = parse_cards("2c7d9hJsTd")
    actions: tuple[Action, ...] = (*[Fold()] * 9, Call())
    state = replay(eleven, holes, board, actions)
    record = HandRecord(
        rules=eleven,
        players=tuple(f"P{seat}" for seat in range(11)),
        holes=holes,
        board=board,
        actions=actions,
        payoffs=payoffs(state),
    )
    batch = batch_of([record, heads_up()])
    found = all_ins_of(batch)
    assert found.cards.tolist() == [NO_ALL_IN, 0]
    assert found.chips[0].tolist() == batch.chips[0].tolist()
    assert found.chips[1, 0] != batch.chips[1, 0]
