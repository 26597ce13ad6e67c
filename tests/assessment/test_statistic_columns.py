"""The kernels count each statistic in the column that its enum names."""

import pytest

from railbird.assessment import statistics_kernels
from railbird.assessment.player_statistics import Statistic

_OTHER_NAMES = {Statistic.AGGRESSION_FREQUENCY: "AGGRESSION"}


@pytest.mark.parametrize("statistic", Statistic, ids=lambda statistic: statistic.key)
def test_a_statistic_has_one_column(statistic: Statistic) -> None:
    if statistic is Statistic.SHOWN_BY_CHOICE:
        assert not hasattr(statistics_kernels, statistic.name), "the kernels count it now"
    else:
        name = _OTHER_NAMES.get(statistic, statistic.name)
        assert getattr(statistics_kernels, name) == statistic


def test_the_kernels_have_a_column_for_each_statistic() -> None:
    assert len(Statistic) == statistics_kernels.STATISTICS
