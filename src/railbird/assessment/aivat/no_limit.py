"""AIVAT for heads-up no-limit hands in which one or both players are known.

`estimator` has AIVAT for heads-up limit.

At each of its decisions a known player is asked for its probabilities with every holding. So its
range is known, and so is how lucky its choice of action was. The values of ranges, or of a range
against an unknown player's holding, are guesses by a blueprint that both players are assumed to
follow. After an action all betting of the street is followed, and the blueprint's value lines
(`railbird.solve.nolimit.values`) value the beginning of the next street. Only these guesses depend
on the blueprint. The winnings at the end of a hand are exact; an all-in counts as the mean over the
boards that may follow. The mean of a guess over the next card, or over a known player's actions, is
exact as well, so the estimate is unbiased.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird.assessment.aivat.estimator import VERBS, ActionCheck, Aivat
from railbird.assessment.aivat.kernels import showdown_edges
from railbird.assessment.aivat.scorer import CLAIMS, CONTRADICTION
from railbird.assessment.any_table import estimates_of, reductions_of, rows_of
from railbird.assessment.estimator import Columns, Contest, Scoring
from railbird.assessment.registry import MONEY
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, Card, Holding
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate, ResultUnit
from railbird.game import (
    Action,
    Call,
    Fold,
    HandDealer,
    HandState,
    Moment,
    Phase,
    Raise,
    Rules,
    act,
    action_of,
    kind_of,
)
from railbird.histories import HandsLike, hands_from
from railbird.histories.columns import UNKNOWN, HandBatch, batches_of
from railbird.odds import open_matrix
from railbird.odds.preflop_matrix import PAIR_BOARDS
from railbird.odds.range_showdowns import met_by_many, showdowns_on
from railbird.players.audience import Audience
from railbird.players.blueprint import done_of, why_no_blueprint
from railbird.players.known_strategy import known_policy
from railbird.players.policy import RangeDistribution, RangePolicy
from railbird.players.spec import parse_arguments, parse_spec
from railbird.progress import Progress
from railbird.solve.abstraction.card_abstraction import States, is_blocked
from railbird.solve.nolimit.betting import next_decision
from railbird.solve.nolimit.following import Line, LinePosition
from railbird.solve.nolimit.solving import NAMES, is_blueprint, nolimit_path, open_blueprint
from railbird.solve.nolimit.strategy import NoLimitStrategy
from railbird.solve.nolimit.values import BlueprintValues, blueprint_values
from railbird.solve.spot.tree import Ends
from railbird.units import Chips, Seat

BIG, DEALER = 0, 1
"""Seats of a blueprint's betting: the big blind, and the dealer."""

MODEL: Final = "equilibrium:nolimit"
"""The blueprint by which hands are valued if no known player is one."""

_HANDS_A_STEP: Final = 20
"""Hands between two reports of progress."""
_MOST_RAISES: Final = 6
"""The most outcomes into which a known player's raises at a decision are divided."""
_EVERYBODY: Final = np.arange(HOLDINGS)


class _Sides(NamedTuple):
    """The weights of both players' holdings at a point of a hand."""

    big: Floats
    """(holdings,) the big blind's: all 1,326 of a known player, or an unknown player's one."""
    dealer: Floats
    """(holdings,) the dealer's."""

    def times(self, side: int, shares: Floats) -> _Sides:
        """Return the weights after an action of one side."""
        return (
            _Sides(self.big * shares, self.dealer)
            if side == BIG
            else _Sides(self.big, self.dealer * shares)
        )


