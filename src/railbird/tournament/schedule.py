"""Blind schedules, the stages of a tournament, and the rules of each hand in it."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate, pairwise
from typing import Final

from railbird._arguments import checked
from railbird.cards import HOLDEM, Variant
from railbird.errors import BadInput
from railbird.game import (
    LIMIT_RAISES,
    Betting,
    Rules,
    in_variant,
    no_limit_holdem,
    spread_limit_holdem,
)
from railbird.units import Chips, Seat

_LEVEL = re.compile(r"(\d{1,9})/(\d{1,9})(?:/(bb)?(\d{1,9}))?x(\d{1,9})")
_LARGEST = 1 << 40
"""Blinds do not grow beyond this; everybody is all-in long before."""
_MOST_LEVELS: Final = 10_000
_MOST_HANDS: Final = 10**9
"""Most hands in a level, or between two refills of a time bank."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """The blinds for a number of hands; validated on construction."""

    small: int
    big: int
    ante: int = 0
    """The ante that every player posts."""
    big_blind_ante: int = 0
    """The ante that the big blind posts for everybody; see `hand_rules`."""
    hands: int

    def __post_init__(self) -> None:
        antes = self.ante, self.big_blind_ante
        if not (0 < self.small <= self.big and min(antes) >= 0 and 0 < self.hands <= _MOST_HANDS):
            raise BadInput(
                f"level {str(self)!r}; allowed: SMALL/BIGxHANDS, blinds above 0, the small one up"
                f" to the big one, antes of 0 or more, 1 to {_MOST_HANDS:,} hands"
            )

    def __str__(self) -> str:
        ante = f"/{self.ante}" if self.ante else ""
        if self.big_blind_ante:
            ante = f"/bb{self.big_blind_ante}"
        return f"{self.small}/{self.big}{ante}x{self.hands}"


@checked
@dataclass(frozen=True, slots=True)
class Schedule:
    """Consecutive levels; after the last one, its blinds keep doubling.

    That makes sure that every tournament ends: eventually the blinds put everybody all-in. Raises
    `BadInput` if blinds fall, or if there is no level or more than ten thousand.

    >>> schedule = parse_schedule("10/20x10,15/30/5x10")
    >>> [str(schedule.level(hand)) for hand in (0, 9, 10, 20, 30)]
    ['10/20x10', '10/20x10', '15/30/5x10', '30/60/10x10', '60/120/20x10']
    >>> parse_schedule("100/200/bb200x10").level(10)
    Level(small=200, big=400, ante=0, big_blind_ante=400, hands=10)
    """

    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.levels) <= _MOST_LEVELS:
            raise BadInput(f"{len(self.levels)} levels of blinds; allowed: 1 to {_MOST_LEVELS:,}")
        for before, after in pairwise(self.levels):
            if after.big < before.big or after.small < before.small:
                raise BadInput(f"level {after} after {before}: blinds never fall")

    def level(self, hand: int) -> Level:
        """Return the level of a hand, counted from 0."""
        ends = accumulate(level.hands for level in self.levels)
        for level, end in zip(self.levels, ends, strict=True):
            if hand < end:
                return level
        last = self.levels[-1]
        beyond = hand - sum(level.hands for level in self.levels[:-1])
        return _doubled(last, beyond // last.hands)

    def __str__(self) -> str:
        return ",".join(map(str, self.levels))


@checked
def parse_schedule(text: str) -> Schedule:
    """Parse levels ``SMALL/BIGxHANDS`` or ``SMALL/BIG/ANTExHANDS``, separated by commas.

    An ante ``bb200`` is posted by the big blind for everybody. Raises `BadInput` for anything else.
    """
    return Schedule(tuple(map(_level, text.split(","))))


def _level(text: str) -> Level:
    match = _LEVEL.fullmatch(text.strip())
    if match is None:
        raise BadInput(
            f"level {text!r}; allowed: SMALL/BIGxHANDS or SMALL/BIG/ANTExHANDS, as in 10/20x10"
            " or, with an ante of the big blind for all, 10/20/bb20x10"
        )
    small, big, ante, hands = (int(part or 0) for part in match.group(1, 2, 4, 5))
    if match[3]:
        return Level(small=small, big=big, big_blind_ante=ante, hands=hands)
    return Level(small=small, big=big, ante=ante, hands=hands)


def _doubled(level: Level, times: int) -> Level:
    times = min(times, max(0, _LARGEST.bit_length() - level.big.bit_length()))
    amounts = (level.small, level.big, level.ante, level.big_blind_ante)
    small, big, ante, for_all = (amount << times for amount in amounts)
    return replace(level, small=small, big=big, ante=ante, big_blind_ante=for_all)


SCHEDULE: Final = parse_schedule("10/20x10,15/30x10,25/50x10,50/100x10,75/150x10,100/200x10")
"""The default blinds of a tournament, from Booker (2004). He took them from an online card room,
and does not say how long they last. After the last level they double."""


# How a tournament gets from its first tables to a winner.


class Stages(Enum):
    """How a tournament gets from its first tables to a winner."""

    FREEZE_OUT = "freeze-out"
    """Tables are balanced and broken as players are knocked out."""
    SHOOT_OUT = "shoot-out"
    """Each table plays down to a winner; winners meet at new tables with new stacks and blinds."""


def shoot_out_places(at_table: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Return the places after a stage of a shoot-out, given each table's places by player.

    All who came second at a table share a place behind the winners, and so on. The winners are all
    first here; the stages to come decide their places.

    >>> shoot_out_places([{0: 1, 1: 2}, {2: 1, 3: 2, 4: 3}])
    {0: 1, 1: 3, 2: 1, 3: 3, 4: 5}
    """
    ranks = [rank for table in at_table for rank in table.values()]
    return {
        player: 1 + sum(better < rank for better in ranks)
        for table in at_table
        for player, rank in table.items()
    }


