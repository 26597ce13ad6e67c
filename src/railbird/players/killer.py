"""Hold'em Killer (Peretz 2005) for any hold'em: notes on opponents, preflop play, decisions.

`booker` and `loki` are other players, each built from one source.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from math import prod
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird._option_fields import Description
from railbird.cards import (
    CLASS_OF_HOLDING,
    HOLDINGS,
    Card,
    Category,
    HandClass,
    parse_cards,
    parse_holding,
)
from railbird.cards.ranges import StartingGroups, starting_groups
from railbird.errors import BadInput
from railbird.game import (
    BOARD_CARDS,
    Act,
    Action,
    Betting,
    Call,
    DealBoard,
    Event,
    Fold,
    HandState,
    Legal,
    Raise,
    Street,
    View,
    step,
)
from railbird.odds import Spectrum, Tables, draw_value, open_tables, outs, spectrum
from railbird.odds.arguments import (
    CACHED_BOARDS,
    EXPECTED_BETS,
    FLOPS_SEEN,
    PAYING_SHARE,
    SHARES,
    TABLE_SEATS,
)
from railbird.odds.flop_book import FlopBook, opposition
from railbird.odds.pot_odds import (
    Play,
    bluffing_frequency,
    pays,
    pot_odds,
    raise_ratio,
    required_equity,
    risk_ratio,
    straight_play,
)
from railbird.odds.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.odds.spectra import (
    average_weights,
    board_quantiles,
    kept_share,
    looseness_of,
    showdown_odds,
)
from railbird.players.explanation import (
    BeliefHistory,
    BeliefStage,
    Explanation,
    Reading,
    rule_sentence,
)
from railbird.players.policy import Distribution, RangeDistribution, ask_each
from railbird.players.tight import all_equities, equities_of, possible
from railbird.units import Chips, Seat

# Play before the flop: the source's reduced game, with blinds and with everybody's looseness.
#
# In the reduced game ("1-Chip Hold'em with Pot Odds") the first to bet needs a holding that, with
# the probability set by the pot odds, none of the k opponents behind can beat: (1 - x)^k = 2/5. A
# caller needs that probability against the holdings that were worth the bet.


# The order of all holdings on a board, by the hand-rank tables.


def quantiles_on(board: Sequence[Card]) -> Floats:
    """Return each holding's share of better ones, (1326,): 0 is best, NaN clashes with the board.

    The first call opens the tables, building them if they are missing.
    """
    return _quantiles(tuple(sorted(board)))


@lru_cache(maxsize=CACHED_BOARDS)
def _quantiles(board: tuple[Card, ...]) -> Floats:
    return board_quantiles(board, tables=_tables() if board else None)


@lru_cache(maxsize=1)
def _tables() -> Tables:
    return open_tables()


# The reduced game.


_NOTHING: Final = 1e-9


def opening_share(behind: int, required: float) -> float:
    """Return the share of holdings, from the best down, that are worth the first bet.

    ``behind`` opponents are still to act; ``required`` is the probability that the pot odds demand.

    >>> [round(opening_share(k, 0.4), 2) for k in (9, 3, 2)]  # the source's UTG, 9 and OTB
    [0.1, 0.26, 0.37]
    """
    if required <= 0:
        return 1.0
    return float(1 - min(1.0, required) ** (1 / behind)) if behind else 1.0


def range_of_share(share: float, softness: float) -> Floats:
    """Return the weights (1326,) of the best holdings preflop; shares go by hundredths."""
    return _range(round(100 * min(1.0, max(0.01, share))), softness)


@lru_cache(maxsize=512)
def _range(hundredths: int, softness: float) -> Floats:
    weights = kept_share(quantiles_on(()), hundredths / 100, softness)
    weights.flags.writeable = False
    return weights


@lru_cache(maxsize=HOLDINGS)
def _equities(holding: int) -> tuple[Floats, Floats]:
    """Return a holding's share of the pot against each other holding, and which ones are possible.

    Both are (1326,). The share is 0 if the two share a card.
    """
    wins = _wins()
    won, lost = wins[holding].astype(np.float64), wins[:, holding].astype(np.float64)
    possible = ((won + lost) > 0).astype(np.float64)  # no two holdings tie on all boards
    return possible * (PAIR_BOARDS + won - lost) / (2 * PAIR_BOARDS), possible


@lru_cache(maxsize=1)
def _wins() -> npt.NDArray[np.uint32]:
    return open_matrix().wins


def odds_against(holding: int, shares: Sequence[float], softness: float) -> tuple[float, ...]:
    """Return a holding's odds against opponents with the best shares of holdings; ties half."""
    won, possible = _equities(holding)
    ranges = [range_of_share(share, softness) for share in shares]
    return tuple(
        float(won @ weights) / max(float(possible @ weights), _NOTHING) for weights in ranges
    )


# The player's defaults. Those without a source were found by matches against simple players.


class Memory(Enum):
    """How long the counts of opponents' actions last."""

    SHORT = "short"
    """They are halved every `HALVED_EVERY` hands, so they follow how opponents play just now."""
    LONG = "long"
    """They are kept until the player is reset."""
    OFF = "off"
    """There are none: everybody is taken to play like the ideal player."""


class Reflection(Enum):
    """How an opponent's actions filter the holdings he may have."""

    BOOLEAN = "boolean"
    """A holding either was worth the action or was not."""
    FUZZY = "fuzzy"
    """The probability falls smoothly, because too rigid a filter is easily deceived."""
    OFF = "off"
    """Not at all: the odds are those against whole ranges."""


LEARN: Final = "learn"
"""Given instead of a looseness, to learn it from the flops that an opponent sees."""

LEAST_LOOSENESS: Final = 0.1
MOST_LOOSENESS: Final = 10.0
"""Bounds of a given looseness; with 10, everybody plays every hand at any table."""

HALVED_EVERY: Final = 40
"""Number of hands after which short-term counts are halved."""

SOFTNESS: Final = 0.08
"""Width of the fuzzy filter, as a share of all holdings."""

PRIOR_DECISIONS: Final = 12
"""How many decisions at the usual rates an opponent is credited with after the flop at first."""

MOST_IDEAL: Final = 0.85
"""Largest ideal share of flops seen; heads-up, nearly all hands are worth the blind's price."""

LATER_BETS: Final = 0.25
"""Part of a bet on each later street that implied odds count, since hands give up on the way."""