class _Pairs:
    """Showdowns between both sides' holdings on the boards that may follow a given one.

    A mass is the weight of pairs that share no card; an edge is how much more often the big blind
    wins.
    """

    def __init__(self, board: npt.NDArray[np.uint8], held: tuple[int | None, int | None]) -> None:
        """Prepare a board of 0 or 3 to 5 cards; ``held`` are the unknown players' holdings."""
        self._held = held
        self.live = ~is_blocked(board)
        lone = next((holding for holding in held if holding is not None), None)
        if lone is None:
            self._showdowns = showdowns_on(board.tobytes())
        else:
            self._edges = _edges_of(lone, board)
            self._apart = self.live & _apart()[lone]

    def masses(self, big: Floats, dealer: Floats) -> Floats:
        """Return the masses (n,) of n pairs of ranges, (holdings, n) each."""
        masses: Floats
        if self._held[DEALER] is not None:
            masses = dealer[0] * (self._apart @ big)
        elif self._held[BIG] is not None:
            masses = big[0] * (self._apart @ dealer)
        else:
            masses = np.einsum("hn,hn->n", big, met_by_many(dealer))
        return masses

    def edges(self, big: Floats, dealer: Floats, *, roughly: bool = False) -> Floats:
        """Return the edges (n,) of n pairs of ranges.

        ``roughly`` uses only some of the boards after a flop if both players are known.
        """
        edges: Floats
        if self._held[DEALER] is not None:
            edges = -dealer[0] * (self._edges @ big)
        elif self._held[BIG] is not None:
            edges = big[0] * (self._edges @ dealer)
        else:
            won = self._showdowns.won_by_many(dealer, roughly=roughly)
            edges = 2 * np.einsum("hn,hn->n", big, won) - self.masses(big, dealer)
        return edges

    def mass(self, sides: _Sides) -> float:
        """Return the mass of one pair of ranges."""
        return float(self.masses(sides.big[:, None], sides.dealer[:, None])[0])

    def mean_edge(self, sides: _Sides) -> float:
        """Return the mean edge of one pair of ranges: its edge divided by its mass."""
        edge = self.edges(sides.big[:, None], sides.dealer[:, None])[0]
        return float(edge) / self.mass(sides)


def _edges_of(holding: int, board: npt.NDArray[np.uint8]) -> Floats:
    """Return (1326,) how much more often a holding wins than loses against each other one."""
    if not len(board):
        before: Floats = _edges_before_flop()[holding]
        return before
    edges = np.empty(HOLDINGS)
    showdown_edges(holding, board, edges)
    return edges


@cache
def _apart() -> npt.NDArray[np.bool_]:
    """Return (1326, 1326) whether two holdings have no card in common."""
    return open_matrix().disjoint


@cache
def _edges_before_flop() -> Floats:
    wins = open_matrix().wins.astype(np.float64)
    edges: Floats = (wins - wins.T) / PAIR_BOARDS
    return edges


@dataclass(slots=True)
class _RangedEnds:
    """The ends of the betting that is followed, each with the ranges that reach it.

    The value of an end is a constant plus a slope times the edge.
    """

    constants: list[float] = field(default_factory=list)
    slopes: list[float] = field(default_factory=list)
    sides: list[_Sides] = field(default_factory=list)

    def add(self, constant: float, slope: float, sides: _Sides) -> None:
        """Add an end."""
        self.constants.append(constant)
        self.slopes.append(slope)
        self.sides.append(sides)

    def value(self, pairs: _Pairs) -> float:
        """Return the sum over all ends and pairs."""
        if not self.sides:
            return 0.0
        constants, slopes = np.array(self.constants), np.array(self.slopes)
        bigs = np.stack([side.big for side in self.sides], axis=1)
        dealers = np.stack([side.dealer for side in self.sides], axis=1)
        total = float(constants @ pairs.masses(bigs, dealers))
        if (shown := slopes != 0).any():
            edges = pairs.edges(bigs[:, shown], dealers[:, shown], roughly=True)
            total += float(slopes[shown] @ edges)
        return total


class Decision(NamedTuple):
    """A known player's decision in a hand."""

    seat: int
    kind: int
    """0 fold, 1 check or call, 2 bet or raise."""
    chances: Floats
    """(3,) probabilities of all kinds with the holding that it had, if that is known."""


