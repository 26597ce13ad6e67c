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
    Action,
    Call,
    DealBoard,
    DealHoles,
    DealStreet,
    Discard,
    Fold,
    HandDealer,
    HandState,
    Muck,
    OddChips,
    Phase,
    Raise,
    Rules,
    ShowCards,
    act,
    due,
    in_variant,
    initial,
    legal,
    limit_holdem,
    no_limit_holdem,
    parse_rake,
    payoffs,
    pot_limit_holdem,
    public,
    refusal,
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
DEALT_GAMES = [name for name, variant in VARIANTS.items() if variant is not HOLDEM]
IRISH_CARDS = "AhKd7c2sQhQd3c3sQsJc9c4h5d"
STUD_GAMES = ["stud", "stud-hilo", "razz"]


def test_people_have_a_name_for_each_game() -> None:
    titles = {variant.title for variant in VARIANTS.values()}
    assert len(titles) == len(VARIANTS)
    assert {"hold'em", "five-card Omaha hi-lo", "seven-card stud", "2-7 triple draw"} <= titles
    own = replace(VARIANTS["irish"], name="own", title="")
    assert own.title == "own"


def table(name: str, seats: int = 2, *, stack: int = 100, **fields: object) -> Rules:
    rules = in_variant(pot_limit_holdem(seats, blinds=(1, 2), stack=stack), VARIANTS[name])
    return replace(rules, **fields)  # type: ignore[arg-type]


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


@pytest.mark.parametrize("name", DEALT_GAMES)
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


@pytest.mark.parametrize("name", ["omaha", "double-board-omaha", "courchevel-hilo", *STUD_GAMES])
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


def test_due_deals_only_to_those_still_in() -> None:
    rules = table("omaha", 3)
    row = seeded_deals(np.random.default_rng(3), 3, 1, OMAHA)[0]
    deal = due(initial(rules), row)
    assert isinstance(deal, DealStreet)
    assert [len(cards or ()) for cards in deal.down] == [4, 4, 4]


# Irish: two of four cards have to go after the flop's betting.


def irish(*actions: Action, seats: int = 2, cards: str = IRISH_CARDS) -> HandState:
    row = np.array(parse_cards(cards), np.uint8)
    state = start(table("irish", seats), row)
    for action in actions:
        state = act(state, action, row)
    return state


def test_two_of_four_cards_go_before_the_turn() -> None:
    state = irish(Call(), Call(), Call(), Call())
    assert (state.phase, state.street_name, state.actor) == (Phase.DRAW, "flop", 0)
    allowed = legal(state)
    assert (allowed.draw, allowed.must_discard, allowed.fold) == (2, 2, False)
    assert Discard(parse_cards("AhKd")) in allowed
    assert Discard(()) not in allowed
    for cards, words in (
        ("Ah", "cannot throw away Ah: 2 cards have to go (turn)"),
        ("AhKd7c", "cannot throw away AhKd7c: 2 cards have to go (turn)"),
        ("AhQh", "cannot throw away AhQh: it does not hold these cards (turn)"),
        ("", "cannot throw away nothing: 2 cards have to go (turn)"),
    ):
        assert words in str(refusal(state, Discard(parse_cards(cards))))
    assert "throws away 2 cards now" in str(refusal(state, Fold()))
    assert [len(cards) for cards in view(state, Seat(1)).state.cards] == [0, 4]
    row = np.array(parse_cards(IRISH_CARDS), np.uint8)
    one = act(state, Discard(parse_cards("7c2s")), row)
    assert (one.phase, one.actor, one.cards_each) == (Phase.DRAW, 1, 4)
    seen = view(one, Seat(1)).state
    assert (seen.cards[0], seen.discards[0]) == ((), ())  # nobody sees what went
    both = act(one, Call(), row)  # a check throws away the lowest
    assert [format_cards(cards) for cards in both.cards] == ["KdAh", "QdQh"]
    assert [format_cards(cards) for cards in both.discards] == ["2s7c", "3c3s"]
    assert (both.street_name, len(both.board), both.cards_each) == ("turn", 4, 2)
    assert both.drawn == ((0,) * 4,) * 2
    for _ in range(4):
        both = act(both, Call(), row)
    assert both.phase is Phase.SHOWDOWN
    assert [*map(int, payoffs(both))] == [-2, 2]  # three queens