PAYING: Final = 0.5
"""Share of those bets that each opponent pays."""

RERAISE_SHARE: Final = 0.05
"""Share of holdings with which a raise before the flop is reraised."""

BET_SIZE: Final = 0.75
"""Size of bets and raises in pots, if the rules leave a choice."""

OPEN_SIZE: Final = 2.5
"""Size of the first raise before the flop in big blinds, if the rules leave a choice."""

LEAST_FOR_SIZE: Final = 0.3
"""Smallest factor by which a bet's size narrows the holdings that are worth it."""

BLUFF_TAIL: Final = 0.3
"""Share of holdings, from the worst up, from which bluffs are taken."""


_STREETS = 4


class Stereotype(Enum):
    """How somebody plays. ``value`` is looseness and aggression, as multiples of the usual.

    Peretz names no stereotypes. These are the four corners that players speak of, and the neutral
    middle.
    """

    NEUTRAL = (1.0, 1.0)
    ROCK = (0.6, 0.6)
    TIGHT_AGGRESSIVE = (0.6, 1.7)
    STATION = (1.8, 0.5)
    """A calling station: loose and passive."""
    MANIAC = (1.8, 1.8)


STEREOTYPE_HANDS: Final = 8
"""Number of hands after which a stereotype replaces the neutral model: the source's "first few"."""


@dataclass(slots=True)
class Rates:
    """Counts of one kind of decision: on one street, with or without a bet to call."""

    decisions: float = 0.0
    aggressive: float = 0.0
    """Bets and raises."""
    passive: float = 0.0
    """Calls, or checks if that is free."""

    def halve(self) -> None:
        """Halve the counts, so that older decisions weigh less."""
        self.decisions /= 2
        self.aggressive /= 2
        self.passive /= 2


def _rates() -> list[list[Rates]]:
    return [[Rates(), Rates()] for _ in range(_STREETS)]


@dataclass(slots=True)
class OpponentHabits:
    """Counts of one opponent's actions, kept as long as ``memory`` says."""

    memory: Memory = Memory.SHORT
    known_looseness: float | None = None
    """The looseness, if it was given; None if it is learned."""
    hands: float = 0.0
    flops: float = 0.0
    """Flops that the opponent has seen; halving makes it a fraction."""
    rates: list[list[Rates]] = field(default_factory=_rates)
    """Decisions from the flop on, by street and by whether there was a bet to call."""
    has_types: bool = False
    """Whether the counts are blended with a stereotype and not with the neutral model."""
    stereotype: Stereotype = Stereotype.NEUTRAL
    """The stereotype that the counts are blended with."""
    _since_halved: int = 0

    def begin_hand(self) -> None:
        """Count a hand that is dealt to the opponent."""
        if self.memory is Memory.OFF:
            return
        self._since_halved += 1
        if self.memory is Memory.SHORT and self._since_halved >= HALVED_EVERY:
            self._since_halved = 0
            self.hands /= 2
            self.flops /= 2
            for street in self.rates:
                for rates in street:
                    rates.halve()
        self.hands += 1
        if self.has_types and self.hands >= STEREOTYPE_HANDS:
            self.stereotype = max(Stereotype, key=self._likelihood)

    def _likelihood(self, kind: Stereotype) -> float:
        """Return the log-likelihood of the counts under a stereotype; ties go to neutral."""
        loose, aggressive = kind.value
        log_chance = _log_chance(self.flops, self.hands, FLOPS_SEEN * loose)
        for street, kinds in enumerate(self.rates):
            for facing, rates in enumerate(kinds):
                usual = SHARES[street]["raise" if facing else "bet"]
                log_chance += _log_chance(rates.aggressive, rates.decisions, usual * aggressive)
                if facing:
                    stays = rates.aggressive + rates.passive
                    log_chance += _log_chance(
                        stays, rates.decisions, SHARES[street]["call"] * loose
                    )
        return log_chance

    def see_flop(self) -> None:
        """Count a flop that the opponent sees."""
        if self.memory is not Memory.OFF:
            self.flops += 1

    def act(self, street: int, *, facing: bool, aggressive: bool, folds: bool) -> None:
        """Count an action."""
        if self.memory is Memory.OFF:
            return
        rates = self.rates[street][facing]
        rates.decisions += 1
        rates.aggressive += aggressive
        rates.passive += not (aggressive or folds)

    def looseness(self, seats: int) -> float:
        """Return how many starting hands he plays, as a multiple of the ideal for ``seats``."""
        if self.known_looseness is not None:
            return self.known_looseness
        ideal = min(MOST_IDEAL, FLOPS_SEEN * TABLE_SEATS / seats)
        usual = min(1.0, ideal * self.stereotype.value[0])
        seen = looseness_of(min(self.flops, self.hands), self.hands, ideal=min(usual, MOST_IDEAL))
        return seen * min(usual, MOST_IDEAL) / ideal

    def raising_share(self, street: int, usual: float, *, facing: bool) -> float:
        """Return the share of holdings with which he bets or raises; ``usual`` before any count."""
        rates, usual = self.rates[street][facing], min(1.0, usual * self.stereotype.value[1])
        return (usual * PRIOR_DECISIONS + rates.aggressive) / (PRIOR_DECISIONS + rates.decisions)

    def staying_share(self, street: int, usual: float) -> float:
        """Return the share of holdings with which he calls or raises a bet."""
        rates, usual = self.rates[street][True], min(1.0, usual * self.stereotype.value[0])
        stays = rates.aggressive + rates.passive
        return (usual * PRIOR_DECISIONS + stays) / (PRIOR_DECISIONS + rates.decisions)

    def staying_rate(self, street: int, unknown: float) -> float:
        """Return how often he calls or raises a bet after the flop; ``unknown`` before any count.

        While this street has few counts, those of the other streets stand in for them.
        """
        seen = [self.rates[later_street][True] for later_street in range(1, _STREETS)]
        decisions = sum(rates.decisions for rates in seen)
        stays = sum(rates.aggressive + rates.passive for rates in seen)
        ever = (unknown * PRIOR_DECISIONS + stays) / (PRIOR_DECISIONS + decisions)
        return self.staying_share(street, ever)


def _log_chance(events: float, trials: float, rate: float) -> float:
    rate = min(0.95, max(0.02, rate))
    return events * math.log(rate) + max(0.0, trials - events) * math.log(1 - rate)


