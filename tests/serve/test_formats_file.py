"""Formats from a file: the manual's are those played by default; each mistake is told in a line."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from helpers.hosted import PATIENCE_S, LineClient, ManualTime
from helpers.web_person import app_of
from railbird.cards import HOLDEM, VARIANTS
from railbird.cli import run
from railbird.errors import BadInput
from railbird.game import Betting, parse_rake
from railbird.hosting.formats import Clocks, Freeze, LevelBy, RingFormat, TournamentFormat
from railbird.hosting.house_seats import shown_name
from railbird.serve.connections import ConnectionSettings
from railbird.serve.formats_file import DEFAULT_GAMES, Games, games_of, read_formats
from railbird.serve.host import HostSettings
from railbird.serve.log_ins import LogInSettings
from railbird.serve.mounts.host import mount
from railbird.tournament import parse_payouts, parse_schedule

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "server.md"

_FILLED_UP = (
    "[[ring]]\nname = 'a'\nbetting = 'limit'\nseats = 2\nbuy-ins = [480, 480]\ntop-up = true\n"
)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "formats.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_manuals_formats_are_those_that_are_played_without_a_file(tmp_path: Path) -> None:
    match = re.search(r"<!-- formats -->\n```toml\n(.*?)```", MANUAL.read_text(), re.DOTALL)
    assert match is not None
    assert read_formats(written(tmp_path, match[1])) == DEFAULT_GAMES


def test_every_field_is_read(tmp_path: Path) -> None:
    games = read_formats(
        written(
            tmp_path,
            """
            [[tournament]]
            name = "late"
            betting = "pot-limit"
            seats = 20
            blinds = "5/10/1x3,10/20/2x4"
            level-by = "minutes"
            payouts = "50/30/20"
            house-after = "never"
            starts-at = 2030-01-31T20:00:00Z
            [tournament.clocks]
            limit = 2.5
            refill = "none"
            [[ring]]
            name = "raked"
            seats = 9
            ante = 2
            rake = "5%,cap=3"
            """,
        )
    )
    assert games.tournaments == (
        TournamentFormat(
            name="late",
            betting=Betting.POT_LIMIT,
            seats=20,
            schedule=parse_schedule("5/10/1x3,10/20/2x4"),
            level_by=LevelBy.MINUTES,
            payouts=parse_payouts("50/30/20"),
            house_after=None,
            starts_at=datetime(2030, 1, 31, 20, tzinfo=UTC),
            clocks=Clocks(limit=2.5, refill=None),
        ),
    )
    assert games.rings == (RingFormat(name="raked", seats=9, ante=2, rake=parse_rake("5%,cap=3")),)


def test_formats_have_a_game(tmp_path: Path) -> None:
    text = """
        [[tournament]]
        name = "plo"
        variant = "Omaha HiLo"
        betting = "pot-limit"
        rated = false
        [[ring]]
        name = "short"
        variant = "short-deck"
        """
    games = read_formats(written(tmp_path, text))
    assert [form.variant for form in games.tournaments] == ["omaha-hilo"]
    assert [form.variant for form in games.rings] == ["short-deck"]
    usual = read_formats(written(tmp_path, "[[ring]]\nname = 'r'\nvariant = 'razz'")).rings
    assert [form.betting for form in usual] == [Betting.LIMIT]
    for wrong, says in (
        ("variant = 'omahaa'\nrated = false", "variant: no variant 'omahaa'"),
        ("variant = 'omaha'", "omaha with ratings; allowed: rated = false"),
        ("variant = 'omaha'\nrated = false\nhouse = ['tight']", "it does not play Omaha"),
    ):
        with pytest.raises(BadInput, match=re.escape(says)):
            read_formats(written(tmp_path, f"[[tournament]]\nname = 'a'\n{wrong}"))


def test_a_server_plays_its_own_games_in_another_one() -> None:
    assert games_of(HOLDEM, Betting.NO_LIMIT) is DEFAULT_GAMES
    games = games_of(VARIANTS["omaha"], Betting.POT_LIMIT)
    assert len(games.tournaments) == len(DEFAULT_GAMES.tournaments)
    played = {(form.variant, form.betting) for form in games.tournaments}
    played |= {(form.variant, form.betting) for form in games.rings}
    assert played == {("omaha", Betting.POT_LIMIT)}
    assert not any(form.rated for form in games.tournaments)
    assert all(form.rated for form in games_of(HOLDEM, Betting.LIMIT).tournaments)


def test_drills_are_unrated(tmp_path: Path) -> None:
    text = "[[tournament]]\nname = 'a'\nrated = false\nhouse = ['always-fold']"
    (form,) = read_formats(written(tmp_path, text)).tournaments
    assert form.house == ("always-fold",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no [[tournament]] and no [[ring]]"),
        ("[tournament]\nname = 'a'", "two brackets"),
        ("[[tournaments]]\nname = 'a'", "tournaments: unknown; allowed"),
        ("[[tournament]]\nseats = 3", "tournament 1: name: missing"),
        ("[[tournament]]\nname = 'a'\nsets = 3", "(a): sets: unknown; did you mean seats?"),
        ("[[tournament]]\nname = 'a'\nseats = '3'", "(a): seats: '3'; allowed: a whole number"),
        ("[[tournament]]\nname = 'a'\nseats = true", "seats: True; allowed: a whole number"),
        ("[[tournament]]\nname = 'a'\nrated = 1", "rated: 1; allowed: true or false"),
        ("[[tournament]]\nname = 'a'\nseats = 1", "2 to 1,000"),
        ("[[tournament]]\nname = 'a b'", "letters, digits"),
        ("[[tournament]]\nname = 'a'\nbetting = 'nolimit'", "allowed: limit, spread-limit"),
        ("[[tournament]]\nname = 'a'\nblinds = '20/10x5'", "blinds: level '20/10x5'"),
        ("[[tournament]]\nname = 'a'\npayouts = '70/40'", "payouts: payouts '70/40'"),
        ("[[tournament]]\nname = 'a'\nhouse-after = -1", "allowed: 0 to 86,400 seconds"),
        ("[[tournament]]\nname = 'a'\nhouse-after = nan", "allowed: 0 to 86,400 seconds"),
        ("[[tournament]]\nname = 'a'\nhouse = ['tihgt']", "no player 'tihgt'; did you mean tight?"),
        ("[[tournament]]\nname = 'a'\nhouse = ['bot:rm -rf /']", "is a program"),
        ("[[tournament]]\nname = 'a'\nhouse = 'tight'", "a list such as"),
        (
            "[[tournament]]\nname = 'a'\nhouse = ['tight', 'random,fold=2']",
            "a: house: random,fold=2 is for drills; allowed where rated = false",
        ),
        ("[[tournament]]\nname = 'a'\nremember = true", "remember: allowed: with players who keep"),
        (
            "[[tournament]]\nname = 'a'\nremember = true\nhouse = ['tight']",
            "remember: tight remembers nobody; allowed: loki, booker",
        ),
        (
            "[[ring]]\nname = 'a'\nremember = true\nhouse = ['booker:1']",
            "remember: booker:1 makes no use of database=",
        ),
        ("[[tournament]]\nname = 'a'\nclocks = { limit = 0 }", "a limit above 0"),
        ("[[tournament]]\nname = 'a'\nclocks = { limits = 3 }", "did you mean limit?"),
        ("[[tournament]]\nname = 'a'\nstarts-at = 2030-01-31T20:00:00", "without a time zone"),
        ("[[tournament]]\nname = 'a'\nhouse = ['vexbot']", "a: house: vexbot plays limit against"),
        (
            f"{_FILLED_UP}house = ['equilibrium:/no/file']",
            "equilibrium:/no/file: no such file",
        ),
        (f"{_FILLED_UP}house = ['coach:bot:x+vexbot']", "and no programs"),
        (f"{_FILLED_UP}house = ['vexbot', 'vexbot']", "2 house players at 2 seats"),
        (f"{_FILLED_UP}ante = 1\nhouse = ['vexbot']", "a: house: vexbot plays limit against one"),
        ("[[ring]]\nname = 'a'\ntop-up = true", "allowed: one stack"),
        ("[[ring]]\nname = 'a'\nblinds = [10]", "two whole numbers"),
        ("[[ring]]\nname = 'a'\nbuy-ins = [1, 5]", "allowed: the big blind"),
        ("[[ring]]\nname = 'a'\nrake = '200%'", "rake: "),
        ("[[ring]]\nname = 'a'\nopened-by = { game = 'b', won = 5 }", "no ring game 'b'"),
        ("[[ring]]\nname = 'a'\nopened-by = { game = 'b' }", "allowed: { game"),
        ("[[ring]]\nname = 'a'\n[[tournament]]\nname = 'a'", "a: two formats of one name"),
        ("[[ring]\n", "not TOML"),
        ("a = " + "[" * 5000, "not TOML"),
        (b"\xff\xfe", "no text"),
        ("#" * (1 << 20) + "#", "longer than"),
    ],
)
def test_a_mistake_is_told_in_a_line(tmp_path: Path, text: str | bytes, says: str) -> None:
    with pytest.raises(BadInput) as told:
        read_formats(written(tmp_path, text))
    (line,) = str(told.value).splitlines()
    assert line.startswith(str(tmp_path / "formats.toml"))
    assert says in line


def test_every_mistake_is_told_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "[[tournament]]\nname = 'a'\nseats = 'x'\n[[ring]]\nnam = 1")
    assert run(["serve", "--formats", str(path), "--database", f"sqlite:///{tmp_path}/x"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[2] for line in lines] == ["tournament 1 (a)", "ring 1", "ring 1"]
    assert [file.name for file in tmp_path.iterdir()] == ["formats.toml"]


# Booker's (2004) server's behaviour, played through over real sockets, as the manual shows.


pytestmark = pytest.mark.anyio

GAMES = Games(
    tournaments=(
        TournamentFormat(
            name="three",
            seats=3,
            table_seats=3,
            stack=2000,
            schedule=parse_schedule("10/20x1000"),
            payouts=parse_payouts("70/30"),
            freeze=Freeze.FOLD,
            house_after=None,
            clocks=Clocks(limit=3.0, bank=0.0, refill=None),
        ),
    )
)
SHOWN: dict[str, Callable[[dict[str, Any]], str]] = {
    "welcome": lambda m: f"welcome {m['name']}",
    "queued": lambda m: f"queued: {m['waiting']} of {m['seats']} wait",
    "seated": lambda m: (
        f"seated in {m['table']['tournament']} with "
        + ", ".join(sorted(player["name"] for player in m["table"]["players"]))
    ),
    "presence": lambda m: f"presence: {m['name']} is {m['presence']}",
    "close": lambda m: f"close {m['code']}: {m['text']}",
    "snapshot": lambda m: f"snapshot of {m['table']['tournament']}",
    "knocked_out": lambda m: f"knocked out: {m['name']}, place {m['place']}",
    "left": lambda m: f"left the table: {m['reason'].replace('_', ' ')}",
    "result": lambda m: (
        f"result of {m['tournament']}: places " + ", ".join(str(p["place"]) for p in m["places"])
    ),
}


class Story:
    """Players, and what was said between them and the server, in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.lines: list[str] = []
        self.goes_on = asyncio.Event()
        """Set while players act: or hundreds of hands would be played while somebody logs in."""
        self.goes_on.set()

    async def enters(self, name: str, by: str = "sign_up") -> Player:
        client = await LineClient.open(self.port)
        player = Player(self, name, client)
        log_in = {"by": by, "name": name, "password": "correct horse"}
        words = {"sign_up": "sign up", "password": "log in"}[by]
        self.lines.append(f"{name} > hello: {words} by name and password")
        await client.send({"type": "hello", "versions": [1], "log_in": log_in})
        await player.hears("welcome")
        return player


