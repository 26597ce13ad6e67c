from . import (
    assessment_report,
    charts,
    decision,
    document,
    evaluations,
    hand_replay,
    html_page,
    night_page,
    odds,
    opponent_charts,
    play_rating,
    pushfold_pages,
    range_chart,
    run_card,
    table_document,
)
from .assessment_report import ResultRow, paper_table, result_rows, text, usual_estimators, write
from .bankroll import bankroll_table
from .charts import Theme
from .decision import decision_document, decision_of
from .document import Document, Figure, Section, Table, terminal_table
from .fingerprint import fingerprint_document
from .headline import no_verdict, rake_of_matches
from .html_page import FILES, Image, check_pictures, picture
from .match_document import export
from .match_summary import MatchSummary, summarise_match
from .match_terminal import anytime_table, score_table, smoothed_line
from .night_document import hand_told, night_document, payment_words, results_table
from .opponent_charts import OpponentSummary
from .opponent_document import opponent_document
from .other_game_document import (
    LISTED,
    hands_of_note,
    luck_in_other_game,
    other_game_document,
)
from .play_document import play_document
from .prize_document import luck_words, prize_document, series_words
from .range_chart import range_text
from .statistics_document import divided_document, hands_document, statistics_document
from .strategy_chart import strategy_csv, strategy_document
from .street_document import street_document, street_json
from .tournament_sections import (
    refused_summaries_words,
    return_words,
    tournament_sections,
    tournaments_document,
)

__all__ = [
    "FILES",
    "LISTED",
    "Document",
    "Figure",
    "Image",
    "MatchSummary",
    "OpponentSummary",
    "ResultRow",
    "Section",
    "Table",
    "Theme",
    "anytime_table",
    "assessment_report",
    "bankroll_table",
    "charts",
    "check_pictures",
    "decision",
    "decision_document",
    "decision_of",
    "divided_document",
    "document",
    "evaluations",
    "export",
    "fingerprint_document",
    "hand_replay",
    "hand_told",
    "hands_document",
    "hands_of_note",
    "html_page",
    "luck_in_other_game",
    "luck_words",
    "night_document",
    "night_page",
    "no_verdict",
    "odds",
    "opponent_charts",
    "opponent_document",
    "other_game_document",
    "paper_table",
    "payment_words",
    "picture",
    "play_document",
    "play_rating",
    "prize_document",
    "pushfold_pages",
    "rake_of_matches",
    "range_chart",
    "range_text",
    "refused_summaries_words",
    "result_rows",
    "results_table",
    "return_words",
    "run_card",
    "score_table",
    "series_words",
    "smoothed_line",
    "statistics_document",
    "strategy_csv",
    "strategy_document",
    "street_document",
    "street_json",
    "summarise_match",
    "table_document",
    "terminal_table",
    "text",
    "tournament_sections",
    "tournaments_document",
    "usual_estimators",
    "write",
]
