"""Experiments of Kan (2007), chapters 4.2 and 5, and of others with equilibria of limit."""

from railbird_papers.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(
        name="equilibrium-self-play",
        summary="An equilibrium against itself in duplicate: money, DIVAT and AIVAT side by side.",
        source="Chapter 4.2 of Kan 2007, figures 4.5 to 4.7",
        place=f"{__name__}.equilibria:equilibrium_self_play",
    ),
    Experiment(
        name="freeze-out",
        summary="Freeze-outs with rising blinds, judged at fixed stakes.",
        source="Chapter 5.3 of Kan 2007",
        place=f"{__name__}.rules:freeze_out",
    ),
    Experiment(
        name="short-matches",
        summary="Matches of some hundred hands: a switched program, rules and an equilibrium.",
        source="Chapter 5.3 of Kan 2007, figures 5.7 to 5.15",
        place=f"{__name__}.matches:short_matches",
    ),
    Experiment(
        name="change-of-style",
        summary="A player that changes its style: which estimator's line shows the bend.",
        source="Chapter 5.2 of Kan 2007, figures 5.4 to 5.6",
        place=f"{__name__}.matches:change_of_style",
    ),
    Experiment(
        name="solving-while-playing",
        summary="An equilibrium against one that solves the turn and the river while it plays.",
        source="Chapter 5.4.3 of Kan 2007, figures 5.20 and 5.21",
        place=f"{__name__}.equilibria:solving_while_playing",
    ),
    Experiment(
        name="limit-round-robin",
        summary="Everybody against everybody, ranked by winnings and by matches won.",
        source="Chapter 5.4 of Kan 2007, tables 5.1 and 5.2",
        place=f"{__name__}.matches:round_robin",
    ),
    Experiment(
        name="illegal-raises",
        summary="A learner against a player who always raises, and folds where it may not.",
        source="Chapter 5.4.4 of Kan 2007, figures 5.22 and 5.23",
        place=f"{__name__}.rules:illegal_raises",
    ),
    Experiment(
        name="exploitability-by-time",
        summary="What a best response wins in the real game from equilibria solved for longer.",
        source="Johanson et al. 2011",
        place=f"{__name__}.equilibria:exploitability_by_training",
    ),
    Experiment(
        name="trickiness",
        summary="A filter that slow-plays and bluffs, on and off, on the same cards.",
        source="Chapter 5.4.2 of Kan 2007, figures 5.16 to 5.19",
        place=f"{__name__}.matches:trickiness",
    ),
    Experiment(
        name="two-equilibria",
        summary="A match of two equilibria judged by 33 settings of the baseline.",
        source="Chapter 4.3 of Kan 2007, tables 4.1 and 4.2, figures 4.8 to 4.11",
        place=f"{__name__}.equilibria:two_equilibria",
    ),
)
