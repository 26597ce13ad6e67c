"""Spots in the browser: the form, what is refused, the queue, and processes that die."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import math
import os
import re
import signal
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from helpers.played_hand import HAND, HEADS_UP
from helpers.web_person import ORIGIN, app_of
from railbird.cards import CLASS_NAMES, Range
from railbird.errors import BadInput
from railbird.serve import session
from railbird.serve import spots_page as view
from railbird.serve.jobs import Full, ProcessGone
from railbird.serve.mounts.spots import answer_of_reader, mount, sent_by
from railbird.serve.spots_jobs import SpotJob, SpotJobs, SpotSettings, Stage, start_process
from railbird.serve.spots_page import LONGEST, SpotForm
from railbird.serve.spots_worker import _SpotWorker
from railbird.solve.settings import spot_iterations
from railbird.solve.spot import (
    Lock,
    PreflopSpot,
    Spot,
    SpotSolver,
    begun,
    open_solution,
    resume,
    save_solution,
)
from railbird.solve.spot.presets import PRESETS

pytestmark = pytest.mark.anyio

QUICK = SpotSettings(nice=0, answer_s=300.0, most_hands=20)
RIVER = {"oop": "AA,QQ,JTs", "ip": "KK,A5s", "board": "2c3d7h9sJs", "pot": "20", "stack": "30"}
RIVER |= {"river_bets": "50%, a", "river_raises": "a", "gap": "0.5", "brush": "100"}


def spot_of(form: SpotForm) -> Spot | None:
    """Return the spot of a form as its page finds it: the lines are read by a process."""
    if not form.is_whole():
        return None
    try:
        return Spot.parse(_SpotWorker(1000.0).do_lines(form.text(), "spot")["spot"])
    except BadInput as problem:
        form.refused(str(problem))
        return None


class Visitor:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    async def get(self, path: str, **options: Any) -> str:
        answer = await self.client.get(path, **options)
        assert answer.status_code == 200, (path, answer.text)
        return answer.text

    async def post(self, path: str, data: dict[str, str], **options: Any) -> httpx.Response:
        found = re.search(r'name="token" value="([^"]+)"', await self.get("/spots"))
        assert found
        return await self.client.post(path, data={"token": found[1], **data}, **options)

    async def solved(self, **fields: str) -> str:
        sent = await self.post("/spots/solve", RIVER | fields)
        assert sent.status_code == 303, sent.text
        return await self.until(sent.headers["location"])

    async def until(self, where: str) -> str:
        for _ in range(6000):
            if "hx-get" not in await self.get(where):
                return where
            await asyncio.sleep(0.05)
        raise AssertionError("the spot is not solved")


@asynccontextmanager
async def browsing(database: str, settings: SpotSettings = QUICK) -> AsyncIterator[Any]:
    app = app_of(database, mount(settings))
    async with app.router.lifespan_context(app):

        @asynccontextmanager
        async def visitor() -> AsyncIterator[Visitor]:
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            headers = {"Origin": ORIGIN, "Accept": "text/html"}
            async with httpx.AsyncClient(
                transport=transport, base_url=ORIGIN, headers=headers
            ) as client:
                yield Visitor(client)

        visitor.jobs = app.state.spots  # type: ignore[attr-defined]
        yield visitor


@pytest.mark.slow
async def test_a_spot_is_solved_read_downloaded_and_opened(sqlite: str, tmp_path: Path) -> None:
    async with browsing(sqlite) as visitor, visitor() as ann, visitor() as eve:
        assert "4 MB of memory, a few seconds." in (await ann.post("/spots/size", RIVER)).text
        where = await ann.solved()
        page = await ann.get(where)
        assert "A perfect opponent would win" in page
        assert "bet 10 (50" in page
        assert page.count("<title>") == 1 + 169
        assert "overpair" in page
        follow = await ann.get(f"{where}?line=check+bet+10")
        assert "First to act, to act" in follow
        assert "call" in follow
        of_hand = await ann.get(f"{where}?player=ip&hand=KK&show=equity")
        assert "Suits of KK" in of_hand
        assert "K♣K♦" in of_hand or "K♦K♣" in of_hand
        assert "The hand ends with a fold" in await ann.get(f"{where}?line=bet+10+fold")
        assert (await ann.client.get(f"{where}?line=bet+11")).status_code == 422
        assert (await ann.client.get(f"{where}?line=Td")).status_code == 422
        rows = (await ann.get(f"{where}/hands.csv")).splitlines()
        assert rows[0].startswith("player,holding,reach,ev,equity,check,bet 10")
        log = await ann.get(f"{where}/hands.phh")
        assert len(re.findall(r"^actions = ", log, re.MULTILINE)) == 20
        # Sharing the address shares the solution; only who began it can end it.
        assert "A perfect opponent would win" in await eve.get(where)
        assert (await eve.post(f"{where}/forget", {})).status_code == 403
        content = (await ann.client.get(f"{where}/file")).content
        opened = await eve.post("/spots/open", {}, files={"file": ("<i>.solution", content)})
        assert opened.status_code == 303, opened.text
        again = await eve.get(opened.headers["location"])
        assert "&lt;i&gt;.solution" in again
        assert "overpair" in again
        made_up = re.sub(rb'"gap": [^,]+', b'"gap": 0.0', content)
        opened = await eve.post("/spots/open", {}, files={"file": ("x.solution", made_up)})
        pages = page, await eve.get(opened.headers["location"])
        gaps = [
            float(re.findall(r"A perfect opponent would win ([\d.]+)", each)[0]) for each in pages
        ]
        assert gaps[0] > 0
        assert gaps[1] == pytest.approx(gaps[0], abs=0.02), "the gap is computed, not believed"
        beside = await ann.solved(river_bets="a", beside=where.rpartition("/")[2])
        assert "Compared with other sizes" in await ann.get(beside)
        like = await ann.get(f"/spots?like={where.rpartition('/')[2]}")
        assert 'value="2c3d7h9sJs"' in like
        assert "AA,QQ,JTs" in like, "the range as it was written, not as the board leaves it"
        assert (await ann.post(f"{where}/forget", {})).status_code == 303
        assert (await ann.client.get(where)).status_code == 404


REFUSED = {
    "oop": ("oop", "QQ+,nonsense"),
    "empty range": ("ip", ""),
    "no card": ("board", "2c3d7h9sXx"),
    "two cards": ("board", "2c3d"),
    "a card twice": ("board", "2c2c7h9sJs"),
    "pot": ("pot", "many"),
    "stack": ("stack", "-5"),
    "raise for a bet": ("river_bets", "3x"),
    "sizes": ("river_bets", "10%,20%,30%,40%,50%,60%,70%"),
    "long": ("river_bets", "1" * 61),
    "rake": ("rake", "2"),
    "other lines": ("more", "colour = red"),
    "files": ("oop", "@/etc/passwd"),
}


@pytest.mark.parametrize(("field", "value"), REFUSED.values(), ids=REFUSED)
async def test_what_is_wrong_is_said_beside_its_field(field: str, value: str) -> None:
    form = SpotForm.of(RIVER | {field: value})
    assert spot_of(form) is None
    (problem,) = [words for key, words in form.problems.items() if key == field]
    assert len(problem.splitlines()) == 1


async def test_a_form_that_breaks_off_is_no_error_of_the_server() -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    kind = (b"content-type", b"application/x-www-form-urlencoded")
    request = Request({"type": "http", "method": "POST", "headers": [kind], "session": {}}, receive)
    with pytest.raises(HTTPException) as refused:
        await sent_by(request, session.Visitor(request))
    assert refused.value.status_code == 400


@pytest.mark.slow
async def test_a_lock_is_told(sqlite: str) -> None:
    async with browsing(sqlite) as visitor, visitor() as ann:
        locked = await ann.solved(more="lock = check > KK > check 1")
        assert "Some hands are locked" in await ann.get(locked)
        answer = await ann.post("/spots/solve", RIVER | {"more": "lock = > KK > check 1"})
        assert answer.status_code == 422
        assert "holds nothing of KK" in answer.text


@pytest.mark.slow
async def test_a_wrong_form_comes_back_as_it_was_sent(sqlite: str) -> None:
    async with browsing(sqlite, replace(QUICK, memory_mb=16)) as visitor, visitor() as ann:
        answer = await ann.post("/spots/solve", RIVER | {"pot": "<b>", "oop": "AA,KQs:0.25"})
        assert answer.status_code == 422
        assert 'id="pot-problem"' in answer.text
        assert "AA,KQs:0.25" in answer.text
        assert "<b>" not in answer.text.partition('id="spot"')[2]
        assert (await ann.client.post("/spots/solve", data=RIVER)).status_code == 403
        huge = RIVER | {"board": "2c3d7h", "flop_bets": "20%,40%,60%,80%,90%,a", "turn_bets": "50%"}
        huge |= {"oop": "22+,A2s+,K2s+,Q2s+,J2s+", "ip": "22+,A2s+,K2s+,Q2s+", "stack": "3000"}
        answer = await ann.post("/spots/solve", huge | {"flop_raises": "2x", "river_raises": "2x"})
        assert answer.status_code == 422
        assert re.search("allowed: 16 MB|takes too long", answer.text), "no smaller tree fits"
        assert visitor.jobs.all_of(None) == []
        for content in (b"", b"railbird-spot 1 {}\n", b"\0" * 1000, b"x" * 100_000):
            answer = await ann.post("/spots/open", {}, files={"file": ("x", content)})
            assert answer.status_code == 422, content[:20]
            assert 'id="file-problem"' in answer.text, "beside its field, on the page of spots"
        for content, refused in (
            (b" \n", "This file is empty."),
            (b"player,holding\noop,AsKs\n", "This file is neither a solution nor a spot. A hand"),
            (b"board = Ks7d\n", "This file: "),
        ):
            answer = await ann.post("/spots/open", {}, files={"file": ("x", content)})
            assert (answer.status_code, refused in answer.text) == (422, True), content
        answer = await ann.post("/spots/open", {})
        assert (answer.status_code, "Choose a file first." in answer.text) == (422, True)
        spot = str(Spot.parse("board = 2c3d7h9sJs\noop = AA\nip = KK\npot = 7\nstack = 9"))
        answer = await ann.post("/spots/open", {}, files={"file": ("x.spot", spot.encode())})
        assert 'name="pot" value="7"' in answer.text


async def test_usual_sizes_have_a_raise_on_each_street() -> None:
    for board in ("Ks7d2c", "Ks7d2c9h", "Ks7d2c9h3d"):
        form = SpotForm.empty("bu-bb", ("flop", "turn", "river")[len(board) // 2 - 3])
        form.values["board"] = board
        size = _SpotWorker(1024.0).do_size(form.text())
        assert not [words for words in size["left_out"] if words.startswith("raises")], board
        assert size["memory_mb"] <= SpotSettings().memory_mb
    flop = ["bets into who bet last on turn and river", "re-raises on flop, turn and river"]
    form = SpotForm.empty("bu-bb")
    form.values["board"] = "Ks7d2c"
    assert sorted(_SpotWorker(1024.0).do_size(form.text())["left_out"]) == flop


async def test_what_does_not_fit_is_made_smaller(sqlite: str) -> None:
    """On a small server the most-studied spot is solved with fewer details, and says which."""
    form = SpotForm.empty("bu-bb")
    form.values["board"] = "Ks7d2c"
    small = _SpotWorker(500.0)
    fitted = small.do_size(form.text())
    assert fitted["memory_mb"] <= 500
    assert fitted["chosen"] == fitted["least"] == 3
    assert [step["words"] for step in fitted["given_up"]][1:] == [
        "raises on the river",
        "raises on the turn",
    ]
    rows = view.tree_steps(
        fitted | {"trees": [tree | {"seconds": 1.0} for tree in fitted["trees"]]}, 500, None
    )
    assert [row["fits"] for row in rows] == [False, False, False, True, True]
    assert "Given up: half of the digits" in rows[3]["given_up"]
    assert small.do_size(form.text(), 4)["chosen"] == 4
    assert small.do_size(form.text(), 0)["chosen"] == 3
    assert small.do_size(form.text(), 99)["chosen"] == 4
    # What was not moved is no choice: with fewer hands all may fit.
    form.values |= {"detail": "3", "fitted": "3"}
    assert form.detail is None
    form.values["detail"] = "4"
    assert form.detail == 4
    async with browsing(sqlite, replace(QUICK, memory_mb=500)) as visitor, visitor() as ann:
        sent = {key: value for key, value in form.values.items() if value}
        page = (await ann.post("/spots/size", sent)).text
        assert 'type="range" id="detail" name="detail" min="3" max="4" step="1" value="4"' in page
        assert "cost was not measured" in page or "EV moved" in page
        # Nothing fits into a tenth of that.
    async with browsing(sqlite, replace(QUICK, memory_mb=50)) as visitor, visitor() as ann:
        refused = await ann.post("/spots/solve", sent)
        assert refused.status_code == 422
        assert "A smaller range or a board of four cards makes it smaller" in refused.text


async def test_the_server_counts_no_prizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve who ask for a size with twenty stacks would take its threads for half a minute."""
    monkeypatch.setattr("railbird.tournament.prize_curve", None)
    prizes = "payouts = 50,30,20\nother_stacks = 400, 900"
    form = SpotForm.of(RIVER | {"more": prizes})
    assert form.is_whole(), form.problems
    lines = str(Spot.parse("board = 2c3d7h9sJs\noop = AA\nip = KK\npot = 7\nstack = 9"))
    assert SpotForm.from_lines(lines + prizes).values["more"] == prizes


