"""The experiments by name, discovered by folder.

Each source has a folder beside this one whose ``EXPERIMENTS`` lists its experiments. Listing them
imports no code that plays or scores.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import railbird.experiments
from railbird.experiments.framework.experiment import Experiment

_OWN: Final = "framework"


def discover(folders: Iterable[str] = railbird.experiments.__path__) -> Mapping[str, Experiment]:
    """Return the experiments of every source, sources sorted by name, each in its own order."""
    experiments: dict[str, Experiment] = {}
    for module in pkgutil.iter_modules(folders):
        if module.ispkg and module.name != _OWN:
            source = importlib.import_module(f"railbird.experiments.{module.name}")
            for experiment in source.EXPERIMENTS:
                if experiment.name in experiments:
                    raise ValueError(f"two experiments are named {experiment.name!r}")
                experiments[experiment.name] = experiment
    return MappingProxyType(experiments)


EXPERIMENTS: Mapping[str, Experiment] = discover()
"""Every experiment by its name."""
