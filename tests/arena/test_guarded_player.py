"""Time banks: what a decision may take, what it costs, and what comes back."""

from __future__ import annotations

import dataclasses
import importlib
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from railbird.arena import (
    Fault,
    FaultPolicy,
    FaultTally,
    League,
    Match,
    Remedy,
    Ring,
    Tournaments,
    hands,
    play,
    play_league,
    play_ring,
    play_tournaments,
)
from railbird.arena.match_chunks import Chunk, ChunkJob, ChunkPlayer, Loop
from railbird.cli import run
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Action,
    Betting,
    Call,
    Fold,
    Rules,
    View,
    no_limit_holdem,
)
from railbird.tournament.schedule import Clock, Refill, parse_refill

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
    """Does so in earnest, but not as long: at least as long as it says."""

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
    rich = play(match_with(f"{slow}:Sleeping", FaultPolicy(decision_limit=0.02, bank=3600.0)))
    assert not rich.faults[0].counts
    assert not rich.faults[1].counts
    poor = play(match_with(f"{slow}:Sleeping", FaultPolicy(decision_limit=0.02)))
    assert poor.faults[0].counts[Fault.LATE] >= 3
    assert "s for a decision, limit 0.02 s (" in poor.faults[0].first[Fault.LATE]


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
        args = [verb, thinking, "always-call", "--hands", "20"]
        assert run([*args, "--clock", "3"]) == 1
        said = " ".join(capsys.readouterr().err.split())
        assert "slow: " in said
        assert " late faults, first: hand " in said
        assert "faults decided: more than 1 in 100" in said
        bank = ["--clock", "3+10+10/1", "--json"]
        assert run([*args, *bank]) == 0
        assert json.loads(capsys.readouterr().out)["players"]["slow"]["faults"] == {}
    assert run(["match", "random", "random", "--clock", "+10"]) == 2
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
            "without a time bank; allowed: with one",
        ),
        (lambda: parse_refill("10"), "refill '10'; allowed: SECONDS/HANDS, as in 10/50"),
        (lambda: parse_refill("0/5"), "a refill of 0.0 s each 5 hands"),
        (lambda: parse_refill("5/0"), "a refill of 5.0 s each 0 hands"),
    ],
)
def test_clocks_that_cannot_be_are_refused(make: Callable[[], object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        make()


# Players that fail: the hand goes on by the stated remedy, and the fault is counted.


HANDS = 4


def played(
    player: str, rules: Rules = HEADS_UP_NO_LIMIT, policy: FaultPolicy | None = None
) -> Chunk:
    match = Match(
        players=(player, "always-call"),
        rules=rules,
        deals=HANDS,
        seed=1,
        faults=policy or FaultPolicy(),
    )
    return ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=True)).play(0)


def bettings(chunk: Chunk) -> list[str]:
    return [line.split(":")[2] for line in chunk.text.decode().splitlines()]


@pytest.mark.parametrize(
    ("answer", "fault", "words"),
    [
        ("raises", Fault.EXCEPTION, "hand 0: ZeroDivisionError: by nothing"),
        ("none", Fault.ILLEGAL, "hand 0: answered with NoneType, which is not an action (preflop)"),
        ("word", Fault.ILLEGAL, "hand 0: answered with str, which is not an action (preflop)"),
        ("half", Fault.ILLEGAL, "hand 0: answered with Raise, which is not an action (preflop)"),
        ("huge", Fault.ILLEGAL, "cannot raise to"),
        ("tiny", Fault.ILLEGAL, "cannot raise to 1: legal 200"),
        ("negative", Fault.ILLEGAL, "cannot raise to -5: legal 200"),
    ],
)
def test_each_fault_is_counted_and_told(
    bad_players: str, answer: str, fault: Fault, words: str
) -> None:
    chunk = played(f"{bad_players}:Scripted,answer={answer}")
    mine, theirs = chunk.faults
    assert set(mine.counts) == {fault}
    assert mine.counts[fault] >= HANDS
    assert words in mine.first[fault]
    assert not theirs.counts


def test_illegal_sizes_move_to_the_nearest_legal(bad_players: str) -> None:
    # The player is the big blind in hand 0 and the dealer in hand 1.
    assert bettings(played(f"{bad_players}:Scripted,answer=huge"))[:2] == [
        "cr20000c///",
        "r20000c///",
    ]
    assert bettings(played(f"{bad_players}:Scripted,answer=tiny"))[1].startswith("r200c/")


def test_what_is_no_action_calls(bad_players: str) -> None:
    for answer in ("none", "word", "half"):
        chunk = played(f"{bad_players}:Scripted,answer={answer}")
        assert set(bettings(chunk)) == {"cc/cc/cc/cc"}


