"""Random tables, cards and actions, for tests that compare two engines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from railbird.cards import Card, Holding, holding_of
from railbird.game import (
    BOARD_CARDS,
    Act,
    Action,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Discard,
    Event,
    Fold,
    HandState,
    Legal,
    NoFlop,
    OddChips,
    OpenFold,
    Phase,
    Raise,
    Rake,
    RakeTier,
    Rules,
    ShortAllIn,
    Show,
    UncallableRaise,
    initial,
    legal,
    seeded_deals,
    showdown,
    step,
)
from railbird.units import Chips, Seat


def random_rules(rng: np.random.Generator, *, most_seats: int = 9, raked: bool = False) -> Rules:
    """Any table that `Rules` can say, with stacks from less than a blind to very deep."""
    seats = int(rng.integers(2, most_seats + 1))
    betting = Betting(rng.choice([b.value for b in Betting]))
    small = int(rng.integers(1, 6))
    big = 2 * small + int(rng.integers(2))
    posts = [small, big]
    if seats > 3 and rng.random() < 0.3:
        posts.append(2 * big)
    blinds = posts[::-1] if seats == 2 else posts + [0] * (seats - len(posts))
    bet = max(blinds)
    deep = int(rng.choice([2, 10, 60])) * bet
    return Rules(
        betting=betting,
        blinds=chips(blinds),
        antes=chips(_antes(rng, seats, big)),
        stacks=chips(rng.integers(1, deep, seats).tolist()),
        bet_sizes=(Chips(bet), Chips(big), Chips(2 * big), Chips(2 * big)),
        largest_bets=_largest_bets(rng, 2 * bet) if betting is Betting.SPREAD_LIMIT else None,
        max_raises=(3, 4, 4, 4) if betting is Betting.LIMIT or rng.random() < 0.2 else None,
        lift_cap_heads_up=bool(rng.random() < 0.3),
        first_to_act=(Seat(1 if seats == 2 else len(posts) % seats), Seat(0), Seat(0), Seat(0)),
        short_all_in=ShortAllIn(rng.choice([s.value for s in ShortAllIn])),
        uncallable_raise=UncallableRaise(rng.choice([u.value for u in UncallableRaise])),
        odd_chips=OddChips(rng.choice([o.value for o in OddChips])),
        open_fold=OpenFold(rng.choice([o.value for o in OpenFold])),
        rake=_rake(rng) if raked and rng.random() < 0.5 else None,
    )


def _rake(rng: np.random.Generator) -> Rake:
    """One share for all, or another for few players; with or without a cap, in steps or not."""
    tiers = [
        RakeTier(
            share=Fraction(int(rng.integers(1, 1_500)), 10_000),
            cap=None if rng.random() < 0.4 else Chips(int(rng.integers(12))),
            most_players=most,
        )
        for most in (None, 3)[: rng.integers(1, 3)]
    ]
    step = Chips(int(rng.choice([1, 1, 3])))
    return Rake(
        tiers=tuple(tiers), step=step, no_flop=NoFlop(rng.choice([n.value for n in NoFlop]))
    )


def _largest_bets(rng: np.random.Generator, least: int) -> tuple[Chips, Chips, Chips, Chips]:
    preflop, flop, turn, river = rng.integers(least, 6 * least, 4).tolist()
    return Chips(preflop), Chips(flop), Chips(turn), Chips(river)


def _antes(rng: np.random.Generator, seats: int, big: int) -> list[int]:
    """None, the same from everybody, or the big blind pays for all."""
    match rng.integers(3):
        case 0:
            return []
        case 1:
            return [int(rng.integers(1, big + 1))] * seats
        case _:
            return [big * (seat == (0 if seats == 2 else 1)) for seat in range(seats)]


def random_cards(
    rng: np.random.Generator, seats: int
) -> tuple[tuple[Holding, ...], tuple[Card, ...]]:
    """Holdings by seat, and a whole board."""
    row = seeded_deals(rng, seats, 1)[0].tolist()
    holes = [holding_of(Card(a), Card(b)) for a, b in zip(row[::2], row[1::2], strict=False)]
    return tuple(holes[:seats]), tuple(map(Card, row[2 * seats :]))


def random_action(rng: np.random.Generator, legal: Legal) -> Action:
    """Folds seldom and raises often, mostly by little: hands are to reach every corner."""
    low, high = legal.min_raise_to, legal.max_raise_to
    if legal.fold and rng.random() < 0.15:
        return Fold()
    if low is None or high is None or rng.random() < 0.5:
        return Call()
    match rng.integers(4):
        case 0:
            return Raise(high)
        case 1 if not legal.two_sizes:
            return Raise(Chips(int(rng.integers(low, high + 1))))
        case _:
            return Raise(low)


def random_discard(rng: np.random.Generator, state: HandState) -> Discard:
    """Throw away some cards of the seat that is to, often none or all."""
    allowed = legal(state)
    least, most = allowed.must_discard, allowed.draw
    number = (least, most, int(rng.integers(least, most + 1)))[rng.integers(3)]
    return Discard(tuple(map(Card, rng.permutation(state.cards[allowed.seat])[:number].tolist())))


def random_log(rng: np.random.Generator, rules: Rules) -> list[Event]:
    """A whole hand; at times cards are shown that might be mucked, in the showdown or after it."""
    holdings, board = random_cards(rng, rules.seats)
    log: list[Event] = [DealHoles(holdings)]
    state = step(initial(rules), log[0])
    while state.phase is not Phase.OVER:
        log += _next_events(rng, state, board)
        state = step(state, log[-1])
    for seat, holding in enumerate(holdings):
        if seat not in state.shown and rng.random() < 0.1:
            log.append(Show(Seat(seat), holding))
    return log


def _next_events(
    rng: np.random.Generator, state: HandState, board: tuple[Card, ...]
) -> list[Event]:
    match state.phase:
        case Phase.DEAL_BOARD:
            due = slice(BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1])
            return [DealBoard(board[due])]
        case Phase.BETTING:
            allowed = legal(state)
            return [Act(allowed.seat, random_action(rng, allowed))]
        case _:
            event = showdown(state)[0]
            holding = state.holdings[event.seat]
            if holding is not None and rng.random() < 0.3:
                event = Show(event.seat, holding)
            return [event]


def as_pokerkit_can(rules: Rules) -> Rules:
    """The nearest table that pokerkit's rules know."""
    return replace(
        rules,
        lift_cap_heads_up=False,
        short_all_in=ShortAllIn.FULL_BET,
        uncallable_raise=UncallableRaise.REFUSED,
        open_fold=OpenFold.REFUSED,
    )


def chips(amounts: list[int]) -> tuple[Chips, ...]:
    return tuple(map(Chips, amounts))
