"""Codes, kinds and names of actions."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.random_records import turns
from railbird.baseline import kernels as _kernels_baseline
from railbird.game import (
    Action,
    ActionKind,
    ActionName,
    Call,
    Fold,
    Raise,
    acpc_text,
    action_of,
    action_of_kind,
    code_of,
    kind_of,
    name_of,
    refusal,
    walk_kernels,
)
from railbird.game import kernels as _kernels_layout
from railbird.modelling import kernels as _kernels_tracker_layout
from railbird.players import compiled_kernels as _kernels_compiled_layout
from railbird.players.loki import kernels as _kernels_loki_layout
from railbird.players.loki import simulation_kernels
from railbird.units import Chips


@given(st.integers(-1, 2**62 - 1))
def test_a_code_is_that_of_its_action(code: int) -> None:
    assert code_of(action_of(code)) == code


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Fold(), _kernels_layout.FOLD),
        (Call(), _kernels_layout.CALL),
        (Raise(Chips(0)), _kernels_layout.BELOW),
        (Raise(Chips(-7)), _kernels_layout.BELOW),
        (Raise(Chips(10**30)), _kernels_layout.BEYOND),
    ],
)
def test_code(action: Action, code: int) -> None:
    assert code_of(action) == code


@pytest.mark.parametrize("what", ["fold", None, Raise(1.5), Raise("60")])  # type: ignore[arg-type]
def test_other_objects_have_no_code(what: Action) -> None:
    with pytest.raises(TypeError):
        code_of(what)


@pytest.mark.parametrize(
    "kernels",
    [
        _kernels_baseline,
        _kernels_tracker_layout,
        _kernels_compiled_layout,
        _kernels_loki_layout,
        simulation_kernels,
    ],
    ids=lambda module: module.__name__.removeprefix("railbird."),
)
def test_kernels_number_kinds_as_the_rules_do(kernels: ModuleType) -> None:
    assert [getattr(kernels, kind.name) for kind in ActionKind] == list(ActionKind)


def test_kernels_number_names_as_the_rules_do() -> None:
    assert [getattr(walk_kernels, name.name) for name in ActionName] == list(ActionName)


def test_an_action_is_named_as_its_kind() -> None:
    for action in (Fold(), Call(), Raise(Chips(60))):
        for to_call, bet in ((0, 0), (0, 20), (20, 20)):
            name = name_of(action, to_call=to_call, bet=bet)
            assert name is name_of(kind_of(action), to_call=to_call, bet=bet)
            assert name.acpc == acpc_text(action, None)


def test_the_action_of_a_kind_is_legal_at_every_turn() -> None:
    for seed in range(30):
        for state, _ in turns(np.random.default_rng(seed)):
            found = [action_of_kind(state, kind) for kind in ActionKind]
            assert all(refusal(state, action) is None for action in found)
            assert isinstance(found[0], Fold if state.to_call else Call)
            assert isinstance(found[2], Call if state.min_raise_to is None else Raise)
