from .crosstables import Crosstable, crosstable
from .estimate import Estimate, Moments, hands_to_decide, variance_reduction
from .frame import KINDS, ROUNDS
from .hands import Unfit, unfit
from .match import ESTIMATORS, Assessment, assess
from .preflop import PreflopTable, find_table
from .score import Comparison, DecisionScore, HandScore, RoundScore, score_hand
from .scorer import Scorer, open_scorer
from .values import (
    EnumeratedPreflopValues,
    PreflopEstimates,
    PreflopValues,
    SampledPreflopValues,
)

__all__ = [
    "ESTIMATORS",
    "KINDS",
    "ROUNDS",
    "Assessment",
    "Comparison",
    "Crosstable",
    "DecisionScore",
    "EnumeratedPreflopValues",
    "Estimate",
    "HandScore",
    "Moments",
    "PreflopEstimates",
    "PreflopTable",
    "PreflopValues",
    "RoundScore",
    "SampledPreflopValues",
    "Scorer",
    "Unfit",
    "assess",
    "crosstable",
    "find_table",
    "hands_to_decide",
    "open_scorer",
    "score_hand",
    "unfit",
    "variance_reduction",
]
