"""The Lokis of a table in the form that kernels play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING
from railbird.game import Rules, Street
from railbird.modelling import Checks, Ranking, income_rates
from railbird.modelling import _kernels_tracker_layout as tracked
from railbird.modelling.settings import (
    BLENDED,
    DEFAULTS,
    LEAST_PREFLOP_MEAN,
    POSTFLOP_SPREAD,
    PREFLOP_SPREAD,
)
from railbird.players.compiled.policies import CompiledPolicy, LokiPolicy
from railbird.players.loki import _kernels_loki_layout as by
from railbird.players.loki._kernels_loki import Loki
from railbird.players.loki.beliefs import fixed_weights
from railbird.players.loki.rules.preflop import Group, Strategy, asked, expert_table, group_of
from railbird.players.loki.rules.spot import most_raises, small_blind
from railbird.players.loki.settings import (
    Checkers,
    LokiSettings,
    Modelling,
    Opponents,
    RaiseTo,
)

_GROUPS = tuple(Group)
_OPPONENTS = {Opponents.ALL: by.ALL, Opponents.EACH: by.EACH, Opponents.ONE: by.ONE}


def table_of(players: Sequence[CompiledPolicy], rules: Rules) -> Loki:
    """Return a table at which nothing has been observed yet, with players by number."""
    rows = np.zeros(len(players), by.PLAYER)
    trackers: dict[_Tracking, int] = {}
    for number, each in enumerate(players):
        if isinstance(each, LokiPolicy):
            tracking = _tracking(each.settings)
            tracker = -1 if tracking is None else trackers.setdefault(tracking, len(trackers))
            _fill_player(rows[number], each.settings, tracker, rules.seats)
    return Loki(rows, _table(rules), _trackers(list(trackers)), _boards())


class _Tracking(NamedTuple):
    """Settings of a tracker: fields of its record, by their names."""

    is_specific: bool
    by_field: bool
    uses_checks: bool
    decay: float
    floor: float


def _tracking(settings: LokiSettings) -> _Tracking | None:
    if settings.modelling is Modelling.NONE:
        return None
    return _Tracking(
        is_specific=settings.modelling is Modelling.SPECIFIC,
        by_field=settings.scale is Ranking.FIELD,
        uses_checks=settings.checks is Checks.INVERSE,
        decay=settings.decay,
        floor=settings.floor,
    )


def _fill_player(row: np.void, settings: LokiSettings, tracker: int, seats: int) -> None:
    row["tracker"] = tracker
    row["opponents"] = _OPPONENTS[settings.opponents]
    row["counts_checkers"] = settings.checkers is Checkers.COUNT
    row["to_cap"] = settings.raise_to is RaiseTo.CAP
    for name in _SAME:
        row[name] = getattr(settings, name)
    row["fixed"] = fixed_weights(settings.weights)
    row["thresholds"][: len(_GROUPS), :seats] = _thresholds(settings, seats)


_SAME = (
    "potential",
    "semi_bluff",
    "pot_odds",
    "showdown_odds",
    "make1",
    "make2",
    "jitter",
    "check_raise",
    "balancing_raise",
    "river_bluff",
    "bluff_below",
)
"""Settings that records have by the same names."""


def _table(rules: Rules) -> NDArray[np.void]:
    table, seats, expert = np.zeros(1, by.TABLE), rules.seats, expert_table()
    table["blinds"][0, :seats] = rules.blinds
    table["caps"][0] = [most_raises(rules, street) for street in Street]
    table["small_blind"] = small_blind(rules)
    for guaranteed in range(seats + 1):
        for others in range(seats + 1 - guaranteed):
            group = group_of(expert.expected_players(guaranteed, others))
            table["group"][0, guaranteed, others] = _GROUPS.index(group)
    table["rates"][0, : len(_GROUPS)] = [income_rates(group.opponents) for group in _GROUPS]
    return table


def _trackers(trackings: Sequence[_Tracking]) -> NDArray[np.void]:
    trackers = np.zeros(len(trackings), tracked.TRACKER)
    for number, tracking in enumerate(trackings):
        for name, value in tracking._asdict().items():
            trackers[name][number] = value
        trackers["weights"][number, :, 0] = 1.0
    return trackers


def _boards() -> NDArray[np.void]:
    boards, rates = np.zeros(1, tracked.BOARDS), income_rates(6)[CLASS_OF_HOLDING]
    boards["defaults"] = DEFAULTS
    boards["rates"], boards["ascending"] = rates, np.sort(rates)
    boards["blended"] = BLENDED
    boards["preflop_spread"], boards["postflop_spread"] = PREFLOP_SPREAD, POSTFLOP_SPREAD
    boards["least_preflop_mean"] = LEAST_PREFLOP_MEAN
    return boards


@lru_cache(maxsize=64)
def _thresholds(settings: LokiSettings, seats: int) -> NDArray[np.float64]:
    """Return the least income rates (groups, positions, 2, strategies); infinite for none."""
    found = np.full((len(_GROUPS), seats, 2, len(Strategy)), inf)
    for place, group in enumerate(_GROUPS):
        for position in range(seats):
            for is_small_blind in (False, True):
                for strategy, least in asked(
                    group,
                    settings.tightness,
                    position,
                    small_blind=is_small_blind,
                    offset=settings.offset,
                ):
                    found[place, position, int(is_small_blind), strategy] = least
    return found
