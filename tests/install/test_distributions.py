"""What is installed: all of the package, all that it imports, and enough for `railbird demo`."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

import railbird
from install.conftest import ROOT
from railbird._extras import EXTRAS, extra_of, how_to_install

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGE = ROOT / "src/railbird"
PAPERS = ROOT / "papers/src/railbird_papers"
PAPERS_PROJECT = tomllib.loads((ROOT / "papers/pyproject.toml").read_text("utf-8"))["project"]
PART_OF = {
    "anyio": "mcp",
    "h11": "uvicorn",
    "llvmlite": "numba",
    "markupsafe": "jinja2",
    "starlette": "fastapi",
}
"""What comes with a requirement, in whose interface it is."""


def names(requirements: list[str]) -> set[str]:
    return {_plain(re.split(r"[^\w.-]", each)[0]) for each in requirements}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(package: Path) -> Iterator[tuple[Path, str]]:
    """Every module of others that a file of the package imports, at its top or later."""
    for file in package.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            modules: list[str] = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules = [node.module]
            for module in modules:
                top = module.partition(".")[0]
                if top != package.name and top not in sys.stdlib_module_names:
                    yield file, top


@pytest.mark.slow(but=["papers_wheel-package1"])
@pytest.mark.parametrize(("kind", "package"), [("wheel", PACKAGE), ("papers_wheel", PAPERS)])
def test_the_wheel_holds_the_whole_package(
    kind: str, package: Path, request: pytest.FixtureRequest
) -> None:
    with zipfile.ZipFile(request.getfixturevalue(kind)) as archive:
        packed = {name for name in archive.namelist() if name.startswith(f"{package.name}/")}
    ours = {
        file.relative_to(package.parent).as_posix()
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert packed == ours


@pytest.mark.slow
def test_what_is_imported_is_required() -> None:
    required = names(PROJECT["dependencies"])
    of_extra = {extra: names(of) for extra, of in PROJECT["optional-dependencies"].items()}
    everything = required.union(*of_extra.values())
    assert {*PART_OF.values()} <= everything
    providers = packages_distributions()

    def packages(module: str) -> set[str | None]:
        return {PART_OF.get(module), *map(_plain, providers.get(module, []))}

    missing = {
        f"{file.relative_to(PACKAGE)}: {module}"
        for file, module in imported(PACKAGE)
        if extra_of(PART_OF.get(module, module)) is None and not required & packages(module)
    }
    assert not missing
    for extra, modules in EXTRAS.items():
        for module in modules if extra != "papers" else ():  # a package beside this one
            assert module not in providers or of_extra[extra] & packages(module), (extra, module)


@pytest.mark.slow
def test_the_papers_require_what_they_import_and_this_version() -> None:
    providers = packages_distributions()
    required = names(PAPERS_PROJECT["dependencies"])
    tops = {module for _, module in imported(PAPERS)}
    missing = {
        top for top in tops - {"railbird"} if not required & {*map(_plain, providers.get(top, []))}
    }
    assert (missing, "railbird" in tops) == (set(), True)
    assert PAPERS_PROJECT["version"] == railbird.__version__
    for same in ("requires-python", "classifiers"):
        assert PAPERS_PROJECT[same] == PROJECT[same]


def test_nothing_of_ours_is_required_by_a_name_that_the_index_does_not_know() -> None:
    """Whoever registered the name would be installed; an extra may name the package that it is of.

    Nor does a job that builds what is published install anything without its hash.
    """
    extras = PROJECT["optional-dependencies"].values()
    required = [*PROJECT["dependencies"], *PAPERS_PROJECT["dependencies"], *chain(*extras)]
    ours = [one for one in required if _plain(one).startswith("railbird")]
    assert all(one.startswith("railbird[") for one in ours)
    assert not any("railbird" in _plain(one) for one in PAPERS_PROJECT["dependencies"])
    workflow = (ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8")
    installed = re.findall(r"pip install (.+)", workflow)
    assert installed == [". ./papers", "--require-hashes -r requirements/build.txt"]


BARE = {
    "match": ["match", "baseline", "random", "--hands", "20", "--seed", "1", "--log", "match.log"],
    "ring": ["ring", "killer", "random", "tight:nolimit", "--hands", "10"],
    "tournament": ["tournament", "killer", "random", "--count", "1"],
    "assess": ["assess", "match.log", "--out", "report"],
    "stats": ["stats", "match.log"],
    "report": ["report", "match.log", "--player", "baseline"],
    "convert": ["convert", "match.log", "match.phhs"],
    "write Open Hand History": ["convert", "match.log", "match.ohh"],
    "read Open Hand History": ["stats", "match.ohh"],
    "play": ["play", "always-call", "--plain", "--seed", "1"],
    "score": ["score", "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"],
    "pushfold": ["solve", "pushfold", "--stack", "10", "--out", "pushfold.html"],
    "odds": ["odds", "AsKs"],
    "doctor": ["machine", "doctor"],
}
"""What the bare package does, in this order."""
REFUSED = {
    "serve": "serve",
    "mcp": "mcp",
    "server ratings match.log": "database",
    "opponents list": "database",
    "server results sqlite:///none.sqlite3": "database",
    "assess match.log --out other --image png": "images",
    "solve pushfold --out charts.svg": "images",
    "odds AsKs Kd9s2h --out odds.png": "images",
    "match baseline random --hands 2 --on ray://nowhere": "ray",
    "experiment list": "papers",
}
"""What it cannot do, in one line that says what to install, before any work."""
BLOCKED = """import sys
from importlib import metadata
from railbird._extras import EXTRAS
modules = [module for of in EXTRAS.values() for module in of]
providers = metadata.packages_distributions()
hidden = {name for module in modules for name in providers.get(module, [])}
known = metadata.Distribution.from_name
def from_name(name):
    if name in hidden:
        raise metadata.PackageNotFoundError(name)
    return known(name)
