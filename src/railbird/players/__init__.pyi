from . import acpc, advice, llm, policy, registry
from .audience import Audience
from .claims import CLAIMS, Claims, claims_of
from .compiled import Compiled, CompiledPolicy, policy_of
from .equilibrium import why_no_tree
from .explanation import Explanation
from .hand_in_words import HandInWords
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
from .registry import (
    REGISTRY,
    NotAPlayer,
    PlayerEntry,
    check_methods,
    keeps_memory,
    make_player,
    solves_while_playing,
    why_unfit,
)
from .seeds import rng_of
from .spec import parse_spec

__all__ = [
    "CLAIMS",
    "PLAYED_GROUPS",
    "REGISTRY",
    "Audience",
    "Claims",
    "Closable",
    "Compiled",
    "CompiledPolicy",
    "Distribution",
    "Explaining",
    "Explanation",
    "HandInWords",
    "IllegalAnswer",
    "KnowsNames",
    "KnowsOpponents",
    "NotAPlayer",
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
    "check_methods",
    "claims_of",
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
    "solves_while_playing",
    "why_no_tree",
    "why_unfit",
]
