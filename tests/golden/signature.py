"""One number over all that the golden files keep; what a commit must not change that says so.

``python tests/golden/signature.py`` prints the signature of the files that lie here, or of a commit
that is named: what commands answer, logs as formats write them, pictures of the terminal, an
archive. The tests of this folder prove that the code still gives these bytes, so two commits with
the same signature that pass them answer alike wherever a golden file looks. The idea is
Stockfish's, whose commits carry the number of nodes of a fixed search.

A commit whose message has the line ``No functional change.`` must have its parent's signature.
``--claims`` checks every such commit of the history that is there, and ends with 1 if one has not.
``tests/same COMMIT`` looks further, but runs for minutes.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
GOLDEN: Final = "tests/golden"
CLAIM: Final = r"^No functional change\.?$"
_ENTRY: Final = re.compile(r"\d+ blob (\w+)\t(.+)")


def _git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
    ).stdout


def golden_files(commit: str, folder: Path = ROOT) -> dict[str, str]:
    """Return the golden files of a commit, without the tests: Git's hash of each by its path."""
    listing = _git(folder, "ls-tree", "-r", commit, "--", GOLDEN)
    entries = (match.groups() for match in map(_ENTRY.fullmatch, listing.splitlines()) if match)
    return {path: blob for blob, path in entries if not path.endswith(".py")}


def golden_files_here(folder: Path = ROOT) -> dict[str, str]:
    """Return the golden files as they lie here, committed or not."""
    paths = [
        path
        for path in _git(folder, "ls-files", "-co", "--exclude-standard", GOLDEN).splitlines()
        if not path.endswith(".py") and (folder / path).is_file()
    ]
    blobs = _git(folder, "hash-object", *paths).split() if paths else []
    return dict(zip(paths, blobs, strict=True))


def signature(files: Mapping[str, str]) -> int:
    """Return the number of some golden files: eight digits or so, of paths and contents."""
    text = "".join(f"{blob} {path}\n" for path, blob in sorted(files.items()))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])


def broken_claims(folder: Path = ROOT) -> Iterator[str]:
    """Yield a line for each commit that says that it changes nothing, and does."""
    commits = _git(folder, "log", "--format=%H %P", "-E", f"--grep={CLAIM}")
    for commit, *parents in map(str.split, commits.splitlines()):
        for parent in parents:
            if _is_missing(parent, folder):  # the clone is shallow
                continue
            before, after = golden_files(parent, folder), golden_files(commit, folder)
            paths = sorted(path for path, _ in before.items() ^ after.items())
            if paths:
                names = ", ".join(dict.fromkeys(paths))
                yield f"{commit[:9]} says that no function changes, but changes {names}"


def _is_missing(commit: str, folder: Path) -> bool:
    command = ["git", "-C", str(folder), "cat-file", "-e", commit]
    return subprocess.run(command, capture_output=True, check=False).returncode != 0


def main() -> int:
    """Print the signature, or the claims that do not hold; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit", nargs="?", help="instead of the files that lie here")
    parser.add_argument("--claims", action="store_true", help="check what commits say")
    chosen = parser.parse_args()
    if chosen.claims:
        lines = list(broken_claims())
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return 1 if lines else 0
    try:
        files = golden_files(chosen.commit) if chosen.commit else golden_files_here()
    except subprocess.CalledProcessError as problem:
        parser.error(str(problem.stderr).strip().partition("\n")[0])
    sys.stdout.write(f"{signature(files)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
