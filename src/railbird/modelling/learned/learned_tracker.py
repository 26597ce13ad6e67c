"""Beliefs about holdings from learned probabilities of actions.

Every action multiplies a holding's weight by the probability with which such a player takes it with
such a holding. What type of player somebody is, is inferred as well: from the cards that it shows,
by the probabilities of all its actions in the hand; from hands that it does not show, by those
probabilities averaged over what it was believed to hold.

All of this is public, so that players who have seen the same hands share arrays: what follows from
the same objects is computed once and cached.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDINGS, Card, Holding
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK
from railbird.game import Act, DealBoard, Event, Fold, HandState, Raise, Street, View, act
from railbird.modelling.action_frequencies import ActionKind, Frequencies
from railbird.modelling.learned import _kernels_beliefs
from railbird.modelling.learned._kernels_beliefs import TRUST
from railbird.modelling.learned._kernels_situations import (
    LATER_CLASSES,
    LEVELS,
    PREFLOP_CLASSES,
    cell_of,
)
from railbird.modelling.learned.action_model import ActionModel, Facts, Table, shipped_model
from railbird.modelling.learned.situations import Situation, classes_of, situation_of
from railbird.modelling.observed_actions import ObservedAction
from railbird.modelling.reweighting import ANYTHING, Belief, Weights, field_of, visible
from railbird.units import Seat

_CACHED = 1 << 12
_NOTHING_MORE = np.ones((LEVELS, len(ActionKind)))
"""Ratios where no further facts are known."""
_NOTHING_MORE.flags.writeable = False


class Observation(NamedTuple):
    """An action and what was believed before it."""

    belief: Belief
    situation: Situation
    board: tuple[Card, ...]
    """Ascending."""
    kind: ActionKind


@dataclass(frozen=True, slots=True, eq=False)
class TypeEvidence:
    """What a player's hands so far say of its type."""

    model: ActionModel
    logs: NDArray[np.float64]
    """(types,) log-likelihoods."""

    @property
    def chances(self) -> NDArray[np.float64]:
        """Probabilities of the types, (types,)."""
        chances = np.empty(len(self.logs))
        _kernels_beliefs.fill_chances(self.logs, chances)
        return chances


@dataclass(frozen=True, slots=True, eq=False)
class LearnedUpdate:
    """An action, its probabilities by holding, and the beliefs before and after it."""

    act: Act
    state: HandState
    """The state before the action."""
    board: tuple[Card, ...]
    expected: float
    """Believed probability of the action before it was taken."""
    earlier: Belief
    later: Belief

    @property
    def before(self) -> Weights:
        """Weights before the action."""
        return visible(self.earlier, self.board)

    @property
    def after(self) -> Weights:
        """Weights after the action."""
        return visible(self.later, self.board)


@dataclass(slots=True)
class _Seat:
    """One player in the current hand."""

    evidence: TypeEvidence
    belief: Belief = ANYTHING
    seen: list[Observation] = field(default_factory=list)


