"""Experiments of Kan (2007): DIVAT."""

from railbird_papers.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(
        name="kan-claims",
        summary="143 numbers that the text works out beside ours, with tables 3.3 and 3.4 whole.",
        source="Kan 2007, chapters 1 to 5",
        place=f"{__name__}.claims:perform",
    ),
    Experiment(
        name="always-call-always-raise",
        summary="Two players without skill: money wanders, DIVAT stays near zero.",
        source="Kan 2007, section 4.2.1, figures 1.1 and 4.1 to 4.4",
        place=f"{__name__}.matches:always_call",
    ),
    Experiment(
        name="self-play",
        summary="A player against itself, on the same cards: DIVAT recognises a draw.",
        source="Kan 2007, section 4.2.2, figure 4.5",
        place=f"{__name__}.matches:self_play",
    ),
    Experiment(
        name="duplicate",
        summary="Two players in duplicate: DIVAT in one direction, duplicate money, and both.",
        source="Kan 2007, section 4.2.3, figures 4.6 and 4.7",
        place=f"{__name__}.matches:duplicate",
    ),
    Experiment(
        name="robustness",
        summary="One match judged by 161 settings of the baseline: all lines end together.",
        source="Kan 2007, section 4.3, tables 4.1 and 4.2, figures 4.8 to 4.11",
        place=f"{__name__}.robustness:perform",
    ),
    Experiment(
        name="unbiased",
        summary="A million hands of a wild player: DIVAT and money agree in the long run.",
        source="Kan 2007, section 4.1",
        place=f"{__name__}.matches:unbiased",
    ),
    Experiment(
        name="divat-many",
        summary="DIVAT for two, three and six players: no bias, and the remaining variance.",
        source="Kan 2007, section 6.1, future work",
        place=f"{__name__}.future_work:several_players",
    ),
    Experiment(
        name="runtime",
        summary="DIVAT at the table, where only shown cards are known: the size of its bias.",
        source="Kan 2007, section 3.3, which leaves it open",
        place=f"{__name__}.future_work:runtime",
    ),
    Experiment(
        name="other-games",
        summary="Skill and luck in Kuhn, Leduc and a battle with random damage, exactly.",
        source="Kan 2007, sections 6.3 and 6.4, future work",
        place=f"{__name__}.future_work:other_games",
    ),
    Experiment(
        name="fold-offsets",
        summary="Offsets at which folding is safe against a player who always raises.",
        source="Kan 2007, section 3.1.2",
        place=f"{__name__}.fold_offsets:perform",
    ),
)
