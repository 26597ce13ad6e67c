"""Booker's players for any hold'em: lists of rules, where the first rule that applies decides.

`loki.rules` is another hierarchy of rules; `killer` is another player built from one source.

The lists are taken from Booker (2004), sections 7.6.1 to 7.6.4.

Several of them say that a bot calls if its probability is lower than the pot odds. That is taken as
a slip: here a bot calls if the probability is at least the pot odds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, partial
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt

from railbird._option_fields import Between, Description
from railbird.cards import CLASS_OF_HOLDING, Card, Holding, cards_of, strength
from railbird.cards.ranges import StartingGroups, starting_groups
from railbird.errors import BadInput
from railbird.game import Action, Call, Event, Fold, HandState, Raise, Street, View
from railbird.modelling.opponent_statistics import (
    Mean,
    OpponentObserver,
    OpponentStatistics,
    stage_of,
)
from railbird.modelling.public_hand import SeenAction
from railbird.modelling.settings import MEMORY
from railbird.odds.hand_rank import state_rating
from railbird.odds.win_probability import (
    WinProbability,
    range_probabilities,
    state_probability,
)
from railbird.players.explanation import (
    Ask,
    Explanation,
    OpponentEstimates,
    Reading,
    RuleWords,
    is_met,
    requirements_of,
    rule_sentence,
)
from railbird.players.policy import Distribution, RaiseSizes, RangeDistribution, ask_each
from railbird.players.protocol import MemoryPlace, memory_description, read_place
from railbird.players.spec import version_description
from railbird.units import Chips, Seat

# The settings of the Booker players, and those of each version.


class Generation(Enum):
    """The lists of rules."""

    POT_ODDS = 0
    """Only calls and folds, by the win probability and the pot odds."""
    FIRST = 1
    """By the win probability alone."""
    SECOND = 2
    """By groups of starting hands, and the strengths that opponents showed down."""
    THIRD = 3
    """By the ratings of opponents' hands after each action."""
    FOURTH = 4
    """By the opponents' win probability per chip."""


class Ties(Enum):
    """What a tie counts in the win probability."""

    WIN = "win"
    """A full win, as in the source's roll-out."""
    SHARE = "share"
    """The share of the pot that it wins."""


class Charts(Enum):
    """Which calls a hand from a better group than the opponents' is worth."""

    FREE = "free"
    """As printed: only a call that costs nothing."""
    LOOSEN = "loosen"
    """Any call."""


class Prob(Enum):
    """How the win probability is computed."""

    EXACT = "exact"
    """Exactly against one opponent; after the flop by roll-outs against several."""
    SAMPLED = "sampled"
    """Always by roll-outs, as in the source."""


class AmountUnit(Enum):
    """The unit of opponents' bets in the rolling arrays."""

    CHIPS = "chips"
    """As in the source."""
    BLINDS = "blinds"
    """Big blinds, so that a bet means the same at every level of the blinds."""


SAMPLED_DEALS: Final = 10_000
"""Deals of the source's roll-out."""

PAY: Final = 20
"""Most hands between two in which the player pays for information; the source's number."""

AGGRESSION: Final = 50.0
"""Default aggression, the middle of the scale, since the source names no value."""


MULTIPLE: Final = 1.15
"""Default for the fifth version, found by matches; docs/booker.md has the figures."""

TRUST: Final = 50
"""Default found in the same way: a full array. Estimates from fewer shown actions lost money."""


_LONGEST_MEMORY: Final = 100_000
SOURCE: Final = "source"
"""The source's memory, which writes what it knows to a file before each game and reads it back."""


def _memory(text: str) -> int | MemoryPlace:
    if text == SOURCE:
        return read_place("default")
    length = int(text)
    if not 1 <= length <= _LONGEST_MEMORY:
        raise ValueError(text)
    return length