def test_a_raise_where_none_is_allowed_calls(bad_players: str) -> None:
    chunk = played(f"{bad_players}:Scripted,answer=huge", HEADS_UP_LIMIT)
    # Against always-call the cap is never reached: every decision is the nearest legal raise.
    assert bettings(chunk)[1] == "rc/crc/crc/crc"
    both = Match(
        players=(f"{bad_players}:Scripted,answer=huge", "always-raise"),
        rules=HEADS_UP_LIMIT,
        deals=1,
        seed=1,
    )
    capped = ChunkPlayer(ChunkJob(both, Loop.PYTHON, logged=True)).play(0)
    assert bettings(capped) == ["rrrc/rrrrc/rrrrc/rrrrc"]


def test_an_open_fold_is_refused_and_checks(bad_players: str) -> None:
    chunk = played(f"{bad_players}:Scripted,answer=fold")
    assert bettings(chunk)[:2] == ["cc/cc/cc/cc", "f"]
    assert "checking is free" in chunk.faults[0].first[Fault.ILLEGAL]


def test_an_exception_folds_to_a_bet_and_checks_else(bad_players: str) -> None:
    assert bettings(played(f"{bad_players}:Scripted,answer=raises"))[:2] == ["cc/cc/cc/cc", "f"]
    calls = FaultPolicy(exception=Remedy.CALL)
    chunk = played(f"{bad_players}:Scripted,answer=raises", policy=calls)
    assert set(bettings(chunk)) == {"cc/cc/cc/cc"}


def test_faults_are_counted_where_standard_error_is_closed(
    bad_players: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", None)
    test_an_exception_folds_to_a_bet_and_checks_else(bad_players)


def test_a_late_answer_is_not_taken(bad_players: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]  # by which nobody but a player that sleeps takes any time
    clock = SimpleNamespace(perf_counter=lambda: now[0])
    monkeypatch.setattr("railbird.arena.guarded_player.time", clock)
    monkeypatch.setattr("time.sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    policy = FaultPolicy(decision_limit=0.01)
    chunk = played(f"{bad_players}:Scripted,answer=slow", policy=policy)
    assert bettings(chunk)[:2] == ["cc/cc/cc/cc", "f"]
    assert set(chunk.faults[0].counts) == {Fault.LATE}
    assert "limit 0.01 s" in chunk.faults[0].first[Fault.LATE]
    patient = dataclasses.replace(policy, decision_limit=60.0)
    assert not played(f"{bad_players}:Scripted,answer=slow", policy=patient).faults[0].counts


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("bad-reset", "reset: RuntimeError: cannot forget"),
        ("bad-observe", "hand 0: ValueError: cannot look at that"),
    ],
)
def test_failures_beside_the_decisions_are_counted(bad_players: str, what: str, words: str) -> None:
    chunk = played(f"{bad_players}:Scripted,answer={what}")
    assert set(bettings(chunk)) == {"cc/cc/cc/cc"}
    assert chunk.faults[0].first[Fault.EXCEPTION] == words


def test_whole_numbers_of_any_type_are_sizes(bad_players: str) -> None:
    chunk = played(f"{bad_players}:Numpy", HEADS_UP_LIMIT)
    assert not chunk.faults[0].counts
    assert bettings(chunk)[1] == "rc/crc/crc/crc"