class Followed(NamedTuple):
    """A hand that was followed; amounts are seat 0's in big blinds."""

    ended: float
    """The winnings with the known players' ranges at its end; NaN if they never get there."""
    luck: tuple[float, ...]
    """The luck of the deal, then of each street's cards and each known player's action, in
    order."""
    decisions: tuple[Decision, ...]

    @property
    def estimate(self) -> float:
        """The winnings minus the luck."""
        return self.ended - sum(self.luck)


class NoLimitScorer:
    """Estimates hands in which the same players sit in the same seats, under the same rules."""

    def __init__(
        self,
        rules: Rules,
        players: tuple[RangePolicy | None, RangePolicy | None],
        values: BlueprintValues,
    ) -> None:
        """Prepare what does not depend on the hand; ``players`` are the known players by seat."""
        if not any(players):
            raise BadInput("AIVAT with no strategy known; allowed: one or both")
        if rules.stacks is None:
            raise BadInput("AIVAT of no-limit without stacks; allowed: one for each seat")
        self.rules, self.values, self._players = rules, values, players
        self._dealer = int(rules.first_to_act[0])
        self._sign = 1 if self._dealer == 1 else -1  # values are the big blind's winnings
        self._audience = Audience.of((Seat(seat), player) for seat, player in enumerate(players))
        self._told: dict[bytes, RangeDistribution] = {}
        self._opened: dict[tuple[int, ...], tuple[_Sides, float]] = {}
        self._unit = rules.chips_per_unit
        self._start = Line.begin(values.strategy, min(rules.stacks) / rules.big_blind)
        self._dealt = self._deals()
        self.root = self._sign * float(self._dealt.mean())
        """What seat 0 wins a hand according to these values, in big blinds."""

    def side_of(self, seat: int) -> int:
        """Return `BIG` or `DEALER`."""
        return DEALER if seat == self._dealer else BIG

    def _held(self, holdings: Sequence[int]) -> tuple[int | None, int | None]:
        """Return the unknown players' holdings by side."""
        by_seat = [
            None if player is not None else int(holding)
            for player, holding in zip(self._players, holdings, strict=True)
        ]
        return (by_seat[1], by_seat[0]) if self._dealer == 0 else (by_seat[0], by_seat[1])

    def _deals(self) -> Floats:
        """Return the value of each deal to an unknown player, or one value if there is none.

        The shape is (1326,) or (1,); values are the big blind's winnings in big blinds.
        """
        if all(self._players):
            return np.array([self._at_start((None, None))])
        seat = 0 if self._players[0] is None else 1
        worth = np.empty(CLASSES)
        for hand_class in range(CLASSES):
            holding = int(np.argmax(hand_class == CLASS_OF_HOLDING))
            worth[hand_class] = self._at_start(
                self._held([holding] * 2 if seat == 0 else [0, holding])
            )
        return worth[CLASS_OF_HOLDING]

    def _at_start(self, held: tuple[int | None, int | None]) -> float:
        hand = _FollowedHand(self, held)
        value = self._follow(hand, self._start.places[0], hand.sides).value(hand.pairs)
        return value / hand.pairs.mass(hand.sides) / self._unit

    def score(self, holdings: Sequence[int], board: Sequence[int], codes: Sequence[int]) -> float:
        """Return a hand's estimate for seat 0 in big blinds; NaN if a known player never plays so.

        ``codes`` are the engine's: -1 fold, 0 check or call, else the street's total of a raise.
        """
        return self.follow(holdings, board, codes).estimate

    def follow(
        self, holdings: Sequence[int], board: Sequence[int], codes: Sequence[int]
    ) -> Followed:
        """Follow a hand through its actions. Holdings of known players may be -1."""
        held = self._held(holdings)
        hand = _FollowedHand(self, held)
        lone = next((known_holding for known_holding in held if known_holding is not None), None)
        # Only an unknown player's cards can be lucky: of a known player the whole range counts,
        # whatever the cards were.
        luck = [0.0 if lone is None else float(self._dealt[lone] - self._dealt.mean())]
        decisions: list[Decision] = []
        seated = [Holding(number) if number >= 0 else None for number in holdings]
        dealer = HandDealer(self.rules, seated, [Card(card) for card in board])
        self._begin(dealer)
        cards = np.array(board, dtype=np.uint8)
        line, state, folder = self._start, dealer.state, None
        for index, code in enumerate(codes):
            state, action = dealer.state, action_of(int(code))
            seat = dealer.asks
            assert seat is not None
            if state.street > hand.street:
                slope = self._slope(line, state)
                luck.append(hand.turn_up(cards[: len(state.board)], int(state.street), slope))
            if self._players[seat] is not None:
                distribution = self._ask(state, seat, hand)
                holding = int(holdings[seat])
                if holding >= 0:
                    chances = _chances(distribution, hand.places_of(seat), holding)
                    decisions.append(Decision(int(seat), int(kind_of(action)), chances))
                codes_so_far = tuple(codes[: index + 1])
                if hand.street or lone is not None:
                    came = hand.took(distribution, action, seat, line, state)
                elif codes_so_far in self._opened:
                    # With both known no cards matter before the flop, so the result is cached.
                    hand.sides, came = self._opened[codes_so_far]
                else:
                    came = hand.took(distribution, action, seat, line, state)
                    self._opened[codes_so_far] = hand.sides, came
                luck.append(came / self._unit)
                # The known player takes this action with no holding, so the hand says nothing of
                # this player.
                if math.isnan(came):
                    return Followed(math.nan, tuple(luck), tuple(decisions))
            line = line.after(*done_of(state, action))
            if isinstance(action, Fold):
                folder = seat
            self._audience.notify(dealer.act(action))
        spent = dealer.state.spent
        # After a fold no cards matter. What the folder has put in is lost with every holding.
        if folder is not None:
            ended = float(spent[folder]) * (-1 if folder == 0 else 1)
        else:
            ended = self._sign * min(spent) * hand.pairs.mean_edge(hand.sides)
        sign = self._sign
        return Followed(
            ended / self._unit, tuple(sign * change for change in luck), tuple(decisions)
        )

    def _begin(self, dealer: HandDealer) -> None:
        for player in filter(None, self._players):
            player.reset(np.random.default_rng(0))
        self._audience.notify(dealer.begin())

    def _ask(self, state: HandState, seat: Seat, hand: _FollowedHand) -> RangeDistribution:
        """Return a known player's probabilities for each holding of `_FollowedHand.places_of`."""
        player, view = self._players[seat], Moment(state).view(seat)
        assert player is not None
        if hand.street:
            return player.range_distribution(view, hand.places_of(seat))
        key = bytes([seat]) + view.public.vector.tobytes()
        if key not in self._told:
            self._told[key] = player.range_distribution(view, _EVERYBODY)
        return self._told[key].of_some(hand.places_of(seat))

    def _slope(self, line: Line, state: HandState) -> float:
        """Return the value of an edge of one at the beginning of a street, in big blinds."""
        stake = (state.pot - sum(state.street_bets)) / 2
        if (place := _likeliest(line)) is None:
            return stake / self._unit
        return self._line(place, stake / place.node.paid[0])[1] / self._unit

    def _line(self, place: LinePosition, scale: float) -> tuple[float, float]:
        street, first = place.depth.tree.place(place.node)
        constant, slope = self.values.line(place.depth, street, first)
        return constant * scale, slope * scale

    def ends_after(
        self, hand: _FollowedHand, line: Line, state: HandState, sides: _Sides
    ) -> _RangedEnds:
        """Return the possible ends after an action that leads to a state and a line."""
        stacks, spent = state.stacks, state.spent
        assert stacks is not None
        stake = float(min(max(spent), *map(sum, zip(spent, stacks, strict=True))))
        ends, place = _RangedEnds(), _likeliest(line)
        if place is not None and state.actor is not None:
            return self._follow(hand, place, sides, scale=stake / max(place.node.paid))
        if place is not None and state.phase is Phase.DEAL_BOARD and min(stacks) > 0:
            ends.add(*self._line(place, stake / max(place.node.paid)), sides)
        else:  # a showdown, or valued as one for lack of a position in the blueprint
            ends.add(0.0, stake, sides)
        return ends

    def _follow(
        self, hand: _FollowedHand, place: LinePosition, sides: _Sides, *, scale: float = 1.0
    ) -> _RangedEnds:
        """Follow the betting of a street from a position on."""
        ends, depth = _RangedEnds(), place.depth
        todo = [(place.node, sides)]
        while todo:
            node, reaching_sides = todo.pop()
            if node.kind is Ends.FOLD:
                lost = node.paid[node.player] * scale
                ends.add(lost if node.player == DEALER else -lost, 0.0, reaching_sides)
            elif node.kind is Ends.DECISION:
                shares = depth.shares(node, hand.states(node.player))
                for number, child in enumerate(node.children):
                    part = shares[:, number]
                    if part.any():
                        todo.append((child, reaching_sides.times(node.player, part)))
            elif (after := next_decision(node)) is None:
                ends.add(0.0, node.paid[0] * scale, reaching_sides)
            else:
                ends.add(*self._line(LinePosition(depth, after, 1.0), scale), reaching_sides)
        return ends


