"""pokerkit (Kim, 2023) as the referee: the same hands, played on both engines side by side.

Where the two differ on purpose, the test says so and checks that it is that and nothing else:

- pokerkit asks the last player who has chips to check when nobody is left to bet against.
- After a short all-in bet, pokerkit lets those raise who had checked, and before the flop those who
  had called the blind; here, as in the Tournament Directors' rules, they face no full bet or raise.
- After several short all-ins, pokerkit adds up those since they last came to a full raise; here it
  counts what the seat faces, which may be more and then is a full raise.
- pokerkit puts side pots together when the beaten hands are thrown away and gives all odd chips of
  a pot to one player; here each pot is split for itself and each odd chip goes to another player.
- Where all but one fold, pokerkit gives the winner its own bets of that street back before it takes
  the rake; here, as on PokerStars, only what nobody called goes back.
- pokerkit knows no spread limit; it plays no-limit then, whose smallest raise is the same.
- Where nobody can post the highest blind in full, pokerkit lowers the bet to what was posted; here,
  as at online tables, the others still call the full blind. Such tables are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pokerkit
import pytest

from helpers.pokerkit_referee import (
    AUTOMATIONS,
    STRUCTURES,
    HighHand,
    check_idle_seats,
    common_options,
    divide_exactly,
    posted_in_full,
    text,
)
from helpers.random_hands import as_pokerkit_can, random_action, random_cards, random_rules
from helpers.told_table import rake_due
from railbird.cards import cards_of
from railbird.game import (
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    NoFlop,
    OddChips,
    Phase,
    Raise,
    Rules,
    Show,
    act,
    initial,
    no_limit_holdem,
    payoffs,
    pots,
    showdown,
    step,
)
from railbird.game.rules import BOARD_CARDS


def referee(rules: Rules, divide: Callable[[int, int], tuple[Any, Any]]) -> pokerkit.State:
    caps = rules.max_raises or (None,) * 4
    streets = tuple(
        pokerkit.Street(
            False,
            (False, False) if cards == 0 else (),
            cards,
            False,
            pokerkit.Opening.POSITION,
            rules.bet_sizes[street],
            caps[street],
        )
        for street, cards in enumerate((0, 3, 1, 1))
    )
    assert rules.stacks is not None
    antes = rules.antes or (0,) * rules.seats
    heads_up = rules.seats == 2  # pokerkit takes the two posts in the order of a full table
    return pokerkit.State(
        AUTOMATIONS,
        pokerkit.Deck.STANDARD,
        (HighHand,),
        streets,
        STRUCTURES[rules.betting],
        len(set(antes)) == 1,
        antes[::-1] if heads_up else antes,
        rules.blinds[::-1] if heads_up else rules.blinds,
        0,
        rules.stacks,
        rules.seats,
        divmod=divide,
        rake=partial(rake_pot, rules),
    )


def rake_pot(rules: Rules, amount: int, kit: pokerkit.State) -> tuple[int, int]:
    """Pokerkit asks for each pot by itself, from the main pot on; a share of all so far is due."""
    no_flop = not any(kit.board_cards)
    if rules.rake is None or (no_flop and rules.rake.no_flop is NoFlop.NO_DROP):
        return 0, amount
    kit.rake = lambda pot, _: (0, pot)
    pots = [pot.amount for pot in kit.pots]
    kit.rake = partial(rake_pot, rules)
    if pots.count(amount) > 1:
        raise LookupError("which of two equal pots is asked for cannot be told")
    called = taken = due = 0
    for pot in pots[: pots.index(amount) + 1] if amount in pots else ():
        called += pot
        due = rake_due(rules.rake, called, players=rules.seats) - taken
        if due > pot:
            raise LookupError("pokerkit may join this pot to another, which then pays the rest")
        taken += due
    return due, amount - due


def play(rng: np.random.Generator, rules: Rules, kit: pokerkit.State) -> HandState:
    holdings, board = random_cards(rng, rules.seats)
    for holding in holdings:
        kit.deal_hole(text(cards_of(holding)))
    state = step(initial(rules), DealHoles(holdings))
    while state.phase < Phase.SHOWDOWN:
        check_idle_seats(state, kit)
        if state.phase is Phase.DEAL_BOARD:
            cards = board[BOARD_CARDS[state.street] : BOARD_CARDS[state.street + 1]]
            kit.deal_board(text(cards))
            state = step(state, DealBoard(cards))
            continue
        action = random_action(rng, common_options(state, kit))
        state = act(state, action)
        match action:
            case Fold():
                kit.fold()
            case Call():
                kit.check_or_call()
            case Raise(to):
                kit.complete_bet_or_raise_to(to)
    check_idle_seats(state, kit)
    assert not kit.status
    return state


def assert_same_showdown(state: HandState, kit: pokerkit.State) -> None:
    """Order, showing and mucking; with all-ins everybody shows at once in pokerkit."""
    if state.phase is Phase.SHOWDOWN and not kit.all_in_status:
        theirs = [
            (operation.player_index, bool(operation.hole_cards))
            for operation in kit.operations
            if isinstance(operation, pokerkit.HoleCardsShowingOrMucking)
        ]
        assert [(event.seat, isinstance(event, Show)) for event in showdown(state)] == theirs


def assert_same_hand(rng: np.random.Generator) -> None:
    rules = as_pokerkit_can(random_rules(rng, raked=True))
    while not posted_in_full(rules):
        rules = as_pokerkit_can(random_rules(rng, raked=True))
    kit = referee(rules, divide_exactly if rules.odd_chips is OddChips.FRACTION else divmod)
    try:
        state = play(rng, rules, kit)
    except LookupError:
        return
    assert_same_showdown(state, kit)
    differences = [ours - theirs for ours, theirs in zip(payoffs(state), kit.payoffs, strict=True)]
    if len(state.in_hand) == 1 and rules.rake is not None:
        (winner,) = state.in_hand
        raked = sum(pot.raked_amount for pot in kit.pots)
        assert raked <= state.raked
        differences[winner] += state.raked - raked
    if rules.odd_chips is OddChips.FRACTION:
        assert not any(differences)
    else:
        assert sum(differences) == 0
        assert max(map(abs, differences)) < rules.seats * len(set(state.spent))


@pytest.mark.slow(but=["4"])
@pytest.mark.parametrize("seed", range(5))
def test_random_hands(seed: int) -> None:
    rng = np.random.default_rng([seed, 3])
    for _ in range(100):
        assert_same_hand(rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_random_hands(seed: int) -> None:
    rng = np.random.default_rng([seed, 4])
    for _ in range(1_000):
        assert_same_hand(rng)


def all_in_table(rng: np.random.Generator) -> Rules:
    """A table whose stacks differ, so that every all-in makes a side pot."""
    while True:
        seats = int(rng.integers(3, 10))
        stacks = [int(stack) for stack in rng.integers(1, rng.choice([30, 400]), seats)]
        ante = int(rng.choice([0, 0, 2]))
        rules = no_limit_holdem(seats, blinds=(5, 10), stack=stacks, ante=ante)
        rules = as_pokerkit_can(replace(rules, odd_chips=OddChips.FRACTION))
        if posted_in_full(rules):
            return rules


def compare_all_ins(rng: np.random.Generator) -> int:
    """Let everybody fold or go all-in before the flop; return the number of contested pots."""
    rules = all_in_table(rng)
    kit = referee(rules, divide_exactly)
    holdings, board = random_cards(rng, rules.seats)
    for holding in holdings:
        kit.deal_hole(text(cards_of(holding)))
    state = step(initial(rules), DealHoles(holdings))
    while state.phase is Phase.BETTING:
        check_idle_seats(state, kit)
        allowed = common_options(state, kit)
        if allowed.fold and rng.random() < 0.2:
            state = act(state, Fold())
            kit.fold()
        elif allowed.max_raise_to is not None:
            state = act(state, Raise(allowed.max_raise_to))
            kit.complete_bet_or_raise_to(allowed.max_raise_to)
        else:
            state = act(state, Call())
            kit.check_or_call()
    check_idle_seats(state, kit)
    contested = [pot for pot in pots(state) if len(pot.seats) > 1]
    if state.phase is Phase.DEAL_BOARD:
        theirs = [(pot.amount, pot.player_indices) for pot in kit.pots]
        assert contested == [pot for pot in theirs if len(pot[1]) > 1]
    while state.phase is Phase.DEAL_BOARD:
        cards = board[BOARD_CARDS[state.street] : BOARD_CARDS[state.street + 1]]
        kit.deal_board(text(cards))
        state = step(state, DealBoard(cards))
        check_idle_seats(state, kit)
    assert not kit.status
    assert list(payoffs(state)) == list(kit.payoffs)
    return len(contested)


def check_all_ins(hands: int, seed: int) -> int:
    """Compare all-ins of random tables; return how many had three contested pots or more."""
    rng = np.random.default_rng(seed)
    return sum(compare_all_ins(rng) > 2 for _ in range(hands))


@pytest.mark.slow
def test_all_ins_and_their_side_pots() -> None:
    assert check_all_ins(200, seed=5) > 50


@pytest.mark.slow
def test_many_all_ins_and_their_side_pots() -> None:
    assert check_all_ins(5_000, seed=6) > 2_500
