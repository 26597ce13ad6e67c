"""Time banks: what a decision may take, what it costs, and what comes back."""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from railbird.arena import (
    Fault,
    FaultPolicy,
    Match,
    Refill,
    Remedy,
    Ring,
    Tournaments,
    hands,
    parse_refill,
    play,
    play_ring,
    play_tournaments,
)
from railbird.cli import run
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Call, Fold
from railbird.tournament.clock import Clock

SLOW = '''
import time

from railbird.game import Call

now = 0.0
"""The seconds that thinking has taken."""


class Thinking:
    """Thinks for 8 seconds about every third decision."""

    def reset(self, rng):
        self.decisions = 0

    def act(self, view):
        self.decisions += 1
        if self.decisions % 3 == 0:
            self.think()
        return Call()

    def think(self):
        global now
        now += 8.0


class Sleeping(Thinking):
    """Does so in earnest, but not as long."""

    def think(self):
        time.sleep(0.1)
'''


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A prefix of specs; the module lies in the current folder."""
    (tmp_path / "slow_players_of_test.py").write_text(SLOW)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return "slow=python:slow_players_of_test"


@pytest.fixture
def thinking(slow: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The spec of a player that thinks long by a clock of its own, which the arena looks at."""
    module = importlib.import_module("slow_players_of_test")
    clock = SimpleNamespace(perf_counter=lambda: module.now)
    monkeypatch.setattr("railbird.arena.guarded_player.time", clock)
    return f"{slow}:Thinking"


def test_only_what_is_beyond_the_limit_comes_out_of_the_bank() -> None:
    clock = Clock(limit=2.0, bank=5.0)
    assert clock.allowance == 7.0
    assert clock.charge(2.0)
    assert clock.left == 5.0
    assert clock.charge(5.0)
    assert clock.left == 2.0
    assert clock.charge(4.0), "the last second counts"
    assert clock.left == 0.0
    assert clock.charge(2.0)
    assert not clock.charge(2.5)


def test_an_overrun_empties_the_bank() -> None:
    clock = Clock(limit=1.0, bank=5.0)
    assert not clock.charge(9.0)
    assert clock.allowance == 1.0
    clock.wind_up()
    assert clock.allowance == 6.0


def test_a_bank_is_refilled_each_so_many_hands_up_to_what_it_was() -> None:
    clock = Clock(limit=0.0, bank=10.0, refill=Refill(seconds=4.0, hands=3))
    left = []
    clock.charge(9.0)
    for _ in range(11):
        clock.next_hand()
        left.append(clock.left)
    assert left == [1.0] * 3 + [5.0] * 3 + [9.0] * 3 + [10.0] * 2


def match_with(player: str, policy: FaultPolicy, deals: int = 6) -> Match:
    return Match(
        players=(player, "always-call"), rules=HEADS_UP_LIMIT, deals=deals, seed=1, faults=policy
    )


def test_a_player_that_sleeps_lives_on_its_bank_and_is_late_without(slow: str) -> None:
    rich = play(match_with(f"{slow}:Sleeping", FaultPolicy(decision_limit=0.02, bank=60.0)))
    assert not rich.faults[0].counts
    poor = play(match_with(f"{slow}:Sleeping", FaultPolicy(decision_limit=0.02)))
    assert poor.faults[0].counts[Fault.LATE] >= 3
    assert "s for a decision, limit 0.02 s (" in poor.faults[0].first[Fault.LATE]
    assert not poor.faults[1].counts


@pytest.mark.parametrize(
    ("policy", "late"),
    [
        # Four decisions a hand, and 3, 6, ... 24 are slow. The 21st is the small blind's first: it
        # folds when it is late, and the 24th does not come.
        (FaultPolicy(decision_limit=8.0), 0),
        (FaultPolicy(decision_limit=3.0, bank=40.0), 0),
        (FaultPolicy(decision_limit=3.0, bank=10.0, refill=Refill(seconds=10, hands=1)), 0),
        (FaultPolicy(decision_limit=3.0, bank=10.0), 5),
        (FaultPolicy(decision_limit=3.0, bank=9.0), 6),
        (FaultPolicy(decision_limit=3.0), 7),
    ],
)
def test_the_bank_pays_until_it_is_empty(thinking: str, policy: FaultPolicy, late: int) -> None:
    faults = play(match_with(thinking, policy)).faults
    assert faults[0].counts.get(Fault.LATE, 0) == late
    assert not faults[1].counts