def test_what_only_this_machine_reaches_has_what_the_machine_has() -> None:
    home, public = SpotSettings.at_home(), SpotSettings()
    assert home.seconds is None
    assert home.memory_mb >= public.memory_mb
    assert home.most_bytes >= public.most_bytes
    assert home.nice < public.nice  # who solves there is who waits


@pytest.mark.slow
async def test_a_file_comes_without_its_river_unless_that_is_asked_for(sqlite: str) -> None:
    turn = {"board": "2c3d7h9s", "turn_bets": "50%", "gap": "1"}
    async with browsing(sqlite) as visitor, visitor() as ann:
        where = await ann.solved(**turn)
        small = await ann.client.get(f"{where}/file")
        large = await ann.client.get(f"{where}/file?river=1")
        assert (small.status_code, large.status_code) == (200, 200)
        assert b'"river": false' in small.content.splitlines()[0]
        assert b'"river": true' in large.content.splitlines()[0]
        for content in (small.content, large.content):
            answer = await ann.post("/spots/open", {}, files={"file": ("x", content)})
            assert answer.status_code == 303, answer.text
            assert "check" in await ann.get(answer.headers["location"])
        river = await ann.solved()
        assert (await ann.client.get(f"{river}/file")).status_code == 200


async def test_touches_change_ranges_and_board(sqlite: str) -> None:
    form = SpotForm.of(RIVER)
    form.edit("oop AA KK:50 JTs:0")
    assert Range.parse(form.values["oop"]) == Range.parse("QQ,KK:0.5")
    form.edit("board Js")
    form.edit("board 2d")
    assert form.values["board"] == "2c3d7h9s2d"
    form.edit("preset bu-bb-3")
    assert (form.values["pot"], form.values["stack"]) == ("225", "890")
    for bad in ("oop AAs", "oop AA:51", "nobody AA", "preset x", ""):
        with pytest.raises(BadInput):
            form.edit(bad)
    async with browsing(sqlite) as visitor, visitor() as ann:
        part = {"HX-Request": "true"}
        answer = await ann.post("/spots/edit", RIVER | {"edit": "ip 72o:25"}, headers=part)
        assert answer.text.startswith('<fieldset id="range-ip"')
        assert "72o:0.25" in answer.text
        whole = await ann.post("/spots/edit", RIVER | {"edit": "board Js"})
        assert 'value="2c3d7h9s"' in whole.text
        assert (await ann.post("/spots/edit", RIVER | {"edit": "ip 7"})).status_code == 422


