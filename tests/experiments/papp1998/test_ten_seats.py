"""The laboratory of ten seats: the seating of the source, sums that vanish, intervals by deal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.estimates.estimate import estimate
from railbird.experiments import Workspace
from railbird.experiments.framework.workspace import log_name
from railbird.experiments.papp1998.running_averages import DATA, averages
from railbird.experiments.papp1998.ten_seats import (
    SEATS,
    Standings,
    Version,
    match_of,
    play_versions,
)
from railbird.histories import HandRecord, read

CALLERS = Version("caller", "always-call", 5)
WILD = Version("wild", "random,fold=1,call=3,raise=1", 5)


@pytest.fixture(scope="module")
def standings(tmp_path_factory: pytest.TempPathFactory) -> Standings:
    workspace = Workspace(seed=3, folder=tmp_path_factory.mktemp("logs"))
    return play_versions(workspace, [CALLERS, WILD], deals=60)


def test_every_player_holds_every_hand_in_every_seat_with_other_neighbours() -> None:
    """Papp 1998, chapter 8: player p sits in round r in seat r * p modulo 11."""
    match = match_of([CALLERS, WILD], 1, seed=0)
    seats = np.array([match.seatings(range(1), round_)[0] for round_ in range(SEATS)])
    for players in (seats, seats.T):
        assert [sorted(each) for each in players] == [list(range(SEATS))] * SEATS
    places = np.argsort(seats, axis=1) + 1
    assert all(places[r, p] == (r + 1) * (p + 1) % 11 for r in range(SEATS) for p in range(SEATS))
    for p, q in ((0, 1), (2, 7), (3, 9)):
        apart = [(places[r, p] - places[r, q]) % 11 for r in range(SEATS)]
        assert sorted(apart) == list(range(1, 11))


def test_what_some_win_others_lose(standings: Standings) -> None:
    assert standings.won.shape == (60, 2)
    assert standings.won @ [5, 5] == pytest.approx(np.zeros(60), abs=1e-9)
    assert standings.hands == 600
    assert standings.faults == 0


def test_results_are_those_of_the_log(standings: Standings) -> None:
    total = 0.0
    for record in read(standings.log):
        assert isinstance(record, HandRecord)
        callers = [name.startswith("always-call") for name in record.players]
        total += sum(float(p) for p, own in zip(record.payoffs, callers, strict=True) if own)
    assert standings.of("caller").value == pytest.approx(total / 10 / 600 / 5)


def test_a_lead_is_paired_by_deal(standings: Standings) -> None:
    lead = standings.lead("caller", "wild")
    assert lead == estimate(standings.won[:, 0] - standings.won[:, 1])
    assert lead.n == 60
    assert lead.value == pytest.approx(2 * standings.of("caller").value)


def test_blocks_are_what_a_player_remembers(standings: Standings) -> None:
    assert standings.block == 20
    lead = standings.won[:, 0] - standings.won[:, 1]
    a, b, c = (lead[i : i + 20].mean() for i in (0, 20, 40))
    spread = np.std([a, b, c], ddof=1) / np.sqrt(3)
    assert standings.margin("caller", "wild") == pytest.approx(4.302653 * spread)  # t, 2 degrees
    assert replace(standings, block=60).margin("caller") == np.inf


def test_who_never_looks_at_its_cards_wins_nothing_of_its_like(tmp_path: Path) -> None:
    """Ten callers hold all ten hands of each deal in turn: every deal comes to exactly nothing."""
    same = [Version("one", "always-call", 5), Version("other", "always-call", 5)]
    found = play_versions(Workspace(folder=tmp_path), same, deals=40)
    assert np.abs(found.won).max() < 1e-9


def test_a_stopped_table_goes_on_from_its_log(standings: Standings, tmp_path: Path) -> None:
    workspace = Workspace(seed=3, folder=tmp_path, workers=2)
    match = match_of([CALLERS, WILD], 60, seed=3)
    whole = standings.log.read_bytes()
    (tmp_path / log_name(match)).write_bytes(whole[: len(whole) // 2])
    again = play_versions(workspace, [CALLERS, WILD], deals=60)
    assert 0 < workspace.work[0].hands < 600
    assert np.array_equal(again.won, standings.won)
    assert again.log.read_bytes() == whole


def test_ten_seats_must_be_taken() -> None:
    with pytest.raises(BadInput, match="5 players at a table of 10"):
        match_of([CALLERS], 10, seed=0)


def test_the_figure_ends_at_the_estimates(standings: Standings) -> None:
    drawing = averages("table", "A table", standings, subtitle="x", note="y")
    table = drawing.data[DATA].table
    assert table["hand"][-1] == standings.hands
    assert table["line_0"][-1] == pytest.approx(standings.of("caller").value, abs=1e-5)
    assert "caller" in drawing.figure.spec()["description"]
