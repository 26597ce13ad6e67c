from .framework.experiment import Experiment, ExperimentResult
from .framework.registry import EXPERIMENTS
from .framework.rows import Published, Row, Verdict
from .framework.runner import FILES, ExperimentRun, as_object, document, run, table, write
from .framework.workspace import PlayedMatch, Work, Workspace, default_folder

__all__ = [
    "EXPERIMENTS",
    "FILES",
    "Experiment",
    "ExperimentResult",
    "ExperimentRun",
    "PlayedMatch",
    "Published",
    "Row",
    "Verdict",
    "Work",
    "Workspace",
    "as_object",
    "default_folder",
    "document",
    "run",
    "table",
    "write",
]
