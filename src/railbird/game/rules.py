"""The rules of one table, as data.

Everything in which games differ is here; the engine reads nothing else. Seats are positions in the
hand (`railbird.units.Seat`), so a tuple "by seat" starts left of the button, or with the big blind
if blinds are reversed heads-up.

Rules of the common games from a few numbers.

>>> no_limit_holdem(3, blinds=(50, 100), stack=10_000).first_to_act
(2, 0, 0, 0)
>>> no_limit_holdem(6, blinds=(50, 100), stack=10_000, straddle=200).first_to_act
(3, 0, 0, 0)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum, IntEnum
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, Final

from railbird._arguments import checked
from railbird.cards.variants import HOLDEM, Variant
from railbird.errors import BadInput
from railbird.estimates.estimate import ResultUnit
from railbird.units import Chips, Seat

# Rake: the house's share of the pots in a ring game.
#
# >>> rake = parse_rake("5%,cap=300,4:5%,cap=200,2:4.5%,cap=50")
# >>> [rake.tier(players).cap for players in (9, 4, 2)]
# [300, 200, 50]


MOST_PARTS: Final = 10_000
"""Denominator of shares: sites state at most two decimals of a percent, and products stay small."""

_ONE: Final = Chips(1)
_NOTHING: Final = Chips(0)
_MOST: Final = 10**12
"""Largest step and cap of a rake, as the products of larger ones would not fit 64 bits."""
_TIER: Final = re.compile(r"(?:([0-9]{1,2}):)?([0-9]{1,3}(?:\.[0-9]{1,2})?)%")
_OPTION: Final = re.compile(r"(cap|step)=([0-9]{1,15})")
_SHAPE: Final = "5%,cap=300 or, less with up to four players, 5%,cap=300,4:5%,cap=200"


class NoFlop(Enum):
    """Rake on a hand that ends before the flop."""

    NO_DROP = "no-drop"
    """No rake is taken: no flop, no drop."""
    DROP = "drop"
    """The same rake is taken as on any other hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RakeTier:
    """Rake with up to a given number of players."""

    share: Fraction
    """Share of the pot, 0 to 1."""
    cap: Chips | None = None
    """Maximum for one hand; None for no cap."""
    most_players: int | None = None
    """Players dealt in, at most; None for any number."""

    def __str__(self) -> str:
        players = "" if self.most_players is None else f"{self.most_players}:"
        cap = "" if self.cap is None else f",cap={self.cap}"
        return f"{players}{float(100 * self.share):g}%{cap}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rake:
    """A share of the called chips, rounded down, up to a cap; validated on construction.

    An uncalled bet is returned before any rake is taken. The main pot is charged first; each side
    pot then pays the rest of the rake due on all pots so far, as far as it suffices. PokerStars'
    hand histories follow this rule. Raises `BadInput` for impossible values.
    """

    tiers: tuple[RakeTier, ...]
    """The narrowest tier that covers the number of players applies; none means no rake."""
    step: Chips = _ONE
    """The rake is a multiple of this, e.g. 5 if it is 5 cents for every dollar."""
    no_flop: NoFlop = NoFlop.NO_DROP

    def __post_init__(self) -> None:
        if not self.tiers:
            raise BadInput("a rake without a share; allowed: 1 share or more")
        if not 1 <= self.step <= _MOST:
            raise BadInput(f"a rake in steps of {self.step}; allowed: steps of 1 to 10^12 chips")
        for tier in self.tiers:
            if not 0 <= tier.share <= 1 or MOST_PARTS % tier.share.denominator:
                raise BadInput(f"a rake of {tier}; allowed: 0 to 100 % with two decimals")
            if not 0 <= (tier.cap or 0) <= _MOST or (tier.most_players or 2) < 2:
                allowed = "a cap of 0 to 10^12 chips, and 2 players or more"
                raise BadInput(f"a rake of {tier}; allowed: {allowed}")
        players = [tier.most_players for tier in self.tiers]
        if len(set(players)) < len(players):
            raise BadInput(f"a rake of {self}: one number of players twice; allowed: once")

    def tier(self, players: int) -> RakeTier:
        """Return the tier that applies to this number of players dealt in."""
        covering = [t for t in self.tiers if t.most_players is None or t.most_players >= players]
        nothing = RakeTier(share=Fraction(0))
        return min(covering, key=lambda t: t.most_players or MOST_PARTS, default=nothing)

    def __str__(self) -> str:
        """Return the text that `parse_rake` reads."""
        step = () if self.step == 1 else (f"step={self.step}",)
        drop = () if self.no_flop is NoFlop.NO_DROP else ("preflop",)
        return ",".join([*map(str, self.tiers), *step, *drop])


