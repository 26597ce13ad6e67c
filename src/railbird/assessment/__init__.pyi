from . import (
    boardless_statistics,
    control_variates,
    counted_archive,
    counted_log,
    hand_spots,
    league,
    own_play,
    play_rating,
    player_statistics,
    prizes,
    pushfold,
    spot_language,
)
from .aivat.estimator import Aivat, strategy_of
from .aivat.no_limit import LessLuck, NoLimitAivat, less_luck, less_luck_of_first
from .any_table import TableAssessment, assess_table
from .anytime import anytime_intervals
from .assessment import Assessment
from .boardless_statistics import BoardlessStatistics, statistics_without_board
from .crosstable import Crosstable, crosstable
from .divat.any_game import BOARDS_OF_ONE_HAND, TableHandScore, score_table_hand
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
from .estimator import ColumnEstimator, Contest, Estimator, EstimatorKind, Scoring
from .field_differences import FieldDifference, field_differences
from .frozen_coefficients import Fingerprints, fingerprints_of, pack_fingerprints
from .integrity import Integrity, LogOrder
from .league import LeagueTable, league_of
from .limit_layout import Unscorable, copies_left_out, is_heads_up_limit, why_unscorable
from .limit_pair import MatchAssessment, assess, estimators_beside, one_lines
from .limit_rows import HandKind, deals_of_pairs
from .log import Log
from .other_games import OtherGameAssessment, assess_other_game, hand_luck
from .own_play import assess_play
from .player_luck import PlayerLuck
from .player_statistics import (
    HourlyRate,
    PlayerStatistics,
    StatisticsByPlayer,
    hourly_rates,
    statistics_by_player,
)
from .prizes import PrizeLuck, all_in_prize_luck, assess_tournaments
from .protocol_errors import ProtocolErrors
from .registry import ESTIMATORS, estimators_of
from .season import Season, hands_worth_telling, season_of
from .solved_decisions import SpotValues
from .tournament_returns import TournamentReturn, returns_of
from .verdict import RefusedMoney, RefusedTally

__all__ = [
    "BOARDS_OF_ONE_HAND",
    "ESTIMATORS",
    "ROUNDS",
    "Aivat",
    "Assessment",
    "BoardlessStatistics",
    "ColumnEstimator",
    "Comparison",
    "Contest",
    "Crosstable",
    "DecisionScore",
    "EnumeratedPreflopValues",
    "Estimator",
    "EstimatorKind",
    "FieldDifference",
    "Fingerprints",
    "HandKind",
    "HandScore",
    "HourlyRate",
    "Integrity",
    "LeagueTable",
    "LessLuck",
    "Log",
    "LogOrder",
    "MatchAssessment",
    "NoLimitAivat",
    "OtherGameAssessment",
    "PlayerLuck",
    "PlayerStatistics",
    "PreflopEstimates",
    "PreflopTable",
    "PreflopValues",
    "PrizeLuck",
    "ProtocolErrors",
    "RefusedMoney",
    "RefusedTally",
    "RoundScore",
    "SampledPreflopValues",
    "Scorer",
    "Scoring",
    "Season",
    "SmoothedScore",
    "SpotValues",
    "StatisticsByPlayer",
    "TableAssessment",
    "TableHandScore",
    "TournamentReturn",
    "Unscorable",
    "all_in_prize_luck",
    "anytime_intervals",
    "assess",
    "assess_other_game",
    "assess_play",
    "assess_table",
    "assess_tournaments",
    "boardless_statistics",
    "control_variates",
    "copies_left_out",
    "counted_archive",
    "counted_log",
    "crosstable",
    "deals_of_pairs",
    "estimators_beside",
    "estimators_of",
    "field_differences",
    "find_table",
    "fingerprints_of",
    "hand_luck",
    "hand_spots",
    "hands_worth_telling",
    "hourly_rates",
    "is_heads_up_limit",
    "league",
    "league_of",
    "less_luck",
    "less_luck_of_first",
    "one_lines",
    "open_scorer",
    "own_play",
    "pack_fingerprints",
    "play_rating",
    "player_statistics",
    "prizes",
    "pushfold",
    "returns_of",
    "score_hand",
    "score_table_hand",
    "season_of",
    "spot_language",
    "statistics_by_player",
    "statistics_without_board",
    "strategy_of",
    "why_unscorable",
]
