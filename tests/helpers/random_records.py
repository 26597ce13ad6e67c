"""Finished heads-up limit hands, dealt and played at random by the rules engine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import reduce

import numpy as np

from helpers.random_hands import random_log, random_rules
from railbird.cards import Card, holding_of
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Action,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Phase,
    Raise,
    Rules,
    act,
    initial,
    legal,
    payoffs,
    step,
)
from railbird.histories import HandRecord
from railbird.protocol import PlayerKind
from railbird.protocol.messages import HandView
from railbird.protocol.redaction import HandMoment, SeatHolder, hand_view
from railbird.units import Chips

_CARDS_DEALT = (3, 1, 1)


def random_hand(
    rng: np.random.Generator,
    *,
    rules: Rules = HEADS_UP_LIMIT,
    players: tuple[str, str] = ("Ann", "Bob"),
    folds: float = 0.08,
    raises: float = 0.4,
    number: int | None = None,
) -> HandRecord:
    """Deal a hand and play it with these chances of a fold and of a raise at each decision."""
    deck = [Card(int(card)) for card in rng.permutation(52)]
    holes = (holding_of(deck[0], deck[1]), holding_of(deck[2], deck[3]))
    state = step(initial(rules), DealHoles(holes))
    actions: list[Action] = []
    while state.phase is not Phase.OVER:
        if state.phase is Phase.DEAL_BOARD:
            shown = len(state.board)
            more = tuple(deck[4 + shown : 4 + shown + _CARDS_DEALT[state.street]])
            state = step(state, DealBoard(more))
            continue
        if state.phase is Phase.SHOWDOWN:
            break
        actions.append(_choice(state.to_call > 0, legal(state).min_raise_to, rng, folds, raises))
        state = act(state, actions[-1])
    return HandRecord(
        rules=rules,
        players=players,
        holes=holes,
        board=state.board,
        actions=tuple(actions),
        payoffs=payoffs(state),
        number=number,
    )


def random_table_hand(
    rng: np.random.Generator, *, most_seats: int = 9, all_cards: bool = False
) -> HandRecord:
    """Play a whole hand of any betting at a random table; cards that were mucked are unknown."""
    rules = random_rules(rng, most_seats=most_seats)
    log = random_log(rng, rules)
    state = reduce(step, log, initial(rules))
    return HandRecord(
        rules=rules,
        players=tuple(f"P{seat}" for seat in rng.permutation(rules.seats)),
        holes=tuple(
            None if seat in state.mucked and not all_cards else hole
            for seat, hole in enumerate(state.holdings)
        ),
        board=state.board,
        actions=tuple(event.action for event in log if isinstance(event, Act)),
        payoffs=payoffs(state),
        number=int(rng.integers(1 << 40)),
        table=str(rng.choice(["", "Vega"])),
        comment=str(rng.choice(["", "session 3"])),
        played_at=None if rng.random() < 0.5 else datetime(2010, 11, 1, 22, 5, tzinfo=UTC),
        low_first=int(rng.integers(1 << rules.seats)),
    )


def _choice(
    facing: bool, raise_to: int | None, rng: np.random.Generator, folds: float, raises: float
) -> Action:
    lot = rng.random()
    if facing and lot < folds:
        return Fold()
    if raise_to is not None and lot > 1 - raises:
        return Raise(Chips(raise_to))
    return Call()


# States of random hands as somebody at a table sees them.


def seen(state: HandState, viewer: int | None = None) -> HandView:
    """A state as a viewer sees it."""
    holders = [SeatHolder(f"p{seat}", PlayerKind.BOT, seat) for seat in range(state.rules.seats)]
    return hand_view(
        HandMoment("t", 1, state, tuple(holders)), None if viewer is None else f"p{viewer}"
    )


def turns(rng: np.random.Generator) -> Iterator[tuple[HandState, Act | None]]:
    """The states of a random hand in which somebody is to act, and what was done before."""
    rules = random_rules(rng)
    state, before = initial(rules), None
    for event in random_log(rng, rules):
        state = step(state, event)
        before = event if isinstance(event, Act) else None
        if state.phase is Phase.BETTING:
            yield state, before
