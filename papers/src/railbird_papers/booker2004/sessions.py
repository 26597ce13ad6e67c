"""Tournaments in sessions: players remember within a session and forget everything between two.

So each session repeats the source's measurement, learning included, and sessions are independent
values. They are kept in a file, from which an interrupted experiment resumes.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import altair as alt
import numpy as np
from numpy.typing import NDArray

from railbird.arena import Tournaments
from railbird.arena.job_log import PartLog
from railbird.arena.run import Run
from railbird.arena.tournament import TournamentTables
from railbird.errors import DamagedFile
from railbird.estimates.bounded_mean import Proportion
from railbird.jobs.workers import PiecePlayer
from railbird.report import number_format
from railbird.report.charts import (
    DASH_DOTTED,
    DASHED,
    DOTTED,
    LINES_HEIGHT,
    ROW_HEIGHT,
    SOLID,
    layered,
    row_axis,
    variable,
)
from railbird.report.document import Figure
from railbird.tournament import parse_payouts
from railbird.tournament.schedule import SCHEDULE
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import Published, Row, Verdict, claimed, measured
from railbird_papers.framework.workspace import Work, write_whole

if TYPE_CHECKING:
    from railbird.estimates import Estimate
    from railbird_papers.framework.workspace import Workspace


# Sizes and stakes of the experiments of Booker (2004).


STACK: Final = 1500

SESSION: Final = 100
"""Tournaments between two resets of the players, as many as the source played of each pair."""

TOURNAMENTS: Final = 10_000
"""Tournaments of a table of aggressions at scale 1."""

ENTRY: Final = Fraction(1666, 100)
PRIZES: Final = parse_payouts("70/30")
"""Section 8.1."""

TABLE_SESSION: Final = 10
"""Tournaments of six between two resets; some six hundred hands, ten times the learners' memory."""

MOST_AT_A_TABLE: Final = 20_000
"""Tournaments of six after which nothing more is played."""

PERSON_SESSIONS: Final = 500
"""Repetitions of the source's matches against a person."""

PROBES: Final = 40
"""Repetitions behind each number of the table of cognitive activities."""


# The sessions.


_WINNER_TAKES_ALL = parse_payouts("100")
_SAVE_SECONDS = 5.0
"""Seconds between two savings of the sessions played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Sessions of tournaments of the same players."""

    players: tuple[str, ...]
    """Specs, or names and specs."""
    length: int
    """Tournaments in a session."""
    count: int
    """Sessions, at most."""
    seed: int
    payouts: tuple[Fraction, ...] = _WINNER_TAKES_ALL
    entry: Fraction = Fraction(1)

    @property
    def tournaments(self) -> Tournaments:
        """All the tournaments, in order."""
        return Tournaments(
            players=self.players,
            count=self.length * self.count,
            seed=self.seed,
            stack=STACK,
            schedule=SCHEDULE,
            payouts=self.payouts,
            entry=self.entry,
        )

    @property
    def file_name(self) -> str:
        """Name of the file of the sessions played; the same for any number of sessions."""
        what = f"{self.players} {self.length} {self.seed} {STACK} {SCHEDULE}"
        digest = hashlib.sha256(what.encode()).hexdigest()[:16]
        return f"booker-sessions-{len(self.players)}-seats-{digest}.json"