@dataclass(frozen=True, slots=True, kw_only=True)
class BookerSettings:
    """The settings of a Booker player, each an option of its spec."""

    version: str
    generation: Generation
    aggression: Annotated[
        float,
        Between(0, 100),
        "size of raises against estimated opponents; default 50",
    ] = AGGRESSION
    memory: Annotated[
        int,
        Description(
            f"length of the rolling arrays; default 50; {SOURCE} is that and database=default",
            parse=_memory,
            allowed=f"1 to 100000, or {SOURCE}; a file is named by database=",
        ),
    ] = MEMORY
    database: Annotated[MemoryPlace | None, memory_description(former="opponents")] = None
    """Where opponents are remembered between sessions; None to forget them."""
    pay: Annotated[
        int, Between(0, 10_000), "at most so many hands before one is called down; 0 for never"
    ] = 0
    """Most hands between two that it calls down to see the opponents' cards."""
    pay_all: Annotated[
        bool, "calls such a hand down for all its chips too, as in the source; default off"
    ] = False
    noise: Annotated[
        int, Between(0, 10_000), "at most so many hands before one is raised throughout"
    ] = 0
    """Most hands between two in which it always raises; 0 for none."""
    charts: Annotated[Charts, "calls with a better group than the opponents' are free or any"] = (
        Charts.FREE
    )
    groups: Annotated[StartingGroups, "the table of starting hands; default limit"] = (
        StartingGroups.LIMIT
    )
    prob: Annotated[Prob, "count where possible, or roll out always"] = Prob.EXACT
    ms: Annotated[
        float | None, Between(0.1, 60_000), "time limit of a roll-out in milliseconds"
    ] = None
    ties: Annotated[Ties, "value of a tie"] = Ties.WIN
    multiple: Annotated[
        float, Between(1, 2), "multiple of the average probability that is worth a raise"
    ] = 1.5
    size: Annotated[float, Between(0.01, 100), "factor on the raise for such a probability"] = 1.0
    trust: Annotated[
        int, Between(1, 100_000), "shown actions that an estimate of an opponent needs"
    ] = 1
    """A full array is trusted too, however short it is."""
    short: Annotated[
        float, Between(0, 1000), "big blinds up to which a stack is played all-in or fold"
    ] = 0.0
    """Before the flop."""
    push: Annotated[
        float, Between(0, 5), "multiple of the average probability with which it goes all-in"
    ] = 1.0
    """With a short stack."""
    amounts: Annotated[AmountUnit, "unit of opponents' bets"] = AmountUnit.CHIPS


_FIRST = BookerSettings(version="1", generation=Generation.FIRST)
_SECOND = BookerSettings(version="2", generation=Generation.SECOND)
_THIRD = BookerSettings(version="3", generation=Generation.THIRD, pay=PAY)
_FOURTH = BookerSettings(version="4", generation=Generation.FOURTH, pay=PAY)

ROLL_OUT: Final = BookerSettings(version="rollout", generation=Generation.POT_ODDS)
"""The simplest player with a roll-out."""

VERSIONS: Final[Mapping[str, BookerSettings]] = {
    "1": _FIRST,
    "1n": replace(_FIRST, version="1n", noise=PAY),
    "2": _SECOND,
    "3": _THIRD,
    "4": _FOURTH,
    "5": replace(
        _FOURTH,
        version="5",
        multiple=MULTIPLE,
        trust=TRUST,
        ties=Ties.SHARE,
        amounts=AmountUnit.BLINDS,
    ),
}
"""The source's four versions, the extension it proposes, and its unfinished refinements."""

_CHANCE: Final = ("prob", "ms", "ties")
_LEARNING: Final = ("memory", "database", *_CHANCE)

OPTIONS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "1": _CHANCE,
    "1n": ("noise", *_CHANCE),
    "2": ("charts", "groups", *_LEARNING),
    "3": ("aggression", "charts", "groups", "pay", "pay_all", *_LEARNING),
    "4": ("aggression", "pay", "pay_all", *_LEARNING),
    "5": (
        "aggression",
        "pay",
        "pay_all",
        *_LEARNING,
        "multiple",
        "size",
        "trust",
        "short",
        "push",
        "amounts",
    ),
}
"""The options that have an effect in each version."""


# The situation of a decision, as the numbers that the rules use.


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The situation at a decision, with amounts in chips."""

    state: HandState
    seat: Seat
    holding: Holding
    board: tuple[Card, ...]
    street: Street
    opponents: tuple[Seat, ...]
    """The others who have not folded."""
    to_call: Chips
    winnable: int
    """The part of the pot that the player can win: from each opponent as much as it stakes
    itself."""
    bankroll: int | None
    """Chips that it has left; None if stacks are unlimited."""
    low: Chips | None
    """The smallest legal raise, as the street's total; None if it may not raise."""
    high: Chips | None

    @property
    def average(self) -> float:
        """The win probability of an average hand."""
        return 1 / (1 + len(self.opponents))

    @property
    def pot_odds(self) -> float:
        """The win probability at which a call breaks even; 0 if it is free."""
        return self.to_call / (self.winnable + self.to_call) if self.to_call else 0.0

    @property
    def give_up(self) -> Action:
        """A fold, or a check if that is free."""
        return _FOLD if self.to_call else _CALL

    @property
    def all_in(self) -> Action:
        """The highest raise, or a call if no raise is allowed."""
        return _CALL if self.high is None else Raise(self.high)

    @property
    def passive(self) -> str:
        """The word for staying in without raising."""
        return "call" if self.to_call else "check"

    @property
    def is_all_in_call(self) -> bool:
        """Whether a call takes the last chip."""
        return self.bankroll is not None and 0 < self.bankroll <= self.to_call

    def raise_by(self, chips: float) -> Action | None:
        """Return a raise by ``chips`` above the bet, or the nearest legal size.

        Returns None if no raise is allowed.
        """
        if self.low is None or self.high is None:
            return None
        wanted = self.high if chips >= self.high else self.state.bet + int(chips)
        return Raise(Chips(min(max(wanted, self.low), self.high)))

    def raise_share(self, share: float) -> Action | None:
        """Return a raise by a share of the bankroll; by everything if stacks are unlimited."""
        if self.bankroll is None:
            return self.raise_by(float("inf"))
        return self.raise_by(share * self.bankroll)


