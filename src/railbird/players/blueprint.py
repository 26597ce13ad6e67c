"""A player of a blueprint for heads-up no-limit.

`equilibrium` does the same for heads-up limit.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS
from railbird.errors import BadInput
from railbird.game import (
    Act,
    Action,
    Betting,
    Call,
    Event,
    Fold,
    HandState,
    Raise,
    Rules,
    View,
)
from railbird.game.actions import betting_action
from railbird.game.rules import BOARD_CARDS
from railbird.players.explanation import Explanation, Reading, Requirement, street_words
from railbird.players.policy import Distribution, RangeDistribution
from railbird.solve.abstraction.card_abstraction import States
from railbird.solve.nolimit.following import (
    ALL_IN,
    CHECK_OR_CALL,
    Alternative,
    Done,
    Line,
    Rest,
    bet_sizes_of,
    solve_rest,
    worth_of_start,
)
from railbird.solve.nolimit.strategy import NoLimitStrategy
from railbird.solve.nolimit.values import blueprint_values
from railbird.solve.spot import tree
from railbird.units import Chips, Seat

_LEAST_SAID: Final = 0.005
"""Explanations leave out actions that are less likely than this."""

Floats = npt.NDArray[np.float64]


class ActionChoice(Enum):
    """How an action is chosen from the strategy's probabilities.

    Ganzfried, Sandholm and Waugh, "Strategy purification and thresholding" (2012).
    """

    SAMPLED = "sampled"
    """Drawn with these probabilities."""
    THRESHOLD = "threshold"
    """Drawn in proportion after actions below `LEAST_LIKELY` are dropped."""
    MOST_LIKELY = "most-likely"
    """Always the most likely action, the first of equals."""

    def applied(self, table: Floats) -> Floats:
        """Return the probabilities that are played, (holdings, actions), from the strategy's.

        >>> ActionChoice.THRESHOLD.applied(np.array([[0.6, 0.3, 0.1]])).round(3).tolist()
        [[0.667, 0.333, 0.0]]
        """
        if self is ActionChoice.SAMPLED:
            return table
        most = table.max(axis=1, keepdims=True)
        if self is ActionChoice.MOST_LIKELY:
            played = np.zeros_like(table)
            played[np.arange(len(table)), table.argmax(axis=1)] = 1.0
            return played
        likely = np.where(table >= np.minimum(LEAST_LIKELY, most), table, 0.0)
        shares: Floats = likely / likely.sum(axis=1, keepdims=True)
        return shares


class Solving(Enum):
    """Which opponents the solution of a hand's rest allows for."""

    UNSAFE = "unsafe"
    """One who comes with the blueprint's range."""
    SAFE = "safe"
    """Any: an opponent may instead take what its holding was worth before; see
    `railbird.solve.nolimit.safe`."""


LEAST_LIKELY: Final = 0.15
"""Probability below which `ActionChoice.THRESHOLD` drops an action."""


def why_no_blueprint(rules: Rules) -> str | None:
    """Return why a blueprint cannot be played by these rules; None if it can."""
    if rules.seats != 2 or rules.betting is not Betting.NO_LIMIT:
        return "it plays heads-up no-limit"
    dealer = rules.first_to_act[0]
    if 2 * rules.blinds[dealer] != rules.blinds[1 - dealer] or any(rules.antes):
        return "its strategy is for a small blind of half the big one, without antes"
    if rules.first_to_act[1:] != (Seat(1 - dealer),) * 3:
        return "its strategy is for a dealer who acts last after the flop"
    return None


