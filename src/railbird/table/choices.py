"""What a person may do: the price of a call, buttons and sizes of raises, actions in advance."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, StrEnum
from fractions import Fraction
from itertools import takewhile
from typing import Final

from railbird.errors import BadInput
from railbird.game import price_of_call
from railbird.protocol.messages import HandView, Turn, Verb
from railbird.table.pot_shares import variant_of
from railbird.table.state import TableState
from railbird.table.words import amount
from railbird.units import Chips, Seat


def price_for(hand: HandView, seat: int) -> int:
    """Return the price of a call for a seat if it were to act now, from a viewer's knowledge.

    At its turn `LegalActions.to_call` says so.
    """
    return price_of_call(
        Seat(seat),
        blinds=[Chips(post) for post in (*hand.blinds, hand.bring_in or 0)]
        if hand.street == variant_of(hand).street_names[0]
        else (),
        street_bets=[Chips(player.bet) for player in hand.seats],
        stacks=[Chips(player.stack) for player in hand.seats],
        in_hand=[Seat(number) for number, player in enumerate(hand.seats) if not player.folded],
    )


def price_of(state: TableState) -> int:
    """Return what a call costs the viewer now, or would if it were the viewer's turn."""
    if state.turn is not None:
        return state.turn.legal.to_call
    hand = state.hand
    return 0 if hand is None or hand.you is None or not state.is_in else price_for(hand, hand.you)


class Size(Enum):
    """A size of a bet or raise that has a name: a part of the pot after a call, or the largest."""

    HALF = Fraction(1, 2)
    THREE_QUARTERS = Fraction(3, 4)
    POT = Fraction(1)
    MOST = None

    def label(self, turn: Turn | None, *, ascii_only: bool = False) -> str:
        """Return the name on a button; the largest raise is not all-in where a limit is lower.

        >>> Size.HALF.label(None), Size.HALF.label(None, ascii_only=True), Size.MOST.label(None)
        ('½ pot', '1/2 pot', 'Most')
        """
        if self.value is None:
            return "All-in" if turn is not None and _is_all_in(turn) else "Most"
        if self.value == 1:
            return "Pot"
        return f"{self.value} pot" if ascii_only else f"{_SIGNS[self.value]} pot"


_SIGNS = {Fraction(1, 2): "½", Fraction(3, 4): "¾"}


def _is_all_in(turn: Turn) -> bool:
    own = turn.hand.seats[turn.hand.you or 0]
    # A limit on bets may end below the stack, and then the largest raise is not all-in.
    return turn.legal.max_to == own.bet + own.stack


def raise_to(turn: Turn, size: Size) -> int | None:
    """Return the legal bet or raise nearest to a size; None where none is allowed.

    A raise of the pot is the call, and then as much as the pot contains with it.
    """
    least, most = turn.legal.min_to, turn.legal.max_to
    if least is None or most is None:
        return None
    if size.value is None:
        return most
    called = turn.hand.pot + turn.legal.to_call
    # A part of the pot is rounded down to whole chips before the rules bound it, so that no size
    # says more than it names.
    return min(max(_to_match(turn) + int(size.value * called), least), most)


def raising_verb(turn: Turn) -> Verb:
    """Return the right word for putting in more: a bet where nothing is to be matched."""
    return Verb.RAISE if _to_match(turn) else Verb.BET


def _to_match(turn: Turn) -> int:
    """Return what the viewer has put in on this street after a call."""
    return turn.hand.seats[turn.hand.you or 0].bet + turn.legal.to_call


@dataclass(frozen=True, slots=True)
class RaisePreset:
    """A size of a raise that a button sets without sending it."""

    label: str
    to: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The buttons of a turn."""

    turn: str
    fold: bool
    is_free: bool
    """Whether checking costs nothing, so that a fold is asked once."""
    price: int
    call: str
    """Label of the second button, such as ``Call 40``."""
    raises: str
    """Label of the third one, such as ``Bet`` or ``Raise to``; empty where no raise is allowed."""
    min_to: int = 0
    max_to: int = 0
    big_blind: int = 1
    to_match: int = 0
    """What the viewer will have put in on this street after a call."""
    called_pot: int = 0
    """The pot after a call."""
    presets: tuple[RaisePreset, ...] = ()
    """Sizes of a raise that have a button; None where there is one size."""
    two_sizes: bool = False
    """Whether a raise has no other size than these."""
    draw: int = 0
    """Most cards that may be thrown away now; then there is no other choice."""
    must_discard: int = 0
    """Fewest of them."""
    cards: tuple[str, ...] = ()
    """The viewer's own, of which some may be thrown away."""

    @property
    def is_fixed(self) -> bool:
        """Whether a raise is allowed, and of one size only."""
        return bool(self.raises) and self.min_to == self.max_to


