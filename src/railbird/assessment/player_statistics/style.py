"""Style of play: loose, moderate or tight; passive, moderate or aggressive (Papp 1998).

Papp calls players loose or tight who play more or fewer hands than the norm, and aggressive or
passive by their ratio of raises to calls. He gives no numbers: the norm here is what the others in
the same hands do together, and a style is moderate within a fifth of it or where the interval
includes it. Before the flop counts how many hands are played, after it how they are played.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import polars as pl

from railbird.assessment.player_statistics.definitions import Statistic
from railbird.assessment.player_statistics.settings import STYLE_BAND
from railbird.estimates.bounded_mean import BoundedMean
from railbird.estimates.settings import FEWEST


class Tightness(Enum):
    """How many hands are played."""

    LOOSE = "loose"
    MODERATE = "moderate"
    TIGHT = "tight"


class Aggressiveness(Enum):
    """How they are played."""

    PASSIVE = "passive"
    MODERATE = "moderate"
    AGGRESSIVE = "aggressive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One player's, beside the others of the same hands; None where there is too little to say."""

    tightness: Tightness | None
    aggressiveness: Aggressiveness | None
    norm_vpip: float
    """Share of hands that the others play."""
    norm_raises: float
    """Share of raises among the others' bets, raises and calls after the flop."""

    @property
    def words(self) -> str:
        """The style in words, such as ``tight-aggressive``; empty if nothing can be said."""
        said = (self.tightness, self.aggressiveness)
        parts = [each.value for each in said if each is not None]
        return parts[0] if parts == ["moderate", "moderate"] else "-".join(parts)

    def as_json(self) -> dict[str, object]:
        """Give the style and the norms."""
        return {
            "tightness": None if self.tightness is None else self.tightness.value,
            "aggressiveness": None if self.aggressiveness is None else self.aggressiveness.value,
            "norm_vpip": self.norm_vpip,
            "norm_raises": self.norm_raises,
        }


def styles_of(rows: pl.DataFrame) -> dict[str, Style]:
    """Judge everybody by the rows of `counts_of`, which have all players of every hand."""
    vpip, raises = Statistic.VPIP.key, Statistic.AGGRESSION_FREQUENCY.key
    counted = (vpip, f"{vpip}_chances", raises, "calls")
    sums = rows.group_by("player", maintain_order=True).agg(
        pl.col(name).cast(pl.Int64).sum() for name in counted
    )
    everybody = sums.select(pl.col(name).sum() for name in counted).row(0)
    found = {}
    for name, *mine in sums.iter_rows():
        others = [of_all - own for of_all, own in zip(everybody, mine, strict=True)]
        played, chances, bets, calls = mine
        norm_vpip = _share(others[0], others[1])
        norm_raises = _share(others[2], others[2] + others[3])
        place = _place(played, chances, norm_vpip)
        manner = _place(bets, bets + calls, norm_raises)
        found[name] = Style(
            tightness=None if place is None else tuple(Tightness)[1 - place],
            aggressiveness=None if manner is None else tuple(Aggressiveness)[1 + manner],
            norm_vpip=norm_vpip,
            norm_raises=norm_raises,
        )
    return found


def _share(done: int, chances: int) -> float:
    return done / chances if chances else float("nan")


def _place(done: int, chances: int, norm: float) -> int | None:
    """Tell whether a share lies below (-1), at (0) or above (1) the norm; None if unknown."""
    if chances < FEWEST or math.isnan(norm):
        return None
    levels = {0.0: chances - done, 1.0: done}
    kept = {level: count for level, count in levels.items() if count}
    share = BoundedMean(
        levels=tuple(kept), counts=tuple(kept.values()), least=0.0, most=1.0, unit="share"
    )
    low, high = share.interval()
    if share.value > norm * (1 + STYLE_BAND) and low > norm:
        return 1
    if share.value < norm * (1 - STYLE_BAND) and high < norm:
        return -1
    return 0
