"""A learned model of play: probabilities of actions by type of player, situation and strength."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import IO, TYPE_CHECKING, Final, NamedTuple
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from railbird import _provenance
from railbird._files import UNREADABLE, read_arrays
from railbird.cards import CLASS_OF_HOLDING, HOLDINGS, Card, Holding
from railbird.cards.tables import CARD_MASK
from railbird.errors import BadInput, DamagedFile
from railbird.game import (
    Act,
    DealBoard,
    Event,
    Fold,
    HandState,
    Raise,
    Street,
    View,
    act,
)
from railbird.game import ActionKind as ActionKind  # at the room's door, too
from railbird.modelling import learned_kernels
from railbird.modelling.learned_kernels import (
    BEHIND,
    BETS,
    CELLS,
    ENTERED,
    FACTS,
    GROUPS,
    IN,
    LATER_CLASSES,
    LATER_ROWS,
    LEAST,
    LEVELS,
    MOST_TYPES,
    ODDS,
    OPPONENTS,
    POTENTIALS,
    PREFLOP_BETS,
    PREFLOP_CLASSES,
    PREFLOP_ROWS,
    ROLES,
    TRUST,
    row_cell,
)
from railbird.modelling.reweighting import (
    ANYTHING,
    Belief,
    Weights,
    board_values,
    field_of,
    income_rates,
    weights_given_board,
)
from railbird.modelling.tracker import Frequencies, ObservedAction
from railbird.units import Seat

if TYPE_CHECKING:
    from pathlib import Path


Table = NDArray[np.float64]
"""(types, rows, classes, 3) probabilities of fold, call or check, and raise or bet."""
Facts = NDArray[np.float64]
"""(cells, facts, levels, 3) factors of probabilities of fold, call or check, and raise or bet."""

NO_FACTS: Final[Facts] = np.ones((CELLS, FACTS, LEVELS, len(ActionKind)))
"""Factors that change no probability."""
NO_FACTS.flags.writeable = False

FORMAT: Final = "railbird action model 2"
_STEPS: Final = 254
"""A probability is stored as its square root in so many steps. Roots are finest near 0, which is
where the logarithms of the likelihoods are steep."""
_OCTAVE: Final = 16
"""A stored factor doubles every so many steps; factors reach from 1/256 to 256."""
_NO_STEP: Final = 128
_MOST_BYTES: Final = 1 << 22
"""Largest unpacked size of a file, in bytes. A model with as many types as there can be has 1.7
million numbers of a byte each, and names."""


@dataclass(frozen=True, slots=True, eq=False)
class ActionModel:
    """The probabilities with which each of several types of players acts."""

    preflop: Table
    later: Table
    facts: Facts
    """Factors by which further facts change the probabilities of all types from the flop on."""
    names: tuple[str, ...]
    """For each type, the player or the players from whom it was learned."""

    @property
    def types(self) -> int:
        """Number of types."""
        return len(self.preflop)

    def write(self, file: IO[bytes]) -> None:
        """Write the model for `read_model`, with one byte for each probability."""
        np.savez_compressed(
            file,
            format=np.array(FORMAT),
            made=np.array(json.dumps(_provenance.current_provenance().as_json())),
            names=np.array(self.names),
            preflop=_packed(self.preflop),
            later=_packed(self.later),
            facts=_packed_factors(self.facts),
        )


def read_model(path: Path) -> ActionModel:
    """Read a model. Raises `DamagedFile` if the file is not one, and `OSError`."""
    return _read(path, str(path))


@cache
def shipped_model() -> ActionModel:
    """Return the model that comes with the program."""
    place = files("railbird.modelling").joinpath("data", "actions.npz")
    return _read(place, "the model of actions")


def _read(source: Traversable, name: str) -> ActionModel:
    try:
        with source.open("rb") as file, ZipFile(file) as archive:
            # The size is checked before anything is unpacked: a small archive can unpack to more
            # than the memory holds.
            if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                raise ValueError
        data = read_arrays(source)
        if str(data["format"]) != FORMAT:
            raise ValueError
        names = tuple(map(str, data["names"].tolist()))
        preflop, later = _unpacked(data["preflop"]), _unpacked(data["later"])
        facts = _unpacked_factors(data["facts"])
    except OSError:
        raise
    except UNREADABLE as problem:
        raise DamagedFile(f"{name}: no model written by railbird train loki") from problem
    shapes = (PREFLOP_ROWS, PREFLOP_CLASSES), (LATER_ROWS, LATER_CLASSES)
    for table, shape in zip((preflop, later), shapes, strict=True):
        if table.shape != (len(names), *shape, len(ActionKind)) or len(names) > MOST_TYPES:
            raise DamagedFile(f"{name}: a table of the shape {table.shape}")
    return ActionModel(preflop, later, facts, names)


def _packed(table: Table) -> NDArray[np.uint8]:
    stored: NDArray[np.uint8] = np.rint(np.sqrt(table) * _STEPS).astype(np.uint8)
    return stored


def _packed_factors(facts: Facts) -> NDArray[np.uint8]:
    steps = np.rint(np.log2(facts) * _OCTAVE) + _NO_STEP
    stored: NDArray[np.uint8] = np.clip(steps, 0, 2 * _NO_STEP - 1).astype(np.uint8)
    return stored


def _unpacked_factors(stored: NDArray[np.uint8]) -> Facts:
    """Return the stored factors. Raises `ValueError` if their number is wrong."""
    if stored.dtype != np.uint8 or stored.shape != (CELLS, FACTS, LEVELS, len(ActionKind)):
        raise ValueError(stored.shape)
    facts: Facts = np.exp2((stored.astype(np.float64) - _NO_STEP) / _OCTAVE)
    facts.flags.writeable = False
    return facts


def _unpacked(stored: NDArray[np.uint8]) -> Table:
    """Return the stored probabilities, scaled to sum to one again after rounding."""
    if stored.dtype != np.uint8 or stored.ndim != 4:
        raise ValueError(stored.dtype)
    table = np.maximum((stored / _STEPS) ** 2, LEAST)
    table /= table.sum(axis=-1, keepdims=True)
    table.flags.writeable = False
    return table


# Fitting the factors of further facts, which refine the tables by type and situation.
#
# A fact, such as "raised on the street before", multiplies the probabilities of a table. Its factor
# is how much more often an action was taken than the tables predict. The classes of situations
# overlap, so they are fitted in stages, each stage given the factors of those before it. Rare
# classes are pulled towards a factor of one. The prediction uses each player's own table, because
# otherwise a fact would stand for the kind of player who gets into it: aggressive players have
# raised before more often than others.


LEAST_ACTIONS: Final = 20_000
"""With fewer actions than this from the flop on, no factors are fitted."""
OWN_FACTS: Final = 10.0
"""Number of observations at which what was seen counts as much as the prior, a factor of one."""
_EACH_FACT: Final = 0.02
"""Observations of each action that are added to both sides, so that no factor is 0 or infinite."""
_FACT_ROUNDS: Final = 2
_MOST: Final = 64.0
"""The largest factor; the smallest is its reciprocal."""
_SHAPE: Final = (CELLS, 2, 2, len(ODDS) + 1, BEHIND, LEVELS)
"""Sizes by cell, whether the player raised on the street before, whether others did, pot odds,
opponents still to act, and level of EHS'."""
_CELL, _OWN, _OTHERS, _ODDS, _BEHIND, _LEVEL = range(len(_SHAPE))
_STAGES: Final = (
    ((_CELL, _OWN, _OTHERS, _LEVEL), 1),
    ((_CELL, _ODDS, _LEVEL), 1),
    ((_CELL, _ODDS, _OWN, _OTHERS, _LEVEL), 2),
    ((_CELL, _BEHIND, _OWN, _OTHERS, _LEVEL), 2),
)
"""For each stage, the parts of a situation on which its factors depend, and how many neighbouring
levels share one factor."""