# A hand as the player has followed it: who did what on which street, and what that leaves them.


@dataclass(frozen=True, slots=True)
class Kept:
    """What an action leaves of a seat's holdings: the best ``share`` on the street's board."""

    street: Street
    share: float
    what: str


@dataclass(slots=True)
class SeenHand:
    """Everybody's actions in a hand, as filters of their holdings."""

    habits: Sequence[OpponentHabits]
    """By seat."""
    reflection: Reflection
    filters: list[list[Kept]] = field(default_factory=list)
    """By seat, in the order of the actions."""

    def __post_init__(self) -> None:
        self.filters = [[] for _ in self.habits]

    @property
    def softness(self) -> float:
        """The width of the filter."""
        return SOFTNESS if self.reflection is Reflection.FUZZY else 0.0

    def learn(self, act: Act, before: HandState) -> None:
        """Note an action, and count it among its player's habits."""
        seat, street, facing = act.seat, before.street, before.to_call > 0
        aggressive, folds = isinstance(act.action, Raise), isinstance(act.action, Fold)
        share = self._share(act, before)
        self.habits[seat].act(street, facing=facing, aggressive=aggressive, folds=folds)
        if folds or share >= 1:
            return
        verb = ("raises" if facing else "bets") if aggressive else "calls"
        where = "before the flop" if street is Street.PREFLOP else f"the {street.name.lower()}"
        self.filters[seat].append(Kept(street, share, f"{verb} {where}"))

    def weights(self, seat: Seat, board: Sequence[Card]) -> Floats:
        """Return the weights (1326,) of a seat's holdings; known cards are not taken out."""
        return self.stages(seat, board)[-1].weights

    def stages(self, seat: Seat, board: Sequence[Card]) -> tuple[BeliefStage, ...]:
        """Return a seat's weights after each of its actions."""
        weights = np.ones(len(quantiles_on(())))
        stages = [BeliefStage(what="is dealt cards", weights=weights)]
        if self.reflection is Reflection.OFF:
            return tuple(stages)
        for narrowing in self.filters[seat]:
            left = weights * self._kept(narrowing, board)
            if left.max() < 1e-6:
                continue  # no holding is worth all these actions: skip the last
            weights = left
            stages.append(BeliefStage(what=narrowing.what, weights=weights))
        return tuple(stages)

    def _kept(self, narrowing: Kept, board: Sequence[Card]) -> Floats:
        if narrowing.street is Street.PREFLOP:
            return range_of_share(narrowing.share, self.softness)
        quantiles = quantiles_on(board[: BOARD_CARDS[narrowing.street]])
        weights: Floats = np.nan_to_num(kept_share(quantiles, narrowing.share, self.softness))
        return weights

    def _share(self, act: Act, state: HandState) -> float:
        """Return the share of holdings that are worth an action; 1 for a check."""
        habits, facing = self.habits[act.seat], state.to_call > 0
        if isinstance(act.action, Raise):
            if state.street is Street.PREFLOP:
                return raising_share(state, act.seat, habits)
            usual = SHARES[state.street]["raise" if facing else "bet"]
            share = habits.raising_share(state.street, usual, facing=facing)
            return share * size_factor(act.action.to - state.street_bets[act.seat], state.pot)
        if not facing:
            return 1.0
        if state.street is Street.PREFLOP:
            return calling_share(state, act.seat, habits)
        staying = habits.staying_share(state.street, SHARES[state.street]["call"])
        return staying * size_factor(state.to_call, state.pot)


def raising_share(state: HandState, seat: Seat, habits: OpponentHabits) -> float:
    """Return the share of holdings with which a seat raises before the flop."""
    seats = state.rules.seats
    loose = habits.looseness(seats)
    if state.raises:
        usual = RERAISE_SHARE * math.sqrt(TABLE_SEATS / min(seats, TABLE_SEATS))
    else:
        behind = len([opponent for opponent in state.pending if opponent != seat])
        price = max(state.to_call, max(state.rules.blinds) / 2)
        usual = opening_share(max(behind, 1), pot_odds(price, state.pot))
    usual = min(1.0, usual * loose)
    return habits.raising_share(Street.PREFLOP, usual, facing=state.to_call > 0)


def calling_share(state: HandState, seat: Seat, habits: OpponentHabits) -> float:
    """Return the share of holdings with which a seat calls before the flop.

    To call a raise, it is the part of the raiser's share that is worth the price, by the source's
    table of calls.
    """
    loose, seats = habits.looseness(state.rules.seats), state.rules.seats
    if state.raises:
        required = pot_odds(state.to_call, state.pot)
        behind = max(1, len(state.in_hand) - 1)
        usual = max(0.1, opening_share(behind, 0.4) * (1 - required))
    else:
        usual = SHARES[0]["call"] * TABLE_SEATS / seats
    return habits.staying_share(Street.PREFLOP, min(1.0, usual * loose))


def size_factor(chips: int, pot: int) -> float:
    """Return the factor by which a bet's size narrows what is worth it; 1 for half the pot.

    >>> [round(size_factor(chips, 100), 2) for chips in (25, 50, 100, 400)]
    [1.33, 1.0, 0.67, 0.3]
    """
    return max(LEAST_FOR_SIZE, 1 / (0.5 + chips / max(pot, 1)))


# Hold'em Killer as a player.


# The decision: reflective odds against implied odds and raise odds.


# Bets that win because opponents give up, by how often each of them has been seen to do so.
#
# The source's straight play looks only at the odds of the bet itself (raise odds), since the pot is
# not at risk. Its value of a preflop raise adds what is won if everybody gives up. With that term
# the same sum decides after the flop too. It equals the source's raise odds if nobody gives up.


def giving_up(hand: SeenHand, others: Sequence[Seat], state: HandState, size: int) -> float:
    """Return the chance that all ``others`` fold to a bet of ``size`` chips.

    An opponent who is not known is taken to fold just so often that a bluff breaks even, so nobody
    counts on folds that have not been seen. A player who is all-in cannot fold.
    """
    if state.stacks is not None and any(state.stacks[seat] == 0 for seat in others):
        return 0.0
    factor = size_factor(size, state.pot)  # the rates are for half the pot: convert there and back
    unknown = (1 - (size / (state.pot + size)) ** (1 / len(others))) ** factor
    chance = 1.0
    for seat in others:
        chance *= 1 - hand.habits[seat].staying_rate(state.street, unknown) ** (1 / factor)
    return chance