def test_ctrl_c_is_no_fault(bad_players: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        played(f"{bad_players}:Scripted,answer=interrupt")


def test_tallies_add_up_and_survive_a_log() -> None:
    total = FaultTally()
    for hand in range(3):
        part = FaultTally()
        part.count(Fault.LATE, f"hand {hand}: late")
        total.add(part)
    total.count(Fault.ILLEGAL, "hand 9: no")
    assert total.as_json() == {
        "illegal": {"count": 1, "first": "hand 9: no"},
        "late": {"count": 3, "first": "hand 0: late"},
    }
    assert FaultTally.from_json(total.as_json()) == total


# Players are asked whether they can play before any hand, and are ended after the last one.


ENDED: list[str] = []
ACTED: list[str] = []


class Ends:
    """Notes when it is closed."""

    def reset(self, rng: np.random.Generator) -> None:
        """Forget nothing."""

    def act(self, view: View) -> Action:
        """Call."""
        ACTED.append("acted")
        return Call()

    def close(self) -> None:
        """Note it."""
        ENDED.append(type(self).__name__)


class FailsToEnd(Ends):
    """Raises when it is closed."""

    def close(self) -> None:
        """Raise."""
        super().close()
        raise ValueError("no end")


class LimitAlone(Ends):
    """Plays limit alone."""

    def supports(self, rules: Rules) -> str | None:
        """Refuse other betting."""
        return None if rules.betting is Betting.LIMIT else "plays limit alone"


class NoRings(Ends):
    """Plays with fixed stacks alone."""

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Refuse stacks that carry over."""
        return "stacks must stay" if carries_over else None


@pytest.fixture
def nothing_noted() -> None:
    ENDED.clear()
    ACTED.clear()


def match_of(*players: object, rules: Rules = HEADS_UP_LIMIT) -> Match:
    return Match(players=players, rules=rules, deals=20, seed=1)  # type: ignore[arg-type]


@pytest.mark.usefixtures("nothing_noted")
def test_a_match_ends_what_it_made() -> None:
    play(match_of(Ends, "random"))
    assert ENDED == ["Ends"]


@pytest.mark.usefixtures("nothing_noted")
def test_records_end_it_too_also_if_nobody_takes_them_all() -> None:
    some = hands(match_of(Ends, "random"))
    next(some)
    assert ENDED == []
    some.close()  # type: ignore[attr-defined]
    assert ENDED == ["Ends"]


@pytest.mark.usefixtures("nothing_noted")
def test_an_object_handed_in_stays_open() -> None:
    play(match_of(Ends(), "random"))
    assert ENDED == []


@pytest.mark.usefixtures("nothing_noted")
def test_every_match_of_a_league_ends_its_players() -> None:
    play_league(
        League(players=(Ends, "random", "always-call"), rules=HEADS_UP_LIMIT, deals=5, seed=1)
    )
    # Each of its two matches, and the look at who is there.
    assert ENDED == ["Ends"] * 4


@pytest.mark.usefixtures("nothing_noted")
@pytest.mark.parametrize(
    "played",
    [
        lambda: play_ring(Ring(players=(Ends, "random"), hands=10, seed=1, buy_in=100)),
        lambda: play_tournaments(Tournaments(players=(Ends, "random"), count=1, stack=100, seed=1)),
    ],
)
def test_series_end_their_players(played: Callable[[], object]) -> None:
    played()
    assert ENDED == ["Ends"]


@pytest.mark.usefixtures("nothing_noted")
def test_a_failure_at_the_end_is_told_and_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    result = play(match_of(FailsToEnd, Ends))
    assert sorted(ENDED) == ["Ends", "FailsToEnd"]
    assert result.match.deals == 20
    assert "FailsToEnd: close: ValueError: no end" in caplog.text


@pytest.mark.usefixtures("nothing_noted")
def test_who_cannot_play_is_refused_before_any_hand_and_the_others_end() -> None:
    rules = no_limit_holdem(2, blinds=(1, 2), stack=50)
    with pytest.raises(BadInput, match=r"^LimitAlone: plays limit alone$"):
        play(match_of(Ends, LimitAlone, rules=rules))
    assert ACTED == []
    assert sorted(ENDED) == ["Ends", "LimitAlone"]
    play(match_of(Ends, LimitAlone))
    assert ACTED


@pytest.mark.usefixtures("nothing_noted")
def test_stacks_that_carry_over_are_asked_for() -> None:
    play(match_of(NoRings, "random"))
    with pytest.raises(BadInput, match=r"^NoRings: stacks must stay$"):
        play_ring(Ring(players=(NoRings, "random"), hands=10, seed=1, buy_in=100))


@pytest.mark.usefixtures("nothing_noted")
def test_who_does_not_care_for_stacks_need_not_name_them() -> None:
    ring = Ring(players=(LimitAlone, "random"), hands=4, seed=1, buy_in=100, betting=Betting.LIMIT)
    assert play_ring(ring).hands == 4
    with pytest.raises(BadInput, match=r"^LimitAlone: plays limit alone$"):
        play_ring(Ring(players=(LimitAlone, "random"), hands=4, seed=1, buy_in=100))


@pytest.mark.usefixtures("nothing_noted")
def test_the_command_line_refuses_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "picky_bot.py").write_text(
        "class Picky:\n"
        "    def reset(self, rng): pass\n"
        "    def act(self, view): raise SystemExit\n"
        "    def supports(self, rules): return 'not today'\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run(["match", "python:picky_bot:Picky", "random", "--hands", "10"]) == 2
    assert capsys.readouterr().err.strip() == "railbird: python:picky_bot:Picky: not today"


@pytest.mark.usefixtures("nothing_noted")
@pytest.mark.slow
def test_workers_end_their_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ending_bot.py").write_text(
        "import os, pathlib\n"
        "class Bot:\n"
        "    def reset(self, rng): pass\n"
        "    def act(self, view):\n"
        "        from railbird.game import Call\n"
        "        return Call()\n"
        "    def close(self):\n"
        f"        pathlib.Path({str(tmp_path)!r}, f'ended-{{os.getpid()}}').touch()\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    many = Match(
        players=("python:ending_bot:Bot", "random"),
        rules=HEADS_UP_LIMIT,
        deals=400,
        seed=1,
        chunk=100,
    )
    play(many, workers=2)
    assert len(list(tmp_path.glob("ended-*"))) >= 2  # this process and a worker at least