_CALL, _FOLD = Call(), Fold()


def situation_of(view: View) -> Situation:
    """Return the situation of a view whose seat is to act."""
    state, seat = view.state, view.seat
    to_call, stacks = state.to_call, state.stacks
    bankroll = None if stacks is None else stacks[seat]
    pot = int(state.pot)
    if bankroll is not None and bankroll <= to_call:
        spent = state.spent
        most = spent[seat] + to_call
        pot = sum([min(chips, most) for chips in spent])
    return Situation(
        state=state,
        seat=seat,
        holding=view.holding,
        board=state.board,
        street=state.street,
        opponents=tuple([opponent for opponent in state.in_hand if opponent != seat]),
        to_call=to_call,
        winnable=pot,
        bankroll=bankroll,
        low=state.min_raise_to,
        high=state.max_raise_to,
    )


# What a Booker player believes when it decides: its own chances, and its opponents' hands.
#
# Each belief is computed when a rule asks for it. An estimate of an opponent comes with the number
# of shown hands behind it. An opponent is judged by its latest action in the hand, on whichever
# street that was. It has no estimate if it has not acted, or if it has never shown a hand after
# such an action. If no opponent has an estimate, the rules that compare with one do not apply.


Estimates = tuple[tuple[Seat, Mean | None], ...]
"""A belief about each opponent who is still in the hand."""


def _how(now: Situation, settings: BookerSettings) -> tuple[int, int | None, float | None]:
    """Return the number of opponents, and the deals and seconds of a roll-out."""
    deals = SAMPLED_DEALS if settings.prob is Prob.SAMPLED else None
    return len(now.opponents), deals, None if settings.ms is None else settings.ms / 1000


class Judgement:
    """The beliefs behind one decision."""

    def __init__(
        self,
        situation: Situation,
        settings: BookerSettings,
        observer: OpponentObserver | None,
        probability: WinProbability | None = None,
    ) -> None:
        self.situation = situation
        self.settings = settings
        self._observer = observer
        if probability is not None:
            self.probability = probability

    @cached_property
    def probability(self) -> WinProbability:
        """The player's win probability if each opponent holds any two cards."""
        now = self.situation
        return state_probability(now.holding, now.board, *_how(now, self.settings))

    @property
    def worth(self) -> float:
        """The probability that the rules use, with ties counted as the settings say."""
        probability = self.probability
        return probability.unbeaten if self.settings.ties is Ties.WIN else probability.share

    @property
    def raise_from(self) -> float:
        """The probability from which a hand is worth a raise."""
        return self.settings.multiple * self.situation.average

    @cached_property
    def group(self) -> int:
        """The group of the player's starting hand, from 1."""
        groups = self.settings.groups
        number = starting_groups(groups).item(CLASS_OF_HOLDING[self.situation.holding])
        return int(number) + 1 - groups.first

    @cached_property
    def groups(self) -> Estimates:
        """Mean group of the starting hands each opponent has shown, on a blind or not as now."""
        blinds, groups = self.situation.state.rules.blinds, self.settings.groups
        means = []
        for seat in self.situation.opponents:
            mean = self._known[seat].mean_group(groups, on_blind=blinds[seat] > 0)
            shifted = None if mean is None else Mean(mean.value + 1 - groups.first, mean.n)
            means.append((seat, shifted))
        return tuple(means)

    @cached_property
    def strength(self) -> int:
        """Present strength of the player's cards, 0 to 7461; from the flop on."""
        return int(strength((*cards_of(self.situation.holding), *self.situation.board)))

    @cached_property
    def strengths(self) -> Estimates:
        """Mean strength that each opponent has shown down."""
        known = self._known
        return tuple([(seat, known[seat].showdown_strength) for seat in self.situation.opponents])

    @cached_property
    def rating(self) -> float:
        """Rating of the player's hand on this board."""
        return state_rating(self.situation.holding, self.situation.board)

    @cached_property
    def ratings(self) -> Estimates:
        """Mean rating of the hands that each opponent has shown after an action like its latest."""
        means = []
        for seat in self.situation.opponents:
            seen = self._known.last_action(seat)
            mean = None if seen is None else self._known[seat].rating(seen.street, seen.action)
            means.append((seat, mean))
        return tuple(means)

    @cached_property
    def estimates(self) -> Estimates:
        """Each opponent's estimated win probability, by its latest action and what it paid."""
        return tuple([(seat, self._estimate(seat)) for seat in self.situation.opponents])

    def last_action(self, seat: Seat) -> SeenAction | None:
        """Return an opponent's latest action in the hand."""
        return self._known.last_action(seat)

    @property
    def lone_aggression(self) -> Mean | None:
        """Aggression of the only opponent at the table; None at a larger table."""
        if self.situation.state.rules.seats != 2:
            return None
        return self._known[self.situation.opponents[0]].aggression

    def _estimate(self, seat: Seat) -> Mean | None:
        seen = self._known.last_action(seat)
        if seen is None:
            return None
        blinds = self.situation.state.rules.blinds
        big_blind = max(blinds) if self.settings.amounts is AmountUnit.BLINDS else None
        mean = self._known[seat].probability(
            stage_of(seen.street, on_blind=blinds[seat] > 0),
            seen.action,
            seen.paid,
            big_blind=big_blind or None,
        )
        needed = min(self.settings.trust, self.settings.memory)
        return mean if mean is not None and mean.n >= needed else None

    @property
    def learns(self) -> bool:
        """Whether the player keeps statistics of opponents."""
        return self._observer is not None

    def known(self, seat: Seat) -> OpponentStatistics:
        """Return the statistics of an opponent."""
        return self._known[seat]

    @property
    def _known(self) -> OpponentObserver:
        assert self._observer is not None  # only the rules of players that observe ask for this
        return self._observer


