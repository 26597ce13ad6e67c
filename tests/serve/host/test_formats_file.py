"""Formats from a file: the manual's are those played by default; each mistake is told in a line."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from railbird.cli import run
from railbird.errors import BadInput
from railbird.game import Betting, parse_rake
from railbird.hosting.formats import Clocks, LevelBy, RingFormat, TournamentFormat
from railbird.serve.host.formats import DEFAULT_GAMES
from railbird.serve.host.formats_file import read_formats
from railbird.tournament import parse_payouts, parse_schedule

MANUAL = Path(__file__).resolve().parents[3] / "docs" / "server.md"

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
        (b"\xff\xfe", "not TOML"),
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
