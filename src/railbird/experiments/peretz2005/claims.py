"""Every numeric claim of the source beside ours, exact where it can be counted."""

from __future__ import annotations

from math import comb

import altair as alt

from railbird.cards import STRENGTHS, parse_class
from railbird.estimates import Estimate
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Published, Row, Verdict, compared, measured
from railbird.experiments.framework.workspace import Workspace
from railbird.experiments.peretz2005 import published, sampled
from railbird.experiments.peretz2005.common import exact, in_percent
from railbird.experiments.peretz2005.looseness_models import model_rows
from railbird.experiments.peretz2005.shares_worth import share_rows
from railbird.experiments.peretz2005.unbettable import share_without_hope
from railbird.odds import (
    PreflopSituation,
    classes_matrix,
    flop_outcomes,
    preflop_value,
    raise_ratio,
    required_equity,
    risk_ratio,
    showdown_odds,
)
from railbird.report.toolkit.chart_marks import layered
from railbird.report.toolkit.figure import Figure

_MULTIWAY_SCALE = 0.1
"""Share of the experiment from which a pot of several is valued, which takes half a minute."""


def perform(workspace: Workspace) -> Result:
    """Compare the claims, and measure what the source takes for granted."""
    errors = sampled.dependence(workspace)
    rows = [
        *_counts(),
        *_flush_draw(),
        *_ratios(),
        *_pair_against_ace_king(workspace),
        *_flops(),
        *sampled.dependence_rows(errors),
        *sampled.corrected_rows(workspace),
        *sampled.spectrum_rows(workspace),
        *sampled.reflective_nuts_rows(workspace),
        *model_rows(workspace),
        *share_rows(workspace),
    ]
    return Result(hands=len(rows), noun="claim", rows=tuple(rows), drawings=(_drawing(errors),))


def _counts() -> list[Row]:
    return [
        _against(
            "hands of seven cards, millions",
            published.SEVEN_CARD_HANDS,
            comb(52, 7) / 1e6,
            "the source cuts 133.8 off",
        ),
        _against(
            "hands of five cards, millions",
            published.FIVE_CARD_HANDS,
            comb(52, 5) / 1e6,
            "2,598,960, which rounds to 2.6",
        ),
        measured("hands of five cards that differ in strength", exact(STRENGTHS, "hands")),
        _against(
            "hole cards with a flop, millions",
            published.FLOP_HANDS,
            comb(52, 2) * comb(50, 3) / 1e6,
        ),
        _against("flops for given hole cards", published.FLOPS, comb(50, 3)),
        _against("hole cards", published.HOLE_CARDS, comb(52, 2)),
        measured(
            "opponent's final hands to one's own on a flop",
            exact(comb(45, 2), "times"),
            "the source says thousands of times more; 990 holdings is all there is",
        ),
    ]


def _flush_draw() -> list[Row]:
    by_river = 1 - comb(38, 2) / comb(47, 2)
    one, two = (
        showdown_odds("As5s", "Ks9s2d8h", ["Kd9d", "Kh9h"][:number]).joint for number in (1, 2)
    )
    any_hand = [showdown_odds("As5s", "Ks9s2d", ["random"] * number).joint for number in (1, 2, 3)]
    quarter = float(published.FLUSH_DRAW) / 100
    return [
        _against(
            "nut flush draw on the flop, made by the river",
            published.FLUSH_DRAW,
            100 * by_river,
            "a quarter lies between one card to come, 19 or 20 %, and two",
            percent=True,
        ),
        measured("the same on the turn", in_percent(9 / 46)),
        _against(
            "a quarter squared (wrong)",
            published.FLUSH_DRAW_SQUARED,
            100 * quarter**2,
            percent=True,
        ),
        _against(
            "a quarter cubed (wrong)",
            published.FLUSH_DRAW_CUBED,
            100 * quarter**3,
            "1.5625, which rounds to 1.6",
            percent=True,
        ),
        _said(
            "a draw to the nuts loses nothing against two, on the turn against two pairs",
            in_percent(two - one),
            two >= one,
            "9 outs of 44 cards against one, of 42 against two",
        ),
        *(
            measured(
                f"As5s on Ks9s2d against {number} with any hands",
                in_percent(odds),
                "an ace and a pair win too, so that the odds fall, though not to the power",
            )
            for number, odds in enumerate(any_hand, start=1)
        ),
    ]


