"""The experiments by name, discovered by folder.

Each source has a folder beside this one whose ``EXPERIMENTS`` lists its experiments; listing them
imports no code that plays or scores. This module imports those folders, so they cannot import it.
So the class ``Experiment``, which they need for their lists, is in a separate module.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from railbird_papers.framework.experiment import Experiment

_SOURCES: Final = Path(__file__).parents[1]
_OWN: Final = Path(__file__).parent.name


def discover(folders: Iterable[str] = (str(_SOURCES),)) -> Mapping[str, Experiment]:
    """Return the experiments of all sources, sorted by source, each source in its own order."""
    experiments: dict[str, Experiment] = {}
    for module in pkgutil.iter_modules(folders):
        if module.ispkg and module.name != _OWN:
            source = importlib.import_module(f"railbird_papers.{module.name}")
            for experiment in source.EXPERIMENTS:
                if experiment.name in experiments:
                    raise ValueError(f"two experiments are named {experiment.name!r}")
                experiments[experiment.name] = experiment
    return MappingProxyType(experiments)


EXPERIMENTS: Mapping[str, Experiment] = discover()
"""Every experiment by its name."""
