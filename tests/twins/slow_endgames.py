"""What best responses win in an endgame on the river, in a slow, obvious form.

It reads the arrays that an endgame gives to other programs, and the lines in them as text, and
looks at every pair of holdings.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_INDEX, strengths

Paid = tuple[int, int]


def _mix(
    arrays: Mapping[str, npt.NDArray[Any]], strategy: npt.NDArray[np.float64]
) -> dict[tuple[str, ...], npt.NDArray[np.float64]]:
    """Return how often each holding takes the last action of each line, by its words."""
    mix: dict[tuple[str, ...], npt.NDArray[np.float64]] = {}
    for number, line in enumerate(arrays["lines"].tolist()):
        here = (arrays["line_of"] == number) & (arrays["sets"] >= 0)
        chances = mix[tuple(line.split())] = np.zeros(1326)
        chances[arrays["holdings"][here]] = strategy[here]
    return mix


def best_response_shares(
    arrays: Mapping[str, npt.NDArray[Any]], strategy: npt.NDArray[np.float64]
) -> tuple[float, float]:
    """Return the chips of the pot that a best response of each player gets from the strategy."""
    (board,) = arrays["boards"]
    holdings = np.zeros((1326, 2), dtype=np.uint8)
    for low, high in combinations(range(52), 2):
        holdings[HOLDING_INDEX[low, high]] = low, high
    free: npt.NDArray[np.bool_] = np.logical_not(np.isin(holdings, board).any(axis=1))
    cards = np.hstack([holdings, np.tile(board.astype(np.uint8), (1326, 1))])
    strength = np.zeros(1326, dtype=np.int64)
    strength[free] = strengths(cards[free])
    apart = free[:, None] & free & ~(holdings[:, None, :, None] == holdings[:, None]).any((2, 3))
    wins = np.where(apart, np.sign(strength[:, None] - strength), 0.0)
    both = apart.astype(np.float64)

    mix = _mix(arrays, strategy)
    actions: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for words in mix:
        action = 2 if words[-1].isdigit() else 1
        actions.setdefault(words[:-action], []).append(words[-action:])

    def after(
        player: int,
        line: tuple[str, ...],
        action: tuple[str, ...],
        actor: int,
        paid: Paid,
        reach: Any,
    ) -> Any:
        if actor != player:
            reach = reach * mix[line + action]
        mine = paid[actor]
        if action[0] == "fold":
            lost = int(arrays["pot"]) / 2 + mine
            return (lost if actor != player else -lost) * (both @ reach)
        if action[0] == "call":
            mine = paid[1 - actor]
        elif action[0] != "check":
            mine = int(action[1])
        now = (mine, paid[1]) if actor == 0 else (paid[0], mine)
        if action[0] == "call" or (action[0] == "check" and actor == 1):
            return (int(arrays["pot"]) / 2 + now[0]) * (wins @ reach)
        return values(player, line + action, 1 - actor, now, reach)

    def values(player: int, line: tuple[str, ...], actor: int, paid: Paid, reach: Any) -> Any:
        won = [after(player, line, action, actor, paid, reach) for action in actions[line]]
        return np.max(won, axis=0) if actor == player else np.sum(won, axis=0)

    ranges = arrays["ranges"] * free
    pairs = ranges[0] @ both @ ranges[1]
    first, second = (
        float(ranges[player] @ values(player, (), 0, (0, 0), ranges[1 - player]) / pairs)
        + int(arrays["pot"]) / 2
        for player in (0, 1)
    )
    return first, second
