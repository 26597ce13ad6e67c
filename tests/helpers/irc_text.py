"""Hands as the IRC poker database tells them, so that its reader can be tested at length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from railbird.cards import cards_of, format_card, format_cards
from railbird.game import (
    Act,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    OpenFold,
    Phase,
    Rules,
    UncallableRaise,
    initial,
    limit_holdem,
    no_limit_holdem,
    step,
)
from railbird.game.rules import BOARD_CARDS
from railbird.histories import HandRecord
from railbird.units import Seat


def irc_rules(rng: np.random.Generator, *, betting: Betting = Betting.LIMIT) -> Rules:
    """A table; heads-up too the small blind may act first, as the bot on IRC dealt it."""
    seats = int(rng.integers(2, 10))
    stacks = rng.integers(300, 2000, seats).tolist()
    rules = (
        limit_holdem(seats, max_raises=None, stack=stacks)
        if betting is Betting.LIMIT
        else no_limit_holdem(seats, blinds=(5, 10), stack=stacks)
    )
    rules = replace(rules, open_fold=OpenFold.ALLOWED, uncallable_raise=UncallableRaise.ALLOWED)
    if rng.integers(2):
        return rules
    blinds = tuple(sorted(rules.blinds[:2])) + rules.blinds[2:]
    return replace(
        rules,
        blinds=blinds,
        first_to_act=(Seat(2 % seats), Seat(0), Seat(0), Seat(0)),
    )


def irc_text(hand: HandRecord, time: int) -> str:
    """The three files' lines of a hand, one file's after the other's."""
    rules = hand.rules
    assert rules.stacks is not None
    state = step(initial(rules), DealHoles((None,) * rules.seats))
    deeds = [["B" if blind else "", "", "", ""] for blind in rules.blinds]
    pots: list[str] = []
    actions = iter(hand.actions)
    while state.phase in (Phase.BETTING, Phase.DEAL_BOARD):
        if state.phase is Phase.DEAL_BOARD:
            pots.append(f"{len(state.in_hand)}/{state.pot}")
            size, more = BOARD_CARDS[state.street : state.street + 2]
            state = step(state, DealBoard(hand.board[size:more]))
            continue
        assert state.actor is not None
        action = next(actions)
        match action:
            case Fold():
                letter = "f"
            case Call():
                letter = "c" if state.to_call else "k"
            case _:
                letter = "r" if state.bet else "b"
        street, seat = state.street, state.actor
        state = step(state, Act(seat, action))
        if state.stacks is not None and letter in "cbr" and state.stacks[seat] == 0:
            letter = "A"
        deeds[seat][street] += letter
    if len(state.in_hand) > 1:
        pots.append(f"{len(state.in_hand)}/{state.pot}")
    pots += ["0/0"] * (4 - len(pots))
    board = format_cards(hand.board, separator=" ")
    head = f"{time} 1 {hand.number} {rules.seats} {' '.join(pots)} {board}".rstrip()
    lines = [head, f"{time} {rules.seats} {' '.join(hand.players)}"]
    for place, name in enumerate(hand.players):
        streets = " ".join(text or "-" for text in deeds[place])
        won = hand.payoffs[place] + state.spent[place]
        line = f"{name} {time} {rules.seats} {place + 1} {streets}"
        line += f" {rules.stacks[place]} {state.spent[place]} {won}"
        hole = hand.holes[place]
        if hole is not None:
            low, high = sorted(cards_of(hole))
            cards = (low, high) if hand.low_first >> place & 1 else (high, low)
            line += f" {format_card(cards[0])} {format_card(cards[1])}"
        lines.append(line)
    return "\n".join([*lines, ""])
