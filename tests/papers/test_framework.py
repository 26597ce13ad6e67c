"""Experiments are found by folder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import railbird_papers
from railbird._arrays import Floats
from railbird.arena import Seating
from railbird.assessment import assess
from railbird.errors import BadInput, DamagedFile
from railbird.estimates import Estimate, paired_difference
from railbird.estimates.bounded_mean import Proportion
from railbird.estimates.estimate import estimate
from railbird.histories import read
from railbird.histories.columns import records_of
from railbird_papers import EXPERIMENTS, Published, Row, Verdict, Workspace
from railbird_papers.framework.registry import discover
from railbird_papers.framework.rows import (
    beside,
    claimed,
    compared,
    measured,
    must_exceed_zero,
    published_as_positive,
    reduction,
    sd,
    sd_change,
    sigmas_for,
    zero,
)
from railbird_papers.framework.workspace import COLUMNS, log_name, pieces
from railbird_papers.kan2007.matches import directions

SOURCE = """
from railbird_papers.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(name={name!r}, summary="Something.", source="Them", place=f"{{__name__}}:perform"),
)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place beside the others where sources are looked for."""
    folders = [*railbird_papers.__path__, str(tmp_path)]
    monkeypatch.setattr(railbird_papers, "__path__", folders)
    monkeypatch.delitem(sys.modules, "railbird_papers.them2030", raising=False)
    (tmp_path / "them2030").mkdir()
    return tmp_path


def test_a_folder_is_enough(folder: Path) -> None:
    (folder / "them2030/__init__.py").write_text(SOURCE.format(name="theirs"))
    found = discover(railbird_papers.__path__)
    assert [*found] == [*EXPERIMENTS, "theirs"]


def test_a_name_is_given_once(folder: Path) -> None:
    (folder / "them2030/__init__.py").write_text(SOURCE.format(name="unbiased"))
    with pytest.raises(ValueError, match="two experiments are named 'unbiased'"):
        discover(railbird_papers.__path__)


@pytest.mark.parametrize(
    "source", sorted({one.place.split(".")[1] for one in EXPERIMENTS.values()})
)
def test_a_source_can_be_imported_first(source: str) -> None:
    """As `railbird machine warm` does, in a process that has not listed the experiments."""
    code = f"import railbird_papers.{source}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_listing_compiles_nothing() -> None:
    code = (
        "import sys; from railbird_papers import EXPERIMENTS; "
        "assert len(EXPERIMENTS) > 10; print(*{'numba', 'numpy', 'altair'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


# The rules of the verdicts.


@pytest.mark.parametrize(
    ("text", "published_stderr", "value", "stderr", "verdict"),
    [
        ("2.913", 0.0, 2.9134, 0.0, Verdict.AGREES),  # printed to three digits
        ("2.913", 0.0, 2.9136, 0.0, Verdict.DIFFERS),
        ("2.913", 0.0, 2.9434, 0.01, Verdict.AGREES),  # 0.0005 and three times 0.01
        ("2.913", 0.0, 2.9436, 0.01, Verdict.DIFFERS),
        ("2.913", 0.01, 2.9436, 0.01, Verdict.AGREES),  # the published one is uncertain too
        ("-0.0069", 0.0, -0.00694, 0.0, Verdict.AGREES),
        ("7", 0.0, 7.4, 0.0, Verdict.AGREES),
    ],
)
def test_a_published_number_counts_as_far_as_it_is_known(
    text: str, published_stderr: float, value: float, stderr: float, verdict: Verdict
) -> None:
    published = Published(text=text, stderr=published_stderr)
    assert compared("x", published, Estimate(value, stderr, 10)).verdict is verdict
    assert published.shown == text.replace("-", "−")


@pytest.mark.parametrize(
    ("value", "stderr", "verdict"),
    [
        (0.0, 0.0, Verdict.HOLDS),
        (0.29, 0.1, Verdict.HOLDS),
        (-0.31, 0.1, Verdict.FAILS),
        (1e-9, 0.0, Verdict.FAILS),
    ],
)
def test_zero_is_within_three_standard_errors(
    value: float, stderr: float, verdict: Verdict
) -> None:
    assert zero("x", Estimate(value, stderr, 10)).verdict is verdict


def test_equal_results_decide_nothing() -> None:
    """Of forty equal results no interval says how far others may be."""
    for value in (0.5, -0.5):
        ours = estimate([value] * 40)
        assert ours.alike
        assert must_exceed_zero("x", ours).verdict is Verdict.UNDECIDED
        assert published_as_positive("x", ours).verdict is Verdict.UNDECIDED
        assert zero("x", ours).verdict is Verdict.UNDECIDED
        assert compared("x", Published(text="9"), ours).verdict is Verdict.UNDECIDED
        assert compared("x", Published(text=str(value)), ours).verdict is Verdict.AGREES


def test_the_farthest_of_many_is_granted_more() -> None:
    """3 sigma leave 0.27 % outside; the bound for k comparisons leaves a k-th of that."""
    assert sigmas_for(1) == pytest.approx(3.0)
    assert sigmas_for(8) == pytest.approx(3.5847, abs=1e-4)
    assert zero("x", Estimate(3.5, 1.0, 10), sigmas=sigmas_for(8)).verdict is Verdict.HOLDS
    assert zero("x", Estimate(3.7, 1.0, 10), sigmas=sigmas_for(8)).verdict is Verdict.FAILS


def test_what_is_not_compared_has_no_opinion() -> None:
    ours = Estimate(1.0, 0.1, 10)
    assert beside("x", "99", ours).verdict is Verdict.OTHER_PLAYERS
    assert measured("x", ours).verdict is Verdict.MEASURED
    assert claimed("x", ours, False, rule="never").verdict is Verdict.FAILS


def test_json_has_the_keys_that_others_rely_on() -> None:
    row = compared("sd", Published(text="6.856"), Estimate(6.8562, 0.01, 100), note="why")
    found = row.as_json()
    assert found["published"] == 6.856
    assert found["verdict"] == "agrees"
    assert set(found["ours"]) == {"value", "stderr", "low", "high", "n"}
    assert found["note"] == "why"
    assert measured("x", row.ours).as_json()["published"] is None


@pytest.mark.parametrize(
    ("row", "shown", "interval"),
    [
        (
            compared("x", Published(text="47.010"), Estimate(47.0069671, 0.0, 9)),
            "47.006967",
            "exact",
        ),
        (measured("x", Estimate(0.0, 0.0, 9)), "0", "exact"),
        (measured("x", Proportion.of_trials([0, 0, 0])), "0.00", "0.00 to 0.56"),
        (measured("x", estimate([0.5, 0.5])), "0.500000", "too few to say"),
        (measured("x", Estimate(-0.0123, 0.005, 10**6)), "−0.012", "−0.022 to −0.003"),
        (
            compared("x", Published(text="2.913"), Estimate(3.0, 0.5, 10**6)),
            "3.000",
            "2.020 to 3.980",
        ),
    ],
)
def test_numbers_are_shown_as_far_as_they_are_known(row: Row, shown: str, interval: str) -> None:
    assert (row.shown, row.shown_interval) == (shown, interval)


def test_what_rounding_leaves_of_an_exact_zero_is_shown_as_such() -> None:
    shown = [measured("x", Estimate(value, 0.0, 1)).shown for value in (0.0, 3.2e-15, -4e-8, 2e-6)]
    assert shown == ["0", "3e\N{MINUS SIGN}15", "\N{MINUS SIGN}4e\N{MINUS SIGN}08", "0.000002"]


# Standard errors of spreads, against theory and the bootstrap.


N = 4000


@pytest.fixture(scope="module")
def scores() -> tuple[Floats, Floats]:
    """Money with heavy tails, and a score that follows it at a distance."""
    rng = np.random.default_rng(4)
    money = rng.standard_t(7, N) * 4
    return money, 0.4 * money + rng.standard_normal(N)


def bootstrapped(
    statistic: Callable[[Floats, Floats], float], scores: tuple[Floats, Floats]
) -> float:
    """The slow twin: the scatter of a statistic over resampled hands."""
    rng = np.random.default_rng(5)
    draws = (rng.integers(0, N, N) for _ in range(600))
    return float(np.std([statistic(scores[0][draw], scores[1][draw]) for draw in draws]))


def test_sd_of_normal_values_has_the_textbook_error() -> None:
    """The standard error of a normal sample's sd is sigma / sqrt(2n)."""
    x = np.random.default_rng(1).standard_normal(200_000) * 3
    found = sd(x)
    assert found.value == pytest.approx(np.std(x, ddof=1))
    assert found.stderr == pytest.approx(3 / np.sqrt(2 * len(x)), rel=0.02)
    assert abs(found.value - 3) < 4 * found.stderr