class BlueprintPlayer:
    """Draws each action with the probability that its blueprint gives.

    It follows the actions of a hand to know where in the blueprint the hand may be; see
    `railbird.solve.nolimit.following`. It forgets everything at the end of the hand. The
    probabilities that it reports are those that it plays, after ``choice``.
    """

    def __init__(
        self, strategy: NoLimitStrategy, *, choice: ActionChoice = ActionChoice.SAMPLED
    ) -> None:
        self.strategy = strategy
        self._choice = choice
        self._rng = np.random.default_rng(0)
        self._line = Line(())
        self._before: HandState | None = None
        self._states: list[States] = []
        self._drawn: float | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> BlueprintPlayer:
        """Return an independent copy, which shares what never changes."""
        copied = object.__new__(type(self))
        copied.__dict__ |= self.__dict__
        copied._rng = np.random.default_rng()
        copied._rng.bit_generator.state = self._rng.bit_generator.state
        copied._states = self._states.copy()
        return copied

    @property
    def strategy_hash(self) -> str:
        """The hash of the blueprint."""
        return self.strategy.hash

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Return why it cannot play by these rules; None if it can.

        Stacks may differ from hand to hand.
        """
        if why := why_no_blueprint(rules):
            return why
        deepest = self.strategy.depths[-1].stack
        if min(rules.stacks or (0,)) > deepest * rules.big_blind:
            return f"its strategy is for stacks up to {deepest} big blinds"
        return None

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        self._rng = rng
        self._line, self._before, self._states, self._drawn = Line(()), None, [], None

    def begin(self, view: View) -> None:
        """Begin a hand. Raises `BadInput` for another game than heads-up no-limit."""
        rules = view.rules
        if rules.seats != 2 or rules.betting is not Betting.NO_LIMIT:
            raise BadInput("it plays heads-up no-limit")
        stack = min(rules.stacks or (0,)) / rules.big_blind
        self._line = Line.begin(self.strategy, stack)
        self._before, self._states = view.state, []

    def observe(self, view: View, event: Event) -> None:
        """Follow an action."""
        if isinstance(event, Act) and self._before is not None:
            done, all_in = done_of(self._before, event.action)
            self._line = self._line.after(done, all_in)
        self._before = view.state

    def end(self, view: View) -> None:
        """Do nothing: this player learns nothing."""

    def act(self, view: View) -> Action:
        """Draw an action."""
        self._drawn = float(self._rng.random())
        left = self._drawn
        chances = self._chances(view)
        for action, chance in chances:
            left -= chance
            if left < 0:
                return action
        return max(chances, key=lambda choice: choice[1])[0]

    def distribution(self, view: View) -> Distribution:
        """Return the blueprint's probabilities."""
        return Distribution.of(self._chances(view))

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the blueprint's probabilities with each of the given holdings."""
        return RangeDistribution.by_action(*self._played(view, holdings))

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._drawn is None:
            raise LookupError("this player has not decided anything yet")
        requirements, least, decided = [], 0.0, False
        chances = self._chances(view)
        for action, chance in chances:
            now = not decided and self._drawn < least + chance
            requirements.append(
                Requirement(
                    action=_words(action, view.state),
                    needed=f"a draw from {least:.4f} to {least + chance:.4f}",
                    actual=f"{self._drawn:.4f}",
                    decided=now,
                )
            )
            least, decided = least + chance, decided or now
        shares = ", ".join(
            f"{_words(action, view.state)} {100 * p:.0f} %"
            for action, p in sorted(chances, key=lambda choice: -choice[1])
            if p >= _LEAST_SAID
        )
        return Explanation(
            rule=f"{shares}, by {self._source_words(view)}{self._choice_words}.",
            readings=self._readings(view),
            requirements=tuple(requirements),
        )

    def _source_words(self, view: View) -> str:
        """Say what the decision is played by."""
        del view
        return f"the blueprint of {self.strategy.abstraction.name}, hash {self.strategy.hash[:12]}"

    @property
    def _choice_words(self) -> str:
        if self._choice is ActionChoice.THRESHOLD:
            return f", without actions below {100 * LEAST_LIKELY:g} %"
        return ", the likeliest alone" if self._choice is ActionChoice.MOST_LIKELY else ""

    def _readings(self, view: View) -> tuple[Reading, ...]:
        street = view.state.street
        bucket = int(self._states_on(view)[view.holding])
        places = [
            Reading(
                name=f"as with {place.depth.stack} big blinds, chips paid {place.node.paid[0]} and "
                f"{place.node.paid[1]} of 100 a blind",
                value=place.weight,
                decimals=2,
            )
            for place in self._line.places
        ]
        return (
            Reading(name=f"bucket {street_words(view.state)}", value=bucket),
            Reading(name="of buckets", value=self.strategy.abstraction.states[street]),
            *places,
        )

    def _chances(self, view: View) -> list[tuple[Action, float]]:
        actions, table = self._played(view, np.array([view.holding]))
        return list(zip(actions, table[0].tolist(), strict=True))

    def _played(self, view: View, holdings: npt.NDArray[np.integer]) -> tuple[list[Action], Floats]:
        """Return the actions and the probabilities played, (holdings, actions)."""
        actions, table = self._table(view, holdings)
        return actions, self._choice.applied(table)

    def _table(self, view: View, holdings: npt.NDArray[np.integer]) -> tuple[list[Action], Floats]:
        """Return the actions and the strategy's probabilities, (holdings, actions)."""
        states = np.maximum(self._states_on(view)[holdings], 0)
        columns: dict[Action, Floats] = {}
        for place, shares in self._line.shares(states):
            for number, size in enumerate(bet_sizes_of(place.node)):
                action = _action(view, place.node.actions[number].act, size)
                more = place.weight * shares[:, number]
                columns[action] = columns.get(action, 0.0) + more
        if not columns:  # everybody is all-in in the blueprint: little is left
            return [Call()], np.ones((len(holdings), 1))
        return list(columns), np.stack(list(columns.values()), axis=1)

    def _states_on(self, view: View) -> States:
        """Return the states of all holdings, (1326,), computing those of new streets."""
        board = np.array(view.state.board, dtype=np.uint8)
        abstraction = self.strategy.abstraction
        while len(self._states) <= view.state.street:
            cards = board[: BOARD_CARDS[len(self._states)]]
            before = self._states[-1] if self._states else None
            self._states.append(abstraction.next_states(cards, before))
        return self._states[view.state.street]


