from .match.match_summary import MatchSummary, summarise_match
from .match.report_files import FILES, Image, export, write
from .match.terminal import score_table, smoothed_line, text
from .toolkit.palette import Theme

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
