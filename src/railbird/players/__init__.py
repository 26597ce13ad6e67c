"""Players: the protocol, the players themselves, and the specs that name them."""

from railbird.players.compiled_policies import Compiled, CompiledPolicy, policy_of
from railbird.players.protocol import (
    KnowsNames,
    KnowsOpponents,
    NotAnAction,
    Observer,
    Player,
    RemotePlayer,
    introduce,
)
from railbird.players.registry import REGISTRY, check_player, keeps_memory, make_player
from railbird.players.spec import parse_spec

__all__ = [
    "REGISTRY",
    "Compiled",
    "CompiledPolicy",
    "KnowsNames",
    "KnowsOpponents",
    "NotAnAction",
    "Observer",
    "Player",
    "RemotePlayer",
    "check_player",
    "introduce",
    "keeps_memory",
    "make_player",
    "parse_spec",
    "policy_of",
]