# Rules of a hand in a tournament or a ring game, where stacks carry over from hand to hand.


def hand_rules(
    betting: Betting,
    *,
    blinds: tuple[int, int],
    ante: int | Sequence[int],
    stacks: Sequence[int],
    bets: tuple[int, int] | None = None,
    big_blind_ante: int = 0,
    variant: Variant = HOLDEM,
) -> Rules:
    """Return the rules of one hand, given stacks by seat; in limit the small bet is the big blind.

    Other games are those of `railbird.game.in_variant`, so that in stud the blinds are the bring-in
    and the small bet. ``ante`` is everybody's, or by seat; with ``big_blind_ante`` the big blind
    posts one for all instead. Its blind comes first (Tournament Directors Association, 2024), so
    with too few chips it posts less ante or none. ``bets`` are the smallest and the largest bet in
    spread limit. Odd chips go to the first seat left of the button, and a short all-in does not
    reopen the betting.
    """
    seats = len(stacks)
    if big_blind_ante and variant.has_bring_in:
        raise BadInput(f"a big blind ante in {variant.name}; allowed: an ante of everybody")
    if big_blind_ante:
        big_blind = 0 if seats == 2 else 1  # heads-up the button posts the small blind
        left = max(stacks[big_blind] - blinds[1], 0)
        posted = [0] * seats
        posted[big_blind] = min(big_blind_ante, left)
        ante = posted if left else 0
    if betting is Betting.SPREAD_LIMIT and bets is not None:
        rules = spread_limit_holdem(seats, blinds=blinds, bets=bets, stack=stacks, ante=ante)
        return rules if variant is HOLDEM else in_variant(rules, variant)
    rules = no_limit_holdem(seats, blinds=blinds, stack=stacks, ante=ante)
    if (betting, variant) == (Betting.NO_LIMIT, HOLDEM):
        return rules
    if betting is not Betting.LIMIT:
        return in_variant(replace(rules, betting=betting), variant)
    small, big = Chips(blinds[1]), Chips(2 * blinds[1])
    rules = replace(
        rules, betting=betting, bet_sizes=(small, small, big, big), max_raises=LIMIT_RAISES
    )
    return rules if variant is HOLDEM else in_variant(rules, variant)


