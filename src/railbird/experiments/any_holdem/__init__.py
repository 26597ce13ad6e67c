"""Experiments on any hold'em: several players, no-limit, hidden cards."""

from railbird.experiments.framework.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = ()
