"""The leaderboard: by EV given up, with intervals that are wide enough, on both databases."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.serve.pushfold.hand import Choice
from railbird.serve.pushfold.leaderboard import leaders, loss_per_decision
from railbird.storage import (
    Database,
    PushFoldDecisionRow,
    PushFoldHandRow,
    PushFoldPlayerRow,
    open_database,
)

pytestmark = pytest.mark.anyio


async def _add(
    database: Database, name: str, losses: list[float], *, stack: float = 10.0, hinted: bool = False
) -> None:
    async with database.write() as session:
        player = PushFoldPlayerRow(token=name, nickname=name, skill="", stack=stack)
        session.add(player)
        await session.flush()
        for number, loss in enumerate(losses, 1):
            hand = PushFoldHandRow(
                player_id=player.id,
                number=number,
                stack=stack,
                seat="sb",
                own="AsKd",
                opponent="2c2d",
                board="3c3d3h3s4c",
                opponent_choice="fold",
                hinted=hinted,
                ending="opponent folded",
                winnings=1000.0 * loss,
            )
            session.add(hand)
            await session.flush()
            session.add(
                PushFoldDecisionRow(
                    hand_id=hand.id,
                    choice=str(Choice.AGGRESS),
                    hand_class=1,
                    frequency=1.0,
                    ev_aggress=0.0,
                    ev_fold=0.0,
                    loss=loss,
                )
            )


async def test_ranks_by_what_is_given_up(database: str) -> None:
    opened = await open_database(database)
    await _add(opened, "lucky", [0.5] * 10 + [0.0] * 10)
    await _add(opened, "good", [0.1] + [0.0] * 19)
    await _add(opened, "short", [0.0] * 5)
    await _add(opened, "hinted", [0.0] * 20, hinted=True)
    await _add(opened, "deep", [0.0] * 20, stack=20.0)
    async with opened.read() as session:
        places = await leaders(session, stack=10.0, minimum=20)
        elsewhere = await leaders(session, stack=20.0, minimum=20)
        nowhere = await leaders(session, stack=33.0, minimum=20)
    await opened.close()
    assert [place.nickname for place in places] == ["good", "lucky"]
    assert places[0].loss.value == pytest.approx(0.005)
    assert places[0].loss.n == 20
    assert [place.nickname for place in elsewhere] == ["deep"]
    assert elsewhere[0].loss.high > 0
    assert nowhere == ()


def test_the_interval_is_the_usual_one_for_many_decisions() -> None:
    losses = np.random.default_rng(1).exponential(0.1, 10_000)
    found = loss_per_decision(len(losses), losses.sum(), np.square(losses).sum(), 0.2)
    assert found.stderr == pytest.approx(losses.std() / 100, rel=1e-3)


def test_intervals_cover_the_truth() -> None:
    """A player who errs in 5 % of 50 decisions, where the normal intervals alone cover 92 %."""
    rng, n, rate, cost = np.random.default_rng(2), 50, 0.05, 0.2
    mistakes = rng.binomial(n, rate, 4000)
    covered = [
        found.low <= rate * cost <= found.high
        for m in mistakes.tolist()
        for found in [loss_per_decision(n, m * cost, m * cost * cost, cost)]
    ]
    assert np.mean(covered) > 0.95
