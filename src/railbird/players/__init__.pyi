from . import acpc, advice, llm, policy, registry
from .audience import Audience
from .compiled import Compiled, CompiledPolicy, policy_of
from .equilibrium import why_no_tree
from .explanation import Explanation
from .killer import PLAYED_GROUPS
from .known_strategy import known_policy, known_strategy
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
from .registry import REGISTRY, PlayerEntry, check_player, keeps_memory, make_player, why_unfit
from .seeds import rng_of
from .spec import parse_spec

__all__ = [
    "PLAYED_GROUPS",
    "REGISTRY",
    "Audience",
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
    "PlayerEntry",
    "Policy",
    "RaiseSizes",
    "RangeDistribution",
    "RangePolicy",
    "Remembering",
    "RemotePlayer",
    "Selective",
    "acpc",
    "advice",
    "check_player",
    "distribution_of",
    "introduce",
    "keeps_memory",
    "known_policy",
    "known_strategy",
    "llm",
    "make_player",
    "meet",
    "parse_spec",
    "policy",
    "policy_of",
    "registry",
    "rng_of",
    "why_no_tree",
    "why_unfit",
]