class LearnedTracker:
    """Follows the hands of a table and keeps weights for every seat, by a model of actions.

    Unless ``specific``, everybody stays a stranger, who may be of any type.
    """

    def __init__(self, model: ActionModel | None = None, *, specific: bool = True) -> None:
        self._specific = specific
        self._stranger = _stranger(shipped_model() if model is None else model)
        self.reset()

    def reset(self) -> None:
        """Forget everybody."""
        self._known: dict[int, TypeEvidence] = {}
        self._next: tuple[int, ...] | None = None
        self._sitting: tuple[int, ...] = ()
        self._seats: list[_Seat] = []
        self._own: Seat | None = None
        self._state: HandState | None = None
        self._board: tuple[Card, ...] = ()
        self._pending: list[ObservedAction | DealBoard] = []
        self._learned: list[LearnedUpdate] = []
        self._raised_before = self._raised = 0

    def commit(self) -> None:
        """Forget everybody."""
        self.reset()

    def rollback(self) -> None:
        """Forget everybody."""
        self.reset()

    def close(self) -> None:
        """Do nothing: nothing is kept."""

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the player in each seat from the next hand on; by default players are seats."""
        self._next = people

    def introduce(self, names: tuple[str, ...]) -> None:
        """Do nothing: players are known by number."""

    def begin(self, view: View) -> None:
        """Begin a hand."""
        self._state, self._own = view.public, view.seat
        self._sitting = self._next or tuple(range(view.public.rules.seats))
        self._seats = [_Seat(self._known.get(who, self._stranger)) for who in self._sitting]
        self._board = ()
        self._raised_before = self._raised = 0
        self._pending.clear()
        self._learned.clear()

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
        """End the hand, learning what type everybody is."""
        if not self._specific:
            return
        self._catch_up()
        state = view.public
        shown = {seat: state.holdings[seat] for seat in state.shown}
        for number, (who, seat) in enumerate(zip(self._sitting, self._seats, strict=True)):
            if seat.seen:
                holding = shown.get(Seat(number))
                self._known[who] = _after_hand(seat.evidence, tuple(seat.seen), holding)
        self._seats = []

    def weights(self, seat: Seat) -> Weights:
        """Return the weights of one player's holdings, as far as the others know."""
        self._catch_up()
        return visible(self._seats[seat].belief, self._board)

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """Return the mean of several players' normalised weights."""
        self._catch_up()
        return field_of(tuple([self._seats[seat].belief for seat in seats]), self._board)

    def habits(self, seat: Seat) -> Frequencies:
        """Return the default frequencies; `types` and `later_actions` say what was learned."""
        return Frequencies()

    def types(self, seat: Seat) -> TypeEvidence:
        """Return what is known of a seat's type from earlier hands."""
        return self._seats[seat].evidence

    def later_actions(self, seat: Seat) -> Table:
        """Return probabilities of a seat's actions from the flop on, (rows, classes, 3)."""
        return later_actions(self._seats[seat].evidence)

    def chance_of_folds(self, state: HandState) -> float:
        """Return the probability that everybody folds to a bet of the player to act, postflop.

        Opponents act in turn, each knowing that those before have folded; 0 if one is all in.
        """
        if state.min_raise_to is None:
            return 0.0
        self._catch_up()
        chance, after, left = 1.0, act(state, Raise(state.min_raise_to)), len(state.in_hand) - 1
        while left:
            if after.actor is None:
                return 0.0
            seat = self._seats[after.actor]
            situation = situation_of(after, self._raised_before)
            folds = Observation(seat.belief, situation, self._board, ActionKind.FOLD)
            chance *= _expected(seat.evidence, folds)
            left -= 1
            if left:
                after = act(after, Fold())
        return chance

    @property
    def facts(self) -> Facts:
        """What further facts say of everybody's actions, as `ActionModel.facts`."""
        return self._stranger.model.facts

    @property
    def raised(self) -> tuple[int, int]:
        """Masks of the seats that bet or raised on the street before, and on this one."""
        self._catch_up()
        return self._raised_before, self._raised

    def learned(self) -> tuple[LearnedUpdate, ...]:
        """Return the updates from the opponents' actions in the hand so far."""
        self._catch_up()
        return tuple(update for update in self._learned if update.act.seat != self._own)

    def _catch_up(self) -> None:
        pending, self._pending = self._pending, []
        for event in pending:
            match event:
                case ObservedAction():
                    self._learn(event)
                case DealBoard(cards):
                    self._board = tuple(sorted((*self._board, *cards)))
                    self._raised_before, self._raised = self._raised, 0

    def _learn(self, observed: ObservedAction) -> None:
        seat = self._seats[observed.act.seat]
        situation = situation_of(observed.before, self._raised_before)
        seen = Observation(seat.belief, situation, self._board, observed.kind)
        seat.seen.append(seen)
        if observed.kind is not ActionKind.FOLD:
            seat.belief = _after_action(seat.evidence, seen)
        if observed.kind is ActionKind.RAISE:
            self._raised |= 1 << observed.act.seat
        self._learned.append(
            LearnedUpdate(
                observed.act,
                observed.before,
                self._board,
                _expected(seat.evidence, seen),
                seen.belief,
                seat.belief,
            )
        )