# A player that solves the turn and the river, or only the river, while it plays.


_KEPT: Final = 6
"""The number of solutions that a player and its copies keep: a turn's and some rivers'. A turn's
takes up to 40 MB."""


class _PastAction(NamedTuple):
    """An earlier action of the hand."""

    street: int
    seat: int
    total: int
    """The street's total after a bet or raise; otherwise `CHECK_OR_CALL`."""
    line: Line
    """Where in the blueprint the hand could be before it."""
    done: Done
    all_in: float


class ResolvingBlueprintPlayer(BlueprintPlayer):
    """Plays its blueprint up to a street, and from then on a solution of the hand at hand.

    The tree contains the bets made on the street so far. If somebody bets a size that it lacks, the
    street is solved again. Both ranges are those of the blueprint, even the player's own where
    ``choice`` makes it play otherwise. An opponent with another strategy can exploit the solution
    unless the player solves safely. Without a limit in ``seconds`` the solution depends only on
    public information, so the same hand is always played with the same probabilities.
    """

    def __init__(
        self,
        strategy: NoLimitStrategy,
        first: int,
        *,
        seconds: float | None = None,
        choice: ActionChoice = ActionChoice.SAMPLED,
        solving: Solving = Solving.UNSAFE,
    ) -> None:
        super().__init__(strategy, choice=choice)
        self._first, self._seconds, self._solving = first, seconds, solving
        self._solved: dict[bytes, Rest] = {}  # shared by copies, which are asked about the same
        if solving is Solving.SAFE and not strategy.is_trunk:
            blueprint_values(strategy)  # now, and not while somebody waits for a decision
        self._forget()

    @property
    def is_hurried(self) -> bool:
        """Whether its play depends on how fast solving is."""
        return self._seconds is not None

    def _forget(self) -> None:
        self._seen: tuple[_PastAction, ...] = ()
        self._rests: dict[int, Rest] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> ResolvingBlueprintPlayer:
        copied = super().__deepcopy__(memo)
        assert isinstance(copied, ResolvingBlueprintPlayer)
        copied._rests = self._rests.copy()
        return copied

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        super().reset(rng)
        self._forget()

    def begin(self, view: View) -> None:
        """Begin a hand. Raises `BadInput` for another game than heads-up no-limit."""
        super().begin(view)
        self._forget()

    def observe(self, view: View, event: Event) -> None:
        """Follow an action, and keep it for the ranges."""
        if isinstance(event, Act) and self._before is not None:
            before, action = self._before, event.action
            total = action.to if isinstance(action, Raise) else CHECK_OR_CALL
            total = min(total, _everything(before))
            seen = _PastAction(
                before.street, event.seat, total, self._line, *done_of(before, action)
            )
            self._seen = (*self._seen, seen)
        super().observe(view, event)

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the probabilities with each of the given holdings, unless a clock decides them."""
        if self.is_hurried:
            raise BadInput("its solution depends on the time that it takes; allowed: no seconds=")
        return super().range_distribution(view, holdings)

    def _readings(self, view: View) -> tuple[Reading, ...]:
        rest = self._rest(view)
        iterations = "the blueprint's own" if rest is None else rest.solution.iterations
        return (
            *super()._readings(view),
            Reading(name="iterations of solving this hand", value=iterations),
        )

    def _table(self, view: View, holdings: npt.NDArray[np.integer]) -> tuple[list[Action], Floats]:
        rest = self._rest(view)
        point = None if rest is None else rest.point(self._totals(view.state.street))
        if rest is None or point is None:
            return super()._table(view, holdings)
        shares = rest.shares(point)[holdings]
        columns: dict[Action, Floats] = {}
        for number, (act, amount) in enumerate(point.node.actions):
            action = _bet_of(view, act, amount)
            columns[action] = columns.get(action, 0.0) + shares[:, number]
        return list(columns), np.stack(list(columns.values()), axis=1)

    def _totals(self, street: int) -> tuple[int, ...]:
        return tuple(seen.total for seen in self._seen if seen.street == street)

    def _rest(self, view: View) -> Rest | None:
        """Return the solution for a decision; None if there is none."""
        street = view.state.street
        if street < self._first:
            return None
        rest = self._rests.get(street)
        if rest is None or rest.point(self._totals(street)) is None:
            rest = self._solve(view, street)
            if rest is not None:
                self._rests[street] = rest
        return rest

    def _solve(self, view: View, street: int) -> Rest | None:
        state = view.state
        assert state.stacks is not None
        board = np.array(state.board, dtype=np.uint8)
        first = state.rules.first_to_act[street]
        behind = map(sum, zip(state.stacks, state.street_bets, strict=True))
        ranges, totals = self._ranges(view, street)[[first, 1 - first]], self._totals(street)
        alternative = self._alternative(view, street)
        pot, stack = state.pot - sum(state.street_bets), min(behind)
        # A responder asks a copy what it would do after a bet, and then makes the bet; and a deal
        # is played in both seats. Both come to what has just been solved.
        key = b"".join(
            (np.array([pot, stack, *totals]).tobytes(), board.tobytes(), ranges.tobytes())
        )
        if alternative is not None:
            key += alternative.values.tobytes() + repr(alternative[::2]).encode()
        if key not in self._solved:
            try:
                solved = solve_rest(
                    self.strategy.menu,
                    board,
                    ranges,
                    pot=pot,
                    stack=stack,
                    totals=totals,
                    seconds=self._seconds,
                    alternative=alternative,
                )
            except BadInput:  # no holding reaches this place, or no tree has the bet
                return None
            while len(self._solved) >= _KEPT:
                self._solved.pop(next(iter(self._solved)))
            self._solved[key] = solved
        return self._solved[key]

    def _alternative(self, view: View, street: int) -> Alternative | None:
        """Return what the opponent may take instead of playing on; None if solving is unsafe."""
        if self._solving is Solving.UNSAFE:
            return None
        state = view.state
        seat = int(state.rules.first_to_act[street] == view.seat)  # the opponent in the tree
        earlier = self._rests.get(street - 1)
        if earlier is not None:
            card = state.board[BOARD_CARDS[street] - 1]
            values = earlier.alternatives(self._totals(street - 1), card, seat)
            if values is not None:
                return Alternative(seat, values)
        begun = (seen.line for seen in self._seen if seen.street == street)
        return worth_of_start(
            self.strategy,
            next(begun, self._line),
            np.maximum(self._states_on(view), 0),
            seat,
            street=street,
            pot=state.pot - sum(state.street_bets),
        )

    def _ranges(self, view: View, street: int) -> Floats:
        """Return the probability that each holding of both players reaches a street, (2, 1326)."""
        self._states_on(view)
        ranges = np.ones((2, HOLDINGS))
        totals: dict[int, list[int]] = {}
        for seen in self._seen:
            if seen.street >= street:
                continue
            earlier_totals = totals.setdefault(seen.street, [])
            rest = self._rests.get(seen.street)
            likely = None if rest is None else rest.likelihood(earlier_totals, seen.total)
            if likely is None:
                states = np.maximum(self._states[seen.street], 0)
                likely = seen.line.likelihood(states, seen.done, seen.all_in)
            ranges[seen.seat] *= likely
            earlier_totals.append(seen.total)
        return ranges


def _bet_of(view: View, act: tree.ActKind, amount: int) -> Action:
    """Turn an action of a tree in the hand's own chips into one of the hand."""
    if act < tree.ActKind.BET:
        return _action(view, act, 0.0)
    low, high = view.legal.min_raise_to, view.legal.max_raise_to
    if low is None or high is None:
        return Call()
    return Raise(Chips(min(max(low, amount), high)))


