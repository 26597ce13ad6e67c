"""Players that fail: the hand goes on by the stated remedy, and the fault is counted."""

from __future__ import annotations

import dataclasses

import pytest

from railbird.arena import Fault, FaultPolicy, FaultTally, Match, Remedy
from railbird.arena.match.chunk_player import ChunkPlayer, Job, Loop
from railbird.arena.match.chunks import Chunk
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, Rules

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
    return ChunkPlayer(Job(match, Loop.PYTHON, logged=True)).play(0)


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
    capped = ChunkPlayer(Job(both, Loop.PYTHON, logged=True)).play(0)
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


def test_a_late_answer_is_not_taken(bad_players: str) -> None:
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
