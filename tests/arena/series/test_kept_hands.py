"""Hands that the results of ring games and tournaments hold: those of their logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from railbird.arena import Ring, RingResult, Tournaments, play_ring, play_tournaments
from railbird.arena.series.tournament_runner import TournamentsResult
from railbird.assessment.player_statistics.statistics import statistics_of
from railbird.errors import BadInput
from railbird.histories import HandRecord, read
from railbird.histories.columns import concat, records_of

PLAYERS = ("random", "always-call", "always-raise")


def hands_of(result: RingResult | TournamentsResult) -> list[HandRecord]:
    return list(records_of(concat(list(result.batches()))))


def ring_of(sessions: int) -> Ring:
    return Ring(players=PLAYERS, hands=20 * sessions, session=20, buy_in=60, seed=2)


def test_a_ring_game_keeps_the_hands_of_its_log(tmp_path: Path) -> None:
    log = tmp_path / "ring.phhs"
    kept = play_ring(ring_of(3), keep=True)
    play_ring(ring_of(2), log=log)
    resumed = play_ring(ring_of(3), log=log, keep=True)
    logged = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    assert resumed.resumed == 2
    assert len(logged) == kept.hands == resumed.hands
    played = [(hand.players, hand.holes, hand.actions, hand.payoffs) for hand in logged]
    for result in (kept, resumed, play_ring(ring_of(3), log=log)):
        found = hands_of(result)
        assert [(h.players, h.holes, h.actions, h.payoffs) for h in found] == played
    assert sum(each.hands for each in statistics_of(kept.batches()).values()) > kept.hands


def test_tournaments_keep_the_hands_of_their_log(tmp_path: Path) -> None:
    log = tmp_path / "tournaments.phhs"
    tournaments = Tournaments(players=PLAYERS, count=2, seed=1, stack=100)
    kept = play_tournaments(tournaments, log=log, keep=True, workers=2)
    logged = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    assert [hand.payoffs for hand in hands_of(kept)] == [hand.payoffs for hand in logged]


def test_what_is_not_kept_is_asked_for() -> None:
    with pytest.raises(BadInput, match="not kept"):
        play_ring(ring_of(1)).batches()
