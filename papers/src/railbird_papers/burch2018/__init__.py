"""Experiments of Burch, Schmid, Moravčík, Morrill and Bowling (2018): AIVAT."""

from railbird_papers.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(
        name="aivat-leduc",
        summary="AIVAT on Leduc hold'em: the published standard deviations, by enumeration.",
        source="Burch et al. 2018, Leduc hold'em",
        place=f"{__name__}.leduc:leduc_table",
    ),
    Experiment(
        name="aivat-mistakes",
        summary="Mistakes in implementations of AIVAT, each with its bias on Leduc hold'em.",
        source="ours; after Burch et al. 2018",
        place=f"{__name__}.holdem:mistakes_experiment",
    ),
    Experiment(
        name="anytime-intervals",
        summary="Intervals looked at after every hand: how many matches each of them misses.",
        source="Waudby-Smith et al. 2024; Waudby-Smith and Ramdas 2024; Li, Chen and Huang 2026",
        place=f"{__name__}.leduc:anytime",
    ),
    Experiment(
        name="estimators",
        summary="Every estimator side by side on our own matches and, with --data, on a log.",
        source="ours; after White and Bowling 2009 and Burch et al. 2018",
        place=f"{__name__}.holdem:side_by_side",
    ),
)
