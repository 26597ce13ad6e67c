"""The language of spots: each term against a reading of the hand, decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from helpers.random_records import random_table_hand
from railbird.assessment.player_statistics import Definitions, counted_by, counts_of
from railbird.assessment.spot_language import TERMS, spots_from
from railbird.errors import BadInput
from railbird.game import Street
from railbird.histories import HandRecord, read
from railbird.histories.columns import batch_of
from twins.slow_statistics import STATISTICS, CountedHand, counted, place_of

Reading = Callable[[CountedHand, int], bool]


def raises(hand: CountedHand) -> int:
    return sum(decision.verb == "raise" for decision in hand.on(Street.PREFLOP))


def verbs(
    hand: CountedHand, seat: int, street: Street, *, least: int = 0, most: int = 99
) -> set[str]:
    """What a seat did on a street, of its decisions that faced so many bets."""
    return {
        decision.verb
        for decision in hand.on(street)
        if decision.seat == seat and least <= decision.bets <= most
    }


def at_flop(hand: CountedHand) -> list[int]:
    return [seat for seat in range(hand.record.rules.seats) if hand.saw_flop(seat)]


def ranks_and_suits(hand: CountedHand) -> tuple[list[int], set[int]]:
    flop = [int(card) for card in hand.record.board[:3]]
    return sorted(card // 4 for card in flop), {card % 4 for card in flop}


def is_connected(hand: CountedHand) -> bool:
    if not at_flop(hand):
        return False
    ranks, _ = ranks_and_suits(hand)
    low = sorted(-1 if rank == 12 else rank for rank in ranks)
    return len({*ranks}) == 3 and min(ranks[2] - ranks[0], low[2] - low[0]) <= 4


def depth(hand: CountedHand, seat: int) -> float:
    rules = hand.record.rules
    if rules.stacks is None:
        return float("inf")
    others = max(stack for place, stack in enumerate(rules.stacks) if place != seat)
    return min(rules.stacks[seat], others) / rules.big_blind


def won(hand: CountedHand, seat: int) -> float:
    return float(hand.record.payoffs[seat]) / hand.record.rules.big_blind


READINGS: dict[str, Reading] = {
    "limped pot": lambda hand, _: raises(hand) == 0,
    "raised pot": lambda hand, _: raises(hand) == 1,
    "3bet pot": lambda hand, _: raises(hand) == 2,
    "4bet pot": lambda hand, _: raises(hand) >= 3,
    "cutoff": lambda hand, seat: place_of(hand.record, seat) == "cutoff",
    "Big-Blind": lambda hand, seat: place_of(hand.record, seat) == "big_blind",
    "in position": lambda hand, seat: hand.saw_flop(seat) and seat == max(at_flop(hand)),
    "out of position": lambda hand, seat: hand.saw_flop(seat) and seat != max(at_flop(hand)),
    "faced preflop raise": lambda hand, seat: bool(verbs(hand, seat, Street.PREFLOP, least=2)),
    "faced preflop 3bet": lambda hand, seat: bool(verbs(hand, seat, Street.PREFLOP, least=3)),
    "faced turn bet": lambda hand, seat: bool(verbs(hand, seat, Street.TURN, least=1)),
    "faced flop raise": lambda hand, seat: bool(verbs(hand, seat, Street.FLOP, least=2)),
    "bet river": lambda hand, seat: "raise" in verbs(hand, seat, Street.RIVER, most=0),
    "raised flop": lambda hand, seat: "raise" in verbs(hand, seat, Street.FLOP, least=1),
    "raised preflop": lambda hand, seat: "raise" in verbs(hand, seat, Street.PREFLOP),
    "called turn": lambda hand, seat: "call" in verbs(hand, seat, Street.TURN),
    "folded preflop": lambda hand, seat: "fold" in verbs(hand, seat, Street.PREFLOP),
    "check-raised flop": lambda hand, seat: (
        "check" in verbs(hand, seat, Street.FLOP)
        and "raise" in verbs(hand, seat, Street.FLOP, least=1)
    ),
    "saw flop": lambda hand, seat: hand.saw_flop(seat),
    "saw turn": lambda hand, seat: hand.saw_flop(seat) and bool(verbs(hand, seat, Street.TURN)),
    "60-100bb": lambda hand, seat: 60 <= depth(hand, seat) <= 100,
    "under 30 bb": lambda hand, seat: depth(hand, seat) < 30,
    "over 99.5bb": lambda hand, seat: depth(hand, seat) > 99.5,
    "paired flop": lambda hand, _: bool(at_flop(hand)) and len({*ranks_and_suits(hand)[0]}) < 3,
    "unpaired flop": lambda hand, _: bool(at_flop(hand)) and len({*ranks_and_suits(hand)[0]}) == 3,
    "rainbow flop": lambda hand, _: bool(at_flop(hand)) and len(ranks_and_suits(hand)[1]) == 3,
    "two tone flop": lambda hand, _: bool(at_flop(hand)) and len(ranks_and_suits(hand)[1]) == 2,
    "monotone flop": lambda hand, _: bool(at_flop(hand)) and len(ranks_and_suits(hand)[1]) == 1,
    "connected flop": lambda hand, _: is_connected(hand),
    "ace-high flop": lambda hand, _: bool(at_flop(hand)) and 12 in ranks_and_suits(hand)[0],
    "heads-up": lambda hand, _: len(at_flop(hand)) == 2,
    "multiway": lambda hand, _: len(at_flop(hand)) > 2,
    "3 players": lambda hand, _: len(at_flop(hand)) == 3,
    "4 seats": lambda hand, _: hand.record.rules.seats == 4,
    "won": lambda hand, seat: won(hand, seat) > 0,
    "lost over 20bb": lambda hand, seat: won(hand, seat) < -20,
    "showdown": lambda hand, seat: hand.showed_down(seat),
    "not showdown": lambda hand, seat: not hand.showed_down(seat),
    "limped pot or 3bet pot": lambda hand, _: raises(hand) in (0, 2),
    "3bet pot, in position, faced flop bet": lambda hand, seat: (
        raises(hand) == 2
        and hand.saw_flop(seat)
        and seat == max(at_flop(hand))
        and bool(verbs(hand, seat, Street.FLOP, least=1))
    ),
}


def assert_same_hands(records: Sequence[HandRecord]) -> dict[str, int]:
    """Both readings choose the same rows; return how many each term chooses."""
    rows = counts_of(batch_of(records))
    slow = [
        (hand, seat) for hand in map(counted, records) for seat in range(hand.record.rules.seats)
    ]
    counts = {}
    for text, reading in READINGS.items():
        spots = spots_from([text])
        assert spots is not None
        fast = rows.select(chosen=spots.condition).to_series()
        assert not fast.has_nulls(), text
        expected = [reading(hand, seat) for hand, seat in slow]
        assert fast.to_list() == expected, text
        counts[text] = sum(expected)
    return counts


def test_random_hands_of_any_betting() -> None:
    rng = np.random.default_rng(41)
    assert_same_hands([random_table_hand(rng) for _ in range(150)])


def test_what_a_statistic_counts_is_a_term() -> None:
    rng = np.random.default_rng(65)
    records = [random_table_hand(rng) for _ in range(80)]
    rows = counts_of(batch_of(records))
    slow = [
        (hand, seat) for hand in map(counted, records) for seat in range(hand.record.rules.seats)
    ]
    for name, rule in STATISTICS.items():
        chances = [[*rule(hand, seat)] for hand, seat in slow]
        for whether, reading in (("did", any), ("could", bool)):
            spots = spots_from([f"{whether} {name.replace('three_bet', '3bet')}"])
            assert spots is not None
            assert not spots.beforehand
            fast = rows.select(chosen=spots.condition).to_series()
            assert fast.to_list() == [reading(of_hand) for of_hand in chances], (whether, name)


def test_trackers_count_raises_and_folds_to_third_bets_of_more_hands() -> None:
    rng = np.random.default_rng(66)
    records = [random_table_hand(rng) for _ in range(150)]
    own = counts_of(batch_of(records))
    rows = counted_by(Definitions.TRACKERS, own)
    third = [
        verbs(hand, seat, Street.PREFLOP, least=3, most=3)
        for hand in map(counted, records)
        for seat in range(hand.record.rules.seats)
    ]
    assert rows["fold_to_three_bet_chances"].to_list() == [bool(of_seat) for of_seat in third]
    assert rows["fold_to_three_bet"].to_list() == ["fold" in of_seat for of_seat in third]
    assert own["fold_to_three_bet_chances"].sum() < rows["fold_to_three_bet_chances"].sum()
    assert rows["pfr_chances"].to_list() == own["vpip_chances"].to_list()
    changed = ["pfr_chances", "fold_to_three_bet", "fold_to_three_bet_chances"]
    assert rows.drop(changed).equals(own.drop(changed))
    assert counted_by(Definitions.OWN, own) is own


@pytest.mark.slow
def test_the_hands_of_pluribus(shared_data: Path) -> None:
    path = shared_data / "pluribus" / "pluribus_10000.phhs.gz"
    records = [record for record in read(path) if isinstance(record, HandRecord)]
    counts = assert_same_hands(records)
    never = {"4 seats", "under 30 bb"}
    assert {text for text, count in counts.items() if not count} == never


def test_every_term_has_an_example_that_reads_and_a_row_of_the_manual() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "stats.md").read_text()
    for term in TERMS:
        spots = spots_from([term.example])
        assert spots is not None
        assert spots.beforehand is term.beforehand
        assert f"`{term.example}`" in manual, term.example


def test_conditions_hold_together_and_several_leave_a_choice() -> None:
    assert spots_from([]) is None
    both = spots_from(["button, 60-100bb", "small-blind"])
    assert both is not None
    assert both.beforehand
    assert both.words == "button, 60-100bb; or small-blind"
    late = spots_from(["button, saw turn"])
    assert late is not None
    assert not late.beforehand
    rows = pl.DataFrame({"position": [0, 1, 5], "depth": [10.0, 80.0, 80.0]})
    assert rows.select(both.condition.alias("chosen"))["chosen"].to_list() == [True, False, True]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3bet pots", "no term of a spot '3bet pots'"),
        ("", "no term of a spot ''"),
        ("button,", "no term of a spot ''"),
        ("button or", "no term of a spot 'button or'"),
        ("faced turn 3", "no term of a spot"),
        ("1e30-nanbb", "no term of a spot"),
        (f"over {'9' * 30}bb", "no term of a spot"),
        ("with zz", "no term of a spot"),
        ("with aao", "no holding 'aao'"),
        ("did nothing", "no statistic 'nothing'"),
        ("x" * 3_000, "a condition of 3,000 characters; allowed: up to 2,000"),
        ("button\x1b[31m", "no term of a spot"),
        ("not", "no term of a spot"),
        ("a" * 1_999, "no term of a spot"),
    ],
    ids=[
        "plural",
        "empty",
        "comma",
        "or",
        "number",
        "nan",
        "digits",
        "cards",
        "holding",
        "statistic",
        "long",
        "escape",
        "not",
        "word",
    ],
)
def test_what_is_no_term_is_named(text: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        spots_from([text])
    assert words in str(refused.value)
    assert len(str(refused.value)) < 400
