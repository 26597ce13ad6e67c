"""Links between pages of the manual lead somewhere, to headings too."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import click
import pytest

from railbird.cli import run
from railbird.cli._verbs import Verbs, verbs
from railbird_papers import EXPERIMENTS

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [*ROOT.glob("docs/**/*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))]
)


def prose(page: Path) -> str:
    """Return a page without its examples."""
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are linked by, as GitHub and MkDocs do."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-") for text in plain}


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_published_numbers_have_their_publication(page: Path) -> None:
    """A table with published numbers stands below an author and a year, or an address."""
    opening, *sections = re.split(r"^#{2,} ", prose(page), flags=re.MULTILINE)
    for section in sections:
        heads = re.findall(r"^\|.*published.*\|\n\|[-:| ]+\|", section, re.MULTILINE)
        named = re.search(r"[A-Z]\w+,? \(?(19|20)\d\d|\w\.com", opening + section)
        assert not heads or named, section.partition("\n")[0]


# The page that goes through the sources names every experiment, and its commands are right.


PAGE = Path(__file__).parents[1] / "docs" / "sources.md"
VERDICTS = {"same", "differs", "replaced", "missing"}


def _rows(section: str) -> list[list[str]]:
    """Return the cells of a section's tables, without their heads."""
    text = PAGE.read_text().partition(f"## {section}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


SOURCES = [
    title for title in re.findall(r"^## (.+)$", PAGE.read_text(), re.MULTILINE) if "(" in title
]
COMMANDS = sorted(
    {
        words
        for title in SOURCES
        for row in _rows(title)
        for words in re.findall(r"(?<!\[)`railbird ([^`]+)`", row[1])
    }
)


def _parse(words: list[str]) -> None:
    """Parse a command line without running it. Raises `click.UsageError`."""
    command: click.Command = Verbs(name="railbird")
    context = click.Context(command)
    if " ".join(words[:2]) in verbs():
        words = [" ".join(words[:2]), *words[2:]]
    while isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        if found is None:
            raise click.UsageError(f"no command {words[0]!r}")
        command, words = found, words[1:]
    command.make_context("railbird", words, parent=context)


def test_there_are_five_sources() -> None:
    assert len(SOURCES) == 5
    assert len(COMMANDS) > 15


@pytest.mark.parametrize("source", SOURCES)
def test_every_section_has_a_verdict(source: str) -> None:
    rows = _rows(source)
    assert rows
    for row in rows:
        assert len(row) == 4, row
        assert row[2] in VERDICTS, row
        # What is not the source's own says what it is, or why.
        assert row[2] == "same" or row[1] or row[3], row


def test_every_experiment_is_listed_once() -> None:
    listed = [
        name for row in _rows("Experiments by source") for name in re.findall("`(.+?)`", row[1])
    ]
    assert sorted(listed) == sorted(EXPERIMENTS)


@pytest.mark.parametrize("source", SOURCES)
def test_experiments_in_the_tables_exist(source: str) -> None:
    families = {name.partition("-")[0] for name in EXPERIMENTS if "-" in name}
    for row in _rows(source):
        for name in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", row[1]):
            known = name in EXPERIMENTS or name in {"always-call", "always-raise"}
            assert known or name.partition("-")[0] not in families, name


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_parse(command: str) -> None:
    _parse(shlex.split(command))


@pytest.mark.slow(
    only=[
        "blackjack strategy --show source",
        'blackjack simulate "basic:count=hi-lo,index,bets=1:2/2:4/3:8" --count 1000',
        "solve toy kuhn --method cfr --gap 1e-5",
    ]
)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(shlex.split(command)) == 0
    assert capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


# What others' programs read of the project is in the form that they ask for.


_PROJECT = Path(__file__).parents[1]


@pytest.mark.slow(
    but=[
        ".github/ISSUE_TEMPLATE/fault.yml-vendor.github-issue-forms",
        ".github/ISSUE_TEMPLATE/figure.yml-vendor.github-issue-forms",
    ]
)
@pytest.mark.parametrize(
    ("file", "schema"),
    [
        (".github/workflows/check.yml", "vendor.github-workflows"),
        (".github/ISSUE_TEMPLATE/fault.yml", "vendor.github-issue-forms"),
        (".github/ISSUE_TEMPLATE/figure.yml", "vendor.github-issue-forms"),
        (".github/ISSUE_TEMPLATE/config.yml", "vendor.github-issue-config"),
        ("CITATION.cff", "vendor.citation-file-format"),
    ],
)
def test_schemas(file: str, schema: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, _PROJECT / file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


# The example notebook runs from its first cell to its last, and shows what it speaks of.


NOTEBOOK = Path(__file__).parents[1] / "docs/example.ipynb"


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """What each cell of code has put out, by its first line."""
    folder = tmp_path_factory.mktemp("notebook")
    copy = Path(shutil.copy(NOTEBOOK, folder))
    execute = shutil.which("jupyter-execute", path=sysconfig.get_path("scripts"))
    assert execute
    done = subprocess.run(
        [execute, "--inplace", copy], cwd=folder, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stderr
    executed = json.loads(copy.read_text(encoding="utf-8"))["cells"]
    return {cell["source"][0]: cell["outputs"] for cell in executed if cell["cell_type"] == "code"}


def html(outputs: list[dict[str, Any]]) -> str:
    return "".join(outputs[-1]["data"]["text/html"])


@pytest.mark.slow
def test_results_show_themselves(cells: dict[str, list[dict[str, Any]]]) -> None:
    shown = {line: html(out) for line, out in cells.items() if out and "data" in out[-1]}
    assert len(shown) == 7
    assert all("<" in text for text in shown.values())
    judged = next(text for line, text in shown.items() if line.startswith("found = "))
    assert "small bets a hand" in judged
    assert "<td" in judged
    drawn = [text for line, text in shown.items() if "vega" in text]
    assert len(drawn) == 2


def test_it_is_kept_without_what_it_puts_out() -> None:
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in kept)


# What the page about the inside names is there.


_INSIDE = (ROOT / "docs" / "inside.md").read_text()
_SOURCE = ROOT / "src" / "railbird"
_PAPERS = ROOT / "papers" / "src" / "railbird_papers"
_FOLDERS = [
    folder
    for source in (_SOURCE, _PAPERS)
    for folder in (source, *(each for each in source.rglob("*") if each.is_dir()))
]


def _is_there(name: str) -> bool:
    """Tell whether a folder, a module, or what a module defines has this name."""
    if re.search(r"\.(py|toml|jinja|md)$", name):
        return (
            any(any(base.rglob(Path(name).name)) for base in (_SOURCE, ROOT / "docs"))
            or (ROOT / name).exists()
        )
    parts = [part for part in re.split("[./]", name) if part]
    for folder in (ROOT, ROOT / "tests", *_FOLDERS):
        place = folder.joinpath(*parts)
        if place.is_dir() or (place.with_suffix(".py").is_file() and not name.endswith("/")):
            return True
        for file in (
            place.parent.with_suffix(".py"),
            place.parent / "__init__.py",
            place.parent / "__init__.pyi",  # what a lazy door offers
        ):
            if "." in name and file.is_file() and re.search(rf"\b{parts[-1]}\b", file.read_text()):
                return True
    return False


@pytest.mark.parametrize(
    "name",
    sorted(
        set(re.findall(r"`(?:railbird\.)?((?!app\.)(?:[a-z_]+[./])+[A-Za-z_]*)(?=[`(])", _INSIDE))
    ),
)
def test_what_the_page_about_the_inside_names_is_there(name: str) -> None:
    assert _is_there(name)


# What any page names of the code is there, and every option is on some page.


_MANUAL = "\n".join(page.read_text() for page in PAGES)
_FILES = {"railbird.sqlite3", "railbird.admin"}
"""The usual name of a database, and of a log: no modules."""


def _is_defined(name: str) -> bool:
    """Tell whether a dotted name leads to a room, a module, or what one defines."""
    top, *parts = name.split(".")
    place = {"railbird": _SOURCE, "railbird_papers": _PAPERS}[top]
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    files = [place / "__init__.py", place / "__init__.pyi"]
    if parts and (place / f"{parts[0]}.py").is_file():
        files = [place / f"{parts.pop(0)}.py"]
    text = "\n".join(file.read_text() for file in files if file.is_file())
    return all(re.search(rf"\b{part}\b", text) for part in parts)


def test_every_module_and_class_that_a_page_names_is_defined() -> None:
    named = set(re.findall(r"`(railbird(?:_papers)?(?:\.\w+)+)", _MANUAL))
    for module, names in re.findall(r"from (railbird[\w.]*) import ([\w, ]+)", _MANUAL):
        named |= {f"{module}.{name.split()[0]}" for name in names.split(",") if name.strip()}
    assert len(named) > 80
    assert [name for name in sorted(named - _FILES) if not _is_defined(name)] == []


def test_a_tree_of_a_game_is_made_of_what_its_module_defines() -> None:
    listed = re.search(r"as a tree of\s+`(\w+)`,\s+`(\w+)` and `(\w+)`", _MANUAL)
    assert listed
    assert all(
        _is_defined(f"railbird.assessment.extensive_games.{name}") for name in listed.groups()
    )


def _options(command: click.Command, context: click.Context) -> set[str]:
    """Return the long options of a command and of those below it."""
    if isinstance(command, click.Group):
        below = [command.get_command(context, name) for name in command.list_commands(context)]
        return {name for one in below if one for name in _options(one, context)}
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    return {name for one in options for name in one.opts if name.startswith("--")}


def test_every_option_of_a_verb_is_on_some_page() -> None:
    group = Verbs(name="railbird")
    context = click.Context(group)
    commands = [command for verb in verbs() if (command := group.get_command(context, verb))]
    options = {name for command in commands for name in _options(command, context)}
    assert len(options) > 100
    assert [name for name in sorted(options) if not re.search(rf"{name}(?![\w-])", _MANUAL)] == []


def test_every_option_of_a_player_is_on_some_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["players", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    options = {form["form"] for player in players for form in player["forms"]}
    named = [option for option in sorted(options) if option.endswith("=")]
    assert len(named) > 40
    assert [option for option in named if not re.search(rf"(?<![\w-]){option}", _MANUAL)] == []


# What is told to install is in the lock: a name that nobody has is whoever's registers it.


_LOCKED = {
    re.sub(r"[-_.]+", "-", name).lower()
    for lock in ROOT.glob("requirements/*.txt")
    for name in re.findall(r"^([\w.-]+)(?:\[.*?\])?==", lock.read_text(), re.MULTILINE)
}


def _installed_by_name(text: str) -> set[str]:
    """Return what commands of a text install by its name alone: no folder, wheel or digest."""
    names = set()
    for words in re.findall(r"\b(?:pipx?|tool) install ([^`\n]*)", text):
        for word in re.findall(r"\"[^\"]*\"|'[^']*'|[^\s#]+", words.partition(" # ")[0]):
            name = re.match(r"[A-Za-z][\w.-]*", word.strip("\"'"))
            if name and ".whl" not in word and "#sha256" not in word:
                names.add(re.sub(r"[-_.]+", "-", name[0]).lower())
    return names


def test_only_what_the_lock_has_is_installed_by_its_name() -> None:
    assert _installed_by_name("`pip install 'railbird[serve]'`") == {"railbird"}
    assert _installed_by_name("`pip install '.[serve]' ./x-1.whl`") == set()
    assert "numpy" in _LOCKED
    sources = [file for top in (_SOURCE, _PAPERS) for file in top.rglob("*.py")]
    pages = [*PAGES, ROOT / "papers" / "README.md", *ROOT.glob("docs/*.ipynb")]
    named = {
        (str(file.relative_to(ROOT)), name)
        for file in (*sources, *pages)
        for name in _installed_by_name(file.read_text())
    }
    assert {(file, name) for file, name in named if name not in _LOCKED} == set()