def highest(estimates: Estimates) -> float | None:
    """Return the highest estimate; None if there is none."""
    return max([mean.value for _, mean in estimates if mean is not None], default=None)


def lowest(estimates: Estimates) -> float | None:
    """Return the lowest estimate; None if there is none."""
    return min([mean.value for _, mean in estimates if mean is not None], default=None)


# The decision lists.


AGGRESSIVE = 0.5
"""Aggression above which the bets of a lone opponent are called with `CALL_AGGRESSIVE`."""
CALL_AGGRESSIVE = 0.6
RAISE_RATING = 1.0
"""How far above the best opponent, in standard deviations, a hand is worth a raise."""
_DIVISORS = {Street.FLOP: 200, Street.TURN: 150, Street.RIVER: 100}
"""By street: a raise's share is the aggression over this number, times the difference."""


class BookerRule(Enum):
    """The rules, each in words."""

    PAY = "called down to see the opponents' cards"
    NOISE = "raised whatever it held"
    GROUP_1 = "a hand of group 1 goes all-in"
    GROUP_2 = "a hand of group 2 puts in half the chips, then calls"
    BETTER_GROUP = "a better group than the opponents have shown"
    VALUE = "the probability is worth a raise"
    FREE = "checking is free"
    STRENGTH = "stronger than what the opponents have shown down"
    RATING_RAISE = "rated more than one above the best opponent"
    RATING_CALL = "rated above the best opponent"
    ESTIMATE = "more likely to win than the best opponent"
    AGGRESSIVE = "a lone opponent bets too often"
    POT_ODDS = "the probability is at least the pot odds"
    TOO_DEAR = "the probability is below the pot odds"
    PUSH = "a short stack goes all-in"
    SHORT_FOLD = "a short stack gives up"


@dataclass(frozen=True, slots=True)
class BookerDecision:
    """An action and the rule that chose it."""

    rule: BookerRule
    action: Action


def decide(beliefs: Judgement) -> BookerDecision:
    """Decide by the first of the generation's rules that applies."""
    return rules_of(beliefs, is_met)


def rules_of(beliefs: Judgement, ask: Ask) -> BookerDecision:
    """Go through the generation's rules in order."""
    now, generation = beliefs.situation, beliefs.settings.generation
    if generation in (Generation.SECOND, Generation.THIRD) and now.street is Street.PREFLOP:
        special = _by_groups(beliefs, ask)
    else:
        special = _LISTS[generation](beliefs, ask)
    return special or _by_pot_odds(beliefs, ask)


def _by_value(beliefs: Judgement, ask: Ask) -> BookerDecision | None:
    """Raise with a multiple (1.5 by default) of the average probability; more with better hands."""
    now, worth, least = beliefs.situation, beliefs.worth, beliefs.raise_from

    def words() -> tuple[str, str, str]:
        allowed = ", and that a raise is allowed" if now.low is None else ""
        return "raise", f"{_worth(beliefs)} of {_percent(least)}{allowed}", _percent(worth)

    if not ask(BookerRule.VALUE, worth >= least, words):
        return None
    share = beliefs.settings.size * (worth - least) / (1 - least) if least < 1 else 1.0
    return _raise(BookerRule.VALUE, now, share)


def _by_pot_odds(beliefs: Judgement, ask: Ask) -> BookerDecision:
    """Check if that is free; call if the probability is at least the pot odds; else fold."""
    now = beliefs.situation
    if not now.to_call:
        ask(BookerRule.FREE, True, lambda: ("check", "nothing", "free"))
        return BookerDecision(BookerRule.FREE, _CALL)
    worth = beliefs.worth

    def words() -> tuple[str, str, str]:
        needed = f"{_worth(beliefs)} of {_percent(now.pot_odds)}, the pot odds"
        return f"call {now.to_call}", needed, _percent(worth)

    if ask(BookerRule.POT_ODDS, worth >= now.pot_odds, words):
        return BookerDecision(BookerRule.POT_ODDS, _CALL)
    ask(BookerRule.TOO_DEAR, True, lambda: ("fold", "nothing", "the rest"))
    return BookerDecision(BookerRule.TOO_DEAR, now.give_up)


