"""Frozen coefficients: one file for each form of hold'em, any hold'em, with the matches behind it.

`control_variates` fits coefficients to the match itself instead.

White and Bowling (2009) remove the luck of features from the money, with coefficients found by
least squares on matches of other players. Here the features are the values of two policies, by the
deal and by street. A file records the players, hands, seed and date of its fit, and a fingerprint
of every hand, because estimates for the fitted hands themselves would be too good.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird.assessment.control_variates import STREETS, CoefficientPrior, prior_among
from railbird.cards.splitmix_kernels import GOLDEN, mix
from railbird.game import Betting
from railbird.histories.columns import HandBatch

Fingerprints = npt.NDArray[np.uint32]

TERMS: Final = 2 * STREETS
"""Deal, flop, turn and river of calling down, and of the baseline."""
OWN_TERMS: Final = STREETS
LIKE_DIVAT: Final = np.repeat([0.0, 1.0], STREETS)
"""Coefficients with which money less luck is DIVAT: all of the luck by the baseline's values."""
LIKE_CALLING_DOWN: Final = np.repeat([1.0, 0.0], STREETS)
"""The same by calling down."""
IN_THE_FIT: Final = "in_the_fit"
"""Column: whether a hand was in the fit of its form."""
_CHANCE: Final = 0.01
"""Share of hands that may equal those of a fit by chance: few cards distinguish preflop folds."""
NOT_IN_THE_FIT: Final = pl.col(IN_THE_FIT).drop_nulls().mean().fill_null(0) <= _CHANCE
_OWN_SPREAD: Final = 0.5
"""Standard deviation of the coefficients from one side around the frozen ones."""

_SEATS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrozenCoefficients:
    """Coefficients of one form of hold'em, and where they come from."""

    betting: Betting
    seats: int
    players: tuple[str, ...]
    """The players of each match."""
    hands: int
    seed: int
    date: str
    luck: Floats
    """(8,) of the luck of calling down and of the baseline's values."""
    luck_by_rounds: Floats | None
    """Heads-up limit: (8,) of the same luck by its exact tables."""
    own: Floats
    """(4,) of the luck from one side's cards."""
    own_all_in: Floats
    """(4,) the same beside all-in equity."""
    fingerprints: Fingerprints
    """Sorted, of the hands in the fit."""

    @property
    def name(self) -> str:
        """Name of the form, such as limit-3.

        >>> frozen_for(Betting.LIMIT, 3).name
        'limit-3'
        """
        return form_name(self.betting, self.seats)

    def prior(self, rows: pl.DataFrame) -> CoefficientPrior:
        """Say what to expect of the eight coefficients of luck in a match of this form.

        Halfway between DIVAT and the frozen ones, and about as far from there as these two,
        calling down and the money are. Of the frozen ones nothing is known where the match's
        ``rows`` say that its hands are among those of the fit.
        """
        return _expected(self.luck, rows)

    def prior_by_rounds(self, rows: pl.DataFrame, *, beside: bool = False) -> CoefficientPrior:
        """Say the same of the luck by the exact tables of heads-up limit.

        With ``beside`` another estimate's luck is a ninth term: halfway between that estimate and
        what is expected without it, and about as far from there as these two, the frozen ones and
        the money are.
        """
        assert self.luck_by_rounds is not None
        alone = _expected(self.luck_by_rounds, rows)
        if not beside:
            return alone
        other = np.append(np.zeros(TERMS), 1.0)
        candidates = [other, np.append(alone.mean, 0.0), np.zeros(TERMS + 1)]
        if rows.select(NOT_IN_THE_FIT).item():
            candidates.append(np.append(self.luck_by_rounds, 0.0))
        return prior_among(np.array(candidates), mean=np.mean(candidates[:2], axis=0))

    @property
    def own_prior(self) -> CoefficientPrior:
        """What to expect of the four coefficients of luck from one side, beside all-in equity."""
        return CoefficientPrior(self.own_all_in, _OWN_SPREAD**2 * np.eye(OWN_TERMS))

    def holds(self, batch: HandBatch) -> npt.NDArray[np.bool_]:
        """Return a mask of the hands in the fit, (n,).

        One in 200,000 other hands is a false positive, as are preflop folds of the same cards.
        """
        return are_among(fingerprints_of(batch), self.fingerprints)

    def as_json(self) -> dict[str, Any]:
        """Return the contents of the file; ``hash`` is of the fingerprints."""
        return {
            "betting": self.betting.value,
            "seats": self.seats,
            "date": self.date,
            "seed": self.seed,
            "hands": self.hands,
            "players": list(self.players),
            "hash": _digest(self.fingerprints),
            "luck": self.luck.tolist(),
            **(
                {}
                if self.luck_by_rounds is None
                else {"luck_by_rounds": self.luck_by_rounds.tolist()}
            ),
            "own": self.own.tolist(),
            "own_all_in": self.own_all_in.tolist(),
            "fingerprints": pack_fingerprints(self.fingerprints),
        }

    @classmethod
    def from_json(cls, text: Mapping[str, Any]) -> FrozenCoefficients:
        """Invert `as_json`."""
        fingerprints = unpack_fingerprints(text["fingerprints"])
        assert _digest(fingerprints) == text["hash"]
        by_rounds = text.get("luck_by_rounds")
        return cls(
            betting=Betting(text["betting"]),
            seats=text["seats"],
            players=tuple(text["players"]),
            hands=text["hands"],
            seed=text["seed"],
            date=text["date"],
            luck=np.array(text["luck"]),
            luck_by_rounds=None if by_rounds is None else np.array(by_rounds),
            own=np.array(text["own"]),
            own_all_in=np.array(text["own_all_in"]),
            fingerprints=fingerprints,
        )


