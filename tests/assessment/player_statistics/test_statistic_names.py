"""The statistics' numbers and places, which the kernel states for itself."""

from __future__ import annotations

from railbird.assessment.player_statistics import _kernels_count_statistics as kernels
from railbird.assessment.player_statistics.statistic_names import (
    DEFINITIONS,
    Position,
    Statistic,
    position_of,
)


def test_the_kernel_numbers_statistics_as_their_definitions_do() -> None:
    numbers = {name: number for name, number in vars(kernels).items() if isinstance(number, int)}
    numbers["AGGRESSION_FREQUENCY"] = numbers.pop("AGGRESSION")
    for one in (*Statistic, *Position):
        assert numbers[one.name] == one
    assert numbers["STATISTICS"] == len(Statistic) == len(DEFINITIONS)


def test_places_at_tables_of_every_size() -> None:
    for seats in range(2, 24):
        for seat in range(seats):
            assert kernels.position_of(seat, seats) == position_of(seat, seats)
