"""Results and ratings from journals alone, without a database."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from railbird.errors import NothingUsable, RailbirdError
from railbird.hosting.games.tournament_play import TournamentPlay
from railbird.hosting.journal import SUFFIX, read_journal
from railbird.hosting.proceedings import is_over, play_of
from railbird.hosting.records import Opened
from railbird.serve.host.results import rate, tournament_result
from railbird.storage.results import Entry, LadderRating, Standing, TournamentResult

_SERVER_FILE = "server"


def journal_results(source: Path) -> tuple[list[TournamentResult], list[str]]:
    """Read the finished tournaments of a journal, or of a server's folder, the newest first.

    Ratings are computed anew, in the order in which the tournaments ended. A line is returned for
    each journal that does not read. Raises `railbird.errors.NothingUsable` where none is over.
    """
    is_folder = source.is_dir()
    folder = source if is_folder else source.parent
    paths = [*folder.glob(f"*{SUFFIX}"), *folder.glob(f"done/*{SUFFIX}")] if is_folder else [source]
    server = _server_of(folder) or _server_of(folder.parent)
    found, problems = [], []
    for path in sorted(paths):
        try:
            result = _result(path, server)
        except RailbirdError as problem:
            problems.append(str(problem))
            continue
        if result is not None:
            found.append(result)
    if not found:
        raise NothingUsable("; ".join(problems) or f"no finished tournament in {source}")
    found.sort(key=lambda result: (result.finished_at, result.id))
    return _rated(found)[::-1], problems


def standings_of(results: list[TournamentResult]) -> dict[str, list[Standing]]:
    """Return the ladders after results whose entries have ratings, the newest first."""
    latest: dict[tuple[str, str, str], Standing] = {}
    for result in results:
        for entry in result.entries:
            if entry.rating is not None:
                latest.setdefault(
                    (result.ladder, entry.name, entry.version),
                    Standing(
                        name=entry.name,
                        version=entry.version,
                        kind=entry.kind,
                        rating=entry.rating,
                        rated_at=result.finished_at,
                    ),
                )
    ladders: dict[str, list[Standing]] = {}
    for (ladder, _, _), standing in sorted(
        latest.items(), key=lambda item: (-item[1].rating.mean, item[0])
    ):
        ladders.setdefault(ladder, []).append(standing)
    return ladders


def _rated(results: list[TournamentResult]) -> list[TournamentResult]:
    """Rate tournaments in this order, as the database does when they end."""
    known: dict[tuple[str, str, str], LadderRating] = {}
    rated = []
    for result in results:
        keys = [(result.ladder, entry.name, entry.version) for entry in result.entries]
        places = [entry.place for entry in result.entries if entry.place is not None]
        is_rated = result.rated and len(places) == len(keys) > 1
        if is_rated:
            after = rate([known.get(key) for key in keys], places)
            known |= dict(zip(keys, after, strict=True))
        entries: list[Entry] = [
            replace(entry, rating=known[key] if is_rated else None)
            for key, entry in zip(keys, result.entries, strict=True)
        ]
        rated.append(replace(result, rated=is_rated, entries=entries))
    return rated


def _result(path: Path, server: str) -> TournamentResult | None:
    records = read_journal(path)
    opened = records[0]
    assert isinstance(opened, Opened)
    if opened.kind != "tournament" or not is_over(records):
        return None
    play = play_of(opened)
    assert isinstance(play, TournamentPlay)
    play.read(records[1:])
    return tournament_result(play.outcome(path.name), server)


def _server_of(folder: Path) -> str:
    try:
        return (folder / _SERVER_FILE).read_text(encoding="ascii").strip()[:16]
    except (OSError, UnicodeError):
        return ""
