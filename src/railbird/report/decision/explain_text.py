"""One decision of a player that explains itself: its beliefs, the rule that fired, the numbers.

`ExplainedDecision` holds the explanation; this module turns it into text, `page` into a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    HOLDING_CARDS,
    cards_of,
    format_cards,
    format_holding,
)
from railbird.errors import BadInput
from railbird.players.explanation import (
    Belief,
    Reading,
    Requirement,
    action_words,
    street_words,
)
from railbird.players.policy import Explaining
from railbird.players.registry import remembers
from railbird.report.pushfold.range_chart import range_text
from railbird.report.toolkit import number_format

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from railbird.cards import Card
    from railbird.game import HandState
    from railbird.players import Player
    from railbird.players.advice.recorded_hands import Asked
    from railbird.units import Seat

CLASSES = len(CLASS_NAMES)

_MEMORY = (
    "What it remembers is all that its database holds now: the sessions of this log, and later"
    " ones, if they are in it."
)

EXPLAINING = "players that decide by rules, such as loki:som, booker:4, baseline, pushfold"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedDecision:
    """A decision with everything that led to it."""

    title: str
    """Names the hand and the player."""
    player: str
    """The spec of the player that is asked."""
    cards: str
    """Its holding."""
    board: str
    known: tuple[Card, ...]
    """Cards that nobody else can hold: the holding and the board."""
    situation: str
    """Street, pot, what a call costs, who is left."""
    action: str
    """The player's action."""
    played: str
    """The action in the log."""
    rule: str
    """The rule that fired, in words."""
    readings: tuple[Reading, ...]
    beliefs: tuple[tuple[str, Belief], ...]
    """By the player they are about."""
    requirements: tuple[Requirement, ...]
    """The list of rules, if there is one."""
    estimates: tuple[tuple[str, tuple[Reading, ...]], ...]
    """Numbers by the player they are about."""
    memory: str = ""
    """Where what it knows may come from later hands."""


def decision_of(asked: Asked, player: Player, *, spec: str, hand: int) -> ExplainedDecision:
    """Explain the decision that a player has just been asked for.

    Raises `BadInput` for a player that cannot say why it does what it does.
    """
    if not isinstance(player, Explaining):
        raise BadInput(f"{spec} does not explain itself; allowed: {EXPLAINING}")
    state, seat, names = asked.view.state, asked.seat, asked.record.players
    reasons = player.explain(asked.view)
    return ExplainedDecision(
        title=f"Hand {hand:,}, {number_format.display_name(names[seat])} in seat {seat}, "
        f"{street_words(state)}",
        player=spec,
        cards=format_holding(asked.view.holding),
        board=format_cards(state.board),
        known=(*cards_of(asked.view.holding), *state.board),
        situation=_situation(state),
        action=action_words(asked.action, state),
        played=action_words(asked.played, state),
        rule=reasons.rule,
        readings=reasons.readings,
        beliefs=tuple((_named(names, belief.seat), belief) for belief in reasons.beliefs),
        requirements=reasons.requirements,
        estimates=tuple((_named(names, about.seat), about.readings) for about in reasons.estimates),
        memory=_MEMORY if remembers(spec) else "",
    )


def _named(names: Sequence[str], seat: Seat) -> str:
    return f"{number_format.display_name(names[seat])}, seat {seat}"


def shown(reading: Reading) -> str:
    """Write a reading's value."""
    value = reading.value
    if value is None:
        return "\N{EN DASH}"
    if isinstance(value, str):
        return value
    if reading.decimals is not None:
        return number_format.number(value, reading.decimals)
    whole = float(value).is_integer() and abs(value) >= 1
    return number_format.number(value, 0 if whole or isinstance(value, int) else 4)


def _situation(state: HandState) -> str:
    left = len(state.in_hand) - 1
    cost = f"a call costs {state.to_call}" if state.to_call else "checking is free"
    return f"The pot is {state.pot}, {cost}, {left} opponent{'s' if left > 1 else ''} left."


def by_class(weights: NDArray[np.float64], known: Sequence[Card]) -> NDArray[np.float64]:
    """Mean weight of the holdings of each class that the known cards leave; nan where none is.

    >>> from railbird.cards import parse_cards, parse_class
    >>> means = by_class(np.ones(1326), parse_cards("AsAhAd"))
    >>> means[parse_class("AKs")], bool(np.isnan(means[parse_class("AA")]))
    (np.float64(1.0), True)
    """
    free = ~np.isin(HOLDING_CARDS, list(known)).any(axis=1)
    counts = np.bincount(CLASS_OF_HOLDING[free], minlength=CLASSES)
    sums = np.bincount(CLASS_OF_HOLDING[free], weights[free], minlength=CLASSES)
    means: NDArray[np.float64] = np.divide(
        sums, counts, out=np.full(CLASSES, np.nan), where=counts > 0
    )
    return means


