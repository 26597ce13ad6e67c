"""All-in equity beside boards played out one by one, and what is done about hidden cards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from helpers.random_records import random_table_hand
from railbird.assessment.all_in import (
    NO_ALL_IN,
    SEEN,
    Seen,
    all_ins_of,
    seen_of,
    taken_at_mean,
    where_all_in,
)
from railbird.cards import Card, cards_of, parse_cards, parse_holding
from railbird.game import Action, Call, Fold, Raise, Rules, no_limit_holdem, payoffs, replay
from railbird.histories import HandRecord, read_hand
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


@pytest.mark.slow(but=["False"])
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


# Which all-ins count by their mean must not depend on what their boards were.


W, L, T, U = Seen.WON, Seen.LOST, Seen.NEITHER, Seen.UNKNOWN


def log_of(*seen: int, own: bool = True, all_known: bool = False) -> list[bool]:
    """One player's log: a hand without an all-in, then all-ins; which count by their mean."""
    rows = pl.DataFrame(
        {
            "player": 0,
            SEEN: pl.Series([None, *seen], dtype=pl.Float64),
            "own": [own] * (len(seen) + 1),
        }
    )
    first, *taken = rows.select(taken_at_mean(pl.col("own"), all_known=all_known)).to_series()
    assert not first
    return taken


@pytest.mark.parametrize(
    ("seen", "taken"),
    [
        ([L, L, L, L], [False] * 4),
        ([W, L, L], [False] * 3),
        ([W, W, L, T], [False, False, True, True]),
        ([W, W, W, L], [True] * 4),
        ([W, W, W, L, U], [False] * 5),
        ([], []),
    ],
)
def test_the_other_all_ins_tell(seen: list[int], taken: list[bool]) -> None:
    assert log_of(*seen) == taken
    assert log_of(*seen, all_known=True) == [one != U for one in seen]


def test_without_own_cards_lost_ones_must_be_shown_too() -> None:
    assert log_of(W, W, W, own=False) == [False] * 3
    assert log_of(W, W, W, L, L, own=False) == [True, True, True, False, False]
    assert log_of(W, W, W, L, L, L, own=False) == [True] * 6


def test_players_are_told_apart() -> None:
    rows = pl.DataFrame(
        {
            "player": [0, 0, 0, 0, 1, 1],
            SEEN: pl.Series([None, W, W, L, None, L], dtype=pl.Float64),
            "own": True,
        }
    )
    taken = rows.select(taken_at_mean(pl.col("own"), all_known=False)).to_series()
    assert taken.to_list() == [False, False, False, True, False, False]


def test_who_wins_only_a_side_pot_has_not_lost() -> None:
    """Bob wins less back than he put in; cy, who covers both, wins nothing."""
    rules = no_limit_holdem(3, blinds=(50, 100), stack=(8_000, 10_000, 12_000))
    text = "STATE:1:r12000cc///:AhAc|KsKd|QsQd/2h3h4d/9c/Td:16000|-6000|-10000:ann|bob|cy"
    batch = batch_of([read_hand(text, game=rules)])
    assert seen_of(all_ins_of(batch), batch).tolist() == [[W, W, L]]


def test_what_an_all_in_says_of_who_shows() -> None:
    """With a side pot two win from the third; in a tie nobody does, raked or not."""
    rules = no_limit_holdem(3, blinds=(50, 100), stack=(5_000, 10_000, 10_000))
    text = "STATE:1:r10000cc///:AhAc|KsKd|AsAd/2h3h4d/9c/Td:2500|-10000|7500:ann|bob|cy"
    hand = read_hand(text, game=rules)
    batch = batch_of([hand])
    assert seen_of(all_ins_of(batch), batch).tolist() == [[W, L, W]]
    hidden = batch_of([replace(hand, holes=(hand.holes[0], None, hand.holes[2]))])
    assert seen_of(all_ins_of(hidden), hidden).tolist() == [[U, U, U]]
    rules = no_limit_holdem(2, blinds=(50, 100), stack=10_000)
    tie = "STATE:1:r10000c///:AhAc|AsAd/2h3h4d/9c/Td:0|0:ann|bob"
    tied_hand = read_hand(tie, game=rules)
    tied = batch_of([tied_hand])
    assert seen_of(all_ins_of(tied), tied).tolist() == [[T, T]]
    raked = batch_of([replace(tied_hand, payoffs=(Fraction(-50), Fraction(-50)))])
    assert seen_of(all_ins_of(raked), raked).tolist() == [[T, T]]
    assert seen_of(all_ins_of(batch_of([])), batch_of([])).shape == (0, 2)


def biases(share: float, *, logs: int = 40_000) -> dict[str, tuple[float, float]]:
    """Mean error of the sum of a log, and its standard error: by leaving one out, and naively.

    Every log has some all-ins for 100 chips, won by the chances that the cards gave; the player
    wins without a caller's cards in 1 - ``share`` of those that he wins.
    """
    rng = np.random.default_rng(7)
    log = np.repeat(np.arange(logs), rng.poisson(4, logs))
    chance = rng.uniform(0.2, 0.8, log.size)
    won, shows = rng.random(log.size) < chance, rng.random(log.size) < share
    rows = pl.DataFrame(
        {
            "player": np.concatenate([np.arange(logs), log]),
            SEEN: pl.Series([None] * logs + np.where(won, np.where(shows, W, U), L).tolist()).cast(
                pl.Float64
            ),
            "luck": np.concatenate(
                [np.zeros(logs), np.where(won, 200 - 200 * chance, -200 * chance)]
            ),
        }
    )
    rows = rows.with_columns(taken=taken_at_mean(pl.lit(value=True), all_known=False))
    unknown = (pl.col(SEEN) == U).any().over("player")
    errors = rows.with_columns(
        left=pl.when("taken").then(0.0).otherwise("luck"),
        naive=pl.when(unknown).then(pl.col("luck")).otherwise(0.0),
    )
    sums = errors.group_by("player").agg(pl.col("left", "naive").sum())
    return {
        name: (float(of.mean()), float(of.std()) / logs**0.5)
        for name in ("left", "naive")
        for of in [sums[name].to_numpy()]
    }


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_losers_who_muck_give_no_bias(share: float) -> None:
    """Taking all-ins at their mean if every one happens to be known keeps the good luck only."""
    found = biases(share)
    error, stderr = found["left"]
    assert abs(error) < 3 * stderr
    error, stderr = found["naive"]
    assert error > 20 * stderr if share == 0 else error == 0
