"""State of a hand: one vector of integers behind a small immutable object.

The vector's layout is in `railbird.game.kernels`; kernels step it, and nothing else
implements the rules. A state never changes: `railbird.game.step` returns the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from operator import add, lt, sub
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked, explained
from railbird.cards import HOLDEM, Card, Holding, cards_of, format_card
from railbird.errors import BadInput
from railbird.game import kernels, tail
from railbird.game import kernels as at
from railbird.game.actions import (
    Action,
    ActionKind,
    Call,
    Discard,
    Fold,
    Raise,
    code_of,
    code_of_any,
)
from railbird.game.rules import (
    MOST_PARTS,
    MOST_STREETS,
    Betting,
    LaterStreet,
    NoFlop,
    OpenFold,
    Rules,
    ShortAllIn,
    Street,
    UncallableRaise,
)
from railbird.units import Chips, Seat


class Phase(IntEnum):
    """Stage of a hand, by what it waits for next."""

    DEAL_HOLES = at.DEALING_HOLES
    BETTING = at.BETTING_ROUND
    DEAL_BOARD = at.DEALING_BOARD
    SHOWDOWN = at.SHOWDOWN
    OVER = at.OVER
    DRAW = at.DRAWING
    """The actor exchanges cards: -1, so that the last of the tuple below."""


_PHASES = tuple(Phase)
_STREETS: tuple[Street, ...] = (*Street, cast("Street", LaterStreet.FIFTH))
_BETTING = {
    Betting.LIMIT: at.LIMIT,
    Betting.SPREAD_LIMIT: at.SPREAD_LIMIT,
    Betting.POT_LIMIT: at.POT_LIMIT,
    Betting.NO_LIMIT: at.NO_LIMIT,
}


class HandState:
    """One hand at one moment, with all known cards; immutable, equal by content.

    Get one from `initial` and the next from `step`. A player sees it through a `View`.
    """

    __slots__ = ("_rules", "_vector")

    def __init__(self, rules: Rules, vector: NDArray[np.int64]) -> None:
        self._rules = rules
        self._vector = vector

    @property
    def rules(self) -> Rules:
        """The rules of the hand."""
        return self._rules

    @property
    def phase(self) -> Phase:
        """The hand's stage."""
        return _PHASES[self._vector.item(at.PHASE)]

    @property
    def street(self) -> Street:
        """The current street; the last one reached once the hand is over."""
        return _STREETS[self._vector.item(at.STREET)]

    @property
    def street_name(self) -> str:
        """The street's name in this game."""
        return self._rules.variant.street_names[self._vector.item(at.STREET)]

    @property
    def must_bring_in(self) -> bool:
        """Whether the actor may only call, which brings it in, or complete to a bet."""
        brings: bool = self._vector.item(at.OPEN_FOLDS) < 0
        return brings

    @property
    def completes(self) -> bool:
        """Whether a raise would be the first bet after no more than a bring-in."""
        return self._rules.bring_in > 0 and self.street == 0 and not self.raises

    @property
    def actor(self) -> Seat | None:
        """The seat to act; None while cards are due and after the betting."""
        actor = self._vector.item(at.ACTOR)
        return None if actor < 0 else Seat(actor)

    @property
    def shower(self) -> Seat | None:
        """The seat to show or muck its cards; None except in the showdown."""
        shower = self._vector.item(at.SHOWER)
        return None if shower < 0 else Seat(shower)

    @property
    def board(self) -> tuple[Card, ...]:
        """The board's cards in the order of dealing; of several boards, the first."""
        size = self._vector.item(at.BOARD_SIZE)
        return tuple(map(Card, self._vector[at.BOARD : at.BOARD + size].tolist()))

    @property
    def boards(self) -> tuple[tuple[Card, ...], ...]:
        """Every board's cards in the order of dealing."""
        return tail.boards_of(self) if self._rules.variant is not HOLDEM else (self.board,)

    @property
    def cards(self) -> tuple[tuple[Card, ...], ...]:
        """The known cards of each seat, in any game; ascending."""
        if self._rules.variant is not HOLDEM:
            return tail.cards_by_seat(self)
        return tuple(() if held is None else cards_of(held) for held in self.holdings)

    @property
    def cards_each(self) -> int:
        """Number of cards, so far, of a seat that has not folded."""
        return tail.own_cards(self) if self._rules.variant is not HOLDEM else 2

    @property
    def up_cards(self) -> tuple[tuple[Card, ...], ...]:
        """The cards of each seat that everybody sees; ascending."""
        if self._rules.variant is not HOLDEM:
            return tail.up_cards_by_seat(self)
        return ((),) * self._rules.seats

    @property
    def discards(self) -> tuple[tuple[Card, ...], ...]:
        """The known cards of each seat that it has thrown away, until they are dealt once more."""
        if self._rules.variant is not HOLDEM:
            return tail.discarded_by_seat(self)
        return ((),) * self._rules.seats

    @property
    def drawn(self) -> tuple[tuple[int, ...], ...]:
        """How many cards each seat has exchanged, by street; everybody sees it."""
        if self._rules.variant is not HOLDEM:
            return tail.drawn_by_seat(self)
        return ((0,) * len(Street),) * self._rules.seats

    @property
    def holdings(self) -> tuple[Holding | None, ...]:
        """Holdings by seat; None if not dealt or not known.

        Raises `BadInput` in other games than hold'em, in which a seat has `cards`.
        """
        if self._rules.variant is not HOLDEM:
            raise BadInput(f"a seat in {self._rules.variant.name} has cards, not a holding")
        held = self._by_seat(at.HOLDING)
        return tuple(None if holding < 0 else Holding(holding) for holding in held)

    @property
    def to_call(self) -> Chips:
        """Cost of a call to the actor; 0 if it can check."""
        item: Callable[[int], Any] = self._vector.item
        amount: Chips = item(at.TO_CALL)
        return amount

    @property
    def min_raise_to(self) -> Chips | None:
        """The actor's smallest bet or raise, as the street's total; None if it may not raise."""
        item: Callable[[int], Any] = self._vector.item
        to: Chips | None = None if item(at.NO_RAISE) else item(at.LOW_TO)
        return to

    @property
    def max_raise_to(self) -> Chips | None:
        """The actor's largest bet or raise, as the street's total; None if it may not raise."""
        item: Callable[[int], Any] = self._vector.item
        to: Chips | None = None if item(at.NO_RAISE) else item(at.HIGH_TO)
        return to

    @property
    def pot(self) -> Chips:
        """All chips put in so far, this street's included."""
        return Chips(self._vector.item(at.POT))

    @property
    def bet(self) -> Chips:
        """The bet to match: chips that a seat must have put in on this street to stay."""
        return Chips(self._vector.item(at.BET))

    @property
    def raises(self) -> int:
        """Bets and raises on this street that count towards the cap; the blind does not."""
        return self._vector.item(at.RAISES)

    @property
    def aggressor(self) -> Seat | None:
        """The last seat to bet or raise on the last street with betting; None if none did."""
        seat = self._vector.item(at.AGGRESSOR)
        return None if seat < 0 else Seat(seat)

    @property
    def stacks(self) -> tuple[Chips, ...] | None:
        """Chips left to bet, by seat; None if stacks are unlimited."""
        return None if self._rules.stacks is None else tuple(map(Chips, self._by_seat(at.BEHIND)))

    @property
    def street_bets(self) -> tuple[Chips, ...]:
        """Live chips put in on this street, by seat."""
        return tuple(map(Chips, self._by_seat(at.IN)))

    @property
    def spent(self) -> tuple[Chips, ...]:
        """All chips put in during the hand, antes included, by seat."""
        spent: tuple[Any, ...] = tuple(map(add, self._by_seat(at.LIVE), self._by_seat(at.ANTE)))
        return spent

    @property
    def raked(self) -> Chips:
        """Rake taken from the pots; 0 until the betting is over."""
        return Chips(self._vector.item(at.RAKED))

    @property
    def in_hand(self) -> tuple[Seat, ...]:
        """The seats that have not folded."""
        return self._seats_of(at.ALIVE)

    @property
    def acted(self) -> tuple[Seat, ...]:
        """The seats that have acted on this street, folded ones included."""
        return self._seats_of(at.ACTED)

    @property
    def pending(self) -> tuple[Seat, ...]:
        """The seats that still have to act on this street; in a showdown, to show."""
        return self._seats_of(at.PENDING)

    @property
    def shown(self) -> tuple[Seat, ...]:
        """The seats that have shown their cards."""
        return self._seats_of(at.SHOWN)

    @property
    def mucked(self) -> tuple[Seat, ...]:
        """The seats that mucked their cards in the showdown."""
        return self._seats_of(at.MUCKED)

    @property
    def vector(self) -> NDArray[np.int64]:
        """The hand as kernels take it, laid out by `kernels`; nobody may write to it."""
        return self._vector

    def _by_seat(self, field: int) -> list[int]:
        end = None if self._rules.variant is HOLDEM else self._vector.item(at.TAIL)
        values: list[int] = self._vector[at.HEADER + field : end : at.STRIDE].tolist()
        return values

    def _seats_of(self, mask: int) -> tuple[Seat, ...]:
        return _seats_in(self._vector.item(mask))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, HandState)
            and self._rules == other._rules
            and np.array_equal(self._vector, other._vector)
        )

    def __hash__(self) -> int:
        return hash((self._rules, self._vector.tobytes()))

    def __repr__(self) -> str:
        turn = "" if self.actor is None else f", seat {self.actor} to act"
        return f"<hand, {self.street_name}: {self.phase.name.lower()}{turn}, pot {self.pot}>"