def _by_groups(beliefs: Judgement, ask: Ask) -> BookerDecision | None:
    """Play the two best groups of starting hands, and any better than what opponents showed."""
    now, group = beliefs.situation, beliefs.group
    mine = f"group {group}"
    if ask(BookerRule.GROUP_1, group == 1, lambda: ("all-in", "group 1", mine)):
        return BookerDecision(BookerRule.GROUP_1, now.all_in)
    if ask(BookerRule.GROUP_2, group == 2, lambda: ("raise to half", "group 2", mine)):
        return BookerDecision(BookerRule.GROUP_2, _half(now) or _CALL)
    if beliefs.settings.charts is Charts.FREE and now.to_call:
        return None
    theirs = lowest(beliefs.groups)

    def words() -> tuple[str, str, str]:
        needed = "a group below the opponents' mean"
        if theirs is None:
            return now.passive, needed, "none was shown"
        return now.passive, f"{needed}, {theirs:.1f}", mine

    better = theirs is not None and group < theirs
    if ask(BookerRule.BETTER_GROUP, better, words):
        return BookerDecision(BookerRule.BETTER_GROUP, _CALL)
    return None


def _second(beliefs: Judgement, ask: Ask) -> BookerDecision | None:
    """Raise by value, and call with more strength than opponents have shown down."""
    if raised := _by_value(beliefs, ask):
        return raised
    if not beliefs.situation.to_call:
        return None
    theirs, mine = highest(beliefs.strengths), beliefs.strength
    stronger = theirs is not None and mine > theirs
    words = partial(_compared, "call", "strength", theirs, mine, decimals=0)
    if ask(BookerRule.STRENGTH, stronger, words):
        return BookerDecision(BookerRule.STRENGTH, _CALL)
    return None


def _third(beliefs: Judgement, ask: Ask) -> BookerDecision | None:
    """Compare ratings, after betting by value if there is nothing to call."""
    now = beliefs.situation
    if not now.to_call and (raised := _by_value(beliefs, ask)):
        return raised
    theirs, mine = highest(beliefs.ratings), beliefs.rating
    above = -math.inf if theirs is None else mine - theirs
    higher = None if theirs is None else theirs + RAISE_RATING
    words = partial(_compared, "raise", "rating", higher, mine, by=" more than 1")
    if ask(BookerRule.RATING_RAISE, above > RAISE_RATING, words):
        share = above * beliefs.settings.aggression / _DIVISORS[now.street]
        if raised := _raise(BookerRule.RATING_RAISE, now, share):
            return raised
    words = partial(_compared, now.passive, "rating", theirs, mine)
    if ask(BookerRule.RATING_CALL, above > 0, words):
        return BookerDecision(BookerRule.RATING_CALL, _CALL)
    return None


def _fourth(beliefs: Judgement, ask: Ask) -> BookerDecision | None:
    """Bet by value, and answer a bet by the best opponent's estimated probability."""
    now, preflop = beliefs.situation, beliefs.situation.street is Street.PREFLOP
    if preflop and beliefs.settings.short and (pushed := _short_stack(beliefs, ask)):
        return pushed
    if not now.to_call:
        return _by_value(beliefs, ask)
    theirs, mine = highest(beliefs.estimates), beliefs.probability.unbeaten

    def words() -> tuple[str, str, str]:
        needed = "a probability above the best opponent's"
        if theirs is None:
            return "raise", needed, "none can be estimated"
        return "raise", f"{needed}, {_percent(theirs)}", _percent(mine)

    above = -math.inf if theirs is None else mine - theirs
    if ask(BookerRule.ESTIMATE, above > 0, words):
        share = beliefs.settings.aggression / 100 * above
        raised = _raise(BookerRule.ESTIMATE, now, share)
        return raised or BookerDecision(BookerRule.ESTIMATE, _CALL)
    return _against_aggression(beliefs, ask) if preflop else None


def _against_aggression(beliefs: Judgement, ask: Ask) -> BookerDecision | None:
    """Call a lone opponent who bets too often."""
    aggression, worth = beliefs.lone_aggression, beliefs.worth
    if aggression is None:
        return None
    often = aggression.value

    def words() -> tuple[str, str, str]:
        needed = f"aggression over {_percent(AGGRESSIVE)}, {_worth(beliefs)} over"
        actual = f"{_percent(often)}, {_percent(worth)}"
        return "call", f"{needed} {_percent(CALL_AGGRESSIVE)}", actual

    met = often > AGGRESSIVE and worth > CALL_AGGRESSIVE
    if ask(BookerRule.AGGRESSIVE, met, words):
        return BookerDecision(BookerRule.AGGRESSIVE, _CALL)
    return None


