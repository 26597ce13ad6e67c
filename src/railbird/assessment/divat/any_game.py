"""Scores hands of any hold'em decision by decision: what cards and what actions changed.

`divat` serves heads-up limit, and works by rounds.

The value V(h) is what each seat wins on average if a plain policy finishes the hand for everybody
(`ValuePolicy`). A hand's money is then exactly position + luck + decisions: the value before the
deal, its changes when cards are dealt, and its changes when a player departs from the policy. An
action that agrees with the policy changes nothing and is not evaluated. Luck has mean zero whoever
plays, so position + decisions is an unbiased estimate of money. Kan (2007, chapter 6) proposes it
as future work; the form for several players is our own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird._display import HasTable, table_of
from railbird._threads import in_slices
from railbird.assessment.divat import any_game_kernels as kernels
from railbird.assessment.divat.any_game_kernels import MOST_SEATS, SPACE
from railbird.assessment.divat.scorer import typical_tables
from railbird.baseline import (
    STANDARD,
    BaselineSettings,
    OpponentHoldings,
    PotConvention,
    SettingsLike,
    SizedBy,
    smoothing_from,
)
from railbird.cards import CLASS_OF_HOLDING, Card, Holding, cards_of, format_cards
from railbird.cards.splitmix_kernels import GOLDEN, mix
from railbird.errors import BadInput
from railbird.estimates.estimate import ResultUnit
from railbird.game import ActionName, Betting, Rules, Street, action_of, name_of
from railbird.game.rules import BOARD_CARDS
from railbird.histories import HandRecord, read_hand
from railbird.histories.columns import UNKNOWN, HandBatch, batch_of, opened_vectors
from railbird.odds.rank_tables import open_tables
from railbird.players.compiled import rank_tables
from railbird.players.compiled_kernels import RankTables

if TYPE_CHECKING:
    import polars as pl


# The policies of the roll-outs, and the numbers of boards sampled before the flop.


BOARDS = 128
"""Boards before the flop in a match: their noise is less than one per cent of a hand's variance."""
BOARDS_OF_ONE_HAND = 10_000
"""Boards before the flop when a single hand is shown, with its standard error."""
SAMPLES_OF_ONE_HAND = 50
"""Independent samples into which these boards are divided, to estimate the standard error."""
POSITION_DEALS = 400_000
"""Random deals for the value of a position: its standard error is 0.007 to 0.009 big blinds."""
CHANGING_STACKS_DEALS = 500
"""Random deals for one hand, if every hand has other stacks."""

_CONSERVATIVE = (0.70, 0.875, 0.945, 0.975)
_STREETS = tuple(STANDARD[street] for street in Street)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePolicy:
    """The plain policy that finishes a hand in place of all players.

    A hand's strength against m - 1 opponents is rank ** (1 + gamma * (m - 2)), where rank is its
    strength against a single one. Facing a bet of b it folds below fold_multiplier * b / pot +
    offset, with the bet included in the pot; else it makes its next bet if strong enough and
    allowed.
    """

    name: str
    gamma: float = 0.0
    sizes: tuple[float, float, float, float] = (0.0,) * 4
    """No-limit: raises as shares of the pot after a call; infinity for all-in."""
    sized_by: SizedBy = SizedBy.HAND
    """How a size is chosen: by the bets that the hand is worth, or by the number of the raise."""
    folds: tuple[float, float, float, float] | None = None
    """Limit: fold thresholds by the number of bets to call, instead of the odds; Kan (2007),
    6.1."""
    commit: float = 0.75
    """No-limit: a raise by more than this share of the stack is all-in."""
    fold_multiplier: tuple[float, ...] = tuple(street.fold_multiplier for street in _STREETS)
    """Multipliers by street; Kan (2007), 3.1.2."""
    offset: tuple[float, ...] = tuple(street.fold_offset for street in _STREETS)
    """By street."""
    make: tuple[tuple[float, ...], ...] = tuple(street.make for street in _STREETS)
    """Thresholds of the next bet, by street and bets so far (the big blind is one)."""
    opponent: OpponentHoldings = OpponentHoldings.UNIFORM
    """The opponent's holdings against which hands are ranked after the flop."""
    calls_down: bool = False
    """Always check or call, which makes all else irrelevant."""


