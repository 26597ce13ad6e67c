"""Players: the protocol, the ones that need no model, and the specs that name them."""

from railbird.players.compiled import Compiled, Policy, policy_of
from railbird.players.protocol import (
    Acquainted,
    Introduced,
    NotAnAction,
    Observer,
    Player,
    Relay,
    introduce,
)
from railbird.players.registry import REGISTRY, keeps_memory, make_player
from railbird.players.spec import parse_spec

__all__ = [
    "REGISTRY",
    "Acquainted",
    "Compiled",
    "Introduced",
    "NotAnAction",
    "Observer",
    "Player",
    "Policy",
    "Relay",
    "introduce",
    "keeps_memory",
    "make_player",
    "parse_spec",
    "policy_of",
]