def gain_of_bet(
    odds: float, *, called: float, callers: float, all_fold: float, size: int, pot: int
) -> float:
    """Return how much more a bet of ``size`` chips is worth than a check, by the odds of each.

    ``called`` are the odds against those who call, and ``callers`` their number if anybody does.

    >>> gain_of_bet(0.3, called=0.3, callers=1, all_fold=0.0, size=50, pot=100)  # raise odds: 1/2
    -20.0
    >>> gain_of_bet(0.3, called=0.1, callers=1, all_fold=0.6, size=50, pot=100)
    18.0
    """
    if_called = called * (pot + size * (1 + callers)) - size
    return all_fold * pot + (1 - all_fold) * if_called - odds * pot


def bluffs(
    hand: SeenHand,
    state: HandState,
    others: Sequence[Seat],
    *,
    quantile: float,
    size: int,
    usual: float,
    called: float,
) -> bool:
    """Return whether a holding is a bluff: among the worst, first to bet, against one opponent.

    ``usual`` is the share of holdings that call, and ``called`` the probability of a call. An
    opponent who calls so often that a bluff loses is not bluffed.
    """
    if state.to_call or len(others) > 1:
        return False
    if called * size >= (1 - called) * state.pot:
        return False
    frequency = bluffing_frequency(risk_ratio(size, state.pot + 2 * size))
    value = hand.habits[others[0]].staying_share(state.street, usual) / 2
    return quantile > 1 - min(BLUFF_TAIL, value * frequency / (1 - frequency))


# After the flop: reflective odds against implied odds and raise odds.


class KillerRule(Enum):
    """Reasons for an action."""

    GROUP_RAISE = "raises before the flop: the group is good enough for a raise in this position"
    GROUP_CALL = "calls before the flop: the group is good enough for a call in this position"
    GROUP_CHECK = "checks before the flop: the group is not good enough for a raise here"
    GROUP_FOLD = "folds before the flop: the group is not played in this position"
    FLOPS_RAISE = "raises before the flop: of all flops a raise is worth most"
    FLOPS_CALL = "calls before the flop: of all flops a call is worth most"
    FLOPS_CHECK = "checks before the flop: of all flops a raise is worth no more"
    FLOPS_FOLD = "folds before the flop: the flops are not worth their price"

    OPEN = "bets first before the flop: likely enough that nobody behind holds better"
    PREFLOP_RAISE = "raises before the flop: the odds of the raise alone pay"
    PREFLOP_CALL = "calls before the flop: the odds against what was worth the bets pay"
    PREFLOP_FOLD = "gives up before the flop"
    BET = "bets: the odds of the bet alone pay against all that would call"
    RAISE = "raises: the odds of the raise alone pay against all that would call"
    CALL = "calls: the implied odds pay, those of a raise do not"
    DRAW = "calls with a draw: what it wins when it hits pays for the calls that it takes"
    CHECK = "checks: the odds of a bet do not pay"
    FOLD = "folds: the implied odds do not pay"
    STEAL = "bets: with what is won if everybody folds, it is worth more than a check"
    BLUFF = "bluffs, as often as makes a call worth nothing to the opponent"


@dataclass(frozen=True, slots=True)
class KillerDecision:
    """An action, its rule, and the numbers behind it."""

    rule: KillerRule
    action: Action
    readings: tuple[Reading, ...]


def decide(
    view: View,
    hand: SeenHand,
    *,
    may_bluff: bool,
    flops: FlopPlay | None = None,
    by_groups: bool = False,
    follows_draws: bool = False,
) -> KillerDecision:
    """Decide for the seat to act; preflop by the reduced game unless told otherwise."""
    if view.state.street is not Street.PREFLOP:
        return _after_flop(view, hand, may_bluff=may_bluff, follows_draws=follows_draws)
    if by_groups:
        return _by_groups(view)
    by_flops = None if flops is None else _by_flops(view, hand, flops)
    return by_flops or _before_flop(view, hand)


# Before the flop, by the groups of Sklansky and Malmuth in early, middle and late position.
#
# Peretz advises this if nothing better is at hand, but prints neither groups nor positions. The
# groups are those of `railbird.cards.ranges`. Which groups are played from which position is this
# program's own choice: an outline of what *Hold'em Poker for Advanced Players* says at length,
# without its exceptions for loose and tight games.


class Position(Enum):
    """Where a seat acts before the flop, by the number of players (not blinds) after it."""

    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"

    @classmethod
    def of(cls, after: int) -> Position:
        """Return the position with ``after`` players, not counting blinds, to act after it.

        >>> [Position.of(after).value for after in (0, 1, 2, 4, 5, 7)]
        ['late', 'late', 'middle', 'middle', 'early', 'early']
        """
        return cls.LATE if after < 2 else cls.MIDDLE if after < 5 else cls.EARLY


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGroups:
    """For each action, the last group that is worth it, 1 to 8."""

    opens: int
    """To raise a pot that nobody has entered."""
    enters: int
    """To call the blind."""
    raises: int
    """To raise those who called the blind."""
    calls: int
    """To call a raise."""
    reraises: int


PLAYED_GROUPS: Final[Mapping[Position, PlayedGroups]] = {
    Position.EARLY: PlayedGroups(opens=2, enters=4, raises=2, calls=2, reraises=1),
    Position.MIDDLE: PlayedGroups(opens=3, enters=5, raises=2, calls=3, reraises=1),
    Position.LATE: PlayedGroups(opens=6, enters=7, raises=3, calls=4, reraises=1),
}


def position_of(state: HandState, seat: Seat) -> Position:
    """Return a seat's position before the flop; the blinds count as late."""
    posted = state.rules.blinds
    return Position.of(len([o for o in state.pending if o != seat and not posted[o]]))


