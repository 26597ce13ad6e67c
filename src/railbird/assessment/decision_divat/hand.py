"""Full score of one hand of any hold'em: every decision, the luck of every street, the position.

Preflop values are means over random boards, drawn in independent samples whose differences give the
standard error of every number; after the flop values are exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._display import Tabular, table_of
from railbird.assessment.decision_divat._kernels_policy import MOST_SEATS
from railbird.assessment.decision_divat.scorer import HandValues, position_of, values_of
from railbird.assessment.decision_divat.settings import (
    BOARDS_OF_ONE_HAND,
    CALL_DOWN,
    POSITION_DEALS,
    SAMPLES_OF_ONE_HAND,
    ValuePolicy,
    baseline_for,
)
from railbird.baseline import STANDARD, SettingsLike, smoothing_from
from railbird.cards import Card, Holding, cards_of, format_cards
from railbird.errors import BadInput
from railbird.estimates.result_units import ResultUnit
from railbird.game import Call, Fold, Raise, Street
from railbird.game.engine import _kernels_layout as at
from railbird.game.notation import ActionName, name_of
from railbird.game.rules import BOARD_CARDS
from railbird.histories import HandRecord, read_hand
from railbird.histories.columns import HandBatch, batch_of

if TYPE_CHECKING:
    import polars as pl

Floats = npt.NDArray[np.float64]

_EXACT = 1e-9
"""Smaller differences between samples, in chips, are due to rounding."""


class Change(NamedTuple):
    """A change of value for every seat, in the hand's unit, with its standard errors."""

    value: tuple[float, ...]
    stderr: tuple[float, ...]

    @classmethod
    def of(cls, samples: Floats, seats: int, unit: float) -> Change:
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
    """An action in words: its name, and what the seat has then put in on this street."""

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
    delta: Change
    """By the baseline's values (B); zero where the baseline does the same."""
    call_down: Change
    """By the values of players who only call from here on (A); zero for a check or call."""
    to_call: float
    pot: float
    """Chips in front of the actor before the action, in the hand's unit."""

    @property
    def agrees(self) -> bool:
        """True if the baseline does the same."""
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
    luck: Change
    """By the cards that began the street, by the baseline's values."""
    call_down_luck: Change
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
class TableHandScore(Tabular):
    """Full score of a hand; money = position + luck + decisions - rake, seat by seat."""

    record: HandRecord
    holes: tuple[Holding, ...]
    unit: ResultUnit
    settings: str
    boards: int
    """Random boards before the flop."""
    money: tuple[float, ...]
    rake: tuple[float, ...]
    """Rake taken from each seat's pots."""
    position: Change
    """Value of the seats before the deal."""
    luck: Change
    """Of all streets."""
    decisions: Change
    """Of everybody, in all streets."""
    rounds: tuple[TableRound, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Names by seat."""
        return self.record.players

    @property
    def divat(self) -> tuple[float, ...]:
        """Position and decisions, less rake."""
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
        """Return a row for each decision and seat that it may have affected."""
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

    Several ``settings`` are averaged. ``boards`` are drawn before the flop, in
    `SAMPLES_OF_ONE_HAND` independent samples if there are so many; the value of the position is a
    mean over ``position_deals``, by default `POSITION_DEALS`. Raises
    `railbird.errors.BadInput` for a hand with unknown cards or more than ten players.
    """
    if isinstance(record, str):
        record = read_hand(record)
    holes = _all_known(record)
    if boards < 1:
        raise BadInput(f"{boards} boards; allowed: 1 or more")
    chosen = smoothing_from(settings)
    policies = [baseline_for(record.rules, one) for one in chosen]
    samples = min(boards, SAMPLES_OF_ONE_HAND)
    batch = batch_of([record]).rows([0] * samples)
    size = -(-boards // samples)
    values = _sampled(batch, policies, seed=seed, boards=size)
    by_calls = _sampled(batch, [CALL_DOWN], seed=seed, boards=size)
    names = "+".join(one.name for one in chosen)
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
    """Values of one hand in independent samples, in chips."""

    deal: Floats
    """(k, S)."""
    luck: Floats
    """(k, 3, S)."""
    decisions: Floats
    """(k, actions, S)."""
    expected: npt.NDArray[np.int64]
    """(actions,) by the first of the policies."""


def _sampled(
    batch: HandBatch, policies: Sequence[ValuePolicy], *, seed: int, boards: int
) -> _Sampled:
    by_policy: list[HandValues] = [
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
    """Assembly of the samples for one hand."""

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
            position=Change(
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
        # The policies play the same deals, so their errors go together.
        error: Floats = np.mean([np.sqrt(np.diag(value.covariance)) for value in by_policy], axis=0)
        return mean, error

    def _change(self, samples: Floats) -> Change:
        return Change.of(samples, self._seats, self._unit)

    def _luck(self, values: _Sampled, street: Street, position: Floats, error: Floats) -> Change:
        if street is not Street.PREFLOP:
            return self._change(values.luck[:, street - 1])
        return self._less(self._change(values.deal), position, error)

    def _less(self, change: Change, position: Floats, error: Floats) -> Change:
        value = np.array(change.value) - position / self._unit
        stderr = np.hypot(change.stderr, error / self._unit)
        return Change(tuple(value.tolist()), tuple(stderr.tolist()))

    def _decisions(self, street: Street) -> list[TableDecision]:
        answers, values = self._batch.answers, self._values
        decisions = []
        for i in np.flatnonzero(answers.street == street).tolist():
            owed, bets = int(answers.to_call[i]), int(answers.bets[i])
            before = int(answers.amount[i])
            if answers.name[i] != ActionName.CHECK and answers.name[i] != ActionName.FOLD:
                before = self._in_before(i)
            move, expected = (
                self._move(int(code), owed, bets, before)
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
        action = Fold() if code == at.FOLD else Call() if code == at.CALL else Raise(code)  # type: ignore[arg-type]
        name = name_of(action, to_call=owed, bet=bets)
        to = {ActionName.FOLD: before, ActionName.CHECK: before, ActionName.CALL: before + owed}
        return Move(name, to.get(name, code) / self._unit)
