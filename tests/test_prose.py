"""The length of the manual's sentences: a measure of how often a page must be read twice."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

import pytest

from measure.prose import mean_length, sentences

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
NAVIGATION: Final = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]
START: Final = [page for entry in NAVIGATION[0]["Start"] for page in entry.values()]
"""The pages that a player reads first."""
MOST_WORDS: Final = 24
MOST_WORDS_AT_THE_START: Final = 20


@pytest.mark.parametrize("page", [path.name for path in sorted(DOCS.glob("*.md"))])
def test_sentences_are_short_on_average(page: str) -> None:
    mean = mean_length((DOCS / page).read_text(encoding="utf-8"))
    assert mean <= (MOST_WORDS_AT_THE_START if page in START else MOST_WORDS)


def test_what_a_sentence_is() -> None:
    page = (
        "# Bets\n\nA bet of `2 bb` wins. It is\nsmall.\n\n- one item\n- [two](a.md) items\n\n"
        "| a table | of words |\n\n```console\n$ railbird demo\n```\n"
    )
    assert sentences(page) == ["A bet of code wins.", "It is small.", "one item", "two items"]
    assert mean_length(page) == (5 + 3 + 2 + 2) / 4
