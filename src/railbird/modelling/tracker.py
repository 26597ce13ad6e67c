"""Weights of opponents' holdings, inferred from their actions (Papp 1998, chapter 7).

Each street counts once, by its action with the highest threshold: several actions of one street say
much the same, and multiplying them all would count it twice. Weights are kept for every seat,
including the tracker's own. Those are what the others believe about it, so they are part of the
field against which the others are assumed to rank their holdings. Everything is computed on demand,
because most players fold at once and never ask.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from railbird._arguments import checked
from railbird.cards import Card
from railbird.errors import BadInput, DamagedFile
from railbird.game import (
    Act,
    ActionKind,
    Betting,
    DealBoard,
    Event,
    HandState,
    Street,
    View,
    kind_of,
)
from railbird.modelling.opponent_memory import Learned, OpponentMemory
from railbird.modelling.reweighting import (
    ANYTHING,
    OCTAVES,
    STREETS,
    Belief,
    Evidence,
    Scale,
    Side,
    ThresholdSpread,
    Weights,
    field_of,
    field_scale,
    percentile_scale,
    reweight,
    weights_given_board,
)
from railbird.modelling.settings import BLENDED, DEFAULTS, LOW, Checks, Ranking, Sigma
from railbird.units import Seat

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from railbird.storage.opponents import MemoryPlace


# Frequencies of folds, calls and raises, by street and bets to call (Papp 1998, chapter 7).


BETS = 3
"""Number of contexts on a street: no bet to call, one, two or more."""


_CONTEXT = len(ActionKind)
_STREET = BETS * _CONTEXT
_NUMBERS = len(Street) * _STREET

Shares = tuple[float, float, float]
"""Shares of folds, calls and raises, which sum to one."""


class Frequencies:
    """One player's observed frequencies, blended with defaults while there are few observations.

    A street's default is the blended frequency of the street before; the first street's comes from
    the settings.
    """

    @checked
    def __init__(
        self, *, decay: float = 1.0, counts: Sequence[Sequence[Sequence[float]]] | None = None
    ) -> None:
        # One flat list: every player keeps one of these for every other, and small nested lists
        # would take several times the memory and time.
        self._counts = [0.0] * _NUMBERS
        if counts is not None:
            self._counts[:] = [float(n) for street in counts for bets in street for n in bets]
            if len(self._counts) != _NUMBERS:
                raise BadInput(f"{len(self._counts)} counts; allowed: {_NUMBERS}")
        self._decay = decay

    @property
    def counts(self) -> list[list[list[float]]]:
        """Counts of observations by street, bets to call and `ActionKind`."""
        shaped: list[list[list[float]]]
        shaped = np.reshape(self._counts, (len(Street), BETS, len(ActionKind))).tolist()
        return shaped

    def count(self, street: Street, bets: int, habit: ActionKind) -> None:
        """Count an action; with decay, it makes earlier ones in its context count less."""
        counts, first = self._counts, street * _STREET + min(bets, BETS - 1) * _CONTEXT
        if self._decay < 1:
            for index in range(first, first + _CONTEXT):
                counts[index] *= self._decay
        counts[first + habit] += 1

    def of(self, street: Street, bets: int) -> Shares:
        """Return the shares of folds, calls and raises in a context.

        >>> habits = Frequencies()
        >>> for _ in range(10):
        ...     habits.count(Street.PREFLOP, 1, ActionKind.RAISE)
        >>> habits.of(Street.PREFLOP, 1)
        (0.25, 0.15, 0.6)
        >>> habits.of(Street.RIVER, 1)
        (0.25, 0.15, 0.6)
        """
        bets = min(bets, BETS - 1)
        fold, call, bet = DEFAULTS[bets]
        first, last = bets * _CONTEXT, street * _STREET + bets * _CONTEXT
        for context in range(first, last + 1, _STREET):
            folds, calls, raises = self._counts[context : context + _CONTEXT]
            seen = folds + calls + raises
            if seen:
                # With n observations the own shares weigh n / 20 and the default the rest. From 20
                # on the default no longer counts.
                own = 1.0 / max(seen, BLENDED)
                rest = 1.0 - own * seen
                fold, call = own * folds + rest * fold, own * calls + rest * call
                bet = own * raises + rest * bet
        return fold, call, bet


# The records of opponent models: counts of actions, and what shown hands say about spreads.
#
# Memories were JSON files before they were kept in databases; those files are still read.


FORMER_FORMAT: Final = "railbird memory of opponents 1"
_SHAPES = {"actions": (len(Street), BETS, len(ActionKind)), "shown": (STREETS, len(OCTAVES))}

Counts = list[list[list[float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """The part of an opponent's model that is stored."""

    actions: Counts
    """Counts of observations, by street, bets to call and `ActionKind`."""
    shown: list[list[float]]
    """`ThresholdSpread.evidence`."""


