"""Preflop values as in the source: rolled out by 7cHR instead of the defined EHR.

The source (Kan 2007, footnote 10) classified hands by 7cHR alone in its preflop table, and expected
the bias to be small. Here the same boards are rolled out under both ranks and the difference is
added to the exact value, which removes most of the sampling noise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from railbird.assessment import (
    PreflopEstimates,
    PreflopValues,
    SampledPreflopValues,
    find_table,
)
from railbird.errors import BadInput
from railbird.game.rules import Street
from railbird.odds.tables.rank_tables import (
    ABSENT_16,
    ABSENT_32,
    HR7_WHOLE,
    IHR_WHOLE,
    Tables,
    open_tables,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from railbird.baseline import BaselineSettings
    from railbird.estimates import Estimate

SAMPLES = 512
"""Boards for each pair of holdings."""


class SevenCardValues:
    """Preflop values from roll-outs that classify hands by 7cHR.

    Raises `BadInput` for settings without an exact table.
    """

    def __init__(self, settings: BaselineSettings, *, samples: int = SAMPLES) -> None:
        table = find_table(settings)
        if table is None:
            raise BadInput(f"settings {settings.name!r} have no exact preflop table")
        tables = open_tables()
        self._exact: PreflopValues = table
        self._by_ehr = SampledPreflopValues(settings, tables, samples=samples)
        self._by_hr7 = SampledPreflopValues(settings, ranked_by_hr7(tables), samples=samples)

    @property
    def settings(self) -> BaselineSettings:
        """The baseline of the roll-outs."""
        return self._exact.settings

    def values(
        self,
        first: npt.NDArray[np.int16],
        second: npt.NDArray[np.int16],
        contribution: npt.NDArray[np.int16],
    ) -> PreflopEstimates:
        """See `PreflopValues.values`; sampling errors are ignored."""
        exact, by_ehr, by_hr7 = (
            source.values(first, second, contribution).value
            for source in (self._exact, self._by_ehr, self._by_hr7)
        )
        _, k = contribution.shape
        return PreflopEstimates(exact + by_hr7 - by_ehr, np.zeros((len(first), k, k)))

    def position(self) -> Estimate:
        """See `PreflopValues.position`; the exact table's value."""
        return self._exact.position()


def ranked_by_hr7(tables: Tables) -> Tables:
    """Replace IHR by 7cHR, rounded to a whole number, so that EHR equals 7cHR."""
    return replace(
        tables,
        flop_ihr=_as_ihr(tables.flop_hr7, Street.FLOP),
        turn_ihr=_as_ihr(tables.turn_hr7, Street.TURN),
    )


def _as_ihr(hr7: npt.NDArray[np.uint32], street: Street) -> npt.NDArray[np.uint16]:
    scale = HR7_WHOLE[street] // IHR_WHOLE[street]
    rounded = hr7 + np.uint32(scale // 2)
    rounded //= scale
    ihr = rounded.astype(np.uint16)
    ihr[hr7 == ABSENT_32] = ABSENT_16
    ihr.flags.writeable = False  # like mapped tables, for which the kernels are compiled
    return ihr
