"""Always-Call against Always-Raise: what is exact, and the source's kind of preflop table."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from helpers.few_hands import FewHands
from railbird.assessment import EnumeratedPreflopValues, assess, open_scorer
from railbird.baseline import AGGRESSIVENESS, STANDARD, TIGHTNESS, parse_settings
from railbird.cards import parse_holding, strengths
from railbird.errors import BadInput
from railbird.estimates import paired_difference
from railbird.game import seeded_deals
from railbird.game.rules import Street
from railbird.histories import read
from railbird.odds.preflop_matrix import PreflopMatrix, open_matrix
from railbird.odds.rank_kernels import ABSENT_16
from railbird.odds.rank_tables import HR7_WHOLE, IHR_WHOLE, Tables, open_tables
from railbird.report import Image
from railbird_papers import EXPERIMENTS, Workspace, run, write
from railbird_papers.framework.rows import Verdict
from railbird_papers.kan2007 import claims, future_work
from railbird_papers.kan2007.future_work import SevenCardValues, ranked_by_hr7, runtime_divat
from railbird_papers.kan2007.matches import DUPLICATE_PLAYERS, money_variance, tie_probability
from railbird_papers.kan2007.robustness import AT_ONCE, GRIDS, SWEEPS, significance, sweep


@pytest.fixture(scope="module")
def matrix() -> PreflopMatrix:
    return open_matrix()


@pytest.fixture(scope="module")
def tables() -> Tables:
    return open_tables()


def test_variance_of_a_hand_is_exact(matrix: PreflopMatrix) -> None:
    """Kan 2007, section 4.2.1, simulated 25 million hands and found 47.010, sd 6.856."""
    variance = float(money_variance(matrix))
    assert variance == pytest.approx(47.006967, abs=5e-7)
    assert variance == pytest.approx(47.010, abs=3 * 0.0019 + 0.0005)
    assert f"{variance**0.5:.3f}" == "6.856"


def test_ties_are_as_frequent_as_among_dealt_hands(matrix: PreflopMatrix) -> None:
    deals = seeded_deals(np.random.default_rng(9), 2, 400_000)
    first = strengths(deals[:, [0, 1, 4, 5, 6, 7, 8]])
    second = strengths(deals[:, [2, 3, 4, 5, 6, 7, 8]])
    exact = float(tie_probability(matrix))
    error = (exact * (1 - exact) / len(deals)) ** 0.5
    assert abs(float(np.mean(first == second)) - exact) < 4 * error


@pytest.mark.slow(but=["1-flop"])
@pytest.mark.parametrize(("street", "name"), [(1, "flop"), (2, "turn")])
def test_ranks_by_7chr_are_7chr_to_the_nearest_whole_number(
    tables: Tables, street: int, name: str
) -> None:
    replaced = ranked_by_hr7(tables)
    ihr, hr7 = getattr(replaced, f"{name}_ihr"), getattr(tables, f"{name}_hr7")
    there = ihr != ABSENT_16
    assert np.array_equal(there, getattr(tables, f"{name}_ihr") != ABSENT_16)
    gap = ihr[there] / IHR_WHOLE[street] - hr7[there] / HR7_WHOLE[street]
    assert np.abs(gap).max() <= 0.5 / IHR_WHOLE[street] + 1e-12


def test_values_by_7chr_are_near_the_exact_ones_but_not_the_same() -> None:
    first, second = (np.array([parse_holding(h)], np.int16) for h in ("Ts6s", "Jd5d"))
    contribution = np.array([[1, 2]], np.int16)
    by_hr7 = SevenCardValues(STANDARD).values(first, second, contribution).value
    exact = open_scorer(STANDARD).values.values(first, second, contribution).value
    assert 0 < np.abs(by_hr7 - exact).max() < 0.4


@pytest.mark.slow
def test_values_by_7chr_agree_with_enumeration(tables: Tables) -> None:
    """The slow twin plays out all 34 million boards of a pair of holdings."""
    pairs = [("Ts6s", "Jd5d"), ("AcKc", "9h8d")]
    first, second = (
        np.array([parse_holding(pair[player]) for pair in pairs], np.int16) for player in range(2)
    )
    contribution = np.tile(np.array([[1, 2, 4]], np.int16), (len(pairs), 1))
    slow = EnumeratedPreflopValues(STANDARD, ranked_by_hr7(tables))
    by_enumeration = slow.values(first, second, contribution).value
    sampled = SevenCardValues(STANDARD, samples=16_384)
    by_sampling = sampled.values(first, second, contribution).value
    # Boards that the two ranks play alike cancel: the rest has an error of some 0.01.
    np.testing.assert_allclose(by_sampling, by_enumeration, atol=0.04)
    assert sampled.position() == open_scorer(STANDARD).position


def test_other_settings_have_no_exact_values_to_start_from() -> None:
    with pytest.raises(BadInput, match=r"turn=tight-low.*no exact preflop table"):
        SevenCardValues(parse_settings("turn=tight-low"))


# The worked numbers of chapters 1 to 3.


@pytest.mark.slow
def test_all_but_what_the_source_gets_wrong_agrees(tmp_path: Path) -> None:
    """The manual has the list of what is wrong there; where rows differ they say why."""
    rows = claims.perform(Workspace(folder=tmp_path)).rows
    assert len(rows) == 143
    differ = {row.name: row.note for row in rows if row.verdict is Verdict.DIFFERS}
    assert all(differ.values())
    tables = "tables 3.3 and 3.4, "
    assert {name.removeprefix(tables) for name in differ if name.startswith(tables)} == {
        *(f"river: {rank} of T♠6♠" for rank in ("IHR", "7cHR", "EHR")),
        "preflop: EHR of T♠6♠",
        "preflop: EHR of J♦5♦",
    }
    assert len(differ) == 5 + 13
    equities = [row for row in rows if "AIE" in row.name]
    assert len(equities) == 27
    assert {row.verdict for row in equities} == {Verdict.AGREES}


# Runtime DIVAT: what it takes of each hand.


def test_a_coach_fed_by_a_biased_score_learns_the_wrong_thing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two players of sd 1 the first wins 0.3 more; a score sees it the other way round."""
    monkeypatch.setattr(future_work, "COACHES", 2)
    monkeypatch.setattr(future_work, "COACHED_HANDS", 4_000)
    rng = np.random.default_rng(3)
    better, worse = rng.normal(0.3, 1.0, 5_000), rng.normal(0.0, 1.0, 5_000)
    experts = [{"money": better, "score": better - 0.6}, {"money": worse, "score": worse}]
    by_money, by_score = future_work._coached(experts, seed=1)
    assert by_money.ours.value > 0.7
    assert by_score.ours.value < 0.3
    assert "cost 0.0" in by_money.note


