"""Experiments of Booker (2004): no-limit tournament agents."""

from railbird_papers.framework.experiment import Experiment

_SOURCE = "Booker 2004"

EXPERIMENTS = (
    Experiment(
        name="booker-heads-up",
        summary="Booker's agents against the test agents and against their like.",
        source=f"{_SOURCE}, sections 6.5 and 7.6 to 7.9",
        place=f"{__name__}.learning:heads_up",
    ),
    Experiment(
        name="booker-paying",
        summary="Booker 3 and 4 paying for information, and without, on the same cards.",
        source=f"{_SOURCE}, section 7.6.3",
        place=f"{__name__}.learning:paying",
    ),
    Experiment(
        name="booker-multiplayer",
        summary="Six agents in tournaments for money, until neighbours are told apart.",
        source=f"{_SOURCE}, section 8",
        place=f"{__name__}.learning:multiplayer",
    ),
    Experiment(
        name="booker-learning",
        summary="A learner in place of a person, against Booker 1 and Booker 4.",
        source=f"{_SOURCE}, section 9",
        place=f"{__name__}.learning:learning",
    ),
    Experiment(
        name="booker-aggression",
        summary="Booker 3 and 4 at six aggressions, among themselves.",
        source=f"{_SOURCE}, section 7.6.3",
        place=f"{__name__}.learning:aggression",
    ),
    Experiment(
        name="booker-activities",
        summary="Eight cognitive activities, each with a measured number.",
        source=f"{_SOURCE}, section 7.10",
        place=f"{__name__}.activities:perform",
    ),
    Experiment(
        name="booker-trees",
        summary="The decision trees of four agents, drawn from their rules.",
        source=f"{_SOURCE}, sections 7.6.1 to 7.6.4, figures 7.1.1 to 7.4.2",
        place=f"{__name__}.trees:perform",
    ),
)