class Player:
    """A client whose play is scripted; a task reads on, so that nothing is missed.

    Another one acts, since what is read may be what the story waits for before it goes on.
    """

    def __init__(self, story: Story, name: str, client: LineClient) -> None:
        self.name = name
        self.client = client
        self.chooses: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda turn: None
        self._story = story
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._actions = 0
        self._task = asyncio.create_task(self._read())
        self._acting: asyncio.Task[None] | None = None

    async def hears(self, kind: str) -> dict[str, Any]:
        """Wait for a message of this type, and write it down."""
        async with asyncio.timeout(PATIENCE_S):
            while (message := await self._inbox.get())["type"] != kind:
                pass
        self._story.lines.append(f"{self.name} < {SHOWN[kind](message)}")
        return message

    async def says(self, message: dict[str, Any]) -> None:
        words = " ".join(str(value) for key, value in message.items() if key != "again")
        self._story.lines.append(f"{self.name} > {words}")
        await self.client.send(message)

    async def is_asked(self) -> None:
        """Wait for a turn, of which nothing is written."""
        await self._until(lambda: any(one["type"] == "turn" for one in self.client.seen))

    async def sees_hands(self, count: int) -> None:
        """Wait until so many more hands have begun."""
        before = self._hands
        await self._until(lambda: self._hands >= before + count)

    @property
    def _hands(self) -> int:
        return sum(one["type"] == "hand" for one in self.client.seen)

    async def _until(self, what: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not what():
                await asyncio.sleep(0.01)

    async def goes(self) -> None:
        self._task.cancel()
        if self._acting is not None:
            self._acting.cancel()
        await self.client.close()

    async def _read(self) -> None:
        while True:
            try:
                message = await self.client.next()
            except (EOFError, ConnectionError):
                return
            self._inbox.put_nowait(message)
            turn = message.get("turn") if message["type"] == "snapshot" else message
            if turn and turn["type"] == "turn":
                self._acting = asyncio.create_task(self._act(turn))

    async def _act(self, turn: dict[str, Any]) -> None:
        await self._story.goes_on.wait()
        if chosen := self.chooses(turn):
            self._actions += 1
            act = {"type": "act", "turn": turn["turn"], "action": self._actions, **chosen}
            with suppress(ConnectionError):  # what it hears at the end is in the story
                await self.client.send(act)


def folds(turn: dict[str, Any]) -> dict[str, Any]:
    return {"verb": "fold" if turn["legal"]["to_call"] else "check"}


def shoves(turn: dict[str, Any]) -> dict[str, Any]:
    return {"verb": "all_in"}


def shoves_at_the_end(turn: dict[str, Any]) -> dict[str, Any]:
    """Fold while three are in, so that no two are knocked out by one hand."""
    return shoves(turn) if len(turn["hand"]["seats"]) == 2 else folds(turn)


def gives_away(turn: dict[str, Any]) -> dict[str, Any]:
    """Raise all but a chip of one's own or Ann's, and fold to the raise that follows.

    So no showdown decides who is knocked out: she can always raise by that chip.
    """
    legal = turn["legal"]
    if legal["to_call"] == 1:
        return {"verb": "fold"}
    (hers,) = (s["stack"] + s["bet"] for s in turn["hand"]["seats"] if s["name"] == "ann")
    to = min(legal.get("max_to", 0), hers) - 1
    if to >= legal.get("min_to", hers):
        return {"verb": "raise", "to": to}
    return {"verb": "call"}


def takes(turn: dict[str, Any]) -> dict[str, Any]:
    """Raise what is given away, and call what is small."""
    return {"verb": "all_in" if turn["legal"]["to_call"] > 20 else "call"}


async def played(database: str, journal: Path) -> list[str]:
    """Play the story; return its lines."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        settings = HostSettings(
            journal=journal,
            games=GAMES,
            pace=0.0,  # nobody reads how hands end
            tcp=listening,
            # However long the story takes, and however fast it goes on.
            connections=ConnectionSettings(ping_s=3600.0, quiet_s=3600.0, messages_per_s=1e6),
        )
        many = LogInSettings(sign_ups_per_address=100)
        app = app_of(database, mount(settings), log_ins=many)
        clock = ManualTime()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("railbird.hosting.house.Time", lambda: clock.time)
            async with app.router.lifespan_context(app):
                story = Story(listening.getsockname()[1])
                await tell(story, clock)
                return story.lines


async def tell(story: Story, clock: ManualTime) -> None:
    waits = {"type": "enter_queue", "queue": "three", "again": True}
    ann = await story.enters("ann")
    await ann.says(waits)
    await ann.hears("queued")
    bob, cid = await story.enters("bob"), await story.enters("cid")
    bob.chooses = cid.chooses = folds
    await bob.says(waits)
    await bob.hears("queued")
    await cid.says(waits)
    for player in (ann, bob, cid):
        await player.hears("seated")
    # Ann does not act: frozen, cut off, and her blinds are posted while the others play on.
    await ann.is_asked()
    clock.now += 60.0
    presence = await bob.hears("presence")
    assert (presence["name"], presence["presence"]) == ("ann", "frozen")
    await ann.hears("close")
    await ann.goes()
    await bob.sees_hands(3)
    story.goes_on.clear()
    ann = await story.enters("ann", by="password")
    ann.chooses = folds
    await ann.hears("snapshot")
    presence = await bob.hears("presence")
    assert presence["presence"] == "here"
    story.goes_on.set()
    # Cid gives his chips away, is knocked out, and waits for the next tournament at once.
    ann.chooses, cid.chooses = takes, gives_away
    gone = await cid.hears("knocked_out")
    assert gone["name"] == "cid"
    await cid.hears("left")
    await cid.hears("queued")
    story.goes_on.clear()
    dan, eve = await story.enters("dan"), await story.enters("eve")
    cid.chooses = dan.chooses = shoves  # before their first turns
    eve.chooses = shoves_at_the_end
    for player in (dan, eve):
        await player.says(waits)
    await cid.hears("seated")
    # Two tournaments at once; both are played to their ends.
    ann.chooses = bob.chooses = shoves
    story.goes_on.set()
    await ann.hears("result")
    await eve.hears("result")
    for player in (ann, bob, cid, dan, eve):
        await player.goes()


@pytest.mark.slow
async def test_the_source_played_through(sqlite: str, tmp_path: Path) -> None:
    lines = await played(sqlite, tmp_path / "journal")
    found = re.search(r"<!-- transcript -->\n```text\n(.*?)```", MANUAL.read_text(), re.DOTALL)
    assert found, "the manual has no transcript"
    assert "\n".join(lines) + "\n" == found[1]


def test_house_players_remember_in_a_database_that_is_never_named(tmp_path: Path) -> None:
    text = "[[tournament]]\nname = 'a'\nremember = true\nhouse = ['booker:4', 'loki:som']"
    (form,) = read_formats(written(tmp_path, text)).tournaments
    assert form.house == ("booker:4,database=server", "loki:som,database=server")
    assert [shown_name(spec) for spec in form.house] == ["booker:4", "loki:som"]
