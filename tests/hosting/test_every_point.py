"""A process may end at any point of a tournament: nothing that was acknowledged is lost or doubled.

`helpers.simulated_server` has the loop, the clock, the disk, the database and the network, all from
one seed. A failure names one number; to see it again:

    EVERY_POINT=370412 pytest tests/hosting/test_every_point.py -k one_number
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from helpers.hosted import played_records
from helpers.simulated_server import FORM, History, Simulation, number_of, simulation_of
from railbird.errors import DamagedFile
from railbird.hosting.house_game import is_over
from railbird.hosting.journal import AnyRecord, Closed, Journal, Opened, Took, read_journal
from railbird.hosting.play import NobodyListens
from railbird.hosting.tournament_play import TournamentPlay
from railbird.hosting.verify import verify
from railbird.protocol.messages import ActionEntry, HistoryEntry
from railbird.protocol.redaction import HandStart, HandStep, TableEvent, hand_view

SEED = 37


class Proceedings(NobodyListens):
    """Every hand of a journal as the public sees it, and the cards of each seat."""

    def __init__(self) -> None:
        self.hands: dict[tuple[str, int], list[HistoryEntry]] = {}
        self.cards: dict[tuple[str, int, str], list[str] | None] = {}

    def tell(self, table: int, event: TableEvent) -> None:
        if isinstance(event, HandStart | HandStep):
            moment = event.moment
            self.hands[moment.table, moment.hand] = list(moment.history)
        if isinstance(event, HandStart):
            for holder in event.moment.holders:
                view = hand_view(event.moment, holder.name)
                assert view.you is not None
                key = event.moment.table, event.moment.hand, holder.name
                self.cards[key] = view.seats[view.you].cards


def uninterrupted(folder: Path, patch: pytest.MonkeyPatch, seed: int = SEED) -> Simulation:
    """Play a tournament in one process."""
    with patch.context() as inner:
        return compared(Simulation(seed).run(folder, inner), folder, "not interrupted")


def check(number: int, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Play a tournament, end its process at a point, and compare everything with the journal."""
    simulation = simulation_of(number)
    try:
        with patch.context() as inner:
            simulation.run(folder, inner)
        compared(simulation, folder, simulation.killed_at)
    except BaseException as problem:
        problem.add_note(f"EVERY_POINT={number}: ended {simulation.killed_at}")
        raise


def compared(simulation: Simulation, folder: Path, where: str) -> Simulation:
    """Compare what the clients were told, the database and the journal; return the simulation."""
    states = simulation.states
    if "dead" in states and "read" in states:
        assert states["dead"] == states["written"] == states["read"], where
    assert not list(folder.glob("*.journal")), where
    (path,) = (folder / "done").glob("*.journal")
    records = read_journal(path)
    opened, *rest = records
    assert isinstance(opened, Opened)
    play, proceedings = TournamentPlay(opened), Proceedings()
    play.attach(None, proceedings)
    play.read(rest)
    assert is_over(records), where
    assert sum(play.stacks) == FORM.seats * FORM.stack, where
    took = Counter((r.table, r.hand, r.turn) for r in rest if isinstance(r, Took))
    assert max(took.values()) == 1, where
    (outcome,) = simulation.database.kept.values()
    names = [player.entrant.name for player in play.players]
    assert {f.player.name: f.place for f in outcome.finishes} == {
        names[player]: place for player, place in play.places.items()
    }, where
    for history in simulation.histories:
        compare(history, proceedings, where)
        for result in history.results:
            assert [place.name for place in result.places] == [
                finish.player.name for finish in outcome.finishes
            ], where
            assert (result.seed, result.tournament) == (opened.seed, opened.id), where
    (checked,) = verify(path.read_bytes().splitlines())
    assert not checked.problems, where
    return simulation


