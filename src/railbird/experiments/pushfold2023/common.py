"""Common parts of the push/fold experiments: the stack, the users' data, exact rows, charts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.experiments.framework.figures import Drawing
from railbird.report.pushfold.range_chart import FREQUENCY, RangeScale, range_chart
from railbird.report.toolkit.figure import Figure

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

STACK = 10.0
DATA_VARIABLE = "RAILBIRD_DATA"
"""Environment variable with the folder of the real data."""
UNIT = "bb"


def people_file() -> Path:
    """Find the data of the source's users. Raises `BadInput` if they are missing."""
    folder = Path(os.environ.get(DATA_VARIABLE, "../shared/data"))
    path = folder / "pushfold_users" / "gameplay.csv"
    if not path.is_file():
        raise BadInput(f"no {path}; {DATA_VARIABLE} names the folder of the real data")
    return path


def exact(value: float, unit: str = UNIT) -> Estimate:
    """Return a number without sampling error."""
    return Estimate(value, 0.0, 1, unit)


def chart_drawing(
    name: str,
    title: str,
    values: npt.NDArray[np.float64],
    scale: RangeScale = FREQUENCY,
    note: str = "",
) -> Drawing:
    """Return a chart of values (169,) by class as a figure of an experiment."""
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"{title}, by kind of hand: a 13 by 13 chart, suited hands above the diagonal.",
            note=note or f"Suited hands above the diagonal; {scale.unit}.",
            chart=range_chart(values, title="", scale=scale),
        ),
        data={},
        subtitle=f"{STACK:g} big blinds" if scale.unit != "big blinds" else "1 to 20 big blinds",
    )
