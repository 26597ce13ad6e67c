"""Weights of the opponents' holdings, from their actions (Papp 1998, chapter 7).

A street counts once, by its action with the highest threshold. Weights are kept for every seat,
including the tracker's own: they are what the others believe about it, and so part of the field by
which they are assumed to rank their holdings. Everything is computed on demand: most players fold
at once and never ask.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from railbird.cards import Card
from railbird.game import Act, DealBoard, Event, HandState, Street, View
from railbird.modelling.action_frequencies import BETS, ActionKind, Frequencies
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
from railbird.modelling.settings import DEFAULTS, LOW, Checks, Ranking, Sigma
from railbird.modelling.threshold_spread import ThresholdSpread
from railbird.units import Seat

if TYPE_CHECKING:
    from railbird.storage.memory_place import MemoryPlace


@dataclass(frozen=True, slots=True, eq=False)
class BeliefUpdate:
    """An action, its evidence, and the beliefs before and after it."""

    act: Act
    state: HandState
    """The state before the action."""
    evidence: Evidence
    earlier: Belief
    later: Belief

    @property
    def board(self) -> tuple[Card, ...]:
        """The board then, ascending."""
        return self.evidence.board

    @property
    def before(self) -> Weights:
        """Weights before the action."""
        return visible(self.earlier, self.evidence.board)

    @property
    def after(self) -> Weights:
        """Weights after the action."""
        return visible(self.later, self.evidence.board)


@dataclass(slots=True)
class _Seat:
    """One player in the current hand."""

    belief: Belief = ANYTHING
    """Current belief about its holding."""
    start: Belief = ANYTHING
    """Belief when the street began."""
    evidence: Evidence | None = None
    """The evidence that counts on this street."""
    past: list[tuple[Belief, Evidence]] = field(default_factory=list)
    """Evidence of earlier streets, with the beliefs before it."""

    def learn(self, evidence: Evidence) -> None:
        """Use evidence if its threshold is the street's highest so far; checks rank last."""
        counts = self.evidence
        if counts is None or evidence.rank > counts.rank:
            self.evidence, self.belief = evidence, reweight(self.start, evidence)

    def turn_over(self) -> None:
        """Begin another street."""
        if self.evidence is not None:
            self.past.append((self.start, self.evidence))
        self.start, self.evidence = self.belief, None