CALL_DOWN = ValuePolicy(name="call-down", calls_down=True)
"""Policy A: the value of a closed street is the share of each pot that the cards win on average."""
LIMIT = ValuePolicy(name="limit", gamma=0.5)
"""Policy B in limit: Kan's standard thresholds."""
NO_LIMIT = ValuePolicy(
    name="no-limit", gamma=1.0, sizes=(0.15,) * 4, make=(_CONSERVATIVE,) * len(Street)
)
"""Policy B elsewhere: small raises and high thresholds; larger raises make values swing.

Kan's menu of half a pot, a pot, two pots and all-in (6.2) is ``sizes=0.5/1/2/all-in``; what it and
others do to the variance is in docs/any-holdem.md.
"""


def baseline_for(rules: Rules, settings: BaselineSettings = STANDARD) -> ValuePolicy:
    """Choose the baseline for the betting structure, modified by ``settings``.

    Thresholds and offsets in which the settings differ from the standard ones replace those of the
    policy, street by street. Raises `BadInput` for settings that count the bet into the pot twice,
    and for sizes of raises in limit or thresholds by limit bets elsewhere.

    >>> from railbird.baseline import parse_settings
    >>> from railbird.game import HEADS_UP_NO_LIMIT
    >>> baseline_for(HEADS_UP_NO_LIMIT, parse_settings("tight-low")).offset
    (0.0, 0.125, 0.15, 0.0)
    """
    policy = LIMIT if rules.betting is Betting.LIMIT else NO_LIMIT
    if settings == STANDARD:
        return policy
    if settings.pot is not STANDARD.pot:
        raise BadInput(
            f"settings {settings.name!r}: pot={PotConvention.FACING_BET.value} is for heads-up "
            "limit alone; by decisions the bet always counts into the pot"
        )
    limit = rules.betting is Betting.LIMIT
    if settings.sizes is not None and limit:
        raise BadInput(f"settings {settings.name!r}: in limit a raise has one size")
    if settings.folds is not None and not limit:
        raise BadInput(f"settings {settings.name!r}: folds= counts bets of limit")
    changed = [(settings[street], STANDARD[street]) for street in Street]
    return replace(
        policy,
        name=settings.name,
        opponent=settings.opponent,
        sizes=settings.sizes or policy.sizes,
        sized_by=settings.sized_by,
        folds=settings.folds,
        fold_multiplier=tuple(settings[street].fold_multiplier for street in Street),
        offset=tuple(
            own if new.fold_offset == old.fold_offset else new.fold_offset
            for own, (new, old) in zip(policy.offset, changed, strict=True)
        ),
        make=tuple(
            own if new.make == old.make else new.make
            for own, (new, old) in zip(policy.make, changed, strict=True)
        ),
    )


_SLICE = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandValueChanges:
    """Changes of the values of hands, in chips, for n hands, m actions and S seats."""

    deal: Floats
    """(n, S) the value after the deal."""
    luck: Floats
    """(n, 3, S) changes by the flop, the turn and the river."""
    decisions: Floats
    """(m, S) changes by each action; zero where it is the policy's."""
    expected: npt.NDArray[np.int64]
    """(m,) the policy's action at each point, as the engine's codes."""


def scorable(batch: HandBatch) -> npt.NDArray[np.bool_]:
    """Return a mask of hands with all cards known and no more seats than can be scored, (n,)."""
    dealt_in = batch.player != UNKNOWN
    known = (batch.holding != UNKNOWN) | ~dealt_in
    scored: npt.NDArray[np.bool_] = known.all(axis=1) & (dealt_in.sum(axis=1) <= MOST_SEATS)
    return scored


