"""An equilibrium that needs no solver: what a server does with one is the same with any."""

from __future__ import annotations

import numpy as np

from railbird.cards import CLASSES
from railbird.serve.pushfold.equilibrium import Equilibrium
from railbird.solve import PushFoldValues


def made_up_equilibrium(stack: float) -> Equilibrium:
    """The better a class's row and column, the better to push it; one class is mixed."""
    row, column = np.divmod(np.arange(CLASSES), 13)
    goodness = 1.0 - (row + column) / 24
    push = (goodness > 0.4).astype(np.float64)
    call = (goodness > 0.6).astype(np.float64)
    push[42] = 0.5
    values = PushFoldValues(
        push_ev=np.where(push == 0.5, -0.5, goodness * 2 - 1.3),
        fold_ev_sb=-0.5,
        call_ev=goodness * stack / 2 - 0.3 * stack - 1.0,
        fold_ev_bb=-1.0,
        sb_value=0.0,
        facing=push,
    )
    return Equilibrium(stack, push, call, values)
