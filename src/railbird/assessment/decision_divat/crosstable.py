"""Effects of every player's decisions on every player, by street.

A cell is the mean change, per hand that both were dealt into, of the column's value by the row's
decisions. Columns add up to the player's DIVAT less its position, so they estimate money. Single
cells depend on the baseline: the diagonal says "better than the baseline", not "well played", and
bluffs and mixed play look like gifts to and from others. Nor does a pair that gives to each other
prove anything about it: honest players of different styles give unequally too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.estimates.estimate import Estimate
from railbird.game import Street
from railbird.histories.columns import UNKNOWN, HandBatch

Floats = npt.NDArray[np.float64]
_STREETS = len(Street)


class Gifts(NamedTuple):
    """Changes by decisions in one batch, in the table's unit."""

    sums: Floats
    """(P, P, 4) by who acted, whom it moved, and street; P players so far."""
    squares: Floats
    """(P, P, 4) of a hand's changes."""
    street_squares: Floats
    """(P, P) of a hand's changes over all streets."""
    met: npt.NDArray[np.int64]
    """(P, P) hands that both were dealt into."""

    @classmethod
    def of(
        cls,
        batch: HandBatch,
        decisions: Floats,
        units: Floats,
        numbers: npt.NDArray[np.int64],
    ) -> Gifts:
        """Add up ``decisions`` (m, S) chips; ``numbers`` say who the batch's names are."""
        n, seats = batch.player.shape
        cells = np.zeros((n, seats, _STREETS, seats))
        where = (batch.hand_of, batch.answers.seat, batch.answers.street)
        np.add.at(cells, where, decisions / units[batch.hand_of][:, None])
        cells = cells.transpose(0, 1, 3, 2)
        most = int(numbers.max()) + 1
        who = np.where(batch.player == UNKNOWN, most, np.append(numbers, most)[batch.player])
        pairs = (who[:, :, None] * (most + 1) + who[:, None, :]).ravel()
        size = (most + 1) ** 2

        def by_pair(values: Floats) -> Floats:
            added = np.bincount(pairs, weights=values.ravel(), minlength=size).astype(np.float64)
            return added.reshape(most + 1, most + 1)[:most, :most]

        streets = [cells[..., street] for street in range(_STREETS)]
        return cls(
            sums=np.stack([by_pair(each) for each in streets], axis=2),
            squares=np.stack([by_pair(each**2) for each in streets], axis=2),
            street_squares=by_pair(cells.sum(axis=3) ** 2),
            met=by_pair(np.ones((n, seats, seats))).astype(np.int64),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionCrosstable:
    """Means per hand; see the module for how to read them."""

    players: tuple[str, ...]
    cells: dict[tuple[str, str], Estimate]
    """By acting and affected player, over all streets."""
    streets: dict[tuple[str, str, Street], Estimate]
    """The same by street."""

    @classmethod
    def of(cls, parts: Sequence[Gifts], names: Sequence[str], unit: str) -> DecisionCrosstable:
        """Put batches together."""
        size = len(names)
        sums, squares = np.zeros((size, size, _STREETS)), np.zeros((size, size, _STREETS))
        whole, met = np.zeros((size, size)), np.zeros((size, size), dtype=np.int64)
        for part in parts:
            known = len(part.met)
            sums[:known, :known] += part.sums
            squares[:known, :known] += part.squares
            whole[:known, :known] += part.street_squares
            met[:known, :known] += part.met
        cells, streets = {}, {}
        for one, two in zip(*np.nonzero(met), strict=True):
            hands, pair = int(met[one, two]), (names[one], names[two])
            total = float(sums[one, two].sum())
            cells[pair] = _mean(total, float(whole[one, two]), hands, unit)
            for street in Street:
                added, squared = sums[one, two, street], squares[one, two, street]
                streets[(*pair, street)] = _mean(float(added), float(squared), hands, unit)
        players = tuple(name for name in names if (name, name) in cells)
        return cls(players=players, cells=cells, streets=streets)

    def as_json(self) -> dict[str, dict[str, dict[str, object]]]:
        """Return ``crosstable.A.B``: what A's decisions did to B, with ``streets``."""
        return {
            one: {
                two: {
                    **self.cells[one, two].as_json(),
                    "streets": {
                        street.name.lower(): self.streets[one, two, street].as_json()
                        for street in Street
                    },
                }
                for two in self.players
                if (one, two) in self.cells
            }
            for one in self.players
        }


def _mean(total: float, squares: float, hands: int, unit: str) -> Estimate:
    mean = total / hands
    spread = max(0.0, squares - hands * mean * mean)
    error = float(np.sqrt(spread / (hands - 1) / hands)) if hands > 1 else float("inf")
    return Estimate(mean, error, hands, unit)