def _by_groups(view: View) -> KillerDecision:
    state, legal = view.state, view.legal
    group = int(starting_groups(StartingGroups.LIMIT)[CLASS_OF_HOLDING[view.holding]])
    where = position_of(state, view.seat)
    play = PLAYED_GROUPS[where]
    in_before = sum(bet >= state.bet for bet in state.street_bets) - 1
    if state.raises:
        raises, calls = play.reraises, play.calls
    else:
        raises, calls = (play.raises if in_before else play.opens), play.enters
    readings = (
        Reading(name="group of the hand", value=group),
        Reading(name=f"last group that is raised in {where.value} position", value=raises),
        Reading(name=f"last group that is called with in {where.value} position", value=calls),
    )
    if group <= raises and legal.min_raise_to is not None:
        return KillerDecision(KillerRule.GROUP_RAISE, _sized(view, legal), readings)
    if state.to_call == 0:
        return KillerDecision(KillerRule.GROUP_CHECK, Call(), readings)
    if group <= max(raises, calls):
        return KillerDecision(KillerRule.GROUP_CALL, Call(), readings)
    return KillerDecision(KillerRule.GROUP_FOLD, Fold(), readings)


# Before the flop, by the value over all flops (Peretz 2005, "Beyond the Sklansky Preflop").
#
# EV(call) and EV(raise) are the mean values of the flops less the price, and EV(fold) is 0. How
# many come in behind us is not known, so each number of callers has a probability. The source
# decides in four ways: its chapter on modelling by three numbers of callers (its "conservative
# extreme", "scaled estimate" and "playable range"), its chapter on values by the mean over all
# numbers. Here all four use the same values.


class Callers(Enum):
    """For which number of opponents at the flop a hand must be worth its price."""

    MEAN = "mean"
    """For the mean over all numbers, weighted by their probabilities."""
    EXPECTED = "expected"
    """For the expected number."""
    NEAR = "near"
    """For the expected number, and for one more and one less."""
    EVERY = "every"
    """For every possible number."""


@dataclass(frozen=True, slots=True)
class FlopPlay:
    """The book of flop values, and how the number of callers enters the decision."""

    book: FlopBook
    callers: Callers = Callers.MEAN

    def decisive(self, values: Sequence[float], chances: Sequence[float]) -> float:
        """Return the value that decides, given the values for 0, 1, ... more opponents.

        >>> values, chances = [2.0, 0.5, -1.0], [0.25, 0.5, 0.25]
        >>> [FlopPlay(FlopBook(), each).decisive(values, chances) for each in Callers]
        [0.5, 0.5, -1.0, -1.0]
        """
        if self.callers is Callers.MEAN:
            return sum(value * chance for value, chance in zip(values, chances, strict=True))
        expected = round(sum(more * chance for more, chance in enumerate(chances)))
        width = {Callers.EXPECTED: 0, Callers.NEAR: 1}.get(self.callers, len(values))
        return min(values[max(0, expected - width) : expected + width + 1])


def _by_flops(view: View, hand: SeenHand, play: FlopPlay) -> KillerDecision | None:
    """Take the action with the highest value; None if a page of the book is missing."""
    state, legal = view.state, view.legal
    call = _value_over_flops(view, hand, play, Call())
    raised = -math.inf
    action = _sized(view, legal)
    if isinstance(action, Raise):
        raise_value = _value_over_flops(view, hand, play, action)
        if raise_value is None:
            return None
        raised = raise_value
    if call is None:
        return None
    unit = max(state.rules.blinds)
    readings = (
        Reading(name="a call is worth, big blinds", value=call / unit),
        *(
            (Reading(name="a raise is worth, big blinds", value=raised / unit),)
            if isinstance(action, Raise)
            else ()
        ),
    )
    if raised > max(call, 0.0):
        return KillerDecision(KillerRule.FLOPS_RAISE, action, readings)
    if state.to_call == 0:
        return KillerDecision(KillerRule.FLOPS_CHECK, Call(), readings)
    if call > 0:
        return KillerDecision(KillerRule.FLOPS_CALL, Call(), readings)
    return KillerDecision(KillerRule.FLOPS_FOLD, Fold(), readings)


def _value_over_flops(view: View, hand: SeenHand, play: FlopPlay, action: Action) -> float | None:
    """Return how much more an action is worth than a fold, in chips; None if a page is missing.

    An opponent who has yet to answer comes in with the holdings that are worth a call, out of those
    that its actions have left it. Opponents who would raise are taken to call.
    """
    state, own = view.state, view.seat
    after = step(state, Act(own, action))
    certain, asked, chances, prices = [], [], [], []
    for seat in after.in_hand:
        if seat == own:
            continue
        share = hand.filters[seat][-1].share if hand.filters[seat] else 1.0
        price = after.bet - after.street_bets[seat]
        if after.stacks is not None:
            price = min(price, after.stacks[seat])
        if seat not in after.pending or price <= 0:
            certain.append(share)
            continue
        stays = min(share, calling_share(after, seat, hand.habits[seat]))
        asked.append(stays)
        chances.append(stays / share)
        prices.append(price)
    matchup, offset = opposition(
        state.rules.seats, len(certain), _mean_share(certain), len(asked), _mean_share(asked)
    )
    page = play.book.find(matchup)
    if page is None:
        return None
    comes_in = sum(chances) / len(chances) if chances else 0.0
    mean_price = sum(prices) / len(prices) if prices else 0.0
    cost = after.spent[own] - state.spent[own]
    hand_class = HandClass(int(CLASS_OF_HOLDING[view.holding]))
    values, weights = [], []
    for more in range(len(asked) + 1):
        weights.append(
            math.comb(len(asked), more) * comes_in**more * (1 - comes_in) ** (len(asked) - more)
        )
        opponents = len(certain) + more
        if opponents == 0:
            values.append(float(state.pot))
            continue
        pot, bets = _final_pot(after, own, after.pot + more * mean_price, opponents)
        place = min(offset + more, matchup.more)
        values.append(page.value(hand_class, place, pot=pot, bets=bets) - cost)
    return play.decisive(values, weights)


def _mean_share(shares: Sequence[float]) -> float:
    """Return the geometric mean of the shares, because looseness is a ratio."""
    return math.exp(sum(map(math.log, shares)) / len(shares)) if shares else 1.0


def _final_pot(after: HandState, own: Seat, pot: float, opponents: int) -> tuple[float, float]:
    """Return the final pot after rake, and the player's later bets in it from the flop on."""
    rules, stacks = after.rules, after.stacks
    bets = EXPECTED_BETS * rules.bet_sizes[Street.FLOP]
    if rules.betting is not Betting.LIMIT:
        bets = BET_SIZE * pot
    if stacks is not None:
        others = [stacks[seat] for seat in after.in_hand if seat != own]
        bets = min(bets, stacks[own], max(others, default=0))
    full_pot = pot + bets * (1 + PAYING_SHARE * opponents)
    if rules.rake is not None:
        tier = rules.rake.tier(rules.seats)
        full_pot -= min(float(tier.share) * full_pot, full_pot if tier.cap is None else tier.cap)
    return full_pot, bets