def _short_stack(beliefs: Judgement, ask: Ask) -> BookerDecision | None:
    """Go all-in or give up with a short stack; return None if it is not short."""
    now, settings, worth = beliefs.situation, beliefs.settings, beliefs.worth
    blind, least = max(now.state.rules.blinds), settings.push * now.average

    def words() -> tuple[str, str, str]:
        blinds = f"at most {settings.short:g} big blinds left"
        left = "" if now.bankroll is None else f"{now.bankroll / blind:.1f}, "
        needed = f"{blinds}, {_worth(beliefs)} of {_percent(least)}"
        return "all-in", needed, f"{left}{_percent(worth)}"

    rule = BookerRule.PUSH if worth >= least else BookerRule.SHORT_FOLD
    short = now.bankroll is not None and now.bankroll <= settings.short * blind
    if not ask(rule, short, words):
        return None
    return BookerDecision(rule, now.all_in if rule is BookerRule.PUSH else now.give_up)


_LISTS: Final[Mapping[Generation, Callable[[Judgement, Ask], BookerDecision | None]]] = {
    Generation.POT_ODDS: lambda _, __: None,
    Generation.FIRST: _by_value,
    Generation.SECOND: _second,
    Generation.THIRD: _third,
    Generation.FOURTH: _fourth,
}
"""The rules before the pot odds. The second and third generations use `_by_groups` preflop."""

_BY_PROBABILITY: Final = (Generation.POT_ODDS, Generation.FIRST, Generation.FOURTH)
"""Generations that ask for nothing of the player's cards but the win probability: holdings with the
same probability are played alike, so that one decision stands for all of them."""


def _raise(rule: BookerRule, now: Situation, share: float) -> BookerDecision | None:
    """Raise by a share of the bankroll, or by the smallest size; None if no raise is allowed."""
    raised = now.raise_share(share)
    return None if raised is None else BookerDecision(rule, raised)


def _half(now: Situation) -> Action | None:
    """Return a raise that puts in half of the starting stack; None if it would be no raise."""
    if now.low is None or now.high is None:
        return None
    if now.bankroll is None:
        return Raise(now.low)
    spent, in_street = now.state.spent[now.seat], now.state.street_bets[now.seat]
    to = in_street + (now.bankroll + spent) // 2 - spent
    return Raise(Chips(min(to, now.high))) if to >= now.low else None


def _compared(
    action: str,
    quantity: str,
    theirs: float | None,
    mine: float,
    *,
    decimals: int = 2,
    by: str = "",
) -> tuple[str, str, str]:
    if theirs is None:
        return action, f"a {quantity}{by} above the opponents'", "none was shown"
    return action, f"a {quantity} above {_number(theirs, decimals)}", _number(mine, decimals)


def _worth(beliefs: Judgement) -> str:
    return "a probability" if beliefs.settings.ties is Ties.WIN else "a share"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _number(value: float, decimals: int) -> str:
    return f"{value:,.{decimals}f}".replace("-", "\N{MINUS SIGN}")


# Explaining a Booker player's decision: its list of rules, and what each of them asks for.


def explained(beliefs: Judgement, decision: BookerDecision) -> Explanation:
    """Put a decision into words and numbers."""

    def rules(ask: Ask) -> None:
        _ask_of_chosen_hands(beliefs, ask, decision.rule)
        rules_of(beliefs, ask)

    return Explanation(
        rule=f"{rule_sentence(decision.rule)}.",
        readings=tuple(_readings(beliefs)),
        requirements=requirements_of(rules, [decision.rule]),
        estimates=tuple(_opponent(beliefs, seat) for seat in beliefs.situation.opponents)
        if beliefs.learns
        else (),
    )


def _ask_of_chosen_hands(beliefs: Judgement, ask: Ask, decided: BookerRule) -> None:
    """Ask what comes before the rules: whether the hand was chosen before the deal."""
    settings, passive = beliefs.settings, beliefs.situation.passive
    limit = "" if settings.pay_all else ", but never for all the chips"

    def words(action: str, needed: str, actual: str) -> RuleWords:
        return lambda: (action, f"a hand chosen to be {needed}", actual)

    for is_possible, rule, action, needed in (
        (settings.noise, BookerRule.NOISE, "raise", "raised throughout"),
        (settings.pay, BookerRule.PAY, passive, f"called down{limit}"),
    ):
        chosen = decided is rule
        if is_possible:
            ask(rule, chosen, words(action, needed, "yes" if chosen else "no"))


def _readings(beliefs: Judgement) -> Iterator[Reading]:
    now, probability = beliefs.situation, beliefs.probability
    yield Reading(name="probability that nobody is ahead", value=probability.unbeaten)
    if probability.deals:
        yield Reading(name="its standard error", value=probability.stderr)
        yield Reading(name="deals behind it", value=probability.deals)
    yield Reading(name="share of the pot", value=probability.share)
    yield Reading(name="average of the players", value=now.average)
    yield Reading(name="pot odds", value=now.pot_odds if now.to_call else None)
    if now.bankroll is not None:
        yield Reading(name="chips left", value=now.bankroll)
    if not beliefs.learns:
        return
    generation, preflop = beliefs.settings.generation, now.street is Street.PREFLOP
    if preflop and generation in (Generation.SECOND, Generation.THIRD):
        yield Reading(name="group of the hand", value=beliefs.group)
    elif generation is Generation.SECOND:
        yield Reading(name="strength now", value=beliefs.strength)
    elif generation is Generation.THIRD:
        yield Reading(name="rating", value=beliefs.rating, decimals=2)


