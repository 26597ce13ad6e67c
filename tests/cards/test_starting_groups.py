"""Starting hands in groups."""

from __future__ import annotations

import numpy as np

from railbird.cards import parse_class
from railbird.cards.starting_groups import StartingGroups, starting_groups

LIMIT, REVISED = (starting_groups(groups) for groups in StartingGroups)


def test_each_group_has_as_many_hands_as_the_source_prints() -> None:
    """Booker (2004), section 3.3, with Axs and Kxs written out; no hand is in two groups."""
    assert np.bincount(LIMIT).tolist() == [0, 5, 5, 6, 8, 18, 10, 18, 15, 84]
    assert np.bincount(REVISED).tolist() == [2, 3, 5, 6, 8, 11, 10, 124]


def test_groups_of_some_hands() -> None:
    """Of Sklansky and Malmuth's table; a hand without an s is unsuited."""
    for name, limit, revised in (
        ("AA", 1, 0),
        ("AKs", 1, 1),
        ("AKo", 2, 2),
        ("QTs", 4, 4),
        ("A9s", 5, 4),
        ("A2s", 5, 6),
        ("K9s", 6, 5),
        ("K2s", 7, 7),
        ("22", 7, 6),
        ("32s", 8, 7),
        ("54o", 8, 7),
        ("A8o", 9, 7),
        ("72o", 9, 7),
    ):
        assert (LIMIT[parse_class(name)], REVISED[parse_class(name)]) == (limit, revised), name


def test_the_numbers_after_the_last_group() -> None:
    assert [groups.rest for groups in StartingGroups] == [9, 7]
    assert [groups.first for groups in StartingGroups] == [1, 0]