# Before the flop, by the reduced game of one chip.


def _before_flop(view: View, hand: SeenHand) -> KillerDecision:
    state, legal = view.state, view.legal
    others = [seat for seat in state.in_hand if seat != view.seat]
    acted = [seat for seat in others if hand.filters[seat]]
    behind = [seat for seat in others if seat in state.pending and seat not in acted]
    required = pot_odds(state.to_call, state.pot) if state.to_call else 0.0
    if not acted:
        return _first_in(view, hand, behind, others)
    shares = [hand.filters[seat][-1].share for seat in acted]
    odds = prod(odds_against(view.holding, shares, hand.softness))
    readings = (
        Reading(name="odds against those who bet", value=odds),
        Reading(name="pot odds", value=required),
        *_shares(shares),
    )
    ratio = raise_ratio(max(1, len(acted)))
    if legal.min_raise_to is not None and pays(min(odds, 1.0), ratio) and odds > required:
        return KillerDecision(KillerRule.PREFLOP_RAISE, _sized(view, legal), readings)
    if state.to_call == 0:
        return KillerDecision(KillerRule.CHECK, Call(), readings)
    implied = required_equity(_implied(state, state.to_call, len(acted)))
    if odds > implied:
        return KillerDecision(KillerRule.PREFLOP_CALL, Call(), readings)
    return KillerDecision(KillerRule.PREFLOP_FOLD, Fold(), readings)


def _first_in(view: View, hand: SeenHand, behind: list[Seat], others: list[Seat]) -> KillerDecision:
    """Bet first with as many of the best holdings as the reduced game says."""
    state, legal = view.state, view.legal
    quantile = float(quantiles_on(())[view.holding])
    price = max(state.to_call, max(state.rules.blinds) / 2)
    share = opening_share(max(len(behind), 1), pot_odds(price, state.pot))
    readings = (
        Reading(name="share of better holdings", value=quantile),
        Reading(name="share that is worth the first bet", value=share),
    )
    if quantile < share and legal.min_raise_to is not None:
        return KillerDecision(KillerRule.OPEN, _sized(view, legal), readings)
    if state.to_call == 0:
        return KillerDecision(KillerRule.CHECK, Call(), readings)
    odds = prod(odds_against(view.holding, [1.0] * len(others), hand.softness))
    if len(others) == 1 and odds > required_equity(_implied(state, state.to_call, 1)):
        return KillerDecision(KillerRule.PREFLOP_CALL, Call(), readings)
    return KillerDecision(KillerRule.PREFLOP_FOLD, Fold(), readings)


def _after_flop(
    view: View, hand: SeenHand, *, may_bluff: bool, follows_draws: bool
) -> KillerDecision:
    state, legal, board = view.state, view.legal, view.state.board
    others = [seat for seat in state.in_hand if seat != view.seat]
    weights = [hand.weights(seat, board) for seat in others]
    against = all_equities(view.holding, board)
    odds_by_opponent = [_odds(against, held, view, board) for held in weights]
    # The odds against several opponents depend on each other through the final hand, as the source
    # says.
    odds = (
        odds_by_opponent[0]
        if len(odds_by_opponent) == 1
        else showdown_odds(view.holding, board, weights).joint
    )
    odds = min(odds, 1.0)  # a sum of many rounded terms can exceed 1
    size, usual = _bet_size(view, legal), SHARES[state.street]["call"]
    staying = [
        _staying(hand, seat, held, state, size) for seat, held in zip(others, weights, strict=True)
    ]
    # A bet's odds count only if somebody calls it: without a caller it is not lost.
    somebody = 1 - prod(1 - chance for chance, _ in staying)
    callers = sum(chance for chance, _ in staying) / somebody if somebody else 1.0
    against_callers = [_odds(against, left, view, board) for _, left in staying]
    ratios = (
        now / before if before else 1.0
        for now, before in zip(against_callers, odds_by_opponent, strict=True)
    )
    called = min(1.0, odds * prod(ratios))
    implied = _implied(state, state.to_call, len(others))
    raising = raise_ratio(callers)
    facing = state.to_call > 0
    all_fold = 0.0 if facing else giving_up(hand, others, state, size)
    gain = gain_of_bet(
        odds, called=called, callers=callers, all_fold=all_fold, size=size, pot=state.pot
    )
    quantile = float(quantiles_on(board)[view.holding])
    first = (
        Reading(name="everybody gives up", value=all_fold),
        Reading(name="a bet gains over a check, bets", value=gain / size),
    )
    readings = (
        Reading(name="reflective odds", value=odds),
        Reading(name="needed for a call", value=required_equity(implied)),
        Reading(name="odds against who would call", value=called),
        Reading(name="needed for a bet or raise", value=required_equity(raising)),
        Reading(name="callers, if any", value=callers),
        Reading(name="share of better holdings", value=quantile),
        *(() if facing else first),
    )
    is_made = not facing and odds > 0.5  # gives opponents no free card
    may_raise = legal.min_raise_to is not None and (pays(called, raising) or is_made)
    play = straight_play(odds, implied=implied, raising=0.0, facing_bet=facing, may_raise=may_raise)
    match play:
        case Play.BET | Play.RAISE:
            rule = KillerRule.RAISE if facing else KillerRule.BET
            return KillerDecision(rule, _sized(view, legal), readings)
        case Play.CALL:
            return KillerDecision(KillerRule.CALL, Call(), readings)
        case Play.FOLD if follows_draws and (drawn := _value_of_draw(view, others, weights)) > 0:
            worth = Reading(name="a call with the draw is worth, chips", value=drawn)
            return KillerDecision(KillerRule.DRAW, Call(), (*readings, worth))
        case _ if not may_bluff or facing or legal.min_raise_to is None:
            pass
        case _ if gain > 0:
            return KillerDecision(KillerRule.STEAL, _sized(view, legal), readings)
        case _ if bluffs(
            hand, state, others, quantile=quantile, size=size, usual=usual, called=somebody
        ):
            return KillerDecision(KillerRule.BLUFF, _sized(view, legal), readings)
    rule, action = (KillerRule.FOLD, Fold()) if facing else (KillerRule.CHECK, Call())
    return KillerDecision(rule, action, readings)