def test_sizes_of_one_player_alone_have_fields() -> None:
    given = RIVER | {"board": "2c3d7h", "turn_bets": "50%", "ip_turn_bets": "75%, a"}
    form = SpotForm.of(given | {"turn_donk": "-", "ip_river_raises": "-", "river_raises": "3x"})
    spot = spot_of(form)
    assert spot is not None
    _, turn, river = spot.sizes
    assert [len(each.bets) for each in turn] == [1, 2]
    assert turn[0].donks == ()
    assert [len(each.raises) for each in river] == [1, 0]
    again = SpotForm.from_lines(str(spot))
    assert again.uses_other_sizes
    assert {key: again.values[key] for key in ("ip_turn_bets", "turn_donk", "ip_river_raises")} == {
        "ip_turn_bets": "75%, a",
        "turn_donk": "-",
        "ip_river_raises": "-",
    }
    assert again.values["more"] == ""
    assert str(spot_of(again)) == str(spot)


async def test_what_is_shown_of_a_point() -> None:
    rows: list[dict[str, Any]] = [
        {"player": "ip", "holding": "KsKd", "reach": 0.5, "ev": 10.0, "equity": 0.75, "fold": 0.0},
        {"player": "ip", "holding": "KsKc", "reach": 0.25, "ev": 4.0, "equity": 0.5, "fold": 0.6},
        {"player": "ip", "holding": "7s2s", "reach": 0.75, "ev": None, "equity": None, "fold": 1.0},
    ]
    for row in rows:
        row |= {"call": 1 - row["fold"], "pairs": row["reach"]}
    node = {"rows": rows, "actions": ["fold", "call"], "player": 1, "pot": 20, "board": "7d7c2h"}
    cells = {cell["name"]: cell for cell in view.grid_of(node, 1, "mix", 20)}
    assert [(bar["style"], bar["w"], bar["h"]) for bar in cells["KK"]["bars"]] == [
        ("fold", 5.0, 16.7),
        ("call", 20.0, 16.7),
    ]
    (only,) = cells["72s"]["bars"]
    assert (only["style"], only["h"]) == ("fold", 25)
    assert not cells["AA"]["bars"]
    assert "K♠K♣ fold 60" in cells["KK"]["told"]
    values = {cell["name"]: cell["text"] for cell in view.grid_of(node, 1, "ev", 20)}
    assert (values["KK"], values["72s"]) == ("8", "")
    assert [(row["name"], row["ev"]) for row in view.made_hand_rows(node, 1, 20)] == [
        ("full house", "–"),
        ("overpair", "8.0"),
    ]
    (overpair,) = view.made_hand_rows(node | {"rows": rows[:2]}, 1, 20)
    # 8 of 20 times two thirds: no mean of parts, of which those without equity would be endless.
    assert overpair["realisation"] == "60\u202f%"
    assert [row["name"] for row in view.draws_of(node, 1, 20)] == ["none", "straight or better"]
    backdoors = node | {"board": "Qs7d2h", "rows": rows[:2]}
    backdoors["rows"] = [
        rows[0] | {"holding": holding} for holding in ("AsTs", "KsJd", "9h4h", "4c4d")
    ]
    assert [row["name"] for row in view.draws_of(backdoors, 1, 20)] == [
        "backdoor flush and straight draw",
        "backdoor flush draw",
        "backdoor straight draw",
        "none",
    ]
    # Of a line that is hardly ever played rounding leaves no weight.
    rare = node | {"rows": [row | {"reach": 0.0, "pairs": 0.0} for row in rows]}
    for player in (0, 1):
        for shown in ("mix", "reach", "ev", "equity"):
            cells = {
                cell["name"]: cell for cell in view.grid_of(rare | {"player": player}, 1, shown, 20)
            }
            assert cells["KK"]["told"].startswith("KK")
    cells = {cell["name"]: cell for cell in view.grid_of(rare, 1, "mix", 20)}
    assert [(bar["style"], bar["w"], bar["h"]) for bar in cells["KK"]["bars"]] == [
        ("fold", 7.5, 1),
        ("call", 17.5, 1),
    ]
    assert [row["share"] for row in view.made_hand_rows(rare, 1, 20)] == [
        "0.0\u202f%",
        "0.0\u202f%",
    ]
    assert view.holding_rows(rare, 1, "KK", 20)
    assert view.draws_of(node | {"board": "7d7c2h3sTs"}, 1, 20) == []
    one = {"ev": (12.0, 8.0), "gap": 0.5, "pot": 100, "dealt": ["Ks7d2c"], "zero_sum": True}
    other = one | {"ev": (11.0, 9.5), "gap": 0.2}
    words = view.comparison_words(one, other)
    assert "1.00 chips apart, no more than both may be off (1.40)" in words[0]
    assert "gets 1.50 chips less" in words[1]
    assert view.comparison_words(one, other | {"zero_sum": False}) == [
        "With rake or prizes nothing says how far off both may be"
    ]
    (verdict,) = view.comparison_words(one, other | {"dealt": ["Ks7d2d"]})
    assert "EVs do not compare" in verdict
    shares = view.evs_in_percent({"ev": [0.25, None], "rows": [{"holding": "KsKd", "ev": 0.277}]})
    assert shares["ev"] == [25.0, None]
    assert shares["rows"] == [{"holding": "KsKd", "ev": pytest.approx(27.7)}]
    whole = (100.0, 100.0)
    assert view.rare_words({"combinations": (50.0, 2.0)}, whole) == ""
    assert "In position plays this line with 0.1" in view.rare_words(
        {"combinations": (50.0, 0.1)}, whole
    )


