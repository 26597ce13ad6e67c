"""The experiments by name, found by folder.

A source's experiments are a folder beside this one whose ``EXPERIMENTS`` lists them. Listing
imports nothing that plays or scores.
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
    """Collect the experiments of every source, the sources by name, each in its own order."""
    found: dict[str, Experiment] = {}
    for module in pkgutil.iter_modules(folders):
        if module.ispkg and module.name != _OWN:
            source = importlib.import_module(f"railbird.experiments.{module.name}")
            for experiment in source.EXPERIMENTS:
                if experiment.name in found:
                    raise ValueError(f"two experiments are named {experiment.name!r}")
                found[experiment.name] = experiment
    return MappingProxyType(found)


EXPERIMENTS: Mapping[str, Experiment] = discover()
"""Every experiment by its name."""
