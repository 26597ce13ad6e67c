"""The house's opponent over HTTP: both forms, whose hand it is, and what an enemy may not do."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Literal

import httpx
import pytest

from helpers.erring_players import Erring
from helpers.web_person import ORIGIN, app_of
from railbird._paths import cache_folder
from railbird.arena import Match, play
from railbird.arena.guarded_player import Fault
from railbird.assessment import assess_table
from railbird.assessment.aivat.no_limit import less_luck
from railbird.cli import run
from railbird.client.slumbot import visit_slumbot
from railbird.errors import BadInput, RailbirdError
from railbird.game import Action, Call
from railbird.game.rules import HEADS_UP_NO_LIMIT
from railbird.histories import HandRecord, hands_from, read
from railbird.histories.columns import batches_of, records_of
from railbird.histories.protocol_errors import errors_in
from railbird.players import make_player
from railbird.serve import opponent
from railbird.serve.mounts.opponent import mount
from railbird.serve.opponent import OpponentSettings

pytestmark = pytest.mark.anyio

HOUSE = "random"


@asynccontextmanager
async def served(
    sqlite: str, folder: Path | None = None, **options: Any
) -> AsyncIterator[httpx.AsyncClient]:
    # Hands are compared: on a busy machine, too, it is the house's player that decides.
    settings = OpponentSettings(player=HOUSE, folder=folder, decision_s=600.0, **options)
    app = app_of(sqlite, mount(settings), burst=5)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN, timeout=60) as one,
    ):
        yield one


async def post(client: httpx.AsyncClient, path: str, body: object, key: str = "") -> Any:
    answer = await client.post(path, json=body, headers={"X-API-KEY": key} if key else {})
    return answer.json() | {"status": answer.status_code}


async def played(client: httpx.AsyncClient, token: str) -> dict[str, Any]:
    """Check or call to the end, as the public sample client does."""
    told = await post(client, "/api/new_hand", {"token": token} if token else {})
    while "winnings" not in told:
        assert "error_msg" not in told, told
        streets = told["action"].split("/")
        incr = "c" if streets[-1].rstrip("kcf") or told["action"] in ("", "c") else "k"
        if told["action"] == "c":
            incr = "k"
        told = await post(client, "/api/act", {"token": told["token"], "incr": incr})
    return told  # type: ignore[no-any-return]


@pytest.mark.slow
async def test_hands_of_the_first_form_go_to_a_log_that_reads(sqlite: str, tmp_path: Path) -> None:
    async with served(sqlite, tmp_path / "logs") as client:
        token, total, seats = "", 0, list[int]()
        for _ in range(12):
            told = await played(client, token)
            token, total = told["token"], total + told["winnings"]
            seats.append(told["client_pos"])
            assert len(told["hole_cards"]) == len(told["bot_hole_cards"]) == 2
            assert told["session_total"] == total
        assert seats == [1, 0] * 6
        page = (await client.get("/opponent")).text
        assert token not in page
        assert ">12</td>" in page
        scores = (await client.get("/api/opponent")).json()
        assert scores["guests"][0]["hands"] == 12
    (log,) = (tmp_path / "logs").iterdir()
    assert log.stat().st_mode & 0o077 == 0
    hands = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    assert len(hands) == 12
    assert sum(hand.payoffs[hand.players.index("guest")] for hand in hands) == total
    assert {hand.rules for hand in hands} == {HEADS_UP_NO_LIMIT}
    assert all(None not in hand.holes for hand in hands)


@pytest.mark.slow
async def test_where_luck_cannot_be_taken_out_the_page_says_why(
    sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").mkdir()  # without strategies, whatever was solved on this machine
    for shared in cache_folder().iterdir():
        if shared.name != "strategies":
            (tmp_path / "cache" / shared.name).symlink_to(shared)
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path / "cache"))
    async with served(sqlite) as client:
        await played(client, "")
        scores: dict[str, Any] = {}
        while not scores.get("why_luck_stays"):
            await asyncio.sleep(0.1)
            scores = (await client.get("/api/opponent")).json()
        assert "equilibrium:nolimit" in scores["why_luck_stays"]
        assert scores["guests"][0]["bb_per_hand_less_luck"] is None
        assert scores["guests"][0]["hands"] == 1
        assert f"not taken out here: {scores['why_luck_stays']}." in unescape(
            (await client.get("/opponent")).text
        )


@pytest.mark.slow
def test_the_luck_that_is_taken_out_is_that_of_an_assessment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "deep.strategy"
    solve = ["--stacks", "200", "--buckets", "169-1-1-1", "--samples", "200", "--out", str(path)]
    assert run(["solve", "nolimit", *solve]) == 0
    monkeypatch.setattr("railbird.solve.nolimit.values.DEALS", 50)
    spec = f"equilibrium:{path}"
    match = Match(players=(spec, "always-call"), rules=HEADS_UP_NO_LIMIT, deals=25, seed=3)
    played = play(match, keep=True)
    house, guest = match.names
    hands = [
        replace(record, players=tuple("guest" if name == guest else "house" for name in names))
        for batch, _ in batches_of(hands_from(played))
        for record in records_of(batch)
        for names in [record.players]
    ]
    opponent._begin_scoring(spec)
    told = less_luck(played, known={house: spec})[guest]
    values = opponent._without_luck(hands)
    assert len(values) == 25
    assert sum(values) / 25 == pytest.approx(told.aivat.value)
    assert told.aivat.value != pytest.approx(told.money.value)


async def test_a_hand_that_is_asked_for_again_waits_for_the_house(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def slow(*_: object) -> Action:
        asked.set()
        await may_answer.wait()
        return Call()

    class Lock(asyncio.Lock):
        """Tells how many wait for it, or have it."""

        count = 0

        async def acquire(self) -> Literal[True]:
            Lock.count += 1
            return await super().acquire()

        def release(self) -> None:
            Lock.count -= 1
            super().release()

    monkeypatch.setattr(opponent.HostedOpponent, "_decision", slow)
    deal_hand = opponent.HostedOpponent.new_hand

    async def new_hand(house: opponent.HostedOpponent, guest: opponent.Guest) -> opponent.OpenHand:
        hand = await deal_hand(house, guest)
        hand.lock = Lock()
        return hand

    monkeypatch.setattr(opponent.HostedOpponent, "new_hand", new_hand)
    async with served(sqlite) as client:
        token = (await post(client, "/api/new_hand", {}))["token"]
        acting = asyncio.create_task(post(client, "/api/act", {"token": token, "incr": "c"}))
        async with asyncio.timeout(60):
            await asked.wait()
        again = asyncio.create_task(post(client, "/api/new_hand", {"token": token}))
        async with asyncio.timeout(60):
            while Lock.count < 2:
                await asyncio.sleep(0.005)
        assert not again.done()
        may_answer.set()
        assert (await again)["action"] == (await acting)["action"] == "ck/k"


@pytest.mark.slow
async def test_nobody_gets_rid_of_a_hand(sqlite: str) -> None:
    async with served(sqlite, most_open=2) as client:
        token = (await post(client, "/api/login", {"username": "ann", "password": "x"}))["token"]
        first = await post(client, "/api/new_hand", {"token": token})
        while "winnings" in first:
            first = await post(client, "/api/new_hand", {"token": token})
        again = await post(client, "/api/new_hand", {"token": token})
        assert again["hole_cards"] == first["hole_cards"]
        statuses = []
        for _ in range(12):
            told = await post(client, "/hands", {"game_name": "HUNL 200BB"}, token)
            statuses.append(told["status"])
        assert statuses[-1] == 429
        open_hands = (await client.get("/hands/in-progress", headers={"X-API-KEY": token})).json()
        assert len(open_hands) == 2


@pytest.mark.slow
async def test_the_second_form_has_states_that_add_up(sqlite: str) -> None:
    async with served(sqlite) as client:
        key = (await post(client, "/api/login", {"username": "bob", "password": ""}))["token"]
        won = 0
        for turn in range(8):
            told = await post(client, "/hands", {"game_name": "HUNL 200BB"}, key)
            assert told["status"] == 201
            while not (state := told["game_state"])["is_hand_over"]:
                stacks = sum(player["stack"] for player in state["players"])
                assert stacks + state["total_pot"] == 40_000
                assert [player["hole_cards"] is None for player in state["players"]].count(
                    True
                ) == 1
                legal = state["legal_actions"]
                body: dict[str, Any] = {"action": "k" if "k" in legal else "c", "amount": None}
                if turn % 2 and "b" in legal:
                    body = {"action": "b", "amount": state["raise_range"]["max"]}
                told = await post(client, f"/hands/{told['hand_id']}/act", body, key)
                assert told["status"] == 200, told
            won += told["game_state"]["winnings"]
        scores = (await client.get("/winnings", headers={"X-API-KEY": key})).json()
        assert scores["hands"] == 8
        assert scores["bb_per_hand"]["value"] == pytest.approx(won / 800)


@pytest.mark.slow
async def test_what_is_illegal_or_somebody_elses_is_refused(sqlite: str) -> None:
    async with served(sqlite) as client:
        ann, bob = [
            (await post(client, "/api/login", {"username": name, "password": ""}))["token"]
            for name in ("ann", "bob")
        ]
        told = await post(client, "/hands", {"game_name": "HUNL 200BB"}, ann)
        while told["game_state"]["is_hand_over"]:
            told = await post(client, "/hands", {"game_name": "HUNL 200BB"}, ann)
        act = f"/hands/{told['hand_id']}/act"
        assert (await post(client, act, {"action": "c"}, bob))["status"] == 404
        assert (await post(client, act, {"action": "c"}, "0" * 40))["status"] == 401
        for body in (
            {"action": "b", "amount": 10**9},
            {"action": "b", "amount": 0},
            {"action": "b", "amount": 150.5},
            {"action": "b"},
            {"action": "x"},
            {"action": "kk"},
            {"action": "b", "amount": "1e400"},
            {},
        ):
            answer = await post(client, act, body, ann)
            assert answer["status"] == 422, body
        assert (await post(client, "/hands", {"game_name": "chess"}, ann))["status"] == 422
        first = await post(client, "/api/new_hand", {"token": ann})
        while "winnings" in first:
            first = await post(client, "/api/new_hand", {"token": ann})
        for incr in ("b", "b1", "b99999999999999999999", "raise", "", "b-5", "kk"):
            answer = await post(client, "/api/act", {"token": ann, "incr": incr})
            assert answer["status"] == 422 or "error_msg" in answer, incr
        scores = (await client.get("/winnings", headers={"X-API-KEY": ann})).json()
        assert scores["illegal_actions"] > 0
        for name in ("", "../up", "a" * 33, "two words"):
            answer = await post(client, "/api/login", {"username": name, "password": ""})
            assert "error_msg" in answer


@pytest.mark.slow
async def test_tokens_of_an_address_end_and_without_an_opponent_nobody_plays(sqlite: str) -> None:
    async with served(sqlite, most_of_address=3, most_guests=2) as client:
        given = [await post(client, "/api/new_hand", {}) for _ in range(5)]
        assert ["error_msg" in one for one in given] == [False] * 3 + [True] * 2
        forgotten = await post(client, "/api/act", {"token": given[0]["token"], "incr": "f"})
        assert "no such token" in forgotten["error_msg"]
    app = app_of(sqlite, mount())
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN) as client,
    ):
        assert (await client.post("/api/new_hand", json={})).status_code == 404


class _Bridge(BaseHTTPRequestHandler):
    """Hands requests to an application on an event loop; some break before the answer."""

    loop: ClassVar[asyncio.AbstractEventLoop]
    client: ClassVar[httpx.AsyncClient]
    requests: ClassVar[int] = 0
    broken: ClassVar[int] = 0
    breaks: ClassVar[bool] = True
    """Whether some break."""
    over_unseen: ClassVar[int] = 0
    """Hands that ended as they were dealt, by a fold, in an answer that broke: our client asks for
    a hand again, gets the next one, and cannot know of the one before."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        asked = self.client.post(self.path, json=json.loads(body))
        answer = asyncio.run_coroutine_threadsafe(asked, self.loop).result(60)
        _Bridge.requests += 1
        if _Bridge.breaks and _Bridge.requests % 7 == 0:
            _Bridge.broken += 1
            if self.path == "/api/new_hand" and answer.json().get("winnings") is not None:
                _Bridge.over_unseen += 1
            self.close_connection = True
            return
        self.send_response(answer.status_code)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Bridge) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.slow
