"""The baseline: a simple policy of betting for value, with which both players are compared.

A holding's effective hand rank gives its class, and only the two classes decide how a round is
played. Ranks are compared as integers (`Cutoffs`), because with rounded fractions two parts of the
program could disagree about a hand that lies on a threshold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from railbird._arguments import checked
from railbird.baseline.settings import exact
from railbird.errors import BadInput
from railbird.game.rules import Street

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy.typing as npt

    from railbird.baseline.settings import BaselineSettings

CAP = 4
"""Most bets that the baseline puts in on a street; before the flop the big blind is the first."""

RANK_UNITS = (4_195_144_800, 4_280_760, 91_080, 1_980)
"""Denominator of effective hand ranks, by street.

It is twice 990 opposing holdings (a tie counts one, a win two) times the number of completions of
the board: 2,118,760 before the flop, 1,081 on the flop (doubled again, for the mean of two ranks),
46 on the turn and 1 on the river.
"""


class BaselineClass(IntEnum):
    """The class of a hand in one round: how many bets it is worth."""

    FOLD = 0
    CALL = 1
    MAKE1 = 2
    MAKE2 = 3
    MAKE3 = 4
    MAKE4 = 5

    @property
    def bets(self) -> int:
        """Number of bets that the player is willing to make."""
        return max(0, self - 1)

    @property
    def label(self) -> str:
        """The name in lower case, such as "make2"."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class BettingLine:
    """One round of betting between two players."""

    text: str
    """One letter per action, lower case for player 1, who acts first after the flop.

    k check, b bet, c call, r raise, f fold; the blinds are omitted.
    """
    level: int
    """Bets that both have put in by the end of the round; before the flop the blind counts."""
    folded_by: int | None = None
    """0 if player 1 folded, 1 if player 2 did."""


@checked
@cache
def baseline_line(
    street: Street,
    first: BaselineClass,
    second: BaselineClass,
    *,
    after: str = "",
) -> BettingLine:
    """Play a round by the baseline.

    A player bets or raises while the hand is worth another bet, and then calls. A hand of class
    FOLD checks if it can, and folds to a bet. ``after`` is the round so far, played by any policy,
    in the letters of `BettingLine`.

    >>> line = baseline_line(Street.FLOP, BaselineClass.MAKE3, BaselineClass.MAKE4)
    >>> line.text, line.level
    ('bRrRc', 4)
    >>> baseline_line(Street.PREFLOP, BaselineClass.MAKE2, BaselineClass.CALL).text
    'CrC'
    >>> baseline_line(Street.TURN, BaselineClass.FOLD, BaselineClass.CALL, after="kB").text
    'kBf'
    """
    classes = (first, second)
    betting = _BettingRound(street)
    for letter in after:
        betting.act(letter.lower())
    while not betting.over:
        betting.act(_choice(classes[betting.actor], betting))
    return BettingLine(betting.text, betting.level, betting.folded_by)


def _choice(own: BaselineClass, betting: _BettingRound) -> str:
    if own.bets > betting.bets and betting.bets < CAP:
        return "r" if betting.bets else "b"
    if not betting.facing:
        return "k"
    return "f" if own is BaselineClass.FOLD else "c"


class _BettingRound:
    """A round in progress: its letters so far and the resulting state."""

    def __init__(self, street: Street) -> None:
        preflop = street is Street.PREFLOP
        self.text = ""
        self.bets = 1 if preflop else 0
        self.actor = 1 if preflop else 0
        self.facing = preflop
        self.over = False
        self.folded_by: int | None = None
        self._blind_has_option = preflop

    @property
    def level(self) -> int:
        """Number of bets that both have put in; a bet that was folded to does not count."""
        return self.bets - 1 if self.folded_by is not None else self.bets

    def act(self, letter: str) -> None:
        """Apply an action of the player to act, given as a lower-case letter."""
        match letter:
            case "b" | "r":
                self.bets += 1
                self.facing = True
            case "c":
                self.facing = False
                self.over = not self._blind_has_option or bool(self.text)
            case "k":
                self.over = bool(self.text)
            case "f":
                self.folded_by = self.actor
                self.over = True
            case _:
                raise BadInput(f"no action {letter!r}; allowed: k, b, c, r, f")
        self.text += letter.upper() if self.actor else letter
        self.actor = 1 - self.actor


_MOST_CONTRIBUTION = 2**20
"""Most small bets in a hand without a cap."""


class Cutoffs(NamedTuple):
    """Settings as integers over `RANK_UNITS`, for kernels. The arrays are read-only."""

    bettable: npt.NDArray[np.int64]
    """(4,) by street: if either rank exceeds this, the larger one counts."""
    make: npt.NDArray[np.int64]
    """(4, 4) by street: ranks from which a hand is worth one, two, three, four bets."""
    fold: npt.NDArray[np.int64]
    """(4, most + 1) by street and contribution before the round: lower ranks fold to a bet."""


@checked
@lru_cache(maxsize=64)
def cutoffs(settings: BaselineSettings, most: int = 64) -> Cutoffs:
    """Convert settings to integers, for contributions of up to ``most`` small bets."""
    if not 0 <= most <= _MOST_CONTRIBUTION:
        raise BadInput(f"contributions of up to {most}; allowed: 0 to {_MOST_CONTRIBUTION}")
    if settings.sizes is not None or settings.folds is not None:
        raise BadInput(
            f"settings {settings.name!r}: sizes= and folds= are for hands assessed decision by "
            "decision, not for heads-up limit by exact tables, nor for a player"
        )
    units = dict(zip(Street, RANK_UNITS, strict=True))
    contributions = [max(1, c) for c in range(most + 1)]
    return Cutoffs(
        bettable=_integers([math.floor(exact(settings[s].make[0]) * units[s]) for s in Street]),
        make=_integers(
            [[math.ceil(exact(make) * units[s]) for make in settings[s].make] for s in Street]
        ),
        fold=_integers(
            [
                [math.ceil(settings.fold_threshold(s, c) * units[s]) for c in contributions]
                for s in Street
            ]
        ),
    )


def _integers(rows: list[int] | list[list[int]]) -> npt.NDArray[np.int64]:
    array = np.array(rows, dtype=np.int64)
    array.flags.writeable = False
    return array


@checked
def classify(
    settings: BaselineSettings, street: Street, rank: Fraction, contribution: int
) -> BaselineClass:
    """Return the class of an effective hand rank, exactly.

    A hand below the fold threshold folds even if it is above the threshold of the first bet. That
    can happen on a turn that was reached without a bet, where the standard settings fold below 0.6.

    >>> from fractions import Fraction
    >>> from railbird.baseline.settings import STANDARD
    >>> classify(STANDARD, Street.RIVER, Fraction(17, 20), 5).label
    'make2'
    """
    if rank < settings.fold_threshold(street, contribution):
        return BaselineClass.FOLD
    return BaselineClass(1 + sum(rank >= exact(make) for make in settings[street].make))
