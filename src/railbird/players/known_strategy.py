"""What a player of heads-up hold'em does with every holding, if its play depends only on the hand.

In heads-up limit, the strategy of players that compute nothing during play is known beforehand,
street by street. In other games a player is asked at each decision in a hand.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from railbird.errors import BadInput, DamagedFile
from railbird.game import Rules
from railbird.players.blueprint import BlueprintPlayer, ResolvingBlueprintPlayer
from railbird.players.booker import BookerPlayer
from railbird.players.bot_oracle import BotOracle
from railbird.players.equilibrium import DEFAULT_STRATEGY
from railbird.players.policy import RangePolicy, hash_of, why_not
from railbird.players.protocol import Player
from railbird.players.registry import REGISTRY, make_player
from railbird.players.simple import BaselinePlayer, WeightedPlayer
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
    """The strategy of a player."""

    spec: str
    on_boards: BoardStrategy
    card_blind: CardBlindStrategy | None
    """The same strategy for a player that ignores its cards; None for others."""
    key: str
    """Hash of everything that it does."""


def is_known(spec: str) -> bool:
    """Return whether `known_strategy` knows a spec's player. Raises `BadInput` for a wrong spec.

    An equilibrium is not opened here: if it has not been solved yet, opening would solve it.
    """
    parsed = parse_spec(spec)
    if parsed.name == _EQUILIBRIUM:
        return REGISTRY[_EQUILIBRIUM].values(parsed).keys().isdisjoint(("resolve", "play"))
    return type(make_player(spec, writes=False)) in (BaselinePlayer, WeightedPlayer)


def known_strategy(spec: str) -> KnownStrategy:
    """Return the strategy of the player that a spec names.

    Raises `BadInput` if the spec names no player or one whose strategy is not known. Raises
    `DamagedFile` if a strategy's file was changed, because results are kept under its hash.
    """
    if not is_known(spec):
        raise BadInput(
            f"{spec}: its strategy is not known beforehand; allowed: "
            "always-call, always-raise, always-fold, random, baseline, equilibrium without resolve"
        )
    parsed = parse_spec(spec)
    if parsed.name == _EQUILIBRIUM:
        name = REGISTRY[_EQUILIBRIUM].values(parsed).get("strategy", DEFAULT_STRATEGY)
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


_OF_THE_HAND_ALONE: Final = (
    BlueprintPlayer,
    ResolvingBlueprintPlayer,
    BaselinePlayer,
    WeightedPlayer,
    BookerPlayer,
)
"""Classes of players without a memory. Their subclasses have one, or draw how to play a hand
beforehand, so the class must be exactly one of these."""


_SOMEBODYS: Final = ("bot", "python")
"""Players whose behaviour this source code does not determine."""


def asked_player(spec: str) -> Player:
    """Return a player to ask for its strategy rather than to play with.

    For a bot it is a player that asks the bot what it would do. Raises `BadInput` if the spec names
    no player.
    """
    parsed = parse_spec(spec)
    return BotOracle(parsed.detail) if parsed.name == "bot" else make_player(spec, writes=False)


def known_policy(spec: str, rules: Rules | None = None) -> RangePolicy:
    """Return a player that gives its probabilities for every holding, whatever happened earlier.

    ``rules`` are those of the game. A program or a user's class must name a hash, under which its
    strategy never changes. Raises `BadInput` if the spec names no player, or one whose strategy is
    not known.
    """
    player = asked_player(spec)
    if isinstance(player, ResolvingBlueprintPlayer) and player.is_hurried:
        raise BadInput(f"{spec}: its play depends on the time that it takes")
    is_theirs = parse_spec(spec).name in _SOMEBODYS
    is_frozen = is_theirs and isinstance(player, RangePolicy) and hash_of(player) != ""
    if type(player) not in _OF_THE_HAND_ALONE and not is_frozen:
        raise BadInput(
            f"{spec}: its play depends on more than the hand; allowed: "
            "equilibrium:nolimit, baseline, booker:1, always-call, always-raise, always-fold, "
            "random, a bot that answers ask_strategy"
        )
    if rules is not None and (why := why_not(player, rules)):
        raise BadInput(f"{spec}: {why}")
    assert isinstance(player, RangePolicy)
    return player


def _key(record: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _card_blind(strategy: LimitStrategy) -> CardBlindStrategy | None:
    """Return a strategy with one state per street as one that ignores its cards, else None."""
    if max(strategy.abstraction.states) > 1:
        return None
    tables = []
    for part, table in zip(strategy.tree.rounds, strategy.probabilities, strict=True):
        shares = table[0].astype(np.float64).reshape(part.slots, part.sequences)
        totals = np.add.reduceat(shares, part.first_slot[:-1], axis=0)
        if not totals.all():
            raise DamagedFile("the strategy has no probabilities at a decision")
        tables.append(shares / totals[part.node])
    return CardBlindStrategy(strategy.tree, tuple(tables))
