"""What a player would do with every holding, for those of whom it is known beforehand.

Only heads-up limit, and only players whose probabilities depend on the hand alone: not on earlier
hands, nor on a computation while they play.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from railbird.errors import BadInput
from railbird.players.baseline import BaselinePlayer
from railbird.players.equilibrium.player import StrategyPlayer
from railbird.players.registry import make_player
from railbird.players.simple import WeightedPlayer
from railbird.solve.limit.strategy import LimitStrategy
from railbird.solve.real_game import (
    BaselineStrategy,
    BoardStrategy,
    CardBlindStrategy,
    OneRowStrategy,
    StatesStrategy,
    by_weights,
)


@dataclass(frozen=True, slots=True)
class KnownStrategy:
    """A player's probabilities."""

    spec: str
    on_boards: BoardStrategy
    card_blind: CardBlindStrategy | None
    """The same for a player that does not look at its cards."""
    key: str
    """Hash of all that it does."""


def is_known(spec: str) -> bool:
    """Tell whether `known_strategy` has one. Raises `BadInput` for specs of no player."""
    return type(make_player(spec, writes=False)) in (StrategyPlayer, BaselinePlayer, WeightedPlayer)


def known_strategy(spec: str) -> KnownStrategy:
    """Return the strategy of the player that a spec names.

    Raises `BadInput` for specs of no player, and for players whose strategy is not known.
    """
    player = make_player(spec, writes=False)
    if type(player) is StrategyPlayer:
        strategy = player.strategy
        key = strategy.hash or _hash_of(strategy)
        return KnownStrategy(spec, StatesStrategy(strategy), None, key)
    if type(player) is BaselinePlayer:
        settings = player.settings
        record = {"baseline": [asdict(row) for row in settings.streets], "pot": settings.pot.value}
        return KnownStrategy(spec, BaselineStrategy(settings), None, _key(record))
    if type(player) is WeightedPlayer:
        weights = player.weights
        blind = by_weights((weights.fold, weights.call, weights.bet))
        key = _key({"weights": [weights.fold, weights.call, weights.bet]})
        return KnownStrategy(spec, OneRowStrategy(blind), blind, key)
    raise BadInput(
        f"{spec}: what it does with every holding is not known beforehand; allowed: always-call, "
        "always-raise, always-fold, random, baseline, equilibrium without resolve"
    )


def _key(record: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _hash_of(strategy: LimitStrategy) -> str:
    digest = hashlib.sha256(json.dumps(strategy.abstraction.record, sort_keys=True).encode())
    for table in strategy.probabilities:
        digest.update(table.tobytes())
    return digest.hexdigest()