@lru_cache(maxsize=16)
def _stranger(model: ActionModel) -> TypeEvidence:
    return TypeEvidence(model, np.zeros(model.types))


@lru_cache(maxsize=_CACHED)
def _actions(evidence: TypeEvidence, situation: Situation) -> NDArray[np.float64]:
    """Return the probabilities of a player's actions by strength class, (classes, 3)."""
    table = _table(evidence.model, situation.street)
    shares = np.empty(table.shape[2:])
    _kernels_beliefs.mix(evidence.chances, table, situation.row, shares)
    if situation.street is not Street.PREFLOP:
        _kernels_beliefs.adjust(shares, _ratios(evidence.model, situation))
    return shares


def _ratios(model: ActionModel, situation: Situation) -> NDArray[np.float64]:
    """Return what further facts say, (levels, 3)."""
    if situation.street is Street.PREFLOP:
        return _NOTHING_MORE
    ratios: NDArray[np.float64] = model.facts[cell_of(situation.row), situation.fact]
    return ratios


def _table(model: ActionModel, street: int) -> Table:
    return model.later if street else model.preflop


@lru_cache(maxsize=1 << 8)
def later_actions(evidence: TypeEvidence) -> Table:
    """Return probabilities of a player's actions from the flop on, (rows, classes, 3)."""
    table, chances = evidence.model.later, evidence.chances
    mixed = np.empty(table.shape[1:])
    for row, shares in enumerate(mixed):
        _kernels_beliefs.mix(chances, table, row, shares)
    return mixed


@lru_cache(maxsize=_CACHED)
def _after_action(evidence: TypeEvidence, seen: Observation) -> Belief:
    """Return the belief after an action."""
    situation, weights = seen.situation, np.empty(HOLDINGS)
    _kernels_beliefs.reweigh(
        seen.belief.weights,
        _mask(seen.board),
        classes_of(situation, seen.board),
        _actions(evidence, situation),
        seen.kind,
        weights,
    )
    weights.flags.writeable = False
    return Belief(weights)


def _mask(board: tuple[Card, ...]) -> np.uint64:
    """Return the mask of a board's cards."""
    mask: np.uint64 = CARD_MASK[list(board)].sum()
    return mask


@lru_cache(maxsize=_CACHED)
def _held(seen: Observation) -> NDArray[np.float64]:
    """Return the believed probability of each strength class, (classes,)."""
    classes = PREFLOP_CLASSES if seen.situation.street is Street.PREFLOP else LATER_CLASSES
    held = np.empty(classes)
    _kernels_beliefs.fill_held(
        seen.belief.weights, _mask(seen.board), classes_of(seen.situation, seen.board), held
    )
    return held


def _expected(evidence: TypeEvidence, seen: Observation) -> float:
    """Return the probability with which an action was to be expected."""
    shares = _actions(evidence, seen.situation)
    return _kernels_beliefs.expected_share(_held(seen), shares, seen.kind)


@lru_cache(maxsize=_CACHED)
def _after_hand(
    evidence: TypeEvidence, seen: tuple[Observation, ...], shown: Holding | None
) -> TypeEvidence:
    """Return the evidence after a hand, with the cards if they were shown."""
    logs = np.zeros(evidence.model.types)
    for each in seen:
        situation, kind = each.situation, each.kind
        table, ratios = _table(evidence.model, situation.street), _ratios(evidence.model, situation)
        if shown is None:
            _kernels_beliefs.add_unseen(table, situation.row, ratios, kind, _held(each), logs)
        else:
            held = int(classes_of(situation, each.board)[shown])
            _kernels_beliefs.add_shown(table, situation.row, ratios, kind, held, logs)
    return TypeEvidence(evidence.model, evidence.logs + TRUST * logs)
