"""Tables of options in the manual are those of the fields.

``PYTHONPATH=tests python tests/contracts/test_option_tables.py`` writes them anew.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import MISSING
from pathlib import Path

import pytest

from railbird._option_fields import OptionField, option_fields
from railbird.players import REGISTRY

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(
    r"(?P<head><!-- (?:options: (?P<module>[\w.]+):(?P<kind>\w+)|player: (?P<player>[\w-]+)) -->\n)"
    r".*?(?P<end><!-- end of options -->)",
    re.DOTALL,
)
PAGES = [page for page in sorted(DOCS.glob("*.md")) if BLOCK.search(page.read_text("utf-8"))]


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


def test_some_pages_have_a_table() -> None:
    assert [page.name for page in PAGES] == ["players.md", "spots.md"]
    tables = [
        block["player"] for page in PAGES for block in BLOCK.finditer(page.read_text("utf-8"))
    ]
    assert {name for name in tables if name} == {
        name for name, entry in REGISTRY.items() if entry.forms
    }


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_no_option_is_missing_in_the_manual(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text == BLOCK.sub(_table, text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(BLOCK.sub(_table, page.read_text("utf-8")), "utf-8")