def _likeliest(line: Line) -> LinePosition | None:
    """Return the blueprint's position by which a hand is valued."""
    return line.places[0] if line.places else None


class _FollowedHand:
    """The state of a hand that is followed: its street, and both players' possible holdings."""

    def __init__(self, scorer: NoLimitScorer, held: tuple[int | None, int | None]) -> None:
        self._scorer, self._held = scorer, held
        self.street = 0
        self._holdings = tuple(
            _EVERYBODY if holding is None else np.array([holding]) for holding in held
        )
        self.sides = _Sides(*(np.ones(len(holdings)) for holdings in self._holdings))
        self._board = np.empty(0, dtype=np.uint8)
        self.pairs = _Pairs(self._board, held)
        self._states: dict[int, States] = {}

    def states(self, side: int) -> npt.NDArray[np.integer]:
        """Return the buckets of a side's holdings on the board."""
        if self.street not in self._states:
            abstraction = self._scorer.values.strategy.abstraction
            before = self._states.get(self.street - 1)
            self._states[self.street] = abstraction.next_states(self._board, before)
        return np.maximum(self._states[self.street][self._holdings[side]], 0)

    def places_of(self, seat: int) -> npt.NDArray[np.int64]:
        """Return the holdings that a known player may have."""
        return np.flatnonzero(self.sides[self._scorer.side_of(seat)])

    def turn_up(self, board: npt.NDArray[np.uint8], street: int, slope: float) -> float:
        """Deal the next street; return how lucky its cards were for the big blind."""
        previous_edge = self.pairs.mean_edge(self.sides)
        self._board, self.street = board, street
        self.pairs = _Pairs(board, self._held)
        live = self.pairs.live
        sides = zip(self.sides, self._holdings, strict=True)
        self.sides = _Sides(*(side * live[holdings] for side, holdings in sides))
        # The constant of the value line does not depend on the cards, so only the edge can be
        # lucky; its mean over the cards is the previous edge exactly.
        return slope * (self.pairs.mean_edge(self.sides) - previous_edge)

    def took(
        self,
        distribution: RangeDistribution,
        action: Action,
        seat: Seat,
        line: Line,
        state: HandState,
    ) -> float:
        """Take a known player's action; return how lucky that was, in chips to the big blind.

        NaN if the player never plays so.
        """
        side, places = self._scorer.side_of(seat), self.places_of(seat)
        mass = self.pairs.mass(self.sides)
        values, came = [], math.nan
        # The luck of an action is its value minus the mean over all actions, weighted by the
        # probability that the range takes each. `value` is already multiplied by that probability,
        # since it is a sum over the weights after the action; hence the division by the mass before
        # it.
        for outcome in _outcomes(distribution):
            shares = np.zeros(HOLDINGS)
            shares[places] = outcome.shares
            if not shares.any():
                continue
            sides = self.sides.times(side, shares)
            after = line.after(*done_of(state, outcome.action))
            next_state = act(state, outcome.action)
            if isinstance(outcome.action, Fold):
                ends = _RangedEnds()
                lost = float(state.spent[seat])
                ends.add(lost if side == DEALER else -lost, 0.0, sides)
            else:
                ends = self._scorer.ends_after(self, after, next_state, sides)
            value = ends.value(self.pairs)
            values.append(value)
            if outcome.is_of(action):
                came = value / self.pairs.mass(sides)
        weights = np.zeros(HOLDINGS)
        weights[places] = distribution.probability(action)
        self.sides = self.sides.times(side, weights)
        if not self.pairs.mass(self.sides) > 0:
            return math.nan
        return came - sum(values) / mass


