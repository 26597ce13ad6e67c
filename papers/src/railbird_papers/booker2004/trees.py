"""The decision trees of Booker's chapter 7, drawn from the rules as the players try them.

The figures 7.1.1, 7.2.2, 7.3.2 and 7.4.2 are lost. Each agent is asked in four situations at a
table of two, against an opponent who has shown nothing. Its explanation lists its rules in their
order. As a tree this is one long branch: if a condition fails, the next is tried.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import altair as alt
import numpy as np
import polars as pl

from railbird.cards import Holding, parse_cards, parse_holding
from railbird.estimates import Estimate
from railbird.game import (
    Act,
    Action,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Phase,
    Raise,
    initial,
    no_limit_holdem,
    step,
    view,
)
from railbird.players import make_player
from railbird.players.booker import BookerPlayer, LearningBooker
from railbird.report.charts import layered
from railbird.report.document import Figure
from railbird.units import Chips, Seat
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import measured
from railbird_papers.framework.workspace import Workspace

AGENTS: Final = {
    "Booker 1": ("booker:1", "7.1.1"),
    "Booker 2": ("booker:2", "7.2.2"),
    "Booker 3": ("booker:3", "7.3.2"),
    "Booker 4": ("booker:4", "7.4.2"),
}
"""The agents' specs, and the numbers of the source's figures."""

SITUATIONS: Final[Mapping[str, Sequence[Action]]] = {
    "before the flop, nothing to call": (Call(),),
    "before the flop, a bet to call": (Raise(Chips(80)),),
    "later, nothing to call": (Call(), Call()),
    "later, a bet to call": (Call(), Call(), Raise(Chips(40))),
}
"""The actions before the agent is asked."""

_RULES: Final = no_limit_holdem(2, blinds=(10, 20), stack=1_500)
_FLOP: Final = "Ks9d2s"
_HELD: Final = "7h7c"
"""Cards of the agent, which make no difference: all rules are listed, whichever holds."""


class Branch(NamedTuple):
    """A condition, and the action if it holds."""

    asks: str
    does: str


def perform(workspace: Workspace) -> ExperimentResult:
    """List and draw the rules of the four agents; nothing is played."""
    del workspace
    trees = {
        agent: {where: tree_of(spec, acts) for where, acts in SITUATIONS.items()}
        for agent, (spec, _) in AGENTS.items()
    }
    rows = [
        measured(f"{agent}, {where}", Estimate(float(len(branches)), 0.0, len(branches), "rules"))
        for agent, tree in trees.items()
        for where, branches in tree.items()
    ]
    return ExperimentResult(
        hands=sum(row.ours.n for row in rows),
        noun="rule",
        rows=tuple(rows),
        drawings=tuple(_drawing(agent, tree) for agent, tree in trees.items()),
        printed={
            f"{agent}, figure {AGENTS[agent][1]}": pl.DataFrame(
                [(where, *branch) for where, branches in tree.items() for branch in branches],
                schema=["situation", "if there is", "it does"],
                orient="row",
            )
            for agent, tree in trees.items()
        },
    )


def tree_of(spec: str, acts: Sequence[Action]) -> tuple[Branch, ...]:
    """Return the rules that a player tries after these actions, in their order."""
    player = make_player(spec)
    assert isinstance(player, BookerPlayer)
    player.reset(np.random.default_rng(0))
    asked = _played(_dealt(None), acts).actor
    assert asked is not None
    dealt = _dealt(asked)
    if isinstance(player, LearningBooker):
        _show_a_fold(player, asked)
        player.begin(view(dealt, asked))
    shown = view(_played(dealt, acts), asked)
    player.act(shown)
    return tuple(
        Branch(_general(requirement.needed), re.sub(r" \d+$", "", requirement.action))
        for requirement in player.explain(shown).requirements
    )


def _show_a_fold(player: LearningBooker, own: Seat) -> None:
    """Let it see a hand in which the opponent acts, without which it knows no aggression."""
    dealt = _dealt(own)
    player.begin(view(dealt, own))
    state = dealt
    while state.actor is not None:
        event = Act(state.actor, Fold() if state.to_call else Call())
        state = step(state, event)
        player.observe(view(state, own), event)
    player.end(view(state, own))


def _dealt(seat: Seat | None) -> HandState:
    holdings: list[Holding | None] = [None, None]
    if seat is not None:
        holdings[seat] = parse_holding(_HELD)
    return step(initial(_RULES), DealHoles(tuple(holdings)))


def _played(state: HandState, acts: Sequence[Action]) -> HandState:
    """Return the hand after these actions, with a flop if they lead to one."""
    for action in acts:
        if state.phase is Phase.DEAL_BOARD:
            state = step(state, DealBoard(parse_cards(_FLOP)))
        assert state.actor is not None
        state = step(state, Act(state.actor, action))
    if state.phase is Phase.DEAL_BOARD:
        state = step(state, DealBoard(parse_cards(_FLOP)))
    return state


def _general(needed: str) -> str:
    """Leave out what applies only to this hand."""
    if needed == "nothing":
        return "none of these"
    return re.sub(r" of [\d.]+ %, the pot odds", " of at least the pot odds", needed)


def _drawing(agent: str, tree: Mapping[str, Sequence[Branch]]) -> Drawing:
    values: list[dict[str, object]] = []
    for where, branches in tree.items():
        values.append({"y": len(values), "where": where})
        for place, branch in enumerate(branches):
            if place:
                values[-1]["below"] = len(values)
            values.append({"y": len(values), "asks": branch.asks, "does": branch.does})
    base = alt.Chart(alt.InlineData(values=values)).encode(
        y=alt.Y("y:Q", axis=None, scale=alt.Scale(reverse=True, nice=False))
    )

    def at(x: float) -> alt.X:
        return alt.X(datum=x, type="quantitative", axis=None, scale=alt.Scale(domain=[0, 10]))

    chart = layered(
        base.transform_filter("isValid(datum.where)")
        .mark_text(align="left", fontWeight="bold")
        .encode(x=at(0), text="where:N"),
        base.transform_filter("isValid(datum.below)").mark_rule().encode(x=at(0.2), y2="below:Q"),
        base.transform_filter("isValid(datum.asks)").mark_point(filled=True).encode(x=at(0.2)),
        base.transform_filter("isValid(datum.asks)")
        .mark_text(align="left")
        .encode(x=at(0.5), text="asks:N"),
        base.transform_filter("isValid(datum.does)")
        .transform_calculate(yes="'→ ' + datum.does")
        .mark_text(align="left")
        .encode(x=at(7.5), text="yes:N"),
    ).properties(width=640, height=24 * len(values))
    words = "; ".join(
        f"{where}: " + ", else ".join(f"{branch.asks}: {branch.does}" for branch in branches)
        for where, branches in tree.items()
    )
    figure = Figure(
        name=f"{agent.lower().replace(' ', '-')}-tree",
        title=f"Decisions of {agent}",
        words=f"{words}.",
        note="From the top of each situation: the first condition that holds decides.",
        chart=chart,
    )
    return Drawing(figure=figure, data={}, subtitle=f"the source's figure {AGENTS[agent][1]}")
