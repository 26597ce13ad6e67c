"""Experiments of Peretz (2005): Hold'em Killer."""

from railbird.experiments.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(
        name="reduced-preflop",
        summary="Games of one chip before the flop: which hands bet first, and which call.",
        source="Peretz 2005, A Reductive Look at the Preflop",
        place=f"{__name__}.reduced_preflop:perform",
    ),
    Experiment(
        name="killer-claims",
        summary="Every number of the source beside ours: odds, counts, examples, rankings.",
        source="Peretz 2005, all chapters",
        place=f"{__name__}.claims:perform",
    ),
)