def parse_rake(text: str) -> Rake:
    """Read ``P%``, and after commas or plus signs ``cap=C``, ``N:P%``, ``step=S``, ``preflop``.

    A cap belongs to the share before it; ``N:`` begins the tier for up to N players; ``step``
    rounds the rake down to a multiple of so many chips, and ``preflop`` also rakes hands without a
    flop. Amounts are in chips. Raises `BadInput`.

    >>> str(parse_rake("4.50%+cap=3+step=5"))
    '4.5%,cap=3,step=5'
    """
    tiers: list[RakeTier] = []
    step, no_flop = _ONE, NoFlop.NO_DROP
    for term in re.split(r"[,+]", text.replace(" ", "")):
        if match := _TIER.fullmatch(term):
            share = Fraction(match[2]) / 100
            most = None if match[1] is None else int(match[1])
            tiers.append(RakeTier(share=share, most_players=most))
        elif term == "preflop":
            no_flop = NoFlop.DROP
        elif (match := _OPTION.fullmatch(term)) and match[1] == "step":
            step = Chips(int(match[2]))
        elif match and tiers and tiers[-1].cap is None:
            last = tiers.pop()
            cap = Chips(int(match[2]))
            tiers.append(RakeTier(share=last.share, cap=cap, most_players=last.most_players))
        else:
            raise BadInput(f"rake {text!r}: {term!r}; allowed: {_SHAPE}")
    return Rake(tiers=tuple(tiers), step=step, no_flop=no_flop)


# The rules of a table.


SEATS = range(2, 24)
"""Possible numbers of seats: 23 holdings and five board cards are 51 cards."""


class Street(IntEnum):
    """The four betting rounds."""

    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3


class LaterStreet(IntEnum):
    """A betting round behind the four of hold'em, as stud has one."""

    FIFTH = 4


MOST_STREETS: Final = 5

BOARD_CARDS = (0, 3, 4, 5)
"""Board cards visible on each street."""


class Betting(Enum):
    """Betting structure: the allowed sizes of bets and raises."""

    LIMIT = "limit"
    SPREAD_LIMIT = "spread-limit"
    """Any size from the street's smallest to its largest bet, but no less than the last raise."""
    POT_LIMIT = "pot-limit"
    NO_LIMIT = "no-limit"


class ShortAllIn(Enum):
    """Effect of an all-in below a full raise on those who have already acted."""

    CLOSED = "closed"
    """They may raise only if they face a full raise in all; half of one in limit and spread limit.

    This is rule 47 of the Tournament Directors Association (2022). In limit an all-in of half a bet
    or more is a bet or raise like any other: it counts towards the cap, and the next raise adds a
    full bet (on a street of 20, from 15 to 35: Robert's Rules of Poker, "Betting and Raising"). A
    smaller one does not count, and those who have not acted may complete it (after a bet of 5, from
    6 to 10: Pagat, "All-in betting").
    """
    FULL_BET = "full-bet"
    """They need a full raise in limit, too; every all-in counts towards the cap."""
    REOPENS = "reopens"
    """They may always raise, as with the ACPC's dealer.

    A short all-in does not move its smallest raise either: after a bet of 100 and an all-in to 150
    that is 200, but 250 under `CLOSED`.
    """


class OpenFold(Enum):
    """Folding when checking is free."""

    REFUSED = "refused"
    """The rule of the ACPC's dealer."""
    ALLOWED = "allowed"
    """The rule at real tables."""


class UncallableRaise(Enum):
    """Raising to more than anybody else in the hand has.

    Nobody still to act can then put in more than the current bet, so the raise changes nothing and
    is returned. Nobody may raise once all the others are all-in.
    """

    REFUSED = "refused"
    ALLOWED = "allowed"
    """The rule of the ACPC's dealer and of online card rooms."""