def test_who_is_all_in_throws_cards_away_too() -> None:
    state = irish(Raise(Chips(6)), Raise(Chips(18)), Raise(Chips(54)), Raise(Chips(100)), Call())
    assert (state.phase, len(state.board), state.pot) == (Phase.DRAW, 3, 200)
    row = np.array(parse_cards(IRISH_CARDS), np.uint8)
    over = act(act(state, Call(), row), Call(), row)
    assert (over.phase, len(over.board)) == (Phase.SHOWDOWN, 5)
    log = [Act(Seat(0), Discard((None, None))), Act(Seat(1), Discard(parse_cards("3c3s")))]
    seen = view(state, Seat(1)).state
    for event in log:
        seen = step(seen, event)
    assert seen.phase is Phase.DEAL_BOARD


# Stud: cards open the betting.


def stud(name: str, hands: list[str], *, stack: int | tuple[int, ...] | None = None) -> HandState:
    """Third street of 10/20 with an ante of 1 and a bring-in of 5; the last card of each is up."""
    rules = in_variant(limit_holdem(len(hands), small_bet=10, stack=stack), VARIANTS[name])
    cards = [parse_cards(hand) for hand in hands]
    deal = DealStreet(tuple(own[:2] for own in cards), tuple(own[2:] for own in cards))
    return step(initial(rules), deal)


def next_up(state: HandState, *cards: str) -> HandState:
    """The next street, with a card for each seat, those that have folded "" included."""
    return step(state, DealStreet(up=tuple(parse_cards(card) for card in cards)))


@pytest.mark.parametrize(
    ("name", "doors", "seat"),
    [
        ("stud", ["2d", "2c", "2h"], 1),
        ("stud", ["As", "3c", "Ac"], 1),
        ("razz", ["2d", "As", "Kh"], 2),
        ("razz", ["Kd", "Ac", "Kh"], 2),
        ("stud-hilo", ["4s", "4h", "9c"], 1),
    ],
)
def test_a_card_decides_who_brings_it_in(name: str, doors: list[str], seat: int) -> None:
    downs = ["5c6c", "5d6d", "5h6h"]
    state = stud(name, [down + door for down, door in zip(downs, doors, strict=True)])
    assert state.actor == seat
    assert state.must_bring_in
    assert (state.to_call, state.min_raise_to, state.max_raise_to) == (5, 10, 10)
    assert not legal(state).fold
    assert str(refusal(state, Fold())) == (
        f"seat {seat} cannot fold: it has to bring it in (third street)"
    )
    state = act(state, Call())
    assert (state.street_bets[seat], state.pot) == (5, 8)
    assert legal(state).fold
    assert not state.must_bring_in


def test_completing_is_the_first_bet_and_open_to_three_raises() -> None:
    state = stud("stud", ["5c6c2c", "5d6d9d", "5h6hTh"])
    state = act(act(state, Call()), Raise(Chips(10)))
    state = act(state, Call())
    assert state.actor == 0
    for to in (20, 30, 40):  # by the seat that brought it in, too
        state = act(state, Raise(Chips(to)))
    assert state.min_raise_to is None
    assert "no more than 4 bets and raises" in str(refusal(state, Raise(Chips(50))))