def test_shown_hands_count_by_divat_and_others_by_money() -> None:
    scores = pl.DataFrame(
        {
            "kind": ["showdown", "showdown", "showdown", "fold"],
            "money": [4.0, -4.0, 0.0, 1.0],
            "divat": [1.0, 0.5, -0.5, 9.0],
            "position": [-0.1, 0.1, 0.1, 0.1],
        }
    )
    money, shown, winners = runtime_divat(scores)
    assert money.tolist() == [4.0, -4.0, 0.0, 1.0]
    assert shown.tolist() == [0.9, 0.6, -0.4, 1.0]
    # The opponent lost the first one and need not show.
    assert winners.tolist() == [4.0, 0.6, -0.4, 1.0]


# The fast sweep over settings, against assessing the match once for each.


HANDS = 150


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    workspace = Workspace(folder=tmp_path_factory.mktemp("logs"), seed=5)
    return workspace.play(workspace.match(*DUPLICATE_PLAYERS, HANDS)).log


@pytest.mark.slow
def test_a_sweep_is_as_many_assessments(log: Path) -> None:
    """Assessing samples preflop values under these settings; they cancel, as the sweep says."""
    settings = [
        STANDARD,
        parse_settings("flop=tight-high"),
        parse_settings("turn=aggressive-high,turn=loose-high,river.make1=0.6"),
    ]
    told: list[int] = []
    fast = sweep(read(log), settings, player=DUPLICATE_PLAYERS[0], threads=2, progress=told.append)
    slow = [
        assess(read(log), settings=each, player=DUPLICATE_PLAYERS[0]).scores["divat"].to_numpy()
        for each in settings
    ]
    assert fast.shape == (len(settings), HANDS)
    np.testing.assert_allclose(fast, slow, atol=1e-9)
    assert told == [HANDS, 2 * HANDS, 3 * HANDS]


