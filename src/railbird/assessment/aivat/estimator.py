"""AIVAT as an estimator for heads-up limit matches with known players.

`no_limit` is the estimator for heads-up no-limit; `scorer` values single hands.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.aivat.scorer import (
    BUCKETS,
    CONTRADICTION,
    DEFAULT,
    MODEL,
    NAMES,
    Board,
    Exact,
    OneKnownScorer,
    SeatedPair,
    SeatedScorer,
    on_states,
)
from railbird.assessment.estimator import CardsNeeded, Columns, Contest, EstimatorKind, Scoring
from railbird.assessment.frozen_coefficients import (
    Fingerprints,
    are_among,
    fingerprints_of,
    unpack_fingerprints,
)
from railbird.assessment.limit_layout import Batch, is_heads_up_limit, lay_out
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Rules
from railbird.histories.columns import UNKNOWN, HandBatch
from railbird.players.known_strategy import known_strategy
from railbird.solve.abstraction.card_abstraction import CardAbstraction
from railbird.solve.limit.betting_tree import betting_tree, same_game
from railbird.solve.limit.pair_values import Effects, PairValues, pair_values
from railbird.solve.limit.solving import holdem_game
from railbird.solve.limit.strategy import LimitStrategy, StateGame
from railbird.solve.real_game.opponents import BoardStrategy, OneRowStrategy, StatesStrategy

# A check that a known player acts as often as its stated strategy says.
#
# AIVAT's values may be any numbers, but with wrong probabilities for a known player it is biased,
# and nothing in its estimates shows that. The player's actions do.


VERBS = ("folds", "checks or calls", "bets or raises")
"""Words for the kinds of actions."""


_TILTS = (-2.0, -0.5, -0.1, 0.1, 0.5, 2.0)
_ERRORS = (0.005, 0.02, 0.1, 0.5)


@dataclass(slots=True)
class ActionCheck:
    """Evidence from a known player's actions that it does not act as its strategy says.

    It is a bet against the strategy. Each action multiplies several stakes by a likelihood ratio:
    how much likelier it would be if the player folded, called or raised more or less often
    (`_TILTS`, in log odds), or acted at random now and then (`_ERRORS`). If the strategy is the
    player's own, the mean of the stakes is a martingale, and the probability that it ever reaches x
    is at most 1 / x (Ville 1939). That holds for any number of decisions and for rare actions.
    """

    level: float = CONTRADICTION
    """Probability of rejecting an honest player."""
    decisions: int = 0
    _seen: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    _expected: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    _logs: npt.NDArray[np.float64] = field(
        default_factory=lambda: np.zeros(3 * len(_TILTS) + len(_ERRORS))
    )
    _highest: float = 0.0

    def add(self, kind: int, chances: npt.NDArray[np.float64]) -> None:
        """Count an action: ``kind`` 0 fold, 1 check or call, 2 bet or raise; (3,) probabilities."""
        self.decisions += 1
        self._seen[kind] += 1
        self._expected += chances
        tilts = np.array(_TILTS)
        own = np.arange(3) == kind
        # Each row of likelihood ratios has the expectation 1 under `chances`: exp(t) for the tilted
        # action and 1 for others, divided by their mean. In logarithms, as products of thousands
        # would overflow.
        tilted = np.exp(tilts[:, None] * own) / (1 + np.expm1(tilts)[:, None] * chances)
        errors = np.array(_ERRORS)
        # An action that the strategy never takes has a likelihood of zero; the floor keeps the
        # logarithm finite, and the stakes still rise far enough to contradict the strategy.
        likely = max(float(chances[kind]), 1e-12)
        self._logs += np.log(
            np.concatenate([tilted.ravel(), 1 - errors + errors / (len(chances) * likely)])
        )
        self._highest = max(self._highest, float(np.logaddexp.reduce(self._logs)))

    @property
    def contradiction(self) -> str | None:
        """The action that is taken too often or too seldom to be credible, or None."""
        # The highest value ever reached counts, not the current one: Ville's bound is on the
        # maximum.
        if self._highest - np.log(len(self._logs)) < -np.log(self.level):
            return None
        worst = int(np.abs(self._seen - self._expected).argmax())
        return (
            f"{VERBS[worst]} in {self._seen[worst]:,.0f} of {self.decisions:,} decisions, "
            f"where about {self._expected[worst]:,.0f} are expected"
        )


_TITLES = {
    Exact.NEVER: "AIVAT (table)",
    Exact.RIVER: "AIVAT",
    Exact.TURN: "AIVAT (exact turn)",
}


class _Seated(NamedTuple):
    """Players in their seats."""

    scorer: SeatedScorer | OneKnownScorer
    position: float
    """The value of the seat to seat 0 beyond the mean of both seats, in small bets."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aivat:
    """Money minus the luck of the cards and of known players' actions.

    `aivat.scorer` has the theory, for one known player and for two.
    """

    known: Mapping[str, str]
    """The specs of known players, by their names in the log."""
    model: str | None = None
    """The spec by which unknown players' hands are valued; by default a known player's, or `MODEL`
    if that player does not use its cards."""
    exact: Exact = DEFAULT
    kind: EstimatorKind = EstimatorKind.UNBIASED
    forms: Contest = Contest.MATCH
    listed: bool = True
    in_crosstable: bool = True
    _seated: dict[tuple[str, str], _Seated] = field(default_factory=dict, init=False, repr=False)
    _checks: dict[str, ActionCheck] = field(default_factory=dict, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.known:
            raise BadInput("AIVAT with no player known; allowed: one or more, with their specs")
        self._check_specs()

    def _check_specs(self) -> None:
        for spec in (*self.known.values(), *([] if self.model is None else [self.model])):
            strategy_of(spec)

    @property
    def name(self) -> str:
        """Key in JSON and on the command line."""
        return NAMES[self.exact]

    @property
    def position(self) -> str:
        """The column with the value of the seat."""
        return f"{self.name}_position"

    @property
    def title(self) -> str:
        """Heading in tables and reports."""
        return _TITLES[self.exact]

    @property
    def meaning(self) -> str:
        """Description of the quantity, which follows the title."""
        return f"money less the luck of cards and of what {self._who} drew"

    @property
    def assumes(self) -> str:
        """One sentence on the assumptions behind `kind`."""
        strategies = ", ".join(f"{name} as {spec}" for name, spec in self.known.items())
        return f"Known players play by these probabilities: {strategies}; others' cards are known."

    def grounds(self, players: Sequence[str]) -> str | None:
        """Return the reason for deciding between two players by it; None if neither is known."""
        known = [name for name in players if name in self.known]
        if len(known) == 1:
            return f"the strategy of {known[0]} is known"
        return f"the strategies of {' and '.join(known)} are known" if known else None

    @property
    def cards(self) -> CardsNeeded:
        """Cards of a hand that must be known."""
        return CardsNeeded.ALL

    @property
    def sources(self) -> tuple[str, ...]:
        """Source of the values: strategies alone, made before any hand was seen."""
        used = [spec for pair in sorted(self._pairs) for spec in pair]
        specs = dict.fromkeys([*self.known.values(), *([self.model] if self.model else []), *used])
        made = "; ".join(f"{spec}{_made(spec)}" for spec in specs)
        hashes = [_values_of(*pair).hash for pair in sorted(self._pairs)]
        begin = f"; their SHA-256 begins with {' and '.join(hashes)}" if hashes else ""
        return (f"The values of {self.title} come from strategies alone, {made}{begin}.",)

    @property
    def _pairs(self) -> set[tuple[str, str]]:
        """The pairs of specs, by seat, for which values have been computed."""
        return {self._specs(names) for names in self._seated}

    @property
    def _who(self) -> str:
        return " and ".join(self.known) if len(self.known) < 3 else "known players"

    def needs(self, rules: Rules) -> str | None:
        """Return why hands by these rules cannot be scored; None if they can."""
        if not is_heads_up_limit(rules):
            return "for heads-up limit hold'em alone"
        try:
            tree = betting_tree(replace(rules, rake=None))  # values are before rake
        except BadInput as problem:
            return str(problem)
        same = same_game(tree.betting, betting_tree(HEADS_UP_LIMIT).betting)
        return None if same else "for caps of four bets a round alone"

    def score(self, batch: HandBatch, how: Scoring) -> Columns:
        """Fill the estimates of both seats, NaN if a holding that they need is unknown.

        Raises `BadInput` if a known player's actions contradict its stated strategy.
        """
        self._check_fit(batch)
        estimates, position = np.full((2, len(batch), 2), np.nan)
        laid = lay_out(batch)
        names, number = np.unique(batch.player[:, :2], axis=0, return_inverse=True)
        for pair_number, (first, second) in enumerate(names.tolist()):
            seats = batch.names[first], batch.names[second]
            if not any(name in self.known for name in seats):
                continue
            seated = self._seat(seats)
            for row in np.flatnonzero(number.reshape(-1) == pair_number).tolist():
                estimate = _estimate(seated, laid, row)
                if estimate is None:
                    continue
                if np.isnan(estimate):
                    why = self._why_never(seats, seated, laid, row)
                    raise BadInput(f"hand {batch.number[row]}: {why}; allowed: its own strategy")
                estimates[row, 0], position[row, 0] = estimate, seated.position
            self._check_actions(
                seats, seated, laid, np.flatnonzero(number.reshape(-1) == pair_number)
            )
        estimates[:, 1], position[:, 1] = -estimates[:, 0], -position[:, 0]
        return {self.name: estimates, self.position: position}

    def values(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row, (rows,), before rake."""
        return rows[self.name]

    def others(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row for the other player."""
        return -self.values(rows, how)

    def _seat(self, names: tuple[str, str]) -> _Seated:
        with self._lock:
            if names not in self._seated:
                ways = [self._scorer(order) for order in (names, names[::-1])]
                # The players change seats, so what a seat is worth by these values is only its
                # difference from the mean of both orders; the mean itself is how much better one
                # player is.
                mean = (ways[0].root - ways[1].root) / 2
                self._seated[names] = _Seated(ways[0], ways[0].root - mean)
                self._seated[names[::-1]] = _Seated(ways[1], ways[1].root + mean)
        return self._seated[names]

    def _specs(self, names: tuple[str, str]) -> tuple[str, str]:
        """Return the specs by which both seats are valued; an unknown player gets the model's."""
        model = self.model or next(self.known[name] for name in names if name in self.known)
        # A player that does not look at its cards gives no information about the value of an
        # unknown player's hand.
        if self.model is None and isinstance(strategy_of(model), OneRowStrategy):
            model = MODEL
        return self.known.get(names[0], model), self.known.get(names[1], model)

    def _check_fit(self, batch: HandBatch) -> None:
        """Refuse hands from which a strategy was learned: its values would contain their luck."""
        for spec in {*self.known.values(), *([self.model] if self.model else [])}:
            fitted = _fit_hands(spec)
            if len(fitted) and (count := int(are_among(fingerprints_of(batch), fitted).sum())):
                raise BadInput(
                    f"{spec} was found from {count:,} of these hands; allowed: other hands"
                )

    def _check_actions(
        self, seats: tuple[str, str], seated: _Seated, laid: Batch, rows: npt.NDArray[np.int64]
    ) -> None:
        """Refuse hands in which a known player does not act as its stated strategy."""
        for seat, name in enumerate(seats):
            if name not in self.known:
                continue
            with self._lock:
                check = self._checks.setdefault(name, ActionCheck())
                for row in rows.tolist():
                    holding, board, actions = _played(laid, row, seat)
                    if holding != UNKNOWN:
                        for kind, chances in seated.scorer.decisions(seat, holding, board, actions):
                            check.add(kind, chances)
                problem = check.contradiction
            if problem is not None:
                raise BadInput(
                    f"{name} does not play as {self.known[name]}: it {problem}; "
                    "allowed: its own strategy"
                )

    def _why_never(self, seats: tuple[str, str], seated: _Seated, laid: Batch, row: int) -> str:
        """Return which known player took an action that its strategy never takes, in words."""
        for seat, name in enumerate(seats):
            if name in self.known and (holding := _played(laid, row, seat)[0]) != UNKNOWN:
                _, board, actions = _played(laid, row, seat)
                for kind, chances in seated.scorer.decisions(seat, holding, board, actions):
                    if chances[kind] == 0:
                        spec = self.known[name]
                        return f"{name} does not play as {spec}, which never {VERBS[kind]} there"
        who = " or ".join(f"{name} as {self.known[name]}" for name in seats if name in self.known)
        return f"no holding of {who} plays so"

    def _scorer(self, names: tuple[str, str]) -> SeatedScorer | OneKnownScorer:
        specs = self._specs(names)
        never_exact = self.exact is Exact.NEVER
        pair = SeatedPair(
            strategies=(strategy_of(specs[0]), strategy_of(specs[1])),
            is_known=(names[0] in self.known, names[1] in self.known),
            values=(_all_values_of if never_exact else _values_of)(*specs).values,
            abstraction=_game()[1],
        )
        by_table = never_exact or all(pair.is_known)
        return (SeatedScorer if by_table else OneKnownScorer)(pair, exact=self.exact)


@cache
def strategy_of(spec: str) -> BoardStrategy:
    """Return a player's strategy, cached. Raises `BadInput` if it is not known."""
    return known_strategy(spec).on_boards


def _made(spec: str) -> str:
    """Return when a strategy was made, if that is known."""
    strategy = strategy_of(spec)
    if not isinstance(strategy, StatesStrategy):
        return ""
    made = strategy.strategy.made
    date = "no date" if made is None else made.date
    return f" (of {date}, {strategy.strategy.hash[:12]})"


@cache
def _fit_hands(spec: str) -> Fingerprints:
    """Return the fingerprints of the hands from which a strategy was learned."""
    strategy = strategy_of(spec)
    if isinstance(strategy, StatesStrategy):
        packed = strategy.strategy.training.get("fingerprints")
        if isinstance(packed, str):
            try:
                return unpack_fingerprints(packed)
            except ValueError:
                raise BadInput(f"{spec}: its file's list of hands is damaged") from None
    return np.empty(0, dtype=np.uint32)


class _Values(NamedTuple):
    """The values of a pair of strategies, with their digest."""

    values: PairValues
    hash: str
    """Start of the SHA-256 of all of them."""


@cache
def _game() -> tuple[StateGame, CardAbstraction]:
    """Return the game over the states that have values, cached."""
    return holdem_game(BUCKETS)


@lru_cache(maxsize=16)
def _on_states_of(spec: str) -> LimitStrategy:
    """Return a known player's strategy over these states, cached for all its opponents."""
    return on_states(strategy_of(spec), _game()[1])


@lru_cache(maxsize=256)
def _values_of(first: str, second: str) -> _Values:
    """Return the values of two specs in their seats, without the river's actions: 5 MB."""
    values, digest = _all_values_of(first, second)
    none = np.empty((0, 0), dtype=np.float32)
    # The river's actions are fifteen sixteenths of the memory, and are needed only where the river
    # is not enumerated.
    return _Values(replace(values, after=(*values.after[:-1], Effects(none, none))), digest)


@lru_cache(maxsize=2)
def _all_values_of(first: str, second: str) -> _Values:
    """Return all values of two specs in their seats: 80 MB."""
    values = pair_values(_game()[0], (_on_states_of(first), _on_states_of(second)))
    digest = hashlib.sha256()
    for table in (table for effects in (*values.start, *values.after) for table in effects):
        digest.update(np.ascontiguousarray(table).data)
    return _Values(values, digest.hexdigest()[:12])


def _estimate(seated: _Seated, laid: Batch, row: int) -> float | None:
    """Return a hand's estimate for seat 0, nan if a known player never plays so.

    None where a holding that is needed is not known.
    """
    hands = laid.hands
    holdings = int(hands.first[row]), int(hands.second[row])
    known = seated.scorer.pair.is_known
    if any(
        card == UNKNOWN and not is_known for card, is_known in zip(holdings, known, strict=True)
    ):
        return None
    _, board, actions = _played(laid, row, 0)
    return seated.scorer.score(holdings, board, actions) - seated.position


def _played(laid: Batch, row: int, seat: int) -> tuple[int, Board, list[int]]:
    """Return a seat's holding, the board that was dealt, and the actions of a hand."""
    hands = laid.hands
    holding = int((hands.first, hands.second)[seat][row])
    actions = hands.action[hands.start[row] : hands.start[row + 1]].tolist()
    return holding, hands.board[row, : laid.dealt[row]], actions
