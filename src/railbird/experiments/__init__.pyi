from .framework.experiment import Experiment
from .framework.output import FILES, as_object, table, write
from .framework.registry import EXPERIMENTS
from .framework.result import Result
from .framework.rows import Published, Row, Verdict
from .framework.runner import Run, run
from .framework.workspace import PlayedMatch, Work, Workspace, default_folder

__all__ = [
    "EXPERIMENTS",
    "FILES",
    "Experiment",
    "PlayedMatch",
    "Published",
    "Result",
    "Row",
    "Run",
    "Verdict",
    "Work",
    "Workspace",
    "as_object",
    "default_folder",
    "run",
    "table",
    "write",
]