class OddChips(Enum):
    """Division of the remainder of a pot that cannot be split evenly."""

    FIRST_LEFT = "first-left"
    """One chip each, starting from the first seat left of the button."""
    FRACTION = "fraction"
    """Split exactly, as the ACPC's logs do; payoffs are then fractions of a chip."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one table, with chips by seat; validated on construction.

    Raises `railbird.errors.BadInput` for rules that cannot be played.
    """

    betting: Betting
    blinds: tuple[Chips, ...]
    """Live posts by seat, straddles included; the length is the number of seats, 2 to 23.

    A seat too short for its post is all-in; the others still call the full post.
    """
    antes: tuple[Chips, ...] = ()
    """Dead posts by seat, paid before the live ones; empty for none."""
    bring_in: Chips = _NOTHING
    """In games that a card opens, what that seat has to put in, unless it completes to a bet.

    Nobody posts a blind there. A seat too short for it is all-in; the others still call all of it.
    """
    stacks: tuple[Chips, ...] | None = None
    """Chips by seat before any post; None for unlimited stacks (the ACPC's limit games)."""
    bet_sizes: tuple[Chips, Chips, Chips, Chips]
    """By street, the size of every bet and raise in limit, and the smallest one elsewhere.

    Here as in what else is by street, the last one is also that of a fifth street.
    """
    largest_bets: tuple[Chips, Chips, Chips, Chips] | None = None
    """By street, in spread limit only."""
    max_raises: tuple[int, int, int, int] | None = None
    """Bets and raises allowed by street (the blind does not count); None for no cap."""
    lift_cap_heads_up: bool = False
    """No cap on a street that begins with two players."""
    first_to_act: tuple[Seat, Seat, Seat, Seat]
    """By street; a seat that cannot act passes the turn to its left."""
    short_all_in: ShortAllIn = ShortAllIn.CLOSED
    uncallable_raise: UncallableRaise = UncallableRaise.REFUSED
    odd_chips: OddChips = OddChips.FIRST_LEFT
    open_fold: OpenFold = OpenFold.REFUSED
    rake: Rake | None = None
    """The house's rake; payoffs are net of it."""
    variant: Variant = HOLDEM
    """The game: its deck, what is dealt by street, and which hands share the pot."""

    def __post_init__(self) -> None:
        if self.seats not in SEATS:
            raise BadInput(f"{self.seats} blinds; allowed: one for each of 2 to 23 seats")
        if self.variant is not HOLDEM:
            self._check_variant()
        elif self.bring_in:
            raise BadInput(f"a bring-in of {self.bring_in} in hold'em; allowed: blinds")
        _check_numbers("blinds", self.blinds, count=self.seats, least=0)
        _check_numbers("bet sizes", self.bet_sizes, count=len(Street), least=1)
        if self.largest_bets is not None or self.betting is Betting.SPREAD_LIMIT:
            self._check_spread()
        if self.antes:
            _check_numbers("antes", self.antes, count=self.seats, least=0)
        if self.max_raises is not None:
            _check_numbers("raise caps", self.max_raises, count=len(Street), least=0)
        _check_numbers("first seats", self.first_to_act, count=len(Street), least=0)
        if max(self.first_to_act) >= self.seats:
            raise BadInput(f"first seats {self.first_to_act}; allowed: 0 to {self.seats - 1}")
        self._check_stacks()

    def as_fields(self) -> dict[str, Any]:
        """Return the fields by name, for JSON: the variant as its name, and not in hold'em."""
        values = asdict(self)
        del values["variant"]
        if not self.variant.has_bring_in:
            del values["bring_in"]
        return values if self.variant is HOLDEM else {**values, "variant": self.variant.name}

    def __hash__(self) -> int:
        # Enums hash slowly, and rules that agree in these fields nearly always agree in the rest.
        return hash((self.blinds, self.stacks, self.bet_sizes))

    @property
    def seats(self) -> int:
        """Number of seats, 2 to 23."""
        return len(self.blinds)

    @property
    def result_unit(self) -> ResultUnit:
        """Unit of results: small bets in limit, big blinds elsewhere."""
        limit = self.betting is Betting.LIMIT
        return ResultUnit.SMALL_BETS if limit else ResultUnit.BIG_BLINDS

    @property
    def chips_per_unit(self) -> Chips:
        """Chips in one `result_unit`."""
        return self.bet_sizes[0] if self.betting is Betting.LIMIT else self.big_blind

    @property
    def big_blind(self) -> Chips:
        """The big blind in chips; the smallest bet before the flop where nobody posts one.

        A straddle is not the big blind, however many chips it takes to call: it is larger than the
        smallest bet after the flop, or the third of three rising posts left of the button.
        """
        most = max(self.blinds)
        small_bet, big_bet, *_ = self.bet_sizes
        if self.betting is not Betting.SPREAD_LIMIT and small_bet > big_bet and most > big_bet:
            return big_bet
        posts = [post for post in self.blinds if post]
        if len(posts) > _BLINDS and posts[0] < posts[1] < most:
            return posts[1]
        return most or small_bet

    @property
    def dead_small_blind(self) -> bool:
        """Whether nobody posts the small blind and the seat left of the button the big one.

        That is so after a player has left the table. Heads-up it cannot be.
        """
        first, second, *others = self.blinds
        big = self.big_blind
        alike = second == big and self.first_to_act[0] == 2 % self.seats  # blinds of $1/$1
        return bool(others) and self.blinds[0] == first == big > 0 and not alike

    @property
    def straddle(self) -> Chips:
        """The largest straddle in chips; 0 for none."""
        most = max(self.blinds)
        return most if most > self.big_blind else Chips(0)

    @property
    def denominator(self) -> int:
        """Denominator of payoffs in chips; 1 unless odd chips are split."""
        if self.odd_chips is OddChips.FIRST_LEFT:
            return 1
        return _LCM[self.seats] * self.variant.boards * len(self.variant.shares)

    def _check_variant(self) -> None:
        variant = self.variant
        if not isinstance(variant, Variant):
            raise BadInput(f"variant {variant!r}; allowed: one of railbird.cards.VARIANTS")
        if variant == HOLDEM:
            object.__setattr__(self, "variant", HOLDEM)  # the rest of the package asks by identity
            return
        if self.seats > variant.most_seats:
            words = f"{self.seats} seats in {variant.name}"
            raise BadInput(f"{words}; allowed: 2 to {variant.most_seats}")
        if not variant.has_bring_in:
            if self.bring_in:
                raise BadInput(f"a bring-in of {self.bring_in} in {variant.name}; allowed: blinds")
            return
        if any(self.blinds):
            raise BadInput(f"blinds {self.blinds} in {variant.name}; allowed: a bring-in")
        _check_numbers("bring-ins", (self.bring_in,), count=1, least=1)
        if self.bring_in >= self.bet_sizes[0]:
            words = f"a bring-in of {self.bring_in} before bets of {self.bet_sizes[0]}"
            raise BadInput(f"{words}; allowed: less than a bet")

    def check_holdem(self, what: str) -> None:
        """Raise `BadInput` in another game; for everybody who has not said that he knows others."""
        if self.variant is not HOLDEM:
            raise BadInput(f"{what} in {self.variant.name}; allowed: in hold'em")

    def _check_spread(self) -> None:
        spread = self.betting is Betting.SPREAD_LIMIT
        if (self.largest_bets is not None) is not spread:
            got, allowed = ("without", "with") if spread else ("with", "without")
            raise BadInput(f"{self.betting.value} betting {got} largest bets; allowed: {allowed}")
        if self.largest_bets is not None:
            _check_numbers("largest bets", self.largest_bets, count=len(Street), least=1)
            for least, largest in zip(self.bet_sizes, self.largest_bets, strict=True):
                if least > largest:
                    allowed = "the smallest first, no larger than the largest"
                    raise BadInput(f"bets from {least} to {largest} chips; allowed: {allowed}")

    def _check_stacks(self) -> None:
        sizes = self.largest_bets or self.bet_sizes
        if self.stacks is None:
            if self.betting not in (Betting.LIMIT, Betting.SPREAD_LIMIT):
                raise BadInput(f"{self.betting.value} betting without stacks; allowed: one a seat")
            raises = self.max_raises or (_UNCAPPED_RAISES,) * len(Street)
            bets = sum(n * size for n, size in zip(raises, sizes, strict=True))
            bets += raises[-1] * sizes[-1] * (len(self.variant.streets) - len(Street))
            most = self.seats * (bets + max(self.blinds)) + sum(self.antes)
        else:
            _check_numbers("stacks", self.stacks, count=self.seats, least=1)
            # No stack needs to cover these, but the engine computes with them.
            asked = max(*self.blinds, *self.antes, *sizes)
            most = max(sum(self.stacks), self.seats * asked)
        factor = self.denominator if self.rake is None else max(self.denominator, MOST_PARTS)
        if most * factor >= _TOO_MANY:
            raise BadInput(f"{most} chips on one table; allowed: {_TOO_MANY // factor}")