def _odds(against: Floats, weights: Floats, view: View, board: tuple[Card, ...]) -> float:
    """Return the odds against one opponent, from those against each of his holdings."""
    left = weights * possible(view.holding, board)
    total = float(left.sum())
    return float(against @ left) / total if total else 0.5


def _staying(
    hand: SeenHand, seat: Seat, weights: Floats, state: HandState, size: int
) -> tuple[float, Floats]:
    """Return the probability that a seat calls a bet, and the holdings it then has."""
    street = state.street
    share = hand.habits[seat].staying_share(street, SHARES[street]["call"])
    share = min(1.0, share * size_factor(size, state.pot))
    quantiles = quantiles_on(state.board)
    left = weights * np.nan_to_num(kept_share(quantiles, share, hand.softness))
    total = float(weights[np.isfinite(quantiles)].sum())
    if total <= 0 or left.max() < 1e-6:
        return 0.0, weights
    return float(left.sum()) / total, left


def _implied(state: HandState, to_call: int, opponents: int) -> float:
    """Return the ratio of what is risked from now on to what can be won.

    Before the flop no later bets are at risk, because flops not worth them are given up.
    """
    if state.street is Street.PREFLOP:
        return risk_ratio(to_call, state.pot + to_call)
    later = LATER_BETS * sum(
        _usual_bet(state, Street(street)) for street in range(state.street + 1, len(Street))
    )
    stacks = state.stacks
    if stacks is not None and state.actor is not None:
        later = min(later, max(0.0, stacks[state.actor] - to_call))
    own = to_call + later
    matched = later * max(1.0, opponents * PAYING)  # each bet is matched by at least one opponent
    return risk_ratio(own, state.pot + own + matched)


def _value_of_draw(view: View, others: Sequence[Seat], weights: Sequence[Floats]) -> float:
    """Return the value of calling with a draw in chips, by effective odds; 0 without outs.

    The draw goes on only while that pays. When it hits, a share of the opponents pays the bets of
    the streets that are left.
    """
    state, board = view.state, view.state.board
    if len(board) >= BOARD_CARDS[Street.RIVER]:
        return 0.0
    theirs = average_weights(view.holding, board, weights)
    if not (theirs * possible(view.holding, board)).any():
        return 0.0
    draw = outs(view.holding, board, theirs)
    if not draw.outs:
        return 0.0
    bets = [_usual_bet(state, Street(street)) for street in range(state.street + 1, len(Street))]
    if state.stacks is not None:
        left = float(min(state.stacks[view.seat], max(state.stacks[seat] for seat in others)))
        left = max(0.0, left - state.to_call)
        bets = [min(bet, left) for bet in bets]
    payers = PAYING * len(others)
    return draw_value(
        min(len(draw.outs), len(draw.cards) - len(bets)),
        len(draw.cards),
        pot=state.pot,
        calls=[state.to_call, *bets[:-1]],
        paid=[payers * sum(bets[place:]) for place in range(len(bets))],
    )


def _usual_bet(state: HandState, street: Street) -> float:
    if state.rules.betting is Betting.LIMIT:
        return float(state.rules.bet_sizes[street])
    return BET_SIZE * state.pot


def _bet_size(view: View, legal: Legal) -> int:
    """Return the chips that a bet or raise adds to a call."""
    if legal.min_raise_to is None:
        return max(1, view.state.to_call)
    action = _sized(view, legal)
    assert isinstance(action, Raise)
    return max(1, action.to - view.state.bet)


def _sized(view: View, legal: Legal) -> Action:
    """Bet or raise by the usual size or the nearest legal one; all-in if little would be left."""
    state = view.state
    low, high = legal.min_raise_to, legal.max_raise_to
    if low is None or high is None:
        return Call()
    if state.street is Street.PREFLOP and not state.raises:
        to = round(OPEN_SIZE * max(state.rules.blinds))
    else:
        to = state.bet + round(BET_SIZE * (state.pot + state.to_call))
    to = min(max(to, low), high)
    return Raise(Chips(high if 3 * (high - to) < high and high > low else to))


def _shares(shares: list[float]) -> tuple[Reading, ...]:
    return tuple(Reading(name="share of holdings of one who bet", value=share) for share in shares)


# What the player's decisions need at their first use: machine code and tables.


@lru_cache(maxsize=1)
def make_ready() -> None:
    """Compile the kernels and open the tables, so that no decision has to wait for them."""
    held, board = parse_holding("AdQc"), parse_cards("3h4cJh2d7s")
    odds_against(held, [0.5], 0.0)
    quantiles_on(board[:3])
    equities_of(held, board, possible(held, board))
    showdown_odds(held, board, [np.ones(HOLDINGS)] * 2)


# Spectra for an explanation: the categories of hand with which a seat ends.


_LEAST = 0.0005
"""Categories with less than this share are left out."""


def own_final_hands(view: View) -> tuple[Reading, ...]:
    """Return the player's final hands, from the flop on; before it they would be a mere sample."""
    spectrum = _spectrum(view, np.ones(HOLDINGS))
    if spectrum is None:
        return ()
    return tuple(
        Reading(name=f"ends with {_words(category)}", value=own, decimals=3)
        for category, (own, _) in spectrum.by_category().items()
        if own >= _LEAST
    )


def final_hands(view: View, weights: npt.NDArray[np.float64]) -> tuple[Reading, ...]:
    """Return an opponent's final hands, from the flop on, given his weights (1326,).

    Returns nothing if the known cards leave him no holding.
    """
    spectrum = _spectrum(view, weights)
    if spectrum is None:
        return ()
    return tuple(
        Reading(name=_words(category), value=share, decimals=3)
        for category, (_, share) in spectrum.by_category().items()
        if share >= _LEAST
    )


def _spectrum(view: View, weights: npt.NDArray[np.float64]) -> Spectrum | None:
    board = view.state.board
    if view.state.street is Street.PREFLOP or not (weights * possible(view.holding, board)).any():
        return None
    return spectrum(view.holding, board, weights)


def _words(category: Category) -> str:
    return category.name.lower().replace("_", " ")


# The player.


