"""Defaults and sizes of Vexbot."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Choice(Enum):
    """How Vexbot chooses among its own actions, now and in what it foresees."""

    MIXIMAX = "miximax"
    """The one worth most."""
    MIXIMIX = "miximix"
    """Those worth more than giving up, the better the more often."""


RANK_CELLS: Final = 20
"""Cells of the opponent's hand rank in showdowns."""

OWN_CELLS: Final = 60
"""Cells of Vexbot's own hand rank on the river, a whole number for each of `RANK_CELLS`."""

STRENGTH_CELLS: Final = 20
"""Cells of its own hand on the flop and the turn, by the mean square of the final hand rank."""

HOLDING_CELLS: Final = 20
"""Cells of the opponent's holdings on each street: before the flop, and as for the own hand."""

STRENGTHS: Final = (2.0, 8.0, 30.0, 100.0, 300.0, 1_000.0, 10_000.0, 1e6)
"""How many observations the coarser levels may count for at a finer one. Which of these foretells
best is found out for each level. The source's rule, 0.95^n left to the coarser levels after n
observations, is the option kept=0.95 (Kündig 2010, after Billings 2006): it trusts some twenty
hands shown, and a way of betting that was unlucky then is not tried again, so that it wins 1.00
small bets a hand from always-call instead of 1.16."""

DETAILED_STRENGTH: Final = 1_000.0
"""How many observations the coarser levels count for where the prior tells how each betting
differs from others. Finding it out as above trusts what is rare too soon: foretelling the later
hands of a match with equilibrium:small from its first 1,000 or 10,000, this was best of `STRENGTHS`
on the turn, the river and in showdowns."""

CELL_STRENGTH: Final = 100.0
"""The same for what each cell of holdings does."""

SEARCH_STRENGTH: Final = 10_000.0
"""The same where the search looks beyond the street, and the best of many values is taken: what is
foretold well enough is yet too often overrated."""

TEMPERATURE: Final = 0.5
"""Small bets by which an action must be better to be chosen e times as often, with Miximix. No
source tells it."""

REFRESH: Final = 0.03
"""The search is done again when so much more has been observed, relative to all before."""

RANGE_REFRESH: Final = 0.1
"""The same for what the opponent does with its holdings."""

CALIBRATIONS: Final = 8
"""Passes over a decision after which all holdings together act nearly as often as was counted."""

PRIOR_WEIGHT: Final = 1.0
"""Observations of every possible action and cell that are added to those of the coarse prior."""

PRIOR_HANDS: Final = 1e6
"""Hands that the detailed prior's expectations are taken for. What happens less often than once in
them is taken from a coarser group."""

PRIOR_DOUBT: Final = 0.02
"""Part of the detailed prior that is every possible action and cell alike."""
