"""Draw games in the rules engine: who exchanges when, what is seen of it, and the second deck."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.random_hands import random_discard
from railbird.cards import DECK, VARIANTS, Card, parse_cards
from railbird.errors import BadInput, DuplicateCard, IllegalAction
from railbird.game import (
    Act,
    Call,
    DealStreet,
    Discard,
    Fold,
    HandDealer,
    HandState,
    Phase,
    Raise,
    Rules,
    act,
    due,
    in_variant,
    initial,
    legal,
    limit_holdem,
    no_limit_holdem,
    payoffs,
    public,
    refusal,
    seeded_deals,
    start,
    step,
    view,
)
from railbird.game.actions import action_of, code_of, code_of_any, seen_by
from railbird.units import Chips, Seat

TRIPLE = VARIANTS["27-triple"]
GAMES = [name for name, variant in VARIANTS.items() if variant.draws]


def table(name: str, seats: int, *, stack: int = 1000) -> Rules:
    return in_variant(limit_holdem(seats, small_bet=20, stack=stack), VARIANTS[name])


def called(state: HandState, row: np.ndarray) -> HandState:
    """The hand after everybody has called a street's bets, or stood pat."""
    phase, street = state.phase, state.street
    while (state.phase, state.street) == (phase, street):
        state = act(state, Call(), row)
    return state


@pytest.mark.parametrize("name", GAMES)
def test_views_see_how_many_cards_others_drew_and_not_which(name: str) -> None:
    """A view is the fold of what the seat saw, with decks that run out and hands that fold."""
    rng = np.random.default_rng([5, GAMES.index(name)])
    seats = 6
    shuffles = 0
    for hand in range(12):
        row = seeded_deals(rng, seats, 1, VARIANTS[name])[0]
        dealer = HandDealer.of_row(table(name, seats), row)
        steps = dealer.begin()
        while dealer.asks is not None:
            if dealer.state.phase is Phase.DRAW:
                most = legal(dealer.state).draw
                cards = dealer.state.cards[dealer.asks][: most if hand % 2 else 3]
                steps += dealer.act(Discard(cards))
            else:
                folds = dealer.state.to_call and rng.random() < 0.3
                steps += dealer.act(Fold() if folds else Call())
        seen = [initial(dealer.state.rules)] * (seats + 1)
        for taken in steps:
            for seat in range(seats):
                event = seen_by(taken.event, Seat(seat))
                seen[seat] = step(seen[seat], event)
                view_now = view(taken.after, Seat(seat)).state
                assert view_now == seen[seat]
                others = set(range(seats)) - {seat}
                assert not any(view_now.discards[other] for other in others)
                assert view_now.drawn == taken.after.drawn
            seen[-1] = step(seen[-1], seen_by(taken.event, None))
            assert public(taken.after) == seen[-1]
            assert not any(seen[-1].discards)
        dealt = [
            card
            for taken in steps
            if isinstance(taken.event, DealStreet)
            for own in taken.event.down
            for card in own or ()
        ]
        shuffles += len(set(dealt)) < len(dealt)
        assert sum(payoffs(dealer.state)) == 0
    assert shuffles or name in ("five-card-draw", "27-single")


def test_a_deck_that_runs_out_is_made_of_what_was_thrown_away() -> None:
    """Six exchange everything: the deck serves four and two cards of the fifth."""
    rules = table("27-triple", 6)
    row = seeded_deals(np.random.default_rng(1), 6, 1, TRIPLE)[0]
    state = called(start(rules, row), row)
    thrown: list[tuple[Card, ...]] = []
    before = state
    while state.phase is Phase.DRAW:
        seat = state.actor
        assert seat is not None
        thrown.append(state.cards[seat])
        before, state = state, act(state, Discard(state.cards[seat]), row)
    event = due(act(before, Discard(thrown[-1])), row)
    assert isinstance(event, DealStreet)
    dealt = [own or () for own in event.down]
    assert [len(own) for own in dealt] == [5] * 6
    rest = [Card(card) for card in row[30:].tolist()]
    assert [card for own in dealt[:4] for card in own] + list(dealt[4][:2]) == rest
    new = {*dealt[4][2:], *dealt[5]}
    assert len(new) == 8
    assert new <= {card for own in thrown[:4] for card in own} | set(thrown[4])
    assert not set(dealt[4]) & set(thrown[4])
    assert not set(dealt[5]) & set(thrown[5])
    held = [card for own in state.cards for card in own]
    assert len(set(held)) == 30
    # what nobody has thrown away for himself is known again only when it is dealt
    assert set(state.discards[5]) == set(thrown[5])
    assert not set(state.discards[0]) & new


def test_the_order_of_the_second_deck_is_known_to_nobody() -> None:
    """Each card that may come first does so about as often: nine hands' worth in 4,000 rows."""
    rules = table("27-triple", 6)
    counts = np.zeros(20)
    rng = np.random.default_rng(3)
    for row in seeded_deals(rng, 6, 4_000, TRIPLE):
        state = called(start(rules, row), row)
        thrown: list[Card] = []
        for _ in range(6):
            assert state.actor is not None
            thrown += state.cards[state.actor]
            state = act(state, Discard(state.cards[state.actor]))
        event = due(state, row)
        assert isinstance(event, DealStreet)
        first = (event.down[4] or ())[2]
        counts[thrown.index(first)] += 1  # in the order of seats, and of cards within each
    chi = ((counts - 200) ** 2 / 200).sum()
    assert chi < 43.8  # of 19 degrees of freedom, 0.1 %


