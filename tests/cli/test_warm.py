"""`railbird warm` compiles all that play and judgement need: nothing has to wait for a compiler.

A process of its own looks, since others' calls would be taken for those of `warm`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import railbird
from railbird.cli._compile_ahead import rooms

LOOK = """
import gc, importlib, json, shlex, sys
from numba.core.dispatcher import Dispatcher
from railbird.cli import run
from railbird.cli._compile_ahead import rooms

def compiled():
    return {
        f"{found.py_func.__module__}.{found.py_func.__name__}{signature}"
        for found in gc.get_objects() if isinstance(found, Dispatcher)
        for signature in found.signatures
    }

for room in rooms():
    for _, step in importlib.import_module(f"railbird.{room}._warm").warm_up_steps():
        step()
before = compiled()
codes = [run(shlex.split(line)) for line in sys.stdin]
json.dump({"codes": codes, "late": sorted(compiled() - before)}, open(sys.argv[1], "w"))
"""
VERBS = """
match random loki:basic --hands 60 --log basic.log
match loki:som loki:sim --hands 60
match baseline always-raise --hands 200 --duplicate --log limit.log
match pushfold random --game holdem.nolimit.2p.reverse_blinds.game --hands 50
league random loki:gom baseline --hands 20
ring loki:bpl random random random --hands 40
tournament random random always-call --count 2
assess limit.log
stats limit.log
match always-call random --game nolimit --hands 200 --log nolimit.log
assess nolimit.log
score 'Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC'
odds AdQc 3h4cJh
odds AdQc 3h4cJh2d --model 'QQ+, AKs' --model random
equity 'QQ+, AK' random --board 2c3c4c
equity AsKs QdQh random
explain basic.log --hand 31 --player loki:basic
solve pushfold --stack 10
solve toy leduc
experiment always-call-always-raise --scale 0.0005
experiment pushfold-convergence --scale 0.001
"""


def test_every_room_with_kernels_is_warmed() -> None:
    package = Path(railbird.__path__[0])
    compiled = {
        file.relative_to(package).parts[0]
        for file in package.rglob("*.py")
        if file.name.startswith("_kernels") and "@kernel" in file.read_text(encoding="utf-8")
    }
    assert compiled == {*rooms()}


def test_nothing_is_left_to_compile(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    subprocess.run(
        [sys.executable, "-c", LOOK, str(found)],
        input=VERBS.strip(),
        text=True,
        cwd=tmp_path,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    codes = [0] * len(VERBS.strip().splitlines())
    assert json.loads(found.read_text()) == {"codes": codes, "late": []}