_LCM = [lcm(*range(1, seats + 1)) for seats in range(SEATS.stop)]
"""By number of seats, a common denominator for every split of a chip."""

_UNCAPPED_RAISES = 1000
"""Assumed maximum on one street without a cap; only bounds the amounts that are accepted."""

_TOO_MANY = 2**62

_BLINDS = 2
"""Posts of a table without a straddle."""


def _check_numbers(name: str, values: Sequence[Any], *, count: int, least: int) -> None:
    if len(values) != count:
        raise BadInput(f"{len(values)} {name}; allowed: {count}")
    # Comparing all at once is four times as fast, and each hand of a tournament has new rules.
    if set(map(type, values)) == {int} and least <= min(values) and max(values) <= _TOO_MANY:
        return
    if not all(isinstance(value, int) and least <= value <= _TOO_MANY for value in values):
        got = " ".join(str(tuple(values)).split())  # an array takes several lines
        raise BadInput(f"{name} {got}; allowed: whole numbers from {least} to 2^62")


LIMIT_RAISES: Final = (3, 4, 4, 4)
"""Most raises by street in limit: a bet and three raises, where the big blind is the first bet."""


@checked
def limit_holdem(
    seats: int = 2,
    *,
    small_bet: int = 10,
    max_raises: Sequence[int] | None = LIMIT_RAISES,
    stack: int | Sequence[int] | None = None,
    ante: int | Sequence[int] = 0,
) -> Rules:
    """Return limit rules: blinds of half and one small bet; bets double from the turn on.

    By default a street is capped at a bet and three raises (the big blind counts as the first bet).
    ``stack`` and ``ante`` are one amount for every seat, or amounts by seat.

    Raises `BadInput` for rules that cannot be played.
    """
    if small_bet % 2:
        raise BadInput(f"small bet {small_bet}; allowed: an even number, the small blind is half")
    return _holdem(
        seats,
        betting=Betting.LIMIT,
        posts=(small_bet // 2, small_bet),
        bet_sizes=(small_bet, small_bet, 2 * small_bet, 2 * small_bet),
        max_raises=None if max_raises is None else tuple(max_raises),
        stack=stack,
        ante=ante,
    )


@checked
def spread_limit_holdem(
    seats: int = 2,
    *,
    blinds: tuple[int, int],
    bets: tuple[int, int],
    late_bets: tuple[int, int] | None = None,
    max_raises: Sequence[int] | None = LIMIT_RAISES,
    stack: int | Sequence[int] | None = None,
    ante: int | Sequence[int] = 0,
) -> Rules:
    """Return spread-limit rules with the smallest and the largest bet, ``late_bets`` from the turn.

    The other arguments are those of `limit_holdem`. A $1 to $5 game with blinds of $1 and $2,
    counted in dimes:

    >>> rules = spread_limit_holdem(9, blinds=(10, 20), bets=(10, 50))
    >>> rules.bet_sizes, rules.largest_bets
    ((20, 10, 10, 10), (50, 50, 50, 50))

    Before the flop no raise is smaller than the big blind. Raises `BadInput` for rules that cannot
    be played.
    """
    (low, high), (late_low, late_high) = bets, late_bets or bets
    return _holdem(
        seats,
        betting=Betting.SPREAD_LIMIT,
        posts=blinds,
        bet_sizes=(max(low, blinds[1]), low, late_low, late_low),
        largest_bets=(high, high, late_high, late_high),
        max_raises=None if max_raises is None else tuple(max_raises),
        stack=stack,
        ante=ante,
    )


@checked
def no_limit_holdem(
    seats: int = 2,
    *,
    blinds: tuple[int, int],
    stack: int | Sequence[int],
    ante: int | Sequence[int] = 0,
    straddle: int = 0,
) -> Rules:
    """Return no-limit rules with a small and a big blind; a straddle is posted left of the latter.

    ``stack`` and ``ante`` are one amount for every seat, or amounts by seat (a big-blind ante is
    ``(0, 100, 0)``).

    Raises `BadInput` for rules that cannot be played.
    """
    return _big_bet(Betting.NO_LIMIT, seats, blinds, stack, ante, straddle)


@checked
def pot_limit_holdem(
    seats: int = 2,
    *,
    blinds: tuple[int, int],
    stack: int | Sequence[int],
    ante: int | Sequence[int] = 0,
    straddle: int = 0,
) -> Rules:
    """Return pot-limit rules; the arguments are those of `no_limit_holdem`."""
    return _big_bet(Betting.POT_LIMIT, seats, blinds, stack, ante, straddle)


def _big_bet(
    betting: Betting,
    seats: int,
    blinds: tuple[int, int],
    stack: int | Sequence[int],
    ante: int | Sequence[int],
    straddle: int,
) -> Rules:
    if straddle and (seats == 2 or straddle <= blinds[1]):
        raise BadInput(f"straddle {straddle}; allowed: above {blinds[1]}, from three seats on")
    return _holdem(
        seats,
        betting=betting,
        posts=(*blinds, straddle) if straddle else blinds,
        bet_sizes=(max(straddle, blinds[1]), blinds[1], blinds[1], blinds[1]),
        stack=stack,
        ante=ante,
    )


def _holdem(
    seats: int,
    *,
    posts: Sequence[int],
    stack: int | Sequence[int] | None,
    ante: int | Sequence[int],
    **fields: Any,
) -> Rules:
    if seats not in SEATS:
        raise BadInput(f"{seats} seats; allowed: {SEATS.start} to {SEATS.stop - 1}")
    live: Sequence[int] = (*posts, *(0,) * (seats - len(posts)))
    first = len(posts) % seats
    if seats == 2:  # the button posts the small blind and acts first before the flop
        live, first = posts[::-1], 1
    return Rules(
        blinds=_chips(live, seats),
        antes=_chips(ante, seats) if ante else (),
        stacks=None if stack is None else _chips(stack, seats),
        first_to_act=(Seat(first), Seat(0), Seat(0), Seat(0)),
        **fields,
    )


def _chips(amount: int | Sequence[int], seats: int) -> tuple[Chips, ...]:
    """Return amounts by seat, repeating a single amount for every seat."""
    return tuple(map(Chips, (amount,) * seats if isinstance(amount, int) else amount))


@checked
def in_variant(rules: Rules, variant: Variant) -> Rules:
    """Return rules of hold'em as those of another game, with the same betting and stakes.

    Where a card opens the betting, nobody posts: the small blind is the bring-in, the big blind the
    small bet, and every street allows the bets of a later one, as no blind is the first bet. Unless
    there are antes, everybody pays a tenth of a small bet. Of one draw the bets double after it.

    >>> from railbird.cards import VARIANTS
    >>> stud = in_variant(limit_holdem(3, small_bet=20), VARIANTS["stud"])
    >>> stud.blinds, stud.bring_in, stud.bet_sizes, stud.antes
    ((0, 0, 0), 10, (20, 20, 40, 40), (2, 2, 2))
    """
    if not variant.has_bring_in or rules.bring_in:
        largest = rules.largest_bets
        return replace(
            rules,
            variant=variant,
            bet_sizes=bets_by_street(variant, rules.bet_sizes),
            largest_bets=None if largest is None else bets_by_street(variant, largest),
        )
    posts = [post for post in rules.blinds if post] or [rules.bet_sizes[0]]
    ante, caps = Chips(max(posts) // 10), rules.max_raises
    return replace(
        rules,
        variant=variant,
        blinds=(Chips(0),) * rules.seats,
        bring_in=min(posts),
        antes=rules.antes or ((ante,) * rules.seats if ante else ()),
        max_raises=None if caps is None else (caps[1], *caps[1:]),
        first_to_act=(Seat(0), Seat(0), Seat(0), Seat(0)),
    )


def bets_by_street(
    variant: Variant, sizes: tuple[Chips, Chips, Chips, Chips]
) -> tuple[Chips, Chips, Chips, Chips]:
    """Return bet sizes of hold'em as those of another game, whose big bets may begin earlier.

    >>> from railbird.cards import VARIANTS
    >>> bets_by_street(VARIANTS["27-single"], (10, 10, 20, 20))
    (10, 20, 20, 20)
    """
    first, second, third, fourth = sizes
    return first, third if variant.streets[1].bet > 1 else second, third, fourth


@checked
@lru_cache(maxsize=256)
def acpc_rules(rules: Rules) -> Rules:
    """Return the same game as the ACPC's dealer runs it.

    Odd chips are split, short all-ins reopen the betting, nobody may fold if checking is free, and
    a seat may raise to more than the others have.
    """
    return replace(
        rules,
        short_all_in=ShortAllIn.REOPENS,
        uncallable_raise=UncallableRaise.ALLOWED,
        odd_chips=OddChips.FRACTION,
        open_fold=OpenFold.REFUSED,
    )


HEADS_UP_LIMIT = acpc_rules(limit_holdem())
"""10/20 with reversed blinds, as the ACPC's ``holdem.limit.2p.reverse_blinds.game``."""

HEADS_UP_NO_LIMIT = acpc_rules(no_limit_holdem(blinds=(50, 100), stack=20_000))
"""Stacks of 200 big blinds, as the ACPC's ``holdem.nolimit.2p.reverse_blinds.game``."""
