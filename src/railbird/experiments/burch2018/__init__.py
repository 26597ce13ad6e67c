"""Experiments of Burch, Schmid, Moravčík, Morrill and Bowling (2018): AIVAT."""

from railbird.experiments.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(
        name="aivat-leduc",
        summary="AIVAT on Leduc hold'em: the published standard deviations, by enumeration.",
        source="Burch et al. 2018, Leduc hold'em",
        place=f"{__name__}.leduc_table:perform",
    ),
    Experiment(
        name="aivat-mistakes",
        summary="Mistakes in implementations of AIVAT, each with its bias on Leduc hold'em.",
        source="ours; after Burch et al. 2018",
        place=f"{__name__}.mistakes:perform",
    ),
)