@lru_cache(maxsize=1 << 12)
def _seats_in(mask: int) -> tuple[Seat, ...]:
    return tuple([Seat(seat) for seat in range(mask.bit_length()) if mask >> seat & 1])


@checked
@lru_cache(maxsize=256)
def initial(rules: Rules) -> HandState:
    """Return the state with antes and blinds posted, before any card is dealt.

    >>> from railbird.game.rules import HEADS_UP_LIMIT
    >>> initial(HEADS_UP_LIMIT)
    <hand, preflop: deal_holes, pot 15>
    """
    seats = rules.seats
    asked = rules.antes or (0,) * seats
    stacks = rules.stacks or (at.UNLIMITED,) * seats
    antes = tuple(map(min, asked, stacks)) if rules.antes else asked
    left = tuple(map(sub, stacks, antes))
    live = tuple(map(min, rules.blinds, left))
    behind = tuple(map(sub, left, live))
    # Copied from a cached list for speed: every hand of a tournament has new rules.
    vector = _empty(seats, _BETTING[rules.betting], _short_all_in(rules), rules.denominator)
    vector = vector.copy()
    vector[at.UNCALLABLE] = rules.uncallable_raise is UncallableRaise.ALLOWED
    vector[at.OPEN_FOLDS] = rules.open_fold is OpenFold.ALLOWED
    vector[at.LIFTS_CAP] = rules.lift_cap_heads_up
    _fill(vector, at.BET_SIZE, rules.bet_sizes)
    if rules.largest_bets is not None:
        _fill(vector, at.LARGEST_BET, rules.largest_bets)
    _fill(vector, at.MAX_RAISES, rules.max_raises or (at.UNLIMITED,) * len(Street))
    _fill(vector, at.FIRST, rules.first_to_act)
    if rules.rake is not None:
        tier = rules.rake.tier(seats)
        vector[at.RAKE] = int(tier.share * MOST_PARTS)
        vector[at.RAKE_STEP] = rules.rake.step
        vector[at.RAKE_CAP] = at.BEYOND if tier.cap is None else tier.cap
        vector[at.NO_FLOP_NO_DROP] = rules.rake.no_flop is NoFlop.NO_DROP
    if not all(behind):
        vector[at.ABLE] = _mask(left > 0 for left in behind)
    vector[at.BET] = max(rules.blinds)
    vector[at.POT] = sum(antes) + sum(live)
    vector[at.HEADER + at.BEHIND :: at.STRIDE] = behind
    vector[at.HEADER + at.IN :: at.STRIDE] = live
    vector[at.HEADER + at.LIVE :: at.STRIDE] = live
    if rules.antes:
        vector[at.MOST_ANTE] = max(asked)
        vector[at.SHORT_ANTE] = _mask(map(lt, antes, asked))
        vector[at.HEADER + at.ANTE :: at.STRIDE] = antes
    if rules.variant is not HOLDEM:
        tail.append_to(vector, rules)
    return HandState(rules, np.array(vector, np.int64))


