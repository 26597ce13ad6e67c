"""Players of any game that a kernel can also play, and the arrays that describe them to it.

`compiled_kernels` plays them; `loki.compiled` has the arrays for Loki.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.baseline import STANDARD, BaselineSettings, cutoffs
from railbird.game import Rules
from railbird.odds.rank_tables import open_tables
from railbird.players import compiled_kernels as by
from railbird.players.compiled_kernels import Policies, RankTables

if TYPE_CHECKING:
    from railbird.players.loki.settings import LokiSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedPolicy:
    """Draws by weight; see `railbird.players.simple`."""

    row: tuple[float, ...]
    """Columns as in `compiled_kernels`."""
    stream: int
    """The state of the player's SplitMix64."""

    @property
    def draws(self) -> bool:
        """Whether actions or sizes are random, so that the stream is needed."""
        kinds = sum(weight > 0 for weight in self.row[: by.SIZE])
        return kinds > 1 or self.row[by.SIZE] == by.RANDOM


@dataclass(frozen=True, slots=True)
class BaselinePolicy:
    """Plays the baseline; see `railbird.players.simple`."""

    settings: BaselineSettings

    @property
    def draws(self) -> bool:
        """Whether it draws; the baseline does not."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class LokiPolicy:
    """Plays like a `railbird.players.loki.LokiPlayer` after a reset."""

    settings: LokiSettings
    stream: int
    """The state of the player's SplitMix64."""
    simulates: bool = False
    """Whether it decides by simulating the rest of the hand."""

    @property
    def draws(self) -> bool:
        """Whether some decisions are random."""
        return self.settings.draws or self.simulates


CompiledPolicy = WeightedPolicy | BaselinePolicy | LokiPolicy
"""A player in a form that a kernel can play."""


@runtime_checkable
class Compiled(Protocol):
    """A player that a kernel can play, with exactly the actions of its own `act`."""

    def policy(self, rules: Rules) -> CompiledPolicy | None:
        """Return the player's form after a reset; None if the kernel cannot play these rules."""


@checked
def policy_of(player: object, rules: Rules) -> CompiledPolicy | None:
    """Return a player's compiled form for a game; None if it has none."""
    return player.policy(rules) if isinstance(player, Compiled) else None


def policies_of(players: Sequence[CompiledPolicy]) -> tuple[Policies, NDArray[np.uint64]]:
    """Return the players' rows and their streams; the kernel advances the streams."""
    streams = [0 if isinstance(player, BaselinePolicy) else player.stream for player in players]
    return _policies_of(tuple(map(_rule_of, players))), np.array(streams, np.uint64)


_Rule = tuple[float, ...] | BaselineSettings | None


def _rule_of(player: CompiledPolicy) -> _Rule:
    """Return what a player's row depends on; None for Loki, whose settings are elsewhere."""
    match player:
        case WeightedPolicy():
            return player.row
        case BaselinePolicy():
            return player.settings
        case LokiPolicy():
            return None


@lru_cache(maxsize=64)
def _policies_of(rules: tuple[_Rule, ...]) -> Policies:
    """Return the players' rows."""
    cuts = [cutoffs(rule if isinstance(rule, BaselineSettings) else STANDARD) for rule in rules]
    weights = [rule if isinstance(rule, tuple) else _NO_WEIGHTS for rule in rules]
    return Policies(
        kind=np.array(list(map(_kind_of, rules)), np.int64),
        weights=np.array(weights, np.float64),
        bettable=np.stack([cut.bettable for cut in cuts]),
        make=np.stack([cut.make for cut in cuts]),
        fold=np.stack([cut.fold for cut in cuts]),
    )


def _kind_of(rule: _Rule) -> int:
    if rule is None:
        return by.LOKI
    return by.BASELINE if isinstance(rule, BaselineSettings) else by.WEIGHTED


def tables_for(players: Sequence[CompiledPolicy]) -> RankTables:
    """Return the tables that the players need, or empty ones if they need none."""
    if any(isinstance(player, BaselinePolicy) for player in players):
        return rank_tables()
    return _no_tables()


@cache
def rank_tables() -> RankTables:
    """Return the hand-rank tables; the first call builds missing ones, in about a minute."""
    tables = open_tables()
    return RankTables(*(np.asarray(getattr(tables, name)) for name in RankTables._fields))


@cache
def _no_tables() -> RankTables:
    """Return empty tables of the same types: other types would make Numba compile again."""
    return RankTables(*map(_empty, RankTables._fields))


def _empty(name: str) -> NDArray[Any]:
    _, kind = name.split("_")
    dtype = np.uint64 if name == "preflop_hr7" else _DTYPES[kind]
    array = np.empty(0, dtype)
    array.flags.writeable = False
    return array


_DTYPES = {"start": np.int32, "pattern": np.uint8, "ihr": np.uint16, "hr7": np.uint32}
_NO_WEIGHTS = (0.0,) * by.ROW
