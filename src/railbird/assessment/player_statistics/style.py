"""Style of play: loose, moderate or tight; passive, moderate or aggressive (Papp 1998).

Papp calls players loose or tight if they play more or fewer hands than the norm, and aggressive or
passive by their ratio of raises to calls, without giving numbers. Here the norm is the joint play
of the others in the same hands, and a style is moderate within a fifth of it or if the interval
includes it. Preflop the number of hands played counts, after the flop the way they are played.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import polars as pl

from railbird.assessment.player_statistics.settings import STYLE_BAND
from railbird.assessment.player_statistics.statistic_names import Statistic
from railbird.estimates.bounded_mean import BoundedMean
from railbird.estimates.settings import FEWEST


class Tightness(Enum):
    """Style by the number of hands played."""

    LOOSE = "loose"
    MODERATE = "moderate"
    TIGHT = "tight"


class Aggressiveness(Enum):
    """Style by the way hands are played."""

    PASSIVE = "passive"
    MODERATE = "moderate"
    AGGRESSIVE = "aggressive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One player's style, relative to the others in the same hands; None with too few hands."""

    tightness: Tightness | None
    aggressiveness: Aggressiveness | None
    norm_vpip: float
    """Share of hands that the others play."""
    norm_raises: float
    """Share of raises among the others' bets, raises and calls after the flop."""

    @property
    def words(self) -> str:
        """The style in words, such as ``tight-aggressive``; empty with too few hands."""
        said = (self.tightness, self.aggressiveness)
        parts = [part.value for part in said if part is not None]
        return parts[0] if parts == ["moderate", "moderate"] else "-".join(parts)

    def as_json(self) -> dict[str, object]:
        """Return the style and the norms."""
        return {
            "tightness": None if self.tightness is None else self.tightness.value,
            "aggressiveness": None if self.aggressiveness is None else self.aggressiveness.value,
            "norm_vpip": self.norm_vpip,
            "norm_raises": self.norm_raises,
        }


def styles_of(rows: pl.DataFrame) -> dict[str, Style]:
    """Classify all players by the rows of `counts_of`, which include all players of every hand."""
    vpip, raises = Statistic.VPIP.key, Statistic.AGGRESSION_FREQUENCY.key
    counted = (vpip, f"{vpip}_chances", raises, "calls")
    sums = rows.group_by("player", maintain_order=True).agg(
        pl.col(name).cast(pl.Int64).sum() for name in counted
    )
    everybody = sums.select(pl.col(name).sum() for name in counted).row(0)
    styles = {}
    for name, *mine in sums.iter_rows():
        others = [of_all - own for of_all, own in zip(everybody, mine, strict=True)]
        played, chances, bets, calls = mine
        norm_vpip = _share(others[0], others[1])
        norm_raises = _share(others[2], others[2] + others[3])
        place = _place(played, chances, norm_vpip)
        manner = _place(bets, bets + calls, norm_raises)
        styles[name] = Style(
            tightness=None if place is None else tuple(Tightness)[1 - place],
            aggressiveness=None if manner is None else tuple(Aggressiveness)[1 + manner],
            norm_vpip=norm_vpip,
            norm_raises=norm_raises,
        )
    return styles


def _share(done: int, chances: int) -> float:
    return done / chances if chances else float("nan")


def _place(done: int, chances: int, norm: float) -> int | None:
    """Return -1, 0 or 1 for a share below, at or above the norm; None if unknown."""
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