@dataclass(frozen=True, slots=True)
class BookerSession:
    """One session that was played."""

    table: int
    """Number among the tables of the job."""
    index: int
    """Number among the sessions of the table."""
    places: tuple[tuple[int, ...], ...]
    """By tournament, then by player, from 1."""
    hands: int
    faults: int
    """Actions that the arena had to replace; our own players should cause none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSessions:
    """The sessions that were played."""

    sessions: Sessions
    places: NDArray[np.int64]
    """(sessions, tournaments, players) from 1."""
    hands: int
    faults: int

    @property
    def won(self) -> NDArray[np.float64]:
        """(sessions, tournaments, players): 1 for a tournament won outright, shares of ties."""
        first = self.places == 1
        shares: NDArray[np.float64] = first / first.sum(axis=2, keepdims=True)
        return shares

    @property
    def profits(self) -> NDArray[np.float64]:
        """(sessions, tournaments, players) prizes less the entry fee."""
        played = self.sessions.tournaments
        flat = self.places.reshape(-1, self.places.shape[2])
        prizes = np.array([played.prizes(places) for places in map(tuple, flat.tolist())])
        profits: NDArray[np.float64] = prizes.reshape(self.places.shape) - float(played.entry)
        return profits


def play_sessions(
    workspace: Workspace,
    sessions: Sessions,
    *,
    enough: Callable[[PlayedSessions], bool] | None = None,
) -> PlayedSessions:
    """Play sessions, or those that the workspace's file lacks; ``enough`` may stop them early.

    Raises `DamagedFile` for a file that is not what was written.
    """
    path = workspace.results_file(sessions.file_name)
    title = " v ".join(sessions.players)

    def stops(played: Sequence[list[BookerSession]]) -> bool:
        return enough is not None and enough(_collected(sessions, played[0]))

    return _play(workspace, [sessions], title, path, stops)[0]


def play_tables(
    workspace: Workspace, tables: Sequence[Sessions], *, title: str
) -> list[PlayedSessions]:
    """Play the sessions of several tables as one job, so that its workers start only once.

    Each table has its own file, the same as with `play_sessions`.
    """
    return _play(workspace, tables, title, workspace.folder, lambda _: False)


def _play(
    workspace: Workspace,
    tables: Sequence[Sessions],
    title: str,
    path: Path,
    enough: Callable[[Sequence[list[BookerSession]]], bool],
) -> list[PlayedSessions]:
    """Play the sessions that the tables' files lack; messages name ``path`` as their place."""
    numbers = _Numbers(tuple(tables))
    run = Run(
        job=partial(_Participant, numbers),
        players=[player for sessions in tables for player in sessions.players],
        numbers=numbers.all,
        title=title,
        total=len(numbers.all),
        unit="sessions",
        log=partial(_open_logs, workspace, numbers),
        path=path,
    )
    started = time.perf_counter()
    hands = 0
    played: list[list[BookerSession]] = [[] for _ in tables]
    with run.going(workers=workspace.workers, on=None, progress=workspace.progress) as going:
        for session in going.logged.values():
            played[session.table].append(session)
        before = sum(map(len, played))
        going.tell(before)
        fresh = iter(()) if before and enough(played) else going.fresh
        for done, session in enumerate(fresh, before + 1):
            played[session.table].append(session)
            hands += session.hands
            going.tell(done)
            if enough(played):
                break
    workspace.record(Work("played", hands, time.perf_counter() - started))
    return [_collected(*pair) for pair in zip(tables, played, strict=True)]


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The sessions of several tables, numbered from one table to the next."""

    tables: tuple[Sessions, ...]

    @property
    def all(self) -> tuple[int, ...]:
        """All numbers, in order."""
        return tuple(range(sum(sessions.count for sessions in self.tables)))

    def first(self, table: int) -> int:
        """The number of a table's first session."""
        return sum(sessions.count for sessions in self.tables[:table])

    def place(self, number: int) -> tuple[int, int]:
        """The table that a number is of, and which of its sessions."""
        for table, sessions in enumerate(self.tables):
            if number < sessions.count:
                return table, number
            number -= sessions.count
        raise IndexError(number)


@contextmanager
def _open_logs(workspace: Workspace, numbers: _Numbers) -> Iterator[PartLog[BookerSession]]:
    """Open the files of all tables as one log."""
    with ExitStack() as files:
        logs = [
            files.enter_context(
                _open_log(workspace.results_file(sessions.file_name), sessions, table)
            )
            for table, sessions in enumerate(numbers.tables)
        ]
        parts = {
            numbers.first(table) + index: session
            for table, log in enumerate(logs)
            for index, session in log.parts.items()
        }
        yield PartLog(parts, lambda session: logs[session.table].append(session))


@contextmanager
def _open_log(path: Path, sessions: Sessions, table: int) -> Iterator[PartLog[BookerSession]]:
    """Open a file of sessions, which is rewritten completely now and then and at the end."""
    stored = _read(path, sessions, table)
    saved = time.perf_counter()

    def append(session: BookerSession) -> None:
        nonlocal saved
        stored.append(session)
        if time.perf_counter() - saved > _SAVE_SECONDS:
            _write(path, stored)
            saved = time.perf_counter()

    before = len(stored)
    try:
        yield PartLog(dict(enumerate(stored)), append)
    finally:
        if len(stored) > before:
            _write(path, stored)


class _Participant(PiecePlayer[BookerSession]):
    """A player of sessions by number, which has the players of one table at a time.

    Created once in every process.
    """

    def __init__(self, numbers: _Numbers) -> None:
        self._numbers = numbers
        self._table = 0
        self._tables = TournamentTables(numbers.tables[0].tournaments)

    def play(self, number: int) -> BookerSession:
        """Play one session."""
        table, index = self._numbers.place(number)
        sessions = self._numbers.tables[table]
        if table != self._table:
            self._tables.close()
            self._table, self._tables = table, TournamentTables(sessions.tournaments)
        first = index * sessions.length
        finishes = [
            self._tables.play(number, reset=number == first)[0]
            for number in range(first, first + sessions.length)
        ]
        faults = [tally for finish in finishes for tally in finish.faults]
        return BookerSession(
            table=table,
            index=index,
            places=tuple(finish.places for finish in finishes),
            hands=sum(finish.hands for finish in finishes),
            faults=sum(sum(tally.counts.values()) for tally in faults),
        )

    def close(self) -> None:
        """Let the players end."""
        self._tables.close()


