"""Experiments of Chin and Lopez (2023): push/fold."""

from railbird_papers.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(
        name="pushfold-convergence",
        summary="Push/fold by sampled deals, from 100 iterations to 100,000, beside people.",
        source="Chin and Lopez 2023, figures 1 and 2",
        place=f"{__name__}.pushfold:convergence",
    ),
    Experiment(
        name="pushfold-users",
        summary="The equilibrium of push/fold against the people who played it.",
        source="Chin and Lopez 2023, section 3",
        place=f"{__name__}.pushfold:users",
    ),
    Experiment(
        name="pushfold-charts",
        summary="Largest stacks to push and call with, beside printed charts.",
        source="Chin and Lopez 2023, section 3.4",
        place=f"{__name__}.pushfold:charts",
    ),
)
