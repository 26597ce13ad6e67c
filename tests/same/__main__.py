"""Tell what another commit answers otherwise: what `make test` cannot see of a change of structure.

``python tests/same COMMIT`` runs the commands of `tests/golden/verbs/commands.txt` with the code of
the commit and with the code that lies here, each for a person (a terminal of 100 columns) and with
``--json``, and compares what they print and every file that they write: pages, logs, tables.
Seconds, speeds and folders are left out. It prints what differs and ends with 1 if anything does.

    python tests/same HEAD~1
    python tests/same v0.9 --only assess-limit,report-limit
    python tests/same HEAD~1 --code

A command needs what those before it wrote, so all of them run; `--only` chooses what is compared.
With `--code` nothing runs: definitions are compared, whatever files they stand in, which takes
half a minute and shows that a change only moved things (`definitions.py`).
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from golden.test_verbs import commands  # noqa: E402
from railbird._paths import cache_folder  # noqa: E402
from same import definitions  # noqa: E402

FORMS: Mapping[str, tuple[str, ...]] = {"terminal": (), "json": ("--json",)}
LINES = 6
"""Of a difference that are printed."""
LEFT_OUT = [
    (
        re.compile(r"\b\d[\d,.]*( ?)(ms|s|seconds|a second|hands/s|decisions/s)\b"),
        r"TIME\1\2",
    ),
    (re.compile(r'("\w*(?:_s|_per_s|seconds|version|date|sha256|hash)": )[^,\n}]+'), r"\1TIME"),
    (re.compile(r"\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?"), "DATE"),
]
"""What differs from run to run."""


@contextmanager
def sources(commit: str) -> Iterator[Path]:
    """Check a commit out, to import from, beside this tree."""
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        git = ["git", "-C", str(ROOT), "worktree"]
        added = subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=False)
        if added.returncode:
            sys.exit(1)  # git has said why
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def answers(tree: Path, form: str, folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Run all commands with the code of a tree; the name of each, and the texts that it made."""
    folder.mkdir()
    path = os.pathsep.join(str(tree / each) for each in ("src", "papers/src"))
    cache = folder / "data" / "cache"  # of its own, but for what takes minutes to compile
    cache.mkdir(parents=True)
    for part in ("kernels", "tables"):
        (cache / part).symlink_to(cache_folder() / part)
    environment = os.environ | {"PYTHONPATH": path, "COLUMNS": "100"}
    environment |= {"XDG_DATA_HOME": str(folder / "data"), "RAILBIRD_CACHE": str(cache)}
    seen: dict[Path, int] = {}
    for name, arguments in commands().items():
        done = subprocess.run(
            [sys.executable, "-m", "railbird", *arguments, *FORMS[form]],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
        )
        made = {
            "exit code": str(done.returncode),
            "output": _plain(done.stdout, folder),
            "errors": "" if done.returncode == 0 else _plain(done.stderr, folder),
        }
        files = {each: each.stat().st_mtime_ns for each in folder.rglob("*") if each.is_file()}
        for file in sorted(each for each, written in files.items() if seen.get(each) != written):
            if "data" not in file.relative_to(folder).parts:
                made[str(file.relative_to(folder))] = _plain(file.read_bytes(), folder)
        seen = files
        yield name, made


def _plain(raw: bytes, folder: Path) -> str:
    """Return a text without what differs from run to run, JSON line by line; digests of others."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return f"{len(raw):,} bytes, SHA-256 {hashlib.sha256(raw).hexdigest()}"
    with suppress(json.JSONDecodeError):  # in the order in which it stands
        text = json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    text = text.replace(str(folder), "FOLDER")
    for found, instead in LEFT_OUT:
        text = found.sub(instead, text)
    return text


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """Yield a few lines for each text that two runs of a command do not have alike."""
    for what in sorted(old.keys() | new.keys()):
        before, after = old.get(what), new.get(what)
        if before is None or after is None:
            yield f"{what}: {'new' if before is None else 'gone'}"
        elif before != after:
            lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
            changed = [line[:200] for line in lines if not line.startswith(("---", "+++", "@@"))]
            more = [f"... {len(changed) - LINES} lines more"] if len(changed) > LINES else []
            yield "\n    ".join([f"{what}:", *changed[:LINES], *more])


def main() -> int:
    """Compare, say how it gets on, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit")
    parser.add_argument("--only", default="", metavar="NAME,NAME", help="what is compared")
    parser.add_argument("--code", action="store_true", help="compare definitions, run nothing")
    chosen = parser.parse_args()
    if chosen.code:
        with sources(chosen.commit) as old:
            return _told(definitions.differences(old, ROOT))
    only = set(filter(None, chosen.only.split(",")))
    if unknown := only - commands().keys():
        parser.error(f"no command {', '.join(sorted(unknown))}")
    changed = 0
    with (
        sources(chosen.commit) as old,
        TemporaryDirectory() as scratch,
        ThreadPoolExecutor() as two,
    ):
        for form in FORMS:
            runs = (
                answers(tree, form, Path(scratch, form, which))
                for which, tree in (("old", old), ("new", ROOT))
            )
            Path(scratch, form).mkdir()
            before, after = runs
            for name in commands():
                was, now = two.map(lambda run: next(run)[1], (before, after))
                sys.stderr.write(f"\r\x1b[K{form}: {name}")
                sys.stderr.flush()
                for one in differences(was, now) if not only or name in only else ():
                    changed += 1
                    sys.stdout.write(f"\r\x1b[K{name} ({form}), {one}\n")
    sys.stderr.write("\r\x1b[K")
    sys.stdout.write(f"{changed} texts differ\n" if changed else "the same\n")
    return 1 if changed else 0


def _told(differences: Iterator[str]) -> int:
    """Print what differs between two trees' definitions and return the exit code."""
    lines = list(differences)
    lines.append(f"{len(lines)} definitions differ" if lines else "the same")
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 1 if lines[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