def test_a_bet_without_limit_reopens_to_the_bring_in() -> None:
    rules = in_variant(no_limit_holdem(2, blinds=(5, 10), stack=300), VARIANTS["stud"])
    downs = (parse_cards("5c6c"), parse_cards("5d6d"))
    state = step(initial(rules), DealStreet(downs, (parse_cards("2c"), parse_cards("9c"))))
    state = act(act(state, Call()), Raise(Chips(10)))
    assert (state.min_raise_to, state.max_raise_to) == (20, 299)
    everybody_called = act(state, Call())
    assert everybody_called.phase is Phase.DEAL_BOARD
    assert everybody_called.street_name == "third street"


def test_boards_decide_who_opens_later_streets() -> None:
    state = stud("stud", ["5c6c2c", "5d6d9d", "5h6hTh"])
    for _ in range(3):
        state = act(state, Call())
    paired = next_up(state, "2d", "Kd", "Ad")
    assert paired.actor == 0  # a pair of twos before an ace
    assert (paired.min_raise_to, paired.street_name) == (10, "fourth street")
    assert next_up(state, "9c", "Qs", "Qd").actor == 2
    assert next_up(state, "9c", "Ts", "9s").actor == 1  # ten-nine twice: the first from the left
    for _ in range(3):
        paired = act(paired, Call())
    fifth = next_up(paired, "3s", "Ks", "Kh")
    assert fifth.actor == 1
    assert fifth.min_raise_to == 20
    with pytest.raises(BadInput, match="0 cards for seat 0; allowed: 1"):
        next_up(paired, "", "Ks", "Kh")


def test_an_open_pair_allows_either_bet_until_the_larger_one() -> None:
    """Robert's Rules of Poker (Ciaffone), seven-card stud, of an open pair on fourth street."""
    state = stud("stud-open-pair", ["5c6c2c", "5d6d9d", "5h6hTh"])
    for _ in range(3):
        state = act(state, Call())
    state = next_up(state, "2d", "Kd", "Ad")
    allowed = legal(state)
    assert (allowed.min_raise_to, allowed.max_raise_to) == (10, 20)
    assert Raise(Chips(15)) not in allowed
    assert allowed.actions() == (Call(), Raise(Chips(10)), Raise(Chips(20)))
    assert [allowed.nearest(to) for to in (1, 15, 16, 99)] == [10, 10, 20, 20]
    assert str(refusal(state, Raise(Chips(15)))).endswith("legal 10 or 20 (fourth street)")
    checked = legal(act(state, Call()))  # the others have the same choice
    assert (checked.min_raise_to, checked.max_raise_to) == (10, 20)
    small = act(state, Raise(Chips(10)))
    assert (small.min_raise_to, small.max_raise_to) == (20, 30)
    big = act(small, Raise(Chips(30)))
    assert (big.min_raise_to, big.max_raise_to) == (50, 50)
    folded = act(act(small, Fold()), Raise(Chips(20)))  # a small raise leaves the choice
    assert (folded.min_raise_to, folded.max_raise_to) == (30, 40)
    with pytest.raises(IllegalAction, match="legal 20 or 30"):
        act(small, Raise(Chips(25)))


def test_only_an_open_pair_on_fourth_street_allows_it() -> None:
    state = stud("stud-open-pair", ["5c6c2c", "5d6d9d", "5h6hTh"])
    for _ in range(3):
        state = act(state, Call())
    assert not legal(next_up(state, "3d", "Kd", "Ad")).two_sizes
    paired = next_up(state, "2d", "Kd", "Ad")
    while paired.phase is Phase.BETTING:
        paired = act(paired, Call())
    fifth = next_up(paired, "2h", "Ks", "Kh")
    assert (fifth.min_raise_to, fifth.max_raise_to) == (20, 20)
    plain = stud("stud", ["5c6c2c", "5d6d9d", "5h6hTh"])
    for _ in range(3):
        plain = act(plain, Call())
    assert not legal(next_up(plain, "2d", "Kd", "Ad")).two_sizes