def test_run_outs_are_sorted_and_shaded() -> None:
    run_outs = [
        {"card": card, "player": 0, "ev": [ev, 20 - ev], "equity": [ev / 20, None]}
        | {"actions": ["check", "bet 10"][: len(shares)], "frequency": shares}
        for card, ev, shares in (("2c", 5.0, [0.25, 0.75]), ("As", 9.0, [1.0]), ("Kd", 7.0, [1, 0]))
    ]
    order = {
        key: [row["card"] for row in view.run_outs_of(run_outs, "x", key)[0]] for key in "abcd"
    }
    assert set(map(tuple, order.values())) == {("A♠", "K♦", "2♣")}, "unknown columns sort by card"
    rows, legend = view.run_outs_of(run_outs, "check check", "bet 10")
    assert [row["card"] for row in rows] == ["2♣", "A♠", "K♦"]
    assert [row["shares"] for row in rows][:2] == [["25\u202f%", "75\u202f%"], ["100\u202f%", "–"]]
    assert [row["shade"] for row in rows] == [0, 10, 5]
    assert rows[0]["line"] == "check check 2c"
    assert [action["name"] for action in legend] == ["check", "bet 10"]
    assert view.run_outs_of([], "", "ev") == ([], [])
    assert view.run_out_rows(run_outs)[1]["ev_ip"] == 11.0


async def test_a_touch_locks_a_hand(sqlite: str, tmp_path: Path) -> None:
    """What a class of hands does at a decision comes into the form as a lock, once."""
    spot = Spot.parse("\n".join(f"{key} = {RIVER[key]}" for key in RIVER if key not in OF_FORM))
    save_solution(resume(begun(SpotSolver(spot, threads=1)), gap_percent=1), tmp_path / "x")
    async with browsing(sqlite) as visitor, visitor() as ann:
        opened = await ann.post(
            "/spots/open", {}, files={"file": ("x", (tmp_path / "x").read_bytes())}
        )
        where = opened.headers["location"]
        page = await ann.get(f"{where}?hand=QQ")
        assert "always check" in page
        assert "lock=+%3E+QQ+%3E+check+1" in page
        like = f"/spots?like={where.rpartition('/')[2]}"
        page = await ann.get(f"{like}&lock=+%3E+QQ+%3E+check+1")
        assert "lock = &gt; QQ &gt; check 1" in page
        assert (await ann.client.get(f"{like}&lock=what")).status_code == 422
        many = " > AA,KK,QQ,JJ > check 0.25, bet 10 0.75"
        page = await ann.get(
            "/spots", params={"like": like.rpartition("=")[2], "lock": [many, " > 22 > check 1"]}
        )
        assert "lock = &gt; AA,KK,QQ,JJ &gt; check 0.25, bet 10 0.75" in page
        assert "lock = &gt; 22 &gt; check 1" in page
        page = await ann.get(where)
        assert 'id="locks"' in page
        assert 'data-action="bet 10"' in page
    form = SpotForm.of(RIVER)
    form.values["more"] = "lock = check bet 10 > AA > fold 1\n" * 125
    with pytest.raises(BadInput, match="locks of"):
        form.add_lock(" > QQ > check 1")
    form = SpotForm.of(RIVER)
    classes = ",".join(CLASS_NAMES)
    form.add_lock(f" > {classes} > check 1")
    assert form.values["more"] == "lock = > random > check 1.0"
    form = SpotForm.of(RIVER)
    form.add_lock(" > QQ > check 1")
    form.add_lock("check bet 10 > AA > fold 1")
    form.add_lock(" > QQ > bet 10 1")
    assert form.values["more"].splitlines() == [
        "lock = check bet 10 > AA > fold 1",
        "lock = > QQ > bet 10 1",
    ]
    assert spot_of(form) is not None, form.problems


def test_locks_of_a_mix_sum_to_one() -> None:
    actions = ["check", "bet 10", "all-in 30"]
    rows = [
        {
            "player": "oop",
            "holding": holding,
            "reach": reach,
            "pairs": reach,
            "ev": 1.0,
            "equity": 0.5,
        }
        | dict(zip(actions, mix, strict=True))
        for holding, reach, mix in (("QsQd", 1.0, (1 / 3, 1 / 3, 1 / 3)), ("QsQh", 0.5, (1, 0, 0)))
    ]
    node = {"line": "", "player": 0, "actions": actions, "rows": rows}
    locks = view.locks_of(node, 0, "QQ")
    assert [lock["words"] for lock in locks][-1] == "as it is played here"
    for lock in locks:
        Lock.parse(lock["lock"])
    assert view.locks_of(node, 1, "QQ") == view.locks_of(node, 0, "AA") == []


async def test_a_solution_beside_files(sqlite: str, tmp_path: Path) -> None:
    """A solution beside itself, a table of its decision, and what is no strategy."""
    spot = Spot.parse("\n".join(f"{key} = {RIVER[key]}" for key in RIVER if key not in OF_FORM))
    save_solution(resume(begun(SpotSolver(spot, threads=1)), gap_percent=1), tmp_path / "x")
    content = (tmp_path / "x").read_bytes()
    async with browsing(sqlite) as visitor, visitor() as ann:
        opened = await ann.post("/spots/open", {}, files={"file": ("x", content)})
        where = opened.headers["location"]
        beside = where.rpartition("/")[2]
        page = await ann.get(f"{where}/compare?beside={beside}")
        assert "Both play alike" in page
        assert "The other one in this tree" in page
        assert (await ann.client.get(f"{where}/compare?beside=no")).status_code == 404
        page = (
            await ann.post("/spots/compare", {"job": beside}, files={"file": ("x", content)})
        ).text
        assert "Both play alike" in page
        rows = "hand,check,bet 10,all-in\nAsAh,0,1,0\nQsQh,0,1,0\nQsQd,1,0,0\n"
        sent = await ann.post(
            "/spots/compare", {"job": beside}, files={"file": ("x.csv", rows.encode())}
        )
        assert "Where they part" in sent.text
        assert "beside a table with 1 decision" in sent.text
        assert ">Start</a>" in sent.text
        for name, bad in (
            ("empty", b""),
            ("torn", content[:-9]),
            ("json", b"{"),
            ("x", b"\x00" * 99),
        ):
            answer = await ann.post("/spots/compare", {"job": beside}, files={"file": (name, bad)})
            assert (answer.status_code, "Traceback" in answer.text) == (422, False), name
        assert (await ann.post("/spots/compare", {"job": beside})).status_code == 422


