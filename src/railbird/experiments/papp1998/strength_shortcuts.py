"""Errors of two approximations of strength against two and three opponents, by exact enumeration.

Loki raises the strength against the field array (the mean of the opponents' arrays) to the power of
their number; the alternative multiplies the strengths against each. Both allow two opponents to
hold the same card; the exact joint enumeration does not. Against two they are compared on random
hands with given ranges, against three on the hands of a match with what SOM believes then.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_INDEX, Card, Holding, Range
from railbird.estimates.estimate import estimate
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, measured
from railbird.experiments.papp1998.matchups import LOOSE_PLAYER, MANIAC
from railbird.experiments.papp1998.ten_seats import Version, match_of
from railbird.game import DealBoard, HandState, Street
from railbird.histories import HandRecord, read
from railbird.modelling import Tracker
from railbird.odds import hand_strength, joint_hand_strength, model_odds
from railbird.players.replay import tell
from railbird.report.toolkit.chart_marks import amount_axis, layered, zero_row
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.palette import variable
from railbird.units import Seat

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

SITUATIONS = 1000
"""Hands examined on each street with each pair of ranges."""

_STREETS = {"flop": 3, "turn": 4, "river": 5}
_TIGHT = "77+, ATs+, KJs+, QJs, AJo+, KQo"
_LOOSE = "22+, A2s+, K6s+, Q8s+, J8s+, T8s+, 97s+, 86s+, 75s+, 65s, A7o+, K9o+, Q9o+, J9o+, T9o"
PAIRS = {
    "any two": ("random", "random"),
    "tight both": (_TIGHT, _TIGHT),
    "tight and loose": (_TIGHT, _LOOSE),
    "tight and any two": (_TIGHT, "random"),
}
"""Ranges of the two opponents."""

TABLE = (
    Version("SOM", "loki:som", 4),
    Version("BPL", "loki:bpl", 2),
    Version("loose", LOOSE_PLAYER, 2),
    Version("maniac", MANIAC, 2),
)
"""The match from which the situations with three opponents are."""
_DEALS = 200
"""Deals of that match; each is played ten times."""
_PLAYERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Exact strengths, and the errors of both approximations, by situation."""

    exact: NDArray[np.float64]
    power: NDArray[np.float64]
    product: NDArray[np.float64]


def errors(pair: tuple[str, str], cards: int, *, situations: int, seed: int) -> Errors:
    """Deal hands and boards of ``cards`` cards, and compute the errors of both approximations."""
    rng = np.random.default_rng([seed, cards, *map(ord, "".join(pair))])
    ranges = [Range.parse(text) for text in pair]
    table = np.empty((situations, 3))
    for row in table:
        dealt = rng.choice(52, cards + 2, replace=False).tolist()
        hole = Holding(int(HOLDING_INDEX[dealt[0], dealt[1]]))
        board = tuple(map(Card, dealt[2:]))
        odds = model_odds(hole, board, ranges)
        exact = joint_hand_strength(hole, board, *(opponent.weights for opponent in ranges))
        row[:] = exact, odds.hs_field - exact, odds.hs - exact
    return Errors(exact=table[:, 0], power=table[:, 1], product=table[:, 2])


def real_errors(workspace: Workspace, *, situations: int) -> dict[Street, Errors]:
    """Return the errors in situations of a match in which four players begin a street.

    Each of the four hands is a situation, of which each street has ``situations`` at most; SOM's
    arrays of the other three are those of a tracker that has followed the match.
    """
    deals = max(20, round(_DEALS * situations / SITUATIONS))
    match = match_of(TABLE, deals, seed=workspace.seed)
    found: dict[Street, list[tuple[float, float, float]]] = {}
    tracker, numbers = Tracker(specific=True), {name: i for i, name in enumerate(match.names)}
    for record in read(workspace.play(match).log):
        assert isinstance(record, HandRecord)
        people = tuple(numbers[name] for name in record.players)
        for seen, played in tell(tracker, record, Seat(0), people):
            state = seen.state
            rows = found.setdefault(state.street, [])
            begins = isinstance(played.event, DealBoard) and len(state.in_hand) == _PLAYERS
            if begins and state.actor is not None and len(rows) < situations:
                rows += [_real_errors(tracker, record, state, seat) for seat in state.in_hand]
    tables = {street: np.array(rows) for street, rows in found.items() if rows}
    return {
        street: Errors(exact=table[:, 0], power=table[:, 1], product=table[:, 2])
        for street, table in sorted(tables.items())
    }