def choices_of(turn: Turn, *, ascii_only: bool = False) -> Choices:
    """Return the buttons of a turn."""
    hand, allowed = turn.hand, turn.legal
    assert hand.you is not None
    price, own = allowed.to_call, hand.seats[hand.you]
    call = "Bring in" if allowed.opening == "bring-in" else "Call"
    raises = "Raise to" if raising_verb(turn) is Verb.RAISE else "Bet"
    if allowed.opening is not None:
        raises = "Complete" if allowed.min_to == allowed.max_to else "Complete to"
    low, high = allowed.min_to, allowed.max_to
    may_raise = low is not None and high is not None
    sizes = [(size.label(turn, ascii_only=ascii_only), raise_to(turn, size) or 0) for size in Size]
    if allowed.two_sizes:
        sizes = [("Small bet", low or 0), ("All-in" if _is_all_in(turn) else "Big bet", high or 0)]
    presets = [RaisePreset(label, to, str(place)) for place, (label, to) in enumerate(sizes, 1)]
    return Choices(
        turn=turn.turn,
        fold=allowed.fold,
        is_free=not price,
        price=price,
        call=f"{'All-in' if price >= own.stack else call} {amount(price)}" if price else "Check",
        raises=raises if may_raise else "",
        min_to=low or 0,
        max_to=high or 0,
        big_blind=hand.small_bet or max(*hand.blinds, 1),
        to_match=_to_match(turn),
        called_pot=hand.pot + price,
        presets=tuple(presets) if may_raise and low != high else (),
        two_sizes=allowed.two_sizes or False,
        draw=allowed.draw or 0,
        must_discard=allowed.must_discard or 0,
        cards=tuple(own.cards or ()) if allowed.draw else (),
    )


def typed_discard(choices: Choices, text: str) -> list[str]:
    """Return the cards that a person throws away, by their places in the hand or by their names.

    Raises `BadInput` for others.

    >>> choices = Choices(turn="", fold=False, is_free=True, price=0, call="", raises="", draw=5,
    ...     cards=("2c", "Td", "9h", "9s", "Kh"))
    >>> typed_discard(choices, "25"), typed_discard(choices, "9h Kh"), typed_discard(choices, "")
    (['Td', 'Kh'], ['9h', 'Kh'], [])
    """
    cards, words = choices.cards, text.replace(",", " ").split()
    if all(word.isascii() and word.isdecimal() for word in words):
        places = [int(digit) for word in words for digit in word]
        thrown = [cards[place - 1] if 0 < place <= len(cards) else "" for place in places]
    else:
        named = {card.lower(): card for card in cards}
        thrown = [named.get(word.lower(), "") for word in words]
    counts = range(choices.must_discard, choices.draw + 1)
    if "" in thrown or len(set(thrown)) < len(thrown) or len(thrown) not in counts:
        count = f"{'' if choices.must_discard else 'up to '}{choices.draw}"
        allowed = f"{count} of {' '.join(cards)}, each once, or their numbers from 1"
        raise BadInput(f"{text.strip()[:20]!r} cannot be thrown away; allowed: {allowed}")
    return thrown


def typed_amount(choices: Choices, text: str) -> int:
    """Return an amount as a person types it: chips, or such as ``2.5bb``, ``60%``, ``3x``, ``pot``.

    Parts of the pot are counted after a call, and multiples by what a call has put in, or by the
    big blind where there is nothing to call. Raises `BadInput` for what the rules refuse.
    """
    if not choices.raises:
        raise BadInput("no raise is allowed now")
    low, high = choices.min_to, choices.max_to
    between = "or" if choices.two_sizes else "to"
    allowed = f"allowed: {amount(low)}" + (f" {between} {amount(high)}" if low < high else "")
    word = text.strip().lower()
    if not word:
        raise BadInput(f"no amount is typed; {allowed}")
    if word in ("max", "all-in", "allin"):
        return high
    if word == "pot":
        text = "100%"
    if (size := _SIZE.fullmatch(text.strip())) is not None:
        wanted = _sized(choices, Fraction(size[1]), size[2].lower())
        if not _is_allowed(choices, wanted):
            raise BadInput(f"{text.strip()[:20]}, {amount(wanted)}; {allowed}")
        return wanted
    digits = text.replace(",", "").replace(" ", "")
    # `str.isdecimal` accepts the digits of every script, and `int` reads them; a number typed by
    # mistake in another script should not become a bet. Seventeen digits are more chips than the
    # protocol can carry.
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 17):
        raise BadInput(f"{text[:20]!r} is no amount; {allowed}")
    if not _is_allowed(choices, int(digits)):
        raise BadInput(f"{amount(int(digits))}; {allowed}")
    return int(digits)