def concentration(weights: NDArray[np.float64], known: Sequence[Card]) -> float:
    """Effective number of equally likely holdings: the exponential of the weights' entropy.

    >>> from railbird.cards import parse_cards
    >>> round(concentration(np.ones(1326), parse_cards("AsAhAd")))
    1176
    """
    chances = np.where(np.isin(HOLDING_CARDS, list(known)).any(axis=1), 0.0, weights)
    chances = chances[chances > 0] / chances.sum()
    return float(np.exp(-(chances * np.log(chances)).sum()))


def as_object(decision: ExplainedDecision) -> dict[str, object]:
    """Return the JSON object of a decision; weights by class, null where the cards leave none."""
    return {
        "title": decision.title,
        "player": decision.player,
        "cards": decision.cards,
        "board": decision.board,
        "situation": decision.situation,
        "action": decision.action,
        "played": decision.played,
        "rule": decision.rule,
        "numbers": {reading.name: reading.value for reading in decision.readings},
        "rules": [
            {
                "action": rule.action,
                "needed": rule.needed,
                "actual": rule.actual,
                "decided": rule.decided,
            }
            for rule in decision.requirements
        ],
        **({"memory": decision.memory} if decision.memory else {}),
        "estimates": [
            {"who": who, "numbers": {reading.name: reading.value for reading in readings}}
            for who, readings in decision.estimates
        ],
        "opponents": [
            {
                "who": who,
                "stages": [
                    {
                        "what": stage.what,
                        "numbers": {reading.name: reading.value for reading in stage.readings},
                        "holdings": concentration(stage.weights, decision.known),
                        "weights": dict(
                            zip(
                                CLASS_NAMES,
                                by_class(stage.weights, decision.known).tolist(),
                                strict=True,
                            )
                        ),
                    }
                    for stage in belief.stages
                ],
            }
            for who, belief in decision.beliefs
        ],
    }


def decision_text(decision: ExplainedDecision) -> RenderableType:
    """Lay a decision out for the terminal, with each opponent's weights as charts."""
    head = Text(f"{decision.title}\n", style="bold")
    held = f"{decision.cards} on {decision.board}" if decision.board else decision.cards
    head.append(f"{held}. {decision.situation}\n", style="not bold")
    head.append(f"{decision.player}: {decision.action}", style="bold")
    head.append(f" ({decision.rule})", style="not bold")
    if decision.played != decision.action:
        head.append(f"\nin the log: {decision.played}", style="not bold")
    if decision.memory:
        head.append(f"\n{decision.memory}", style="not bold")
    parts: list[RenderableType] = [head, Padding(_numbers(decision.readings), (1, 0))]
    if decision.requirements:
        parts.append(_rules(decision.requirements))
    for who, readings in decision.estimates:
        parts += [Text(who), Padding(_numbers(readings), (0, 0, 1, 2))]
    for who, belief in decision.beliefs:
        parts += [_stages(who, belief, decision.known), *_charts(belief, decision.known)]
    return Group(*parts)


def _rules(requirements: Sequence[Requirement]) -> Table:
    """Lay out the list of rules; an arrow marks the one that decided."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column("rule", no_wrap=True)
    table.add_column("asks for")
    table.add_column("is", overflow="fold")
    for rule in requirements:
        style, mark = ("bold", "\N{RIGHTWARDS ARROW}") if rule.decided else ("", "")
        table.add_row(mark, rule.action, rule.needed, rule.actual, style=style)
    return table


def _stages(who: str, belief: Belief, known: Sequence[Card]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    table.title = Text(number_format.display_name(who))
    table.add_column("", overflow="fold")
    table.add_column("as many holdings", justify="right", no_wrap=True)
    table.add_column("numbers")
    for stage in belief.stages:
        said = ", ".join(f"{reading.name} {shown(reading)}" for reading in stage.readings)
        table.add_row(stage.what, f"{concentration(stage.weights, known):,.0f}", said)
    return table


def _charts(belief: Belief, known: Sequence[Card]) -> Iterator[RenderableType]:
    """Yield a chart for each event that changed the weights."""
    last = by_class(np.ones(len(HOLDING_CARDS)), known)
    for stage in belief.stages:
        means = by_class(stage.weights, known)
        if not np.array_equal(means, last, equal_nan=True):
            yield Text(stage.what)
            yield Padding(range_text(means), (0, 0, 1, 0))
        last = means


def _numbers(readings: Sequence[Reading]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    for reading in readings:
        table.add_row(reading.name, shown(reading))
    return table
