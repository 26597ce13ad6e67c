"""Experiments of Peretz (2005): Hold'em Killer."""

from railbird_papers.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(
        name="reduced-preflop",
        summary="Games of one chip before the flop: which hands bet first, and which call.",
        source="Peretz 2005, A Reductive Look at the Preflop",
        place=f"{__name__}.games:perform",
    ),
    Experiment(
        name="killer-claims",
        summary="Numbers of the source beside ours: odds, counts, examples, rankings.",
        source="Peretz 2005, all chapters",
        place=f"{__name__}.claims:perform",
    ),
    Experiment(
        name="killer-variants",
        summary="Parts that the source describes, each against the player without it.",
        source="Peretz 2005, Implied Odds, Opponent Modeling, Beyond the Sklansky Preflop",
        place=f"{__name__}.variants:perform",
    ),
)