def _fill(vector: list[int], first: int, values: tuple[int, ...]) -> None:
    """Fill in what is by street; a fifth one has what the fourth has."""
    vector[first : first + MOST_STREETS] = (*values, values[-1])


@lru_cache
def _empty(seats: int, betting: int, short_all_in: int, denominator: int) -> list[int]:
    """Return the vector's entries that do not depend on amounts."""
    vector = [0] * (at.HEADER + at.STRIDE * seats)
    vector[at.SEATS] = seats
    vector[at.LAST_STREET] = Street.RIVER
    vector[at.BETTING] = betting
    vector[at.SHORT_ALL_IN] = short_all_in
    vector[at.DENOMINATOR] = denominator
    vector[at.ACTOR] = vector[at.SHOWER] = vector[at.AGGRESSOR] = -1
    vector[at.BOARD : at.BOARD + 5] = [-1] * 5
    vector[at.ALIVE] = vector[at.ABLE] = (1 << seats) - 1
    vector[at.HEADER + at.HOLDING :: at.STRIDE] = [-1] * seats
    vector[at.HEADER + at.STRENGTH :: at.STRIDE] = [-1] * seats
    return vector


def _short_all_in(rules: Rules) -> int:
    if rules.short_all_in is ShortAllIn.REOPENS:
        return at.REOPENS
    fixed = rules.betting in (Betting.LIMIT, Betting.SPREAD_LIMIT)
    half = rules.short_all_in is ShortAllIn.CLOSED and fixed
    return at.NEEDS_HALF_RAISE if half else at.NEEDS_FULL_RAISE


