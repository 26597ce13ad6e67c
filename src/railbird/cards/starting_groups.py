"""Starting hands in groups of falling strength: Sklansky and Malmuth's, and a no-limit revision.

Both are printed by Booker (2004), section 3.3. The first eight groups are those of Sklansky and
Malmuth, *Hold'em Poker for Advanced Players* (1988), made for limit; Booker dates them to 1976. Two
versions of the book's table are in circulation, which differ in three hands: this one, and one that
has 66 in group 5, 65s in group 6 and K9s in group 7. The revision splits the best hands once more
and begins with group 0. A hand that is in no group has the number after the last.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.cards.holding import CLASS_NAMES, parse_class

_LIMIT: Final = (
    "AA KK QQ JJ AKs",
    "TT AQs AJs KQs AKo",
    "99 JTs QJs KJs ATs AQo",
    "T9s KQo 88 QTs 98s J9s AJo KTs",
    "77 87s Q9s T8s KJo QJo JTo 76s 97s A9s A8s A7s A6s A5s A4s A3s A2s 65s",
    "66 ATo 55 86s KTo QTo 54s K9s J8s 75s",
    "44 J9o 64s T9o 53s 33 98o 43s 22 K8s K7s K6s K5s K4s K3s K2s T7s Q8s",
    "87o A9o Q9o 76o 42s 32s 96s 85s J8o J7s 65o 54o 74s K9o T8o",
)
_REVISED: Final = (
    "AA KK",
    "QQ JJ AKs",
    "TT AKo AQs AJs KQs",
    "AQo 99 ATs KJs QJs KTs",
    "88 AJo KQo QTs A9s JTs ATo A8s",
    "KJo 77 QJo KTo QTo JTo A7s K9s Q9s T9s J9s",
    "66 55 44 33 22 A5s A6s A4s A3s A2s",
)


class StartingGroups(Enum):
    """A division of the 169 classes of hands."""

    LIMIT = "limit"
    """Groups 1 to 8; 9 for the rest."""
    REVISED = "revised"
    """Groups 0 to 6; 7 for the rest."""

    @property
    def first(self) -> int:
        """Number of the best group."""
        return 1 if self is StartingGroups.LIMIT else 0

    @property
    def rest(self) -> int:
        """Number of the hands that are in no group."""
        return self.first + len(_GROUPS[self])


_GROUPS: Final = {StartingGroups.LIMIT: _LIMIT, StartingGroups.REVISED: _REVISED}


@cache
def starting_groups(groups: StartingGroups) -> npt.NDArray[np.int64]:
    """Return the group of each class of hands, (169,), read-only.

    >>> limit = starting_groups(StartingGroups.LIMIT)
    >>> [int(limit[parse_class(name)]) for name in ("AKs", "AKo", "A2s", "72o")]
    [1, 2, 5, 9]
    """
    numbers = np.full(len(CLASS_NAMES), groups.rest)
    for number, names in enumerate(_GROUPS[groups], groups.first):
        numbers[[parse_class(name) for name in names.split()]] = number
    numbers.flags.writeable = False
    return numbers
