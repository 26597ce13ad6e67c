"""Weights of the opponents' holdings, from their actions (Papp 1998, chapter 7).

A street counts once, by its action of the highest threshold. The weights of every seat are kept,
the tracker's own among them: they are what the others believe of it, and so part of the field that
they are taken to rank their holdings by. Nothing is worked out before somebody asks: most players
fold at once, and nobody asks those any more.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from railbird.cards import Card
from railbird.game import Act, DealBoard, Event, HandState, Street, View
from railbird.modelling.frequencies import BETS, ActionKind, Frequencies
from railbird.modelling.observed_actions import ObservedAction, pot_odds
from railbird.modelling.opponent_models import OpponentModel, OpponentModels
from railbird.modelling.reweighting import (
    ANYTHING,
    Belief,
    Evidence,
    Scale,
    Side,
    Weights,
    field_of,
    field_scale,
    percentile_scale,
    reweight,
    visible,
)
from railbird.modelling.settings import DEFAULTS, LOW, SAVED_EVERY, Checks, Ranking, Sigma
from railbird.modelling.threshold_spread import ThresholdSpread
from railbird.units import Seat

if TYPE_CHECKING:
    from pathlib import Path

_STEPS = 1000
"""Thresholds are rounded to so many parts of one, so that arrays can be shared."""


@dataclass(frozen=True, slots=True, eq=False)
class BeliefUpdate:
    """An action, the lesson and what was believed on both sides of it."""

    act: Act
    state: HandState
    """In which it was done."""
    lesson: Evidence
    earlier: Belief
    later: Belief

    @property
    def before(self) -> Weights:
        """What was believed before it."""
        return visible(self.earlier, self.lesson.board)

    @property
    def after(self) -> Weights:
        """What was believed after it."""
        return visible(self.later, self.lesson.board)


@dataclass(slots=True)
class _Seat:
    """One player in the current hand."""

    belief: Belief = ANYTHING
    """What it may hold."""
    start: Belief = ANYTHING
    """What was believed when the street began."""
    lesson: Evidence | None = None
    """The one of the street that counts."""
    past: list[tuple[Belief, Evidence]] = field(default_factory=list)
    """Those of earlier streets, with what was believed before."""

    def learn(self, lesson: Evidence) -> None:
        """Let a lesson count if its threshold is the highest of the street; checks count least."""
        counts = self.lesson
        if counts is None or lesson.rank > counts.rank:
            self.lesson, self.belief = lesson, reweight(self.start, lesson)

    def turn_over(self) -> None:
        """Another street begins."""
        if self.lesson is not None:
            self.past.append((self.start, self.lesson))
        self.start, self.lesson = self.belief, None


class Tracker:
    """Follows the hands of a table and keeps weights for every seat.

    Generic unless ``specific``: then thresholds come from what each player was seen to do.
    """

    def __init__(
        self,
        *,
        specific: bool,
        decay: float = 1.0,
        ranking: Ranking = Ranking.ANYTHING,
        checks: Checks = Checks.IGNORED,
        sigma: Sigma = Sigma.FIXED,
        floor: float = LOW,
        memory: Path | None = None,
    ) -> None:
        self._specific = specific
        self._ranking = ranking
        self._checks = checks
        self._sigma = sigma
        self._floor = floor
        self._remembers = memory is not None
        self._people = OpponentModels(decay=decay, memory=memory)
        if memory is not None:
            weakref.finalize(self, self._people.save)
        self.reset()

    def reset(self) -> None:
        """Forget everybody; a memory is written first, and stays."""
        self._people.forget()
        self._hands = 0
        self._next: tuple[int, ...] | None = None
        self._sitting: tuple[int, ...] | None = None
        self._seats: list[_Seat] = []
        self._own: Seat | None = None
        self._learned: list[BeliefUpdate] = []
        self._state: HandState | None = None
        self._board: tuple[Card, ...] = ()
        self._pending: list[ObservedAction | DealBoard] = []

    def meet(self, people: tuple[int, ...]) -> None:
        """Who sits where from the next hand on; if nobody says so, seats are people."""
        self._next = people

    def introduce(self, names: tuple[str, ...]) -> None:
        """What people are called, by number."""
        self._people.introduce(names)

    def begin(self, view: View) -> None:
        """A hand starts; of what was left of the last one, habits are still to be counted."""
        self._settle()
        self._sitting = self._next
        self._state, self._own = view.public, view.seat
        self._board = ()
        self._learned.clear()
        self._seats.clear()

    def observe(self, view: View, event: Event) -> None:
        """Remember an action or new cards."""
        before, self._state = self._state, view.public
        match event:
            case Act() if before is not None:
                self._pending.append(ObservedAction(before, event))
            case DealBoard():
                self._pending.append(event)
            case _:
                pass

    def end(self, view: View) -> None:
        """The hand is over; what was shown tells how far thresholds vary."""
        if self._sigma is Sigma.LEARNED:
            self._see_shown(view.state)
        self._hands += 1
        if self._remembers:
            self._catch_up()
            if self._hands % SAVED_EVERY == 0:
                self._people.save()

    def weights(self, seat: Seat) -> Weights:
        """What one player may hold, as far as the others know."""
        return visible(self._known[seat].belief, self._board)

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """The mean of some players' weights, each brought to a sum of one."""
        known = self._known
        return field_of(tuple([known[seat].belief for seat in seats]), self._board)

    def learned(self) -> tuple[BeliefUpdate, ...]:
        """What each action of the opponents has taught in the hand so far."""
        self._catch_up()
        return tuple(each for each in self._learned if each.act.seat != self._own)

    def habits(self, seat: Seat) -> Frequencies:
        """What the player of a seat was seen to do; a generic tracker counts nothing."""
        self._catch_up()
        return self._person(seat).habits

    def spreads(self, seat: Seat) -> ThresholdSpread:
        """What the hands shown by the player of a seat say of its spreads."""
        return self._person(seat).spreads

    def _person(self, seat: Seat) -> OpponentModel:
        return self._people[seat if self._sitting is None else self._sitting[seat]]

    def _see_shown(self, state: HandState) -> None:
        seats = self._known
        for seat in state.shown:
            holding, player = state.holdings[seat], seats[seat]
            assert holding is not None
            player.turn_over()
            for start, lesson in player.past:
                self.spreads(seat).show(start, lesson, holding)

    def _settle(self) -> None:
        """Of what nobody has asked about, count the habits; the rest is no use any more."""
        if self._specific:
            for each in self._pending:
                if isinstance(each, ObservedAction):
                    self._count(each)
        self._pending.clear()

    @property
    def _known(self) -> list[_Seat]:
        """The seats, up to date."""
        self._catch_up()
        return self._seats

    def _catch_up(self) -> None:
        """Learn from what has happened since the last time."""
        pending, self._pending = self._pending, []
        if not self._seats and self._state is not None:
            self._seats = [_Seat() for _ in range(self._state.rules.seats)]
        for event in pending:
            match event:
                case ObservedAction():
                    self._learn(event)
                case DealBoard(cards):
                    self._board = tuple(sorted((*self._board, *cards)))
                    for each in self._seats:
                        each.turn_over()

    def _count(self, observed: ObservedAction) -> None:
        self._person(observed.act.seat).habits.count(*observed.context, observed.kind)

    def _learn(self, observed: ObservedAction) -> None:
        lesson = self._lesson(observed) if self._teaches(observed) else None
        if self._specific:
            self._count(observed)
        if lesson is not None:
            player = self._seats[observed.act.seat]
            earlier = player.belief
            player.learn(lesson)
            self._learned.append(
                BeliefUpdate(observed.act, observed.before, lesson, earlier, player.belief)
            )

    def _teaches(self, observed: ObservedAction) -> bool:
        """Whether an action says anything: no fold does, and a check only where it is heeded."""
        street, bets = observed.context
        match observed.kind:
            case ActionKind.FOLD:
                return False
            case ActionKind.CALL if not bets:
                return self._checks is Checks.INVERSE and street is not Street.PREFLOP
            case _:
                return True

    def _lesson(self, observed: ObservedAction) -> Evidence:
        """What an action says, by what was seen of its player before."""
        seat, (street, bets) = observed.act.seat, observed.context
        fold, _, bet = DEFAULTS[min(bets, BETS - 1)]
        if self._specific:
            fold, _, bet = self._person(seat).habits.of(street, bets)
        calls = observed.kind is ActionKind.CALL and bets > 0
        checks = observed.kind is ActionKind.CALL and not bets
        return Evidence(
            self._board,
            mean=round((fold if calls else 1 - bet) * _STEPS) / _STEPS,
            pot_odds=1.0 if checks else pot_odds(observed),
            scale=self._scale(observed.before, seat),
            spread=self._spread(seat, street),
            side=Side.BELOW if checks else Side.ABOVE,
            floor=self._floor,
        )

    def _spread(self, seat: Seat, street: Street) -> float:
        if self._sigma is Sigma.FIXED:
            return 1.0
        return self.spreads(seat).of(postflop=street is not Street.PREFLOP)

    def _scale(self, state: HandState, seat: Seat) -> Scale | None:
        """How a player ranks its holdings now; before the flop by a scale of its own."""
        if not self._board:
            return None
        if self._ranking is Ranking.ANYTHING:
            return percentile_scale(self._board)
        opponents = [self._seats[other].belief for other in state.in_hand if other != seat]
        return field_scale(tuple(opponents), self._board)
