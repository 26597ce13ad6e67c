"""The first paragraphs of every page and summary are for players: no estimator, no statistic."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Final

import pytest

from helpers.command_line import call
from railbird.assessment.registry import ESTIMATORS

HISTORIES: Final = Path(__file__).parents[1] / "golden" / "histories"

JARGON: Final = (
    *(
        "AIVAT",
        "MIVAT",
        "DIVAT",
        "AIE",
        "EVAT",
        "LFAT",
        "Dcash",
        "RedGreen",
        "EHR",
        "ROE",
        "call-down",
        "own side",
    ),
    *("fitted", "cross-fitted", "coefficient", "estimator", "estimate", "regression", "baseline's"),
    *("variance", "standard error", "standard deviation", "std", "sd", "p-value", "z =", "Holm"),
    *("control variate", "unbiased", "Monte Carlo", "bootstrap"),
)
"""What is no word of a player's."""
WORDS: Final = re.compile(
    "|".join(rf"(?<!\w){re.escape(each)}s?(?!\w)" for each in JARGON), re.IGNORECASE
)
"""Any of them, by itself."""


def first_words(page: str) -> str:
    """The text of a page from its heading to its first table, figure, list or second heading."""
    body = page[page.index("</h1>") :]
    end = re.search(r"<(h2|table|figure|dl|ul|ol|details|svg)\b", body)
    text = re.sub(
        r"<(style|script)\b.*?</\1>", " ", body[: end.start() if end else None], flags=re.S
    )
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def found_in(text: str) -> list[str]:
    return [each.group() for each in WORDS.finditer(text)]


def in_order(out: str) -> str:
    """The paragraphs that a terminal shows before the first table or key figures."""
    told = []
    for paragraph in out.strip().split("\n\n"):
        if "  " in paragraph.strip() or " · " in paragraph:
            break
        told.append(paragraph)
    return " ".join(told)


def test_the_list_has_every_title_of_an_estimator_but_plain_words() -> None:
    plain = {"Money", "All-in equity", "Luck", "Position"}
    plain |= {"Prize", "Prize less luck", "Luck of all-ins"}
    assert {one.title for one in ESTIMATORS if not found_in(one.title)} == plain


def test_the_scan_finds_what_it_is_for() -> None:
    page = (
        "<h1>A</h1><p>Fitted decides (z&nbsp;= -2.8), cross-fitted coefficients.</p><h2>DIVAT</h2>"
    )
    assert found_in(first_words(page)) == ["Fitted", "z =", "cross-fitted", "coefficients"]
    assert found_in("Ann won 3 small bets, more than luck explains") == []


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


MATCHES: Final = {
    "limit": ("match", "always-call", "random", "--hands", "60"),
    "limit-decided": ("match", "baseline", "random", "--hands", "400", "--duplicate"),
    "no-limit": ("match", "always-call", "random", "--hands", "60", "--game", "nolimit"),
    "several": ("ring", "random", "always-call", "baseline", "--hands", "60"),
    "known": ("match", "always-call", "random", "--hands", "60"),
}


@pytest.mark.slow(but=["limit"])
@pytest.mark.parametrize("form", MATCHES)
def test_assessments(
    form: str, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logs / f"{form}.log"
    if not log.exists():
        call(capsys, *MATCHES[form], "--seed", "4", "--log", str(log))
    known = ("--known", "always-call") if form == "known" else ()
    code, out, _ = call(capsys, "assess", str(log), *known, "--out", str(tmp_path))
    assert code == 0
    assert found_in(in_order(out)) == []
    if form.startswith("limit"):
        tables, _, _ = out.partition("For researchers: ")
        assert "Luck taken out" in tables
        assert not re.search("Fitted|DIVAT|AIE|RedGreen|Dcash", tables)
    words = first_words((tmp_path / "report.html").read_text())
    assert re.search(r"\bw[io]n|\blos|\bbetter|Too few", words)
    assert found_in(words) == []


def test_a_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, page = tmp_path / "t.phhs", tmp_path / "t.html"
    players = ("always-raise", "always-call")
    call(capsys, "tournament", *players, "--count", "20", "--seed", "1", "--log", str(log))
    code, _, _ = call(capsys, "assess", str(log), "--payouts", "70,30", "--out", str(page))
    assert code == 0
    words = first_words(page.read_text())
    assert "Prizes were " in words
    assert "(95 % interval " in words
    assert found_in(words) == []


@pytest.mark.slow
@pytest.mark.parametrize("cards", ["all", "own"])
def test_one_person(
    cards: str, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, player = HISTORIES / "ggpoker.txt", "Hero"
    if cards == "all":
        log, player = logs / "own.log", "random"
        call(capsys, *MATCHES["no-limit"], "--seed", "4", "--log", str(log))
    page = tmp_path / "own.html"
    asked = ("report", str(log), "--player", player, "--solve", "none", "--out", str(page))
    code, out, _ = call(capsys, *asked)
    assert code == 0
    assert found_in(in_order(out)) == []
    assert found_in(first_words(page.read_text())) == []


PAGES: Final = {
    "push-fold": ("solve", "pushfold", "--stack", "10"),
    "blackjack": ("blackjack", "strategy", "--decks", "6"),
}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_other_pages(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    assert call(capsys, *PAGES[page], "--out", str(file))[0] == 0
    assert found_in(first_words(file.read_text())) == []
