"""The Lokis at a table of any hold'em, in the form that kernels play.

`railbird.players.compiled` has the form for simpler players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import inf
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING
from railbird.game import Rules, Street
from railbird.modelling import Checks, Ranking, income_rates
from railbird.modelling import kernels as tracked
from railbird.modelling import learned_kernels as learned
from railbird.modelling.learned import NO_FACTS, preflop_strength_classes, read_model, shipped_model
from railbird.modelling.learned_kernels import (
    GROUPS,
    LATER_CLASSES,
    LATER_ROWS,
    PREFLOP_CLASSES,
    PREFLOP_ROWS,
    LearnedArrays,
)
from railbird.modelling.reweighting import board_tables
from railbird.modelling.settings import (
    BLENDED,
    DEFAULTS,
    LEAST_PREFLOP_MEAN,
    POSTFLOP_SPREAD,
    PREFLOP_SPREAD,
)
from railbird.players.compiled import CompiledPolicy, LokiPolicy
from railbird.players.loki import kernels as by
from railbird.players.loki.kernels import Extensions, Loki
from railbird.players.loki.player import fixed_weights
from railbird.players.loki.preflop import (
    CELLS,
    ExpectedPlayers,
    PreflopPlan,
    ThresholdCell,
    asked,
    expert_table,
    group_of,
    measured_thresholds,
    most_raises,
    small_blind,
)
from railbird.players.loki.settings import (
    Checkers,
    LokiSettings,
    Model,
    Modelling,
    Opponents,
    PreflopThresholds,
    RaiseTo,
)

_GROUPS = tuple(ExpectedPlayers)
_OPPONENTS = {Opponents.ALL: by.ALL, Opponents.EACH: by.EACH, Opponents.ONE: by.ONE}


def table_of(
    players: Sequence[CompiledPolicy], *, together: bool
) -> tuple[Loki, Extensions | None]:
    """Return a table at which nothing has been observed yet, with players by number.

    ``together`` says that all of them see every hand. Players who track in the same way then share
    a tracker.
    """
    rows, trackings = np.zeros(len(players), by.PLAYER), list[_Tracking]()
    rows["tracker"] = -1
    is_extended = False
    for number, policy in enumerate(players):
        if isinstance(policy, LokiPolicy):
            _fill_player(rows[number], policy.settings)
            rows["trials"][number] = policy.settings.trials if policy.simulates else 0
            tracking = _tracking(policy.settings)
            if tracking is not None:
                is_extended = is_extended or policy.simulates or tracking.is_learned
                if not together or tracking not in trackings:
                    trackings.append(tracking)
                shared = trackings.index(tracking) if together else len(trackings) - 1
                rows["tracker"][number] = shared
    trackers = _trackers(trackings)
    extensions = None
    if is_extended:
        space = np.empty(1, by.ACTIONS)
        extensions = Extensions(_learned(trackings, trackers), board_tables(), space, NO_FACTS)
    return Loki(rows, _table(), trackers, _boards()), extensions


def set_rules(table: Loki, rules: Rules) -> None:
    """Set the rules for the hands to come."""
    record = table.table[0]
    record["blinds"][: rules.seats] = rules.blinds
    record["caps"] = [most_raises(rules, street) for street in Street]
    record["small_blind"] = small_blind(rules)


class _Tracking(NamedTuple):
    """Settings of a tracker, under the names of its record's fields."""

    is_specific: bool
    by_field: bool
    uses_checks: bool
    decay: float
    floor: float
    is_learned: bool
    actions: Path | None
    """The learned model's file; None for the one that comes with the program."""


def _tracking(settings: LokiSettings) -> _Tracking | None:
    if settings.modelling is Modelling.NONE:
        return None
    is_learned = settings.model is Model.LEARNED
    return _Tracking(
        is_specific=settings.modelling is Modelling.SPECIFIC,
        by_field=settings.scale is Ranking.FIELD,
        uses_checks=settings.checks is Checks.INVERSE,
        decay=settings.decay,
        floor=settings.floor,
        is_learned=is_learned,
        actions=settings.actions if is_learned else None,
    )


def _fill_player(row: np.void, settings: LokiSettings) -> None:
    row["opponents"] = _OPPONENTS[settings.opponents]
    row["counts_checkers"] = settings.checkers is Checkers.COUNT
    row["to_cap"] = settings.raise_to is RaiseTo.CAP
    row["fold_equity"] = settings.uses_fold_equity
    row["measured"] = settings.preflop is PreflopThresholds.MEASURED
    for name in _SAME:
        row[name] = getattr(settings, name)
    row["fixed"] = fixed_weights(settings.weights)
    row["thresholds"][: len(_GROUPS)] = _thresholds(settings)