def _mask(seats: Iterable[bool]) -> int:
    return sum(1 << seat for seat, is_in in enumerate(seats) if is_in)


# Legal actions of the seat to act, and reasons in words for refusing others.


_DASH = "\N{EN DASH}"


@dataclass(slots=True, unsafe_hash=True)
class Legal:
    """The legal actions of the seat to act; calling (or checking) is always one.

    Not frozen, since that triples the cost of construction; every call of `legal` makes a new one.
    """

    seat: Seat
    street: Street
    to_call: Chips
    """Cost of a call; 0 for a check."""
    min_raise_to: Chips | None
    """The smallest bet or raise, as the street's total; None if none is allowed."""
    max_raise_to: Chips | None
    fold: bool
    draw: int = 0
    """Most cards that may be thrown away; if any may be, nothing else is legal but a check."""
    must_discard: int = 0
    """Fewest of them. A check throws away as many, the lowest."""
    two_sizes: bool = False
    """Whether only the smallest and the largest raise are legal, and none between."""

    def __contains__(self, action: Action) -> bool:
        match action:
            case Fold():
                return self.fold
            case Call():
                return True
            case Discard(cards):
                return 0 < self.draw >= len(cards) >= self.must_discard
            case Raise(to):
                low, high = self.min_raise_to, self.max_raise_to
                if low is None or high is None:
                    return False
                return to in (low, high) if self.two_sizes else low <= to <= high

    def nearest(self, to: int) -> Chips | None:
        """Return the total of the legal raise nearest to one, the smaller of two as near."""
        low, high = self.min_raise_to, self.max_raise_to
        if low is None or high is None:
            return None
        if self.two_sizes:
            return low if 2 * to <= low + high else high
        return min(max(Chips(to), low), high)

    def actions(self) -> tuple[Action, ...]:
        """Return the legal ones among fold, call, the smallest raise and the largest raise."""
        sizes = {size for size in (self.min_raise_to, self.max_raise_to) if size is not None}
        fold = (Fold(),) if self.fold else ()
        return (*fold, Call(), *map(Raise, sorted(sizes)))


