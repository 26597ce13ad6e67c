"""What every verb says in JSON, kept: a change of structure must not change an answer.

The commands of `verbs/commands.txt` run in one folder, each after those that write what it names:
a match's log is there for those that judge it. Each line is ``NAME: ARGUMENTS`` and its answer
stands in `verbs/NAME.json`; logs that a command writes are compared by digest. What depends on the
machine (seconds, speeds, folders) is left out. After a change that means to change an answer,
``PYTHONPATH=tests python tests/golden/test_verbs.py [NAME …]`` writes them anew, and the commit
says why they differ.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from helpers.command_line import call_in

GOLDEN = Path(__file__).parent
KEPT = GOLDEN / "verbs"
# Digits that no machine's order of summation changes. AIVAT's values are products of matrices in
# single precision: that moves its standard errors by some 3e-9, and their hash wholly.
RELATIVE, ABSOLUTE = 1e-7, 1e-12


def commands() -> dict[str, list[str]]:
    lines = (KEPT / "commands.txt").read_text(encoding="utf-8").splitlines()
    return {
        name: shlex.split(arguments.replace("GOLDEN", str(GOLDEN)))
        for name, _, arguments in (
            line.partition(": ") for line in lines if line[:1] not in {"", "#"}
        )
    }


_RECORD = re.compile(rb', "made": \{[^{}]*\}')
"""What a log's first line says of the version that wrote it."""


def _depends_on_machine(key: str) -> bool:
    return key.endswith(("_s", "_per_s", "seconds")) or key in {
        "kernels",
        "folder",
        "path",
        "version",
        "date",
        "made",
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


class Folder:
    """Where commands run, each once; files lie there as those before have left them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._answers: dict[str, Any] = {}

    def answer(self, name: str) -> Any:
        """What a command said and the files it wrote, once what it needs has run."""
        if name not in self._answers:
            for needed in _needed(name):
                self.answer(needed)
            self._answers[name] = self._run(commands()[name])
        return self._answers[name]

    def _run(self, arguments: list[str]) -> Any:
        before = self._files()
        environment = {"XDG_DATA_HOME": str(self.path / "data")}
        code, out, err = call_in(self.path, *arguments, "--json", environment=environment)
        try:
            said = json.loads(out)
        except json.JSONDecodeError:
            said = out + err
        written = {
            path.name: hashlib.sha256(_RECORD.sub(b"", path.read_bytes())).hexdigest()
            for path in sorted(self._files() - before)
            if path.suffix in {".log", ".phhs", ".txt", ".csv", ".jsonl"}
        }
        return {"exit": code, "said": _kept(said, self.path), "written": written}

    def _files(self) -> set[Path]:
        return {path for path in self.path.iterdir() if path.is_file()}


_OF_THE_FOLDER = re.compile(r"[\w-]+\.(log|phhs)|archive")


def _needed(name: str) -> list[str]:
    """The commands that write what this one names: of each file or archive the first to name it."""
    earlier = list(commands())[: list(commands()).index(name)]
    return list(
        dict.fromkeys(
            next(other for other in earlier if word in commands()[other][1:])
            for word in commands()[name][1:]
            if _OF_THE_FOLDER.fullmatch(word)
            and any(word in commands()[other][1:] for other in earlier)
        )
    )


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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return Folder(tmp_path_factory.mktemp("verbs"))


@pytest.mark.slow(
    only=[
        "match-nolimit",
        "tournament",
        "match-assessed",
        "assess-duplicate",
        "assess-nolimit",
        "assess-ring",
        "assess-player",
        "assess-prizes",
        "assess-sweep",
        "stats-ring",
        "report-limit",
        "report-nolimit",
        "report-own-cards",
        "explain",
        "exam",
        "rate",
        "equity",
        "icm-future",
        "solve-pushfold-table",
        "solve-pushfold-bounties",
        "exploit-fold",
        "exploit-lbr",
        "blackjack-strategy",
        "blackjack-simulate",
        "blackjack-match",
        "opponents",
        "experiment",
    ]
)
@pytest.mark.parametrize("name", commands())
def test_every_verb_answers_as_kept(name: str, folder: Folder) -> None:
    kept = json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))
    changed = list(_differences(kept, folder.answer(name), name))
    assert not changed, "\n".join(changed)


if __name__ == "__main__":
    with TemporaryDirectory() as scratch:
        here = Folder(Path(scratch))
        for name in sys.argv[1:] or commands():
            text = json.dumps(here.answer(name), indent=1, ensure_ascii=False) + "\n"
            (KEPT / f"{name}.json").write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name}: exit {here.answer(name)['exit']}\n")