def test_sd_agrees_with_the_bootstrap(scores: tuple[Floats, Floats]) -> None:
    twin = bootstrapped(lambda money, _: float(np.std(money, ddof=1)), scores)
    assert sd(scores[0]).stderr == pytest.approx(twin, rel=0.15)


def test_reduction_agrees_with_the_bootstrap(scores: tuple[Floats, Floats]) -> None:
    twin = bootstrapped(lambda money, divat: float(money.var() / divat.var()), scores)
    found = reduction(*scores)
    assert found.value == pytest.approx(scores[0].var() / scores[1].var())
    assert found.stderr == pytest.approx(twin, rel=0.15)


def test_sd_change_knows_that_the_hands_are_the_same(scores: tuple[Floats, Floats]) -> None:
    money, divat = scores
    twin = bootstrapped(lambda x, y: float(np.std(x, ddof=1) - np.std(y, ddof=1)), scores)
    assert sd_change(money, divat).stderr == pytest.approx(twin, rel=0.15)
    same = sd_change(money, money)
    assert (same.value, same.stderr) == (0.0, 0.0)


def test_what_does_not_vary_has_no_error() -> None:
    constant = np.full(50, 2.0)
    assert (sd(constant).value, sd(constant).stderr) == (0.0, 0.0)
    assert paired_difference(constant, constant).value == 0