def posted_rules(
    betting: Betting,
    *,
    posts: Sequence[int],
    antes: Sequence[int],
    stacks: Sequence[int],
    variant: Variant = HOLDEM,
    opening: tuple[int, int] = (0, 0),
) -> Rules:
    """Return the rules of a hand whose posts are known by seat, including posts for missed blinds.

    Seat 0 posts the small blind (heads-up the big blind), or the big blind if the small blind is
    dead. Where a card opens the betting, nobody posts, and ``opening`` has the bring-in and the
    small bet. Raises `BadInput` if no hand can have such posts.
    """
    seats = len(stacks)
    if not 2 <= seats == len(posts):
        raise BadInput(f"{len(posts)} posts for {seats} stacks; allowed: one each, for 2 or more")
    if variant.has_bring_in:
        rules = hand_rules(betting, blinds=opening, ante=0, stacks=stacks, variant=variant)
        return replace(rules, antes=tuple(map(Chips, antes)) if any(antes) else ())
    first, second = posts[:2]
    big, is_dead = max(first, second), seats > 2 and first > second
    small = 0 if is_dead else min(first, second)
    ante = antes if any(antes) else 0
    rules = hand_rules(betting, blinds=(small, big), ante=ante, stacks=stacks, variant=variant)
    if tuple(posts) == rules.blinds:
        return rules
    if seats == 2 or not big or not set(posts[2:]) <= {0, big}:
        raise BadInput(f"blinds {list(posts)}; allowed: such as {list(rules.blinds)}")
    start = (Seat(1), Seat(0), Seat(0), Seat(0)) if is_dead else rules.first_to_act
    return replace(rules, blinds=tuple(map(Chips, posts)), first_to_act=start)


def ante_noun(antes: Sequence[int]) -> str:
    """Return the word for a hand's antes, given by seat.

    >>> ante_noun([5, 5, 5]), ante_noun([0, 200, 0])
    ('ante', 'big blind ante')
    """
    return "ante" if all(antes) else "big blind ante"


# Thinking time: a limit for each decision, and a time bank for longer ones.


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Refill:
    """Seconds that are added to a time bank every few hands, up to its initial content."""

    seconds: float
    hands: int

    def __post_init__(self) -> None:
        if not (0 < self.seconds < 1_000_000 and 1 <= self.hands <= _MOST_HANDS):
            words = f"a refill of {self.seconds} s each {self.hands} hands"
            raise BadInput(f"{words}; allowed: above 0 s, below a million, each 1 hand or more")

    def __str__(self) -> str:
        """Return the text that `parse_refill` reads; more than six decimals are rounded."""
        return f"{self.seconds:.6f}".rstrip("0").rstrip(".") + f"/{self.hands}"


@checked
def parse_refill(text: str) -> Refill:
    """Parse ``SECONDS/HANDS``.

    >>> parse_refill("10/50")
    Refill(seconds=10.0, hands=50)
    >>> str(parse_refill("999999.9/5"))
    '999999.9/5'

    Raises `BadInput` for anything else.
    """
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)/(\d{1,9})", text)
    if match is None:
        raise BadInput(f"refill {text!r}; allowed: SECONDS/HANDS, as in 10/50")
    return Refill(seconds=float(match[1]), hands=int(match[2]))


