"""Other games than hold'em in the engine: what is dealt, shown and paid, and what is refused."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from fractions import Fraction
from textwrap import wrap

import numpy as np
import pytest

from railbird.cards import HOLDEM, VARIANTS, format_cards, parse_card, parse_cards
from railbird.errors import BadInput, DuplicateCard, IllegalAction
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Call,
    DealBoard,
    DealHoles,
    DealStreet,
    Fold,
    HandDealer,
    HandState,
    Muck,
    OddChips,
    Phase,
    Rules,
    ShowCards,
    act,
    due,
    initial,
    no_limit_holdem,
    payoffs,
    pot_limit_holdem,
    public,
    replay,
    seeded_deals,
    seen_by,
    showdown,
    start,
    step,
    view,
)
from railbird.units import Chips, Seat

OMAHA = VARIANTS["omaha"]
FLOP_GAMES = [
    name
    for name, variant in VARIANTS.items()
    if variant.board_sizes[-1] and not variant.discards and variant is not HOLDEM
]


def table(name: str, seats: int = 2, *, stack: int = 100, **fields: object) -> Rules:
    rules = pot_limit_holdem(seats, blinds=(1, 2), stack=stack)
    return replace(rules, variant=VARIANTS[name], **fields)  # type: ignore[arg-type]


def checked_down(rules: Rules, hands: list[str], *boards: str) -> HandState:
    """The state after a hand in which everybody only calls; a hand of "" is not known."""
    cards = [parse_cards(board) for board in boards]
    dealt = tuple(parse_cards(hand) if hand else None for hand in hands)
    state = step(initial(rules), DealStreet(dealt))
    while state.phase < Phase.SHOWDOWN:
        if state.phase is Phase.BETTING:
            state = act(state, Call())
        else:
            size = len(state.board)
            end = rules.variant.board_sizes[state.street + 1]
            state = step(state, DealStreet(boards=tuple(board[size:end] for board in cards)))
    return state


def won(state: HandState) -> tuple[int, ...]:
    return tuple(map(int, payoffs(state)))


def test_hold_em_has_no_tail_and_no_variant_in_json() -> None:
    assert "variant" not in HEADS_UP_LIMIT.as_fields()
    assert table("omaha").as_fields()["variant"] == "omaha"
    assert json.dumps(HEADS_UP_LIMIT.as_fields(), default=str)
    assert pickle.loads(pickle.dumps(table("omaha"))).variant is OMAHA
    assert initial(HEADS_UP_LIMIT).boards == ((),)
    assert replace(HEADS_UP_LIMIT, variant=replace(HOLDEM)).variant is HOLDEM


@pytest.mark.parametrize("name", FLOP_GAMES)
def test_a_row_and_events_lead_to_the_same_hand(name: str) -> None:
    rules = table(name, 3)
    row = seeded_deals(np.random.default_rng(5), 3, 1, rules.variant)[0]
    dealer = HandDealer.of_row(rules, row)
    by_row = start(rules, row)
    steps = dealer.begin()
    while dealer.asks is not None:
        assert dealer.state == by_row
        steps += dealer.act(Call())
        by_row = act(by_row, Call(), row)
    shown = showdown(by_row)
    for event in shown:
        by_row = step(by_row, event)
    assert dealer.state == by_row
    assert sum(payoffs(by_row)) == 0
    by_events = initial(rules)
    for taken in steps:
        by_events = step(by_events, taken.event)
    assert by_events == by_row


@pytest.mark.parametrize("name", ["omaha", "double-board-omaha", "courchevel-hilo"])
def test_a_view_is_the_fold_of_what_the_seat_saw(name: str) -> None:
    rules = table(name, 3)
    row = seeded_deals(np.random.default_rng(6), 3, 1, rules.variant)[0]
    dealer = HandDealer.of_row(rules, row)
    steps = dealer.begin()
    for action in (Call(), Fold()):
        steps += dealer.act(action)
    while dealer.asks is not None:
        steps += dealer.act(Call())
    seen, watched = initial(rules), initial(rules)
    for taken in steps:
        seen = step(seen, seen_by(taken.event, Seat(1)))
        watched = step(watched, seen_by(taken.event, None))
        assert view(taken.after, Seat(1)).state == seen
        assert public(taken.after) == watched
    assert view(dealer.state, Seat(1)).cards == dealer.state.cards[1]


def test_high_takes_the_odd_chip_and_what_no_low_hand_wins() -> None:
    rules = table("omaha-hilo", 3, antes=(Chips(1), Chips(0), Chips(0)))
    hands = ["AsAdKcKd", "As2dQcQd".replace("As", "Ah"), "JsJdTcTd"]
    state = checked_down(rules, hands, "3c4s8hKh9s")  # a pot of 7: a set of kings, and 8432A
    assert won(state) == (1, 1, -2)
    nobody_low = checked_down(rules, hands, "Kh9s9hJc7d")
    assert won(nobody_low) == (4, -2, -2)


def test_a_tie_for_low_quarters_the_pot() -> None:
    rules = table("omaha-hilo", 2, odd_chips=OddChips.FRACTION)
    state = checked_down(rules, ["As2dKcKd", "Ah2cQcQd"], "3c4s8hKh9s")
    assert won(state) == (1, -1)  # three quarters of a pot of 4


def test_each_board_has_half_of_the_pot() -> None:
    rules = table("double-board-holdem")
    state = checked_down(rules, ["AsAd", "KsKd"], "2c3c4h8h9s", "2d3dKhQh9h")
    assert won(state) == (0, 0)
    assert [format_cards(board) for board in state.boards] == ["2c3c4h8h9s", "2d3dKhQh9h"]
    first, second = showdown(state)
    assert isinstance(first, ShowCards)
    assert isinstance(second, ShowCards)  # beaten on one board only


def test_beaten_hands_are_mucked_in_all_shares_only() -> None:
    rules = table("omaha-hilo", 2)
    state = checked_down(rules, ["KsKd9c9d", "As2dTcTd"], "3c4s8hKh9s")
    assert [type(event) for event in showdown(state)] == [ShowCards, ShowCards]
    state = checked_down(rules, ["KsKd9c9d", "QsQdTcTd"], "3c4s8hKh9s")
    assert [type(event) for event in showdown(state)] == [ShowCards, Muck]


def test_unknown_hands_decide_nothing() -> None:
    rules = table("omaha")
    state = checked_down(rules, ["AsAdKcKd", ""], "3c4s8hKh9s")
    with pytest.raises(BadInput, match="undecided"):
        payoffs(state)
    assert [type(event) for event in showdown(state)] == [ShowCards, Muck]  # as in hold'em
    shown = step(state, ShowCards(Seat(0), parse_cards("AsAdKcKd")))
    assert won(step(shown, ShowCards(Seat(1), parse_cards("2c2d2h2s")))) == (2, -2)
    for cards in ("2c2d2h", "2c2d2hKh", "2c2d2h2h", "As2d2h2s"):
        with pytest.raises((BadInput, DuplicateCard, IllegalAction)):
            step(shown, ShowCards(Seat(1), tuple(map(parse_card, wrap(cards, 2)))))


def test_split_chips_are_exact() -> None:
    rules = table("double-board-omaha", 5, odd_chips=OddChips.FRACTION)
    assert rules.denominator == 120
    row = seeded_deals(np.random.default_rng(1), 5, 1, rules.variant)[0]
    state = start(rules, row)
    while state.phase < Phase.SHOWDOWN:
        state = act(state, Call(), row)
    assert sum(payoffs(state)) == Fraction(0)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (DealHoles((None, None)), "omaha"),
        (DealBoard(parse_cards("2c3c4c")), "omaha"),
        (DealStreet((parse_cards("AsAdKc"), None)), "3 cards for seat 0; allowed: 4"),
        (DealStreet((None,)), "each of 2 seats"),
        (DealStreet((parse_cards("AsAdKcKd"), parse_cards("AsQdQcQs"))), "already been dealt"),
        (DealStreet((None, None), boards=(parse_cards("2c3c4c"),)), "allowed: 0 cards"),
        (DealStreet((None, None), up=((), parse_cards("2c"))), "1 cards for seat 1; allowed: 0"),
        (ShowCards(Seat(0), parse_cards("AsAdKcKd")), "not due"),
        (Act(Seat(0), Call()), "cannot act"),
    ],
    ids=str,
)
def test_refused_events(event: DealStreet, words: str) -> None:
    with pytest.raises((BadInput, DuplicateCard, IllegalAction), match=words):
        step(initial(table("omaha")), event)


def test_short_decks_have_no_small_cards() -> None:
    with pytest.raises(BadInput, match="no such card"):
        step(initial(table("short-deck")), DealStreet((parse_cards("AsAd"), parse_cards("2s2d"))))
    row = seeded_deals(np.random.default_rng(1), 6, 1000, VARIANTS["short-deck"])
    assert row.min() == 16
    with pytest.raises(BadInput, match="seats in short-deck"):
        seeded_deals(np.random.default_rng(1), 16, 1, VARIANTS["short-deck"])


def test_what_is_not_hold_em_is_refused_as_such() -> None:
    with pytest.raises(BadInput, match="omaha has cards, not a holding"):
        _ = initial(table("omaha")).holdings
    with pytest.raises(BadInput, match="holdings in omaha"):
        replay(table("omaha"), [None, None], "", [])
    with pytest.raises(BadInput, match="in hold'em"):
        step(initial(HEADS_UP_LIMIT), DealStreet((None, None)))
    with pytest.raises(BadInput, match="different cards"):
        start(table("omaha"), np.arange(9, dtype=np.uint8))
    with pytest.raises(BadInput, match=r"12 seats in omaha; allowed: 2 to 11"):
        replace(no_limit_holdem(12, blinds=(1, 2), stack=100), variant=OMAHA)
    with pytest.raises(BadInput, match="variant 'omaha'"):
        replace(HEADS_UP_LIMIT, variant="omaha")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(set(VARIANTS) - {"holdem", *FLOP_GAMES}))
def test_games_that_are_not_played_yet_say_so(name: str) -> None:
    with pytest.raises(BadInput, match="cannot be played"):
        replace(HEADS_UP_LIMIT, variant=VARIANTS[name])


def test_due_deals_only_to_those_still_in() -> None:
    rules = table("omaha", 3)
    row = seeded_deals(np.random.default_rng(3), 3, 1, OMAHA)[0]
    deal = due(initial(rules), row)
    assert isinstance(deal, DealStreet)
    assert [len(cards or ()) for cards in deal.down] == [4, 4, 4]
