"""What a player would do with every holding, for those of whom it is known beforehand.

Only heads-up limit, and only players whose probabilities depend on the hand alone: not on earlier
hands, nor on a computation while they play.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from railbird.errors import BadInput
from railbird.players.baseline import BaselinePlayer
from railbird.players.registry import REGISTRY, make_player
from railbird.players.simple import WeightedPlayer
from railbird.players.spec import parse_spec
from railbird.solve.limit.solving import open_equilibrium
from railbird.solve.limit.strategy import LimitStrategy
from railbird.solve.real_game import (
    BaselineStrategy,
    BoardStrategy,
    CardBlindStrategy,
    OneRowStrategy,
    StatesStrategy,
    by_weights,
)

_EQUILIBRIUM: Final = "equilibrium"


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
    """Tell whether `known_strategy` has one. Raises `BadInput` for specs of no player.

    An equilibrium is not opened, for one that has not been solved would be solved first.
    """
    parsed = parse_spec(spec)
    if parsed.name == _EQUILIBRIUM:
        return REGISTRY[_EQUILIBRIUM].values(parsed)["resolve"] is None
    return type(make_player(spec, writes=False)) in (BaselinePlayer, WeightedPlayer)


def known_strategy(spec: str) -> KnownStrategy:
    """Return the strategy of the player that a spec names.

    Raises `BadInput` for specs of no player, and for players whose strategy is not known,
    `DamagedFile` for a strategy's file that was changed: results are kept under its hash.
    """
    if not is_known(spec):
        raise BadInput(
            f"{spec}: what it does with every holding is not known beforehand; allowed: "
            "always-call, always-raise, always-fold, random, baseline, equilibrium without resolve"
        )
    parsed = parse_spec(spec)
    if parsed.name == _EQUILIBRIUM:
        name = REGISTRY[_EQUILIBRIUM].values(parsed)["strategy"]
        strategy = open_equilibrium(name, verify=True)
        return KnownStrategy(spec, StatesStrategy(strategy), _card_blind(strategy), strategy.hash)
    player = make_player(spec, writes=False)
    if isinstance(player, BaselinePlayer):
        settings = player.settings
        record = {"baseline": [asdict(row) for row in settings.streets], "pot": settings.pot.value}
        return KnownStrategy(spec, BaselineStrategy(settings), None, _key(record))
    assert isinstance(player, WeightedPlayer)
    weights = player.weights
    blind = by_weights((weights.fold, weights.call, weights.bet))
    key = _key({"weights": [weights.fold, weights.call, weights.bet]})
    return KnownStrategy(spec, OneRowStrategy(blind), blind, key)


def _key(record: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _card_blind(strategy: LimitStrategy) -> CardBlindStrategy | None:
    """Return a strategy of one state a street as one that does not look at its cards."""
    if max(strategy.abstraction.states) > 1:
        return None
    tables = []
    for part, table in zip(strategy.tree.rounds, strategy.probabilities, strict=True):
        found = table[0].astype(np.float64).reshape(part.slots, part.sequences)
        tables.append(found / np.add.reduceat(found, part.first_slot[:-1], axis=0)[part.node])
    return CardBlindStrategy(strategy.tree, tuple(tables))
