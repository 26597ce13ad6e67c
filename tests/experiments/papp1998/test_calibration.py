"""Scoring weight arrays: who knows nothing gains nothing, who knows all gains all there is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING, Holding, parse_cards, parse_holding
from railbird.experiments import Workspace
from railbird.experiments.papp1998.ten_seats import Version, match_of
from railbird.experiments.papp1998.weight_calibration import (
    calibrate,
    order_of_play,
    reliability,
    table,
    watch,
)
from railbird.experiments.papp1998.weight_scoring_rule import Scores, free_of, new_scores
from railbird.game import Event, Street, View
from railbird.histories import HandRecord, read
from railbird.players.replay import steps
from railbird.units import Seat

CALLERS = [Version("caller", "always-call", 9), Version("wild", "random,fold=0,raise=3", 1)]


class Ignorant:
    """Believes nothing."""

    def __init__(self) -> None:
        self.hands = 0

    def begin(self, view: View) -> None:
        del view
        self.hands += 1

    def observe(self, view: View, event: Event) -> None:
        pass

    def end(self, view: View) -> None:
        pass

    def weights(self, seat: Seat) -> NDArray[np.float64]:
        del seat
        return np.full(1326, 0.3)


class Seer(Ignorant):
    """Knows what everybody holds."""

    def __init__(self, record: HandRecord) -> None:
        super().__init__()
        self.holes = record.holes

    def weights(self, seat: Seat) -> NDArray[np.float64]:
        found = np.zeros(1326)
        holding = self.holes[seat]
        assert holding is not None
        found[holding] = 0.7
        return found


def test_a_score_by_hand() -> None:
    scores = Scores()
    known = parse_cards("AsKs2c3d4h")
    truth = parse_holding("QcQd")
    weights = np.where(CLASS_OF_HOLDING[truth] == CLASS_OF_HOLDING, 1.0, 0.0)
    scores.add(weights, known, truth, deal=0)
    assert scores.gain.value == pytest.approx(np.log2(1081 / 6))
    assert scores.hits.sum() == 1
    assert scores.predicted.sum() == pytest.approx(1)
    assert scores.uniform.sum() == pytest.approx(1)
    assert free_of(known).sum() == 1081


def test_a_calibrated_array_gains_its_information() -> None:
    """If truth is drawn from the array itself, mean gain is its divergence from uniform."""
    rng = np.random.default_rng(1)
    known = parse_cards("AsKs2c3d4h")
    weights = rng.random(1326) ** 4
    mass = np.where(free_of(known), weights, 0)
    mass /= mass.sum()
    scores = Scores()
    for deal in range(4000):
        scores.add(weights, known, Holding(int(rng.choice(1326, p=mass))), deal)
    divergence = float((mass[mass > 0] * np.log2(mass[mass > 0] * 1081)).sum())
    gain = scores.gain
    assert abs(gain.value - divergence) < 4 * gain.stderr < 0.1
    kept = scores.hits > 200
    assert scores.hits[kept] == pytest.approx(scores.predicted[kept], rel=0.2)


def test_who_knows_nothing_gains_nothing_and_who_knows_all_gains_all(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    match = match_of(CALLERS, 40, seed=2)
    log = workspace.play(match).log
    nothing = calibrate(log, match, Ignorant, progress=lambda *_: None)
    for street in Street:
        assert nothing[street].count == 400 * 9
        assert nothing[street].gain.value == pytest.approx(0, abs=1e-9)
    record = next(iter(read(log)))
    assert isinstance(record, HandRecord)
    everything = new_scores()
    watch(Seer(record), record, Seat(0), 0, everything)
    river = everything[Street.RIVER].gain
    assert river.value == pytest.approx(np.log2(45 * 44 / 2))
    assert set(table(nothing)["street"]) == {"preflop", "flop", "turn", "river"}
    drawing = reliability("x", "y", nothing, subtitle="z")
    assert drawing.figure.spec()["description"]


def test_memory_is_fresh_where_the_players_forgot(tmp_path: Path) -> None:
    match = match_of(CALLERS, 40, seed=2)
    log = Workspace(folder=tmp_path).play(match).log
    made: list[Ignorant] = []

    def make() -> Ignorant:
        made.append(Ignorant())
        return made[-1]

    calibrate(log, match, make, progress=lambda *_: None)
    assert [each.hands for each in made[1:]] == [20] * 20
    order = list(order_of_play(match))
    assert len(order) == 400
    assert [deal for _, deal in order[:21]] == [*range(20), 0]
    for record, (_, deal) in zip(read(log), order, strict=True):
        assert isinstance(record, HandRecord)
        assert deal in range(40)
        assert list(steps(record))
