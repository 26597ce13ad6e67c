"""Values one person's decisions before the flop by charts, no-limit with two to six seats.

`solved_decisions` values those after the flop with two players left; `graded_decisions` uses both.

What an action is worth depends on what the others hold and do, and on what the pot is worth after
the flop. Nobody knows either. So the charts of two games are asked: of one in which play after the
flop wins what it wins in a blueprint, and of one in which everybody then checks
(`railbird.solve.preflop_seats`). In each the others play by its charts, and the player as well as
can be. What first raises, calls and re-raises really won lies between the two, on average
(``docs/report.md``). The cost of a decision lies between the least and the most that the two games
say, widened by `LEAST_MARGIN` and `MARGIN`, because the others may play otherwise, and classes and
sizes stand for others. So charts say often that a decision was good, and seldom that it was not.

Nothing is said of what the charts lack: calls of the big blind by seats but the small one, a fourth
player, a fifth bet, sizes and stacks far from theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final, NamedTuple

from railbird.cards import CLASS_OF_HOLDING, Holding
from railbird.game import Call, Fold, HandState, Raise
from railbird.modelling.tracker import ObservedAction
from railbird.players.table_blueprint import why_no_charts
from railbird.solve.preflop_seats import (
    MOST_RAISES,
    SeatsCharts,
    blueprint_continuation,
    checked_down,
    nearest_chart,
    seats_charts,
)
from railbird.solve.preflop_seats_values import chart_values

MARGIN: Final = 0.05
"""Share of the pot by which the most that a decision cost is raised, if it cost anything."""
LEAST_MARGIN: Final = 0.5
"""Share of the pot by which the least that it cost is lowered."""
ALIKE: Final = 1.6
"""A raise stands for one of the charts whose size is within this factor."""
STACKS_ALIKE: Final = 1.5
"""Charts stand for stacks within this factor of theirs."""
LEAST_DEALS: Final = 5_000
"""Deals that the others have to bring to a decision while charts are solved: what they do where
they hardly ever get is chance."""
_UNRAISED: Final = frozenset({"fold", "check", "call"})
_TRUSTED_RAISES: Final = MOST_RAISES - 1
"""Raises before a decision from which on no least cost is given: the charts end with one more, so
what a raise is worth that could be raised again is too vague."""


class PreflopCost(NamedTuple):
    """What a decision cost, in big blinds."""

    best: str
    """The best action, such as ``raise``; the actions of both games, if they differ."""
    low: float
    high: float


class NotCharted(Exception):
    """Why the charts say nothing of a decision, in words."""


def preflop_cost(
    observed: ObservedAction,
    holding: Holding,
    seen: Sequence[ObservedAction],
) -> PreflopCost:
    """Value a decision before the flop, given the actions before it. Raises `NotCharted`."""
    state = observed.before
    rules = state.rules
    if why := why_no_charts(rules):
        raise NotCharted(f"before the flop: {why}")
    stacks = rules.stacks
    assert stacks is not None
    stack = _most_to_lose(state)
    if any(state.spent[seat] >= stacks[seat] < stack * rules.big_blind for seat in state.in_hand):
        raise NotCharted("before the flop, with a shorter stack all-in")
    depth = nearest_chart(stack)
    if abs(log(stack / depth)) > log(STACKS_ALIKE):
        raise NotCharted("before the flop, with stacks far from those of the charts")
    costs, least, best = [], [], []
    for continuation in (blueprint_continuation(), checked_down()):
        charts = seats_charts(rules.seats, depth, continuation=continuation)
        values = chart_values(charts)
        node = 0
        for earlier in seen:
            node = _after(charts, node, earlier)
        if values.visits[node] * charts.deals < LEAST_DEALS:
            raise NotCharted("before the flop, where the charts hardly ever get")
        first, last = charts.tree.slot[node : node + 2]
        worth = values.actions[first:last, CLASS_OF_HOLDING[holding]]
        taken = _after(charts, node, observed) - int(charts.tree.first[node])
        words = charts.tree.actions[node]
        costs.append(float(worth.max() - worth[taken]))
        best.append(words[int(worth.argmax())].split()[0])
        # Charts have one size beside all-in, so they do not tell a good size from a bad one.
        raised = words[taken] not in _UNRAISED
        rivals = [worth[a] for a, word in enumerate(words) if not raised or word in _UNRAISED]
        least.append(float(max(rivals) - worth[taken]))
    pot = state.pot / rules.big_blind
    return PreflopCost(
        best=" or ".join(dict.fromkeys(best)),
        low=max(min(least) - LEAST_MARGIN * pot, 0.0) * (state.raises < _TRUSTED_RAISES),
        high=max(costs) + MARGIN * pot * (max(costs) > 0),
    )


def _most_to_lose(state: HandState) -> float:
    """Return the most that who acts can lose to one of the others, in big blinds."""
    stacks = state.rules.stacks
    assert stacks is not None
    assert state.actor is not None
    most = max(stacks[seat] for seat in state.in_hand if seat != state.actor)
    return min(stacks[state.actor], most) / state.rules.big_blind


def _after(charts: SeatsCharts, node: int, observed: ObservedAction) -> int:
    """Return the node of the charts after an action. Raises `NotCharted`."""
    words = charts.tree.actions[node]
    state, action = observed.before, observed.act.action
    match action:
        case Fold():
            word = "fold" if "fold" in words else "check"
        case Call():
            word = "call" if state.to_call else "check"
        case Raise(to):
            word = _raise_word(charts, node, to / state.rules.big_blind, state)
        case _:
            raise NotCharted("before the flop, of a game with other actions")
    if word not in words:
        limp = "with a call of the big blind" if not state.raises else "with a fourth player"
        raise NotCharted(f"before the flop, {limp}, which the charts lack")
    return int(charts.tree.first[node]) + words.index(word)


def _raise_word(charts: SeatsCharts, node: int, to: float, state: HandState) -> str:
    """Return the raise of a chart that stands for one to so many big blinds."""
    tree, most = charts.tree, _most_to_lose(state)
    sizes = {
        word: most if word == "all-in" else float(tree.paid[int(tree.first[node]) + number].max())
        for number, word in enumerate(tree.actions[node])
        if word not in _UNRAISED
    }
    word = min(sizes, key=lambda name: abs(log(min(to, most) / sizes[name])), default=None)
    if word is None:
        raise NotCharted("before the flop, with more raises than the charts have")
    if abs(log(min(to, most) / sizes[word])) > log(ALIKE):
        raise NotCharted("before the flop, with a size that the charts lack")
    return word
