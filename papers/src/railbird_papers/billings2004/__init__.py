"""Experiments of Billings et al. (2004): Vexbot."""

from railbird_papers.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(
        name="vexbot-learning",
        summary="Vexbot's learning curves against simple players, rule players and an equilibrium.",
        source="Billings et al. 2004; Kan 2007, section 5.1, figures 5.1 to 5.3",
        place=f"{__name__}.learning:perform",
    ),
)
