"""Explanation of a player's decision: the rule that applied, its numbers, beliefs about others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from railbird.game import Action, Call, HandState, Raise, Street
from railbird.game.notation import ActionName, name_of
from railbird.units import Seat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A number that the player looked at."""

    name: str
    value: float | str | None
    """None where it had none."""
    decimals: int | None = None
    """Number of decimals worth showing; None for the display's default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Weights of one opponent's holdings after one event."""

    what: str
    """Such as "raises before the flop"."""
    weights: NDArray[np.float64]
    """(1326,) from 0 to 1, of holdings."""
    readings: tuple[Reading, ...] = ()
    """Numbers that the reweighting used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """Beliefs about one opponent, event by event."""

    seat: Seat
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One rule of a list that is tried from the top: what its action asks for."""

    action: str
    needed: str
    actual: str
    """What there was instead."""
    decided: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentEstimates:
    """Numbers believed of one opponent, with the counts behind them."""

    seat: Seat
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that led to a decision."""

    rule: str
    """The rule that fired, in words."""
    readings: tuple[Reading, ...]
    beliefs: tuple[Belief, ...] = ()
    """Weights of opponents' holdings."""
    requirements: tuple[Requirement, ...] = ()
    """The list of rules, if there is one."""
    estimates: tuple[OpponentEstimates, ...] = ()


def explanation_words(explained: Explanation) -> str:
    """Return an explanation in one line such as a practice table shows."""
    readings = []
    for reading in explained.readings[:6]:
        value = reading.value
        if isinstance(value, float):
            digits = 2 if reading.decimals is None else reading.decimals
            value = f"{value:.{digits}f}"
        readings.append(f"{reading.name} {'—' if value is None else value}")
    numbers = f" ({', '.join(readings)})" if readings else ""
    return f"{explained.rule}{numbers}"


def action_words(action: Action, state: HandState) -> str:
    """Name an action as a player would.

    >>> from railbird.game import HEADS_UP_LIMIT, Fold, initial
    >>> action_words(Fold(), initial(HEADS_UP_LIMIT))
    'fold'
    """
    name = name_of(action, to_call=state.to_call, bet=state.bet)
    match action:
        case Call() if name is ActionName.CALL:
            return f"{name.word} {state.to_call}"
        case Raise(to):
            return f"{name.word} to {to}" if name is ActionName.RAISE else f"{name.word} {to}"
        case _:
            return name.word


def street_words(state: HandState) -> str:
    """Name a street as a player would."""
    return "before the flop" if state.street is Street.PREFLOP else state.street.name.lower()
