"""Three players in the browser: the form, what is refused, and the first decisions."""

from __future__ import annotations

from typing import Any

import pytest

from railbird.serve.three_page import EXAMPLE, three_of, three_point_of
from railbird.solve.spot.three import ThreeSpot
from serve.test_spots import browsing

SMALL = """board = 2c3d7h9sJs
pot = 30
stacks = 40, 20, 40
first = AA,JTs
second = KK,J9s
third = QQ,99
bets = a
"""
POINTS: dict[str, Any] = {
    "": {
        "seat": 0,
        "pot": 30,
        "actions": ["check", "all-in 40", "all-in 4"],
        "frequency": [0.5, 0.5, None],
        "rows": [{"name": "AA", "reach": 6.0, "mix": [0.5, 0.5, 0], "values": [1.0, 2.0, 0.0]}],
    },
    "all-in 40": {
        "seat": 1,
        "pot": 70,
        "actions": ["fold", "call"],
        "frequency": [0.5, 0.5],
        "rows": [],
    },
}


def test_the_example_is_a_spot() -> None:
    assert ThreeSpot.parse(EXAMPLE).stacks == (300, 180, 300)


def test_a_decision_and_the_way_there() -> None:
    first = three_point_of(POINTS, "")
    assert first is not None
    assert [way["line"] for way in first["ways"]] == ["", "all-in 40", ""]
    assert [way["share"] for way in first["ways"]][2] == "–"
    assert [action["is_best"] for action in first["rows"][0]["worth"]] == [False, True, False]
    second = three_point_of(POINTS, "all-in 40")
    assert second is not None
    assert second["path"] == [{"words": "all-in 40", "line": "", "who": "First to act"}]
    assert three_point_of(POINTS, "all-in") is None
    facts = {"ev": (10.0, 12.0, 8.0), "gains": (0.3, 0.0, 0.06)}
    assert [row["part"][:4] for row in three_of(facts, 30)] == ["1.00", "0.00", "0.20"]


@pytest.mark.slow
@pytest.mark.anyio
async def test_three_players_are_solved_and_read(sqlite: str) -> None:
    async with browsing(sqlite) as visitor, visitor() as ann:
        assert "approximate" in await ann.get("/spots/three")
        for text, words in (
            ("", "no line board"),
            (SMALL.replace("2c3d7h9sJs", "2c3d7h"), "4 or 5 different cards"),
            (SMALL.replace("AA,JTs", "nonsense"), "nonsense"),
            ("x" * 70_000, ""),
        ):
            refused = await ann.post("/spots/three", {"spot": text, "gap": "1"})
            assert refused.status_code in (413, 422)
            assert words in refused.text
        assert (await ann.post("/spots/three", {"spot": SMALL, "gap": "7"})).status_code == 422
        sent = await ann.post("/spots/three", {"spot": SMALL, "gap": "1"})
        assert sent.status_code == 303, sent.text
        where = await ann.until(sent.headers["location"])
        page = await ann.get(where)
        assert "Three players, approximate" in page
        assert "Could gain alone" in page
        assert "all-in 40" in page
        assert "Second" in await ann.get(f"{where}?line=check")
        for path in ("train", "cards", "hands.csv", "hands.phh", "file", "compare"):
            answer = await ann.client.get(f"{where}/{path}?seed=1")
            assert answer.status_code in (404, 422), path
        assert (await ann.client.get(f"{where}?line=nothing")).status_code == 422
        job = where.rsplit("/", 1)[1]
        assert "AA,JTs" in await ann.get(f"/spots/three?like={job}")
        assert "Solve a spot" in await ann.get(f"/spots?like={job}&beside={job}")