def _real_errors(
    tracker: Tracker, record: HandRecord, state: HandState, seat: Seat
) -> tuple[float, float, float]:
    others = tuple(other for other in state.in_hand if other != seat)
    hole, board = record.holes[seat], state.board
    assert hole is not None
    arrays = [tracker.weights(other) for other in others]
    exact = joint_hand_strength(hole, board, *arrays)
    field = tracker.field(others)
    power = hand_strength(hole, board, weights=field, opponents=len(others))
    product = prod(hand_strength(hole, board, weights=array) for array in arrays)
    return exact, power - exact, product - exact


def perform(workspace: Workspace) -> Result:
    """Measure on every street with every pair of ranges, and in situations of a match."""
    situations = workspace.hands(SITUATIONS, least=20)
    rows: list[Row] = []
    points: list[dict[str, object]] = []
    steps = [(name, street) for name in PAIRS for street in _STREETS]
    for done, (name, street) in enumerate(steps):
        workspace.tell(done, len(steps), "strength")
        measured_errors = errors(
            PAIRS[name], _STREETS[street], situations=situations, seed=workspace.seed
        )
        rows += _rows(measured_errors, f"{street}, {name}")
        if street == "flop" and name == "tight and any two":
            points = [
                {"exact": float(a), "error": float(b), "which": which}
                for which, wrong in _approximations(measured_errors).items()
                for a, b in zip(measured_errors.exact, wrong, strict=True)
            ]
    for when, found in real_errors(workspace, situations=situations).items():
        rows += _rows(found, f"{when.name.lower()}, three opponents in play")
    return Result(
        hands=situations, noun="situation", rows=tuple(rows), drawings=(_drawing(points),)
    )


def _rows(found: Errors, where: str) -> list[Row]:
    rows: list[Row] = []
    for which, wrong in _approximations(found).items():
        about = f"{which}, {where}"
        worst = float(abs(wrong).max())
        rows += [
            measured(f"mean error, {about}", estimate(wrong, unit="")),
            measured(
                f"mean size of the error, {about}",
                estimate(abs(wrong), unit=""),
                note=f"Worst {worst:.3f}, {about}.",
            ),
        ]
    return rows


def _approximations(found: Errors) -> dict[str, NDArray[np.float64]]:
    return {"HS^n of the field": found.power, "product": found.product}


def _drawing(points: list[dict[str, object]]) -> Drawing:
    names = list(dict.fromkeys(str(point["which"]) for point in points))
    scale = alt.Scale(domain=names, range=[variable("money"), variable("skill")])
    dots = (
        alt.Chart(alt.InlineData(values=points))
        .mark_point(filled=True, size=14, opacity=0.5)
        .encode(
            x=alt.X("exact", type="quantitative", title="exact strength", axis=amount_axis()),
            y=alt.Y("error", type="quantitative", title="shortcut less exact"),
            color=alt.Color("which", type="nominal", title=None, scale=scale),
        )
    )
    return Drawing(
        figure=Figure(
            name="shortcuts",
            title="Errors of the shortcuts on the flop, a tight opponent and one with any two",
            words="Scatter of both shortcuts' errors by exact strength against two opponents.",
            note="The field array mixes a strong and a weak range, and its square is above the "
            "product of their strengths wherever these differ; what the product lacks is that "
            "two opponents cannot hold one card.",
            chart=layered(zero_row(), dots).properties(width="container", height=320),
        ),
        data={},
        subtitle="random hands and flops",
    )
