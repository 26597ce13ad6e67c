from .document import FILES, Image, export, write
from .facts import Facts, facts_of
from .palette import Theme
from .terminal import score_table, text

__all__ = ["FILES", "Facts", "Image", "Theme", "export", "facts_of", "score_table", "text", "write"]