def test_settings_that_differ_before_the_flop_are_refused(log: Path) -> None:
    with pytest.raises(BadInput, match=r"preflop\.fold=0\.1.*before the flop"):
        sweep(read(log), [parse_settings("preflop.fold=0.1")], player=DUPLICATE_PLAYERS[0])


def test_players_who_leave_the_baseline_before_the_flop_are_refused(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    log = workspace.play(workspace.match("always-raise", "baseline", 50)).log
    with pytest.raises(BadInput, match="left the baseline before the flop"):
        sweep(read(log), [STANDARD], player="baseline")


def test_the_sweeps_are_the_source_s_figures() -> None:
    """Tables 4.1 and 4.2: nine bets and nine fold offsets, the standard ones in the middle."""
    assert [each.figure for each in SWEEPS] == ["4.8 a", "4.8 b", "4.9 a", "4.9 b"]
    assert [each.short_figure for each in SWEEPS] == ["4.10 a", "4.10 b", "4.11 a", "4.11 b"]
    for each in SWEEPS:
        assert len(each.settings) == 9
        assert list(each.settings.values())[4] == STANDARD
        assert set(each.settings.values()) <= set(GRIDS[each.street].values())
    assert list(SWEEPS[0].settings) == list(TIGHTNESS)
    assert list(SWEEPS[3].settings) == list(AGGRESSIVENESS)


def test_the_grids_have_161_different_settings() -> None:
    assert len({each for grid in GRIDS.values() for each in grid.values()}) == 2 * 81 - 1


def test_nothing_differs_from_itself() -> None:
    assert significance(paired_difference(np.ones(5), np.ones(5))) == 0.0


# The manual's table of the source's figures: all are there, and their pictures are drawn.


MANUAL = Path(__file__).parents[2] / "docs" / "experiments.md"
_SPAN = re.compile(r"([45])\.([0-9]+)(?: to [45]\.([0-9]+))?")


def _rows() -> list[tuple[str, list[str], list[str]]]:
    """Return the first cell, the experiments and the pictures of every row."""
    section = MANUAL.read_text().split("## Figures and tables of Kan (2007)")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    code = re.compile("`([^`]+)`")
    return [(row[0], code.findall(row[2]), code.findall(row[3])) for row in cells]


def test_every_figure_and_table_has_an_experiment() -> None:
    figures, tables = set[tuple[int, int]](), set[tuple[int, int]]()
    for what, experiments, pictures in _rows():
        assert set(experiments) <= set(EXPERIMENTS), what
        assert pictures, what
        for chapter, first, last in _SPAN.findall(what):
            wanted = range(int(first), int(last or first) + 1)
            (tables if what.startswith("tables") else figures).update(
                (int(chapter), number) for number in wanted
            )
    assert figures == {(4, n) for n in range(1, 12)} | {(5, n) for n in range(1, 24)}
    assert tables == {(4, 1), (4, 2), (5, 1), (5, 2)}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({name for _, names, _ in _rows() for name in names}))
def test_pictures_of_the_table_are_drawn(tmp_path: Path, name: str) -> None:
    """Every experiment with its own players, and with fewer hands than it would play by itself."""
    done = run(name, FewHands(scale=0.001, seed=1, folder=tmp_path / "logs"))
    write([done], tmp_path, images=[Image.PNG])
    drawn = {drawing.figure.name for drawing in done.result.drawings}
    for _, experiments, pictures in _rows():
        if experiments == [name]:
            assert set(pictures) <= drawn
        elif name in experiments:
            assert set(pictures) & drawn
    for picture in drawn:
        image = tmp_path / "figures" / f"{name}-{picture}.png"
        assert image.read_bytes().startswith(b"\x89PNG")
    assert len((tmp_path / "table.csv").read_text().splitlines()) == 1 + len(done.result.rows)


def test_all_rounds_changed_at_once_are_twenty_one_settings() -> None:
    """Nine of bets and nine of folds, which share the standard, and the four corners."""
    settings = {one for presets in AT_ONCE.values() for one in presets.values()}
    assert len(settings) == 9 + 9 - 1 + 4
    assert STANDARD in settings
    for one in settings - {STANDARD}:
        changed = [street for street in Street if one[street] != STANDARD[street]]
        assert changed == [Street.FLOP, Street.TURN]