class Reason(IntEnum):
    """Reason for refusing an action."""

    NOBODY_TO_ACT = at.NOBODY_TO_ACT
    NOTHING_TO_FOLD_TO = at.NOTHING_TO_FOLD_TO
    CAPPED = at.CAPPED
    COVERED = at.COVERED
    NOBODY_TO_CALL = at.NOBODY_TO_CALL
    NOT_REOPENED = at.NOT_REOPENED
    TOO_SMALL = at.TOO_SMALL
    TOO_LARGE = at.TOO_LARGE
    NO_DRAW = at.WRONG_PHASE
    NOT_HELD = at.OTHER_CARDS


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refusal of an action by the rules; ``str`` gives one line."""

    reason: Reason
    message: str

    def __str__(self) -> str:
        return self.message


_OF_LEGAL: Final = slice(at.LEGAL)
"""What `legal` needs; a test holds it to the order in which it is taken apart."""


def legal(state: HandState) -> Legal:
    """Return the legal actions of the seat to act. Raises `BadInput` if no seat is to act.

    >>> from railbird.game import HEADS_UP_LIMIT, DealHoles, initial, step
    >>> state = step(initial(HEADS_UP_LIMIT), DealHoles((None, None)))
    >>> legal(state).actions()
    (Fold(), Call(), Raise(to=20))
    """
    try:
        header: list[Any] = state._vector[_OF_LEGAL].tolist()
        # Taken apart at once, in the order of the vector: a sixth less time than one by one.
        phase, street, actor, to_call, low, high, no_raise, open_folds = header
    except Exception as problem:
        raise explained(problem, legal, state) from None
    if phase != at.BETTING_ROUND:
        return _legal_draw(state)
    if no_raise:
        low = high = None
    fold = open_folds + (to_call > 0) > 0
    options = Legal(actor, _STREETS[street], to_call, low, high, fold)
    if low != high and state._rules.variant is not HOLDEM:
        options.two_sizes = _is_limit(state)
    return options


def _is_limit(state: HandState) -> bool:
    return state.rules.betting is Betting.LIMIT


def _legal_draw(state: HandState) -> Legal:
    """Return what the seat may exchange that is to. Raises `BadInput` if none is."""
    if state.actor is None:
        raise BadInput(_nobody_to_act(state))
    most, least = tail.most_discarded(state), tail.least_discarded(state)
    return Legal(state.actor, state.street, Chips(0), None, None, False, most, least)


def price_of_call(
    seat: Seat,
    *,
    blinds: Sequence[Chips],
    street_bets: Sequence[Chips],
    stacks: Sequence[Chips],
    in_hand: Collection[Seat],
) -> Chips:
    """Return what a call would cost a seat if it were to act now, from what everybody can see.

    `Legal.to_call` has it for the seat to act; this is for those who wait. A call matches the
    largest bet of the street, which before the flop is no less than the largest of ``blinds``
    (none later), even if the seat that had to post it was all-in for less. If all others in the
    hand are all-in, so that nobody can put in more, a call matches only what they have put in.

    >>> price_of_call(2, blinds=[10, 20, 0], street_bets=[10, 15, 0], stacks=[90, 0, 100],
    ...               in_hand=[0, 1, 2])
    20
    >>> price_of_call(0, blinds=[10, 20, 0], street_bets=[10, 15, 0], stacks=[90, 0, 100],
    ...               in_hand=[0, 1])
    5
    """
    # The kernel `give_turn` has the same rule on its vector; a law compares them at every turn.
    others = [other for other in in_hand if other != seat]
    to_match = max((street_bets[other] for other in others), default=0)
    if any(stacks[other] for other in others):
        to_match = max(to_match, *blinds, 0)
    return Chips(max(0, min(to_match - street_bets[seat], stacks[seat])))


def refusal(state: HandState, action: Action) -> Refusal | None:
    """Return why the seat to act may not do this; None if it may.

    >>> from railbird.game import HEADS_UP_NO_LIMIT, DealHoles, initial, step
    >>> state = step(initial(HEADS_UP_NO_LIMIT), DealHoles((None, None)))
    >>> print(refusal(state, Raise(150)))
    seat 1 cannot raise to 150: legal 200–20000 (preflop)
    """
    try:
        if isinstance(action, Discard) or state.phase is Phase.DRAW:
            return _refusal_in_draw(state, action)
        code = kernels.reason_against(state._vector, code_of(action))
        if code == 0 and state._rules.variant is not HOLDEM:
            code = tail.why_not_between(state, code_of(action))
    except Exception as problem:
        raise explained(problem, refusal, state, action) from None
    if code == 0:
        return None
    reason = Reason(code)
    if reason is Reason.NOBODY_TO_ACT:
        return Refusal(reason, _nobody_to_act(state))
    what = f"raise to {action.to}" if isinstance(action, Raise) else "fold"
    where = state.street_name
    return Refusal(reason, f"seat {state.actor} cannot {what}: {_why(state, reason)} ({where})")


def _refusal_in_draw(state: HandState, action: Action) -> Refusal | None:
    """Return why a seat may not exchange cards, or why it may do nothing else; None if it may."""
    if state.phase is not Phase.DRAW:
        return Refusal(Reason.NO_DRAW, f"{_waits(state)}: no cards are exchanged now")
    most, least = tail.most_discarded(state), tail.least_discarded(state)
    where = state.rules.variant.street_names[state.street + 1]
    if isinstance(action, Call):
        return None
    if not isinstance(action, Discard):
        words = f"throws away {most} cards now" if least else f"exchanges cards now: up to {most}"
        return Refusal(Reason.NOBODY_TO_ACT, f"seat {state.actor} {words} ({where})")
    code = tail.why_not_discarded(state, code_of_any(action))
    if code == 0:
        return None
    cards = "".join("??" if card is None else format_card(card) for card in action.cards)
    what = f"seat {state.actor} cannot throw away {cards or 'nothing'}"
    if code in (at.TOO_LARGE, at.TOO_SMALL):
        allowed = f"{most} cards have to go" if least else f"up to {most} cards are exchanged"
        return Refusal(Reason(code), f"{what}: {allowed} ({where})")
    return Refusal(Reason.NOT_HELD, f"{what}: it does not hold these cards ({where})")


def _waits(state: HandState) -> str:
    return _nobody_to_act(state) if state.actor is None else f"seat {state.actor} is to act"


def action_of_kind(state: HandState, kind: int) -> Action:
    """Return the legal action nearest to an `ActionKind`, for the seat to act.

    It is the smallest raise, or a call where none is allowed, and a check where folding would give
    up a hand for free.

    >>> from railbird.game import HEADS_UP_LIMIT, ActionKind, DealHoles, initial, step
    >>> state = step(initial(HEADS_UP_LIMIT), DealHoles((None, None)))
    >>> [action_of_kind(state, kind) for kind in ActionKind]
    [Fold(), Call(), Raise(to=20)]
    """
    if kind == ActionKind.RAISE and (low := state.min_raise_to) is not None:
        return Raise(low)
    may_fold = state.to_call > 0 and not state.must_bring_in
    return Fold() if kind == ActionKind.FOLD and may_fold else Call()


def _nobody_to_act(state: HandState) -> str:
    match state.phase:
        case Phase.DEAL_HOLES:
            return "nobody is to act: the cards are not dealt"
        case Phase.DEAL_BOARD:
            street = state.rules.variant.street_names[state.street + 1]
            return f"nobody is to act: the {street} is not dealt"
        case _:
            return "nobody is to act: the betting is over"


def _why(state: HandState, reason: Reason) -> str:
    match reason:
        case Reason.NOTHING_TO_FOLD_TO:
            return "it has to bring it in" if state.must_bring_in else "checking is free"
        case Reason.CAPPED:
            return f"no more than {state.raises} bets and raises are allowed"
        case Reason.COVERED:
            return f"it has {state._vector.item(at.TO_CALL)} chips left and {state.bet} to match"
        case Reason.NOBODY_TO_CALL:
            return "nobody is left to call"
        case Reason.NOT_REOPENED:
            return "a short all-in does not reopen the betting"
        case _:
            low, high = state.min_raise_to, state.max_raise_to
            if low != high and _is_limit(state):
                return f"legal {low} or {high}"
            return f"legal {low}" if low == high else f"legal {low}{_DASH}{high}"


# The main pot and the side pots of a hand.


class Pot(NamedTuple):
    """The main pot or a side pot."""

    amount: Chips
    seats: tuple[Seat, ...]
    """Seats that can win it; a single seat gets back an uncalled bet."""


@checked
def pots(state: HandState) -> tuple[Pot, ...]:
    """Return the pots if the betting ended now, the main pot first.

    Every seat that is all-in for less than others have put in ends a pot.

    >>> from railbird.game import DealHoles, initial, no_limit_holdem, step
    >>> rules = no_limit_holdem(3, blinds=(50, 100), stack=(1000, 60, 1000))
    >>> pots(step(initial(rules), DealHoles((None,) * 3)))
    (Pot(amount=100, seats=(0, 1)), Pot(amount=10, seats=(1,)))
    """
    vector = state._vector
    levels = {seat: kernels.level_of(vector, seat) for seat in state.in_hand}
    steps = sorted(set(levels.values()))
    shared = 0
    result: list[Pot] = []
    for level in steps:
        up_to = state.pot if level == steps[-1] else kernels.chips_below(vector, level)
        if up_to > shared:
            seats = tuple([seat for seat, reach in levels.items() if reach >= level])
            result.append(Pot(Chips(up_to - shared), seats))
        shared = up_to
    return tuple(result)