def _is_allowed(choices: Choices, to: int) -> bool:
    low, high = choices.min_to, choices.max_to
    return to in (low, high) if choices.two_sizes else low <= to <= high


_SIZE: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,4})?) ?(bb|%|x)", re.IGNORECASE | re.ASCII)


def _sized(choices: Choices, number: Fraction, unit: str) -> int:
    match unit:
        case "bb":
            return int(number * choices.big_blind)
        case "x":
            return int(number * (choices.to_match or choices.big_blind))
        case _:
            return choices.to_match + int(number / 100 * choices.called_pot)


def stepped_amount(choices: Choices, text: str, steps: int) -> int:
    """Return an amount that is being typed, some big blinds more or less, as far as is allowed."""
    # The field may hold half a number, or a size such as 60%, when a key for more or less is
    # pressed.
    digits = "".join(filter(str.isdecimal, text))
    if choices.two_sizes:
        return choices.max_to if steps > 0 else choices.min_to
    wanted = int(digits or choices.min_to) + steps * choices.big_blind
    return min(max(wanted, choices.min_to), choices.max_to)


class Plan(StrEnum):
    """What can be chosen before one's turn."""

    CHECK_OR_FOLD = "check_fold"
    CALL = "call"

    def label(self, price: int) -> str:
        """Return the name on a button where a call would cost so much.

        >>> Plan.CHECK_OR_FOLD.label(0), Plan.CHECK_OR_FOLD.label(40), Plan.CALL.label(40)
        ('Check/fold', 'Fold', 'Call 40')
        """
        if self is Plan.CALL:
            return f"Call {amount(price)}" if price else "Check"
        return "Fold" if price else "Check/fold"


@dataclass(frozen=True, slots=True)
class PreAction:
    """An action chosen before its turn, for one hand, one street and one price.

    Whatever makes the call dearer cancels it. The call may become cheaper: before the flop, once
    only a blind that was too short for its post is left to play against.
    """

    plan: Plan
    hand: int
    street: str
    price: int
    """Chips that a call cost."""

    def __str__(self) -> str:
        if self.plan is Plan.CALL:
            return f"call {amount(self.price)}" if self.price else "check"
        return "fold" if self.price else "check"

    def given_up(self, state: TableState) -> str | None:
        """Return what is to be said of its end; None while it holds, empty where it has no turn."""
        hand = state.hand
        is_of_now = (
            state.is_in
            and hand is not None
            and (hand.hand, hand.street) == (self.hand, self.street)
        )
        if not is_of_now:
            return ""
        price = price_of(state)
        # A call that became dearer is another decision; one that became cheaper is what was wanted,
        # for less.
        if price > self.price:
            return f"Your {self} in advance is given up: a call costs {amount(price)} now"
        return None

    def verb(self, state: TableState) -> Verb | None:
        """Return the action for a turn that has come; None before, or once it is given up."""
        if state.turn is None or state.turn.legal.draw or self.given_up(state) is not None:
            return None
        # To fold where checking is free is never meant by a plan, whichever it was.
        if not state.turn.legal.to_call:
            return Verb.CHECK
        return Verb.CALL if self.plan is Plan.CALL else Verb.FOLD


def may_plan(state: TableState) -> bool:
    """Return whether the viewer waits for a turn that may still come on this street."""
    hand = state.hand
    if hand is None or hand.you is None or state.turn is not None or state.over is not None:
        return False
    able = [not seat.folded and seat.stack > 0 for seat in hand.seats]
    since = takewhile(lambda entry: entry.did != "street", reversed(hand.history))
    # Once cards are shown nobody acts any more, though the seats are not folded and may have chips.
    is_betting = not any(entry.did in ("discard", "show", "muck") for entry in since)
    # With chips against nobody who can still bet, only an open price leaves something to decide.
    return able[hand.you] and is_betting and (sum(able) > 1 or price_for(hand, hand.you) > 0)


def planned(plan: Plan, state: TableState) -> PreAction | None:
    """Return a plan at the price of this moment; None where there is nothing to choose."""
    if state.hand is None or not may_plan(state):
        return None
    return PreAction(plan, state.hand.hand, state.hand.street, price_of(state))
