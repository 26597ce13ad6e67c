"""Income rates of the 169 classes of starting hands: the published tables and ours.

Papp 1998, appendix A: everybody calls one bet before the flop, all cards are dealt, and the best
hand wins; the rate is a class's mean gain per deal, in thousandths of the bet. The published rates
are simulated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import comb, prod
from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird.arena import Match, Seating
from railbird.cards import (
    CLASS_NAMES,
    HOLDING_CARDS,
    HOLDING_INDEX,
    Card,
    Holding,
    Range,
    parse_class,
)
from railbird.estimates import Estimate
from railbird.estimates.bounded_mean import Proportion
from railbird.estimates.estimate import estimate
from railbird.game import (
    HEADS_UP_LIMIT,
    DealBoard,
    HandState,
    Rules,
    Street,
    acpc_rules,
    limit_holdem,
)
from railbird.histories import HandRecord, read
from railbird.modelling import Tracker, income_rates
from railbird.modelling.reweighting import percentile_scale
from railbird.odds import hand_strength, joint_hand_strength, model_odds, potential
from railbird.players.advice import tell
from railbird.report import number_format
from railbird.report.charts import amount_axis, layered, variable, zero_row
from railbird.report.document import Figure
from railbird.solve.limit import betting_tree
from railbird.units import Seat
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import (
    Published,
    Row,
    claimed,
    compared,
    mean_ranks,
    measured,
    must_exceed_zero,
    rank_correlation,
)
from railbird_papers.papp1998.matchups import (
    LOOSE_PLAYER,
    MANIAC,
    ROCK,
    Version,
    check_raises,
    interval_chart,
    match_of,
    published_income_rates,
)

if TYPE_CHECKING:
    from railbird_papers.framework.workspace import PlayedMatch, Workspace


LOKI_INCOME_RATES_OPPONENTS = (1, 3, 6)
"""Numbers of opponents in the published tables."""
LEAST_CORRELATION = 0.99

_UNIT = "thousandths"
SKLANSKY_MALMUTH = (
    ("AA", "KK", "QQ", "JJ", "AKs"),
    ("TT", "AQs", "AJs", "KQs", "AKo"),
    ("99", "JTs", "QJs", "KJs", "ATs", "AQo"),
    ("T9s", "KQo", "88", "QTs", "98s", "J9s", "AJo", "KTs"),
    (
        *("77", "87s", "Q9s", "T8s", "KJo", "QJo", "JTo", "76s", "97s", "65s"),
        *("A9s", "A8s", "A7s", "A6s", "A5s", "A4s", "A3s", "A2s"),
    ),
    ("66", "ATo", "55", "86s", "KTo", "QTo", "54s", "K9s", "J8s", "75s"),
    (
        *("44", "J9o", "64s", "T9o", "53s", "33", "98o", "43s", "22", "T7s", "Q8s"),
        *("K8s", "K7s", "K6s", "K5s", "K4s", "K3s", "K2s"),
    ),
    (
        *("87o", "A9o", "Q9o", "76o", "42s", "32s", "96s", "85s", "J8o", "J7s"),
        *("65o", "54o", "74s", "K9o", "T8o"),
    ),
)
"""The eight groups of Sklansky and Malmuth (Hold'em Poker for Advanced Players), best first."""
FAR_FROM_THEIR_GROUP: Final = Published(text="16")
DO_NOT_LOSE: Final = Published(text="88")
"""Of the 169 classes, with seven players: appendix A, node75 of the thesis's HTML pages."""


def differences() -> pl.DataFrame:
    """Return the published rate, ours and the difference by class and number of opponents."""
    columns: dict[str, object] = {"hand": list(CLASS_NAMES)}
    for opponents in LOKI_INCOME_RATES_OPPONENTS:
        theirs, ours = published_income_rates(opponents), income_rates(opponents)
        columns |= {
            f"published_{opponents}": theirs,
            f"ours_{opponents}": ours.round(1),
            f"difference_{opponents}": (ours - theirs).round(1),
        }
    return pl.DataFrame(columns)


def groups(rates: NDArray[np.float64]) -> list[set[str]]:
    """Return the best classes by income rate, in groups as large as Sklansky's and Malmuth's."""
    best = [CLASS_NAMES[i] for i in np.argsort(-rates, kind="stable")]
    ends = np.cumsum([0, *map(len, SKLANSKY_MALMUTH)])
    return [set(best[a:b]) for a, b in pairwise(ends)]


def shifts(rates: NDArray[np.float64]) -> dict[str, int]:
    """Return by how many groups each class is lower by income rate than in theirs.

    Classes in none of the eight groups form a ninth.
    """
    ours, theirs = (
        {hand: number for number, group in enumerate(grouping) for hand in group}
        for grouping in (groups(rates), SKLANSKY_MALMUTH)
    )
    last = len(SKLANSKY_MALMUTH)
    return {hand: ours.get(hand, last) - theirs.get(hand, last) for hand in CLASS_NAMES}


def loki_income_rates(workspace: Workspace) -> ExperimentResult:
    """Compare the tables; nothing is played."""
    del workspace
    rows = [
        row
        for opponents in LOKI_INCOME_RATES_OPPONENTS
        for row in _loki_income_rates_rows(opponents)
    ]
    return ExperimentResult(
        hands=len(rows),
        noun="income rate",
        rows=(*rows, *_group_rows()),
        drawings=tuple(map(_loki_income_rates_drawing, LOKI_INCOME_RATES_OPPONENTS)),
        tables={"differences": differences()},
    )


def _exact(value: float, unit: str = "") -> Estimate:
    return Estimate(value, 0.0, len(CLASS_NAMES), unit=unit)


def _loki_income_rates_rows(opponents: int) -> list[Row]:
    theirs, ours = published_income_rates(opponents), income_rates(opponents)
    apart = ours - theirs
    known = ~np.isnan(apart)
    correlation = rank_correlation(theirs[known], ours[known])
    against = f"{opponents} opponent{'s' if opponents > 1 else ''}"
    farthest = [CLASS_NAMES[i] for i in np.argsort(-np.abs(np.where(known, apart, 0)))[:5]]
    moved = np.abs(mean_ranks(theirs[known]) - mean_ranks(ours[known]))
    slope, level = np.polyfit(theirs[known], ours[known], 1)
    return [
        claimed(
            f"rank correlation, {against}",
            _exact(correlation),
            correlation > LEAST_CORRELATION,
            rule=f"above {LEAST_CORRELATION}",
        ),
        measured(f"mean of the differences, {against}", _exact(float(np.nanmean(apart)), _UNIT)),
        measured(
            f"mean size of the differences, {against}",
            _exact(float(np.nanmean(abs(apart))), _UNIT),
        ),
        measured(
            f"largest difference, {against}",
            _exact(float(np.nanmax(abs(apart))), _UNIT),
            note=f"Farthest apart, {against}: "
            + ", ".join(
                f"{hand} {number_format.signed(float(apart[parse_class(hand)]), 0)}"
                for hand in farthest
            )
            + ".",
        ),
        measured(
            f"scatter about the line ours = a + b published, {against}",
            _exact(float(np.std(ours[known] - level - slope * theirs[known])), _UNIT),
            note=f"a = {number_format.signed(float(level), 0)}, b = {slope:.3f}, {against}.",
        ),
        measured(f"places moved in the order, at most, {against}", _exact(float(moved.max()))),
    ]


def _group_rows() -> list[Row]:
    rows = []
    for name, rates in (("ours", income_rates(6)), ("published", published_income_rates(6))):
        # The source's text counts by its own rates.
        far_in_text, lossless_in_text = (
            (FAR_FROM_THEIR_GROUP, DO_NOT_LOSE) if name == "published" else (None, None)
        )
        for number, (wanted, ours) in enumerate(
            zip(SKLANSKY_MALMUTH, groups(rates), strict=True), 1
        ):
            out, into = sorted(set(wanted) - ours), sorted(ours - set(wanted))
            rows.append(
                measured(
                    f"group {number} shared with Sklansky and Malmuth, {name}",
                    _exact(float(len(wanted) - len(out))),
                    note=f"Group {number}, {name}: of {len(wanted)}; "
                    f"{', '.join(into) or 'nothing'} for {', '.join(out) or 'nothing'}.",
                )
            )
        apart = shifts(rates)
        far = sorted((hand for hand in apart if abs(apart[hand]) > 1), key=lambda h: apart[h])
        rows += [
            _row(
                f"classes more than one group from theirs, {name}",
                _exact(len(far)),
                far_in_text,
                note=", ".join(f"{hand} {number_format.signed(apart[hand], 0)}" for hand in far)
                + f", {name}, by one edition's groups; the source may have had another's.",
            ),
            _row(
                f"classes that do not lose against six, {name}",
                _exact(int((rates >= 0).sum())),
                lossless_in_text,
            ),
        ]
    return rows


def _row(name: str, ours: Estimate, published: Published | None, note: str = "") -> Row:
    """Return a result, with the source's if there is one."""
    return (
        measured(name, ours, note) if published is None else compared(name, published, ours, note)
    )


def _loki_income_rates_drawing(opponents: int) -> Drawing:
    theirs, ours = published_income_rates(opponents), income_rates(opponents)
    values = [
        {"hand": hand, "published": float(a), "ours": float(b)}
        for hand, a, b in zip(CLASS_NAMES, theirs, ours, strict=True)
        if not math.isnan(a)
    ]
    low, high = (float(f([*theirs, *ours])) for f in (np.nanmin, np.nanmax))
    diagonal = (
        alt.Chart(alt.InlineData(values=[{"x": low, "y": low}, {"x": high, "y": high}]))
        .mark_line(color=variable("muted"), strokeWidth=1)
        .encode(x=alt.X("x", type="quantitative"), y=alt.Y("y", type="quantitative"))
    )
    title = "thousandths of a bet"
    points = (
        alt.Chart(alt.InlineData(values=values))
        .mark_point(filled=True, size=28, opacity=0.8, color=variable("skill"))
        .encode(
            x=alt.X(
                "published", type="quantitative", title=f"published, {title}", axis=amount_axis()
            ),
            y=alt.Y("ours", type="quantitative", title=f"ours, {title}"),
            tooltip=[alt.Tooltip("hand", type="nominal")],
        )
    )
    which = f"{opponents} opponent{'s' if opponents > 1 else ''}"
    return Drawing(
        figure=Figure(
            name=f"{opponents}-opponents",
            title=f"Income rates, {which}",
            words=f"Scatter of 169 kinds of hands: published income rate and ours, {which}.",
            note="Each point is a kind of starting hand; on the line both tables agree.",
            chart=layered(diagonal, points).properties(width="container", height=320),
        ),
        data={},
        subtitle="Papp 1998, appendix A, and our roll-outs",
    )


# Loki at other numbers of seats than ten.
#
# Heads-up it plays in duplicate against players that it is not chosen on; at two to ten seats SOM
# shares the table with as many BPL, and the same deals are played in every seat.


VERSIONS: Final = ("loki:som", "loki:best")
"""Versions that play heads-up."""
OPPONENTS: Final = (
    "loki:bpl",
    "baseline:aggressive-high",
    "baseline:tight-low",
    "baseline",
    "always-call",
    "always-raise",
    "random",
)
"""Opponents from whom the best version must win."""
DEALS: Final = 5_000
"""Deals of a match, each played twice."""
_SMALL_BET: Final = 10
SEATS: Final = range(2, 11)
HANDS: Final = 50_000
"""Hands played at each number of seats."""
_LEAST_DEALS: Final = 40


def heads_up(workspace: Workspace) -> ExperimentResult:
    """Play every version against every opponent."""
    deals = workspace.hands(DEALS, least=_LEAST_DEALS)
    rows: list[Row] = []
    pairs: dict[tuple[str, str], PlayedMatch] = {}
    for version in VERSIONS:
        row = must_exceed_zero if version == VERSIONS[-1] else measured
        for opponent in OPPONENTS:
            played = _played(workspace, version, opponent, deals)
            rows.append(row(f"{version} against {opponent}", _won(played)))
            pairs[version, opponent] = played
    hands = 2 * deals * len(rows)
    opponent = OPPONENTS[0]
    counted = [
        check_raises(
            f"against {opponent}: ",
            pairs[version, opponent].log,
            2 * deals,
            {name: name for name in (version, opponent)},
        )[0]
        for version in VERSIONS
    ]
    drawing = interval_chart(
        "heads-up",
        "Heads-up in duplicate",
        rows,
        amount="small bets per hand",
        subtitle=f"{2 * deals:,} hands each, seed {workspace.seed}",
    )
    return ExperimentResult(hands=hands, rows=(*rows, *counted), drawings=(drawing,))


def _played(workspace: Workspace, version: str, opponent: str, deals: int) -> PlayedMatch:
    match = Match(
        players=(version, opponent),
        rules=_rules(2),
        deals=deals,
        seed=workspace.seed,
        seating=Seating.DUPLICATE,
    )
    return workspace.play(match)


def _won(played: PlayedMatch) -> Estimate:
    return estimate(played.result.payoffs.mean(axis=0)[:, 0] / _SMALL_BET)


# An opponent who changes its style, for whom the source would let old observations count less (9).


DECAYS: Final = (1.0, 0.98, 0.95, 0.9)
"""Factors on earlier observations at each new one; 1 never forgets, as in the source."""
CHANGES: Final = 500
"""Hands between two changes of style."""
STYLES: Final = (MANIAC, ROCK)
"""The two styles of the changing opponent: each is the worst model of the other."""
STYLE_DEALS: Final = 10_000


def changing_styles(workspace: Workspace) -> ExperimentResult:
    """Play the source's modeller with every memory against an opponent that changes its style.

    Players forget after four changes. The same cards are dealt to all.
    """
    deals = workspace.hands(STYLE_DEALS, least=_LEAST_DEALS)
    opponents = {
        "who changes": f"coach:{'+'.join(STYLES)},switch=hands,after={CHANGES}",
        "maniac alone": MANIAC,
        "rock alone": ROCK,
    }
    rows: list[Row] = []
    for name, opponent in opponents.items():
        won = {decay: _against_style(workspace, decay, opponent, deals) for decay in DECAYS}
        never = won[1.0]
        rows.append(measured(f"loki:papp against one {name}", estimate(never)))
        rows += [
            measured(
                f"one {name}: decay={decay:g} less never forgetting", estimate(results - never)
            )
            for decay, results in won.items()
            if decay < 1
        ]
    drawing = interval_chart(
        "changing-styles",
        "What forgetting is worth against an opponent who changes its style, and who does not",
        [row for row in rows if "less" in row.name],
        amount="small bets per hand",
        subtitle=f"{deals:,} hands each, heads-up, seed {workspace.seed}",
    )
    hands = deals * len(DECAYS) * len(opponents)
    return ExperimentResult(hands=hands, rows=tuple(rows), drawings=(drawing,))


def _against_style(
    workspace: Workspace, decay: float, opponent: str, deals: int
) -> NDArray[np.float64]:
    """Return Loki's winnings by deal, (deals,) small bets."""
    match = Match(
        players=(f"loki:papp,decay={decay:g}", opponent),
        rules=_rules(2),
        deals=deals,
        seed=workspace.seed,
        chunk=4 * CHANGES,
    )
    won: NDArray[np.float64] = workspace.play(match).result.payoffs[0, :, 0] / _SMALL_BET
    return won


def by_seats(workspace: Workspace) -> ExperimentResult:
    """Play SOM and BPL at each number of seats; if it is odd, SOM has one more copy."""
    rows: list[Row] = []
    hands = 0
    for seats in SEATS:
        deals = workspace.hands(HANDS // seats, least=_LEAST_DEALS)
        match = Match(
            players=("loki:som",) * (seats - seats // 2) + ("loki:bpl",) * (seats // 2),
            rules=_rules(seats),
            deals=deals,
            seed=workspace.seed,
            seating=Seating.PERMUTED,
        )
        won = workspace.play(match).result.payoffs.mean(axis=0) / _SMALL_BET
        som, bpl = (part.mean(axis=1) for part in np.split(won, [seats - seats // 2], axis=1))
        rows.append(measured(f"SOM less BPL, {seats} seats", estimate(som - bpl)))
        hands += match.hands
    drawing = interval_chart(
        "seats",
        "SOM less BPL by number of seats",
        rows,
        amount="small bets per hand",
        subtitle=f"half SOM, half BPL; every deal in every seat, seed {workspace.seed}",
    )
    return ExperimentResult(hands=hands, rows=tuple(rows), drawings=(drawing,))


def _rules(seats: int) -> Rules:
    return acpc_rules(limit_holdem(seats, small_bet=_SMALL_BET))


# Errors of two approximations of strength against two and three opponents, by exact enumeration.
#
# Loki raises the strength against the field array (the mean of the opponents' arrays) to the power
# of their number; the alternative multiplies the strengths against each. Both allow two opponents
# to hold the same card; the exact joint enumeration does not. Against two they are compared on
# random hands with given ranges, against three on the hands of a match with what SOM believes then.


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
"""The match that provides the situations with three opponents."""
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

    Each of the four hands is a situation, and each street has at most ``situations`` of them. SOM's
    arrays of the other three come from a tracker that has followed the match.
    """
    deals = max(20, round(_DEALS * situations / SITUATIONS))
    match = match_of(TABLE, deals, seed=workspace.seed)
    errors_by_street: dict[Street, list[tuple[float, float, float]]] = {}
    tracker, numbers = Tracker(specific=True), {name: i for i, name in enumerate(match.names)}
    for record in read(workspace.play(match).log):
        assert isinstance(record, HandRecord)
        people = tuple(numbers[name] for name in record.players)
        for seen, played in tell(tracker, record, Seat(0), people):
            state = seen.state
            rows = errors_by_street.setdefault(state.street, [])
            begins = isinstance(played.event, DealBoard) and len(state.in_hand) == _PLAYERS
            if begins and state.actor is not None and len(rows) < situations:
                rows += [_real_errors(tracker, record, state, seat) for seat in state.in_hand]
    tables = {street: np.array(rows) for street, rows in errors_by_street.items() if rows}
    return {
        street: Errors(exact=table[:, 0], power=table[:, 1], product=table[:, 2])
        for street, table in sorted(tables.items())
    }


def _real_errors(
    tracker: Tracker, record: HandRecord, state: HandState, seat: Seat
) -> tuple[float, float, float]:
    others = tuple(opponent for opponent in state.in_hand if opponent != seat)
    hole, board = record.holes[seat], state.board
    assert hole is not None
    arrays = [tracker.weights(opponent) for opponent in others]
    exact = joint_hand_strength(hole, board, *arrays)
    field = tracker.field(others)
    power = hand_strength(hole, board, weights=field, opponents=len(others))
    product = prod(hand_strength(hole, board, weights=array) for array in arrays)
    return exact, power - exact, product - exact


def strength_shortcuts(workspace: Workspace) -> ExperimentResult:
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
        rows += _strength_shortcuts_rows(measured_errors, f"{street}, {name}")
        if street == "flop" and name == "tight and any two":
            points = [
                {"exact": float(a), "error": float(b), "which": which}
                for which, wrong in _approximations(measured_errors).items()
                for a, b in zip(measured_errors.exact, wrong, strict=True)
            ]
    for when, street_errors in real_errors(workspace, situations=situations).items():
        rows += _strength_shortcuts_rows(
            street_errors, f"{when.name.lower()}, three opponents in play"
        )
    return ExperimentResult(
        hands=situations,
        noun="situation",
        rows=tuple(rows),
        drawings=(_strength_shortcuts_drawing(points),),
    )


def _strength_shortcuts_rows(measured_errors: Errors, where: str) -> list[Row]:
    rows: list[Row] = []
    for which, wrong in _approximations(measured_errors).items():
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


def _approximations(measured_errors: Errors) -> dict[str, NDArray[np.float64]]:
    return {"HS^n of the field": measured_errors.power, "product": measured_errors.product}


def _errors_chart(points: Sequence[Mapping[str, object]], exact: str) -> alt.LayerChart:
    """Draw the errors of two shortcuts by the exact number, which ``exact`` names."""
    names = list(dict.fromkeys(str(point["which"]) for point in points))
    scale = alt.Scale(domain=names, range=[variable("money"), variable("skill")])
    dots = (
        alt.Chart(alt.InlineData(values=[dict(point) for point in points]))
        .mark_point(filled=True, size=14, opacity=0.5)
        .encode(
            x=alt.X("exact", type="quantitative", title=exact, axis=amount_axis()),
            y=alt.Y("error", type="quantitative", title="shortcut less exact"),
            color=alt.Color("which", type="nominal", title=None, scale=scale),
        )
    )
    return layered(zero_row(), dots).properties(width="container", height=320)


def _strength_shortcuts_drawing(points: list[dict[str, object]]) -> Drawing:
    return Drawing(
        figure=Figure(
            name="shortcuts",
            title="Errors of the shortcuts on the flop, a tight opponent and one with any two",
            words="Scatter of both shortcuts' errors by exact strength against two opponents.",
            note="The field array mixes a strong and a weak range, and its square is above the "
            "product of their strengths wherever these differ; what the product lacks is that "
            "two opponents cannot hold one card.",
            chart=_errors_chart(points, "exact strength"),
        ),
        data={},
        subtitle="random hands and flops",
    )


# Crude potential: what the next card gains, by counting outs (Papp 1998, 7.2).
#
# To reweight all holdings after an action the source looks at features of each and of the board,
# counts outs, and takes for each what it is roughly worth. Of its values only those of outs to a
# flush are known (7.2.3, node60 of the thesis's HTML pages); the others are reconstructed, round
# numbers chosen once. Loki itself takes a table of what the next card gains.


_STRAIGHT: Final = 5
"""Cards of a straight, and of a flush."""
_LEAST_FLUSH_OUT: Final = 0.5
"""What an out to a flush is worth with a two and three cards on the board: an ace's, or one with
both hole cards, is worth 1, and the ranks between in proportion (Papp 1998, 7.2.3)."""
_STRAIGHT_OUT: Final = (0.6, 0.85)
"""What an out to a straight is worth with one hole card in it, with both."""
_SET_OUT: Final = 0.9
_TWO_PAIR_OUT: Final = 0.7
_PAIR_OUT: Final = 0.5
"""Worth of an out that pairs a hole card above the whole board; a lower pair is worth nothing."""


def crude_potential(hole: Holding, board: Sequence[Card]) -> float:
    """Return roughly the chance that the next card puts a hand ahead that is behind, by its outs.

    Each card that may come counts by the best hand that it makes. ``board`` is a flop or a turn.
    """
    own = [divmod(int(card), 4) for card in HOLDING_CARDS[hole]]
    table = [divmod(int(card), 4) for card in board]
    seen = {*own, *table}
    cards = [(rank, suit) for rank in range(13) for suit in range(4) if (rank, suit) not in seen]
    total = sum(_out_worth(card, own, table) for card in cards)
    return total / len(cards)


def _out_worth(
    card: tuple[int, int], own: Sequence[tuple[int, int]], table: Sequence[tuple[int, int]]
) -> float:
    rank, suit = card
    worth = 0.0
    suited = [held for held, of in own if of == suit]
    if suited and len(suited) + sum(of == suit for _, of in table) == _STRAIGHT - 1:
        least = 1.0 if len(suited) == len(own) else _LEAST_FLUSH_OUT
        worth = least + (1 - least) * max(suited) / _ACE
    before, ours = {held for held, _ in (*own, *table)}, {held for held, _ in own}
    for low in range(-1, 9):  # the ace is below a two as well
        straight = {(low + step) % 13 for step in range(_STRAIGHT)}
        if straight - before == {rank} and (used := len(straight & ours - {r for r, _ in table})):
            worth = max(worth, _STRAIGHT_OUT[used - 1])
    ranks = [held for held, _ in own]
    if rank in ranks:
        paired = ranks[0] == ranks[1] or any(held in ranks for held, _ in table)
        made = ranks[0] == ranks[1] or any(held == rank for held, _ in table)
        above = rank > max(held for held, _ in table)
        pair = _TWO_PAIR_OUT if paired else _PAIR_OUT if above else 0.0
        worth = max(worth, _SET_OUT if made else pair)
    return worth


_ACE: Final = 12
CLOSE: Final = 0.05
CLOSE_SHARE: Final = Published(text="0.95")
"""Share of random hands on flops in which the source's outs are within .05 of the exact potential,
as we read "within 5 %" (7.2.3, node60 of the thesis's HTML pages)."""

POTENTIAL_SITUATIONS: Final = 1_000
"""Hands examined on each street."""


def crude_potentials(workspace: Workspace) -> ExperimentResult:
    """Compare both shortcuts with the exact potential of random hands that may be behind."""
    situations = workspace.hands(POTENTIAL_SITUATIONS, least=20)
    rows: list[Row] = []
    points: list[dict[str, object]] = []
    for street, cards, share_in_text in (("flop", 3, CLOSE_SHARE), ("turn", 4, None)):
        workspace.tell(cards - 3, 2, "potential")
        rng = np.random.default_rng([workspace.seed, cards])
        potentials = np.empty((situations, 3))
        for row in potentials:
            dealt = rng.choice(52, cards + 2, replace=False).tolist()
            hole = Holding(int(HOLDING_INDEX[dealt[0], dealt[1]]))
            board = tuple(sorted(map(Card, dealt[2:])))
            table = percentile_scale(board).potential[hole]
            row[:] = potential(hole, board, to_come=1).ppot, crude_potential(hole, board), table
        exact = potentials[:, 0]
        for column, shortcut in enumerate(("outs", "Loki's table"), start=1):
            wrong = potentials[:, column] - exact
            rows += [
                measured(f"{street}: mean error, {shortcut}", estimate(wrong, unit="")),
                measured(
                    f"{street}: mean size of the error, {shortcut}",
                    estimate(abs(wrong), unit=""),
                    note=f"Worst {abs(wrong).max():.3f}; rank correlation with the exact one "
                    f"{rank_correlation(potentials[:, column], exact):.3f}.",
                ),
                _row(
                    f"{street}: within {CLOSE} of the exact one, {shortcut}",
                    Proportion.of_trials(abs(wrong) <= CLOSE),
                    share_in_text,
                ),
            ]
            points += [
                {"exact": float(a), "error": float(b), "which": shortcut}
                for a, b in zip(exact, wrong, strict=True)
                if street == "flop"
            ]
    return ExperimentResult(
        hands=situations,
        noun="situation",
        rows=tuple(rows),
        drawings=(
            Drawing(
                figure=Figure(
                    name="potential",
                    title="Errors of crude potential on the flop",
                    words="Scatter of the errors of outs and of Loki's table by the exact "
                    "probability of getting ahead by the turn.",
                    note="Against any two cards, ties half.",
                    chart=_errors_chart(points, "exact potential"),
                ),
                data={},
                subtitle=f"{situations:,} random hands, seed {workspace.seed}",
            ),
        ),
    )


# The size of the game, which the source draws as branching factors (Papp 1998, figure 4.2).


STATES: Final = "3.16"
INFORMATION_SETS: Final = "3.19"
"""Decisions of heads-up limit with all cards seen, in 1e17, and as the players see them, in 1e14:
Bowling, Burch, Johanson and Tammelin 2015, "Heads-up limit hold'em poker is solved"."""

_HANDS_OF_TWO: Final = comb(52, 2) * comb(50, 2)
_BOARDS_OF_TWO: Final = (1, comb(48, 3), comb(48, 3) * 45, comb(48, 3) * 45 * 44)
"""Boards by street, the turn and the river in their order, given both hands."""
_BOARDS_OF_ONE: Final = (1, comb(50, 3), comb(50, 3) * 47, comb(50, 3) * 47 * 46)
"""The same, given one's own hand."""
PLAYERS: Final = (2, 3, 4, 6, 10)


def game_tree(workspace: Workspace) -> ExperimentResult:
    """Count the cards and the betting; ``workspace`` is not needed."""
    rounds = betting_tree(HEADS_UP_LIMIT).rounds
    decisions = [betting_round.decisions for betting_round in rounds]
    rows = [
        measured("hole cards of two players", _exactly(_HANDS_OF_TWO)),
        measured("flops", _exactly(_BOARDS_OF_TWO[1])),
        measured("turns after a flop", _exactly(45)),
        measured("rivers after a turn", _exactly(44)),
        *(
            measured(
                f"actions at a decision, {street}",
                _exactly(betting_round.slots / betting_round.nodes),
            )
            for street, betting_round in zip(STREET_NAMES, rounds, strict=True)
        ),
        compared(
            "decisions with all cards seen, 1e17",
            Published(text=STATES),
            _exactly(_HANDS_OF_TWO * np.dot(decisions, _BOARDS_OF_TWO) / 1e17),
        ),
        compared(
            "decisions as the players see them, 1e14",
            Published(text=INFORMATION_SETS),
            _exactly(comb(52, 2) * np.dot(decisions, _BOARDS_OF_ONE) / 1e14),
        ),
    ]
    for players in PLAYERS:
        first = betting_sequences(players, blinds=True)
        later = betting_sequences(players)
        rows += [
            measured(f"ways to bet before the flop, {players} players", _exactly(first)),
            measured(f"ways to bet on a later street, {players} players", _exactly(later)),
        ]
    return ExperimentResult(
        hands=len(rows), noun="number", rows=tuple(rows), drawings=(_betting_drawing(rows),)
    )


STREET_NAMES: Final = tuple(street.name.lower() for street in Street)
CAP: Final = 4
"""Bets of a round, the blind included."""


def _exactly(value: float) -> Estimate:
    return Estimate(float(value), 0.0, 1, "")


@cache
def _ways(players: int, to_act: int, bets: int, *, option: bool) -> int:
    """Count the ways to finish a round, by the players that are left.

    ``option`` is True while the big blind, who acts last, may check the blind bet.
    """
    if players == 1 or to_act == 0:
        return 1
    free = bets == 0 or (option and to_act == 1)
    ways = _ways(players, to_act - 1, bets, option=option)
    if not free:
        ways += _ways(players - 1, to_act - 1, bets, option=option)
    if bets < CAP:
        ways += _ways(players, players - 1, bets + 1, option=False)
    return ways


def betting_sequences(players: int, *, blinds: bool = False) -> int:
    """Count the ways to bet a round of limit to its end, with at most four bets.

    >>> betting_sequences(2), betting_sequences(2, blinds=True)
    (17, 14)
    """
    return _ways(players, players, int(blinds), option=blinds)


def _betting_drawing(rows: Sequence[Row]) -> Drawing:
    """Draw the ways to bet a later street by the number of players, on a logarithmic scale."""
    values = [
        {"players": int(row.name.split()[-2]), "ways": row.ours.value}
        for row in rows
        if row.name.startswith("ways to bet on")
    ]
    chart = (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(point=True, color=variable("skill"))
        .encode(
            x=alt.X("players", type="quantitative", title="players", axis=amount_axis()),
            y=alt.Y(
                "ways",
                type="quantitative",
                title="ways to bet one street",
                scale=alt.Scale(type="log"),
            ),
        )
    )
    ends = ", ".join(f"{value['ways']:,.0f} with {value['players']}" for value in values)
    return Drawing(
        figure=Figure(
            name="betting",
            title="Ways to bet a street after the flop, by the number of players",
            words=f"Line on a logarithmic scale: {ends}.",
            note="At most four bets, and everybody in at its beginning.",
            chart=layered(chart).properties(width="container", height=300),
        ),
        data={},
        subtitle="limit hold'em",
    )
