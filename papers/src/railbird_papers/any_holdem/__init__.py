"""Experiments on any hold'em: several players, no-limit, hidden cards."""

from railbird_papers.framework.experiment import Experiment

_OURS = "ours; after Kan 2007, chapter 6, future work"

EXPERIMENTS = (
    Experiment(
        name="pluribus",
        summary="Pluribus against professionals: money, DIVAT and fitted beside AIVAT; --data.",
        source="Brown and Sandholm 2019, six-handed no-limit, 10,000 hands",
        place=f"{__name__}.pluribus:pluribus",
        needs_data=True,
    ),
    Experiment(
        name="hidden-cards",
        summary="Bias of estimators that know one side's cards, and what unshown losers do.",
        source=_OURS,
        place=f"{__name__}.missing_hands:hidden_cards",
    ),
    Experiment(
        name="losers-show",
        summary="Bias of all-in equity where losing hands are shown at times.",
        source=_OURS,
        place=f"{__name__}.tables:losers_show",
    ),
    Experiment(
        name="missing-hands",
        summary="How often missing hands are noticed, and whole logs taken for cut ones; --data.",
        source=_OURS,
        place=f"{__name__}.missing_hands:missing_hands",
    ),
    Experiment(
        name="verdicts-on-cut-logs",
        summary="Verdicts on equal players whose worst hands are missing, and on honest winners.",
        source=_OURS,
        place=f"{__name__}.verdicts:verdicts_on_cut_logs",
    ),
    Experiment(
        name="honesty",
        summary="Intervals that miss and false verdicts between equal players; also --data.",
        source=_OURS,
        place=f"{__name__}.honesty:honesty",
    ),
    Experiment(
        name="collusion",
        summary="Partners who play softly or squeeze, and how soon the crosstable shows them.",
        source=_OURS,
        place=f"{__name__}.tables:collusion",
    ),
    Experiment(
        name="unbiased-forms",
        summary="Money less every estimator over 100,000 hands of five forms of hold'em.",
        source=_OURS,
        place=f"{__name__}.pluribus:unbiased_forms",
    ),
)
