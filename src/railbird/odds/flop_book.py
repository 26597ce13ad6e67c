"""A book of the odds of all hand classes over all flops, kept on disk and extended in idle time.

Peretz (2005, "Beyond the Sklansky Preflop") asks for enough precomputed data on each flop to get
the value before it in real time for any pot, bets and opponents. His program extends this "book" in
idle time, by what it has learnt about the opponents. A page of the book is for one opposition: a
number of opponents who are in, with a best share of the holdings, and a number who may come in,
with another share. Given the pot and the bets, the value of a flop depends only on the odds. So a
page keeps the distribution of the odds over the flops, not the flops themselves.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from railbird import _paths
from railbird._arrays import Floats
from railbird._files import kept_arrays, write_arrays
from railbird._jit import room_cache
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HandClass
from railbird.errors import RailbirdError
from railbird.odds.flop_values import class_values, sum_over_boards
from railbird.odds.preflop_value import class_weights
from railbird.progress import Progress

STEPS: Final = (0.03, 0.06, 0.12, 0.25, 0.5, 1.0)
"""Shares of the holdings to which pages round; each is twice as loose as the one before."""

MOST_IN: Final = 3
MOST_MORE: Final = 5
"""The most opponents who are in, or who may come in, on a page: computing takes longer with more,
and pots with more opponents are rare."""

_BINS: Final = 200
"""Number of bins of odds. The sum over flops is exact except for the bin in which odds begin to
pay; there the error is less than the bin's width times the pot and the probability of the bin."""


class Opposition(NamedTuple):
    """The key of a page: the numbers of opponents, and their shares as places in `STEPS`."""

    certain: int
    certain_step: int
    more: int
    more_step: int


def step_of(share: float) -> int:
    """Return the place of the nearest of `STEPS`, by ratio.

    >>> [STEPS[step_of(share)] for share in (0.001, 0.1, 0.4, 0.8)]
    [0.03, 0.12, 0.5, 1.0]
    """
    logs = [abs(math.log(max(share, 1e-6) / step)) for step in STEPS]
    return logs.index(min(logs))


def opposition(
    seats: int, certain: int, certain_share: float, more: int, more_share: float
) -> tuple[Opposition, int]:
    """Return the page for some opponents, and how many of its ``more`` are certain to be in.

    One page of the size of the table serves every seat. If both shares are equal, it treats no
    opponent as certain, and so serves any division.
    """
    certain, more = min(certain, MOST_IN), min(more, MOST_MORE)
    first, second = step_of(certain_share), step_of(more_share)
    if not certain or not more or first == second:
        most = max(1, certain + more, min(seats - 1, MOST_MORE))
        return Opposition(0, 0, most, second if more else first), certain
    return Opposition(certain, first, max(more, min(seats - 1 - certain, MOST_MORE)), second), 0


@dataclass(frozen=True, kw_only=True)
class Page:
    """The distribution of every class's odds over the flops."""

    weight: Floats
    """(opponents more, 169, bins) probability of flops with such odds, summing to 1."""
    odds: Floats
    """The same probabilities times the mean odds in each bin."""

    def value(self, hand_class: HandClass, more: int, *, pot: float, bets: float) -> float:
        """Return the mean value of the flops, ``odds * pot - bets`` but never less than 0 each.

        ``pot`` is the final pot minus the rake, including the own ``bets`` from the flop on. This
        is the source's EV of a hand that is given up on flops that do not pay.
        """
        raw = pot * self.odds[more, hand_class] - bets * self.weight[more, hand_class]
        return float(np.maximum(raw, 0.0).sum())