def values_of(
    batch: HandBatch,
    policy: ValuePolicy,
    *,
    seed: int = 0,
    first: int = 0,
    boards: int = BOARDS,
) -> HandValueChanges:
    """Return the value changes of hands whose cards are all known (`scorable`).

    ``first`` is the number of the batch's first hand in its match. Boards before the flop are drawn
    by seed and hand number, so a match may be divided into batches anywhere.
    """
    n, seats = batch.player.shape
    hands = kernels.KnownHands(
        opened=opened_vectors(batch.rules),
        rules_of=batch.rules_of,
        start=batch.start,
        action=batch.action,
        holding=batch.holding,
        board=batch.board,
        seed=_seeds(seed, first, n),
    )
    luck = np.zeros((n, 4, seats))
    delta = np.zeros((len(batch.action), seats))
    expected = np.zeros(len(batch.action), dtype=np.int64)
    work = partial(_score, hands, policy, boards, luck, delta, expected)
    in_slices(work, n, size=_SLICE, what="hands")
    return HandValueChanges(deal=luck[:, 0], luck=luck[:, 1:], decisions=delta, expected=expected)


def _score(
    hands: kernels.KnownHands,
    policy: ValuePolicy,
    boards: int,
    luck: Floats,
    delta: Floats,
    expected: npt.NDArray[np.int64],
    first: int,
    end: int,
) -> None:
    kernels.score_hands(
        first,
        end,
        hands,
        percentiles(),
        ranks_for(policy),
        _boards(boards),
        space_of(policy),
        luck,
        delta,
        expected,
    )


def space_of(policy: ValuePolicy) -> npt.NDArray[np.void]:
    """Return a kernel's working space, with a policy filled in."""
    space = np.zeros(1, SPACE)
    space["calls_down"] = policy.calls_down
    space["gamma"] = policy.gamma
    space["sizes"] = policy.sizes
    space["sized_by_hand"] = policy.sized_by is SizedBy.HAND
    space["by_bets"] = policy.folds is not None
    space["folds"] = policy.folds or (0.0,) * 4
    space["commit"] = policy.commit
    space["fold_multiplier"] = policy.fold_multiplier
    space["offset"] = policy.offset
    space["make"] = policy.make
    space["bettable"] = [make[0] for make in policy.make]
    return space


def ranks_for(policy: ValuePolicy) -> RankTables:
    """Open the hand-rank tables that a policy uses."""
    return typical_ranks() if policy.opponent is OpponentHoldings.TYPICAL else rank_tables()


@lru_cache(maxsize=1)
def typical_ranks() -> RankTables:
    """Return the tables against a typical opponent, arranged for the kernels."""
    tables = typical_tables()
    return RankTables(*(np.asarray(getattr(tables, name)) for name in RankTables._fields))


@lru_cache(maxsize=1)
def percentiles() -> Floats:
    """Return ranks of holdings before the flop by 7cHR, (1326,) 0..1: uniform, ties in the middle.

    7cHR itself must not be raised to a power for several opponents: aces have 0.852, and 0.852 ** 5
    is 0.45.
    """
    by_holding = open_tables().preflop_hr7[CLASS_OF_HOLDING].astype(np.float64)
    below = np.searchsorted(np.sort(by_holding), by_holding, side="left")
    up_to = np.searchsorted(np.sort(by_holding), by_holding, side="right")
    ranks: Floats = (below + up_to) / (2 * len(by_holding))
    return ranks


@dataclass(frozen=True, slots=True)
class PositionValue:
    """The value of a hand before the deal, in chips."""

    mean: Floats
    """(S,) by seat."""
    covariance: Floats
    """(S, S) covariance of the means."""