async def test_every_preset_is_a_spot_that_comes_back_from_its_text() -> None:
    for preset in PRESETS.values():
        assert preset.pot + 2 * preset.stack == 2000 + preset.dead
        form = SpotForm.empty(preset.name, "turn")
        form.values["board"] = "Ks7d2c9h"
        spot = spot_of(form)
        assert spot is not None, form.problems
        again = SpotForm.from_lines(str(spot))
        assert str(spot_of(again)) == str(spot)
        assert again.values["turn_bets"] == "33%, 75%"
        assert again.values["more"] == ""
    locked = RIVER | {"more": "ip_river_bets = 33%\nlock = check > KK > check 1"}
    spot = spot_of(SpotForm.of(locked))
    assert spot is not None
    form = SpotForm.from_lines(str(spot))
    assert str(spot_of(form)) == str(spot)
    assert sum(LONGEST.values()) < 1 << 16


def test_a_file_comes_into_the_form_as_it_is_written() -> None:
    """Ranges keep what the board blocks, for another board may follow; prizes are not points."""
    lines = "oop = QQ+,AKs\nip = TT-22\nboard = KsTd2c\npot = 60\nstack = 970\nturn_bets = 75%\n"
    prizes = "payouts = 50,30,20\nother_stacks = 400, 900"
    form = SpotForm.from_file(lines + prizes, str(Spot.parse(lines + prizes)))
    assert (form.values["oop"], form.values["ip"]) == ("QQ+,AKs", "TT-22")
    assert form.values["more"] == prizes
    assert form.problems == {}
    spot = spot_of(form)
    assert spot is not None
    assert str(spot) == str(Spot.parse(lines + prizes))
    points = ", ".join(f"{x} {x}" for x in range(1000))
    long = f"{lines}oop_utility = {points}\nip_utility = {points}"
    form = SpotForm.from_file(long, str(Spot.parse(long)))
    assert "allowed: up to 4,000" in form.problems["more"], "what is cut off is said"


def test_a_game_from_the_blinds_on_is_refused_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "game.solution"
    game = PreflopSpot.parse("stack = 600\nopens = a\noop = AA\nip = KK\nflops = Ks7d2c")
    save_solution(resume(begun(SpotSolver(game, threads=1)), iterations=1), file)
    with pytest.raises(BadInput, match="begins before the flop; railbird solve preflop-tree"):
        _SpotWorker(1000.0).do_open(str(file))


@pytest.mark.slow
async def test_a_solution_without_its_river_opens(sqlite: str, tmp_path: Path) -> None:
    spot = Spot.parse("board = 2c3d7h9s\noop = AA,QQ\nip = KK\npot = 20\nstack = 30\nbets = a")
    solution = resume(begun(SpotSolver(spot, threads=1)), gap_percent=1)
    save_solution(solution, tmp_path / "x.solution", river=False)
    content = (tmp_path / "x.solution").read_bytes()
    async with browsing(sqlite) as visitor, visitor() as ann:
        opened = await ann.post("/spots/open", {}, files={"file": ("x.solution", content)})
        assert opened.status_code == 303, opened.text
        where = opened.headers["location"]
        page = await ann.get(where)
        assert "the file's own, since the file leaves out the river" in page
        assert "hands.phh" not in page
        assert "First to act, to act" in await ann.get(f"{where}?line=check+check+Js")
        cards = await ann.get(f"{where}/cards?line=check+check&sort=check")
        assert cards.count("/cards?line=check+check") >= 4, "headings sort"
        rows = (await ann.get(f"{where}/cards.csv?line=check+check")).splitlines()
        assert rows[0].startswith("card,ev_oop,ev_ip,equity_oop,player,check")
        assert len(rows) == 1 + 48
        # What is there is read, and what is not is refused in a line.
        assert "QQ" in await ann.get(f"{where}?hand=QQ")
        told = await ann.client.get(f"{where}/hands.phh")
        assert (told.status_code, "deals no hands" in told.text) == (422, True)


async def test_a_text_that_is_too_large_for_a_spot_is_told_so(sqlite: str) -> None:
    async with browsing(sqlite) as visitor, visitor() as ann:
        answer = await ann.post("/spots/open", {}, files={"file": ("x.spot", b"#" * 1_000_000)})
        assert answer.status_code == 422
        assert "Too large: the text of a spot has at most 64 KB" in answer.text


def test_what_a_played_hand_did_is_worth_what_its_action_is() -> None:
    node: dict[str, Any] = {"player": 1, "line": "check", "actions": ["check", "bet 10", "bet 100"]}
    of_holding = {"reach": 0.5, "pairs": 1.0, "check": 0.5, "bet 10": 0.25, "bet 100": 0.25}
    values = {"ev check": 7.0, "ev bet 10": 9.5, "ev bet 100": 8.0}
    node["rows"] = [{"player": "ip", "holding": "AhKc", **of_holding, **values}]
    played = {"line": "check", "played": "check bet 100 call", "holding": "ip AhKc"}
    words = view.played_decision(node, played, 40, 10)
    assert words is not None
    assert (words["holding"], words["words"]) == ("A♥K♣", "bet 100 (250\u202f%)")
    assert (words["ev"], words["loss"], words["best"]) == ("8.0", "−1.5", "bet 10 (25\u202f%)")
    assert words["blinds"] == "0.80 bb"
    assert view.played_class(played) == "AKo"
    for otherwise in (
        {"holding": "oop AhKc"},
        {"holding": "ip AdKc"},
        {"holding": ""},
        {"played": "bet 10 call"},
        {"played": "check"},
        {"played": "check bet 1000"},
    ):
        assert view.played_decision(node, played | otherwise, 40, 10) is None


def test_a_form_says_which_preset_it_has_and_opens_only_what_is_unusual() -> None:
    form = SpotForm.empty("bu-bb")
    assert form.preset == "bu-bb"
    assert not form.uses_other_sizes
    form.values |= {"pot": "60", "river_donk": "33%"}
    assert form.preset == ""
    assert form.uses_other_sizes
    form.values["more"] = "add = check bet 18"
    assert not form.uses_more
    form.values["more"] += "\nlock = > AA > check 1"
    assert form.uses_more
    for holding in ("ip AsAs", "AsKd", "ip <b>", "x AsKd AsKd"):
        assert SpotForm.of({"holding": holding}).values["holding"] == "", holding


def test_curves_have_axes() -> None:
    """Equity from 0 to 100 %, EVs from the least to the most, with the middle between."""
    curves = {"equity": [[0.25, 0.75], [0.5, 1.0]], "ev": [[-20.0, 180.0], [None, 80.0]]}
    equity, ev = view.curves_of({"curves": curves})
    assert [(tick["y"], tick["words"]) for tick in equity["ticks"]] == [
        (120.0, "0"),
        (60.0, "50"),
        (0.0, "100"),
    ]
    assert [tick["words"] for tick in ev["ticks"]] == ["−20", "80", "180"]
    assert ev["lines"][0] == "0.0,120.0 300.0,0.0"


def test_two_sizes_on_the_flop_are_a_touch() -> None:
    form = SpotForm.empty("hu")
    assert (form.values["flop_bets"], form.values["big_blind"]) == ("50%", "10")
    form.edit("sizes flop-two")
    assert form.values["flop_bets"] == "33%, 75%"
    assert form.values["river_raises"] == "3x1r"
    form.edit("preset bu-bb")
    assert form.preset == "bu-bb"