def test_an_all_in_between_the_two_bets_counts_as_the_larger_one() -> None:
    state = stud("stud-open-pair", ["5c6c2c", "5d6d9d", "5h6hTh"], stack=(22, 300, 300))
    for _ in range(3):
        state = act(state, Call())
    state = next_up(state, "2d", "Kd", "Ad")
    assert (state.min_raise_to, state.max_raise_to) == (10, 16)
    all_in = act(state, Raise(Chips(16)))
    assert (all_in.min_raise_to, all_in.max_raise_to) == (36, 36)


def test_the_lowest_board_opens_in_razz() -> None:
    state = stud("razz", ["5c6cKc", "5d6d2d", "5h6hTh"])
    for _ in range(3):
        state = act(state, Call())
    assert next_up(state, "Ac", "Ad", "9h").actor == 1
    assert next_up(state, "Ac", "2s", "Ts").actor == 0  # pairs are bad, whatever their rank
    assert next_up(state, "Ts", "2s", "2c").actor == 2


def test_a_last_card_for_all_when_the_deck_runs_out() -> None:
    rules = in_variant(limit_holdem(8, small_bet=10, stack=2000), VARIANTS["stud"])
    row = seeded_deals(np.random.default_rng(2), 8, 1, rules.variant)[0]
    assert sorted(row) == list(range(52))
    everybody = start(rules, row)
    fewer = start(rules, row)
    while everybody.phase < Phase.SHOWDOWN:
        everybody = act(everybody, Call(), row)
    assert everybody.board == (row[48],)
    assert {len(cards) for cards in everybody.cards} == {6}
    assert sum(payoffs(everybody)) == 0
    dealer = HandDealer.of_row(rules, row)
    steps = dealer.begin()
    while dealer.asks is not None:
        steps += dealer.act(Call())
    folded = step(initial(rules), steps[0].event)
    for taken in steps[1:]:
        folded = step(folded, taken.event)
    assert folded == dealer.state
    assert dealer.state.board == (row[48],)
    while fewer.phase < Phase.SHOWDOWN:
        may_fold = legal(fewer).fold and len(fewer.in_hand) > 5
        fewer = act(fewer, Fold() if may_fold else Call(), row)
    assert fewer.board == ()
    assert [len(fewer.cards[seat]) for seat in fewer.in_hand] == [7] * len(fewer.in_hand)
    with pytest.raises(BadInput, match="9 seats in stud; allowed: 2 to 8"):
        in_variant(limit_holdem(9), VARIANTS["stud"])


def test_the_rake_of_stud_begins_on_fourth_street() -> None:
    rules = replace(stud("stud", ["5c6c2c", "5d6d9d"]).rules, rake=parse_rake("10%"))
    state = step(
        initial(rules),
        DealStreet(
            (parse_cards("5c6c"), parse_cards("5d6d")), (parse_cards("2c"), parse_cards("9d"))
        ),
    )
    assert act(act(state, Raise(Chips(10))), Fold()).raked == 0
    called = next_up(act(act(state, Raise(Chips(10))), Call()), "Ac", "3d")
    assert act(act(called, Raise(Chips(10))), Fold()).raked == 2


def test_rules_of_stud_have_a_bring_in_and_no_blinds() -> None:
    rules = stud("razz", ["5c6c2c", "5d6d9d"]).rules
    assert rules.as_fields()["bring_in"] == 5
    assert "bring_in" not in table("omaha").as_fields()
    for changed, words in (
        ({"blinds": (Chips(1), Chips(2))}, "allowed: a bring-in"),
        ({"bring_in": Chips(10)}, "less than a bet"),
        ({"bring_in": Chips(0)}, "whole numbers from 1"),
    ):
        with pytest.raises(BadInput, match=words):
            replace(rules, **changed)
    for other in (table("omaha"), HEADS_UP_LIMIT):
        with pytest.raises(BadInput, match="allowed: blinds"):
            replace(other, bring_in=Chips(1))
