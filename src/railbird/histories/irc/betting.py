"""Betting behind the letters of the IRC poker database; see `irc.read`.

The order of actions follows from the rules: the engine says whose turn it is, and that player's
next letter says what he did. Amounts follow from the stakes in a limit game. In other games they
follow from the totals of players who stopped there: the size of a bet whose maker called a raise is
known only if another player called the bet and then gave up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from railbird.game import (
    Action,
    Betting,
    Call,
    Fold,
    HandState,
    OpenFold,
    Raise,
    Rules,
    Street,
    UncallableRaise,
)
from railbird.histories.betting import BettingReplay
from railbird.histories.card_text import Hole
from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips, Seat

_GONE: Final = frozenset("fQK")
_PAYING: Final = frozenset("cbrA")
_KEPT: Final = 1 << 12


class IrcPlayer(NamedTuple):
    """One player's line."""

    name: str
    place: int
    """Position from 1 on, left of the button."""
    streets: tuple[str, ...]
    """The letters of each street."""
    stack: Chips
    put_in: int
    won: int
    hole: Hole


Pots = tuple[tuple[int, int], ...]
"""Players and chips at the beginning of the flop, turn and river, and at showdown."""


class Walked(NamedTuple):
    """The betting of a hand, and the pots that may be stated at each deal of the board."""

    walk: BettingReplay
    pots: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class Stakes:
    """Stakes of a table, whoever sits at it."""

    betting: Betting
    small: Chips
    """The small blind."""
    big: Chips
    """The big blind, also posted by late entrants."""
    bet_sizes: tuple[Chips, Chips, Chips, Chips]


def limit_stakes(small_bet: Chips) -> Stakes:
    """Return stakes with blinds of half a small bet and one, and bets of one, two from the turn."""
    big_bet = Chips(2 * small_bet)
    sizes = (small_bet, small_bet, big_bet, big_bet)
    return Stakes(Betting.LIMIT, Chips(small_bet // 2), small_bet, sizes)


def stakes_of(rules: Rules) -> Stakes:
    """Return the stakes of a table with these rules."""
    posts = sorted(filter(None, rules.blinds)) or [rules.bet_sizes[0]]
    return Stakes(rules.betting, posts[0], posts[-1], rules.bet_sizes)


@lru_cache(_KEPT)
def rules_of(stakes: Stakes, posts: tuple[int, ...], stacks: tuple[Chips, ...]) -> Rules:
    """Return the rules of one hand.

    The first of ``posts`` has the small blind if there are two; those after the second came late.
    """
    seats = len(stacks)
    blinds = [stakes.big if seat in posts else Chips(0) for seat in range(seats)]
    if len(posts) > 1:
        blinds[posts[0]] = stakes.small
    big = posts[min(1, len(posts) - 1)] if posts else seats - 1
    return Rules(
        betting=stakes.betting,
        blinds=tuple(blinds),
        stacks=stacks,
        bet_sizes=stakes.bet_sizes,
        first_to_act=(Seat((big + 1) % seats), Seat(0), Seat(0), Seat(0)),
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
    )


def walk_through(
    players: Sequence[IrcPlayer], rules: Rules, pots: Pots, *, until: Street | None = None
) -> Walked:
    """Put all players' actions in order. Raises `BadHand`.

    With ``until``, only up to the deal of that street.
    """
    walk = BettingReplay(rules)
    limit = rules.betting is Betting.LIMIT
    paid = () if limit else _paid(players, rules, pots)
    seen: list[frozenset[int]] = []
    left = [[text.lstrip("B") for text in player.streets] for player in players]
    while walk.board_is_due or walk.betting_is_open:
        if walk.board_is_due:
            seen.append(pots_of(walk.state))
            if len(seen) == until:
                return Walked(walk, tuple(seen))
            walk.deal()
            continue
        state = walk.state
        assert state.actor is not None
        deeds, street = left[state.actor], state.street
        deed, deeds[street] = deeds[street][:1], deeds[street][1:]
        raises = deed in ("b", "r") and not limit
        action = (
            Raise(_raised_to(state, [texts[street] for texts in left], paid[street]))
            if raises
            else _action(walk, deed)
        )
        if action is None:
            what = f"{players[state.actor].name} does {deed or 'nothing'}"
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"{what} on the {street.name.lower()}")
        walk.act(action)
    for player, deeds in zip(players, left, strict=True):
        if not _GONE.issuperset("".join(deeds)):
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"{player.name} acts after the betting")
    return Walked(walk, tuple(seen))


def pots_of(state: HandState) -> frozenset[int]:
    """Return the chips put in, with and without those that nobody called."""
    *_, called, most = sorted(state.spent)
    return frozenset({state.pot, state.pot - most + called})


def _action(walk: BettingReplay, deed: str) -> Action | None:
    """Return the action that a letter means in a limit game; None if it is impossible."""
    state = walk.state
    top = state.max_raise_to or Chips(0)
    match deed:
        case "f" | "Q" | "K":
            return Fold()
        case "k" if state.to_call == 0:
            return Call()
        case "c" if state.to_call > 0:
            return Call()
        case "A":
            return Raise(top) if top > state.bet else Call()
        case "b" | "r":
            return walk.fixed_raise()
        case _:
            return None


def _paid(players: Sequence[IrcPlayer], rules: Rules, pots: Pots) -> tuple[tuple[int, ...], ...]:
    """Return the chips put in by street and seat. Raises `BadHand` for impossible pots.

    They are known for players who leave or have no more chips, and for all on the last street.
    Those who stay have put in equal shares of what the others leave of the pot.
    """
    before = [0] * len(players)
    staying = set(range(len(players)))
    pot = 0
    paid: list[tuple[int, ...]] = []
    for street in Street:
        _, said = pots[street]
        last = street is Street.RIVER or not said
        street_paid = [0] * len(players)
        equal: list[int] = []
        for seat in staying:
            player, deeds = players[seat], players[seat].streets[street]
            broke = "A" in deeds or player.stack <= max(before[seat], rules.blinds[seat])
            if broke or last or _GONE.intersection(deeds):
                street_paid[seat] = (player.stack if broke else player.put_in) - before[seat]
            else:
                equal.append(seat)
        share = Fraction(said - pot - sum(street_paid), len(equal) or 1)
        if not last and (share.denominator > 1 or share < 0):
            raise BadHand(SkipReason.WRONG_PAYOFF, f"a pot of {said} is impossible")
        for seat in equal:
            street_paid[seat] = int(share)
        staying -= {seat for seat in staying if _GONE.intersection(players[seat].streets[street])}
        before = [sum(pair) for pair in zip(before, street_paid, strict=True)]
        pot = said
        paid.append(tuple(street_paid))
    return tuple(paid)


def _raised_to(state: HandState, left: Sequence[str], paid: Sequence[int]) -> Chips:
    """Return the size of a bet or raise, known from players who pay exactly that on the street.

    ``left`` has the actions that are still to come on the street, ``paid`` the totals of the
    players. Raises `BadHand` if no player's total determines it.
    """
    actor = state.actor
    assert actor is not None
    if not _PAYING.intersection(left[actor]):
        return Chips(paid[actor])
    behind = [Seat((actor + step) % len(left)) for step in range(1, len(left))]
    for seat in behind:
        if seat not in state.in_hand or not left[seat]:
            continue
        deed, after = left[seat][0], left[seat][1:]
        if deed == "c" and not _PAYING.intersection(after):
            return Chips(paid[seat])
        if deed not in "cfQK":
            break
    raise BadHand(
        SkipReason.UNREADABLE,
        f"the size of the raise on the {state.street.name.lower()} does not follow from the pots",
    )