def _everything(state: HandState) -> Chips:
    """Return the street's total of a bet of everything that both can lose."""
    assert state.stacks is not None
    return Chips(min(state.street_bets[seat] + state.stacks[seat] for seat in state.in_hand))


def _pot_after_call(state: HandState) -> int:
    return state.pot + state.to_call


def done_of(state: HandState, action: Action) -> tuple[Done, float]:
    """Return an action in fractions of the pot, and the size of a bet of everything."""
    pot, everything = _pot_after_call(state), _everything(state)
    all_in = (everything - state.bet) / pot
    match betting_action(action):
        case Fold():
            return Done(tree.ActKind.FOLD), all_in
        case Call():
            return Done(tree.ActKind.CALL), all_in
        case Raise(to):
            size = ALL_IN if to >= everything else (to - state.bet) / pot
            return Done(tree.ActKind.BET, size), all_in


def _action(view: View, act: tree.ActKind, size: float) -> Action:
    """Turn an action of the blueprint into one of the hand."""
    if act is tree.ActKind.FOLD:
        return Fold() if view.legal.fold else Call()
    state, low, high = view.state, view.legal.min_raise_to, view.legal.max_raise_to
    if act in (tree.ActKind.CHECK, tree.ActKind.CALL) or low is None or high is None:
        return Call()
    most = min(high, max(low, _everything(state)))
    to = most if size == ALL_IN else round(state.bet + size * _pot_after_call(state))
    return Raise(Chips(min(max(low, to), most)))


def _words(action: Action, state: HandState) -> str:
    match betting_action(action):
        case Fold():
            return "fold"
        case Call():
            return "call" if state.to_call else "check"
        case Raise(to):
            return f"raise to {to}" if state.bet else f"bet {to}"