metadata.Distribution.from_name = from_name
sys.modules.update(dict.fromkeys(modules))
from railbird.__main__ import main
main()"""


@pytest.mark.slow
def test_the_bare_package_does_without_the_extras(tmp_path: Path) -> None:
    """What of the extras is imported is refused, as if it were not installed."""
    for arguments in BARE.values():
        command = [sys.executable, "-c", BLOCKED, *arguments]
        done = subprocess.run(command, cwd=tmp_path, input="", capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stderr)
    for refused, extra in REFUSED.items():
        command = [sys.executable, "-c", BLOCKED, *refused.split()]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 2, refused
        assert done.stderr.count("\n") == 1
        assert how_to_install(extra) in done.stderr


def run(*command: str | Path, cwd: Path, cache: Path | None = None) -> str:
    """Run a program that finds nothing of this clone or this environment."""
    plain = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "VIRTUAL_ENV", "COVERAGE"))
    }
    if cache:
        plain["RAILBIRD_CACHE"] = str(cache)
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=plain, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def play_demo(environment: Path, cwd: Path, *, cache: Path | None = None) -> None:
    """Run the demo as a user does, from a folder in which nothing lies."""
    python, railbird = environment / "bin/python", environment / "bin/railbird"
    found = run(python, "-c", "import railbird; print(railbird.__file__)", cwd=cwd)
    assert Path(found).is_relative_to(environment), "not what was installed"
    played = json.loads(run(railbird, "demo", "--hands", "20", "--json", cwd=cwd, cache=cache))
    assert played["hands"] == 20
    assert (cwd / played["report"]).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def install(*wheels: Path, environment: Path) -> None:
    """Install wheels, with what they require borrowed from here."""
    if not environment.exists():
        venv.create(environment, symlinks=True)
    uv = shutil.which("uv", path=sysconfig.get_path("scripts"))
    assert uv
    command = f"pip install --offline --no-deps --python {environment}/bin/python".split()
    run(uv, *command, *wheels, cwd=environment)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")


@pytest.mark.slow
def test_the_wheel_plays_the_demo(wheel: Path, tmp_path: Path) -> None:
    """With what it requires borrowed from here: the slow test below installs that too."""
    environment, cwd = tmp_path / "environment", tmp_path / "empty"
    cwd.mkdir()
    install(wheel, environment=environment)
    play_demo(environment, cwd)


@pytest.mark.slow
def test_the_papers_add_their_verb(wheel: Path, papers_wheel: Path, tmp_path: Path) -> None:
    environment, cwd = tmp_path / "environment", tmp_path / "empty"
    cwd.mkdir()
    install(wheel, environment=environment)
    command = [str(environment / "bin/railbird"), "experiment", "list", "--json"]
    refused = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        "railbird: this needs railbird_papers: "
        f"uv pip install {wheel.with_name(papers_wheel.name)}\n"
    )
    assert "\n  experiment " in run(environment / "bin/railbird", "--help", cwd=cwd)
    install(papers_wheel, environment=environment)
    listed = json.loads(run(*command, cwd=cwd))["experiments"]
    assert "unbiased" in [each["name"] for each in listed]


PYTHONS = [f"3.{minor}" for minor in range(11, 16)]


def interpreter(version: str) -> str:
    """Find a Python of this version, a version manager's too; skip the test where there is none."""
    managed = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    for found in (shutil.which(f"python{version}"), *managed):
        says = [found, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"] if found else []
        if says and subprocess.run(says, capture_output=True, text=True).stdout.strip() == version:
            return str(found)
    pytest.skip(f"no Python {version} here")


@pytest.fixture(scope="module")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is compiled and built, by version of Python."""
    return tmp_path_factory.mktemp("caches")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "version"),
    # What is built from the sources is the same wheel for every Python.
    [*(("wheel", version) for version in PYTHONS), ("sdist", PYTHONS[0])],
)
def test_a_bare_environment_plays_the_demo(
    kind: str, version: str, caches: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """From the package index, nothing compiled, no table built.

    What is built from the sources finds what the wheel of the same Python has compiled, since
    machine code is kept for the sources, wherever they lie.
    """
    environment, cwd = tmp_path / "environment", tmp_path / "empty"
    cwd.mkdir()
    run(interpreter(version), "-m", "venv", environment, cwd=cwd)
    # Python itself compiles the few modules that the demo imports.
    pip = f"{environment}/bin/python -m pip install --quiet --no-compile".split()
    run(*pip, request.getfixturevalue(kind), cwd=cwd)
    play_demo(environment, cwd, cache=caches / version)


def test_every_supported_python_is_named() -> None:
    said = [each for each in PROJECT["classifiers"] if each.startswith("Programming Language")]
    assert [each.rpartition(" ")[2] for each in said if "3." in each] == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    workflow = (ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8")
    tested = re.findall(r"^ +python: (\[.*\])$", workflow, re.MULTILINE)
    assert [json.loads(each) for each in tested] == [PYTHONS, PYTHONS]
