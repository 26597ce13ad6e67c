"""The first line on a match of any hold'em: which estimator decides, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railbird.assessment.fitted.cross_fit import FEWEST_HANDS
from railbird.report.toolkit.number_format import counted, number

if TYPE_CHECKING:
    from railbird.assessment.decision_divat.match import TableAssessment


def headline(found: TableAssessment) -> str:
    """Say what decides; it is fixed by the kind of log before any number is seen."""
    hands = counted(found.hands)
    if not found.hands:
        return f"Money decides: in all {counted(found.hidden)} some cards are not known."
    if found.hidden:
        return (
            f"Money decides: the cards of {found.hidden:,} of {found.hands + found.hidden:,} hands "
            "were not all shown, and those that were are no fair sample. DIVAT and fitted stand "
            f"for the other {hands} only."
        )
    how = "cross-fitted" if found.hands >= FEWEST_HANDS else "fixed"
    return (
        f"Fitted decides: all cards of {hands} are known, so luck is taken out of the money "
        f"({how} coefficients; a hand's variance ÷ "
        f"{number(found.variance_reduction['all'].get('fitted'), 2)})."
    )