class _Outcome(NamedTuple):
    """Actions that are treated as one outcome, with one value."""

    action: Action
    """One of them."""
    low: int
    high: int
    """Raises to sizes from ``low`` to ``high``; 0 for other actions."""
    shares: Floats
    """(holdings,) their total probability."""

    def is_of(self, action: Action) -> bool:
        """Return whether an action is among them."""
        if isinstance(action, Raise):
            return self.low <= action.to <= self.high
        return self.action == action


def _outcomes(distribution: RangeDistribution) -> list[_Outcome]:
    """Return a player's possible outcomes.

    Raises to neighbouring sizes are one outcome if there are more than `_MOST_RAISES`, for a player
    whose raises follow its probability of winning has hundreds of sizes. If it raises in ranges of
    sizes, all raises are one. The estimate stays unbiased, as an outcome's probability is that of
    all its actions.
    """
    outcomes = [
        _Outcome(Fold(), 0, 0, distribution.fold),
        _Outcome(Call(), 0, 0, distribution.call),
    ]
    sizes = np.array(distribution.sizes).reshape(-1, 2)
    order = np.argsort(sizes[:, 0], kind="stable")
    parts = min(len(order), _MOST_RAISES) if (sizes[:, 0] == sizes[:, 1]).all() else 1
    for columns in np.array_split(order, parts) if parts else []:
        low, high = int(sizes[columns, 0].min()), int(sizes[columns, 1].max())
        middle = Raise(Chips(round(math.sqrt(low * high))))
        shares = distribution.raises[:, columns].sum(axis=1)
        outcomes.append(_Outcome(middle, low, high, shares))
    return outcomes


