"""Callers scaled by looseness: how the source applies a table of playable hands to opponents."""

from __future__ import annotations

from collections.abc import Sequence

from railbird._arguments import checked
from railbird.errors import BadInput


@checked
def scaled_bets_behind(looseness: Sequence[float]) -> float:
    """Return how many bets behind count against a made hand: twice as loose counts half.

    >>> scaled_bets_behind([2.0, 0.5])
    2.5
    """
    if not all(each > 0 for each in looseness):
        raise BadInput("a looseness of 0 or less; allowed: above 0")
    return float(sum(1 / each for each in looseness))


@checked
def expected_callers(behind: int, flops_seen: Sequence[float]) -> float:
    """Return how many callers a draw may expect: those behind, and those ahead by flops seen.

    >>> expected_callers(2, [0.2, 0.4])
    2.6
    """
    if behind < 0 or not all(0 <= each <= 1 for each in flops_seen):
        raise BadInput(f"{behind} behind, flops seen {flops_seen}; allowed: 0 or more, 0 to 1 each")
    return behind + float(sum(flops_seen))


@checked
def is_playable(
    playable: tuple[float, float],
    behind: int,
    flops_seen: Sequence[float],
    *,
    width: float | None = None,
) -> bool:
    """Return whether a hand that needs from ``playable[0]`` to ``[1]`` callers is played.

    ``width`` is how far around the expected number all must be playable: 0 for the estimate alone,
    None, the conservative choice, for every number that is possible.

    >>> [is_playable((3, 9), 2, [0.5, 0.5], width=width) for width in (0, 1, None)]
    [True, False, False]
    """
    expected = expected_callers(behind, flops_seen)
    least, most = float(behind), float(behind + len(flops_seen))
    if width is not None:
        if width < 0:
            raise BadInput(f"a width of {width:g}; allowed: 0 or more")
        least, most = max(least, expected - width), min(most, expected + width)
    return playable[0] <= least and most <= playable[1]
