from .assessment_report import text, write
from .charts import Theme
from .html_page import FILES, Image
from .match_document import export
from .match_summary import MatchSummary, summarise_match
from .match_terminal import score_table, smoothed_line

__all__ = [
    "FILES",
    "Image",
    "MatchSummary",
    "Theme",
    "export",
    "score_table",
    "smoothed_line",
    "summarise_match",
    "text",
    "write",
]