def _chances(
    distribution: RangeDistribution, places: npt.NDArray[np.int64], holding: int
) -> Floats:
    """Return (3,) the probabilities of fold, call and raise with a holding; zeros if unknown."""
    row = int(np.searchsorted(places, holding))
    if row == len(places) or places[row] != holding:
        return np.zeros(3)
    return np.array(
        [distribution.fold[row], distribution.call[row], distribution.raises[row].sum()]
    )


class _Seated(NamedTuple):
    """Players in their seats."""

    scorer: NoLimitScorer
    position: float
    """The value of the seat to seat 0 beyond the mean of both seats, in big blinds."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoLimitAivat(Aivat):
    """`Aivat` for heads-up no-limit; ``model`` is the blueprint by which hands are valued.

    By default it is a known player's, or else ``equilibrium:nolimit``.
    """

    forms: Contest = Contest.TABLE
    _tables: dict[tuple[str, str, Rules], _Seated] = field(
        default_factory=dict, init=False, repr=False
    )

    def _check_specs(self) -> None:
        for spec in self.known.values():
            known_policy(spec)
        _blueprint_of(self._model)

    @property
    def _model(self) -> str:
        if self.model is not None:
            return self.model
        specs = (spec for spec in self.known.values() if parse_spec(spec).name == "equilibrium")
        return next((spec for spec in specs if _has_values(spec)), MODEL)

    @property
    def sources(self) -> tuple[str, ...]:
        """Source of the values: a blueprint alone, made before any hand was seen."""
        strategy = _blueprint_of(self._model)
        date = "no date" if strategy.made is None else strategy.made.date
        made = f"of {date}, {strategy.hash[:12]}"
        return (f"The values of {self.title} come from {self._model} alone ({made}).",)

    def needs(self, rules: Rules) -> str | None:
        """Return why hands by these rules cannot be scored; None if they can."""
        if why := why_no_blueprint(rules):
            return f"for heads-up no-limit with usual blinds alone: {why}"
        if rules.stacks is None:
            return "for hands with stacks alone"
        deepest = _blueprint_of(self._model).depths[-1].stack
        if min(rules.stacks) > deepest * rules.big_blind:
            return f"the blueprint is for stacks up to {deepest} big blinds"
        return None

    def score(self, batch: HandBatch, how: Scoring) -> Columns:
        """Fill the estimates of both seats, NaN if a holding that they need is unknown.

        Raises `BadInput` if a known player's actions contradict its stated strategy.
        """
        estimates, position = np.full((2, *batch.player.shape), np.nan)
        for row in range(len(batch)):
            first, second = (batch.names[who] for who in batch.player[row, :2])
            names, rules = (first, second), batch.rules[batch.rules_of[row]]
            if not any(name in self.known for name in names):
                continue
            holdings = batch.holding[row, :2].tolist()
            lacking = zip(names, holdings, strict=True)
            if any(card == UNKNOWN and name not in self.known for name, card in lacking):
                continue
            seated = self._seat_at(names, rules)
            codes = batch.action[batch.start[row] : batch.start[row + 1]].tolist()
            board = batch.board[row, : batch.dealt[row]].tolist()
            followed = seated.scorer.follow(holdings, board, codes)
            self._check_hand(names, followed, int(batch.number[row]))
            estimates[row, 0] = followed.estimate - seated.position
            position[row, 0] = seated.position
        estimates[:, 1], position[:, 1] = -estimates[:, 0], -position[:, 0]
        return {self.name: estimates, self.position: position}

    def _seat_at(self, names: tuple[str, str], rules: Rules) -> _Seated:
        with self._lock:
            if (*names, rules) not in self._tables:
                ways = [self._scorer_at(order, rules) for order in (names, names[::-1])]
                mean = (ways[0].root - ways[1].root) / 2
                for order, way, root in zip((names, names[::-1]), ways, (mean, -mean), strict=True):
                    self._tables[(*order, rules)] = _Seated(way, way.root - root)
        return self._tables[(*names, rules)]

    def _scorer_at(self, names: tuple[str, str], rules: Rules) -> NoLimitScorer:
        first, second = (
            known_policy(self.known[name], rules) if name in self.known else None for name in names
        )
        values = blueprint_values(_blueprint_of(self._model))
        return NoLimitScorer(rules, (first, second), values)

    def _check_hand(self, names: tuple[str, str], followed: Followed, number: int) -> None:
        """Refuse a hand in which a known player does not act as its stated strategy."""
        for seat, kind, chances in followed.decisions:
            name = names[seat]
            if not chances.sum():
                continue
            if not chances[kind]:
                raise BadInput(
                    f"hand {number}: {name} does not play as {self.known[name]}, which never "
                    f"{VERBS[kind]} there; allowed: its own strategy"
                )
            with self._lock:
                level = CLAIMS if parse_spec(self.known[name]).name == "bot" else CONTRADICTION
                check = self._checks.setdefault(name, ActionCheck(level))
                check.add(kind, chances)
                problem = check.contradiction
            if problem is not None:
                raise BadInput(
                    f"{name} does not play as {self.known[name]}: it {problem}; "
                    "allowed: its own strategy"
                )
        if math.isnan(followed.estimate):
            who = " or ".join(
                f"{name} as {self.known[name]}" for name in names if name in self.known
            )
            raise BadInput(
                f"hand {number}: no holding of {who} plays so; allowed: its own strategy"
            )


def less_luck_of_first(
    known: Mapping[str, str], model: str | None = None
) -> Callable[[HandBatch], Floats]:
    """Return a function that gives the first-named player's winnings by AIVAT in each hand.

    Its values (hands,) are in big blinds; ``known`` and ``model`` are as in `NoLimitAivat`.
    """
    aivat = NoLimitAivat(known=known, model=model)

    def score(batch: HandBatch) -> Floats:
        for why in map(aivat.needs, batch.rules):
            if why is not None:
                raise BadInput(f"AIVAT is {why}")
        seat = np.argmax(batch.player == 0, axis=1)
        won: Floats = aivat.score(batch, Scoring())[aivat.name][np.arange(len(batch)), seat]
        return won

    return score


@dataclass(frozen=True, slots=True, kw_only=True)
class LessLuck:
    """A player's winnings in big blinds a hand."""

    money: Estimate
    aivat: Estimate
    variance_reduction: float | None
    """The variance of a hand's money divided by the variance of its estimate."""