@dataclass(frozen=True, slots=True)
class ModelForm:
    """How Loki's memory stores models; each observation multiplies earlier counts by ``decay``."""

    decay: float = 1.0
    kind: str = "loki"
    version: int = 1

    def read(self, record: Mapping[str, Any]) -> ModelRecord:
        """Read a record. Raises `DamagedFile`."""
        return _model_record(record, "a record")

    def written(self, learned: ModelRecord) -> dict[str, Any]:
        """Return the record from which `read` restores the model."""
        return {"actions": learned.actions, "shown": learned.shown}

    def after(self, earlier: ModelRecord, later: ModelRecord) -> ModelRecord:
        """Return the model that follows from the observations of both.

        With decay d, the counts of k observations sum to S = 1 + d + ... + d^(k-1). The earlier
        counts keep the weight d^k, which equals 1 - S (1 - d), so k itself need not be stored.
        """
        new = np.asarray(later.actions)
        weight = np.clip(1 - new.sum(axis=-1, keepdims=True) * (1 - self.decay), 0, 1)
        actions = np.asarray(earlier.actions) * weight + new
        shown = np.add(earlier.shown, later.shown)
        return ModelRecord(actions=actions.tolist(), shown=shown.tolist())

    def former(self, file: Path) -> Mapping[str, ModelRecord]:
        """Read a file of an earlier version.

        Raises `DamagedFile` if it has another format, and `BadInput` if it cannot be read.
        """
        try:
            content = json.loads(file.read_bytes())
        except OSError as error:
            raise BadInput(f"{file}: cannot be read: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise DamagedFile(f"{file}: not JSON: {error}") from error
        match content:
            case {"format": str(kind), "people": dict(people)} if kind == FORMER_FORMAT:
                return {
                    name: _model_record(entry, f"{file}: {name!r}")
                    for name, entry in people.items()
                }
            case _:
                raise DamagedFile(
                    f"{file}: not a memory; expected an object of format {FORMER_FORMAT!r}"
                )


def _model_record(entry: object, where: str) -> ModelRecord:
    fields = entry if isinstance(entry, dict) else {}
    values = {key: _array(fields.get(key), key, where) for key in _SHAPES}
    if values["actions"].min() < 0:
        raise DamagedFile(f"{where}: actions below 0; expected counts")
    return ModelRecord(actions=values["actions"].tolist(), shown=values["shown"].tolist())


def _array(value: object, key: str, where: str) -> npt.NDArray[np.float64]:
    shape = _SHAPES[key]
    try:
        array = np.array(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.shape != shape or not np.isfinite(array).all():
        size = " x ".join(map(str, shape))
        raise DamagedFile(f"{where}: {key}; expected {size} numbers")
    return array


# The models of a tracker's opponents, identified by number, and between sessions by name.


class OpponentModel:
    """Everything known about one opponent; ``known`` is what a memory recalls."""

    def __init__(
        self, *, decay: float, known: ModelRecord | None = None, remembers: bool = False
    ) -> None:
        self.habits = Frequencies(decay=decay, counts=None if known is None else known.actions)
        self.spreads = ThresholdSpread(None if known is None else known.shown)
        self.hands = 0
        self._known_evidence = self.spreads.evidence
        # New actions are counted a second time. A memory must be given only what is new, and with
        # decay that cannot be had by subtracting the old counts from the present ones.
        self._new_habits = Frequencies(decay=decay) if remembers else None
        self._tally = [0 for _ in ActionKind]

    def count(self, street: Street, bets: int, action: ActionKind) -> None:
        """Count an action."""
        self.habits.count(street, bets, action)
        if self._new_habits is not None:
            self._new_habits.count(street, bets, action)
            self._tally[action] += 1

    @property
    def learned(self) -> Learned[ModelRecord]:
        """What this session taught about the opponent."""
        assert self._new_habits is not None
        new = np.subtract(self.spreads.evidence, self._known_evidence)
        return Learned(
            ModelRecord(actions=self._new_habits.counts, shown=new.tolist()),
            hands=self.hands,
            bets=self._tally[ActionKind.RAISE],
            actions=sum(self._tally),
        )


class OpponentModels:
    """Models of everybody met since the last reset, starting from what a memory recalls."""

    def __init__(self, *, decay: float, memory: MemoryPlace | None = None) -> None:
        self._decay = decay
        self._memory = None if memory is None else OpponentMemory(memory, ModelForm(decay))
        self._names: tuple[str, ...] = ()
        self._met: dict[int, OpponentModel] = {}

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set the opponents' names, by number."""
        self._names = names

    def begin(self, people: Sequence[int], own: int, betting: Betting) -> None:
        """Begin a hand between these players; ``own`` is the observer's number."""
        if self._memory is None or own >= len(self._names):
            return
        named = [self._names[number] for number in people if number < len(self._names)]
        self._memory.begin(named, observer=self._names[own], game=betting.value, seats=len(people))
        for number in people:
            if number != own:
                self[number].hands += 1

    def __getitem__(self, number: int) -> OpponentModel:
        """Return the model of an opponent, an empty one if it is new."""
        person = self._met.get(number)
        if person is None:
            person = self._met[number] = self._recognized(number)
        return person

    def forget(self) -> None:
        """End the session: give the memory what was learned, and forget everybody."""
        if self._memory is not None:
            self._memory.end(self._learned)
        self._met.clear()

    def commit(self) -> None:
        """End the session and its part of a game, write what was learned, and forget everybody."""
        if self._memory is not None:
            self._memory.commit(self._learned)
        self._met.clear()

    def rollback(self) -> None:
        """Forget everybody, and all that was learned since the last `commit`."""
        if self._memory is not None:
            self._memory.rollback()
        self._met.clear()

    def close(self) -> None:
        """End the last session and close the memory."""
        if self._memory is not None:
            self._memory.close(self._learned)
        self._met.clear()

    @property
    def _learned(self) -> dict[str, Learned[ModelRecord]]:
        return {
            self._names[number]: person.learned
            for number, person in self._met.items()
            if number < len(self._names)
        }

    def _recognized(self, number: int) -> OpponentModel:
        known = None
        if self._memory is not None and number < len(self._names):
            known = self._memory.recall(self._names[number])
        remembers = self._memory is not None
        return OpponentModel(decay=self._decay, known=known, remembers=remembers)


# Public actions and their cost.


class ObservedAction(NamedTuple):
    """An action in its context. All observers share one.

    The properties are computed on demand, because most actions are never looked at.
    """

    before: HandState
    """The state before the action, as a spectator sees it."""
    act: Act

    @property
    def context(self) -> tuple[Street, int]:
        """The street, and the number of bets to call; half a blind counts as one bet."""
        before = self.before
        street = before.street
        return street, -(-before.to_call // before.rules.bet_sizes[street])

    @property
    def kind(self) -> ActionKind:
        """The kind of action."""
        return kind_of(self.act.action)


def pot_share_paid(action: ObservedAction) -> float:
    """Return the share of the pot that an action paid; 1 where potential does not matter.

    It does not matter on the river, nor before the flop, where income rates rank the hands.
    """
    state = action.before
    street = state.street
    if street is Street.RIVER or street is Street.PREFLOP:
        return 1.0
    size = state.rules.bet_sizes[street]
    paid = state.to_call + (size if action.kind is ActionKind.RAISE else 0)
    return paid / (state.pot + paid)


# The weights of all seats at a table, hand by hand.


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
        """The board at the action, ascending."""
        return self.evidence.board

    @property
    def before(self) -> Weights:
        """Weights before the action."""
        return weights_given_board(self.earlier, self.evidence.board)

    @property
    def after(self) -> Weights:
        """Weights after the action."""
        return weights_given_board(self.later, self.evidence.board)


@dataclass(slots=True)
class _Seat:
    """One player in the current hand."""

    belief: Belief = ANYTHING
    """The present belief about its holding."""
    start: Belief = ANYTHING
    """The belief when the street began."""
    evidence: Evidence | None = None
    """The evidence that counts on this street."""
    past: list[tuple[Belief, Evidence]] = field(default_factory=list)
    """The evidence that counted on earlier streets, each with the belief before it."""

    def learn(self, evidence: Evidence) -> None:
        """Take the evidence if its threshold is the street's highest so far; checks rank lowest."""
        counts = self.evidence
        # Weighed from the start of the street and not from the present belief: the stronger
        # evidence replaces the weaker one, and is not added to it.
        if counts is None or evidence.rank > counts.rank:
            self.evidence, self.belief = evidence, reweight(self.start, evidence)

    def turn_over(self) -> None:
        """Close the street, whose last belief is the next street's first."""
        if self.evidence is not None:
            self.past.append((self.start, self.evidence))
        self.start, self.evidence = self.belief, None


class Tracker:
    """Follows the hands of a table and keeps weights for every seat.

    With ``specific``, thresholds come from each player's own frequencies, otherwise from the
    defaults.
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
        """Write to the memory, if there is one, and forget everybody."""
        self._people.forget()
        self._forget()

    def commit(self) -> None:
        """Write the finished part of a game to the memory, and forget everybody."""
        self._people.commit()
        self._forget()

    def rollback(self) -> None:
        """Forget everybody, and all that was learned since the last `commit`."""
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
        """Write and close the memory, if there is one."""
        self._people.close()

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who sits in each seat from the next hand on; the default is one player per seat."""
        self._next = people

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set the players' names, by number."""
        self._people.introduce(names)

    def begin(self, view: View) -> None:
        """Begin a hand, after counting the last hand's actions that nobody has asked about."""
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
        """End the hand, and learn from shown cards how much thresholds vary."""
        if self._sigma is Sigma.LEARNED:
            self._see_shown(view.state)
        # The memory may be written before the next hand begins. Actions that are still pending then
        # would be missing from it.
        if self._remembers:
            self._catch_up()

    def weights(self, seat: Seat) -> Weights:
        """Return the weights of one player's holdings, from what the table has seen."""
        return weights_given_board(self._known[seat].belief, self._board)

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """Return the mean of the normalised weights of several players."""
        known = self._known
        return field_of(tuple([known[seat].belief for seat in seats]), self._board)

    def learned(self) -> tuple[BeliefUpdate, ...]:
        """Return what each action of the opponents in this hand has changed so far."""
        self._catch_up()
        return tuple(update for update in self._learned if update.act.seat != self._own)

    def habits(self, seat: Seat) -> Frequencies:
        """Return the frequencies of a seat's player; without ``specific`` they stay defaults."""
        self._catch_up()
        return self._person(seat).habits

    def spreads(self, seat: Seat) -> ThresholdSpread:
        """Return the spreads of a seat's player, estimated from its shown hands."""
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
        """Count the actions that nobody has asked about, and drop them."""
        if self._specific:
            for pending in self._pending:
                if isinstance(pending, ObservedAction):
                    self._count(pending)
        self._pending.clear()

    @property
    def _known(self) -> list[_Seat]:
        """The seats, brought up to date."""
        self._catch_up()
        return self._seats

    def _catch_up(self) -> None:
        """Learn from the events that came since the last call."""
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
        # The evidence comes first and the count second: an action must not lower the threshold by
        # which it is judged itself.
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
        """Return whether an action is evidence: never a fold, a check if ``checks`` says so."""
        street, bets = observed.context
        match observed.kind:
            case ActionKind.FOLD:
                return False
            case ActionKind.CALL if not bets:
                return self._checks is Checks.INVERSE and street is not Street.PREFLOP
            case _:
                return True

    def _evidence(self, observed: ObservedAction) -> Evidence:
        """Return what an action says, given its player's frequencies."""
        seat, (street, bets) = observed.act.seat, observed.context
        fold, _, bet = DEFAULTS[min(bets, BETS - 1)]
        if self._specific:
            fold, _, bet = self._person(seat).habits.of(street, bets)
        calls = observed.kind is ActionKind.CALL and bets > 0
        checks = observed.kind is ActionKind.CALL and not bets
        return Evidence(
            self._board,
            mean=fold if calls else 1 - bet,
            pot_odds=1.0 if checks else pot_share_paid(observed),
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
        """Return how a player ranks holdings; None before the flop, where income rates do."""
        if not self._board:
            return None
        if self._ranking is Ranking.ANYTHING:
            return percentile_scale(self._board)
        opponents = [self._seats[opponent].belief for opponent in state.in_hand if opponent != seat]
        return field_scale(tuple(opponents), self._board)
