from .compiled import Compiled, CompiledPolicy, policy_of
from .explanation import Explanation
from .policy import (
    Closable,
    Distribution,
    Explaining,
    Policy,
    RaiseSizes,
    RangeDistribution,
    RangePolicy,
    Remembering,
    Selective,
    distribution_of,
)
from .protocol import (
    IllegalAnswer,
    KnowsNames,
    KnowsOpponents,
    NotAnAction,
    Observer,
    Player,
    RemotePlayer,
    introduce,
    meet,
)
from .registry import REGISTRY, check_player, keeps_memory, make_player
from .spec import parse_spec

__all__ = [
    "REGISTRY",
    "Closable",
    "Compiled",
    "CompiledPolicy",
    "Distribution",
    "Explaining",
    "Explanation",
    "IllegalAnswer",
    "KnowsNames",
    "KnowsOpponents",
    "NotAnAction",
    "Observer",
    "Player",
    "Policy",
    "RaiseSizes",
    "RangeDistribution",
    "RangePolicy",
    "Remembering",
    "RemotePlayer",
    "Selective",
    "check_player",
    "distribution_of",
    "introduce",
    "keeps_memory",
    "make_player",
    "meet",
    "parse_spec",
    "policy_of",
]
