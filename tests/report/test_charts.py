"""The palette can be read: contrast in both themes, and by colour-blind readers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.estimates import Estimate
from railbird.report.charts import COLOURS, Theme, crosstable_chart, resolve, variable

Vector = NDArray[np.float64]

MARKS = sorted(COLOURS.keys() - {"paper", "raised", "line"})

# Linear-RGB matrices of full dichromacy: Viénot, Brettel, Mollon (1999) for the red-green ones,
# Machado, Oliveira, Fernandes (2009) for tritanopia.
DICHROMACY: dict[str, list[list[float]]] = {
    "none": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    "deuteranopia": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}

SHARED_FIGURES = [
    ("money", "skill"),
    ("skill", "luck", "position", "money"),
    ("money", "skill", "luck", "position", "ink"),
    ("preflop", "flop", "turn", "river"),
]


def _linear(colour: str) -> Vector:
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def _contrast(one: str, other: str) -> float:
    """Contrast ratio of WCAG 2.2."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted(float(weights @ _linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _lab(rgb: Vector) -> Vector:
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x = to_xyz @ np.clip(rgb, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(x > (6 / 29) ** 3, np.cbrt(x), x / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("name", MARKS)
def test_contrast_suffices_for_text(name: str, theme: Theme) -> None:
    for ground in ("paper", "raised"):
        assert _contrast(COLOURS[name].of(theme), COLOURS[ground].of(theme)) >= 4.5


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("sight", DICHROMACY)
@pytest.mark.parametrize("figure", SHARED_FIGURES, ids=" ".join)
def test_colours_of_one_figure_differ(figure: tuple[str, ...], sight: str, theme: Theme) -> None:
    seen = {
        name: _lab(np.array(DICHROMACY[sight]) @ _linear(COLOURS[name].of(theme)))
        for name in figure
    }
    for one, other in itertools.combinations(figure, 2):
        difference = float(np.linalg.norm(seen[one] - seen[other]))
        assert difference > 10, f"{one} and {other} look alike: {difference:.1f}"


def test_resolve_replaces_every_reference() -> None:
    spec = {"a": [variable("money"), 3], "b": {"c": "1px solid var(--line)"}}
    assert resolve(spec, Theme.DARK) == {"a": ["#f2a057", 3], "b": {"c": "1px solid #34383d"}}


def test_an_unknown_colour_is_refused() -> None:
    with pytest.raises(KeyError):
        variable("mony")


# The chart of whose decisions changed whose result.


def test_names_that_look_alike_have_rows_of_their_own() -> None:
    players = ["a\x1bb", "a\x07b", "x" * 50, "x" * 60]
    cells = {(one, two): Estimate(1.25, 0.5, 100) for one in players for two in players}
    spec = crosstable_chart(cells, players, "bb").to_dict()
    (rows,) = spec["datasets"].values()
    labels = list(dict.fromkeys(row["decisions"] for row in rows))
    assert labels == ["a\ufffdb", "a\ufffdb (2)", "x" * 39 + "…", "x" * 39 + "… (2)"]
    assert len({(row["decisions"], row["result"]) for row in rows}) == len(rows)
    assert rows[0]["value"] == "+1,250"


def test_the_chart_of_two_players_is_as_wide_as_its_title() -> None:
    players = ["a", "b"]
    cells = {(one, two): Estimate(1.0, 0.5, 100) for one in players for two in players}
    assert crosstable_chart(cells, players, "bb").to_dict()["width"] >= 300