def _ratios() -> list[Row]:
    call = risk_ratio(4, 44)
    return [
        _against(
            "pot odds of 4 into 16", published.POT_ODDS, 100 * risk_ratio(4, 20), percent=True
        ),
        _against(
            "implied odds of 8 to 20", published.IMPLIED_ODDS, 100 * risk_ratio(8, 28), percent=True
        ),
        _against(
            "4 into 40: what a call needs",
            published.CALL_INTO_FORTY,
            100 * required_equity(call),
            "10 % is the ratio; by the source's function F the odds must exceed 10 / 110",
            percent=True,
        ),
        _against(
            "4 into 40: what a raise against two needs",
            published.RAISE_AGAINST_TWO,
            100 * required_equity(raise_ratio(2)),
            percent=True,
        ),
    ]


def _pair_against_ace_king(workspace: Workspace) -> list[Row]:
    matrix, pair, suited = classes_matrix(), parse_class("22"), parse_class("AKs")
    equity = float(matrix.equity[pair, suited])
    wins = float(matrix.wins[pair, suited] / matrix.boards[pair, suited])
    rows = [
        _said(
            "22 wins more boards than AKs",
            in_percent(wins - float(matrix.wins[suited, pair] / matrix.boards[pair, suited])),
            bool(matrix.wins[pair, suited] > matrix.wins[suited, pair]),
        ),
        _said("22 wins more than half of all boards against AKs", in_percent(wins), wins > 0.5),
        measured("equity of 22 against AKs", in_percent(equity)),
    ]
    situations = {"heads-up, small blind": PreflopSituation(seats=2)}
    if workspace.scale >= _MULTIWAY_SCALE:
        callers = PreflopSituation.parse("utg:call,hj:call,co:call")
        situations["after three callers, on the button"] = callers
    for name, situation in situations.items():
        values = [
            preflop_value(hand, situation, progress=workspace.tell).call or 0.0
            for hand in ("AKs", "22")
        ]
        rows.append(
            _said(
                f"AKs is worth more than 22, {name}",
                exact(values[0] - values[1], "bb"),
                values[0] > values[1],
                "value of a call over all flops",
            )
        )
        bettable = [
            flop_outcomes(hand, situation, "call", progress=workspace.tell).bettable
            for hand in ("22", "AKs")
        ]
        rows.append(
            _said(
                f"22 bets more flops than AKs, {name}",
                in_percent(bettable[0] - bettable[1]),
                bettable[0] > bettable[1],
                "the source has AKs bet fewer flops for more; it bets more of them, and for more",
            )
        )
    return rows


def _flops() -> list[Row]:
    rows = []
    for name, share in (
        ("gutshots are draws", share_without_hope()),
        ("gutshots are none", share_without_hope(gutshots=False)),
    ):
        rows.append(
            _said(
                f"most flops are unbettable by a simple rule, {name}",
                in_percent(share),
                share > 0.5,
                "no pair, no four to a flush or a straight, and no two overcards, of all hole "
                "cards and flops",
            )
        )
    return rows


def _said(name: str, ours: Estimate, holds: bool, note: str = "") -> Row:
    """Return a row for something that the source says without a number."""
    verdict = Verdict.AGREES if holds else Verdict.DIFFERS
    return Row(name=name, ours=ours, verdict=verdict, rule="true or not", note=note)


def _against(name: str, text: str, value: float, note: str = "", *, percent: bool = False) -> Row:
    return compared(name, Published(text=text), exact(value, "%" if percent else ""), note)


def _drawing(errors: sampled.Dependence) -> Drawing:
    values = [
        {"opponents": number, "error": value, "what": what}
        for what, by_number in (
            ("mean of random flops", errors.mean),
            ("queens on Jc7d2s", errors.queens),
        )
        for number, value in by_number.items()
    ]
    chart = layered(
        alt.Chart(alt.InlineData(values=values))
        .mark_line(point=True)
        .encode(
            x=alt.X("opponents:O", title="opponents", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("error:Q", title="error of independence", axis=alt.Axis(format=".1%")),
            strokeDash=alt.StrokeDash("what:N", title=None),
        )
    )
    figure = Figure(
        name="dependence",
        title="How much opponents taken as independent are wrong",
        words="Two rising lines over two to nine opponents: how far the odds by final hand to a "
        "power lie from those in which no card is in two hands.",
        note="Above one per cent from a few opponents on; the odds of railbird.odds are corrected.",
        chart=chart,
    )
    return Drawing(figure=figure, data={}, subtitle="flops, any hands")