def _collected(sessions: Sessions, played: list[BookerSession]) -> PlayedSessions:
    return PlayedSessions(
        sessions=sessions,
        places=np.array([session.places for session in played], np.int64),
        hands=sum(session.hands for session in played),
        faults=sum(session.faults for session in played),
    )


def _write(path: Path, played: list[BookerSession]) -> None:
    lines = [[session.places, session.hands, session.faults] for session in played]
    write_whole(path, json.dumps(lines).encode())


def _read(path: Path, sessions: Sessions, table: int) -> list[BookerSession]:
    try:
        lines = json.loads(path.read_bytes())
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as problem:
        raise DamagedFile(f"{path}: {problem}; delete it to play again") from None
    return list(_sessions(path, lines, sessions, table))[: sessions.count]


def _sessions(path: Path, lines: Any, sessions: Sessions, table: int) -> Iterator[BookerSession]:
    seats = len(sessions.players)
    if not isinstance(lines, list):
        raise DamagedFile(f"{path} is no list of sessions; delete it to play again")
    for index, line in enumerate(lines):
        try:
            places, hands, faults = line
            ends, counts = np.array(places), (int(hands), int(faults))
        except (TypeError, ValueError):
            ends, counts = np.empty(0), (0, 0)
        sound = ends.shape == (sessions.length, seats) and ends.dtype.kind == "i"
        if not (sound and ends.min() >= 1 and ends.max() <= seats):
            raise DamagedFile(f"{path}: session {index + 1} is damaged; delete it to play again")
        yield BookerSession(table, index, tuple(map(tuple, ends.tolist())), *counts)


# Rows for shares of tournaments won, and for what the source says of them.


HALF = 0.5
_CHANCE = 0.9973
"""Level of three standard errors."""
_RULE = "95 % interval above one half; undecided within 3 standard errors below"


def share_won(won: NDArray[np.float64]) -> Proportion:
    """Estimate the share of tournaments won from (sessions, tournaments)."""
    return Proportion.of_trials(won, unit="of tournaments")


def said_to_win(name: str, won: NDArray[np.float64], note: str = "") -> Row:
    """Return a row of a pair in which the source's agent won more than half."""
    ours = share_won(won)
    above, below = ours.low > HALF, ours.interval(_CHANCE)[1] < HALF
    verdict = Verdict.AGREES if above else Verdict.DIFFERS if below else Verdict.UNDECIDED
    return Row(name=name, ours=ours, verdict=verdict, rule=_RULE, note=note)


def between_equals(name: str, won: NDArray[np.float64], note: str = "") -> Row:
    """Return a row of a player against a copy of itself, which must win half of the tournaments."""
    ours = share_won(won)
    low, high = ours.interval(_CHANCE)
    rule = f"{_CHANCE:.1%} interval contains one half"
    return replace(claimed(name, ours, low <= HALF <= high, rule=rule), note=note)


def share_measured(name: str, won: NDArray[np.float64], note: str = "") -> Row:
    """Return a row of a pair about which the source says nothing."""
    return measured(name, share_won(won), note)


def faultless(faults: int, hands: int) -> Row:
    """Return a row that requires that no answer had to be replaced."""
    from railbird.estimates import Estimate

    count = Estimate(float(faults), 0.0, hands, unit="faults")
    return claimed("illegal or failed answers", count, faults == 0, rule="none")


# What Booker (2004) prints; the numbers in the figures are lost.


BOOKER_1_LAST_TEN: Final = Published(text="0.9", stderr=(0.9 * 0.1 / 10) ** 0.5)
"""Section 9.1: of the last ten tournaments against a person Booker 1 won only one."""
GAIN_AGAINST_BOOKER_4: Final = Published(text="0.0", stderr=(2 * 0.25 / 10) ** 0.5)
"""Section 9.2: the person won as many of the last ten tournaments as of the first ten."""
AGAINST_BOOKER_1: Final = 20
AGAINST_BOOKER_4: Final = 50
"""Tournaments against the person (9.1, 9.2)."""
ENDS: Final = 10
"""Tournaments that the source counts at the beginning and at the end."""
SIX: Final = 175
"""Tournaments of six (8.1)."""


# Figures: the share of tournaments won as a session goes on, and means with their intervals.


