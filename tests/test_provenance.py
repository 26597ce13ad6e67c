"""The record of what made a file: what it says, and that no JSON, path or time makes it fail."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird import _provenance
from railbird._provenance import Provenance, TypedCommand, current_provenance, digest
from railbird.errors import BadInput

WHOLE = Provenance(
    version="0.1.0",
    command="match tight random --log m.log",
    seed=7,
    inputs=(("m.log", "ab" * 32),),
    time="2026-11-28T09:30:00Z",
)
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
_VALUES = st.recursive(
    _SCALARS, lambda some: st.lists(some) | st.dictionaries(st.text(), some), max_leaves=8
)
_NAMES = st.sampled_from(("program", "version", "command", "seed", "inputs", "time"))


def test_a_record_is_read_as_it_was_written() -> None:
    assert Provenance.from_json(json.loads(json.dumps(WHOLE.as_json()))) == WHOLE
    assert str(WHOLE) == ("railbird 0.1.0: match tight random --log m.log · seed 7 · 2026-11-28")
    assert Provenance(version="0.1.0").as_json() == {"program": "railbird", "version": "0.1.0"}
    assert str(Provenance(version="0.1.0", command="a" * 4000)).endswith("a…")


@given(st.dictionaries(_NAMES, _VALUES) | _VALUES)
def test_any_json_is_a_record_or_none(value: object) -> None:
    made = Provenance.from_json(value)
    if made is not None:
        assert made.program
        str(made).encode()
        assert Provenance.from_json(json.loads(json.dumps(made.as_json()))) == made


@pytest.mark.parametrize(
    "value",
    [None, [], "railbird", {}, {"program": ""}, {"program": 1}, {"version": "0.1.0"}],
)
def test_what_names_no_program_is_no_record(value: object) -> None:
    assert Provenance.from_json(value) is None


def test_what_is_too_long_is_cut() -> None:
    pairs = [["x.log", "ab"], ["x.log"], 3] * 1000
    long = {"program": "p" * 10**6, "command": "\ud800" * 10**6, "seed": 10**5000, "inputs": pairs}
    made = Provenance.from_json(long)
    assert made is not None
    assert made.seed is None
    assert len(json.dumps(made.as_json())) < 20_000


def test_the_time_is_that_of_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert current_provenance(timed=False).time == ""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    assert current_provenance().date == time.strftime("%Y-%m-%d", time.gmtime(now))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    for timed in (False, True):
        assert current_provenance(timed=timed).time == "1970-01-02T00:00:00Z"
    for wrong in ("", "today", "9" * 30):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        with pytest.raises(BadInput, match="allowed: seconds since 1970"):
            current_provenance()


def test_digests_of_files_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "logs"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.log", "deep/b.log", ".lock"):
        (folder / name).write_text(name)
    a, b = (hashlib.sha256(name.encode()).hexdigest() for name in ("a.log", "deep/b.log"))
    both = hashlib.sha256(f"a.log {a}\ndeep/b.log {b}\n".encode()).hexdigest()
    assert (digest(folder / "a.log"), digest(folder)) == (a, both)
    assert digest(tmp_path / "missing") is None
    (folder / "deep" / "b.log").write_text("something else")
    assert digest(folder) != both
    inputs = (folder, folder / "a.log", tmp_path / "missing")
    monkeypatch.setattr(_provenance, "typed", TypedCommand("assess logs a.log", 3, inputs))
    assert dict(current_provenance().inputs) == {"logs": digest(folder), "a.log": a}
    assert (current_provenance().seed, current_provenance(seed=0).seed) == (3, 0)
    many = [folder / "a.log"] * 101
    monkeypatch.setattr(_provenance, "typed", TypedCommand(inputs=many))
    together = hashlib.sha256(f"{a}\n".encode() * 101).hexdigest()
    assert current_provenance().inputs == (("101 files", together),)
