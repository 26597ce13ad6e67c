"""The compiled loop plays, hand for hand, what the players' Python form plays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.random_hands import random_rules
from railbird.arena import Loop, Match, Seating
from railbird.arena.match.chunk_player import ChunkPlayer, Job
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Rules,
    acpc_rules,
    limit_holdem,
    no_limit_holdem,
    parse_rake,
)

WEIGHTED = (
    "always-call",
    "always-fold",
    "always-raise",
    "always-raise:pot",
    "always-raise:max",
    "always-raise:random",
    "random",
    "random,fold=0.2,raise=3,size=min",
    "random,fold=0,call=2,size=pot",
    "random,fold=0,call=0,raise=0",
)
GAMES = (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    acpc_rules(limit_holdem(5)),
    acpc_rules(no_limit_holdem(3, blinds=(50, 100), stack=2_000)),
    acpc_rules(no_limit_holdem(6, blinds=(1, 2), stack=[3, 40, 7, 200, 11, 90])),
    replace(HEADS_UP_LIMIT, rake=parse_rake("5%,cap=3")),
    replace(
        acpc_rules(no_limit_holdem(3, blinds=(1, 2), stack=[3, 40, 70])),
        rake=parse_rake("10%,cap=9,2:5%"),
    ),
)


def text(match: Match, loop: Loop) -> bytes:
    table = ChunkPlayer(Job(match, loop, logged=True))
    return b"".join(table.play(chunk).text for chunk in range(match.chunks))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data(), st.sampled_from(GAMES), st.integers(0, 2**32), st.sampled_from(Seating))
def test_the_logs_are_the_same(
    data: st.DataObject, rules: Rules, seed: int, seating: Seating
) -> None:
    players = tuple(data.draw(st.sampled_from(WEIGHTED)) for _ in range(rules.seats))
    match = Match(players=players, rules=rules, deals=30, seed=seed, seating=seating, chunk=20)
    assert text(match, Loop.COMPILED) == text(match, Loop.PYTHON)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_the_payoffs_are_the_same_at_any_table(data: st.DataObject, seed: int) -> None:
    rules = random_rules(np.random.default_rng(seed), raked=True)
    players = tuple(data.draw(st.sampled_from(WEIGHTED)) for _ in range(rules.seats))
    match = Match(players=players, rules=rules, deals=30, seed=seed)
    compiled, python = (
        ChunkPlayer(Job(match, loop, logged=False)).play(0) for loop in (Loop.COMPILED, Loop.PYTHON)
    )
    assert np.array_equal(compiled.payoffs, python.payoffs)
    assert all(not tally.counts for tally in python.faults)


@pytest.mark.parametrize(
    "players",
    [
        ("baseline", "baseline:aggressive-high,turn=loose-low"),
        ("random", "baseline:pot=facing-bet"),
        ("random", "baseline:multiplier=1.4,river.multiplier=0.5"),
        ("baseline:tight-high", "always-raise"),
    ],
)
def test_the_baseline_too(players: tuple[str, str]) -> None:
    match = Match(
        players=players, rules=HEADS_UP_LIMIT, deals=400, seed=1, seating=Seating.DUPLICATE
    )
    assert text(match, Loop.COMPILED) == text(match, Loop.PYTHON)


def test_where_a_player_has_no_compiled_form_for_the_game() -> None:
    match = Match(players=("baseline", "random"), rules=HEADS_UP_NO_LIMIT, deals=1, seed=1)
    with pytest.raises(BadInput, match="not every player has a compiled form"):
        ChunkPlayer(Job(match, Loop.COMPILED, logged=False))
    ChunkPlayer(Job(match, Loop.AUTO, logged=False)).play(0)


def test_hands_longer_than_the_first_room_for_actions() -> None:
    # Min-raises to 20,000 chips from a blind of 2: far more than sixteen actions a hand.
    rules = acpc_rules(no_limit_holdem(2, blinds=(1, 2), stack=2_000))
    match = Match(players=("always-raise", "always-raise"), rules=rules, deals=50, seed=1)
    played = text(match, Loop.COMPILED)
    assert max(line.count(b"r") for line in played.splitlines()) > 500
    assert played == text(match, Loop.PYTHON)


def test_draws_survive_a_lack_of_room() -> None:
    rules = acpc_rules(no_limit_holdem(6, blinds=(1, 2), stack=2_000))
    players = ("random,fold=0.01,call=1,raise=30,size=min",) * 6
    match = Match(players=players, rules=rules, deals=40, seed=1)
    played = text(match, Loop.COMPILED)
    assert np.mean([line.count(b"r") for line in played.splitlines()]) > 40
    assert played == text(match, Loop.PYTHON)