def _expected(frozen: Floats, rows: pl.DataFrame) -> CoefficientPrior:
    # Coefficients that were fitted on these very hands would fit their luck, so they say nothing
    # here.
    likely = [LIKE_DIVAT, frozen] if rows.select(NOT_IN_THE_FIT).item() else [LIKE_DIVAT]
    others = [LIKE_CALLING_DOWN, np.zeros(TERMS)]
    return prior_among(np.array([*likely, *others]), mean=np.mean(likely, axis=0))


def form_name(betting: Betting, seats: int) -> str:
    """Name a form of hold'em."""
    return f"{betting.value}-{seats}"


@lru_cache(maxsize=1)
def frozen_forms() -> Mapping[tuple[Betting, int], FrozenCoefficients]:
    """Read all files, by betting and number of seats."""
    folder = files("railbird.assessment") / "coefficients"
    read = [
        FrozenCoefficients.from_json(json.loads(file.read_text(encoding="utf-8")))
        for file in folder.iterdir()
        if file.name.endswith(".json")
    ]
    return {
        (frozen.betting, frozen.seats): frozen
        for frozen in sorted(read, key=lambda coefficients: coefficients.name)
    }


def frozen_for(betting: Betting, seats: int) -> FrozenCoefficients:
    """Return the coefficients of the form, or of the one nearest to it.

    Limit uses those of limit, all other games those of no-limit; ties go to more seats.

    >>> [frozen_for(Betting.POT_LIMIT, seats).name for seats in (2, 4, 9)]
    ['no-limit-2', 'no-limit-6', 'no-limit-6']
    """
    kind = Betting.LIMIT if betting is Betting.LIMIT else Betting.NO_LIMIT
    near = [frozen for (form_betting, _), frozen in frozen_forms().items() if form_betting is kind]
    return min(near, key=lambda frozen: (abs(frozen.seats - seats), -frozen.seats))


def fingerprints_of(batch: HandBatch) -> Fingerprints:
    """Return a hash of each hand's cards and actions, independent of players and format."""
    n, seats = batch.holding.shape
    key = np.zeros(n, np.uint64)
    is_dealt = np.arange(5) < batch.dealt[:, None]
    position = np.arange(len(batch.action)) - batch.start[:-1][batch.hand_of]
    acts = np.zeros(n, np.uint64)
    with np.errstate(over="ignore"):
        # Actions are mixed with their place in the hand, so that their sum depends on their order
        # although they are added in any.
        np.add.at(
            acts, batch.hand_of, mix((batch.action << 12 | position).astype(np.uint64) + GOLDEN)
        )
        # All ten seats are mixed in, empty ones as −1, so the fingerprint does not depend on how
        # wide a batch happens to be.
        for seat in range(_SEATS):
            held = batch.holding[:, seat] if seat < seats else np.full(n, -1)
            key = mix(key + held.astype(np.int64).view(np.uint64) + GOLDEN)
        for column in np.where(is_dealt, batch.board, 255).T:
            key = mix(key + column.astype(np.uint64) + GOLDEN)
        key = mix(key + acts + GOLDEN)
    short: Fingerprints = (key >> np.uint64(32)).astype(np.uint32)
    return short


def are_among(fingerprints: Fingerprints, known: Fingerprints) -> npt.NDArray[np.bool_]:
    """Return a mask of those that are among ``known`` ones, which ascend."""
    index = np.searchsorted(known, fingerprints)
    # A number beyond all known ones has a place past the end, which the appended zero makes
    # readable and the last line rejects.
    inside: npt.NDArray[np.bool_] = np.append(known, np.uint32(0))[index] == fingerprints
    inside &= index < len(known)
    return inside


def _digest(fingerprints: Fingerprints) -> str:
    return hashlib.sha256(fingerprints.astype("<u4").tobytes()).hexdigest()


def pack_fingerprints(fingerprints: Fingerprints) -> str:
    """Encode sorted numbers compactly: their differences in byte planes."""
    # Sorted numbers have small differences, whose upper bytes are nearly all zero: collected by
    # byte, they compress to a fraction.
    steps = np.diff(fingerprints, prepend=np.uint32(0)).astype("<u4")
    planes = steps.view(np.uint8).reshape(-1, 4).T.tobytes()
    return base64.b85encode(zlib.compress(planes, 9)).decode("ascii")


def unpack_fingerprints(text: str) -> Fingerprints:
    """Invert `pack_fingerprints`. Raises `ValueError` for what it does not give."""
    planes = np.frombuffer(zlib.decompress(base64.b85decode(text)), np.uint8)
    steps = planes.reshape(4, -1).T.copy().view("<u4").ravel()
    fingerprints: Fingerprints = np.cumsum(steps, dtype=np.uint32)
    return fingerprints