def fit_facts(tables: Table, actions: Sequence[NDArray[np.int64]]) -> Facts | None:
    """Fit the factors to the actions of each type, (actions, 4): row, class, fact, `ActionKind`.

    ``tables`` are the probabilities of the types from the flop on. Returns None if there are too
    few actions.
    """
    types = np.repeat(np.arange(len(actions)), [len(rows) for rows in actions])
    if len(types) < LEAST_ACTIONS:
        return None
    row, strength, fact, kind = np.concatenate(actions).T
    shares = tables[types, row, strength]
    cell = np.array([row_cell(table_row) for table_row in range(tables.shape[1])])[row]
    level = strength // (len(POTENTIALS) + 1)
    parts = np.array([cell, *np.unravel_index(fact, _SHAPE[_OWN:_LEVEL]), level])
    factors = np.ones((*_SHAPE, len(ActionKind)))
    taken = np.eye(len(ActionKind))[kind]
    for stage, width in _STAGES:
        shape = [*(_SHAPE[part] for part in stage[:-1]), LEVELS // width]
        where = parts[list(stage)]
        where[-1] //= width
        place = np.ravel_multi_index(tuple(where), shape)
        # After the ratios are applied the probabilities of an action no longer sum to one. Scaling
        # them changes what is expected, so a second round corrects the first.
        for _ in range(_FACT_ROUNDS):
            ratios = _fitted_ratios(place, taken, shares, int(np.prod(shape)))
            shares = shares * ratios[place]
            shares /= shares.sum(axis=1, keepdims=True)
            factors *= _spread(ratios.reshape(*shape, -1), stage, width)
    # Products of the ratios of four stages can leave the range that a file can store.
    facts: Facts = np.clip(factors, 1 / _MOST, _MOST).reshape(CELLS, FACTS, LEVELS, len(ActionKind))
    facts.flags.writeable = False
    return facts


def _fitted_ratios(
    cell: NDArray[np.int64],
    taken: NDArray[np.float64],
    shares: NDArray[np.float64],
    places: int,
) -> NDArray[np.float64]:
    """Return how much more often than expected each action was taken, (places, 3)."""
    seen, expected = (
        np.stack([np.bincount(cell, column, places) for column in columns.T], axis=1)
        for columns in (taken, shares)
    )
    usual = expected / np.maximum(expected.sum(axis=1, keepdims=True), 1e-9)
    ratios: NDArray[np.float64] = (seen + OWN_FACTS * usual + _EACH_FACT) / (
        expected + OWN_FACTS * usual + _EACH_FACT
    )
    return ratios


def _spread(ratios: NDArray[np.float64], stage: tuple[int, ...], width: int) -> NDArray[np.float64]:
    """Return the ratios with an axis for every part, of length 1 if they do not depend on it."""
    ratios = np.repeat(ratios, width, axis=-2)
    # A stage lists its parts in any order; the axes of the factors follow the order of `_SHAPE`.
    order = np.argsort(stage)
    ratios = ratios.transpose(*order, len(stage))
    shape = [_SHAPE[part] if part in stage else 1 for part in range(len(_SHAPE))]
    return ratios.reshape(*shape, len(ActionKind))


# The situations and strength classes that index the tables.
#
# A situation is the public part: it gives the row of a table. A strength class is the private part:
# it sums up the holding. Both are integers, so kernels can use them as indices.


Classes = NDArray[np.int64]
"""(1326,) strength class of each holding."""


class LearnedSituation(NamedTuple):
    """The public part of a decision, as indices of the tables."""

    street: Street
    row: int
    """Row of the table for before the flop, or of the one for after it."""
    group: int
    """Group by number of opponents (1, 2 to 3, 4 or more), for which hands are ranked preflop."""
    fact: int
    """Number of the further facts from the flop on, an index of `ActionModel.facts`."""


@lru_cache(maxsize=1 << 10)
def situation_to_act(state: HandState, raised: int = 0) -> LearnedSituation:
    """Return the situation of the player to act.

    ``raised`` is the mask of the seats that bet or raised on the previous street.

    Before the flop, a row stands for the bets to call (0 to 3 or more), whether the player has
    entered by choice, posted a blind or neither, the number of others who entered by choice (0 to 3
    or more), and the group by number of opponents. From the flop on, a row stands for the street,
    the bets to call (0, 1, 2 or more), the opponents (1, 2, 3 or more), and whether the player has
    called or bet on this street. The further facts are whether the player bet or raised on the
    previous street, whether somebody else who is still in did, the pot odds of a call (none, or a
    class by `ODDS`), and how many others have yet to act on this street (0, 1, 2 or more).
    """
    rules, street, seat = state.rules, state.street, state.actor
    assert seat is not None
    put_in, in_hand = state.street_bets, state.in_hand
    bets = -(-state.to_call // rules.bet_sizes[street])
    opponents = len(in_hand) - 1
    group = 0 if opponents <= 1 else 1 if opponents <= 3 else 2
    if street is not Street.PREFLOP:
        row = _later_row(street, bets, opponents, put_in[seat] > 0)
        return LearnedSituation(street, row, group, _fact_of(state, raised, seat))
    blinds = rules.blinds
    role = 2 if put_in[seat] > blinds[seat] else 1 if blinds[seat] > 0 else 0
    entered = sum(put_in[opponent] > blinds[opponent] for opponent in in_hand if opponent != seat)
    row = (min(bets, PREFLOP_BETS - 1) * ROLES + role) * ENTERED + min(entered, ENTERED - 1)
    return LearnedSituation(street, row * GROUPS + group, group, 0)


def _fact_of(state: HandState, raised: int, seat: Seat) -> int:
    """Return the number of the further facts; the twin of the function in `learned_kernels`."""
    others = [opponent for opponent in state.in_hand if opponent != seat]
    kind = 2 * (raised >> seat & 1) + any(raised >> opponent & 1 for opponent in others)
    price = bisect_right(ODDS, state.to_call / (state.pot + state.to_call))
    behind = len(state.pending) - 1
    return (kind * (len(ODDS) + 1) + price) * BEHIND + min(behind, BEHIND - 1)


def _later_row(street: int, bets: int, opponents: int, is_in: bool) -> int:
    """Return the row of a situation from the flop on; the twin of that in `learned_kernels`."""
    row = (street - 1) * BETS + min(bets, BETS - 1)
    row = row * OPPONENTS + min(opponents, OPPONENTS) - 1
    return row * IN + is_in


@cache
def preflop_strength_classes(group: int) -> Classes:
    """Return each holding's strength class before the flop, by the rank of its income rate."""
    rates = income_rates((1, 3, 6)[group])[CLASS_OF_HOLDING]
    ascending = np.sort(rates)
    below = np.searchsorted(ascending, rates, "left") + np.searchsorted(ascending, rates, "right")
    return _frozen(np.minimum(below * LEVELS // (2 * HOLDINGS), LEVELS - 1))


@lru_cache(maxsize=1 << 12)
def later_classes(board: tuple[Card, ...]) -> Classes:
    """Return each holding's strength class on a board, whose cards ascend."""
    values = board_values(board)
    levels = np.minimum((values.ehs * LEVELS).astype(np.int64), LEVELS - 1)
    potentials = np.searchsorted(POTENTIALS, values.potential, "right")
    return _frozen(levels * (len(POTENTIALS) + 1) + potentials)


def classes_of(situation: LearnedSituation, board: tuple[Card, ...]) -> Classes:
    """Return each holding's strength class in a situation; the board's cards ascend."""
    if situation.street is Street.PREFLOP:
        return preflop_strength_classes(situation.group)
    return later_classes(board)


def _frozen(classes: Classes) -> Classes:
    classes.flags.writeable = False
    return classes


# Beliefs about holdings, from the learned probabilities of actions.
#
# By Bayes' rule, each action multiplies the weight of a holding by the probability that this player
# takes the action with such a holding. The player's type is inferred in the same way after the
# hand. If its cards were shown, each type's likelihood is the probability of all its actions with
# those cards. If not, the probabilities are averaged over what it was believed to hold.
#
# All of this is public, so all players who have seen the same hands reach the same beliefs. The
# caches below rely on that: they compare beliefs and evidence by identity, so that a second
# observer of a hand is given the arrays that the first one computed.


_CACHED = 1 << 12
_NOTHING_MORE = np.ones((LEVELS, len(ActionKind)))
"""Ratios of one, for streets without further facts."""
_NOTHING_MORE.flags.writeable = False


class Observation(NamedTuple):
    """An action, and what was believed about its player's holding before it."""

    belief: Belief
    situation: LearnedSituation
    board: tuple[Card, ...]
    """The board's cards, ascending."""
    kind: ActionKind


@dataclass(frozen=True, slots=True, eq=False)
class TypeEvidence:
    """What a player's hands so far say about its type."""

    model: ActionModel
    logs: NDArray[np.float64]
    """(types,) log-likelihood of each type."""

    @property
    def chances(self) -> NDArray[np.float64]:
        """(types,) probabilities of the types."""
        chances = np.empty(len(self.logs))
        learned_kernels.fill_chances(self.logs, chances)
        return chances


@dataclass(frozen=True, slots=True, eq=False)
class LearnedUpdate:
    """An action, how much it was expected, and the beliefs before and after it."""

    act: Act
    state: HandState
    """The state before the action."""
    board: tuple[Card, ...]
    expected: float
    """The probability that the beliefs gave the action before it was taken."""
    earlier: Belief
    later: Belief

    @property
    def before(self) -> Weights:
        """Weights before the action."""
        return weights_given_board(self.earlier, self.board)

    @property
    def after(self) -> Weights:
        """Weights after the action."""
        return weights_given_board(self.later, self.board)


@dataclass(slots=True)
class _LearnedSeat:
    """One player in the current hand."""

    evidence: TypeEvidence
    belief: Belief = ANYTHING
    seen: list[Observation] = field(default_factory=list)


class LearnedTracker:
    """Follows the hands of a table and weighs every seat's holdings by a model of actions.

    Unless ``specific``, types are not inferred: every player stays a stranger of unknown type.
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
        self._seats: list[_LearnedSeat] = []
        self._own: Seat | None = None
        self._state: HandState | None = None
        self._board: tuple[Card, ...] = ()
        self._pending: list[ObservedAction | DealBoard] = []
        self._learned: list[LearnedUpdate] = []
        self._raised_before = self._raised = 0

    def commit(self) -> None:
        """Forget everybody: this tracker keeps nothing between sessions."""
        self.reset()

    def rollback(self) -> None:
        """Forget everybody: this tracker keeps nothing between sessions."""
        self.reset()

    def close(self) -> None:
        """Do nothing: there is no memory to close."""

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who sits in each seat from the next hand on; the default is one player per seat."""
        self._next = people

    def introduce(self, names: tuple[str, ...]) -> None:
        """Do nothing: this tracker knows players by number."""

    def begin(self, view: View) -> None:
        """Begin a hand."""
        self._state, self._own = view.public, view.seat
        self._sitting = self._next or tuple(range(view.public.rules.seats))
        self._seats = [_LearnedSeat(self._known.get(who, self._stranger)) for who in self._sitting]
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
        """End the hand and learn from it about everybody's type."""
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
        """Return the weights of one player's holdings, from what the table has seen."""
        self._catch_up()
        return weights_given_board(self._seats[seat].belief, self._board)

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """Return the mean of the normalised weights of several players."""
        self._catch_up()
        return field_of(tuple([self._seats[seat].belief for seat in seats]), self._board)

    def habits(self, seat: Seat) -> Frequencies:
        """Return the default frequencies: what is learned is in `types` and `later_actions`."""
        return Frequencies()

    def types(self, seat: Seat) -> TypeEvidence:
        """Return the evidence on a seat's type from earlier hands."""
        return self._seats[seat].evidence

    def later_actions(self, seat: Seat) -> Table:
        """Return probabilities of a seat's actions from the flop on, (rows, classes, 3)."""
        return later_action_chances(self._seats[seat].evidence)

    def chance_of_folds(self, state: HandState) -> float:
        """Return the probability that everybody folds if the player to act bets, from the flop on.

        The opponents act in turn, and each knows that those before have folded. Returns 0 if one of
        them is all in, since that one cannot fold.
        """
        if state.min_raise_to is None:
            return 0.0
        self._catch_up()
        chance, after, left = 1.0, act(state, Raise(state.min_raise_to)), len(state.in_hand) - 1
        while left:
            if after.actor is None:
                return 0.0
            seat = self._seats[after.actor]
            situation = situation_to_act(after, self._raised_before)
            folds = Observation(seat.belief, situation, self._board, ActionKind.FOLD)
            chance *= _expected(seat.evidence, folds)
            left -= 1
            if left:
                # Only the folds so far matter to those who act later: the product is over the path
                # on which everybody folds.
                after = act(after, Fold())
        return chance

    @property
    def facts(self) -> Facts:
        """The model's factors for further facts, `ActionModel.facts`."""
        return self._stranger.model.facts

    @property
    def raised(self) -> tuple[int, int]:
        """Masks of the seats that bet or raised: on the previous street, and on this one."""
        self._catch_up()
        return self._raised_before, self._raised

    def learned(self) -> tuple[LearnedUpdate, ...]:
        """Return what each action of the opponents in this hand has changed so far."""
        self._catch_up()
        return tuple(update for update in self._learned if update.act.seat != self._own)

    def _catch_up(self) -> None:
        # Events are only collected while they happen. Most hands end before anybody asks for
        # weights, and each update costs a pass over 1326 holdings.
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
        situation = situation_to_act(observed.before, self._raised_before)
        seen = Observation(seat.belief, situation, self._board, observed.kind)
        seat.seen.append(seen)
        # A fold is kept as an observation, because it says something about the type, but nobody
        # needs the weights of a folded hand.
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
def _actions(evidence: TypeEvidence, situation: LearnedSituation) -> NDArray[np.float64]:
    """Return the probabilities of a player's actions for each strength class, (classes, 3)."""
    table = _table(evidence.model, situation.street)
    shares = np.empty(table.shape[2:])
    learned_kernels.mean_over_types(evidence.chances, table, situation.row, shares)
    if situation.street is not Street.PREFLOP:
        learned_kernels.adjust(shares, _ratios(evidence.model, situation))
    return shares


def _ratios(model: ActionModel, situation: LearnedSituation) -> NDArray[np.float64]:
    """Return the factors of the further facts, (levels, 3)."""
    if situation.street is Street.PREFLOP:
        return _NOTHING_MORE
    ratios: NDArray[np.float64] = model.facts[row_cell(situation.row), situation.fact]
    return ratios


def _table(model: ActionModel, street: int) -> Table:
    return model.later if street else model.preflop


@lru_cache(maxsize=1 << 8)
def later_action_chances(evidence: TypeEvidence) -> Table:
    """Return probabilities of a player's actions from the flop on, (rows, classes, 3)."""
    table, chances = evidence.model.later, evidence.chances
    mixed = np.empty(table.shape[1:])
    for row, shares in enumerate(mixed):
        learned_kernels.mean_over_types(chances, table, row, shares)
    return mixed


@lru_cache(maxsize=_CACHED)
def _after_action(evidence: TypeEvidence, seen: Observation) -> Belief:
    """Return the belief after an action."""
    situation, weights = seen.situation, np.empty(HOLDINGS)
    learned_kernels.reweigh(
        seen.belief.weights,
        _mask(seen.board),
        classes_of(situation, seen.board),
        _actions(evidence, situation),
        int(seen.kind),  # Numba takes ten times as long to type an enumeration
        weights,
    )
    weights.flags.writeable = False
    return Belief(weights)


def _mask(board: tuple[Card, ...]) -> np.uint64:
    """Return the bit mask of a board's cards."""
    mask: np.uint64 = CARD_MASK[list(board)].sum()
    return mask


@lru_cache(maxsize=_CACHED)
def _held(seen: Observation) -> NDArray[np.float64]:
    """Return the believed probability of each strength class, (classes,)."""
    classes = PREFLOP_CLASSES if seen.situation.street is Street.PREFLOP else LATER_CLASSES
    held = np.empty(classes)
    learned_kernels.fill_held(
        seen.belief.weights, _mask(seen.board), classes_of(seen.situation, seen.board), held
    )
    return held


def _expected(evidence: TypeEvidence, seen: Observation) -> float:
    """Return the probability of an action before it was taken."""
    shares = _actions(evidence, seen.situation)
    return learned_kernels.expected_share(_held(seen), shares, int(seen.kind))


@lru_cache(maxsize=_CACHED)
def _after_hand(
    evidence: TypeEvidence, seen: tuple[Observation, ...], holding: Holding | None
) -> TypeEvidence:
    """Return the evidence after a hand; ``holding`` are the cards, None if they stayed hidden."""
    logs = np.zeros(evidence.model.types)
    for observation in seen:
        situation, kind = observation.situation, int(observation.kind)
        table, ratios = _table(evidence.model, situation.street), _ratios(evidence.model, situation)
        if holding is None:
            learned_kernels.add_unseen(table, situation.row, ratios, kind, _held(observation), logs)
        else:
            held = int(classes_of(situation, observation.board)[holding])
            learned_kernels.add_shown(table, situation.row, ratios, kind, held, logs)
    # The actions of one hand depend on each other more than the model knows. `TRUST` discounts
    # their joint likelihood, so that no single hand decides about a type.
    return TypeEvidence(evidence.model, evidence.logs + TRUST * logs)


# Fitting a model to counts of what players did with which hands.
#
# Each player is a type. If there are more players than there can be types, similar players are
# clustered. Rare situations have few counts, so every probability is blended with that of a wider
# class of situations, and with that of all players.


OWN: Final = 6.0
"""Number of observations at which a type's own share counts as much as that of all players."""
WIDER: Final = 8.0
"""Number of observations at which a situation's share counts as much as its wider class's."""
_EACH: Final = 0.5
"""Observations added for each action, so that no share is zero."""
_PREFLOP_BLOCKS: Final = 4
"""Number of blocks of rows; the rows of a block have the same bets to call."""
_LATER_BLOCKS: Final = LATER_ROWS // (OPPONENTS * IN)
"""Number of blocks; the rows of a block share the street and the bets to call."""
_ROUNDS: Final = 30
"""Most rounds of clustering; it settles long before."""

Counts = NDArray[np.float64]


@dataclass(slots=True)
class ActionCounts:
    """How often one player took each action, by row and strength class."""

    preflop: Counts = field(
        default_factory=lambda: np.zeros((PREFLOP_ROWS, PREFLOP_CLASSES, len(ActionKind)))
    )
    later: Counts = field(
        default_factory=lambda: np.zeros((LATER_ROWS, LATER_CLASSES, len(ActionKind)))
    )

    known: array[int] = field(default_factory=lambda: array("q"))
    """Row, class, fact and action of each action from the flop on, in hands in which all cards are
    known. Hands in which only shown cards are known would contain no folds."""

    @property
    def total(self) -> float:
        """Number of actions."""
        return float(self.preflop.sum() + self.later.sum())


def fit_types(
    counts: dict[str, ActionCounts], *, types: int, facts: Facts | None = None
) -> ActionModel:
    """Fit a model of at most ``types`` types to the counts of each player.

    The factors of further facts are fitted as well if there are enough actions with known cards.
    Otherwise ``facts`` is taken, by default factors of one.

    Raises `BadInput` if there are no counts.
    """
    known = {name: player_counts for name, player_counts in counts.items() if player_counts.total}
    if not known:
        raise BadInput("no action of a player whose cards are known; allowed: one or more")
    members = _clusters(known, types)
    preflop = np.stack([sum_of([known[name].preflop for name in group]) for group in members])
    later = np.stack([sum_of([known[name].later for name in group]) for group in members])
    names = tuple(", ".join(group) for group in members)
    tables = _tables(later, _LATER_BLOCKS)
    actions = [np.concatenate([_rows(known[name]) for name in group]) for group in members]
    fitted = fit_facts(tables, actions)
    if fitted is None:
        fitted = NO_FACTS if facts is None else facts
    return ActionModel(_tables(preflop, _PREFLOP_BLOCKS), tables, fitted, names)


def _rows(counts: ActionCounts) -> NDArray[np.int64]:
    """Return the actions with known cards, (actions, 4)."""
    return np.array(counts.known, np.int64).reshape(-1, 4)


def sum_of(arrays: list[Counts]) -> Counts:
    """Return the sum of several arrays."""
    total: Counts = np.sum(arrays, axis=0)
    return total


def _tables(counts: Counts, wide: int) -> Table:
    """Return the probabilities (types, rows, classes, 3) from counts, with ``wide`` blocks.

    The rows are divided into that many blocks of neighbours. What all players do in a row is
    blended with what they do in its block. Until a type has been seen in a row, it is assumed to
    deviate from the others there by the same factor as in the whole block.
    """
    everybody = counts.sum(axis=0)
    blocks, own_blocks = _in_blocks(everybody, wide), _in_blocks(counts, wide)
    pooled_block = _shares(blocks.sum(axis=1))
    pooled = _blend(blocks, pooled_block[:, np.newaxis], WIDER)
    own_block = _blend(own_blocks.sum(axis=2), pooled_block, OWN)
    # A type's habit in the wider block is carried over as a factor on what all players do in the
    # row.
    expected = pooled * (own_block / pooled_block)[:, :, np.newaxis]
    expected /= expected.sum(axis=-1, keepdims=True)
    table = np.maximum(_blend(own_blocks, expected, OWN), LEAST)
    table /= table.sum(axis=-1, keepdims=True)
    return table.reshape(counts.shape)


def _in_blocks(counts: Counts, blocks: int) -> Counts:
    """Return the counts with their rows split into blocks, (..., blocks, rows, classes, 3)."""
    *types, rows, classes, actions = counts.shape
    return counts.reshape(*types, blocks, rows // blocks, classes, actions)


def _shares(counts: Counts) -> Counts:
    shares: Counts = (counts + _EACH) / (counts + _EACH).sum(axis=-1, keepdims=True)
    return shares


def _blend(counts: Counts, prior: Counts, weight: float) -> Counts:
    """Return the shares, with the prior counting as ``weight`` observations."""
    shares: Counts = (counts + weight * prior) / (counts.sum(axis=-1, keepdims=True) + weight)
    return shares


def _clusters(counts: dict[str, ActionCounts], types: int) -> list[list[str]]:
    """Divide the players into at most ``types`` clusters of players who act alike.

    As in k-means, each player joins the cluster under whose shares its own actions are most
    likely, until nobody moves. The first cluster starts from the player seen most often, each
    further one from the player whom the clusters so far explain worst. Nothing is random, so the
    same counts always give the same model.
    """
    names = sorted(counts, key=lambda name: -counts[name].total)
    if len(names) <= types:
        return [[name] for name in names]
    habits = np.array([_habits(counts[name]) for name in names])
    # The likelihood under the player's own shares is the best that any cluster could reach, so the
    # difference is what the clusters fail to explain.
    own = _likelihoods(habits, habits).diagonal()
    first = [0]
    while len(first) < types:
        losses = own - _likelihoods(habits, habits[first]).max(axis=1)
        first.append(int(losses.argmax()))
    cluster_of = _likelihoods(habits, habits[first]).argmax(axis=1)
    for _ in range(_ROUNDS):
        groups = np.array([habits[cluster_of == group].sum(axis=0) for group in range(types)])
        closest = _likelihoods(habits, groups).argmax(axis=1)
        if np.array_equal(closest, cluster_of):
            break
        cluster_of = closest
    members = [[names[i] for i in np.flatnonzero(cluster_of == group)] for group in range(types)]
    return [group for group in members if group]


def _habits(counts: ActionCounts) -> Counts:
    """Return a player's counts, summed over the rows of each block, (cells, 3)."""
    tables = ((counts.preflop, _PREFLOP_BLOCKS), (counts.later, _LATER_BLOCKS))
    return np.concatenate(
        [_in_blocks(table, blocks).sum(axis=1).reshape(-1, 3) for table, blocks in tables]
    )


def _likelihoods(habits: Counts, groups: Counts) -> Counts:
    """Return the log-likelihood of each player's actions under each group's shares."""
    likely: Counts = np.tensordot(habits, np.log(_shares(groups)), axes=((1, 2), (1, 2)))
    return likely