@pytest.mark.slow
async def test_a_played_hand_opens_at_the_decision(sqlite: str) -> None:
    """From its paste to what the decision was worth, in chips and in big blinds."""
    async with browsing(sqlite) as visitor, visitor() as gus:
        page = (await gus.post("/spots/played", {"hand": HEADS_UP})).text
        assert "Hal against Gus, from the river on: bet 650, call." in page
        assert "BTN - BB of a heads-up game" in page
        assert "Rake: 50 of this hand&#39;s 2,300 chips were taken" in page
        fields = dict(
            re.findall(r'name="([a-z_]+)" value="([^"]*)"', page.partition('id="spot"')[2])
        )
        ranges = {key: re.findall(rf'name="{key}"[^>]*>([^<]*)<', page)[0] for key in ("oop", "ip")}
        chosen = {key: value for key, value in fields.items() if key in LONGEST} | ranges
        where = await gus.solved(**chosen | {"gap": "1", "more": "add = bet 650"})
        page = await gus.get(where)
        assert re.search(r"A♥K♦ was played here: call, worth [\d.,]+ chips \([\d.]+ bb\)", page)
        assert "Suits of AKo" in page
        assert re.search(r'aria-current="true">Call</a>', page)
        root = await gus.get(f"{where}?line=")
        assert "was played here" not in root
        assert "First to act, to act" in root


async def test_a_played_hand_fills_the_form(sqlite: str) -> None:
    """Pasted or in a file, from a street of choice; what is no hand is refused beside the field."""
    async with browsing(sqlite) as visitor, visitor() as ann:
        page = (await ann.post("/spots/played", {"hand": HAND})).text
        assert "Bob against Fay, from the turn on: check, all-in 3050" in page
        assert "it opens at the decision of Bob with 7♦2♥, turn: call" in page
        page = (await ann.post("/spots/played", {"hand": HAND, "street": "flop"})).text
        assert "Bob against Fay, from the flop on: bet 200, raise to 700" in page
        assert page.count('class="quiet" name="act"') == 4, "Bob's decisions, not Fay's"
        assert "as the first to act in BTN - BB" in page
        assert 'name="pot" value="550"' in page
        assert "add = bet 200" in page
        page = (await ann.post("/spots/played", {"hand": HAND, "street": "turn"})).text
        assert 'name="board" value="3sJh2cTc"' in page
        assert 'name="line" value="check all-in 3050"' in page
        assert 'name="holding" value="oop 7d2h"' in page
        assert 'name="played" value="check all-in 3050 call"' in page
        assert "A big blind is 100 chips." in page
        assert "<details open><summary>All-in" not in page, "its bets are no surprise"
        # The touch beside a decision of a report: its street, and the line that comes to it.
        page = (await ann.post("/spots/played", {"hand": HAND, "act": "7"})).text
        assert 'name="line" value="bet 200"' in page
        page = (await ann.post("/spots/played", {"hand": HAND, "act": "10"})).text
        assert 'name="board" value="3sJh2cTc"' in page
        assert 'name="line" value="check"' in page
        assert 'name="holding" value="ip AhJs"' in page
        sent = await ann.post("/spots/played", {}, files={"file": ("x.txt", HAND.encode())})
        assert 'name="pot" value="1950"' in sent.text
        for fields, refused in (
            ({}, "Paste a hand, or choose a file"),
            ({"hand": "\x00 what?"}, "hand-problem"),
            ({"hand": HAND, "number": "9"}, "Hand 9; allowed: 1 to 1, the hands of the log"),
            ({"hand": HAND, "number": "1", "street": "river"}, "allowed for this hand"),
            ({"hand": HAND, "street": "river"}, "can still bet in on the river"),
            ({"hand": HAND, "act": "2"}, "no part of a spot"),
            ({"hand": HAND, "act": "9" * 50}, "no part of a spot"),
            ({"hand": HAND, "act": "x"}, "no such button"),
            ({"hand": HAND, "street": "x" * 30}, "no such button"),
        ):
            answer = await ann.post("/spots/played", fields)
            assert (answer.status_code, refused in answer.text) == (422, True), fields


def _job(jobs: SpotJobs, owner: str = "ann", **rest: Any) -> SpotJob:
    text = "\n".join(f"{key} = {value}" for key, value in RIVER.items() if key not in OF_FORM)
    return jobs.new(owner, rest.pop("spot", text), "a spot", **rest)


OF_FORM = ("gap", "brush")


def test_pace_and_time_left(tmp_path: Path) -> None:
    """By a gap that falls as the square of the iterations; before it falls, by what is usual."""
    job = SpotJob("x", "ann", "a spot", "", tmp_path / "x", gap=1.0)
    assert (job.rate, job.seconds_left) == (None, None)
    job.size = {"seconds": 60.0}
    assert job.seconds_left == pytest.approx(60), "the estimate of the form, until it is measured"
    job.pace, job.heard, job.iterations = (100.0, 1), 102.0, 5
    assert job.rate == pytest.approx(2)
    assert job.seconds_left == pytest.approx((spot_iterations(1.0) - 5) / 2)
    job.iterations, job.heard, job.first_gap, job.gap_now = 41, 120.0, 64.0, 4.0
    assert job.rate == pytest.approx(2)
    # The gap has fallen 16-fold from iteration 10 to 41: to 1 % it takes twice as many as now.
    assert job.seconds_left == pytest.approx(41 / 2, rel=0.05)
    job.gap_now = 63.99999
    assert job.seconds_left is not None
    assert job.seconds_left <= 360_000


async def _ended(jobs: SpotJobs, job: SpotJob) -> None:
    for task in [*jobs._tasks.values()]:
        await task
    assert not job.is_moving


async def test_a_solution_that_is_being_written_has_no_time_left(
    sqlite: str, tmp_path: Path
) -> None:
    async with browsing(sqlite) as visitor, visitor() as ann:
        token = re.search(r'name="token" value="([^"]+)"', await ann.get("/spots"))
        assert token
        job = SpotJob("x", "ann", "a spot", "", tmp_path / "x", stage=Stage.SOLVING, gap=0.3)
        job.pace, job.heard, job.iterations, job.gap_now = (100.0, 1), 147.0, 94, 0.29
        visitor.jobs._jobs["x"] = job
        job.size = {"seconds": 240.0, "nodes": 9, "memory_mb": 1}
        page = await ann.get("/spots/x")
        assert re.findall("about [0-9]+ (?:minutes|seconds)", page) == ["about 20 seconds"], page
        job.has_ended = True
        page = await ann.get("/spots/x")
        assert "Solved after 94 rounds; the solution is being written" in page
        assert "left" not in page
        job.is_stopping = True
        assert "Stopped after 94 rounds" in await ann.get("/spots/x")


