"""What is known of people survives sessions, resets and crashes; damaged files are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Match, play
from railbird.errors import BadInput, DamagedFile
from railbird.game import HEADS_UP_LIMIT, Street
from railbird.modelling import ActionKind
from railbird.modelling.opponent_models import OpponentModels
from railbird.modelling.saved_opponents import (
    FORMAT,
    SavedOpponent,
    read_opponents,
    write_opponents,
)
from railbird.players import make_player

MANIAC = "random,fold=0,call=1,raise=5"


def kept(path: Path) -> dict[str, SavedOpponent]:
    return read_opponents(path)


def raises(known: SavedOpponent) -> float:
    return sum(context[ActionKind.RAISE] for street in known.actions for context in street)


def session(memory: Path, hands: int, *, seed: int, version: str = "som") -> None:
    players = (f"loki:{version},memory={memory}", MANIAC)
    play(Match(players=players, rules=HEADS_UP_LIMIT, deals=hands, seed=seed))


def test_a_second_session_goes_on_from_the_first(tmp_path: Path) -> None:
    memory = tmp_path / "notes.json"
    session(memory, 20, seed=1)
    first = kept(memory)
    assert MANIAC in first
    assert raises(first[MANIAC]) > 20
    session(memory, 20, seed=2)
    second = kept(memory)
    assert raises(second[MANIAC]) > raises(first[MANIAC]) + 20
    assert second.keys() == first.keys()


def test_who_keeps_a_memory_plays_in_one_process(tmp_path: Path) -> None:
    players = (f"loki:som,memory={tmp_path / 'notes.json'}", MANIAC)
    match = Match(players=players, rules=HEADS_UP_LIMIT, deals=20, seed=1)
    with pytest.raises(BadInput, match=r"kept by one process; allowed: 1 worker"):
        play(match, workers=2)
    assert not (tmp_path / "notes.json").exists()


def test_frequencies_of_a_remembered_person_count_from_the_first_hand(tmp_path: Path) -> None:
    memory = tmp_path / "notes.json"
    actions = [[[0.0, 0.0, 0.0] for _ in range(3)] for _ in Street]
    actions[Street.PREFLOP][0] = [0.0, 10.0, 30.0]
    shown = [[0.0] * 8 + [5.0]] * 2
    write_opponents(memory, {"ann": SavedOpponent(actions=actions, shown=shown)})
    people = OpponentModels(decay=1.0, memory=memory)
    people.introduce(("bob", "ann"))
    assert people[1].habits.of(Street.PREFLOP, 0) == (0.0, 0.25, 0.75)
    assert people[1].spreads.of(postflop=True) > 2
    assert people[0].habits.of(Street.PREFLOP, 0) == (0.0, 0.5, 0.5)
    people[1].habits.count(Street.PREFLOP, 0, ActionKind.RAISE)
    people.forget()
    assert read_opponents(memory)["ann"].actions[0][0] == [0.0, 10.0, 31.0]
    assert people[1].habits.counts[0][0] == [0.0, 10.0, 31.0]


def test_spreads_are_remembered_as_well(tmp_path: Path) -> None:
    memory = tmp_path / "notes.json"
    session(memory, 30, seed=3, version="som,sigma=learned")
    assert any(any(row) for row in kept(memory)[MANIAC].shown)


def test_people_without_names_are_not_kept(tmp_path: Path) -> None:
    people = OpponentModels(decay=1.0, memory=tmp_path / "notes.json")
    people[0].habits.count(Street.FLOP, 0, ActionKind.CALL)
    people.save()
    assert read_opponents(tmp_path / "notes.json") == {}


def test_who_has_no_file_remembers_nobody() -> None:
    people = OpponentModels(decay=1.0)
    people.introduce(("ann",))
    people[0].habits.count(Street.FLOP, 0, ActionKind.CALL)
    assert np.sum(people[0].habits.counts) == 1
    people.forget()
    assert np.sum(people[0].habits.counts) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"form', "not JSON"),
        pytest.param("[" * 200_000, "not JSON", id="deep"),
        ("[]", "not a memory"),
        ('{"format": "other", "people": {}}', "not a memory"),
        (json.dumps({"format": FORMAT, "people": {"ann": 3}}), "actions of 'ann'"),
        (
            json.dumps({"format": FORMAT, "people": {"ann": {"actions": [10**400]}}}),
            "actions of 'ann'",
        ),
        (
            json.dumps({"format": FORMAT, "people": {"ann": {"actions": [[["x"]]]}}}),
            "expected 4 x 3 x 3 numbers",
        ),
        (
            json.dumps({"format": FORMAT, "people": {"ann": {"actions": [[[-1] * 3] * 3] * 4}}}),
            "actions of 'ann'",
        ),
        (
            json.dumps(
                {"format": FORMAT, "people": {"ann": {"actions": [[[1] * 3] * 3] * 4, "shown": []}}}
            ),
            "shown of 'ann'; expected 2 x 9 numbers",
        ),
    ],
)
def test_a_damaged_file_is_refused_in_one_line_and_left_alone(
    tmp_path: Path, text: str, said: str
) -> None:
    memory = tmp_path / "notes.json"
    memory.write_text(text)
    with pytest.raises(DamagedFile) as caught:
        make_player(f"loki:som,memory={memory}")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert memory.read_text() == text


def test_a_file_that_cannot_be_kept_is_refused_before_the_first_hand(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="file"):
        make_player(f"loki:som,memory={tmp_path / 'file' / 'notes.json'}")
    with pytest.raises(BadInput, match="but nothing is learned"):
        make_player(f"loki:gom,memory={tmp_path / 'notes.json'}")
    assert not (tmp_path / "notes.json").exists()
