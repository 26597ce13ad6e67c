from .batch import Unscorable, why_unscorable
from .crosstable import Crosstable, crosstable
from .divat.hand import (
    Comparison,
    DecisionScore,
    HandScore,
    RoundScore,
    SmoothedScore,
    score_hand,
)
from .divat.preflop_table import PreflopTable, find_table
from .divat.preflop_values import (
    EnumeratedPreflopValues,
    PreflopEstimates,
    PreflopValues,
    SampledPreflopValues,
)
from .divat.scorer import Scorer, open_scorer
from .frame import KINDS, ROUNDS
from .hand_text import one_lines
from .match import ESTIMATORS, Assessment, assess

__all__ = [
    "ESTIMATORS",
    "KINDS",
    "ROUNDS",
    "Assessment",
    "Comparison",
    "Crosstable",
    "DecisionScore",
    "EnumeratedPreflopValues",
    "HandScore",
    "PreflopEstimates",
    "PreflopTable",
    "PreflopValues",
    "RoundScore",
    "SampledPreflopValues",
    "Scorer",
    "SmoothedScore",
    "Unscorable",
    "assess",
    "crosstable",
    "find_table",
    "one_lines",
    "open_scorer",
    "score_hand",
    "why_unscorable",
]
