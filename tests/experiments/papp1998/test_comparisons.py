"""Tables of versions: rows, verdicts by the sign of an interval, figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from railbird.estimates import Estimate
from railbird.experiments import Verdict, Workspace
from railbird.experiments.framework.rows import must_exceed_zero, published_as_positive
from railbird.experiments.papp1998.ten_seats import Version, play_versions
from railbird.experiments.papp1998.version_comparison import (
    Lead,
    Said,
    VersionComparison,
    result_of,
)

TABLE = VersionComparison(
    name="simple",
    title="Who looks at no card",
    versions=(
        Version("caller", "always-call", 5),
        Version("folder", "always-fold", 3),
        Version("wild", "random,raise=3", 2),
    ),
    leads=(Lead("caller", "wild", Said.MUST, "as it should"), Lead("folder", "wild")),
    published=(("caller", "0.07"),),
)


@pytest.mark.parametrize(
    ("value", "must", "source"),
    [
        (0.5, Verdict.HOLDS, Verdict.AGREES),
        (-0.5, Verdict.FAILS, Verdict.DIFFERS),
        (0.1, Verdict.UNDECIDED, Verdict.UNDECIDED),
    ],
)
def test_the_sign_decides_if_the_interval_does(
    value: float, must: Verdict, source: Verdict
) -> None:
    ours = Estimate(value, 0.1, 100)
    assert must_exceed_zero("x", ours).verdict is must
    assert published_as_positive("x", ours).verdict is source


def test_a_table_has_everybody_the_leads_and_no_faults(tmp_path: Path) -> None:
    result = TABLE.perform(Workspace(folder=tmp_path, scale=0.01))
    rows = {row.name: row for row in result.rows}
    assert list(rows) == [
        "caller",
        "folder",
        "wild",
        "caller less wild",
        "folder less wild",
        "illegal or failed answers",
    ]
    assert result.hands == 1000
    assert rows["caller"].verdict is Verdict.OTHER_PLAYERS
    assert rows["caller less wild"].verdict is Verdict.HOLDS
    note = rows["caller less wild"].note
    assert note.startswith("as it should caller less wild: ± ")
    assert note.endswith(" by blocks of 20 deals.")
    assert rows["illegal or failed answers"].verdict is Verdict.HOLDS
    total = sum(version.copies * rows[version.label].ours.value for version in TABLE.versions)
    assert total == pytest.approx(0, abs=1e-9)
    (drawing,) = result.drawings
    assert drawing.subtitle.startswith("5 caller, 3 folder, 2 wild; 100 deals")


def test_several_tables_keep_their_rows_apart(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    standings = play_versions(workspace, TABLE.versions, deals=40)
    other = VersionComparison(name="other", title="", versions=TABLE.versions, leads=TABLE.leads)
    result = result_of([(TABLE, standings), (other, standings)], 0)
    assert len({row.name for row in result.rows}) == len(result.rows)
    assert result.rows[0].name == "simple: caller"
    assert len(result.drawings) == 2