_PLURAL = {"action": "actions", "entry": "entries", "shown hand": "shown hands"}


def _opponent(beliefs: Judgement, seat: Seat) -> OpponentEstimates:
    """Return what is known of an opponent, with the number of shown hands or actions behind it."""
    known, seen = beliefs.known(seat), beliefs.last_action(seat)
    blind = beliefs.situation.state.rules.blinds[seat] > 0
    did = "nothing in this hand"
    if seen is not None:
        paid = f" {seen.paid}" if seen.paid else ""
        did = f"{seen.action.name.lower()}{paid}, {seen.street.name.lower()}"
    generation, preflop = beliefs.settings.generation, beliefs.situation.street is Street.PREFLOP
    readings = [
        Reading(name="last action", value=did),
        Reading(name="hands seen", value=known.hands),
        _mean("aggression", known.aggression, "action", percent=True),
    ]
    if preflop and generation in (Generation.SECOND, Generation.THIRD):
        where = "on the blind" if blind else "off the blind"
        readings.append(_mean(f"mean group {where}", dict(beliefs.groups)[seat], "shown hand"))
    elif generation is Generation.SECOND:
        readings.append(
            _mean("mean showdown strength", dict(beliefs.strengths)[seat], "shown hand", decimals=0)
        )
    elif generation is Generation.THIRD:
        readings.append(_mean("rating after it", dict(beliefs.ratings)[seat], "entry"))
    elif generation is Generation.FOURTH:
        readings.append(
            _mean("probability after it", dict(beliefs.estimates)[seat], "entry", percent=True)
        )
    return OpponentEstimates(seat=seat, readings=tuple(readings))


def _mean(
    name: str, mean: Mean | None, of: str, *, percent: bool = False, decimals: int = 2
) -> Reading:
    if mean is None:
        return Reading(name=name, value=None)
    value = _percent(mean.value) if percent else _number(mean.value, decimals)
    words = f"{mean.n:,} {of if mean.n == 1 else _PLURAL[of]}"
    return Reading(name=name, value=f"{value} from {words}")


