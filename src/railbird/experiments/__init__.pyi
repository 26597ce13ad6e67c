from .files import FILES, as_object, table, write
from .laboratory import Laboratory, Work, default_folder
from .registry import EXPERIMENTS, Experiment
from .result import Result
from .rows import Published, Row, Verdict
from .running import Run, run

__all__ = [
    "EXPERIMENTS",
    "FILES",
    "Experiment",
    "Laboratory",
    "Published",
    "Result",
    "Row",
    "Run",
    "Verdict",
    "Work",
    "as_object",
    "default_folder",
    "run",
    "table",
    "write",
]
