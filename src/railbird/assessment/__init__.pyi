from .all_in.prize_luck import PrizeLuck, all_in_prize_luck
from .crosstable import Crosstable, crosstable
from .decision_divat.hand import TableHandScore, score_table_hand
from .decision_divat.match import TableAssessment, assess_table
from .divat.estimators import ROUNDS
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
from .estimator import ColumnEstimator, Estimator, Form, Kind, Scoring
from .hand_text import one_lines
from .match import Assessment, assess
from .registry import ESTIMATORS, estimators_of
from .scorable_batch import Unscorable, why_unscorable
from .score_frame import HandKind

__all__ = [
    "ESTIMATORS",
    "ROUNDS",
    "Assessment",
    "ColumnEstimator",
    "Comparison",
    "Crosstable",
    "DecisionScore",
    "EnumeratedPreflopValues",
    "Estimator",
    "Form",
    "HandKind",
    "HandScore",
    "Kind",
    "PreflopEstimates",
    "PreflopTable",
    "PreflopValues",
    "PrizeLuck",
    "RoundScore",
    "SampledPreflopValues",
    "Scorer",
    "Scoring",
    "SmoothedScore",
    "TableAssessment",
    "TableHandScore",
    "Unscorable",
    "all_in_prize_luck",
    "assess",
    "assess_table",
    "crosstable",
    "estimators_of",
    "find_table",
    "one_lines",
    "open_scorer",
    "score_hand",
    "score_table_hand",
    "why_unscorable",
]