def test_a_late_decision_is_answered_by_the_policy(thinking: str) -> None:
    policy = FaultPolicy(decision_limit=3.0, bank=9.0, late=Remedy.CALL)
    match = match_with(thinking, policy)
    assert play(match).faults[0].counts[Fault.LATE] == 7
    called = list(hands(match))
    assert all(set(hand.actions) == {Call()} for hand in called)
    folded = list(hands(replace(match, faults=FaultPolicy(decision_limit=3.0))))
    assert any(Fold() in hand.actions for hand in folded)
    assert play(match).faults[0].first[Fault.LATE] == (
        "hand 1: 8.000 s for a decision, limit 3.0 s and 4.000 s in the bank (flop)"
    )


def test_a_bank_lasts_for_a_tournament_a_session_or_a_chunk(thinking: str) -> None:
    policy = FaultPolicy(decision_limit=3.0, bank=10.0)
    tournaments = Tournaments(
        players=(thinking, "always-fold"), count=2, seed=1, stack=10_000, faults=policy
    )
    paid = "8.000 s for a decision, limit 3.0 s"
    for finish in play_tournaments(tournaments).finishes:
        assert finish.faults[0].first[Fault.LATE].partition(": ")[2].startswith(f"{paid} (")
    ring = Ring(
        players=(thinking, "always-call"), hands=12, session=6, seed=1, buy_in=100, faults=policy
    )
    first, second = (session.faults[0].counts[Fault.LATE] for session in play_ring(ring).sessions)
    assert 3 <= first <= 6
    assert 3 <= second <= 6
    match = match_with(thinking, policy, deals=12)
    halves = play(replace(match, chunk=6)).faults[0].counts[Fault.LATE]
    assert halves == 10 < play(match).faults[0].counts[Fault.LATE]


def test_the_options_of_the_command_line(thinking: str, capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("match", "league", "ring"):
        args = [verb, thinking, "always-call", "--hands", "20", "--time", "3"]
        assert run(args) == 1
        said = " ".join(capsys.readouterr().err.split())
        assert "slow: " in said
        assert " late faults, first: hand " in said
        assert "faults decided: more than 1 in 100" in said
        bank = ["--bank", "10", "--refill", "10/1", "--json"]
        assert run([*args, *bank]) == 0
        assert json.loads(capsys.readouterr().out)["players"]["slow"]["faults"] == {}
    assert run(["match", "random", "random", "--bank", "10"]) == 2
    assert "a time bank needs a limit" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: FaultPolicy(bank=3.0), "a time bank needs a limit for each decision"),
        (lambda: FaultPolicy(decision_limit=-1.0), "a limit of -1.0 s and a bank of 0.0 s"),
        (lambda: FaultPolicy(decision_limit=1.0, bank=-1.0), "a bank of -1.0 s"),
        (lambda: FaultPolicy(decision_limit=math.nan), "a limit of nan s"),
        (lambda: FaultPolicy(decision_limit=1.0, bank=math.inf), "allowed: 0 to 100,000,000"),
        (
            lambda: FaultPolicy(decision_limit=1.0, refill=Refill(seconds=1.0, hands=1)),
            "a refill needs a time bank",
        ),
        (lambda: parse_refill("10"), "refill '10'; allowed: SECONDS/HANDS, as in 10/50"),
        (lambda: parse_refill("0/5"), "a refill of 0.0 s each 5 hands"),
        (lambda: parse_refill("5/0"), "a refill of 5.0 s each 0 hands"),
    ],
)
def test_clocks_that_cannot_be_are_refused(make: Callable[[], object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        make()
