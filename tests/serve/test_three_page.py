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
POINT: dict[str, Any] = {
    "line": "all-in 40",
    "path": [
        {
            "line": "",
            "player": 0,
            "actions": ["check", "all-in 40"],
            "pot": 30,
            "taken": "all-in 40",
        }
    ],
    "board": "2c3d7h9sJs",
    "kind": "decision",
    "player": 1,
    "pot": 70,
    "actions": ["fold", "call"],
    "frequency": [0.5, None],
    "rows": [{"name": "AA", "reach": 6.0, "mix": [0.5, 0.5], "values": [1.0, 2.0]}],
}


def test_the_example_is_a_spot() -> None:
    assert ThreeSpot.parse(EXAMPLE).stacks == (300, 180, 300)


def test_a_decision_and_the_way_there() -> None:
    point = three_point_of(POINT)
    assert point["who"] == "Second"
    assert [way["line"] for way in point["ways"]] == ["all-in 40 fold", "all-in 40 call"]
    assert [way["share"] for way in point["ways"]][1] == "–"
    assert [action["is_best"] for action in point["rows"][0]["worth"]] == [False, True]
    (step,) = point["path"]
    assert (step["who"], step["line"]) == ("First", "")
    assert [(way["words"], way["taken"]) for way in step["ways"]] == [
        ("check", False),
        ("all-in 40", True),
    ]
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
        assert "Showdown" in await ann.get(f"{where}?line=check check check")
        for path in ("train", "cards", "hands.csv", "hands.phh", "compare"):
            answer = await ann.client.get(f"{where}/{path}?seed=1")
            assert answer.status_code in (404, 422), path
        assert (await ann.client.get(f"{where}?line=nothing")).status_code == 422
        job = where.rsplit("/", 1)[1]
        assert "AA,JTs" in await ann.get(f"/spots/three?like={job}")
        assert "Solve a spot" in await ann.get(f"/spots?like={job}&beside={job}")

        # Its file, opened again, is the same solution.
        file = (await ann.client.get(f"{where}/file")).content
        assert file.startswith(b"railbird-three ")
        opened = await ann.post("/spots/open", {}, files={"file": ("mine.solution", file)})
        assert opened.status_code == 303, opened.text
        copy = await ann.get(opened.headers["location"])
        assert "Three players, approximate" in copy
        assert "Second" in await ann.get(f"{opened.headers['location']}?line=check")
        damaged = await ann.post("/spots/open", {}, files={"file": ("mine.solution", file[:-2])})
        assert damaged.status_code == 422


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_turn_goes_on_to_its_river(sqlite: str) -> None:
    turn = SMALL.replace("2c3d7h9sJs", "2c3d7h9s").replace("40, 20, 40", "9").replace("J9s", "98s")
    async with browsing(sqlite) as visitor, visitor() as ann:
        await ann.get("/spots/three")
        sent = await ann.post("/spots/three", {"spot": turn, "gap": "2"})
        where = await ann.until(sent.headers["location"])
        assert "The next card" in await ann.get(f"{where}?line=check check check")
        river = await ann.get(f"{where}?line=check check check Ah")
        assert "another card" in river
        assert "<h2>First to act</h2>" in river
