"""The written report: complete, contained in one file, harmless, reproducible, small."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from rich.console import Console, RenderableType
from scipy.stats import norm

from helpers.made_up_match import HAND, made_up
from railbird.assessment import HandScore, Scorer, open_scorer, score_hand
from railbird.baseline import STANDARD
from railbird.errors import BadInput
from railbird.histories import one_line, read_hand
from railbird.report import Image, Theme, export, score_table, summarise_match, text, write
from railbird.report.charts import COLOURS
from railbird.report.html_page import json_element
from railbird.report.match_charts import _aims, match_figures
from railbird.report.match_document import key_figures
from railbird.report.match_summary import RowKind
from railbird.report.number_format import MINUS

HOSTILE = '</script><img src=x onerror="alert(1)">\u2028&'


class _Page(HTMLParser):
    """What a test asks of a page: its elements, their text, and the scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._within = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within == "script":
            self.scripts[-1] += data
        elif self._within != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    @property
    def data(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.scripts[0])
        return loaded

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def _written(folder: Path, hands: int = 500, **options: Any) -> _Page:
    return _Page(write(made_up(hands, **options), folder, largest=0).read_text("utf-8"))


@pytest.mark.slow
def test_one_file_that_asks_for_nothing(tmp_path: Path) -> None:
    page = _written(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "scores.parquet"]
    assert (tmp_path / "report.html").read_bytes().startswith(b"<!DOCTYPE html>")
    assert not page.all("link")
    assert not page.all("img")
    assert all("src" not in attributes for attributes in page.all("script"))
    (policy,) = (m["content"] for m in page.all("meta") if m.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "unsafe-eval" not in policy
    assert policy.count("'sha256-") == 2


@pytest.mark.slow
def test_headings_captions_and_alternatives(tmp_path: Path) -> None:
    page = _written(tmp_path, duplicate=True)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
    regions = [div for div in page.all("div") if div.get("role") == "region"]
    assert len(page.all("table")) == len(regions)
    assert all(region["aria-label"] for region in regions)
    charts = [div for div in page.all("div") if div.get("role") == "img"]
    assert len(charts) == len(page.data["figures"]) == 9
    assert all(len(chart["aria-label"] or "") > 40 for chart in charts)


@pytest.mark.slow
def test_what_it_says(tmp_path: Path) -> None:
    page = _written(tmp_path, 20_000, edge=0.3, skipped={"cut off": 2})
    assert "and it was skill: Ann played better, +0." in page.text
    assert "Skipped: 2 cut off." in page.text
    assert "Lines show the exact sum at every 20th hand" in page.text
    assert "Seed" not in page.text


@pytest.mark.slow
def test_hidden_cards_are_said_first_and_nothing_is_called_unbiased(tmp_path: Path) -> None:
    page = _written(tmp_path, 20_000, edge=0.3, unknown=5)
    assert "No verdict on skill: the cards of 5 of 20,000 hands were not shown" in page.text
    assert "5 with cards not shown" in page.text
    assert "unbiased" not in page.text
    assert "played better" not in page.text
    facts = summarise_match(made_up(20_000, edge=0.3, unknown=5))
    assert [row.name for row in facts.comparable] == ["money"]
    assert [row.name for row in facts.rows if row.reduction is not None] == []
    assert {row.hands for row in facts.rows} == {20_000, 19_995}
    assert facts.uneven


@pytest.mark.slow
def test_the_check_of_the_luck_is_said_and_replaces_the_verdict(tmp_path: Path) -> None:
    fair = _written(tmp_path, 20_000, edge=0.3)
    assert "No sign of missing hands." in fair.text
    assert "Check for missing hands: z = " in fair.text
    loaded = summarise_match(made_up(20_000, edge=0.3, favour=0.2))
    assert loaded.verdict.headline.startswith("No verdict: the cards were 18.6 sb")
    assert "/100 too kind to Ann, more than chance" in loaded.verdict.headline
    assert "Check for missing hands: z = +6.6 for Ann. " in loaded.method
    told = " ".join(loaded.verdict.reasons)
    assert "No sign" not in told
    assert "better" not in loaded.verdict.headline + told


@pytest.mark.slow
def test_the_gauge_of_luck() -> None:
    """The share of matches between equal players with less luck; no word on it without cards."""
    fair, kind = (summarise_match(made_up(1_000, favour=favour)) for favour in (0.0, 0.5))
    assert fair.luck is not None
    assert kind.luck is not None
    luck = fair.money.value - fair.decisive.value  # the seats are worth nothing over a whole match
    assert fair.luck.value == pytest.approx(luck, abs=0.01)
    assert fair.luckier_than == pytest.approx(norm.cdf(fair.luck.value / fair.luck.stderr))
    assert kind.luckier_than is not None
    assert kind.luckier_than > 0.999
    gauge = next(figure for figure in match_figures(kind) if figure.name == "luck")
    assert gauge.title.startswith("Luck-o-meter: luckier than 99.9")
    for few in (made_up(1_000, unknown=5), made_up(1)):
        facts = summarise_match(few)
        assert facts.luckier_than is None
        assert "luck" not in {figure.name for figure in match_figures(facts)}


def test_words_and_key_figures_tell_one_luck() -> None:
    facts = summarise_match(made_up(1_000))
    (luck,) = (each.value for each in key_figures(facts) if each.name.startswith("Luck and"))
    assert f"cards and position {luck}." in " ".join(facts.verdict.reasons)


def test_a_missing_hand_does_not_undo_the_pairs() -> None:
    whole = summarise_match(made_up(4_000, duplicate=True))
    short = summarise_match(made_up(3_999, duplicate=True))
    assert whole.money.estimate.n == short.money.estimate.n == 2_000
    assert short.money.estimate.stderr == pytest.approx(whole.money.estimate.stderr, rel=0.01)


@pytest.mark.slow
def test_duplicate_view_only_for_a_duplicate_match(tmp_path: Path) -> None:
    assert "duplicate" not in _written(tmp_path).data["figures"]
    page = _written(tmp_path, duplicate=True)
    assert "duplicate" in page.data["figures"]
    assert "Means of 250 duplicate pairs" in page.text


def test_a_duplicate_match_is_judged_by_its_pairs() -> None:
    facts = summarise_match(made_up(400, duplicate=True))
    assert facts.pairs is not None
    for ours, pairs in (
        (facts.money, facts.pairs.money),
        (facts.decisive, facts.pairs.decisive),
        (facts.skill, facts.pairs.skill),
    ):
        assert ours.estimate.value == pytest.approx(pairs.estimate.value)
        assert ours.estimate.stderr == pytest.approx(pairs.estimate.stderr)
        assert (ours.estimate.n, ours.hands) == (200, 400)
    assert "in 400 hands, 200 deals." in facts.verdict.reasons[0]


@pytest.mark.slow
def test_the_spots_that_cost_most(tmp_path: Path) -> None:
    page = _written(tmp_path)
    assert "Where Ann lost most by decisions" in page.text
    assert "Where Bob lost most by decisions" not in page.text
    assert page.text.index("River, facing a raise make2 fold") < page.text.index(
        "Turn, nothing to call make1 check"
    )


def test_report_files_no_hands(tmp_path: Path) -> None:
    page = _written(tmp_path, 0, skipped={"another game": 3})
    assert "No hand could be judged." in page.text
    assert "Skipped: 3 of another game." in page.text
    assert not page.scripts, "there is nothing to draw"


@pytest.mark.slow(but=["1"])
@pytest.mark.parametrize("hands", [1, 2, 19])
def test_few_hands(tmp_path: Path, hands: int) -> None:
    page = _written(tmp_path, hands)
    assert "far too few to tell skill from luck" in page.text
    assert not re.search(r"\b(nan|inf|None)\b", page.text)
    assert "1 hands" not in page.text
    assert ("The hand judged ended" in page.text) == (hands == 1)


@pytest.mark.slow
def test_names_cannot_become_markup(tmp_path: Path) -> None:
    page = _written(
        tmp_path,
        players=(HOSTILE, "<b>Bob</b>"),
        sources=(f"/tmp/{HOSTILE}.log",),
        skipped={HOSTILE: 1},
    )
    assert not page.all("img")
    assert not page.all("b")
    assert len(page.scripts) == 3
    assert "\u2028" not in page.scripts[0]
    assert "<b>Bob</b>" in page.text


def test_json_cannot_end_its_element() -> None:
    text = str(json_element({HOSTILE: ["<!--", "]]>"]}))
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == {HOSTILE: ["<!--", "]]>"]}


@pytest.mark.slow
def test_folders_of_the_reader_are_not_shown(tmp_path: Path) -> None:
    log = tmp_path / "folder-of-the-reader" / "match.log"
    log.parent.mkdir()
    log.write_bytes(b"hands")
    report = write(made_up(50, sources=(str(log),)), tmp_path / "out", largest=0)
    text = report.read_text("utf-8")
    assert "folder-of-the-reader" not in text
    assert "match.log" in text
    assert hashlib.sha256(b"hands").hexdigest() in text


@pytest.mark.slow
def test_same_input_same_bytes(tmp_path: Path) -> None:
    one, other = (write(made_up(500), tmp_path / name, largest=0) for name in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()
    for name in ("scores.parquet",):
        assert (one.parent / name).read_bytes() == (other.parent / name).read_bytes()


def test_scores_are_kept_whole(tmp_path: Path) -> None:
    assessment = made_up(500, unknown=3)
    write(assessment, tmp_path, largest=0)
    kept = pl.read_parquet(tmp_path / "scores.parquet")
    assert kept["text"].to_list() == [one_line(HAND)] * 500
    numbers = kept.drop("text")
    assert numbers.equals(assessment.scores.select(numbers.columns))
    assert {"number", "line", "kind", "money", "divat_river", "pair"} < set(numbers.columns)


@pytest.mark.slow
@pytest.mark.parametrize("hands", [36_454, 300_000])
def test_size_does_not_grow_with_the_match(tmp_path: Path, hands: int) -> None:
    report = write(made_up(hands), tmp_path, largest=0)
    assert report.stat().st_size < 1_500_000


@pytest.mark.slow
def test_nothing_half_written(tmp_path: Path) -> None:
    write(made_up(50), tmp_path, largest=0)
    before = (tmp_path / "report.html").read_bytes()
    (tmp_path / "scores.parquet").unlink()
    (tmp_path / "scores.parquet").mkdir()  # cannot be replaced by a file
    with pytest.raises(BadInput, match=r"scores\.parquet: cannot be written"):
        write(made_up(60), tmp_path, largest=0)
    assert (tmp_path / "report.html").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "scores.parquet"]


@pytest.mark.slow
def test_one_hand_has_no_intervals(tmp_path: Path) -> None:
    facts = summarise_match(made_up(1))
    for figure in match_figures(facts):
        if figure.name in ("estimators", "divat-by-round"):
            layers = figure.draw().to_dict()["layer"]
            spans = [each for each in layers if "x2" in each.get("encoding", {})]
            assert not spans, "of which Vega would warn"
    page = write(made_up(1), tmp_path, images=[Image.SVG]).read_text("utf-8")
    assert "– to" not in page
    assert "–×" not in page


@pytest.mark.slow
def test_figures_as_svg(tmp_path: Path) -> None:
    assessment = made_up(200, players=(HOSTILE, "Bob"))
    write(assessment, tmp_path, largest=0, images=[Image.SVG], theme=Theme.DARK)
    written = sorted((tmp_path / "figures").iterdir())
    assert len(written) == 8
    for path in written:
        svg = path.read_text("utf-8")
        assert svg.startswith("<svg")
        assert COLOURS["paper"].dark in svg
        assert "var(--" not in svg
        assert "<img" not in svg


@pytest.mark.slow
def test_figure_as_png() -> None:
    facts = summarise_match(made_up(200))
    picture = export(match_figures(facts)[0], facts, Image.PNG)
    assert picture.startswith(b"\x89PNG\r\n")


def test_decomposition_adds_up() -> None:
    facts = summarise_match(made_up(400, unknown=7))
    money = facts.row("money")
    assert sum(part.total for part in facts.parts) == pytest.approx(money.value * facts.hands)
    assert facts.parts[-1].label == "Cards not shown"


# What the terminal shows: the source's tables come out, and nothing of a log drives it.


GAME = "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/"


def _shown(part: RenderableType) -> str:
    out = io.StringIO()
    Console(file=out, width=120, force_terminal=True, color_system=None).print(part)
    return out.getvalue().replace(MINUS, "-")


def _rows(score: HandScore) -> list[list[str]]:
    return [words for line in _shown(score_table(score)).splitlines() if (words := line.split())]


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(STANDARD)


def test_table_3_3(scorer: Scorer) -> None:
    """The source's table with the river ranks and the preflop EHR as they are by definition."""
    rows = _rows(score_hand(read_hand(f"{GAME}kBrC/bRrC/bC"), scorer=scorer))
    expected = """
        IHR player 1 0.3857 0.9672 0.9599 0.9753
        player 2 0.4771 0.8483 0.8406 0.7091
        7cHR player 1 0.4894 0.9273 0.9378 0.9753
        player 2 0.4999 0.6767 0.7827 0.7091
        EHR player 1 0.4894 0.9672 0.9599 0.9753
        player 2 0.4999 0.8483 0.8406 0.7091
        Actions SlCk kBrC bRrC bC
        Baseline SlCk bRrC bRrC bC
        AIE actual -0.1487 +2.7576 +5.7273 +11.0000
        baseline -0.1487 +3.6768 +5.7273 +11.0000
        difference 0.0000 -0.9192 0.0000 0.0000
    """
    for line in expected.strip().splitlines():
        assert line.split() in rows


def test_table_3_4(scorer: Scorer) -> None:
    rows = _rows(score_hand(read_hand(f"{GAME}kBc/kBrC/bF"), scorer=scorer))
    expected = """
        Actions SlCk kBc kBrC bF
        Baseline SlCk bRrC bRrC bC
        AIE actual -0.1487 +1.8384 +3.8182 +6.0000
        baseline -0.1487 +3.6768 +5.0909 +8.0000
        difference 0.0000 -1.8384 -1.2727 -2.0000
    """
    for line in expected.strip().splitlines():
        assert line.split() in rows


def test_cards_beside_the_names_and_the_new_cards_of_each_round(scorer: Scorer) -> None:
    record = read_hand(f"{GAME}kBrC/bRrC/bC # 1:Alice|Bob")
    shown = _shown(score_table(score_hand(record, scorer=scorer), holes=record.holes))
    assert "Alice T♠6♠" in shown
    assert "Bob J♦5♦" in shown
    (board,) = (line for line in shown.splitlines() if "Board" in line)
    assert board.split() == ["Board", "T♦5♥T♥", "2♦", "2♥"]


def test_summary() -> None:
    shown = " ".join(_shown(text(made_up(20_000, edge=0.3, skipped={"cut off": 2}))).split())
    assert "Ann won" in shown
    assert "and it was skill" in shown
    assert "Decisions by betting round" in shown
    assert "Skipped: 2 cut off." in shown


def test_terminal_no_hands() -> None:
    shown = _shown(text(made_up(0, skipped={"another game": 1_234})))
    assert "No hand could be judged." in shown
    assert "Skipped: 1,234 of another game." in shown


def test_one_hand_has_no_interval() -> None:
    shown = _shown(text(made_up(1)))
    assert "The hand judged ended" in shown
    assert "nan" not in shown
    assert "inf" not in shown
    assert "– to" not in shown


def test_names_do_not_drive_the_terminal() -> None:
    shown = _shown(text(made_up(500, players=("[red]Ann[/red]", "Bob\x1b[2J\u202e"))))
    assert "[red]Ann[/red]" in shown
    assert "\x1b[2J" not in shown
    assert "\u202e" not in shown


def test_two_estimators_are_off_and_one_is() -> None:
    rows = [
        SimpleNamespace(label=label, kind=kind)
        for label, kind in (
            ("Money", RowKind.UNBIASED),
            ("DIVAT", RowKind.BIASED),
            ("AIE", RowKind.BIASED),
        )
    ]
    assert _aims(rows).startswith("DIVAT and AIE are off by an unknown amount. All others")  # type: ignore[arg-type]
    assert _aims(rows[:2]).startswith("DIVAT is off by")  # type: ignore[arg-type]
