"""Strategies of limit hold'em: their files."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.cards import HOLDINGS, parse_cards
from railbird.errors import BadInput, DamagedFile, DuplicateCard
from railbird.game import HEADS_UP_LIMIT
from railbird.solve.abstraction import BLOCKED, CardBlind, states_on
from railbird.solve.abstraction.buckets import BucketAbstraction
from railbird.solve.limit import LimitStrategy, betting_tree, open_strategy, write_strategy
from railbird.solve.limit.strategy import uniform_strategy
from railbird.solve.strategy_files import in_whole_steps


@pytest.fixture
def strategy() -> LimitStrategy:
    uniform = uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind())
    rng = np.random.default_rng(1)
    tables = tuple(table * rng.random(table.shape, np.float32) for table in uniform.probabilities)
    return LimitStrategy(uniform.tree, uniform.abstraction, tables, {"iterations": 7})


def test_a_file_keeps_a_strategy(strategy: LimitStrategy, tmp_path: Path) -> None:
    path = tmp_path / "blind.strategy"
    digest = write_strategy(path, strategy)
    read = open_strategy(path, verify=True)
    assert read.hash == digest
    assert read.training == {"iterations": 7}
    assert read.abstraction == CardBlind()
    for table, kept in zip(strategy.probabilities, read.probabilities, strict=True):
        assert np.array_equal(table, kept)
    place = read.tree.after("cr/rr")
    assert np.allclose(read.at(place, 0), strategy.at(place, 0))
    assert read.at(place, 0).sum() == pytest.approx(1)
    assert write_strategy(tmp_path / "again.strategy", read) == digest
    assert (tmp_path / "again.strategy").read_bytes() == path.read_bytes()


def test_damage_is_found(strategy: LimitStrategy, tmp_path: Path) -> None:
    path = tmp_path / "blind.strategy"
    write_strategy(path, strategy)
    whole = path.read_bytes()
    path.write_bytes(whole[:-4])
    with pytest.raises(DamagedFile, match="cut"):
        open_strategy(path)
    path.write_bytes(whole[:-4] + b"\0\0\0\0")
    open_strategy(path)
    with pytest.raises(DamagedFile, match="changed"):
        open_strategy(path, verify=True)
    path.write_bytes(whole.replace(b'"iterations": 7', b'"iterations": 8'))
    with pytest.raises(DamagedFile, match="changed"):
        open_strategy(path, verify=True)


@pytest.mark.parametrize("value", [np.nan, -0.5, np.inf])
def test_what_was_written_as_no_probability_is_no_strategy(
    strategy: LimitStrategy, tmp_path: Path, value: float
) -> None:
    path = tmp_path / "blind.strategy"
    *others, river = strategy.probabilities
    river[-1, -1] = value
    write_strategy(path, replace(strategy, probabilities=(*others, river)))
    with pytest.raises(DamagedFile, match="something else than probabilities"):
        open_strategy(path, verify=True)


def test_the_hash_is_of_what_determines_play(strategy: LimitStrategy, tmp_path: Path) -> None:
    path = tmp_path / "blind.strategy"
    digest = write_strategy(path, strategy)
    later = replace(strategy, training={"iterations": 7, "seconds": 123.4})
    assert write_strategy(tmp_path / "later.strategy", later) == digest
    first, *others = strategy.probabilities
    other = replace(strategy, probabilities=(first * np.float32(0.5), *others))
    assert write_strategy(tmp_path / "other.strategy", other) != digest


def test_a_file_of_an_older_version_keeps_its_hash(strategy: LimitStrategy, tmp_path: Path) -> None:
    path = tmp_path / "blind.strategy"
    write_strategy(path, strategy)
    content = path.read_bytes()
    magic, header, _ = content.split(b"\n", 2)
    fields = json.loads(header)
    tables = content[-4 * sum(table.size for table in strategy.probabilities) :]
    del fields["plays"], fields["sha256"], fields["made"]
    fields["provenance"] = fields.pop("training") | {"seed": 3, "date": "2025-06-07"}
    digest = hashlib.sha256(json.dumps(fields, sort_keys=True).encode() + tables).hexdigest()
    head = magic + b"\n" + json.dumps({"sha256": digest} | fields).encode() + b"\n"
    path.write_bytes(head.ljust(-len(head) % 4096 + len(head)) + tables)
    former = open_strategy(path, verify=True)
    assert former.hash == digest
    assert former.training["iterations"] == 7
    assert str(former.made) == "railbird · seed 3 · 2025-06-07"


@pytest.mark.parametrize("share", [0.0, np.nan, -0.5, np.inf])
def test_a_decision_without_probabilities_is_refused(strategy: LimitStrategy, share: float) -> None:
    tables = tuple(np.full_like(table, share) for table in strategy.probabilities)
    damaged = replace(strategy, probabilities=tables)
    with pytest.raises(DamagedFile, match="no probabilities in state 0 at crc/r"):
        damaged.at(damaged.tree.after("crc/r"), 0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "x.strategy"
    os.mkfifo(pipe)
    with pytest.raises(BadInput, match="a regular file"):
        open_strategy(pipe)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"something else",
        b"railbird limit strategy 1\n",
        b"railbird limit strategy 1\n[]\n",
        b"railbird limit strategy 1\n{}\n",
        b"railbird limit strategy 1\n" + b"[" * 100_000,
        b'railbird limit strategy 1\n{"rules": {}, "abstraction": {}}\n',
        b'railbird limit strategy 1\n{"rules": 3, "abstraction": 4}\n',
    ],
)
def test_what_is_no_strategy(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.strategy"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="strategy"):
        open_strategy(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rules", {"posts": [5], "bet_sizes": [1], "most_raises": [10**9], "first": [0]}),
        ("rules", {"posts": [5, 10], "bet_sizes": ["a"] * 4, "most_raises": [4], "first": [0]}),
        ("abstraction", {"kind": "unheard of"}),
        ("shapes", [[1, 2], [3, 4]]),
    ],
)
def test_made_up_headers(
    strategy: LimitStrategy, tmp_path: Path, field: str, value: object
) -> None:
    path = tmp_path / "x.strategy"
    write_strategy(path, strategy)
    magic, header, _ = path.read_bytes().split(b"\n", 2)
    made_up = json.loads(header) | {field: value}
    path.write_bytes(magic + b"\n" + json.dumps(made_up).encode() + b"\n")
    with pytest.raises(BadInput):
        open_strategy(path)


def test_states_of_the_card_blind() -> None:
    states = states_on(CardBlind(), parse_cards("2c2d2hAs"))
    assert states.shape == (3, HOLDINGS)
    assert (states == BLOCKED).sum(axis=1).tolist() == [0, 3 * 49 + 3, 4 * 48 + 6]
    with pytest.raises(BadInput, match="a board of 2 cards"):
        states_on(CardBlind(), parse_cards("2c2d"))
    with pytest.raises(DuplicateCard):
        states_on(CardBlind(), [*parse_cards("2c2d"), parse_cards("2c")[0]])


def test_missing_tables_of_buckets_are_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing is said, with the command that makes it."""
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    tables = tuple(np.zeros(0, dtype=np.uint16) for _ in range(3))
    lost = BucketAbstraction((169, 6, 5, 4), ("", "", ""), tables)
    tree = betting_tree(HEADS_UP_LIMIT)
    path = tmp_path / "x.strategy"
    write_strategy(path, uniform_strategy(tree, lost))
    with pytest.raises(BadInput, match=r"x\.strategy: the tables of its buckets are missing"):
        open_strategy(path)


@pytest.mark.parametrize(("every", "written"), [(0.0, [1, 2, 3, 3]), (1e9, [3])])
def test_a_long_computation_is_written_now_and_then_and_when_interrupted(
    every: float, written: list[int]
) -> None:
    steps, kept = 0, []

    def step() -> None:
        nonlocal steps
        steps += 1

    def told() -> None:
        if steps == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        in_whole_steps(
            step, until=lambda: False, write=lambda: kept.append(steps), every=every, report=told
        )
    assert kept == written


def test_a_step_that_fails_writes_nothing() -> None:
    """Its tables may be half updated; what was written before stays."""
    written: list[int] = []

    def fail() -> None:
        raise MemoryError("no room")

    with pytest.raises(MemoryError) as failure:
        in_whole_steps(
            fail,
            until=lambda: False,
            write=lambda: written.append(1),
            every=0.0,
            report=lambda: None,
        )
    assert written == []
    assert not getattr(failure.value, "__notes__", [])
