"""PokerStars' draw games: hands of ours in the site's words come back, and bad ones do not."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from helpers.random_hands import random_action, random_discard
from railbird.cards import TEXT_OF_CARD, VARIANTS, Card
from railbird.game import (
    Action,
    Betting,
    Call,
    Discard,
    Fold,
    HandState,
    OpenFold,
    Phase,
    Raise,
    UncallableRaise,
    act,
    in_variant,
    legal,
    limit_holdem,
    no_limit_holdem,
    parse_rake,
    payoffs,
    seeded_deals,
    start,
)
from railbird.histories import HandRecord, Skipped
from railbird.histories.format import ReadOptions
from railbird.histories.registry import format_named
from railbird.histories.variant_hands import course_of_record, fields_of_row
from railbird.histories.verify import uncalled
from railbird.units import Seat

NAMES = {
    "five-card-draw": "5 Card Draw",
    "27-single": "Single Draw 2-7 Lowball",
    "27-triple": "Triple Draw 2-7 Lowball",
    "badugi": "Badugi",
}
BETTINGS = {Betting.LIMIT: "Limit", Betting.NO_LIMIT: "No Limit"}
HERO = Seat(1)


def played(
    rng: np.random.Generator, name: str, seats: int, *, limit: bool = True, rake: str = ""
) -> HandRecord:
    stacks: list[int] = rng.integers(15, 600, seats).tolist()
    holdem = (
        limit_holdem(seats, small_bet=10, stack=stacks)
        if limit
        else no_limit_holdem(seats, blinds=(5, 10), stack=stacks)
    )
    rules = replace(
        in_variant(holdem, VARIANTS[name]),
        rake=parse_rake(rake) if rake else None,
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
    )
    row = seeded_deals(rng, seats, 1, rules.variant)[0]
    state, actions = start(rules, row), list[Action]()
    while state.actor is not None:
        draws = state.phase is Phase.DRAW
        actions.append(random_discard(rng, state) if draws else random_action(rng, legal(state)))
        state = act(state, actions[-1], row)
    return HandRecord(
        rules=rules,
        players=tuple(f"player {seat}" for seat in range(seats)),
        payoffs=payoffs(state),
        number=7,
        **fields_of_row(rules, row, state.street, actions),
    )


def money(chips: Fraction | int) -> str:
    return f"${float(chips) / 100:.2f}"


def bracket(cards: tuple[Card | None, ...]) -> str:
    return f"[{' '.join(TEXT_OF_CARD[card] for card in cards if card is not None)}]"


def said(action: Action, before: HandState, after: HandState, seat: Seat) -> str:
    assert after.stacks is not None
    paid = after.spent[seat] - before.spent[seat]
    all_in = "" if after.stacks[seat] else " and is all-in"
    match action:
        case Fold():
            return "folds"
        case Discard(()):
            return f"stands pat on {bracket(before.cards[seat])}" if seat == HERO else "stands pat"
        case Discard(cards):
            words = f"discards {len(cards)} card" + "s" * (len(cards) > 1)
            return f"{words} {bracket(cards)}" if seat == HERO else words
        case Call():
            return f"calls {money(paid)}{all_in}" if paid else "checks"
        case Raise(to) if not before.bet:
            return f"bets {money(to)}{all_in}"
        case Raise(to):
            return f"raises {money(to - before.bet)} to {money(to)}{all_in}"


def written(record: HandRecord) -> Iterator[str]:
    rules, names = record.rules, record.players
    assert rules.stacks is not None
    game = f"{NAMES[rules.variant.name]} {BETTINGS[rules.betting]}"
    stakes = "$0.10/$0.20" if rules.betting is Betting.LIMIT else "$0.05/$0.10"
    yield f"PokerStars Hand #7:  {game} ({stakes} USD) - 2024/01/02 3:04:05 ET"
    yield f"Table 'Test II' 8-max Seat #{rules.seats} is the button"
    for seat, (name, stack) in enumerate(zip(names, rules.stacks, strict=True)):
        yield f"Seat {seat + 1}: {name} ({money(stack)} in chips)"
    posts = sorted((chips, seat) for seat, chips in enumerate(rules.blinds) if chips)
    for (chips, seat), kind in zip(posts, ("small", "big"), strict=True):
        yield f"{names[seat]}: posts {kind} blind {money(chips)}"
    yield from streets(record)
    yield from end(record, course_of_record(record).state)


def streets(record: HandRecord) -> Iterator[str]:
    course, names = course_of_record(record), record.players
    after = [*course.before[1:], course.state]
    yield "*** DEALING HANDS ***"
    size = record.rules.variant.hand_size
    own, dealt, street = record.cards[HERO], size, 0
    yield f"Dealt to {names[HERO]} {bracket(own[:size])}"
    for (number, seat, action), before, following in zip(
        course.moves, course.before, after, strict=True
    ):
        if number != street:
            street = number
            if len(record.rules.variant.streets) > 2:  # the site does not name a single draw
                yield f"*** {('FIRST', 'SECOND', 'THIRD')[number - 1]} DRAW ***"
        yield f"{names[seat]}: {said(action, before, following, seat)}"
        if seat == HERO and isinstance(action, Discard) and action.cards:
            kept = tuple(card for card in before.cards[HERO] if card not in action.cards)
            new = own[dealt : dealt + len(action.cards)]
            dealt += len(action.cards)
            yield f"Dealt to {names[HERO]} {bracket(kept)} {bracket(new)}"
        if isinstance(action, Fold) and seat == 0:
            yield f'{names[seat]} said, "I drew badly"'


def end(record: HandRecord, state: HandState) -> Iterator[str]:
    rules, names, back = record.rules, record.players, uncalled(state)
    for seat, chips in enumerate(back):
        if chips:
            yield f"Uncalled bet ({money(chips)}) returned to {names[seat]}"
    showdown = state.in_hand if len(state.in_hand) > 1 else ()
    mucked = set(showdown[2:])
    if showdown:
        yield "*** SHOW DOWN ***"
    for seat in showdown:
        if seat not in mucked:
            yield f"{names[seat]}: shows {bracket(state.cards[seat])} (as it is)"
    for seat, name in enumerate(names):
        if won := record.payoffs[seat] + state.spent[seat] - back[seat]:
            yield f"{name} collected {money(won)} from pot"
    yield "*** SUMMARY ***"
    total = sum(state.spent) - sum(back)
    yield f"Total pot {money(total)} | Rake {money(record.rake)}"
    for seat, name in enumerate(names):
        if seat in mucked:
            button = " (button)" if seat == rules.seats - 1 else ""
            yield f"Seat {seat + 1}: {name}{button} mucked {bracket(state.cards[seat])}"
        else:
            yield f"Seat {seat + 1}: {name} folded on the Draw"


def read(lines: Iterator[str], *, variants: bool = True) -> list[HandRecord | Skipped]:
    text = "".join(f"{line}\n" for line in lines)
    options = ReadOptions(variants=variants)
    return list(format_named("pokerstars").read(io.StringIO(text), options))


def known(record: HandRecord, back: HandRecord) -> bool:
    """Whether what came back is ours, without what the site does not say."""
    course = course_of_record(record)
    shown = set(course.state.in_hand) if len(course.state.in_hand) > 1 else set()
    for seat in range(record.rules.seats):
        ours, theirs = record.cards[seat], back.cards[seat]
        if seat == HERO:
            assert theirs == ours
        elif seat in shown:
            size = record.rules.variant.hand_size
            assert set(theirs[-size:]) == set(course.state.cards[seat])
        else:
            assert set(theirs) == {None}
        assert len(theirs) == len(ours)
    counts = [
        [len(act.cards) if isinstance(act, Discard) else act for act in hand.actions]
        for hand in (record, back)
    ]
    return counts[0] == counts[1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("limit", [True, False], ids=["limit", "no limit"])
def test_hands_come_back(name: str, limit: bool) -> None:
    rng = np.random.default_rng([len(name), limit])
    for _ in range(40):
        record = played(rng, name, int(rng.integers(2, 7)), limit=limit)
        (back,) = read(written(record))
        assert isinstance(back, HandRecord), (back, "\n".join(written(record)))
        assert back.payoffs == record.payoffs
        assert known(record, back)
        assert back.rules.bet_sizes == record.rules.bet_sizes
        assert (back.number, back.table, back.currency) == (7, "Test II", "$")


def test_the_rake_is_what_is_missing() -> None:
    rng = np.random.default_rng(4)
    raked = 0
    for _ in range(20):
        record = played(rng, "27-triple", 4, rake="5%,cap=300")
        (back,) = read(written(record))
        assert isinstance(back, HandRecord)
        assert (back.payoffs, back.rake) == (record.payoffs, record.rake)
        raked += bool(back.rake)
    assert raked


def example() -> list[str]:
    rng = np.random.default_rng(11)
    while True:
        record = played(rng, "27-triple", 3)
        lines = list(written(record))
        text = "\n".join(lines)
        if "shows" in text and "discards 2 cards [" in text and " bets " in text:
            return lines


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Total pot", "Total", "no total pot"),
        (" is the button", "", "no line gives the button"),
        ("discards 2 cards [", "discards 3 cards [", "discards 3 cards"),
        ("discards 2 cards [", "discards two cards [", "discards two"),
        ("shows [", "shows [Xx ", "Xx"),
        (" bets ", " wagers ", ""),
        ("collected $", "collected $9", "the log pays"),
    ],
)
def test_bad_hands_are_skipped_with_a_reason(old: str, new: str, words: str) -> None:
    text = "\n".join(example())
    assert old in text
    (skipped,) = read(iter(text.replace(old, new, 1).split("\n")))
    assert isinstance(skipped, Skipped), skipped
    assert words in skipped.detail


def test_others_are_given_hold_em_only() -> None:
    (skipped,) = read(iter(example()), variants=False)
    assert isinstance(skipped, Skipped)
    assert skipped.reason.value == "another game"