async def test_our_client_goes_on_after_broken_connections_and_between_visits(
    sqlite: str, tmp_path: Path, address: str
) -> None:
    log = tmp_path / "visit.log"
    async with served(sqlite, tmp_path / "server") as client:
        _Bridge.loop, _Bridge.client = asyncio.get_running_loop(), client
        _Bridge.requests = _Bridge.broken = _Bridge.over_unseen = 0

        def visit(hands: int) -> Any:
            player = make_player("random")
            return visit_slumbot(player, address, log, hands=hands, name="ours")

        first = await asyncio.to_thread(visit, 6)
        second = await asyncio.to_thread(visit, 15)
        assert _Bridge.broken > 0
        assert (first.hands, second.hands) == (6, 15)
    hands = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    assert [hand.number for hand in hands] == list(range(15))
    won = sum(float(hand.payoffs[hand.players.index("ours")]) for hand in hands) / 100
    assert second.money.mean * 15 == pytest.approx(won)
    theirs = sum(len(list(read(path))) for path in (tmp_path / "server").iterdir())
    assert theirs == 15 + first.lost + second.lost + _Bridge.over_unseen


@pytest.mark.slow
async def test_our_client_names_its_errors_of_protocol_in_hands(
    sqlite: str, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, player = tmp_path / "visit.log", Erring(0.3)
    async with served(sqlite) as client:
        _Bridge.loop, _Bridge.client = asyncio.get_running_loop(), client
        monkeypatch.setattr(_Bridge, "breaks", False)
        visit = await asyncio.to_thread(visit_slumbot, player, address, log, hands=12, name="ours")
    assert visit.lost == 0
    hands = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    count = sum(len(errors_in(hand.comment)) for hand in hands)
    assert count == visit.faults.counts[Fault.ILLEGAL] > 0
    assert assess_table(log, boards=2).errors.counts == {("ours", "illegal"): count}


def test_no_server_and_another_log_are_told_in_a_line(tmp_path: Path) -> None:
    log = tmp_path / "visit.log"
    player = make_player("always-call")
    with pytest.raises(BadInput, match="address"):
        visit_slumbot(player, "ftp://host", log, hands=1)
    with pytest.raises(BadInput, match="cannot be reached"):
        visit_slumbot(player, "http://127.0.0.1:1", log, hands=1)
    log.write_text("something else\n")
    with pytest.raises((BadInput, RailbirdError)):
        visit_slumbot(player, "http://127.0.0.1:1", log, hands=1)