@lru_cache(maxsize=1 << 12)
def position_of(rules: Rules, policy: ValuePolicy, *, deals: int, seed: int = 0) -> PositionValue:
    """Estimate what each seat wins on average if the policy plays from the blinds on."""
    seats = rules.seats
    totals, products = np.zeros((2, seats)), np.zeros((2, seats, seats))
    opened = opened_vectors([rules])[0]
    # Pieces of a fixed size with their own seeds and sums, added in their order: the result does
    # not depend on the number of threads.
    size = 10_000
    pieces = -(-deals // size)
    numbers = np.arange(1, pieces + 1, dtype=np.uint64)
    starts = mix(np.uint64(seed % 2**64) ^ (numbers * GOLDEN))
    totals, products = np.zeros((pieces, seats)), np.zeros((pieces, seats, seats))

    def work(first: int, end: int) -> None:
        for piece in range(first, end):
            many = min(size, deals - piece * size)
            kernels.play_positions(
                many,
                opened,
                starts[piece],
                percentiles(),
                ranks_for(policy),
                _boards(1),
                space_of(policy),
                totals[piece],
                products[piece],
            )

    in_slices(work, pieces, size=1, what="position")
    mean = totals.sum(axis=0) / deals
    spread = products.sum(axis=0) / deals - np.outer(mean, mean)
    return PositionValue(mean, spread / max(1, deals - 1))


def _boards(count: int) -> kernels.DrawnBoards:
    return kernels.DrawnBoards(
        np.zeros((count, 5), np.uint8),
        np.zeros((3 * count, MOST_SEATS)),
        np.zeros(3 * count, np.int64),
        np.zeros((count, MOST_SEATS), np.int16),
        np.zeros(count, np.int64),
    )


def _seeds(seed: int, first: int, hands: int) -> npt.NDArray[np.uint64]:
    key = mix(np.array([seed % 2**64], np.uint64))
    return key ^ (np.arange(first, first + hands, dtype=np.uint64) * GOLDEN)


# The full score of one hand of any hold'em: every decision, the luck of every street, the position.
#
# Preflop values are means over random boards. These are drawn in independent samples, whose
# differences give the standard error of every number. After the flop values are exact.


_EXACT = 1e-9
"""Smaller differences between samples, in chips, are due to rounding."""


class ValueChange(NamedTuple):
    """A change of value for every seat, in the hand's unit, with standard errors."""

    value: tuple[float, ...]
    stderr: tuple[float, ...]

    @classmethod
    def of(cls, samples: Floats, seats: int, unit: float) -> ValueChange:
        """Average independent samples (k, S) in chips; a single one has no standard error."""
        drawn = samples[:, :seats]
        mean = drawn.mean(axis=0)
        spread = np.zeros(seats)
        if len(drawn) > 1:
            spread = drawn.std(axis=0, ddof=1) / math.sqrt(len(drawn))
        spread[np.ptp(drawn, axis=0) < _EXACT] = 0.0
        return cls(tuple((mean / unit).tolist()), tuple((spread / unit).tolist()))

    def as_json(self) -> dict[str, list[float]]:
        """Return both lists."""
        return {"value": list(self.value), "stderr": list(self.stderr)}


class Move(NamedTuple):
    """An action in words: its name, and the seat's total on this street."""

    name: ActionName
    amount: float
    """Total in the hand's unit; for a fold or check, the total before it."""

    def __str__(self) -> str:
        if self.name.is_aggressive:
            to = "to " if self.name is ActionName.RAISE else ""
            return f"{self.name.word} {to}{self.amount:g}"
        return self.name.word


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDecision:
    """One action, and its effect on every seat compared with the baseline's action."""

    street: Street
    seat: int
    action: Move
    baseline: Move
    delta: ValueChange
    """Change by the baseline's values (B); zero if the baseline acts alike."""
    call_down: ValueChange
    """Change by the values of calling down (A); zero for a check or call."""
    to_call: float
    pot: float
    """The pot before the action, in the hand's unit."""

    @property
    def agrees(self) -> bool:
        """Whether the baseline acts alike."""
        return self.action == self.baseline

    def as_json(self, unit: ResultUnit) -> dict[str, Any]:
        """Return a decision as `railbird score --json` prints it."""
        return {
            "seat": self.seat,
            "action": self.action.name.word,
            f"action_{unit}": self.action.amount,
            "baseline": self.baseline.name.word,
            f"baseline_{unit}": self.baseline.amount,
            f"to_call_{unit}": self.to_call,
            f"pot_{unit}": self.pot,
            "delta": list(self.delta.value),
            "stderr": list(self.delta.stderr),
            "call_down": self.call_down.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRound:
    """One street of a hand."""

    street: Street
    board: tuple[Card, ...]
    luck: ValueChange
    """Luck of the cards that began the street, by the baseline's values."""
    call_down_luck: ValueChange
    decisions: tuple[TableDecision, ...]

    def as_json(self, unit: ResultUnit) -> dict[str, Any]:
        """Return a street as `railbird score --json` prints it."""
        return {
            "round": self.street.name.lower(),
            "board": format_cards(self.board),
            "luck": self.luck.as_json(),
            "call_down_luck": self.call_down_luck.as_json(),
            "decisions": [decision.as_json(unit) for decision in self.decisions],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHandScore(HasTable):
    """The full score of a hand; for each seat, money = position + luck + decisions - rake."""

    record: HandRecord
    holes: tuple[Holding, ...]
    unit: ResultUnit
    settings: str
    boards: int
    """Random boards before the flop."""
    money: tuple[float, ...]
    rake: tuple[float, ...]
    """Rake taken from each seat's pots."""
    position: ValueChange
    """Value of the seats before the deal."""
    luck: ValueChange
    """The luck of all streets."""
    decisions: ValueChange
    """The decisions of all players on all streets."""
    rounds: tuple[TableRound, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Names by seat."""
        return self.record.players

    @property
    def divat(self) -> tuple[float, ...]:
        """Position and decisions minus rake, by seat."""
        parts = zip(self.position.value, self.decisions.value, self.rake, strict=True)
        return tuple(position + changed - rake for position, changed, rake in parts)

    def as_json(self) -> dict[str, Any]:
        """Return the hand as `railbird score --json` prints it; lists are by seat."""
        unit = self.unit.value
        return {
            "players": list(self.players),
            "holes": [format_cards(cards_of(hole)) for hole in self.holes],
            "unit": unit,
            "settings": self.settings,
            "boards": self.boards,
            f"money_{unit}": list(self.money),
            f"rake_{unit}": list(self.rake),
            f"position_{unit}": self.position.as_json(),
            f"luck_{unit}": self.luck.as_json(),
            f"decisions_{unit}": self.decisions.as_json(),
            f"divat_{unit}": list(self.divat),
            "rounds": [row.as_json(self.unit) for row in self.rounds],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each decision and each seat that it may have affected."""
        rows = (
            {
                "street": decision.street.name.lower(),
                "actor": self.players[decision.seat],
                "action": str(decision.action),
                "baseline": str(decision.baseline),
                "player": player,
                "delta": decision.delta.value[seat],
                "stderr": decision.delta.stderr[seat],
                "call_down": decision.call_down.value[seat],
            }
            for row in self.rounds
            for decision in row.decisions
            for seat, player in enumerate(self.players)
        )
        return table_of(rows)


def score_table_hand(
    record: HandRecord | str,
    settings: SettingsLike | Sequence[SettingsLike] = STANDARD,
    *,
    boards: int = BOARDS_OF_ONE_HAND,
    position_deals: int | None = None,
    seed: int = 0,
) -> TableHandScore:
    """Score a hand of any hold'em, two to ten seats, a record or its text (`read_hand`).

    Several ``settings`` are averaged. Before the flop, ``boards`` are drawn in
    `SAMPLES_OF_ONE_HAND` independent samples if there are enough. The value of the position is a
    mean over ``position_deals``, by default `POSITION_DEALS`. Raises `railbird.errors.BadInput` for
    a hand with unknown cards or more than ten players.
    """
    if isinstance(record, str):
        record = read_hand(record)
    holes = _all_known(record)
    if boards < 1:
        raise BadInput(f"{boards} boards; allowed: 1 or more")
    chosen = smoothing_from(settings)
    policies = [baseline_for(record.rules, baseline) for baseline in chosen]
    samples = min(boards, SAMPLES_OF_ONE_HAND)
    # The hand stands there once for each sample. Boards are drawn by the number of the row, so the
    # rows are independent samples of one hand.
    batch = batch_of([record]).rows([0] * samples)
    size = -(-boards // samples)
    values = _sampled(batch, policies, seed=seed, boards=size)
    # The same seed draws the same boards for both policies, so their values differ by the policies
    # and not by the sample.
    by_calls = _sampled(batch, [CALL_DOWN], seed=seed, boards=size)
    names = "+".join(baseline.name for baseline in chosen)
    deals = position_deals or POSITION_DEALS
    scoring = _Scoring(record, holes, values, by_calls, policies, seed, deals)
    return scoring.hand(names, samples * size)


def _all_known(record: HandRecord) -> tuple[Holding, ...]:
    if record.rules.seats > MOST_SEATS:
        raise BadInput(f"a hand of {record.rules.seats} players; allowed: 2 to {MOST_SEATS}")
    holes = tuple(hole for hole in record.holes if hole is not None)
    if hidden := [n for n, h in zip(record.players, record.holes, strict=True) if h is None]:
        raise BadInput(
            "a hand with unknown cards has no equity; all holdings must be known, and these are "
            f"not: {', '.join(hidden)}"
        )
    return holes


class _Sampled(NamedTuple):
    """The values of one hand in k independent samples, in chips."""

    deal: Floats
    """(k, S)."""
    luck: Floats
    """(k, 3, S)."""
    decisions: Floats
    """(k, actions, S)."""
    expected: npt.NDArray[np.int64]
    """(actions,) the first policy's actions."""


def _sampled(
    batch: HandBatch, policies: Sequence[ValuePolicy], *, seed: int, boards: int
) -> _Sampled:
    by_policy: list[HandValueChanges] = [
        values_of(batch, policy, seed=seed, boards=boards) for policy in policies
    ]
    samples, seats = batch.player.shape
    return _Sampled(
        deal=np.mean([values.deal for values in by_policy], axis=0),
        luck=np.mean([values.luck for values in by_policy], axis=0),
        decisions=np.mean([values.decisions for values in by_policy], axis=0).reshape(
            samples, -1, seats
        ),
        expected=by_policy[0].expected.reshape(samples, -1)[0],
    )


class _Scoring:
    """Assembles the score of one hand from its samples."""

    def __init__(
        self,
        record: HandRecord,
        holes: tuple[Holding, ...],
        values: _Sampled,
        by_calls: _Sampled,
        policies: Sequence[ValuePolicy],
        seed: int,
        deals: int,
    ) -> None:
        self._deals = deals
        self._record, self._holes = record, holes
        self._values, self._by_calls = values, by_calls
        self._policies, self._seed = policies, seed
        self._seats = record.rules.seats
        self._unit = float(record.rules.chips_per_unit)
        self._batch = batch_of([record])

    def hand(self, settings: str, boards: int) -> TableHandScore:
        values, record = self._values, self._record
        position, error = self._position(self._policies)
        at_calls, error_at_calls = self._position([CALL_DOWN])
        decided = values.decisions.sum(axis=1)
        lucky = values.deal + values.luck.sum(axis=1)
        money = np.array([float(amount) for amount in record.payoffs])
        # Rake is what the identity leaves: position, luck and decisions add up to the money before
        # rake. Without rake the rest is rounding, which is set to zero.
        rake = (lucky + decided).mean(axis=0)[: self._seats] - money
        rake[np.abs(rake) < _EXACT * max(1.0, float(np.abs(money).max()))] = 0.0
        return TableHandScore(
            record=record,
            holes=self._holes,
            unit=record.rules.result_unit,
            settings=settings,
            boards=boards,
            money=tuple((money / self._unit).tolist()),
            rake=tuple((rake / self._unit).tolist()),
            position=ValueChange(
                tuple((position / self._unit).tolist()), tuple((error / self._unit).tolist())
            ),
            luck=self._less(self._change(lucky), position, error),
            decisions=self._change(decided),
            rounds=tuple(
                TableRound(
                    street=street,
                    board=record.board[: BOARD_CARDS[street]],
                    luck=self._luck(values, street, position, error),
                    call_down_luck=self._luck(self._by_calls, street, at_calls, error_at_calls),
                    decisions=tuple(self._decisions(street)),
                )
                for street in Street
                if len(record.board) >= BOARD_CARDS[street]
            ),
        )

    def _position(self, policies: Sequence[ValuePolicy]) -> tuple[Floats, Floats]:
        """Return the value of the seats before the deal and its standard errors, in chips."""
        by_policy = [
            position_of(self._record.rules, policy, deals=self._deals, seed=self._seed)
            for policy in policies
        ]
        mean: Floats = np.mean([value.mean for value in by_policy], axis=0)
        # The policies play the same deals, so their errors are correlated: they add up linearly.
        error: Floats = np.mean([np.sqrt(np.diag(value.covariance)) for value in by_policy], axis=0)
        return mean, error

    def _change(self, samples: Floats) -> ValueChange:
        return ValueChange.of(samples, self._seats, self._unit)

    def _luck(
        self, values: _Sampled, street: Street, position: Floats, error: Floats
    ) -> ValueChange:
        if street is not Street.PREFLOP:
            return self._change(values.luck[:, street - 1])
        return self._less(self._change(values.deal), position, error)

    def _less(self, change: ValueChange, position: Floats, error: Floats) -> ValueChange:
        value = np.array(change.value) - position / self._unit
        # The boards and the deals of the position are drawn apart, so their errors are independent.
        stderr = np.hypot(change.stderr, error / self._unit)
        return ValueChange(tuple(value.tolist()), tuple(stderr.tolist()))

    def _decisions(self, street: Street) -> list[TableDecision]:
        answers, values = self._batch.answers, self._values
        decisions = []
        for i in np.flatnonzero(answers.street == street).tolist():
            owed, bets = int(answers.to_call[i]), int(answers.bets[i])
            # `amount` is the total after an action; only folds and checks leave it as it was.
            chips_before = int(answers.amount[i])
            if answers.name[i] != ActionName.CHECK and answers.name[i] != ActionName.FOLD:
                chips_before = self._in_before(i)
            move, expected = (
                self._move(int(code), owed, bets, chips_before)
                for code in (self._batch.action[i], values.expected[i])
            )
            decisions.append(
                TableDecision(
                    street=street,
                    seat=int(answers.seat[i]),
                    action=move,
                    baseline=expected,
                    delta=self._change(values.decisions[:, i]),
                    call_down=self._change(self._by_calls.decisions[:, i]),
                    to_call=owed / self._unit,
                    pot=int(answers.pot[i]) / self._unit,
                )
            )
        return decisions

    def _in_before(self, action: int) -> int:
        """Return the chips that the actor had put in on the street before this action."""
        answers = self._batch.answers
        same = (answers.seat == answers.seat[action]) & (answers.street == answers.street[action])
        earlier = np.flatnonzero(same[:action])
        if len(earlier):
            return int(answers.amount[earlier[-1]])
        if answers.street[action] != Street.PREFLOP:
            return 0
        return int(self._record.rules.blinds[int(answers.seat[action])])

    def _move(self, code: int, owed: int, bets: int, before: int) -> Move:
        name = name_of(action_of(code), to_call=owed, bet=bets)
        to = {ActionName.FOLD: before, ActionName.CHECK: before, ActionName.CALL: before + owed}
        return Move(name, to.get(name, code) / self._unit)