def test_units_of_small_bets_do_not_move_a_ratio(scores: tuple[Floats, Floats]) -> None:
    money, divat = scores
    assert reduction(10 * money, 10 * divat).value == pytest.approx(reduction(money, divat).value)


# Playing and scoring in a folder: resumed, in pieces, by scale.


def test_scale_shrinks_but_not_to_nothing() -> None:
    assert Workspace(scale=0.01).hands(400_000) == 4000
    assert Workspace(scale=1e-9).hands(400_000, least=300) == 300


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), 1e9])
def test_a_scale_must_be_one(scale: float) -> None:
    with pytest.raises(BadInput, match="scale"):
        Workspace(scale=scale)


def test_logs_are_told_apart_by_their_names() -> None:
    workspace = Workspace(seed=3)
    matches = [
        workspace.match("random", "baseline", 50),
        workspace.match("random", "baseline", 50, seed=4),
        workspace.match("random", "baseline", 50, seating=Seating.DUPLICATE),
        workspace.match("random", "baseline", 60),
        workspace.match("random", "baseline:river.make1=0.6", 50),
    ]
    assert len({log_name(match) for match in matches}) == len(matches)


def test_pieces_are_the_stream(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    log = workspace.play(workspace.match("always-call", "random", 25)).log
    cut = [list(records_of(piece)) for piece in pieces(log, 23, 10)]
    assert [len(piece) for piece in cut] == [10, 10, 3]
    assert [hand for piece in cut for hand in piece] == list(read(log))[:23]
    with pytest.raises(DamagedFile, match="2 hands fewer"):
        list(pieces(log, 27, 10))


@pytest.mark.slow
def test_scoring_in_pieces_is_scoring_at_once(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    workspace = Workspace(folder=tmp_path, progress=lambda *report: told.append(report))
    match = workspace.match("random", "baseline", 100)
    played = workspace.play(match)
    found = workspace.scores(played, piece=37)
    whole = assess(read(played.log), player="random").scores
    assert_frame_equal(found, whole.select(COLUMNS))
    assert_frame_equal(workspace.scores(played, hands=40, piece=37), found.head(40))
    assert told[-1] == (40, 40, "scoring")
    assert [part.what for part in workspace.work] == ["played", "scored", "scored"]
    assert [part.hands for part in workspace.work] == [100, 100, 40]


def test_a_match_played_before_is_not_played_again(tmp_path: Path) -> None:
    first, second = Workspace(folder=tmp_path), Workspace(folder=tmp_path)
    match = first.match("random", "always-call", 30)
    played = first.play(match)
    text = played.log.read_bytes()
    again = second.play(match)
    assert (again.log, again.match) == (played.log, match)
    assert again.result.resumed == match.hands
    assert played.log.read_bytes() == text
    assert second.work[0].hands == 0
    second.discard_logs()
    assert not list(tmp_path.iterdir())


def test_what_was_done_cannot_be_changed_from_outside(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    match = workspace.match("random", "always-call", 30)
    other = workspace.match("random", "always-call", 30, seed=1)
    first, second = workspace.play(match), workspace.play(other)
    assert first.log != second.log
    assert first.match is match, "each match with its own log, whatever was played last"
    assert isinstance(workspace.work, tuple)


def test_a_damaged_log_is_no_result(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    match = workspace.match("random", "always-call", 30)
    played = workspace.play(match)
    log = played.log
    lines = log.read_text().splitlines(keepends=True)
    hand = next(i for i, line in enumerate(lines) if line.startswith("STATE:"))
    lines[hand] = lines[hand].replace("STATE:0:", "STATE:0:x")
    log.write_text("".join(lines))
    with pytest.raises(DamagedFile, match="has changed"):
        workspace.scores(played)


@pytest.mark.slow
def test_directions_hold_the_same_deals_with_seats_exchanged(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    match = workspace.match("random", "baseline", 2500, seating=Seating.DUPLICATE)
    scores = workspace.scores(workspace.play(match))
    one, two = directions(scores)
    assert one["number"].to_list() == two["number"].to_list() == list(range(2500))
    assert (one["seat"] + two["seat"] == 1).all()
    assert one["seat"].head(4).to_list() == [0, 1, 0, 1]
    single = workspace.match("random", "baseline", 2500)
    alone = workspace.scores(workspace.play(single))
    assert_frame_equal(one, alone.select(pl.all()))


def test_a_part_is_computed_once_and_comes_back_as_it_was(tmp_path: Path) -> None:
    values = {"mean": 0.1 + 0.2, "of": [1, 2.5, None, True], "name": "Sørensen"}
    table = pl.DataFrame({"luck": [0.1, float("nan")], "player": [1, 2]})
    first = Workspace(folder=tmp_path)
    assert first.kept("Form A, 10 hands", lambda: values) == values
    assert_frame_equal(first.kept_table("of form A", lambda: table), table)
    assert first.has_files

    def fails() -> object:
        raise AssertionError("it is kept")

    again = Workspace(folder=tmp_path)
    assert again.kept("Form A, 10 hands", fails) == values
    assert_frame_equal(again.kept_table("of form A", fails), table)  # type: ignore[arg-type]
    assert Workspace(folder=tmp_path, seed=1).kept("Form A, 10 hands", lambda: 3) == 3
    again.discard_logs()
    assert [path.name for path in tmp_path.iterdir()] == ["form-a-10-hands-seed-1.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"PAR1"])
def test_a_damaged_part_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    workspace = Workspace(folder=tmp_path)
    for name in ("part-seed-0.json", "part-seed-0.parquet"):
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DamagedFile, match="delete it to compute it again"):
        workspace.kept("part", lambda: 1)
    with pytest.raises(DamagedFile, match="delete it to compute it again"):
        workspace.kept_table("part", pl.DataFrame)