class BookerPlayer:
    """Plays by the rules of its generation, and remembers nothing."""

    def __init__(self, settings: BookerSettings) -> None:
        self.settings = settings
        self._last: tuple[Judgement, BookerDecision] | None = None

    def reset(self, rng: np.random.Generator) -> None:
        """Forget the last decision; there is nothing else to forget."""
        self._last = None

    def act(self, view: View) -> Action:
        """Decide by the first rule that applies."""
        self._last = self._decide(view)
        return self._last[1].action

    def distribution(self, view: View) -> Distribution:
        """Return its one action: anything random was drawn before the hand."""
        return Distribution.certain(self._decide(view)[1].action)

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the answers for the given holdings; refused if some hands are played otherwise."""
        if self.settings.noise or self.settings.pay:
            setting = "noise" if self.settings.noise else "pay"
            raise BadInput(f"it plays random hands by another rule; allowed: {setting}=0")
        if self.settings.generation not in _BY_PROBABILITY:
            return ask_each(self, view, holdings)
        now, decided = situation_of(view), dict[WinProbability, Action]()
        probabilities = range_probabilities(holdings, now.board, *_how(now, self.settings))
        for probability in probabilities:
            if probability not in decided:
                beliefs = Judgement(now, self.settings, self._observer, probability)
                decided[probability] = decide(beliefs).action
        actions = list(dict.fromkeys(decided.values()))
        numbers = {probability: actions.index(action) for probability, action in decided.items()}
        table = np.zeros((len(holdings), len(actions)))
        table[np.arange(len(holdings)), [numbers[probability] for probability in probabilities]] = (
            1.0
        )
        return RangeDistribution.by_action(actions, table)

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._last is None:
            raise LookupError("this player has not decided anything yet")
        return explained(*self._last)

    def _decide(self, view: View) -> tuple[Judgement, BookerDecision]:
        beliefs = Judgement(situation_of(view), self.settings, self._observer)
        return beliefs, self._special(beliefs) or decide(beliefs)

    @property
    def _observer(self) -> OpponentObserver | None:
        return None

    def _special(self, beliefs: Judgement) -> BookerDecision | None:
        """Return a decision that comes before the list of rules; None if there is none."""
        return None


class Countdown:
    """Chooses hands at random intervals, with 0 to ``most`` others between two of them."""

    def __init__(self, most: int, rng: np.random.Generator) -> None:
        self._most = most
        self._rng = rng
        self._left = self._drawn()

    def next_hand(self) -> bool:
        """Begin a hand and return whether one is due. It stays due until `done` is called."""
        if self._left:
            self._left -= 1
            return False
        return True

    def done(self) -> None:
        """Count the chosen hand as played, and draw the next interval."""
        self._left = self._drawn()

    def _drawn(self) -> int:
        return int(self._rng.integers(self._most + 1))


class NoisyBooker(BookerPlayer):
    """Plays like the first generation, but plays some hands like `always-raise:random`."""

    def __init__(self, settings: BookerSettings) -> None:
        super().__init__(settings)
        self.reset(np.random.default_rng(0))

    def reset(self, rng: np.random.Generator) -> None:
        """Start counting hands afresh."""
        super().reset(rng)
        self._rng = rng
        self._countdown = Countdown(self.settings.noise, rng)
        self._raises = False

    def begin(self, view: View) -> None:
        """Draw whether this hand is one that is always raised."""
        self._raises = self._countdown.next_hand()
        if self._raises:
            self._countdown.done()

    def observe(self, view: View, event: Event) -> None:
        """Do nothing: this player learns nothing."""

    def end(self, view: View) -> None:
        """Do nothing."""

    def distribution(self, view: View) -> Distribution:
        """Return its one action; in a hand that is always raised, a raise of any size."""
        state = view.state
        low, high = state.min_raise_to, state.max_raise_to
        if self._raises and low is not None and high is not None:
            return Distribution(raises=(RaiseSizes(low, high, 1.0),))
        return super().distribution(view)

    def _special(self, beliefs: Judgement) -> BookerDecision | None:
        if not self._raises:
            return None
        low, high = beliefs.situation.low, beliefs.situation.high
        if low is None or high is None:
            return BookerDecision(BookerRule.NOISE, _CALL)
        return BookerDecision(
            BookerRule.NOISE, Raise(Chips(int(self._rng.integers(low, high + 1))))
        )


class LearningBooker(BookerPlayer):
    """Keeps statistics of its opponents, and pays to see their cards if its settings say so."""

    def __init__(self, settings: BookerSettings) -> None:
        super().__init__(settings)
        self.opponents = OpponentObserver(memory=settings.memory, place=settings.database)
        self.reset(np.random.default_rng(0))

    def reset(self, rng: np.random.Generator) -> None:
        """Forget all opponents, except in the database."""
        super().reset(rng)
        self.opponents.reset()
        self._countdown = Countdown(self.settings.pay, rng) if self.settings.pay else None
        self._pays = False

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who sits in each seat in the next hand."""
        self.opponents.meet(people)

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set the players' names, by number; those in the database are recognised."""
        self.opponents.introduce(names)

    def begin(self, view: View) -> None:
        """Begin a hand, which may be one to call down."""
        self.opponents.begin(view)
        self._pays = self._countdown is not None and self._countdown.next_hand()

    def observe(self, view: View, event: Event) -> None:
        """Add an event to the hand, which is learned from when it ends."""
        self.opponents.observe(view, event)

    def end(self, view: View) -> None:
        """Learn from the cards that were shown and from what everybody did."""
        self.opponents.end(view)
        if self._pays and self._countdown is not None:
            self._countdown.done()

    def shown_by_choice(self, person: int) -> None:
        """Count cards that somebody chose to show after a hand."""
        self.opponents.shown_by_choice(person)

    def commit(self) -> None:
        """Write everything learned, if there is a database, and forget all opponents."""
        self.opponents.commit()

    def rollback(self) -> None:
        """Forget everything learned since `commit`: those hands will be played again."""
        self.opponents.rollback()

    def close(self) -> None:
        """Write what the last session taught if there is a database."""
        self.opponents.close()

    @property
    def _observer(self) -> OpponentObserver:
        return self.opponents

    def _special(self, beliefs: Judgement) -> BookerDecision | None:
        """Call in a hand that the player pays to see, but with all its chips only if ``pay_all``.

        Information is worth nothing to a player who is out of the game, so the payment stays due.
        """
        if not self._pays or (beliefs.situation.is_all_in_call and not self.settings.pay_all):
            return None
        return BookerDecision(BookerRule.PAY, _CALL)


# Options of a spec such as ``booker:4,aggression=30,pay=0``.


def make_booker(
    version: Annotated[BookerSettings, version_description(VERSIONS, default="4")] = VERSIONS["4"],
    **options: Any,
) -> BookerPlayer:
    """Return the player of a version, with options of `BookerSettings` changed."""
    allowed = OPTIONS_OF[version.version]
    if unused := [key for key in options if key not in allowed]:
        raise BadInput(
            f"booker:{version.version} makes no use of {unused[0].replace('_', '-')}=; allowed: "
            f"{', '.join(allowed).replace('_', '-')}"
        )
    if not isinstance(options.get("memory", MEMORY), int):
        options = {"database": options["memory"]} | options | {"memory": MEMORY}
    settings = replace(version, **options)
    if settings.noise:
        return NoisyBooker(settings)
    learns = settings.generation is not Generation.FIRST
    return LearningBooker(settings) if learns else BookerPlayer(settings)


ROLLOUT_OPTIONS: Final = ("prob", "ms", "ties")
"""The options of ``rollout``."""


def make_rollout(**options: Any) -> BookerPlayer:
    """Return the player that compares its win probability with the pot odds."""
    return BookerPlayer(replace(ROLL_OUT, **options))