@pytest.mark.slow
async def test_the_first_points_are_read_where_they_were_solved(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody who has waited for a solution waits for another process to open it."""

    async def gone(*_: object, **__: object) -> dict[str, Any]:
        raise ProcessGone("gone")

    async with browsing(sqlite) as visitor, visitor() as ann:
        monkeypatch.setattr(visitor.jobs.reader, "ask", gone)
        where = await ann.solved(line="check bet 10")
        assert "First to act, to act" in await ann.get(where)
        assert "call" in await ann.get(f"{where}?line=check+bet+10")
        assert (await ann.client.get(f"{where}?line=check")).status_code == 503
        where = await ann.solved(line="check bet 11")  # not in the tree
        assert "First to act, to act" in await ann.get(where)


async def test_the_queue_is_bounded_and_the_longest_unread_make_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    release = asyncio.Event()

    async def work(_self: SpotJobs, job: SpotJob) -> dict[str, Any]:
        await release.wait()
        job.path.write_bytes(b"x" * 600)
        return {"iterations": 10, "gap": 0.2, "numbers": 1, "cpu_s": 0.5}

    monkeypatch.setattr(SpotJobs, "_work", work)
    settings = SpotSettings(
        most_waiting=2, most_of_address=2, kept_s=60.0, most_kept=10, most_disk=1500
    )
    jobs = SpotJobs(settings, clock=lambda: clock[0])
    first, second = (jobs.add(_job(jobs, owner, address="a")) for owner in ("ann", "bea"))
    with pytest.raises(Full):
        jobs.add(_job(jobs, "cleo", address="a"))
    third = jobs.add(_job(jobs, "cleo", address="b"))
    with pytest.raises(Full):
        jobs.add(_job(jobs, "dora", address="c"))
    assert jobs.add(_job(jobs, "ann", address="c")) is first, "it is solved already"
    assert [len(jobs.before(job)) for job in (first, second, third)] == [0, 1, 2]
    release.set()
    for job in (first, second, third):
        clock[0] += 1
        await asyncio.gather(*[jobs._tasks[job.id]] if job.id in jobs._tasks else [])
    assert jobs.of(first.id) is None, "two have room on the disk"
    assert not first.path.exists()
    kept = jobs.of(second.id)
    assert kept is not None
    assert kept.stage is Stage.DONE
    assert jobs.add(_job(jobs, "bea", address="c")) is kept
    assert not kept.answers(_job(jobs, "bea", gap=0.1))
    assert not kept.answers(_job(jobs, "cleo"))
    clock[0] += 59
    assert jobs.of(second.id) is kept
    clock[0] += 59
    assert jobs.of(third.id) is None, "nobody has read it"
    assert jobs.of(second.id) is kept
    await jobs.close()
    assert not second.path.parent.exists()


async def test_a_short_spot_waits_for_short_ones_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    release = asyncio.Event()

    async def work(_self: SpotJobs, job: SpotJob) -> dict[str, Any]:
        await release.wait()
        job.pace, job.heard, job.iterations = (0.0, 0), 10.0, 100
        return {"iterations": 100, "gap": 0.2, "numbers": 10**6, "cpu_s": 10.0}

    monkeypatch.setattr(SpotJobs, "_work", work)
    jobs = SpotJobs(replace(QUICK, most_of_address=9))
    long_size, short_size = (
        {"seconds": seconds, "memory_mb": memory_mb}
        for seconds, memory_mb in ((100.0, 500), (2.0, 1))
    )
    sizes = (long_size, long_size, short_size, short_size, short_size | {"memory_mb": 65})
    added = [jobs.add(_job(jobs, f"player {n}", size=size)) for n, size in enumerate(sizes)]
    while sum(job.stage is Stage.SOLVING for job in added) < 2:
        await asyncio.sleep(0)
    assert [job.stage is Stage.SOLVING for job in added] == [True, False, True, False, False]
    assert [jobs.seconds_before(job) for job in added] == pytest.approx([0, 100, 0, 2, 200])
    unknown = jobs.add(_job(jobs, "somebody", size={"memory_mb": 1}))
    assert (unknown.is_short, unknown.seconds_left) == (False, None)
    last = jobs.add(_job(jobs, "ann", size=long_size))
    assert (len(jobs.before(last)), jobs.seconds_before(last)) == (4, None)
    per_number = jobs.seconds_per_number
    release.set()
    await asyncio.gather(*jobs._tasks.values())
    # A tenth of a second for an iteration of a million numbers: the estimates come nearer to that.
    assert per_number < jobs.seconds_per_number < 1e-7
    await jobs.close()


@pytest.mark.slow
async def test_a_killed_process_is_told_and_the_next_one_works() -> None:
    jobs = SpotJobs(replace(QUICK, iterations=100_000_000))  # not over before it is killed
    try:
        job = jobs.add(_job(jobs, gap=0.0))
        while job.process is None or job.iterations == 0:
            assert job.is_moving
            await asyncio.sleep(0.01)
        os.killpg(job.process.pid, signal.SIGKILL)
        await _ended(jobs, job)
        assert job.stage is Stage.FAILED
        assert "ended before its time" in job.problem
        with pytest.raises(BadInput):
            await jobs.size("nothing")
        assert jobs.sizer._process is not None
        os.killpg(jobs.sizer._process.pid, signal.SIGKILL)
        with pytest.raises(ProcessGone):
            await jobs.size(job.spot)
        assert (await jobs.size(job.spot))["numbers"] > 0
        process = jobs.sizer._process
        assert process is not None
        jobs.sizer._end_idle()
        while jobs._supervisor.running:
            await asyncio.sleep(0.01)
        with pytest.raises(ProcessLookupError):
            os.kill(process.pid, 0)
    finally:
        await jobs.close()


@pytest.mark.slow
async def test_stopping_keeps_what_is_there_and_time_is_bounded() -> None:
    for settings, stops in ((QUICK, True), (SpotSettings(nice=0, seconds=0.05), False)):
        # No gap is small enough, and there are more rounds than anybody waits for.
        jobs = SpotJobs(
            SpotSettings(**_fields(settings) | {"iterations": 10**9, "answer_s": 300.0})
        )
        try:
            job = jobs.add(_job(jobs, gap=0.0))
            while job.iterations == 0:
                assert job.is_moving
                await asyncio.sleep(0.01)
            if stops:
                await jobs.stop(job)
            await _ended(jobs, job)
            assert job.stage is Stage.DONE, job.problem
            assert not job.facts["finished"]
            assert job.path.exists()
            assert (await jobs.read(job, "node", ""))["actions"][0] == "check"
            assert job.can_go_on
            before, job.gap = job.iterations, job.gap_now / 2
            jobs.go_on(job)
            await _ended(jobs, job)
            assert job.iterations > before
            if stops:  # the other one has hardly any time again
                assert job.gap_now <= job.gap
                assert job.facts["finished"]
                assert not job.can_go_on
            assert (await jobs.read(job, "node", ""))["actions"][0] == "check"
        finally:
            await jobs.close()


@pytest.mark.slow
@pytest.mark.parametrize("has_process", [False, True])
async def test_stopping_before_the_first_round_ends_it_and_says_so(has_process: bool) -> None:
    jobs = SpotJobs(SpotSettings(**_fields(QUICK) | {"iterations": 10**9}))
    try:
        job = jobs.add(_job(jobs, gap=0.0))
        while job.stage is Stage.WAITING or (has_process and job.process is None):
            await asyncio.sleep(0)
        assert (job.process is not None) is has_process
        await jobs.stop(job)
        assert job.is_stopping
        await _ended(jobs, job)
        assert job.stage is Stage.FAILED
        assert job.problem == "it was stopped before anything was found"
    finally:
        await jobs.close()


@pytest.mark.parametrize(
    ("facts", "words"), [({}, "not solved yet"), ({"gap": 1.0}, "being continued")]
)
async def test_whoever_cannot_read_a_solution_is_told_why(
    facts: dict[str, Any], words: str
) -> None:
    async def answer() -> None:
        pass

    job = _job(SpotJobs(QUICK), gap=0.0)
    job.facts = facts
    with pytest.raises(HTTPException, match=words):
        await answer_of_reader(job, answer())


async def test_solutions_go_with_what_kept_them() -> None:
    jobs = SpotJobs(QUICK)
    folder = _job(jobs, gap=0.0).path.parent
    assert folder.is_dir()
    del jobs
    gc.collect()
    assert not folder.exists()


@pytest.mark.slow
async def test_solutions_at_home_outlive_the_server(
    sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "spots"
    home = replace(QUICK, folder=folder, kept_s=math.inf, iterations=10**9)
    async with browsing(sqlite, home) as visitor, visitor() as ann:
        where = await ann.solved(line="check")
        cookies = ann.client.cookies
        job = visitor.jobs.of(where.rpartition("/")[2])
        assert job is not None
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert open_solution(job.path).finished, "the command line reads the same file"
        await ann.get(f"{where}/hands.phh")
        further = visitor.jobs.add(_job(visitor.jobs, job.owner, gap=0.0))
        while further.iterations == 0:
            assert further.is_moving
            await asyncio.sleep(0.01)
    assert not further.is_moving, "the end of the server ends the search"
    (folder / "torn.solution").write_bytes(b"railbird-spot 2 {")
    async with browsing(sqlite, home) as visitor, visitor() as ann, visitor() as eve:
        assert not list(folder.glob("*.phh")), "it is written again when somebody asks for it"
        assert "Your spots" not in await ann.get("/spots"), "no cookie, no list"
        ann.client.cookies = cookies
        own = await ann.get("/spots")
        assert "Your spots (2)" in own
        assert "They stay on this machine when the server ends" in own
        assert own.index(further.title) < own.index(where), "the latest first"
        assert "In position, to act" in await ann.get(where), "at the line of the hand"
        assert (await eve.post(f"{where}/forget", {})).status_code == 403
        again = visitor.jobs.of(further.id)
        assert again is not None
        assert again.can_go_on
        again.gap = again.gap_now / 2
        await ann.post(f"/spots/{again.id}/go-on", {})
        await _ended(visitor.jobs, again)
        assert again.facts["finished"]
    monkeypatch.setattr("railbird.serve.spots_jobs.__version__", "another")
    async with browsing(sqlite, home) as visitor, visitor() as ann:
        ann.client.cookies = cookies
        while len(visitor.jobs.all_of(job.owner)) < 2:  # they are opened again
            await asyncio.sleep(0.01)
        assert "A perfect opponent would win" in await ann.get(where)
        assert (await ann.post(f"{where}/forget", {})).status_code == 303
        assert (await ann.post(f"/spots/{further.id}/forget", {})).status_code == 303
    assert [path.name for path in folder.iterdir()] == ["torn.solution"]


async def test_whoever_has_most_makes_room(tmp_path: Path) -> None:
    """Somebody with many solutions, or with large ones, cannot crowd out those of others."""
    clock = [0.0]
    home = SpotSettings(folder=tmp_path, kept_s=math.inf, most_kept=5, most_disk=1000)
    jobs = SpotJobs(home, clock=lambda: clock[0])

    def keep(owner: str, size: int) -> SpotJob:
        job = _job(jobs, owner)
        clock[0] += 1
        job.path.write_bytes(b"x" * size)
        job.stage, job.facts = Stage.DONE, {"gap": 0.2}
        jobs._jobs[job.id] = job
        jobs._settled(job)
        jobs.forget_old()
        return job

    own = [keep("ann", 10), keep("ann", 10)]
    for _ in range(9):
        keep("eve", 1)
    assert jobs.all_of("ann") == own[::-1]
    assert len(jobs.all_of("eve")) == 3
    large = [keep("eve", 400) for _ in range(3)]
    assert jobs.all_of("ann") == own[::-1]
    assert jobs.all_of("eve") == large[:0:-1]
    names = {f"{job.id}{ending}" for job in (*own, *large[1:]) for ending in (".json", ".solution")}
    assert {path.name for path in tmp_path.iterdir()} == names
    await jobs.close()
    assert {path.name for path in tmp_path.iterdir()} == names
    jobs = SpotJobs(home)
    await jobs.restore()
    assert [job.id for job in jobs.all_of("ann")] == [job.id for job in own[::-1]]
    await jobs.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda fields: json.dumps(fields)[:-9],
        lambda _: "[" * 100_000,
        lambda _: "[]",
        *(
            lambda fields, key=key: json.dumps(fields | {key: [1]})
            for key in ("owner", "gap", "form", "facts", "players", "id", "is_short")
        ),
        lambda fields: json.dumps({key: fields[key] for key in fields if key != "form"}),
        lambda fields: json.dumps(fields | {"id": "another"}),
    ],
)
async def test_a_damaged_record_hides_its_solution_alone(
    tmp_path: Path, damage: Callable[[dict[str, Any]], str], caplog: pytest.LogCaptureFixture
) -> None:
    home = SpotSettings(folder=tmp_path)
    jobs = SpotJobs(home)
    solved, damaged = _job(jobs, "ann"), _job(jobs, "ann")
    for job in (solved, damaged):
        job.path.write_bytes(b"x")
        job.stage, job.facts = Stage.DONE, {"gap": 0.2}
        jobs._settled(job)
    await jobs.close()
    record = damaged.path.with_suffix(".json")
    record.write_text(damage(json.loads(record.read_text())))
    jobs = SpotJobs(home)
    await jobs.restore()
    assert [job.id for job in jobs.all_of("ann")] == [solved.id]
    assert damaged.path.name in caplog.text
    assert damaged.path.exists()
    await jobs.close()


async def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "spots").touch()
    jobs = SpotJobs(SpotSettings(folder=tmp_path / "spots"))
    with pytest.raises(BadInput, match=r"spots: cannot be written"):
        await jobs.restore()


def _fields(settings: SpotSettings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in SpotSettings.__dataclass_fields__}


@pytest.mark.slow
async def test_processes_end_with_what_began_them() -> None:
    async with await start_process(QUICK) as process:
        pid = process.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    process = await start_process(QUICK)
    assert process._process.stdin is not None
    process._process.stdin.close()  # the server is gone
    async with asyncio.timeout(300):
        assert await process._process.wait() == 0
    with contextlib.suppress(ProcessLookupError):
        await process.end()


@pytest.mark.slow
async def test_a_process_without_memory_says_so() -> None:
    poor = SpotSettings(nice=0, memory_mb=1, answer_s=300.0)
    jobs = SpotJobs(poor)
    spot = "board = 2c3d7h\noop = 22+,A2s+\nip = 22+,A2s+\npot = 20\nstack = 900\nbets = 50%"
    try:
        job = jobs.add(_job(jobs, spot=spot))
        await _ended(jobs, job)
        assert job.stage is Stage.FAILED
        assert "MB" in job.problem
    finally:
        await jobs.close()
