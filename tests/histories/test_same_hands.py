"""Hands that are given twice or seen from several sides: each is met once, with all its cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest

from helpers.fold_logs import fold_hand, fold_log
from helpers.random_records import random_table_hand
from railbird.histories import HandRecord, Source, read_hand
from railbird.histories.columns import HandBatch, batch_of, records_of
from railbird.histories.same_hands import COPY, SeenHands, whole_hands

HANDS = batch_of([read_hand(f"Ts6s,Jd5d SlF # {number}:Ann|Bob") for number in range(400)])
FOLD = read_hand("Ts6s,Jd5d SlF # 7:Ann|Bob")
TURN = read_hand("Ts6s,Jd5d,Td5hTh/2d SlCk/kBrC/bF # 7:Ann|Bob")


def test_each_hand_is_fresh_once_however_it_is_batched() -> None:
    rng = np.random.default_rng(3)
    seen, known = SeenHands(), set[int]()
    for size in rng.integers(0, 40, 60).tolist():
        numbers = rng.integers(0, 400, size)
        fresh = seen.fresh(HANDS.rows(numbers)).tolist()
        expected = []
        for row, number in enumerate(numbers.tolist()):
            if number not in known:
                expected.append(row)
            known.add(number)
        assert fresh == expected
    assert 300 < len(known) < 400
    rest = seen.fresh(HANDS)
    assert rest.tolist() == [number for number in range(400) if number not in known]


def of_side(record: HandRecord, seats: Iterable[int], file: str = "") -> HandRecord:
    """Return a hand as whoever sits there saw it."""
    mine = set(seats)
    holes = tuple(hole if seat in mine else None for seat, hole in enumerate(record.holes))
    low = record.low_first & sum(1 << seat for seat in mine)
    source = Source(file, 10 + (record.number or 0)) if file else record.source
    return replace(record, holes=holes, low_first=low, source=source)


def merged(*parts: Sequence[HandRecord]) -> tuple[list[HandRecord], SeenHands]:
    seen = SeenHands()
    batches: list[tuple[HandBatch, Sequence[object]]] = [(batch_of(part), ()) for part in parts]
    whole = whole_hands(batches, seen)  # type: ignore[arg-type]
    return [hand for batch, _ in whole for hand in records_of(batch)], seen


def test_views_of_all_sides_make_the_hand_whole() -> None:
    rng = np.random.default_rng(5)
    hands = [replace(random_table_hand(rng), number=number, source=None) for number in range(120)]
    hands = [hand for hand in hands if None not in hand.holes]
    assert len({hand.rules.seats for hand in hands}) > 3
    views = [
        [of_side(hand, [seat]) for hand in hands if seat < hand.rules.seats] for seat in range(10)
    ]
    rng.shuffle(views)
    found, seen = merged(*views)
    assert Counter(found) == Counter(hands)
    assert seen.merged == sum(map(len, views)) - len(hands)
    assert seen.contradictions == 0


def test_a_hand_whose_cards_are_known_is_not_held() -> None:
    seen, given = SeenHands(), list[int]()

    def batches() -> Iterable[tuple[HandBatch, tuple[()]]]:
        for record in (FOLD, of_side(FOLD, [0]), of_side(replace(FOLD, number=8), [0])):
            yield batch_of([record]), ()
            given.append(record.number or 0)

    whole = whole_hands(batches(), seen)
    passed = [(len(given), hand.number) for batch, _ in whole for hand in records_of(batch)]
    assert passed == [(0, 7), (3, 8)]
    assert seen.merged == 1


def test_other_cards_of_the_same_hand_at_the_same_table_contradict() -> None:
    other = read_hand("Ts6c,Jd5d SlF # 7:Ann|Bob")
    mine, theirs = (
        of_side(replace(one, table="Halley"), [0], file)
        for one, file in ((FOLD, "mine.txt"), (other, "theirs.txt"))
    )
    found, seen = merged([mine], [theirs])
    assert found == [mine]
    assert (seen.merged, seen.contradictions) == (0, 1)
    assert str(seen.told[0]) == (
        "theirs.txt line 17 contradicts mine.txt line 17: the same hand with other hole cards"
    )


def test_hands_of_two_series_of_tables_that_are_named_and_numbered_alike_are_two() -> None:
    """Two logs with all cards, in which everybody folded to the big blind in the same hand."""
    other, wrong = (read_hand(f"{cards} SlF # 7:Ann|Bob") for cards in ("7s6h,KcKd", "7s6h,Jd5d"))
    fold, other, wrong = (replace(hand, table="1.1") for hand in (FOLD, other, wrong))
    found, seen = merged([fold], [other], [fold, other])
    assert found == [fold, other]
    assert (seen.merged, seen.contradictions) == (2, 0)
    assert merged([fold], [wrong])[1].contradictions == 1


def test_one_card_in_the_hands_of_two_players_contradicts() -> None:
    other = read_hand("7s6h,Ts5d SlF # 7:Ann|Bob")
    hands = [replace(hand, table="Halley") for hand in (FOLD, other)]
    assert merged([of_side(hand, [seat]) for seat, hand in enumerate(hands)])[1].contradictions == 1


def test_matches_that_are_numbered_alike_stay_two() -> None:
    other = read_hand("Ts6c,Jd5d SlF # 7:Ann|Bob")
    third = read_hand("Ts6d,Jd5d SlF # 7:Ann|Bob")
    found, seen = merged([FOLD, other], [third, other, FOLD])
    assert found == [FOLD, other, third]
    assert (seen.merged, seen.contradictions) == (2, 0)
    assert len(merged([FOLD, replace(FOLD, number=8)])[0]) == 2
    tables = [of_side(replace(FOLD, table=table), [0]) for table in ("Halley", "Encke")]
    assert len(merged(tables)[0]) == 2


def test_four_board_cards_are_a_hand_whatever_its_number() -> None:
    again = replace(TURN, number=400)
    assert merged([TURN, again])[0] == [TURN]
    other = read_hand("Ts6s,Jd4d,Td5hTh/2d SlCk/kBrC/bF # 400:Ann|Bob")
    assert merged([TURN, other])[0] == [TURN, other]
    found, seen = merged([TURN, replace(other, number=7)])
    assert found == [TURN]
    assert seen.contradictions == 1


def test_equal_hands_of_one_table_that_have_different_numbers_are_different() -> None:
    """As dealt from one spot, whose board is always the same; each given twice is still one."""
    hands = [replace(TURN, table="spot", number=number) for number in range(40)]
    views = [of_side(hand, [seat]) for hand in hands for seat in range(2)]
    found, seen = merged(hands[:10], hands[5:], views)
    assert Counter(found) == Counter(hands)
    assert (seen.merged, seen.contradictions) == (5 + len(views), 0)


WHEN = datetime(2024, 3, 2, 12, 0, 10)


def test_one_number_table_and_time_with_other_bets_contradict() -> None:
    hand, other = (
        replace(one, table="Halley", played_at=WHEN, source=Source(file, 3))
        for one, file in ((FOLD, "mine.txt"), (TURN, "theirs.txt"))
    )
    found, seen = merged([hand], [other], [other])
    assert found == [hand]
    assert seen.contradictions == 1
    assert str(seen.told[0]) == (
        "theirs.txt line 3 contradicts mine.txt line 3: "
        "the same hand with other bets, board or results"
    )
    others = [
        replace(other, number=8),
        replace(other, table="Encke"),
        replace(other, played_at=WHEN + timedelta(minutes=1)),
        replace(other, players=("Ann", "Cid")),
    ]
    assert merged([hand], others)[1].contradictions == 0
    untimed = [replace(one, played_at=None) for one in (hand, other)]
    assert len(merged(untimed)[0]) == 2, "two series of tables are named and numbered alike"


@pytest.mark.parametrize("size", [12, 10])
@pytest.mark.parametrize(("cards", "bets"), [("Ts6h", "F"), ("Ts6c", "Rf")])
def test_where_nearly_all_hands_are_the_same_the_one_that_differs_contradicts(
    size: int, cards: str, bets: str
) -> None:
    first = fold_log("first.log", size=size)
    second, copy = (fold_log(file, suit="c", size=size) for file in ("second.log", "copy.log"))
    assert merged(first, second)[1].contradictions == 0
    copy[7] = fold_hand(7, "copy.log", cards, bets)
    told = size > COPY
    for given in ([first, second, copy], [[*first, *second, *copy]], [[], second, copy, first]):
        found, seen = merged(*given)
        assert (len(found), seen.contradictions) == (2 * size + (not told), int(told))
        assert all(str(one).startswith("copy.log line 8 contradicts second") for one in seen.told)
    copy[:3] = [fold_hand(number, "copy.log", "Ts6h") for number in range(3)]
    assert merged(second, copy)[1].contradictions == 0, "no copy"