def compare(history: History, proceedings: Proceedings, where: str) -> None:
    """Find everything that a client was told, and did, in exactly one place of the journal."""
    assert not history.wrong, where
    for key, seen in history.seen.items():
        assert proceedings.hands[key][: len(seen)] == seen, f"{where}: {history.name}, hand {key}"
    for (table, hand), cards in history.cards.items():
        assert proceedings.cards[table, hand, history.name] == cards, where
    sent = {turn: [(v, to) for t, v, to in history.sent if t == turn] for turn, *_ in history.sent}
    for turn, answers in sent.items():
        table, hand_text, number = turn.rsplit(".", 2)
        key = table, int(hand_text)
        actions = [e for e in proceedings.hands[key] if isinstance(e, ActionEntry)]
        told = [e for e in history.seen.get(key, ()) if isinstance(e, ActionEntry)]
        if int(number) <= len(told):  # acknowledged, so it is the one that counts
            entry = actions[int(number) - 1]
            assert any(is_answer(entry, *answer) for answer in answers), f"{where}: turn {turn}"


def is_answer(entry: ActionEntry, verb: str, to: int | None) -> bool:
    """Whether an entry of a history is what a client sent."""
    if verb == "all_in":
        return entry.verb in ("call", "bet", "raise")
    if verb in ("raise", "bet"):
        return entry.verb in ("raise", "bet") and entry.to == to
    return entry.verb == verb


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Have the rules compiled, which takes no simulated time."""
    played_records(FORM, random.Random(0))


def test_a_run_follows_from_its_seed_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (uninterrupted(tmp_path / name, monkeypatch) for name in "ab")
    assert first.points.names == second.points.names
    journals = [next((tmp_path / name / "done").glob("*.journal")).read_bytes() for name in "ab"]
    assert journals[0] == journals[1]
    assert all(len(history.results) == 1 for history in first.histories)
    kinds = Counter(first.points.names)
    assert set(kinds) == {
        "before a line",
        "within a line",
        "after a line",
        "before a sync",
        "after a sync",
        "before a message",
        "before a result is kept",
        "after a result is kept",
        "before a journal is put away",
        "after a journal is put away",
    }


def test_a_process_ends_at_some_points_of_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = uninterrupted(tmp_path / "whole", monkeypatch).points.names
    first_of_kind = {names.index(name) for name in names}
    for point in sorted({*first_of_kind, *range(0, len(names), len(names) // 12), len(names) - 1}):
        check(number_of(SEED, point), tmp_path / str(point), monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("seed", [37, 39])
def test_a_process_ends_at_every_point_of_a_tournament(
    seed: int, part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = len(uninterrupted(tmp_path / "whole", monkeypatch, seed).points.names)
    assert count >= 400, count
    for point in range(part, count, 4):
        check(number_of(seed, point), tmp_path / str(point), monkeypatch)


def test_a_process_ends_at_the_point_of_one_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(int(os.environ.get("EVERY_POINT", number_of(SEED, 0))), tmp_path, monkeypatch)


# A check that nothing fails would show nothing. Here are servers that lose what they were told.


def fails_somewhere(kind: str, folder: Path, patch: pytest.MonkeyPatch) -> bool:
    """Whether the check fails at one of six points of a kind."""
    names = Simulation(SEED).run(folder / "whole", patch).points.names
    points = [point for point, name in enumerate(names) if name == kind]
    for point in points[3 :: len(points) // 6]:
        try:
            check(number_of(SEED, point), folder / str(point), patch)
        except (AssertionError, DamagedFile):
            return True
    return False


def test_a_journal_that_keeps_lines_back_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Journal.write
    late: dict[Path, list[AnyRecord]] = {}

    def written_three_at_once(journal: Journal, record: AnyRecord) -> None:
        records = late.setdefault(journal.path, [])
        records.append(record)
        if len(records) == 3 or isinstance(record, Opened | Closed):
            while records:
                write(journal, records.pop(0))

    monkeypatch.setattr(Journal, "write", written_three_at_once)
    assert fails_somewhere("before a message", tmp_path, monkeypatch)


def test_a_torn_line_that_stays_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.hosting.openings.mend", read_journal)
    assert fails_somewhere("within a line", tmp_path, monkeypatch)
