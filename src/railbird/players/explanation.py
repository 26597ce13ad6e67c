"""Why a player decided as it did, in any game: the rule, its numbers, beliefs about others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from railbird.cards import format_cards
from railbird.game import (
    Action,
    ActionName,
    Call,
    Discard,
    HandState,
    Raise,
    Rules,
    name_of,
)
from railbird.units import Seat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from railbird.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A number that the player took into account."""

    name: str
    value: float | str | None
    """The value; None if the player had none."""
    decimals: int | None = None
    """How many decimals are worth showing; None for the display's default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefStage:
    """The weights of one opponent's holdings after one event."""

    what: str
    """The event, such as "raises before the flop"."""
    weights: NDArray[np.float64]
    """(1326,) weights of the holdings, 0 to 1."""
    readings: tuple[Reading, ...] = ()
    """The numbers that the reweighting used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefHistory:
    """The beliefs about one opponent, event by event."""

    seat: Seat
    stages: tuple[BeliefStage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One rule of a list that is tried from the top, and what it requires."""

    action: str
    needed: str
    actual: str
    """What was the case instead."""
    decided: bool = False


RuleWords: TypeAlias = Callable[[], tuple[str, str, str]]
"""Returns a rule's action, what it requires, and what is the case."""


class Ask(Protocol):
    """Answers whether a rule decides.

    A list of rules asks this about one rule after another, and returns the action of the first that
    decides. So the code that decides is also the code that explains (`requirements_of`).
    """

    def __call__(self, rule: Enum, met: bool, words: RuleWords, /) -> bool:
        """Take a rule, and whether its requirement is met."""


def is_met(_rule: Enum, met: bool, _words: RuleWords) -> bool:
    """Let the first rule whose requirement is met decide; an `Ask`."""
    return met


def requirements_of(
    rules: Callable[[Ask], object], decided: Collection[Enum]
) -> tuple[Requirement, ...]:
    """Return what each rule of a list requires; ``decided`` are the rules that decided."""
    requirements: list[Requirement] = []

    def note(rule: Enum, _met: bool, words: RuleWords) -> bool:
        action, needed, actual = words()
        requirements.append(
            Requirement(action=action, needed=needed, actual=actual, decided=rule in decided)
        )
        return False  # makes the list go on to its next rule

    rules(note)
    return tuple(requirements)


def rule_sentence(rule: Enum) -> str:
    """Return a rule's value, its words, as a sentence without a full stop."""
    words = str(rule.value)
    return f"{words[0].upper()}{words[1:]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentEstimates:
    """What is believed about one opponent, with the counts behind each number."""

    seat: Seat
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a decision was taken: the rule and the numbers that led to it."""

    rule: str
    """The rule that applied, as a sentence for a practice table."""
    readings: tuple[Reading, ...]
    beliefs: tuple[BeliefHistory, ...] = ()
    """The weights of the opponents' holdings."""
    requirements: tuple[Requirement, ...] = ()
    """The list of rules, if the player has one."""
    estimates: tuple[OpponentEstimates, ...] = ()


def action_words(
    action: Action,
    state: HandState,
    amount: Callable[[float, Rules], str] | None = None,
    cards: Callable[[Sequence[Card]], str] = format_cards,
) -> str:
    """Name an action as a player would, with amounts in chips or as ``amount`` writes them.

    ``cards`` writes those that are thrown away.

    >>> from railbird.game import HEADS_UP_NO_LIMIT, initial
    >>> start = initial(HEADS_UP_NO_LIMIT)
    >>> action_words(Raise(250), start), action_words(Raise(250), start, in_units)
    ('raise to 250', 'raise to 2.5 bb')
    """
    if isinstance(action, Discard):
        return _words_of_discard(action, state, cards)
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


def _words_of_discard(
    action: Discard, state: HandState, cards: Callable[[Sequence[Card]], str]
) -> str:
    """Say how many cards are drawn, or have to go, and which where those are known."""
    if not action.cards:
        return "stand pat"
    known = [card for card in action.cards if card is not None]
    if state.rules.variant.discards:
        words, before = f"throw away {len(action.cards)}", ": "
    else:
        words, before = f"draw {len(action.cards)}", " for "
    is_known = len(known) == len(action.cards)
    return f"{words}{before}{cards(known)}" if is_known else words


def in_units(chips: float, rules: Rules) -> str:
    """Write an amount in the units of reports: big blinds, or small bets in limit.

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
