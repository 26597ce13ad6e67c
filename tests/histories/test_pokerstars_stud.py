"""PokerStars' stud and razz: hands of ours in the site's words come back, and bad ones do not."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from helpers.random_hands import random_action
from railbird.cards import TEXT_OF_CARD, VARIANTS
from railbird.game import (
    Action,
    Call,
    Fold,
    HandState,
    Phase,
    Raise,
    act,
    in_variant,
    legal,
    limit_holdem,
    parse_rake,
    payoffs,
    seeded_deals,
    start,
)
from railbird.game.actions import betting_action
from railbird.histories import HandRecord, Skipped
from railbird.histories.format import ReadOptions
from railbird.histories.registry import format_named
from railbird.histories.variant_hands import (
    PlayedCourse,
    SeatCards,
    cards_of_row,
    course_of_record,
    dealt_by_street,
)
from railbird.histories.verify import uncalled
from railbird.units import Chips, Seat

NAMES = {
    "stud": "7 Card Stud Limit",
    "stud-open-pair": "7 Card Stud Limit",
    "stud-hilo": "7 Card Stud Hi/Lo Limit",
    "razz": "Razz Limit",
}
HEADINGS = ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")


def played(rng: np.random.Generator, name: str, seats: int, *, rake: str = "") -> HandRecord:
    stacks: list[int] = rng.integers(5, 600, seats).tolist()
    rules = in_variant(limit_holdem(seats, small_bet=10, stack=stacks, ante=2), VARIANTS[name])
    rules = replace(rules, bring_in=Chips(3), rake=parse_rake(rake) if rake else None)
    row = seeded_deals(rng, seats, 1, rules.variant)[0]
    state, actions = start(rules, row), list[Action]()
    while state.phase is Phase.BETTING:
        actions.append(random_action(rng, legal(state)))
        state = act(state, actions[-1], row)
    cards, (board,) = cards_of_row(rules, row, state.street, actions)
    return HandRecord(
        rules=rules,
        players=tuple(f"player {seat}" for seat in range(seats)),
        holes=(None,) * seats,
        board=board,
        cards=cards,
        actions=tuple(actions),
        payoffs=payoffs(state),
        number=7,
    )


def money(chips: Fraction | int) -> str:
    return f"${float(chips) / 100:.2f}"


def bracket(cards: SeatCards) -> str:
    return f"[{' '.join(TEXT_OF_CARD[card] for card in cards if card is not None)}]"


def said(action: Action, before: HandState, after: HandState, seat: Seat) -> str:
    assert after.stacks is not None
    paid = after.spent[seat] - before.spent[seat]
    all_in = "" if after.stacks[seat] else " and is all-in"
    match betting_action(action):
        case Fold():
            return "folds"
        case Call() if before.must_bring_in:
            return f"brings in for {money(paid)}{all_in}"
        case Call():
            return f"calls {money(paid)}{all_in}" if paid else "checks"
        case Raise(to) if before.must_bring_in or not before.bet:
            return f"bets {money(to)}{all_in}"
        case Raise(to):
            return f"raises {money(to - before.bet)} to {money(to)}{all_in}"


def written(record: HandRecord) -> Iterator[str]:
    rules, names = record.rules, record.players
    assert rules.stacks is not None
    yield f"PokerStars Hand #7:  {NAMES[rules.variant.name]} ($0.10/$0.20 USD) - 2024/01/02 3:04 ET"
    yield "Table 'Test II' 8-max"
    for seat, (name, stack) in enumerate(zip(names, rules.stacks, strict=True)):
        yield f"Seat {seat + 1}: {name} ({money(stack)} in chips)"
    for name, stack in zip(names, rules.stacks, strict=True):
        yield f"{name}: posts the ante {money(min(2, stack))}"
    course = course_of_record(record)
    yield from streets(record, course)
    yield from end(record, course.state)


def streets(record: HandRecord, course: PlayedCourse) -> Iterator[str]:
    after = [*course.before[1:], course.state]
    for number, dealt in enumerate(dealt_by_street(record, course)):
        yield f"*** {HEADINGS[number]} ***"
        down = record.rules.variant.streets[number].down
        for seat, own in enumerate(dealt.own):
            if new := own if seat == 0 else own[down:]:
                earlier = " [2c 2d]" if number else ""
                yield f"Dealt to {record.players[seat]}{earlier} {bracket(new)}"
        for move, before, later in zip(course.moves, course.before, after, strict=True):
            street, actor, action = move
            if street == number:
                yield f"{record.players[actor]}: {said(action, before, later, actor)}"


def end(record: HandRecord, state: HandState) -> Iterator[str]:
    back = uncalled(state)
    for seat, (name, chips) in enumerate(zip(record.players, back, strict=True)):
        if chips:
            yield f"Uncalled bet ({money(chips)}) returned to {name}"
        if won := record.payoffs[seat] + state.spent[seat] - chips:
            yield f"{name} collected {money(won)} from pot"
    yield "*** SUMMARY ***"
    yield f"Total pot {money(state.pot - sum(back))} | Rake {money(record.rake)}"
    if record.board:
        yield f"Board {bracket(record.board)}"
    for seat in state.in_hand if len(state.in_hand) > 1 else ():
        words = "showed" if record.payoffs[seat] > 0 else "mucked"
        yield f"Seat {seat + 1}: {record.players[seat]} {words} {bracket(record.cards[seat])}"


def read(text: str, *, variants: bool = True) -> HandRecord | Skipped:
    pokerstars = format_named("pokerstars")
    (hand,) = pokerstars.read(io.StringIO(text), ReadOptions(variants=variants))
    return hand


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rake", ["", "5%,cap=20"])
def test_our_hands_in_its_words_come_back(name: str, rake: str) -> None:
    rng = np.random.default_rng([len(name), 5])
    for number in range(25):
        record = played(rng, name, 2 + number % 7, rake=rake)
        hand = read("\n".join(written(record)) + "\n")
        assert isinstance(hand, HandRecord), (hand, list(written(record)))
        assert (hand.actions, hand.payoffs) == (record.actions, record.payoffs)
        assert (hand.board, hand.rules.stacks) == (record.board, record.rules.stacks)
        assert (hand.table, hand.currency, hand.number) == ("Test II", "$", 7)
        assert hand.cards[0] == record.cards[0]
        over = course_of_record(record).state
        for seat in range(1, len(hand.players)):
            known = {card for card in hand.cards[seat] if card is not None}
            is_shown = seat in over.in_hand and len(over.in_hand) > 1
            assert known == set(record.cards[seat] if is_shown else over.up_cards[seat])


def test_a_larger_bet_with_an_open_pair_shows_that_the_site_allows_it() -> None:
    rng = np.random.default_rng(8)
    games = set()
    for _ in range(60):
        record = played(rng, "stud-open-pair", 6)
        hand = read("\n".join(written(record)) + "\n")
        assert isinstance(hand, HandRecord), (hand, list(written(record)))
        assert (hand.actions, hand.payoffs) == (record.actions, record.payoffs)
        assert hand.rules.variant.counted_as is VARIANTS["stud"]  # statistics add both
        games.add(hand.rules.variant.name)
    assert games == {"stud", "stud-open-pair"}


def hand_lines() -> list[str]:
    rng = np.random.default_rng(3)
    record = played(rng, "stud", 3)
    while record.actions[0] != Call():
        record = played(rng, "stud", 3)
    return list(written(record))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("collected", "wins", "the log pays"),
        ("7 Card Stud Limit", "7 Card Stud No Limit", "no-limit seven-card stud"),
        ("posts the ante", "posts an ante", "posts an ante"),
        ("Total pot", "No pot", "no total pot"),
        ("brings in", "brings out", "brings out"),
    ],
)
def test_what_cannot_be_is_one_line(old: str, new: str, words: str) -> None:
    hand = read("\n".join(hand_lines()).replace(old, new) + "\n")
    assert isinstance(hand, Skipped)
    assert words in hand.detail


def test_only_who_wants_other_games_gets_them() -> None:
    hand = read("\n".join(hand_lines()) + "\n", variants=False)
    assert isinstance(hand, Skipped)
    assert hand.reason.value == "another game"


def test_a_name_may_end_like_cards() -> None:
    text = "\n".join(hand_lines()).replace("player 1", "Al [2c]")
    hand = read(text + "\n")
    assert isinstance(hand, HandRecord), hand
    assert hand.players == ("player 0", "Al [2c]", "player 2")
