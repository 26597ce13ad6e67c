"""A process may end at any point of a tournament: nothing that was acknowledged is lost or doubled.

`helpers.simulated_server` has the loop, the clock, the disk, the database and the network, all from
one seed. To see a failure again: ``check(SEED, POINT, tmp_path, monkeypatch)``.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from helpers.hosted import played_records
from helpers.simulated_server import FORM, History, Simulation
from railbird.hosting.house_game import is_over
from railbird.hosting.journal import Opened, Took, read_journal
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


def run(seed: int, kill: int | None, folder: Path, patch: pytest.MonkeyPatch) -> Simulation:
    with patch.context() as inner:
        return Simulation(seed, kill).run(folder, inner)


def check(seed: int, kill: int | None, folder: Path, patch: pytest.MonkeyPatch) -> Simulation:
    """Play a tournament, end the process at a point, and compare everything with the journal."""
    simulation = run(seed, kill, folder, patch)
    where = f"check({seed}, {kill}, …), {simulation.killed_at or 'without an end'}"
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
    first, second = (check(SEED, None, tmp_path / name, monkeypatch) for name in "ab")
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


def points(seed: int, folder: Path, patch: pytest.MonkeyPatch) -> int:
    return len(run(seed, None, folder / "whole", patch).points.names)


def test_a_process_ends_at_some_points_of_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = points(SEED, tmp_path, monkeypatch)
    for point in sorted({*range(0, count, count // 12), count - 1}):
        check(SEED, point, tmp_path / str(point), monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("seed", [37, 39])
def test_a_process_ends_at_every_point_of_a_tournament(
    seed: int, part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = points(seed, tmp_path, monkeypatch)
    assert count >= 400, count
    for point in range(part, count, 4):
        check(seed, point, tmp_path / str(point), monkeypatch)
