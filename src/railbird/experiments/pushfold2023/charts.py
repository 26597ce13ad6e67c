"""Largest stacks to push and call with, compared with printed charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from railbird.cards import parse_class
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Published, compared, measured
from railbird.experiments.pushfold2023.common import chart_drawing, exact
from railbird.experiments.pushfold2023.published import CALLED_UP_TO
from railbird.report.pushfold.range_chart import stack_scale
from railbird.solve import sweep

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace


def charts(workspace: Workspace) -> Result:
    """Sweep the stacks and compare with the printed charts that the source names."""
    step = 0.1
    count = max(2, round(190 * min(workspace.scale, 1.0)))
    stacks = (
        np.unique(np.round(np.append(np.linspace(1, 20, count + 1), [9.5, 10.2]) / step)) * step
    )
    swept = sweep([round(float(stack), 1) for stack in stacks], progress=workspace.progress)
    push, call = swept.largest(swept.push), swept.largest(swept.call)
    note = "The source calls these shoves; they are calls."
    rows = [
        compared(
            f"{hand} calls up to",
            Published(text=text),
            exact(float(call[parse_class(hand)])),
            note,
        )
        for hand, text in CALLED_UP_TO
    ]
    for side, frequencies in (("pushed", swept.push), ("called", swept.call)):
        gaps = swept.gaps(frequencies)
        rows.append(
            measured(f"hands {side} with gaps", exact(float(len(gaps)), "hands"), "; ".join(gaps))
        )
    scale = stack_scale(20.0)
    drawings = (
        chart_drawing("push-stacks", "Largest stack at which a hand is pushed", push, scale),
        chart_drawing("call-stacks", "Largest stack at which a hand is called", call, scale),
    )
    return Result(hands=len(stacks), noun="stack", rows=tuple(rows), drawings=drawings)
