"""pokerkit (Kim, 2023) as the referee of other games than hold'em; `test_pokerkit` has hold'em.

The differences that are meant are those of `test_pokerkit`, and:

- Where a low hand qualifies, pokerkit splits every pot, side pots that its owner has no part in
  included, whose low half it then shares among all; here nobody can win that half, and the high
  hand gets it. Such hands are left out.
- Where the deck runs out in stud, pokerkit deals what has been thrown away; here the last card is
  one for all. So seven play at most.
- Where the deck runs out in a draw, pokerkit may deal what a seat has just thrown away to that
  seat; here others' discards come first. The cards that are dealt are ours in both.
- Where an open pair allows two sizes, pokerkit's street is given the larger one once it is bet.
- Where cards have to go, pokerkit is dealt those alone that are kept: its hold'em.
- The seat that brings it in may complete to no more than it owes there, or than others can call.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pokerkit
import pytest

from helpers.pokerkit_referee import (
    AUTOMATIONS,
    STRUCTURES,
    AceToFiveHand,
    BadugiHand,
    DeuceToSevenHand,
    EightLowHand,
    HighHand,
    OmahaHand,
    OmahaLowHand,
    ShortDeckHand,
    betting_as_on_the_next_street,
    check_idle_seats,
    common_options,
    divide_exactly,
    posted_in_full,
    text,
)
from helpers.random_hands import as_pokerkit_can, random_action, random_discard, random_rules
from railbird.cards import (
    DECK,
    VARIANTS,
    HandRanking,
    Opener,
    PotShare,
    format_cards,
    parse_cards,
    share_strength,
)
from railbird.game import (
    Betting,
    Call,
    DealStreet,
    Discard,
    Fold,
    HandState,
    OddChips,
    Phase,
    Raise,
    Rules,
    act,
    due,
    in_variant,
    initial,
    legal,
    payoffs,
    pots,
    public,
    seeded_deals,
    showdown,
    step,
    view,
)
from railbird.units import Chips, Seat

DRAWS = ("five-card-draw", "27-single", "27-triple", "a5-triple", "badugi")
STUD = ("stud", "stud-open-pair", "stud-hilo", "razz")
HANDS = dict.fromkeys((*DRAWS, "stud-open-pair"), 40)
"""Of each game, where it is not 12; the slow test plays more."""
MANY_HANDS = dict.fromkeys((*DRAWS, *STUD), 10000)
"""The same in the slow test, where it is not 200."""
PLAYED = (
    "omaha",
    "omaha-hilo",
    "omaha5",
    "omaha5-hilo",
    "omaha6",
    "omaha6-hilo",
    "courchevel",
    "courchevel-hilo",
    "irish",
    "double-board-holdem",
    "double-board-omaha",
    "short-deck",
    *STUD,
    *DRAWS,
)
HAND_TYPES = {
    (HandRanking.HIGH, None): HighHand,
    (HandRanking.HIGH, 2): OmahaHand,
    (HandRanking.ACE_TO_FIVE, 2): OmahaLowHand,
    (HandRanking.ACE_TO_FIVE, None): AceToFiveHand,
    (HandRanking.SHORT_DECK, None): ShortDeckHand,
    (HandRanking.DEUCE_TO_SEVEN, None): DeuceToSevenHand,
    (HandRanking.BADUGI, None): BadugiHand,
}
OPENINGS = {
    Opener.SEAT: pokerkit.Opening.POSITION,
    Opener.LOW_CARD: pokerkit.Opening.LOW_CARD,
    Opener.HIGH_CARD: pokerkit.Opening.HIGH_CARD,
    Opener.HIGH_BOARD: pokerkit.Opening.HIGH_HAND,
    Opener.LOW_BOARD: pokerkit.Opening.LOW_HAND,
}


def hand_type(share: PotShare) -> type[pokerkit.Hand]:
    if (share.use, share.qualifier) == (None, 8):
        return EightLowHand
    return HAND_TYPES[share.ranking, share.use]


def referee(rules: Rules) -> pokerkit.State:
    variant = rules.variant
    first = variant.streets[0].down - variant.discards
    caps = rules.max_raises or (None,) * 4
    streets = tuple(
        pokerkit.Street(
            False,
            (False,) * (street.down if number else first) + (True,) * street.up,
            street.board,
            street.draw > 0,
            OPENINGS[street.opener],
            rules.bet_sizes[min(number, 3)],
            caps[min(number, 3)],
        )
        for number, street in enumerate(variant.streets)
    )
    assert rules.stacks is not None
    antes = rules.antes or (0,) * rules.seats
    turned = -1 if rules.seats == 2 else 1  # pokerkit takes posts in the order of a full table
    whole = variant.deck == DECK
    divided: Any = divide_exactly if rules.odd_chips is OddChips.FRACTION else divmod
    return pokerkit.State(
        AUTOMATIONS,
        pokerkit.Deck.STANDARD if whole else pokerkit.Deck.SHORT_DECK_HOLDEM,
        tuple(map(hand_type, variant.shares)),
        streets,
        STRUCTURES[rules.betting],
        len(set(antes)) == 1,
        antes[::turned],
        rules.blinds[::turned],
        rules.bring_in,
        rules.stacks,
        rules.seats,
        starting_board_count=variant.boards,
        divmod=divided,
    )


def deal_to(kit: pokerkit.State, event: DealStreet, away: int) -> None:
    for seat, dealt in enumerate(event.down or event.up):
        assert dealt is not None
        own = dealt[away:]
        public_cards = event.up[seat] if event.down and event.up else ()
        if own:
            with warnings.catch_warnings():  # of cards that were thrown away once
                warnings.simplefilter("ignore")
                kit.deal_hole(text((*own, *public_cards)), seat)
    for cards in event.boards:
        kit.deal_board(text(cards))


def table(rng: np.random.Generator, name: str) -> Rules:
    """A table of a game that pokerkit can play, too."""
    variant = VARIANTS[name]
    while True:
        most = len(DECK) // variant.hand_size if variant.has_bring_in else variant.most_players
        rules = as_pokerkit_can(random_rules(rng, most_seats=min(8, most)))
        rules = in_variant(rules, variant)
        if posted_in_full(rules) and rules.betting is not Betting.SPREAD_LIMIT:
            return rules


def play(rng: np.random.Generator, rules: Rules, kit: pokerkit.State) -> HandState:
    row = seeded_deals(rng, rules.seats, 1, rules.variant)[0]
    state = initial(rules)
    while state.phase < Phase.SHOWDOWN:
        if state.phase is not Phase.DEAL_BOARD or not rules.variant.draws:  # else all may be pat
            check_idle_seats(state, kit)
        if state.phase is Phase.DRAW:
            state = draw(rng, state, kit)
            continue
        if state.phase is not Phase.BETTING:
            event = due(state, row)
            assert isinstance(event, DealStreet)
            deal_to(kit, event, rules.variant.discards if event.down else 0)
            state = step(state, event)
            continue
        options = common_options(state, kit)
        action = random_action(rng, options)
        if options.two_sizes and action == Raise(options.max_raise_to or Chips(0)):
            kit.streets = betting_as_on_the_next_street(kit)
        state = act(state, action)
        match action:
            case Fold():
                kit.fold()
            case Call() if kit.bring_in_status:
                kit.post_bring_in()
            case Call():
                kit.check_or_call()
            case Raise(to):
                kit.complete_bet_or_raise_to(to)
    check_idle_seats(state, kit)
    assert not kit.status
    return state


def draw(rng: np.random.Generator, state: HandState, kit: pokerkit.State) -> HandState:
    """Exchange some cards of the seat that is to, in both."""
    if state.rules.variant.discards:
        seat = state.actor or 0
        kept = parse_cards("".join(map(repr, kit.hole_cards[seat])))
        away = Discard(tuple(card for card in state.cards[seat] if card not in kept))
        assert away in legal(state)
        return act(state, away)
    assert kit.stand_patter_or_discarder_index == state.actor
    thrown = random_discard(rng, state)
    assert thrown in legal(state)
    kit.stand_pat_or_discard(format_cards(card for card in thrown.cards if card is not None))
    return act(state, thrown if thrown.cards or rng.random() < 0.5 else Call())


def is_split_for_others(state: HandState) -> bool:
    """Whether a low hand qualifies that has no part in some pot, where no other does."""
    if len(state.rules.variant.shares) == 1 or state.phase is not Phase.SHOWDOWN:
        return False
    low = state.rules.variant.shares[1]
    qualify = {
        seat for seat in state.in_hand if share_strength(low, state.cards[seat], state.board)
    }
    contested = [set(pot.seats) for pot in pots(state) if len(pot.seats) > 1]
    return any(qualify and not qualify & seats for seats in contested)


def assert_same_hand(rng: np.random.Generator, name: str) -> None:
    rules = table(rng, name)
    kit = referee(rules)
    state = play(rng, rules, kit)
    differences = [ours - theirs for ours, theirs in zip(payoffs(state), kit.payoffs, strict=True)]
    shares = rules.variant.boards * len(rules.variant.shares)
    if is_split_for_others(state):
        return
    if rules.odd_chips is OddChips.FRACTION:
        assert not any(differences)
    else:
        assert sum(differences) == 0
        assert max(map(abs, differences)) < shares * rules.seats * len(set(state.spent))
    for event in showdown(state):
        state = step(state, event)
    for seat in range(rules.seats):
        seen = view(state, Seat(seat)).state
        assert not any(cards for other, cards in enumerate(seen.discards) if other != seat)
        for other, cards in enumerate(seen.cards):
            is_known = other == seat or Seat(other) in state.shown
            assert is_known or cards == seen.up_cards[other]
    assert payoffs(public(state)) == payoffs(state)


@pytest.mark.parametrize("name", PLAYED)
def test_random_hands_of_other_games(name: str) -> None:
    rng = np.random.default_rng([PLAYED.index(name), 7])
    for _ in range(HANDS.get(name, 12)):
        assert_same_hand(rng, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_many_random_hands_of_other_games(name: str) -> None:
    rng = np.random.default_rng([PLAYED.index(name), 8])
    for _ in range(MANY_HANDS.get(name, 200)):
        assert_same_hand(rng, name)