class Tracker:
    """Follows the hands of a table and keeps weights for every seat.

    Generic unless ``specific``: then thresholds come from each player's own frequencies.
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
        memory: MemoryPlace | None = None,
    ) -> None:
        self._specific = specific
        self._ranking = ranking
        self._checks = checks
        self._sigma = sigma
        self._floor = floor
        self._remembers = memory is not None
        self._people = OpponentModels(decay=decay, memory=memory)
        self._forget()

    def reset(self) -> None:
        """Forget everybody, after writing what a memory keeps."""
        self._people.forget()
        self._forget()

    def commit(self) -> None:
        """Forget everybody, after writing what a memory keeps of a part of a game that is over."""
        self._people.commit()
        self._forget()

    def rollback(self) -> None:
        """Forget everybody, and what was learned since `commit`."""
        self._people.rollback()
        self._forget()

    def _forget(self) -> None:
        self._next: tuple[int, ...] | None = None
        self._sitting: tuple[int, ...] | None = None
        self._seats: list[_Seat] = []
        self._own: Seat | None = None
        self._learned: list[BeliefUpdate] = []
        self._state: HandState | None = None
        self._board: tuple[Card, ...] = ()
        self._pending: list[ObservedAction | DealBoard] = []

    def close(self) -> None:
        """Write the memory, if there is one."""
        self._people.close()

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the player in each seat from the next hand on; by default players are seats."""
        self._next = people

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set players' names by number."""
        self._people.introduce(names)

    def begin(self, view: View) -> None:
        """Begin a hand, first counting the rest of the last hand's actions."""
        self._settle()
        self._sitting = self._next
        self._state, self._own = view.public, view.seat
        if self._remembers:
            seats = range(view.public.rules.seats)
            people = self._sitting or seats
            self._people.begin(people, people[view.seat], view.public.rules.betting)
        self._board = ()
        self._learned.clear()
        self._seats.clear()

    def observe(self, view: View, event: Event) -> None:
        """Record an action or new cards."""
        before, self._state = self._state, view.public
        match event:
            case Act() if before is not None:
                self._pending.append(ObservedAction(before, event))
            case DealBoard():
                self._pending.append(event)
            case _:
                pass

    def end(self, view: View) -> None:
        """End the hand, learning about thresholds from shown cards."""
        if self._sigma is Sigma.LEARNED:
            self._see_shown(view.state)
        if self._remembers:
            self._catch_up()

    def weights(self, seat: Seat) -> Weights:
        """Return the weights of one player's holdings, as far as the others know."""
        return visible(self._known[seat].belief, self._board)

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """Return the mean of several players' normalised weights."""
        known = self._known
        return field_of(tuple([known[seat].belief for seat in seats]), self._board)

    def learned(self) -> tuple[BeliefUpdate, ...]:
        """Return the updates from the opponents' actions in the hand so far."""
        self._catch_up()
        return tuple(update for update in self._learned if update.act.seat != self._own)

    def habits(self, seat: Seat) -> Frequencies:
        """Return the frequencies of a seat's player; a generic tracker counts nothing."""
        self._catch_up()
        return self._person(seat).habits

    def spreads(self, seat: Seat) -> ThresholdSpread:
        """Return the estimated spreads of a seat's player, from its shown hands."""
        return self._person(seat).spreads

    def _person(self, seat: Seat) -> OpponentModel:
        return self._people[seat if self._sitting is None else self._sitting[seat]]

    def _see_shown(self, state: HandState) -> None:
        seats = self._known
        for seat in state.shown:
            holding, player = state.holdings[seat], seats[seat]
            assert holding is not None
            player.turn_over()
            for start, evidence in player.past:
                self.spreads(seat).show(start, evidence, holding)

    def _settle(self) -> None:
        """Count the actions that were not evaluated on demand, and drop them."""
        if self._specific:
            for pending in self._pending:
                if isinstance(pending, ObservedAction):
                    self._count(pending)
        self._pending.clear()

    @property
    def _known(self) -> list[_Seat]:
        """Return the seats, up to date."""
        self._catch_up()
        return self._seats

    def _catch_up(self) -> None:
        """Learn from the events since the last call."""
        pending, self._pending = self._pending, []
        if not self._seats and self._state is not None:
            self._seats = [_Seat() for _ in range(self._state.rules.seats)]
        for event in pending:
            match event:
                case ObservedAction():
                    self._learn(event)
                case DealBoard(cards):
                    self._board = tuple(sorted((*self._board, *cards)))
                    for player in self._seats:
                        player.turn_over()

    def _count(self, observed: ObservedAction) -> None:
        self._person(observed.act.seat).count(*observed.context, observed.kind)

    def _learn(self, observed: ObservedAction) -> None:
        evidence = self._evidence(observed) if self._teaches(observed) else None
        if self._specific:
            self._count(observed)
        if evidence is not None:
            player = self._seats[observed.act.seat]
            earlier = player.belief
            player.learn(evidence)
            self._learned.append(
                BeliefUpdate(observed.act, observed.before, evidence, earlier, player.belief)
            )

    def _teaches(self, observed: ObservedAction) -> bool:
        """Return whether an action is evidence: folds never are, checks only if they are used."""
        street, bets = observed.context
        match observed.kind:
            case ActionKind.FOLD:
                return False
            case ActionKind.CALL if not bets:
                return self._checks is Checks.INVERSE and street is not Street.PREFLOP
            case _:
                return True

    def _evidence(self, observed: ObservedAction) -> Evidence:
        """Return the evidence of an action, given its player's frequencies."""
        seat, (street, bets) = observed.act.seat, observed.context
        fold, _, bet = DEFAULTS[min(bets, BETS - 1)]
        if self._specific:
            fold, _, bet = self._person(seat).habits.of(street, bets)
        calls = observed.kind is ActionKind.CALL and bets > 0
        checks = observed.kind is ActionKind.CALL and not bets
        return Evidence(
            self._board,
            mean=fold if calls else 1 - bet,
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
        """Return a player's assumed ranking; None before the flop, where income rates are used."""
        if not self._board:
            return None
        if self._ranking is Ranking.ANYTHING:
            return percentile_scale(self._board)
        opponents = [self._seats[other].belief for other in state.in_hand if other != seat]
        return field_scale(tuple(opponents), self._board)