_COLOURS = ("skill", "money", "luck", "position", "preflop", "turn", "river", "ink")
_DASHES = (SOLID, DASHED, DOTTED, DASH_DOTTED)
_SIGMAS = 1.96


def winning_curves(
    name: str,
    title: str,
    won: Mapping[str, NDArray[np.float64]],
    *,
    subtitle: str,
    note: str,
    fair: float = 0.5,
) -> Drawing:
    """Plot the share of tournaments won so far in a session, with 95 % bands.

    ``won`` (sessions, tournaments) by label; the horizontal line is at ``fair``.
    """
    values = [
        {
            "line": label,
            "tournament": number,
            "share": round(float(mean), 5),
            "low": round(float(max(0, mean - _SIGMAS * error)), 5),
            "high": round(float(min(1, mean + _SIGMAS * error)), 5),
        }
        for label, table in won.items()
        for number, mean, error in _so_far(table)
    ]
    labels = list(won)
    colours = alt.Scale(domain=labels, range=_cycled([variable(c) for c in _COLOURS], labels))
    dashes = alt.Scale(domain=labels, range=_cycled([list(dash) for dash in _DASHES], labels))
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "tournament",
            type="quantitative",
            title="tournaments since the players met",
            axis=alt.Axis(format="d", tickMinStep=1),
            scale=alt.Scale(nice=False),
        ),
        color=alt.Color(
            "line", type="nominal", title=None, scale=colours, legend=alt.Legend(columns=4)
        ),
    )
    share = alt.Y(
        "share",
        type="quantitative",
        title="won so far",
        axis=alt.Axis(format=".0%"),
        scale=alt.Scale(zero=False),
    )
    bands = base.mark_area(opacity=0.15).encode(
        y=alt.Y("low", type="quantitative", title="won so far"),
        y2="high",
        color=alt.Color("line", type="nominal", scale=colours, legend=None),
    )
    strokes = base.mark_line(strokeWidth=1.8).encode(
        y=share, strokeDash=alt.StrokeDash("line", type="nominal", title=None, scale=dashes)
    )
    even = (
        alt.Chart(alt.InlineData(values=[{"share": fair}]))
        .mark_rule(color=variable("muted"), strokeWidth=1)
        .encode(y=share)
    )
    ends = ", ".join(
        f"{label} {number_format.percent(float(table.mean()))}" for label, table in won.items()
    )
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"Line chart of the share of tournaments won so far in a session: {ends} in all.",
            note=note,
            chart=layered(strokes, bands, even).properties(width="container", height=LINES_HEIGHT),
        ),
        data={},
        subtitle=subtitle,
    )


def means_with_intervals(
    name: str,
    title: str,
    means: Mapping[str, Estimate],
    *,
    amount: str,
    subtitle: str,
    note: str,
) -> Drawing:
    """Plot means as points with their 95 % intervals, one row each, in the given order."""
    values = [
        {
            "row": label,
            "mean": mean.value,
            # Too few values have no interval; the point stands alone then.
            "low": mean.low if np.isfinite(mean.low) else mean.value,
            "high": mean.high if np.isfinite(mean.high) else mean.value,
        }
        for label, mean in means.items()
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(y=row_axis("row", list(means)))
    spans = base.mark_rule(strokeWidth=3, opacity=0.6, color=variable("skill")).encode(
        x=alt.X("low", type="quantitative", title=amount, scale=alt.Scale(zero=False)), x2="high"
    )
    points = base.mark_point(filled=True, size=60, color=variable("skill")).encode(
        x=alt.X("mean", type="quantitative", title=amount)
    )
    means_text = ", ".join(
        f"{label} {number_format.number(mean.value, number_format.decimals_for(mean.stderr))}"
        for label, mean in means.items()
    )
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"Points with intervals, {amount}: {means_text}.",
            note=note,
            chart=layered(spans, points).properties(
                width="container", height=ROW_HEIGHT * len(means)
            ),
        ),
        data={},
        subtitle=subtitle,
    )


def _so_far(table: NDArray[np.float64]) -> list[tuple[int, float, float]]:
    """Return the number, the mean over sessions of the share so far, and its standard error."""
    sessions, tournaments = table.shape
    shares = np.cumsum(table, axis=1) / np.arange(1, tournaments + 1)
    errors = (
        shares.std(axis=0, ddof=1) / np.sqrt(sessions) if sessions > 1 else np.zeros(tournaments)
    )
    means = shares.mean(axis=0)
    return list(zip(range(1, tournaments + 1), means.tolist(), errors.tolist(), strict=True))


def _cycled(styles: list, labels: list[str]) -> list:  # type: ignore[type-arg]
    return [styles[place % len(styles)] for place in range(len(labels))]
