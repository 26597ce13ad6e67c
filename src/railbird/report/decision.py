"""The page that explains one decision of a player in any hold'em.

`hand_replay` has the page of a whole hand of heads-up limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

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
    BeliefHistory,
    Reading,
    Requirement,
    action_words,
    street_words,
)
from railbird.players.policy import Explaining
from railbird.players.registry import remembers
from railbird.report import number_format
from railbird.report.document import Document, Figure, Section, Table
from railbird.report.hand_digest import number_apart
from railbird.report.range_chart import RangeScale, range_chart, range_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from railbird.cards import Card
    from railbird.game import HandState
    from railbird.players import Player
    from railbird.players.advice import Asked
    from railbird.units import Seat


# One decision of a player with everything that led to it.


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
    beliefs: tuple[tuple[str, BeliefHistory], ...]
    """By the player they are about."""
    requirements: tuple[Requirement, ...]
    """The list of rules, if there is one."""
    estimates: tuple[tuple[str, tuple[Reading, ...]], ...]
    """Numbers by the player they are about."""
    memory: str = ""
    """Where what it knows may come from later hands."""


def decision_of(asked: Asked, player: Player, *, spec: str, hand: int) -> ExplainedDecision:
    """Explain a player's latest decision.

    Raises `BadInput` for a player that cannot explain its decisions.
    """
    if not isinstance(player, Explaining):
        raise BadInput(f"{spec} does not explain itself; allowed: {EXPLAINING}")
    state, seat, names = asked.view.state, asked.seat, asked.record.players
    reasons = player.explain(asked.view)
    apart = number_apart(asked.record, hand)
    return ExplainedDecision(
        title=f"Hand {hand:,}{apart}, {number_format.display_name(names[seat])} in seat {seat}, "
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
    is_whole = float(value).is_integer() and abs(value) >= 1
    return number_format.number(value, 0 if is_whole or isinstance(value, int) else 4)


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


# One decision of a player as a document: its beliefs, the rule that fired, the numbers.


_WEIGHTS: Final = RangeScale(factor=100, unit="%")
"""Without a legend: the page says what the weights are, and has many small charts."""


def decision_document(decision: ExplainedDecision) -> Document:
    """Return the document of a decision: the action, its rule and numbers, and the beliefs."""
    held = f"{decision.cards} on {decision.board}" if decision.board else decision.cards
    played = f"; in the log: {decision.played}" if decision.played != decision.action else ""
    sections = [
        Section(
            words=f"{decision.situation} Decided by {decision.player}{played}.",
            note=decision.memory,
        ),
        Section(heading="The numbers", table=_readings(decision.readings)),
    ]
    if decision.requirements:
        sections.append(
            Section(
                heading="The rules",
                words="Tried from the top; the first whose condition holds decides.",
                table=_rules(decision.requirements),
            )
        )
    sections += [
        Section(heading=f"What it knew of {who}", table=_readings(readings))
        for who, readings in decision.estimates
    ]
    sections += [_belief(who, belief, decision.known) for who, belief in decision.beliefs]
    return Document(
        title=decision.title,
        lead=f"{held}: {decision.action} ({decision.rule})",
        sections=sections,
    )


def _readings(readings: Sequence[Reading]) -> Table:
    return Table(("", ""), [(reading.name, shown(reading)) for reading in readings])


def _rules(requirements: Sequence[Requirement]) -> Table:
    """Lay out the list of rules, the one that decided set off."""
    rows = [
        (rule.action, rule.needed, f"{rule.actual} (decided)" if rule.decided else rule.actual)
        for rule in requirements
    ]
    decided = [number for number, rule in enumerate(requirements) if rule.decided]
    return Table(("rule", "asks for", "is"), rows, strong=decided)


def _belief(who: str, belief: BeliefHistory, known: Sequence[Card]) -> Section:
    """Say what an opponent may hold after each event; a terminal draws those that changed it."""
    rows, figures = [], []
    last = by_class(np.ones(len(HOLDING_CARDS)), known)
    for stage in belief.stages:
        held = number_format.number(concentration(stage.weights, known), 0)
        readings_text = ", ".join(f"{reading.name} {shown(reading)}" for reading in stage.readings)
        rows.append((stage.what, held, readings_text))
        means = by_class(stage.weights, known)
        figures.append(
            Figure(
                partial(range_chart, means, title="", scale=_WEIGHTS),
                f"Weights of the 169 kinds of hands that {who} may hold, {stage.what}.",
                title=stage.what,
                note=": ".join(filter(None, (f"{stage.what}, {held} holdings", readings_text))),
                text=None if np.array_equal(means, last, equal_nan=True) else range_text(means),
            )
        )
        last = means
    return Section(
        heading=f"What it believed of {who}",
        words="Each chart has the mean weight of the holdings of a kind, suited ones above the "
        "diagonal; the known cards are left out. “As many holdings” says how many equally likely "
        "ones the weights are worth.",
        figures=figures,
        table=Table(("after", "as many holdings", "numbers"), rows),
    )
