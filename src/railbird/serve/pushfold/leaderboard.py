"""The leaderboard: players by what they give up per decision, with intervals.

Luck at the cards plays no part in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from railbird.estimates.estimate import Z_95, Estimate
from railbird.storage import PushFoldDecisionRow, PushFoldHandRow, PushFoldPlayerRow

TYPICAL_MISTAKE_BB = 0.2
"""Cost of a mistake as long as nobody has made one."""

NO_MISTAKE_BB = 1e-4
"""Tolerance: if the equilibrium mixes, both choices are equal up to the solver's precision."""


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place."""

    player_id: int
    nickname: str
    loss: Estimate
    """Big blinds given up per decision."""


def loss_per_decision(n: int, total: float, squares: float, mistake: float) -> Estimate:
    """Estimate the mean loss of ``n`` decisions of which sum and sum of squares are known.

    Mistakes are rare and each costs much more than the mean, so a short record without one has no
    variance at all and would look like certainty. A few mistakes of the usual cost are therefore
    added to the variance, not to the mean: so many that the interval of a record without any ends
    near three in ``n``, the rule of three.

    >>> round(loss_per_decision(100, 0.0, 0.0, 0.2).high, 4)
    0.0061
    """
    if n == 0:
        return Estimate(math.nan, math.inf, 0, "bb")
    mean = total / n
    spread = max(squares - n * mean * mean, 0.0) + (3 / Z_95 * mistake) ** 2
    return Estimate(mean, math.sqrt(spread) / n, n, "bb")


async def leaders(
    session: AsyncSession, *, stack: float, minimum: int, most: int = 50
) -> tuple[Place, ...]:
    """Rank the players with enough decisions at a stack, the smallest loss first.

    One stack at a time, because what can be given up depends on it: next to nothing at one big
    blind.
    """
    counted = (PushFoldHandRow.stack == stack, PushFoldHandRow.hinted.is_(False))
    decided = select(
        func.sum(
            case((PushFoldDecisionRow.loss > NO_MISTAKE_BB, PushFoldDecisionRow.loss), else_=0.0)
        ),
        func.sum(case((PushFoldDecisionRow.loss > NO_MISTAKE_BB, 1), else_=0)),
    ).join(PushFoldHandRow, PushFoldHandRow.id == PushFoldDecisionRow.hand_id)
    cost, mistakes = (await session.execute(decided.where(*counted))).one()
    mistake = float(cost) / int(mistakes) if mistakes else TYPICAL_MISTAKE_BB
    mean = func.avg(PushFoldDecisionRow.loss)
    query = (
        select(
            PushFoldPlayerRow.id,
            PushFoldPlayerRow.nickname,
            func.count(),
            func.sum(PushFoldDecisionRow.loss),
            func.sum(PushFoldDecisionRow.loss * PushFoldDecisionRow.loss),
        )
        .join(PushFoldHandRow, PushFoldHandRow.player_id == PushFoldPlayerRow.id)
        .join(PushFoldDecisionRow, PushFoldDecisionRow.hand_id == PushFoldHandRow.id)
        .where(*counted)
        .group_by(PushFoldPlayerRow.id, PushFoldPlayerRow.nickname)
        .having(func.count() >= minimum)
        .order_by(mean, func.count().desc(), PushFoldPlayerRow.id)
        .limit(most)
    )
    return tuple(
        Place(player_id, nickname, loss_per_decision(n, float(total), float(squares), mistake))
        for player_id, nickname, n, total, squares in await session.execute(query)
    )
