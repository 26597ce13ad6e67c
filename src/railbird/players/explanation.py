"""Explanation of a player's decision in any game: the rule, its numbers, beliefs about others."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from railbird.game import (
    Action,
    ActionName,
    Call,
    HandState,
    Raise,
    Rules,
    name_of,
)
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
class BeliefStage:
    """Weights of one opponent's holdings after one event."""

    what: str
    """Such as "raises before the flop"."""
    weights: NDArray[np.float64]
    """(1326,) from 0 to 1, of holdings."""
    readings: tuple[Reading, ...] = ()
    """Numbers that the reweighting used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefHistory:
    """Beliefs about one opponent, event by event."""

    seat: Seat
    stages: tuple[BeliefStage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One rule of a list that is tried from the top: what its action asks for."""

    action: str
    needed: str
    actual: str
    """What there was instead."""
    decided: bool = False


RuleWords: TypeAlias = Callable[[], tuple[str, str, str]]
"""Returns a rule's action, what it asks for, and what there is instead."""


class Ask(Protocol):
    """Answers whether a rule decides.

    A list of rules asks for one after another, and returns the action of the first that does: so
    the list that decides is also the one that is explained (`requirements_of`).
    """

    def __call__(self, rule: Enum, met: bool, words: RuleWords, /) -> bool:
        """Take a rule and whether what it asks for is there."""


def is_met(_rule: Enum, met: bool, _words: RuleWords) -> bool:
    """Let the first rule decide that is met: an `Ask`."""
    return met


def requirements_of(
    rules: Callable[[Ask], object], decided: Collection[Enum]
) -> tuple[Requirement, ...]:
    """Return what each rule of a list asks for; ``decided`` are those that have decided."""
    requirements: list[Requirement] = []

    def note(rule: Enum, _met: bool, words: RuleWords) -> bool:
        action, needed, actual = words()
        requirements.append(
            Requirement(action=action, needed=needed, actual=actual, decided=rule in decided)
        )
        return False  # so that the list goes on to the next one

    rules(note)
    return tuple(requirements)


def rule_sentence(rule: Enum) -> str:
    """Return a rule, whose value says it in words, as a sentence without its full stop."""
    words = str(rule.value)
    return f"{words[0].upper()}{words[1:]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentEstimates:
    """Numbers believed of one opponent, with the counts behind them."""

    seat: Seat
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Explanation of a decision: the rule and the numbers that led to it."""

    rule: str
    """The rule that fired, in a sentence such as a practice table shows."""
    readings: tuple[Reading, ...]
    beliefs: tuple[BeliefHistory, ...] = ()
    """Weights of opponents' holdings."""
    requirements: tuple[Requirement, ...] = ()
    """The list of rules, if there is one."""
    estimates: tuple[OpponentEstimates, ...] = ()


def action_words(
    action: Action, state: HandState, amount: Callable[[float, Rules], str] | None = None
) -> str:
    """Name an action as a player would, in chips or as ``amount`` writes them.

    >>> from railbird.game import HEADS_UP_NO_LIMIT, initial
    >>> start = initial(HEADS_UP_NO_LIMIT)
    >>> action_words(Raise(250), start), action_words(Raise(250), start, in_units)
    ('raise to 250', 'raise to 2.5 bb')
    """
    name = name_of(action, to_call=state.to_call, bet=state.bet)
    match action:
        case Call() if state.must_bring_in:
            words, chips = "bring it in for", state.to_call
        case Call() if name is ActionName.CALL:
            words, chips = name.word, state.to_call
        case Raise(total) if state.completes:
            words, chips = "complete to", total
        case Raise(total):
            words, chips = name.word + " to" * (name is ActionName.RAISE), total
        case _:
            return name.word
    return f"{words} {chips if amount is None else amount(chips, state.rules)}"


def in_units(chips: float, rules: Rules) -> str:
    """Write an amount in big blinds, or in limit in small bets, as reports count.

    >>> from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT
    >>> in_units(123450, HEADS_UP_NO_LIMIT), in_units(20, HEADS_UP_LIMIT)
    ('1,234.5 bb', '2 sb')
    """
    number = f"{chips / rules.chips_per_unit:,.2f}".rstrip("0").rstrip(".")
    return f"{number} {rules.result_unit.value}"


def street_words(state: HandState) -> str:
    """Name a street as a player would."""
    name = state.street_name
    return "before the flop" if name == "preflop" else name
