"""What is locked in `requirements/` is complete, and is installed whatever others publish later."""

from __future__ import annotations

import ensurepip
import hashlib
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PIP = (
    next(line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("LOCKED"))
    .partition(":= ")[2]
    .split()
)
"""The options with which the Makefile installs a lock."""


def package(folder: Path, name: str, version: str, *requires: str) -> str:
    """Write a package in which nothing is; return its line in a lock."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            f"Provides-Extra: more\n{needs}",
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", f"{name}.py,,\n{info}/RECORD,,\n")
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def test_the_lock_misses_nothing() -> None:
    """Since no resolver is asked, nothing else would notice."""
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def pip_of_this_python(environment: Path) -> list[str]:
    """Make an environment; return the command of its pip, which need not be installed for that."""
    bundled = [*(Path(ensurepip.__file__).parent / "_bundled").glob("pip-*.whl")]
    venv.create(environment, with_pip=not bundled, symlinks=True)
    python = str(environment / "bin/python")
    return [python, f"{bundled[0]}/pip"] if bundled else [python, "-m", "pip"]


@pytest.mark.slow(but=["ours"])
@pytest.mark.parametrize(
    "options", [pytest.param(PIP, id="ours"), pytest.param(["--require-hashes"], id="pip's")]
)
def test_later_releases_do_not_break_it(options: list[str], tmp_path: Path) -> None:
    """The pip that this Python brings refuses ours where it may look for what is needed."""
    lock = package(tmp_path, "first", "1.0", "second[more]>=1.0") + package(
        tmp_path, "second", "1.0"
    )
    package(tmp_path, "second", "1.1")
    (tmp_path / "lock.txt").write_text(lock)
    environment = tmp_path / "environment"
    pip = pip_of_this_python(environment)
    local = ["--no-index", "--find-links", str(tmp_path), "-r", str(tmp_path / "lock.txt")]
    done = subprocess.run([*pip, "install", *options, *local], capture_output=True, text=True)
    if options is PIP:
        assert done.returncode == 0, done.stderr
        kept = {folder.name for folder in environment.rglob("*.dist-info")}
        assert {"first-1.0.dist-info", "second-1.0.dist-info"} <= kept
        return
    version = subprocess.run([*pip, "--version"], capture_output=True, text=True).stdout.split()[1]
    if int(version.partition(".")[0]) < 24:  # later ones look at what is locked first
        assert "must have their versions pinned" in done.stderr


@pytest.mark.slow
def test_the_first_pip_of_the_oldest_python_installs_the_lock(tmp_path: Path) -> None:
    """From the package index, by the Makefile's own rule; Python 3.11.0 brought pip 22.3."""
    environment, stamps = tmp_path / "environment", tmp_path / "stamps"
    stamps.mkdir()
    venv.create(environment, with_pip=True)
    python = environment / "bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "pip==22.3"], check=True)
    made = {"BIN": environment / "bin", "RUN": stamps / "run", "DEV": stamps / "dev"}
    make = shutil.which("make")
    assert make
    done = subprocess.run(
        [make, *(f"{name}={path}" for name, path in made.items()), made["DEV"]],
        cwd=ROOT,
        # Bytecode, which nothing here runs, takes longer than all else; "no" is pip's way to say
        # yes to an option that begins with it.
        env={**os.environ, "PIP_NO_COMPILE": "no"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (
        "pip 22.3"
        in subprocess.run([python, "-m", "pip", "--version"], capture_output=True, text=True).stdout
    )
    found = subprocess.run([python, "-m", "pip", "check"], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