class Clock:
    """One player's clock.

    >>> clock = Clock(limit=5, bank=60, refill=Refill(seconds=10, hands=2))
    >>> clock.charge(45), clock.allowance
    (True, 25.0)
    >>> clock.charge(26), clock.allowance
    (False, 5.0)
    >>> clock.next_hand(); clock.next_hand(); clock.next_hand(); clock.allowance
    15.0
    """

    def __init__(self, *, limit: float, bank: float = 0.0, refill: Refill | None = None) -> None:
        self.limit = limit
        self._bank = bank
        self._refill = refill
        self.wind_up()

    @property
    def allowance(self) -> float:
        """Seconds that the next decision may take."""
        return self.limit + self.left

    def wind_up(self) -> None:
        """Refill the bank to its initial content."""
        self.left = float(self._bank)
        self._hands = 0

    def next_hand(self) -> None:
        """Count a new hand, refilling the bank if due."""
        refill = self._refill
        if refill is not None and self._hands and self._hands % refill.hands == 0:
            self.left = min(self._bank, self.left + refill.seconds)
        self._hands += 1

    def charge(self, seconds: float) -> bool:
        """Charge time beyond the limit to the bank; return whether the bank sufficed."""
        over = max(0.0, seconds - self.limit)
        in_time = over <= self.left
        self.left = self.left - over if in_time else 0.0
        return in_time


# Seating in a tournament: moving the button, and balancing and breaking tables.
#
# A table is a tuple of players, clockwise, starting with the button of the next hand. This is the
# simple moving button, which goes to the next player still in. A player may miss a blind when
# somebody is knocked out, but nobody has an empty seat as the button. Heads-up, the button posts
# the small blind. It goes to the player who has just posted the big blind, so nobody posts the big
# blind twice in a row.


TableOrder = tuple[int, ...]


def first_tables(drawn: Sequence[int], seats: int) -> list[TableOrder]:
    """Return the fewest tables, as equal as possible, given the players in the order of the draw.

    >>> first_tables(range(7), 3)
    [(0, 3, 6), (1, 4), (2, 5)]
    """
    tables = -(-len(drawn) // seats)
    return [tuple(drawn[table::tables]) for table in range(tables)]


def big_blind(table: TableOrder) -> int:
    """Return the player who posts the big blind in the next hand."""
    return table[min(2, len(table) - 1)]


def by_seat(table: TableOrder) -> TableOrder:
    """Return the players by the engine's seats, with the button last."""
    return table[1:] + table[:1]


def advance_button(table: TableOrder, out: Container[int]) -> TableOrder:
    """Return the table after a hand that may have knocked out some players.

    >>> advance_button((0, 1, 2), out=[1])
    (2, 0)
    >>> advance_button((0, 1, 2), out=[0])
    (2, 1)
    """
    posted = big_blind(table)
    left = tuple(player for player in by_seat(table) if player not in out)
    return left[::-1] if len(left) == 2 and left[1] == posted else left


def balance_tables(tables: Sequence[TableOrder], seats: int) -> list[TableOrder]:
    """Return the fewest tables, with sizes that differ by at most one.

    The smallest tables are broken, and their players seated one by one, each at the table that is
    then the smallest, to the right of its next button. To balance, the next big blind of the
    largest table moves, and becomes the next big blind of the smallest. Of equal tables, the first
    one takes a player and the last one gives a player or breaks.

    >>> balance_tables([(0, 1, 2, 3), (4, 5)], seats=4)
    [(0, 1, 3), (4, 5, 2)]
    >>> balance_tables([(0, 1), (4, 5)], seats=4)
    [(0, 1, 4, 5)]
    """
    floor = [table for table in tables if table]
    while len(floor) > -(-sum(map(len, floor)) // seats):
        homeless = floor.pop(_last_of_size(floor, min(map(len, floor))))
        for player in homeless:
            to = _first_smallest(floor)
            floor[to] += (player,)
    while max(map(len, floor)) - min(map(len, floor)) > 1:
        from_, to = _last_of_size(floor, max(map(len, floor))), _first_smallest(floor)
        player = big_blind(floor[from_])
        floor[from_] = tuple(entrant for entrant in floor[from_] if entrant != player)
        floor[to] = (*floor[to][:2], player, *floor[to][2:])
    return floor


def _first_smallest(floor: Sequence[TableOrder]) -> int:
    return min(range(len(floor)), key=lambda table: len(floor[table]))


def _last_of_size(floor: Sequence[TableOrder], size: int) -> int:
    return max(table for table in range(len(floor)) if len(floor[table]) == size)