def test_hands_that_folded_come_back_too() -> None:
    rules = table("27-triple", 6)
    row = seeded_deals(np.random.default_rng(2), 6, 1, TRIPLE)[0]
    state = act(start(rules, row), Fold(), row)
    gone = state.cards[2]
    state = called(state, row)
    while state.phase is not Phase.SHOWDOWN:
        own = state.cards[state.actor] if state.actor is not None else ()
        state = act(state, Discard(own) if state.phase is Phase.DRAW else Call(), row)
    assert state.cards[2] == ()
    held = {card for seat in state.in_hand for card in state.cards[seat]}
    assert held & set(gone)


def test_the_own_cards_come_back_only_if_there_are_no_others() -> None:
    """Of ten hands from 52 cards one exchanges all: two are left, then its own."""
    rules = table("five-card-draw", 10)
    row = seeded_deals(np.random.default_rng(4), 10, 1, rules.variant)[0]
    state = called(start(rules, row), row)
    assert state.actor == 0
    own = state.cards[0]
    state = act(state, Discard(own), row)
    for _ in range(9):
        state = act(state, Discard(()), row)
    assert set(row[-2:].tolist()) <= set(state.cards[0])
    assert len(set(state.cards[0]) & set(own)) == 3


def test_who_is_all_in_draws_too() -> None:
    rules = in_variant(no_limit_holdem(3, blinds=(1, 2), stack=[50, 60, 20]), VARIANTS["27-single"])
    row = seeded_deals(np.random.default_rng(6), 3, 1, rules.variant)[0]
    state = act(start(rules, row), Raise(Chips(20)), row)
    state = act(act(state, Raise(Chips(50)), row), Call(), row)
    drew = []
    while state.phase is Phase.DRAW:
        drew.append(state.actor)
        assert legal(state).actions() == (Call(),)
        assert legal(state).draw == 5
        state = act(state, Discard(state.cards[state.actor or 0][:1]), row)
    assert drew == [0, 1, 2]
    assert state.phase is Phase.SHOWDOWN
    assert [sum(drawn) for drawn in state.drawn] == [1, 1, 1]


def test_a_check_stands_pat() -> None:
    rules = table("badugi", 2)
    row = seeded_deals(np.random.default_rng(7), 2, 1, rules.variant)[0]
    dealer = HandDealer.of_row(rules, row)
    dealer.begin()
    dealer.act(Call())
    dealer.act(Call())
    assert dealer.asks == 0
    assert [taken.event for taken in dealer.act(Call())] == [Act(Seat(0), Discard(()))]
    held = dealer.state.cards
    dealer.act(Discard(()))
    assert dealer.state.phase is Phase.BETTING
    assert dealer.state.cards == held


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Fold(), "seat 0 exchanges cards now: up to 5 .first draw."),
        (Raise(Chips(20)), "seat 0 exchanges cards now: up to 5 .first draw."),
        (Discard(parse_cards("2c")), "cannot throw away 2c: it does not hold these cards"),
        (Discard((None,)), r"cannot throw away \?\?: it does not hold these cards"),
        (Discard(parse_cards("AsKsQsJsTs9s")), "up to 5 cards are exchanged"),
    ],
    ids=str,
)
def test_refused_discards(action: Discard | Fold | Raise, words: str) -> None:
    hands = (parse_cards("AsKsQsJsTs"), parse_cards("AdKdQdJdTd"))
    state = step(initial(table("27-triple", 2)), DealStreet(hands))
    with pytest.raises(IllegalAction, match="seat 1 is to act: no cards are exchanged now"):
        act(state, Discard(()))
    state = act(act(state, Call()), Call())
    assert refusal(state, action) is not None
    assert action not in legal(state) or isinstance(action, Discard)
    with pytest.raises(IllegalAction, match=words):
        act(state, action)
    with pytest.raises(DuplicateCard, match="comes twice"):
        act(state, Discard(parse_cards("As") * 2))
    dealt = act(act(state, Discard(hands[0][:2])), Discard(()))
    with pytest.raises(BadInput, match="1 cards for seat 0; allowed: 2"):
        step(dealt, DealStreet((parse_cards("2c"), ())))
    with pytest.raises(DuplicateCard):
        step(dealt, DealStreet((parse_cards("2cAs"), ())))


def test_hold_em_knows_no_discards() -> None:
    state = start(limit_holdem(2), seeded_deals(np.random.default_rng(1), 2, 1)[0])
    assert state.discards == ((), ())
    assert not any(map(any, state.drawn))
    with pytest.raises(TypeError, match="not an action of betting"):
        step(state, Act(state.actor or Seat(0), Discard(())))
    with pytest.raises(TypeError, match="not an action of betting"):
        code_of(Discard(()))


def test_codes_of_discards() -> None:
    for cards in ((), DECK[:1], DECK[47:], (None, None), (DECK[51], None)):
        discard = Discard(cards)
        assert action_of(code_of_any(discard)) == discard
    assert len({code_of_any(Discard((card,))) for card in DECK}) == 52
    assert max(code_of_any(Discard((card,))) for card in DECK) < -2
    rng = np.random.default_rng(1)
    row = seeded_deals(rng, 2, 1, TRIPLE)[0]
    state = called(start(table("27-triple", 2), row), row)
    thrown = random_discard(rng, state)
    again = action_of(code_of_any(thrown))
    assert isinstance(again, Discard)
    assert sorted(again.cards) == sorted(thrown.cards)  # type: ignore[type-var]
