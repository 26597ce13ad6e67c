"""What every verb says in JSON, kept: a change of structure must not change an answer.

The commands of `verbs/commands.txt` run one after the other in one folder, so that a match's log is
there for those that judge it. Each line is ``NAME: ARGUMENTS`` and its answer stands in
`verbs/NAME.json`; logs that a command writes are compared by digest. What depends on the machine
(seconds, speeds, folders) is left out. After a change that means to change an answer, ``python
tests/golden/test_verbs.py`` writes them anew, and the commit says why they differ.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

GOLDEN = Path(__file__).parent
KEPT = GOLDEN / "verbs"
# Digits that no machine's order of summation changes. AIVAT's values are products of matrices in
# single precision: that moves its standard errors by some 3e-9, and their hash wholly.
RELATIVE, ABSOLUTE = 1e-7, 1e-12


def commands() -> list[tuple[str, list[str]]]:
    lines = (KEPT / "commands.txt").read_text(encoding="utf-8").splitlines()
    return [
        (name, shlex.split(arguments.replace("GOLDEN", str(GOLDEN))))
        for name, _, arguments in (
            line.partition(": ") for line in lines if line[:1] not in {"", "#"}
        )
    ]


def _depends_on_machine(key: str) -> bool:
    return key.endswith(("_s", "_per_s", "seconds")) or key in {
        "kernels",
        "folder",
        "path",
        "version",
        "date",
    }


def _kept(value: Any, folder: Path) -> Any:
    """The value without what depends on the machine, objects in order of their keys."""
    if isinstance(value, dict):
        kept = {key: each for key, each in sorted(value.items()) if not _depends_on_machine(key)}
        if isinstance(curve := kept.get("curve"), list):  # iterations, gap, seconds
            kept["curve"] = [point[:2] for point in curve]
        return {key: _kept(each, folder) for key, each in kept.items()}
    if isinstance(value, list):
        return [_kept(each, folder) for each in value]
    if isinstance(value, str):
        value = re.sub(r"(?<=SHA-256 begins with ).*", "HASH", value)
        return value.replace(str(GOLDEN), "GOLDEN").replace(str(folder), "FOLDER")
    return value


def answers(folder: Path) -> Iterator[tuple[str, Any]]:
    """Run the commands in the folder; each one's name with what it said and the files it wrote."""
    environment = os.environ | {"XDG_DATA_HOME": str(folder / "data"), "COLUMNS": "100"}
    before: set[Path] = set()
    for name, arguments in commands():
        done = subprocess.run(
            [sys.executable, "-m", "railbird", *arguments, "--json"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            said = json.loads(done.stdout)
        except json.JSONDecodeError:
            said = done.stdout + done.stderr
        files = {path for path in folder.iterdir() if path.is_file()}
        written = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(files - before)
            if path.suffix in {".log", ".phhs", ".txt", ".csv", ".jsonl"}
        }
        before |= files
        yield name, {"exit": done.returncode, "said": _kept(said, folder), "written": written}


def _differences(kept: Any, now: Any, at: str = "") -> Iterator[str]:
    if isinstance(kept, dict) and isinstance(now, dict):
        for key in sorted(kept.keys() | now.keys()):
            if key not in now or key not in kept:
                yield f"{at}.{key}: {'gone' if key in kept else 'new'}"
            else:
                yield from _differences(kept[key], now[key], f"{at}.{key}")
    elif isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        for place, (one, other) in enumerate(zip(kept, now, strict=True)):
            yield from _differences(one, other, f"{at}[{place}]")
    elif isinstance(kept, float) and isinstance(now, float):
        if now != pytest.approx(kept, rel=RELATIVE, abs=ABSOLUTE):
            yield f"{at}: {kept!r}, now {now!r}"
    elif kept != now:
        yield f"{at}: {kept!r}, now {now!r}"


@pytest.mark.slow
def test_every_verb_answers_as_kept(tmp_path: Path) -> None:
    changed = []
    for name, now in answers(tmp_path):
        kept = json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))
        changed += [f"{name}{difference}" for difference in _differences(kept, now)]
    assert not changed, "\n".join(changed)


if __name__ == "__main__":
    with TemporaryDirectory() as scratch:
        for name, now in answers(Path(scratch)):
            text = json.dumps(now, indent=1, ensure_ascii=False) + "\n"
            (KEPT / f"{name}.json").write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name}: exit {now['exit']}\n")
