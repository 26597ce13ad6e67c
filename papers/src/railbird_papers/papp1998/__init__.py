"""Experiments of Papp (1998): Loki."""

from railbird_papers.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(
        name="loki-features",
        summary="Loki's betting strategy with each of its parts left out.",
        source="Papp 1998, chapter 8, betting strategy experiment",
        place=f"{__name__}.matchups:features",
    ),
    Experiment(
        name="loki-learned-rules",
        summary="Semi-bluffs and pot odds by learned probabilities, with and without.",
        source="of our own making, on Papp 1998, chapter 6",
        place=f"{__name__}.matchups:learned_rules",
    ),
    Experiment(
        name="loki-tightness",
        summary="Loki without modelling, tight, moderate and loose.",
        source="Papp 1998, chapter 8, the non-modelling players",
        place=f"{__name__}.matchups:TIGHTNESS.perform",
    ),
    Experiment(
        name="loki-generic",
        summary="Loki with generic opponent modelling against Loki without.",
        source="Papp 1998, chapter 8, generic opponent modelling experiment",
        place=f"{__name__}.matchups:generic",
    ),
    Experiment(
        name="loki-specific",
        summary="Loki with specific opponent modelling, generic, and without.",
        source="Papp 1998, chapter 8, specific opponent modelling experiment",
        place=f"{__name__}.matchups:specific",
    ),
    Experiment(
        name="loki-showdown-odds",
        summary="Showdown odds lose in self-play and gain against bets that mean little.",
        source="Papp 1998, chapter 8, showdown odds experiment",
        place=f"{__name__}.matchups:showdown_odds",
    ),
    Experiment(
        name="loki-styles",
        summary="Specific against generic modelling, with maniacs and rocks at the table.",
        source="a field of our own making, after Papp 1998, chapter 8",
        place=f"{__name__}.matchups:styles",
    ),
    Experiment(
        name="loki-beyond",
        summary="Specific modelling that uses checks, learns spreads or ranks by field.",
        source="of our own making, on the future work of Papp 1998, chapter 9",
        place=f"{__name__}.matchups:BEYOND.perform",
    ),
    Experiment(
        name="loki-simulation",
        summary="Loki deciding by simulation, against Loki deciding by rules and others.",
        source="of our own making, on Billings, Peña, Schaeffer and Szafron 1999",
        place=f"{__name__}.matchups:simulation",
    ),
    Experiment(
        name="loki-best",
        summary="Learned probabilities of actions, and the best version, against SOM.",
        source="of our own making, on Davidson 2002 and Billings et al. 1999",
        place=f"{__name__}.matchups:best",
    ),
    Experiment(
        name="loki-check-raises",
        summary="Check-raises of mediocre hands as a disguise, with and without.",
        source="Papp 1998, section 6.7; its probabilities were not found",
        place=f"{__name__}.matchups:disguise",
    ),
    Experiment(
        name="loki-heads-up",
        summary="SOM and the best version heads-up against seven players, in duplicate.",
        source="of our own making; the source's chapter 8 says that Loki was weak short-handed",
        place=f"{__name__}.income_rates:heads_up",
    ),
    Experiment(
        name="loki-changing-styles",
        summary="Forgetting, on and off, against an opponent who changes its style.",
        source="of our own making, on the future work of Papp 1998, chapter 9",
        place=f"{__name__}.income_rates:changing_styles",
    ),
    Experiment(
        name="loki-seats",
        summary="Specific modelling against none at two to ten seats.",
        source="of our own making; the source's chapter 8 says that Loki was weak short-handed",
        place=f"{__name__}.income_rates:by_seats",
    ),
    Experiment(
        name="loki-preflop",
        summary="Thresholds before the flop, by measurement at two to ten seats.",
        source="of our own making; chapter 9 of Papp 1998 wishes for learned ones",
        place=f"{__name__}.preflop_thresholds:perform",
    ),
    Experiment(
        name="loki-income-rates",
        summary="Income rates of the 169 hand classes: the published tables and ours.",
        source="Papp 1998, appendix A",
        place=f"{__name__}.income_rates:loki_income_rates",
    ),
    Experiment(
        name="loki-calibration",
        summary="Weight arrays scored on the cards that the opponents actually held.",
        source="of our own making, on Papp 1998, chapter 7",
        place=f"{__name__}.weights:perform",
    ),
    Experiment(
        name="loki-potential",
        summary="Crude potential by outs and by a table, and the exact one.",
        source="Papp 1998, section 7.2.3, of whose outs only those to flushes are known",
        place=f"{__name__}.income_rates:crude_potentials",
    ),
    Experiment(
        name="loki-game-tree",
        summary="Branching factors of the game: cards, and betting by number of players.",
        source="Papp 1998, chapter 4, figure 4.2; sizes of Bowling et al. 2015",
        place=f"{__name__}.income_rates:game_tree",
    ),
    Experiment(
        name="loki-strength",
        summary="Two approximations of strength against two opponents, and the exact one.",
        source="of our own making, on Papp 1998, chapter 5",
        place=f"{__name__}.income_rates:strength_shortcuts",
    ),
)
