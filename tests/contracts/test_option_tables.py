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

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(
    r"(<!-- options: (?P<module>[\w.]+):(?P<kind>\w+) -->\n).*?(<!-- end of options -->)", re.DOTALL
)
PAGES = [page for page in sorted(DOCS.glob("*.md")) if BLOCK.search(page.read_text("utf-8"))]


def _row(option: OptionField) -> str:
    example = f"; such as `{option.example}`" if option.example else ""
    repeated = "; may be repeated" if option.repeats else ""
    default = option.default_text or ("has to be given" if option.default is MISSING else "")
    return (
        f"| `{option.key}` | {option.summary}{example}{repeated} | {option.allowed} | {default} |"
    )


def _table(block: re.Match[str]) -> str:
    kind = getattr(importlib.import_module(block["module"]), block["kind"])
    rows = "\n".join(_row(option) for option in option_fields(kind))
    return f"{block[1]}\n| key | is | allowed | default |\n|---|---|---|---|\n{rows}\n\n{block[4]}"


def test_some_pages_have_a_table() -> None:
    assert [page.name for page in PAGES] == ["spots.md"]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_no_option_is_missing_in_the_manual(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text == BLOCK.sub(_table, text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(BLOCK.sub(_table, page.read_text("utf-8")), "utf-8")
