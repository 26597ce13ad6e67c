"""Specs and the registry: what reads, what is refused, and that a refusal says what is allowed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.errors import BadInput, ParseError
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Action,
    Call,
    DealHoles,
    Fold,
    Raise,
    due,
    initial,
    seeded_deals,
    step,
    view,
)
from railbird.players import Player, make_player, parse_spec
from railbird.players.registry import keeps_memory
from railbird.players.spec import Spec, parse_arguments
from railbird.units import Chips

MINE = """
from railbird.game import Call, Fold

class Mine:
    def __init__(self, loose="no"):
        self.loose = loose
    def reset(self, rng):
        pass
    def act(self, view):
        return Call() if self.loose == "yes" else Fold()

class NoPlayer:
    pass

class Broken:
    def __init__(self):
        raise RuntimeError("out of cheese")
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of the user's in the current folder."""
    (tmp_path / "my_players_of_test.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize(
    ("text", "name", "detail"),
    [
        ("random", "random", ""),
        ("loki:som,tightness=tight", "loki", "som,tightness=tight"),
        ("booker:4,aggression=60", "booker", "4,aggression=60"),
        ("random,raise=2", "random", "raise=2"),
        ("python:module:Class", "python", "module:Class"),
        ("acpc:./program", "acpc", "./program"),
    ],
)
def test_a_spec_is_a_name_and_the_rest(text: str, name: str, detail: str) -> None:
    assert parse_spec(text) == Spec(name, detail)


@pytest.mark.parametrize("text", ["", ":x", ",x=1", "a|b", "a\nb", " a", "a ", "a #1"])
def test_what_a_log_could_not_hold_is_no_spec(text: str) -> None:
    with pytest.raises(ParseError):
        parse_spec(text)


@pytest.mark.parametrize(
    ("spec", "former"),
    [("loki:som", "memory"), ("booker:4", "opponents"), ("booker:2", "opponents")],
)
def test_every_player_with_a_memory_names_it_alike(tmp_path: Path, spec: str, former: str) -> None:
    place = tmp_path / "people.sqlite3"
    assert keeps_memory(f"{spec},database={place}")
    assert keeps_memory(f"{spec},{former}={place}")  # as logs of earlier versions have it
    assert not keeps_memory(spec)
    with pytest.raises(BadInput, match=f"database= and {former}=.*one of the two"):
        make_player(f"{spec},database={place},{former}={place}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (
            "booker:4,memory=people.sqlite3",
            "allowed: 1 to 100000, or source; a file is named by database=",
        ),
        ("booker:4,database=", "no value of database"),
        ("booker:4,pay=1,=2", "no option"),
    ],
)
def test_what_is_wrong_with_an_option_is_said(spec: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make_player(spec)


def test_arguments_are_a_variant_and_options() -> None:
    assert parse_arguments(Spec("x", "som, tightness = tight ,a=b")) == (
        "som",
        {"tightness": "tight", "a": "b"},
    )


@pytest.mark.parametrize(
    ("detail", "position"), [("a=1,b", 4), ("a=1,a=2", 4), ("v,=1", 2), ("v,a=", 2), ("v,,", 2)]
)
def test_a_bad_option_is_pointed_at(detail: str, position: int) -> None:
    with pytest.raises(ParseError) as refused:
        parse_arguments(Spec("x", detail))
    assert refused.value.position == position


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("always-cal", ["always-cal", "did you mean always-call"]),
        ("someone", ["someone", "always-call, always-raise, always-fold, random"]),
        ("always-call:fast", ["no variants", "fast"]),
        ("always-raise:huge", ["huge", "min, pot, max, random"]),
        ("random,bluff=1", ["bluff", "fold, call, raise, size"]),
        ("random,fold=-1", ["fold=-1", "0 to 1000000"]),
        ("random,fold=nan", ["fold=nan", "0 to 1000000"]),
        ("random,fold=often", ["fold=often", "0 to 1000000"]),
        ("baseline:aggressive", ["aggressive", "aggressive-high"]),
        ("python:nowhere", ["MODULE:CLASS"]),
        ("python:no_such_module_at_all:X", ["no_such_module_at_all"]),
    ],
)
def test_a_refusal_is_one_line_that_says_what_is_allowed(text: str, words: list[str]) -> None:
    with pytest.raises(BadInput) as refused:
        make_player(text)
    message = str(refused.value)
    assert "\n" not in message
    for word in words:
        assert word in message


@pytest.mark.usefixtures("mine")
def test_a_class_of_ones_own_is_a_player() -> None:
    state = initial(HEADS_UP_LIMIT)
    state = step(state, due(state, seeded_deals(np.random.default_rng(1), 2, 1)[0]))
    assert state.actor is not None
    player = make_player("python:my_players_of_test:Mine,loose=yes")
    assert player.act(view(state, state.actor)) == Call()


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Nobody", "Nobody"),
        ("NoPlayer", "lacks reset and act"),
        ("Broken", "RuntimeError: out of cheese"),
        ("Mine,tight=yes", "unexpected keyword argument 'tight'"),
    ],
)
def test_a_class_that_is_no_player_is_refused(name: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make_player(f"python:my_players_of_test:{name}")


@pytest.mark.parametrize(
    ("spec", "action"),
    [
        ("random,fold=1,call=0,raise=0", Fold()),
        ("random,fold=0,call=1,raise=0", Call()),
        ("random,fold=0,call=0,raise=1,size=min", Raise(Chips(200))),
        ("random,fold=0,call=0,raise=1,size=pot", Raise(Chips(300))),
        ("random,fold=0,call=0,raise=1,size=max", Raise(Chips(20_000))),
    ],
)
def test_what_is_said_of_a_player_is_what_it_does(spec: str, action: Action) -> None:
    # Blinds of 50 and 100: the dealer calls 50, and a pot of 200 on top is 300.
    state = step(initial(HEADS_UP_NO_LIMIT), DealHoles((None, None)))
    assert state.actor is not None
    player: Player = make_player(spec)
    player.reset(np.random.default_rng(1))
    assert player.act(view(state, state.actor)) == action