class KillerPlayer:
    """Plays straight: reflective odds against implied odds, and raise odds for each raise.

    From everybody's actions it infers what they may hold, and how often each opponent sees flops,
    bets and stays in. ``looseness`` is that of all opponents, or `LEARN`. The constructor opens the
    tables, and builds them if they are missing.
    """

    def __init__(
        self,
        *,
        memory: Memory = Memory.LONG,
        looseness: float | str = LEARN,
        reflection: Reflection = Reflection.FUZZY,
        bluffs: bool = True,
        flops: FlopPlay | None = None,
        groups: bool = False,
        draws: bool = False,
        types: bool = False,
    ) -> None:
        self._memory, self._reflection, self._bluffs = memory, reflection, bluffs
        self._flops, self._groups, self._draws, self._types = flops, groups, draws, types
        self._looseness = None if isinstance(looseness, str) else looseness
        self._habits: dict[int, OpponentHabits] = {}
        self._people: tuple[int, ...] | None = None
        self._hand = SeenHand((), reflection)
        self._before: View | None = None
        self._decision: KillerDecision | None = None
        self._foreseen: tuple[View, KillerDecision] | None = None
        make_ready()

    def reset(self, rng: np.random.Generator) -> None:
        """Forget everybody; this player draws nothing."""
        self._habits, self._people = {}, None
        self._before = self._decision = self._foreseen = None

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who sits in each seat in the next hand."""
        self._people = people

    def begin(self, view: View) -> None:
        """Begin a hand, in which everybody may hold anything."""
        self._foreseen = None
        people = self._people or tuple(range(view.rules.seats))
        habits = [
            self._habits.setdefault(
                who, OpponentHabits(self._memory, self._looseness, has_types=self._types)
            )
            for who in people
        ]
        for opponent_habits in habits:
            opponent_habits.begin_hand()
        self._hand = SeenHand(habits, self._reflection)
        self._before = view

    def observe(self, view: View, event: Event) -> None:
        """Note an action, for its player's model and holdings."""
        self._foreseen = None
        before, self._before = self._before, view
        if isinstance(event, Act) and before is not None:
            self._hand.learn(event, before.state)
        elif isinstance(event, DealBoard) and view.state.street is Street.FLOP:
            for seat in view.state.in_hand:
                self._hand.habits[seat].see_flop()

    def end(self, view: View) -> None:
        """Learn nothing: few holdings are shown, and they are no random sample."""

    def act(self, view: View) -> Action:
        """Decide by reflective odds."""
        self._decision = self._decide(view)
        return self._decision.action

    def distribution(self, view: View) -> Distribution:
        """Return its one action: it draws nothing."""
        return Distribution.certain(self._decide(view).action)

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the answers for the given holdings."""
        return ask_each(self, view, holdings)

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._decision is None:
            raise LookupError("this player has not decided anything yet")
        rivals = [seat for seat in view.state.in_hand if seat != view.seat]
        return Explanation(
            rule=f"{rule_sentence(self._decision.rule)}.",
            readings=self._decision.readings + own_final_hands(view),
            beliefs=tuple(self._belief(seat, view) for seat in rivals),
        )

    def _decide(self, view: View) -> KillerDecision:
        """Decide once per view: a caller may ask for the probabilities and then for the action."""
        if self._foreseen is None or self._foreseen[0] is not view:
            self._foreseen = (
                view,
                decide(
                    view,
                    self._hand,
                    may_bluff=self._bluffs,
                    flops=self._flops,
                    by_groups=self._groups,
                    follows_draws=self._draws,
                ),
            )
        return self._foreseen[1]

    def _belief(self, seat: Seat, view: View) -> BeliefHistory:
        stages = self._hand.stages(seat, view.state.board)
        return BeliefHistory(
            seat=seat,
            stages=tuple(
                replace(stage, readings=final_hands(view, stage.weights)) for stage in stages
            ),
        )


# The options of the player in a spec.


def _looseness(text: str) -> float | str:
    if text == LEARN:
        return LEARN
    looseness = float(text)
    if not LEAST_LOOSENESS <= looseness <= MOST_LOOSENESS:
        raise ValueError(text)
    return looseness


class Book(Enum):
    """What to do if a page of the book of flops is missing."""

    WAIT = "wait"
    """Compute it, so that the same seed always plays the same hands."""
    IDLE = "idle"
    """Play by the game of one chip, and compute the page in idle time."""


class Preflop(Enum):
    """How hands are played before the flop, if not by the game of one chip."""

    FLOPS = "flops"
    """By the value over all flops."""
    GROUPS = "groups"
    """By the group and the position."""


def make_killer(
    version: Annotated[
        Preflop | None, "how it plays before the flop, in place of the game of one chip"
    ] = None,
    *,
    memory: Annotated[
        Memory, Description("how long opponents' actions are remembered", key="model")
    ] = Memory.LONG,
    looseness: Annotated[
        float | str,
        Description(
            "starting hands that opponents play, as a multiple of the usual",
            parse=_looseness,
            allowed=f"{LEARN}, {LEAST_LOOSENESS:g} to {MOST_LOOSENESS:g}",
        ),
    ] = LEARN,
    reflection: Annotated[
        Reflection,
        Description("how an opponent's actions filter his holdings", key="reflect"),
    ] = Reflection.FUZZY,
    bluffs: Annotated[
        bool, Description("bluffs, as often as makes calls worth nothing", key="bluff")
    ] = True,
    draws: Annotated[bool, "calls with draws by what they win when they hit"] = False,
    types: Annotated[bool, "takes strangers for a stereotype after a few hands"] = False,
    book: Annotated[
        Book | None,
        Description("flops: what a missing page of the book does", if_absent=Book.WAIT.value),
    ] = None,
    callers: Annotated[
        Callers | None,
        Description("flops: for how many callers a hand must pay", if_absent=Callers.MEAN.value),
    ] = None,
) -> KillerPlayer:
    """Make a player with the options of a spec."""
    flops = None
    if version is Preflop.FLOPS:
        flops = FlopPlay(FlopBook(waits=book is not Book.IDLE), callers or Callers.MEAN)
    elif book or callers:
        key = "book" if book else "callers"
        raise BadInput(f"killer: {key}=; allowed: with killer:flops alone")
    return KillerPlayer(
        memory=memory,
        looseness=looseness,
        reflection=reflection,
        bluffs=bluffs,
        flops=flops,
        groups=version is Preflop.GROUPS,
        draws=draws,
        types=types,
    )
