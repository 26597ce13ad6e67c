"""Decisions of a player with some experience in given situations, whatever it holds.

Asking changes nothing: each question is put to a copy, so what a player does in one situation can
be compared with what it does in another after the same hands.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from railbird.arena.fault_policy import DEFAULT_FAULTS
from railbird.arena.series.table_session import TableSession
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_INDEX, Card, Holding
from railbird.experiments.booker2004.setting import STACK
from railbird.game import (
    Action,
    Call,
    Event,
    Fold,
    HandDealer,
    Raise,
    Rules,
    View,
    no_limit_holdem,
    seeded_deals,
    view,
)
from railbird.players import Observer, Player, make_player
from railbird.players.protocol import KnowsOpponents
from railbird.solve import COMBINATIONS
from railbird.units import Seat

BLINDS = (10, 20)
_OF_CLASS = [int(np.flatnonzero(kind == CLASS_OF_HOLDING)[0]) for kind in range(CLASSES)]


def rules(stack: int = STACK) -> Rules:
    """Return the rules of all situations, for two at this stack."""
    return no_limit_holdem(2, blinds=BLINDS, stack=stack)


class Changing:
    """Plays as one player for some hands and as another from then on."""

    def __init__(self, first: str, then: str, hands: int) -> None:
        self._players = (make_player(first), make_player(then))
        self._hands, self._played = hands, 0

    def reset(self, rng: np.random.Generator) -> None:
        """Begin with the first."""
        for player, generator in zip(self._players, rng.spawn(2), strict=True):
            player.reset(generator)
        self._played = 0

    def begin(self, view: View) -> None:
        """Count the hand."""
        self._played += 1
        for player in self._observers():
            player.begin(view)

    def observe(self, view: View, event: Event) -> None:
        """Pass it on."""
        for player in self._observers():
            player.observe(view, event)

    def end(self, view: View) -> None:
        """Pass it on."""
        for player in self._observers():
            player.end(view)

    def act(self, view: View) -> Action:
        """Answer as whoever plays now."""
        return self._players[self._played > self._hands].act(view)

    def _observers(self) -> list[Observer]:
        return [player for player in self._players if isinstance(player, Observer)]


@dataclass(frozen=True, slots=True)
class Experienced:
    """A player with what it remembers, from which any number of equal ones can be made."""

    pickled: bytes

    def player(self) -> Player:
        """Make one."""
        player: Player = pickle.loads(self.pickled)  # written by this process
        return player


@lru_cache(maxsize=1 << 10)
def experienced(
    spec: str, opponent: str, hands: int, seed: int, *, then: str = "", more: int = 0
) -> Experienced:
    """Return a player who has played hands against an opponent, both at full stacks in each.

    The opponent may ``then`` play as somebody else for some ``more``.
    """
    player, rng = make_player(spec), np.random.default_rng(seed)
    other = Changing(opponent, then, hands) if then else opponent
    table = TableSession((player, other), DEFAULT_FAULTS, rules())
    try:
        table.reset(f"probe {seed}")
        for number in range(hands + more):
            seats = (0, 1) if number % 2 else (1, 0)
            deals = seeded_deals(rng, 2, 1)
            table.play(seats, [STACK, STACK], rules(), deals, number=number, name="probe")
    finally:
        table.close()
    return Experienced(pickle.dumps(player))


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A hand for two up to a decision; the player asked is whoever is to act."""

    rules: Rules
    actions: tuple[Action, ...] = ()
    board: tuple[Card, ...] = ()


def asked(experience: Experienced, situation: Situation, holding: Holding) -> Action:
    """Ask a player for its action with a holding, after telling it the hand."""
    one = experience.player()
    seat = _actor(situation)
    holes = tuple(holding if other == seat else None for other in range(2))
    told = one if isinstance(one, Observer) else None
    if isinstance(one, KnowsOpponents):
        one.meet((0, 1) if seat == 0 else (1, 0))
    dealer = HandDealer(situation.rules, holes, situation.board)
    steps = dealer.begin()
    if told is not None:
        told.begin(view(steps[0].after, seat))
    for action in situation.actions:
        for step in dealer.act(action):
            if told is not None:
                told.observe(view(step.after, seat), step.event)
    return one.act(view(dealer.state, seat))


def share_changed(one: Experienced, other: Experienced, situation: Situation) -> float:
    """Return the share of the 1,326 holdings with which two players fold, call or raise unlike."""
    answers = {kind: type(asked(one, situation, Holding(h))) for kind, h in enumerate(_OF_CLASS)}
    return share_right(other, situation, lambda kind, action: type(action) is not answers[kind])


def share_played(experience: Experienced, situation: Situation) -> float:
    """Return the share of the 1,326 holdings with which a player does not fold before the flop."""
    return share_right(experience, situation, lambda _, action: not isinstance(action, Fold))


def share_right(
    experience: Experienced, situation: Situation, right: Callable[[int, Action], bool]
) -> float:
    """Return the share of the 1,326 holdings for whose class an answer is right."""
    answers = [
        right(kind, asked(experience, situation, Holding(holding)))
        for kind, holding in enumerate(_OF_CLASS)
    ]
    return float(np.array(answers, np.float64) @ COMBINATIONS / COMBINATIONS.sum())


def random_flops(count: int, rng: np.random.Generator) -> list[tuple[Holding, tuple[Card, ...]]]:
    """Draw holdings with flops."""
    drawn = [rng.permutation(52)[:5].tolist() for _ in range(count)]
    return [
        (Holding(int(HOLDING_INDEX[cards[0], cards[1]])), tuple(map(Card, cards[2:])))
        for cards in drawn
    ]


def called(action: Action) -> bool:
    """Return whether an action stays in the hand."""
    return isinstance(action, Call | Raise)


def _actor(situation: Situation) -> Seat:
    dealer = HandDealer(situation.rules, (None, None), situation.board)
    dealer.begin()
    for action in situation.actions:
        dealer.act(action)
    assert dealer.asks is not None
    return dealer.asks
