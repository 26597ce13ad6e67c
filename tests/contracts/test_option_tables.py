"""Tables of options in the manual are those of the fields, and of the verbs.

``PYTHONPATH=tests python tests/contracts/test_option_tables.py`` writes them anew.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import MISSING
from pathlib import Path

import click
import pytest

from measure import options
from railbird._option_fields import OptionField, option_fields
from railbird.cli._keyed_options import ASSIGNMENTS
from railbird.players import REGISTRY

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(
    r"(?P<head><!-- (?:options: (?P<module>[\w.]+):(?P<kind>\w+)|player: (?P<player>[\w-]+)) -->\n)"
    r".*?(?P<end><!-- end of options -->)",
    re.DOTALL,
)
VERBS = re.compile(r"(<!-- verbs: (?P<table>\w+) -->\n).*?(<!-- end of verbs -->)", re.DOTALL)
PAGES = [
    page
    for page in sorted(DOCS.glob("*.md"))
    if BLOCK.search(text := page.read_text("utf-8")) or VERBS.search(text)
]
EVERYWHERE = {"--json", "--quiet", "--help"}
KEYED = {"--set", "--show"}
OF_OTHERS = {"--reinstall", "--short", "--version"}
"""Options in sentences that are no verb's: of uv, of a script, and of the program alone."""


def _row(option: OptionField, form: str) -> str:
    example = f"; such as `{option.example}`" if option.example else ""
    repeated = "; may be repeated" if option.repeats else ""
    default = option.default_text or ("has to be given" if option.default is MISSING else "")
    return f"| `{form}` | {option.summary}{example}{repeated} | {option.allowed} | {default} |"


def _table(block: re.Match[str]) -> str:
    if block["player"]:
        forms = REGISTRY[block["player"]].forms
    else:
        kind = getattr(importlib.import_module(block["module"]), block["kind"])
        forms = tuple((option.key, option) for option in option_fields(kind))
    rows = "\n".join(_row(option, form) for form, option in forms)
    head = "| key | is | allowed | default |\n|---|---|---|---|"
    return f"{block['head']}\n{head}\n{rows}\n\n{block['end']}"


def _options_by_verb() -> dict[str, list[click.Option]]:
    """What help shows, without what all verbs have."""
    return {
        verb: [
            option
            for option in command.params
            if isinstance(option, click.Option)
            and not option.hidden
            and not EVERYWHERE & {*option.opts}
        ]
        for verb, command in sorted(options.commands().items())
    }


def _all_options() -> list[str]:
    """A row for each verb with the names of its options."""
    return ["| verb | options |", "|---|---|"] + [
        f"| `{verb}` | {', '.join(f'`{max(option.opts, key=len)}`' for option in known) or '–'} |"
        for verb, known in _options_by_verb().items()
    ]


def _keyed_options() -> list[str]:
    """A row for each verb that has settings or kinds behind one option, with its help."""
    return ["| verb | option | help |", "|---|---|---|"] + [
        f"| `{verb}` | `{option.opts[0]}` | {(option.help or '').replace('|', chr(92) + '|')} |"
        for verb, known in _options_by_verb().items()
        for option in known
        if KEYED & {*option.opts} and option.name != ASSIGNMENTS
    ]


TABLES: dict[str, Callable[[], list[str]]] = {"options": _all_options, "keys": _keyed_options}


def _verbs(block: re.Match[str]) -> str:
    rows = "\n".join(TABLES[block["table"]]())
    return f"{block[1]}\n{rows}\n\n{block[3]}"


def _written(text: str) -> str:
    return VERBS.sub(_verbs, BLOCK.sub(_table, text))


def test_some_pages_have_a_table() -> None:
    assert [page.name for page in PAGES] == ["cli.md", "players.md", "spots.md"]
    tables = [
        block["player"] for page in PAGES for block in BLOCK.finditer(page.read_text("utf-8"))
    ]
    assert {name for name in tables if name} == {
        name for name, entry in REGISTRY.items() if entry.forms
    }


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_no_option_is_missing_in_the_manual(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text == _written(text)


def test_sentences_of_the_manual_name_no_former_option() -> None:
    """An old spelling still works, so that running it would not show that a page is old."""
    known = EVERYWHERE | {
        name
        for options in _options_by_verb().values()
        for option in options
        for name in option.opts
    }
    former = []
    for page in [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))]:
        prose = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
        for code in re.findall(r"`([^`]+)`", prose):
            names = {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", code)} - known - OF_OTHERS
            former += [f"{page.name}: {name} in {code}" for name in sorted(names)]
    assert former == []


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(_written(page.read_text("utf-8")), "utf-8")