@checked
def less_luck(
    hands: HandsLike,
    *,
    known: Mapping[str, str],
    model: str | None = None,
    progress: Progress | None = None,
) -> dict[str, LessLuck]:
    """Return the results of a heads-up no-limit match by AIVAT alone, by player.

    ``known`` are the specs of known players by name; ``model`` is as in `NoLimitAivat`. An
    assessment gives the same result but takes longer, since it values every decision. Raises
    `BadInput` for players and hands that cannot be scored.
    """
    aivat = NoLimitAivat(known=known, model=model)
    numbers: dict[str, int] = {}
    parts: list[pl.DataFrame] = []
    done = 0
    for batch, _ in batches_of(hands_from(hands)):
        for why in map(aivat.needs, batch.rules):
            if why is not None:
                raise BadInput(f"AIVAT is {why}")
        who = np.array([numbers.setdefault(name, len(numbers)) for name in batch.names])
        for first in range(0, len(batch), _HANDS_A_STEP):
            part = batch.rows(np.arange(first, min(first + _HANDS_A_STEP, len(batch))))
            parts.append(rows_of(part, who, done, aivat.score(part, Scoring())))
            done += len(part)
            if progress is not None:
                progress(done, 0, "hands by AIVAT")
    if not parts:
        raise BadInput("AIVAT of no hands; allowed: one or more")
    rows, by_player = pl.concat(parts), {}
    for name, number in numbers.items():
        mine = rows.filter(pl.col("player") == number)
        estimates = estimates_of(mine, (MONEY, aivat), ResultUnit.BIG_BLINDS)
        if aivat.name in estimates:
            reduced = reductions_of(mine, mine, (aivat,)).get(aivat.name)
            by_player[name] = LessLuck(
                money=estimates["money"], aivat=estimates[aivat.name], variance_reduction=reduced
            )
    return by_player


@cache
def _blueprint_of(spec: str) -> NoLimitStrategy:
    """Return the blueprint that a spec plays. Raises `BadInput` for other players."""
    parsed = parse_spec(spec)
    name = parse_arguments(parsed)[0] if parsed.name == "equilibrium" else ""
    if not is_blueprint(name):
        raise BadInput(f"{spec} as a model; allowed: a blueprint, such as {MODEL}")
    if name in NAMES and not nolimit_path(NAMES[name]).exists():
        raise BadInput(
            f"AIVAT of no-limit takes its values from {spec}, which has not been solved; "
            "railbird solve nolimit does"
        )
    strategy = open_blueprint(name)
    if strategy.is_trunk:
        raise BadInput(f"{spec} as a model, which ends with the turn; allowed: a whole blueprint")
    return strategy


def _has_values(spec: str) -> bool:
    """Return whether a spec's blueprint covers whole hands, so that it can be a model."""
    return not open_blueprint(parse_arguments(parse_spec(spec))[0]).is_trunk
