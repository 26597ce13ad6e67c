"""Where the manual says what a source says, it quotes the source, and the quotation is there.

A quotation is a comment of the page, which readers do not see: ``<!-- Kan 2007, line 2273: … -->``,
with the number of the line in the copy that Railbird was built from, of which one has lost its
digits and its commonest words.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers.tiers import MISSING_DATA

MANUAL = Path(__file__).parents[2] / "docs"
COPIES = {
    "Kan 2007": "000",
    "Papp 1998": "001",
    "Chin and Lopez 2023": "002",
    "Booker 2004": "003",
    "Peretz 2005": "004",
}
"""How the names of the copies begin."""
QUOTATION = re.compile(r"<!-- ([A-Z][A-Za-z ]+ \d{4}), line (\d+): (.+?) -->")
STATEMENT = re.compile(r"\bsource\s+(?:says|saw|expects|expected)\b(?! nothing)")
BLOCK = re.compile(r"\n\s*\n(?!<!--)|\n(?=\||\d+\. |- )")
"""Between paragraphs, items of lists and rows of tables; a quotation may stand below a table."""
BESIDE_A_SOURCE = re.compile(r"^\| the source \|.*\n\|[-|:]+\n((?:\|.*\n)+)", re.MULTILINE)
"""The rows of a table whose first column is what a source says."""
LINES_OF_A_SENTENCE = 4

PAGES = sorted(page for page in MANUAL.glob("*.md"))
QUOTATIONS = [
    (page.name, *found.groups()) for page in PAGES for found in QUOTATION.finditer(page.read_text())
]


def _words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_source_says_is_quoted(page: Path) -> None:
    unquoted = [
        _words(block)[:100]
        for block in BLOCK.split(page.read_text())
        if STATEMENT.search(QUOTATION.sub("", block)) and not QUOTATION.search(block)
    ]
    assert unquoted == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_table_sets_beside_a_source_is_quoted(page: Path) -> None:
    rows = [
        row for table in BESIDE_A_SOURCE.findall(page.read_text()) for row in table.splitlines()
    ]
    assert [row for row in rows if not QUOTATION.search(row)] == []


def test_quotations_are_of_the_five_sources() -> None:
    assert {source for _, source, *_ in QUOTATIONS} == set(COPIES)


def test_quotations_stand_in_the_sources() -> None:
    folder = Path(__file__).parents[3] / "shared" / "seeds"
    if not folder.is_dir():
        pytest.skip(f"needs the sources beside {MISSING_DATA}, which are not part of the project")
    copies = {
        source: next(folder.glob(f"{number}_*.txt")).read_text().splitlines()
        for source, number in COPIES.items()
    }
    absent = []
    for page, source, line, quotation in QUOTATIONS:
        first, *more = copies[source][int(line) - 1 :][:LINES_OF_A_SENTENCE]
        start = _words(" ".join((first, *more))).find(_words(quotation))
        if not 0 <= start < len(_words(first)):
            absent.append((page, source, line, quotation))
    assert absent == []
