from .any_table import TableAssessment, assess_table
from .assessment import Assessment
from .crosstable import Crosstable, crosstable
from .decision_divat import TableHandScore, score_table_hand
from .divat.estimators import ROUNDS
from .divat.hand import Comparison, DecisionScore, HandScore, RoundScore, SmoothedScore, score_hand
from .divat.preflop_values import (
    EnumeratedPreflopValues,
    PreflopEstimates,
    PreflopTable,
    PreflopValues,
    SampledPreflopValues,
    find_table,
)
from .divat.scorer import Scorer, open_scorer
from .estimator import ColumnEstimator, Estimator, EstimatorKind, Form, Scoring
from .limit_pair import MatchAssessment, assess, one_lines
from .player_statistics import PlayerStatistics, StatisticsByPlayer, statistics_by_player
from .prizes import PrizeLuck, all_in_prize_luck
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
    "EstimatorKind",
    "Form",
    "HandKind",
    "HandScore",
    "MatchAssessment",
    "PlayerStatistics",
    "PreflopEstimates",
    "PreflopTable",
    "PreflopValues",
    "PrizeLuck",
    "RoundScore",
    "SampledPreflopValues",
    "Scorer",
    "Scoring",
    "SmoothedScore",
    "StatisticsByPlayer",
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
    "statistics_by_player",
    "why_unscorable",
]