def compute_page(
    against: Opposition,
    progress: Progress | None = None,
    *,
    classes: Sequence[int] = range(CLASSES),
) -> Page:
    """Compute a page over all boards, in ten to twenty seconds of a core; other classes are 0."""
    acted = [class_weights(STEPS[against.certain_step])] * against.certain
    ahead = class_weights(STEPS[against.more_step]) if against.more else None
    heroes = np.flatnonzero(np.isin(CLASS_OF_HOLDING, classes))
    sums = sum_over_boards(heroes, acted, ahead, against.more, progress=progress)
    shape = (against.more + 1, CLASSES, _BINS)
    weight, odds = np.zeros(shape), np.zeros(shape)
    for hand_class in classes:
        of_class = class_values(sums[:, CLASS_OF_HOLDING[heroes] == hand_class])
        for more in range(against.more + 1):
            total_weight = of_class.whole[:, more].astype(np.float64)
            chance = of_class.flops * total_weight
            flop_odds = of_class.won[:, more] / np.where(total_weight > 0, total_weight, 1.0)
            chance /= chance.sum() or 1.0
            # Odds of exactly one belong to the last bin.
            places = np.minimum((flop_odds * _BINS).astype(np.int64), _BINS - 1)
            weight[more, hand_class] = np.bincount(places, chance, _BINS)
            odds[more, hand_class] = np.bincount(places, chance * flop_odds, _BINS)
    return Page(weight=weight, odds=odds)


class FlopBook:
    """Pages in a folder of the cache. A missing page is computed, or noted for idle time.

    With ``waits``, `find` computes a missing page at once, so that the same seed plays the same
    hands. Without, it returns None and leaves the page to a thread in idle time.
    """

    def __init__(self, *, waits: bool = True, folder: Path | None = None) -> None:
        self.waits = waits
        self._folder = folder or _paths.cache_folder() / "flop_book" / room_cache("odds").name
        self._pages: dict[Opposition, Page] = {}
        self._wanted: list[Opposition] = []
        self._lock = threading.Lock()
        self._busy = False

    def find(self, against: Opposition) -> Page | None:
        """Return a page; None if it is missing and the book does not wait."""
        page = self._pages.get(against) or self._read(against)
        if page is not None:
            self._pages[against] = page
        elif self.waits:
            page = self.add(against)
        else:
            self.want([against])
        return page

    def add(self, against: Opposition, progress: Progress | None = None) -> Page:
        """Compute a page and keep it."""
        # Another program may have written the page since it was asked for.
        page = self._read(against) or compute_page(against, progress)
        self._pages[against] = page
        arrays = {"weight": page.weight.astype(np.float32), "odds": page.odds.astype(np.float32)}
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_arrays(self._path(against), arrays, compressed=True)
        except (OSError, RailbirdError):
            pass  # without a writable cache the page is computed again: that costs only time
        return page

    def want(self, pages: Iterable[Opposition]) -> None:
        """Queue missing pages for a thread in idle time; the latest request comes first."""
        with self._lock:
            for which in pages:
                if which in self._wanted:
                    self._wanted.remove(which)
                self._wanted.append(which)
            if self._wanted and not self._busy:
                self._busy = True
                threading.Thread(target=self._extend, name="flop book", daemon=True).start()

    def kept(self) -> tuple[Opposition, ...]:
        """Return the pages on disk."""
        page_files = sorted(self._folder.glob("*.npz")) if self._folder.is_dir() else []
        return tuple(Opposition(*map(int, path.stem.split("-"))) for path in page_files)

    def _extend(self) -> None:
        while True:
            with self._lock:
                if not self._wanted:
                    self._busy = False
                    return
                # The last request first: it is about the hand that is played now.
                which = self._wanted.pop()
            if which not in self._pages:
                self.add(which)

    def _path(self, which: Opposition) -> Path:
        return self._folder / f"{'-'.join(map(str, which))}.npz"

    def _read(self, against: Opposition) -> Page | None:
        shape = (against.more + 1, CLASSES, _BINS)
        arrays = kept_arrays(self._path(against), "weight", "odds")
        if arrays is None or any(array.shape != shape for array in arrays.values()):
            return None
        return Page(**arrays)