_SAME = (
    "potential",
    "semi_bluff",
    "pot_odds",
    "showdown_odds",
    "make1",
    "make2",
    "jitter",
    "check_raise",
    "fake_check_raise",
    "balancing_raise",
    "river_bluff",
    "bluff_below",
)
"""Settings that have the same names in the records."""


def _table() -> NDArray[np.void]:
    table = np.zeros(1, by.TABLE)
    table["group"][0] = _groups()
    table["rates"][0, : len(_GROUPS)] = [income_rates(group.opponents) for group in _GROUPS]
    return table


@cache
def _groups() -> NDArray[np.int64]:
    """Return the group for each number of players in and of players who may come in."""
    expert, groups = expert_table(), np.zeros(by.TABLE["group"].shape, np.int64)
    for guaranteed, others in np.ndindex(*groups.shape):
        group = group_of(expert.expected_players(guaranteed, others))
        groups[guaranteed, others] = _GROUPS.index(group)
    return groups


def _trackers(trackings: Sequence[_Tracking]) -> NDArray[np.void]:
    trackers = np.zeros(len(trackings), tracked.TRACKER)
    for number, tracking in enumerate(trackings):
        for name in _OF_TRACKER:
            trackers[name][number] = getattr(tracking, name)
        trackers["learner"][number] = -1
        trackers["weights"][number, :, 0] = 1.0
    return trackers


_OF_TRACKER = ("is_specific", "by_field", "uses_checks", "decay", "floor")
"""Settings that have the same names in the trackers' records."""


def _learned(trackings: Sequence[_Tracking], trackers: NDArray[np.void]) -> LearnedArrays:
    """Return records in which nothing is learned of types yet, and number them in the trackers."""
    learners = [number for number, tracking in enumerate(trackings) if tracking.is_learned]
    trackers["learner"][learners] = range(len(learners))
    files = list(dict.fromkeys(trackings[number].actions for number in learners))
    models = [shipped_model() if file is None else read_model(file) for file in files]
    evidence, first = np.zeros(len(learners), learned.EVIDENCE), 0
    for file, model in zip(files, models, strict=True):
        own = [place for place, n in enumerate(learners) if trackings[n].actions == file]
        evidence["first"][own], evidence["types"][own] = first, model.types
        evidence["model"][own] = files.index(file)
        first += model.types
    evidence["is_specific"] = trackers["is_specific"][learners]
    classes = np.zeros(1, learned.BOARD_CLASSES)
    classes["nothing_more"] = 1.0
    classes["preflop"][0] = [preflop_strength_classes(group) for group in range(GROUPS)]
    kinds = (tracked.KINDS,)
    preflop = [np.empty((0, PREFLOP_ROWS, PREFLOP_CLASSES, *kinds))]
    later = [np.empty((0, LATER_ROWS, LATER_CLASSES, *kinds))]
    facts = np.array([NO_FACTS, *(model.facts for model in models)])[1:]
    facts.flags.writeable = False  # like the facts of players without a model
    return LearnedArrays(
        evidence,
        np.concatenate(preflop + [model.preflop for model in models]),
        np.concatenate(later + [model.later for model in models]),
        facts,
        classes,
    )


def _boards() -> NDArray[np.void]:
    boards, rates = np.zeros(1, tracked.BOARDS), income_rates(6)[CLASS_OF_HOLDING]
    boards["defaults"] = DEFAULTS
    boards["rates"], boards["ascending"] = rates, np.sort(rates)
    boards["blended"] = BLENDED
    boards["preflop_spread"], boards["postflop_spread"] = PREFLOP_SPREAD, POSTFLOP_SPREAD
    boards["least_preflop_mean"] = LEAST_PREFLOP_MEAN
    return boards


@lru_cache(maxsize=64)
def _thresholds(settings: LokiSettings) -> NDArray[np.float64]:
    """Return least income rates, (groups, positions, cells, strategies); infinite for never."""
    positions = by.PLAYER["thresholds"].shape[1]
    thresholds = np.full((len(_GROUPS), positions, by.CELLS, len(PreflopPlan)), inf)
    for place, group in enumerate(_GROUPS):
        for position in range(positions):
            for cell, rows in enumerate(_rows(settings, group, position)):
                for strategy, least in rows:
                    thresholds[place, position, cell, strategy] = least
    return thresholds


def _rows(
    settings: LokiSettings, group: ExpectedPlayers, position: int
) -> Iterator[tuple[tuple[PreflopPlan, float], ...]]:
    """Yield the thresholds of a group and position, cell by cell."""
    if settings.preflop is PreflopThresholds.MEASURED:
        for seat, pot in CELLS:
            yield measured_thresholds(ThresholdCell(group, seat, pot), position, settings.offset)
    else:
        for small_blind in (False, True):
            yield asked(
                group,
                settings.tightness,
                position,
                small_blind=small_blind,
                offset=settings.offset,
            )
